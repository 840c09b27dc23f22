//! `event`: create and manage an event.

mod accept;
mod amend;
mod calls;
mod cancel;
mod cards;
mod check;
mod enter;
mod export;
mod import;
pub mod log;
mod lots;
mod new;
mod pack;
pub mod publish;
pub mod records;
mod redo;
mod remove;
pub mod repair;
mod request;
pub mod set;
mod sheets;
mod undo;
mod unpack;

use crate::{
    exit::{CliError, Exit},
    games::is_dash,
    options::{ChangeArgs, FolderArgs, WriteArgs},
    ui,
};
use clap::{Args, Subcommand};
use overboard_events::{
    Event,
    checks::Review,
    csv::CsvError,
    store::{Changed, Folder, LogEntry, Mode, StoreError, read_bytes},
};
use overboard_formats::foreign::visible;
use overboard_rules::refusal::counted;
use serde::Serialize;
use std::{
    collections::BTreeSet,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

/// Create and manage an event.
///
/// Teams, rounds, results and standings are kept in a folder of plain text files.
#[derive(Args, Debug)]
#[command(
    after_help = "An event is a folder:\n  event.toml                settings\n  teams.csv, players.csv    participants\n  requests.csv              byes, withdrawals and the like\n  rounds/01.csv and so on   pairings and results\nevent.toml may be edited by hand; `event check` reports errors.\n\nExit codes: 0 done, 1 errors found, 2 the command is not possible.\n\nExample:\n  overboard event new cup --game strategichess --boards 3 --system round-robin --cycles 2\n  overboard event enter cup Leeds --players 'Ann;Bob;Cy'\n  overboard pair next cup\n  overboard result cup 1 1 1-0 --score 2-0\n  overboard standings cup"
)]
pub struct EventArgs {
    #[command(subcommand)]
    pub command: EventCommand,
}

impl EventCommand {
    /// The files of records that the command reads.
    pub const fn records_mut(&mut self) -> Option<&mut Vec<PathBuf>> {
        match self {
            Self::Calls(args) => Some(&mut args.files),
            Self::Publish(args) => Some(&mut args.games),
            _ => None,
        }
    }
}

#[derive(Subcommand, Debug)]
pub enum EventCommand {
    New(Box<new::NewArgs>),
    Import(import::ImportArgs),
    #[command(alias = "add")]
    Enter(enter::EnterArgs),
    Request(request::RequestArgs),
    Set(set::SetArgs),
    Amend(amend::AmendArgs),
    #[command(alias = "delete")]
    Remove(remove::RemoveArgs),
    Lots(lots::LotsArgs),
    Check(check::CheckEventArgs),
    Accept(accept::AcceptArgs),
    Repair(repair::RepairArgs),
    Log(log::LogArgs),
    Cancel(cancel::CancelArgs),
    Undo(undo::UndoArgs),
    Redo(redo::RedoArgs),
    Export(export::ExportArgs),
    Publish(publish::PublishArgs),
    Pack(pack::PackArgs),
    Unpack(unpack::UnpackArgs),
    Cards(cards::CardsArgs),
    Calls(calls::CallsArgs),
}

pub fn run(args: &EventArgs) -> Result<Exit, CliError> {
    match &args.command {
        EventCommand::New(args) => args.folder.named(new::run(args)),
        EventCommand::Import(args) => args.folder.named(import::run(args)),
        EventCommand::Enter(args) => args.folder.named(enter::run(args)),
        EventCommand::Request(args) => args.folder.named(request::run(args)),
        EventCommand::Set(args) => args.folder.named(set::run(args)),
        EventCommand::Amend(args) => args.folder.named(amend::run(args)),
        EventCommand::Remove(args) => args.folder.named(remove::run(args)),
        EventCommand::Lots(args) => args.folder.named(lots::run(args)),
        EventCommand::Check(args) => args.folder.named(check::run(args)),
        EventCommand::Accept(args) => args.folder.named(accept::run(args)),
        EventCommand::Repair(args) => args.folder.named(repair::run(args)),
        EventCommand::Log(args) => args.folder.named(log::run(args)),
        EventCommand::Cancel(args) => args.folder.named(cancel::run(args)),
        EventCommand::Undo(args) => args.folder.named(undo::run(args)),
        EventCommand::Redo(args) => args.folder.named(redo::run(args)),
        EventCommand::Export(args) => args.folder.named(export::run(args)),
        EventCommand::Publish(args) => args.folder.named(publish::run(args)),
        EventCommand::Pack(args) => args.folder.named(pack::run(args)),
        EventCommand::Unpack(args) => args.folder.named(unpack::run(args)),
        EventCommand::Cards(args) => args.folder.named(cards::run(args)),
        EventCommand::Calls(args) => args.folder.named(calls::run(args)),
    }
}

