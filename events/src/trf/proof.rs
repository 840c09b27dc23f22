//! A report holds totals and ranks beside its games. Here they are derived again from the games, and compared.

mod claims;
mod reasons;

pub use claims::oddities;

use super::{Line, Player, Trf};
use crate::{
    Event,
    csv::{At, CsvError},
    roster::{Request, RequestKind},
    rounds::ByeKind,
    settings::{Participants, System},
};
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    standings::standings,
    tiebreak::TieBreak,
    tournament::{ByScore, Score},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// What a report says of a participant or a player, and what its games say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The record.
    pub at: At,
    /// The name.
    pub name: Foreign,
    /// The pairing number of a participant; `None` for a player of a team.
    pub who: Option<TeamNo>,
    /// What differs.
    pub figure: Figure,
    /// What the report says: points, or a rank.
    pub file: Value,
    /// What follows from its games.
    pub games: Value,
    /// Why it may be so.
    pub reason: Option<String>,
    /// What would explain it, if only one thing does.
    pub cause: Option<Cause>,
}

/// What explains why the file has other points than its games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// A bye of this round.
    Bye(RoundNo, ByeKind),
    /// The win by forfeit of a player of a team, on a board of this round that nobody else has.
    Forfeit {
        /// The round.
        round: RoundNo,
        /// The player.
        player: u32,
    },
}

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Figure {
    /// The points of a player.
    Points,
    /// The match points of a team.
    MatchPoints,
    /// The game points of a team.
    GamePoints,
    /// The place in the standings.
    Rank,
}

/// A value that is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Points.
    Points(Points),
    /// A rank, or several that are shared.
    Ranks(u32, u32),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Points(points) => points.fmt(f),
            Self::Ranks(first, last) if first == last => first.fmt(f),
            Self::Ranks(first, last) => write!(f, "{first} to {last}"),
        }
    }
}

impl Figure {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::MatchPoints => "match points",
            Self::GamePoints => "game points",
            Self::Rank => "rank",
        }
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, figure) = (self.name.shown(), self.figure.as_str());
        let (file, games) = (self.file, self.games);
        write!(
            f,
            "{name}: {figure} {file} in the file, {games} by its games"
        )?;
        match &self.reason {
            Some(reason) => write!(f, "; {reason}"),
            None => Ok(()),
        }
    }
}

impl Disagreement {
    /// It as a line with its place.
    #[must_use]
    pub fn line(&self) -> CsvError {
        self.at.fault(self.to_string())
    }

    /// How many points more the file has.
    fn more(&self) -> Points {
        match (self.file, self.games) {
            (Value::Points(file), Value::Points(games)) => file - games,
            _ => Points::ZERO,
        }
    }
}

/// What a report says against itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// Games of which the two players' entries say different things.
    pub contradictions: Vec<CsvError>,
    /// Points and ranks that do not follow from the games.
    pub disagreements: Vec<Disagreement>,
    /// Whether no player or team has points in the file, so that there is nothing to compare.
    pub has_no_totals: bool,
}

impl Proof {
    /// Whether nothing speaks against the report.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.contradictions.is_empty() && self.disagreements.is_empty()
    }

    /// Whether all totals follow, and only ranks do not.
    #[must_use]
    pub fn is_only_of_ranks(&self) -> bool {
        let of_rank = |one: &Disagreement| one.figure == Figure::Rank;
        !self.holds() && self.contradictions.is_empty() && self.disagreements.iter().all(of_rank)
    }
}

/// Derives the totals and ranks of a report again from the event that its games make.
#[must_use]
pub fn prove(trf: &Trf, event: &Event) -> Proof {
    let derived = Trf::from(event);
    let mut proof = Proof {
        contradictions: claims::contradictions(trf),
        ..Proof::default()
    };
    // `None` is below all points.
    let has_won = |player: &Player| player.points > Some(Points::ZERO);
    let is_given = trf
        .all_points()
        .iter()
        .any(|points| *points != Points::ZERO);
    proof.has_no_totals = derived.players.iter().any(has_won) && !is_given;
    if proof.has_no_totals {
        return proof;
    }
    compare_players(trf, event, &derived, &mut proof.disagreements);
    compare_teams(trf, event, &derived, &mut proof.disagreements);
    if proof.disagreements.is_empty() {
        compare_ranks(trf, event, &mut proof.disagreements);
    }
    proof
}

