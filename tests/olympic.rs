//! Olympic Chess, compared with the naive model and with counts made by hand.

use crate::{
    chance::Chance,
    depth::tries,
    flat::{self, at, listed},
    naive::olympic::Naive,
    text::{canonical, judge},
};
use overboard_formats::san::{Leniency, OLYMPIC, San, Spelt, Suffix};
use overboard_games::{
    olympic::{Move, Olympic},
    one_board::{OneBoard, notation::BoardNotation},
};
use overboard_referee::{
    finding::{Finding, Severity, Verdict},
    game::position::{PositionError, ReadPosition},
    report::Report,
};
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    perft::perft,
    ply::{Arrival, Pattern, Wing, Written},
    position::{DrawLaw, Found, Movegen},
    refusal::{Reason, Refusal},
    repetition::History,
    square::{Piece, Role, Side, Square},
};
use std::collections::{BTreeSet, HashMap};

/// The initial position (OC-2).
const ARRAY: &str = "rbsgk/4p/5/P4/KGSBR[] w - - 0 1";

/// The positions of the file: each FEN with its node counts from depth 1 on, up to 4.
const POSITIONS: &str = include_str!("naive/positions/olympic.txt");

fn positions() -> impl Iterator<Item = (&'static str, Vec<u64>)> {
    flat::positions(POSITIONS)
}

/// Starting positions of games: the array in turn with the next position of the file that has a legal move.
fn starts() -> impl Iterator<Item = &'static str> {
    let playable: Vec<_> = positions()
        .filter(|(_, counts)| counts[0] > 0)
        .map(|(fen, _)| fen)
        .flat_map(|fen| [ARRAY, fen])
        .collect();
    playable.into_iter().cycle()
}

fn ours(fen: &str) -> Olympic {
    Olympic::read(fen).unwrap().position
}

/// The counts in the file were made with the naive model and with Fairy-Stockfish 11.1, which agree.
#[test]
fn perft_agrees_with_two_other_programs() {
    let all = flat::are_counted_alike::<Olympic>(POSITIONS);
    assert_eq!(all, 64);
}

/// The first four counts were made with the naive model and with Fairy-Stockfish 11.1, the others with the latter only.
#[test]
fn perft_from_the_array_agrees_with_published_counts() {
    assert_eq!(Olympic::default().fen(), ARRAY);
    for (depth, count) in (1..).zip([14, 180, 2_464, 34_189, 503_570, 7_638_342]) {
        assert_eq!(
            perft(&OneBoard(Olympic::default()), depth),
            count,
            "depth {depth}"
        );
    }
}

/// The status of a position, in the vocabulary of the naive model.
fn status(position: &Olympic) -> &'static str {
    let ending = position
        .end_by_itself()
        .map(|ruling| (ruling.cause, ruling.outcome, ruling.rule.id));
    match (ending, position.in_check()) {
        (Some((Cause::Checkmate, Outcome::Win(winner), "OC-9")), true)
            if winner != position.turn() =>
        {
            "mate"
        }
        (Some((Cause::Stalemate, Outcome::Draw, "OC-9")), false) => "stalemate",
        (None, true) => "check",
        (None, false) => "ongoing",
        (other, check) => panic!("{other:?} and check {check} in {}", position.fen()),
    }
}

const GAMES: usize = 100;
const LONGEST: usize = 120;

#[test]
fn random_games_are_played_alike() {
    let mut chance = Chance::seeded(21);
    let mut ends: HashMap<_, u32> = HashMap::new();
    for start in starts().take(tries(GAMES)) {
        let (mut ours, mut theirs) = (ours(start), Naive::parse(start));
        for ply in 0..=LONGEST {
            let moves = theirs.moves();
            flat::are_listed_alike(&ours, &moves);
            assert_eq!(ours.fen(), theirs.fen());
            let status = status(&ours);
            assert_eq!(status, theirs.status(), "{}", theirs.fen());
            if moves.is_empty() || ply == LONGEST {
                *ends.entry(status).or_default() += 1;
                break;
            }
            let chosen = moves[chance.below(moves.len())].as_str();
            let written = if chance.below(5) == 0 {
                &moves[..]
            } else {
                &[chosen.to_string()]
            };
            flat::are_written_alike(&ours, written, |coordinates| theirs.san(coordinates));
            ours.play(at(&ours, chosen));
            theirs = theirs.play(chosen);
        }
    }
    assert!(
        ["mate", "stalemate", "check", "ongoing"]
            .iter()
            .all(|end| ends.contains_key(end)),
        "{ends:?}"
    );
}

