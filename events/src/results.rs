//! What records mean for an organiser: which game of the event it is, and how it ended.

use crate::{
    Event,
    card::roles,
    leaders::Tags,
    names,
    roster::Player,
    rounds::{GameResult, Match, Round},
    settings::Scoring,
};
use overboard_formats::{
    foreign::{Foreign, visible},
    header::unescape_list,
    parse::{Event as Heard, Parser},
};
use overboard_games::{
    referee::{AnyReferee, witness::Witness},
    strategichess::linked::score::{Account, Agreement, Scorer},
};
use overboard_referee::{finding::Verdict, report::Report};
use overboard_rules::{by_side::BySide, outcome::Outcome, square::Side};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
};
use std::collections::BTreeMap;

/// The tags that identify a game.
const TAGS: [&str; 12] = [
    "Event",
    "Round",
    "White",
    "Black",
    "WhiteTeam",
    "BlackTeam",
    "WhiteCommander",
    "BlackCommander",
    "WhiteLieutenants",
    "BlackLieutenants",
    "GameId",
    "Parent",
];

/// Finds out whose games records contain, and counts their kings.
#[derive(Clone, Debug)]
pub struct Clerk {
    scorer: Scorer,
    /// Whether time has ended, so that a game that was not played out is over.
    expired: bool,
    tags: BTreeMap<&'static str, String>,
    sub_games: Option<[u32; 2]>,
}

/// What an organiser needs of a record.
#[derive(Clone, Debug)]
pub struct Sheet {
    expired: bool,
    tags: BTreeMap<&'static str, String>,
    account: Account,
    /// Sub-games that White and Black have won.
    sub_games: Option<[u32; 2]>,
}

/// A result, and the game it is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The table.
    pub table: u32,
    /// The board, if boards have results of their own.
    pub board: Option<u32>,
    /// The result.
    pub result: GameResult,
    /// White's and Black's kings, or sub-games won.
    pub tally: Option<[Points; 2]>,
}

impl Clerk {
    /// A clerk for a match that ends `expiry` milliseconds after its start; without it, at the end of the record.
    #[must_use]
    pub fn new(expiry: Option<u64>) -> Self {
        Self {
            scorer: Scorer::new(expiry),
            expired: expiry.is_some(),
            tags: BTreeMap::new(),
            sub_games: None,
        }
    }
}

impl Witness for Clerk {
    type Account = Sheet;

    fn hear(&mut self, event: Heard, referee: &AnyReferee, parser: &Parser<'_>) {
        match event {
            Heard::Begin => self.tags.clear(),
            Heard::Tag if !referee.has_begun() => {
                let tag = parser.lexer().tag();
                let name = TAGS
                    .iter()
                    .find(|name| name.as_bytes() == parser.text(tag.name));
                if let Some(name) = name {
                    self.tags.entry(name).or_insert_with(|| parser.tag_value());
                }
            }
            Heard::End => self.sub_games = referee.sub_games_won().map(BySide::into_array),
            _ => {}
        }
        self.scorer.hear(event, referee, parser);
    }

    fn account(&mut self, report: &Report, referee: &AnyReferee) -> Sheet {
        let tags = std::mem::take(&mut self.tags);
        let (expired, sub_games) = (self.expired, self.sub_games.take());
        Sheet {
            expired,
            tags,
            account: self.scorer.account(report, referee),
            sub_games,
        }
    }

    fn bytes(sheet: &Sheet) -> usize {
        Scorer::bytes(&sheet.account) + sheet.tags.values().map(String::len).sum::<usize>()
    }
}

impl Sheet {
    fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    /// The game of a round that the record is of, with its result.
    ///
    /// # Errors
    /// Why the record is not accepted.
    pub fn place(&self, event: &Event, round: RoundNo, report: &Report) -> Result<Finding, String> {
        let bundle =
            "`overboard bundle` puts the sheets of a game together into the record that is taken";
        if !self.tag("Parent").is_empty() {
            return Err(format!(
                "it is the sheet of a sub-game or a board (tag Parent): {bundle}"
            ));
        }
        if report.verdict != Verdict::Clean {
            let hint = if self.tag("GameId").is_empty() {
                String::new()
            } else {
                format!("; if it is one sheet of a game of many, {bundle}")
            };
            return Err(format!(
                "its verdict is {}; `overboard check` says why{hint}",
                report.verdict
            ));
        }
        let (this, board) = self.table(event, round)?;
        self.roles_fit(event, this, board)?;
        let (result, tally) = self.result(event, report)?;
        if let Some(seat) = this.boards.iter().find(|seat| Some(seat.board) == board) {
            seat.takes(result).map_err(|why| why.to_string())?;
        }
        Ok(Finding {
            table: this.table,
            board,
            result,
            tally,
        })
    }

    /// The table of the record's match, whatever its result.
    ///
    /// # Errors
    /// Why it belongs to none.
    pub(crate) fn of_match(&self, event: &Event, round: RoundNo) -> Result<u32, String> {
        let (this, board) = self.table(event, round)?;
        self.roles_fit(event, this, board)?;
        Ok(this.table)
    }

