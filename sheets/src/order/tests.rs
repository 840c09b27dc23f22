//! Orders of plies on linked boards, compared with a search through all of them.

mod constructed;

use super::{Arrival, BoardSheet, SheetPly, by_ties, plies_tried};
use crate::{
    Origin, Problem,
    acts::{ActsAround, MatchTerms, OtherAct},
    chance::Chance,
    depth::tries,
    near_edges::{boards, fen, seen},
};
use overboard_formats::span::TextSpan;
use overboard_games::strategichess::linked::{self, Edition, Linked};
use overboard_rules::{
    game::Game as _,
    position::Found,
    square::{Piece, Role, Side},
};
use std::ops::ControlFlow;

/// An order of a match whose tags say nothing.
fn order(sheets: &[BoardSheet], first: &Linked) -> Result<Vec<usize>, Problem> {
    super::order(sheets, first, &MatchTerms::of_any(sheets.len()))
}

/// Random plies, as the sheets of the boards have them, with more or fewer marks.
fn sheets_of(first: &Linked, plies: usize, marks: usize, chance: &mut Chance) -> Vec<BoardSheet> {
    played(first, plies, marks, false, chance).0
}

/// The same, with the position that they lead to; `is_calm` where no more pieces cross than chance has it.
fn played(
    first: &Linked,
    plies: usize,
    marks: usize,
    is_calm: bool,
    chance: &mut Chance,
) -> (Vec<BoardSheet>, Linked) {
    let mut position = first.clone();
    let mut sheets = vec![BoardSheet::default(); first.boards()];
    for time in 0..plies {
        if position.end_by_itself().is_some() {
            break;
        }
        let mut list = Vec::new();
        let _ = position.legal(|ply| {
            list.push(ply);
            ControlFlow::Continue(())
        });
        // What happens at the edges is what orders are about.
        let is_near = |ply: &&linked::Ply| {
            let files = ply.squares().map(|(from, to)| [from.file, to.file]);
            ply.over().is_some()
                || files.is_some_and(|files| files.iter().any(|file| matches!(file, 0 | 13)))
        };
        let crossing: Vec<_> = list
            .iter()
            .copied()
            .filter(|ply| ply.over().is_some())
            .collect();
        let near: Vec<_> = list.iter().filter(is_near).copied().collect();
        let from = match chance.below(5) {
            _ if is_calm => &list,
            0 => &list,
            1 | 2 if !near.is_empty() => &near,
            _ if !crossing.is_empty() => &crossing,
            _ => &list,
        };
        let Some(ply) = chance.pick(from) else { break };
        let board = ply.board();
        let (number, side) = (position.fullmove(board), position.turn(board));
        let arrivals = std::mem::take(&mut sheets[board].arrivals);
        let ts = (chance.below(12) < marks).then_some(time as u64);
        // By which a ply is known again.
        let origin = Origin {
            file: time,
            place: TextSpan::NOWHERE,
        };
        let san = linked::san(&position, ply).to_string();
        sheets[board].entries.push(SheetPly {
            number,
            side,
            san,
            ts,
            arrivals,
            acts: None,
            origin,
        });
        if ply.over().is_some() && chance.below(4) < marks {
            sheets[ply.arrives_on()].arrivals.push(Arrival {
                board,
                number,
                side,
            });
        }
        position.play(ply);
    }
    (sheets, position)
}

/// The position after plies in an order.
fn replayed(first: &Linked, sheets: &[BoardSheet], order: &[usize]) -> Linked {
    let mut position = first.clone();
    let mut made = vec![0; sheets.len()];
    for board in order {
        let entry: &SheetPly = &sheets[*board].entries[made[*board]];
        made[*board] += 1;
        let read = overboard_formats::san::San::parse;
        let san = read(entry.san.as_bytes(), &overboard_formats::san::LINKED).unwrap();
        let Found::One(ply) = position.find(linked::LinkedBoard::of(*board), &san.written) else {
            panic!("{} {} is not legal", entry.number, entry.san)
        };
        position.play(ply);
    }
    position
}

/// The ends that orders lead to, each with some orders of the plies as they are known.
#[derive(Default)]
struct Ends {
    made: Vec<usize>,
    order: Vec<usize>,
    ends: Vec<(String, Vec<Vec<usize>>)>,
}

