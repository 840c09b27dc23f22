//! Plies, judged one by one.

use super::{Canonical, Referee, Unjudged, nearest::nearest, nearest::spell};
use crate::{
    encoding::decode,
    finding::{self as code, Finding},
    parse::Parser,
    san::{CHESS, Leniency, San, SanFault, Spelt, Suffix},
    span::Place,
};
use overboard_rules::{
    chess::{Chess, Found, Move},
    laws::common,
    outcome::{Cause, Outcome, Ruling},
    ply::{Pattern, Written},
    refusal::{Reason, Refusal},
    square::{Role, Side, Square},
};
use std::io::Read;

impl Referee {
    #[inline]
    pub(super) fn number<R: Read>(&mut self, parser: &Parser<R>) {
        if !self.in_moves {
            self.enter_moves(parser);
        }
        self.numbered = true;
        if !self.judging || !self.line.known {
            return;
        }
        let text = parser.text(parser.place().span);
        let mut number = 0_u32;
        let mut at = 0;
        while let Some(digit @ b'0'..=b'9') = text.get(at) {
            number = number.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            at += 1;
        }
        let expected: &[u8] = if self.line.position.turn() == Side::White { b"." } else { b"..." };
        if (number != self.line.position.fullmove() || &text[at..] != expected) && at > 0 {
            self.wrong_number(number, &text[at..], parser);
        }
    }

    #[cold]
    pub(super) fn wrong_number<R: Read>(&mut self, number: u32, tail: &[u8], parser: &Parser<R>) {
        let place = *parser.place();
        let expected = self.move_number();
        if tail.iter().any(u8::is_ascii_alphabetic) {
            self.extension("a board letter in a move number", "StrategiChess", place, parser);
            self.give_up(Unjudged::ThisMove);
            self.judging = false;
        } else if number == self.line.position.fullmove() {
            if !tail.is_empty() {
                self.find(&code::NUMBER_FORM, place, parser, format!("expected `{expected}`"));
            }
        } else {
            let text = decode(parser.text(place.span)).0.into_owned();
            let shown: String = text.chars().take(20).collect();
            let message = format!("the number of this move is `{expected}` and not `{shown}`");
            self.find(&code::MOVE_NUMBER, place, parser, message);
        }
    }

    #[inline(always)]
    pub(super) fn ply<R: Read>(&mut self, parser: &Parser<R>) -> Option<Canonical> {
        if !self.in_moves {
            self.enter_moves(parser);
        }
        let main = self.outer.is_empty();
        self.last.place = *parser.place();
        self.last.number = (self.line.position.fullmove(), self.line.position.turn());
        if main {
            self.course.wrong_claim = false;
            if self.block_depth == 0 {
                self.plies += 1;
            }
        }
        if !self.judging || !self.line.known {
            return self.pass_over(parser);
        }
        // Borrowed, not moved: a copy of what was just written byte by byte would stall.
        let read = San::parse(parser.text(self.last.place.span), &CHESS);
        let san = match &read {
            Ok(san) => san,
            Err(fault) => return self.unreadable_ply(*fault, parser),
        };
        if main && self.course.ended.is_some() {
            return self.past_the_end(parser);
        }
        match self.line.position.find(&san.written) {
            Found::One(m) => self.accept(san, m, parser),
            Found::None | Found::Several if !main && san.written == Written::Pass => self.null_move(parser),
            Found::None | Found::Several => self.refuse(san, parser),
        }
    }

    /// A ply in a position that is not known: nothing can be said of it but that it is none.
    #[cold]
    fn pass_over<R: Read>(&mut self, parser: &Parser<R>) -> Option<Canonical> {
        self.line.before_known = false;
        self.last.refused = None;
        self.numbered = false;
        let place = self.last.place;
        if self.judging
            && let Err(fault) = San::parse(parser.text(place.span), &CHESS)
        {
            self.find(&code::BAD_PLY, place, parser, no_move(fault));
        }
        None
    }

