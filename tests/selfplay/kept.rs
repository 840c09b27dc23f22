//! Ledgers and plans of an older version can be read, counted and merged, and go on where the laws are the same.

use super::{Room, done, report, summary};
use overboard_engines::{journal::Header, manifest::Manifest, shard::Shard};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Games for which ledgers of an older version are kept.
const KEPT: [&str; 8] = [
    "chess",
    "linked",
    "mega-chess",
    "metachess",
    "olympic",
    "overchess",
    "overchess-deep",
    "strategichess",
];

/// A kept file of an older version.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/ledgers")
        .join(name)
}

/// The two shards of a kept ledger.
fn kept_shards(game: &str) -> [PathBuf; 2] {
    [0, 1].map(|index| kept(&format!("{game}.{index}-of-2.jsonl")))
}

/// The lines of some ledgers, except their first lines.
fn game_lines(ledgers: &[&Path]) -> String {
    let games = |ledger: &&Path| {
        fs::read_to_string(ledger)
            .unwrap()
            .split_once('\n')
            .unwrap()
            .1
            .to_string()
    };
    ledgers.iter().map(games).collect()
}

/// Figures of an older version, with the current names.
fn with_words_of_today(game: &str, figures: &str) -> Value {
    let mut figures: Value = serde_json::from_str(figures).unwrap();
    let ends = figures["terminations"].as_object_mut().unwrap();
    if game == "mega-chess" {
        for (old, new) in [
            ("checkmate", "mega-mate"),
            ("stalemate", "mega-stalemate"),
            ("rules", "mega-moves"),
        ] {
            let count = ends.remove(old).unwrap();
            ends.insert(new.into(), count);
        }
    }
    figures
}

#[test]
fn old_ledgers_are_read_counted_and_merged() {
    let room = Room::new();
    for game in KEPT {
        let [one, other] = kept_shards(game);
        let shards = [one.as_path(), other.as_path()];
        let (text, said, exit) = report("stats --json", &shards);
        assert_eq!(exit, 0, "{game}: {said}");
        let figures = with_words_of_today(
            game,
            &fs::read_to_string(kept(&format!("{game}.stats.json"))).unwrap(),
        );
        let mut today: Value = serde_json::from_str(&text).unwrap();
        // There are so few games that a single stopped one is more than one in twenty.
        let caution = today.as_object_mut().unwrap().remove("caution");
        assert_eq!(
            caution.is_some(),
            figures["terminations"].get("ply-cap").is_some(),
            "{game}"
        );
        assert_eq!(today, figures, "{game}");
        let merged = room.file(game);
        let (_, merging, exit) = report(&format!("merge --out {}", merged.display()), &shards);
        assert_eq!(exit, 0, "{game}: {merging}");
        assert_eq!(
            game_lines(&[&merged]),
            game_lines(&shards),
            "{game}: no byte of a game is changed"
        );
        assert_eq!(done("stats --json", &[&merged]), text, "{game}");
        let counted: Value = serde_json::from_str(&done("ledger --json", &[&merged])).unwrap();
        assert_eq!(counted["terminations"], figures["terminations"], "{game}");
        let records = room.file(&format!("{game}.npgn"));
        fs::write(&records, done("ledger --to npgn", &[&merged])).unwrap();
        done("check --quiet --allow claimable", &[&records]);
        let table = done("ledger --to csv", &[&merged]);
        if game == "mega-chess" {
            assert!(
                !table.contains("rules") && table.contains("mega-moves"),
                "{table}"
            );
            let words = "10 games ended is written in words of an older version";
            let (_, listing, _) = report("ledger", &[&merged]);
            assert!(listing.contains(words), "{listing}");
            for (said, shard) in [
                (&said, "4 games"),
                (&said, "6 games"),
                (&merging, "4 games"),
            ] {
                assert!(
                    said.contains(&format!("how {shard} ended is written in words")),
                    "{said}"
                );
            }
        } else {
            assert_eq!(
                (said.contains("words"), merging.as_str()),
                (false, ""),
                "{game}: {said}"
            );
        }
    }
}

/// The moves of the games of a ledger.
fn moves(ledger: &Path) -> Vec<String> {
    let text = fs::read_to_string(ledger).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let moves = lines.filter_map(|line: Value| Some(line.get("moves")?.as_str()?.to_owned()));
    moves.collect()
}