/// A change of an event.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Change")
)]
pub struct Done<'a> {
    /// What was done, as the log has it.
    what: &'a str,
    /// Whether nothing was written, because of `--dry-run`.
    dry_run: bool,
    /// The files that changed, or would.
    files: &'a [&'a str],
    /// Consequences of the change; only if there are any.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'a [String],
}

/// Refuses a change that would make an event invalid, such as a new order of a team that has played in the old one.
pub fn keeps_valid(before: &Event, after: &Event) -> Result<(), CliError> {
    let new = new_faults(before, after);
    if new.is_empty() {
        return Ok(());
    }
    ui::note(&format!(
        "nothing was changed: the event would then have {}",
        counted(new.len(), "fault")
    ));
    Err(StoreError::Faults(new).into())
}

fn new_faults(before: &Event, after: &Event) -> Vec<CsvError> {
    let known: BTreeSet<_> = before
        .check()
        .into_iter()
        .map(|fault| fault.message)
        .collect();
    let mut faults = after.check();
    faults.retain(|fault| !known.contains(&fault.message));
    faults
}

/// Makes the folder of a new event, unless nothing is to be written, and prints that with notes.
pub fn begin(
    folder: &FolderArgs,
    what: &str,
    event: &Event,
    notes: &[String],
    args: &ChangeArgs,
) -> Result<Exit, CliError> {
    if args.write.dry_run {
        let files = event.write();
        let names: Vec<_> = files.keys().map(String::as_str).collect();
        return print_files(what, &names, notes, &args.write);
    }
    let changed = folder.make(args)?.commit(what, event, Mode::Write)?;
    print_with_notes(what, &changed, notes, &args.write)
}

/// Keeps a change, unless nothing is to be written, and prints it.
pub fn commit(
    folder: &mut Folder,
    what: &str,
    event: &Event,
    args: &ChangeArgs,
) -> Result<Exit, CliError> {
    commit_with_notes(folder, what, event, &[], args)
}

/// Keeps a change, unless nothing is to be written, and prints it with what follows from it.
pub fn commit_with_notes(
    folder: &mut Folder,
    what: &str,
    event: &Event,
    notes: &[String],
    args: &ChangeArgs,
) -> Result<Exit, CliError> {
    let changed = folder.commit(what, event, args.write.mode())?;
    print_with_notes(what, &changed, notes, &args.write)
}

/// Prints which changes were undone or redone, or would be: `Undid`, the changes, and their files. With `--to` there may
/// be several.
fn print_turned(
    verb: &str,
    to: Option<u32>,
    entries: &[LogEntry],
    args: &ChangeArgs,
) -> Result<Exit, CliError> {
    let what = match (to, entries) {
        (None, [one]) => format!("{verb} change {}: {}", one.number, one.what),
        _ => changes(verb, entries),
    };
    print_files(&what, &files_of(entries), &[], &args.write)
}

fn changes(verb: &str, entries: &[LogEntry]) -> String {
    let what: Vec<String> = entries
        .iter()
        .map(|entry| format!("{} ({})", entry.number, entry.what))
        .collect();
    match &what[..] {
        [one] => format!("{verb} change {one}"),
        _ => format!("{verb} changes {}", what.join(", ")),
    }
}

