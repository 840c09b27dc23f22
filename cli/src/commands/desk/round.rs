//! A desk for each game of a round of an event.

use super::{
    DeskArgs,
    hall::{HallError, Table, warn_if_open},
    office::Office,
};
use crate::{
    commands::{pair::which, view::opened::open_address},
    exit::{CliError, Exit},
    interrupt,
    page::page,
    ui,
};
use maud::{Markup, html};
use overboard_desk::{clock::Setting, keeper::Keeper};
use overboard_events::{
    Event, atomic_files,
    card::{Head, heads},
    store::read,
};
use overboard_formats::foreign::visible;
use std::{
    fs,
    io::{self, Write as _},
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

/// The page of all links, in the folder of the records.
const LINKS: &str = "links.html";

/// Keeps the records of all games of a round, until Ctrl-C.
pub fn run(folder: &Path, args: &DeskArgs) -> Result<Exit, CliError> {
    interrupt::listen();
    let event = read(folder)?;
    let round = which(&event, args.round)?;
    let heads = heads(&event, round);
    if heads.is_empty() {
        return Err(CliError::Event(format!(
            "round {round} has no games to play"
        )));
    }
    fs::create_dir_all(&args.file).map_err(CliError::on(&args.file))?;
    let control = control(&event, args);
    let mut games = args.games.clone();
    let mut records = Vec::new();
    for head in heads {
        let title = players(&head);
        let path = begun(head, &args.file, control.as_deref())?;
        games.push(path.clone());
        records.push((path, title));
    }
    let office = Office::new(folder, round.get(), args.publish.clone(), games);
    let office = Arc::new(office);
    let mut tables = Vec::new();
    for (at, (record, title)) in (0..).zip(records) {
        let listen = args.listen.map(|first| nth(first, at)).transpose()?;
        let keeper = Keeper::open(&record, None, args.terms(), args.on_edit)?;
        let table = Table::open(keeper, args, listen, Some(Arc::clone(&office)))?;
        tables.push((format!("{}: {title}", shown(&record)), table));
    }
    greet(&tables, &event, round.to_string(), args)?;
    attend(tables.into_iter().map(|(_, table)| table))
}

/// The time control of new records: the one that was named, else the event's, if it is written as records have it.
fn control(event: &Event, args: &DeskArgs) -> Option<String> {
    let own = event.settings.time_control.as_it_came();
    let own = Some(own).filter(|text| Setting::read(text, 0).is_ok());
    args.time_control.as_deref().or(own).map(str::to_owned)
}

/// Who plays a game: two teams, or two players.
fn players(head: &Head) -> String {
    let tag = |name: &str| {
        let found = head.tags.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.shown().into_owned())
    };
    let side = |team, player| tag(team).or_else(|| tag(player)).unwrap_or_default();
    format!(
        "{} – {}",
        side("WhiteTeam", "White"),
        side("BlackTeam", "Black")
    )
}

/// The record of a game, which is begun if there is none.
fn begun(mut head: Head, folder: &Path, control: Option<&str>) -> Result<PathBuf, CliError> {
    let board = head
        .board
        .map_or(String::new(), |board| format!("-board-{board}"));
    let path = folder.join(format!("table-{}{board}.npgn", head.table));
    if path.exists() {
        return Ok(path);
    }
    if let Some(control) = control {
        head.tags.push(("TimeControl", control.into()));
    }
    let written = atomic_files::create(&path, |file| file.write_all(head.text().as_bytes()));
    written.map_err(CliError::on(&path))?;
    Ok(path)
}

/// The address of a game: each has a port of its own.
fn nth(first: SocketAddr, at: u16) -> Result<SocketAddr, HallError> {
    let port = match first.port() {
        0 => Some(0),
        port => port.checked_add(at),
    };
    let port = port.ok_or(HallError::Ports(first))?;
    Ok(SocketAddr::new(first.ip(), port))
}

fn shown(path: &Path) -> String {
    visible(&path.display().to_string()).into_owned()
}

/// Says where the games are played, and puts all links on a page to print or to click.
fn greet(
    tables: &[(String, Table)],
    event: &Event,
    round: String,
    args: &DeskArgs,
) -> Result<(), CliError> {
    let mut out = ui::stdout();
    for (title, table) in tables {
        writeln!(out, "{title}")?;
        for (who, link) in table.links() {
            writeln!(out, "  {who}: {link}")?;
        }
    }
    let path = args.file.join(LINKS);
    let title = event
        .settings
        .name
        .cut(|name| format!("{name}, round {round}"));
    let text = page(&title, &links(tables));
    write_links(&path, &text).map_err(CliError::on(&path))?;
    writeln!(
        out,
        "All links: {}\nCtrl-C ends the desks; each record is whole at every moment.",
        shown(&path)
    )?;
    out.flush()?;
    warn_if_open(args);
    if args.open {
        let path = path.canonicalize().map_err(CliError::on(&path))?;
        open_address(path)?;
    }
    Ok(())
}

fn write_links(path: &Path, text: &str) -> io::Result<()> {
    atomic_files::replace(path, |file| file.write_all(text.as_bytes()))?;
    atomic_files::for_its_owner(path)
}

/// The links of all games.
fn links(tables: &[(String, Table)]) -> Markup {
    html! {
        @for (title, table) in tables {
            h2 { (title) }
            table { tbody {
                @for (who, link) in table.links() { tr { td { (who) } td { a href=(link) { (link) } } } }
            } }
        }
    }
}

/// Attends to all games at once.
fn attend(tables: impl Iterator<Item = Table>) -> Result<Exit, CliError> {
    let ends = thread::scope(|scope| {
        let attended: Vec<_> = tables.map(|table| scope.spawn(|| table.attend())).collect();
        let ends = attended.into_iter().map(thread::ScopedJoinHandle::join);
        Vec::from_iter(ends)
    });
    let mut exit = Exit::Clean;
    for end in ends {
        match end {
            Ok(end) => exit = exit.max(end?),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
    Ok(exit)
}
