//! BPGN as programs write it: read, judged, written in canonical form and back.

use crate::{
    chance::Chance,
    damage::mutated,
    depth::tries,
    run::{overboard, printed},
    text::{canonical, judge, rewritten},
};
use overboard_formats::{limits::Limits, parse::Parser};
use overboard_games::{
    bughouse::bpgn::write::write,
    referee::{AnyReferee, rewrite::RewriteError},
};
use overboard_referee::{Options, finding::Verdict, report::Report};
use std::{fs, path::Path, time::Instant};

const TAGS: &str = "[Event \"?\"]\n[WhiteA \"Ann\"][WhiteAElo \"2100\"][BlackA \"Di\"][WhiteB \"Ed\"][BlackB \"Bob\"]\n";

const FILES: [&str; 5] = ["fics", "standard", "bughouse-pro", "chess-com", "pychess"];

fn example(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bpgn");
    fs::read(folder.join(format!("{name}.bpgn"))).unwrap()
}

/// A text as BPGN, and what was refused.
fn to_bpgn(text: &[u8]) -> (String, Vec<(u64, String)>) {
    let (mut out, mut refused) = (Vec::new(), Vec::new());
    let limits = Limits::default();
    let written = write(
        Parser::new(text, 0, limits),
        limits,
        &mut out,
        |line, why| {
            refused.push((line, why));
        },
    );
    written.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(text)));
    (String::from_utf8(out).unwrap(), refused)
}

fn codes(report: &Report) -> Vec<&'static str> {
    report
        .findings
        .iter()
        .map(|finding| finding.code.id)
        .collect()
}

fn plain(text: &[u8]) -> String {
    String::from_utf8(canonical(text)).unwrap()
}

/// What a record must keep through all forms: its verdict, plies, result and players.
type Essence = (Verdict, u32, Option<String>, [Option<String>; 2]);

fn essence(text: &[u8]) -> Vec<Essence> {
    let reports = judge(text).into_iter();
    let each = reports.map(|report| {
        let result = report
            .result
            .record
            .as_ref()
            .map(|said| said.as_it_came().to_string());
        let players = report
            .players
            .map(|names| names.map(|names| names.as_it_came().to_string()));
        (report.verdict, report.plies, result, players)
    });
    each.collect()
}

#[test]
fn the_examples_are_clean_and_stay_so_in_every_form() {
    for name in FILES {
        let text = example(name);
        for report in judge(&text) {
            assert_eq!(
                report.verdict,
                Verdict::Clean,
                "{name}: {:?}",
                codes(&report)
            );
            assert!(codes(&report).contains(&"bpgn-form"), "{name}");
        }
        let npgn = plain(&text);
        assert_eq!(npgn, plain(npgn.as_bytes()), "{name}");
        assert!(
            !npgn.contains("WhiteA") && npgn.contains("[Variant \"Bughouse\"]"),
            "{npgn}"
        );
        for report in judge(npgn.as_bytes()) {
            assert_eq!(report.verdict, Verdict::Clean, "{npgn}");
            let forms = codes(&report);
            assert!(
                !forms.contains(&"bpgn-form") && !forms.contains(&"board-result"),
                "{npgn}"
            );
        }
        let (bpgn, refused) = to_bpgn(npgn.as_bytes());
        assert_eq!(refused, []);
        assert_eq!(plain(bpgn.as_bytes()), npgn, "{bpgn}");
        assert_eq!(to_bpgn(bpgn.as_bytes()).0, bpgn);
        assert_eq!(essence(bpgn.as_bytes()), essence(npgn.as_bytes()), "{bpgn}");
    }
}

