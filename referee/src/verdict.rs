//! The end of a record: compares its result with what happened.

use crate::{
    commands::tell_time,
    finding::{self as code, Code, Finding, Severity, set_rule},
    game_state::{GameState, Offence},
    record_state::RecordState,
    referee::{Score, StateAtEnd},
    report::GameResult,
    termination::{Termination, Winner},
};
use overboard_formats::{
    foreign::Foreign,
    header::Name,
    parse::{Parser, result_at_the_end, result_of},
    span::TextSpan,
};
use overboard_rules::{
    general as common,
    outcome::{Cause, Outcome, Prospect, Ruling},
    rule::Rule,
    square::Side,
};
use std::{borrow::Cow, cmp::Ordering};

impl RecordState {
    /// Compares tag, marker, position, termination and clocks; returns the result.
    pub fn conclude(&mut self, standing: StateAtEnd, parser: &Parser<'_>) -> GameResult {
        Conclusion::of(self, standing, parser).compare()
    }

    /// Whether the tag Termination of the game being read says that a flag fell.
    pub(crate) fn says_time_ended(&self) -> bool {
        let said = self.header().text(Name::Termination);
        let said = said.and_then(|said| Termination::read(&said));
        said.is_some_and(|said| said.cause == Some(Cause::Flag))
    }
}

/// A game that ends, and what its record says about its end.
struct Conclusion<'h> {
    state: &'h mut RecordState,
    parser: &'h Parser<'h>,
    standing: StateAtEnd,
    /// The result after the moves, and its place.
    marker: Option<(&'static str, TextSpan)>,
    /// The value of the tag Result, unless it says the same.
    tag: Option<String>,
    /// The result that the record gives: that after the moves, else that of the tag.
    recorded: Option<Cow<'static, str>>,
    /// Where it stands; the end of the record if there is none.
    place: TextSpan,
    /// The end of the moves.
    end: TextSpan,
}

impl<'h> Conclusion<'h> {
    fn of(state: &'h mut RecordState, standing: StateAtEnd, parser: &'h Parser<'h>) -> Self {
        let header = &state.header();
        let marker = state.games.current().marker;
        let read = |place: TextSpan| result_at_the_end(parser.text(place.span)).unwrap_or("*");
        let marker = marker.map(|place| (read(place), place));
        let agrees =
            marker.is_some_and(|(text, _)| header.bytes(Name::Result) == Some(text.as_bytes()));
        let tag = if agrees {
            None
        } else {
            header.text(Name::Result)
        };
        let (text, place) = marker.unzip();
        let of_tag = || Some(said(tag.clone()?.into()));
        Self {
            recorded: text.map(Cow::Borrowed).or_else(of_tag),
            place: place
                .or(header.place(Name::Result))
                .unwrap_or(state.last_word()),
            end: place.unwrap_or(state.last_word()),
            state,
            parser,
            standing,
            marker,
            tag,
        }
    }

    fn compare(mut self) -> GameResult {
        let ruling = self.standing.ruling;
        // A result that the tag contradicts is not reported as unfounded, too.
        if self.marker.is_some() && self.tag.is_some() {
            self.standing.no_resignation = None;
        }
        self.compare_tag();
        match ruling {
            Some(ruling) => {
                self.against_ruling(ruling);
                if let (Cause::Flag, Outcome::Win(winner)) = (ruling.cause, ruling.outcome) {
                    self.time_left(winner.other());
                }
            }
            None => {
                self.open_offence();
                if self.standing.complete {
                    self.without_ruling();
                }
            }
        }
        if ruling.is_some() || self.standing.complete {
            self.compare_termination();
        }
        if let Some(side) = self.state.course().undecided {
            self.rests_on_no_proof(side);
        }
        if self.standing.complete {
            self.count_plies();
            self.look_at_winners_clock();
        }
        if let Some(score) = self.standing.score {
            self.compare_score(score);
        }
        GameResult {
            record: self.recorded.map(Foreign::new),
            judged: ruling.map(|r| r.outcome),
            rule: ruling.map(|r| r.rule),
        }
    }

    fn find(
        &mut self,
        code: &'static Code,
        place: TextSpan,
        message: String,
    ) -> Option<&mut Finding> {
        let known_at = self.end.span.from;
        let finding = self.state.find(code, place, self.parser, message)?;
        // A remark on a tag stays where the tag stands.
        let is_error = finding.severity == Severity::Error;
        finding.known_at = is_error.then_some(known_at);
        Some(finding)
    }

