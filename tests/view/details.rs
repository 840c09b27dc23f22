//! What is shown around the squares, and how the page reacts to keys and fingers.

use super::{DESK, Reader, TELEPHONE, page, random_games, root};
use serde_json::{Value, json};
use std::{fs, thread::sleep, time::Duration};

/// When the black knight on d5 gets its lost knight back, the other black knight has an equal sub-set: only the change
/// on d5 is shown.
#[test]
fn changes_by_a_sub_game_are_shown_for_the_right_piece() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        fs::read_to_string(page(&folder, &root().join("examples/overchess.npgn"), 1)).unwrap();
    let (_, tape) = text
        .split_once("<script id=\"tape\" type=\"application/json\">")
        .unwrap();
    let tape: Value = serde_json::from_str(tape.split_once("</script>").unwrap().0).unwrap();
    let rosters = tape["steps"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|step| step[4]["rosters"].as_array());
    let before = json!([["N", "d5", "8P2R1N2B1Q", "36", "1N"]]);
    let tables: Vec<_> = rosters
        .flatten()
        .filter(|table| table[2] == before)
        .collect();
    assert_eq!(tables.len(), 1);
    assert_eq!(tables[0][3], json!([["N", "d5", "8P2R2N2B1Q", "39", "-"]]));
}

const LINKED: &str = "[White \"Ann <i>:Bartholomew Montgomery\"]\n[Black \"Di:Ed\"]\n[Result \"*\"]\n[Boards \"A:B\"]\n\
    [Variant \"StrategiChess\"]\n\n1A. Nn5 {[%clk 1:59:40]} 1B. e7 {[%clk 26:00:05]} 1a. h8 {[%clk 0:07:03]} *\n";

#[test]
#[ignore = "needs Chromium: `just view`"]
fn linked_boards_name_their_players_and_clocks() {
    let mut browser = Reader::of("match.npgn", LINKED, "");
    let heads = |browser: &mut Reader, address: &str| {
        browser.go(address, DESK);
        browser.js(
            "[...document.querySelectorAll('#picture .name')].map(name => name.textContent.trim())",
        )
    };
    assert_eq!(
        heads(&mut browser, "#g1/end"),
        json!([
            "Board A: Ann <i> 1:59:40 – Di 0:07:03",
            "Board B: Bartholomew… 26:00:05 – Ed"
        ])
    );
    assert_eq!(
        heads(&mut browser, "#g1/1A")[0],
        "Board A: Ann <i> 1:59:40 – Di"
    );
    let title = browser.js("document.querySelector('h1').textContent");
    assert_eq!(title, "Ann <i>; Bartholomew Montgomery – Di; Ed *");
    assert_eq!(browser.troubles(), [""; 0]);
}

/// Boards inside an inner board are drawn as pieces, and the only highlights on it are the squares that a ply has
/// changed.
const BUGHOUSE: &str = "[White \"Ann:Bob\"]\n[Black \"Di:Ed\"]\n[Result \"*\"]\n[Variant \"Bughouse\"]\n\n\
    1A. e4 1B. e4 1a. d5 2A. exd5 1b. P@e5 *\n";

/// Partners sit beside each other, and an arrow leads from a capture to the pocket where the piece goes.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn partners_sit_beside_each_other() {
    let mut browser = Reader::of("bughouse.npgn", BUGHOUSE, "");
    browser.go("#g1/1a", DESK);
    let heads = browser.js(
        "[...document.querySelectorAll('#picture .name')].map(name => name.textContent.trim().replace(/ +/g, ' '))",
    );
    assert_eq!(heads, json!(["Board A: Ann – Di", "Board B: Ed – Bob"]));
    // The squares of a board that is turned round are.
    let turned = "['A', 'B'].map((path) => document.querySelector(`#picture .bd[data-p=${path}] use`).hasAttribute('transform'))";
    assert_eq!(browser.js(turned), json!([false, true]));
    let arrows = "document.querySelectorAll('#picture .sent path').length";
    assert_eq!(browser.js(arrows), 0);
    browser.go("#g1/2A", DESK);
    assert_eq!(browser.js(arrows), 2);
    browser.go("#g1/1b", DESK);
    assert_eq!(browser.js(arrows), 0);
    assert_eq!(browser.troubles(), [""; 0]);
}

