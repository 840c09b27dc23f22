//! Results as they are entered: a match on a line, a round as lines or as a table.
//!
//! ```text
//! 1: 1-0 = 0-1 1-0      a match on four boards, each result from White's view on that board
//! 2: 1-0f               a match that is forfeited as a whole
//! 3: 1-0 2-1            a match with kings or sub-games
//! 4: * * 1-0 *          one board of four is over
//! ```

use crate::{
    Event,
    csv::{CsvError, CsvRow, Sheet, Synonyms},
    names,
    results::Finding,
    rounds::{GameResult, Match},
    settings::Scoring,
};
use overboard_formats::{encoding::decode, foreign::visible};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
};

/// A result and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entered {
    /// The game it is for, and the result.
    pub finding: Finding,
    /// Whether it is the result of the play-off of a drawn match.
    pub play_off: bool,
    /// The record that it was taken from.
    pub source: String,
    /// Its place in the input, for messages: empty, or ending in a colon.
    pub place: String,
}

impl Entered {
    /// A result from a place.
    #[must_use]
    pub const fn new(finding: Finding, place: String) -> Self {
        Self {
            finding,
            play_off: false,
            source: String::new(),
            place,
        }
    }

    /// The result of a match's play-off.
    const fn play_off(table: u32, result: GameResult, place: String) -> Self {
        let finding = Finding {
            table,
            board: None,
            result,
            tally: None,
        };
        Self {
            finding,
            play_off: true,
            source: String::new(),
            place,
        }
    }
}

/// Signs for a board that is not over.
const OPEN: [&str; 4] = ["*", "?", ".", "_"];

const EXPECTED: &str = "1-0, 0-1, 1/2-1/2 (or =), 1-0f, 0-1f or 0-0f";

/// The columns of a table of results. The file of a round has all of them.
const COLUMNS: [&str; 9] = [
    "table",
    "board",
    "result",
    "white_score",
    "black_score",
    "white",
    "black",
    "source",
    "play_off",
];
/// The columns of a table of results with other headings for them.
const HEADINGS: Synonyms<'static> = &[
    ("table", &["tbl", "table no", "match"]),
    ("board", &["bo", "brd", "board no"]),
    ("result", &["res"]),
    ("white_score", &["white points", "white kings"]),
    ("black_score", &["black points", "black kings"]),
    ("white", &["white id"]),
    ("black", &["black id"]),
];
/// The header of the table that `pair show --to csv` prints, whose columns have other names here.
const SHOWN: &str = "table,no.,white,result,black,no.";
const SHOWN_COLUMNS: [&str; 6] = [
    "table",
    "white_no",
    "white_name",
    "result",
    "black_name",
    "black_no",
];

/// Parses lines of results: a match each, separated by line breaks or semicolons.
///
/// # Errors
/// The lines that cannot be read, and why.
pub fn lines(event: &Event, round: RoundNo, text: &str) -> Result<Vec<Entered>, Vec<String>> {
    let mut all = Vec::new();
    let mut wrong = Vec::new();
    for line in text.split(['\n', ';']).map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match read_line(event, round, line) {
            Ok(read) => all.extend(read),
            Err(why) => wrong.push(format!("`{line}`: {why}")),
        }
    }
    if wrong.is_empty() {
        Ok(all)
    } else {
        Err(wrong)
    }
}

fn read_line(event: &Event, round: RoundNo, line: &str) -> Result<Vec<Entered>, String> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (table, rest) = line.split_at(digits);
    let table: u32 = table.parse().map_err(|_| {
        "a line must begin with the number of its table, such as `3: 1-0 = 0-1 1-0`".to_owned()
    })?;
    let this = find(event, round, table)?;
    // A comma before a five is a decimal one, since no result begins with five.
    let rest = rest.replace(",5", ".5");
    let rest = rest.trim_start().trim_start_matches([':', ')']);
    let mut words: Vec<&str> = rest.split([' ', '\t', ',']).collect();
    words.retain(|word| !word.is_empty());
    let mut play_off = None;
    if let Some(at) = words.iter().position(|word| *word == "play-off") {
        let won = words
            .get(at + 1)
            .ok_or("expected 1-0 or 0-1 after `play-off`, found nothing")?;
        play_off = Some(Entered::play_off(table, result(won)?, String::new()));
        words.drain(at..(at + 2).min(words.len()));
    }
    let mut all = Vec::new();
    if !is_only_play_off(event, &words, play_off.is_some()) {
        for finding in findings(event, this, &words)? {
            all.push(Entered::new(finding, String::new()));
        }
    }
    all.extend(play_off);
    Ok(all)
}