    /// Reports a result that is wrong, with the rule that says so.
    fn wrong_result(&mut self, message: String, rule: &'static Rule) {
        set_rule(self.find(&code::WRONG_RESULT, self.place, message), rule);
    }

    fn compare_tag(&mut self) {
        let Some(tag) = self.tag.take() else { return };
        let is_canonical = matches!(&*tag, "*" | "0-0") || result_of(tag.as_bytes()) == Some(&*tag);
        if !is_canonical {
            let message = "a result is `1-0`, `0-1`, `1/2-1/2` or `*`; `0-0` if both lost";
            self.find(
                &code::TAG_VALUE,
                self.state.tag_place(Name::Result),
                message.into(),
            );
        }
        let Some((marker, at)) = self.marker else {
            return;
        };
        // Where the tag is right, the finding is about the result after the moves.
        let meant = said(Cow::Borrowed(&*tag));
        let ruling = self.standing.ruling;
        if meant != marker && ruling.is_none_or(|ruling| ruling.outcome.as_str() != meant) {
            let message = format!("the tag says {tag}, but the moves end with {marker}");
            let place = self.state.header().place(Name::Result);
            let parser = self.parser;
            if let Some(finding) = self.find(&code::RESULT_MISMATCH, at, message) {
                RecordState::explain_by(finding, place, "the tag", parser);
            }
        }
    }

    /// Reports an offence that an arbiter recorded although it decides nothing while the game goes on. Orders
    /// that may not be given have findings of their own.
    fn open_offence(&mut self) {
        let Some(Offence { side, rule }) = self.state.course().offence else {
            return;
        };
        let is_of_orders = |finding: &Finding| finding.code.id == code::BAD_ORDER.id;
        if self.state.findings.iter().any(is_of_orders) {
            return;
        }
        let message = format!(
            "{side} loses by rules infraction when the game is over, and this record does not end it"
        );
        set_rule(self.find(&code::OPEN_OFFENCE, self.place, message), rule);
    }

    fn against_ruling(&mut self, ruling: Ruling) {
        let right = ruling.outcome.as_str();
        let Some(recorded) = self.recorded.as_deref().filter(|said| *said != right) else {
            return;
        };
        // Where play went on after the end, a contradicting or missing result needs no finding of its own.
        let other = self.standing.other_result.map(Outcome::as_str);
        if other == Some(recorded) {
            let message = format!(
                "{recorded} is the result of the board on which the match ended; that of the teams is {right}"
            );
            self.find(&code::BOARD_RESULT, self.place, message);
            return;
        }
        let is_excused = ruling.cause.is_said() || recorded == "*";
        if self.state.course().played_on && is_excused {
            return;
        }
        if recorded == "*" && !ruling.cause.is_said() {
            let message = format!(
                "the game ended by {} ({right}), and `*` leaves its result open",
                ruling.cause
            );
            set_rule(
                self.find(&code::UNKNOWN_RESULT, self.place, message),
                ruling.rule,
            );
            return;
        }
        let why = ruling.why_drawn();
        let message = format!(
            "the result is {right} by {}{why}, but {recorded} is recorded",
            ruling.cause
        );
        self.wrong_result(message, ruling.rule);
    }

    /// Nothing on the board or in the record ended the game: its result rests on the players' statement alone.
    fn without_ruling(&mut self) {
        let said = self.termination();
        let cause = said.as_ref().and_then(|said| said.cause);
        let outcome = self.outcome();
        if let (Some(score), Some(Cause::Flag | Cause::Adjudication), Some(outcome)) =
            (self.standing.score, cause, outcome)
        {
            return self.by_kings(score, outcome);
        }
        let is_open = said.as_ref().is_some_and(|said| said.is_open);
        let is_normal = said.as_ref().is_some_and(Termination::is_normal);
        match outcome {
            Some(outcome) if cause == Some(Cause::Flag) => self.on_time(outcome),
            Some(_) if is_open => self.mismatch("an unterminated game has the result `*`"),
            None if (is_normal || cause == Some(Cause::Flag))
                && self.recorded.as_deref() == Some("*") =>
            {
                self.mismatch("a game that ended has a result other than `*`");
            }
            _ => {}
        }
        match outcome {
            Some(Outcome::Win(_)) if said.is_none() || is_normal => self.rests_on_nothing(),
            Some(Outcome::Draw) => self.rests_on_a_claim(cause),
            _ => {}
        }
    }

    /// What the tag Termination says, if that is known.
    fn termination(&self) -> Option<Termination> {
        Termination::read(&self.state.header().text(Name::Termination)?)
    }

    /// The result recorded, if the game has one.
    fn outcome(&self) -> Option<Outcome> {
        Outcome::read(self.recorded.as_deref()?)
    }

