//! Files that gave other tools trouble. Those of the conformance suite have their expected findings there; those in
//! `examples/` have a sibling `.expect` file, which holds the summary, and a line `game:line:col code rule text` for
//! every warning and error. Lines that begin with `#` are comments.

use crate::run::{overboard, printed};
use overboard_formats::foreign::visible;
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files(folder: &str, ending: &str) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == ending))
        .collect()
}

fn corpus() -> Vec<PathBuf> {
    ["docs/npgn/suite/foreign", "examples"]
        .into_iter()
        .flat_map(|folder| files(folder, "pgn"))
        .collect()
}

/// The objects that `check --json` prints, the summary separately, and the exit code.
fn check(path: &Path) -> (Vec<Value>, Value, i32) {
    let (text, exit) = printed(&overboard(&[
        "check".as_ref(),
        "--json".as_ref(),
        path.as_os_str(),
    ]));
    let mut objects: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let summary = objects.pop().unwrap()["summary"].clone();
    (objects, summary, exit)
}

fn summary_line(summary: &Value, exit: i32) -> String {
    let counts = ["games", "clean", "findings", "unjudged", "unreadable"]
        .map(|count| format!("{count}={}", summary[count]));
    format!("{} exit={exit}", counts.join(" "))
}

fn finding_line(game: &Value, finding: &Value) -> String {
    let word = |key: &str| finding[key].as_str().unwrap_or("-").to_string();
    format!(
        "{}:{}:{} {} {} {}",
        game["game"],
        finding["line"],
        finding["col"],
        word("code"),
        word("rule"),
        word("text")
    )
}

fn weighs(finding: &Value) -> bool {
    finding["severity"] != "note"
}

fn findings(games: &[Value]) -> impl Iterator<Item = (&Value, &Value)> {
    games.iter().flat_map(|game| {
        game["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(move |finding| (game, finding))
    })
}

/// Foreign text as an `.expect` file shows it: at most eighty characters, with invisible ones escaped.
fn plain(line: &str) -> String {
    let cut = line.chars().count() > 80;
    let shown = visible(&line.chars().take(80).collect::<String>()).into_owned();
    if cut { format!("{shown}…") } else { shown }
}

fn expected(path: &Path) -> String {
    let text = fs::read_to_string(path.with_extension("expect")).unwrap_or_default();
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect()
}

fn verdicts(path: &Path) -> String {
    let (games, summary, exit) = check(path);
    let found = findings(&games)
        .filter(|(_, finding)| weighs(finding))
        .map(|(game, finding)| plain(&finding_line(game, finding)));
    [summary_line(&summary, exit)]
        .into_iter()
        .chain(found)
        .map(|line| line + "\n")
        .collect()
}

#[test]
fn every_file_is_judged_as_expected() {
    let mut wrong = String::new();
    for path in files("examples", "pgn") {
        let (expected, judged) = (expected(&path), verdicts(&path));
        if expected != judged {
            wrong += &format!(
                "{}\nexpected:\n{expected}judged:\n{judged}\n",
                path.display()
            );
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_expectation_has_its_file() {
    for expected in files("examples", "expect") {
        assert!(
            expected.with_extension("pgn").exists(),
            "{}",
            expected.display()
        );
    }
}

/// The text of a line from a column on; both count from 1, columns in characters.
fn text_at(bytes: &[u8], line: u64, column: u64) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let line = bytes
        .split(|b| *b == b'\n')
        .nth(usize::try_from(line).unwrap() - 1)
        .unwrap();
    let text = std::str::from_utf8(line).map_or_else(
        |_| line.iter().map(|b| char::from(*b)).collect(),
        str::to_string,
    );
    text.chars()
        .skip(usize::try_from(column).unwrap() - 1)
        .collect()
}

#[test]
fn line_and_column_point_at_the_text_of_the_finding() {
    for path in corpus().iter().filter(|path| !path.ends_with("utf16.pgn")) {
        let bytes = fs::read(path).unwrap();
        let (games, ..) = check(path);
        for (game, finding) in findings(&games) {
            let there = text_at(
                &bytes,
                finding["line"].as_u64().unwrap(),
                finding["col"].as_u64().unwrap(),
            );
            let text = finding["text"].as_str().unwrap();
            assert!(
                there.starts_with(text),
                "{}: {}: {there:?}",
                path.display(),
                finding_line(game, finding)
            );
        }
    }
}

#[test]
fn bytes_count_from_the_start_of_the_file() {
    for path in corpus() {
        let bytes = fs::read(&path).unwrap();
        let (games, ..) = check(&path);
        for (_, finding) in findings(&games) {
            let [from, to] =
                [0, 1].map(|end| usize::try_from(finding["bytes"][end].as_u64().unwrap()).unwrap());
            assert!(
                from <= to && to <= bytes.len(),
                "{}: {finding}",
                path.display()
            );
            let line = bytes[..from].iter().filter(|b| **b == b'\n').count() as u64 + 1;
            assert_eq!(
                finding["line"].as_u64(),
                Some(line),
                "{}: {finding}",
                path.display()
            );
        }
    }
}

#[test]
fn the_game_behind_a_broken_one_is_judged() {
    for path in files("docs/npgn/suite/foreign", "pgn")
        .iter()
        .filter(|path| !path.ends_with("utf16.pgn"))
    {
        let (games, ..) = check(path);
        let bytes = fs::read(path).unwrap();
        let records = memchr::memmem::find_iter(&bytes, b"[Event \"").count();
        assert_eq!(games.len(), records, "{}", path.display());
        let good = if path.ends_with("missing-result-at-eof.pgn") {
            games.first()
        } else {
            games.last()
        };
        let good = good.unwrap();
        assert_eq!(
            (
                good["verdict"].as_str(),
                good["findings"].as_array().map(Vec::len)
            ),
            (Some("clean"), Some(0)),
            "{}",
            path.display()
        );
    }
}

/// An illegal game is written in full: it is not left out, cut short or split.
#[test]
fn writing_a_file_keeps_every_ply_of_it() {
    for name in [
        "illegal-ply-37",
        "two-illegal",
        "garbage-tokens",
        "dead-position-played-on",
        "unknown-variant",
    ] {
        let path = root().join(format!("docs/npgn/suite/foreign/{name}.pgn"));
        let (written, exit) = printed(&overboard(&["fmt".as_ref(), path.as_os_str()]));
        let words = |text: &str| {
            text.split_ascii_whitespace()
                .map(str::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (words(&written), exit),
            (words(&fs::read_to_string(&path).unwrap()), 0),
            "{name}"
        );
    }
}
