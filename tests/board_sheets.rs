//! Sheets of the boards of Mega-Chess, together and by themselves, as clubs keep them by hand.

use crate::{
    chance::Chance,
    depth::tries,
    records::{Agreed, NEAR_ENDS},
    rows::piped,
    run::{overboard, printed},
    text::{judge, judge_sheets},
};
use overboard_formats::{limits::Limits, parse::Parser, record::Record};
use overboard_games::registry::Variant;
use overboard_referee::{
    Options,
    finding::{Finding, Severity, Verdict},
    report::Report,
};
use overboard_sheets::{Sheet, unbundle};
use std::{fs, path::Path};
use tempfile::TempDir;

/// The errors of the sheet of a board on which either player may move (MG-18).
fn on_a_free_board(moves: &str) -> Vec<&'static str> {
    let sheet = format!("[Parent \"7/A2\"]\n[Rules \"turns=free\"]\n\n{moves}\n");
    let report = judge(sheet.as_bytes()).remove(0);
    let errors = report.findings.iter();
    let errors = errors.filter(|finding| finding.severity == Severity::Error);
    let codes: Vec<_> = errors.map(|finding| finding.code.id).collect();
    assert_eq!(
        codes.is_empty(),
        report.verdict == Verdict::Clean,
        "{moves}"
    );
    codes
}

#[test]
fn a_player_may_be_passed_over() {
    for moves in [
        "1. e4 -- 2. Nf3 *",
        "1. -- e5 *",
        "1. -- e5 2. -- Nf6 3. e4 *",
        "1. e4 -- 2. e5 d5 3. exd6 *",
        // Mate by the second of two moves in a row.
        "1. e4 -- 2. Bc4 -- 3. Qh5 -- 4. Qxf7# 1-0",
    ] {
        assert_eq!(on_a_free_board(moves), [""; 0], "{moves}");
    }
}

#[test]
fn what_the_option_does_not_allow() {
    for (moves, code) in [
        ("1. e4 -- 2. -- *", "illegal-move"),
        ("1. e4 f6 2. Qh5+ -- *", "illegal-move"),
        // En passant is possible only against the last move.
        ("1. e4 -- 2. e5 d5 3. -- Nc6 4. exd6 *", "illegal-move"),
        ("1. e4 -- 2. e6 *", "illegal-move"),
    ] {
        assert_eq!(on_a_free_board(moves), [code], "{moves}");
    }
}

#[test]
fn numbers_count_those_who_were_passed_over() {
    let found =
        judge(b"[Parent \"7/A2\"]\n[Rules \"turns=free\"]\n\n1. e4 -- 3. Nf3 *\n").remove(0);
    let codes: Vec<_> = found.findings.iter().map(|found| found.code.id).collect();
    assert!(codes.contains(&"move-number"), "{codes:?}");
}

/// The sheets of an example, and the index of the one of a board.
fn sheets_of(example: &str, parent: &str) -> (String, usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let record = fs::read_to_string(root.join("examples").join(example)).unwrap();
    let sheets = piped(&["unbundle"], &record);
    let tag = format!("[Parent \"{parent}\"]");
    let mut each = sheets.split("[Event ").skip(1);
    let at = each.position(|sheet| sheet.contains(&tag)).unwrap();
    (sheets, at)
}

#[test]
fn sheets_of_all_boards_are_judged_together() {
    for example in ["megachess.npgn", "megachess-free.npgn"] {
        let (sheets, _) = sheets_of(example, "#1/A2");
        for report in judge_sheets(sheets.as_bytes(), Options::default()) {
            assert_eq!(
                report.verdict,
                Verdict::Clean,
                "{example}: {:?}",
                report.findings
            );
        }
    }
}

