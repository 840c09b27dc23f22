//! `event`: make an event, fill it, look after it.

mod calls;
mod cancel;
mod cards;
mod change;
mod enter;
mod import;
mod lots;
mod new;
mod publish;
mod request;
mod sheets;

use crate::{
    args::{CheckEventArgs, EventArgs, EventCommand, LogArgs, RedoArgs, UndoArgs, WriteArgs},
    exit::{Exit, Failure},
    ui,
};
use overboard_events::{
    csv::Fault,
    store::{Changed, Folder, Standing, StoreError, read_with_bases, settled_log},
};
use overboard_pictures::foreign::visible;
use serde::Serialize;
use std::io::Write;

pub fn run(args: &EventArgs) -> Result<Exit, Failure> {
    match &args.command {
        EventCommand::New(args) => new::run(args),
        EventCommand::Import(args) => import::run(args),
        EventCommand::Enter(args) => enter::run(args),
        EventCommand::Request(args) => request::run(args),
        EventCommand::Set(args) => change::set(args),
        EventCommand::Amend(args) => change::amend(args),
        EventCommand::Remove(args) => change::remove(args),
        EventCommand::Lots(args) => lots::run(args),
        EventCommand::Check(args) => check(args),
        EventCommand::Log(args) => log(args),
        EventCommand::Cancel(args) => cancel::run(args),
        EventCommand::Undo(args) => undo(args),
        EventCommand::Redo(args) => redo(args),
        EventCommand::Export(args) => import::export(args),
        EventCommand::Publish(args) => publish::run(args),
        EventCommand::Pack(args) => import::pack(args),
        EventCommand::Unpack(args) => import::unpack(args),
        EventCommand::Cards(args) => cards::run(args),
        EventCommand::Calls(args) => calls::run(args),
    }
}

/// What a command changed.
#[derive(Serialize)]
struct Done<'a> {
    what: &'a str,
    dry_run: bool,
    files: Vec<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'a [String],
}

/// Says what was changed, or would be.
pub fn tell(what: &str, changed: &[Changed], write: &WriteArgs) -> Result<Exit, Failure> {
    tell_with_notes(what, changed, &[], write)
}

/// Says what was changed, or would be, and what follows from it.
pub fn tell_with_notes(
    what: &str,
    changed: &[Changed],
    notes: &[String],
    write: &WriteArgs,
) -> Result<Exit, Failure> {
    let mut out = ui::stdout();
    let files: Vec<_> = changed.iter().map(|change| change.file.as_str()).collect();
    if write.json {
        ui::json(&mut out, &Done { what, dry_run: write.dry_run, files, notes })?;
    } else {
        let doing = match (write.dry_run, files.is_empty()) {
            (_, true) => "nothing to change".to_owned(),
            (true, false) => format!("would change {}", files.join(", ")),
            (false, false) => format!("changed {}", files.join(", ")),
        };
        writeln!(out, "{}: {doing}", visible(what))?;
        for note in notes {
            let style = ui::shown(ui::DOUBTFUL);
            writeln!(out, "{style}note{style:#}: {}", visible(note))?;
        }
    }
    out.flush()?;
    Ok(Exit::Clean)
}

#[derive(Serialize)]
struct Told<'a> {
    file: &'a str,
    line: u64,
    column: u64,
    message: &'a str,
    /// Of what is not wrong.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    note: bool,
}

fn check(args: &CheckEventArgs) -> Result<Exit, Failure> {
    let (faults, notes) = match read_with_bases(&args.folder.folder) {
        Ok(event) => event.look(),
        Err(StoreError::Faults(faults)) => (faults, Vec::new()),
        Err(error) => return Err(error.into()),
    };
    print_faults(&faults, &notes, args.json)
}

/// Prints faults and notes, and says how many faults there are.
pub fn print_faults(faults: &[Fault], notes: &[Fault], json: bool) -> Result<Exit, Failure> {
    let mut out = ui::stdout();
    let all = faults.iter().map(|fault| (fault, false)).chain(notes.iter().map(|note| (note, true)));
    for (Fault { at, message }, note) in all {
        if json {
            ui::json(&mut out, &Told { file: &at.file, line: at.line, column: at.column, message, note })?;
            continue;
        }
        let (style, word) =
            if note { (ui::shown(ui::DOUBTFUL), "note") } else { (ui::shown(ui::BAD), "error") };
        writeln!(out, "{}: {style}{word}{style:#}: {}", visible(&at.to_string()), visible(message))?;
    }
    if !json {
        match faults.len() {
            0 => writeln!(out, "nothing is wrong")?,
            1 => writeln!(out, "1 fault")?,
            many => writeln!(out, "{many} faults")?,
        }
    }
    out.flush()?;
    Ok(if faults.is_empty() { Exit::Clean } else { Exit::Findings })
}

fn log(args: &LogArgs) -> Result<Exit, Failure> {
    let log = settled_log(&args.folder.folder)?;
    let done: Vec<u32> = Standing::of(&log).done.iter().map(|entry| entry.number).collect();
    let mut out = ui::stdout();
    for entry in &log {
        if args.json {
            ui::json(&mut out, entry)?;
            continue;
        }
        let is_change = entry.undoes.is_none() && entry.redoes.is_none();
        let mark = if is_change && !done.contains(&entry.number) { " (undone)" } else { "" };
        writeln!(out, "{:>4}  {}  {}{mark}", entry.number, visible(&entry.time), visible(&entry.what))?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}

fn undo(args: &UndoArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let Some(number) = args.to else {
        let entry = folder.undo(args.force, args.write.dry_run)?;
        return tell(&format!("undo of {}: {}", entry.number, entry.what), &entry.files, &args.write);
    };
    let entries = folder.undo_to(number, args.force, args.write.dry_run)?;
    let what: Vec<String> =
        entries.iter().map(|entry| format!("{} ({})", entry.number, entry.what)).collect();
    let mut files: Vec<Changed> = entries.into_iter().flat_map(|entry| entry.files).collect();
    files.sort_by(|one, other| one.file.cmp(&other.file));
    files.dedup_by(|one, other| one.file == other.file);
    tell(&format!("undo of {}", what.join(", ")), &files, &args.write)
}

fn redo(args: &RedoArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let entry = folder.redo(args.force, args.write.dry_run)?;
    tell(&format!("redo of {}: {}", entry.number, entry.what), &entry.files, &args.write)
}
