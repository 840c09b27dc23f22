//! Records of nested games with several faults: each that can be judged is found, and nothing else is called illegal
//! (GEN-13).

use super::{
    Tally, found,
    model::{self, address},
    put::{Legal, Mutant},
};
use crate::{
    chance::Chance,
    depth::tries,
    records::{Act, ActPlace, Agreed, places},
};
use overboard_games::{
    overchess::{self, Contested, Due, Level, Over, Roster},
    registry::{AnyGame, Variant},
};
use overboard_referee::finding::{Finding, Severity};
use overboard_rules::{
    path::squares,
    square::{Role, Square},
};
use rayon::prelude::*;
use std::{collections::BTreeSet, ops::Range};

/// An over-board, as far as it matters what its armies have left.
#[derive(Default)]
struct OverBoard {
    /// The squares of over-pieces of which it is not known what they have left.
    unknown: BTreeSet<Square>,
    contests: Vec<Contest>,
    /// Whether something on it was illegal, or could not be judged.
    is_lost: bool,
}

struct Contest {
    on: Contested,
    /// Whether it is not known what its parties begin with.
    depends: bool,
    /// Whether something in it was illegal.
    has_fault: bool,
}

/// What a reader of the record knows who goes on after each fault.
struct Known {
    /// The over-boards that are open, the outermost first.
    levels: Vec<OverBoard>,
    /// Whether an over-piece called in spares of which it is not known whether it could, so that it is not certain
    /// either that it must move now.
    is_called_in: bool,
    any_fault: bool,
    is_mega: bool,
    /// The boards of Mega-Chess on which something was illegal since the last move of a mega-piece, and before it.
    since: Vec<String>,
    before: bool,
}

impl Known {
    fn of(agreed: &Agreed) -> Self {
        Self {
            levels: vec![OverBoard::default()],
            is_called_in: false,
            any_fault: false,
            is_mega: agreed.game == Variant::Mega,
            since: Vec::new(),
            before: false,
        }
    }

    /// Whether a fault in this act is certain to be judged.
    fn can_judge(&self, act: &Act) -> bool {
        if !self.any_fault {
            return true;
        }
        if self.is_mega {
            let here = address(&act.word);
            let is_near =
                |other: &String| other.starts_with(here) || here.starts_with(other.as_str());
            return !self.before && !self.since.iter().any(is_near);
        }
        let AnyGame::Over(over) = &act.before else {
            unreachable!("no other game has sub-games")
        };
        let inside = over.path().len();
        let around = &self.levels[..inside.min(self.levels.len())];
        let own = self.levels.get(inside);
        !self.is_called_in
            && own.is_none_or(|level| !level.is_lost)
            && around.iter().all(|level| {
                let here = level.contests.first();
                !level.is_lost && here.is_some_and(|here| !here.depends && !here.has_fault)
            })
    }

    /// This act was replaced by an illegal one.
    fn fault(&mut self, act: &Act) {
        self.any_fault = true;
        if self.is_mega {
            self.since.push(address(&act.word).to_string());
            return;
        }
        let AnyGame::Over(over) = &act.before else {
            return;
        };
        let inside = over.path().len();
        if let Some(level) = self.levels.get_mut(inside) {
            level.is_lost = true;
        }
        for level in self.levels.iter_mut().take(inside) {
            if let Some(contest) = level.contests.first_mut() {
                contest.has_fault = true;
            }
        }
    }

    /// What the act did, and the position after it.
    fn follow(&mut self, act: &Act, after: &AnyGame) {
        match (&act.before, after) {
            (AnyGame::Mega(_), _) => {
                let own = &act.word[address(&act.word).len()..];
                // A move of a mega-piece can change what is in play, and so what is illegal elsewhere.
                let moves_a_board = address(&act.word).is_empty() || own.contains('#');
                self.before |= moves_a_board && !self.since.is_empty();
            }
            (AnyGame::Over(before), AnyGame::Over(after)) => self.follow_over(act, before, after),
            _ => unreachable!("a game stays what it is"),
        }
    }

