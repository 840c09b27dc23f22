//! Actions: prisoners, reserves, consolidations.

use super::{
    Over,
    block::{enter, settle_roles},
    contained, is_in_chess, judged, lacks_a_block, make,
    refusal::{Refused, refuse_act},
};
use crate::overchess::{self, Block, CountedPieces, Roster};
use overboard_formats::parse::Verb;
use overboard_referee::{
    finding as code, game::judge::Judge as _, hearing::Hearing, numbering::Unjudged,
};
use overboard_rules::{
    game::{Game as _, Said},
    path::BoardPath,
    square::Square,
};

pub(super) fn act_out(hearing: &mut Hearing<'_, Over>) {
    let Some((verb, said, place)) = hearing.referee.own.action.take() else {
        return;
    };
    let read = read(verb, &said, is_by_name(hearing));
    let text = format!("<{}{said}>", verb.word());
    if !is_in_chess(hearing.referee) {
        let said = read.as_ref().map_or(Said::Unreadable, Said::Block);
        enter(hearing, Some(said));
    }
    if judged(hearing).is_none() {
        return;
    }
    if let Ok(block) = &read
        && contained::settles(hearing, block)
    {
        return;
    }
    if contained::is_in_doubtful_variation(hearing) {
        return hearing.lose(BoardPath::OUTERMOST, Unjudged::ThisMove);
    }
    let here = Over::here(hearing.referee);
    if hearing.is_past_the_end(here) {
        return hearing.report_past_the_end(here, place);
    }
    if let Some(refusal) = Over::bars(
        &hearing.referee.own,
        &hearing.referee.open,
        hearing.referee.latest(),
        here,
    ) {
        let refused = Refused::of((refusal.words, refusal.rule));
        return refuse_act(hearing, &text, refused, place);
    }
    if !is_in_chess(hearing.referee) && lacks_a_block(hearing, place) {
        return;
    }
    let block = match read {
        Ok(block) => block,
        Err(expected) => {
            let message = format!("this action cannot be read; expected {expected}");
            hearing.find(&code::BAD_PLY, place, message);
            return hearing.lose(BoardPath::OUTERMOST, Unjudged::ThisMove);
        }
    };
    if contained::is_open(hearing, &block) {
        return contained::act(hearing, &text, &block, place);
    }
    let position = hearing.referee.latest();
    let run = match position.resolve(here, Said::Block(&block)) {
        Ok(run) => run,
        Err(refusal) => {
            let refused = Refused::of_act(*refusal, &block, position);
            return refuse_act(hearing, &text, refused, place);
        }
    };
    if verb == Verb::Consolidate {
        count_consolidation(hearing);
    }
    for ply in run {
        make(hearing, ply);
    }
    settle_roles(hearing);
}

/// Counts a consolidation as a ply.
pub(super) fn count_consolidation(hearing: &mut Hearing<'_, Over>) {
    hearing.referee.line.remember();
    hearing.state.games.current_mut().plies += u32::from(hearing.state.at_main_line());
    // The next ply follows it directly.
    hearing.state.numbers.pass();
}

/// Whether individuals are referred to by their names: their sub-games are not chess.
pub(super) fn is_by_name(hearing: &Hearing<'_, Over>) -> bool {
    hearing.referee.open.blocks.len() + 1 < usize::from(hearing.referee.options.depth)
}

/// Parses the act of an action; the error says what was expected.
pub(super) fn read(verb: Verb, said: &str, by_name: bool) -> Result<Block, &'static str> {
    match verb {
        Verb::Prisoners if by_name => named(said.split_whitespace()).map(Block::Prisoners),
        Verb::Prisoners => {
            let roster = pieces(said.split_whitespace()).ok_or("pieces such as `2P N`")?;
            Ok(Block::Prisoners(CountedPieces::pieces(roster)))
        }
        Verb::Reserve => {
            let read = addressed(said)
                .and_then(|(on, words)| Some(Block::Reserve(on, pieces(words.into_iter())?)));
            read.ok_or("a square and pieces, such as `f6: 2P N`")
        }
        Verb::Consolidate if by_name => consolidation(
            said,
            |who| named([who].into_iter()),
            "a square and where its individuals go, such as `c3: d2+c2/a2 f1+c2/b1`",
        ),
        Verb::Consolidate => {
            const EXPECTED: &str = "a square and where its pieces go, such as `c3: d2+2P f1+N`";
            consolidation(
                said,
                |roster| {
                    overchess::roster(roster)
                        .map(CountedPieces::pieces)
                        .ok_or(EXPECTED)
                },
                EXPECTED,
            )
        }
    }
}

/// The roster of words such as `2P N`.
fn pieces<'a>(words: impl Iterator<Item = &'a str>) -> Option<Roster> {
    overchess::roster(&words.collect::<String>())
}

/// `e7/a2 e7/b1`; `2P e7/b1` if there is no choice of pawns; `0` for nobody. Names begin with a lower-case letter.
fn named<'a>(words: impl Iterator<Item = &'a str> + Clone) -> Result<CountedPieces, &'static str> {
    let mut counted = CountedPieces::default();
    if pieces(words.clone()) == Some(Roster::NONE) {
        return Ok(counted);
    }
    for word in words {
        match overchess::roster(word).filter(|roster| !roster.is_none()) {
            Some(roster) => counted.pieces = counted.pieces.joined(roster),
            None => counted
                .names
                .push(overchess::name(word).ok_or("individuals such as `e7/a2`")?),
        }
    }
    Ok(counted)
}

/// A square, a colon and what follows them.
fn addressed(said: &str) -> Option<(Square, Vec<&str>)> {
    let (on, rest) = said.split_once(':').unwrap_or((said, ""));
    Some((
        overchess::square_named(on.trim())?,
        rest.split_whitespace().collect(),
    ))
}

/// `c3: d2+2P f1+N`; the argument parses who goes to each square.
fn consolidation(
    said: &str,
    who: impl Fn(&str) -> Result<CountedPieces, &'static str>,
    expected: &'static str,
) -> Result<Block, &'static str> {
    let (from, words) = addressed(said).ok_or(expected)?;
    let mut gifts = Vec::new();
    for word in words {
        let (to, text) = word.split_once('+').ok_or(expected)?;
        gifts.push((overchess::square_named(to).ok_or(expected)?, who(text)?));
    }
    Ok(Block::Consolidate(from, gifts))
}
