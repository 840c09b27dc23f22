//! No mistake requires editing a file: every kind of entry can be corrected with a command, and every state on the way
//! is one that the event itself finds nothing wrong with.

use crate::{
    event_folder::{EventFolder, files},
    run::printed,
};
use overboard_events::{
    Event,
    rounds::{ByeKind, GameResult},
};
use overboard_schedules::points::Points;
use std::{fs, path::Path};

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

/// The seats and results of a match.
fn boards(
    event: &EventFolder,
    round: usize,
    table: usize,
) -> Vec<(Option<u32>, Option<u32>, Option<GameResult>)> {
    let this = &event.event().rounds[round].matches[table];
    this.boards
        .iter()
        .map(|board| (board.white, board.black, board.result))
        .collect()
}

/// A player of a board can be changed after its result, which stays.
#[test]
fn a_wrong_player_is_corrected() {
    let event = teams(4, &["--system", "swiss-team", "--rounds", "3"]);
    event.done(&["result", "@", "1", "1: 1-0 0-1"]);
    let before = boards(&event, 0, 0);
    let white = event.event().rounds[0].matches[0].white;
    let name = white.to_string();
    let said = event.refused(&["pair", "lineup", "@", "1", &name, "Ann", "Cy"], 2);
    assert!(
        said.contains("already has a result; --correct changes who sat there"),
        "{said}"
    );
    event.done(&["pair", "lineup", "@", "1", &name, "Ann", "Cy", "--correct"]);
    let after = boards(&event, 0, 0);
    let cy = event.event().roster(white)[2].id;
    // The team with White has Black on the second board.
    assert_eq!(after, [before[0], (before[1].0, Some(cy), before[1].2)]);
    // Nobody at a board that was played is no correction.
    let said = event.refused(
        &["pair", "lineup", "@", "1", &name, "Ann", "-", "--correct"],
        2,
    );
    assert!(
        said.contains("must be a forfeit") && said.contains("--clear"),
        "{said}"
    );
    // Somebody who was never entered can be added first.
    event.done(&[
        "event", "enter", "@", "Eve", "--team", &name, "--board", "1",
    ]);
    event.done(&["pair", "lineup", "@", "1", &name, "Eve", "Cy", "--correct"]);
    assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
    let said = event.refused(&["event", "remove", "@", &name, "--player", "Eve"], 2);
    assert!(said.contains("--correct"), "{said}");
    event.done(&["pair", "lineup", "@", "1", &name, "Ann", "Cy", "--correct"]);
    event.done(&["event", "remove", "@", &name, "--player", "Eve"]);
}

/// A result can be cleared: of a board, a match, a whole round.
#[test]
fn results_are_cleared() {
    let event = teams(4, &["--system", "swiss-team", "--rounds", "3"]);
    let empty = event.read("rounds/01.csv");
    event.done(&["result", "@", "1", "1: 1-0 0-1; 2: = ="]);
    let full = event.read("rounds/01.csv");
    let said = event.done(&["result", "@", "1", "1", "--board", "2", "--clear"]);
    assert!(
        said.contains("Cleared in round 1: table 1, board 2: 0-1"),
        "{said}"
    );
    assert_eq!(boards(&event, 0, 0)[1].2, None);
    event.done(&["result", "@", "1", "1", "--clear"]);
    event.done(&["result", "@", "1", "--clear"]);
    assert_eq!(event.read("rounds/01.csv"), empty);
    let said = event.refused(&["result", "@", "1", "--clear"], 2);
    assert!(said.contains("there is no result to clear"), "{said}");
    event.done(&["result", "@", "1", "1: 1-0 0-1; 2: = ="]);
    assert_eq!(event.read("rounds/01.csv"), full);
    // A later round depends on it.
    event.done(&["pair", "next", "@"]);
    let said = event.done(&["result", "@", "1", "2", "--clear"]);
    assert!(
        said.contains("round 2 was paired from the old result"),
        "{said}"
    );
}

/// A result of the match as a whole and those of its boards do not hide each other.
#[test]
fn a_forfeit_and_boards_do_not_hide_each_other() {
    let event = teams(2, &["--system", "swiss-team", "--rounds", "1"]);
    event.done(&["result", "@", "1", "1", "1-0f"]);
    let said = event.refused(&["result", "@", "1", "1: = ="], 2);
    assert!(
        said.contains("table 1 already has the result 1-0f"),
        "{said}"
    );
    event.done(&["result", "@", "1", "1: = =", "--correct"]);
    assert_eq!(event.event().rounds[0].matches[0].result, None);
    let said = event.refused(&["result", "@", "1", "1", "0-1f"], 2);
    assert!(
        said.contains("board 1 already has the result 1/2-1/2"),
        "{said}"
    );
    event.done(&["result", "@", "1", "1", "0-1f", "--correct"]);
    assert!(boards(&event, 0, 0).iter().all(|board| board.2.is_none()));
}

/// An empty chair never scores.
#[test]
fn an_empty_chair_never_scores() {
    let event = teams(2, &["--system", "swiss-team", "--rounds", "1"]);
    let this = event.event().rounds[0].matches[0].clone();
    let black = this.black.to_string();
    event.done(&["pair", "lineup", "@", "1", &black, "-", "Bob"]);
    for wrong in ["0-1f", "1-0", "0-1", "="] {
        let said = event.refused(&["result", "@", "1", "1", wrong, "--board", "1"], 2);
        assert!(
            said.contains("Black has no player there") && said.contains("1-0f or 0-0f"),
            "{said}"
        );
    }
    event.done(&["result", "@", "1", "1", "1-0f", "--board", "1"]);
    // Nor when the chair becomes empty later, or in a file.
    let white = this.white.to_string();
    let said = event.refused(&["pair", "lineup", "@", "1", &white, "-", "Bob"], 2);
    assert!(said.contains("neither side has a player there"), "{said}");
    let text = event.read("rounds/01.csv").replace("1-0f", "0-1f");
    fs::write(Path::new(&event.event).join("rounds/01.csv"), text).unwrap();
    let (said, code) = printed(&event.run(&["event", "check", "@"]));
    assert!(
        code == 1 && said.contains("Black has no player there"),
        "{said}"
    );
}

