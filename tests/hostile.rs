//! Texts made to break a reader: none makes the program crash, stall or exhaust memory.

mod file;

use crate::run::{overboard, printed, tool};
use file::HostileFile;
use overboard_rules::ply::BoardName;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufRead as _, BufReader},
    path::Path,
    process::Stdio,
};

const TAGS: &str = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n";
const NEXT: &str = "\n[Event \"next\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n";

fn kinds<const N: usize>(counts: [(&str, usize); N]) -> BTreeMap<String, usize> {
    counts
        .into_iter()
        .map(|(kind, count)| (kind.to_string(), count))
        .collect()
}

fn nested_variations(depth: usize) -> HostileFile {
    HostileFile::with(&[
        (TAGS, 1),
        ("1. e4", 1),
        (" (1. d4", depth),
        (")", depth),
        (" *\n", 1),
        (NEXT, 1),
    ])
}

#[test]
fn variations_nest_up_to_the_limit() {
    for depth in [10_000, 100_000] {
        let judged = nested_variations(depth);
        assert_eq!(judged.check(&[]), (0, kinds([])), "{depth}");
        assert_eq!(judged.write().matches('(').count(), depth);
    }
    for depth in [100_001, 1_000_000] {
        assert_eq!(
            nested_variations(depth).check(&[]),
            (2, kinds([("limit", 1)])),
            "{depth}"
        );
    }
}

#[test]
fn variations_that_never_close_are_reported_from_the_first() {
    let judged = HostileFile::with(&[
        (TAGS, 1),
        ("1. e4", 1),
        (" (1. d4", 100_000),
        ("\n", 1),
        (NEXT, 1),
    ]);
    let (exit, found) = judged.check(&[]);
    assert_eq!((exit, found), (2, kinds([("unclosed-bracket", 1)])));
    let first = judged.run(&["check", "--quiet"]).out;
    assert!(first.contains("games.pgn:9:7: error["), "{first}");
    judged.write();
}

#[test]
fn a_million_empty_variations_are_read() {
    let side_by_side = HostileFile::with(&[
        (TAGS, 1),
        ("1. e4", 1),
        (" ()", 1_000_000),
        (" *\n", 1),
        (NEXT, 1),
    ]);
    assert_eq!(side_by_side.check(&[]), (0, kinds([])));
    side_by_side.write();
    let nested = HostileFile::with(&[
        (TAGS, 1),
        ("1. e4 ", 1),
        ("(", 1_000_000),
        (")", 1_000_000),
        (" *\n", 1),
        (NEXT, 1),
    ]);
    assert_eq!(nested.check(&[]), (2, kinds([("limit", 1)])));
}

fn numbered_tags(count: usize) -> HostileFile {
    let tags: String = (0..count).map(|n| format!("[T{n} \"\"]\n")).collect();
    HostileFile::with(&[
        ("[Event \"?\"]\n", 1),
        (&tags, 1),
        ("\n1. e4 *\n", 1),
        (NEXT, 1),
    ])
}

#[test]
fn tags_are_counted() {
    // The tag Event comes first.
    assert_eq!(numbered_tags(4_095).check(&[]), (0, kinds([])));
    assert_eq!(numbered_tags(4_096).check(&[]), (2, kinds([("limit", 1)])));
    let million = numbered_tags(1_000_000);
    assert_eq!(million.check(&[]), (2, kinds([("limit", 1)])));
    // The time to compare names grows with their number, not with its square.
    assert_eq!(million.run(&["check", "--max-tags", "2000000"]).exit, 0);
}

#[test]
fn one_tag_a_million_times_is_named_a_thousand_times() {
    let judged = HostileFile::with(&[
        (TAGS.trim_end(), 1),
        ("\n[White \"?\"]", 1_000_000),
        ("\n\n1. e4 *\n", 1),
        (NEXT, 1),
    ]);
    assert_eq!(
        judged.check(&["--max-tags", "2000000"]),
        (0, kinds([("duplicate-tag", 1000), ("more", 1)]))
    );
}

const MEGABYTE: usize = 1 << 20;

#[test]
fn a_comment_is_as_long_as_it_likes() {
    let words = "a knight on the rim is dim ";
    for (open, close) in [("{", "} "), (";", "\n"), ("\n%", "\n")] {
        let judged = HostileFile::with(&[
            (TAGS, 1),
            ("1. e4 ", 1),
            (open, 1),
            (words, 2 * MEGABYTE),
            (close, 1),
            ("1... e5 *\n", 1),
            (NEXT, 1),
        ]);
        assert_eq!(judged.check(&[]), (0, kinds([])), "{open}");
        assert_eq!(
            judged.write().matches("knight").count(),
            2 * MEGABYTE,
            "{open}"
        );
    }
}

