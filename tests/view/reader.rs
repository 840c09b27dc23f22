//! What a reader of one board sees and can do, also without seeing or without a mouse.

use super::{DESK, Reader, TELEPHONE, root};
use serde_json::{Value, json};
use std::{
    fs,
    thread::sleep,
    time::{Duration, Instant},
};

/// A game with everything that annotators write, an illegal move, and clocks.
const ANNOTATED: &str = "[Event \"Cup\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"*\"]\n[TimeControl \"40/5400+30:1800\"]\n\n\
    1. e4! {Best by test. [%csl Ge4,Rconstructor,Yz99][%cal Re2e4]} e5 {[%clk 1:29:50]} 2. Nf3?! Nc6 (2... d6 {Philidor} (2... Nf6 $5 3. Nxe5) 3. d4) \
    3. Ke5 a6 4. Ba4 Nf6 *\n";

/// The boxes of some elements: left, top, width, height.
pub fn boxes(browser: &mut Reader, selector: &str) -> Vec<[f64; 4]> {
    let all = browser.js(&format!(
        "[...document.querySelectorAll('{selector}')].map(one => one.getBoundingClientRect()).map(box => [box.left, box.top, box.width, box.height])"
    ));
    serde_json::from_value(all).unwrap()
}

pub fn answer(browser: &mut Reader) -> String {
    let text = browser.js("document.getElementById('answer').textContent");
    text.as_str().unwrap().to_owned()
}

/// Presses and lifts a mouse button, somewhere else if there is a second place.
pub fn mouse(browser: &mut Reader, button: &str, from: [f64; 2], to: [f64; 2]) {
    for (kind, [x, y]) in [
        ("mousePressed", from),
        ("mouseMoved", to),
        ("mouseReleased", to),
    ] {
        browser.call(
            "Input.dispatchMouseEvent",
            &json!({"type": kind, "button": button, "x": x, "y": y, "clickCount": 1}),
        );
    }
}

/// The middle of a square of the board shown, by its file and rank from the upper left corner.
pub fn middle(browser: &mut Reader, file: f64, rank: f64, of: f64) -> [f64; 2] {
    let [left, top, width, _] = boxes(browser, "#picture .bd")[0];
    [
        left + width * (file + 0.5) / of,
        top + width * (rank + 0.5) / of,
    ]
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn one_board_is_as_large_as_the_window_allows() {
    let mut browser = Reader::at(&root().join("examples/history.pgn"), "#g1/2w", (1280, 900));
    let [left, top, width, height] = boxes(&mut browser, "#picture .bd")[0];
    assert!(width >= 768.0 && height >= 768.0, "{width} {height}");
    assert!(left >= 0.0 && top + height <= 900.0);
    let lower = boxes(&mut browser, ".side")[1];
    assert!(
        lower[1] + lower[3] <= 900.0,
        "both players are seen: {lower:?}"
    );
    browser.go("#g1/2w", (390, 844));
    let [_, _, width, _] = boxes(&mut browser, "#picture .bd")[0];
    assert!(width >= 386.0, "{width}");
    let next = boxes(&mut browser, "#next")[0];
    assert!(
        next[1] + next[3] <= 844.0,
        "the controls are seen: {next:?}"
    );
    // Olympic Chess has its pieces in hand beside the players, so that its board is as large.
    browser.write(&root().join("examples/olympic.npgn"), 1);
    browser.go("#g1/14w", (1280, 900));
    assert!(boxes(&mut browser, "#picture .bd")[0][2] >= 768.0);
    assert!(!boxes(&mut browser, ".pocket use").is_empty());
    assert_eq!(browser.troubles(), [""; 0]);
}

/// A page that opens inside a game has the move in sight, also where the tables of a settlement leave little room for the list.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn the_move_at_which_a_page_opens_is_in_sight() {
    let mut browser = Reader::at(
        &root().join("examples/overchess.npgn"),
        "#g1/2b",
        (1280, 900),
    );
    let [_, top, _, height] = boxes(&mut browser, "#moves")[0];
    let [_, at, _, high] = boxes(&mut browser, "#moves [aria-current]")[0];
    assert!(
        at >= top && at + high <= top + height,
        "{at} in {top} {height}"
    );
    // An over-piece that is lost has no sub-set afterwards.
    let after = browser.js("document.querySelector('#rosters .after').textContent");
    assert_eq!(after, "afteroff the board");
    assert_eq!(browser.troubles(), [""; 0]);
}

