//! The squares of one board in text.

use super::Options;
use crate::diagram::{Cell, DrawnPiece, Mark, Panel};
use anstyle::{Ansi256Color, Style};
use overboard_rules::square::{Piece, Role, Side, Square};
use unicode_width::UnicodeWidthStr;

/// The room for a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// A blank on both sides of a piece, and lines or colours between the squares.
    Wide,
    /// One blank between two pieces.
    Open,
    /// No blanks.
    Tight,
}

impl Fit {
    /// The room for the squares of inner boards.
    const fn within(self) -> Self {
        match self {
            Self::Wide | Self::Open => Self::Open,
            Self::Tight => Self::Tight,
        }
    }

    /// The numbers of blanks before and after a piece.
    const fn blanks(self) -> (usize, usize) {
        match self {
            Self::Wide => (1, 1),
            Self::Open => (0, 1),
            Self::Tight => (0, 0),
        }
    }
}

/// The text on a square: its main sign, which is aligned on a file, and what surrounds it.
#[derive(Default)]
struct Word {
    before: &'static str,
    main: String,
    after: String,
}

/// The number of columns before, at and after the main signs of a board.
#[derive(Clone, Copy, Default)]
struct Measure {
    before: usize,
    main: usize,
    after: usize,
}

/// The squares of a board, and their size.
pub struct Grid<'a> {
    options: &'a Options,
    panel: &'a Panel,
    fit: Fit,
    /// Whether there are boards on the squares; `measure` is then that of their squares.
    nested: bool,
    measure: Measure,
}

impl<'a> Grid<'a> {
    /// The squares of a board.
    pub fn of(options: &'a Options, panel: &'a Panel, fit: Fit) -> Self {
        let nested = panel.holds_boards();
        let grid = Self {
            options,
            panel,
            fit,
            nested,
            measure: Measure::default(),
        };
        Self {
            measure: if nested {
                grid.measure_within()
            } else {
                grid.measure()
            },
            ..grid
        }
    }

    /// Whether there are lines between the squares.
    pub const fn ruled(&self) -> bool {
        self.nested || (matches!(self.fit, Fit::Wide) && !self.options.styled)
    }

