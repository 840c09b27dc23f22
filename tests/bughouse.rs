//! Bughouse, compared with a naive model and with another program.

use crate::{chance::Chance, depth::tries, naive::bughouse::Naive, text::judge};
use overboard_games::{
    bughouse::{Bughouse, Options},
    side_by_side::LinkedBoard,
};
use overboard_referee::{finding::Severity, game::notation::Notation};
use overboard_rules::{
    game::{Game, Spelt},
    outcome::{Cause, Outcome},
    position::Found,
    repetition::Times,
};
use std::{
    collections::BTreeSet,
    io::Write as _,
    ops::ControlFlow,
    process::{Command, Stdio},
    thread,
};

/// Both boards at the beginning.
const FIRST: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1 | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1";

/// Positions with full pockets, promoted pieces, checks that wait for a drop, and few moves.
const STARTS: [&str; 6] = [
    FIRST,
    "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1 | r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[] w KQkq - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR[] w KQkq - 1 3 | rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq - 0 2",
    "7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1 | 4k3/1Q~6/8/8/4b3/8/Kpp5/8[p] b - - 0 1",
    "k7/8/1K6/8/8/8/8/8[RNr] w - - 0 1 | 6rk/6pp/8/8/8/8/8/4K3[QN] w - - 0 1",
    "k7/2P5/8/8/8/8/5p2/7K[] w - - 0 1 | 8/8/8/k2pP2R/8/8/8/4K3[p] w - d6 0 2",
];

const RULES: [&str; 7] = [
    "",
    "mate=pocket",
    "repetition=auto",
    "drop=no-check:pawndrop=2-6",
    "drop=no-chess-mate",
    "drop=no-bughouse-mate:pawndrop=3-5",
    "drop=no-bughouse-mate:mate=pocket",
];

fn read(fen: &str, rules: &str) -> Bughouse {
    let read = Bughouse::read_fen(&Options::of(rules), fen).unwrap();
    assert!(!read.lenient, "{fen}");
    read.position
}

fn plies(game: &Bughouse) -> Vec<String> {
    let mut plies = Vec::new();
    let _ = game.legal(|ply| {
        plies.push(game.coordinates(ply).to_string());
        ControlFlow::Continue(())
    });
    plies
}

/// What both say of a position.
fn compare(game: &Bughouse, naive: &Naive, rules: &str) {
    let at = format!("{} under `{rules}`", game.fen());
    assert_eq!(game.fen(), naive.fen(), "{at}");
    let listed = plies(game);
    assert_eq!(listed.len() as u64, game.count_legal(), "{at}");
    let listed: BTreeSet<_> = listed.into_iter().collect();
    let expected: BTreeSet<_> = naive.moves().into_iter().collect();
    assert_eq!(listed, expected, "{at}");
    let ruling = game.ruling(Times::FIRST);
    let ended = ruling.map(|ruling| {
        let how = match ruling.cause {
            Cause::Checkmate => "mate",
            Cause::Stalemate => "stalemate",
            Cause::Threefold => "repetition",
            other => panic!("{other} in {at}"),
        };
        (how, ruling.outcome.as_str())
    });
    assert_eq!(ended, naive.end(), "{at}");
}

/// Whether a piece was taken between two positions: the pockets hold more.
fn is_capture(before: &Bughouse, after: &Bughouse) -> bool {
    let held = |game: &Bughouse| -> usize {
        let boards = [0, 1].map(|board| game.board(board).pockets().total());
        boards.iter().sum()
    };
    held(after) > held(before)
}

/// A ply; captures and drops more often than others.
fn chosen(game: &Bughouse, chance: &mut Chance) -> Option<String> {
    let mut all = plies(game);
    let is_lively = |text: &String| {
        let after = game.after(game.by_coordinates(text).unwrap());
        text.contains('@') || is_capture(game, &after)
    };
    if chance.below(3) == 0 && all.iter().any(is_lively) {
        all.retain(is_lively);
    }
    let nth = chance.below(all.len().max(1));
    all.get(nth).cloned()
}

#[test]
fn a_naive_model_has_the_same_plies_pockets_and_ends() {
    let mut chance = Chance::seeded(3);
    let (mut mates, mut drops) = (0, 0);
    for nth in 0..tries(28) {
        let rules = RULES[nth % RULES.len()];
        let start = STARTS[nth % STARTS.len()];
        let (mut game, mut naive) = (read(start, rules), Naive::parse(start, rules));
        for _ in 0..80 {
            compare(&game, &naive, rules);
            let Some(text) = chosen(&game, &mut chance) else {
                break;
            };
            let ply = game.by_coordinates(&text).unwrap();
            let (board, Spelt::Ply(written)) = game.spell(ply) else {
                panic!("{text} is written as a ply");
            };
            assert_eq!(game.find(board, &written), Found::One(ply), "{text}");
            game.play(ply);
            naive = naive.play(&text);
            drops += usize::from(text.contains('@'));
        }
        mates += usize::from(naive.end().is_some());
    }
    assert!(mates > 3 && drops > 100, "{mates} {drops}");
}

