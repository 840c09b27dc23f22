//! One board: positions, games, texts, repetition and counters.

use super::{NaiveMove, ROLES, Scene, reported, sparse_board, squares, two_squares};
use crate::{
    chance::Chance,
    depth::tries,
    flat::{self, at, listed},
    naive::strategichess::One as Naive,
    text::judge,
};
use overboard_formats::san::{STRATEGI, San};
use overboard_games::{
    one_board::notation::BoardNotation,
    strategichess::{Move, Strategi},
};
use overboard_referee::{finding::Verdict, game::position::ReadPosition, report::Report};
use overboard_rules::{
    game::Claimable,
    outcome::{Cause, Outcome, Ruling},
    ply::{Arrival, Pattern, Wing, Written},
    position::{DrawLaw, Found, Movegen},
    repetition::History,
    square::{Piece, Role, Side, Square},
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The initial position (SC-2).
const ARRAY: &str = "14/14/rnbbnrqkrnbbnr/pppppppppppppp/14/14/14/14/14/14/PPPPPPPPPPPPPP/RNBBNRQKRNBBNR/14/14 w ABCDEFGHIJKLMNabcdefghijklmn 0 1";

/// The positions of the file: each FEN with its node counts from depth 1 on, up to 3.
const POSITIONS: &str = include_str!("../naive/positions/strategichess.txt");

fn positions() -> impl Iterator<Item = (&'static str, Vec<u64>)> {
    flat::positions(POSITIONS)
}

/// A random position with few pieces.
fn sparse(chance: &mut Chance) -> String {
    let idle = if chance.below(4) == 0 { 90..150 } else { 0..30 };
    loop {
        let fen = sparse_board(chance, 1, idle.clone());
        if Strategi::read(&fen).is_ok_and(|read| read.doubts.is_empty()) {
            return fen;
        }
    }
}

/// Where the next game starts: the array, a position of the file, or one with few pieces.
fn start(index: usize, chance: &mut Chance) -> String {
    match index % 4 {
        0 => ARRAY.into(),
        1 => positions()
            .nth(index / 4 % positions().count())
            .unwrap()
            .0
            .into(),
        _ => sparse(chance),
    }
}

fn ours(fen: &str) -> Strategi {
    Strategi::read(fen).unwrap().position
}

#[test]
fn lines_are_counted_as_the_naive_model_counts_them() {
    assert_eq!(Strategi::default().fen(), ARRAY);
    let all = flat::are_counted_alike::<Strategi>(POSITIONS);
    assert_eq!(all, 91);
}

/// The status of a position, in the vocabulary of the naive model.
fn status(position: &Strategi) -> &'static str {
    let ending = position
        .end_by_itself()
        .map(|ruling| (ruling.cause, ruling.outcome, ruling.rule.id));
    match (ending, position.in_check()) {
        (Some((Cause::Checkmate, Outcome::Win(winner), "SC-10")), true)
            if winner != position.turn() =>
        {
            "mate"
        }
        (Some((Cause::Stalemate, Outcome::Draw, "SC-10")), false) => "stalemate",
        (Some((Cause::DeadPosition, Outcome::Draw, "SC-11")), _) => "dead",
        (Some((Cause::SeventyFiveMoves, Outcome::Draw, "SC-11")), _) => "seventyfive",
        (None, true) => "check",
        (None, false) => "ongoing",
        (other, check) => panic!("{other:?} and check {check} in {}", position.fen()),
    }
}

const GAMES: usize = 140;
const LONGEST: usize = 100;

