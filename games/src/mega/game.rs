//! One game of mega-pieces, of any level, as it stands in the middle of a turn or between turns.
//!
//! A level-N game holds boards of level N-1 behind shared references, copied when they are played on;
//! a board that was never touched is not there at all. Every function calls itself once a level at the
//! most.

use super::{
    field::{Field, MegaMove, State, bit, squares},
    leaf::Leaf,
};
use crate::{
    chess::{Chess, Move},
    mega::laws as law,
};
use overboard_rules::{
    digest,
    outcome::{Cause, Outcome, Ruling},
    path::{BoardPath, DEEPEST, index},
    position::Movegen,
    rule::Rule,
    square::{Role, Side, Square},
};
use std::{
    ops::ControlFlow,
    sync::{Arc, LazyLock},
};

/// Boards in a turn (MG-3).
pub(crate) const TURN: u32 = 8;
/// Mega-moves in a row that make a draw claimable, and automatic (MG-14).
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
    /// The board is drawn by agreement or by a claim, in place of a move on it (MG-13).
    Draw,
    /// A move that nobody could judge: the board counts as used and stays in play. No legal act; with it a
    /// referee goes on behind one.
    Unknown,
    /// The turn ends although moves are owed. No legal act either.
    Stop,
    /// What stands on a square was put on another against the rules, and both played on (GEN-9). No legal act
    /// either.
    Displaced(Square, Square),
}

/// One act, made by the side whose turn it is: the ply of Mega-Chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The board: of a chess move or a draw the one it is made on, of a mega-move or pass the one whose
    /// mega-pieces move.
    pub path: BoardPath,
    /// What is done there.
    pub act: Act,
}

/// What a ply has brought about in a game.
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
    /// Those behind which the side to move is in mega-check, and mega-mated.
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

/// Where an outcome stands in [`Step::ended`].
pub(crate) const OUTCOMES: [Outcome; 3] =
    [Outcome::Win(Side::White), Outcome::Win(Side::Black), Outcome::Draw];

#[derive(Clone, Debug)]
pub(crate) enum Boards {
    Leaves([Option<Arc<Leaf>>; 64]),
    Games([Option<Arc<Game>>; 64]),
}

impl Boards {
    fn none(level: u8) -> Self {
        if level <= 1 { Self::Leaves([const { None }; 64]) } else { Self::Games([const { None }; 64]) }
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
    pub field: Field,
    pub turn: Side,
    /// Squares of the boards used in this turn.
    pub used: u64,
    /// Whether an item of this turn is a move and not a draw.
    pub moved: bool,
    /// The board on which the turn has begun and is not over.
    pub open: Option<u8>,
    /// Mega-moves in a row, for MG-14.
    pub half: u32,
    /// Number of the turn to come, from 1.
    pub full: u32,
    /// Whether something in this turn can never be taken back.
    lasting: bool,
    /// Whether the side to move is in mega-check.
    pub checked: bool,
    /// The boards in play on which White and Black are to move.
    pub waits: [u64; 2],
    pub boards: Boards,
    /// Sum of the digests of all squares.
    sum: u128,
    /// Digests of the positions between turns since the last turn that cannot be taken back.
    seen: Vec<u128>,
}

/// The digest of the first position of each level.
static FIRST: LazyLock<[u128; DEEPEST + 1]> = LazyLock::new(|| {
    let mut first = [0; DEEPEST + 1];
    first[0] = Chess::default().repetition_digest();
    for level in 1..=DEEPEST {
        let game = Game::bare(level as u8, Field::start(), Side::White);
        let sum = squares(game.field.occupied())
            .filter_map(|at| Some(square_digest(game.word_at(at)?, first[level - 1])))
            .fold(0_u128, u128::wrapping_add);
        first[level] = game.digest_with(sum);
    }
    first
});

/// A board of chess that nobody touched, and the first positions of the levels from 1 on: what is not
/// stored anywhere else, because it is everywhere the same.
static UNTOUCHED: LazyLock<Arc<Leaf>> = LazyLock::new(|| Arc::new(Leaf::new(Chess::default())));
static STARTS: LazyLock<Vec<Arc<Game>>> =
    LazyLock::new(|| (1..=DEEPEST).map(|level| Arc::new(Game::built(level as u8))).collect());

impl Game {
    /// The first position of a level from 1 on.
    pub fn start(level: u8) -> Arc<Self> {
        Arc::clone(&STARTS[usize::from(level) - 1])
    }