/// The number of lines of plies on board A alone.
fn lines(game: &Bughouse, depth: u32) -> u64 {
    let mut count = 0;
    let _ = game.legal_on(LinkedBoard::of(0), |ply| {
        count += if depth == 1 {
            1
        } else {
            lines(&game.after(ply), depth - 1)
        };
        ControlFlow::Continue(())
    });
    count
}

/// Another program counts the same lines on one board with given pockets. It fills no pocket by captures there, as ours goes
/// to the other board.
#[test]
#[ignore = "needs fairy-stockfish, which `.ci/run` installs"]
fn lines_of_one_board_are_those_of_fairy_stockfish() {
    let mut chance = Chance::seeded(5);
    let mut boards = BTreeSet::new();
    for nth in 0..tries(12) {
        let mut game = read(STARTS[nth % STARTS.len()], "");
        for _ in 0..60 {
            let fen = game.fen();
            boards.extend(fen.split(" | ").map(str::to_owned));
            let Some(text) = chosen(&game, &mut chance) else {
                break;
            };
            game.play(game.by_coordinates(&text).unwrap());
        }
    }
    let mut asked = String::from("uci\nsetoption name UCI_Variant value bughouse\n");
    let mut expected = Vec::new();
    for board in &boards {
        let game = read(&format!("{board} | {}", &FIRST[..FIRST.len() / 2 - 1]), "");
        for depth in [1, 2] {
            asked += &format!("position fen {board}\ngo perft {depth}\n");
            expected.push((board, depth, lines(&game, depth)));
        }
    }
    asked += "quit\n";
    let counts = ask_fairy_stockfish(&asked);
    assert_eq!(counts.len(), expected.len());
    for (count, (board, depth, own)) in counts.into_iter().zip(expected) {
        assert_eq!(count, own, "depth {depth} of {board}");
    }
    assert!(boards.len() > 500, "{}", boards.len());
}

/// The numbers of nodes that it says.
fn ask_fairy_stockfish(asked: &str) -> Vec<u64> {
    let mut program = Command::new("fairy-stockfish")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("fairy-stockfish starts");
    let mut said = program.stdin.take().unwrap();
    let asked = asked.to_owned();
    let writing = thread::spawn(move || said.write_all(asked.as_bytes()));
    let output = program.wait_with_output().unwrap();
    writing.join().unwrap().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let counts = text
        .lines()
        .filter_map(|line| line.strip_prefix("Nodes searched: "));
    counts.map(|count| count.trim().parse().unwrap()).collect()
}

/// What is found wrong or open in a record, each with the ply at which it stands.
fn found(moves: &str) -> Vec<(&'static str, String)> {
    let text = format!("[Variant \"Bughouse\"]\n\n{moves} *\n");
    let report = judge(text.as_bytes()).remove(0);
    let findings = report.findings.into_iter();
    findings
        .filter(|finding| finding.severity != Severity::Note)
        .map(|finding| (finding.code.id, finding.number.unwrap_or_default()))
        .collect()
}

/// An illegal move makes its own board unknown, and of the other one only what its pockets hold.
#[test]
fn the_other_board_is_judged_on() {
    let start = "1A. e4 1a. d5 1B. e4 1b. Nf6 2B. Ke3";
    let wrong = |number: &str| ("illegal-move", number.to_owned());
    assert_eq!(found(start), [wrong("2B.")]);
    assert_eq!(
        found(&format!("{start} 2b. Qxh1 2A. exd5 2a. Qxd5")),
        [wrong("2B.")]
    );
    let again = [wrong("2B."), wrong("2A.")];
    assert_eq!(found(&format!("{start} 2A. Ke3")), again);
    // A drop of what the pocket lacks may have come from board B; a pawn on the last rank has not.
    let open = [wrong("2B."), ("open-ply", "2A.".to_owned())];
    assert_eq!(found(&format!("{start} 2A. N@e5 2a. f6 3A. Nc3")), open);
    assert_eq!(found(&format!("{start} 2A. P@e8")), again);
    // What board A's captures brought is known.
    let held = "1A. e4 1a. d5 2A. exd5 1B. Ke3 2a. Qxd5 3A. Nc3 3a. Qd8";
    assert_eq!(found(held), [wrong("1B.")]);
    let text = "1A. e4 1a. d5 2A. exd5 2a. Qxd5 3A. Ke3 1B. e4 1b. P@d5 2B. P@d4";
    assert_eq!(found(text), [wrong("3A.")]);
}

/// With an unknown pocket nobody is mated only because nothing in it would help.
#[test]
fn an_unknown_pocket_may_answer_a_check() {
    let record = |first: &str| {
        let text = format!(
            "[Variant \"Bughouse\"]\n[Rules \"mate=pocket\"]\n[SetUp \"1\"]\n[FEN \"7k/6pp/8/8/8/8/8/R3K3[] w Q - 0 1 | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1\"]\n\n{first} 1A. Ra8# 1-0\n"
        );
        let report = judge(text.as_bytes()).remove(0);
        report.result.judged.map(Outcome::as_str)
    };
    assert_eq!(record("1B. e4"), Some("1-0"));
    assert_eq!(record("1B. Ke3"), None);
}
