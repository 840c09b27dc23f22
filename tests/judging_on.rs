//! What an arbiter does after an illegal move: judge the rest of the game, look at the board, read the record in its
//! language.

use crate::{
    depth::tries,
    run::{overboard, printed, tool},
    text::{judge, judge_with},
};
use overboard_formats::{
    limits::Limits,
    san::{LANGUAGES, Language},
};
use overboard_referee::{
    Options,
    finding::{JudgeOn, Verdict},
    report::Report,
};
use rayon::prelude::*;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn record(game: &str, tags: &str, moves: &str) -> String {
    format!("[Variant \"{game}\"]\n{tags}\n\n{moves}\n")
}

fn judged_on(game: &str, tags: &str, moves: &str) -> Report {
    let options = Options {
        judge_on: true,
        ..Options::default()
    };
    judge_with(record(game, tags, moves).as_bytes(), options).remove(0)
}

/// The findings other than notes, each with whether judging can go on.
fn weighty(report: &Report) -> Vec<(&'static str, Option<JudgeOn>)> {
    let findings = report
        .findings
        .iter()
        .filter(|finding| finding.code.severity.to_string() != "note");
    findings
        .map(|finding| (finding.code.id, finding.judge_on.clone()))
        .collect()
}

fn done(squares: &str) -> (&'static str, Option<JudgeOn>) {
    ("illegal-move", Some(JudgeOn::Done(vec![squares.into()])))
}

const SEVEN: &str = "B1.a3 C1.a3 D1.a3 E1.a3 F1.a3 G1.a3 H1.a3";

#[test]
fn every_game_is_judged_on_where_origin_and_arrival_are_certain() {
    let turn = format!("1. <A1.Ke3 {SEVEN}> <A1.a6 B1.a6 C1.a6 D1.a6 E1.a6 F1.a6 G1.a6 H1.a6> *");
    let sub = "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Ke3 Nf6 1-0> 2... Nf6 *";
    for (game, tags, moves, squares) in [
        ("Chess", "", "1. e4 e5 2. Ke3 Nf6 3. Kd3 *", "e1e3"),
        ("Olympic Chess", "", "1. Kc3 e3 2. Kb3 *", "a1c3"),
        ("StrategiChess", "", "1. Kh6 h8 2. e7 *", "h3h6"),
        (
            "StrategiChess",
            "[Boards \"A:B\"]",
            "1A. Kh6 1a. h8 1B. e7 2A. e7 *",
            "h3h6",
        ),
        ("MetaChess #4", "", "1. e4 e5 2. Ke3 Nf6 3. Kd3 *", "e1e3"),
        ("Overchess", "", "1. e4 e5 2. Ke3 Nf6 3. a3 *", "e1e3"),
        ("Overchess", "", sub, "e1e3"),
        ("Recursive Chess", "", &turn, "e1e3"),
        ("Recursive Chess", "", "1. Kd4 a6 *", "E1D4"),
    ] {
        let report = judged_on(game, tags, moves);
        assert_eq!(
            weighty(&report),
            [done(squares)],
            "{game}: {moves}: {:?}",
            report.findings
        );
        assert_eq!(
            (report.verdict, report.unjudged_from.as_deref()),
            (Verdict::Illegal, None),
            "{moves}"
        );
        assert_eq!(report.judged_on(), 1);
        // Without the option nothing after it is judged, and the finding says what to write.
        let report = judge(record(game, tags, moves).as_bytes()).remove(0);
        let certain = Some(JudgeOn::Certain(squares.into()));
        assert_eq!(weighty(&report)[0], ("illegal-move", certain), "{moves}");
        assert!(report.unjudged_from.is_some(), "{moves}");
        assert_eq!(report.judged_on(), 0);
    }
}