/// A legal move, with the coordinates and the FEN of the naive model.
struct NaiveMove {
    coordinates: String,
    /// `None` for a drop.
    from: Option<Square>,
    to: Square,
    role: Role,
    captures: bool,
    promotes: bool,
}

/// The contents of a FEN: the pieces from `a1` on, with promoted pieces as Golds, and the mover's hand.
struct Scene {
    pieces: Vec<Option<Piece>>,
    held: String,
    mover: Side,
}

impl Scene {
    fn of(fen: &str) -> Self {
        let (ranks, rest) = fen.split_once('[').unwrap();
        let (hands, rest) = rest.split_once("] ").unwrap();
        let mover = if rest.starts_with('w') {
            Side::White
        } else {
            Side::Black
        };
        let held = hands
            .chars()
            .filter(|letter| letter.is_ascii_uppercase() == (mover == Side::White));
        let pieces = ranks.split('/').rev().flat_map(pieces_of_rank).collect();
        Self {
            pieces,
            held: held.collect::<String>().to_uppercase(),
            mover,
        }
    }

    fn on(&self, square: Square) -> Option<Piece> {
        self.pieces[usize::from(square.rank * 5 + square.file)]
    }

    fn act(&self, coordinates: &str) -> NaiveMove {
        let (move_only, promotes) = match coordinates.strip_suffix(['g', '+']) {
            Some(rest) => (rest, true),
            None => (coordinates, false),
        };
        let (origin, arrival) = move_only.split_at(2);
        let (from, to) = (
            origin.strip_suffix('@').is_none().then(|| square(origin)),
            square(arrival),
        );
        let role = match from {
            Some(from) => self.on(from).unwrap().role,
            None => Role::from_letter(origin.as_bytes()[0]).unwrap(),
        };
        NaiveMove {
            coordinates: coordinates.into(),
            from,
            to,
            role,
            captures: self.on(to).is_some(),
            promotes,
        }
    }
}

fn pieces_of_rank(rank: &str) -> Vec<Option<Piece>> {
    let mut pieces = Vec::new();
    let mut promoted = false;
    for letter in rank.bytes() {
        match letter {
            b'+' => promoted = true,
            b'1'..=b'5' => pieces.extend((b'0'..letter).map(|_| None)),
            _ => {
                let piece = Piece::from_letter(letter).unwrap();
                pieces.push(Some(if promoted {
                    Piece {
                        role: Role::Gold,
                        ..piece
                    }
                } else {
                    piece
                }));
                promoted = false;
            }
        }
    }
    pieces
}

fn square(name: &str) -> Square {
    let [file, rank] = name.as_bytes() else {
        panic!("{name} is not a square")
    };
    Square::new(file - b'a', rank - b'1')
}

fn squares() -> impl Iterator<Item = Square> {
    (0..25).map(|index| Square::new(index % 5, index / 5))
}

/// Every way to write a move of a kind of piece to a square.
fn patterns(role: Role, to: Square) -> impl Iterator<Item = Pattern> {
    let hints = || std::iter::once(None).chain((0..5).map(Some));
    hints()
        .flat_map(move |file| hints().map(move |rank| (file, rank)))
        .flat_map(move |(file, rank)| {
            [
                (false, None),
                (true, None),
                (false, Some(Role::Gold)),
                (true, Some(Role::Gold)),
            ]
            .map(|(capture, promotion)| Pattern {
                role,
                file,
                rank,
                capture,
                to,
                promotion,
                arrival: Arrival::Here,
            })
        })
}

/// Whether a written move, read as leniently as on a score-sheet, can mean this one: the capture mark of a piece is
/// ignored, and a pawn that changes its file captures.
fn means(pattern: &Pattern, act: &NaiveMove) -> bool {
    let takes = pattern.capture || pattern.file.is_some_and(|file| file != pattern.to.file);
    act.role == pattern.role
        && act.to == pattern.to
        && act.promotes == pattern.promotion.is_some()
        && act.from.is_some_and(|from| pattern.may_start_on(from))
        && (act.role != Role::Pawn || takes == act.captures)
}

/// Visits random positions, and every position in the file.
fn for_each_scattered(count: usize, chance: &mut Chance, mut visit: impl FnMut(&Olympic, &Naive)) {
    for (fen, _) in positions() {
        visit(&ours(fen), &Naive::parse(fen));
    }
    for start in starts().take(count) {
        let mut position = ours(start);
        for _ in 0..4 + chance.below(60) {
            let Some(m) = chance.pick(&listed(&position)) else {
                break;
            };
            position.play(m);
        }
        visit(&position, &Naive::parse(&position.fen()));
    }
}

