use crate::{chance::Chance, depth::tries};
use overboard_formats::{limits::Limits, parse::Parser};
use overboard_games::{
    coordinates::Line,
    overchess::*,
    referee::AnyReferee,
    registry::{AnyGame, Variant},
};
use overboard_referee::{
    Options,
    finding::Severity,
    game::{notation::Notation as _, record::Record as _},
    report::Report,
};
use overboard_rules::{
    game::{Happening, Step},
    outcome::Outcome,
    square::Side,
};

const OPTIONS: [&str; 9] = [
    "",
    "fog",
    "prisoners",
    "consolidation",
    "subdraw=both:fog",
    "fog:prisoners:consolidation",
    "prisoners:reserves=team/2P1N/3P",
    "fog:prisoners:consolidation:reserves=set/1P1N",
    "subdraw=defender:reserves=set/2P:consolidation",
];

const BEGINNINGS: [&str; 5] = [
    "r3k2r/pP2pp1p/8/2pPp3/4P3/8/P2p1PPP/R3K2R w KQkq c6 0 1 d5=2P1R,e5=3P1N,b7=1P - -",
    "4k3/2P5/8/1pPp4/1R5r/8/4p3/2B1K3 w - b6 0 9 b5=1P,c5=1P1Q,b4=2R1B,h4=1P1N1Q - -",
    "3r2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 d8=1P,d1=2P - -",
    "r3k3/8/8/3b4/8/5N2/8/R3K2R b KQq - 3 20 a8=1P,d5=1N,f3=1R,a1=2P,h1=0 - -",
    "2k5/8/8/3pP3/8/K7/1r6/8 w - d6 0 5 d5=1P,e5=1P,b2=1N - -",
];

/// A random step: attacks, and plies that options allow, more often than others.
fn chosen(over: &Over, chance: &mut Chance) -> Option<Step<Over>> {
    if matches!(over.due(), Due::Sub(_)) && chance.below(12) == 0 {
        return chance
            .pick(&[
                Outcome::Win(Side::White),
                Outcome::Win(Side::Black),
                Outcome::Draw,
            ])
            .zip(over.sub_game_of(0))
            .map(|(outcome, at)| Step::Event(at, Happening::Ended(outcome)));
    }
    let mut all = Vec::new();
    over.legal_moves(|ply| all.push(ply));
    let rare = |ply: &Ply| {
        matches!(ply, Ply::Over(m) if over.current().attacks(*m)) || matches!(ply, Ply::Reserve(..))
    };
    let rare: Vec<_> = all.iter().copied().filter(rare).collect();
    let from = if rare.is_empty() || chance.below(4) == 0 {
        all
    } else {
        rare
    };
    chance.pick(&from).map(Step::Ply)
}

/// A random game, to its end or to a point where a record can stop.
fn line(first: &Over, start: &str, chance: &mut Chance) -> String {
    let mut over = first.clone();
    let mut words = Vec::new();
    while over.end_by_itself().is_none() {
        let stops = matches!(over.due(), Due::Over | Due::Sub(_)) && words.len() > 150;
        let Some(step) = chosen(&over, chance).filter(|_| !stops) else {
            break;
        };
        let text = over.in_line(&step);
        assert_eq!(over.at(&text), Some(step), "{text} in {}", over.fen());
        words.push(text);
        step.make(&mut over);
    }
    format!("{start}{}", words.join(" "))
}

fn judged(record: &str, acts: bool) -> (Report, String) {
    let mut parser = Parser::new(record.as_bytes(), 0, Limits::default());
    let mut referee = AnyReferee::spelling(Options {
        acts,
        ..Options::default()
    });
    let report = referee.judge(&mut parser).unwrap().unwrap();
    let acts = referee.acts().unwrap_or_default().to_string();
    (report, acts)
}

