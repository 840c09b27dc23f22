//! Sub-games: how they begin, end and are settled; and consolidations.

use super::{Concluded, Game, Part, Phase};
use crate::overchess::{
    Reserves,
    contest::{Contest, Places},
    laws as law,
    roster::{Arrangement, Roster},
    sub::SubGame,
};
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome, Ruling},
    position::Movegen,
    square::{Role, Side},
};

impl Game {
    pub fn begin_sub_game(&mut self) {
        let Some(contest) = self.contests[0] else {
            return;
        };
        if self.beside.is_some() {
            self.phase = Phase::Nested;
            return;
        }
        let [attacker, defender] = self.armies(&contest).into_array();
        self.phase = Phase::Setup(None);
        if let Some(pieces) = Arrangement::only_one(attacker) {
            self.phase = Phase::Setup(Some(pieces));
            if let Some(other) = Arrangement::only_one(defender) {
                self.start_sub_game(pieces, other);
            }
        }
    }

    pub(super) fn set_up(&mut self, pieces: Arrangement) {
        let Some(contest) = self.contests[0] else {
            return;
        };
        match self.phase {
            Phase::Setup(Some(attacker)) => self.start_sub_game(attacker, pieces),
            _ => match Arrangement::only_one(contest.set.pieces) {
                Some(defender) => self.start_sub_game(pieces, defender),
                None => self.phase = Phase::Setup(Some(pieces)),
            },
        }
    }

    /// Starts a sub-game. It may be dead at its set-up: then it is drawn without a move (OV-15).
    pub(super) fn start_sub_game(&mut self, attacker: Arrangement, defender: Arrangement) {
        let Some(sub) = SubGame::begin(attacker, defender) else {
            return;
        };
        let ended = sub.end_by_itself();
        self.phase = Phase::Sub(Box::new(sub));
        if let Some(ruling) = ended {
            self.conclude_by(ruling);
        }
    }

    pub(super) fn sub_move(&mut self, m: crate::chess::Move) {
        let Phase::Sub(sub) = &mut self.phase else {
            return;
        };
        if let Some(ruling) = sub.play(m) {
            self.conclude_by(ruling);
        }
    }

    /// Settles the sub-game of chess that ended in this way.
    pub(super) fn conclude_by(&mut self, ruling: Ruling) {
        let check = self.sub_game().is_some_and(|sub| sub.chess.in_check());
        // A second contest may be concluded after it, if its sub-game is dead at its set-up.
        let slot = usize::from(self.concluded[0].is_some());
        self.conclude(ruling.outcome);
        if let Some(concluded) = &mut self.concluded[slot] {
            (concluded.by, concluded.check) = (Some(ruling), check);
        }
    }

    /// Whether an act has concluded a contest since they were last collected.
    pub const fn has_concluded(&self) -> bool {
        self.concluded[0].is_some()
    }

    /// The contests that an act has concluded.
    pub fn take_concluded(&mut self) -> [Option<Concluded>; 2] {
        std::mem::take(&mut self.concluded)
    }

    /// Settles the sub-game that is due or being played; White is its attacker.
    pub fn conclude(&mut self, outcome: Outcome) {
        let Some(contest) = self.open_contest() else {
            return;
        };
        let before = self.armies(&contest);
        let left = self.sub_game().map_or(before, |sub| sub.left);
        self.conclude_with(outcome, left, before != left);
    }

    /// The same with what attacker and defender have left, and whether anything was captured.
    pub fn conclude_with(&mut self, outcome: Outcome, left: BySide<Roster>, taken: bool) {
        let Some(contest) = self.open_contest() else {
            return;
        };
        let places = self.settle(&contest, outcome, left);
        let slot = usize::from(self.concluded[0].is_some());
        self.concluded[slot] = Some(Concluded {
            contest,
            standing: places,
            outcome,
            by: None,
            check: false,
        });
        self.won = outcome != Outcome::Draw;
        let gone = places.attacker.is_none() || places.defender.is_none();
        if gone || taken {
            self.seen.clear();
            if !self.options.fog {
                self.half = 0;
            }
        }
        self.begin_settling(places, outcome, left);
    }

