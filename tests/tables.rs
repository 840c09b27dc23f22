//! Tables of games: every game has its row, with what happened in it, whatever it comes from.

use crate::run::{overboard, printed};
use serde_json::Value;
use std::{fs, path::Path};

fn example(name: &str) -> String {
    format!("{}/../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn rows(words: &[&str]) -> Vec<Value> {
    let (text, exit) = printed(&overboard(words));
    assert_eq!(exit, 0, "{words:?}: {text}");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_game_is_a_row_with_every_tag() {
    let rows = rows(&[
        "convert",
        "--to",
        "games",
        &example("olympic.npgn"),
        &example("overchess.npgn"),
    ]);
    let names = |row: &Value| row.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert!(rows.len() > 1 && rows.iter().all(|row| names(row) == names(&rows[0])));
    let (olympic, over) = (&rows[0], rows.last().unwrap());
    assert_eq!(
        (&olympic["Variant"], &over["Variant"]),
        (&"Olympic Chess".into(), &"Overchess".into())
    );
    assert!(olympic["drops"].as_u64().unwrap() > 0 && olympic["sub_games"] == 0);
    assert!(olympic["white_depletion"].is_null() && over["sub_games"].as_u64().unwrap() > 0);
    let depletion = over["black_depletion"].as_f64().unwrap();
    assert!(depletion > 0.0 && depletion <= 1.0, "{over}");
    assert!(
        rows.iter()
            .all(|row| row["verdict"] == "clean" && row["line"].is_u64() && row["unit"].is_null())
    );
}

#[test]
fn a_tag_takes_no_other_columns_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.pgn");
    fs::write(
        &file,
        "[Event \"?\"]\n[White \"a, b\"]\n[Plies \"many\"]\n[Result \"*\"]\n\n1. e4 *\n\n1. d4 d5 1/2-1/2\n",
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let rows = rows(&["convert", "--to", "games", file]);
    assert_eq!(
        (&rows[0]["plies"], &rows[0]["tag_Plies"]),
        (&1.into(), &"many".into())
    );
    assert_eq!(
        (&rows[0]["White"], &rows[1]["White"], &rows[1]["score"]),
        (&"a, b".into(), &Value::Null, &"1/2-1/2".into())
    );
    let (text, exit) = printed(&overboard(&[
        "convert", "--to", "games", "--format", "csv", file,
    ]));
    assert!(
        exit == 0 && text.lines().count() == 3 && text.contains("\"a, b\""),
        "{text}"
    );
}

#[test]
fn a_ledger_has_the_rows_of_its_records() {
    let ledger = example("selfplay.jsonl");
    let records = tempfile::NamedTempFile::with_suffix(".npgn").unwrap();
    fs::write(
        &records,
        printed(&overboard(&["ledger", "--to", "npgn", &ledger])).0,
    )
    .unwrap();
    let of_records = |to: &str| rows(&["convert", "--to", to, records.path().to_str().unwrap()]);
    let without = |mut row: Value, names: &[&str]| {
        names.iter().for_each(|name| {
            drop(
                row.as_object_mut()
                    .unwrap()
                    .insert((*name).into(), Value::Null),
            );
        });
        row
    };
    for (to, apart) in [
        ("games", &["line", "unit", "book"][..]),
        ("plies", &["line", "col"]),
    ] {
        let of_ledger = rows(&["ledger", "--to", to, &ledger]);
        let [ours, theirs] = [of_ledger, of_records(to)].map(|rows| {
            rows.into_iter()
                .map(|row| without(row, apart))
                .collect::<Vec<_>>()
        });
        assert_eq!(ours, theirs, "{to}");
    }
    let games = rows(&["ledger", "--to", "games", &ledger]);
    let booked: Vec<Value> = fs::read_to_string(&ledger)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for (row, line) in games.iter().zip(&booked) {
        for (ours, theirs) in [
            ("unit", "unit"),
            ("book", "book"),
            ("plies", "plies"),
            ("score", "result"),
            ("ended_by", "termination"),
        ] {
            assert_eq!(row[ours], line[theirs], "{ours}");
        }
    }
}

#[test]
fn a_form_of_rows_is_for_rows() {
    for words in [
        &["ledger", "--format", "csv"][..],
        &["convert", "--to", "npgn", "--format", "csv"],
    ] {
        let output = overboard(&[words, &[&example("selfplay.jsonl")]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("--to games"));
    }
    let parquet = overboard(&[
        "convert",
        "--to",
        "games",
        "--format",
        "parquet",
        &example("history.pgn"),
    ]);
    match parquet.status.code() {
        Some(0) => {
            assert!(parquet.stdout.starts_with(b"PAR1") && parquet.stdout.ends_with(b"PAR1"));
        }
        _ => assert!(String::from_utf8_lossy(&parquet.stderr).contains("--features parquet")),
    }
    assert!(Path::new(&example("selfplay.jsonl")).exists());
}
