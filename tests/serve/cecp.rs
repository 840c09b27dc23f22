//! The protocol CECP.

use super::client::Client;
use overboard_engines::serve::cecp::serve;
use std::time::{Duration, Instant};

fn client(player: &str) -> Client {
    let mut client = Client::of(serve, player, 1);
    client.say("xboard\nprotover 2");
    assert_eq!(client.hear(), "feature done=0");
    client.await_line("feature done=1");
    client.say("accepted done\nrejected debug");
    client
}

/// Everything that the server sends before it answers a `ping`.
fn heard(client: &mut Client) -> Vec<String> {
    client.say("ping 5");
    let mut lines = Vec::new();
    loop {
        let line = client.hear();
        if line == "pong 5" {
            return lines;
        }
        lines.push(line);
    }
}

#[test]
fn an_engine_announces_its_features() {
    let mut client = Client::of(serve, "greedy", 1);
    client.say("protover 2");
    let mut features = String::new();
    loop {
        let line = client.hear();
        features.push_str(&line);
        if line == "feature done=1" {
            break;
        }
    }
    for feature in [
        "ping=1",
        "setboard=1",
        "usermove=1",
        "playother=1",
        "san=0",
        "variants=\"normal,olympic,strategichess,metachess,fischerandom,crazyhouse\"",
        "myname=\"overboard 0.1.0 greedy\"",
        "Player -string greedy",
    ] {
        assert!(features.contains(feature), "{feature}: {features}");
    }
    client.close();
}

#[test]
fn a_game_is_played_to_its_end_and_its_result_reported() {
    let mut client = client("search:depth=2");
    client.say("new\nlevel 40 5 0\npost");
    client.say("usermove f2f3");
    client.await_line("move ");
    client.say("force\nnew\nforce");
    ["f2f3", "e7e5", "g2g4"]
        .iter()
        .for_each(|m| client.say(&format!("usermove {m}")));
    assert_eq!(heard(&mut client), Vec::<String>::new());
    client.say("go");
    assert_eq!(client.await_line("move "), "move d8h4");
    assert_eq!(client.hear(), "0-1 {checkmate}");
    client.say("usermove e2e4");
    assert!(
        client
            .hear()
            .starts_with("Illegal move (the game is over by checkmate (0-1)")
    );
    client.say("undo\nforce");
    assert_eq!(heard(&mut client), Vec::<String>::new());
    client.say("usermove d8h4");
    assert_eq!(client.hear(), "0-1 {checkmate}");
    client.close();
}

#[test]
fn the_set_up_of_an_unknown_board_is_sent() {
    let mut client = client("random");
    for (name, size) in [("olympic", "5x5+5_"), ("strategichess", "14x14+0_")] {
        client.say(&format!("new\nvariant {name}\nforce"));
        let lines = heard(&mut client);
        assert!(
            lines[0].starts_with("setup (") && lines[0].contains(size),
            "{lines:?}"
        );
        assert!(
            lines.len() > 1 && lines[1..].iter().all(|line| line.starts_with("piece ")),
            "{lines:?}"
        );
        client.say("usermove e1e1");
        assert!(client.hear().starts_with("Illegal move ("));
        client.say("go");
        client.await_line("move ");
    }
    client.say("variant overchess");
    assert!(
        client
            .await_line("Error")
            .starts_with("Error (this game is not played here)")
    );
    client.close();
}

#[test]
fn every_command_of_the_protocol_is_handled() {
    let mut client = client("random");
    for (lines, answer) in [
        ("usermove e1e3", "Illegal move ("),
        ("usermove e7e5", "Illegal move ("),
        ("usermove", "Illegal move ("),
        ("e7e8q", "Illegal move ("),
        ("P@c3", "Illegal move ("),
        ("edit", "Error (positions are set up by setboard): edit"),
        ("analyze", "Error (nothing is analysed here): analyze"),
        ("hint", "Error (no hints are given): hint"),
        ("nps 100", "Error (nodes are not counted for time): nps 100"),
        ("level 1", "Error (this is not a time control): level 1"),
        (
            "level five",
            "Error (this is not a time control): level five",
        ),
        ("dance", "Error (unknown command): dance"),
        ("undo", "Error ("),
        ("remove", "Error ("),
        (
            "option Hash=4",
            "Error (there is no such option): option Hash",
        ),
        ("option Player=best", "Error (player `best`"),
        (
            "setboard 8/8/8/8/8/8/8/8 w - - 0 1",
            "tellusererror Illegal position: ",
        ),
        ("setboard", "tellusererror Illegal position: "),
    ] {
        client.say("new");
        client.say(lines);
        let reported = heard(&mut client);
        assert!(
            reported.len() == 1 && reported[0].starts_with(answer),
            "{lines}: {reported:?}"
        );
    }
    for quiet in [
        "random",
        "hard",
        "easy",
        "computer",
        "name Ann",
        "rating 1 2",
        "otim 5",
        "time 500",
        "st 2",
        "sd 3",
        "post",
        "nopost",
        "result 1-0 {White resigns}",
        "?",
        "",
        "accepted x",
        "force",
        "playother",
        "option Player=greedy",
        "draw",
    ] {
        client.say(quiet);
        assert_eq!(heard(&mut client), Vec::<String>::new(), "{quiet}");
    }
    client.bytes(&[&b"usermove "[..], &b"e".repeat(100_000), b"\n\xff\xff\n"].concat());
    let reported = heard(&mut client);
    assert!(
        reported.len() == 2 && reported[0].starts_with("Error (the line is longer"),
        "{reported:?}"
    );
    client.close();
}

