//! The state of a game, and what a ply does to it.

use super::{
    Due, Options, Ply, Reserves,
    contest::{Contest, Places, SubSet},
    roster::{Arrangement, Roster},
    sub::SubGame,
};
use crate::{
    board8::board::{Board, BoardMove as OverMove, Castling, squares},
    overchess::laws as law,
};
use overboard_rules::{
    by_side::BySide,
    game::Claimable,
    hash::WordHasher,
    outcome::{Cause, Outcome, Ruling},
    path::{index, square},
    ply::StandingAct,
    position::Movegen,
    setup::Setup,
    square::{Piece, Role, Side, Square},
};

mod settling;

/// An over-piece that a sub-game has left, to be settled before the turn passes (GEN-8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub at: u8,
    /// The prisoners that it may still take: those that fit.
    pub prisoners: Roster,
}

/// A contest that is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Concluded {
    pub contest: Contest,
    pub standing: Places,
    pub outcome: Outcome,
    /// How the sub-game ended by the rules of chess, by its last move or its set-up, and whether that gives check.
    pub by: Option<Ruling>,
    pub check: bool,
}

/// What is due.
#[derive(Clone, Debug)]
pub(crate) enum Phase {
    /// An over-move or a consolidation.
    Over,
    /// An over-move of the piece on this square, which has received a spare piece.
    OverFrom(u8),
    /// The attacker's set-up, or the defender's in reply to this one.
    Setup(Option<Arrangement>),
    /// Moves of the sub-game.
    Sub(Box<SubGame>),
    /// A sub-game that is itself an over-game, and is stored next to this one.
    Nested,
    /// Prisoners and spares, the attacker's part first.
    Settling([Option<Part>; 2]),
    /// Pieces of a consolidated over-piece, and the last of them that was handed over.
    Giving(Roster, Option<(Role, u8)>),
}

/// A position of Overchess.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub options: Options,
    pub board: Board,
    /// By square; on a contested one that of the attacker.
    pub sets: [SubSet; 64],
    /// The teams' spares.
    pub spares: BySide<Roster>,
    /// The side that makes the next over-move.
    pub turn: Side,
    pub half: u32,
    pub full: u32,
    /// The contests, the one to be settled first at index 0.
    pub contests: [Option<Contest>; 2],
    pub phase: Phase,
    /// The hash of everything in the sub-sets beyond the counts of their pieces; `None` if there is nothing more.
    pub beside: Option<u128>,
    /// Whether a sub-game was won, and nothing was played since: the winner may declare that it takes no prisoner
    /// (OV-21), even if it could take none.
    pub won: bool,
    /// The contests that an act has concluded, until they are collected.
    concluded: [Option<Concluded>; 2],
    /// Hashes of the positions before over-moves, since the last irreversible one.
    seen: Vec<u128>,
    pub ended: Option<Ruling>,
}

impl Game {
    pub fn start(options: Options) -> Self {
        let board = Board::start();
        let own = |side: Side| match options.reserves {
            Reserves::Set(each) => each[side],
            _ => Roster::NONE,
        };
        let mut sets = [SubSet::default(); 64];
        for at in squares(board.occupied() & !board.kind(Role::King)) {
            let side = if at < 32 { Side::White } else { Side::Black };
            sets[usize::from(at)] = SubSet {
                pieces: Roster::FULL,
                spares: own(side),
            };
        }
        let spares = if let Reserves::Team(teams) = options.reserves {
            teams
        } else {
            BySide::both(Roster::NONE)
        };
        let mut game = Self::of(options, board, sets, spares, Side::White);
        game.begin_turn();
        game
    }

    /// Starts a turn without any previous position.
    pub fn begin_anew(&mut self) {
        self.seen.clear();
        self.begin_turn();
    }

    /// The position at the start of this turn includes what is in `beside`.
    pub fn see_again(&mut self) {
        self.seen.clear();
        self.seen.push(self.hash());
    }

    /// A position from its parts; its counters, its contested squares and what is due are set afterwards.
    pub fn of(
        options: Options,
        board: Board,
        sets: [SubSet; 64],
        spares: BySide<Roster>,
        turn: Side,
    ) -> Self {
        Self {
            options,
            board,
            sets,
            spares,
            turn,
            half: 0,
            full: 1,
            contests: [None; 2],
            phase: Phase::Over,
            beside: None,
            won: false,
            concluded: [None; 2],
            seen: Vec::new(),
            ended: None,
        }
    }

