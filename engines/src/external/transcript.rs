//! The last lines of the conversation with an engine, to show how a fault came about.

use super::dialogue::Part;
use overboard_formats::foreign::visible;
use std::{
    collections::VecDeque,
    fmt::Write as _,
    time::{Duration, Instant},
};

/// The most lines that are kept.
const LINES: usize = 120;
/// The most bytes that are kept of a line.
const WIDTH: usize = 400;
/// The most bytes that are kept of standard error.
const ASIDE: usize = 4 << 10;

/// The speaker of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// We did.
    ToEngine,
    /// The engine did.
    FromEngine,
}

/// The last lines of a conversation. Of consecutive progress lines of the engine only the last is kept.
#[derive(Debug)]
pub struct Transcript {
    begun: Instant,
    lines: VecDeque<Line>,
    aside: Vec<u8>,
    /// Whether it is still recording.
    runs: bool,
    /// Where everything is written, if the run asks for that.
    dialogue: Option<Part>,
}

#[derive(Debug)]
struct Line {
    at: Duration,
    said: Said,
    text: Vec<u8>,
    /// Bytes that were not kept.
    more: usize,
    /// How many similar lines before it were dropped.
    passed: u64,
}

impl Default for Transcript {
    /// An empty transcript.
    fn default() -> Self {
        Self {
            begun: Instant::now(),
            lines: VecDeque::new(),
            aside: Vec::new(),
            runs: true,
            dialogue: None,
        }
    }
}

impl Transcript {
    /// Writes everything to a file, too.
    pub fn write_to(&mut self, dialogue: Part) {
        self.dialogue = Some(dialogue);
    }

    /// Stops recording, when everything relevant is on it.
    pub fn stop(&mut self) {
        *self = Self {
            runs: false,
            dialogue: self.dialogue.take(),
            ..Self::default()
        };
    }

    /// Records lines to the engine, or one from it.
    pub fn take(&mut self, said: Said, at: Instant, text: &[u8]) {
        if !self.runs && self.dialogue.is_none() {
            return;
        }
        let at = at.saturating_duration_since(self.begun);
        let mut rest = text;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            if end > 0 {
                self.take_line(said, at, &rest[..end]);
            }
            rest = rest.get(end + 1..).unwrap_or_default();
        }
    }

    fn take_line(&mut self, said: Said, at: Duration, text: &[u8]) {
        if let Some(dialogue) = &self.dialogue {
            dialogue.line(said, text);
        }
        if !self.runs {
            return;
        }
        let kept = &text[..text.len().min(WIDTH)];
        let more = text.len() - kept.len();
        let is_chatter =
            |text: &[u8]| text.starts_with(b"info ") || text.starts_with(br#"{"type":"info""#);
        let last = self
            .lines
            .back_mut()
            .filter(|last| last.said == said && said == Said::FromEngine);
        if let Some(last) = last.filter(|last| is_chatter(&last.text) && is_chatter(text)) {
            last.text.clear();
            last.text.extend_from_slice(kept);
            (last.at, last.more, last.passed) = (at, more, last.passed + 1);
            return;
        }
        // The buffer of the oldest line is reused.
        let mut line = Vec::new();
        if self.lines.len() >= LINES
            && let Some(oldest) = self.lines.pop_front()
        {
            line = oldest.text;
        }
        line.clear();
        line.extend_from_slice(kept);
        self.lines.push_back(Line {
            at,
            said,
            text: line,
            more,
            passed: 0,
        });
    }

    /// Records what was written to standard error.
    pub fn take_aside(&mut self, bytes: &[u8]) {
        if let Some(dialogue) = &self.dialogue {
            dialogue.aside(bytes);
        }
        if self.runs {
            self.aside.extend_from_slice(bytes);
            let over = self.aside.len().saturating_sub(ASIDE);
            self.aside.drain(..over);
        }
    }

    /// The end of standard error, on one line.
    #[must_use]
    pub fn last_aside(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.aside);
        let last = text
            .lines()
            .rev()
            .map(str::trim)
            .find(|line| !line.is_empty())?;
        Some(visible(last).into_owned())
    }

    /// All of it as text: seconds since the engine was started, `>` for lines to it, `<` for lines from it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for Line {
            at,
            said,
            text: line,
            more,
            passed,
        } in &self.lines
        {
            let mark = if *said == Said::ToEngine { '>' } else { '<' };
            if *passed > 0 {
                let _ = writeln!(text, "             … {passed} lines of `info`");
            }
            let _ = write!(
                text,
                "{:12.6} {mark} {}",
                at.as_secs_f64(),
                visible(&String::from_utf8_lossy(line))
            );
            let _ = if *more > 0 {
                writeln!(text, " … {more} bytes more")
            } else {
                writeln!(text)
            };
        }
        if !self.aside.is_empty() {
            let _ = writeln!(text, "\nlast on standard error:");
            for line in String::from_utf8_lossy(&self.aside).lines() {
                let _ = writeln!(text, "  {}", visible(line));
            }
        }
        text
    }
}
