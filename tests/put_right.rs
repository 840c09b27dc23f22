//! No mistake requires editing a file: every kind of entry can be corrected with a command, and every state on the way
//! is one that the event itself finds nothing wrong with.

use crate::event_folder::{EventFolder, files};
use overboard_events::{Event, rounds::GameResult};
use std::path::Path;

/// An event of teams with two boards and three players each.
pub fn teams(count: u32, settings: &[&str]) -> EventFolder {
    let event = EventFolder::with(&[&["--boards", "2"], settings].concat());
    for team in 1..=count {
        let players = format!("Ann {team};Bob {team};Cy {team}");
        event.done(&[
            "event",
            "enter",
            "@",
            &format!("Club {team}"),
            "--players",
            &players,
        ]);
    }
    event.done(&["pair", "next", "@"]);
    event
}

/// A play-off that an older version left behind when the match was corrected decides nothing.
#[test]
fn a_play_off_of_a_match_that_is_not_drawn_decides_nothing() {
    let event = teams(4, &["--system", "knockout"]);
    event.done(&["result", "@", "1", "1: 1-0 0-1; 2: 1-0 0-1"]);
    let mut stale = event.event();
    stale.rounds[0].matches[0].play_off = Some(GameResult::Black);
    let white = stale.rounds[0].matches[0].white;
    let rank = |event: &Event| event.tournament(1).rows[white.index()].rounds[0].scores;
    assert_eq!(rank(&stale), rank(&event.event()));
}

type Step = &'static [&'static str];

/// What was entered by mistake, the command, and the one that corrects it.
const MISTAKES: [(&str, Step, Step); 14] = [
    (
        "a setting",
        &["event", "set", "@", "city", "Yrok"],
        &["event", "set", "@", "city", "--default"],
    ),
    (
        "a name",
        &["event", "amend", "@", "1", "--name", "Clbu"],
        &["event", "amend", "@", "1", "--name", "Club 1"],
    ),
    (
        "the order of a team",
        &["event", "amend", "@", "1", "--player", "Cy", "--board", "1"],
        &["event", "amend", "@", "1", "--player", "Cy", "--board", "3"],
    ),
    (
        "a player",
        &["event", "enter", "@", "Eve", "--team", "1"],
        &["event", "remove", "@", "1", "--player", "Eve"],
    ),
    (
        "a late entry",
        &[
            "event",
            "enter",
            "@",
            "Late",
            "--players",
            "X;Y",
            "--round",
            "3",
        ],
        &["event", "remove", "@", "Late"],
    ),
    (
        "a bye",
        &["event", "request", "@", "half-bye", "1", "--round", "3"],
        &["event", "request", "@", "half-bye", "1", "--take-back"],
    ),
    (
        "a withdrawal",
        &["event", "request", "@", "withdraw", "1"],
        &["event", "request", "@", "withdraw", "1", "--take-back"],
    ),
    (
        "a forbidden pair",
        &["event", "request", "@", "forbid", "1", "--other", "2"],
        &[
            "event",
            "request",
            "@",
            "forbid",
            "2",
            "--other",
            "1",
            "--take-back",
        ],
    ),
    (
        "a penalty",
        &["event", "request", "@", "penalty", "1", "--match-points=-1"],
        &["event", "request", "@", "penalty", "1", "--take-back"],
    ),
    (
        "a result",
        &["result", "@", "2", "1", "1-0", "--board", "1"],
        &["result", "@", "2", "1", "--board", "1", "--clear"],
    ),
    (
        "a match",
        &["result", "@", "2", "2", "1-0f"],
        &["result", "@", "2", "2", "--clear"],
    ),
    (
        "a line-up",
        &["pair", "lineup", "@", "2", "1", "Bob", "Cy"],
        &["pair", "lineup", "@", "2", "1", "Ann", "Bob"],
    ),
    (
        "a round",
        &["pair", "next", "@"],
        &["event", "cancel", "@", "3"],
    ),
    (
        "lots",
        &["event", "set", "@", "arbiter", "Dee"],
        &["event", "undo", "@"],
    ),
];

/// What was entered by mistake, and the command that removes or changes it: every file is as it was, or as if entered
/// correctly at once.
#[test]
fn no_mistake_requires_editing_a_file() {
    let event = teams(6, &["--system", "swiss-team", "--rounds", "5"]);
    event.done(&["result", "@", "1", "1: 1-0 0-1; 2: = =; 3: 1-0 ="]);
    event.done(&["pair", "next", "@"]);
    for (what, mistake, correction) in MISTAKES {
        if what == "a round" {
            event.done(&["result", "@", "2", "1: 1-0 0-1; 2: = =; 3: 1-0 ="]);
        }
        let before = files(Path::new(&event.event));
        event.done(mistake);
        assert_ne!(files(Path::new(&event.event)), before, "{what}");
        event.done(correction);
        assert_eq!(files(Path::new(&event.event)), before, "{what}");
        assert_eq!(
            event.done(&["event", "check", "@"]),
            "no errors found\n",
            "{what}"
        );
    }
}
