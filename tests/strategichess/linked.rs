//! Linked boards of both editions: positions and games compared with the naive model.

use super::{NaiveMove, ROLES, Scene, lines, placement, sparse_board, squares, two_squares};
use crate::{
    chance::Chance,
    depth::tries,
    naive::strategichess::linked::{Edition as NaiveEdition, Flag as NaiveFlag, Linked as Naive},
};
use overboard_formats::san::{LINKED, San};
use overboard_games::strategichess::linked::{
    Edition, FallenFlag, Linked, LinkedBoard, Ply, Reading, coordinates, fen, read, san,
};
use overboard_referee::game::{listing::status as status_of, notation::Notation as _};
use overboard_rules::{
    by_side::BySide,
    game::Game,
    outcome::{Cause, Outcome},
    perft::perft,
    ply::{Arrival, BoardName, Pattern, Wing, Written},
    square::{Role, Side, Square},
};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

pub const SIDES: [Side; 2] = [Side::White, Side::Black];
pub const EDITIONS: [Edition; 2] = [Edition::Of2003, Edition::Of2025];

const fn theirs(edition: Edition) -> NaiveEdition {
    match edition {
        Edition::Of2003 => NaiveEdition::Of2003,
        Edition::Of2025 => NaiveEdition::Of2025,
    }
}

const fn letter(side: Side) -> char {
    match side {
        Side::White => 'w',
        Side::Black => 'b',
    }
}

pub fn name(board: usize) -> String {
    BoardName(board).to_string()
}

/// The positions of the file: edition, FENs, and counts from depth 1 on, up to 2.
fn positions() -> impl Iterator<Item = (Edition, &'static str, Vec<u64>)> {
    lines(include_str!("../naive/positions/linked.txt")).map(|line| {
        let edition = if line[0] == "2003" {
            Edition::Of2003
        } else {
            Edition::Of2025
        };
        let counts = line[2..]
            .iter()
            .filter(|count| **count != "-")
            .map(|count| count.parse().unwrap());
        (edition, line[1], counts.collect())
    })
}

#[test]
fn lines_are_counted_as_the_naive_model_counts_them() {
    let mut all = [0; 2];
    for (edition, fen, counts) in positions() {
        let Reading {
            linked: position,
            lenient,
            ..
        } = read(fen, edition).unwrap();
        assert!(!lenient, "{fen}");
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(
                perft(&position, depth),
                count,
                "depth {depth} of {edition:?} {fen}"
            );
        }
        all[edition as usize] += 1;
    }
    assert_eq!(all, [89, 97]);
}

/// One position in both implementations.
#[derive(Clone)]
pub struct Pair {
    pub ours: Linked,
    pub theirs: Naive,
}

impl Pair {
    pub fn read(text: &str, edition: Edition) -> Self {
        let ours = read(text, edition).unwrap().linked;
        // The library removes a king that is mated at the start (SC-63); the naive model would wait for a ply.
        let theirs = Naive::parse(&fen(&ours), theirs(edition));
        Self { ours, theirs }
    }

    pub fn start(boards: usize, edition: Edition) -> Self {
        Self {
            ours: Linked::first(boards, edition),
            theirs: Naive::start(boards, theirs(edition)),
        }
    }

    fn at(&self) -> String {
        format!("{:?} {}", self.ours.edition(), self.theirs.fen())
    }

    /// Compares everything that both can say about the position; returns its plies.
    pub fn agrees(&self) -> Vec<(String, char, String)> {
        let (ours, theirs) = (&self.ours, &self.theirs);
        assert_eq!(fen(ours), theirs.fen(), "{:?}", ours.edition());
        let plies = theirs.moves();
        assert_eq!(listed(ours), plies, "{}", self.at());
        assert_eq!(status(ours), theirs.status(), "{}", self.at());
        let ongoing = ours.end_by_itself().is_none();
        assert_eq!(
            ongoing && ours.may_be_counted(),
            theirs.may_count_kings(),
            "{}",
            self.at()
        );
        assert_eq!(
            ours.kings().map(|kings| kings as usize),
            BySide::new('w', 'b').map(|side| theirs.kings(side))
        );
        for board in 0..ours.boards() {
            assert_eq!(
                ours.is_closed(board),
                theirs.closed(&name(board)),
                "board {board} of {}",
                self.at()
            );
            for side in SIDES {
                let attacked = theirs.king_attacked(letter(side), &name(board));
                assert_eq!(
                    ours.is_attacked_king(board, side),
                    attacked,
                    "board {board} of {}",
                    self.at()
                );
            }
        }
        plies
    }

