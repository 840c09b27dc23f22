//! A game under way, as players and batches see it.
//!
//! [`Contest`] is all that a batch, the random and greedy players and the tree search ask of a game. A
//! game on one board gets it from its rules by [`Table`]; a game of another shape implements it by
//! itself. Only the alpha-beta search looks further, into the position on a [`Table`].

use crate::{
    chance::Chance,
    ending::{End, worth},
    evaluate::Evaluate,
    players::{Player, Spec},
};
use overboard_formats::san::PlyText;
use overboard_games::notation::{Notation, Unusable};
use overboard_rules::{
    outcome::Outcome,
    position::Position,
    repetition::{History, Times},
    square::Side,
};
use std::marker::PhantomData;

/// A game under way.
pub trait Contest: Clone + Send + Sync + 'static {
    /// A legal ply where it was listed.
    type Ply: Copy + PartialEq + Send + Sync;

    /// The side to move.
    fn side(&self) -> Side;
    /// The legal plies, always in the same order; none when the game is over.
    fn plies(&self) -> &[Self::Ply];
    /// Any legal ply; `None` when the game is over.
    fn any(&self, chance: &mut Chance) -> Option<Self::Ply> {
        chance.pick(self.plies())
    }
    /// Plays a legal ply.
    fn play(&mut self, ply: Self::Ply);
    /// How the game ended, where it has.
    fn end(&self) -> Option<End>;
    /// A ply as text.
    fn coordinates(&self, ply: Self::Ply) -> PlyText;
    /// How good the position looks to the side to move, in hundredths of a pawn.
    fn evaluate(&self) -> i32;
    /// What the pieces are worth to the side to move, in hundredths of a pawn.
    fn material(&self) -> i32;
    /// The position as FEN.
    fn fen(&self) -> String;
    /// A number that tells the position from nearly all others.
    fn key(&self) -> u64;
    /// What an end is worth to the side to move, from 0, a defeat, to 1, a win.
    fn share(&self, end: End) -> f64 {
        f64::from(1 + worth(end.outcome, self.side())) / 2.0
    }
    /// Whether a record of the game can stop here.
    fn may_stop(&self) -> bool {
        true
    }
    /// The score of a game that is stopped where it stands (GEN-5).
    fn adjudicate(&self) -> Outcome {
        Outcome::Draw
    }
}

/// A game with what is agreed before it: all that a batch asks for.
pub trait Kind: Send + Sync {
    /// The game under way.
    type Game: Contest;

    /// The game's first position.
    fn first(&self) -> Self::Game;
    /// A game that starts from a position.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is no position.
    fn read(&self, fen: &str) -> Result<Self::Game, Unusable>;
    /// Whether such a player plays this game; why not, where it does not.
    ///
    /// # Errors
    /// The reason, in words.
    fn admits(&self, spec: Spec) -> Result<(), &'static str>;
    /// A player for one side of one game; `None` where it is not admitted.
    fn seat(&self, spec: Spec) -> Option<Box<dyn Player<Self::Game>>>;
}

/// A game on one board, in which every player plays.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneBoard<P>(PhantomData<P>);

impl<P> OneBoard<P> {
    /// The game.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<P: Flat> Kind for OneBoard<P> {
    type Game = Table<P>;

    fn first(&self) -> Table<P> {
        Table::from(P::default())
    }

    fn read(&self, fen: &str) -> Result<Table<P>, Unusable> {
        P::read(fen).map(|(position, _)| Table::from(position))
    }

    fn admits(&self, _spec: Spec) -> Result<(), &'static str> {
        Ok(())
    }

    fn seat(&self, spec: Spec) -> Option<Box<dyn Player<Table<P>>>> {
        Some(spec.seat::<P>())
    }
}

/// What a game on one board must have to be played here: every game with a [`Notation`] and an
/// evaluation is one.
pub trait Flat:
    Notation + Evaluate + Position<Move: Send + Sync, Snapshot: Send + Sync> + Send + Sync + 'static
{
}

impl<P> Flat for P where
    P: Notation + Evaluate + Position<Move: Send + Sync, Snapshot: Send + Sync> + Send + Sync + 'static
{
}

/// A game on one board under way: the position, those before it, and what can be played.
#[derive(Clone)]
pub struct Table<P: Position> {
    position: P,
    history: History<P::Snapshot>,
    moves: Vec<P::Move>,
    end: Option<End>,
}

impl<P: Position> Table<P> {
    /// A game that starts from a position.
    #[must_use]
    pub fn from(position: P) -> Self {
        let mut moves = Vec::with_capacity(64);
        position.list_legal(&mut moves);
        let end = position.ending().map(End::from);
        let history = History::from(position.repetition_key(), position.snapshot());
        Self { position, history, moves, end }
    }

    /// The position on the table.
    #[must_use]
    pub const fn position(&self) -> &P {
        &self.position
    }

    /// The positions up to this one.
    #[must_use]
    pub const fn history(&self) -> &History<P::Snapshot> {
        &self.history
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, m: P::Move) {
        let irreversible = self.position.is_irreversible(m);
        self.position.play(m);
        let (key, snapshot) = (self.position.repetition_key(), self.position.snapshot());
        let recurrence = self.history.push(key, snapshot, irreversible);
        self.moves.clear();
        self.position.list_legal(&mut self.moves);
        self.end = self.ended(self.history.times(recurrence));
    }

    #[inline]
    fn ended(&self, times: Times<'_, P::Snapshot>) -> Option<End> {
        let ruling = if self.moves.is_empty() {
            self.position.ending()
        } else {
            self.position.ended(times.now, times.since)
        };
        ruling.map(End::from)
    }
}

impl<P: Flat> Contest for Table<P> {
    type Ply = P::Move;

    #[inline]
    fn side(&self) -> Side {
        self.position.turn()
    }

    #[inline]
    fn plies(&self) -> &[P::Move] {
        if self.end.is_some() { &[] } else { &self.moves }
    }

    #[inline]
    fn play(&mut self, ply: P::Move) {
        Self::play(self, ply);
    }

    #[inline]
    fn end(&self) -> Option<End> {
        self.end
    }

    #[inline]
    fn coordinates(&self, ply: P::Move) -> PlyText {
        PlyText::from(self.position.coordinates(ply).as_str())
    }

    fn evaluate(&self) -> i32 {
        self.position.evaluate()
    }

    fn material(&self) -> i32 {
        self.position.material()
    }

    fn fen(&self) -> String {
        self.position.fen()
    }

    fn key(&self) -> u64 {
        self.position.repetition_key()
    }
}