#[test]
fn lines_and_records_convert_to_each_other() {
    let mut chance = Chance::seeded(8);
    let mut met = std::collections::HashMap::new();
    for rules in OPTIONS {
        let first = AnyGame::start_under(Variant::Over, rules).unwrap();
        for (nth, fen) in BEGINNINGS.iter().chain([&""]).enumerate() {
            for _ in 0..tries(if nth < 5 { 6 } else { 2 }) {
                let (AnyGame::Over(over), start) = (match *fen {
                    "" => (first.clone(), String::new()),
                    fen => (
                        first.read_under(fen, rules).unwrap().position,
                        format!("{fen}\t"),
                    ),
                }) else {
                    panic!("no over-position")
                };
                let line = line(&over, &start, &mut chance);
                let read = Line::read_under(&line, Variant::Over, &first, rules).unwrap();
                let mut record = String::new();
                read.write_record("*", &mut record).unwrap();
                let (report, acts) = judged(&record, true);
                let wrong: Vec<_> = report
                    .findings
                    .iter()
                    .filter(|finding| {
                        finding.severity == Severity::Error && finding.code.id != "wrong-result"
                    })
                    .map(|finding| &finding.message)
                    .collect();
                assert!(wrong.is_empty(), "{wrong:?}\n{line}\n{record}");
                assert_eq!(format!("{start}{acts}"), line, "{rules}\n{record}");
                let words = acts
                    .split(' ')
                    .map(|word| word.split_once('.').map_or(word, |(_, inner)| inner));
                words.for_each(|word| *met.entry(word.to_string()).or_insert(0_u32) += 1);
            }
        }
    }
    for word in [
        "setup",
        "reserve",
        "prisoners",
        "consolidate",
        "give",
        "done",
        "1-0",
        "1/2-1/2",
    ] {
        assert!(met.contains_key(word), "{word}");
    }
}

#[test]
fn a_line_has_the_plies_that_a_record_omits() {
    let (_, acts) = judged(
        "[Variant \"Overchess\"]\n[Rules \"prisoners:consolidation\"]\n\n1. e4 d5 2. exd5 <d5: 1. e4 d5 2. exd5 Qxd5 (2... e6) 1/2-1/2> <consolidate a7> 3. Nf3 Qxd4 *",
        true,
    );
    assert_eq!(
        acts,
        "e2e4 d7d5 e4d5 d5.e2e4 d5.d7d5 d5.e4d5 d5.d8d5 d5.1/2-1/2 consolidate a7 give d5 P done g1f3"
    );
    let (_, acts) = judged("1. e4 e5", true);
    assert_eq!(acts, "");
}

#[test]
fn a_move_number_before_a_spare_means_that_its_over_piece_moves() {
    let reported = |moves: &str| {
        judged(
            &format!("[Variant \"Overchess\"]\n[Rules \"reserves=team/1P\"]\n\n{moves} *"),
            true,
        )
        .1
    };
    let attack = "1. e4 d5 2. Bc4 dxc4 <c4: 1. e4 d5 2. exd5 Qxd5 1/2-1/2>";
    let line = "e2e4 d7d5 f1c4 d5c4 c4.e2e4 c4.d7d5 c4.e4d5 c4.d8d5 c4.1/2-1/2";
    assert_eq!(
        reported(&format!("{attack} <reserve c4: P> 3. Nf3")),
        format!("{line} done reserve c4 P g1f3")
    );
    assert_eq!(
        reported(&format!("{attack} 3. <reserve c4: P> Bb3")),
        format!("{line} done done reserve c4 P c4b3")
    );
}

#[test]
fn a_line_stops_anywhere() {
    let first = AnyGame::start_under(Variant::Over, "consolidation").unwrap();
    let read = |line: &str| Line::read_under(line, Variant::Over, &first, "consolidation");
    let fault = |line: &str| read(line).unwrap_err();
    let ends_with = |line: &str, end: &str| {
        let read = read(line).unwrap();
        assert!(read.movetext().ends_with(end), "{}", read.movetext());
    };
    ends_with("d2d4 consolidate a7", "1. d4 {[%begun consolidate a7]}");
    let exchange = "e2e4 d7d5 e4d5 d5.e2e4 d5.d7d5 d5.e4d5 d5.d8d5 d5.1/2-1/2 d5e4";
    ends_with(
        &format!("{exchange} e4.setup PPPPPPP1/RNBQKBNR"),
        "2... dxe4 {[%begun e4.setup PPPPPPP1/RNBQKBNR]}",
    );
    ends_with(exchange, "2... dxe4");
    assert_eq!(fault("e2e4 reserve e4").at(), 5);
    assert_eq!(fault("e2e4 * d7d5").at(), 7);
    assert!(
        fault("e2e4 d5.e2e4")
            .to_string()
            .contains("`d5.e2e4` is not a legal move")
    );
    for word in [
        "",
        "reserve",
        "give a2",
        "give a2 P P",
        "e5.",
        ".setup",
        "e5.setup x",
        "prisoners \u{20ac}",
    ] {
        let start = Over::first(1, Default::default());
        assert_eq!(start.at(word), None, "{word}");
    }
}

