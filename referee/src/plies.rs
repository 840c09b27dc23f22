//! Plies, judged one by one.

use super::{Desk, Unjudged, nearest::nearest, play::Play};
use crate::finding::{self as code, Finding};
use overboard_formats::canonical::Canonical;
use overboard_formats::{
    encoding::decode,
    parse::Parser,
    san::{Leniency, San, SanFault, Spelt, Suffix},
    span::Place,
};
use overboard_games::{notation::Notation, registry::Variant};
use overboard_rules::{
    game::Happening,
    general as common,
    path::BoardPath,
    ply::{Pattern, Written},
    position::Found,
    refusal::{Reason, Refusal},
    square::{Role, Side, Square},
};

impl<P: Notation> Play<P> {
    #[inline]
    pub(super) fn number(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        desk.numbered = true;
        if !desk.judging || !self.line.known {
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
            self.wrong_number(desk, number, &text[at..], parser);
        }
    }

    #[cold]
    fn wrong_number(&mut self, desk: &mut Desk, number: u32, tail: &[u8], parser: &Parser<'_>) {
        let place = *parser.place();
        let expected = self.move_number();
        if tail.iter().any(u8::is_ascii_alphabetic) {
            desk.extension("a board letter in a move number", Variant::Strategi, place, parser);
            self.give_up(desk, Unjudged::ThisMove);
            desk.judging = false;
        } else if number == self.line.position.fullmove() {
            if !tail.is_empty() {
                desk.find(&code::NUMBER_FORM, place, parser, format!("expected `{expected}`"));
            }
        } else {
            let text = decode(parser.text(place.span)).0.into_owned();
            let shown: String = text.chars().take(20).collect();
            let message = format!("the number of this move is `{expected}` and not `{shown}`");
            desk.find(&code::MOVE_NUMBER, place, parser, message);
        }
    }

    #[inline(always)]
    pub(super) fn ply(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        let main = self.outer.is_empty();
        desk.last.place = *parser.place();
        desk.last.number = (self.line.position.fullmove(), self.line.position.turn());
        if main {
            desk.course.wrong_claim = None;
            if desk.block_depth == 0 {
                desk.plies += 1;
            }
        }
        if !desk.judging || !self.line.known {
            return self.pass_over(desk, parser);
        }
        // Borrowed, not moved: a copy of what was just written byte by byte would stall.
        let read = San::parse(parser.text(desk.last.place.span), &P::ALPHABET);
        let san = match &read {
            Ok(san) => san,
            Err(fault) => return self.unreadable_ply(desk, *fault, parser),
        };
        if main && desk.course.ended.is_some() {
            return self.past_the_end(desk, parser);
        }
        match self.line.position.find(&san.written) {
            Found::One(m) => self.accept(desk, san, m, parser),
            Found::None | Found::Several if !main && san.written == Written::Pass => {
                self.null_move(desk, parser)
            }
            Found::None | Found::Several => self.refuse(desk, san, parser),
        }
    }

    /// A ply in a position that is not known: nothing can be said of it but that it is none.
    #[cold]
    fn pass_over(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        self.line.before_known = false;
        desk.last.refused = None;
        desk.numbered = false;
        let place = desk.last.place;
        if desk.judging
            && let Err(fault) = San::parse(parser.text(place.span), &P::ALPHABET)
        {
            desk.find(&code::BAD_PLY, place, parser, no_move(fault));
        }
        None
    }

