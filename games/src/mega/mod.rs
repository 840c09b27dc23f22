//! Mega-Chess and Recursive-Chess(N): pieces that are games.
//!
//! A ply is one act on one board; a turn is a run of plies, and the position keeps which boards have been used. There
//! are too many turns to list, but plies can be listed:
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
use crate::{bits::nth_bit, board8::board, chess::Chess};
pub use mega_board::State;
pub use notation::*;
use overboard_rules::{
    game::Game as _,
    outcome::Ruling,
    path::{BoardPath, index, square},
    ply::{Pattern, StandingAct, Written},
    position::{Found, Irregular},
    square::{Piece, Side, Square},
};
pub use state::{Act, Ply};
use state::{Game, OUTCOMES, Step};
use std::{ops::ControlFlow, sync::Arc};

mod game;
mod judge;
pub mod laws;
mod leaf;
mod mega_board;
mod notation;
pub mod play;
mod record;
mod refusal;
mod rulings;
mod setup;
mod state;
#[cfg(test)]
mod tests;

pub use game::Options;
pub use refusal::{Asked, Breach};
pub use setup::{BoardSetup, MegaSetup};

/// A position of Recursive-Chess(N) for N from 1 on, in the middle of a turn or between turns.
///
/// Copies share the boards. A board is copied when it is played on; an untouched one is not stored at all (MG-22).
#[derive(Clone, Debug)]
pub struct Mega {
    game: Arc<Game>,
}

/// Effects of a ply; none by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// The board on which the ply was made.
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
        (
            self.has(self.step.checks, depth),
            self.has(self.step.mates, depth),
        )
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
        usize::from(self.level)
            .checked_sub(depth + 1)
            .is_some_and(|level| set >> level & 1 == 1)
    }
}

/// A mega-piece on its square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MegaPiece {
    /// Its side and kind.
    pub piece: Piece,
    /// Its state.
    pub state: State,
}

/// The board at a path.
#[derive(Clone, Debug)]
pub enum Board {
    /// A board of chess.
    Chess(Chess),
    /// A mega-board.
    Mega(Mega),
}

impl Mega {
    /// The initial position of this level, which is limited to 1 to 64.
    #[must_use]
    pub fn first(level: u8) -> Self {
        Self::under(Options {
            level,
            ..Options::default()
        })
    }

    /// The initial position under these options.
    #[must_use]
    pub fn under(agreed: Options) -> Self {
        Self {
            game: Arc::clone(Game::start(agreed.level.clamp(1, 64), agreed.free_turns)),
        }
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
        self.game.waiting.again() >> index(on) & 1 == 1
    }

    /// The boards used in this turn, `A1` first.
    pub fn used(&self) -> impl Iterator<Item = Square> + use<> {
        squares(self.game.used)
    }

    /// Whether a move was made in this turn, not only agreed draws.
    #[must_use]
    pub fn has_moved(&self) -> bool {
        self.game.moved
    }

    /// The boards not used yet in this turn that offer the side to move a legal move (MG-3).
    pub fn offering(&self) -> impl Iterator<Item = Square> + use<> {
        squares(self.game.offering())
    }

    /// The board whose turn has begun and is not over (MG-21).
    #[must_use]
    pub fn open(&self) -> Option<Square> {
        self.game.open.map(square)
    }

    /// The path to the board whose turn is in progress, through all open boards.
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

    /// The mega-piece on a square.
    #[must_use]
    pub fn mega_piece_at(&self, on: Square) -> Option<MegaPiece> {
        let at = index(on);
        Some(MegaPiece {
            piece: self.game.field.piece_at(at)?,
            state: self.game.field.state_at(at)?,
        })
    }

    /// The board in play on a mega-square, if it was ever played on.
    #[must_use]
    pub fn touched_board(&self, on: Square) -> Option<Board> {
        let at = index(on);
        if let Some(leaf) = self.game.leaf(at) {
            return Some(Board::Chess(leaf.chess.clone()));
        }
        let game = Arc::clone(self.game.game(at)?);
        Some(Board::Mega(Self { game }))
    }

    /// The board in play on a mega-square, as positions are written: the side to move there is the one that did not
    /// move last. `None` if no game is played there.
    #[must_use]
    pub fn board(&self, on: Square) -> Option<Board> {
        let at = index(on);
        if self.game.in_play() >> at & 1 == 0 {
            return None;
        }
        Some(if self.game.level == 1 {
            Board::Chess(self.game.leaf_or_first(at).chess.clone())
        } else {
            let game = Arc::clone(self.game.game_or_first(at));
            Board::Mega(Self { game })
        })
    }

    /// The board in play on a mega-square as the side whose turn it is sees it: if it may move there, it is the side to
    /// move, even if it moved last (MG-18). `None` if no game is played there.
    #[must_use]
    pub fn faced(&self, on: Square) -> Option<Board> {
        let at = index(on);
        Some(match self.board(on)? {
            Board::Chess(_) => Board::Chess(self.game.with_chess(at, Chess::clone)),
            Board::Mega(mega) if mega.turn() == self.turn() => Board::Mega(mega),
            Board::Mega(_) => Board::Mega(Self {
                game: Arc::new(self.game.with_inner(at, Game::clone)),
            }),
        })
    }

    /// The board at a path, as positions are written; `None` if no game is played there.
    #[must_use]
    pub fn board_at(&self, path: &BoardPath) -> Option<Board> {
        self.led_to(path, Self::board)
    }

