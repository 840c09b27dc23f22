//! Which plies are legal at any moment.

use super::{
    Ply,
    roster::{Arrangement, KINDS, Roster},
    state::{Game, Phase},
};
use crate::board8::board::{Board, BoardMove as OverMove, LAST_RANKS, bit, squares};
use overboard_rules::{
    outcome::{Cause, Outcome},
    path::square,
    ply::Written,
    position::{Found, Movegen},
    square::{Piece, Role, Side},
};

impl Game {
    pub fn legal_moves(&self, mut visit: impl FnMut(Ply)) {
        if self.has_fallen() {
            return;
        }
        match &self.phase {
            Phase::Over => {
                self.for_each_over_move(|m| visit(Ply::Over(m)));
                self.for_each_reserve(|at, role| visit(Ply::Reserve(square(at), role)));
                self.for_each_consolidation(|at| visit(Ply::Consolidate(square(at))));
            }
            Phase::OverFrom(at) => {
                self.for_each_from(*at, |m| visit(Ply::Over(m)));
                each(self.spares_for(*at), |role| {
                    visit(Ply::Reserve(square(*at), role));
                });
            }
            Phase::Setup(_) => {
                if let Some(roster) = self.roster_due() {
                    Arrangement::for_each_of(roster, |pieces| visit(Ply::Setup(pieces)));
                }
            }
            Phase::Sub(sub) => sub.chess.legal_moves(|m| visit(Ply::Sub(m))),
            Phase::Nested => {}
            Phase::Settling(_) => self.for_each_of_settling(visit),
            Phase::Giving(..) => {
                self.for_each_gift(|at, role| visit(Ply::Give(square(at), role)));
                if self.is_all_given() {
                    visit(Ply::Done);
                }
            }
        }
    }

    pub fn count_legal(&self) -> u64 {
        if let (Phase::Sub(sub), None) = (&self.phase, self.ended) {
            return sub.chess.count_legal();
        }
        let mut count = 0;
        if let (Phase::Over, false) = (&self.phase, self.has_fallen()) {
            count = self.count_over_moves();
            self.for_each_reserve(|_, _| count += 1);
            self.for_each_consolidation(|_| count += 1);
        } else {
            self.legal_moves(|_| count += 1);
        }
        count
    }

