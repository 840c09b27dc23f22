//! Who plays Overchess: a commander who weighs sub-sets, and lieutenants for the sub-games.
//!
//! The commander looks one over-move ahead and at the answer. An attack is worth what each of its three
//! outcomes leaves, by the chances that the strengths of the two sub-sets give it; a position is worth the
//! over-pieces by kind and strength, less the best attack that it allows.

use crate::{
    chance::Chance,
    contest::Contest,
    ending::worth as score,
    evaluate::chess_place,
    overs::OverGame,
    players::{Player, Spec},
    skirmish::{Lieutenant, Skirmish, Stakes, lieutenant, value, value_of, worth},
};
use overboard_rules::{
    chess::Chess,
    outcome::Outcome,
    overchess::{Arrangement, Contested, Due, Over, OverMove, OverPiece, Ply, Reserves, Roster},
    position::Position,
    square::{Role, Side, Square},
};

/// What a won game is worth, in hundredths of a pawn.
const WIN: i32 = 100_000;
/// Plies that are about as good are told apart by chance within so much.
const WHIM: usize = 12;
/// The kinds of men, the strongest first.
const STRONGEST_FIRST: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// A player of whole games.
pub struct Commander {
    spec: Spec,
    /// The sub-game that a lieutenant is at: its number, what he has seen of it, and he himself.
    at: Option<(u32, usize, Skirmish, Lieutenant)>,
}

impl Commander {
    /// A commander whose lieutenants play so.
    #[must_use]
    pub const fn new(spec: Spec) -> Self {
        Self { spec, at: None }
    }

    fn play_on(&mut self, game: &OverGame, chance: &mut Chance) -> Option<Ply> {
        let line = game.sub_game()?;
        if self.at.as_ref().is_none_or(|(number, ..)| *number != line.number) {
            let stakes = stakes(game.position())?;
            let skirmish = Skirmish::from(line.first.clone(), stakes);
            self.at = Some((line.number, 0, skirmish, lieutenant(self.spec, stakes)));
        }
        let (_, seen, skirmish, lieutenant) = self.at.as_mut()?;
        line.moves[*seen..].iter().for_each(|m| skirmish.play(*m));
        *seen = line.moves.len();
        lieutenant.choose(skirmish, chance).map(Ply::Sub)
    }
}

impl Player<OverGame> for Commander {
    fn choose(&mut self, game: &OverGame, chance: &mut Chance) -> Option<Ply> {
        if game.end().is_some() {
            return None;
        }
        let over = game.position();
        match over.due() {
            Due::Sub(_) => self.play_on(game, chance),
            Due::Over | Due::OverFrom(_) => command(over, game.plies(), chance),
            Due::Setup(_, side) => set_up(over, side, game.plies(), chance),
            Due::Settling(_) => settle(over, game.plies()),
            Due::Giving => give(over, game.plies()),
        }
    }
}

/// What a sub-game that is due is played for.
fn stakes(over: &Over) -> Option<Stakes> {
    let contest = over.contested().next()?;
    let attacker = over.piece_at(contest.to)?;
    Some(Stakes { roles: [attacker.piece.role, contest.defender.piece.role], drawn: over.options().drawn })
}

/// The chances of an attack to be won, drawn and lost, in thousandths, by the points of both sub-sets.
fn odds(attacker: i32, defender: i32) -> [i32; 3] {
    // The first move counts for something.
    let more = 2 * (attacker - defender) + 1;
    let drawn = (150 - 8 * more.abs()).max(20);
    let won = (1000 - drawn) * (500 + 500 * more / (12 + more.abs())) / 1000;
    [won, drawn, 1000 - drawn - won]
}

/// Points that a sub-set is likely to lose against another.
fn toll(own: i32, other: i32) -> i32 {
    (own / 2).min(other * 3 / 5)
}

fn points(there: OverPiece) -> i32 {
    there.men.points() as i32
}