    /// The game of the event that the record is of, whatever is wrong with the record: round, table, and board if
    /// boards are separate games.
    ///
    /// # Errors
    /// Why the game cannot be identified.
    pub fn game_of(&self, event: &Event) -> Result<(RoundNo, u32, Option<u32>), String> {
        if !self.tag("Parent").is_empty() {
            return Err("it is the sheet of a sub-game or a board (tag Parent): `overboard bundle` puts the sheets of a game together".into());
        }
        if let Some((round, ..)) = self.round_tag() {
            let (this, board) = self.table(event, round)?;
            return Ok((round, this.table, board));
        }
        let mut fits = Vec::new();
        for (round, _) in RoundNo::all().zip(&event.rounds) {
            if let Ok((this, board)) = self.table(event, round) {
                fits.push((round, this.table, board));
            }
        }
        match fits.as_slice() {
            [only] => Ok(*only),
            [] => Err("no round has a table with these names".into()),
            _ => Err("it has no tag Round, and its players meet in several rounds".into()),
        }
    }

    fn table<'a>(
        &self,
        event: &'a Event,
        round: RoundNo,
    ) -> Result<(&'a Match, Option<u32>), String> {
        let mut fits = games(event, event.paired(round)?);
        if let Some((tagged, table, board)) = self.round_tag() {
            if tagged != round {
                return Err(format!(
                    "its tag Round says round {tagged}, not round {round}"
                ));
            }
            if let Some(table) = table {
                let is_board = |one: Option<u32>| board.is_none() || one == board;
                fits.retain(|(this, one)| this.table == table && is_board(*one));
            }
        }
        for (this, board) in &fits {
            if self.names_fit(event, this, *board) {
                return Ok((this, *board));
            }
        }
        for (this, board) in &fits {
            if let Some(why) = self.misnamed(event, this, *board) {
                return Err(why);
            }
        }
        let shown = |name: &str| {
            if name.is_empty() {
                "?".to_owned()
            } else {
                visible(name).into_owned()
            }
        };
        Err(format!(
            "no table of round {round} has {} with White and {} with Black",
            shown(&self.side(0)),
            shown(&self.side(1))
        ))
    }

    /// The tag Round, `3`, `3.2` or `3.2.1`: round, table, board.
    fn round_tag(&self) -> Option<(RoundNo, Option<u32>, Option<u32>)> {
        let mut parts = self.tag("Round").split('.');
        let round = parts.next()?.parse().ok()?;
        let mut number = || parts.next()?.parse().ok();
        Some((round, number(), number()))
    }

    /// The name of a side: the team's, else the players'.
    fn side(&self, side: usize) -> String {
        let team = self.tag(["WhiteTeam", "BlackTeam"][side]);
        if team.is_empty() {
            self.tag(["White", "Black"][side]).to_owned()
        } else {
            team.to_owned()
        }
    }

    /// The first player who differs from the line-up, if the record names the teams of this match.
    fn misnamed(&self, event: &Event, this: &Match, board: Option<u32>) -> Option<String> {
        let numbers = sides(event, this, board);
        for (tag, number) in ["WhiteTeam", "BlackTeam"].into_iter().zip(numbers) {
            if !names::same(self.tag(tag), event.name(number).as_it_came()) {
                return None;
            }
        }
        for (side, team) in numbers.into_iter().enumerate() {
            let (seated, listed) = self.players(event, this, board, side);
            for (place, (number, player)) in seated.into_iter().enumerate() {
                let named = listed.get(place).map_or("", String::as_str);
                if names::same(named, player.name.as_it_came()) {
                    continue;
                }
                return Some(format!(
                    "at table {}, board {number}, the record has {} for {}, and the line-up has {}",
                    this.table,
                    if named.is_empty() {
                        "nobody".into()
                    } else {
                        visible(named)
                    },
                    event.called(team),
                    player.name.shown()
                ));
            }
        }
        None
    }

    /// The players of a side in a match, or on one board of it: those of the line-up with their boards, and those that
    /// the record names.
    fn players<'e>(
        &self,
        event: &'e Event,
        this: &Match,
        board: Option<u32>,
        side: usize,
    ) -> (Vec<(u32, &'e Player)>, Vec<String>) {
        let mut seated = Vec::new();
        for one in &this.boards {
            if board.is_some() && board != Some(one.board) {
                continue;
            }
            if let Some(id) = [one.white, one.black][side]
                && let Some(player) = event.player(id)
            {
                seated.push((one.board, player));
            }
        }
        let listed = self.tag(["White", "Black"][side]);
        let named = match board {
            Some(_) => vec![listed.to_owned()],
            None => listed.split(':').map(unescape_list).collect(),
        };
        (seated, named)
    }

    /// Whether the players of the board are those named in the record.
    fn names_fit(&self, event: &Event, this: &Match, board: Option<u32>) -> bool {
        let numbers = sides(event, this, board);
        [0, 1].into_iter().all(|side| {
            let name = event.name(numbers[side]);
            let listed = self.tag(["White", "Black"][side]);
            let is_listed = names::same(listed, name.as_it_came());
            if !event.settings.is_of_teams() {
                return is_listed;
            }
            let team = self.tag(["WhiteTeam", "BlackTeam"][side]);
            let team_fits = names::same(team, name.as_it_came()) || (team.is_empty() && is_listed);
            let (seated, named) = self.players(event, this, board, side);
            let players_fit = are_named(&seated, &named);
            if team.is_empty() && players_fit {
                return true;
            }
            team_fits && (players_fit || listed.is_empty() || is_listed || seated.is_empty())
        })
    }

    /// Checks that the tags and the event agree on who leads which over-piece (OV-13).
    fn roles_fit(&self, event: &Event, this: &Match, board: Option<u32>) -> Result<(), String> {
        let numbers = sides(event, this, board);
        for (side, number) in [Side::White, Side::Black].into_iter().zip(numbers) {
            let Some(right) = roles(event, number, side == Side::Black) else {
                continue;
            };
            let commander = right.commander_tag();
            let right = Tags {
                commander: &commander,
                lieutenants: &right.tag,
            };
            let recorded = Tags {
                commander: self.tag(&format!("{side}Commander")),
                lieutenants: self.tag(&format!("{side}Lieutenants")),
            };
            let wrong = recorded.differences(right, side);
            if !wrong.is_empty() {
                return Err(format!(
                    "the record and the event name different leaders for {} (tags {side}Commander, {side}Lieutenants): {}",
                    event.called(number),
                    wrong.join("; ")
                ));
            }
        }
        Ok(())
    }

    fn result(
        &self,
        event: &Event,
        report: &Report,
    ) -> Result<(GameResult, Option<[Points; 2]>), String> {
        let recorded = match report.result.record.as_ref().map(Foreign::as_it_came) {
            Some("1-0") => Some(GameResult::White),
            Some("0-1") => Some(GameResult::Black),
            Some("1/2-1/2") => Some(GameResult::Draw),
            _ => None,
        };
        let result = report.result.judged.map(in_words).or(recorded);
        match event.settings.scoring {
            Scoring::Kings if result.is_some() || self.expired => self.kings(),
            Scoring::Kings => Err(
                "the game has no result yet; if time ended it, add --expiry H:MM:SS to count the kings at \
                 that time"
                    .into(),
            ),
            Scoring::Subgames => {
                let result = result.ok_or("the game has no result yet")?;
                let won = self
                    .sub_games
                    .ok_or("only games of Overchess have sub-games; enter the result with --score")?;
                Ok((result, Some(won.map(whole))))
            }
            _ => result.map(|result| (result, None)).ok_or_else(|| "the game has no result yet".into()),
        }
    }

    fn kings(&self) -> Result<(GameResult, Option<[Points; 2]>), String> {
        let uncertain = "the kings cannot be counted for certain; see `overboard score`";
        let (Some(outcome), Some(kings)) = (self.account.outcome, self.account.kings) else {
            return Err(uncertain.into());
        };
        if !kings.iter().all(|range| range.is_certain()) {
            return Err(uncertain.into());
        }
        if self.account.agrees == Some(Agreement::No) {
            let score = match &self.account.record_score {
                Some(score) => format!(", Score {}", visible(score)),
                None => String::new(),
            };
            return Err(format!(
                "the record says {}{score}, and the kings counted make it {} ({}-{}); see `overboard score`",
                visible(self.account.record_result.as_deref().unwrap_or("*")),
                in_words(outcome),
                kings[Side::White].least,
                kings[Side::Black].least,
            ));
        }
        let tally = kings.map(|range| whole(range.least));
        Ok((in_words(outcome), Some(tally.into_array())))
    }
}

