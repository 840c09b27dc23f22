//! Help in either way, full disks and any number of threads. What else the command line accepts and refuses is shown by the
//! cases in `tests/cli`.

use crate::run::{overboard, printed, tool};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};
use tempfile::TempDir;

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The output of a run that succeeds.
#[track_caller]
fn good(args: &[&str]) -> String {
    let output = overboard(args);
    let (text, exit) = printed(&output);
    assert_eq!(exit, 0, "{args:?}: {text}{}", said(&output));
    text
}

/// A folder with this file in it, and the path of the file.
fn file(name: &str, bytes: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// `help` is also a command, as in other programs.
#[test]
fn help_is_asked_for_in_either_way() {
    for words in [
        &[][..],
        &["check"],
        &["event"],
        &["event", "new"],
        &["pair", "next"],
    ] {
        let option = good(&[words, &["--help"]].concat());
        assert_eq!(good(&[&["help"], words].concat()), option, "{words:?}");
    }
    assert_eq!(
        good(&["event", "help", "new"]),
        good(&["event", "new", "--help"])
    );
}

/// The help of a command is longer than the line in the list of commands.
#[test]
fn long_help_is_printed() {
    assert!(good(&["check", "--help"]).contains("Moves after an illegal one are not judged."));
    assert!(good(&["score", "--help"]).contains("both possible endings are counted"));
    assert!(!good(&["score", "-h"]).contains("both possible endings are counted"));
}

/// If the disk is full, the message names the file that is written.
#[cfg(unix)]
#[test]
fn a_full_disk_is_said_of_the_file_that_is_written() {
    let games = "[Event \"A\"]\n\n1. e4  e5 2. Nf3 *\n".repeat(4_000);
    let (folder, path) = file("games.pgn", &games);
    let out = folder.path().join("out.npgn");
    for args in [
        &["fmt", "--write", text(&path)][..],
        &["bundle", "--output", text(&out), text(&path)],
        &["unbundle", "--output", text(&out), text(&path)],
    ] {
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"])
            .arg(tool().get_program());
        let output = shell.args(args).env("NO_COLOR", "1").output().unwrap();
        let why = said(&output);
        let file = if args[0] == "fmt" { &path } else { &out };
        assert_eq!(output.status.code(), Some(2), "{args:?}: {why}");
        assert!(
            why.contains(&format!("error: {}: ", file.display())),
            "{args:?}: {why}"
        );
        assert!(!why.contains("standard output"), "{args:?}: {why}");
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            games,
            "it is left as it was"
        );
    }
}

/// No more threads are started than can work.
#[test]
fn any_number_of_threads_comes_to_an_end() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/history.pgn");
    let one = good(&["check", "-j", "1", text(&root)]);
    assert_eq!(good(&["check", "-j", "65535", text(&root)]), one);
    let play = |jobs| {
        good(&[
            "selfplay", "--player", "random", "--games", "40", "-j", jobs,
        ])
    };
    assert_eq!(play("65535"), play("1"));
}
