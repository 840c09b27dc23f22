//! How fast the games are played, checked and listed, compared with peers, in one run.
//!
//! `cargo bench -p overboard --bench games [-- ROUNDS]`: every contestant runs once per round, in turn;
//! the least time of each is printed. Records and positions are of random games from a fixed seed.

#[path = "../../../sheets/src/chance.rs"]
mod chance;
#[path = "../check/clock.rs"]
mod clock;

use chance::Chance;
use clock::Contestant;
use overboard_formats::canonical::board_number;
use overboard_games::{
    chess::Chess,
    crazyhouse::Crazyhouse,
    metachess::Meta,
    olympic::Olympic,
    one_board::{OneBoard, notation::BoardNotation},
    strategichess::{
        Strategi,
        linked::{self, Edition, Linked, LinkedBoard, Ply},
    },
};
use overboard_rules::{
    game::Game, outcome::Prospect, perft::perft, repetition::History, square::Side,
};
use shakmaty::{CastlingMode, Position as _};
use std::{
    error::Error,
    fmt::Write as _,
    fs,
    io::{self, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const ROUNDS: usize = 5;
/// The binary to measure.
const OVERBOARD: &str = env!("CARGO_BIN_EXE_overboard");
/// Bytes of the records that are checked.
const BYTES: usize = 20_000_000;
/// Positions that are listed.
const POSITIONS: usize = 200_000;
/// Plies of random play on linked boards.
const PLIES: u64 = 1_000_000;
/// How often the ends of games are gone through.
const REPEATED: usize = 100;
/// Plies after which a random game is abandoned.
const LONGEST: usize = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args()
        .skip(1)
        .filter(|text| text != "--bench")
        .map(|text| text.parse::<usize>());
    let rounds = numbers.next().transpose()?.unwrap_or(ROUNDS);
    let folder = tempfile::tempdir()?;
    let files = [
        write_files::<Chess>("chess", folder.path())?,
        write_files::<Olympic>("olympic", folder.path())?,
        write_files::<Strategi>("strategichess", folder.path())?,
        write_files::<Meta>("metachess", folder.path())?,
        write_files::<Crazyhouse>("crazyhouse", folder.path())?,
    ];
    let linked = write_linked(folder.path())?;
    let (ours, theirs) = ends();
    let mut contestants: Vec<Contestant<'_>> = vec![
        (
            "perft 5, shakmaty",
            Box::new(|| shakmaty::perft(&shakmaty::Chess::default(), 5)),
        ),
        (
            "perft 5, cozy-chess",
            Box::new(|| cozy_perft(&cozy_chess::Board::default(), 5)),
        ),
        (
            "perft 5, chess",
            Box::new(|| perft(&OneBoard(Chess::default()), 5)),
        ),
        (
            "perft 7, olympic",
            Box::new(|| perft(&OneBoard(Olympic::default()), 7)),
        ),
        (
            "perft 5, metachess",
            Box::new(|| perft(&OneBoard(Meta::default()), 5)),
        ),
        (
            "perft 4, strategichess",
            Box::new(|| perft(&OneBoard(Strategi::default()), 4)),
        ),
        ("random plies, 1 board", Box::new(|| random_plies(1))),
        (
            "random plies, 16 linked boards",
            Box::new(|| random_plies(16)),
        ),
        (
            "random plies, 256 linked boards",
            Box::new(|| random_plies(256)),
        ),
        (
            "check, bytes of 3 linked boards",
            Box::new(|| run(&["check", "--quiet", "--jobs", "1"], &linked)),
        ),
    ];
    if let Some(program) = fairy_stockfish() {
        contestants.push((
            "perft 6, minishogi of Fairy-Stockfish",
            Box::new(move || minishogi(program)),
        ));
    }
    contestants.extend(crazyhouse());
    for Files {
        name,
        records,
        positions,
    } in &files
    {
        contestants.push((
            name.check,
            Box::new(|| run(&["check", "--quiet", "--jobs", "1"], records)),
        ));
        let list = [
            "moves",
            "--variant",
            name.variant,
            "--json",
            "--jobs",
            "1",
            "--fens",
        ];
        contestants.push((
            name.moves,
            Box::new(move || run(&list, positions) * POSITIONS as u64),
        ));
    }
    contestants.push((
        "who can mate, ends of games",
        Box::new(|| who_can_mate(&ours)),
    ));
    contestants.push((
        "moves listed there, shakmaty",
        Box::new(|| moves_listed(&theirs)),
    ));
    report(rounds, &mut contestants);
    Ok(())
}