    pub fn play(&mut self, coord: &str) {
        let ply = self
            .ours
            .by_coordinates(coord)
            .unwrap_or_else(|| panic!("no {coord} in {}", self.at()));
        self.ours.play(ply);
        self.theirs = self.theirs.play(coord);
    }

    /// Asserts that both write a ply in the same way.
    fn is_written_alike(&self, coord: &str) {
        let ply = self.ours.by_coordinates(coord).unwrap();
        assert_eq!(
            san(&self.ours, ply).as_str(),
            self.theirs.san(coord),
            "{coord} in {}",
            self.at()
        );
    }
}

/// The legal plies of all boards, also after an end by counting kings.
fn all_plies(linked: &Linked) -> Vec<Ply> {
    let mut plies = Vec::new();
    let _ = linked.legal(|ply| {
        plies.push(ply);
        ControlFlow::Continue(())
    });
    assert_eq!(linked.count_legal(), plies.len() as u64);
    plies
}

/// The legal plies of a board; none if the game has ended.
pub fn plies_on(linked: &Linked, board: usize) -> Vec<Ply> {
    let mut plies = Vec::new();
    let _ = linked.legal_on(LinkedBoard::of(board), |ply| {
        plies.push(ply);
        ControlFlow::Continue(())
    });
    if linked.end_by_itself().is_some() {
        Vec::new()
    } else {
        plies
    }
}

/// Every legal ply of every board, also after an end by counting kings.
fn listed(linked: &Linked) -> Vec<(String, char, String)> {
    let reported = |ply: Ply| {
        (
            name(ply.board()),
            letter(linked.turn(ply.board())),
            coordinates(ply).to_string(),
        )
    };
    let mut plies: Vec<_> = all_plies(linked).into_iter().map(reported).collect();
    plies.sort_by(|a, b| a.2.cmp(&b.2));
    plies
}

/// The status of a position, in the vocabulary of the naive model.
fn status(linked: &Linked) -> (&'static str, &'static str) {
    let Some(ruling) = linked.end_by_itself() else {
        return ("ongoing", "");
    };
    let word = match ruling.cause {
        Cause::Checkmate => "mate",
        Cause::AllClosed | Cause::KingsCounted => "kingscounted",
        Cause::Flag => "flag",
        other => panic!("{other:?}"),
    };
    let winner = match ruling.outcome {
        Outcome::Win(Side::White) => "w",
        Outcome::Win(Side::Black) => "b",
        Outcome::Draw => "draw",
    };
    (word, winner)
}

/// Random boards with few pieces, most of them near the shared edges; each team has a king. In some of them nothing has
/// been captured for a long time.
pub fn sparse(boards: usize, chance: &mut Chance) -> String {
    let idle = if chance.below(6) == 0 {
        140..150
    } else {
        0..30
    };
    loop {
        let fens: Vec<_> = (0..boards)
            .map(|_| sparse_board(chance, 3, idle.clone()))
            .collect();
        let has = |king: char| {
            fens.iter()
                .any(|fen| fen.split(' ').next().unwrap().contains(king))
        };
        if has('K') && has('k') {
            return fens.join(" | ");
        }
    }
}

/// A random ply: often one that mates, captures or crosses, if there is one. If a captain may have the kings
/// counted, mostly one that lets the count go on.
pub fn choose(linked: &Linked, chance: &mut Chance) -> Option<Ply> {
    let plies = all_plies(linked);
    let open = (0..linked.boards()).filter(|board| !linked.is_closed(*board));
    let least = open.map(|board| linked.halfmove(board)).min();
    let is_wanted: &dyn Fn(&Ply) -> bool = match chance.below(12) {
        3.. if linked.may_be_counted() => {
            &|ply| !linked.captures(*ply) && Some(linked.halfmove(ply.board())) == least
        }
        0..=2 => &|ply| {
            let after = linked.after(*ply);
            after.kings() != linked.kings()
                || after
                    .end_by_itself()
                    .is_some_and(|end| end.cause == Cause::Checkmate)
        },
        3 => &|ply| linked.captures(*ply),
        4 => &|ply| ply.over().is_some(),
        _ => &|_| false,
    };
    let wanted: Vec<_> = plies.iter().copied().filter(is_wanted).collect();
    chance.pick(if wanted.is_empty() { &plies } else { &wanted })
}