#[test]
fn what_the_finding_reports_to_write_is_read_and_judged_alike() {
    for (game, tags, before, after) in [
        (
            "Chess",
            "",
            "1. e4 e5 2. Ke3",
            "2... Nf6 3. Kd3 Kd7 4. Kd4 *",
        ),
        (
            "StrategiChess",
            "[Boards \"A:B\"]",
            "1A. Kh6",
            "1a. h8 1B. e7 2A. e7 *",
        ),
        ("Overchess", "", "1. e4 e5 2. Ke3", "2... Nf6 3. a3 *"),
        ("Recursive Chess", "", "1. Kd4", "1... a6 *"),
    ] {
        let on = judged_on(game, tags, &format!("{before} {after}"));
        let Some(squares) = on
            .findings
            .iter()
            .find_map(|finding| finding.judge_on.as_ref()?.squares())
        else {
            panic!("{before}: {:?}", on.findings)
        };
        let written = format!("{before} {{[%stands {squares}]}} {after}");
        let stands = judge(record(game, tags, &written).as_bytes()).remove(0);
        let rest = |report: &Report| {
            let codes = report.findings.iter().map(|finding| finding.code.id);
            codes
                .filter(|id| !id.starts_with("illegal-") || *id == "illegal-variation")
                .collect::<Vec<_>>()
        };
        assert_eq!(rest(&on), rest(&stands), "{before}");
        assert_eq!(
            (on.verdict, on.plies),
            (stands.verdict, stands.plies),
            "{before}"
        );
        // What the record says takes precedence over the option.
        let both = judged_on(game, tags, &written);
        assert_eq!(both.judged_on(), 0, "{before}");
        assert_eq!(both.findings.len(), stands.findings.len(), "{before}");
    }
}

#[test]
fn nothing_is_guessed() {
    for (moves, reported) in [
        // A move of the other side.
        ("1. e4 d5 2. dxe4 *", JudgeOn::Unclear),
        // King and rook cannot get there.
        ("1. O-O e5 *", JudgeOn::Nowhere),
        // Whether the rook moved as well is unclear.
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng1 Ng8 5. Kg1 *",
            JudgeOn::Unclear,
        ),
        // Whether a pawn was captured en passant is unclear.
        ("1. e4 a6 2. e5 d5 3. Nf3 Nf6 4. exd6 *", JudgeOn::Unclear),
        // The square is occupied by a piece of the same side.
        ("1. Ke2 e5 *", JudgeOn::Unclear),
    ] {
        let report = judged_on("Chess", "", moves);
        assert_eq!(weighty(&report)[0].1, Some(reported), "{moves}");
        assert!(report.unjudged_from.is_some(), "{moves}");
    }
    // Nothing is suggested where no move was possible.
    for (game, tags, moves) in [
        ("StrategiChess", "[Boards \"A:B\"]", "1a. h9 *"),
        ("Chess", "", "1. f3 e5 2. g4 Qh4# 3. a3 *"),
        ("Overchess", "", "1. e4 e5 <e5: 1-0> *"),
    ] {
        let report = judged_on(game, tags, moves);
        let suggested = weighty(&report).into_iter().find_map(|(_, on)| on);
        assert_eq!(suggested, None, "{moves}");
    }
}

#[test]
fn judging_goes_on_as_far_as_all_ways_agree() {
    let ways = |ways: &[&str]| {
        let ways = ways.iter().map(ToString::to_string).collect();
        ("illegal-move", Some(JudgeOn::Done(ways)))
    };
    for (moves, expected) in [
        // Two knights: what either of them could do next is not illegal, and what neither could is.
        ("1. Ne4 e5 2. a3 *", vec![ways(&["b1e4", "g1e4"])]),
        ("1. Ne4 e5 2. Nc3 *", vec![ways(&["b1e4", "g1e4"])]),
        (
            "1. Ne4 e5 2. Nb3 *",
            vec![ways(&["b1e4", "g1e4"]), ways(&["b1b3", "e4b3", "g1b3"])],
        ),
        // A king left in check.
        (
            "1. e4 e6 2. d4 d5 3. Nc3 Bb4 4. e5 c5 5. Nb5 Nc6+ 6. c3 *",
            vec![ways(&["c3b5"])],
        ),
        // A castling without its right takes the rook along.
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. Ke2 Nf6 5. Ke1 d6 6. O-O O-O 7. Re1 *",
            vec![ways(&["O-O"])],
        ),
    ] {
        let report = judged_on("Chess", "", moves);
        let found: Vec<_> = weighty(&report)
            .into_iter()
            .filter(|(id, _)| *id == "illegal-move")
            .collect();
        assert_eq!(
            found.len(),
            expected.len(),
            "{moves}: {:?}",
            report.findings
        );
        assert_eq!(found[0], expected[0], "{moves}");
    }
}

