//! Overchess of depth 2 and more: every man of a sub-set stands for a sub-set of its own (OV-40).
//!
//! Games that are open inside each other are kept outermost first, and what nobody has touched exists only in
//! principle; so that depth costs nothing until it is played. A ply belongs to the innermost game.
//!
//! ```
//! use overboard_rules::overchess::{Options, deep::Deep};
//!
//! let start = Deep::start(64, Options::default());
//! let mut plies = 0;
//! start.for_each_legal(|_| plies += 1);
//! assert_eq!(plies, 20);
//! ```

use super::{Asked, Contested, Due, Options, Over, Ply, game::Phase};
use crate::{
    outcome::{Cause, Outcome, Ruling},
    path::{BoardPath, index, square},
    square::{Role, Side, Square},
};
use level::Level;
use placing::Placing;
use std::sync::Arc;

mod against;
mod army;
mod level;
mod name;
mod placing;
mod setup;
#[cfg(test)]
mod tests;

pub use against::{DeepAsked, DeepBreach};
pub use army::{Army, Individual, Places};
pub use name::{Name, Place, Step};
pub use setup::{DeepSetup, Open, Standing};

/// How deep Overchess goes at the most.
pub const DEEPEST: u8 = 64;

/// One act. Which game it belongs to is told by the position: it is the innermost that is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeepPly {
    /// One that is as at depth 1.
    Plain(Ply),
    /// The individual of a place is set up on the square where that of another place is regular in a White
    /// set.
    Place(Place, Place),
    /// The loser's individual of this place is taken prisoner.
    Take(Place),
    /// The individual in hand goes to the sub-set of the over-piece on a square.
    Hand(Place, Square),
}

impl From<Ply> for DeepPly {
    fn from(ply: Ply) -> Self {
        Self::Plain(ply)
    }
}

/// A position of Overchess of depth 2 or more, at any moment.
#[derive(Clone, Debug)]
pub struct Deep {
    options: Options,
    /// The open over-games, outermost first; never none.
    levels: Vec<Arc<Level>>,
    /// The over-games inside that ended with the last act: how many are around each, and how it ended.
    ended: Vec<(usize, Outcome)>,
}

impl Deep {
    /// The first position; depth counts from 1 to [`DEEPEST`].
    #[must_use]
    pub fn start(depth: u8, options: Options) -> Self {
        let depth = depth.clamp(1, DEEPEST);
        Self { options, levels: vec![Arc::new(Level::start(depth, options))], ended: Vec::new() }
    }

    /// The optional rules in force.
    #[must_use]
    pub const fn options(&self) -> Options {
        self.options
    }

