//! Tables of teams and players as people have them: headings in other words and any order, teams by name, players with
//! their teams in one table or two.

use super::{
    Id, PLAYER_COLUMNS, Player, Role, TEAM_COLUMNS, Team, federation, group_of_player, seat,
    seats::unfolded,
};
use crate::{
    csv::{At, Cells, CsvError, CsvRow, Sheet, Synonyms},
    dates::is_birth,
    names,
    settings::Participants,
};
use overboard_formats::foreign::visible;
use overboard_schedules::ids::TeamNo;
use std::collections::BTreeMap;

/// The columns of a table of teams with other headings for them.
pub const TEAM_HEADINGS: Synonyms<'static> = &[
    (
        "number",
        &[
            "no",
            "nr",
            "#",
            "tpn",
            "id",
            "seed",
            "team number",
            "team no",
            "pairing number",
            "start no",
            "sno",
        ],
    ),
    ("name", &["team", "team name"]),
    ("short", &["short name", "nickname", "abbreviation"]),
    ("group", &["club", "country", "federation"]),
    ("captain", &["team captain"]),
    ("strength", &["average rating", "rating"]),
];

/// Columns of a table of players that are put together: a name in two parts.
const PARTS: [&str; 2] = ["last_name", "first_name"];

/// The columns of a table of players with other headings for them.
pub const PLAYER_HEADINGS: Synonyms<'static> = &[
    (
        "id",
        &[
            "no",
            "nr",
            "#",
            "number",
            "player id",
            "start no",
            "start number",
            "starting rank",
            "seed",
            "snr",
            "sno",
        ],
    ),
    (
        "team",
        &[
            "team name",
            "team number",
            "team no",
            "tpn",
            "club",
            "group",
        ],
    ),
    ("board", &["bo", "brd", "board number", "board no", "place"]),
    ("name", &["player", "player name", "full name"]),
    ("last_name", &["surname", "last", "family name"]),
    ("first_name", &["first", "forename", "given name"]),
    (
        "rating",
        &["elo", "rtg", "fide rating", "rating std", "irtg"],
    ),
    ("title", &["fide title", "ttl"]),
    ("federation", &["fed", "country", "nat"]),
    ("fide_id", &["fide no", "fide", "fide number", "fide code"]),
    (
        "birth",
        &[
            "birthday",
            "born",
            "birth date",
            "date of birth",
            "year of birth",
        ],
    ),
    ("sex", &["gender"]),
];

/// Teams from a table.
#[derive(Clone, Debug, Default)]
pub struct TeamTable {
    /// The teams, by number.
    pub teams: Vec<Team>,
    /// The columns that were not used.
    pub unused: Vec<CsvError>,
}

/// Players from a table.
#[derive(Clone, Debug, Default)]
pub struct PlayerTable {
    /// The players, by id.
    pub players: Vec<Player>,
    /// The teams, if the table names them and there were none.
    pub teams: Option<Vec<Team>>,
    /// The columns that were not used.
    pub unused: Vec<CsvError>,
    /// Dates of birth that are none.
    pub notes: Vec<CsvError>,
}

/// The value of a cell, or an empty one and a fault; faults are kept, so that all of them can be shown.
fn value<T: Default>(read: Result<T, CsvError>, faults: &mut Vec<CsvError>) -> T {
    read.unwrap_or_else(|fault| {
        faults.push(fault);
        T::default()
    })
}

/// A table without rows would remove all entries.
fn not_empty(file: &str, sheet: &Sheet) -> Result<(), Vec<CsvError>> {
    if sheet.rows.is_empty() {
        return Err(vec![At::file(file).fault("the table has no rows")]);
    }
    Ok(())
}

/// A number, for which spreadsheets also have `-` or `0` if there is none.
fn rating(row: &CsvRow, place: usize) -> Result<Option<u32>, CsvError> {
    let text = row.text(place);
    if ["", "-", "0", "unr", "unrated"].contains(&text.to_lowercase().as_str()) {
        return Ok(None);
    }
    super::number(row, place)
}

