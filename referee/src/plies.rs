//! Plies, judged one by one.

mod after_end;
mod spelling;

use crate::{
    finding::{self as code, Finding},
    game::judge::{Attempt, Judge},
    hearing::Hearing,
    nearest::nearest,
    numbering::Unjudged,
    referee::{Referee, Refused},
    remedy::of_unclear,
};
use overboard_formats::{
    canonical::Canonical,
    encoding::decode,
    parse::Parser,
    san::{Leniency, San, Spelt, Suffix},
    span::TextSpan,
};
use overboard_rules::{
    game::{self, BoardId as _, Claim, Happening, Refusal, Said, Step},
    general as common,
    outcome::Ruling,
    ply::{Pattern, Written},
    position::{Claims, Found},
    repetition::{Look, Times},
    square::{Role, Side, Square},
    variant::ChessWithin,
};
use spelling::lacks_only_its_piece;
use std::ops::ControlFlow;

/// What a written ply or act means, taking all readings together.
pub enum Meaning<G: Judge> {
    /// Legal, and the same, under each, whatever the lost boards hold.
    Legal(G::Ply),
    /// Legal under some.
    Some(G::Ply),
    /// Legal or not depending on what a lost board holds.
    Open(G::Ply),
    /// Legal under none.
    Illegal(Box<Refusal<G>>),
}

impl<G: Judge> Meaning<G> {
    /// What an attempt at it is.
    #[must_use]
    pub const fn attempt(&self) -> Attempt {
        match self {
            Self::Legal(_) => Attempt::Legal,
            // It may be legal, depending on what a lost board holds.
            Self::Some(_) | Self::Open(_) => Attempt::Reported,
            Self::Illegal(_) => Attempt::Counts,
        }
    }
}

/// What the written ply or act means under one reading.
fn resolved<G: Judge>(
    own: &G::Own,
    open: &G::Open,
    reading: &G,
    at: G::Board,
    said: Said<'_, G>,
) -> Result<G::Ply, Box<Refusal<G>>> {
    if let Some(refusal) =
        G::bars(own, open, reading, at).or_else(|| G::out_of_turn(own, reading, at))
    {
        return Err(refusal);
    }
    if let Said::Ply(written) = said
        && let Found::One(ply) = reading.find(at, &written)
    {
        return Ok(ply);
    }
    let run = reading.resolve(at, said)?;
    run.first()
        .copied()
        .ok_or_else(|| Box::new(Refusal::new("nothing is done by this", &common::JUDGED, at)))
}