/// A remark may stand between a ply and its ordinal, as on the sheets of linked boards.
#[test]
fn an_ordinal_may_stand_in_any_comment_after_its_ply() {
    let (sheets, _) = sheets_of("megachess.npgn", "#1/A2");
    let remarked = sheets.replace(" {[%seq", " {A remark.} (-- {[%seq 1]}) $1 {[%seq");
    assert_ne!(remarked, sheets);
    for report in judge_sheets(remarked.as_bytes(), Options::default()) {
        let findings = report.findings.iter();
        let loose: Vec<_> = findings
            .filter(|finding| finding.code.id == "loose-sheet")
            .collect();
        assert!(loose.is_empty(), "{loose:?}");
        assert_ne!(report.verdict, Verdict::Illegal, "{:?}", report.findings);
    }
}

/// A wrong move is found on the sheet of its board, at its place, and nowhere else.
#[test]
fn a_wrong_move_is_found_on_the_sheet_of_its_board() {
    let (sheets, at) = sheets_of("megachess.npgn", "#1/B2");
    let right = "Bc4";
    let from = sheets.find("[Parent \"#1/B2\"]").unwrap();
    let place = from + sheets[from..].find(right).unwrap();
    let wrong = format!("{}Bc5{}", &sheets[..place], &sheets[place + right.len()..]);
    let reports = judge_sheets(wrong.as_bytes(), Options::default());
    let illegal = |nth: &usize| {
        let mut findings = reports[*nth].findings.iter();
        findings.any(|finding| finding.code.id == "illegal-move")
    };
    let accused: Vec<_> = (0..reports.len()).filter(illegal).collect();
    assert_eq!(accused, [at]);
    let finding = &reports[at].findings[0];
    assert_eq!(finding.place.span.from as usize, place);
    assert_eq!(finding.number.as_deref(), Some("3."));
}

/// A sheet that is missing is named by what was played there.
#[test]
fn a_missing_sheet_of_a_board_is_noticed() {
    let (sheets, at) = sheets_of("megachess.npgn", "#1/B2");
    let without: String = sheets
        .split("[Event ")
        .skip(1)
        .enumerate()
        .filter(|(nth, _)| *nth != at)
        .map(|(_, sheet)| format!("[Event {sheet}"))
        .collect();
    let reports = judge_sheets(without.as_bytes(), Options::default());
    let mut messages = reports.iter().flat_map(|report| &report.findings);
    assert!(messages.any(|finding| {
        finding
            .message
            .as_it_came()
            .contains("ply 2 is on no sheet")
    }));
}

/// The outermost sheet does not say what was played on the boards, so nobody is accused of what it has itself.
#[test]
fn an_outermost_sheet_alone_accuses_nobody() {
    let (sheets, _) = sheets_of("megachess.npgn", "#1/A2");
    let first = format!("[Event {}", sheets.split("[Event ").nth(1).unwrap());
    assert!(first.contains("7. Qf7#") && !first.contains("[Parent"));
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("outermost.npgn");
    fs::write(&path, &first).unwrap();
    let (said, exit) = printed(&overboard(&["check", "--brief", path.to_str().unwrap()]));
    assert_eq!(exit, 1, "{said}");
    assert!(
        said.contains("[loose-sheet]") && !said.contains("illegal"),
        "{said}"
    );
}

/// Without ordinals nobody knows in which turns moves were made: the boards are judged, and the match is not.
#[test]
fn without_ordinals_only_boards_are_judged() {
    let (sheets, at) = sheets_of("megachess.npgn", "#1/B2");
    let one = sheets.find("[GameId \"#2\"]").unwrap();
    let first = &sheets[..sheets[..one].rfind("[Event ").unwrap()];
    let mut unmarked = String::new();
    for part in first.split_inclusive('}') {
        let (said, mark) = part.split_at(part.rfind('{').unwrap_or(part.len()));
        unmarked += said;
        if !mark.starts_with("{[%seq") && !mark.starts_with("{[%turn") {
            unmarked += mark;
        }
    }
    assert!(!unmarked.contains("[%seq"));
    let reports = judge_sheets(unmarked.as_bytes(), Options::default());
    let said = &reports[0].findings[0].message;
    assert!(said.as_it_came().contains("have no ordinals"), "{said:?}");
    assert_eq!(reports[0].verdict, Verdict::Undetermined);
    let accused = reports.iter().map(|report| report.verdict).max();
    assert_eq!(accused, Some(Verdict::Undetermined));
    let wrong = unmarked.replacen("Bc4", "Bc5", 1);
    let reports = judge_sheets(wrong.as_bytes(), Options::default());
    let accused = reports.iter().filter(|report| is_accused(report)).count();
    assert_eq!(accused, 1, "{at}");
}

