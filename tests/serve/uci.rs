//! The protocol UCI.

use super::client::Client;
use overboard_engines::serve::uci::serve;
use overboard_games::registry::{AnyGame, Variant};
use std::time::{Duration, Instant};

fn client(player: &str) -> Client {
    let mut client = Client::of(serve, player, 1);
    client.say("uci");
    client.await_line("uciok");
    client
}

/// The names that UCI uses for the games on one board.
const PLAIN: [&str; 7] = [
    "chess",
    "olympic",
    "strategichess",
    "metachess",
    "chess960",
    "crazyhouse",
    "crazyhouse960",
];

/// The games on one board, with these names.
fn plain() -> Vec<(Variant, &'static str)> {
    let names = PLAIN;
    let all: Vec<_> = Variant::arguments()
        .filter(|(_, name)| names.contains(name))
        .collect();
    assert_eq!(all.len(), names.len());
    all
}

#[test]
fn an_engine_says_who_it_is_and_what_it_plays() {
    let mut client = Client::of(serve, "search:depth=2", 3);
    client.say("uci");
    assert!(client.hear().starts_with("id name overboard "));
    client.await_line("id author ");
    let games = client.await_line("option name UCI_Variant type combo default chess");
    assert_eq!(games.split(" var ").skip(1).collect::<Vec<_>>(), PLAIN);
    assert_eq!(
        client.hear(),
        "option name UCI_Chess960 type check default false"
    );
    assert_eq!(
        client.hear(),
        "option name Player type string default search:depth=2"
    );
    assert_eq!(
        client.hear(),
        "option name Seed type spin default 3 min 0 max 9007199254740992"
    );
    assert_eq!(client.hear(), "uciok");
    client.say("isready");
    assert_eq!(client.hear(), "readyok");
    client.say("quit");
    assert_eq!(client.close(), "");
}

#[test]
fn whole_games_of_every_game_on_one_board_are_played() {
    for (variant, name) in plain() {
        let mut client = client("greedy");
        client.say(&format!("setoption name UCI_Variant value {name}"));
        client.say("ucinewgame");
        let mut game = AnyGame::agreed(variant, 1, None, "").unwrap();
        let mut moves = String::new();
        for _ in 0..400 {
            client.say(&format!("position startpos moves{moves}"));
            client.say("go depth 1");
            let best = client.await_line("bestmove ");
            let best = best.strip_prefix("bestmove ").unwrap();
            if best == "(none)" {
                assert!(
                    game.end_by_itself().is_some() || variant == Variant::Olympic,
                    "{name} {}",
                    game.fen()
                );
                break;
            }
            let (_, after) = game
                .played(best)
                .unwrap_or_else(|| panic!("{name}: {best} in {}", game.fen()));
            game = after;
            moves.push(' ');
            moves.push_str(best);
        }
        client.close();
    }
}

#[test]
fn a_position_may_continue_go_back_or_start_anew() {
    let mut client = client("search:depth=1");
    let mut ask = |position: &str| {
        client.say(&format!("position {position}"));
        client.say("go depth 1");
        client.await_line("bestmove ")
    };
    let mate = "startpos moves f2f3 e7e5 g2g4";
    assert_eq!(ask(mate), "bestmove d8h4");
    assert_eq!(ask(&format!("{mate} d8h4")), "bestmove (none)");
    assert_eq!(ask(mate), "bestmove d8h4");
    assert_eq!(ask("fen 7k/5ppp/8/8/8/8/8/R6K w - - 0 1"), "bestmove a1a8");
    assert_eq!(
        ask("fen 7k/5ppp/8/8/8/8/8/R6K w - - 0 1 moves a1b1 h8g8 b1a1 g8h8"),
        "bestmove a1a8"
    );
}

#[test]
fn faulty_commands_are_reported_and_not_searched() {
    let mut client = client("search:depth=1");
    for (lines, remark) in [
        (
            &["position startpos moves e2e4 e7e5 e1e3"][..],
            "illegal: e1e3: ",
        ),
        (&["position startpos moves e2e4 e2e4"], "illegal: e2e4: "),
        (&["position fen nonsense"], "the first position: "),
        (&["position"], "a position is "),
        (&["position moves e2e4"], "a position is "),
        (
            &["setoption name UCI_Variant value overchess"],
            "`overchess` is not a game that is played here by UCI",
        ),
        (
            &["setoption name Hash value 64"],
            "there is no option `Hash`",
        ),
        (&["setoption name Player value best"], "player `best`"),
        (&["setoption"], "there is no option ``"),
        (&["dance"], "`dance` is not a command"),
    ] {
        lines.iter().for_each(|line| client.say(line));
        let heard = client.hear();
        assert!(
            heard
                .strip_prefix("info string ")
                .is_some_and(|words| words.starts_with(remark)),
            "{lines:?}: {heard}"
        );
    }
    client.say("position startpos moves e2e5");
    client.await_line("info string illegal");
    client.say("go depth 1");
    client.await_line("info string illegal");
    assert_eq!(client.hear(), "bestmove 0000");
    client.bytes(b"\xff\xfe go\nstop\nponderhit\ngo nonsense depth\n");
    client.bytes(
        &[
            b"position startpos moves ",
            &b"e2e4 ".repeat(1 << 20)[..],
            b"\n",
        ]
        .concat(),
    );
    client.say("stop");
    client.await_line("bestmove ");
    client.say("position startpos");
    client.say("go depth 1");
    client.await_line("bestmove ");
    client.say("quit");
    client.close();
}

