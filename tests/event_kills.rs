//! Commands that are killed while they change an event: each has made its whole change or none of it, and the event
//! goes on. `tests/history` holds what the system may keep of each file against the library; here real processes die.

use crate::{
    chance::Chance,
    depth::tries,
    event_folder::EventFolder,
    run::{printed, tool},
};
use overboard_events::{Files, store::settled_folder};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// A command that changes an event.
struct Case {
    /// Makes the event as it is before.
    before: fn(&EventFolder),
    /// Its words; `@` stands for the event's folder.
    line: &'static [&'static str],
}

/// Each writes to the folder in another way: the first files of all, some of them, new ones, removed ones, two entries, a
/// log that begins, and a repair.
const CASES: [Case; 9] = [
    Case {
        before: |_| (),
        line: &["event", "new", "@", "--of", "players"],
    },
    Case {
        before: paired,
        line: &["result", "@", "1", "1: 1-0; 2: 0-1"],
    },
    Case {
        before: entered,
        line: &["pair", "next", "@"],
    },
    Case {
        before: paired,
        line: &["event", "cancel", "@", "1"],
    },
    Case {
        before: paired,
        line: &["event", "undo", "@"],
    },
    Case {
        before: paired,
        line: &["event", "undo", "@", "--to", "1"],
    },
    Case {
        before: edited_by_hand,
        line: &["result", "@", "1", "1", "1-0", "--by", "Eve"],
    },
    Case {
        before: of_an_older_version,
        line: &["event", "set", "@", "city", "York"],
    },
    Case {
        before: damaged,
        line: &["event", "repair", "@", "--write"],
    },
];

fn entered(event: &EventFolder) {
    event.done(&["event", "new", "@", "--of", "players"]);
    for name in ["Ann", "Bob", "Cy", "Di"] {
        event.done(&["event", "enter", "@", name]);
    }
}

fn paired(event: &EventFolder) {
    entered(event);
    event.done(&["pair", "next", "@"]);
}

fn edited_by_hand(event: &EventFolder) {
    paired(event);
    let settings = Path::new(&event.event).join("event.toml");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(settings, format!("# ours\n{text}")).unwrap();
}

fn of_an_older_version(event: &EventFolder) {
    let older = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/events/older/lines");
    copy(&older, Path::new(&event.event));
}

