//! The player of Overchess: a commander that weighs sub-sets, and lieutenants for the sub-games.
//!
//! The commander searches one over-move and the reply. The value of an attack is the average over its three outcomes,
//! weighted by the chances that follow from the strengths of the two sub-sets. The value of a position is that of the
//! over-pieces, by kind and strength, less the best attack that it allows.

use crate::{
    chance::Chance,
    ending::worth as score,
    individuals::{gift, prisoners, set_up},
    live_game::LiveGame,
    move_limits::MoveLimits,
    players::{Plain, Player, Random, Seats, Spec, Thought, sit_down},
    tree::Tree,
};
use overboard_games::{
    chess::Chess,
    one_board::OneBoard,
    overchess::{
        Arrangement, Due, Level, Over, OverMove, Ply, Reserves, Roster,
        play::{Fighter, Stakes, armies, fighter, first_contested, odds, seen_by, standing, worth},
    },
};
use overboard_referee::game::play::Play as _;
use overboard_rules::{
    game::Game as _,
    outcome::Outcome,
    path::squares,
    position::Movegen,
    square::{Role, Side, Square},
};
use std::{borrow::Cow, sync::Arc};

/// The value of a won game, in centipawns.
const WIN: i32 = 100_000;
/// The range of the random noise by which plies of about equal value are chosen.
const WHIM: usize = 12;
/// The kinds of pieces, the strongest first.
const STRONGEST_FIRST: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

impl Seats for Over {
    fn seat(spec: Spec) -> Result<Box<dyn Player<Self>>, &'static str> {
        Ok(match spec {
            Spec::Random => Box::new(Random),
            Spec::Tree {
                simulations,
                plies,
                whole: true,
            } => Box::new(Tree::with(Plain, simulations, plies)),
            spec => Box::new(Commander {
                spec,
                limits: Arc::default(),
                at: None,
                has_thought: false,
            }),
        })
    }
}

/// A player of whole games.
struct Commander {
    spec: Spec,
    /// What limits the next choice.
    limits: Arc<MoveLimits>,
    /// The current sub-game of chess, as far as it has been seen.
    at: Option<SubGame>,
    /// Whether a lieutenant chose the last ply.
    has_thought: bool,
}

/// A sub-game of chess, and the player that plays it for the commander.
struct SubGame {
    table: LiveGame<OneBoard<Chess>>,
    /// Whether nothing has been played in it.
    is_new: bool,
    /// Set once the lieutenant has chosen a ply.
    lieutenant: Option<Box<dyn Player<OneBoard<Chess>>>>,
}

impl Commander {
    /// The current sub-game of chess, followed from here on unless it is already.
    fn sub_game(&mut self, over: &Over) -> Option<&mut SubGame> {
        let chess = over.current().sub_game()?;
        let begins = chess.fullmove() == 1 && chess.turn() == Side::White;
        let goes_on = match &self.at {
            Some(at) => !begins || at.is_new,
            None => false,
        };
        if !goes_on {
            let table = LiveGame::from(OneBoard(chess.clone()));
            self.at = Some(SubGame {
                table,
                is_new: true,
                lieutenant: None,
            });
        }
        self.at.as_mut()
    }

    fn play_on(&mut self, over: &Over, chance: &mut Chance) -> Option<Ply> {
        let (spec, limits) = (self.spec, Arc::clone(&self.limits));
        let stakes = Stakes::of(over.current())?;
        let SubGame {
            table, lieutenant, ..
        } = self.sub_game(over)?;
        let lieutenant = lieutenant.get_or_insert_with(|| sit_down(spec, stakes));
        lieutenant.bind(&limits);
        lieutenant.choose(table, chance).map(Ply::Sub)
    }
}

impl Player<Over> for Commander {
    fn choose(&mut self, table: &LiveGame<Over>, chance: &mut Chance) -> Option<Ply> {
        if table.end().is_some() {
            return None;
        }
        let over = table.game();
        self.has_thought = matches!(over.due(), Due::Sub(_));
        if self.has_thought {
            return self.play_on(over, chance);
        }
        let innermost = over.open() - 1;
        let alone = match innermost {
            0 => Cow::Borrowed(over),
            _ => Cow::Owned(over.alone(innermost)),
        };
        choose(&alone, aim(over), table.plies(), chance)
    }