/// What happened in the games.
#[derive(Default, Debug)]
struct Tally {
    plies: usize,
    ends: BTreeMap<(&'static str, &'static str), usize>,
    /// Passes, crossings, captures across an edge, kings lost, closed boards, chances to count kings.
    events: [usize; 6],
}

impl Tally {
    fn note(&mut self, before: &Pair, coord: &str) {
        let ply = before.ours.by_coordinates(coord).unwrap();
        let crosses = ply.over().is_some();
        let after = before.ours.after(ply);
        let closed = (0..after.boards()).any(|board| after.is_closed(board));
        let happened = [
            ply.is_pass(),
            crosses,
            crosses && before.ours.captures(ply),
            after.kings() != before.ours.kings(),
            closed,
            after.end_by_itself().is_none() && after.may_be_counted(),
        ];
        self.plies += 1;
        self.events
            .iter_mut()
            .zip(happened)
            .for_each(|(count, happened)| *count += usize::from(happened));
    }
}

/// Plays randomly in both implementations, comparing them at every ply, until the game ends or this many plies were
/// made. After an end by counting kings a few more plies are made (GEN-6).
fn play_out(pair: &mut Pair, longest: usize, chance: &mut Chance, tally: &mut Tally) {
    let mut beyond = 0;
    for _ in 0..longest {
        let plies = pair.agrees();
        let ended = pair.ours.end_by_itself().is_some();
        beyond += usize::from(ended);
        if plies.is_empty() || beyond > 5 {
            break;
        }
        let coord = choose(&pair.ours, chance)
            .map(|ply| coordinates(ply).to_string())
            .unwrap();
        let coord = coord.as_str();
        let others = if chance.below(50) == 0 {
            &plies[..]
        } else {
            &[]
        };
        pair.is_written_alike(coord);
        others
            .iter()
            .for_each(|(_, _, other)| pair.is_written_alike(other));
        tally.note(pair, coord);
        pair.play(coord);
    }
    *tally.ends.entry(pair.theirs.status()).or_default() += 1;
}

const GAMES: usize = 100;
const LONGEST: usize = 40;

#[test]
fn random_games_of_few_pieces_are_played_alike() {
    EDITIONS.into_par_iter().for_each(|edition| {
        let (mut chance, mut tally) = (Chance::seeded(51), Tally::default());
        for _ in 0..tries(GAMES) {
            let boards = 2 + chance.below(3);
            let mut pair = Pair::read(&sparse(boards, &mut chance), edition);
            play_out(&mut pair, LONGEST, &mut chance, &mut tally);
        }
        assert!(
            tally.events.iter().all(|count| *count > 5),
            "{edition:?}: {tally:?}"
        );
        for end in ["mate", "kingscounted"] {
            assert!(
                tally.ends.keys().any(|(word, _)| *word == end),
                "{edition:?}: {end} in {tally:?}"
            );
        }
    });
}

#[test]
fn games_from_the_positions_of_the_file_are_played_alike() {
    let (mut chance, mut tally) = (Chance::seeded(52), Tally::default());
    for (edition, fen, _) in (0..tries(1)).flat_map(|_| positions()) {
        let mut pair = Pair::read(fen, edition);
        assert_eq!(pair.theirs, Naive::parse(fen, theirs(edition)));
        play_out(&mut pair, 6, &mut chance, &mut tally);
    }
    assert!(
        tally.events[..5].iter().all(|count| *count > 0),
        "{tally:?}"
    );
}

#[test]
fn games_from_the_array_are_played_alike() {
    let (mut chance, mut tally) = (Chance::seeded(53), Tally::default());
    let matches = EDITIONS.map(|edition| [(2, edition, 30), (3, edition, 20), (8, edition, 2)]);
    for (boards, edition, plies) in (0..tries(1)).flat_map(|_| matches.into_iter().flatten()) {
        let mut pair = Pair::start(boards, edition);
        // Full boards are slow to compare, so twelve plies are made between two comparisons.
        for _ in 0..plies {
            pair.agrees();
            for _ in 0..12 {
                let plies = listed(&pair.ours);
                let Some((_, _, coord)) = plies.get(chance.below(plies.len().max(1))) else {
                    break;
                };
                tally.note(&pair, coord);
                pair.play(coord);
            }
        }
        assert_eq!(fen(&pair.ours), pair.theirs.fen());
    }
    assert!(tally.plies > 1_000 && tally.events[1] > 0, "{tally:?}");
}