/// All ends that orders lead to which the marks allow, one by one.
fn all_ends(sheets: &[BoardSheet], position: &Linked, found: &mut Ends) {
    let Ends { made, order, ends } = &mut *found;
    let left =
        |made: &[usize]| (0..sheets.len()).any(|board| made[board] < sheets[board].entries.len());
    if !left(made) {
        let end = seen(position);
        match ends.iter_mut().find(|(known, _)| *known == end) {
            Some((_, orders)) => orders.push(order.clone()),
            None => ends.push((end, vec![order.clone()])),
        }
        return;
    }
    if position.end_by_itself().is_some() {
        return;
    }
    for board in 0..sheets.len() {
        let made = &mut found.made;
        let Some(entry) = sheets[board].entries.get(made[board]) else {
            continue;
        };
        // Who arrived here before this ply has been sent.
        let is_sent = |arrival: &Arrival| {
            let is_it =
                |entry: &SheetPly| (entry.number, entry.side) == (arrival.number, arrival.side);
            sheets[arrival.board].entries[..made[arrival.board]]
                .iter()
                .any(is_it)
        };
        // A piece arrives on another board between the plies of the sheet that records it.
        let fits_there = |(other, sheet): (usize, &BoardSheet)| {
            let is_this = |arrival: &Arrival| {
                (arrival.board, arrival.number, arrival.side) == (board, entry.number, entry.side)
            };
            let reported = sheet
                .entries
                .iter()
                .position(|entry| entry.arrivals.iter().any(is_this));
            let reported = reported.or_else(|| {
                sheet
                    .arrivals
                    .iter()
                    .any(is_this)
                    .then_some(sheet.entries.len())
            });
            reported.is_none_or(|at| made[other] == at)
        };
        let is_in_time = |(other, sheet): (usize, &BoardSheet)| {
            let due = sheet.entries[made[other]..]
                .iter()
                .find_map(|entry| entry.ts);
            other == board || !matches!((due, entry.ts), (Some(due), Some(own)) if due < own)
        };
        let all = || sheets.iter().enumerate();
        if !entry.arrivals.iter().all(is_sent)
            || !all().all(fits_there)
            || !all().all(is_in_time)
            || position.turn(board) != entry.side
        {
            continue;
        }
        let Ok(san) = overboard_formats::san::San::parse(
            entry.san.as_bytes(),
            &overboard_formats::san::LINKED,
        ) else {
            continue;
        };
        let Found::One(ply) = position.find(linked::LinkedBoard::of(board), &san.written) else {
            continue;
        };
        made[board] += 1;
        found.order.push(entry.origin.file);
        all_ends(sheets, &position.after(ply), found);
        found.made[board] -= 1;
        found.order.pop();
    }
}

/// Random sheets, and all the ends that orders of their plies lead to.
struct Case {
    first: Linked,
    sheets: Vec<BoardSheet>,
    ends: Ends,
}

impl Case {
    fn random(round: usize, chance: &mut Chance) -> Self {
        let edition = if round.is_multiple_of(2) {
            Edition::Of2003
        } else {
            Edition::Of2025
        };
        let first = boards(2 + round % 5, edition, chance);
        let marks = chance.pick(&[0, 0, 0, 1, 2, 4]).unwrap();
        // The more boards, the more orders there are to try.
        let plies = 4 + chance.below(if first.boards() > 4 { 4 } else { 6 });
        let sheets = sheets_of(&first, plies, marks, chance);
        let mut ends = Ends {
            made: vec![0; sheets.len()],
            ..Ends::default()
        };
        all_ends(&sheets, &first, &mut ends);
        Self {
            first,
            sheets,
            ends,
        }
    }

    fn reported(&self) -> String {
        let board = |sheet: &BoardSheet| {
            let entry = |entry: &SheetPly| {
                format!(
                    "{}{:?} {} {:?}",
                    entry.number, entry.side, entry.san, entry.arrivals
                )
            };
            sheet
                .entries
                .iter()
                .map(entry)
                .collect::<Vec<_>>()
                .join(", ")
        };
        format!(
            "{}\n{}",
            linked::fen(&self.first),
            self.sheets.iter().map(board).collect::<Vec<_>>().join("\n")
        )
    }

