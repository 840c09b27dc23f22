//! Counting kings when time ends (SC-30): who has won a match on linked boards that was not played out.
//!
//! The order of the record is the order of play. A ply counts if it was completed at or before the expiry; if the
//! record does not say when, the kings are counted both without and with it.

mod account;
mod clocks;
mod kings;
mod notes;
mod timeline;

pub use account::{Account, Agreement, Count, position};
pub use clocks::{Time, report};
pub use kings::{King, Kings, Range};
pub use notes::Note;
pub use timeline::Named;

use crate::{
    referee::{AnyReferee, witness::Witness},
    strategichess::linked::{Edition, Linked},
};
use clocks::Clocks;
use overboard_formats::{
    command::{Command, base_and_increment, commands, duration},
    encoding::decode,
    header::Name,
    lex::Prose,
    parse::{Event, Parser},
    san::board_index,
};
use overboard_referee::{readings::Readings, report::Report};
use overboard_rules::square::Side;
use timeline::Timeline;

/// Counts the kings of games.
#[derive(Clone, Debug)]
pub struct Scorer {
    /// When time ends, in milliseconds since the start of the match.
    expiry: Option<u64>,
    line: Timeline,
    begun: bool,
    /// The number before the next ply, as written.
    number: String,
    /// The board and side of the next ply.
    next: (usize, Side),
    /// The state of kings and lost boards when they were last examined.
    seen: Vec<u32>,
}

impl Scorer {
    /// A scorer for a match that ends `expiry` milliseconds after its start; without it, at the end of the record.
    #[must_use]
    pub fn new(expiry: Option<u64>) -> Self {
        Self {
            expiry,
            line: Timeline::default(),
            begun: false,
            number: String::new(),
            next: (0, Side::White),
            seen: Vec::new(),
        }
    }

    /// The moves begin: takes the boards as they are set up.
    fn begin(&mut self, referee: &AnyReferee) {
        self.begun = true;
        self.next = (0, Side::White);
        self.number.clear();
        let boards = referee.linked().map(Readings::latest);
        let control = referee
            .tag(Name::TimeControl)
            .and_then(|text| base_and_increment(&text));
        let (kings, clocks) = match boards {
            Some(boards) => {
                let clocks = |board| Clocks::new(boards.fullmove(board) == 1);
                let each = (0..boards.boards()).map(clocks).collect();
                (Kings::of(boards), each)
            }
            None => {
                let clocks = Clocks::new(referee.tag(Name::Fen).is_none());
                (Kings::one_each(), vec![clocks])
            }
        };
        let kings = if referee.is_known() {
            kings
        } else {
            kings.in_doubt()
        };
        self.line.start(kings, clocks, control);
        self.seen.clear();
    }

    /// Examines what the last event has changed.
    fn look(&mut self, referee: &AnyReferee) {
        // The referee tests a single board for mate only at the end; here that is needed after every ply.
        let is_one_board = referee.linked().is_none() && counts_kings(referee);
        let mut ended = referee.ended();
        if ended.is_none()
            && is_one_board
            && let Some(position) = referee.position()
        {
            ended = position.end_by_itself();
        }
        if let Some(ruling) = ended {
            self.line.end(ruling);
        }
        if let Some(offender) = referee.offender() {
            self.line.offend(offender);
        }
        let readings = referee.linked();
        let now = signature(readings, referee.is_known());
        if now.clone().eq(self.seen.iter().copied()) {
            return;
        }
        self.seen.clear();
        self.seen.extend(now);
        let Some(kings) = self.line.kings() else {
            return;
        };
        let kings = match readings {
            Some(readings) => kings.after(readings),
            None if !referee.is_known() => kings.in_doubt(),
            None => return,
        };
        self.line.change(kings);
    }