/// Perft continues after a dead position and after seventy-five moves (GEN-6), and so do these games.
#[test]
fn random_games_are_played_alike() {
    let mut chance = Chance::seeded(41);
    let mut stood: BTreeMap<_, u32> = BTreeMap::new();
    for index in 0..tries(GAMES) {
        let start = start(index, &mut chance);
        let few = index % 4 > 1;
        let (mut ours, mut theirs) = (ours(&start), Naive::parse(&start));
        for _ in 0..if few { LONGEST } else { LONGEST / 5 } {
            let moves = theirs.moves();
            flat::are_listed_alike(&ours, &moves);
            assert_eq!(ours.fen(), theirs.fen());
            assert_eq!(ours.in_check(), theirs.in_check(), "{}", theirs.fen());
            let status = status(&ours);
            assert_eq!(status, theirs.status(), "{}", theirs.fen());
            *stood.entry(status).or_default() += 1;
            let Some(chosen) = (!moves.is_empty()).then(|| &moves[chance.below(moves.len())])
            else {
                break;
            };
            let all = chance.below(if few { 30 } else { 400 }) == 0;
            let written = if all {
                &moves[..]
            } else {
                std::slice::from_ref(chosen)
            };
            flat::are_written_alike(&ours, written, |coordinates| theirs.san(coordinates));
            ours.play(at(&ours, chosen));
            theirs = theirs.play(chosen);
        }
    }
    let all = [
        "mate",
        "stalemate",
        "dead",
        "seventyfive",
        "check",
        "ongoing",
    ];
    assert!(
        all.iter().all(|status| stood.contains_key(status)),
        "{stood:?}"
    );
}

/// The legal moves as the naive model lists them.
fn acts(naive: &Naive, scene: &Scene) -> Vec<NaiveMove> {
    let act = |coordinates: String| {
        let (from, to) = two_squares(&coordinates);
        let (role, captures) = (scene.on(from).unwrap().role, scene.on(to).is_some());
        NaiveMove {
            coordinates,
            from,
            to,
            arrival: Arrival::Here,
            role,
            captures,
        }
    };
    naive.moves().into_iter().map(act).collect()
}

/// A position in which many ways to write moves are judged.
struct JudgedPosition<'a> {
    position: &'a Strategi,
    fen: String,
    scene: Scene,
}

impl JudgedPosition<'_> {
    /// The pattern is found and means exactly the given moves, or it is refused; returns the rule of the refusal.
    fn judge(&self, written: &Written, meant: &[&NaiveMove]) -> Option<&'static str> {
        let coordinates: Vec<_> = meant.iter().map(|act| &*act.coordinates).collect();
        let refusal = flat::refusal(self.position, written, &coordinates)?;
        let at = || format!("{written:?} in {}: {refusal}", self.fen);
        if let Some(rule) = self.rule_at_a_glance(written, meant.len()) {
            assert_eq!(refusal.rule().id, rule, "{}", at());
        }
        let possible = refusal.possible(self.position);
        assert!(
            possible.iter().all(|m| listed(self.position).contains(m)),
            "{}",
            at()
        );
        Some(refusal.rule().id)
    }

    /// The rule that a refusal must cite, where the position alone determines it.
    fn rule_at_a_glance(&self, written: &Written, meant: usize) -> Option<&'static str> {
        if self.position.end_by_itself().is_some() {
            return Some("GEN-2");
        }
        match written {
            Written::Pass | Written::Drop { .. } | Written::PromotedDrop { .. } => Some("CH-1"),
            Written::Castle(_) => Some("SC-9"),
            Written::Move(pattern) => match self.scene.on(pattern.to) {
                Some(piece) if piece.side == self.scene.mover => {
                    Some(flat::rule_of_own_piece(self.position, pattern))
                }
                Some(Piece {
                    role: Role::King, ..
                }) => Some("CH-3"),
                _ if pattern.promotion.is_some() => Some("SC-7"),
                _ => (meant > 1).then_some("CH-20"),
            },
        }
    }
}

