//! Sheets that belong together are judged as their record is (GEN-12).

use super::*;
use crate::{
    damage::{COMMANDS, TAGS},
    text::{judge, judge_sheets},
};
use overboard_formats::write::Writer;
use overboard_games::strategichess::linked::Edition;
use overboard_referee::{
    finding::{MISSING_RESULT, Severity},
    game::notation::Notation,
    report::Report,
};

/// A random game of Overchess as a record: some sub-games end by a result that their moves do not bring about.
pub fn overs(depth: u8, rules: &str, plies: usize, chance: &mut Chance) -> String {
    let options = overboard_games::overchess::options(rules);
    let mut game = Over::first(depth, options);
    let mut words = Vec::new();
    // No record stops in the middle of a set-up, or of what follows a sub-game.
    while words.len() <= plies || !matches!(game.due(), Due::Over | Due::Sub(_)) {
        let mut list = Vec::new();
        let _ = game.legal(|ply| {
            list.push(ply);
            ControlFlow::Continue(())
        });
        let attacks: Vec<_> = list
            .iter()
            .copied()
            .filter(|ply| matches!(ply, Ply::Over(m) if game.current().attacks(*m)))
            .collect();
        let from = if attacks.is_empty() || chance.below(3) == 0 {
            &list
        } else {
            &attacks
        };
        let Some(ply) = chance.pick(from) else { break };
        words.push(game.coordinates(ply).to_string());
        game.play(ply);
        let path = game.path();
        let level = path.len().saturating_sub(1);
        if chance.below(14) == 0 && !path.is_empty() && game.sub_game_of(level) == Some(path) {
            let outcomes = [
                Outcome::Win(Side::White),
                Outcome::Win(Side::Black),
                Outcome::Draw,
            ];
            let outcome = chance.pick(&outcomes).unwrap();
            words.push(format!(
                "{}.{outcome}",
                overboard_games::overchess::said(&path)
            ));
            game.happen(path, Happening::Ended(outcome)).unwrap();
        }
        if game.end_by_itself().is_some() {
            break;
        }
    }
    let first = AnyGame::from(Over::first(depth, options));
    let line = Line::read_under(&words.join(" "), Variant::Over, &first, rules).unwrap();
    let mut text = String::new();
    line.write_record("*", &mut text).unwrap();
    text
}

/// A random game on linked boards as a record.
pub fn boards(count: usize, rules: &str, plies: usize, chance: &mut Chance) -> String {
    let edition = if rules.is_empty() {
        Edition::Of2003
    } else {
        Edition::Of2025
    };
    let mut game = Linked::first(count, edition);
    let first = AnyGame::from(game.clone());
    let mut words = Vec::new();
    while words.len() < plies && game.end_by_itself().is_none() {
        let mut list = Vec::new();
        let _ = game.legal(|ply| {
            list.push(ply);
            ControlFlow::Continue(())
        });
        let crossing: Vec<_> = list
            .iter()
            .copied()
            .filter(|ply| ply.over().is_some())
            .collect();
        let from = if crossing.is_empty() || chance.below(3) > 0 {
            &list
        } else {
            &crossing
        };
        let Some(ply) = chance.pick(from) else { break };
        words.push(game.coordinates(ply).to_string());
        game.play(ply);
    }
    let line = Line::read_under(&words.join(" "), Variant::Strategi, &first, rules).unwrap();
    let mut text = String::new();
    line.write_record("*", &mut text).unwrap();
    text
}

/// Where words among the moves begin and end.
fn words(text: &str) -> Vec<(usize, usize)> {
    let (mut found, mut from, mut quoted, mut inside) = (Vec::new(), None, false, 0);
    for (at, letter) in text.char_indices() {
        let plain =
            inside == 0 && !quoted && !letter.is_whitespace() && !"{}[]<>\"".contains(letter);
        match letter {
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => inside += 1,
            '}' | ']' if !quoted => inside -= 1,
            _ => {}
        }
        if plain {
            from.get_or_insert(at);
        } else if let Some(from) = from.take() {
            found.push((from, at));
        }
    }
    found
}

