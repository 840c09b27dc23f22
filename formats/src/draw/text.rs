//! Diagrams for terminals and screen readers.
//!
//! Men are chess figures, or FEN letters with [`Options::ascii`]. Silver and Gold have no figure in
//! Unicode and are `S` and `G`, small for Black, everywhere; promoted men are `+P` and `+S` as in FEN.
//! A stack is carrier and rider, `♙♞` or `(Pn)`; two men who fight for a square are `♘×♟` or `Nxp`,
//! the attacker first; behind an over-piece stand its points. Mega-pieces have `!` when armed, `=` when
//! disarmed, `#` when dethroned, and nothing when neutral; a legend says so. The squares of a road are
//! `-`. Colours only repeat what letters say, but for the squares of the last ply.

mod grid;

use super::{Cell, Diagram, Man, Mark, Panel, Row};
use crate::encoding::visible;
use grid::{Fit, Grid};
use overboard_rules::square::{Piece, Role, Side, Square};
use std::collections::BTreeSet;
use unicode_width::UnicodeWidthStr;

/// How to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Letters instead of figures, and nothing outside ASCII.
    pub ascii: bool,
    /// Squares in colours, by ANSI escapes.
    pub styled: bool,
    /// Lines between the squares, where no colours tell them apart.
    pub boxed: bool,
    /// Columns to fill. Boards draw closer together to fit, then stand one below the other; a single
    /// board is never broken.
    pub width: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { ascii: false, styled: false, boxed: false, width: 80 }
    }
}

/// Draws a diagram. Every line ends with a line feed.
#[must_use]
pub fn draw(diagram: &Diagram, options: &Options) -> String {
    let mut parts: Vec<String> = diagram.caption.iter().map(|caption| clean(caption) + "\n").collect();
    parts.extend(diagram.rows.iter().map(|boards| row(boards, options)));
    parts.extend(legend(diagram));
    parts.join("\n")
}

