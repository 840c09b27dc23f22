//! One game of mega-pieces, of any level, in the middle of a turn or between turns.
//!
//! A level-N game holds boards of level N-1 behind shared references, which are copied when they are played on. A board
//! that was never touched is not stored at all. Every function recurses at most once per level.

use super::{
    leaf::Leaf,
    mega_board::{MegaBoard, State},
};
use crate::{
    board8::board::{BoardMove as MegaMove, bit, squares},
    chess::{Chess, Move},
    mega::laws as law,
};
use overboard_rules::{
    game::Claimable,
    outcome::{Cause, Outcome, Ruling},
    path::{BoardPath, DEEPEST},
    ply::StandingAct,
    position::Movegen,
    square::Side,
};
use std::sync::{Arc, LazyLock};

mod hash;
mod legal;
mod play;
mod waiting;

pub(crate) use waiting::{Again, Waiting};

/// The number of boards in a turn (MG-3).
pub(crate) const TURN: u32 = 8;
/// Consecutive mega-moves that make a draw claimable, and automatic (MG-14).
pub(crate) const CLAIMABLE: u32 = 100;
pub(crate) const AUTOMATIC: u32 = 150;

/// What a ply does on the board that it is made on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// A move of orthodox chess.
    Move(Move),
    /// A mega-move.
    Mega(MegaMove),
    /// The pass of MG-3.
    Pass,
    /// The board is drawn by agreement or by a claim, instead of a move on it (MG-13).
    Draw,
    /// A move that could not be judged: the board counts as used and stays in play. Not a legal act; the referee uses
    /// it to continue after such a move.
    Unknown,
    /// The turn ends although moves are owed. Not a legal act either.
    Stop,
    /// A piece was moved against the rules, and both sides played on (GEN-9). Not a legal act either.
    Stood(StandingAct),
}

impl Act {
    /// The ply that does it on a board.
    #[must_use]
    pub const fn on(self, path: BoardPath) -> Ply {
        Ply { path, act: self }
    }
}

/// One act, made by the side whose turn it is: the ply of Mega-Chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The board: for a chess move or a draw the one it is made on, for a mega-move or pass the one whose
    /// mega-pieces move.
    pub path: BoardPath,
    /// What is done there.
    pub act: Act,
}

/// The effects of a ply in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Step {
    /// Whether the turn is over.
    pub over: bool,
    /// Whether something in the turn can never be taken back.
    pub lasting: bool,
    /// The end of the game.
    pub end: Option<Ruling>,
    /// The turns that are over: that of the game of level N is bit N - 1.
    pub closed: u64,
    /// Whether the side to move is in mega-check, and mega-mated, after it, by level.
    pub checks: u64,
    pub mates: u64,
    /// Whether a move of chess gave check, and whether mate.
    pub chess: (bool, bool),
    /// The games inside, by their level, that White and Black won, and that were drawn.
    pub ended: [u64; 3],
    /// The boards lost by answering a mega-check (MG-11), and to whom.
    pub forfeited: u64,
    pub forfeited_to: Option<Side>,
}

const GOES_ON: Step = Step {
    over: false,
    lasting: false,
    end: None,
    closed: 0,
    checks: 0,
    mates: 0,
    chess: (false, false),
    ended: [0; 3],
    forfeited: 0,
    forfeited_to: None,
};

/// The index of an outcome in [`Step::ended`].
pub(crate) const OUTCOMES: [Outcome; 3] = [
    Outcome::Win(Side::White),
    Outcome::Win(Side::Black),
    Outcome::Draw,
];

#[derive(Clone, Debug)]
pub(crate) enum Boards {
    Leaves([Option<Arc<Leaf>>; 64]),
    Games([Option<Arc<Game>>; 64]),
}

impl Boards {
    pub fn none(level: u8) -> Self {
        if level <= 1 {
            Self::Leaves([const { None }; 64])
        } else {
            Self::Games([const { None }; 64])
        }
    }

    fn forget(&mut self, at: u8) {
        match self {
            Self::Leaves(leaves) => leaves[usize::from(at)] = None,
            Self::Games(games) => games[usize::from(at)] = None,
        }
    }

