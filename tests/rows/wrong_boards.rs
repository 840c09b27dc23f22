//! Rows of games of Mega-Chess with an illegal move on a board, as records again.

use super::{come_back, piped, run};
use crate::{chance::Chance, depth::tries, records::Agreed};
use overboard_games::registry::Variant;
use std::fs;

/// A record of Mega-Chess with a wrong move on one of the boards; nothing if there is none in it.
fn with_a_wrong_item(record: &str, chance: &mut Chance) -> Option<String> {
    let from = record.find("\n\n")?;
    let is_item = |(_, part): &(usize, &str)| part.contains('.') && !part.ends_with('.');
    let mut places = Vec::new();
    let mut at = from;
    for word in record[from..].split_inclusive(char::is_whitespace) {
        places.push((at, word.trim()));
        at += word.len();
    }
    let items: Vec<_> = places.into_iter().filter(is_item).collect();
    let (at, word) = chance.pick(&items)?;
    let own = at + word.rfind('.')? + 1;
    let end = at + word.find('>').unwrap_or(word.len());
    let wrong = chance.pick(&["Qa1", "a8", "Nh8", "O-O"])?;
    (own < end).then(|| format!("{}{wrong}{}", &record[..own], &record[end..]))
}

/// A game with an illegal move on a board of Mega-Chess comes back as it was, or is refused with the reason.
#[test]
fn illegal_moves_on_boards_come_back() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/megachess.npgn");
    let example = fs::read_to_string(example).unwrap();
    // Boards on which a draw is agreed, with remarks after that.
    come_back(&example);
    let wrong = example.replacen("B2.Bc4", "B2.Bc5", 1);
    let (rows, ..) = run(&["convert", "--to", "plies"], &wrong);
    assert_eq!(
        piped(&["convert", "--from", "plies", "--to", "npgn"], &rows),
        run(&["fmt"], &wrong).0
    );
    let mut chance = Chance::seeded(91);
    let (mut back, mut refused) = (0, 0);
    for _ in 0..tries(40) {
        let level = 1 + u8::from(chance.below(4) == 0);
        let rules = chance.pick(&["", "turns=free"]).unwrap();
        let agreed = Agreed::on(Variant::Mega, 1, Some(level), rules);
        let played = agreed.play(8 + chance.below(60), &mut chance).text;
        let Some(record) = with_a_wrong_item(&piped(&["fmt"], &played), &mut chance) else {
            continue;
        };
        let (canonical, ..) = run(&["fmt"], &record);
        let (rows, ..) = run(&["convert", "--to", "plies"], &canonical);
        let (again, _, said) = run(&["convert", "--from", "plies", "--to", "npgn"], &rows);
        if again.is_empty() {
            assert!(
                said.contains("convert the record itself"),
                "{said}\n{canonical}"
            );
            refused += 1;
        } else {
            assert_eq!(again, canonical, "{rows}");
            back += 1;
        }
    }
    assert!(back > refused, "{back} {refused}");
}
