//! The games of a record that are open at one place in it: the game being read, and those around it.

use crate::{game_state::GameState, report::GameResult};
use std::cmp::Ordering;

/// The game being read and the games around it.
#[derive(Default)]
pub struct OpenGames {
    current: GameState,
    /// Those around it, the outermost first.
    around: Vec<GameState>,
    /// The result of the sub-game that ended last.
    concluded: GameResult,
}

impl OpenGames {
    /// The game being read.
    #[inline]
    #[must_use]
    pub const fn current(&self) -> &GameState {
        &self.current
    }

    /// The same, mutable.
    #[inline]
    pub const fn current_mut(&mut self) -> &mut GameState {
        &mut self.current
    }

    /// The game of the record, around all others.
    #[must_use]
    pub fn whole(&self) -> &GameState {
        self.around.first().unwrap_or(&self.current)
    }

    /// The same, mutable.
    #[must_use]
    pub fn whole_mut(&mut self) -> &mut GameState {
        self.around.first_mut().unwrap_or(&mut self.current)
    }

    /// Whether the game being read, or one around it, has ended.
    #[inline]
    #[must_use]
    pub fn any_ended(&self) -> bool {
        self.current.course.ended.is_some()
            || self.around.iter().any(|game| game.course.ended.is_some())
    }

    /// The game being read and those around it, the outermost first.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut GameState> {
        self.around.iter_mut().chain([&mut self.current])
    }

    /// The game that has `around` games around it.
    pub fn with_around(&mut self, around: usize) -> Option<&mut GameState> {
        match around.cmp(&self.around.len()) {
            Ordering::Less => self.around.get_mut(around),
            Ordering::Equal => Some(&mut self.current),
            Ordering::Greater => None,
        }
    }

    /// How many games are around the one being read.
    #[must_use]
    pub const fn around(&self) -> usize {
        self.around.len()
    }

    /// A game begins inside the one being read; `path` is written as findings show it.
    pub fn enter(&mut self, path: String) {
        let inner = GameState {
            path,
            ..GameState::default()
        };
        self.around
            .push(std::mem::replace(&mut self.current, inner));
    }

    /// Returns to the game that has `around` games around it. Returns the state of the last game left.
    pub fn unwind(&mut self, around: usize) -> Option<GameState> {
        let mut left = None;
        while self.around.len() > around {
            let outer = self.around.pop()?;
            left = Some(std::mem::replace(&mut self.current, outer));
        }
        left
    }

    /// The result of the sub-game that ended last.
    #[must_use]
    pub const fn concluded(&self) -> &GameResult {
        &self.concluded
    }

    /// A sub-game has ended with this result.
    pub fn conclude(&mut self, result: GameResult) {
        self.concluded = result;
    }

    /// Forgets the games of the last record, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.unwind(0);
        self.current.clear();
        self.concluded = GameResult::default();
    }
}
