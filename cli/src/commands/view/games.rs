//! The page of a file of many games: a list, from which each is opened.

use super::ViewArgs;
use crate::{
    commands::check::{exit_of, page::ReportPage},
    exit::{CliError, Exit},
    games::{Judge, is_stream, open},
    input_copies::Sources,
    page::PageParts,
    sheets::may_hold_sheets,
};
use overboard_formats::parse::{Event, Parser};
use overboard_referee::{Options, report::Summary};
use std::{io, path::Path};

/// The page and the exit code, if the file has several games of which none was asked for. They are read from `file`, which is
/// the one of the sources. Sheets are shown within the game that they make.
pub fn page(
    args: &ViewArgs,
    file: &Path,
    sources: &Sources,
    options: &Options,
) -> Result<Option<(PageParts, Exit)>, CliError> {
    let is_one_asked = args.game.is_some() || !args.at.is_empty();
    // Only a damaged compressed file still cannot be read twice.
    if is_one_asked || is_stream(file) || may_hold_sheets(file) {
        return Ok(None);
    }
    if !has_several(file, options).map_err(CliError::on(&args.file))? {
        return Ok(None);
    }
    let judge = Judge::of(options.clone(), None, &sources.files)?;
    let mut page = ReportPage::listing(options.clone());
    let (mut summary, mut exit) = (Summary::default(), Exit::Clean);
    judge.run(&sources.files, |mut report| {
        let path = sources.name(&mut report);
        summary.count(&report);
        exit = exit.max(exit_of(&report));
        page.take(&report, &path)
    })?;
    // What could not be read is listed, too, so that the page is whole.
    Ok(Some((
        page.finish(&summary, 0, 0)?,
        exit.min(Exit::Findings),
    )))
}

/// Whether a second game begins in a file.
fn has_several(file: &Path, options: &Options) -> io::Result<bool> {
    let mut parser = Parser::new(open(file)?, 0, options.limits);
    let mut count = 0;
    loop {
        match parser.next()? {
            Event::Done => return Ok(false),
            Event::Begin => count += 1,
            _ => {}
        }
        if count > 1 {
            return Ok(true);
        }
    }
}
