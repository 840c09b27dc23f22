//! Any text is read without harm, is stable once it is rewritten, and keeps its meaning.

use crate::{
    chance::Chance,
    depth::tries,
    run::{overboard, printed},
    text::{canonical, judge, judge_with, records, rewritten},
};
use overboard_formats::{
    command,
    header::ROSTER,
    limits::Limits,
    record::{Node, Record},
    san::{CHESS, LINKED, San, Spelt},
    write::nag,
};
use overboard_games::{chess::Chess, fen::Fen, registry::Variant};
use overboard_referee::Options;
use overboard_rules::{
    ply::{Pattern, Written},
    square::Role,
};
use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
    test_runner::RngSeed,
};
use shakmaty::{Position, san::SanPlus};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The same cases in every run; the fuzz targets explore further.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases: tries(cases as usize) as u32,
        rng_seed: RngSeed::Fixed(64),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn remark() -> impl Strategy<Value = String> {
    select(vec![
        "good",
        "  two\n words ",
        "[%clk 0:01:00]",
        "[%order W Team Player \"a ] b\" ]",
        "[%x] é♘",
        "",
        " ",
        "a ( b < c",
        "[Event \"x\"]",
    ])
    .prop_map(String::from)
}

fn annotation() -> impl Strategy<Value = String> {
    prop_oneof![
        remark().prop_map(|words| format!("{{{words}}}")),
        select(vec![
            "$1",
            "$255",
            "!",
            "??",
            "!?",
            "; to the end } of it\n",
            "\n% an escape line\n"
        ])
        .prop_map(String::from),
    ]
}

fn ply() -> impl Strategy<Value = String> {
    let number = select(vec!["", "", "1. ", "1... ", "12A. ", "3b. ", "7."]);
    let word = select(vec![
        "e4", "e5", "Nf3", "exd5", "O-O", "Qh4#", "--", "Nbd2+", "R@c3", "Nd2^", "Rxa5/B", "c5=G",
        "g7", "xx",
    ]);
    (number, word).prop_map(|(number, word)| format!("{number}{word}"))
}

fn turn() -> impl Strategy<Value = String> {
    let item = (
        select(vec!["A2", "H8", "C1"]),
        select(vec!["e4", "Nf3+", "1/2-1/2", "--"]),
    )
        .prop_map(|(on, ply)| format!("{on}.{ply}"));
    (vec(item, 1..4), select(vec!["", "+", "#"]))
        .prop_map(|(items, sign)| format!("<{}>{sign}", items.join(" ")))
}

fn action() -> impl Strategy<Value = String> {
    select(vec![
        "<prisoners 2P N>",
        "<reserve f6: P>",
        "<consolidate c3: d2+2P f1+N>",
    ])
    .prop_map(String::from)
}

fn tag() -> impl Strategy<Value = String> {
    (
        select(vec!["White", "Black", "FEN", "Opening"]),
        select(vec!["Ann", "", "a \\\"b\\\" \\\\", "Réti ♘"]),
    )
        .prop_map(|(name, value)| format!("\n[{name} \"{value}\"]\n"))
}

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Elements of movetext, with variations and sub-games inside them.
fn movetext() -> impl Strategy<Value = String> {
    let element = prop_oneof![4 => ply(), 2 => annotation(), 1 => turn(), 1 => action()];
    element.prop_recursive(4, 40, 6, |inner| {
        let inner = vec(inner, 0..6).prop_map(|all| all.join(" "));
        prop_oneof![
            inner.clone().prop_map(|all| format!("({all})")),
            (
                select(vec!["e5", "a1", "n14"]),
                vec(tag(), 0..2),
                inner,
                select(RESULTS.to_vec())
            )
                .prop_map(|(on, tags, all, result)| format!(
                    "<{on}: {} {all} {result}>",
                    tags.concat()
                )),
        ]
    })
}

fn header(result: &str) -> impl Strategy<Value = String> + use<> {
    let result = result.to_string();
    let variant = select(vec![
        "",
        "[Variant \"Overchess\"]\n",
        "[Variant \"StrategiChess\"]\n",
        "[Variant \"Recursive Chess\"]\n[Level \"1\"]\n",
    ]);
    (variant, select(vec!["Ann", "O'Hara, \\\"Bob\\\"", "Łódź \\\\ é"])).prop_map(move |(variant, name)| {
        format!("[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"{name}\"]\n[Black \"?\"]\n[Result \"{result}\"]\n{variant}\n")
    })
}

