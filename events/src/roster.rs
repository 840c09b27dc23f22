//! Teams, players and requests of an event: `teams.csv`, `players.csv`, `requests.csv`.
//!
//! Columns may be in any order, and be separated by commas or semicolons:
//!
//! ```
//! use overboard_events::roster;
//!
//! let teams = roster::teams("teams.csv", b"name;number\nLeeds;1\nYork;2\n").unwrap();
//! assert_eq!((teams.len(), teams[1].number.to_string()), (2, "2".into()));
//!
//! let error = roster::teams("teams.csv", b"number,name\n1,Leeds\n1st,York\n").unwrap_err();
//! assert!(error.to_string().starts_with("teams.csv:3"), "{error}");
//! ```

use crate::{
    csv::{At, CsvError, CsvRow, Sheet, write},
    names::{self, NameError},
    rounds::ByeKind,
};
use overboard_formats::foreign::{Foreign, visible};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    tournament::ByScore,
};
use std::{fmt, str::FromStr};

pub mod foreign;
mod seats;

/// The file of teams.
pub const TEAMS: &str = "teams.csv";
/// The file of players.
pub const PLAYERS: &str = "players.csv";
/// The file of requests.
pub const REQUESTS: &str = "requests.csv";

/// Columns of the table of teams, in the order in which they are written.
pub const TEAM_COLUMNS: [&str; 6] = ["number", "name", "short", "group", "captain", "strength"];
/// Columns of the table of players, in the order in which they are written.
pub const PLAYER_COLUMNS: [&str; 12] = [
    "id",
    "team",
    "board",
    "name",
    "role",
    "rating",
    "title",
    "federation",
    "fide_id",
    "birth",
    "sex",
    "pieces",
];
/// Columns of the table of requests, in the order in which they are written.
pub const REQUEST_COLUMNS: [&str; 6] = [
    "round",
    "kind",
    "who",
    "other",
    "match_points",
    "game_points",
];

/// A team.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Team {
    /// Pairing number.
    pub number: TeamNo,
    /// Name.
    pub name: Foreign,
    /// A short name.
    pub short: Foreign,
    /// Club, country or another group.
    pub group: Foreign,
    /// The captain.
    pub captain: Foreign,
    /// Strength, such as the mean rating.
    pub strength: Option<u32>,
    /// Its place in its file.
    pub at: At,
}

/// The word of each value in files, and how a text is compared with it.
macro_rules! words {
    ($name:ident, $is_word:expr; $($value:ident $word:literal),+) => {
        impl $name {
            /// The word in files.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $word,)+ }
            }
        }

        impl FromStr for $name {
            type Err = ();

            fn from_str(text: &str) -> Result<Self, ()> {
                $(if $is_word(text, $word) { return Ok(Self::$value); })+
                Err(())
            }
        }
    };
}
pub(crate) use words;

/// What a player does in a team.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Role {
    /// Plays at a board.
    #[default]
    Player,
    /// Plays if another player does not.
    Reserve,
    /// Commands the over-game of Overchess.
    Commander,
    /// Plays sub-games of Overchess.
    Lieutenant,
}

words! {
    Role, str::eq_ignore_ascii_case;
    Player "player", Reserve "reserve", Commander "commander", Lieutenant "lieutenant"
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Player {
    /// Number, from 1; for single players it is also the pairing number.
    pub id: u32,
    /// The number of the team.
    pub team: Option<TeamNo>,
    /// Place in the team, from 1.
    pub board: u32,
    /// Name.
    pub name: Foreign,
    /// What the player does.
    pub role: Role,
    /// Rating.
    pub rating: Option<u32>,
    /// FIDE title.
    pub title: Foreign,
    /// Federation: three letters.
    pub federation: Foreign,
    /// FIDE identity number.
    pub fide_id: Foreign,
    /// Date of birth.
    pub birth: Foreign,
    /// `m` or `w`.
    pub sex: Foreign,
    /// Over-pieces of Overchess that the player leads: squares and kinds, separated by spaces.
    pub pieces: Foreign,
    /// The player's place in the file.
    pub at: At,
}

/// Requests and decisions apart from games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequestKind {
    /// A bye worth a draw.
    HalfBye,
    /// A bye worth nothing.
    ZeroBye,
    /// A bye worth a win.
    FullBye,
    /// Withdraws: not present from this round on.
    Withdraw,
    /// Enters late: present from this round on.
    Late,
    /// May not be paired with another participant, from this round on.
    Forbid,
    /// Points added, or deducted if negative.
    Penalty,
    /// The arbiter has set a pair of this round, or the bye if there is no other participant.
    Set,
}

