//! Crazyhouse with programs of others, and our own players as its engine.

use super::{clean, play};
use std::fs;

#[test]
#[ignore = "needs fairy-stockfish, which `.ci/run` installs"]
fn fairy_stockfish_plays_crazyhouse() {
    let folder = tempfile::tempdir().unwrap();
    let engines = [
        "name=A cmd=fairy-stockfish nodes=300".to_owned(),
        "name=B cmd=fairy-stockfish nodes=150".into(),
    ];
    let ledger = folder.path().join("ledger");
    let words = ["--variant", "crazyhouse", "--pairs", "15"];
    clean(&play(&words, &engines, &ledger), 30, &ledger);
    let records = fs::read_to_string(ledger.with_extension("npgn")).unwrap();
    assert!(
        records.matches('@').count() > 100,
        "hardly a piece is dropped"
    );
    // Positions with pockets and promoted pieces.
    let book = folder.path().join("book.epd");
    fs::write(
        &book,
        "4k3/1Q~6/8/8/4b3/8/Kpp5/8[Pn] b - -\nr1b1k2r/ppp2ppp/2n5/3q4/8/5N2/PPPP1PPP/RNBQK2R[NPPnp] w KQkq -\n",
    )
    .unwrap();
    let ledger = folder.path().join("positions");
    let book = book.to_str().unwrap();
    let words = [
        "--variant",
        "crazyhouse",
        "--pairs",
        "4",
        "--openings",
        book,
    ];
    clean(&play(&words, &engines, &ledger), 8, &ledger);
}

#[test]
#[ignore = "needs fairy-stockfish, which `.ci/run` installs"]
fn fairy_stockfish_plays_crazyhouse_from_arrays_of_chess960() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger");
    let engines = [
        "name=A cmd=fairy-stockfish nodes=200".to_owned(),
        "name=B cmd=fairy-stockfish nodes=100".into(),
    ];
    let words = [
        "--variant",
        "crazyhouse960",
        "--start",
        "0,80,160,240,320,400,480,560,640,720,800,959",
        "--random-plies",
        "0",
        "--pairs",
        "12",
    ];
    clean(&play(&words, &engines, &ledger), 24, &ledger);
    let records = fs::read_to_string(ledger.with_extension("npgn")).unwrap();
    assert!(records.matches("O-O").count() > 3, "nobody castles");
}

#[test]
fn serve_plays_crazyhouse_by_every_protocol() {
    let folder = tempfile::tempdir().unwrap();
    for (variant, proto) in [
        ("crazyhouse", "uci"),
        ("crazyhouse", "cecp"),
        ("crazyhouse", "lines"),
        ("crazyhouse960", "uci"),
        ("crazyhouse960", "lines"),
    ] {
        let ledger = folder.path().join(format!("{variant}-{proto}"));
        let serve = format!(
            "{} serve --proto {proto} --player greedy",
            env!("CARGO_BIN_EXE_overboard")
        );
        let engine = format!("name=ours cmd='{serve}' proto={proto} st=1");
        let words = [
            "--variant",
            variant,
            "--player",
            "greedy",
            "--pairs",
            "3",
            "--max-plies",
            "120",
        ];
        clean(&play(&words, &[engine], &ledger), 6, &ledger);
        let records = fs::read_to_string(ledger.with_extension("npgn")).unwrap();
        assert!(
            records.contains('@'),
            "{variant} {proto}: nobody drops a piece"
        );
    }
}
