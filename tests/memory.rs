//! No command needs more memory than a bound, whatever it reads; a table shows how much each needs.
//!
//! A separate program: the system reports the peak memory of all child processes together, so each command is run by a
//! process that has no other child. A usual run reads little, to keep the code of the table working; `just memory`
//! reads all records of the project and generated ones of many megabytes.

#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

mod bomb;
#[path = "memory/pages.rs"]
mod pages;
#[path = "../cli/benches/growth/things.rs"]
mod things;

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The most memory that a command may need, in KiB, and the limit where it holds the sheets of many games.
const BOUND: i64 = 256 << 10;
const OF_SHEETS: i64 = 512 << 10;
/// The environment variable that tells the process which command to run.
const COMMAND: &str = "OVERBOARD_MEASURED";

/// Commands that read records, besides those whose growth is measured.
const MORE: [&[&str]; 7] = [
    &["show", "--format", "svg"],
    &["show", "--format", "json"],
    &["view", "--output", "/dev/null"],
    &["convert", "--to", "pgn"],
    &["convert", "--to", "fen"],
    &["score"],
    &["bundle"],
];

/// Commands that read sheets, beside those of which growth is measured.
const READ_SHEETS: [&[&str]; 3] = [
    &["check", "--json"],
    &["select", "--verdict", "clean"],
    &["show", "--as-fen"],
];

/// Games of which the sheets are read: how they are played, and how many.
const PLAYED: [(&str, &[&str], usize); 2] = [
    (
        "sheets of matches that say their order",
        &["--variant", "strategichess", "--boards", "24"],
        60,
    ),
    ("sheets of Overchess", &["--variant", "overchess"], 800),
];

/// Commands that read no records, in turn, since some read what others wrote: how many teams and pairs of games there are in a
/// usual run and a deep one, for `{}`; `@` is the folder of the test, `$` the program, `~` a blank within a word, and what
/// follows `<` is standard input.
const OTHERS: [(&str, [usize; 2]); 46] = [
    (
        "pair generate @/cup --teams {} --rounds 9 --boards 4 --seed 1",
        [16, 999],
    ),
    ("event check @/cup", [0; 2]),
    ("event log @/cup", [0; 2]),
    ("event cards @/cup", [0; 2]),
    ("event export @/cup --out @/cup.trf", [0; 2]),
    ("event import @/copy --trf @/cup.trf", [0; 2]),
    ("event publish @/cup @/site", [0; 2]),
    ("event pack @/cup --out @/cup.json", [0; 2]),
    ("event unpack @/again @/cup.json", [0; 2]),
    ("event new @/robin --boards 4 --cycles 16", [0; 2]),
    ("event import @/robin --teams @/teams.csv", [0; 2]),
    ("pair next @/robin", [0; 2]),
    ("pair next @/robin --all", [0; 2]),
    ("event new @/swiss --system swiss-team --rounds 9", [0; 2]),
    ("event import @/swiss --teams @/teams.csv", [0; 2]),
    ("pair next @/swiss", [0; 2]),
    ("pair check @/cup", [0; 2]),
    ("pair explain @/cup", [0; 2]),
    ("pair show @/cup", [0; 2]),
    ("standings @/cup", [0; 2]),
    (
        "pair trials --rounds 9 --events 4 --seed 1 --teams {}",
        [16, 4096],
    ),
    ("pair table round-robin --cycles 16 {}", [16, 1000]),
    (
        "pair table scheveningen --cycles 16 --to html {}",
        [16, 1000],
    ),
    (
        "selfplay --variant mega-chess --player random --seed 1 --ledger @/mega.ledger --pairs {}",
        [1, 200],
    ),
    ("extend @/mega.ledger --pairs 1", [0; 2]),
    ("ledger @/mega.ledger", [0; 2]),
    ("stats @/mega.ledger", [0; 2]),
    (
        "match --player random --player greedy --seed 1 --ledger @/match.ledger --pairs {}",
        [1, 100],
    ),
    (
        "match --engine name=A~cmd=\"$~serve~--proto~uci~--player~random\"~nodes=1 --player random --ledger @/engine.ledger --pairs {}",
        [1, 50],
    ),
    (
        "engine check --st 0.01 $~serve~--proto~uci~--player~random --max-plies {}",
        [4, 200],
    ),
    ("serve --proto lines --player random <@/lines", [0; 2]),
    ("serve --proto uci --player random <@/uci", [0; 2]),
    ("serve --proto cecp --player random <@/cecp", [0; 2]),
    ("orders @/orders.npgn", [0; 2]),
    ("orders --json @/orders.npgn", [0; 2]),
    (
        "plan --variant chess --player random --seed 1 @/plan.json --pairs {}",
        [1, 5000],
    ),
    ("run @/plan.json", [0; 2]),
    ("moves --json --fens @/positions", [0; 2]),
    ("perft --fens @/positions 2", [0; 2]),
    ("moves --variant recursive --level {}", [1, 3]),
    ("perft --divide --variant recursive 1 --level {}", [1, 3]),
    ("score --fens @/positions", [0; 2]),
    (
        "convert --from coord --to npgn --variant recursive @/positions --level {}",
        [1, 64],
    ),
    ("demo --folder @/demo", [0; 2]),
    ("explain", [0; 2]),
    ("man", [0; 2]),
];
/// A position, and a line that is far too long for one.
const POSITION: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