/// A play-off goes with the drawn match it belongs to, or alone; `pair next` and `standings` name the same winner.
#[test]
fn play_offs_are_corrected() {
    let event = teams(4, &["--system", "knockout"]);
    event.done(&["result", "@", "1", "1: = =; 2: 1-0 0-1"]);
    event.done(&["result", "@", "1", "1", "0-1", "--play-off"]);
    let said = event.done(&["result", "@", "1", "1: 1-0 0-1", "--correct"]);
    assert!(said.contains("the play-off 0-1 is removed"), "{said}");
    assert_eq!(event.event().rounds[0].matches[0].play_off, None);
    let this = event.event().rounds[0].matches[0].clone();
    assert!(
        event
            .done(&["pair", "next", "@"])
            .contains(&format!("Club {}", this.white))
    );
    let first = event.done(&["standings", "@", "--to", "csv"]);
    let row = first
        .lines()
        .find(|row| row.contains(&format!("Club {}", this.white)))
        .unwrap();
    assert!(row.starts_with("1,"), "{first}");
    // Drawn again, and decided the other way: the round that stands on it is named.
    let said = event.done(&["result", "@", "1", "1: = =", "--correct"]);
    assert!(
        said.contains("is no longer decided") && said.contains("event cancel"),
        "{said}"
    );
    event.done(&["event", "cancel", "@", "2"]);
    event.done(&["result", "@", "1", "1", "1-0", "--play-off"]);
    let said = event.done(&["result", "@", "1", "1", "--play-off", "--clear"]);
    assert!(said.contains("play-off 1-0"), "{said}");
    assert_eq!(boards(&event, 0, 0)[0].2, Some(GameResult::Draw));
    // A play-off that an older version left behind decides nothing.
    let text = event.read("rounds/01.csv");
    event.done(&["result", "@", "1", "1: 1-0 0-1", "--correct"]);
    let mut stale = event.event();
    stale.rounds[0].matches[0].play_off = Some(GameResult::Black);
    let rank = |event: &Event| event.field(1).rows[this.white.index()].rounds[0].scores;
    assert_eq!(rank(&stale), rank(&event.event()), "{text}");
}

/// Byes of a round that is paired: another kind, or an opponent.
#[test]
fn byes_are_corrected() {
    let event = teams(5, &["--system", "swiss-team", "--rounds", "4"]);
    let who = event.event().rounds[0].byes[0].who.to_string();
    let said = event.refused(
        &["event", "request", "@", "half-bye", &who, "--round", "1"],
        2,
    );
    assert!(said.contains("--correct"), "{said}");
    event.done(&[
        "event",
        "request",
        "@",
        "half-bye",
        &who,
        "--round",
        "1",
        "--correct",
    ]);
    assert_eq!(event.event().rounds[0].byes[0].kind, ByeKind::Half);
    assert_eq!(printed(&event.run(&["event", "check", "@"])).1, 0);
    event.done(&["result", "@", "1", "1: 1-0 0-1; 2: 1-0 ="]);
    event.done(&["pair", "next", "@"]);
    let said = event.done(&[
        "event",
        "request",
        "@",
        "zero-bye",
        &who,
        "--round",
        "1",
        "--correct",
    ]);
    assert!(
        said.contains("round 2 was paired from the old result"),
        "{said}"
    );
    let other = event.event().rounds[0].matches[0].white.to_string();
    let said = event.refused(
        &[
            "event",
            "request",
            "@",
            "zero-bye",
            &other,
            "--round",
            "1",
            "--correct",
        ],
        2,
    );
    assert!(
        said.contains("has an opponent in round 1") && said.contains("pair set"),
        "{said}"
    );
    event.done(&[
        "pair",
        "set",
        "@",
        "2",
        "--bye",
        &event.event().rounds[1].byes[0].who.to_string(),
    ]);
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
    // Two penalties of the same round and size are one too many.
    for _ in 0..2 {
        event.done(&[
            "event",
            "request",
            "@",
            "penalty",
            "1",
            "--round",
            "2",
            "--game-points=-1",
        ]);
    }
    event.done(&["event", "request", "@", "penalty", "1", "--take-back"]);
    assert_eq!(event.event().requests.len(), 1);
    event.done(&[
        "event",
        "request",
        "@",
        "penalty",
        "1",
        "--round",
        "2",
        "--game-points=-2",
    ]);
    event.done(&[
        "event",
        "request",
        "@",
        "penalty",
        "1",
        "--game-points=-2",
        "--take-back",
    ]);
    assert_eq!(
        event.event().requests[0].points,
        [Points::ZERO, Points(-10)]
    );
    // An own table can be removed again.
    let other = teams(4, &["--system", "round-robin"]);
    other.done(&["event", "cancel", "@", "1"]);
    let table = other.beside("table.csv");
    fs::write(
        &table,
        other.done(&["pair", "table", "round-robin", "4", "--to", "csv"]),
    )
    .unwrap();
    let before = files(Path::new(&other.event));
    other.done(&["event", "import", "@", "--table", &table]);
    other.done(&["event", "import", "@", "--no-table"]);
    assert_eq!(files(Path::new(&other.event)), before);
}
