//! Comments and the commands in them: clocks, claims, attempts, resignations.
//!
//! A command counts in the game whose record contains it, however deeply nested (GEN-12): the current game of
//! [`RecordState`].

use crate::{
    finding::{self as code, Code, set_rule},
    game::judge::{Attempt, Judge, Tried},
    hearing::Hearing,
    record_state::{RecordState, players::Chair},
    remedy::clock_face,
};
use overboard_formats::{
    command::{self, Command, TimeControl, commands, duration, side as side_of},
    encoding::{Oddities, decode, has_unseen},
    header::Name,
    lex::{Part, Prose},
    parse::Parser,
    san::{San, SanError},
    span::{Span, TextSpan},
};
use overboard_rules::{
    game::{BoardId as _, Happening, Said},
    general as common,
    outcome::{Cause, Outcome, Prospect},
    ply::BoardName,
    rule::Rule,
    square::Side,
};

impl<G: Judge> Hearing<'_, G> {
    pub(crate) fn prose(&mut self, prose: Prose, part: Part) {
        if prose == Prose::Escape {
            return;
        }
        // Between the items of a turn nothing needs a number.
        if !G::takes_results(self.referee) {
            self.state.numbers.pause();
        }
        let place = self.place();
        let text = self.parser.text(place.span);
        let in_game = self.state.judging.has_begun()
            && self.state.at_main_line()
            && !self.state.brackets.in_foreign();
        match command::lone_clock(text) {
            Some(shown) if in_game => self.clock(shown, place),
            _ => {
                if in_game
                    && let Some(dialect) = G::DIALECT
                    && (dialect.remark)(self, part, text)
                {
                    return;
                }
                let is_whole = part == Part::WHOLE;
                self.state
                    .look_at_text("a comment", place, is_whole, self.parser);
                if in_game {
                    self.obey_all(place, text);
                }
            }
        }
    }

    /// Handles the commands of a comment.
    pub fn obey_all(&mut self, place: TextSpan, text: &[u8]) {
        for (found, here) in commands_at(place, text) {
            let known = self.state.findings.len();
            self.obey(&found, here);
            self.mark(known);
        }
    }

    /// Handles a command.
    fn obey(&mut self, command: &Command<'_>, place: TextSpan) {
        let arguments = command.arguments;
        let understood = match command.name {
            b"clk" => duration(arguments)
                .map(|shown| self.clock(shown, place))
                .is_some(),
            b"emt" => duration(arguments).is_some(),
            b"ts" => self.state.time_stamp(arguments, place, self.parser),
            _ if !self.state.judging.is_on() => true,
            b"stands" => self.stands(arguments, place),
            name if counts_in_a_game(command)
                && self.has_ended()
                && !self.falls_after_end(command) =>
            {
                let message = format!(
                    "[%{}] comes after the end of the game and changes nothing",
                    decode(name).0
                );
                set_rule(self.find(&code::AFTER_END, place, message), &common::ENDED);
                true
            }
            name => match G::command(self, command, place) {
                Some(understood) => understood,
                // What an arbiter has found counts whether or not the position is known.
                None if name == b"penalty" => self.state.penalty(arguments).is_some(),
                None if name == b"infraction" => self.state.infraction(arguments),
                None if !self.referee.now().is_any() && command::is_known(name) => true,
                None => self.obey_in_game(command, place),
            },
        };
        if !understood {
            self.state.bad_command(command, place, self.parser);
        }
    }

    /// Whether a command is that of a flag on one of several boards which counts although the game has ended: that of the
    /// other team at the same instant (BH-5).
    fn falls_after_end(&self, command: &Command<'_>) -> bool {
        let (b"flag", [side, b':', letters @ ..]) = (command.name, command.arguments) else {
            return false;
        };
        let game = self.referee.latest();
        let board = std::str::from_utf8(letters).unwrap_or_default();
        let (Some(side), Some(at)) = (side_of(&[*side]), game.board_named(board)) else {
            return false;
        };
        game.clone().happen(at, Happening::Flag(side)).is_some()
    }

    /// Whether the game being read is over. The position is examined only here, where it matters.
    fn has_ended(&mut self) -> bool {
        let is_whole = self.state.games.around() == 0;
        // A board of Mega-Chess has no state of its own.
        if is_whole && G::here(self.referee) != G::Board::WHOLE {
            return false;
        }
        let now = self.referee.now();
        if is_whole
            && self.state.course().ended.is_none()
            && now.is_sure()
            && let Some(ruling) = now.latest().ruling(self.first_times())
        {
            self.state.course_mut().ended = Some(ruling);
        }
        self.state.course().ended.is_some()
    }

    /// Handles a command that needs the position.
    fn obey_in_game(&mut self, command: &Command<'_>, place: TextSpan) -> bool {
        let arguments = command.arguments;
        let at = G::here(self.referee);
        match command.name {
            b"resign" | b"draw" | b"flag" if self.state.games.current().is_of_an_item => {
                self.state.ends_no_board(command, place, self.parser)
            }
            b"resign" => self.state.resign(arguments, G::END),
            b"draw" => self.state.agree(arguments, G::END),
            b"flag" => {
                let game = self.referee.latest();
                self.state
                    .flag(arguments, |winner| game.can_mate(at, winner))
            }
            b"claim" => self.claim(arguments, place),
            b"illegal" => self.attempt(at, arguments, place),
            name => self.state.keep_command(name, place, self.parser),
        }
    }

    /// A clock reading of the player who made the last ply.
    pub fn clock(&mut self, shown: u64, place: TextSpan) {
        if !self.state.judging.is_on() || !self.referee.now().is_any() || !self.state.last.moved {
            return;
        }
        let (_, side) = self.state.last.number;
        let board = self.state.last.board;
        let chair = Chair { side, board };
        let before = self.state.course_mut().clocks.show(side, board, shown);
        self.state
            .compare_clock(chair, before, shown, place, self.parser);
    }

    /// Handles a move that was played and taken back.
    pub fn attempt(&mut self, at: G::Board, arguments: &[u8], place: TextSpan) -> bool {
        if arguments.is_empty() {
            return false;
        }
        let (named, text) = side_first(arguments);
        if self.referee.now().lost_around(at).is_some() {
            return true;
        }
        let Some((_, due)) = self.referee.latest().due_at(at) else {
            return true;
        };
        let side = named.unwrap_or(due);
        match self.attempt_meant(at, (side, due), text) {
            Attempt::Legal => {
                self.void_attempt(&code::LEGAL_ATTEMPT, "this move is legal here", place);
            }
            Attempt::Meaningless => {
                self.void_attempt(&code::NO_ATTEMPT, "this is not a move", place);
            }
            Attempt::Counts if !self.state.games.current().is_of_an_item => {
                let game = self.referee.latest();
                let of = if self.state.games.around() > 0 {
                    at
                } else {
                    G::Board::WHOLE
                };
                self.state
                    .count_attempt(side, |winner| game.can_mate(of, winner));
            }
            Attempt::Counts | Attempt::Reported => {}
        }
        true
    }

    /// Reports that an attempt does not count, and why.
    fn void_attempt(&mut self, kind: &'static Code, why: &str, place: TextSpan) {
        let message = format!("{why} and is not counted as an illegal attempt");
        let finding = self.find(kind, place, message);
        set_rule(finding, &common::ILLEGAL_ATTEMPTS);
    }

    /// What an attempt of a side is, where `due` is to move. Whoever is not to move has no legal move.
    fn attempt_meant(&mut self, at: G::Board, (side, due): (Side, Side), text: &[u8]) -> Attempt {
        if let Some(own) = G::attempted(self, side, at, Tried::Text(text)) {
            let is_early = side != due && own == Attempt::Legal;
            return if is_early { Attempt::Counts } else { own };
        }
        let language = self.state.language();
        let written = match San::parse_in(language, text, G::ALPHABET) {
            Ok(san) => Some(san.written),
            Err(SanError::NoMove | SanError::Tail | SanError::NoLetter(_)) => {
                return Attempt::Meaningless;
            }
            // A move of a kind that this game does not have, or to a square that is not there.
            Err(_) => None,
        };
        let written = if side == due { written } else { None };
        let meaning = written.map(|written| self.referee.meaning(at, Said::Ply(written)));
        match meaning.map_or(Attempt::Counts, |meaning| meaning.attempt()) {
            Attempt::Counts => {
                let tried = Tried::Written(written.as_ref());
                G::attempted(self, side, at, tried).unwrap_or(Attempt::Counts)
            }
            attempt => attempt,
        }
    }
}

