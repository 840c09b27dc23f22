//! An organiser who types commands, and the page that describes them.

use crate::{event_folder::EventFolder, run::tool};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The words of a command, such as `event new`, and its options.
type Shape = (String, BTreeSet<String>);

fn shape(line: &[&str]) -> Shape {
    let verbs = if ["event", "pair"].contains(&line[0]) {
        2
    } else {
        1
    };
    let options = line.iter().filter(|word| word.starts_with("--"));
    let name = |word: &&str| word.split('=').next().unwrap_or_default().to_owned();
    (line[..verbs].join(" "), options.map(name).collect())
}

/// The words of a command line, without what is in quotation marks: no option is.
fn words_of(line: &str) -> Vec<&str> {
    let outside = line.split('"').step_by(2);
    outside.flat_map(str::split_whitespace).collect()
}

/// The words of a command line as a shell passes them on, up to a comment or another command.
fn typed(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (place, part) in line.split('"').enumerate() {
        let is_quoted = place % 2 == 1;
        if is_quoted {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    let ends = |word: &String| ["#", ">", "|"].contains(&word.as_str());
    let end = words.iter().position(ends).unwrap_or(words.len());
    words.truncate(end);
    words
}

/// The page about events.
fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/events.md")
}

fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    match digits.len() {
        length @ 4.. => format!("{},{}", &digits[..length - 3], &digits[length - 3..]),
        _ => digits,
    }
}

/// The commands of an example, without `overboard`: lines of its block, and those of the table below it.
fn commands_of(text: &str, title: &str) -> Vec<String> {
    let heading = format!("**{title}.**");
    let (_, rest) = text.split_once(&heading).expect("the page has the example");
    let end = ["\n**", "\n## "]
        .iter()
        .filter_map(|mark| rest.find(mark))
        .min();
    let example = &rest[..end.unwrap_or(rest.len())];
    let mut commands = Vec::new();
    for line in example.lines() {
        if let Some(command) = line.strip_prefix("overboard ") {
            commands.push(command.to_owned());
        } else if line.starts_with("| ") {
            let spans = line.split('`').skip(1).step_by(2);
            // An option alone is no command.
            commands.extend(
                spans
                    .filter(|span| !span.starts_with('-'))
                    .map(str::to_owned),
            );
        }
    }
    assert!(!commands.is_empty(), "{title}");
    commands
}

/// An organiser who types commands and calls the folder of the event `cup`.
pub struct Organiser {
    /// The event.
    pub event: EventFolder,
    commands: Cell<usize>,
    keys: Cell<usize>,
    /// The commands without their arguments.
    shapes: RefCell<BTreeSet<Shape>>,
}

impl Organiser {
    /// Before the first command.
    pub fn new() -> Self {
        Self {
            event: EventFolder::new(),
            commands: Cell::new(0),
            keys: Cell::new(0),
            shapes: RefCell::default(),
        }
    }

    /// Counts the keystrokes of a line: the folder as `cup`, files by their names, quotation marks where a shell needs
    /// them.
    pub fn count(&self, line: &[&str]) {
        let typed = |word: &&str| {
            let name = Path::new(word).file_name().map_or(0, std::ffi::OsStr::len);
            let is_plain = word
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "-./=@,".contains(letter));
            match *word {
                "@" => "cup".len(),
                path if path.starts_with('/') => name,
                word => word.chars().count() + if is_plain { 0 } else { 2 },
            }
        };
        // A space before each word, and the return key.
        let keys: usize = line.iter().map(|word| typed(word) + 1).sum();
        self.shapes.borrow_mut().insert(shape(line));
        self.commands.set(self.commands.get() + 1);
        self.keys
            .set(self.keys.get() + "overboard".len() + keys + 1);
    }

    /// Types a command that must succeed; returns its output.
    pub fn types(&self, line: &[&str]) -> String {
        self.count(line);
        self.event.done(line)
    }

    /// A file written with an editor: its characters are typed, too.
    pub fn writes(&self, name: &str, text: &str) -> String {
        let file = self.event.beside(name);
        fs::write(&file, text).unwrap();
        self.keys.set(self.keys.get() + text.chars().count());
        file
    }

    /// Checks that the page shows this example with these counts, and no command that was not typed.
    pub fn is_on_the_page(&self, title: &str) {
        let text = fs::read_to_string(page()).unwrap();
        let row = format!(
            "| {title} | {} | {} |",
            self.commands.get(),
            with_commas(self.keys.get())
        );
        assert!(text.contains(&row), "docs/events.md lacks the row\n{row}");
        let typed = self.shapes.borrow();
        for line in commands_of(&text, title) {
            let (verb, options) = shape(&words_of(&line));
            let is_typed = |(other, more): &Shape| *other == verb && options.is_subset(more);
            assert!(typed.iter().any(is_typed), "{title}: nobody typed `{line}`");
        }
    }

    /// Checks that neither the files nor the pairings have errors.
    pub fn is_in_order(&self) {
        assert_eq!(
            self.event.done(&["event", "check", "@"]),
            "no errors found\n"
        );
        assert!(
            self.event
                .done(&["pair", "check", "@"])
                .starts_with("no errors in the pairings")
        );
    }
}

/// Every command of the page is one that the program understands, whether or not its event is there.
#[test]
fn commands_of_the_page_are_understood() {
    let text = fs::read_to_string(page()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let commands = text.lines().filter_map(|line| {
        let line = line.strip_prefix("$ ").unwrap_or(line);
        line.strip_prefix("overboard ")
    });
    let mut count = 0;
    for command in commands {
        let output = tool()
            .args(typed(command))
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("Usage:"), "{command}\n{said}");
        count += 1;
    }
    assert!(count > 50, "{count}");
}

/// The first example of the page runs as it stands.
#[test]
fn the_first_example_runs_as_it_stands() {
    let text = fs::read_to_string(page()).unwrap();
    let (_, section) = text
        .split_once("## From the roster to the final table")
        .unwrap();
    let block = section.split("```").nth(1).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut last = String::new();
    for command in block.lines() {
        let Some(command) = command.strip_prefix("overboard ") else {
            continue;
        };
        let mut run = tool();
        run.args(typed(command)).current_dir(folder.path());
        let output = run.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}\n{said}");
        last = String::from_utf8(output.stdout).unwrap();
    }
    assert!(last.contains("Leeds") && last.contains("York"), "{last}");
}
