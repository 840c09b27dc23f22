//! Comments and results of BPGN, as the referee hears them.

use super::{
    super::{Bughouse, LinkedBoard, judge::Tables, laws as law, team},
    SEATS, Seat, tags,
    words::{self, End},
};
use overboard_formats::{
    encoding::decode,
    header::{Name, same_name},
    lex::Part,
    parse::{Event, GrammarFault, result_at_the_end, result_of},
    span::TextSpan,
};
use overboard_referee::{
    finding::{self as code, set_rule},
    game::dialect::Dialect,
    hearing::Hearing,
    record_state::{RecordState, players::Players},
    referee::Referee,
};
use overboard_rules::{
    game::{Game as _, Happening},
    outcome::{Cause, Outcome, Ruling},
    square::Side,
};

/// What is known about a record because it has, or may have, forms of BPGN.
#[derive(Default)]
pub struct Heard {
    /// Whether its tags name the players as BPGN does.
    pub(crate) is_bpgn: bool,
    /// Whether its clocks show what was used and not what is left (BH-9).
    counts_up: bool,
    /// The kinds of forms that were named.
    named: u8,
    /// The comment read last, if it says how the match ended.
    said: Option<(End, TextSpan)>,
    /// How the comment read last is written, if it has a time.
    rewritten: Option<String>,
    /// How the comment before the result is written, if it says how the match ended.
    end_rewritten: Option<String>,
    /// The seat of the player who lost the match by what was said.
    loser: Option<Seat>,
    /// The team that has won by what was said.
    winner: Option<Side>,
}

/// A kind of form, of which one is named in a record.
#[derive(Clone, Copy)]
enum Form {
    Tags,
    Clock,
    Stamp,
    End,
    Capitals,
    Open,
}

/// What there is to do about forms of BPGN.
pub const BPGN: Dialect<Bughouse> = Dialect {
    read_tags,
    remark,
    rewritten: |referee| referee.own.heard.rewritten.take(),
    leaves_open: |referee| referee.own.leaves_open(),
    end_rewritten: |referee| referee.own.heard.end_rewritten.take(),
    other_result,
    right_result,
};

/// Reads the tags of BPGN.
fn read_tags(state: &mut RecordState) {
    tags::read(&mut state.games.current_mut().header);
}

/// The game begins: says once that its tags are those of BPGN.
pub fn begin(hearing: &mut Hearing<'_, Bughouse>) {
    let header = hearing.state.header();
    let place = tags::place(header);
    let site = header.text(Name::Site).unwrap_or_default();
    let heard = &mut hearing.referee.own.heard;
    heard.counts_up = site.to_ascii_lowercase().contains("chess.com");
    heard.is_bpgn = place.is_some();
    if let Some(place) = place {
        let message = "the tags of BPGN: here the tags White and Black list the player of each team on board A, then on board B";
        name(hearing, Form::Tags, place, message);
    }
}

/// Names a kind of form, if it was not named yet.
fn name(hearing: &mut Hearing<'_, Bughouse>, form: Form, place: TextSpan, message: &str) {
    let bit = 1 << form as u8;
    let named = &mut hearing.referee.own.heard.named;
    if *named & bit != 0 {
        return;
    }
    *named |= bit;
    set_rule(
        hearing.find(&code::BPGN_FORM, place, message.into()),
        &law::BPGN,
    );
}

/// Something else follows a comment that seemed to say how the match ended.
pub fn overhear(hearing: &mut Hearing<'_, Bughouse>, event: Event) {
    let ends = matches!(
        event,
        Event::Result
            | Event::UnderWay
            | Event::End
            // Without a ply after it a number means nothing.
            | Event::Number
            | Event::Fault(
                GrammarFault::NoResult | GrammarFault::NumberForm | GrammarFault::Control
            )
    );
    let heard = &mut hearing.referee.own.heard;
    if !ends {
        heard.said = None;
    }
}

/// Handles a piece of a comment: a time, or how the match ended.
fn remark(hearing: &mut Hearing<'_, Bughouse>, part: Part, text: &[u8]) -> bool {
    hearing.referee.own.heard.rewritten = None;
    if part != Part::WHOLE || !hearing.state.judging.is_on() {
        return false;
    }
    match text.trim_ascii() {
        time @ [b'0'..=b'9', ..] => clock(hearing, time),
        time @ [b'[', b't', ..] => stamp(hearing, time),
        [.., b'}' | b']'] => false,
        words => {
            let seat = |name: &str| seat_of(&hearing.state.players, name);
            let end = End::read(&decode(words).0, seat);
            hearing.referee.own.heard.said = end.map(|end| (end, hearing.place()));
            false
        }
    }
}

/// The names of the players, in the order of [`SEATS`].
pub fn names(players: &Players) -> [String; 4] {
    SEATS.map(|(board, side)| {
        let players = players.team(team(board, side));
        players.get(board).cloned().unwrap_or_default()
    })
}