/// The letters of files are beside the numbers at pieces, and are left out where they would be too small to be read.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn letters_at_the_edge_can_be_read() {
    let mut browser = Reader::at(&root().join("examples/overchess.npgn"), "", DESK);
    let square = boxes(&mut browser, "#picture .bd")[0][2] / 8.0;
    for (file, [left, _, width, _]) in (0..).zip(&boxes(&mut browser, "#picture .edges text")[..8])
    {
        let middle = square * (f64::from(file) + 0.5);
        let edge = boxes(&mut browser, "#picture .bd")[0][0];
        assert!(left + width < edge + middle, "{file}: {left} {width}");
    }
    browser.write(&root().join("examples/linked.npgn"), 1);
    for (size, is_readable) in [((1280, 900), true), (TELEPHONE, false)] {
        browser.go("", size);
        let count = boxes(&mut browser, "#picture .edges text").len();
        assert_eq!(count > 0, is_readable, "{size:?}");
    }
    assert_eq!(browser.troubles(), [""; 0]);
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn moves_are_in_two_columns_with_their_signs_and_variations() {
    let mut browser = Reader::of("cup.pgn", ANNOTATED, "");
    let [white, black] =
        [".own:not(.k)", ".k"].map(|side| boxes(&mut browser, &format!("#moves > {side}")));
    assert!(white.iter().all(|one| one[0] == white[0][0]), "{white:?}");
    assert!(
        black
            .iter()
            .all(|one| one[0] == black[0][0] && one[0] > white[0][0])
    );
    assert_eq!(white[1][1], black[1][1], "2. Nf3 Nc6 are beside each other");
    let numbers =
        browser.js("[...document.querySelectorAll('#moves .n')].map(one => one.textContent)");
    assert_eq!(numbers, json!(["1.", "1...", "2.", "3.", "3...", "4."]));
    let text = browser.js("document.getElementById('moves').textContent");
    let text = text.as_str().unwrap();
    assert!(
        text.contains("Best by test.") && !text.contains(['{', '}']),
        "{text}"
    );
    let colours = browser.js(
        "[...document.querySelectorAll('#moves .m .g')].map(one => getComputedStyle(one).color)",
    );
    assert_ne!(colours[0], colours[1], "! and ?! have colours of their own");
    let tree = browser.js("[...document.querySelectorAll('#moves .v')].map(one => one.parentElement.className + ': ' + one.firstElementChild.textContent)");
    assert_eq!(tree, json!(["two: d6", "v: Nf6"]));
    // Numbers go on after the illegal move, and each is said with its side.
    browser.go("#g1/@6", DESK);
    assert_eq!(
        browser.js("document.getElementById('caption').textContent"),
        "3... a6"
    );
    // Squares that are none are not drawn.
    browser.go("#g1/1w", DESK);
    let drawn = browser.js("document.querySelector('#picture .over').innerHTML");
    let drawn = drawn.as_str().unwrap();
    assert!(
        drawn.contains("cG")
            && drawn.contains("cR arrow")
            && !drawn.contains("NaN")
            && !drawn.contains("cY"),
        "{drawn}"
    );
    assert_eq!(browser.troubles(), [""; 0]);
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn both_clocks_are_shown_from_the_beginning() {
    let mut browser = Reader::of("cup.pgn", ANNOTATED, "");
    let clocks = "[...document.querySelectorAll('.side')].map(one => [one.querySelector('time').textContent, one.classList.contains('turn')])";
    assert_eq!(
        browser.js(clocks),
        json!([["1:30:00", false], ["1:30:00", true]])
    );
    browser.press("ArrowRight");
    assert_eq!(
        browser.js(clocks),
        json!([["1:30:00", true], ["1:30:00", false]])
    );
    browser.press("ArrowRight");
    assert_eq!(
        browser.js(clocks),
        json!([["1:29:50", false], ["1:30:00", true]])
    );
    browser.press("f");
    assert_eq!(
        browser.js(clocks),
        json!([["1:30:00", true], ["1:29:50", false]])
    );
    assert_eq!(browser.troubles(), [""; 0]);
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn the_wheel_steps_and_the_right_button_draws() {
    let mut browser = Reader::at(&root().join("examples/history.pgn"), "", DESK);
    let [x, y] = middle(&mut browser, 4.0, 4.0, 8.0);
    for (turn, expected) in [(100, "#g1/1w"), (100, "#g1/1b"), (-100, "#g1/1w")] {
        browser.call(
            "Input.dispatchMouseEvent",
            &json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": turn}),
        );
        assert_eq!(browser.js("shown()[0]"), expected);
    }
    let (from, to) = (
        middle(&mut browser, 6.0, 7.0, 8.0),
        middle(&mut browser, 5.0, 5.0, 8.0),
    );
    let over = "document.querySelectorAll('#picture .over > *').length";
    mouse(&mut browser, "right", from, to);
    assert_eq!(browser.js(over), 2, "an arrow");
    mouse(&mut browser, "right", to, to);
    assert_eq!(browser.js(over), 3, "and a circle");
    mouse(&mut browser, "right", to, to);
    assert_eq!(browser.js(over), 2, "which the same gesture wipes out");
    browser.press("ArrowRight");
    assert_eq!(browser.js(over), 0);
    assert_eq!(browser.troubles(), [""; 0]);
}

/// A piece glides to its new square, unless the reader prefers less motion.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn pieces_glide_unless_the_reader_prefers_less_motion() {
    let mut browser = Reader::start();
    browser.write(&root().join("examples/history.pgn"), 1);
    for (motion, moving) in [("no-preference", 1), ("reduce", 0)] {
        let features = json!({"features": [{"name": "prefers-reduced-motion", "value": motion}]});
        browser.call("Emulation.setEmulatedMedia", &features);
        browser.go("", DESK);
        sleep(Duration::from_millis(200));
        let seen = browser.js("(press('ArrowRight'), document.getAnimations().length)");
        assert_eq!(seen, moving, "{motion}");
        assert!(browser.js("shown()[0]") == "#g1/1w");
    }
    assert_eq!(browser.troubles(), [""; 0]);
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn what_is_copied_and_saved_is_said() {
    let mut browser = Reader::of("cup.pgn", ANNOTATED, "#g1/1w");
    let folder = browser.folder.path().join("saved");
    fs::create_dir(&folder).unwrap();
    browser.call(
        "Browser.setDownloadBehavior",
        &json!({"behavior": "allow", "downloadPath": folder}),
    );
    browser.js("document.addEventListener('copy', () => (window.copied = getSelection().toString() || document.activeElement.value))");
    for (id, said, copied) in [
        ("copy", "FEN copied.", "4P3"),
        ("record-copy", "Record copied.", ANNOTATED.trim()),
        ("address", "Address copied.", "game.html#g1/1w"),
    ] {
        // A browser copies only what somebody has asked for.
        let click = format!("document.getElementById('{id}').click()");
        browser.call(
            "Runtime.evaluate",
            &json!({"expression": click, "userGesture": true}),
        );
        assert_eq!(
            browser.js(&format!("document.getElementById('{id}').textContent")),
            "Copied"
        );
        assert_eq!(answer(&mut browser), said);
        let text = browser.js("window.copied");
        assert!(text.as_str().unwrap().contains(copied), "{id}: {text}");
    }
    browser.press("s");
    let saved = folder.join("cup.pgn");
    let mut text = String::new();
    for _ in 0..500 {
        // The file is there before its text is.
        text = fs::read_to_string(&saved).unwrap_or_default();
        if text == ANNOTATED {
            break;
        }
        sleep(Duration::from_millis(10));
    }
    assert_eq!(text, ANNOTATED);
    assert_eq!(browser.troubles(), [""; 0]);
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn keys_are_listed_and_the_pace_is_chosen() {
    let mut browser = Reader::at(&root().join("examples/history.pgn"), "", DESK);
    browser.js("press('?')");
    assert_eq!(browser.js("document.getElementById('keys').open"), true);
    browser.press("ArrowRight");
    assert_eq!(
        browser.js("shown()[0]"),
        "#g1/start",
        "keys belong to the list while it is open"
    );
    browser.press("Escape");
    assert_eq!(browser.js("document.getElementById('keys').open"), false);
    // A key that comes before the page without the list has been painted may be lost.
    browser.js("new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))");
    browser.js("press('+')");
    assert_eq!(answer(&mut browser), "0.3 seconds for each step.");
    let step = "+document.getElementById('time').value";
    let begun = Instant::now();
    browser.press(" ");
    while !browser.is(&format!("{step} >= 3")) {
        if begun.elapsed() > Duration::from_secs(60) {
            let state = "[document.activeElement.outerHTML.slice(0, 80), document.getElementById('play').textContent, document.getElementById('time').value, document.visibilityState].join(' | ')";
            panic!("it does not play: {}", browser.js(state));
        }
        sleep(Duration::from_millis(10));
    }
    // The first step is made at once or after the pace; then there are two.
    assert!(begun.elapsed() >= Duration::from_millis(600));
    browser.press(" ");
    let stopped = browser.js(step);
    sleep(Duration::from_millis(900));
    assert_eq!(browser.js(step), stopped);
    assert_eq!(browser.troubles(), [""; 0]);
}

/// An address that names no moment of the game opens it at its beginning, and says so.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn an_unknown_address_is_said() {
    let mut browser = Reader::at(&root().join("examples/history.pgn"), "#g1/99w", DESK);
    assert_eq!(browser.js("shown()[0]"), "#g1/start");
    assert_eq!(answer(&mut browser), "This game has no moment 99w.");
    browser.go("#g1/2w", DESK);
    assert_eq!(answer(&mut browser), "");
    assert_eq!(browser.troubles(), [""; 0]);
}

/// The names in the accessibility tree of those elements that have a role.
fn names(browser: &mut Reader, role: &str) -> Vec<String> {
    let tree = browser.call("Accessibility.getFullAXTree", &json!({}));
    let is_it = |node: &&Value| node["role"]["value"] == role && node["ignored"] != true;
    let nodes = tree["nodes"].as_array().unwrap().iter().filter(is_it);
    nodes
        .map(|node| node["name"]["value"].as_str().unwrap_or("").to_owned())
        .collect()
}

/// Screen readers get a table of named squares, and hear each step in words with what is said about it.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn the_board_and_the_moves_are_in_the_accessibility_tree() {
    let mut browser = Reader::of("cup.pgn", ANNOTATED, "#g1/1w");
    sleep(Duration::from_millis(400));
    let squares = names(&mut browser, "cell");
    assert_eq!(squares.len(), 64);
    assert_eq!(squares[0], "a8 Black rook");
    assert_eq!(squares[36], "e4 White pawn");
    assert_eq!(squares[63], "h1 White rook");
    assert_eq!(names(&mut browser, "table")[0], "Board, Black to move");
    let heard = |browser: &mut Reader| browser.js("document.getElementById('live').textContent");
    for (key, expected) in [
        ("ArrowRight", "1, Black, e5"),
        ("ArrowRight", "2, White, knight f3"),
        ("ArrowRight", "2, Black, knight c6"),
        ("ArrowDown", "Variation. 2, Black, d6. Philidor"),
    ] {
        browser.press(key);
        assert_eq!(heard(&mut browser), expected);
    }
    browser.go("#g1/1b", DESK);
    browser.press("ArrowLeft");
    assert_eq!(heard(&mut browser), "1, White, e4. Best by test.");
    browser.go("#g1/2b", DESK);
    browser.press("ArrowRight");
    let found = heard(&mut browser);
    let found = found.as_str().unwrap();
    assert!(found.starts_with("3, White, king e5. Finding: "), "{found}");
    // The list of moves is one stop of the Tab key, from which the arrows go on.
    let stops = "[...document.querySelectorAll('#moves, #moves *')].filter(one => one.tabIndex >= 0).map(one => one.getAttribute('href'))";
    browser.go("#g1/1w", DESK);
    assert_eq!(browser.js(stops), json!(["#g1/1w"]));
    browser.js("document.querySelector('#moves [aria-current]').focus()");
    browser.press("ArrowRight");
    assert_eq!(
        browser.js("document.activeElement.getAttribute('href')"),
        "#g1/1b"
    );
    assert_eq!(browser.js(stops), json!(["#g1/1b"]));
    assert_eq!(browser.troubles(), [""; 0]);
}