/// Runs all contestants in turn, and prints what each did in its best round.
fn report(rounds: usize, contestants: &mut [Contestant<'_>]) {
    let done: Vec<_> = contestants.iter_mut().map(|(_, run)| run()).collect();
    let best = clock::interleave(rounds, contestants);
    println!(
        "{:<40}{:>14}{:>10}{:>14}",
        "one core", "done", "CPU s", "million/s"
    );
    for ((name, _), (done, seconds)) in contestants.iter().zip(done.into_iter().zip(best)) {
        println!(
            "{name:<40}{done:>14}{seconds:>10.3}{:>14.3}",
            done as f64 / seconds / 1e6
        );
    }
}

/// The positions at the ends of games that people played, and the same for a peer.
fn ends() -> (Vec<Chess>, Vec<shakmaty::Chess>) {
    let table = include_str!("../../../tests/winnable/ends.txt");
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let Some((_, epd)) = line.split_once(' ') else {
            continue;
        };
        let fen = format!("{epd} 0 1");
        let parsed = fen.parse::<shakmaty::fen::Fen>().ok();
        let position = parsed.and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
        if let (Ok(read), Some(position)) = (Chess::read(&fen), position) {
            ours.push(read.position);
            theirs.push(position);
        }
    }
    (ours, theirs)
}

/// How many questions whether a side can still mate are answered.
fn who_can_mate(ends: &[Chess]) -> u64 {
    let mut answered = 0;
    for _ in 0..REPEATED {
        for end in ends {
            for side in [Side::White, Side::Black] {
                answered += u64::from(end.prospect(side) != Prospect::Undecided);
            }
        }
    }
    answered
}

/// In how many of the same positions a peer lists the moves.
fn moves_listed(ends: &[shakmaty::Chess]) -> u64 {
    let mut listed = 0;
    for _ in 0..REPEATED {
        for end in ends {
            listed += u64::from(!end.legal_moves().is_empty());
        }
    }
    listed
}

/// Perft of Crazyhouse, and of the same positions by the library that knows it too.
fn crazyhouse() -> [Contestant<'static>; 4] {
    [
        (
            "perft 5, crazyhouse of shakmaty",
            Box::new(|| shakmaty::perft(&shakmaty::variant::Crazyhouse::default(), 5)),
        ),
        (
            "perft 5, crazyhouse",
            Box::new(|| perft(&OneBoard(Crazyhouse::default()), 5)),
        ),
        (
            "perft 3, full pockets, crazyhouse of shakmaty",
            Box::new(|| shakmaty::perft(&full_pockets(), 3)),
        ),
        (
            "perft 3, full pockets, crazyhouse",
            Box::new(|| {
                let position = Crazyhouse::read(FULL_POCKETS).map(|read| read.position);
                perft(&OneBoard(position.unwrap_or_default()), 3)
            }),
        ),
    ]
}

/// A position of Crazyhouse in which each side holds a piece of each kind.
const FULL_POCKETS: &str = "2b1k2r/pppp1pp1/2n5/8/8/5N2/PPPP1PP1/2B1K2R[QRBNPqrbnp] w Kk - 5 14";

fn full_pockets() -> shakmaty::variant::Crazyhouse {
    let fen = FULL_POCKETS.parse::<shakmaty::fen::Fen>().ok();
    let position = fen.and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
    position.unwrap_or_default()
}

/// Lines of this many plies from the initial position; the last ply is counted without being played.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut count = 0;
    board.generate_moves(|moves| {
        if depth <= 1 {
            count += moves.len() as u64;
            return false;
        }
        for m in moves {
            let mut after = board.clone();
            after.play_unchecked(m);
            count += cozy_perft(&after, depth - 1);
        }
        false
    });
    count
}

/// Where Fairy-Stockfish is installed, if it is. The game it knows that is nearest to Olympic Chess is
/// minishogi.
fn fairy_stockfish() -> Option<&'static str> {
    ["/usr/games/fairy-stockfish", "/usr/bin/fairy-stockfish"]
        .into_iter()
        .find(|file| Path::new(file).is_file())
}

fn minishogi(program: &str) -> u64 {
    let output = ask(
        program,
        b"uci\nsetoption name UCI_Variant value minishogi\ngo perft 6\nquit\n",
    );
    let text = output.unwrap_or_default();
    let nodes = text
        .lines()
        .find_map(|line| line.strip_prefix("Nodes searched: ")?.trim().parse().ok());
    nodes.unwrap_or(0)
}

fn ask(program: &str, words: &[u8]) -> io::Result<String> {
    let mut engine = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(stdin) = &mut engine.stdin {
        stdin.write_all(words)?;
    }
    Ok(String::from_utf8_lossy(&engine.wait_with_output()?.stdout).into_owned())
}

/// Runs a command on a file; returns the bytes of the file, or 1 if it contains positions.
fn run(arguments: &[&str], file: &Path) -> u64 {
    let status = Command::new(OVERBOARD)
        .args(arguments)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "{arguments:?} {}",
        file.display()
    );
    if arguments[0] == "check" {
        fs::metadata(file).map_or(0, |file| file.len())
    } else {
        1
    }
}

/// The label of a game's rows.
struct Name {
    variant: &'static str,
    check: &'static str,
    moves: &'static str,
}