#[test]
fn a_record_in_canonical_form_has_the_tags_commands_and_result_of_this_notation() {
    let npgn = plain(&example("fics"));
    let first = npgn.split("[Event").nth(1).unwrap();
    for part in [
        "[Date \"2026.01.12\"]",
        "[White \"ann:bob\"]",
        "[Black \"di:ed\"]",
        "[Result \"1-0\"]",
        "[BlackElo \"2050:1990\"]",
        "[WhiteElo \"2100:2000\"]",
        "[Lag ",
        "{C:A game made for this folder}",
        "1A. e4 {[%clk 0:02:59.5]}",
        "2B. P@e5 {[%clk 0:02:56.25]}",
        "{[%resign W:B]} 1-0",
    ] {
        assert!(first.contains(part), "{part} in {first}");
    }
    assert!(npgn.contains("{[%flag B:A]} 1-0"), "{npgn}");
    assert!(npgn.contains("{Game aborted on move 1} *"), "{npgn}");
    let pro = plain(&example("bughouse-pro"));
    for part in [
        "[Rules \"drop=no-chess-mate:repetition=auto:pawndrop=2-6:promotion=upgrade\"]",
        "1A. e4 {[%ts 0:00:00.861]}",
        "2A. exd5 ",
        "0-1\n",
    ] {
        assert!(pro.contains(part), "{part} in {pro}");
    }
    let com = plain(&example("chess-com"));
    for part in [
        "1b. N@f5 {175.4}",
        "2B. P@e3",
        "{Ann won by resignation} 1-0",
    ] {
        assert!(com.contains(part), "{part} in {com}");
    }
    assert!(plain(&example("standard")).contains("11a. Qxd2# {[%clk 0:02:44]}"));
    assert!(plain(&example("pychess")).contains("1A. e4\n1a. d5\n"));
}

#[test]
fn a_result_is_that_of_the_teams_and_that_of_the_board_is_noted() {
    for (words, given, right, verdict, noted) in [
        ("Ed resigns", "1-0", "1-0", Verdict::Clean, false),
        ("Ed resigns", "0-1", "1-0", Verdict::Clean, true),
        ("Bob forfeits on time", "0-1", "0-1", Verdict::Clean, false),
        ("Bob forfeits on time", "1-0", "0-1", Verdict::Clean, true),
        ("Di resigns", "1-0", "1-0", Verdict::Clean, false),
        // On board A the result of the board is that of the teams.
        ("Di resigns", "0-1", "0-1", Verdict::WrongResult, false),
        ("wb resigns", "1-0", "1-0", Verdict::Clean, false),
        (
            "Game 12 (Ann vs. Di) di resigns",
            "1-0",
            "1-0",
            Verdict::Clean,
            false,
        ),
        (
            "Game drawn by mutual agreement",
            "1/2-1/2",
            "1/2-1/2",
            Verdict::Clean,
            false,
        ),
        (
            "Game drawn because both players ran out of time",
            "1/2-1/2",
            "1/2-1/2",
            Verdict::Clean,
            false,
        ),
        ("Zoe resigns", "0-1", "0-1", Verdict::Clean, false),
    ] {
        let text =
            format!("{TAGS}[Result \"{given}\"]\n\n1A. e4 1B. d4{{1.5}} {{{words}}} {given}\n");
        let report = &judge(text.as_bytes())[0];
        assert_eq!(
            report.verdict,
            verdict,
            "{words} {given}: {:?}",
            codes(report)
        );
        assert_eq!(
            codes(report).contains(&"board-result"),
            noted,
            "{words} {given}"
        );
        let npgn = plain(text.as_bytes());
        assert!(npgn.contains(&format!("[Result \"{right}\"]")), "{npgn}");
        assert!(npgn.ends_with(&format!(" {right}\n\n")), "{npgn}");
        assert_eq!(judge(npgn.as_bytes())[0].verdict, verdict, "{npgn}");
    }
    // The words before the moves go on say nothing.
    let text = format!("{TAGS}1A. e4 {{Ann resigns}} 1a. e5 1-0\n");
    assert_eq!(judge(text.as_bytes())[0].verdict, Verdict::Clean);
    assert!(plain(text.as_bytes()).contains("{Ann resigns}"));
    // Of a match that ended before its first ply, too.
    let text = format!("{TAGS}[Result \"1-0\"]\n\n{{Ann resigns}} 1-0\n");
    assert_eq!(judge(text.as_bytes())[0].verdict, Verdict::WrongResult);
    // A tag that contradicts the moves is kept.
    let text = format!("{TAGS}[Result \"1-0\"]\n\n1A. e4 {{Ann resigns}} 0-1\n");
    let npgn = plain(text.as_bytes());
    assert!(
        npgn.contains("[Result \"1-0\"]") && npgn.ends_with("0-1\n\n"),
        "{npgn}"
    );
}

