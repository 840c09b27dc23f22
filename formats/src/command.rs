//! Commands in comments: `{[%name arguments]}`.
//!
//! ```
//! use overboard_formats::command::{commands, duration};
//!
//! let command = commands(b"a good move [%clk 0:01:30]").next().unwrap();
//! assert_eq!((command.name, duration(command.arguments)), (&b"clk"[..], Some(90_000)));
//! ```

use crate::encoding::decode;
use memchr::memchr;
use overboard_rules::square::Side;
use std::ops::Range;

/// A command in a comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// The text between its name and the closing bracket, trimmed.
    pub arguments: &'a [u8],
    /// The range of its bytes in the comment, brackets included.
    pub bytes: Range<usize>,
}

/// The commands of a comment, in order. A `]` between double quotes does not end a command.
pub fn commands(comment: &[u8]) -> impl Iterator<Item = Command<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + memchr(b'[', &comment[at..])?;
            if comment.get(start + 1) != Some(&b'%') {
                at = start + 1;
                continue;
            }
            let Some(length) = end_of(&comment[start..]) else {
                at = start + 2;
                continue;
            };
            at = start + length;
            let inside = &comment[start + 2..at - 1];
            let name = inside
                .iter()
                .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
                .count();
            return Some(Command {
                name: &inside[..name],
                arguments: inside[name..].trim_ascii(),
                bytes: start..at,
            });
        }
    })
}

fn end_of(text: &[u8]) -> Option<usize> {
    let plain = memchr(b']', text)?;
    let quote = memchr(b'"', &text[..plain]);
    if quote.is_none() {
        return Some(plain + 1);
    }
    let mut quoted = false;
    for (index, byte) in text.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b']' if !quoted => return Some(index + 1),
            _ => {}
        }
    }
    // The number of quotes is odd, so the first bracket is taken as the end.
    Some(plain + 1)
}

/// A player who takes over a seat during the game, by `[%player W A "Zoe"]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Appointed {
    /// The player's side.
    pub side: Side,
    /// A board, an over-piece, `captain` or `commander`.
    pub seat: String,
    /// The player's name, in which escapes such as `%3A` are not decoded, as it may be a list.
    pub name: String,
}

/// Reads the arguments of a command `player`.
#[must_use]
pub fn appointed(arguments: &[u8]) -> Option<Appointed> {
    let text = decode(arguments).0;
    let mut words = text.splitn(3, ' ');
    let side = side(words.next()?.as_bytes())?;
    let seat = words.next()?.to_owned();
    let name = words.next()?.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some(Appointed {
        side,
        seat,
        name: name.to_owned(),
    })
}

/// The side for `W` or `B`.
#[must_use]
pub fn side(letter: &[u8]) -> Option<Side> {
    match letter {
        b"W" => Some(Side::White),
        b"B" => Some(Side::Black),
        _ => None,
    }
}

/// The commands of the nested notation, and those in common use that are irrelevant to a referee.
pub const COMMANDS: [&[u8]; 30] = [
    b"clk",
    b"emt",
    b"ts",
    b"order",
    b"claim",
    b"flag",
    b"resign",
    b"draw",
    b"illegal",
    b"stands",
    b"begun",
    b"penalty",
    b"infraction",
    b"player",
    b"seq",
    b"in",
    b"turn",
    b"on",
    b"unseen",
    b"eval",
    b"csl",
    b"cal",
    b"depth",
    b"egt",
    b"mct",
    b"tqu",
    b"mdl",
    b"evp",
    b"c_effect",
    b"timestamp",
];

/// Whether a command is one of [`COMMANDS`].
#[must_use]
pub fn is_known(name: &[u8]) -> bool {
    COMMANDS.contains(&name)
}

/// The time in milliseconds of a comment that consists of a clock command alone, as programs write after every ply: a
/// fast path that skips [`commands`].
#[must_use]
pub fn lone_clock(comment: &[u8]) -> Option<u64> {
    let time = comment.strip_prefix(b"[%clk ")?.strip_suffix(b"]")?;
    duration(time)
}