/// Reads a table of teams for an event.
///
/// # Errors
/// Everything that is wrong with it.
pub fn teams(file: &str, bytes: &[u8]) -> Result<TeamTable, Vec<CsvError>> {
    let cells = Cells::read(file, bytes, &TEAM_COLUMNS).map_err(|fault| vec![fault])?;
    let (sheet, unused) =
        Sheet::foreign(file, cells, &TEAM_COLUMNS, TEAM_HEADINGS).map_err(|fault| vec![fault])?;
    not_empty(file, &sheet)?;
    let mut faults = Vec::new();
    let mut teams = Vec::new();
    for (place, row) in sheet.rows.iter().enumerate() {
        let number = value(super::number(row, 0), &mut faults);
        let name = names::name(row.text(1)).map_err(|none| row.fault(1, none.to_string()));
        teams.push(Team {
            number: number.map_or_else(|| TeamNo::at(place), TeamNo::new),
            name: value(name, &mut faults).into(),
            short: row.text(2).into(),
            group: row.text(3).into(),
            captain: row.text(4).into(),
            strength: value(rating(row, 5), &mut faults),
            at: row.at().clone(),
        });
    }
    let numbers = teams.iter().map(|team| (team.number, &team.at));
    faults.extend(super::unique(numbers, "team number").err());
    if !faults.is_empty() {
        return Err(faults);
    }
    teams.sort_by_key(|team| team.number);
    Ok(TeamTable { teams, unused })
}