fn record() -> impl Strategy<Value = String> {
    select(RESULTS.to_vec()).prop_flat_map(|result| {
        (header(result), vec(movetext(), 0..12))
            .prop_map(move |(tags, elements)| format!("{tags}{} {result}\n\n", elements.join(" ")))
    })
}

fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = [
        "docs/npgn/suite/foreign",
        "docs/npgn/suite/notation",
        "rules/examples",
        "games/examples",
        "examples",
    ];
    let mut paths: Vec<_> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|end| end == "pgn" || end == "npgn")
    });
    paths.sort();
    paths
}

/// Bytes that are shown as text when a test fails.
#[derive(Clone)]
struct Text(Vec<u8>);

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

/// Characters that decide how a text is read.
const SIGNS: [&[u8]; 25] = [
    b"{",
    b"}",
    b"(",
    b")",
    b"<",
    b">",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b";",
    b"\n%",
    b"\n",
    b"\n[Event \"x\"]\n",
    b":",
    b"[%",
    b"\0",
    b"\xe9",
    b"<A1.",
    b"...",
    b" % ",
    b"[Event\"\"]",
    b"[\n",
    b"\xbd-\xbd",
    &[0xe9; 130],
];

/// A file of the corpus with such characters inserted and stretches removed.
fn broken() -> impl Strategy<Value = Text> {
    let files: Vec<Vec<u8>> = corpus()
        .iter()
        .map(|path| fs::read(path).unwrap())
        .filter(|text| text.len() < 4000)
        .collect();
    let blow = (any::<Index>(), select(SIGNS.to_vec()), 0..12_usize);
    (select(files), vec(blow, 1..6)).prop_map(|(mut text, blows)| {
        for (at, sign, length) in blows {
            let from = at.index(text.len() + 1);
            let to = text.len().min(from + length);
            text.splice(from..to, sign.iter().copied());
        }
        Text(text)
    })
}

fn noise() -> impl Strategy<Value = Text> {
    let sign = prop_oneof![
        3 => select(SIGNS.to_vec()).prop_map(<[u8]>::to_vec),
        3 => select(vec!["1. ", "e4 ", "Nf3 ", "O-O ", "1-0 ", "* ", "ep ", "e.p. ", "$7 ", "! ", "-- ", "+- ", "A2.", "e5: ", "Z0 ", "½-½ ", "% ", "12345678. Nb1xc3+ $11 $22 $33 $44 $55 $66 $77 $88 $99 %. "]).prop_map(|word| word.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..8),
    ];
    vec(sign, 0..40).prop_map(|signs| Text(signs.concat()))
}

/// A ply without what the referee corrects: its suffix, and more of its origin than is needed.
fn bare(ply: &str, game: Option<Variant>) -> String {
    let alphabet = if game == Some(Variant::Strategi) {
        LINKED
    } else {
        CHESS
    };
    match San::parse(ply.as_bytes(), &alphabet).map(|san| san.written) {
        Ok(Written::Move(pattern)) if pattern.role != Role::Pawn => Spelt(Written::Move(Pattern {
            file: None,
            rank: None,
            capture: false,
            ..pattern
        }))
        .to_string(),
        _ => ply.trim_end_matches(['+', '#']).to_string(),
    }
}

/// What two records must have in common: tags in any order, comments apart from white space, and annotations of the
/// same meaning in one spelling; if the record is not judged, also plies and their numbers in full.
fn sense(record: &Record) -> Vec<Node> {
    let game = Variant::of(record.tag("Variant").map(str::as_bytes));
    let judged = game.is_some();
    let mut nodes: Vec<Node> = record
        .nodes()
        .filter(|node| !(judged && matches!(node, Node::Number(_) | Node::Suffix(_))))
        .cloned()
        .collect();
    for node in &mut nodes {
        match node {
            Node::Ply(ply) if judged => *ply = bare(ply, game),
            Node::Glyphs(glyphs) => *node = Node::Nag(nag(glyphs).to_string()),
            Node::Prose(_, words) => {
                *words = words.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
            }
            _ => {}
        }
    }
    for tags in nodes.chunk_by_mut(|a, b| matches!((a, b), (Node::Tag(..), Node::Tag(..)))) {
        tags.sort_by_key(|tag| format!("{tag:?}"));
    }
    nodes
}

