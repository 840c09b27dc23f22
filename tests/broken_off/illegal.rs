//! Games with something illegal, unreadable or not judged come back from rows, and are judged as before.

use crate::{
    chance::Chance,
    depth::tries,
    faults::model::agreements,
    records::places,
    rows::run,
    text::{canonical, judge},
};
use overboard_games::registry::Variant;
use overboard_referee::{
    finding::{Severity, Verdict},
    report::Report,
};

/// Words that are hardly ever legal where they stand in place of an act; the last one cannot be read.
const WORDS: [&str; 7] = ["Ke3", "Zz9", "Kb1", "a1", "O-O-O", "Rxa8", "@@"];

/// Actions of Overchess that are never legal.
const ACTIONS: [&str; 4] = [
    "<prisoners 9Q>",
    "<consolidate e4: e5+9P>",
    "<reserve a1: 9N>",
    "<prisoners Zz9>",
];

/// A record in which something illegal or unreadable is in place of an act, or in Overchess also after one.
fn with_a_slip(text: &str, game: Variant, chance: &mut Chance) -> Option<String> {
    let (acts, results) = places(text);
    let acts: Vec<_> = acts.iter().map(|act| (act.at.start, act.at.end)).collect();
    let ends = results.iter().map(|result| &result.place.at);
    let ends: Vec<_> = ends.map(|at| (at.start, at.end)).collect();
    let set_ups: Vec<_> = text.match_indices("[FEN \"").map(|(at, _)| at).collect();
    let (from, to) = chance.pick(&acts)?;
    let put =
        |from: usize, to: usize, said: &str| format!("{}{said}{}", &text[..from], &text[to..]);
    let way = if game == Variant::Over {
        chance.below(8)
    } else {
        8
    };
    let action = chance.pick(&ACTIONS).unwrap();
    Some(match way {
        0 => put(to, to, &format!(" {action}")),
        // Sub-games that are not due.
        1 => put(to, to, " <e4: 1. a3 1-0>"),
        2 => put(to, to, " <b7: {so} 0-1> {then}"),
        // An act in a sub-game that has ended, and a sub-game that just stops.
        3 => {
            let (end, _) = chance.pick(&ends)?;
            put(end, end, "9. Zz9 ")
        }
        4 => {
            let (end, after) = chance.pick(&ends)?;
            put(end, after, "*")
        }
        5 => {
            let set_up = chance.pick(&set_ups)? + "[FEN \"".len();
            put(set_up, set_up + 1, "q")
        }
        _ => put(from, to, chance.pick(&WORDS).unwrap()),
    })
}

/// The same, in which both players went on from the illegal move, if what it did is certain.
fn standing(text: &str) -> Option<String> {
    let report = judge(text.as_bytes()).remove(0);
    let (at, squares) = report.findings.iter().find_map(|finding| {
        let squares = finding.judge_on.as_ref()?.squares()?;
        Some((finding.place.span.to as usize, squares.to_owned()))
    })?;
    let (before, after) = text.split_at(at);
    Some(format!("{before} {{[%stands {squares}]}}{after}"))
}

/// A record without who gets which piece in a consolidation: where that is certain, a record may leave it out, and rows say
/// it.
fn without_gifts(text: &str) -> String {
    let mut parts = text.split("<consolidate ");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (said, after) = part.split_once('>').unwrap_or((part, ""));
        let on = said.split(':').next().unwrap_or(said);
        kept.push_str(&format!("<consolidate {on}>{after}"));
    }
    kept
}

/// The words of a record, without numbers of moves.
fn words(text: &str) -> Vec<String> {
    let text = without_gifts(text).replace('>', " > ");
    let is_number = |word: &&str| {
        word.trim_end_matches('.')
            .bytes()
            .all(|b| b.is_ascii_digit())
    };
    let words = text.split_whitespace().filter(|word| !is_number(word));
    words.map(str::to_owned).collect()
}

/// Rows of a game with something illegal, unreadable or not judged are its record again, and that is judged as before.
/// Returns whether it is illegal.
fn comes_back_alike(record: &str) -> bool {
    let record = String::from_utf8(canonical(record.as_bytes())).unwrap();
    let (rows, _, _) = run(&["convert", "--to", "plies"], &record);
    let (again, exit, said) = run(&["convert", "--from", "plies", "--to", "npgn"], &rows);
    assert_eq!((exit, said.as_str()), (0, ""), "{record}\n{rows}");
    let judged = [&record, &again].map(|text| judge(text.as_bytes()).remove(0));
    let errors = |report: &Report| {
        let findings = report.findings.iter();
        let errors = findings.filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| finding.code.id).collect::<Vec<_>>()
    };
    let [before, after] = &judged;
    assert_eq!(words(&record), words(&again), "{record}\n{again}\n{rows}");
    assert_eq!(before.verdict, after.verdict, "{record}\n{again}");
    assert_eq!(errors(before), errors(after), "{record}\n{again}");
    assert_eq!(before.plies, after.plies, "{record}\n{again}");
    before.verdict == Verdict::Illegal
}

