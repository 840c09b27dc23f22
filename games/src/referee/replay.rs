//! The main line of a record, position by position.

use crate::{referee::AnyReferee, registry::AnyGame};
use overboard_formats::{
    canonical::Canonical,
    parse::{Event, Parser},
    ply_rows::push_remark,
};
use overboard_referee::{Options, report::Report, rows::SeenRow};
use std::io;

/// Follows the games of a text, stopping at every position of their main lines.
pub struct Replay<'r> {
    parser: Parser<'r>,
    referee: AnyReferee,
    /// An event that was read but not handled, because a position comes before it.
    held: Option<Event>,
    last: Option<Canonical>,
    /// The last plies with their numbers in the main line, the newest first.
    latest: [Option<(u32, Canonical)>; 2],
    /// The number of plies before the last position returned.
    shown: Option<u32>,
    /// That position, if the game has continued.
    position: Option<AnyGame>,
    /// The position that the main line had reached before a variation or a fault of the text, which may lose it, and after
    /// how many plies it stood.
    kept: Option<(u32, AnyGame)>,
    /// The remarks right after the last ply, and whether what follows still belongs to them; `None` unless
    /// remarks are kept.
    remarks: Option<(String, bool)>,
}

/// What a replay returns next.
pub enum Moment {
    /// A position of the main line: the first one, or the one after a ply.
    Position(Stand),
    /// The end of the game.
    End(Box<Report>),
}

/// The main line of a game in coordinates.
pub struct MainLine {
    /// The position from which it starts; `None` if it is not known.
    pub start: Option<AnyGame>,
    /// Its plies, separated by one space, up to the first that cannot be judged.
    pub moves: String,
    /// The referee's report on the game.
    pub report: Box<Report>,
}

/// The first position of the record of a text; `None` if that is not known.
#[must_use]
pub fn first_position(text: &str, options: Options) -> Option<AnyGame> {
    let parser = Parser::new(text.as_bytes(), 0, options.limits);
    let mut replay = Replay::new(parser, options);
    match replay.next_moment() {
        Ok(Some(Moment::Position(_))) => replay.position(),
        _ => None,
    }
}

/// The place of a position in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stand {
    /// The number of plies before it in the main line.
    pub ply: u32,
    /// The ply that led here; `None` at the first position, and if it was not found legal.
    pub last: Option<Canonical>,
}

impl<'r> Replay<'r> {
    /// Follows the games that a parser reads.
    #[must_use]
    pub fn new(parser: Parser<'r>, options: Options) -> Self {
        Self {
            parser,
            referee: AnyReferee::spelling(Options {
                moments: true,
                ..options
            }),
            held: None,
            last: None,
            latest: [None; 2],
            shown: None,
            position: None,
            kept: None,
            remarks: None,
        }
    }

    /// The same, keeping the remarks after plies.
    #[must_use]
    pub fn with_remarks(self) -> Self {
        Self {
            remarks: Some((String::new(), false)),
            ..self
        }
    }

    /// The glyphs, NAGs and comments right after the ply that led to the current position, within its item of a turn,
    /// as they are written.
    #[must_use]
    pub fn remarks(&self) -> &str {
        self.remarks.as_ref().map_or("", |(remarks, _)| remarks)
    }

    fn keep_remark(&mut self, event: Event) {
        let is_ply = self.referee.is_ply(event, &self.parser) && self.referee.in_main_line();
        let Some((remarks, open)) = &mut self.remarks else {
            return;
        };
        if is_ply {
            remarks.clear();
            *open = true;
        }
        if matches!(event, Event::BlockClose(_) | Event::RavOpen) {
            *open = false;
        }
        if *open {
            let text = self.parser.text(self.parser.place().span);
            push_remark(remarks, event, &self.referee.in_english(text));
        }
    }

