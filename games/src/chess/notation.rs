//! Orthodox chess in words: what it is called, and how its positions and moves are written.

use crate::{
    chess::{Chess, Move, laws as law},
    fen::{AsFen, Fen},
    notation::ReadPosition,
    notation::{Notation, PositionError},
    registry::Variant,
};
use overboard_formats::san::{self, Alphabet, MoveText, push_square};
use overboard_rules::{
    rule::Rule,
    variant::{Cecp, ChessWithin, Sample, Spelling, VariantInfo},
};
use std::fmt::{self, Write};

/// Orthodox chess in words.
pub static INFO: VariantInfo = VariantInfo {
    name: "Chess",
    in_words: "chess",
    spellings: &[
        Spelling::new("chess"),
        Spelling::new("standard"),
        Spelling::new("normal"),
        Spelling::new("from position"),
    ],
    arguments: &["chess"],
    options: &[],
    has_levels: false,
    has_boards: false,
    has_roles: false,
    counts_kings: false,
    chess_within: ChessWithin::Itself,
    cecp: Some(Cecp { name: "normal", setup: &[] }),
    laws: law::LAWS,
    linked_laws: None,
    abroad: None,
    samples: &[Sample::PLAIN],
};

impl Notation for Chess {
    const GAME: Variant = Variant::Chess;
    const ALPHABET: Alphabet = san::CHESS;
    const SET_UP: &'static Rule = &law::SET_UP;
    const FEN_FORM: &'static str = "a FEN has six fields with one space between them, the last from 1 on";

    fn read(fen: &str) -> Result<ReadPosition<Self>, PositionError> {
        let Fen { setup, lenient } = Fen::parse(fen)?;
        let position = Self::from_setup(&setup).map_err(PositionError::Impossible)?;
        Ok(ReadPosition { position, lenient })
    }

    fn write_fen(&self, out: &mut impl Write) -> fmt::Result {
        write!(out, "{}", AsFen(&self.to_setup()))
    }

    fn coordinates(&self, m: Move) -> MoveText {
        coordinates(m)
    }
}

/// A move of chess in coordinates.
#[must_use]
pub fn coordinates(m: Move) -> MoveText {
    let mut text = MoveText::new();
    push_square(&mut text, m.from());
    push_square(&mut text, m.to());
    if let Some(role) = m.promotion() {
        text.push(role.letter().to_ascii_lowercase());
    }
    text
}
