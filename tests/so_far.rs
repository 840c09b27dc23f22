//! Records of games that are still going on, judged up to where they stand.

use crate::{
    chance::Chance,
    depth::tries,
    faults::model::agreements,
    records::places,
    rows::piped,
    text::{judge, judge_with},
};
use overboard_formats::limits::Limits;
use overboard_referee::{
    Options,
    finding::{Finding, Verdict},
    report::Report,
};

/// That records may end anywhere.
pub fn so_far() -> Options {
    Options {
        limits: Limits {
            so_far: true,
            ..Limits::default()
        },
        ..Options::default()
    }
}

fn codes(report: &Report) -> Vec<&'static str> {
    let codes = |finding: &Finding| finding.code.id;
    report.findings.iter().map(codes).collect()
}

/// Each game is cut after random plies.
#[test]
fn a_record_is_clean_up_to_every_ply() {
    let mut chance = Chance::seeded(83);
    for (agreed, plies) in agreements() {
        for _ in 0..tries(4) {
            let text = agreed.play(plies, &mut chance).text;
            let ends: Vec<_> = places(&text).0.iter().map(|act| act.at.end).collect();
            for _ in 0..4 {
                let Some(end) = chance.pick(&ends) else {
                    continue;
                };
                let cut = &text[..end];
                let reports = judge_with(cut.as_bytes(), so_far());
                assert_eq!(reports.len(), 1, "{cut}");
                assert_eq!(
                    reports[0].verdict,
                    Verdict::Clean,
                    "{agreed:?}\n{cut}\n{:?}",
                    codes(&reports[0])
                );
            }
        }
    }
}

#[test]
fn what_is_open_closes_at_every_level() {
    for cut in [
        "",
        "1. e4",
        "1. e4 e5 2.",
        "1. e4 (1. d4 d5",
        "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5:",
        "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Nf3",
        "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Nf3 (2. f4",
        "[Variant \"Mega-Chess\"]\n\n1. <A2.e4",
        "[Variant \"Recursive Chess\"]\n[Level \"2\"]\n\n1. <A2.<B1.e4",
    ] {
        for report in judge_with(cut.as_bytes(), so_far()) {
            assert_eq!(
                report.verdict,
                Verdict::Clean,
                "{cut}: {:?}",
                codes(&report)
            );
        }
        if cut.contains('<') {
            let alone = judge(cut.as_bytes());
            assert_ne!(alone[0].verdict, Verdict::Clean, "{cut}");
        }
    }
}

#[test]
fn what_is_wrong_is_still_wrong() {
    for (cut, code) in [
        ("1. e4 e5 2. Ke3", "illegal-move"),
        ("1. e4 e5 2. Nf", "bad-ply"),
        ("1. e4 {the clock", "unclosed-comment"),
        (
            "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5: 1. e5",
            "illegal-move",
        ),
        (
            "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5: 1. e4 1-0> <prisoners Q",
            "unclosed-bracket",
        ),
        // Another turn follows the short one.
        (
            "[Variant \"Mega-Chess\"]\n\n1. <A2.e4> 1... <A2.e5",
            "illegal-move",
        ),
    ] {
        let reports = judge_with(cut.as_bytes(), so_far());
        assert!(
            codes(&reports[0]).contains(&code),
            "{cut}: {:?}",
            codes(&reports[0])
        );
    }
}

/// A file of games of which several are still going on.
#[test]
fn the_next_record_ends_one_that_is_open() {
    let round =
        "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5: 1. e4\n\n[Event \"Next\"]\n\n1. d4 d5\n";
    let reports = judge_with(round.as_bytes(), so_far());
    let verdicts: Vec<_> = reports.iter().map(|report| report.verdict).collect();
    assert_eq!(verdicts, [Verdict::Clean; 2]);
}

#[test]
fn fmt_closes_what_is_open() {
    let text = "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 <d5: 1. e4 e5";
    let written = piped(&["fmt", "--so-far"], text);
    assert!(written.contains("1. e4 e5 *"), "{written}");
    assert_eq!(
        judge(written.as_bytes())[0].verdict,
        Verdict::Clean,
        "{written}"
    );
}
