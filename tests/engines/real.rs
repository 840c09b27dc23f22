//! Third-party engines, as the distribution packages them: `.ci/engines` installs them, and plain `cargo test` lists
//! these tests as ignored.

use super::{clean, complete, dialogues, play};
use crate::run::{overboard, printed};
use serde_json::Value;
use shakmaty::{Chess, EnPassantMode, Position as _, san::San, uci::UciMove};
use std::fs;

/// Engines that speak CECP.
const CECP: [&str; 5] = ["fairymax", "gnuchess", "hoichess", "phalanx", "sjeng"];

#[test]
#[ignore = "needs stockfish, which `.ci/run` installs"]
fn stockfish_repeats_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    let engines = || {
        [
            "name=A cmd=stockfish nodes=300".to_owned(),
            "name=B cmd=stockfish nodes=200".into(),
        ]
    };
    let words = ["--pairs", "4", "--max-plies", "200"];
    let ledgers = ["one", "two"].map(|name| folder.path().join(name));
    for ledger in &ledgers {
        clean(&play(&words, &engines(), ledger), 8, ledger);
    }
    assert!(fs::read(&ledgers[0]).unwrap() == fs::read(&ledgers[1]).unwrap());
}

#[test]
#[ignore = "needs stockfish, which `.ci/run` installs"]
fn stockfish_plays_with_clocks() {
    let folder = tempfile::tempdir().unwrap();
    for (name, pace) in [
        ("sessions", "tc=20/1"),
        ("increment", "tc=1+0.05"),
        ("time", "st=0.05"),
        ("depth", "depth=5"),
    ] {
        let ledger = folder.path().join(name);
        let engines = [
            format!("name=A cmd=stockfish margin=0.5 {pace}"),
            format!("name=B cmd=stockfish margin=0.5 {pace}"),
        ];
        clean(
            &play(&["--pairs", "1", "--max-plies", "80"], &engines, &ledger),
            2,
            &ledger,
        );
    }
}

#[test]
#[ignore = "needs fairy-stockfish, which `.ci/run` installs"]
fn fairy_stockfish_plays_olympic_chess() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger");
    let engines = ["cmd=fairy-stockfish nodes=500".to_owned()];
    let words = [
        "--variant",
        "olympic",
        "--player",
        "greedy",
        "--pairs",
        "15",
    ];
    clean(&play(&words, &engines, &ledger), 30, &ledger);
    // Positions with promoted pieces, which that engine writes differently.
    let book = folder.path().join("book.epd");
    fs::write(
        &book,
        "4k/1+P3/2+s2/5/K4[RRBgspp] w - -\n4k/5/+S3+p/5/K4[RBGPrbg] b - -\n",
    )
    .unwrap();
    let ledger = folder.path().join("promoted");
    let words = [
        "--variant",
        "olympic",
        "--pairs",
        "4",
        "--openings",
        book.to_str().unwrap(),
    ];
    clean(&play(&words, &engines, &ledger), 8, &ledger);
}

#[test]
#[ignore = "needs stockfish and fairy-stockfish, which `.ci/run` installs"]
fn stockfish_plays_chess960_from_every_fortieth_array() {
    let folder = tempfile::tempdir().unwrap();
    let arrays = (0..24)
        .map(|nth| (40 * nth).to_string())
        .collect::<Vec<_>>()
        .join(",");
    for (name, other) in [
        ("stockfish", "cmd=stockfish nodes=100"),
        ("fairy", "cmd=fairy-stockfish nodes=100"),
    ] {
        let ledger = folder.path().join(name);
        let engines = [
            "name=A cmd=stockfish nodes=200".to_owned(),
            format!("name=B {other}"),
        ];
        let words = [
            "--variant",
            "chess960",
            "--start",
            &arrays,
            "--random-plies",
            "0",
            "--pairs",
            "24",
        ];
        clean(&play(&words, &engines, &ledger), 48, &ledger);
        let records = fs::read_to_string(ledger.with_extension("npgn")).unwrap();
        assert!(records.matches("O-O").count() > 20, "nobody castles");
    }
}

