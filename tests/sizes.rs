//! The length of files and functions.
//!
//! What is too long to keep in mind is split where it divides naturally. Files and functions that remain long are
//! listed here with the reason, and may not grow.

use std::{collections::BTreeMap, fs, path::Path};

/// The maximum number of lines of a file.
const FILE: usize = 600;
/// The maximum number of lines of a function.
const FUNCTION: usize = 60;

/// Folders with source files. The naive models are independent of the code and stay as they are.
const FOLDERS: [&str; 11] = [
    "cli",
    "engines",
    "events",
    "formats",
    "games",
    "pictures",
    "referee",
    "rules",
    "schedules",
    "tests",
    "examples",
];
const APART: &str = "tests/naive/";

/// Longer files: the maximum length of each, and the reason.
const FILES: &[(&str, usize, &str)] = &[
    ("games/src/olympic/tests.rs", 608, TESTS),
    ("games/src/strategichess/tests.rs", 741, TESTS),
    ("tests/commands.rs", 743, TESTS),
    ("tests/events.rs", 812, TESTS),
    ("tests/guard/src/events.rs", 657, "one table: what is done with events, command by command"),
    ("tests/olympic.rs", 757, TESTS),
    ("tests/organiser.rs", 667, TESTS),
    ("tests/strategichess/linked.rs", 734, TESTS),
];

/// Longer functions: the maximum length of each, and the reason.
const FUNCTIONS: &[(&str, &str, usize, &str)] = &[
    ("referee/src/faults.rs", "fault", 130, "one flat match: what is said of each fault of the text"),
    ("rules/src/refusal.rs", "explain_move", 81, "one flat match: the words for each reason"),
    ("tests/events.rs", "a_swiss_of_twelve_teams", 72, STORY),
    ("tests/events.rs", "a_whole_event_from_the_roster_to_the_final_table", 74, STORY),
    ("tests/events.rs", "the_table_of_an_overchess_match_is_verified_in_its_record", 70, STORY),
    (
        "tests/faults.rs",
        "a_fault_of_the_text_is_reported_once",
        82,
        "one table: texts with a fault, and what is found",
    ),
    (
        "tests/fuzz/fuzz_targets/grammar/sheets.rs",
        "record",
        80,
        "one flat match: what a record of sheets may hold",
    ),
    ("tests/guard/src/calls.rs", "plans", 94, "one table: the calls about plans"),
    ("tests/guard/src/hostile.rs", "files", 79, "one table: hostile files"),
    ("tests/guard/src/main.rs", "compare", 87, STORY),
    ("tests/guard/src/report.rs", "keep", 65, STORY),
    ("tests/organiser.rs", "a_team_of_overchess_has_several_commanders", 67, STORY),
    ("tests/paths.rs", "a_friendly_of_overchess_with_roles_and_calls", 63, STORY),
    ("tests/paths.rs", "a_round_robin_of_strategichess_from_sheets", 71, STORY),
    ("tests/paths.rs", "a_swiss_of_thirty_six_teams_with_every_mishap", 120, STORY),
    ("tests/strategichess/linked.rs", "a_written_move_is_either_listed_or_refused_by_a_rule", 62, STORY),
];

const TESTS: &str = "tests of one thing, one after the other: there is no seam to find one's way by";
const STORY: &str = "one sequence of steps";

fn sources(folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            sources(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path.display().to_string());
        }
    }
}

/// The functions in a file formatted by `rustfmt`, with their numbers of lines.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<_> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = name(line) else { continue };
        if line.ends_with(['}', ';']) {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let is_end = |line: &&str| line.trim_end().len() == indent + 1 && line.trim() == "}";
        let length = lines[at..].iter().position(is_end).map_or(0, |end| end + 1);
        found.push((name, length));
    }
    found
}

/// The name of the function that begins on this line.
fn name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_word =
        |word: &str| word.starts_with("pub") || matches!(word, "const" | "async" | "extern" | "\"C\"");
    before.split_whitespace().all(is_word).then(|| after.split(['(', '<']).next()).flatten()
}

#[test]
fn files_and_functions_are_short_or_say_why_not() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let prefix = format!("{}/", root.display());
    let mut files = Vec::new();
    FOLDERS.iter().for_each(|folder| sources(&root.join(folder), &mut files));
    assert!(files.len() > 300, "the sources are not where they were");
    let (mut long_files, mut long_functions) = (BTreeMap::new(), BTreeMap::new());
    for file in &files {
        let name = file.strip_prefix(&prefix).unwrap();
        if name.starts_with(APART) {
            continue;
        }
        let text = fs::read_to_string(file).unwrap();
        let lines = text.lines().count();
        if lines > FILE {
            long_files.insert(name.to_owned(), lines);
        }
        for (function, lines) in functions(&text) {
            if lines > FUNCTION {
                long_functions.insert(format!("{name}: {function}"), lines);
            }
        }
    }
    let known = FILES.iter().map(|(file, lines, _)| ((*file).to_owned(), *lines)).collect();
    agree("files", &long_files, &known);
    let known = FUNCTIONS.iter().map(|(file, name, lines, _)| (format!("{file}: {name}"), *lines)).collect();
    agree("functions", &long_functions, &known);
    let reasons = FILES.iter().map(|(.., why)| why).chain(FUNCTIONS.iter().map(|(.., why)| why));
    assert!(reasons.clone().all(|why| !why.is_empty()));
}

/// Checks that nothing is longer than permitted, and that nothing listed has become short.
fn agree(what: &str, found: &BTreeMap<String, usize>, known: &BTreeMap<String, usize>) {
    let longer: Vec<_> =
        found.iter().filter(|(name, lines)| known.get(*name).is_none_or(|most| most < *lines)).collect();
    assert!(longer.is_empty(), "{what} longer than they may be: {longer:#?}");
    let shorter: Vec<_> = known.keys().filter(|name| !found.contains_key(*name)).collect();
    assert!(shorter.is_empty(), "{what} that are short now, to be taken off the list: {shorter:#?}");
}
