//! Lost boards: boards of which nothing is known any more (GEN-13).
//!
//! The contents of such a board cannot be enumerated, so readings leave it empty. They keep what matters elsewhere: how
//! many kings a team may have left, and which side may reach over an edge.

use super::{
    Board, Boards as _, EDGES, Edition, Linked, LinkedBoard, Ply, acts::EXHAUSTED, edge::Edge,
    index, square_at,
};
use crate::strategichess::StrategiSetup;
use overboard_rules::{
    by_side::BySide,
    game::Game as _,
    ply::Written,
    position::Found,
    square::{Piece, Role, Side, Square},
};
use std::ops::ControlFlow;

impl Linked {
    /// Adds readings for the kings of a board after something there that cannot be judged: each is still there or gone,
    /// except a team's last king, whose loss would end the match.
    pub(super) fn forget_board(&self, board: usize, readings: &mut Vec<Self>) {
        let emptied = self.emptied(board);
        let may_be_gone = |side: Side| self.kings[side] > 1 && self.king(board, side).is_some();
        let choices = |side| {
            if may_be_gone(side) {
                &[false, true][..]
            } else {
                &[false][..]
            }
        };
        for white in choices(Side::White) {
            for black in choices(Side::Black) {
                let mut reading = emptied.clone();
                let gone = [(*white, Side::White), (*black, Side::Black)];
                for (_, side) in gone.into_iter().filter(|(gone, _)| *gone) {
                    reading.lose_king(side);
                    reading.settle(side.other());
                }
                readings.push(reading);
            }
        }
    }

    /// The same position with nothing on a board, which stays open whatever happens.
    fn emptied(&self, board: usize) -> Self {
        let mut emptied = self.clone();
        let counted = self.halfmove(board) >= EXHAUSTED;
        let Some(seat) = emptied.seats.get_mut(board).filter(|seat| !seat.is_unknown) else {
            return emptied;
        };
        if std::mem::take(&mut seat.closed) {
            emptied.open += 1;
        } else if counted {
            emptied.exhausted -= 1;
        }
        seat.board = Board::of(&StrategiSetup::empty());
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
        let over = EDGES
            .into_iter()
            .find(|edge| edge.next(board, self.seats.len()) == Some(lost));
        if ply.is_pass() {
            return over.is_some() && !self.has_ply_but_to(board, lost);
        }
        let in_reach = |of: usize| {
            EDGES
                .into_iter()
                .any(|edge| self.neighbour_in_reach(lost, edge, side) == Some(of))
        };
        let goes_into_reach = || {
            let is_king = self.king(board, side) == Some(u32::from(ply.from));
            let stays = ply.arrives_on() == board;
            let reached =
                over.is_some_and(|edge| edge.opposite().reaches(square_at(u32::from(ply.to))));
            is_king && stays && reached && self.is_guarded(board, side)
        };
        in_reach(board) || in_reach(ply.arrives_on()) || goes_into_reach()
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
        let beside = EDGES
            .into_iter()
            .filter_map(|edge| edge.next(board, self.seats.len()));
        beside
            .into_iter()
            .any(|next| self.seats[next].is_unknown)
            .then(|| Ply::pass(board))
    }

    /// Whether a board is next to a lost one.
    #[must_use]
    pub fn is_beside_unknown(&self, board: usize) -> bool {
        self.unknown_edges(board).next().is_some()
    }

    fn unknown_edges(&self, board: usize) -> impl Iterator<Item = Edge> + '_ {
        let is_unknown = move |edge: &Edge| {
            edge.next(board, self.seats.len())
                .is_some_and(|next| self.seats[next].is_unknown)
        };
        EDGES.into_iter().filter(is_unknown)
    }

    /// Whether a ply would be legal if a crossing from a lost board had used a turn on its board of arrival, as it does
    /// in the edition of 2025 (SC-60): the crossing itself was not seen.
    #[must_use]
    pub fn is_legal_if_a_turn_passed(&self, board: usize, written: &Written) -> bool {
        if self.edition != Edition::Of2025 {
            return false;
        }
        let side = self.seats[board].turn;
        let nexts = EDGES
            .into_iter()
            .filter_map(|edge| edge.next(board, self.seats.len()));
        let may_have_passed =
            |next: &usize| self.seats[*next].turn != side && self.is_beside_unknown(*next);
        nexts.filter(may_have_passed).any(|next| {
            let mut trial = self.clone();
            trial.seats[next].turn = side;
            trial.find(LinkedBoard::of(board), written) != Found::None
        })
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
        let mut trial = self.clone();
        let (at, known) = (LinkedBoard::of(board), self.seats[board].board);
        let guests = self.unknown_edges(board).flat_map(|edge| {
            let next = edge.next(board, self.seats.len()).map(LinkedBoard::of);
            let sides = acted
                .iter()
                .filter(move |(at, _)| Some(*at) == next)
                .map(|(_, side)| *side);
            let files = if edge == Edge::East { [13, 12] } else { [0, 1] };
            sides.flat_map(move |side| files.map(|file| (side, file)))
        });
        let arrivals = guests.flat_map(|(side, file)| {
            (0..14).filter_map(move |rank| Some((side, index(Square::new(file, rank))?)))
        });
        for (side, on) in arrivals {
            let stood = known.piece_at(on);
            if stood.is_some_and(|piece| piece.role == Role::King) {
                continue;
            }
            for role in [
                Role::Pawn,
                Role::Knight,
                Role::Bishop,
                Role::Rook,
                Role::Queen,
            ] {
                let mut there = known;
                if stood.is_some() {
                    there.remove(on);
                }
                there.put(on, Piece { side, role });
                trial.seats[board].board = there;
                if trial.find(at, written) != Found::None {
                    return true;
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
            kept.extend(wanted.then_some(reading.kings));
            wanted
        });
    }
}