    /// The number of over-moves. Those of a piece that is not held need not be examined one by one, unless it is a pawn
    /// that captures en passant.
    fn count_over_moves(&self) -> u64 {
        let (barred, held) = (self.barred(), self.held());
        let own = self.board.of(self.turn) & !barred;
        let passing = self.board.en_passant.map_or(0, bit);
        let mut count = 0;
        for from in squares(own & held) {
            self.for_each_of_piece(from, barred, held, |_| count += 1);
        }
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let piece = Piece {
                side: self.turn,
                role,
            };
            for from in squares(own & !held & self.board.kind(role)) {
                count += u64::from(self.board.targets(piece, from, barred).count_ones());
            }
        }
        for from in squares(own & !held & self.board.kind(Role::Pawn)) {
            let pawn = Piece {
                side: self.turn,
                role: Role::Pawn,
            };
            let targets = self.board.targets(pawn, from, barred);
            if targets & passing == 0 {
                // On the last rank there are four kinds to choose from.
                count += u64::from(targets.count_ones() + 3 * (targets & LAST_RANKS).count_ones());
            } else {
                self.for_each_of_piece(from, barred, held, |_| count += 1);
            }
        }
        self.board
            .for_each_castling(self.turn, barred, |m| count += u64::from(self.is_safe(m)));
        count
    }

    fn for_each_of_settling(&self, mut visit: impl FnMut(Ply)) {
        let Some(part) = self.part() else { return };
        if part.prisoners.is_none() {
            each(self.spares_for(part.at), |role| {
                visit(Ply::Reserve(square(part.at), role));
            });
        } else {
            part.prisoners
                .for_each_part(|pieces| visit(Ply::Prisoners(pieces)));
        }
        visit(Ply::Done);
    }

    /// The pieces whose set-up is due.
    pub fn roster_due(&self) -> Option<Roster> {
        let [attacker, defender] = self.armies(&self.open_contest()?).into_array();
        match self.phase {
            Phase::Setup(None) => Some(attacker),
            Phase::Setup(Some(_)) => Some(defender),
            _ => None,
        }
    }

    pub fn for_each_over_move(&self, mut visit: impl FnMut(OverMove)) {
        let (barred, held) = (self.barred(), self.held());
        for from in squares(self.board.of(self.turn) & !barred) {
            self.for_each_of_piece(from, barred, held, &mut visit);
        }
        self.board.for_each_castling(self.turn, barred, |m| {
            if self.is_safe(m) {
                visit(m);
            }
        });
    }

    /// Calls `visit` with the legal over-moves of the piece on a square, except castling.
    fn for_each_from(&self, from: u8, visit: impl FnMut(OverMove)) {
        let barred = self.barred();
        if barred & bit(from) == 0 {
            self.for_each_of_piece(from, barred, self.held(), visit);
        }
    }

    fn for_each_of_piece(&self, from: u8, barred: u64, held: u64, mut visit: impl FnMut(OverMove)) {
        self.board.for_each_pseudo(from, self.turn, barred, |m| {
            if self.is_free(m, held) || self.is_safe(m) {
                visit(m);
            }
        });
    }

    /// The over-pieces whose moves might leave their own king attacked: all of them if it is attacked now or would be
    /// by an outcome of the attack being answered, else the king and the pieces that shield it.
    fn held(&self) -> u64 {
        let pinned = |board: &Board| {
            if board.in_check(self.turn) {
                u64::MAX
            } else {
                board.pinned(self.turn)
            }
        };
        let king = self.board.kind(Role::King);
        let Some(contest) = self.contests[0] else {
            return king | pinned(&self.board);
        };
        let settled = [
            Outcome::Win(Side::White),
            Outcome::Win(Side::Black),
            Outcome::Draw,
        ]
        .map(|outcome| {
            let mut settled = self.board;
            contest.settle(&mut settled, outcome, self.options.drawn);
            pinned(&settled)
        });
        // Leaving the square from which the attacker came lets it return there (OV-33).
        settled
            .into_iter()
            .fold(king | bit(contest.from), |held, pinned| held | pinned)
    }

    /// Whether a move cannot harm its own king: it is made by a piece that is not held, and is not en passant, where
    /// the victim may have shielded the king, too.
    fn is_free(&self, m: OverMove, held: u64) -> bool {
        held & bit(m.from) == 0 && self.board.en_passant != Some(m.to)
    }

    /// Whether a move leaves its own king safe, assuming that every attack succeeds (OV-8), and in every outcome of an
    /// attack that it answers (OV-31).
    pub fn is_safe(&self, m: OverMove) -> bool {
        let mut after = self.board;
        after.make(m);
        self.is_safe_on(&after)
    }

    pub fn is_safe_on(&self, after: &Board) -> bool {
        self.outcomes_against(after).is_none()
    }

    /// The outcome of the attack being answered that would leave the own king attacked on a board. A win for White is
    /// the attacker's; it also stands for no attack being answered.
    pub fn outcomes_against(&self, after: &Board) -> Option<Outcome> {
        if after.in_check(self.turn) {
            return Some(Outcome::Win(Side::White));
        }
        let contest = self.contests[0]?;
        [Outcome::Win(Side::Black), Outcome::Draw]
            .into_iter()
            .find(|outcome| {
                let mut settled = *after;
                contest.settle(&mut settled, *outcome, self.options.drawn);
                settled.in_check(self.turn)
            })
    }

    /// Whether there is an over-move or a consolidation.
    pub fn can_act(&self) -> bool {
        let (barred, held) = (self.barred(), self.held());
        let own = self.board.of(self.turn) & !barred;
        let mut any = squares(own).any(|from| self.can_piece_move(from, barred, held));
        if !any {
            self.for_each_over_move(|_| any = true);
            self.for_each_consolidation(|_| any = true);
        }
        any
    }

    /// Calls `visit` with the spares that may be called in before a move, to an over-piece that has a legal over-move
    /// (GEN-8).
    fn for_each_reserve(&self, mut visit: impl FnMut(u8, Role)) {
        if self.options.reserves == super::Reserves::None {
            return;
        }
        let (barred, held) = (self.barred(), self.held());
        for at in squares(self.board.of(self.turn) & !self.board.kind(Role::King) & !barred) {
            let spares = self.spares_for(at);
            if !spares.is_none() && self.can_piece_move(at, barred, held) {
                each(spares, |role| visit(at, role));
            }
        }
    }

    pub fn can_move(&self, at: u8) -> bool {
        let mut any = false;
        self.for_each_from(at, |_| any = true);
        any
    }

    fn can_piece_move(&self, from: u8, barred: u64, held: u64) -> bool {
        let mut any = false;
        self.board.for_each_pseudo(from, self.turn, barred, |m| {
            any = any || self.is_free(m, held) || self.is_safe(m);
        });
        any
    }

    fn for_each_consolidation(&self, mut visit: impl FnMut(u8)) {
        if !self.options.consolidation {
            return;
        }
        let own = self.board.of(self.turn) & !self.board.kind(Role::King) & !self.barred();
        let held = self.held();
        for at in squares(own) {
            if held & bit(at) == 0 || self.is_safe_without(at) {
                visit(at);
            }
        }
    }

    /// Whether the mover's king is safe without the piece on a square.
    pub fn is_safe_without(&self, at: u8) -> bool {
        let mut after = self.board;
        after.clear(at);
        self.is_safe_on(&after)
    }

    /// Where a piece can go: to sub-sets of its own side that are not contested and have room.
    pub fn rooms(&self, role: Role) -> impl Iterator<Item = (u8, u8)> + '_ {
        let open = self.board.of(self.turn) & !self.barred();
        squares(open).filter_map(move |at| {
            let piece = self.with_set(at)?;
            let room = Roster::FULL
                .count(role)
                .saturating_sub(self.set(at).pieces.count(role));
            (room > 0 && piece.side == self.turn).then_some((at, room))
        })
    }

    /// Calls `visit` with what can be given next, in the order P N B R Q, then by square, so that whatever fits can
    /// still be given (OV-22, GEN-8).
    pub fn for_each_gift(&self, mut visit: impl FnMut(u8, Role)) {
        let Phase::Giving(left, last) = &self.phase else {
            return;
        };
        for role in KINDS {
            let count = left.count(role);
            let after = last.map_or(0, |(kind, at)| if kind == role { at } else { 0 });
            let rooms: Vec<_> = self.rooms(role).collect();
            if count == 0 || rooms.is_empty() {
                continue;
            }
            for (at, _) in rooms.iter().filter(|(at, _)| *at >= after) {
                let passed = rooms.iter().any(|(other, _)| *other < *at);
                let behind = rooms.iter().filter(|(other, _)| *other >= *at);
                let room: u32 = behind.map(|(_, room)| u32::from(*room)).sum();
                if !passed || u32::from(count) <= room {
                    visit(*at, role);
                }
            }
            return;
        }
    }

    /// Whether no remaining piece fits anywhere.
    pub fn is_all_given(&self) -> bool {
        let Phase::Giving(left, _) = &self.phase else {
            return false;
        };
        KINDS
            .into_iter()
            .all(|role| left.count(role) == 0 || self.rooms(role).next().is_none())
    }

    /// The square crossed by a double step, if an en passant attack is legal.
    pub fn legal_en_passant(&self) -> Option<u8> {
        let crossed = self.board.en_passant?;
        let pawns = self.board.kind(Role::Pawn) & self.board.of(self.turn) & !self.barred();
        let mut legal = false;
        for from in squares(pawns).filter(|from| from % 8 != crossed % 8) {
            self.for_each_from(from, |m| legal |= m.to == crossed);
        }
        legal.then_some(crossed)
    }

    /// The legal ply that a written one means.
    pub fn find(&self, written: &Written) -> Found<Ply> {
        match &self.phase {
            Phase::Sub(sub) => sub.chess.find(written).map(Ply::Sub),
            Phase::Over | Phase::OverFrom(_) if !self.has_fallen() => {
                Found::only(self.meant(written).into_iter().map(Ply::Over))
            }
            _ => Found::None,
        }
    }

    /// Whether the game is over by the fall of a king.
    fn has_fallen(&self) -> bool {
        self.ended
            .is_some_and(|ruling| ruling.cause == Cause::KingFalls)
    }

    /// The legal over-moves that a written one can mean.
    pub fn meant(&self, written: &Written) -> Vec<OverMove> {
        let mut meant = Vec::new();
        let fits = |m| self.board.fits(m, written);
        let Written::Move(pattern) = written else {
            self.for_each_over_move_due(|m| {
                if fits(m) {
                    meant.push(m);
                }
            });
            return meant;
        };
        let barred = self.barred();
        let free = match self.phase {
            Phase::OverFrom(at) => bit(at),
            _ => !barred,
        };
        for from in squares(self.board.of(self.turn) & self.board.kind(pattern.role) & free) {
            self.board.for_each_pseudo(from, self.turn, barred, |m| {
                if fits(m) && self.is_safe(m) {
                    meant.push(m);
                }
            });
        }
        meant
    }

    /// Calls `visit` with the legal over-moves that are due: all, or those of one piece.
    pub fn for_each_over_move_due(&self, visit: impl FnMut(OverMove)) {
        match self.phase {
            Phase::OverFrom(at) => self.for_each_from(at, visit),
            _ => self.for_each_over_move(visit),
        }
    }
}

/// Calls `visit` with the kinds of a roster.
fn each(roster: Roster, mut visit: impl FnMut(Role)) {
    for role in KINDS {
        if roster.count(role) > 0 {
            visit(role);
        }
    }
}
