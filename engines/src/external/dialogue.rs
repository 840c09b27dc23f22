//! Everything that is said between a run and its engines, in one file.

use super::transcript::Said;
use crate::lock;
use overboard_formats::foreign::{Foreign, visible};
use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Instant,
};

/// The file, to which the processes of all engines write.
#[derive(Debug)]
pub struct Dialogue {
    begun: Instant,
    /// How many processes have been started.
    started: AtomicU32,
    file: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    file: File,
    /// Why nothing more is written.
    failed: Option<io::Error>,
}

/// The part of one process in a dialogue.
#[derive(Clone, Debug)]
pub struct Part {
    dialogue: Arc<Dialogue>,
    /// Who speaks: the name of the engine and the number of its process.
    who: String,
}

impl Dialogue {
    /// Opens a file, at whose end everything is written.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self {
            begun: Instant::now(),
            started: AtomicU32::new(0),
            file: Mutex::new(Kept { file, failed: None }),
        })
    }

    /// The part of a process that has just been started.
    pub fn part(self: &Arc<Self>, name: &Foreign) -> Part {
        let number = self.started.fetch_add(1, Ordering::Relaxed) + 1;
        Part {
            dialogue: Arc::clone(self),
            who: format!("{}#{number}", name.shown()),
        }
    }

    /// Why something is missing at the end, if so.
    pub fn failure(&self) -> Option<io::Error> {
        let mut kept = lock(&self.file);
        kept.failed.take()
    }

    fn write(&self, text: &str) {
        let mut kept = lock(&self.file);
        if kept.failed.is_none() {
            kept.failed = kept.file.write_all(text.as_bytes()).err();
        }
    }
}

impl Part {
    /// Writes a line: seconds since the run began, the process, `>` for a line to it and `<` for one from it.
    pub fn line(&self, said: Said, line: &[u8]) {
        let mark = if said == Said::ToEngine { '>' } else { '<' };
        self.say(mark, line);
    }

    /// Writes what a process has written to standard error, with `!`.
    pub fn aside(&self, bytes: &[u8]) {
        for line in bytes.split(|byte| *byte == b'\n') {
            if !line.is_empty() {
                self.say('!', line);
            }
        }
    }

    fn say(&self, mark: char, line: &[u8]) {
        let seconds = self.dialogue.begun.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(line);
        let shown = visible(text.trim_end());
        self.dialogue
            .write(&format!("{seconds:12.6} {} {mark} {shown}\n", self.who));
    }
}
