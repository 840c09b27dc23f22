//! Faults of the text, told as findings.

use super::Desk;
use crate::finding::{self as code, Severity};
use overboard_formats::{
    lex::TagFault,
    parse::{Fault, Open, Parser},
};

/// What a fault of the text does to the game that is being followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Blow {
    /// Nothing.
    None,
    /// The position is lost.
    Loses,
    /// The variation at hand is over, and the position of the line it left is lost.
    ClosesAndLoses,
}

impl Desk {
    /// Notes a fault; answers what it does to the game.
    pub(super) fn fault(&mut self, fault: Fault, parser: &Parser<'_>) -> Blow {
        let place = *parser.place();
        let main = self.at_main_line();
        let mut blow = Blow::None;
        if self.comes_of_another(fault) {
            return Blow::None;
        }
        match fault {
            Fault::NotText(what) => {
                self.judging = false;
                self.in_moves = true;
                self.find(&code::NOT_TEXT, place, parser, what.words().into());
            }
            Fault::Mark => {
                self.find(
                    &code::BYTE_ORDER_MARK,
                    place,
                    parser,
                    "the file begins with a byte order mark".into(),
                );
            }
            Fault::UnclosedComment => {
                self.find(
                    &code::UNCLOSED_COMMENT,
                    place,
                    parser,
                    "this comment is not closed before the next game; `}` was expected".into(),
                );
                blow = Blow::Loses;
            }
            Fault::Unclosed(open) => {
                self.unclosed(open, parser);
                blow = if open == Open::Rav { Blow::ClosesAndLoses } else { Blow::Loses };
            }
            Fault::Stray(bracket) => {
                self.find(
                    &code::STRAY_BRACKET,
                    place,
                    parser,
                    format!("this `{}` closes nothing", char::from(bracket)),
                );
            }
            Fault::BadTag(kind) => {
                self.tagged = true;
                self.find(&code::BAD_TAG, place, parser, tag_words(kind).into());
            }
            Fault::TagInMoves => {
                self.find(
                    &code::BAD_TAG,
                    place,
                    parser,
                    "a tag pair among the moves; tags belong before them".into(),
                );
            }
            Fault::Control => {
                self.find(
                    &code::CONTROL_CHARACTER,
                    place,
                    parser,
                    "a control character among the moves".into(),
                );
            }
            Fault::Strange | Fault::BadBlock | Fault::Misplaced(_) => {
                self.bad_blocks += usize::from(fault == Fault::BadBlock);
                if matches!(fault, Fault::Misplaced(_)) {
                    self.misplaced.get_or_insert(self.block_depth);
                }
                self.find(&code::BAD_TOKEN, place, parser, misplaced_words(fault).into());
                blow = Blow::Loses;
            }
            Fault::NumberForm => {
                self.find(
                    &code::NUMBER_FORM,
                    place,
                    parser,
                    "a move number is written with its dots: `1.` for White, `1...` for Black".into(),
                );
                self.numbered = true;
            }
            Fault::EnPassantMark => {
                self.find(
                    &code::EN_PASSANT_MARK,
                    place,
                    parser,
                    "a capture in passing is written without this mark".into(),
                );
            }
            Fault::ResultInRav => {
                self.find(&code::RESULT_IN_VARIATION, place, parser, "a variation has no result".into());
            }
            Fault::SignAlone => {
                self.find(
                    &code::SIGN_ALONE,
                    place,
                    parser,
                    "PGN has numeric glyphs for evaluations, such as `$18` for `+-`".into(),
                );
            }
            Fault::NoResult => {
                let at = if self.whole().plies > 0 { self.last.place } else { self.last_word };
                // Where something was not closed, the result is in there; and text may break off in the middle of a word.
                let swallowed = self.findings.iter().any(|finding| {
                    finding.code == &code::UNCLOSED_BRACKET
                        || finding.code == &code::UNCLOSED_COMMENT
                        || finding.code == &code::TEXT_AFTER_RESULT
                        || (finding.code == &code::BAD_PLY && finding.place == at)
                });
                if main && self.block_depth == 0 && !swallowed {
                    self.find(
                        &code::MISSING_RESULT,
                        at,
                        parser,
                        "the result is missing after the moves: `1-0`, `0-1`, `1/2-1/2` or `*`".into(),
                    );
                }
            }
            Fault::Limit(limited) => {
                let (flag, limit) = limited.flag(&self.options.limits);
                blow = Blow::Loses;
                self.find(
                    &code::LIMIT,
                    place,
                    parser,
                    format!("more than the limit of {limit} ({flag}); the rest of the record is passed over"),
                );
            }
        }
        blow
    }

