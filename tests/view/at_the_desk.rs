//! Games that are played by clicks on the page of a desk, each act through the page as a person would do it.

use super::{
    TELEPHONE,
    player::{Player, SCREEN},
};
use crate::{chance::Chance, depth::tries, hall::Desk, so_far::so_far, text::judge_with};
use overboard_games::registry::Variant;
use overboard_referee::finding::Verdict;
use serde_json::{Value, json};
use std::{
    fs,
    io::Write as _,
    process::{Command, Stdio},
};

/// Plays a game of random legal plies, to its end or as long as tests of this depth go on. The record is clean, and the same
/// plies typed in a terminal make the same one.
fn play_by_clicks(options: &[&str], ranks: u32, size: (u32, u32), seed: u64) {
    let mut desk = Desk::begin(options);
    let mut chance = Chance::seeded(seed);
    let mut player = Player::at(&desk.link("Arbiter"), ranks, size);
    for _ in 0..tries(20) {
        let due = player.ask(&json!({"type": "due"}))["due"].clone();
        let Some(due) = due.as_array().filter(|due| !due.is_empty()) else {
            break;
        };
        let seat = due[chance.below(due.len())]["seat"]
            .as_str()
            .unwrap()
            .to_owned();
        let has_boards = options.contains(&"--boards");
        let board = if has_boards {
            seat.split_once(':').map(|(_, on)| on)
        } else {
            None
        };
        let position = player.ask(&json!({"type": "position"}));
        let is_vast = position["legal"]
            .as_u64()
            .is_none_or(|plies| plies > 10_000);
        let ply = match is_vast {
            true => on_any_board(&mut player, &mut chance),
            false => {
                let legal = player.ask(&json!({"type": "legal", "board": board}));
                any_of(&legal["plies"], &mut chance)
            }
        };
        player.play(&mut chance, &ply);
    }
    assert_eq!(
        player.browser.troubles(),
        Vec::<String>::new(),
        "{options:?}"
    );
    let record = desk.closed();
    let report = judge_with(record.as_bytes(), so_far()).remove(0);
    assert_eq!(report.verdict, Verdict::Clean, "{options:?}\n{record}");
    let (again, said) = typed(options, &desk.journal());
    let differs = record
        .lines()
        .zip(again.lines())
        .find(|(one, other)| one != other);
    assert_eq!(differs, None, "{options:?}\n{said}");
    assert_eq!(record.len(), again.len(), "{options:?}\n{said}");
}

fn any_of(texts: &Value, chance: &mut Chance) -> String {
    let texts = texts.as_array().unwrap();
    let text = texts[chance.below(texts.len())].as_str();
    text.unwrap().to_owned()
}

/// A legal ply on any board of those on boards, at whatever depth: there may be too many to list them all.
fn on_any_board(player: &mut Player, chance: &mut Chance) -> String {
    loop {
        let mut board = String::new();
        loop {
            let there = player.ask(&json!({"type": "legal", "board": board}));
            let inner = there["boards"].as_array().map_or(0, Vec::len);
            let plies = there["plies"].as_array().unwrap().len();
            // A mega-move is as likely as any board.
            if plies > 0 && chance.below(inner + 1) == 0 {
                return any_of(&there["plies"], chance);
            }
            if inner == 0 {
                break;
            }
            board = any_of(&there["boards"], chance);
        }
    }
}

