//! Diagrams for terminals and screen readers.
//!
//! Pieces are chess figures, or FEN letters with [`Options::ascii`]. Silver and Gold have no figures in Unicode and are
//! always `S` and `G`, small for Black; promoted pieces are `+P` and `+S` as in FEN. A stack is carrier and rider, `♙♞`
//! or `(Pn)`; two pieces that contest a square are `♘×♟` or `Nxp`, the attacker first; an over-piece is followed by its
//! points. Mega-pieces have `!` if armed, `=` if disarmed, `#` if dethroned, and nothing if neutral; a legend explains
//! this. The squares of a road are `-`. Colours only repeat what letters say, except for the squares of the last ply.

mod grid;

use crate::diagram::{Cell, Diagram, DrawnPiece, Mark, Panel, PanelRow, WordTable};
use grid::{Fit, Grid};
use overboard_rules::square::{Piece, Role, Side, Square};
use std::collections::BTreeSet;
use unicode_width::UnicodeWidthStr;

/// How to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Letters instead of figures, and nothing outside ASCII.
    pub ascii: bool,
    /// Coloured squares, by ANSI escapes.
    pub styled: bool,
    /// Lines between the squares, if colours do not separate them.
    pub boxed: bool,
    /// The number of columns to fill. Boards draw closer together to fit, and then go one below the other; a single
    /// board is never broken.
    pub width: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ascii: false,
            styled: false,
            boxed: false,
            width: 80,
        }
    }
}

/// Draws a diagram. Every line ends with a line feed.
#[must_use]
pub fn draw(diagram: &Diagram, options: &Options) -> String {
    let mut parts = Vec::new();
    if let Some(caption) = &diagram.caption {
        parts.push(caption.line() + "\n");
    }
    for boards in &diagram.rows {
        parts.push(row(boards, options));
    }
    parts.extend(legend(diagram));
    for pair in diagram.tables.chunks(2) {
        parts.extend(tables(pair, options));
    }
    parts.join("\n")
}

/// Tables side by side if they fit, else one below the other.
fn tables(tables: &[WordTable], options: &Options) -> Vec<String> {
    let strips: Vec<_> = tables.iter().map(table).collect();
    let width: usize = strips.iter().map(|strip| strip.width + 3).sum();
    if strips.is_empty() || width > options.width + 3 {
        return strips.iter().map(Strip::text).collect();
    }
    let mut whole = Strip::default();
    for strip in &strips {
        if whole.width > 0 {
            whole.add(&strip.lines.iter().map(|_| "   ".to_string()).collect());
        }
        whole.add(strip);
    }
    vec![whole.text()]
}

/// The columns of a table, two blanks apart.
fn table(table: &WordTable) -> Strip {
    let mut widths = vec![0; table.heads.len()];
    for line in table.lines() {
        for (width, word) in widths.iter_mut().zip(line) {
            *width = word.width().max(*width);
        }
    }
    let mut lines = vec![table.title.line()];
    for words in table.lines() {
        lines.push(padded(words, &widths));
    }
    lines.into_iter().collect()
}

/// Words in columns of these widths.
fn padded(words: Vec<String>, widths: &[usize]) -> String {
    let mut padded = Vec::new();
    for (word, width) in words.into_iter().zip(widths) {
        let blanks = " ".repeat(width.saturating_sub(word.width()));
        // Numbers are aligned on the right.
        padded.push(if word.bytes().all(|b| b.is_ascii_digit()) {
            blanks + &word
        } else {
            word + &blanks
        });
    }
    padded.join("  ").trim_end().to_string()
}

/// The meanings of the signs of mega-pieces, if there are any.
fn legend(diagram: &Diagram) -> Option<String> {
    let mut signs = BTreeSet::new();
    for panel in diagram.panels() {
        signs.extend(meanings(panel));
        for board in panel.boards() {
            signs.extend(meanings(board));
        }
    }
    if signs.is_empty() {
        return None;
    }
    Some(Vec::from_iter(signs).join(", ") + "\n")
}

fn meanings(panel: &Panel) -> impl Iterator<Item = &'static str> {
    panel.squares().filter_map(|(_, cell)| meaning(cell))
}

