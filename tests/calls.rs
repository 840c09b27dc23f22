//! The call sheet of a round of Overchess.

use crate::event_folder::EventFolder;
use serde_json::Value;
use std::fs;

/// Four teams of Overchess, each with a commander and a lieutenant for each kind of piece.
fn friendly(rules: &str) -> EventFolder {
    let event = EventFolder::with(&[
        "--game",
        "overchess",
        "--lieutenants",
        "by-type",
        "--rules",
        rules,
    ]);
    for team in ["Leeds", "York", "Hull", "Ripon"] {
        let letter = &team[..1];
        let lieutenants: String = ["Bob", "Cy", "Di", "Ed", "Flo"]
            .map(|name| format!(";lieutenant={name} {letter}"))
            .concat();
        event.done(&[
            "event",
            "enter",
            "@",
            team,
            "--players",
            &format!("commander=Ann {letter}{lieutenants}"),
        ]);
    }
    event.done(&["pair", "next", "@"]);
    event
}

/// A table's record so far.
fn record(event: &EventFolder, table: usize, moves: &str) -> String {
    let heads = event.done(&["event", "cards", "@", "--npgn"]);
    let head = heads.split("\n*\n").nth(table - 1).unwrap().trim();
    let file = event.beside(&format!("table{table}.npgn"));
    fs::write(&file, format!("{head}\n\n{moves} *\n")).unwrap();
    file
}

