//! Every sequence of a few words of the notation is written the same when it is written twice, and so are longer ones.

use crate::{
    chance::Chance,
    depth::tries,
    text::{canonical, judge, rewritten},
};
use overboard_referee::finding::Verdict;
use rayon::prelude::*;

/// What a record may begin with.
const HEADS: [&str; 4] = [
    "",
    "[Variant \"Recursive Chess\"]\n\n",
    "[Variant \"StrategiChess\"]\n[Boards \"A:B\"]\n\n",
    "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 ",
];

/// What reading or writing treats in a way of its own, with the white space before it.
const WORDS: [&str; 45] = [
    " e4",
    " e5",
    " Zz9",
    " --",
    " 1.",
    " 4",
    " 4.",
    "...",
    " 1A.",
    " 1a...",
    " $1",
    "!",
    "?!",
    "+",
    " ep",
    " {x}",
    "{",
    "}",
    " ;x\n",
    "\n%x\n",
    " (",
    ")",
    "<",
    " >",
    " <d5:",
    " <A2.e4",
    " B2",
    ".",
    " <consolidate",
    " *",
    " 1-0",
    "\n[Event \"y\"]\n",
    "\n[e \"\"]\n",
    "\n[Event ",
    " [v",
    "\"",
    "]",
    ":",
    "\n",
    "\n\n",
    "\u{e9}",
    "\r",
    "\u{1}",
    "[S \"x\"",
    "d5",
];

/// What is not the same when its canonical form is written once more.
fn changes(text: &str) -> bool {
    rewritten(text.as_bytes()).is_some_and(|once| rewritten(&once).as_ref() != Some(&once))
}

#[test]
fn every_sequence_of_words_is_written_once_and_for_all() {
    let length = u32::try_from(tries(3)).unwrap().min(4);
    let count = WORDS.len().pow(length);
    for head in HEADS {
        let text = |mut nth: usize| {
            let mut text = head.to_owned();
            for _ in 0..length {
                text += WORDS[nth % WORDS.len()];
                nth /= WORDS.len();
            }
            text
        };
        // A step that no power of the number of words is a multiple of, so that each word stands in each place.
        let step = if tries(1) > 1 { 1 } else { 16 };
        let found: Vec<_> = (0..count)
            .into_par_iter()
            .step_by(step)
            .map(text)
            .filter(|text| changes(text))
            .collect();
        assert_eq!(found.len(), 0, "{:?}", &found[..found.len().min(20)]);
    }
}