/// What an attack is likely to bring its side, where nothing is known but the two over-pieces.
fn prospect(attacker: OverPiece, defender: OverPiece) -> i32 {
    if attacker.piece.role == Role::King {
        return value_of(defender);
    }
    let (own, other) = (points(attacker), points(defender));
    let [won, drawn, lost] = odds(own, other);
    let damage = |there: OverPiece, against| {
        value_of(there) - value(there.piece.role, points(there) - toll(points(there), against))
    };
    let gain = value_of(defender) - damage(attacker, other);
    let loss = value_of(attacker) - damage(defender, own);
    let even = damage(defender, own) - damage(attacker, other);
    (won * gain + drawn * even - lost * loss) / 1000
}

/// What the over-pieces of a side are worth more than the other's, by kind, strength and place; contested
/// ones by their chances.
#[must_use]
pub fn standing(over: &Over, side: Side) -> i32 {
    let squares = (0..8).flat_map(|rank| (0..8).map(move |file| Square::new(file, rank)));
    let contests: Vec<_> = over.contested().collect();
    let mut total = 0;
    for on in squares {
        let Some(there) = over.piece_at(on) else { continue };
        let place = chess_place(there.piece, on, true);
        let worth = match contests.iter().find(|contest| contest.to == on) {
            Some(contest) => contested(there, contest),
            None => value_of(there) + place,
        };
        total += if there.piece.side == side { worth } else { -worth };
    }
    total
}

/// What the attacker on a contested square may count for, less what the defender may.
fn contested(attacker: OverPiece, contest: &Contested) -> i32 {
    let [won, drawn, lost] = odds(points(attacker), points(contest.defender));
    let (own, other) = (value_of(attacker), value_of(contest.defender));
    (won * own + drawn * (own - other) - lost * other) / 1000
}

/// What a position is worth to a side whose over-move has just been settled.
fn outlook(over: &Over, side: Side) -> i32 {
    match over.ending() {
        Some(ruling) => WIN * score(ruling.outcome, side),
        None => {
            let threat = if over.due() == Due::Over { threat(over) } else { 0 };
            standing(over, side) - if over.turn() == side { -threat } else { threat }
        }
    }
}

/// The most that the side to move may look forward to with one over-move.
fn threat(over: &Over) -> i32 {
    let mut most = 0;
    over.for_each_legal(|ply| {
        let Ply::Over(m) = ply else { return };
        most = most.max(attack_on(over, m).map_or(0, |(attacker, defender)| prospect(attacker, defender)));
        if over.gives_check(m)
            && over.after(&ply).ending().is_some_and(|ruling| ruling.outcome != Outcome::Draw)
        {
            most = WIN;
        }
    });
    most
}

/// The two over-pieces of an attack.
fn attack_on(over: &Over, m: OverMove) -> Option<(OverPiece, OverPiece)> {
    if !over.captures(m) {
        return None;
    }
    let attacker = over.piece_at(m.from())?;
    // What is attacked in passing stands beside the attacker.
    let defender =
        over.piece_at(m.to()).or_else(|| over.piece_at(Square::new(m.to().file, m.from().rank)))?;
    Some((attacker, defender))
}

/// The over-move, consolidation or spare man that promises most.
fn command(over: &Over, plies: &[Ply], chance: &mut Chance) -> Option<Ply> {
    let side = over.turn();
    let has_room = |on| {
        over.piece_at(on).is_some_and(|there| {
            there.piece.side == side && there.piece.role != Role::King && there.men != Roster::FULL
        })
    };
    let squares = (0..8).flat_map(|rank| (0..8).map(move |file| Square::new(file, rank)));
    let room = squares.filter(|on| has_room(*on)).count();
    let mut best = None;
    let mut most = i32::MIN;
    for ply in plies {
        let promise = match ply {
            Ply::Over(m) => over_move(over, *m, side),
            // Men are only lost where nobody else has room for them.
            Ply::Consolidate(_) if room > 0 => consolidation(over, ply, side),
            _ => continue,
        };
        let promise = promise + chance.below(WHIM) as i32;
        if promise > most {
            (most, best) = (promise, Some(*ply));
        }
    }
    best.map(|ply| spare_before(over, ply, plies).unwrap_or(ply))
}

