//! Wins, draws and losses.

use std::ops::AddAssign;

/// How many games, or matches, a player or team won, drew and lost; where none is named, White.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// So many of each.
    #[must_use]
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Self {
        Self {
            wins,
            draws,
            losses,
        }
    }

    /// All games.
    #[must_use]
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The player's half points in them.
    #[must_use]
    pub const fn half_points(self) -> u64 {
        2 * self.wins + self.draws
    }

    /// The same games from the opponent's point of view.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self::new(self.losses, self.draws, self.wins)
    }

    /// Adds a game in which the player scored so many half points.
    pub const fn count(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, more: Self) {
        self.wins += more.wins;
        self.draws += more.draws;
        self.losses += more.losses;
    }
}
