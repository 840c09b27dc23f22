//! Many boards: an overview of all of them, from which each can be made large.

use super::{DESK, Reader, TELEPHONE, random_games};
use serde_json::json;

const SCREEN: (u32, u32) = (1920, 1080);

/// The smallest width of the pieces on the outermost of the boards shown.
const SMALLEST: &str = "Math.min(...[...document.querySelectorAll('#picture > g > .bd > .men > use, #picture > g > .bd > .men > g > use')].map(one => {
  const square = one.ownerSVGElement.getBoundingClientRect().width / one.ownerSVGElement.viewBox.baseVal.width;
  const scale = /scale\\(([.\\d]+)\\)/.exec(one.getAttribute('transform') || '');
  return square * (scale ? +scale[1] : 1);
}))";

/// Whether all boards are inside the window.
const ALL_SEEN: &str = "[...document.querySelectorAll('#picture .bd')].every(one => { const box = one.getBoundingClientRect(); return box.left >= -1 && box.right <= innerWidth + 1; }) && document.documentElement.scrollWidth <= innerWidth";

/// All linked boards are seen at once, and a click on one, or Enter, makes it large; the others are still named.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn eight_linked_boards_are_all_seen_and_each_can_be_made_large() {
    let mut browser = Reader::start();
    let file = random_games(
        &browser.folder,
        &["strategichess", "--boards", "8"],
        ["1", "60", "3"],
    );
    browser.write(&file, 1);
    for size in [SCREEN, DESK, TELEPHONE] {
        browser.go("", size);
        for _ in 0..20 {
            browser.press("ArrowRight");
        }
        assert_eq!(
            browser.js("document.querySelectorAll('#picture .bd').length"),
            8
        );
        assert_eq!(browser.js(ALL_SEEN), true, "{size:?}");
        assert_ne!(
            browser.js("document.querySelectorAll('#picture .last').length"),
            0
        );
        browser.press("Enter");
        assert_eq!(
            browser.js("document.querySelectorAll('#picture .bd').length"),
            1
        );
        assert_eq!(
            browser.js("document.querySelectorAll('#around .chip').length"),
            8
        );
        assert_eq!(
            browser.js("document.querySelectorAll('#around .chip.shown').length"),
            1
        );
        if size == SCREEN {
            assert!(browser.js(SMALLEST).as_f64().unwrap() >= 40.0);
        }
        browser.press("Escape");
        assert_eq!(
            browser.js("document.querySelectorAll('#picture .bd').length"),
            8
        );
    }
    browser.go("", SCREEN);
    browser.js("(() => { const box = document.querySelector('[data-p=F]').getBoundingClientRect(); const at = { bubbles: true, clientX: box.left + 20, clientY: box.top + 20 }; document.elementFromPoint(at.clientX, at.clientY).dispatchEvent(new MouseEvent('click', at)); })()");
    assert_eq!(
        browser.js("document.querySelector('#picture .bd').dataset.p"),
        "F"
    );
    // And from the keyboard, by name.
    browser.js("document.getElementById('board').focus()");
    let choice =
        browser.js("[...document.getElementById('board').options].map(one => one.textContent)");
    assert_eq!(choice[0], "all");
    assert_eq!(choice[2], "B: level, White to move");
    assert_eq!(browser.troubles(), [""; 0]);
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn every_board_of_megachess_says_how_it_stands() {
    let mut browser = Reader::start();
    let file = random_games(&browser.folder, &["mega-chess"], ["1", "1200", "3"]);
    browser.write(&file, 1);
    browser.go("", SCREEN);
    browser.press("End");
    for _ in 0..3 {
        browser.press("ArrowLeft");
    }
    let states = browser.js("[...document.querySelectorAll('#picture .state')].map(one => [one.querySelectorAll('circle').length, one.textContent])");
    let states: Vec<(u64, String)> = serde_json::from_value(states).unwrap();
    assert!(states.len() > 20, "{}", states.len());
    assert!(
        states
            .iter()
            .any(|(turn, lead)| *turn > 0 && lead.starts_with('+'))
    );
    assert!(
        browser.js(SMALLEST).as_f64().unwrap() >= 40.0,
        "mega-pieces are large"
    );
    // The boards of this turn are lit.
    assert_ne!(
        browser.js("document.querySelectorAll('#picture > g > .bd > .marks > .last').length"),
        0
    );
    browser.press("Enter");
    assert_eq!(
        browser.js("document.querySelectorAll('#picture .bd').length"),
        1
    );
    assert!(browser.js(SMALLEST).as_f64().unwrap() >= 40.0);
    assert_eq!(
        browser.js("document.getElementById('around').hidden"),
        false,
        "there is more"
    );
    assert_eq!(browser.troubles(), [""; 0]);
}

