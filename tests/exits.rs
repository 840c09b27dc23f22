//! Exit codes and messages of every command where files are missing or are not files, where the disk is
//! full, where the output is closed, and where the command is interrupted.

use crate::{
    event_folder::EventFolder,
    run::{overboard, tool},
};
use std::{
    collections::BTreeSet,
    fs,
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// What a command in the table reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// A file, for which `@` stands.
    Text(&'static str),
    /// The folder of an event with a paired round.
    Event,
    /// Nothing that could be missing.
    Nothing,
}

use Reads::{Event, Nothing, Text};

const GAMES: &str = "examples/history.pgn";
const MATCH: &str = "examples/scoring.npgn";
const LEDGER: &str = "examples/selfplay.jsonl";

/// Every command that prints, each with as few arguments as possible.
const PRINT: [(Reads, &[&str]); 61] = [
    (Text(GAMES), &["check", "@"]),
    (Text(GAMES), &["check", "--json", "@"]),
    (Text(GAMES), &["check", "@", "--html", "-"]),
    (Text(GAMES), &["fmt", "@"]),
    (Text(GAMES), &["show", "@"]),
    (Text(GAMES), &["show", "--json", "@"]),
    (Text(GAMES), &["show", "--list", "@"]),
    (Text(GAMES), &["show", "--svg", "-", "@"]),
    (Text(GAMES), &["view", "@", "--output", "-"]),
    (Text(GAMES), &["convert", "--to", "npgn", "@"]),
    (Text(GAMES), &["convert", "--to", "jsonl", "@"]),
    (Text(GAMES), &["convert", "--to", "coord", "@"]),
    (Text(GAMES), &["convert", "--to", "fen", "@"]),
    (Text(GAMES), &["convert", "--to", "plies", "@"]),
    (
        Text(GAMES),
        &["convert", "--to", "plies", "--format", "csv", "@"],
    ),
    (Text(GAMES), &["convert", "--to", "games", "@"]),
    (
        Text(GAMES),
        &["convert", "--to", "games", "--format", "csv", "@"],
    ),
    (
        Text("examples/overchess.npgn"),
        &["convert", "--to", "pgn", "@"],
    ),
    (Text(GAMES), &["select", "@"]),
    (Text(GAMES), &["select", "--json", "@"]),
    (Text(GAMES), &["bundle", "@"]),
    (Text(GAMES), &["unbundle", "@"]),
    (Text(GAMES), &["stats", "@"]),
    (Text(LEDGER), &["stats", "@"]),
    (Text(LEDGER), &["ledger", "@"]),
    (Text(LEDGER), &["ledger", "--to", "npgn", "@"]),
    (Text(LEDGER), &["ledger", "--to", "csv", "@"]),
    (Text(LEDGER), &["ledger", "--to", "games", "@"]),
    (
        Text(LEDGER),
        &["ledger", "--to", "plies", "--format", "csv", "@"],
    ),
    (Text(MATCH), &["score", "@"]),
    (Text("examples/linked.npgn"), &["orders", "@"]),
    (Text("examples/fens.txt"), &["moves", "--fens", "@"]),
    (Text("examples/fens.txt"), &["perft", "1", "--fens", "@"]),
    (Event, &["event", "check", "@"]),
    (Event, &["event", "log", "@"]),
    (Event, &["event", "set", "@"]),
    (Event, &["event", "export", "@"]),
    (Event, &["event", "pack", "@"]),
    (Event, &["event", "cards", "@"]),
    (Event, &["pair", "show", "@"]),
    (Event, &["pair", "show", "@", "--to", "html"]),
    (Event, &["pair", "check", "@"]),
    (Event, &["pair", "explain", "@"]),
    (Event, &["standings", "@"]),
    (Event, &["standings", "@", "--to", "csv", "--safe"]),
    (Nothing, &["perft", "1"]),
    (Nothing, &["winnable"]),
    (Nothing, &["show"]),
    (Nothing, &["selfplay", "--player", "random", "--games", "2"]),
    (
        Nothing,
        &[
            "match", "--player", "random", "--player", "greedy", "--games", "2",
        ],
    ),
    (
        Nothing,
        &[
            "pair", "trials", "--teams", "4", "--rounds", "2", "--events", "1",
        ],
    ),
    (Nothing, &["pair", "table", "round-robin", "4"]),
    (Nothing, &["stats", "--wdl", "3,4,5"]),
    (Nothing, &["config"]),
    (Nothing, &["explain", "CH-14", "--json"]),
    (Nothing, &["completions", "bash"]),
    (Nothing, &["man"]),
    (Nothing, &["--help"]),
    (Nothing, &["help"]),
    (Nothing, &["schema", "check"]),
    (Nothing, &["--version"]),
];

/// Commands that change files and read another: `@` is that file, `=` the event, `+` the files they write.
const TAKE: [&[&str]; 18] = [
    &["fmt", "--write", "@"],
    &["fmt", "--check", "@"],
    &["select", "--split", "+", "@"],
    &[
        "plan",
        "--player",
        "random",
        "--games",
        "2",
        "--openings",
        "@",
        "+",
    ],
    &[
        "selfplay",
        "--player",
        "random",
        "--games",
        "2",
        "--openings",
        "@",
    ],
    &["match", "--engines", "@", "--games", "2"],
    &["run", "@"],
    &["extend", "--games", "1", "@"],
    &["merge", "--out", "+", "@"],
    &["result", "=", "1", "--csv", "@"],
    &["result", "=", "1", "--lines", "@"],
    &["result", "=", "1", "--from", "@"],
    &["pair", "set", "=", "1", "--from", "@"],
    &["pair", "lineup", "=", "1", "--csv", "@"],
    &["event", "import", "=", "--teams", "@"],
    &["event", "calls", "=", "@"],
    &["event", "unpack", "+", "@"],
    &["show", "--png-sequence", "+", "@"],
];

/// Commands that write files, tested by what they write.
const WRITE: [&str; 16] = [
    "demo",
    "event new",
    "event enter",
    "event request",
    "event amend",
    "event remove",
    "event lots",
    "event cancel",
    "event undo",
    "event redo",
    "event accept",
    "event repair",
    "event publish",
    "pair next",
    "pair generate",
    "pair lineup",
];

/// Commands that talk to somebody, tested in `tests/serve`, `tests/engines` and `tests/desk`.
const TALK: [&str; 3] = ["serve", "engine check", "desk"];

/// An event, with other files beside it.
struct ExitFolder {
    event: EventFolder,
    folder: TempDir,
}

impl ExitFolder {
    fn new() -> Self {
        let event = EventFolder::new();
        event.done(&[
            "pair", "generate", "--teams", "4", "--rounds", "1", "--seed", "1", "@",
        ]);
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("fens.txt"),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
        )
        .unwrap();
        Self { event, folder }
    }

    fn what(&self, reads: Reads) -> PathBuf {
        match reads {
            Text("examples/fens.txt") => self.folder.path().join("fens.txt"),
            Text(name) => Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name),
            Event => PathBuf::from(&self.event.event),
            Nothing => PathBuf::new(),
        }
    }

    fn command(&self, reads: Reads, line: &[&str]) -> Command {
        with(line, &self.what(reads))
    }
}

