//! Turns of mega-boards: where their items begin and end, and what is reported if a turn is incomplete.

use super::*;
use overboard_referee::finding::set_rule;

pub(super) fn in_turn(referee: &Referee<Mega>) -> bool {
    !referee.open.turns.is_empty()
}

/// A turn begins: checks its number.
pub(super) fn begin_turn(hearing: &mut Hearing<'_, Mega>) {
    if let Some(position) = hearing.referee.position() {
        hearing.state.last.number = (position.fullmove(), position.turn());
        hearing.expect_number(hearing.state.last.number);
    }
    hearing.referee.line.remember();
}

pub(super) fn open_turn(hearing: &mut Hearing<'_, Mega>) -> Option<Canonical> {
    let Some(outer) = hearing.referee.open.turns.last().map(|turn| turn.path) else {
        begin_turn(hearing);
        hearing
            .referee
            .open
            .turns
            .push(Turn::on(BoardPath::OUTERMOST));
        return numbering(hearing);
    };
    let Some(on) = hearing.referee.open.item.take() else {
        without_address(hearing, hearing.place());
        hearing.referee.open.turns.push(Turn::on(outer));
        hearing.lose(BoardPath::OUTERMOST, Unjudged::ThisMove);
        return None;
    };
    let path = outer.on(on);
    hearing.referee.open.turns.push(Turn::on(path));
    let is_chess = usize::from(hearing.referee.options.level) <= path.len();
    let is_known = is_judged(hearing) && hearing.referee.now().lost_around(path).is_none();
    if is_chess && is_known {
        let words = format!("{path} is a board of chess, which has no boards inside");
        hearing.state.last.place = hearing.place();
        hearing.refuse(path, "<", Refusal::new(words, &law::LEVELS, path));
    }
    None
}

/// An item of a turn lacks the address of its board, so it cannot be judged.
pub(super) fn without_address(hearing: &mut Hearing<'_, Mega>, place: TextSpan) {
    if !is_judged(hearing) {
        return;
    }
    let text = decode(hearing.parser.text(place.span)).0.into_owned();
    let message = format!(
        "the board is missing: in a turn every item follows the address of its board, as in `A2.{text}`"
    );
    set_rule(
        hearing.find(&code::BAD_PLY, place, message),
        &common::JUDGED,
    );
}

/// The side and number of a turn that begins, so that its number can be written.
pub(super) fn numbering(hearing: &Hearing<'_, Mega>) -> Option<Canonical> {
    if !hearing.state.wants_canonical() || !hearing.state.judging.is_on() {
        return None;
    }
    let position = hearing.referee.position()?;
    Some(Canonical {
        written: Written::Pass,
        suffix: Suffix::None,
        side: position.turn(),
        number: position.fullmove(),
        coordinates: MoveText::new(),
        act: None,
        board: None,
        path: BoardPath::OUTERMOST,
    })
}

pub(super) fn close_turn(hearing: &mut Hearing<'_, Mega>) -> Option<Canonical> {
    let turn = hearing.referee.open.turns.pop()?;
    hearing.referee.open.item = None;
    // `[%stands]` follows its act, before any bracket closes.
    hearing.state.last.refused = None;
    if !in_turn(hearing.referee) {
        hearing.referee.own.last = None;
    }
    if !is_judged(hearing) {
        return None;
    }
    let goes_on = |reading: &Mega| reading.goes_on_at(&turn.path) && turn.begun;
    if hearing.referee.now().iter().any(goes_on) {
        if !turn.doubtful {
            hearing.referee.own.short.push(hearing.place());
            stops_short(hearing, &turn);
        }
        stop(hearing, &turn);
        return None;
    }
    hearing.referee.own.sign_due = Some((turn.sign, hearing.place()));
    let numbering = numbering(hearing)?;
    Some(Canonical {
        suffix: turn.sign,
        ..numbering
    })
}

