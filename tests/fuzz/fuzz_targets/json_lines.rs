#![no_main]
//! Any line gives either a fault or a record as JSON, whose text is judged; so does a line made of the
//! elements of a record, also with one byte changed.

#[path = "grammar/mod.rs"]
mod grammar;

use grammar::Text;
use libfuzzer_sys::fuzz_target;
use overboard_formats::{
    json_lines::{self, Element},
    limits::Limits,
    parse::{Event, Parser},
};
use overboard_games::referee::AnyReferee;
use overboard_referee::Options;

fn read(line: &str) {
    match json_lines::record_text(line) {
        Ok(text) => {
            let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
            let mut referee = AnyReferee::new(Options::default());
            while referee
                .judge(&mut parser)
                .expect("memory can be read")
                .is_some()
            {}
        }
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
}

/// The first record of a text as a line of JSON.
fn written(text: &str) -> String {
    let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
    let mut elements = Vec::new();
    loop {
        let event = parser.next().expect("memory can be read");
        if let Some(element) = Element::of(event, None, &parser) {
            elements.push(serde_json::to_string(&element).expect("an element has its JSON"));
        }
        if matches!(event, Event::End | Event::Done) {
            return format!("{{\"elements\":[{}]}}", elements.join(","));
        }
    }
}

fuzz_target!(|texts: (u16, u8, Text, &str)| {
    let (at, byte, Text(text), other) = texts;
    read(other);
    let line = written(&text);
    read(&line);
    let mut bytes = line.into_bytes();
    let at = usize::from(at) % bytes.len();
    bytes[at] = byte & 0x7f;
    if let Ok(line) = String::from_utf8(bytes) {
        read(&line);
    }
});
