//! Games inside games as lines of coordinates, as records, and as the score-sheets on which they were written.

use super::levels::choose;
use crate::{
    chance::Chance,
    depth::tries,
    text::{self, records},
};
use overboard_formats::limits::Limits;
use overboard_games::{
    coordinates::Line,
    overchess::{Due, Over},
    registry::{AnyGame, Variant},
};
use overboard_referee::game::record::Record as _;
use overboard_rules::{
    game::{Happening, Step},
    outcome::Outcome,
    square::Side,
};
use overboard_sheets::{Sheet, SheetBundle, chess_records, unbundle};

const RULES: [&str; 6] = [
    "depth=2",
    "fog:depth=2",
    "prisoners:consolidation:depth=2",
    "fog:prisoners:consolidation:depth=2:reserves=team/2P1N/3P",
    "subdraw=both:depth=3:reserves=set/1P1N:prisoners",
    "fog:prisoners:consolidation:depth=3",
];

/// A random game in which sub-games are now and then given up, of at least this many words, up to a point where a
/// record can stop.
fn line(first: &Over, least: usize, chance: &mut Chance) -> String {
    let mut deep = first.clone();
    let mut words = Vec::new();
    while deep.end_by_itself().is_none() {
        let can_stop = matches!(deep.due(), Due::Over | Due::Sub(_));
        if can_stop && words.len() >= least {
            break;
        }
        let mut step = None;
        if can_stop && chance.below(12) == 0 {
            let outcomes = [
                Outcome::Win(Side::White),
                Outcome::Win(Side::Black),
                Outcome::Draw,
            ];
            let level = chance.below(deep.open());
            let outcome = chance.pick(&outcomes).unwrap();
            let ended = |at| Step::Event(at, Happening::Ended(outcome));
            let is_read = |ends: &Step<Over>| deep.at(&deep.in_line(ends)) == Some(*ends);
            step = deep.sub_game_of(level).map(ended).filter(is_read);
        }
        let step = step.unwrap_or_else(|| {
            let mut list = Vec::new();
            deep.legal_moves(|ply| list.push((String::new(), ply)));
            Step::Ply(choose(&deep, &list, chance).1)
        });
        words.push(deep.in_line(&step));
        step.make(&mut deep);
    }
    words.join(" ")
}

fn canonical(text: &str) -> String {
    String::from_utf8(text::canonical(text.as_bytes())).unwrap()
}

fn sheet(text: &str) -> Sheet {
    Sheet::of(&records(text).remove(0), 0).unwrap()
}

fn bundled(text: &str) -> String {
    let mut judged = SheetBundle::new(Limits::default());
    records(text)
        .iter()
        .for_each(|record| judged.add(record, 0).unwrap());
    let made: Vec<_> = judged
        .bundle()
        .map(|made| made.map(|made| made.text()))
        .collect();
    match &made[..] {
        [Ok(text)] => canonical(text),
        _ => panic!("{made:?}\n{text}"),
    }
}

#[test]
fn nested_games_are_split_into_sheets_and_bundled_again() {
    let mut chance = Chance::seeded(29);
    let (mut sheets, mut plain) = (0, 0);
    for round in 0..tries(36) {
        let rules = RULES[round % RULES.len()];
        let first = AnyGame::start_under(Variant::Over, rules).unwrap();
        let AnyGame::Over(start) = &first else {
            panic!("{rules}")
        };
        let line =
            Line::read_under(&line(start, 300, &mut chance), Variant::Over, &first, rules).unwrap();
        let mut record = String::new();
        line.write_record("*", &mut record).unwrap();
        let whole = canonical(&record);
        let apart = unbundle(&sheet(&whole), "#1", Limits::default()).unwrap();
        assert_eq!(bundled(&apart.concat()), whole, "{}", apart.concat());
        let mut mixed = apart.clone();
        mixed.rotate_left(apart.len() / 2);
        assert_eq!(bundled(&mixed.concat()), whole);
        // Every sub-game that is chess can be judged by itself.
        let games = chess_records::sub_games(sheet(&whole)).unwrap();
        for game in &games {
            let report = text::judge(game.as_bytes()).remove(0);
            let wrong: Vec<_> = report
                .findings
                .iter()
                .filter(|finding| finding.rule.is_some())
                .collect();
            assert!(
                report.unjudged_from.is_none() && wrong.is_empty(),
                "{wrong:?}\n{game}"
            );
            assert_eq!(report.variant, "Chess", "{game}");
        }
        sheets += apart.len() - 1;
        plain += games.len();
    }
    assert!(sheets > 200 && plain > 100, "{sheets} {plain}");
}
