//! Games of Overchess as they are played here: every act is a ply, of the over-game, of a set-up, of a
//! sub-game, of what settles it.

use crate::{
    commander::{Commander, weigh},
    contest::{Contest, Kind},
    ending::End,
    players::{Player, Random, Spec},
    tree::Tree,
};
use overboard_formats::san::PlyText;
use overboard_games::{
    chess::{Chess, Move},
    notation::Unusable,
    overchess::{self, Due, Options, Over, Ply},
};
use overboard_rules::{game::Game as _, position::Position, square::Side};
use std::sync::OnceLock;

/// Overchess of some depth under some options.
#[derive(Clone, Copy, Debug)]
pub struct Overs {
    /// How many sub-games are inside each other.
    pub depth: u8,
    /// The optional rules in force.
    pub options: Options,
}

/// A game of Overchess under way.
#[derive(Clone)]
pub struct OverGame {
    position: Over,
    end: Option<End>,
    /// The legal plies, once somebody asks for them.
    plies: OnceLock<Vec<Ply>>,
    sub_game: Option<SubLine>,
    /// Sub-games of chess begun so far.
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
    fn from(position: Over) -> Self {
        let end = position.ending().map(End::from);
        let mut game = Self { position, end, plies: OnceLock::new(), sub_game: None, begun: 0 };
        game.begin_sub_game();
        game
    }

    /// The position.
    #[must_use]
    pub const fn position(&self) -> &Over {
        &self.position
    }

    /// The sub-game of chess that is being played.
    #[must_use]
    pub const fn sub_game(&self) -> Option<&SubLine> {
        self.sub_game.as_ref()
    }

    fn begin_sub_game(&mut self) {
        self.sub_game = self.position.current().sub_game().map(|first| {
            self.begun += 1;
            SubLine { number: self.begun, first: first.clone(), moves: Vec::new() }
        });
    }

    /// Goes on with the sub-game of chess to which a move was added, unless another has begun.
    fn follow(&mut self, m: Option<Move>) {
        let is_new = |chess: &Chess| chess.fullmove() == 1 && chess.turn() == Side::White;
        let goes_on = self.position.current().sub_game().is_some_and(|chess| !is_new(chess));
        match (&mut self.sub_game, m) {
            (Some(line), Some(m)) if goes_on => line.moves.push(m),
            _ => self.begin_sub_game(),
        }
    }
}

impl Contest for OverGame {
    type Ply = Ply;

    fn side(&self) -> Side {
        self.position.actor()
    }

    fn plies(&self) -> &[Ply] {
        if self.end.is_some() {
            return &[];
        }
        self.plies.get_or_init(|| {
            let mut plies = Vec::with_capacity(64);
            self.position.for_each_legal(|ply| plies.push(ply));
            plies
        })
    }

    fn play(&mut self, ply: Ply) {
        if let Some(list) = self.plies.get_mut() {
            list.clear();
        }
        let mut list = self.plies.take();
        self.position.play(ply);
        self.end = self.position.ending().map(End::from);
        if let (Some(list), None) = (&mut list, self.end) {
            self.position.for_each_legal(|ply| list.push(ply));
        }
        if let Some(list) = list {
            self.plies = OnceLock::from(list);
        }
        self.follow(if let Ply::Sub(m) = ply { Some(m) } else { None });
    }

    fn end(&self) -> Option<End> {
        self.end
    }

    fn coordinates(&self, ply: Ply) -> PlyText {
        overchess::coordinates(&self.position, &ply)
    }

    fn evaluate(&self) -> i32 {
        self.material()
    }

    /// Over-pieces by the worth of chessmen and by their strength.
    fn material(&self) -> i32 {
        weigh(&self.position, self.side())
    }

    fn fen(&self) -> String {
        overchess::position(&self.position)
    }

    fn key(&self) -> u64 {
        let hash = blake3::hash(self.fen().as_bytes());
        hash.as_bytes()[..8].iter().fold(0, |key, byte| key << 8 | u64::from(*byte))
    }

    /// Set-ups, settlements and consolidations are written down as a whole.
    fn may_stop(&self) -> bool {
        matches!(self.position.due(), Due::Over | Due::Sub(_))
    }
}

impl Kind for Overs {
    type Game = OverGame;

    fn first(&self) -> OverGame {
        OverGame::from(Over::first(self.depth, self.options))
    }

    fn read(&self, fen: &str) -> Result<OverGame, Unusable> {
        overchess::read(fen, self.depth, self.options).map(|(over, _)| OverGame::from(over))
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

    /// Plays a game to its end, or so far that a record can stop; answers the plies and the end.
    fn played<K: Kind>(kind: &K, specs: [Spec; 2], seed: u64, most: u32) -> (u32, Option<End>) {
        let mut seats = specs.map(|spec| kind.seat(spec).unwrap());
        let mut chance = Chance::of(seed, Purpose::Shuffle);
        let mut game = kind.first();
        let mut plies = 0;
        while game.end().is_none() && (plies < most || !game.may_stop()) {
            let ply = seats[game.side() as usize].choose(&game, &mut chance);
            let ply = ply.unwrap_or_else(|| panic!("{specs:?} has no ply in {}", game.fen()));
            assert!(game.plies().contains(&ply), "{specs:?} {}: {}", game.fen(), game.coordinates(ply));
            game.play(ply);
            plies += 1;
        }
        (plies, game.end())
    }

    const SPECS: [&str; 3] = ["random", "greedy", "search:depth=1"];

    #[test]
    fn every_player_plays_games_to_their_end() {
        for rules in ["", ALL, "prisoners:reserves=set/1P/2P:subdraw=both"] {
            let kind = Overs { depth: 1, options: overchess::options(rules) };
            for spec in SPECS {
                let (plies, end) = played(&kind, [spec.parse().unwrap(), Spec::Greedy], 3, u32::MAX);
                assert!(end.is_some() && plies > 50, "{rules} {spec}");
            }
        }
    }

    #[test]
    fn every_player_plays_games_in_games() {
        for (depth, rules) in [(2, ""), (2, ALL), (3, ALL), (2, "fog:prisoners:consolidation:subdraw=both")] {
            let kind = Overs { depth, options: overchess::options(rules) };
            for spec in SPECS.into_iter().chain(["mcts:sims=2", "mcts:sims=2,plies=2,whole"]) {
                let spec = spec.parse().unwrap();
                let most = if matches!(spec, Spec::Tree { whole: true, .. }) { 150 } else { 4000 };
                for seed in 0..2 {
                    let (plies, end) = played(&kind, [spec, Spec::Greedy], seed, most);
                    assert!(end.is_some() || plies >= most, "{depth} {rules} {spec}");
                }
            }
        }
    }

    #[test]
    fn a_sub_game_is_remembered_from_its_first_position_on() {
        let kind = Overs { depth: 1, options: Options::default() };
        let mut game = kind.first();
        for text in ["e2e4", "d7d5", "e4d5", "d5.e2e4", "d5.e7e5"] {
            let ply = game.plies().iter().copied().find(|ply| game.coordinates(*ply) == text).unwrap();
            game.play(ply);
        }
        let line = game.sub_game().unwrap();
        assert_eq!((line.number, line.moves.len(), &line.first), (1, 2, &Chess::default()));
    }
}
