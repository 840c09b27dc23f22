//! The log of an event, as its organiser meets it: edits by hand, lost files, damage, names and reasons.

use crate::{
    event_folder::EventFolder,
    run::{printed, tool},
};
use std::{fs, path::PathBuf};

/// A round robin of four players after one result.
fn cup() -> EventFolder {
    let event = EventFolder::with(&["--of", "players"]);
    for name in ["Ann", "Bob", "Cy", "Di"] {
        event.done(&["event", "enter", "@", name]);
    }
    event.done(&["pair", "next", "@"]);
    event.done(&["result", "@", "1", "1", "1-0"]);
    event
}

fn path(event: &EventFolder, name: &str) -> PathBuf {
    PathBuf::from(&event.event).join(name)
}

/// The findings of `event check`, which must be errors.
fn errors(event: &EventFolder) -> String {
    let (said, code) = printed(&event.run(&["event", "check", "@"]));
    assert_eq!(code, 1, "{said}");
    said
}

#[test]
fn a_lost_round_is_not_paired_again() {
    let event = cup();
    let round = event.read("rounds/01.csv");
    fs::remove_file(path(&event, "rounds/01.csv")).unwrap();
    let missing = "rounds/01.csv: error: this file is missing; the log has it";
    assert!(errors(&event).contains(missing));
    let why = event.refused(&["pair", "next", "@"], 2);
    let how = format!("`overboard event repair {}`", event.event);
    assert!(
        why.contains("Nothing was changed") && why.contains(&how),
        "{why}"
    );
    assert!(
        event
            .refused(&["event", "pack", "@"], 2)
            .contains("is missing")
    );
    let (said, code) = printed(&event.run(&["event", "repair", "@"]));
    assert_eq!(code, 1);
    assert!(
        said.contains("- restore rounds/01.csv: from the log"),
        "{said}"
    );
    assert!(!path(&event, "rounds/01.csv").exists());
    event.done(&["event", "repair", "@", "--write"]);
    assert_eq!(event.read("rounds/01.csv"), round);
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    assert_eq!(event.done(&["event", "repair", "@"]), "nothing to repair\n");
    let log = event.done(&["event", "log", "@"]);
    assert!(log.contains("Repaired: restore rounds/01.csv"), "{log}");
}

#[test]
fn an_edited_file_is_accepted_with_a_reason() {
    let event = cup();
    let round = event.read("rounds/01.csv");
    let edited = round.replace("1-0", "0-1");
    fs::write(path(&event, "rounds/01.csv"), &edited).unwrap();
    assert!(errors(&event).contains("rounds/01.csv: error: this file is not as the log has it"));
    event.refused(&["result", "@", "1", "2", "1-0"], 2);
    let accept = [
        "event",
        "accept",
        "@",
        "rounds/01.csv",
        "--reason",
        "misread",
        "--by",
        "Eve",
    ];
    let shown = event.done(&[&accept[..], &["--dry-run"]].concat());
    assert!(shown.contains("note: rounds/01.csv: - 1,,"), "{shown}");
    assert!(shown.contains("note: rounds/01.csv: + 1,,"), "{shown}");
    errors(&event);
    event.done(&accept);
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    assert!(event.refused(&accept, 2).contains("is as the log has it"));
    let log = event.done(&["event", "log", "@"]);
    assert!(
        log.contains("Accepted rounds/01.csv (by Eve; reason: misread)"),
        "{log}"
    );
    event.done(&["event", "undo", "@"]);
    assert_eq!(event.read("rounds/01.csv"), round);
    // An older text of the same file is named as such; an event that would have errors is not accepted.
    fs::write(path(&event, "rounds/01.csv"), &edited).unwrap();
    assert!(errors(&event).contains("as it was after change 8"));
    fs::write(
        path(&event, "rounds/01.csv"),
        round.replace("1,,1,4", "1,,1,9"),
    )
    .unwrap();
    assert!(
        event
            .refused(&accept, 2)
            .contains("no participant has the number 9")
    );
}

#[test]
fn settings_edited_by_hand_are_taken_up() {
    let event = cup();
    let text = event.read("event.toml");
    fs::write(
        path(&event, "event.toml"),
        format!("{text}city = \"Leeds\"\n"),
    )
    .unwrap();
    let (said, code) = printed(&event.run(&["event", "check", "@"]));
    assert!(
        code == 0 && said.contains("event.toml: note: edited by hand"),
        "{said}"
    );
    let said = event.run(&["result", "@", "1", "2", "0-1", "--reason", "late"]);
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(
        said.contains("event.toml was edited by hand: + city = \"Leeds\""),
        "{said}"
    );
    let log = event.done(&["event", "log", "@"]);
    assert!(
        log.contains("   8  ") && log.contains("Edited event.toml by hand\n"),
        "{log}"
    );
    assert!(log.contains("(reason: late)"), "{log}");
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    // What cannot be read is no edit, and nothing is written before it can.
    fs::write(path(&event, "event.toml"), "name = \"cup").unwrap();
    // What helps is what is wrong with the edit.
    assert!(errors(&event).starts_with("event.toml:"));
    event.refused(&["result", "@", "1", "1", "0-1", "--correct"], 2);
    event.done(&["event", "repair", "@", "--write"]);
    assert!(event.read("event.toml").ends_with("city = \"Leeds\"\n"));
}

