//! What distinguishes games with the laws of orthodox chess: their initial positions, castling, and its notation.

use super::ChessBy;
use crate::{
    chess::laws as law,
    fen::{Fen, RIGHTS, write_setup},
};
use overboard_referee::game::position::FenError;
use overboard_rules::{refusal::Reason, rule::Rule, setup::Setup, variant::VariantInfo};
use std::{
    fmt::{self, Debug, Write},
    sync::LazyLock,
};

/// A game that has the pieces of orthodox chess and all its laws except those on castling and the initial position.
///
/// The code that they share is in [`ChessBy`]; each game implements the rest here.
///
/// ```
/// use overboard_games::chess::{ChessLaws, Orthodox};
/// use overboard_rules::position::Movegen;
///
/// assert!(!Orthodox::SHUFFLED);
/// assert_eq!(Orthodox::first().count_legal(), 20);
/// ```
pub trait ChessLaws: Copy + Eq + Debug + Send + Sync + 'static {
    /// The game.
    const INFO: &'static VariantInfo;
    /// Whether kings and rooks that castle may begin on any file. Then coordinates write castling as the king moving to
    /// the square of its rook, because a move to the square that the king reaches may be an ordinary step.
    const SHUFFLED: bool;
    /// The rule that says which positions are possible.
    const SET_UP: &'static Rule;
    /// How its FEN must be written, in a sentence.
    const FEN_FORM: &'static str;

    /// The rule that a castling breaks, by what prevents it.
    fn castling(reason: &Reason) -> &'static Rule;

    /// The initial position.
    fn first() -> &'static ChessBy<Self>;

    /// Reads a FEN.
    ///
    /// # Errors
    /// What is wrong, and where in the text.
    fn read(fen: &str) -> Result<Fen, FenError>;

    /// Writes a set-up of a position as FEN.
    ///
    /// # Errors
    /// Those of the writer.
    fn write_fen(setup: &Setup, out: &mut impl Write) -> fmt::Result;
}

/// Orthodox chess itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orthodox;

impl ChessLaws for Orthodox {
    const INFO: &'static VariantInfo = &super::notation::INFO;
    const SHUFFLED: bool = false;
    const SET_UP: &'static Rule = &law::SET_UP;
    const FEN_FORM: &'static str =
        "a FEN has six fields with one space between them, the last from 1 on";

    fn castling(_: &Reason) -> &'static Rule {
        &law::CASTLING
    }

    fn first() -> &'static ChessBy<Self> {
        static START: LazyLock<ChessBy<Orthodox>> = LazyLock::new(ChessBy::orthodox);
        &START
    }

    fn read(fen: &str) -> Result<Fen, FenError> {
        Fen::parse(fen)
    }

    fn write_fen(setup: &Setup, out: &mut impl Write) -> fmt::Result {
        write_setup(out, setup, RIGHTS)
    }
}
