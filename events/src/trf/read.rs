//! Reads reports. Every message gives line and column, what was expected and what was found.

use super::{
    Acceleration, Extra, Forbidden, Forfeit, Game, Header, Line, LineUp, Player, RESULTS, Request,
    Symbol, TEXTS, Team, TeamByes, TeamTotal, Trf,
};
use crate::csv::{At, CsvError};
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    tournament::ByScore,
};
use std::str::FromStr;

/// The longest line that is read, in characters; and the most rounds.
const LONGEST: usize = 20_000;
const ROUNDS: usize = 999;

/// A line, accessed by columns.
struct Columns<'a> {
    file: &'a str,
    line: u64,
    letters: Vec<char>,
}

impl Columns<'_> {
    fn at(&self, column: usize) -> At {
        At {
            file: self.file.to_owned(),
            line: self.line,
            column: column as u64,
        }
    }

    /// The text in these columns, without spaces around it.
    fn text(&self, from: usize, to: usize) -> String {
        let to = to.min(self.letters.len());
        self.letters
            .get(from - 1..to)
            .map_or_else(String::new, |letters| {
                letters.iter().collect::<String>().trim().to_owned()
            })
    }

    /// The same, for text that a person wrote.
    fn words(&self, from: usize, to: usize) -> Foreign {
        self.text(from, to).into()
    }

    fn letter(&self, column: usize) -> char {
        self.letters.get(column - 1).copied().unwrap_or(' ')
    }

    /// The value in these columns; `None` if they are blank.
    fn value<T: FromStr>(
        &self,
        from: usize,
        to: usize,
        expected: &str,
    ) -> Result<Option<T>, CsvError> {
        let text = self.text(from, to);
        if text.is_empty() {
            return Ok(None);
        }
        let fault = |_| {
            let columns = if from == to {
                format!("column {from}")
            } else {
                format!("columns {from}-{to}")
            };
            self.at(from)
                .fault(format!("expected {expected} in {columns}, found `{text}`"))
        };
        text.parse().map(Some).map_err(fault)
    }

    fn needed<T: FromStr>(&self, from: usize, to: usize, expected: &str) -> Result<T, CsvError> {
        let missing = || {
            self.at(from).fault(format!(
                "expected {expected} in columns {from}-{to}, found nothing"
            ))
        };
        self.value(from, to, expected)?.ok_or_else(missing)
    }

    /// Numbers in columns that repeat every five.
    fn numbers(&self, from: usize) -> Result<Vec<u32>, CsvError> {
        let mut numbers = Vec::new();
        for start in (from..=self.letters.len()).step_by(5) {
            numbers.push(
                self.value(start, start + 3, "a number of four digits")?
                    .unwrap_or(0),
            );
        }
        Ok(numbers)
    }

    fn participants(&self, from: usize) -> Result<Vec<TeamNo>, CsvError> {
        Ok(self.numbers(from)?.into_iter().map(TeamNo::new).collect())
    }
}

