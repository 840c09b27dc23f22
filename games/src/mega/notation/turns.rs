//! Turns as text.

use super::suffix;
use crate::mega::{Effects, Mega};
use overboard_formats::san::PlyText;
use overboard_referee::game::{notation::Notation as _, record};
use overboard_rules::{
    game::{Happening, Step},
    path::{BoardPath, MegaSquare},
    square::Side,
};
use std::{collections::VecDeque, fmt::Write};

/// Writes plies as turns: `<A2.e4 B1.<…> …>`.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    text: String,
    /// The number of open turns in the text, and whether the innermost has no item yet.
    open: usize,
    fresh: bool,
    /// The board of the last item.
    last: BoardPath,
    /// Signs of the turns that are over but still open in the text, the innermost first: remarks that come after one
    /// turn but within the one around it belong between their brackets.
    over: VecDeque<&'static str>,
}

impl Turns {
    /// Adds a legal ply of a position: its board, its text as SAN, its effects, and its remarks within its turn.
    pub fn take(&mut self, path: &BoardPath, san: &str, effects: &Effects, remarks: &str) {
        self.close_what_is_over();
        let steps: Vec<_> = path.squares().collect();
        let own = san.rsplit_once('.').map_or(san, |(_, own)| own);
        self.last = *path;
        for depth in self.open..=steps.len() {
            self.text.push_str(if self.fresh || self.text.is_empty() {
                ""
            } else {
                " "
            });
            self.fresh = false;
            if let Some(on) = depth.checked_sub(1).and_then(|before| steps.get(before)) {
                // Writing to a `String` cannot fail.
                let _ = write!(self.text, "{}.", MegaSquare(*on));
            }
            if depth < steps.len() {
                self.text.push('<');
                self.fresh = true;
                self.open = depth + 1;
            } else {
                self.text.push_str(own);
            }
        }
        self.text.push_str(remarks);
        for depth in (0..self.open).rev() {
            if !effects.ends_turn_at(depth) {
                break;
            }
            self.over
                .push_back(suffix(effects.checks_at(depth)).as_str());
        }
    }

    /// Closes the innermost turn, which is over or breaks off, and adds `remarks`.
    pub fn close(&mut self, remarks: &str) {
        let sign = self.over.pop_front();
        if self.open > 0 {
            self.open -= 1;
            self.text.push('>');
            self.text.push_str(sign.unwrap_or_default());
            self.fresh = false;
        }
        self.text.push_str(remarks);
    }

    fn close_what_is_over(&mut self) {
        while !self.over.is_empty() {
            self.close("");
        }
    }

    /// Whether all turns are over.
    #[must_use]
    pub fn are_over(&self) -> bool {
        self.open == self.over.len()
    }

    /// Closes all open turns.
    pub fn close_all(&mut self) {
        self.close_what_is_over();
        self.text
            .push_str(&">".repeat(std::mem::take(&mut self.open)));
    }

    /// Returns the text written since the last call.
    pub fn text(&mut self) -> String {
        self.close_what_is_over();
        std::mem::take(&mut self.text)
    }
}

/// The movetext of a game, built as its steps are made: turns with their numbers.
#[derive(Clone, Default, Debug)]
pub struct Movetext {
    turns: Turns,
    text: String,
    /// Whether a comment precedes the next turn.
    interrupted: bool,
}

impl record::Movetext<Mega> for Movetext {
    fn take(
        &mut self,
        step: &Step<Mega>,
        before: &Mega,
        _: &Mega,
        brought: &Effects,
        remarks: &str,
    ) {
        let (path, san) = match step {
            Step::Ply(ply) => (ply.path, before.san(*ply)),
            Step::Event(at, Happening::Stood(_)) => (*at, PlyText::default()),
            Step::Event(..) => return,
        };
        if self.turns.are_over() {
            self.text.push_str(&self.turns.text());
            let follows = !self.text.is_empty() && !std::mem::take(&mut self.interrupted);
            let number = match before.turn() {
                Side::White => format!("\n{}. ", before.fullmove()),
                Side::Black if !follows => format!("\n{}... ", before.fullmove()),
                Side::Black => " ".into(),
            };
            self.text.push_str(&number);
        }
        self.turns.take(&path, &san, brought, remarks);
        self.interrupted |= path.is_empty() && !remarks.is_empty();
    }

    fn close(&mut self, remarks: &str, _: Option<(&str, &str)>) {
        self.turns.close(remarks);
        self.interrupted |= self.turns.are_over() && !remarks.is_empty();
    }

    fn finish(mut self, _: &Mega) -> String {
        self.turns.close_all();
        self.text.push_str(&self.turns.text());
        self.text
    }

    fn until(self, _: &Mega, _: &str) -> (String, Option<String>) {
        let turns = self.turns;
        let innermost = turns.open.checked_sub(1);
        let board = innermost.map(|level| turns.last.outer(level).to_string());
        (self.text + &turns.text, board)
    }
}
