//! Games of Overchess that are broken off at any act can be written, read and judged the same again.

use crate::{
    chance::Chance,
    depth::tries,
    faults::model::agreements,
    moments,
    records::{Agreed, places},
    rows::{come_back, piped},
    text::canonical,
};
use overboard_formats::limits::Limits;
use overboard_games::{overchess::Over, referee::rewrite::rewrite, registry::Variant};
use overboard_referee::game::record::Record as _;

mod illegal;

/// The words of a line up to a random act.
fn broken_off(line: &str, chance: &mut Chance) -> String {
    let (start, moves) = line.split_at(line.find('\t').map_or(0, |tab| tab + 1));
    let words: Vec<_> = moves.split(' ').collect();
    let mut ends = Vec::new();
    let mut at = 0;
    while at < words.len() {
        at += 1 + Over::words_after(words[at], words.get(at + 1).copied());
        ends.push(at);
    }
    // Acts of several parts are rarer than moves.
    let is_of_an_act = |end: &usize| {
        let before = &words[end.saturating_sub(3)..*end];
        before.iter().any(|word| {
            ["setup", "consolidate", "give"]
                .iter()
                .any(|act| word.ends_with(act))
        })
    };
    let of_acts: Vec<_> = ends.iter().copied().filter(is_of_an_act).collect();
    let from = if of_acts.is_empty() { &ends } else { &of_acts };
    format!("{start}{}", words[..chance.pick(from).unwrap()].join(" "))
}

#[test]
fn games_broken_off_anywhere_come_back() {
    let mut chance = Chance::seeded(79);
    let mut begun = 0;
    for rules in [
        "consolidation",
        "fog:prisoners:consolidation:reserves=team/2P1N/2P1N",
        "depth=2:prisoners:consolidation:reserves=team/2P1N/3P",
        "depth=3:fog:subdraw=defender",
    ] {
        for _ in 0..tries(2) {
            let lines: Vec<_> = moments::lines(rules, &mut chance)
                .iter()
                .map(|line| broken_off(line, &mut chance))
                .collect();
            if lines.is_empty() {
                continue;
            }
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let args = ["convert", "--from", "coord", "--variant", "overchess"];
            let args = [&args[..], &["--rules", rules, "--to", "npgn"]].concat();
            let records = piped(&args, &text);
            begun += records.matches("[%begun ").count();
            come_back(&records);
            piped(&["check"], &records);
            for (again, line) in piped(&["convert", "--to", "coord"], &records)
                .lines()
                .zip(&lines)
            {
                // Only what a record omits is filled in at its end.
                let more = again.strip_prefix(line.as_str());
                let more = more.unwrap_or_else(|| panic!("{line}\n{again}"));
                assert!(
                    more.split_whitespace().all(|word| word.ends_with("done")),
                    "{line}\n{again}"
                );
            }
        }
    }
    assert!(begun > 10, "{begun}");
}

/// What is no unfinished act is a remark like others.
#[test]
fn a_list_of_no_act_stays_in_its_comment() {
    come_back("1. e4 {[%begun d7d5]} e5 {[%begun]} *\n\n");
}

/// How a game ends that is broken off: what is written after the last act, the tag Termination, and the result.
const ENDS: [(&str, &str, &str); 9] = [
    ("", "", "*"),
    ("", "unterminated", "*"),
    ("{[%resign W]}", "", "0-1"),
    ("{[%resign B]}", "", "1-0"),
    ("{[%flag W]}", "time forfeit", "0-1"),
    ("{[%draw agreed]}", "", "1/2-1/2"),
    ("{[%illegal Zz9]} {[%claim threefold]}", "", "*"),
    ("", "adjudication", "1-0"),
    ("{crashed}", "abandoned", "0-1"),
];

/// A record up to a random ply, closed there and ended in some way, in canonical form.
fn ended_anywhere(agreed: &Agreed, plies: usize, chance: &mut Chance) -> String {
    let text = agreed.play(plies, chance).text;
    let acts = places(&text).0;
    let ends: Vec<_> = acts
        .iter()
        .map(|act| (act.at.end, !act.inside.is_empty()))
        .collect();
    let cut = chance.pick(&ends).map_or(&*text, |(end, is_inside)| {
        // A game inside that is over has its result.
        let after = text[end..].split_whitespace().next().unwrap_or_default();
        let result = is_inside && ["1-0", "0-1", "1/2-1/2"].contains(&after);
        let more = text[end..].find(after).unwrap_or_default() + after.len();
        &text[..end + if result { more } else { 0 }]
    });
    let (said, termination, result) = chance.pick(&ENDS).unwrap();
    let mut closed = Vec::new();
    let limits = Limits {
        so_far: true,
        ..Limits::default()
    };
    rewrite(cut.as_bytes(), &mut closed, limits).unwrap();
    let closed = String::from_utf8(closed).unwrap();
    let (head, moves) = closed.split_once("\n\n").unwrap();
    let moves = moves.trim_end().trim_end_matches('*');
    let head = head.replace("[Result \"*\"]", &format!("[Result \"{result}\"]"));
    // A turn may break off only where the game was stopped (MG-3).
    let termination = match (termination, result) {
        ("", "*") if agreed.game == Variant::Mega => "unterminated",
        ("", _) if agreed.game == Variant::Mega => "abandoned",
        (word, _) => word,
    };
    let termination = match termination {
        "" => String::new(),
        word => format!("\n[Termination \"{word}\"]"),
    };
    let record = format!("{head}{termination}\n\n{moves} {said} {result}\n\n");
    String::from_utf8(canonical(record.as_bytes())).unwrap()
}

/// Whatever a referee may be given can be written in every form and read again, and is then judged as before.
#[test]
fn games_of_every_kind_that_end_anywhere_come_back() {
    let mut chance = Chance::seeded(85);
    for (agreed, plies) in agreements() {
        let records: Vec<_> = (0..tries(1))
            .map(|_| ended_anywhere(&agreed, plies, &mut chance))
            .collect();
        let file = records.concat();
        come_back(&file);
        let is_nested = matches!(agreed.game, Variant::Over | Variant::Mega);
        let has_sheets = is_nested || agreed.boards > 1;
        if has_sheets {
            for record in &records {
                let sheets = piped(&["unbundle"], record);
                assert_eq!(&piped(&["bundle"], &sheets), record, "{sheets}");
            }
        }
        let line = piped(&["convert", "--to", "coord"], &file);
        assert_eq!(line.lines().count(), records.len(), "{file}\n{line}");
    }
}
