//! A folder for an event, with helpers that run commands on it.

use crate::run::{overboard, printed};
use overboard_events::{Event, Files};
use serde_json::Value;
use std::{fs, path::Path, process::Output};
use tempfile::TempDir;

/// A temporary folder that holds an event.
pub struct EventFolder {
    _folder: TempDir,
    /// The folder of the event.
    pub event: String,
}

impl EventFolder {
    /// A new folder without an event in it.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let event = folder.path().join("cup").display().to_string();
        Self {
            _folder: folder,
            event,
        }
    }

    /// An event with these settings, as `event new` takes them.
    pub fn with(settings: &[&str]) -> Self {
        let event = Self::new();
        event.done(&[&["event", "new", "@"], settings].concat());
        event
    }

    /// A file beside the event.
    pub fn beside(&self, name: &str) -> String {
        Path::new(&self.event)
            .with_file_name(name)
            .display()
            .to_string()
    }

    /// Runs a command; `@` stands for the event's folder.
    pub fn run(&self, line: &[&str]) -> Output {
        let args: Vec<&str> = line
            .iter()
            .map(|word| if *word == "@" { &self.event } else { *word })
            .collect();
        overboard(&args)
    }

    /// Runs a command that must succeed; returns its output.
    pub fn done(&self, line: &[&str]) -> String {
        let output = self.run(line);
        let (text, code) = printed(&output);
        assert_eq!(
            code,
            0,
            "{line:?}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        text
    }

    /// Runs a command that must fail with this exit code; returns the message.
    pub fn refused(&self, line: &[&str], code: i32) -> String {
        let output = self.run(line);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{line:?}: {}",
            printed(&output).0
        );
        String::from_utf8(output.stderr).unwrap()
    }

    /// The output of a command with `--json`.
    pub fn json(&self, line: &[&str]) -> Value {
        serde_json::from_str(&self.done(line)).unwrap()
    }

    /// Edits a file by hand and accepts it; `None` removes it.
    pub fn edited(&self, file: &str, text: Option<&str>) {
        let path = Path::new(&self.event).join(file);
        match text {
            Some(text) => fs::write(path, text).unwrap(),
            None => fs::remove_file(path).unwrap(),
        }
        self.done(&["event", "accept", "@", file, "--reason", "by hand"]);
    }

    /// The text of one of the event's files.
    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(Path::new(&self.event).join(file)).unwrap()
    }

    /// The event.
    pub fn event(&self) -> Event {
        Event::read(&files(Path::new(&self.event))).unwrap()
    }
}

/// The files of an event that the reader takes.
pub fn files(folder: &Path) -> Files {
    let mut files = Files::new();
    for (folder, prefix) in [(folder.to_owned(), ""), (folder.join("rounds"), "rounds/")] {
        for entry in fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.path().is_file())
        {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if name.ends_with(".csv") || name.ends_with(".toml") {
                files.insert(name, fs::read(entry.path()).unwrap());
            }
        }
    }
    files
}
