//! Pages of games, opened in a browser. `.ci/run` and `just view` run the tests that need one; `cargo test` lists these
//! as ignored.

mod at_the_desk;
mod details;
mod evening;
mod gestures;
mod list;
mod many;
mod measures;
mod opened;
mod player;
mod reader;
mod report;
mod screens;
mod signs;
mod variations;

use crate::{
    browser::Browser,
    depth::tries,
    run::{overboard, printed},
};
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use std::{
    fs,
    io::Write as _,
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

const DESK: (u32, u32) = (1600, 1000);
const TELEPHONE: (u32, u32) = (390, 800);

/// Installs `shown()`, which returns the current moment and the pieces on each visible board.
const SHOWN: &str = r##"(() => {
  const words = Object.fromEntries(JSON.parse(document.getElementById("drawn").textContent).map(([id, words]) => ["#" + id, words]));
  window.shown = () => {
    const boards = {};
    for (const board of document.querySelectorAll("#picture .bd")) {
      const pieces = [];
      for (const use of board.querySelectorAll(":scope > .men > use")) pieces.push([+use.getAttribute("x"), +use.getAttribute("y"), words[use.getAttribute("href")]]);
      // A board on a square has a line for each kind of piece, and a piece at each corner.
      for (const line of board.querySelectorAll(":scope > .men > path")) {
        const name = line.getAttribute("marker-mid").replace("url(#at-", "#").replace(")", "");
        for (const [, x, y] of line.getAttribute("d").matchAll(/L(\d+),(\d+)/g)) pieces.push([+x, +y, words[name]]);
      }
      for (const square of board.querySelectorAll(":scope > .men > g")) {
        const [, x, y] = square.getAttribute("transform").match(/translate\((\d+) (\d+)\)/);
        const use = square.querySelector(":scope > use");
        if (use) pieces.push([+x, +y, words[use.getAttribute("href")]]);
      }
      // A board that is turned round has its squares so, too.
      if (board.querySelector("use").hasAttribute("transform")) for (const piece of pieces) [piece[0], piece[1]] = [7 - piece[0], 7 - piece[1]];
      boards[board.dataset.p] = pieces;
    }
    return [document.querySelector("#moves [aria-current]").getAttribute("href"), boards];
  };
  window.press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
})()"##;

/// A browser with a page that it shows, in a folder of its own.
struct Reader {
    browser: Browser,
    folder: TempDir,
    page: PathBuf,
}

impl Reader {
    /// Without a page yet.
    fn start() -> Self {
        Self {
            browser: Browser::start(),
            folder: tempfile::tempdir().unwrap(),
            page: PathBuf::new(),
        }
    }

    /// At a moment of the first game of a file.
    fn at(file: &Path, hash: &str, size: (u32, u32)) -> Self {
        let mut reader = Self::start();
        reader.write(file, 1);
        reader.go(hash, size);
        reader
    }

    /// At a moment of a game that is written to a file of this name.
    fn of(name: &str, game: &str, hash: &str) -> Self {
        let mut reader = Self::start();
        let file = reader.folder.path().join(name);
        fs::write(&file, game).unwrap();
        reader.write(&file, 1);
        reader.go(hash, DESK);
        reader
    }

    /// Writes the page of a game.
    fn write(&mut self, file: &Path, game: u64) {
        self.page = page(&self.folder, file, game);
    }

    /// Opens the page at a moment.
    fn go(&mut self, hash: &str, size: (u32, u32)) {
        self.browser.open(&self.page, hash, size);
        self.browser.js(SHOWN);
    }
}