    /// The board at a path, as the side whose turn it is sees it; `None` if no game is played there. The plies of
    /// [`Game::legal`](overboard_rules::game::Game::legal) are plies on boards in this form.
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

    /// The square crossed by a double step, if an en passant capture is legal.
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.game.field.board.en_passant.map(square)
    }

    /// The mega-pieces that give mega-check to a side's king.
    pub fn checkers(&self, side: Side) -> impl Iterator<Item = Square> + use<> {
        squares(self.game.field.checkers(side))
    }

    /// The square of a side's mega-king.
    #[must_use]
    pub fn king(&self, side: Side) -> Option<Square> {
        self.game.field.king(side).map(square)
    }

    /// Calls `visit` with every legal mega-move of the outermost board, as if its turn were about to begin.
    pub fn for_each_mega_move(&self, visit: impl FnMut(MegaMove)) {
        self.game.for_each_mega_move(visit);
    }

    fn make(&mut self, ply: &Ply) -> Effects {
        let level = self.game.level;
        let step = Arc::make_mut(&mut self.game).play(ply.path.steps(), ply.act);
        Effects {
            path: ply.path,
            level,
            step,
        }
    }

    /// The ply that moves a piece on the board at a path, legally or not, and is then played like any other (GEN-9);
    /// `None` if no move was possible on that board, no piece of the side to move is on `from`, or the result is not a
    /// position of a game.
    #[must_use]
    pub fn stood(&self, path: &BoardPath, standing_act: StandingAct) -> Option<Ply> {
        if !path.is_empty() {
            self.judge(path, Asked::Unknown).ok()?;
        }
        let is_position = match self.faced_at(path)? {
            Board::Chess(chess) => chess.stood(standing_act).is_some(),
            Board::Mega(mega) => mega.game.may_stand(standing_act),
        };
        if !is_position {
            return None;
        }
        let ply = Act::Stood(standing_act).on(*path);
        let mut after = self.clone();
        after.make(&ply);
        for length in 0..=path.len() {
            if let Some(Board::Mega(after)) = after.board_at(&path.outer(length))
                && !after.game.field.faults().is_empty()
            {
                return None;
            }
        }
        Some(ply)
    }

    /// The mega-squares from which the mega-piece of an illegal mega-move may have come.
    #[must_use]
    pub fn likely_origins(&self, pattern: &Pattern) -> Vec<Square> {
        self.game.field.board.likely_origins(self.turn(), pattern)
    }

    /// Whether the turn of the game at a path has begun and is not over.
    #[must_use]
    pub fn goes_on_at(&self, path: &BoardPath) -> bool {
        !self.is_between_turns() && self.open_path().steps().starts_with(path.steps())
    }

    /// How the game ends, by the position itself or by how often it has occurred; mega-mate first (MG-15).
    #[must_use]
    pub fn end_by_itself(&self) -> Option<Ruling> {
        if self.is_between_turns() {
            self.game.end_by_itself()
        } else {
            None
        }
    }

    /// How the game ends by this position alone (GEN-11).
    #[must_use]
    pub fn standing_end(&self) -> Option<Ruling> {
        self.game.standing_end()
    }

    /// Whether a side could still win (GEN-10): as in a dead position, two kings alone cannot.
    #[must_use]
    pub fn can_win(&self) -> bool {
        !self.game.field.is_dead()
    }

    /// A legal mega-move as it would be written, with no more of the origin than is needed to disambiguate.
    #[must_use]
    pub fn written(&self, m: MegaMove) -> Written {
        let is_meant = |pattern: &Pattern| {
            self.game.mega_move_meant(&Written::Move(*pattern)) == Found::One(m)
        };
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

    /// The ply that an act on a board means, or why it is not legal.
    ///
    /// # Errors
    /// The rule that it breaks, where, and what was possible.
    pub fn judge(&self, path: &BoardPath, asked: Asked) -> Result<Ply, Box<Breach>> {
        self.game.judge(path, 0, asked)
    }

    /// The path to a board picked among those that may be moved on, and so on inwards, and whether all moves of that
    /// board are legal. It leads to a board of chess, or to a mega-board inside which no board may be moved on. `chance(n)`
    /// returns a number below n, and is called level by level.
    pub fn pick_board(&self, chance: &mut impl FnMut(usize) -> usize) -> (BoardPath, bool) {
        let mut path = BoardPath::OUTERMOST;
        let mut nth_of = |set: u64| {
            let nth = chance(set.count_ones() as usize);
            nth_bit(set, nth)
        };
        let is_whole = self.game.pick_board(&mut path, &mut nth_of);
        (path, is_whole)
    }

    /// One of the acts on a board that was picked in this way, if all of them are legal.
    pub fn pick_act(
        &self,
        path: &BoardPath,
        chance: &mut impl FnMut(usize) -> usize,
    ) -> Option<Act> {
        self.game.pick_act(path.steps(), chance)
    }

    /// The legal acts on a board that was picked in this way.
    #[must_use]
    pub fn acts_on(&self, path: &BoardPath) -> Vec<Act> {
        let mut acts = Vec::with_capacity(64);
        let _ = self.legal_on(*path, |ply| {
            acts.push(ply.act);
            ControlFlow::Continue(())
        });
        acts
    }

    /// Bytes of a touched board of chess, not counting its history of positions.
    pub const BYTES_OF_A_BOARD: usize = size_of::<leaf::Leaf>() + 2 * size_of::<usize>();
}

fn squares(set: u64) -> impl Iterator<Item = Square> + use<> {
    board::squares(set).map(square)
}