fn is_written_once_and_for_all(text: &[u8]) -> Result<(), TestCaseError> {
    let Some(once) = rewritten(text) else {
        return Ok(());
    };
    let [twice, once] =
        [canonical(&once), once].map(|text| String::from_utf8_lossy(&text).into_owned());
    prop_assert_eq!(once, twice);
    Ok(())
}

/// Words that would mean something else at the beginning of a line, or that get longer when rewritten.
#[test]
fn what_begins_a_line_is_written_once_and_for_all() {
    let records = |text: &[u8]| judge(text).len();
    for text in [
        "[Event\"\"][Event\"\"]",
        "[\n[e\"\"][Event\"\"]",
        "[Event \"x\"][White \"a\"] [Event \"y\"]\n\n1. e4 *",
    ] {
        assert!(
            is_written_once_and_for_all(text.as_bytes()).is_ok(),
            "{text}"
        );
        assert_eq!(
            records(text.as_bytes()),
            records(&canonical(text.as_bytes())),
            "{text}"
        );
    }
    // A comment without its closing brace ends at a line that begins like a record.
    for (before, end) in
        (50..85).flat_map(|before| ["", " { more} 1-0", "} e5 *"].map(|end| (before, end)))
    {
        let text = format!(
            "1. e4 {{{} [Event \"x\"] [Site \"y\"]{end}\n",
            "x".repeat(before)
        )
        .into_bytes();
        assert!(is_written_once_and_for_all(&text).is_ok(), "{before}{end}");
    }
    for before in 60..90 {
        let text = format!(
            "[Event \"x\"]\n\n{} % $5 % e4 *\n",
            "$1 ".repeat(before / 3) + &"x".repeat(before % 3)
        );
        assert!(
            is_written_once_and_for_all(text.as_bytes()).is_ok(),
            "{text}"
        );
        let marks = |text: &[u8]| text.iter().filter(|byte| **byte == b'%').count();
        assert_eq!(marks(&canonical(text.as_bytes())), 2, "{text}");
    }
}

/// Latin-1 text grows when it is written as UTF-8, so the limit applies to its size in UTF-8.
#[test]
fn what_is_read_within_a_limit_is_written_within_it() {
    let is_over = |text: &[u8]| {
        judge(text)[0]
            .findings
            .iter()
            .any(|finding| finding.code.id == "limit")
    };
    let word = |length: usize| [b"1. e4 ", &*vec![0xe9; length], b" *\n"].concat();
    for length in [100, 127, 128, 200, 255, 256] {
        assert_eq!(is_over(&word(length)), length > 127, "{length}");
        assert!(
            is_over(&word(length)) || !is_over(&canonical(&word(length))),
            "{length}"
        );
    }
    let latin = "é".repeat(127) + "x";
    assert!(
        !is_over(format!("1. e4 {latin} *").as_bytes())
            && is_over(format!("1. e4 {latin}x *").as_bytes())
    );
    let limits = Limits {
        tag_value: 10,
        ..Limits::default()
    };
    let faulty = |value: &[u8]| {
        let text = [b"[Site \"", value, b"\"]\n\n*\n"].concat();
        let reports = judge_with(
            &text,
            Options {
                limits,
                ..Options::default()
            },
        );
        reports[0]
            .findings
            .iter()
            .any(|finding| finding.code.id == "limit")
    };
    assert!(!faulty(b"0123456789") && faulty(b"0123456789a"));
    assert!(!faulty(&[0xe9; 5]) && faulty(&[0xe9; 6]));
    assert!(!faulty(br"\\\\\\") && !faulty(br"\x\x") && faulty(br"\x\x\x\x"));
}