/// The most that an illegal attempt of the other side adds to a clock, in milliseconds (FIDE 7.5.5; a minute in rapid and
/// blitz, A.3).
const FOR_AN_ATTEMPT: u64 = 120_000;

impl RecordState {
    /// Reports what is odd about a text: `what` it is, and whether all of it is at this place.
    pub fn look_at_text(
        &mut self,
        what: &str,
        place: TextSpan,
        is_whole: bool,
        parser: &Parser<'_>,
    ) {
        let text = parser.text(place.span);
        let odd = Oddities::of(text);
        if odd.control() || (odd.high() && has_unseen(text)) {
            let message = format!("a character that cannot be seen, in {what}");
            self.find(&code::CONTROL_CHARACTER, place, parser, message);
        }
        if is_whole && odd.high() && std::str::from_utf8(text).is_err() {
            let message = "not UTF-8; read as Latin-1";
            self.find(&code::ENCODING, place, parser, message.into());
        }
    }

    /// Reports that a command has arguments that it does not take.
    pub fn bad_command(&mut self, command: &Command<'_>, place: TextSpan, parser: &Parser<'_>) {
        let name = decode(command.name).0.into_owned();
        let expected = expected_arguments(&name);
        let message = format!("[%{name}] has invalid arguments; expected {expected}");
        self.find(&code::BAD_COMMAND, place, parser, message);
    }

