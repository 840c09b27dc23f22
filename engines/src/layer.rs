//! Overchess of depth 2 and more as its commanders look at it: one over-game, and how strong its individuals are.

use crate::{
    chance::Chance,
    commander::{contested, give, post, set_up, stakes, standing},
    field::{Campaign, Field, armies, points_of_kind},
    skirmish::{Fighter, Stakes, seen_by, value, worth},
};
use overboard_formats::{overchess, san::PlyText};
use overboard_rules::{
    chess::Chess,
    outcome::{Outcome, Ruling},
    overchess::{
        Due, Over, Ply, Roster,
        deep::{Army, Deep, DeepPly, Individual, Place, Places},
    },
    square::{Role, Side, Square},
};
use std::borrow::Cow;

/// What a sub-set is worth in points: each man by his kind, and by the strength of what stands behind him. A
/// complete one is worth as much at any depth.
#[must_use]
pub fn points(army: &Army) -> i32 {
    match army {
        Army::Untouched => Roster::FULL.points() as i32,
        Army::Men(men) => men.points() as i32,
        Army::Places(places) => points_of(places),
    }
}

fn points_of(places: &Places) -> i32 {
    // In hundredths, so that many weak men are not nothing.
    let men = places.held().filter_map(|place| Some((place.role(), places.at(place)?)));
    men.map(|(role, one)| value(100 * points_of_kind(role), points(&one.army))).sum::<i32>() / 100
}

/// An over-game of a game of any depth, and nothing around it.
#[derive(Clone, Debug)]
pub struct Layer(Deep);

impl Layer {
    /// With the strength of those who stand behind him, where they are individuals.
    fn man(&self, one: Option<&Individual>, there: Fighter) -> Fighter {
        match one.filter(|_| self.0.depth() > 1) {
            Some(one) => Fighter { points: points(&one.army), ..there },
            None => there,
        }
    }

    fn contested(&self) -> Option<Square> {
        self.over().contested().next().map(|contest| contest.to)
    }

    /// The individuals of a set-up that are still to be placed, the strongest first.
    fn unplaced(&self, side: Side, role: Role) -> Vec<Place> {
        let (Some(armies), Some(placed)) = (self.0.armies(0), self.0.placed()) else { return Vec::new() };
        let army = &armies[side as usize];
        let stands = |place: &Place| {
            let name = army.at(*place).map(|one| &one.name);
            placed[side as usize].iter().any(|(_, one)| Some(&one.name) == name)
        };
        let left = army.held().filter(|place| place.role() == role && !stands(place));
        strongest_first(army, left.collect())
    }
}

/// Places by the strength of those who hold them; of equals in their order.
fn strongest_first(army: &Places, mut places: Vec<Place>) -> Vec<Place> {
    places.sort_by_key(|place| army.at(*place).map_or(0, |one| -points(&one.army)));
    places
}

/// The first, in order, of the strongest of a kind for whom there is room.
fn first_of_the_best(among: &Places, role: Role, room: usize) -> Option<Place> {
    let of_kind = among.held().filter(|place| place.role() == role).collect();
    let best: Vec<_> = strongest_first(among, of_kind).into_iter().take(room).collect();
    among.held().find(|place| best.contains(place))
}

impl Field for Layer {
    type Ply = DeepPly;

    fn over(&self) -> &Over {
        self.0.outermost()
    }

    fn due(&self) -> Due {
        match self.contested().filter(|_| self.0.open() > 1) {
            Some(on) => Due::Sub(on),
            None => self.0.due(),
        }
    }

    fn ending(&self) -> Option<Ruling> {
        self.0.ending()
    }

    fn after(&self, ply: &DeepPly) -> Self {
        Self(self.0.after(ply))
    }

    fn conclude(&mut self, outcome: Outcome) {
        self.0.conclude(0, outcome);
    }

    fn plies(&self) -> Vec<DeepPly> {
        let mut plies = Vec::new();
        self.0.for_each_legal(|ply| plies.push(ply));
        plies
    }

    fn plain(ply: &DeepPly) -> Option<Ply> {
        if let DeepPly::Plain(ply) = ply { Some(*ply) } else { None }
    }

    fn fighter(&self, on: Square) -> Option<Fighter> {
        let there = self.over().piece_at(on)?;
        Some(self.man(self.0.at(0, on), there.into()))
    }

