//! The over-games of Overchess as they are played and as a commander looks at them, whatever their depth.

use crate::{
    chance::Chance,
    commander::{give, set_up, standing},
    skirmish::{Fighter, Stakes, value},
};
use overboard_formats::{overchess, san::PlyText};
use overboard_rules::{
    chess::{Chess, Move},
    outcome::{Outcome, Ruling},
    overchess::{Due, Over, Ply, Roster},
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

/// The points of a man by his kind, where he stands for nothing but himself.
#[must_use]
pub fn points_of_kind(role: Role) -> i32 {
    Roster::NONE.plus(role).points() as i32
}