impl RequestKind {
    /// Whether it is a bye of one round.
    #[must_use]
    pub const fn is_bye(self) -> bool {
        self.bye().is_some()
    }

    /// The bye of one round that it asks for, if it does.
    #[must_use]
    pub const fn bye(self) -> Option<ByeKind> {
        match self {
            Self::HalfBye => Some(ByeKind::Half),
            Self::ZeroBye => Some(ByeKind::Zero),
            Self::FullBye => Some(ByeKind::Full),
            _ => None,
        }
    }

    /// The noun for it, in a sentence.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Withdraw => "withdrawal",
            Self::Late => "late entry",
            Self::Forbid => "forbidden pair",
            Self::Set => "pair set by hand",
            Self::HalfBye | Self::ZeroBye | Self::FullBye | Self::Penalty => self.as_str(),
        }
    }
}

words! {
    RequestKind, str::eq_ignore_ascii_case;
    HalfBye "half-bye", ZeroBye "zero-bye", FullBye "full-bye", Withdraw "withdraw",
    Late "late", Forbid "forbid", Penalty "penalty", Set "set"
}

/// A request or decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The round, or the first round.
    pub round: RoundNo,
    /// Its kind.
    pub kind: RequestKind,
    /// The participant's number.
    pub who: TeamNo,
    /// The other participant of a pair.
    pub other: Option<TeamNo>,
    /// The points of a penalty.
    pub points: ByScore<Points>,
    /// Its place in its file.
    pub at: At,
}

impl Request {
    /// A request about one participant without points, which is in no file yet.
    #[must_use]
    pub fn new(round: RoundNo, kind: RequestKind, who: TeamNo) -> Self {
        Self {
            round,
            kind,
            who,
            other: None,
            points: ByScore::ZERO,
            at: At::default(),
        }
    }

    /// Whether the arbiter has set the bye of this participant by it.
    pub(crate) fn is_bye_set(&self, round: RoundNo, who: TeamNo) -> bool {
        let is_bye = self.kind == RequestKind::Set && self.other.is_none();
        is_bye && self.round == round && self.who == who
    }
}

const NUMBER: &str = "a number from 1 to 9999";

const ID: &str = "a number from 1 to 99999999";

/// A number from 1 to the largest that there may be.
struct UpTo<const MOST: u32>(u32);

/// TRF has four digits for it.
type Natural = UpTo<9999>;
/// The id of a player of a team: some files have those of a federation.
type Id = UpTo<99_999_999>;

impl<const MOST: u32> FromStr for UpTo<MOST> {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = text.parse().ok();
        let number = number.filter(|number| (1..=MOST).contains(number));
        number.map(Self).ok_or(())
    }
}

fn number(row: &CsvRow, place: usize) -> Result<Option<u32>, CsvError> {
    Ok(row.value::<Natural>(place, NUMBER)?.map(|number| number.0))
}

fn needed(row: &CsvRow, place: usize) -> Result<u32, CsvError> {
    Ok(row.needed::<Natural>(place, NUMBER)?.0)
}

fn team_number(row: &CsvRow, place: usize) -> Result<Option<TeamNo>, CsvError> {
    Ok(number(row, place)?.map(TeamNo::new))
}