/// Puts commands, tags, other moves, numbers and results into a record.
fn spoilt(text: &str, chance: &mut Chance) -> String {
    let mut text = text.to_string();
    for _ in 0..chance.below(5) {
        let all = words(&text);
        let is_ply = |at: &(usize, usize)| {
            text[at.0..at.1].starts_with(|c: char| c.is_ascii_alphabetic())
                && !text[..at.1].ends_with(':')
                && text[at.0..at.1].len() < 8
        };
        let plies: Vec<_> = all
            .iter()
            .copied()
            .filter(|at| {
                is_ply(at) && !["prisoners", "reserve", "consolidate"].contains(&&text[at.0..at.1])
            })
            .collect();
        match chance.below(9) {
            0 => {
                let is_result = |at: &(usize, usize)| {
                    matches!(&text[at.0..at.1], "1-0" | "0-1" | "*" | "1/2-1/2")
                };
                let results: Vec<_> = all.iter().copied().filter(is_result).collect();
                let Some((from, to)) = chance.pick(&results) else {
                    continue;
                };
                text.replace_range(
                    from..to,
                    chance
                        .pick(&["1-0", "0-1", "1/2", "1/2-1/2", "*", ""])
                        .unwrap(),
                );
            }
            1 => {
                let opened: Vec<_> = all
                    .iter()
                    .copied()
                    .filter(|at| text[..at.1].ends_with(':') && text[..at.0].ends_with('<'))
                    .collect();
                if let Some((_, to)) = chance.pick(&opened) {
                    text.insert_str(to, &format!(" {}", chance.pick(&TAGS).unwrap()));
                }
            }
            2 => {
                let Some((from, to)) = chance.pick(&plies) else {
                    continue;
                };
                text.replace_range(
                    from..to,
                    chance
                        .pick(&["Ke5", "a3", "Nf3", "--", "O-O", "Qh5#", "Rxa1"])
                        .unwrap(),
                );
            }
            3 => {
                let numbers: Vec<_> = all
                    .iter()
                    .copied()
                    .filter(|at| text[..at.1].ends_with('.'))
                    .collect();
                let Some((from, to)) = chance.pick(&numbers) else {
                    continue;
                };
                let digits = text[from..to]
                    .bytes()
                    .take_while(u8::is_ascii_digit)
                    .count();
                text.replace_range(from..from + digits, "7");
            }
            4 if chance.below(3) == 0 => {
                text.insert_str(0, &format!("{}\n", chance.pick(&TAGS).unwrap()));
            }
            _ => {
                let Some((from, to)) = chance.pick(&plies) else {
                    continue;
                };
                let at = if chance.below(4) == 0 { from } else { to };
                text.insert_str(at, &format!(" {{{}}} ", chance.pick(&COMMANDS).unwrap()));
            }
        }
    }
    text
}

/// The layout of the notation, every ply as it is.
fn laid_out(text: &str) -> String {
    let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
    let mut writer = Writer::new(Vec::new(), Variant::tidy);
    loop {
        match parser.next().unwrap() {
            Event::Done => return String::from_utf8(writer.into_inner()).unwrap(),
            event => writer.write(event, None, &parser).unwrap(),
        }
    }
}

/// What was found, in an order of its own.
fn reported<'a>(reports: impl IntoIterator<Item = &'a Report>) -> Vec<String> {
    let findings = reports.into_iter().flat_map(|report| &report.findings);
    let worth_a_word = findings.filter(|finding| finding.severity != Severity::Note);
    let mut reported: Vec<_> = worth_a_word
        .map(|finding| {
            let rule = finding.rule.map_or("", |rule| rule.id);
            let text = finding.text.shown();
            // The last word of a record need not be on the sheet on which the result is missing.
            let is_missing = finding.code == &MISSING_RESULT;
            let text = if is_missing { "".into() } else { text };
            format!(
                "{} {rule} `{text}`: {}",
                finding.code.id,
                finding.message.shown()
            )
        })
        .collect();
    reported.sort();
    reported
}

