//! What the command line accepts, and its messages about what it refuses.

use crate::{
    run::{overboard, printed, tool},
    text::judge,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};
use tempfile::TempDir;

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The output of a run that succeeds.
#[track_caller]
fn good(args: &[&str]) -> String {
    let output = overboard(args);
    let (text, exit) = printed(&output);
    assert_eq!(exit, 0, "{args:?}: {text}{}", said(&output));
    text
}

/// The message of a run that is refused.
#[track_caller]
fn refused(args: &[&str]) -> String {
    let output = overboard(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", said(&output));
    said(&output)
}

/// A folder with this file in it, and the path of the file.
fn file(name: &str, bytes: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A position that comes with rules is read under them, wherever it was written.
#[test]
fn positions_are_shown_under_the_rules_that_go_with_them() {
    for (variant, level, boards, rules) in [
        ("overchess", None, None, "depth=2"),
        ("overchess", None, None, "reserves=team/2P/0P"),
        ("overchess", None, None, "fog:consolidation:prisoners"),
        ("strategichess", None, Some("3"), "edition=2025"),
        ("mega-chess", Some("2"), None, ""),
    ] {
        let mut args = vec!["show", "--as-fen", "--variant", variant, "--rules", rules];
        level
            .iter()
            .for_each(|level| args.extend(["--level", level]));
        let of_boards: Vec<&str> = boards
            .iter()
            .flat_map(|boards| ["--boards", *boards])
            .collect();
        let fen = good(&[&args[..], &of_boards].concat());
        assert_eq!(
            good(&[&args[..], &["--fen", fen.trim_end()]].concat()),
            fen,
            "{variant} {rules}"
        );
    }
    assert!(
        refused(&["show", "--variant", "olympic", "--rules", "fog"])
            .contains("`fog` is not an option")
    );
    // Rules that a record declares, as `check` takes them.
    let (_folder, path) = file("game.npgn", "[Variant \"Overchess\"]\n\n1. e4 d5 *\n");
    let fen = good(&["show", "--as-fen", "--rules", "depth=2", text(&path)]);
    assert_ne!(
        fen,
        good(&["show", "--as-fen", text(&path)]),
        "a level more"
    );
}

/// Games on linked boards convert to lines of coordinates and back.
#[test]
fn lines_of_coordinates_say_how_many_boards_by_an_option() {
    let record = "[Variant \"StrategiChess\"]\n[Boards \"A:B\"]\n\n1A. e5 1a. e10 1B. Nc5 *\n";
    let (folder, path) = file("match.npgn", record);
    let line = good(&["convert", "--to", "coord", text(&path)]);
    let (_, moves) = line
        .split_once('\t')
        .expect("a FEN says how many boards there are");
    let lines = folder.path().join("lines.txt");
    fs::write(&lines, moves).unwrap();
    let back = [
        "convert",
        "--from",
        "coord",
        "--variant",
        "strategichess",
        "--boards",
        "2",
        "--to",
        "npgn",
        text(&lines),
    ];
    let back = good(&back);
    assert!(
        back.contains("[Boards \"A:B\"]") && back.contains("1B. Nc5"),
        "{back}"
    );
    assert!(
        refused(&[
            "convert", "--from", "coord", "--boards", "2", "--to", "npgn", "-"
        ])
        .contains("--boards is for StrategiChess")
    );
}

/// The number of boards has a limit, which an option changes.
#[test]
fn the_limit_of_boards_can_be_moved() {
    for command in [&["moves"][..], &["perft", "1"], &["show", "--as-fen"]] {
        let of = |more: &[&'static str]| [command, &["--variant", "strategichess"], more].concat();
        let over = refused(&of(&["--boards", "1025"]));
        assert!(
            over.contains("1025 boards are more than the limit of 1024 (--max-boards)"),
            "{over}"
        );
        assert!(refused(&of(&["--boards", "3", "--max-boards", "2"])).contains("the limit of 2"));
    }
    let many = [
        "show",
        "--as-fen",
        "--variant",
        "strategichess",
        "--boards",
        "1030",
        "--max-boards",
        "3000",
    ];
    assert_eq!(good(&many).matches(" | ").count(), 1029);
}

/// Names of games may be in capitals, too.
#[test]
fn games_are_named_in_any_case() {
    let plain = good(&["show", "--as-fen", "--variant", "mega-chess"]);
    for name in ["Mega-Chess", "MEGA-CHESS"] {
        assert_eq!(good(&["show", "--as-fen", "--variant", name]), plain);
        assert_eq!(
            good(&["perft", "1", "--variant", name]),
            good(&["perft", "1", "--variant", "mega-chess"])
        );
    }
    let folder = TempDir::new().unwrap();
    good(&[
        "event",
        "new",
        text(&folder.path().join("cup")),
        "--game",
        "Olympic",
        "--of",
        "players",
    ]);
    let run = [
        "selfplay",
        "--variant",
        "Mega-Chess",
        "--player",
        "random",
        "--games",
        "1",
        "--random-plies",
        "0",
        "--max-plies",
        "4",
    ];
    assert!(
        good(&run).contains("Recursive Chess 1 (Mega-Chess): 1 of 1 games"),
        "{}",
        good(&run)
    );
}

/// `help` is also a command, as in other programs.
#[test]
fn help_is_asked_for_in_either_way() {
    for words in [
        &[][..],
        &["check"],
        &["event"],
        &["event", "new"],
        &["pair", "next"],
    ] {
        let option = good(&[words, &["--help"]].concat());
        assert_eq!(good(&[&["help"], words].concat()), option, "{words:?}");
    }
    assert_eq!(
        good(&["event", "help", "new"]),
        good(&["event", "new", "--help"])
    );
    let unknown = refused(&["help", "chek"]);
    assert!(
        unknown.contains("unrecognized subcommand 'chek'"),
        "{unknown}"
    );
}

/// The help of a command is longer than the line in the list of commands.
#[test]
fn long_help_is_printed() {
    assert!(good(&["check", "--help"]).contains("Moves after an illegal one are not judged."));
    assert!(good(&["score", "--help"]).contains("both possible endings are counted"));
    assert!(!good(&["score", "-h"]).contains("both possible endings are counted"));
}

/// If a folder is missing, the message names it and nothing else.
#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = TempDir::new().unwrap();
    let ledger = folder.path().join("games.jsonl");
    good(&[
        "selfplay",
        "--player",
        "random",
        "--games",
        "2",
        "--ledger",
        text(&ledger),
    ]);
    let nowhere = folder.path().join("nowhere/out");
    for args in [
        &["merge", "--out", text(&nowhere), text(&ledger)][..],
        &["stats", "--plot-score", text(&nowhere), text(&ledger)],
        &["show", "--svg", text(&nowhere)],
        &["plan", "--player", "random", "--games", "2", text(&nowhere)],
    ] {
        let why = refused(args);
        assert!(
            why.contains("nowhere/out: its folder does not exist"),
            "{args:?}: {why}"
        );
    }
    let none = refused(&[
        "merge",
        "--out",
        text(&folder.path().join("out")),
        text(&nowhere),
    ]);
    assert!(
        none.contains("nowhere/out") && !none.contains("its folder"),
        "{none}"
    );
}

/// If the disk is full, the message names the file that is written.
#[cfg(unix)]
#[test]
fn a_full_disk_is_said_of_the_file_that_is_written() {
    let games = "[Event \"A\"]\n\n1. e4  e5 2. Nf3 *\n".repeat(4_000);
    let (folder, path) = file("games.pgn", &games);
    let out = folder.path().join("out.npgn");
    for args in [
        &["fmt", "--write", text(&path)][..],
        &["bundle", "--output", text(&out), text(&path)],
        &["unbundle", "--output", text(&out), text(&path)],
    ] {
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"])
            .arg(tool().get_program());
        let output = shell.args(args).env("NO_COLOR", "1").output().unwrap();
        let why = said(&output);
        let file = if args[0] == "fmt" { &path } else { &out };
        assert_eq!(output.status.code(), Some(2), "{args:?}: {why}");
        assert!(
            why.contains(&format!("error: {}: ", file.display())),
            "{args:?}: {why}"
        );
        assert!(!why.contains("standard output"), "{args:?}: {why}");
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            games,
            "it is left as it was"
        );
    }
}

/// Units of more than two games are called matches.
#[test]
fn matches_are_counted_in_words() {
    let text = good(&["stats", "--outcomes", "0:3,0.5:4,1:5", "--unit-games", "3"]);
    assert!(text.contains("  matches by points: "), "{text}");
}

/// No more threads are started than can work.
#[test]
fn any_number_of_threads_comes_to_an_end() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/history.pgn");
    let one = good(&["check", "-j", "1", text(&root)]);
    assert_eq!(good(&["check", "-j", "65535", text(&root)]), one);
    let play = |jobs| {
        good(&[
            "selfplay", "--player", "random", "--games", "40", "-j", jobs,
        ])
    };
    assert_eq!(play("65535"), play("1"));
}

