//! Colours and the settings file.

use crate::run::tool;
use std::{fs, path::Path, process::Output};
use tempfile::TempDir;

const GAME: &str = "[Event \"?\"]\n\n1. e4 e5 *\n";
const ILLEGAL: &str = "[Event \"?\"]\n\n1. e4 e5 2. Ke3 *\n";

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