/// Numbers without a ply are left out at the end of the moves, unless there are more than the writer keeps.
#[test]
fn numbers_without_plies_are_written_once_and_for_all() {
    let many = |count: usize| format!("1. e4 e5 {}*", "7 ".repeat(count));
    for moves in [
        "1. e4 e5\n2\n5 *",
        "1. e4 e5 2 5 *",
        "1. e4 e5 2. 5 7 *",
        "1. e4 e5 2 2. Nf3 *",
        "1. e4 e5 2 5 Nf3 *",
    ]
    .map(String::from)
    .into_iter()
    .chain([999, 1_000, 1_001, 1_002, 3_500].map(many))
    {
        for variant in ["Chess", "Recursive Chess"] {
            let text = format!("[Variant \"{variant}\"]\n\n{moves}\n");
            assert!(
                is_written_once_and_for_all(text.as_bytes()).is_ok(),
                "{text}"
            );
        }
    }
}

/// Dots apart from a board's number do not change that number.
#[test]
fn dots_apart_from_a_board_s_number_are_written_once_and_for_all() {
    let text = b"[Variant \"StrategiChess\"]\n[Boards \"A:B\"]\n\n1A. a7\n1a. ...h8 *\n";
    assert!(
        is_written_once_and_for_all(text).is_ok() && canonical(text).ends_with(b"\n1a. h8 *\n\n")
    );
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn a_record_read_back_says_the_same(text in record()) {
        let read: Vec<_> = records(text.as_bytes()).iter().map(sense).collect();
        let written = canonical(text.as_bytes());
        let again: Vec<_> = records(&written).iter().map(sense).collect();
        prop_assert_eq!(read, again, "written {}", String::from_utf8_lossy(&written));
    }

    #[test]
    fn a_record_is_written_once_and_for_all(texts in vec(record(), 1..3)) {
        is_written_once_and_for_all(texts.concat().as_bytes())?;
    }

    #[test]
    fn a_broken_file_is_written_once_and_for_all(text in broken()) {
        is_written_once_and_for_all(&text.0)?;
    }

    #[test]
    fn noise_is_written_once_and_for_all(text in noise()) {
        is_written_once_and_for_all(&text.0)?;
    }

    #[test]
    fn any_text_is_judged(text in prop_oneof![noise(), broken(), vec(any::<u8>(), 0..200).prop_map(Text)]) {
        let text = text.0;
        for report in judge(&text) {
            for finding in report.findings {
                let (from, to) = (finding.place.span.from, finding.place.span.to);
                prop_assert!(from <= to && to <= text.len() as u64 && finding.place.line_start <= from);
                prop_assert!(finding.place.line > 0 && finding.column > 0);
            }
        }
        let _ = records(&text);
    }

    #[test]
    fn any_text_is_a_fen_or_none(text in any::<String>(), squares in "[1-9KQRBNPkqrbnp/]{0,80}", rest in "[ wbKQkq\\-a-h0-9]{0,30}") {
        let shaped = format!("{squares} {rest}");
        for text in [&text, &shaped] {
            match Fen::parse(text) {
                Ok(fen) => drop(Chess::from_setup(&fen.setup)),
                Err(fault) => prop_assert!(text.get(fault.bytes.clone()).is_some(), "{text:?}: {fault:?}"),
            }
        }
    }

    #[test]
    fn any_text_is_a_ply_or_none(bytes in vec(any::<u8>(), 0..12), word in "[NBRQKPa-h1-9xO0o\\-=+#@^/♘ep]{0,12}") {
        let _ = San::parse(&bytes, &CHESS);
        let _ = San::parse(word.as_bytes(), &CHESS);
    }

    #[test]
    fn any_text_is_a_comment(bytes in vec(any::<u8>(), 0..40), words in "[\\[\\]%\"a-z0-9:. ]{0,60}") {
        for text in [&bytes[..], words.as_bytes()] {
            for command in command::commands(text) {
                prop_assert!(text[command.bytes.clone()].starts_with(b"[%") && command.bytes.end <= text.len());
            }
            let _ = (command::duration(text), command::lone_clock(text));
        }
        let _ = (command::duration(words.as_bytes()), command::time_control(&words));
    }
}

