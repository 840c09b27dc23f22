//! How often the rulings matter, counted in games of self-play.
//!
//! `just rulings` plays the games and writes `tests/rulings/measured.tsv`, from which `docs/rulings.md` takes its
//! figures. The ledgers are kept in the folder for temporary files, so that a second run only counts.

#![allow(clippy::unwrap_used)]

mod measured;
mod run;

use measured::{
    questions::{QUESTIONS, Question},
    sets::{Played, SETS, Series, Set},
};
use std::{fmt::Write, fs, path::Path};

/// Columns of the table.
const HEAD: &str = "rule\tother\tcounted\tgame\tplayer\tgames\tmatter\n";

#[test]
#[ignore = "plays thousands of games, which takes an hour"]
fn every_ruling_is_measured() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rulings");
    fs::create_dir_all(&folder).unwrap();
    let mut table = String::from(HEAD);
    for set in SETS {
        let asked: Vec<_> = QUESTIONS
            .iter()
            .filter(|question| question.set == set.name)
            .collect();
        for series in set.series {
            let ledger = series.ledger(set, &folder);
            let games = Played::read(&ledger);
            for question in &asked {
                writeln!(table, "{}", row(question, set, series, &games, &ledger)).unwrap();
            }
            eprintln!("{}: {} games by {}", set.name, games.len(), series.player);
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/rulings/measured.tsv");
    fs::write(file, table).unwrap();
}

/// One row of the table.
fn row(question: &Question, set: &Set, series: &Series, games: &[Played], ledger: &Path) -> String {
    let matter = question.count(set, games, ledger);
    format!(
        "{}\t{}\t{}\t{}\t{}\t{}\t{matter}",
        question.rule,
        question.other,
        question.counted,
        set.in_words,
        series.player,
        games.len(),
    )
}