impl<G: Judge> Hearing<'_, G> {
    #[inline(always)]
    pub(crate) fn ply(&mut self) -> Option<Canonical> {
        let text = self.text();
        let read = San::parse_in(self.state.language(), text, G::ALPHABET);
        // Copied only now: a copy right after the lexer has written the parts one by one would have to wait for those
        // writes (a store-forwarding stall).
        self.state.last.place = self.place();
        self.state.last.refused = None;
        if self.state.brackets.in_foreign() {
            return None;
        }
        G::begin_ply(&mut self.reborrow());
        let at = G::address(&mut self.reborrow());
        if let Some(rows) = &mut self.state.rows
            && matches!(G::INFO.chess_within, ChessWithin::Boards)
        {
            rows.address = at.map(G::path);
        }
        if !self.state.judging.is_on() || !self.referee.now().is_any() {
            return self.reborrow().pass_over();
        }
        let Some(at) = at else {
            self.reborrow().lose(G::Board::WHOLE, Unjudged::ThisMove);
            return None;
        };
        let san = match &read {
            Ok(san) if san.leniency == Some(Leniency::PawnLetter) => {
                return self.reborrow().pawn_or_dutch_knight(at, san);
            }
            Ok(san) => san,
            Err(fault) => return self.reborrow().unreadable_ply(at, *fault),
        };
        self.judge_unless_ended(at, san)
    }

    /// Judges a ply with the letter of an English pawn, which is that of a knight in Dutch.
    #[cold]
    fn pawn_or_dutch_knight(&mut self, at: G::Board, san: &San) -> Option<Canonical> {
        let meant = self.in_another_language();
        self.judge_unless_ended(at, meant.as_ref().unwrap_or(san))
    }

    #[inline(always)]
    pub(crate) fn judge_unless_ended(&mut self, at: G::Board, san: &San) -> Option<Canonical> {
        if self.is_past_the_end(at) {
            return self.reborrow().past_the_end(at, san);
        }
        self.judge(at, san)
    }

    #[inline(always)]
    fn judge(&mut self, at: G::Board, san: &San) -> Option<Canonical> {
        let referee = &self.referee;
        let game = referee.latest();
        let is_free = G::bars(&referee.own, &referee.open, game, at).is_none()
            && G::out_of_turn(&referee.own, game, at).is_none();
        if referee.now().is_sure() && is_free {
            if let Found::One(ply) = self.referee.latest().find(at, &san.written) {
                return self.take(ply, Some(san));
            }
            if san.written == Written::Pass {
                if self.state.games.current().has_free_turns {
                    return self.reborrow().pass_over_player(at);
                }
                if G::PASSES && !self.referee.outer.is_empty() {
                    return self.reborrow().null_move(at);
                }
            }
            return self.reborrow().refuse_written(at, san);
        }
        self.reborrow().judge_in_doubt(at, san)
    }

    /// Judges a ply if not everything is known, or no act is allowed.
    #[inline(never)]
    fn judge_in_doubt(&mut self, at: G::Board, san: &San) -> Option<Canonical> {
        let lost = self.referee.now().lost_around(at);
        if G::on_lost(self, lost, at, san) {
            return None;
        }
        self.act(at, Said::Ply(san.written), Some(san))
    }

    /// Counts a ply of the main line.
    #[inline]
    pub fn count_ply(&mut self) {
        if self.referee.outer.is_empty() {
            self.state.course_mut().wrong_claim = None;
            self.state.games.current_mut().plies += 1;
        }
    }

    /// Judges a ply or act on a board.
    pub fn act(&mut self, at: G::Board, said: Said<'_, G>, san: Option<&San>) -> Option<Canonical> {
        match self.referee.meaning(at, said) {
            Meaning::Legal(ply) => self.accept(ply, san),
            // A variation was not played, so nothing is deduced from it.
            Meaning::Some(_) | Meaning::Open(_) if !self.referee.outer.is_empty() => {
                self.lose(at, Unjudged::ThisMove);
                None
            }
            Meaning::Some(ply) => {
                self.leave_open();
                let (own, open) = (&self.referee.own, &self.referee.open);
                self.referee.line.change(|now| {
                    now.retain(|reading| {
                        resolved(own, open, reading, at, said).is_ok_and(|this| this == ply)
                    });
                });
                self.accept(ply, san)
            }
            Meaning::Open(ply) => {
                self.leave_open();
                self.accept(ply, san)
            }
            Meaning::Illegal(refusal) => {
                let text = san.map_or_else(
                    || "1/2-1/2".to_string(),
                    |san| Spelt(san.written).to_string(),
                );
                let beyond =
                    san.and_then(|san| self.referee.beyond(at, &san.written, refusal.rule));
                let index = self.refuse(at, &text, *refusal);
                self.report_beyond(index, beyond);
                None
            }
        }
    }

    /// Reports that it cannot be known whether the last ply was legal.
    pub fn leave_open(&mut self) {
        let lost: Vec<_> = self
            .referee
            .now()
            .lost()
            .iter()
            .map(|lost| G::path(*lost))
            .collect();
        let boards = if lost.len() == 1 { "board" } else { "boards" };
        let message = if lost.is_empty() {
            "whether this is legal depends on which piece made the illegal move that stands".into()
        } else {
            format!(
                "whether this is legal depends on {boards} {}, which could not be judged up to here",
                overboard_rules::refusal::list(lost, "and")
            )
        };
        self.find(&code::OPEN_PLY, self.state.last.place, message);
    }

    #[inline(never)]
    fn accept(&mut self, ply: G::Ply, san: Option<&San>) -> Option<Canonical> {
        self.take(ply, san)
    }

    /// Plays a legal ply.
    #[inline(always)]
    fn take(&mut self, ply: G::Ply, san: Option<&San>) -> Option<Canonical> {
        // Of several readings each may ask for another spelling and suffix.
        let is_sure = self.referee.now().is_sure();
        if let Some(san) = san {
            self.check_written(san, ply, is_sure);
        }
        if G::NUMBERED {
            self.expect_number(self.state.last.number);
        }
        if self.referee.outer.is_empty()
            && let Some(announced) = self.state.course_mut().announced.take()
        {
            self.reborrow().keep_to_announced(&announced, ply);
        }
        let game = self.referee.latest();
        let canonical = self.state.wants_canonical().then(|| game.canonical(ply));
        let irreversible = G::REPEATS && game.is_irreversible(ply);
        G::playing(&mut self.reborrow(), ply);
        let brought = self.play(ply);
        self.state.last.moved = true;
        self.referee.begun |= self.referee.outer.is_empty();
        self.referee.is_unseen = false;
        let sign = G::sign(self.referee, ply, &brought);
        if let Some(san) = san {
            self.check_sign(san.suffix, sign, is_sure);
        }
        G::made(&mut self.reborrow(), &Step::Ply(ply), &brought);
        if self.referee.outer.is_empty() {
            self.follow_course(irreversible);
        }
        canonical.map(|canonical| Canonical {
            suffix: self.referee.settled(sign),
            ..canonical
        })
    }

    /// Checks which draws can be claimed now, and whether the game is over.
    #[inline]
    pub fn follow_course(&mut self, irreversible: bool) {
        if !G::REPEATS {
            return self.reborrow().follow_readings();
        }
        if !self.referee.now().is_sure() {
            return self.reborrow().follow_doubtful();
        }
        let game = self.referee.line.now().latest();
        let recurrence = self
            .referee
            .history
            .reach(game.key(), game.snapshot(), irreversible);
        let rights = game.claimable(G::Board::WHOLE, recurrence.now);
        self.state.games.current_mut().note_rights(rights);
        let times = Times {
            now: recurrence.now,
            since: self.referee.history.since(recurrence),
            has_plies: true,
            look: self.look(Look::AfterPly),
        };
        if let Some(ruling) = game.ruling(times) {
            self.state.course_mut().ended.get_or_insert(ruling);
        }
    }

    /// How closely a dead position is looked for. A board of Mega-Chess is won in other ways than by mate (MG-11).
    fn look(&self, usual: Look) -> Look {
        if self.state.games.current().is_of_an_item {
            Look::AtMaterial
        } else {
            usual
        }
    }

    /// A first occurrence of a position of the game being read.
    pub fn first_times(&self) -> Times<'static, G::Snapshot> {
        Times::FIRST.with_look(self.look(Look::Closely))
    }

    /// The same where the position is one of several: what they have in common counts.
    #[cold]
    fn follow_doubtful(&mut self) {
        let game = self.referee.line.now().latest();
        self.referee.history.start(game.key(), game.snapshot());
        self.referee.has_gap = true;
        self.follow_readings();
    }

    fn follow_readings(&mut self) {
        let now = self.referee.now();
        if now.is_sure() && self.state.at_main_line() {
            let at = match self.state.games.around() {
                0 => G::Board::WHOLE,
                _ => G::here(self.referee),
            };
            let position = now.latest();
            if let Claims::Open(_) = position.claims(at, Claim::Progress) {
                let rights = position.claimable(at, 1);
                self.state.games.current_mut().note_rights(rights);
            }
        }
        if let Some(ruling) = self.referee.ruling() {
            self.state
                .games
                .whole_mut()
                .course
                .ended
                .get_or_insert(ruling);
        }
    }

    /// Whether the game being read, or one around it, ended before this act on a board.
    #[inline]
    pub fn is_past_the_end(&self, at: G::Board) -> bool {
        self.referee.outer.is_empty()
            && self.state.games.any_ended()
            && self.referee.now().lost_around(at).is_none()
    }

    #[cold]
    fn refuse_written(&mut self, at: G::Board, san: &San) -> Option<Canonical> {
        if let Some(san) = self.in_another_language() {
            return self.judge_in_another_language(at, &san);
        }
        let game = self.referee.latest();
        let refusal = match game.resolve(at, Said::Ply(san.written)) {
            Err(refusal) => refusal,
            // Unreachable while listing and judging agree. If they ever do not, the ply counts as legal.
            Ok(run) => {
                return run.first().and_then(|ply| self.accept(*ply, Some(san)));
            }
        };
        self.settle_suffix();
        let game = self.referee.latest();
        if self.referee.outer.is_empty()
            && refusal.rule.id == common::ENDED.id
            && let Some(ruling) = game.ruling(self.first_times())
        {
            let ended = if G::REPEATS {
                self.state.games.current_mut()
            } else {
                self.state.games.whole_mut()
            };
            ended.course.ended.get_or_insert(ruling);
            return self.past_the_end(at, san);
        }
        let text = decode(self.parser.text(self.state.last.place.span))
            .0
            .into_owned();
        let ambiguous = game.find(at, &san.written) == Found::Several;
        let nearest = if ambiguous {
            None
        } else {
            nearest(game, at, Some(&san.written), &text)
        };
        let evasions = evasions(game, refusal.at);
        let count = evasions
            .as_ref()
            .and_then(|evasions| u32::try_from(evasions.len()).ok());
        let hint = (G::INFO.slip)(&san.written);
        let beyond = self.referee.beyond(at, &san.written, refusal.rule);
        let refusal = Refusal {
            words: format!("{}{hint}", refusal.words),
            possible: evasions.unwrap_or(refusal.possible),
            ..*refusal
        };
        self.state.last.unpromoted = lacks_only_its_piece(game, san, &refusal);
        let index = self.refuse(at, text.trim_end_matches(['+', '#']), refusal);
        self.state.last.unpromoted = false;
        if let Some(finding) = index.and_then(|index| self.state.findings.get_mut(index)) {
            finding.nearest = nearest;
            finding.evasions = count;
        }
        self.report_beyond(index, beyond);
        None
    }

    /// Refuses an act; from here on its board is lost. Returns the index of the finding.
    pub fn refuse(&mut self, at: G::Board, text: &str, refusal: Refusal<G>) -> Option<usize> {
        let main = self.referee.outer.is_empty();
        let kind = if main {
            &code::ILLEGAL_MOVE
        } else {
            &code::ILLEGAL_VARIATION
        };
        let message = format!(
            "{} is illegal: {}",
            G::in_words(self, at, text),
            refusal.words
        );
        let position = self.referee.position();
        let mut possible = position.map_or_else(Vec::new, |position| position.offer(&refusal));
        possible.sort_unstable();
        let board = self.picture(at);
        let path = G::path(at);
        let moment = self.moment();
        let index = self.state.findings.len();
        let is_under_fide = self.state.is_under_fide();
        let found = self
            .find(kind, self.state.last.place, message)
            .map(|finding| {
                if finding.remedy.is_some() && refusal.rule.is_of_notation() {
                    finding.remedy = Some(of_unclear(is_under_fide));
                }
                finding.rule = Some(refusal.rule);
                finding.possible = possible;
                finding.board = board;
                finding.path = path;
                finding.moment = moment;
                index
            });
        self.referee.refused = Some(Refused {
            steps: self.referee.line.here(),
            at,
            open: self.referee.open.clone(),
            first: self.state.judging.unjudged_from().is_none(),
            may_be: Vec::new(),
        });
        G::refused(self.referee, &refusal);
        self.lose(at, Unjudged::NextMove);
        self.state.last.refused = if main { found } else { None };
        self.state.last.moved = true;
        found
    }

    /// `--` on the sheet of a board on which either player may move: the player to move is passed over.
    #[cold]
    fn pass_over_player(&mut self, at: G::Board) -> Option<Canonical> {
        let (number, side) = self.state.last.number;
        let in_main_line = self.referee.outer.is_empty();
        let ply = self.state.games.current().plies;
        let passed_at = self.state.games.current().passed_at;
        if in_main_line && passed_at.is_some_and(|passed| passed + 1 == ply) {
            let words = format!(
                "{side} cannot be passed over right after {}: somebody has to move",
                side.other()
            );
            self.refuse(at, "--", Refusal::new(words, G::PASSED_OVER, at));
            return None;
        }
        if self.happen(at, Happening::Passed).is_none() {
            let words = format!(
                "{side}'s king is in check, and the board waits for {side}: {} may not move again",
                side.other()
            );
            self.refuse(at, "--", Refusal::new(words, G::PASSED_OVER, at));
            return None;
        }
        self.expect_number((number, side));
        if in_main_line {
            self.state.games.current_mut().passed_at = Some(ply);
            self.state.last.moved = false;
            self.referee.begun = true;
        }
        self.state.wants_canonical().then(|| passed(number, side))
    }

    #[cold]
    fn null_move(&mut self, at: G::Board) -> Option<Canonical> {
        let (number, side) = self.state.last.number;
        if self.referee.line.happen(at, Happening::Passed).is_none() {
            self.find(
                &code::ILLEGAL_VARIATION,
                self.state.last.place,
                "a pass while in check".into(),
            );
            self.lose(at, Unjudged::NextMove);
            return None;
        }
        self.find(
            &code::NULL_MOVE,
            self.state.last.place,
            "the null move `--` is not a legal move".into(),
        );
        self.state.numbers.pass();
        self.state.wants_canonical().then(|| passed(number, side))
    }
}