    /// The column between this board and the one that it adjoins.
    pub const fn seam(&self) -> &'static str {
        match (self.fit, self.options.ascii) {
            _ if self.ruled() => "",
            (_, true) if self.options.styled => "|",
            (_, false) if self.options.styled => "┃",
            (Fit::Tight, true) => " | ",
            (Fit::Tight, false) => " ┃ ",
            (_, true) => "| ",
            (_, false) => "┃ ",
        }
    }

    /// The line above or below a rank.
    pub fn rule(&self, above: bool, below: bool) -> String {
        let [left, middle, right] = match (above, below) {
            _ if self.options.ascii => ["+", "+", "+"],
            (false, _) => ["┌", "┬", "┐"],
            (true, true) => ["├", "┼", "┤"],
            (true, false) => ["└", "┴", "┘"],
        };
        let dashes = if self.options.ascii { "-" } else { "─" }.repeat(self.pitch());
        let runs: Vec<_> = (0..self.panel.files).map(|_| dashes.as_str()).collect();
        format!("{left}{}{right}", runs.join(middle))
    }

    /// A rank; if there are boards on its squares, the given line of it, of which the first has their addresses.
    pub fn rank(&self, rank: u8, line: u8) -> String {
        let squares =
            (0..self.panel.files).map(|column| Square::new(self.panel.column(column), rank));
        let cells: Vec<_> = squares.map(|square| self.square(square, line)).collect();
        if !self.ruled() {
            return cells.concat();
        }
        let bar = if self.options.ascii { "|" } else { "│" };
        format!("{bar}{}{bar}", cells.join(bar))
    }

    /// The letters of the files.
    pub fn files(&self) -> String {
        let letters: Vec<_> = (0..self.panel.files)
            .map(|column| self.file(self.panel.column(column)))
            .collect();
        if self.ruled() {
            format!(" {}", letters.join(" "))
        } else {
            letters.concat()
        }
    }

    fn file(&self, file: u8) -> String {
        let letter = self.panel.letter(file);
        let pitch = self.pitch();
        if self.nested {
            return format!("{letter:^pitch$}");
        }
        let before = self.fit.blanks().0 + self.measure.before;
        format!("{:before$}{letter:<1$}", "", pitch - before)
    }

    /// The number of columns of a square.
    fn pitch(&self) -> usize {
        if self.nested {
            let files = self
                .panel
                .boards()
                .map(|board| usize::from(board.files))
                .max()
                .unwrap_or(0);
            // No board is narrower than the text above it, such as `A2 q= b+`.
            return (files * self.measure.pitch(self.fit.within())).max(8);
        }
        self.measure.pitch(self.fit)
    }

    fn square(&self, square: Square, line: u8) -> String {
        match self.panel.cell(square) {
            _ if !self.nested => self.paint(square),
            cell if line == 0 => self.header(square, cell),
            Cell::Board(_, board) if line <= board.ranks() => {
                self.padded(&self.within(board).rank(board.line(line - 1), 0))
            }
            _ => self.padded(""),
        }
    }

    fn padded(&self, text: &str) -> String {
        format!(
            "{text}{}",
            " ".repeat(self.pitch().saturating_sub(super::columns(text)))
        )
    }

    /// The address and piece of a mega-square, and the side to move on its board.
    fn header(&self, square: Square, cell: &Cell) -> String {
        let word = self.word(cell, "");
        let address = format!("{}{}", self.panel.letter(square.file), square.rank + 1);
        let left = format!("{address} {}{}{}", word.before, word.main, word.after);
        let right = if let Cell::Board(_, board) = cell {
            turn(board)
        } else {
            String::new()
        };
        let gap = self.pitch().saturating_sub(left.width());
        format!("{left}{right:>gap$}")
    }

    /// A square in its colour.
    fn paint(&self, square: Square) -> String {
        let empty = self.empty(self.panel.roads.contains(&square.rank));
        let word = self.word(self.panel.cell(square), empty);
        let text = word.within(self.measure, self.fit);
        if !self.options.styled {
            return text;
        }
        let style = Style::new()
            .fg_color(Some(INK.into()))
            .bg_color(Some(tone(self.panel, square).into()));
        match self.panel.cell(square) {
            Cell::Stack { carrier, rider } => self.paint_stack(&text, *carrier, *rider, style),
            _ => format!("{style}{text}{style:#}"),
        }
    }

    /// A stack with its carrier pale, or red if it is annexed.
    fn paint_stack(&self, text: &str, carrier: Piece, rider: Piece, style: Style) -> String {
        let sign = self.sign(carrier);
        let Some((before, after)) = text.split_once(sign) else {
            return format!("{style}{text}{style:#}");
        };
        let pale = style.fg_color(Some(
            if carrier.side == rider.side {
                PALE
            } else {
                ANNEXED
            }
            .into(),
        ));
        format!("{style}{before}{style:#}{pale}{sign}{pale:#}{style}{after}{style:#}")
    }

    /// The text of an empty square.
    const fn empty(&self, road: bool) -> &'static str {
        match (road, self.options.ascii) {
            _ if self.options.styled => " ",
            (true, _) => "-",
            (false, _) if matches!(self.fit, Fit::Wide) => " ",
            (false, true) => ".",
            (false, false) => "·",
        }
    }

    fn word(&self, cell: &Cell, empty: &str) -> Word {
        match cell {
            Cell::Empty => Word {
                main: empty.into(),
                ..Word::default()
            },
            Cell::Piece(piece) | Cell::Board(piece, _) => self.piece(*piece),
            Cell::Stack { carrier, rider } if self.options.ascii => Word {
                before: "(",
                main: self.sign(*carrier).into(),
                after: format!("{})", self.sign(*rider)),
            },
            Cell::Stack { carrier, rider } => {
                Word::plain(self.sign(*carrier), self.sign(*rider).to_string())
            }
            Cell::Contest { attacker, defender } => {
                let times = if self.options.ascii { 'x' } else { '×' };
                Word::plain(
                    self.sign(attacker.piece),
                    format!("{times}{}", self.sign(defender.piece)),
                )
            }
        }
    }

    fn piece(&self, occupant: DrawnPiece) -> Word {
        let sign = self.sign(occupant.piece);
        match occupant.mark {
            None => Word::plain(sign, String::new()),
            // Not the Gold that every promoted piece of Olympic Chess becomes, but what it was.
            Some(Mark::Promoted(role)) if occupant.piece.role == Role::Gold => {
                let main = Piece {
                    side: occupant.piece.side,
                    role,
                }
                .letter()
                .into();
                Word {
                    before: "+",
                    main,
                    after: String::new(),
                }
            }
            Some(Mark::Promoted(_)) => Word::plain(sign, "~".into()),
            Some(Mark::Armed) => Word::plain(sign, "!".into()),
            Some(Mark::Disarmed) => Word::plain(sign, "=".into()),
            Some(Mark::Dethroned) => Word::plain(sign, "#".into()),
            Some(Mark::Strength(points)) => Word::plain(sign, points.to_string()),
        }
    }

    /// The figure of a piece, or its letter if there is none.
    const fn sign(&self, piece: Piece) -> char {
        if self.options.ascii {
            return piece.letter();
        }
        match (piece.role, piece.side) {
            (Role::Silver | Role::Gold, _) => piece.letter(),
            (Role::King, Side::White) => '♔',
            (Role::Queen, Side::White) => '♕',
            (Role::Rook, Side::White) => '♖',
            (Role::Bishop, Side::White) => '♗',
            (Role::Knight, Side::White) => '♘',
            (Role::Pawn, Side::White) => '♙',
            (Role::King, Side::Black) => '♚',
            (Role::Queen, Side::Black) => '♛',
            (Role::Rook, Side::Black) => '♜',
            (Role::Bishop, Side::Black) => '♝',
            (Role::Knight, Side::Black) => '♞',
            (Role::Pawn, Side::Black) => '♟',
        }
    }

    /// The grid of an inner board, as wide as those of all the others.
    const fn within(&self, panel: &'a Panel) -> Self {
        Self {
            panel,
            fit: self.fit.within(),
            nested: false,
            ..*self
        }
    }

    fn measure(&self) -> Measure {
        let words = self.panel.squares().map(|(_, cell)| self.word(cell, " "));
        words
            .map(|word| word.measure())
            .fold(Measure::default(), Measure::with)
    }

    fn measure_within(&self) -> Measure {
        self.panel
            .boards()
            .map(|board| self.within(board).measure())
            .fold(Measure::default(), Measure::with)
    }
}

