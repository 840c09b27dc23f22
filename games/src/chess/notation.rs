//! Notation of orthodox chess: its names, and how its positions and moves are written.

use crate::{
    board8::board::PROMOTIONS,
    cecp_edit::edited,
    chess::{ChessBy, ChessLaws, Move, Orthodox, laws as law},
    fen::{Fen, write_setup},
    one_board::notation::BoardNotation,
};
use overboard_formats::san::{self, Alphabet, MoveText, push_square};
use overboard_referee::game::position::{Doubt, PositionError, ReadPosition, castling_of};
use overboard_rules::{
    ply::{Pattern, Wing, Written},
    rule::Rule,
    square::{Role, Square},
    variant::{Cecp, ChessWithin, Spelling, VariantInfo},
};
use std::fmt::{self, Write};

/// The registry entry of orthodox chess.
pub static INFO: VariantInfo = VariantInfo {
    name: "Chess",
    is_under_fide: true,
    gives_titles: true,
    in_words: "chess",
    intro: "Chess by the Laws of FIDE.",
    spellings: &Spelling::all(["chess", "standard", "normal", "from position"]),
    arguments: &["chess"],
    chess_within: ChessWithin::Itself,
    cecp: Some(Cecp {
        name: "normal",
        castles_in_letters: false,
        setup: &[],
        edit: Some(edited::<Orthodox>),
    }),
    pages: &[&super::laws::PAGE],
    laws: law::LAWS,
    changes: &law::CHANGES,
    slip: electronic_result,
    ..VariantInfo::BASE
};

/// What a king that goes to the centre often means.
fn electronic_result(written: &Written) -> &'static str {
    match written {
        Written::Move(Pattern {
            role: Role::King,
            to: Square {
                file: 3 | 4,
                rank: 3 | 4,
            },
            ..
        }) => " (electronic boards signal a result with the kings on the centre squares)",
        _ => "",
    }
}

impl<L: ChessLaws> BoardNotation for ChessBy<L> {
    const INFO: &'static VariantInfo = L::INFO;
    const ALPHABET: Alphabet = san::CHESS;
    const SET_UP: &'static Rule = L::SET_UP;
    const FEN_FORM: &'static str = L::FEN_FORM;
    const PROMOTIONS: &'static [Role] = &PROMOTIONS;

    fn read(fen: &str) -> Result<ReadPosition<Self>, PositionError> {
        let long = L::short_for(fen)?;
        let text = long.as_deref().unwrap_or(fen);
        let Fen { setup, lenient } = Fen::parse_with(text, L::READ_RIGHTS)?;
        let (position, doubts) = Self::as_set_up(&setup).map_err(PositionError::Impossible)?;
        Ok(ReadPosition {
            position,
            lenient: lenient || long.is_some(),
            doubts: Doubt::on("", doubts),
        })
    }

    fn write_fen(&self, out: &mut impl Write) -> fmt::Result {
        let setup = self.to_setup();
        write_setup(out, &setup, L::rights(&setup))
    }

    fn coordinates(&self, m: Move) -> MoveText {
        match m.rook() {
            Some(rook) if L::SHUFFLED => between(m, rook),
            _ => coordinates(m),
        }
    }

    /// Castling is read in either form: with the square that the king reaches, and with that of its rook. Which of the
    /// two a program writes depends on the games that it knows.
    fn other_coordinates(&self, m: Move) -> Option<MoveText> {
        let rook = m.rook()?;
        Some(if L::SHUFFLED {
            coordinates(m)
        } else {
            between(m, rook)
        })
    }

    fn castling_of(&self, from: Square, to: Square) -> Option<Wing> {
        // In orthodox chess only a king on the e-file can mean castling.
        if L::SHUFFLED {
            self.castling_step(from, to)
        } else {
            castling_of(from, to)
        }
    }
}

/// A move of chess in coordinates; castling is written with the square that the king reaches.
#[must_use]
pub fn coordinates(m: Move) -> MoveText {
    between(m, m.to())
}

fn between(m: Move, to: Square) -> MoveText {
    let mut text = MoveText::new();
    push_square(&mut text, m.from());
    push_square(&mut text, to);
    if let Some(role) = m.promotion() {
        text.push(role.letter().to_ascii_lowercase());
    }
    text
}