const DEEP: [(&str, u8); 8] = [
    ("", 2),
    ("fog", 2),
    ("prisoners:consolidation", 2),
    ("fog:prisoners:consolidation:reserves=team/2P1N/3P", 2),
    ("prisoners:reserves=set/1P1N:subdraw=both", 2),
    ("fog:prisoners:consolidation:subdraw=defender", 3),
    ("prisoners:consolidation:reserves=team/2P1N1Q", 3),
    ("", 5),
];

/// An attack more often than not, and now and then the end of any open sub-game.
fn deep_step(deep: &Over, placed: bool, chance: &mut Chance) -> Option<Step<Over>> {
    // A record does not contain an incomplete set-up.
    let halfway = placed && matches!(deep.due(), Due::Setup(..));
    if chance.below(20) == 0 && !halfway {
        let outcomes = [
            Outcome::Win(Side::White),
            Outcome::Win(Side::Black),
            Outcome::Draw,
        ];
        let level = chance.below(deep.open());
        let outcome = chance.pick(&outcomes)?;
        let ended = deep
            .sub_game_of(level)
            .map(|at| Step::Event(at, Happening::Ended(outcome)));
        if let Some(step) = ended.filter(|step| deep.at(&deep.in_line(step)) == Some(*step)) {
            return Some(step);
        }
    }
    let mut all = Vec::new();
    deep.legal_moves(|ply| all.push(ply));
    let rare = |ply: &Ply| match ply {
        Ply::Over(m) => deep.current().attacks(*m),
        Ply::Reserve(..) => true,
        _ => false,
    };
    let rare: Vec<_> = all.iter().copied().filter(rare).collect();
    let from = if rare.is_empty() || chance.below(4) == 0 {
        all
    } else {
        rare
    };
    chance.pick(&from).map(Step::Ply)
}

fn deep_line(depth: u8, rules: &str, least: usize, chance: &mut Chance) -> (String, Over) {
    let mut deep = Over::first(depth, options(rules));
    let mut words: Vec<String> = Vec::new();
    while deep.end_by_itself().is_none() {
        let placed = words.last().is_some_and(|word| word.contains("setup"));
        let between = matches!(deep.due(), Due::Over | Due::Sub(_));
        let Some(step) =
            deep_step(&deep, placed, chance).filter(|_| !between || words.len() < least)
        else {
            break;
        };
        let text = deep.in_line(&step);
        assert_eq!(deep.at(&text), Some(step), "{text}");
        words.push(text);
        step.make(&mut deep);
    }
    (words.join(" "), deep)
}

#[test]
fn lines_and_records_of_nested_games_convert_to_each_other() {
    let mut chance = Chance::seeded(88);
    let mut met = std::collections::HashMap::new();
    for (rules, depth) in DEEP {
        let rules = format!(
            "{rules}{}depth={depth}",
            if rules.is_empty() { "" } else { ":" }
        );
        let first = AnyGame::start_under(Variant::Over, &rules).unwrap();
        for _ in 0..tries(12) {
            let (line, last) = deep_line(depth, &rules, 350, &mut chance);
            let read = Line::read_under(&line, Variant::Over, &first, &rules).unwrap();
            let mut record = String::new();
            read.write_record("*", &mut record).unwrap();
            let (report, acts) = judged(&record, true);
            let wrong: Vec<_> = report
                .findings
                .iter()
                .filter(|finding| {
                    finding.severity == Severity::Error && finding.code.id != "wrong-result"
                })
                .map(|finding| &finding.message)
                .collect();
            assert!(wrong.is_empty(), "{wrong:?}\n{line}\n{record}");
            assert_eq!(acts, line, "{rules}\n{record}");
            let reached = report.unjudged_from;
            assert!(reached.is_none(), "{reached:?} {}", last.fen());
            for word in acts.split(' ') {
                let own = word.rsplit_once('.').map_or(word, |(_, own)| own);
                *met.entry(own.to_string()).or_insert(0_u32) += 1;
                let inward = word.bytes().filter(|byte| *byte == b'.').count();
                *met.entry(format!("{inward} inward")).or_insert(0) += 1;
            }
        }
    }
    for word in [
        "setup",
        "reserve",
        "prisoner",
        "prisoners",
        "consolidate",
        "give",
        "done",
        "1-0",
        "5 inward",
    ] {
        assert!(met.contains_key(word), "{word}");
    }
}

