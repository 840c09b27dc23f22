//! Serves built-in players as engines, in three protocols, and the rules of every game to any client.
//!
//! A client writes to a [`BufRead`] and reads from an [`Out`]. One thread reads, so that a client can interrupt at any
//! time; another one chooses. Each line is judged by itself: only `quit` can end the conversation.

pub mod cecp;
mod client_game;
pub mod lines;
mod served_game;
pub mod uci;

use crate::{external::lines::Clock, lock, manifest::PROGRAM, players::Spec};
use overboard_games::coordinates::shown;
use std::{
    borrow::Cow,
    fmt::Display,
    io::{self, BufRead, Write},
    str::FromStr,
    sync::{Arc, Mutex},
    time::Duration,
};

/// Who plays for a client, and with which seed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Host {
    /// The player. If `None`, the default one of each game: on linked boards a tree search, else a search that goes as
    /// deep as its clock allows.
    pub spec: Option<Spec>,
    /// The base seed, as of a run of self-play.
    pub seed: u64,
}

impl Host {
    /// The name of this engine for a client.
    fn name(&self) -> String {
        match self.spec {
            Some(spec) => format!("{PROGRAM} {spec}"),
            None => PROGRAM.into(),
        }
    }

    /// Changes the player by name; an empty name means the default.
    fn take(&mut self, name: &str) -> Result<(), String> {
        self.spec = if name.is_empty() {
            None
        } else {
            let spec = Spec::from_str(name);
            Some(spec.map_err(|error| error.to_string())?)
        };
        Ok(())
    }

    /// Changes the seed.
    fn set_seed(&mut self, text: &str) -> Result<(), String> {
        let seed = text.parse();
        self.seed = seed.map_err(|_| format!("`{}` is not a seed", shown(text)))?;
        Ok(())
    }
}

/// The output that a client reads.
#[derive(Clone)]
pub struct Out(Arc<Mutex<Hearer>>);

struct Hearer {
    writer: Box<dyn Write + Send>,
    /// The error after which the client no longer reads.
    broken: Option<io::Error>,
}

impl Out {
    /// A client that reads what is written to `writer`.
    #[must_use]
    pub fn to(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Hearer {
            writer: Box::new(writer),
            broken: None,
        })))
    }

    /// Writes a line, at once.
    fn say(&self, line: impl Display) {
        let mut hearer = lock(&self.0);
        let said = writeln!(hearer.writer, "{line}").and_then(|()| hearer.writer.flush());
        if let Err(error) = said {
            hearer.broken.get_or_insert(error);
        }
    }

    /// Whether the client is still reading.
    fn check(&self) -> io::Result<()> {
        match lock(&self.0).broken.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// A line from a client.
pub enum Heard<'a> {
    /// Its text, without the line end.
    Text(Cow<'a, str>),
    /// It has more than this many bytes.
    TooLong(usize),
}

/// The lines from a client.
pub struct Ears<R> {
    input: R,
    line: Vec<u8>,
    longest: usize,
}

impl<R: BufRead> Ears<R> {
    /// Lines of at most `longest` bytes.
    pub const fn of(input: R, longest: usize) -> Self {
        Self {
            input,
            line: Vec::new(),
            longest,
        }
    }

    /// The next line; `None` at the end of the input.
    ///
    /// # Errors
    /// Those of the input.
    #[allow(
        clippy::should_implement_trait,
        reason = "a line is borrowed until the next one"
    )]
    pub fn next(&mut self) -> io::Result<Option<Heard<'_>>> {
        self.line.clear();
        // The rest of a longer line is skipped, so that it need not be stored.
        let room = self.longest as u64 + 2;
        if io::Read::take(&mut self.input, room).read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        if self.line.len() as u64 == room && self.line.last() != Some(&b'\n') {
            self.input.skip_until(b'\n')?;
            return Ok(Some(Heard::TooLong(self.longest)));
        }
        let line = self.line.trim_ascii();
        if line.len() > self.longest {
            return Ok(Some(Heard::TooLong(self.longest)));
        }
        Ok(Some(Heard::Text(String::from_utf8_lossy(line))))
    }
}

/// How many more plies a game is assumed to last, if the clock does not say.
const TO_COME: u32 = 30;
/// How long an answer may take on its way.
const WAY: Duration = Duration::from_millis(30);

/// How long a player takes for an answer by its clock: never all that is left.
fn allotted(clock: Clock) -> Duration {
    let (left, increment) = (
        Duration::from_millis(clock.left),
        Duration::from_millis(clock.increment),
    );
    let to_come = clock
        .moves
        .filter(|moves| *moves > 0)
        .unwrap_or(TO_COME)
        .min(TO_COME);
    let share = left / (to_come + 1) + increment * 4 / 5;
    // If there is very little, half of it may be lost on the way.
    let most = left.saturating_sub(WAY).max(left / 2);
    share.min(most).max(Duration::from_millis(1))
}

/// The time for an answer that is limited to so many milliseconds and has this clock.
fn time_for(most: Option<u64>, clock: Option<Clock>) -> Option<Duration> {
    let most = most.map(Duration::from_millis);
    most.into_iter().chain(clock.map(allotted)).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_never_used_up() {
        for left in [0, 1, 5, 40, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 5_000] {
                for moves in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    let time = allotted(Clock {
                        left,
                        increment,
                        moves,
                    })
                    .as_millis() as u64;
                    assert!(time <= left.max(1), "{left} {increment} {moves:?}: {time}");
                    assert!(
                        left < 100 || left - time >= 25,
                        "{left} {increment} {moves:?}: {time}"
                    );
                }
            }
        }
        assert_eq!(
            allotted(Clock {
                left: 62_000,
                increment: 0,
                moves: None
            }),
            Duration::from_secs(2)
        );
    }

    #[test]
    fn long_lines_are_passed_over_and_the_next_one_is_heard() {
        let text = [&b"x".repeat(12)[..], b"\r\nfive5\n123456789\n\xff\n\nend"].concat();
        let mut ears = Ears::of(&text[..], 5);
        let mut heard = Vec::new();
        while let Some(line) = ears.next().unwrap() {
            heard.push(match line {
                Heard::Text(text) => text.into_owned(),
                Heard::TooLong(longest) => format!("more than {longest}"),
            });
        }
        assert_eq!(
            heard,
            ["more than 5", "five5", "more than 5", "\u{fffd}", "", "end"]
        );
    }
}
