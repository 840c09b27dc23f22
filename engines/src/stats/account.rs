//! Games counted, whoever played them and wherever they are written.

use super::{
    breakdown::{Breakdown, By},
    counts::GameCounts,
    ratings::PairedScores,
    sample::{Sample, half_points},
    spread::Spread,
    trace::{Point, Trace},
};
use overboard_pictures::foreign::Foreign;
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome},
};
use std::collections::{BTreeMap, HashMap};

/// A game as it is counted.
#[derive(Clone, Debug)]
pub struct Counted<'a> {
    /// The players, White first.
    pub players: [Foreign<&'a str>; 2],
    /// The pair that it belongs to; games of one pair come one after the other.
    pub pair: Option<u64>,
    /// Its score.
    pub outcome: Outcome,
    /// Its plies.
    pub plies: u32,
    /// Why it ended; `None` where nothing says so.
    pub cause: Option<Cause>,
    /// What a replay has seen, where there was one.
    pub walk: Option<GameCounts>,
    /// Its opening, if games are grouped by opening.
    pub opening: Option<Foreign>,
    /// Its first ply, if games are grouped by first ply.
    pub first_ply: Option<Foreign>,
}

/// The word for the end of a game where nothing says why it ended.
const UNSTATED: &str = "unstated";

/// All games together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Account {
    /// Everybody who met somebody, in the order in which they came.
    pub meetings: Vec<Meeting>,
    /// White's wins, draws, Black's wins.
    pub results: [u64; 3],
    /// Pairs by White's points in them: 0, ½, 1, 1½, 2.
    pub white_pairs: [u64; 5],
    /// Plies of games.
    pub lengths: Spread,
    /// Games by why they ended, in a word.
    pub causes: BTreeMap<&'static str, u64>,
    /// Positions that were replayed, and the legal plies in all of them.
    pub choices: (u64, u128),
    /// White's kings less Black's, where a game has many.
    pub margins: Spread,
    /// Plies of games that were stopped and scored where they stood.
    pub stopped: Spread,
    /// Who met whom, for ratings.
    pub field: PairedScores,
    /// The games taken apart.
    pub apart: Breakdown,
    places: HashMap<[Foreign; 2], usize>,
    /// A pair of which one game was counted, and White's half points in it.
    open: Option<(u64, usize)>,
}

/// Two players and their games, as the first one sees them.
#[derive(Clone, PartialEq, Debug)]
pub struct Meeting {
    /// The two.
    pub players: [Foreign; 2],
    /// Wins, draws, losses.
    pub score: [u64; 3],
    /// Whole pairs by the first one's points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// The first one's kings less the other's, where a game has many.
    pub margins: Spread,
    /// How it went.
    pub trace: Trace,
    open: Option<(u64, usize)>,
}

/// What a player has scored against everybody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The player.
    pub player: Foreign,
    /// Wins, draws, losses.
    pub score: [u64; 3],
}

