//! What a position is worth, game by game.
//!
//! A game that comes new says here what its men are worth and where they like to stand.

use overboard_games::{chess::Chess, metachess::Meta, olympic::Olympic, strategichess::Strategi};
use overboard_rules::{
    position::Position,
    square::{Piece, Role, Side, Square},
};

/// A game whose positions can be weighed, in hundredths of a pawn.
pub trait Evaluate: Position {
    /// What a piece of this kind is worth.
    fn worth(role: Role) -> i32;
    /// What the men are worth to the side to move.
    fn material(&self) -> i32;
    /// How good the position looks to the side to move.
    fn evaluate(&self) -> i32;
}

/// Sums up what `worth` says of every man on the board, from the view of the side to move.
fn men<P: Position>(position: &P, roles: &[Role], worth: impl Fn(Piece, Square) -> i32) -> i32 {
    let of = |side| -> i32 {
        let of_role = |role| {
            let piece = Piece { side, role };
            position.squares_of(piece).map(|square| worth(piece, square)).sum::<i32>()
        };
        roles.iter().map(|role| of_role(*role)).sum()
    };
    of(position.turn()) - of(position.turn().other())
}

/// Ranks between a square and the mover's own first rank.
const fn advance(side: Side, square: Square, ranks: u8) -> i32 {
    match side {
        Side::White => square.rank as i32,
        Side::Black => (ranks - 1 - square.rank) as i32,
    }
}

/// 0 in a corner, and more towards the middle; 6 in the middle of eight by eight.
fn centrality(square: Square, files: u8, ranks: u8) -> i32 {
    let from_edge = |at: u8, count: u8| i32::from(at.min(count - 1 - at));
    from_edge(square.file, files) + from_edge(square.rank, ranks)
}

const CHESS: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

impl Evaluate for Chess {
    #[inline]
    fn worth(role: Role) -> i32 {
        match role {
            Role::Pawn => 100,
            Role::Knight => 320,
            Role::Bishop => 330,
            Role::Rook => 500,
            Role::Queen => 900,
            Role::King | Role::Silver | Role::Gold => 0,
        }
    }

    fn material(&self) -> i32 {
        men(self, &CHESS[..5], |piece, _| Self::worth(piece.role))
    }

    fn evaluate(&self) -> i32 {
        let queens = [Side::White, Side::Black]
            .into_iter()
            .any(|side| self.squares_of(Piece { side, role: Role::Queen }).next().is_some());
        men(self, &CHESS, |piece, square| Self::worth(piece.role) + chess_place(piece, square, queens))
    }
}

/// What it is worth for a chessman to stand where it stands.
pub(crate) fn chess_place(Piece { side, role }: Piece, square: Square, queens: bool) -> i32 {
    let (advance, centre) = (advance(side, square, 8), centrality(square, 8, 8));
    match role {
        Role::Pawn => advance * advance + if matches!(square.file, 2..=5) { 3 * advance } else { 0 },
        Role::Knight => 8 * centre - 30,
        Role::Bishop => 4 * centre - 10,
        Role::Rook => i32::from(advance == 6) * 20 + i32::from(matches!(square.file, 2..=5)) * 5,
        Role::Queen => centre,
        Role::King if queens => -12 * advance - 6 * centre,
        Role::King => 8 * centre,
        Role::Silver | Role::Gold => 0,
    }
}

const OLYMPIC: [Role; 6] = [Role::Pawn, Role::Silver, Role::Gold, Role::Bishop, Role::Rook, Role::King];

impl Evaluate for Olympic {
    #[inline]
    fn worth(role: Role) -> i32 {
        match role {
            Role::Pawn => 100,
            Role::Silver => 450,
            Role::Gold => 500,
            Role::Bishop => 600,
            Role::Rook => 700,
            Role::King | Role::Knight | Role::Queen => 0,
        }
    }

    fn material(&self) -> i32 {
        men(self, &OLYMPIC[..5], |piece, _| Self::worth(piece.role)) + held(self, 10)
    }

    /// A man in hand counts for more than on the board, and near the enemy king more than elsewhere.
    fn evaluate(&self) -> i32 {
        let kings = [Side::White, Side::Black].map(|side| self.king(side));
        let place = |Piece { side, role }: Piece, square: Square| match (role, kings[side.other() as usize]) {
            (Role::King, _) | (_, None) => 0,
            (Role::Pawn, Some(_)) => 15 * advance(side, square, 5),
            (_, Some(king)) => 10 * (4 - i32::from(square.distance(king))),
        };
        men(self, &OLYMPIC, |piece, square| Self::worth(piece.role) + place(piece, square)) + held(self, 11)
    }
}

impl Evaluate for Strategi {
    #[inline]
    fn worth(role: Role) -> i32 {
        match role {
            Role::Pawn => 100,
            Role::Knight => 250,
            Role::Bishop => 400,
            Role::Rook => 650,
            Role::Queen => 1100,
            Role::King | Role::Silver | Role::Gold => 0,
        }
    }

    fn material(&self) -> i32 {
        men(self, &CHESS[..5], |piece, _| Self::worth(piece.role))
    }

