//! Turns of mega-boards: where their items begin and end, and what is reported if a turn is incomplete.

use super::*;

pub(super) fn in_turn(referee: &Referee<Mega>) -> bool {
    !referee.open.turns.is_empty()
}

/// A turn begins: checks its number.
pub(super) fn begin_turn(
    referee: &mut Referee<Mega>,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    if let Some(position) = referee.line.now().position() {
        state.last.number = (position.fullmove(), position.turn());
        referee.expect_number(state.last.number, state, parser);
    }
    referee.line.remember();
}

pub(super) fn open_turn(
    referee: &mut Referee<Mega>,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> Option<Canonical> {
    let Some(outer) = referee.open.turns.last().map(|turn| turn.path) else {
        begin_turn(referee, state, parser);
        referee.open.turns.push(Turn::on(BoardPath::OUTERMOST));
        return numbering(referee, state);
    };
    let Some(on) = referee.open.item.take() else {
        without_address(referee, *parser.place(), state, parser);
        referee.open.turns.push(Turn::on(outer));
        referee.lose(BoardPath::OUTERMOST, Unjudged::ThisMove, state);
        return None;
    };
    let path = outer.on(on);
    referee.open.turns.push(Turn::on(path));
    let is_chess = usize::from(referee.options.level) <= path.len();
    let is_known = referee.line.now().is_any() && referee.line.now().lost_around(path).is_none();
    if is_chess && state.judging && is_known {
        let words = format!("{path} is a board of chess, which has no boards inside");
        state.last.place = *parser.place();
        referee.refuse(
            path,
            "<",
            Refusal::new(words, &law::LEVELS, path),
            state,
            parser,
        );
    }
    None
}

/// An item of a turn lacks the address of its board, so it cannot be judged.
pub(super) fn without_address(
    referee: &Referee<Mega>,
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    if !state.judging || !referee.line.now().is_any() {
        return;
    }
    let text = decode(parser.text(place.span)).0.into_owned();
    let message = format!(
        "the board is missing: in a turn every item follows the address of its board, as in `A2.{text}`"
    );
    if let Some(finding) = state.find(&code::BAD_PLY, place, parser, message) {
        finding.rule = Some(&common::JUDGED);
    }
}

/// The side and number of a turn that begins, so that its number can be written.
pub(super) fn numbering(referee: &Referee<Mega>, state: &RecordState) -> Option<Canonical> {
    let position = referee
        .line
        .now()
        .position()
        .filter(|_| state.canonical && state.judging)?;
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

pub(super) fn close_turn(
    referee: &mut Referee<Mega>,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> Option<Canonical> {
    let turn = referee.open.turns.pop()?;
    referee.open.item = None;
    // `[%stands]` follows its act, before any bracket closes.
    state.last.refused = None;
    if !in_turn(referee) {
        referee.own.last = None;
    }
    if !state.judging || !referee.line.now().is_any() {
        return None;
    }
    let goes_on = |reading: &Mega| reading.goes_on_at(&turn.path) && turn.begun;
    if referee.line.now().iter().any(goes_on) {
        if !turn.doubtful {
            referee.own.short.push(*parser.place());
            stops_short(referee, &turn, state, parser);
        }
        stop(referee, &turn, state);
        return None;
    }
    referee.own.sign_due = Some((turn.sign, *parser.place()));
    let numbering = numbering(referee, state)?;
    Some(Canonical {
        suffix: turn.sign,
        ..numbering
    })
}

/// The turn ends although some board, under some reading, still owes a move.
pub(super) fn stops_short(
    referee: &Referee<Mega>,
    turn: &Turn,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    let now = referee.line.now();
    let all = now.iter().all(|reading| reading.goes_on_at(&turn.path));
    let place = *parser.place();
    if !all {
        let message = "whether this turn may stop here depends on a board that is not judged";
        state.find(&code::OPEN_PLY, place, parser, message.into());
        return;
    }
    let Some(Board::Mega(game)) = now
        .position()
        .and_then(|reading| reading.board_at(&turn.path))
    else {
        return;
    };
    let owed = match game.open() {
        Some(open) => list([MegaSquare(open)], "and"),
        None => list(game.offering().map(MegaSquare), "and"),
    };
    let made = game.used().count();
    let moves = if made == 1 { "move" } else { "moves" };
    let on = if turn.path.is_empty() {
        String::new()
    } else {
        format!(" on {}", turn.path)
    };
    let (number, side) = state.last.number;
    let message = format!(
        "{} the turn{on} stops after {made} board {moves}, and a move can still be made on {owed}",
        number_of(number, side)
    );
    let kind = if state.at_main_line() {
        &code::ILLEGAL_MOVE
    } else {
        &code::ILLEGAL_VARIATION
    };
    let moment = referee.moment(state);
    if let Some(finding) = state.find(kind, place, parser, message) {
        finding.rule = Some(&law::EIGHT);
        finding.moment = moment;
        finding.path = turn.path.to_string();
        finding.board = Some(Box::new(mega::panel(&game, false)));
    }
}

/// A game that was stopped from outside may have been in the middle of a turn, which is then no fault.
pub(super) fn excuse(referee: &mut Referee<Mega>, state: &mut RecordState) {
    let termination = state
        .current
        .header
        .text(Name::Termination)
        .map(|text| text.to_lowercase());
    let stopped = termination.is_some_and(|word| word != "normal");
    if stopped && !referee.own.short.is_empty() {
        let short = std::mem::take(&mut referee.own.short);
        state
            .findings
            .retain(|finding| !short.contains(&finding.place));
        state.current.course.ended = None;
        referee.own.stopped = true;
    }
}

/// Continues after a turn that ended too early.
pub(super) fn stop(referee: &mut Referee<Mega>, turn: &Turn, state: &mut RecordState) {
    let ended = |reading: &Mega| !reading.goes_on_at(&turn.path);
    if referee.line.now().iter().any(ended) {
        referee.line.change(|now| now.retain(ended));
        return;
    }
    referee.line.happen(turn.path, Happening::Stopped);
    if let Some(outer) = referee.open.turns.last_mut() {
        outer.begun = true;
    }
    if state.at_main_line() {
        referee.follow_course(true, state);
    }
}

/// Compares the sign after a closed turn with the right one.
pub(super) fn settle_sign(
    referee: &mut Referee<Mega>,
    event: Event,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    let Some((right, place)) = referee.own.sign_due.take() else {
        return;
    };
    let (given, place) = match event {
        Event::Suffix if parser.text(parser.place().span) == b"#" => {
            (Suffix::Mate, *parser.place())
        }
        Event::Suffix => (Suffix::Check, *parser.place()),
        _ => (Suffix::None, place),
    };
    if given != right {
        state.wrong_suffix(right, place, parser);
    }
}

/// Whether an item is in a turn that can take no further item, which has been reported; then its board is lost.
pub(super) fn is_void(referee: &mut Referee<Mega>, at: BoardPath, state: &mut RecordState) -> bool {
    let is_void = referee.open.turns.iter().any(|turn| turn.void);
    if is_void {
        referee.lose(at, Unjudged::ThisMove, state);
    }
    is_void
}
