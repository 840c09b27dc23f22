//! How a meeting went, as some of its moments.

/// Counts of a meeting at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// Wins, draws, losses.
    pub score: [u64; 3],
    /// Pairs by what was scored in them.
    pub pairs: [u64; 5],
}

impl Point {
    /// Games so far.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.score.iter().sum()
    }
}

/// Moments of a meeting, evenly apart and never too many.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    points: Vec<Point>,
    step: u64,
    seen: u64,
    last: Option<Point>,
}

/// Moments kept at most.
const MOST: usize = 1024;

impl Default for Trace {
    fn default() -> Self {
        Self { points: Vec::new(), step: 1, seen: 0, last: None }
    }
}

impl Trace {
    /// Takes the counts of this moment.
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

    /// The moments kept, the last one always among them.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        let last = self.last.as_ref().filter(|last| self.points.last() != Some(last));
        self.points.iter().chain(last)
    }
}