    #[inline(always)]
    fn accept(&mut self, desk: &mut Desk, san: &San, m: P::Move, parser: &Parser<'_>) -> Option<Canonical> {
        let main = self.outer.is_empty();
        if let Written::Move(pattern) = &san.written {
            let captures = self.line.position.captures(m);
            let plain = pattern.file.is_none() && pattern.rank.is_none() && pattern.capture == captures;
            let plain = plain || (captures && is_plain_pawn_capture(pattern));
            if !plain {
                self.check_spelling(desk, pattern, m, parser);
            }
        }
        if let Some(leniency) = san.leniency {
            desk.forgive(leniency, parser);
        }
        if !desk.numbered && (desk.interrupted || self.line.position.turn() == Side::White) {
            self.missing_number(desk, parser);
        }
        desk.numbered = false;
        desk.interrupted = false;
        let spelt = desk.canonical.then(|| self.spell(m));
        let irreversible = self.line.position.is_irreversible(m);
        self.line.play(m);
        desk.last.moved = true;
        desk.last.refused = None;
        let checks = self.line.position.in_check();
        match san.suffix {
            Suffix::None if !checks => {}
            Suffix::Check if checks => self.line.check = Some(desk.last.place),
            _ => self.check_suffix(desk, san.suffix, parser),
        }
        if main {
            self.follow_course(desk, irreversible);
        }
        spelt.map(|spelt| Canonical { suffix: self.line.position.suffix(), ..spelt })
    }

    /// How a legal move is written, but for its sign.
    fn spell(&self, m: P::Move) -> Canonical {
        let position = &self.line.position;
        Canonical {
            written: position.written(m),
            suffix: Suffix::None,
            side: position.turn(),
            number: position.fullmove(),
            coordinates: position.coordinates(m),
            act: Some(position.act(m)),
            board: None,
            path: BoardPath::OUTERMOST,
        }
    }

    #[inline]
    fn follow_course(&mut self, desk: &mut Desk, irreversible: bool) {
        let position = &self.line.position;
        let recurrence = self.history.reach(position.repetition_key(), position.snapshot(), irreversible);
        let rights = position.claimable(recurrence.now);
        for (right, claimable) in rights.into_iter().zip(&mut desk.course.claimable) {
            if right {
                claimable.get_or_insert(desk.plies);
            }
        }
        desk.course.ended = position.end_by_record(recurrence.now, self.history.since(recurrence));
    }

    #[cold]
    fn missing_number(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        let message = format!("expected `{}` before the move", self.move_number());
        desk.find(&code::MISSING_NUMBER, desk.last.place, parser, message);
    }

    #[inline(never)]
    fn check_spelling(&mut self, desk: &mut Desk, pattern: &Pattern, m: P::Move, parser: &Parser<'_>) {
        if let Written::Move(right) = self.line.position.written(m) {
            desk.tell_spelling(pattern, &right, self.line.position.captures(m), parser);
        }
    }

    #[cold]
    fn check_suffix(&mut self, desk: &mut Desk, given: Suffix, parser: &Parser<'_>) {
        let right = self.line.position.suffix();
        if given == right {
            return;
        }
        desk.wrong_suffix(right, desk.last.place, parser);
    }

    /// Nothing follows the last ply of a line: was its check a mate?
    pub(super) fn settle_suffix(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        if let Some(place) = self.line.check.take()
            && self.line.known
            && !self.line.position.has_legal_move()
        {
            desk.wrong_suffix(Suffix::Mate, place, parser);
        }
    }

    #[cold]
    fn unreadable_ply(&mut self, desk: &mut Desk, fault: SanFault, parser: &Parser<'_>) -> Option<Canonical> {
        let place = desk.last.place;
        match fault {
            SanFault::Drop => desk.extension("a drop `@`", Variant::Olympic, place, parser),
            SanFault::Above => {
                desk.extension("an arrival on the second level `^`", Variant::Meta, place, parser);
            }
            SanFault::Beside => {
                desk.extension("an arrival on another board `/`", Variant::Strategi, place, parser);
            }
            _ => {
                let text = parser.text(place.span).to_vec();
                let nearest = nearest(&self.line.position, &decode(&text).0);
                let board = self.line.position.panel();
                if let Some(finding) = desk.find(&code::BAD_PLY, place, parser, no_move(fault)) {
                    finding.nearest = nearest;
                    finding.board = Some(Box::new(board));
                }
            }
        }
        self.give_up(desk, Unjudged::NextMove);
        None
    }