/// The FENs of the boards, with one side's king removed from one of them.
fn without_king(fen: &str, board: usize, side: Side) -> String {
    let king = if side == Side::White { "K" } else { "k" };
    let mut boards: Vec<String> = fen.split(" | ").map(String::from).collect();
    let (placement, rest) = boards[board].split_once(' ').unwrap();
    let ranks = placement.split('/').map(|rank| {
        let Some((left, right)) = rank.split_once(king) else {
            return rank.to_string();
        };
        // The empty square joins the empty ones beside it.
        let before = left.trim_end_matches(|c: char| c.is_ascii_digit());
        let after = right.trim_start_matches(|c: char| c.is_ascii_digit());
        let empty = |digits: &str| digits.parse().unwrap_or(0_u32);
        let count = empty(&left[before.len()..]) + 1 + empty(&right[..right.len() - after.len()]);
        format!("{before}{count}{after}")
    });
    boards[board] = format!("{} {rest}", ranks.collect::<Vec<_>>().join("/"));
    boards.join(" | ")
}

#[test]
fn many_boards_are_played_alike() {
    for (seed, edition) in
        (0..tries(1) as u64).flat_map(|run| EDITIONS.map(|edition| (54 + run, edition)))
    {
        for (boards, plies) in [(8, 12), (27, 2), (200, 1)] {
            let (mut chance, mut tally) = (Chance::seeded(seed), Tally::default());
            let mut pair = Pair::read(&sparse(boards, &mut chance), edition);
            // The naive model is slow with many kings, so most of them are removed.
            for board in 0..boards {
                for side in SIDES.into_iter().filter(|_| board % 9 > 0) {
                    if pair.ours.kings()[side] > 1 {
                        pair = Pair::read(&without_king(&fen(&pair.ours), board, side), edition);
                    }
                }
            }
            play_out(&mut pair, plies, &mut chance, &mut tally);
            assert_eq!((fen(&pair.ours), tally.plies), (pair.theirs.fen(), plies));
        }
    }
}

#[test]
fn flags_fall_alike() {
    let mut chance = Chance::seeded(56);
    let mut ends: BTreeMap<_, usize> = BTreeMap::new();
    let mut passes = 0;
    for (index, edition) in
        (0..tries(60)).flat_map(|index| EDITIONS.map(|edition| (index, edition)))
    {
        let mut pair = Pair::read(&sparse(2 + index % 2, &mut chance), edition);
        for _ in 0..5 {
            for _ in 0..chance.below(15) {
                let plies = pair.agrees();
                if plies.is_empty() || pair.ours.end_by_itself().is_some() {
                    break;
                }
                let (board, side, coord) = &plies[chance.below(plies.len())];
                let fallen = (0..3).any(|at| {
                    name(at) == *board
                        && at < pair.ours.boards()
                        && SIDES
                            .into_iter()
                            .any(|of| letter(of) == *side && pair.ours.has_fallen(at, of))
                });
                passes += usize::from(fallen);
                assert!(!fallen || coord.ends_with("--"), "{coord} in {}", pair.at());
                pair.play(coord);
            }
            if pair.ours.end_by_itself().is_some() {
                break;
            }
            let (board, side) = (chance.below(pair.ours.boards()), SIDES[chance.below(2)]);
            if pair.ours.has_fallen(board, side) {
                continue;
            }
            let (flag, theirs) = match chance.below(8) {
                0 => (FallenFlag::End, NaiveFlag::End),
                _ => (FallenFlag::King, NaiveFlag::King),
            };
            pair.ours.fall(board, side, flag);
            pair.theirs = pair.theirs.fall(letter(side), &name(board), theirs);
            assert!(pair.ours.has_fallen(board, side));
            assert_eq!(status(&pair.ours), pair.theirs.status(), "{}", pair.at());
            if pair.ours.end_by_itself().is_some() {
                assert_eq!(fen(&pair.ours), pair.theirs.fen());
                // Perft continues only after an end by counting kings (GEN-6).
                let counted = pair
                    .ours
                    .end_by_itself()
                    .is_some_and(|ruling| ruling.rule.id == "SC-28");
                assert!(counted || all_plies(&pair.ours).is_empty(), "{}", pair.at());
                break;
            }
            pair.agrees();
        }
        *ends.entry(pair.theirs.status()).or_default() += 1;
    }
    assert!(passes > 50, "{passes}");
    for end in ["flag", "kingscounted", "ongoing"] {
        assert!(ends.keys().any(|(word, _)| *word == end), "{ends:?}");
    }
}