impl Deref for Reader {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

impl DerefMut for Reader {
    fn deref_mut(&mut self) -> &mut Browser {
        &mut self.browser
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}

/// The records of random games of a kind, given the number of games, the maximum of plies and the seed.
fn random_games(folder: &TempDir, kind: &[&str], [games, plies, seed]: [&str; 3]) -> PathBuf {
    let [ledger, file] =
        ["games.jsonl", "games.npgn"].map(|name| folder.path().join(name).display().to_string());
    let _ = fs::remove_file(&ledger);
    let mut args = vec!["selfplay", "--variant"];
    args.extend(kind);
    args.extend([
        "--player",
        "random",
        "--games",
        games,
        "--max-plies",
        plies,
        "--seed",
        seed,
    ]);
    let (text, code) = printed(&overboard(&[&args[..], &["--ledger", &ledger]].concat()));
    assert_eq!(code, 0, "{args:?}: {text}");
    fs::write(
        &file,
        printed(&overboard(&["ledger", &ledger, "--to", "npgn"])).0,
    )
    .unwrap();
    file.into()
}

/// Writes the page of a game. Returns its path.
fn page(folder: &TempDir, file: &Path, game: u64) -> PathBuf {
    let page = folder.path().join("game.html");
    let (file, number) = (file.display().to_string(), game.to_string());
    let output = overboard(&[
        "view",
        &file,
        "--game",
        &number,
        "-o",
        page.to_str().unwrap(),
    ]);
    assert!(
        output.status.code() < Some(2),
        "{file}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    page
}

/// The rows of the games in a file, game by game.
fn rows(file: &Path) -> Vec<Vec<Value>> {
    let (text, _) = printed(&overboard(&[
        "convert",
        "--to",
        "plies",
        file.to_str().unwrap(),
    ]));
    let mut games: Vec<Vec<Value>> = Vec::new();
    for row in text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
    {
        if row["step"] == 0 {
            games.push(Vec::new());
        }
        games.last_mut().unwrap().push(row);
    }
    games
}

/// The contents of a FEN: file and rank from the upper left corner, and the piece that moves from there.
fn placed(fen: &str) -> Vec<(u64, u64, String)> {
    let placement = fen.split([' ', '[']).next().unwrap();
    let mut pieces = Vec::new();
    for (y, rank) in (0..).zip(placement.split('/')) {
        let (mut x, mut empty, mut stack, mut is_promoted) = (0, 0, None, false);
        for letter in rank.chars() {
            match letter {
                digit @ '0'..='9' => {
                    empty = empty * 10 + u64::from(digit.to_digit(10).unwrap());
                    continue;
                }
                '(' => stack = Some(Vec::new()),
                // A promoted piece of Crazyhouse moves as what it is now.
                '~' => continue,
                // A promoted piece of Olympic Chess moves as a Gold.
                '+' => is_promoted = true,
                ')' => {}
                letter => stack
                    .as_mut()
                    .map_or((), |pieces: &mut Vec<char>| pieces.push(letter)),
            }
            x += std::mem::take(&mut empty);
            let piece = match (&stack, letter) {
                (_, '(' | '+') => continue,
                (Some(pieces), ')') => pieces.last().copied().unwrap(),
                (Some(_), _) => continue,
                (None, letter) if !std::mem::take(&mut is_promoted) => letter,
                (None, letter) => {
                    if letter.is_ascii_uppercase() {
                        'G'
                    } else {
                        'g'
                    }
                }
            };
            stack = None;
            pieces.push((x, y, named(piece)));
            x += 1;
        }
    }
    pieces
}

fn named(letter: char) -> String {
    let side = if letter.is_ascii_uppercase() {
        "White"
    } else {
        "Black"
    };
    let role = match letter.to_ascii_lowercase() {
        'p' => "pawn",
        'n' => "knight",
        'b' => "bishop",
        'r' => "rook",
        'q' => "queen",
        'k' => "king",
        's' => "silver",
        'g' => "gold",
        other => panic!("{other}"),
    };
    format!("{side} {role}").to_lowercase()
}

/// Steps through a game with the arrow key; at every moment the page must agree with the rows of the game. Returns the
/// number of moments compared.
fn steps_through(browser: &mut Reader, rows: &[Value], what: &str) -> usize {
    browser.go("", DESK);
    let all = browser.js(&format!(
        "(() => {{ const all = [shown()]; for (let k = 1; k < {}; k++) {{ press('ArrowRight'); all.push(shown()); }} return all; }})()",
        rows.len()
    ));
    let mut compared = 0;
    for (row, shown) in rows.iter().zip(all.as_array().unwrap()) {
        let at = row["moment"]
            .as_str()
            .map_or(format!("@{}", row["step"]), str::to_owned);
        let hash = shown[0].as_str().unwrap().split_once('/').unwrap().1;
        assert_eq!(hash, at, "{what}: {row}");
        let (Some(fen), path) = (row["fen"].as_str(), row["path"].as_str().unwrap()) else {
            continue;
        };
        // A board that was closed with its last ply is no longer shown on the outer board.
        let Some(pieces) = shown[1].get(path).and_then(Value::as_array) else {
            assert!(
                row["kind"] != "ply" || path.starts_with(|c: char| c.is_ascii_uppercase()),
                "{what}: {row}"
            );
            continue;
        };
        let seen: Vec<_> = pieces
            .iter()
            .map(|piece| {
                let words = piece[2].as_str().unwrap().to_lowercase();
                (
                    piece[0].as_u64().unwrap(),
                    piece[1].as_u64().unwrap(),
                    words,
                )
            })
            .collect();
        let reported = placed(fen.split(" | ").next().unwrap());
        assert_eq!(seen.len(), reported.len(), "{what}: {row}\n{seen:?}");
        for (x, y, piece) in &reported {
            let is_there = seen
                .iter()
                .any(|(a, b, words)| (a, b) == (x, y) && words.starts_with(piece.as_str()));
            assert!(is_there, "{what}: {piece} on {x} {y}: {row}\n{seen:?}");
        }
        compared += 1;
    }
    assert_eq!(browser.troubles(), [""; 0], "{what}");
    compared
}

fn examples() -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(root().join("examples"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|end| end == "pgn" || end == "npgn")
        })
        .collect();
    files.sort();
    files
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn every_moment_of_every_example_is_shown() {
    let mut browser = Reader::start();
    let mut compared = 0;
    for file in examples() {
        for (game, rows) in (1..).zip(rows(&file)) {
            if rows.iter().all(|row| row["fen"].is_null()) {
                continue;
            }
            browser.write(&file, game);
            compared += steps_through(&mut browser, &rows, &format!("{} {game}", file.display()));
        }
    }
    println!("{compared} positions compared");
    assert!(compared > 800, "{compared}");
}

/// Random games of each kind.
const KINDS: [&[&str]; 12] = [
    &["chess"],
    &["chess960"],
    &["olympic"],
    &["strategichess"],
    &["strategichess", "--boards", "3"],
    &["metachess"],
    &["mega-chess"],
    &["recursive", "--level", "2"],
    &["overchess"],
    &[
        "overchess",
        "--rules",
        "depth=2:prisoners:consolidation:reserves=team/1P1N",
    ],
    &["crazyhouse"],
    &["bughouse"],
];

#[test]
#[ignore = "needs Chromium: `just view`"]
fn every_moment_of_random_games_is_shown() {
    let mut browser = Reader::start();
    let games = tries(1);
    for kind in KINDS {
        let file = random_games(&browser.folder, kind, [&games.to_string(), "160", "7"]);
        for (game, rows) in (1..).zip(rows(&file)) {
            browser.write(&file, game);
            let compared = steps_through(&mut browser, &rows, &format!("{kind:?} {game}"));
            // A sub-game that is closed by then cannot be compared, but more than half of any game can.
            assert!(
                2 * compared > rows.len(),
                "{kind:?} {game}: {compared} of {}",
                rows.len()
            );
        }
    }
}

#[test]
#[ignore = "needs Chromium: `just view`"]
fn every_sub_game_is_entered_and_left_by_keyboard() {
    let file = root().join("examples/overchess.npgn");
    let mut browser = Reader::at(&file, "", DESK);
    let rows = &rows(&file)[0];
    let insides: Vec<_> = rows
        .iter()
        .filter(|row| row["kind"] == "start" && row["path"] != "")
        .collect();
    let crumbs = "document.getElementById('crumbs').hidden ? '' : document.getElementById('crumbs').textContent";
    assert_eq!(browser.js(crumbs), "");
    for inside in insides.iter() {
        browser.press("Enter");
        let shown = browser.js("shown()");
        let at = inside["moment"].as_str().unwrap();
        assert_eq!(shown[0], format!("#g1/{at}"), "{inside}");
        assert!(
            shown[1].get(inside["path"].as_str().unwrap()).is_some(),
            "{shown}"
        );
        assert!(browser.js(crumbs).as_str().unwrap().contains("Overchess"));
        // Back to the outer board, at the same moment.
        browser.press("Escape");
        assert_eq!(browser.js(crumbs), "");
        let shown = browser.js("shown()");
        assert!(
            shown[1].get("").is_some() && shown[0] == format!("#g1/{at}"),
            "{shown}"
        );
        // And on with the outer game, until the next sub-game is due.
        browser.press("Enter");
        while browser.js("document.getElementById('crumbs').hidden") == false {
            browser.press("ArrowRight");
        }
    }
    assert_eq!(insides.len(), 4);
    // A link leads into a sub-game.
    browser.go("#g1/4w.d5.7b", TELEPHONE);
    assert!(browser.js("shown()")[1].get("d5").is_some());
    assert_eq!(
        browser.js("document.documentElement.scrollWidth"),
        390,
        "nothing is wider than the telephone"
    );
    assert_eq!(browser.troubles(), [""; 0]);
}

/// A record in which every text tries to be markup.
const HOSTILE: &str = "[Event \"</script><script>alert(1)</script>\"]\n[White \"<img src=x onerror=alert(1)> \u{2028}\u{202e}Ann\"]\n\
    [Black \"\\\"--><svg onload=alert(1)> ]]> {{{\"]\n[Result \"*\"]\n[Rules \"javascript:alert(1)\"]\n\n\
    1. e4 {</script><b onclick=alert(1)>&lt; [%csl G\"><script>,Ge4] [%cal Ge2\"e4] [%eval \"<b>\"]} e5 $999999 ; </a></section><!--\n2. Nf3 <!-- 0-1\n";

#[test]
#[ignore = "needs Chromium: `just view`"]
fn hostile_text_remains_text() {
    let mut browser = Reader::of(
        "<b>.pgn",
        HOSTILE,
        "#g1/%3Cimg%20src=x%20onerror=alert(1)%3E",
    );
    browser.press("End");
    browser.press("ArrowLeft");
    browser.press("ArrowLeft");
    assert_eq!(
        browser.js("document.querySelectorAll('img, b[onclick], svg[onload]').length"),
        0
    );
    // The tape, the record, the drawings, and the script itself.
    assert_eq!(browser.js("document.querySelectorAll('script').length"), 4);
    let title = browser.js("document.querySelector('h1').textContent");
    assert!(
        title
            .as_str()
            .unwrap()
            .starts_with("<img src=x onerror=alert(1)> "),
        "{title}"
    );
    assert!(
        !title.as_str().unwrap().contains(['\u{2028}', '\u{202e}']),
        "{title}"
    );
    assert_eq!(browser.troubles(), [""; 0]);
    // Markup that is inserted into the page later must not run or load anything.
    browser.js("document.body.insertAdjacentHTML('beforeend', '<img src=\"file:///x.html\" onerror=\"window.ran = 1\">')");
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert_eq!(browser.js("window.ran === undefined"), true);
    assert!(
        browser
            .troubles()
            .iter()
            .any(|reported| reported.contains("Content Security Policy")),
        "the policy says so"
    );
}

/// The script in a page is small, and `.ci/run` checks it with the TypeScript compiler where that is installed.
#[test]
fn the_script_is_small() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(page(&folder, &root().join("examples/history.pgn"), 1)).unwrap();
    let script = text
        .rsplit_once("<script>")
        .unwrap()
        .1
        .split_once("</script>")
        .unwrap()
        .0;
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(script.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    println!("{} bytes, {} compressed", script.len(), packed.len());
    assert!(script.len() < 70_000, "{}", script.len());
    assert!(packed.len() < 20_000, "{}", packed.len());
    assert!(script.is_ascii() || !script.contains(['\u{2028}', '\u{2029}']));
    // Without scripts the page shows a list of moves and diagrams.
    assert!(
        text.contains("Be7#</a>") && text.contains("<svg class=\"still\""),
        "the moves and the last position"
    );
}

/// The serious problems that axe-core finds at a moment of a page, with a theme.
fn complaints(browser: &mut Reader, hash: &str, size: (u32, u32), theme: &str) -> Value {
    let axe = std::env::var("OVERBOARD_AXE")
        .expect("OVERBOARD_AXE names axe.min.js; `.ci/run` installs it");
    let axe = fs::read_to_string(axe).unwrap();
    let features =
        serde_json::json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
    browser.call("Emulation.setEmulatedMedia", &features);
    browser.go(hash, size);
    browser.js(&axe);
    browser.js("axe.run({ resultTypes: ['violations'] }).then(found => found.violations.filter(one => ['serious', 'critical'].includes(one.impact)).map(one => one.id + ': ' + one.nodes.map(node => node.html.slice(0, 200) + ' ' + node.failureSummary).slice(0, 3).join(' | ')))")
}

/// The sizes and themes in which a page is looked at. Two that follow each other have both sizes and both themes.
const LOOKS: [((u32, u32), &str); 4] = [
    (DESK, "light"),
    (TELEPHONE, "dark"),
    (DESK, "dark"),
    (TELEPHONE, "light"),
];

/// axe-core finds nothing serious at the current moment of a page, the `nth` of several. One half of the pages has the
/// first two looks, the other half the last two, since contrasts take half a second to measure; a deep run has all.
fn is_accessible(browser: &mut Reader, hash: &str, (nth, what): (usize, &str)) {
    for k in 0..tries(2).min(LOOKS.len()) {
        let (size, theme) = LOOKS[(2 * nth + k) % LOOKS.len()];
        let found = complaints(browser, hash, size, theme);
        assert_eq!(
            found.as_array().unwrap().len(),
            0,
            "{what} {size:?} {theme}: {found:#}"
        );
    }
}

#[test]
#[ignore = "needs Chromium and axe-core: `just view`"]
fn pages_are_accessible() {
    let mut browser = Reader::start();
    let pages = [
        ("overchess.npgn", 1, "#g1/2b.d5.2b"),
        ("overchess.npgn", 1, "#g1/2b"),
        ("linked.npgn", 1, "#g1/4A"),
        ("megachess.npgn", 1, "#g1/2w"),
        ("megachess.npgn", 2, "#g2/end"),
        ("olympic.npgn", 1, "#g1/14w"),
        ("faults.pgn", 2, "#g2/end"),
    ];
    for (nth, (name, game, hash)) in pages.into_iter().enumerate() {
        browser.write(&root().join("examples").join(name), game);
        is_accessible(&mut browser, hash, (nth, name));
    }
}

#[test]
#[ignore = "needs Chromium and axe-core: `just view`"]
fn pages_of_each_kind_are_accessible() {
    let mut browser = Reader::start();
    for (nth, kind) in KINDS.into_iter().enumerate() {
        let file = random_games(&browser.folder, kind, ["1", "60", "7"]);
        browser.write(&file, 1);
        is_accessible(&mut browser, "#g1/@30", (nth, &format!("{kind:?}")));
    }
    // The lists of games, and the report.
    let file = root().join("examples/faults.pgn");
    let file = file.to_str().unwrap();
    browser.page = browser.folder.path().join("page.html");
    let commands = [&["view", file, "-o"], &["check", file, "--html"]];
    for (nth, words) in commands.into_iter().enumerate() {
        let page = browser.page.to_str().unwrap();
        overboard(&[&words[..], &[page]].concat());
        is_accessible(&mut browser, "", (nth, words[0]));
    }
}

/// The TypeScript compiler finds no type errors in the script.
#[test]
#[ignore = "needs the compiler of TypeScript: `just view`"]
fn the_script_has_no_type_errors() {
    let tsc =
        std::env::var("OVERBOARD_TSC").expect("OVERBOARD_TSC names tsc; `.ci/run` installs it");
    let commands = root().join("cli/src/commands");
    let mut scripts = Vec::new();
    for folder in ["view/script", "desk/script"] {
        let entries = fs::read_dir(commands.join(folder)).unwrap();
        scripts.extend(entries.map(|entry| entry.unwrap().path()));
    }
    scripts.push(commands.join("check/report.js"));
    let output = Command::new(tsc)
        .args([
            "--checkJs",
            "--allowJs",
            "--noEmit",
            "--strict",
            "--target",
            "es2022",
            "--lib",
            "es2022,dom,dom.iterable",
        ])
        .args(scripts)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}