fn is_accused(report: &Report) -> bool {
    report.verdict == Verdict::Illegal
}

/// The plies of a sheet of a board of chess: where each stands, and whether it is White's.
fn plies(sheet: &str) -> Vec<(usize, usize, bool)> {
    let (mut found, mut numbered) = (Vec::new(), None);
    let from = sheet.rfind("]\n\n").map_or(0, |at| at + 3);
    let mut at = from;
    for word in sheet[from..].split_inclusive(char::is_whitespace) {
        let text = word.trim_end();
        if text.ends_with('.') && text.starts_with(|first: char| first.is_ascii_digit()) {
            numbered = Some(!text.ends_with("..."));
        } else if let Some(is_white) = numbered.take()
            && text != "--"
        {
            found.push((at, at + text.len(), is_white));
        }
        at += word.len();
    }
    found
}

/// The sheets of a random match of Mega-Chess.
fn random_sheets(chance: &mut Chance) -> Vec<String> {
    let level = 1 + u8::from(chance.below(3) == 0);
    let rules = chance.pick(&["", "turns=free"]).unwrap();
    let agreed = Agreed::on(Variant::Mega, 1, Some(level), rules);
    let agreed = match level == 1 && chance.below(3) == 0 {
        true => agreed.from(NEAR_ENDS),
        false => agreed,
    };
    split(&agreed, 8 + chance.below(90), chance)
}

/// The sheets of a random game of so many plies.
fn split(agreed: &Agreed, plies: usize, chance: &mut Chance) -> Vec<String> {
    let played = agreed.play(plies, chance);
    let mut parser = Parser::new(played.text.as_bytes(), 0, Limits::default());
    let record = Record::read(&mut parser).unwrap().unwrap();
    let sheet = Sheet::of(&record, 0).unwrap();
    unbundle(&sheet, "#1", Limits::default()).unwrap()
}

/// One sheet of a match is missing or none, some ordinals are, and up to two moves are wrong: whoever is accused made one of
/// these, and the first wrong move of each sheet is found.
#[test]
fn where_a_sheet_is_missing_the_others_are_judged() {
    let mut chance = Chance::seeded(20_261_128);
    let (mut found, mut together) = (0, 0);
    for _ in 0..tries(60) {
        let mut sheets = random_sheets(&mut chance);
        if sheets.len() < 3 {
            continue;
        }
        let is_missing = chance.below(3) > 0;
        if is_missing {
            sheets.remove(1 + chance.below(sheets.len() - 1));
        }
        let (mut text, mut slips) = (String::new(), Vec::new());
        let mut left = chance.below(3);
        for sheet in sheets {
            let is_outermost = text.is_empty();
            let sheet = match !is_outermost && chance.below(4) == 0 {
                true => without_some_ordinals(&sheet, &mut chance).0,
                false => sheet,
            };
            let all = plies(&sheet);
            let is_of_chess = !sheet.contains("[Variant");
            let picked = chance.pick(&all);
            let has_slip = picked.is_some() && is_of_chess && left > 0 && chance.below(3) == 0;
            match picked {
                Some((from, to, is_white)) if has_slip => {
                    left -= 1;
                    let wrong = if is_white { "a1" } else { "a8" };
                    slips.push(Some(text.len() + from));
                    text += &format!("{}{wrong}{}", &sheet[..from], &sheet[to..]);
                }
                _ => {
                    slips.push(None);
                    text += &sheet;
                }
            }
        }
        let reports = judge_sheets(text.as_bytes(), Options::default());
        assert_eq!(reports.len(), slips.len());
        let is_clean = reports[0].verdict == Verdict::Clean;
        assert!(!is_clean || !is_missing, "{text}");
        for (report, slip) in reports.iter().zip(slips) {
            let errors = report.findings.iter();
            let mut illegal = errors.filter(|finding| finding.code.verdict == Verdict::Illegal);
            match slip {
                None => assert!(!is_accused(report), "{:?}\n{text}", report.findings),
                Some(place) => {
                    let finding = illegal.next().unwrap_or_else(|| panic!("{place}\n{text}"));
                    assert_eq!(
                        finding.place.span.from as usize, place,
                        "{finding:?}\n{text}"
                    );
                    found += 1;
                }
            }
            together += usize::from(report.plies > 0 && report.verdict == Verdict::Clean);
        }
    }
    assert!(found > 10 && together > 0, "{found} {together}");
}