impl Trf {
    /// Reads a report in its most likely encoding.
    ///
    /// # Errors
    /// The first error.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self, CsvError> {
        Self::parse(file, &Self::decode(bytes, None).text)
    }

    /// Reads the text of a report.
    ///
    /// # Errors
    /// The first error.
    pub fn parse(file: &str, text: &str) -> Result<Self, CsvError> {
        // Lines end in CR, LF or both.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let mut trf = Self::default();
        let mut old_teams = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            if text.starts_with("###") {
                super::carried::take(text, &mut trf.carried);
                continue;
            }
            let letters: Vec<char> = text.trim_end().chars().collect();
            let columns = Columns {
                file,
                line,
                letters,
            };
            if columns.letters.len() > LONGEST {
                return Err(columns
                    .at(1)
                    .fault(format!("the line is longer than {LONGEST} characters")));
            }
            trf.take(&columns, &mut old_teams)?;
        }
        // Record 310 has more than 013, so it is preferred.
        if trf.teams.is_empty() {
            trf.teams = old_teams;
        }
        trf.check(file)?;
        Ok(trf)
    }

    fn take(&mut self, line: &Columns<'_>, old_teams: &mut Vec<Team>) -> Result<(), CsvError> {
        let code: String = line.letters.iter().take(3).collect();
        match code.as_str() {
            "" => {}
            "001" => self.players.push(player(line)?),
            "013" => old_teams.push(Team {
                number: TeamNo::at(old_teams.len()),
                name: line.words(5, 36),
                members: line.numbers(37)?,
                at: Line(line.at(1)),
                ..Team::default()
            }),
            "132" => {
                let columns = (92..=line.letters.len()).step_by(10);
                self.dates = columns.map(|from| line.words(from, from + 7)).collect();
            }
            "162" => {
                for (sign, points) in valued(line, 6, &["W", "D", "L", "A", "P", "X"])? {
                    if let Some(sign) = sign.chars().next() {
                        self.game_points.push((sign, points));
                    }
                }
            }
            "240" => self.requests.push(Request {
                kind: one_of(line, 5, "FHZ", "F, H or Z")?,
                round: line.needed(7, 9, "a round")?,
                who: line.participants(11)?,
            }),
            "250" => self.accelerations.push(acceleration(line)?),
            "260" => {
                let [first, last] = span(line, [5, 7, 9, 11], "a round")?.map(RoundNo::new);
                self.forbidden.push(Forbidden {
                    first,
                    last,
                    who: line.participants(13)?,
                });
            }
            "299" => self.extra.push(extra(line)?),
            "300" => self.line_ups.push(LineUp {
                round: line.needed(5, 7, "a round")?,
                team: line.needed(9, 11, "a team")?,
                opponent: line.needed(13, 15, "a team")?,
                players: line.numbers(17)?,
            }),
            "310" => self.teams.push(team(line)?),
            "320" => self.byes = Some(team_byes(line)?),
            "330" => self.forfeits.push(forfeit(line)?),
            "362" => self
                .match_points
                .extend(valued(line, 5, &["TW", "TD", "TL"])?),
            "801" | "802" => {
                self.totals.extend(team_total(line));
                self.keep(line);
            }
            code if TEXTS.contains(&code) => {
                let text: String = line.letters.iter().skip(4).collect();
                let (code, text) = (code.to_owned(), text.trim().into());
                self.headers.push(Header {
                    code,
                    text,
                    at: Line(line.at(5)),
                });
            }
            _ => self.keep(line),
        }
        Ok(())
    }

    /// Keeps a record as it is.
    fn keep(&mut self, line: &Columns<'_>) {
        self.others
            .push(line.letters.iter().collect::<String>().into());
    }

    fn check(&self, file: &str) -> Result<(), CsvError> {
        let mut seen = std::collections::BTreeMap::new();
        for player in &self.players {
            if let Some(first) = seen.insert(player.number, player.at.0.line) {
                let message = format!(
                    "the start number {} occurs twice, first in line {first}",
                    player.number
                );
                return Err(player.at.0.fault(message));
            }
        }
        for player in &self.players {
            for (round, game) in (1..).zip(&player.rounds) {
                if let Some(opponent) = game.opponent
                    && !seen.contains_key(&opponent)
                {
                    let at = player.at.column(92 + 10 * (round - 1));
                    return Err(at.fault(format!(
                        "round {round}: no player has the start number {opponent}"
                    )));
                }
            }
        }
        for team in &self.teams {
            for member in &team.members {
                if !seen.contains_key(member) {
                    let message = format!("no player has the start number {member}");
                    return Err(team.at.0.fault(message));
                }
            }
        }
        if self.players.is_empty() {
            return Err(At::file(file).fault("expected records 001 of players, found none"));
        }
        Ok(())
    }
}

fn one_of(
    line: &Columns<'_>,
    column: usize,
    letters: &str,
    expected: &str,
) -> Result<char, CsvError> {
    let letter = line.letter(column).to_ascii_uppercase();
    if letters.contains(letter) {
        Ok(letter)
    } else {
        Err(line.at(column).fault(format!(
            "expected {expected} in column {column}, found `{letter}`"
        )))
    }
}

