//! The over-games of Overchess as they are played and as a commander looks at them, whatever their depth.

use crate::{
    chance::Chance,
    commander::{contested, give, post, set_up, stakes, standing},
    skirmish::{Fighter, Stakes, seen_by, value, worth},
};
use overboard_formats::{overchess, san::PlyText};
use overboard_rules::{
    chess::{Chess, Move},
    outcome::{Outcome, Ruling},
    overchess::{
        Due, Over, Ply, Roster,
        deep::{Army, Deep, DeepPly, Individual, Place, Places},
    },
    square::{Role, Side, Square},
};
use std::{borrow::Cow, fmt::Debug};

/// A game of Overchess, with all that is open in it.
pub trait Campaign: Clone + Send + Sync + 'static {
    /// Its plies.
    type Ply: Copy + PartialEq + Debug + From<Ply> + Send + Sync;
    /// One of its over-games.
    type Field: Field<Ply = Self::Ply>;

    /// The side that makes the next ply.
    fn actor(&self) -> Side;
    /// What is due.
    fn due(&self) -> Due;
    /// The end of the game.
    fn ending(&self) -> Option<Ruling>;
    /// Shows every legal ply.
    fn for_each_legal(&self, visit: impl FnMut(Self::Ply));
    /// Plays a legal ply.
    fn play(&mut self, ply: &Self::Ply);
    /// The move of a sub-game of chess that a ply is.
    fn sub_move(ply: &Self::Ply) -> Option<Move> {
        match Self::Field::plain(ply) {
            Some(Ply::Sub(m)) => Some(m),
            _ => None,
        }
    }
    /// A ply as text.
    fn coordinates(&self, ply: &Self::Ply) -> PlyText;
    /// The position as text.
    fn text(&self) -> String;
    /// The sub-game of chess that is being played.
    fn sub_game(&self) -> Option<&Chess>;
    /// What the position is worth to a side, in hundredths of a pawn.
    fn weigh(&self, side: Side) -> i32;
    /// The innermost over-game that is open.
    fn field(&self) -> Cow<'_, Self::Field>;
    /// What the innermost over-game is played for, where it is a sub-game itself.
    fn aim(&self) -> Option<Stakes>;
}

/// One over-game as its commander looks at it: a sub-game inside is due or being played, and no more of it is
/// seen.
pub trait Field: Clone {
    /// Its plies.
    type Ply: Copy + PartialEq + From<Ply>;

    /// The board, and the counts of men.
    fn over(&self) -> &Over;
    /// What is due.
    fn due(&self) -> Due;
    /// The end of the over-game.
    fn ending(&self) -> Option<Ruling>;
    /// The position behind a legal ply.
    fn after(&self, ply: &Self::Ply) -> Self;
    /// Ends the sub-game that is due; the attacker is White.
    fn conclude(&mut self, outcome: Outcome);
    /// The legal plies.
    fn plies(&self) -> Vec<Self::Ply>;
    /// A ply of no individual.
    fn plain(ply: &Self::Ply) -> Option<Ply>;
    /// What stands on a square, on a contested one the attacker; none but a king has no sub-set.
    fn fighter(&self, on: Square) -> Option<Fighter>;
    /// The attacked over-piece of a contest, 0 the one to be settled first.
    fn attacked(&self, contest: usize) -> Option<Fighter>;
    /// All prisoners that fit, or the first of them.
    fn prisoners(&self) -> Option<Self::Ply>;
    /// Who is handed over, and where to.
    fn gift(&self, plies: &[Self::Ply]) -> Option<Self::Ply>;
    /// A set-up, or a part of it.
    fn set_up(&self, side: Side, plies: &[Self::Ply], chance: &mut Chance) -> Option<Self::Ply>;
}

impl Campaign for Over {
    type Ply = Ply;
    type Field = Self;

    fn actor(&self) -> Side {
        self.actor()
    }

    fn due(&self) -> Due {
        self.due()
    }

    fn ending(&self) -> Option<Ruling> {
        self.ending()
    }

    fn for_each_legal(&self, visit: impl FnMut(Ply)) {
        self.for_each_legal(visit);
    }

    fn play(&mut self, ply: &Ply) {
        self.play(ply);
    }

    fn coordinates(&self, ply: &Ply) -> PlyText {
        overchess::coordinates(self, ply)
    }

    fn text(&self) -> String {
        overchess::position(self)
    }

    fn sub_game(&self) -> Option<&Chess> {
        self.sub_game()
    }

    fn weigh(&self, side: Side) -> i32 {
        standing(self, side)
    }

    fn field(&self) -> Cow<'_, Self> {
        Cow::Borrowed(self)
    }

    fn aim(&self) -> Option<Stakes> {
        None
    }
}

impl Field for Over {
    type Ply = Ply;

    fn over(&self) -> &Over {
        self
    }

    fn due(&self) -> Due {
        self.due()
    }

    fn ending(&self) -> Option<Ruling> {
        self.ending()
    }

    fn after(&self, ply: &Ply) -> Self {
        self.after(ply)
    }

    fn conclude(&mut self, outcome: Outcome) {
        self.conclude(outcome);
    }

    fn plies(&self) -> Vec<Ply> {
        let mut plies = Vec::new();
        self.for_each_legal(|ply| plies.push(ply));
        plies
    }

    fn plain(ply: &Ply) -> Option<Ply> {
        Some(*ply)
    }

    fn fighter(&self, on: Square) -> Option<Fighter> {
        self.piece_at(on).map(Fighter::from)
    }

    fn attacked(&self, contest: usize) -> Option<Fighter> {
        self.contested().nth(contest).map(|contest| contest.defender.into())
    }

    fn prisoners(&self) -> Option<Ply> {
        let men = self.settling().next().map_or(Roster::NONE, |(_, men)| men);
        (!men.is_none()).then_some(Ply::Prisoners(men))
    }

    fn gift(&self, plies: &[Ply]) -> Option<Ply> {
        give(self, plies)
    }

    fn set_up(&self, side: Side, plies: &[Ply], chance: &mut Chance) -> Option<Ply> {
        set_up(self, side, plies, chance)
    }
}

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

/// The points of a man by his kind, where he stands for nothing but himself.
fn points_of_kind(role: Role) -> i32 {
    Roster::NONE.plus(role).points() as i32
}

fn points_of(places: &Places) -> i32 {
    // In hundredths, so that many weak men are not nothing.
    let men = places.held().filter_map(|place| Some((place.role(), places.at(place)?)));
    men.map(|(role, one)| value(100 * points_of_kind(role), points(&one.army))).sum::<i32>() / 100
}

/// What White's and Black's over-pieces are worth together, as the men of the two sub-sets that they are.
#[must_use]
pub fn armies<F: Field>(field: &F) -> [i32; 2] {
    let mut points = [0; 2];
    let standing = squares().filter_map(|on| field.fighter(on));
    let attacked = (0..2).filter_map(|contest| field.attacked(contest));
    for there in standing.chain(attacked).filter(|there| there.piece.role != Role::King) {
        points[there.piece.side as usize] += value(points_of_kind(there.piece.role) * 100, there.points);
    }
    points.map(|points| points / 100)
}

/// All squares.
pub fn squares() -> impl Iterator<Item = Square> {
    (0..8).flat_map(|rank| (0..8).map(move |file| Square::new(file, rank)))
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
