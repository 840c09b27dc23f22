//! Crazyhouse, compared with another program's move generator and with a naive model.

use crate::{
    chance::Chance,
    depth::tries,
    naive::crazyhouse::Naive,
    run::{overboard, printed},
    text::judge,
};
use overboard_formats::san::Spelt;
use overboard_games::{
    chess::ChessLaws,
    chess960::{ARRAYS, Shuffled, array},
    crazyhouse::{Crazyhouse, Crazyhouse960, CrazyhouseBy, CrazyhouseLaws},
    one_board::{OneBoard, notation::BoardNotation},
    registry::Variant,
};
use overboard_referee::{finding::Verdict, game::position::ReadPosition};
use overboard_rules::{
    outcome::Cause,
    perft::perft,
    ply::{StandingAct, Written},
    position::{DrawLaw as _, Explain as _, Found, Irregular as _, Movegen},
    square::{Role, Side, Square},
};
use rayon::prelude::*;
use serde_json::Value;
use shakmaty::{
    CastlingMode, EnPassantMode, Position as _, fen::Fen, san::SanPlus,
    variant::Crazyhouse as Theirs,
};
use std::{collections::BTreeSet, process::Command};

/// Positions with full pockets, promoted pieces, pins, checks of all kinds and castling.
const STARTS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[] w KQkq - 0 1",
    "4k3/1Q~6/8/8/4b3/8/Kpp5/8[] b - - 0 1",
    "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1",
    "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[] b KQkq - 0 1",
    "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w KQkq - 0 3",
    "4k3/8/8/8/7q/8/3P1P2/4K2R[NPp] w K - 0 1",
    "4k3/8/8/8/4r3/8/8/4K3[QNPrp] w - - 0 1",
    "6rk/6pp/8/6N1/8/8/8/4K3[N] b - - 0 1",
    "8/8/8/k2pP2R/8/8/8/4K3[p] w - d6 0 2",
    "N~7/P7/8/3k4/8/8/p5R1/K2r~4[Bq] w - - 3 40",
    "k7/2P5/8/8/8/8/5p2/7K[] w - - 0 1",
];

/// The same for castling that is not that of chess.
const SHUFFLED: [&str; 4] = [
    "1rkr4/ppppppp1/8/8/8/8/PPPPPPP1/1RKR4[Pp] w KQkq - 0 1",
    "rk2r3/8/8/8/8/8/8/RK2R3[NBnb] w KQkq - 0 1",
    "r1k1r2q/8/8/8/8/8/8/R1K1R2Q[Bb] b KQkq - 0 1",
    "rr1k4/4p3/8/8/8/8/3P4/RR1K4[] w Bb - 0 1",
];

const fn mode<L: ChessLaws>() -> CastlingMode {
    if L::SHUFFLED {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    }
}

fn theirs<L: ChessLaws>(fen: &str) -> Theirs {
    fen.parse::<Fen>()
        .unwrap()
        .into_position(mode::<L>())
        .unwrap()
}

fn ours<L: CrazyhouseLaws>(fen: &str) -> CrazyhouseBy<L> {
    let ReadPosition {
        position, lenient, ..
    } = CrazyhouseBy::<L>::read(fen).unwrap();
    assert!(!lenient, "{fen}");
    position
}

/// A position of the other program, with the pockets in our order.
fn fen(position: &Theirs) -> String {
    let text = Fen::from_position(position, EnPassantMode::Legal).to_string();
    let (before, rest) = text.split_once('[').unwrap();
    let (pockets, after) = rest.split_once(']').unwrap();
    let order = "QRBNPqrbnp";
    let mut pockets: Vec<_> = pockets.chars().collect();
    pockets.sort_by_key(|letter| order.find(*letter));
    let pockets: String = pockets.into_iter().collect();
    format!("{before}[{pockets}]{after}")
}

/// Plays random games, with captures more often than at random, and visits every position on the way.
fn for_each_position<L: ChessLaws>(games: usize, seed: u64, mut visit: impl FnMut(&Theirs)) {
    let mut chance = Chance::seeded(seed);
    let starts: Vec<_> = if L::SHUFFLED {
        SHUFFLED.to_vec()
    } else {
        STARTS.to_vec()
    };
    for game in 0..tries(games) {
        let start = match game % 2 {
            0 if L::SHUFFLED => {
                let array = array(chance.below(ARRAYS as usize) as u32).unwrap();
                array.replacen(' ', "[] ", 1)
            }
            0 => STARTS[0].into(),
            _ => starts[game / 2 % starts.len()].into(),
        };
        let mut position = theirs::<L>(&start);
        for _ in 0..120 {
            visit(&position);
            let moves = position.legal_moves();
            let captures: Vec<_> = moves.iter().copied().filter(|m| m.is_capture()).collect();
            let from = if captures.is_empty() || chance.below(3) == 0 {
                &moves[..]
            } else {
                &captures
            };
            let Some(m) = chance.pick(from) else { break };
            position.play_unchecked(m);
        }
    }
}