/// Offsets count bytes of the file, not of the text decoded from it.
#[test]
fn a_fault_in_a_fen_points_into_it_in_any_encoding() {
    for (value, fault) in [
        (&b"\xe9\xe9\xe9"[..], 3..3),
        ("ééé".as_bytes(), 6..6),
        (b"8/8/8/8/8/8/8/8 \xe9 - -", 16..17),
    ] {
        let tag = [b"[SetUp \"1\"]\n[FEN \"", value, b"\"]\n\n*\n"].concat();
        let findings = judge(&tag).remove(0).findings;
        let bad = findings
            .iter()
            .find(|finding| finding.code.id == "bad-fen")
            .unwrap();
        let from = |offset: u64| usize::try_from(offset).unwrap() - b"[SetUp \"1\"]\n[FEN \"".len();
        assert_eq!(
            from(bad.place.span.from)..from(bad.place.span.to),
            fault,
            "{}",
            value.escape_ascii()
        );
    }
}

#[test]
fn every_file_is_written_once_and_for_all() {
    let mut unkept = Vec::new();
    for path in corpus() {
        match rewritten(&fs::read(&path).unwrap()) {
            Some(once) => assert!(once == canonical(&once), "{}", path.display()),
            None => unkept.push(path),
        }
    }
    assert!(
        matches!(&*unkept, [utf16] if utf16.ends_with("utf16.pgn")),
        "{unkept:?}"
    );
}

#[test]
fn the_corpus_of_the_notation_is_in_canonical_form() {
    for path in corpus()
        .iter()
        .filter(|path| path.parent().unwrap().ends_with("notation"))
    {
        let text = fs::read_to_string(path).unwrap();
        assert_eq!(
            String::from_utf8(canonical(text.as_bytes())).unwrap(),
            text,
            "{}",
            path.display()
        );
    }
}

#[test]
fn every_tag_of_the_roster_is_written_in_its_order() {
    let written = String::from_utf8(canonical(
        b"[Zebra \"z\"]\n[Result \"*\"]\n[White \"Ann\"]\n[Annotator \"Bob\"]\n\n*\n",
    ))
    .unwrap();
    let names: Vec<_> = written
        .lines()
        .filter_map(|line| line.strip_prefix('[')?.split(' ').next())
        .collect();
    // PGN 8.1.1: the roster first, the other tags after it in ASCII order.
    assert_eq!(names, [&ROSTER[..], &["Annotator", "Zebra"]].concat());
}

/// A random game, and the same game as a careless scorer writes it.
fn game(chance: &mut Chance) -> (String, String) {
    let mut position = shakmaty::Chess::default();
    let (mut right, mut careless) = (String::new(), String::new());
    for ply in 0..60 {
        let Some(m) = chance.pick(&position.legal_moves()) else {
            break;
        };
        let san = SanPlus::from_move(position.clone(), m).to_string();
        if ply % 2 == 0 {
            right += &format!("{}. ", ply / 2 + 1);
        }
        right += &format!("{san} ");
        let long = if m.is_castle() {
            san.replace('O', "0")
        } else {
            m.to_uci(shakmaty::CastlingMode::Standard).to_string()
        };
        let piece = if matches!(m.role(), shakmaty::Role::Pawn) || m.is_castle() {
            String::new()
        } else {
            m.role().upper_char().to_string()
        };
        careless += &match chance.below(4) {
            0 => format!("{piece}{long} "),
            1 => format!("{} ", san.replace(['x', '+', '#'], "")),
            2 => format!("{}+ ", san.trim_end_matches(['+', '#'])),
            _ => format!("{san} "),
        };
        position.play_unchecked(m);
    }
    (right, careless)
}

#[test]
fn careless_spellings_are_corrected() {
    let mut chance = Chance::seeded(11);
    for _ in 0..tries(200) {
        let (right, careless) = game(&mut chance);
        let [right, careless] =
            [right, careless].map(|moves| canonical(format!("{moves}*\n").as_bytes()));
        assert_eq!(
            String::from_utf8(careless).unwrap(),
            String::from_utf8(right).unwrap()
        );
    }
}

#[test]
fn a_correct_game_is_only_filled_into_lines() {
    let mut chance = Chance::seeded(12);
    for _ in 0..tries(100) {
        let (right, _) = game(&mut chance);
        let written = String::from_utf8(canonical(format!("{right}*\n").as_bytes())).unwrap();
        let (tags, moves) = written.split_once("\n\n").unwrap();
        assert_eq!(tags.lines().count(), ROSTER.len());
        let words = moves.split_ascii_whitespace();
        assert!(words.eq(format!("{right}*").split(' ')), "{moves}");
        // PGN 4.3: export lines have fewer than 80 characters.
        assert!(moves.lines().all(|line| line.len() < 80));
    }
}