/// Games of which no law has changed since ledgers of them were kept.
const SAME_LAWS: [&str; 4] = ["linked", "metachess", "olympic", "strategichess"];

#[test]
fn a_run_goes_on_where_its_laws_are_those_of_today() {
    let room = Room::new();
    for game in SAME_LAWS {
        let (plan, ledger) = (kept(&format!("{game}.json")), room.file("ledger"));
        let [whole, other] = kept_shards(game);
        let text = fs::read_to_string(&whole).unwrap();
        let last = text.trim_end().rfind('\n').unwrap();
        fs::write(&ledger, &text[..=last]).unwrap();
        let run = format!("run --shard 0/2 --ledger {}", ledger.display());
        let (_, said, exit) = report(&run, &[&plan]);
        assert!(
            exit == 2 && said.contains("converts it to the current form and continues it"),
            "{game}: {said}"
        );
        done("extend", &[&ledger]);
        assert_eq!(moves(&ledger), moves(&whole), "{game}: the lost game again");
        done(&run, &[&plan]);
        // A ledger that goes on is merged with one that is as it was.
        let merged = room.file("merged");
        done(
            &format!("merge --out {}", merged.display()),
            &[&ledger, &other],
        );
        done("ledger --json", &[&merged]);
        fs::remove_file(&merged).unwrap();
    }
}

#[test]
fn the_command_that_began_a_run_resumes_it_where_the_laws_are_the_same() {
    let room = Room::new();
    let line = "selfplay --variant metachess --player greedy --player random --pairs 3 --seed 1 --max-plies 400 --ledger";
    let (old, new) = (room.file("old"), room.file("new"));
    let [one, other] = kept_shards("metachess");
    done(&format!("merge --out {}", old.display()), &[&one, &other]);
    done("extend", &[&old]);
    let before = fs::read(&old).unwrap();
    done(line, &[&old]);
    assert!(
        fs::read(&old).unwrap() == before,
        "nothing was left to play"
    );
    // A ledger of today has another run id, and is merged under that of the first.
    done(line, &[&new]);
    let merged = room.file("merged");
    done(&format!("merge --out {}", merged.display()), &[&old, &new]);
    assert_eq!(moves(&merged), moves(&old));
    // Another version of the program changes nothing about that.
    let manifest = Manifest {
        program: "overboard 0.0.9".into(),
        ..manifest_of(&new)
    };
    fs::write(&new, Header::of(&manifest, Shard::WHOLE).line()).unwrap();
    done("extend", &[&new]);
    assert_eq!(moves(&new), moves(&old));
}

#[test]
fn a_run_under_other_laws_does_not_go_on_and_says_what_changed() {
    let room = Room::new();
    for game in KEPT.iter().filter(|game| !SAME_LAWS.contains(game)) {
        let (plan, ledger) = (kept(&format!("{game}.json")), room.file("ledger"));
        let shard = fs::read(&kept_shards(game)[0]).unwrap();
        fs::write(&ledger, &shard).unwrap();
        let run = format!("run --shard 0/2 --ledger {}", ledger.display());
        let (_, said, exit) = report(&run, &[&plan]);
        assert!(
            exit == 2 && said.contains("were numbered, and this is overboard"),
            "{game}: {said}"
        );
        assert!(
            said.contains("under laws 2 of") && said.contains("Make a new plan"),
            "{game}: {said}"
        );
        assert!(said.contains("; since then "), "{game}: {said}");
        assert!(
            fs::read(&ledger).unwrap() == shard,
            "{game}: it is left as it is"
        );
    }
    let line = "selfplay --player random --games 8 --max-plies 20000 --seed 3 --ledger";
    let (old, new) = (room.file("old"), room.file("new"));
    let [one, other] = kept_shards("chess");
    done(&format!("merge --out {}", old.display()), &[&one, &other]);
    let before = fs::read(&old).unwrap();
    let (_, said, exit) = report(line, &[&old]);
    assert!(
        exit == 2 && said.contains("begun by overboard 0.1.0 before the laws of Chess were"),
        "{said}"
    );
    assert!(
        said.contains("since then dead positions") && said.contains("Start another ledger"),
        "{said}"
    );
    assert!(fs::read(&old).unwrap() == before, "it is left as it is");
    done(line, &[&new]);
    let merge = format!("merge --out {}", room.file("merged").display());
    let (_, said, exit) = report(&merge, &[&old, &new]);
    assert!(
        exit == 2 && said.contains("only under the laws that began it"),
        "{said}"
    );
    assert!(!room.file("merged").exists());
}