    /// Takes the first contest off the board, with what attacker and defender have left.
    pub fn settle(&mut self, contest: &Contest, outcome: Outcome, left: BySide<Roster>) -> Places {
        let mut attacker = std::mem::take(self.set_mut(contest.to));
        let mut defender = contest.set;
        (attacker.pieces, defender.pieces) = (left[Side::White], left[Side::Black]);
        let places = contest.settle(&mut self.board, outcome, self.options.drawn);
        if let Some(at) = places.attacker {
            *self.set_mut(at) = attacker;
        }
        if let Some(at) = places.defender {
            *self.set_mut(at) = defender;
        }
        self.contests = [self.contests[1], None];
        places
    }

    pub(super) fn begin_settling(
        &mut self,
        places: Places,
        outcome: Outcome,
        left: BySide<Roster>,
    ) {
        let loser = match outcome {
            Outcome::Win(Side::White) => left[Side::Black],
            Outcome::Win(Side::Black) => left[Side::White],
            Outcome::Draw => Roster::NONE,
        };
        let pool = if self.options.prisoners {
            loser
        } else {
            Roster::NONE
        };
        let part = |at| Part {
            at,
            prisoners: pool.common(self.set(at).pieces.room()),
        };
        self.phase = Phase::Settling([places.attacker.map(part), places.defender.map(part)]);
        self.go_on_settling();
    }

    /// Skips acts that offer no choice, and continues when none is left.
    pub(super) fn go_on_settling(&mut self) {
        let has_choice =
            |part: &Part| !part.prisoners.is_none() || !self.spares_for(part.at).is_none();
        let parts = self.settling().map(|part| part.filter(has_choice));
        self.phase = Phase::Settling(parts);
        if parts == [None; 2] {
            self.pass_on_settled();
        }
    }

    /// The king falls if its side relied on the attack (OV-9).
    pub fn pass_on_settled(&mut self) {
        let gambler = self.turn.other();
        if self.board.in_check(gambler) {
            self.phase = Phase::Over;
            self.ended = Some(Ruling {
                outcome: Outcome::Win(self.turn),
                cause: Cause::KingFalls,
                rule: &law::KING_FALLS,
            });
            return;
        }
        self.begin_turn();
    }

    pub(super) fn take_prisoners(&mut self, pieces: Roster) {
        self.take_some(pieces, Roster::NONE);
    }

    /// Takes prisoners; `more` are those that may still follow.
    pub fn take_some(&mut self, pieces: Roster, more: Roster) {
        let Phase::Settling(parts) = &mut self.phase else {
            return;
        };
        let Some(part) = parts.iter_mut().flatten().next() else {
            return;
        };
        self.won = false;
        part.prisoners = more;
        let at = part.at;
        let set = self.set_mut(at);
        set.pieces = set.pieces.joined(pieces);
        self.go_on_settling();
    }

    pub(super) fn call_in(&mut self, at: u8, role: Role) {
        let side = self.side_at(at);
        match self.options.reserves {
            Reserves::Set(_) => self.set_mut(at).spares = self.set(at).spares.less(role),
            _ => self.spares[side] = self.spares[side].less(role),
        }
        self.set_mut(at).pieces = self.set(at).pieces.plus(role);
        match &self.phase {
            Phase::Settling(_) => self.go_on_settling(),
            _ => self.phase = Phase::OverFrom(at),
        }
    }

    pub(super) fn consolidate(&mut self, at: u8) {
        let pieces = std::mem::take(self.set_mut(at)).pieces;
        self.board.clear(at);
        self.board.lose_rights(at);
        self.board.en_passant = None;
        self.makes_progress();
        self.phase = Phase::Giving(pieces, None);
    }

    pub(super) fn give(&mut self, at: u8, role: Role) {
        let Phase::Giving(left, last) = &mut self.phase else {
            return;
        };
        *left = left.less(role);
        *last = Some((role, at));
        self.set_mut(at).pieces = self.set(at).pieces.plus(role);
    }

    /// Ends the current part: `done`.
    pub(super) fn close(&mut self) {
        match &mut self.phase {
            Phase::Settling(parts) => {
                let due = parts.iter_mut().find(|part| part.is_some());
                match due {
                    Some(Some(part)) if !part.prisoners.is_none() => part.prisoners = Roster::NONE,
                    Some(part) => *part = None,
                    None => {}
                }
                self.go_on_settling();
            }
            Phase::Giving(..) => {
                self.half = 0;
                self.pass_on();
            }
            _ => {}
        }
    }
}
