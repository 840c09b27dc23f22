//! Claims of a draw: what they rest on, and whether they are right.

use crate::{
    commands::side_first,
    finding::{self as code, set_rule},
    game::judge::{Judge, Pause},
    hearing::Hearing,
    record_state::RecordState,
};
use overboard_formats::{parse::Parser, san::San, span::TextSpan};
use overboard_rules::{
    game::{Claim, Claimable},
    general as common,
    outcome::{Cause, Outcome},
    ply::Written,
    position::{Claims, Found},
    refusal::list,
    rule::Rule,
    square::Side,
};

/// A claim as a command states it.
pub struct Claimed<'t> {
    /// Who claims, if it says so.
    pub side: Option<Side>,
    /// What is claimed.
    pub claim: Claim,
    /// The move intended, if there is one.
    pub intended: Option<&'t [u8]>,
}

impl<'t> Claimed<'t> {
    /// Reads `threefold` or `fifty`, the claimant before it and the move intended after it if they are given.
    #[must_use]
    pub fn read(arguments: &'t [u8]) -> Option<Self> {
        let (side, rest) = side_first(arguments);
        let mut words = rest
            .split(|byte| *byte == b' ')
            .filter(|word| !word.is_empty());
        let claim = match words.next() {
            Some(b"threefold") => Claim::Repetition,
            Some(b"fifty") => Claim::Progress,
            _ => return None,
        };
        let intended = words.next();
        words.next().is_none().then_some(Self {
            side,
            claim,
            intended,
        })
    }
}