    fn built(level: u8) -> Self {
        let mut game = Self::bare(level, Field::start(), Side::White);
        game.waits[Side::White as usize] = game.field.occupied();
        game.resum();
        game.seen.push(game.digest());
        game
    }

    /// No boards, no history.
    fn bare(level: u8, field: Field, turn: Side) -> Self {
        Self {
            level,
            field,
            turn,
            used: 0,
            moved: false,
            open: None,
            half: 0,
            full: 1,
            lasting: false,
            checked: false,
            waits: [0; 2],
            boards: Boards::none(level),
            sum: 0,
            seen: Vec::new(),
        }
    }

    /// A game of these mega-pieces with such boards in play as were touched.
    pub fn of(level: u8, field: Field, turn: Side, boards: Boards) -> Self {
        let mut game = Self { boards, ..Self::bare(level, field, turn) };
        for at in squares(game.field.with(State::Neutral)) {
            let side = match &game.boards {
                Boards::Leaves(leaves) => leaves[usize::from(at)].as_ref().map(|leaf| leaf.chess.turn()),
                Boards::Games(games) => games[usize::from(at)].as_ref().map(|game| game.turn),
            };
            game.waits[side.unwrap_or(Side::White) as usize] |= bit(at);
        }
        game.checked = game.field.checkers(turn) != 0;
        if !game.takes_in_passing() {
            game.field.en_passant = None;
        }
        game.resum();
        game.seen.push(game.digest());
        game
    }