    pub(crate) fn time_stamp(
        &mut self,
        arguments: &[u8],
        place: TextSpan,
        parser: &Parser<'_>,
    ) -> bool {
        let Some(stamp) = duration(arguments) else {
            return false;
        };
        self.stamp(stamp, place, parser);
        true
    }

    /// The playing time since the start of the match, in milliseconds; reports one that comes before another.
    pub fn stamp(&mut self, stamp: u64, place: TextSpan, parser: &Parser<'_>) {
        if let Some(before) = self.course_mut().clocks.stamp(stamp)
            && stamp < before
        {
            self.find(
                &code::TIME_RUNS_BACKWARDS,
                place,
                parser,
                format!("{} comes after {}", tell_time(stamp), tell_time(before)),
            );
        }
    }

    /// The seconds of a penalty, by which clocks may rise; `None` if it is malformed.
    pub fn penalty(&mut self, arguments: &[u8]) -> Option<u64> {
        let words: Vec<_> = arguments
            .split(|b| *b == b' ')
            .filter(|w| !w.is_empty())
            .collect();
        let [side, seconds] = words[..] else {
            return None;
        };
        side_of(side)?;
        let seconds = std::str::from_utf8(seconds)
            .ok()?
            .parse::<i64>()
            .ok()?
            .unsigned_abs();
        self.course_mut().clocks.adjust(seconds);
        Some(seconds)
    }

    /// `W SC-42 "…"`: the arbiter found that a side broke a rule. SC-42 loses the game when the game is over.
    pub fn infraction(&mut self, arguments: &[u8]) -> bool {
        let text = decode(arguments).0;
        let mut words = text.splitn(3, ' ');
        let side = words.next().and_then(|side| side_of(side.as_bytes()));
        let rule = words.next().and_then(|id| self.terms.catalogue().rule(id));
        let (Some(side), Some(rule)) = (side, rule) else {
            return false;
        };
        if self.terms.catalogue().is_offence(rule) {
            self.games.current_mut().offend(side, rule);
        }
        true
    }

