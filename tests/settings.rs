//! Colours and the settings file.

use crate::run::{printed, tool};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};
use tempfile::TempDir;

const GAME: &str = "[Event \"?\"]\n\n1. e4 e5 *\n";
const ILLEGAL: &str = "[Event \"?\"]\n\n1. e4 e5 2. Ke3 *\n";

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs the tool with a settings file of this text.
fn with_settings(folder: &Path, text: &str, words: &[&str]) -> Output {
    let path = folder.join("config.toml");
    fs::write(&path, text).unwrap();
    let mut tool = tool();
    tool.env("OVERBOARD_CONFIG", path).current_dir(folder);
    tool.args(words).output().unwrap()
}

/// The example of `docs/config.md`.
fn settings_of_the_page() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/config.md");
    let page = fs::read_to_string(page).unwrap();
    let block = page.split("```toml\n").nth(1).unwrap();
    block.split("```").next().unwrap().to_owned()
}

#[test]
fn colours_are_used_when_they_are_wanted() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.pgn"), GAME).unwrap();
    let is_coloured = |settings: &str, variable: &str, words: &[&str]| {
        let path = folder.path().join("config.toml");
        fs::write(&path, settings).unwrap();
        let mut tool = tool();
        tool.env_remove("NO_COLOR").env(variable, "1");
        tool.env("OVERBOARD_CONFIG", path).args(words);
        let output = tool.current_dir(folder.path()).output().unwrap();
        output.stdout.contains(&0x1b) || output.stderr.contains(&0x1b)
    };
    const CHECK: [&str; 2] = ["check", "a.pgn"];
    const ALWAYS: [&str; 4] = ["check", "--color", "always", "a.pgn"];
    for (settings, variable, words, expected) in [
        ("", "NO_COLOR", &CHECK[..], false),
        ("", "CLICOLOR_FORCE", &CHECK, true),
        ("", "NO_COLOR", &ALWAYS, true),
        ("", "NO_COLOR", &["--color=always", "a.pgn"], true),
        (
            "",
            "CLICOLOR_FORCE",
            &["check", "a.pgn", "--color", "never"],
            false,
        ),
        ("color = \"always\"", "NO_COLOR", &CHECK, true),
        ("color = \"never\"", "CLICOLOR_FORCE", &CHECK, false),
        ("color = \"never\"", "CLICOLOR_FORCE", &ALWAYS, true),
        // Complaints and help too.
        ("", "NO_COLOR", &["--color", "always", "chekc"], true),
        ("", "CLICOLOR_FORCE", &["chekc", "--color", "never"], false),
        ("", "NO_COLOR", &["check", "-h", "--color=always"], true),
    ] {
        let found = is_coloured(settings, variable, words);
        assert_eq!(found, expected, "{settings} {variable} {words:?}");
    }
}

#[test]
fn a_wrong_settings_file_is_named_with_its_line() {
    let folder = TempDir::new().unwrap();
    for (text, line, why) in [
        ("colour = \"never\"", 1, "did you mean `color`?"),
        (
            "color = \"never\"\n\njudge-on = true",
            3,
            "the settings are color, jobs, pieces",
        ),
        (
            "piece-letters = \"de\"",
            1,
            "unknown setting `piece-letters`",
        ),
        (
            "color = 3",
            1,
            "expected \"auto\", \"always\" or \"never\" for `color`",
        ),
        ("jobs = 0", 1, "expected a whole number from 1 to 65535"),
        ("jobs = \"many\"", 1, "expected a whole number"),
        (
            "pieces = \"Letters\"",
            1,
            "expected \"figurines\" or \"letters\"",
        ),
        ("[show]\npieces = \"letters\"", 1, "unknown setting `show`"),
        ("jobs = 2\njobs = 3", 2, "duplicate key"),
        ("jobs = ", 1, "config.toml"),
    ] {
        for words in [&["config"][..], &["moves"], &["check", "none.pgn"]] {
            let output = with_settings(folder.path(), text, words);
            let said = complaint(&output);
            assert_eq!(printed(&output).1, 2, "{text}: {said}");
            let place = format!("config.toml:{line}: ");
            assert!(
                said.contains(&place) && said.contains(why),
                "{text}: {said}"
            );
        }
        let help = with_settings(folder.path(), text, &["--help"]);
        assert_eq!(printed(&help).1, 0, "{text}");
    }
    let mut tool = tool();
    tool.env("OVERBOARD_CONFIG", "none.toml").arg("config");
    let missing = tool.current_dir(folder.path()).output().unwrap();
    assert!(complaint(&missing).contains("none.toml: no such file or folder"));
    fs::write(folder.path().join("config.toml"), b"jobs = 2 # \xff").unwrap();
    tool.env("OVERBOARD_CONFIG", "config.toml");
    let bytes = tool.output().unwrap();
    assert!(complaint(&bytes).contains("config.toml:1: this is not UTF-8"));
    let long = "#".repeat(70_000);
    let long = with_settings(folder.path(), &long, &["config"]);
    assert!(complaint(&long).contains("larger than 65536 bytes"));
}