    #[cold]
    fn past_the_end(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        let ended = desk.course.ended?;
        let message = format!("the game had ended by {} ({})", ended.cause, ended.outcome);
        let board = self.line.position.panel();
        if let Some(finding) = desk.find(&code::MOVE_AFTER_END, desk.last.place, parser, message) {
            finding.rule = Some(&common::ENDED);
            finding.board = Some(Box::new(board));
        }
        self.give_up(desk, Unjudged::NextMove);
        None
    }

    #[cold]
    fn refuse(&mut self, desk: &mut Desk, san: &San, parser: &Parser<'_>) -> Option<Canonical> {
        let refusal = Refusal::of(&self.line.position, &san.written)?;
        self.settle_suffix(desk, parser);
        let main = self.outer.is_empty();
        if let (Reason::Ended(ruling), true) = (refusal.reason(), main) {
            desk.course.ended = Some(*ruling);
            return self.past_the_end(desk, parser);
        }
        let text = decode(parser.text(desk.last.place.span)).0.into_owned();
        let position = &self.line.position;
        let mut possible: Vec<_> =
            refusal.possible(position).into_iter().map(|m| position.san(m).to_string()).collect();
        possible.sort_unstable();
        let ambiguous = matches!(refusal.reason(), Reason::Ambiguous(_));
        let nearest = if ambiguous { None } else { nearest(position, &text) };
        let (number, board) = (self.move_number(), self.line.position.panel());
        let signal = P::GAME == Variant::Chess && signals_result(&san.written);
        let mut message = format!("{number} {} is illegal: {refusal}", text.trim_end_matches(['+', '#']));
        if signal {
            message.push_str(" (electronic boards signal a result with the kings on the centre squares)");
        }
        let kind = if main { &code::ILLEGAL_MOVE } else { &code::ILLEGAL_VARIATION };
        let index = desk.findings.len();
        if let Some(finding) = desk.find(kind, desk.last.place, parser, message) {
            finding.rule = Some(refusal.rule());
            finding.possible = possible;
            finding.nearest = nearest;
            finding.board = Some(Box::new(board));
        }
        self.give_up(desk, Unjudged::NextMove);
        desk.last.refused = main.then_some(index);
        desk.last.moved = true;
        None
    }

    #[cold]
    fn null_move(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        let (side, number) = (self.line.position.turn(), self.line.position.fullmove());
        if !self.line.happen(Happening::Passed) {
            desk.find(&code::ILLEGAL_VARIATION, desk.last.place, parser, "a pass while in check".into());
            self.give_up(desk, Unjudged::NextMove);
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
            path: BoardPath::OUTERMOST,
        };
        desk.canonical.then_some(passed)
    }

    pub(super) fn open_rav(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        if desk.judging && desk.plies == 0 && self.outer.is_empty() {
            desk.find(&code::DANGLING, *parser.place(), parser, "a variation stands before any move".into());
        }
        let variation = self.line.variation();
        self.outer.push(std::mem::replace(&mut self.line, variation));
        desk.ravs = self.outer.len();
        desk.interrupted = true;
        desk.numbered = false;
    }

    pub(super) fn close_rav(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        self.settle_suffix(desk, parser);
        if let Some(outer) = self.outer.pop() {
            self.line = outer;
        }
        desk.ravs = self.outer.len();
        desk.interrupted = true;
        desk.numbered = false;
        desk.last.moved = false;
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
            Suffix::None | Suffix::Double => "this is no check",
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

fn signals_result(written: &Written) -> bool {
    let centre = |square: Square| matches!((square.file, square.rank), (3 | 4, 3 | 4));
    matches!(written, Written::Move(pattern) if pattern.role == Role::King && centre(pattern.to))
}

fn no_move(fault: SanFault) -> String {
    match fault {
        SanFault::NoMove => fault.to_string(),
        fault => format!("this is no move: {fault}"),
    }
}
