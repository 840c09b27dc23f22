//! The clocks of a game in CECP.

use super::super::allotted;
use crate::{external::lines::Clock, move_limits::Bounds};
use std::time::Duration;

/// The longest time of a time control, in milliseconds: a year.
const LONGEST: f64 = 3.2e10;

fn number(text: &str) -> Option<f64> {
    text.parse()
        .ok()
        .filter(|number: &f64| *number >= 0.0 && number.is_finite())
}

fn ms(seconds: f64) -> Option<u64> {
    let ms = seconds * 1_000.0;
    (ms <= LONGEST).then_some(ms as u64)
}

/// What a client has said about time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Clocks {
    moves: Option<u32>,
    /// Milliseconds left.
    left: u64,
    increment: u64,
    each: Option<u64>,
    depth: Option<u32>,
}

impl Default for Clocks {
    /// Forty moves in five minutes, unless a client says otherwise.
    fn default() -> Self {
        Self {
            moves: Some(40),
            left: 300_000,
            increment: 0,
            each: None,
            depth: None,
        }
    }
}

impl Clocks {
    /// Takes the arguments of `level`, `st`, `sd` or `time`; `None` if they are not understood.
    pub(super) fn set(&mut self, word: &str, rest: &str) -> Option<()> {
        let words: Vec<_> = rest.split_ascii_whitespace().collect();
        match (word, &*words) {
            ("level", [moves, base, increment]) => {
                let moves: u32 = moves.parse().ok()?;
                let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
                *self = Self {
                    moves: (moves > 0).then_some(moves),
                    left: ms(60.0 * number(minutes)? + number(seconds)?)?,
                    increment: ms(number(increment)?)?,
                    each: None,
                    depth: self.depth,
                };
            }
            ("st", [seconds]) => {
                self.each = Some(ms(number(seconds)?)?);
                (self.moves, self.increment) = (None, 0);
            }
            ("sd", [plies]) => {
                self.depth = Some(plies.parse().ok().filter(|plies| *plies > 0)?);
            }
            // A clock that has run out continues with negative numbers.
            ("time", [hundredths]) => {
                let hundredths = hundredths.parse::<i64>().ok()?.max(0) as u64;
                self.left = hundredths.saturating_mul(10);
            }
            _ => return None,
        }
        Some(())
    }

    /// The limits for a move, after this many of our moves in the game.
    pub(super) fn bounds(&self, made: usize) -> Bounds {
        let to_come = self.moves.map(|moves| moves - made as u32 % moves);
        let time = match self.each {
            // A little is lost on the way to the client.
            Some(each) => Duration::from_millis(each - (each / 10).min(30)),
            None => allotted(Clock {
                left: self.left,
                increment: self.increment,
                moves: to_come,
            }),
        };
        Bounds {
            time: Some(time),
            depth: self.depth,
            ..Bounds::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(lines: &[&str], made: usize) -> (Option<u128>, Option<u32>) {
        let mut clocks = Clocks::default();
        for line in lines {
            let (word, rest) = line.split_once(' ').unwrap();
            clocks.set(word, rest).unwrap();
        }
        let Bounds { time, depth, .. } = clocks.bounds(made);
        (time.map(|time| time.as_millis()), depth)
    }

    #[test]
    fn every_time_control_is_understood() {
        assert_eq!(
            bounds(&["level 40 5 0", "time 31000"], 0),
            (Some(10_000), None)
        );
        assert_eq!(
            bounds(&["level 40 5 0", "time 6200"], 39),
            (Some(31_000), None)
        );
        assert_eq!(
            bounds(&["level 40 5 0", "time 31000"], 40),
            (Some(10_000), None)
        );
        assert_eq!(bounds(&["level 0 1:02 2.5"], 7), (Some(4_000), None));
        assert_eq!(
            bounds(&["level 0 5 0", "st 2", "sd 6", "time -5"], 0),
            (Some(1_970), Some(6))
        );
        assert_eq!(bounds(&["st 0.1"], 0), (Some(90), None));
        assert!(bounds(&["level 0 5 0", "time 9223372036854775807"], 0).0 > Some(1_000_000));
        assert_eq!(bounds(&["sd 3"], 9), (Some(9_677), Some(3)));
        for bad in [
            "level 40",
            "level x 5 0",
            "level 40 -5 0",
            "st nan",
            "st 1e300",
            "sd 0",
            "time soon",
        ] {
            let (word, rest) = bad.split_once(' ').unwrap();
            let mut clocks = Clocks::default();
            assert_eq!(clocks.set(word, rest), None, "{bad}");
            assert_eq!(clocks, Clocks::default(), "{bad}");
        }
    }
}
