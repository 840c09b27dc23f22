//! What a requested ply means in an over-game whose pieces are counted, and why it is illegal.

use crate::{
    board8::board::{BoardMove as OverMove, CASTLINGS, Castling, bit, squares},
    chess::{Chess, laws as regular},
    fen::side_of_right,
    overchess::{
        Due, Over, Ply,
        contest::Contest,
        laws as law,
        roster::{Arrangement, KINDS, Roster},
        state::{Game, Phase, has_set},
    },
};
use overboard_rules::{
    game, general as common,
    outcome::{Cause, Outcome, Ruling},
    path::{BoardPath, index, square},
    ply::{Pattern, Written},
    position::{Found, Movegen},
    refusal::{self, Refusal, list},
    rule::Rule,
    setup::Setup,
    square::{Piece, Role, Side, Square},
};

/// What a record, or a player, requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// A move on the innermost over-board.
    Over(Written),
    /// A move of the sub-game of chess.
    Sub(Written),
    /// Any other ply.
    Ply(Ply),
}

/// A refused ply; its board is that of the game in which the rule is broken.
pub type Breach = game::Refusal<Over>;

type Judged = Result<Ply, Box<Breach>>;
type Reason = (String, &'static Rule);

/// The refusal of prisoners if they are not agreed on.
pub(crate) const NOT_AGREED: &str = "prisoners may be taken only with the option `prisoners`";
/// Why no prisoner can be taken.
pub(crate) const NO_PRISONERS: &str = "there are no prisoners to take here: no sub-game was won just now, or none of the loser's pieces fits in";

impl Game {
    /// The ply that was requested, or why it is illegal; another ply than a move is known to be illegal.
    pub fn judge(&self, asked: Asked) -> Judged {
        if let Some(Ruling { cause, outcome, .. }) = self.ended
            && cause == Cause::KingFalls
        {
            let words = format!("the game had ended by {cause} ({outcome})");
            return self.refuse((words, &common::ENDED), Vec::new());
        }
        match asked {
            Asked::Over(written) => self.judge_over(&written),
            Asked::Sub(written) => self.judge_sub(&written),
            Asked::Ply(ply) => {
                let mut possible = Vec::new();
                self.legal_moves(|legal| {
                    if std::mem::discriminant(&legal) == std::mem::discriminant(&ply) {
                        possible.push(legal);
                    }
                });
                self.refuse(self.against_ply(&ply), possible)
            }
        }
    }

    fn refuse(&self, (words, rule): Reason, possible: Vec<Ply>) -> Judged {
        Err(Box::new(Breach {
            words,
            rule,
            at: BoardPath::OUTERMOST,
            possible,
        }))
    }

    fn judge_over(&self, written: &Written) -> Judged {
        if !matches!(self.phase, Phase::Over | Phase::OverFrom(_)) {
            return self.refuse(self.what_is_due(), Vec::new());
        }
        let meant = self.meant(written);
        match meant[..] {
            [only] => Ok(Ply::Over(only)),
            [] => {
                let reason = self.against_over(written);
                self.refuse(reason, self.close_to(written))
            }
            _ => {
                let from = list(meant.iter().map(|m| m.from()), "and");
                let words = format!("ambiguous between the over-pieces on {from}");
                self.refuse(
                    (words, &regular::ONE_MOVE),
                    meant.into_iter().map(Ply::Over).collect(),
                )
            }
        }
    }

    fn close_to(&self, written: &Written) -> Vec<Ply> {
        let mut close = Vec::new();
        self.for_each_over_move_due(|m| {
            let Some(Piece { role, .. }) = self.board.piece_at(m.from) else {
                return;
            };
            let is_close = match written {
                Written::Move(pattern) => {
                    let file = m.to().file.abs_diff(pattern.to.file) <= 1;
                    role == pattern.role && (role != Role::Pawn || file)
                }
                Written::Castle(_) => role == Role::King,
                _ => true,
            };
            if is_close {
                close.push(Ply::Over(m));
            }
        });
        close
    }

    fn what_is_due(&self) -> Reason {
        let side = self.actor();
        match self.due() {
            Due::Over => (format!("{side}'s over-move is due"), &law::OVER_GAME),
            Due::OverFrom(at) => (
                format!("a spare piece came to {at}: {side} must move that over-piece"),
                &law::MOMENTS,
            ),
            Due::Setup(at, _) => (
                format!("{side}'s set-up of the sub-game on {at} is due"),
                &law::SET_UP,
            ),
            Due::Sub(at) if self.options.fog => {
                (format!("the sub-game on {at} comes first"), &law::FOG_ORDER)
            }
            Due::Sub(at) => (format!("the sub-game on {at} comes first"), &law::ATTACK),
            Due::Settling(at) => (
                format!("the sub-game is being settled for the over-piece on {at}"),
                &law::MOMENTS,
            ),
            Due::Giving => ("a consolidation is going on".into(), &law::CONSOLIDATION),
        }
    }

    /// Gives reasons from the rules of regular chess first, then from contested squares.
    fn against_over(&self, written: &Written) -> Reason {
        if let Phase::OverFrom(at) = self.phase {
            let mut any = false;
            self.for_each_over_move(|m| any |= self.board.fits(m, written));
            if any {
                let words = format!(
                    "a spare piece came to {}: only that over-piece may move",
                    square(at)
                );
                return (words, &law::MOMENTS);
            }
        }
        if let Some(reason) = self.against_contested(written) {
            return reason;
        }
        let Some(chess) = self.as_chess() else {
            return ("this is not a legal over-move".into(), &law::AS_IF);
        };
        if let Found::One(_) = chess.find(written) {
            return self.against_outcomes(written);
        }
        let refusal = Refusal::by_geometry(&chess, written);
        let rule = match refusal.reason() {
            refusal::Reason::TakesKing => &law::KING,
            _ => refusal.rule(),
        };
        (refusal.to_string(), rule)
    }

    fn against_contested(&self, written: &Written) -> Option<Reason> {
        let Written::Move(pattern) = written else {
            return None;
        };
        let barred = self.barred();
        if barred >> index(pattern.to) & 1 == 1 {
            let words = format!(
                "{} is contested: it cannot be entered or attacked again",
                pattern.to
            );
            return Some((words, &law::FOG));
        }
        let mut locked = None;
        for from in squares(self.board.of(self.turn) & barred) {
            self.board
                .for_each_pseudo(from, self.turn, barred & !(1 << from), |m| {
                    if self.board.fits(m, written) {
                        locked = Some(from);
                    }
                });
        }
        let locked = locked.or_else(|| self.locked_defender(pattern));
        if let Some(from) = locked {
            let words = format!(
                "the {} on {} is locked: its square is contested",
                pattern.role.name(),
                square(from)
            );
            return Some((words, &law::LOCKED));
        }
        self.through_contested(pattern)
    }

    /// The square of the mover's piece that could make the move if it were not attacked.
    fn locked_defender(&self, pattern: &Pattern) -> Option<u8> {
        for Contest { at, defender, .. } in self.contests.iter().flatten() {
            let mut board = self.board;
            board.put(*at, *defender);
            let mut could = false;
            board.for_each_pseudo(*at, self.turn, self.barred() & !bit(*at), |m| {
                could |= square(m.to) == pattern.to && m.promotion == pattern.promotion;
            });
            if could && defender.role == pattern.role && pattern.may_start_on(square(*at)) {
                return Some(*at);
            }
        }
        None
    }

    /// The reason if a move goes through a square that looks empty: that of a pawn attacked en passant, which still
    /// blocks.
    fn through_contested(&self, pattern: &Pattern) -> Option<Reason> {
        let barred = self.barred() & !self.board.occupied();
        if self.is_possible(pattern, 0) && !self.is_possible(pattern, barred) {
            let words = "a contested square stands in the way";
            return Some((words.into(), &law::FOG));
        }
        None
    }

    /// Whether a piece of the mover's could make a move if nothing but these squares were barred.
    fn is_possible(&self, pattern: &Pattern, barred: u64) -> bool {
        let written = Written::Move(*pattern);
        let mut any = false;
        for from in squares(self.board.of(self.turn) & self.board.kind(pattern.role)) {
            self.board.for_each_pseudo(from, self.turn, barred, |m| {
                any |= self.board.fits(m, &written);
            });
        }
        any
    }

    /// The refusal of a move that is legal if the attack being answered succeeds, but unsafe if it fails.
    fn against_outcomes(&self, written: &Written) -> Reason {
        let mut worst = None;
        let barred = self.barred();
        let mut look = |m: OverMove| {
            if self.board.fits(m, written) {
                let mut after = self.board;
                after.make(m);
                worst = worst.or(self.outcomes_against(&after));
            }
        };
        for from in squares(self.board.of(self.turn)) {
            self.board
                .for_each_pseudo(from, self.turn, barred, &mut look);
        }
        self.board.for_each_castling(self.turn, barred, &mut look);
        let at = self.contests[0].map_or(String::new(), |contest| {
            format!(" on {}", square(contest.to))
        });
        let how = match worst {
            Some(Outcome::Draw) => "is drawn",
            Some(Outcome::Win(Side::Black)) => "is lost",
            _ => "is won",
        };
        let words = format!(
            "it leaves the {} king attacked if the attack{at} {how}",
            self.turn.adjective()
        );
        (words, &law::LOCKED)
    }

    /// The over-board as regular chess sees it.
    fn as_chess(&self) -> Option<Chess> {
        let home = |right: usize| {
            let side = side_of_right(right);
            let Castling { king, rook, .. } = CASTLINGS[right];
            let stands = |role, at| self.board.kind(role) & self.board.of(side) & bit(at) != 0;
            stands(Role::King, king) && stands(Role::Rook, rook)
        };
        let mut castling = self.board.castling;
        for (right, has) in castling.iter_mut().enumerate() {
            *has &= home(right);
        }
        let setup = Setup {
            castling,
            halfmove: 0,
            ..self.to_setup()
        };
        Chess::from_setup(&setup).ok()
    }

    fn judge_sub(&self, written: &Written) -> Judged {
        let Phase::Sub(sub) = &self.phase else {
            return self.refuse(self.what_is_due(), Vec::new());
        };
        match sub.chess.find(written) {
            Found::One(m) => Ok(Ply::Sub(m)),
            _ => {
                let refusal = Refusal::by_geometry(&sub.chess, written);
                let possible = refusal.possible(&sub.chess).into_iter();
                let possible = possible.map(Ply::Sub).collect();
                self.refuse((refusal.to_string(), refusal.rule()), possible)
            }
        }
    }

    fn against_ply(&self, ply: &Ply) -> Reason {
        match (ply, &self.phase) {
            (Ply::Setup(pieces), Phase::Setup(_)) => self.against_setup(*pieces),
            (Ply::Prisoners(pieces), _) => self.against_prisoners(*pieces),
            (Ply::Reserve(on, role), _) => self.against_reserve(*on, *role),
            (Ply::Consolidate(on), Phase::Over) => self.against_consolidation(*on),
            (Ply::Give(on, role), Phase::Giving(..)) => self.against_gift(*on, *role),
            (Ply::Done, Phase::Giving(..)) => (
                "a piece in hand still fits into a sub-set".into(),
                &law::CONSOLIDATION,
            ),
            _ => self.what_is_due(),
        }
    }

    fn against_setup(&self, pieces: Arrangement) -> Reason {
        if !pieces.has_king() {
            return ("the king starts on the e-file".into(), &law::SET_UP);
        }
        let due = self.roster_due().unwrap_or_default();
        against_pieces("the", due, pieces.roster()).unwrap_or_else(|| {
            let words = "an officer stands on a square that is not regular for it";
            (words.into(), &law::SET_UP)
        })
    }

    fn against_prisoners(&self, pieces: Roster) -> Reason {
        if !self.options.prisoners {
            return (NOT_AGREED.into(), &law::PRISONERS);
        }
        let Some(part) = self.part() else {
            return (NO_PRISONERS.into(), &law::PRISONERS);
        };
        let room = self.set(part.at).pieces.room();
        if !pieces.fits_in(room) {
            let words = format!(
                "the sub-set has no room for them: {}",
                missing(room, pieces)
            );
            return (words, &law::LIMIT);
        }
        (
            format!(
                "the loser does not have so many pieces left: {}",
                missing(part.prisoners, pieces)
            ),
            &law::PRISONERS,
        )
    }

    fn against_reserve(&self, on: Square, role: Role) -> Reason {
        let at = index(on);
        let Some(piece) = self.board.piece_at(at).filter(|piece| has_set(*piece)) else {
            return (
                format!("no over-piece with a sub-set stands on {on}"),
                &law::RESERVES,
            );
        };
        if self.options.reserves == crate::overchess::Reserves::None {
            return ("no reserves were agreed on".into(), &law::RESERVES);
        }
        if self.set(at).pieces.room().count(role) == 0 {
            return (
                format!("the sub-set of {on} has no room for a {}", role.name()),
                &law::LIMIT,
            );
        }
        if self.spares_for(at).count(role) == 0 {
            return (
                format!("there is no spare {} left for {on}", role.name()),
                &law::RESERVES,
            );
        }
        if !matches!(
            self.phase,
            Phase::Over | Phase::OverFrom(_) | Phase::Settling(_)
        ) {
            return self.what_is_due();
        }
        let words = if piece.side != self.actor() {
            format!(
                "the {} on {on} is not {}'s",
                piece.role.name(),
                self.actor()
            )
        } else if matches!(self.phase, Phase::Settling(_)) {
            format!("it is not the turn of {on} to be settled")
        } else {
            format!(
                "the {} on {on} is not the over-piece that moves",
                piece.role.name()
            )
        };
        (words, &law::MOMENTS)
    }

    fn against_consolidation(&self, on: Square) -> Reason {
        let at = index(on);
        let side = self.turn;
        if !self.options.consolidation {
            return (
                "consolidation was not agreed on".into(),
                &law::CONSOLIDATION,
            );
        }
        let words = match self.board.piece_at(at) {
            Some(piece) if piece.role == Role::King => "the over-king is not consolidated".into(),
            Some(piece) if piece.side != side => format!("the over-piece on {on} is not {side}'s"),
            Some(_) if self.barred() >> at & 1 == 1 => {
                return (format!("{on} is contested"), &law::LOCKED);
            }
            Some(_) => format!("without the over-piece on {on} {side}'s king would be in check"),
            None => format!("no over-piece stands on {on}"),
        };
        (words, &law::CONSOLIDATION)
    }

    fn against_gift(&self, on: Square, role: Role) -> Reason {
        let Phase::Giving(left, _) = self.phase else {
            return self.what_is_due();
        };
        if left.count(role) == 0 {
            let words = format!("no {} is left to be handed over", role.name());
            return (words, &law::CONSOLIDATION);
        }
        if let Some(reason) = self.has_no_room(on, role) {
            return reason;
        }
        let words = "pieces are handed over in the order P N B R Q, then by square, and none that fits is left out";
        (words.into(), &law::CONSOLIDATION)
    }

    /// Why nothing of a kind can be handed over to the sub-set on a square.
    pub fn has_no_room(&self, on: Square, role: Role) -> Option<Reason> {
        let at = index(on);
        match self.board.piece_at(at) {
            Some(piece) if piece.side == self.turn && has_set(piece) => {}
            _ => {
                let words = format!("no sub-set of {} is on {on}", self.turn);
                return Some((words, &law::CONSOLIDATION));
            }
        }
        if self.barred() & bit(at) != 0 {
            let words = format!("{on} is contested, and contested sub-sets have no room");
            return Some((words, &law::CONSOLIDATION));
        }
        if self.set(at).pieces.room().count(role) == 0 {
            let words = format!("the sub-set of {on} has no room for a {}", role.name());
            return Some((words, &law::LIMIT));
        }
        None
    }
}

/// Why a set-up of these pieces is not that of a sub-set; `whose` is such as `the attacker's`.
pub(crate) fn against_pieces(whose: &str, due: Roster, placed: Roster) -> Option<Reason> {
    let words = difference(due, placed)?;
    let rule = if placed.fits_in(due) {
        &law::SET_UP
    } else {
        &law::DEPLETION
    };
    Some((format!("{whose} set-up holds {words}"), rule))
}

/// How the second roster differs from the first: `6 pawns, not 5`; `None` if it does not.
fn difference(right: Roster, given: Roster) -> Option<String> {
    let mut differs = Vec::new();
    for role in KINDS {
        let due = right.count(role);
        if due != given.count(role) {
            differs.push(format!("{}, not {due}", counted(given, role)));
        }
    }
    if differs.is_empty() {
        return None;
    }
    Some(list(differs, "and"))
}

/// The kinds of which too many are requested.
fn missing(most: Roster, asked: Roster) -> String {
    let mut over = Vec::new();
    for role in KINDS {
        if asked.count(role) > most.count(role) {
            over.push(format!("{} at the most", counted(most, role)));
        }
    }
    list(over, "and")
}

/// The pieces of a kind in words: `1 pawn`, `6 pawns`.
fn counted(pieces: Roster, role: Role) -> String {
    let count = pieces.count(role);
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {}{plural}", role.name())
}
