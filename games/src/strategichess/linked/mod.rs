//! StrategiChess on linked boards: boards side by side, a team on each side, many kings.
//!
//! What a ply can touch is little: its board, the one it arrives on, and those near them. So a ply costs
//! the same however many boards there are.

mod as_game;
mod edge;
mod evaluate;
pub mod laws;
mod notation;
pub mod order;
mod record;
mod refusal;
#[cfg(test)]
mod tests;

pub use as_game::{LinkedBoard, Options};
pub use edge::Edge;
pub use notation::*;
pub use refusal::Breach;

use super::{
    StrategiSetup,
    board::{Board, pawn_ways},
    lines,
    scope::Scope,
    squares::{Squares, index, origin_of, square_at},
};
use crate::strategichess::linked::laws as law;
use edge::EDGES;
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    ply::{Arrival, Pattern, Written},
    rule::Rule,
    setup::Impossible,
    square::{Piece, Role, Side, Square},
};

/// Whose rules about kings and crossings hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Edition {
    /// SC-20 to SC-36.
    #[default]
    Of2003,
    /// SC-60 to SC-67 in place of SC-24 to SC-26.
    Of2025,
}

/// What a fallen flag does when it does not lose at once (SC-35).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FallenFlag {
    /// The player has lost his king and passes from then on.
    #[default]
    King,
    /// Play ends on all boards and the kings are counted.
    End,
}

/// A position of linked boards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linked {
    seats: Vec<Seat>,
    edition: Edition,
    flag: FallenFlag,
    kings: [u32; 2],
    /// Grows with every capture, so that all boards' counts start anew at once (SC-34).
    stamp: u32,
    /// Boards that are open, and those of them whose count has reached its end (SC-28).
    open: usize,
    exhausted: usize,
    ended: Option<Ruling>,
    /// Boards that the last ply changed in any way.
    touched: Vec<usize>,
}

/// A board and what belongs to it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Seat {
    board: Board,
    turn: Side,
    fullmove: u32,
    /// Plies made from here since the capture of this stamp.
    made: u32,
    stamp: u32,
    closed: bool,
    fallen: [bool; 2],
}

/// A ply: a move on a board, a crossing to one beside it, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ply {
    board: u16,
    from: u8,
    to: u8,
    over: Option<Edge>,
}

/// A number that is no square's: a pass goes nowhere.
const PASS: u8 = 255;

impl Ply {
    fn new(board: usize, from: u32, to: u32, over: Option<Edge>) -> Self {
        // Numbers of squares fit, and so do those of boards, of which there are not so many.
        Self { board: board as u16, from: from as u8, to: to as u8, over }
    }

    fn pass(board: usize) -> Self {
        Self { board: board as u16, from: PASS, to: PASS, over: None }
    }

    /// The board that it is made from (SC-31).
    #[must_use]
    pub const fn board(self) -> usize {
        self.board as usize
    }

    /// Whether it is the pass of SC-27.
    #[must_use]
    pub const fn is_pass(self) -> bool {
        self.from == PASS
    }

    /// Origin and arrival; `None` for a pass.
    #[must_use]
    pub const fn squares(self) -> Option<(Square, Square)> {
        if self.is_pass() {
            return None;
        }
        Some((square_at(self.from as u32), square_at(self.to as u32)))
    }

    /// The edge it crosses.
    #[must_use]
    pub const fn over(self) -> Option<Edge> {
        self.over
    }

    /// The board on which it arrives.
    #[must_use]
    pub const fn arrives_on(self) -> usize {
        match self.over {
            Some(Edge::East) => self.board as usize + 1,
            Some(Edge::West) => self.board as usize - 1,
            None => self.board as usize,
        }
    }
}

/// Boards, perhaps as they would be after a ply.
trait Boards {
    fn count(&self) -> usize;
    fn board(&self, board: usize) -> &Board;

    /// Whether a side attacks a square of a board, from there or over an edge (SC-21, SC-31).
    fn is_attacked(&self, board: usize, target: u32, side: Side) -> bool {
        let here = self.board(board);
        here.is_attacked(target, side, here.occupied()) || self.is_attacked_over_edges(board, target, side)
    }

    fn is_attacked_over_edges(&self, board: usize, target: u32, side: Side) -> bool {
        EDGES.into_iter().any(|edge| !self.attackers_over(board, edge, target, side).is_empty())
    }

