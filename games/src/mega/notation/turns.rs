//! Turns as text.

use super::{san, suffix};
use crate::mega::{Effects, Mega, Ply};
use overboard_rules::{
    path::{BoardPath, MegaSquare},
    square::Side,
};
use std::fmt::Write;

/// Plies, one after the other, written as turns: `<A2.e4 B1.<…> …>`.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    text: String,
    /// Turns that are open, and whether the innermost holds no item yet.
    open: usize,
    fresh: bool,
}

impl Turns {
    /// Takes a legal ply of a position: its text as [`san`] gives it, and what it brings about.
    pub fn take(&mut self, path: &BoardPath, san: &str, effects: &Effects) {
        let steps: Vec<_> = path.squares().collect();
        let own = san.rsplit_once('.').map_or(san, |(_, own)| own);
        for depth in self.open..=steps.len() {
            self.text.push_str(if self.fresh || self.text.is_empty() { "" } else { " " });
            self.fresh = false;
            if let Some(on) = depth.checked_sub(1).and_then(|before| steps.get(before)) {
                // Memory can be written.
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
        while self.open > 0 && effects.ends_turn_at(self.open - 1) {
            self.open -= 1;
            self.text.push('>');
            self.text.push_str(suffix(effects.checks_at(self.open)).as_str());
            self.fresh = false;
        }
    }

    /// Whether no turn is open.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.open == 0
    }

    /// Closes the turns that are open.
    pub fn close(&mut self) {
        self.text.push_str(&">".repeat(std::mem::take(&mut self.open)));
    }

    /// What was written since this was last asked.
    pub fn text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

/// The movetext of a game, made as its plies are played: turns with their numbers.
#[derive(Default, Debug)]
pub struct Movetext {
    turns: Turns,
    text: String,
}

impl Movetext {
    /// Takes a ply, the position before it and what it brings about.
    pub fn take(&mut self, before: &Mega, ply: &Ply, effects: &Effects) {
        if self.turns.is_closed() {
            let number = match before.turn() {
                Side::White => format!("\n{}. ", before.fullmove()),
                Side::Black if self.text.is_empty() => format!("\n{}... ", before.fullmove()),
                Side::Black => " ".into(),
            };
            self.text.push_str(&number);
        }
        self.turns.take(&ply.path, &san(before, ply), effects);
        if self.turns.is_closed() {
            self.text.push_str(&self.turns.text());
        }
    }

    /// The movetext of a game that goes no further, without its result.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.turns.close();
        self.text.push_str(&self.turns.text());
        self.text
    }
}