/// After an end by counting kings perft continues (GEN-6), and plies are written as before.
#[test]
fn plies_after_a_count_of_kings_are_disambiguated_as_before() {
    let fens = "14/14/7k6/14/14/14/14/14/14/14/14/7K6/14/14 w - 150 90 | 14/14/7k6/14/14/14/14/14/14/14/14/7K6/14/14 w - 150 90";
    for edition in EDITIONS {
        let pair = Pair::read(fens, edition);
        assert_eq!(pair.agrees().len(), 16);
        assert_eq!(status(&pair.ours), ("kingscounted", "draw"));
        let ply = pair.ours.by_coordinates("A.h3h4").unwrap();
        assert_eq!(san(&pair.ours, ply).as_str(), "Kh4");
        assert_eq!(pair.ours.meant(0, &pair.ours.written(ply)).count(), 0);
    }
}

/// After a ply only the boards that it touches are judged anew, so nothing may change on any other.
#[test]
fn boards_that_a_ply_does_not_touch_stay_the_same() {
    for edition in EDITIONS {
        let mut chance = Chance::seeded(57);
        for index in 0..tries(150) {
            let mut position = read(&sparse(4 + index % 4, &mut chance), edition)
                .unwrap()
                .linked;
            for _ in 0..60 {
                let plies: Vec<_> = (0..position.boards())
                    .flat_map(|board| plies_on(&position, board))
                    .collect();
                let Some(ply) = chance.pick(&plies) else {
                    break;
                };
                let mut after = position.clone();
                after.play(ply);
                // The same position set up anew: here every board is judged.
                let Reading {
                    linked: anew,
                    lenient,
                    ..
                } = read(&fen(&after), edition).unwrap();
                let at = || format!("{} in {}", coordinates(ply), fen(&position));
                assert!(!lenient, "{}", at());
                let closed = |linked: &Linked| {
                    (0..linked.boards())
                        .map(|board| linked.is_closed(board))
                        .collect::<Vec<_>>()
                };
                assert_eq!(closed(&after), closed(&anew), "{}", at());
                assert_eq!(after.kings(), anew.kings(), "{}", at());
                // Only the kind of end: if both teams are mated, the winner depends on who made the last ply.
                let words = |linked: &Linked| status(linked).0;
                assert_eq!(words(&after), words(&anew), "{}", at());
                assert_eq!(after.may_be_counted(), anew.may_be_counted(), "{}", at());
                // What was carried over from the earlier position is still correct.
                assert_eq!(after.count_legal(), anew.count_legal(), "{}", at());
                for board in (0..after.boards()).filter(|board| !after.touched().contains(board)) {
                    let before = placement(&position, board);
                    assert_eq!(placement(&after, board), before, "{}", at());
                }
                let mut follower = position.clone();
                follower.follow(&after, after.touched());
                assert_eq!(follower, after, "{}", at());
                position = after;
            }
        }
    }
}

fn of_2025(fens: &str) -> Pair {
    Pair::read(fens, Edition::Of2025)
}

/// White's king on C is attacked from B, and only the knight's capture there saves it. That is illegal while White's
/// king on B is in check (SC-61), so a check given from A mates on C.
#[test]
fn a_ply_mates_two_boards_away() {
    let mut pair = of_2025(
        "14/14/7k6/14/14/14/14/14/13r/14/14/14/14/14 b - 0 1 | 14/14/14/14/14/14/K13/14/14/14/14/14/14/13r w - 0 1 | 14/14/14/14/14/14/14/14/14/14/14/N13/PP12/KP12 w - 0 1",
    );
    assert!(
        listed(&pair.ours)
            .iter()
            .any(|(_, _, coord)| coord == "C.a3n1/B")
    );
    pair.play("A.n6n8");
    assert_eq!(
        (pair.ours.kings(), pair.ours.king_on(2, Side::White)),
        (BySide::both(1), None)
    );
    pair.agrees();
}

