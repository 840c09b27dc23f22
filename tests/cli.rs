//! What the command line prints, as cases that can be read without Rust: each file `tests/cli/**/*.trycmd` has commands
//! with their whole output and exit codes. `TRYCMD=overwrite cargo test --test tests cli::` writes them again.

use overboard_engines::{journal, manifest};
use overboard_events::{pack, store};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};
use trycmd::TestCases;

/// What may stand after `$ `: the tool, and what prepares its files. Variables stand in `sh -c`, since those set below would win
/// over them.
const PROGRAMS: [&str; 8] = ["overboard", "cat", "cp", "ls", "mkdir", "rm", "sed", "sh"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cli")
}

/// Where the system has this program.
fn found(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

/// In a case with a folder `NAME.out`, commands run in a copy of `NAME.in`, which goes away afterwards.
///
/// A line is printed for each command, past what captures the output of tests, so this is a process of its own whose lines
/// about right commands are left out.
#[cfg(unix)]
#[test]
fn commands_print_what_the_cases_show() {
    let chosen = env::args().filter(|word| word.starts_with("trycmd="));
    let run = Command::new(env::current_exe().unwrap())
        .args([
            "cli::the_cases_are_run",
            "--exact",
            "--ignored",
            "--nocapture",
        ])
        .args(chosen)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    let wrong: Vec<&str> = said.lines().filter(|line| !is_right(line)).collect();
    assert!(run.status.success(), "{}", wrong.join("\n"));
    // Otherwise no test had that name.
    assert!(said.contains(" ... ok"), "{said}");
}

fn is_right(line: &str) -> bool {
    line.starts_with("Testing ") && line.contains(" ... ok")
}

#[cfg(unix)]
#[test]
#[ignore = "run by the test above"]
fn the_cases_are_run() {
    let tool = Path::new(env!("CARGO_BIN_EXE_overboard"));
    let cases = TestCases::new();
    cases.register_bin("overboard", tool);
    for program in &PROGRAMS[1..] {
        let path = found(program).unwrap_or_else(|| panic!("{program} is not installed"));
        cases.register_bin(*program, path);
    }
    // As `run::tool` runs it, where `sh` finds it, and with names in the same order everywhere.
    let folders = env::var("PATH").unwrap();
    let path = format!("{}:{folders}", tool.parent().unwrap().display());
    cases
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .env("OVERBOARD_CONFIG", "")
        .env("PATH", path)
        .env("LC_ALL", "C");
    cases.case(folder().join("**/*.trycmd"));
    cases.run();
}

fn cases(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            cases(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "trycmd") {
            found.push(path);
        }
    }
}

/// A program that is not known would be passed over without a word, and a case without commands too. Each says why it is
/// there.
#[test]
fn every_case_runs_and_says_why() {
    let mut files = Vec::new();
    cases(&folder(), &mut files);
    assert!(files.len() > 20, "the cases are not where they were");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.display();
        assert!(
            !text.starts_with("```"),
            "{name} does not say why it is there"
        );
        let mut commands = 0;
        for line in text.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let program = line.split(' ').next().unwrap_or_default();
            assert!(PROGRAMS.contains(&program), "{name}: {line}");
            commands += 1;
        }
        assert!(commands > 0, "{name} has no command");
        let blocks = text.lines().filter(|line| line.starts_with("```"));
        assert!(
            blocks.step_by(2).all(|line| line == "```console"),
            "{name}: every block is run"
        );
    }
}

/// Of each format with a number, a file of each number up to the one that is written now is kept, and read by a case or a
/// test.
#[test]
fn every_number_of_a_format_has_a_kept_file() {
    let case = folder().join("earlier-versions.trycmd");
    let text = fs::read_to_string(case).unwrap();
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(1)
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    for (format, written_now) in [
        ("ledger", journal::FORM),
        ("manifest", manifest::FORMAT),
        ("log of an event", store::FORM),
        ("journal of a desk", store::FORM),
        ("pack of an event", pack::FORM),
    ] {
        for number in 1..=written_now {
            let number = number.to_string();
            let is_kept = |row: &&Vec<&str>| row[1] == format && row[2].starts_with(&number);
            assert!(rows.iter().any(|row| is_kept(&row)), "{format} {number}");
        }
    }
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let inputs = folder().join("earlier-versions.in");
    for row in rows {
        let kept = row[3].trim_start_matches("the ledgers in ");
        let kept = kept.trim_start_matches("the log in ");
        for file in kept.split(", ") {
            let is_there = top.join(file).exists() || inputs.join(file).exists();
            assert!(is_there, "{file} is kept nowhere");
        }
        for reader in row[5].split(", ").filter(|reader| *reader != "here") {
            assert!(top.join(reader).exists(), "there is no {reader}");
        }
    }
}