/// The squares that a reason refers to, if any.
fn blamed(reason: &Reason) -> Option<Vec<Square>> {
    Some(match reason {
        Reason::Blocked(pairs) => pairs.iter().flat_map(|(from, by)| [*from, *by]).collect(),
        Reason::Pinned(_, by) | Reason::StaysInCheck(by) | Reason::IntoCheck(by) => by.clone(),
        Reason::OutOfReach(from) | Reason::Ambiguous(from) => from.clone(),
        Reason::PawnBlocked(on) | Reason::DropOnPiece(on) | Reason::OneStep(on) => vec![*on],
        _ => return None,
    })
}

/// A position in which every way to write a move is judged.
struct JudgedPosition<'a> {
    position: &'a Olympic,
    fen: String,
    scene: Scene,
    /// Whether there is no legal move.
    over: bool,
}

impl JudgedPosition<'_> {
    /// The pattern is found and means exactly the given moves, or it is refused; returns the rule of the refusal.
    fn judge(&self, written: &Written, meant: &[&NaiveMove]) -> Option<&'static str> {
        let coordinates: Vec<_> = meant.iter().map(|act| &*act.coordinates).collect();
        let refusal = flat::refusal(self.position, written, &coordinates)?;
        self.has_a_reason(&refusal, written, meant.len());
        Some(refusal.rule().id)
    }

    fn has_a_reason(&self, refusal: &Refusal, written: &Written, meant: usize) {
        let at = || format!("{written:?} in {}: {refusal}", self.fen);
        if let Some(expected) = self.rule_at_a_glance(written, meant) {
            assert_eq!(refusal.rule().id, expected, "{}", at());
        }
        if let Some(squares) = blamed(refusal.reason()) {
            assert!(!squares.is_empty(), "{}", at());
            assert!(
                squares.iter().all(|on| self.scene.on(*on).is_some()),
                "{}",
                at()
            );
        }
        assert!(
            self.over || matches!(refusal.reason(), Reason::Ambiguous(_)) == (meant > 1),
            "{}",
            at()
        );
    }

    /// The rule that a refusal must cite, where the position alone determines it.
    fn rule_at_a_glance(&self, written: &Written, meant: usize) -> Option<&'static str> {
        if self.over {
            return Some("GEN-2");
        }
        match written {
            Written::Pass => Some("CH-1"),
            Written::Castle(_) => Some("OC-3"),
            Written::PromotedDrop { .. } => Some("OC-8"),
            Written::Drop { role, to } => {
                let last = if self.scene.mover == Side::White {
                    4
                } else {
                    0
                };
                let is_held = self.scene.held.contains(role.letter());
                let is_open =
                    self.scene.on(*to).is_none() && !(*role == Role::Pawn && to.rank == last);
                Some(if is_held && is_open { "CH-15" } else { "OC-8" })
            }
            Written::Move(pattern) => match self.scene.on(pattern.to) {
                Some(piece) if piece.side == self.scene.mover => {
                    Some(flat::rule_of_own_piece(self.position, pattern))
                }
                Some(Piece {
                    role: Role::King, ..
                }) => Some("CH-3"),
                _ => (meant > 1).then_some("CH-20"),
            },
        }
    }
}

/// Rules of this game and of chess, by 28,800 moves, 200 drops, castling and the pass.
#[test]
fn a_written_move_is_either_listed_or_refused_by_a_rule() {
    let mut cited = BTreeSet::new();
    let mut count = 0;
    for_each_scattered(tries(96), &mut Chance::seeded(22), |position, naive| {
        let fen = naive.fen();
        let scene = Scene::of(&fen);
        let legal: Vec<_> = naive
            .moves()
            .iter()
            .map(|coordinates| scene.act(coordinates))
            .collect();
        let judged = JudgedPosition {
            position,
            fen,
            scene,
            over: legal.is_empty(),
        };
        for (role, to) in Role::ALL
            .into_iter()
            .flat_map(|role| squares().map(move |to| (role, to)))
        {
            let near: Vec<_> = legal
                .iter()
                .filter(|act| (act.role, act.to) == (role, to))
                .collect();
            for pattern in patterns(role, to) {
                let meant: Vec<_> = near
                    .iter()
                    .copied()
                    .filter(|act| means(&pattern, act))
                    .collect();
                cited.extend(judged.judge(&Written::Move(pattern), &meant));
            }
            let meant: Vec<_> = near
                .iter()
                .copied()
                .filter(|act| act.from.is_none())
                .collect();
            cited.extend(judged.judge(&Written::Drop { role, to }, &meant));
        }
        for other in [
            Written::Castle(Wing::KingSide),
            Written::Castle(Wing::QueenSide),
            Written::Pass,
        ] {
            cited.extend(judged.judge(&other, &[]));
        }
        count += 1;
    });
    assert_eq!(count, 160);
    // Turn, own piece, king captured, jump, king in check, ambiguity, game over; and the rules of this game.
    let all = [
        "CH-1", "CH-15", "CH-2", "CH-20", "CH-3", "CH-7", "GEN-2", "OC-3", "OC-4", "OC-5", "OC-8",
    ];
    assert_eq!(cited.into_iter().collect::<Vec<_>>(), all);
}

