//! The mega-board: the placement, states and moves of mega-pieces.

use crate::{
    board8::{
        attacks::{self, reach},
        board::{
            Board, BoardMove as MegaMove, CASTLINGS, Castling, LAST_RANKS, PROMOTIONS, ahead,
            between, bit, last_rank, pawn_rank, set_of, squares, victim_of,
        },
    },
    fen::side_of_right,
    mega::laws as law,
};
use overboard_rules::{
    rule::Rule,
    setup::Impossible,
    square::{Piece, Role, Side},
};

/// The state of a mega-piece (MG-5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Its game is being played.
    Neutral,
    /// Its owner won its game.
    Armed,
    /// Its game was drawn.
    Disarmed,
    /// A king whose owner lost its game.
    Dethroned,
}

impl State {
    /// All states, in the order of their numbers.
    pub(crate) const ALL: [Self; 4] = [Self::Neutral, Self::Armed, Self::Disarmed, Self::Dethroned];

    /// The word for the state in positions.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Armed => "armed",
            Self::Disarmed => "disarmed",
            Self::Dethroned => "dethroned",
        }
    }
}

/// The mega-pieces and their states. Bit 0 of a set is `A1`, bit 8 is `A2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MegaBoard {
    /// The en passant square is set only where such a capture is legal.
    pub board: Board,
    states: [u64; 4],
}

impl MegaBoard {
    /// No mega-piece.
    pub const EMPTY: Self = Self {
        board: Board::EMPTY,
        states: [0; 4],
    };

    /// The initial position, all neutral (MG-1).
    pub fn start() -> Self {
        let board = Board::start();
        Self {
            board,
            states: [board.occupied(), 0, 0, 0],
        }
    }

    pub fn put(&mut self, square: u8, piece: Piece, state: State) {
        self.clear(square);
        self.board.put(square, piece);
        self.states[state as usize] |= bit(square);
    }

    pub fn clear(&mut self, square: u8) {
        self.board.clear(square);
        for set in &mut self.states {
            *set &= !bit(square);
        }
    }

    pub const fn occupied(&self) -> u64 {
        self.board.occupied()
    }

    pub const fn of(&self, side: Side) -> u64 {
        self.board.of(side)
    }

    pub const fn kind(&self, role: Role) -> u64 {
        self.board.kind(role)
    }

    pub const fn with(&self, state: State) -> u64 {
        self.states[state as usize]
    }

    pub fn piece_at(&self, square: u8) -> Option<Piece> {
        self.board.piece_at(square)
    }

    pub fn state_at(&self, square: u8) -> Option<State> {
        let mut states = State::ALL.into_iter();
        states.find(|state| self.with(*state) & bit(square) != 0)
    }

    pub fn king(&self, side: Side) -> Option<u8> {
        self.board.king(side)
    }

    /// The armed mega-pieces of a side that attack a square (MG-8), if these squares are occupied.
    pub fn attackers(&self, target: u8, by: Side, occupied: u64) -> u64 {
        let armed = self.of(by) & self.with(State::Armed) & occupied;
        if armed == 0 {
            0
        } else {
            self.board.attackers(target, by, occupied) & armed
        }
    }

    /// The armed mega-pieces that give mega-check to this side's king.
    pub fn checkers(&self, side: Side) -> u64 {
        match self.king(side) {
            Some(king) => self.attackers(king, side.other(), self.occupied()),
            None => 0,
        }
    }

    /// The sliding mega-pieces.
    pub fn sliders(&self) -> u64 {
        self.kind(Role::Bishop) | self.kind(Role::Rook) | self.kind(Role::Queen)
    }

    /// Those among some mega-pieces that alone are between this side's king and an armed piece of the opponent.
    pub fn shields(&self, side: Side, among: u64) -> u64 {
        let armed = self.of(side.other()) & self.with(State::Armed) & self.sliders();
        let Some(king) = self.king(side) else {
            return 0;
        };
        if reach(Role::Queen, king, 0) & armed == 0 {
            return 0;
        }
        let occupied = self.occupied();
        let near = reach(Role::Queen, king, occupied) & occupied & among;
        let attacked =
            |shield: &u8| self.attackers(king, side.other(), occupied & !bit(*shield)) != 0;
        set_of(squares(near).filter(attacked))
    }

