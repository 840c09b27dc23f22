//! What a record says applies to the game whose record it is (GEN-12): for a sub-game the referee finds the
//! same as on its score-sheet. And what cannot be known after a fault is left open, never called illegal (GEN-13).

use crate::{
    chance::Chance,
    damage::{COMMANDS, TAGS},
    depth::tries,
    records::Agreed,
    text::{judge, judge_sheets, records},
};
use overboard_formats::limits::Limits;
use overboard_games::registry::Variant;
use overboard_referee::{
    Options,
    finding::{Finding, Severity},
    report::Report,
};
use overboard_sheets::{Sheet, unbundle};

/// A random game of Overchess as a record: sub-games are short, and some end by a result that does not follow from
/// their moves.
fn record(depth: u8, seed: u64) -> String {
    let rules = if depth == 1 {
        String::new()
    } else {
        format!("depth={depth}")
    };
    let agreed = Agreed::on(Variant::Over, 1, None, &rules);
    agreed
        .play(160 * usize::from(depth), &mut Chance::seeded(seed))
        .text
}

/// The positions of the blocks of chess sub-games in a record: between `<d5:` and `>`.
fn blocks(text: &str) -> Vec<(usize, usize)> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    let mut inside = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => inside = !inside,
            b'<' if !inside => open.push((at, text.as_bytes().get(at + 3) == Some(&b':'), false)),
            b'>' if !inside => {
                let (from, is_sub_game, holds_others) = open.pop().unwrap();
                if let Some(outer) = open.last_mut() {
                    outer.2 |= is_sub_game;
                }
                if is_sub_game && !holds_others {
                    found.push((from + 4, at));
                }
            }
            _ => {}
        }
    }
    found
}

/// The moves in a block, each as the position of its end.
fn moves(text: &str, (from, to): (usize, usize)) -> Vec<usize> {
    let start = text[from..to].rfind(']').map_or(from, |tag| from + tag + 1);
    let mut ends = Vec::new();
    let mut at = start;
    for word in text[start..to].split_inclusive(|c: char| c.is_whitespace()) {
        let bare = word.trim_end();
        if bare.starts_with(|c: char| c.is_ascii_alphabetic()) {
            ends.push(at + bare.len());
        }
        at += word.len();
    }
    ends
}

/// Inserts commands, tags or another result into a block of a record.
fn spoil(text: &str, block: (usize, usize), chance: &mut Chance) -> String {
    let mut spoilt = text.to_string();
    let ends = moves(text, block);
    for _ in 0..1 + chance.below(2) {
        match chance.below(8) {
            // From the end, so that earlier positions stay valid.
            0 => {
                let close = spoilt[block.0..].find('>').unwrap() + block.0;
                let result = spoilt[..close]
                    .trim_end()
                    .rfind(char::is_whitespace)
                    .unwrap()
                    + 1;
                let other = chance.pick(&["1-0", "0-1", "1/2", "1/2-1/2", "*"]).unwrap();
                spoilt.replace_range(result..close, &format!("{other} "));
            }
            1 | 2 => spoilt.insert_str(block.0, &format!(" {} ", chance.pick(&TAGS).unwrap())),
            _ => {
                let Some(end) = chance.pick(&ends).filter(|_| spoilt.len() >= text.len()) else {
                    continue;
                };
                if spoilt[..end] == text[..end] {
                    spoilt.insert_str(end, &format!(" {{{}}}", chance.pick(&COMMANDS).unwrap()));
                }
            }
        }
    }
    spoilt
}

fn worth_a_word(finding: &&Finding) -> bool {
    finding.severity != Severity::Note
}

/// Code, text and rule of the findings, sorted.
fn reported<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<(&'static str, String)> {
    let mut known: Vec<_> = findings
        .filter(worth_a_word)
        .map(|finding| (finding.code.id, finding.text.as_it_came().to_owned()))
        .collect();
    known.sort();
    known
}

fn only(text: &str) -> Report {
    let mut reports = judge(text.as_bytes());
    assert_eq!(reports.len(), 1, "{text}");
    reports.remove(0)
}

fn sheets(text: &str) -> Option<Vec<String>> {
    let record = records(text).into_iter().next()?;
    unbundle(&Sheet::of(&record, 0).ok()?, "#1", Limits::default()).ok()
}

