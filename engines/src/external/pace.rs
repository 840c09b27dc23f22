//! How long an engine may think: time controls as they are written, and running clocks.

use overboard_formats::as_text;
use std::{fmt, str::FromStr, time::Duration};

/// The longest time that can be given, in milliseconds: a year.
const LONGEST: u64 = 366 * 24 * 3600 * 1000;

/// A time in milliseconds, written in seconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Seconds(u64);

/// A time control: time for a number of moves, or for all, and the increment: `40/60`, `10+0.1`, `40/60+0.5`.
///
/// ```
/// use overboard_engines::external::pace::Control;
///
/// let control: Control = "40/1:30+0.5".parse().unwrap();
/// assert_eq!((control.moves, control.base.millis(), control.increment.millis()), (Some(40), 90_000, 500));
/// assert_eq!(control.to_string(), "40/90+0.5");
/// assert!("0/10".parse::<Control>().is_err() && "0".parse::<Control>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Control {
    /// Moves of a session, after which the base time is added again; `None` if there is only one session.
    pub moves: Option<u32>,
    /// Time for a session.
    pub base: Seconds,
    /// Time added for each move.
    pub increment: Seconds,
}

/// Why a text is not a time.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PaceError {
    /// It is not a number of seconds.
    #[error(
        "expected a time in seconds such as 0.5, or in minutes and seconds such as 1:30, found `{0}`"
    )]
    Seconds(String),
    /// It is not a time control.
    #[error(
        "expected a time control such as 10+0.1 (10 seconds, and 0.1 for each move), 40/60 (a minute for each 40 moves) or \
         40/60+0.5, found `{0}`"
    )]
    Control(String),
}

impl Seconds {
    /// A time in milliseconds.
    #[must_use]
    pub const fn of_millis(millis: u64) -> Self {
        Self(millis)
    }

    /// In milliseconds.
    #[must_use]
    pub const fn millis(self) -> u64 {
        self.0
    }

    /// As a duration.
    #[must_use]
    pub const fn duration(self) -> Duration {
        Duration::from_millis(self.0)
    }
}

impl FromStr for Seconds {
    type Err = PaceError;

    fn from_str(text: &str) -> Result<Self, PaceError> {
        let is_plain = |part: &str| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || byte == b'.')
        };
        let (minutes, seconds) = text
            .split_once(':')
            .map_or(("0", text), |(minutes, seconds)| (minutes, seconds));
        let wrong = || PaceError::Seconds(text.into());
        if !is_plain(minutes) || !is_plain(seconds) {
            return Err(wrong());
        }
        let (whole, part) = (minutes.parse::<u64>().ok(), seconds.parse::<f64>().ok());
        let millis = whole.zip(part).map(|(minutes, seconds)| {
            let seconds = (seconds * 1000.0).round().min(LONGEST as f64) as u64;
            minutes.saturating_mul(60_000).saturating_add(seconds)
        });
        millis
            .filter(|millis| *millis < LONGEST)
            .map(Self)
            .ok_or_else(wrong)
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 as f64 / 1000.0)
    }
}

impl FromStr for Control {
    type Err = PaceError;

    fn from_str(text: &str) -> Result<Self, PaceError> {
        let wrong = || PaceError::Control(text.into());
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse::<u32>().map_err(|_| wrong())?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let [base, increment] =
            [base, increment].map(|part| part.parse::<Seconds>().map_err(|_| wrong()));
        let (base, increment) = (base?, increment?);
        if moves == Some(0) || (base.0 == 0 && increment.0 == 0) {
            return Err(wrong());
        }
        Ok(Self {
            moves,
            base,
            increment,
        })
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            moves,
            base,
            increment,
        } = self;
        if let Some(moves) = moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{base}")?;
        if increment.0 > 0 {
            write!(f, "+{increment}")
        } else {
            Ok(())
        }
    }
}

as_text!(Seconds, Control);

/// A running clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// What it was set to.
    pub control: Control,
    /// The time left.
    pub left: Duration,
    /// What moves took beyond their time: it is subtracted from what is added next.
    pub owed: Duration,
    /// Moves until time is added; `None` if there is only one session.
    pub moves: Option<u32>,
}

impl Clock {
    /// A clock that has just been set.
    #[must_use]
    pub const fn new(control: Control) -> Self {
        // Without a base time, the first move has its increment from the start.
        let left = if control.base.0 == 0 {
            control.increment
        } else {
            control.base
        };
        Self {
            control,
            left: left.duration(),
            owed: Duration::ZERO,
            moves: control.moves,
        }
    }

    /// Subtracts the time of a move.
    pub fn spend(&mut self, spent: Duration) {
        let mut given = self.left + self.control.increment.duration();
        if let Some(moves) = &mut self.moves {
            *moves -= 1;
            if *moves == 0 {
                *moves = self.control.moves.unwrap_or(1);
                given += self.control.base.duration();
            }
        }
        let spent = self.owed + spent;
        self.left = given.saturating_sub(spent);
        self.owed = spent.saturating_sub(given);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_read_as_they_are_written() {
        for text in ["40/60", "10+0.1", "40/60+0.5", "0+1", "0.25", "600"] {
            assert_eq!(text.parse::<Control>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "1/",
            "/1",
            "-1",
            "1e9",
            "nan",
            "inf",
            "1+",
            "+1",
            "0",
            "4/x",
            "99999999999",
        ] {
            assert!(text.parse::<Control>().is_err(), "{text}");
        }
    }

    #[test]
    fn time_is_added_for_moves_and_sessions() {
        let mut clock = Clock::new("2/10+1".parse().unwrap());
        clock.spend(Duration::from_secs(4));
        assert_eq!((clock.left, clock.moves), (Duration::from_secs(7), Some(1)));
        clock.spend(Duration::from_secs(9));
        assert_eq!((clock.left, clock.moves), (Duration::from_secs(9), Some(2)));
        let mut clock = Clock::new("0+1".parse().unwrap());
        assert_eq!(clock.left, Duration::from_secs(1));
        clock.spend(Duration::from_millis(900));
        assert_eq!(clock.left, Duration::from_millis(1100));
    }

    #[test]
    fn what_was_taken_beyond_the_time_is_owed() {
        let mut clock = Clock::new("3/1+0.01".parse().unwrap());
        clock.spend(Duration::from_millis(1_030));
        let millis = |clock: Clock| (clock.left.as_millis(), clock.owed.as_millis());
        assert_eq!(millis(clock), (0, 20));
        clock.spend(Duration::from_millis(30));
        assert_eq!(millis(clock), (0, 40));
        clock.spend(Duration::from_millis(20));
        assert_eq!(millis(clock), (950, 0));
    }
}