/// A text is no group of a single player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a number or a letter such as A as the group of a player, found `{}`", visible(.0))]
pub struct WrongGroup(pub String);

/// The group of a single player in a Scheveningen event: a number, or a letter that stands for one; `None` if the text
/// is empty.
///
/// # Errors
/// What was expected.
pub fn group_of_player(text: &str) -> Result<Option<TeamNo>, WrongGroup> {
    let text = text.trim();
    let letter = match text.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => {
            Some(u32::from(letter.to_ascii_uppercase() - b'A') + 1)
        }
        _ => None,
    };
    let group = match text.parse() {
        Ok(number @ 1..=9999) => Some(number),
        _ => letter,
    };
    match group {
        None if !text.is_empty() => Err(WrongGroup(text.to_owned())),
        group => Ok(group.map(TeamNo::new)),
    }
}

/// Whether this is the code of a federation, three letters, or empty.
#[must_use]
pub fn is_federation(text: &str) -> bool {
    text.is_empty() || text.len() == 3 && text.bytes().all(|letter| letter.is_ascii_alphabetic())
}

/// The code of a federation as it is kept; empty for none.
///
/// # Errors
/// What was expected.
pub(crate) fn federation(text: &str) -> Result<String, String> {
    if is_federation(text) {
        return Ok(text.to_uppercase());
    }
    Err(format!(
        "`{}` is not a federation; expected three letters such as GER",
        visible(text)
    ))
}

/// Reads `teams.csv`.
///
/// # Errors
/// The first error, with its place.
pub fn teams(file: &str, bytes: &[u8]) -> Result<Vec<Team>, CsvError> {
    let sheet = Sheet::read(file, bytes, &TEAM_COLUMNS)?;
    let teams: Vec<Team> = sheet.rows.iter().map(team).collect::<Result<_, _>>()?;
    let numbers = teams.iter().map(|team| (team.number, &team.at));
    unique(numbers, "team number")?;
    Ok(teams)
}

fn team(row: &CsvRow) -> Result<Team, CsvError> {
    Ok(Team {
        number: TeamNo::new(needed(row, 0)?),
        name: named(row, 1)?,
        short: row.text(2).into(),
        group: row.text(3).into(),
        captain: row.text(4).into(),
        strength: number(row, 5)?,
        at: row.at().clone(),
    })
}

/// A name as written. A name that commands refuse now was once accepted, so it is read, and only `event check` notes
/// it.
fn named(row: &CsvRow, place: usize) -> Result<Foreign, CsvError> {
    match names::name(row.text(place)) {
        Err(NameError::Unseen | NameError::Control) => Ok(row.text(place).into()),
        Err(none) => Err(row.fault(place, none.to_string())),
        Ok(name) => Ok(name.into()),
    }
}

fn unique<'a>(
    numbers: impl Iterator<Item = (impl Ord + fmt::Display + Copy, &'a At)>,
    what: &str,
) -> Result<(), CsvError> {
    let mut seen = std::collections::BTreeMap::new();
    for (number, at) in numbers {
        if let Some(first) = seen.insert(number, at) {
            return Err(at.fault(format!(
                "the {what} {number} occurs twice, first in line {}",
                first.line
            )));
        }
    }
    Ok(())
}

/// Reads `players.csv`.
///
/// # Errors
/// The first error, with its place.
pub fn players(file: &str, bytes: &[u8]) -> Result<Vec<Player>, CsvError> {
    let sheet = Sheet::read(file, bytes, &PLAYER_COLUMNS)?;
    let mut players: Vec<Player> = sheet.rows.iter().map(player).collect::<Result<_, _>>()?;
    let ids = players.iter().map(|player| (player.id, &player.at));
    unique(ids, "player's id")?;
    seat(&mut players);
    Ok(players)
}

