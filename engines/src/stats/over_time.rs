//! The counts of a meeting over time.

use super::wdl::Wdl;

/// The counts of a meeting at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// The first player's games.
    pub score: Wdl,
    /// Pairs by the first player's points in them: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
}

impl Point {
    /// Games so far.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.score.games()
    }
}

/// Moments of a meeting, evenly spaced, of limited number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountsOverTime {
    points: Vec<Point>,
    step: u64,
    seen: u64,
    last: Option<Point>,
}

/// The most moments that are kept.
const MOST: usize = 1024;

impl Default for CountsOverTime {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            step: 1,
            seen: 0,
            last: None,
        }
    }
}

impl CountsOverTime {
    /// Adds the counts of this moment.
    pub fn take(&mut self, point: Point) {
        self.seen += 1;
        self.last = Some(point);
        if !self.seen.is_multiple_of(self.step) {
            return;
        }
        self.points.push(point);
        if self.points.len() == MOST {
            let mut index = 0;
            self.points.retain(|_| {
                index += 1;
                index % 2 == 0
            });
            self.step *= 2;
        }
    }

    /// The moments that were kept, always including the last one.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        let last = self
            .last
            .as_ref()
            .filter(|last| self.points.last() != Some(last));
        self.points.iter().chain(last)
    }
}
