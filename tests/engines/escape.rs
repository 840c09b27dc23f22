//! Engines get no more of the machine than they need, nothing of them survives a match, and no file starts one by itself.

use super::{engine, faults, go_away, play};
use crate::run::{overboard, printed, tool};
use std::{fs, path::Path, process::Command};

/// An engine that a script starts, after it has done something else; with `exec` or without.
fn scripted(name: &str, folder: &Path, before: &str, exec: &str) -> String {
    let file = folder.join(format!("{name}.sh"));
    let command = faults::command("mode=none");
    fs::write(&file, format!("{before}\n{exec} {command}\n")).unwrap();
    format!("name={name} cmd='sh {}' nodes=5", file.display())
}

#[test]
fn nothing_of_an_engine_survives_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let mark = format!("3600.{}", std::process::id());
    let session = format!("setsid sleep {mark} &");
    let twice = format!("(setsid sh -c 'sleep {mark} & sleep {mark}' &)");
    let engines = [
        scripted("Session", folder.path(), &session, "exec"),
        scripted("Twice", folder.path(), &twice, ""),
    ];
    let words = ["--pairs", "2", "--max-plies", "20", "-j", "2"];
    let ran = play(&words, &engines, &folder.path().join("ledger"));
    assert_eq!(ran.output.status.code(), Some(0), "{}", ran.text());
    assert!(go_away(&mark), "what engines have started is left");
}

#[test]
fn engines_get_a_clean_environment_and_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let seen = format!(
        "env > '{}'\nls /proc/self/fd > '{}'",
        path("env"),
        path("files")
    );
    let engine = scripted("Curious", folder.path(), &seen, "exec");
    let program = env!("CARGO_BIN_EXE_overboard");
    let script = format!("exec 7< '{program}'; exec '{program}' \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &script, "sh", "match", "--engine", &engine])
        .args(["--player", "random", "--games", "2", "--max-plies", "10"])
        .args(["--env", "GIVEN", "--ledger", &path("ledger")])
        .env("GIVEN", "on purpose")
        .env("SECRET", "a key")
        .env("OVERBOARD_CONFIG", "")
        .output()
        .unwrap();
    let (text, exit) = printed(&output);
    assert_eq!(exit, 0, "{text}{}", String::from_utf8_lossy(&output.stderr));
    let environment = fs::read_to_string(path("env")).unwrap();
    let has = |name: &str| environment.lines().any(|line| line.starts_with(name));
    assert!(has("PATH=") && has("GIVEN=on purpose"), "{environment}");
    assert!(
        !has("SECRET=") && !has("OVERBOARD_CONFIG="),
        "{environment}"
    );
    let files = fs::read_to_string(path("files")).unwrap();
    assert!(!files.lines().any(|line| line == "7"), "{files}");
}

#[test]
fn commands_in_files_are_shown_and_not_started() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let engine = engine("One", "mode=none", "nodes=5");
    let words = ["--engine", &engine, "--player", "random"];
    let words = [&words[..], &["--pairs", "1", "--max-plies", "10"]].concat();
    let plan = path("plan.json");
    let made = [&["plan"][..], &words, &[&plan]].concat();
    assert_eq!(overboard(&made).status.code(), Some(0));
    let ledger = path("ledger");
    let played = [&["match"][..], &words, &["--ledger", &ledger]].concat();
    assert_eq!(overboard(&played).status.code(), Some(0));
    for (file, command) in [
        (&plan, vec!["run", &plan]),
        (&ledger, vec!["extend", &ledger, "--pairs", "1"]),
    ] {
        let refused = tool().args(&command).output().unwrap();
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains(file.as_str()), "{said}");
        assert!(
            said.contains("They are: `") && said.contains("mode=none"),
            "{said}"
        );
        let allowed = [&command[..], &["--allow-commands"]].concat();
        let (text, exit) = printed(&overboard(&allowed));
        assert_eq!(exit, 0, "{text}");
    }
}