#[test]
fn a_sub_game_is_judged_as_its_sheet_is() {
    let mut chance = Chance::seeded(61);
    let (mut compared, mut found) = (0, 0);
    for (depth, seed) in (0..tries(12) as u64).flat_map(|seed| [(1, 100 + seed), (2, 200 + seed)]) {
        let text = record(depth, seed);
        assert!(
            only(&text)
                .findings
                .iter()
                .all(|finding| finding.severity != Severity::Error),
            "{text}"
        );
        let blocks: Vec<_> = blocks(&text)
            .into_iter()
            .filter(|block| !moves(&text, *block).is_empty())
            .collect();
        for _ in 0..30 {
            let Some(block) = chance.pick(&blocks) else {
                break;
            };
            let spoilt = spoil(&text, block, &mut chance);
            let nested = only(&spoilt);
            let end = block.0 + spoilt[block.0..].find('>').unwrap();
            let here = |finding: &&Finding| {
                let at = finding.place.span.from as usize;
                (block.0..=end).contains(&at)
            };
            let own = reported(nested.findings.iter().filter(here));
            let Some(sheets) = sheets(&spoilt) else {
                continue;
            };
            // The sheet of this sub-game is the one with its moves.
            let bare = |text: &str| {
                let mut depth = 0;
                let known = text.chars().filter(|c| {
                    depth += i32::from(*c == '{') - i32::from(*c == '}');
                    depth == 0 && *c != '}'
                });
                let known: String = known.collect();
                let moves = known.rfind("\"]").map_or(&*known, |tag| &known[tag + 2..]);
                moves.split_whitespace().collect::<String>()
            };
            let moves = bare(&spoilt[block.0..end]);
            let mut same = sheets.iter().filter(|sheet| bare(sheet) == moves);
            let (Some(sheet), None) = (same.next(), same.next()) else {
                continue;
            };
            let apart = judge_sheets(sheet.as_bytes(), Options::default());
            let apart = reported(apart.iter().flat_map(|report| &report.findings));
            assert_eq!(own, apart, "\n{}\n\n{sheet}", &spoilt[block.0..end]);
            compared += 1;
            found += usize::from(!own.is_empty());
        }
    }
    assert!(
        compared > 200 && found > 100,
        "{compared} compared, {found} with findings"
    );
}

/// The plies of a record that stay on their board, each with its position in the text.
fn plies_at_home(text: &str) -> Vec<(usize, &str)> {
    let start = text.rfind("\"]").unwrap() + 2;
    let mut found = Vec::new();
    let mut at = start;
    for word in text[start..].split_inclusive(|c: char| c.is_whitespace() || c == '<' || c == '>') {
        let bare = word.trim_end_matches(|c: char| c.is_whitespace() || c == '<' || c == '>');
        let is_number = bare.starts_with(|c: char| c.is_ascii_digit());
        if !bare.is_empty() && !is_number && !matches!(bare, "*" | "--") && !bare.contains('/') {
            found.push((at, bare));
        }
        at += word.len();
    }
    found
}

#[test]
fn nothing_is_illegal_that_a_lost_board_could_make_legal() {
    let mut chance = Chance::seeded(62);
    let (mut lost, mut open) = (0, 0);
    for seed in 0..tries(30) {
        let text = match seed % 5 {
            0 => {
                Agreed::on(Variant::Mega, 1, Some(1), "")
                    .play(120, &mut chance)
                    .text
            }
            1 => {
                Agreed::on(Variant::Mega, 1, Some(1), "turns=free")
                    .play(120, &mut chance)
                    .text
            }
            kind => {
                let rules = if kind == 2 {
                    "edition=2003"
                } else {
                    "edition=2025"
                };
                Agreed::on(Variant::Strategi, 2 + (seed % 3) as u16, None, rules)
                    .play(150, &mut chance)
                    .text
            }
        };
        for _ in 0..25 {
            let plies = plies_at_home(&text);
            let (at, ply) = chance.pick(&plies).unwrap();
            let (address, own) = ply
                .rsplit_once('.')
                .map_or(("", ply), |(address, own)| (address, own));
            // Kings that leap are never legal.
            let other = if own.starts_with('K') { "Ka1" } else { "Ke5" };
            let mut spoilt = text.clone();
            let dot = if address.is_empty() { "" } else { "." };
            spoilt.replace_range(at..at + ply.len(), &format!("{address}{dot}{other}"));
            let report = only(&spoilt);
            let illegal: Vec<_> = report
                .findings
                .iter()
                .filter(|finding| finding.code.id == "illegal-move")
                .collect();
            if illegal
                .first()
                .is_none_or(|finding| finding.place.span.from as usize >= at + ply.len() + 4)
            {
                // It happened to be legal, or nothing was left of it.
                continue;
            }
            let reported: Vec<_> = illegal.iter().map(|finding| &finding.message).collect();
            assert_eq!(illegal.len(), 1, "{reported:#?}\n{spoilt}");
            lost += 1;
            open += usize::from(
                report
                    .findings
                    .iter()
                    .any(|finding| finding.code.id == "open-ply"),
            );
        }
    }
    assert!(
        lost > 200 && open > 5,
        "{lost} lost, {open} with open plies"
    );
}