    /// The boards still played on.
    pub const fn in_play(&self) -> u64 {
        self.waits[0] | self.waits[1]
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

    /// Does something with the chess board on a square, touched or not.
    pub fn with_leaf<T>(&self, at: u8, look: impl FnOnce(&Leaf) -> T) -> T {
        match self.leaf(at) {
            Some(leaf) => look(leaf),
            None => look(&UNTOUCHED),
        }
    }

    /// Does something with the game on a square of a game of level 2 or more, touched or not.
    pub fn with_game<T>(&self, at: u8, look: impl FnOnce(&Self) -> T) -> T {
        match self.game(at) {
            Some(game) => look(game),
            None => look(&STARTS[usize::from(self.level) - 2]),
        }
    }

    // What may be played.

    /// The boards not used yet on which the side to move has a legal move.
    pub fn offering(&self) -> u64 {
        self.offering_but(self.barred())
    }

    /// The same, with the barred boards known.
    fn offering_but(&self, barred: u64) -> u64 {
        if self.checked {
            return 0;
        }
        let open = self.waits[self.turn as usize] & !self.used;
        squares(barred & open).filter(|at| !self.offers_barred(*at)).fold(open, |set, at| set & !bit(at))
    }

    /// Whether the side to move has a legal move on a board not used yet.
    fn offers_any(&self) -> bool {
        let open = self.waits[self.turn as usize] & !self.used;
        // No king has more than eight shields.
        let surely = !self.checked && open.count_ones() > 8;
        surely || (open != 0 && self.offering() != 0)
    }

    /// The boards that the side to move must not win, for their mega-pieces shield its king (MG-10).
    pub fn barred(&self) -> u64 {
        let others = self.field.of(self.turn.other()) & !self.field.kind(Role::King);
        self.field.shields(self.turn) & others & self.in_play()
    }

    fn offers_barred(&self, at: u8) -> bool {
        let mut path = BoardPath::OUTERMOST;
        self.for_each_on(at, true, None, &mut path, &mut |_| ControlFlow::Break(())).is_break()
    }

    /// Shows every legal ply, but for draws (MG-13); with `unwon`, only those after which the turn can end without
    /// winning this game; with `only`, those made on the board that it leads to.
    pub fn for_each_legal(
        &self,
        unwon: bool,
        only: Option<&[u8]>,
        path: &mut BoardPath,
        visit: &mut dyn FnMut(Ply) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let depth = path.len();
        let mut judged = |ply: Ply| {
            if unwon && !self.can_end_unwon_by(&ply.path.steps()[depth..], ply.act) {
                return ControlFlow::Continue(());
            }
            visit(ply)
        };
        if let Some(open) = self.open {
            return match inwards(only, open) {
                Some(only) => self.for_each_on(open, self.barred() & bit(open) != 0, only, path, &mut judged),
                None => ControlFlow::Continue(()),
            };
        }
        let barred = self.barred();
        let offering = self.offering_but(barred);
        for at in squares(offering) {
            if let Some(only) = inwards(only, at) {
                self.for_each_on(at, barred & bit(at) != 0, only, path, &mut judged)?;
            }
        }
        if self.is_between_turns() && only.is_none_or(<[u8]>::is_empty) {
            return self.for_each_mega_ply(offering, *path, &mut judged);
        }
        ControlFlow::Continue(())
    }

    fn for_each_mega_ply(
        &self,
        offering: u64,
        path: BoardPath,
        visit: &mut dyn FnMut(Ply) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        self.for_each_mega_move(|m| {
            if flow.is_continue() {
                flow = visit(Ply { path, act: Act::Mega(m) });
            }
        });
        flow?;
        if offering == 0 && self.may_pass() {
            visit(Ply { path, act: Act::Pass })?;
        }
        ControlFlow::Continue(())
    }

    /// Shows the legal plies on a board; with `unwon`, those that need not win it.
    fn for_each_on(
        &self,
        at: u8,
        unwon: bool,
        only: Option<&[u8]>,
        path: &mut BoardPath,
        visit: &mut dyn FnMut(Ply) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        path.push(at);
        let flow = if self.level > 1 {
            self.with_game(at, |game| game.for_each_legal(unwon, only, path, visit))
        } else if only.is_some_and(|only| !only.is_empty()) {
            ControlFlow::Continue(())
        } else {
            self.with_leaf(at, |leaf| {
                let mut flow = ControlFlow::Continue(());
                leaf.chess.for_each_legal(|m| {
                    if flow.is_continue() && !(unwon && leaf.mates(m)) {
                        flow = visit(Ply { path: *path, act: Act::Move(m) });
                    }
                });
                flow
            })
        };
        path.pop();
        flow
    }

    /// Whether the turn can go on to an end that does not win this game, beginning with this act.
    pub fn can_end_unwon_by(&self, path: &[u8], act: Act) -> bool {
        let mover = self.turn;
        let mut after = self.clone();
        match after.play(path, act) {
            Step { over: true, end, .. } => !end.is_some_and(|ruling| ruling.outcome == Outcome::Win(mover)),
            _ => after.can_end_unwon(),
        }
    }

    fn can_end_unwon(&self) -> bool {
        let mut path = BoardPath::OUTERMOST;
        let mut plies = |ply: Ply| match self.can_end_unwon_by(ply.path.steps(), ply.act) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        self.for_each_legal(false, None, &mut path, &mut plies).is_break()
    }

    /// Shows every legal mega-move.
    pub fn for_each_mega_move(&self, mut visit: impl FnMut(MegaMove)) {
        let lost = self.lost_by_answering();
        self.field.for_each_pseudo(self.turn, &mut |m| {
            if self.exposers(m, lost) == 0 {
                visit(m);
            }
        });
    }

    pub fn has_mega_move(&self) -> bool {
        let mut found = false;
        self.for_each_mega_move(|_| found = true);
        found
    }

    /// The boards that are lost to the side to move if it answers a mega-check (MG-11).
    pub fn lost_by_answering(&self) -> u64 {
        if !self.checked {
            return 0;
        }
        let in_check = |at: &u8| match &self.boards {
            Boards::Leaves(leaves) => {
                leaves[usize::from(*at)].as_ref().is_some_and(|leaf| leaf.chess.in_check())
            }
            Boards::Games(games) => games[usize::from(*at)].as_ref().is_some_and(|game| game.checked),
        };
        squares(self.waits[self.turn as usize]).filter(in_check).fold(0, |set, at| set | bit(at))
    }

    /// The armed mega-pieces that attack the mover's king behind a mega-move and the loss of boards.
    pub fn exposers(&self, m: MegaMove, lost: u64) -> u64 {
        let mut field = self.field;
        field.play(m);
        for at in squares(carried(&self.field, lost, m)) {
            field.won(at, self.turn.other());
        }
        field.checkers(self.turn)
    }

    /// Whether the side to move may pass (MG-3).
    pub fn may_pass(&self) -> bool {
        self.is_between_turns() && !self.checked && self.in_play() != 0 && self.offering() == 0
    }

    /// Whether the side to move could take in passing.
    fn takes_in_passing(&self) -> bool {
        let Some(square) = self.field.en_passant else { return false };
        let mut found = false;
        self.for_each_mega_move(|m| {
            let is_pawn = self.field.kind(Role::Pawn) & bit(m.from) != 0;
            found |= is_pawn && m.to == square && m.from % 8 != m.to % 8;
        });
        found
    }

    /// Whether an agreed draw on a board, as the next item, breaks MG-13 because no item of the turn would
    /// be a move.
    pub fn leaves_no_move(&self, at: u8) -> bool {
        if self.moved {
            return false;
        }
        let mut after = self.clone();
        after.field.drawn(at);
        after.waits.iter_mut().for_each(|set| *set &= !bit(at));
        after.used |= bit(at);
        after.used.count_ones() >= TURN || after.offering() == 0
    }

    /// How many plies [`Self::for_each_legal`] shows, without a look into boards that were never touched.
    pub fn count_legal(&self) -> Option<u64> {
        if let Some(open) = self.open {
            return self.count_on(open, self.barred() & bit(open) != 0);
        }
        let offering = self.offering();
        let barred = if offering == 0 { 0 } else { self.barred() };
        let mut count = 0_u64;
        for at in squares(offering) {
            count = count.checked_add(self.count_on(at, barred & bit(at) != 0)?)?;
        }
        if self.is_between_turns() {
            let mut mega_moves = 0;
            self.for_each_mega_move(|_| mega_moves += 1);
            let passes = offering == 0 && self.may_pass();
            count = count.checked_add(mega_moves + u64::from(passes))?;
        }
        Some(count)
    }

    fn count_on(&self, at: u8, unwon: bool) -> Option<u64> {
        if unwon {
            let mut count = 0;
            let _ = self.for_each_on(at, true, None, &mut BoardPath::OUTERMOST.clone(), &mut |_| {
                count += 1;
                ControlFlow::Continue(())
            });
            return Some(count);
        }
        match &self.boards {
            Boards::Leaves(leaves) => {
                Some(leaves[usize::from(at)].as_ref().map_or(20, |leaf| leaf.chess.count_legal()))
            }
            Boards::Games(games) => match &games[usize::from(at)] {
                Some(game) => game.count_legal(),
                None => first_plies(self.level - 1),
            },
        }
    }

    /// Lets a board be picked out of those that may be moved on, and so on inwards, and shows the legal acts
    /// there; where there is nothing to pick, those of the mega-pieces. One square is picked of a set, bit 0
    /// being `A1`. The path is led to the board.
    pub fn for_each_picked(
        &self,
        unwon: bool,
        path: &mut BoardPath,
        pick: &mut dyn FnMut(u64) -> u8,
        visit: &mut dyn FnMut(Act),
    ) {
        if !unwon {
            return self.for_each_picked_freely(path, pick, visit);
        }
        let depth = path.len();
        let mut acts = Vec::new();
        self.for_each_picked_freely(path, pick, &mut |act| acts.push(act));
        let rest = &path.steps()[depth..];
        acts.into_iter().filter(|act| self.can_end_unwon_by(rest, *act)).for_each(visit);
    }

    fn for_each_picked_freely(
        &self,
        path: &mut BoardPath,
        pick: &mut dyn FnMut(u64) -> u8,
        visit: &mut dyn FnMut(Act),
    ) {
        let barred = self.barred();
        let choices = self.open.map_or_else(|| self.offering_but(barred), bit);
        if choices == 0 {
            let _ = self.for_each_mega_ply(0, *path, &mut |ply| {
                visit(ply.act);
                ControlFlow::Continue(())
            });
            return;
        }
        let at = pick(choices);
        let barred = barred & bit(at) != 0;
        path.push(at);
        if self.level > 1 {
            return self.with_game(at, |game| game.for_each_picked(barred, path, pick, visit));
        }
        self.with_leaf(at, |leaf| {
            leaf.chess.for_each_legal(|m| {
                if !(barred && leaf.mates(m)) {
                    visit(Act::Move(m));
                }
            });
        });
    }

    // What becomes of it.

    /// Makes a legal act on the board that a path leads to.
    pub fn play(&mut self, path: &[u8], act: Act) -> Step {
        match (path.split_first(), act) {
            (Some((at, rest)), act) => self.play_on(*at, rest, act),
            (None, Act::Mega(m)) => self.play_mega(m),
            (None, Act::Displaced(from, to)) => self.displace(index(from), index(to)),
            (None, Act::Stop) => {
                self.open = None;
                self.lasting = true;
                self.half = 0;
                self.end_turn()
            }
            (None, _) => {
                self.field.en_passant = None;
                self.half += 1;
                self.end_turn()
            }
        }
    }

    /// Ends the game on a board that a path leads to, whatever stood there.
    pub fn end_board(&mut self, path: &[u8], outcome: Outcome) {
        let Some((at, rest)) = path.split_first() else { return };
        match &mut self.boards {
            Boards::Games(games) if !rest.is_empty() => {
                if let Some(game) = &mut games[usize::from(*at)] {
                    Arc::make_mut(game).end_board(rest, outcome);
                }
            }
            _ => {
                self.settle(*at, outcome);
                self.open = self.open.filter(|open| open != at);
            }
        }
        self.seen.clear();
        self.checked = self.field.checkers(self.turn) != 0;
        self.resum();
        self.seen.push(self.digest());
    }

    fn play_on(&mut self, at: u8, rest: &[u8], act: Act) -> Step {
        let there = self.word_at(at);
        let before = there.map_or(0, |there| square_digest(there, self.board_digest(at)));
        self.field.en_passant = None;
        let step = match (&mut self.boards, act) {
            (_, Act::Draw) if rest.is_empty() => {
                let agreed = Ruling { outcome: Outcome::Draw, cause: Cause::Agreement, rule: &law::AGREED };
                Step { over: true, lasting: true, end: Some(agreed), ..GOES_ON }
            }
            (boards, Act::Unknown) if rest.is_empty() => {
                // What it holds is not known; nothing is said of it from here on.
                boards.forget(at);
                Step { over: true, lasting: true, ..GOES_ON }
            }
            (Boards::Leaves(leaves), Act::Move(m)) => {
                let leaf = leaves[usize::from(at)].get_or_insert_with(|| Arc::clone(&UNTOUCHED));
                let (lasting, end) = Arc::make_mut(leaf).play(m);
                let mates = end.is_some_and(|end| end.cause == Cause::Checkmate);
                Step { over: true, lasting, end, chess: (leaf.chess.in_check(), mates), ..GOES_ON }
            }
            (Boards::Leaves(leaves), Act::Displaced(from, to)) => {
                let leaf = leaves[usize::from(at)].get_or_insert_with(|| Arc::clone(&UNTOUCHED));
                let end = Arc::make_mut(leaf).displace(from, to);
                let mates = end.is_some_and(|end| end.cause == Cause::Checkmate);
                Step { over: true, lasting: true, end, chess: (leaf.chess.in_check(), mates), ..GOES_ON }
            }
            (Boards::Games(games), act) => {
                let start = usize::from(self.level) - 2;
                let game = games[usize::from(at)].get_or_insert_with(|| Arc::clone(&STARTS[start]));
                Arc::make_mut(game).play(rest, act)
            }
            // No other act is made on a board of chess.
            (Boards::Leaves(_), _) => GOES_ON,
        };
        if step.over {
            self.close(at, step, act == Act::Draw && rest.is_empty());
        } else {
            self.open = Some(at);
        }
        let there = if step.end.is_some() { self.word_at(at) } else { there };
        let after = there.map_or(0, |there| square_digest(there, self.board_digest(at)));
        self.sum = self.sum.wrapping_sub(before).wrapping_add(after);
        if !step.over {
            return step;
        }
        let item = self.end_item();
        let mut ended = step.ended;
        if let Some(end) = step.end {
            for (set, outcome) in ended.iter_mut().zip(OUTCOMES) {
                *set |= if end.outcome == outcome { bit(self.level - 1) } else { 0 };
            }
        }
        Step {
            closed: item.closed | step.closed,
            checks: item.checks | step.checks,
            mates: item.mates | step.mates,
            chess: step.chess,
            ended,
            forfeited: step.forfeited,
            forfeited_to: step.forfeited_to,
            ..item
        }
    }

    /// The move on a board is made.
    fn close(&mut self, at: u8, step: Step, agreed: bool) {
        self.open = None;
        self.used |= bit(at);
        self.moved |= !agreed;
        self.lasting |= step.lasting || step.end.is_some();
        let (mine, theirs) = (self.turn as usize, self.turn.other() as usize);
        self.waits[mine] &= !bit(at);
        self.waits[theirs] |= bit(at);
        if let Some(ruling) = step.end {
            self.settle(at, ruling.outcome);
        }
    }

    /// The game on a board is over (MG-6).
    fn settle(&mut self, at: u8, outcome: Outcome) {
        match outcome {
            Outcome::Win(side) => self.field.won(at, side),
            Outcome::Draw => self.field.drawn(at),
        }
        self.boards.forget(at);
        self.waits.iter_mut().for_each(|set| *set &= !bit(at));
    }

    fn end_item(&mut self) -> Step {
        if self.used.count_ones() < TURN && self.offers_any() {
            return GOES_ON;
        }
        self.half = 0;
        self.end_turn()
    }

    fn play_mega(&mut self, m: MegaMove) -> Step {
        let lost = self.lost_by_answering();
        let rights = self.field.castling;
        let is_pawn = self.field.kind(Role::Pawn) & bit(m.from) != 0;
        let captured = self.field.captured(m);
        let rook = self.field.rook_of(m);
        let lost = carried(&self.field, lost, m);
        self.field.play(m);
        if let Some(captured) = captured {
            self.boards.forget(captured);
        }
        for (from, to) in [Some((m.from, m.to)), rook].into_iter().flatten() {
            self.boards.carry(from, to);
            for set in &mut self.waits {
                *set = (*set & !bit(from) & !bit(to)) | if *set & bit(from) != 0 { bit(to) } else { 0 };
            }
        }
        squares(lost).for_each(|at| self.settle(at, Outcome::Win(self.turn.other())));
        let counts = captured.is_none() && !is_pawn && lost == 0;
        self.half = if counts { self.half + 1 } else { 0 };
        self.lasting |= !counts || rook.is_some() || rights != self.field.castling;
        self.resum();
        let forfeited_to = Some(self.turn.other());
        Step { forfeited: lost, forfeited_to, ..self.end_turn() }
    }

    /// Whether a mega-piece of the side to move, which has not begun its turn, may be put on another square
    /// against the rules, as far as can be told beforehand.
    pub fn may_displace(&self, from: u8, to: u8) -> bool {
        let own = self.field.piece_at(from).filter(|piece| piece.side == self.turn);
        let on_king = self.field.kind(Role::King) & bit(to) != 0;
        let is_last = to / 8 == 0 || to / 8 == 7;
        let stays_pawn = own.is_some_and(|piece| piece.role == Role::Pawn && is_last);
        self.is_between_turns() && own.is_some() && from != to && !on_king && !stays_pawn
    }

    fn displace(&mut self, from: u8, to: u8) -> Step {
        let m = MegaMove { from, to, promotion: None };
        let (Some(piece), Some(state)) = (self.field.piece_at(from), self.field.state_at(from)) else {
            return GOES_ON;
        };
        let lost = carried(&self.field, self.lost_by_answering() & !bit(to), m);
        self.boards.forget(to);
        self.boards.carry(from, to);
        for set in &mut self.waits {
            *set = (*set & !bit(from) & !bit(to)) | if *set & bit(from) != 0 { bit(to) } else { 0 };
        }
        self.field.clear(from);
        self.field.put(to, piece, state);
        self.field.en_passant = None;
        self.field.keep_rights();
        squares(lost).for_each(|at| self.settle(at, Outcome::Win(self.turn.other())));
        self.half = 0;
        self.lasting = true;
        self.resum();
        self.end_turn()
    }

    fn end_turn(&mut self) -> Step {
        self.turn = self.turn.other();
        self.full = self.full.saturating_add(u32::from(self.turn == Side::White));
        self.used = 0;
        self.moved = false;
        self.checked = self.field.checkers(self.turn) != 0;
        if self.field.en_passant.is_some() && !self.takes_in_passing() {
            self.field.en_passant = None;
        }
        let lasting = std::mem::take(&mut self.lasting);
        if lasting {
            self.seen.clear();
        }
        let key = self.digest();
        self.seen.push(key);
        let end = self.end_by_itself();
        let here = bit(self.level - 1);
        let when = |is: bool| if is { here } else { 0 };
        let mated = end.is_some_and(|ruling| ruling.cause == Cause::MegaMate);
        Step {
            over: true,
            lasting,
            end,
            closed: here,
            checks: when(self.checked),
            mates: when(mated),
            ..GOES_ON
        }
    }

    /// The side to move on the board that a path leads to, and the number of its move; `None` where no game
    /// is played.
    pub fn turn_at(&self, path: &[u8]) -> Option<(Side, u32)> {
        let Some((at, rest)) = path.split_first() else { return Some((self.turn, self.full)) };
        if self.in_play() & bit(*at) == 0 {
            None
        } else if self.level > 1 {
            self.with_game(*at, |game| game.turn_at(rest))
        } else if rest.is_empty() {
            self.with_leaf(*at, |leaf| Some((leaf.chess.turn(), leaf.chess.fullmove())))
        } else {
            None
        }
    }

    /// Whether a draw may be claimed on the board that a path leads to: by repetition, by moves without
    /// progress.
    pub fn claimable_at(&self, path: &[u8]) -> [bool; 2] {
        let Some((at, rest)) = path.split_first() else {
            let between = self.is_between_turns();
            return [between && self.times() >= 3, between && self.half >= CLAIMABLE];
        };
        if self.in_play() & bit(*at) == 0 {
            [false; 2]
        } else if self.level > 1 {
            self.with_game(*at, |game| game.claimable_at(rest))
        } else if rest.is_empty() {
            self.with_leaf(*at, Leaf::claimable)
        } else {
            [false; 2]
        }
    }

    /// The end of the game between two turns, mega-mate and mega-stalemate first (MG-15).
    pub fn end_by_itself(&self) -> Option<Ruling> {
        let fivefold = || Ruling { outcome: Outcome::Draw, cause: Cause::Fivefold, rule: &law::DRAWS };
        self.standing_end().or_else(|| (self.seen.len() > 8 && self.times() >= 5).then(fivefold))
    }

    /// The end that the position is by itself (GEN-11).
    pub fn standing_end(&self) -> Option<Ruling> {
        if !self.is_between_turns() {
            return None;
        }
        let loses = |cause, rule: &'static Rule| {
            Some(Ruling { outcome: Outcome::Win(self.turn.other()), cause, rule })
        };
        let drawn = |cause| Some(Ruling { outcome: Outcome::Draw, cause, rule: &law::DRAWS });
        if self.checked && !self.has_mega_move() {
            loses(Cause::MegaMate, &law::MEGA_MATE)
        } else if !self.checked && self.in_play() == 0 && !self.has_mega_move() {
            loses(Cause::MegaStalemate, &law::MEGA_MATE)
        } else if self.field.is_dead() {
            drawn(Cause::DeadPosition)
        } else if self.half >= AUTOMATIC {
            drawn(Cause::MegaMoves)
        } else {
            None
        }
    }

