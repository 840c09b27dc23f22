//! `event set`, `event amend` and `event remove`.

use super::tell_with_notes;
use crate::{
    args::{AmendArgs, RemoveArgs, SetArgs},
    commands::event::tell,
    exit::{Exit, Failure},
    ui,
};
use overboard_events::{
    Event,
    change::{Amendment, SETTINGS, When, when},
    store::{Folder, read},
};
use overboard_pictures::foreign::visible;
use serde::Serialize;
use std::io::Write;

#[derive(Serialize)]
struct Setting<'a> {
    name: &'a str,
    value: Option<String>,
    when: &'static str,
}

pub fn set(args: &SetArgs) -> Result<Exit, Failure> {
    let Some(key) = &args.key else { return print(args, &read(&args.folder.folder)?, None) };
    if args.value.is_none() && !args.default {
        return print(args, &read(&args.folder.folder)?, Some(key));
    }
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event()?;
    let old = event.settings.get(key);
    event.set(key, args.value.as_deref()).map_err(Failure::Event)?;
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
    tell_with_notes(&what, &changed, &notes, &args.write)
}

fn print(args: &SetArgs, event: &Event, key: Option<&String>) -> Result<Exit, Failure> {
    let mut all: Vec<(String, When)> = match key {
        None => SETTINGS.iter().map(|(name, when)| ((*name).to_owned(), *when)).collect(),
        Some(key) => {
            let when = when(key).ok_or_else(|| Failure::Event(format!("there is no setting `{key}`")))?;
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

pub fn amend(args: &AmendArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event()?;
    let who = event.find(&args.who).map_err(Failure::Event)?;
    let to = Amendment {
        name: args.name.clone(),
        short: args.short.clone(),
        group: args.group.clone(),
        captain: args.captain.clone(),
        rating: args.rating,
        title: args.title.clone(),
        federation: args.federation.clone(),
        fide_id: args.fide_id.clone(),
        birth: args.birth.clone(),
        sex: args.sex.clone(),
        role: args.role.as_deref().and_then(|role| role.parse().ok()),
        pieces: args.pieces.clone(),
        board: args.board,
    };
    let name = event.name(who);
    event.amend(who, args.player.as_deref(), &to).map_err(Failure::Event)?;
    let what = match &args.player {
        Some(player) => format!("{player} of {name} amended"),
        None => format!("{name} amended"),
    };
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    tell(&what, &changed, &args.write)
}

pub fn remove(args: &RemoveArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event()?;
    let who = event.find(&args.who).map_err(Failure::Event)?;
    let name = event.name(who);
    let what = match &args.player {
        Some(player) => {
            let player = event.remove_player(who, player).map_err(Failure::Event)?;
            format!("{player} of {name} removed")
        }
        None => {
            event.remove(who).map_err(Failure::Event)?;
            format!("{name}, number {who}, removed")
        }
    };
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    tell(&what, &changed, &args.write)
}