    /// The game on a square was won by a side (MG-6).
    pub fn won(&mut self, square: u8, by: Side) {
        let Some(piece) = self.piece_at(square) else {
            return;
        };
        match (piece.side == by, piece.role) {
            (true, _) => self.put(square, piece, State::Armed),
            (false, Role::King) => self.put(square, piece, State::Dethroned),
            (false, _) => self.clear(square),
        }
        self.keep_rights();
    }

    /// The game on a square was drawn (MG-6).
    pub fn drawn(&mut self, square: u8) {
        if let Some(piece) = self.piece_at(square) {
            self.put(square, piece, State::Disarmed);
        }
    }

    /// Removes castling rights of a king or rook that is not at home or may not move (MG-17).
    pub fn keep_rights(&mut self) {
        for (index, Castling { king, rook, .. }) in CASTLINGS.into_iter().enumerate() {
            let side = side_of_right(index);
            let own = self.of(side);
            self.board.castling[index] &=
                self.kind(Role::King) & own & !self.with(State::Dethroned) & bit(king) != 0
                    && self.kind(Role::Rook) & own & bit(rook) != 0;
        }
    }

    /// Makes a mega-move on the mega-board alone; the games on it are handled elsewhere.
    pub fn play(&mut self, m: MegaMove) {
        let taken = self.board.target(m);
        let carried = [Some((m.from, m.to)), self.board.rook_of(m)].map(|way| {
            let (from, to) = way?;
            Some((from, to, self.state_at(from)?))
        });
        self.board.make(m);
        let mut left = taken.map_or(0, bit);
        for (from, ..) in carried.into_iter().flatten() {
            left |= bit(from);
        }
        for set in &mut self.states {
            *set &= !left;
        }
        for (_, to, state) in carried.into_iter().flatten() {
            self.states[state as usize] |= bit(to);
        }
        self.keep_rights();
    }

    /// What a mega-piece of a side may capture if it is armed (MG-7): no neutral piece, and never a king.
    fn prey(&self, of: Side) -> u64 {
        self.of(of)
            & (self.with(State::Armed) | self.with(State::Disarmed))
            & !self.kind(Role::King)
    }

    /// Calls `visit` with every pseudo-legal mega-move of a side: its own king may be left in check.
    pub fn for_each_pseudo(&self, side: Side, visit: &mut impl FnMut(MegaMove)) {
        let movers = self.of(side) & !self.with(State::Dethroned);
        let free = !self.occupied();
        let prey = self.prey(side.other());
        for role in [
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
        ] {
            for from in squares(movers & self.kind(role)) {
                let armed = self.with(State::Armed) & bit(from) != 0;
                let targets =
                    reach(role, from, self.occupied()) & (free | if armed { prey } else { 0 });
                squares(targets).for_each(|to| {
                    visit(MegaMove {
                        from,
                        to,
                        promotion: None,
                    });
                });
            }
        }
        for from in squares(movers & self.kind(Role::Pawn)) {
            self.for_each_of_pawn(side, from, prey, visit);
        }
        self.for_each_castling(side, visit);
    }

    fn for_each_of_pawn(&self, side: Side, from: u8, prey: u64, visit: &mut impl FnMut(MegaMove)) {
        let armed = self.with(State::Armed) & bit(from) != 0;
        let free = !self.occupied();
        let step = |from: u8| ahead(side, from).filter(|to| free & bit(*to) != 0);
        let one = step(from);
        let is_home = from / 8 == pawn_rank(side);
        let two = if is_home { one.and_then(step) } else { None };
        let mut targets = one.into_iter().chain(two).fold(0, |set, to| set | bit(to));
        if armed {
            targets |= attacks::pawn(from, side) & (prey | self.prey_in_passing(side, prey));
        }
        for to in squares(targets) {
            if to / 8 != last_rank(side) {
                visit(MegaMove {
                    from,
                    to,
                    promotion: None,
                });
            } else if armed {
                for role in PROMOTIONS {
                    visit(MegaMove {
                        from,
                        to,
                        promotion: Some(role),
                    });
                }
            }
        }
    }

