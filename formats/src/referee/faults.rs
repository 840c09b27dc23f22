//! Faults of the text, told as findings.

use super::{Desk, Unjudged, play::Play};
use crate::{
    finding::{self as code, Severity},
    lex::TagFault,
    notation::Notation,
    parse::{Fault, Open, Parser},
};
use std::io::Read;

impl<P: Notation> Play<P> {
    pub(super) fn fault<R: Read>(&mut self, desk: &mut Desk, fault: Fault, parser: &Parser<R>) {
        let place = *parser.place();
        let main = desk.at_main_line();
        match fault {
            Fault::Wide => {
                desk.judging = false;
                desk.in_moves = true;
                desk.find(
                    &code::NOT_TEXT,
                    place,
                    parser,
                    "the text is UTF-16; NPGN is UTF-8 (save or convert it as UTF-8)".into(),
                );
            }
            Fault::Mark => {
                desk.find(
                    &code::BYTE_ORDER_MARK,
                    place,
                    parser,
                    "the file begins with a byte order mark".into(),
                );
            }
            Fault::UnclosedComment => {
                desk.find(
                    &code::UNCLOSED_COMMENT,
                    place,
                    parser,
                    "this comment is not closed before the next game; `}` was expected".into(),
                );
                self.give_up(desk, Unjudged::ThisMove);
            }
            Fault::Unclosed(open) => {
                let opened = place;
                let (what, mark) = bracket(open);
                desk.findings.retain(|finding| {
                    finding.place.span.from < opened.span.from || finding.severity == Severity::Error
                });
                desk.find(
                    &code::UNCLOSED_BRACKET,
                    opened,
                    parser,
                    format!("this {what} is not closed; `{mark}` was expected"),
                );
                if open == Open::Rav {
                    self.close_rav(desk, parser);
                }
                self.give_up(desk, Unjudged::ThisMove);
            }
            Fault::Stray(bracket) => {
                desk.find(
                    &code::STRAY_BRACKET,
                    place,
                    parser,
                    format!("this `{}` closes nothing", char::from(bracket)),
                );
            }
            Fault::BadTag(kind) => {
                desk.find(&code::BAD_TAG, place, parser, tag_words(kind).into());
            }
            Fault::TagInMoves => {
                desk.find(
                    &code::BAD_TAG,
                    place,
                    parser,
                    "a tag pair among the moves; tags stand before them".into(),
                );
            }
            Fault::Control => {
                desk.find(
                    &code::CONTROL_CHARACTER,
                    place,
                    parser,
                    "a control character among the moves".into(),
                );
            }
            Fault::Strange | Fault::BadBlock | Fault::Misplaced(_) => {
                desk.find(&code::BAD_TOKEN, place, parser, misplaced_words(fault).into());
                self.give_up(desk, Unjudged::ThisMove);
            }
            Fault::NumberForm => {
                desk.find(
                    &code::NUMBER_FORM,
                    place,
                    parser,
                    "a move number is written with its dots: `1.` for White, `1...` for Black".into(),
                );
                desk.numbered = true;
            }
            Fault::EnPassantMark => {
                desk.find(
                    &code::EN_PASSANT_MARK,
                    place,
                    parser,
                    "a capture in passing is written without this mark".into(),
                );
            }
            Fault::ResultInRav => {
                desk.find(&code::RESULT_IN_VARIATION, place, parser, "a variation has no result".into());
            }
            Fault::SignAlone => {
                desk.find(
                    &code::SIGN_ALONE,
                    place,
                    parser,
                    "PGN has numeric glyphs for evaluations, such as `$18` for `+-`".into(),
                );
            }
            Fault::NoResult => {
                // Where something was not closed, the result is in there.
                let swallowed = desk.findings.iter().any(|finding| {
                    finding.code == &code::UNCLOSED_BRACKET || finding.code == &code::UNCLOSED_COMMENT
                });
                if main && desk.block_depth == 0 && !swallowed {
                    self.settle_suffix(desk, parser);
                    let at = if desk.plies > 0 { desk.last.place } else { desk.last_word };
                    desk.find(
                        &code::MISSING_RESULT,
                        at,
                        parser,
                        "no result stands behind the moves: `1-0`, `0-1`, `1/2-1/2` or `*`".into(),
                    );
                }
            }
            Fault::Limit(limited) => {
                let (flag, limit) = limited.flag(&desk.options.limits);
                self.give_up(desk, Unjudged::ThisMove);
                desk.find(
                    &code::LIMIT,
                    place,
                    parser,
                    format!("more than the limit of {limit} ({flag}); the rest of the record is passed over"),
                );
            }
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
            "a tag pair is [Name \"value\"]: no name of letters, digits and `_` stands behind `[`"
        }
        TagFault::Quote => "a tag pair is [Name \"value\"]: no `\"` stands behind the name",
        TagFault::Unclosed => "the tag's value is not closed; `\"` was expected before the end of the line",
        TagFault::Bracket => "a tag pair is [Name \"value\"]: no `]` stands behind the value",
        TagFault::TooLong => "the tag's value is too long",
    }
}

pub(super) const fn misplaced_words(fault: Fault) -> &'static str {
    match fault {
        Fault::BadBlock => {
            "behind `<` stands a square and `:`, an address such as A2, or one of prisoners, consolidate, reserve"
        }
        Fault::Misplaced(Open::Turn) => {
            "a turn holds items of an address, a dot and a move, with comments between them"
        }
        Fault::Misplaced(Open::Action) => "an action holds words and nothing else",
        Fault::Misplaced(_) => "this may not stand here",
        _ => "this has no meaning among the moves",
    }
}