    /// Reads a number: `12.`, `12...`, `12A.`, `12a.`.
    fn number(&mut self, text: &[u8]) {
        let mut letters = text.to_vec();
        letters.retain(u8::is_ascii_alphabetic);
        let dots = text.iter().filter(|byte| **byte == b'.').count();
        self.next = match board_index(&letters) {
            Some(board) if letters[0].is_ascii_uppercase() => (usize::from(board), Side::White),
            Some(board) => (usize::from(board), Side::Black),
            None if dots > 1 => (0, Side::Black),
            None => (0, Side::White),
        };
        self.number = decode(text).0.trim().to_string();
    }

    fn ply(&mut self, text: &[u8], referee: &AnyReferee) {
        let (board, side) = self.next;
        let boards = referee.linked().map(Readings::latest);
        let consumes = match boards {
            Some(boards) if boards.edition() == Edition::Of2025 => board_over(text),
            _ => None,
        };
        let is_idle =
            boards.is_some_and(|boards| board < boards.boards() && boards.has_fallen(board, side));
        let name = format!("{} {}", self.number, decode(text).0);
        self.line.ply(&name, self.next, consumes, is_idle);
        // A ply without a number is Black's reply.
        if boards.is_none() && side == Side::White {
            self.number = format!("{}...", self.number.trim_end_matches('.'));
            self.next = (board, Side::Black);
        }
    }

    fn command(&mut self, command: &Command<'_>) {
        let arguments = command.arguments;
        match command.name {
            b"penalty" => self.line.control = None,
            b"flag" | b"resign" | b"draw" | b"order" | b"claim" => {
                let name = decode(command.name).0;
                self.line
                    .incident(&format!("[%{name} {}]", decode(arguments).0));
            }
            name => {
                let (Some(written), time @ Some(_)) = (self.line.written(), duration(arguments))
                else {
                    return;
                };
                match name {
                    b"ts" => written.stamp = written.stamp.or(time),
                    b"clk" => written.clock = written.clock.or(time),
                    b"emt" => written.taken = written.taken.or(time),
                    _ => {}
                }
            }
        }
    }
}

/// The board to which a ply crosses, as it is written.
fn board_over(ply: &[u8]) -> Option<usize> {
    let mut parts = ply.split(|byte| matches!(byte, b'/' | b'+' | b'#'));
    Some(usize::from(board_index(parts.nth(1)?)?))
}

/// Whether the game is one in which kings are counted when time ends.
fn counts_kings(referee: &AnyReferee) -> bool {
    referee.game().is_some_and(|game| game.info().counts_kings)
}

/// Numbers that change whenever a king, or what is known of it, changes.
fn signature(
    readings: Option<&Readings<Linked>>,
    is_known: bool,
) -> impl Iterator<Item = u32> + Clone + use<'_> {
    let known = readings.filter(|readings| readings.is_any());
    let lost = known.map_or(u32::MAX, |readings| readings.lost().len() as u32);
    readings
        .into_iter()
        .flat_map(|readings| readings.iter().flat_map(Linked::kings))
        .chain([lost, u32::from(is_known)])
}

impl Witness for Scorer {
    type Account = Account;

    fn hear(&mut self, event: Event, referee: &AnyReferee, parser: &Parser<'_>) {
        if event == Event::Begin {
            self.begun = false;
            self.line.clear();
        }
        if !referee.has_begun() || !referee.in_main_line() {
            return;
        }
        if !self.begun {
            self.begin(referee);
        }
        self.look(referee);
        if !counts_kings(referee) || self.line.is_full() {
            return;
        }
        let text = parser.text(parser.place().span);
        match event {
            Event::Number => self.number(text),
            Event::Ply => self.ply(text, referee),
            Event::Prose(prose, _) if prose != Prose::Escape => {
                for command in commands(text) {
                    self.command(&command);
                }
            }
            Event::End => self.line.complete(),
            _ => {}
        }
    }

    fn account(&mut self, report: &Report, referee: &AnyReferee) -> Account {
        Account::of(&mut self.line, self.expiry, report, referee)
    }

    fn bytes(account: &Account) -> usize {
        account.bytes()
    }
}