    /// The men of a side on the next board over an edge who attack a square of this one.
    fn attackers_over(&self, board: usize, edge: Edge, target: u32, side: Side) -> Squares {
        let square = square_at(target);
        if !edge.opposite().reaches(square) {
            return Squares::EMPTY;
        }
        edge.next(board, self.count())
            .map_or(Squares::EMPTY, |next| edge::attackers(self.board(next), edge.opposite(), side, square))
    }

    /// The king of a side on a board.
    fn king(&self, board: usize, side: Side) -> Option<u32> {
        self.board(board).of_kind(Role::King, side).into_iter().next()
    }

    /// Whether a side's king on a board stands attacked.
    fn is_king_attacked(&self, board: usize, side: Side) -> bool {
        self.king(board, side).is_some_and(|king| self.is_attacked(board, king, side.other()))
    }
}

impl Boards for Linked {
    fn count(&self) -> usize {
        self.seats.len()
    }

    fn board(&self, board: usize) -> &Board {
        &self.seats[board].board
    }
}

/// The boards after a ply, before anything else is judged.
struct Trial<'a> {
    linked: &'a Linked,
    ply: Ply,
    from: Board,
    /// The board that a crossing arrives on.
    to: Option<Board>,
}

impl Boards for Trial<'_> {
    fn count(&self) -> usize {
        self.linked.count()
    }

    fn board(&self, board: usize) -> &Board {
        match &self.to {
            _ if board == self.ply.board() => &self.from,
            Some(to) if board == self.ply.arrives_on() => to,
            _ => self.linked.board(board),
        }
    }
}

impl Linked {
    /// So many boards in their first position, one at the least (SC-2, SC-20).
    #[must_use]
    pub fn first(boards: usize, edition: Edition) -> Self {
        let setups = vec![StrategiSetup::default(); boards.max(1)];
        Self::arrange(&setups, edition)
    }

    /// The position of set-ups, board A first.
    ///
    /// # Errors
    /// The board and the reason why it can be no position: more than one king of a side, a pawn marked as
    /// never moved where none stands, foreign men. A side without a king on any board is told of board A.
    pub fn from_setups(setups: &[StrategiSetup], edition: Edition) -> Result<Self, Vec<(usize, Impossible)>> {
        let crowded = |setup: &StrategiSetup| setup.kings().iter().any(|kings| *kings > 1);
        let mut reasons: Vec<_> = setups
            .iter()
            .enumerate()
            .flat_map(|(board, setup)| {
                let kings = crowded(setup).then_some(Impossible::TooManyKings);
                kings.into_iter().chain(setup.faults()).map(move |reason| (board, reason))
            })
            .collect();
        if setups.is_empty() {
            reasons.push((0, Impossible::EmptyBoard));
        }
        let linked = Self::arrange(setups, edition);
        if linked.kings.contains(&0) {
            reasons.push((0, Impossible::MissingKing));
        }
        if reasons.is_empty() { Ok(linked) } else { Err(reasons) }
    }

    /// The same where a fallen flag does this.
    #[must_use]
    pub fn with_flag(self, flag: FallenFlag) -> Self {
        Self { flag, ..self }
    }

    fn arrange(setups: &[StrategiSetup], edition: Edition) -> Self {
        let seat = |setup: &StrategiSetup| Seat {
            board: Board::of(setup),
            turn: setup.turn,
            fullmove: setup.fullmove.max(1),
            made: setup.halfmove,
            stamp: 0,
            closed: true,
            fallen: [false; 2],
        };
        let seats: Vec<_> = setups.iter().map(seat).collect();
        let kings = [Side::White, Side::Black]
            .map(|side| seats.iter().map(|seat| seat.board.of_kind(Role::King, side).count()).sum());
        let mut linked = Self {
            seats,
            edition,
            flag: FallenFlag::default(),
            kings,
            stamp: 0,
            open: 0,
            exhausted: 0,
            ended: None,
            touched: Vec::new(),
        };
        if !linked.kings.contains(&0) {
            linked.touch_all();
            linked.settle(Side::Black);
        }
        linked
    }