/// Ways to write a move of a kind of piece to a square: without an origin, and with three likely ones.
fn patterns(role: Role, to: Square, chance: &mut Chance) -> Vec<Pattern> {
    let near = |at: u8, chance: &mut Chance| (at + 13 + chance.below(3) as u8) % 14;
    let bare = Pattern {
        role,
        file: None,
        rank: None,
        capture: false,
        to,
        promotion: None,
        arrival: Arrival::Here,
    };
    let by_file = Pattern {
        file: Some(near(to.file, chance)),
        ..bare
    };
    let by_rank = Pattern {
        rank: Some(near(to.rank, chance)),
        ..bare
    };
    let by_both = Pattern {
        rank: Some(chance.below(14) as u8),
        ..by_file
    };
    let mut patterns = vec![bare, by_file, by_rank, by_both];
    let taking = |pattern: &Pattern| Pattern {
        capture: true,
        ..*pattern
    };
    patterns.extend(patterns.clone().iter().map(taking));
    if chance.below(10) == 0 {
        patterns.push(Pattern {
            promotion: Some(Role::Queen),
            ..bare
        });
    }
    patterns
}

/// Every position of the file, and random ones, with 1,176 combinations of piece and target in each.
#[test]
fn a_written_move_is_either_listed_or_refused_by_a_rule() {
    let mut chance = Chance::seeded(42);
    let mut cited = BTreeSet::new();
    let mut judged = 0;
    for index in 0..tries(SCATTERED) {
        // First a position in which orthodox chess would allow en passant.
        let first = if index == 0 {
            PASSING.into()
        } else {
            start(index, &mut chance)
        };
        let mut position = ours(&first);
        for _ in 0..if index == 0 { 0 } else { chance.below(40) } {
            let Some(m) = chance.pick(&listed(&position)) else {
                break;
            };
            position.play(m);
        }
        let fen = position.fen();
        let naive = Naive::parse(&fen);
        let scene = Scene::of(&fen);
        let legal = acts(&naive, &scene);
        let judged_position = JudgedPosition {
            position: &position,
            fen,
            scene,
        };
        for (role, to) in ROLES
            .into_iter()
            .flat_map(|role| squares().map(move |to| (role, to)))
        {
            let near: Vec<_> = legal
                .iter()
                .filter(|act| (act.role, act.to) == (role, to))
                .collect();
            // Most targets that no similar move can reach are refused alike, so a few are enough.
            if near.is_empty() && index > 0 && chance.below(4) > 0 {
                continue;
            }
            for pattern in patterns(role, to, &mut chance) {
                let meant: Vec<_> = near
                    .iter()
                    .copied()
                    .filter(|act| act.is_meant_by(&pattern))
                    .collect();
                cited.extend(judged_position.judge(&Written::Move(pattern), &meant));
                judged += 1;
            }
        }
        let to = Square::new(4, 4);
        let (castle, drop) = (
            Written::Castle(Wing::KingSide),
            Written::Drop {
                role: Role::Rook,
                to,
            },
        );
        for other in [
            castle,
            drop,
            Written::PromotedDrop {
                role: Role::Pawn,
                to,
            },
            Written::Pass,
        ] {
            cited.extend(judged_position.judge(&other, &[]));
        }
    }
    assert!(judged > 80_000, "{judged}");
    let laws = [
        "CH-1", "CH-13", "CH-15", "CH-2", "CH-20", "CH-3", "CH-4", "CH-5", "CH-6", "CH-7", "CH-8",
        "GEN-2", "SC-5", "SC-5a", "SC-6", "SC-6a", "SC-6b", "SC-7", "SC-8", "SC-9",
    ];
    assert_eq!(cited.into_iter().collect::<Vec<_>>(), laws);
}

const SCATTERED: usize = 40;
const PASSING: &str = "14/14/7k6/14/14/14/3Pp9/14/14/14/14/7K6/14/14 w - 0 1";