#[test]
fn settings_are_shown_with_where_they_come_from() {
    let folder = TempDir::new().unwrap();
    let text = settings_of_the_page();
    let shown = |words: &[&str]| -> Value {
        let words = [&["config", "--json"], words].concat();
        let output = with_settings(folder.path(), &text, &words);
        serde_json::from_str(&printed(&output).0).unwrap()
    };
    let known = shown(&[]);
    assert_eq!(known["exists"], true);
    let from = |settings: &Value| -> Vec<_> {
        let settings = settings["settings"].as_array().unwrap().iter();
        settings
            .map(|one| {
                format!(
                    "{} {} {} {}",
                    one["key"], one["value"], one["from"], one["line"]
                )
            })
            .map(|one| one.replace('"', ""))
            .collect()
    };
    assert_eq!(
        from(&known),
        [
            "color always file 1",
            "jobs 4 file 2",
            "pieces letters file 3"
        ]
    );
    assert_eq!(
        from(&shown(&["--color", "never"]))[0],
        "color never command-line null"
    );
    // In the usual place, unless another one is named.
    let home = folder.path().join("home/.config/overboard");
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("config.toml"), "jobs = 7").unwrap();
    let place = |variables: &[(&str, PathBuf)]| {
        let mut tool = tool();
        for name in ["OVERBOARD_CONFIG", "XDG_CONFIG_HOME", "HOME", "APPDATA"] {
            tool.env_remove(name);
        }
        tool.envs(variables.iter().cloned());
        let said = printed(&tool.arg("config").output().unwrap()).0;
        let line = said.lines().find(|line| line.starts_with("jobs"));
        line.unwrap().split_whitespace().nth(1).unwrap().to_owned()
    };
    if cfg!(unix) {
        let home = folder.path().join("home");
        assert_eq!(place(&[("HOME", home.clone())]), "7");
        assert_eq!(place(&[("XDG_CONFIG_HOME", home.join(".config"))]), "7");
        let elsewhere = ("XDG_CONFIG_HOME", folder.path().join("none"));
        assert_eq!(place(&[("HOME", home.clone()), elsewhere]), "one");
        let relative = ("XDG_CONFIG_HOME", PathBuf::from("home/.config"));
        assert_eq!(place(&[("HOME", home), relative]), "7");
        assert_eq!(place(&[("HOME", PathBuf::new())]), "one");
        assert_eq!(place(&[]), "one");
    }
}

#[test]
fn settings_are_defaults_and_change_no_verdict_and_no_ledger() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.pgn"), ILLEGAL).unwrap();
    let (text, none) = (settings_of_the_page(), String::new());
    let run = |settings: &str, words: &[&str]| with_settings(folder.path(), settings, words);
    let never = ["--color", "never"];
    let show = |settings: &str, words: &[&str]| {
        run(settings, &[&["show"], &never[..], words].concat()).stdout
    };
    let letters = show(&none, &["--pieces", "letters"]);
    assert_eq!(letters, show(&none, &["--ascii"]));
    assert_eq!(letters, show(&text, &[]));
    // The command line wins.
    let figurines = show(&none, &[]);
    assert_ne!(figurines, letters);
    assert_eq!(figurines, show(&text, &["--pieces", "figurines"]));
    let drawn = show(&none, &["--svg", "-", "--letters"]);
    assert_eq!(drawn, show(&text, &["--svg", "-"]));
    for words in [
        &["check", "a.pgn"][..],
        &["check", "--json", "a.pgn"],
        &["fmt", "a.pgn"],
        &["convert", "--to", "plies", "a.pgn"],
        &["moves", "--json"],
        &["selfplay", "--player", "random", "--games", "3", "--json"],
    ] {
        let words = [words, &never].concat();
        let (one, other) = (run(&none, &words), run(&text, &words));
        assert_eq!(one.stdout, other.stdout, "{words:?}");
        assert_eq!(one.status, other.status, "{words:?}");
    }
    for (name, settings) in [("one", &none), ("other", &text)] {
        let ledger = format!("{name}.jsonl");
        let play = [
            "selfplay", "--player", "random", "--games", "5", "-o", &ledger,
        ];
        run(settings, &play);
        run(settings, &["demo", "olympic", "--folder", name]);
    }
    let same = |one: &str, other: &str| {
        let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
        assert_eq!(read(one), read(other));
    };
    same("one.jsonl", "other.jsonl");
    for ending in ["npgn", "svg", "html"] {
        let name = format!("olympic-seed-1.{ending}");
        same(&format!("one/{name}"), &format!("other/{name}"));
    }
}
