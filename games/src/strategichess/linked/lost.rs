//! Lost boards: boards of which nothing is known any more (GEN-13).
//!
//! The contents of such a board cannot be enumerated, so readings leave it empty. They keep what matters elsewhere: how
//! many kings a team may have left, and which side may reach over an edge.

use super::{
    Board, Boards as _, EDGES, Edition, Linked, LinkedBoard, Ply, acts::EXHAUSTED,
    compared::choices, edge::Edge, index, square_at,
};
use overboard_rules::{
    by_side::BySide,
    game::Game as _,
    ply::Written,
    position::Found,
    square::{Piece, Role, Side, Square},
};
use std::ops::ControlFlow;

/// The pieces that may cross an edge: all but kings (SC-22).
const GUESTS: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

impl Linked {
    /// Adds readings for the kings of a board after something there that cannot be judged: each is still there or gone,
    /// except a team's last king, whose loss would end the match.
    pub(super) fn forget_board(&self, board: usize, readings: &mut Vec<Self>) {
        let emptied = self.emptied(board);
        let may_be_gone = |side: Side| self.kings[side] > 1 && self.king(board, side).is_some();
        for gone in choices(may_be_gone) {
            let mut reading = emptied.clone();
            for (side, is_gone) in gone.pairs() {
                if *is_gone {
                    reading.lose_king(side);
                    reading.settle(side.other());
                }
            }
            readings.push(reading);
        }
    }

    /// The same position with nothing on a board, which stays open whatever happens.
    fn emptied(&self, board: usize) -> Self {
        let mut emptied = self.clone();
        let counted = self.halfmove(board) >= EXHAUSTED;
        let Some(seat) = emptied.seats.get_mut(board) else {
            return emptied;
        };
        if seat.is_unknown {
            return emptied;
        }
        if std::mem::take(&mut seat.closed) {
            emptied.open += 1;
        } else if counted {
            emptied.exhausted -= 1;
        }
        seat.board = Board::default();
        seat.is_unknown = true;
        seat.made = 0;
        seat.stamp = emptied.stamp;
        emptied.touched.clear();
        emptied.touch_around(board);
        emptied.close_touched();
        emptied
    }

    /// Whether the legality of a ply depends on a lost board: its king may be attacked from there, or its only plies
    /// may go there.
    pub(super) fn hangs_on_board(&self, ply: Ply, lost: usize) -> bool {
        let board = ply.board();
        let Some(seat) = self.seats.get(board) else {
            return false;
        };
        let side = seat.turn;
        let over = self.edge_to(board, lost);
        if ply.is_pass() {
            return over.is_some() && !self.has_ply_but_to(board, lost);
        }
        let in_reach = EDGES.map(|edge| self.neighbour_in_reach(lost, edge, side));
        if in_reach.contains(&Some(board)) || in_reach.contains(&Some(ply.arrives_on())) {
            return true;
        }
        // A king may step to where it can be attacked from there.
        let Some(over) = over else {
            return false;
        };
        self.king(board, side) == Some(u32::from(ply.from))
            && ply.arrives_on() == board
            && over.opposite().reaches(square_at(u32::from(ply.to)))
            && self.is_guarded(board, side)
    }

    /// Whether a board offers a ply that does not go to the lost one.
    fn has_ply_but_to(&self, board: usize, lost: usize) -> bool {
        let mut found = ControlFlow::Continue(());
        self.list(board, self.seats[board].turn, &mut |ply| {
            if ply.arrives_on() != lost {
                found = ControlFlow::Break(());
            }
        });
        found.is_break()
    }

    /// The pass that a board would offer if the pieces next to it blocked every ply.
    #[must_use]
    pub fn pass_beside(&self, board: usize) -> Option<Ply> {
        if !self.is_beside_unknown(board) {
            return None;
        }
        Some(Ply::pass(board))
    }

    /// Whether a board is next to a lost one.
    #[must_use]
    pub fn is_beside_unknown(&self, board: usize) -> bool {
        self.lost_beside(board).next().is_some()
    }

    /// The boards next to a board, each with the edge between them.
    pub(super) fn beside(&self, board: usize) -> impl Iterator<Item = (Edge, usize)> + '_ {
        let next = move |edge: Edge| Some((edge, edge.next(board, self.seats.len())?));
        EDGES.into_iter().filter_map(next)
    }

    /// Those that are lost.
    fn lost_beside(&self, board: usize) -> impl Iterator<Item = (Edge, usize)> + '_ {
        self.beside(board)
            .filter(|(_, next)| self.seats[*next].is_unknown)
    }

    /// Whether a ply would be legal if a crossing from a lost board had used a turn on its board of arrival, as it does
    /// in the edition of 2025 (SC-60): the crossing itself was not seen.
    #[must_use]
    pub fn is_legal_if_a_turn_passed(&self, board: usize, written: &Written) -> bool {
        if self.edition != Edition::Of2025 {
            return false;
        }
        let side = self.seats[board].turn;
        for (_, next) in self.beside(board) {
            if self.seats[next].turn == side || !self.is_beside_unknown(next) {
                continue;
            }
            let mut trial = self.clone();
            trial.seats[next].turn = side;
            if trial.find(LinkedBoard::of(board), written) != Found::None {
                return true;
            }
        }
        false
    }

    /// Whether a ply would be legal if a piece had crossed from a lost board unseen. Such a piece is still where it
    /// arrived, on one of the two files that a crossing reaches: this is checked when it moves. `acted` lists the sides
    /// that made unknown acts, each with its board.
    #[must_use]
    pub fn is_legal_with_a_guest(
        &self,
        board: usize,
        written: &Written,
        acted: &[(LinkedBoard, Side)],
    ) -> bool {
        let mut guests = Vec::new();
        for (edge, next) in self.lost_beside(board) {
            let files = if edge == Edge::East { [13, 12] } else { [0, 1] };
            for (at, side) in acted {
                if *at == LinkedBoard::of(next) {
                    guests.extend(files.map(|file| (*side, file)));
                }
            }
        }
        let mut trial = self.clone();
        let (at, known) = (LinkedBoard::of(board), self.seats[board].board);
        for (side, file) in guests {
            for on in (0..14).filter_map(|rank| index(Square::new(file, rank))) {
                let mut there = known;
                match there.piece_at(on) {
                    Some(piece) if piece.role == Role::King => continue,
                    Some(_) => there.remove(on),
                    None => {}
                }
                for role in GUESTS {
                    let mut with_guest = there;
                    with_guest.put(on, Piece { side, role });
                    trial.seats[board].board = with_guest;
                    if trial.find(at, written) != Found::None {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Of readings that differ only in lost kings, keeps those with the most and the fewest for each team: all that
    /// matters is whether a team is down to its last king.
    pub fn thin(readings: &mut Vec<Self>) {
        let extremes = BySide::from_fn(|side| {
            let kings = || readings.iter().map(|reading| reading.kings[side]);
            (kings().min(), kings().max())
        });
        let mut kept: Vec<BySide<u32>> = Vec::new();
        readings.retain(|reading| {
            let at_extreme = |side: Side| {
                let (least, most) = extremes[side];
                [least, most].contains(&Some(reading.kings[side]))
            };
            let wanted = at_extreme(Side::White)
                && at_extreme(Side::Black)
                && !kept.contains(&reading.kings);
            if wanted {
                kept.push(reading.kings);
            }
            wanted
        });
    }
}