/// Reads a table of players for an event, with a row for each player or for each team. In an event of teams the column of the team holds its number or its name; if
/// there are no teams yet, those of the table become the teams, in the order in which they occur.
///
/// # Errors
/// Everything that is wrong with it.
pub fn players(
    file: &str,
    bytes: &[u8],
    participants: Participants,
    teams: &[Team],
) -> Result<PlayerTable, Vec<CsvError>> {
    let mut columns = PLAYER_COLUMNS.to_vec();
    columns.extend(PARTS);
    let cells = Cells::read(file, bytes, &columns).map_err(|fault| vec![fault])?;
    let (sheet, unused) = Sheet::foreign(file, unfolded(cells), &columns, PLAYER_HEADINGS)
        .map_err(|fault| vec![fault])?;
    not_empty(file, &sheet)?;
    let mut reader = PlayerReader {
        participants,
        known: teams.to_vec(),
        may_add: teams.is_empty(),
        faults: Vec::new(),
    };
    let mut players: Vec<Player> = sheet.rows.iter().map(|row| reader.player(row)).collect();
    let PlayerReader {
        known,
        may_add,
        mut faults,
        ..
    } = reader;
    number_the_rest(&mut players);
    let ids = players.iter().map(|player| (player.id, &player.at));
    faults.extend(super::unique(ids, "player's id").err());
    same_fide_ids(&players, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    let notes = odd_births(&players);
    seat(&mut players);
    players.sort_by_key(|player| player.id);
    let is_new = may_add && !known.is_empty();
    let teams = if is_new { Some(known) } else { None };
    Ok(PlayerTable {
        players,
        teams,
        unused,
        notes,
    })
}

/// A note on each date of birth that is none; such a date is kept, but cannot be reported.
fn odd_births(players: &[Player]) -> Vec<CsvError> {
    let mut notes = Vec::new();
    for player in players {
        let birth = player.birth.shown();
        if !is_birth(&birth) {
            let note = format!("`{birth}` is not a date of birth; reports leave it out");
            notes.push(player.at.fault(note));
        }
    }
    notes
}

/// Gives ids to players without one.
fn number_the_rest(players: &mut [Player]) {
    let mut last = players.iter().map(|player| player.id).max().unwrap_or(0);
    for player in players {
        if player.id == 0 {
            last += 1;
            player.id = last;
        }
    }
}

/// Reports players with the same FIDE id.
fn same_fide_ids(players: &[Player], faults: &mut Vec<CsvError>) {
    let mut seen: BTreeMap<&str, &Player> = BTreeMap::new();
    for player in players {
        let id = player.fide_id.as_it_came();
        if id.is_empty() || id == "0" {
            continue;
        }
        if let Some(first) = seen.insert(id, player) {
            faults.push(player.at.fault(format!(
                "{} and {} (line {}) have the same FIDE id {id}",
                player.name.shown(),
                first.name.shown(),
                first.at.line
            )));
        }
    }
}

/// Reads rows of players, and collects what is wrong.
struct PlayerReader {
    participants: Participants,
    known: Vec<Team>,
    may_add: bool,
    faults: Vec<CsvError>,
}

impl PlayerReader {
    fn player(&mut self, row: &CsvRow) -> Player {
        let team = self.team(row);
        let name = self.name(row);
        let faults = &mut self.faults;
        let federation = federation(row.text(7)).map_err(|why| row.fault(7, why));
        let federation = value(federation, faults);
        let id = value(row.value::<Id>(0, super::ID), faults);
        let board = value(super::number(row, 2), faults);
        let role = row.value(4, "player, reserve, commander or lieutenant");
        let role: Option<Role> = value(role, faults);
        Player {
            id: id.map_or(0, |id| id.0),
            team,
            board: board.unwrap_or(0),
            name: name.into(),
            role: role.unwrap_or_default(),
            rating: value(rating(row, 5), faults),
            title: row.text(6).into(),
            federation: federation.into(),
            fide_id: row.text(8).into(),
            birth: birth(row.text(9)).into(),
            sex: sex(row.text(10)).into(),
            pieces: row.text(11).into(),
            at: row.at().clone(),
        }
    }

    /// The name, in one column or two.
    fn name(&mut self, row: &CsvRow) -> String {
        let [whole, last, first] = [3, 12, 13].map(|place| row.text(place));
        let text = match (whole.is_empty(), first.is_empty()) {
            (false, true) => whole.to_owned(),
            (false, false) => format!("{whole}, {first}"),
            (true, true) => last.to_owned(),
            (true, false) => format!("{last}, {first}"),
        };
        let name = names::name(&text).map_err(|none| row.fault(3, none.to_string()));
        value(name, &mut self.faults)
    }

    /// The team by number or name, or the group of a single player.
    fn team(&mut self, row: &CsvRow) -> Option<TeamNo> {
        let text = row.text(1);
        if self.participants == Participants::Players {
            let group = group_of_player(text).map_err(|wrong| row.fault(1, wrong.to_string()));
            return value(group, &mut self.faults);
        }
        if text.is_empty() {
            self.faults.push(row.at().fault("the player has no team"));
            return None;
        }
        let same = |team: &&Team| names::same(team.name.as_it_came(), text);
        if let Some(team) = self.known.iter().find(same) {
            return Some(team.number);
        }
        if let Ok(number) = text.parse()
            && number > 0
        {
            return Some(TeamNo::new(number));
        }
        if !self.may_add {
            let message = format!("no team has the number or name `{}`", visible(text));
            self.faults.push(row.fault(1, message));
            return None;
        }
        let name = match names::name(text) {
            Ok(name) => name,
            Err(none) => {
                self.faults.push(row.fault(1, none.to_string()));
                return None;
            }
        };
        let number = TeamNo::at(self.known.len());
        self.known.push(Team {
            number,
            name: name.into(),
            at: At::default(),
            ..Team::default()
        });
        Some(number)
    }
}

/// A date of birth as files of events have it; `17.05.1990` is turned.
fn birth(text: &str) -> String {
    let parts: Vec<&str> = text.split(['.', '/', '-']).collect();
    match parts[..] {
        [day, month, year] if year.len() == 4 && day.len() <= 2 && month.len() <= 2 => {
            format!("{year}-{month:0>2}-{day:0>2}")
        }
        _ => text.to_owned(),
    }
}

/// `m` or `w`, for which some programs have `f`.
fn sex(text: &str) -> String {
    match text.to_lowercase().as_str() {
        "f" | "female" | "woman" => "w".into(),
        "male" | "man" => "m".into(),
        other => other.into(),
    }
}
