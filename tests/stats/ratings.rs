//! Ratings compared with those of Ordo, and breakdowns of results.

use crate::run::{overboard, printed};
use serde_json::Value;
use std::{fs, path::PathBuf};

fn kept(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/ratings")
        .join(name)
}

fn figures(words: &[&str]) -> Value {
    let (text, exit) = printed(&overboard(&[&["stats", "--json"], words].concat()));
    assert_eq!(exit, 0, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// Ordo's output: players with their ratings, and the advantage of the first move.
fn ordo(text: &str) -> (Vec<(String, f64)>, f64) {
    let players = text.lines().filter_map(|line| {
        let (place, rest) = line.trim().split_once(' ')?;
        let (player, figures) = rest.split_once(" : ")?;
        place.parse::<u32>().ok()?;
        Some((
            player.trim().to_owned(),
            figures.split_whitespace().next()?.parse().ok()?,
        ))
    });
    let first_move = text
        .lines()
        .find_map(|line| line.strip_prefix("White advantage = "))
        .unwrap();
    (players.collect(), first_move.trim().parse().unwrap())
}

#[test]
fn ratings_are_those_of_ordo() {
    for game in ["olympic", "chess", "metachess"] {
        let figures = figures(&[kept(&format!("{game}.jsonl")).to_str().unwrap()]);
        let (players, first_move) =
            ordo(&fs::read_to_string(kept(&format!("{game}.ordo.txt"))).unwrap());
        let [pool] = &figures["ratings"].as_array().unwrap()[..] else {
            panic!("{figures}")
        };
        let value = |figure: &Value| figure["value"].as_f64().unwrap();
        let rated = pool["players"].as_array().unwrap();
        assert!(players.len() > 2 && rated.len() == players.len(), "{game}");
        for (ours, (player, rating)) in rated.iter().zip(&players) {
            assert_eq!(ours["player"], **player, "{game}");
            assert!(
                (value(&ours["rating"]) - rating).abs() < 0.1,
                "{game} {player}: {ours} {rating}"
            );
            let [low, high] = ["low", "high"].map(|end| ours["rating"][end].as_f64().unwrap());
            assert!(low < value(&ours["rating"]) && value(&ours["rating"]) < high);
        }
        assert!(
            (value(&pool["first_move"]) - first_move).abs() < 0.1,
            "{game}: {pool} {first_move}"
        );
        // Records of the same games give the same figures.
        let records = tempfile::NamedTempFile::with_suffix(".npgn").unwrap();
        let (text, _) = printed(&overboard(&[
            "ledger",
            "--to",
            "npgn",
            kept(&format!("{game}.jsonl")).to_str().unwrap(),
        ]));
        fs::write(&records, text).unwrap();
        let again = self::figures(&[records.path().to_str().unwrap()]);
        assert_eq!(again["ratings"], figures["ratings"], "{game}");
    }
}

#[test]
fn results_are_broken_down() {
    let ledger = kept("olympic.jsonl");
    let figures = figures(&[
        "--by",
        "opening,first-ply,end,length",
        ledger.to_str().unwrap(),
    ]);
    let games = figures["games"].as_u64().unwrap();
    for table in ["openings", "first_plies", "ends"] {
        let rows = figures[table].as_array().unwrap();
        let sum = |name: &str| {
            rows.iter()
                .map(|row| row[name].as_u64().unwrap())
                .sum::<u64>()
        };
        assert_eq!(sum("games"), games, "{table}");
        assert_eq!(sum("white") + sum("drawn") + sum("black"), games, "{table}");
        assert_eq!(
            sum("white"),
            figures["white"]["wins"].as_u64().unwrap(),
            "{table}"
        );
    }
    // In all six pairings of a round, both games of a pair begin with the same opening.
    assert!(
        figures["openings"]
            .as_array()
            .unwrap()
            .iter()
            .all(|row| row["games"] == 12)
    );
    let survival = figures["survival"].as_array().unwrap();
    let shares: Vec<f64> = survival
        .iter()
        .map(|point| point["share"].as_f64().unwrap())
        .collect();
    assert!(shares.windows(2).all(|two| two[1] <= two[0]) && shares.last().unwrap().abs() < 1e-9);
    assert!(
        figures["ends"]
            .as_array()
            .unwrap()
            .iter()
            .any(|row| row["name"] == "checkmate")
    );
    for form in [
        &["stats", "--by", "length,end"][..],
        &["stats", "--csv", "--by", "first-ply"],
    ] {
        let (text, exit) = printed(&overboard(&[form, &[ledger.to_str().unwrap()]].concat()));
        assert!(
            exit == 0
                && (text.contains("still in progress after") || text.contains("first_ply_white")),
            "{text}"
        );
    }
    let plain = self::figures(&[ledger.to_str().unwrap()]);
    assert!(plain.get("openings").is_none() && plain.get("survival").is_none());
}
