//! Plies, judged one by one.

mod spelling;

use crate::{
    finding::{self as code, Finding},
    game::judged::Judged,
    nearest::nearest,
    numbering::Unjudged,
    record_state::RecordState,
    referee::{Referee, Refused},
};
use overboard_formats::{
    canonical::Canonical,
    encoding::decode,
    parse::Parser,
    san::{Leniency, San, Spelt, Suffix},
    span::TextSpan,
};
use overboard_rules::{
    game::{self, BoardId as _, Claimable, Happening, Refusal, Said},
    general as common,
    outcome::Ruling,
    ply::{Pattern, Written},
    position::Found,
    repetition::Times,
    square::Role,
};
use spelling::is_plain_pawn_capture;
use std::ops::ControlFlow;

/// What a written ply or act means, taking all readings together.
pub enum Meaning<G: Judged> {
    /// Legal, and the same, under each, whatever the lost boards hold.
    Legal(G::Ply),
    /// Legal under some.
    Some(G::Ply),
    /// Legal or not depending on what a lost board holds.
    Open(G::Ply),
    /// Legal under none.
    Illegal(Box<Refusal<G>>),
}

/// What the written ply or act means under one reading.
fn resolved<G: Judged>(
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

impl<G: Judged> Referee<G> {
    #[inline(always)]
    pub(crate) fn ply(
        &mut self,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        let text = parser.text(parser.place().span);
        let read = San::parse_in(state.options.limits.language, text, G::ALPHABET);
        // Copied only now: a copy right after the lexer has written the parts one by one would have to wait for those
        // writes (a store-forwarding stall).
        state.last.place = *parser.place();
        state.last.refused = None;
        if state.foreign > 0 {
            return None;
        }
        G::begin_ply(self, state, parser);
        let at = G::address(self, state, parser);
        if !state.judging || !self.line.now().is_any() {
            return self.pass_over(state, parser);
        }
        let Some(at) = at else {
            self.lose(G::Board::WHOLE, Unjudged::ThisMove, state);
            return None;
        };
        let san = match &read {
            Ok(san) => san,
            Err(fault) => return self.unreadable_ply(at, *fault, state, parser),
        };
        if self.is_past_the_end(at, state) {
            return self.past_the_end(at, state, parser);
        }
        self.judge(at, san, state, parser)
    }

    #[inline(always)]
    fn judge(
        &mut self,
        at: G::Board,
        san: &San,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        let game = self.line.now().latest();
        let is_free = G::bars(&self.own, &self.open, game, at).is_none()
            && G::out_of_turn(&self.own, game, at).is_none();
        if self.line.now().is_sure() && is_free {
            return match self.line.now().latest().find(at, &san.written) {
                Found::One(ply) => self.take(ply, Some(san), true, state, parser),
                Found::None | Found::Several
                    if G::PASSES && !self.outer.is_empty() && san.written == Written::Pass =>
                {
                    self.null_move(at, state, parser)
                }
                Found::None | Found::Several => self.refuse_written(at, san, state, parser),
            };
        }
        self.judge_in_doubt(at, san, state, parser)
    }

    /// Judges a ply if not everything is known, or no act is allowed.
    #[inline(never)]
    fn judge_in_doubt(
        &mut self,
        at: G::Board,
        san: &San,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        if let Some(lost) = self.line.now().lost_around(at) {
            G::on_lost(self, lost, at, &san.written, state);
            return None;
        }
        if G::into_lost(self, at, san, state, parser) {
            return None;
        }
        self.act(at, Said::Ply(san.written), Some(san), state, parser)
    }

    /// Counts a ply of the main line.
    #[inline]
    pub fn count_ply(&self, state: &mut RecordState) {
        if self.outer.is_empty() {
            state.current.course.wrong_claim = None;
            state.current.plies += 1;
        }
    }

    /// Judges a ply or act on a board.
    pub fn act(
        &mut self,
        at: G::Board,
        said: Said<'_, G>,
        san: Option<&San>,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        match self.meaning(at, said) {
            Meaning::Legal(ply) => self.accept(ply, san, state, parser),
            // A variation was not played, so nothing is deduced from it.
            Meaning::Some(_) | Meaning::Open(_) if !self.outer.is_empty() => {
                self.lose(at, Unjudged::ThisMove, state);
                None
            }
            Meaning::Some(ply) => {
                self.leave_open(state, parser);
                let (own, open) = (&self.own, &self.open);
                self.line.change(|now| {
                    now.retain(|reading| {
                        resolved(own, open, reading, at, said).is_ok_and(|this| this == ply)
                    });
                });
                self.accept(ply, san, state, parser)
            }
            Meaning::Open(ply) => {
                self.leave_open(state, parser);
                self.accept(ply, san, state, parser)
            }
            Meaning::Illegal(refusal) => {
                let text = san.map_or_else(
                    || "1/2-1/2".to_string(),
                    |san| Spelt(san.written).to_string(),
                );
                let beyond = san.and_then(|san| self.beyond(at, &san.written, refusal.rule));
                let index = self.refuse(at, &text, *refusal, state, parser);
                self.report_beyond(index, beyond, state);
                None
            }
        }
    }

    /// Reports that it cannot be known whether the last ply was legal.
    pub fn leave_open(&self, state: &mut RecordState, parser: &Parser<'_>) {
        let lost: Vec<_> = self
            .line
            .now()
            .lost()
            .iter()
            .map(|lost| G::path(self, *lost))
            .collect();
        let boards = if lost.len() == 1 { "board" } else { "boards" };
        let message = format!(
            "whether this is legal depends on {boards} {}, where something illegal or unreadable was played",
            overboard_rules::refusal::list(lost, "and")
        );
        state.find(&code::OPEN_PLY, state.last.place, parser, message);
    }

    /// What a written ply or act means, taking all readings together.
    pub fn meaning(&self, at: G::Board, said: Said<'_, G>) -> Meaning<G> {
        let now = self.line.now();
        let (mut legal, mut refused, mut same) = (None, None, true);
        for reading in now.iter() {
            match resolved(&self.own, &self.open, reading, at, said) {
                Ok(ply) => same &= *legal.get_or_insert(ply) == ply,
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        let hangs = |ply| {
            now.iter()
                .any(|reading| reading.hangs_on_any(ply, now.lost()))
        };
        match (legal, refused) {
            (Some(ply), None) if same && !hangs(ply) => Meaning::Legal(ply),
            (Some(ply), None) if same => Meaning::Open(ply),
            (Some(ply), _) => Meaning::Some(ply),
            (None, Some(refusal)) => {
                let could = now.iter().find_map(|reading| reading.could_be(at, said));
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

    #[inline(never)]
    fn accept(
        &mut self,
        ply: G::Ply,
        san: Option<&San>,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        self.take(ply, san, self.line.now().is_sure(), state, parser)
    }

    /// Plays a legal ply; `sure` if there is only one reading and the ply is legal in it.
    #[inline(always)]
    fn take(
        &mut self,
        ply: G::Ply,
        san: Option<&San>,
        sure: bool,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        let game = self.line.now().latest();
        if let Some(san) = san {
            if let Written::Move(pattern) = &san.written {
                let captures = game.captures(ply);
                let plain =
                    pattern.file.is_none() && pattern.rank.is_none() && pattern.capture == captures;
                let plain = plain || (captures && is_plain_pawn_capture(pattern));
                if !(plain && sure) {
                    check_spelling(game, pattern, ply, state, parser);
                }
            }
            if let Some(leniency) = san.leniency {
                state.forgive(leniency, parser);
            }
        }
        if G::NUMBERED {
            self.expect_number(state.last.number, state, parser);
        }
        let game = self.line.now().latest();
        let canonical = state.canonical.then(|| game.canonical(ply));
        let irreversible = G::REPEATS && game.is_irreversible(ply);
        let memo = game.memo(ply);
        G::playing(self, ply, state);
        let brought = self.play(ply, state);
        state.last.moved = true;
        self.begun |= self.outer.is_empty();
        let sign = G::sign(self, ply, memo, &brought);
        if let Some(san) = san {
            match san.suffix {
                Suffix::None if sign == Suffix::None => {}
                Suffix::Check if sign == Suffix::Check => self.line.check = Some(state.last.place),
                given => self.check_suffix(given, sign, sure, state, parser),
            }
        }
        G::made(self, Some(ply), &brought, state);
        if self.outer.is_empty() {
            self.follow_course(irreversible, state);
        }
        canonical.map(|reported| Canonical {
            suffix: self.settled(sign),
            ..reported
        })
    }

    fn settled(&self, sign: Suffix) -> Suffix {
        if sign == Suffix::Check {
            self.line.now().latest().settled(sign)
        } else {
            sign
        }
    }

    /// Checks which draws can be claimed now, and whether the game is over.
    #[inline]
    pub fn follow_course(&mut self, irreversible: bool, state: &mut RecordState) {
        if !G::REPEATS {
            return self.follow_readings(state);
        }
        let game = self.line.now().latest();
        let recurrence = self
            .history
            .reach(game.key(), game.snapshot(), irreversible);
        let rights = game.rights(G::Board::WHOLE, recurrence.now);
        note_rights(rights, state);
        let times = Times {
            now: recurrence.now,
            since: self.history.since(recurrence),
        };
        if let Some(ruling) = game.ruling_with_plies(times) {
            state.current.course.ended.get_or_insert(ruling);
        }
    }

    fn follow_readings(&self, state: &mut RecordState) {
        let now = self.line.now();
        if now.is_sure() && state.at_main_line() {
            note_rights(now.latest().rights(G::here(self), 1), state);
        }
        if let Some(ruling) = self.ruling() {
            state.whole_mut().course.ended.get_or_insert(ruling);
        }
    }

    /// How the game ended, if it has under every reading.
    pub fn ruling(&self) -> Option<Ruling> {
        let mut endings = self
            .line
            .now()
            .iter()
            .map(|reading| reading.ruling(Times::FIRST));
        let first = endings.next()??;
        endings
            .all(|ending| ending.is_some_and(|ruling| ruling.outcome == first.outcome))
            .then_some(first)
    }

    #[cold]
    fn check_suffix(
        &self,
        given: Suffix,
        sign: Suffix,
        sure: bool,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) {
        let (_, side) = state.last.number;
        // It is unknown what the pieces of a lost board attack.
        let right = self.settled(sign);
        if given != right && sure {
            let known = state.findings.len();
            state.wrong_suffix(right, state.last.place, parser);
            let why = self
                .line
                .now()
                .position()
                .and_then(|position| position.no_check(given, right, side));
            if let (Some((words, rule)), Some(finding)) = (why, state.findings.get_mut(known)) {
                finding.message = words.into();
                finding.rule = Some(rule);
            }
        }
    }

    /// Whether the game being read, or one around it, ended before this act on a board.
    #[inline]
    pub fn is_past_the_end(&self, at: G::Board, state: &RecordState) -> bool {
        self.outer.is_empty() && state.any_ended() && self.line.now().lost_around(at).is_none()
    }

    /// Handles a ply after the end of the game.
    #[cold]
    pub fn past_the_end(
        &mut self,
        at: G::Board,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        self.report_past_the_end(at, state.last.place, state, parser);
        None
    }

    /// Reports an act after the end, and stops judging.
    pub fn report_past_the_end(
        &mut self,
        at: G::Board,
        place: TextSpan,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) {
        // What ended first, starting with the outermost game.
        let over = state
            .open_games()
            .find_map(|game| Some((game.course.ended?, game.path.clone())));
        let Some((ruling, path)) = over else { return };
        let Ruling { cause, outcome, .. } = ruling;
        state.played_past.get_or_insert(cause);
        let ended = state
            .open_games_mut()
            .find(|game| game.course.ended.is_some());
        ended
            .into_iter()
            .for_each(|game| game.course.played_on = true);
        let game = if path.is_empty() {
            "the game".into()
        } else {
            format!("the sub-game on {path}")
        };
        let message = format!(
            "{game} had ended by {cause} ({outcome}{})",
            ruling.why_drawn()
        );
        let board = self
            .line
            .now()
            .position()
            .and_then(|position| position.panel(at));
        let moment = self.moment(state);
        if let Some(finding) = state.find(&code::MOVE_AFTER_END, place, parser, message) {
            finding.rule = Some(&common::ENDED);
            finding.board = board.map(Box::new);
            finding.moment = moment;
        }
        self.lose(G::Board::WHOLE, Unjudged::NextMove, state);
    }

    #[cold]
    fn refuse_written(
        &mut self,
        at: G::Board,
        san: &San,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        let game = self.line.now().latest();
        let refusal = match game.resolve(at, Said::Ply(san.written)) {
            Err(refusal) => refusal,
            // Unreachable while listing and judging agree. If they ever do not, the ply counts as legal.
            Ok(run) => {
                return run
                    .first()
                    .and_then(|ply| self.accept(*ply, Some(san), state, parser));
            }
        };
        self.settle_suffix(state, parser);
        let game = self.line.now().latest();
        if self.outer.is_empty()
            && refusal.rule.id == common::ENDED.id
            && let Some(ruling) = game.end_by_itself()
        {
            state.whole_mut().course.ended.get_or_insert(ruling);
            return self.past_the_end(at, state, parser);
        }
        let text = decode(parser.text(state.last.place.span)).0.into_owned();
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
        let hint = G::hint(&san.written);
        let beyond = self.beyond(at, &san.written, refusal.rule);
        let refusal = Refusal {
            words: format!("{}{hint}", refusal.words),
            possible: evasions.unwrap_or(refusal.possible),
            ..*refusal
        };
        let index = self.refuse(
            at,
            text.trim_end_matches(['+', '#']),
            refusal,
            state,
            parser,
        );
        if let Some(finding) = index.and_then(|index| state.findings.get_mut(index)) {
            finding.nearest = nearest;
            finding.evasions = count;
        }
        self.report_beyond(index, beyond, state);
        None
    }

    /// Refuses an act; from here on its board is lost. Returns the index of the finding.
    pub fn refuse(
        &mut self,
        at: G::Board,
        text: &str,
        refusal: Refusal<G>,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<usize> {
        let main = self.outer.is_empty();
        let kind = if main {
            &code::ILLEGAL_MOVE
        } else {
            &code::ILLEGAL_VARIATION
        };
        let message = format!(
            "{} is illegal: {}",
            G::in_words(self, at, text, state),
            refusal.words
        );
        let position = self.line.now().position();
        let mut possible = position.map_or_else(Vec::new, |position| position.offer(&refusal));
        possible.sort_unstable();
        let board = position.and_then(|position| position.panel(at));
        let path = G::path(self, at);
        let moment = self.moment(state);
        let index = state.findings.len();
        let reported = state
            .find(kind, state.last.place, parser, message)
            .map(|finding| {
                finding.rule = Some(refusal.rule);
                finding.possible = possible;
                finding.board = board.map(Box::new);
                finding.path = path;
                finding.moment = moment;
                index
            });
        self.refused = Some(Refused {
            steps: self.line.here(),
            at,
            open: self.open.clone(),
            first: state.unjudged_from.is_none(),
            certain: None,
        });
        G::refused(self, &refusal);
        self.lose(at, Unjudged::NextMove, state);
        state.last.refused = reported.filter(|_| main);
        state.last.moved = true;
        reported
    }

    #[cold]
    fn null_move(
        &mut self,
        at: G::Board,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        let (number, side) = state.last.number;
        if self.line.happen(at, Happening::Passed).is_none() {
            state.find(
                &code::ILLEGAL_VARIATION,
                state.last.place,
                parser,
                "a pass while in check".into(),
            );
            self.lose(at, Unjudged::NextMove, state);
            return None;
        }
        state.find(
            &code::NULL_MOVE,
            state.last.place,
            parser,
            "the null move `--` is not a legal move".into(),
        );
        state.numbered = false;
        state.interrupted = false;
        let passed = Canonical {
            written: Written::Pass,
            suffix: Suffix::None,
            side,
            number,
            coordinates: Spelt(Written::Pass).text(),
            act: None,
            board: None,
            path: overboard_rules::path::BoardPath::OUTERMOST,
        };
        state.canonical.then_some(passed)
    }
}

/// The moves that parry a check on a board, which are all its legal moves; `None` if there is no check.
fn evasions<G: Judged>(game: &G, at: G::Board) -> Option<Vec<G::Ply>> {
    let mut evasions = Vec::new();
    if game.is_in_check(at) {
        let _ = game.legal_on(at, |ply| {
            if let (_, game::Spelt::Ply(_)) = game.spell(ply) {
                evasions.push(ply);
            }
            ControlFlow::Continue(())
        });
    }
    (!evasions.is_empty()).then_some(evasions)
}

/// Notes which draws can be claimed for the first time.
#[inline]
fn note_rights(rights: Claimable, state: &mut RecordState) {
    let game = &mut state.current;
    for (right, claimable) in [rights.repetition, rights.progress]
        .into_iter()
        .zip(&mut game.course.claimable)
    {
        if right {
            claimable.get_or_insert(game.plies);
        }
    }
}

#[inline(never)]
fn check_spelling<G: Judged>(
    game: &G,
    pattern: &Pattern,
    ply: G::Ply,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    if let (at, game::Spelt::Ply(Written::Move(right))) = game.spell(ply)
        && !game.may_differ(at)
    {
        state.report_spelling(pattern, &right, game.captures(ply), parser);
    }
}
