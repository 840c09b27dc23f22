//! Opening books: where the games of a run start, whatever the game, the shards, the threads and the interruptions.

use super::{Room, done, report, summary};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples")
        .join(name)
}

/// The games of a ledger.
fn games(ledger: &Path) -> Vec<Value> {
    let text = fs::read_to_string(ledger).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The first plies of a game, which its opening determined.
fn opening(game: &Value) -> (String, String) {
    let book = game["book"].as_u64().unwrap() as usize;
    let moves = game["moves"]
        .as_str()
        .unwrap()
        .split(' ')
        .take(book)
        .collect::<Vec<_>>()
        .join(" ");
    (game["fen"].as_str().unwrap_or("").to_owned(), moves)
}

#[test]
fn all_pairings_play_every_opening_with_both_colours() {
    let room = Room::new();
    let ledger = room.file("ledger");
    let line = format!(
        "selfplay --player random --player greedy --player search:depth=1 --pairs 3 --max-plies 60 --openings {} \
         --openings-plies 6 --random-plies 2 --ledger",
        example("history.pgn").display()
    );
    done(&line, &[&ledger]);
    let games = games(&ledger);
    assert_eq!(games.len(), 18);
    let rounds: Vec<_> = games
        .chunks(6)
        .map(|round| round.iter().map(opening).collect::<Vec<_>>())
        .collect();
    assert!(
        rounds
            .iter()
            .all(|round| round.iter().all(|one| *one == round[0])),
        "{rounds:?}"
    );
    assert!(
        rounds[0][0] != rounds[1][0] && rounds[1][0] != rounds[2][0],
        "{rounds:?}"
    );
    assert!(games.iter().all(|game| game["book"] == 8));
}

/// A run from a book gives the same result in shards, after being extended, and after the book was moved.
#[test]
fn a_book_is_part_of_the_plan() {
    for (kind, how) in [
        (
            "--variant olympic",
            "--random-plies 3 --openings-order sequential --openings-start 2",
        ),
        (
            "--variant chess",
            "--openings-form games --openings-plies 5",
        ),
        ("--variant metachess", "--openings-form games"),
        (
            "--variant strategichess --boards 2",
            "--openings-form games --openings-start 7",
        ),
        (
            "--variant mega-chess",
            "--openings-form games --openings-order sequential --openings-plies 9",
        ),
        (
            "--variant overchess --rules prisoners:reserves=team/2P1N",
            "--openings-form games --openings-plies 4 --random-plies 1",
        ),
    ] {
        let room = Room::new();
        let (book, plan, moved) = (
            room.file("book"),
            room.file("night.json"),
            room.file("moved"),
        );
        if how.contains("games") {
            // Games of the same kind can serve as a book.
            let source = room.file("source");
            done(
                &format!(
                    "selfplay {kind} --player random --games 8 --max-plies 40 --seed 5 --ledger"
                ),
                &[&source],
            );
            fs::write(&book, done("ledger --to npgn", &[&source])).unwrap();
        } else {
            let lines = "4k/5/5/P4/K3R[] b - - 0 7\nrbsgk/4p/5/P4/KGSBR[] w - - id \"1\";\n# no\n";
            fs::write(&book, lines).unwrap();
        }
        let run = format!(
            "{kind} {how} --max-plies 150 --player random --player greedy --openings {}",
            book.display()
        );
        let (whole, grown, merged) = (room.file("whole"), room.file("grown"), room.file("merged"));
        done(
            &format!("selfplay {run} --pairs 5 -j 1 --ledger"),
            &[&whole],
        );
        let bytes = fs::read(&whole).unwrap();
        assert!(
            games(&whole)
                .iter()
                .any(|game| !game["fen"].is_null() || game["book"] != 0),
            "{run}"
        );
        done(
            &format!("selfplay {run} --pairs 2 -j 3 --ledger"),
            &[&grown],
        );
        done(&format!("plan {run} --pairs 5 --shards 3"), &[&plan]);
        fs::rename(&book, &moved).unwrap();
        // Without its book the run is not made longer.
        let before = fs::read(&grown).unwrap();
        let (_, said, exit) = report("extend --pairs 3", &[&grown]);
        assert!(
            exit == 2 && said.contains("book") && fs::read(&grown).unwrap() == before,
            "{said}"
        );
        done(
            &format!("extend --pairs 3 --openings {}", moved.display()),
            &[&grown],
        );
        assert!(fs::read(&grown).unwrap() == bytes, "{run}");
        let shards: Vec<_> = (0..3)
            .map(|index| room.file(&format!("night.{index}-of-3.jsonl")))
            .collect();
        for index in 0..3 {
            done(
                &format!("run --shard {index}/3 --openings {}", moved.display()),
                &[&plan],
            );
        }
        let shards: Vec<_> = shards.iter().map(PathBuf::as_path).collect();
        done(&format!("merge --out {}", merged.display()), &shards);
        assert!(fs::read(&merged).unwrap() == bytes, "{run}");
        done("stats", &[&whole]);
        let records = room.file("records");
        fs::write(&records, done("ledger --to npgn", &[&whole])).unwrap();
        done(
            "check --quiet --allow claimable --allow long-line",
            &[&records],
        );
        // Another book makes another run.
        fs::write(&moved, "").unwrap();
        let (_, said, exit) = report(
            &format!("run --shard 0/3 --openings {}", moved.display()),
            &[&plan],
        );
        assert!(
            exit == 2 && said.contains("not the openings that the run was planned with"),
            "{said}"
        );
    }
}

#[test]
fn a_bad_book_is_reported_line_by_line() {
    let room = Room::new();
    let book = room.file("book.epd");
    fs::write(
        &book,
        b"8/8/4k3/8/8/3K4/4P3/8 w - - id \"fine\";\nnonsense\n\xff\xfe\n8/8/8/8/8/8/8/8 w - - 0 1\n",
    )
    .unwrap();
    let line = format!(
        "selfplay --player random --games 1 --openings {}",
        book.display()
    );
    let (_, said, exit) = report(&line, &[]);
    assert_eq!(exit, 2);
    let places: Vec<_> = [2, 3, 4]
        .map(|at| format!("{}:{at}: ", book.display()))
        .to_vec();
    assert!(
        places.iter().all(|place| said.contains(place)) && said.lines().count() == 3,
        "{said}"
    );
    for (more, why) in [
        (
            "--openings-plies 3",
            "--openings-plies is only for a file of game records",
        ),
        ("--openings-form games", "book.epd:1: "),
        ("--random-plies 9000", "random ones are played first"),
    ] {
        let (_, said, exit) = report(&format!("{line} {more}"), &[]);
        assert!(exit == 2 && said.contains(why), "{more}: {said}");
    }
    let (_, said, exit) = report("selfplay --player random --games 1 --openings-plies 3", &[]);
    assert!(exit == 2 && said.contains("--openings"), "{said}");
    let huge = room.file("huge");
    fs::File::create(&huge).unwrap().set_len(300 << 20).unwrap();
    let (_, said, exit) = report("selfplay --player random --games 1 --openings", &[&huge]);
    assert!(
        exit == 2 && said.contains("larger than the limit of 256 MiB"),
        "{said}"
    );
}

/// The players' scores are kept on request, and replayed with the game.
#[test]
fn what_players_thought_is_kept() {
    let room = Room::new();
    let ledger = room.file("reported");
    for (variant, more) in [
        ("chess", ""),
        ("overchess", " --max-plies 120"),
        ("mega-chess", " --max-plies 90"),
    ] {
        let line = format!(
            "selfplay --variant {variant} --player search:depth=2 --player mcts:sims=5 --pairs 1{more} --annotate nodes,score,depth"
        );
        done(&format!("{line} -j 1 --ledger"), &[&ledger]);
        // The key in released ledgers.
        assert_eq!(
            games(&ledger)[0]["manifest"]["tells"],
            json!(["score", "depth", "nodes"])
        );
        for game in games(&ledger) {
            let (plies, book) = (
                game["plies"].as_u64().unwrap() as usize,
                game["book"].as_u64().unwrap() as usize,
            );
            for name in ["score", "depth", "nodes"] {
                let list = game[name].as_array().unwrap();
                assert_eq!(list.len(), plies, "{name}");
                assert!(list[..book].iter().all(Value::is_null), "{name}");
            }
            let thought = game["nodes"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|nodes| !nodes.is_null())
                .count();
            assert!(
                thought > 0 && game.get("time").is_none() && game["timed"] == false,
                "{game}"
            );
        }
        let other = room.file("other");
        done(&format!("{line} -j 3 --ledger"), &[&other]);
        assert!(fs::read(&ledger).unwrap() == fs::read(&other).unwrap());
        done("stats", &[&ledger]);
        fs::remove_file(&ledger).unwrap();
        fs::remove_file(&other).unwrap();
    }
    done(
        "selfplay --player greedy --games 2 --max-plies 30 --annotate time --ledger",
        &[&ledger],
    );
    assert!(
        games(&ledger)
            .iter()
            .all(|game| game["timed"] == true && game["time"][29].is_f64())
    );
    assert_eq!(
        summary("selfplay --player random --games 2 --max-plies 30 --annotate time")["games"],
        2
    );
}
