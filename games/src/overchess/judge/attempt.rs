//! Illegal attempts: at actions such as consolidations, and at moves before which the record omits plies.

use super::{Over, action};
use overboard_formats::{encoding::decode, parse::Verb, san::San};
use overboard_referee::{
    game::judge::{Attempt, Judge as _},
    hearing::Hearing,
};
use overboard_rules::{
    game::{Game as _, Next, Said},
    path::BoardPath,
};

/// What an attempt at an action is, such as `<consolidate c3: d2+2P>`; `None` if it is something else.
pub(super) fn of_an_action(
    hearing: &Hearing<'_, Over>,
    at: BoardPath,
    text: &[u8],
) -> Option<Attempt> {
    let text = decode(text).0;
    let inside = text.strip_prefix('<').unwrap_or(&text);
    let inside = inside.strip_suffix('>').unwrap_or(inside).trim();
    let (word, said) = inside.split_once(' ').unwrap_or((inside, ""));
    let verbs = [Verb::Prisoners, Verb::Consolidate, Verb::Reserve];
    let verb = verbs.into_iter().find(|verb| verb.word() == word)?;
    Some(
        match action::read(verb, said, action::is_by_name(hearing)) {
            Ok(block) => judged(hearing, at, Said::Block(&block)),
            Err(_) => Attempt::Meaningless,
        },
    )
}

/// What an attempt at a move is before which plies are omitted, such as the prisoners of the sub-game just settled; `None`
/// if nothing is omitted.
pub(super) fn after_silence(
    hearing: &Hearing<'_, Over>,
    at: BoardPath,
    text: &[u8],
) -> Option<Attempt> {
    if !hearing.referee.position()?.may_be_unsaid() {
        return None;
    }
    let language = hearing.state.language();
    let san = San::parse_in(language, text, Over::ALPHABET).ok()?;
    Some(judged(hearing, at, Said::Ply(san.written)))
}

/// Judges an attempt in the position in which it would be played, after the plies that are omitted before it.
fn judged(hearing: &Hearing<'_, Over>, at: BoardPath, said: Said<'_, Over>) -> Attempt {
    let Some(position) = hearing.referee.position() else {
        return Attempt::Reported;
    };
    let mut over = position.clone();
    let next = Some(Next {
        at,
        said,
        numbered: true,
    });
    while over.may_be_unsaid()
        && let Ok(Some(ply)) = over.unsaid(next)
    {
        over = over.after(ply);
    }
    let (own, open) = (&hearing.referee.own, &hearing.referee.open);
    let is_barred = Over::bars(own, open, &over, at).is_some();
    match over.resolve(at, said) {
        Ok(_) if !is_barred => Attempt::Legal,
        _ => Attempt::Counts,
    }
}