    /// Asserts that an order leads to the only end.
    fn is_the_only_end(&self, order: Vec<usize>) {
        let position = replayed(&self.first, &self.sheets, &order);
        let ends: Vec<_> = self.ends.ends.iter().map(|(end, _)| end.clone()).collect();
        assert_eq!(ends, [seen(&position)], "{}", self.reported());
    }

    /// Asserts that each of the two plies named may come first. Returns whether that makes no difference to
    /// the ends.
    fn is_rightly_refused(&self, problem: &Problem) -> bool {
        let ends = &self.ends.ends;
        assert!(
            problem.code == "open-order" && ends.len() > 1,
            "{problem:?} {ends:#?}\n{}",
            self.reported()
        );
        let [one, other] = [problem.origin, problem.others[0].0].map(|origin| origin.file);
        let is_first =
            |order: &Vec<usize>| order.iter().find(|ply| [one, other].contains(ply)) == Some(&one);
        let ends_with = |first: bool| {
            let leads =
                |(_, orders): &&(_, Vec<_>)| orders.iter().any(|order| is_first(order) == first);
            ends.iter()
                .filter(leads)
                .map(|(end, _)| end)
                .collect::<Vec<_>>()
        };
        let (early, late) = (ends_with(true), ends_with(false));
        assert!(
            !early.is_empty() && !late.is_empty(),
            "{problem:?} {}",
            self.reported()
        );
        early == late
    }
}

#[test]
fn an_order_is_found_wherever_all_lead_to_one_end() {
    let mut chance = Chance::seeded(67);
    let (mut found, mut open, mut straight, mut alike) = (0, 0, 0, 0);
    for round in 0..tries(2000) {
        let case = Case::random(round, &mut chance);
        match order(&case.sheets, &case.first) {
            Ok(order) => {
                case.is_the_only_end(order);
                found += 1;
                let plies: usize = case.sheets.iter().map(|sheet| sheet.entries.len()).sum();
                // Where the kings are about to be counted all orders are tried one by one.
                let tried = plies_tried(&case.sheets, &case.first);
                assert!(tried.is_none_or(|tried| tried >= plies));
                straight += usize::from(tried == Some(plies));
            }
            Err(problem) => {
                alike += usize::from(case.is_rightly_refused(&problem));
                open += 1;
            }
        }
    }
    assert!(
        found > 300 && open > 8 && straight > 50 && alike == 0,
        "{found} {open} {straight} {alike}"
    );
}

/// What is found by comparing plies that touch, without trying all orders, is right; and it is nearly always found.
#[test]
fn what_touches_reports_whether_orders_differ() {
    let mut chance = Chance::seeded(79);
    let (mut found, mut open, mut unsettled, mut lost, mut alike) = (0, 0, 0, 0, 0);
    let rounds = tries(2000);
    for round in 0..rounds {
        let case = Case::random(round, &mut chance);
        match by_ties(&case.sheets, &case.first) {
            Ok(order) => {
                case.is_the_only_end(order);
                found += 1;
            }
            Err(problem) if problem.message.contains("not be settled") => unsettled += 1,
            Err(problem)
                if problem
                    .message
                    .contains("no order of these plies was found") =>
            {
                lost += 1;
            }
            Err(problem) => {
                alike += usize::from(case.is_rightly_refused(&problem));
                open += 1;
            }
        }
    }
    let reported =
        format!("{found} found, {open} open, {unsettled} unsettled, {lost} lost, {alike} alike");
    assert!(
        found > rounds / 4 && open > 8 && (unsettled + lost) * 50 < rounds && alike == 0,
        "{reported}"
    );
}

