//! Whole games through a desk, and what becomes of them.

use super::{OVERBOARD, is_clean, moves, new, open, typed};
use crate::{chance::Chance, records::Agreed, text::canonical};
use overboard_games::registry::Variant;
use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};
use tempfile::TempDir;

/// Random games to their ends, or of 400 acts: the record is the game that was played.
#[test]
fn long_games_of_every_kind_are_kept() {
    let kinds = [
        Agreed::on(Variant::Chess, 1, None, ""),
        Agreed::on(Variant::Chess960, 1, None, ""),
        Agreed::on(Variant::Olympic, 1, None, ""),
        Agreed::on(Variant::Meta, 1, None, ""),
        Agreed::on(Variant::Strategi, 1, None, ""),
        Agreed::on(Variant::Strategi, 3, None, ""),
        Agreed::on(Variant::Over, 1, None, "fog:prisoners:consolidation"),
        Agreed::on(Variant::Over, 1, None, "depth=2:prisoners"),
        Agreed::on(Variant::Mega, 1, Some(1), ""),
        Agreed::on(Variant::Mega, 1, Some(2), ""),
    ];
    let mut chance = Chance::seeded(92);
    let folder = folder_in_memory();
    let mut number = 0;
    for agreed in kinds {
        for _ in 0..20 {
            number += 1;
            let played = agreed.play(400, &mut chance);
            let path = folder.path().join(format!("{number}.npgn"));
            let mut keeper = open(&path, Some(&new(&agreed)));
            for act in 0..played.acts.len() {
                typed(&mut keeper, &played, act, chance.below(2) == 0);
            }
            keeper.save().unwrap();
            let record = fs::read_to_string(&path).unwrap();
            is_clean(&record);
            let canonical = String::from_utf8(canonical(played.text.as_bytes())).unwrap();
            assert_eq!(moves(&record), moves(&canonical), "{agreed:?}");
        }
    }
}

/// A folder in memory, where the system has one: every act waits for the disk, and here it is not the disk that is tested.
fn folder_in_memory() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// Runs the program in a folder; what it prints.
fn overboard(folder: &Path, args: &[&str]) -> String {
    let output = Command::new(OVERBOARD)
        .current_dir(folder)
        .args(args)
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {words}{errors}");
    words
}

/// A match on linked boards is played in a terminal, and one command each makes its sheets, its result in the event and
/// its page.
#[test]
fn a_kept_match_becomes_sheets_a_result_and_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    overboard(
        at,
        &[
            "event",
            "new",
            "cup",
            "--game",
            "strategichess",
            "--boards",
            "2",
        ],
    );
    for (team, players) in [("Bath", "Ann;Bob"), ("York", "Cy;Di")] {
        overboard(at, &["event", "enter", "cup", team, "--players", players]);
    }
    overboard(at, &["pair", "next", "cup"]);
    overboard(
        at,
        &[
            "event",
            "cards",
            "cup",
            "--round",
            "1",
            "--npgn",
            "--out",
            "match.npgn",
        ],
    );
    let mut desk = Command::new(OVERBOARD)
        .current_dir(at)
        .args(["desk", "match.npgn", "--terminal", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut keys = desk.stdin.take().unwrap();
    keys.write_all(b"by Ann A:g7\nby Bob B:g7\nby Cy A:g8\nresign B\n")
        .unwrap();
    drop(keys);
    assert!(desk.wait().unwrap().success());
    overboard(at, &["unbundle", "match.npgn", "--output", "sheets.npgn"]);
    let sheets = fs::read_to_string(at.join("sheets.npgn")).unwrap();
    assert_eq!(sheets.matches("[Parent ").count(), 2, "{sheets}");
    let said = overboard(at, &["result", "cup", "1", "--from", "match.npgn"]);
    assert!(said.contains("table 1: 1-0 (2-0)"), "{said}");
    overboard(at, &["view", "match.npgn", "--output", "match.html"]);
    let page = fs::read_to_string(at.join("match.html")).unwrap();
    assert!(
        page.contains("Bath") && page.contains("resignation"),
        "{page}"
    );
}

/// Where the journal cannot grow, the act is refused, nothing is lost, and the desk goes on when there is room again.
#[cfg(unix)]
#[test]
fn an_act_that_finds_no_room_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Files may have eight blocks of 512 bytes; a write beyond that fails as on a full disk.
    let script = format!("trap '' XFSZ; ulimit -f 8; exec '{OVERBOARD}' \"$@\"");
    let acts: String = ["e4", "e5", "Nf3", "Nc6"]
        .map(|ply| format!("{ply}\n"))
        .concat()
        + &"comment a rather long remark, so that the journal grows\n".repeat(40);
    let mut desk = Command::new("sh")
        .current_dir(at)
        .args([
            "-c",
            &script,
            "sh",
            "desk",
            "a.npgn",
            "--terminal",
            "--quiet",
            "--variant",
            "chess",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keys = desk.stdin.take().unwrap();
    keys.write_all(acts.as_bytes()).unwrap();
    drop(keys);
    let output = desk.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let refused = said.matches("the act was not done").count();
    assert!(refused > 0, "{said}");
    let keeper = open(&at.join("a.npgn"), None);
    assert_eq!(keeper.acts() + refused, 44, "{said}");
    is_clean(&keeper.text());
}