/// Symbols with their points, in groups of nine columns of which the symbol ends in column 6 and the points begin in
/// column 7. Some programs are off by a column or more, so if the columns do not hold known symbols, words do.
fn valued(
    line: &Columns<'_>,
    from: usize,
    known: &[&str],
) -> Result<Vec<(String, Points)>, CsvError> {
    let text: String = line.letters.iter().skip(3).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut all = Vec::new();
    for two in words.chunks(2) {
        let [sign, points] = two else { break };
        let Ok(points) = points.parse() else { break };
        all.push(((*sign).to_owned(), points));
    }
    let is_known = |sign: &str| known.contains(&sign);
    if 2 * all.len() == words.len() && all.iter().all(|(sign, _)| is_known(sign)) {
        return Ok(all);
    }
    all.clear();
    for start in (0..line.letters.len()).step_by(9) {
        let sign = line.text(from + start, 6 + start);
        if sign.is_empty() {
            continue;
        }
        let points = line.needed(7 + start, 10 + start, "points such as 1.0")?;
        all.push((sign, points));
    }
    Ok(all)
}

/// Record 299. Its fields are in columns 8-11, 14-17, 20-22 and 24-27 and so on; in FIDE's own example, and the
/// programs that follow it, in 7-10, 12-15, 17-19 and 21-24. Columns that are blank between fields show which.
fn extra(line: &Columns<'_>) -> Result<Extra, CsvError> {
    const USUAL: [usize; 4] = [8, 14, 20, 24];
    const CLOSER: [usize; 4] = [7, 12, 17, 21];
    let is_blank = |columns: std::ops::RangeInclusive<usize>| {
        columns.into_iter().all(|column| line.letter(column) == ' ')
    };
    let fits = |[own, games, round, who]: [usize; 4]| {
        let between = [
            6..=own - 1,
            own + 4..=games - 1,
            games + 4..=round - 1,
            round + 3..=who - 1,
        ];
        let after = (who + 4..=line.letters.len()).step_by(5);
        between.into_iter().all(is_blank) && after.map(|column| column..=column).all(is_blank)
    };
    let [own, games, round, who] = if !fits(USUAL) && fits(CLOSER) {
        CLOSER
    } else {
        USUAL
    };
    Ok(Extra {
        kind: one_of(line, 5, "WDLFHZ+- ", "W, D, L, F, H, Z, +, - or a blank")?,
        points: ByScore {
            matches: line.value(own, own + 3, "points")?,
            games: line.value(games, games + 3, "points")?,
        },
        round: line
            .value(round, round + 2, "a round, or 000 for all")?
            .filter(|round| *round > RoundNo::default()),
        who: line.participants(who)?,
    })
}

/// The totals of record 801, whose widths are free, or 802: after the number and the short name, the first two words
/// that are numbers. A line that is only a heading has none.
fn team_total(line: &Columns<'_>) -> Option<TeamTotal> {
    let text: String = line.letters.iter().skip(3).collect();
    let mut words = text.split_whitespace();
    let team = words.next()?.parse().ok()?;
    let numbers: Vec<Option<Points>> = words.map(|word| word.parse().ok()).collect();
    let mut pairs = numbers.windows(2);
    let points = pairs.find_map(|two| Some([two[0]?, two[1]?]))?;
    Some(TeamTotal {
        code: line.letters.iter().take(3).collect(),
        team,
        points: points.into(),
        at: Line(line.at(1)),
    })
}

/// A range: first and last number, in two fields of a line.
fn span(line: &Columns<'_>, [a, b, c, d]: [usize; 4], what: &str) -> Result<[u32; 2], CsvError> {
    let [first, last] = [line.needed(a, b, what)?, line.needed(c, d, what)?];
    if first == 0 {
        return Err(line.at(a).fault(format!(
            "expected {what} from 1 on in columns {a}-{b}, found 0"
        )));
    }
    if last < first {
        let message =
            format!("expected {what} in columns {c}-{d} that is not before {first}, found {last}");
        return Err(line.at(c).fault(message));
    }
    Ok([first, last])
}

fn acceleration(line: &Columns<'_>) -> Result<Acceleration, CsvError> {
    let points = ByScore {
        matches: line.value(5, 8, "match points")?,
        games: line.value(10, 13, "points")?,
    };
    if points == ByScore::both(None) {
        return Err(line.at(5).fault(
            "expected match points in columns 5-8 or points in columns 10-13, found nothing",
        ));
    }
    Ok(Acceleration {
        points,
        rounds: span(line, [15, 17, 19, 21], "a round")?.map(RoundNo::new),
        who: span(line, [23, 26, 28, 31], "a number")?.map(TeamNo::new),
        at: Line(line.at(1)),
    })
}