/// The turn ends although some board, under some reading, still owes a move.
pub(super) fn stops_short(hearing: &mut Hearing<'_, Mega>, turn: &Turn) {
    let now = hearing.referee.now();
    let all = now.iter().all(|reading| reading.goes_on_at(&turn.path));
    let place = hearing.place();
    if !all {
        let message = "whether this turn may stop here depends on a board that is not judged";
        hearing.find(&code::OPEN_PLY, place, message.into());
        return;
    }
    let Some(position) = now.position() else {
        return;
    };
    let Some(Board::Mega(game)) = position.board_at(&turn.path) else {
        return;
    };
    let message = still_owed(&game, turn.path, hearing.state.last.number);
    let kind = if hearing.state.at_main_line() {
        &code::ILLEGAL_MOVE
    } else {
        &code::ILLEGAL_VARIATION
    };
    let moment = hearing.moment();
    if let Some(finding) = hearing.find(kind, place, message) {
        finding.rule = Some(&law::EIGHT);
        finding.moment = moment;
        finding.path = turn.path.to_string();
        finding.board = Some(Box::new(mega::panel(&game, false)));
    }
}

/// The message that a turn with this number stops although a move can still be made.
fn still_owed(game: &Mega, path: BoardPath, (number, side): (u32, Side)) -> String {
    let owed = match game.open() {
        Some(open) => list([MegaSquare(open)], "and"),
        None => list(game.offering().map(MegaSquare), "and"),
    };
    let made = game.used().count();
    let moves = if made == 1 { "move" } else { "moves" };
    let on = if path.is_empty() {
        String::new()
    } else {
        format!(" on {path}")
    };
    format!(
        "{} the turn{on} stops after {made} board {moves}, and a move can still be made on {owed}",
        number_of(number, side)
    )
}

/// A game that was stopped from outside, or is still going on, may be in the middle of a turn, which is then no fault.
pub(super) fn excuse(hearing: &mut Hearing<'_, Mega>) {
    let termination = hearing
        .state
        .header()
        .text(Name::Termination)
        .map(|text| text.to_lowercase());
    let is_under_way = hearing.state.options().limits.so_far;
    let stopped = is_under_way || termination.is_some_and(|word| word != "normal");
    if stopped && !hearing.referee.own.short.is_empty() {
        let short = std::mem::take(&mut hearing.referee.own.short);
        hearing
            .state
            .findings
            .retain(|finding| !short.contains(&finding.place));
        hearing.state.course_mut().ended = None;
        hearing.referee.own.stopped = true;
    }
}

/// Continues after a turn that ended too early.
pub(super) fn stop(hearing: &mut Hearing<'_, Mega>, turn: &Turn) {
    let ended = |reading: &Mega| !reading.goes_on_at(&turn.path);
    if hearing.referee.now().iter().any(ended) {
        hearing.referee.line.change(|now| now.retain(ended));
        return;
    }
    hearing.referee.line.happen(turn.path, Happening::Stopped);
    if let Some(outer) = hearing.referee.open.turns.last_mut() {
        outer.begun = true;
    }
    if hearing.state.at_main_line() {
        hearing.follow_course(true);
    }
}

/// Compares the sign after a closed turn with the right one.
pub(super) fn settle_sign(hearing: &mut Hearing<'_, Mega>, event: Event) {
    let Some((right, place)) = hearing.referee.own.sign_due.take() else {
        return;
    };
    let (given, place) = match event {
        Event::Suffix if hearing.text() == b"#" => (Suffix::Mate, hearing.place()),
        Event::Suffix => (Suffix::Check, hearing.place()),
        _ => (Suffix::None, place),
    };
    if given != right {
        hearing.wrong_suffix(right, place);
    }
}

/// Whether an item is in a turn that can take no further item, which has been reported; then its board is lost.
pub(super) fn is_void(hearing: &mut Hearing<'_, Mega>, at: BoardPath) -> bool {
    let is_void = hearing.referee.open.turns.iter().any(|turn| turn.void);
    if is_void {
        hearing.lose(at, Unjudged::ThisMove);
    }
    is_void
}