fn meaning(cell: &Cell) -> Option<&'static str> {
    match cell {
        Cell::Piece(piece) | Cell::Board(piece, _) => match piece.mark? {
            Mark::Armed => Some("! armed"),
            Mark::Disarmed => Some("= disarmed"),
            Mark::Dethroned => Some("# dethroned"),
            Mark::Promoted(_) | Mark::Strength(_) => None,
        },
        Cell::Empty | Cell::Stack { .. } | Cell::Contest { .. } => None,
    }
}

/// A line of a panel.
#[derive(Clone, Copy)]
enum Slot {
    /// A line of the title.
    Title(usize),
    /// A line about a side, at its end of the board: above or below it.
    Far(usize),
    Near(usize),
    /// A line between two ranks, or at an edge: with no rank above, or none below.
    Rule {
        above: bool,
        below: bool,
    },
    /// A line of a rank: the first, or one of those that show boards on its squares.
    Rank(u8, u8),
    Files,
}

/// The number of lines around the boards of a row, so that their ranks are level.
#[derive(Clone, Copy, Default)]
struct Shape {
    title: usize,
    far: usize,
    near: usize,
}

/// A board with the lines of text around it.
struct Drawn<'a> {
    panel: &'a Panel,
    grid: Grid<'a>,
    title: Vec<String>,
    far: Vec<String>,
    near: Vec<String>,
}

/// Lines of text, the number of columns that each fills, and the largest of these numbers.
#[derive(Default)]
struct Strip {
    lines: Vec<String>,
    fills: Vec<usize>,
    width: usize,
}

/// Boards side by side if they fit, else one below the other.
fn row(row: &PanelRow, options: &Options) -> String {
    let all: Vec<_> = row.panels.iter().collect();
    fitting(&all, row.joined, options).unwrap_or_else(|| {
        let alone: Vec<_> = all.iter().map(|panel| alone(panel, options)).collect();
        alone.join("\n")
    })
}

fn alone(panel: &Panel, options: &Options) -> String {
    fitting(&[panel], false, options)
        .unwrap_or_else(|| beside(&[panel], false, Fit::Tight, options).text())
}

/// Boards side by side, at the widest spacing that fits.
fn fitting(panels: &[&Panel], joined: bool, options: &Options) -> Option<String> {
    let fits = if options.boxed || options.styled {
        &[Fit::Wide, Fit::Open, Fit::Tight][..]
    } else {
        &[Fit::Open, Fit::Tight]
    };
    for fit in fits {
        let strip = beside(panels, joined, *fit, options);
        if strip.width <= options.width {
            return Some(strip.text());
        }
    }
    None
}

/// Boards side by side.
fn beside(panels: &[&Panel], joined: bool, fit: Fit, options: &Options) -> Strip {
    let boards: Vec<_> = panels
        .iter()
        .map(|panel| Drawn::of(panel, joined, fit, options))
        .collect();
    let mut shape = Shape::default();
    for board in &boards {
        shape = shape.with(board);
    }
    let mut whole = Strip::default();
    for (index, board) in boards.iter().enumerate() {
        let slots = shape.slots(board);
        whole.add(&match index {
            0 => labels(&slots, 0),
            _ if joined => seam(&slots, board.grid.seam()),
            _ => labels(&slots, 3),
        });
        whole.add(&slots.iter().map(|slot| board.line(*slot)).collect());
    }
    whole
}

/// The numbers of the ranks.
fn labels(slots: &[Slot], gap: usize) -> Strip {
    let label = |slot: &Slot| match slot {
        Slot::Rank(rank, 0) => format!("{:gap$}{:<3}", "", rank + 1),
        _ => " ".repeat(gap + 3),
    };
    slots.iter().map(label).collect()
}

/// The separator of two linked boards.
fn seam(slots: &[Slot], bar: &str) -> Strip {
    let piece = |slot: &Slot| {
        if matches!(slot, Slot::Rank(..)) {
            bar
        } else {
            ""
        }
    };
    slots.iter().map(|slot| piece(slot).to_owned()).collect()
}

