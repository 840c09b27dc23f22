//! Games of Overchess as they are played here: every act is a ply, of the over-game, of a set-up, of a
//! sub-game, of what settles it.

use crate::{
    commander::{Commander, standing},
    contest::{Contest, Kind},
    ending::End,
    players::{Player, Random, Spec},
    tree::Tree,
};
use overboard_formats::{notation::Unusable, overchess, san::PlyText};
use overboard_rules::{
    chess::{Chess, Move},
    overchess::{Due, Options, Over, Ply},
    square::Side,
};
use std::sync::OnceLock;

/// Overchess under some options.
#[derive(Clone, Copy, Debug)]
pub struct Overs {
    /// The optional rules in force.
    pub options: Options,
}

/// A game of Overchess under way.
#[derive(Clone)]
pub struct OverGame {
    over: Over,
    end: Option<End>,
    /// The legal plies, once somebody asks for them.
    plies: OnceLock<Vec<Ply>>,
    sub_game: Option<SubLine>,
    /// Sub-games begun so far.
    begun: u32,
}

/// A sub-game from its first position on.
#[derive(Clone)]
pub struct SubLine {
    /// Which of the game's sub-games it is, from 1.
    pub number: u32,
    /// Where it began.
    pub first: Chess,
    /// Its moves so far.
    pub moves: Vec<Move>,
}

impl OverGame {
    fn from(over: Over) -> Self {
        let end = over.ending().map(End::from);
        let mut game = Self { over, end, plies: OnceLock::new(), sub_game: None, begun: 0 };
        game.begin_sub_game();
        game
    }

    /// The position.
    #[must_use]
    pub const fn position(&self) -> &Over {
        &self.over
    }

    /// The sub-game being played.
    #[must_use]
    pub const fn sub_game(&self) -> Option<&SubLine> {
        self.sub_game.as_ref()
    }

    fn begin_sub_game(&mut self) {
        self.sub_game = self.over.sub_game().map(|first| {
            self.begun += 1;
            SubLine { number: self.begun, first: first.clone(), moves: Vec::new() }
        });
    }
}

impl Contest for OverGame {
    type Ply = Ply;

    fn side(&self) -> Side {
        self.over.actor()
    }

    fn plies(&self) -> &[Ply] {
        if self.end.is_some() {
            return &[];
        }
        self.plies.get_or_init(|| {
            let mut plies = Vec::with_capacity(64);
            self.over.for_each_legal(|ply| plies.push(ply));
            plies
        })
    }

    fn play(&mut self, ply: Ply) {
        if let Some(list) = self.plies.get_mut() {
            list.clear();
        }
        let mut list = self.plies.take();
        self.over.play(&ply);
        self.end = self.over.ending().map(End::from);
        if let (Some(list), None) = (&mut list, self.end) {
            self.over.for_each_legal(|ply| list.push(ply));
        }
        if let Some(list) = list {
            self.plies = OnceLock::from(list);
        }
        match (&mut self.sub_game, ply, self.over.sub_game()) {
            (Some(line), Ply::Sub(m), Some(_)) => line.moves.push(m),
            _ => self.begin_sub_game(),
        }
    }

    fn end(&self) -> Option<End> {
        self.end
    }

    fn coordinates(&self, ply: Ply) -> PlyText {
        overchess::coordinates(&self.over, &ply)
    }

    fn evaluate(&self) -> i32 {
        self.material()
    }

    /// Over-pieces by the worth of chessmen and by their strength.
    fn material(&self) -> i32 {
        standing(&self.over, self.side())
    }

    fn fen(&self) -> String {
        overchess::position(&self.over)
    }

    fn key(&self) -> u64 {
        let hash = blake3::hash(self.fen().as_bytes());
        hash.as_bytes()[..8].iter().fold(0, |key, byte| key << 8 | u64::from(*byte))
    }

    /// Set-ups, settlements and consolidations are written down as a whole.
    fn may_stop(&self) -> bool {
        matches!(self.over.due(), Due::Over | Due::Sub(_))
    }
}

impl Kind for Overs {
    type Game = OverGame;

    fn first(&self) -> OverGame {
        OverGame::from(Over::start(self.options))
    }

    fn read(&self, fen: &str) -> Result<OverGame, Unusable> {
        overchess::read(fen, self.options).map(|(over, _)| OverGame::from(over))
    }

    fn admits(&self, _spec: Spec) -> Result<(), &'static str> {
        Ok(())
    }

    fn seat(&self, spec: Spec) -> Option<Box<dyn Player<OverGame>>> {
        Some(match spec {
            Spec::Random => Box::new(Random),
            Spec::Tree { simulations, plies, whole: true } => Box::new(Tree::new(simulations, plies)),
            spec => Box::new(Commander::new(spec)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Chance, Purpose};

    const ALL: &str = "fog:prisoners:consolidation:reserves=team/2P1N/2P1N";

    #[test]
    fn every_player_plays_games_to_their_end() {
        for rules in ["", ALL, "prisoners:reserves=set/1P/2P:subdraw=both"] {
            let kind = Overs { options: overchess::options(rules) };
            for spec in ["random", "greedy", "search:depth=1"] {
                let spec = spec.parse().unwrap();
                let mut seats = [kind.seat(spec).unwrap(), kind.seat(Spec::Greedy).unwrap()];
                let mut chance = Chance::of(3, Purpose::Shuffle);
                let mut game = kind.first();
                let mut plies = 0;
                while let Some(ply) = seats[game.side() as usize].choose(&game, &mut chance) {
                    assert!(game.plies().contains(&ply), "{spec} {}: {ply:?}", game.fen());
                    game.play(ply);
                    plies += 1;
                }
                assert!(game.end().is_some() && plies > 50, "{rules} {spec}: {}", game.fen());
            }
        }
    }

    #[test]
    fn a_sub_game_is_remembered_from_its_first_position_on() {
        let kind = Overs { options: Options::default() };
        let mut game = kind.first();
        for text in ["e2e4", "d7d5", "e4d5", "d5.e2e4", "d5.e7e5"] {
            let ply = game.plies().iter().copied().find(|ply| game.coordinates(*ply) == text).unwrap();
            game.play(ply);
        }
        let line = game.sub_game().unwrap();
        assert_eq!((line.number, line.moves.len(), &line.first), (1, 2, &Chess::default()));
    }
}
