//! A game in progress as players and batches see it: the position, its history, the legal plies.

use crate::{chance::Chance, ending::End};
use overboard_referee::game::play::Play;
use overboard_rules::{
    game::{BoardId, Claimable, Step},
    repetition::{History, Times},
    square::Side,
};
use std::sync::OnceLock;

/// A game in progress.
#[derive(Clone)]
pub struct LiveGame<G: Play> {
    game: G,
    /// The positions up to this one; `None` if the game has no repetition to detect.
    history: Option<History<G::Snapshot>>,
    /// The board to be moved on, if boards take turns.
    at: Option<G::Board>,
    /// The legal plies, listed after every ply if they were requested before it.
    plies: Option<Vec<G::Ply>>,
    /// The same, listed on request in this position.
    asked: OnceLock<Vec<G::Ply>>,
    end: Option<End>,
}

impl<G: Play> LiveGame<G> {
    /// A game that starts from a position.
    #[must_use]
    pub fn from(game: G) -> Self {
        let compares = size_of::<G::Snapshot>() > 0;
        let history = compares.then(|| History::from(game.key(), game.snapshot()));
        let (at, end) = (
            game.next_board(None),
            game.ruling(Times::FIRST).map(End::from),
        );
        Self {
            game,
            history,
            at,
            plies: None,
            asked: OnceLock::new(),
            end,
        }
    }

    /// The position.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The positions up to this one; `None` if the game has no repetition to detect.
    #[must_use]
    pub const fn history(&self) -> Option<&History<G::Snapshot>> {
        self.history.as_ref()
    }

    /// The board to be moved on, if boards take turns.
    #[must_use]
    pub const fn board(&self) -> Option<G::Board> {
        self.at
    }

    /// Which claims would be correct now.
    #[must_use]
    pub fn claimable(&self) -> Claimable {
        self.game
            .claimable(self.at.unwrap_or(G::Board::WHOLE), self.times())
    }

    /// How the game ended, if it has.
    #[inline]
    #[must_use]
    pub const fn end(&self) -> Option<End> {
        self.end
    }

    /// How often the position has occurred, including now.
    #[must_use]
    pub fn times(&self) -> usize {
        self.history.as_ref().map_or(1, History::last)
    }

    /// Makes the next ply due on another board: by the rules, boards that take turns here need not wait for each other.
    pub fn turn_to(&mut self, at: G::Board) {
        self.at = Some(at);
        self.plies = None;
        self.asked = OnceLock::new();
    }

    /// The team to move, by the colour that names it.
    #[inline]
    #[must_use]
    pub fn side(&self) -> Side {
        let at = self.at.unwrap_or(G::Board::WHOLE);
        let next = self.game.next_move(at);
        next.map_or(Side::White, |(_, side)| self.game.team(at, side))
    }

    /// The colour to move on the board that is due; where a team has both colours, this is not what names it.
    #[must_use]
    pub fn colour(&self) -> Side {
        let next = self.game.next_move(self.at.unwrap_or(G::Board::WHOLE));
        next.map_or(Side::White, |(_, side)| side)
    }

    /// The legal plies, always in the same order; empty if the game is over.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> &[G::Ply] {
        if self.end.is_some() {
            return &[];
        }
        match &self.plies {
            Some(plies) => plies,
            None => self.asked.get_or_init(|| {
                let mut plies = Vec::with_capacity(64);
                self.game.list(self.at, &mut plies);
                plies
            }),
        }
    }

    /// A random legal ply; `None` if the game is over.
    pub fn any(&self, chance: &mut Chance) -> Option<G::Ply> {
        let is_listed = G::LISTED && (self.plies.is_some() || self.asked.get().is_some());
        if G::PICKS && !is_listed && self.end.is_none() {
            return self.game.any(&mut |bound| chance.below(bound));
        }
        chance.pick(self.plies())
    }

    /// Plays a legal ply.
    #[inline]
    pub fn play(&mut self, ply: G::Ply) {
        let irreversible = self.history.is_some() && self.game.is_irreversible(ply);
        let brought = self.game.play(ply);
        self.at = self.game.next_board(self.at).or(self.at);
        let times = match &mut self.history {
            Some(history) => {
                let now = history.push(self.game.key(), self.game.snapshot(), irreversible);
                history.times(now)
            }
            None => Times::FIRST,
        };
        // A player that asked for the plies once will ask again.
        let known = self.plies.take().or_else(|| self.asked.take());
        let listed = if G::LISTED { known } else { None };
        let ruling = match listed {
            Some(mut plies) => {
                plies.clear();
                self.game.list(self.at, &mut plies);
                let goes_on = !plies.is_empty();
                self.plies = Some(plies);
                let times = if goes_on { times.with_plies() } else { times };
                self.game.ended(&brought, times)
            }
            None => self.game.ended(&brought, times),
        };
        self.end = ruling.map(End::from);
    }

    /// The game after a legal ply. The plies there are listed only on request.
    #[must_use]
    pub fn after(&self, ply: G::Ply) -> Self {
        let mut after = Self {
            game: self.game.clone(),
            history: self.history.clone(),
            at: self.at,
            plies: None,
            asked: OnceLock::new(),
            end: self.end,
        };
        after.play(ply);
        after
    }

    /// Applies a step: a legal ply, or another event.
    pub fn step(&mut self, step: &Step<G>) {
        match step {
            Step::Ply(ply) => self.play(*ply),
            Step::Event(..) => {
                step.make(&mut self.game);
                *self = Self {
                    at: self.at,
                    ..Self::from(self.game.clone())
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Purpose;
    use overboard_games::strategichess::linked::{Linked, Options};
    use overboard_rules::game::Game as _;

    fn three_boards() -> LiveGame<Linked> {
        LiveGame::from(
            Linked::start(&Options {
                boards: 3,
                ..Options::default()
            })
            .unwrap(),
        )
    }

    #[test]
    fn boards_have_a_ply_each_in_turn() {
        let mut game = three_boards();
        let mut chance = Chance::of(1, Purpose::Shuffle);
        let mut played = Vec::new();
        for _ in 0..9 {
            let ply = game.any(&mut chance).unwrap();
            played.push((ply.board(), game.side()));
            game.play(ply);
        }
        let round = |side| [(0, side), (1, side), (2, side)];
        let expected = [round(Side::White), round(Side::Black), round(Side::White)].concat();
        assert_eq!(played, expected);
    }

    #[test]
    fn random_matches_come_to_an_end_by_the_rules() {
        let mut chance = Chance::of(2, Purpose::Shuffle);
        for _ in 0..3 {
            let mut game = three_boards();
            let mut plies = 0;
            while let Some(ply) = game.any(&mut chance) {
                game.play(ply);
                plies += 1;
            }
            assert!(game.end().is_some() && plies > 100, "{plies}");
        }
    }
}