/// On A and C every square is occupied and neither side has a move; on B both players' flags fall, and then neither has
/// one there (SC-32, SC-35): kings are counted.
#[test]
fn the_game_ends_when_all_boards_are_closed() {
    let full = |kings: [char; 2]| {
        let (rest, row) = (["PPPPPPPPPPPPPP"; 6].join("/"), "pppppppppppppp");
        let [white, black] = kings;
        format!(
            "PPPPPPP{white}PPPPPP/{rest}/{}/ppppppp{black}pppppp w - 7 9",
            [row; 6].join("/")
        )
    };
    let columns = format!(
        "{}/{} w - 7 9",
        ["P12P"; 7].join("/"),
        ["p12p"; 7].join("/")
    );
    for (edition, (white, winner)) in EDITIONS
        .into_iter()
        .flat_map(|edition| [('K', "draw"), ('P', "b")].map(|game| (edition, game)))
    {
        let fens = format!("{} | {columns} | {}", full(['K', 'k']), full([white, 'k']));
        let mut pair = Pair::read(&fens, edition);
        assert_eq!(
            pair.agrees()
                .iter()
                .filter(|(board, ..)| board != "B")
                .count(),
            0
        );
        for (side, word) in SIDES.into_iter().zip(["ongoing", "kingscounted"]) {
            pair.ours.fall(1, side, FallenFlag::King);
            pair.theirs = pair.theirs.fall(letter(side), "B", NaiveFlag::King);
            pair.agrees();
            assert_eq!(status(&pair.ours).0, word);
        }
        assert_eq!(status(&pair.ours), ("kingscounted", winner));
        assert_eq!(pair.ours.end_by_itself().unwrap().cause, Cause::AllClosed);
    }
}

/// SC-34: a capture resets every count, that of its own board, too; in 2025 a crossing counts on both boards.
#[test]
fn a_capture_resets_all_counts() {
    let text = "14/14/7k6/14/14/14/14/14/14/14/4p9/4R2K6/14/14 w - 30 9 | 14/14/7k6/14/14/14/14/14/14/14/14/p6K6/14/14 w - 40 9";
    for (edition, coord, counts) in EDITIONS
        .into_iter()
        .flat_map(|edition| [(edition, "A.e3e4", [0, 0]), (edition, "A.h3h2", [31, 40])])
    {
        let mut pair = Pair::read(text, edition);
        pair.play(coord);
        assert_eq!(
            [0, 1].map(|board| pair.ours.halfmove(board)),
            counts,
            "{edition:?} {coord}"
        );
        pair.agrees();
    }
    let across = "14/14/7k6/14/14/14/14/14/14/14/14/13R/7K6/14 w - 30 9 | 14/14/7k6/14/14/14/14/14/14/14/14/p6K6/14/14 w - 40 9";
    for edition in EDITIONS {
        let mut pair = Pair::read(across, edition);
        pair.play("A.n3a3/B");
        assert_eq!(
            [0, 1].map(|board| pair.ours.halfmove(board)),
            [0, 0],
            "{edition:?}"
        );
        pair.agrees();
    }
    let mut both = of_2025(&across.replace("p6K6", "7K6"));
    both.play("A.n3a3/B");
    assert_eq!([0, 1].map(|board| both.ours.halfmove(board)), [31, 41]);
}

/// The legal moves of a board as the naive model lists them, and whether a pass is legal.
fn acts(pair: &Pair, board: usize) -> (Vec<NaiveMove>, bool) {
    let scenes: Vec<_> = fen(&pair.ours).split(" | ").map(Scene::of).collect();
    let mut passes = false;
    let mut acts = Vec::new();
    for (_, _, coordinates) in pair
        .theirs
        .moves()
        .into_iter()
        .filter(|(on, ..)| *on == name(board))
    {
        let (_, text) = coordinates.split_once('.').unwrap();
        if text == "--" {
            passes = true;
            continue;
        }
        let (squares, over) = text
            .split_once('/')
            .map_or((text, None), |(squares, over)| (squares, Some(over)));
        let (from, to) = two_squares(squares);
        let arrives = over.map_or(board, |over| {
            (0..scenes.len()).find(|at| name(*at) == over).unwrap()
        });
        let arrival = over.map_or(Arrival::Here, |_| Arrival::Beside(arrives as u16));
        let role = scenes[board].on(from).unwrap().role;
        let captures = scenes[arrives].on(to).is_some();
        acts.push(NaiveMove {
            coordinates,
            from,
            to,
            arrival,
            role,
            captures,
        });
    }
    (acts, passes)
}

