//! How often the rulings matter, counted in games of self-play.
//!
//! `just rulings` plays the games and writes `tests/rulings/measured.tsv`, from which `docs/rulings.md` takes its
//! figures. The ledgers are kept in the folder for temporary files, so that a second run only counts.

#![allow(clippy::unwrap_used)]

mod measured;
mod run;

use measured::{
    questions::{QUESTIONS, counts},
    sets::{Played, SETS, Set},
};
use std::{fmt::Write, fs, path::Path};

/// Columns of the table.
const HEAD: &str = "rule\tother\tcounted\tgame\tplayer\tgames\tmatter\n";

/// The sets to measure, joined with `:`; all if the variable is not set. The rows of the others stay as they are.
const SELECTED: &str = "OVERBOARD_RULINGS";

#[test]
#[ignore = "plays thousands of games, which takes two hours"]
fn every_ruling_is_measured() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rulings");
    fs::create_dir_all(&folder).unwrap();
    let selected = std::env::var(SELECTED).ok();
    let is_selected = |set: &&Set| {
        let names = selected.as_deref();
        names.is_none_or(|names| names.split(':').any(|name| name == set.name))
    };
    for set in SETS.iter().filter(is_selected) {
        let mut rows = Vec::new();
        for player in set.players {
            rows.push(measure(set, player, &folder));
            eprintln!("{}: {player}", set.name);
        }
        keep(set, &rows.concat());
    }
}

/// The rows of one player's games.
fn measure(set: &Set, player: &str, folder: &Path) -> String {
    let ledger = set.ledger(player, folder);
    let games = Played::read(&ledger);
    let asked: Vec<_> = QUESTIONS
        .iter()
        .filter(|question| question.set == set.name)
        .collect();
    let mut rows = String::new();
    for (question, matter) in asked.iter().zip(counts(&asked, set, &games, &ledger)) {
        writeln!(
            rows,
            "{}\t{}\t{}\t{}\t{}\t{}\t{matter}",
            question.rule,
            question.other,
            question.counted,
            set.in_words,
            player,
            games.len(),
        )
        .unwrap();
    }
    rows
}

/// Puts the rows of a set into the table, in the order of the sets.
fn keep(set: &Set, rows: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/rulings/measured.tsv");
    let there = fs::read_to_string(&file).unwrap_or_default();
    let mut table = String::from(HEAD);
    for other in SETS {
        if other.name == set.name {
            table.push_str(rows);
            continue;
        }
        for line in there.lines() {
            if line.split('\t').nth(3) == Some(other.in_words) {
                writeln!(table, "{line}").unwrap();
            }
        }
    }
    fs::write(file, table).unwrap();
}