#[test]
fn time_and_stop_are_obeyed_at_once() {
    for (_, name) in plain() {
        let mut client = client("");
        client.say(&format!("setoption name UCI_Variant value {name}"));
        client.say("position startpos");
        for (go, most) in [
            ("go movetime 60", 60),
            ("go wtime 3000 btime 1 winc 0 binc 0", 130),
            ("go wtime 400 btime 400 movestogo 1", 210),
        ] {
            let begun = Instant::now();
            client.say(go);
            client.await_line("bestmove ");
            let took = begun.elapsed();
            // A busy machine may be late, but not by much.
            assert!(
                took < Duration::from_millis(most + 700),
                "{name} {go}: {took:?}"
            );
        }
        client.say("go infinite");
        client.say("isready");
        client.await_line("readyok");
        let begun = Instant::now();
        client.say("stop");
        assert!(client.await_line("bestmove ").len() > 12);
        assert!(begun.elapsed() < Duration::from_millis(700), "{name}");
        client.say("go ponder wtime 900 btime 900");
        client.say("ponderhit");
        client.await_line("bestmove ");
        client.say("go infinite");
        client.close();
    }
}

#[test]
fn limits_of_depth_and_nodes_are_reproducible() {
    let reported = |go: &str| {
        let mut client = client("");
        client.say("position startpos moves e2e4 e7e5");
        client.say(go);
        let mut lines = Vec::new();
        loop {
            let line = client.hear();
            // Time and speed depend on the machine.
            lines.push(line.split(" nps ").next().unwrap().to_string());
            if line.starts_with("bestmove") {
                return lines;
            }
        }
    };
    for go in ["go depth 4", "go nodes 3000"] {
        let lines = reported(go);
        assert!(
            lines.len() > 3 && lines[0].starts_with("info depth 1 score cp "),
            "{lines:?}"
        );
        assert_eq!(lines, reported(go));
    }
}

#[test]
fn an_option_switches_to_chess960() {
    let mut client = client("search:depth=1");
    // The king already stands on its target square, with its rook beside it.
    let position = "position fen 7k/8/8/8/8/8/8/2K1R3 w - - 0 1 moves c1b1";
    client.say("setoption name UCI_Chess960 value true");
    client.say("position fen 4k3/8/8/8/8/8/8/5RKR w HF - 0 1 moves g1f1");
    client.say("go depth 1");
    assert!(client.await_line("bestmove ").starts_with("bestmove e8"));
    // Castling in the notation of chess, where it is unambiguous.
    client.say("position fen 4k3/8/8/8/8/8/8/1K5R w K - 0 1 moves b1g1");
    client.say("go depth 1");
    assert!(client.await_line("bestmove ").starts_with("bestmove e8"));
    client.say("setoption name UCI_Chess960 value maybe");
    assert!(
        client
            .await_line("info string")
            .contains("neither true nor false")
    );
    client.say("setoption name UCI_Chess960 value false");
    client.say(position);
    client.say("go depth 1");
    assert!(client.await_line("bestmove ").starts_with("bestmove h8"));
    client.say("position fen 4k3/8/8/8/8/8/8/5RKR w HF - 0 1");
    assert!(client.await_line("info string").contains("castling rights"));
    client.close();
}

/// One option switches to Chess960 and to Crazyhouse960, by the game that is chosen before or after.
#[test]
fn the_same_option_switches_crazyhouse_too() {
    let mut client = client("search:depth=1");
    let castled = "position fen 4k3/8/8/8/8/8/8/1K5R[Pp] w K - 0 1 moves b1h1";
    let mut plays = |words: &[&str]| {
        for word in words {
            client.say(word);
        }
        client.say("isready");
        let mut heard = Vec::new();
        loop {
            let line = client.hear();
            if line == "readyok" {
                return heard;
            }
            heard.push(line);
        }
    };
    let refused = plays(&["setoption name UCI_Variant value crazyhouse", castled]);
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(plays(&["setoption name UCI_Chess960 value true", castled]).is_empty());
    // The same switch with chess, for which that position has too much in it.
    let refused = plays(&["setoption name UCI_Variant value chess", castled]);
    assert_eq!(refused.len(), 1, "{refused:?}");
    let chess = "position fen 4k3/8/8/8/8/8/8/1K5R w K - 0 1 moves b1h1";
    assert!(plays(&[chess]).is_empty());
    assert!(plays(&["setoption name UCI_Variant value crazyhouse", castled]).is_empty());
    let refused = plays(&["setoption name UCI_Chess960 value false", castled]);
    assert_eq!(refused.len(), 1, "{refused:?}");
    client.close();
}
