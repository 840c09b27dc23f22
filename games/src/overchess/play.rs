//! Evaluation of Overchess. Every act is a ply: of the over-game, of a set-up, of a sub-game, of settling it.
//! Over-pieces are valued by kind, strength and place, contested ones by their chances.
//!
//! Everything about a board is taken from its [`Level`], whatever its depth.

use super::notation::INFO;
use crate::{
    chess::{Chess, values::place},
    one_board::play::BoardValues as _,
    overchess::{
        self, Agreed, Army, DEEPEST, Drawn, Due, Individual, Level, Over, OverPiece, Ply, Roster,
    },
};
use overboard_referee::game::{
    notation::Notation as _,
    play::{ClaimedEnd, Play, Tags, admits_listed, key_of, pick},
};
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome},
    path::{BoardPath, squares},
    position::{DrawLaw, Movegen as _},
    square::{Piece, Role, Side, Square},
};

impl Over {
    /// The points of all sub-sets of White and of Black: what is left of their material.
    #[must_use]
    pub fn stock(&self) -> BySide<i32> {
        let mut points = BySide::both(0);
        for there in fighters(self.outermost()) {
            points[there.piece.side] += there.points;
        }
        points
    }
}

impl Play for Over {
    const PICKS: bool = true;

    fn agreed(tags: Tags<'_>) -> Agreed {
        let depth = u8::try_from(overchess::depth(tags.rules)).unwrap_or(DEEPEST);
        Agreed {
            depth: depth.min(DEEPEST),
            rules: overchess::options(tags.rules),
        }
    }

    fn is_chess(agreed: &Agreed) -> bool {
        agreed.depth == 0
    }

    fn admits(rules: &str) -> Result<(), String> {
        admits_listed(&INFO, rules)?;
        match overchess::depth(rules) {
            0 => Err("Overchess of depth 0 is chess, and is played as chess".into()),
            _ => Ok(()),
        }
    }

    /// All plies are on one board.
    #[inline]
    fn list(&self, _: Option<BoardPath>, plies: &mut Vec<Ply>) {
        self.legal_moves(|ply| plies.push(ply));
    }

    #[inline]
    fn any(&self, chance: &mut impl FnMut(usize) -> usize) -> Option<Ply> {
        if let Some(sub) = self.sub_game_due() {
            return sub.pick_legal(chance).map(Ply::Sub);
        }
        let mut plies = Vec::with_capacity(64);
        self.list(None, &mut plies);
        pick(&plies, chance)
    }

    /// Includes the counters.
    fn opening_key(&self) -> u64 {
        key_of(&self.fen())
    }

    /// Over-pieces by the value of their kind and by their strength: those of the outermost over-game, plus the
    /// expected gains of its sides from the open inner games.
    fn material(&self, side: Side) -> i32 {
        let mut inside = self.current();
        let mut white = standing(inside, Side::White);
        for level in self.outer.iter().rev() {
            let attacker = first_contested(level).and_then(|on| fighter(level, on));
            let (Some(stakes), Some(attacker), Some(attacked)) =
                (Stakes::of(level), attacker, attacked(level, 0))
            else {
                break;
            };
            let likely = stakes.thousandths(white, armies(inside)) / 1000;
            let more = likely - contested(attacker, attacked);
            white = standing(level, Side::White) + seen_by(attacker.piece.side, more);
            inside = level;
        }
        seen_by(side, white)
    }

    /// One more depth turns every sub-game into an over-game.
    fn long_game(agreed: &Agreed) -> u32 {
        let more = u32::from(agreed.depth.saturating_sub(1));
        10_u32.saturating_pow(more).saturating_mul(30_000)
    }

    /// Set-ups, settlements and consolidations are written as a whole.
    fn claimed_end(&self, at: BoardPath) -> ClaimedEnd {
        let moves = match self.chess_at(at) {
            Some(chess) => format!("{} plies without {}", chess.halfmove(), Chess::PROGRESS),
            None => {
                let moves = self.level(at.len()).map_or(0, Level::halfmove);
                format!("{moves} over-moves without progress")
            }
        };
        ClaimedEnd {
            outcome: Outcome::Draw,
            cause: Cause::FiftyMoveClaim,
            moves,
        }
    }

    fn may_stop(&self) -> bool {
        matches!(self.due(), Due::Over | Due::Sub(_))
    }
}

/// Points of a complete sub-set (OV-14).
const COMPLETE: i32 = 39;
/// Points that an over-piece is worth just by being on the over-board, however few pieces it has.
const BARE: i32 = 10;
/// What the two over-pieces of a sub-game are worth together, in centipawns of the sub-game.
const TOGETHER: i32 = 800;
/// Centipawns at which a sub-game counts as three quarters of a win.
const HALF_WAY: i32 = 300;

