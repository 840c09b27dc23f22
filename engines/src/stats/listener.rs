//! Reads games for statistics from their records.

use super::counts::GameCounts;
use overboard_formats::{
    encoding::decode,
    foreign::Foreign,
    header::{Name, unescape_list},
    parse::{Event, Parser},
};
use overboard_games::referee::{AnyReferee, witness::Witness};
use overboard_referee::{finding::Verdict, report::Report};
use overboard_rules::outcome::{Cause, Outcome, Ruling};

/// Counts legal plies while the referee reads a record.
#[derive(Clone, Debug)]
pub struct Listener {
    /// Whether positions are examined.
    looks: bool,
    /// The counts; `None` if not everything could be counted.
    walk: Option<GameCounts>,
    first_ply: Option<Foreign>,
}

/// The data of a game in a record.
#[derive(Clone, PartialEq, Debug)]
pub struct GameHeader {
    /// The players, White first; `?` if the record does not name one.
    pub players: [Foreign; 2],
    /// The number of linked boards.
    pub boards: usize,
    /// The level of Recursive Chess.
    pub level: Option<u8>,
    /// The pair, by the tag Round as self-play writes it: `12.1` and `12.2`.
    pub pair: Option<u64>,
    /// Its score; `None` if it is not over.
    pub outcome: Option<Outcome>,
    /// Its plies.
    pub plies: u32,
    /// Why it ended; `None` if nothing says so.
    pub cause: Option<Cause>,
    /// The counts; `None` if they were not requested or not everything is known.
    pub walk: Option<GameCounts>,
    /// The referee's verdict.
    pub verdict: Verdict,
    /// Its opening: the initial position, if it is not that of the game.
    pub opening: Option<Foreign>,
    /// Its first ply, as written.
    pub first_ply: Option<Foreign>,
}

impl Listener {
    /// A listener that examines every position, or none.
    #[must_use]
    pub fn new(looks: bool) -> Self {
        Self {
            looks,
            walk: Some(GameCounts::default()),
            first_ply: None,
        }
    }
}

impl Witness for Listener {
    type Account = GameHeader;

    fn hear(&mut self, event: Event, referee: &AnyReferee, parser: &Parser<'_>) {
        if event == Event::Begin {
            (self.walk, self.first_ply) = (Some(GameCounts::default()), None);
        }
        if event == Event::Ply && self.first_ply.is_none() && referee.in_main_line() {
            let (written, ..) = decode(parser.text(parser.place().span));
            self.first_ply = Some(written.into_owned().into());
        }
        if !self.looks || !referee.has_begun() || !referee.in_main_line() {
            return;
        }
        match event {
            Event::Ply => {
                self.walk = match (self.walk, referee.position()) {
                    (Some(walk), Some(at)) => walk.past(at.choices()),
                    _ => None,
                };
            }
            Event::End => {
                if let Some(walk) = &mut self.walk {
                    walk.kings = referee.position().and_then(|position| position.kings());
                }
            }
            _ => {}
        }
    }

    fn account(&mut self, report: &Report, referee: &AnyReferee) -> GameHeader {
        let by_itself = || referee.position()?.end_by_itself();
        let ruling = referee.ended().or_else(by_itself);
        let tag = |name| referee.tag(name);
        let boards = match tag(Name::Boards) {
            Some(list) => list.split(':').count(),
            None => 1,
        };
        let walk = match self.walk {
            Some(walk) if self.looks && walk.positions == u64::from(report.plies) => Some(walk),
            _ => None,
        };
        let player = |name: &Option<Foreign>| match name {
            Some(name) => team(name.as_it_came(), boards),
            None => team("?", boards),
        };
        GameHeader {
            players: report.players.each_ref().map(player),
            boards,
            level: referee.level(),
            pair: tag(Name::Round).as_deref().and_then(pair),
            outcome: report.result.judged.or_else(|| report.result.outcome()),
            plies: report.plies,
            cause: cause(ruling, tag(Name::Termination).as_deref()),
            walk,
            verdict: report.verdict,
            opening: tag(Name::Fen).map(Foreign::new),
            first_ply: self.first_ply.take(),
        }
    }

    fn bytes(header: &GameHeader) -> usize {
        let [white, black] = &header.players;
        white.as_it_came().len() + black.as_it_came().len()
    }
}

/// A player; for a team with the same player on all boards, that name once.
fn team(list: &str, boards: usize) -> Foreign {
    let mut names = list.split(':');
    match names.next() {
        Some(first) if boards > 1 && names.all(|name| name == first) => unescape_list(first).into(),
        _ => list.into(),
    }
}

/// The pair, from a round such as `12.1` or `12.2`.
fn pair(round: &str) -> Option<u64> {
    match round.split_once('.')? {
        (pair, "1" | "2") => pair.parse().ok(),
        _ => None,
    }
}

/// Why a game ended: by the referee's ruling, else by the tag Termination.
fn cause(ruling: Option<Ruling>, tag: Option<&str>) -> Option<Cause> {
    match ruling {
        Some(ruling) => Some(ruling.cause),
        None => Cause::from_tag(tag?),
    }
}
