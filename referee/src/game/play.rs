//! [`Play`]: what a game needs to be played by built-in players, beyond what every
//! [`Game`](overboard_rules::game::Game) provides.
//!
//! [`Play`] is all that players, batches, openings, ledgers and statistics know about a game. A game on one board
//! gets it from `OneBoard` in `overboard-games` once it evaluates its positions; a game of
//! another shape implements it in a file of its own.

use crate::game::{record::Record, tags::option_faults};
use overboard_formats::limits::Limits;
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    repetition::Times,
    square::Side,
    variant::VariantInfo,
};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::ControlFlow,
};

/// A game that built-in players play and ledgers record.
///
/// Results must not depend on anything but the arguments, including `chance`: the same seed must give the same games.
///
/// ```
/// use overboard_games::{chess::Chess, one_board::OneBoard};
/// use overboard_referee::game::play::Play;
/// use overboard_rules::{game::Game, square::Side};
///
/// let mut game = OneBoard(Chess::default());
/// let ply = game.any(&mut |below| below - 1).expect("twenty moves to choose from");
/// game.play(ply);
/// assert_eq!(game.material(Side::White), 0);
/// ```
pub trait Play: Record {
    /// Whether plies are few enough to list them all before one is picked. Otherwise [`any`](Self::any) picks one
    /// without a list.
    const LISTED: bool = true;
    /// Whether [`any`](Self::any) picks a ply without listing all.
    const PICKS: bool = false;

    // Options.

    /// The options that tags such as Boards, Level and Rules declare; unknown ones are ignored.
    fn agreed(tags: Tags<'_>) -> Self::Options;
    /// Whether the options leave no more than a game of chess.
    fn is_chess(_options: &Self::Options) -> bool {
        false
    }
    /// Checks that built-in players can play under these rules, in the form of the tag Rules.
    ///
    /// # Errors
    /// The reason, in words.
    fn admits(rules: &str) -> Result<(), String> {
        if rules.is_empty() {
            Ok(())
        } else {
            Err(unknown(rules))
        }
    }

    // Plies.

    /// The board that follows another one if boards take turns in self-play; without an argument the first. `None` if a
    /// ply may be made on any board.
    fn next_board(&self, _last: Option<Self::Board>) -> Option<Self::Board> {
        None
    }
    /// Appends the legal plies, those on one board or all; always in the same order.
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
    /// A random legal ply; `chance(n)` returns a number below n. `None` if there is no legal ply.
    fn any(&self, chance: &mut impl FnMut(usize) -> usize) -> Option<Self::Ply> {
        let mut plies = Vec::new();
        self.list(None, &mut plies);
        pick(&plies, chance)
    }
    /// A hash of the position that an opening leads to, for recognising duplicates.
    fn opening_key(&self) -> u64 {
        self.key()
    }

    // Values.

    /// The material balance for a side, in centipawns; for the other side it is the negative.
    fn material(&self, side: Side) -> i32;
    /// The static evaluation for a side, in centipawns; for the other side it is the negative.
    fn evaluate(&self, side: Side) -> i32 {
        self.material(side)
    }

    // Ends.

    /// The default limit of plies, after which a game is stopped and scored. Hardly any game between built-in players
    /// reaches it; `docs/self-play.md` has the measured lengths.
    fn long_game(options: &Self::Options) -> u32;
    /// How the game ended, if a ply with these effects has ended it.
    fn ended(&self, _brought: &Self::Effects, times: Times<'_, Self::Snapshot>) -> Option<Ruling> {
        self.ruling(times)
    }
    /// Whether a record of the game can stop here.
    fn may_stop(&self) -> bool {
        true
    }
    /// The score of a game that is stopped in this position (GEN-5).
    fn adjudicate(&self) -> Outcome {
        Outcome::Draw
    }
    /// How the game on a board ends by a correct claim of too many moves without progress.
    fn claimed_end(&self, at: Self::Board) -> ClaimedEnd;
}

/// The end by a claim of too many moves without progress.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimedEnd {
    /// Who has won.
    pub outcome: Outcome,
    /// What the end is called.
    pub cause: Cause,
    /// How many moves there have been, and without what; empty if they do not decide.
    pub moves: String,
}

/// The options of a game, as tags of records have them.
#[derive(Clone, Copy, Debug)]
pub struct Tags<'a> {
    /// The number of linked boards.
    pub boards: u16,
    /// The level, if the game has levels.
    pub level: u8,
    /// The value of the tag Rules; empty if there is none.
    pub rules: &'a str,
}

/// A key for openings that are distinguished by their whole text.
pub fn key_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// A random element; `None` if the slice is empty.
pub fn pick<T: Copy>(from: &[T], chance: &mut impl FnMut(usize) -> usize) -> Option<T> {
    if from.is_empty() {
        None
    } else {
        from.get(chance(from.len())).copied()
    }
}

/// Checks that rules in the form of the tag Rules are options of this game: for games whose players know
/// every option.
pub fn admits_listed(game: &VariantInfo, rules: &str) -> Result<(), String> {
    let faults = if rules.is_empty() {
        Vec::new()
    } else {
        option_faults(rules, game, &Limits::default())
    };
    faults.into_iter().next().map_or(Ok(()), Err)
}

/// The message about rules that built-in players do not know.
pub fn unknown(rules: &str) -> String {
    format!(
        "`{rules}`: players here know edition=2003 and edition=2025 on linked boards of StrategiChess, turns=free in Recursive Chess, flag=always in Crazyhouse, and the rules of Overchess"
    )
}