/// A pass in canonical form.
fn passed(number: u32, side: Side) -> Canonical {
    Canonical {
        written: Written::Pass,
        suffix: Suffix::None,
        side,
        number,
        coordinates: Spelt(Written::Pass).text(),
        act: None,
        board: None,
        path: overboard_rules::path::BoardPath::OUTERMOST,
    }
}

impl<G: Judge> Referee<G> {
    /// What a written ply or act means, taking all readings together.
    pub fn meaning(&self, at: G::Board, said: Said<'_, G>) -> Meaning<G> {
        let now = self.now();
        let (mut legal, mut refused, mut same) = (None, None, true);
        for reading in now.iter() {
            match resolved(&self.own, &self.open, reading, at, said) {
                Ok(ply) => same &= *legal.get_or_insert(ply) == ply,
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        let hangs = |ply| now.iter().any(|reading| reading.hangs_on(ply, now.lost()));
        match (legal, refused) {
            (Some(ply), None) if same && !hangs(ply) => Meaning::Legal(ply),
            (Some(ply), None) if same => Meaning::Open(ply),
            (Some(ply), _) => Meaning::Some(ply),
            (None, Some(refusal)) => {
                let could = now.iter().find_map(|reading| {
                    // Whatever is not known, nobody moves out of turn.
                    if G::out_of_turn(&self.own, reading, at).is_some() {
                        return None;
                    }
                    reading.could_be(at, said)
                });
                match could.filter(|ply| hangs(*ply)) {
                    Some(ply) => Meaning::Open(ply),
                    None => Meaning::Illegal(refusal),
                }
            }
            (None, None) => Meaning::Illegal(Box::new(Refusal::new(
                "nothing is known here",
                &common::JUDGED,
                at,
            ))),
        }
    }

    pub(crate) fn settled(&self, sign: Suffix) -> Suffix {
        let may_be_mate = G::MATES_LATE && sign == Suffix::Check;
        if may_be_mate && self.latest().count_legal() == 0 {
            Suffix::Mate
        } else {
            sign
        }
    }

    /// How the game ended, if it has under every reading.
    pub fn ruling(&self) -> Option<Ruling> {
        let mut endings = self
            .now()
            .iter()
            .map(|reading| reading.ruling(Times::FIRST));
        let first = endings.next()??;
        endings
            .all(|ending| ending.is_some_and(|ruling| ruling.outcome == first.outcome))
            .then_some(first)
    }
}

/// The moves that parry a check on a board, which are all its legal moves; `None` if there is no check.
fn evasions<G: Judge>(game: &G, at: G::Board) -> Option<Vec<G::Ply>> {
    let mut evasions = Vec::new();
    if game.is_check(at) {
        let _ = game.legal_on(at, |ply| {
            if let (_, game::Spelt::Ply(_)) = game.spell(ply) {
                evasions.push(ply);
            }
            ControlFlow::Continue(())
        });
    }
    (!evasions.is_empty()).then_some(evasions)
}
