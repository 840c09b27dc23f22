//! The end of a record: compares its result with what happened.

use crate::{
    commands::tell_time,
    finding as code,
    game_state::{GameState, Offence},
    record_state::RecordState,
    referee::{Score, Standing},
    report::GameResult,
};
use overboard_formats::{
    foreign::Foreign,
    header::Name,
    parse::{Parser, is_result},
    span::TextSpan,
};
use overboard_rules::{
    general as common,
    outcome::{Cause, Outcome, Ruling},
    rule::Rule,
    square::Side,
};
use std::{borrow::Cow, cmp::Ordering};

/// Compares tag, marker, position, termination and clocks; returns the result.
pub fn conclude(state: &mut RecordState, standing: Standing, parser: &Parser<'_>) -> GameResult {
    let marker = state
        .current
        .marker
        .map(|place| (whole(parser.text(place.span)), place));
    let agreed = marker
        .is_some_and(|(text, _)| state.current.header.bytes(Name::Result) == Some(text.as_bytes()));
    let tag = if agreed {
        None
    } else {
        state.current.header.text(Name::Result)
    };
    let recorded = marker
        .map(|(text, _)| Cow::Borrowed(text))
        .or(tag.clone().map(|tag| said(tag.into())));
    let place = marker
        .map(|(_, place)| place)
        .or(state.current.header.place(Name::Result))
        .unwrap_or(state.last_word);
    let ruling = standing.ruling;
    // A result that the tag contradicts is not reported as unfounded, too.
    let is_contradicted = marker.is_some() && tag.is_some();
    let no_resignation = standing.no_resignation.filter(|_| !is_contradicted);
    let standing = Standing {
        no_resignation,
        ..standing
    };
    compare_tag(state, tag.as_deref(), marker, ruling, parser);
    if ruling.is_none() {
        open_offence(state, place, parser);
    }
    match ruling {
        // Where play went on after the end, a contradicting or missing result needs no finding of its own.
        Some(ruling)
            if state.current.course.played_on
                && (ruling.cause.is_said() || recorded.as_deref() == Some("*")) => {}
        Some(ruling) => against_ruling(state, ruling, recorded.as_deref(), place, parser),
        None if standing.complete => {
            without_ruling(state, standing, recorded.as_deref(), place, parser)
        }
        None => {}
    }
    if standing.complete {
        count_plies(state, parser);
    }
    if let Some(score) = standing.score {
        compare_score(state, score, parser);
    }
    GameResult {
        record: recorded.map(Foreign::new),
        judged: ruling.map(|r| r.outcome),
        rule: ruling.map(|r| r.rule),
    }
}

/// What ended a game in which a side may have said something forbidden. Offences are examined when the game
/// is over, by itself or by its result, and then they decide (SC-42).
pub fn with_offence(
    ended: Option<Ruling>,
    game: &GameState,
    parser: &Parser<'_>,
) -> Option<Ruling> {
    let Some(offence) = game.course.offence else {
        return ended;
    };
    let is_end = |result: &str| matches!(result, "1-0" | "0-1" | "1/2-1/2");
    let is_over = ended.is_some()
        || match game.marker {
            Some(place) => is_end(whole(parser.text(place.span))),
            None => game
                .header
                .text(Name::Result)
                .is_some_and(|tag| is_end(&said(tag.into()))),
        };
    let loss = || Ruling {
        outcome: Outcome::Win(offence.side.other()),
        cause: Cause::Infraction,
        rule: offence.rule,
    };
    if is_over { Some(loss()) } else { ended }
}

/// What the tag Result says: a result in its canonical spelling, else the value as it is.
fn said(tag: Cow<'_, str>) -> Cow<'_, str> {
    if is_result(tag.as_bytes()) {
        Cow::Borrowed(whole(tag.as_bytes()))
    } else {
        tag
    }
}

/// Reports an offence that an arbiter recorded although it decides nothing while the game goes on. Orders
/// that may not be given have findings of their own.
fn open_offence(state: &mut RecordState, place: TextSpan, parser: &Parser<'_>) {
    let Some(Offence { side, rule }) = state.current.course.offence else {
        return;
    };
    if state
        .findings
        .iter()
        .any(|finding| finding.code.id == code::BAD_ORDER.id)
    {
        return;
    }
    let message = format!(
        "{side} loses by rules infraction when the game is over, and this record does not end it"
    );
    if let Some(finding) = state.find(&code::OPEN_OFFENCE, place, parser, message) {
        finding.rule = Some(rule);
    }
}

/// A result in its canonical spelling.
fn whole(result: &[u8]) -> &'static str {
    match result {
        b"1-0" => "1-0",
        b"0-1" => "0-1",
        b"*" => "*",
        _ => "1/2-1/2",
    }
}