    /// How often the position between turns has been there, this time included.
    pub fn times(&self) -> usize {
        let Some(key) = self.seen.last() else { return 0 };
        self.seen.iter().filter(|seen| *seen == key).count()
    }

    // Digests.

    /// A square, the mega-piece there and its state; `None` where there is none.
    fn word_at(&self, at: u8) -> Option<(u64, State)> {
        let (piece, state) = (self.field.piece_at(at)?, self.field.state_at(at)?);
        let word = u64::from(at) << 16 | (piece.side as u64) << 12 | (piece.role as u64) << 8 | state as u64;
        Some((word, state))
    }

    fn board_digest(&self, at: u8) -> u128 {
        let board = match &self.boards {
            Boards::Leaves(leaves) => leaves[usize::from(at)].as_ref().map(|leaf| leaf.key()),
            Boards::Games(games) => games[usize::from(at)].as_ref().map(|game| game.digest()),
        };
        board.unwrap_or_else(|| FIRST[usize::from(self.level) - 1])
    }

    fn digest_at(&self, at: u8) -> u128 {
        self.word_at(at).map_or(0, |there| square_digest(there, self.board_digest(at)))
    }

    pub(super) fn resum(&mut self) {
        self.sum = squares(self.field.occupied()).fold(0, |sum, at| sum.wrapping_add(self.digest_at(at)));
    }

