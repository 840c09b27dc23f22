//! The contents of a picture, as values.

use overboard_formats::foreign::Foreign;
use overboard_rules::{
    by_side::BySide,
    square::{Piece, Role, Side, Square},
};

/// A picture of one or more boards.
///
/// Its words are [`Foreign`], so a drawing cannot be asked for them in printable form:
///
/// ```compile_fail,E0599
/// use overboard_pictures::diagram::Diagram;
/// fn caption(diagram: &Diagram) -> String {
///     diagram.caption.as_ref().map(|caption| caption.to_string()).unwrap_or_default()
/// }
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagram {
    /// A sentence that describes the picture.
    pub caption: Option<Foreign>,
    /// The rows of boards, from the top down.
    pub rows: Vec<PanelRow>,
    /// Tables below the boards, side by side where there is room.
    pub tables: Vec<WordTable>,
}

/// Text in rows and columns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WordTable {
    /// The title.
    pub title: Foreign,
    /// The name of each column.
    pub heads: Vec<&'static str>,
    /// The rows, with a word for each column.
    pub rows: Vec<Vec<Foreign>>,
}

/// Boards side by side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PanelRow {
    /// The boards, from the left.
    pub panels: Vec<Panel>,
    /// Whether they are linked, so that the last file of a board adjoins the first of the next.
    pub joined: bool,
}

/// One board and everything that belongs to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Panel {
    /// The number of files.
    pub files: u8,
    /// The contents of the squares, from a1 along the ranks, in whole ranks.
    pub cells: Vec<Cell>,
    /// The name of the board, or its players.
    pub title: Option<Foreign>,
    /// Whether files have capital letters, as on mega-boards.
    pub capitals: bool,
    /// The ranks that are roads, counted from 0.
    pub roads: Vec<u8>,
    /// The pieces in hand of White and Black, in the order of a FEN.
    pub hands: Option<BySide<Vec<(Role, u8)>>>,
    /// The side to move.
    pub turn: Option<Side>,
    /// Whether the other side may move, too, in its own turn on the boards around this one.
    pub both_move: bool,
    /// The squares of the last ply, or of all plies of a turn.
    pub last: Vec<Square>,
    /// The squares of kings in check.
    pub checked: Vec<Square>,
    /// The squares to which a piece can go, which are marked with a dot.
    pub targets: Vec<Square>,
    /// Whether play on this board has ended.
    pub closed: bool,
    /// Whether the board is shown from Black's side.
    pub flipped: bool,
}

/// The contents of a square.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// A piece.
    Piece(DrawnPiece),
    /// A piece on top of another.
    Stack {
        /// The piece below.
        carrier: Piece,
        /// The piece on top; of the other side if it annexes.
        rider: Piece,
    },
    /// Two pieces that contest the square.
    Contest {
        /// The piece that arrived.
        attacker: DrawnPiece,
        /// The piece that was there.
        defender: DrawnPiece,
    },
    /// A mega-piece and its game. Boards on the squares of that game are not drawn.
    Board(DrawnPiece, Box<Panel>),
}

/// A piece, and what is special about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DrawnPiece {
    /// Its side and kind.
    pub piece: Piece,
    /// What is special about it.
    pub mark: Option<Mark>,
}

/// What is special about a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// It was promoted, and becomes this again when captured.
    Promoted(Role),
    /// A mega-piece whose game its owner won.
    Armed,
    /// A mega-piece whose game was drawn.
    Disarmed,
    /// A mega-king whose game its owner lost.
    Dethroned,
    /// The points of an over-piece's sub-set.
    Strength(u32),
}

impl Diagram {
    /// Keeps one board only, counted from 0 at the top left.
    pub fn keep(&mut self, board: usize) {
        let mut panels = Vec::new();
        for row in &mut self.rows {
            panels.append(&mut row.panels);
        }
        self.rows = vec![PanelRow {
            panels: panels.into_iter().skip(board).take(1).collect(),
            joined: false,
        }];
        self.tables.clear();
    }

    /// All boards, row by row.
    pub(crate) fn panels(&self) -> impl Iterator<Item = &Panel> {
        self.rows.iter().flat_map(|row| &row.panels)
    }

    /// Turns all boards round, to show them from the other side; of linked boards the last one then comes first.
    pub fn flip(&mut self) {
        let mut panels = Vec::new();
        for row in &mut self.rows {
            if row.joined {
                row.panels.reverse();
            }
            panels.extend(&mut row.panels);
        }
        while let Some(panel) = panels.pop() {
            panel.flipped = !panel.flipped;
            for cell in &mut panel.cells {
                if let Cell::Board(_, board) = cell {
                    panels.push(board);
                }
            }
        }
    }

    /// A diagram of one board, without a caption.
    #[must_use]
    pub fn of(panel: Panel) -> Self {
        Self {
            rows: vec![PanelRow {
                panels: vec![panel],
                joined: false,
            }],
            ..Self::default()
        }
    }
}