#[test]
fn a_comment_that_never_closes_costs_its_own_game() {
    let judged = HostileFile::with(&[
        (TAGS, 1),
        ("1. e4 {", 1),
        ("a knight on the rim is dim\n", 2 * MEGABYTE),
        (NEXT, 1),
    ]);
    assert_eq!(judged.check(&[]), (2, kinds([("unclosed-comment", 1)])));
    let last = HostileFile::with(&[
        (NEXT, 1),
        (TAGS, 1),
        ("1. e4 {", 1),
        ("a knight on the rim is dim ", 2 * MEGABYTE),
    ]);
    assert_eq!(last.check(&[]), (2, kinds([("unclosed-comment", 1)])));
}

#[test]
fn a_comment_may_hold_games() {
    let judged = HostileFile::with(&[
        (TAGS, 1),
        ("1. e4 {", 1),
        ("\n[Event \"x\"]\n1. e5 *\n", 200_000),
        ("} 1... e5 *\n", 1),
        (NEXT, 1),
    ]);
    assert_eq!(judged.check(&[]), (0, kinds([])));
}

#[test]
fn games_in_a_comment_that_never_closes_are_games() {
    let record = "[Event \"x\"]\n[Result \"*\"]\n\n1. e4 *\n\n";
    let judged = HostileFile::with(&[(TAGS, 1), ("1. e4 {\n", 1), (record, 1_000_000), (NEXT, 1)]);
    let ended = judged.run(&["check", "--quiet"]);
    assert!(ended.is_small(), "{} KiB", ended.peak);
    assert!(
        ended.out.contains("1000002 games: 1000001 clean, ") && ended.out.contains(" 1 unreadable"),
        "{}",
        ended.out
    );
}

#[test]
fn a_word_has_a_limit() {
    let judged = HostileFile::with(&[
        (TAGS, 1),
        ("1. e4 ", 1),
        ("N", 50 * MEGABYTE),
        (" e5 *\n", 1),
        (NEXT, 1),
    ]);
    assert_eq!(judged.check(&[]), (2, kinds([("limit", 1)])));
    let ended = judged.run(&["fmt"]);
    assert!(
        ended.exit == 2 && ended.err.contains("--max-symbol") && ended.is_small(),
        "{}",
        ended.err
    );
    for (length, kind) in [(255, "bad-ply"), (256, "limit")] {
        let judged = HostileFile::with(&[(TAGS, 1), ("1. e4 ", 1), ("N", length), (" *\n", 1)]);
        assert_eq!(judged.check(&[]), (2, kinds([(kind, 1)])), "{length}");
    }
}

#[test]
fn a_tag_value_has_a_limit() {
    let with_value = |length| {
        let tags = TAGS.replace("[White \"?\"]\n", "");
        HostileFile::with(&[
            (tags.trim_end(), 1),
            ("\n[White \"", 1),
            ("x", length),
            ("\"]\n\n1. e4 *\n", 1),
            (NEXT, 1),
        ])
    };
    // A megabyte used to be too much for the reader of this field.
    assert_eq!(with_value(MEGABYTE).check(&[]), (0, kinds([])));
    assert_eq!(with_value(16 * MEGABYTE).run(&["check"]).exit, 0);
    for length in [16 * MEGABYTE + 1, 50 * MEGABYTE] {
        assert_eq!(
            with_value(length).check(&[]),
            (2, kinds([("limit", 1)])),
            "{length}"
        );
    }
}

#[test]
fn numbers_without_end_are_refused() {
    let nag = HostileFile::with(&[
        (TAGS, 1),
        ("1. e4 $", 1),
        ("9", MEGABYTE),
        (" e5 *\n", 1),
        (NEXT, 1),
    ]);
    assert_eq!(nag.check(&[]), (0, kinds([("nag-range", 1)])));
    let number = HostileFile::with(&[(TAGS, 1), ("1", 200), (". e4 *\n", 1), (NEXT, 1)]);
    assert_eq!(number.check(&[]), (0, kinds([("move-number", 1)])));
    let tags = TAGS.trim_end();
    let fen = HostileFile::with(&[
        (tags, 1),
        ("\n[SetUp \"1\"]\n[FEN \"", 1),
        ("1", 100_000),
        ("\"]\n\n1. e4 *\n", 1),
        (NEXT, 1),
    ]);
    assert_eq!(fen.check(&[]), (2, kinds([("bad-fen", 1)])));
}

