//! Faults of the text, as findings.

use crate::{
    finding::{self as code, Severity},
    record_state::RecordState,
};
use overboard_formats::{
    encoding::odd_blank,
    lex::TagFault,
    parse::{GrammarFault, Open, Parser},
    span::TextSpan,
};

/// What a fault of the text does to the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultEffect {
    /// Nothing.
    None,
    /// The position is lost.
    Loses,
    /// The current variation is over, and the position of the line around it is lost.
    ClosesAndLoses,
}

impl RecordState {
    /// Records a fault; returns what it does to the game.
    pub fn fault(&mut self, fault: GrammarFault, parser: &Parser<'_>) -> FaultEffect {
        let place = *parser.place();
        if self.comes_of_another(fault) {
            return FaultEffect::None;
        }
        let mut effect = FaultEffect::None;
        let (kind, message): (_, String) = match fault {
            GrammarFault::NotText(what) => {
                self.judging.stop();
                self.judging.begin();
                (&code::NOT_TEXT, what.words().into())
            }
            GrammarFault::Mark => (
                &code::BYTE_ORDER_MARK,
                "the file begins with a byte order mark".into(),
            ),
            GrammarFault::UnclosedComment => {
                effect = FaultEffect::Loses;
                let message = "this comment is not closed before the next game or the end of the text; `}` was expected";
                (&code::UNCLOSED_COMMENT, message.into())
            }
            GrammarFault::Unclosed(open) => {
                self.unclosed(open, parser);
                return if open == Open::Rav {
                    FaultEffect::ClosesAndLoses
                } else {
                    FaultEffect::Loses
                };
            }
            GrammarFault::Stray(bracket) => (
                &code::STRAY_BRACKET,
                format!("this `{}` closes nothing", char::from(bracket)),
            ),
            GrammarFault::BadTag(kind) => {
                self.terms.tag();
                (&code::BAD_TAG, tag_words(kind).into())
            }
            GrammarFault::TagInMoves => (
                &code::BAD_TAG,
                "a tag pair among the moves; tags belong before them".into(),
            ),
            GrammarFault::Control if odd_blank(parser.text(place.span)) > 0 => {
                self.odd_blank(place, parser);
                return FaultEffect::None;
            }
            GrammarFault::Control => (
                &code::CONTROL_CHARACTER,
                "a control character outside comments and values".into(),
            ),
            GrammarFault::Strange | GrammarFault::BadBlock | GrammarFault::Misplaced(_) => {
                if fault == GrammarFault::BadBlock {
                    self.brackets.open_unreadable();
                }
                // A single dot hides nothing, and may be left out when the record is written again.
                let hides = parser.text(place.span) != b".";
                if hides && matches!(fault, GrammarFault::Misplaced(_)) {
                    self.brackets.misplace();
                }
                if fault == GrammarFault::Misplaced(Open::Subgame) {
                    // Its players went on, so it did not end with that result.
                    self.games.current_mut().marker = None;
                }
                if hides {
                    effect = FaultEffect::Loses;
                }
                (&code::BAD_TOKEN, misplaced_words(fault).into())
            }
            GrammarFault::NumberForm => {
                self.numbers.give();
                let message =
                    "a move number is written with its dots: `1.` for White, `1...` for Black";
                (&code::NUMBER_FORM, message.into())
            }
            GrammarFault::EnPassantMark => (
                &code::EN_PASSANT_MARK,
                "PGN has no mark for en passant".into(),
            ),
            GrammarFault::ResultInRav => (
                &code::RESULT_IN_VARIATION,
                "a variation has no result".into(),
            ),
            GrammarFault::SignAlone => (
                &code::SIGN_ALONE,
                "PGN has numeric glyphs for evaluations, such as `$18` for `+-`".into(),
            ),
            GrammarFault::NoResult => {
                self.no_result(parser);
                return FaultEffect::None;
            }
            GrammarFault::Limit(limited) => {
                effect = FaultEffect::Loses;
                let (flag, limit) = limited.flag(&self.options().limits);
                let message = format!(
                    "the limit of {limit} ({flag}) is exceeded; the rest of the record is skipped"
                );
                (&code::LIMIT, message)
            }
        };
        self.find(kind, place, parser, message);
        effect
    }

