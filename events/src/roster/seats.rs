//! Tables with a row for each team and its players beside each other, as registration forms give them, made into tables
//! with a row for each player.

use super::{PLAYER_COLUMNS, foreign::PLAYER_HEADINGS};
use crate::csv::{At, Cell, Cells, by_synonym, heading};
use std::collections::BTreeMap;

/// Words for a place in a team. A number without one is a round in tables of results.
const BOARD: [&str; 7] = ["b", "bd", "bo", "board", "brd", "player", "seat"];

/// Words for players without a board.
const RESERVE: [&str; 5] = ["alternate", "res", "reserve", "sub", "substitute"];

/// What may stand after a number.
const ORDINAL: [&str; 5] = ["", "st", "nd", "rd", "th"];

/// Whose column it is: a board or a reserve, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Seat {
    Board(u32),
    Reserve(u32),
}

/// What a column of a table of teams holds.
enum Use {
    /// The team.
    Team,
    /// Something of the player on a seat, as a column of the table of players.
    Of(Seat, &'static str),
    /// Nothing that is known.
    None,
}

/// A table of players: the same if each row is a player, else the players of each row, a row for each.
pub fn unfolded(cells: Cells) -> Cells {
    let uses = uses(&cells.heads);
    let is_name = |used: &&Use| matches!(used, Use::Of(_, "name"));
    if uses.iter().filter(is_name).count() < 2 {
        return cells;
    }
    let Cells { heads, rows } = cells;
    let columns = columns(&uses);
    let mut made = Cells {
        heads: Vec::new(),
        rows: Vec::new(),
    };
    for column in &columns {
        made.heads.push(((*column).to_owned(), place(&heads)));
    }
    for (head, used) in heads.iter().zip(&uses) {
        if matches!(used, Use::None) {
            made.heads.push(head.clone());
        }
    }
    for row in rows {
        made.rows.extend(players(&row, &uses, &columns));
    }
    made
}

/// Where a row begins.
fn place(row: &[Cell]) -> At {
    row.first().map(|(_, at)| at.clone()).unwrap_or_default()
}

/// The columns that the players get.
fn columns(uses: &[Use]) -> Vec<&'static str> {
    let mut columns = vec!["team", "board", "role"];
    for used in uses {
        if let Use::Of(_, column) = used
            && !columns.contains(column)
        {
            columns.push(column);
        }
    }
    columns
}

/// A row for each player of a team.
fn players(row: &[Cell], uses: &[Use], columns: &[&'static str]) -> Vec<Vec<Cell>> {
    let mut seats: BTreeMap<Seat, BTreeMap<&'static str, Cell>> = BTreeMap::new();
    let mut team = (String::new(), place(row));
    for (cell, used) in row.iter().zip(uses) {
        match used {
            Use::Team => team = cell.clone(),
            Use::Of(seat, column) if !cell.0.is_empty() => {
                seats.entry(*seat).or_default().insert(column, cell.clone());
            }
            Use::Of(..) | Use::None => {}
        }
    }
    let mut rows = Vec::new();
    for (seat, mut known) in seats {
        let at = known.values().map(|(_, at)| at).min().cloned();
        let at = at.unwrap_or_default();
        let (board, role) = match seat {
            Seat::Board(number) => (number.to_string(), "player"),
            Seat::Reserve(_) => (String::new(), "reserve"),
        };
        known.insert("team", team.clone());
        known.insert("board", (board, at.clone()));
        known.insert("role", (role.into(), at.clone()));
        let cell = |column: &&'static str| {
            let cell = known.remove(column);
            cell.unwrap_or_else(|| (String::new(), at.clone()))
        };
        rows.push(columns.iter().map(cell).collect());
    }
    rows
}