impl<'a> Drawn<'a> {
    /// A board; the text around one that adjoins another is no wider than the board.
    fn of(panel: &'a Panel, joined: bool, fit: Fit, options: &'a Options) -> Self {
        let grid = Grid::of(options, panel, fit);
        let room = if joined {
            columns(&grid.rank(0, 0)) as f32
        } else {
            f32::INFINITY
        };
        let lines = |words: Option<String>| match words {
            Some(words) => filled(words.split(' '), room, |word| word.width() as f32),
            None => Vec::new(),
        };
        let far = panel.far();
        let [title, far, near] = [
            heading(panel),
            speech(panel, far),
            speech(panel, far.other()),
        ]
        .map(lines);
        Self {
            panel,
            grid,
            title,
            far,
            near,
        }
    }

    fn line(&self, slot: Slot) -> String {
        let words = |lines: &[String], index: usize| lines.get(index).cloned().unwrap_or_default();
        match slot {
            Slot::Title(index) => words(&self.title, index),
            Slot::Far(index) => words(&self.far, index),
            Slot::Near(index) => words(&self.near, index),
            Slot::Rule { above, below } => self.grid.rule(above, below),
            Slot::Rank(rank, line) => self.grid.rank(rank, line),
            Slot::Files => self.grid.files(),
        }
    }
}

impl Shape {
    /// The shape with room for one more board.
    fn with(self, board: &Drawn) -> Self {
        Self {
            title: self.title.max(board.title.len()),
            far: self.far.max(board.far.len()),
            near: self.near.max(board.near.len()),
        }
    }

    /// The lines of a board, from the top down.
    fn slots(self, board: &Drawn) -> Vec<Slot> {
        let mut slots: Vec<_> = (0..self.title).map(Slot::Title).collect();
        slots.extend((0..self.far).map(Slot::Far));
        slots.extend(squares(board));
        slots.push(Slot::Files);
        slots.extend((0..self.near).map(Slot::Near));
        slots
    }
}

/// The lines of the squares of a board.
fn squares(board: &Drawn) -> Vec<Slot> {
    let (panel, ruled) = (board.panel, board.grid.ruled());
    let mut slots = Vec::new();
    for line in 0..panel.ranks() {
        let rank = panel.line(line);
        if ruled {
            slots.push(Slot::Rule {
                above: line > 0,
                below: true,
            });
        }
        slots.extend((0..=depth(panel, rank)).map(|line| Slot::Rank(rank, line)));
    }
    if ruled {
        slots.push(Slot::Rule {
            above: true,
            below: false,
        });
    }
    slots
}

/// Words as lines that are no wider than `room`; a wider word gets a line of its own.
pub(super) fn filled<'w>(
    words: impl Iterator<Item = &'w str>,
    room: f32,
    width: impl Fn(&str) -> f32,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    // The width of the last line, kept because measuring a long line again for each word would be slow.
    let mut fills = 0.0;
    for word in words {
        let more = width(" ") + width(word);
        match lines.last_mut() {
            Some(line) if fills + more <= room => {
                line.push(' ');
                line.push_str(word);
                fills += more;
            }
            _ => {
                lines.push(word.to_owned());
                fills = width(word);
            }
        }
    }
    lines
}

/// The number of lines that the boards on a rank take.
fn depth(panel: &Panel, rank: u8) -> u8 {
    let inner = |file| match panel.cell(Square::new(file, rank)) {
        Cell::Board(_, inner) => inner.ranks(),
        _ => 0,
    };
    (0..panel.files).map(inner).max().unwrap_or(0)
}

/// The title of a board, and whether play on it has ended.
pub(super) fn heading(panel: &Panel) -> Option<String> {
    let closed = if panel.closed { " (closed)" } else { "" };
    panel.title.as_ref().map(|title| title.line() + closed)
}

/// What there is to say about a side: whether it is to move, whether it is in check, and its pieces in hand.
fn speech(panel: &Panel, side: Side) -> Option<String> {
    let mut words = Vec::new();
    if panel.turn == Some(side) {
        words.push("to move".to_owned());
    } else if panel.may_move(side) {
        words.push("may move too".to_owned());
    }
    if panel.in_check(side) {
        words.push("in check".to_owned());
    }
    if let Some(hand) = panel.hand(side) {
        words.push(format!("holds {}", holding(hand)));
    }
    if words.is_empty() {
        return None;
    }
    Some(format!("{side} {}", words.join(", ")))
}