/// Every detail of a written move: a pawn with a rank or a capture mark also gives its file.
#[test]
fn what_is_written_is_read_again() {
    let roles = [
        Role::Pawn,
        Role::Rook,
        Role::Bishop,
        Role::Gold,
        Role::Silver,
        Role::King,
    ];
    for (role, to) in roles
        .into_iter()
        .flat_map(|role| squares().map(move |to| (role, to)))
    {
        let named = |pattern: &Pattern| {
            role != Role::Pawn
                || pattern.file.is_some()
                || !(pattern.capture || pattern.rank.is_some())
        };
        let moves = patterns(role, to).filter(named).map(Written::Move);
        for written in moves.chain([Written::Drop { role, to }]) {
            let text = Spelt(written).to_string();
            let read = San {
                written,
                suffix: Suffix::None,
                leniency: None,
            };
            assert_eq!(San::parse(text.as_bytes(), &OLYMPIC), Ok(read), "{text}");
        }
    }
}

const PLIES: usize = 100_000;

/// Asserts that a move is found from its text, from a careless text, and from its coordinates.
fn is_found_again(position: &Olympic, m: Move, after: &Olympic) {
    let text = position.san(m);
    let in_position = || format!("{text} in {}", position.fen());
    let san = San::parse(text.as_bytes(), &OLYMPIC).unwrap();
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
    if m.dropped().is_some() {
        let small = text.to_lowercase();
        let read = San {
            leniency: Some(Leniency::DropForm),
            ..san
        };
        assert_eq!(
            San::parse(small.as_bytes(), &OLYMPIC),
            Ok(read),
            "{}",
            in_position()
        );
    }
    let coordinates = position.coordinates(m);
    for spelling in [
        coordinates.to_string(),
        coordinates.to_lowercase(),
        coordinates.to_uppercase(),
    ] {
        assert_eq!(
            position.at(&spelling),
            Some(m),
            "{spelling} in {}",
            position.fen()
        );
    }
}

#[test]
fn a_ply_and_a_position_are_written_and_read_alike() {
    let mut chance = Chance::seeded(23);
    let mut starts = starts();
    let mut plies = 0;
    while plies < tries(PLIES) {
        let mut position = ours(starts.next().unwrap());
        for _ in 0..LONGEST {
            let Some(m) = chance.pick(&listed(&position)) else {
                break;
            };
            let after = position.after(m);
            is_found_again(&position, m, &after);
            let fen = after.fen();
            assert_eq!(
                Olympic::read(&fen),
                Ok(ReadPosition::of(after.clone(), false)),
                "{fen}"
            );
            position = after;
            plies += 1;
        }
    }
}

