//! The edges by which boards are linked: which pieces reach over them, and where to (SC-21, SC-21a).

use crate::strategichess::{
    board::Board,
    lines,
    squares::{Direction, SquareSet, index},
};
use overboard_rules::square::{Piece, Role, Side, Square};

/// An edge of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Edge {
    /// File n, which touches file a of the next board.
    East,
    /// File a, which touches file n of the previous board.
    West,
}

pub(super) const EDGES: [Edge; 2] = [Edge::East, Edge::West];
const LAST: u8 = 13;

impl Edge {
    /// The file on this side of the edge.
    pub(super) const fn file(self) -> u8 {
        match self {
            Self::East => LAST,
            Self::West => 0,
        }
    }

    /// The file this far beyond the edge; 0 is the one that touches it.
    const fn beyond(self, depth: u8) -> u8 {
        match self {
            Self::East => depth,
            Self::West => LAST - depth,
        }
    }

    /// How far beyond the edge a file of the next board is.
    const fn depth(self, file: u8) -> u8 {
        match self {
            Self::East => file,
            Self::West => LAST - file,
        }
    }

    /// The other end of the link, as the next board sees it.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::East => Self::West,
            Self::West => Self::East,
        }
    }

    /// The board on the other side, if there is one.
    pub(super) const fn next(self, board: usize, boards: usize) -> Option<usize> {
        match self {
            Self::East if board + 1 < boards => Some(board + 1),
            Self::East => None,
            Self::West => board.checked_sub(1),
        }
    }

    /// Straight over the edge, and the two diagonal ways, each with the change of rank.
    const fn ways(self) -> [(Direction, i8); 3] {
        match self {
            Self::East => [(1, 0), (2, 1), (7, -1)],
            Self::West => [(5, 0), (3, 1), (6, -1)],
        }
    }

    /// Whether a square beyond the edge can be reached over it at all.
    pub(super) fn reaches(self, target: Square) -> bool {
        self.depth(target.file) < 2
    }
}

/// The change of rank of a side's pawn in one step.
const fn forward(side: Side) -> i8 {
    match side {
        Side::White => 1,
        Side::Black => -1,
    }
}

/// The number of the square this far beyond the edge whose rank is this far from another.
fn beyond(edge: Edge, depth: u8, rank: u8, by: i8) -> Option<u32> {
    let rank = rank.checked_add_signed(by)?;
    index(Square::new(edge.beyond(depth), rank))
}

/// The same on the edge itself.
fn on_edge(edge: Edge, rank: u8, by: i8) -> Option<u32> {
    let rank = rank.checked_add_signed(by)?;
    index(Square::new(edge.file(), rank))
}

fn set(squares: impl IntoIterator<Item = Option<u32>>) -> SquareSet {
    squares.into_iter().flatten().collect()
}

/// The pieces of a side that attack a square beyond an edge of their board. Kings never do (SC-22).
pub(super) fn attackers(board: &Board, edge: Edge, side: Side, target: Square) -> SquareSet {
    let rank = target.rank;
    match edge.depth(target.file) {
        0 => {
            let jumps = set([2, -2].map(|by| on_edge(edge, rank, by)));
            let pawn = set([on_edge(edge, rank, -forward(side))]);
            sliders(board, edge, side, rank)
                | jumps & board.of_kind(Role::Knight, side)
                | pawn & board.of_kind(Role::Pawn, side)
        }
        1 => set([1, -1].map(|by| on_edge(edge, rank, by))) & board.of_kind(Role::Knight, side),
        _ => SquareSet::EMPTY,
    }
}

/// The rooks, bishops and queens that attack the square of a rank just beyond the edge.
fn sliders(board: &Board, edge: Edge, side: Side, rank: u8) -> SquareSet {
    let occupied = board.occupied();
    let met = |(way, by): (Direction, i8)| {
        let start = on_edge(edge, rank, -by)?;
        if occupied.has(start) {
            return Some(start);
        }
        let back = lines::ray(way ^ 4, start) & occupied;
        if back.is_empty() {
            return None;
        }
        Some(if way ^ 4 < 4 {
            back.first()
        } else {
            back.last()
        })
    };
    let [straight, up, down] = edge.ways().map(met);
    set([straight]) & board.straight(side) | set([up, down]) & board.slanting(side)
}

/// The pieces of a kind that can go to a square beyond an edge, ignoring kings; for a pawn, `takes` selects a capture
/// or a sideways step on a road.
pub(super) fn origins(
    board: &Board,
    edge: Edge,
    Piece { side, role }: Piece,
    target: Square,
    takes: bool,
) -> SquareSet {
    if role == Role::Pawn && !takes {
        let on_road = index(target).is_some_and(|target| SquareSet::ROADS.has(target));
        let aside = if on_road && edge.depth(target.file) == 0 {
            on_edge(edge, target.rank, 0)
        } else {
            None
        };
        return set([aside]) & board.of_kind(Role::Pawn, side);
    }
    attackers(board, edge, side, target) & board.of_kind(role, side)
}

/// Calls `visit` with origin and arrival of every crossing of a side's pieces over an edge, ignoring kings.
pub(super) fn crossings(
    board: &Board,
    next: &Board,
    edge: Edge,
    side: Side,
    visit: &mut impl FnMut(u32, u32),
) {
    let mut arrive = |from: u32, to: Option<u32>| {
        if let Some(to) = to
            && !next.all(side).has(to)
        {
            visit(from, to);
        }
    };
    let occupied = board.occupied();
    let (straight, slanting) = (board.straight(side), board.slanting(side));
    for ((way, by), pieces) in edge.ways().into_iter().zip([straight, slanting, slanting]) {
        for from in pieces {
            let last = lines::ray(way, from);
            if last.meets(occupied) {
                continue;
            }
            // The square of the line that is on the edge: the piece's own square if it is there.
            let ends = if way < 4 {
                last.with(from).last()
            } else {
                last.with(from).first()
            };
            let (file, rank) = ((ends & 15) as u8, (ends >> 4) as u8);
            if file == edge.file() {
                arrive(from, beyond(edge, 0, rank, by));
            }
        }
    }
    let on_edge = SquareSet::file(edge.file());
    for from in board.of_kind(Role::Knight, side) & on_edge {
        let rank = (from >> 4) as u8;
        for (depth, by) in [(0, 2), (0, -2), (1, 1), (1, -1)] {
            arrive(from, beyond(edge, depth, rank, by));
        }
    }
    for from in board.of_kind(Role::Pawn, side) & on_edge {
        let rank = (from >> 4) as u8;
        let is_on_road = SquareSet::ROADS.has(from);
        let aside = if is_on_road {
            beyond(edge, 0, rank, 0)
        } else {
            None
        };
        arrive(from, aside.filter(|to| !next.occupied().has(*to)));
        let slant = beyond(edge, 0, rank, forward(side));
        arrive(from, slant.filter(|to| next.all(side.other()).has(*to)));
    }
}