#[test]
fn the_colour_comes_from_the_turn_where_all_letters_are_capital() {
    for (moves, verdict) in [
        ("1A.e4 1A.e5 2A.Nf3 2A.Nc6", Verdict::Clean),
        ("1A.e4 1B.d4 1B.d5 1A.e5", Verdict::Clean),
        // Small letters occur: a capital one is White's.
        ("1A. e4 1B. d4 1b. d5 1A. e5", Verdict::Illegal),
        // The number is that of White's next move.
        ("1A. e4 2A. e5", Verdict::Illegal),
        ("1A.e4 1A.d4", Verdict::Illegal),
    ] {
        let text = format!("{TAGS}\n{moves} *\n");
        let report = &judge(text.as_bytes())[0];
        assert_eq!(report.verdict, verdict, "{moves}: {:?}", report.findings);
    }
}

#[test]
fn tags_name_the_game_and_its_options() {
    let clean = |tags: &str| judge(format!("{tags}\n1A. e4 *\n").as_bytes())[0].verdict;
    assert_eq!(clean("[WhiteA \"Ann\"]"), Verdict::Clean);
    assert_eq!(clean("[whiteb \"Ann\"]"), Verdict::Clean);
    assert_eq!(clean("[Variant \"bughouse\"]"), Verdict::Clean);
    assert_eq!(clean("[White \"Ann\"]"), Verdict::Unreadable);
    for (tag, why) in [
        (
            "[Promotion \"Steal\"]",
            "`promotion=steal` is not an option",
        ),
        (
            "[DropAggression \"No luck\"]",
            "`drop=no-luck` is not an option",
        ),
        ("[Variant \"Bughouse Chess960\"]", "Bughouse Chess960"),
        ("[Variant \"Bughouse DuckChess\"]", "Bughouse DuckChess"),
    ] {
        let report = &judge(format!("{TAGS}{tag}\n1A. e4 *\n").as_bytes())[0];
        assert_eq!(report.verdict, Verdict::Undetermined, "{tag}");
        let said = report.findings.iter().any(|finding| {
            finding.message.as_it_came().contains(why) || finding.text.as_it_came().contains(why)
        });
        assert!(said, "{tag}: {:?}", report.findings);
    }
    // Positions in all forms.
    let first = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for fen in [
        format!("{first}[] w KQkq - 0 1|{first}[] w KQkq - 0 1"),
        format!("{first}/ w KQkq - 0 1 | {first}/ w KQkq - 0 1"),
        format!("{first} w HAha - 0 1 | {first} w HAha - 0 1"),
    ] {
        let text = format!("{TAGS}[Setup \"1\"]\n[FEN \"{fen}\"]\n\n1A. Nf3 *\n");
        let report = &judge(text.as_bytes())[0];
        assert_eq!(
            report.verdict,
            Verdict::Clean,
            "{fen}: {:?}",
            report.findings
        );
    }
}

#[test]
fn lines_of_servers_and_old_letters_are_read() {
    let text = String::from_utf8(example("fics")).unwrap();
    let foreign = text.replace('\n', "\r\n").replace("bob", "b\u{e9}b");
    let latin: Vec<_> = foreign
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    for report in judge(&latin) {
        assert_eq!(report.verdict, Verdict::Clean, "{:?}", report.findings);
    }
    assert!(plain(&latin).contains("[White \"ann:béb\"]"));
}