const NAMES: [Name; 5] = [
    Name {
        variant: "chess",
        check: "check, bytes of chess",
        moves: "moves --fens, positions of chess",
    },
    Name {
        variant: "olympic",
        check: "check, bytes of olympic",
        moves: "moves --fens, positions of olympic",
    },
    Name {
        variant: "strategichess",
        check: "check, bytes of strategichess",
        moves: "moves --fens, positions of strategichess",
    },
    Name {
        variant: "metachess",
        check: "check, bytes of metachess",
        moves: "moves --fens, positions of metachess",
    },
    Name {
        variant: "crazyhouse",
        check: "check, bytes of crazyhouse",
        moves: "moves --fens, positions of crazyhouse",
    },
];

/// Random games of one variant.
struct Files {
    name: &'static Name,
    records: PathBuf,
    positions: PathBuf,
}

/// A file of records and one of positions, from random games.
fn write_files<P: BoardNotation>(variant: &str, folder: &Path) -> Result<Files, Box<dyn Error>> {
    let name = NAMES
        .iter()
        .find(|name| name.variant == variant)
        .ok_or("a variant with a name")?;
    let mut chance = Chance::seeded(0x0B0A_12D5);
    let (mut records, mut positions, mut left) = (String::new(), String::new(), POSITIONS);
    while records.len() < BYTES || left > 0 {
        play::<P>(&mut chance, &mut records, &mut |position| {
            if left > 0 {
                left -= 1;
                // Writing to a `String` cannot fail.
                let _ = writeln!(positions, "{}", position.fen());
            }
        });
    }
    let games = folder.join(format!("{variant}.npgn"));
    let fens = folder.join(format!("{variant}.txt"));
    fs::write(&games, records)?;
    fs::write(&fens, positions)?;
    Ok(Files {
        name,
        records: games,
        positions: fens,
    })
}

/// Random plies on this many boards: a random open board, then a random ply on it.
fn random_plies(boards: usize) -> u64 {
    let mut chance = Chance::seeded(7);
    let mut made = 0;
    while made < PLIES {
        let mut position = Linked::first(boards, Edition::Of2003);
        while position.end_by_itself().is_none() && made < PLIES {
            random_ply(&mut position, &mut chance, |_, _| {});
            made += 1;
        }
    }
    made
}

fn random_ply(position: &mut Linked, chance: &mut Chance, show: impl FnOnce(&Linked, Ply)) {
    let mut board = chance.below(position.boards());
    while position.is_closed(board) {
        board = chance.below(position.boards());
    }
    let mut plies = Vec::with_capacity(256);
    let _ = position.legal_on(LinkedBoard::of(board), |ply| {
        plies.push(ply);
        ControlFlow::Continue(())
    });
    if let Some(ply) = chance.pick(&plies) {
        show(position, ply);
        position.play(ply);
    }
}

/// Records of random games on three linked boards.
fn write_linked(folder: &Path) -> io::Result<PathBuf> {
    let mut chance = Chance::seeded(11);
    let mut records = String::new();
    while records.len() < BYTES {
        let mut position = Linked::first(3, Edition::Of2003);
        let mut text = String::new();
        for _ in 0..LONGEST {
            if position.end_by_itself().is_some() {
                break;
            }
            random_ply(&mut position, &mut chance, |position, ply| {
                let board = ply.board();
                let number =
                    board_number(board as u16, position.fullmove(board), position.turn(board));
                // Writing to a `String` cannot fail.
                let _ = writeln!(text, "{number} {}", linked::san(position, ply));
            });
        }
        let result = position
            .end_by_itself()
            .map_or("*", |ruling| ruling.outcome.as_str());
        let _ = writeln!(
            records,
            "[Event \"?\"]\n[Result \"{result}\"]\n[Variant \"StrategiChess\"]\n[Boards \"A:B:C\"]\n\n{text}{result}\n"
        );
    }
    let file = folder.join("linked.npgn");
    fs::write(&file, records)?;
    Ok(file)
}

/// Writes one random game, and calls `show` with its positions.
fn play<P: BoardNotation>(chance: &mut Chance, out: &mut String, show: &mut dyn FnMut(&P)) {
    let mut position = P::default();
    let mut history = History::default();
    history.start(position.repetition_key(), position.snapshot());
    let (mut text, mut moves, mut ending) = (String::new(), Vec::new(), None);
    for _ in 0..LONGEST {
        show(&position);
        moves.clear();
        position.legal_moves(|m| moves.push(m));
        let Some(m) = chance.pick(&moves) else { break };
        if position.turn() == Side::White {
            let _ = write!(text, "{}. ", position.fullmove());
        }
        let _ = writeln!(text, "{}", position.san(m));
        let irreversible = position.is_irreversible(m);
        position.play(m);
        let recurrence =
            history.reach(position.repetition_key(), position.snapshot(), irreversible);
        ending = position
            .end_by_record(recurrence.now, history.since(recurrence))
            .or_else(|| position.end_by_itself());
        if ending.is_some() {
            break;
        }
    }
    let result = ending.map_or("*", |ruling| ruling.outcome.as_str());
    let _ = writeln!(
        out,
        "[Event \"?\"]\n[Result \"{result}\"]\n[Variant \"{}\"]\n\n{text}{result}\n",
        P::INFO.name
    );
}
