//! The protocol of lines.

use super::client::Client;
use crate::chance::Chance;
use overboard_engines::{
    game::{GameConditions, play},
    live_game::LiveGame,
    manifest::Fixture,
    openings::Opening,
    players::{Seats, Spec},
    serve::lines::serve,
};
use overboard_games::{registry::Variant, with_game};
use overboard_referee::game::play::Tags;
use overboard_rules::{by_side::BySide, variant::Sample};
use serde_json::{Value, json};
use std::{iter, sync::atomic::AtomicBool};

/// Games longer than this many plies are abandoned.
const MOST: usize = 1_500;
const SEED: u64 = 11;
const GAME: u64 = 5;

fn client(player: &str) -> Client {
    Client::of(serve, player, SEED)
}

fn game(variant: Variant, sample: &Sample) -> Value {
    let name = variant.info().arguments[0];
    let mut message = json!({"type": "game", "game": GAME, "variant": name, "boards": sample.boards, "rules": sample.rules});
    if let Some(level) = sample.level {
        message["level"] = level.into();
    }
    message
}

/// The initial position, if built-in players play such a game.
fn first<G: Seats>(sample: &Sample) -> Option<G> {
    let level = sample.level.unwrap_or(1);
    let options = G::agreed(Tags {
        boards: sample.boards,
        level,
        rules: sample.rules,
    });
    if level == 0 || G::admits(sample.rules).is_err() || G::is_chess(&options) {
        return None;
    }
    Some(G::start(&options).unwrap())
}

/// A game of self-play: its plies, its result, and how it ended.
fn own<G: Seats>(sample: &Sample, spec: Spec) -> Option<(String, String, String)> {
    let opening = Opening {
        fen: None,
        start: LiveGame::from(first::<G>(sample)?),
        plies: Vec::new(),
    };
    let fixture = Fixture {
        game: GAME,
        unit: 0,
        round: 0,
        seats: BySide::new(0, 1),
        swapped: false,
    };
    let (reports, give_up) = (&[], &AtomicBool::new(false));
    let terms = GameConditions {
        seed: SEED,
        max_plies: MOST as u32,
        reports,
        adjudicator: None,
        give_up,
    };
    let players = BySide::both(spec).map(|spec| G::seat(spec).unwrap());
    let played = play::<G>(&fixture, &opening, players, terms).unwrap();
    Some((
        played.moves,
        played.end.outcome.to_string(),
        played.end.cause.word().into(),
    ))
}

/// The same game as a client plays it with a server.
fn served(client: &mut Client, start: &Value) -> (Vec<String>, Value) {
    assert_eq!(client.ask(start), json!({"type": "ready"}), "{start}");
    let mut plies = Vec::new();
    loop {
        let over = client.ask(&json!({"type": "over"}));
        if over.get("result").is_some() || plies.len() >= MOST {
            return (plies, over);
        }
        let chosen = client.ask(&json!({"type": "go"}));
        assert_eq!(chosen["type"], "play", "{chosen}");
        client.send(&json!({"type": "moves", "plies": chosen["plies"]}));
        plies.push(chosen["plies"][0].as_str().unwrap().into());
    }
}

fn every(mut visit: impl FnMut(Variant, &Sample)) {
    for variant in Variant::ALL {
        variant
            .info()
            .samples
            .iter()
            .for_each(|sample| visit(*variant, sample));
    }
}

#[test]
fn games_of_every_kind_are_those_of_self_play() {
    let mut client = client("random");
    let mut games = 0;
    every(|variant, sample| {
        let own = with_game!(variant, sample.boards, G => own::<G>(sample, Spec::Random));
        let Some((moves, result, cause)) = own else {
            return;
        };
        let (plies, over) = served(&mut client, &game(variant, sample));
        let own: Vec<_> = moves.split(' ').collect();
        let reported = plies.join(" ");
        assert_eq!(
            reported.split(' ').collect::<Vec<_>>(),
            own,
            "{variant:?} {sample:?}"
        );
        if cause != "ply-cap" {
            assert_eq!(
                (over["result"].as_str(), over["cause"].as_str()),
                (Some(&*result), Some(&*cause))
            );
        }
        games += 1;
    });
    assert!(games >= 10, "{games}");
    client.send(&json!({"type": "quit"}));
    assert_eq!(client.close(), "");
}

