//! Games of Overchess are judged on where sheets of sub-games are missing.

use super::judged::overs;
use super::*;
use crate::text::judge_sheets;
use overboard_referee::{
    finding::{Severity, Verdict},
    report::Report,
};

const RULES: [&str; 8] = [
    "",
    "fog",
    "prisoners",
    "consolidation",
    "reserves=team/2P1N",
    "fog:prisoners:subdraw=both",
    "fog:consolidation:reserves=set/1P1N",
    "prisoners:consolidation:reserves=team/2P1N/3P",
];

/// The sheets of a random game, and which of them have no others inside.
fn handed(chance: &mut Chance) -> (Vec<String>, Vec<usize>) {
    let depth = 1 + u8::from(chance.below(4) == 0);
    let rules = chance.pick(&RULES).unwrap();
    let record = overs(depth, rules, 30 + chance.below(90), chance);
    let sheet = Sheet::of(&records(&record)[0], 0).unwrap();
    let sheets = unbundle(&sheet, "7", Limits::default()).unwrap();
    let way = |sheet: &str| {
        let (_, after) = sheet.split_once("[Parent \"")?;
        Some(after.split_once('"')?.0.to_owned())
    };
    let ways: Vec<_> = sheets.iter().map(|sheet| way(sheet)).collect();
    let has_none_inside = |nth: &usize| {
        let Some(own) = &ways[*nth] else { return false };
        let inside = format!("{own}/");
        !ways.iter().flatten().any(|way| way.starts_with(&inside))
    };
    let innermost = (1..sheets.len()).filter(has_none_inside).collect();
    (sheets, innermost)
}

fn is_accused(report: &Report) -> bool {
    matches!(report.verdict, Verdict::Illegal | Verdict::WrongResult)
}

/// Whether nothing after a sub-game is judged because its sheet is missing.
fn stops(report: &Report) -> bool {
    let mut findings = report.findings.iter();
    findings.any(|finding| {
        finding
            .message
            .as_it_came()
            .contains("not judged from here on")
    })
}

fn messages(report: &Report) -> Vec<&str> {
    let findings = report.findings.iter();
    findings
        .map(|finding| finding.message.as_it_came())
        .collect()
}

#[test]
fn a_game_goes_on_after_sub_games_that_are_on_no_sheet() {
    let mut chance = Chance::seeded(20_261_201);
    let (mut missed, mut judged_on) = (0, 0);
    for _ in 0..tries(60) {
        let (mut sheets, mut innermost) = handed(&mut chance);
        let whole = judge_sheets(sheets.concat().as_bytes(), Options::default());
        if innermost.len() < 2 || whole.iter().any(is_accused) {
            continue;
        }
        for _ in 0..=chance.below(3) {
            let Some(nth) = innermost.pop() else { break };
            sheets.remove(nth);
            if chance.below(2) == 0 {
                innermost.pop();
            }
        }
        let text = sheets.concat();
        let reports = judge_sheets(text.as_bytes(), Options::default());
        for report in &reports {
            assert!(!is_accused(report), "{:?}\n{text}", messages(report));
        }
        missed += 1;
        judged_on += usize::from(!reports.iter().any(stops));
    }
    println!("{judged_on} of {missed} judged on");
    assert!(judged_on * 4 > missed * 3, "{judged_on} of {missed}");
}

/// An over-move that no result of the missing sub-games allows is named, and nobody is convicted of what may follow from
/// an earlier slip.
#[test]
fn a_slip_after_a_sub_game_that_is_on_no_sheet_is_named() {
    let mut chance = Chance::seeded(20_261_202);
    let (mut slips, mut named) = (0, 0);
    for _ in 0..tries(60) {
        let (mut sheets, innermost) = handed(&mut chance);
        let Some(missing) = innermost.first().copied() else {
            continue;
        };
        sheets.remove(missing);
        let plies = over_moves(&sheets[0]);
        let Some((from, to)) = chance.pick(&plies) else {
            continue;
        };
        sheets[0].replace_range(from..to, "Kh5");
        let text = sheets.concat();
        let reports = judge_sheets(text.as_bytes(), Options::default());
        slips += 1;
        for report in &reports[1..] {
            assert!(!is_accused(report), "{:?}\n{text}", messages(report));
        }
        let at_slip = reports[0]
            .findings
            .iter()
            .any(|finding| finding.place.span.from as usize == from);
        for finding in &reports[0].findings {
            let is_later = finding.place.span.from as usize > from;
            let accuses =
                finding.severity == Severity::Error && finding.code.verdict == Verdict::Illegal;
            assert!(
                !(is_later && accuses),
                "{:?}\n{text}",
                messages(&reports[0])
            );
        }
        named += usize::from(at_slip);
    }
    println!("{named} of {slips} named");
    assert!(named * 2 > slips, "{named} of {slips}");
}

/// Where the plies of an outermost sheet stand.
fn over_moves(sheet: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut parser = Parser::new(sheet.as_bytes(), 0, Limits::default());
    loop {
        match parser.next().unwrap() {
            Event::Ply => {
                let span = parser.place().span;
                found.push((span.from as usize, span.to as usize));
            }
            Event::Done => return found,
            _ => {}
        }
    }
}