    fn follow_over(&mut self, act: &Act, before: &Over, after: &Over) {
        let at = before.path().len();
        let own = &act.word[address(&act.word).len()..];
        if let Some(on) = own.strip_prefix("consolidate ") {
            self.consolidate(before.level(at).unwrap(), at, on);
        }
        self.is_called_in = matches!(after.due(), Due::OverFrom(_)) && self.any_fault;
        let square = |from| own.get(from..from + 2).and_then(overchess::square_named);
        let squares = square(0).zip(square(2));
        let here = before.level(at).zip(squares);
        if let Some((level, (from, to))) = here {
            let known = self.levels[at].contests.len();
            let moved = if at < after.open() {
                after.level(at)
            } else {
                None
            };
            let new = moved.and_then(|moved| moved.contested().nth(known));
            let board = &mut self.levels[at];
            let mover = board.unknown.remove(&from);
            let victim_on = new.and_then(|contest| contest.victim).unwrap_or(to);
            let is_attack = level.piece_at(victim_on).is_some();
            let depends = mover | board.unknown.remove(&victim_on);
            match new {
                Some(on) => board.contests.push(Contest {
                    on,
                    depends,
                    has_fault: false,
                }),
                // It was dead at its set-up.
                None if is_attack && depends => board.is_lost = true,
                None if mover => {
                    board.unknown.insert(to);
                }
                None => {}
            }
            castle(board, level.castling(), (from, to));
        }
        self.close(after);
    }

    /// An over-piece is taken off. If it is not known what some sub-set of its side holds, nobody knows who got what.
    fn consolidate(&mut self, level: &Level, at: usize, on: &str) {
        let board = &mut self.levels[at];
        let side = level.turn();
        let contested: Vec<_> = level.contested().map(|on| on.to).collect();
        let own = squares().filter_map(|on| Some((on, level.piece_at(on)?)));
        let own = own.filter(|(on, over)| over.piece.side == side && !contested.contains(on));
        let own: Vec<_> = own.collect();
        if own.iter().any(|(on, _)| board.unknown.contains(on)) {
            let with_room = own
                .into_iter()
                .filter(|(_, over)| over.piece.role != Role::King && over.pieces != Roster::FULL);
            board.unknown.extend(with_room.map(|(on, _)| on));
        }
        board.unknown.remove(&overchess::square_named(on).unwrap());
    }

    /// Settles what is not open any more.
    fn close(&mut self, after: &Over) {
        while self.levels.len() < after.open() {
            self.levels.push(OverBoard::default());
        }
        for at in (0..self.levels.len()).rev() {
            let level = if at < after.open() {
                after.level(at)
            } else {
                None
            };
            let Some(level) = level else {
                let inside = self.levels.pop().unwrap();
                let is_unsure = inside.is_lost || !inside.unknown.is_empty();
                if let Some(contest) = self.levels[at - 1].contests.first_mut() {
                    contest.has_fault |= is_unsure;
                }
                continue;
            };
            let open: Vec<_> = level.contested().map(|on| on.to).collect();
            let board = &mut self.levels[at];
            let (left, settled) = std::mem::take(&mut board.contests)
                .into_iter()
                .partition(|contest: &Contest| open.contains(&contest.on.to));
            board.contests = left;
            for contest in settled.into_iter().filter(|c| c.depends || c.has_fault) {
                let squares = [
                    Some(contest.on.from),
                    Some(contest.on.to),
                    contest.on.victim,
                ];
                let stands = |on: &Square| level.piece_at(*on).is_some();
                board
                    .unknown
                    .extend(squares.into_iter().flatten().filter(stands));
            }
        }
    }
}

/// In castling the rook goes along.
fn castle(board: &mut OverBoard, rights: [bool; 4], (from, to): (Square, Square)) {
    let is_home = from.file == 4 && from.rank == to.rank && from.file.abs_diff(to.file) == 2;
    if !is_home || !rights.contains(&true) {
        return;
    }
    let (corner, beside) = if to.file > from.file { (7, 5) } else { (0, 3) };
    if board.unknown.remove(&Square::new(corner, from.rank)) {
        board.unknown.insert(Square::new(beside, from.rank));
    }
}

/// The faults put into a record, in its order.
struct Faults {
    text: String,
    /// Where they are, and whether each is certain to be judged.
    at: Vec<(Range<usize>, bool)>,
}