    /// Holds the tag Termination against how the game ended, and against who won.
    fn compare_termination(&mut self) {
        let Some(said) = self.termination() else {
            return;
        };
        if let Some(cause) = said.cause {
            self.compare_cause(cause);
        }
        if let Some((winner, outcome)) = said.winner.zip(self.outcome()) {
            self.compare_winner(winner, outcome);
        }
    }

    fn compare_cause(&mut self, said: Cause) {
        let ended = self.standing.ruling.map(|ruling| ruling.cause);
        let [repetition, progress] = self.state.course().claimable;
        let message = match (ended, said) {
            (Some(ended), _) if is_seen(ended) && !agrees(ended, said) => {
                format!("the game ended by {ended}, and not by {said}")
            }
            (None, Cause::Checkmate | Cause::Stalemate | Cause::DeadPosition) => {
                format!("the last position is no {said}")
            }
            (None, Cause::ThreefoldClaim) if repetition.is_none() => {
                "no position occurred three times".into()
            }
            (None, Cause::FiftyMoveClaim) if progress.is_none() => {
                "no fifty moves by each side went without a capture or a pawn move".into()
            }
            _ => return,
        };
        self.mismatch(&message);
    }

    /// Holds the winner whom a sentence names against the result.
    fn compare_winner(&mut self, winner: Winner, outcome: Outcome) {
        let is_his = match (&winner, outcome) {
            (Winner::Nobody, outcome) => outcome == Outcome::Draw,
            (Winner::Named(_), Outcome::Draw) => false,
            (Winner::Named(name), Outcome::Win(side)) => {
                let named = |tag| self.state.header().text(tag).as_ref() == Some(name);
                let [own, other] = match side {
                    Side::White => [Name::White, Name::Black],
                    Side::Black => [Name::Black, Name::White],
                };
                named(own) || !named(other)
            }
        };
        if !is_his {
            self.mismatch(&format!("the result is {outcome}"));
        }
    }

    /// A win that rests on a claim that was wrong, or on a resignation where resigning is forbidden (GEN-14).
    fn rests_on_nothing(&mut self) {
        let wrong_claim = self.state.course().wrong_claim;
        let by_claim = self
            .standing
            .score
            .is_some_and(|score| wrong_claim.is_some_and(|rule| rule.id == score.laws.on_claim.id));
        let has_score = self.state.header().text(Name::Score).is_some();
        let message = match self.standing.no_resignation {
            _ if by_claim => {
                "the result rests on a count of kings that could not be claimed".to_string()
            }
            Some(rule) if !has_score => format!(
                "nothing explains this result: nobody may resign ({}), and neither Termination nor Score says that time ended and the kings were counted",
                rule.id
            ),
            _ => return,
        };
        self.wrong_result(message, &common::TRUE_RESULT);
    }

    /// A draw that rests on a claim, which may be wrong; or one that could have been claimed.
    fn rests_on_a_claim(&mut self, said: Option<Cause>) {
        if let Some(rule) = self.state.course().wrong_claim
            && said != Some(Cause::Adjudication)
        {
            let message = "the draw rests on a claim that is not correct";
            self.wrong_result(message.into(), rule);
        }
        let rights = ["threefold repetition", "fifty moves"];
        let rule = self.standing.claims;
        for (right, name) in self.state.course().claimable.into_iter().zip(rights) {
            let Some(ply) = right else { continue };
            let message = format!("a draw could be claimed by {name} since ply {ply}");
            if let Some(finding) = self.find(&code::CLAIMABLE, self.place, message) {
                finding.rule = Some(rule);
                finding.ply = Some(ply);
            }
        }
    }

    fn mismatch(&mut self, message: &str) {
        let place = self.state.tag_place(Name::Termination);
        self.find(&code::TERMINATION, place, message.into());
    }

    fn on_time(&mut self, outcome: Outcome) {
        let can_mate = self.standing.can_mate;
        match (outcome, self.standing.to_move) {
            (Outcome::Win(side), _) if !can_mate[side].is_possible() => {
                let message = format!(
                    "{}'s flag fell and {side} could not mate: the result is 1/2-1/2",
                    side.other()
                );
                self.wrong_result(message, &common::FLAG);
            }
            // Whose flag fell is only guessed from whose move it was: the mover may not have pressed (FIDE 6.2.1).
            (Outcome::Draw, Some(to_move)) if can_mate[to_move.other()].is_possible() => {
                let waiting = to_move.other();
                self.mismatch(&format!(
                    "if {to_move}'s flag fell, whose move it was, {waiting} could mate and has won"
                ));
            }
            (Outcome::Win(side), Some(to_move)) if side == to_move => {
                self.mismatch(&format!(
                    "{}'s flag fell while it was {side}'s move",
                    side.other()
                ));
            }
            _ => {}
        }
        if let Outcome::Win(side) = outcome {
            self.time_left(side.other());
            if can_mate[side] == Prospect::Undecided {
                self.rests_on_no_proof(side);
            }
        }
    }

