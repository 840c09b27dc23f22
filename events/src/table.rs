//! The organiser's own pairing table, `table.csv`: who meets whom in each round, instead of the standard table of the
//! system. It has the form that `pair table --to csv` prints:
//!
//! ```
//! use overboard_events::table::PairingTable;
//!
//! let text = "round,games\n1,1-4  2-3\n2,4-3  1-2\n3,2-4  3-1\n";
//! let table = PairingTable::read("table.csv", text.as_bytes()).unwrap();
//! assert_eq!((table.rounds.len(), table.rounds[0].len()), (3, 2));
//! assert_eq!(table.write(), text);
//! ```

use crate::{
    Event,
    checks::Review,
    csv::{At, CsvError, CsvRow, Sheet, write},
    pairing::RoundError,
    rounds::is_digits,
    settings::System,
};
use overboard_schedules::{
    checker,
    ids::{RoundNo, TeamNo},
    team::{Game, Pair, Round, Seat},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// Name of the file.
pub const TABLE: &str = "table.csv";

const COLUMNS: [&str; 2] = ["round", "games"];

/// The most meetings that are read.
const MOST: usize = 100_000;

/// A pairing table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PairingTable {
    /// The rounds, round 1 first.
    pub rounds: Vec<Vec<Meeting>>,
}

/// A meeting in a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The side with White, or the one that is free.
    pub white: TablePlace,
    /// The side with Black; `None` if the other side is free.
    pub black: Option<TablePlace>,
    /// Its place in the file.
    pub at: At,
}

/// A side in a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TablePlace {
    /// `7`: a pairing number.
    Number(TeamNo),
    /// `A3` or `B3`: a member of the first or the second group.
    Group(bool, u32),
    /// `2.1`: a team and its board.
    Seat(Seat),
}

impl TablePlace {
    fn read(text: &str) -> Option<Self> {
        let number = |digits: &str| {
            let is_short = (1..=4).contains(&digits.len());
            if !is_short || !is_digits(digits) {
                return None;
            }
            match digits.parse() {
                Ok(0) | Err(_) => None,
                Ok(number) => Some(number),
            }
        };
        if let Some((team, board)) = text.split_once('.') {
            return Some(Self::Seat(Seat {
                team: TeamNo::new(number(team)?),
                board: number(board)?,
            }));
        }
        match text.as_bytes().first()? {
            b'A' | b'a' => Some(Self::Group(false, number(&text[1..])?)),
            b'B' | b'b' => Some(Self::Group(true, number(&text[1..])?)),
            _ => Some(Self::Number(TeamNo::new(number(text)?))),
        }
    }
}

impl fmt::Display for TablePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Group(false, place) => write!(f, "A{place}"),
            Self::Group(true, place) => write!(f, "B{place}"),
            Self::Seat(Seat { team, board }) => write!(f, "{team}.{board}"),
        }
    }
}

impl fmt::Display for Meeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.black {
            Some(black) => write!(f, "{}-{black}", self.white),
            None => write!(f, "({})", self.white),
        }
    }
}

impl PairingTable {
    /// Reads a table. A round may continue on several rows.
    ///
    /// # Errors
    /// The first error, with its place.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self, CsvError> {
        let sheet = Sheet::read(file, bytes, &COLUMNS)?;
        let mut table = Self::default();
        let mut meetings = 0;
        for row in &sheet.rows {
            let round: RoundNo = row.needed(0, "the number of a round")?;
            let paired = table.rounds.len();
            if !(paired.max(1)..=paired + 1).contains(&(round.get() as usize)) {
                let expected = if paired == 0 {
                    "1".to_owned()
                } else {
                    format!("{paired} or {}", paired + 1)
                };
                return Err(row.fault(0, format!("expected round {expected}, found {round}")));
            }
            if round.index() == paired {
                table.rounds.push(Vec::new());
            }
            let found = games(row)?;
            meetings += found.len();
            if meetings > MOST {
                return Err(row.fault(1, format!("a table has at most {MOST} games")));
            }
            table.rounds[round.index()].extend(found);
        }
        Ok(table)
    }

    /// Writes the table.
    #[must_use]
    pub fn write(&self) -> String {
        let mut rows = Vec::new();
        for (number, round) in (1..).zip(&self.rounds) {
            let games: Vec<String> = round.iter().map(Meeting::to_string).collect();
            rows.push(vec![format!("{number}"), games.join("  ")]);
        }
        write(&COLUMNS, rows)
    }

    fn meetings(&self) -> impl Iterator<Item = &Meeting> {
        self.rounds.iter().flatten()
    }
}

