//! A click on what is drawn explains it, with its rule.

use super::{
    DESK, Reader, TELEPHONE,
    reader::{answer, boxes, middle, mouse},
    root,
};

/// Goes to a moment, clicks on a square, and expects words about it with the rule of its mark.
fn explained(
    browser: &mut Reader,
    (name, game): (&str, u64),
    hash: &str,
    [file, rank, of]: [f64; 3],
    words: &[&str],
) {
    browser.write(&root().join("examples").join(name), game);
    for size in [DESK, TELEPHONE] {
        browser.go(hash, size);
        let place = middle(browser, file, rank, of);
        mouse(browser, "left", place, place);
        expect(browser, &format!("{name} {hash}"), words);
    }
}

/// Clicks on an element, wherever it is on the page.
fn click(browser: &mut Reader, selector: &str) {
    browser.js(&format!(
        "document.querySelector('{selector}').scrollIntoView({{ block: 'center' }})"
    ));
    let [left, top, width, height] = boxes(browser, selector)[0];
    let place = [left + width / 2.0, top + height / 2.0];
    mouse(browser, "left", place, place);
}

fn expect(browser: &mut Reader, what: &str, words: &[&str]) {
    let said = answer(browser);
    for word in words {
        assert!(said.contains(word), "{what}: {word:?} in {said:?}");
    }
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn a_click_explains_what_is_on_a_square() {
    let mut browser = Reader::start();
    let over = ("overchess.npgn", 1);
    for (game, hash, square, words) in [
        (
            over,
            "#g1/1w",
            [4.0, 4.0, 8.0],
            &[
                "e4: White pawn (39)",
                "A full army has 39",
                "OV-14",
                "Yellow",
            ][..],
        ),
        (
            over,
            "#g1/2w",
            [3.0, 3.0, 8.0],
            &["attacks", "OV-2", "A full army has 39"],
        ),
        (
            ("metachess.npgn", 1),
            "#g1/end",
            [0.0, 0.0, 8.0],
            &["a8: empty"],
        ),
        (
            ("metachess.npgn", 1),
            "#g1/17b",
            [3.0, 3.0, 8.0],
            &["d5: ", "rides the lower one", "MC-3"],
        ),
        (
            ("strategichess.npgn", 1),
            "",
            [0.0, 0.0, 14.0],
            &["a14: empty", "road", "SC-6a"],
        ),
        (
            ("olympic.npgn", 1),
            "#g1/13b",
            [3.0, 4.0, 5.0],
            &["d1: Black", "It was promoted", "OC-7"],
        ),
    ] {
        explained(&mut browser, game, hash, square, words);
    }
    assert_eq!(browser.troubles(), [""; 0]);
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn a_click_explains_each_state_of_a_mega_piece() {
    let mut browser = Reader::start();
    let (first, second) = (("megachess.npgn", 1), ("megachess.npgn", 2));
    for (game, hash, square, words) in [
        (
            first,
            "",
            [0.0, 0.0, 8.0],
            &["A8: ", "A mega-piece is a game of chess", "MG-1"][..],
        ),
        (
            second,
            "#g2/end",
            [7.0, 7.0, 8.0],
            &["H1: White rook", "may capture others", "MG-5"],
        ),
        (
            second,
            "#g2/end",
            [0.0, 7.0, 8.0],
            &["A1: White rook", "was drawn", "not capture", "MG-6"],
        ),
        (
            second,
            "#g2/end",
            [4.0, 0.0, 8.0],
            &[
                "E8: Black king",
                "lost the game",
                "never move again",
                "MG-6",
            ],
        ),
    ] {
        explained(&mut browser, game, hash, square, words);
    }
    assert_eq!(browser.troubles(), [""; 0]);
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn a_click_explains_what_is_beside_the_squares() {
    let mut browser = Reader::start();
    for (name, hash, selector, words) in [
        (
            "linked.npgn",
            "",
            "#picture .seam",
            &["Here two boards adjoin", "may cross", "SC-21"][..],
        ),
        (
            "linked.npgn",
            "#g1/4A",
            "#kings",
            &["The kings that each team has left", "SC-26"],
        ),
        (
            "overchess.npgn",
            "#g1/2b",
            "#games .won button",
            &["This sub-game was won", "OV-3"],
        ),
        (
            "overchess.npgn",
            "#g1/2b.d5.2b",
            "#games .open button",
            &["The upper piece attacks the lower one", "OV-2"],
        ),
        (
            "olympic.npgn",
            "#g1/14w",
            ".pocket",
            &["in the hand of a player", "OC-8"],
        ),
    ] {
        browser.write(&root().join("examples").join(name), 1);
        for size in [DESK, TELEPHONE] {
            browser.go(hash, size);
            click(&mut browser, selector);
            expect(&mut browser, &format!("{name} {selector} {size:?}"), words);
        }
    }
    assert_eq!(browser.troubles(), [""; 0]);
}

/// What kind of game it is stands above the board.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn the_kind_of_game_is_in_one_line() {
    let mut browser = Reader::at(&root().join("examples/olympic.npgn"), "", DESK);
    let intro = browser.js("document.querySelector('.intro').textContent");
    assert!(
        intro
            .as_str()
            .unwrap()
            .starts_with("Olympic Chess – Chess on a small board"),
        "{intro}"
    );
    assert_eq!(browser.troubles(), [""; 0]);
}

/// On a phone the sub-games are far below the board; one that is chosen there is brought into sight.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn a_sub_game_that_is_chosen_is_in_sight() {
    let file = root().join("examples/overchess.npgn");
    let mut browser = Reader::at(&file, "#g1/2b", TELEPHONE);
    for selector in ["#games .won button", "#around"] {
        click(&mut browser, selector);
        let [_, top, _, height] = boxes(&mut browser, "#picture")[0];
        assert!(
            top >= 0.0 && top + height <= f64::from(TELEPHONE.1),
            "{selector}: {top} {height}"
        );
    }
    assert_eq!(browser.troubles(), [""; 0]);
}