#[test]
fn a_ply_and_a_position_are_written_and_read_alike() {
    let mut chance = Chance::seeded(43);
    let mut plies = 0;
    for index in 0.. {
        let mut position = ours(&start(index, &mut chance));
        for _ in 0..LONGEST {
            let Some(m) = chance.pick(&listed(&position)) else {
                break;
            };
            let after = position.after(m);
            let text = position.san(m);
            let in_position = || format!("{text} in {}", position.fen());
            let san = San::parse(text.as_bytes(), &STRATEGI).unwrap();
            assert_eq!(
                (san.suffix, san.leniency),
                (after.suffix(), None),
                "{}",
                in_position()
            );
            assert_eq!(
                position.find(&san.written),
                Found::One(m),
                "{}",
                in_position()
            );
            let coordinates = position.coordinates(m);
            for spelling in [coordinates.to_string(), coordinates.to_uppercase()] {
                assert_eq!(
                    position.at(&spelling),
                    Some(m),
                    "{spelling} in {}",
                    position.fen()
                );
            }
            let fen = after.fen();
            assert_eq!(
                Strategi::read(&fen),
                Ok(ReadPosition::of(after.clone(), false)),
                "{fen}"
            );
            position = after;
            plies += 1;
        }
        if plies > tries(30_000) {
            break;
        }
    }
}

/// What repetition compares: placement, side to move, unmoved pawns.
fn compared(fen: &str) -> String {
    fen.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// A random walk that often goes back.
struct RandomWalk {
    position: Strategi,
    /// The last move of each side.
    last: [Option<Move>; 2],
}

impl RandomWalk {
    /// The next move, if there is one.
    fn choose(&self, chance: &mut Chance) -> Option<Move> {
        let moves = listed(&self.position);
        let last = self.last[self.position.turn() as usize];
        let undo = moves
            .iter()
            .find(|m| last.is_some_and(|last| m.from() == last.to() && last.from() == m.to()));
        match undo {
            Some(undo) if chance.below(10) < 8 => Some(*undo),
            _ => chance.pick(&moves),
        }
    }

    fn play(&mut self, m: Move) {
        self.last[self.position.turn() as usize] = Some(m);
        self.position.play(m);
    }
}

#[test]
fn repetition_is_counted_as_a_naive_count_does() {
    let mut chance = Chance::seeded(44);
    let mut ends: HashMap<_, u32> = HashMap::new();
    for index in 0..tries(120) {
        let start = start(index, &mut chance);
        let mut walk = RandomWalk {
            position: ours(&start),
            last: [None; 2],
        };
        let mut history = History::default();
        history.start(walk.position.repetition_key(), walk.position.snapshot());
        let mut seen = HashMap::from([(compared(&start), 1)]);
        for _ in 0..300 {
            let Some(m) = walk.choose(&mut chance) else {
                break;
            };
            let irreversible = walk.position.is_irreversible(m);
            walk.play(m);
            let fen = walk.position.fen();
            let times = seen.entry(compared(&fen)).or_default();
            *times += 1;
            let recurrence = history.reach(
                walk.position.repetition_key(),
                walk.position.snapshot(),
                irreversible,
            );
            assert_eq!(
                (
                    recurrence.now,
                    history.count(walk.position.repetition_key(), &walk.position.snapshot())
                ),
                (*times, *times),
                "{start}: {fen}"
            );
            let idle: u32 = fen.split(' ').nth(3).unwrap().parse().unwrap();
            assert_eq!(
                walk.position.claimable(*times),
                Claimable {
                    repetition: *times >= 3,
                    progress: idle >= 100
                },
                "{fen}"
            );
            let ruling = walk
                .position
                .end_by_record(*times, history.since(recurrence));
            let end = ruling.map(
                |Ruling {
                     outcome,
                     cause,
                     rule,
                 }| (outcome, cause, rule.id),
            );
            let drawn = |cause| Some((Outcome::Draw, cause, "SC-11"));
            let right = match Naive::parse(&fen).status() {
                "mate" | "stalemate" => break,
                "dead" => drawn(Cause::DeadPosition),
                "seventyfive" => drawn(Cause::SeventyFiveMoves),
                _ if *times >= 5 => drawn(Cause::Fivefold),
                _ => None,
            };
            assert_eq!(end, right, "{times} times {fen}");
            *ends.entry(end.map(|(_, cause, _)| cause)).or_default() += 1;
        }
    }
    let often = |cause| ends.get(&Some(cause)).is_some_and(|count| *count >= 50);
    assert!(
        often(Cause::Fivefold) && often(Cause::DeadPosition) && often(Cause::SeventyFiveMoves),
        "{ends:?}"
    );
}

/// A record of moves separated by spaces; move numbers are added.
fn record(fen: &str, moves: &str, result: &str) -> String {
    let mut text = format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"{result}\"]\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n[Variant \"StrategiChess\"]\n\n"
    );
    let (start, first) = (
        usize::from(fen.contains(" b ")),
        fen.rsplit(' ').next().unwrap(),
    );
    for (index, word) in (start..).zip(moves.split_ascii_whitespace()) {
        let number = first.parse::<usize>().unwrap() + index / 2;
        match index % 2 {
            0 => text += &format!("{number}. "),
            _ if index == start => text += &format!("{number}... "),
            _ => {}
        }
        text += &format!("{word} ");
    }
    text + result + "\n"
}

