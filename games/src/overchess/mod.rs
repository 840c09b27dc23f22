//! Overchess: chess whose captures are games between depleting armies.
//!
//! At depth 1 a capture is decided by a sub-game of chess; at depth 2 and more by a game of Overchess, each piece of
//! which stands for a sub-set of its own (OV-40). Open games are stored one inside the other, and untouched sub-sets
//! are not stored at all, so depth costs nothing until it is played.
//!
//! A ply is one act of the innermost open game: an over-move, a set-up, a move of the sub-game, part of settling it,
//! part of a consolidation. The position keeps which of them is due, so that all can be listed:
//!
//! ```
//! use overboard_games::overchess::{Agreed, Options, Over};
//! use overboard_rules::game::Game;
//! use std::ops::ControlFlow;
//!
//! let rules = Options { consolidation: true, ..Options::default() };
//! let start = Over::start(&Agreed { depth: 1, rules }).unwrap();
//! let mut plies = 0;
//! let _ = start.legal(|_| {
//!     plies += 1;
//!     ControlFlow::Continue(())
//! });
//! assert_eq!(plies, 20 + 15);
//! let deepest = Agreed { depth: 64, ..Agreed::default() };
//! assert_eq!(Over::start(&deepest).unwrap().count_legal(), 20);
//! ```

use crate::chess::{Chess, Move};
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome, Ruling},
    path::{BoardPath, index, square},
    ply::StandingAct,
    square::{Piece, Role, Side, Square},
};
use placing::Placing;
use state::{Concluded, Phase};
use std::sync::Arc;

mod army;
mod block;
mod board;
mod contest;
mod game;
mod individuals;
pub mod judge;
pub mod laws;
mod legal;
mod level;
pub mod lieutenants;
mod name;
mod notation;
mod options;
mod placing;
pub mod play;
mod record;
mod refusal;
mod roster;
mod rulings;
mod setup;
mod silence;
mod state;
mod sub;
#[cfg(test)]
mod tests;

pub use crate::board8::board::BoardMove as OverMove;
pub use army::{Army, Individual, Places};
pub use block::{Block, CountedPieces};
pub use game::{Agreed, Effects, Ended};
pub use level::Level;
pub use name::{Name, Step, SubSetPlace};
pub use notation::*;
pub use options::{Drawn, Options, Reserves};
pub use record::{Movetext, follow, unsettled, unsettled_in};
pub use refusal::{Asked, Breach};
pub(crate) use roster::first_position;
pub use roster::{Arrangement, KINDS, Roster};

/// The greatest depth of Overchess.
pub const DEEPEST: u8 = 64;

/// One act: the ply of Overchess. It belongs to the innermost open game of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ply {
    /// A move on the over-board.
    Over(OverMove),
    /// A set-up of the sub-game of chess that is due (OV-4).
    Setup(Arrangement),
    /// A move of the sub-game of chess.
    Sub(Move),
    /// Pieces of the loser that the winner takes over (OV-21).
    Prisoners(Roster),
    /// A spare piece joins the sub-set of the over-piece on a square (OV-23).
    Reserve(Square, Role),
    /// The over-piece on a square is taken off the board, and its pieces are to be handed over (OV-22).
    Consolidate(Square),
    /// A piece joins the sub-set of the over-piece on a square.
    Give(Square, Role),
    /// Part of settling, or a consolidation, is over.
    Done,
    /// The individual of a place is set up on the square that is regular for another place, from White's point of view.
    Place(SubSetPlace, SubSetPlace),
    /// The loser's individual of this place is taken prisoner.
    Take(SubSetPlace),
    /// The individual in hand goes to the sub-set of the over-piece on a square.
    Hand(SubSetPlace, Square),
}

/// What is due in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// An over-move, or a consolidation instead.
    Over,
    /// An over-move of the piece on this square, which has received a spare piece.
    OverFrom(Square),
    /// A set-up of the sub-game on this square, by its attacker or its defender.
    Setup(Square, Side),
    /// A move of the sub-game on this square.
    Sub(Square),
    /// Prisoners or spare pieces for the over-piece on this square.
    Settling(Square),
    /// Pieces to be handed over.
    Giving,
}

