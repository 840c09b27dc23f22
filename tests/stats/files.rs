//! Figures computed from files: they agree with the tables, and are the same for every form of the games.

use crate::run::{overboard, printed, tool};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Stdio,
};

/// Runs the tool. Returns its output, its messages and its exit code.
fn report(line: &str, files: &[&Path]) -> (String, String, i32) {
    let files = files.iter().map(|file| file.to_str().unwrap().to_string());
    let words: Vec<_> = line
        .split_whitespace()
        .map(ToString::to_string)
        .chain(files)
        .collect();
    let output = overboard(&words);
    let (text, exit) = printed(&output);
    (text, String::from_utf8(output.stderr).unwrap(), exit)
}

/// Runs the tool, which must succeed. Returns its output.
fn done(line: &str, files: &[&Path]) -> String {
    let (text, complaint, exit) = report(line, files);
    assert_eq!(exit, 0, "{line}: {complaint}");
    text
}

fn json(line: &str, files: &[&Path]) -> Value {
    serde_json::from_str(&done(&format!("stats --json {line}"), files)).unwrap()
}

/// Plays games of some kind. Returns them as a ledger and as records.
fn played(folder: &Path, name: &str, what: &str) -> [PathBuf; 2] {
    let files = ["jsonl", "npgn"].map(|form| folder.join(format!("{name}.{form}")));
    done(&format!("selfplay {what} --ledger"), &[&files[0]]);
    fs::write(&files[1], done("ledger --to npgn", &[&files[0]])).unwrap();
    files
}

const KINDS: [(&str, &str); 9] = [
    (
        "chess",
        "--variant chess --player greedy --player random --player search:depth=1 --pairs 3",
    ),
    (
        "olympic",
        "--variant olympic --player greedy --player random --pairs 20",
    ),
    (
        "singles",
        "--variant olympic --player greedy --player random --games 15",
    ),
    (
        "capped",
        "--variant chess --player random --player greedy --pairs 5 --max-plies 40",
    ),
    (
        "mega",
        "--variant mega-chess --player greedy --player random --pairs 1 --max-plies 60",
    ),
    (
        "mega-ends",
        concat!(
            "--variant mega-chess --player random --player greedy --pairs 5 --max-plies 3000 --seed 5 --openings ",
            env!("CARGO_MANIFEST_DIR"),
            "/../tests/ledgers/mega-chess.fens"
        ),
    ),
    (
        "meta",
        "--variant metachess --player greedy --player random --pairs 5",
    ),
    (
        "strategi",
        "--variant strategichess --player greedy --player random --pairs 2 --max-plies 300",
    ),
    (
        "linked",
        "--variant strategichess --boards 3 --player greedy --player mcts:sims=3 --pairs 2 --max-plies 200",
    ),
];

#[test]
fn records_have_the_figures_of_their_ledger() {
    let folder = tempfile::tempdir().unwrap();
    for (name, what) in KINDS {
        let [ledger, records] = played(folder.path(), name, what);
        let mut of_ledger = json("--sprt 0,5", &[&ledger]);
        let of_records = json("--sprt 0,5", &[&records]);
        // A record does not say which limit stopped the game.
        let ends = of_ledger["terminations"].as_object_mut().unwrap();
        if let Some(count) = ends.remove("ply-cap") {
            ends.insert("adjudication".into(), count);
        }
        assert_eq!(of_ledger, of_records, "{name}");
    }
}