fn with(line: &[&str], file: &Path) -> Command {
    let mut command = tool();
    command.args(line.iter().map(|word| {
        if *word == "@" {
            file.as_os_str()
        } else {
            word.as_ref()
        }
    }));
    command.stdin(Stdio::null());
    command
}

fn words(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn every_command_has_its_row() {
    let of = |line: &[&str]| {
        let help = String::from_utf8(overboard(line).stdout).unwrap();
        let commands = help
            .lines()
            .skip_while(|line| !line.starts_with("Commands:"))
            .skip(1);
        let named = commands.take_while(|line| line.starts_with("  "));
        let name = |line: &str| {
            line.split_whitespace()
                .next()
                .unwrap_or_default()
                .to_string()
        };
        let own = named.filter(|line| !line.starts_with("   ")).map(name);
        let parent = line
            .split_last()
            .map_or(&[][..], |(_, parent)| parent)
            .concat();
        own.filter(|name| name != "help")
            .map(|name| format!("{parent} {name}").trim().to_string())
            .collect::<BTreeSet<_>>()
    };
    let mut all = of(&["--help"]);
    for group in ["engine", "event", "pair"] {
        assert!(all.remove(group));
        all.extend(of(&[group, "--help"]));
    }
    assert!(all.len() > 40);
    let rows = PRINT
        .iter()
        .map(|(_, line)| *line)
        .chain(TAKE)
        .map(|line| line.join(" "));
    let known: Vec<_> = rows
        .chain(WRITE.iter().chain(&TALK).map(ToString::to_string))
        .collect();
    let is_known = |name: &String| {
        let start = format!("{name} ");
        known
            .iter()
            .any(|row| format!("{row} ").starts_with(&start))
    };
    let left: Vec<_> = all.iter().filter(|name| !is_known(name)).collect();
    assert!(left.is_empty(), "no row of the table is about {left:?}");
}

#[test]
fn every_command_does_its_work() {
    let place = ExitFolder::new();
    for (reads, line) in PRINT {
        let output = place.command(reads, line).output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(0),
            "{line:?}: {}",
            words(&output)
        );
        assert!(!output.stdout.is_empty(), "{line:?}");
    }
}

