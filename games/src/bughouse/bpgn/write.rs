//! Writes matches of Bughouse as BPGN, for other programs.
//!
//! ```
//! use overboard_formats::{limits::Limits, parse::Parser};
//! use overboard_games::bughouse::bpgn::write::write;
//!
//! let record = "[White \"Ann:Bob\"][Black \"Di:Ed\"][Variant \"Bughouse\"] 1A. e4 {[%clk 0:02:59.5]} {[%resign B:A]} 1-0";
//! let mut out = Vec::new();
//! write(Parser::new(record.as_bytes(), 0, Limits::default()), Limits::default(), &mut out, |_, why| panic!("{why}")).unwrap();
//! let text = String::from_utf8(out).unwrap();
//! assert!(text.contains("[WhiteA \"Ann\"]\n[BlackA \"Di\"]\n[WhiteB \"Ed\"]\n[BlackB \"Bob\"]"));
//! assert!(text.ends_with("1A. e4{179.500} {Di resigns} 1-0\n\n"));
//! ```

use super::{
    super::{BOARDS, Bughouse, team},
    SEATS, heard,
    tags::to_bpgn,
    words::{self, End},
};
use crate::{
    referee::{
        AnyReferee,
        rewrite::{OpenComment, RewriteError, Unkept, closes_after},
    },
    registry::Variant,
};
use overboard_formats::{
    canonical::Canonical,
    command::{Command, commands, duration},
    lex::{Part, Prose},
    limits::Limits,
    parse::{Event, GrammarFault, Parser},
    write::Writer,
};
use overboard_referee::{Options, referee::Referee};
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    position::Movegen as _,
};
use std::{
    io::{self, Write},
    mem,
};

/// Writes the matches of Bughouse in a text as BPGN. Of any other record `refuse` is told the line in which it begins, and
/// why it is left out.
///
/// # Errors
/// Those of the reader and of the output, and what of a text would be lost.
pub fn write(
    mut parser: Parser<'_>,
    limits: Limits,
    mut out: impl Write,
    mut refuse: impl FnMut(u64, String),
) -> Result<(), RewriteError> {
    let mut referee = AnyReferee::spelling(Options {
        limits,
        ..Options::default()
    });
    let mut page = Page::new();
    loop {
        let event = parser.next().map_err(RewriteError::Reading)?;
        if let Some(why) = Unkept::of(event, &parser) {
            return Err(RewriteError::Unkept(parser.place().line, why));
        }
        if event == Event::Begin {
            page = Page::new();
        }
        let spelling = referee.hear(event, &parser);
        page.hear(event, spelling, &referee, &parser)
            .map_err(RewriteError::Writing)?;
        if referee.has_begun() && event != Event::Done {
            page.decide(&referee, &mut out, &mut refuse)
                .map_err(RewriteError::Writing)?;
        }
        match event {
            Event::End => drop(referee.take_report(&mut parser)),
            Event::Done => return out.flush().map_err(RewriteError::Writing),
            _ => {}
        }
    }
}

/// A record that is being written.
struct Page {
    writer: Writer<Vec<u8>>,
    /// The line in which it begins.
    line: Option<u64>,
    /// Whether it is left out.
    refused: bool,
    /// A comment that may say how the match ended.
    open: OpenComment,
    /// Whether everything that opens also closes.
    closes: bool,
}

impl Page {
    fn new() -> Self {
        Self {
            writer: Writer::new(Vec::new(), to_bpgn),
            line: None,
            refused: false,
            open: OpenComment::default(),
            closes: true,
        }
    }

    /// Hands on what is written, once it is known that the record is one of Bughouse.
    fn decide(
        &mut self,
        referee: &AnyReferee,
        out: &mut impl Write,
        refuse: &mut impl FnMut(u64, String),
    ) -> io::Result<()> {
        let written = mem::take(self.writer.inner_mut());
        if self.refused {
            return Ok(());
        }
        if referee.bughouse().is_some() {
            return out.write_all(&written);
        }
        self.refused = true;
        let game = referee.game().map_or("this game", Variant::in_words);
        let why = format!("{game} cannot be written as BPGN, which is for Bughouse alone");
        refuse(self.line.unwrap_or(1), why);
        Ok(())
    }