fn compare_players(trf: &Trf, event: &Event, derived: &Trf, all: &mut Vec<Disagreement>) {
    let mut known = BTreeMap::new();
    for player in &derived.players {
        known.insert(player.number, player.points);
    }
    for player in &trf.players {
        let own = known.get(&player.number).copied().unwrap_or_default();
        let (Some(file), Some(games)) = (player.points, own) else {
            continue;
        };
        if file == games {
            continue;
        }
        let (reason, cause) = reasons::of_player(event, player, file - games);
        all.push(Disagreement {
            at: player.at.column(81),
            name: player.name.clone(),
            who: if event.settings.is_of_teams() {
                None
            } else {
                Some(TeamNo::new(player.number))
            },
            figure: Figure::Points,
            file: Value::Points(file),
            games: Value::Points(games),
            reason: Some(reason),
            cause,
        });
    }
}

fn compare_teams(trf: &Trf, event: &Event, derived: &Trf, all: &mut Vec<Disagreement>) {
    let figures = [
        (Score::Match, Figure::MatchPoints),
        (Score::Game, Figure::GamePoints),
    ];
    let mut compare = |at: &Line, team: TeamNo, points: ByScore<Option<Points>>| {
        let Some(known) = derived.teams.iter().find(|known| known.number == team) else {
            return;
        };
        for (score, figure) in figures {
            let (Some(file), Some(games)) = (points.of(score), known.points.of(score)) else {
                continue;
            };
            let is_known = |one: &Disagreement| {
                one.who == Some(team) && one.figure == figure && one.file == Value::Points(file)
            };
            if file == games || all.iter().any(is_known) {
                continue;
            }
            all.push(Disagreement {
                at: at.0.clone(),
                name: event.name(team),
                who: Some(team),
                figure,
                file: Value::Points(file),
                games: Value::Points(games),
                reason: reasons::of_team(event, team, score, file - games),
                cause: None,
            });
        }
    };
    for team in &trf.teams {
        compare(&team.at, team.number, team.points);
    }
    for total in &trf.totals {
        compare(&total.at, total.team, total.points.map(Some));
    }
}

/// Ranks follow from the tie-breaks of the file, up to the first that is unknown here. Without a list they can be in any
/// order among equal points.
fn compare_ranks(trf: &Trf, event: &Event, all: &mut Vec<Disagreement>) {
    if event.settings.system == System::Knockout {
        return;
    }
    let mut event = event.clone();
    event.settings.tie_breaks = known_criteria(trf);
    let ranked = ranked(trf, &event);
    let field = event.tournament(event.rounds.len());
    let places = standings(&field, &event.settings.criteria().unwrap_or_default());
    let has_rank: BTreeSet<TeamNo> = ranked.iter().map(|one| one.who).collect();
    let mut counted = BTreeMap::new();
    for place in &places {
        let who = field.rows[place.row].number;
        if has_rank.contains(&who) {
            counted.insert(who, place.rank);
        }
    }
    let mut in_order: Vec<u32> = counted.values().copied().collect();
    in_order.sort_unstable();
    for Ranked { who, rank, at } in ranked {
        let Some(own) = counted.get(&who) else {
            continue;
        };
        let ahead = in_order.partition_point(|other| other < own);
        let not_behind = in_order.partition_point(|other| other <= own);
        let [first, last] =
            [ahead + 1, not_behind].map(|rank| u32::try_from(rank).unwrap_or(u32::MAX));
        if (first..=last).contains(&rank) {
            continue;
        }
        all.push(Disagreement {
            at: at.clone(),
            name: event.name(who),
            who: Some(who),
            figure: Figure::Rank,
            file: Value::Ranks(rank, rank),
            games: Value::Ranks(first, last),
            reason: Some(reasons::of_rank(&event)),
            cause: None,
        });
    }
}

/// A participant that the report gives a rank.
struct Ranked<'t> {
    who: TeamNo,
    rank: u32,
    at: &'t At,
}

/// Those with a rank. Some programs give none, or 0, to those who left; the others are ranked without them.
fn ranked<'t>(trf: &'t Trf, event: &Event) -> Vec<Ranked<'t>> {
    let mut all = Vec::new();
    let mut add = |who: TeamNo, rank: Option<u32>, at: &'t Line| {
        if let Some(rank) = rank
            && rank > 0
        {
            all.push(Ranked {
                who,
                rank,
                at: &at.0,
            });
        }
    };
    match event.settings.participants {
        Participants::Teams => {
            for team in &trf.teams {
                add(team.number, team.rank, &team.at);
            }
        }
        Participants::Players => {
            for player in &trf.players {
                add(TeamNo::new(player.number), player.rank, &player.at);
            }
        }
    }
    all
}

