//! What people read is plain English, and the summaries of the commands have one form.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Words that confused readers, or that give a piece or a player a gender.
const BANNED: [&str; 10] = [
    "he",
    "him",
    "his",
    "himself",
    "men",
    "told",
    "tell",
    "tells",
    "telling",
    "everybody",
];

/// The same for phrases.
const BANNED_PHRASES: [&str; 6] = [
    "of theirs",
    "behind the move",
    "behind them",
    "makes no sense",
    "make no sense",
    "programs of their own",
];

/// Phrases that confused readers of messages: nouns with "no" where English negates the verb, "already" at the
/// end, general rules in place of what was found, and a second word for the same state.
const BANNED_IN_MESSAGES: [&str; 19] = [
    "is no kind of",
    "is no rule",
    "is no number",
    "none is written over",
    "to judge on",
    "judged on after",
    "claimed wrongly",
    "named twice",
    "a result already",
    "paired already",
    "withdrawn already",
    "nobody has the number",
    "nobody here is",
    "may be several",
    "there is no setting",
    "with commas between them",
    "takes nothing behind",
    "are there already",
    "it calls itself {",
];

/// Other names of endings than those that we use: an ending has one name, so that nobody looks for a difference. Some are
/// values of tags that other programs write.
const OTHER_NAMES_OF_ENDINGS: [&str; 18] = [
    "mega mate",
    "mega stalemate",
    "check mate",
    "check-mate",
    "stale mate",
    "stale-mate",
    "won on time",
    "wins on time",
    "lost on time",
    "lose on time",
    "loses on time",
    "losing on time",
    "loss on time",
    "three-fold",
    "five-fold",
    "50-move rule",
    "75-move rule",
    "draw by agreement",
];

/// Names of files that said nothing before the file was read: what takes their place says what is in it.
const BANNED_FILES: [&str; 29] = [
    "answer",
    "apart",
    "basis",
    "deeds",
    "door",
    "edit",
    "elsewhere",
    "escape",
    "film",
    "flat",
    "found",
    "kin",
    "leash",
    "misc",
    "nth",
    "overs",
    "pointer",
    "refused",
    "sitting",
    "spool",
    "stuff",
    "tape",
    "things",
    "touch",
    "trace",
    "trial",
    "utils",
    "util",
    "whole",
];

/// The folders of the libraries and of the program.
const ROOMS: [&str; 11] = [
    "rules/src",
    "formats/src",
    "pictures/src",
    "referee/src",
    "games/src",
    "sheets/src",
    "schedules/src",
    "events/src",
    "engines/src",
    "desk/src",
    "cli/src",
];

/// Verbs that may begin the summary of a command.
const VERBS: [&str; 32] = [
    "Accept",
    "Cancel",
    "Change",
    "Check",
    "Convert",
    "Count",
    "Create",
    "Draw",
    "Enter",
    "Explain",
    "Import",
    "List",
    "Keep",
    "Make",
    "Merge",
    "Pair",
    "Plan",
    "Play",
    "Print",
    "Record",
    "Redo",
    "Remove",
    "Restore",
    "Resume",
    "Run",
    "Select",
    "Set",
    "Show",
    "Split",
    "Summarise",
    "Undo",
    "Write",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// Every page that people read, with its name.
fn pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    for folder in [
        "",
        "docs",
        "docs/rules",
        "docs/npgn",
        "docs/npgn/suite",
        "examples/slurm",
        "tests/fuzz",
    ] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "md") {
                let name = path.strip_prefix(root()).unwrap().display().to_string();
                pages.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    pages
}

/// The lines of a page outside of fenced blocks, each without text in backquotes or double quotes: names, and
/// quotations from authors and from FIDE.
fn prose(page: &str) -> Vec<(usize, String)> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for (index, line) in page.lines().enumerate() {
        fenced ^= line.starts_with("```");
        let without =
            |text: &str, mark: char| text.split(mark).step_by(2).collect::<Vec<_>>().join("…");
        if !fenced {
            lines.push((index + 1, without(&without(line, '`'), '"').to_lowercase()));
        }
    }
    lines
}