/// The contents of a hand: `R 2P`.
fn holding(hand: &[(Role, u8)]) -> String {
    let mut words = Vec::new();
    for (role, count) in hand {
        match count {
            0 => {}
            1 => words.push(role.letter().to_string()),
            _ => words.push(format!("{count}{}", role.letter())),
        }
    }
    if words.is_empty() {
        "nothing".into()
    } else {
        words.join(" ")
    }
}

impl Strip {
    /// Appends a strip on the right.
    fn add(&mut self, more: &Self) {
        let count = self.lines.len().max(more.lines.len());
        self.lines.resize(count, String::new());
        self.fills.resize(count, 0);
        let mut others = more.lines.iter().zip(&more.fills);
        for (line, fills) in self.lines.iter_mut().zip(&mut self.fills) {
            let Some((other, more)) = others.next() else {
                break;
            };
            line.extend(std::iter::repeat_n(' ', self.width - *fills));
            line.push_str(other);
            *fills = self.width + more;
        }
        self.width += more.width;
    }

    /// The lines, without blanks at their ends.
    fn text(&self) -> String {
        self.lines
            .iter()
            .map(|line| line.trim_end().to_owned() + "\n")
            .collect()
    }
}

impl FromIterator<String> for Strip {
    fn from_iter<T: IntoIterator<Item = String>>(lines: T) -> Self {
        let lines: Vec<_> = lines.into_iter().collect();
        let fills: Vec<_> = lines.iter().map(|line| columns(line)).collect();
        let width = fills.iter().copied().max().unwrap_or(0);
        Self {
            lines,
            fills,
            width,
        }
    }
}

/// The number of columns that a text fills, not counting colour escapes.
pub(super) fn columns(text: &str) -> usize {
    let mut pieces = text.split('\u{1b}');
    let mut width = pieces.next().map_or(0, UnicodeWidthStr::width);
    for piece in pieces {
        if let Some((_, text)) = piece.split_once('m') {
            width += text.width();
        }
    }
    width
}

/// A board in words: its title, the squares of the pieces of both sides, and what else there is to say.
pub(super) fn in_words(panel: &Panel) -> String {
    let mut sentences: Vec<_> = heading(panel).into_iter().collect();
    for side in [Side::White, Side::Black] {
        let mut pieces = Vec::new();
        for (square, cell) in panel.squares() {
            pieces.extend(standing(panel, square, cell, side));
        }
        sentences.push(format!(
            "{side}: {}",
            if pieces.is_empty() {
                "nothing".into()
            } else {
                pieces.join(", ")
            }
        ));
        sentences.extend(speech(panel, side));
    }
    sentences.join(". ") + "."
}

/// The pieces of a side on a square, each as its letter and the square.
fn standing(panel: &Panel, square: Square, cell: &Cell, side: Side) -> Vec<String> {
    let place = format!("{}{}", panel.letter(square.file), square.rank + 1);
    let mut words = Vec::new();
    let mut say = |piece: Piece, note: &str| {
        if piece.side == side {
            words.push(format!("{}{place}{note}", piece.role.letter()));
        }
    };
    match cell {
        Cell::Empty => {}
        Cell::Piece(occupant) | Cell::Board(occupant, _) => {
            say(occupant.piece, &note(*occupant));
        }
        Cell::Stack { carrier, rider } => {
            say(*carrier, " (carrier)");
            say(*rider, " (rider)");
        }
        Cell::Contest { attacker, defender } => {
            say(attacker.piece, " (attacker)");
            say(defender.piece, " (defender)");
        }
    }
    words
}

pub(super) fn note(piece: DrawnPiece) -> String {
    match piece.mark {
        None => String::new(),
        Some(Mark::Promoted(role)) => format!(" (promoted {})", role.name()),
        Some(Mark::Armed) => " (armed)".into(),
        Some(Mark::Disarmed) => " (disarmed)".into(),
        Some(Mark::Dethroned) => " (dethroned)".into(),
        Some(Mark::Strength(points)) => format!(" ({points})"),
    }
}
