//! Mega-Chess and Recursive-Chess(N): pieces that are games.
//!
//! The ply is one act on one board; a turn is a run of plies, and the position remembers which boards
//! are used. Turns cannot be listed, plies can:
//!
//! ```
//! use overboard_games::mega::Mega;
//! use overboard_rules::game::Game;
//! use std::ops::ControlFlow;
//!
//! let start = Mega::first(1);
//! let mut plies = 0;
//! let _ = start.legal(|_| {
//!     plies += 1;
//!     ControlFlow::Continue(())
//! });
//! assert_eq!(plies, 32 * 20 + 20);
//! ```

pub use crate::board8::board::BoardMove as MegaMove;
use crate::{board8::board, chess::Chess, nth::nth_bit, playable::pick};
pub use game::{Act, Ply};
use game::{Game, OUTCOMES, Step};
pub use mega_board::State;
pub use notation::*;
use overboard_rules::{
    outcome::Ruling,
    path::{BoardPath, square},
    ply::{Pattern, Written},
    position::{Found, Irregular},
    square::{Piece, Side, Square},
};
use std::sync::Arc;

mod as_game;
pub mod evaluate;
mod game;
pub mod laws;
mod leaf;
mod mega_board;
mod notation;
mod record;
mod refusal;
mod setup;
#[cfg(test)]
mod tests;

pub use as_game::Options;
pub use refusal::{Asked, Breach};
pub use setup::{BoardSetup, MegaSetup};

/// A position of Recursive-Chess(N) for N from 1 on, in the middle of a turn or between turns.
///
/// Copies share the boards; what is played on is copied first, the untouched is not there at all
/// (MG-22).
#[derive(Clone, Debug)]
pub struct Mega {
    game: Arc<Game>,
}

/// Side effects of a ply; none by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// The board that the ply was made on.
    path: BoardPath,
    level: u8,
    step: Step,
}

impl Effects {
    /// Whether the turn is over in the game at this depth.
    #[must_use]
    pub fn ends_turn_at(&self, depth: usize) -> bool {
        self.has(self.step.closed, depth)
    }

    /// Whether that turn gave mega-check, and whether mega-mate.
    #[must_use]
    pub fn checks_at(&self, depth: usize) -> (bool, bool) {
        (self.has(self.step.checks, depth), self.has(self.step.mates, depth))
    }

    /// Whether the move of chess gave check, and whether mate.
    #[must_use]
    pub const fn checks_on_board(&self) -> (bool, bool) {
        self.step.chess
    }

    /// The end of the whole game.
    #[must_use]
    pub const fn end(&self) -> Option<Ruling> {
        self.step.end
    }

    fn has(&self, set: u64, depth: usize) -> bool {
        usize::from(self.level).checked_sub(depth + 1).is_some_and(|level| set >> level & 1 == 1)
    }
}

/// What stands on a mega-square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MegaPiece {
    /// Whose it is and what it is.
    pub piece: Piece,
    /// Its state.
    pub state: State,
}

/// A board that a path leads to.
#[derive(Clone, Debug)]
pub enum Board {
    /// A board of chess.
    Chess(Chess),
    /// A mega-board.
    Mega(Mega),
}

impl Mega {
    /// The first position of this level, taken as 1 where it is less and as 64 where it is more.
    #[must_use]
    pub fn first(level: u8) -> Self {
        Self::under(Options { level, ..Options::default() })
    }

    /// The initial position under these options.
    #[must_use]
    pub fn under(agreed: Options) -> Self {
        Self { game: Arc::clone(Game::start(agreed.level.clamp(1, 64), agreed.free_turns)) }
    }

    /// The level.
    #[must_use]
    pub fn level(&self) -> u8 {
        self.game.level
    }

    /// Whether either player may move on a board in its own turn, whoever moved there last (MG-18).
    #[must_use]
    pub fn has_free_turns(&self) -> bool {
        self.game.free_turns
    }

