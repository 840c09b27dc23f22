//! The spelling of plies: lenient forms, and the correct check or mate sign.

use crate::record_state::RecordState;

use super::*;

impl<G: Judge> Hearing<'_, G> {
    /// Checks how a legal ply that has not been played yet is written, apart from its suffix. Unless it is sure which reading
    /// holds, each may ask for another spelling.
    #[inline(always)]
    pub(super) fn check_written(&mut self, san: &San, ply: G::Ply, is_sure: bool) {
        if let Written::Move(pattern) = &san.written {
            let captures = self.referee.latest().captures(ply);
            let names_no_origin = pattern.file.is_none() && pattern.rank.is_none();
            let is_plain = names_no_origin && pattern.capture == captures
                || captures && is_plain_pawn_capture(pattern);
            if !(is_plain && is_sure) {
                self.reborrow().check_spelling(pattern, ply);
            }
        }
        if let Some(leniency) = san.leniency {
            self.reborrow().forgive(leniency, san);
        }
    }

    /// Reports how a legal move should have been written, if it was written differently.
    #[inline(never)]
    fn check_spelling(&mut self, pattern: &Pattern, ply: G::Ply) {
        let game = self.referee.latest();
        if let (at, game::Spelt::Ply(Written::Move(right))) = game.spell(ply)
            && !game.may_differ(at)
        {
            let captures = game.captures(ply);
            self.state
                .report_spelling(pattern, &right, captures, self.parser);
        }
    }

    /// Checks the suffix of a ply that was just played against what it does.
    #[inline(always)]
    pub(super) fn check_sign(&mut self, given: Suffix, sign: Suffix, is_sure: bool) {
        match given {
            Suffix::None if sign == Suffix::None => {}
            Suffix::Check if sign == Suffix::Check => {
                self.referee.line.check = Some(self.state.last.place);
            }
            _ if is_sure => self.reborrow().check_suffix(given, sign),
            _ => {}
        }
    }

    #[cold]
    fn check_suffix(&mut self, given: Suffix, sign: Suffix) {
        let (_, side) = self.state.last.number;
        // It is unknown what the pieces of a lost board attack.
        let right = self.referee.settled(sign);
        if given != right {
            let known = self.state.findings.len();
            self.wrong_suffix(right, self.state.last.place);
            let why = self
                .referee
                .position()
                .and_then(|position| position.no_check(given, right, side));
            if let (Some((words, rule)), Some(finding)) = (why, self.state.findings.get_mut(known))
            {
                finding.message = words.into();
                finding.rule = Some(rule);
            }
        }
    }

    /// Reports a lenient spelling of a legal ply that has not been played yet.
    #[cold]
    pub(super) fn forgive(&mut self, leniency: Leniency, san: &San) {
        let is_en_passant = |to: Square| {
            let fen = self.referee.latest().fen();
            fen.split(' ').nth(3) == Some(to.to_string().as_str())
        };
        if leniency == Leniency::EnPassantMark
            && let Written::Move(pattern) = &san.written
            && !is_en_passant(pattern.to)
        {
            let text = decode(self.text()).0.into_owned();
            let message =
                format!("`{text}`: this capture is not en passant, and PGN has no mark for it");
            self.find(&code::EN_PASSANT_MARK, self.state.last.place, message);
            return;
        }
        self.state.forgive(leniency, self.parser);
    }
}

impl RecordState {
    /// Reports how a legal move should have been written, if it was written differently.
    pub fn report_spelling(
        &mut self,
        pattern: &Pattern,
        right: &Pattern,
        captures: bool,
        parser: &Parser<'_>,
    ) {
        let place = self.last.place;
        let spelt = Spelt(Written::Move(*right)).to_string();
        let mut say = |kind, why: &str| {
            if let Some(finding) = self.find(kind, place, parser, format!("{why}: write `{spelt}`"))
            {
                finding.nearest = Some(spelt.clone());
            }
        };
        if captures && !pattern.capture {
            say(&code::MISSING_CAPTURE, "a capture is written with `x`");
        } else if pattern.capture && !captures {
            say(&code::EXTRA_CAPTURE, "nothing is captured");
        }
        if (pattern.file, pattern.rank) == (right.file, right.rank) {
            return;
        }
        if pattern.origin().is_some() {
            say(
                &code::LONG_ALGEBRAIC,
                "the whole origin square is not needed",
            );
        } else if right.file.is_none() && right.rank.is_none() {
            say(
                &code::OVER_DISAMBIGUATED,
                "no other piece of the kind can go there",
            );
        } else {
            say(
                &code::DISAMBIGUATION,
                "pieces are distinguished by file if that is enough, else by rank, else by both",
            );
        }
    }