#[test]
fn a_move_of_a_silver_says_whether_it_promotes() {
    let mut client = client("search:depth=1");
    for (reported, is_gold) in [
        ("c4c5g", true),
        ("c4c5+", true),
        ("c4c5s", false),
        ("c4c5.", false),
        ("c4c5", false),
    ] {
        client.say("new\nvariant olympic\nforce\nsetboard 4k/2S2/5/5/K4[-] w - - 0 1");
        heard(&mut client);
        client.say(&format!("usermove {reported}"));
        assert_eq!(heard(&mut client), Vec::<String>::new(), "{reported}");
        // Only the moves of the piece tell a Gold from a Silver: a Gold can go straight back.
        client.say("usermove e5e4");
        client.say("usermove c5c4");
        assert_eq!(heard(&mut client).is_empty(), is_gold, "{reported}");
    }
    client.say("new\nvariant olympic\nforce\nsetboard r4/P1S2/k4/5/K4[-] w - - 0 1\ngo");
    let moved = client.await_line("move ");
    assert!(!moved.ends_with('+'), "{moved}");
    client.close();
}

#[test]
fn the_engine_takes_and_gives_up_sides() {
    let mut client = client("");
    client.say("new\nst 30\nplayother\ngo");
    assert_eq!(heard(&mut client), Vec::<String>::new());
    let begun = Instant::now();
    client.say("?");
    client.await_line("move ");
    client.say("force\nusermove e7e5\nst 30\ngo");
    client.say("usermove d2d4");
    assert!(client.hear().starts_with("Illegal move (it is my turn)"));
    // After `force` the engine makes no more moves.
    client.say("force");
    assert_eq!(heard(&mut client), Vec::<String>::new());
    client.say("undo\nplayother\nusermove d7d5");
    std::thread::sleep(Duration::from_millis(20));
    client.say("?");
    client.await_line("move ");
    assert!(begun.elapsed() < Duration::from_secs(10));
    client.say("setboard 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\ngo\n?");
    client.await_line("move ");
    client.close();
}

#[test]
fn a_claimable_draw_is_accepted() {
    let mut client = client("random");
    client.say("new\nforce");
    for _ in 0..2 {
        for ply in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            client.say(&format!("usermove {ply}"));
        }
    }
    client.say("draw");
    assert_eq!(client.hear(), "offer draw");
    client.close();
}

#[test]
fn castling_is_sent_in_letters_in_chess960() {
    let mut client = client("search:depth=1");
    client.say("new\nvariant fischerandom\nforce\nsetboard 7k/8/8/8/8/8/PPP5/RK6 w Q - 0 1\nusermove O-O-O");
    assert!(
        heard(&mut client)
            .iter()
            .all(|line| !line.contains("Illegal"))
    );
    // The right is that of the other rook.
    client.say(
        "new\nvariant fischerandom\nforce\nsetboard 6rk/6pp/8/8/8/8/8/R2K4 w Q - 0 1\nusermove O-O",
    );
    assert!(
        heard(&mut client)
            .iter()
            .any(|line| line.contains("Illegal move") && line.contains("C9-4"))
    );
    client.say("new\nvariant fischerandom\nforce\nsetboard 4k3/8/8/8/8/8/3q4/1K5R w K - 0 1\nusermove b1g1");
    assert!(
        heard(&mut client)
            .iter()
            .any(|line| line.contains("Illegal move") && line.contains("C9-6"))
    );
    client.close();
}