/// How many records were compared, and how many of them were at fault.
#[derive(Default)]
struct Compared {
    all: usize,
    faulty: usize,
}

impl Compared {
    /// Asserts that the sheets of a record get the same findings as the record, and so does the record
    /// bundled from them.
    fn compare(&mut self, text: &str) {
        // What the layout mends is mended in both.
        let Ok(sheet) = Sheet::of(&records(text)[0], 0) else {
            return;
        };
        let text = &laid_out(&sheet.text());
        let record = records(text).remove(0);
        let Ok(apart) =
            Sheet::of(&record, 0).and_then(|sheet| unbundle(&sheet, "#1", Limits::default()))
        else {
            return;
        };
        let apart = apart.concat();
        let whole = judge(text.as_bytes()).remove(0);
        let sheets = judge_sheets(apart.as_bytes(), Options::default());
        let right = reported([&whole]);
        assert_eq!(reported(&sheets), right, "\n{text}\n----\n{apart}");
        let clean = sheets
            .iter()
            .all(|sheet| sheet.verdict == overboard_referee::finding::Verdict::Clean);
        assert_eq!(
            clean,
            whole.verdict == overboard_referee::finding::Verdict::Clean,
            "\n{text}\n----\n{apart}"
        );
        let mut bundle = SheetBundle::new(Limits::default());
        for record in records(&apart) {
            bundle.add(&record, 0).unwrap();
        }
        let made = bundle.bundle().next().unwrap();
        let made = made
            .unwrap_or_else(|problems| panic!("{problems:?}\n{text}\n----\n{apart}"))
            .text();
        let again = judge(made.as_bytes()).remove(0);
        assert_eq!(reported([&again]), right, "\n{text}\n----\n{made}");
        assert_eq!(again.plies, whole.plies, "\n{text}\n----\n{made}");
        self.all += 1;
        self.faulty += usize::from(!right.is_empty());
    }
}

#[test]
fn sheets_of_sub_games_are_judged_as_their_record_is() {
    let mut chance = Chance::seeded(41);
    for (depth, rules, plies) in [
        (1, "", 90),
        (1, "fog:prisoners", 90),
        (2, "depth=2", 150),
        (2, "prisoners:depth=2", 150),
        (3, "depth=3", 180),
    ] {
        let mut compared = Compared::default();
        for _ in 0..tries(12) {
            let text = overs(depth, rules, plies, &mut chance);
            for _ in 0..20 {
                compared.compare(&spoilt(&text, &mut chance));
            }
        }
        assert!(
            compared.all >= 200 && compared.faulty > 60,
            "{} {}",
            compared.all,
            compared.faulty
        );
    }
}

#[test]
fn sheets_of_boards_are_judged_as_their_record_is() {
    let mut chance = Chance::seeded(43);
    let mut compared = Compared::default();
    for round in 0..tries(28) {
        let rules = if round % 2 == 0 { "" } else { "edition=2025" };
        let text = boards(2 + round % 7, rules, 80, &mut chance);
        for _ in 0..10 {
            compared.compare(&spoilt(&text, &mut chance));
        }
    }
    assert!(
        compared.all >= 200 && compared.faulty > 60,
        "{} {}",
        compared.all,
        compared.faulty
    );
}

#[test]
fn who_plays_on_after_the_end_has_sheets_too() {
    let head = "[Event \"x\"]\n[GameId \"7\"]\n[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 Nf6 3. Nc3 *\n\n";
    for words in [
        "[%illegal Ke9] [%illegal Ke9]",
        "[%resign B]",
        "[%flag B]",
        "[%draw agreed]",
    ] {
        let sheet =
            format!("[Event \"x\"]\n[Parent \"7/2w\"]\n\n1. e4 {{{words}}} e5 2. Nf3 1-0\n\n");
        let made = bundle_one(&format!("{head}{sheet}"));
        assert!(
            made.contains(words) && made.contains("e5\n  2. Nf3 1-0\n> Nf6"),
            "{made}"
        );
    }
}