/// Follows a game by asking the server for everything, and compares its answers with the game itself.
fn followed<G: Seats>(client: &mut Client, sample: &Sample, chance: &mut Chance) {
    let Some(first) = first::<G>(sample) else {
        return;
    };
    let mut table = LiveGame::from(first);
    for made in 0..60_usize {
        let position = client.ask(&json!({"type": "position"}));
        assert_eq!(
            (position["fen"].as_str(), position["plies"].as_u64()),
            (Some(&*table.game().fen()), Some(made as u64))
        );
        if let Some(end) = table.end() {
            assert_eq!(position["over"]["cause"], end.cause.word());
            return;
        }
        let Some(ply) = table.any(&mut overboard_engines::chance::Chance::of(
            made as u64,
            overboard_engines::chance::Purpose::Shuffle,
        )) else {
            return;
        };
        let text = table.game().coordinates(ply).to_string();
        if table.game().choices().is_some_and(|plies| plies < 2_000) {
            let listed = client.ask(&json!({"type": "legal"}));
            let own: Vec<_> = table
                .plies()
                .iter()
                .map(|ply| table.game().coordinates(*ply).to_string())
                .collect();
            assert_eq!(listed["plies"], json!(own));
        }
        let played = client.ask(&json!({"type": "play", "plies": [text]}));
        assert_eq!(
            played["san"],
            json!([table.game().san(ply).to_string()]),
            "{played}"
        );
        if chance.below(8) == 0 {
            let back = client.ask(&json!({"type": "undo"}));
            assert_eq!(back["fen"], table.game().fen());
            client.send(&json!({"type": "moves", "plies": [text]}));
        }
        table.play(ply);
    }
}

#[test]
fn a_client_without_rules_can_follow_every_game() {
    let mut client = client("greedy");
    let mut chance = Chance::seeded(3);
    every(|variant, sample| {
        with_game!(variant, sample.boards, G => {
            if first::<G>(sample).is_some() {
                assert_eq!(client.ask(&game(variant, sample))["type"], "ready");
                followed::<G>(&mut client, sample, &mut chance);
            }
        });
    });
    client.close();
}

#[test]
fn linked_boards_are_played_in_any_order() {
    let mut client = client("random");
    assert_eq!(
        client.ask(&json!({"type": "game", "variant": "strategichess", "boards": 3}))["type"],
        "ready"
    );
    let chosen = client.ask(&json!({"type": "go", "seat": "W:C"}));
    assert!(
        chosen["plies"][0].as_str().unwrap().starts_with("C."),
        "{chosen}"
    );
    let listed = client.ask(&json!({"type": "legal", "board": "B"}));
    assert!(
        listed["plies"]
            .as_array()
            .unwrap()
            .iter()
            .all(|ply| ply.as_str().unwrap().starts_with("B."))
    );
    assert_eq!(
        client.ask(&json!({"type": "play", "plies": ["B.e4e5", "C.e4e5"]}))["type"],
        "played"
    );
    let refused = client.ask(&json!({"type": "go", "seat": "W:C"}));
    assert_eq!(refused["code"], "out-of-turn", "{refused}");
    let chosen = client.ask(&json!({"type": "go", "seat": "B:C"}));
    assert!(
        chosen["plies"][0].as_str().unwrap().starts_with("C."),
        "{chosen}"
    );
    client.close();
}

#[test]
fn a_refusal_names_the_rule_in_every_game() {
    let mut client = client("");
    for (start, ply, rule) in [
        (json!({"variant": "chess"}), "e1e3", "CH-13"),
        (
            json!({"variant": "chess", "start": "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1"}),
            "c3b5",
            "CH-15",
        ),
        (json!({"variant": "olympic"}), "R@c3", "OC-"),
        (json!({"variant": "metachess"}), "b1d2", "MC-"),
        (json!({"variant": "strategichess"}), "e4e9", "SC-5"),
        (
            json!({"variant": "strategichess", "boards": 2}),
            "A.e4e9",
            "SC-5",
        ),
        (json!({"variant": "mega-chess"}), "D2.e2e5", ""),
        (json!({"variant": "mega-chess"}), "D2D5", ""),
        (json!({"variant": "overchess"}), "e2e5", ""),
    ] {
        let mut game = start.clone();
        game["type"] = "game".into();
        assert_eq!(client.ask(&game)["type"], "ready", "{game}");
        let refused = client.ask(&json!({"type": "play", "plies": [ply]}));
        assert_eq!(
            (&refused["type"], &refused["code"]),
            (&json!("error"), &json!("illegal")),
            "{refused}"
        );
        assert!(
            refused["rule"]
                .as_str()
                .is_some_and(|id| id.starts_with(rule)),
            "{start} {ply}: {refused}"
        );
        assert_eq!(client.ask(&json!({"type": "position"}))["plies"], 0);
    }
    client.close();
}

