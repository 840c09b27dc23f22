//! What is found on score-sheets is shown as in the record that they make.

use crate::{
    chance::Chance,
    depth::tries,
    run::{overboard, printed, tool},
};
use std::{fs, path::Path};
use tempfile::TempDir;

/// Games with sheets, each with the most plies that are played.
const GAMES: [(&[&str], usize); 5] = [
    (&["--variant", "strategichess", "--boards", "2"], 60),
    (&["--variant", "strategichess", "--boards", "3", "--rules", "edition=2025"], 90),
    (&["--variant", "overchess"], 200),
    (&["--variant", "overchess", "--rules", "fog:prisoners:consolidation"], 200),
    (&["--variant", "overchess", "--rules", "depth=2"], 120),
];

/// What a command prints, whatever its exit code.
fn output(words: &[&str]) -> String {
    printed(&overboard(words)).0
}

/// Where the plies of a record stand.
fn plies(record: &str) -> Vec<(usize, usize)> {
    let from = record.find("\n\n").unwrap_or_default();
    let mut found = Vec::new();
    let mut at = from;
    for word in record[from..].split_inclusive([' ', '\n']) {
        let ply = word.trim_end();
        if ply.starts_with(|c: char| c.is_ascii_alphabetic()) && ply.ends_with(|c: char| c.is_ascii_digit()) {
            found.push((at, at + ply.len()));
        }
        at += word.len();
    }
    found
}

/// The positions that the commands show which `check` suggests for a file of a folder, sorted. They are run there: with a
/// long path a command would be wrapped.
fn shown(folder: &Path, file: &str) -> Vec<(String, i32)> {
    let run = |words: &[&str]| printed(&tool().current_dir(folder).args(words).output().unwrap());
    let checked = run(&["check", "--no-board", file]).0;
    let commands = checked.lines().filter_map(|line| line.split_once("= show: overboard "));
    let mut shown: Vec<_> = commands
        .map(|(_, command)| {
            let words: Vec<_> = command.split(' ').chain(["--as-fen"]).collect();
            let (fen, exit) = run(&words);
            assert!(exit < 2, "{command}");
            (fen, exit)
        })
        .collect();
    shown.sort();
    shown
}

#[test]
fn what_is_found_on_sheets_is_shown_as_in_their_record() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (ledger, record, sheets) = (path("ledger"), path("record.npgn"), path("sheets.npgn"));
    let mut commands = 0;
    for (nth, (how, most)) in GAMES.iter().enumerate() {
        for seed in 0..tries(1) {
            let (most, number) = (most.to_string(), (seed + 1).to_string());
            let played = ["selfplay", "--player", "random", "--games", "1", "--max-plies", &most];
            let ledger = ledger.with_extension(format!("{nth}-{seed}"));
            let to = ["--seed", &number, "--ledger", ledger.to_str().unwrap()];
            output(&[&played, *how, &to].concat());
            let legal = output(&["ledger", "--to", "npgn", ledger.to_str().unwrap()]);
            let mut chance = Chance::seeded(seed as u64 + 1);
            let all = plies(&legal);
            for _ in 0..tries(4) {
                let ((from, to), (other, end)) = (all[chance.below(all.len())], all[chance.below(all.len())]);
                let faulty = format!("{}{}{}", &legal[..from], &legal[other..end], &legal[to..]);
                fs::write(&record, &faulty).unwrap();
                let apart = overboard(&["unbundle", record.to_str().unwrap()]);
                if apart.status.code() != Some(0) {
                    continue;
                }
                fs::write(&sheets, apart.stdout).unwrap();
                let (of_record, of_sheets) =
                    (shown(folder.path(), "record.npgn"), shown(folder.path(), "sheets.npgn"));
                assert_eq!(of_record, of_sheets, "{faulty}");
                commands += of_sheets.len();
            }
        }
    }
    assert!(commands > 10, "{commands}");
}