/// Folders with records.
const FOLDERS: [&str; 5] = [
    "examples",
    "docs/npgn/suite/foreign",
    "docs/npgn/suite/notation",
    "games/examples",
    "rules/examples",
];

fn is_deep() -> bool {
    env::var("OVERBOARD_TESTS").is_ok_and(|how| how == "deep")
}

/// Plies to and fro.
const LOOP: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];
/// The beginning of a record with instructions.
const LED: &str = "[White \"A:B\"]\n[Black \"C:D\"]\n[Result \"*\"]\n[Boards \"A:B\"]\n[Variant \"StrategiChess\"]\n\n1A. h4 ";

/// What those commands read: so many lines, plies, teams or instructions, and lines of so many bytes.
fn write_sources(folder: &Path, count: usize, long: usize) {
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    let long = "r".repeat(long);
    write("positions", POSITION.repeat(count) + &long);
    let quoted = LOOP.map(|ply| format!("\"{ply}\"")).join(",");
    let plies = vec![quoted.as_str(); count].join(",");
    let game = |variant: &str| format!("{{\"type\":\"game\",\"variant\":\"{variant}\"}}\n");
    let asked = "{\"type\":\"position\"}\n{\"type\":\"legal\"}\n{\"type\":\"go\",\"seat\":\"W\"}\n";
    let played = format!("{{\"type\":\"play\",\"plies\":[{plies}]}}\n");
    write(
        "lines",
        game("chess")
            + &played
            + &game("recursive")
            + asked
            + &long
            + "\n"
            + &game("overchess")
            + asked,
    );
    let start = format!(
        "uci\nposition startpos moves {}\n",
        (LOOP.join(" ") + " ").repeat(count)
    );
    write(
        "uci",
        start + "go depth 2\nposition startpos\ngo depth 2\n" + &long + "\nquit\n",
    );
    write(
        "cecp",
        "xboard\nprotover 2\nnew\nforce\n".to_owned()
            + &(LOOP.join("\n") + "\n").repeat(count)
            + &long
            + "\nquit\n",
    );
    write(
        "orders.npgn",
        LED.to_owned() + &"{[%order W Go for the king!]} ".repeat(13 * count) + "*\n",
    );
    let teams: String = (1..=count.min(4000))
        .map(|team| format!("{team},Team {team}\n"))
        .collect();
    write("teams.csv", "number,name\n".to_owned() + &teams);
}

/// Runs the given command, and reports how much memory it needed.
#[test]
#[ignore = "run by the other test, in a process of its own"]
fn one_command() {
    let Ok(words) = env::var(COMMAND) else { return };
    let (file, words): (Vec<_>, Vec<_>) = words.split('\n').partition(|word| word.starts_with('<'));
    let input = file.first().map_or_else(Stdio::null, |file| {
        fs::File::open(&file[1..]).unwrap().into()
    });
    let status = Command::new(env!("CARGO_BIN_EXE_overboard"))
        .args(&words)
        .stdin(input)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.unwrap().code().is_some(), "{words:?}");
    let usage =
        nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN).unwrap();
    println!("most: {} KiB", usage.max_rss());
}

/// The peak memory of a command, in KiB.
fn peak(words: &[&str]) -> i64 {
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "one_command", "--ignored", "--nocapture"])
        .env(COMMAND, words.join("\n"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.split_once("most: "));
    let most = line.and_then(|(_, most)| most.strip_suffix(" KiB"));
    most.unwrap_or_else(|| panic!("{words:?}: {text}"))
        .parse()
        .unwrap()
}

/// The records of the project.
fn corpora() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let entries = FOLDERS
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        path.extension()
            .is_some_and(|end| end == "pgn" || end == "npgn")
    });
    files.sort();
    files
}

