//! Illegal moves that stand, held against python-chess. `.ci/run` installs it and runs this; `cargo test` lists it as
//! ignored.

use overboard_formats::{
    limits::Limits,
    parse::{Event, Parser},
};
use overboard_games::referee::AnyReferee;
use overboard_referee::{Options, finding::Severity, report::Report};
use rayon::prelude::*;
use serde_json::Value;
use std::process::Command;

const GAMES: &str = "1000";

/// The report on a game, and the position at its end as far as it is known.
fn judged(moves: &str, judge_on: bool) -> (Report, Option<String>) {
    let text = format!("{moves}\n");
    let options = Options {
        judge_on,
        ..Options::default()
    };
    let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
    let mut referee = AnyReferee::new(options);
    let mut reached = None;
    loop {
        match parser.next().expect("a text in memory can be read") {
            Event::End => {
                referee.hear(Event::End, &parser);
                return (referee.take_report(&mut parser), reached);
            }
            event => {
                referee.hear(event, &parser);
                let position = referee.position();
                reached = position.map(|position| position.fen());
            }
        }
    }
}

/// The plies at which a report has an error, with its code.
fn errors(report: &Report) -> Vec<(u64, &'static str)> {
    let errors = report
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    errors
        .map(|finding| (finding.ply.map_or(0, u64::from), finding.code.id))
        .collect()
}

/// Every seeded fault is found, nothing else is, and the positions agree.
fn check_stands(game: &Value) {
    let moves = game["stands"].as_str().unwrap();
    let (report, fen) = judged(moves, false);
    let seeded = game["seeded"].as_array().unwrap().iter();
    let expected: Vec<_> = seeded
        .map(|fault| (fault["ply"].as_u64().unwrap(), "illegal-stands"))
        .collect();
    assert_eq!(errors(&report), expected, "{moves}\n{:?}", report.findings);
    assert_eq!(fen.as_deref(), game["fen"].as_str(), "{moves}");
}

/// Without the command, `--judge-on` accuses nobody but the seeded ones, and goes on where it knows how. Returns whether
/// it did so to the end.
fn check_judging_on(game: &Value) -> bool {
    let moves = game["plain"].as_str().unwrap();
    let (report, fen) = judged(moves, true);
    let seeded: Vec<_> = game["seeded"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| fault["ply"].as_u64().unwrap())
        .collect();
    for (ply, code) in errors(&report) {
        assert!(
            code != "illegal-move" || seeded.contains(&ply),
            "{moves}\n{ply}: {:?}",
            report.findings
        );
    }
    let is_whole = report.unjudged_from.is_none();
    if let Some(fen) = fen.filter(|_| is_whole) {
        assert_eq!(Some(fen.as_str()), game["fen"].as_str(), "{moves}");
    }
    is_whole
}

#[test]
#[ignore = "needs python-chess"]
fn games_with_illegal_moves_that_stand_agree_with_python_chess() {
    let python = std::env::var("OVERBOARD_PYTHON_CHESS").expect(".ci/engines says where it is");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/standing/games.py");
    let output = Command::new(python)
        .args([script, GAMES])
        .output()
        .expect("Python starts");
    let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let games: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(games.len().to_string(), GAMES);
    games.par_iter().for_each(check_stands);
    let whole = games
        .par_iter()
        .filter(|game| check_judging_on(game))
        .count();
    assert!(
        whole > games.len() / 2,
        "only {whole} were judged to the end"
    );
}