/// The report on a record of one game.
fn report(text: &str) -> Report {
    let mut reports = judge(text.as_bytes());
    assert_eq!(reports.len(), 1);
    reports.remove(0)
}

/// The plies after which a claim is correct, according to the referee.
fn right_claims(fen: &str, moves: &str, claim: &str) -> Vec<usize> {
    let words: Vec<_> = moves.split_ascii_whitespace().collect();
    let is_right = |count: &usize| {
        let played = words[..*count].join(" ");
        let text = record(fen, &played, "1/2-1/2")
            .replace(" 1/2-1/2\n", &format!(" {{[%claim {claim}]}} 1/2-1/2\n"));
        let report = report(&text);
        match report.verdict {
            Verdict::Clean => {
                assert_eq!(report.result.judged, Some(Outcome::Draw), "{text}");
                assert_eq!(
                    (reported(&report), report.result.rule.map(|rule| rule.id)),
                    (vec![], Some("SC-11"))
                );
                true
            }
            _ => {
                let wrong = [
                    ("wrong-claim", Some("SC-11")),
                    ("wrong-result", Some("SC-11")),
                ];
                assert_eq!(reported(&report), wrong, "{text}");
                false
            }
        }
    };
    (1..=words.len()).filter(is_right).collect()
}

/// Asserts that the game ends by itself with the last move, and not before.
fn ends_drawn(fen: &str, moves: &str, next: &str) {
    let clean = report(&record(fen, moves, "1/2-1/2"));
    assert_eq!(
        (reported(&clean), clean.verdict),
        (vec![], Verdict::Clean),
        "{moves}"
    );
    assert_eq!(
        (clean.result.judged, clean.result.rule.map(|rule| rule.id)),
        (Some(Outcome::Draw), Some("SC-11"))
    );
    for wrong in ["1-0", "0-1"] {
        let report = report(&record(fen, moves, wrong));
        assert_eq!(
            reported(&report),
            [("wrong-result", Some("SC-11"))],
            "{moves} {wrong}"
        );
    }
    let beyond = report(&record(fen, &format!("{moves} {next}"), "1/2-1/2"));
    assert_eq!(
        reported(&beyond),
        [("move-after-end", Some("GEN-2"))],
        "{moves} {next}"
    );
    let earlier = moves.rsplit_once(' ').map_or("", |(earlier, _)| earlier);
    let open = report(&record(fen, earlier, "*"));
    assert_eq!(
        (reported(&open), open.result.judged),
        (vec![], None),
        "{earlier}"
    );
}

/// Kings on h3 and h12, a white pawn on e4, and a black one on b9 that has moved.
fn pawns(rest: &str) -> String {
    format!("14/14/7k6/14/14/1p12/14/14/14/14/4P9/7K6/14/14 {rest}")
}

