//! Boards that are drawn instead of a move on them (MG-13), and the claims on which such draws are based.

use super::{Item, Mega, Referee, turn::is_void};
use crate::mega::laws as law;
use overboard_formats::{
    canonical::Canonical, encoding::decode, parse::Parser, san::San, span::TextSpan,
};
use overboard_referee::{
    commands::claimed, finding as code, game::judged::Judged as _, numbering::Unjudged,
    record_state::RecordState,
};
use overboard_rules::{
    game::{Game as _, Refusal, Said},
    path::BoardPath,
    ply::Written,
    position::Found,
};

/// A board that is drawn as an item of the turn (MG-13).
pub(super) fn drawn_item(
    referee: &mut Referee<Mega>,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> Option<Canonical> {
    state.last.place = *parser.place();
    state.last.refused = None;
    Mega::begin_ply(referee, state, parser);
    let path = Mega::address(referee, state, parser);
    if !state.judging || !referee.line.now().is_any() {
        return None;
    }
    let Some(path) = path else {
        referee.lose(BoardPath::OUTERMOST, Unjudged::ThisMove, state);
        return None;
    };
    if referee.is_past_the_end(path, state) {
        return referee.past_the_end(path, state, parser);
    }
    let text = decode(parser.text(state.last.place.span)).0.into_owned();
    match &*text {
        "1-0" | "0-1" => {
            let words = "a board is won by mate or by a forfeit; it cannot be resigned";
            referee.refuse(
                path,
                &text,
                Refusal::new(words, &law::AGREED, path),
                state,
                parser,
            );
            return None;
        }
        "1/2-1/2" => {}
        _ => {
            let message = "a draw is written `1/2-1/2`";
            state.find(&code::RESULT_FORM, state.last.place, parser, message.into());
        }
    }
    if let Some(lost) = referee.line.now().lost_around(path) {
        Mega::on_lost(referee, lost, path, &Written::Pass, state);
        return None;
    }
    if is_void(referee, path, state) {
        return None;
    }
    let drawn = (referee.line.now().latest().clone(), referee.open.clone());
    let reported = referee.act(path, Said::Draw, None, state, parser);
    if let Some(item) = &mut referee.own.last {
        item.drawn = Some(drawn);
    }
    reported
}

/// Why a draw on a board was made: an incorrect claim makes it illegal (MG-13).
pub(super) fn claim_on_item(
    referee: &mut Referee<Mega>,
    arguments: &[u8],
    place: TextSpan,
    state: &mut RecordState,
    parser: &Parser<'_>,
) -> bool {
    let Some((repeats, intended)) = claimed(arguments) else {
        return false;
    };
    let read = |text| San::parse_in(state.options.limits.language, text, Mega::ALPHABET);
    let Ok(intended) = intended.map(read).transpose() else {
        return false;
    };
    let Some(Item {
        path,
        place: at,
        steps,
        drawn,
    }) = referee.own.last.take()
    else {
        return true;
    };
    let Some((before, open)) = drawn.filter(|_| referee.line.now().lost_around(path).is_none())
    else {
        state.wrong_claim(
            format!(
                "no draw is recorded on {path}: it takes the place of the move there, `{path}.1/2-1/2`"
            ),
            &law::AGREED,
            place,
            parser,
        );
        return true;
    };
    let reached = match intended.map(|san| before.find(path, &san.written)) {
        None => Some(before),
        Some(Found::One(ply)) => Some(before.after(ply)),
        Some(Found::None | Found::Several) => None,
    };
    let claimable = reached.as_ref().map(|reached| reached.claimable(path, 1));
    if claimable.is_some_and(|may| {
        if repeats {
            may.repetition
        } else {
            may.progress
        }
    }) {
        return true;
    }
    let why = match claimable {
        None => "the move intended is not legal",
        Some(_) if repeats => "the position has not occurred three times",
        Some(_) => "fifty moves have not been made",
    };
    referee.line.back_to(steps);
    referee.open = open;
    state.last.place = at;
    let words = format!("the claim that it rests on is not correct: {why}");
    referee.refuse(
        path,
        "1/2-1/2",
        Refusal::new(words, &law::AGREED, path),
        state,
        parser,
    );
    true
}