impl<G: Judge> Hearing<'_, G> {
    /// Decides a claim of a draw; `false` if it cannot be read.
    pub(crate) fn claim(&mut self, arguments: &[u8], place: TextSpan) -> bool {
        let Some(claimed) = Claimed::read(arguments) else {
            // A draw cannot rest on it (GEN-14).
            self.state.course_mut().wrong_claim = Some(&common::TRUE_RESULT);
            return false;
        };
        G::settle(self, Pause::Claim);
        let read = |text| San::parse_in(self.state.language(), text, G::ALPHABET);
        let Ok(intended) = claimed.intended.map(read).transpose() else {
            return false;
        };
        let at = G::here(self.referee);
        let position = match self.referee.position() {
            Some(position) if self.referee.now().is_sure() => position,
            _ => return true,
        };
        let rule = match position.claims(at, claimed.claim) {
            Claims::Open(rule) => rule,
            Claims::Closed(rule) => {
                let name = G::INFO.name;
                self.wrong_claim(format!("{name} has no such claim"), rule, place);
                return true;
            }
        };
        if let Some((_, due)) = position.due_at(at)
            && claimed.side.is_some_and(|side| side != due)
        {
            let message =
                format!("the claim is not correct: only {due}, who is to move, can claim");
            self.wrong_claim(message, rule, place);
            return true;
        }
        let announced = intended.map(|san| san.written);
        self.decide(claimed.claim, announced, rule, place);
        true
    }

    /// Decides a claim that the game has, of the player to move.
    fn decide(
        &mut self,
        claim: Claim,
        announced: Option<Written>,
        rule: &'static Rule,
        place: TextSpan,
    ) {
        let at = G::here(self.referee);
        let position = self.referee.latest();
        let (after, irreversible) = match announced.map(|written| position.find(at, &written)) {
            None => (None, false),
            Some(Found::One(ply)) => (Some(position.after(ply)), position.is_irreversible(ply)),
            Some(Found::None | Found::Several) => {
                let message = "the claim is not correct: the move intended is not legal";
                self.wrong_claim(message.into(), rule, place);
                return;
            }
        };
        let claimed = after.as_ref().unwrap_or(position);
        let mut seen = if G::REPEATS && !irreversible {
            self.referee
                .history
                .plies_ago(claimed.key(), &claimed.snapshot())
        } else {
            Vec::new()
        };
        let count = match &after {
            _ if !G::REPEATS || irreversible => 1,
            Some(_) => seen.len() + 1,
            None => seen.len(),
        };
        let Claimable {
            repetition,
            progress,
        } = claimed.claimable(at, count);
        let end = claimed.claimed_end(at);
        let (right, cause) = match claim {
            Claim::Repetition => (repetition, Cause::ThreefoldClaim),
            Claim::Progress => (progress, end.cause),
        };
        if claim == Claim::Repetition && !right && self.referee.has_gap {
            let message =
                "whether this claim is right depends on what could not be judged before it";
            self.find(&code::OPEN_PLY, place, message.into());
            return;
        }
        seen.reverse();
        let ground = match claim {
            Claim::Repetition if G::REPEATS => {
                let moments = self.moments(&seen, after.is_some());
                let times = ordinal(count);
                let not = if right { "" } else { ", not the third" };
                format!("this position has occurred for the {times} time{not}: {moments}")
            }
            // The position counts for itself, and so says only whether it is enough.
            Claim::Repetition if right => "this position has occurred three times".into(),
            Claim::Repetition => "this position has not occurred three times".into(),
            Claim::Progress if right => end.moves,
            Claim::Progress => format!("{}, not 100", end.moves),
        };
        let fen = claimed.fen();
        if right {
            self.state
                .games
                .current_mut()
                .end_by(Outcome::Draw, cause, rule);
            let message = format!("the claim is correct: {ground} ({fen})");
            set_rule(self.find(&code::RIGHT_CLAIM, place, message), rule);
        } else {
            self.wrong_claim(format!("the claim is not correct: {ground}"), rule, place);
            self.state.course_mut().announced = announced;
        }
    }

    /// The moments so many plies ago, in words: `at the start, after 2... and after 4...`.
    fn moments(&self, plies_ago: &[usize], with_intended: bool) -> String {
        let now = self.referee.latest().due_at(G::here(self.referee));
        let first = self.state.games.current().plies as usize;
        let mut moments: Vec<_> = plies_ago
            .iter()
            .map(|ago| match now {
                _ if *ago == first => "at the start".to_string(),
                Some((number, due)) if !G::INFO.has_levels && !G::INFO.has_boards => {
                    format!("after {}", last_before(number, due, *ago))
                }
                _ if *ago == 0 => "now".into(),
                _ => format!("{ago} plies before"),
            })
            .collect();
        if with_intended {
            moments.push("after the move intended".into());
        }
        list(moments, "and")
    }

    /// Whether a claim that was wrong binds its player to another move than this, which is reported (9.5.3).
    #[cold]
    pub(crate) fn keep_to_announced(&mut self, announced: &Written, ply: G::Ply) {
        let position = self.referee.latest();
        let at = G::here(self.referee);
        if !matches!(position.find(at, announced), Found::One(bound) if bound != ply) {
            return;
        }
        let message = format!(
            "the claim announced {}, which must be played since it is legal",
            overboard_formats::san::Spelt(*announced)
        );
        set_rule(
            self.find(&code::ANNOUNCED_MOVE, self.state.last.place, message),
            &common::ILLEGAL_ATTEMPTS,
        );
    }
}

impl RecordState {
    /// Reports a claim that is not correct, with its rule.
    pub fn wrong_claim(
        &mut self,
        message: String,
        rule: &'static Rule,
        place: TextSpan,
        parser: &Parser<'_>,
    ) {
        self.course_mut().wrong_claim = Some(rule);
        set_rule(self.find(&code::WRONG_CLAIM, place, parser, message), rule);
    }
}

/// The last move so many plies before the one that is due, as it is numbered: `2...`.
fn last_before(number: u32, due: Side, ago: usize) -> String {
    let moved = 2 * u64::from(number) + u64::from(due == Side::Black);
    let last = moved.saturating_sub(ago as u64 + 1);
    let dots = if last % 2 == 0 { "." } else { "..." };
    format!("{}{dots}", last / 2)
}

fn ordinal(count: usize) -> String {
    match count {
        0 | 1 => "first".into(),
        2 => "second".into(),
        3 => "third".into(),
        n => format!("{n}th"),
    }
}
