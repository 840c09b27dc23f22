//! The player of nested boards: a policy that picks the boards, and a player of chess that moves on them.
//!
//! A turn covers many boards. The policy: at the start of a turn, a mega-move that wins the game is made; else, one
//! time in eight, a random mega-move; else boards are picked at random, level by level, among those that may be moved
//! on. If there is none, a random mega-move is made, or a pass.

use crate::{
    chance::Chance,
    leash::Leash,
    live_game::LiveGame,
    players::{Plain, Player, Seats, Spec, Thought},
    tree::Tree,
};
use overboard_games::{
    chess::Chess,
    mega::{Act, Board, Mega, MegaMove, Ply},
    one_board::OneBoard,
};
use overboard_rules::{game::Game as _, outcome::Outcome, path::BoardPath, position::Movegen as _};
use std::sync::Arc;

/// One turn in this many is a mega-move.
const MEGA_TURN: usize = 8;

impl Seats for Mega {
    fn seat(spec: Spec) -> Result<Box<dyn Player<Self>>, &'static str> {
        Ok(match spec {
            Spec::Tree {
                simulations,
                plies,
                whole: true,
            } => Box::new(Tree::with(Plain, simulations, plies)),
            Spec::Random => Box::new(Picker {
                player: None,
                has_thought: false,
            }),
            spec => Box::new(Picker {
                player: Some(OneBoard::<Chess>::seat(spec)?),
                has_thought: false,
            }),
        })
    }
}

/// A player of chess and the policy that picks its boards.
struct Picker {
    /// The player that moves on a picked board; `None` for random moves.
    player: Option<Box<dyn Player<OneBoard<Chess>>>>,
    /// Whether the player chose the last ply.
    has_thought: bool,
}

impl Player<Mega> for Picker {
    fn choose(&mut self, table: &LiveGame<Mega>, chance: &mut Chance) -> Option<Ply> {
        self.has_thought = false;
        mega_move(table.game(), chance).or_else(|| self.move_on_a_board(table.game(), chance))
    }

    fn thought(&self) -> Thought {
        match &self.player {
            Some(player) if self.has_thought => player.thought(),
            _ => Thought::default(),
        }
    }

    fn bind(&mut self, leash: &Arc<Leash>) {
        if let Some(player) = &mut self.player {
            player.bind(leash);
        }
    }
}

impl Picker {
    fn move_on_a_board(&mut self, mega: &Mega, chance: &mut Chance) -> Option<Ply> {
        let (path, is_whole) = mega.pick_board(&mut |bound| chance.below(bound));
        if is_whole && self.player.is_none() {
            return mega
                .pick_act(&path, &mut |bound| chance.below(bound))
                .map(|act| Ply { path, act });
        }
        let chess = match mega.faced_at(&path) {
            Some(Board::Chess(chess)) => Some(chess),
            _ => None,
        };
        let chosen = chess.and_then(|chess| match &mut self.player {
            Some(player) => player.choose(&LiveGame::from(OneBoard(chess)), chance),
            None => chess.pick_legal(|bound| chance.below(bound)),
        });
        let legal = mega.acts_on(&path);
        // A move that would mate a shield away is illegal, however good it is (MG-10).
        let chosen = chosen.map(Act::Move).filter(|act| legal.contains(act));
        self.has_thought = chosen.is_some();
        Some(Ply {
            path,
            act: chosen.or_else(|| chance.pick(&legal))?,
        })
    }
}

fn mega_move(mega: &Mega, chance: &mut Chance) -> Option<Ply> {
    if !mega.is_between_turns() {
        return None;
    }
    let mut all = Vec::new();
    mega.for_each_mega_move(|m| all.push(m));
    let ply = |m| Ply {
        path: BoardPath::OUTERMOST,
        act: Act::Mega(m),
    };
    let wins = |m: &MegaMove| {
        let end = mega
            .may_win(*m)
            .then(|| mega.clone().play(ply(*m)).end())
            .flatten();
        end.is_some_and(|end| end.outcome == Outcome::Win(mega.turn()))
    };
    let winning = all.iter().find(|m| wins(m)).copied();
    let often = chance.below(MEGA_TURN) == 0;
    winning
        .or_else(|| if often { chance.pick(&all) } else { None })
        .map(ply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Purpose;
    use overboard_games::mega::Options;
    use overboard_referee::game::notation::Notation as _;

    /// The rook on A8 mates on its board, which arms it; that is mega-mate.
    const WON: &str = "R6k/6pp/8/8/8/8/8/4K3 w - - 0 1 - {A8: 7k/8/6K1/8/8/8/8/R7 w - - 0 1; E1: disarmed; G7: disarmed; H7: disarmed; H8: disarmed}";

    #[test]
    fn a_tree_of_the_whole_game_sees_what_a_board_is_for() {
        let table = LiveGame::from(Mega::read_fen(&Options::default(), WON).unwrap().position);
        let mut player = Mega::seat("mcts:sims=400,whole".parse().unwrap()).unwrap();
        let ply = player
            .choose(&table, &mut Chance::of(1, Purpose::Shuffle))
            .unwrap();
        assert_eq!(table.game().coordinates(ply), "A8.a1a8");
    }
}