/// The tie-breaks of the report, up to the first that is unknown here.
fn known_criteria(trf: &Trf) -> Vec<String> {
    let (list, skipped) = match (trf.header("202"), trf.header("212")) {
        (Some(list), _) => (list.as_it_came(), 0),
        (None, Some(list)) => (list.as_it_came(), 1),
        (None, None) => return Vec::new(),
    };
    let mut known = Vec::new();
    for code in list.split(',').map(str::trim).skip(skipped) {
        if code.parse::<TieBreak>().is_err() {
            break;
        }
        known.push(code.to_owned());
    }
    known
}

/// The event with the totals of the report: a bye or a win by forfeit where only one explains a difference, else points
/// given or deducted apart from the games, as by a penalty. Players of teams have no points apart from their games.
/// Returns what was done, in words.
#[must_use]
pub fn with_totals(mut event: Event, proof: &Proof) -> (Event, Vec<String>) {
    let mut done = Vec::new();
    let mut given: BTreeMap<TeamNo, ByScore<Points>> = BTreeMap::new();
    for one in &proof.disagreements {
        let name = one.name.shown();
        if let Some(Cause::Forfeit { round, player }) = one.cause
            && let Some(board) = reasons::seat_without_opponent(&mut event, round, player)
        {
            done.push(format!(
                "{name} has a win by forfeit in round {round}, on board {board}"
            ));
            continue;
        }
        let Some(who) = one.who else {
            done.push(format!(
                "{name} keeps the {} points of the games: players of teams are given none apart from them",
                one.games
            ));
            continue;
        };
        if let Some(Cause::Bye(round, kind)) = one.cause {
            let sheet = &mut event.rounds[round.index()];
            if let Some(bye) = sheet.byes.iter_mut().find(|bye| bye.who == who) {
                bye.kind = kind;
                done.push(format!("{name} has a {} in round {round}", kind.as_str()));
                continue;
            }
        }
        let points = given.entry(who).or_default();
        match one.figure {
            Figure::Points => *points = ByScore::both(one.more()),
            Figure::MatchPoints => points.matches = one.more(),
            Figure::GamePoints => points.games = one.more(),
            Figure::Rank => {}
        }
    }
    done.extend(give(&mut event, given));
    (event, done)
}

/// Gives points apart from the games, in the last round. Returns what was done, in words.
fn give(event: &mut Event, given: BTreeMap<TeamNo, ByScore<Points>>) -> Vec<String> {
    let mut done = Vec::new();
    let last = RoundNo::at(event.rounds.len().max(1) - 1);
    for (who, points) in given {
        if points == ByScore::ZERO {
            continue;
        }
        done.push(format!(
            "{} is given {} apart from its games, in round {last}",
            event.called(who),
            in_words(event, points)
        ));
        event.requests.push(Request {
            points,
            ..Request::new(last, RequestKind::Penalty, who)
        });
    }
    done
}

/// Rounds of teams without an opponent, in a file that gives teams no points, such as a TRF16: what such a round counts
/// cannot be derived from it. In words; `None` if there are none.
#[must_use]
pub fn byes_of_unknown_worth(trf: &Trf, event: &Event) -> Option<String> {
    let has_points = trf
        .teams
        .iter()
        .any(|team| team.points != ByScore::both(None));
    if has_points || !trf.totals.is_empty() || trf.byes.is_some() {
        return None;
    }
    let mut all = Vec::new();
    if event.settings.is_of_teams() {
        for (round, sheet) in RoundNo::all().zip(&event.rounds) {
            for bye in &sheet.byes {
                if bye.kind == ByeKind::Zero {
                    all.push(format!("round {round} {}", event.called(bye.who)));
                }
            }
        }
    }
    if all.is_empty() {
        return None;
    }
    let (rounds, s) = if all.len() == 1 {
        ("a round", "s")
    } else {
        ("rounds", "")
    };
    Some(format!(
        "the file does not say what {rounds} without an opponent count{s} for a team ({}); now it counts nothing, and \
         `event request FOLDER half-bye TEAM --round N --correct` makes it a draw's points, `full-bye` a win's",
        all.join(", ")
    ))
}

fn in_words(event: &Event, points: ByScore<Points>) -> String {
    let ByScore { matches, games } = points;
    if !event.settings.is_of_teams() {
        return format!("{matches} points");
    }
    let mut words = Vec::new();
    if matches != Points::ZERO {
        words.push(format!("{matches} match points"));
    }
    if games != Points::ZERO {
        words.push(format!("{games} game points"));
    }
    words.join(" and ")
}
