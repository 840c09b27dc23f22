//! At depth 2 and more the library and the naive model list, play and end alike.

use crate::{
    chance::Chance,
    naive::{self, Naive, Sub},
};
use overboard_formats::overchess;
use overboard_rules::{
    outcome::{Cause, Outcome},
    overchess::{
        Due, Ply,
        deep::{Deep, DeepAsked, DeepPly},
    },
    square::Side,
};
use std::collections::HashMap;

/// How a game stands, in the words of the naive model.
fn status(game: &Deep) -> &'static str {
    match game.ending().map(|ruling| ruling.cause) {
        Some(Cause::KingFalls) => "kingfall",
        _ if game.open() > 1 || game.due() != Due::Over => "open",
        Some(Cause::Checkmate) => "mate",
        Some(Cause::Stalemate) => "stalemate",
        Some(Cause::DeadPosition) => "dead",
        Some(Cause::SeventyFiveMoves) => "seventyfive",
        Some(_) => "repetition",
        None if game.outermost().in_check() => "check",
        None => "ongoing",
    }
}

fn listed(game: &Deep) -> Vec<(String, DeepPly)> {
    let mut list = Vec::new();
    game.for_each_legal(|ply| list.push((overchess::deep::coordinates(game, &ply).to_string(), ply)));
    list.sort_by(|a, b| a.0.cmp(&b.0));
    list
}

/// A ply, an attack or what belongs to the options more often than others.
pub fn choose(game: &Deep, list: &[(String, DeepPly)], chance: &mut Chance) -> (String, DeepPly) {
    let rare = |ply: &DeepPly| match ply {
        DeepPly::Plain(Ply::Over(m)) => game.current().attacks(*m),
        DeepPly::Plain(Ply::Reserve(..)) => true,
        _ => false,
    };
    let rare: Vec<_> = list.iter().filter(|(_, ply)| rare(ply)).collect();
    let all: Vec<_> = list.iter().collect();
    let from = if rare.is_empty() || chance.below(4) == 0 { all } else { rare };
    chance.pick(&from).unwrap().clone()
}

/// No ply of another position is played here but those that are listed.
fn refuse_others(game: &Deep, list: &[(String, DeepPly)], others: &[DeepPly]) {
    for ply in others.iter().filter(|ply| list.iter().all(|(_, listed)| listed != *ply)) {
        let breach = game.judge(DeepAsked::Ply(*ply)).unwrap_err();
        assert!(!breach.words.is_empty() && !breach.rule.id.is_empty(), "{ply:?}");
    }
}

fn play_alike(rules: &str, depth: u32, plies: u32, chance: &mut Chance, met: &mut HashMap<String, u32>) {
    let options = overchess::options(rules);
    let reserves = rules.split("reserves=").nth(1).map_or("-", |rest| rest.split(':').next().unwrap());
    let mut ours = Deep::start(u8::try_from(depth).unwrap(), options);
    let mut theirs = Naive::start(naive::Options::parse(&rules.replace(':', ",")), depth, reserves);
    let mut others = Vec::new();
    for _ in 0..plies {
        let status = status(&ours);
        let here = format!("{rules}: {}", overchess::deep::position(&ours));
        assert_eq!(status, theirs.status(), "{here}");
        *met.entry(status.into()).or_default() += 1;
        if !["open", "ongoing", "check"].contains(&status) {
            return;
        }
        let list = listed(&ours);
        let coords: Vec<_> = list.iter().map(|(coord, _)| coord.clone()).collect();
        assert_eq!(coords, theirs.moves(), "{here}");
        assert_eq!(ours.count_legal(), list.len() as u64, "{here}");
        let judged = list.iter().all(|(_, ply)| ours.judge(DeepAsked::Ply(*ply)) == Ok(*ply));
        assert!(judged, "{here}");
        refuse_others(&ours, &list, &others);
        // A game whose set-up is being made can be resigned, and one that is played.
        let most =
            ours.open() - 1 + usize::from(matches!(ours.due(), Due::Sub(_)) || ours.placing().is_some());
        if most > 0 && chance.below(10 * depth as usize) == 0 {
            let (outcome, sub) = match chance.below(3) {
                0 => (Outcome::Win(Side::White), Sub::Won),
                1 => (Outcome::Win(Side::Black), Sub::Lost),
                _ => (Outcome::Draw, Sub::Drawn),
            };
            let level = chance.below(most);
            *met.entry(format!("concluded {}", most - level)).or_default() += 1;
            ours.conclude(level, outcome);
            theirs = theirs.resolve_inside(level, sub);
            continue;
        }
        let (coord, ply) = choose(&ours, &list, chance);
        let word = coord.rsplit('.').next().unwrap_or_default().split(' ').next().unwrap_or_default();
        *met.entry(word.replace(|c: char| c.is_ascii_digit(), "")).or_default() += 1;
        others.push(ply);
        others.truncate(40);
        ours.play(&ply);
        theirs = theirs.play(&coord);
    }
}

const DRAWN: [&str; 3] = ["", ":subdraw=defender", ":subdraw=both"];
const SPARES: [&str; 3] = ["", ":reserves=team/2P1N/3P", ":reserves=set/1P1N"];

fn all_rules() -> Vec<String> {
    let mut all = Vec::new();
    for number in 0..8 {
        let named = ["fog", "prisoners", "consolidation"];
        let on: Vec<_> = (0..3).filter(|bit| number >> bit & 1 == 1).map(|bit| named[bit]).collect();
        for drawn in DRAWN {
            for spares in SPARES {
                all.push(format!("{}{drawn}{spares}", on.join(":")));
            }
        }
    }
    all
}

#[test]
fn games_of_depth_2_are_played_alike_under_all_rules() {
    let mut chance = Chance::seeded(41);
    let mut met = HashMap::new();
    for rules in all_rules() {
        play_alike(&rules, 2, 160, &mut chance, &mut met);
    }
    for word in ["setup", "prisoner", "prisoners", "reserve", "consolidate", "give", "done", "concluded 2"] {
        assert!(met.contains_key(word), "{word} among {met:?}");
    }
}

#[test]
fn games_of_depth_3_are_played_alike() {
    let mut chance = Chance::seeded(43);
    let mut met = HashMap::new();
    for (game, rules) in all_rules().into_iter().step_by(4).enumerate() {
        // Consolidations keep games on the outermost board.
        let plies = if rules.contains("consolidation") { 100 } else { 450 + game as u32 };
        play_alike(&rules, 3, plies, &mut chance, &mut met);
    }
    for word in ["setup", "prisoner", "concluded 3"] {
        assert!(met.contains_key(word), "{word} among {met:?}");
    }
}