/// The words of the findings of a report.
fn messages(report: &Report) -> Vec<String> {
    let findings = report.findings.iter();
    findings
        .map(|finding| finding.message.as_it_came().to_owned())
        .collect()
}

/// The sheets of a random match of level 1, in which every board of the start has one.
fn sheets_of_every_board(chance: &mut Chance) -> Option<Vec<String>> {
    let rules = chance.pick(&["", "", "turns=free"]).unwrap();
    let agreed = Agreed::on(Variant::Mega, 1, Some(1), rules);
    let (agreed, boards, plies) = match chance.below(3) {
        0 => (agreed, 32, 200 + chance.below(100)),
        _ => (agreed.from(NEAR_ENDS), 6, 8 + chance.below(60)),
    };
    let sheets = split(&agreed, plies, chance);
    (sheets.len() > boards).then_some(sheets)
}

/// Where one or two boards have no sheet, the turns after their plies are judged, too: nobody is accused, what is illegal
/// elsewhere is found, and the outermost sheet says how far it depends on them.
#[test]
fn a_match_is_judged_on_without_the_sheets_of_a_board_or_two() {
    let mut chance = Chance::seeded(20_261_130);
    let (mut on, mut whole, mut wrong) = (0, 0, 0);
    for _ in 0..tries(40) {
        let Some(mut sheets) = sheets_of_every_board(&mut chance) else {
            continue;
        };
        let right = judge_sheets(sheets.concat().as_bytes(), Options::default());
        assert!(right.iter().all(|report| report.verdict == Verdict::Clean));
        for _ in 0..=chance.below(2) {
            sheets.remove(1 + chance.below(sheets.len() - 1));
        }
        let reports = judge_sheets(sheets.concat().as_bytes(), Options::default());
        for report in &reports {
            assert!(
                !is_accused(report),
                "{:?}\n{}",
                messages(report),
                sheets.concat()
            );
        }
        let is_judged_on = messages(&reports[0])
            .iter()
            .any(|message| message.contains("The match is judged as far as"));
        whole += 1;
        if !is_judged_on {
            continue;
        }
        on += 1;
        assert_eq!(reports[0].plies, right[0].plies, "{}", sheets.concat());
        let nth = 1 + chance.below(sheets.len() - 1);
        let Some((from, to, is_white)) = chance.pick(&plies(&sheets[nth])) else {
            continue;
        };
        let slip = if is_white { "a1" } else { "a8" };
        sheets[nth].replace_range(from..to, slip);
        let reports = judge_sheets(sheets.concat().as_bytes(), Options::default());
        let before: usize = sheets[..nth].iter().map(String::len).sum();
        for (at, report) in reports.iter().enumerate() {
            let mut findings = report.findings.iter();
            let illegal = findings.find(|finding| finding.code.verdict == Verdict::Illegal);
            let place = illegal.map(|finding| finding.place.span.from as usize);
            let right = (at == nth).then_some(before + from);
            assert_eq!(place, right, "{:?}\n{}", messages(report), sheets.concat());
        }
        wrong += 1;
    }
    println!("{on} of {whole} judged on, {wrong} wrong moves found");
    assert!(on > 10 && wrong > 5, "{on} of {whole}, {wrong}");
}