/// The record of a game whose acts are typed in a terminal, as a journal has them, and what was refused.
fn typed(options: &[&str], journal: &str) -> (String, String) {
    let mut lines = String::new();
    for line in journal.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        if let Some(ply) = entry["act"][0]["made"]["coord"].as_str() {
            lines += ply;
            lines.push('\n');
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.npgn");
    let child = Command::new(env!("CARGO_BIN_EXE_overboard"))
        .args(["desk", "--terminal", "--quiet"])
        .arg(&path)
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = child.unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let done = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(done.status.success());
    let said = String::from_utf8(done.stdout).unwrap();
    let refused = said.lines().filter(|line| line.starts_with("not done"));
    let refused = refused.collect::<Vec<_>>().join("\n");
    (fs::read_to_string(path).unwrap(), refused)
}

/// Tests that play games of one kind each.
macro_rules! played_by_clicks {
    ($($name:ident: $ranks:literal, $options:expr;)*) => {
        $(
            #[test]
            #[ignore = "needs Chromium"]
            fn $name() {
                for seed in 1..=tries(1) as u64 {
                    eprintln!("{:?}: game {seed}", $options);
                    play_by_clicks(&$options, $ranks, SCREEN, seed);
                }
            }
        )*

        /// Each game can be played by clicks.
        #[test]
        fn every_game_is_played_by_clicks() {
            let played: Vec<Vec<&str>> = vec![$($options.to_vec()),*];
            for game in Variant::ALL {
                let is_it = |name: &str| Variant::of(Some(name.as_bytes())) == Some(*game);
                let has_one = played.iter().any(|options| is_it(options[1]));
                assert!(has_one, "{}", game.name());
            }
        }
    };
}

played_by_clicks! {
    chess: 8, ["--variant", "chess"];
    chess960: 8, ["--variant", "chess960", "--tag", "SetUp=1", "--tag", "FEN=rkbbqnnr/pppppppp/8/8/8/8/PPPPPPPP/RKBBQNNR w KQkq - 0 1"];
    crazyhouse: 8, ["--variant", "crazyhouse"];
    crazyhouse960: 8, ["--variant", "crazyhouse960", "--tag", "SetUp=1", "--tag", "FEN=rkbbqnnr/pppppppp/8/8/8/8/PPPPPPPP/RKBBQNNR[] w KQkq - 0 1"];
    bughouse: 8, ["--variant", "bughouse"];
    olympic: 5, ["--variant", "olympic"];
    metachess: 8, ["--variant", "metachess"];
    strategichess: 14, ["--variant", "strategichess"];
    linked_boards: 14, ["--variant", "strategichess", "--boards", "2"];
    overchess: 8, ["--variant", "overchess"];
    overchess_with_prisoners: 8, ["--variant", "overchess", "--rules", "prisoners:consolidation"];
    overchess_with_reserves: 8, ["--variant", "overchess", "--rules", "fog:reserves=team/2P1N/3P"];
    mega_chess: 8, ["--variant", "mega-chess"];
    recursive: 8, ["--variant", "recursive"];
    boards_in_boards: 8, ["--variant", "recursive", "--level", "2"];
    boards_in_boards_in_boards: 8, ["--variant", "recursive", "--level", "3"];
}

#[test]
#[ignore = "needs Chromium"]
fn a_telephone_is_wide_enough() {
    let options = ["--variant", "overchess", "--rules", "prisoners"];
    play_by_clicks(&options, 8, TELEPHONE, 3);
}

/// Two people on two screens, and a third who looks on and can do nothing.
#[test]
#[ignore = "needs Chromium"]
fn two_browsers_play_each_other() {
    let names = ["--variant", "overchess", "--white", "Ann", "--black", "Bob"];
    let desk = Desk::begin(&names);
    let mut chance = Chance::seeded(5);
    let mut players =
        ["Ann (White)", "Bob (Black)"].map(|who| Player::at(&desk.link(who), 8, SCREEN));
    let mut spectator = Player::at(&desk.link("Spectators"), 8, SCREEN);
    // In the sub-game the attacker, who is Ann's, has White.
    let plies = [
        (0, "e2e4"),
        (1, "d7d5"),
        (0, "e4d5"),
        (0, "d5.e2e4"),
        (1, "d5.e7e5"),
        (0, "d5.d1h5"),
        (1, "d5.b8c6"),
    ];
    for (mover, ply) in plies {
        players[mover].until("document.querySelectorAll('#due .own').length === 1");
        players[1 - mover].until("document.querySelectorAll('#due .own').length === 0");
        players[mover].play(&mut chance, ply);
    }
    spectator.until("document.getElementById('moves').innerText.includes('Nc6')");
    for player in players.iter_mut().chain([&mut spectator]) {
        player.until("document.getElementById('moves').innerText.includes('Nc6')");
        assert_eq!(player.browser.troubles(), Vec::<String>::new());
    }
    spectator.square("d5", "f1");
    assert!(
        !spectator
            .browser
            .is("document.querySelectorAll('#picture .ways circle').length > 0")
    );
}
