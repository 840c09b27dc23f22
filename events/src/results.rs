//! What records mean for an organiser: which game of the event it is, and how it ended.

use crate::{
    Event,
    card::roles,
    leaders::Tags,
    names,
    roster::Player,
    rounds::{GameResult, Match},
    settings::{Participants, Scoring},
};
use overboard_formats::{
    encoding::decode,
    foreign::visible,
    header::{unescape_into, unescape_list},
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
    team::Colour,
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
                    let mut value = Vec::new();
                    unescape_into(parser.text(tag.value), &mut value);
                    self.tags
                        .entry(name)
                        .or_insert_with(|| decode(&value).0.into_owned());
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
            seat.takes(result)?;
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
        let rounds = RoundNo::first(u32::try_from(event.rounds.len()).unwrap_or(u32::MAX));
        if let Some((round, ..)) = self.round_tag() {
            return self
                .table(event, round)
                .map(|(this, board)| (round, this.table, board));
        }
        let fits = rounds.filter_map(|round| Some((round, self.table(event, round).ok()?)));
        let fits: Vec<_> = fits
            .map(|(round, (this, board))| (round, this.table, board))
            .collect();
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
        let sheet = event
            .rounds
            .get(round.index())
            .ok_or_else(|| format!("round {round} is not paired"))?;
        let fits = sheet.matches.iter().flat_map(|this| {
            let boards: Vec<Option<u32>> = match event.settings.scoring {
                Scoring::Boards => this.boards.iter().map(|board| Some(board.board)).collect(),
                _ => vec![None],
            };
            boards.into_iter().map(move |board| (this, board))
        });
        let place = self.round_tag();
        if let Some((reported, ..)) = place
            && reported != round
        {
            return Err(format!(
                "its tag Round says round {reported}, not round {round}"
            ));
        }
        let at_place = |(this, board): &(&Match, Option<u32>)| match place {
            Some((_, Some(table), reported)) => {
                this.table == table && (reported.is_none() || reported == *board)
            }
            _ => true,
        };
        let fits: Vec<_> = fits.filter(at_place).collect();
        let found = fits
            .iter()
            .find(|two| self.names_fit(event, two.0, two.1))
            .copied();
        found.ok_or_else(|| {
            if let Some(why) = fits
                .iter()
                .find_map(|two| self.misnamed(event, two.0, two.1))
            {
                return why;
            }
            let names = [self.side(0), self.side(1)].map(|name| {
                if name.is_empty() {
                    "?".to_owned()
                } else {
                    name
                }
            });
            format!(
                "no table of round {round} has {} with White and {} with Black",
                visible(&names[0]),
                visible(&names[1])
            )
        })
    }

    /// The tag Round, `3`, `3.2` or `3.2.1`: round, table, board.
    fn round_tag(&self) -> Option<(RoundNo, Option<u32>, Option<u32>)> {
        let mut parts = self.tag("Round").split('.');
        let round = parts.next()?.parse().ok()?;
        Some((
            round,
            parts.next().and_then(|table| table.parse().ok()),
            parts.next().and_then(|board| board.parse().ok()),
        ))
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
        let is_named = |side: usize| {
            let team = self.tag(["WhiteTeam", "BlackTeam"][side]);
            names::same(team, event.name(numbers[side]).as_it_came())
        };
        if !(is_named(0) && is_named(1)) {
            return None;
        }
        [0, 1].into_iter().find_map(|side| {
            let (seated, named) = self.players(event, this, board, side);
            let mut named = named
                .iter()
                .map(String::as_str)
                .chain(std::iter::repeat(""));
            let (number, player, named) = seated.into_iter().find_map(|(number, player)| {
                let named = named.next().unwrap_or_default();
                (!names::same(named, player.name.as_it_came())).then_some((number, player, named))
            })?;
            Some(format!(
                "at table {}, board {number}, the record has {} for {}, and the line-up has {}",
                this.table,
                if named.is_empty() {
                    "nobody".into()
                } else {
                    visible(named)
                },
                event.called(numbers[side]),
                player.name.shown()
            ))
        })
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
        let boards = this
            .boards
            .iter()
            .filter(|one| board.is_none_or(|board| one.board == board));
        let seated = boards.filter_map(|one| {
            let id = if side == 0 { one.white } else { one.black }?;
            Some((one.board, event.player(id)?))
        });
        let listed = self.tag(["White", "Black"][side]);
        let named = match board {
            Some(_) => vec![listed.to_owned()],
            None => listed.split(':').map(unescape_list).collect(),
        };
        (seated.collect(), named)
    }

    /// Whether the players of the board are those named in the record.
    fn names_fit(&self, event: &Event, this: &Match, board: Option<u32>) -> bool {
        let same = names::same;
        let numbers = sides(event, this, board);
        [0, 1].into_iter().all(|side| {
            let name = event.name(numbers[side]);
            let team = self.tag(["WhiteTeam", "BlackTeam"][side]);
            let listed = self.tag(["White", "Black"][side]);
            if event.settings.participants == Participants::Players {
                return same(listed, name.as_it_came());
            }
            let team_fits = same(team, name.as_it_came())
                || (team.is_empty() && same(listed, name.as_it_came()));
            let (seated, named) = self.players(event, this, board, side);
            let mut pairs = seated.iter().zip(&named);
            let players_fit = seated.len() == named.len()
                && pairs.all(|((_, player), named)| same(player.name.as_it_came(), named));
            (team_fits
                && (players_fit
                    || listed.is_empty()
                    || same(listed, name.as_it_came())
                    || seated.is_empty()))
                || (team.is_empty() && players_fit)
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
            let reported = Tags {
                commander: self.tag(&format!("{side}Commander")),
                lieutenants: self.tag(&format!("{side}Lieutenants")),
            };
            let wrong = reported.differences(right, side);
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
        let recorded = report
            .result
            .record
            .as_ref()
            .and_then(|text| match text.as_it_came() {
                "1-0" => Some(GameResult::White),
                "0-1" => Some(GameResult::Black),
                "1/2-1/2" => Some(GameResult::Draw),
                _ => None,
            });
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
                Ok((result, Some(won.map(|won| Points::whole(i32::try_from(won).unwrap_or(i32::MAX / 10))))))
            }
            _ => result.map(|result| (result, None)).ok_or_else(|| "the game has no result yet".into()),
        }
    }

    fn kings(&self) -> Result<(GameResult, Option<[Points; 2]>), String> {
        let kings = self
            .account
            .kings
            .filter(|kings| kings.iter().all(|range| range.is_certain()));
        let (Some(outcome), Some(kings)) = (self.account.outcome, kings) else {
            return Err("the kings cannot be counted for certain; see `overboard score`".into());
        };
        if self.account.agrees == Some(Agreement::No) {
            let score = |score: &String| format!(", Score {}", visible(score));
            return Err(format!(
                "the record says {}{}, and the kings counted make it {} ({}-{}); see `overboard score`",
                visible(self.account.record_result.as_deref().unwrap_or("*")),
                self.account
                    .record_score
                    .as_ref()
                    .map_or(String::new(), score),
                in_words(outcome),
                kings[Side::White].least,
                kings[Side::Black].least,
            ));
        }
        let tally =
            kings.map(|range| Points::whole(i32::try_from(range.least).unwrap_or(i32::MAX / 10)));
        Ok((in_words(outcome), Some(tally.into_array())))
    }
}

/// The numbers of the participants with White and Black.
fn sides(event: &Event, this: &Match, board: Option<u32>) -> [TeamNo; 2] {
    let white_first = board.is_none_or(|board| event.colour(board) == Colour::White);
    if white_first {
        [this.white, this.black]
    } else {
        [this.black, this.white]
    }
}

const fn in_words(outcome: Outcome) -> GameResult {
    match outcome {
        Outcome::Win(Side::White) => GameResult::White,
        Outcome::Win(Side::Black) => GameResult::Black,
        Outcome::Draw => GameResult::Draw,
    }
}