/// A pattern: that of a legal move with something changed, or an arbitrary one.
fn pattern(legal: &[NaiveMove], boards: usize, chance: &mut Chance) -> Pattern {
    let any = |chance: &mut Chance| Square::new(chance.below(14) as u8, chance.below(14) as u8);
    let arrival = |chance: &mut Chance| match chance.below(3) {
        0 => Arrival::Here,
        _ => Arrival::Beside(chance.below(boards + 1) as u16),
    };
    let hint = |at: u8, chance: &mut Chance| match chance.below(4) {
        0 => Some(at),
        1 => Some(chance.below(14) as u8),
        _ => None,
    };
    let (role, from, to, over, captures) = match legal.get(chance.below(legal.len().max(1))) {
        Some(act) if chance.below(4) > 0 => (act.role, act.from, act.to, act.arrival, act.captures),
        _ => (
            ROLES[chance.below(6)],
            any(chance),
            any(chance),
            arrival(chance),
            chance.below(2) == 0,
        ),
    };
    let mut pattern = Pattern {
        role,
        file: hint(from.file, chance),
        rank: hint(from.rank, chance),
        capture: captures,
        to,
        promotion: None,
        arrival: over,
    };
    match chance.below(10) {
        0 => pattern.to = any(chance),
        1 => pattern.role = ROLES[chance.below(6)],
        2 => pattern.capture = !captures,
        3 => pattern.arrival = arrival(chance),
        4 => pattern.to.rank = (to.rank + 13 + chance.below(3) as u8) % 14,
        5 if chance.below(4) == 0 => pattern.promotion = Some(Role::Queen),
        _ => {}
    }
    pattern
}

/// A pattern is found exactly as the naive model says; otherwise it is refused. Returns the rule of the refusal.
fn is_judged(
    pair: &Pair,
    board: usize,
    written: &Written,
    meant: &[&NaiveMove],
) -> Option<&'static str> {
    let at = || format!("{written:?} on {} of {}", name(board), pair.at());
    let mut found: Vec<_> = pair
        .ours
        .meant(board, written)
        .map(|ply| coordinates(ply).to_string())
        .collect();
    let mut right: Vec<_> = meant.iter().map(|act| act.coordinates.clone()).collect();
    found.sort();
    right.sort();
    assert_eq!(found, right, "{}", at());
    if found.len() == 1 {
        return None;
    }
    let refusal = pair.ours.refuse(board, written);
    let words = &refusal.words;
    assert!(
        !words.is_empty() && words.trim() == words && !words.contains("  "),
        "{}: {words}",
        at()
    );
    let legal = plies_on(&pair.ours, board);
    assert!(
        refusal.possible.iter().all(|ply| legal.contains(ply)),
        "{}",
        at()
    );
    assert!(legal.is_empty() || !refusal.possible.is_empty(), "{}", at());
    assert!(
        found.is_empty() || refusal.rule.id == "CH-20",
        "{}: {words}",
        at()
    );
    Some(refusal.rule.id)
}

/// The text of every listed ply means that ply alone.
fn are_found_again(pair: &Pair, board: usize) {
    let mut texts = BTreeSet::new();
    let mut count = 0;
    plies_on(&pair.ours, board).into_iter().for_each(|ply| {
        let written = pair.ours.written(ply);
        let meant: Vec<Ply> = pair.ours.meant(board, &written).collect();
        let text = san(&pair.ours, ply);
        let at = || format!("{text} of {}", pair.at());
        assert_eq!(meant, [ply], "{}", at());
        let read = San::parse(text.as_bytes(), &LINKED).unwrap();
        assert_eq!((read.written, read.leniency), (written, None), "{}", at());
        for spelling in [
            coordinates(ply).to_string(),
            coordinates(ply).to_lowercase(),
        ] {
            assert_eq!(pair.ours.by_coordinates(&spelling), Some(ply), "{}", at());
        }
        texts.insert(text.to_string());
        count += 1;
    });
    assert_eq!(texts.len(), count, "{}", pair.at());
}