    fn carry(&mut self, from: u8, to: u8) {
        let (from, to) = (usize::from(from), usize::from(to));
        match self {
            Self::Leaves(leaves) => leaves[to] = leaves[from].take(),
            Self::Games(games) => games[to] = games[from].take(),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub level: u8,
    pub field: MegaBoard,
    pub turn: Side,
    /// Squares of the boards used in this turn.
    pub used: u64,
    /// Whether an item of this turn is a move and not a draw.
    pub moved: bool,
    /// The board whose turn has begun and is not over.
    pub open: Option<u8>,
    /// Consecutive mega-moves, for MG-14.
    pub half: u32,
    /// Number of the next turn, from 1.
    pub full: u32,
    /// Whether something in this turn can never be taken back.
    lasting: bool,
    /// Whether the side to move is in mega-check.
    pub checked: bool,
    /// Whether either player may move on a board in its own turn (MG-18).
    pub free_turns: bool,
    /// The boards in play, by side to move.
    pub waiting: Waiting,
    pub boards: Boards,
    /// Sum of the hashes of all squares.
    sum: u128,
    /// Hashes of the positions between turns since the last turn that cannot be taken back.
    seen: Vec<u128>,
}

/// An untouched board of chess, and the initial positions of the levels from 1 on: shared, because they are
/// the same everywhere.
static UNTOUCHED: LazyLock<Arc<Leaf>> = LazyLock::new(|| Arc::new(Leaf::new(Chess::default())));
static STARTS: [LazyLock<Vec<Arc<Game>>>; 2] = [
    LazyLock::new(|| Game::starts(false)),
    LazyLock::new(|| Game::starts(true)),
];

impl Game {
    /// The initial position of a level from 1 on.
    pub fn start(level: u8, free_turns: bool) -> &'static Arc<Self> {
        &STARTS[usize::from(free_turns)][usize::from(level) - 1]
    }

    fn starts(free_turns: bool) -> Vec<Arc<Self>> {
        (1..=DEEPEST)
            .map(|level| Arc::new(Self::built(level as u8, free_turns)))
            .collect()
    }

    fn built(level: u8, free_turns: bool) -> Self {
        let mut game = Self::bare(level, free_turns, MegaBoard::start(), Side::White);
        // Black has a legal move on every untouched board.
        let again = if free_turns {
            Again::Free
        } else {
            Again::Barred
        };
        for at in squares(game.field.occupied()) {
            game.waiting.put(at, Side::White, again);
        }
        game.resum();
        game.seen.push(game.position_hash());
        game
    }

    /// A game without boards and history.
    fn bare(level: u8, free_turns: bool, field: MegaBoard, turn: Side) -> Self {
        Self {
            level,
            free_turns,
            field,
            turn,
            used: 0,
            moved: false,
            open: None,
            half: 0,
            full: 1,
            lasting: false,
            checked: false,
            waiting: Waiting::default(),
            boards: Boards::none(level),
            sum: 0,
            seen: Vec::new(),
        }
    }

    /// A game of these mega-pieces and these boards in play; boards that are not given were never touched.
    pub fn of(level: u8, free_turns: bool, field: MegaBoard, turn: Side, boards: Boards) -> Self {
        let mut game = Self {
            boards,
            ..Self::bare(level, free_turns, field, turn)
        };
        for at in squares(game.field.with(State::Neutral)) {
            let side = match &game.boards {
                Boards::Leaves(leaves) => leaves[usize::from(at)]
                    .as_ref()
                    .map(|leaf| leaf.chess.turn()),
                Boards::Games(games) => games[usize::from(at)].as_ref().map(|game| game.turn),
            };
            game.waiting
                .put(at, side.unwrap_or(Side::White), game.again_on(at));
        }
        game.checked = game.field.checkers(turn) != 0;
        if !game.takes_in_passing() {
            game.field.board.en_passant = None;
        }
        game.resum();
        game.seen.push(game.position_hash());
        game
    }

    /// The boards still played on.
    pub const fn in_play(&self) -> u64 {
        self.waiting.in_play()
    }

    /// Whether the turn has not begun.
    pub const fn is_between_turns(&self) -> bool {
        self.used == 0 && self.open.is_none()
    }

    pub fn leaf(&self, at: u8) -> Option<&Arc<Leaf>> {
        match &self.boards {
            Boards::Leaves(leaves) => leaves[usize::from(at)].as_ref(),
            Boards::Games(_) => None,
        }
    }

    pub fn game(&self, at: u8) -> Option<&Arc<Self>> {
        match &self.boards {
            Boards::Leaves(_) => None,
            Boards::Games(games) => games[usize::from(at)].as_ref(),
        }
    }

    /// The chess board on a square, touched or not.
    pub fn leaf_or_first(&self, at: u8) -> &Leaf {
        match self.leaf(at) {
            Some(leaf) => leaf,
            None => &UNTOUCHED,
        }
    }

    /// The game on a square of a game of level 2 or more, touched or not.
    pub fn game_or_first(&self, at: u8) -> &Arc<Self> {
        match self.game(at) {
            Some(game) => game,
            None => Self::start(self.level - 1, self.free_turns),
        }
    }

    /// Whether the side to move may move on a board now, if it has a move there.
    pub fn may_move_on(&self, at: u8) -> bool {
        let closed = self.checked || self.open.is_some_and(|open| open != at);
        !closed && self.waiting.may_move(self.turn) & !self.used & bit(at) != 0
    }

    /// Calls `look` with the chess board on a square as the side to move sees it: if it may move there, it is
    /// the side to move on that board, even if it moved there last (MG-18).
    pub fn with_chess<T>(&self, at: u8, look: impl FnOnce(&Chess) -> T) -> T {
        let chess = &self.leaf_or_first(at).chess;
        if chess.turn() == self.turn || !self.may_move_on(at) {
            return look(chess);
        }
        match chess.turned() {
            Some(turned) => look(&turned),
            None => look(chess),
        }
    }

    /// The same with the game on a square of a game of level 2 or more.
    pub fn with_inner<T>(&self, at: u8, look: impl FnOnce(&Self) -> T) -> T {
        let game = self.game_or_first(at);
        if game.turn == self.turn || !self.may_move_on(at) {
            return look(game);
        }
        let mut faced = Self::clone(game);
        faced.face(self.turn);
        look(&faced)
    }

    /// Gives the turn to a side even if it moved last (MG-18). Then there is no en passant capture, which is possible
    /// only directly after the opponent's double step.
    fn face(&mut self, side: Side) {
        if self.turn != side {
            self.turn = side;
            self.field.board.en_passant = None;
            self.checked = self.field.checkers(side) != 0;
        }
    }

    /// Makes the board at a path wait for the side that did not move there last.
    pub fn wait_on(&mut self, path: &[u8]) {
        match (path, &mut self.boards) {
            ([at], _) => self
                .waiting
                .put(*at, self.waiting.side_of(*at), Again::Barred),
            ([at, rest @ ..], Boards::Games(games)) => {
                if let Some(game) = &mut games[usize::from(*at)] {
                    Arc::make_mut(game).wait_on(rest);
                }
            }
            _ => {}
        }
    }

    /// A number that distinguishes readings of boards on which an unknown move was made: with free turns,
    /// whether they wait for a reply to a check. Recurses once per level.
    pub fn waiting_key(&self) -> u64 {
        if !self.free_turns {
            return 0;
        }
        let own = self.waiting.again().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let Boards::Games(games) = &self.boards else {
            return own;
        };
        games.iter().flatten().fold(own, |key, game| {
            key.rotate_left(9).wrapping_add(game.waiting_key())
        })
    }

    /// What the side that moved last on a board may still do there.
    fn again_on(&self, at: u8) -> Again {
        match &self.boards {
            _ if !self.free_turns => Again::Barred,
            Boards::Leaves(_) => self.leaf_or_first(at).again(),
            Boards::Games(_) => self.game_or_first(at).again(),
        }
    }

    /// What the side that moved last in this game may still do.
    fn again(&self) -> Again {
        if self.checked || !self.is_between_turns() {
            return Again::Barred;
        }
        let other = self.turn.other();
        // If boards are in play but none has a legal move, there is still the pass.
        if self.in_play() != 0 && self.field.checkers(other) == 0 {
            return Again::Free;
        }
        let mut game = self.clone();
        game.face(other);
        if game.has_mega_move() {
            Again::Free
        } else {
            Again::Stuck
        }
    }

    /// The side that may move on the board at a path, and the number of its move: the side whose turn it is around it,
    /// if that may move there. `None` if no game is played there.
    pub fn turn_at(&self, path: &[u8]) -> Option<(Side, u32)> {
        let Some((at, rest)) = path.split_first() else {
            return Some((self.turn, self.full));
        };
        if self.in_play() & bit(*at) == 0 {
            None
        } else if self.level > 1 {
            self.with_inner(*at, |game| game.turn_at(rest))
        } else if rest.is_empty() {
            self.with_chess(*at, |chess| Some((chess.turn(), chess.fullmove())))
        } else {
            None
        }
    }

    /// The claims that would be correct on the board at a path.
    pub fn claimable_at(&self, path: &[u8]) -> Claimable {
        let Some((at, rest)) = path.split_first() else {
            let between = self.is_between_turns();
            return Claimable {
                repetition: between && self.times() >= 3,
                progress: between && self.half >= CLAIMABLE,
            };
        };
        if self.in_play() & bit(*at) == 0 {
            Claimable::default()
        } else if self.level > 1 {
            self.game_or_first(*at).claimable_at(rest)
        } else if rest.is_empty() {
            self.leaf_or_first(*at).claimable()
        } else {
            Claimable::default()
        }
    }

    /// The end of the game between two turns, mega-mate and mega-stalemate first (MG-15).
    pub fn end_by_itself(&self) -> Option<Ruling> {
        let end = self.standing_end();
        if end.is_some() || self.seen.len() <= 4 || self.times() < 5 {
            return end;
        }
        Some(Ruling::draw(Cause::Fivefold, &law::DRAWS))
    }

    /// How the game ends by this position alone (GEN-11).
    pub fn standing_end(&self) -> Option<Ruling> {
        if !self.is_between_turns() {
            return None;
        }
        let loses = |cause| {
            Some(Ruling {
                outcome: Outcome::Win(self.turn.other()),
                cause,
                rule: &law::MEGA_MATE,
            })
        };
        let drawn = |cause| Some(Ruling::draw(cause, &law::DRAWS));
        if self.checked && !self.has_mega_move() {
            loses(Cause::MegaMate)
        } else if !self.checked && self.in_play() == 0 && !self.has_mega_move() {
            loses(Cause::MegaStalemate)
        } else if self.field.is_dead() {
            drawn(Cause::DeadPosition)
        } else if self.half >= AUTOMATIC {
            drawn(Cause::MegaMoves)
        } else {
            None
        }
    }

    /// How often the position between turns has occurred, including now.
    pub fn times(&self) -> usize {
        let Some(key) = self.seen.last() else {
            return 0;
        };
        self.seen.iter().filter(|seen| *seen == key).count()
    }
}
