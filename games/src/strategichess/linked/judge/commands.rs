//! Commands in comments that only linked boards have, or that mean something else there.

use super::{RecordState, Referee, against_order, latest};
use crate::strategichess::linked::{
    Edition, Linked, LinkedBoard, laws as law,
    order::{Order, OrderError},
};
use memchr::memmem;
use overboard_formats::{
    command::{Appointed, Command, appointed, side as side_of},
    encoding::decode,
    header::unescape_list,
    parse::Parser,
    san::board_index,
    span::{Span, TextSpan},
};
use overboard_referee::finding as code;
use overboard_rules::{
    game::Happening,
    outcome::{Cause, Ruling},
    ply::BoardName,
    refusal::list,
    square::Side,
};

/// Handles a command that only linked boards have, or that means something else there. Returns whether its
/// arguments could be read.
pub fn own_command(
    referee: &mut Referee<Linked>,
    command: &Command<'_>,
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> Option<bool> {
    let arguments = command.arguments;
    Some(match command.name {
        b"resign" => resign(referee, arguments, place, state, parser),
        b"draw" => state.agree(arguments, &law::TEAM_END),
        b"flag" => flag_falls(referee, arguments, place, state, parser),
        b"order" => order(referee, arguments, place, state, parser),
        b"player" => substitute(referee, arguments),
        b"claim" => claim_count(referee, arguments, place, state, parser),
        b"illegal" => {
            // The side to move makes it.
            referee.own.side = None;
            referee.attempt(last_board(referee, state), arguments, place, state, parser)
        }
        _ => return None,
    })
}

/// The board whose number precedes a comment, or else that of the last ply (SC-37).
fn last_board(referee: &Referee<Linked>, state: &RecordState) -> LinkedBoard {
    let last = || LinkedBoard::One(state.last.board.unwrap_or(0));
    referee
        .own
        .addressed
        .map_or_else(last, |(board, _)| LinkedBoard::of(board))
}

fn resign(
    referee: &mut Referee<Linked>,
    arguments: &[u8],
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> bool {
    if side_of(arguments).is_none() {
        return false;
    }
    if latest(referee).edition() == Edition::Of2025 {
        let message = "resignation is not permitted; a player who stops is replaced";
        if let Some(finding) = state.find(&code::NO_RESIGNATION, place, parser, message.into()) {
            finding.rule = Some(&law::NO_RESIGNATION);
        }
        return true;
    }
    state.resign(arguments, &law::TEAM_END)
}

/// The board with these letters, if it exists.
fn board(referee: &Referee<Linked>, letters: &[u8]) -> Option<usize> {
    board_index(letters)
        .map(usize::from)
        .filter(|board| *board < latest(referee).boards())
}

/// `B:A`: the flag of Black's player on board A has fallen.
fn flag_falls(
    referee: &mut Referee<Linked>,
    arguments: &[u8],
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> bool {
    let Some((side, board)) = fallen(arguments) else {
        return false;
    };
    let boards = latest(referee).boards();
    let board = usize::from(board);
    if board >= boards {
        let message = format!(
            "there is no board {}; there are {boards} boards",
            BoardName(board)
        );
        state.find(&code::BAD_COMMAND, place, parser, message);
        return true;
    }
    if state.current.course.ended.is_none() {
        referee.fall(LinkedBoard::of(board), Happening::Flag(side), state);
        state.current.course.ended = referee.ruling();
    }
    true
}

/// `W A "Zoe"`: from here on Zoe plays for White on board A (SC-43).
fn substitute(referee: &mut Referee<Linked>, arguments: &[u8]) -> bool {
    let Some(Appointed { side, seat, name }) = appointed(arguments) else {
        return false;
    };
    if seat == "captain" {
        return true;
    }
    let Some(board) = board(referee, seat.as_bytes()) else {
        return false;
    };
    referee
        .own
        .players
        .substitute(side, board, unescape_list(&name));
    true
}

/// `W Team Player "Ann" send …`: checks the form of an instruction (SC-40, SC-42).
fn order(
    referee: &mut Referee<Linked>,
    arguments: &[u8],
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> bool {
    let [side, b' ', ..] = arguments else {
        return false;
    };
    let Some(side) = side_of(&[*side]) else {
        return false;
    };
    if state.current.course.ended.is_some() {
        return true;
    }
    let text = decode(&arguments[2..]).0.trim_start().to_string();
    match Order::parse(&text) {
        Ok(order) => judge_order(referee, &order, &text, side, place, state, parser),
        Err(fault) => {
            let here = deviation(&fault, &text, place, parser);
            let comes_of_it = match state.current.course.offence {
                Some(first) if first.side != side => {
                    format!(", and {}'s captain offended before", first.side)
                }
                _ => format!(", and {side} loses by rules infraction when the game is over"),
            };
            let message = format!(
                "`{text}` is not an instruction in the prescribed form: {}{comes_of_it}",
                in_words(&fault, &text)
            );
            if let Some(finding) = state.find(&code::BAD_ORDER, here, parser, message) {
                finding.rule = Some(&law::ORDERS);
            }
            state.current.offend(side, &law::OTHER_WORDS);
        }
    }
    true
}

/// Judges an instruction whose wording is allowed.
fn judge_order(
    referee: &Referee<Linked>,
    order: &Order,
    text: &str,
    side: Side,
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    let mut say = |kind, message, rule| {
        if let Some(finding) = state.find(kind, place, parser, message) {
            finding.rule = Some(rule);
        }
    };
    if !order.departures.is_empty() {
        let message = format!(
            "the instruction `{text}` deviates from the prescribed form: {}",
            list(&order.departures, "and")
        );
        say(&code::ORDER_FORM, message, &law::ORDERS);
    }
    if let Some(why) = against_order(referee, order, side) {
        let message = format!("the instruction `{text}` cannot be carried out: {why}");
        say(&code::ORDER_UNFIT, message, &law::OTHER_WORDS);
    }
}

/// `kings`: a captain has the kings counted, which ends the match if that is allowed (SC-28).
fn claim_count(
    referee: &mut Referee<Linked>,
    arguments: &[u8],
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> bool {
    if arguments != b"kings" {
        let message = "on linked boards there is no claim of repetition or of fifty moves";
        state.wrong_claim(message.into(), &law::COUNT, place, parser);
        return true;
    }
    let known = referee
        .line
        .now()
        .position()
        .filter(|_| referee.line.now().is_sure());
    let Some(position) = known.filter(|_| state.current.course.ended.is_none()) else {
        return true;
    };
    if position.may_be_counted() {
        let outcome = position.counted();
        state.current.course.ended = Some(Ruling {
            outcome,
            cause: Cause::KingsCounted,
            rule: &law::COUNT,
        });
    } else {
        let message = "the claim is not correct: an open board has not seen a hundred plies since the last \
                       capture";
        state.wrong_claim(message.into(), &law::COUNT, place, parser);
    }
    true
}

/// An illegal attempt of a player: too many of them have the consequence of a fallen flag.
pub fn attempt_made(
    referee: &mut Referee<Linked>,
    side: Side,
    at: LinkedBoard,
    state: &mut RecordState,
) {
    let LinkedBoard::One(board) = at else { return };
    if state.current.course.ended.is_some() {
        return;
    }
    if referee.own.players.attempt(side, usize::from(board)) < state.attempts_allowed {
        return;
    }
    referee.fall(at, Happening::Flag(side), state);
    state.current.course.ended = referee.ruling().map(|ruling| match ruling.cause {
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
    });
}

/// `B:A`: the flag of Black's player on board A.
#[must_use]
pub fn fallen(arguments: &[u8]) -> Option<(Side, u16)> {
    let [side, b':', letters @ ..] = arguments else {
        return None;
    };
    Some((side_of(&[*side])?, board_index(letters)?))
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
