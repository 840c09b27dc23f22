//! Writes reports: fixed columns, lines that end in LF.

use super::{Edition, Extra, Header, Player, Symbol, Team, Trf};
use crate::roster::text;
use overboard_formats::foreign::Foreign;
use overboard_schedules::points::Points;
use std::fmt::{Display, Write};

/// The columns that a record 001 has before its rounds. Its readers refuse a shorter line.
const PLAYER_COLUMNS: usize = 89;

/// A line in which texts are put at columns.
#[derive(Default)]
struct Columns(Vec<char>);

impl Columns {
    /// Puts a text of ours: a code, a number, a symbol.
    fn put(&mut self, from: usize, to: usize, text: &str) -> &mut Self {
        self.0.resize(self.0.len().max(to), ' ');
        for (place, letter) in self.0[from - 1..to].iter_mut().zip(text.chars()) {
            *place = letter;
        }
        self
    }

    /// Puts text that a person wrote.
    fn words(&mut self, from: usize, to: usize, words: &Foreign) -> &mut Self {
        self.put(from, to, words.column().trim())
    }

    /// A line that begins with this code.
    fn record(code: &str) -> Self {
        let mut line = Self::default();
        line.put(1, 3, code);
        line
    }

    /// Points in the four columns that they usually have; blank if there are none.
    fn points(&mut self, from: usize, value: Option<Points>) -> &mut Self {
        let text = value.map(|value| points_in(4, value)).unwrap_or_default();
        self.right(from, from + 3, &text)
    }

    fn right(&mut self, from: usize, to: usize, text: &str) -> &mut Self {
        let width = to + 1 - from;
        self.put(from, to, &format!("{text:>width$}"))
    }

    /// Puts a number with leading zeros.
    fn digits(&mut self, from: usize, width: usize, number: impl Display) -> &mut Self {
        self.put(from, from + width - 1, &format!("{number:0width$}"))
    }

    fn number(&mut self, from: usize, to: usize, number: Option<u32>) -> &mut Self {
        self.right(from, to, &text(number))
    }

    /// Puts numbers of four digits one after the other.
    fn many(&mut self, from: usize, numbers: &[impl Display]) -> &mut Self {
        for (index, number) in numbers.iter().enumerate() {
            self.digits(from + 5 * index, 4, number);
        }
        self
    }

    /// Puts the start numbers of a team's members one after the other.
    fn members(&mut self, from: usize, members: &[u32]) -> &mut Self {
        for (index, member) in members.iter().enumerate() {
            self.number(from + 5 * index, from + 5 * index + 3, Some(*member));
        }
        self
    }

    fn end(&self, out: &mut String) {
        self.end_after(0, out);
    }

    /// Ends a line that has at least so many columns.
    fn end_after(&self, least: usize, out: &mut String) {
        let line: String = self.0.iter().collect();
        let text = line.trim_end();
        let width = least.max(text.chars().count());
        out.extend(line.chars().take(width));
        out.push('\n');
    }
}

/// Points with one decimal, as the format requires; without it if the columns have no room.
fn points_in(width: usize, points: Points) -> String {
    let sign = if points.0 < 0 { "-" } else { "" };
    let whole = points.0.unsigned_abs() / 10;
    let text = format!("{sign}{whole}.{}", points.0.unsigned_abs() % 10);
    if text.len() <= width {
        text
    } else {
        format!("{sign}{whole}")
    }
}

/// Records of a text that TRF16 does not have.
const SINCE_2026: [&str; 9] = [
    "142", "152", "172", "182", "192", "202", "212", "222", "352",
];

impl Trf {
    /// The report as text; records that the edition does not have are left out.
    #[must_use]
    pub fn write(&self, edition: Edition) -> String {
        let mut out = String::new();
        let new = edition == Edition::Of2026;
        for Header { code, text, .. } in &self.headers {
            if new || !SINCE_2026.contains(&code.as_str()) {
                let _ = writeln!(out, "{code} {}", text.column());
            }
        }
        let is_blank = |date: &Foreign| date.column().trim().is_empty();
        if !self.dates.iter().all(is_blank) {
            let mut line = Columns::record("132");
            for (index, date) in self.dates.iter().enumerate() {
                line.words(92 + 10 * index, 99 + 10 * index, date);
            }
            line.end(&mut out);
        }
        if new {
            self.write_worth(&mut out);
        }
        for player in &self.players {
            write_player(player, &mut out);
        }
        // TRF16 does not define these records, but without them absences, byes, kings and penalties of teams
        // are lost, and its readers skip unknown records.
        if new || !self.teams.is_empty() {
            self.write_rounds(new, &mut out);
        }
        self.write_matches(&mut out);
        for team in &self.teams {
            if new {
                write_team(team, &mut out);
            } else {
                write_old_team(team, &mut out);
            }
        }
        for other in &self.others {
            out.push_str(&other.column());
            out.push('\n');
        }
        super::carried::write(&self.carried, &mut out);
        out
    }