/// The game, player, task, over-piece and sub-pieces of each call, and where else the player is needed.
fn calls(event: &EventFolder, files: &[&str]) -> Vec<String> {
    let sheet = event.json(&[&["event", "calls", "@", "--json"], files].concat());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let call = |call: &Value| {
        let names: Vec<String> = call["names"].as_array().unwrap().iter().map(text).collect();
        let also: Vec<String> = call["also"].as_array().unwrap().iter().map(text).collect();
        let parts = [
            format!(
                "{}{}",
                call["table"],
                call["game"]
                    .as_str()
                    .map_or(String::new(), |game| format!(" {game}"))
            ),
            names.join("/"),
            text(&call["task"]),
            text(&call["piece"]),
            text(&call["sub_pieces"]),
            also.join(";"),
        ];
        parts.join(" | ")
    };
    sheet["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(call)
        .collect()
}

/// Leeds meets Ripon, York meets Hull.
#[test]
fn it_says_who_plays_what_with_which_pieces() {
    let event = friendly("");
    // Before the first move: the commanders of White move.
    assert_eq!(
        calls(&event, &[]),
        [
            "1  | Ann L | over-move |  |  | ",
            "2  | Ann Y | over-move |  |  | "
        ]
    );
    // An attack between complete sub-sets needs no set-up, as only one is possible.
    let one = record(&event, 1, "1. e4 d5 2. exd5");
    let all = calls(&event, &[&one]);
    assert_eq!(
        all[..2],
        [
            "1 d5 | Bob L | move | pawn from e2 | 8P2R2N2B1Q | ",
            "1 d5 | Bob R | play | pawn from d7 | 8P2R2N2B1Q | "
        ]
    );
    // The pawn has lost a bishop: its set-up is due, after that of the queen, which has only one.
    let bishop = "1. e4 d5 2. exd5 <d5: [White \"Bob L\"] [Black \"Bob R\"] 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 1-0>";
    let one = record(&event, 1, &format!("{bishop} 2... Qxd5"));
    assert_eq!(
        calls(&event, &[&one])[..2],
        [
            "1 d5 | Flo R | has-set-up | queen from d8 | 8P2R2N2B1Q | ",
            "1 d5 | Bob L | set-up | pawn from e2 | 8P2R2N1B1Q | "
        ]
    );
    // Between sub-games: who moves, and who may be called by the next over-move.
    let one = record(&event, 1, bishop);
    assert_eq!(
        calls(&event, &[&one])[..3],
        [
            "1  | Ann R | over-move |  |  | ",
            "1  | Flo R | may-attack | queen from d8 | 8P2R2N2B1Q | ",
            "1  | Bob L | may-be-attacked | pawn from e2 | 8P2R2N1B1Q | "
        ]
    );
    // A sub-game in progress, with the players named in its record: the attacker, who has White in it, is Black's.
    let two = record(
        &event,
        2,
        "1. e4 d5 2. a3 dxe4 <e4: [White \"Bob H\"] [Black \"Bob Y\"] 1. e4 e5 *>",
    );
    let text = event.done(&["event", "calls", "@", &two]);
    assert!(
        text.contains("    2  e4          Hull   Bob H   to move")
            && text.contains("Bob Y   waits for the reply"),
        "{text}"
    );
    assert!(text.contains("table 1: there is no record"), "{text}");
    // A finished match calls nobody.
    event.done(&["result", "@", "1", "1", "1-0"]);
    let sheet = event.json(&["event", "calls", "@", "--json", &two]);
    assert_eq!(sheet["notes"][0], "table 1: the match has a result");
    assert!(
        sheet["calls"]
            .as_array()
            .unwrap()
            .iter()
            .all(|call| call["table"] == 2)
    );
    // A record with an error is named, and calls nobody.
    let two = record(&event, 2, "1. e4 e4");
    assert!(
        event
            .refused(&["event", "calls", "@", &two], 1)
            .contains("its verdict is illegal")
    );
    assert!(
        event
            .done(&["event", "calls", "@", "--to", "html"])
            .contains("task</th>")
    );
}

/// Under fog a sub-game waits while the other side moves, and both pawns may belong to one lieutenant.
#[test]
fn it_says_who_is_needed_twice() {
    let event = friendly("fog");
    let one = record(&event, 1, "1. e4 d5 2. exd5");
    assert_eq!(
        calls(&event, &[&one])[..3],
        [
            "1  | Ann R | over-move |  |  | ",
            "1 d5 | Bob L | wait | pawn from e2 | 8P2R2N2B1Q | ",
            "1 d5 | Bob R | wait | pawn from d7 | 8P2R2N2B1Q | "
        ]
    );
    // The second attack waits while the first is played: Bob of Leeds leads both pawns.
    let one = record(&event, 1, "1. e4 d5 2. b4 a5 3. exd5 axb4");
    let found = calls(&event, &[&one]);
    let of_bob: Vec<&String> = found.iter().filter(|call| call.contains("Bob L")).collect();
    assert_eq!(
        of_bob,
        [
            "1 d5 | Bob L | move | pawn from e2 | 8P2R2N2B1Q | table 1, b4",
            "1 b4 | Bob L | wait | pawn from b2 | 8P2R2N2B1Q | table 1, d5"
        ],
        "{found:?}"
    );
}

/// Inside a sub-game that is itself Overchess, the players who lead there are called; other games have no lieutenants.
#[test]
fn it_looks_into_sub_games_that_are_overchess() {
    let event = friendly("depth=2");
    let inside = "1. e4 d5 2. exd5 <d5: [White \"Bob L\"] [Black \"Bob R\"] [WhiteCommander \"Bob L\"] [WhiteLieutenants \"P=Zoe\"] 1. e4 d5 2. exd5";
    let one = record(&event, 1, &format!("{inside} *>"));
    let found = calls(&event, &[&one]);
    assert_eq!(
        found[..2],
        [
            "1 d5.d5 | Zoe | move | pawn from e2 | 8P2R2N2B1Q | ",
            "1 d5.d5 | Bob R | play | pawn from d7 | 8P2R2N2B1Q | "
        ],
        "{found:?}"
    );
    let one = record(
        &event,
        1,
        "1. e4 d5 2. exd5 <d5: [White \"Bob L\"] [Black \"Bob R\"] 1. e4 *>",
    );
    assert_eq!(
        calls(&event, &[&one])[0],
        "1 d5 | Bob R | over-move |  |  | "
    );
    let event = EventFolder::with(&["--of", "players"]);
    for name in ["Ann", "Bob"] {
        event.done(&["event", "enter", "@", name]);
    }
    event.done(&["pair", "next", "@"]);
    assert!(
        event
            .refused(&["event", "calls", "@"], 2)
            .contains("has none")
    );
    // Single players command for themselves.
    let event = EventFolder::with(&["--of", "players", "--game", "overchess"]);
    for name in ["Ann", "Bob"] {
        event.done(&["event", "enter", "@", name]);
    }
    event.done(&["pair", "next", "@"]);
    assert_eq!(calls(&event, &[]), ["1  | Ann | over-move |  |  | "]);
}