    /// Whether a fault is nothing new: it comes of a block that nobody can read, or of what else has no place in this one.
    const fn comes_of_another(&mut self, fault: Fault) -> bool {
        match fault {
            Fault::Stray(b'>') if self.bad_blocks > 0 => {
                self.bad_blocks -= 1;
                true
            }
            Fault::BadBlock if self.bad_blocks > 0 => {
                self.bad_blocks += 1;
                true
            }
            Fault::NumberForm | Fault::Strange | Fault::SignAlone | Fault::Misplaced(_) => {
                self.bad_blocks > 0 || (self.misplaced.is_some() && matches!(fault, Fault::Misplaced(_)))
            }
            Fault::Stray(b')') => self.misplaced.is_some(),
            _ => false,
        }
    }

    /// Says that what opens here is not closed. Where the text breaks off, that is said once, of the comment or else of the
    /// outermost bracket, and what was found in a block tells nothing: it may stand behind the end of the block.
    fn unclosed(&mut self, open: Open, parser: &Parser<'_>) {
        let opened = *parser.place();
        let breaks_off = parser.record_start() > opened.span.from;
        if breaks_off && std::mem::replace(&mut self.broken_off, true) {
            return;
        }
        let is_block = breaks_off && open != Open::Rav;
        let mut in_comment = false;
        self.findings.retain(|finding| {
            let is_comment = finding.code == &code::UNCLOSED_COMMENT;
            in_comment |= is_comment && breaks_off;
            let stays = if is_block { is_comment } else { finding.severity == Severity::Error };
            finding.place.span.from < opened.span.from || stays
        });
        if !in_comment {
            let (what, mark) = bracket(open);
            let message = format!("this {what} is not closed; `{mark}` was expected");
            self.find(&code::UNCLOSED_BRACKET, opened, parser, message);
        }
    }
}

pub(super) const fn bracket(open: Open) -> (&'static str, char) {
    match open {
        Open::Rav => ("variation", ')'),
        Open::Subgame => ("sub-game", '>'),
        Open::Turn => ("turn", '>'),
        Open::Action => ("action", '>'),
    }
}

pub(super) const fn tag_words(fault: TagFault) -> &'static str {
    match fault {
        TagFault::Name => {
            "a tag pair is [Name \"value\"]: a name of letters, digits and `_` is missing after `[`"
        }
        TagFault::Quote => "a tag pair is [Name \"value\"]: `\"` is missing after the name",
        TagFault::Unclosed => "the tag's value is not closed; `\"` was expected before the end of the line",
        TagFault::Bracket => "a tag pair is [Name \"value\"]: `]` is missing after the value",
        TagFault::TooLong => "the tag's value is too long",
    }
}

pub(super) const fn misplaced_words(fault: Fault) -> &'static str {
    match fault {
        Fault::BadBlock => {
            "`<` needs a square and `:` after it, an address such as A2, or one of prisoners, consolidate, reserve"
        }
        Fault::Misplaced(Open::Turn) => {
            "a turn holds items of an address, a dot and a move, with comments between them"
        }
        Fault::Misplaced(Open::Action) => "an action holds words and nothing else",
        Fault::Misplaced(Open::Subgame) => "this stands after the result of the sub-game",
        Fault::Misplaced(_) => "this is not allowed here",
        _ => "this has no meaning among the moves",
    }
}