/// Puts up to this number of illegal acts into a record.
fn put(legal: &Legal<'_>, wanted: usize, chance: &mut Chance) -> Faults {
    let mut chosen: Vec<(usize, Mutant)> = Vec::new();
    for _ in 0..8 * wanted {
        let Some(place) = chance.pick(&legal.chosen) else {
            break;
        };
        let is_taken = chosen.iter().any(|(other, _)| *other == place);
        if chosen.len() == wanted || is_taken {
            continue;
        }
        if let Some(mutant) = legal.illegal(place, chance) {
            chosen.push((place, mutant));
        }
    }
    chosen.sort_by_key(|(place, _)| *place);
    let mut known = Known::of(legal.agreed);
    let acts = &legal.played.acts;
    let (mut certain, mut next) = (Vec::new(), chosen.iter().peekable());
    for (nth, act) in acts.iter().enumerate() {
        let is_fault = next
            .peek()
            .is_some_and(|(place, _)| legal.acts[*place] == nth);
        if is_fault {
            certain.push(known.can_judge(act));
            next.next();
        }
        let after = acts
            .get(nth + 1)
            .map_or(&legal.played.last, |act| &act.before);
        known.follow(act, after);
        if is_fault {
            known.fault(act);
        }
    }
    let (mut text, mut at, mut longer) = (legal.played.text.clone(), Vec::new(), 0_isize);
    for ((place, mutant), certain) in chosen.iter().zip(certain) {
        let ActPlace { at: old, .. } = &legal.places[*place];
        let with = &mutant.text[mutant.at.clone()];
        let from = old.start.checked_add_signed(longer).unwrap();
        text.replace_range(from..from + old.len(), with);
        at.push((from..from + with.len(), certain));
        longer += with.len() as isize - old.len() as isize;
    }
    Faults { text, at }
}

/// What is wrong with the judgement of a record with faults, if anything.
fn against(faults: &Faults) -> Option<String> {
    let (_, found, rest) = found(&faults.text);
    if !rest.is_empty() {
        return Some("the record is split".into());
    }
    let covers = |finding: &Finding, at: &Range<usize>| {
        let there = finding.place.span;
        (there.from as usize) <= at.end && at.start <= there.to as usize
    };
    let errors = || {
        let errors = found.iter().filter(|f| f.severity == Severity::Error);
        errors.filter(|f| f.code.id != "open-ply")
    };
    let accused = errors().find(|f| !faults.at.iter().any(|(at, _)| covers(f, at)));
    if let Some(finding) = accused {
        return Some(format!(
            "accused: {} {}",
            finding.code.id,
            finding.message.as_it_came()
        ));
    }
    let is_found = |at: &Range<usize>| errors().any(|f| covers(f, at));
    let unseen = faults
        .at
        .iter()
        .position(|(at, certain)| *certain && !is_found(at));
    unseen.map(|nth| format!("fault {nth} of {} is not found", faults.at.len()))
}

/// Plays a game, and puts one to three faults into it several times.
fn trial(agreed: &Agreed, plies: usize, seed: u64, each: usize) -> Tally {
    let mut chance = Chance::seeded(seed);
    let played = agreed.play(plies, &mut chance);
    let (places, results) = places(&played.text);
    let acts = played.plies();
    let mut tally = Tally::default();
    if places.len() != acts.len() || acts.len() < 4 {
        return tally;
    }
    let chosen = (0..3 * each).map(|_| chance.below(places.len())).collect();
    let legal = Legal::of(agreed, &played, &acts, (&places, &results), chosen);
    for nth in 0..each {
        let faults = put(&legal, 1 + nth % 3, &mut chance);
        let certain = faults.at.iter().filter(|(_, certain)| *certain).count();
        *tally.put.entry("records").or_default() += 1;
        *tally.put.entry("faults").or_default() += faults.at.len();
        *tally.put.entry("certain").or_default() += certain;
        if let Some(why) = against(&faults) {
            let example = format!("{agreed:?}\n{}\n{:?}", faults.text, faults.at);
            tally.failed.entry(why).or_insert((0, example)).0 += 1;
        }
    }
    tally
}

#[test]
fn several_faults_in_a_nested_record_are_found_and_nothing_else() {
    let nested: Vec<_> = model::agreements()
        .into_iter()
        .filter(|(agreed, _)| matches!(agreed.game, Variant::Over | Variant::Mega))
        // At level 4 the model of Mega-Chess takes minutes for a record.
        .filter(|(agreed, _)| agreed.level < Some(4))
        .collect();
    let games = tries(100).div_ceil(nested.len());
    let all: Vec<_> = (0..games as u64)
        .flat_map(|game| {
            nested
                .iter()
                .map(move |(agreed, plies)| (agreed, plies, game))
        })
        .collect();
    let tallies: Vec<_> = all
        .par_iter()
        .enumerate()
        .map(|(nth, (agreed, plies, game))| {
            trial(agreed, **plies, 7 + 1_000_003 * game + nth as u64, 3)
        })
        .collect();
    let mut sum = Tally::default();
    for tally in tallies {
        sum.add(tally);
    }
    assert!(sum.failed.is_empty(), "{}", sum.reported());
    assert!(
        sum.put["records"] >= tries(100) && sum.put["certain"] >= tries(100),
        "{:?}",
        sum.put
    );
}
