//! The moves of a game as a list that can be read without script, and that the script turns into links.

use super::{
    recorder::Variation,
    said::said,
    variation::{block, signs},
};
use crate::grid::or_blank;

use maud::{Markup, html};
use overboard_formats::{
    foreign::Foreign,
    header::unescape_into,
    ply_rows::{Kind, PlyRow, Side},
};
use overboard_games::registry::Variant;
use overboard_referee::finding::{Finding, Severity};
use overboard_rules::outcome::Cause;

/// The tag pairs of a game that begins, in this notation.
pub fn tags(row: &PlyRow) -> Vec<(String, Foreign)> {
    let mut rest = row.tags.as_deref().unwrap_or("");
    let mut tags = Vec::new();
    while let Some((name, value)) = rest
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(" \""))
    {
        let mut quoted = false;
        let end = value.bytes().position(|byte| {
            let ends = byte == b'"' && !quoted;
            quoted = byte == b'\\' && !quoted;
            ends
        });
        let Some(end) = end else { break };
        let mut bytes = Vec::new();
        unescape_into(&value.as_bytes()[..end], &mut bytes);
        tags.push((
            name.to_owned(),
            String::from_utf8_lossy(&bytes).into_owned(),
        ));
        rest = value[end..].trim_start_matches(['"', ']']).trim_start();
    }
    // The tags of BPGN name each player apart.
    let _ = Variant::tidy(&mut tags);
    let mut foreign = Vec::new();
    for (name, value) in tags {
        foreign.push((name, value.into()));
    }
    foreign
}

/// The path to the game that a row ends.
pub fn way_of(row: &PlyRow) -> &str {
    let coord = row.coord.as_deref().unwrap_or("");
    let (way, _) = coord.rsplit_once('.').unwrap_or_default();
    way
}

/// White's and Black's names in a game that begins; `None` if one of them is missing.
pub fn players(row: &PlyRow) -> Option<[Foreign; 2]> {
    let tags = tags(row);
    let name = |wanted: &str| {
        let (_, value) = tags.iter().find(|(name, _)| name == wanted)?;
        Some(value.clone())
    };
    Some([name("White")?, name("Black")?])
}

/// A ply with its number, whatever precedes it: `2. exd5`.
pub fn numbered(row: &PlyRow) -> String {
    format!(
        "{}{}",
        number(row).unwrap_or_default(),
        row.san.as_deref().unwrap_or("")
    )
}

fn number(row: &PlyRow) -> Option<String> {
    let dots = if row.side == Some(Side::Black) {
        "..."
    } else {
        "."
    };
    row.number.map(|number| format!("{number}{dots} "))
}

/// A row as it appears in the list.
struct Entry {
    /// The number of the move, if it is in a column of its own.
    number: Option<String>,
    text: String,
}

/// An open game: the outermost, or one inside.
#[derive(Default)]
struct OpenGame {
    /// Its path; empty for the outermost.
    path: String,
    /// What has been written in it.
    parts: Vec<Markup>,
    /// Who made its last ply.
    last: Option<(u32, Side)>,
    /// The number of its last ply, if Black's reply follows without one.
    answer: Option<u32>,
}

/// The list in the making.
pub struct Transcript<'a> {
    /// Whether there are linked boards.
    side_by_side: bool,
    /// Whether White's and Black's plies are in columns of their own.
    in_columns: bool,
    /// The findings, by row.
    findings: Vec<Vec<&'a Finding>>,
    /// Variations as written, by the row to which they belong.
    variations: &'a [(usize, Variation)],
    /// The innermost open game, and those around it, the outermost first.
    here: OpenGame,
    around: Vec<OpenGame>,
    /// The open turn of several plies.
    turn: Option<(Option<u32>, Option<Side>)>,
}