fn compare_tag(
    state: &mut RecordState,
    tag: Option<&str>,
    marker: Option<(&str, TextSpan)>,
    ruling: Option<Ruling>,
    parser: &Parser<'_>,
) {
    let Some(tag) = tag else { return };
    let place = state.current.header.place(Name::Result);
    if !matches!(tag, "1-0" | "0-1" | "1/2-1/2" | "*") {
        state.find(
            &code::TAG_VALUE,
            place.unwrap_or_default(),
            parser,
            "a result is `1-0`, `0-1`, `1/2-1/2` or `*`".into(),
        );
    }
    let Some((marker, at)) = marker else { return };
    // Where the tag is right, the finding is about the result after the moves.
    let meant = &*said(Cow::Borrowed(tag));
    if meant != marker && ruling.is_none_or(|ruling| ruling.outcome.as_str() != meant) {
        let message = format!("the tag says {tag}, but the moves end with {marker}");
        if let Some(finding) = state.find(&code::RESULT_MISMATCH, at, parser, message) {
            RecordState::explain_by(finding, place, "the tag", parser);
        }
    }
}

fn against_ruling(
    state: &mut RecordState,
    ruling: Ruling,
    recorded: Option<&str>,
    place: TextSpan,
    parser: &Parser<'_>,
) {
    let right = ruling.outcome.as_str();
    let Some(recorded) = recorded.filter(|recorded| *recorded != right) else {
        return;
    };
    let why = ruling.why_drawn();
    let message = format!(
        "the result is {right} by {}{why}, but {recorded} is recorded",
        ruling.cause
    );
    if let Some(finding) = state.find(&code::WRONG_RESULT, place, parser, message) {
        finding.rule = Some(ruling.rule);
    }
}

/// Nothing on the board or in the record ended the game: its result rests on the players' statement alone.
fn without_ruling(
    state: &mut RecordState,
    standing: Standing,
    recorded: Option<&str>,
    place: TextSpan,
    parser: &Parser<'_>,
) {
    let termination = state
        .current
        .header
        .text(Name::Termination)
        .map(|text| text.to_lowercase());
    let outcome = match recorded {
        Some("1-0") => Some(Outcome::Win(Side::White)),
        Some("0-1") => Some(Outcome::Win(Side::Black)),
        Some("1/2-1/2") => Some(Outcome::Draw),
        _ => None,
    };
    if let (Some(score), Some("time forfeit" | "adjudication"), Some(outcome)) =
        (standing.score, termination.as_deref(), outcome)
    {
        return by_kings(state, score, outcome, place, parser);
    }
    match (termination.as_deref(), outcome) {
        (Some("time forfeit"), Some(outcome)) => on_time(state, standing, outcome, place, parser),
        (Some("unterminated"), Some(_)) => {
            mismatch(state, "an unterminated game has the result `*`", parser);
        }
        (Some("normal" | "time forfeit"), None) if recorded == Some("*") => {
            mismatch(
                state,
                "a game that ended has a result other than `*`",
                parser,
            );
        }
        _ => {}
    }
    if let Some(Outcome::Win(_)) = outcome {
        rests_on_nothing(state, standing, termination.as_deref(), place, parser);
    }
    if outcome == Some(Outcome::Draw) {
        if let Some(rule) = state.current.course.wrong_claim
            && termination.as_deref() != Some("adjudication")
        {
            let message = "the draw rests on a claim that is not correct";
            if let Some(finding) = state.find(&code::WRONG_RESULT, place, parser, message.into()) {
                finding.rule = Some(rule);
            }
        }
        note_claims(state, standing.claims, place, parser);
    }
}

/// A win that rests on a claim that was wrong, or on a resignation where resigning is forbidden (GEN-14).
fn rests_on_nothing(
    state: &mut RecordState,
    standing: Standing,
    termination: Option<&str>,
    place: TextSpan,
    parser: &Parser<'_>,
) {
    let is_played_out = matches!(termination, None | Some("normal"));
    let wrong_claim = state.current.course.wrong_claim;
    let by_claim = standing
        .score
        .is_some_and(|score| wrong_claim.is_some_and(|rule| rule.id == score.laws.on_claim.id));
    let message = match standing.no_resignation {
        _ if !is_played_out => return,
        _ if by_claim => {
            "the result rests on a count of kings that could not be claimed".to_string()
        }
        Some(rule) if state.current.header.text(Name::Score).is_none() => format!(
            "nothing explains this result: nobody may resign ({}), and neither Termination nor Score says that time ended and the kings were counted",
            rule.id
        ),
        _ => return,
    };
    if let Some(finding) = state.find(&code::WRONG_RESULT, place, parser, message) {
        finding.rule = Some(&common::TRUE_RESULT);
    }
}