/// Whether a line has nothing but a play-off, which is enough where a match is one result.
fn is_only_play_off(event: &Event, words: &[&str], has_play_off: bool) -> bool {
    let is_one_result = event.settings.scoring == Scoring::Game || event.settings.pairs_players();
    has_play_off && words.is_empty() && is_one_result
}

/// The results of a match in the words of a line.
fn findings(event: &Event, this: &Match, words: &[&str]) -> Result<Vec<Finding>, String> {
    let (result, tally) = match event.settings.scoring {
        Scoring::Kings | Scoring::Subgames => with_score(words)?,
        Scoring::Boards if !event.settings.pairs_players() => return boards(event, this, words),
        _ => match words {
            [word] => (result(word)?, None),
            _ => {
                return Err(format!(
                    "expected one result after the table, found {}",
                    words.len()
                ));
            }
        },
    };
    Ok(vec![Finding {
        table: this.table,
        board: None,
        result,
        tally,
    }])
}

fn find(event: &Event, round: RoundNo, table: u32) -> Result<&Match, String> {
    let place = event.place_of(round, table)?;
    Ok(&event.rounds[round.index()].matches[place])
}

fn result(word: &str) -> Result<GameResult, String> {
    word.parse()
        .map_err(|()| format!("`{word}` is not a result; expected {EXPECTED}"))
}

/// A short form of the results of all boards, such as `1=01`, as words: a sign for each board, White's score there.
fn short(word: &str, boards: usize) -> Option<Vec<&'static str>> {
    let words: Vec<_> = word.chars().map(of_sign).collect::<Option<_>>()?;
    if boards < 2 || words.len() != boards || word.parse::<GameResult>().is_ok() {
        return None;
    }
    Some(words)
}

/// The result for which a single sign stands.
const fn of_sign(sign: char) -> Option<&'static str> {
    match sign {
        '1' => Some("1-0"),
        '0' => Some("0-1"),
        '=' | '½' => Some("="),
        '+' => Some("1-0f"),
        '-' => Some("0-1f"),
        '*' | '.' => Some("*"),
        _ => None,
    }
}

/// The results of a match's boards, or its forfeit. The score of the match may come first; then it must be that of the
/// boards.
fn boards(event: &Event, this: &Match, words: &[&str]) -> Result<Vec<Finding>, String> {
    let table = this.table;
    let count = this.boards.len();
    if let [word] = words
        && count != 1
        && let Ok(result) = word.parse::<GameResult>()
        && result.is_forfeit()
    {
        return Ok(vec![Finding {
            table,
            board: None,
            result,
            tally: None,
        }]);
    }
    let (total, words) = match words {
        [first, rest @ ..] if !rest.is_empty() && (rest.len() == count || rest.len() == 1) => {
            match points_of(first) {
                Some(total) if rest.len() == count || short(rest[0], count).is_some() => {
                    (Some(total), rest)
                }
                _ => (None, words),
            }
        }
        _ => (None, words),
    };
    let spelled = match words {
        [word] => short(word, count),
        _ => None,
    };
    let words = spelled.as_deref().unwrap_or(words);
    if words.len() != count {
        if let [word] = words
            && count > 1
            && points_of(word).is_some()
        {
            let example = ["1-0", "=", "0-1"].into_iter().cycle().take(count);
            let example: Vec<_> = example.collect();
            return Err(format!(
                "{word} is the score of the match; enter the results of its {count} boards, from White's side on each, such as `{table}: {}`",
                example.join(" ")
            ));
        }
        return Err(format!(
            "table {table} has {count} boards, but the line has {}; `*` stands for an unfinished game",
            overboard_rules::refusal::counted(words.len(), "result")
        ));
    }
    let found = on_boards(this, words)?;
    if let Some(total) = total {
        follows(event, this, &found, total)?;
    }
    Ok(found)
}

/// White's and Black's points in a match, such as `2.5-1.5` or `2½:1½`.
fn points_of(word: &str) -> Option<[Points; 2]> {
    score(&GameResult::spelled(word))
}

/// Checks that a score is that of the boards.
fn follows(
    event: &Event,
    this: &Match,
    found: &[Finding],
    [white, black]: [Points; 2],
) -> Result<(), String> {
    let mut match_ = this.clone();
    match_.result = None;
    for board in &mut match_.boards {
        let own = found.iter().find(|one| one.board == Some(board.board));
        board.result = own.map(|one| one.result);
    }
    let Some(outcome) = event.outcome(&match_) else {
        return Err("a game is unfinished, so the match has no score yet".into());
    };
    let [own, theirs] = outcome.scores.map(|scores| scores.games);
    if [own, theirs] == [white, black] {
        return Ok(());
    }
    Err(format!(
        "the boards make it {own}-{theirs}, and not {white}-{black}; on each board the result is from White's side"
    ))
}