#[test]
fn positions_with_moved_pawns_can_repeat() {
    // The initial position recurs after plies 4 and 8; from ply 9 on, the positions after plies 1 and following recur,
    // too.
    let round = "e5 Kg12 e4 Kh12";
    let moves = [round; 4].join(" ");
    let (before, _) = moves.rsplit_once(' ').unwrap();
    assert_eq!(
        right_claims(&pawns("w - 0 1"), before, "threefold"),
        [8, 9, 10, 11, 12, 13, 14, 15]
    );
    // The fifth occurrence ends the game without a claim: the initial position, after plies 4, 8, 12 and 16.
    let claimed = record(&pawns("w - 0 1"), &moves, "1/2-1/2");
    let claimed = claimed.replace(" 1/2-1/2\n", " {[%claim threefold]} 1/2-1/2\n");
    assert_eq!(reported(&report(&claimed)), [("after-end", Some("GEN-2"))]);
    ends_drawn(&pawns("w - 0 1"), &moves, "e5");
    // Pawns of both sides, one step forward and one back.
    let both = "e5 b8 e4 b9";
    assert_eq!(
        right_claims(&pawns("w - 0 1"), &[both; 2].join(" "), "threefold"),
        [8]
    );
    // Along a road, and back.
    let road = "14/14/7k6/14/14/1p12/14/4P9/14/14/14/7K6/14/14 w - 0 1";
    assert_eq!(
        right_claims(road, &["f7 Kg12 e7 Kh12"; 2].join(" "), "threefold"),
        [8]
    );
}

#[test]
fn an_unmoved_pawn_makes_a_different_position() {
    // The initial position never recurs, as its pawn has moved; that after ply 1 (e5) recurs after plies 5 and 9.
    let moves = ["e5 Kg12 e4 Kh12"; 3].join(" ");
    assert_eq!(
        right_claims(&pawns("w E 0 1"), &moves, "threefold"),
        [9, 10, 11, 12]
    );
}

#[test]
fn a_different_side_to_move_makes_a_different_position() {
    // White loses a tempo with the king: the pieces stand as at the start after ply 5 with Black to move, and after ply
    // 10 with White to move again.
    let round = "Kg3 Kg12 Kg2 Kh12 Kh3 Kg12 Kg3 Kg13 Kh3 Kh12";
    assert_eq!(right_claims(&pawns("w - 0 1"), round, "threefold"), [0; 0]);
    // So the initial position occurs for the third time after ply 20.
    assert_eq!(
        right_claims(&pawns("w - 0 1"), &[round; 2].join(" "), "threefold").last(),
        Some(&20)
    );
}

#[test]
fn fifty_moves_count_captures_only() {
    // Pawn moves count, too: the fourth ply is the hundredth.
    let moves = "e5 b8 e6 b7 e7 b6";
    assert_eq!(right_claims(&pawns("w - 96 60"), moves, "fifty"), [4, 5, 6]);
    assert_eq!(
        right_claims(&pawns("w E 96 60"), "e7 b8 e8 b7", "fifty"),
        [4]
    );
    // A capture resets the count.
    let taking = "13r/14/7k6/14/14/14/14/5p8/4P9/14/14/7K6/14/R13 w - 98 60";
    assert_eq!(right_claims(taking, "exf7 Kg12 f8 Kh12", "fifty"), [0; 0]);
    assert_eq!(right_claims(taking, "Ra4 Kg12 exf7 Kh12", "fifty"), [2]);
}

#[test]
fn seventy_five_moves_end_the_game() {
    ends_drawn(&pawns("w - 146 90"), "e5 b8 e6 b7", "e7");
    ends_drawn(&pawns("b - 149 90"), "b8", "e5");
    // Mate comes first (GEN-7), and a capture at the last moment resets the count.
    let mate = "k13/14/1K12/14/14/14/14/14/14/14/14/14/14/7R6 w - 149 90";
    let report_of = |moves: &str, result| report(&record(mate, moves, result));
    let mated = report_of("Rh14#", "1-0");
    assert_eq!(
        (reported(&mated), mated.result.rule.map(|rule| rule.id)),
        (vec![], Some("SC-10"))
    );
    let taking = "13r/14/7k6/14/14/14/14/5p8/4P9/14/14/7K6/14/R13 w - 149 60";
    let open = report(&record(taking, "exf7 Kg12", "*"));
    assert_eq!((reported(&open), open.result.judged), (vec![], None));
    assert_eq!(open.verdict, Verdict::Clean);
    assert_eq!(ours(taking).turn(), Side::White);
}