/// The seat of a player, as an index of [`SEATS`].
fn seat_of(players: &Players, name: &str) -> Option<usize> {
    SEATS.iter().position(|(board, side)| {
        let players = players.team(team(*board, *side));
        players
            .get(*board)
            .is_some_and(|known| same_name(known, name))
    })
}

/// A clock reading in seconds.
fn clock(hearing: &mut Hearing<'_, Bughouse>, text: &[u8]) -> bool {
    let is_after_ply = hearing.state.last.moved;
    if hearing.referee.own.heard.counts_up || !is_after_ply {
        return false;
    }
    let Some(shown) = words::seconds(text) else {
        return false;
    };
    let place = hearing.place();
    hearing.clock(shown, place);
    name(
        hearing,
        Form::Clock,
        place,
        "a clock in seconds, which is a command here: `[%clk 0:02:59.5]`",
    );
    if hearing.state.wants_canonical() {
        let shown = words::clock(shown);
        hearing.referee.own.heard.rewritten = Some(format!("[%clk {shown}]"));
    }
    true
}

/// The time since the start of the match, in seconds.
fn stamp(hearing: &mut Hearing<'_, Bughouse>, text: &[u8]) -> bool {
    let Some(since) = words::stamp(text) else {
        return false;
    };
    let place = hearing.place();
    hearing.state.stamp(since, place, hearing.parser);
    name(
        hearing,
        Form::Stamp,
        place,
        "the time since the start in seconds, which is a command here: `[%ts 0:00:00.861]`",
    );
    if hearing.state.wants_canonical() {
        let since = words::clock(since);
        hearing.referee.own.heard.rewritten = Some(format!("[%ts {since}]"));
    }
    true
}

/// A ply of the other colour than its number says was taken by the turn.
pub fn note_capitals(hearing: &mut Hearing<'_, Bughouse>) {
    let place = hearing.place();
    name(
        hearing,
        Form::Capitals,
        place,
        "the letter of a board is capital for both colours; here it is small for Black",
    );
}

/// The moves are over: the comment before the result may have said why.
pub fn settle(hearing: &mut Hearing<'_, Bughouse>) {
    if let Some((end, place)) = hearing.referee.own.heard.said.take() {
        let written = obey(hearing, end, place);
        hearing.referee.own.heard.end_rewritten = written;
    }
    let heard = &hearing.referee.own.heard;
    let is_bpgn = heard.is_bpgn;
    if is_bpgn && hearing.state.course().ended.is_none() {
        compare_words(hearing);
    }
}

/// Notes who lost or won by the words before a result.
fn note_winner(heard: &mut Heard, end: End) {
    match end {
        End::Resigned(seat) | End::Mated(seat) | End::Flagged(seat) => {
            let (board, side) = SEATS[seat];
            heard.loser = Some((board, side));
            heard.winner = Some(team(board, side).other());
        }
        End::Won(seat) => {
            let (board, side) = SEATS[seat];
            heard.winner = Some(team(board, side));
        }
        End::Agreed | End::Repeated | End::AllFlagged | End::Aborted => {}
    }
}

/// Does what the words before a result say, and returns the command that says the same.
fn obey(hearing: &mut Hearing<'_, Bughouse>, end: End, place: TextSpan) -> Option<String> {
    note_winner(&mut hearing.referee.own.heard, end);
    if hearing.state.course().ended.is_some() {
        return None;
    }
    let written = match end {
        End::Resigned(seat) => {
            let (board, side) = SEATS[seat];
            let outcome = Outcome::Win(team(board, side).other());
            let game = hearing.state.games.current_mut();
            game.end_by(outcome, Cause::Resignation, &law::MATCH_END);
            Some(format!("[%resign {}]", seated(seat)))
        }
        End::Flagged(seat) => {
            let (board, side) = SEATS[seat];
            let at = LinkedBoard::of(board);
            hearing.fall(at, Happening::Flag(side))?;
            hearing.state.course_mut().ended = hearing.referee.ruling();
            Some(format!("[%flag {}]", seated(seat)))
        }
        End::Agreed => {
            let game = hearing.state.games.current_mut();
            game.end_by(Outcome::Draw, Cause::Agreement, &law::MATCH_END);
            Some("[%draw agreed]".into())
        }
        End::AllFlagged => {
            let game = hearing.state.games.current_mut();
            game.end_by(Outcome::Draw, Cause::Flag, &law::MATCH_END);
            None
        }
        End::Repeated => {
            repeated(hearing, place);
            None
        }
        End::Mated(_) => {
            let message = "the last position is no checkmate";
            hearing.find(&code::TERMINATION, place, message.into());
            None
        }
        End::Won(_) | End::Aborted => None,
    };
    if written.is_some() {
        name(
            hearing,
            Form::End,
            place,
            "how the match ended in words; here a command says it, such as `[%resign W:A]`",
        );
    }
    written
}