impl Word {
    fn plain(main: char, after: String) -> Self {
        Self {
            before: "",
            main: main.into(),
            after,
        }
    }

    fn measure(&self) -> Measure {
        Measure {
            before: self.before.width(),
            main: self.main.width(),
            after: self.after.width(),
        }
    }

    /// The word, centred on its square.
    fn within(&self, measure: Measure, fit: Fit) -> String {
        let own = self.measure();
        let (before, after) = fit.blanks();
        let left = " ".repeat(before + measure.before - own.before);
        let right = " ".repeat(measure.main + measure.after + after - own.main - own.after);
        format!("{left}{}{}{}{right}", self.before, self.main, self.after)
    }
}

impl Measure {
    fn with(self, other: Self) -> Self {
        Self {
            before: self.before.max(other.before),
            main: self.main.max(other.main),
            after: self.after.max(other.after),
        }
    }

    /// The number of columns of a square.
    fn pitch(self, fit: Fit) -> usize {
        let (before, after) = fit.blanks();
        before + self.before + self.main + self.after + after
    }
}

/// The side to move on a small board, and whether it is in check: `w`, `b+`. If both may move, the side that has the
/// move in the FEN comes first: `bw`.
fn turn(board: &Panel) -> String {
    let Some(side) = board.turn else {
        return String::new();
    };
    let letter = |side| match side {
        Side::White => 'w',
        Side::Black => 'b',
    };
    let mut text = String::from(letter(side));
    if board.in_check(side) {
        text.push('+');
    }
    if board.both_move {
        text.push(letter(side.other()));
    }
    text
}

const INK: Ansi256Color = Ansi256Color(16);
/// A carrier under a rider of its own side.
const PALE: Ansi256Color = Ansi256Color(242);
/// A carrier under an enemy rider.
const ANNEXED: Ansi256Color = Ansi256Color(160);

/// The colour of a square.
fn tone(panel: &Panel, square: Square) -> Ansi256Color {
    let road = panel.roads.contains(&square.rank);
    Ansi256Color(
        match (
            panel.checked.contains(&square),
            panel.last.contains(&square),
            square.is_light(),
        ) {
            (true, ..) => 210,
            (_, true, true) => 228,
            (_, true, false) => 185,
            (.., true) if road => 152,
            (.., false) if road => 109,
            (.., true) => 223,
            (.., false) => 180,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::{super::columns, *};
    use crate::scenes;
    use std::collections::BTreeSet;

    const FITS: [Fit; 3] = [Fit::Wide, Fit::Open, Fit::Tight];

    fn ways() -> impl Iterator<Item = Options> {
        (0..8).map(|n| Options {
            ascii: n & 1 > 0,
            styled: n & 2 > 0,
            boxed: n & 4 > 0,
            width: 80,
        })
    }

    #[test]
    fn all_lines_of_a_board_are_equally_wide() {
        for panel in scenes::all()
            .iter()
            .flat_map(|diagram| &diagram.rows)
            .flat_map(|row| &row.panels)
        {
            for (options, fit) in ways().flat_map(|options| FITS.map(|fit| (options, fit))) {
                let grid = Grid::of(&options, panel, fit);
                let lines =
                    (0..panel.ranks()).flat_map(|rank| (0..9).map(move |line| (rank, line)));
                let lines = lines.filter(|(_, line)| *line == 0 || grid.nested);
                let widths: BTreeSet<_> = lines
                    .map(|(rank, line)| columns(&grid.rank(rank, line)))
                    .collect();
                assert_eq!(widths.len(), 1, "{:?} {options:?} {fit:?}", panel.title);
                let rule = columns(&grid.rule(true, true));
                assert!(!grid.ruled() || widths.contains(&rule));
                assert!(widths.last() >= Some(&columns(&grid.files())));
            }
        }
    }

    #[test]
    fn a_file_letter_stands_under_the_pieces_of_its_file() {
        let diagram = scenes::olympic();
        let options = Options {
            ascii: true,
            ..Options::default()
        };
        let grid = Grid::of(&options, &diagram.rows[0].panels[0], Fit::Open);
        let (promoted, letters) = (grid.rank(4, 0), grid.files());
        assert_eq!(promoted.find('P'), letters.find('c'));
        assert_eq!(promoted.find('k'), letters.find('e'));
    }
}