#[test]
fn what_is_found_on_boards_stands_on_their_sheets() {
    let head = "[Event \"M\"]\n[White \"Ann:Bob\"]\n[Black \"Di:Ed\"]\n[Result \"*\"]\n[GameId \"7\"]\n[Boards \"A:B\"]\n[Variant \"StrategiChess\"]\n\n*\n\n";
    let board = |name: &str, moves: &str| {
        format!(
            "[Event \"M\"]\n[Parent \"7/{name}\"]\n[Variant \"StrategiChess\"]\n[Date \"yesterday\"]\n\n{moves} *\n\n"
        )
    };
    let (a, b) = (
        board("A", "1. e7 {[%seq 1]} e8 {[%seq 3]} 2. Ke3 {[%seq 5]}"),
        board("B", "1. e7 {[%seq 2]} e8 {[%seq 4]}"),
    );
    let reports = judge_sheets(format!("{head}{a}{b}").as_bytes(), Options::default());
    let said = |at: usize| {
        let findings = reports[at]
            .findings
            .iter()
            .filter(|finding| finding.severity != Severity::Note);
        findings
            .map(|finding| {
                format!(
                    "{} {}:{} {:?}",
                    finding.code.id, finding.place.line, finding.column, finding.ply
                )
            })
            .collect::<Vec<_>>()
    };
    let verdicts: Vec<_> = reports
        .iter()
        .map(|report| {
            (
                report.verdict.to_string(),
                report.unjudged_from.clone(),
                report.plies,
            )
        })
        .collect();
    assert_eq!(said(0), [""; 0]);
    assert_eq!(
        said(1),
        ["tag-value 14:8 None", "illegal-move 16:35 Some(3)"]
    );
    assert_eq!(said(2), ["tag-value 21:8 None"]);
    assert_eq!(verdicts[0].0, "undetermined", "{verdicts:?}");
    assert_eq!(verdicts[1], ("illegal".into(), Some("2A.".into()), 3));
    assert_eq!(verdicts[2], ("clean".into(), None, 2));
    // Without the sheet of board B nothing is known of the others.
    let reports = judge_sheets(format!("{head}{a}").as_bytes(), Options::default());
    assert!(
        reports
            .iter()
            .all(|report| report.verdict.to_string() == "undetermined")
    );
    assert!(reports.iter().all(|report| {
        report
            .findings
            .iter()
            .any(|finding| finding.code.id == "loose-sheet")
    }));
    assert!(
        judge_sheets(a.as_bytes(), Options::default())[0]
            .findings
            .iter()
            .any(|finding| finding.code.id == "loose-sheet")
    );
}

#[test]
fn a_sheet_of_individuals_can_be_read_alone() {
    let mut chance = Chance::seeded(47);
    for (depth, rules) in [
        (2, "depth=2"),
        (
            2,
            "fog:prisoners:consolidation:depth=2:reserves=team/2P1N/3P",
        ),
        (3, "subdraw=both:depth=3:reserves=set/1P1N:prisoners"),
    ] {
        let (mut compared, mut faulty) = (0, 0);
        for _ in 0..tries(12) {
            let text = overs(depth, rules, 160, &mut chance);
            for _ in 0..25 {
                let Ok(sheet) = Sheet::of(&records(&spoilt(&text, &mut chance))[0], 0) else {
                    continue;
                };
                let Ok(apart) = unbundle(&sheet, "#1", Limits::default()) else {
                    continue;
                };
                let together = judge_sheets(apart.concat().as_bytes(), Options::default());
                for (own, sheet) in together
                    .iter()
                    .zip(&apart)
                    .filter(|(_, sheet)| sheet.contains("[Around "))
                {
                    // Alone it has the sub-games inside it, which its record has next to it.
                    if apart.iter().any(|other| {
                        other.contains(&format!(
                            "{}/",
                            sheet
                                .split("[Parent \"")
                                .nth(1)
                                .unwrap()
                                .split('"')
                                .next()
                                .unwrap()
                        ))
                    }) {
                        continue;
                    }
                    let alone = judge_sheets(sheet.as_bytes(), Options::default());
                    assert_eq!(reported(&alone), reported([own]), "\n{text}\n----\n{sheet}");
                    compared += 1;
                    faulty += usize::from(!own.findings.is_empty());
                }
            }
        }
        assert!(compared > 100, "{rules} {compared} {faulty}");
    }
}

