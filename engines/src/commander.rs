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
    field::{
        armies, attacked, due, fighter, first_contested, gift, plies as legal, prisoners, set_up, squares,
    },
    overs::OverGame,
    players::{Player, Spec},
    skirmish::{Fighter, Lieutenant, Skirmish, Stakes, lieutenant, seen_by, worth},
};
use overboard_games::{
    chess::Chess,
    overchess::{Arrangement, Due, Level, Over, OverMove, Ply, Reserves, Roster},
};
use overboard_rules::{
    game::Game as _,
    outcome::Outcome,
    position::Position,
    square::{Role, Side, Square},
};
use std::borrow::Cow;

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
            let stakes = stakes(game.position().current())?;
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
        let position = game.position();
        if let Due::Sub(_) = position.due() {
            return self.play_on(game, chance);
        }
        let innermost = position.open() - 1;
        let alone = match innermost {
            0 => Cow::Borrowed(position),
            _ => Cow::Owned(position.alone(innermost)),
        };
        choose(&alone, aim(position), game.plies(), chance)
    }
}

/// What is done in an over-game, by whoever is to do it.
fn choose(field: &Over, aim: Option<Stakes>, plies: &[Ply], chance: &mut Chance) -> Option<Ply> {
    match due(field) {
        Due::Sub(_) => None,
        Due::Over | Due::OverFrom(_) => command(field, aim, plies, chance),
        Due::Setup(_, side) => set_up(field, side, plies, chance),
        Due::Settling(_) => settle(field, plies),
        Due::Giving => gift(field, plies),
    }
}

/// What a sub-game that is due is played for.
pub fn stakes(level: &Level) -> Option<Stakes> {
    let contest = level.contested().next()?;
    let attacker = level.piece_at(contest.to)?;
    Some(Stakes { roles: [attacker.piece.role, contest.defender.piece.role], drawn: level.options().drawn })
}

/// What the innermost over-game is played for, where it is a sub-game itself.
fn aim(over: &Over) -> Option<Stakes> {
    stakes(over.level(over.open().checked_sub(2)?)?)
}

