//! `event set`: prints or changes settings.

use super::{commit_with_notes, keeps_valid};
use crate::{
    exit::{CliError, Exit},
    grid::{Grid, cells},
    options::{ChangeArgs, FolderArgs, Form},
    ui,
};
use clap::Args;
use overboard_events::{
    Event,
    settings::{SETTINGS, When, named},
    store::read,
};
use serde::Serialize;
use std::io::Write;

/// Print settings, or change one.
///
/// Without a name, prints all settings and when each can be changed. With a name, prints that setting. Separate the
/// items of a list with commas. Only the value changes in event.toml; comments, too, are kept.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no such setting, or it can no longer be changed.\n\nExamples:\n  overboard event set cup\n  overboard event set cup city Leeds\n  overboard event set league tie-breaks MPvGP,EDE,BH/C1\n  overboard event set cup match-points 3,1,0\n  overboard event set cup swiss.readings.seating score-then-tpn\n  overboard event set cup city --default"
)]
pub struct SetArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The setting, with a dot for one in a table, such as swiss.initial.
    #[arg(value_name = "SETTING")]
    pub key: Option<String>,
    /// The new value.
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    pub value: Option<String>,
    /// Restore the default.
    #[arg(long, conflicts_with = "value", requires = "key")]
    pub default: bool,
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// A setting of an event.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setting<'a> {
    /// Its name.
    name: &'a str,
    /// Its value; null for the default.
    value: Option<String>,
    /// When it may be changed.
    when: &'static str,
}

pub fn run(args: &SetArgs) -> Result<Exit, CliError> {
    let Some(key) = &args.key else {
        return print(args, &read(&args.folder.folder)?, None);
    };
    if args.value.is_none() && !args.default {
        return print(args, &read(&args.folder.folder)?, Some(key));
    }
    let (mut folder, mut event) = args.folder.open_event(&args.change)?;
    let old = event.settings.get(key);
    let before = event.clone();
    event.set(key, args.value.as_deref())?;
    keeps_valid(&before, &event)?;
    let word = |value: Option<String>| value.unwrap_or_else(|| "default".into());
    let what = format!(
        "Set {key} to {} (was {})",
        word(event.settings.get(key)),
        word(old)
    );
    let notes = Vec::from_iter(consequence(&event, key));
    commit_with_notes(&mut folder, &what, &event, &notes, &args.change)
}

/// What a setting means for rounds that are paired, or why it has no effect.
fn consequence(event: &Event, key: &str) -> Option<String> {
    // It may be meant for another setting that follows.
    if let Some(why) = event.settings.idle(key) {
        return Some(format!("this setting has no effect in this event: {why}"));
    }
    if event.rounds.is_empty() {
        return None;
    }
    match named(key).ok()?.when {
        When::Counting => {
            Some("applies to the standings of all rounds; existing pairings stay".into())
        }
        When::Next => Some("applies from the next pairing on; existing pairings stay".into()),
        _ => None,
    }
}

fn print(args: &SetArgs, event: &Event, key: Option<&String>) -> Result<Exit, CliError> {
    let mut all = Vec::new();
    match key {
        None => all.extend(SETTINGS.map(|setting| (setting.name, setting.when))),
        Some(key) => match named(key) {
            Ok(setting) => all.push((key.as_str(), setting.when)),
            Err(unknown) => return Err(unknown.into()),
        },
    }
    let mut out = ui::stdout();
    let mut grid = Grid::new("", &["setting", "value", "can be changed"]);
    for (name, when) in all {
        let value = event.settings.get(name);
        if args.change.write.json {
            ui::json(
                &mut out,
                &Setting {
                    name,
                    value,
                    when: when.words(),
                },
            )?;
        } else {
            let value = value.unwrap_or_else(|| "(default)".into());
            grid.push(cells![name, value, when.words()]);
        }
    }
    if !args.change.write.json {
        grid.write(&mut out, Form::Text, false)?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}