fn over_move(over: &Over, m: OverMove, side: Side) -> i32 {
    let after = over.after(&Ply::Over(m));
    let due = matches!(after.due(), Due::Setup(..) | Due::Sub(_));
    match attack_on(over, m).filter(|_| due && after.ending().is_none() && over.attacks(m)) {
        Some((attacker, defender)) => attack(&after, attacker, defender, side),
        None => outlook(&after, side),
    }
}

/// What an attack promises whose sub-game is due: each of its outcomes by its chances.
fn attack(after: &Over, attacker: OverPiece, defender: OverPiece, side: Side) -> i32 {
    let (own, other) = (points(attacker), points(defender));
    let worn = |there: OverPiece, against| {
        value_of(there) - value(there.piece.role, points(there) - toll(points(there), against))
    };
    let outcomes = [Outcome::Win(Side::White), Outcome::Draw, Outcome::Win(Side::Black)];
    let mut promise = 0;
    for (outcome, chances) in outcomes.into_iter().zip(odds(own, other)) {
        let mut settled = after.clone();
        settled.conclude(outcome);
        settle_all(&mut settled);
        let damage = match outcome {
            Outcome::Win(Side::White) => worn(attacker, other),
            Outcome::Win(Side::Black) => -worn(defender, own),
            Outcome::Draw => worn(attacker, other) - worn(defender, own),
        };
        promise += chances * (outlook(&settled, side) - damage) / 1000;
    }
    promise
}

/// Settles a sub-game as any commander would.
fn settle_all(over: &mut Over) {
    while let Due::Settling(_) = over.due() {
        let ply = settle(over, &listed(over)).unwrap_or(Ply::Done);
        over.play(&ply);
    }
}

fn listed(over: &Over) -> Vec<Ply> {
    let mut plies = Vec::new();
    over.for_each_legal(|ply| plies.push(ply));
    plies
}

fn consolidation(over: &Over, ply: &Ply, side: Side) -> i32 {
    let mut after = over.after(ply);
    while after.due() == Due::Giving {
        let ply = give(&after, &listed(&after)).unwrap_or(Ply::Done);
        after.play(&ply);
    }
    outlook(&after, side)
}

/// The spare man to be called in before an over-piece attacks.
fn spare_before(over: &Over, ply: Ply, plies: &[Ply]) -> Option<Ply> {
    let Ply::Over(m) = ply else { return None };
    if !over.attacks(m) {
        return None;
    }
    spare_for(m.from(), plies)
}

/// The strongest spare man that a square can have.
fn spare_for(on: Square, plies: &[Ply]) -> Option<Ply> {
    STRONGEST_FIRST.into_iter().map(|role| Ply::Reserve(on, role)).find(|ply| plies.contains(ply))
}

/// All prisoners that fit; spare men for those that need them most.
fn settle(over: &Over, plies: &[Ply]) -> Option<Ply> {
    let Due::Settling(on) = over.due() else { return None };
    let prisoners = over.settling().next().map_or(Roster::NONE, |(_, men)| men);
    if !prisoners.is_none() {
        return Some(Ply::Prisoners(prisoners));
    }
    let is_worth_it = match over.options().reserves {
        Reserves::Team(_) => over
            .piece_at(on)
            .is_some_and(|there| worth(there.piece.role) >= worth(Role::Rook) || points(there) < 24),
        _ => true,
    };
    spare_for(on, plies).filter(|_| is_worth_it).or(Some(Ply::Done))
}

/// Men go to the most valuable over-piece that has room.
fn give(over: &Over, plies: &[Ply]) -> Option<Ply> {
    let worth_of = |ply: &Ply| match ply {
        Ply::Give(on, _) => over.piece_at(*on).map_or(0, |there| worth(there.piece.role)),
        _ => -1,
    };
    plies.iter().copied().max_by_key(worth_of)
}