#[test]
fn figures_agree_with_the_table_of_games() {
    let folder = tempfile::tempdir().unwrap();
    for (name, what) in KINDS {
        let [ledger, _] = played(folder.path(), name, what);
        let figures = json("", &[&ledger]);
        let table = done("ledger --to csv", &[&ledger]);
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let rows: Vec<BTreeMap<String, String>> =
            reader.deserialize().map(Result::unwrap).collect();
        let count = |of: &dyn Fn(&BTreeMap<String, String>) -> bool| {
            rows.iter().filter(|row| of(row)).count()
        };
        assert_eq!(figures["games"], rows.len(), "{name}");
        for (field, result) in [("wins", "1-0"), ("draws", "1/2-1/2"), ("losses", "0-1")] {
            assert_eq!(
                figures["white"][field],
                count(&|row| row["result"] == result),
                "{name} {field}"
            );
        }
        for (end, number) in figures["terminations"].as_object().unwrap() {
            assert_eq!(
                *number,
                count(&|row| row["ended_by"] == *end),
                "{name} {end}"
            );
        }
        let plies: Vec<f64> = rows
            .iter()
            .map(|row| row["acts"].parse().unwrap())
            .collect();
        let mean = plies.iter().sum::<f64>() / plies.len() as f64;
        assert!(
            (figures["lengths"]["mean"].as_f64().unwrap() - mean).abs() < 1e-9,
            "{name}"
        );
        for meeting in figures["meetings"].as_array().unwrap() {
            let [first, second] =
                ["first", "second"].map(|side| meeting[side].as_str().unwrap().to_string());
            let mut units: BTreeMap<String, Vec<f64>> = BTreeMap::new();
            for row in &rows {
                let white = match &*row["result"] {
                    "1-0" => 1.0,
                    "0-1" => 0.0,
                    _ => 0.5,
                };
                let unit = units.entry(row["unit"].clone());
                if row["white"] == first && row["black"] == second {
                    unit.or_default().push(white);
                } else if row["white"] == second && row["black"] == first {
                    unit.or_default().push(1.0 - white);
                }
            }
            for outcome in meeting["outcomes"].as_array().unwrap() {
                let score = outcome["score"].as_f64().unwrap();
                let alike = units
                    .values()
                    .filter(|unit| unit.iter().sum::<f64>() / unit.len() as f64 == score);
                assert_eq!(
                    outcome["count"],
                    alike.count(),
                    "{name} {first} {second} {score}"
                );
            }
        }
    }
}

/// Counts the moves of every position except each record's last, by running `moves` on it.
#[test]
fn legal_plies_are_those_that_moves_lists() {
    let folder = tempfile::tempdir().unwrap();
    let [ledger, records] = played(
        folder.path(),
        "a",
        "--variant olympic --player random --games 3",
    );
    let fens = done("convert --to fen", &[&records]);
    let games = fens.trim_end().split("\n\n");
    let positions: Vec<_> = games
        .flat_map(|game| game.lines().rev().skip(1).collect::<Vec<_>>())
        .collect();
    let list = folder.path().join("fens");
    fs::write(&list, positions.join("\n")).unwrap();
    let answers = done("moves --variant olympic --json --fens", &[&list]);
    let of_one = |line: &str| {
        serde_json::from_str::<Value>(line).unwrap()["moves"]
            .as_array()
            .unwrap()
            .len()
    };
    let choices: usize = answers.lines().map(of_one).sum();
    let mean = choices as f64 / positions.len() as f64;
    assert!(
        (json("", &[&ledger])["choices"].as_f64().unwrap() - mean).abs() < 1e-9,
        "{mean}"
    );
}

#[test]
fn kings_are_counted_on_linked_boards() {
    let folder = tempfile::tempdir().unwrap();
    let [ledger, records] = played(
        folder.path(),
        "a",
        "--variant strategichess --boards 2 --player greedy --player random --pairs 3",
    );
    let meeting = &json("", &[&ledger])["meetings"][0];
    let lines = done("score --csv", &[&records]);
    let mut reader = csv::Reader::from_reader(lines.as_bytes());
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    let margin = |row: &BTreeMap<String, String>| -> f64 {
        let [white, black] =
            ["white_kings", "black_kings"].map(|kings| row[kings].parse::<f64>().unwrap());
        white - black
    };
    // The first player has Black in the second game of a pair.
    let margins: Vec<f64> = rows
        .iter()
        .enumerate()
        .map(|(at, row)| margin(row) * [1.0, -1.0][at % 2])
        .collect();
    let mean = margins.iter().sum::<f64>() / margins.len() as f64;
    assert!(
        (meeting["king_margin"]["value"].as_f64().unwrap() - mean).abs() < 1e-9,
        "{lines} {meeting}"
    );
}