/// A move sent as a record writes it: the answer says how to send it.
#[test]
fn moves_in_letters_are_answered_with_coordinates() {
    for (variant, written, sent) in [
        ("chess", "e4", "e2e4"),
        ("FRC", "Nf3", "g1f3"),
        ("Mega Chess", "A2.e4", "A2.e2e4"),
        ("moser-chess", "e4", "E2E4"),
    ] {
        let mut client = client("random");
        client.ask(&json!({"type": "game", "variant": variant}));
        let heard = client.ask(&json!({"type": "play", "plies": [written]}));
        let words = format!("plies are sent in coordinates: `{written}` is `{sent}` here");
        assert_eq!(
            (&heard["words"], &heard["possible"]),
            (&json!(words), &json!([sent]))
        );
        let heard = client.ask(&json!({"type": "play", "plies": ["Qh9"]}));
        let words = heard["words"].as_str().unwrap();
        assert!(
            words.contains("plies are sent in coordinates, such as `"),
            "{heard}"
        );
        let played = client.ask(&json!({"type": "play", "plies": [sent]}));
        assert_eq!(played["type"], "played", "{played}");
        client.close();
    }
}

#[test]
fn a_search_ends_at_its_limits_or_on_request() {
    let mut client = client("search:depth=64");
    assert_eq!(
        client.ask(&json!({"type": "game", "variant": "chess"}))["type"],
        "ready"
    );
    let begun = std::time::Instant::now();
    let chosen = client.ask(&json!({"type": "go", "time": 50}));
    assert_eq!(chosen["type"], "play");
    client.send(&json!({"type": "go"}));
    assert_eq!(
        client.ask(&json!({"type": "ping", "number": 7})),
        json!({"type": "pong", "number": 7})
    );
    assert_eq!(
        client.ask(&json!({"type": "position"}))["code"],
        "out-of-turn"
    );
    assert_eq!(client.ask(&json!({"type": "stop"}))["type"], "play");
    assert_eq!(client.ask(&json!({"type": "position"}))["type"], "position");
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    let bounded = client.ask(&json!({"type": "go", "nodes": 5_000}));
    // The nodes of the incomplete iteration are counted, too.
    assert!(bounded["nodes"].as_u64().unwrap() < 5_000 + 73, "{bounded}");
    assert_eq!(client.ask(&json!({"type": "go", "depth": 3}))["depth"], 3);
    client.send(&json!({"type": "go"}));
    client.send(&json!({"type": "quit"}));
    assert!(client.close().contains("\"play\""));
}