fn player(row: &CsvRow) -> Result<Player, CsvError> {
    let role = "player, reserve, commander or lieutenant";
    Ok(Player {
        id: row.needed::<Id>(0, ID)?.0,
        team: team_number(row, 1)?,
        board: number(row, 2)?.unwrap_or(0),
        name: named(row, 3)?,
        role: row.value(4, role)?.unwrap_or_default(),
        rating: number(row, 5)?,
        title: row.text(6).into(),
        federation: row.text(7).into(),
        fide_id: row.text(8).into(),
        birth: row.text(9).into(),
        sex: row.text(10).into(),
        pieces: row.text(11).into(),
        at: row.at().clone(),
    })
}

/// Gives players without a board the next one of their team.
fn seat(players: &mut [Player]) {
    let mut last = std::collections::BTreeMap::new();
    for player in players {
        let last = last.entry(player.team).or_insert(0);
        if player.board == 0 {
            player.board = *last + 1;
        }
        *last = player.board;
    }
}

/// Reads `requests.csv`.
///
/// # Errors
/// The first error, with its place.
pub fn requests(file: &str, bytes: &[u8]) -> Result<Vec<Request>, CsvError> {
    let sheet = Sheet::read(file, bytes, &REQUEST_COLUMNS)?;
    sheet.rows.iter().map(request).collect()
}

fn request(row: &CsvRow) -> Result<Request, CsvError> {
    let kind = row.needed(
        1,
        "half-bye, zero-bye, full-bye, withdraw, late, forbid, penalty or set",
    )?;
    let other = team_number(row, 3)?;
    if kind == RequestKind::Forbid && other.is_none() {
        return Err(row.fault(3, "expected the number of the other one, found nothing"));
    }
    let points = "points such as -1 or 0.5";
    Ok(Request {
        round: RoundNo::new(needed(row, 0)?),
        kind,
        who: TeamNo::new(needed(row, 2)?),
        other,
        points: ByScore {
            matches: row.value(4, points)?.unwrap_or_default(),
            games: row.value(5, points)?.unwrap_or_default(),
        },
        at: row.at().clone(),
    })
}

/// A value as it is written in a cell; empty if there is none.
pub(crate) fn text(value: Option<impl fmt::Display>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A person's text as it is written in a cell.
fn as_it_came(text: &Foreign) -> String {
    text.as_it_came().to_owned()
}

/// Writes `teams.csv`.
#[must_use]
pub fn write_teams(teams: &[Team]) -> String {
    let row = |team: &Team| {
        vec![
            team.number.to_string(),
            as_it_came(&team.name),
            as_it_came(&team.short),
            as_it_came(&team.group),
            as_it_came(&team.captain),
            text(team.strength),
        ]
    };
    write(&TEAM_COLUMNS, teams.iter().map(row))
}

/// Writes `players.csv`.
#[must_use]
pub fn write_players(players: &[Player]) -> String {
    let row = |player: &Player| {
        vec![
            player.id.to_string(),
            text(player.team),
            player.board.to_string(),
            as_it_came(&player.name),
            player.role.as_str().into(),
            text(player.rating),
            as_it_came(&player.title),
            as_it_came(&player.federation),
            as_it_came(&player.fide_id),
            as_it_came(&player.birth),
            as_it_came(&player.sex),
            as_it_came(&player.pieces),
        ]
    };
    write(&PLAYER_COLUMNS, players.iter().map(row))
}

/// Writes `requests.csv`.
#[must_use]
pub fn write_requests(requests: &[Request]) -> String {
    let points = |points: Points| {
        if points == Points::ZERO {
            String::new()
        } else {
            points.to_string()
        }
    };
    let row = |request: &Request| {
        vec![
            request.round.to_string(),
            request.kind.as_str().into(),
            request.who.to_string(),
            text(request.other),
            points(request.points.matches),
            points(request.points.games),
        ]
    };
    write(&REQUEST_COLUMNS, requests.iter().map(row))
}