    pub fn set(&self, at: u8) -> SubSet {
        self.sets[usize::from(at)]
    }

    /// The over-board as one of chess; on a contested square the attacker.
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.board.pieces(),
            turn: self.turn,
            castling: self.board.castling,
            rook_files: Setup::CORNERS,
            en_passant: self.legal_en_passant().map(square),
            halfmove: self.half,
            fullmove: self.full,
        }
    }

    /// The over-piece on a square, unless it is a king, which has no sub-set.
    pub fn with_set(&self, at: u8) -> Option<Piece> {
        self.board.piece_at(at).filter(|piece| has_set(*piece))
    }

    fn set_mut(&mut self, at: u8) -> &mut SubSet {
        &mut self.sets[usize::from(at)]
    }

    pub fn due(&self) -> Due {
        let contested = self.contests[0].map_or(Square::new(0, 0), |contest| square(contest.to));
        match &self.phase {
            Phase::Over => Due::Over,
            Phase::OverFrom(at) => Due::OverFrom(square(*at)),
            Phase::Setup(None) => Due::Setup(contested, Side::White),
            Phase::Setup(Some(_)) => Due::Setup(contested, Side::Black),
            Phase::Sub(_) | Phase::Nested => Due::Sub(contested),
            Phase::Settling(_) => {
                Due::Settling(self.part().map_or(contested, |part| square(part.at)))
            }
            Phase::Giving(..) => Due::Giving,
        }
    }

    pub fn actor(&self) -> Side {
        let attacker = self.contests[0].map_or(self.turn, |contest| contest.side());
        match &self.phase {
            Phase::Over | Phase::OverFrom(_) | Phase::Giving(..) => self.turn,
            Phase::Setup(None) | Phase::Nested => attacker,
            Phase::Setup(Some(_)) => attacker.other(),
            Phase::Sub(sub) if sub.chess.turn() == Side::White => attacker,
            Phase::Sub(_) => attacker.other(),
            Phase::Settling(_) => self.part().map_or(self.turn, |part| self.side_at(part.at)),
        }
    }

    /// The side of the over-piece on a square; the one that makes the next over-move if none is there.
    pub fn side_at(&self, at: u8) -> Side {
        let piece = self.board.piece_at(at);
        piece.map_or(self.turn, |piece| piece.side)
    }

    /// The contest whose sub-game is due or being played.
    pub fn open_contest(&self) -> Option<Contest> {
        match self.phase {
            Phase::Setup(_) | Phase::Sub(_) | Phase::Nested => self.contests[0],
            _ => None,
        }
    }

    pub fn armies(&self, contest: &Contest) -> BySide<Roster> {
        BySide::new(self.set(contest.to).pieces, contest.set.pieces)
    }

    pub fn sub_game(&self) -> Option<&SubGame> {
        if let Phase::Sub(sub) = &self.phase {
            Some(sub)
        } else {
            None
        }
    }

    pub fn settling(&self) -> [Option<Part>; 2] {
        if let Phase::Settling(parts) = &self.phase {
            *parts
        } else {
            [None; 2]
        }
    }

    /// The next over-piece to be settled.
    pub fn part(&self) -> Option<Part> {
        self.settling().into_iter().flatten().next()
    }

    /// The contested squares, which are barred to all.
    pub fn barred(&self) -> u64 {
        let mut barred = 0;
        for contest in self.contests.iter().flatten() {
            barred |= contest.squares();
        }
        barred
    }

    /// The spares that an over-piece may call in, as many as fit (OV-23, OV-20).
    pub fn spares_for(&self, at: u8) -> Roster {
        let set = self.set(at);
        let spares = match self.options.reserves {
            Reserves::None => Roster::NONE,
            Reserves::Team(_) => self.spares[self.side_at(at)],
            Reserves::Set(_) => set.spares,
        };
        spares.common(set.pieces.room())
    }

    pub fn play(&mut self, ply: &Ply) {
        self.won = false;
        match *ply {
            Ply::Over(m) => self.over_move(m),
            Ply::Setup(pieces) => self.set_up(pieces),
            Ply::Sub(m) => self.sub_move(m),
            Ply::Prisoners(pieces) => self.take_prisoners(pieces),
            Ply::Reserve(on, role) => self.call_in(index(on), role),
            Ply::Consolidate(on) => self.consolidate(index(on)),
            Ply::Give(on, role) => self.give(index(on), role),
            Ply::Done => self.close(),
            // Acts on individuals arrive here as changes of the counts.
            Ply::Place(..) | Ply::Take(_) | Ply::Hand(..) => {}
        }
    }

    fn over_move(&mut self, m: OverMove) {
        let Some(piece) = self.board.piece_at(m.from) else {
            return;
        };
        let target = self.board.target(m);
        let before = self.board;
        self.board.make(m);
        let mover = std::mem::take(self.set_mut(m.from));
        if let Some((wing_from, wing_to)) = before.rook_of(m) {
            *self.set_mut(wing_to) = std::mem::take(self.set_mut(wing_from));
        }
        let set = match target {
            Some(at) => std::mem::take(self.set_mut(at)),
            None => SubSet::default(),
        };
        *self.set_mut(m.to) = mover;
        self.half += 1;
        if has_set(piece)
            && let Some(at) = target
            && let Some(defender) = before.piece_at(at)
        {
            let contest = Contest {
                from: m.from,
                to: m.to,
                attacker: piece,
                promotion: m.promotion,
                defender,
                at,
                set,
            };
            let slot = usize::from(self.contests[0].is_some());
            self.contests[slot] = Some(contest);
            if self.options.fog {
                self.half = 0;
            }
        } else {
            self.board.lose_rights(m.from);
            self.board.lose_rights(m.to);
            if piece.role == Role::Pawn || target.is_some() {
                self.makes_progress();
            }
        }
        self.pass_on();
    }

    /// The position after an illegal act that stands (GEN-9): in the sub-game being played, or else on the over-board,
    /// where a move to an enemy piece attacks it. `None` if it cannot be done, or leads to no position.
    pub fn stood(&self, standing_act: StandingAct) -> Option<Self> {
        let mut next = Self {
            ended: None,
            won: false,
            ..self.clone()
        };
        if let Phase::Sub(sub) = &self.phase {
            let sub = sub.stood(standing_act)?;
            let ended = sub.end_by_itself();
            next.phase = Phase::Sub(Box::new(sub));
            if let Some(ruling) = ended {
                next.conclude_by(ruling);
            }
            return Some(next);
        }
        if standing_act == StandingAct::Passed {
            if !matches!(self.phase, Phase::Over) {
                return None;
            }
            next.board.en_passant = None;
            next.half += 1;
            next.pass_on();
            return Some(next);
        }
        let m = self.over_move_of(standing_act)?;
        let piece = self.board.piece_at(m.from)?;
        let taken = self.board.piece_at(m.to);
        let takes_own = taken.is_some_and(|taken| taken.side == piece.side);
        let castles = self.castling_meant(m).is_some();
        if (piece.role == Role::King && !castles) || takes_own {
            next.put(m.from, m.to, piece);
            next.half += 1;
            if piece.role == Role::Pawn || taken.is_some() {
                next.makes_progress();
            }
            next.pass_on();
        } else {
            next.over_move(m);
        }
        Some(next)
    }

    /// The over-move that an illegal act made; `None` if it cannot be made here.
    fn over_move_of(&self, standing_act: StandingAct) -> Option<OverMove> {
        let m = self
            .board
            .move_that_stood(standing_act, self.turn, self.barred())?;
        match self.phase {
            Phase::Over => Some(m),
            Phase::OverFrom(at) if at == m.from => Some(m),
            _ => None,
        }
    }

    /// The squares that over-pieces leave by an illegal act, each with the one where it arrives.
    pub fn ways_of(&self, standing_act: StandingAct) -> Vec<(Square, Square)> {
        let Some(m) = self.over_move_of(standing_act) else {
            return Vec::new();
        };
        let mut ways = vec![(m.from(), m.to())];
        if let Some(it) = self.castling_meant(m) {
            ways.push((square(it.rook), square(it.rook_to)));
        }
        ways
    }

    /// The castling that a king's move means, whether it is legal or not.
    fn castling_meant(&self, m: OverMove) -> Option<Castling> {
        self.board.castling_meant(m, self.turn, self.barred())
    }

    /// Puts an over-piece on another square, and does nothing else.
    fn put(&mut self, from: u8, to: u8, piece: Piece) {
        self.board.clear(from);
        self.board.put(to, piece);
        self.board.en_passant = None;
        self.board.lose_rights(from);
        self.board.lose_rights(to);
        let set = std::mem::take(self.set_mut(from));
        *self.set_mut(to) = set;
    }

    /// No earlier position can recur, and the move count restarts.
    fn makes_progress(&mut self) {
        self.half = 0;
        self.seen.clear();
    }

    /// The over-move, or the consolidation instead of one, is complete.
    fn pass_on(&mut self) {
        self.full += u32::from(self.turn == Side::Black);
        self.turn = self.turn.other();
        match self.contests[0] {
            Some(contest) if !self.options.fog || contest.side() == self.turn => {
                self.begin_sub_game();
            }
            _ => self.begin_turn(),
        }
    }

    /// The next over-move is due, unless an attack leaves none (OV-34).
    pub fn begin_turn(&mut self) {
        self.phase = Phase::Over;
        let can_act = self.can_act();
        if self.contests[0].is_some() && !can_act {
            return self.begin_sub_game();
        }
        self.seen.push(self.hash());
        self.ended = self.end(can_act);
    }

    /// Mate and stalemate take precedence over draws (OV-15).
    pub fn end(&self, can_act: bool) -> Option<Ruling> {
        let draw = |cause, rule| Some(Ruling::draw(cause, rule));
        if !can_act {
            return if self.board.in_check(self.turn) {
                let outcome = Outcome::Win(self.turn.other());
                Some(Ruling {
                    outcome,
                    cause: Cause::Checkmate,
                    rule: &law::REGULAR,
                })
            } else {
                draw(Cause::Stalemate, &law::REGULAR)
            };
        }
        if self.contests[0].is_none() && self.board.is_dead() {
            draw(Cause::DeadPosition, &law::REGULAR)
        } else if self.times() >= 5 {
            draw(Cause::Fivefold, &law::REPETITION)
        } else if self.half >= 150 {
            draw(Cause::SeventyFiveMoves, &law::REGULAR)
        } else {
            None
        }
    }

    /// How often this position has occurred.
    fn times(&self) -> usize {
        let now = self.seen.last();
        self.seen.iter().filter(|seen| Some(*seen) == now).count()
    }

    pub fn claimable(&self) -> Claimable {
        let due = matches!(self.phase, Phase::Over);
        Claimable {
            repetition: due && self.times() >= 3,
            progress: due && self.half >= 100,
        }
    }

    /// A hash that is equal for positions that count as equal for repetition (OV-17).
    pub fn hash(&self) -> u128 {
        let mut row = WordHasher::new();
        if let Some(beside) = self.beside {
            row.push(beside as u64);
            row.push((beside >> 64) as u64);
        }
        for word in self.board.words() {
            row.push(word);
        }
        let mut rights = 0;
        for right in self.board.castling {
            rights = rights << 1 | u64::from(right);
        }
        let passing = self.legal_en_passant().map_or(0, |at| u64::from(at) + 1);
        row.push(rights << 16 | passing << 8 | self.turn as u64);
        for spares in self.spares {
            row.push(spares.code());
        }
        for at in squares(self.board.occupied()) {
            let set = self.set(at);
            row.push(set.pieces.code());
            if set.spares != Roster::NONE {
                row.push(set.spares.code() | 1 << 63);
            }
        }
        for contest in self.contests.into_iter().flatten() {
            let Contest {
                from,
                to,
                at,
                attacker,
                defender,
                ..
            } = contest;
            row.push(u64::from_le_bytes([
                from,
                to,
                at,
                attacker.role as u8,
                defender.role as u8,
                1,
                0,
                0,
            ]));
            row.push(contest.set.pieces.code());
            row.push(contest.set.spares.code());
        }
        row.hash()
    }
}

/// Whether a piece has a sub-set.
pub(crate) const fn has_set(piece: Piece) -> bool {
    !matches!(piece.role, Role::King)
}
