//! Boards that are drawn instead of a move on them (MG-13), and the claims on which such draws are based.

use super::{Item, Mega, is_judged, item_on_lost, turn::is_void};
use crate::mega::laws as law;
use overboard_formats::{canonical::Canonical, encoding::decode, san::San, span::TextSpan};
use overboard_referee::{
    claims::Claimed, finding as code, game::judge::Judge as _, hearing::Hearing,
    numbering::Unjudged,
};
use overboard_rules::{
    game::{Claim, Game as _, Refusal, Said},
    path::BoardPath,
    position::Found,
};

/// A board that is drawn as an item of the turn (MG-13).
pub(super) fn drawn_item(hearing: &mut Hearing<'_, Mega>) -> Option<Canonical> {
    hearing.state.last.place = hearing.place();
    hearing.state.last.refused = None;
    Mega::begin_ply(hearing);
    let path = Mega::address(hearing);
    if !is_judged(hearing) {
        return None;
    }
    let Some(path) = path else {
        hearing.lose(BoardPath::OUTERMOST, Unjudged::ThisMove);
        return None;
    };
    if hearing.is_past_the_end(path) {
        hearing.report_past_the_end(path, hearing.state.last.place);
        return None;
    }
    let text = decode(hearing.parser.text(hearing.state.last.place.span))
        .0
        .into_owned();
    match &*text {
        "1-0" | "0-1" => {
            let words = "a board is won by mate or by a forfeit; it cannot be resigned";
            hearing.refuse(path, &text, Refusal::new(words, &law::AGREED, path));
            return None;
        }
        "1/2-1/2" => {}
        _ => {
            let message = "a draw is written `1/2-1/2`";
            hearing.find(&code::RESULT_FORM, hearing.state.last.place, message.into());
        }
    }
    if let Some(lost) = hearing.referee.now().lost_around(path) {
        item_on_lost(hearing, lost, path);
        return None;
    }
    if is_void(hearing, path) {
        return None;
    }
    let drawn = (
        hearing.referee.latest().clone(),
        hearing.referee.open.clone(),
    );
    let canonical = hearing.act(path, Said::Draw, None);
    if let Some(item) = &mut hearing.referee.own.last {
        item.drawn = Some(drawn);
    }
    canonical
}

/// Why a draw on a board was made: an incorrect claim makes it illegal (MG-13).
pub(super) fn claim_on_item(
    hearing: &mut Hearing<'_, Mega>,
    arguments: &[u8],
    place: TextSpan,
) -> bool {
    let Some(Claimed {
        claim, intended, ..
    }) = Claimed::read(arguments)
    else {
        return false;
    };
    let read = |text| San::parse_in(hearing.state.language(), text, Mega::ALPHABET);
    let Ok(intended) = intended.map(read).transpose() else {
        return false;
    };
    let Some(Item {
        path,
        place: at,
        steps,
        drawn,
    }) = hearing.referee.own.last.take()
    else {
        return true;
    };
    let is_lost = hearing.referee.now().lost_around(path).is_some();
    let known = if is_lost { None } else { drawn };
    let Some((before, open)) = known else {
        hearing.wrong_claim(format!(
                "no draw is recorded on {path}: it takes the place of the move there, `{path}.1/2-1/2`"
            ), &law::AGREED, place);
        return true;
    };
    let Some(why) = against_claim(before, path, claim, intended) else {
        return true;
    };
    hearing.referee.line.back_to(steps);
    hearing.referee.open = open;
    hearing.state.last.place = at;
    let words = format!("the claim that it rests on is not correct: {why}");
    hearing.refuse(path, "1/2-1/2", Refusal::new(words, &law::AGREED, path));
    true
}

/// Why a claim is not correct on a board of a position, or after the move intended there.
fn against_claim(
    before: Mega,
    path: BoardPath,
    claim: Claim,
    intended: Option<San>,
) -> Option<&'static str> {
    let reached = match intended.map(|san| before.find(path, &san.written)) {
        None => before,
        Some(Found::One(ply)) => before.after(ply),
        Some(Found::None | Found::Several) => return Some("the move intended is not legal"),
    };
    let may = reached.claimable(path, 1);
    match claim {
        Claim::Repetition if !may.repetition => Some("the position has not occurred three times"),
        Claim::Progress if !may.progress => Some("fifty moves have not been made"),
        _ => None,
    }
}