impl<'a> Transcript<'a> {
    /// The list of these rows as a section of the page, with the findings at some of them.
    pub fn of(
        rows: &[PlyRow],
        findings: &[(usize, &'a Finding)],
        variations: &'a [(usize, Variation)],
        side_by_side: bool,
    ) -> Markup {
        let mut by_row = vec![Vec::new(); rows.len()];
        for (place, finding) in findings {
            by_row[*place].push(*finding);
        }
        let in_columns = !side_by_side && rows.iter().all(|row| row.kind != Kind::Turn);
        let mut list = Self {
            side_by_side,
            in_columns,
            findings: by_row,
            variations,
            here: OpenGame::default(),
            around: Vec::new(),
            turn: None,
        };
        for (at, row) in rows.iter().enumerate() {
            list.take(at, row);
        }
        while !list.around.is_empty() {
            list.close();
        }
        html! {
            section #moves.two[in_columns] tabindex="0" aria-label="Moves" { @for part in &list.here.parts { (part) } }
        }
    }

    /// The variations of a row; they are in the order of rows.
    fn of_row(&self, at: usize) -> &'a [(usize, Variation)] {
        let from = self.variations.partition_point(|(row, _)| *row < at);
        let own = &self.variations[from..];
        &own[..own.partition_point(|(row, _)| *row == at)]
    }

    fn close(&mut self) {
        if let Some(around) = self.around.pop() {
            let inner = std::mem::replace(&mut self.here, around);
            let block = html! { div.sub { @for part in &inner.parts { (part) } } };
            self.here.parts.push(block);
        }
    }

    /// Closes the games inside an open one that is not the outermost. Returns whether that is open.
    fn close_to(&mut self, there: &str) -> bool {
        let is_there = |game: &OpenGame| game.path == there;
        let is_open =
            !there.is_empty() && (is_there(&self.here) || self.around.iter().any(is_there));
        while is_open && self.here.path != there {
            self.close();
        }
        is_open
    }

    /// Opens and closes the games that a row begins and ends.
    fn open_and_close(&mut self, at: usize, row: &PlyRow) {
        if row.kind == Kind::Start && at > 0 && !row.path.is_empty() {
            let inner = OpenGame {
                path: row.path.clone(),
                ..OpenGame::default()
            };
            self.around.push(std::mem::replace(&mut self.here, inner));
        }
        if row.kind == Kind::Result && self.close_to(way_of(row)) {
            self.close();
        }
        if row.kind == Kind::End {
            self.close_to(&row.path);
        }
    }

    fn take(&mut self, at: usize, row: &PlyRow) {
        self.open_and_close(at, row);
        let numbered = self.numbered_again(row);
        let row = numbered.as_ref().unwrap_or(row);
        let remarks = said(row.remarks.as_deref().unwrap_or(""));
        let Entry { number, text } = self.entry(at, row);
        let found = std::mem::take(&mut self.findings[at]);
        let kind = kind_of(row, &found);
        let column = match row.side {
            _ if !self.in_columns || kind == "m b" => "",
            Some(Side::White) => " own",
            Some(Side::Black) => " own k",
            None => "",
        };
        self.here.parts.push(html! {
            @if let Some(number) = number { span.n { (number) } " " }
            a class={ (kind) (column) } { (text) (signs(&remarks.signs)) }
            @for comment in &remarks.comments { span.x.c { (comment) } }
            @for order in &remarks.orders { span.x.slip { "Captain of " (captain(order)) } }
            @for event in &remarks.events { span.x.event { (event) } }
            @for (_, variation) in self.of_row(at) { (block(variation)) }
            @for finding in &found { (finding_note(finding)) }
            " "
        });
        if !(remarks.comments.is_empty() && found.is_empty()) {
            self.here.answer = None;
        }
    }

    /// A row as it appears in the list.
    fn entry(&mut self, at: usize, row: &PlyRow) -> Entry {
        let text = self.text(at, row);
        if self.in_columns
            && row.side.is_some()
            && let Some((number, rest)) = text.split_once(' ')
            && number.ends_with('.')
        {
            return Entry {
                number: Some(number.to_owned()),
                text: rest.trim_start().to_owned(),
            };
        }
        Entry { number: None, text }
    }

    /// A ply that was not judged, after an illegal one, with the number that it has by its place in the record.
    fn numbered_again(&mut self, row: &PlyRow) -> Option<PlyRow> {
        if !self.in_columns {
            return None;
        }
        let last = &mut self.here.last;
        if row.number.is_some() {
            *last = row.number.zip(row.side);
            return None;
        }
        let (number, side) = match (*last)? {
            _ if row.kind != Kind::Unjudged => return None,
            (number, Side::White) => (number, Side::Black),
            (number, Side::Black) => (number.saturating_add(1), Side::White),
        };
        *last = Some((number, side));
        Some(PlyRow {
            number: Some(number),
            side: Some(side),
            ..row.clone()
        })
    }

    /// A row as it appears in the list, with its number.
    fn text(&mut self, at: usize, row: &PlyRow) -> String {
        let san = row.san.as_deref().unwrap_or("");
        match row.kind {
            Kind::Start if at == 0 => "Start".into(),
            Kind::Start => beginning(row),
            Kind::Result => format!("{}: {}", way_of(row), row.result.as_deref().unwrap_or("*")),
            Kind::End if !row.path.is_empty() => format!("{}: not settled", row.path),
            Kind::End => ending(row),
            Kind::Flag => row.coord.clone().unwrap_or_default(),
            Kind::Turn => {
                self.turn = None;
                format!("›{san}")
            }
            _ => self.ply(row, san),
        }
    }

    fn ply(&mut self, row: &PlyRow, san: &str) -> String {
        if row.path == self.here.path || row.path.is_empty() {
            self.turn = None;
            let is_answer = self.is_answer(row);
            let number = if is_answer { None } else { number(row) };
            return number.unwrap_or_default() + san;
        }
        if self.side_by_side {
            let board = if row.side == Some(Side::Black) {
                row.path.to_lowercase()
            } else {
                row.path.clone()
            };
            return format!("{}{board}. {san}", or_blank(row.number));
        }
        // An item of a turn of several plies.
        let own = match row.path.strip_prefix(&self.here.path) {
            Some(own) => own.trim_start_matches('.'),
            None => &row.path,
        };
        let turn = Some((row.number, row.side));
        let opens = std::mem::replace(&mut self.turn, turn) != turn;
        let number = if opens {
            number(row).unwrap_or_default() + "‹"
        } else {
            String::new()
        };
        format!("{number}{own}.{san}")
    }

    /// Whether a ply is Black's reply to the one before it; from now on that is this one.
    fn is_answer(&mut self, row: &PlyRow) -> bool {
        let is_white = row.side == Some(Side::White);
        let to_answer = if is_white { row.number } else { None };
        let was = std::mem::replace(&mut self.here.answer, to_answer);
        row.side == Some(Side::Black) && was.is_some() && was == row.number
    }
}

/// The beginning of a game within the game: `On d5: Ann – Bob`.
fn beginning(row: &PlyRow) -> String {
    let mut text = format!("On {}", row.path);
    if let Some([white, black]) = players(row) {
        text += &format!(": {} – {}", white.shown(), black.shown());
    }
    text
}

/// The result, and what brought it.
fn ending(row: &PlyRow) -> String {
    let mut text = row.result.as_deref().unwrap_or("*").to_owned();
    if let Some(by) = &row.ended_by {
        text += &format!(" ({})", end_in_words(by));
    }
    text
}

/// The classes of a row with these findings.
fn kind_of(row: &PlyRow, found: &[&Finding]) -> &'static str {
    let is_error = |finding: &&Finding| finding.severity == Severity::Error;
    match row.kind {
        Kind::Start | Kind::Result | Kind::End => "m b",
        Kind::Illegal | Kind::Unjudged => "m bad",
        _ if found.iter().any(is_error) => "m bad",
        Kind::Unsaid => "m u",
        _ => "m",
    }
}