    /// The set-up of a board.
    #[must_use]
    pub fn to_setup(&self, board: usize) -> StrategiSetup {
        let seat = &self.seats[board];
        let mut setup = StrategiSetup {
            turn: seat.turn,
            halfmove: self.halfmove(board),
            fullmove: seat.fullmove,
            ..StrategiSetup::empty()
        };
        seat.board.arrange(&mut setup);
        setup
    }

    /// How many boards there are.
    #[must_use]
    pub fn boards(&self) -> usize {
        self.seats.len()
    }

    /// The edition whose rules hold.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// The side to move on a board.
    #[must_use]
    pub fn turn(&self, board: usize) -> Side {
        self.seats[board].turn
    }

    /// Number of the move to come on a board, from 1.
    #[must_use]
    pub fn fullmove(&self, board: usize) -> u32 {
        self.seats[board].fullmove
    }

    /// Plies made from a board since the last capture on any (SC-34).
    #[must_use]
    pub fn halfmove(&self, board: usize) -> u32 {
        let seat = &self.seats[board];
        if seat.stamp == self.stamp { seat.made } else { 0 }
    }

    /// What stands on a square of a board.
    #[must_use]
    pub fn piece_at(&self, board: usize, square: Square) -> Option<Piece> {
        self.seats[board].board.man_at(index(square)?)
    }

    /// Whether a pawn stands on a square of a board that has never moved (SC-5a).
    #[must_use]
    pub fn is_unmoved(&self, board: usize, square: Square) -> bool {
        index(square).is_some_and(|index| self.seats[board].board.unmoved().has(index))
    }

    /// Kings that White's and Black's team have left.
    #[must_use]
    pub const fn kings(&self) -> [u32; 2] {
        self.kings
    }

    /// How many men of a kind a side has on a board.
    #[must_use]
    pub fn count_men(&self, board: usize, side: Side, role: Role) -> u32 {
        self.seats[board].board.of_kind(role, side).count()
    }

    /// Where the king of a side stands on a board.
    #[must_use]
    pub fn king_on(&self, board: usize, side: Side) -> Option<Square> {
        Boards::king(self, board, side).map(square_at)
    }

    /// Whether the king of a side on a board stands attacked, over an edge too.
    #[must_use]
    pub fn is_attacked_king(&self, board: usize, side: Side) -> bool {
        self.is_king_attacked(board, side)
    }

    /// Whether the side to move on a board has a king there that must be safe, and stands attacked.
    #[must_use]
    pub fn in_check(&self, board: usize) -> bool {
        let side = self.turn(board);
        self.is_guarded(board, side) && self.is_king_attacked(board, side)
    }

    /// Whether neither side would have a move on a board (SC-32).
    #[must_use]
    pub fn is_closed(&self, board: usize) -> bool {
        self.seats[board].closed
    }

    /// Whether the flag of a side's player on a board has fallen (SC-35).
    #[must_use]
    pub fn has_fallen(&self, board: usize, side: Side) -> bool {
        self.seats[board].fallen[side as usize]
    }

    /// Boards that the last ply changed in any way.
    #[must_use]
    pub fn touched(&self) -> &[usize] {
        &self.touched
    }

    /// Takes over from another position of the same boards what has changed there on some of them.
    pub fn follow(&mut self, other: &Self, boards: &[usize]) {
        for board in boards {
            self.seats[*board].clone_from(&other.seats[*board]);
        }
        self.kings = other.kings;
        self.stamp = other.stamp;
        self.open = other.open;
        self.exhausted = other.exhausted;
        self.ended = other.ended;
        self.touched.clone_from(&other.touched);
    }

    /// The end of the game, where it has come (SC-33).
    #[must_use]
    pub const fn end_by_itself(&self) -> Option<Ruling> {
        self.ended
    }

    /// The same position without the king of a side on a board, as it would be had he been lost there;
    /// `None` where none stands or none would be left.
    #[must_use]
    pub fn without_king(&self, board: usize, side: Side) -> Option<Self> {
        if self.kings[side as usize] < 2 || self.king(board, side).is_none() {
            return None;
        }
        let mut without = self.clone();
        without.touched.clear();
        without.remove_king(board, side);
        without.settle(side.other());
        Some(without)
    }