/// Whether a character can act on a terminal without being seen.
fn acts(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

const ACTING: [char; 18] = [
    '\0', '\u{7}', '\u{8}', '\r', '\u{b}', '\u{c}', '\u{1b}', '\u{7f}', '\u{85}', '\u{9b}',
    '\u{9d}', '\u{61c}', '\u{200e}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}', 'é',
];

fn hostile_word(chance: &mut Chance) -> String {
    (0..chance.below(8) + 1)
        .map(|_| {
            if chance.below(3) == 0 {
                'x'
            } else {
                ACTING[chance.below(ACTING.len())]
            }
        })
        .collect()
}

fn hostile_record(chance: &mut Chance) -> String {
    let [event, white, black, result, variant, word, words, fen] =
        [(); 8].map(|()| hostile_word(chance));
    let variant = if chance.below(4) == 0 {
        format!("[Variant \"{variant}\"]\n")
    } else {
        String::new()
    };
    let fen = if chance.below(4) == 0 {
        format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")
    } else {
        String::new()
    };
    let tags = format!(
        "[Event \"{event}\"]\n[White \"{white}\"]\n[White \"{black}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n{variant}{fen}"
    );
    format!(
        "{tags}[TimeControl \"{word}\"]\n[{word} \"\"]\n\n1. e4 {{{words} [%{word} {words}] [%clk {word}]}} e5 2. {word} Nf3 N{word} <{word}: 1-0> {word}\n\n"
    )
}

fn is_harmless<A: AsRef<std::ffi::OsStr>>(args: &[A]) {
    let output = overboard(args);
    let words = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!words.contains("panicked"), "{words}");
    for line in printed(&output).0.lines().chain(words.lines()) {
        assert!(!line.contains(acts), "{line:?}");
    }
}

#[test]
fn foreign_text_never_controls_a_terminal() {
    let mut chance = Chance::seeded(13);
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..tries(500))
        .map(|_| hostile_record(&mut chance))
        .collect();
    let [path, nowhere] = ["a\u{1b}[2J\u{202e}\u{9b}\n.pgn", "no\u{1b}where\u{202e}"]
        .map(|name| folder.path().join(name));
    fs::write(&path, text).unwrap();
    for options in [
        "check",
        "check --notes",
        "check --json",
        "check --strict --quiet",
        "fmt --check",
        "fmt --check --json",
        "stats",
        "stats --csv",
        "stats --json",
        "score",
        "score --csv",
        "orders",
        "select --json",
        "show --list",
        "convert --to jsonl",
        "convert --to plies",
        "convert --to plies --format csv",
        "convert --to games --format csv",
    ] {
        let args = options
            .split(' ')
            .map(std::ffi::OsStr::new)
            .chain([path.as_os_str(), nowhere.as_os_str()]);
        is_harmless(&args.collect::<Vec<_>>());
    }
    is_harmless(&["explain", "\u{1b}[31mCH-1\u{202e}"]);
    is_harmless(&["check", "--allow", "\u{9b}2J", "-"]);
}

/// Commands inside a variation are no evidence, and its plies are not part of the game.
#[test]
fn a_variation_is_not_evidence() {
    for text in [
        "1. e4 (1. d4 {[%resign W]}) e5 2. Nf3 *",
        "1. e4 e5 (1... c5 {[%draw agreed]} (1... e6 {[%flag B]})) 2. Nf3 *",
        "[Variant \"Olympic Chess\"]\n\n1. a3 (1. Kb2 {[%resign W]}) Kd4 2. a4 *",
        "[Variant \"StrategiChess\"]\n[Boards \"A:B\"]\n\n1A. e7 (1A. e6 {[%resign W]}) 1B. e7 1a. e10 *",
    ] {
        let reports = judge(text.as_bytes());
        let errors: Vec<_> = reports[0]
            .findings
            .iter()
            .filter(|finding| finding.severity == overboard_referee::finding::Severity::Error)
            .map(|finding| finding.message.clone())
            .collect();
        assert!(errors.is_empty(), "{text}: {errors:?}");
        assert_eq!(reports[0].plies, 3, "{text}");
    }
}