/// Our own players as a Chess960 engine, through each protocol.
#[test]
fn serve_plays_chess960_by_every_protocol() {
    let folder = tempfile::tempdir().unwrap();
    for proto in ["uci", "cecp", "lines"] {
        let ledger = folder.path().join(proto);
        let serve = format!(
            "{} serve --proto {proto} --player greedy",
            env!("CARGO_BIN_EXE_overboard")
        );
        let engine = format!("name=ours cmd='{serve}' proto={proto} st=1");
        let words = [
            "--variant",
            "chess960",
            "--start",
            "0,1,959",
            "--player",
            "greedy",
            "--pairs",
            "3",
        ];
        clean(
            &play(
                &[&words[..], &["--max-plies", "120"]].concat(),
                &[engine],
                &ledger,
            ),
            6,
            &ledger,
        );
    }
}

/// Over CECP an optional promotion is written with what the piece becomes, `c4c5g` or `c4c5s`.
#[test]
fn serve_plays_olympic_chess_by_cecp() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger");
    let serve = format!(
        "{} serve --proto cecp --player random",
        env!("CARGO_BIN_EXE_overboard")
    );
    let engine = format!("name=ours cmd='{serve}' proto=cecp st=10");
    let words = [
        "--variant",
        "olympic",
        "--player",
        "random",
        "--pairs",
        "10",
    ];
    let ran = play(&words, &[engine], &ledger);
    clean(&ran, 20, &ledger);
    let promotions = ran
        .games
        .iter()
        .filter(|game| game["moves"].as_str().unwrap().contains('+'));
    assert!(promotions.count() > 5, "hardly a Silver was promoted");
}

#[test]
#[ignore = "needs fairymax, which `.ci/run` installs"]
fn fairymax_is_given_positions_by_edit() {
    let folder = tempfile::tempdir().unwrap();
    let (book, ledger) = (folder.path().join("book.epd"), folder.path().join("ledger"));
    let positions = "r3k2r/pppq1ppp/2n2n2/8/8/2N2N2/PPPQ1PPP/R3K2R b KQkq - 0 9\n\
                     r3k2r/ppp2ppp/2n2n2/3pP3/8/2N2N2/PPPQ1PPP/R3K2R w KQkq d6 0 9\n\
                     8/5pk1/6p1/7p/7P/6P1/5PK1/4R3 b - - 0 40\n";
    fs::write(&book, positions).unwrap();
    let engine = "cmd=fairymax proto=cecp st=1 margin=2".to_owned();
    let words = [
        "--player",
        "greedy",
        "--pairs",
        "3",
        "--max-plies",
        "20",
        "--openings",
        book.to_str().unwrap(),
    ];
    clean(&play(&words, &[engine], &ledger), 6, &ledger);
}

#[test]
#[ignore = "needs engines that speak CECP, which `.ci/run` installs"]
fn engines_that_speak_cecp_play_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger");
    let engine = |name: &&str| format!("name={name} cmd={name} proto=cecp tc=40/2 margin=2");
    let engines: Vec<_> = CECP.iter().map(engine).collect();
    let words = [
        "--pairs",
        "1",
        "--schedule",
        "round-robin",
        "--max-plies",
        "40",
        "--random-plies",
        "4",
    ];
    let ran = play(&words, &engines, &ledger);
    complete(&ran, 20, &ledger);
    // These engines have faults of their own. This test fails if a fault was found where there is none, or if there
    // are more of them than such engines make.
    let faults: Vec<_> = ran
        .games
        .iter()
        .filter(|game| !game["fault"].is_null())
        .collect();
    let said = format!("{}\n{}", ran.text(), dialogues(&ledger));
    assert!(faults.len() <= 3, "{said}");
    if !faults.is_empty() {
        eprintln!("{said}");
    }
    for game in faults {
        assert!(is_own_fault(game), "{game}\n{said}");
    }
}