/// The results of the boards that are over.
fn on_boards(this: &Match, words: &[&str]) -> Result<Vec<Finding>, String> {
    let mut found = Vec::new();
    for (board, word) in this.boards.iter().zip(words) {
        if !OPEN.contains(word) {
            found.push(Finding {
                table: this.table,
                board: Some(board.board),
                result: result(word)?,
                tally: None,
            });
        }
    }
    Ok(found)
}

/// A result with kings or sub-games: `1-0 2-1`, `2-1`, or a forfeit.
fn with_score(words: &[&str]) -> Result<(GameResult, Option<[Points; 2]>), String> {
    let score = |word: &str| {
        let bare = word.trim_start_matches('(').trim_end_matches(')');
        score(bare).ok_or_else(|| {
            format!("expected White's and Black's score such as 2-1, found `{word}`")
        })
    };
    match *words {
        [word] => match word.parse::<GameResult>() {
            Ok(forfeit) if forfeit.is_forfeit() => Ok((forfeit, None)),
            Ok(_) => Err(format!(
                "the kings left (or sub-games won) are missing; write them after the result, White's first: `{word} 2-1`"
            )),
            Err(()) => {
                let [white, black] = score(word)?;
                let result = GameResult::of_scores(white, black);
                Ok((result, Some([white, black])))
            }
        },
        [word, counts] => Ok((result(word)?, Some(score(counts)?))),
        _ => Err(format!(
            "expected a result and a score such as `1-0 2-1`, found {} words",
            words.len()
        )),
    }
}

/// `2-1`: White's and Black's kings or sub-games.
#[must_use]
pub fn score(text: &str) -> Option<[Points; 2]> {
    let text = GameResult::spelled(text);
    let (white, black) = text.split_once('-')?;
    Some([white.parse().ok()?, black.parse().ok()?])
}

/// Parses a table of results: with the columns table, board, result and so on, the file of a round, or the output of
/// `pair show --to csv`. Rows without a result are skipped.
///
/// # Errors
/// Everything that is wrong, with its place.
pub fn table(
    event: &Event,
    round: RoundNo,
    file: &str,
    bytes: &[u8],
) -> Result<Vec<Entered>, Vec<CsvError>> {
    type ReadRow = fn(&Event, RoundNo, &CsvRow) -> Result<Vec<Entered>, CsvError>;
    let (sheet, read): (_, ReadRow) = match shown(bytes) {
        Some(text) => (
            Sheet::read(file, text.as_bytes(), &SHOWN_COLUMNS),
            shown_row,
        ),
        None => (
            Sheet::read_worded(file, bytes, &COLUMNS, HEADINGS),
            plain_row,
        ),
    };
    let mut all = Vec::new();
    let mut wrong = Vec::new();
    for row in &sheet.map_err(|fault| vec![fault])?.rows {
        match read(event, round, row) {
            Ok(read) => all.extend(read),
            Err(fault) => wrong.push(fault),
        }
    }
    if wrong.is_empty() {
        Ok(all)
    } else {
        Err(wrong)
    }
}