    fn thought(&self) -> Thought {
        // Only a lieutenant reports an evaluation, and only while its sub-game is played.
        match &self.at {
            Some(SubGame {
                lieutenant: Some(lieutenant),
                ..
            }) if self.has_thought => lieutenant.thought(),
            _ => Thought::default(),
        }
    }

    fn bind(&mut self, limits: &Arc<MoveLimits>) {
        self.limits = Arc::clone(limits);
    }

    fn see(&mut self, before: &LiveGame<Over>, ply: Ply, _: &str) {
        match (ply, self.sub_game(before.game())) {
            (Ply::Sub(m), Some(at)) => {
                if let Some(lieutenant) = &mut at.lieutenant {
                    // Only external engines need coordinates, and no lieutenant is one.
                    lieutenant.see(&at.table, m, "");
                }
                at.table.play(m);
                at.is_new = false;
            }
            _ => self.at = None,
        }
    }
}

/// What is due in an over-game considered alone.
pub fn due(alone: &Over) -> Due {
    match first_contested(alone.outermost()) {
        Some(on) if alone.open() > 1 => Due::Sub(on),
        _ => alone.due(),
    }
}

/// The legal plies.
fn legal(alone: &Over) -> Vec<Ply> {
    let mut plies = Vec::new();
    alone.list(None, &mut plies);
    plies
}

/// Chooses a ply in an over-game, for either side.
fn choose(field: &Over, aim: Option<Stakes>, plies: &[Ply], chance: &mut Chance) -> Option<Ply> {
    match due(field) {
        Due::Sub(_) => None,
        Due::Over | Due::OverFrom(_) => command(field, aim, plies, chance),
        Due::Setup(_, side) => set_up(field, side, plies, chance),
        Due::Settling(_) => settle(field, plies),
        Due::Giving => gift(field, plies),
    }
}

/// The stakes of the innermost over-game, if it is itself a sub-game.
fn aim(over: &Over) -> Option<Stakes> {
    Stakes::of(over.level(over.open().checked_sub(2)?)?)
}

/// The expected gain of an attack, from the two over-pieces alone.
fn prospect(attacker: Fighter, defender: Fighter) -> i32 {
    if attacker.piece.role == Role::King {
        return defender.value();
    }
    let [won, drawn, lost] = odds(attacker.points, defender.points);
    let [attackers, defenders] = [attacker.damage(defender), defender.damage(attacker)];
    let gain = defender.value() - attackers;
    let loss = attacker.value() - defenders;
    let even = defenders - attackers;
    (won * gain + drawn * even - lost * loss) / 1000
}

/// The value of a position to a side whose over-move has just been settled. In an over-game that is itself a sub-game,
/// what would be left at its end counts as well.
fn outlook(field: &Over, aim: Option<Stakes>, side: Side) -> i32 {
    let over = field.outermost();
    if let Some(ruling) = field.end_by_itself() {
        let prize = match aim {
            Some(stakes) => stakes.settled(ruling.outcome, armies(over)),
            None => 0,
        };
        return WIN * score(ruling.outcome, side) + seen_by(side, prize);
    }
    let mut chess = standing(over, side);
    if due(field) == Due::Over {
        let threat = threat(field);
        chess += if over.turn() == side { threat } else { -threat };
    }
    match aim {
        // Material does not matter to a side about to be mated.
        Some(stakes) if chess.abs() < WIN / 2 => {
            let left = stakes.expected(seen_by(side, chess), armies(over));
            seen_by(side, left)
        }
        _ => chess,
    }
}

/// The largest expected gain of the side to move with one over-move.
fn threat(field: &Over) -> i32 {
    let over = field.outermost();
    let mut most = 0;
    for ply in legal(field) {
        let Ply::Over(m) = ply else { continue };
        if let Some((attacker, defender)) = attack_on(over, m) {
            most = most.max(prospect(attacker, defender));
        }
        if over.gives_check(m)
            && let Some(ruling) = field.after(ply).end_by_itself()
            && ruling.outcome != Outcome::Draw
        {
            most = WIN;
        }
    }
    most
}