/// At level 2 and 3, where a sheet inside a board is missing, or an ordinal on one: the other boards of the match are judged on,
/// and nobody is accused.
#[test]
fn a_deeper_match_is_judged_on_without_one_of_its_boards() {
    let mut chance = Chance::seeded(20_261_202);
    let (mut on, mut all) = (0, 0);
    for _ in 0..tries(30) {
        let level = 2 + u8::from(chance.below(4) == 0);
        let rules = chance.pick(&["", "", "turns=free"]).unwrap();
        let agreed = Agreed::on(Variant::Mega, 1, Some(level), rules);
        let mut sheets = split(&agreed, 60 + chance.below(200), &mut chance);
        let nth = 1 + chance.below(sheets.len() - 1);
        let is_missing = chance.below(2) == 0;
        if is_missing {
            sheets.remove(nth);
        } else {
            sheets[nth] = without_some_ordinals(&sheets[nth], &mut chance).0;
        }
        let text = sheets.concat();
        let reports = judge_sheets(text.as_bytes(), Options::default());
        for report in &reports {
            assert!(!is_accused(report), "{:?}\n{text}", messages(report));
        }
        let findings = reports.iter().flat_map(|report| &report.findings);
        let errors: Vec<_> = findings
            .filter(|finding| finding.severity == Severity::Error)
            .collect();
        all += usize::from(!errors.is_empty());
        let is_judged_on =
            |finding: &&&Finding| finding.message.as_it_came().contains("judged as far as");
        if let Some(finding) = errors.iter().find(is_judged_on) {
            on += 1;
            let says_so = finding.message.as_it_came().contains("is not among these");
            assert_eq!(says_so, is_missing, "{finding:?}\n{text}");
            // That of a board with boards inside is also missing for these.
            assert!(errors.len() <= 2, "{errors:?}\n{text}");
        }
    }
    println!("{on} of {all} judged on");
    assert!(on * 2 > all, "{on} of {all}");
}

/// A wrong ordinal may be any number: it costs no memory, and accuses nobody.
#[test]
fn an_ordinal_may_be_as_large_as_it_likes() {
    let mut chance = Chance::seeded(20_261_131);
    let sheets = std::iter::repeat_with(|| sheets_of_every_board(&mut chance));
    let mut sheets = sheets.flatten().next().unwrap();
    sheets.pop();
    let sheets = sheets.concat();
    for ordinal in ["4294967296", "18446744073709551615"] {
        let wrong = sheets.replacen("[%seq 2]", &format!("[%seq {ordinal}]"), 1);
        assert_ne!(wrong, sheets);
        let reports = judge_sheets(wrong.as_bytes(), Options::default());
        assert!(!reports.iter().any(is_accused));
    }
}

/// A sheet of a board without some of its ordinals, all of them now and then.
fn without_some_ordinals(sheet: &str, chance: &mut Chance) -> (String, usize) {
    let share = 1 + chance.below(6);
    let (mut text, mut left_out) = (String::new(), 0);
    // A draw is known from a result at the end of a sheet by its ordinal alone.
    let is_draw = sheet.contains("]} 1/2-1/2");
    for part in sheet.split_inclusive('}') {
        let mark = part.rfind("{[%seq ");
        let is_chosen = mark.is_some() && chance.below(share) == 0;
        if let Some(at) = mark
            && is_chosen
            && !is_draw
        {
            left_out += 1;
            text += &part[..at];
        } else {
            text += part;
        }
    }
    (text, left_out)
}

/// Some ordinals are missing: where the others say them, the match is judged as if they were there. Nobody is accused of
/// anything, and a wrong move is found on its sheet whatever else is missing.
#[test]
fn ordinals_that_follow_from_the_others_are_supplied() {
    let mut chance = Chance::seeded(20_261_129);
    let (mut supplied, mut open) = (0, 0);
    for _ in 0..tries(60) {
        let sheets = random_sheets(&mut chance);
        let (mut text, mut left_out) = (String::new(), 0);
        for (at, sheet) in sheets.iter().enumerate() {
            let (sheet, more) = match at {
                0 => (sheet.clone(), 0),
                _ => without_some_ordinals(sheet, &mut chance),
            };
            left_out += more;
            text += &sheet;
        }
        let right = judge_sheets(sheets.concat().as_bytes(), Options::default());
        let reports = judge_sheets(text.as_bytes(), Options::default());
        assert_eq!(reports.len(), right.len());
        for (report, right) in reports.iter().zip(&right) {
            let is_as_bad = report.verdict <= right.verdict;
            assert!(
                is_as_bad || !is_accused(report),
                "{:?}\n{text}",
                report.findings
            );
        }
        if left_out > 0 {
            let is_whole = reports[0].unjudged_from.is_none() && reports[0].plies == right[0].plies;
            supplied += usize::from(is_whole);
            open += usize::from(!is_whole);
        }
    }
    assert!(supplied > 5 && open > 5, "{supplied} {open}");
}