    /// Continues to the next position or the end of the game; `None` if there are no more games.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn next_moment(&mut self) -> io::Result<Option<Moment>> {
        loop {
            if let Some(stand) = self.kept_moment() {
                return Ok(Some(Moment::Position(stand)));
            }
            let event = match self.held.take() {
                Some(event) => event,
                None => {
                    let event = self.parser.next()?;
                    if event == Event::Done {
                        return Ok(None);
                    }
                    let had_begun = self.referee.has_begun();
                    self.referee.begin_moves(event, &self.parser);
                    // If acts may come before the first move, the initial position comes before those.
                    let begins =
                        self.referee.keeps_moments() && !had_begun && self.referee.has_begun();
                    if begins || self.is_after_a_position(event) {
                        self.held = Some(event);
                        return Ok(Some(Moment::Position(self.stand())));
                    }
                    self.keep_position(event);
                    event
                }
            };
            if let Some(report) = self.hear(event) {
                return Ok(Some(Moment::End(Box::new(report))));
            }
        }
    }

    /// Stands at the position reached, or at the one that was kept of it.
    fn stand(&mut self) -> Stand {
        let ply = self.referee.plies();
        self.shown = Some(ply);
        self.position = match self.kept.take() {
            Some((kept, position)) if kept == ply && !self.referee.is_known() => Some(position),
            _ => None,
        };
        let last = self.last.take().or_else(|| self.latest(ply));
        Stand { ply, last }
    }

    /// The main line of the next game in coordinates; `None` if there are no more games. Call it between games, and
    /// with [`Options::acts`](overboard_referee::Options::acts) set.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn next_line(&mut self) -> io::Result<Option<MainLine>> {
        let (mut start, mut moves) = (None, String::new());
        while let Some(moment) = self.next_moment()? {
            match moment {
                Moment::Position(stand) if stand.ply == 0 => {
                    start = self.position();
                    moves.clear();
                }
                Moment::Position(stand) => {
                    if let Some(ply) = stand.last {
                        moves.push_str(if moves.is_empty() { "" } else { " " });
                        moves.push_str(&ply.in_full());
                    }
                }
                Moment::End(report) => {
                    let acts = self.referee.line().map(str::to_owned);
                    return Ok(Some(MainLine {
                        start,
                        moves: acts.unwrap_or(moves),
                        report,
                    }));
                }
            }
        }
        Ok(None)
    }

    /// Keeps a position not yet returned that the event may lose.
    fn keep_position(&mut self, event: Event) {
        let ply = self.referee.plies();
        if matches!(event, Event::RavOpen | Event::Fault(_))
            && self.referee.in_main_line()
            && self.shown != Some(ply)
            && let Some(position) = self.referee.position()
        {
            self.kept = Some((ply, position));
        }
    }

    /// Whether a position not yet returned comes before an event.
    fn is_after_a_position(&self, event: Event) -> bool {
        let ends = event == Event::End;
        if self.referee.keeps_moments() {
            // A position in which the record stops in the middle of something is returned, too.
            return ends
                && !(self.shown == Some(self.referee.plies()) && self.referee.is_between_turns());
        }
        if !self.referee.in_main_line() {
            return ends;
        }
        // The initial position also comes before the turn whose first item is the first ply.
        let is_first = self.referee.plies() == 0;
        let is_known = is_first && self.shown == Some(0);
        ends || (self.referee.is_ply(event, &self.parser) && !is_known)
            || (event == Event::TurnOpen && is_first && !is_known)
    }

    /// The next of the positions that the referee has kept.
    fn kept_moment(&mut self) -> Option<Stand> {
        loop {
            let (ply, position) = self.referee.next_moment()?;
            if self.shown != Some(ply) {
                (self.shown, self.position, self.last) = (Some(ply), Some(position), None);
                return Some(Stand {
                    ply,
                    last: self.latest(ply),
                });
            }
        }
    }

    /// The ply of the main line with this number, if it is one of the last.
    fn latest(&self, ply: u32) -> Option<Canonical> {
        let mut latest = self.latest.iter().flatten();
        let (_, canonical) = latest.find(|(number, _)| *number == ply)?;
        Some(*canonical)
    }

    fn hear(&mut self, event: Event) -> Option<Report> {
        self.keep_remark(event);
        let main = self.referee.in_main_line();
        let is_ply = self.referee.is_ply(event, &self.parser);
        let canonical = self.referee.hear(event, &self.parser);
        if main && is_ply {
            self.last = canonical;
            self.latest = [
                canonical.map(|canonical| (self.referee.plies(), canonical)),
                self.latest[0],
            ];
        }
        if event != Event::End {
            return None;
        }
        (self.shown, self.position, self.kept, self.latest) = (None, None, None, [None; 2]);
        Some(self.referee.take_report(&mut self.parser))
    }

    /// The position reached; `None` if it is not known, or the game is not supported.
    #[must_use]
    pub fn position(&self) -> Option<AnyGame> {
        self.position.clone().or_else(|| self.referee.position())
    }

    /// The next row of the games so far, where the options ask for rows.
    pub fn next_seen(&mut self) -> Option<SeenRow> {
        self.referee.next_seen()
    }

    /// The referee's view of the game's tags.
    #[must_use]
    pub const fn referee(&self) -> &AnyReferee {
        &self.referee
    }
}