/// The value of an over-piece as a chess piece, in centipawns.
#[must_use]
pub fn worth(role: Role) -> i32 {
    Chess::worth(role)
}

/// The value of a piece, given its kind's and its sub-set's points.
fn value(worth: i32, points: i32) -> i32 {
    worth * (BARE + points.clamp(0, COMPLETE)) / (BARE + COMPLETE)
}

/// A value for White, from a side's point of view.
#[must_use]
pub const fn seen_by(side: Side, white: i32) -> i32 {
    match side {
        Side::White => white,
        Side::Black => -white,
    }
}

/// An over-piece, and the points of its sub-set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fighter {
    /// Its side and kind.
    pub piece: Piece,
    /// The points of its sub-set; a complete one has 39.
    pub points: i32,
}

impl Fighter {
    /// Its value with the pieces that it has.
    #[must_use]
    pub fn value(self) -> i32 {
        self.worn(0)
    }

    /// Its value after losing `toll` points.
    fn worn(self, toll: i32) -> i32 {
        value(worth(self.piece.role), self.points - toll)
    }

    /// The value that it is likely to lose against another one.
    #[must_use]
    pub fn damage(self, against: Self) -> i32 {
        self.value() - self.worn(toll(self.points, against.points))
    }
}

/// Points that a sub-set is likely to lose against another.
fn toll(own: i32, other: i32) -> i32 {
    (own / 2).min(other * 3 / 5)
}

/// The chances of an attack to be won, drawn and lost, in thousandths, by the points of both sub-sets.
#[must_use]
pub fn odds(attacker: i32, defender: i32) -> [i32; 3] {
    // The first move is an advantage.
    let more = 2 * (attacker - defender) + 1;
    let drawn = (150 - 8 * more.abs()).max(20);
    let won = (1000 - drawn) * (500 + 500 * more / (12 + more.abs())) / 1000;
    [won, drawn, 1000 - drawn - won]
}

/// The stakes of a sub-game: the kinds of the attacking and the attacked over-piece, and the effect of a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stakes {
    /// The attacker, White in the sub-game, and the defender.
    pub roles: BySide<Role>,
    /// What happens to them after a draw.
    pub drawn: Drawn,
}

impl Stakes {
    /// Those of the sub-game of an over-game that is due or being played.
    #[must_use]
    pub fn of(level: &Level) -> Option<Self> {
        let contest = level.contested().next()?;
        let attacker = level.piece_at(contest.to)?;
        Some(Self {
            roles: BySide::new(attacker.piece.role, contest.defender.piece.role),
            drawn: level.options().drawn,
        })
    }

    /// A value on the over-board, in centipawns of the sub-game.
    fn scaled(&self, value: i32) -> i32 {
        value * TOGETHER / self.roles.map(worth).into_iter().sum::<i32>().max(1)
    }

    /// The value of each side's over-piece on the square, with sub-sets of these points.
    fn held(&self, points: BySide<i32>) -> [i32; 2] {
        Side::BOTH.map(|side| value(worth(self.roles[side]), points[side]))
    }

    /// White's gain minus Black's from an outcome, in centipawns of the sub-game.
    #[must_use]
    pub fn settled(&self, outcome: Outcome, points: BySide<i32>) -> i32 {
        let [white, black] = self.held(points);
        let left = match (outcome, self.drawn) {
            (Outcome::Win(Side::White), _) => white,
            (Outcome::Win(Side::Black), _) | (Outcome::Draw, Drawn::AttackerLeaves) => -black,
            (Outcome::Draw, Drawn::Withdraws) => white - black,
            (Outcome::Draw, Drawn::BothLeave) => 0,
        };
        self.scaled(left)
    }

    /// The expected value for White in a position with this evaluation as a game of chess.
    #[must_use]
    pub fn expected(&self, chess: i32, points: BySide<i32>) -> i32 {
        self.scaled(self.thousandths(chess, points)) / 1000 + chess / 4
    }

    /// The same as a value on the over-board, in thousandths.
    fn thousandths(&self, chess: i32, points: BySide<i32>) -> i32 {
        let [white, black] = self.held(points);
        // White's chances in thousandths.
        let chances = 500 + 500 * chess / (HALF_WAY + chess.abs());
        chances * white - (1000 - chances) * black
    }
}

/// The value of a sub-set in points: each piece by its kind, and by the strength of its own sub-set. A complete one has
/// the same value at any depth.
#[must_use]
pub fn points(army: &Army) -> i32 {
    match army {
        Army::Untouched => Roster::FULL.points() as i32,
        Army::Pieces(pieces) => pieces.points() as i32,
        Army::Places(places) => {
            // In hundredths, so that many weak pieces do not round to zero.
            let mut sum = 0;
            for (place, one) in places.all() {
                sum += value(100 * points_of_kind(place.role()), points(&one.army));
            }
            sum / 100
        }
    }
}