impl Due {
    /// What it is, in words.
    #[must_use]
    pub fn in_words(self) -> String {
        match self {
            Self::Over => "an over-move".into(),
            Self::OverFrom(from) => format!("an over-move from {from}"),
            Self::Setup(on, Side::White) => format!("the attacker's set-up on {on}"),
            Self::Setup(on, Side::Black) => format!("the defender's set-up on {on}"),
            Self::Sub(on) => format!("a move in the sub-game on {on}"),
            Self::Settling(on) => format!("prisoners or spare pieces for {on}"),
            Self::Giving => "pieces to be handed over".into(),
        }
    }
}

/// An over-piece and its sub-set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OverPiece {
    /// Its side and kind.
    pub piece: Piece,
    /// What is left of its sub-set; a king's is empty.
    pub pieces: Roster,
    /// Its own spare pieces, if each over-piece has some.
    pub spares: Roster,
}

/// A contested square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contested {
    /// The attacker's square of origin.
    pub from: Square,
    /// The attacker's square.
    pub to: Square,
    /// The attacked over-piece.
    pub defender: OverPiece,
    /// The defender's square, if that is another one (en passant).
    pub victim: Option<Square>,
    /// The piece to which the attacking pawn promoted.
    pub promotion: Option<Role>,
}

/// A position of Overchess of any depth, at any moment.
#[derive(Clone, Debug)]
pub struct Over {
    /// The open over-games around the innermost one, the outermost first.
    outer: Vec<Arc<Level>>,
    /// The innermost open over-game; not shared, since it is the one that plies change.
    inner: Level,
}

impl Over {
    /// The team, by its colour in the outermost game, that has this side in the game that so many games are around: inside
    /// another game White is the attacker.
    #[must_use]
    pub fn team(&self, around: usize, side: Side) -> Side {
        let mut white = Side::White;
        for level in self.levels().take(around) {
            if let Some(contest) = level.game.contests[0] {
                white = team_in(contest.side(), white);
            }
        }
        team_in(side, white)
    }
}

/// The team of a side in a game in which `white` has White.
const fn team_in(side: Side, white: Side) -> Side {
    match side {
        Side::White => white,
        Side::Black => white.other(),
    }
}

impl Over {
    /// The initial position; depth counts from 1 to [`DEEPEST`].
    #[must_use]
    pub fn first(depth: u8, options: Options) -> Self {
        Self::alone_with(Level::start(depth.clamp(1, DEEPEST), options))
    }

    const fn alone_with(level: Level) -> Self {
        Self {
            outer: Vec::new(),
            inner: level,
        }
    }

    /// The optional rules in force.
    #[must_use]
    pub fn rules(&self) -> Options {
        self.outermost().options()
    }