#[test]
fn who_and_why_stand_in_the_log() {
    let event = cup();
    event.done(&["event", "set", "@", "by", "Ann Bell"]);
    event.done(&["result", "@", "1", "2", "0-1"]);
    event.done(&[
        "result",
        "@",
        "1",
        "2",
        "1-0",
        "--correct",
        "--by",
        "Bob",
        "--reason",
        "swapped",
    ]);
    let log = event.done(&["event", "log", "@"]);
    let last: Vec<&str> = log.lines().rev().take(2).collect();
    assert!(last[1].ends_with("(by Ann Bell)"), "{log}");
    assert!(last[0].ends_with("(by Bob; reason: swapped)"), "{log}");
    let last = event.done(&["event", "log", "@", "--json"]);
    let last: serde_json::Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["by"], &last["reason"]),
        (&"Bob".into(), &"swapped".into())
    );
    event.refused(
        &["result", "@", "1", "1", "1-0", "--correct", "--by", ""],
        2,
    );
}

#[test]
fn a_lost_entry_takes_no_later_ones_with_it() {
    let event = cup();
    let log = path(&event, "log/changes.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let without: Vec<&str> = text.split_inclusive('\n').collect();
    let without = [&without[..4], &without[5..]].concat().concat();
    fs::write(&log, without).unwrap();
    assert!(
        errors(&event).contains("log/changes.jsonl:5: error: change 5 is missing before this line")
    );
    let why = event.refused(&["result", "@", "1", "2", "1-0"], 2);
    assert!(why.contains("The log of this event is damaged"), "{why}");
    assert_eq!(event.done(&["event", "log", "@"]).lines().count(), 6);
    let done = event.done(&["event", "repair", "@", "--write"]);
    assert!(
        done.contains("of its changes 1 to 4, 6 to 7 can be read; lost: 5"),
        "{done}"
    );
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    event.done(&["result", "@", "1", "2", "1-0"]);
    let log = event.done(&["event", "log", "@"]);
    let numbers: Vec<&str> = log
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(numbers, ["1", "2", "3", "4", "6", "7", "8", "9"]);
    let (pack, again) = (event.beside("cup.json"), event.beside("again"));
    event.done(&["event", "pack", "@", "--out", &pack]);
    event.done(&["event", "unpack", &again, &pack]);
    assert_eq!(event.done(&["event", "log", &again]), log);
}

/// Without the copy of the last line nobody knows whether the log ended there, so nothing is restored at once.
#[test]
fn a_lost_end_of_the_log_is_not_denied() {
    let event = cup();
    let log = path(&event, "log/changes.jsonl");
    let (lines, round) = (
        fs::read_to_string(&log).unwrap(),
        event.read("rounds/01.csv"),
    );
    let end = lines.trim_end().rfind('\n').unwrap() + 1;
    fs::write(&log, &lines[..end]).unwrap();
    fs::remove_file(path(&event, "log/last.json")).unwrap();
    let found = errors(&event);
    assert!(
        found.contains("the end of the log may be missing"),
        "{found}"
    );
    assert!(
        found.contains("rounds/01.csv: note: what can be read of the log left another text"),
        "{found}"
    );
    let done = event.done(&["event", "repair", "@", "--write"]);
    for step in [
        "6 changes are there, and later ones may be lost with log/last.json",
        "leave rounds/01.csv as it is, although it differs",
    ] {
        assert!(done.contains(step), "{done}");
    }
    assert_eq!(event.read("rounds/01.csv"), round);
    event.done(&["event", "accept", "@", "rounds/01.csv", "--reason", "lost"]);
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    // Where nothing differs, nothing is lost.
    fs::remove_file(path(&event, "log/last.json")).unwrap();
    let done = event.done(&["event", "repair", "@", "--write"]);
    assert!(done.contains("none is lost"), "{done}");
}

/// The log of one copy of an event and the last line of another.
#[test]
fn logs_of_two_copies_are_told_apart() {
    let event = cup();
    let log = event.read("log/changes.jsonl");
    event.done(&["result", "@", "1", "2", "1-0"]);
    let mine = event.read("log/changes.jsonl");
    fs::write(path(&event, "log/changes.jsonl"), &log).unwrap();
    let last = log.lines().last().unwrap();
    fs::write(path(&event, "log/last.json"), format!("{last}\n")).unwrap();
    event.edited("rounds/01.csv", Some(&event.read("rounds/01.csv")));
    fs::write(path(&event, "log/changes.jsonl"), mine).unwrap();
    let found = errors(&event);
    assert!(
        found.contains("this is another change 8 than the one at the end of log/changes.jsonl"),
        "{found}"
    );
    event.done(&["event", "repair", "@", "--write"]);
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
}

/// A pack cannot write outside its folder, nor bring a log that does not lead to its files.
#[test]
fn a_pack_is_held_against_its_log() {
    let event = cup();
    let (pack, again) = (event.beside("cup.json"), event.beside("again"));
    event.done(&["event", "pack", "@", "--out", &pack]);
    let text = fs::read_to_string(&pack).unwrap();
    for (from, to, why) in [
        (
            "\"last.json\"",
            "\"../evil\"",
            "`log/../evil` is not a file of a log",
        ),
        (
            "\"1,,1,4,1-0,,,\"",
            "\"1,,1,4,0-1,,,\"",
            "rounds/01.csv: this file is not as the log has it",
        ),
    ] {
        assert!(text.contains(from));
        fs::write(&pack, text.replace(from, to)).unwrap();
        let said = event.refused(&["event", "unpack", &again, &pack], 2);
        assert!(said.contains(why), "{said}");
        assert!(!PathBuf::from(&again).exists());
    }
}

/// What one command writes, another does not call an error.
#[test]
fn what_a_command_writes_is_no_error() {
    let event = cup();
    let said = event.refused(&["event", "set", "@", "tie-breaks", "BH"], 2);
    assert!(said.contains("nothing was changed"), "{said}");
    let other = event.beside("other");
    let new = [
        "event",
        "new",
        &other,
        "--of",
        "players",
        "--tie-breaks",
        "BH",
    ];
    let said = event.refused(&new, 2);
    assert!(said.contains("BH belongs to article 8"), "{said}");
    assert!(!PathBuf::from(&other).exists());
    let text = event.read("event.toml");
    fs::write(
        path(&event, "event.toml"),
        format!("start = \"2026-02-31\"\n{text}"),
    )
    .unwrap();
    assert!(errors(&event).contains("2026-02-31 is not in the calendar"));
}

/// A process that finds the folder locked says so and waits; one that starts after a crash completes the change.
#[test]
fn a_held_folder_and_a_crash() {
    let event = EventFolder::with(&["--of", "players"]);
    event.done(&["event", "enter", "@", "Ann"]);
    let lock = fs::OpenOptions::new()
        .write(true)
        .open(PathBuf::from(&event.event).join(".lock"))
        .unwrap();
    lock.lock().unwrap();
    let mut waiting = tool();
    waiting.args(["event", "enter", &event.event, "Bob"]);
    let waiting = waiting.stderr(std::process::Stdio::piped());
    let waiting = waiting.stdout(std::process::Stdio::null()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    drop(lock);
    let waited = waiting.wait_with_output().unwrap();
    let said = String::from_utf8(waited.stderr).unwrap();
    assert!(waited.status.success(), "{said}");
    assert!(
        said.contains("note: waiting for another overboard that writes to this event"),
        "{said}"
    );
    // A change that an older version had logged and not carried out.
    fs::remove_dir_all(PathBuf::from(&event.event).join("log")).unwrap();
    fs::create_dir(PathBuf::from(&event.event).join("log")).unwrap();
    let after = event.read("players.csv").replace("Ann", "Anne");
    let pending = serde_json::json!({
        "number": 1, "time": "2026-11-21T12:00:00Z", "what": "a name",
        "files": [{ "file": "players.csv", "before": event.read("players.csv"), "after": after }],
    });
    fs::write(
        PathBuf::from(&event.event).join("log/pending"),
        pending.to_string(),
    )
    .unwrap();
    assert!(event.done(&["event", "log", "@"]).contains("a name"));
    assert!(event.done(&["event", "export", "@"]).contains("Anne"));
    event.done(&["event", "undo", "@"]);
    assert!(!event.read("players.csv").contains("Anne"));
    // A log cannot make it write outside the folder.
    fs::remove_dir_all(PathBuf::from(&event.event).join("log")).unwrap();
    fs::create_dir(PathBuf::from(&event.event).join("log")).unwrap();
    let elsewhere = pending.to_string().replace("players.csv", "../players.csv");
    fs::write(PathBuf::from(&event.event).join("log/pending"), elsewhere).unwrap();
    assert!(
        event
            .refused(&["event", "log", "@"], 2)
            .contains("not an entry of the log")
    );
}