/// The set-up that shields its king and opens lines; the defender minds what the attacker can take at once.
fn set_up(over: &Over, side: Side, plies: &[Ply], chance: &mut Chance) -> Option<Ply> {
    let mut best = None;
    let mut most = i32::MIN;
    for ply in plies {
        let Ply::Setup(men) = ply else { continue };
        let mut worth = shape(*men) + chance.below(3) as i32;
        // Only what may be the best is looked at more closely.
        if side == Side::Black && worth > most {
            worth -= over.after(ply).sub_game().map_or(0, exposed) / 4;
        }
        if worth > most {
            (most, best) = (worth, Some(*ply));
        }
    }
    best
}

/// How good a set-up looks by itself.
fn shape(men: Arrangement) -> i32 {
    // Before the king and where he castles to, then in the middle.
    const PAWNS: [i32; 8] = [4, 6, 8, 14, 18, 16, 12, 8];
    let has = |set: u8, file: usize| set >> file & 1 == 1;
    let pawns: i32 = (0..8).filter(|file| has(men.pawns, *file)).map(|file| PAWNS[file]).sum();
    let connected = (men.pawns & men.pawns << 1).count_ones() as i32;
    let lines: i32 =
        [0, 7].into_iter().filter(|file| has(men.officers, *file) && !has(men.pawns, *file)).count() as i32;
    // A rook on h castles soonest; a bishop goes out where the pawn before it is missing.
    pawns + 4 * connected + 5 * lines + 3 * i32::from(has(men.officers, 7)) + i32::from(has(men.officers, 2))
}

/// The most that White can take at once, less what is taken back.
fn exposed(chess: &Chess) -> i32 {
    let mut most = 0;
    chess.for_each_legal(|m| {
        let Some(victim) = m.captured() else { return };
        let after = chess.after(m);
        let mut back = 0;
        after.for_each_legal(|answer| {
            if answer.to() == m.to() && answer.is_capture() {
                back = worth(m.role());
            }
        });
        most = most.max(worth(victim) - back);
    });
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Purpose;
    use overboard_formats::overchess;

    fn choice(rules: &str, position: &str) -> String {
        let (over, _) = overchess::read(position, overchess::options(rules)).unwrap();
        let plies = listed(&over);
        let mut chance = Chance::of(1, Purpose::Shuffle);
        let ply = match over.due() {
            Due::Over | Due::OverFrom(_) => command(&over, &plies, &mut chance),
            Due::Setup(_, side) => set_up(&over, side, &plies, &mut chance),
            Due::Settling(_) => settle(&over, &plies),
            Due::Giving => give(&over, &plies),
            Due::Sub(_) => None,
        };
        overchess::coordinates(&over, &ply.unwrap()).to_string()
    }

    #[test]
    fn the_strong_attack_the_weak_and_leave_the_strong_alone() {
        let attacks = "4k3/8/8/3r4/8/8/8/3RK3 w - - 0 1 d5=1P - -";
        assert_eq!(choice("", attacks), "d1d5");
        let leaves = "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1 d1=1P - -";
        assert_ne!(choice("", leaves), "d1d5");
    }

    #[test]
    fn no_king_is_gambled_on_an_even_sub_game() {
        // Whoever wins on e5 keeps the file closed; if the pinned rook's attack elsewhere failed, the king fell.
        let pinned = "4r1k1/8/8/8/3p4/4R3/8/4K3 w - - 0 1 - - -";
        assert_ne!(choice("", pinned), "e3d3");
    }

    #[test]
    fn mate_comes_first() {
        assert_eq!(choice("", "6k1/5ppp/8/8/8/8/q4PPP/1R4K1 w - - 0 1 - - -"), "b1b8");
    }

    #[test]
    fn prisoners_are_taken_and_spare_men_called_in() {
        let position = "4k3/8/8/3P4/8/8/8/4K3 b - - 0 5 d5=4P - - {settle d5:2P}";
        assert_eq!(choice("prisoners", position), "prisoners 2P");
    }

    #[test]
    fn odds_are_even_between_equals() {
        let [won, drawn, lost] = odds(39, 39);
        assert_eq!(won + drawn + lost, 1000);
        assert!((won - lost).abs() < 100 && drawn > 100, "{won} {drawn} {lost}");
        assert!(odds(39, 10)[0] > 850 && odds(10, 39)[2] > 850);
    }
}