/// The two over-pieces involved in an attack.
fn attack_on(level: &Level, m: OverMove) -> Option<(Fighter, Fighter)> {
    if !level.captures(m) {
        return None;
    }
    let attacker = fighter(level, m.from())?;
    // A pawn attacked en passant is beside the attacker.
    let defender = fighter(level, m.to())
        .or_else(|| fighter(level, Square::new(m.to().file, m.from().rank)))?;
    Some((attacker, defender))
}

/// The over-move, consolidation or spare piece with the highest value.
fn command(field: &Over, aim: Option<Stakes>, plies: &[Ply], chance: &mut Chance) -> Option<Ply> {
    let over = field.outermost();
    let side = over.turn();
    let has_room = squares().any(|on| has_room(over, on, side));
    let mut best = None;
    let mut most = i32::MIN;
    for ply in plies {
        let promise = match ply {
            Ply::Over(m) => over_move(field, aim, ply, *m, side),
            // Pieces are lost only if no other over-piece has room for them.
            Ply::Consolidate(_) if has_room => consolidation(field, aim, ply, side),
            _ => continue,
        };
        let promise = promise + chance.below(WHIM) as i32;
        if promise > most {
            (most, best) = (promise, Some(*ply));
        }
    }
    // If pieces can only be lost, there is no alternative.
    let best = best.or(plies.first().copied())?;
    Some(spare_before(field, best, plies).unwrap_or(best))
}

/// Whether an over-piece of a side stands there that pieces can be given to.
fn has_room(over: &Level, on: Square, side: Side) -> bool {
    match over.piece_at(on) {
        Some(there) => {
            there.piece.side == side
                && there.piece.role != Role::King
                && there.pieces != Roster::FULL
        }
        None => false,
    }
}

fn over_move(field: &Over, aim: Option<Stakes>, ply: &Ply, m: OverMove, side: Side) -> i32 {
    let after = field.after(*ply);
    let is_due = matches!(due(&after), Due::Setup(..) | Due::Sub(_));
    match attack_on(field.outermost(), m) {
        Some((attacker, defender))
            if is_due && after.end_by_itself().is_none() && field.outermost().attacks(m) =>
        {
            attack(&after, aim, attacker, defender, side)
        }
        _ => outlook(&after, aim, side),
    }
}

/// The expected value of an attack whose sub-game is due: each outcome weighted by its chance.
fn attack(
    after: &Over,
    aim: Option<Stakes>,
    attacker: Fighter,
    defender: Fighter,
    side: Side,
) -> i32 {
    let outcomes = [
        Outcome::Win(Side::White),
        Outcome::Draw,
        Outcome::Win(Side::Black),
    ];
    let mut promise = 0;
    let chances = odds(attacker.points, defender.points);
    for (outcome, chances) in outcomes.into_iter().zip(chances) {
        let mut settled = after.clone();
        settled.conclude(0, outcome);
        settle_all(&mut settled);
        let damage = match outcome {
            Outcome::Win(Side::White) => attacker.damage(defender),
            Outcome::Win(Side::Black) => -defender.damage(attacker),
            Outcome::Draw => attacker.damage(defender) - defender.damage(attacker),
        };
        promise += chances * (outlook(&settled, aim, side) - damage) / 1000;
    }
    promise
}

/// Settles a sub-game in the usual way.
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

/// The spare piece to be called in before an over-piece attacks.
fn spare_before(field: &Over, ply: Ply, plies: &[Ply]) -> Option<Ply> {
    let Ply::Over(m) = ply else { return None };
    if !field.outermost().attacks(m) {
        return None;
    }
    spare_for(m.from(), plies)
}

/// The strongest spare piece available for a square.
fn spare_for(on: Square, plies: &[Ply]) -> Option<Ply> {
    let mut spares = STRONGEST_FIRST.iter().map(|role| Ply::Reserve(on, *role));
    spares.find(|ply| plies.contains(ply))
}

/// Takes all prisoners that fit, and spare pieces for those that need them most.
fn settle(field: &Over, plies: &[Ply]) -> Option<Ply> {
    let Due::Settling(on) = due(field) else {
        return None;
    };
    if let Some(prisoners) = prisoners(field) {
        return Some(prisoners);
    }
    let is_worth_it = match field.outermost().options().reserves {
        Reserves::Team(_) => match fighter(field.outermost(), on) {
            Some(there) => worth(there.piece.role) >= worth(Role::Rook) || there.points < 24,
            None => false,
        },
        _ => true,
    };
    if is_worth_it && let Some(spare) = spare_for(on, plies) {
        return Some(spare);
    }
    Some(Ply::Done)
}