    fn hear(
        &mut self,
        event: Event,
        spelling: Option<Canonical>,
        referee: &AnyReferee,
        parser: &Parser<'_>,
    ) -> io::Result<()> {
        if self.refused {
            return Ok(());
        }
        let place = parser.place();
        if self.line.is_none() && !matches!(event, Event::Begin) {
            self.line = Some(place.line);
        }
        let text = parser.text(place.span);
        self.closes = closes_after(event, self.closes);
        let ends = match event {
            Event::Result => spelling.is_none() && referee.in_main_line(),
            Event::Fault(GrammarFault::NoResult) => self.closes && referee.in_main_line(),
            _ => false,
        };
        if ends {
            let is_result = event == Event::Result;
            return self.end(if is_result { Some(text) } else { None }, referee);
        }
        if self.open.waits_with(event, parser) {
            return Ok(());
        }
        for (event, text) in self.open.take() {
            match event {
                Event::Prose(..) => self.comments(&text, referee)?,
                _ => self.writer.write_text(event, None, &text)?,
            }
        }
        match event {
            Event::Prose(Prose::Escape, _) => self.writer.write(event, spelling, parser),
            Event::Prose(..) if referee.leaves_open() => {
                self.open.hold(event, text);
                Ok(())
            }
            // What is in braces cannot hold one.
            Event::Prose(_, Part::WHOLE) if !text.contains(&b'}') => self.comments(text, referee),
            _ => self.writer.write(event, spelling, parser),
        }
    }

    /// Writes a comment, divided as BPGN has it.
    fn comments(&mut self, text: &[u8], referee: &AnyReferee) -> io::Result<()> {
        let ended = referee.ended().map(|ended| ended.cause);
        for comment in divided(text, ended) {
            self.comment(&comment)?;
        }
        Ok(())
    }

    fn comment(&mut self, text: &[u8]) -> io::Result<()> {
        let event = Event::Prose(Prose::Brace, Part::WHOLE);
        self.writer.write_text(event, None, text)
    }

    /// Writes how the match ended, and the result that was read, if one was.
    fn end(&mut self, read: Option<&[u8]>, referee: &AnyReferee) -> io::Result<()> {
        let open = self.open.take().into_iter().next();
        let end = match (referee.bughouse(), referee.ended()) {
            (Some(bughouse), Some(ended)) => said(bughouse, ended),
            _ => None,
        };
        if let Some(end) = end {
            let words = end.words(&heard::names(referee.players()));
            self.comment(words.replace(['{', '}'], "").as_bytes())?;
        } else if let Some((_, words)) = open {
            self.comment(&words)?;
        }
        match (referee.right_result(read), read) {
            (Some(right), read) => self.writer.write_result(read.unwrap_or(b"*"), right),
            (None, Some(read)) => self.writer.write_text(Event::Result, None, read),
            (None, None) => Ok(()),
        }
    }
}

/// How a match ended, as BPGN says it; `None` if there are no words for it.
fn said(bughouse: &Referee<Bughouse>, ended: Ruling) -> Option<End> {
    let seat = |wanted: (usize, _)| SEATS.iter().position(|seat| *seat == wanted);
    let loser = || {
        let Outcome::Win(winner) = ended.outcome else {
            return None;
        };
        match bughouse.own.loser() {
            Some((board, side)) if team(board, side) != winner => seat((board, side)),
            // Of a team that lost, the player on board A stands for both.
            _ => seat((0, winner.other())),
        }
    };
    match ended.cause {
        Cause::Checkmate => {
            let position = bughouse.latest();
            let mated = (0..BOARDS).find(|board| position.is_mated(*board))?;
            Some(End::Mated(seat((mated, position.board(mated).turn()))?))
        }
        Cause::Resignation => Some(End::Resigned(loser()?)),
        Cause::Flag if ended.outcome == Outcome::Draw => Some(End::AllFlagged),
        Cause::Flag => Some(End::Flagged(loser()?)),
        Cause::Agreement => Some(End::Agreed),
        Cause::ThreefoldClaim | Cause::Threefold => Some(End::Repeated),
        _ => None,
    }
}

/// Whether a command says what the words before the result will say.
fn is_of_end(command: &Command<'_>, ended: Option<Cause>) -> bool {
    match command.name {
        b"resign" => ended == Some(Cause::Resignation),
        b"flag" => ended == Some(Cause::Flag),
        b"draw" => command.arguments == b"agreed" && ended == Some(Cause::Agreement),
        b"claim" => ended == Some(Cause::ThreefoldClaim),
        _ => false,
    }
}

/// What a comment becomes in BPGN: the clock and the time since the start each in a comment, then the words.
fn divided(text: &[u8], ended: Option<Cause>) -> Vec<Vec<u8>> {
    let (mut times, mut words, mut at) = (Vec::new(), Vec::new(), 0);
    for command in commands(text) {
        let time = match command.name {
            b"clk" => duration(command.arguments).map(words::in_seconds),
            b"ts" => duration(command.arguments)
                .map(|since| format!("[ts={}]", words::in_seconds(since))),
            _ => None,
        };
        if time.is_some() || is_of_end(&command, ended) {
            words.extend_from_slice(&text[at..command.bytes.start]);
            at = command.bytes.end;
        }
        if let Some(time) = time {
            times.push(time.into_bytes());
        }
    }
    words.extend_from_slice(&text[at..]);
    let words = words.trim_ascii();
    match words {
        [] => {}
        [b'A'..=b'Z', b':', ..] => times.push(words.to_vec()),
        _ if words::is_time(words) => {
            times.push(words.to_vec());
        }
        _ => times.push([b"C:", words].concat()),
    }
    times
}