    /// The position after the man on a square of a board was put on one of the board `arrives` and the
    /// turn passed on, legal or not (GEN-9); `None` when no man of the side to move stands there, or the
    /// result is no position.
    #[must_use]
    pub fn displaced(&self, board: usize, from: Square, to: Square, arrives: usize) -> Option<Self> {
        let (from, to) = (index(from)?, index(to)?);
        let side = self.seats.get(board)?.turn;
        let man = self.seats[board].board.man_at(from).filter(|man| man.side == side)?;
        let taken = self.seats.get(arrives)?.board.man_at(to);
        let stays = (board, from) == (arrives, to);
        let takes_last =
            taken.is_some_and(|man| man.role == Role::King && self.kings[man.side as usize] == 1);
        let second = man.role == Role::King && arrives != board && self.king(arrives, side).is_some();
        if stays || takes_last || second {
            return None;
        }
        let mut next = Self { ended: None, ..self.clone() };
        next.seats[board].board.remove(from);
        next.seats[arrives].board.remove(to);
        next.seats[arrives].board.put(to, man);
        next.finish_turn(board);
        if self.edition == Edition::Of2025 && arrives != board && self.seats[arrives].turn == side {
            next.finish_turn(arrives);
        }
        match taken {
            Some(man) if man.role == Role::King => next.lose_king(man.side),
            Some(_) => next.restart_counts(),
            None => {}
        }
        next.touch_all();
        next.settle(side);
        Some(next)
    }

    /// The position as far as it is known where nothing is known of a board: there stands no man but one
    /// of the other side where something is said to be taken, and it is `mover`'s turn. For judging a
    /// crossing to that board by everything else, not for playing on.
    #[must_use]
    pub fn supposing(&self, board: usize, taken: Option<Square>, mover: Side) -> Self {
        let mut supposed = self.clone();
        let setup = StrategiSetup { turn: mover, ..StrategiSetup::empty() };
        supposed.seats[board].board = Board::of(&setup);
        supposed.seats[board].turn = mover;
        if let Some(square) = taken.and_then(index) {
            let man = Piece { side: mover.other(), role: Role::Pawn };
            supposed.seats[board].board.put(square, man);
        }
        supposed
    }