    /// The result supposes that a side could still mate.
    fn rests_on_no_proof(&mut self, side: Side) {
        let message = format!(
            "whether {side} could still mate was not decided; the result supposes that it was possible"
        );
        set_rule(
            self.find(&code::UNDECIDED_MATE, self.place, message),
            &common::FLAG,
        );
    }

    /// Reports a winner without time left; a mate on the board counts before a flag.
    fn look_at_winners_clock(&mut self) {
        let Some(Outcome::Win(winner)) = self.outcome() else {
            return;
        };
        let is_mate = self
            .standing
            .ruling
            .is_some_and(|ruling| is_seen(ruling.cause));
        let left = self.state.course().clocks.left(winner);
        if is_mate || left != Some(0) {
            return;
        }
        let message =
            format!("{winner} won, and {winner}'s last clock recorded shows no time left");
        self.find(&code::WINNER_OUT_OF_TIME, self.place, message);
    }

    fn time_left(&mut self, loser: Side) {
        let left = self.state.course().clocks.left(loser);
        let Some(left) = left.filter(|left| *left > A_MINUTE) else {
            return;
        };
        let message = format!(
            "{loser}'s flag fell, but the last clock recorded shows {}",
            tell_time(left)
        );
        let place = self.state.header().place(Name::Termination);
        self.find(&code::CLOCK_LEFT, place.unwrap_or(self.place), message);
    }

    /// When time ends play on linked boards, the team with more kings has won (SC-30).
    fn by_kings(&mut self, score: Score, outcome: Outcome) {
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
            self.wrong_result(message, score.laws.on_time);
        }
    }

    /// The tag Score holds the kings left (SC-36).
    fn compare_score(&mut self, score: Score) {
        let Some(text) = self.state.header().text(Name::Score) else {
            return;
        };
        let [white, black] = score.kings.into_array();
        let right = format!("{white}-{black}");
        if text != right {
            let message = format!("the kings left are `{right}`, White's first");
            let place = self.state.tag_place(Name::Score);
            set_rule(self.find(&code::SCORE_TAG, place, message), score.laws.tag);
        }
    }

    fn count_plies(&mut self) {
        let Some(text) = self.state.header().text(Name::PlyCount) else {
            return;
        };
        let plies = self.state.games.current().plies;
        if text.parse() != Ok(plies) {
            let noun = if plies == 1 { "ply" } else { "plies" };
            let message =
                format!("the record has {plies} {noun}, which is not the number in PlyCount");
            let place = self.state.tag_place(Name::PlyCount);
            self.find(&code::PLY_COUNT, place, message);
        }
    }
}

/// Whether the last position shows that the game ended so.
const fn is_seen(cause: Cause) -> bool {
    matches!(
        cause,
        Cause::Checkmate
            | Cause::Stalemate
            | Cause::DeadPosition
            | Cause::Fivefold
            | Cause::Threefold
            | Cause::SeventyFiveMoves
            | Cause::MegaMate
            | Cause::MegaStalemate
    )
}

/// Whether a tag may give this cause for an end that the last position shows. What an arbiter decided afterwards says
/// nothing about it.
fn agrees(ended: Cause, said: Cause) -> bool {
    let is_decided = said.is_adjudication()
        || matches!(said, Cause::Infraction | Cause::Death | Cause::Emergency);
    let is_same = match said {
        Cause::ThreefoldClaim => matches!(ended, Cause::Fivefold | Cause::Threefold),
        Cause::FiftyMoveClaim => ended == Cause::SeventyFiveMoves,
        _ => ended == said,
    };
    is_decided || is_same
}

/// More than this on the loser's clock is worth a note, in milliseconds.
const A_MINUTE: u64 = 60_000;

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
    let is_end = |text: &[u8]| result_at_the_end(text).is_some_and(|result| result != "*");
    let is_over = ended.is_some()
        || match game.marker {
            Some(place) => is_end(parser.text(place.span)),
            None => game
                .header
                .text(Name::Result)
                .is_some_and(|tag| is_end(tag.as_bytes())),
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
    result_of(tag.as_bytes()).map_or(tag, Cow::Borrowed)
}