/// Faulty messages, each with the error that answers it.
fn wrong() -> Vec<(String, &'static str)> {
    let mut lines: Vec<(String, &str)> = [
        ("hello", "unreadable"),
        ("[]", "unreadable"),
        ("{}", "unreadable"),
        ("null", "unreadable"),
        (r#"{"type":"dance"}"#, "unknown-type"),
        (r#"{"type":7}"#, "unreadable"),
        (r#"{"type":"go","depth":-1}"#, "unreadable"),
        (r#"{"type":"go","depth":1e99}"#, "unreadable"),
        (r#"{"type":"go","seat":"X"}"#, "unreadable"),
        (r#"{"type":"moves"}"#, "unreadable"),
        (r#"{"type":"moves","plies":"e2e4"}"#, "unreadable"),
        (r#"{"type":"game","variant":"checkers"}"#, "unplayable"),
        (
            r#"{"type":"game","variant":"chess","boards":2}"#,
            "unplayable",
        ),
        (
            r#"{"type":"game","variant":"chess","boards":0}"#,
            "unplayable",
        ),
        (
            r#"{"type":"game","variant":"chess","level":3}"#,
            "unplayable",
        ),
        (
            r#"{"type":"game","variant":"mega-chess","level":200}"#,
            "unplayable",
        ),
        (
            r#"{"type":"game","variant":"mega-chess","level":0}"#,
            "unplayable",
        ),
        (
            r#"{"type":"game","variant":"strategichess","boards":65535}"#,
            "unplayable",
        ),
        (
            r#"{"type":"game","variant":"overchess","rules":"depth=0"}"#,
            "unplayable",
        ),
        (
            r#"{"type":"game","variant":"overchess","rules":"depth=99999999999"}"#,
            "unplayable",
        ),
        (
            r#"{"type":"game","variant":"chess","start":"nonsense"}"#,
            "unplayable",
        ),
        (
            r#"{"type":"option","name":"Hash","value":"1"}"#,
            "unplayable",
        ),
        (
            r#"{"type":"option","name":"Seed","value":"many"}"#,
            "unplayable",
        ),
        (
            r#"{"type":"option","name":"Player","value":"best"}"#,
            "unplayable",
        ),
    ]
    .map(|(line, code)| (line.to_string(), code))
    .to_vec();
    lines.push(("[".repeat(100_000), "unreadable"));
    lines.push((
        format!("{{\"type\":\"{}\"}}", "x".repeat(100_000)),
        "unknown-type",
    ));
    lines.push((" ".repeat(3) + &"y".repeat(17 << 20), "too-long"));
    lines
}

#[test]
fn whatever_a_client_says_is_answered() {
    let mut client = client("");
    for before in ["position", "legal", "go", "undo"] {
        assert_eq!(
            client.ask(&json!({"type": before}))["code"],
            "out-of-turn",
            "{before}"
        );
    }
    for round in 0..2 {
        for (line, code) in wrong() {
            client.say(&line);
            let heard = client.receive();
            assert_eq!(
                (&heard["type"], &heard["code"]),
                (&json!("error"), &json!(code)),
                "{line:.200}: {heard}"
            );
            assert!(heard.to_string().len() < 2_000, "{heard}");
        }
        if round == 0 {
            assert_eq!(
                client.ask(&json!({"type": "game", "variant": "chess"}))["type"],
                "ready"
            );
        }
    }
    for ply in [
        "",
        " ",
        ".",
        "..",
        "e2",
        "e2e9",
        "é2e4",
        "A.e2e4",
        "@",
        "P@",
        "R@e4",
        "--",
        "+",
        "e2e4/B",
        "1/2-1/2",
        "\u{202e}e2e4",
    ] {
        let heard = client.ask(&json!({"type": "play", "plies": [ply]}));
        assert_eq!(heard["code"], "illegal", "{ply}: {heard}");
        assert!(!heard.to_string().contains('\u{202e}'));
    }
    assert_eq!(
        client.ask(&json!({"type": "play", "plies": ["e2e4", "e7e5", "e4e5"]}))["code"],
        "illegal"
    );
    assert_eq!(
        client.ask(&json!({"type": "undo", "plies": 1}))["code"],
        "out-of-turn"
    );
    client.bytes(b"\xff\xfe{\"type\":\"ping\"}\n\n \r\n");
    assert_eq!(client.receive()["code"], "unreadable");
    assert_eq!(client.ask(&json!({"type": "position"}))["plies"], 0);
    client.close();
}

/// A line with some of its bytes changed, repeated or removed.
fn damaged(line: &str, chance: &mut Chance) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..=chance.below(3) {
        let at = chance.below(bytes.len());
        match chance.below(4) {
            0 => drop(bytes.remove(at)),
            1 => bytes[at] = b"0123456789{}[]\":,eabW\\\xc3-"[chance.below(24)],
            2 => bytes.insert(at, bytes[at]),
            _ => bytes.truncate(at.max(1)),
        }
        if bytes.is_empty() {
            return b"x".to_vec();
        }
    }
    bytes.retain(|byte| *byte != b'\n');
    bytes
}

#[test]
fn damaged_conversations_go_on() {
    let lines = [
        r#"{"type":"hello","protocol":1,"runner":"x"}"#,
        r#"{"type":"game","game":0,"variant":"overchess","rules":"fog:depth=2"}"#,
        r#"{"type":"game","variant":"mega-chess","level":2}"#,
        r#"{"type":"game","variant":"strategichess","boards":2,"seats":["W:A"],"yours":["B:A"]}"#,
        r#"{"type":"game","variant":"olympic","start":"rbsgk/4p/5/P4/KGSBR[] w - - 0 1"}"#,
        r#"{"type":"moves","plies":["A.e4e5","B.e4e5"]}"#,
        r#"{"type":"play","plies":["a2a3","e5.setup PPPPPPPP/RNBQKBNR"]}"#,
        r#"{"type":"go","seat":"W:A","board":"A","clocks":{"W:A":{"left":9,"increment":1,"moves":4}},"depth":1}"#,
        r#"{"type":"legal","board":"B"}"#,
        r#"{"type":"undo","plies":1}"#,
        r#"{"type":"position"}"#,
        r#"{"type":"over"}"#,
        r#"{"type":"stop"}"#,
    ];
    let mut client = client("random");
    let mut chance = Chance::seeded(8);
    for round in 0..400 {
        for line in lines {
            let line = if chance.below(3) == 0 {
                line.as_bytes().to_vec()
            } else {
                damaged(line, &mut chance)
            };
            client.bytes(&[&line[..], b"\n"].concat());
        }
        client.send(&json!({"type": "ping", "number": round}));
        let pong = json!({"type": "pong", "number": round});
        assert!(
            iter::repeat_with(|| client.receive())
                .take(40)
                .any(|heard| heard == pong),
            "{round}"
        );
    }
    client.close();
}