/// A duration `h:mm:ss` or `mm:ss`, with or without decimals of a second, in milliseconds. `None` also for a time that
/// no clock shows: seconds, and minutes after hours, end at 59.
#[must_use]
pub fn duration(text: &[u8]) -> Option<u64> {
    // Fast path: nearly all durations look like this.
    if let [hour, b':', m, n, b':', ten, second] = text
        && [hour, m, n, ten, second]
            .into_iter()
            .all(u8::is_ascii_digit)
    {
        let value = |digit: &u8| u64::from(digit - b'0');
        if *m > b'5' || *ten > b'5' {
            return None;
        }
        let minutes = value(hour) * 60 + value(m) * 10 + value(n);
        return Some((minutes * 60 + value(ten) * 10 + value(second)) * 1000);
    }
    let (mut total, mut part, mut digits, mut parts) = (0_u64, 0_u64, 0, 1);
    for (index, byte) in text.iter().enumerate() {
        match byte {
            b'0'..=b'9' if digits < 9 => {
                part = part * 10 + u64::from(byte - b'0');
                digits += 1;
            }
            b':' if digits > 0 && parts < 3 && (parts == 1 || part < 60) => {
                total = (total + part) * 60;
                (part, digits) = (0, 0);
                parts += 1;
            }
            b'.' if digits > 0 && parts > 1 && part < 60 => {
                return Some((total + part) * 1000 + thousandths(&text[index + 1..])?);
            }
            _ => return None,
        }
    }
    (digits > 0 && parts > 1 && part < 60).then_some((total + part) * 1000)
}

/// Up to six decimals of a second, in milliseconds.
fn thousandths(decimals: &[u8]) -> Option<u64> {
    if decimals.len() > 6 {
        return None;
    }
    number(decimals)?;
    Some((0..3).fold(0, |sum, place| {
        sum * 10 + decimals.get(place).map_or(0, |b| u64::from(b - b'0'))
    }))
}

/// Seconds, with or without decimals, in milliseconds.
fn seconds(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    Some(number(whole.as_bytes())? * 1000 + thousandths(decimals.as_bytes())?)
}

fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 9 {
        return None;
    }
    digits.iter().try_fold(0, |sum, b| {
        b.is_ascii_digit().then(|| sum * 10 + u64::from(b - b'0'))
    })
}

/// What a time control may add to a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// What a clock shows at first, in milliseconds; `None` where it runs for each move.
    pub start: Option<u64>,
    /// The largest increment of any period, in milliseconds.
    pub increment: u64,
    /// Whether a period after a number of moves adds time at a moment that cannot be known.
    pub stages: bool,
    /// The time for sixty moves, in milliseconds; `None` where the clock runs for each move.
    pub for_sixty_moves: Option<u64>,
}

/// A time control that the PGN standard does not define.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "expected `-`, `?`, seconds, seconds+increment, moves/seconds or `*`seconds, joined with `:`"
)]
pub struct TimeControlError;

/// Reads a PGN time control: `-`, `?`, `300`, `4500+60`, `40/9000`, `*180`, joined with `:`. Seconds may have decimals,
/// as in matches of programs (`10+0.1`). `None` if nothing is known about the clocks.
///
/// # Errors
/// If it is written differently.
pub fn time_control(text: &str) -> Result<Option<TimeControl>, TimeControlError> {
    if matches!(text, "?" | "-" | "") {
        return Ok(None);
    }
    let periods = periods(text)?;
    let mut control = TimeControl {
        start: None,
        increment: 0,
        stages: periods.len() > 1,
        for_sixty_moves: Some(0),
    };
    for (number, period) in periods.iter().enumerate() {
        if number == 0 && !period.is_hourglass {
            control.start = Some(period.time);
        }
        control.stages |= period.moves.is_some();
        control.increment = control.increment.max(period.increment);
        control.for_sixty_moves = match control.for_sixty_moves {
            Some(time) if !period.is_hourglass => Some(time.saturating_add(period.time)),
            _ => None,
        };
    }
    let added = control.increment.saturating_mul(60);
    control.for_sixty_moves = control
        .for_sixty_moves
        .map(|time| time.saturating_add(added));
    Ok(Some(control))
}

/// A part of a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// The moves after which the next one begins; `None` if it lasts as long as its time.
    pub moves: Option<u32>,
    /// The time that it adds to the clock, in milliseconds.
    pub time: u64,
    /// What each move adds, in milliseconds.
    pub increment: u64,
    /// Whether the time of one player is gained by the other.
    pub is_hourglass: bool,
}

