//! Records judged and written without leaving the process.

use overboard_formats::{limits::Limits, parse::Parser, record::Record};
use overboard_games::referee::{
    AnyReferee,
    rewrite::{RewriteError, rewrite},
};
use overboard_referee::{Options, report::Report};
use overboard_sheets::SheetBundle;

/// The records of a text.
pub fn records(text: &(impl AsRef<[u8]> + ?Sized)) -> Vec<Record> {
    records_within(text.as_ref(), Limits::default()).collect()
}

fn records_within(text: &[u8], limits: Limits) -> impl Iterator<Item = Record> {
    let mut parser = Parser::new(text, 0, limits);
    std::iter::from_fn(move || Record::read(&mut parser).expect("a text in memory can be read"))
}

/// The reports on every game of a text.
pub fn judge(text: &[u8]) -> Vec<Report> {
    judge_with(text, Options::default())
}

/// The reports on every game of a text, under these options.
pub fn judge_with(text: &[u8], options: Options) -> Vec<Report> {
    let mut parser = Parser::new(text, 0, options.limits);
    let mut referee = AnyReferee::new(options);
    std::iter::from_fn(|| {
        referee
            .judge(&mut parser)
            .expect("a text in memory can be read")
    })
    .collect()
}

/// The same, with sheets among the games judged together, as `check` does.
pub fn judge_sheets(text: &[u8], options: Options) -> Vec<Report> {
    let mut bundle = SheetBundle::new(options.limits);
    for (at, record) in records_within(text, options.limits).enumerate() {
        // The reports below also cover text that is not a record.
        let _unread = bundle.add(&record, at);
    }
    let mut reports = judge_with(text, options.clone());
    bundle.judge(&options, &mut reports);
    reports
}

/// The canonical form of a text; `None` if it cannot be rewritten without losing part of it.
pub fn rewritten(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    match rewrite(text, &mut out, Limits::default()) {
        Ok(()) => Some(out),
        Err(RewriteError::Unkept(..)) => None,
        Err(RewriteError::Reading(error) | RewriteError::Writing(error)) => panic!("{error}"),
    }
}

/// The canonical form of a text that can be rewritten.
pub fn canonical(text: &[u8]) -> Vec<u8> {
    rewritten(text).unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(text)))
}
