//! Counts games, whoever played them and wherever they are written.

use super::{
    breakdown::{Breakdown, By},
    counter::Counter,
    counts::GameCounts,
    over_time::CountsOverTime,
    ratings::PairedScores,
    sample::Sample,
    spread::Spread,
    wdl::Wdl,
};
use crate::ending::half_points;
use overboard_formats::foreign::Foreign;
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome},
    square::Side,
};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// A game to be counted.
#[derive(Clone, Debug)]
pub struct Counted<'a> {
    /// The players, White first.
    pub players: [Foreign<&'a str>; 2],
    /// The pair to which it belongs; games of one pair must follow one another.
    pub pair: Option<u64>,
    /// Its score.
    pub outcome: Outcome,
    /// Its plies.
    pub plies: u32,
    /// Why it ended; `None` if nothing says so.
    pub cause: Option<Cause>,
    /// What a replay has counted, if there was one.
    pub walk: Option<GameCounts>,
    /// Its opening, if games are grouped by opening.
    pub opening: Option<Foreign>,
    /// Its first ply, if games are grouped by first ply.
    pub first_ply: Option<Foreign>,
}

/// The word for the end of a game of which nothing says why it ended.
const UNSTATED: &str = "unstated";

/// The counts of all games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Account {
    /// All meetings, in the order in which they first occurred.
    pub meetings: Vec<Meeting>,
    /// All games from White's point of view.
    pub by_white: Counter,
    /// Plies per game.
    pub lengths: Spread,
    /// Games by the word for why they ended.
    pub causes: BTreeMap<&'static str, u64>,
    /// Replayed positions, and the total of their legal plies.
    pub choices: (u64, u128),
    /// White's kings minus Black's, if the game has many.
    pub margins: Spread,
    /// Plies of games that were stopped and scored.
    pub stopped: Spread,
    /// Who met whom, for ratings.
    pub field: PairedScores,
    /// The breakdown by openings, ends and so on.
    pub apart: Breakdown,
    places: HashMap<[Foreign; 2], usize>,
}

/// The games between two players, from the first one's point of view.
#[derive(Clone, PartialEq, Debug)]
pub struct Meeting {
    /// The two players.
    pub players: [Foreign; 2],
    /// Their games.
    pub games: Counter,
    /// The first player's kings minus the other's, if the game has many.
    pub margins: Spread,
    /// The counts over time.
    pub trace: CountsOverTime,
}

/// A player's score against all others.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Player", description = "A player against all others.")
)]
pub struct PlayerScore {
    /// The name.
    pub player: Foreign,
    /// Games won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The share of the points, from 0 to 1.
    pub share: Option<f64>,
}

impl PlayerScore {
    /// The games in one.
    #[must_use]
    pub const fn score(&self) -> Wdl {
        Wdl::new(self.wins, self.draws, self.losses)
    }
}

impl Account {
    /// No games yet, with a breakdown by these.
    #[must_use]
    pub fn apart(asked: &[By]) -> Self {
        Self {
            apart: Breakdown::by(asked),
            ..Self::default()
        }
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.by_white.games()
    }

    /// The meeting of two players; a new one is from the first player's point of view.
    pub fn meet(&mut self, first: Foreign<&str>, second: Foreign<&str>) -> &mut Meeting {
        let key = [first, second].map(|player| player.kept());
        let turned = || [second, first].map(|player| player.kept());
        let known = self.places.get(&key);
        let known = known.or_else(|| self.places.get(&turned())).copied();
        let place = known.unwrap_or(self.meetings.len());
        if known.is_none() {
            self.places.insert(key.clone(), place);
            self.meetings.push(Meeting::of(key));
        }
        &mut self.meetings[place]
    }

    /// Counts a game.
    pub fn count(&mut self, game: &Counted<'_>) {
        let points = half_points(game.outcome, Side::White);
        self.by_white.add(points, game.pair);
        self.lengths.take(i64::from(game.plies));
        if game.cause.is_some_and(Cause::is_adjudication) {
            self.stopped.take(i64::from(game.plies));
        }
        let end = match game.cause {
            Some(cause) => cause.word(),
            None => UNSTATED,
        };
        *self.causes.entry(end).or_default() += 1;
        self.apart.count(game, end);
        self.field.count(game.players, points, game.pair);
        if let Some(walk) = game.walk {
            self.choices.0 += walk.positions;
            self.choices.1 += u128::from(walk.choices);
        }
        let margin = game.walk.and_then(|walk| walk.kings).map(margin);
        if let Some(margin) = margin {
            self.margins.take(margin);
        }
        let [white, black] = game.players;
        self.meet(white, black).count(game, points, margin);
    }

    /// The player whose games are all against itself, if there is one.
    #[must_use]
    pub fn alone(&self) -> Option<&Foreign> {
        if !self.meetings.iter().all(Meeting::is_with_itself) {
            return None;
        }
        let first = self.meetings.first()?;
        Some(&first.players[0])
    }

    /// White's scores, by pairs if all games are in complete pairs.
    #[must_use]
    pub fn white(&self) -> Sample {
        match self.by_white.unpaired() {
            0 => self.by_white.sample(),
            _ => Sample::of_games(self.by_white.score),
        }
    }

    /// Each player's score against all others, the best share of the points first.
    #[must_use]
    pub fn standings(&self) -> Vec<PlayerScore> {
        let mut standings: Vec<PlayerScore> = Vec::new();
        let mut places: HashMap<&Foreign, usize> = HashMap::new();
        for meeting in &self.meetings {
            if meeting.is_with_itself() {
                continue;
            }
            let score = meeting.games.score;
            let [first, second] = &meeting.players;
            for (player, score) in [(first, score), (second, score.turned())] {
                let place = *places.entry(player).or_insert(standings.len());
                if place == standings.len() {
                    standings.push(PlayerScore {
                        player: player.clone(),
                        wins: 0,
                        draws: 0,
                        losses: 0,
                        share: None,
                    });
                }
                let standing = &mut standings[place];
                standing.wins += score.wins;
                standing.draws += score.draws;
                standing.losses += score.losses;
            }
        }
        for standing in &mut standings {
            standing.share = Sample::of_games(standing.score()).share().value;
        }
        let share = |standing: &PlayerScore| standing.share.unwrap_or_default();
        standings.sort_by(|a, b| share(b).total_cmp(&share(a)));
        standings
    }
}

impl Meeting {
    fn of(players: [Foreign; 2]) -> Self {
        Self {
            players,
            games: Counter::default(),
            margins: Spread::default(),
            trace: CountsOverTime::default(),
        }
    }

    /// Whether a player met itself, so that nothing can be said about who is better.
    #[must_use]
    pub fn is_with_itself(&self) -> bool {
        self.players[0] == self.players[1]
    }

    fn count(&mut self, game: &Counted<'_>, white: usize, margin: Option<i64>) {
        let has_white = game.players[0] == self.players[0].lent();
        let points = if has_white { white } else { 2 - white };
        self.games.add(points, game.pair);
        if let Some(margin) = margin {
            self.margins.take(if has_white { margin } else { -margin });
        }
        self.trace.take(self.games.point());
    }
}

fn margin(kings: BySide<u32>) -> i64 {
    let [white, black] = kings.into_array();
    i64::from(white) - i64::from(black)
}