fn mismatch(state: &mut RecordState, message: &str, parser: &Parser<'_>) {
    let place = state
        .current
        .header
        .place(Name::Termination)
        .unwrap_or_default();
    state.find(&code::TERMINATION, place, parser, message.into());
}

fn on_time(
    state: &mut RecordState,
    standing: Standing,
    outcome: Outcome,
    place: TextSpan,
    parser: &Parser<'_>,
) {
    let to_move = standing.to_move;
    let can_mate = |side: Side| standing.can_mate[side];
    let (message, rule_broken) = match outcome {
        Outcome::Win(side) if !can_mate(side) => (
            Some(format!(
                "{side} won on time and could not mate: the result is 1/2-1/2"
            )),
            true,
        ),
        Outcome::Draw if can_mate(to_move.other()) => (
            Some(format!(
                "{to_move}'s flag fell and {} could mate: the result is {}",
                to_move.other(),
                Outcome::Win(to_move.other())
            )),
            true,
        ),
        Outcome::Win(side) if side == to_move => (
            Some(format!(
                "{} lost on time while it was {side}'s move",
                side.other()
            )),
            false,
        ),
        _ => (None, false),
    };
    if let Some(message) = message {
        if rule_broken {
            if let Some(finding) = state.find(&code::WRONG_RESULT, place, parser, message) {
                finding.rule = Some(&common::FLAG);
            }
        } else {
            mismatch(state, &message, parser);
        }
    }
    if let Outcome::Win(side) = outcome {
        time_left(state, side.other(), parser);
    }
}

/// More than this on the loser's clock is worth a note, in milliseconds.
const A_MINUTE: u64 = 60_000;

fn time_left(state: &mut RecordState, loser: Side, parser: &Parser<'_>) {
    let Some(left) = state
        .current
        .course
        .clocks
        .left(loser)
        .filter(|left| *left > A_MINUTE)
    else {
        return;
    };
    let place = state
        .current
        .header
        .place(Name::Termination)
        .unwrap_or_default();
    let message = format!(
        "{loser} lost on time, but the last clock recorded shows {}",
        tell_time(left)
    );
    state.find(&code::CLOCK_LEFT, place, parser, message);
}

fn note_claims(state: &mut RecordState, rule: &'static Rule, place: TextSpan, parser: &Parser<'_>) {
    for (right, name) in state
        .current
        .course
        .claimable
        .into_iter()
        .zip(["threefold repetition", "fifty moves"])
    {
        if let Some(ply) = right {
            let message = format!("a draw could be claimed by {name} since ply {ply}");
            if let Some(finding) = state.find(&code::CLAIMABLE, place, parser, message) {
                finding.rule = Some(rule);
                finding.ply = Some(ply);
            }
        }
    }
}

/// When time ends play on linked boards, the team with more kings has won (SC-30).
fn by_kings(
    state: &mut RecordState,
    score: Score,
    outcome: Outcome,
    place: TextSpan,
    parser: &Parser<'_>,
) {
    let [white, black] = score.kings.into_array();
    let right = match white.cmp(&black) {
        Ordering::Greater => Outcome::Win(Side::White),
        Ordering::Less => Outcome::Win(Side::Black),
        Ordering::Equal => Outcome::Draw,
    };
    if outcome != right {
        let message = format!(
            "White's team has {white} and Black's {black} of their kings: the result is {right}"
        );
        if let Some(finding) = state.find(&code::WRONG_RESULT, place, parser, message) {
            finding.rule = Some(score.laws.on_time);
        }
    }
}

/// The tag Score holds the kings left (SC-36).
fn compare_score(state: &mut RecordState, score: Score, parser: &Parser<'_>) {
    let [white, black] = score.kings.into_array();
    let Some(text) = state.current.header.text(Name::Score) else {
        return;
    };
    let right = format!("{white}-{black}");
    if text != right {
        let place = state.current.header.place(Name::Score).unwrap_or_default();
        let message = format!("the kings left are `{right}`, White's first");
        if let Some(finding) = state.find(&code::SCORE_TAG, place, parser, message) {
            finding.rule = Some(score.laws.tag);
        }
    }
}

fn count_plies(state: &mut RecordState, parser: &Parser<'_>) {
    let Some(text) = state.current.header.text(Name::PlyCount) else {
        return;
    };
    if text.parse() != Ok(state.current.plies) {
        let place = state
            .current
            .header
            .place(Name::PlyCount)
            .unwrap_or_default();
        let plies = state.current.plies;
        let noun = if plies == 1 { "ply" } else { "plies" };
        let message = format!("the record has {plies} {noun}, which is not the number in PlyCount");
        state.find(&code::PLY_COUNT, place, parser, message);
    }
}