#[test]
fn a_written_move_is_either_listed_or_refused_by_a_rule() {
    let mut chance = Chance::seeded(58);
    let mut cited: BTreeMap<_, usize> = BTreeMap::new();
    for (index, edition) in
        (0..tries(120)).flat_map(|index| EDITIONS.map(|edition| (index, edition)))
    {
        let mut pair = match index % 5 {
            0 => Pair::start(2, edition),
            _ => Pair::read(&sparse(2 + index % 3, &mut chance), edition),
        };
        for _ in 0..chance.below(40) {
            let ply = if pair.ours.end_by_itself().is_some() {
                None
            } else {
                choose(&pair.ours, &mut chance)
            };
            let Some(ply) = ply else { break };
            pair.ours.play(ply);
        }
        pair.theirs = Naive::parse(&fen(&pair.ours), theirs(edition));
        let ended = pair.ours.end_by_itself().is_some();
        for board in 0..pair.ours.boards() {
            are_found_again(&pair, board);
            let (legal, passes) = acts(&pair, board);
            // Patterns also come from moves that would be legal in the other edition.
            let other = Pair {
                theirs: Naive::parse(&fen(&pair.ours), NaiveEdition::Of2003),
                ..pair.clone()
            };
            let (mut likely, _) = acts(&other, board);
            likely.extend(acts(&pair, board).0);
            assert_eq!(pair.ours.may_pass(board), passes && !ended);
            for _ in 0..150 {
                let pattern = pattern(&likely, pair.ours.boards(), &mut chance);
                let meant: Vec<_> = legal
                    .iter()
                    .filter(|act| !ended && act.is_meant_by(&pattern))
                    .collect();
                if let Some(rule) = is_judged(&pair, board, &Written::Move(pattern), &meant) {
                    *cited.entry(rule).or_default() += 1;
                }
            }
            let to = chance.pick(&squares().collect::<Vec<_>>()).unwrap();
            for other in [
                Written::Castle(Wing::QueenSide),
                Written::Drop {
                    role: Role::Queen,
                    to,
                },
                Written::PromotedDrop {
                    role: Role::Pawn,
                    to,
                },
            ] {
                let rule = is_judged(&pair, board, &other, &[]).unwrap();
                let known = if matches!(other, Written::Castle(_)) {
                    "SC-9"
                } else {
                    "CH-1"
                };
                assert!(
                    rule == known || ended || pair.ours.is_closed(board),
                    "{rule} for {other:?}"
                );
            }
            if !pair.ours.may_pass(board) {
                let refusal = pair.ours.refuse(board, &Written::Pass);
                let rule = if ended {
                    "GEN-2"
                } else if pair.ours.is_closed(board) {
                    "SC-32"
                } else {
                    "SC-27"
                };
                assert_eq!(refusal.rule.id, rule, "{}", pair.at());
            }
        }
    }
    for rule in [
        "CH-1", "CH-2", "CH-20", "GEN-2", "SC-21", "SC-21a", "SC-22", "SC-25", "SC-32", "SC-60",
        "SC-61", "SC-62", "SC-63", "SC-7",
    ] {
        assert!(cited.contains_key(rule), "{rule} in {cited:?}");
    }
}

/// A king that is mated where the boards are set up is removed; the text counts as valid.
#[test]
fn a_king_that_is_mated_in_the_set_up_is_removed_and_reported() {
    let mated = "R6k6/R13/14/2p11/14/14/14/14/14/14/14/7K6/14/14 b c 0 1";
    let other = "14/14/7k6/14/14/14/14/14/14/14/14/7K6/14/14 w - 0 1";
    let of = |boards: &str, edition| read(boards, edition).unwrap();
    let both = format!("{mated} | {other}");
    let Reading {
        linked,
        lenient,
        mated: gone,
    } = of(&both, Edition::Of2025);
    assert_eq!(
        (linked.kings(), lenient, gone),
        (BySide::new(2, 1), false, vec![(0, Side::Black)])
    );
    assert!(of(&both.replace(" | ", "|"), Edition::Of2025).lenient);
    // In the edition of 2003 it may be captured, so it stays.
    let Reading {
        linked,
        lenient,
        mated: gone,
    } = of(&both, Edition::Of2003);
    assert_eq!(
        (linked.kings(), lenient, gone),
        (BySide::both(2), false, vec![])
    );
}

#[test]
fn the_status_is_check_if_a_king_must_be_saved() {
    let status = |boards: &str, edition| status_of(&read(boards, edition).unwrap().linked).word;
    let attacked = "7k6/14/14/14/14/14/14/14/14/14/14/7K6/14/7R6 b - 0 1";
    let alone = "14/14/14/14/14/14/14/14/14/14/14/7K6/14/14 w - 0 1";
    let beside = "7k6/14/14/14/14/14/14/14/14/14/14/7K6/14/14 w - 0 1";
    let wait = "7k6/14/14/14/14/14/14/14/14/14/14/K13/14/7R6 w - 0 1";
    for (boards, expected) in [
        (
            format!("{} | {alone}", attacked.replace("7K6", "K13")),
            ["check", "check"],
        ),
        // White has another king, so this one may be left to be captured in 2003.
        (
            format!("{} | {beside}", attacked.replace("7K6", "K13")),
            ["ongoing", "check"],
        ),
        // The attacker is to move.
        (format!("{wait} | {alone}"), ["ongoing", "ongoing"]),
        (format!("{attacked} | {alone}"), ["ongoing", "ongoing"]),
    ] {
        let found = EDITIONS.map(|edition| status(&boards, edition));
        assert_eq!(found, expected, "{boards}");
    }
}