/// `fmt` would destroy a text that it took for moves: it leaves text alone that does not begin as a record.
#[test]
fn what_is_no_record_is_not_formatted() {
    for text in [
        "# A page\n\nof prose\n",
        "number,name\n1,Ann\n",
        "hello\n",
        "* a\n* list\n",
        "1. Begin\n2. End\n",
        "<p>",
    ] {
        let (_folder, path) = file("page.txt", text.as_bytes());
        let output = overboard(&["fmt", "--write", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(
            said(&output).contains("not a game record"),
            "{}",
            said(&output)
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    for text in [
        "e4 e5 *",
        "{a remark} 1. e4 *",
        "; a remark\n1. e4",
        "*",
        "",
        "[Event \"?\"]\n\nhello *",
    ] {
        let (_folder, path) = file("game.pgn", text.as_bytes());
        let output = overboard(&["fmt", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{text}: {}", said(&output));
    }
}

#[test]
fn a_text_that_is_no_table_is_refused() {
    let (_folder, path) = file("page.txt", b"hello\n");
    assert!(
        refused(&["convert", "--from", "plies", "--to", "npgn", text(&path)])
            .contains("not a table of moves")
    );
}

/// A file that is not text is reported as such, and counts as no clean game.
#[test]
fn what_is_no_text_is_unreadable() {
    let zeros = [0_u8; 4096];
    for (bytes, what) in [
        (&b"PK\x03\x04\x14\0\0\0"[..], "compressed with zip"),
        (b"\xfd7zXZ\0\0\x04", "compressed with xz"),
        (b"7z\xbc\xaf\x27\x1c\0\x04", "compressed with 7-Zip"),
        (b"\xff\xfe[\0E\0", "UTF-16"),
        (b"\0[\0E\0v", "UTF-16"),
        (&[0; 4], "no text"),
        (&zeros, "no text"),
        (b"\x01\x02 \n \x7f\n", "no text"),
        (b"\x7fELF\x02\x01\x01\0\0\0\0\x03\0>", "not text"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not text"),
        (b"%PDF-1.7\n", "not text"),
        (b"{\"run\":\"865600721ee5b897\",\"game\":0}\n", "JSON"),
        (b" [ { \"a\": 1 } ]", "JSON"),
    ] {
        let (_folder, path) = file("games.pgn", bytes);
        let output = overboard(&["check", text(&path)]);
        let (found, exit) = printed(&output);
        let found = found.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(exit, 2, "{}: {found}", bytes.escape_ascii());
        assert!(
            found.contains("error[not-text]") && found.contains(what),
            "{}: {found}",
            bytes.escape_ascii()
        );
        assert!(
            found.contains("0 clean") && found.contains("1 unreadable"),
            "{found}"
        );
        for args in [
            &["fmt", text(&path)][..],
            &["convert", "--to", "jsonl", text(&path)],
        ] {
            let output = overboard(args);
            assert!(
                output.status.code() == Some(2) && said(&output).contains(what),
                "{args:?}: {}",
                said(&output)
            );
        }
    }
    // Control characters within text are a finding of their own, as before.
    for text in [&b"\0\0 1. e4 *"[..], b"1. e4 *\n\0\0\0\0"] {
        let reports = judge(text);
        assert_eq!(reports.len(), 1);
        assert!(
            reports[0]
                .findings
                .iter()
                .all(|finding| finding.code.id != "not-text"),
            "{reports:?}"
        );
    }
}

fn found(text: &str) -> Vec<&'static str> {
    judge(text.as_bytes())
        .iter()
        .flat_map(|report| &report.findings)
        .map(|finding| finding.code.id)
        .collect()
}

/// Impossible times, dates and ratings are warnings.
#[test]
fn what_cannot_be_is_warned_of() {
    for (clock, is_possible) in [
        ("[%clk 0:99:99]", false),
        ("[%clk 0:61:00]", false),
        ("[%clk 0:00:60]", false),
        ("[%emt 0:00:61.5]", false),
        ("[%clk 1:59:59]", true),
        ("[%clk 0:59:59.9]", true),
        ("[%clk 90:00]", true),
    ] {
        let codes = found(&format!("1. e4 {{{clock}}} *\n"));
        assert_eq!(
            codes.contains(&"bad-command"),
            !is_possible,
            "{clock}: {codes:?}"
        );
    }
    for (tag, is_possible) in [
        ("Date \"2026.13.45\"", false),
        ("Date \"2026.00.10\"", false),
        ("Date \"2026.04.31\"", false),
        ("Date \"2026.02.29\"", false),
        ("Date \"1900.02.29\"", false),
        ("Date \"2026.??.32\"", false),
        ("EventDate \"2026.02.30\"", false),
        ("UTCDate \"tomorrow\"", false),
        ("Date \"2024.02.29\"", true),
        ("Date \"2000.02.29\"", true),
        ("Date \"????.02.29\"", true),
        ("Date \"2026.??.31\"", true),
        ("Date \"2026.1?.31\"", true),
        ("Date \"????.??.??\"", true),
        ("WhiteElo \"abc\"", false),
        ("BlackElo \"-100\"", false),
        ("BlackElo \"2026.5\"", false),
        ("WhiteElo \"2850\"", true),
        ("BlackElo \"-\"", true),
        ("WhiteElo \"?\"", true),
        ("WhiteElo \"\"", true),
    ] {
        let codes = found(&format!("[{tag}]\n\n1. e4 *\n"));
        assert_eq!(
            codes.contains(&"tag-value"),
            !is_possible,
            "{tag}: {codes:?}"
        );
        assert!(
            judge(format!("[{tag}]\n\n1. e4 *\n").as_bytes())[0]
                .verdict
                .to_string()
                == "clean",
            "{tag}"
        );
    }
}

/// What other programs write is read, with a note where the standard has another word.
#[test]
fn words_of_other_programs_are_read() {
    assert!(found("1. e4 e5 (1... Z0 2. d4) *\n").contains(&"null-move"));
    assert!(!found("[TimeControl \"10+0.1\"]\n\n1. e4 *\n").contains(&"bad-time-control"));
    for half in [
        &b"\xc2\xbd-\xc2\xbd"[..],
        b"\xc2\xbd",
        b"\xbd-\xbd",
        b"\xbd",
        b"1/2",
    ] {
        let record = [b"[Result \"1/2-1/2\"]\n\n1. e4 e5 ", half, b"\n"].concat();
        let reports = judge(&record);
        assert_eq!(
            (reports.len(), reports[0].verdict.to_string()),
            (1, "clean".into()),
            "{reports:?}"
        );
        assert_eq!(
            reports[0]
                .result
                .record
                .as_ref()
                .map(overboard_formats::foreign::Foreign::as_it_came),
            Some("1/2-1/2"),
            "{reports:?}"
        );
        assert!(
            reports[0]
                .findings
                .iter()
                .any(|finding| finding.code.id == "result-form")
        );
    }
    // Also in a sub-game and in an item of a turn.
    let over = "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5: 1. e4 e5 ½-½> *\n";
    assert!(!found(over).contains(&"bad-ply"), "{:?}", found(over));
}

/// One fault gives one message, and a correct one.
#[test]
fn a_depth_beyond_the_limit_is_all_that_is_said() {
    let codes = |text: &str| {
        found(text)
            .into_iter()
            .filter(|code| *code != "missing-tag")
            .collect::<Vec<_>>()
    };
    assert_eq!(
        codes("[Variant \"Overchess\"]\n[Rules \"depth=65\"]\n\n1. e4 *\n"),
        ["bad-rules"]
    );
    assert_eq!(
        codes("[Variant \"Recursive Chess\"]\n[Level \"65\"]\n\n*\n"),
        ["bad-rules"]
    );
    let (_folder, path) = file("game.npgn", "[Variant \"Overchess\"]\n\n1. e4 *\n");
    let (text, exit) = printed(&overboard(&["check", "--rules", "depth=65", text(&path)]));
    assert!(
        exit == 1 && text.contains("`depth=65` is beyond the limit of 64"),
        "{text}"
    );
    assert!(!text.contains("not in this version"), "{text}");
}