    /// Reports that no claim, resignation or other act apart from moves ends a board of Mega-Chess (GEN-12).
    /// Returns whether the arguments could be read.
    pub fn ends_no_board(
        &mut self,
        command: &Command<'_>,
        place: TextSpan,
        parser: &Parser<'_>,
    ) -> bool {
        let is_read = match command.name {
            b"draw" if matches!(command.arguments, b"offer" | b"offered" | b"declined") => {
                return true;
            }
            b"draw" => command.arguments == b"agreed",
            _ => side_of(command.arguments).is_some(),
        };
        let message = "a board of Mega-Chess ends only by mate, by a draw in place of a move on it, or by a forfeit; this ends nothing";
        if is_read
            && let Some(finding) = self.find(&code::ENDS_NO_BOARD, place, parser, message.into())
        {
            finding.rule = Some(&common::OWN_RECORD);
        }
        is_read
    }

    /// Reports a clock that rises by more than the time control adds.
    pub fn compare_clock(
        &mut self,
        chair: Chair,
        before: Option<u64>,
        shown: u64,
        place: TextSpan,
        parser: &Parser<'_>,
    ) {
        let Some(control) = self.games.current().time_control else {
            return;
        };
        let Some(before) = before else {
            return self.compare_first_clock(chair, control, shown, place, parser);
        };
        if control.stages || shown <= before + control.increment + 999 {
            return;
        }
        let message = format!(
            "{} rises from {} to {}, and the time control adds {} s a move",
            clock_of(chair),
            tell_time(before),
            tell_time(shown),
            control.increment / 1000
        );
        self.find(&code::CLOCK_RISES, place, parser, message);
    }

    /// Reports a first reading that shows more than the game began with, and its moves may have added.
    fn compare_first_clock(
        &mut self,
        chair: Chair,
        control: TimeControl,
        shown: u64,
        place: TextSpan,
        parser: &Parser<'_>,
    ) {
        // A game that begins in its middle may have gained time before.
        if self.header().bytes(Name::Fen).is_some() {
            return;
        }
        let Some(start) = control.start else {
            return;
        };
        let moves = u64::from(self.games.current().plies / 2 + 1);
        let gained = control.increment.saturating_mul(moves);
        if shown <= start.saturating_add(gained).saturating_add(999) {
            return;
        }
        let message = format!(
            "{} shows {} at its first reading, and the time control gives {}",
            clock_of(chair),
            tell_time(shown),
            tell_time(start)
        );
        self.find(&code::CLOCK_RISES, place, parser, message);
    }

    /// `agreed`: the players agree a draw, under this rule. Returns whether the arguments could be read.
    pub fn agree(&mut self, arguments: &[u8], rule: &'static Rule) -> bool {
        match arguments {
            b"agreed" => {
                self.games
                    .current_mut()
                    .end_by(Outcome::Draw, Cause::Agreement, rule);
                true
            }
            b"offer" | b"offered" | b"declined" => true,
            _ => false,
        }
    }

    /// `W`: White resigns.
    pub fn resign(&mut self, arguments: &[u8], rule: &'static Rule) -> bool {
        let Some(side) = side_of(arguments) else {
            return false;
        };
        self.games
            .current_mut()
            .end_by(Outcome::Win(side.other()), Cause::Resignation, rule);
        true
    }

    /// `W`: White's flag has fallen (GEN-10).
    pub fn flag(&mut self, arguments: &[u8], can_win: impl Fn(Side) -> Prospect) -> bool {
        let Some(side) = side_of(arguments) else {
            return false;
        };
        let prospect = can_win(side.other());
        let game = self.games.current_mut();
        game.lose(side, prospect, Cause::Flag, &common::FLAG);
        true
    }

