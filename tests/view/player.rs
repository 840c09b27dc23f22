//! Somebody at a page of a desk, who does everything by clicks and keys as a person would.

use crate::{browser::Browser, chance::Chance};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Whether a piece is picked up: the squares to which it can go are marked.
const PICKED: &str = "!!document.querySelector('#picture .ways')";

pub const SCREEN: (u32, u32) = (1280, 900);

/// Somebody at a page of a desk.
pub struct Player {
    pub browser: Browser,
    ranks: u32,
    /// How often they have clicked, and pressed a key.
    pub effort: Effort,
}

/// Clicks and keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    pub clicks: usize,
    pub keys: usize,
}

impl Player {
    /// Somebody with a link, at the page of a game whose boards have so many ranks.
    pub fn at(link: &str, ranks: u32, size: (u32, u32)) -> Self {
        let mut browser = Browser::start();
        browser.visit(link, size);
        let mut this = Self {
            browser,
            ranks,
            effort: Effort::default(),
        };
        this.until(
            "!!document.querySelector('#picture .bd') && !!document.querySelector('#due li')",
        );
        this
    }

    pub fn until(&mut self, condition: &str) {
        let begun = Instant::now();
        while !self.browser.is(condition) {
            if begun.elapsed() > Duration::from_secs(20) {
                let page = self.browser.js("document.getElementById('hall').innerText");
                panic!("never {condition}: {page}");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Whether this becomes true within the time that a person waits before clicking again.
    fn soon(&mut self, condition: &str) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(3) {
            if self.browser.is(condition) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        false
    }

    /// What the desk answers to a question of the page.
    pub fn ask(&mut self, message: &Value) -> Value {
        self.browser.js(&format!("desk.ask({message})"))
    }

    pub fn acts(&mut self) -> u64 {
        self.ask(&json!({"type": "hello"}))["acts"]
            .as_u64()
            .unwrap()
    }

    /// Clicks on the middle of an element, which is brought into sight, as soon as there is one: the page may just be
    /// drawing it again.
    pub fn click(&mut self, element: &str) {
        self.until(&format!("!!({element})"));
        let place = format!(
            "(() => {{ const one = {element}; one.scrollIntoView({{block: 'nearest'}}); const {{left, top, width, height}} = one.getBoundingClientRect(); return [left + width / 2, top + height / 2]; }})()"
        );
        let place = self.browser.js(&place);
        self.click_at(&place);
    }

    fn click_at(&mut self, place: &Value) {
        self.effort.clicks += 1;
        self.browser
            .click(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    }

    /// Clicks on a button by what it says, as soon as it can be seen.
    pub fn press(&mut self, words: &str) {
        let button = format!(
            "[...document.querySelectorAll('#hall button')].find((one) => one.textContent.startsWith('{words}') && one.offsetParent)"
        );
        self.until(&format!("!!{button}"));
        self.click(&button);
    }

    /// Types a line where everything can be typed.
    pub fn say(&mut self, line: &str) {
        self.click("document.getElementById('typed')");
        self.browser
            .call("Input.insertText", &json!({"text": line}));
        self.effort.keys += line.len() + 1;
        self.click("document.querySelector('#typing button')");
        // The button and the line end are one or the other.
        self.effort.clicks -= 1;
    }

    /// Waits until what is seen has these words.
    pub fn sees(&mut self, words: &str) {
        let words = words.replace('\'', "\\'");
        self.until(&format!("document.body.innerText.includes('{words}')"));
    }

    /// Takes a picture of what is seen.
    pub fn picture(&mut self) -> Vec<u8> {
        let hidden = json!({"hidden": true});
        self.browser.call("Emulation.setScrollbarsHidden", &hidden);
        let format = json!({"format": "png"});
        let taken = self.browser.call("Page.captureScreenshot", &format);
        BASE64_STANDARD
            .decode(taken["data"].as_str().unwrap())
            .unwrap()
    }

    /// Clicks on a square of a board that is large, as soon as it is drawn.
    pub fn square(&mut self, path: &str, square: &str) {
        let board = format!("document.querySelector('#picture .bd[data-p=\"{path}\"]')");
        self.until(&format!("!!{board}"));
        let place = format!(
            "(() => {{ const g = {board}; const flipped = g.querySelector('use').hasAttribute('transform'); const [x, y] = [{file}, {rank}]; const size = {ranks}; const at = flipped ? [size - 1 - x, y] : [x, size - 1 - y]; const way = () => new DOMPoint(at[0] + 0.5, at[1] + 0.5).matrixTransform(g.getScreenCTM()); const seen = way(); if (seen.y < 0 || seen.y > innerHeight) scrollBy(0, seen.y - innerHeight / 2); const is = way(); return [is.x, is.y]; }})()",
            file = u32::from(square.as_bytes()[0].to_ascii_lowercase() - b'a'),
            rank = square[1..].parse::<u32>().unwrap() - 1,
            ranks = self.ranks,
        );
        let place = self.browser.js(&place);
        self.click_at(&place);
    }

    /// Goes to a board, up the way above it and into it, as far as it is not large already. Returns whether it is drawn:
    /// where nothing has been played on a board in a board in a board, a dialogue offers what can be.
    pub fn go_to(&mut self, path: &str) -> bool {
        let is_large = format!(
            "(() => {{ const g = document.querySelector('#picture .bd[data-p=\"{path}\"]'); return !!g && !g.parentNode.closest('.bd'); }})()"
        );
        if self.browser.is(&is_large) {
            return true;
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
                    if !self.go_to(around) {
                        return false;
                    }
                    if !self.look_into(around, on, &small) {
                        return false;
                    }
                }
            }
        }
        self.until(&format!("!!{small}"));
        // The first click may pick a piece up that is a board; the second one goes into it.
        let mut clicks = 0;
        while clicks < 3 && !self.browser.is(&is_large) {
            self.click(&small);
            self.soon(&format!("{is_large} || {PICKED}"));
            clicks += 1;
        }
        self.until(&is_large);
        true
    }

    /// Clicks on a square on which a board is, until that is seen or a dialogue offers what can be played there; the first
    /// click may pick it up. Returns whether it is seen.
    fn look_into(&mut self, around: &str, on: &str, small: &str) -> bool {
        let offered = "document.getElementById('choice').open";
        let is_there = format!("!!{small}");
        let mut clicks = 0;
        while clicks < 3 && !self.browser.is(&format!("{is_there} || {offered}")) {
            self.square(around, on);
            self.soon(&format!("{is_there} || {offered} || {PICKED}"));
            clicks += 1;
        }
        self.until(&format!("{is_there} || {offered}"));
        !self.browser.is(offered)
    }

    /// Chooses a ply on a board that is not drawn, by way of the boards around it.
    fn choose_unseen(&mut self, ply: &str) {
        let next = format!(
            "[...document.querySelectorAll('#choice button')].find((one) => one.value === '{ply}' || (one.value && '{ply}'.startsWith(one.value + '.')))"
        );
        loop {
            self.until(&format!(
                "document.getElementById('choice').open && !!{next}"
            ));
            let chosen = self.browser.js(&format!("{next}.value"));
            self.click(&next);
            if chosen == ply {
                return;
            }
        }
    }

    /// Waits until the screen shows what the desk knows. Returns how many acts those are.
    fn acts_once_shown(&mut self) -> u64 {
        let acts = self.acts();
        self.until(&format!(
            "document.getElementById('hall').dataset.acts === '{acts}'"
        ));
        acts
    }

    /// Waits until the page also knows what is legal: before that, a click on a board that could be picked up goes into it,
    /// and a click is saved.
    pub fn see_what_is_legal(&mut self) {
        self.acts_once_shown();
        self.until("document.getElementById('offers').ariaBusy !== 'true'");
    }

    /// Plays a legal ply by clicks.
    pub fn play(&mut self, chance: &mut Chance, ply: &str) {
        let before = self.acts_once_shown();
        // Whoever has looked at a game inside that is over comes back.
        if self.browser.is("!document.getElementById('last').disabled") {
            self.click("document.getElementById('last')");
        }
        let (path, own) = apart(ply);
        match squares(own) {
            Some(_) if !self.go_to(path) => self.choose_unseen(ply),
            Some((from, to)) => {
                let lit = "document.querySelectorAll('#picture .ways circle').length > 0";
                let begun = Instant::now();
                loop {
                    match from.strip_suffix('@') {
                        Some(piece) if path.is_empty() => self.press(&format!("Drop {piece}")),
                        Some(piece) => self.press(&format!("Drop {piece} on {path}")),
                        None => self.square(path, from),
                    }
                    // What is legal may not have come yet.
                    if self.soon(lit) {
                        break;
                    }
                    assert!(
                        begun.elapsed() < Duration::from_secs(60),
                        "{ply} is not lit"
                    );
                    // The second click on a piece that is a board goes into it.
                    self.go_to(path);
                }
                // A piece that crosses to another board names it after a stroke.
                let rest = &own[from.len() + to.len()..];
                let over: String = match rest.strip_prefix('/') {
                    Some(rest) => rest.chars().take_while(char::is_ascii_uppercase).collect(),
                    None => path.to_owned(),
                };
                self.square(&over, to);
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
