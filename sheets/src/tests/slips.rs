//! Sheets of linked boards with slips are judged together as far as they go, and nobody innocent is accused.

use super::judged::{boards, judged_together};
use super::*;
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
}

/// Makes a slip on a sheet, if it has plies. Returns what and on which board.
fn slip(handed: &mut Handed, chance: &mut Chance) -> Option<(Slip, usize)> {
    let board = chance.below(handed.boards.len());
    let plies = &mut handed.boards[board].1;
    if plies.is_empty() {
        return None;
    }
    let at = chance.below(plies.len());
    let kind = chance.pick(&[Slip::Unreadable, Slip::Other, Slip::LeftOut])?;
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
        let missing: Vec<_> = (0..count).filter(|_| chance.below(16) == 0).collect();
        let text = handed.text(&missing);
        let reports = judged_together(&text);
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
        if let ([_], []) = (&slips[..], &missing[..]) {
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