    /// Pieces stand well in the middle, the more so the shorter their reach, and near the enemy king; a
    /// king stands well at the edge while there are queens. Pawns stay pawns, so none is worth more for
    /// being far.
    fn evaluate(&self) -> i32 {
        let kings = [Side::White, Side::Black].map(|side| self.king(side));
        let queens = [Side::White, Side::Black]
            .into_iter()
            .any(|side| self.squares_of(Piece { side, role: Role::Queen }).next().is_some());
        let place = |Piece { side, role }: Piece, square: Square| {
            let centre = centrality(square, 14, 14);
            let near = kings[side.other() as usize].map_or(0, |king| 13 - i32::from(square.distance(king)));
            match role {
                Role::Pawn => 2 * centre,
                Role::Knight => 8 * centre + 4 * near,
                Role::Bishop => 4 * centre + 2 * near,
                Role::Rook | Role::Queen => centre + 3 * near,
                Role::King => {
                    if queens {
                        -6 * centre
                    } else {
                        4 * centre
                    }
                }
                Role::Silver | Role::Gold => 0,
            }
        };
        men(self, &CHESS, |piece, square| Self::worth(piece.role) + place(piece, square))
    }
}

/// What the men in hand are worth to the side to move, in tenths of what they are worth on the board.
fn held(olympic: &Olympic, tenths: i32) -> i32 {
    let of = |side| -> i32 {
        OLYMPIC[..5].iter().map(|role| i32::from(olympic.hand(side, *role)) * Olympic::worth(*role)).sum()
    };
    (of(olympic.turn()) - of(olympic.turn().other())) * tenths / 10
}

impl Evaluate for Meta {
    #[inline]
    fn worth(role: Role) -> i32 {
        Chess::worth(role)
    }

    fn material(&self) -> i32 {
        on_both_levels(self, |piece, _, _| Self::worth(piece.role))
    }

    /// Men as in chess, but what carries a rider counts for less: a little where its own side blocks
    /// it, much where it is annexed.
    fn evaluate(&self) -> i32 {
        let queens = [Side::White, Side::Black]
            .into_iter()
            .any(|side| self.standing(Piece { side, role: Role::Queen }).next().is_some());
        on_both_levels(self, |piece, square, rider| {
            let worth = Self::worth(piece.role);
            match rider {
                None => worth + chess_place(piece, square, queens),
                Some(side) if side == piece.side => worth * 15 / 16,
                Some(_) => worth * 3 / 4,
            }
        })
    }
}

/// Sums up what `worth` says of every man on both levels, its square and whose rider it carries, from the
/// view of the side to move.
fn on_both_levels(meta: &Meta, worth: impl Fn(Piece, Square, Option<Side>) -> i32) -> i32 {
    let of = |side| -> i32 {
        let of_role = |role| {
            let piece = Piece { side, role };
            meta.standing(piece).map(|(square, rider)| worth(piece, square, rider)).sum::<i32>()
        };
        CHESS.iter().map(|role| of_role(*role)).sum()
    };
    of(meta.turn()) - of(meta.turn().other())
}

#[cfg(test)]
mod tests {
    use super::*;
    use overboard_games::notation::Notation;

    fn of<P: Notation + Evaluate>(fen: &str) -> [i32; 2] {
        let (position, _) = P::read(fen).unwrap();
        [position.material(), position.evaluate()]
    }

    #[test]
    fn first_positions_are_even() {
        assert_eq!([Chess::default().material(), Chess::default().evaluate()], [0, 0]);
        assert_eq!([Olympic::default().material(), Olympic::default().evaluate()], [0, 0]);
        assert_eq!([Meta::default().material(), Meta::default().evaluate()], [0, 0]);
    }

    #[test]
    fn what_is_good_for_one_side_is_bad_for_the_other() {
        let [white, black] =
            ["w", "b"].map(|turn| of::<Chess>(&format!("4k3/8/8/8/8/8/8/R3K3 {turn} - - 0 1")));
        assert_eq!(white, black.map(|worth| -worth));
        assert_eq!(white[0], 500);
        let [white, black] =
            ["w", "b"].map(|turn| of::<Olympic>(&format!("4k/5/5/2S2/K4[Rpp] {turn} - - 0 1")));
        assert_eq!(white, black.map(|worth| -worth));
        assert_eq!(white[0], 450 + 700 - 200);
        let [white, black] =
            ["w", "b"].map(|turn| of::<Meta>(&format!("4k3/8/8/3(rN)4/8/8/(PB)7/4K3 {turn} - - 0 1")));
        assert_eq!(white, black.map(|worth| -worth));
        assert_eq!(white[0], 320 + 330 + 100 - 500);
    }

    #[test]
    fn an_annexed_man_counts_for_less() {
        let [free, annexed, blocked] =
            ["n3k3/8/8/8/8/8/7N/4K3", "(nN)3k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/3(NR)4/8/8/4K3"]
                .map(|men| of::<Meta>(&format!("{men} w - - 0 1"))[1]);
        let alone = of::<Meta>("4k3/8/8/8/3N4/8/7R/4K3 w - - 0 1")[1];
        assert!(annexed > free && blocked < alone, "{free} {annexed} {blocked} {alone}");
    }
}