/// The meetings of a cell: `1-6  2-5  (3)`.
fn games(row: &CsvRow) -> Result<Vec<Meeting>, CsvError> {
    let text = row.text(1);
    let start = row.place(1);
    let mut found = Vec::new();
    for word in text.split_whitespace() {
        let before = word.as_ptr() as usize - text.as_ptr() as usize;
        let at = At {
            column: start.column + text[..before].chars().count() as u64,
            ..start.clone()
        };
        let Some((white, black)) = sides(word) else {
            let short: String = word.chars().take(20).collect();
            let message = format!(
                "expected a game such as 1-6, A1-B3 or 2.1-5.1, White first, or (4) for a bye, found `{short}`"
            );
            return Err(at.fault(message));
        };
        found.push(Meeting { white, black, at });
    }
    Ok(found)
}

/// The sides of a meeting, `1-6`, or the only one, `(3)`.
fn sides(word: &str) -> Option<(TablePlace, Option<TablePlace>)> {
    if let Some(free) = word.strip_prefix('(') {
        return Some((TablePlace::read(free.strip_suffix(')')?)?, None));
    }
    let (white, black) = word.split_once(['-', '–'])?;
    Some((TablePlace::read(white)?, Some(TablePlace::read(black)?)))
}

impl Event {
    /// Whether the system takes its pairings from a table, which an organiser may replace.
    #[must_use]
    pub const fn is_by_table(&self) -> bool {
        matches!(
            self.settings.system,
            System::RoundRobin | System::Scheveningen | System::Molter | System::Hutton
        )
    }

    /// The rounds of the organiser's own table, by pairing number; `None` if there is no such table.
    ///
    /// # Errors
    /// If a side in it does not take part.
    pub(super) fn own_rounds(&self) -> Result<Option<Vec<Round>>, RoundError> {
        let Some(table) = &self.table else {
            return Ok(None);
        };
        let order = self.table_order()?;
        let half = order.len() / 2;
        let number = |place: TablePlace, at: &At| {
            let place_in_order = match place {
                TablePlace::Number(number) => number.index(),
                TablePlace::Group(second, place) if place as usize <= half => {
                    place as usize - 1 + usize::from(second) * half
                }
                TablePlace::Group(..) | TablePlace::Seat(_) => usize::MAX,
            };
            match order.get(place_in_order) {
                Some(number) => Ok(*number),
                None => Err(self.nobody(place, at)),
            }
        };
        let mut rounds = Vec::new();
        for meetings in &table.rounds {
            let mut round = Round::default();
            for Meeting { white, black, at } in meetings {
                let white = number(*white, at)?;
                match black {
                    Some(black) => round.pairs.push(Pair::new(white, number(*black, at)?)),
                    None => round.free.push(white),
                }
            }
            rounds.push(round);
        }
        Ok(Some(rounds))
    }

    /// The games of the organiser's own table, by team and board; `None` if there is no such table.
    ///
    /// # Errors
    /// If a side in it does not take part.
    pub(super) fn own_games(&self) -> Result<Option<Vec<Vec<Game>>>, RoundError> {
        let Some(table) = &self.table else {
            return Ok(None);
        };
        let seat = |place: TablePlace, at: &At| match place {
            TablePlace::Seat(seat)
                if self.team(seat.team).is_some() && seat.board <= self.settings.boards =>
            {
                Ok(seat)
            }
            place => Err(self.nobody(place, at)),
        };
        let mut rounds = Vec::new();
        for meetings in &table.rounds {
            let mut games = Vec::new();
            for Meeting { white, black, at } in meetings {
                if let Some(black) = black {
                    games.push(Game {
                        white: seat(*white, at)?,
                        black: seat(*black, at)?,
                    });
                }
            }
            rounds.push(games);
        }
        Ok(Some(rounds))
    }

    /// That no participant has this place in the table.
    fn nobody(&self, place: TablePlace, at: &At) -> RoundError {
        let expected = match self.settings.system {
            System::Molter | System::Hutton => "a team and its board, such as 2.1",
            System::Scheveningen => "a place in a group, such as A1, or a pairing number",
            _ => "a pairing number",
        };
        let message = format!("no participant is `{place}`; expected {expected}");
        RoundError::Table(at.fault(message))
    }

    /// What is wrong with the organiser's own table; what is only unusual is a note.
    #[must_use]
    pub fn check_table(&self) -> Review {
        let mut review = Review::default();
        let Some(table) = &self.table else {
            return review;
        };
        let at = At::file(TABLE);
        if !self.is_by_table() {
            let why = "this system pairs from results and follows no table";
            review.faults.push(at.fault(why));
            return review;
        }
        if table.meetings().next().is_none() {
            review.faults.push(at.fault("the table has no games"));
            return review;
        }
        match self.table_faults() {
            Err(RoundError::Table(fault)) => review.faults.push(fault),
            Err(error) => review.faults.push(at.fault(error.to_string())),
            Ok(faults) => {
                for fault in faults {
                    let list = if is_slight(&fault) {
                        &mut review.notes
                    } else {
                        &mut review.faults
                    };
                    list.push(at.fault(fault.to_string()));
                }
            }
        }
        review
    }

