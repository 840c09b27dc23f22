//! Quick entry of results, and changes to an event that is already under way.

use crate::{
    event_folder::EventFolder,
    run::{printed, tool},
};
use std::{
    fs,
    io::Write,
    path::Path,
    process::{Output, Stdio},
};

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

fn pasted(event: &EventFolder, args: &[&str], text: &str) -> Output {
    let args: Vec<&str> = args
        .iter()
        .map(|word| {
            if *word == "@" {
                event.event.as_str()
            } else {
                word
            }
        })
        .collect();
    let mut child = tool()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

/// A match is entered in one line and a round in as many lines, all as a single change.
#[test]
fn a_match_is_entered_in_a_line() {
    let event = league();
    let said = event.done(&["result", "@", "1", "1: 1-0 = 0-1 1-0", "--dry-run"]);
    assert!(
        said.contains("would change rounds/01.csv") && said.contains("table 1, board 2: 1/2-1/2"),
        "{said}"
    );
    event.done(&["result", "@", "1", "1: 1-0 = 0-1 1-0"]);
    let output = pasted(
        &event,
        &["result", "@", "1", "--lines", "-"],
        "# round 1\n2 * 1-0 0-1f *\n\n3: 0-1f\n",
    );
    assert!(
        printed(&output).0.starts_with(
            "Entered in round 1: table 2, board 2: 1-0; table 2, board 3: 0-1f; table 3: 0-1f"
        ),
        "{output:?}"
    );
    let show = event.done(&["pair", "show", "@"]);
    for line in [
        "1.2       Bob of Deal  1/2-1/2  Bob of Ayr",
        "2.3       Cy of Ely    0-1f",
    ] {
        assert!(show.contains(line), "{line}\n{show}");
    }
    event.done(&["event", "undo", "@"]);
    let open = event.event().rounds[0]
        .matches
        .iter()
        .filter(|this| this.boards[0].result.is_none())
        .count();
    assert_eq!(open, 2);
    for (line, why) in [
        ("1-0 = 0-1 1-0", "`1-0 = 0-1 1-0`: the number of a table"),
        (
            "2: 1-0 =",
            "table 2 has 4 boards, but the line has 2 results",
        ),
        ("2: 1-0 = 0-1 2-0", "`2-0` is not a result"),
        (
            "9: 1-0 = 0-1 1-0",
            "round 1 has no table 9; the last one is 3",
        ),
        (
            "1: 0-1 = 0-1 1-0",
            "table 1, board 1 already has the result 1-0; --correct replaces it",
        ),
        (
            "Ayr: 1-0 = = =",
            "a line must begin with the number of its table",
        ),
    ] {
        let said = event.refused(&["result", "@", "1", line], 2);
        assert!(
            said.contains(why) || line.starts_with("1-0"),
            "{line}: {said}"
        );
    }
    // The kings stand after the result, or alone.
    let kings = EventFolder::with(&["--game", "strategichess", "--boards", "3"]);
    for team in ["Ayr", "Bath", "Cork", "Deal"] {
        kings.done(&[
            "event",
            "enter",
            "@",
            team,
            "--players",
            &format!("A {team};B {team};C {team}"),
        ]);
    }
    kings.done(&["pair", "next", "@"]);
    assert!(
        kings
            .refused(&["result", "@", "1", "1: 1-0"], 2)
            .contains("the kings left (or sub-games won) are missing")
    );
    kings.done(&["result", "@", "1", "1: 1-0 2-1; 2: (1-1)"]);
    assert!(kings.done(&["pair", "show", "@"]).contains("1/2-1/2 (1-1)"));
}

/// The output of `pair show` and the file of a round can both be read as results.
#[test]
fn printed_rounds_are_read_back() {
    let event = league();
    event.done(&[
        "result",
        "@",
        "1",
        "1: 1-0 = 0-1 1-0; 2: = = = 0-1f; 3: 0-1f",
    ]);
    let files = [
        (
            "shown.csv",
            event.done(&["pair", "show", "@", "--to", "csv"]),
        ),
        ("01.csv", event.read("rounds/01.csv")),
    ];
    for (name, text) in &files {
        let path = event.beside(name);
        fs::write(&path, text).unwrap();
        assert!(
            event
                .done(&["result", "@", "1", "--csv", &path])
                .contains("No new result"),
            "{name}"
        );
    }
    let filled = event.event();
    for (name, text) in &files {
        event.done(&["event", "cancel", "@", "1", "--discard-results"]);
        event.done(&["pair", "next", "@"]);
        assert!(event.event().rounds[0] != filled.rounds[0]);
        let path = event.beside(name);
        // Spreadsheets may write semicolons.
        let text = if *name == "01.csv" {
            text.replace(',', ";")
        } else {
            text.clone()
        };
        fs::write(&path, text).unwrap();
        event.done(&["result", "@", "1", "--csv", &path]);
        assert_eq!(event.event().rounds[0], filled.rounds[0], "{name}");
        // A result is never entered for somebody else.
        fs::write(
            &path,
            fs::read_to_string(&path)
                .unwrap()
                .replace("Ayr", "Ely")
                .replace("1;;1;4", "1;;2;4"),
        )
        .unwrap();
        let said = event.refused(&["result", "@", "1", "--csv", &path], 2);
        assert!(said.contains("and this row"), "{said}");
    }
}

/// Undo goes back as many steps as requested; redo goes forward again until something else is changed.
#[test]
fn what_is_undone_can_be_done_again() {
    let event = league();
    event.done(&["result", "@", "1", "1: 1-0 1-0 1-0 1-0"]);
    event.done(&["result", "@", "1", "2: 1-0 1-0 1-0 1-0"]);
    let (all, paired) = (event.read("rounds/01.csv"), 8);
    assert!(
        event
            .done(&["event", "undo", "@", "--to", "8", "--dry-run"])
            .contains("would change rounds/01.csv")
    );
    let said = event.done(&["event", "undo", "@", "--to", &paired.to_string()]);
    assert!(
        said.contains("Undid changes 10 (") && said.contains("9 ("),
        "{said}"
    );
    assert!(!event.read("rounds/01.csv").contains("1-0"));
    // One change in the log, so that a process which dies leaves all of them done or all undone.
    let log = event.done(&["event", "log", "@"]);
    let last = log.lines().last().unwrap();
    assert!(last.ends_with("Undid changes 9 to 10"), "{log}");
    event.done(&["event", "redo", "@"]);
    event.done(&["event", "redo", "@"]);
    assert_eq!(event.read("rounds/01.csv"), all);
    assert!(
        event
            .refused(&["event", "redo", "@"], 2)
            .contains("there is nothing to redo")
    );
    // All at once, up to a change.
    event.done(&["event", "undo", "@", "--to", "5"]);
    assert!(
        event
            .refused(&["event", "redo", "@", "--to", "5"], 2)
            .contains("change 5 does not exist or")
    );
    let said = event.done(&["event", "redo", "@", "--to", "8", "--dry-run"]);
    assert!(
        said.contains("Redid changes 6 (") && said.contains("would change"),
        "{said}"
    );
    assert!(
        event
            .done(&["event", "redo", "@", "--to", "8"])
            .contains("Redid changes 6 (Entered Ely")
    );
    assert_eq!(event.event().rounds.len(), 1);
    assert!(
        event
            .done(&["event", "redo", "@", "--to", "10"])
            .contains("Redid changes 9 (")
    );
    assert_eq!(event.read("rounds/01.csv"), all);
    event.done(&["event", "undo", "@"]);
    event.done(&["event", "set", "@", "city", "York"]);
    assert!(
        event
            .refused(&["event", "redo", "@"], 2)
            .contains("there is nothing to redo")
    );
    assert!(
        event
            .refused(&["event", "undo", "@", "--to", "77"], 2)
            .contains("change 77 does not exist")
    );
    assert_eq!(
        event
            .done(&["event", "log", "@"])
            .matches("(undone)")
            .count(),
        1
    );
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
}

/// Settings are changed by name, and lines written by hand are kept.
#[test]
fn settings_are_changed_by_name() {
    let event_folder = league();
    let path = Path::new(&event_folder.event).join("event.toml");
    let text = format!(
        "# our cup\n{}\n[swiss]\ninitial = \"black\"  # by lot\n",
        event_folder.read("event.toml")
    );
    fs::write(&path, text).unwrap();
    for (key, value) in [
        ("city", "York"),
        ("start", "2026-11-21"),
        ("match-points", "3,1,0"),
        ("tie-breaks", "MPvGP,BH/C1"),
        ("swiss.preference", "b"),
        ("swiss.readings.seating", "score-then-tpn"),
        ("rounds", "6"),
    ] {
        event_folder.done(&["event", "set", "@", key, value]);
    }
    let event = event_folder.event();
    assert_eq!(
        (event.settings.city.as_it_came(), event.settings.rounds),
        ("York", Some(6))
    );
    assert_eq!(event.settings.tie_breaks, ["MPvGP", "BH/C1"]);
    let text = event_folder.read("event.toml");
    assert!(
        text.starts_with("# our cup\n") && text.contains("initial = \"black\"  # by lot\n"),
        "{text}"
    );
    let set = event_folder.done(&["event", "set", "@"]);
    assert!(
        set.lines()
            .any(|line| line.starts_with("match-points ") && line.contains("[3")),
        "{set}"
    );
    for (key, value, why) in [
        (
            "boards",
            "5",
            "`boards` can only be changed before round 1 is paired",
        ),
        ("swiss.initial", "white", "before round 1 is paired"),
        ("colour", "red", "unknown setting `colour`"),
        ("edition", "1999", "expected 2024-08 or 2026-03"),
        ("rounds", "0", "expected 1 to 1000 rounds"),
    ] {
        let said = event_folder.refused(&["event", "set", "@", key, value], 2);
        assert!(said.contains(why), "{key}: {said}");
    }
    event_folder.done(&["event", "set", "@", "city", "--default"]);
    assert!(event_folder.event().settings.city.is_empty());
    assert!(
        event_folder
            .refused(&["event", "lots", "@", "--initial", "--seed", "3"], 2)
            .contains("before round 1")
    );
    event_folder.done(&["event", "cancel", "@", "1"]);
    let said = event_folder.done(&["event", "lots", "@", "--initial", "--seed", "3"]);
    assert!(
        said.contains("Drew the initial colour with --seed 3: "),
        "{said}"
    );
    assert!(
        event_folder
            .done(&["event", "export", "@", "--plain"])
            .contains("\n152 ")
    );
}

/// Entries can be amended, and removed as long as no round is paired.
#[test]
fn entries_are_amended_and_removed() {
    let event_folder = league();
    event_folder.done(&[
        "event",
        "amend",
        "@",
        "Ayr",
        "--name",
        "Ayr A",
        "--captain",
        "Zoe",
        "--rating",
        "2000",
    ]);
    // The round is paired in the order that the team had at the time.
    let moved = [
        "event", "amend", "@", "Ayr", "--player", "Cy", "--name", "Cyril", "--board", "1",
    ];
    assert!(
        event_folder
            .refused(&moved, 2)
            .contains("the order of the roster is fixed")
    );
    event_folder.done(&["event", "cancel", "@", "1"]);
    event_folder.done(&moved);
    event_folder.done(&["pair", "next", "@"]);
    let event = event_folder.event();
    let ayr = &event.teams[0];
    assert_eq!(
        (
            ayr.name.as_it_came(),
            ayr.captain.as_it_came(),
            ayr.strength
        ),
        ("Ayr A", "Zoe", Some(2000))
    );
    let names: Vec<_> = event
        .roster(ayr.number)
        .iter()
        .map(|player| player.name.clone())
        .collect();
    assert_eq!(names[..3], ["Cyril", "Ann of Ayr", "Bob of Ayr"]);
    for (line, why) in [
        (
            &["amend", "@", "Ayr", "--name", "Bath"][..],
            "the name `Bath` is taken",
        ),
        (
            &["amend", "@", "Ayr", "--birth", "1990-01-01"],
            "this belongs to a player and not to a team; add --player NAME",
        ),
        (
            &["amend", "@", "Ayr", "--player", "Zed", "--rating", "1"],
            "Ayr A has no player `Zed`",
        ),
        (
            &["remove", "@", "Ayr"],
            "Ayr A is already paired; to withdraw it from the next round on: overboard event request",
        ),
        (
            &["remove", "@", "Ayr", "--player", "Ann"],
            "Ann of Ayr is on a board",
        ),
    ] {
        let said = event_folder.refused(&[&["event"], line].concat(), 2);
        assert!(said.contains(why), "{line:?}: {said}");
    }
    event_folder.done(&["event", "remove", "@", "Ayr", "--player", "Ed"]);
    event_folder.done(&["event", "cancel", "@", "1"]);
    event_folder.done(&["event", "request", "@", "forbid", "Cork", "--other", "Deal"]);
    event_folder.done(&["event", "remove", "@", "Bath"]);
    let event = event_folder.event();
    assert_eq!(
        event
            .teams
            .iter()
            .map(|team| team.number.get())
            .collect::<Vec<_>>(),
        [1, 2, 3, 4, 5]
    );
    assert_eq!(
        (
            event.requests[0].who.get(),
            event.requests[0].other.unwrap().get()
        ),
        (2, 3)
    );
    assert_eq!(
        event_folder.done(&["event", "check", "@"]),
        "no errors found\n"
    );
}

/// Pairs set by the arbiter stand, and the rules they break are named.
#[test]
fn pairs_are_set_by_hand() {
    let event = league();
    for (line, why) in [
        (&["1-2"][..], "would have no opponent"),
        (&["1-2", "2-5"], "Bath is given twice"),
        (&["1:2"], "is not a pair"),
    ] {
        let said = event.refused(&[&["pair", "set", "@", "1"], line].concat(), 2);
        assert!(said.contains(why), "{line:?}: {said}");
    }
    let said = event.done(&["pair", "set", "@", "1", "1-5", "2-4"]);
    assert!(
        said.contains("note: round 1: the arbiter has set 1-5, 2-4, against an article"),
        "{said}"
    );
    let (said, code) = printed(&event.run(&["pair", "check", "@"]));
    assert!(
        code == 0 && said.contains("the arbiter has set 1-5, 2-4"),
        "{said}"
    );
    assert_eq!(printed(&event.run(&["event", "check", "@"])).1, 0);
    event.done(&["result", "@", "1", "1: = = = =; 2: = = = =; 3: = = = ="]);
    assert!(
        event
            .refused(&["pair", "set", "@", "1", "1-2", "4-5"], 2)
            .contains("already has a result")
    );
    event.done(&["pair", "next", "@"]);
    assert_eq!(printed(&event.run(&["pair", "check", "@"])).1, 0);
    event.done(&["event", "cancel", "@", "1", "--discard-results"]);
    assert!(event.event().requests.is_empty());
}

/// Line-ups may contain substitutes, in the order of the roster unless the order is free.
#[test]
fn line_ups_are_taken_and_checked() {
    let event_folder = league();
    event_folder.done(&["pair", "lineup", "@", "1", "Ayr", "Ann", "Bob", "Di", "Ed"]);
    let seats = |event_folder: &EventFolder| -> Vec<u32> {
        let event = event_folder.event();
        let this = event.rounds[0].of(event.teams[0].number).unwrap().clone();
        this.boards
            .iter()
            .filter_map(|board| event.seated(&this, board, event.teams[0].number))
            .collect()
    };
    assert_eq!(seats(&event_folder), [1, 2, 4, 5]);
    assert!(
        event_folder
            .done(&["event", "cards", "@"])
            .contains("Ed of Ayr")
    );
    for (line, why) in [
        (
            &["Ayr", "Bob", "Ann"][..],
            "Bob of Ayr comes after Ann of Ayr in the roster",
        ),
        (&["Ayr", "Ann", "Ann"], "Ann of Ayr is given twice"),
        (&["Ayr", "Ann", "1", "2", "3", "4"], "a match has 4 boards"),
        (&["Ayr", "Zed"], "Ayr has no player `Zed`"),
    ] {
        let said = event_folder.refused(&[&["pair", "lineup", "@", "1"], line].concat(), 2);
        assert!(said.contains(why), "{line:?}: {said}");
    }
    event_folder.done(&["event", "set", "@", "board-order", "free"]);
    let csv = event_folder.beside("lineups.csv");
    fs::write(
        &csv,
        "team,board,player\nAyr,1,Bob\nAyr,2,Ann\nAyr,4,Ed\n2,1,Ed\n",
    )
    .unwrap();
    event_folder.done(&["pair", "lineup", "@", "1", "--csv", &csv]);
    assert_eq!(seats(&event_folder), [2, 1, 5]);
    // The player at the board has played: ratings, prizes and reports follow from that.
    let said = event_folder.refused(&["result", "@", "1", "1: 1-0 = 1-0f 1-0"], 2);
    assert!(said.contains("White has no player there"), "{said}");
    event_folder.done(&["result", "@", "1", "1: 1-0 = 0-1f 1-0"]);
    let players = event_folder.done(&["standings", "@", "--players"]);
    assert!(players.contains("Ed of Ayr"), "{players}");
    let said = event_folder.refused(&["pair", "lineup", "@", "1", "Ayr", "Cy"], 2);
    assert!(said.contains("already has a result"), "{said}");
    assert_eq!(
        event_folder.done(&["event", "check", "@"]),
        "no errors found\n"
    );
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
