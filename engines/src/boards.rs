//! StrategiChess on linked boards as it is played here: the boards have a ply each in turn, A first.
//!
//! On paper the boards are played at once, each at its own pace; here every pace is the same. A closed
//! board is passed over, and a player who has nothing else passes (SC-27).

use crate::{
    contest::{Contest, Kind},
    ending::End,
    players::{Greedy, Player, Random, Spec},
    tree::Tree,
};
use overboard_formats::san::PlyText;
use overboard_games::{
    notation::Unusable,
    strategichess::linked::{self, Edition, Linked, LinkedBoard, Ply},
};
use overboard_rules::{
    game::Game,
    outcome::Outcome,
    square::{Role, Side},
};
use std::ops::ControlFlow;

/// Boards side by side, and whose turn it is to be moved on.
#[derive(Clone)]
pub struct Boards {
    linked: Linked,
    at: usize,
    plies: Vec<Ply>,
}

/// Most boards of a match.
pub const MOST: u16 = 64;

/// What men are worth, in hundredths of a pawn. Boards are decided by kings, so a king outweighs all
/// that a board holds beside.
const WORTH: [(Role, i32); 6] = [
    (Role::Pawn, 100),
    (Role::Knight, 250),
    (Role::Bishop, 400),
    (Role::Rook, 650),
    (Role::Queen, 1100),
    (Role::King, 6000),
];

impl Boards {
    /// A game that starts from a position; board A is the first to move.
    #[must_use]
    pub fn from(linked: Linked) -> Self {
        let mut boards = Self { at: linked.boards() - 1, linked, plies: Vec::new() };
        boards.turn_on();
        boards
    }

    /// The boards.
    #[must_use]
    pub const fn position(&self) -> &Linked {
        &self.linked
    }

    /// Goes on to the next board that is open.
    fn turn_on(&mut self) {
        self.plies.clear();
        if self.linked.ending().is_some() {
            return;
        }
        let count = self.linked.boards();
        let next = (1..=count).map(|step| (self.at + step) % count);
        if let Some(board) = next.into_iter().find(|board| !self.linked.is_closed(*board)) {
            self.at = board;
            let _ = self.linked.legal_on(LinkedBoard::of(board), |ply| {
                self.plies.push(ply);
                ControlFlow::Continue(())
            });
        }
    }
}

impl Contest for Boards {
    type Ply = Ply;

    fn side(&self) -> Side {
        self.linked.turn(self.at)
    }

    fn plies(&self) -> &[Ply] {
        &self.plies
    }

    fn play(&mut self, ply: Ply) {
        self.linked.play(ply);
        self.turn_on();
    }

    fn end(&self) -> Option<End> {
        self.linked.ending().map(End::from)
    }

    fn coordinates(&self, ply: Ply) -> PlyText {
        PlyText::from(linked::coordinates(ply).as_str())
    }

    fn evaluate(&self) -> i32 {
        self.material()
    }

    fn material(&self) -> i32 {
        let on = |board, side| -> i32 {
            let worth =
                |(role, worth): &(Role, i32)| worth * self.linked.count_men(board, side, *role) as i32;
            WORTH.iter().map(worth).sum()
        };
        let of = |side| -> i32 { (0..self.linked.boards()).map(|board| on(board, side)).sum() };
        of(self.side()) - of(self.side().other())
    }

    fn fen(&self) -> String {
        linked::fen(&self.linked)
    }

    fn key(&self) -> u64 {
        let hash = blake3::hash(self.fen().as_bytes());
        hash.as_bytes()[..8].iter().fold(0, |key, byte| key << 8 | u64::from(*byte))
    }

    /// The team with more kings wins (SC-30).
    fn adjudicate(&self) -> Outcome {
        self.linked.counted()
    }
}

/// A match on so many boards, under one of the editions.
#[derive(Clone, Copy, Debug)]
pub struct SideBySide {
    /// How many boards.
    pub boards: usize,
    /// Whose rules.
    pub edition: Edition,
}

impl Kind for SideBySide {
    type Game = Boards;

    fn first(&self) -> Boards {
        Boards::from(Linked::first(self.boards, self.edition))
    }

    fn read(&self, fen: &str) -> Result<Boards, Unusable> {
        linked::read(fen, self.edition).map(|(linked, _)| Boards::from(linked))
    }

    fn admits(&self, spec: Spec) -> Result<(), &'static str> {
        match spec {
            Spec::Search(_) => {
                Err("a search plays on one board only; on linked boards there are random, greedy and mcts")
            }
            _ => Ok(()),
        }
    }

    fn seat(&self, spec: Spec) -> Option<Box<dyn Player<Boards>>> {
        Some(match spec {
            Spec::Random => Box::new(Random),
            Spec::Greedy => Box::new(Greedy),
            Spec::Tree { simulations, plies, .. } => Box::new(Tree::new(simulations, plies)),
            Spec::Search(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Chance, Purpose};

    fn three() -> Boards {
        SideBySide { boards: 3, edition: Edition::Of2003 }.first()
    }

    #[test]
    fn boards_have_a_ply_each_in_turn() {
        let mut game = three();
        let mut chance = Chance::of(1, Purpose::Shuffle);
        let mut played = Vec::new();
        for _ in 0..9 {
            let ply = chance.pick(game.plies()).unwrap();
            played.push((ply.board(), game.side()));
            game.play(ply);
        }
        let round = |side| [(0, side), (1, side), (2, side)];
        let expected = [round(Side::White), round(Side::Black), round(Side::White)].concat();
        assert_eq!(played, expected);
    }

    #[test]
    fn random_matches_come_to_an_end_by_the_rules() {
        let mut chance = Chance::of(2, Purpose::Shuffle);
        for _ in 0..3 {
            let mut game = three();
            let mut plies = 0;
            while let Some(ply) = chance.pick(game.plies()) {
                game.play(ply);
                plies += 1;
            }
            assert!(game.end().is_some() && plies > 100, "{plies}");
        }
    }
}
