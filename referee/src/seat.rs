//! The game that a record is judged as: the one place that knows which it may be.

use crate::{
    judged::Judged,
    record_state::RecordState,
    referee::{AnyTable, Referee},
};
use overboard_games::{overchess::DEEPEST, playable::Tags, registry::under_way, with_game};

/// Holds a referee of the game being judged, and keeps it for the next record of that game. Games without rules here are
/// followed as chess, unjudged.
pub(crate) struct Seat(Box<dyn AnyTable>);

impl Default for Seat {
    fn default() -> Self {
        Self(Box::new(Referee::with((), under_way::Chess::default())))
    }
}

impl Seat {
    /// The referee.
    pub fn referee(&self) -> &dyn AnyTable {
        &*self.0
    }

    /// The same, mutable, to pass events to.
    #[inline]
    pub fn table_mut(&mut self) -> &mut dyn AnyTable {
        &mut *self.0
    }

    /// The referee as that of game `G`, if it is one.
    pub fn as_one_of<G: Judged>(&self) -> Option<&Referee<G>> {
        self.0.as_any().downcast_ref()
    }

    /// The same, to be changed.
    pub fn as_one_of_mut<G: Judged>(&mut self) -> Option<&mut Referee<G>> {
        self.0.as_any_mut().downcast_mut()
    }

    /// Takes the seat that the tags ask for. Returns whether the rules of the game are here.
    pub fn take(&mut self, state: &mut RecordState) -> bool {
        let (boards, rules) = (state.boards().min(state.options.limits.boards), state.rules());
        let Some(variant) = state.game else {
            self.sit::<under_way::Chess>(());
            return false;
        };
        let level = state.level();
        let deepest = state.options.limits.level.clamp(1, u32::from(DEEPEST));
        let is_too_deep = variant.knows_option("depth", Some("1")) && state.depth() > deepest;
        // A wrong level is reported with the other tags.
        state.judging &= !variant.info().has_levels || level.is_some();
        let tags = Tags { boards: boards as u16, level: level.unwrap_or(1), rules: &rules };
        with_game!(variant, boards, G => self.sit_down::<G>(tags)) && !is_too_deep
    }

    /// Takes the seat of a game, or of chess where no more is agreed.
    fn sit_down<G: Judged>(&mut self, tags: Tags<'_>) -> bool {
        let options = G::agreed(tags);
        if G::is_chess(&options) { self.sit::<under_way::Chess>(()) } else { self.sit::<G>(options) }
    }

    fn sit<G: Judged>(&mut self, options: G::Options) -> bool {
        if let Some(referee) = self.as_one_of_mut::<G>() {
            return referee.renew(options);
        }
        let Some(referee) = Referee::<G>::new(options) else { return false };
        self.0 = Box::new(referee);
        true
    }
}
