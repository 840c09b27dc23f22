//! The board of a finding.

use super::{ShowArgs, ShowError, options};
use crate::{
    exit::CliError,
    finding_details::marked,
    games::{Judge, unread},
};
use indicatif::ProgressBar;
use overboard_pictures::diagram::{Diagram, Panel, WordTable};
use overboard_referee::finding::Finding;
use std::{io, path::Path};

/// The number of possible moves that are named; the rest is only counted.
const NAMED: usize = 12;

/// The board of the finding with this number, before the move, with the message and the rule.
pub(super) fn diagram(path: &Path, number: usize, args: &ShowArgs) -> Result<Diagram, CliError> {
    let judge = Judge::new(options(args), Some(1), ProgressBar::hidden())?;
    let files = [path.to_owned()];
    let (mut count, mut found) = (0, None);
    let judged = judge.run(&files, |report| {
        count += u64::from(report.game > 0);
        if report.game == args.game || report.game == 0 {
            found = Some(report);
            // No more is wanted.
            return Err(io::ErrorKind::Interrupted.into());
        }
        Ok(())
    });
    let Some(report) = found else {
        judged.map_err(CliError::on(path))?;
        return Err(ShowError::no_game(path, args.game, count).into());
    };
    if report.game == 0 {
        return Err(CliError::file(
            path,
            io::Error::other(unread(&report).to_owned()),
        ));
    }
    let mut with_boards = Vec::new();
    for finding in &report.findings {
        if let Some(panel) = finding.board.as_deref() {
            with_boards.push((finding, panel));
        }
    }
    match with_boards.get(number - 1) {
        Some((finding, panel)) => Ok(drawn(finding, (*panel).clone())),
        None => Err(ShowError::NoFinding(number, with_boards.len()).into()),
    }
}

fn drawn(finding: &Finding, panel: Panel) -> Diagram {
    let row = |name: &str, words: String| vec![name.into(), words.into()];
    let mut rows = Vec::new();
    if finding.possible.len() > NAMED {
        let (named, more) = finding.possible.split_at(NAMED);
        let words = format!("{} and {} more", named.join(" "), more.len());
        rows.push(row("possible", words));
    } else if !finding.possible.is_empty() {
        rows.push(row("possible", finding.possible.join(" ")));
    }
    if let Some(rule) = finding.rule {
        rows.push(row(rule.id, rule.gist.to_owned()));
    }
    let title = format!("{}[{}]", finding.severity, finding.code.id);
    let table = WordTable {
        title: title.into(),
        heads: vec!["", ""],
        rows,
    };
    Diagram {
        caption: Some(finding.message.clone()),
        tables: vec![table],
        ..Diagram::of(marked(finding, panel))
    }
}