/// A seat as commands name it: `W:B` for White on board B.
pub fn seated(seat: usize) -> String {
    let (board, side) = SEATS[seat];
    let letter = if side == Side::White { 'W' } else { 'B' };
    format!("{letter}:{}", LinkedBoard::of(board))
}

/// The words say that a position occurred for the third time.
fn repeated(hearing: &mut Hearing<'_, Bughouse>, place: TextSpan) {
    let position = hearing.referee.latest();
    if position.claimable(LinkedBoard::All, 1).repetition {
        let game = hearing.state.games.current_mut();
        game.end_by(Outcome::Draw, Cause::ThreefoldClaim, &law::REPETITION);
    } else {
        let message = "no position occurred three times";
        hearing.find(&code::TERMINATION, place, message.into());
    }
}

/// Holds the result against what the words say about the winner, where nothing else decides.
fn compare_words(hearing: &mut Hearing<'_, Bughouse>) {
    let heard = &hearing.referee.own.heard;
    let Some(winner) = heard.winner else { return };
    let right = Outcome::Win(winner);
    let of_board = of_board(hearing.referee, right);
    let recorded = recorded(hearing.state, result_at_the_end(hearing.text()));
    let Some(recorded) = recorded else { return };
    if recorded == right.as_str() {
        return;
    }
    let place = hearing.place();
    if of_board.map(Outcome::as_str) == Some(recorded) {
        let message = format!(
            "{recorded} is the result of the board on which the match ended; that of the teams is {right}"
        );
        hearing.find(&code::BOARD_RESULT, place, message);
    } else if recorded != "*" {
        let message = format!("by the words before it the result is {right}");
        hearing.find(&code::TERMINATION, place, message);
    }
}

/// The result that a record gives: that after the moves, unless it is `*`, else that of the tag.
fn recorded(state: &RecordState, here: Option<&'static str>) -> Option<&'static str> {
    match here {
        Some(result) if result != "*" => here,
        _ => {
            let tag = state.header().bytes(Name::Result);
            tag.and_then(result_of).or(here)
        }
    }
}

/// The result of the board that decided the match, if it is not that of the teams: White of board B is in the other team.
fn of_board(referee: &Referee<Bughouse>, right: Outcome) -> Option<Outcome> {
    let heard = &referee.own.heard;
    let Outcome::Win(winner) = right else {
        return None;
    };
    let position = referee.latest();
    let said = heard.loser.map(|(board, _)| board);
    let board = said.or_else(|| (0..super::super::BOARDS).find(|board| position.is_mated(*board)));
    if !heard.is_bpgn || board != Some(1) {
        return None;
    }
    Some(Outcome::Win(winner.other()))
}

/// The result of the board that decided the match, which BPGN may give in place of that of the teams.
fn other_result(referee: &Referee<Bughouse>, ended: Option<Ruling>) -> Option<Outcome> {
    of_board(referee, ended?.outcome)
}

/// The result of the teams, at the end of a record of BPGN; `None` if there is none to write.
fn right_result(
    referee: &Referee<Bughouse>,
    state: &RecordState,
    here: Option<&'static str>,
) -> Option<&'static str> {
    let heard = &referee.own.heard;
    if !heard.is_bpgn {
        return None;
    }
    let recorded = recorded(state, here)?;
    let right = match state.course().ended {
        Some(ended) => Some(ended.outcome),
        None => heard.winner.map(Outcome::Win),
    };
    if let Some(right) = right
        && of_board(referee, right).map(Outcome::as_str) == Some(recorded)
    {
        return Some(right.as_str());
    }
    Some(recorded)
}

/// Takes a `*` after the moves for no result if the tag Result has one, as in files that a program has made of two games.
/// Returns whether it did.
pub fn passes_star(hearing: &mut Hearing<'_, Bughouse>) -> bool {
    let tag = hearing.state.header().bytes(Name::Result);
    let has_result = tag.and_then(result_of).is_some();
    let is_open = hearing.text() == b"*" && has_result && hearing.referee.own.heard.is_bpgn;
    if is_open {
        hearing.end_of_moves();
        let message = "`*` after the moves, where the tag Result has the result: that counts";
        name(hearing, Form::Open, hearing.place(), message);
    }
    is_open
}

impl Tables {
    /// What was said of the end of the match: who lost it.
    pub(crate) const fn loser(&self) -> Option<Seat> {
        self.heard.loser
    }

    /// Notes who lost the match by a command.
    pub(crate) const fn note_loser(&mut self, seat: Seat) {
        if self.heard.loser.is_none() {
            self.heard.loser = Some(seat);
        }
    }

    /// Whether the comment read last may say how the match ended.
    pub(crate) const fn leaves_open(&self) -> bool {
        self.heard.said.is_some()
    }
}