    /// The result if the kings were counted now (SC-30).
    #[must_use]
    pub fn counted(&self) -> Outcome {
        match self.kings[0].cmp(&self.kings[1]) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::White),
            std::cmp::Ordering::Less => Outcome::Win(Side::Black),
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
    }

    /// Whether either captain may have the kings counted: every open board has seen a hundred plies
    /// since the last capture on any board (SC-28).
    #[must_use]
    pub fn may_be_counted(&self) -> bool {
        let open = |board: &usize| !self.seats[*board].closed;
        self.open > 0 && (0..self.seats.len()).filter(open).all(|board| self.halfmove(board) >= 100)
    }

    /// Whether a king of a side on this board must be safe after a ply of its team (SC-25, SC-62).
    fn is_guarded(&self, board: usize, side: Side) -> bool {
        let guards = self.edition == Edition::Of2025 || self.kings[side as usize] == 1;
        guards && self.king(board, side).is_some()
    }

    /// Every ply of a side on a board but the pass, were it to move.
    fn list(&self, board: usize, side: Side, visit: &mut impl FnMut(Ply)) {
        let here = &self.seats[board].board;
        let guarded = if self.is_guarded(board, side) { self.king(board, side) } else { None };
        // Next to an edge a king may be attacked from beyond it, and there every ply is tried out.
        let at_edge = guarded.is_some_and(|king| is_at_edge(king) && self.seats.len() > 1);
        let scope = match guarded.filter(|_| !at_edge) {
            Some(king) => Scope::guarding(here, side, king),
            None => Scope::free(here, side),
        };
        let tried = at_edge || self.has_exposed_neighbour(board, side);
        let takes_kings = here.of_kind(Role::King, side.other());
        let free = |ply: Ply| {
            let takes_king = takes_kings.has(u32::from(ply.to));
            let steps_to_edge = guarded == Some(u32::from(ply.from)) && is_at_edge(u32::from(ply.to));
            !(tried || takes_king || steps_to_edge) || self.breach(ply, side).is_none()
        };
        scope.list(&mut |m| {
            let ply = Ply::new(board, m.origin(), m.arrival(), None);
            if free(ply) {
                visit(ply);
            }
        });
        let in_check = guarded.is_some_and(|king| here.is_attacked(king, side.other(), here.occupied()));
        if in_check && !at_edge {
            return;
        }
        self.list_crossings(board, side, visit);
    }

    /// Every ply of a side from a board to one beside it, were it to move.
    fn list_crossings(&self, board: usize, side: Side, visit: &mut impl FnMut(Ply)) {
        let here = &self.seats[board].board;
        for edge in EDGES {
            let Some(next) = edge.next(board, self.seats.len()) else { continue };
            edge::crossings(here, &self.seats[next].board, edge, side, &mut |from, to| {
                let ply = Ply::new(board, from, to, Some(edge));
                if self.breach(ply, side).is_none() {
                    visit(ply);
                }
            });
        }
    }

    /// Whether a king of the side on a neighbouring board stands where a line from this one reaches it.
    fn has_exposed_neighbour(&self, board: usize, side: Side) -> bool {
        EDGES.into_iter().any(|edge| self.neighbour_in_reach(board, edge, side).is_some())
    }

    /// The board beyond an edge, where a king of the side that must be safe stands so near that lines from this one
    /// reach him.
    fn neighbour_in_reach(&self, board: usize, edge: Edge, side: Side) -> Option<usize> {
        let next = edge.next(board, self.seats.len()).filter(|next| self.is_guarded(*next, side))?;
        self.king(next, side).filter(|king| edge.reaches(square_at(*king))).map(|_| next)
    }

    /// Why a ply that a man could make is not legal for its side, were it to move.
    fn breach(&self, ply: Ply, side: Side) -> Option<Breach> {
        let arrives = ply.arrives_on();
        if self.seats[arrives].board.kings().has(u32::from(ply.to)) {
            match self.edition {
                Edition::Of2025 => return Some(Breach::TakesKing),
                Edition::Of2003 if self.kings[side.other() as usize] == 1 => {
                    return Some(Breach::TakesLastKing);
                }
                Edition::Of2003 => {}
            }
        }
        if self.edition == Edition::Of2025 && ply.over.is_some() {
            if self.seats[arrives].turn != side {
                return Some(Breach::NotReceiversTurn(arrives));
            }
            if self.is_king_attacked(arrives, side) {
                return Some(Breach::ReceiverInCheck(arrives));
            }
        }
        self.exposes(ply, side)
    }

    /// The king that a ply leaves or lays open, if it must be safe.
    fn exposes(&self, ply: Ply, side: Side) -> Option<Breach> {
        let board = ply.board();
        let own = self.is_guarded(board, side) && !self.is_far_from_king(ply, side);
        let beside = EDGES.map(|edge| self.neighbour_in_reach(board, edge, side));
        if !own && beside == [None, None] {
            return None;
        }
        let trial = self.tried(ply, side);
        if own && trial.is_king_attacked(board, side) {
            return Some(Breach::LeavesKing(board));
        }
        let laid_open =
            |next: &usize| !self.is_king_attacked(*next, side) && trial.is_king_attacked(*next, side);
        beside.into_iter().flatten().find(laid_open).map(Breach::ExposesKing)
    }

    /// Whether a ply is made by a man on no line of his side's king, who is not attacked: no line to him opens. What
    /// comes over an edge goes no further than its first two files.
    fn is_far_from_king(&self, ply: Ply, side: Side) -> bool {
        self.king(ply.board(), side).is_some_and(|king| {
            let lines = lines::straight_lines(king) | lines::slanting_lines(king);
            let from = u32::from(ply.from);
            from != king && !lines.has(from) && !self.is_king_attacked(ply.board(), side)
        })
    }

    fn tried(&self, ply: Ply, side: Side) -> Trial<'_> {
        let mut from = self.seats[ply.board()].board;
        let to = if ply.over.is_none() {
            from.shift(side, u32::from(ply.from), u32::from(ply.to));
            None
        } else {
            let mut to = self.seats[ply.arrives_on()].board;
            cross(&mut from, &mut to, ply);
            Some(to)
        };
        Trial { linked: self, ply, from, to }
    }

    /// The legal plies of a board that a written ply means, one by one.
    pub fn meant<'a>(&'a self, board: usize, written: &Written) -> impl Iterator<Item = Ply> + use<'a> {
        let pass = *written == Written::Pass;
        let passes = (pass && self.may_pass(board)).then(|| Ply::pass(board));
        let pattern = match written {
            Written::Move(pattern) if self.ended.is_none() => Some(*pattern),
            _ => None,
        };
        let plies = pattern.into_iter().flat_map(move |pattern| self.fitting(board, &pattern));
        passes.into_iter().chain(plies)
    }

    /// The plies that fit a pattern and are legal but for an end that has come.
    fn fitting<'a>(&'a self, board: usize, pattern: &Pattern) -> impl Iterator<Item = Ply> + use<'a> {
        let side = self.seats[board].turn;
        let plies = self.candidates(board, pattern).into_iter().flat_map(move |(from, to, over)| {
            from.into_iter().map(move |from| Ply::new(board, from, to, over))
        });
        plies.filter(move |ply| self.breach(*ply, side).is_none())
    }

    /// The men that a pattern may mean, wherever the kings stand; their arrival and the edge they cross.
    fn candidates(&self, board: usize, pattern: &Pattern) -> Option<(Squares, u32, Option<Edge>)> {
        let seat = &self.seats[board];
        let to = index(pattern.to)?;
        if pattern.promotion.is_some() || seat.fallen[seat.turn as usize] {
            return None;
        }
        let (over, from) = match pattern.arrival {
            Arrival::Above => return None,
            Arrival::Here => (None, seat.board.origins(pattern.role, seat.turn, to, pattern.capture)),
            Arrival::Beside(next) => {
                let edge = EDGES
                    .into_iter()
                    .find(|edge| edge.next(board, self.seats.len()) == Some(usize::from(next)))?;
                (Some(edge), self.crossing_origins(board, edge, pattern, to))
            }
        };
        Some((from & super::origins(pattern), to, over))
    }

    fn crossing_origins(&self, board: usize, edge: Edge, pattern: &Pattern, to: u32) -> Squares {
        let Some(next) = edge.next(board, self.seats.len()) else { return Squares::EMPTY };
        let (seat, next) = (&self.seats[board], &self.seats[next].board);
        let enemy = next.all(seat.turn.other()).has(to);
        let man = (pattern.role, seat.turn);
        let barred = next.all(seat.turn).has(to) || (pattern.role == Role::Pawn && pattern.capture != enemy);
        if barred {
            return Squares::EMPTY;
        }
        edge::origins(&seat.board, edge, man, pattern.to, pattern.capture)
    }

    /// Whether the side to move on a board must pass (SC-27).
    #[must_use]
    pub fn may_pass(&self, board: usize) -> bool {
        self.ended.is_none() && self.must_pass(board)
    }

    /// The same, also behind an end by count.
    fn must_pass(&self, board: usize) -> bool {
        let seat = &self.seats[board];
        !seat.closed && !self.has_ply(board, seat.turn)
    }

    /// A legal ply as it is written: no more of the origin than tells it apart; a pawn that takes names
    /// its file. Also behind an end by count, where lines of play go on (GEN-6).
    #[must_use]
    pub fn written(&self, ply: Ply) -> Written {
        let Some((from, to)) = ply.squares() else { return Written::Pass };
        let role = self.piece_at(ply.board(), from).map_or(Role::Pawn, |piece| piece.role);
        let capture = self.captures(ply);
        let file = (role == Role::Pawn && capture).then_some(from.file);
        let arrival = match ply.over {
            Some(_) => Arrival::Beside(ply.arrives_on() as u16),
            None => Arrival::Here,
        };
        let pattern = Pattern { role, file, rank: None, capture, to, promotion: None, arrival };
        let alone = |pattern: &Pattern| self.fitting(ply.board(), pattern).count() == 1;
        Written::Move(pattern.shortest(from, alone))
    }

    /// Whether a ply takes something.
    #[must_use]
    pub fn captures(&self, ply: Ply) -> bool {
        !ply.is_pass() && self.seats[ply.arrives_on()].board.occupied().has(u32::from(ply.to))
    }

    fn make(&mut self, ply: Ply) {
        let (board, arrives) = (ply.board(), ply.arrives_on());
        let side = self.seats[board].turn;
        self.touched.clear();
        let taken = if ply.is_pass() { None } else { self.carry(ply, side) };
        self.finish_turn(board);
        if self.edition == Edition::Of2025 && arrives != board {
            self.finish_turn(arrives);
        }
        self.touch_around(board);
        self.touch_around(arrives);
        // The ply that takes is not counted itself (SC-34).
        match taken {
            Some(Role::King) => self.lose_king(side.other()),
            Some(_) => self.restart_counts(),
            None => {}
        }
        self.settle(side);
    }

    /// Moves the man, and answers what he takes.
    fn carry(&mut self, ply: Ply, side: Side) -> Option<Role> {
        let (board, arrives) = (ply.board(), ply.arrives_on());
        let taken = self.seats[arrives].board.man_at(u32::from(ply.to));
        if let Ok([from, to]) = self.seats.get_disjoint_mut([board, arrives]) {
            cross(&mut from.board, &mut to.board, ply);
        } else {
            self.seats[board].board.shift(side, u32::from(ply.from), u32::from(ply.to));
        }
        taken.map(|man| man.role)
    }

    fn lose_king(&mut self, side: Side) {
        self.kings[side as usize] -= 1;
        self.restart_counts();
        // With its last king a team comes under other rules, on every board.
        if self.kings[side as usize] <= 1 {
            self.touch_all();
        }
    }

    /// Counts start anew on all boards (SC-34).
    fn restart_counts(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        self.exhausted = 0;
    }

    fn finish_turn(&mut self, board: usize) {
        let made = self.halfmove(board).saturating_add(1);
        let seat = &mut self.seats[board];
        seat.made = made;
        seat.stamp = self.stamp;
        seat.fullmove = seat.fullmove.saturating_add(u32::from(seat.turn == Side::Black));
        seat.turn = seat.turn.other();
        self.exhausted += usize::from(made == EXHAUSTED && !seat.closed);
    }

    /// Touches a board and those beside it, and the one behind those where a king between can be attacked
    /// from here: what may be done there depends on whether he is (SC-25, SC-61, SC-62).
    fn touch_around(&mut self, board: usize) {
        self.touch(board);
        for edge in EDGES {
            let Some(next) = edge.next(board, self.seats.len()) else { continue };
            self.touch(next);
            let kings = [Side::White, Side::Black].map(|side| self.king(next, side));
            let in_reach = kings.into_iter().flatten().any(|king| edge.reaches(square_at(king)));
            if let Some(behind) = edge.next(next, self.seats.len()).filter(|_| in_reach) {
                self.touch(behind);
            }
        }
    }

    fn touch(&mut self, board: usize) {
        if !self.touched.contains(&board) {
            self.touched.push(board);
        }
    }

    fn touch_all(&mut self) {
        self.touched.clear();
        self.touched.extend(0..self.seats.len());
    }

    /// Judges afresh what a ply of this side has touched (SC-33).
    fn settle(&mut self, mover: Side) {
        self.ended = match self.edition {
            Edition::Of2003 => self.mated_team(mover),
            Edition::Of2025 => self.remove_mated(mover),
        };
        self.close_touched();
        if self.ended.is_none() && (self.open == 0 || self.exhausted == self.open) {
            let (cause, rule) = match self.open {
                0 => (Cause::AllClosed, &law::ORDER_OF_ENDS),
                _ => (Cause::KingsCounted, &law::COUNT),
            };
            self.ended = Some(Ruling { outcome: self.counted(), cause, rule });
        }
    }

    /// The team that this ply mates, its maker's opponent first (SC-25, SC-26, SC-31).
    fn mated_team(&self, mover: Side) -> Option<Ruling> {
        let is_mated = |side: &Side| {
            self.kings[*side as usize] == 1
                && self
                    .touched
                    .iter()
                    .any(|board| self.king(*board, *side).is_some() && self.is_mated(*board, *side))
        };
        let mated = [mover.other(), mover].into_iter().find(is_mated)?;
        Some(Self::won(mated.other(), &law::LAST_KING_MATED))
    }

    const fn won(side: Side, rule: &'static Rule) -> Ruling {
        Ruling { outcome: Outcome::Win(side), cause: Cause::Checkmate, rule }
    }

    /// Whether a side's king on a board is attacked, to move, and no ply there saves it.
    fn is_mated(&self, board: usize, side: Side) -> bool {
        self.seats[board].turn == side && self.is_king_attacked(board, side) && !self.has_ply(board, side)
    }

    /// Takes mated kings off one at a time, the mover's opponents first, boards from A on, until one is
    /// its team's last (SC-63, SC-64, SC-66).
    fn remove_mated(&mut self, mover: Side) -> Option<Ruling> {
        loop {
            self.touched.sort_unstable();
            let mated = [mover.other(), mover].into_iter().find_map(|side| {
                let board = self.touched.iter().find(|board| self.is_mated(**board, side))?;
                Some((*board, side))
            });
            let (board, side) = mated?;
            if self.kings[side as usize] == 1 {
                return Some(Self::won(side.other(), &law::LAST_MATE));
            }
            self.remove_king(board, side);
        }
    }

    fn remove_king(&mut self, board: usize, side: Side) {
        if let Some(king) = self.king(board, side) {
            self.seats[board].board.remove(king);
            self.lose_king(side);
            self.touch_around(board);
        }
    }

    /// Closes and opens boards (SC-32).
    fn close_touched(&mut self) {
        for at in 0..self.touched.len() {
            let board = self.touched[at];
            let closed = self.would_be_closed(board);
            if closed == self.seats[board].closed {
                continue;
            }
            self.seats[board].closed = closed;
            let exhausted = usize::from(self.halfmove(board) >= EXHAUSTED);
            if closed {
                self.open -= 1;
                self.exhausted -= exhausted;
            } else {
                self.open += 1;
                self.exhausted += exhausted;
            }
        }
    }

    fn would_be_closed(&self, board: usize) -> bool {
        let sides = [Side::White, Side::Black];
        let besieged = |side: Side| self.kings[side as usize] == 1 && self.is_king_attacked(board, side);
        !sides.into_iter().any(|side| self.has_ply(board, side)) && !sides.into_iter().any(besieged)
    }

    /// Whether a side would have a ply on a board other than a pass, were it to move.
    fn has_ply(&self, board: usize, side: Side) -> bool {
        let seat = &self.seats[board];
        if seat.fallen[side as usize] {
            return false;
        }
        // One will do: those are looked at first that are the most likely to be legal.
        let here = &seat.board;
        let kings = here.of_kind(Role::King, side);
        let pawns = here.of_kind(Role::Pawn, side);
        let steps = pawns.forward(side) & Squares::BOARD & !here.occupied();
        let goes = |from: u32, to: u32| self.breach(Ply::new(board, from, to, None), side).is_none();
        let [step, ..] = pawn_ways(side);
        let others = here.all(side) & !kings;
        steps.into_iter().any(|to| goes(origin_of(to, step), to))
            || [kings, others]
                .into_iter()
                .any(|men| men.into_iter().any(|from| here.reach(from).into_iter().any(|to| goes(from, to))))
            || self.has_crossing(board, side)
    }

    /// Whether a side would have a legal ply from a board to one beside it, were it to move.
    fn has_crossing(&self, board: usize, side: Side) -> bool {
        let mut any = false;
        self.list_crossings(board, side, &mut |_| any = true);
        any
    }

    /// The flag of a side's player on a board falls: his king leaves the board (SC-35).
    pub fn fall(&mut self, board: usize, side: Side, rule: FallenFlag) {
        self.touch_all();
        self.seats[board].fallen[side as usize] = true;
        let last = self.kings[side as usize] == 1 && self.king(board, side).is_some();
        if let Some(king) = self.king(board, side) {
            self.seats[board].board.remove(king);
            self.kings[side as usize] -= 1;
            self.restart_counts();
        }
        if last {
            let outcome = Outcome::Win(side.other());
            self.ended = Some(Ruling { outcome, cause: Cause::Flag, rule: &law::FALLEN });
        } else if rule == FallenFlag::End {
            let outcome = self.counted();
            self.ended = Some(Ruling { outcome, cause: Cause::KingsCounted, rule: &law::FALLEN });
        } else {
            self.settle(side.other());
        }
    }
}

/// Plies from every open board without a capture after which the kings are counted (SC-28).
const EXHAUSTED: u32 = 150;

/// Whether a square can be reached over an edge.
const fn is_at_edge(square: u32) -> bool {
    matches!(square & 15, 0 | 1 | 12 | 13)
}

/// Carries a man over an edge, and takes what stands where he arrives.
fn cross(from: &mut Board, to: &mut Board, ply: Ply) {
    let (origin, arrival) = (u32::from(ply.from), u32::from(ply.to));
    if let Some(man) = from.man_at(origin) {
        from.remove(origin);
        to.remove(arrival);
        to.put(arrival, man);
    }
}