#[test]
fn longer_sequences_of_words_are_written_once_and_for_all() {
    let text = |seed: usize| {
        let mut chance = Chance::seeded((seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut text = HEADS[chance.below(HEADS.len())].to_owned();
        for _ in 0..5 + chance.below(12) {
            text += WORDS[chance.below(WORDS.len())];
        }
        text
    };
    let found: Vec<_> = (0..tries(40_000))
        .into_par_iter()
        .map(text)
        .filter(|text| changes(text))
        .collect();
    assert_eq!(
        found.len(),
        0,
        "{:?}",
        found.iter().min_by_key(|text| text.len())
    );
}

/// Without the white space before them, control characters come to the beginning, where they show a binary file, and a
/// brace before a key shows JSON.
#[test]
fn what_would_not_be_read_as_text_again_is_not_written() {
    let text = |far: &str, comment: &str| {
        format!(
            "{{a}}{}{comment}\n[Event \"x\"]\n\n1. e4 *\n",
            far.repeat(80)
        )
    };
    for (far, comment) in [
        (" ", "{b\x01c\x01d\x01e\x01f}"),
        (" ", "; b\x01c\x01d\x01e\x01f"),
        ("\n", "% b\x01c\x01d\x01e\x01f"),
    ] {
        let text = text(far, comment);
        assert_ne!(
            judge(text.as_bytes())[0].verdict,
            Verdict::Unreadable,
            "{text:?}"
        );
        assert_eq!(rewritten(text.as_bytes()), None, "{text:?}");
    }
    let json = format!("{{{}\"key\":}}\n[Event \"x\"]\n\n1. e4 *\n", " ".repeat(80));
    assert_eq!(rewritten(json.as_bytes()), None);
    // A bad tag at the beginning is kept; no words of another kind are.
    assert!(rewritten(b"[~vent \"x\"]\n[Site \"y\"]\n\n1. e4 *\n").is_some());
    assert_eq!(rewritten(b"[section]\nkey = value\n"), None);
    assert!(rewritten(text(" ", "{b\x01c}").as_bytes()).is_some());
}

/// The letters of a language mean other pieces in English: what is illegal in it stays so when it is written again.
#[test]
fn illegal_moves_of_another_language_are_written_in_english() {
    let written = |text: &str| String::from_utf8(rewritten(text.as_bytes()).unwrap()).unwrap();
    let hungarian = written("1. d4 d5 2. Hc3 Bf5 3. e3 teSite *\n");
    assert!(
        hungarian.contains("2. Nc3 Rf5 3. e3 teSite *"),
        "{hungarian}"
    );
    assert_eq!(written(&hungarian), hungarian);
    let english = written("1. d4 d5 2. Nc3 Bf4 *\n");
    assert!(english.contains("2. Nc3 Bf4 *"), "{english}");
}

/// A tag that cannot be read is written with a space before it; its letters are of no move then, either.
#[test]
fn letters_of_a_broken_tag_are_of_no_move() {
    let text = "[Event \"a\"]\n\n1. e4 e6 2. d4 d5 3. Nc3 Bb4 4. e5 c5 5. Nb5 Nc6 6. \u{fffd}\n\n[}e \"Club\"]\n";
    let once = canonical(text.as_bytes());
    assert!(String::from_utf8_lossy(&once).contains("5. Nb5 Nc6"));
    assert_eq!(canonical(&once), once);
}

#[test]
fn both_of_two_results_are_written() {
    let written = |text: &str| String::from_utf8(rewritten(text.as_bytes()).unwrap()).unwrap();
    let players = "[WhiteA \"a\"]\n[BlackA \"b\"]\n[WhiteB \"c\"]\n[BlackB \"d\"]\n";
    let results = "[Result \"0-0\"]\n[Result \"0-1\"]\n";
    for tags in ["", players] {
        let once = written(&format!(
            "{results}{tags}\n1A. e4 {{180}} 1a. Nc6 {{180}}\n"
        ));
        assert!(once.contains(results), "{once}");
        assert_eq!(written(&once), once);
    }
}

/// White space is written as one blank, so where it separates what belongs together, its length decides nothing but
/// whether a limit is exceeded.
#[test]
fn long_white_space_is_read_or_exceeds_a_limit() {
    let written = |text: &str| rewritten(text.as_bytes());
    let gap = |length: usize| " ".repeat(length);
    let block =
        |gap: &str| format!("[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5{gap}: 1. e4 *> *\n");
    assert_eq!(written(&block(&gap(255))), written(&block("")));
    assert_eq!(written(&block(&"\0".repeat(70))), written(&block("")));
    assert_eq!(written(&block(&gap(256))), None);
    // What is written has line ends, and behind them the indentation of the deepest block.
    let indented = |length: usize| format!("\n{}", gap(length));
    assert_eq!(written(&block(&indented(2_000))), written(&block("")));
    assert_eq!(written(&block(&indented(3_000))), None);
    let tags: [fn(&str) -> String; 3] = [
        |gap| format!("[{gap}Site \"x\"]\n\n1. e4 *\n"),
        |gap| format!("[Site{gap}\"x\"]\n\n1. e4 *\n"),
        |gap| format!("[Site \"x\"{gap}]\n\n1. e4 *\n"),
    ];
    for tag in tags {
        assert!(written(&tag("")).is_some());
        assert_eq!(written(&tag(&gap(300_000))), written(&tag("")));
        assert_eq!(written(&tag(&gap(17 << 20))), None);
    }
}

/// A control character between the parts of a tag is reported and left out, as among the moves.
#[test]
fn a_control_character_between_the_parts_of_a_tag_is_reported() {
    let text = "[\u{1}Site \"x\"]\n[Round\0 \"3\"\n\u{2}]\n\n1. e4 *\n";
    let reports = judge(text.as_bytes());
    let controls = reports[0]
        .findings
        .iter()
        .filter(|finding| finding.code.id == "control-character");
    assert_eq!(
        controls
            .map(|finding| finding.place.line)
            .collect::<Vec<_>>(),
        [1, 2]
    );
    let written = String::from_utf8(canonical(text.as_bytes())).unwrap();
    assert!(
        written.contains("[Site \"x\"]\n") && written.contains("[Round \"3\"]\n"),
        "{written}"
    );
}

/// A control character before the colon is reported, and the label is still read.
#[test]
fn a_label_with_a_control_character_is_written_once_and_for_all() {
    let text = b"[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5\0\n: 1-0> *\n";
    let once = canonical(text);
    assert!(String::from_utf8_lossy(&once).contains("<d5: 1-0>"));
    assert_eq!(canonical(&once), once);
}

/// A command in a comment is obeyed when the moves begin: the tags after it still say which game it is.
#[test]
fn tags_after_a_command_still_count() {
    let fen = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n";
    let over = "[Variant \"Overchess\"]\n";
    let comments = "{[%clk 1:00:00]} ; [%flag\n% [no tag]\n{[%clk 0:59:00]}\n";
    for (tags, moves) in [
        (fen, "1. Ra8+ Kd7 *"),
        (over, "1. e4 d5 2. exd5 <d5: 1. e4 *> *"),
    ] {
        for text in [
            format!("[White \"a\"]\n{comments}{tags}\n{moves}\n"),
            format!("{comments}{tags}\n{moves}\n"),
            format!("{tags}\n{comments}{moves}\n"),
        ] {
            let reports = judge(text.as_bytes());
            assert_eq!(
                (reports.len(), reports[0].verdict),
                (1, Verdict::Clean),
                "{text}"
            );
            let once = canonical(text.as_bytes());
            assert_eq!(canonical(&once), once);
            assert_eq!(judge(&once)[0].verdict, Verdict::Clean, "{text}");
        }
    }
    // The end of a game counts as well, whatever comes between it and the tags.
    let resigned = judge(b"[White \"a\"]\n{[%resign W]}\n[Black \"b\"]\n\n*\n").remove(0);
    assert!(
        resigned
            .findings
            .iter()
            .any(|finding| finding.code.id == "wrong-result"),
        "{resigned:?}"
    );
    let late = judge(b"[White \"a\"]\n{[%resign W]}\n[Black \"b\"]\n\n1. e4 0-1\n").remove(0);
    assert!(
        late.findings
            .iter()
            .any(|finding| finding.code.id == "move-after-end"),
        "{late:?}"
    );
}

/// A dot too many in a turn is left out when it is written, so it must not decide what is judged after it.
#[test]
fn a_dot_too_many_loses_no_position() {
    let text = "[Variant \"Recursive Chess\"]\n\n<B2.4 C2.3 D1.4 F7. .>.<A2";
    let once = canonical(text.as_bytes());
    assert_eq!(canonical(&once), once);
}

/// What is written is read again as it was meant, whatever it was in the text before.
#[test]
fn odd_spellings_are_written_once_and_for_all() {
    let texts: [(&[u8], &str); 32] = [
        // The first byte makes the word Latin-1, so the last two are no character of UTF-8, and the last is a blank.
        (b"[Event \"\"]\n\n\xdf\xc3\xa0 *", "ßÃ *\n"),
        (
            b"[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5\xa0: 1-0> *",
            "<d5: 1-0>",
        ),
        // German letters: a pawn and a queen.
        (b"[Event \"\"]\n\nBg4 Df6", "1. g4 Qf6\n"),
        // A word that no ply begins with stays, so it decides nothing; nor does where a line of a comment ends.
        (
            b"[Event \"\"]\n\n1. e4 de5 C {[%claim t]",
            "de5 C {[%claim t]",
        ),
        (b"[Event \"\"]\n\n1. d4 Bf5 {\n[} Sf6", "1. d4 f5 {[} Nf6"),
        // Nor what is in remarks and escape lines.
        (b"[Event \"\"]\n\nBg4 ;Nc3\nDf6", "1. g4 ;Nc3\nQf6\n"),
        (b"[h\"\"]Gb4 Bc1\n%{\n[e\"\"]{}Ra2", "1. b4 Rc1\n%{\n"),
        // Nor what comes after a result, however it is spelt.
        (
            "[Event \"\"]\n\nCh3 Nb8 ½ Bb5".as_bytes(),
            "1. Nh3 Bb8 1/2-1/2\n",
        ),
        // A ply ends where a colon follows, also when the letters of its record are looked for.
        (b"[Event \"\"]\n\n1. e4 Oe5:", "1. e4 e5 :\n"),
        // A broken tag does not end the record, so what follows it shows the language as well.
        (
            b"[Event \"\"]\n\n(d4 d5 Ff4)[\ne4 2 Nc6",
            "(1. d4 d5 Ff4)\n [\n1. e4 Nc6\n",
        ),
        // A language in which no move is legal is only a guess, and nothing is written in English.
        (b"[Event \"\"]\n\ne2 Te4 {[%claim t]", "e2 Te4 {[%claim t]"),
        // A number in a variation is none of the ply after it.
        (b"[BlackB \"\"]\n\n(2b.)e6{4", "(2b.) e6 {4\n"),
        (b"[WhiteA\"\"](1A.(.e4", "(1A. (. e4\n"),
        // Nothing stands between the turn and its sign, and it is no check.
        (b"[Variant \"Recursive Chess\"]\n\n<A2>\0+", "\n1. <A2>\n"),
        // Nor between the last words and the end.
        (
            b"[BlackA \"di\"]\n\n{di forfeits on time}\0",
            "{[%flag B:A]}",
        ),
        // A blank that is none within a tag keeps what follows from being the end of a broken one.
        (b"[E\"\"][a\"\"\n\xa0]", " [a\"\"\n\n\u{a0} ]\n"),
        (b"[e\"\"][\n\xa0[h\"\"]", " [\n[h \"\"]\n\n\n"),
        (b"[E\"\"][\n\xa0a \"x\"]", " [\n\n\u{a0} a \"\nx"),
        // All returns before a line break belong to it.
        (b"[Event \"?\"]\n\n1. d3 ;so\r\r\r\nd6", "d3 ;so\n1... d6\n"),
        // Among moves, zeros with a hyphen are castling; so they are at the end, unless the tag says otherwise.
        (
            b"[Event \"?\"]\n\n1. e4 e5 2. Nf3 c6 3. Bb5 a6 0:0",
            "a6 0-0\n",
        ),
        (
            b"[Result \"*\"]\n\n1. e4 e5 2. Nf3 c6 3. Bb5 a6 0:0",
            "a6 0:0\n",
        ),
        (b"e4.0:0![", "\n1. e4 0:0 $1\n\n [\n"),
        (
            b"[Result \"0-0\"]\n\n1. e4 (1. d4 0:0) 0:0",
            "(1. d4 0:0) 0-0\n",
        ),
        // What follows is not seen through a comment that ends where a record begins.
        (b"[v \"\"]0-0{\n[Event \"\"]0:0[{}E", "\n0-0\n\n [{}E\n"),
        (b"e4 0:0 {and no more}", "e4 0:0 {and no more}\n"),
        (b"[\ne4 e5 Nf3 c6 Bb5 a6 0:0", "a6 0:0\n"),
        (b"[\n[BlackB\"\"][Result\"1-0\"]0:0$", "0:0 $\n"),
        (b"[Event \"\"]\n\n<d5: 0:0 . 5", "0:0 . 5\n"),
        // In BPGN the result of the teams is written, and only at the end.
        (b"[WhiteA \"\"][Result \"1/2-1/2\"]\n\n0-0", "\n0-0\n"),
        (b"[WhiteA \"\"][Result \"1-0\"]\n\n<e5:>", "<e5:\n> 1-0\n"),
        // A drop that depends on a board that is not judged is open, but not out of turn.
        (
            b"[WhiteA\"\"]2A.e\n1b.@e4}1B.d5",
            "2A. e\n1b. @e4 }\n1B. d5\n",
        ),
        // Of two players on one seat the second is kept, too.
        (
            b"[WhiteB \"Ann\"][WhiteB \"Bob\"]\n\n1A. e4",
            "[WhiteB \"Bob\"]\n",
        ),
    ];
    for (text, written) in texts {
        let once = canonical(text);
        let shown = String::from_utf8_lossy(&once);
        assert!(shown.contains(written), "{shown}");
        assert_eq!(canonical(&once), once, "{shown}");
    }
}

/// Tags are written in another order than they were read, so that a brace in one could come before another.
#[test]
fn a_brace_that_could_close_a_comment_is_refused() {
    let text = b"e4{\n[Event \n[t\"\"];{\n[i\"}\"]";
    assert_eq!(rewritten(text), None);
}