/// A missing file, a folder in place of a file or the reverse, and a file that cannot be opened.
#[test]
fn what_is_not_there_and_what_is_no_file_cannot_be_read() {
    let place = ExitFolder::new();
    let [nowhere, no_folder, round, out] =
        ["nowhere", "a file", "round", "out"].map(|name| place.folder.path().join(name));
    fs::write(&no_folder, "1. e4 *\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&round, &round).unwrap();
    let refused = |output: Output, line: &[&str], path: &Path| {
        let said = words(&output) + &String::from_utf8_lossy(&output.stdout);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{line:?} {}: {said}",
            path.display()
        );
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            said.contains(&name) && !said.contains("panicked"),
            "{line:?} {}: {said}",
            path.display()
        );
    };
    for (reads, line) in PRINT.iter().filter(|(reads, _)| *reads != Nothing) {
        let unfit = if *reads == Event {
            no_folder.as_path()
        } else {
            place.folder.path()
        };
        for path in [&nowhere, unfit, &round] {
            refused(with(line, path).output().unwrap(), line, path);
        }
    }
    for line in TAKE {
        for path in [&nowhere, place.folder.path(), &round] {
            let line: Vec<_> = line
                .iter()
                .map(|word| match *word {
                    "=" => place.event.event.as_str(),
                    "+" => out.to_str().unwrap(),
                    word => word,
                })
                .collect();
            refused(with(&line, path).output().unwrap(), &line, path);
        }
    }
}

/// If standard output cannot be written, the command reports it, always with the same exit code.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_under_standard_output_is_said() {
    let place = ExitFolder::new();
    for (reads, line) in PRINT {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = place.command(reads, line).stdout(full).output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(2),
            "{line:?}: {}",
            words(&output)
        );
        assert!(
            words(&output).contains("standard output: No space left"),
            "{line:?}: {}",
            words(&output)
        );
    }
}

/// A closed pipe is no error: its reader has everything it wanted.
#[test]
fn a_pipe_that_nobody_reads_is_no_trouble() {
    let place = ExitFolder::new();
    for (reads, line) in PRINT {
        let mut child = place
            .command(reads, line)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = Vec::new();
        // A pipe that is read for a moment, and one that is never read.
        let pipe = child.stdout.take().unwrap();
        if line.len() % 2 == 0 {
            BufReader::with_capacity(1, pipe)
                .read_until(b'\n', &mut first)
                .unwrap();
        } else {
            drop(pipe);
        }
        let ended = child.wait_with_output().unwrap();
        let said = words(&ended);
        assert!(
            matches!(ended.status.code(), Some(0..=2)) && !said.contains("panicked"),
            "{line:?}: {said}"
        );
        assert!(!said.contains("error"), "{line:?}: {said}");
    }
}

/// Everything in a folder and its subfolders.
#[cfg(unix)]
fn all_in(folder: &Path) -> BTreeSet<(PathBuf, Option<Vec<u8>>)> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(all_in(&path));
            found.insert((path, None));
        } else {
            // A lock file names the last process that held it.
            let bytes = fs::read(&path).ok().filter(|_| !path.ends_with(".lock"));
            found.insert((path, bytes));
        }
    }
    found
}