    #[inline(always)]
    pub(super) fn accept<R: Read>(&mut self, san: &San, m: Move, parser: &Parser<R>) -> Option<Canonical> {
        let main = self.outer.is_empty();
        if let Written::Move(pattern) = &san.written {
            let plain = pattern.file.is_none() && pattern.rank.is_none() && pattern.capture == m.is_capture();
            if !plain && !is_plain_pawn_capture(pattern, m) {
                self.check_spelling(pattern, m, parser);
            }
        }
        if let Some(leniency) = san.leniency {
            self.forgive(leniency, parser);
        }
        if !self.numbered && (self.interrupted || self.line.position.turn() == Side::White) {
            self.missing_number(parser);
        }
        self.numbered = false;
        self.interrupted = false;
        let before = &self.line.position;
        let spelt = self.canonical.then(|| (before.written(m), before.turn(), before.fullmove()));
        let irreversible = self.line.position.is_irreversible(m);
        self.line.play(m);
        self.last.moved = true;
        self.last.refused = None;
        let checks = self.line.position.in_check();
        match san.suffix {
            Suffix::None if !checks => {}
            Suffix::Check if checks => self.line.check = Some(self.last.place),
            _ => self.check_suffix(san.suffix, parser),
        }
        if main {
            self.follow_course(irreversible);
        }
        spelt.map(|(written, side, number)| Canonical {
            written,
            suffix: true_suffix(&self.line.position),
            side,
            number,
        })
    }

    #[inline]
    pub(super) fn follow_course(&mut self, irreversible: bool) {
        let position = &self.line.position;
        let count = self.history.reach(position, irreversible);
        let halfmove = position.halfmove();
        if count >= 3 {
            self.course.claimable[0].get_or_insert(self.plies);
        }
        if halfmove >= 100 {
            self.course.claimable[1].get_or_insert(self.plies);
        }
        if count >= 5 || halfmove >= 150 || (halfmove == 0 && position.is_dead()) {
            self.course.ended = position.ending().or(Some(Ruling {
                outcome: Outcome::Draw,
                cause: Cause::Fivefold,
                rule: &common::DRAWS,
            }));
        }
    }

    #[cold]
    pub(super) fn missing_number<R: Read>(&mut self, parser: &Parser<R>) {
        let message = format!("expected `{}` before the move", self.move_number());
        self.find(&code::MISSING_NUMBER, self.last.place, parser, message);
    }

