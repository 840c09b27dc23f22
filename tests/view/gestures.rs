//! The wheel and a swipe step, on the page of every kind of game.

use super::{DESK, KINDS, Reader, TELEPHONE, random_games};
use serde_json::{Value, json};

/// The middles of the outermost boards that are shown.
const MIDDLES: &str = "[...document.querySelectorAll('#picture > g > .bd')].map(one => one.getBoundingClientRect()).map(box => [box.left + box.width / 2, box.top + box.height / 2])";

/// Swipes over a place on the screen, to the left or to the right.
const SWIPE: &str = "((x, y, way) => {
  const picture = document.getElementById('picture');
  const finger = (clientX) => [new Touch({ identifier: 1, target: picture, clientX, clientY: y })];
  picture.dispatchEvent(new TouchEvent('touchstart', { touches: finger(x), changedTouches: finger(x) }));
  picture.dispatchEvent(new TouchEvent('touchend', { touches: [], changedTouches: finger(x + way * 100) }));
})";

fn step(browser: &mut Reader) -> u64 {
    let step = browser.js("+document.getElementById('time').value");
    step.as_u64().unwrap()
}

/// The places of the boards that are shown.
fn middles(browser: &mut Reader) -> Vec<Value> {
    browser.js(MIDDLES).as_array().unwrap().clone()
}

/// Steps forward and back over each of the boards that are shown.
fn forward_and_back(browser: &mut Reader, what: &str, to: impl Fn(&mut Reader, &Value, i32)) {
    let start = step(browser);
    for board in 0..middles(browser).len() {
        let place = middles(browser)[board].clone();
        to(browser, &place, 1);
        assert_eq!(step(browser), start + 1, "{what}, board {board}");
        let places = middles(browser);
        let place = places.get(board).unwrap_or(&places[0]).clone();
        to(browser, &place, -1);
        assert_eq!(step(browser), start, "{what}, board {board}");
    }
}

fn wheel(browser: &mut Reader, place: &Value, way: i32) {
    browser.call(
        "Input.dispatchMouseEvent",
        &json!({"type": "mouseWheel", "x": place[0], "y": place[1], "deltaX": 0, "deltaY": way * 100}),
    );
}

fn swipe(browser: &mut Reader, place: &Value, way: i32) {
    browser.js(&format!("{SWIPE}({}, {}, {})", place[0], place[1], -way));
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn wheel_and_swipe_step_on_every_kind_of_page() {
    let mut browser = Reader::start();
    let eight: &[&str] = &["strategichess", "--boards", "8"];
    for kind in KINDS.into_iter().chain([eight]) {
        let file = random_games(&browser.folder, kind, ["1", "60", "7"]);
        browser.write(&file, 1);
        for (size, hands) in [(DESK, "wheel"), (TELEPHONE, "swipe")] {
            let to = if hands == "wheel" { wheel } else { swipe };
            let what = format!("{kind:?}: {hands}");
            browser.go("#g1/@3", size);
            forward_and_back(&mut browser, &what, to);
            // And on a board that has been made large, or entered.
            browser.press("Enter");
            forward_and_back(&mut browser, &format!("{what} inside"), to);
        }
        assert_eq!(browser.troubles(), [""; 0], "{kind:?}");
    }
}