    fn write_worth(&self, out: &mut String) {
        let mut signs = Vec::new();
        for (sign, points) in &self.game_points {
            signs.push((sign.to_string(), *points));
        }
        for (code, from, signs) in [("162", 6, &signs), ("362", 5, &self.match_points)] {
            if signs.is_empty() {
                continue;
            }
            let mut line = Columns::record(code);
            for (index, (sign, value)) in signs.iter().enumerate() {
                line.put(from + 9 * index, 6 + 9 * index, sign)
                    .points(7 + 9 * index, Some(*value));
            }
            line.end(out);
        }
    }

    /// Records that concern rounds; of those that TRF16 does not define only byes and points.
    fn write_rounds(&self, new: bool, out: &mut String) {
        for this in &self.requests {
            let mut line = Columns::record("240");
            line.put(5, 5, &this.kind.to_string())
                .digits(7, 3, this.round);
            line.many(11, &this.who).end(out);
        }
        if new {
            self.write_limits(out);
        }
        for this in &self.extra {
            write_extra(this, out);
        }
        if let Some(byes) = &self.byes {
            let mut line = Columns::record("320");
            line.points(5, Some(byes.points.matches))
                .points(10, Some(byes.points.games));
            for (index, team) in byes.teams.iter().enumerate() {
                let from = 15 + 4 * index;
                line.digits(from, 3, team.unwrap_or_default());
            }
            line.end(out);
        }
    }

    /// Writes virtual points, and who may not meet.
    fn write_limits(&self, out: &mut String) {
        for this in &self.accelerations {
            let ([first, last], [one, other]) = (this.rounds, this.who);
            let mut line = Columns::record("250");
            line.points(5, this.points.matches)
                .points(10, this.points.games);
            line.digits(15, 3, first).digits(19, 3, last);
            line.digits(23, 4, one).digits(28, 4, other).end(out);
        }
        for this in &self.forbidden {
            let mut line = Columns::record("260");
            line.digits(5, 3, this.first).digits(9, 3, this.last);
            line.many(13, &this.who).end(out);
        }
    }

    /// Writes who sat where, and matches that were not played.
    fn write_matches(&self, out: &mut String) {
        for this in &self.line_ups {
            let mut line = Columns::record("300");
            line.digits(5, 3, this.round);
            line.digits(9, 3, this.team).digits(13, 3, this.opponent);
            line.many(17, &this.players).end(out);
        }
        for this in &self.forfeits {
            let mut line = Columns::record("330");
            line.put(5, 6, &this.kind).digits(8, 3, this.round);
            line.digits(12, 3, this.white)
                .digits(16, 3, this.black)
                .end(out);
        }
    }
}

fn write_extra(this: &Extra, out: &mut String) {
    let mut line = Columns::record("299");
    line.put(5, 5, &this.kind.to_string())
        .points(8, this.points.matches)
        .points(14, this.points.games);
    line.digits(20, 3, this.round.unwrap_or_default());
    line.many(24, &this.who).end(out);
}

fn write_player(player: &Player, out: &mut String) {
    let mut line = Columns::record("001");
    line.number(5, 8, Some(player.number))
        .words(10, 10, &player.sex)
        .right(11, 13, player.title.column().trim());
    line.words(15, 47, &player.name)
        .number(49, 52, player.rating)
        .words(54, 56, &player.federation);
    line.right(58, 68, player.fide_id.column().trim())
        .words(70, 79, &player.birth)
        .points(81, player.points);
    line.number(PLAYER_COLUMNS - 3, PLAYER_COLUMNS, player.rank);
    for (index, game) in player.rounds.iter().enumerate() {
        let from = 92 + 10 * index;
        if game.result == Symbol(' ') && game.opponent.is_none() {
            line.put(from, from + 7, "");
            continue;
        }
        let opponent = match game.opponent {
            Some(number) => format!("{number:>4}"),
            None => "0000".to_owned(),
        };
        let colour = match game.white {
            Some(true) => "w",
            Some(false) => "b",
            None => "-",
        };
        line.put(from, from + 3, &opponent)
            .put(from + 5, from + 5, colour)
            .put(from + 7, from + 7, &game.result.0.to_string());
    }
    line.end_after(PLAYER_COLUMNS, out);
}

fn write_team(team: &Team, out: &mut String) {
    let mut line = Columns::record("310");
    let wide = |value: Points| points_in(6, value);
    let points = team.points.map(|value| value.map(wide).unwrap_or_default());
    line.number(5, 7, Some(team.number.get()))
        .words(9, 40, &team.name)
        .words(42, 46, &team.short);
    line.number(48, 53, team.strength)
        .right(55, 60, &points.matches)
        .right(62, 67, &points.games);
    line.number(69, 71, team.rank);
    line.members(74, &team.members).end(out);
}

fn write_old_team(team: &Team, out: &mut String) {
    let mut line = Columns::record("013");
    line.words(5, 36, &team.name);
    line.members(37, &team.members).end(out);
}