fn compare_with_another_generator<L: CrazyhouseLaws>(games: usize) {
    let (mut dropped, mut promoted, mut castled, mut ended) = (0, 0, 0, 0);
    for_each_position::<L>(games, 1, |position| {
        let at = fen(position);
        let game = ours::<L>(&at);
        assert_eq!(game.fen(), at);
        let mut listed = Vec::new();
        game.legal_moves(|m| listed.push(game.coordinates(m).to_string()));
        assert_eq!(listed.len() as u64, game.count_legal(), "{at}");
        for (nth, text) in listed.iter().enumerate() {
            let picked = game.pick_legal(|_| nth).unwrap();
            assert_eq!(game.coordinates(picked).as_str(), text, "{nth} in {at}");
        }
        let listed: BTreeSet<_> = listed.into_iter().collect();
        let moves = position.legal_moves();
        let expected: BTreeSet<_> = moves
            .iter()
            .map(|m| m.to_uci(mode::<L>()).to_string())
            .collect();
        assert_eq!(listed, expected, "{at}");
        assert_eq!(game.has_legal_move(), !moves.is_empty(), "{at}");
        let end = game.end_by_itself().map(|ruling| ruling.cause);
        let their_end = match () {
            () if position.is_checkmate() => Some(Cause::Checkmate),
            () if position.is_stalemate() => Some(Cause::Stalemate),
            () if position.is_insufficient_material() => Some(Cause::DeadPosition),
            () => None,
        };
        assert_eq!(end, their_end, "{at}");
        ended += usize::from(end.is_some());
        for m in moves {
            let uci = m.to_uci(mode::<L>()).to_string();
            let own = game.at(&uci).unwrap();
            let after = game.after(own);
            let text = format!("{}{}", Spelt(game.written(own)), after.suffix().as_str());
            let mut san = SanPlus::from_move(position.clone(), m).to_string();
            if san.starts_with('@') {
                san.insert(0, 'P');
            }
            assert_eq!(text, san, "{at}");
            assert_eq!(
                game.find(&game.written(own)),
                Found::One(own),
                "{text} in {at}"
            );
            let mut next = position.clone();
            next.play_unchecked(m);
            assert_eq!(after.fen(), fen(&next), "{text} in {at}");
            dropped += usize::from(own.dropped().is_some());
            castled += usize::from(m.is_castle());
        }
        promoted += usize::from(at.contains('~'));
    });
    assert!(
        dropped > 1000 && promoted > 50 && castled > 20 && ended > 5,
        "{dropped} {promoted} {castled} {ended}"
    );
}

#[test]
fn moves_texts_positions_and_ends_are_those_of_another_generator() {
    compare_with_another_generator::<overboard_games::chess::Orthodox>(48);
}

#[test]
fn so_they_are_from_arrays_of_chess960() {
    compare_with_another_generator::<Shuffled>(48);
}

fn compare_with_the_naive_model<L: CrazyhouseLaws>(games: usize) {
    for_each_position::<L>(games, 2, |position| {
        let at = fen(position);
        let (game, naive) = (ours::<L>(&at), Naive::parse(&at, L::SHUFFLED));
        assert_eq!(naive.fen(), at);
        let mut listed: Vec<_> = Vec::new();
        game.legal_moves(|m| listed.push(game.coordinates(m).to_string()));
        let mut expected = naive.moves();
        listed.sort();
        expected.sort();
        assert_eq!(listed, expected, "{at}");
        assert_eq!(game.in_check(), naive.in_check(), "{at}");
        let status = match game.end_by_itself().map(|ruling| ruling.cause) {
            None => "ongoing",
            Some(cause) => cause.status().unwrap(),
        };
        assert_eq!(status, naive.status(), "{at}");
        if let Some(text) = listed.first() {
            let after = game.after(game.at(text).unwrap());
            assert_eq!(after.fen(), naive.play(text).fen(), "{text} in {at}");
        }
    });
}

#[test]
fn a_naive_model_has_the_same_moves_positions_and_ends() {
    compare_with_the_naive_model::<overboard_games::chess::Orthodox>(30);
    compare_with_the_naive_model::<Shuffled>(30);
}

