//! Sheets of linked boards with slips are judged together as far as they go, and nobody innocent is accused.

use super::judged::boards;
use super::*;
use crate::text::judge_sheets;
use overboard_referee::{finding::Verdict, report::Report};

/// The sheets of a match, the outermost first: what stands before the moves, and the plies with their numbers.
struct Handed {
    outer: String,
    boards: Vec<(String, Vec<String>)>,
}

impl Handed {
    /// The sheets of a record, without ordinals; on some boards with the times of the plies.
    fn of(record: &str, chance: &mut Chance) -> Self {
        let sheet = Sheet::of(&records(record)[0], 0).unwrap();
        let mut sheets = unbundle(&sheet, "7", Limits::default())
            .unwrap()
            .into_iter();
        let outer = sheets.next().unwrap();
        let boards = sheets.map(|sheet| {
            let (head, moves) = sheet.split_once("\n\n").unwrap();
            let has_times = chance.below(4) == 0;
            (head.to_owned(), plies(moves, has_times))
        });
        Self {
            outer: outer.clone(),
            boards: boards.collect(),
        }
    }

    /// All sheets as they are handed in, without those that are missing.
    fn text(&self, missing: &[usize]) -> String {
        let mut text = format!("{}\n\n", self.outer.trim_end());
        for (at, (head, plies)) in self.boards.iter().enumerate() {
            if !missing.contains(&at) {
                text.push_str(&format!("{head}\n\n{} *\n\n", plies.join("\n")));
            }
        }
        text
    }
}

/// Each ply with its number and where pieces came from.
fn plies(moves: &str, has_times: bool) -> Vec<String> {
    let mut plies = Vec::new();
    let mut arrivals = String::new();
    let moves = moves.replace('\n', " ");
    let mut rest = moves.trim_end().trim_end_matches('*');
    while let Some(from) = rest.find(|c: char| !c.is_whitespace()) {
        rest = &rest[from..];
        if let Some(comment) = rest.strip_prefix('{') {
            let (said, after) = comment.split_once('}').unwrap();
            if let Some(ordinal) = said.strip_prefix("[%seq ") {
                let seconds: u32 = ordinal.trim_end_matches(']').parse().unwrap();
                if has_times && let Some(last) = plies.last_mut() {
                    let last: &mut String = last;
                    last.push_str(&format!(
                        " {{[%ts 0:{:02}:{:02}]}}",
                        seconds / 60,
                        seconds % 60
                    ));
                }
            } else {
                arrivals.push_str(&format!(" {{{said}}}"));
            }
            rest = after;
            continue;
        }
        let (number, after) = rest.split_once(' ').unwrap();
        let after = after.trim_start();
        let (san, after) = after.split_once(' ').unwrap_or((after, ""));
        plies.push(format!("{number}{} {san}", std::mem::take(&mut arrivals)));
        rest = after;
    }
    plies
}

/// What was done to a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slip {
    Unreadable,
    Other,
    LeftOut,
    /// Its number names another board.
    Number,
}

/// Makes a slip on a sheet, if it has plies. Returns what and on which board.
fn slip(handed: &mut Handed, chance: &mut Chance) -> Option<(Slip, usize)> {
    let board = chance.below(handed.boards.len());
    let plies = &mut handed.boards[board].1;
    if plies.is_empty() {
        return None;
    }
    let at = chance.below(plies.len());
    let kinds = [Slip::Unreadable, Slip::Other, Slip::LeftOut, Slip::Number];
    let kind = chance.pick(&kinds)?;
    let other = plies[chance.below(plies.len())].clone();
    let san = |ply: &str| {
        let alone = ply.split(" {[%ts").next().unwrap_or(ply);
        alone.rsplit(' ').next().unwrap_or("--").to_owned()
    };
    let number = plies[at].split(' ').next()?.to_owned();
    match kind {
        Slip::Unreadable => plies[at] = format!("{number} Zz99"),
        Slip::Other => plies[at] = format!("{number} {}", san(&other)),
        Slip::LeftOut => {
            plies.remove(at);
        }
        Slip::Number => {
            let is_white = number.contains(char::is_uppercase);
            let letter = if is_white { 'Z' } else { 'z' };
            let digits = number.trim_end_matches(|c: char| !c.is_ascii_digit());
            plies[at] = plies[at].replacen(&number, &format!("{digits}{letter}."), 1);
        }
    }
    Some((kind, board))
}

fn codes(reports: &[Report]) -> Vec<&'static str> {
    let findings = reports.iter().flat_map(|report| &report.findings);
    findings.map(|finding| finding.code.id).collect()
}

