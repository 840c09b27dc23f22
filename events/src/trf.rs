//! FIDE's Tournament Report Files of 2016 and 2026: a format of fixed columns, which count from 1.
//!
//! ```
//! use overboard_events::trf::{Edition, Trf};
//!
//! // Number, name, points and rank of a player are in fixed columns.
//! let text = format!("012 The Cup\n001 {:>4} {:5}{:65} {:>4} {:>4}\n", 1, "", "Ann", "0.0", 1);
//! let report = Trf::read("cup.trf", text.as_bytes()).unwrap();
//! assert_eq!(report.header("012").unwrap().line(), "The Cup");
//! assert!(report.write(Edition::Of2026).starts_with("012 The Cup"));
//! ```

pub mod carried;
mod export;
mod import;
pub mod proof;
mod read;
mod room;
mod write;

pub use import::event;

use crate::{
    Files,
    csv::At,
    encoding::{self, Decoded},
};
use encoding_rs::Encoding;
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    tournament::ByScore,
};
use std::collections::BTreeMap;

/// Editions of the format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Edition {
    /// TRF16.
    #[cfg_attr(feature = "clap", value(name = "16"))]
    Of2016,
    /// TRF26, which includes all of TRF16.
    #[cfg_attr(feature = "clap", value(name = "26"))]
    Of2026,
}

/// A report.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trf {
    /// Records that are a text after their code, such as `012`, the name, and `192`, the system.
    pub headers: Vec<Header>,
    /// `132`: dates of the rounds, `YY/MM/DD`.
    pub dates: Vec<Foreign>,
    /// `162`: the points for symbols of single games.
    pub game_points: Vec<(char, Points)>,
    /// `362`: points for `TW`, `TD`, `TL`.
    pub match_points: Vec<(String, Points)>,
    /// `001`: the players.
    pub players: Vec<Player>,
    /// `310` or `013`: the teams.
    pub teams: Vec<Team>,
    /// `300`: line-ups.
    pub line_ups: Vec<LineUp>,
    /// `320`: pairing-allocated byes of teams.
    pub byes: Option<TeamByes>,
    /// `330`: forfeited matches.
    pub forfeits: Vec<Forfeit>,
    /// `240`: requested byes.
    pub requests: Vec<Request>,
    /// `250`: virtual points of accelerated rounds.
    pub accelerations: Vec<Acceleration>,
    /// `260`: participants that may not meet.
    pub forbidden: Vec<Forbidden>,
    /// `299`: points that do not follow from the results.
    pub extra: Vec<Extra>,
    /// `801` or `802`: totals of teams in cross tables.
    pub totals: Vec<TeamTotal>,
    /// Records that have no meaning here, kept unchanged.
    pub others: Vec<Foreign>,
    /// The files of an event of overboard, in comments.
    pub carried: Files,
}

/// A record of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Its code of three characters.
    pub code: String,
    /// The text after the code.
    pub text: Foreign,
    /// Its place; ignored when two are compared.
    pub at: Line,
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Player {
    /// Start number.
    pub number: u32,
    /// `m` or `w`.
    pub sex: Foreign,
    /// Title.
    pub title: Foreign,
    /// `Last, First`.
    pub name: Foreign,
    /// Rating.
    pub rating: Option<u32>,
    /// Three letters.
    pub federation: Foreign,
    /// Identity number.
    pub fide_id: Foreign,
    /// `YYYY/MM/DD`.
    pub birth: Foreign,
    /// Points, if the report says them.
    pub points: Option<Points>,
    /// Place.
    pub rank: Option<u32>,
    /// Rounds from the first.
    pub rounds: Vec<Game>,
    /// Its place; ignored when two are compared.
    pub at: Line,
}

/// A player's entry for a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Game {
    /// The opponent's start number.
    pub opponent: Option<u32>,
    /// Whether the player had White (`true`) or Black.
    pub white: Option<bool>,
    /// The symbol of the result; a space if there is none.
    pub result: Symbol,
}

/// The symbol of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol(pub char);

impl Default for Symbol {
    fn default() -> Self {
        Self(' ')
    }
}

/// A team.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Team {
    /// Pairing number; for record `013` the position in the file.
    pub number: TeamNo,
    /// Name.
    pub name: Foreign,
    /// Short name.
    pub short: Foreign,
    /// Strength.
    pub strength: Option<u32>,
    /// Match points and game points.
    pub points: ByScore<Option<Points>>,
    /// Place.
    pub rank: Option<u32>,
    /// Start numbers of the members, in the order of their boards.
    pub members: Vec<u32>,
    /// Its place; ignored when two are compared.
    pub at: Line,
}

/// A line-up that is not the default one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineUp {
    /// The round.
    pub round: RoundNo,
    /// The team.
    pub team: TeamNo,
    /// The opponents.
    pub opponent: TeamNo,
    /// Start numbers of the players by board; 0 for an empty board.
    pub players: Vec<u32>,
}

