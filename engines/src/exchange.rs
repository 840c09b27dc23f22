//! Evaluation of a sub-game of Overchess by its players: chess played for an over-piece and what is left of its pieces.
//!
//! What a side can lose is its over-piece with the pieces that it has left: its value as a chess piece times its
//! strength, which goes down with every piece. The winner keeps what is left and the loser keeps nothing, so a player
//! sure to win spares pieces, and one sure to lose captures as many of the opponent's pieces as possible.

use crate::players::Evaluator;
use overboard_games::{
    chess::Chess,
    one_board::{OneBoard, play::BoardValues as _},
    overchess::play::{Stakes, seen_by},
};
use overboard_rules::{
    by_side::BySide,
    outcome::Outcome,
    position::{Explain, Movegen},
    square::{Piece, Role, Side},
};

/// The value of the pieces on the board; a promoted piece counts as what it has become.
fn points(chess: &Chess) -> BySide<i32> {
    let of = |side| {
        let kinds = [
            (Role::Pawn, 1),
            (Role::Knight, 3),
            (Role::Bishop, 3),
            (Role::Rook, 5),
            (Role::Queen, 9),
        ];
        kinds
            .map(|(role, points)| points * chess.squares_of(Piece { side, role }).count() as i32)
            .iter()
            .sum()
    };
    BySide::from_fn(of)
}

/// The expected value of a position with this evaluation for the side to move, from the given side's point of
/// view.
fn expected(stakes: &Stakes, chess: &Chess, worth: i32, side: Side) -> i32 {
    seen_by(
        side,
        stakes.expected(seen_by(chess.turn(), worth), points(chess)),
    )
}

impl Evaluator<OneBoard<Chess>> for Stakes {
    fn look(&self, OneBoard(chess): &OneBoard<Chess>, side: Side) -> i32 {
        expected(self, chess, chess.evaluate(), side)
    }

    fn material(&self, OneBoard(chess): &OneBoard<Chess>, side: Side) -> i32 {
        expected(self, chess, chess.material(), side)
    }

    fn prize(&self, OneBoard(last): &OneBoard<Chess>, outcome: Outcome) -> i32 {
        self.settled(outcome, points(last))
    }

    /// A win is worth more the more pieces are left, a defeat less the fewer pieces the winner has left.
    fn share(&self, OneBoard(last): &OneBoard<Chess>, outcome: Outcome, side: Side) -> f64 {
        let [white, black] = points(last)
            .map(|points| f64::from(points) / 39.0)
            .into_array();
        let white = match outcome {
            Outcome::Win(Side::White) => 0.8 + 0.2 * white.min(1.0),
            Outcome::Win(Side::Black) => 0.2 - 0.2 * black.min(1.0),
            Outcome::Draw => 0.5 + 0.2 * (white - black).clamp(-1.0, 1.0),
        };
        if side == Side::White {
            white
        } else {
            1.0 - white
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chance::{Chance, Purpose},
        live_game::LiveGame,
        players::sit_down,
    };
    use overboard_games::overchess::Drawn;
    use overboard_referee::game::notation::Notation as _;

    const EVEN: Stakes = Stakes {
        roles: BySide::both(Role::Rook),
        drawn: Drawn::Withdraws,
    };

    fn read(fen: &str) -> OneBoard<Chess> {
        OneBoard::read_fen(&(), fen).unwrap().position
    }

    fn choice(fen: &str, spec: &str) -> String {
        let table = LiveGame::from(read(fen));
        let mut chance = Chance::of(1, Purpose::Player { game: 0, seat: 0 });
        let ply = sit_down(spec.parse().unwrap(), EVEN)
            .choose(&table, &mut chance)
            .unwrap();
        table.game().coordinates(ply).to_string()
    }

    #[test]
    fn every_player_mates() {
        let fen = "6k1/5ppp/8/8/8/8/5PPP/1Q4K1 w - - 0 1";
        for spec in ["greedy", "search:depth=2", "mcts:sims=400"] {
            assert_eq!(choice(fen, spec), "b1b8", "{spec}");
        }
    }

    #[test]
    fn ends_are_shared_by_survivors() {
        let mated = |fen| EVEN.share(&read(fen), Outcome::Win(Side::White), Side::Black);
        let strong = mated("R5k1/5ppp/8/8/8/8/QQQ2PPP/6K1 b - - 0 1");
        let weak = mated("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1");
        assert!(
            strong < weak && weak < 0.2,
            "the pieces that White has left count for Black, who lost"
        );
    }
}