/// The sheets of so many random games.
fn sheets(folder: &Path, how: &[&str], games: usize) -> PathBuf {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let run = |words: &[&str], out: &str| {
        let out = fs::File::create(out).unwrap();
        let mut tool = Command::new(env!("CARGO_BIN_EXE_overboard"));
        let status = tool.args(words).stdout(out).stderr(Stdio::null()).status();
        assert!(status.unwrap().success(), "{words:?}");
    };
    let (ledger, games) = (path("games.jsonl"), games.to_string());
    let random = [
        "selfplay",
        "--player",
        "random",
        "--max-plies",
        "1000000",
        "--ledger",
        &ledger,
        "--games",
        &games,
    ];
    run(&[&random, how].concat(), "/dev/null");
    run(
        &["ledger", "--no-replay", "--to", "npgn", &ledger],
        &path("games.npgn"),
    );
    run(&["unbundle", &path("games.npgn")], &path("sheets.npgn"));
    fs::remove_file(ledger).unwrap();
    folder.join("sheets.npgn")
}

#[test]
fn every_command_keeps_its_memory_within_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let (size, times) = if is_deep() { (1024, 4) } else { (16, 0) };
    let readers = things::READERS.iter().chain(&MORE);
    let mut table = String::new();
    let mut too_much = Vec::new();
    let mut measure = |name: &str, words: &[&str], file: &Path, bound: i64| {
        let most = peak(&[words, &[file.to_str().unwrap()]].concat());
        writeln!(table, "{:>9} KiB  {:<28} {name}", most, words.join(" ")).unwrap();
        if most > bound {
            too_much.push(format!("{name}: {}: {most} KiB", words.join(" ")));
        }
    };
    let own = if is_deep() { corpora() } else { Vec::new() };
    for file in own {
        for words in readers.clone() {
            measure(
                &file.file_name().unwrap().to_string_lossy(),
                words,
                &file,
                BOUND,
            );
        }
    }
    // A usual run tests only the first and the last of the things that records hold, with one command each.
    let last = things::THINGS.len() - 1;
    for (nth, thing) in things::THINGS.into_iter().enumerate() {
        if !is_deep() && nth > 0 && nth < last {
            continue;
        }
        let file = folder.path().join("generated.npgn");
        let copies = if is_deep() {
            (thing.copies * times).max(1)
        } else {
            1
        };
        fs::write(&file, (thing.record)(size).repeat(copies)).unwrap();
        let more = if thing.readers.len() > things::BUNDLERS.len() {
            &MORE[..]
        } else {
            &[]
        };
        let wanted = if is_deep() { usize::MAX } else { 1 };
        for words in thing.readers.iter().chain(more).take(wanted) {
            let of_sheets = thing.name.contains("sheets") || words[0].contains("bundle");
            measure(
                thing.name,
                words,
                &file,
                if of_sheets { OF_SHEETS } else { BOUND },
            );
        }
    }
    for (name, how, games) in PLAYED {
        let file = sheets(folder.path(), how, if is_deep() { games } else { 2 });
        for words in things::BUNDLERS
            .iter()
            .chain(&READ_SHEETS)
            .take(if is_deep() { usize::MAX } else { 2 })
        {
            measure(name, words, &file, BOUND);
        }
    }
    println!("{table}");
    assert!(too_much.is_empty(), "{too_much:#?}");
}

#[test]
fn commands_that_read_no_records_keep_their_memory_within_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().to_str().unwrap();
    let (lines, long) = if is_deep() {
        (100_000, 40 << 20)
    } else {
        (10, 1 << 10)
    };
    write_sources(folder.path(), lines, long);
    let mut too_much = Vec::new();
    for (words, sizes) in OTHERS {
        let words = words
            .replace('@', at)
            .replace("{}", &sizes[usize::from(is_deep())].to_string());
        let word = |word: &str| {
            word.replace('$', env!("CARGO_BIN_EXE_overboard"))
                .replace('~', " ")
        };
        let split: Vec<_> = words.split(' ').map(word).collect();
        let most = peak(&split.iter().map(String::as_str).collect::<Vec<_>>());
        println!("{most:>9} KiB  {}", words.replace(at, "@"));
        if most > BOUND {
            too_much.push(format!("{words}: {most} KiB"));
        }
    }
    assert!(too_much.is_empty(), "{too_much:#?}");
}

/// A file of a few kilobytes holds more than the bound, and asks to remember as much of it as it may.
#[test]
fn what_is_unpacked_is_not_held() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blanks.zst");
    let bomb = bomb::blanks(27, if is_deep() { 4096 } else { 512 });
    assert!(bomb.len() < 1 << 18);
    fs::write(&path, bomb).unwrap();
    for words in [&["check"][..], &["check", "--json"], &["fmt"]] {
        let most = peak(&[words, &[path.to_str().unwrap()]].concat());
        println!("{most:>9} KiB  {}", words.join(" "));
        assert!(most <= BOUND, "{words:?}: {most} KiB");
    }
}