/// This many whole points.
pub(crate) fn whole(count: u32) -> Points {
    Points::whole(i32::try_from(count).unwrap_or(i32::MAX / 10))
}

/// The games of a round: its matches, or the boards of these if each has a result of its own.
fn games<'a>(event: &Event, sheet: &'a Round) -> Vec<(&'a Match, Option<u32>)> {
    let mut games = Vec::new();
    for this in &sheet.matches {
        if event.settings.scoring != Scoring::Boards {
            games.push((this, None));
            continue;
        }
        for board in &this.boards {
            games.push((this, Some(board.board)));
        }
    }
    games
}

/// Whether these are the names of the players who are seated, in the same order.
fn are_named(seated: &[(u32, &Player)], named: &[String]) -> bool {
    let mut pairs = seated.iter().zip(named);
    seated.len() == named.len()
        && pairs.all(|((_, player), named)| names::same(player.name.as_it_came(), named))
}

/// The numbers of the participants with White and Black.
fn sides(event: &Event, this: &Match, board: Option<u32>) -> [TeamNo; 2] {
    let teams = this.sides();
    match board {
        Some(board) => event.on_board(board, teams),
        None => teams,
    }
}

const fn in_words(outcome: Outcome) -> GameResult {
    match outcome {
        Outcome::Win(Side::White) => GameResult::White,
        Outcome::Win(Side::Black) => GameResult::Black,
        Outcome::Draw => GameResult::Draw,
    }
}
