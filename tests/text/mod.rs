//! Records judged and written without leaving the process.

use overboard_formats::{
    limits::Limits,
    parse::{Event, GrammarFault, Parser},
    record::Record,
    write::Writer,
};
use overboard_games::registry::Variant;
use overboard_referee::{AnyReferee, Options, report::Report, sheets::SheetBundle};

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

/// The same, with sheets among the games judged together, as `check` does.
pub fn judge_sheets(text: &[u8], options: Options) -> Vec<Report> {
    let mut parser = Parser::new(text, 0, options.limits);
    let mut bundle = SheetBundle::new(options.limits);
    let mut at = 0;
    while let Some(record) = Record::read(&mut parser).expect("a text in memory can be read") {
        // The reports below also cover text that is not a record.
        let _unread = bundle.add(&record, at);
        at += 1;
    }
    let mut reports = judge_with(text, options.clone());
    bundle.judge(&options, &mut reports);
    reports
}

/// Whether a text can be rewritten without loss.
pub fn can_be_kept(text: &[u8]) -> bool {
    let mut parser = Parser::new(text, 0, Limits::default());
    loop {
        match parser.next().expect("a text in memory can be read") {
            Event::Done => return true,
            Event::Fault(GrammarFault::NotText(_) | GrammarFault::Limit(_)) => return false,
            _ => {}
        }
    }
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
