//! A sub-game of Overchess as its players see it: chess for an over-piece and for what is left of its men.
//!
//! What a side can lose is its over-piece with the men that it has left: its worth as a chessman times
//! its strength, which goes down with every man. The winner keeps what is left to him and the loser has
//! nothing, so that a player who is sure to win spares his men, and one who is sure to lose takes as many of
//! the other's along as he can.

use crate::{
    chance::Chance,
    contest::{Contest, Table},
    ending::End,
    evaluate::Evaluate,
    players::{Greedy, Player, Random, Spec},
    search::{Eyes, Search},
    tree::Tree,
};
use overboard_formats::san::PlyText;
use overboard_games::{
    chess::{Chess, Move},
    overchess::{Drawn, OverPiece},
};
use overboard_rules::{
    outcome::{Outcome, Ruling},
    position::Position,
    square::{Piece, Role, Side},
};

/// Points of a complete sub-set (OV-14).
const COMPLETE: i32 = 39;
/// Points that an over-piece counts for by standing on the over-board, however few men it has.
const BARE: i32 = 10;
/// What the two over-pieces of a sub-game count for together, in hundredths of a pawn of the sub-game.
const TOGETHER: i32 = 800;
/// Hundredths of a pawn that make a sub-game as good as three quarters of a win.
const HALF_WAY: i32 = 300;

/// What an over-piece is worth as a chessman, in hundredths of a pawn.
#[must_use]
pub fn worth(role: Role) -> i32 {
    Chess::worth(role)
}

/// What a man is worth who counts for so much, with men of so many points behind him.
#[must_use]
pub fn value(worth: i32, points: i32) -> i32 {
    worth * (BARE + points.clamp(0, COMPLETE)) / (BARE + COMPLETE)
}

/// An over-piece, and the points of what stands behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fighter {
    /// Whose it is and what it is.
    pub piece: Piece,
    /// The points of its sub-set, a complete one 39.
    pub points: i32,
}

impl Fighter {
    /// What it is worth with the men that it has.
    #[must_use]
    pub fn value(self) -> i32 {
        self.worn(0)
    }

    /// What it is worth when it has lost so many points.
    #[must_use]
    pub fn worn(self, toll: i32) -> i32 {
        value(worth(self.piece.role), self.points - toll)
    }
}

impl From<OverPiece> for Fighter {
    fn from(there: OverPiece) -> Self {
        Self { piece: there.piece, points: there.men.points() as i32 }
    }
}

/// What is played for: the kinds of the attacking and the attacked over-piece, and what a draw does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stakes {
    /// The attacker, White in the sub-game, and the defender.
    pub roles: [Role; 2],
    /// What becomes of them after a draw.
    pub drawn: Drawn,
}

impl Stakes {
    /// A worth on the over-board, in hundredths of a pawn of the sub-game.
    fn scaled(&self, value: i32) -> i32 {
        value * TOGETHER / (worth(self.roles[0]) + worth(self.roles[1])).max(1)
    }

    /// What both sides have on the square with men of so many points.
    fn held(&self, points: [i32; 2]) -> [i32; 2] {
        [0, 1].map(|side| value(worth(self.roles[side]), points[side]))
    }

    /// What an end leaves White with more than Black, or less, in hundredths of a pawn of the sub-game.
    #[must_use]
    pub fn settled(&self, outcome: Outcome, points: [i32; 2]) -> i32 {
        let [white, black] = self.held(points);
        let left = match (outcome, self.drawn) {
            (Outcome::Win(Side::White), _) => white,
            (Outcome::Win(Side::Black), _) | (Outcome::Draw, Drawn::AttackerLeaves) => -black,
            (Outcome::Draw, Drawn::Withdraws) => white - black,
            (Outcome::Draw, Drawn::BothLeave) => 0,
        };
        self.scaled(left)
    }

    /// What White may look forward to in a position that looks so good to him as a game of chess.
    #[must_use]
    pub fn expected(&self, chess: i32, points: [i32; 2]) -> i32 {
        self.scaled(self.thousandths(chess, points)) / 1000 + chess / 4
    }

    /// The same as a worth on the over-board.
    #[must_use]
    pub fn left_likely(&self, chess: i32, points: [i32; 2]) -> i32 {
        self.thousandths(chess, points) / 1000
    }

    fn thousandths(&self, chess: i32, points: [i32; 2]) -> i32 {
        let [white, black] = self.held(points);
        // White's chances in thousandths.
        let chances = 500 + 500 * chess / (HALF_WAY + chess.abs());
        chances * white - (1000 - chances) * black
    }
}