#[test]
fn a_line_of_nested_games_stops_anywhere() {
    let rules = "depth=2:consolidation";
    let first = AnyGame::start_under(Variant::Over, rules).unwrap();
    let ends_with = |line: &str, end: &str| {
        let read = Line::read_under(line, Variant::Over, &first, rules).unwrap();
        assert!(read.movetext().ends_with(end), "{}", read.movetext());
    };
    ends_with("d2d4 consolidate a7", "{[%begun consolidate a7]}");
    let attack = "e2e4 d7d5 e4d5";
    let fault = |more: &str| {
        let line = format!("{attack} {more}");
        Line::read_under(&line, Variant::Over, &first, rules).unwrap_err()
    };
    ends_with(
        &format!("{attack} d5.setup e2/a2 b2"),
        "exd5 {[%begun d5.setup e2/a2 b2]}",
    );
    for line in [attack, &format!("{attack} d5.setup e2/a2 b2 d5.1-0 e7e6")] {
        assert!(Line::read_under(line, Variant::Over, &first, rules).is_ok());
    }
    assert!(
        fault("d5.1-0 d5.e2e4")
            .to_string()
            .contains("`d5.e2e4` is not a legal move")
    );
    assert!(fault("e5.1-0").to_string().contains("not a legal move"));
    let start = Over::first(2, options(rules));
    for word in [
        "",
        ".",
        "..1-0",
        "d5.1-0",
        "reserve",
        "give a2",
        "setup a2 a2",
        "d5.setup d5/a2 a2",
    ] {
        assert_eq!(start.at(word), None, "{word}");
    }
}

#[test]
fn steps_lead_into_games_that_are_over_games() {
    let first = Over::first(2, options(""));
    let placed = ["a", "b", "c", "d", "e", "f", "g"]
        .map(|file| format!("d5.setup e2/{file}2 {file}2"))
        .into_iter()
        .chain(["b1", "c1", "a1"].map(|on| format!("d5.setup e2/{on} {on}")))
        .chain(
            ["a", "b", "c", "d", "e", "f", "g"].map(|file| format!("d5.setup d7/{file}2 {file}7")),
        )
        .chain(["b", "c", "a"].map(|file| format!("d5.setup d7/{file}1 {file}8")));
    let acts = format!(
        "e2e4 d7d5 e4d5 {} d5.f2f3 d5.e7e5 d5.g2g4 d5.d8h4 g8f6",
        placed.collect::<Vec<_>>().join(" ")
    );
    let walk = |steps: &[&str]| {
        let mut seen = Vec::new();
        follow(&first, &acts, steps, |deep| {
            seen.push((deep.fen(), deep.end_by_itself()));
        });
        seen
    };
    let seen = walk(&["2w.d5"]);
    assert_eq!(seen.len(), 5);
    assert!(
        seen[0]
            .0
            .starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        "{}",
        seen[0].0
    );
    // The mate is found, although the outer game has gone on.
    assert_eq!(
        seen[4].1.map(|ruling| ruling.outcome),
        Some(Outcome::Win(Side::Black))
    );
    assert_eq!(seen[3].1, None);
    assert_eq!(walk(&["1w.d5"]).len(), 0);
    assert_eq!(walk(&["2w.d5", "1w.e4"]).len(), 0);
    // The initial position, 20 placements and 8 over-moves.
    assert_eq!(walk(&[]).len(), 29);
}