    /// How deep the outermost game goes.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.levels[0].depth
    }

    fn innermost(&self) -> &Level {
        &self.levels[self.levels.len() - 1]
    }

    fn innermost_mut(&mut self) -> &mut Level {
        let last = self.levels.len() - 1;
        Arc::make_mut(&mut self.levels[last])
    }

    /// How many over-games are open in each other, the outermost among them.
    #[must_use]
    pub fn open(&self) -> usize {
        self.levels.len()
    }

    /// An open over-game, 0 the outermost, with nothing around it and nothing inside, as if it was the whole
    /// game. It may be looked ahead in: games inside that begin are seen, and one that is open is not gone on
    /// with. Panics where so many are not open.
    #[must_use]
    pub fn alone(&self, level: usize) -> Self {
        Self { options: self.options, levels: vec![Arc::clone(&self.levels[level])], ended: Vec::new() }
    }

    /// An open over-game, 0 the outermost, with all that is open inside, as if it was the whole game. Panics
    /// where so many are not open.
    #[must_use]
    pub fn inside(&self, level: usize) -> Self {
        Self { options: self.options, levels: self.levels[level..].to_vec(), ended: Vec::new() }
    }

    /// An open over-game, 0 the outermost: its board, its counts of men, what is due in it.
    #[must_use]
    pub fn over(&self, level: usize) -> Option<&Over> {
        self.levels.get(level).map(|level| &level.over)
    }

    /// The outermost over-game.
    #[must_use]
    pub fn outermost(&self) -> &Over {
        &self.levels[0].over
    }

    /// The innermost over-game that is open: the one that the next ply belongs to, or sets up.
    #[must_use]
    pub fn current(&self) -> &Over {
        &self.innermost().over
    }

    /// How deep an open over-game goes; 1 where its sub-games are chess.
    #[must_use]
    pub fn depth_of(&self, level: usize) -> u8 {
        self.levels.get(level).map_or(0, |level| level.depth)
    }

    /// The way to the game that the next ply belongs to: the contested squares, outermost first. A set-up
    /// belongs to the game that it sets up.
    #[must_use]
    pub fn path(&self) -> BoardPath {
        let path = self.path_of(self.levels.len() - 1);
        match self.due() {
            Due::Sub(on) | Due::Setup(on, _) => path.on(on),
            _ => path,
        }
    }

    /// The way to an open over-game.
    #[must_use]
    pub fn path_of(&self, level: usize) -> BoardPath {
        let outer = self.levels.iter().take(level);
        let contested = outer.filter_map(|level| level.over.contested().next());
        contested.fold(BoardPath::OUTERMOST, |path, contest| path.on(contest.to))
    }

    /// What is due in the innermost game.
    #[must_use]
    pub fn due(&self) -> Due {
        let inner = self.innermost();
        let placed = inner.placing.as_ref().and_then(Placing::due);
        match (placed, inner.over.contested().next()) {
            (Some((side, _)), Some(Contested { to, .. })) => Due::Setup(to, side),
            _ => inner.over.due(),
        }
    }

    /// The side of the outermost game that makes the next ply.
    #[must_use]
    pub fn actor(&self) -> Side {
        let inner = self.innermost();
        let attacks = inner.over.game.actor();
        let own = match inner.placing.as_ref().and_then(Placing::due) {
            Some((Side::Black, _)) => attacks.other(),
            _ => attacks,
        };
        self.levels.iter().rev().skip(1).fold(own, |side, outer| match side {
            Side::White => outer.over.game.actor(),
            Side::Black => outer.over.game.actor().other(),
        })
    }

    /// Who stands on a square of an open over-game; on a contested one the attacker. None for a king.
    #[must_use]
    pub fn at(&self, level: usize, on: Square) -> Option<&Individual> {
        self.levels.get(level)?.at(on)
    }

    /// The attacked over-piece of a contested square of an open over-game; 0 is the one to be settled first.
    #[must_use]
    pub fn attacked(&self, level: usize, contest: usize) -> Option<&Individual> {
        self.levels.get(level)?.attacked(contest)
    }

    /// The sub-sets of attacker and defender of an over-game's contest that is to be settled first.
    #[must_use]
    pub fn armies(&self, level: usize) -> Option<[Places; 2]> {
        self.levels.get(level)?.armies()
    }

    /// The pieces of a contest that an over-game, or its set-up, is open for: attacker and attacked.
    #[must_use]
    pub fn parties(&self, level: usize) -> Option<[&Individual; 2]> {
        self.levels.get(level)?.parties()
    }

    /// While individuals are set up: whose turn it is, and which place is to be set up next.
    #[must_use]
    pub fn placing(&self) -> Option<(Side, Place)> {
        self.innermost().placing.as_ref()?.due()
    }

    /// While individuals are set up: those of attacker and defender that are, with the squares on which they
    /// stand.
    #[must_use]
    pub fn placed(&self) -> Option<[Vec<(Square, &Individual)>; 2]> {
        let placing = self.innermost().placing.as_ref()?;
        Some([0, 1].map(|side| {
            let army = &placing.armies[side];
            let standing = army.held().filter_map(|place| {
                Some((square(placing.squares[side][usize::from(place.number())]?), army.at(place)?))
            });
            let mut standing = Vec::from_iter(standing);
            standing.sort_by_key(|(on, _)| index(*on));
            standing
        }))
    }

    /// The individuals that may still be taken prisoner.
    #[must_use]
    pub fn captives(&self) -> &Places {
        &self.innermost().captives
    }

    /// The individuals in hand that may still be handed over.
    #[must_use]
    pub fn hand(&self) -> &Places {
        &self.innermost().hand
    }

    /// Shows every legal ply; none behind the end of the outermost game that leaves none.
    pub fn for_each_legal(&self, mut visit: impl FnMut(DeepPly)) {
        let inner = self.innermost();
        if let Some(placing) = &inner.placing {
            if let Some((_, next)) = placing.due() {
                placing.free().into_iter().for_each(|on| visit(DeepPly::Place(next, on)));
            }
            return;
        }
        match &inner.over.game.phase {
            Phase::Settling(_) if inner.captives.held().next().is_some() => {
                inner.captives.held().for_each(|place| visit(DeepPly::Take(place)));
                visit(DeepPly::Plain(Ply::Done));
            }
            Phase::Giving(..) if inner.depth > 1 => inner.for_each_gift(visit),
            _ => inner.over.for_each_legal(|ply| visit(DeepPly::Plain(ply))),
        }
    }

    /// How many legal plies there are.
    #[must_use]
    pub fn count_legal(&self) -> u64 {
        let inner = self.innermost();
        if inner.depth == 1 && inner.placing.is_none() {
            return inner.over.count_legal();
        }
        let mut count = 0;
        self.for_each_legal(|_| count += 1);
        count
    }

    /// Whether this very ply is legal.
    #[must_use]
    pub fn is_legal(&self, ply: &DeepPly) -> bool {
        let mut found = false;
        self.for_each_legal(|legal| found |= legal == *ply);
        found
    }

    /// Plays a legal ply.
    pub fn play(&mut self, ply: &DeepPly) {
        self.ended.clear();
        self.innermost_mut().play(ply);
        self.go_on();
    }

    /// The position behind a legal ply.
    #[must_use]
    pub fn after(&self, ply: &DeepPly) -> Self {
        let mut after = self.clone();
        after.play(ply);
        after
    }

    /// The position after a move of the innermost game was made against the rules and stands, as
    /// [`Over::displaced`] has it; `None` where that makes no position of a game.
    #[must_use]
    pub fn displaced(&self, from: Square, to: Square) -> Option<Self> {
        let mut after = self.clone();
        after.ended.clear();
        after.innermost_mut().displace(from, to)?;
        after.go_on();
        Some(after)
    }

    /// The first position of the game inside that a placing begins, even where it is over at once; `None`
    /// where others are still to be set up.
    #[must_use]
    pub fn begun(&self, ply: &DeepPly) -> Option<Self> {
        let DeepPly::Place(_, on) = *ply else { return None };
        let inner = self.innermost();
        let mut placing = inner.placing.clone()?;
        placing.put(on);
        let game = Level::of(inner.depth - 1, self.options, placing.armies.clone(), placing.done()?);
        let mut begun = self.clone();
        begun.levels.push(Arc::new(game));
        Some(begun)
    }

    /// Goes on to the next choice: out of games that are over, into those whose set-up is made.
    fn go_on(&mut self) {
        loop {
            let inner = self.innermost();
            if let Some(ruling) = inner.over.game.ended.filter(|_| self.levels.len() > 1) {
                self.leave(ruling.outcome);
            } else if let Some(placing) = &inner.placing {
                let Some(squares) = placing.done() else { return };
                let game = Level::of(inner.depth - 1, self.options, placing.armies.clone(), squares);
                self.innermost_mut().placing = None;
                self.levels.push(Arc::new(game));
            } else if inner.depth > 1 && matches!(inner.over.game.phase, Phase::Nested) {
                let Some(armies) = inner.armies() else { return };
                self.innermost_mut().placing = Some(Placing::begin(armies));
            } else {
                return;
            }
        }
    }

    /// The innermost over-game is over.
    fn leave(&mut self, outcome: Outcome) {
        if let Some(game) = self.levels.pop() {
            self.ended.push((self.levels.len(), outcome));
            let left = Arc::unwrap_or_clone(game).end();
            self.innermost_mut().conclude(outcome, Some(left));
        }
    }

    /// The over-games inside that ended with the last act, the innermost first: how many are around each, and
    /// how it ended, the attacker being White.
    #[must_use]
    pub fn ended(&self) -> &[(usize, Outcome)] {
        &self.ended
    }

    /// Ends the sub-game of an open over-game, 0 the outermost, by what its moves did not bring about (OV-16):
    /// the attacker is White. Games that are open inside it break off, and their attacks are drawn (OV-41).
    /// Nothing where no sub-game is due.
    pub fn conclude(&mut self, level: usize, outcome: Outcome) {
        self.ended.clear();
        while self.levels.len() > level + 2 {
            if let Some(game) = self.levels.pop() {
                let left = Arc::unwrap_or_clone(game).end();
                self.innermost_mut().break_off(left);
            }
        }
        if self.levels.len() == level + 2 {
            self.leave(outcome);
        } else if self.levels.len() == level + 1 {
            let inner = self.innermost_mut();
            if inner.depth > 1 {
                inner.conclude(outcome, None);
            } else {
                inner.over.conclude(outcome);
                inner.follow();
            }
        }
        self.go_on();
    }

    /// The end of the outermost game.
    #[must_use]
    pub fn ending(&self) -> Option<Ruling> {
        self.outermost().ending()
    }

    /// Whether a draw may be claimed in the outermost game: by repetition, by fifty moves.
    #[must_use]
    pub fn claimable(&self) -> [bool; 2] {
        if self.levels.len() > 1 { [false; 2] } else { self.outermost().claimable() }
    }

    /// Whether the outermost game is over by the fall of a king.
    fn has_fallen(&self) -> bool {
        self.ending().is_some_and(|ruling| ruling.cause == Cause::KingFalls)
    }
}

