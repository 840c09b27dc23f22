//! The order of the rooms: which crate may depend on which, and that the referee names no game.

use std::{fs, path::Path};

/// The crates, each with those that it depends on. None depends on one further down.
const ROOMS: [(&str, &[&str]); 11] = [
    ("rules", &[]),
    ("formats", &["rules"]),
    ("pictures", &["formats", "rules"]),
    ("referee", &["formats", "pictures", "rules"]),
    ("games", &["formats", "pictures", "referee", "rules"]),
    (
        "sheets",
        &["formats", "games", "pictures", "referee", "rules"],
    ),
    ("schedules", &[]),
    (
        "events",
        &["formats", "games", "referee", "rules", "schedules"],
    ),
    ("engines", &["formats", "games", "referee", "rules"]),
    (
        "desk",
        &["engines", "events", "formats", "games", "referee", "rules"],
    ),
    (
        "cli",
        &[
            "desk",
            "engines",
            "events",
            "formats",
            "games",
            "pictures",
            "referee",
            "rules",
            "schedules",
            "sheets",
        ],
    ),
];

/// Names of types and modules of single games.
const GAMES: [&str; 21] = [
    "chess",
    "Chess",
    "chess960",
    "bughouse",
    "Bughouse",
    "crazyhouse",
    "Crazyhouse",
    "Olympic",
    "olympic",
    "Strategi",
    "strategichess",
    "Linked",
    "linked",
    "Meta",
    "metachess",
    "Mega",
    "mega",
    "Over",
    "overchess",
    "Variant",
    "AnyGame",
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[test]
fn each_room_depends_on_those_below_it() {
    for (at, (room, below)) in ROOMS.iter().enumerate() {
        let manifest = fs::read_to_string(root().join(room).join("Cargo.toml")).unwrap();
        let section = manifest.split("[dependencies]\n").nth(1).unwrap_or("");
        let section = section.split("\n[").next().unwrap_or("");
        let mut found = Vec::new();
        for line in section.lines() {
            if let Some(name) = line.strip_prefix("overboard-") {
                found.push(name.split(['.', ' ']).next().unwrap());
            }
        }
        found.sort_unstable();
        assert_eq!(found, *below, "{room}");
        let is_above = |name: &&str| ROOMS[..at].iter().all(|(known, _)| known != name);
        assert!(
            !below.iter().any(is_above),
            "{room} depends on a room above it"
        );
    }
}

/// The code of a line, without what is said about it and without texts.
fn code(line: &str) -> String {
    let line = line.trim_start();
    // The name of a tag, and quotation marks inside texts.
    let line = line.replace("Name::Variant", "").replace("\\\"", "");
    let code = line.split("//").next().unwrap_or("");
    code.split('"').step_by(2).collect::<Vec<_>>().join("\"\"")
}

fn look(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            look(&path, found);
            continue;
        }
        for line in fs::read_to_string(&path).unwrap().lines() {
            let code = code(line);
            let mut words = code.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            if words.any(|word| GAMES.contains(&word)) {
                found.push(format!("{}: {line}", path.display()));
            }
        }
    }
}

#[test]
fn the_referee_names_no_game() {
    let mut found = Vec::new();
    look(&root().join("referee/src"), &mut found);
    // The first game of a catalogue is the one of records without a tag; a catalogue calls it so.
    found.retain(|line| !line.contains("chess()") && !line.contains("fn chess("));
    assert!(found.is_empty(), "{found:#?}");
}
