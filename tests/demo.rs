//! A newcomer's first minute: `demo` for every game.

use crate::run::{overboard, printed, tool};
use overboard_games::registry::Variant;
use std::{fs, path::Path};
use tempfile::TempDir;

/// The output of the command in this folder, its messages, and its exit code.
fn demo(folder: &Path, args: &[&str]) -> (String, String, i32) {
    let output = tool()
        .arg("demo")
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap();
    let (text, exit) = printed(&output);
    (
        text,
        String::from_utf8_lossy(&output.stderr).into_owned(),
        exit,
    )
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

/// Plays a game; what is printed is true, and the suggested commands work.
fn plays(args: &[&str], stem: &str) {
    let room = TempDir::new().unwrap();
    let (text, complaint, exit) = demo(room.path(), args);
    assert_eq!((exit, complaint.as_str()), (0, ""), "{args:?}\n{text}");
    assert!(
        text.contains("): clean\n") && text.contains("1 game: 1 clean, 0 with errors"),
        "{text}"
    );
    let folder = room.path().join("overboard-demo");
    assert_eq!(
        names(&folder),
        ["html", "npgn", "svg"].map(|ending| format!("{stem}.{ending}"))
    );
    for name in names(&folder) {
        assert!(
            text.contains(&format!("  overboard-demo/{name} ")),
            "{text}"
        );
    }
    let record = folder.join(format!("{stem}.npgn"));
    assert_eq!(
        printed(&overboard(&["fmt", "--check", record.to_str().unwrap()])).1,
        0
    );
    let svg = fs::read_to_string(folder.join(format!("{stem}.svg"))).unwrap();
    roxmltree::Document::parse(&svg).unwrap();
    // Every suggested command works, except the one that plays twenty games.
    let proposed: Vec<_> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("overboard "))
        .collect();
    assert!(proposed.len() >= 4, "{text}");
    for command in proposed
        .iter()
        .filter(|command| !command.starts_with("selfplay"))
    {
        let words = command.split(' ').map(|word| word.trim_matches('\''));
        let output = tool()
            .args(words)
            .current_dir(room.path())
            .output()
            .unwrap();
        assert_eq!(printed(&output).1, 0, "{command}");
    }
    // A second run gives the same game, and writes nothing.
    let (again, _, exit) = demo(room.path(), args);
    assert_eq!((again, exit), (text, 0));
}

#[test]
fn every_game_has_a_demonstration() {
    for (_, name) in Variant::arguments() {
        plays(&[name], &format!("{name}-seed-1"));
    }
}

#[test]
fn boards_rules_and_seeds_can_be_named() {
    let game = Variant::arguments()
        .find(|(game, _)| game.info().has_boards)
        .unwrap()
        .1;
    plays(&[game, "--boards", "2"], &format!("{game}-2-boards-seed-1"));
    plays(
        &["overchess", "--rules", "prisoners:consolidation"],
        "overchess-prisoners-consolidation-seed-1",
    );
    plays(&["OLYMPIC", "--seed", "7"], "olympic-seed-7");
    let room = TempDir::new().unwrap();
    let game = |seed: &str| {
        assert_eq!(
            demo(room.path(), &["olympic", "--seed", seed, "--folder", seed]).2,
            0
        );
        fs::read_to_string(
            room.path()
                .join(seed)
                .join(format!("olympic-seed-{seed}.npgn")),
        )
        .unwrap()
    };
    let moves = |text: &str| text.split("\n\n").nth(1).unwrap().to_string();
    assert_ne!(moves(&game("1")), moves(&game("2")));
}

#[test]
fn what_is_not_its_own_is_not_replaced() {
    let room = TempDir::new().unwrap();
    let folder = room.path().join("overboard-demo");
    fs::create_dir(&folder).unwrap();
    let mine = folder.join("olympic-seed-1.svg");
    fs::write(&mine, "mine").unwrap();
    let (text, complaint, exit) = demo(room.path(), &["olympic"]);
    assert_eq!((text.as_str(), exit), ("", 2));
    assert!(
        complaint.contains("olympic-seed-1.svg: another file with this name exists"),
        "{complaint}"
    );
    // The record is not written either.
    assert_eq!(
        (names(&folder), fs::read_to_string(mine).unwrap()),
        (vec!["olympic-seed-1.svg".into()], "mine".into())
    );
    fs::write(room.path().join("file"), "").unwrap();
    let (_, complaint, exit) = demo(room.path(), &["olympic", "--folder", "file"]);
    assert!(
        exit == 2 && complaint.contains("not a folder"),
        "{complaint}"
    );
}

#[test]
fn what_cannot_be_played_is_refused() {
    let room = TempDir::new().unwrap();
    for (args, why) in [
        (&["no-such-game"][..], "invalid value"),
        (&["chess", "--boards", "2"], "Chess has one board"),
        (&["olympic", "--rules", "fog"], "fog"),
    ] {
        let (text, complaint, exit) = demo(room.path(), args);
        assert_eq!((text.as_str(), exit), ("", 2), "{args:?}");
        assert!(complaint.contains(why), "{args:?}: {complaint}");
    }
    assert!(names(room.path()).is_empty());
}