#[test]
fn a_claim_that_rests_on_what_is_not_known_is_not_called_wrong() {
    let moves = "1. Ne4 Nc6 2. a3 Nb8 3. Ra2 Nc6 4. Ra1 Nb8 5. Nf3 Nc6 6. Ng1 Nb8 {[%claim threefold]} 1/2-1/2";
    let report = judged_on("Chess", "", moves);
    let kinds: Vec<_> = weighty(&report).into_iter().map(|(id, _)| id).collect();
    assert_eq!(kinds, ["illegal-move", "open-ply", "open-ply"]);
}

#[test]
fn commands_after_an_illegal_move_count_where_it_is_judged_on() {
    let resigned = judged_on("Chess", "", "1. e4 e5 2. Ke3 {[%resign W]} 1-0");
    let kinds: Vec<_> = weighty(&resigned).into_iter().map(|(id, _)| id).collect();
    assert_eq!(kinds, ["illegal-move", "wrong-result"]);
    let mated = judged_on(
        "Chess",
        "",
        "1. f4 e5 2. Kf3 (2. g4) d6 3. g4 {[%clk 0:10:00]} Qh4 0-1",
    );
    assert_eq!(mated.judged_on(), 1, "{:?}", mated.findings);
    assert_eq!(mated.unjudged_from, None);
}

#[test]
fn the_tool_says_that_it_judged_on() {
    let run = |args: &[&str]| {
        let mut all = vec!["check", "--judge-on"];
        all.extend(args);
        all.push("-");
        let mut child = tool()
            .args(all)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(
            &mut child.stdin.take().unwrap(),
            b"1. e4 e5 2. Ke3 Nf6 3. Kd3 *\n",
        )
        .unwrap();
        printed(&child.wait_with_output().unwrap())
    };
    let (text, code) = run(&[]);
    assert_eq!(code, 1);
    for words in [
        "= continued: as if the move stood, e1e3, because of --judge-on; the game is",
        "-: game 1 (*): illegal; continued after an illegal move\n",
        "0 unreadable; continued after 1 illegal move",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let (lines, code) = run(&["--json"]);
    let [game, last]: [Value; 2] = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    let found = game["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|found| found["code"] == "illegal-move");
    let found = found.unwrap();
    assert_eq!(
        (&found["stands"], &found["judged_on"], &found["at"]),
        (&"e1e3".into(), &true.into(), &"1b".into())
    );
    assert_eq!(
        (&game["judged_on"], &last["summary"]["judged_on"], code),
        (&1.into(), &1.into(), 1)
    );
    assert_eq!(
        (&game["verdict"], &last["summary"]["clean"]),
        (&"illegal".into(), &0.into())
    );
}

#[test]
fn an_unanswered_check_lists_its_answers() {
    let report = judge(b"1. e4 e5 2. Bb5 Nf6 3. Bxd7+ a6 *").remove(0);
    let finding = report
        .findings
        .iter()
        .find(|finding| finding.code.id == "illegal-move")
        .unwrap();
    assert_eq!(finding.evasions, Some(6));
    assert_eq!(
        finding.possible,
        ["Bxd7", "Ke7", "Kxd7", "Nbxd7", "Nfxd7", "Qxd7"]
    );
    let report = judge(b"1. e4 e5 2. Ke3 *").remove(0);
    let finding = report
        .findings
        .iter()
        .find(|finding| finding.code.id == "illegal-move")
        .unwrap();
    assert_eq!(finding.evasions, None);
}

#[test]
fn the_nearest_move_is_one_of_the_same_piece_near_by() {
    for (moves, nearest) in [
        // The pawn on the same file, rather than on the next.
        ("1. d4 d5 2. d6 *", None),
        ("1. e3 e6 2. e5 *", Some("e4")),
        ("1. e4 e5 2. Ke3 *", Some("Ke2")),
        ("1. Ng4 *", Some("Nf3")),
        // No knight is near: another piece goes to the square.
        (
            "1. e4 e6 2. d4 d5 3. Nc3 Bb4 4. e5 c5 5. Nb5 *",
            Some("Bb5+"),
        ),
        // Neither: the most similar spelling.
        ("1. Rf3 *", Some("Nf3")),
    ] {
        let report = judge(moves.as_bytes()).remove(0);
        let finding = report
            .findings
            .iter()
            .find(|finding| finding.code.id == "illegal-move")
            .unwrap();
        assert_eq!(finding.nearest.as_deref(), nearest, "{moves}");
    }
}

/// The files with incorrect games, of all games.
fn broken_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files: Vec<_> = ["games/examples", "examples", "docs/npgn/suite/foreign"]
        .into_iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|end| end == "pgn" || end == "npgn")
        })
        .filter(|path| !path.to_string_lossy().contains(".kept"))
        .collect();
    files.sort();
    files
}

