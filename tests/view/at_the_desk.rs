//! Games that are played by clicks on the page of a desk, each act through the page as a person would do it.

use super::TELEPHONE;
use crate::{
    browser::Browser, chance::Chance, depth::tries, hall::Desk, so_far::so_far, text::judge_with,
};
use overboard_games::registry::Variant;
use overboard_referee::finding::Verdict;
use serde_json::{Value, json};
use std::{
    fs,
    io::Write as _,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const SCREEN: (u32, u32) = (1280, 900);

/// Somebody at a page of a desk.
struct Player {
    browser: Browser,
    ranks: u32,
}

impl Player {
    fn at(desk: &Desk, who: &str, ranks: u32, size: (u32, u32)) -> Self {
        let mut browser = Browser::start();
        browser.visit(&desk.link(who), size);
        let mut this = Self { browser, ranks };
        this.until(
            "!!document.querySelector('#picture .bd') && !!document.querySelector('#due li')",
        );
        this
    }

    fn until(&mut self, condition: &str) {
        let begun = Instant::now();
        while !self.browser.is(condition) {
            if begun.elapsed() > Duration::from_secs(20) {
                let page = self.browser.js("document.getElementById('hall').innerText");
                panic!("never {condition}: {page}");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// What the desk answers to a question of the page.
    fn ask(&mut self, message: &Value) -> Value {
        self.browser.js(&format!("desk.ask({message})"))
    }

    fn acts(&mut self) -> u64 {
        self.ask(&json!({"type": "hello"}))["acts"]
            .as_u64()
            .unwrap()
    }

    /// Clicks on the middle of an element, which is brought into sight.
    fn click(&mut self, element: &str) {
        let place = format!(
            "(() => {{ const one = {element}; one.scrollIntoView({{block: 'nearest'}}); const {{left, top, width, height}} = one.getBoundingClientRect(); return [left + width / 2, top + height / 2]; }})()"
        );
        let place = self.browser.js(&place);
        self.browser
            .click(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    }

    /// Clicks on a square of a board that is large.
    fn square(&mut self, path: &str, square: &str) {
        let place = format!(
            "(() => {{ const g = document.querySelector('#picture .bd[data-p=\"{path}\"]'); const flipped = document.getElementById('flip').ariaPressed === 'true'; const [x, y] = [{file}, {rank}]; const size = {ranks}; const at = flipped ? [size - 1 - x, y] : [x, size - 1 - y]; const way = () => new DOMPoint(at[0] + 0.5, at[1] + 0.5).matrixTransform(g.getScreenCTM()); const seen = way(); if (seen.y < 0 || seen.y > innerHeight) scrollBy(0, seen.y - innerHeight / 2); const is = way(); return [is.x, is.y]; }})()",
            file = u32::from(square.as_bytes()[0].to_ascii_lowercase() - b'a'),
            rank = square[1..].parse::<u32>().unwrap() - 1,
            ranks = self.ranks,
        );
        let place = self.browser.js(&place);
        self.browser
            .click(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    }

    /// Goes to a board, up the way above it and into it, as far as it is not large already.
    fn go_to(&mut self, path: &str) {
        let is_large = format!(
            "(() => {{ const g = document.querySelector('#picture .bd[data-p=\"{path}\"]'); return !!g && !g.parentNode.closest('.bd'); }})()"
        );
        if self.browser.is(&is_large) {
            return;
        }
        let small = format!("document.querySelector('#picture .bd[data-p=\"{path}\"]')");
        let crumb = "document.querySelector('#crumbs button')";
        if !self.browser.is(&format!("!!{small}")) && self.browser.is(&format!("!!{crumb}")) {
            self.click(crumb);
            self.until("document.getElementById('crumbs').hidden");
        }
        if !self.browser.is(&format!("!!{small}")) {
            match path.rsplit_once('.') {
                // A game inside is entered by its square.
                None => self.square("", path),
                Some((around, on)) => {
                    self.go_to(around);
                    self.square(around, on);
                }
            }
        }
        self.until(&format!("!!{small}"));
        // The first click may pick a piece up that is a board; the second one goes into it.
        for _ in 0..2 {
            if !self.browser.is(&is_large) {
                self.click(&small);
            }
        }
        self.until(&is_large);
    }

    /// Plays a legal ply by clicks.
    fn play(&mut self, chance: &mut Chance, ply: &str) {
        let before = self.acts();
        // The screen shows what the desk knows.
        self.until(&format!(
            "document.getElementById('hall').dataset.acts === '{before}'"
        ));
        // Whoever has looked at a game inside that is over comes back.
        if self.browser.is("!document.getElementById('last').disabled") {
            self.click("document.getElementById('last')");
        }
        let (path, own) = apart(ply);
        match squares(own) {
            Some((from, to)) => {
                self.go_to(path);
                let lit = "document.querySelectorAll('#picture .ways circle').length > 0";
                let begun = Instant::now();
                loop {
                    match from.strip_suffix('@') {
                        Some(piece) => self.click(&format!(
                            "[...document.querySelectorAll('#offers button')].find((one) => one.textContent.startsWith('Drop {piece}'))"
                        )),
                        None => self.square(path, from),
                    }
                    if self.browser.is(lit) {
                        break;
                    }
                    // What is legal may not have come yet.
                    assert!(
                        begun.elapsed() < Duration::from_secs(20),
                        "{ply} is not lit"
                    );
                    std::thread::sleep(Duration::from_millis(50));
                }
                self.square(path, to);
            }
            None => {
                let kind = own.split(' ').next().unwrap();
                let button = format!(
                    "[...document.querySelectorAll('#offers button')].find((one) => one.textContent.toLowerCase().startsWith('{kind}'))"
                );
                self.until(&format!("!!{button}"));
                self.click(&button);
            }
        }
        if self.browser.is("document.getElementById('choice').open") {
            self.choose(chance, ply);
        }
        let begun = Instant::now();
        while self.acts() == before {
            if begun.elapsed() > Duration::from_secs(10) {
                let page = self.browser.js("document.getElementById('hall').innerText");
                panic!("{ply}: {page}");
            }
        }
    }

    /// Chooses a ply in the dialogue, or changes a set-up there and takes it as it then is.
    fn choose(&mut self, chance: &mut Chance, ply: &str) {
        let button = format!(
            "[...document.querySelectorAll('#choice button')].find((one) => one.value === '{ply}')"
        );
        if self.browser.is(&format!("!!{button}")) {
            return self.click(&button);
        }
        let open = "[...document.querySelectorAll('.array button:not(:disabled)')]";
        let count = self.browser.js(&format!("{open}.length")).as_u64().unwrap();
        for _ in 0..3 {
            if count > 0 {
                let nth = chance.below(count as usize);
                self.click(&format!("{open}[{nth}]"));
            }
        }
        self.click("document.querySelector('.ready')");
    }
}

/// The board of a ply in coordinates, and the ply there.
fn apart(ply: &str) -> (&str, &str) {
    let (first, _) = ply.split_once(' ').unwrap_or((ply, ""));
    match first.rfind('.') {
        Some(at) => (&ply[..at], &ply[at + 1..]),
        None => ("", ply),
    }
}

/// The square that a ply leaves, or the piece that it drops, and the square to which it goes.
fn squares(own: &str) -> Option<(&str, &str)> {
    let from = square_of(own).or_else(|| own.get(..2).filter(|drop| drop.ends_with('@')))?;
    let to = square_of(&own[from.len()..])?;
    Some((from, to))
}

fn square_of(text: &str) -> Option<&str> {
    let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let is_one = text.as_bytes().first()?.is_ascii_alphabetic() && digits > 0;
    is_one.then(|| &text[..=digits])
}

/// Plays a game of random legal plies, to its end or as long as tests of this depth go on. The record is clean, and the same
/// plies typed in a terminal make the same one.
fn play_by_clicks(options: &[&str], ranks: u32, size: (u32, u32), seed: u64) {
    let mut desk = Desk::begin(options);
    let mut chance = Chance::seeded(seed);
    let mut player = Player::at(&desk, "Arbiter", ranks, size);
    for _ in 0..tries(20) {
        let due = player.ask(&json!({"type": "due"}))["due"].clone();
        let Some(due) = due.as_array().filter(|due| !due.is_empty()) else {
            break;
        };
        let seat = due[chance.below(due.len())]["seat"]
            .as_str()
            .unwrap()
            .to_owned();
        let has_boards = options.contains(&"--boards");
        let board = if has_boards {
            seat.split_once(':').map(|(_, on)| on)
        } else {
            None
        };
        let legal = player.ask(&json!({"type": "legal", "board": board}));
        let plies = legal["plies"].as_array().unwrap();
        let ply = plies[chance.below(plies.len())]
            .as_str()
            .unwrap()
            .to_owned();
        player.play(&mut chance, &ply);
    }
    assert_eq!(
        player.browser.troubles(),
        Vec::<String>::new(),
        "{options:?}"
    );
    let record = desk.closed();
    let report = judge_with(record.as_bytes(), so_far()).remove(0);
    assert_eq!(report.verdict, Verdict::Clean, "{options:?}\n{record}");
    assert_eq!(record, typed(options, &desk.journal()), "{options:?}");
}

/// The record of a game whose acts are typed in a terminal, as a journal has them.
fn typed(options: &[&str], journal: &str) -> String {
    let mut lines = String::new();
    for line in journal.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        if let Some(ply) = entry["act"][0]["made"]["coord"].as_str() {
            lines += ply;
            lines.push('\n');
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.npgn");
    let mut child = Command::new(env!("CARGO_BIN_EXE_overboard"))
        .args(["desk", "--terminal", "--quiet"])
        .arg(&path)
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
    fs::read_to_string(path).unwrap()
}

/// Tests that play games of one kind each.
macro_rules! played_by_clicks {
    ($($name:ident: $ranks:literal, $options:expr;)*) => {
        $(
            #[test]
            #[ignore = "needs Chromium"]
            fn $name() {
                for seed in 1..=tries(1) as u64 {
                    play_by_clicks(&$options, $ranks, SCREEN, seed);
                }
            }
        )*

        /// Each game can be played by clicks.
        #[test]
        fn every_game_is_played_by_clicks() {
            let played: Vec<Vec<&str>> = vec![$($options.to_vec()),*];
            for game in Variant::ALL {
                let has_one = played.iter().any(|options| options[1] == game.name());
                assert!(has_one, "{}", game.name());
            }
        }
    };
}

played_by_clicks! {
    chess: 8, ["--variant", "chess"];
    chess960: 8, ["--variant", "chess960", "--tag", "SetUp=1", "--tag", "FEN=rkbbqnnr/pppppppp/8/8/8/8/PPPPPPPP/RKBBQNNR w KQkq - 0 1"];
    olympic: 5, ["--variant", "olympic"];
    metachess: 8, ["--variant", "metachess"];
    strategichess: 14, ["--variant", "strategichess"];
    linked_boards: 14, ["--variant", "strategichess", "--boards", "2"];
    overchess: 8, ["--variant", "overchess"];
    overchess_with_prisoners: 8, ["--variant", "overchess", "--rules", "prisoners:consolidation"];
    overchess_with_reserves: 8, ["--variant", "overchess", "--rules", "fog:reserves=team/2P1N/3P"];
    mega_chess: 8, ["--variant", "mega-chess"];
    recursive: 8, ["--variant", "recursive"];
}

#[test]
#[ignore = "needs Chromium"]
fn a_telephone_is_wide_enough() {
    let options = ["--variant", "overchess", "--rules", "prisoners"];
    play_by_clicks(&options, 8, TELEPHONE, 3);
}

/// Two people on two screens, and a third who looks on and can do nothing.
#[test]
#[ignore = "needs Chromium"]
fn two_browsers_play_each_other() {
    let names = ["--variant", "overchess", "--white", "Ann", "--black", "Bob"];
    let desk = Desk::begin(&names);
    let mut chance = Chance::seeded(5);
    let mut players = ["Ann (White)", "Bob (Black)"].map(|who| Player::at(&desk, who, 8, SCREEN));
    let mut spectator = Player::at(&desk, "Spectators", 8, SCREEN);
    // In the sub-game the attacker, who is Ann's, has White.
    let plies = [
        (0, "e2e4"),
        (1, "d7d5"),
        (0, "e4d5"),
        (0, "d5.e2e4"),
        (1, "d5.e7e5"),
        (0, "d5.d1h5"),
        (1, "d5.b8c6"),
    ];
    for (mover, ply) in plies {
        players[mover].until("document.querySelectorAll('#due .own').length === 1");
        players[1 - mover].until("document.querySelectorAll('#due .own').length === 0");
        players[mover].play(&mut chance, ply);
    }
    spectator.until("document.getElementById('moves').innerText.includes('Nc6')");
    for player in players.iter_mut().chain([&mut spectator]) {
        player.until("document.getElementById('moves').innerText.includes('Nc6')");
        assert_eq!(player.browser.troubles(), Vec::<String>::new());
    }
    spectator.square("d5", "f1");
    assert!(
        !spectator
            .browser
            .is("document.querySelectorAll('#picture .ways circle').length > 0")
    );
}