/// The output of `pair show` with our names for its columns, if it is that.
fn shown(bytes: &[u8]) -> Option<String> {
    let (text, _) = decode(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    let text = text.trim_start();
    let (head, rest) = text.split_once('\n')?;
    let separator = if head.contains(';') { ";" } else { "," };
    let plain = head.trim().replace('"', "").replace(separator, ",");
    if plain.to_lowercase() != SHOWN {
        return None;
    }
    Some(format!("{}\n{rest}", SHOWN_COLUMNS.join(separator)))
}

fn plain_row(event: &Event, round: RoundNo, row: &CsvRow) -> Result<Vec<Entered>, CsvError> {
    let number = |place| row.value::<u32>(place, "a number");
    // A row without a table is a bye of the round.
    if row.text(0).is_empty() && !row.text(5).is_empty() {
        return Ok(Vec::new());
    }
    let table: u32 = row.needed(0, "the number of a table")?;
    let board = row.value(1, "the number of a board")?;
    let place = format!("{}: ", row.at());
    if let [Some(white), Some(black)] = [number(5)?, number(6)?] {
        let this = find(event, round, table).map_err(|why| row.fault(0, why))?;
        if let Some([one, other]) = seated(this, board)
            && [one, other] != [white, black]
        {
            return Err(row.fault(5, format!(
                "table {table} of round {round} has {one} and {other} there, and this row {white} and {black}"
            )));
        }
    }
    let mut all = Vec::new();
    if !row.text(2).is_empty() {
        let kings = "kings or sub-games";
        let tally = match (row.value(3, kings)?, row.value(4, kings)?) {
            (Some(white), Some(black)) => Some([white, black]),
            (None, None) => None,
            _ => return Err(row.at().fault("expected both scores or none")),
        };
        let result = row.needed(2, "1-0, 0-1, 1/2-1/2, 1-0f, 0-1f or 0-0f")?;
        let finding = Finding {
            table,
            board,
            result,
            tally,
        };
        all.push(Entered {
            source: row.text(7).to_owned(),
            ..Entered::new(finding, place.clone())
        });
    }
    if let Some(result) = row.value(8, "1-0 or 0-1 of a play-off")? {
        all.push(Entered::play_off(table, result, place));
    }
    Ok(all)
}

/// The ids of the players of a board, or the numbers of the participants of a match, White's first.
fn seated(this: &Match, board: Option<u32>) -> Option<[u32; 2]> {
    let Some(number) = board else {
        return Some([this.white.get(), this.black.get()]);
    };
    let board = this.board(number).ok()?;
    Some([board.white?, board.black?])
}

/// The table and the board of a label such as `3.1`.
fn labelled(label: &str) -> Option<(u32, Option<u32>)> {
    match label.split_once('.') {
        Some((table, board)) => Some((table.parse().ok()?, Some(board.parse().ok()?))),
        None => Some((label.parse().ok()?, None)),
    }
}

fn shown_row(event: &Event, round: RoundNo, row: &CsvRow) -> Result<Vec<Entered>, CsvError> {
    let label = row.text(0);
    if label.is_empty() {
        return Ok(Vec::new());
    }
    let Some((table, board)) = labelled(label) else {
        return Err(row.fault(
            0,
            format!("expected a table such as 3, or a board such as 3.1, found `{label}`"),
        ));
    };
    let this = find(event, round, table).map_err(|why| row.fault(0, why))?;
    who_fits(event, this, board, row)
        .map_err(|why| row.fault(2, format!("round {round}, {why}")))?;
    let place = format!("{}: ", row.at());
    let (cell, play_off) = match row.text(3).split_once(", play-off ") {
        Some((cell, won)) => (cell, Some(won)),
        None => (row.text(3), None),
    };
    let mut all = Vec::new();
    // The sum of the boards, and the default result of a withdrawn participant's match, follow from the rest.
    let sums = board.is_none()
        && event.settings.scoring == Scoring::Boards
        && !event.settings.pairs_players();
    let follows =
        event.outcome(this).is_none() && event.default_words(this, round).as_deref() == Some(cell);
    let (word, tally) = match cell.split_once(" (") {
        Some((word, counts)) => (word, score(counts.trim_end_matches(')'))),
        None => (cell, None),
    };
    match word.parse::<GameResult>() {
        _ if cell.is_empty() || follows => {}
        Ok(result) if !sums || result.is_forfeit() => {
            let finding = Finding {
                table,
                board,
                result,
                tally,
            };
            all.push(Entered::new(finding, place.clone()));
        }
        _ if sums && score(word).is_some() => {}
        _ => {
            return Err(row.fault(3, format!("expected {EXPECTED}, found `{cell}`")));
        }
    }
    if let Some(won) = play_off {
        let result = result(won).map_err(|why| row.fault(3, why))?;
        all.push(Entered::play_off(table, result, place));
    }
    Ok(all)
}

/// Checks that a row names the players of its board, so that results of another round are not entered by mistake.
fn who_fits(event: &Event, this: &Match, board: Option<u32>, row: &CsvRow) -> Result<(), String> {
    let named = [row.text(2), row.text(4)];
    let (what, seated) = match board {
        None => (
            format!("table {}", this.table),
            this.sides().map(|who: TeamNo| event.name(who)),
        ),
        Some(number) => {
            let board = this.board(number)?;
            let name = |id: Option<u32>| match id.and_then(|id| event.player(id)) {
                Some(player) => player.name.clone(),
                None => "-".into(),
            };
            (
                format!("table {}, board {number}", this.table),
                [name(board.white), name(board.black)],
            )
        }
    };
    let fits =
        |side: usize| named[side].is_empty() || names::same(named[side], seated[side].as_it_came());
    if fits(0) && fits(1) {
        return Ok(());
    }
    Err(format!(
        "{what} is {} against {}, and this row has {} against {}",
        seated[0].shown(),
        seated[1].shown(),
        visible(named[0]),
        visible(named[1])
    ))
}