/// The worth of the over-piece on a square; 0 if there is none.
pub fn worth_on(level: &Level, on: Square) -> i32 {
    match level.piece_at(on) {
        Some(there) => worth(there.piece.role),
        None => 0,
    }
}

/// Gives pieces to the most valuable over-piece that has room.
pub fn give(level: &Level, plies: &[Ply]) -> Option<Ply> {
    let worth_of = |ply: &Ply| match ply {
        Ply::Give(on, _) => worth_on(level, *on),
        _ => -1,
    };
    plies.iter().copied().max_by_key(worth_of)
}

/// The set-up that shields its king and opens lines; the defender also considers what the attacker can capture at once.
pub fn set_up_of_chess(over: &Over, side: Side, plies: &[Ply], chance: &mut Chance) -> Option<Ply> {
    let mut best = None;
    let mut most = i32::MIN;
    for ply in plies {
        let Ply::Setup(pieces) = ply else { continue };
        let mut worth = shape(*pieces) + chance.below(3) as i32;
        // Only a set-up that may be the best is examined further.
        if side == Side::Black
            && worth > most
            && let Some(chess) = over.after(*ply).current().sub_game()
        {
            worth -= exposed(chess) / 4;
        }
        if worth > most {
            (most, best) = (worth, Some(*ply));
        }
    }
    best
}

/// The value of pawns by file: those in front of the king and its castled squares first, then those in the centre.
const PAWNS: [i32; 8] = [4, 6, 8, 14, 18, 16, 12, 8];

/// The value of a square in a set-up for a strong individual.
pub fn post(on: Square) -> i32 {
    // The rook that can castle soonest.
    if on.rank == 1 {
        PAWNS[usize::from(on.file & 7)]
    } else {
        3 * i32::from(on.file == 7)
    }
}

/// The value of a set-up by its shape alone.
fn shape(pieces: Arrangement) -> i32 {
    let has = |set: u8, file: usize| set >> file & 1 == 1;
    let mut pawns = 0;
    for (file, worth) in PAWNS.iter().enumerate() {
        if has(pieces.pawns, file) {
            pawns += worth;
        }
    }
    let connected = (pieces.pawns & pieces.pawns << 1).count_ones() as i32;
    // Rooks without a pawn in front of them.
    let lines = (pieces.officers & !pieces.pawns & 0b1000_0001).count_ones() as i32;
    // A rook on h can castle soonest; a bishop can develop where the pawn in front of it is missing.
    pawns
        + 4 * connected
        + 5 * lines
        + 3 * i32::from(has(pieces.officers, 7))
        + i32::from(has(pieces.officers, 2))
}