/// The points of a piece without a sub-set, by its kind.
fn points_of_kind(role: Role) -> i32 {
    Roster::NONE.plus(role).points() as i32
}

/// An over-piece with the strength of its sub-set, which may consist of individuals.
fn strong(level: &Level, one: Option<&Individual>, there: OverPiece) -> Fighter {
    let points = match one {
        Some(one) if level.depth() > 1 => points(&one.army),
        _ => there.pieces.points() as i32,
    };
    Fighter {
        piece: there.piece,
        points,
    }
}

/// The over-piece on a square, on a contested one the attacker; `None` for a king, which has no sub-set.
#[must_use]
pub fn fighter(level: &Level, on: Square) -> Option<Fighter> {
    let there = level.piece_at(on)?;
    Some(strong(level, level.at(on), there))
}

/// The attacked over-piece of a contest, 0 the one to be settled first.
fn attacked(level: &Level, contest: usize) -> Option<Fighter> {
    let there = level.contested().nth(contest)?.defender;
    Some(strong(level, level.attacked(contest), there))
}

/// All over-pieces with sub-sets, those on the board first.
fn fighters(level: &Level) -> impl Iterator<Item = Fighter> {
    let standing = squares().filter_map(|on| fighter(level, on));
    let attacked = (0..2).filter_map(|contest| attacked(level, contest));
    let all = standing.chain(attacked);
    all.filter(|there| there.piece.role != Role::King)
}

/// The square to be settled first.
#[must_use]
pub fn first_contested(level: &Level) -> Option<Square> {
    level.contested().next().map(|contest| contest.to)
}

/// The total values of White's and Black's over-pieces, as the pieces of the two sub-sets that they are.
#[must_use]
pub fn armies(level: &Level) -> BySide<i32> {
    let mut points = BySide::both(0);
    for there in fighters(level) {
        points[there.piece.side] += value(points_of_kind(there.piece.role) * 100, there.points);
    }
    points.map(|points| points / 100)
}

/// By how much a side's over-pieces are worth more than the other's, by kind, strength and place; contested ones by
/// their chances.
#[must_use]
pub fn standing(level: &Level, side: Side) -> i32 {
    let contests: Vec<_> = level.contested().map(|contest| contest.to).collect();
    let mut total = 0;
    for on in squares() {
        let Some(there) = fighter(level, on) else {
            continue;
        };
        let contest = contests.iter().position(|to| *to == on);
        let worth = match contest.and_then(|contest| attacked(level, contest)) {
            Some(attacked) => contested(there, attacked),
            None => there.value() + place(there.piece, on, true),
        };
        total += seen_by(there.piece.side, worth);
    }
    seen_by(side, total)
}

/// The expected value of the attacker on a contested square minus that of the defender.
fn contested(attacker: Fighter, defender: Fighter) -> i32 {
    let [won, drawn, lost] = odds(attacker.points, defender.points);
    let (own, other) = (attacker.value(), defender.value());
    (won * own + drawn * (own - other) - lost * other) / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: Stakes = Stakes {
        roles: BySide::both(Role::Rook),
        drawn: Drawn::Withdraws,
    };

    #[test]
    fn an_end_is_worth_what_it_leaves() {
        let settled = |outcome, points: [i32; 2]| EVEN.settled(outcome, points.into());
        let [win, loss] = [Outcome::Win(Side::White), Outcome::Win(Side::Black)];
        assert_eq!(settled(win, [39, 39]), 400);
        assert!(settled(win, [39, 0]) > settled(win, [20, 0]) && settled(win, [20, 0]) > 0);
        assert!(
            settled(loss, [0, 10]) > settled(loss, [0, 30]),
            "the loser captures pieces first"
        );
        assert_eq!(settled(Outcome::Draw, [20, 20]), 0);
        let of_a_pawn = Stakes {
            roles: BySide::new(Role::Pawn, Role::Queen),
            ..EVEN
        };
        assert!(
            of_a_pawn.settled(Outcome::Draw, BySide::both(39)) < 0,
            "a queen is content with a draw"
        );
    }

    #[test]
    fn odds_are_even_between_equals() {
        let [won, drawn, lost] = odds(39, 39);
        assert_eq!(won + drawn + lost, 1000);
        assert!(
            (won - lost).abs() < 100 && drawn > 100,
            "{won} {drawn} {lost}"
        );
        assert!(odds(39, 10)[0] > 850 && odds(10, 39)[2] > 850);
    }
}