/// Where nothing can be written, every command that writes files names the file, and leaves everything unchanged.
#[cfg(unix)]
#[test]
fn what_cannot_be_written_leaves_nothing_behind() {
    let place = ExitFolder::new();
    let at = place.folder.path();
    let (games, ledger) = (at.join("games.pgn"), at.join("games.jsonl"));
    let text = fs::read_to_string(place.what(Text(GAMES))).unwrap();
    fs::write(&games, text.replace(" e5", "   e5")).unwrap();
    fs::copy(place.what(Text(LEDGER)), &ledger).unwrap();
    let packed = at.join("packed.json");
    place
        .event
        .done(&["event", "pack", "@", "--out", packed.to_str().unwrap()]);
    let out = at.join("out");
    let name = |path: &Path| path.to_str().unwrap().to_string();
    let (games, ledger, out, packed) = (name(&games), name(&ledger), name(&out), name(&packed));
    let event = place.event.event.as_str();
    let lines: [&[&str]; 26] = [
        &["fmt", "--write", &games],
        &["select", "--split", &out, &games],
        &["show", "--png-sequence", &out, &games],
        &["stats", "--plot-lengths", &out, &ledger],
        &["event", "remove", event, "1"],
        &["bundle", "--output", &out, &games],
        &["unbundle", "--output", &out, &games],
        &["show", "--svg", &out],
        &["show", "--png", &out],
        &["stats", "--plot-score", &out, &ledger],
        &["plan", "--player", "random", "--games", "2", &out],
        &["merge", "--out", &out, &ledger],
        &["event", "pack", event, "--out", &out],
        &["event", "export", event, "--out", &out],
        &["event", "unpack", &out, &packed],
        &["event", "enter", event, "Leeds"],
        &["event", "request", event, "zero-bye", "1"],
        &["event", "amend", event, "1", "--name", "Leeds"],
        &["event", "publish", event, &out],
        &["event", "undo", event],
        &["result", event, "1", "1", "1-0"],
        &["event", "new", &out],
        &["demo", "chess", "--folder", &out],
        &["view", &games, "--output", &out],
        &["check", &games, "--html", &out],
        &["man", "--out", at.to_str().unwrap()],
    ];
    let before = (all_in(at), all_in(Path::new(event)));
    for line in lines {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"])
            .arg(tool().get_program());
        let output = shell
            .args(line)
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = words(&output);
        assert_eq!(output.status.code(), Some(2), "{line:?}: {said}");
        assert!(
            !said.contains("standard output") && !said.contains("panicked"),
            "{line:?}: {said}"
        );
        assert!(
            said.contains("File too large") || said.contains("usage"),
            "{line:?}: {said}"
        );
        assert!(
            (all_in(at), all_in(Path::new(event))) == before,
            "{line:?} left something behind: {said}"
        );
    }
}

/// If a folder is in the way, the parent folder is missing or the disk is full, the message names that path.
#[cfg(target_os = "linux")]
#[test]
fn where_no_file_can_be_written_is_said() {
    let place = ExitFolder::new();
    let (games, ledger) = (place.what(Text(GAMES)), place.what(Text(LEDGER)));
    let [games, ledger] = [&games, &ledger].map(|path| path.to_str().unwrap());
    let (event, at) = (place.event.event.as_str(), place.folder.path());
    fs::create_dir(at.join("folder")).unwrap();
    fs::write(at.join("folder/kept"), "").unwrap();
    let lines: [&[&str]; 12] = [
        &["bundle", games, "--output"],
        &["unbundle", games, "--output"],
        &["show", "--svg"],
        &["show", "--png"],
        &["stats", ledger, "--plot-score"],
        &["stats", ledger, "--plot-lengths"],
        &["event", "pack", event, "--out"],
        &["event", "export", event, "--out"],
        &["view", games, "--output"],
        &["merge", ledger, "--out"],
        &["selfplay", "--player", "random", "--games", "2", "--ledger"],
        &[
            "match", "--player", "random", "--player", "greedy", "--games", "2", "--ledger",
        ],
    ];
    let before = all_in(at);
    for (at_whole, line) in lines.iter().enumerate() {
        for (out, why) in [
            (at.join("folder"), "a folder"),
            (at.join("none/file"), "does not exist"),
            (PathBuf::from("/dev/full"), "No space left"),
        ] {
            let output = tool()
                .args(*line)
                .arg(&out)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let said = words(&output);
            assert_eq!(output.status.code(), Some(2), "{line:?}: {said}");
            // Files that may not be replaced or must be ledgers are refused before anything is written.
            let is_said = at_whole >= 9 || said.contains(why);
            assert!(
                said.contains(&format!("{}: ", out.display())) && is_said,
                "{line:?}: {said}"
            );
        }
    }
    assert!(all_in(at) == before);
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    use nix::{
        sys::signal::{Signal, kill},
        unistd::Pid,
    };
    // A shell ignores the keyboard's interrupt signal for background jobs, and their child processes inherit this.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or_default();
    let is_ignored = mask & 1 << (Signal::SIGINT as u32 - 1) != 0;
    let signal = if is_ignored {
        Signal::SIGTERM
    } else {
        Signal::SIGINT
    };
    kill(Pid::from_raw(child.id().cast_signed()), signal).unwrap();
}

