//! Counts games, and pairs of them, one after another.

use super::{over_time::Point, sample::Sample, wdl::Wdl};

/// Games from one player's point of view.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counter {
    /// All games.
    pub score: Wdl,
    /// Complete pairs by the player's points in them: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// A pair of which one game has been counted, and the half points in it.
    open: Option<(u64, usize)>,
}

impl Counter {
    /// Adds a game with this many half points, and its pair, if it is in one; the games of a pair must follow one
    /// another. Returns whether the pair is complete with it.
    pub fn add(&mut self, half_points: usize, pair: Option<u64>) -> bool {
        self.score.count(half_points);
        let Some(pair) = pair else { return false };
        match self.open.take() {
            Some((open, before)) if open == pair => {
                self.pairs[before + half_points] += 1;
                true
            }
            _ => {
                self.open = Some((pair, half_points));
                false
            }
        }
    }

    /// The counts now.
    #[must_use]
    pub const fn point(&self) -> Point {
        Point {
            score: self.score,
            pairs: self.pairs,
        }
    }

    /// The sample of complete pairs if there are any, else of games.
    #[must_use]
    pub fn sample(&self) -> Sample {
        if self.paired() > 0 {
            Sample::of_pairs(self.pairs)
        } else {
            Sample::of_games(self.score)
        }
    }

    /// Games that are in no complete pair, although others are.
    #[must_use]
    pub fn unpaired(&self) -> u64 {
        match self.paired() {
            0 => 0,
            paired => self.games() - paired,
        }
    }

    /// How many games there are.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.score.games()
    }

    /// How many of them are in complete pairs.
    fn paired(&self) -> u64 {
        2 * self.pairs.iter().sum::<u64>()
    }
}
