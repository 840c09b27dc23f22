//! [`BoardNotation`]: how the positions and moves of a game on one board are written.

use super::OneBoard;
use overboard_formats::san::{Alphabet, MoveText, PlyText, Spelt, Suffix};
use overboard_pictures::diagram::{Cell, Diagram, DrawnPiece, Panel};
use overboard_referee::game::{
    listing::{Listed, SpeltPly},
    notation::{Notation, Read},
    position::{PositionError, ReadPosition, castling_of},
};
use overboard_rules::{
    by_side::BySide,
    game::Only,
    path::BoardPath,
    ply::Wing,
    position::Position,
    rule::Rule,
    square::{Role, Square},
    variant::VariantInfo,
};
use std::fmt::{self, Write};

/// A game on one board that can be written: its positions as FEN, its moves as SAN and in coordinates.
///
/// ```
/// use overboard_games::{chess::Chess, one_board::notation::BoardNotation};
///
/// let read = Chess::read("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1").unwrap();
/// assert!(!read.lenient);
/// let chess = read.position;
/// assert_eq!(chess.san(chess.at("f7g6").unwrap()).as_str(), "Qg6");
/// ```
pub trait BoardNotation: Position {
    /// The game.
    const INFO: &'static VariantInfo;
    /// The letters of its pieces, and the size of its board.
    const ALPHABET: Alphabet;
    /// The rule that says which positions are possible.
    const SET_UP: &'static Rule;
    /// How its FEN must be written, in a sentence.
    const FEN_FORM: &'static str;
    /// Whether [`for_each_spelt`](Self::for_each_spelt) visits moves in byte order of their coordinates.
    const IN_ORDER: bool = false;

    /// The ranks of its board that are roads, counted from 0.
    const ROADS: &'static [u8] = &[];

    /// What a pawn may become on its last rank, where the record has to say it.
    const PROMOTIONS: &'static [Role] = &[];

    /// Reads a position.
    ///
    /// # Errors
    /// What is wrong with the text, or every reason why it is not a position.
    fn read(fen: &str) -> Result<ReadPosition<Self>, PositionError>;

    /// Writes the position as FEN.
    ///
    /// # Errors
    /// Those of the writer.
    fn write_fen(&self, out: &mut impl Write) -> fmt::Result;

    /// A legal move in coordinates, such as `e2e4`.
    fn coordinates(&self, m: Self::Move) -> MoveText;

    /// Calls `visit` with every legal move in both spellings; in byte order of the coordinates if
    /// [`IN_ORDER`](Self::IN_ORDER) says so.
    fn for_each_spelt(&self, visit: &mut impl FnMut(SpeltPly<'_>)) {
        self.legal_moves(|m| {
            visit(SpeltPly::Listed(&Listed {
                coord: PlyText::from(self.coordinates(m).as_str()),
                san: PlyText::from(self.san(m).as_str()),
                made: None,
            }));
        });
    }

    /// The position as FEN.
    fn fen(&self) -> String {
        let mut text = String::new();
        let _ = self.write_fen(&mut text);
        text
    }

    /// Other coordinates by which programs may mean a legal move, unless they are those of another legal move.
    fn other_coordinates(&self, _m: Self::Move) -> Option<MoveText> {
        None
    }

    /// The legal move with these coordinates, in upper or lower case.
    fn at(&self, coordinates: &str) -> Option<Self::Move> {
        let (mut found, mut other) = (None, None);
        self.legal_moves(|m| {
            if self.coordinates(m).eq_ignore_ascii_case(coordinates) {
                found = Some(m);
            } else if let Some(text) = self.other_coordinates(m)
                && text.eq_ignore_ascii_case(coordinates)
            {
                other = Some(m);
            }
        });
        found.or(other)
    }

    /// The wing to which a king would castle if this king move means castling. Whether it is legal is not checked.
    fn castling_of(&self, from: Square, to: Square) -> Option<Wing> {
        castling_of(from, to)
    }

    /// The contents of a square, to be drawn.
    fn cell(&self, square: Square) -> Cell {
        match self.piece_at(square) {
            Some(piece) => Cell::Piece(DrawnPiece::of(piece)),
            None => Cell::Empty,
        }
    }

    /// The pieces that White and Black hold in hand, if the game has hands.
    fn hands(&self) -> Option<BySide<Vec<(Role, u8)>>> {
        None
    }

    /// The board, to be drawn.
    fn panel(&self) -> Panel {
        let Alphabet { files, ranks, .. } = Self::ALPHABET;
        let mut panel = Panel::new(files, ranks);
        for rank in 0..ranks {
            for file in 0..files {
                let square = Square::new(file, rank);
                panel.put(square, self.cell(square));
            }
        }
        panel.roads = Self::ROADS.to_vec();
        panel.hands = self.hands();
        panel.turn = Some(self.turn());
        if self.in_check() {
            panel.checked = Vec::from_iter(self.king(self.turn()));
        }
        panel
    }

    /// The sign that the ply which led here must have.
    fn suffix(&self) -> Suffix {
        match self.in_check() {
            false => Suffix::None,
            true if self.has_legal_move() => Suffix::Check,
            true => Suffix::Mate,
        }
    }

    /// A legal move as SAN with its sign.
    fn san(&self, m: Self::Move) -> MoveText {
        let mut text = Spelt(self.written(m)).text();
        text.push_str(self.after(m).suffix().as_str());
        text
    }
}

impl<P: BoardNotation> Notation for OneBoard<P> {
    const INFO: &'static VariantInfo = P::INFO;
    const IN_ORDER: bool = P::IN_ORDER;

    fn read_fen(options: &P::Options, fen: &str) -> Read<Self> {
        P::read(fen).map(|read| read.map(|position| Self(position.under(options))))
    }

    fn fen_on(&self, Only: Only) -> Option<String> {
        Some(self.0.fen())
    }

    fn coordinates(&self, m: P::Move) -> PlyText {
        PlyText::from(self.0.coordinates(m).as_str())
    }

    fn san(&self, m: P::Move) -> PlyText {
        PlyText::from(self.0.san(m).as_str())
    }

    fn by_coordinates(&self, text: &str) -> Option<P::Move> {
        self.0.at(text)
    }

    fn for_each_spelt(&self, visit: &mut impl FnMut(SpeltPly<'_>)) {
        self.0.for_each_spelt(visit);
    }

    fn is_check(&self, Only: Only) -> bool {
        self.0.in_check()
    }

    fn diagram(&self, last: &[Square]) -> Diagram {
        Diagram::of(Panel {
            last: last.to_vec(),
            ..self.0.panel()
        })
    }

    fn mark(&self, diagram: &mut Diagram, _path: &BoardPath, coordinates: &str) {
        if let Some(row) = diagram.rows.first_mut()
            && let Some(panel) = row.panels.first_mut()
        {
            panel.last = P::ALPHABET.squares_in(coordinates);
        }
    }
}
