//! How the time of each command grows with what a record holds much of.
//!
//! `cargo bench -p overboard --bench growth [-- ROUNDS]`: every command reads records with n, 2n, 4n and 8n of a thing, in turn; the
//! least time of each is taken, less that of an empty record, and the exponent of its growth is printed. 1 is linear.

#[path = "../check/clock.rs"]
mod clock;

use clock::Contestant;
use overboard_rules::ply::BoardName;
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const ROUNDS: usize = 5;
/// The binary measured.
const OVERBOARD: &str = env!("CARGO_BIN_EXE_overboard");
/// How many of a thing a record holds.
const SIZES: [usize; 4] = [128, 256, 512, 1024];
/// Teams of a Swiss event.
const TEAMS: [usize; 4] = [512, 1024, 2048, 4096];
/// What reads records.
const READERS: [&[&str]; 10] = [
    &["check", "--quiet"],
    &["check", "--json"],
    &["fmt"],
    &["stats"],
    &["convert", "--to", "jsonl"],
    &["convert", "--to", "coord"],
    &["convert", "--to", "plies"],
    &["select", "--verdict", "clean"],
    &["show", "--list"],
    &["unbundle"],
];
/// What reads the sheets of boards.
const BUNDLERS: [&[&str]; 2] = [&["bundle"], &["check", "--quiet"]];