/// A random game of Mega-Chess as a record.
fn mega(plies: usize, chance: &mut Chance) -> String {
    let mut game = overboard_games::mega::Mega::first(1);
    let first = AnyGame::from(game.clone());
    let mut words = Vec::new();
    while words.len() < plies || !game.is_between_turns() {
        let mut list = Vec::new();
        let _ = game.legal(|ply| {
            list.push(ply);
            ControlFlow::Continue(())
        });
        let Some(ply) = chance.pick(&list) else { break };
        words.push(game.coordinates(ply).to_string());
        game.play(ply);
        if game.end_by_itself().is_some() {
            break;
        }
    }
    let line = Line::read_under(&words.join(" "), Variant::Mega, &first, "").unwrap();
    let mut text = String::new();
    line.write_record("*", &mut text).unwrap();
    text
}

/// What may be said on an item.
const ON_ITEMS: [&str; 11] = [
    "[%flag W]",
    "[%flag]",
    "[%resign W]",
    "[%resign G]",
    "[%draw agreed]",
    "[%claim fifty]",
    "[%illegal Ke9]",
    "[%illegal a3]",
    "[%illegal e5]",
    "[%infraction W GEN-2 \"late\"]",
    "[%stands e1e3]",
];

#[test]
fn what_is_said_on_an_item_is_judged_as_on_the_sheet_of_its_board() {
    let mut chance = Chance::seeded(53);
    let (mut compared, mut found) = (0, 0);
    for _ in 0..tries(20) {
        let text = mega(90, &mut chance);
        for _ in 0..16 {
            let mut spoilt = text.clone();
            for _ in 0..1 + chance.below(4) {
                // Items follow the addresses of their boards, with a small letter or a figure's, and no
                // result is one.
                let items: Vec<_> = words(&spoilt)
                    .into_iter()
                    .filter(|(from, to)| {
                        let bytes = &spoilt.as_bytes()[*from..*to];
                        matches!(bytes, [b'A'..=b'H', b'1'..=b'8', b'.', c, ..] if c.is_ascii_alphabetic())
                    })
                    .collect();
                let Some((_, to)) = chance.pick(&items) else {
                    break;
                };
                spoilt.insert_str(to, &format!(" {{{}}}", chance.pick(&ON_ITEMS).unwrap()));
            }
            let Ok(boards) = overboard_sheets::chess_records::boards(&spoilt, Limits::default())
            else {
                continue;
            };
            let sheets: String = boards
                .iter()
                .map(|board| {
                    let name = board
                        .split("[Round \"?.")
                        .nth(1)
                        .unwrap()
                        .split('"')
                        .next()
                        .unwrap();
                    board.replacen("[Round ", &format!("[Parent \"#1/{name}\"]\n[Round "), 1)
                })
                .collect();
            let codes = [
                "ends-no-board",
                "legal-attempt",
                "bad-command",
                "wrong-claim",
                "move-after-end",
                "wrong-result",
            ];
            let said = |reports: &[Report]| {
                let all = reports.iter().flat_map(|report| &report.findings);
                let mut said: Vec<_> = all
                    .filter(|finding| {
                        codes.contains(&finding.code.id)
                            && finding.text.as_it_came().starts_with("[%")
                    })
                    .map(|finding| (finding.code.id, finding.text.clone()))
                    .collect();
                said.sort();
                said
            };
            let whole = said(&judge(spoilt.as_bytes()));
            assert_eq!(
                said(&judge_sheets(sheets.as_bytes(), Options::default())),
                whole,
                "\n{spoilt}\n----\n{sheets}"
            );
            compared += 1;
            found += usize::from(!whole.is_empty());
        }
    }
    assert!(compared >= 200 && found > 100, "{compared} {found}");
}