/// The counts in the table, of which those of Crazyhouse are Fairy-Stockfish's too.
#[test]
fn perft_agrees_with_two_other_programs() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/naive/positions/crazyhouse.txt"
    );
    let table = std::fs::read_to_string(path).unwrap();
    let mut rows = 0;
    for line in table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let columns: Vec<_> = line.split('\t').collect();
        let (at, counts) = (columns[0], &columns[1..]);
        let is_shuffled = SHUFFLED.contains(&at);
        for (depth, count) in (1..).zip(counts) {
            let count: u64 = count.parse().unwrap();
            let (own, other, naive) = if is_shuffled {
                let position = ours::<Shuffled>(at);
                (
                    perft(&OneBoard(position), depth),
                    shakmaty::perft(&theirs::<Shuffled>(at), depth),
                    true,
                )
            } else {
                let position = ours::<overboard_games::chess::Orthodox>(at);
                let other = shakmaty::perft(&theirs::<overboard_games::chess::Orthodox>(at), depth);
                (perft(&OneBoard(position), depth), other, false)
            };
            assert_eq!((own, other), (count, count), "{depth}: {at}");
            if count < 10_000 {
                assert_eq!(Naive::parse(at, naive).perft(depth), count, "{depth}: {at}");
            }
        }
        rows += 1;
    }
    assert!(rows >= 12, "{rows}");
}

#[test]
fn what_is_captured_while_promoted_is_a_pawn_even_after_it_has_moved() {
    let mut game = Crazyhouse::read("4k3/1P6/8/8/8/8/8/r3K2r[] w - - 0 1")
        .unwrap()
        .position;
    for ply in ["e1f2", "e8d7", "b7b8q", "a1a8", "b8a8", "h1h8", "a8h8"] {
        game.play(game.at(ply).unwrap());
    }
    assert!(game.is_promoted(Square::new(7, 7)));
    assert_eq!(game.pockets().count(Side::White, Role::Rook), 2);
    assert_eq!(game.fen(), "7Q~/3k4/8/8/8/8/5K2/8[RR] b - - 0 4");
}

#[test]
fn an_illegal_act_that_stands_takes_its_pieces_along() {
    let start = "4k2r/8/8/8/8/8/P7/R3K3[Nq] w Q - 4 9";
    let game = Crazyhouse::read(start).unwrap().position;
    let stood = |standing_act| game.stood(standing_act).map(|after| after.fen());
    let at = |name: &str| Square::new(name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'1');
    // The rook goes where no rook can, and takes one.
    assert_eq!(
        stood(StandingAct::moved(at("a1"), at("h8"))).unwrap(),
        "4k2R/8/8/8/8/8/P7/4K3[RNq] b - - 0 9"
    );
    assert_eq!(
        stood(StandingAct::Dropped {
            role: Role::Knight,
            to: at("a8")
        })
        .unwrap(),
        "N3k2r/8/8/8/8/8/P7/R3K3[q] b Q - 5 9"
    );
    for (role, to) in [
        (Role::Knight, "e8"),
        (Role::Rook, "e4"),
        (Role::Queen, "e4"),
    ] {
        assert_eq!(stood(StandingAct::Dropped { role, to: at(to) }), None);
    }
    assert_eq!(
        stood(StandingAct::Passed).unwrap(),
        "4k2r/8/8/8/8/8/P7/R3K3[Nq] b Q - 5 9"
    );
    assert_eq!(
        game.passed().unwrap().fen(),
        "4k2r/8/8/8/8/8/P7/R3K3[Nq] b Q - 4 9"
    );
}

#[test]
fn the_games_have_the_names_that_records_give_them() {
    for (name, variant) in [
        ("Crazyhouse", Variant::Crazyhouse),
        ("crazyhouse", Variant::Crazyhouse),
        ("Crazy House", Variant::Crazyhouse),
        ("Crazyhouse960", Variant::Crazyhouse960),
        ("crazyhouse 960", Variant::Crazyhouse960),
    ] {
        let text = format!("[Variant \"{name}\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e6 P@e4 *\n");
        let report = judge(text.as_bytes()).remove(0);
        assert_eq!(
            (report.verdict, Variant::of(Some(name.as_bytes()))),
            (Verdict::Clean, Some(variant)),
            "{name}"
        );
    }
}