    /// The en passant square, if an armed pawn may capture there (MG-9).
    fn prey_in_passing(&self, side: Side, prey: u64) -> u64 {
        match self.board.en_passant {
            Some(to) if prey & self.kind(Role::Pawn) & bit(victim_of(side, to)) != 0 => bit(to),
            _ => 0,
        }
    }

    fn for_each_castling(&self, side: Side, visit: &mut impl FnMut(MegaMove)) {
        for index in [side as usize * 2, side as usize * 2 + 1] {
            if self.board.castling[index] && self.against_castling(side, index).is_none() {
                let Castling {
                    king: from,
                    king_to: to,
                    ..
                } = CASTLINGS[index];
                visit(MegaMove {
                    from,
                    to,
                    promotion: None,
                });
            }
        }
    }

    /// What prevents castling with an existing right: a square that is occupied or attacked, and whether it is
    /// occupied.
    pub fn against_castling(&self, side: Side, right: usize) -> Option<(u8, bool)> {
        let Castling {
            king,
            rook,
            king_to: to,
            ..
        } = CASTLINGS[right];
        if let Some(blocked) = squares(between(king, rook) & self.occupied()).next() {
            return Some((blocked, true));
        }
        let attacked = |square: &u8| self.attackers(*square, side.other(), self.occupied()) != 0;
        (king.min(to)..=king.max(to))
            .find(attacked)
            .map(|square| (square, false))
    }

    /// Whether nothing is left but two kings, both armed or both disarmed (MG-14).
    pub fn is_dead(&self) -> bool {
        let all = self.occupied();
        self.kind(Role::King) == all
            && (all == self.with(State::Armed) || all == self.with(State::Disarmed))
    }

    /// What says that no game leads to this placement of mega-pieces; the king of the side `waiting` should be safe.
    pub fn doubts(&self, waiting: Option<Side>) -> Vec<Impossible> {
        let mut doubts = Vec::new();
        let is_crowded = |side: Side| {
            let count = |role| (self.kind(role) & self.of(side)).count_ones();
            let at_first = [
                (Role::Queen, 1),
                (Role::Rook, 2),
                (Role::Bishop, 2),
                (Role::Knight, 2),
            ];
            let promoted = at_first.map(|(role, few)| count(role).saturating_sub(few));
            count(Role::Pawn) + promoted.into_iter().sum::<u32>() > 8
        };
        if is_crowded(Side::White) || is_crowded(Side::Black) {
            doubts.push(Impossible::TooMuchMaterial);
        }
        if waiting.is_some_and(|side| self.checkers(side) != 0) {
            doubts.push(Impossible::OppositeCheck);
        }
        doubts
    }

    /// Why no game can have this placement of mega-pieces, with the rules.
    pub fn faults(&self) -> Vec<(&'static str, &'static Rule)> {
        let mut faults = Vec::new();
        let mut say = |wrong: bool, words, rule| {
            if wrong {
                faults.push((words, rule));
            }
        };
        let kings = |side| (self.kind(Role::King) & self.of(side)).count_ones();
        say(
            Side::BOTH.into_iter().any(|side| kings(side) == 0),
            "a mega-king is missing",
            &law::STATES,
        );
        say(
            Side::BOTH.into_iter().any(|side| kings(side) > 1),
            "a side has more than one mega-king",
            &law::STATES,
        );
        say(
            self.with(State::Dethroned) & !self.kind(Role::King) != 0,
            "a mega-piece other than a king is dethroned",
            &law::STATES,
        );
        say(
            self.kind(Role::Pawn) & LAST_RANKS != 0,
            "a mega-pawn stands on the first or last rank",
            &law::PROMOTION,
        );
        let mut kept = *self;
        kept.keep_rights();
        say(
            kept.board.castling != self.board.castling,
            "a castling right is given, but mega-king and mega-rook are not on their original squares, or the king is dethroned",
            &law::MEGA_CHECK,
        );
        faults
    }
}