/// At any depth: a board whose pieces are boards has them as an overview, and each of these can be entered.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn boards_at_any_depth_can_be_entered() {
    let mut browser = Reader::start();
    let file = random_games(
        &browser.folder,
        &["recursive", "--level", "2"],
        ["1", "40", "7"],
    );
    browser.write(&file, 1);
    browser.go("", SCREEN);
    for _ in 0..8 {
        browser.press("ArrowRight");
    }
    browser.press("Escape");
    browser.press("Escape");
    let mut depths = Vec::new();
    for _ in 0..2 {
        depths.push(browser.js("document.querySelectorAll('#picture .bd').length"));
        assert!(browser.js(SMALLEST).as_f64().unwrap() >= 40.0);
        browser.press("Enter");
    }
    assert_eq!(depths[0], json!(33));
    assert_eq!(
        browser.js("document.querySelectorAll('#picture .bd').length"),
        1
    );
    assert_eq!(
        browser.js("document.getElementById('around').hidden"),
        false
    );
    assert_eq!(browser.troubles(), [""; 0]);
}

/// A step to another board of boards changes what differs, and keeps the rest of the picture; what is shown then is what a page
/// shows that is opened there.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn the_picture_of_another_board_of_boards_is_kept() {
    let mut browser = Reader::start();
    let file = random_games(
        &browser.folder,
        &["recursive", "--level", "2"],
        ["1", "200", "7"],
    );
    browser.write(&file, 1);
    browser.go("#g1/@1", DESK);
    browser.js("window.first = document.querySelector('#picture .bd')");
    let view =
        |browser: &mut Reader| browser.js("document.querySelector('#picture .bd').dataset.p");
    let before = view(&mut browser);
    while view(&mut browser) == before {
        browser.press("ArrowRight");
    }
    assert_eq!(
        browser.js("document.querySelector('#picture .bd') === first"),
        true
    );
    let picture = "document.getElementById('picture').innerHTML";
    let step = browser.js("document.getElementById('time').value");
    let (shown, drawn) = (browser.js("shown()"), browser.js(picture));
    browser.go(&format!("#g1/@{}", step.as_str().unwrap()), DESK);
    assert_eq!(browser.js("shown()"), shown);
    assert_eq!(browser.js(picture), drawn);
    let elements = browser.js("document.querySelectorAll('#picture *').length");
    assert!(elements.as_u64().unwrap() < 1500, "{elements}");
    assert_eq!(browser.troubles(), [""; 0]);
}

/// However many boards there are, their lanes leave room for what is below.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn boards_of_boards_share_the_lanes_of_the_outermost() {
    let mut browser = Reader::start();
    let file = random_games(
        &browser.folder,
        &["recursive", "--level", "2"],
        ["1", "600", "1"],
    );
    browser.write(&file, 1);
    browser.go("", DESK);
    let height = browser.js("document.getElementById('lanes').getBoundingClientRect().height");
    assert!(height.as_f64().unwrap() < 130.0, "{height}");
    assert_eq!(browser.troubles(), [""; 0]);
}
