//! What a person types first: any name of a game, `-h`, a file to write. A file or a folder without a command is a case in
//! `tests/cli/arguments`.

use crate::run::{overboard, printed, tool};
use overboard_games::registry::{GAMES, Variant};
use std::{fs, path::Path, process::Output};
use tempfile::TempDir;

const GAME: &str = "[Event \"?\"]\n\n1. e4 e5 *\n";

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs the tool in a folder.
fn at(folder: &Path, words: &[&str]) -> Output {
    tool().args(words).current_dir(folder).output().unwrap()
}

#[test]
fn every_name_of_the_tag_is_a_name_on_the_command_line() {
    for game in Variant::ALL {
        for spelling in game.info().spellings {
            let name = spelling.text;
            let fen = |name: &str| printed(&overboard(&["show", "--as-fen", "--variant", name]));
            let (shown, exit) = fen(&name.to_uppercase());
            assert_eq!(exit, 0, "{name}");
            let level = spelling.level.unwrap_or(1).to_string();
            let argument = game.info().arguments[0];
            let mut plain = vec!["show", "--as-fen", "--variant", argument];
            if game.info().has_levels && GAMES.level_of(argument.as_bytes()) != spelling.level {
                plain = vec![
                    "show",
                    "--as-fen",
                    "--variant",
                    "recursive",
                    "--level",
                    &level,
                ];
            }
            assert_eq!((shown, exit), printed(&overboard(&plain)), "{name}");
        }
    }
}

#[test]
fn a_game_is_explained_at_a_glance() {
    for game in Variant::ALL {
        let info = game.info();
        let (said, exit) = printed(&overboard(&["explain", info.arguments[0]]));
        assert_eq!(exit, 0);
        for page in info.pages {
            for rule in page.rules {
                let line = format!("  {:<8} {}", rule.id, rule.gist);
                assert!(said.contains(&line), "{line}\n{said}");
            }
        }
        for (tag, value) in game.tags(1, info.has_levels.then_some(1), "") {
            assert!(said.contains(&format!("[{tag} \"{value}\"]")), "{said}");
        }
        // Markdown is for pages.
        assert!(!said.contains("](") && !said.contains("**"), "{said}");
        assert_eq!(
            printed(&overboard(&["explain", &info.name.to_uppercase()])).0,
            said
        );
    }
}

/// The subcommands that a help lists.
fn commands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    listed
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(String::from)
        .collect()
}

/// `-h` fits on a screen of 55 lines, and is never longer than `--help`.
#[test]
fn short_help_is_short() {
    const SCREEN: usize = 55;
    let mut waiting = vec![Vec::<String>::new()];
    let mut seen = 0;
    while let Some(command) = waiting.pop() {
        let help = |how: &str| {
            let words = [command.clone(), vec![how.into()]].concat();
            let (text, exit) = printed(&overboard(&words));
            assert_eq!(exit, 0, "{words:?}");
            text
        };
        let (short, long) = (help("-h"), help("--help"));
        let (lines, all) = (short.lines().count(), long.lines().count());
        assert!(
            lines <= SCREEN && lines <= all,
            "{command:?}: {lines} of {all} lines\n{short}"
        );
        for name in commands(&short) {
            waiting.push([command.clone(), vec![name]].concat());
        }
        seen += 1;
    }
    assert!(seen > 50, "{seen} commands");
}

#[test]
fn the_file_to_write_is_named_alike_everywhere() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.pgn"), GAME).unwrap();
    let done = |words: &[&str]| {
        let output = at(folder.path(), words);
        assert_eq!(printed(&output).1, 0, "{words:?}: {}", complaint(&output));
        complaint(&output)
    };
    let play = [
        "selfplay",
        "--player",
        "random",
        "--games",
        "1",
        "--max-plies",
        "9",
    ];
    for (number, option) in ["-o", "--out", "--output", "--ledger"].iter().enumerate() {
        let file = |what: &str| format!("{what}-{number}");
        let said = done(&[&play[..], &[option, &file("ledger")]].concat());
        assert!(!said.contains("not saved"), "{said}");
        assert!(folder.path().join(file("ledger")).is_file());
        if *option == "--ledger" {
            continue;
        }
        done(&["merge", "ledger-0", option, &file("merged")]);
        for command in ["view", "bundle", "unbundle"] {
            done(&[command, "a.pgn", option, &file(command)]);
            assert!(folder.path().join(file(command)).is_file(), "{command}");
        }
        done(&["man", option, &file("man")]);
    }
    assert!(done(&play).contains("the games are not saved; --ledger FILE saves them"));
    let json = [&play[..], &["--json"]].concat();
    assert!(done(&json).contains("the games are not saved"));
}