/// Points of the men on the board, White's and Black's; a promoted man is taken for what he is now.
fn points(chess: &Chess) -> [i32; 2] {
    let of = |side| {
        let kinds =
            [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
        kinds
            .map(|(role, points)| points * chess.squares_of(Piece { side, role }).count() as i32)
            .iter()
            .sum()
    };
    [of(Side::White), of(Side::Black)]
}

/// What is worth so much to White, as a side sees it.
#[must_use]
pub const fn seen_by(side: Side, white: i32) -> i32 {
    match side {
        Side::White => white,
        Side::Black => -white,
    }
}

impl Eyes<Chess> for Stakes {
    fn look(&self, position: &Chess) -> i32 {
        let side = position.turn();
        seen_by(side, self.expected(seen_by(side, position.evaluate()), points(position)))
    }

    fn prize(&self, last: &Chess, ruling: &Ruling) -> i32 {
        self.settled(ruling.outcome, points(last))
    }
}

/// A sub-game under way.
#[derive(Clone)]
pub struct Skirmish {
    table: Table<Chess>,
    stakes: Stakes,
}

impl Skirmish {
    /// A sub-game that goes on from a position.
    #[must_use]
    pub fn from(chess: Chess, stakes: Stakes) -> Self {
        Self { table: Table::from(chess), stakes }
    }
}

impl Contest for Skirmish {
    type Ply = Move;

    fn side(&self) -> Side {
        self.table.side()
    }

    fn plies(&self) -> &[Move] {
        self.table.plies()
    }

    fn play(&mut self, ply: Move) {
        self.table.play(ply);
    }

    fn end(&self) -> Option<End> {
        self.table.end()
    }

    fn coordinates(&self, ply: Move) -> PlyText {
        self.table.coordinates(ply)
    }

    fn evaluate(&self) -> i32 {
        self.stakes.look(self.table.position())
    }

    fn material(&self) -> i32 {
        let position = self.table.position();
        let side = position.turn();
        seen_by(side, self.stakes.expected(seen_by(side, position.material()), points(position)))
    }

    fn fen(&self) -> String {
        self.table.fen()
    }

    fn key(&self) -> u64 {
        self.table.key()
    }

    /// A win counts the more the more men are left, a defeat the less the fewer the winner has.
    fn share(&self, end: End) -> f64 {
        let [white, black] = points(self.table.position()).map(|points| f64::from(points) / 39.0);
        let white = match end.outcome {
            Outcome::Win(Side::White) => 0.8 + 0.2 * white.min(1.0),
            Outcome::Win(Side::Black) => 0.2 - 0.2 * black.min(1.0),
            Outcome::Draw => 0.5 + 0.2 * (white - black).clamp(-1.0, 1.0),
        };
        if self.side() == Side::White { white } else { 1.0 - white }
    }
}

/// A player of sub-games.
pub type Lieutenant = Box<dyn Player<Skirmish>>;

/// Somebody to play one sub-game.
#[must_use]
pub fn lieutenant(spec: Spec, stakes: Stakes) -> Lieutenant {
    match spec {
        Spec::Random => Box::new(Random),
        Spec::Greedy => Box::new(Greedy),
        Spec::Tree { simulations, plies, .. } => Box::new(Tree::new(simulations, plies)),
        Spec::Search(limit) => Box::new(Searcher(Search::with(stakes, limit))),
    }
}

struct Searcher(Search<Chess, Stakes>);

impl Player<Skirmish> for Searcher {
    fn choose(&mut self, game: &Skirmish, chance: &mut Chance) -> Option<Move> {
        self.0.choose(&game.table, chance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overboard_games::notation::Notation;
    use overboard_rules::outcome::Cause;

    const EVEN: Stakes = Stakes { roles: [Role::Rook; 2], drawn: Drawn::Withdraws };

    #[test]
    fn an_end_is_worth_what_it_leaves() {
        let settled = |outcome, points| EVEN.settled(outcome, points);
        let [win, loss] = [Outcome::Win(Side::White), Outcome::Win(Side::Black)];
        assert_eq!(settled(win, [39, 39]), 400);
        assert!(settled(win, [39, 0]) > settled(win, [20, 0]) && settled(win, [20, 0]) > 0);
        assert!(settled(loss, [0, 10]) > settled(loss, [0, 30]), "whoever loses takes men along");
        assert_eq!(settled(Outcome::Draw, [20, 20]), 0);
        let of_a_pawn = Stakes { roles: [Role::Pawn, Role::Queen], ..EVEN };
        assert!(of_a_pawn.settled(Outcome::Draw, [39, 39]) < 0, "a queen is content with a draw");
    }

    fn choice(fen: &str, spec: &str) -> String {
        let game = Skirmish::from(Chess::read(fen).unwrap().0, EVEN);
        let mut chance = Chance::of(1, crate::chance::Purpose::Player { game: 0, seat: 0 });
        let ply = lieutenant(spec.parse().unwrap(), EVEN).choose(&game, &mut chance).unwrap();
        game.coordinates(ply).to_string()
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
        let mated = |fen| {
            let game = Skirmish::from(Chess::read(fen).unwrap().0, EVEN);
            game.share(End { outcome: Outcome::Win(Side::White), cause: Cause::Checkmate })
        };
        let strong = mated("R5k1/5ppp/8/8/8/8/QQQ2PPP/6K1 b - - 0 1");
        let weak = mated("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1");
        assert!(strong < weak && weak < 0.2, "Black, who lost, minds the men that White has left");
    }
}