#[test]
fn what_is_illegal_comes_back_from_rows() {
    let mut chance = Chance::seeded(84);
    let (mut illegal, mut stood) = (0, 0);
    for (agreed, plies) in agreements() {
        // There are many options of Overchess with one level.
        let usual = if agreed.game == Variant::Over && !agreed.rules.contains("depth") {
            1
        } else {
            3
        };
        for _ in 0..tries(usual) {
            let text = agreed.play(plies, &mut chance).text;
            let Some(slip) = with_a_slip(&text, agreed.game, &mut chance) else {
                continue;
            };
            illegal += usize::from(comes_back_alike(&slip));
            if let Some(standing) = standing(&slip) {
                stood += usize::from(comes_back_alike(&standing));
            }
        }
    }
    assert!(illegal > 80 && stood > 5, "{illegal} {stood}");
}

/// What is left out, stops too early or cannot be read in games inside.
#[test]
fn faults_of_brackets_come_back_from_rows() {
    for (game, tags, moves) in [
        // A sub-game that is due is not there, or not to its end, in the outer game or an inner one.
        ("Overchess", "", "1. e4 d5 2. exd5 Nf6 3. d4 *"),
        (
            "Overchess",
            "",
            "1. e4 d5 2. exd5 <d5: 1. e4 *> {so} 2... Nf6 *",
        ),
        (
            "Overchess",
            "depth=2",
            "1. e4 d5 2. exd5 <d5: 1. e4 d5 2. exd5 <d5: 1. e4 *> *> Nf6 *",
        ),
        // Prisoners that are not named, and spares that are not there.
        (
            "Overchess",
            "prisoners",
            "1. e4 d5 2. exd5 <d5: 1. e4 e5 1-0> Nf6 3. d4 *",
        ),
        (
            "Overchess",
            "reserves=team/1Q",
            "1. e4 d5 2. exd5 <d5: 1. e4 1-0> <reserve d5: 2Q> Nf6 *",
        ),
        // A sub-game whose square has a capital letter, one inside chess, and a set-up that is not possible.
        ("Overchess", "", "1. e4 d5 2. exd5 <D5: 1. e4 1-0> Nf6 *"),
        (
            "Overchess",
            "",
            "1. e4 d5 2. exd5 <d5: 1. e4 <e4: 1. a3 1-0> e5 1-0> Nf6 *",
        ),
        (
            "Overchess",
            "",
            "1. e4 d5 2. exd5 <d5: [FEN \"8/8/8/8/8/8/8/k6K w - - 0 1\"] [SetUp \"1\"] {bare} 1-0> {x} Nf6 *",
        ),
        // Moves after a mate in a sub-game.
        (
            "Overchess",
            "",
            "1. e4 d5 2. exd5 <d5: 1. f3 e5 2. g4 Qh4# 3. a3 {late} 0-1> {lost} Nf6 *",
        ),
        // Turns that stop early or go on too long, mega-moves, and items without an address.
        (
            "Recursive Chess",
            "",
            "1. <A1.a3 B1.a3> {short} <A1.a6 B1.a6 C1.a6 D1.a6 E1.a6 F1.a6 G1.a6 H1.a6> 2. <A1.Ke5> *",
        ),
        ("Recursive Chess", "", "1. Rxa8 a6 2. <A1.e4> Kd3 *"),
        (
            "Recursive Chess",
            "",
            "1. <A1.a3 B1.a3 C1.a3 D1.a3 E1.a3 F1.a3 G1.a3 H1.a3 A2.e4> <e4 A1.a6> *",
        ),
        (
            "Recursive Chess",
            "",
            "1. <A1.Zz9 B1.1/2-1/2 {[%claim fifty]} C1.1-0> {x} 1... <B1.a6># *",
        ),
        // Results of sub-games that contradict their moves.
        (
            "Overchess",
            "",
            "1. e4 d5 2. exd5 <d5: 1. f3 e5 2. g4 Qh4# 1-0> Nf6 3. Zz9 *",
        ),
        (
            "Overchess",
            "",
            "1. e4 d5 2. exd5 <d5: 1. f3 e5 2. g4 Qh4# {over} *> {on} Nf6 3. Nc3 *",
        ),
        (
            "Overchess",
            "depth=2",
            "1. e4 d5 2. exd5 <d5: 1. e4 d5 2. exd5 <d5: 1. f3 e5 2. g4 Qh4# 1/2-1/2> {x} 1-0> {y} 2... Nf6 *",
        ),
        // Brackets of other games.
        (
            "Chess",
            "",
            "1. e4 e5 2. <A1.a3 b4 {in}> {on} Nf6 <e4: 1. d4 1-0> d5 *",
        ),
        ("Overchess", "", "1. e4 e5 2. <A1.a3 b4> Nf6 *"),
        (
            "Recursive Chess",
            "",
            "1. <A1.a3> <A2: 1. e4 1-0> 2. <prisoners P> <A1.a4> *",
        ),
    ] {
        let rules = if tags.is_empty() {
            String::new()
        } else {
            format!("[Rules \"{tags}\"]\n")
        };
        comes_back_alike(&format!("[Variant \"{game}\"]\n{rules}\n{moves}\n\n"));
    }
}