/// A line of the log is lost, and a file is.
fn damaged(event: &EventFolder) {
    paired(event);
    let folder = Path::new(&event.event);
    let log = folder.join("log/changes.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines.remove(2);
    fs::write(log, lines.concat()).unwrap();
    fs::remove_file(folder.join("rounds/01.csv")).unwrap();
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// What readers see in a folder; nothing if there is no event in it.
#[derive(Clone, PartialEq, Debug, Default)]
struct Seen {
    files: Files,
    /// What was done, as the log has it.
    log: Vec<String>,
}

impl Seen {
    fn of(event: &EventFolder) -> Self {
        let Ok(found) = settled_folder(Path::new(&event.event)) else {
            return Self::default();
        };
        let log = found.log.entries.iter().map(|entry| entry.what.clone());
        Self {
            files: found.files,
            log: log.collect(),
        }
    }
}

impl Case {
    /// Runs the command on a copy of the folder `before`, kills it, and checks what is left.
    fn survives(&self, before: &EventFolder, done: &Seen, kill: &dyn Fn(&mut Command)) {
        let event = EventFolder::new();
        if Path::new(&before.event).exists() {
            copy(Path::new(&before.event), Path::new(&event.event));
        }
        let started = Seen::of(&event);
        let words = self.line.iter();
        let words = words.map(|word| if *word == "@" { &event.event } else { *word });
        let mut command = tool();
        command.args(words).stdout(Stdio::null());
        kill(command.stderr(Stdio::null()));

        if self.line.contains(&"repair") {
            // A repair that was interrupted is repeated.
            event.done(self.line);
            assert_eq!(Seen::of(&event).files, done.files, "{:?}", self.line);
            assert_eq!(event.done(&["event", "check", "@"]), "no errors found\n");
            return;
        }
        let left = Seen::of(&event);
        let is_before = left.log.len() < done.log.len();
        let whole = if is_before { &started } else { done };
        assert_eq!(left.files, whole.files, "{:?}", self.line);
        // An edit by hand may have been taken up, and that is all.
        assert!(done.log.starts_with(&left.log), "{:?}", left.log);
        assert!(left.log.starts_with(&started.log), "{:?}", left.log);
        if is_before {
            event.done(self.line);
            assert_eq!(&Seen::of(&event), done, "{:?}", self.line);
        } else {
            event.done(&["event", "set", "@", "arbiter", "Flo"]);
        }
        let (said, code) = printed(&event.run(&["event", "check", "@"]));
        assert_eq!(code, 0, "{:?}: {said}", self.line);
    }

    /// An event before the command, what it is after it, and how long the command takes.
    fn made(&self) -> (EventFolder, Seen, Duration) {
        let (before, after) = (EventFolder::new(), EventFolder::new());
        (self.before)(&before);
        if Path::new(&before.event).exists() {
            copy(Path::new(&before.event), Path::new(&after.event));
        }
        let start = Instant::now();
        after.done(self.line);
        let time = start.elapsed();
        (before, Seen::of(&after), time)
    }
}

/// Killed at random moments, and shortly after the change was begun: between two files, or in one.
#[test]
fn a_killed_command_has_done_all_or_nothing() {
    let mut chance = Chance::seeded(38);
    for case in &CASES {
        let (before, done, time) = case.made();
        let micros = usize::try_from(time.as_micros()).unwrap();
        for attempt in 0..tries(5) {
            let is_timed = attempt % 2 == 0;
            let most = if is_timed { micros * 5 / 4 } else { 3000 };
            let pause = Duration::from_micros(chance.below(most) as u64);
            case.survives(&before, &done, &|command| {
                let last = last_line_of(command);
                let was = fs::read(&last).ok();
                let mut child = command.spawn().unwrap();
                let is_begun = || is_timed || fs::read(&last).ok() != was;
                while !is_begun() && child.try_wait().unwrap().is_none() {
                    std::hint::spin_loop();
                }
                std::thread::sleep(pause);
                // It may have ended already.
                let _ = child.kill();
                child.wait().unwrap();
            });
        }
    }
}

/// The copy of the last line of the log, which is written first.
fn last_line_of(command: &Command) -> PathBuf {
    let words = command.get_args().map(Path::new);
    let mut folders = words.filter(|word| word.is_absolute());
    folders.next().unwrap().join("log/last.json")
}

/// Calls of the system that open, write, name, remove or lock files.
const CALLS: [&str; 12] = [
    "openat",
    "write",
    "fsync",
    "fchmod",
    "flock",
    "ftruncate",
    "linkat",
    "?rename",
    "?renameat",
    "?unlink",
    "unlinkat",
    "?mkdir",
];

/// Killed at each call by which it could have changed something.
#[test]
#[ignore = "needs strace, and takes minutes"]
fn a_command_killed_at_any_call_has_done_all_or_nothing() {
    for case in &CASES {
        let (before, done, _) = case.made();
        let mut kills = 0;
        for call in CALLS {
            for number in 1.. {
                let is_killed = std::cell::Cell::new(false);
                case.survives(&before, &done, &|command| {
                    let status = at_call(call, number, command).status().unwrap();
                    is_killed.set(!status.success());
                });
                if !is_killed.get() {
                    break;
                }
                kills += 1;
            }
        }
        println!("{}: killed at {kills} calls", case.line.join(" "));
        assert!(kills > 20, "{:?}: killed at {kills} calls", case.line);
    }
}

/// The command, which dies before its call with this number.
fn at_call(call: &str, number: usize, command: &Command) -> Command {
    let mut strace = Command::new("strace");
    let kill = format!("inject={call}:signal=KILL:when={number}");
    strace.args(["-f", "-qq", "-o", "/dev/null", "-e"]);
    strace.args([format!("trace={call}"), "-e".to_owned(), kill]);
    strace.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            strace.env(name, value);
        }
    }
    strace.stdout(Stdio::null()).stderr(Stdio::null());
    strace
}
