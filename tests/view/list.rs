//! A file of many games is a page that lists them, and opens each.

use super::{DESK, Reader, root};
use crate::{
    browser::Browser,
    run::{overboard, tool},
};
use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};
use std::{fs, io::Write as _, path::Path, time::Duration};

/// The most bytes of a page of 5,000 games, and the most milliseconds until it is seen.
const MOST: (u64, f64) = (30_000_000, 1000.0);

fn listed(file: &Path, page: &Path) {
    let output = overboard(&["view", file.to_str().unwrap(), "-o", page.to_str().unwrap()]);
    assert!(output.status.code() < Some(2));
}

/// The games that are listed, by their numbers.
const SHOWN: &str = "[...document.querySelectorAll('.games tbody tr')].filter(one => !one.hidden).map(one => +one.cells[0].textContent)";

#[test]
#[ignore = "needs Chromium: `just view`"]
fn games_are_looked_for_by_player_verdict_and_result() {
    let mut browser = Reader::start();
    browser.page = browser.folder.path().join("games.html");
    let file = browser.folder.path().join("games.pgn");
    let both = ["history.pgn", "faults.pgn"]
        .map(|name| fs::read_to_string(root().join("examples").join(name)).unwrap());
    fs::write(&file, both.join("\n")).unwrap();
    listed(&file, &browser.page);
    browser.browser.open(&browser.page, "", DESK);
    let count = browser.js(SHOWN).as_array().unwrap().len();
    assert!(count > 12, "{count}");
    let mut sift = |id: &str, value: &str| {
        browser.js(&format!(
            "(() => {{ const one = document.getElementById('{id}'); one.value = '{value}'; one.dispatchEvent(new Event('input')); }})()"
        ));
        browser.js(SHOWN)
    };
    assert_eq!(sift("search", "anderssen"), json!([1, 2]));
    assert_eq!(sift("search", ""), Value::from_iter(1..=count));
    let won = sift("result", "0-1");
    assert!((1..count).contains(&won.as_array().unwrap().len()), "{won}");
    sift("result", "");
    let illegal = sift("verdict", "illegal");
    assert!(
        illegal
            .as_array()
            .unwrap()
            .iter()
            .all(|game| game.as_u64() > Some(12)),
        "{illegal}"
    );
    let words = browser.js("document.getElementById('sifted').textContent");
    assert!(
        words
            .as_str()
            .unwrap()
            .ends_with(&format!("of {count} games")),
        "{words}"
    );
    // Each game is opened from the list, also one without errors, and by its address.
    let addresses = browser
        .js("[...document.querySelectorAll('.games a')].map(one => one.getAttribute('href'))");
    assert_eq!(addresses.as_array().unwrap().len(), count);
    browser.go("#g3/2w", DESK);
    assert_eq!(browser.js("shown()[0]"), "#g3/2w");
    let record = browser.js("JSON.parse(document.getElementById('record').textContent)");
    assert!(
        both[0].contains(record.as_str().unwrap().trim()),
        "{record}"
    );
    assert_eq!(browser.troubles(), [""; 0]);
}

/// One game of a file is a page of that game, and so is a file of one game.
#[test]
fn one_game_has_no_list() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let history = root().join("examples/history.pgn");
    let text = |words: &[&str]| {
        let page = page.to_str().unwrap();
        let output = tool().arg("view").args(words).args(["-o", page]).output();
        assert_eq!(output.unwrap().status.code(), Some(0));
        fs::read_to_string(page).unwrap()
    };
    let history = history.to_str().unwrap();
    assert!(text(&[history]).contains("<h1>Games of "));
    assert!(!text(&[history, "--game", "1"]).contains("<table class=\"games\">"));
    assert!(!text(&[history, "--at", "2w"]).contains("<table class=\"games\">"));
    let one = root().join("examples/overchess.npgn");
    assert!(!text(&[one.to_str().unwrap()]).contains("<table class=\"games\">"));
}

/// What can be read only once, standard input and a compressed file, is listed, too.
#[test]
fn games_that_are_read_once_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let history = root().join("examples/history.pgn");
    let text = |file: &str, words: &[&str], from: &Path| {
        let output = tool()
            .args(["view", file, "-o", page.to_str().unwrap()])
            .args(words)
            .stdin(fs::File::open(from).unwrap())
            .output();
        assert_eq!(output.unwrap().status.code(), Some(0));
        fs::read_to_string(&page).unwrap()
    };
    let listed = text("-", &[], &history);
    assert!(listed.contains("<h1>Games of standard input</h1>"));
    assert!(listed.contains("Anderssen") && listed.contains("Topalov"));
    assert!(!text("-", &["--game", "2"], &history).contains("<table class=\"games\">"));
    let one = root().join("examples/overchess.npgn");
    assert!(!text("-", &[], &one).contains("<table class=\"games\">"));
    let packed = folder.path().join("history.pgn.gz");
    let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
    gz.write_all(&fs::read(&history).unwrap()).unwrap();
    fs::write(&packed, gz.finish().unwrap()).unwrap();
    let listed = text(packed.to_str().unwrap(), &[], &history);
    assert!(listed.contains("<h1>Games of ") && listed.contains("history.pgn.gz</h1>"));
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn five_thousand_games_are_one_small_page() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let games = super::random_games(&folder, &["chess"], ["200", "80", "5"]);
    let text = fs::read_to_string(games).unwrap();
    // Games of people are alike, too: openings recur, and so do these games.
    fs::write(&file, text.repeat(25)).unwrap();
    let page = folder.path().join("games.html");
    listed(&file, &page);
    let bytes = fs::metadata(&page).unwrap().len();
    let mut browser = Browser::start();
    browser.open(&page, "", DESK);
    std::thread::sleep(Duration::from_millis(300));
    let paint = browser.js("performance.getEntriesByName('first-contentful-paint')[0].startTime");
    let count = browser.js("document.querySelectorAll('.games tbody tr').length");
    println!("{count} games, {bytes} bytes, first paint after {paint} ms");
    assert_eq!(count, 5000);
    assert!(bytes < MOST.0, "{bytes}");
    assert!(paint.as_f64().unwrap() < MOST.1, "{paint}");
    browser.open(&page, "#g4999/3w", DESK);
    assert_eq!(
        browser.js("document.querySelector('#moves [aria-current]').getAttribute('href')"),
        "#g4999/3w"
    );
    assert_eq!(browser.troubles(), [""; 0]);
}
