//! `event`: make an event, fill it, look after it.

mod cards;
mod enter;
mod import;
mod lots;
mod new;
mod request;

use crate::{
    args::{CheckEventArgs, EventArgs, EventCommand, LogArgs, UndoArgs, WriteArgs},
    exit::{Exit, Failure},
    ui,
};
use overboard_events::{
    csv::Fault,
    store::{Changed, Folder, settled, settled_log},
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
        EventCommand::Lots(args) => lots::run(args),
        EventCommand::Check(args) => check(args),
        EventCommand::Log(args) => log(args),
        EventCommand::Undo(args) => undo(args),
        EventCommand::Export(args) => import::export(args),
        EventCommand::Cards(args) => cards::run(args),
    }
}

/// What a command changed.
#[derive(Serialize)]
struct Done<'a> {
    what: &'a str,
    dry_run: bool,
    files: Vec<&'a str>,
}

/// Says what was changed, or would be.
pub fn tell(what: &str, changed: &[Changed], write: &WriteArgs) -> Result<Exit, Failure> {
    let mut out = ui::stdout();
    let files: Vec<_> = changed.iter().map(|change| change.file.as_str()).collect();
    if write.json {
        ui::json(&mut out, &Done { what, dry_run: write.dry_run, files })?;
    } else {
        let doing = match (write.dry_run, files.is_empty()) {
            (_, true) => "nothing to change".to_owned(),
            (true, false) => format!("would change {}", files.join(", ")),
            (false, false) => format!("changed {}", files.join(", ")),
        };
        writeln!(out, "{}: {doing}", visible(what))?;
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
}

fn check(args: &CheckEventArgs) -> Result<Exit, Failure> {
    let faults = match overboard_events::Event::read(&settled(&args.folder.folder)?) {
        Ok(event) => event.check(),
        Err(faults) => faults,
    };
    print_faults(&faults, args.json)
}

/// Prints faults, and says how many there are.
pub fn print_faults(faults: &[Fault], json: bool) -> Result<Exit, Failure> {
    let mut out = ui::stdout();
    for Fault { at, message } in faults {
        if json {
            ui::json(&mut out, &Told { file: &at.file, line: at.line, column: at.column, message })?;
        } else {
            let bad = ui::shown(ui::BAD);
            writeln!(out, "{}: {bad}error{bad:#}: {}", visible(&at.to_string()), visible(message))?;
        }
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
    let undone: Vec<u32> = log.iter().filter_map(|entry| entry.undoes).collect();
    let mut out = ui::stdout();
    for entry in &log {
        if args.json {
            ui::json(&mut out, entry)?;
            continue;
        }
        let mark = if undone.contains(&entry.number) { " (undone)" } else { "" };
        writeln!(out, "{:>4}  {}  {}{mark}", entry.number, visible(&entry.time), visible(&entry.what))?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}

fn undo(args: &UndoArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let entry = folder.undo(args.force, args.write.dry_run)?;
    tell(&format!("undo of {}: {}", entry.number, entry.what), &entry.files, &args.write)
}