    fn digest_with(&self, sum: u128) -> u128 {
        let rights = self.field.castling.iter().fold(0, |bits, right| bits << 1 | u64::from(*right));
        let en_passant = self.field.en_passant.map_or(64, u64::from);
        let rest = en_passant << 8 | rights << 1 | self.turn as u64;
        digest::of(&[rest, sum as u64, (sum >> 64) as u64])
    }

    /// The digest of what repetition compares (MG-16).
    pub fn digest(&self) -> u128 {
        self.digest_with(self.sum)
    }
}

/// The digest of a square and of the board there, which counts as long as it is played on.
#[inline]
fn square_digest((word, state): (u64, State), board: u128) -> u128 {
    let board = if state == State::Neutral { board } else { 0 };
    digest::beside(word, board)
}

/// What is left of the way to the only board wanted, one board further in; `None` where it leads elsewhere.
fn inwards(only: Option<&[u8]>, at: u8) -> Option<Option<&[u8]>> {
    match only {
        None => Some(None),
        Some(way) => way.split_first().filter(|(first, _)| **first == at).map(|(_, rest)| Some(rest)),
    }
}

/// The plies in the first position of a level: on each of 32 boards, and 20 mega-moves.
fn first_plies(level: u8) -> Option<u64> {
    (0..level).try_fold(20_u64, |plies, _| plies.checked_mul(32)?.checked_add(20))
}

/// Where boards are found behind a mega-move that carries one of them, or two.
fn carried(field: &Field, boards: u64, m: MegaMove) -> u64 {
    let mut set = boards;
    for (from, to) in [Some((m.from, m.to)), field.rook_of(m)].into_iter().flatten() {
        if boards & bit(from) != 0 {
            set = (set & !bit(from)) | bit(to);
        }
    }
    set
}