    /// The side whose turn it is.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.game.turn
    }

    /// Number of the turn, from 1.
    #[must_use]
    pub fn fullmove(&self) -> u32 {
        self.game.full
    }

    /// Consecutive mega-moves, for MG-14.
    #[must_use]
    pub fn halfmove(&self) -> u32 {
        self.game.half
    }

    /// Whether the turn has not begun.
    #[must_use]
    pub fn is_between_turns(&self) -> bool {
        self.game.is_between_turns()
    }

    /// Whether the side to move is in mega-check.
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.game.checked
    }

    /// Whether both players may move on a board in play, each in its own turn (MG-18).
    #[must_use]
    pub fn both_may_move(&self, on: Square) -> bool {
        self.game.waiting.again() >> overboard_rules::path::index(on) & 1 == 1
    }

    /// The boards used in this turn, `A1` first.
    pub fn used(&self) -> impl Iterator<Item = Square> + use<> {
        squares(self.game.used)
    }

    /// Whether a move was made in this turn and not only draws agreed.
    #[must_use]
    pub fn has_moved(&self) -> bool {
        self.game.moved
    }

    /// The boards not used yet in this turn that offer the side to move a legal move (MG-3).
    pub fn offering(&self) -> impl Iterator<Item = Square> + use<> {
        squares(self.game.offering())
    }

    /// The board on which a turn has begun that is not over (MG-21).
    #[must_use]
    pub fn open(&self) -> Option<Square> {
        self.game.open.map(square)
    }

    /// The path to the board whose turn is under way: through all open boards.
    #[must_use]
    pub fn open_path(&self) -> BoardPath {
        let mut path = BoardPath::OUTERMOST;
        let mut game = &*self.game;
        while let Some(at) = game.open {
            path.push(at);
            match game.game(at) {
                Some(inner) => game = inner,
                None => break,
            }
        }
        path
    }

    /// What stands on a mega-square.
    #[must_use]
    pub fn mega_piece_at(&self, on: Square) -> Option<MegaPiece> {
        let at = overboard_rules::path::index(on);
        Some(MegaPiece { piece: self.game.field.piece_at(at)?, state: self.game.field.state_at(at)? })
    }

    /// The board in play on a mega-square, where it was ever played on.
    #[must_use]
    pub fn touched_board(&self, on: Square) -> Option<Board> {
        let at = overboard_rules::path::index(on);
        let leaf = self.game.leaf(at).map(|leaf| Board::Chess(leaf.chess.clone()));
        leaf.or_else(|| self.game.game(at).map(|game| Board::Mega(Self { game: Arc::clone(game) })))
    }

    /// The board in play on a mega-square, as it stands: the side to move there is the one that did not move last.
    /// `None` where no game is played.
    #[must_use]
    pub fn board(&self, on: Square) -> Option<Board> {
        let at = overboard_rules::path::index(on);
        if self.game.in_play() >> at & 1 == 0 {
            return None;
        }
        Some(if self.game.level == 1 {
            Board::Chess(self.game.with_leaf(at, |leaf| leaf.chess.clone()))
        } else {
            match self.game.game(at) {
                Some(game) => Board::Mega(Self { game: Arc::clone(game) }),
                None => {
                    let options = Options { level: self.game.level - 1, free_turns: self.game.free_turns };
                    Board::Mega(Self::under(options))
                }
            }
        })
    }

    /// The board in play on a mega-square as the side whose turn it is sees it: if it may move there, it is
    /// the side to move, even if it moved last (MG-18). `None` where no game is played.
    #[must_use]
    pub fn faced(&self, on: Square) -> Option<Board> {
        let at = overboard_rules::path::index(on);
        Some(match self.board(on)? {
            Board::Chess(_) => Board::Chess(self.game.with_chess(at, Chess::clone)),
            Board::Mega(mega) if mega.turn() == self.turn() => Board::Mega(mega),
            Board::Mega(_) => Board::Mega(Self { game: Arc::new(self.game.with_inner(at, Game::clone)) }),
        })
    }

    /// The board that a path leads to, as it stands; `None` where no game is played there.
    #[must_use]
    pub fn board_at(&self, path: &BoardPath) -> Option<Board> {
        self.led_to(path, Self::board)
    }

    /// The board at a path, as the side whose turn it is sees it; `None` where no game is played there. The
    /// plies of [`Game::legal`](overboard_rules::game::Game::legal) are plies of boards so found.
    #[must_use]
    pub fn faced_at(&self, path: &BoardPath) -> Option<Board> {
        self.led_to(path, Self::faced)
    }

    fn led_to(&self, path: &BoardPath, step: fn(&Self, Square) -> Option<Board>) -> Option<Board> {
        let mut board = Board::Mega(self.clone());
        for on in path.squares() {
            match board {
                Board::Mega(mega) => board = step(&mega, on)?,
                Board::Chess(_) => return None,
            }
        }
        Some(board)
    }

    /// Castling rights in the order K Q k q.
    #[must_use]
    pub fn castling(&self) -> [bool; 4] {
        self.game.field.board.castling
    }

    /// The square crossed by a double step, where a capture in passing is legal.
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.game.field.board.en_passant.map(square)
    }

    /// The mega-pieces that give mega-check to a side's king.
    pub fn checkers(&self, side: Side) -> impl Iterator<Item = Square> + use<> {
        squares(self.game.field.checkers(side))
    }

    /// Where a side's mega-king stands.
    #[must_use]
    pub fn king(&self, side: Side) -> Option<Square> {
        self.game.field.king(side).map(square)
    }

    /// How many legal plies there are; `None` where they are more than a number of 64 bits holds.
    #[must_use]
    pub fn count_legal_exactly(&self) -> Option<u64> {
        self.game.count_legal()
    }

    /// Shows every legal mega-move of the outermost board, were its turn to begin.
    pub fn for_each_mega_move(&self, visit: impl FnMut(MegaMove)) {
        self.game.for_each_mega_move(visit);
    }

    fn make(&mut self, ply: &Ply) -> Effects {
        let level = self.game.level;
        let step = Arc::make_mut(&mut self.game).play(ply.path.steps(), ply.act);
        Effects { path: ply.path, level, step }
    }

    /// The ply that moves a piece on the board at a path, legally or not, and is then played like any other
    /// (GEN-9); `None` if no move was possible on that board, no piece of the side to move is on `from`, or
    /// the result is no position of a game.
    #[must_use]
    pub fn displaced(&self, path: &BoardPath, from: Square, to: Square) -> Option<Ply> {
        if !path.is_empty() {
            self.judge(path, Asked::Unknown).ok()?;
        }
        let is_position = match self.faced_at(path)? {
            Board::Chess(chess) => chess.displaced(from, to).is_some(),
            Board::Mega(mega) => {
                mega.game.may_displace(overboard_rules::path::index(from), overboard_rules::path::index(to))
            }
        };
        if !is_position {
            return None;
        }
        let ply = Ply { path: *path, act: Act::Displaced(from, to) };
        let mut after = self.clone();
        after.make(&ply);
        let mut around = BoardPath::OUTERMOST;
        let safe = |around: &BoardPath| match (self.faced_at(around), after.board_at(around)) {
            (Some(Board::Mega(before)), Some(Board::Mega(after))) => {
                after.game.field.faults(Some(before.turn())).is_empty()
            }
            _ => true,
        };
        let all = std::iter::once(around).chain(path.squares().map(|on| {
            around.push(overboard_rules::path::index(on));
            around
        }));
        all.collect::<Vec<_>>().iter().all(safe).then_some(ply)
    }

    /// The only mega-square from which the mega-piece of an illegal mega-move can have come.
    #[must_use]
    pub fn only_origin(&self, pattern: &Pattern) -> Option<Square> {
        self.game.field.board.only_origin(self.turn(), pattern)
    }

    /// Whether both are the same for repetition (MG-16), and the same boards are used in the turn.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        (self.game.position_hash(), self.game.used) == (other.game.position_hash(), other.game.used)
    }

    /// Whether the turn of the game that a path leads to has begun and is not over.
    #[must_use]
    pub fn goes_on_at(&self, path: &BoardPath) -> bool {
        !self.is_between_turns() && self.open_path().steps().starts_with(path.steps())
    }

    /// The end of the game, by the position itself or by how often it was there; mega-mate first (MG-15).
    #[must_use]
    pub fn end_by_itself(&self) -> Option<Ruling> {
        if self.is_between_turns() { self.game.end_by_itself() } else { None }
    }

    /// The end that the position is by itself (GEN-11).
    #[must_use]
    pub fn standing_end(&self) -> Option<Ruling> {
        self.game.standing_end()
    }

    /// Whether a side could still win (GEN-10): as in a dead position, two kings alone cannot.
    #[must_use]
    pub fn can_win(&self) -> bool {
        !self.game.field.is_dead()
    }

    /// A legal mega-move as it is written, with no more of the origin than is needed to disambiguate.
    #[must_use]
    pub fn written(&self, m: MegaMove) -> Written {
        let is_meant =
            |pattern: &Pattern| self.game.mega_move_meant(&Written::Move(*pattern)) == Found::One(m);
        self.game.field.board.written(m, is_meant)
    }

    /// Whether a legal mega-move captures.
    #[must_use]
    pub fn captures(&self, m: MegaMove) -> bool {
        self.game.field.board.target(m).is_some()
    }

    /// Whether a legal mega-move can win the whole game at all; computed without making it.
    #[must_use]
    pub fn may_win(&self, m: MegaMove) -> bool {
        self.game.may_win(m)
    }

    /// The ply that an act on a board means, or why it is no legal one.
    ///
    /// # Errors
    /// The rule that it breaks, where, and what was possible.
    pub fn judge(&self, path: &BoardPath, asked: Asked) -> Result<Ply, Box<Breach>> {
        self.game.judge(path, 0, asked)
    }

    /// Lets `pick` choose a board among those that may be moved on, given as a bitboard (bit 0 is `A1`, bit 8
    /// `A2`), and so on inwards, and calls `visit` with the legal acts on the board of chess reached; where
    /// no board may be moved on, with the mega-moves, or a pass if there are none. Returns the path to the
    /// board, and whether all moves of that board are legal.
    pub fn for_each_picked(
        &self,
        pick: &mut dyn FnMut(u64) -> u8,
        visit: &mut dyn FnMut(Act),
    ) -> (BoardPath, bool) {
        let mut path = BoardPath::OUTERMOST;
        let is_whole = self.game.for_each_picked(false, &mut path, pick, visit);
        (path, is_whole)
    }

    /// A ply on a board picked as [`for_each_picked`](Self::for_each_picked) does; `chance` gives numbers below those
    /// that it is asked for, level by level and then for the ply. `None` where there is none.
    pub fn pick_ply(&self, chance: &mut impl FnMut(usize) -> usize) -> Option<Ply> {
        let (path, is_whole) = self.pick_board(chance);
        let act = if is_whole { self.pick_act(&path, chance) } else { pick(&self.acts_on(&path), chance) };
        act.map(|act| Ply { path, act })
    }

    /// The way to a board picked likewise, and whether all moves of that board are legal.
    pub fn pick_board(&self, chance: &mut impl FnMut(usize) -> usize) -> (BoardPath, bool) {
        let mut path = BoardPath::OUTERMOST;
        let mut nth_of = |set: u64| {
            let nth = chance(set.count_ones() as usize);
            nth_bit(set, nth)
        };
        let is_whole = self.game.pick_board(&mut path, &mut nth_of);
        (path, is_whole)
    }

    /// One of all acts on a board that was picked so, where they are all legal.
    pub fn pick_act(&self, path: &BoardPath, chance: &mut impl FnMut(usize) -> usize) -> Option<Act> {
        self.game.pick_act(path.steps(), chance)
    }

    /// The legal acts on a board that was picked so.
    #[must_use]
    pub fn acts_on(&self, path: &BoardPath) -> Vec<Act> {
        let mut acts = Vec::with_capacity(64);
        let mut steps = path.steps().iter().copied();
        // As many steps are asked for as there are.
        self.for_each_picked(&mut |_| steps.next().unwrap_or_default(), &mut |act| acts.push(act));
        acts
    }

    /// Bytes that a touched board of chess takes, but for its history of positions.
    pub const BYTES_OF_A_BOARD: usize = size_of::<leaf::Leaf>() + 2 * size_of::<usize>();
}

fn squares(set: u64) -> impl Iterator<Item = Square> + use<> {
    board::squares(set).map(square)
}
