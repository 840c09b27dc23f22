//! Plies, judged one by one.

use super::{
    Desk, Unjudged,
    nearest::nearest,
    referee::{Referee, Refused},
};
use crate::{
    finding::{self as code, Finding},
    judged::Judged,
};
use overboard_formats::{
    canonical::Canonical,
    encoding::decode,
    parse::Parser,
    san::{Leniency, San, Spelt, Suffix},
    span::Place,
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
use std::ops::ControlFlow;

/// What something said means under all readings.
pub(crate) enum Meaning<G: Judged> {
    /// The same under each, whatever the lost boards hold.
    Legal(G::Ply),
    /// Legal under some.
    Some(G::Ply),
    /// Legal or not by what a lost board holds.
    Open(G::Ply),
    /// Legal under none.
    Illegal(Box<Refusal<G>>),
}

/// What something said means under one reading.
fn resolved<G: Judged>(
    own: &G::Own,
    open: &G::Open,
    reading: &G,
    at: G::Board,
    said: Said<'_, G>,
) -> Result<G::Ply, Box<Refusal<G>>> {
    if let Some(refusal) = G::bars(own, open, reading, at).or_else(|| G::out_of_turn(own, reading, at)) {
        return Err(refusal);
    }
    if let Said::Ply(written) = said
        && let Found::One(ply) = reading.find(at, &written)
    {
        return Ok(ply);
    }
    let run = reading.resolve(at, said)?;
    run.first().copied().ok_or_else(|| Box::new(Refusal::new("nothing is done by this", &common::JUDGED, at)))
}

impl<G: Judged> Referee<G> {
    #[inline(always)]
    pub fn ply(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        let text = parser.text(parser.place().span);
        let read = San::parse_in(desk.options.limits.language, text, G::ALPHABET);
        // Copied only now: a copy right after the lexer wrote the parts one by one would wait for them.
        desk.last.place = *parser.place();
        desk.last.refused = None;
        if desk.foreign > 0 {
            return None;
        }
        G::begin_ply(self, desk, parser);
        let at = G::address(self, desk, parser);
        if !desk.judging || !self.line.now().is_any() {
            return self.pass_over(desk, parser);
        }
        let Some(at) = at else {
            self.lose(G::Board::WHOLE, Unjudged::ThisMove, desk);
            return None;
        };
        let san = match &read {
            Ok(san) => san,
            Err(fault) => return self.unreadable_ply(at, *fault, desk, parser),
        };
        if self.is_past_the_end(at, desk) {
            return self.past_the_end(at, desk, parser);
        }
        self.judge(at, san, desk, parser)
    }

    #[inline(always)]
    fn judge(&mut self, at: G::Board, san: &San, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        let game = self.line.now().latest();
        let is_free = G::bars(&self.own, &self.open, game, at).is_none()
            && G::out_of_turn(&self.own, game, at).is_none();
        if self.line.now().is_sure() && is_free {
            return match self.line.now().latest().find(at, &san.written) {
                Found::One(ply) => self.take(ply, Some(san), true, desk, parser),
                Found::None | Found::Several
                    if G::PASSES && !self.outer.is_empty() && san.written == Written::Pass =>
                {
                    self.null_move(at, desk, parser)
                }
                Found::None | Found::Several => self.refuse_written(at, san, desk, parser),
            };
        }
        self.judge_in_doubt(at, san, desk, parser)
    }

    /// Judges a ply where not everything is known, or nothing may be done.
    #[inline(never)]
    fn judge_in_doubt(
        &mut self,
        at: G::Board,
        san: &San,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        if let Some(lost) = self.line.now().lost_around(at) {
            G::on_lost(self, lost, at, &san.written, desk);
            return None;
        }
        if G::into_lost(self, at, san, desk, parser) {
            return None;
        }
        self.act(at, Said::Ply(san.written), Some(san), desk, parser)
    }

    /// Counts a ply of the main line.
    #[inline]
    pub fn count_ply(&self, desk: &mut Desk) {
        if self.outer.is_empty() {
            desk.papers.course.wrong_claim = None;
            desk.papers.plies += 1;
        }
    }

    /// Judges something said on a board.
    pub fn act(
        &mut self,
        at: G::Board,
        said: Said<'_, G>,
        san: Option<&San>,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        match self.meaning(at, said) {
            Meaning::Legal(ply) => self.accept(ply, san, desk, parser),
            // Nobody played what stands in a variation.
            Meaning::Some(_) | Meaning::Open(_) if !self.outer.is_empty() => {
                self.lose(at, Unjudged::ThisMove, desk);
                None
            }
            Meaning::Some(ply) => {
                self.leave_open(desk, parser);
                let (own, open) = (&self.own, &self.open);
                self.line.change(|now| {
                    now.retain(|reading| {
                        resolved(own, open, reading, at, said).is_ok_and(|this| this == ply)
                    });
                });
                self.accept(ply, san, desk, parser)
            }
            Meaning::Open(ply) => {
                self.leave_open(desk, parser);
                self.accept(ply, san, desk, parser)
            }
            Meaning::Illegal(refusal) => {
                let text = san.map_or_else(|| "1/2-1/2".to_string(), |san| Spelt(san.written).to_string());
                let beyond = san.and_then(|san| self.beyond(at, &san.written, refusal.rule));
                let index = self.refuse(at, &text, *refusal, desk, parser);
                self.tell_beyond(index, beyond, desk);
                None
            }
        }
    }

    /// Says that nobody can know whether the last ply was legal.
    pub fn leave_open(&self, desk: &mut Desk, parser: &Parser<'_>) {
        let lost: Vec<_> = self.line.now().lost().iter().map(|lost| G::path(self, *lost)).collect();
        let boards = if lost.len() == 1 { "board" } else { "boards" };
        let message = format!(
            "whether this is legal depends on {boards} {}, where something illegal or unreadable was played",
            overboard_rules::refusal::list(lost, "and")
        );
        desk.find(&code::OPEN_PLY, desk.last.place, parser, message);
    }

    /// What something said means under all readings.
    pub fn meaning(&self, at: G::Board, said: Said<'_, G>) -> Meaning<G> {
        let now = self.line.now();
        let (mut legal, mut refused, mut same) = (None, None, true);
        for reading in now.iter() {
            match resolved(&self.own, &self.open, reading, at, said) {
                Ok(ply) => same &= *legal.get_or_insert(ply) == ply,
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        let hangs = |ply| now.iter().any(|reading| reading.hangs_on_any(ply, now.lost()));
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
            (None, None) => {
                Meaning::Illegal(Box::new(Refusal::new("nothing is known here", &common::JUDGED, at)))
            }
        }
    }

    #[inline(never)]
    fn accept(
        &mut self,
        ply: G::Ply,
        san: Option<&San>,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        self.take(ply, san, self.line.now().is_sure(), desk, parser)
    }

    /// Plays a ply found legal; `sure` where the one reading there is holds.
    #[inline(always)]
    fn take(
        &mut self,
        ply: G::Ply,
        san: Option<&San>,
        sure: bool,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        let game = self.line.now().latest();
        if let Some(san) = san {
            if let Written::Move(pattern) = &san.written {
                let captures = game.captures(ply);
                let plain = pattern.file.is_none() && pattern.rank.is_none() && pattern.capture == captures;
                let plain = plain || (captures && is_plain_pawn_capture(pattern));
                if !(plain && sure) {
                    check_spelling(game, pattern, ply, desk, parser);
                }
            }
            if let Some(leniency) = san.leniency {
                desk.forgive(leniency, parser);
            }
        }
        if G::NUMBERED {
            self.expect_number(desk.last.number, desk, parser);
        }
        let game = self.line.now().latest();
        let canonical = desk.canonical.then(|| game.canonical(ply));
        let irreversible = G::REPEATS && game.is_irreversible(ply);
        let memo = game.memo(ply);
        G::playing(self, ply, desk);
        let brought = self.play(ply, desk);
        desk.last.moved = true;
        self.begun |= self.outer.is_empty();
        let sign = G::sign(self, ply, memo, &brought);
        if let Some(san) = san {
            match san.suffix {
                Suffix::None if sign == Suffix::None => {}
                Suffix::Check if sign == Suffix::Check => self.line.check = Some(desk.last.place),
                given => self.check_suffix(given, sign, sure, desk, parser),
            }
        }
        G::made(self, Some(ply), &brought, desk);
        if self.outer.is_empty() {
            self.follow_course(irreversible, desk);
        }
        canonical.map(|told| Canonical { suffix: self.settled(sign), ..told })
    }

    fn settled(&self, sign: Suffix) -> Suffix {
        if sign == Suffix::Check { self.line.now().latest().settled(sign) } else { sign }
    }

    /// Which draws can be claimed by now, and whether the game is over.
    #[inline]
    pub fn follow_course(&mut self, irreversible: bool, desk: &mut Desk) {
        if !G::REPEATS {
            return self.follow_readings(desk);
        }
        let game = self.line.now().latest();
        let recurrence = self.history.reach(game.key(), game.snapshot(), irreversible);
        let rights = game.rights(G::Board::WHOLE, recurrence.now);
        note_rights(rights, desk);
        let times = Times { now: recurrence.now, since: self.history.since(recurrence) };
        if let Some(ruling) = game.ruling_with_plies(times) {
            desk.papers.course.ended.get_or_insert(ruling);
        }
    }

    fn follow_readings(&self, desk: &mut Desk) {
        let now = self.line.now();
        if now.is_sure() && desk.at_main_line() {
            note_rights(now.latest().rights(G::here(self), 1), desk);
        }
        if let Some(ruling) = self.ruling() {
            desk.whole_mut().course.ended.get_or_insert(ruling);
        }
    }

    /// The end, where it has come under every reading.
    pub fn ruling(&self) -> Option<Ruling> {
        let mut endings = self.line.now().iter().map(|reading| reading.ruling(Times::FIRST));
        let first = endings.next()??;
        endings.all(|ending| ending.is_some_and(|ruling| ruling.outcome == first.outcome)).then_some(first)
    }

    #[cold]
    fn check_suffix(&self, given: Suffix, sign: Suffix, sure: bool, desk: &mut Desk, parser: &Parser<'_>) {
        let (_, side) = desk.last.number;
        // What a lost board attacks nobody knows.
        let right = self.settled(sign);
        if given != right && sure {
            let known = desk.findings.len();
            desk.wrong_suffix(right, desk.last.place, parser);
            let why = self.line.now().position().and_then(|position| position.no_check(given, right, side));
            if let (Some((words, rule)), Some(finding)) = (why, desk.findings.get_mut(known)) {
                finding.message = words.into();
                finding.rule = Some(rule);
            }
        }
    }

    /// Whether the game being read, or one around it, had ended before what is done on a board.
    #[inline]
    pub fn is_past_the_end(&self, at: G::Board, desk: &Desk) -> bool {
        self.outer.is_empty() && desk.any_ended() && self.line.now().lost_around(at).is_none()
    }

    #[cold]
    pub fn past_the_end(&mut self, at: G::Board, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        self.tell_past_the_end(at, desk.last.place, desk, parser);
        None
    }

    /// Says that something is done after the end, and gives up.
    pub fn tell_past_the_end(&mut self, at: G::Board, place: Place, desk: &mut Desk, parser: &Parser<'_>) {
        // What ended first, from the outermost game on.
        let over = desk.all_papers().find_map(|papers| Some((papers.course.ended?, papers.path.clone())));
        let Some((ruling, path)) = over else { return };
        let Ruling { cause, outcome, .. } = ruling;
        desk.played_past.get_or_insert(cause);
        let ended = desk.all_papers_mut().find(|papers| papers.course.ended.is_some());
        ended.into_iter().for_each(|papers| papers.course.played_on = true);
        let game = if path.is_empty() { "the game".into() } else { format!("the sub-game on {path}") };
        let message = format!("{game} had ended by {cause} ({outcome}{})", ruling.why_drawn());
        let board = self.line.now().position().and_then(|position| position.panel(at));
        let moment = self.moment(desk);
        if let Some(finding) = desk.find(&code::MOVE_AFTER_END, place, parser, message) {
            finding.rule = Some(&common::ENDED);
            finding.board = board.map(Box::new);
            finding.moment = moment;
        }
        self.lose(G::Board::WHOLE, Unjudged::NextMove, desk);
    }

    #[cold]
    fn refuse_written(
        &mut self,
        at: G::Board,
        san: &San,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        let game = self.line.now().latest();
        let refusal = match game.resolve(at, Said::Ply(san.written)) {
            Err(refusal) => refusal,
            // Listing and judging agree, so this does not happen; if it did, it would be legal.
            Ok(run) => return run.first().and_then(|ply| self.accept(*ply, Some(san), desk, parser)),
        };
        self.settle_suffix(desk, parser);
        let game = self.line.now().latest();
        if self.outer.is_empty()
            && refusal.rule.id == common::ENDED.id
            && let Some(ruling) = game.end_by_itself()
        {
            desk.whole_mut().course.ended.get_or_insert(ruling);
            return self.past_the_end(at, desk, parser);
        }
        let text = decode(parser.text(desk.last.place.span)).0.into_owned();
        let ambiguous = game.find(at, &san.written) == Found::Several;
        let nearest = if ambiguous { None } else { nearest(game, at, Some(&san.written), &text) };
        let evasions = evasions(game, refusal.at);
        let count = evasions.as_ref().and_then(|evasions| u32::try_from(evasions.len()).ok());
        let hint = G::hint(&san.written);
        let beyond = self.beyond(at, &san.written, refusal.rule);
        let refusal = Refusal {
            words: format!("{}{hint}", refusal.words),
            possible: evasions.unwrap_or(refusal.possible),
            ..*refusal
        };
        let index = self.refuse(at, text.trim_end_matches(['+', '#']), refusal, desk, parser);
        if let Some(finding) = index.and_then(|index| desk.findings.get_mut(index)) {
            finding.nearest = nearest;
            finding.evasions = count;
        }
        self.tell_beyond(index, beyond, desk);
        None
    }

    /// Refuses something done on a board, of which nothing is known from here on. Returns which finding says so.
    pub fn refuse(
        &mut self,
        at: G::Board,
        text: &str,
        refusal: Refusal<G>,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<usize> {
        let main = self.outer.is_empty();
        let kind = if main { &code::ILLEGAL_MOVE } else { &code::ILLEGAL_VARIATION };
        let message = format!("{} is illegal: {}", G::told(self, at, text, desk), refusal.words);
        let position = self.line.now().position();
        let mut possible = position.map_or_else(Vec::new, |position| position.offer(&refusal));
        possible.sort_unstable();
        let board = position.and_then(|position| position.panel(at));
        let path = G::path(self, at);
        let moment = self.moment(desk);
        let index = desk.findings.len();
        let told = desk.find(kind, desk.last.place, parser, message).map(|finding| {
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
            first: desk.unjudged_from.is_none(),
            certain: None,
        });
        G::refused(self, &refusal);
        self.lose(at, Unjudged::NextMove, desk);
        desk.last.refused = told.filter(|_| main);
        desk.last.moved = true;
        told
    }

    #[cold]
    fn null_move(&mut self, at: G::Board, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        let (number, side) = desk.last.number;
        if self.line.happen(at, Happening::Passed).is_none() {
            desk.find(&code::ILLEGAL_VARIATION, desk.last.place, parser, "a pass while in check".into());
            self.lose(at, Unjudged::NextMove, desk);
            return None;
        }
        desk.find(&code::NULL_MOVE, desk.last.place, parser, "a pass, as analysts write it".into());
        desk.numbered = false;
        desk.interrupted = false;
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
        desk.canonical.then_some(passed)
    }
}

/// The moves on a board that answer a check on it, which are all that are legal there; `None` where nobody is in check.
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
fn note_rights(rights: Claimable, desk: &mut Desk) {
    let papers = &mut desk.papers;
    for (right, claimable) in
        [rights.repetition, rights.progress].into_iter().zip(&mut papers.course.claimable)
    {
        if right {
            claimable.get_or_insert(papers.plies);
        }
    }
}

#[inline(never)]
fn check_spelling<G: Judged>(game: &G, pattern: &Pattern, ply: G::Ply, desk: &mut Desk, parser: &Parser<'_>) {
    if let (_, game::Spelt::Ply(Written::Move(right))) = game.spell(ply) {
        desk.tell_spelling(pattern, &right, game.captures(ply), parser);
    }
}

impl Desk {
    /// Says how a legal move would have been written, where it is written otherwise.
    pub(super) fn tell_spelling(
        &mut self,
        pattern: &Pattern,
        right: &Pattern,
        captures: bool,
        parser: &Parser<'_>,
    ) {
        let place = self.last.place;
        let spelt = Spelt(Written::Move(*right)).to_string();
        let mut say = |kind, why: &str| {
            if let Some(finding) = self.find(kind, place, parser, format!("{why}: `{spelt}`")) {
                finding.nearest = Some(spelt.clone());
            }
        };
        if captures && !pattern.capture {
            say(&code::MISSING_CAPTURE, "a capture is written with `x`");
        } else if pattern.capture && !captures {
            say(&code::EXTRA_CAPTURE, "nothing is taken");
        }
        if (pattern.file, pattern.rank) == (right.file, right.rank) {
            return;
        }
        if pattern.file.is_some() && pattern.rank.is_some() {
            say(&code::LONG_ALGEBRAIC, "the whole origin is more than is needed");
        } else if right.file.is_none() && right.rank.is_none() {
            say(&code::OVER_DISAMBIGUATED, "no other piece of the kind can go there");
        } else {
            say(&code::DISAMBIGUATION, "pieces are told apart by file, else by rank, else by both");
        }
    }

    #[cold]
    pub(super) fn forgive(&mut self, leniency: Leniency, parser: &Parser<'_>) {
        let (kind, right) = match leniency {
            Leniency::Dash => (&code::LONG_ALGEBRAIC, "no dash stands before the arrival square"),
            Leniency::ZeroCastling | Leniency::LetterCastling => {
                (&code::CASTLING_FORM, "castling is written with capital letters, `O-O` or `O-O-O`")
            }
            Leniency::SmallPiece => (&code::SMALL_PIECE, "a piece is written with a capital letter"),
            Leniency::Figurine => (&code::FIGURINE, "a piece is written with a letter"),
            Leniency::PawnLetter => (&code::PAWN_LETTER, "a pawn is written without a letter"),
            Leniency::PromotionForm => {
                (&code::PROMOTION_FORM, "a promotion is written `=` and a capital letter")
            }
            Leniency::DropForm => {
                (&code::DROP_FORM, "a drop is written with the capital letter of the piece, `P@b2`")
            }
            Leniency::EnPassantMark => {
                (&code::EN_PASSANT_MARK, "a capture in passing is written without a mark")
            }
        };
        // A whole origin was named already.
        let named = |finding: &Finding| finding.code == kind && finding.place == self.last.place;
        if self.findings.last().is_some_and(named) {
            return;
        }
        let text = decode(parser.text(self.last.place.span)).0.into_owned();
        let message = format!("`{text}`: {right}");
        self.find(kind, self.last.place, parser, message);
    }

    pub(super) fn wrong_suffix(&mut self, right: Suffix, place: Place, parser: &Parser<'_>) {
        let message = match right {
            Suffix::Mate => "this is checkmate: `#`",
            Suffix::Check => "this is check: `+`",
            Suffix::None | Suffix::Double => "this is not a check",
        };
        let text = decode(parser.text(place.span)).0.into_owned();
        if let Some(finding) = self.find(&code::CHECK_SUFFIX, place, parser, message.into()) {
            finding.nearest = Some(format!("{}{}", text.trim_end_matches(['+', '#']), right.as_str()));
        }
    }
}

#[inline]
fn is_plain_pawn_capture(pattern: &Pattern) -> bool {
    pattern.role == Role::Pawn && pattern.capture && pattern.rank.is_none() && pattern.file.is_some()
}
