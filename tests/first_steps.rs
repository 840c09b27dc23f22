//! What a person types first: a file or a folder without a command, any name of a game, `-h`.

use crate::run::{overboard, printed, tool};
use overboard_games::registry::{GAMES, Variant};
use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::{Output, Stdio},
};
use tempfile::TempDir;

const GAME: &str = "[Event \"?\"]\n\n1. e4 e5 *\n";
const ILLEGAL: &str = "[Event \"?\"]\n\n1. e4 e5 2. Ke3 *\n";

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs the tool in a folder.
fn at(folder: &Path, words: &[&str]) -> Output {
    tool().args(words).current_dir(folder).output().unwrap()
}

/// A folder with records in it and in folders below, and with files that are none.
fn club() -> TempDir {
    let club = TempDir::new().unwrap();
    let put = |name: &str, text: &str| {
        let path = club.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("round/b.PGN", GAME);
    put("round/a/c.npgn", ILLEGAL);
    put("round/a.pgn", GAME);
    put("round/.old/d.pgn", ILLEGAL);
    put("round/notes.txt", "no record");
    put("empty/notes.txt", "no record");
    put("check", GAME);
    #[cfg(unix)]
    std::os::unix::fs::symlink("../round", club.path().join("round/again")).unwrap();
    club
}

fn verdicts(output: &Output) -> Vec<(String, String)> {
    let lines = printed(output).0;
    let objects = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let text = |value: &Value| value.as_str().unwrap().replace('\\', "/");
    objects
        .filter(|object: &Value| object["verdict"].is_string())
        .map(|object| (text(&object["file"]), text(&object["verdict"])))
        .collect()
}

#[test]
fn a_file_without_a_command_is_checked() {
    let club = club();
    let plain = at(club.path(), &["check", "--json", "round/b.PGN"]);
    for words in [
        &["round/b.PGN", "--json"][..],
        &["--color", "never", "round/b.PGN", "--json"],
        &["--color=never", "round/b.PGN", "--json"],
    ] {
        assert_eq!(at(club.path(), words).stdout, plain.stdout, "{words:?}");
    }
    // A command wins over a file of its name.
    assert_eq!(printed(&at(club.path(), &["check"])).1, 2);
    let mut tool = tool();
    tool.args(["-", "--json"]).stdin(Stdio::from(
        fs::File::open(club.path().join("round/b.PGN")).unwrap(),
    ));
    assert_eq!(
        verdicts(&tool.output().unwrap()),
        [("-".into(), "clean".into())]
    );
    let missing = at(club.path(), &["round/z.pgn"]);
    assert!(complaint(&missing).starts_with("error: there is no file `round/z.pgn` here;"));
    assert_eq!(printed(&missing).1, 2);
}

#[test]
fn a_folder_stands_for_the_records_in_it() {
    let club = club();
    let expected = [
        ("round/a/c.npgn", "illegal"),
        ("round/a.pgn", "clean"),
        ("round/b.PGN", "clean"),
    ]
    .map(|(file, verdict)| (file.to_owned(), verdict.to_owned()));
    for words in [
        &["round", "--json"][..],
        &["check", "--json", "round"],
        &["check", "--json", "round/"],
    ] {
        let found = verdicts(&at(club.path(), words));
        let plain: Vec<_> = found
            .into_iter()
            .map(|(file, verdict)| (file.replace("//", "/"), verdict))
            .collect();
        assert_eq!(plain, expected, "{words:?}");
    }
    for (words, count) in [
        (&["select", "--verdict", "clean", "round"][..], 2),
        (&["convert", "--to", "fen", "round/a"], 1),
        (&["stats", "--json", "round"], 1),
    ] {
        let said = printed(&at(club.path(), words)).0;
        let games = said.matches("[Event ").count().max(said.lines().count());
        assert!(games >= count, "{words:?}: {said}");
    }
    let none = at(club.path(), &["check", "empty"]);
    assert!(complaint(&none).contains("empty: no records in this folder"));
    assert_eq!(printed(&none).1, 2);
    // It does not stop the others.
    let both = at(club.path(), &["check", "--json", "empty", "round/a.pgn"]);
    assert_eq!(verdicts(&both), [("round/a.pgn".into(), "clean".into())]);
    assert_eq!(printed(&both).1, 2);
    at(club.path(), &["event", "new", "cup", "--of", "players"]);
    for words in [&["cup"][..], &["check", "cup"]] {
        let event = at(club.path(), words);
        assert!(complaint(&event).contains("`overboard event check cup` checks it"));
        assert_eq!(printed(&event).1, 2);
    }
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
    let other = overboard(&["moves", "--variant", "moser-chess", "--level", "3"]);
    assert!(complaint(&other).contains("Moser-Chess is Recursive Chess of level 2"));
    let linked = overboard(&["demo", "linked"]);
    assert!(complaint(&linked).contains("`strategichess --boards 3`"));
    let room = TempDir::new().unwrap();
    let said = printed(&at(room.path(), &["demo", "megachess"])).0;
    assert!(said.contains("A game of Mega-Chess"), "{said}");
    let said = printed(&at(room.path(), &["demo", "strategichess"])).0;
    assert!(
        said.ends_with("overboard demo strategichess --boards 3\n"),
        "{said}"
    );
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
    let near = overboard(&["explain", "overchss"]);
    assert!(complaint(&near).contains("did you mean `overchess`?"));
}

#[test]
fn an_example_of_a_finding_says_which_form_is_wrong() {
    let said = printed(&overboard(&["explain", "missing-capture"])).0;
    assert!(said.ends_with(
        "A record with this finding\n  1. e4 d5 2. ed5\n\nThe same without it\n  1. e4 d5 2. exd5\n"
    ));
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
fn what_is_no_ledger_is_named_with_its_line_and_reason() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.json"), "{\"a\": 1}\n").unwrap();
    fs::write(folder.path().join("b.pgn"), ILLEGAL).unwrap();
    let output = at(folder.path(), &["stats", "a.json", "b.pgn"]);
    let (said, exit) = printed(&output);
    assert_eq!(exit, 2);
    assert!(said.contains("left out: 2 with errors, 0 without a result\n  a.json:1: "));
    assert!(
        said.contains("this file is JSON, not a game record"),
        "{said}"
    );
    assert!(
        said.contains("  b.pgn:3: game 1: 2. Ke3 is illegal: "),
        "{said}"
    );
    let (json, _) = printed(&at(folder.path(), &["stats", "--json", "a.json", "b.pgn"]));
    let figures: Value = serde_json::from_str(&json).unwrap();
    let reasons = figures["left_out"]["reasons"].as_array().unwrap();
    assert_eq!(reasons.len(), 2);
    assert_eq!(
        (&reasons[0]["file"], &reasons[0]["code"]),
        (&"a.json".into(), &"not-text".into())
    );
    assert_eq!(
        (&reasons[1]["line"], &reasons[1]["code"]),
        (&3.into(), &"illegal-move".into())
    );
    let csv = at(folder.path(), &["stats", "--csv", "a.json"]);
    assert!(complaint(&csv).contains("left out: a.json:1: "));
    // Of many only the first are named, and that is said.
    fs::write(folder.path().join("c.pgn"), ILLEGAL.repeat(15)).unwrap();
    let (said, _) = printed(&at(folder.path(), &["stats", "c.pgn"]));
    assert_eq!(said.matches("c.pgn:").count(), 10, "{said}");
    assert!(
        said.contains("  … (`overboard check` shows the others)"),
        "{said}"
    );
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

/// Marks of a game in the wrong place are not mistaken for those of another game.
#[test]
fn slips_of_notation_say_what_to_write() {
    let said = |text: &str| {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("a.pgn"), text).unwrap();
        printed(&at(folder.path(), &["check", "--json", "a.pgn"])).0
    };
    let level = said("[Variant \"MetaChess #4\"]\n\n1. Nd2^x e5 *\n");
    assert!(level.contains("`^` comes last in a move") && !level.contains("needs the tag"));
    assert!(level.contains("\"nearest\":\"Nd2^\""), "{level}");
    let boards = said("[Variant \"StrategiChess\"]\n[Boards \"2\"]\n\n1A. e7 *\n");
    let form = r#"boards are named by letters: [Boards \"A:B\"]"#;
    assert!(boards.contains(form), "{boards}");
    let many = said("[Variant \"StrategiChess\"]\n[Boards \"100\"]\n\n1A. e7 *\n");
    assert!(
        many.contains(r#"[Boards \"A:B:C:…\"], 100 boards in all"#),
        "{many}"
    );
}
