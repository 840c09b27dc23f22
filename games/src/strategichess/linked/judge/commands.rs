//! Commands in comments that only linked boards have, or that mean something else there.

use super::against_order;
use crate::{
    side_by_side::commands as side_by_side,
    strategichess::linked::{
        Edition, Linked, LinkedBoard, laws as law,
        order::{Order, OrderError, addressed},
    },
};
use memchr::memmem;
use overboard_formats::{
    command::{Command, side as side_of},
    encoding::decode,
    parse::Parser,
    span::{Span, TextSpan},
};
use overboard_referee::{
    finding::{self as code, set_rule},
    hearing::Hearing,
};
use overboard_rules::{
    game::Happening,
    outcome::{Cause, Ruling},
    refusal::list,
    square::Side,
};
use side_by_side::fallen;

/// Handles a command that only linked boards have, or that means something else there. Returns whether its
/// arguments could be read.
pub fn own_command(
    hearing: &mut Hearing<'_, Linked>,
    command: &Command<'_>,
    place: TextSpan,
) -> Option<bool> {
    let arguments = command.arguments;
    Some(match command.name {
        b"resign" => resign(hearing, arguments, place),
        b"draw" => hearing.state.agree(arguments, &law::TEAM_END),
        b"flag" => flag_falls(hearing, arguments, place),
        b"order" => order(hearing, arguments, place),
        b"player" => side_by_side::substitute(hearing, arguments),
        b"claim" => claim_count(hearing, arguments, place),
        b"illegal" => side_by_side::attempt(hearing, arguments, place),
        _ => return None,
    })
}

fn resign(hearing: &mut Hearing<'_, Linked>, arguments: &[u8], place: TextSpan) -> bool {
    if side_of(arguments).is_none() {
        return false;
    }
    if hearing.referee.latest().edition() == Edition::Of2025 {
        let message = "resignation is not permitted; a player who stops is replaced";
        set_rule(
            hearing.find(&code::NO_RESIGNATION, place, message.into()),
            &law::NO_RESIGNATION,
        );
        return true;
    }
    hearing.state.resign(arguments, &law::TEAM_END)
}

/// `B:A`: the flag of Black's player on board A has fallen.
fn flag_falls(hearing: &mut Hearing<'_, Linked>, arguments: &[u8], place: TextSpan) -> bool {
    let Some((side, board)) = fallen(arguments) else {
        return false;
    };
    let exists = side_by_side::has_board(hearing, board, place);
    if exists && hearing.state.course().ended.is_none() {
        hearing.fall(LinkedBoard::One(board), Happening::Flag(side));
        hearing.state.course_mut().ended = hearing.referee.ruling();
    }
    true
}

/// `W Team Player "Ann" send …`: checks the form of an instruction (SC-40, SC-42).
fn order(hearing: &mut Hearing<'_, Linked>, arguments: &[u8], place: TextSpan) -> bool {
    let arguments = decode(arguments).0.into_owned();
    let (side, text) = addressed(&arguments);
    if text.is_empty() {
        return false;
    }
    if hearing.state.course().ended.is_some() {
        return true;
    }
    let Some(side) = side else {
        let message = format!(
            "`{text}` does not say whose captain gave this instruction: the first word is W or B. It counts against nobody"
        );
        set_rule(hearing.find(&code::BAD_ORDER, place, message), &law::ORDERS);
        return true;
    };
    match Order::parse(text) {
        Ok(order) => judge_order(hearing, &order, text, side, place),
        Err(fault) => {
            let here = deviation(&fault, text, place, hearing.parser);
            let comes_of_it = match hearing.state.course().offence {
                Some(first) if first.side != side => {
                    format!(", and {}'s captain offended before", first.side)
                }
                _ => format!(", and {side} loses by rules infraction when the game is over"),
            };
            let message = format!(
                "`{text}` is not an instruction in the prescribed form: {}{comes_of_it}",
                in_words(&fault, text)
            );
            set_rule(hearing.find(&code::BAD_ORDER, here, message), &law::ORDERS);
            hearing
                .state
                .games
                .current_mut()
                .offend(side, &law::OTHER_WORDS);
        }
    }
    true
}

/// Judges an instruction whose wording is allowed.
fn judge_order(
    hearing: &mut Hearing<'_, Linked>,
    order: &Order,
    text: &str,
    side: Side,
    place: TextSpan,
) {
    if !order.departures.is_empty() {
        let message = format!(
            "the instruction `{text}` deviates from the prescribed form: {}",
            list(&order.departures, "and")
        );
        set_rule(
            hearing.find(&code::ORDER_FORM, place, message),
            &law::ORDERS,
        );
    }
    if let Some(why) = against_order(hearing.referee, &hearing.state.players, order, side) {
        let message = format!("the instruction `{text}` cannot be carried out: {why}");
        set_rule(
            hearing.find(&code::ORDER_UNFIT, place, message),
            &law::ORDERS,
        );
    }
}

/// `kings`: a captain has the kings counted, which ends the match if that is allowed (SC-28).
fn claim_count(hearing: &mut Hearing<'_, Linked>, arguments: &[u8], place: TextSpan) -> bool {
    if arguments != b"kings" {
        let message = "on linked boards there is no claim of repetition or of fifty moves";
        hearing.wrong_claim(message.into(), &law::COUNT, place);
        return true;
    }
    let has_ended = hearing.state.course().ended.is_some();
    if has_ended || !hearing.referee.now().is_sure() {
        return true;
    }
    let Some(position) = hearing.referee.position() else {
        return true;
    };
    if position.may_be_counted() {
        let ruling = position.end_by_count(&law::COUNT);
        hearing.state.course_mut().ended = Some(ruling);
    } else {
        let message = "the claim is not correct: an open board has not seen a hundred plies since the last \
                       capture";
        hearing.wrong_claim(message.into(), &law::COUNT, place);
    }
    true
}

/// The end that a fallen flag would make, as illegal attempts make it.
pub fn by_attempts(ruling: Ruling) -> Ruling {
    match ruling.cause {
        Cause::Flag => Ruling {
            cause: Cause::IllegalAttempts,
            rule: &law::ATTEMPTS,
            ..ruling
        },
        Cause::KingsCounted if ruling.rule.id == law::FALLEN.id => Ruling {
            rule: &law::ATTEMPTS,
            ..ruling
        },
        _ => ruling,
    }
}

/// Where an instruction departs from the prescribed form, in words.
fn in_words(fault: &OrderError, text: &str) -> String {
    match text.get(fault.at..).unwrap_or("") {
        "" => format!("{fault} at its end"),
        rest => format!("{fault} at `{rest}`"),
    }
}

/// The place where an instruction departs from the form; the whole command if there is no single place.
fn deviation(fault: &OrderError, text: &str, place: TextSpan, parser: &Parser<'_>) -> TextSpan {
    let Some(start) = memmem::find(parser.text(place.span), text.as_bytes()) else {
        return place;
    };
    let from = place.span.from + (start + fault.at) as u64;
    let to = place.span.from + (start + text.len()) as u64;
    place.at(Span::new(from, to.max(from + 1)))
}
