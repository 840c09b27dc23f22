//! The rest of a record after something that is not judged: written as its rows say it, without a position.

use overboard_formats::{
    canonical::board_number,
    ply_rows::{Kind, PlyRow},
    san::board_index,
};
use overboard_rules::{square::Side, variant::ChessWithin};

/// What the paths of plies are in the records of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paths {
    /// There are none.
    None,
    /// Linked boards, whose letters are in the numbers of moves.
    Letters,
    /// Boards inside boards: their addresses stand before the items of turns.
    Addresses,
    /// Sub-games in blocks.
    Blocks,
}

impl Paths {
    /// Those of a game with so many boards side by side.
    #[must_use]
    pub const fn of(within: ChessWithin, boards: usize) -> Self {
        match within {
            ChessWithin::SubGames => Self::Blocks,
            ChessWithin::Boards => Self::Addresses,
            _ if boards > 1 => Self::Letters,
            _ => Self::None,
        }
    }
}

/// The movetext of rows that are written as they stand.
///
/// ```
/// use overboard_formats::ply_rows::{Kind, PlyRow, Side};
/// use overboard_referee::rows::as_written::{AsWritten, Paths};
///
/// let mut rest = AsWritten::new(Paths::None);
/// let row = |san: &str, side| PlyRow {
///     kind: Kind::Unjudged,
///     san: Some(san.into()),
///     number: Some(2),
///     side: Some(side),
///     ..PlyRow::default()
/// };
/// rest.follow(&row("Nf3", Side::White));
/// rest.begin("1. e4 e5 2. Nf3".into(), None);
/// rest.take(&row("Zz9", Side::Black));
/// assert_eq!(rest.finish(), "1. e4 e5 2. Nf3 Zz9");
/// ```
#[derive(Clone, Debug)]
pub struct AsWritten {
    text: String,
    paths: Paths,
    /// The path of the innermost turn or block that is open in the text.
    open: Option<String>,
    /// The rows that begin games inside, until those have ended: their tag pairs and comments stand at the beginning of
    /// their blocks.
    starts: Vec<PlyRow>,
    /// The square of the next block, as the record writes it.
    label: Option<String>,
    /// Whether Black's next move has a number, since something precedes it that is no move.
    is_interrupted: bool,
}

impl AsWritten {
    /// Nothing, of a game with such paths.
    #[must_use]
    pub fn new(paths: Paths) -> Self {
        Self {
            text: String::new(),
            paths,
            open: None,
            starts: Vec::new(),
            label: None,
            is_interrupted: true,
        }
    }

    /// From here on rows are written: after this text, in which this turn or block is open.
    pub fn begin(&mut self, text: String, open: Option<String>) {
        (self.text, self.open) = (text, open.filter(|open| self.has_path(open)));
    }

    /// Whether a game inside, or a turn, can have this path.
    fn has_path(&self, open: &str) -> bool {
        match self.paths {
            Paths::Blocks => !open.is_empty(),
            Paths::Addresses => true,
            Paths::None | Paths::Letters => false,
        }
    }

    /// Follows a row that is written otherwise.
    pub fn follow(&mut self, row: &PlyRow) {
        match row.kind {
            Kind::Start if !row.path.is_empty() => {
                self.starts.retain(|start| start.path != row.path);
                self.starts.push(row.clone());
            }
            Kind::Result => {
                let ended = game_of(row);
                self.starts.retain(|start| !is_within(&start.path, ended));
            }
            _ => {}
        }
        let is_in_turn = self.paths == Paths::Addresses && !row.path.is_empty();
        let has_said = row.remarks.is_some() && !is_in_turn;
        self.is_interrupted = has_said || self.is_interrupted && !row.is_ply();
    }

    /// Writes a row.
    pub fn take(&mut self, row: &PlyRow) {
        match row.kind {
            Kind::Start if !row.path.is_empty() => {
                self.follow(row);
                self.go_to(&row.path);
                return;
            }
            Kind::Result => self.close_block(row),
            Kind::Turn => self.close_turn(row),
            _ if row.is_ply() => self.ply(row),
            _ => {}
        }
        self.text.push_str(row.remarks.as_deref().unwrap_or(""));
        self.follow(row);
    }

    /// The movetext, with everything closed in it.
    #[must_use]
    pub fn finish(mut self) -> String {
        while self.open.is_some() {
            self.close();
        }
        self.text
    }

    /// The turn or block around one; `None` if there is none.
    fn around(&self, inside: &str) -> Option<String> {
        let (around, _) = parted(inside)?;
        Some(around.to_owned()).filter(|around| self.has_path(around))
    }