impl Level {
    fn for_each_gift(&self, mut visit: impl FnMut(DeepPly)) {
        let next = self.next_in_hand();
        if next.is_empty() {
            return visit(DeepPly::Plain(Ply::Done));
        }
        for place in next {
            self.over.game.rooms(place.role()).for_each(|(at, _)| visit(DeepPly::Hand(place, square(at))));
        }
    }

    fn play(&mut self, ply: &DeepPly) {
        match *ply {
            DeepPly::Place(_, on) => {
                if let Some(placing) = &mut self.placing {
                    placing.put(on);
                }
            }
            DeepPly::Take(place) => self.take(place),
            DeepPly::Hand(place, to) => {
                self.hand_over(place, index(to));
                self.over.play(&Ply::Give(to, place.role()));
            }
            DeepPly::Plain(ply) => self.play_plain(&ply),
        }
    }

    fn play_plain(&mut self, ply: &Ply) {
        match *ply {
            Ply::Over(m) => self.carry(m),
            Ply::Consolidate(on) => self.consolidate(index(on)),
            Ply::Reserve(on, role) if self.depth > 1 => self.call_in(index(on), role),
            Ply::Done => self.hand = Places::default(),
            _ => {}
        }
        self.over.play(ply);
        self.follow();
        self.drop_captives();
    }
}
