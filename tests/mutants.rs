//! Nearly correct text from outside: positions and plies of every game, with a few characters
//! changed. The result is either read, or refused with a position in the text; and what was read is a position
//! like any other.

use crate::{chance::Chance, depth::tries};
use overboard_formats::san::{CHESS, LINKED, San};
use overboard_games::{
    coordinates::Line,
    registry::{AnyGame, Variant},
};
use overboard_referee::game::position::{PositionError, ReadPosition};

/// Starting positions besides those of the registry's samples: a game, its rules, a FEN.
const OTHERS: [(Variant, &str, &str); 4] = [
    (
        Variant::Strategi,
        "edition=2003",
        "1r3nbqkbnr2/14/14/4pppppp4/14/14/14/14/14/14/4PPPPPP4/14/14/2RNBQKBN3R1 w - 0 1 | 14/14/10k3/14/4r9/14/14/14/14/4K9/7P6/14/14/14 b H 3 9",
    ),
    (
        Variant::Strategi,
        "edition=2025",
        "14/14/10k3/14/13r/14/14/14/14/14/14/2K11/14/14 w - 0 1 | 14/14/10k3/14/4r9/14/14/14/14/4K9/7P6/14/14/14 w H 0 1",
    ),
    (
        Variant::Mega,
        "",
        "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1 - {A1: 7k/8/6K1/8/8/8/8/R7 w - - 0 1; E1: disarmed; E8: rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1; H8: armed}",
    ),
    (
        Variant::Mega,
        "turns=free",
        "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1 - {A1: 4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1; E1: disarmed; E8: disarmed; H8: 7k/5Q2/8/8/8/8/8/K7 w - - 3 40}",
    ),
];

/// Characters that mean something in some position.
const SIGNS: &str = "KQRBNPSGkqrbnpsg/0123456789-+~ wb|[](){}:;,=@xaehAEH^#.<>é\0";

/// Every starting position, with its game and rules.
fn beginnings() -> Vec<(Variant, &'static str, AnyGame)> {
    let samples = Variant::ALL.iter().flat_map(|game| {
        game.sampled()
            .map(|(sample, first)| (*game, sample.rules, first))
    });
    let others = OTHERS.iter().map(|(game, rules, fen)| {
        let start = AnyGame::start_under(*game, rules).unwrap();
        (
            *game,
            *rules,
            start.read_under(fen, rules).unwrap().position,
        )
    });
    samples.chain(others).collect()
}

/// A text with some of its characters swapped, changed, removed or inserted.
fn mutated(text: &str, chance: &mut Chance) -> String {
    let signs: Vec<char> = SIGNS.chars().collect();
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..=chance.below(3) {
        let sign = chance.pick(&signs).unwrap_or(' ');
        let at = chance.below(text.len().max(1));
        match chance.below(6) {
            _ if text.is_empty() => text.push(sign),
            0 => text[at] = sign,
            1 => drop(text.remove(at)),
            2 => text.insert(at, sign),
            3 => text.swap(at, chance.below(at + 1)),
            4 => text.truncate(at),
            _ => {
                let from = chance.below(at + 1);
                let again = text[from..=at].to_vec();
                text.splice(at..at, again);
            }
        }
    }
    text.into_iter().collect()
}

/// Positions of a random game, and the plies played in each.
fn walked(first: &AnyGame, plies: usize, chance: &mut Chance) -> Vec<(AnyGame, String)> {
    let mut position = first.clone();
    let mut list = Vec::new();
    let mut walk = Vec::new();
    for _ in 0..plies {
        list.clear();
        position.list_into(&mut list);
        if list.is_empty() {
            break;
        }
        let coord = list[chance.below(list.len())].coord.to_string();
        let after = position
            .played(&coord)
            .unwrap_or_else(|| panic!("{} {coord}", position.fen()))
            .1;
        walk.push((std::mem::replace(&mut position, after), coord));
    }
    walk
}

/// Properties that hold for any position, wherever it came from.
fn is_sound(position: &AnyGame, rules: &str, chance: &mut Chance) {
    let fen = position.fen();
    let ReadPosition {
        position: again,
        lenient,
        ..
    } = position
        .read_under(&fen, rules)
        .unwrap_or_else(|fault| panic!("{fen}: {fault}"));
    assert_eq!((again.fen(), lenient), (fen.clone(), false));
    let mut list = Vec::new();
    let status = position.list_into(&mut list);
    assert!(!status.word.is_empty());
    for _ in 0..list.len().min(3) {
        let listed = &list[chance.below(list.len())];
        let (san, after) = position
            .played(&listed.coord)
            .unwrap_or_else(|| panic!("{fen} {}", listed.coord));
        assert!(
            listed.san.starts_with(san.trim_end_matches(['+', '#'])),
            "{fen} {} {san}",
            listed.san
        );
        assert!(!after.fen().is_empty());
    }
}

#[test]
fn any_text_is_a_position_or_none() {
    let mut chance = Chance::seeded(2_718);
    for (game, rules, first) in beginnings() {
        let (mut read, mut refused) = (0, 0);
        for _ in 0..tries(6) {
            for (position, _) in walked(&first, 60, &mut chance) {
                for _ in 0..4 {
                    let text = mutated(&position.fen(), &mut chance);
                    match first.read_under(&text, rules) {
                        Ok(ReadPosition { position, .. }) => {
                            is_sound(&position, rules, &mut chance);
                            read += 1;
                        }
                        Err(PositionError::Text(fault)) => {
                            assert!(
                                text.get(fault.bytes.clone()).is_some(),
                                "{text:?}: {fault:?}"
                            );
                            assert!(!fault.to_string().is_empty());
                            refused += 1;
                        }
                        Err(fault) => {
                            assert!(!fault.to_string().is_empty());
                            refused += 1;
                        }
                    }
                }
            }
        }
        assert!(
            read > 8 && refused > 100,
            "{game:?} {rules}: {read} read, {refused} refused"
        );
    }
}

#[test]
fn any_word_is_a_ply_or_none() {
    let mut chance = Chance::seeded(31_415);
    for (game, rules, first) in beginnings() {
        let mut played = 0;
        for _ in 0..tries(4) {
            let walk = walked(&first, 60, &mut chance);
            for (position, coord) in &walk {
                let word = mutated(coord, &mut chance);
                if let Some((san, after)) = position.played(&word) {
                    assert!(!san.is_empty() && !after.fen().is_empty());
                    played += 1;
                }
                for alphabet in [&CHESS, &LINKED] {
                    let _ = San::parse(word.as_bytes(), alphabet);
                }
            }
            let line = walk
                .iter()
                .map(|(_, coord)| coord.as_str())
                .collect::<Vec<_>>()
                .join(" ");
            for line in [
                mutated(&line, &mut chance),
                mutated(&format!("{}\t{line}", first.fen()), &mut chance),
            ] {
                if let Err(fault) = Line::read_under(&line, game, &first, rules) {
                    assert!(fault.at() <= line.len(), "{line:?}: {fault}");
                    assert!(!fault.to_string().is_empty());
                }
            }
        }
        assert!(played > 1, "{game:?} {rules}: {played} played");
    }
}