/// The files that changes concern, by name.
fn files_of(entries: &[LogEntry]) -> Vec<&str> {
    let files = entries.iter().flat_map(|entry| &entry.files);
    let names: BTreeSet<&str> = files.map(|one| one.file.as_str()).collect();
    names.into_iter().collect()
}

/// Prints what was changed, or would be, and what follows from it.
pub fn print_with_notes(
    what: &str,
    changed: &[Changed],
    notes: &[String],
    write: &WriteArgs,
) -> Result<Exit, CliError> {
    let files: Vec<_> = changed.iter().map(|change| change.file.as_str()).collect();
    print_files(what, &files, notes, write)
}

fn print_files(
    what: &str,
    files: &[&str],
    notes: &[String],
    write: &WriteArgs,
) -> Result<Exit, CliError> {
    if write.json {
        return ui::print_json(&Done {
            what,
            dry_run: write.dry_run,
            files,
            notes,
        });
    }
    let mut out = ui::stdout();
    writeln!(out, "{}\n  {}", visible(what), doing(files, write.dry_run))?;
    for note in notes {
        let style = ui::shown(ui::DOUBTFUL);
        writeln!(out, "{style}note{style:#}: {}", visible(note))?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}

fn doing(files: &[&str], dry_run: bool) -> String {
    let names = files.join(", ");
    match (dry_run, files.is_empty()) {
        (_, true) => "nothing to change".to_owned(),
        (true, false) => format!("would change {names} (--dry-run: nothing is written)"),
        (false, false) => format!("changed {names}"),
    }
}

/// An error or a note.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Problem")
)]
pub struct EventLine<'a> {
    /// The file.
    file: &'a str,
    /// The line, from 1; 0 for none.
    line: u64,
    /// The column, from 1; 0 for none.
    column: u64,
    /// What is wrong, in words.
    message: &'a str,
    /// Whether it is a note and not an error; absent for an error.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    note: bool,
}

/// Prints errors and notes, and the number of errors; `none` is the last line if there are none.
pub fn print_review(review: &Review, none: &str, json: bool) -> Result<Exit, CliError> {
    let mut out = ui::stdout();
    let Review { faults, notes } = review;
    for fault in faults {
        print_fault(&mut out, fault, false, json)?;
    }
    for note in notes {
        print_fault(&mut out, note, true, json)?;
    }
    if !json {
        match faults.len() {
            0 => writeln!(out, "{none}")?,
            count => writeln!(out, "{}", counted(count, "error"))?,
        }
    }
    out.flush()?;
    Ok(Exit::with(!faults.is_empty()))
}

fn print_fault(out: &mut impl Write, fault: &CsvError, note: bool, json: bool) -> io::Result<()> {
    let CsvError { at, message } = fault;
    if json {
        let line = EventLine {
            file: &at.file,
            line: at.line,
            column: at.column,
            message,
            note,
        };
        return ui::json(out, &line);
    }
    let (style, word) = if note {
        (ui::shown(ui::DOUBTFUL), "note")
    } else {
        (ui::shown(ui::BAD), "error")
    };
    let place = at.to_string();
    writeln!(
        out,
        "{}: {style}{word}{style:#}: {}",
        visible(&place),
        visible(message)
    )
}

/// The contents of a file.
pub fn bytes(path: &Path) -> Result<Vec<u8>, CliError> {
    read_bytes(path).map_err(CliError::on(path))
}

/// The contents of a file, or what is pasted into standard input if it is `-`.
pub fn bytes_or_pasted(path: &Path) -> Result<Vec<u8>, CliError> {
    if !is_dash(path) {
        return bytes(path);
    }
    let mut pasted = Vec::new();
    let read = io::stdin().lock().take(1 << 24).read_to_end(&mut pasted);
    read.map_err(CliError::on(path))?;
    Ok(pasted)
}

/// Writes a text to a file, completely or not at all, or to standard output.
pub fn put(out: Option<&Path>, text: &str) -> Result<Exit, CliError> {
    match out {
        Some(path) => ui::replace_file(path, text.as_bytes())?,
        None => ui::print_text(text)?,
    }
    Ok(Exit::Clean)
}
