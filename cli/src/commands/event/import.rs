//! `event import` and `event export`: rosters from tables, events from and to Tournament Report Files.

use super::tell;
use crate::{
    args::{ExportArgs, ImportArgs, PackArgs, TrfName, UnpackArgs},
    exit::{Exit, Failure},
    ui,
};
use overboard_events::{
    Event,
    csv::Fault,
    names, pack, roster,
    store::{Folder, StoreError, read, read_bytes},
    table::Table,
    trf::{self, Edition, Trf},
    whole,
};
use std::{io::Write, path::Path};

pub fn run(args: &ImportArgs) -> Result<Exit, Failure> {
    match &args.trf {
        Some(path) => import_trf(args, path),
        None => import_tables(args),
    }
}

fn faulty(fault: Fault) -> Failure {
    StoreError::Faults(vec![fault]).into()
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    read_bytes(path).map_err(|error| Failure::file(path, error))
}

fn import_trf(args: &ImportArgs, path: &Path) -> Result<Exit, Failure> {
    let name = path.display().to_string();
    let trf = Trf::read(&name, &bytes(path)?).map_err(faulty)?;
    if let Some(fault) = trf::carried::fault(&trf) {
        ui::warn(&format!(
            "{name}: comments that carry the event cannot be read, and are passed over: {fault}"
        ));
    }
    let event = trf::event(&trf, &name).map_err(faulty)?;
    let what = format!(
        "import of {name}: {} participants, {} rounds",
        event.participants().len(),
        event.rounds.len()
    );
    if args.write.dry_run {
        let changed = event.write().into_keys().map(|file| overboard_events::store::Changed {
            file,
            before: None,
            after: None,
        });
        return tell(&what, &changed.collect::<Vec<_>>(), &args.write);
    }
    let changed = Folder::make(&args.folder.folder)?.commit(&what, &event, false)?;
    tell(&what, &changed, &args.write)
}

fn import_tables(args: &ImportArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event()?;
    let mut what = Vec::new();
    if let Some(path) = &args.teams {
        event.teams = roster::new_teams(&path.display().to_string(), &bytes(path)?).map_err(faulty)?;
        event.teams.sort_by_key(|team| team.number);
        what.push(format!("{} teams", event.teams.len()));
    }
    if let Some(path) = &args.players {
        event.players = roster::new_players(&path.display().to_string(), &bytes(path)?).map_err(faulty)?;
        event.players.sort_by_key(|player| player.id);
        what.push(format!("{} players", event.players.len()));
    }
    if let Some(path) = &args.table {
        let table = Table::read(&path.display().to_string(), &bytes(path)?).map_err(faulty)?;
        what.push(format!("a table of {} rounds", table.rounds.len()));
        event.table = Some(table);
    }
    running(&folder.event()?, &event).map_err(Failure::Event)?;
    let what = format!("import of {}", what.join(" and "));
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    let exit = tell(&what, &changed, &args.write)?;
    for fault in event.check().into_iter().chain(event.check_table().1) {
        ui::warn(&fault.to_string());
    }
    Ok(exit)
}

/// Rounds that are paired name teams and players by number: whoever has one there keeps it.
fn running(before: &Event, after: &Event) -> Result<(), String> {
    let paired = before.rounds.len();
    let numbers = |event: &Event| event.participants().iter().map(|one| one.number).collect::<Vec<_>>();
    let names =
        |event: &Event| event.participants().iter().map(|one| names::key(one.name)).collect::<Vec<_>>();
    if paired == 0 {
        return Ok(());
    }
    if numbers(before) != numbers(after) || names(before) != names(after) {
        return Err(format!(
            "{paired} rounds are paired, and they name those who take part by number: an import may not give the numbers \
             to others; `overboard event enter` takes late entries, `overboard event request` withdrawals"
        ));
    }
    let boards = before.rounds.iter().flat_map(|round| &round.matches).flat_map(|this| &this.boards);
    let seated = boards.flat_map(|board| [board.white, board.black]).flatten();
    let team = |event: &Event, id: u32| event.player(id).map(|player| player.team);
    let lost =
        seated.into_iter().find(|id| team(before, *id).is_some() && team(before, *id) != team(after, *id));
    match lost.and_then(|id| before.player(id)) {
        Some(player) => Err(format!(
            "{} (id {}) sits on a board of a round that is paired, and must keep id and team",
            player.name, player.id
        )),
        None => Ok(()),
    }
}

pub fn export(args: &ExportArgs) -> Result<Exit, Failure> {
    let event = read(&args.folder.folder)?;
    let edition = match args.trf {
        TrfName::Of2016 => Edition::Of2016,
        TrfName::Of2026 => Edition::Of2026,
    };
    let mut trf = Trf::from(&event);
    if !args.plain {
        trf.carried = event.write();
    }
    let text = trf.write(edition);
    put(args.out.as_deref(), &text)
}

pub fn pack(args: &PackArgs) -> Result<Exit, Failure> {
    put(args.out.as_deref(), &pack::pack(&args.folder.folder)?)
}

pub fn unpack(args: &UnpackArgs) -> Result<Exit, Failure> {
    let name = args.file.display().to_string();
    let text = String::from_utf8_lossy(&bytes(&args.file)?).into_owned();
    let event = pack::unpack(&name, &text, &args.folder.folder)?;
    let mut out = ui::stdout();
    writeln!(
        out,
        "{}: {} participants, {} rounds",
        overboard_pictures::foreign::visible(&event.settings.name),
        event.participants().len(),
        event.rounds.len()
    )?;
    out.flush()?;
    Ok(Exit::Clean)
}

/// Writes a text to a file, whole or not at all, or to standard output.
pub fn put(out: Option<&Path>, text: &str) -> Result<Exit, Failure> {
    match out {
        Some(path) => {
            whole::replace(path, |file| file.write_all(text.as_bytes()))
                .map_err(|error| Failure::file(path, error))?;
        }
        None => {
            let mut out = ui::stdout();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(Exit::Clean)
}