    #[inline(never)]
    pub(super) fn check_spelling<R: Read>(&mut self, pattern: &Pattern, m: Move, parser: &Parser<R>) {
        let Written::Move(right) = self.line.position.written(m) else { return };
        let place = self.last.place;
        let spelt = Spelt(Written::Move(right)).to_string();
        let mut say = |kind, why: &str| {
            if let Some(finding) = self.find(kind, place, parser, format!("{why}: `{spelt}`")) {
                finding.nearest = Some(spelt.clone());
            }
        };
        if m.is_capture() && !pattern.capture {
            say(&code::MISSING_CAPTURE, "a capture is written with `x`");
        } else if pattern.capture && !m.is_capture() {
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
    pub(super) fn forgive<R: Read>(&mut self, leniency: Leniency, parser: &Parser<R>) {
        let (kind, right) = match leniency {
            Leniency::Dash => (&code::LONG_ALGEBRAIC, "no dash stands before the arrival square"),
            Leniency::ZeroCastling | Leniency::LetterCastling => {
                (&code::CASTLING_FORM, "castling is written with capital letters, `O-O` or `O-O-O`")
            }
            Leniency::SmallPiece => (&code::SMALL_PIECE, "a piece is written with a capital letter"),
            Leniency::Figurine => (&code::FIGURINE, "a piece is written with a letter"),
            Leniency::PawnLetter => (&code::PAWN_LETTER, "a pawn is written without a letter"),
            Leniency::PromotionForm => {
                (&code::PROMOTION_FORM, "a promotion is written `=Q`, `=R`, `=B` or `=N`")
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

    #[cold]
    pub(super) fn check_suffix<R: Read>(&mut self, given: Suffix, parser: &Parser<R>) {
        let right = true_suffix(&self.line.position);
        if given == right {
            return;
        }
        self.wrong_suffix(right, self.last.place, parser);
    }

    pub(super) fn wrong_suffix<R: Read>(&mut self, right: Suffix, place: Place, parser: &Parser<R>) {
        let message = match right {
            Suffix::Mate => "this is checkmate: `#`",
            Suffix::Check => "this is check: `+`",
            Suffix::None | Suffix::Double => "this is no check",
        };
        let text = decode(parser.text(place.span)).0.into_owned();
        if let Some(finding) = self.find(&code::CHECK_SUFFIX, place, parser, message.into()) {
            finding.nearest = Some(format!("{}{}", text.trim_end_matches(['+', '#']), right.as_str()));
        }
    }

    /// Nothing follows the last ply of a line: was its check a mate?
    pub(super) fn settle_suffix<R: Read>(&mut self, parser: &Parser<R>) {
        if let Some(place) = self.line.check.take()
            && self.line.known
            && !self.line.position.has_legal_move()
        {
            self.wrong_suffix(Suffix::Mate, place, parser);
        }
    }

    #[cold]
    pub(super) fn unreadable_ply<R: Read>(
        &mut self,
        fault: SanFault,
        parser: &Parser<R>,
    ) -> Option<Canonical> {
        let place = self.last.place;
        match fault {
            SanFault::Drop => self.extension("a drop `@`", "Olympic Chess", place, parser),
            SanFault::Above => {
                self.extension("an arrival on the second level `^`", "MetaChess #4", place, parser);
            }
            SanFault::Beside => {
                self.extension("an arrival on another board `/`", "StrategiChess", place, parser);
            }
            _ => {
                let text = parser.text(place.span).to_vec();
                let nearest = nearest(&self.line.position, &decode(&text).0);
                let fen = self.fen();
                if let Some(finding) = self.find(&code::BAD_PLY, place, parser, no_move(fault)) {
                    finding.nearest = nearest;
                    finding.position = Some(fen);
                }
            }
        }
        self.give_up(Unjudged::NextMove);
        None
    }

    #[cold]
    pub(super) fn past_the_end<R: Read>(&mut self, parser: &Parser<R>) -> Option<Canonical> {
        let ended = self.course.ended?;
        let message = format!("the game had ended by {} ({})", ended.cause, ended.outcome);
        let fen = self.fen();
        if let Some(finding) = self.find(&code::MOVE_AFTER_END, self.last.place, parser, message) {
            finding.rule = Some(&common::ENDED);
            finding.position = Some(fen);
        }
        self.give_up(Unjudged::NextMove);
        None
    }

    #[cold]
    pub(super) fn refuse<R: Read>(&mut self, san: &San, parser: &Parser<R>) -> Option<Canonical> {
        let refusal = Refusal::of(&self.line.position, &san.written)?;
        self.settle_suffix(parser);
        let main = self.outer.is_empty();
        if let (Reason::Ended(ruling), true) = (refusal.reason(), main) {
            self.course.ended = Some(*ruling);
            return self.past_the_end(parser);
        }
        let text = decode(parser.text(self.last.place.span)).0.into_owned();
        let position = &self.line.position;
        let mut possible: Vec<_> =
            refusal.possible(position).into_iter().map(|m| spell(position, m)).collect();
        possible.sort_unstable();
        let ambiguous = matches!(refusal.reason(), Reason::Ambiguous(_));
        let nearest = if ambiguous { None } else { nearest(position, &text) };
        let (number, fen) = (self.move_number(), self.fen());
        let signal = signals_result(&san.written);
        let mut message = format!("{number} {} is illegal: {refusal}", text.trim_end_matches(['+', '#']));
        if signal {
            message.push_str(" (electronic boards signal a result with the kings on the centre squares)");
        }
        let kind = if main { &code::ILLEGAL_MOVE } else { &code::ILLEGAL_VARIATION };
        let index = self.findings.len();
        if let Some(finding) = self.find(kind, self.last.place, parser, message) {
            finding.rule = Some(refusal.rule());
            finding.possible = possible;
            finding.nearest = nearest;
            finding.position = Some(fen);
        }
        self.give_up(Unjudged::NextMove);
        self.last.refused = main.then_some(index);
        self.last.moved = true;
        None
    }

    #[cold]
    pub(super) fn null_move<R: Read>(&mut self, parser: &Parser<R>) -> Option<Canonical> {
        match self.line.position.passed() {
            Some(passed) => {
                self.find(&code::NULL_MOVE, self.last.place, parser, "a pass, as analysts write it".into());
                let (side, number) = (self.line.position.turn(), self.line.position.fullmove());
                self.line.jump(passed);
                self.numbered = false;
                self.interrupted = false;
                Some(Canonical { written: Written::Pass, suffix: Suffix::None, side, number })
                    .filter(|_| self.canonical)
            }
            None => {
                self.find(&code::ILLEGAL_VARIATION, self.last.place, parser, "a pass while in check".into());
                self.give_up(Unjudged::NextMove);
                None
            }
        }
    }

    pub(super) fn open_rav<R: Read>(&mut self, parser: &Parser<R>) {
        if !self.in_moves {
            self.enter_moves(parser);
        }
        if self.judging && self.plies == 0 && self.outer.is_empty() {
            self.find(&code::DANGLING, *parser.place(), parser, "a variation stands before any move".into());
        }
        let variation = self.line.variation();
        self.outer.push(std::mem::replace(&mut self.line, variation));
        self.interrupted = true;
        self.numbered = false;
    }

    pub(super) fn close_rav<R: Read>(&mut self, parser: &Parser<R>) {
        self.settle_suffix(parser);
        if let Some(outer) = self.outer.pop() {
            self.line = outer;
        }
        self.interrupted = true;
        self.numbered = false;
        self.last.moved = false;
    }

    pub(super) fn nag<R: Read>(&mut self, parser: &Parser<R>) {
        let text = parser.text(parser.place().span);
        let digits = text.strip_prefix(b"$").unwrap_or(text);
        let in_range = !digits.is_empty()
            && digits.len() <= 3
            && digits.iter().fold(0, |sum, b| sum * 10 + u32::from(b - b'0')) <= 255;
        if !in_range {
            self.find(
                &code::NAG_RANGE,
                *parser.place(),
                parser,
                "a numeric annotation glyph is `$0` to `$255`".into(),
            );
        }
    }

    pub(super) fn glyphs<R: Read>(&mut self, parser: &Parser<R>) {
        if self.judging && self.plies == 0 && self.outer.is_empty() {
            self.find(&code::DANGLING, *parser.place(), parser, "no move stands before this sign".into());
        }
        if parser.place().span.len() > 2 {
            self.find(
                &code::NAG_RANGE,
                *parser.place(),
                parser,
                "a move is annotated with one or two of `!` and `?`".into(),
            );
        }
    }
}

#[inline]
pub(super) fn is_plain_pawn_capture(pattern: &Pattern, m: Move) -> bool {
    pattern.role == Role::Pawn
        && pattern.capture
        && pattern.rank.is_none()
        && pattern.file.is_some()
        && m.is_capture()
}

/// The sign that the ply leading here must carry.
pub(super) fn true_suffix(position: &Chess) -> Suffix {
    match (position.in_check(), position.in_check() && !position.has_legal_move()) {
        (_, true) => Suffix::Mate,
        (true, false) => Suffix::Check,
        (false, false) => Suffix::None,
    }
}

pub(super) fn signals_result(written: &Written) -> bool {
    let centre = |square: Square| matches!((square.file, square.rank), (3 | 4, 3 | 4));
    matches!(written, Written::Move(pattern) if pattern.role == Role::King && centre(pattern.to))
}

fn no_move(fault: SanFault) -> String {
    match fault {
        SanFault::NoMove => fault.to_string(),
        fault => format!("this is no move: {fault}"),
    }
}