/// A line with its checksum: CRC-32 of IEEE 802.3, here bit by bit.
fn sealed(line: &str) -> String {
    let shifted = |crc: u32| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
    let crc = !line.bytes().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| shifted(crc))
    });
    format!("{line},\"sum\":\"{crc:08x}\"}}\n")
}

/// The lines of a ledger in form 1: a separate line for what is played, and games without `timed`.
fn in_form_one(ledger: &Path) -> Vec<String> {
    let header = Header {
        ledger: 1,
        ..Header::of(&manifest_of(ledger), Shard::WHOLE)
    };
    let text = fs::read_to_string(ledger).unwrap();
    let games = text
        .lines()
        .map(|line| sealed(line.split_once(",\"timed\":").unwrap().0));
    [String::from_utf8(header.line()).unwrap()]
        .into_iter()
        .chain(games)
        .collect()
}

/// Form 1 was still written after laws had numbers: such ledgers are not those of an older game.
#[test]
fn ledgers_of_form_one_under_the_laws_of_today_are_read_and_gone_on_with() {
    let room = Room::new();
    for variant in ["chess", "mega-chess", "overchess"] {
        let [new, old, half, merged] =
            ["new", "old", "half", "merged"].map(|name| room.file(&format!("{variant}-{name}")));
        let line = format!(
            "selfplay --variant {variant} --player random --player greedy --pairs 2 --max-plies 600 --seed 3 --ledger"
        );
        done(&line, &[&new]);
        let lines = in_form_one(&new);
        assert!(
            lines[0].starts_with("{\"ledger\":1,") && lines[0].contains("\"laws\":"),
            "{}",
            lines[0]
        );
        fs::write(&old, lines.concat()).unwrap();
        for words in [
            "stats --json",
            "ledger --json",
            "ledger --to npgn",
            "ledger --to csv",
            "ledger --to plies",
        ] {
            let (text, said, exit) = report(words, &[&old]);
            let (expected, notes, _) = report(words, &[&new]);
            assert_eq!((exit, &text), (0, &expected), "{variant}: {words}: {said}");
            // There is no note on other laws or older words.
            assert_eq!(
                said.replace("old", ""),
                notes.replace("new", ""),
                "{variant}: {words}"
            );
        }
        done(&format!("merge --out {}", merged.display()), &[&old]);
        assert!(
            fs::read(&merged).unwrap() == fs::read(&old).unwrap(),
            "{variant}: a merged ledger keeps its form"
        );
        fs::write(&half, lines[..3].concat()).unwrap();
        let (_, said, exit) = report(&line, &[&half]);
        assert!(
            exit == 2 && said.contains("form 1, which is no longer written"),
            "{variant}: {said}"
        );
        done("extend", &[&half]);
        assert!(
            fs::read(&half).unwrap() == fs::read(&new).unwrap(),
            "{variant}: in the form of today"
        );
        let whole = lines.concat();
        let damaged = ["1-0", "1/2-1/2"].map(|result| format!("\"result\":\"{result}\""));
        let damaged = damaged
            .iter()
            .find(|result| whole.contains(*result))
            .expect("somebody does not lose");
        let damaged = whole.replacen(damaged, "\"result\":\"0-1\"", 1);
        fs::write(&old, damaged).unwrap();
        assert_eq!(report("ledger", &[&old]).2, 2, "{variant}");
    }
}

/// The manifest of a ledger.
fn manifest_of(ledger: &Path) -> Manifest {
    let text = fs::read_to_string(ledger).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    serde_json::from_value(header["manifest"].clone()).unwrap()
}

#[test]
fn ends_of_mega_chess_have_words_of_their_own() {
    let line = format!(
        "selfplay --variant mega-chess --player random --player greedy --pairs 5 --max-plies 3000 --seed 5 \
         --openings {}",
        kept("mega-chess.fens").display()
    );
    let ends = summary(&line)["terminations"].clone();
    let words: Vec<&String> = ends.as_object().unwrap().keys().collect();
    assert_eq!(words, ["mega-mate", "mega-moves", "mega-stalemate"]);
}
