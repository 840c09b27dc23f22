//! The game as which a record is judged: the one place that knows which games there are.

use crate::{
    overchess::DEEPEST,
    registry::{AnyGame, Variant, under_way},
};
use overboard_referee::{
    game::{judge::Judge, play::Tags},
    record_state::RecordState,
    referee::{DynReferee, Referee},
};

/// A referee of one of the games in the registry.
pub(crate) trait SeatedReferee: DynReferee {
    /// The position reached, if it is known.
    fn reached(&self) -> Option<AnyGame>;
    /// The comment read last as it is written, if not as it is.
    fn rewritten(&mut self) -> Option<String>;
    /// The same for a comment that was left open, where the moves end right behind it.
    fn end_rewritten(&mut self) -> Option<String>;
    /// Whether the comment read last may turn out to mean something by what comes next.
    fn leaves_open(&self) -> bool;
    /// The result that is written at the end of a record in another notation, where `here` was read after its moves.
    fn right_result(&self, state: &RecordState, here: Option<&'static str>)
    -> Option<&'static str>;
}

impl<G: Judge + Into<AnyGame>> SeatedReferee for Referee<G> {
    fn reached(&self) -> Option<AnyGame> {
        Self::reached(self).map(|position| position.clone().into())
    }

    fn rewritten(&mut self) -> Option<String> {
        (G::DIALECT?.rewritten)(self)
    }

    fn end_rewritten(&mut self) -> Option<String> {
        (G::DIALECT?.end_rewritten)(self)
    }

    fn leaves_open(&self) -> bool {
        G::DIALECT.is_some_and(|dialect| (dialect.leaves_open)(self))
    }

    fn right_result(
        &self,
        state: &RecordState,
        here: Option<&'static str>,
    ) -> Option<&'static str> {
        (G::DIALECT?.right_result)(self, state, here)
    }
}

/// Holds a referee of the game being judged, and reuses it for the next record of that game. A game that is not
/// supported is followed as chess, but not judged.
pub(crate) struct Seat(Box<dyn SeatedReferee>);

impl Default for Seat {
    fn default() -> Self {
        Self(Box::new(Referee::with((), under_way::Chess::default())))
    }
}

impl Seat {
    /// The referee.
    pub fn referee(&self) -> &dyn SeatedReferee {
        &*self.0
    }

    /// The same, mutable, to pass events to.
    #[inline]
    pub fn referee_mut(&mut self) -> &mut dyn SeatedReferee {
        &mut *self.0
    }

    /// The referee as that of game `G`, if it is.
    pub fn as_one_of<G: Judge + Into<AnyGame>>(&self) -> Option<&Referee<G>> {
        self.0.as_any().downcast_ref()
    }

    /// The same, mutable.
    pub fn as_one_of_mut<G: Judge + Into<AnyGame>>(&mut self) -> Option<&mut Referee<G>> {
        self.0.as_any_mut().downcast_mut()
    }

    /// Takes the referee that the tags ask for. Returns whether the game is supported.
    pub fn take(&mut self, state: &mut RecordState) -> bool {
        let Some(variant) = state.terms.game().map(Variant::with) else {
            self.sit::<under_way::Chess>(());
            return false;
        };
        with_game!(variant, state.boards(), G => read_tags::<G>(state));
        let (boards, rules) = (
            state.boards().min(state.options().limits.boards),
            state.rules(),
        );
        let level = state.level();
        let deepest = state.options().limits.level.clamp(1, u32::from(DEEPEST));
        // A wrong level is reported together with the other tags.
        if variant.info().has_levels && level.is_none() {
            state.judging.stop();
        }
        let tags = Tags {
            boards: boards as u16,
            level: level.unwrap_or(1),
            rules: &rules,
        };
        with_game!(variant, boards, G => self.sit_down::<G>(tags))
            && !variant.is_too_deep(tags, deepest)
    }

    /// Takes a referee of a game, with the options of the tags.
    fn sit_down<G: Judge + Into<AnyGame>>(&mut self, tags: Tags<'_>) -> bool {
        let options = G::agreed(tags);
        if G::is_chess(&options) {
            self.sit::<under_way::Chess>(())
        } else {
            self.sit::<G>(options)
        }
    }

    fn sit<G: Judge + Into<AnyGame>>(&mut self, options: G::Options) -> bool {
        if let Some(referee) = self.as_one_of_mut::<G>() {
            return referee.renew(options);
        }
        let Some(referee) = Referee::<G>::new(options) else {
            return false;
        };
        self.0 = Box::new(referee);
        true
    }
}

/// Reads the tags of a game's records in another notation.
fn read_tags<G: Judge>(state: &mut RecordState) {
    if let Some(dialect) = G::DIALECT {
        (dialect.read_tags)(state);
    }
}
