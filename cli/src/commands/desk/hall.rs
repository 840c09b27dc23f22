//! The desk on screens: the page of the game, which goes on as it is played.

use super::{DeskArgs, TICK, close, office::Office, painter::Painter, shell};
use crate::{
    commands::view::{opened::open_address, record_name},
    exit::{CliError, Exit, PartError},
    interrupt, ui,
};
use overboard_desk::{
    attendant::{Answer, Hear},
    hall::{Asked, Guest, Hall, Key, KeyError},
    keeper::Keeper,
    lines::{self, FromDesk, ToDesk},
};
use overboard_engines::{batch::Wish, external::lines::FaultCode};
use overboard_formats::foreign::visible;
use std::{
    io::{self, Write as _},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
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
    /// There are more games than ports from the one named.
    #[error(
        "--listen {0}: each game has a port of its own, and there are not enough from this one on"
    )]
    Ports(SocketAddr),
    /// An address that stands for all of this computer's.
    #[error("--listen {0}: name one address of this computer, so that links can be given")]
    Everywhere(SocketAddr),
}

impl PartError for HallError {}

/// What is heard at the desk.
enum Heard {
    Asked(Asked),
    Answer(Answer),
}

/// Keeps the record of a game that people play on their screens, until Ctrl-C.
pub fn run(keeper: Keeper, args: &DeskArgs) -> Result<Exit, CliError> {
    interrupt::listen();
    let table = Table::open(keeper, args, args.listen, None)?;
    greet(&table, args)?;
    table.attend()
}

/// A game that people play on their screens.
pub struct Table {
    keeper: Keeper,
    hall: Arc<Hall>,
    painter: Painter,
    heard: Receiver<Heard>,
    /// Where its result is entered.
    office: Option<Arc<Office>>,
}

impl Table {
    /// Opens a hall for a game, and lets its programs sit down.
    pub fn open(
        mut keeper: Keeper,
        args: &DeskArgs,
        listen: Option<SocketAddr>,
        office: Option<Arc<Office>>,
    ) -> Result<Self, CliError> {
        let (to, heard) = channel();
        let hall = Arc::new(open(&keeper, listen, &to)?);
        let hearer = || -> Hear {
            let to = to.clone();
            Box::new(move |answer| {
                let _ = to.send(Heard::Answer(answer));
            })
        };
        super::seat(&mut keeper, args, hearer)?;
        let painter = Painter::of(&hall, record_name(keeper.path()), office.is_some());
        painter.show(&keeper);
        Ok(Self {
            keeper,
            hall,
            painter,
            heard,
            office,
        })
    }

    /// The links that are handed out, the arbiter's first.
    pub fn links(&self) -> Vec<(String, String)> {
        let mut all = vec![("Arbiter".into(), self.hall.link(&Guest::Arbiter))];
        all.extend(links(&self.keeper, &self.hall));
        all
    }

    /// Does what is asked, until Ctrl-C.
    pub fn attend(mut self) -> Result<Exit, CliError> {
        let begun = Instant::now();
        while interrupt::wish() == Wish::GoOn {
            let happened = self.heard.recv_timeout(TICK);
            let mut has_changed = tick(&mut self.keeper, begun);
            match happened {
                Ok(Heard::Asked(asked)) => has_changed |= self.answer(asked),
                Ok(Heard::Answer(answer)) => {
                    has_changed |= lines::answered(&mut self.keeper, answer).is_some();
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if has_changed {
                self.painter.show(&self.keeper);
            }
        }
        close(self.keeper)
    }

    /// Answers what is asked; whether something may have changed.
    fn answer(&mut self, asked: Asked) -> bool {
        let is_act = asked.is_act();
        let answer = match (&asked.sent.message, &self.office) {
            (ToDesk::Enter, Some(office)) if asked.guest == Guest::Arbiter => {
                office.answer(&mut self.keeper)
            }
            _ => lines::answer(&mut self.keeper, asked.sent.clone()),
        };
        if let FromDesk::Error(fault) = &answer
            && is_act
            && fault.report.code == FaultCode::NotWritten
        {
            ui::warn(&fault.report.words);
        }
        asked.answer(answer);
        is_act
    }
}

/// Opens the hall where it was the last time, if that place is free.
fn open(
    keeper: &Keeper,
    listen: Option<SocketAddr>,
    to: &Sender<Heard>,
) -> Result<Hall, HallError> {
    let mut key = Key::beside(keeper.path())?;
    let here = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), key.port());
    let address = listen.unwrap_or(here);
    if address.ip().is_unspecified() {
        return Err(HallError::Everywhere(address));
    }
    let at = |address| {
        let to = to.clone();
        Hall::open(address, shell::page(), key.clone(), move |asked| {
            let _ = to.send(Heard::Asked(asked));
        })
    };
    let is_free_to_move = listen.is_none() && key.port() != 0;
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
fn greet(table: &Table, args: &DeskArgs) -> Result<(), CliError> {
    let links = table.links();
    let mut out = ui::stdout();
    for (who, link) in &links {
        writeln!(out, "{who}: {link}")?;
    }
    writeln!(
        out,
        "Ctrl-C ends the desk; the record is whole at every moment."
    )?;
    out.flush()?;
    warn_if_open(args);
    match links.first() {
        Some((_, link)) if args.open => Ok(open_address(link)?),
        _ => Ok(()),
    }
}

/// Says what it means to be at an address that others can reach.
pub fn warn_if_open(args: &DeskArgs) {
    let is_open = args
        .listen
        .is_some_and(|address| !address.ip().is_loopback());
    if is_open {
        ui::warn(
            "nothing is encrypted: anyone who can read this network can read the links, and act with them",
        );
    }
}

/// The links that the arbiter hands out: for everybody whom the record names, and for those who look on.
pub fn links(keeper: &Keeper, hall: &Hall) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for guest in keeper.players() {
        if let Guest::Player { name, side } = &guest {
            let who = format!("{} ({side})", visible(name));
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
