//! Variations can be entered and left, and show the positions after their moves.

use super::{DESK, Reader, placed, root};
use crate::run::{overboard, printed};
use serde_json::Value;
use std::fs;

const GAME: &str = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"*\"]\n\n\
    1. e4 (1. d4 d5 (1... Nf6 2. c4 e6) 2. c4 {a gambit} e6) 1... e5 2. Nf3 Nc6 (2... d6 3. d4) (2... Nf6) 3. Bb5 *\n";

/// For each variation, in the order of the text, the moves that lead to its last position.
const LINES: [(usize, &str); 9] = [
    (0, "1. d4"),
    (1, "1. d4 d5"),
    (2, "1. d4 Nf6"),
    (3, "1. d4 Nf6 2. c4"),
    (4, "1. d4 Nf6 2. c4 e6"),
    (5, "1. d4 d5 2. c4"),
    (6, "1. d4 d5 2. c4 e6"),
    (8, "1. e4 e5 2. Nf3 d6 3. d4"),
    (9, "1. e4 e5 2. Nf3 Nf6"),
];

/// The pieces on the visible board, sorted.
fn pieces(shown: &Value) -> Vec<(u64, u64, String)> {
    let pieces = shown[1][""].as_array().unwrap().iter();
    let mut pieces: Vec<_> = pieces
        .map(|one| {
            (
                one[0].as_u64().unwrap(),
                one[1].as_u64().unwrap(),
                one[2].as_str().unwrap().to_lowercase(),
            )
        })
        .collect();
    pieces.sort();
    pieces
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn variations_are_stepped_into_and_out_of() {
    let mut browser = Reader::of("game.pgn", GAME, "");
    for (number, line) in LINES {
        browser.js(&format!(
            "document.querySelectorAll('#moves .w')[{number}].click()"
        ));
        let alone = browser.folder.path().join("line.pgn");
        fs::write(&alone, format!("{line} *\n")).unwrap();
        let (fen, _) = printed(&overboard(&["show", "--as-fen", alone.to_str().unwrap()]));
        let mut expected = placed(&fen);
        expected.sort();
        let shown = browser.js("shown()");
        assert_eq!(shown[0], format!("#g1/~{number}"), "{line}");
        assert_eq!(pieces(&shown), expected, "{line}");
        assert_eq!(
            browser.js("document.getElementById('fen').value"),
            fen.trim(),
            "{line}"
        );
        let caption = browser.js("document.getElementById('caption').textContent");
        assert!(
            caption.as_str().unwrap().starts_with("Variation: "),
            "{caption}"
        );
    }
    // With the keyboard: down into the variation of a move, along it, and up to the move that it replaces.
    let at = |browser: &mut Reader| browser.js("shown()[0]").as_str().unwrap().to_owned();
    let mut walk = |keys: &[&str], expected: &str| {
        keys.iter().for_each(|key| browser.press(key));
        assert_eq!(at(&mut browser), expected, "{keys:?}");
    };
    walk(&["Home", "ArrowRight", "ArrowDown"], "#g1/~0");
    walk(&["ArrowRight"], "#g1/~1");
    walk(
        &["ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"],
        "#g1/~4",
    );
    walk(&["ArrowUp"], "#g1/~1");
    walk(&["ArrowUp"], "#g1/1w");
    walk(&["ArrowUp"], "#g1/1w");
    walk(&["End", "ArrowLeft", "ArrowLeft"], "#g1/2b");
    walk(&["ArrowDown"], "#g1/~7");
    walk(&["ArrowDown"], "#g1/~9");
    walk(&["ArrowUp"], "#g1/2b");
    walk(&["ArrowDown", "ArrowLeft"], "#g1/2w");
    // The address of a variation leads there.
    browser.go("#g1/~8", DESK);
    assert_eq!(at(&mut browser), "#g1/~8");
    assert_eq!(browser.js("document.getElementById('aside').hidden"), false);
    assert_eq!(browser.troubles(), [""; 0]);
}

/// Boards that are forfeited by answering a mega-check are marked, and the rule is named.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn forfeited_boards_are_marked_with_the_rule() {
    let mut browser = Reader::at(&root().join("games/examples/MG-11.kept.pgn"), "", DESK);
    browser.press("ArrowRight");
    assert_eq!(
        browser.js("document.querySelectorAll('#picture .lost').length"),
        1
    );
    let law = browser.js("document.querySelector('#notes .law').textContent");
    assert!(
        law.as_str().unwrap().starts_with("Lost: C3 (MG-11, "),
        "{law}"
    );
    browser.press("ArrowRight");
    assert_eq!(
        browser.js("document.querySelectorAll('#picture .lost, #notes .law').length"),
        0
    );
    assert_eq!(browser.troubles(), [""; 0]);
}