    fn attacked(&self, contest: usize) -> Option<Fighter> {
        let there = self.over().contested().nth(contest)?;
        Some(self.man(self.0.attacked(0, contest), there.defender.into()))
    }

    fn prisoners(&self) -> Option<DeepPly> {
        let men = self.over().settling().next().map_or(Roster::NONE, |(_, men)| men);
        let captives = self.0.captives();
        let Some(first) = captives.held().next() else {
            return (!men.is_none()).then_some(DeepPly::Plain(Ply::Prisoners(men)));
        };
        let room = usize::from(men.count(first.role()));
        first_of_the_best(captives, first.role(), room).map(DeepPly::Take)
    }

    fn gift(&self, plies: &[DeepPly]) -> Option<DeepPly> {
        let places = plies.iter().filter_map(|ply| match ply {
            DeepPly::Hand(place, _) => Some(*place),
            _ => None,
        });
        let Some(first) = places.clone().next() else {
            let plain: Vec<_> = plies.iter().filter_map(Self::plain).collect();
            return give(self.over(), &plain).map(DeepPly::Plain);
        };
        // As many are listed behind the first as may be left out.
        let mut listed: Vec<_> = places.collect();
        listed.dedup();
        let of_kind = self.0.hand().held().filter(|place| place.role() == first.role()).count();
        let room = of_kind + 1 - listed.len();
        let place = first_of_the_best(self.0.hand(), first.role(), room)?;
        let worth_of = |ply: &DeepPly| match ply {
            DeepPly::Hand(of, on) if *of == place => {
                self.over().piece_at(*on).map_or(0, |there| worth(there.piece.role))
            }
            _ => -1,
        };
        plies.iter().copied().max_by_key(worth_of)
    }

    /// The strong where most is fought for.
    fn set_up(&self, side: Side, plies: &[DeepPly], chance: &mut Chance) -> Option<DeepPly> {
        let Some((_, next)) = self.0.placing() else {
            let plain: Vec<_> = plies.iter().filter_map(Self::plain).collect();
            return set_up(self.over(), side, &plain, chance).map(DeepPly::Plain);
        };
        let rank = self.unplaced(side, next.role()).iter().position(|place| *place == next)?;
        let mut squares: Vec<_> = plies
            .iter()
            .filter_map(|ply| match ply {
                DeepPly::Place(_, on) => Some((*ply, *on)),
                _ => None,
            })
            .map(|(ply, on)| (post(on.square()) + chance.below(3) as i32, ply))
            .collect();
        squares.sort_by_key(|(worth, _)| -worth);
        squares.get(rank).map(|(_, ply)| *ply)
    }
}

impl Campaign for Deep {
    type Ply = DeepPly;
    type Field = Layer;

    fn actor(&self) -> Side {
        self.actor()
    }

    fn due(&self) -> Due {
        self.due()
    }

    fn ending(&self) -> Option<Ruling> {
        self.ending()
    }

    fn for_each_legal(&self, visit: impl FnMut(DeepPly)) {
        self.for_each_legal(visit);
    }

    fn play(&mut self, ply: &DeepPly) {
        self.play(ply);
    }

    fn coordinates(&self, ply: &DeepPly) -> PlyText {
        overchess::deep::coordinates(self, ply)
    }

    fn text(&self) -> String {
        overchess::deep::position(self)
    }

    fn sub_game(&self) -> Option<&Chess> {
        self.current().sub_game()
    }

    /// The outermost over-game, and in it what its sides may look forward to from those that are open inside.
    fn weigh(&self, side: Side) -> i32 {
        let layer = |level| Layer(self.alone(level));
        let mut white = standing(&layer(self.open() - 1), Side::White);
        for level in (0..self.open() - 1).rev() {
            let (field, inside) = (layer(level), layer(level + 1));
            let Some(stakes) = stakes(field.over()) else { break };
            let attacker = field.contested().and_then(|on| field.fighter(on));
            let Some((attacker, attacked)) = attacker.zip(field.attacked(0)) else { break };
            let more = stakes.left_likely(white, armies(&inside)) - contested(attacker, attacked);
            white = standing(&field, Side::White) + seen_by(attacker.piece.side, more);
        }
        seen_by(side, white)
    }

    fn field(&self) -> Cow<'_, Layer> {
        Cow::Owned(Layer(self.alone(self.open() - 1)))
    }

    fn aim(&self) -> Option<Stakes> {
        stakes(self.over(self.open().checked_sub(2)?)?)
    }
}