    #[cold]
    pub(crate) fn forgive(&mut self, leniency: Leniency, parser: &Parser<'_>) {
        let (kind, right) = match leniency {
            Leniency::Dash => (
                &code::LONG_ALGEBRAIC,
                "no dash is written before the target square",
            ),
            Leniency::ZeroCastling | Leniency::LetterCastling | Leniency::BareCastling => (
                &code::CASTLING_FORM,
                "castling is written with capital letters, `O-O` or `O-O-O`",
            ),
            Leniency::SmallPiece => (
                &code::SMALL_PIECE,
                "a piece is written with a capital letter",
            ),
            Leniency::Figurine => (&code::FIGURINE, "a piece is written with a letter"),
            Leniency::PawnLetter => (&code::PAWN_LETTER, "a pawn is written without a letter"),
            Leniency::PromotionForm => (
                &code::PROMOTION_FORM,
                "a promotion is written `=` and a capital letter",
            ),
            Leniency::DropForm => (
                &code::DROP_FORM,
                "a drop is written with the capital letter of the piece, `P@b2`",
            ),
            Leniency::ShortCapture => (
                &code::SHORT_CAPTURE,
                "a pawn's capture names the whole square to which it goes",
            ),
            Leniency::NamelessCapture => (
                &code::SHORT_CAPTURE,
                "a pawn's capture names the file from which the pawn comes",
            ),
            Leniency::CaptureForm => (&code::CAPTURE_FORM, "a capture is written with `x`"),
            Leniency::EnPassantMark => (&code::EN_PASSANT_MARK, "PGN has no mark for en passant"),
        };
        // A complete origin has been reported before.
        let named = |finding: &Finding| finding.code == kind && finding.place == self.last.place;
        if self.findings.last().is_some_and(named) {
            return;
        }
        let text = decode(parser.text(self.last.place.span)).0.into_owned();
        let message = format!("`{text}`: {right}");
        self.find(kind, self.last.place, parser, message);
    }

    /// Reports that a ply should have this sign.
    pub fn wrong_suffix(&mut self, right: Suffix, place: TextSpan, parser: &Parser<'_>) {
        let message = match right {
            Suffix::Mate => "this is checkmate, which is written `#`",
            Suffix::Check => "this is check, which is written `+`",
            Suffix::None | Suffix::Double => "this is not check: no sign is written",
        };
        let text = decode(parser.text(place.span)).0.into_owned();
        if let Some(finding) = self.find(&code::CHECK_SUFFIX, place, parser, message.into()) {
            finding.nearest = Some(format!(
                "{}{}",
                text.trim_end_matches(['+', '#']),
                right.as_str()
            ));
        }
    }
}

#[inline]
pub fn is_plain_pawn_capture(pattern: &Pattern) -> bool {
    pattern.role == Role::Pawn
        && pattern.capture
        && pattern.rank.is_none()
        && pattern.file.is_some()
}

/// Whether a ply is refused only because it does not say which piece its pawn becomes: all that is possible instead goes to
/// the same square, and one becomes a queen.
pub fn lacks_only_its_piece<G: Judge>(game: &G, san: &San, refusal: &Refusal<G>) -> bool {
    let Written::Move(pattern) = &san.written else {
        return false;
    };
    let mut has_queen = false;
    for ply in &refusal.possible {
        let (_, game::Spelt::Ply(Written::Move(other))) = game.spell(*ply) else {
            return false;
        };
        if other.promotion.is_none() || other.to != pattern.to {
            return false;
        }
        has_queen |= other.promotion == Some(Role::Queen);
    }
    pattern.promotion.is_none() && has_queen
}