/// The players of a record in BPGN are named as those of any other.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn players_of_bpgn_are_named() {
    let tags = "[WhiteA \"Ann\"][BlackA \"Di\"]\n[WhiteB \"Ed\"][BlackB \"Bob\"]\n";
    let mut browser = Reader::of("match.bpgn", &format!("{tags}\n1A. e4{{179.5}} *\n"), "");
    browser.go("#g1/1A", DESK);
    let title = browser.js("document.querySelector('h1').textContent");
    assert_eq!(title, "Ann; Bob – Di; Ed");
    assert_eq!(browser.troubles(), [""; 0]);
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn boards_in_boards_are_drawn_two_deep() {
    let mut browser = Reader::start();
    let file = random_games(
        &browser.folder,
        &["recursive", "--level", "2"],
        ["1", "80", "7"],
    );
    browser.write(&file, 1);
    browser.go("", DESK);
    for step in 0..60 {
        browser.press("ArrowRight");
        let seen = browser.js(
            "[document.querySelectorAll('#picture .bd .bd .bd').length, Math.max(0, ...[...document.querySelectorAll('#picture .marks')].map(one => one.querySelectorAll('.last').length))]",
        );
        assert_eq!(seen[0], 0, "{step}");
        assert!(seen[1].as_u64().unwrap() <= 9, "{step}: {seen}");
    }
    // Up to the outermost board, where the boards that were played on show all their pieces.
    browser.press("Escape");
    browser.press("Escape");
    let pieces = browser.js(
        "Object.entries(shown()[1]).filter(([path]) => path).map(([, pieces]) => pieces.length)",
    );
    assert_eq!(pieces, Value::from(vec![32; 32]));
    assert_eq!(browser.troubles(), [""; 0]);
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn an_address_without_a_valid_moment_opens_the_game() {
    let mut browser = Reader::at(&root().join("examples/history.pgn"), "", DESK);
    let caption = "document.getElementById('caption').textContent";
    for (address, expected) in [
        ("#%", "Start"),
        ("#g1/%zz", "Start"),
        ("#g1/99w", "Start"),
        ("#g1/%401", "1. e4"),
    ] {
        browser.go(address, DESK);
        assert_eq!(browser.js(caption), expected, "{address}");
        assert_eq!(
            browser.js("document.getElementById('stage').hidden"),
            false,
            "{address}"
        );
    }
    assert_eq!(browser.troubles(), [""; 0]);
}

/// The keys work wherever the focus is; the slider keeps those that move it.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn keys_still_work_after_using_the_slider_or_the_fen() {
    let mut browser = Reader::at(&root().join("examples/history.pgn"), "", DESK);
    browser.js("document.getElementById('time').focus()");
    browser.press("ArrowRight");
    assert_eq!(browser.js("shown()[0]"), "#g1/1w");
    browser.press("f");
    assert_eq!(
        browser.js("document.getElementById('flip').ariaPressed"),
        "true"
    );
    browser.js("document.getElementById('time').blur(), document.getElementById('copy').click()");
    browser.press("ArrowRight");
    assert_eq!(browser.js("shown()[0]"), "#g1/1b");
    assert_eq!(browser.troubles(), [""; 0]);
}

/// Waits until the page knows that all fingers are lifted. Whether it does before the browser takes the touch back.
fn is_lifted(browser: &mut Reader) -> bool {
    for _ in 0..100 {
        if browser.js("window.taken") == true {
            return false;
        }
        if browser.js("window.lifted") == true {
            return true;
        }
        sleep(Duration::from_millis(20));
    }
    false
}

/// A swipe with one finger steps forward or back; with two fingers the page is enlarged and does not step.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn one_finger_steps_and_two_zoom() {
    let mut browser = Reader::at(&root().join("examples/history.pgn"), "", TELEPHONE);
    browser.js(
        "addEventListener('touchend', (event) => (window.lifted = !event.touches.length), true), \
         addEventListener('touchcancel', () => (window.taken = true), true)",
    );
    let swipe = |browser: &mut Reader, from: [u32; 2], to: [u32; 2], expected: &str| {
        let fingers = |places: [u32; 2]| {
            let places: Vec<_> = places.into_iter().filter(|x| *x > 0).collect();
            Value::from_iter(
                (0..)
                    .zip(places)
                    .map(|(id, x)| json!({"x": x, "y": 300, "id": id})),
            )
        };
        // On a busy machine a finger may rest so long that the browser takes it for one that asks for a menu: it takes
        // the touch back then, or never says that the finger was lifted.
        for _ in 0..20 {
            browser.js("window.lifted = window.taken = false");
            for (kind, places) in [
                ("touchStart", from),
                ("touchMove", to),
                ("touchEnd", [0, 0]),
            ] {
                browser.call(
                    "Input.dispatchTouchEvent",
                    &json!({"type": kind, "touchPoints": fingers(places)}),
                );
            }
            if is_lifted(browser) {
                return assert_eq!(browser.js("shown()[0]"), expected);
            }
        }
        panic!("the machine is too busy for a swipe");
    };
    for (from, to, expected) in [
        ([300, 0], [100, 0], "#g1/1w"),
        ([300, 0], [100, 0], "#g1/1b"),
        ([100, 0], [300, 0], "#g1/1w"),
        ([200, 100], [350, 20], "#g1/1w"),
    ] {
        swipe(&mut browser, from, to, expected);
    }
    assert_eq!(browser.js("visualViewport.scale > 1"), true);
    assert_eq!(browser.troubles(), [""; 0]);
}
