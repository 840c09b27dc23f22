//! `event log`: prints what was changed, when, by whom and why.

use crate::{
    exit::{CliError, Exit},
    options::FolderArgs,
    ui,
};
use clap::Args;
use overboard_events::store::{Changed, ChangesInForce, LogEntry, Text, settled_folder};
use overboard_formats::foreign::visible;
use serde::Serialize;
use std::{
    collections::BTreeSet,
    io::{self, Write},
};

/// Print the log of changes.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no event.\n\nExample:\n  overboard event log cup"
)]
pub struct LogArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Print one JSON object for each change, with the files before and after.
    #[arg(long)]
    pub json: bool,
}

/// A change of an event.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shown<'a> {
    /// Its number, from 1.
    number: u32,
    /// When it was made, in UTC.
    time: &'a str,
    /// What was changed, in words.
    what: &'a str,
    /// Who changed it; only if that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'a str>,
    /// Why it was changed; only if that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    /// The number of the change that it undid; only if it undid one.
    #[serde(skip_serializing_if = "Option::is_none")]
    undoes: Option<u32>,
    /// The number of the change that it made again; only if it made one again.
    #[serde(skip_serializing_if = "Option::is_none")]
    redoes: Option<u32>,
    /// The numbers of the further changes that it undid or made again after that one; only if there are any.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    also: &'a [u32],
    /// Whether it takes up an edit of event.toml by hand; only if it does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    by_hand: bool,
    /// The files that it changed; null if they cannot be derived, because a part of the log before them is lost.
    files: Option<Vec<ShownFile<'a>>>,
}

/// A file before and after a change.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ShownFile<'a> {
    /// Its name in the folder.
    file: &'a str,
    /// Its text before; null if it did not exist.
    before: Option<String>,
    /// Its text after; null if it no longer exists.
    after: Option<String>,
}

pub fn run(args: &LogArgs) -> Result<Exit, CliError> {
    let log = settled_folder(&args.folder.folder)?.log;
    if let Some(fault) = log.damage.first() {
        ui::warn(&format!(
            "the log is damaged, and this is what can be read of it: {fault}"
        ));
    }
    let mut out = ui::stdout();
    if args.json {
        let mut written = Ok(());
        log.replay(|entry, changed| {
            if written.is_ok() {
                written = ui::json(&mut out, &shown(entry, changed));
            }
        });
        written?;
    } else {
        print(&mut out, &log.entries)?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}

fn print(out: &mut impl Write, log: &[LogEntry]) -> io::Result<()> {
    let done: BTreeSet<u32> = ChangesInForce::of(log)
        .done
        .iter()
        .map(|entry| entry.number)
        .collect();
    for entry in log {
        let is_change = entry.is_change() && entry.undoes.is_none() && entry.redoes.is_none();
        let mark = if is_change && !done.contains(&entry.number) {
            " (undone)"
        } else {
            ""
        };
        let (time, what, said) = (&entry.time, &entry.what, said(entry));
        let [time, what, said] = [time, what, &said].map(|text| visible(text));
        writeln!(out, "{:>4}  {time}  {what}{said}{mark}", entry.number)?;
    }
    Ok(())
}

/// Who made a change, and why.
fn said(entry: &LogEntry) -> String {
    match (&entry.by, &entry.reason) {
        (None, None) => String::new(),
        (Some(by), None) => format!(" (by {by})"),
        (None, Some(reason)) => format!(" (reason: {reason})"),
        (Some(by), Some(reason)) => format!(" (by {by}; reason: {reason})"),
    }
}

fn shown<'a>(entry: &'a LogEntry, changed: Option<&'a [Changed]>) -> Shown<'a> {
    Shown {
        number: entry.number,
        time: &entry.time,
        what: &entry.what,
        by: entry.by.as_deref(),
        reason: entry.reason.as_deref(),
        undoes: entry.undoes,
        redoes: entry.redoes,
        also: &entry.also,
        by_hand: entry.by_hand,
        files: changed.map(|changed| changed.iter().map(ShownFile::from).collect()),
    }
}

impl<'a> From<&'a Changed> for ShownFile<'a> {
    fn from(change: &'a Changed) -> Self {
        Self {
            file: &change.file,
            before: change.before.as_ref().map(as_text),
            after: change.after.as_ref().map(as_text),
        }
    }
}

fn as_text(bytes: &Text) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
