//! The desk on screens: the page of the game, which goes on as it is played.

use super::{DeskArgs, TICK, close, shell};
use crate::{
    commands::view::{
        Empty, follow_text,
        page::{Name, Parts},
        record_name,
        tape::drawings,
    },
    exit::{CliError, Exit},
    interrupt, page, ui,
};
use overboard_desk::{
    attendant::{Answer, Hear},
    hall::{Asked, Eyes, Guest, Hall, Key, KeyError, Now, Shown},
    keeper::Keeper,
    lines::{self, FromDesk},
};
use overboard_engines::batch::Wish;
use overboard_formats::limits::Limits;
use overboard_referee::Options;
use serde_json::{Map, Value, json};
use std::{
    io::{self, Write as _},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Instant,
};

/// Why nobody can come to the desk.
#[derive(Debug, thiserror::Error)]
pub enum HallError {
    /// There are no links.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The address is not one of this computer, or in use.
    #[error("this desk cannot be at {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// No browser was found.
    #[error("the page cannot be opened in a browser: {0}")]
    Unopened(io::Error),
    /// An address that stands for all of this computer's.
    #[error("--listen {0}: name one address of this computer, so that links can be given")]
    Everywhere(SocketAddr),
}

/// What is heard at the desk.
enum Heard {
    Asked(Asked),
    Answer(Answer),
}

/// Keeps the record of a game that people play on their screens, until Ctrl-C.
pub fn run(mut keeper: Keeper, args: &DeskArgs) -> Result<Exit, CliError> {
    interrupt::listen();
    let (to, heard) = channel();
    let hall = Arc::new(open(&keeper, args, &to)?);
    let hearer = || -> Hear {
        let to = to.clone();
        Box::new(move |answer| {
            let _ = to.send(Heard::Answer(answer));
        })
    };
    super::seat(&mut keeper, args, hearer)?;
    let painter = Painter::of(Arc::clone(&hall), record_name(&args.file));
    painter.show(&keeper, &hall);
    greet(&keeper, &hall, args)?;
    let begun = Instant::now();
    while interrupt::wish() == Wish::GoOn {
        let happened = heard.recv_timeout(TICK);
        let mut has_changed = tick(&mut keeper, begun);
        match happened {
            Ok(Heard::Asked(asked)) => has_changed |= answer(&mut keeper, asked),
            Ok(Heard::Answer(answer)) => {
                has_changed |= lines::answered(&mut keeper, answer).is_some();
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if has_changed {
            painter.show(&keeper, &hall);
        }
    }
    close(keeper)
}

/// Opens the hall where it was the last time, if that place is free.
fn open(keeper: &Keeper, args: &DeskArgs, to: &Sender<Heard>) -> Result<Hall, HallError> {
    let mut key = Key::beside(keeper.path())?;
    let here = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), key.port());
    let address = args.listen.unwrap_or(here);
    if address.ip().is_unspecified() {
        return Err(HallError::Everywhere(address));
    }
    let at = |address| {
        let to = to.clone();
        Hall::open(address, shell::page(), key.clone(), move |asked| {
            let _ = to.send(Heard::Asked(asked));
        })
    };
    let is_free_to_move = args.listen.is_none() && key.port() != 0;
    let opened = match at(address) {
        Err(error) if is_free_to_move && error.kind() == io::ErrorKind::AddrInUse => {
            at(SocketAddr::new(address.ip(), 0))
        }
        opened => opened,
    };
    let hall = opened.map_err(|error| HallError::Listen(address, error))?;
    key.keep(hall.address().port())?;
    Ok(hall)
}

/// Says where the desk is, and opens the arbiter's page if that is wanted.
fn greet(keeper: &Keeper, hall: &Hall, args: &DeskArgs) -> Result<(), CliError> {
    let link = hall.link(&Guest::Arbiter);
    let mut out = ui::stdout();
    writeln!(out, "Arbiter: {link}")?;
    for (who, link) in links(keeper, hall) {
        writeln!(out, "{who}: {link}")?;
    }
    writeln!(
        out,
        "Ctrl-C ends the desk; the record is whole at every moment."
    )?;
    out.flush()?;
    if !hall.address().ip().is_loopback() {
        ui::warn(
            "nothing is encrypted: anyone who can read this network can read the links, and act with them",
        );
    }
    if args.open {
        super::super::view::opened::open_address(&link).map_err(HallError::Unopened)?;
    }
    Ok(())
}

