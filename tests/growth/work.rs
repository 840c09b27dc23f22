//! How much is allocated while a text is read, judged, written and converted.

use crate::{text, things};
use allocation_counter::measure;
use overboard_formats::{
    json_lines::{Element, record_text},
    limits::Limits,
    parse::{Event, Parser},
    record::Record,
};
use overboard_games::referee::AnyReferee;
use overboard_referee::Options;
use overboard_sheets::{SheetBundle, Sheets};
use std::{hint::black_box, io};

/// How many of a thing the smaller and the larger record hold.
const SIZES: [usize; 2] = [128, 512];
/// By how much what is allocated may grow from one to the other, at most: four times as much, and room that doubles may have
/// doubled once more.
const BOUND: f64 = 6.0;
/// What is less than this is not compared: allocations, bytes in all, most bytes at a time.
const LEAST: [u64; 3] = [256, 64 << 10, 64 << 10];

type Work = (&'static str, fn(&[u8]));

/// What is done with a text.
const WORK: [Work; 8] = [
    ("parse", parse),
    ("record", record),
    ("judge", |text| drop(black_box(text::judge(text)))),
    ("judge sheets", |text| {
        drop(black_box(text::judge_sheets(text, Options::default())));
    }),
    ("write", |text| drop(black_box(text::canonical(text)))),
    ("rows", rows),
    ("JSON and back", json),
    ("bundle and unbundle", sheets),
];

fn parse(text: &[u8]) {
    let mut parser = Parser::new(text, 0, Limits::default());
    while parser.next().unwrap() != Event::Done {}
}

fn record(text: &[u8]) {
    let mut parser = Parser::new(text, 0, Limits::default());
    while let Some(record) = Record::read(&mut parser).unwrap() {
        black_box(record);
    }
}

fn rows(text: &[u8]) {
    let mut parser = Parser::new(text, 0, Limits::default());
    let mut referee = AnyReferee::new(Options {
        rows: true,
        no_excerpts: true,
        ..Options::default()
    });
    loop {
        let event = parser.next().unwrap();
        referee.hear(event, &parser);
        if event == Event::End {
            drop(referee.take_report(&mut parser));
        }
        while let Some(row) = referee.next_row() {
            black_box(row);
        }
        if event == Event::Done {
            return;
        }
    }
}

fn json(text: &[u8]) {
    let mut parser = Parser::new(text, 0, Limits::default());
    let mut elements = Vec::new();
    loop {
        let event = parser.next().unwrap();
        if let Some(element) = Element::of(event, None, &parser) {
            elements.push(serde_json::to_string(&element).unwrap());
        }
        match event {
            Event::End => {
                let line = format!("{{\"elements\":[{}]}}", elements.join(","));
                black_box(record_text(&line).unwrap());
                elements.clear();
            }
            Event::Done => return,
            _ => {}
        }
    }
}

fn sheets(text: &[u8]) {
    let limits = Limits::default();
    let mut parser = Parser::new(text, 0, limits);
    let mut bundle = SheetBundle::new(limits);
    while bundle.read(&mut parser, 0).unwrap().is_some() {}
    for made in bundle.bundle() {
        let Ok(made) = made else { continue };
        let text = made.text();
        let mut parser = Parser::new(text.as_bytes(), 0, limits);
        // A game with a fault has no sheets, and what was done to find it is counted.
        while let Ok(Some(sheets)) = Sheets::read(&mut parser, 0, "1", limits) {
            sheets.write(&mut io::sink()).unwrap();
        }
    }
}

/// Allocations, bytes in all, most bytes at a time.
fn allocated(work: fn(&[u8]), text: &str) -> [u64; 3] {
    let info = measure(|| work(text.as_bytes()));
    [info.count_total, info.bytes_total, info.bytes_max]
}

#[test]
fn what_is_allocated_grows_with_what_is_read() {
    let mut too_fast = Vec::new();
    for thing in things::THINGS {
        let [few, many] = SIZES.map(|size| (thing.record)(size));
        for (name, work) in WORK {
            // What is made once for all is made now.
            work((thing.record)(2).as_bytes());
            let [few, many] = [&few, &many].map(|text| allocated(work, text));
            assert_eq!(
                allocated(work, &(thing.record)(SIZES[0])),
                few,
                "{}: {name}",
                thing.name
            );
            let grows = |at: usize| many[at] as f64 / few[at].max(LEAST[at]) as f64;
            let growth = [0, 1, 2].map(grows);
            println!("{}: {name}: {growth:.1?}, {many:?}", thing.name);
            if growth.iter().any(|growth| *growth > BOUND) {
                too_fast.push(format!(
                    "{}: {name}: {growth:.1?}, {few:?}, {many:?}",
                    thing.name
                ));
            }
        }
    }
    assert!(too_fast.is_empty(), "{too_fast:#?}");
}