#[test]
fn blanks_and_dots_and_signs_without_end_are_passed_over() {
    let with = |sign| {
        HostileFile::with(&[
            (TAGS, 1),
            ("1. e4 ", 1),
            (sign, 50 * MEGABYTE),
            (" e5 *\n", 1),
            (NEXT, 1),
        ])
    };
    assert_eq!(with(" ").check(&[]), (0, kinds([])));
    assert_eq!(with(".").check(&[]), (0, kinds([("number-form", 1)])));
    assert_eq!(with("+").check(&[]), (0, kinds([("sign-alone", 1)])));
    assert_eq!(with("!").check(&[]), (0, kinds([("nag-range", 1)])));
    assert_eq!(
        with("\u{1}").check(&[]),
        (0, kinds([("control-character", 1)]))
    );
    assert_eq!(with("~").check(&[]), (2, kinds([("bad-token", 1)])));
    // A malformed tag pair is skipped to the end of its line, and so is a result on that line.
    assert_eq!(
        with("[").check(&[]),
        (2, kinds([("bad-tag", 1), ("missing-result", 1)]))
    );
}

#[test]
fn a_game_is_one_line_of_a_hundred_megabytes() {
    let variation = " (1. d4 d5 2. c4 e6 3. Nc3 Nf6)";
    let judged = HostileFile::with(&[
        (TAGS, 1),
        ("1. e4", 1),
        (variation, 100 * MEGABYTE / variation.len()),
        (" 1... e5 *\n", 1),
        (NEXT, 1),
    ]);
    assert_eq!(judged.check(&[]), (0, kinds([])));
}

#[test]
fn a_game_of_a_million_plies_ended_long_before() {
    let shuffle = " Nf3 Nf6 Ng1 Ng8";
    let judged = HostileFile::with(&[
        (TAGS, 1),
        ("1.", 1),
        (shuffle, 250_000),
        (" *\n", 1),
        (NEXT, 1),
    ]);
    // Fivefold repetition at ply 16. A record whose moves go on after the end of the game is one fault.
    assert_eq!(judged.check(&[]), (1, kinds([("move-after-end", 1)])));
    assert!(
        judged
            .run(&["check", "--json"])
            .out
            .contains("\"ply\":17,\"number\":\"9.\"")
    );
    judged.write();
}

#[test]
fn blocks_nest_up_to_the_limit() {
    let variant = TAGS.trim_end().to_string() + "\n[Variant \"Overchess\"]\n\n";
    let nested = |depth| {
        HostileFile::with(&[
            (&variant, 1),
            ("1. e4", 1),
            (" <e5: 1. e4", depth),
            (" 1-0>", depth),
            (" *\n", 1),
            (NEXT, 1),
        ])
    };
    assert_eq!(nested(1_000).check(&[]), (1, kinds([("illegal-move", 1)])));
    nested(1_000).write();
    for depth in [1_001, 100_000] {
        assert_eq!(
            nested(depth).check(&[]),
            (2, kinds([("illegal-move", 1), ("limit", 1)])),
            "{depth}"
        );
    }
}

#[test]
fn angle_brackets_without_end_are_no_blocks() {
    let (exit, found) = HostileFile::with(&[
        (TAGS, 1),
        ("1. e4 ", 1),
        ("<", 100_000),
        (" *\n", 1),
        (NEXT, 1),
    ])
    .check(&[]);
    assert_eq!((exit, found), (2, kinds([("bad-token", 1)])));
    let (exit, found) = HostileFile::with(&[
        (TAGS, 1),
        ("1. e4 ", 1),
        (">", 100_000),
        (" *\n", 1),
        (NEXT, 1),
    ])
    .check(&[]);
    assert_eq!(
        (exit, found),
        (2, kinds([("more", 1), ("stray-bracket", 1000)]))
    );
}