/// Reads the periods of a PGN time control, of which there is at least one.
///
/// ```
/// use overboard_formats::command::periods;
///
/// let [first, second] = periods("40/5400+30:1800+30").unwrap()[..] else { panic!() };
/// assert_eq!((first.moves, first.time, first.increment), (Some(40), 5_400_000, 30_000));
/// assert_eq!((second.moves, second.time), (None, 1_800_000));
/// ```
///
/// # Errors
/// If it is written differently, or says nothing about the clocks.
pub fn periods(text: &str) -> Result<Vec<Period>, TimeControlError> {
    text.split(':').map(period).collect()
}

fn period(text: &str) -> Result<Period, TimeControlError> {
    let (moves, timed) = match text.split_once('/') {
        Some((moves, timed)) => (
            Some(number(moves.as_bytes()).ok_or(TimeControlError)?),
            timed,
        ),
        None => (None, text),
    };
    let (is_hourglass, timed) = match timed.strip_prefix('*') {
        Some(own) if moves.is_none() => (true, own),
        _ => (false, timed),
    };
    let (time, increment) = base_and_increment(timed).ok_or(TimeControlError)?;
    Ok(Period {
        moves: moves.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
        time,
        increment,
        is_hourglass,
    })
}

/// The initial time and the increment for each move, in milliseconds; `None` if the time control is more complicated.
#[must_use]
pub fn base_and_increment(text: &str) -> Option<(u64, u64)> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    Some((seconds(base)?, seconds(increment)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_in_a_comment() {
        let found: Vec<_> =
            commands(b"good [%clk 0:05:00] and [%order W \"a ] b\"][%x] [%open").collect();
        let names: Vec<_> = found.iter().map(|c| (c.name, c.arguments)).collect();
        assert_eq!(
            names,
            [
                (&b"clk"[..], &b"0:05:00"[..]),
                (b"order", b"W \"a ] b\""),
                (b"x", b"")
            ]
        );
        assert_eq!(found[0].bytes, 5..19);
    }

    #[test]
    fn durations_are_milliseconds() {
        for (text, milliseconds) in [
            ("0:05:00", Some(300_000)),
            ("1:00:00.5", Some(3_600_500)),
            ("05:00", Some(300_000)),
            ("5", None),
            ("", None),
            ("0:0x:00", None),
            ("1:2:3:4", None),
            ("0:00:00.", None),
            ("100:00", Some(6_000_000)),
            ("10:59:59.9", Some(39_599_900)),
            // No clock shows these.
            ("0:61:00", None),
            ("0:99:99", None),
            ("0:00:60", None),
            ("10:60:00", None),
            ("05:60", None),
            ("0:00:75.5", None),
        ] {
            assert_eq!(duration(text.as_bytes()), milliseconds, "{text}");
        }
    }

    #[test]
    fn time_controls_are_read_as_pgn_writes_them() {
        assert_eq!(time_control("?"), Ok(None));
        assert_eq!(
            time_control("300"),
            Ok(Some(TimeControl {
                start: Some(300_000),
                increment: 0,
                stages: false,
                for_sixty_moves: Some(300_000)
            }))
        );
        assert_eq!(
            time_control("4500+60"),
            Ok(Some(TimeControl {
                start: Some(4_500_000),
                increment: 60_000,
                stages: false,
                for_sixty_moves: Some(8_100_000)
            }))
        );
        assert_eq!(
            time_control("40/7200:3600+30"),
            Ok(Some(TimeControl {
                start: Some(7_200_000),
                increment: 30_000,
                stages: true,
                for_sixty_moves: Some(12_600_000)
            }))
        );
        assert_eq!(
            time_control("*180"),
            Ok(Some(TimeControl {
                start: None,
                increment: 0,
                stages: false,
                for_sixty_moves: None
            }))
        );
        assert_eq!(
            time_control("10+0.1"),
            Ok(Some(TimeControl {
                start: Some(10_000),
                increment: 100,
                stages: false,
                for_sixty_moves: Some(16_000)
            }))
        );
        for bad in [
            "five minutes",
            "10+",
            "10+.1",
            "10+0.1.2",
            "0.1/60",
            "10+0.1234567",
        ] {
            assert_eq!(time_control(bad), Err(TimeControlError), "{bad}");
        }
        assert_eq!(base_and_increment("10+0.1"), Some((10_000, 100)));
        assert_eq!(base_and_increment("4500+60"), Some((4_500_000, 60_000)));
        assert_eq!(base_and_increment("300"), Some((300_000, 0)));
        assert_eq!(base_and_increment("40/7200:3600"), None);
        assert_eq!(base_and_increment("*180"), None);
    }
}
