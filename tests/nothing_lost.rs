//! What is written is whole, or refused: nothing of the input is left out silently.

use crate::run::{overboard, printed};
use serde_json::Value;
use std::fs;

/// Runs a command on a file with this text; returns its output, its messages and its exit code.
fn run(command: &[&str], text: &str) -> (String, String, i32) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.npgn");
    fs::write(&file, text).unwrap();
    let output = overboard(&[command, &[file.to_str().unwrap()]].concat());
    let (written, exit) = printed(&output);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (written, said, exit)
}

#[test]
fn a_record_that_is_no_text_is_a_whole_line() {
    for text in ["1. e4 *\n", "{only}\n", "; only\n% this\n", "\0\0\n"] {
        let (lines, _, exit) = run(&["convert", "--to", "jsonl"], text);
        assert_eq!(lines.lines().count(), 1, "{text}");
        let line: Value = serde_json::from_str(&lines).unwrap();
        assert_eq!(line["lost"].is_string(), exit == 2, "{text}");
    }
}

#[test]
fn numbers_without_a_ply_stay_apart() {
    for numbers in ["12 .", "1. ...", "1 2 3.", "... 4", "5. 6...", "7 .. 8"] {
        let text = format!("[Variant \"Unknown\"]\n\n1. e4 {numbers} e5 *\n");
        let (written, ..) = run(&["fmt"], &text);
        let words: Vec<_> = written.split_whitespace().collect();
        let expected: Vec<_> = numbers.split(' ').collect();
        assert!(
            words.windows(expected.len()).any(|words| words == expected),
            "{numbers}: {written}"
        );
        assert_eq!(run(&["fmt"], &written).0, written);
    }
}

#[test]
fn no_part_of_a_run_that_is_too_long_to_be_kept_is_written() {
    const MEGABYTE: usize = 1 << 20;
    for sign in ["!", "+", "$0", ".", "~", "["] {
        let last = &sign[sign.len() - 1..];
        let text = format!(
            "[Event \"?\"]\n\n1. e4 {sign}{} e5 *\n",
            last.repeat(MEGABYTE)
        );
        let (_, said, exit) = run(&["fmt"], &text);
        assert!(
            exit == 2 && said.contains("too long to be kept"),
            "{sign}: {said}"
        );
    }
}