/// A record of moves separated by spaces; move numbers are added.
fn record(fen: &str, moves: &str, result: &str) -> String {
    let mut text = format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"{result}\"]\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n[Variant \"Olympic Chess\"]\n\n"
    );
    let (start, first) = (
        usize::from(fen.contains(" b ")),
        fen.rsplit(' ').next().unwrap(),
    );
    for (index, word) in (start..).zip(moves.split(' ')) {
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

/// The codes of the findings other than notes, with the rules they cite.
fn reported(report: &Report) -> Vec<(&'static str, Option<&'static str>)> {
    let findings = report
        .findings
        .iter()
        .filter(|finding| finding.severity > Severity::Note);
    findings
        .map(|finding| (finding.code.id, finding.rule.map(|rule| rule.id)))
        .collect()
}

/// What repetition compares: placement with hands, and side to move.
fn compared(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// For the initial position and the position after each move, how often it has occurred so far, counted with the naive
/// model, which also finds moves by their texts; and the final position.
fn times(fen: &str, moves: &str) -> (Vec<usize>, Naive) {
    let mut position = Naive::parse(fen);
    let mut there = vec![compared(fen)];
    for word in moves.split(' ') {
        let coordinates = position
            .moves()
            .into_iter()
            .find(|coordinates| position.san(coordinates) == word);
        position =
            position.play(&coordinates.unwrap_or_else(|| panic!("{word} in {}", position.fen())));
        there.push(compared(&position.fen()));
    }
    let so_far = |index: usize| {
        there[..=index]
            .iter()
            .filter(|other| **other == there[index])
            .count()
    };
    ((0..there.len()).map(so_far).collect(), position)
}

/// Asserts that the last move is the first to repeat a position for the third time. So `right` is the result, any other
/// is wrong, a further move is too many, and one move earlier the game had not ended.
fn ends_at_the_third_time(fen: &str, moves: &str, right: &str) {
    let (times, reached) = times(fen, moves);
    let (last, before) = times.split_last().unwrap();
    assert_eq!((*last, before.iter().max()), (3, Some(&2)), "{moves}");

    let clean = report(&record(fen, moves, right));
    let judged = clean.result.judged.map(Outcome::as_str);
    assert_eq!(
        (reported(&clean), clean.verdict),
        (vec![], Verdict::Clean),
        "{moves}"
    );
    assert_eq!(
        (judged, clean.result.rule.map(|rule| rule.id)),
        (Some(right), Some("OC-10")),
        "{moves}"
    );

    for wrong in ["1-0", "0-1", "1/2-1/2"]
        .into_iter()
        .filter(|result| *result != right)
    {
        let report = report(&record(fen, moves, wrong));
        assert_eq!(
            reported(&report),
            [("wrong-result", Some("OC-10"))],
            "{moves} {wrong}"
        );
        assert_eq!(report.verdict, Verdict::WrongResult, "{moves} {wrong}");
    }

    let next = reached.san(&reached.moves()[0]);
    let beyond = report(&record(fen, &format!("{moves} {next}"), right));
    assert_eq!(
        reported(&beyond),
        [("move-after-end", Some("GEN-2"))],
        "{moves} {next}"
    );
    assert_eq!(beyond.verdict, Verdict::Illegal, "{moves} {next}");

    let (earlier, _) = moves.rsplit_once(' ').unwrap();
    goes_on(fen, earlier);
}

/// Asserts that no position has occurred for the third time, and that the game has not ended.
fn goes_on(fen: &str, moves: &str) {
    assert!(
        times(fen, moves).0.into_iter().all(|times| times < 3),
        "{moves}"
    );
    let text = record(fen, moves, "*");
    let report = report(&text);
    assert_eq!(
        (reported(&report), report.verdict),
        (vec![], Verdict::Clean),
        "{moves}"
    );
    assert_eq!(report.result.judged, None, "{moves}");
    let written = String::from_utf8(canonical(text.as_bytes())).unwrap();
    let words = |text: &str| {
        text.split_ascii_whitespace()
            .map(String::from)
            .collect::<Vec<_>>()
    };
    assert_eq!(words(&written), words(&text));
}

/// Bare kings, which move back and forth.
const KINGS: &str = "4k/5/5/5/K4[] w - - 0 1";
/// White is in check from a Rook that can keep giving check.
const CHECKED: &str = "r3k/5/5/5/K4[] w - - 0 1";

#[test]
fn the_third_occurrence_loses_for_white() {
    // The initial position occurs at the start, after move 2 and after move 4.
    ends_at_the_third_time(KINGS, "Ka2 Ke4 Ka1 Ke5 Ka2 Ke4 Ka1 Ke5", "0-1");
    // With Black to move: at the start and after White's moves 3 and 5. Black's own move loses.
    ends_at_the_third_time(
        "4k/5/5/5/K4[] b - - 0 1",
        "Ke4 Ka2 Ke5 Ka1 Ke4 Ka2 Ke5 Ka1",
        "0-1",
    );
    // After moves 1, 3 and 5: the position at the start, with the pawn one square further back, is different.
    let with_pawn = "4k/5/5/4P/K4[] w - - 0 1";
    ends_at_the_third_time(with_pawn, "e3 Kd5 Ka2 Kc5 Ka1 Kd5 Ka2 Kc5 Ka1 Kd5", "0-1");
    // White gives all the checks and still loses. With Black to move: at the start and after White's moves 3 and 5.
    ends_at_the_third_time(
        "R3k/5/5/5/K4[] b - - 0 1",
        "Ke4 Ra4+ Ke5 Ra5+ Ke4 Ra4+ Ke5 Ra5+",
        "0-1",
    );
}

#[test]
fn the_third_occurrence_by_perpetual_check_wins_for_white() {
    // At the start, after move 2 and after move 4; every move of Black gives check.
    ends_at_the_third_time(CHECKED, "Kb1 Rb5+ Ka1 Ra5+ Kb1 Rb5+ Ka1 Ra5+", "1-0");
    // With Black to move: at the start and after White's moves 3 and 5. The last move is White's.
    ends_at_the_third_time(
        "r3k/5/5/5/1K3[] b - - 0 1",
        "Rb5+ Ka1 Ra5+ Kb1 Rb5+ Ka1 Ra5+ Kb1",
        "1-0",
    );
}

#[test]
fn only_moves_after_the_second_occurrence_must_give_check() {
    // At the start, after move 2, after move 4. Black gives check twice before the second occurrence, but only once
    // after it: Rc5 does not give check.
    ends_at_the_third_time(CHECKED, "Kb1 Rb5+ Ka1 Ra5+ Kb1 Rc5 Ka1 Ra5+", "0-1");
    // The other way round: Rc5 comes before the second occurrence, and both moves after it give check.
    ends_at_the_third_time(CHECKED, "Kb1 Rc5 Ka1 Ra5+ Kb1 Rb5+ Ka1 Ra5+", "1-0");
    // The same with Black to move: at the start and after White's moves 3 and 5.
    let black = "r3k/5/5/5/1K3[] b - - 0 1";
    ends_at_the_third_time(black, "Rb5+ Ka1 Ra5+ Kb1 Rc5 Ka1 Ra5+ Kb1", "0-1");
    ends_at_the_third_time(black, "Rc5 Ka1 Ra5+ Kb1 Rb5+ Ka1 Ra5+ Kb1", "1-0");
    // Black's last move before the second occurrence does not count either: here Ra5 does not give check.
    ends_at_the_third_time(black, "Rc5 Kb2 Ra5 Kb1 Rb5+ Ka1 Ra5+ Kb1", "1-0");
}

#[test]
fn one_move_without_check_is_enough() {
    // At the start, after move 2, after move 6. Of Black's four moves after move 2 only the second, Rd5, does not give
    // check. The King on b1 with the Rook on b5 occurs twice in between, after moves 3 and 5.
    ends_at_the_third_time(
        CHECKED,
        "Kb1 Rc5 Ka1 Ra5+ Kb1 Rb5+ Kc1 Rd5 Kb1 Rb5+ Ka1 Ra5+",
        "0-1",
    );
    // The same, with check.
    ends_at_the_third_time(
        CHECKED,
        "Kb1 Rc5 Ka1 Ra5+ Kb1 Rb5+ Kc1 Rc5+ Kb1 Rb5+ Ka1 Ra5+",
        "1-0",
    );
    // At the start, after move 2, after move 5: Black's first move after move 2 does not give check, the others do.
    ends_at_the_third_time(
        CHECKED,
        "Kb1 Rb5+ Ka1 Ra5+ Kb1 Rc5 Kb2 Rb5+ Ka1 Ra5+",
        "0-1",
    );
    ends_at_the_third_time(
        CHECKED,
        "Kb1 Rb5+ Ka1 Ra5+ Kb2 Rb5+ Ka2 Rc5 Ka1 Ra5+",
        "0-1",
    );
}

#[test]
fn different_hands_make_a_different_position() {
    // After moves 3 and 6 the pieces stand as at the start, but Black has one pawn in hand, then two.
    let pawns = "2r1k/5/5/5/K4[PP] w - - 0 1";
    let round = "P@c3 Rxc3 Ka2 Rc4 Ka1 Rc5";
    goes_on(pawns, &format!("{round} {round}"));
    // Then the hands stop changing: the same position after moves 5, 7 and 9.
    ends_at_the_third_time(
        pawns,
        &format!("{round} {round} Ka2 Rc4 Ka1 Rc5 Ka2 Rc4"),
        "0-1",
    );
}

#[test]
fn a_different_side_to_move_makes_a_different_position() {
    // Kings on a1 and e5: with White to move at the start and after Black's move 5, with Black to move after White's
    // move 3.
    let round = "Ka2 Ke4 Kb1 Ke5 Ka1 Ke4 Kb2 Kd5 Ka1 Ke5";
    goes_on(KINGS, round);
    // Once more with Black to move, after White's move 8: four times in all, twice for each side to move.
    goes_on(KINGS, &format!("{round} Ka2 Ke4 Kb1 Ke5 Ka1"));
}

#[test]
fn golds_and_promoted_pieces_are_distinguished() {
    // A Gold on b4, a promoted Pawn on c4 and a promoted Silver on b3 rotate on a block of four squares. After every
    // four moves the next of them stands on b4: Gold, Silver, Pawn, Gold again.
    let golds = "K4/1G+P2/1+S3/5/4k[] w - - 0 1";
    let round = "Gcc3 Ke2 G4c4 Ke1 Gbb4 Ke2 Gcb3 Ke1";
    // After moves 4, 8 and 12 Golds and promoted pieces occupy the same squares as at the start, but each of them is on
    // its own square only after move 12.
    goes_on(golds, &[round; 3].join(" "));
    // The same position at the start, after move 12 and after move 24.
    ends_at_the_third_time(golds, &[round; 6].join(" "), "0-1");
}

#[test]
fn captures_and_drops_do_not_break_a_repetition() {
    // The Rooks are exchanged and dropped where they stood: the same at the start, after move 4 and after move 8.
    let rooks = "3kr/5/5/5/K3R[] w - - 0 1";
    let round = "Rxe5+ Kxe5 Ka2 Ke4 R@e1+ Kd5 Ka1 R@e5";
    ends_at_the_third_time(rooks, &format!("{round} {round}"), "0-1");
}

/// No draw can be claimed here, neither in a position nor with a move, even for a third occurrence.
#[test]
fn every_claim_is_wrong() {
    for (claim, at) in [
        ("threefold", "Ke5"),
        ("threefold Ke5", "Ka1"),
        ("fifty", "Ke5"),
        ("fifty Ke5", "Ka1"),
    ] {
        // Claims after move 2, or before Black's second move: Ke5 brings about the initial position for the second
        // time.
        let moves = "Ka2 Ke4 Ka1 Ke5 Ka2 Ke4 Ka1 Ke5";
        let text = record(KINGS, moves, "0-1");
        let claimed = text.replacen(
            &format!(" {at} "),
            &format!(" {at} {{[%claim {claim}]}} "),
            1,
        );
        assert_ne!(claimed, text);
        let report = report(&claimed);
        assert_eq!(
            reported(&report),
            [("wrong-claim", Some("OC-11"))],
            "{claimed}"
        );
        let says = |finding: &Finding| finding.message == "Olympic Chess has no such claim";
        assert!(report.findings.iter().any(says), "{claimed}");
        // The game went on, and ended as it would have without the claim.
        assert_eq!(
            report.result.judged,
            Some(Outcome::Win(Side::Black)),
            "{claimed}"
        );
    }
    // With the move that would bring about the third occurrence: the claim is wrong, and so is the draw.
    let moves = "Ka2 Ke4 Ka1 Ke5 Ka2 Ke4 Ka1";
    let text =
        record(KINGS, moves, "1/2-1/2").replace("Ka1 1/2", "Ka1 {[%claim threefold Ke5]} 1/2");
    let report = report(&text);
    assert_eq!(
        reported(&report),
        [
            ("wrong-claim", Some("OC-11")),
            ("wrong-result", Some("OC-11"))
        ],
        "{text}"
    );
}

/// A random walk that often goes back and in which Black often gives check.
struct RandomWalk {
    position: Olympic,
    /// The last move of each side.
    last: [Option<Move>; 2],
}

impl RandomWalk {
    /// The next move, if there is one.
    fn choose(&self, chance: &mut Chance) -> Option<Move> {
        let moves = listed(&self.position);
        let last = self.last[self.position.turn() as usize];
        let undo = moves.iter().find(|m| {
            last.is_some_and(|last| m.from() == Some(last.to()) && last.from() == Some(m.to()))
        });
        if let (Some(undo), true) = (undo, chance.below(10) < 7) {
            return Some(*undo);
        }
        let checks: Vec<_> = match self.position.turn() {
            Side::Black => moves
                .iter()
                .copied()
                .filter(|m| self.position.after(*m).in_check())
                .collect(),
            Side::White => Vec::new(),
        };
        let heedless = checks.is_empty() || chance.below(5) == 0;
        chance.pick(if heedless { &moves } else { &checks })
    }

    fn play(&mut self, m: Move) {
        self.last[self.position.turn() as usize] = Some(m);
        self.position.play(m);
    }
}

/// The end by repetition, computed from all positions so far and the indices of the equal ones.
fn end_of(there: &[Olympic], before: &[usize]) -> Option<(Outcome, Cause)> {
    let previous = before.last().filter(|_| before.len() >= 2)?;
    let mut after_black = there[previous + 1..]
        .iter()
        .filter(|position| position.turn() == Side::White);
    Some(match after_black.all(Movegen::in_check) {
        true => (Outcome::Win(Side::White), Cause::PerpetualCheck),
        false => (Outcome::Win(Side::Black), Cause::Repetition),
    })
}

/// Walks far longer than the stretch of positions that are compared one by one, and beyond any end by repetition.
#[test]
fn repetition_is_counted_as_a_naive_count_does() {
    let mut chance = Chance::seeded(24);
    let (mut ends, mut long): (HashMap<_, u32>, _) = (HashMap::new(), 0);
    for start in starts().take(tries(120)) {
        let mut walk = RandomWalk {
            position: ours(start),
            last: [None; 2],
        };
        let mut history = History::default();
        history.start(walk.position.repetition_key(), walk.position.snapshot());
        let mut there = vec![walk.position.clone()];
        let mut seen = HashMap::from([(compared(start), vec![0])]);
        while let (Some(m), true) = (walk.choose(&mut chance), there.len() < 800) {
            let irreversible = walk.position.is_irreversible(m);
            walk.play(m);
            there.push(walk.position.clone());
            let before = seen.entry(compared(&walk.position.fen())).or_default();
            let recurrence = history.reach(
                walk.position.repetition_key(),
                walk.position.snapshot(),
                irreversible,
            );
            let at = || {
                format!(
                    "ply {} from {start}: {}",
                    there.len() - 1,
                    walk.position.fen()
                )
            };
            assert_eq!(recurrence.now, before.len() + 1, "{}", at());
            assert_eq!(
                history.count(walk.position.repetition_key(), &walk.position.snapshot()),
                recurrence.now,
                "{}",
                at()
            );
            let since: Vec<_> = before
                .last()
                .map_or(&[][..], |last| &there[last + 1..])
                .iter()
                .map(DrawLaw::snapshot)
                .collect();
            assert_eq!(history.since(recurrence), since, "{}", at());
            let ruling = walk
                .position
                .end_by_record(recurrence.now, history.since(recurrence));
            let end = ruling.map(|Ruling { outcome, cause, .. }| (outcome, cause));
            assert_eq!(end, end_of(&there, before), "{}", at());
            assert!(ruling.is_none_or(|ruling| ruling.rule.id == "OC-10"));
            before.push(there.len() - 1);
            *ends.entry(end.map(|(_, cause)| cause)).or_default() += 1;
        }
        long += usize::from(there.len() > 400);
    }
    assert!(long >= 10, "{long}");
    let often = |cause| ends.get(&Some(cause)).is_some_and(|count| *count >= 100);
    assert!(
        often(Cause::Repetition) && often(Cause::PerpetualCheck),
        "{ends:?}"
    );
}

/// Characters that occur in FENs, and some that do not.
const SIGNS: &str = "PSGBRKpsgbrk++~~[]/12345 -wb0697NQé\0";

/// A FEN with some of its characters replaced, swapped, removed or inserted.
fn mutated(fen: &str, chance: &mut Chance) -> String {
    let signs: Vec<char> = SIGNS.chars().collect();
    let mut text: Vec<char> = fen.chars().collect();
    for _ in 0..=chance.below(3) {
        let letters: Vec<_> = (0..text.len())
            .filter(|at| text[*at].is_ascii_alphabetic())
            .collect();
        let (at, sign) = (chance.below(text.len()), signs[chance.below(signs.len())]);
        match chance.below(16) {
            0 => text[at] = sign,
            1 => drop(text.remove(at)),
            2 => text.insert(at, sign),
            3 => text.swap(at, chance.below(at + 1)),
            4..8 => text[chance.pick(&letters).unwrap_or(at)] = sign,
            _ => text.swap(
                chance.pick(&letters).unwrap_or(at),
                chance.pick(&letters).unwrap_or(at),
            ),
        }
    }
    text.into_iter().collect()
}

#[test]
fn any_text_is_a_position_or_none() {
    let mut chance = Chance::seeded(25);
    let bases: Vec<_> = positions()
        .map(|(fen, _)| fen.to_string())
        .flat_map(|fen| [fen.replace("+P", "G~").replace("+p", "g~"), fen])
        .collect();
    let mut kinds = [0; 4];
    for _ in 0..tries(10_000) {
        let base = chance.below(bases.len());
        let text = mutated(&bases[base], &mut chance);
        match flat::read::<Olympic>(&text) {
            Ok((position, lenient)) => {
                let fen = position.fen();
                assert_eq!(
                    Olympic::read(&fen),
                    Ok(ReadPosition::of(position.clone(), false)),
                    "{text:?}"
                );
                assert_eq!(lenient, fen != text, "{text:?}");
                // The naive model cannot read FENs of impossible positions.
                assert_eq!(
                    Naive::parse(&fen).moves().len() as u64,
                    position.count_legal(),
                    "{text:?}"
                );
                kinds[usize::from(lenient)] += 1;
            }
            Err(PositionError::Text(fault)) => {
                assert!(
                    text.get(fault.bytes.clone()).is_some(),
                    "{text:?}: {fault:?}"
                );
                assert!(!fault.to_string().is_empty());
                kinds[2] += 1;
            }
            Err(PositionError::Impossible(reasons)) => {
                assert!(!reasons.is_empty(), "{text:?}");
                kinds[3] += 1;
            }
            Err(PositionError::Boards(_) | PositionError::Nested(..)) => {
                panic!("one board, {text:?}")
            }
        }
    }
    assert!(kinds.iter().all(|count| *count > 150), "{kinds:?}");
}