/// Waits for an interrupted command to end.
#[cfg(unix)]
fn ended(mut child: Child, line: &[&str]) -> Output {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{line:?} goes on after an interrupt");
        }
        sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// A command that waits for input ends on Ctrl-C, and writes nothing.
#[cfg(unix)]
#[test]
fn who_waits_and_is_interrupted_leaves_nothing_behind() {
    let (place, aside) = (ExitFolder::new(), tempfile::tempdir().unwrap());
    let pipe = aside.path().join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    // Held open: `extend` opens a ledger for writing, and its end would be the end of the pipe for the others.
    let _held = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(&pipe)
        .unwrap();
    let out = place.folder.path().join("out");
    let word = |word: &&'static str| match *word {
        "=" => place.event.event.clone(),
        "+" => out.to_str().unwrap().to_owned(),
        word => word.to_owned(),
    };
    let before = (
        all_in(place.folder.path()),
        all_in(Path::new(&place.event.event)),
    );
    let printing = PRINT
        .iter()
        .filter(|(reads, _)| matches!(reads, Text(_)))
        .map(|(_, line)| *line);
    let start = |line: &'static [&'static str]| {
        let words: Vec<String> = line.iter().map(word).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = with(&words, &pipe);
        (
            line,
            command
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap(),
        )
    };
    let children: Vec<_> = printing.chain(TAKE).map(start).collect();
    sleep(Duration::from_millis(200));
    children.iter().for_each(|(_, child)| interrupt(child));
    for (line, child) in children {
        let output = ended(child, line);
        let said = words(&output);
        assert!(
            matches!(output.status.code(), None | Some(0..=2)),
            "{line:?}: {said}"
        );
        assert!(
            !said.contains("panicked") && output.stdout.is_empty(),
            "{line:?}: {said}"
        );
    }
    assert!(
        (
            all_in(place.folder.path()),
            all_in(Path::new(&place.event.event))
        ) == before
    );
}

/// Where Ctrl-C leaves work undone, the last line is the command that resumes it, and the ledger is sound.
#[cfg(unix)]
#[test]
fn who_plays_and_is_interrupted_says_how_to_go_on() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let [ledger, other, planned, plan, longer] =
        ["a.jsonl", "b.jsonl", "c.jsonl", "plan.json", "d.jsonl"].map(at);
    let many = [
        "--player", "random", "--player", "greedy", "--pairs", "1000000",
    ];
    let done = |line: &[&str]| {
        let output = overboard(line);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{line:?}: {}",
            words(&output)
        );
    };
    done(&[&["plan"][..], &many, &[&plan]].concat());
    done(&[
        "selfplay", "--player", "random", "--pairs", "1", "--ledger", &longer,
    ]);
    let lines: [(&str, Vec<&str>); 4] = [
        (
            &ledger,
            [&["selfplay", "--ledger", &ledger][..], &many].concat(),
        ),
        (&other, [&["match", "--ledger", &other][..], &many].concat()),
        (&planned, vec!["run", &plan, "--ledger", &planned]),
        (&longer, vec!["extend", &longer, "--pairs", "1000000"]),
    ];
    for (ledger, line) in &lines {
        let held = fs::metadata(ledger).map_or(0, |held| held.len());
        let child = tool()
            .args(line)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while fs::metadata(ledger).map_or(0, |now| now.len()) <= held
            && begun.elapsed().as_secs() < 60
        {
            sleep(Duration::from_millis(5));
        }
        interrupt(&child);
        let output = ended(child, line);
        let said = String::from_utf8(output.stdout.clone()).unwrap();
        assert_eq!(
            output.status.code(),
            Some(1),
            "{line:?}: {said} {}",
            words(&output)
        );
        let last = said.lines().last().unwrap_or_default();
        let command = last
            .strip_prefix("to resume: ")
            .unwrap_or_else(|| panic!("{line:?}: {said}"));
        assert!(
            command.contains(line[0]) && command.contains(ledger),
            "{line:?}: {last}"
        );
        done(&["ledger", ledger]);
    }
}