/// The most that White can win at once by captures, less what is recaptured.
fn exposed(chess: &Chess) -> i32 {
    let mut most = 0;
    chess.legal_moves(|m| {
        let Some(victim) = m.captured() else { return };
        let after = chess.after(m);
        let mut back = 0;
        after.legal_moves(|answer| {
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
    use overboard_referee::game::{notation::Notation as _, record::Record as _};
    use overboard_rules::{game::Step, position::DrawLaw as _};

    const ALL: &str = "fog:prisoners:consolidation:reserves=team/2P1N/2P1N";

    fn first(depth: u8, rules: &str) -> LiveGame<Over> {
        LiveGame::from(Over::first(depth, overchess::options(rules)))
    }

    /// Plays a game to its end, or until a record can stop; returns the number of plies and whether the game ended.
    fn played(mut table: LiveGame<Over>, specs: [Spec; 2], seed: u64, most: u32) -> (u32, bool) {
        let mut seats = specs.map(|spec| Over::seat(spec).unwrap());
        let mut chance = Chance::of(seed, Purpose::Shuffle);
        let mut plies = 0;
        while table.end().is_none() && (plies < most || !table.game().may_stop()) {
            let ply = seats[table.side() as usize].choose(&table, &mut chance);
            let ply =
                ply.unwrap_or_else(|| panic!("{specs:?} has no ply in {}", table.game().fen()));
            assert!(
                table.plies().contains(&ply),
                "{specs:?} {}: {ply:?}",
                table.game().fen()
            );
            for player in &mut seats {
                player.see(&table, ply, "");
            }
            table.play(ply);
            plies += 1;
        }
        (plies, table.end().is_some())
    }

    const SPECS: [&str; 3] = ["random", "greedy", "search:depth=1"];

    #[test]
    fn every_player_plays_games_to_their_end() {
        for rules in ["", ALL, "prisoners:reserves=set/1P/2P:subdraw=both"] {
            for spec in SPECS {
                let specs = [spec.parse().unwrap(), Spec::Greedy];
                let (plies, ended) = played(first(1, rules), specs, 3, u32::MAX);
                assert!(ended && plies > 50, "{rules} {spec}");
            }
        }
    }

    #[test]
    fn every_player_plays_games_in_games() {
        for (depth, rules) in [
            (2, ""),
            (2, ALL),
            (3, ALL),
            (2, "fog:prisoners:consolidation:subdraw=both"),
        ] {
            for spec in SPECS
                .into_iter()
                .chain(["mcts:sims=2", "mcts:sims=2,plies=2,whole"])
            {
                let spec = spec.parse().unwrap();
                let most = if matches!(spec, Spec::Tree { whole: true, .. }) {
                    150
                } else {
                    4000
                };
                for seed in 0..2 {
                    let (plies, ended) =
                        played(first(depth, rules), [spec, Spec::Greedy], seed, most);
                    assert!(ended || plies >= most, "{depth} {rules} {spec}");
                }
            }
        }
    }

    #[test]
    fn a_sub_game_is_followed_from_its_first_position_on() {
        let mut commander = Commander {
            spec: Spec::Greedy,
            limits: Arc::default(),
            at: None,
            has_thought: false,
        };
        let mut table = first(1, "");
        for text in [
            "e2e4", "d7d5", "e4d5", "d5.g1f3", "d5.g8f6", "d5.f3g1", "d5.f6g8",
        ] {
            let Some(Step::Ply(ply)) = table.game().at(text) else {
                panic!("{text}")
            };
            commander.see(&table, ply, "");
            table.play(ply);
        }
        let followed = commander.sub_game(table.game()).unwrap();
        let OneBoard(chess) = followed.table.game();
        assert_eq!(Some(chess), table.game().current().sub_game());
        let times = followed
            .table
            .history()
            .unwrap()
            .count(chess.repetition_key(), &chess.snapshot());
        assert_eq!(
            (followed.is_new, times),
            (false, 2),
            "the first position is there again"
        );
    }

    fn choice(rules: &str, position: &str) -> String {
        choice_at(1, rules, position)
    }

    fn choice_at(depth: u8, rules: &str, position: &str) -> String {
        let over = overchess::read(position, depth, overchess::options(rules))
            .unwrap()
            .position;
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
        // Whoever wins on e5 keeps the file closed; but if the pinned rook attacked elsewhere and lost, its king would
        // fall.
        let pinned = "4r1k1/8/8/8/3p4/4R3/8/4K3 w - - 0 1 - - -";
        assert_ne!(choice("", pinned), "e3d3");
    }

    #[test]
    fn mate_comes_first() {
        assert_eq!(
            choice("", "6k1/5ppp/8/8/8/8/q4PPP/1R4K1 w - - 0 1 - - -"),
            "b1b8"
        );
    }

    #[test]
    fn prisoners_are_taken_and_spare_pieces_called_in() {
        let position = "4k3/8/8/3P4/8/8/8/4K3 b - - 0 5 d5=4P - - {settle d5:2P}";
        assert_eq!(choice("prisoners", position), "prisoners 2P");
    }

    #[test]
    fn who_has_nothing_but_a_consolidation_makes_it() {
        let position = "7k/p3NR2/P5P1/8/8/8/8/7K b - - 0 5 - - -";
        assert_eq!(choice("consolidation", position), "consolidate a7");
    }

    #[test]
    fn weak_pieces_make_a_weak_sub_set() {
        // The rook on d5 has lost the pieces of its pieces; that on d1 has them all.
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
}
