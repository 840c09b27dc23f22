//! Serves built-in players as engines, in three protocols, and the rules of every game to any client.
//!
//! A client speaks on a [`BufRead`] and hears from an [`Out`]. One thread reads, so that a client is heard at any time;
//! another one chooses. What a client says is judged line by line: no line can end the conversation but `quit`.

pub mod cecp;
pub mod lines;
mod served_game;
mod sitting;
pub mod uci;

use crate::{
    external::lines::Clock,
    players::{PlayerError, Spec},
};
use std::{
    borrow::Cow,
    fmt::Display,
    io::{self, BufRead, Write},
    str::FromStr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Who plays for a client, and from which seed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Host {
    /// The player; the usual one of each game where none is named: on boards side by side a tree search, else a search
    /// that goes as deep as its clock lets it.
    pub spec: Option<Spec>,
    /// The base seed, as of a run of self-play.
    pub seed: u64,
}

impl Host {
    /// What a client calls this engine.
    fn name(&self) -> String {
        let program = concat!("overboard ", env!("CARGO_PKG_VERSION"));
        self.spec.map_or(program.into(), |spec| format!("{program} {spec}"))
    }

    /// Takes another player by its name; nothing is the usual one.
    fn take(&mut self, name: &str) -> Result<(), PlayerError> {
        self.spec = if name.is_empty() { None } else { Some(Spec::from_str(name)?) };
        Ok(())
    }
}

/// Where a client hears.
#[derive(Clone)]
pub struct Out(Arc<Mutex<Hearer>>);

struct Hearer {
    writer: Box<dyn Write + Send>,
    /// Why the client hears no more.
    broken: Option<io::Error>,
}

impl Out {
    /// A client that hears what is written there.
    #[must_use]
    pub fn to(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Hearer { writer: Box::new(writer), broken: None })))
    }

    /// Says a line, at once.
    fn say(&self, line: impl Display) {
        let mut hearer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let said = writeln!(hearer.writer, "{line}").and_then(|()| hearer.writer.flush());
        if let Err(error) = said {
            hearer.broken.get_or_insert(error);
        }
    }

    /// Whether the client still hears.
    fn check(&self) -> io::Result<()> {
        let mut hearer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hearer.broken.take().map_or(Ok(()), Err)
    }
}

/// A line of a client.
enum Heard<'a> {
    /// Its text, without its end.
    Text(Cow<'a, str>),
    /// It is longer than so many bytes.
    TooLong(usize),
}

/// The lines of a client.
struct Ears<R> {
    input: R,
    line: Vec<u8>,
    longest: usize,
}

impl<R: BufRead> Ears<R> {
    /// Lines of at most so many bytes.
    const fn of(input: R, longest: usize) -> Self {
        Self { input, line: Vec::new(), longest }
    }

    /// The next line; none at the end of the input.
    fn next(&mut self) -> io::Result<Option<Heard<'_>>> {
        self.line.clear();
        // A line that is longer is passed over, so that no more of it need be kept.
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

/// Plies that a game is taken to go on for, where the clock does not say.
const TO_COME: u32 = 30;
/// Time that an answer may need on its way.
const WAY: Duration = Duration::from_millis(30);

/// How long a player takes for an answer by its clock: never all that is left.
fn allotted(clock: Clock) -> Duration {
    let (left, increment) = (Duration::from_millis(clock.left), Duration::from_millis(clock.increment));
    let to_come = clock.moves.filter(|moves| *moves > 0).unwrap_or(TO_COME).min(TO_COME);
    let share = left / (to_come + 1) + increment * 4 / 5;
    // Of very little half may be lost on the way.
    let most = left.saturating_sub(WAY).max(left / 2);
    share.min(most).max(Duration::from_millis(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_never_used_up() {
        for left in [0, 1, 5, 40, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 5_000] {
                for moves in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    let time = allotted(Clock { left, increment, moves }).as_millis() as u64;
                    assert!(time <= left.max(1), "{left} {increment} {moves:?}: {time}");
                    assert!(left < 100 || left - time >= 25, "{left} {increment} {moves:?}: {time}");
                }
            }
        }
        assert_eq!(allotted(Clock { left: 62_000, increment: 0, moves: None }), Duration::from_secs(2));
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
        assert_eq!(heard, ["more than 5", "five5", "more than 5", "\u{fffd}", "", "end"]);
    }
}
