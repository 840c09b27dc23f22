//! What distinguishes games with the laws of orthodox chess: their initial positions, castling, and its notation.

use super::ChessBy;
use crate::{
    chess::laws as law,
    fen::{RIGHTS, ReadRights, in_corners},
};
use overboard_referee::game::position::FenError;
use overboard_rules::{refusal::Reason, rule::Rule, setup::Setup, variant::VariantInfo};
use std::{fmt::Debug, sync::LazyLock};

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

    /// Reads the castling rights of a FEN.
    const READ_RIGHTS: ReadRights = in_corners;

    /// How the castling rights of a set-up are written, in the order K Q k q.
    fn rights(_setup: &Setup) -> [char; 4] {
        RIGHTS
    }

    /// The FEN that a text stands for, if it is not a FEN itself but short for one.
    ///
    /// # Errors
    /// What is wrong, and where in the text.
    fn short_for(_text: &str) -> Result<Option<String>, FenError> {
        Ok(None)
    }
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
}
