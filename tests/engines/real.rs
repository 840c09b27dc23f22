//! Engines of other people, from the distribution: `.ci/engines` installs them, and plain `cargo test` names these tests as
//! ignored.

use super::{clean, play};
use crate::run::{overboard, printed};
use std::fs;

/// Engines that speak CECP.
const CECP: [&str; 5] = ["fairymax", "gnuchess", "hoichess", "phalanx", "sjeng"];

#[test]
#[ignore = "needs stockfish, which `.ci/run` installs"]
fn stockfish_plays_the_same_games_again() {
    let folder = tempfile::tempdir().unwrap();
    let engines = || ["name=A cmd=stockfish nodes=300".to_owned(), "name=B cmd=stockfish nodes=200".into()];
    let words = ["--pairs", "4", "--max-plies", "200"];
    let ledgers = ["one", "two"].map(|name| folder.path().join(name));
    for ledger in &ledgers {
        clean(&play(&words, &engines(), ledger), 8, ledger);
    }
    assert!(fs::read(&ledgers[0]).unwrap() == fs::read(&ledgers[1]).unwrap());
}

#[test]
#[ignore = "needs stockfish, which `.ci/run` installs"]
fn stockfish_plays_on_clocks() {
    let folder = tempfile::tempdir().unwrap();
    for (name, pace) in
        [("sessions", "tc=20/2"), ("increment", "tc=1+0.05"), ("time", "st=0.05"), ("depth", "depth=5")]
    {
        let ledger = folder.path().join(name);
        let engines = [
            format!("name=A cmd=stockfish margin=0.5 {pace}"),
            format!("name=B cmd=stockfish margin=0.5 {pace}"),
        ];
        clean(&play(&["--pairs", "1", "--max-plies", "80"], &engines, &ledger), 2, &ledger);
    }
}

#[test]
#[ignore = "needs fairy-stockfish, which `.ci/run` installs"]
fn fairy_stockfish_plays_olympic_chess() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger");
    let engines = ["cmd=fairy-stockfish nodes=500".to_owned()];
    let words = ["--variant", "olympic", "--player", "greedy", "--pairs", "15"];
    clean(&play(&words, &engines, &ledger), 30, &ledger);
    // Positions with promoted pieces, which it writes in another way.
    let book = folder.path().join("book.epd");
    fs::write(&book, "4k/1+P3/2+s2/5/K4[RRBgspp] w - -\n4k/5/+S3+p/5/K4[RBGPrbg] b - -\n").unwrap();
    let ledger = folder.path().join("promoted");
    let words = ["--variant", "olympic", "--pairs", "4", "--openings", book.to_str().unwrap()];
    clean(&play(&words, &engines, &ledger), 8, &ledger);
}

#[test]
#[ignore = "needs stockfish and fairy-stockfish, which `.ci/run` installs"]
fn stockfish_plays_chess960_from_every_fortieth_array() {
    let folder = tempfile::tempdir().unwrap();
    let arrays = (0..24).map(|nth| (40 * nth).to_string()).collect::<Vec<_>>().join(",");
    for (name, other) in
        [("stockfish", "cmd=stockfish nodes=100"), ("fairy", "cmd=fairy-stockfish nodes=100")]
    {
        let ledger = folder.path().join(name);
        let engines = ["name=A cmd=stockfish nodes=200".to_owned(), format!("name=B {other}")];
        let words = ["--variant", "chess960", "--start", &arrays, "--random-plies", "0", "--pairs", "24"];
        clean(&play(&words, &engines, &ledger), 48, &ledger);
        let records = fs::read_to_string(ledger.with_extension("npgn")).unwrap();
        assert!(records.matches("O-O").count() > 20, "nobody castles");
    }
}

/// Our own players as an engine of Chess960, by each protocol.
#[test]
fn serve_plays_chess960_by_every_protocol() {
    let folder = tempfile::tempdir().unwrap();
    for proto in ["uci", "cecp", "lines"] {
        let ledger = folder.path().join(proto);
        let serve = format!("{} serve --proto {proto} --player greedy", env!("CARGO_BIN_EXE_overboard"));
        let engine = format!("name=ours cmd='{serve}' proto={proto} st=1");
        let words = ["--variant", "chess960", "--start", "0,1,959", "--player", "greedy", "--pairs", "3"];
        clean(&play(&[&words[..], &["--max-plies", "120"]].concat(), &[engine], &ledger), 6, &ledger);
    }
}

#[test]
#[ignore = "needs engines that speak CECP, which `.ci/run` installs"]
fn engines_that_speak_cecp_play_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger");
    let engine = |name: &&str| format!("name={name} cmd={name} proto=cecp tc=40/4 margin=2");
    let engines: Vec<_> = CECP.iter().map(engine).collect();
    let words = ["--pairs", "1", "--schedule", "round-robin", "--max-plies", "40", "--random-plies", "4"];
    clean(&play(&words, &engines, &ledger), 20, &ledger);
}

#[test]
#[ignore = "needs stockfish and the others, which `.ci/run` installs"]
fn engines_are_checked() {
    let check = |words: &[&str]| {
        let output = overboard(&[&["engine", "check", "--max-plies", "12"][..], words].concat());
        let (text, exit) = printed(&output);
        assert_eq!(exit, 0, "{words:?}: {text} {}", String::from_utf8_lossy(&output.stderr));
        text
    };
    let text = check(&["stockfish"]);
    assert!(text.starts_with("name: Stockfish") && text.contains("no fault"), "{text}");
    let text = check(&["--variant", "olympic", "fairy-stockfish"]);
    assert!(text.contains("Olympic Chess against itself: ") && text.contains("olympic"), "{text}");
    let text = check(&["--proto", "cecp", "--st", "1", "fairymax"]);
    assert!(text.contains("features: ") && text.contains("no fault"), "{text}");
}