/// Lichess writes the drop of a pawn with its letter, python-chess without.
#[test]
fn a_drop_of_a_pawn_is_read_with_and_without_its_letter() {
    for (drop, findings) in [("P@e6", 0), ("@e6", 1)] {
        let text = format!("[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. {drop} *\n");
        let report = judge(text.as_bytes()).remove(0);
        let forms = report
            .findings
            .iter()
            .filter(|finding| finding.code.id == "drop-form");
        assert_eq!(
            (report.verdict, forms.count()),
            (Verdict::Clean, findings),
            "{drop}"
        );
    }
    let game = Crazyhouse::read(STARTS[5]).unwrap().position;
    let written = Written::Drop {
        role: Role::Pawn,
        to: Square::new(4, 5),
    };
    assert!(matches!(game.find(&written), Found::One(_)));
    assert_eq!(game.piece_at(Square::new(4, 5)), None);
}

#[test]
fn games_of_self_play_are_clean_in_both_forms() {
    let folder = tempfile::tempdir().unwrap();
    for (variant, rules) in [
        ("crazyhouse", ""),
        ("crazyhouse960", ""),
        ("crazyhouse", "flag=always"),
    ] {
        let ledger = folder.path().join(format!("{variant}{rules}"));
        let ledger = ledger.to_str().unwrap();
        let mut words = vec![
            "selfplay",
            "--variant",
            variant,
            "--player",
            "random",
            "--player",
            "greedy",
            "--games",
            "20",
            "--ledger",
            ledger,
        ];
        if !rules.is_empty() {
            words.extend(["--rules", rules]);
        }
        let run = overboard(&words);
        assert_eq!(
            run.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&run.stderr)
        );
        let (records, _) = printed(&overboard(&["ledger", "--to", "npgn", ledger]));
        assert_eq!(records.matches("[Event ").count(), 20);
        for report in judge(records.as_bytes()) {
            assert_eq!(report.verdict, Verdict::Clean, "{records}");
        }
        assert!(records.contains('@'), "{records}");
    }
}

#[test]
fn arrays_are_positions_of_crazyhouse960_by_number() {
    for number in [0, 518, 959] {
        let ReadPosition {
            position, lenient, ..
        } = Crazyhouse960::read(&number.to_string()).unwrap();
        let array = array(number).unwrap().replacen(' ', "[] ", 1);
        assert_eq!((position.fen(), lenient), (array, true));
    }
    assert!(Crazyhouse960::read("960").is_err() && Crazyhouse::read("518").is_err());
}

/// The end of a position of python-chess.
fn end_in_python(position: &Value) -> Option<Cause> {
    let is = |key: &str| position[key].as_bool().unwrap();
    match () {
        () if is("mate") => Some(Cause::Checkmate),
        () if is("stalemate") => Some(Cause::Stalemate),
        () if is("dead") => Some(Cause::DeadPosition),
        () => None,
    }
}

fn agrees_with_python<L: CrazyhouseLaws>(position: &Value) {
    let at = position["fen"].as_str().unwrap();
    let game = ours::<L>(at);
    // It writes castling rights as files, and pockets in another order.
    let without = |fen: &str| {
        let fields: Vec<_> = fen.split(' ').collect();
        let placement = fields[0].split('[').next().unwrap().to_owned();
        format!("{placement} {} {}", fields[1], fields[3..].join(" "))
    };
    assert_eq!(without(&game.fen()), without(at));
    let mut moves = serde_json::Map::new();
    game.legal_moves(|m| {
        moves.insert(game.coordinates(m).to_string(), game.san(m).as_str().into());
    });
    let mut theirs = position["moves"].as_object().unwrap().clone();
    for san in theirs.values_mut() {
        let text = san.as_str().unwrap();
        if text.starts_with('@') {
            *san = format!("P{text}").into();
        }
    }
    assert_eq!(moves, theirs, "{at}");
    let end = game.end_by_itself().map(|ruling| ruling.cause);
    assert_eq!(end, end_in_python(position), "{at}");
}

#[test]
#[ignore = "needs python-chess"]
fn positions_of_random_games_agree_with_python_chess() {
    let python = std::env::var("OVERBOARD_PYTHON_CHESS").expect(".ci/engines says where it is");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/crazyhouse/games.py");
    let games = tries(50).to_string();
    let output = Command::new(python)
        .args([script, &games, "1"])
        .output()
        .expect("Python starts");
    let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let positions: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        positions.len() > 2_500,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    positions.par_iter().for_each(|position| {
        if position["chess960"].as_bool().unwrap() {
            agrees_with_python::<Shuffled>(position);
        } else {
            agrees_with_python::<overboard_games::chess::Orthodox>(position);
        }
    });
    println!("{} positions compared", positions.len());
}