#[test]
fn pages_have_none_of_the_words_that_readers_stumble_over() {
    let mut wrong = Vec::new();
    for (name, page) in pages() {
        for (number, line) in prose(&page) {
            // A file name or an option counts as one word.
            let words = line
                .split(|c: char| !(c.is_alphanumeric() || "-./".contains(c)))
                .map(|word| word.trim_end_matches('.'))
                .filter(|word| BANNED.contains(word));
            let phrases = BANNED_PHRASES
                .iter()
                .copied()
                .filter(|phrase| line.contains(phrase));
            wrong.extend(
                words
                    .chain(phrases)
                    .map(|word| format!("{name}:{number}: {word}")),
            );
        }
    }
    assert!(
        wrong.is_empty(),
        "write it in plain English:\n{}",
        wrong.join("\n")
    );
}

/// The lines of the source files that contain messages, without comments and tests, each with its place.
fn lines_of_messages() -> Vec<(String, String)> {
    lines_in(&["cli/src", "events/src", "engines/src", "schedules/src"])
}

fn lines_in(folders: &[&str]) -> Vec<(String, String)> {
    let mut folders: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    let mut lines = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let name = path.strip_prefix(root()).unwrap().display().to_string();
                let source = text
                    .lines()
                    .take_while(|line| *line != "#[cfg(test)]")
                    .enumerate();
                let said = source.filter(|(_, line)| !line.trim_start().starts_with("//"));
                lines.extend(
                    said.map(|(index, line)| (format!("{name}:{}", index + 1), line.to_owned())),
                );
            }
        }
    }
    lines
}

#[test]
fn messages_have_none_of_the_turns_that_readers_stumbled_over() {
    let lines = lines_of_messages();
    assert!(lines.len() > 20_000, "{} lines", lines.len());
    let mut wrong = Vec::new();
    for (place, line) in &lines {
        let found = BANNED_IN_MESSAGES
            .iter()
            .filter(|phrase| line.contains(*phrase));
        wrong.extend(found.map(|phrase| format!("{place}: {phrase}")));
    }
    assert!(
        wrong.is_empty(),
        "say what was found and what to write instead:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn names_in_the_code_explain_themselves() {
    let mut wrong = BTreeSet::new();
    for (place, line) in lines_in(&ROOMS) {
        let (file, _) = place.rsplit_once(':').unwrap();
        let stem = Path::new(file).file_stem().unwrap().to_str().unwrap();
        if BANNED_FILES.contains(&stem) {
            wrong.insert(file.to_owned());
        }
        // An act is called so everywhere.
        let words = line.to_lowercase().replace("indeed", "");
        if words.contains("deed") {
            wrong.insert(place);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn each_ending_has_one_name() {
    let crates = ["rules", "games", "referee", "sheets", "desk", "pictures"];
    let folders = crates.map(|name| format!("{name}/src"));
    let mut lines = lines_of_messages();
    lines.extend(lines_in(&folders.each_ref().map(String::as_str)));
    // They read the sentences of other programs.
    let readers = [
        "referee/src/termination.rs",
        "games/src/bughouse/bpgn/words.rs",
    ];
    lines.retain(|(place, _)| !readers.iter().any(|file| place.starts_with(file)));
    for (name, page) in pages() {
        let prose = prose(&page).into_iter();
        lines.extend(prose.map(|(number, line)| (format!("{name}:{number}"), line)));
    }
    let mut wrong = Vec::new();
    for (place, line) in &lines {
        let line = line.to_lowercase();
        let found = OTHER_NAMES_OF_ENDINGS
            .iter()
            .filter(|name| line.contains(*name));
        wrong.extend(found.map(|name| format!("{place}: {name}")));
    }
    assert!(
        wrong.is_empty(),
        "use the name that `Cause` and the glossary have:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn summaries_of_commands_begin_with_a_verb_and_are_short() {
    let page = fs::read_to_string(root().join("docs/cli.md")).unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for block in page.split("\nCommands:\n").skip(1) {
        for line in block.lines().take_while(|line| !line.is_empty()) {
            let summary = line
                .trim_start()
                .split_once("  ")
                .map_or("", |(_, summary)| summary.trim());
            let verb = summary.split([' ', ',']).next().unwrap();
            let is_good = summary.len() < 60 && !summary.ends_with('.') && VERBS.contains(&verb);
            // Of clap itself: "Print this message or the help of the given subcommand(s)".
            if !is_good && !line.trim_start().starts_with("help ") {
                wrong.push(line.to_owned());
            }
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen} summaries");
    assert!(
        wrong.is_empty(),
        "a verb, its object, no full stop, less than 60 characters:\n{}",
        wrong.join("\n")
    );
}