/// A foreign text on one line, without what a terminal could take for more than text.
fn clean(text: &str) -> String {
    visible(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// What the signs of mega-pieces mean, if there are any.
fn legend(diagram: &Diagram) -> Option<String> {
    let panels = diagram.rows.iter().flat_map(|row| &row.panels);
    let signs: BTreeSet<_> = panels.flat_map(Panel::squares).filter_map(|(_, cell)| meaning(cell)).collect();
    let words: Vec<_> = signs.into_iter().collect();
    (!words.is_empty()).then(|| words.join(", ") + "\n")
}

fn meaning(cell: &Cell) -> Option<&'static str> {
    match cell {
        Cell::Man(man) | Cell::Board(man, _) => match man.mark? {
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
    Title,
    /// What there is to say of a side, at its end of the board.
    Of(Side),
    /// A line between two ranks, or at an edge: with no rank above, or none below.
    Rule {
        above: bool,
        below: bool,
    },
    /// A line of a rank: the first, or one of those that show boards on its squares.
    Rank(u8, u8),
    Files,
}

/// Which lines the boards of a row have, so that their ranks stand level.
#[derive(Clone, Copy)]
struct Shape {
    title: bool,
    black: bool,
    white: bool,
}

/// Lines of text and the columns that the longest fills.
#[derive(Default)]
struct Strip {
    lines: Vec<String>,
    width: usize,
}

/// Boards side by side if they fit, else one below the other.
fn row(row: &Row, options: &Options) -> String {
    let all: Vec<_> = row.panels.iter().collect();
    fitting(&all, row.joined, options).unwrap_or_else(|| {
        let alone: Vec<_> = all.iter().map(|panel| alone(panel, options)).collect();
        alone.join("\n")
    })
}

fn alone(panel: &Panel, options: &Options) -> String {
    fitting(&[panel], false, options).unwrap_or_else(|| beside(&[panel], false, Fit::Tight, options).text())
}

/// Boards side by side in the widest manner that fits.
fn fitting(panels: &[&Panel], joined: bool, options: &Options) -> Option<String> {
    let wide = (options.boxed || options.styled).then_some(Fit::Wide);
    let mut strips = wide.into_iter().chain([Fit::Open, Fit::Tight]);
    let fits = |fit| Some(beside(panels, joined, fit, options)).filter(|strip| strip.width <= options.width);
    strips.find_map(fits).map(|strip| strip.text())
}

/// Boards side by side.
fn beside(panels: &[&Panel], joined: bool, fit: Fit, options: &Options) -> Strip {
    let shape = Shape::of(panels);
    let mut whole = Strip::default();
    for (index, panel) in panels.iter().enumerate() {
        let grid = Grid::of(options, panel, fit);
        let slots = shape.slots(panel, grid.ruled());
        whole.add(&match index {
            0 => labels(&slots, 0),
            _ if joined => seam(&slots, grid.ruled(), options.ascii),
            _ => labels(&slots, 3),
        });
        whole.add(&slots.iter().map(|slot| line(*slot, panel, &grid)).collect());
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

/// What parts two linked boards.
fn seam(slots: &[Slot], ruled: bool, ascii: bool) -> Strip {
    let bar = match (ruled, ascii) {
        (true, _) => "",
        (false, true) => "| ",
        (false, false) => "┃ ",
    };
    let piece = |slot: &Slot| if matches!(slot, Slot::Rank(..)) { bar } else { "" };
    slots.iter().map(|slot| piece(slot).to_owned()).collect()
}

fn line(slot: Slot, panel: &Panel, grid: &Grid) -> String {
    match slot {
        Slot::Title => heading(panel).unwrap_or_default(),
        Slot::Of(side) => speech(panel, side).unwrap_or_default(),
        Slot::Rule { above, below } => grid.rule(above, below),
        Slot::Rank(rank, line) => grid.rank(rank, line),
        Slot::Files => grid.files(),
    }
}

impl Shape {
    fn of(panels: &[&Panel]) -> Self {
        let says = |side| panels.iter().any(|panel| speech(panel, side).is_some());
        let title = panels.iter().any(|panel| heading(panel).is_some());
        Self { title, black: says(Side::Black), white: says(Side::White) }
    }

    /// The lines of a board from the top down.
    fn slots(self, panel: &Panel, ruled: bool) -> Vec<Slot> {
        let mut slots = Vec::new();
        slots.extend(self.title.then_some(Slot::Title));
        slots.extend(self.black.then_some(Slot::Of(Side::Black)));
        for rank in (0..panel.ranks()).rev() {
            let above = rank + 1 < panel.ranks();
            slots.extend(ruled.then_some(Slot::Rule { above, below: true }));
            slots.extend((0..=depth(panel, rank)).map(|line| Slot::Rank(rank, line)));
        }
        slots.extend(ruled.then_some(Slot::Rule { above: true, below: false }));
        slots.push(Slot::Files);
        slots.extend(self.white.then_some(Slot::Of(Side::White)));
        slots
    }
}

/// How many lines the boards on a rank take.
fn depth(panel: &Panel, rank: u8) -> u8 {
    let inner = |file| match panel.cell(Square::new(file, rank)) {
        Cell::Board(_, inner) => inner.ranks(),
        _ => 0,
    };
    (0..panel.files).map(inner).max().unwrap_or(0)
}

fn heading(panel: &Panel) -> Option<String> {
    let closed = if panel.closed { " (closed)" } else { "" };
    panel.title.as_ref().map(|title| clean(title) + closed)
}

/// What there is to say of a side: whether it has the move, whether it is in check, what it holds.
fn speech(panel: &Panel, side: Side) -> Option<String> {
    let mut words = Vec::new();
    words.extend((panel.turn == Some(side)).then(|| "to move".to_owned()));
    words.extend(panel.in_check(side).then(|| "in check".to_owned()));
    words.extend(panel.hand(side).map(|hand| format!("holds {}", holding(hand))));
    (!words.is_empty()).then(|| format!("{side} {}", words.join(", ")))
}

/// The contents of a hand: `R 2P`.
pub(super) fn holding(hand: &[(Role, u8)]) -> String {
    let word = |(role, count): &(Role, u8)| match count {
        1 => role.letter().to_string(),
        _ => format!("{count}{}", role.letter()),
    };
    let words: Vec<_> = hand.iter().filter(|(_, count)| *count > 0).map(word).collect();
    if words.is_empty() { "nothing".into() } else { words.join(" ") }
}

impl Strip {
    /// Puts more to the right.
    fn add(&mut self, more: &Self) {
        self.lines.resize(self.lines.len().max(more.lines.len()), String::new());
        for (index, line) in self.lines.iter_mut().enumerate() {
            line.push_str(&" ".repeat(self.width - columns(line)));
            line.push_str(more.lines.get(index).map_or("", String::as_str));
        }
        self.width += more.width;
    }

    /// The lines without blanks at their ends.
    fn text(&self) -> String {
        self.lines.iter().map(|line| line.trim_end().to_owned() + "\n").collect()
    }
}

impl FromIterator<String> for Strip {
    fn from_iter<T: IntoIterator<Item = String>>(lines: T) -> Self {
        let lines: Vec<_> = lines.into_iter().collect();
        let width = lines.iter().map(|line| columns(line)).max().unwrap_or(0);
        Self { lines, width }
    }
}

/// Columns that a text fills, the escapes of its colours left out.
fn columns(text: &str) -> usize {
    let mut pieces = text.split('\u{1b}');
    let first = pieces.next().map_or(0, UnicodeWidthStr::width);
    first + pieces.filter_map(|piece| piece.split_once('m')).map(|(_, text)| text.width()).sum::<usize>()
}

/// A board in words: its title, where the men of both sides stand, and what else is to be said.
pub(super) fn in_words(panel: &Panel) -> String {
    let mut sentences: Vec<_> = heading(panel).into_iter().collect();
    for side in [Side::White, Side::Black] {
        let men: Vec<_> =
            panel.squares().flat_map(|(square, cell)| standing(panel, square, cell, side)).collect();
        sentences.push(format!("{side}: {}", if men.is_empty() { "nothing".into() } else { men.join(", ") }));
        sentences.extend(speech(panel, side));
    }
    sentences.join(". ") + "."
}

/// The men of a side on a square, each as letter and square.
fn standing(panel: &Panel, square: Square, cell: &Cell, side: Side) -> Vec<String> {
    let place = format!("{}{}", panel.letter(square.file), square.rank + 1);
    let word = |piece: Piece, note: &str| {
        (piece.side == side).then(|| format!("{}{place}{note}", piece.role.letter()))
    };
    let words = match cell {
        Cell::Empty => [None, None],
        Cell::Man(man) | Cell::Board(man, _) => [word(man.piece, &note(*man)), None],
        Cell::Stack { carrier, rider } => [word(*carrier, " (carrier)"), word(*rider, " (rider)")],
        Cell::Contest { attacker, defender } => {
            [word(attacker.piece, " (attacker)"), word(defender.piece, " (defender)")]
        }
    };
    words.into_iter().flatten().collect()
}

fn note(man: Man) -> String {
    match man.mark {
        None => String::new(),
        Some(Mark::Promoted(role)) => format!(" (promoted {})", role.name()),
        Some(Mark::Armed) => " (armed)".into(),
        Some(Mark::Disarmed) => " (disarmed)".into(),
        Some(Mark::Dethroned) => " (dethroned)".into(),
        Some(Mark::Strength(points)) => format!(" ({points})"),
    }
}
