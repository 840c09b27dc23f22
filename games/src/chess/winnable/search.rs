//! The search for a helpmate.
//!
//! Positions wait in three lines: by their distance from a mate by force, by that from one in a corner, and in the order
//! in which they came. The third finds what the estimates overlook. Every position is looked at once, so that a search
//! which comes to its end has seen all that can follow.

use super::{Never, Winnable, estimate, freedom, walls};
use crate::{
    chess::{ChessBy, ChessLaws, Move, side_from},
    one_board::notation::BoardNotation as _,
};
use overboard_formats::san::MoveText;
use overboard_rules::position::Movegen as _;
use shakmaty::{Color, Position as _};
use std::{
    collections::{HashSet, VecDeque},
    hash::{BuildHasherDefault, Hasher},
    ops::Range,
};

/// A position that was reached.
struct Node<L: ChessLaws> {
    position: ChessBy<L>,
    /// The node before it, and the move from there; `None` for the first.
    from: Option<(u32, Move)>,
    depth: u32,
    was_looked_at: bool,
}

/// Searches for a mate by the winner through at most this many positions; the first one has no wall. `presumes`: a position in
/// which the winner surely can mate ([`freedom`]) counts as one, without moves that lead on.
pub(super) fn mate<L: ChessLaws>(
    first: &ChessBy<L>,
    winner: Color,
    nodes: u32,
    presumes: bool,
) -> Winnable {
    let mut search = Search {
        winner,
        presumes,
        nodes: Vec::new(),
        seen: HashSet::default(),
        by_force: Queue::default(),
        in_a_corner: Queue::default(),
        in_order: VecDeque::new(),
    };
    search.add(first.clone(), None);
    let mut looked_at = 0_u32;
    while let Some(at) = search.next(looked_at) {
        // Soon after the first position kings have left squares where they cannot return, and walls show.
        let is_early = EARLY.contains(&looked_at);
        looked_at += 1;
        match search.look(at, is_early) {
            Seen::Mate => return Winnable::By(search.line_to(at)),
            Seen::Freedom => return Winnable::Surely,
            Seen::Nothing => {}
        }
        if search.nodes.len() > nodes as usize {
            return Winnable::Undecided;
        }
    }
    Winnable::Never(Never::Forced(looked_at))
}

/// The positions that are held against [`walls`] whatever led to them: early ones, but most searches end before, and walls
/// take longer to find than what follows.
const EARLY: Range<u32> = 32..96;

enum Seen {
    Mate,
    Freedom,
    Nothing,
}

struct Search<L: ChessLaws> {
    winner: Color,
    presumes: bool,
    nodes: Vec<Node<L>>,
    /// Hashes of the positions of all nodes.
    seen: HashSet<u128, BuildHasherDefault<AsItIs>>,
    by_force: Queue,
    in_a_corner: Queue,
    in_order: VecDeque<u32>,
}

impl<L: ChessLaws> Search<L> {
    /// The node to be looked at next.
    fn next(&mut self, looked_at: u32) -> Option<u32> {
        loop {
            let at = match looked_at % 8 {
                0 | 4 => self.in_a_corner.pop(),
                7 => self.in_order.pop_front(),
                _ => self.by_force.pop(),
            };
            // A node stands in every line, so the last line has all that are left.
            let at = at.or_else(|| self.in_order.pop_front())?;
            if !std::mem::replace(&mut self.nodes[at as usize].was_looked_at, true) {
                return Some(at);
            }
        }
    }

    /// Looks at a node: is it a mate, and what follows?
    fn look(&mut self, at: u32, is_early: bool) -> Seen {
        let node = &self.nodes[at as usize];
        let (position, depth) = (node.position.clone(), node.depth);
        let mut moves = Vec::new();
        position.list_legal(&mut moves);
        if moves.is_empty() {
            let is_mate = position.in_check() && position.turn() != side_from(self.winner);
            return if is_mate { Seen::Mate } else { Seen::Nothing };
        }
        // Only such a move can build a wall. Those of the first position have been looked for.
        let is_new = node.from.is_some() && position.halfmove() == 0;
        if (is_early || is_new) && walls::keep_out(&position.position, self.winner).is_some() {
            return Seen::Nothing;
        }
        for m in moves {
            let after = position.after(m);
            let is_lost = m.is_capture() && after.position.has_insufficient_material(self.winner);
            if is_lost {
                continue;
            }
            if self.presumes && freedom::has(&after.position, self.winner) {
                return Seen::Freedom;
            }
            self.add(after, Some((at, m, depth + 1)));
        }
        Seen::Nothing
    }

    /// Adds a position, unless it was reached before.
    fn add(&mut self, position: ChessBy<L>, from: Option<(u32, Move, u32)>) {
        if !self.seen.insert(position.repetition_hash()) {
            return;
        }
        let depth = from.map_or(0, |(.., depth)| depth);
        let at = self.nodes.len() as u32;
        let board = position.position.board();
        // A short way is a little better than a long one.
        let late = depth / 8;
        self.by_force
            .push(estimate::by_force(board, self.winner) + late, at);
        self.in_a_corner
            .push(estimate::in_a_corner(board, self.winner) + late, at);
        self.in_order.push_back(at);
        self.nodes.push(Node {
            position,
            from: from.map(|(from, m, _)| (from, m)),
            depth,
            was_looked_at: false,
        });
    }

    /// The moves that lead to a node.
    fn line_to(&self, at: u32) -> Vec<MoveText> {
        let mut line = Vec::new();
        let mut at = at;
        while let Some((from, m)) = self.nodes[at as usize].from {
            line.push(self.nodes[from as usize].position.coordinates(m));
            at = from;
        }
        line.reverse();
        line
    }
}

/// Nodes by their distance from a mate, the nearest first.
#[derive(Default)]
struct Queue {
    /// The nodes at each distance.
    at: Vec<VecDeque<u32>>,
    /// No node is nearer.
    nearest: usize,
}

impl Queue {
    fn push(&mut self, distance: u32, node: u32) {
        let distance = distance.min(estimate::FAR) as usize;
        if self.at.len() <= distance {
            self.at.resize_with(distance + 1, VecDeque::new);
        }
        self.at[distance].push_back(node);
        self.nearest = self.nearest.min(distance);
    }

    fn pop(&mut self) -> Option<u32> {
        while self.at.get(self.nearest)?.is_empty() {
            self.nearest += 1;
        }
        self.at[self.nearest].pop_front()
    }
}

/// A hasher for what is a hash already.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u128(&mut self, hash: u128) {
        self.0 = hash as u64;
    }
}
