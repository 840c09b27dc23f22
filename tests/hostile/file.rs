//! A file made to break a reader, and a run of the program on it in bounded time and memory.

use crate::run::tool;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    process::{Child, Stdio},
    sync::OnceLock,
    thread::sleep,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// More resident memory, in KiB, than any of these texts takes beyond what the program takes for blanks: 100,000 open
/// variations take 50 MiB, however the program was built.
const ROOM: u64 = 52 << 10;
/// Far more time than any of these texts needs: a run that takes this long has stalled.
const PATIENCE: Duration = Duration::from_secs(90);

/// A temporary folder that holds one text.
pub struct HostileFile {
    pub folder: TempDir,
    pub file: PathBuf,
}

/// How a run ended.
pub struct Ended {
    pub exit: i32,
    pub out: String,
    pub err: String,
    /// The largest resident memory observed, in KiB; 0 if the system does not report it.
    pub peak: u64,
}

impl Ended {
    /// Whether the run took no more memory than such a text may.
    pub fn is_small(&self) -> bool {
        self.peak < program_alone() + ROOM
    }
}

/// The memory of the program with nothing to keep, in KiB. It depends on how the program was built.
fn program_alone() -> u64 {
    static ALONE: OnceLock<u64> = OnceLock::new();
    *ALONE.get_or_init(|| {
        // An empty text would often be done with before the program is looked at.
        let blanks = HostileFile::with(&[(" ", 50 << 20)]);
        let peaks = (0..5).map(|_| blanks.run(&["check"]).peak);
        peaks.max().unwrap_or(0)
    })
}

impl HostileFile {
    /// A folder with a file made of these pieces, each repeated this number of times.
    pub fn with(pieces: &[(&str, usize)]) -> Self {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("games.pgn");
        let mut out = BufWriter::new(File::create(&file).unwrap());
        for (piece, times) in pieces {
            for _ in 0..*times {
                out.write_all(piece.as_bytes()).unwrap();
            }
        }
        out.into_inner().unwrap();
        Self { folder, file }
    }

    /// Runs the program on the text.
    pub fn run(&self, args: &[&str]) -> Ended {
        self.run_alone(&[args, &[self.file.to_str().unwrap()]].concat())
    }

    /// Runs the program with its output redirected to files, so that no pipe has to be drained.
    pub fn run_alone(&self, args: &[&str]) -> Ended {
        let [out, err] = ["out", "err"].map(|name| self.folder.path().join(name));
        let streams = [&out, &err].map(|path| File::create(path).unwrap());
        let [stdout, stderr] = streams.map(Stdio::from);
        let child = tool()
            .args(args)
            .stdout(stdout)
            .stderr(stderr)
            .spawn()
            .unwrap();
        let (exit, peak) = watch(child);
        let text = |path: &Path| String::from_utf8(fs::read(path).unwrap()).unwrap();
        let ended = Ended {
            exit,
            out: text(&out),
            err: text(&err),
            peak,
        };
        assert!(!ended.err.contains("panicked"), "{args:?}: {}", ended.err);
        ended
    }

    /// Checks the text in little memory; returns the exit code and the number of findings of each kind.
    pub fn check(&self, args: &[&str]) -> (i32, BTreeMap<String, usize>) {
        let ended = self.run(&[&["check", "--json"], args].concat());
        assert!(ended.is_small(), "{} KiB", ended.peak);
        let mut kinds = BTreeMap::new();
        for line in ended.out.lines() {
            let object: Value = serde_json::from_str(line).unwrap();
            for finding in object["findings"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|finding| finding["severity"] != "note")
            {
                *kinds
                    .entry(finding["code"].as_str().unwrap().to_string())
                    .or_default() += 1;
            }
        }
        (ended.exit, kinds)
    }

    /// Formats the text in little memory.
    pub fn write(&self) -> String {
        let ended = self.run(&["fmt"]);
        assert!(ended.is_small(), "{} KiB", ended.peak);
        assert_eq!((ended.exit, ended.err.as_str()), (0, ""));
        ended.out
    }
}

/// Waits for the end of a run; returns its exit code and its peak memory.
fn watch(mut child: Child) -> (i32, u64) {
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let started = Instant::now();
    let mut peak = 0;
    loop {
        peak = peak.max(high_water(&status));
        if let Some(ended) = child.try_wait().unwrap() {
            return (ended.code().expect("no signal ends the tool"), peak);
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("the tool has stalled");
        }
        sleep(Duration::from_millis(2));
    }
}

fn high_water(status: &Path) -> u64 {
    let text = fs::read_to_string(status).unwrap_or_default();
    // For a moment the new process still has the memory, and the name, of the thread that started it.
    if !text.starts_with("Name:\toverboard\n") {
        return 0;
    }
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_ascii_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}
