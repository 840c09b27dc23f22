//! The size and speed of pages of long games, measured in a browser.

use super::{DESK, KINDS, random_games};
use crate::{browser::Browser, run::tool};
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// The limits: bytes of a page, milliseconds to the first paint, and milliseconds for a step, on a machine that
/// needs [`LOOP_MILLISECONDS`] for [`LOOP`].
const MOST: (u64, f64, f64) = (2_000_000, 1000.0, 16.0);

/// Work that is always the same, to tell a slow machine from a slow page.
const LOOP: &str = "(() => { let x = 1; for (let k = 0; k < 3e7; k++) x = (x * 16807) % 2147483647; return x; })()";
const LOOP_MILLISECONDS: f64 = 420.0;

/// Plays a long random game and writes its page.
fn long_game(folder: &TempDir, kind: &[&str], plies: &str, seed: &str) -> PathBuf {
    let file = random_games(folder, kind, ["1", plies, seed]);
    let page = folder.path().join("game.html");
    let written = tool()
        .arg("view")
        .arg(&file)
        .arg("-o")
        .arg(&page)
        .output()
        .unwrap();
    assert!(
        written.status.code() < Some(2),
        "{}",
        String::from_utf8_lossy(&written.stderr)
    );
    page
}

/// The page's processor time so far in milliseconds, which other programs cannot affect.
fn worked(browser: &mut Browser) -> f64 {
    let metrics = browser.call("Performance.getMetrics", &json!({}));
    let of_tasks = metrics["metrics"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["name"] == "TaskDuration");
    1000.0 * of_tasks.unwrap()["value"].as_f64().unwrap()
}

/// The time of the first paint, by the clock and as processor time.
fn first_paint(browser: &mut Browser, page: &Path) -> (f64, f64) {
    browser.open(page, "", DESK);
    let paint = browser.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now()))))");
    (paint.as_f64().unwrap(), worked(browser))
}

/// Goes some steps forward and back again, forcing the layout after each.
const WALK: &str = "(from => {
  const time = document.getElementById('time');
  time.value = from;
  time.dispatchEvent(new Event('input'));
  for (const key of ['ArrowRight', 'ArrowLeft']) for (let k = 0; k < 40; k++) {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    document.body.getBoundingClientRect();
  }
})";

/// For a selector with `~`, a browser looks at all siblings before an element. In a list of moves, that takes time that
/// grows with the square of the length.
#[test]
fn no_style_looks_at_all_siblings() {
    for style in ["check/report.css", "desk/desk.css", "view/viewer.css"] {
        let text = fs::read_to_string(Path::new("src/commands").join(style)).unwrap();
        assert!(!text.contains(" ~ "), "{style}");
    }
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn pages_of_long_games_are_small_and_fast() {
    let folder = tempfile::tempdir().unwrap();
    let (mega, linked) = (KINDS[6], KINDS[4]);
    let eight: &[&str] = &["strategichess", "--boards", "8"];
    for (what, kind, plies, seed, least) in [
        ("chess", KINDS[0], "300", "1", 100),
        ("Olympic Chess", KINDS[2], "300", "1", 50),
        ("StrategiChess", KINDS[3], "300", "1", 100),
        ("MetaChess", KINDS[5], "300", "1", 50),
        ("Recursive-Chess(2)", KINDS[7], "600", "1", 100),
        ("Overchess", KINDS[8], "600", "1", 100),
        ("Overchess of depth 2", KINDS[9], "600", "1", 100),
        ("StrategiChess on eight boards", eight, "1600", "3", 1500),
        (
            "Mega-Chess, 200 turns of both sides",
            mega,
            "3200",
            "3",
            3200,
        ),
        (
            "StrategiChess on three boards, 5,000 plies",
            linked,
            "5000",
            "2",
            5000,
        ),
    ] {
        let page = long_game(&folder, kind, plies, seed);
        let bytes = fs::metadata(&page).unwrap().len();
        // A separate browser for each game, since its processor time adds up.
        let mut browser = Browser::start();
        browser.call("Performance.enable", &json!({"timeDomain": "threadTicks"}));
        let (clock, paint) = first_paint(&mut browser, &page);
        let steps = browser
            .js("document.querySelectorAll('#moves .m').length")
            .as_u64()
            .unwrap();
        // From the beginning, and from the middle, where many pieces are on the boards.
        let before = worked(&mut browser);
        browser.js(LOOP);
        let slower = ((worked(&mut browser) - before) / LOOP_MILLISECONDS).max(1.0);
        let mut step = 0.0_f64;
        for from in [0, steps / 2] {
            let before = worked(&mut browser);
            browser.js(&format!("{WALK}({from})"));
            step = step.max((worked(&mut browser) - before) / 80.0);
        }
        println!(
            "{what}: {steps} steps, {bytes} bytes, first paint after {paint:.0} ms of work ({clock:.0} ms by the clock), {step:.1} ms a step on a machine {slower:.2} times slower"
        );
        assert!(steps > least, "{what}: {steps} steps");
        assert!(bytes < MOST.0, "{what}: {bytes} bytes");
        assert!(
            paint < MOST.1 * slower,
            "{what}: {paint} ms of work until the first paint"
        );
        assert!(
            step < MOST.2 * slower,
            "{what}: {step} ms for a step on a machine {slower} times slower"
        );
        assert_eq!(browser.troubles(), [""; 0]);
    }
}
