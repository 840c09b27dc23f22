//! Tournament reports, tables, settings and captains' instructions, made record by record of what their
//! readers know, with random faults.

use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use overboard_events::{
    roster::{PLAYER_COLUMNS, REQUEST_COLUMNS, TEAM_COLUMNS},
    rounds::ROUND_COLUMNS,
};

/// A tournament report.
#[allow(dead_code)]
#[derive(Debug)]
pub struct Report(pub String);

/// The files of an event.
#[allow(dead_code)]
#[derive(Debug)]
pub struct Tables(pub Vec<(&'static str, String)>);

/// A captain's instruction.
#[allow(dead_code)]
#[derive(Debug)]
pub struct Instruction(pub String);

const NAMES: [&str; 12] = [
    "Leeds",
    "York",
    "Ann",
    "Bob",
    "Zoë",
    "O'Hara, P",
    "Łódź",
    "a\u{202e}b",
    "x\"y",
    "",
    "=1+1",
    "Ann Ann Ann",
];
const RESULTS: [char; 14] = [
    '1', '0', '=', '+', '-', 'W', 'D', 'L', 'H', 'F', 'U', 'Z', ' ', 'x',
];
const HEADERS: [&str; 16] = [
    "012 Cup",
    "022 York",
    "032 ENG",
    "042 2026/11/21",
    "052 2026/11/23",
    "062 4",
    "072 4",
    "082 2",
    "092 Team Swiss",
    "102 Ann",
    "122 40/90",
    "142 5",
    "152 W",
    "192 CUSTOM_TEAM_SWISS",
    "202 BH:MP/C1,SB",
    "352 WB",
];

/// Writes a text from a column on, counted from 1.
fn put(line: &mut Vec<char>, from: usize, text: &str) {
    let end = from - 1 + text.chars().count();
    line.resize(line.len().max(end), ' ');
    text.chars()
        .enumerate()
        .for_each(|(at, letter)| line[from - 1 + at] = letter);
}

/// A number that may occur in a report; seldom one that may not.
fn number(bytes: &mut Unstructured<'_>) -> Result<u32> {
    Ok(match bytes.int_in_range(0..=15)? {
        0 => 0,
        1 => bytes.int_in_range(0..=99_999)?,
        _ => bytes.int_in_range(1..=6)?,
    })
}

fn points(bytes: &mut Unstructured<'_>) -> Result<String> {
    Ok(format!(
        "{}.{}",
        bytes.int_in_range(0..=9)?,
        bytes.choose(&["0", "5", "", "x"])?
    ))
}

/// A player's record with some rounds.
fn player(start: u32, bytes: &mut Unstructured<'_>) -> Result<Vec<char>> {
    let mut line = Vec::new();
    let start = if bytes.ratio(1, 20)? {
        number(bytes)?
    } else {
        start
    };
    put(
        &mut line,
        1,
        &format!(
            "001 {start:>4} {}{:>3}",
            bytes.choose(&["m", "w", " "])?,
            bytes.choose(&["", "GM"])?
        ),
    );
    put(&mut line, 15, bytes.choose(&NAMES)?);
    put(&mut line, 49, &format!("{:>4} ENG", number(bytes)?));
    put(
        &mut line,
        81,
        &format!("{:>4} {:>4}", points(bytes)?, number(bytes)?),
    );
    for round in 0..bytes.int_in_range(0..=4)? {
        let colour = bytes.choose(&['w', 'b', '-', ' ', 'x'])?;
        put(
            &mut line,
            92 + 10 * round,
            &format!("{:>4} {colour} {}", number(bytes)?, bytes.choose(&RESULTS)?),
        );
    }
    Ok(line)
}

/// A record of any other kind.
fn record(bytes: &mut Unstructured<'_>) -> Result<Vec<char>> {
    let mut line = Vec::new();
    let code = *bytes.choose(&[
        "013", "132", "162", "240", "250", "260", "299", "300", "310", "320", "330", "362",
    ])?;
    put(&mut line, 1, code);
    let who = match code {
        "013" | "310" => {
            put(&mut line, 5, &format!("{:>3}", number(bytes)?));
            put(&mut line, 9, bytes.choose(&NAMES)?);
            put(
                &mut line,
                48,
                &format!(
                    "{:>6} {:>6} {:>6} {:>3}",
                    number(bytes)?,
                    points(bytes)?,
                    points(bytes)?,
                    number(bytes)?
                ),
            );
            if code == "013" { 37 } else { 74 }
        }
        "132" => {
            for round in 0..3 {
                put(
                    &mut line,
                    92 + 10 * round,
                    bytes.choose(&["26/11/21", "26-11-21", ""])?,
                );
            }
            return Ok(line);
        }
        "162" | "362" => {
            for (at, sign) in ["W", "D", "L", "P"].iter().enumerate() {
                put(
                    &mut line,
                    6 + 9 * at,
                    &format!("{sign}{:>4}", points(bytes)?),
                );
            }
            return Ok(line);
        }
        "250" => {
            put(
                &mut line,
                5,
                &format!("{:>4} {:>4}", points(bytes)?, points(bytes)?),
            );
            put(
                &mut line,
                15,
                &format!(
                    "{:03} {:03} {:04} {:04}",
                    number(bytes)?,
                    number(bytes)?,
                    number(bytes)?,
                    number(bytes)?
                ),
            );
            return Ok(line);
        }
        "240" | "299" => {
            put(
                &mut line,
                5,
                &format!("{} {:03}", bytes.choose(&RESULTS)?, number(bytes)?),
            );
            put(&mut line, 20, &format!("{:03}", number(bytes)?));
            if code == "240" { 11 } else { 24 }
        }
        "320" => {
            put(
                &mut line,
                5,
                &format!("{:>4} {:>4}", points(bytes)?, points(bytes)?),
            );
            15
        }
        _ => {
            let kind = bytes.choose(&["+-", "-+", "--", "00"])?;
            put(
                &mut line,
                5,
                &format!(
                    "{kind} {:03} {:03} {:03}",
                    number(bytes)?,
                    number(bytes)?,
                    number(bytes)?
                ),
            );
            if code != "330" {
                put(
                    &mut line,
                    5,
                    &format!(
                        "{:03} {:03} {:03}",
                        number(bytes)?,
                        number(bytes)?,
                        number(bytes)?
                    ),
                );
            }
            17
        }
    };
    for index in 0..bytes.int_in_range(0..=4)? {
        put(
            &mut line,
            who + 5 * index,
            &format!("{:04}", number(bytes)?),
        );
    }
    Ok(line)
}

/// A line unchanged, cut short, or with one character replaced.
fn scratched(mut line: Vec<char>, bytes: &mut Unstructured<'_>) -> Result<String> {
    match bytes.int_in_range(0..=24)? {
        0 => line.truncate(bytes.choose_index(line.len().max(1))?),
        1 if !line.is_empty() => {
            let at = bytes.choose_index(line.len())?;
            line[at] = char::arbitrary(bytes)?;
        }
        _ => {}
    }
    Ok(line.into_iter().collect())
}

impl<'a> Arbitrary<'a> for Report {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let mut lines = Vec::new();
        for _ in 0..bytes.int_in_range(0..=4)? {
            lines.push((*bytes.choose(&HEADERS)?).to_owned());
        }
        for start in 1..=bytes.int_in_range(0..=6_u32)? {
            let line = player(start, bytes)?;
            lines.push(scratched(line, bytes)?);
        }
        while !bytes.is_empty() && lines.len() < 40 {
            let line = record(bytes)?;
            lines.push(scratched(line, bytes)?);
        }
        let end = bytes.choose(&["\n", "\r\n", "\r"])?;
        Ok(Self(lines.iter().flat_map(|line| [line, *end]).collect()))
    }
}

/// Settings of every kind, one a line; the last one of each name is invalid.
const SETTINGS: [&str; 24] = [
    "city = \"York\"",
    "federation = \"ENG\"",
    "start = \"2026-11-21\"",
    "end = \"2026-02-30\"",
    "arbiter = \"Ann\\u202e\"",
    "time-control = \"40/90\"",
    "rules = \"edition=2025\"",
    "cycles = 2",
    "rounds = 5",
    "rounds = 0",
    "boards = 4",
    "boards = 2000",
    "pattern = \"wbwb\"",
    "primary = \"game\"",
    "match-points = [\"3\", \"1\", \"0\"]",
    "game-points = [\"1\", \"0.5\", \"0\"]",
    "bye = [\"1\", \"2\"]",
    "board-order = \"free\"",
    "missed = \"unplayed\"",
    "lieutenants = \"by-type\"",
    "tie-breaks = [\"BH:MP/C1\", \"SB\", \"DE\"]",
    "edition = \"2024-08\"",
    "fore-forfeits = \"drawn\"",
    "[swiss]\ninitial = \"black\"\nacceleration = \"baku\"",
];

fn settings(bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::from("name = \"cup\"\n");
    text.push_str(bytes.choose(&[
        "game = \"Chess\"\n",
        "game = \"Overchess\"\n",
        "game = \"StrategiChess\"\n",
        "",
    ])?);
    for (name, values) in [
        (
            "system",
            &[
                "round-robin",
                "scheveningen",
                "knockout",
                "molter",
                "hutton",
                "swiss-team",
                "by-hand",
            ][..],
        ),
        ("participants", &["teams", "players"]),
        ("scoring", &["boards", "kings", "game", "subgames"]),
    ] {
        text.push_str(&format!("{name} = \"{}\"\n", bytes.choose(values)?));
    }
    let mut used = Vec::new();
    for _ in 0..bytes.int_in_range(0..=6)? {
        let line = *bytes.choose(&SETTINGS)?;
        // A line that occurs twice is refused, so few are.
        if !used.contains(&line) || bytes.ratio(1, 10)? {
            used.push(line);
        }
    }
    used.sort_by_key(|line| line.starts_with('['));
    used.iter().for_each(|line| text.extend([line, "\n"]));
    Ok(text)
}

/// A cell that suits its column; seldom anything else.
fn cell(column: &str, row: u32, bytes: &mut Unstructured<'_>) -> Result<String> {
    if bytes.ratio(1, 24)? {
        return Ok(bytes
            .choose(&["\"", ";", "-1", "99999999999", "\t", "\u{202e}", "é", ","])?
            .to_string());
    }
    Ok(match column {
        "number" | "id" | "table" => row.to_string(),
        "name" | "captain" | "short" | "group" => {
            format!("{}{}", bytes.choose(&NAMES)?, bytes.int_in_range(0..=9)?)
        }
        "role" => bytes
            .choose(&["player", "reserve", "commander", "lieutenant", ""])?
            .to_string(),
        "kind" => bytes
            .choose(&[
                "half-bye", "zero-bye", "full-bye", "withdraw", "late", "forbid", "penalty", "set",
            ])?
            .to_string(),
        "result" | "play_off" => bytes
            .choose(&["1-0", "0-1", "1/2-1/2", "=", "1-0f", "0-0f", "", "2-0"])?
            .to_string(),
        "match_points" | "game_points" => bytes.choose(&["", "1", "-1", "0.5", "1½"])?.to_string(),
        "pieces" => bytes.choose(&["", "P R", "a2 b2", "Q", "e1"])?.to_string(),
        _ => bytes.choose(&["", "1", "2", "3", "4"])?.to_string(),
    })
}

/// A table with these columns, some left out or reordered.
fn table(columns: &[&'static str], bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut heads: Vec<&str> = columns.to_vec();
    if bytes.ratio(1, 4)? {
        let at = bytes.choose_index(heads.len())?;
        heads.swap_remove(at);
    }
    let apart = bytes.choose(&[",", ",", ",", ";", "\t"])?;
    let end = bytes.choose(&["\n", "\n", "\r\n"])?;
    let mut text = heads.join(apart) + end;
    for row in 1..=bytes.int_in_range(0..=6_u32)? {
        for (at, head) in heads.iter().enumerate() {
            let cell = cell(head, row, bytes)?;
            text.push_str(if at > 0 { apart } else { "" });
            let is_quoted = bytes.ratio(1, 8)?;
            text.push_str(&if is_quoted {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell
            });
        }
        text.push_str(end);
    }
    Ok(text)
}

impl<'a> Arbitrary<'a> for Tables {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let mut files = vec![("event.toml", settings(bytes)?)];
        for (name, columns) in [
            ("teams.csv", &TEAM_COLUMNS[..]),
            ("players.csv", &PLAYER_COLUMNS),
            ("requests.csv", &REQUEST_COLUMNS),
            ("rounds/01.csv", &ROUND_COLUMNS),
            ("rounds/02.csv", &ROUND_COLUMNS),
        ] {
            if !bytes.is_empty() && bytes.ratio(4, 5)? {
                files.push((name, table(columns, bytes)?));
            }
        }
        Ok(Self(files))
    }
}

/// The words of instructions.
const WORDS: [&str; 40] = [
    "Team",
    "Player",
    "\"Ann\"",
    "\"Bob\"",
    "“Ann”",
    "Ann",
    "send",
    "Send",
    "to",
    "Team Player",
    "a",
    "an",
    "and",
    ",",
    "2",
    "two",
    "99999999999",
    "0",
    "all",
    "both",
    "some",
    "any",
    "Pawn",
    "Pawns",
    "Knight",
    "Knights",
    "Rooks",
    "Bishop",
    "Queen",
    "King",
    "from",
    "a2",
    "a2,",
    "n14",
    "z9",
    "reinforcements",
    ".",
    "..",
    "\"",
    "\u{a0}",
];

impl<'a> Arbitrary<'a> for Instruction {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let mut words: Vec<&str> = vec!["Team Player", bytes.choose(&WORDS[2..6])?, "send"];
        for _ in 0..bytes.int_in_range(0..=8)? {
            words.push(bytes.choose(&WORDS[10..37])?);
        }
        words.extend(["to Team Player", bytes.choose(&WORDS[2..6])?]);
        for _ in 0..bytes.int_in_range(0..=2)? {
            let at = bytes.choose_index(words.len())?;
            words[at] = bytes.choose(&WORDS)?;
        }
        let apart = bytes.choose(&[" ", " ", "  ", ""])?;
        Ok(Self(words.join(apart) + bytes.choose(&[".", "", "!"])?))
    }
}