    /// The depth of the outermost game.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.outermost().depth()
    }

    /// How many over-games are open inside each other, including the outermost.
    #[must_use]
    pub fn open(&self) -> usize {
        self.outer.len() + 1
    }

    /// An open over-game; 0 is the outermost.
    #[must_use]
    pub fn level(&self, level: usize) -> Option<&Level> {
        match self.outer.get(level) {
            Some(outer) => Some(outer),
            None if level == self.outer.len() => Some(&self.inner),
            None => None,
        }
    }

    /// The open over-game that is played on a board.
    fn level_at(&self, at: BoardPath) -> Option<&Level> {
        let level = self.level(at.len())?;
        self.leads_into(at, at.len()).then_some(level)
    }

    /// The sub-game of chess being played, for a board at the depth of one.
    fn chess_at(&self, at: BoardPath) -> Option<&Chess> {
        if at.len() == usize::from(self.depth()) {
            self.inner.sub_game()
        } else {
            None
        }
    }

    fn levels(&self) -> impl Iterator<Item = &Level> {
        self.outer.iter().map(Arc::as_ref).chain([&self.inner])
    }

    /// The outermost over-game.
    #[must_use]
    pub fn outermost(&self) -> &Level {
        self.outer.first().map_or(&self.inner, Arc::as_ref)
    }

    /// The innermost open over-game, to which the next ply belongs, or which it sets up.
    #[must_use]
    pub const fn current(&self) -> &Level {
        &self.inner
    }

    /// An open over-game (0 is the outermost) with nothing around it and nothing inside, as if it were the whole game.
    /// Suitable for search: games that begin inside it are seen, and one that is already open is ignored. Falls back to
    /// the innermost one if `level` is too deep.
    #[must_use]
    pub fn alone(&self, level: usize) -> Self {
        Self::alone_with(self.level(level).unwrap_or(&self.inner).clone())
    }

    /// An open over-game (0 is the outermost) with everything open inside it, as if it were the whole game. Falls back
    /// to the innermost one if `level` is too deep.
    #[must_use]
    pub fn inside(&self, level: usize) -> Self {
        let outer = self.outer.get(level..).unwrap_or_default();
        Self {
            outer: outer.to_vec(),
            ..Self::alone_with(self.inner.clone())
        }
    }

    /// The path to the game to which the next ply belongs: the contested squares, the outermost first. A set-up belongs
    /// to the game that it sets up.
    #[must_use]
    pub fn path(&self) -> BoardPath {
        let path = self.current_path();
        match self.due() {
            Due::Sub(on) | Due::Setup(on, _) => path.on(on),
            _ => path,
        }
    }

    /// The path to the innermost open over-game.
    fn current_path(&self) -> BoardPath {
        self.path_of(self.outer.len())
    }

    /// The path to an open over-game.
    #[must_use]
    pub fn path_of(&self, level: usize) -> BoardPath {
        let mut path = BoardPath::OUTERMOST;
        for level in self.levels().take(level) {
            if let Some(contest) = level.contested().next() {
                path = path.on(contest.to);
            }
        }
        path
    }

    /// Whether a path leads through the contested squares of `levels` open over-games to what is inside them.
    fn leads_into(&self, way: BoardPath, levels: usize) -> bool {
        let attacked = |level: &Level| level.game.contests[0].map(|contest| contest.to);
        way.len() == levels
            && self
                .levels()
                .zip(way.steps())
                .all(|(level, step)| attacked(level) == Some(*step))
    }

    /// Whether a path equals [`path`](Self::path), that of the game that the next ply belongs to.
    fn is_at(&self, way: BoardPath) -> bool {
        let inside = matches!(self.due(), Due::Sub(_) | Due::Setup(..));
        self.leads_into(way, self.outer.len() + usize::from(inside))
    }

    /// What is due in the innermost game.
    #[must_use]
    pub fn due(&self) -> Due {
        match (self.placing(), self.inner.game.contests[0]) {
            (Some((side, _)), Some(contest)) => Due::Setup(square(contest.to), side),
            _ => self.inner.due(),
        }
    }

    /// Whether an over-move of the outermost game is due, and everything before it is settled.
    #[must_use]
    pub fn is_between_turns(&self) -> bool {
        self.outer.is_empty() && self.due() == Due::Over
    }

    /// The side of the outermost game that makes the next ply.
    #[must_use]
    pub fn actor(&self) -> Side {
        self.actor_in(0)
    }

    /// The side of an open over-game (0 is the outermost) that makes the next ply.
    fn actor_in(&self, level: usize) -> Side {
        let attacks = self.inner.game.actor();
        let mut actor = match self.placing() {
            Some((Side::Black, _)) => attacks.other(),
            _ => attacks,
        };
        let around = self.outer.get(level..).unwrap_or_default();
        for outer in around.iter().rev() {
            actor = team_in(actor, outer.game.actor());
        }
        actor
    }

    /// While individuals are set up: whose turn it is, and which place is next.
    #[must_use]
    pub fn placing(&self) -> Option<(Side, SubSetPlace)> {
        self.inner.individuals()?.placing.as_ref()?.due()
    }

    /// While individuals are set up: those of attacker and defender that have been, with their squares.
    #[must_use]
    pub fn placed(&self) -> Option<BySide<Vec<(Square, &Individual)>>> {
        let placing = self.inner.individuals()?.placing.as_ref()?;
        Some(BySide::from_fn(|side| {
            let mut standing = Vec::new();
            for (place, one) in placing.armies[side].all() {
                if let Some(at) = placing.squares[side][usize::from(place.number())] {
                    standing.push((square(at), one));
                }
            }
            standing.sort_by_key(|(on, _)| index(*on));
            standing
        }))
    }

    /// The individuals that may still be taken prisoner; empty if pieces have no names.
    #[must_use]
    pub fn captives(&self) -> &Places {
        match self.inner.individuals() {
            Some(who) => &who.captives,
            None => &army::NO_PLACES,
        }
    }

    /// The individuals in hand that may still be handed over; empty if pieces have no names.
    #[must_use]
    pub fn hand(&self) -> &Places {
        match self.inner.individuals() {
            Some(who) => &who.hand,
            None => &army::NO_PLACES,
        }
    }

    /// Calls `visit` with every legal ply, in no particular order; none after an end of the outermost game that leaves
    /// none.
    pub fn legal_moves(&self, mut visit: impl FnMut(Ply)) {
        if let Some(who) = self.inner.individuals() {
            if let Some(placing) = &who.placing {
                if let Some((_, next)) = placing.due() {
                    for on in placing.free() {
                        visit(Ply::Place(next, on));
                    }
                }
                return;
            }
            match &self.inner.game.phase {
                Phase::Settling(_) if !who.captives.is_empty() => {
                    for place in who.captives.held() {
                        visit(Ply::Take(place));
                    }
                    return visit(Ply::Done);
                }
                Phase::Giving(..) if self.inner.depth() > 1 => {
                    return self.inner.for_each_gift(visit);
                }
                _ => {}
            }
        }
        self.inner.game.legal_moves(visit);
    }

    /// Every legal ply, in no particular order.
    fn legal_plies(&self) -> Vec<Ply> {
        let mut plies = Vec::new();
        self.legal_moves(|ply| plies.push(ply));
        plies
    }

    /// The sub-game of chess whose moves are the legal plies now, which is the case for nearly all plies of a game.
    #[inline]
    pub(crate) fn sub_game_due(&self) -> Option<&Chess> {
        let game = &self.inner.game;
        if game.ended.is_some() {
            None
        } else {
            game.sub_game().map(|sub| &sub.chess)
        }
    }

    /// Whether exactly this ply is legal.
    #[must_use]
    pub fn is_legal(&self, ply: &Ply) -> bool {
        let mut found = false;
        self.legal_moves(|legal| found |= legal == *ply);
        found
    }

    /// Lets an act stand, legal or not (GEN-9): in the sub-game that is being played, or else on the board of the
    /// innermost game. A move to an enemy over-piece attacks it; only a king captures it directly. Returns `None`, with
    /// the position unchanged, if it leads to no position.
    fn stand(&mut self, standing_act: StandingAct) -> Option<Effects> {
        let mut after = self.clone();
        after.inner.stand(standing_act)?;
        let effects = after.go_on();
        *self = after;
        Some(effects)
    }

    /// The initial position of the inner game that a placement begins, even if that is over at once; `None` if others
    /// are still to be set up.
    #[must_use]
    pub fn begun(&self, ply: &Ply) -> Option<Self> {
        let Ply::Place(_, on) = *ply else { return None };
        let mut placing = self.inner.individuals()?.placing.clone()?;
        placing.put(on);
        let mut begun = self.clone();
        begun.enter(self.begin(&placing)?);
        Some(begun)
    }

    /// The inner game, once everyone has been set up for it.
    fn begin(&self, placing: &Placing) -> Option<Level> {
        let squares = placing.done()?;
        Some(Level::of(
            self.inner.depth() - 1,
            self.rules(),
            placing.armies.clone(),
            squares,
        ))
    }

    fn enter(&mut self, game: Level) {
        self.outer
            .push(Arc::new(std::mem::replace(&mut self.inner, game)));
    }

    /// Leaves the innermost game for the one around it; returns the remaining individuals, or `None` if it is the
    /// outermost.
    fn go_out(&mut self) -> Option<BySide<Places>> {
        let outer = Arc::unwrap_or_clone(self.outer.pop()?);
        Some(std::mem::replace(&mut self.inner, outer).end())
    }

    /// Advances to the next choice: out of games that are over, into those whose set-up has been made. Returns the
    /// inner games that the act has ended.
    #[inline]
    fn go_on(&mut self) -> Effects {
        // A game of depth 1 skips the work for games inside games.
        if self.outer.is_empty() && self.inner.depth() == 1 && !self.inner.game.has_concluded() {
            return Effects::default();
        }
        self.go_in_and_out()
    }

    fn go_in_and_out(&mut self) -> Effects {
        let mut effects = Effects::default();
        loop {
            for Concluded {
                contest,
                outcome,
                by,
                check,
                ..
            } in self.inner.follow()
            {
                let game = self.current_path().on(square(contest.to));
                effects.push(Ended {
                    game,
                    outcome,
                    by,
                    check,
                });
            }
            if !self.outer.is_empty()
                && let Some(ruling) = self.inner.game.ended
            {
                self.leave(ruling.outcome, Some(ruling), &mut effects);
                continue;
            }
            if self.inner.depth() == 1 {
                return effects;
            }
            if let Some(who) = self.inner.individuals()
                && let Some(placing) = &who.placing
            {
                let Some(game) = self.begin(placing) else {
                    return effects;
                };
                if let Some(who) = self.inner.individuals_mut() {
                    who.placing = None;
                }
                self.enter(game);
            } else if matches!(self.inner.game.phase, Phase::Nested)
                && let Some(armies) = self.inner.armies()
                && let Some(who) = self.inner.individuals_mut()
            {
                who.placing = Some(Placing::of(armies, BySide::default()));
            } else {
                return effects;
            }
        }
    }

    /// The innermost over-game is over; `by` says how, if its plies ended it.
    fn leave(&mut self, outcome: Outcome, by: Option<Ruling>, effects: &mut Effects) {
        let game = self.current_path();
        if let Some(left) = self.go_out() {
            effects.push(Ended {
                game,
                outcome,
                by,
                check: false,
            });
            self.inner.conclude(outcome, Some(left));
        }
    }

    /// Ends the sub-game of an open over-game (0 is the outermost) by something other than its moves: a resignation, an
    /// agreement or a claim (OV-16). The attacker is White. Games open inside it are broken off, and their attacks are
    /// drawn (OV-41). Does nothing if no sub-game is due.
    pub fn conclude(&mut self, level: usize, outcome: Outcome) -> Effects {
        let mut effects = Effects::default();
        while self.open() > level + 2 {
            let Some(left) = self.go_out() else { break };
            self.inner.break_off(left);
        }
        if self.open() == level + 2 {
            self.leave(outcome, None, &mut effects);
        } else if self.open() == level + 1 {
            if self.inner.depth() == 1 {
                self.inner.game.conclude(outcome);
            } else if let Some(game) = self.sub_game_of(level) {
                effects.push(Ended {
                    game,
                    outcome,
                    by: None,
                    check: false,
                });
                self.inner.conclude(outcome, None);
            }
        }
        effects.append(self.go_on());
        effects
    }

    /// The path to the sub-game of an open over-game (0 is the outermost) that may end by something other than its
    /// moves: it is due or being played. No resignation is possible while the innermost game is settled or an
    /// over-piece is consolidated.
    #[must_use]
    pub fn sub_game_of(&self, level: usize) -> Option<BoardPath> {
        let innermost = level + 1 == self.open();
        let can_end = match self.due() {
            Due::Sub(_) | Due::Setup(..) => true,
            Due::Over | Due::OverFrom(_) => !innermost,
            Due::Settling(_) | Due::Giving => false,
        };
        if !can_end {
            return None;
        }
        let on = self.level(level)?.contested().next()?.to;
        Some(self.path_of(level).on(on))
    }

    /// How the outermost game ends, by the position itself or by how often it has occurred (OV-15).
    #[must_use]
    pub fn end_by_itself(&self) -> Option<Ruling> {
        self.outermost().end_by_itself()
    }

    /// Whether the outermost game is over because a king has fallen.
    fn has_fallen(&self) -> bool {
        let end = self.end_by_itself();
        end.is_some_and(|ruling| ruling.cause == Cause::KingFalls)
    }
}