    fn table_faults(&self) -> Result<Vec<checker::CheckError>, RoundError> {
        if self.settings.pairs_players() {
            let games = self.own_games()?.unwrap_or_default();
            return Ok(self.check_games(games));
        }
        let rounds = self.own_rounds()?.unwrap_or_default();
        Ok(self.check_rounds(&rounds))
    }

    /// Where the paired rounds differ from the organiser's own table.
    pub(super) fn off_the_table(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if self.settings.pairs_players() {
            let Ok(Some(planned)) = self.own_games() else {
                return faults;
            };
            let seat = TablePlace::Seat;
            let pair = |game: &Game| format!("{}-{}", seat(game.white), seat(game.black));
            for (round, (planned, found)) in RoundNo::all().zip(planned.iter().zip(self.seats())) {
                let planned = planned.iter().map(pair).collect();
                let found = found.iter().map(pair).collect();
                faults.extend(compare(round, &planned, &found));
            }
            return faults;
        }
        let Ok(Some(planned)) = self.own_rounds() else {
            return faults;
        };
        for (round, (planned, found)) in RoundNo::all().zip(planned.iter().zip(self.pairs())) {
            let planned = self.pairs_in(round, planned);
            faults.extend(compare(round, &planned, &self.pairs_in(round, &found)));
        }
        faults
    }

    /// The pairs of a table whose sides both take part in a round, in words.
    fn pairs_in(&self, round: RoundNo, table: &Round) -> BTreeSet<String> {
        let mut words = BTreeSet::new();
        for Pair { white, black } in &table.pairs {
            if self.is_in(*white, round) && self.is_in(*black, round) {
                words.insert(format!("{white}-{black}"));
            }
        }
        words
    }
}

/// The games of all rounds, grouped by the board on which they are played.
pub(super) fn by_board(rounds: Vec<Vec<Game>>) -> Vec<Vec<Game>> {
    let mut boards: BTreeMap<u32, Vec<Game>> = BTreeMap::new();
    for game in rounds.into_iter().flatten() {
        boards.entry(game.white.board).or_default().push(game);
    }
    boards.into_values().collect()
}

fn compare(round: RoundNo, planned: &BTreeSet<String>, found: &BTreeSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    for game in found.difference(planned) {
        faults.push(format!("round {round}: {game} is not in {TABLE}"));
    }
    for game in planned.difference(found) {
        faults.push(format!("round {round}: {game} of {TABLE} is missing"));
    }
    faults
}

/// Whether a fault in a table is acceptable if its organiser wants it.
pub(super) const fn is_slight(fault: &checker::CheckError) -> bool {
    use checker::CheckError as F;
    matches!(
        fault,
        F::Unbalanced { .. }
            | F::ThreeRunning { .. }
            | F::Boards { .. }
            | F::Floaters { .. }
            | F::SameColours { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        PairingTable::read(TABLE, text.as_bytes())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn tables_are_read_and_written() {
        let text = "round,games\n1,A1-B1  B2-A2\n1,2.1-3.1\n2,1-4  (3)\n";
        let table = PairingTable::read(TABLE, text.as_bytes()).unwrap();
        assert_eq!(
            table.write(),
            "round,games\n1,A1-B1  B2-A2  2.1-3.1\n2,1-4  (3)\n"
        );
        assert_eq!(table.rounds[1][1].black, None);
        assert_eq!(table.rounds[0][1].at.column, 10);
    }

    #[test]
    fn faults_have_places() {
        assert!(
            fault("round,games\n1,1-2 3x4\n")
                .starts_with("table.csv:2:7: expected a game such as 1-6")
        );
        assert_eq!(
            fault("round,games\n2,1-2\n"),
            "table.csv:2:1: expected round 1, found 2"
        );
        assert_eq!(
            fault("round,games\n1,1-2\n3,1-2\n"),
            "table.csv:3:1: expected round 1 or 2, found 3"
        );
        for word in [
            "0-1", "A-B1", "1.0-2.1", "1-", "(1", "é-1", "A1B1", "12345-1",
        ] {
            assert!(
                fault(&format!("round,games\n1,{word}\n")).contains("expected a game"),
                "{word}"
            );
        }
    }
}
