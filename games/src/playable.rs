//! What is asked of a game to be played here, beyond what every [`Game`](overboard_rules::game::Game) says of itself.
//!
//! [`Playable`] is all that players, batches, openings, ledgers and statistics know of a game. A game on one board
//! has it from [`OneBoard`](overboard_rules::game::OneBoard) once it says what its pieces are worth ([`Evaluate`]);
//! a game of another shape implements it in a file of its own.

pub mod one_board;

pub use one_board::Evaluate;

use crate::{
    game_notation::Read, notation::Unusable, recorded::Recorded, registry::Variant, tags::option_faults,
};
use overboard_formats::limits::Limits;
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    repetition::Times,
    square::Side,
};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::ControlFlow,
};

/// A game that players play and ledgers hold.
///
/// Nothing here may hang on chance or on the machine: the same seed gives the same games.
pub trait Playable: Recorded {
    /// Whether there are so few plies that all are listed before one of them is picked. Where there are many,
    /// [`any`](Self::any) picks one without a list.
    const LISTED: bool = true;
    // What is agreed.

    /// What such tags as Boards, Level and Rules agree on; what the game does not know is passed over.
    fn agreed(tags: Tags<'_>) -> Self::Options;
    /// Whether what was agreed leaves no more than a game of chess.
    fn is_chess(_options: &Self::Options) -> bool {
        false
    }
    /// Why players here cannot play under such rules as the tag Rules holds.
    ///
    /// # Errors
    /// The reason, in words.
    fn admits(rules: &str) -> Result<(), String> {
        if rules.is_empty() { Ok(()) } else { Err(unknown(rules)) }
    }
    /// A position under what was agreed, from text.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is no position.
    fn read(options: &Self::Options, fen: &str) -> Result<Self, Unusable> {
        Self::read_form(options, fen).map(|(game, _)| game)
    }
    /// The same, and whether its form had to be forgiven.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is no position.
    fn read_form(options: &Self::Options, fen: &str) -> Read<Self>;
    // Plies.

    /// The board that comes after another, none before the first ply, where players here move on boards side by
    /// side in turn; `None` where a ply may be made on any board.
    fn next_board(&self, _last: Option<Self::Board>) -> Option<Self::Board> {
        None
    }
    /// Puts the legal plies, those on one board or all, behind these; always in the same order.
    fn list(&self, on: Option<Self::Board>, plies: &mut Vec<Self::Ply>) {
        let take = |ply| {
            plies.push(ply);
            ControlFlow::Continue(())
        };
        let _ = match on {
            Some(board) => self.legal_on(board, take),
            None => self.legal(take),
        };
    }
    /// A legal ply by chance, which gives numbers below those that it is asked for.
    fn any(&self, chance: &mut dyn FnMut(usize) -> usize) -> Option<Self::Ply> {
        let mut plies = Vec::new();
        self.list(None, &mut plies);
        pick(&plies, chance)
    }
    /// A number that tells where an opening leads from nearly all other ends of openings.
    fn opening_key(&self) -> u64 {
        self.key()
    }

    // Worth.

    /// What the pieces are worth to a side, in hundredths of a pawn: to the other it is the same less than nothing.
    fn material(&self, side: Side) -> i32;
    /// Points of all sub-sets of White and of Black, where pieces have such: what is left of them to play with.
    fn stock(&self) -> Option<[i32; 2]> {
        None
    }
    /// How good the position looks to a side, likewise.
    fn evaluate(&self, side: Side) -> i32 {
        self.material(side)
    }

    // Ends.

    /// Plies after which a game is stopped unless somebody says otherwise. Hardly a game of players here gets there;
    /// how long they are was counted, and stands in `docs/self-play.md`.
    fn long_game(options: &Self::Options) -> u32;
    /// How the game ended, where it has, with a ply that has brought this about.
    fn ended(&self, _brought: &Self::Effects, times: Times<'_, Self::Snapshot>) -> Option<Ruling> {
        self.ruling(times)
    }
    /// The same where a legal ply is known to be left.
    fn ended_with_plies(&self, brought: &Self::Effects, times: Times<'_, Self::Snapshot>) -> Option<Ruling> {
        self.ended(brought, times)
    }
    /// Whether a record of the game can stop here.
    fn may_stop(&self) -> bool {
        true
    }
    /// The score of a game that is stopped where it stands (GEN-5).
    fn adjudicate(&self) -> Outcome {
        Outcome::Draw
    }
    /// How the game ends by a correct claim that nothing has come of so many moves.
    fn ended_by_claim(&self) -> (Outcome, Cause) {
        (Outcome::Draw, Cause::FiftyMoveClaim)
    }
    /// The end that a word of old ledgers stands for beside this outcome, where it has become the word for another.
    fn renamed(_outcome: Outcome, _word: &str) -> Option<Cause> {
        None
    }
}

/// What is agreed on a game, as tags of records hold it.
#[derive(Clone, Copy, Debug)]
pub struct Tags<'a> {
    /// Boards side by side.
    pub boards: u16,
    /// The level, in a game that has levels.
    pub level: u8,
    /// What the tag Rules holds; empty for nothing.
    pub rules: &'a str,
}

/// A key for openings that are told apart by all that stands in their text.
pub(crate) fn key_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// One of these by chance, if there is one.
pub(crate) fn pick<T: Copy>(from: &[T], chance: &mut dyn FnMut(usize) -> usize) -> Option<T> {
    if from.is_empty() { None } else { from.get(chance(from.len())).copied() }
}

/// Whether rules such as the tag Rules holds are what this game may have agreed on: for games whose players know all
/// that can be agreed.
pub(crate) fn admits_listed(game: Variant, rules: &str) -> Result<(), String> {
    let faults = if rules.is_empty() { Vec::new() } else { option_faults(rules, game, &Limits::default()) };
    faults.into_iter().next().map_or(Ok(()), Err)
}

/// The words about rules that players do not know.
pub(crate) fn unknown(rules: &str) -> String {
    format!(
        "`{rules}`: players here know edition=2003 and edition=2025 on linked boards of StrategiChess, turns=free in Recursive Chess, and the rules of Overchess"
    )
}
