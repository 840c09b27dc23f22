//! Games on one board, and the evaluation of their positions.
//!
//! A new game on one board implements [`BoardValues`] in `values.rs` of its own folder.

use crate::one_board::{OneBoard, notation::BoardNotation};
use overboard_referee::game::play::{ClaimedEnd, Play, Tags, unknown};
use overboard_rules::{
    game::Only,
    outcome::{Cause, Outcome},
    position::Position,
    square::{Piece, Role, Side, Square},
};

/// A game on one board whose positions can be evaluated, in centipawns.
///
/// ```
/// use overboard_games::{chess::Chess, one_board::play::BoardValues};
/// use overboard_rules::square::Role;
///
/// assert!(Chess::worth(Role::Queen) > Chess::worth(Role::Rook));
/// assert_eq!(Chess::default().material(), 0);
/// ```
pub trait BoardValues: BoardNotation {
    /// The default limit of plies ([`Play::long_game`]).
    const LONG_GAME: u32 = 2_000;
    /// The value of a piece of this kind.
    fn worth(role: Role) -> i32;
    /// The material balance for the side to move.
    fn material(&self) -> i32;
    /// The static evaluation for the side to move.
    fn evaluate(&self) -> i32 {
        self.material()
    }
    /// The options that the tag Rules declares; unknown ones are ignored.
    fn agreed(_tags: Tags<'_>) -> Self::Options {
        Self::Options::default()
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
}

/// Sums `worth` over every piece on the board, from the side to move's point of view.
#[inline]
pub(crate) fn pieces<P: Position>(
    position: &P,
    roles: &[Role],
    worth: impl Fn(Piece, Square) -> i32,
) -> i32 {
    let of = |side| -> i32 {
        let of_role = |role| {
            let piece = Piece { side, role };
            position
                .squares_of(piece)
                .map(|square| worth(piece, square))
                .sum::<i32>()
        };
        roles.iter().map(|role| of_role(*role)).sum()
    };
    of(position.turn()) - of(position.turn().other())
}

/// Whether a side has a piece of this kind.
pub(crate) fn any_has<P: Position>(position: &P, role: Role) -> bool {
    Side::BOTH
        .into_iter()
        .any(|side| position.squares_of(Piece { side, role }).next().is_some())
}

/// Ranks between a square and a side's own first rank.
pub(crate) const fn advance(side: Side, square: Square, ranks: u8) -> i32 {
    match side {
        Side::White => square.rank as i32,
        Side::Black => (ranks - 1 - square.rank) as i32,
    }
}

/// 0 in a corner, increasing towards the centre; 6 in the centre of eight by eight.
#[inline]
pub(crate) fn centrality(square: Square, files: u8, ranks: u8) -> i32 {
    let from_edge = |at: u8, count: u8| i32::from(at.min(count - 1 - at));
    from_edge(square.file, files) + from_edge(square.rank, ranks)
}

/// A value for one side, as seen by the same or by the other side.
const fn seen(worth: i32, same: bool) -> i32 {
    if same { worth } else { -worth }
}

impl<P: BoardValues> Play for OneBoard<P> {
    const PICKS: bool = P::PICKS;

    fn agreed(tags: Tags<'_>) -> P::Options {
        P::agreed(tags)
    }

    fn admits(rules: &str) -> Result<(), String> {
        P::admits(rules)
    }

    #[inline]
    fn list(&self, _: Option<Only>, plies: &mut Vec<P::Move>) {
        self.0.list_legal(plies);
    }

    #[inline]
    fn any(&self, chance: &mut impl FnMut(usize) -> usize) -> Option<P::Move> {
        self.0.pick_legal(chance)
    }

    fn material(&self, side: Side) -> i32 {
        seen(self.0.material(), self.0.turn() == side)
    }

    #[inline]
    fn evaluate(&self, side: Side) -> i32 {
        seen(self.0.evaluate(), self.0.turn() == side)
    }

    fn long_game(_: &P::Options) -> u32 {
        P::LONG_GAME
    }

    fn claimed_end(&self, Only: Only) -> ClaimedEnd {
        ClaimedEnd {
            outcome: Outcome::Draw,
            cause: Cause::FiftyMoveClaim,
            moves: format!("{} plies without {}", self.0.halfmove(), P::PROGRESS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::Chess, metachess::Meta, olympic::Olympic};
    use overboard_rules::{game::Game as _, repetition::Times};

    fn of<P: BoardValues>(fen: &str) -> [i32; 2] {
        let position = P::read(fen).unwrap().position;
        [position.material(), position.evaluate()]
    }

    #[test]
    fn first_positions_are_even() {
        assert_eq!(
            [Chess::default().material(), Chess::default().evaluate()],
            [0, 0]
        );
        assert_eq!(
            [Olympic::default().material(), Olympic::default().evaluate()],
            [0, 0]
        );
        assert_eq!(
            [Meta::default().material(), Meta::default().evaluate()],
            [0, 0]
        );
    }

    #[test]
    fn what_is_good_for_one_side_is_bad_for_the_other() {
        let [white, black] =
            ["w", "b"].map(|turn| of::<Chess>(&format!("4k3/8/8/8/8/8/8/R3K3 {turn} - - 0 1")));
        assert_eq!(white, black.map(|worth| -worth));
        assert_eq!(white[0], 500);
        let [white, black] =
            ["w", "b"].map(|turn| of::<Olympic>(&format!("4k/5/5/2S2/K4[Rpp] {turn} - - 0 1")));
        assert_eq!(white, black.map(|worth| -worth));
        assert_eq!(white[0], 450 + 700 - 200);
        let [white, black] = ["w", "b"]
            .map(|turn| of::<Meta>(&format!("4k3/8/8/3(rN)4/8/8/(PB)7/4K3 {turn} - - 0 1")));
        assert_eq!(white, black.map(|worth| -worth));
        assert_eq!(white[0], 320 + 330 + 100 - 500);
    }

    /// Counters may say that many plies captured nothing; a position that is dead is over all the same.
    #[test]
    fn positions_that_are_set_up_dead_are_over_whatever_their_counters_say() {
        fn cause<P: BoardValues>(fen: &str) -> Option<Cause> {
            let game = OneBoard(P::read(fen).unwrap().position);
            let ruling = game.ruling(Times::FIRST);
            assert_eq!(ruling, game.ruling(Times::FIRST.with_plies()));
            assert_eq!(ruling, game.0.end_by_itself());
            ruling.map(|ruling| ruling.cause)
        }
        for counters in ["0 1", "7 60"] {
            assert_eq!(
                cause::<Chess>(&format!("4k3/8/8/8/8/8/8/4KB2 w - - {counters}")),
                Some(Cause::DeadPosition)
            );
            assert_eq!(
                cause::<Meta>(&format!("4k3/8/8/8/8/8/8/4K3 w - - {counters}")),
                Some(Cause::DeadPosition)
            );
            assert_eq!(
                cause::<Chess>(&format!("4k3/8/8/8/8/8/8/4KR2 w - - {counters}")),
                None
            );
        }
    }

    #[test]
    fn an_annexed_piece_counts_for_less() {
        let [free, annexed, blocked] = [
            "n3k3/8/8/8/8/8/7N/4K3",
            "(nN)3k3/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/3(NR)4/8/8/4K3",
        ]
        .map(|pieces| of::<Meta>(&format!("{pieces} w - - 0 1"))[1]);
        let alone = of::<Meta>("4k3/8/8/8/3N4/8/7R/4K3 w - - 0 1")[1];
        assert!(
            annexed > free && blocked < alone,
            "{free} {annexed} {blocked} {alone}"
        );
    }
}
