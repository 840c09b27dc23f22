//! What the log of an event holds, and links in its folder. Quick entry of results is shown by cases in `tests/cli/event`.

use crate::event_folder::EventFolder;
use std::{fs, path::Path};

/// A Swiss event of six teams with four boards each; round 1 is paired.
fn league() -> EventFolder {
    let event = EventFolder::with(&["--system", "swiss-team", "--rounds", "5", "--boards", "4"]);
    for team in ["Ayr", "Bath", "Cork", "Deal", "Ely", "Fife"] {
        let players: Vec<String> = ["Ann", "Bob", "Cy", "Di", "Ed"]
            .map(|name| format!("{name} of {team}"))
            .into();
        let players = format!("{};reserve={}", players[..4].join(";"), players[4]);
        event.done(&["event", "enter", "@", team, "--players", &players]);
    }
    event.done(&["pair", "next", "@"]);
    event
}

/// The log of a large round grows by lines rather than whole files, and holds the same information.
#[test]
fn the_log_holds_lines() {
    let event = EventFolder::new();
    event.done(&[
        "pair", "generate", "@", "--teams", "60", "--rounds", "1", "--seed", "4",
    ]);
    event.done(&["event", "cancel", "@", "1", "--discard-results"]);
    event.done(&["pair", "next", "@"]);
    let size = || -> u64 {
        let log = Path::new(&event.event).join("log/changes.jsonl");
        fs::metadata(log).unwrap().len()
    };
    let (before, round) = (size(), event.read("rounds/01.csv").len() as u64);
    for table in 1..=10 {
        event.done(&["result", "@", "1", &format!("{table}: 1-0 = 0-1 1-0")]);
    }
    // Logging whole files would take twenty times the size of the round.
    assert!(
        size() - before < 3 * round,
        "{} for ten results of a round of {round} bytes",
        size() - before
    );
    let log: Vec<serde_json::Value> = event
        .done(&["event", "log", "@", "--json"])
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let last = &log.last().unwrap()["files"][0];
    assert_eq!(last["after"].as_str().unwrap(), event.read("rounds/01.csv"));
    assert_ne!(last["before"], last["after"]);
    // A file changed by hand is a change like any other, and earlier ones can still be undone.
    let text = event.read("rounds/01.csv");
    event.edited("rounds/01.csv", Some(&text.replacen("1-0", "0-1", 1)));
    event.done(&["result", "@", "1", "11: 1-0 1-0 1-0 1-0"]);
    event.done(&["event", "undo", "@"]);
    event.done(&["event", "undo", "@"]);
    assert_eq!(event.read("rounds/01.csv"), text);
    assert!(event.read("rounds/01.csv").matches("1-0").count() > 10);
}

/// A folder received from a stranger may hold links: nothing is read or written through a link that leads out of it.
#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let event = league();
    let folder = Path::new(&event.event);
    let treasure = event.beside("treasure");
    fs::write(&treasure, "mine").unwrap();
    let away = event.beside("away");
    fs::create_dir(&away).unwrap();
    for name in [
        ".lock",
        "log",
        "rounds",
        "rounds/01.csv",
        "log/0001.json",
        "log/pending",
        "event.toml",
    ] {
        let (place, kept) = (folder.join(name), event.beside("kept"));
        let there = place.exists();
        let target = if place.is_dir() { &away } else { &treasure };
        if there {
            fs::rename(&place, &kept).unwrap();
        }
        // Links to a file, to a folder, and to something that does not exist yet.
        for target in [target.clone(), event.beside("nothing")] {
            symlink(target, &place).unwrap();
            let why = event.refused(&["result", "@", "1", "1: 1-0 = 0-1 1-0"], 2);
            assert!(
                why.contains(name) && why.contains("a link that leads out of the event's folder"),
                "{why}"
            );
            assert!(
                event
                    .refused(&["pair", "show", "@"], 2)
                    .contains("leads out"),
                "{name}"
            );
            fs::remove_file(&place).unwrap();
        }
        if there {
            fs::rename(&kept, &place).unwrap();
        }
    }
    assert_eq!(fs::read_to_string(&treasure).unwrap(), "mine");
    assert_eq!(fs::read_dir(&away).unwrap().count(), 0);
    assert!(!Path::new(&event.beside("nothing")).exists());
    // A link that stays within the folder is allowed.
    fs::rename(folder.join("teams.csv"), folder.join("spring.csv")).unwrap();
    symlink("spring.csv", folder.join("teams.csv")).unwrap();
    event.done(&["result", "@", "1", "1: 1-0 = 0-1 1-0"]);
}