#[test]
fn other_games_are_refused_in_words() {
    let text = format!(
        "[Event \"Chess\"]\n[White \"A\"]\n\n1. e4 e5 *\n\n{TAGS}1A. e4 *\n\n[Variant \"Overchess\"]\n\n1. e4 *\n"
    );
    let (bpgn, refused) = to_bpgn(text.as_bytes());
    assert_eq!(bpgn.matches("[Event").count(), 1, "{bpgn}");
    let why = "cannot be written as BPGN, which is for Bughouse alone";
    assert_eq!(
        refused,
        [
            (1, format!("chess {why}")),
            (10, format!("Overchess {why}"))
        ]
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    fs::write(&file, &text).unwrap();
    let run = overboard(&["convert", "--to", "bpgn", file.to_str().unwrap()]);
    let (printed, exit) = printed(&run);
    assert_eq!((printed, exit), (bpgn, 1));
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(
        said.contains(":1:1: game not converted: chess cannot be"),
        "{said}"
    );
}

#[test]
fn commands_become_comments_and_words_and_come_back() {
    let npgn = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Ann:Bob, the 2nd\"]\n[Black \"Di%3A:Ed\"]\n[Result \"1-0\"]\n[Variant \"Bughouse\"]\n\n1A. e4 {[%clk 0:02:59.5] [%ts 0:00:01] good}\n1B. d4 $1 {[%draw offer]} (1B. e4 1b. e5)\n1b. d5\n1a. e5 {[%flag W:B]} 1-0\n\n";
    assert_eq!(plain(npgn.as_bytes()), npgn);
    let (bpgn, _) = to_bpgn(npgn.as_bytes());
    for part in [
        "[WhiteA \"Ann\"]\n[BlackA \"Di:\"]\n[WhiteB \"Ed\"]\n[BlackB \"Bob, the 2nd\"]",
        "1A. e4{179.500} {[ts=1.000]} {C:good} 1B. d4 $1 {C:[%draw",
        "(1B. e4 1b.",
        "{Ed forfeits on time} 1-0",
    ] {
        assert!(bpgn.contains(part), "{part} in {bpgn}");
    }
    let again = plain(bpgn.as_bytes());
    assert!(
        again.contains("[Black \"Di%3A:Ed\"]") && again.contains("{[%flag W:B]} 1-0"),
        "{again}"
    );
    assert!(
        again.contains("1A. e4 {[%clk 0:02:59.5]} {[%ts 0:00:01]} {C:good}"),
        "{again}"
    );
}

#[test]
fn damaged_files_are_read_written_and_written_again_without_a_change() {
    let mut chance = Chance::seeded(7);
    let texts: Vec<_> = FILES.iter().map(|name| example(name)).collect();
    for _ in 0..tries(400) {
        let mut text = texts[chance.below(texts.len())].clone();
        for _ in 0..=chance.below(3) {
            text = mutated(&text, &mut chance);
        }
        let reports = judge(&text);
        // What comes after a result without tags becomes a game of its own.
        if reports
            .iter()
            .any(|report| codes(report).contains(&"text-after-result"))
        {
            continue;
        }
        let verdicts: Vec<_> = reports.iter().map(|report| report.verdict).collect();
        let Some(npgn) = rewritten(&text) else {
            continue;
        };
        let shown = String::from_utf8_lossy(&text);
        assert_eq!(canonical(&npgn), npgn, "{shown}");
        let again: Vec<_> = judge(&npgn).iter().map(|report| report.verdict).collect();
        assert_eq!(
            verdicts,
            again,
            "{shown}\n{}",
            String::from_utf8_lossy(&npgn)
        );
        let limits = Limits::default();
        let mut bpgn = Vec::new();
        match write(Parser::new(&*npgn, 0, limits), limits, &mut bpgn, |_, _| {}) {
            Ok(()) => drop(judge(&bpgn)),
            Err(RewriteError::Unkept(..)) => {}
            Err(RewriteError::Reading(error) | RewriteError::Writing(error)) => panic!("{error}"),
        }
    }
}

#[test]
fn long_records_take_time_as_their_length() {
    let shuffle = "1A. Nf3{179.5} 1a. Nf6{179.5} 2A. Ng1{179.5} 2a. Ng8{179.5} ";
    let comments = "{Ann resigns} ";
    let time = |text: String| {
        let begun = Instant::now();
        let report = judge(text.as_bytes()).len();
        assert_eq!(report, 1);
        let mut referee = AnyReferee::new(Options::default());
        let _ = referee.judge(&mut Parser::new(text.as_bytes(), 0, Limits::default()));
        let _ = rewritten(text.as_bytes());
        begun.elapsed()
    };
    for piece in [shuffle, comments, "{1.5}", "{[ts=1.5]}", "$146@e4 ", "xd5 "] {
        let few = time(format!("{TAGS}\n{}*\n", piece.repeat(2_000)));
        let many = time(format!("{TAGS}\n{}*\n", piece.repeat(16_000)));
        let bound = few * 40 + std::time::Duration::from_millis(500);
        assert!(many < bound, "{piece}: {few:?}, then {many:?}");
    }
}