/// The links that the arbiter hands out: for everybody whom the record names, and for those who look on.
fn links(keeper: &Keeper, hall: &Hall) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for guest in keeper.players() {
        if let Guest::Player { name, side } = &guest {
            let who = format!("{} ({side})", overboard_formats::foreign::visible(name));
            all.push((who, hall.link(&guest)));
        }
    }
    all.push(("Spectators".into(), hall.link(&Guest::Spectator)));
    all
}

/// Lets time pass; whether it has brought something about.
fn tick(keeper: &mut Keeper, begun: Instant) -> bool {
    match keeper.pass_to(begun.elapsed()) {
        Ok(notices) => !notices.is_empty(),
        Err(error) => {
            ui::warn(&error.to_string());
            false
        }
    }
}

/// Answers what is asked; whether something may have changed.
fn answer(keeper: &mut Keeper, asked: Asked) -> bool {
    let is_act = asked.is_act();
    let answer = lines::answer(keeper, asked.sent.clone());
    if let FromDesk::Error(fault) = &answer
        && is_act
        && fault.report.code == overboard_engines::external::lines::FaultCode::NotWritten
    {
        ui::warn(&fault.report.words);
    }
    asked.answer(answer);
    is_act
}

/// A state of the game that is to be shown.
struct Seen {
    eyes: Eyes,
    text: String,
    more: Map<String, Value>,
}

/// Makes what screens show, beside the one who keeps the record, who does not wait for it.
struct Painter(Sender<Vec<Seen>>);

impl Painter {
    fn of(hall: Arc<Hall>, file: String) -> Self {
        let (to, seen) = channel();
        thread::spawn(move || paint(&seen, &hall, &file));
        Self(to)
    }

    /// Has the state of a record shown.
    fn show(&self, keeper: &Keeper, hall: &Hall) {
        hall.admit(keeper.players());
        let whole = keeper.text();
        let all = Eyes::ALL.map(|eyes| {
            let mut more = Map::new();
            more.insert("now".into(), json!(Now::of(keeper, eyes)));
            if eyes == Eyes::Arbiter {
                more.insert("links".into(), json!(links(keeper, hall)));
            }
            Seen {
                eyes,
                text: keeper.seen(&whole, eyes),
                more,
            }
        });
        let _ = self.0.send(all.into());
    }
}

/// Paints the newest state each time; those that have passed meanwhile are left out.
fn paint(states: &Receiver<Vec<Seen>>, hall: &Hall, file: &str) {
    while let Ok(first) = states.recv() {
        let newest = states.try_iter().last().unwrap_or(first);
        // Most of the time everybody sees the same.
        let mut last: Option<(String, Map<String, Value>)> = None;
        for Seen { eyes, text, more } in newest {
            let parts = match last.take().filter(|(known, _)| *known == text) {
                Some((_, parts)) => parts,
                None => match parts(&text, file) {
                    Ok(parts) => parts,
                    Err(error) => {
                        ui::warn(&error.to_string());
                        continue;
                    }
                },
            };
            let mut shown = parts.clone();
            shown.extend(more);
            hall.show(eyes, Shown(shown));
            last = Some((text, parts));
        }
    }
}

/// What the page shows of a record: the same as `view` does.
fn parts(text: &str, file: &str) -> io::Result<Map<String, Value>> {
    let options = Options {
        count_notes: true,
        no_excerpts: true,
        limits: Limits {
            so_far: true,
            ..Limits::default()
        },
        ..Options::default()
    };
    let followed = follow_text(text, &options, Empty::default())?;
    let name = Name {
        address: "g1",
        file,
    };
    let parts = Parts::of(followed, name, "");
    let (defs, shapes) = drawings(parts.film);
    let mut all = parts.tape;
    let goes_on = text.trim_end().ends_with('*');
    if let (true, Some(Value::Array(steps))) = (goes_on, all.get_mut("steps")) {
        // The end of a game that goes on is no step: its last ply is the last one.
        steps.pop();
    }
    for (name, part) in [
        ("title", json!(parts.title.shown())),
        ("head", json!(page::text(parts.head))),
        ("facts", json!(page::text(parts.facts))),
        ("moves", json!(page::text(parts.moves))),
        ("legend", json!(page::text(parts.legend))),
        ("defs", json!(defs)),
        ("shapes", shapes),
        ("record", json!(text)),
    ] {
        all.insert(name.into(), part);
    }
    Ok(all)
}