/// Long matches in which pieces cross all the time, without a mark: the result comes quickly, and an order
/// that is found leads to the position of the match.
#[test]
fn long_chains_of_crossings_are_put_in_order_or_refused_by_name() {
    let mut chance = Chance::seeded(83);
    let (mut found, mut open, mut unsettled, mut lost) = (0, 0, 0, 0);
    for round in 0..tries(24) {
        let edition = if round.is_multiple_of(2) {
            Edition::Of2003
        } else {
            Edition::Of2025
        };
        let count = 2 + round % 7;
        let first = if round.is_multiple_of(3) {
            boards(count, edition, &mut chance)
        } else {
            Linked::first(count, edition)
        };
        let marks = if round.is_multiple_of(4) { 2 } else { 0 };
        let plies = 40 * (1 + round % 8);
        let (sheets, end) = played(&first, plies, marks, round % 5 < 2, &mut chance);
        let verdict = order(&sheets, &first);
        match verdict {
            Ok(order) => {
                let replayed = replayed(&first, &sheets, &order);
                assert_eq!(seen(&replayed), seen(&end), "{round}");
                found += 1;
            }
            Err(problem) if problem.message.contains("not be settled") => unsettled += 1,
            Err(problem) if problem.message.contains("it matters which was made first") => {
                assert_eq!(problem.others.len(), 1, "{problem:?}");
                open += 1;
            }
            Err(problem) => {
                // These plies were played, so they must not be reported as impossible.
                assert_eq!(problem.code, "open-order", "{problem:?}");
                lost += 1;
            }
        }
    }
    let reported = format!("{found} found, {open} open, {unsettled} unsettled, {lost} lost");
    assert!(
        found > open && 2 * (found + open) > 3 * (unsettled + lost),
        "{reported}"
    );
}

/// Plies on so many boards of a match that has just begun, so many on each.
fn begun(boards: usize, plies: usize, chance: &mut Chance) -> (Linked, Vec<BoardSheet>) {
    let first = Linked::first(boards, Edition::Of2003);
    let mut position = first.clone();
    let mut sheets = vec![BoardSheet::default(); boards];
    let origin = Origin {
        file: 0,
        place: TextSpan::NOWHERE,
    };
    for board in (0..plies).flat_map(|_| 0..boards) {
        let mut list = Vec::new();
        let _ = position.legal_on(linked::LinkedBoard::of(board), |ply| {
            list.push(ply);
            ControlFlow::Continue(())
        });
        let ply = chance.pick(&list).unwrap();
        let (number, side) = (position.fullmove(board), position.turn(board));
        let san = linked::san(&position, ply).to_string();
        sheets[board].entries.push(SheetPly {
            number,
            side,
            san,
            ts: None,
            arrivals: Vec::new(),
            acts: None,
            origin,
        });
        position.play(ply);
    }
    (first, sheets)
}

/// Positions looked at grow as plies do, however many boards they are on.
#[test]
fn orders_are_looked_for_in_the_time_that_plies_are_played_in() {
    let mut chance = Chance::seeded(73);
    for boards in [8, 16, 32, 64, 128] {
        let (first, sheets) = begun(boards, 8, &mut chance);
        let looked = plies_tried(&sheets, &first);
        assert!(
            looked.is_some_and(|looked| looked < 2 * 8 * boards),
            "{boards}: {looked:?}"
        );
    }
    for plies in [10, 20, 40, 80] {
        let (first, sheets) = begun(4, plies, &mut chance);
        // Where pieces cross early there may be more than one end, which is no matter here.
        let crosses = |entry: &SheetPly| entry.san.contains('/');
        let until = sheets
            .iter()
            .filter_map(|sheet| sheet.entries.iter().position(crosses))
            .min();
        let cut = |sheet: &BoardSheet| {
            let entries = sheet.entries[..until.unwrap_or(plies).min(plies)].to_vec();
            BoardSheet {
                entries,
                ..sheet.clone()
            }
        };
        let sheets: Vec<_> = sheets.iter().map(cut).collect();
        let all: usize = sheets.iter().map(|sheet| sheet.entries.len()).sum();
        assert_eq!(plies_tried(&sheets, &first), Some(all), "{plies}");
    }
}

#[test]
fn many_boards_without_marks_are_put_together_at_once() {
    let (first, sheets) = begun(512, 8, &mut Chance::seeded(71));
    // Some pieces cross, and yet boards that do not touch are not ordered together.
    let crossing = sheets
        .iter()
        .flat_map(|sheet| &sheet.entries)
        .filter(|entry| entry.san.contains('/'))
        .count();
    let found = order(&sheets, &first)
        .map(|order| order.len())
        .map_err(|problem| problem.message);
    assert!(found == Ok(4096) && crossing > 10, "{found:?} {crossing}");
}