/// The commands that `check` names for the findings in a file.
fn commands(file: &str, options: &[&str]) -> Vec<String> {
    let mut args = vec!["check", "--no-board"];
    args.extend(options);
    args.push(file);
    let (text, _) = printed(&overboard(&args));
    text.lines()
        .filter_map(|line| Some(line.trim().strip_prefix("= show: ")?.to_string()))
        .collect()
}

/// Runs a command as pasted into a shell; the error is its output.
fn paste(command: &str) -> Result<(), String> {
    let tool = env!("CARGO_BIN_EXE_overboard");
    let script = command
        .strip_prefix("overboard ")
        .map(|rest| format!("\"$OVERBOARD\" {rest}"));
    let script = script.ok_or_else(|| format!("{command} is none of the tool's"))?;
    let run = Command::new("sh")
        .env("OVERBOARD", tool)
        .args(["-c", &script])
        .output()
        .unwrap();
    match run.status.code() {
        Some(0) if !run.stdout.is_empty() => Ok(()),
        code => Err(format!(
            "{command}: {code:?}: {}",
            String::from_utf8_lossy(&run.stderr)
        )),
    }
}

#[test]
fn every_command_that_is_named_shows_a_board() {
    let files = broken_files();
    // A usual run pastes the commands of one file in three.
    let step = if tries(1) > 1 { 1 } else { 3 };
    let tried: Vec<(usize, Vec<String>)> = files
        .par_iter()
        .step_by(step)
        .flat_map_iter(|file| [[].as_slice(), &["--judge-on"]].map(|options| (file, options)))
        .map(|(file, options)| {
            let mut commands = commands(file.to_str().unwrap(), options);
            commands.dedup();
            (
                commands.len(),
                commands
                    .iter()
                    .filter_map(|command| paste(command).err())
                    .collect(),
            )
        })
        .collect();
    let named: usize = tried.iter().map(|(named, _)| named).sum();
    let failed: Vec<_> = tried.into_iter().flat_map(|(_, failed)| failed).collect();
    assert!(
        failed.is_empty(),
        "{} of {named}:\n{}",
        failed.len(),
        failed.join("\n")
    );
    assert!(named > 500 / step, "only {named} in {} files", files.len());
}

#[test]
fn names_of_files_come_through_a_shell() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "two words.pgn",
        "it's.pgn",
        "-dash.pgn",
        "$HOME `x`.pgn",
        "Zürich;ls.pgn",
    ] {
        let path = folder.path().join(name);
        fs::write(&path, "1. e4 e5 2. Ke3 Nf6 3. Kd3 Kd4 *\n").unwrap();
        let commands = commands(
            path.to_str().unwrap(),
            &["--judge-on", "--rules", "illegal=3"],
        );
        assert_eq!(commands.len(), 2, "{name}");
        assert!(
            commands[1].ends_with("--at 3w --judge-on --rules illegal=3"),
            "{}",
            commands[1]
        );
        for command in &commands {
            paste(command).unwrap();
        }
    }
    // Text that came through a pipe cannot be read again.
    let bare = judge(b"1. e4 e5 2. Ke3 *").remove(0);
    assert_eq!(bare.findings.last().unwrap().moment.as_deref(), Some("1b"));
}