impl Account {
    /// Nothing counted yet, the games to be taken apart by these, too.
    #[must_use]
    pub fn apart(asked: &[By]) -> Self {
        Self { apart: Breakdown::by(asked), ..Self::default() }
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// The meeting of two players; a new one is seen from the first one's side.
    pub fn meet(&mut self, first: Foreign<&str>, second: Foreign<&str>) -> &mut Meeting {
        let key = [first, second].map(|player| player.kept());
        let known =
            self.places.get(&key).or_else(|| self.places.get(&[second, first].map(|player| player.kept())));
        let place = known.copied().unwrap_or_else(|| {
            self.places.insert(key.clone(), self.meetings.len());
            self.meetings.push(Meeting::of(key));
            self.meetings.len() - 1
        });
        &mut self.meetings[place]
    }

    /// Counts a game.
    pub fn count(&mut self, game: &Counted<'_>) {
        let points = half_points(game.outcome);
        self.results[2 - points] += 1;
        if let Some(sum) = game.pair.and_then(|pair| close(&mut self.open, pair, points)) {
            self.white_pairs[sum] += 1;
        }
        self.lengths.take(i64::from(game.plies));
        if game.cause.is_some_and(Cause::is_adjudication) {
            self.stopped.take(i64::from(game.plies));
        }
        let end = game.cause.map_or(UNSTATED, Cause::word);
        *self.causes.entry(end).or_default() += 1;
        self.apart.count(game, end);
        self.field.count(game.players, points, game.pair);
        if let Some(walk) = game.walk {
            self.choices.0 += walk.positions;
            self.choices.1 += u128::from(walk.choices);
        }
        let margin = game.walk.and_then(|walk| walk.kings).map(margin);
        margin.into_iter().for_each(|margin| self.margins.take(margin));
        let [white, black] = game.players;
        self.meet(white, black).count(game, points, margin);
    }

    /// The player of whom all games are with itself, where there is one.
    #[must_use]
    pub fn alone(&self) -> Option<&Foreign> {
        let first = self.meetings.first().filter(|_| self.meetings.iter().all(Meeting::is_with_itself))?;
        Some(&first.players[0])
    }

    /// What White scored, by pairs where all games are in whole pairs.
    #[must_use]
    pub fn white(&self) -> Sample {
        best(self.results, self.white_pairs)
    }

    /// What each player scored against everybody else, the best share first.
    #[must_use]
    pub fn standings(&self) -> Vec<Standing> {
        let mut standings: Vec<Standing> = Vec::new();
        let mut places: HashMap<&Foreign, usize> = HashMap::new();
        for meeting in self.meetings.iter().filter(|meeting| !meeting.is_with_itself()) {
            let [wins, draws, losses] = meeting.score;
            for (player, score) in meeting.players.iter().zip([[wins, draws, losses], [losses, draws, wins]])
            {
                let place = *places.entry(player).or_insert_with(|| {
                    standings.push(Standing { player: player.clone(), score: [0; 3] });
                    standings.len() - 1
                });
                standings[place].score.iter_mut().zip(score).for_each(|(sum, more)| *sum += more);
            }
        }
        let share = |standing: &Standing| Sample::of_games(standing.score).share().value.unwrap_or_default();
        standings.sort_by(|a, b| share(b).total_cmp(&share(a)));
        standings
    }
}

impl Meeting {
    fn of(players: [Foreign; 2]) -> Self {
        Self {
            players,
            score: [0; 3],
            pairs: [0; 5],
            margins: Spread::default(),
            trace: Trace::default(),
            open: None,
        }
    }

    /// Whether a player met itself: nothing can be said of who is better.
    #[must_use]
    pub fn is_with_itself(&self) -> bool {
        self.players[0] == self.players[1]
    }

    fn count(&mut self, game: &Counted<'_>, white: usize, margin: Option<i64>) {
        let has_white = game.players[0] == self.players[0].lent();
        let points = if has_white { white } else { 2 - white };
        self.score[2 - points] += 1;
        if let Some(margin) = margin {
            self.margins.take(if has_white { margin } else { -margin });
        }
        if let Some(sum) = game.pair.and_then(|pair| close(&mut self.open, pair, points)) {
            self.pairs[sum] += 1;
        }
        self.trace.take(Point { score: self.score, pairs: self.pairs });
    }

    /// Games that are in no whole pair, though others are.
    #[must_use]
    pub fn unpaired(&self) -> u64 {
        let paired = 2 * self.pairs.iter().sum::<u64>();
        if paired == 0 { 0 } else { self.score.iter().sum::<u64>() - paired }
    }

    /// The games one by one.
    #[must_use]
    pub fn by_games(&self) -> Sample {
        Sample::of_games(self.score)
    }

    /// Whole pairs where there are any, else games.
    #[must_use]
    pub fn sample(&self) -> Sample {
        Point { score: self.score, pairs: self.pairs }.sample()
    }
}

impl Point {
    /// Whole pairs where there are any, else games.
    #[must_use]
    pub fn sample(&self) -> Sample {
        if self.pairs.iter().any(|count| *count > 0) {
            Sample::of_pairs(self.pairs)
        } else {
            Sample::of_games(self.score)
        }
    }
}

/// Pairs where all games are in whole ones, else games.
fn best(score: [u64; 3], pairs: [u64; 5]) -> Sample {
    let paired = 2 * pairs.iter().sum::<u64>();
    if paired > 0 && paired == score.iter().sum::<u64>() {
        Sample::of_pairs(pairs)
    } else {
        Sample::of_games(score)
    }
}

/// Takes a game of a pair; returns the half points of both games where it is the second.
fn close(open: &mut Option<(u64, usize)>, pair: u64, points: usize) -> Option<usize> {
    match open.take() {
        Some((before, first)) if before == pair => Some(first + points),
        _ => {
            *open = Some((pair, points));
            None
        }
    }
}

fn margin(kings: BySide<u32>) -> i64 {
    let [white, black] = kings.into_array();
    i64::from(white) - i64::from(black)
}