/// Whether the end of a game of chess is the engine's own fault, by the rules of another library.
fn is_own_fault(game: &Value) -> bool {
    let mut positions = vec![Chess::default()];
    for text in game["moves"].as_str().unwrap().split_ascii_whitespace() {
        let last = positions.last().unwrap().clone();
        let ply = text.parse::<UciMove>().unwrap().to_move(&last).unwrap();
        positions.push(last.play(ply).unwrap());
    }
    let now = positions.last().unwrap();
    let why = game["fault"]["why"].as_str().unwrap();
    match game["termination"].as_str().unwrap() {
        "illegal-move" => {
            let said = why.split('`').nth(1).unwrap_or_default();
            let as_coordinates = said
                .parse::<UciMove>()
                .is_ok_and(|ply| ply.to_move(now).is_ok());
            !as_coordinates
                && !said
                    .parse::<San>()
                    .is_ok_and(|ply| ply.to_move(now).is_ok())
        }
        // Replaying the game above has shown that the last ply was legal.
        "wrong-claim" if why.starts_with("it rejected a legal move") => true,
        "wrong-claim" => {
            let key = |game: &Chess| {
                let setup = game.to_setup(EnPassantMode::Legal);
                (
                    setup.board,
                    setup.turn,
                    setup.castling_rights,
                    setup.ep_square,
                )
            };
            let may_claim = |at: usize| {
                let same = positions[..=at]
                    .iter()
                    .filter(|past| key(past) == key(&positions[at]))
                    .count();
                same >= 3 || positions[at].halfmoves() >= 100
            };
            // A claim may also refer to the position before the opponent's last ply.
            let last = positions.len() - 1;
            !now.is_game_over() && !may_claim(last) && !may_claim(last.saturating_sub(1))
        }
        // Only the engine and the machine know why; the dialogue is printed.
        "crash" | "stall" | "time-forfeit" => true,
        other => panic!("a fault cannot be {other}"),
    }
}

#[test]
fn a_wrongly_reported_fault_is_detected() {
    let game = |moves: &str, end: &str, why: &str| serde_json::json!({"moves": moves, "termination": end, "fault": {"by": "white", "why": why}});
    let (start, mated) = ("e2e4 e7e5", "f2f3 e7e5 g2g4 d8h4");
    let repeated = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    for (moves, end, why, is_own) in [
        (start, "illegal-move", "`e1e3` is not a legal move", true),
        (start, "illegal-move", "`g1f3` is not a legal move", false),
        (start, "illegal-move", "`Nf3` is not a legal move", false),
        (
            start,
            "wrong-claim",
            "it claimed that the game is over with 0-1, and it is not",
            true,
        ),
        (
            mated,
            "wrong-claim",
            "it claimed that the game is over with 0-1, and it is not",
            false,
        ),
        (
            repeated,
            "wrong-claim",
            "it claimed that the position has come back",
            false,
        ),
        (start, "crash", "it ended with exit code 1", true),
    ] {
        assert_eq!(
            is_own_fault(&game(moves, end, why)),
            is_own,
            "{moves} {end} {why}"
        );
    }
}

#[test]
#[ignore = "needs stockfish and the others, which `.ci/run` installs"]
fn engines_are_checked() {
    let check = |words: &[&str]| {
        let output = overboard(&[&["engine", "check", "--max-plies", "12"][..], words].concat());
        let (text, exit) = printed(&output);
        assert_eq!(
            exit,
            0,
            "{words:?}: {text} {}",
            String::from_utf8_lossy(&output.stderr)
        );
        text
    };
    let text = check(&["stockfish"]);
    assert!(
        text.starts_with("name: Stockfish") && text.contains("no fault"),
        "{text}"
    );
    let text = check(&["--variant", "olympic", "fairy-stockfish"]);
    assert!(
        text.contains("Olympic Chess against itself: ") && text.contains("olympic"),
        "{text}"
    );
    let text = check(&["--proto", "cecp", "--st", "1", "fairymax"]);
    assert!(
        text.contains("features: ") && text.contains("no fault"),
        "{text}"
    );
}

/// Engines at a desk: one against the other on boards of their own kind, the record clean.
#[test]
#[ignore = "needs stockfish, fairy-stockfish and fairymax, which `.ci/run` installs"]
fn engines_sit_down_at_a_desk() {
    let folder = tempfile::tempdir().unwrap();
    for (name, variant, white, black) in [
        (
            "chess.npgn",
            "chess",
            "cmd=stockfish proto=uci nodes=200",
            "cmd=fairymax proto=cecp depth=1",
        ),
        (
            "olympic.npgn",
            "olympic",
            "cmd=fairy-stockfish proto=uci nodes=200",
            "greedy",
        ),
    ] {
        let record = folder.path().join(name);
        let record = record.to_str().unwrap();
        let [white, black] = [format!("W={white}"), format!("B={black}")];
        let output = overboard(&[
            "desk",
            record,
            "--proto",
            "lines",
            "--variant",
            variant,
            "--seat",
            &white,
            "--seat",
            &black,
        ]);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{output:?}");
        let last: Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
        assert!(last["over"]["result"].is_string(), "{said}");
        assert_eq!(
            overboard(&["check", record]).status.code(),
            Some(0),
            "{said}"
        );
    }
}