/// An English record translated into another language: only the letters of the pieces change.
fn translated(moves: &str, language: &Language) -> String {
    let letters = ["P", "N", "B", "R", "Q", "K"];
    let own = language.letters();
    let word = |word: &str| {
        if word.starts_with("O-") {
            return word.to_string();
        }
        let letter = |c: char| {
            letters
                .iter()
                .position(|letter| letter.starts_with(c))
                .map(|at| own[at] as char)
        };
        let mut chars = word.chars().peekable();
        let first = chars
            .next()
            .map(|c| letter(c).unwrap_or(c))
            .into_iter()
            .collect::<String>();
        let rest: String = chars.collect();
        match rest.split_once('=') {
            Some((to, promoted)) => {
                let promoted: String = promoted.chars().map(|c| letter(c).unwrap_or(c)).collect();
                format!("{first}{to}={promoted}")
            }
            None => format!("{first}{rest}"),
        }
    };
    moves.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

const GAME: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Nxe4 6. Re1 Nc5 7. Nxe5 Be7 8. Bxc6 dxc6 9. Qf3 \
                    Be6 10. d4 Na4 11. c4 Kf8 12. Nxf7 Bxf7 13. d5 h5 14. d6 h4 15. dxe7+ Kg8 16. exd8=N *";

#[test]
fn records_are_read_with_the_letters_of_their_language() {
    assert_eq!(judge(GAME.as_bytes())[0].verdict, Verdict::Clean);
    for language in &LANGUAGES {
        let text = translated(GAME, language);
        let limits = Limits {
            language: Some(language),
            ..Limits::default()
        };
        let report = judge_with(
            text.as_bytes(),
            Options {
                limits,
                ..Options::default()
            },
        )
        .remove(0);
        assert_eq!(
            report.verdict,
            Verdict::Clean,
            "{}: {text}: {:?}",
            language.name,
            report.findings
        );
        if language.code != "en" {
            // Without the option the letters show the language, or another one that has the same.
            let blind = judge(text.as_bytes()).remove(0);
            assert_eq!(blind.verdict, Verdict::Clean, "{}", language.name);
            let mut codes = blind.findings.iter().map(|finding| finding.code.id);
            assert!(codes.any(|id| id == "piece-letters"), "{}", language.name);
        }
    }
}

#[test]
fn every_command_takes_the_letters() {
    let folder = tempfile::tempdir().unwrap();
    let german = translated(GAME, Language::of("de").unwrap());
    let path = folder.path().join("german.pgn");
    fs::write(&path, format!("{german}\n")).unwrap();
    let english = folder.path().join("english.pgn");
    fs::write(&english, format!("{GAME}\n")).unwrap();
    let run = |args: &[&str], file: &Path, letters: bool| {
        let mut args = args.to_vec();
        args.push(file.to_str().unwrap());
        if letters {
            args.extend(["--piece-letters", "de"]);
        }
        printed(&overboard(&args))
    };
    for args in [
        &["convert", "--to", "coord"][..],
        &["convert", "--to", "fen"],
        &["convert", "--to", "pgn"],
        &["show", "--at", "9w", "--as-fen"],
        &["show", "--list"],
        &["fmt"],
    ] {
        let (right, code) = run(args, &english, false);
        assert_eq!(code, 0, "{args:?}");
        assert_eq!(run(args, &path, true), (right, 0), "{args:?}");
    }
    for args in [
        &["check"][..],
        &["stats"],
        &["select", "--verdict", "clean", "--json"],
    ] {
        let (text, code) = run(args, &path, true);
        assert_eq!(code, 0, "{args:?}: {text}");
    }
    // Lines of coordinates contain no piece letters, and are converted to English.
    let (line, _) = run(&["convert", "--to", "coord"], &path, true);
    let coord = folder.path().join("lines.txt");
    fs::write(&coord, line).unwrap();
    let (back, code) = run(
        &["convert", "--from", "coord", "--to", "npgn"],
        &coord,
        true,
    );
    assert_eq!(code, 0);
    assert!(back.contains("Nf3"), "{back}");
}
