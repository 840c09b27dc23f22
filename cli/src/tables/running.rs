//! The clocks of a game whose record says only how long each ply took.

use overboard_formats::command::{Period, periods};
use overboard_rules::{by_side::BySide, square::Side};

/// The clocks of both sides.
#[derive(Clone, Debug, Default)]
pub struct Running(BySide<Option<Clock>>);

/// A clock that is set by a time control. Once a time is missing, nothing is known of it.
#[derive(Clone, Debug)]
struct Clock {
    periods: Vec<Period>,
    /// The period that it is in.
    at: usize,
    /// Moves made in that period.
    moves: u32,
    /// What is left, in milliseconds; negative if moves took longer than they had.
    left: i64,
    /// Whether a ply had a time; those before are from an opening.
    is_started: bool,
}

impl Running {
    /// Clocks set by the time controls of White and Black, as tags have them.
    pub fn of(controls: BySide<Option<&str>>) -> Self {
        Self(controls.map(|control| control.and_then(Clock::of)))
    }

    /// What the clock of a side shows after a ply that took this long, in seconds.
    pub fn after(&mut self, side: Side, seconds: Option<f64>) -> Option<f64> {
        let clock = self.0[side].as_mut()?;
        match seconds {
            Some(seconds) => Some(clock.spend(seconds)),
            None => {
                if clock.is_started {
                    self.0[side] = None;
                }
                None
            }
        }
    }
}

impl Clock {
    fn of(control: &str) -> Option<Self> {
        let periods = periods(control).ok()?;
        let first = periods.first()?;
        if periods.iter().any(|period| period.is_hourglass) {
            return None;
        }
        // Without a base time, the first move has its increment from the start.
        let left = if first.time == 0 {
            first.increment
        } else {
            first.time
        };
        Some(Self {
            at: 0,
            moves: 0,
            left: i64::try_from(left).ok()?,
            is_started: false,
            periods,
        })
    }

    /// What it shows, in seconds, after a move that took so many.
    fn spend(&mut self, seconds: f64) -> f64 {
        self.is_started = true;
        self.moves += 1;
        let period = self.periods[self.at];
        let mut given = period.increment;
        if period.moves == Some(self.moves) {
            self.moves = 0;
            self.at = (self.at + 1).min(self.periods.len() - 1);
            given = given.saturating_add(self.periods[self.at].time);
        }
        let given = i64::try_from(given).unwrap_or(i64::MAX);
        let spent = (seconds * 1000.0).round() as i64;
        self.left = self.left.saturating_add(given).saturating_sub(spent);
        self.left.max(0) as f64 / 1000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(control: &str, spent: &[f64]) -> Vec<Option<f64>> {
        let mut clocks = Running::of(BySide::new(Some(control), None));
        let after = |seconds: &f64| clocks.after(Side::White, Some(*seconds));
        spent.iter().map(after).collect()
    }

    #[test]
    fn time_is_spent_and_added() {
        assert_eq!(shown("10+1", &[4.0, 0.5]), [Some(7.0), Some(7.5)]);
        assert_eq!(shown("2/10+1", &[4.0, 9.0]), [Some(7.0), Some(9.0)]);
        assert_eq!(
            shown("2/10:5", &[4.0, 4.0, 3.0]),
            [Some(6.0), Some(7.0), Some(4.0)]
        );
        assert_eq!(shown("0+1", &[0.9]), [Some(1.1)]);
        assert_eq!(
            shown("3/1+0.01", &[1.03, 0.03, 0.02]),
            [Some(0.0), Some(0.0), Some(0.95)]
        );
        assert_eq!(shown("*180", &[1.0]), [None]);
        assert_eq!(shown("?", &[1.0]), [None]);
    }

    #[test]
    fn a_missing_time_ends_what_is_known() {
        let mut clocks = Running::of(BySide::new(Some("60"), Some("60")));
        assert_eq!(clocks.after(Side::Black, None), None);
        assert_eq!(clocks.after(Side::Black, Some(1.0)), Some(59.0));
        assert_eq!(clocks.after(Side::Black, None), None);
        assert_eq!(clocks.after(Side::Black, Some(1.0)), None);
        assert_eq!(clocks.after(Side::White, Some(2.0)), Some(58.0));
    }
}
