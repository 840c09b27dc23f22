//! The moves of a game as a list that can be read without script, and that the script turns into links.

use super::{
    recorder::Variation,
    said::said,
    variation::{block, signs},
};
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
    row.coord
        .as_deref()
        .and_then(|reported| reported.rsplit_once('.'))
        .map_or("", |(way, _)| way)
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

/// The list in the making.
pub struct Transcript<'a> {
    /// Whether there are linked boards.
    side_by_side: bool,
    /// Whether White's and Black's plies are in columns of their own.
    in_columns: bool,
    /// Who made the last ply of each open game, the outermost first.
    last: Vec<Option<(u32, Side)>>,
    /// The findings, by row.
    findings: Vec<Vec<&'a Finding>>,
    /// Variations as written, by the row to which they belong.
    variations: &'a [(usize, Variation)],
    /// The open inner games: their paths, and what has been written in them.
    open: Vec<(String, Vec<Markup>)>,
    /// What has been written in the outermost game.
    whole: Vec<Markup>,
    /// The last ply of each open game, the outermost first: its number, if Black's reply follows without one.
    answers: Vec<Option<u32>>,
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
            last: vec![None],
            findings: by_row,
            variations,
            open: Vec::new(),
            whole: Vec::new(),
            answers: vec![None],
            turn: None,
        };
        for (at, row) in rows.iter().enumerate() {
            list.take(at, row);
        }
        while !list.open.is_empty() {
            list.close();
        }
        html! {
            section #moves.two[in_columns] tabindex="0" aria-label="Moves" { @for part in &list.whole { (part) } }
        }
    }

    /// The variations of a row; they are in the order of rows.
    fn of_row(&self, at: usize) -> &'a [(usize, Variation)] {
        let from = self.variations.partition_point(|(row, _)| *row < at);
        let own = &self.variations[from..];
        &own[..own.partition_point(|(row, _)| *row == at)]
    }

    fn push(&mut self, part: Markup) {
        self.open
            .last_mut()
            .map_or(&mut self.whole, |(_, parts)| parts)
            .push(part);
    }

    fn close(&mut self) {
        if let Some((_, parts)) = self.open.pop() {
            self.answers.pop();
            self.last.pop();
            self.push(html! { div.sub { @for part in &parts { (part) } } });
        }
    }

    /// Closes the games inside an open one. Returns whether that is open.
    fn close_to(&mut self, there: &str) -> bool {
        let is_open = self.open.iter().any(|(way, _)| way == there);
        while is_open && self.open.last().is_some_and(|(way, _)| way != there) {
            self.close();
        }
        is_open
    }

    fn take(&mut self, at: usize, row: &PlyRow) {
        if row.kind == Kind::Start && at > 0 && !row.path.is_empty() {
            self.open.push((row.path.clone(), Vec::new()));
            self.answers.push(None);
            self.last.push(None);
        }
        if row.kind == Kind::Result && self.close_to(way_of(row)) {
            self.close();
        }
        if row.kind == Kind::End {
            self.close_to(&row.path);
        }
        let numbered = self.numbered_again(row);
        let row = numbered.as_ref().unwrap_or(row);
        let reported = said(row.remarks.as_deref().unwrap_or(""));
        let Entry { number, text } = self.entry(at, row);
        let found = std::mem::take(&mut self.findings[at]);
        let bad = found
            .iter()
            .any(|finding| finding.severity == Severity::Error);
        let kind = match row.kind {
            Kind::Start | Kind::Result | Kind::End => "m b",
            Kind::Illegal | Kind::Unjudged => "m bad",
            _ if bad => "m bad",
            Kind::Unsaid => "m u",
            _ => "m",
        };
        let column = match row.side {
            _ if !self.in_columns || kind == "m b" => "",
            Some(Side::White) => " own",
            Some(Side::Black) => " own k",
            None => "",
        };
        self.push(html! {
            @if let Some(number) = number { span.n { (number) } " " }
            a class={ (kind) (column) } { (text) (signs(&reported.signs)) }
            @for comment in &reported.comments { span.x.c { (comment) } }
            @for order in &reported.orders { span.x.slip { "Captain of " (captain(order)) } }
            @for event in &reported.events { span.x.event { (event) } }
            @for (_, variation) in self.of_row(at) { (block(variation)) }
            @for finding in &found { (finding_note(finding)) }
            " "
        });
        if let Some(last) = self.answers.last_mut()
            && !(reported.comments.is_empty() && found.is_empty())
        {
            *last = None;
        }
    }

    /// A row as it appears in the list.
    fn entry(&mut self, at: usize, row: &PlyRow) -> Entry {
        let text = self.text(at, row);
        let number = text
            .find(' ')
            .filter(|end| self.in_columns && row.side.is_some() && text[..*end].ends_with('.'));
        match number {
            Some(end) => Entry {
                number: Some(text[..end].to_owned()),
                text: text[end..].trim_start().to_owned(),
            },
            None => Entry { number: None, text },
        }
    }

    /// A ply that was not judged, after an illegal one, with the number that it has by its place in the record.
    fn numbered_again(&mut self, row: &PlyRow) -> Option<PlyRow> {
        if !self.in_columns {
            return None;
        }
        let last = self.last.last_mut()?;
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
            Kind::Start => {
                let tags = tags(row);
                let name = |wanted: &str| {
                    tags.iter()
                        .find(|(name, _)| name == wanted)
                        .map(|(_, value)| value.shown())
                };
                let names = name("White").zip(name("Black"));
                let names = names.map_or(String::new(), |(white, black)| {
                    format!(": {white} – {black}")
                });
                format!("On {}{names}", row.path)
            }
            Kind::Result => format!("{}: {}", way_of(row), row.result.as_deref().unwrap_or("*")),
            Kind::End if !row.path.is_empty() => format!("{}: not settled", row.path),
            Kind::End => {
                let by = row
                    .ended_by
                    .as_ref()
                    .map_or(String::new(), |by| format!(" ({})", end_in_words(by)));
                format!("{}{by}", row.result.as_deref().unwrap_or("*"))
            }
            Kind::Flag => row.coord.clone().unwrap_or_default(),
            Kind::Turn => {
                self.turn = None;
                format!("›{san}")
            }
            _ => self.ply(row, san),
        }
    }

    fn ply(&mut self, row: &PlyRow, san: &str) -> String {
        let here = self.open.last().map_or("", |(way, _)| way.as_str());
        if row.path == here || row.path.is_empty() {
            self.turn = None;
            let is_white = row.side == Some(Side::White);
            let to_answer = if is_white { row.number } else { None };
            let answered = self.answers.last_mut();
            let was = answered.and_then(|last| std::mem::replace(last, to_answer));
            let follows = row.side == Some(Side::Black) && was.is_some() && was == row.number;
            let number = if follows {
                String::new()
            } else {
                number(row).unwrap_or_default()
            };
            return number + san;
        }
        if self.side_by_side {
            let board = if row.side == Some(Side::Black) {
                row.path.to_lowercase()
            } else {
                row.path.clone()
            };
            return format!(
                "{}{board}. {san}",
                row.number
                    .map_or(String::new(), |number| number.to_string())
            );
        }
        // An item of a turn of several plies.
        let own = row
            .path
            .strip_prefix(here)
            .map_or(row.path.as_str(), |own| own.trim_start_matches('.'));
        let turn = Some((row.number, row.side));
        let opens = std::mem::replace(&mut self.turn, turn) != turn;
        let number = if opens {
            number(row).unwrap_or_default() + "‹"
        } else {
            String::new()
        };
        format!("{number}{own}.{san}")
    }
}

/// How a game ended, as in the prose of reports.
fn end_in_words(word: &str) -> String {
    Cause::from_word(word).map_or_else(|| word.replace('-', " "), |cause| cause.to_string())
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
    let starts: Vec<_> = rows
        .iter()
        .enumerate()
        .filter_map(|(at, row)| Some(((row.line?, row.col?), at)))
        .collect();
    let end = rows.len().saturating_sub(1);
    findings
        .iter()
        .map(|finding| {
            if finding.moment.as_deref() == Some("end") {
                return end;
            }
            let place = (finding.place.line, finding.column);
            // Rows are in the order of the text.
            let before = starts.partition_point(|(start, _)| *start <= place);
            before.checked_sub(1).map_or(0, |last| starts[last].1)
        })
        .collect()
}