impl WordTable {
    /// The lines of the table without its title, beginning with the headings, in displayable form.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Vec<String>> {
        let heads = self.heads.iter().map(|head| (*head).to_owned());
        let rows = self.rows.iter();
        let rows = rows.map(|row| row.iter().map(Foreign::line).collect());
        std::iter::once(heads.collect()).chain(rows)
    }
}

impl Panel {
    /// An empty board.
    #[must_use]
    pub fn new(files: u8, ranks: u8) -> Self {
        Self {
            files,
            cells: vec![Cell::Empty; usize::from(files) * usize::from(ranks)],
            ..Self::default()
        }
    }

    /// The number of ranks.
    #[must_use]
    pub fn ranks(&self) -> u8 {
        let ranks = self.cells.len().checked_div(usize::from(self.files));
        u8::try_from(ranks.unwrap_or(0)).unwrap_or(0)
    }

    /// Puts something on a square, if the square is on the board.
    pub fn put(&mut self, square: Square, cell: Cell) {
        if let Some(place) = self.cell_mut(square) {
            *place = cell;
        }
    }

    /// The contents of a square; empty for a square that is not on the board.
    #[must_use]
    pub fn cell(&self, square: Square) -> &Cell {
        match self.index(square) {
            Some(index) => self.cells.get(index).unwrap_or(&Cell::Empty),
            None => &Cell::Empty,
        }
    }

    /// The contents of a square, mutable; `None` for a square that is not on the board.
    pub fn cell_mut(&mut self, square: Square) -> Option<&mut Cell> {
        let index = self.index(square)?;
        self.cells.get_mut(index)
    }

    /// All squares with their contents, from a1 along the ranks.
    pub fn squares(&self) -> impl Iterator<Item = (Square, &Cell)> {
        let square = |index: usize| {
            let files = usize::from(self.files);
            // Both fit, since they are less than the board's numbers of files and ranks.
            Square::new((index % files) as u8, (index / files) as u8)
        };
        self.cells
            .iter()
            .enumerate()
            .map(move |(index, cell)| (square(index), cell))
    }

    /// The boards on the squares of this one.
    pub fn boards(&self) -> impl Iterator<Item = &Self> {
        self.cells.iter().filter_map(|cell| match cell {
            Cell::Board(_, board) => Some(board.as_ref()),
            _ => None,
        })
    }

    /// The side at the top of the board.
    pub(crate) const fn far(&self) -> Side {
        if self.flipped {
            Side::White
        } else {
            Side::Black
        }
    }

    /// The row where a rank is drawn, from 0 at the top; also the rank that is drawn in a row.
    pub(crate) fn line(&self, rank: u8) -> u8 {
        mirrored(rank, self.ranks(), !self.flipped)
    }

    /// The column where a file is drawn, from 0 at the left; also the file that is drawn in a column.
    pub(crate) const fn column(&self, file: u8) -> u8 {
        mirrored(file, self.files, self.flipped)
    }

    /// Whether a side may move here: it is its turn, or both may move.
    pub(crate) fn may_move(&self, side: Side) -> bool {
        self.turn.is_some_and(|turn| turn == side || self.both_move)
    }

    /// Whether a king of this side is in check.
    pub(crate) fn in_check(&self, side: Side) -> bool {
        let is_own = |square: &Square| match self.cell(*square).piece() {
            Some(piece) => piece.side == side,
            None => false,
        };
        self.checked.iter().any(is_own)
    }

    /// Whether there are boards on the squares of this one.
    pub(crate) fn holds_boards(&self) -> bool {
        self.boards().next().is_some()
    }

    /// The pieces that a side has in hand.
    pub(crate) fn hand(&self, side: Side) -> Option<&[(Role, u8)]> {
        self.hands.as_ref().map(|hands| hands[side].as_slice())
    }

    /// The letter of a file.
    pub(crate) fn letter(&self, file: u8) -> char {
        let letter = Square::file_letter(file);
        if self.capitals {
            letter.to_ascii_uppercase()
        } else {
            letter
        }
    }

    fn index(&self, square: Square) -> Option<usize> {
        if square.file >= self.files {
            return None;
        }
        Some(usize::from(square.rank) * usize::from(self.files) + usize::from(square.file))
    }
}

impl Cell {
    /// The piece that acts from here: the rider of a stack, the attacker of a contest.
    #[must_use]
    pub const fn piece(&self) -> Option<Piece> {
        match self {
            Self::Empty => None,
            Self::Piece(occupant)
            | Self::Board(occupant, _)
            | Self::Contest {
                attacker: occupant, ..
            } => Some(occupant.piece),
            Self::Stack { rider, .. } => Some(*rider),
        }
    }
}

impl DrawnPiece {
    /// A piece without a mark.
    #[must_use]
    pub const fn of(piece: Piece) -> Self {
        Self { piece, mark: None }
    }

    /// A piece with a mark.
    #[must_use]
    pub const fn marked(piece: Piece, mark: Mark) -> Self {
        Self {
            piece,
            mark: Some(mark),
        }
    }
}

/// An index below `of`, counted from the other end if `mirror` is set.
const fn mirrored(index: u8, of: u8, mirror: bool) -> u8 {
    if mirror { of - 1 - index } else { index }
}