/// A thing that a record can hold much of.
struct Thing {
    name: &'static str,
    record: fn(usize) -> String,
    /// Copies of the record in a file, so that there is something to measure.
    copies: usize,
    /// The commands that read it.
    readers: &'static [&'static [&'static str]],
}

const THINGS: [Thing; 11] = [
    Thing {
        name: "games",
        record: |n| record("", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6").repeat(n),
        copies: 10,
        readers: &READERS,
    },
    Thing { name: "plies", record: plies, copies: 100, readers: &READERS },
    Thing {
        name: "tags",
        record: |n| record(&repeated(n, |i| format!("[Tag{i} \"x\"]\n")), "1. e4"),
        copies: 500,
        readers: &READERS,
    },
    Thing {
        name: "variations",
        record: |n| record("", &format!("1. e4{}", " (1. d4 d5)".repeat(n))),
        copies: 200,
        readers: &READERS,
    },
    Thing {
        name: "comments",
        record: |n| record("", &format!("1. e4{}", " {[%clk 1:00:00] so it went}".repeat(n))),
        copies: 200,
        readers: &READERS,
    },
    Thing {
        name: "depth",
        record: |n| record("", &format!("1. e4{}{}", " (1. d4".repeat(n), ")".repeat(n))),
        copies: 200,
        readers: &READERS,
    },
    Thing {
        name: "findings",
        record: |n| record("", &format!("1. e4{} e5", " $999".repeat(n))),
        copies: 200,
        readers: &READERS,
    },
    Thing {
        name: "boards",
        record: |n| boards(n, &["1{A}. a5", "1{a}. a10"]),
        copies: 10,
        readers: &READERS,
    },
    Thing {
        name: "boards, a pass on each",
        record: |n| boards(n, &["1{A}. --"]),
        copies: 1,
        readers: &READERS,
    },
    Thing { name: "sub-games", record: sub_games, copies: 50, readers: &READERS },
    Thing { name: "sheets of boards", record: sheets, copies: 1, readers: &BUNDLERS },
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers =
        std::env::args().skip(1).filter(|text| text != "--bench").map(|text| text.parse::<usize>());
    let rounds = numbers.next().transpose()?.unwrap_or(ROUNDS);
    let folder = tempfile::tempdir()?;
    println!("{:<46}{:>10}{:>12}{:>12}", "one core", "exponent", "s at n", "s at 8n");
    for Thing { name, record, copies, readers } in THINGS {
        let empty = file(folder.path(), "empty.npgn", &record(1))?;
        let files =
            SIZES.map(|size| file(folder.path(), &format!("{size}.npgn"), &record(size).repeat(copies)));
        let files = files.into_iter().collect::<Result<Vec<_>, _>>()?;
        for reader in readers {
            let run = |path: &PathBuf| {
                let path = path.clone();
                Box::new(move || run(reader, &path)) as Box<dyn FnMut() -> u64>
            };
            let mut contestants: Vec<Contestant<'_>> = vec![("nothing", run(&empty))];
            contestants.extend(files.iter().map(|path| ("much", run(path))));
            let best = clock::interleave(rounds, &mut contestants);
            print_row(&format!("{name}: {}", reader.join(" ")), SIZES, &best);
        }
    }
    // Pairing is no reading: it may take longer than what it reads and writes.
    let run = |teams: usize| {
        let line = format!("pair trials --rounds 9 --events 1 --seed 1 --teams {teams}");
        Box::new(move || {
            let line: Vec<_> = line.split(' ').collect();
            run(&line[..line.len() - 1], Path::new(line[line.len() - 1]))
        }) as Box<dyn FnMut() -> u64>
    };
    let mut contestants: Vec<Contestant<'_>> = vec![("nothing", run(2))];
    contestants.extend(TEAMS.map(|teams| ("much", run(teams))));
    print_row("teams: pair trials, 9 rounds", TEAMS, &clock::interleave(rounds, &mut contestants));
    Ok(())
}

/// Prints by what exponent times grow, of which the first is that of next to nothing.
fn print_row(row: &str, sizes: [usize; 4], best: &[f64]) {
    let times: Vec<_> = best[1..].iter().map(|time| (time - best[0]).max(1e-4)).collect();
    let (first, last) = (times[0], times[times.len() - 1]);
    println!("{row:<46}{:>10.2}{first:>12.4}{last:>12.4}", exponent(sizes, &times));
}

/// The slope of the straight line through times and sizes, both as logarithms, that fits best.
fn exponent(sizes: [usize; 4], times: &[f64]) -> f64 {
    let points = || sizes.iter().zip(times).map(|(size, time)| ((*size as f64).ln(), time.ln()));
    let count = times.len() as f64;
    let (x, y) = points().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (up, along) = points().fold((0.0, 0.0), |(up, along), point| {
        (up + (point.0 - x) * (point.1 - y), along + (point.0 - x) * (point.0 - x))
    });
    up / along
}

/// Runs a command on a file, whatever it finds there.
fn run(arguments: &[&str], file: &Path) -> u64 {
    let mut command = Command::new(OVERBOARD);
    command.args(arguments).arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status();
    assert!(status.is_ok_and(|status| status.code().is_some()), "{arguments:?} {}", file.display());
    1
}

fn file(folder: &Path, name: &str, text: &str) -> Result<PathBuf, std::io::Error> {
    let path = folder.join(name);
    fs::write(&path, text)?;
    Ok(path)
}

fn repeated(times: usize, text: impl Fn(usize) -> String) -> String {
    (0..times).map(text).collect()
}

/// A record with these tags beside those that every one has.
fn record(tags: &str, moves: &str) -> String {
    let roster = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n";
    format!("{roster}{tags}\n{moves} *\n\n")
}

/// A variation of so many moves, where nobody counts how often a position comes again.
fn plies(moves: usize) -> String {
    let there_and_back = ["Nf3 Nf6", "Ng1 Ng8"];
    let text = repeated(moves, |at| format!(" {}. {}", at + 1, there_and_back[at % 2]));
    record("", &format!("1. e4 ({})", text.trim_start()))
}

/// These plies on each of so many boards, whose letters stand where `{A}` and `{a}` do.
fn boards(boards: usize, plies: &[&str]) -> String {
    let names: Vec<_> = (0..boards).map(|board| BoardName(board).to_string()).collect();
    let on = |name: &String| {
        let reported = |ply: &&str| ply.replace("{A}", name).replace("{a}", &name.to_lowercase());
        plies.iter().map(reported).collect::<Vec<_>>().join(" ")
    };
    let moves = names.iter().map(on).collect::<Vec<_>>().join("\n");
    record(&format!("[Variant \"StrategiChess\"]\n[Boards \"{}\"]\n", names.join(":")), &moves)
}

/// The sheets of so many boards, without a mark that tells an order.
fn sheets(boards: usize) -> String {
    let names: Vec<_> = (0..boards).map(|board| BoardName(board).to_string()).collect();
    let of_match = "[Variant \"StrategiChess\"]\n";
    let of_board = |name: &String| {
        record(&format!("[Parent \"7/{name}\"]\n{of_match}"), "1. a5 a10 2. b5 b10 3. c5 c10 4. d5 d10")
    };
    let outer = record(&format!("[GameId \"7\"]\n[Boards \"{}\"]\n{of_match}", names.join(":")), "");
    outer + &names.iter().map(of_board).collect::<String>()
}

/// So many sub-games of Overchess in variations, each of a few moves.
fn sub_games(count: usize) -> String {
    let attack = "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Nf3 *>";
    let again = " (2. exd5 <d5: 1. d4 d5 *>)";
    record("[Variant \"Overchess\"]\n", &format!("{attack}{}", again.repeat(count)))
}