/// How a game ended, as in the prose of reports.
fn end_in_words(word: &str) -> String {
    match Cause::from_word(word) {
        Some(cause) => cause.to_string(),
        None => word.replace('-', " "),
    }
}

/// The side, and the captain's instruction.
fn captain(order: &str) -> String {
    match order.split_once(' ') {
        Some(("W", said)) => format!("White: {said}"),
        Some(("B", said)) => format!("Black: {said}"),
        _ => order.to_owned(),
    }
}

/// A finding, with its rule.
fn finding_note(finding: &Finding) -> Markup {
    html! {
        span.x.f data-w=(finding.severity) {
            b { (finding.code.id) } " " (finding.message.shown())
            @if let Some(rule) = finding.rule { " (" (rule.id) ")" }
        }
    }
}

/// The row of each finding: the one at its place, else the last one before it.
pub fn places(rows: &[PlyRow], findings: &[Finding]) -> Vec<usize> {
    let mut starts = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if let (Some(line), Some(column)) = (row.line, row.col) {
            starts.push(((line, column), at));
        }
    }
    let mut places = Vec::new();
    for finding in findings {
        if finding.moment.as_deref() == Some("end") {
            places.push(rows.len().saturating_sub(1));
            continue;
        }
        let place = (finding.place.line, finding.column);
        // Rows are in the order of the text.
        let after = starts.partition_point(|(start, _)| *start <= place);
        places.push(match starts[..after].last() {
            Some((_, row)) => *row,
            None => 0,
        });
    }
    places
}
