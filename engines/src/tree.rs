//! Monte Carlo tree search over any game: UCT, with random plies and an evaluation after leaving the tree.
//!
//! Only operations that give the same bits on every machine are used; the system's logarithm does not.

use crate::{
    chance::Chance,
    live_game::LiveGame,
    move_limits::MoveLimits,
    players::{Evaluator, Player, Thought},
};
use overboard_referee::game::play::Play;
use overboard_rules::square::Side;
use std::sync::Arc;

/// The exploration constant.
const CURIOSITY: f64 = 0.7;
/// The score, in centipawns, that counts as three quarters of a win.
const HALF_WAY: f64 = 250.0;

/// A player that searches by simulations.
pub struct Tree<E> {
    evaluator: E,
    simulations: u32,
    plies: u32,
    /// What limits the next choice in addition to the number of simulations.
    limits: Arc<MoveLimits>,
    /// Simulations for the last move.
    nodes: u64,
}

impl<E> Tree<E> {
    /// A player with this evaluator, this many simulations for each move, and this many random plies in each.
    #[must_use]
    pub fn with(evaluator: E, simulations: u32, plies: u32) -> Self {
        Self {
            evaluator,
            simulations,
            plies,
            limits: Arc::default(),
            nodes: 0,
        }
    }
}

/// A node of the tree, by the ply that leads to it.
#[derive(Clone)]
struct Node<M> {
    ply: Option<M>,
    /// The side that played it.
    side: Side,
    visits: u32,
    /// The sum of that side's scores, from 0 to 1 each.
    score: f64,
    /// Its children, once it has been visited twice.
    children: std::ops::Range<usize>,
}

impl<M> Node<M> {
    const fn of(ply: Option<M>, side: Side) -> Self {
        Self {
            ply,
            side,
            visits: 0,
            score: 0.0,
            children: 0..0,
        }
    }

    /// The upper confidence bound, for a parent with this logarithm of visits.
    fn pull(&self, logarithm: f64) -> f64 {
        if self.visits == 0 {
            return f64::INFINITY;
        }
        let visits = f64::from(self.visits);
        self.score / visits + CURIOSITY * (logarithm / visits).sqrt()
    }
}

impl<G: Play, E: Evaluator<G>> Player<G> for Tree<E> {
    fn choose(&mut self, table: &LiveGame<G>, chance: &mut Chance) -> Option<G::Ply> {
        let mut nodes = vec![Node::of(None, table.side())];
        expand(&mut nodes, 0, table, chance);
        for _ in 0..self.limits.nodes(self.simulations.into()) {
            if self.limits.is_over() {
                break;
            }
            self.simulate(&mut nodes, table.clone(), chance);
        }
        self.nodes = u64::from(nodes[0].visits);
        let mut best = None;
        let mut most = 0;
        for child in &nodes[nodes[0].children.clone()] {
            if best.is_none() || child.visits > most {
                (best, most) = (child.ply, child.visits);
            }
        }
        best
    }

    fn thought(&self) -> Thought {
        Thought {
            nodes: Some(self.nodes),
            ..Thought::default()
        }
    }

    fn bind(&mut self, limits: &Arc<MoveLimits>) {
        self.limits = Arc::clone(limits);
    }
}

impl<E> Tree<E> {
    /// Descends the tree, plays random plies, and propagates the score upwards.
    fn simulate<G: Play>(
        &self,
        nodes: &mut Vec<Node<G::Ply>>,
        mut table: LiveGame<G>,
        chance: &mut Chance,
    ) where
        E: Evaluator<G>,
    {
        let mut path = vec![0];
        let mut at = 0;
        loop {
            if nodes[at].children.is_empty() && nodes[at].visits > 0 && table.end().is_none() {
                expand(nodes, at, &table, chance);
            }
            let Some(child) = draw(nodes, at) else { break };
            let Some(ply) = nodes[child].ply else { break };
            table.play(ply);
            at = child;
            path.push(at);
        }
        let white = self.try_out(table, chance);
        for at in path {
            let node = &mut nodes[at];
            node.visits += 1;
            node.score += if node.side == Side::White {
                white
            } else {
                1.0 - white
            };
        }
    }

    /// The score of a random continuation for White, from 0 to 1.
    fn try_out<G: Play>(&self, mut table: LiveGame<G>, chance: &mut Chance) -> f64
    where
        E: Evaluator<G>,
    {
        for _ in 0..self.plies {
            let Some(ply) = table.any(chance) else { break };
            table.play(ply);
        }
        let side = table.side();
        let mover = match table.end() {
            Some(end) => self.evaluator.share(table.game(), end.outcome, side),
            None => chances(self.evaluator.look(table.game(), side)),
        };
        if side == Side::White {
            mover
        } else {
            1.0 - mover
        }
    }
}

/// Adds the children of a node, in random order.
fn expand<G: Play>(
    nodes: &mut Vec<Node<G::Ply>>,
    at: usize,
    table: &LiveGame<G>,
    chance: &mut Chance,
) {
    let first = nodes.len();
    let side = table.side();
    nodes.extend(table.plies().iter().map(|ply| Node::of(Some(*ply), side)));
    chance.shuffle(&mut nodes[first..]);
    nodes[at].children = first..nodes.len();
}

/// The child with the highest bound, if there is one.
fn draw<M>(nodes: &[Node<M>], at: usize) -> Option<usize> {
    let logarithm = logarithm(nodes[at].visits.max(1));
    let mut best = None;
    let mut most = f64::NEG_INFINITY;
    for child in nodes[at].children.clone() {
        let pull = nodes[child].pull(logarithm);
        if pull > most {
            (best, most) = (Some(child), pull);
        }
    }
    best
}

/// The expected score of a side whose position has this score, from 0 to 1.
fn chances(worth: i32) -> f64 {
    let worth = f64::from(worth);
    0.5 + 0.5 * worth / (HALF_WAY + worth.abs())
}

/// The natural logarithm of a number of at least 1, by the same steps on every machine.
fn logarithm(number: u32) -> f64 {
    let power = number.ilog2();
    let rest = f64::from(number) / f64::from(1_u32 << power);
    let part = (rest - 1.0) / (rest + 1.0);
    let square = part * part;
    let series = (0..12_u32).rev().fold(0.0, |sum, term| {
        sum * square + 1.0 / f64::from(2 * term + 1)
    });
    f64::from(power) * std::f64::consts::LN_2 + 2.0 * part * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for number in [1, 2, 3, 7, 10, 1023, 1024, 1_000_000, u32::MAX] {
            assert!(
                (logarithm(number) - f64::from(number).ln()).abs() < 1e-10,
                "{number}"
            );
        }
    }

    #[test]
    fn chances_lie_between_none_and_all() {
        assert_eq!(chances(0), 0.5);
        assert_eq!(chances(250), 0.75);
        assert!(chances(-1_000_000) > 0.0 && chances(1_000_000) < 1.0);
    }
}