    fn ply(&mut self, row: &PlyRow) {
        if self.paths == Paths::Blocks {
            self.go_to(&row.path);
        }
        let Some(san) = row.san.as_deref() else {
            return;
        };
        match self.paths {
            Paths::None => self.number(row),
            Paths::Letters => self.number_on_board(row),
            Paths::Addresses => return self.item(row, san),
            Paths::Blocks => {
                if let Some(label) = label_of(san) {
                    self.label = Some(label.to_owned());
                    return;
                }
                self.number(row);
            }
        }
        self.word(san);
    }

    /// Writes an item of a turn after its address, or a move of a mega-piece.
    fn item(&mut self, row: &PlyRow, san: &str) {
        let Some((around, on)) = parted(&row.path) else {
            if self.open.is_none() {
                self.number(row);
            }
            return self.word(san);
        };
        self.open_turn(around, row);
        self.word(on);
        self.text.push('.');
        self.text.push_str(san);
    }

    /// Opens the turns down to this one, and closes those that are not around it.
    fn open_turn(&mut self, path: &str, row: &PlyRow) {
        self.close_outside(path);
        if self.open.is_none() {
            self.number(row);
            self.word("<");
            self.open = Some(String::new());
        }
        while let Some(open) = &mut self.open
            && let Some(on) = next_step(path, open)
        {
            *open = joined(open, on);
            self.word(on);
            self.text.push_str(".<");
        }
    }

    fn close_turn(&mut self, row: &PlyRow) {
        self.open_turn(&row.path, row);
        self.close();
        self.text.push_str(row.san.as_deref().unwrap_or(""));
    }

    /// Closes what is open and does not contain this path.
    fn close_outside(&mut self, path: &str) {
        while self
            .open
            .as_ref()
            .is_some_and(|open| !is_within(path, open))
        {
            self.close();
        }
    }

    /// Closes the innermost turn or block.
    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.text.push('>');
            self.open = self.around(&open);
        }
    }

    /// Opens the blocks down to this game, and closes those that are not around it.
    fn go_to(&mut self, path: &str) {
        self.close_outside(path);
        while let Some(on) = next_step(path, self.open.as_deref().unwrap_or("")) {
            let inside = joined(self.open.as_deref().unwrap_or(""), on);
            let label = self.label.take();
            self.word(&format!("<{}:", label.as_deref().unwrap_or(on)));
            if let Some(start) = self.starts.iter().find(|start| start.path == inside) {
                for said in [&start.tags, &start.remarks].into_iter().flatten() {
                    self.text.push(' ');
                    self.text.push_str(said);
                }
            }
            self.open = Some(inside);
            self.is_interrupted = true;
        }
    }

    fn close_block(&mut self, row: &PlyRow) {
        self.go_to(game_of(row));
        if let Some(result) = row.result.as_deref() {
            self.word(result);
        }
        self.close();
    }

    /// Writes the number of a move: that of White always, that of Black if something precedes it that is no move.
    fn number(&mut self, row: &PlyRow) {
        let Some((number, side)) = row.number.zip(row.side) else {
            return;
        };
        match Side::from(side) {
            Side::White => self.word(&format!("{number}.")),
            Side::Black if self.is_interrupted => self.word(&format!("{number}...")),
            Side::Black => {}
        }
    }

    fn number_on_board(&mut self, row: &PlyRow) {
        let made = row.number.zip(row.side);
        if let (Some((number, side)), Some(board)) = (made, board_index(row.path.as_bytes())) {
            self.word(&board_number(board, number, side.into()));
        }
    }

    /// Adds a word, after a blank unless it comes first in what contains it.
    fn word(&mut self, word: &str) {
        if !self.text.is_empty() && !self.text.ends_with(['<', ' ', '\n']) {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }
}

/// Whether a path is that of a game or board, or leads to one inside it.
fn is_within(path: &str, around: &str) -> bool {
    let rest = path.strip_prefix(around);
    rest.is_some_and(|rest| around.is_empty() || rest.is_empty() || rest.starts_with('.'))
}

/// The step that follows, in a path, the path to a game or board around it.
fn next_step<'p>(path: &'p str, around: &str) -> Option<&'p str> {
    let rest = path.get(around.len()..)?;
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    rest.split('.').next().filter(|step| !step.is_empty())
}

fn joined(around: &str, on: &str) -> String {
    match around {
        "" => on.to_owned(),
        _ => format!("{around}.{on}"),
    }
}

/// The path around a board, and its own step; `None` for the outermost board.
fn parted(path: &str) -> Option<(&str, &str)> {
    match path.rsplit_once('.') {
        Some(parts) => Some(parts),
        None if path.is_empty() => None,
        None => Some(("", path)),
    }
}

/// The path of the game whose beginning or result a row is.
pub(super) fn game_of(row: &PlyRow) -> &str {
    row.coord.as_deref().map_or("", path_around)
}

/// The path around a board or a result, empty for the outermost board.
pub(super) fn path_around(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(around, _)| around)
}

/// The square of a block that opens: `<d5:`.
fn label_of(san: &str) -> Option<&str> {
    san.strip_prefix('<')?.strip_suffix(':')
}