/// The columns at which the fields of the rounds begin, each so many columns wide.
fn columns_of_rounds(
    line: &Columns<'_>,
    first: usize,
    width: usize,
) -> Result<impl Iterator<Item = usize>, CsvError> {
    let beyond = first + ROUNDS * width;
    if line.letters.len() >= beyond {
        return Err(line
            .at(beyond)
            .fault(format!("expected at most {ROUNDS} rounds, found more")));
    }
    Ok((first..=line.letters.len()).step_by(width))
}

fn player(line: &Columns<'_>) -> Result<Player, CsvError> {
    let mut rounds = Vec::new();
    for from in columns_of_rounds(line, 92, 10)? {
        rounds.push(game(line, from)?);
    }
    // Blank entries after the last round with contents are not rounds.
    while rounds.last().is_some_and(|game| *game == Game::default()) {
        rounds.pop();
    }
    Ok(Player {
        number: line.needed(5, 8, "a start number")?,
        sex: line.words(10, 10),
        title: line.words(11, 13),
        name: line.words(15, 47),
        rating: line.value(49, 52, "a rating")?.filter(|rating| *rating > 0),
        federation: line.words(54, 56),
        fide_id: line.words(58, 68),
        birth: line.words(70, 79),
        points: line.value(81, 84, "points such as 2.5")?,
        rank: line.value(86, 89, "a place")?,
        rounds,
        at: Line(line.at(1)),
    })
}

fn game(line: &Columns<'_>, from: usize) -> Result<Game, CsvError> {
    let white = match line.letter(from + 5).to_ascii_lowercase() {
        'w' => Some(true),
        'b' => Some(false),
        '-' | ' ' => None,
        other => {
            return Err(line.at(from + 5).fault(format!(
                "expected w, b or - in column {}, found `{other}`",
                from + 5
            )));
        }
    };
    let result = one_of(line, from + 7, RESULTS, "one of 1 0 = + - W D L H F U Z")?;
    let opponent = line
        .value::<u32>(from, from + 3, "a start number or 0000")?
        .filter(|number| *number > 0);
    if opponent.is_some() && "HFUZ".contains(result) {
        return Err(line.at(from + 7).fault(format!(
            "`{result}` is a bye, and there is an opponent; expected 0000"
        )));
    }
    Ok(Game {
        opponent,
        white,
        result: Symbol(result),
    })
}

fn team(line: &Columns<'_>) -> Result<Team, CsvError> {
    Ok(Team {
        number: line.needed(5, 7, "a pairing number")?,
        name: line.words(9, 40),
        short: line.words(42, 46),
        strength: line
            .value::<Points>(48, 53, "a strength")?
            .map(|strength| u32::try_from(strength.0 / 10).unwrap_or(0)),
        points: ByScore {
            matches: line.value(55, 60, "match points")?,
            games: line.value(62, 67, "game points")?,
        },
        rank: line.value(69, 71, "a place")?,
        members: line.numbers(74)?,
        at: Line(line.at(1)),
    })
}

fn team_byes(line: &Columns<'_>) -> Result<TeamByes, CsvError> {
    let points = ByScore {
        matches: line.value(5, 8, "match points")?,
        games: line.value(10, 13, "game points")?,
    };
    let mut teams = Vec::new();
    for from in columns_of_rounds(line, 15, 4)? {
        teams.push(
            line.value(from, from + 2, "a team")?
                .filter(|team| *team > TeamNo::default()),
        );
    }
    Ok(TeamByes {
        points: points.map(Option::unwrap_or_default),
        teams,
    })
}

fn forfeit(line: &Columns<'_>) -> Result<Forfeit, CsvError> {
    let kind = line.text(5, 6);
    if !["+-", "-+", "--"].contains(&kind.as_str()) {
        return Err(line.at(5).fault(format!(
            "expected +-, -+ or -- in columns 5-6, found `{kind}`"
        )));
    }
    Ok(Forfeit {
        kind,
        round: line.needed(8, 10, "a round")?,
        white: line.needed(12, 14, "a team")?,
        black: line.needed(16, 18, "a team")?,
    })
}
