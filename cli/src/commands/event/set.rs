//! `event set`: settings, printed or changed.

use super::print_with_notes;
use crate::{
    exit::{CliError, Exit},
    options::{FolderArgs, WriteArgs},
    ui,
};
use clap::Args;
use overboard_events::{
    Event,
    change::{SETTINGS, When, when},
    store::{Folder, read},
};
use overboard_pictures::foreign::visible;
use serde::Serialize;
use std::io::Write;

/// Print settings, or change one.
///
/// Without a name all settings are printed that are not at their defaults, and when each may be changed; with a name that one.
/// Lists stand with commas between. What is written by hand in event.toml stays, but for the line that changes.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no such setting, or it may not be changed any more.\n\nExamples:\n  overboard event set cup\n  overboard event set cup city Leeds\n  overboard event set cup tie-breaks MPvGP,EDE,BH/C1\n  overboard event set cup match-points 3,1,0\n  overboard event set cup swiss.readings.seating score-then-tpn\n  overboard event set cup city --default"
)]
pub struct SetArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The setting; after a dot what stands in a table, such as swiss.initial.
    #[arg(value_name = "SETTING")]
    pub key: Option<String>,
    /// The new value.
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    pub value: Option<String>,
    /// Give it its default.
    #[arg(long, conflicts_with = "value", requires = "key")]
    pub default: bool,
    #[command(flatten)]
    pub write: WriteArgs,
}

#[derive(Serialize)]
struct Setting<'a> {
    name: &'a str,
    value: Option<String>,
    when: &'static str,
}

pub fn run(args: &SetArgs) -> Result<Exit, CliError> {
    let Some(key) = &args.key else { return print(args, &read(&args.folder.folder)?, None) };
    if args.value.is_none() && !args.default {
        return print(args, &read(&args.folder.folder)?, Some(key));
    }
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event()?;
    let old = event.settings.get(key);
    event.set(key, args.value.as_deref()).map_err(CliError::Event)?;
    let word = |value: Option<String>| value.unwrap_or_else(|| "default".into());
    let what = format!("{key} = {}, was {}", word(event.settings.get(key)), word(old));
    let paired = event.rounds.len();
    let note = match when(key) {
        Some(When::Counting) if paired > 0 => {
            Some("it counts for the standings of all rounds; rounds that are paired stand")
        }
        Some(When::Next) if paired > 0 => {
            Some("it counts from the next pairing on; rounds that are paired stand")
        }
        _ => None,
    };
    let notes: Vec<String> = note.into_iter().map(str::to_owned).collect();
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    print_with_notes(&what, &changed, &notes, &args.write)
}

fn print(args: &SetArgs, event: &Event, key: Option<&String>) -> Result<Exit, CliError> {
    let mut all: Vec<(String, When)> = match key {
        None => SETTINGS.iter().map(|(name, when)| ((*name).to_owned(), *when)).collect(),
        Some(key) => {
            let when = when(key).ok_or_else(|| CliError::Event(format!("there is no setting `{key}`")))?;
            vec![(key.clone(), when)]
        }
    };
    let known = |name: &str| SETTINGS.iter().any(|(known, _)| *known == name);
    for name in event.settings.swiss.iter().flat_map(|table| table.keys()).map(|name| format!("swiss.{name}"))
    {
        if key.is_none() && !known(&name) {
            all.push((name, When::Next));
        }
    }
    let mut out = ui::stdout();
    for (name, when) in &all {
        let value = event.settings.get(name);
        if args.write.json {
            ui::json(&mut out, &Setting { name, value, when: when.words() })?;
        } else {
            let value = value.unwrap_or_else(|| "(default)".into());
            writeln!(out, "{name} = {}  # {}", visible(&value), when.words())?;
        }
    }
    out.flush()?;
    Ok(Exit::Clean)
}
