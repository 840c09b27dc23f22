//! Records judged and written without leaving the process.

use overboard_formats::{
    limits::Limits,
    parse::{Event, Parser},
    write::Writer,
};
use overboard_games::registry::Variant;
use overboard_referee::{AnyReferee, Options, report::Report};

/// The reports on every game of a text.
pub fn judge(text: &[u8]) -> Vec<Report> {
    judge_with(text, Options::default())
}

/// The reports on every game of a text, under these options.
pub fn judge_with(text: &[u8], options: Options) -> Vec<Report> {
    let mut parser = Parser::new(text, 0, options.limits);
    let mut referee = AnyReferee::new(options);
    std::iter::from_fn(|| referee.judge(&mut parser).expect("a text in memory can be read")).collect()
}

/// The canonical form of a text.
pub fn canonical(text: &[u8]) -> Vec<u8> {
    let mut parser = Parser::new(text, 0, Limits::default());
    let mut referee = AnyReferee::spelling(Options::default());
    let mut writer = Writer::new(Vec::new(), Variant::wraps);
    loop {
        let event = parser.next().expect("a text in memory can be read");
        let spelling = referee.hear(event, &parser);
        writer.write(event, spelling, &parser).expect("memory can be written");
        match event {
            Event::End => drop(referee.take_report(&mut parser)),
            Event::Done => return writer.into_inner(),
            _ => {}
        }
    }
}