#[test]
fn plots_are_well_formed() {
    let folder = tempfile::tempdir().unwrap();
    for (name, what) in KINDS {
        let [ledger, _] = played(folder.path(), name, what);
        let plots = ["score", "llr", "lengths"]
            .map(|plot| folder.path().join(format!("{name}-{plot}.svg")));
        let [score, llr, lengths] = plots.each_ref().map(|plot| plot.to_str().unwrap());
        done(
            &format!(
                "stats --sprt 0,20 --plot-score {score} --plot-llr {llr} --plot-lengths {lengths}"
            ),
            &[&ledger],
        );
        for plot in &plots {
            let text = fs::read_to_string(plot).unwrap();
            assert!(!text.contains("NaN") && !text.contains("inf"), "{plot:?}");
            let drawing = roxmltree::Document::parse(&text).unwrap();
            assert!(drawing.descendants().count() > 30, "{plot:?}");
        }
    }
}

#[test]
fn standard_input_may_have_any_form() {
    let folder = tempfile::tempdir().unwrap();
    for file in played(
        folder.path(),
        "a",
        "--variant olympic --player greedy --player random --pairs 5",
    ) {
        let mut child = tool()
            .args(["stats", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(&fs::read(&file).unwrap())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(printed(&output), (done("stats", &[&file]), 0));
    }
}

#[test]
fn no_figure_is_infinite() {
    for counts in [
        "--wdl 0,0,0",
        "--wdl 9,0,0",
        "--wdl 0,9,0",
        "--pairs 0,0,0,0,7",
        "--pairs 0,0,1,0,0",
    ] {
        for form in ["", " --json", " --csv"] {
            for model in ["logistic", "normalised"] {
                let text = done(
                    &format!("stats {counts} --sprt -10,10 --model {model}{form}"),
                    &[],
                );
                assert!(
                    !text.contains("NaN") && !text.contains("inf"),
                    "{counts}{form}: {text}"
                );
            }
        }
    }
}

#[test]
fn shards_are_counted_together_and_never_twice() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.json");
    let what = "--variant olympic --player greedy --player random --pairs 8";
    done(&format!("plan {what} --shards 2"), &[&plan]);
    let shards: Vec<_> = (0..2)
        .map(|index| folder.path().join(format!("plan.{index}-of-2.jsonl")))
        .collect();
    (0..2).for_each(|index| drop(done(&format!("run --shard {index}/2"), &[&plan])));
    let [whole, _] = played(folder.path(), "whole", what);
    assert_eq!(
        done("stats", &[&shards[0], &shards[1]]),
        done("stats", &[&whole])
    );
    let (_, said, exit) = report("stats", &[&shards[0], &whole]);
    assert!(
        exit == 2 && said.contains("units 0-7 of this run are also in another of these ledgers"),
        "{said}"
    );
}

#[test]
fn games_that_cannot_be_counted_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.pgn");
    let records = "[Event \"a\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n\
                   [Event \"b\"]\n[Result \"*\"]\n\n1. e4 *\n\n[Event \"c\"]\n[Result \"1-0\"]\n\n1. e5 1-0\n";
    fs::write(&wrong, records).unwrap();
    let (text, _, exit) = report("stats", &[&wrong]);
    assert_eq!(exit, 1, "{text}");
    assert!(
        text.contains("left out: 1 with errors, 1 without a result"),
        "{text}"
    );
    assert!(
        text.contains("A against B: +1 =0 -0") && text.contains("unstated 1"),
        "{text}"
    );
    let [olympic, _] = played(
        folder.path(),
        "a",
        "--variant olympic --player random --games 1",
    );
    let (_, said, exit) = report("stats", &[&wrong, &olympic]);
    assert!(
        exit == 2 && said.contains("games of Olympic Chess, those before of Chess"),
        "{said}"
    );
    for (line, why) in [
        ("stats --wdl 1,2", "--wdl: expected 3 numbers"),
        (
            "stats --wdl 1,2,3 --sprt 5,0",
            "must be less than the second",
        ),
        ("stats --wdl 1,2,3 --sprt 0,5 --alpha 0.6", "alpha and beta"),
        ("stats --outcomes 0:1", "at least two scores"),
        ("stats --outcomes 0:1,2:1", "from 0 to 1"),
        ("stats --outcomes 0:1,x", "such as 0.5:171"),
        ("stats", "required"),
        ("stats /nowhere/at/all", "/nowhere/at/all"),
    ] {
        let (_, said, exit) = report(line, &[]);
        assert!(exit == 2 && said.contains(why), "{line}: {said}");
    }
}