/// A sheet of a board in which one ordinal is another one of the game.
fn with_a_wrong_ordinal(sheet: &str, last: usize, chance: &mut Chance) -> Option<String> {
    let marks: Vec<_> = sheet.match_indices("{[%seq ").collect();
    let (at, mark) = chance.pick(&marks)?;
    let from = at + mark.len();
    let to = from + sheet[from..].find(']')?;
    let wrong = 1 + chance.below(last);
    Some(format!("{}{wrong}{}", &sheet[..from], &sheet[to..]))
}

/// One ordinal is wrong, or two have changed places: nobody is accused, and one finding says so. Where the others leave one
/// number for it, all is judged.
#[test]
fn one_wrong_ordinal_is_one_finding() {
    let mut chance = Chance::seeded(20_261_203);
    let (mut corrected, mut open) = (0, 0);
    for round in 0..tries(90) {
        let sheets = match round % 3 {
            0 => Some(random_sheets(&mut chance)),
            _ => sheets_of_every_board(&mut chance),
        };
        let Some(mut sheets) = sheets.filter(|sheets| sheets.len() > 2) else {
            continue;
        };
        let right = judge_sheets(sheets.concat().as_bytes(), Options::default());
        if right.iter().any(|report| report.verdict != Verdict::Clean) {
            continue;
        }
        let plies = sheets.concat().matches("[%seq ").count();
        let nth = 1 + chance.below(sheets.len() - 1);
        let Some(wrong) = with_a_wrong_ordinal(&sheets[nth], plies, &mut chance) else {
            continue;
        };
        if wrong == sheets[nth] {
            continue;
        }
        sheets[nth] = wrong;
        let text = sheets.concat();
        let reports = judge_sheets(text.as_bytes(), Options::default());
        let found = reports.iter().flat_map(|report| &report.findings);
        let grave: Vec<_> = found
            .filter(|finding| finding.severity != Severity::Note)
            .collect();
        assert!(!reports.iter().any(is_accused), "{grave:?}\n{text}");
        assert_eq!(grave.len(), 1, "{grave:?}\n{text}");
        let is_corrected = grave[0].code.id == "move-number";
        corrected += usize::from(is_corrected);
        open += usize::from(!is_corrected);
        if is_corrected {
            assert_eq!(reports[0].plies, right[0].plies, "{text}");
        }
    }
    println!("{corrected} corrected, {open} open");
    assert!(corrected > open, "{corrected} {open}");
}

/// The sheets of an example without the ordinals of a board.
fn without_ordinals_of(example: &str, parent: &str) -> (String, String) {
    let (sheets, _) = sheets_of(example, parent);
    let tag = format!("[Parent \"{parent}\"]");
    let from = sheets.find(&tag).unwrap();
    let to = sheets[from..]
        .find("[Event ")
        .map_or(sheets.len(), |to| from + to);
    let mut own = String::new();
    for part in sheets[from..to].split_inclusive('}') {
        own += &part[..part.rfind("{[%seq ").unwrap_or(part.len())];
    }
    let left = format!("{}{own}{}", &sheets[..from], &sheets[to..]);
    (sheets, left)
}

#[test]
fn a_board_whose_sheet_has_no_ordinals_has_its_plies_in_the_turns_that_lack_one() {
    let (sheets, left) = without_ordinals_of("megachess.npgn", "#1/B2");
    assert_ne!(sheets, left);
    let whole = piped(&["bundle", "-"], &left);
    let right = piped(&["bundle", "-"], &sheets);
    assert_eq!(whole, right);
}