/// Pairing-allocated byes of teams.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TeamByes {
    /// Match points and game points of each bye.
    pub points: ByScore<Points>,
    /// The team that had the bye in each round, if any.
    pub teams: Vec<Option<TeamNo>>,
}

/// A forfeited match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit {
    /// `+-`, `-+` or `--`.
    pub kind: String,
    /// The round.
    pub round: RoundNo,
    /// The team with White.
    pub white: TeamNo,
    /// The team with Black.
    pub black: TeamNo,
}

/// Requested byes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// `F`, `H` or `Z`.
    pub kind: char,
    /// The round.
    pub round: RoundNo,
    /// The participants.
    pub who: Vec<TeamNo>,
}

/// Virtual points with which some participants are paired in some rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Acceleration {
    /// Match points and game points; for single players only the second.
    pub points: ByScore<Option<Points>>,
    /// First and last round.
    pub rounds: [RoundNo; 2],
    /// First and last number.
    pub who: [TeamNo; 2],
    /// Its place; ignored when two are compared.
    pub at: Line,
}

/// Participants that may not meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forbidden {
    /// First round.
    pub first: RoundNo,
    /// Last round.
    pub last: RoundNo,
    /// The participants.
    pub who: Vec<TeamNo>,
}

/// The totals of a team in a cross table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamTotal {
    /// The code of the record.
    pub code: String,
    /// The team.
    pub team: TeamNo,
    /// Match points and game points.
    pub points: ByScore<Points>,
    /// Its place; ignored when two are compared.
    pub at: Line,
}

/// Points that do not follow from the results. With the symbol of a result they replace what it is worth; with a space
/// they are added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extra {
    /// The symbol, or a space.
    pub kind: char,
    /// Match points and game points.
    pub points: ByScore<Option<Points>>,
    /// The round; `None` for all.
    pub round: Option<RoundNo>,
    /// The participants.
    pub who: Vec<TeamNo>,
}

impl Extra {
    /// Match points and game points. A player has one score, which is in the second field; older versions wrote it in
    /// the first.
    fn scores(&self, of_players: bool) -> ByScore<Points> {
        let points = self.points.map(Option::unwrap_or_default);
        if !of_players {
            return points;
        }
        match points.matches {
            Points::ZERO => ByScore::both(points.games),
            only => ByScore::both(only),
        }
    }
}

/// A place in a file. All places compare as equal, so that values can be compared whatever their places.
#[derive(Clone, Debug, Default)]
pub struct Line(pub At);

impl PartialEq for Line {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Line {}

impl Line {
    /// A column of it, from 1.
    fn column(&self, column: u64) -> At {
        At {
            column,
            ..self.0.clone()
        }
    }
}

impl Trf {
    /// The text of a report in the given encoding, or in the most likely one for its federation.
    #[must_use]
    pub fn decode(bytes: &[u8], given: Option<&'static Encoding>) -> Decoded {
        // Codes and federations are ASCII in all encodings but UTF-16, which is recognised without them.
        let lines = || bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        let of_event = lines()
            .find_map(|line| line.strip_prefix(b"032 "))
            .map(text);
        let of_players = || {
            let mut count: BTreeMap<String, usize> = BTreeMap::new();
            for line in lines() {
                if line.starts_with(b"001") && line.len() >= 56 {
                    *count.entry(text(&line[53..56])).or_default() += 1;
                }
            }
            let most = count.into_iter().max_by_key(|(_, times)| *times);
            most.map(|(federation, _)| federation)
        };
        let federation = match of_event {
            Some(federation) if encoding::is_known(&federation) => Some(federation),
            _ => of_players(),
        };
        encoding::read(bytes, given, federation.as_deref())
    }

    /// The text of the record with this code.
    #[must_use]
    pub fn header(&self, code: &str) -> Option<&Foreign> {
        let record = self.record(code)?;
        Some(&record.text)
    }

    /// The record with this code.
    fn record(&self, code: &str) -> Option<&Header> {
        self.headers.iter().find(|header| header.code == code)
    }

    /// The number of rounds, paired or scheduled.
    #[must_use]
    pub fn rounds(&self) -> usize {
        let stated = self
            .header("142")
            .or_else(|| self.header("XXR"))
            .and_then(|text| text.as_it_came().trim().parse().ok());
        stated.unwrap_or_else(|| self.longest())
    }

    /// The most rounds that a player's record has.
    fn longest(&self) -> usize {
        let rounds = self.players.iter().map(|player| player.rounds.len());
        rounds.max().unwrap_or(0)
    }
}

/// Codes of records that are a text.
const TEXTS: [&str; 22] = [
    "012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "142",
    "152", "172", "182", "192", "202", "212", "222", "352", "XXR",
];

/// Symbols for results of single games.
const RESULTS: &str = "10=+-WDLHFUZ ";