    /// The result is missing where the record ends.
    fn no_result(&mut self, parser: &Parser<'_>) {
        // Also a ply that was not judged.
        let at = if self.last.place.line > 0 {
            self.last.place
        } else {
            self.last_word()
        };
        // The result was read as part of an unclosed bracket, and text may break off in the middle of a word:
        // in either case a second finding would only repeat the first.
        let swallowed = self.findings.iter().any(|finding| {
            let swallows = [
                &code::UNCLOSED_BRACKET,
                &code::UNCLOSED_COMMENT,
                &code::TEXT_AFTER_RESULT,
            ];
            swallows.contains(&finding.code)
                || (finding.code == &code::BAD_PLY && finding.place == at)
        });
        if self.at_main_line() && self.brackets.outside_blocks() && !swallowed {
            self.find(
                &code::MISSING_RESULT,
                at,
                parser,
                "the result is missing after the moves: `1-0`, `0-1`, `1/2-1/2` or `*`".into(),
            );
        }
    }

    /// Reports the first blank outside ASCII.
    fn odd_blank(&mut self, place: TextSpan, parser: &Parser<'_>) {
        let mut known = self.findings.iter().map(|finding| finding.code.id);
        if !known.any(|id| id == code::ODD_BLANK.id) {
            let message =
                "a blank that is not the one of the space bar; all such blanks are read like it";
            self.find(&code::ODD_BLANK, place, parser, message.into());
        }
    }

    /// Whether a fault only follows from another one: it is in an unreadable block, or in one that already contained
    /// something misplaced.
    const fn comes_of_another(&mut self, fault: GrammarFault) -> bool {
        match fault {
            GrammarFault::Stray(b'>') if self.brackets.in_unreadable() => {
                self.brackets.close_unreadable();
                true
            }
            GrammarFault::BadBlock if self.brackets.in_unreadable() => {
                self.brackets.open_unreadable();
                true
            }
            GrammarFault::NumberForm
            | GrammarFault::Strange
            | GrammarFault::SignAlone
            | GrammarFault::Misplaced(_) => {
                self.brackets.in_unreadable()
                    || (self.brackets.in_misplaced() && matches!(fault, GrammarFault::Misplaced(_)))
            }
            GrammarFault::Stray(b')') => self.brackets.in_misplaced(),
            _ => false,
        }
    }

    /// Reports an unclosed bracket. If the text breaks off, this is reported once, for the comment or else for the
    /// outermost bracket, and findings inside the block are dropped: the text they are about may belong after the
    /// missing end of the block.
    fn unclosed(&mut self, open: Open, parser: &Parser<'_>) {
        let opened = *parser.place();
        let breaks_off = parser.record_start() > opened.span.from;
        if breaks_off && self.brackets.break_off() {
            return;
        }
        let is_block = breaks_off && open != Open::Rav;
        let mut in_comment = false;
        self.findings.retain(|finding| {
            let is_comment = finding.code == &code::UNCLOSED_COMMENT;
            in_comment |= is_comment && breaks_off;
            let stays = if is_block {
                is_comment
            } else {
                finding.severity == Severity::Error
            };
            finding.place.span.from < opened.span.from || stays
        });
        if !in_comment {
            let (what, mark) = bracket(open);
            let message = format!("this {what} is not closed; `{mark}` was expected");
            self.find(&code::UNCLOSED_BRACKET, opened, parser, message);
        }
    }
}

pub(crate) const fn bracket(open: Open) -> (&'static str, char) {
    match open {
        Open::Rav => ("variation", ')'),
        Open::Subgame => ("sub-game", '>'),
        Open::Turn => ("turn", '>'),
        Open::Action => ("action", '>'),
    }
}

pub(crate) const fn tag_words(fault: TagFault) -> &'static str {
    match fault {
        TagFault::Name => {
            "a tag pair is [Name \"value\"]: a name of letters, digits and `_` is missing after `[`"
        }
        TagFault::Quote => "a tag pair is [Name \"value\"]: `\"` is missing after the name",
        TagFault::Unclosed => {
            "the tag's value is not closed; `\"` was expected before the end of the line"
        }
        TagFault::Bracket => "a tag pair is [Name \"value\"]: `]` is missing after the value",
        TagFault::TooLong => "the tag's value is too long",
    }
}

pub(crate) const fn misplaced_words(fault: GrammarFault) -> &'static str {
    match fault {
        GrammarFault::BadBlock => {
            "`<` needs a square and `:` after it, an address such as A2, or one of prisoners, consolidate, reserve"
        }
        GrammarFault::Misplaced(Open::Turn) => {
            "a turn holds items of an address, a dot and a move, with comments between them"
        }
        GrammarFault::Misplaced(Open::Action) => "an action holds words and nothing else",
        GrammarFault::Misplaced(Open::Subgame) => "this comes after the result of the sub-game",
        GrammarFault::Misplaced(_) => "this is not allowed here",
        _ => "this is not valid in movetext",
    }
}