/// What a position is worth to a side: the outermost over-game, and in it what its sides may look forward to from
/// those that are open inside.
pub fn weigh(over: &Over, side: Side) -> i32 {
    let mut inside = over.current();
    let mut white = standing(inside, Side::White);
    for level in (0..over.open() - 1).rev().filter_map(|level| over.level(level)) {
        let Some(stakes) = stakes(level) else { break };
        let attacker = first_contested(level).and_then(|on| fighter(level, on));
        let Some((attacker, attacked)) = attacker.zip(attacked(level, 0)) else { break };
        let more = stakes.left_likely(white, armies(inside)) - contested(attacker, attacked);
        white = standing(level, Side::White) + seen_by(attacker.piece.side, more);
        inside = level;
    }
    seen_by(side, white)
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

/// What an over-piece is likely to lose of its worth against another.
fn damage(there: Fighter, against: Fighter) -> i32 {
    there.value() - there.worn(toll(there.points, against.points))
}

/// What an attack is likely to bring its side, where nothing is known but the two over-pieces.
fn prospect(attacker: Fighter, defender: Fighter) -> i32 {
    if attacker.piece.role == Role::King {
        return defender.value();
    }
    let [won, drawn, lost] = odds(attacker.points, defender.points);
    let gain = defender.value() - damage(attacker, defender);
    let loss = attacker.value() - damage(defender, attacker);
    let even = damage(defender, attacker) - damage(attacker, defender);
    (won * gain + drawn * even - lost * loss) / 1000
}

/// What the over-pieces of a side are worth more than the other's, by kind, strength and place; contested
/// ones by their chances.
fn standing(level: &Level, side: Side) -> i32 {
    let contests: Vec<_> = level.contested().map(|contest| contest.to).collect();
    let mut total = 0;
    for on in squares() {
        let Some(there) = fighter(level, on) else { continue };
        let contest = contests.iter().position(|to| *to == on);
        let worth = match contest.and_then(|contest| attacked(level, contest)) {
            Some(attacked) => contested(there, attacked),
            None => there.value() + chess_place(there.piece, on, true),
        };
        total += if there.piece.side == side { worth } else { -worth };
    }
    total
}

/// What the attacker on a contested square may count for, less what the defender may.
fn contested(attacker: Fighter, defender: Fighter) -> i32 {
    let [won, drawn, lost] = odds(attacker.points, defender.points);
    let (own, other) = (attacker.value(), defender.value());
    (won * own + drawn * (own - other) - lost * other) / 1000
}

/// What a position is worth to a side whose over-move has just been settled. In an over-game that is a
/// sub-game itself, what its end would leave counts too.
fn outlook(field: &Over, aim: Option<Stakes>, side: Side) -> i32 {
    if let Some(ruling) = field.ending() {
        let prize = aim.map_or(0, |stakes| stakes.settled(ruling.outcome, armies(field.outermost())));
        return WIN * score(ruling.outcome, side) + seen_by(side, prize);
    }
    let threat = if due(field) == Due::Over { threat(field) } else { 0 };
    let chess =
        standing(field.outermost(), side) - if field.outermost().turn() == side { -threat } else { threat };
    match aim {
        // Whoever is about to be mated need not be told of men.
        Some(stakes) if chess.abs() < WIN / 2 => {
            seen_by(side, stakes.expected(seen_by(side, chess), armies(field.outermost())))
        }
        _ => chess,
    }
}

/// The most that the side to move may look forward to with one over-move.
fn threat(field: &Over) -> i32 {
    let over = field.outermost();
    let mut most = 0;
    for ply in legal(field) {
        let Ply::Over(m) = ply else { continue };
        most = most.max(
            attack_on(field.outermost(), m).map_or(0, |(attacker, defender)| prospect(attacker, defender)),
        );
        if over.gives_check(m)
            && field.after(ply).ending().is_some_and(|ruling| ruling.outcome != Outcome::Draw)
        {
            most = WIN;
        }
    }
    most
}

/// The two over-pieces of an attack.
fn attack_on(level: &Level, m: OverMove) -> Option<(Fighter, Fighter)> {
    if !level.captures(m) {
        return None;
    }
    let attacker = fighter(level, m.from())?;
    // What is attacked in passing stands beside the attacker.
    let defender =
        fighter(level, m.to()).or_else(|| fighter(level, Square::new(m.to().file, m.from().rank)))?;
    Some((attacker, defender))
}

/// The over-move, consolidation or spare man that promises most.
fn command(field: &Over, aim: Option<Stakes>, plies: &[Ply], chance: &mut Chance) -> Option<Ply> {
    let over = field.outermost();
    let side = over.turn();
    let has_room = |on: &Square| {
        over.piece_at(*on).is_some_and(|there| {
            there.piece.side == side && there.piece.role != Role::King && there.men != Roster::FULL
        })
    };
    let room = squares().filter(has_room).count();
    let mut best = None;
    let mut most = i32::MIN;
    for ply in plies {
        let promise = match ply {
            Ply::Over(m) => over_move(field, aim, ply, *m, side),
            // Men are only lost where nobody else has room for them.
            Ply::Consolidate(_) if room > 0 => consolidation(field, aim, ply, side),
            _ => continue,
        };
        let promise = promise + chance.below(WHIM) as i32;
        if promise > most {
            (most, best) = (promise, Some(*ply));
        }
    }
    // Who can only lose his men must do so.
    let best = best.or_else(|| plies.first().copied());
    best.map(|ply| spare_before(field, ply, plies).unwrap_or(ply))
}

fn over_move(field: &Over, aim: Option<Stakes>, ply: &Ply, m: OverMove, side: Side) -> i32 {
    let after = field.after(*ply);
    let is_due = matches!(due(&after), Due::Setup(..) | Due::Sub(_));
    match attack_on(field.outermost(), m)
        .filter(|_| is_due && after.ending().is_none() && field.outermost().attacks(m))
    {
        Some((attacker, defender)) => attack(&after, aim, attacker, defender, side),
        None => outlook(&after, aim, side),
    }
}

/// What an attack promises whose sub-game is due: each of its outcomes by its chances.
fn attack(after: &Over, aim: Option<Stakes>, attacker: Fighter, defender: Fighter, side: Side) -> i32 {
    let outcomes = [Outcome::Win(Side::White), Outcome::Draw, Outcome::Win(Side::Black)];
    let mut promise = 0;
    for (outcome, chances) in outcomes.into_iter().zip(odds(attacker.points, defender.points)) {
        let mut settled = after.clone();
        settled.conclude(0, outcome);
        settle_all(&mut settled);
        let damage = match outcome {
            Outcome::Win(Side::White) => damage(attacker, defender),
            Outcome::Win(Side::Black) => -damage(defender, attacker),
            Outcome::Draw => damage(attacker, defender) - damage(defender, attacker),
        };
        promise += chances * (outlook(&settled, aim, side) - damage) / 1000;
    }
    promise
}

/// Settles a sub-game as any commander would.
fn settle_all(field: &mut Over) {
    while let Due::Settling(_) = due(field) {
        let ply = settle(field, &legal(field)).unwrap_or(Ply::Done);
        *field = field.after(ply);
    }
}

fn consolidation(field: &Over, aim: Option<Stakes>, ply: &Ply, side: Side) -> i32 {
    let mut after = field.after(*ply);
    while due(&after) == Due::Giving {
        let ply = gift(&after, &legal(&after)).unwrap_or(Ply::Done);
        after = after.after(ply);
    }
    outlook(&after, aim, side)
}

/// The spare man to be called in before an over-piece attacks.
fn spare_before(field: &Over, ply: Ply, plies: &[Ply]) -> Option<Ply> {
    let Ply::Over(m) = ply else { return None };
    if !field.outermost().attacks(m) {
        return None;
    }
    spare_for(m.from(), plies)
}

/// The strongest spare man that a square can have.
fn spare_for(on: Square, plies: &[Ply]) -> Option<Ply> {
    let spares = STRONGEST_FIRST.into_iter().map(|role| Ply::Reserve(on, role));
    spares.into_iter().find(|ply| plies.contains(ply))
}

/// All prisoners that fit; spare men for those that need them most.
fn settle(field: &Over, plies: &[Ply]) -> Option<Ply> {
    let Due::Settling(on) = due(field) else { return None };
    if let Some(prisoners) = prisoners(field) {
        return Some(prisoners);
    }
    let is_worth_it = match field.outermost().options().reserves {
        Reserves::Team(_) => fighter(field.outermost(), on)
            .is_some_and(|there| worth(there.piece.role) >= worth(Role::Rook) || there.points < 24),
        _ => true,
    };
    spare_for(on, plies).filter(|_| is_worth_it).or(Some(Ply::Done))
}

/// Men go to the most valuable over-piece that has room.
pub fn give(level: &Level, plies: &[Ply]) -> Option<Ply> {
    let worth_of = |ply: &Ply| match ply {
        Ply::Give(on, _) => level.piece_at(*on).map_or(0, |there| worth(there.piece.role)),
        _ => -1,
    };
    plies.iter().copied().max_by_key(worth_of)
}

/// The set-up that shields its king and opens lines; the defender minds what the attacker can take at once.
pub fn set_up_of_chess(over: &Over, side: Side, plies: &[Ply], chance: &mut Chance) -> Option<Ply> {
    let mut best = None;
    let mut most = i32::MIN;
    for ply in plies {
        let Ply::Setup(men) = ply else { continue };
        let mut worth = shape(*men) + chance.below(3) as i32;
        // Only what may be the best is looked at more closely.
        if side == Side::Black && worth > most {
            worth -= over.after(*ply).current().sub_game().map_or(0, exposed) / 4;
        }
        if worth > most {
            (most, best) = (worth, Some(*ply));
        }
    }
    best
}

/// Pawns before the king and where he castles to, then in the middle.
const PAWNS: [i32; 8] = [4, 6, 8, 14, 18, 16, 12, 8];

/// How much a square of a set-up is worth a strong individual.
pub fn post(on: Square) -> i32 {
    // The rook that castles soonest.
    if on.rank == 1 { PAWNS[usize::from(on.file & 7)] } else { 3 * i32::from(on.file == 7) }
}

/// How good a set-up looks by itself.
fn shape(men: Arrangement) -> i32 {
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
    use overboard_games::overchess;

    fn choice(rules: &str, position: &str) -> String {
        choice_at(1, rules, position)
    }

    fn choice_at(depth: u8, rules: &str, position: &str) -> String {
        let (over, _) = overchess::read(position, depth, overchess::options(rules)).unwrap();
        let mut chance = Chance::of(1, Purpose::Shuffle);
        let alone = over.alone(over.open() - 1);
        let ply = choose(&alone, aim(&over), &legal(&over), &mut chance).unwrap();
        overchess::own_coordinates(&over, &ply).to_string()
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
    fn who_has_nothing_but_a_consolidation_makes_it() {
        let position = "7k/p3NR2/P5P1/8/8/8/8/7K b - - 0 5 - - -";
        assert_eq!(choice("consolidation", position), "consolidate a7");
    }

    #[test]
    fn weak_men_make_a_weak_sub_set() {
        // The rook of d5 has lost the men of its men; that of d1 has them all.
        let weak = "4k3/8/8/3r4/8/8/8/3RK3 w - - 0 1 d1:a1,d5:a8={a1=0,b1=0,d1=0,f1=0} - -";
        assert_eq!(choice_at(2, "", weak), "d1d5");
        let strong = "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1 d1:a1={a1=1P,b1=0},d5:d7 - -";
        assert_ne!(choice_at(2, "", strong), "d1d5");
    }

    #[test]
    fn the_strongest_are_taken_and_set_up_where_they_count() {
        let prisoners = "4k3/8/8/3P4/8/8/8/4K3 b - - 0 5 d5:e2={a2,b2,c2,d2,e2,f2,g2} - - {settle d5:{a2:e7/a2=0,b2:e7/b2}}";
        assert_eq!(choice_at(2, "prisoners", prisoners), "prisoner e7/b2");
        let set_up = "4k3/8/8/3P4/8/8/8/4K3 b - - 1 5 d5:e2={a2,b2=0,d1},xd5:d7={d1} e4xd5:p - {d5: setup w}";
        assert_eq!(choice_at(2, "", set_up), "d5.setup e2/a2 e2");
    }

    #[test]
    fn odds_are_even_between_equals() {
        let [won, drawn, lost] = odds(39, 39);
        assert_eq!(won + drawn + lost, 1000);
        assert!((won - lost).abs() < 100 && drawn > 100, "{won} {drawn} {lost}");
        assert!(odds(39, 10)[0] > 850 && odds(10, 39)[2] > 850);
    }
}