#[test]
fn slips_accuse_nobody_and_hide_little() {
    let mut chance = Chance::seeded(142);
    let (mut named, mut judged, mut single) = (0, 0, 0);
    for round in 0..tries(120) {
        let rules = if round % 3 == 0 { "edition=2025" } else { "" };
        let count = 2 + round % 7;
        let record = boards(count, rules, 20 + round % 60, &mut chance);
        let mut handed = Handed::of(&record, &mut chance);
        let slips: Vec<_> = (0..round % 5)
            .filter_map(|_| slip(&mut handed, &mut chance))
            .collect();
        let mut missing = Vec::new();
        for board in 0..count {
            if chance.below(16) == 0 {
                missing.push(board);
            }
        }
        let text = handed.text(&missing);
        let reports = judge_sheets(text.as_bytes(), Options::default());
        let found = codes(&reports);
        for (at, report) in reports.iter().enumerate() {
            let why = format!("{at} {found:?} {slips:?}\n{text}\n---\n{record}");
            assert!(
                !matches!(report.verdict, Verdict::Illegal | Verdict::WrongResult),
                "{why}"
            );
            let is_unreadable = report.verdict == Verdict::Unreadable;
            assert!(!is_unreadable || text.contains("Zz99"), "{why}");
        }
        if let ([(Slip::Number, _)], []) = (&slips[..], &missing[..]) {
            let is_note = |id: &&&str| **id == "long-line";
            let told: Vec<_> = found.iter().filter(|id| !is_note(id)).collect();
            assert_eq!(told, [&"move-number"], "{text}");
        } else if let ([_], []) = (&slips[..], &missing[..]) {
            single += 1;
            let accused = found
                .iter()
                .filter(|id| ["no-order", "bad-ply"].contains(id));
            let accused = accused.count();
            assert!(accused <= 1, "{found:?} {slips:?}\n{text}\n---\n{record}");
            named += accused;
            judged += usize::from(reports.iter().skip(1).any(|report| {
                report.verdict == Verdict::Clean
                    || report.unjudged_from.as_deref() != Some("the first move")
            }));
        }
    }
    assert!(
        named * 2 > single && judged * 4 > single * 3,
        "{single} {named} {judged}"
    );
}

/// Both players of a board hand in a sheet, and one of the two has a slip: it is the one that is named, or both are, and
/// all else is judged as if it were not there.
#[test]
fn of_two_sheets_the_right_one_is_never_accused() {
    let mut chance = Chance::seeded(143);
    let (mut compared, mut found, mut told_apart) = (0, 0, 0);
    for round in 0..tries(120) {
        let rules = if round % 3 == 0 { "edition=2025" } else { "" };
        let count = 2 + round % 5;
        let record = boards(count, rules, 20 + round % 60, &mut chance);
        let mut handed = Handed::of(&record, &mut chance);
        let right = handed.text(&[]);
        // Without times, more than one order may be legal and it may matter which was played.
        let is_clean = |report: &Report| report.verdict == Verdict::Clean;
        if !judge_sheets(right.as_bytes(), Options::default())
            .iter()
            .all(is_clean)
        {
            continue;
        }
        compared += 1;
        let Some((kind, board)) = slip(&mut handed, &mut chance) else {
            continue;
        };
        // Numbers are not compared.
        if kind == Slip::Number {
            continue;
        }
        let (head, plies) = &handed.boards[board];
        let wrong = format!("{head}\n\n{} *\n\n", plies.join("\n"));
        // The outermost sheet comes first; the other one of the board before all others, or last.
        let is_first = chance.below(2) == 0;
        let at = if is_first {
            handed.outer.trim_end().len() + 2
        } else {
            right.len()
        };
        let (text, wrong_at) = match is_first {
            true => (format!("{}{wrong}{}", &right[..at], &right[at..]), 1),
            false => (format!("{right}{wrong}"), count + 1),
        };
        let right_at = board + 1 + usize::from(is_first);
        let reports = judge_sheets(text.as_bytes(), Options::default());
        let named: Vec<_> = (0..reports.len())
            .filter(|at| codes(&reports[*at..=*at]) == ["unlike-sheets"])
            .collect();
        let why = format!("{kind:?} {named:?} {:?}\n{text}", codes(&reports));
        for (at, report) in reports.iter().enumerate() {
            assert!(
                is_clean(report) || [right_at, wrong_at].contains(&at),
                "{at} {why}"
            );
        }
        assert!(
            named.is_empty() || named == [wrong_at] || named.len() == 2,
            "{why}"
        );
        found += usize::from(!named.is_empty());
        told_apart += usize::from(named == [wrong_at]);
    }
    assert!(
        compared * 4 > tries(120) * 3 && found * 2 > compared && told_apart * 2 > found,
        "{compared} {found} {told_apart}"
    );
}