#[test]
fn levels_depths_and_boards_have_limits() {
    let tagged = |tags: &str| {
        HostileFile::with(&[(TAGS.trim_end(), 1), ("\n", 1), (tags, 1), ("\n\n*\n", 1)]).check(&[])
    };
    for (tags, exit, found) in [
        ("[Variant \"Recursive Chess\"]\n[Level \"64\"]", 0, &[][..]),
        (
            "[Variant \"Recursive Chess\"]\n[Level \"65\"]",
            1,
            &["bad-rules"],
        ),
        (
            "[Variant \"Recursive Chess\"]\n[Level \"99999999999999999999\"]",
            1,
            &["bad-rules"],
        ),
        ("[Variant \"Overchess\"]\n[Rules \"depth=1\"]", 0, &[]),
        ("[Variant \"Overchess\"]\n[Rules \"depth=64\"]", 0, &[]),
        (
            "[Variant \"Overchess\"]\n[Rules \"depth=65\"]",
            1,
            &["bad-rules"],
        ),
    ] {
        let expected = found.iter().map(|kind| (kind.to_string(), 1)).collect();
        assert_eq!(tagged(tags), (exit, expected), "{tags}");
    }
    let boards = |count: usize| {
        format!(
            "[Variant \"StrategiChess\"]\n[Boards \"{}\"]",
            vec!["A"; count].join(":")
        )
    };
    // All players are called A; that no player is known needs no list.
    assert_eq!(tagged(&boards(1_024)), (2, kinds([("bad-list", 1)])));
    assert_eq!(tagged(&boards(1_025)), (2, kinds([("bad-list", 1)])));
}

#[test]
fn other_commands_need_little_memory_too() {
    let comment = HostileFile::with(&[
        (TAGS, 1),
        ("1. e4 {", 1),
        ("a b ", 5_000_000),
        ("} e5 *\n", 1),
        (NEXT, 1),
    ]);
    let varied = HostileFile::with(&[
        (TAGS, 1),
        ("1. e4 ", 1),
        ("(1. d4 ", 50_000),
        (")", 50_000),
        (" e5 *\n", 1),
    ]);
    let lasting = HostileFile::with(&[
        (TAGS, 1),
        ("Nf3 Nf6 Ng1 Ng8 ", 500_000),
        ("*\n", 1),
        (NEXT, 1),
    ]);
    for (judged, games, exit) in [(&comment, 2, 0), (&varied, 1, 0), (&lasting, 2, 1)] {
        for (args, code) in [
            (&["convert", "--to", "jsonl"][..], 0),
            (&["convert", "--to", "coord"], exit),
            (&["convert", "--to", "fen"], exit),
            (&["show", "--as-fen"], exit),
            (&["select"], 0),
        ] {
            let ended = judged.run(args);
            assert!(ended.is_small(), "{args:?}: {} KiB", ended.peak);
            assert_eq!(ended.exit, code, "{args:?}: {}", ended.err);
            match args.last() {
                Some(&"jsonl") => assert_eq!(ended.out.lines().count(), games),
                Some(&"select") => assert!(ended.out.as_bytes() == fs::read(&judged.file).unwrap()),
                _ => {}
            }
        }
    }
}

/// A file of several chunks of a mebibyte with every fault of the corpus in it, and with an unclosed
/// comment across the end of one chunk and a closed one full of games across the end of another.
fn many_games() -> HostileFile {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/npgn/suite/foreign");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| {
        path.extension().is_some_and(|end| end == "pgn") && !path.ends_with("utf16.pgn")
    });
    paths.sort();
    let corpus: Vec<u8> = paths
        .iter()
        .flat_map(|path| [fs::read(path).unwrap(), b"\n".to_vec()].concat())
        .collect();
    let mut text = Vec::new();
    let up_to = |text: &mut Vec<u8>, size: usize| {
        while text.len() + corpus.len() < size {
            text.extend(&corpus);
        }
        while text.len() + NEXT.len() < size {
            text.extend(NEXT.as_bytes());
        }
    };
    up_to(&mut text, MEGABYTE - 50);
    text.extend(
        [
            TAGS,
            "1. e4 {an unclosed comment at the end of the first stretch\n",
            &"on and on\n".repeat(20),
        ]
        .concat()
        .as_bytes(),
    );
    up_to(&mut text, 2 * MEGABYTE - 500);
    text.extend(
        [
            TAGS,
            "1. e4 {",
            &"\n[Event \"x\"]\n\n1. e5 *\n".repeat(100),
            "} 1... e6 *\n",
        ]
        .concat()
        .as_bytes(),
    );
    up_to(&mut text, 3 * MEGABYTE - 500);
    text.extend(
        [
            TAGS,
            "1. e4 {",
            &"\n[Event \"x\"]\n\n1. e5 *\n".repeat(100_000),
            "} 1... e6 *\n",
        ]
        .concat()
        .as_bytes(),
    );
    up_to(&mut text, 6 * MEGABYTE);
    let judged = HostileFile::with(&[]);
    fs::write(&judged.file, text).unwrap();
    judged
}