/// What each column holds. A heading such as `Elo` that comes again after each player belongs to the player before it.
fn uses(heads: &[Cell]) -> Vec<Use> {
    let again = |head: &str| {
        let same = |(other, _): &&Cell| heading(other) == heading(head);
        heads.iter().filter(same).count() > 1
    };
    let mut last = None;
    let mut has_team = false;
    let mut uses = Vec::with_capacity(heads.len());
    for (head, _) in heads {
        let used = match (seat(head), column(head), last) {
            (Some((seat, column)), ..) => {
                last = Some(seat);
                Use::Of(seat, column)
            }
            (None, Some(column), Some(seat)) if again(head) => Use::Of(seat, column),
            (None, Some("team" | "name"), _) if !has_team => {
                has_team = true;
                Use::Team
            }
            _ => Use::None,
        };
        uses.push(used);
    }
    uses
}

/// The seat in a heading, and the column of the table of players: `Board 1`, `Elo 2`, `3rd board rating`, `Reserve`.
fn seat(head: &str) -> Option<(Seat, &'static str)> {
    let lower = head.to_lowercase();
    let mut digits: Vec<&str> = lower.split(|one: char| !one.is_ascii_digit()).collect();
    digits.retain(|part| !part.is_empty());
    let mut words: Vec<&str> = lower.split(|one: char| !one.is_alphabetic()).collect();
    let mut takes = |known: &[&str]| {
        let before = words.len();
        words.retain(|word| !known.contains(word));
        words.len() < before
    };
    takes(&ORDINAL);
    let is_reserve = takes(&RESERVE);
    let is_board = takes(&BOARD);
    let number = match digits[..] {
        [number] => match number.parse() {
            Ok(number @ 1..=99) => number,
            _ => return None,
        },
        [] if is_reserve => 1,
        _ => return None,
    };
    let column = if !words.is_empty() {
        column(&words.join(" "))?
    } else if is_board || is_reserve {
        "name"
    } else {
        return None;
    };
    let seat = if is_reserve {
        Seat::Reserve(number)
    } else {
        Seat::Board(number)
    };
    Some((seat, column))
}

/// The column of the table of players for a heading.
fn column(head: &str) -> Option<&'static str> {
    let head = heading(head);
    let own = PLAYER_COLUMNS.iter().find(|own| heading(own) == head);
    if own.is_some() {
        return own.copied();
    }
    by_synonym(&head, PLAYER_HEADINGS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<String> {
        let cells = Cells::read("t.csv", text.as_bytes(), &PLAYER_COLUMNS).unwrap();
        let made = unfolded(cells);
        let joined = |row: &Vec<Cell>| {
            let texts: Vec<&str> = row.iter().map(|(text, _)| text.as_str()).collect();
            texts.join("|")
        };
        std::iter::once(&made.heads)
            .chain(&made.rows)
            .map(joined)
            .collect()
    }

    #[test]
    fn players_beside_each_other_have_a_row_each() {
        assert_eq!(
            rows("Team,Captain,Board 1,Board 2,Reserve\nLeeds,Dee,Ann,Bob,Cy\nYork,,Eve,,\n"),
            [
                "team|board|role|name|Captain",
                "Leeds|1|player|Ann",
                "Leeds|2|player|Bob",
                "Leeds||reserve|Cy",
                "York|1|player|Eve",
            ]
        );
    }

    #[test]
    fn what_belongs_to_a_player_is_found_by_number_or_by_place() {
        let expected = [
            "team|board|role|name|rating",
            "Leeds|1|player|Ann|2100",
            "Leeds|2|player|Bob|2000",
        ];
        for heads in [
            "Team name,Player 1,Elo,Player 2,Elo",
            "Club,Name 1,Rating 1,Name 2,Rating 2",
            "Name,1st board,1st board Rtg,2nd board,2nd board Rtg",
        ] {
            let table = format!("{heads}\nLeeds,Ann,2100,Bob,2000\n");
            assert_eq!(rows(&table), expected, "{heads}");
        }
    }

    #[test]
    fn a_table_of_players_stays_as_it_is() {
        for table in [
            "No.|Player|Team|Bo.|Elo|Fed\n1|Ann|Leeds|1|2100|ENG",
            "No.|Name|Elo|1.Rd|2.Rd|3\n1|Ann|2100|5w1|3b0|2w1",
        ] {
            let made = rows(&table.replace('|', ";"));
            assert_eq!(made.join("\n"), table);
        }
    }
}
