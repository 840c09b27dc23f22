//! Real programs as clients: XBoard on a virtual display, and python-chess. `.ci/run` runs the tests that need them;
//! `cargo test` lists these as ignored.

use crate::run::{overboard, printed};
use std::{fs, process::Command};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_overboard");

/// Plays two XBoard games between two built-in players; returns the records that XBoard saves.
fn two_games(folder: &TempDir, variant: &str, players: [&str; 2]) -> String {
    let file = folder.path().join(format!("{variant}.pgn"));
    let [first, second] =
        players.map(|player| format!("{PROGRAM} serve --proto cecp --player {player}"));
    let mut command = Command::new("xvfb-run");
    command.args([
        "--auto-servernum",
        "/usr/games/xboard",
        "-noGUI",
        "-matchGames",
        "2",
        "-variant",
        variant,
    ]);
    command.args([
        "-fcp",
        &first,
        "-scp",
        &second,
        "-saveGameFile",
        file.to_str().unwrap(),
    ]);
    command.args([
        "-timeControl",
        "5",
        "-timeIncrement",
        "1",
        "-matchPause",
        "100",
        "-testLegality",
        "false",
    ]);
    command.args([
        "-popupExitMessage",
        "false",
        "-popupMoveErrors",
        "false",
        "-soundProgram",
        "true",
    ]);
    // XBoard must not use anyone's settings.
    let output = command
        .env("HOME", folder.path())
        .output()
        .expect("xvfb-run starts");
    let words = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{variant}: {error}: {words}"))
}

#[test]
#[ignore = "needs XBoard and Xvfb, which .ci/engines installs"]
fn xboard_plays_whole_games_that_check_clean() {
    let folder = tempfile::tempdir().unwrap();
    for (variant, players) in [
        ("normal", ["search:depth=2", "greedy"]),
        ("olympic", ["search:depth=2", "greedy"]),
        ("crazyhouse", ["search:depth=2", "greedy"]),
        ("strategichess", ["search:depth=2", "greedy"]),
    ] {
        let saved = two_games(&folder, variant, players);
        assert_eq!(saved.matches("[Event ").count(), 2, "{variant}: {saved}");
        for bad in ["orfeit", "llegal", "exit", "[Result \"*\"]"] {
            assert!(!saved.contains(bad), "{variant}: {saved}");
        }
        let file = folder.path().join(format!("{variant}.pgn"));
        let (report, exit) = printed(&overboard(&["check", file.to_str().unwrap()]));
        assert_eq!(exit, 0, "{report}\n{saved}");
        assert!(report.contains("2 games: 2 clean"), "{report}");
    }
}

/// Uses the server through python-chess: finds a mate, and plays a whole game.
const CLIENT: &str = r#"
import sys, chess, chess.engine
with chess.engine.SimpleEngine.popen_uci([sys.argv[1], "serve", "--proto", "uci"]) as engine:
    board = chess.Board("7k/5ppp/8/8/8/8/8/R6K w - - 0 1")
    info = engine.analyse(board, chess.engine.Limit(depth=3))
    assert info["score"].white() == chess.engine.Mate(1), info
    assert engine.play(board, chess.engine.Limit(time=0.05)).move == chess.Move.from_uci("a1a8")
    board = chess.Board()
    while not board.is_game_over() and board.ply() < 120:
        board.push(engine.play(board, chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01, depth=2)).move)
    assert board.ply() > 20
    with engine.analysis(board.root(), chess.engine.Limit()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                break
print("fine", board.ply())
"#;

#[test]
#[ignore = "needs python-chess, which .ci/engines installs"]
fn python_chess_plays_and_analyses() {
    let python = std::env::var("OVERBOARD_PYTHON_CHESS").expect(".ci/engines says where it is");
    let output = Command::new(python)
        .args(["-c", CLIENT, PROGRAM])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.starts_with("fine "),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