    /// Counts an illegal attempt of a side, which may cost it the game (GEN-9).
    pub fn count_attempt(&mut self, side: Side, can_win: impl Fn(Side) -> Prospect) {
        let course = self.course_mut();
        course.clocks.give(side.other(), FOR_AN_ATTEMPT);
        let count = &mut course.attempts[side];
        *count += 1;
        if *count >= self.terms.attempts_allowed() {
            let (cause, rule) = (Cause::IllegalAttempts, &common::ILLEGAL_ATTEMPTS);
            let prospect = can_win(side.other());
            self.games.current_mut().lose(side, prospect, cause, rule);
        }
    }

    /// Counts an illegal attempt at a chair of several boards. Returns whether it has the effect that the law of their seating
    /// names.
    pub fn count_attempt_at(&mut self, chair: Chair) -> bool {
        let course = self.course_mut();
        course.clocks.give(chair.side.other(), FOR_AN_ATTEMPT);
        let made = self.players.attempt(chair);
        made >= self.terms.attempts_allowed()
    }

    /// Reports a command that the game does not handle, if it is unknown.
    pub fn keep_command(&mut self, name: &[u8], place: TextSpan, parser: &Parser<'_>) -> bool {
        if !command::is_known(name) && self.is_new_command(name) {
            let name = decode(name).0;
            let message = format!("the command [%{name}] is unknown; it is kept as it is");
            self.find(&code::UNKNOWN_COMMAND, place, parser, message);
        }
        true
    }
}

/// Whether a command could end a game, or counts towards that.
fn counts_in_a_game(command: &Command<'_>) -> bool {
    match command.name {
        b"resign" | b"flag" | b"claim" | b"illegal" | b"order" | b"infraction" | b"begun" => true,
        b"draw" => command.arguments == b"agreed",
        _ => false,
    }
}

/// The side that stands before an attempt, if one does, and the attempt.
pub(crate) fn side_first(arguments: &[u8]) -> (Option<Side>, &[u8]) {
    match arguments {
        [letter, b' ', text @ ..] if side_of(&[*letter]).is_some() => {
            (side_of(&[*letter]), text.trim_ascii_start())
        }
        text => (None, text),
    }
}

/// The commands of the comment that was read last, with their places.
pub fn commands_here<'t>(parser: &'t Parser<'_>) -> impl Iterator<Item = (Command<'t>, TextSpan)> {
    commands_at(*parser.place(), parser.text(parser.place().span))
}

/// The commands of a comment, with their places.
fn commands_at(place: TextSpan, text: &[u8]) -> impl Iterator<Item = (Command<'_>, TextSpan)> {
    commands(text).map(move |found| {
        let at = |index: usize| place.span.from + index as u64;
        let here = place.at(Span::new(at(found.bytes.start), at(found.bytes.end)));
        (found, here)
    })
}

/// Whose clock it is, in words.
fn clock_of(Chair { side, board }: Chair) -> String {
    match board {
        Some(board) => format!("{side}'s clock on board {}", BoardName(usize::from(board))),
        None => format!("{side}'s clock"),
    }
}

fn expected_arguments(name: &str) -> &'static str {
    match name {
        "clk" | "emt" | "ts" => "a time h:mm:ss",
        "resign" => "W or B",
        "flag" => "W or B, and on linked boards the side and the board, as in B:A",
        "draw" => "agreed",
        "claim" => "W or B if wanted, threefold or fifty, and the move intended if there is one",
        "illegal" => {
            "the move attempted, and before it W or B if it is not that of the side to move"
        }
        "stands" => {
            "what was done: b1d6 (mega-squares in capitals), e7e8q, O-O, R@c3, -- or the position in quotation marks"
        }
        "begun" => {
            "the parts of a set-up, a consolidation or prisoners that were begun and not finished, as in `consolidate c3 give d2 P`"
        }
        "penalty" => "W or B and seconds with their sign",
        "order" => "W or B for the captain's team, and the instruction",
        "infraction" => "W or B, the id of the rule broken, and words in quotes",
        "player" => {
            "W or B, the board or the over-piece (or captain, commander), and the name of the new player in quotes"
        }
        _ => "others",
    }
}

/// A time as `1:05:09`.
pub fn tell_time(milliseconds: u64) -> String {
    clock_face(milliseconds / 1000)
}
