//! The player of nested boards: a policy that picks the boards, and a player of chess that moves on them.
//!
//! A turn covers many boards. The policy: at the start of a turn, a mega-move that wins the game is made; else, one
//! time in eight, a random mega-move; else boards are picked at random, level by level, among those that may be moved
//! on. If there is none, a random mega-move is made, or a pass.

use crate::{
    chance::Chance,
    live_game::LiveGame,
    move_limits::MoveLimits,
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
        match mega_move(table.game(), chance) {
            Some(ply) => Some(ply),
            None => self.move_on_a_board(table.game(), chance),
        }
    }

    fn thought(&self) -> Thought {
        match &self.player {
            Some(player) if self.has_thought => player.thought(),
            _ => Thought::default(),
        }
    }

    fn bind(&mut self, limits: &Arc<MoveLimits>) {
        if let Some(player) = &mut self.player {
            player.bind(limits);
        }
    }
}

impl Picker {
    fn move_on_a_board(&mut self, mega: &Mega, chance: &mut Chance) -> Option<Ply> {
        let (path, is_whole) = mega.pick_board(&mut |bound| chance.below(bound));
        if is_whole && self.player.is_none() {
            let act = mega.pick_act(&path, &mut |bound| chance.below(bound))?;
            return Some(Ply { path, act });
        }
        let chosen = match (mega.faced_at(&path), &mut self.player) {
            (Some(Board::Chess(chess)), Some(player)) => {
                player.choose(&LiveGame::from(OneBoard(chess)), chance)
            }
            (Some(Board::Chess(chess)), None) => chess.pick_legal(|bound| chance.below(bound)),
            _ => None,
        };
        let legal = mega.acts_on(&path);
        let act = match chosen.map(Act::Move) {
            Some(act) if legal.contains(&act) => {
                self.has_thought = true;
                act
            }
            // A move that would mate a shield away is illegal, however good it is (MG-10).
            _ => chance.pick(&legal)?,
        };
        Some(Ply { path, act })
    }
}

fn mega_move(mega: &Mega, chance: &mut Chance) -> Option<Ply> {
    if !mega.is_between_turns() {
        return None;
    }
    let mut all = Vec::new();
    mega.for_each_mega_move(|m| all.push(m));
    let winning = all.iter().find(|m| wins(mega, **m)).copied();
    let often = chance.below(MEGA_TURN) == 0;
    let chosen = match winning {
        None if often => chance.pick(&all),
        winning => winning,
    };
    chosen.map(outermost)
}

fn outermost(m: MegaMove) -> Ply {
    Ply {
        path: BoardPath::OUTERMOST,
        act: Act::Mega(m),
    }
}

/// Whether a mega-move wins the game.
fn wins(mega: &Mega, m: MegaMove) -> bool {
    if !mega.may_win(m) {
        return false;
    }
    match mega.clone().play(outermost(m)).end() {
        Some(end) => end.outcome == Outcome::Win(mega.turn()),
        None => false,
    }
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