#[test]
fn threads_change_nothing() {
    let judged = many_games();
    for form in [&["--json"][..], &["--notes"]] {
        let runs = ["1", "2", "3"].map(|jobs| judged.run(&[&["check", "-j", jobs], form].concat()));
        for run in &runs {
            assert_eq!((run.exit, run.err.as_str()), (2, ""));
            assert!(run.out == runs[0].out, "{form:?}");
        }
    }
}

#[test]
fn stretches_are_read_as_one_text() {
    let judged = many_games();
    let file = judged.run(&["check", "--json"]);
    let stdin = tool()
        .args(["check", "--json", "-"])
        .stdin(File::open(&judged.file).unwrap())
        .output()
        .unwrap();
    let (text, exit) = printed(&stdin);
    assert_eq!(exit, file.exit);
    let name = format!("\"file\":\"{}\"", judged.file.display());
    for (from_file, from_stdin) in file
        .out
        .replace(&name, "\"file\":\"-\"")
        .lines()
        .zip(text.lines())
    {
        assert_eq!(from_file, from_stdin);
    }
    assert_eq!(file.out.lines().count(), text.lines().count());
}

/// Reads one line of the program's output and closes the pipe.
fn head(args: &[&str]) -> (Option<i32>, String) {
    let mut child = tool()
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let ended = child.wait_with_output().unwrap();
    (
        ended.status.code(),
        String::from_utf8(ended.stderr).unwrap(),
    )
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let judged = many_games();
    let file = judged.file.to_str().unwrap();
    for args in [
        &["check", file][..],
        &["check", "--json", file],
        &["fmt", file],
        &["fmt", "--check", file],
        &["explain"],
        &["explain", "--json"],
        &["man"],
        &["completions", "bash"],
        &["--help"],
    ] {
        let (exit, words) = head(args);
        assert!(
            matches!(exit, Some(0..=2)) && words.is_empty(),
            "{args:?}: {exit:?} {words}"
        );
    }
}

#[test]
fn what_is_no_file_is_unreadable() {
    let judged = HostileFile::with(&[(NEXT, 1)]);
    let nowhere = judged.folder.path().join("nowhere.pgn");
    let (text, exit) = printed(&overboard(&[
        "check".as_ref(),
        nowhere.as_os_str(),
        judged.file.as_os_str(),
    ]));
    assert_eq!(exit, 2);
    assert!(
        text.contains("2 games: 1 clean, ") && text.contains(" 1 unreadable"),
        "{text}"
    );
    assert_eq!(judged.run(&["fmt", "--check"]).exit, 1);
    assert_eq!(
        printed(&overboard(&["fmt".as_ref(), nowhere.as_os_str()])).1,
        2
    );
}

/// Nothing is stored for each of the first plies, however many there are.
#[test]
fn lines_of_play_are_counted_in_little_memory() {
    let boards = ["--variant", "strategichess", "--boards", "1024"];
    let nested = ["--variant", "recursive", "--level", "3"];
    for (game, lines) in [(boards, "99328\n"), (nested, "676500\n")] {
        let ended = HostileFile::with(&[]).run_alone(&[&["perft", "1"][..], &game].concat());
        assert!(ended.is_small(), "{game:?}: {} KiB", ended.peak);
        assert_eq!((ended.exit, ended.out.as_str()), (0, lines));
    }
}

/// An act on one board that cannot be judged must not copy all the other boards.
#[test]
fn faults_on_many_boards_need_little_memory() {
    let names: Vec<_> = (0..1024)
        .map(|board| BoardName(board).to_string())
        .collect();
    let tags = format!(
        "[Variant \"StrategiChess\"]\n[Boards \"{}\"]\n\n",
        names.join(":")
    );
    let passes: String = names.iter().map(|name| format!("1{name}. --\n")).collect();
    let judged = HostileFile::with(&[
        (TAGS.trim_end(), 1),
        ("\n", 1),
        (tags.as_str(), 1),
        (passes.as_str(), 1),
        ("*\n", 1),
    ]);
    let (exit, found) = judged.check(&[]);
    assert_eq!(
        (exit, found.get("illegal-move")),
        (1, Some(&1000)),
        "{found:?}"
    );
}
