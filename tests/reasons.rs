//! Why moves are refused: for each kind of reason and each game a position, an act, the rule and the message.
//!
//! The tables are text files, `tests/reasons/positions.tsv` and `tests/reasons/records.tsv`, with a row for each case.
//! A kind of reason that has no row in a game fails, unless the table says that it never occurs there. Games on several
//! boards have no list of kinds: there every sentence in their source files needs a row.

use crate::text::judge;
use overboard_formats::san::{Alphabet, San};
use overboard_games::{
    chess::Chess,
    chess960::Chess960,
    crazyhouse::{Crazyhouse, Crazyhouse960},
    metachess::Meta,
    olympic::Olympic,
    one_board::notation::BoardNotation,
    strategichess::Strategi,
};
use overboard_referee::{finding::Severity, game::position::ReadPosition};
use overboard_rules::refusal::{Reason, Refusal};
use std::collections::{BTreeMap, BTreeSet};

/// Names the kinds of reasons. A new kind does not compile before it has a name here, and does not pass before it has
/// rows.
macro_rules! kinds {
    ($($name:ident),+ ; $($full:ident),+) => {
        const KINDS: &[&str] = &[$(stringify!($name),)+ $(stringify!($full)),+];

        fn kind(reason: &Reason) -> &'static str {
            match reason {
                $(Reason::$name => stringify!($name),)+
                $(Reason::$full(..) => stringify!($full),)+
            }
        }
    };
}

kinds! {
    NoPass, NoDrop, NoCastling, NoSuchPiece, NotOnOrigin, WrongSide, TakesKing, DropPromotes, NothingToTake,
    NoEnPassant, EnPassantOver;
    Ended, PawnOnLastRank, OwnPiece, OutOfReach, Blocked, Pinned, StaysInCheck, IntoCheck, Ambiguous, PromotionMissing, InHand,
    PromotionRole, NoPromotion, PawnBlocked, Backward, NoDoubleStep, OneStep, HasMoved, OffRoad, CaptureMark,
    WrittenCastling, NoCastlingRight, CastlingBlocked, CastlingAttacked, NotInHand, DropOnPiece, Riding
}

fn table(name: &str) -> Vec<(usize, Vec<String>)> {
    let path = format!("{}/../tests/reasons/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let rows = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    rows.map(|(number, line)| (number, line.split('\t').map(String::from).collect()))
        .collect()
}

/// The kind, rule and message of the refusal of an act in a position.
fn refused<P: BoardNotation>(fen: &str, act: &str) -> Result<(&'static str, String), String> {
    let ReadPosition { position, .. } = P::read(fen).map_err(|fault| format!("{fen}: {fault}"))?;
    // A drop can be refused in every game, though not every game's notation can write one.
    let alphabet = Alphabet {
        drops: P::ALPHABET.drops || act.contains('@'),
        ..P::ALPHABET
    };
    let san = San::parse(act.as_bytes(), &alphabet).map_err(|fault| format!("{act}: {fault}"))?;
    let refusal =
        Refusal::of(&position, &san.written).ok_or_else(|| format!("{act} is legal in {fen}"))?;
    Ok((
        kind(refusal.reason()),
        format!("{}: {refusal}", refusal.rule().id),
    ))
}

#[test]
fn each_kind_of_reason_has_its_words_and_its_rule_in_each_game_on_one_board() {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut never: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (line, row) in table("positions.tsv") {
        let [game, kind, rest @ ..] = &row[..] else {
            panic!("line {line} has no kind")
        };
        let [fen, act, words] = rest else {
            never.entry(game.clone()).or_default().insert(kind.clone());
            continue;
        };
        let reported = match game.as_str() {
            "chess" => refused::<Chess>(fen, act),
            "chess960" => refused::<Chess960>(fen, act),
            "crazyhouse" => refused::<Crazyhouse>(fen, act),
            "crazyhouse960" => refused::<Crazyhouse960>(fen, act),
            "olympic" => refused::<Olympic>(fen, act),
            "strategichess" => refused::<Strategi>(fen, act),
            "metachess" => refused::<Meta>(fen, act),
            other => panic!("line {line}: {other} is no game on one board"),
        };
        match reported {
            Ok((this, reported)) if (this, &reported) == (kind.as_str(), words) => {
                found.entry(game.clone()).or_default().insert(kind.clone());
            }
            Ok((this, reported)) => {
                wrong.push(format!(
                    "line {line}: {game}\t{this}\t{fen}\t{act}\t{reported}"
                ));
            }
            Err(why) => wrong.push(format!("line {line}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(found.len(), 7);
    for (game, found) in found {
        let never = never.remove(&game).unwrap_or_default();
        let missing: Vec<_> = KINDS
            .iter()
            .filter(|kind| !found.contains(**kind) && !never.contains(**kind))
            .collect();
        assert!(missing.is_empty(), "{game} has no row for {missing:?}");
        let both: Vec<_> = found.intersection(&never).collect();
        assert!(
            both.is_empty(),
            "{game} has rows for what never comes up: {both:?}"
        );
    }
}

#[test]
fn acts_in_records_are_refused_for_the_reason_of_a_strong_arbiter() {
    let mut wrong = Vec::new();
    for (line, row) in table("records.tsv") {
        let [game, tags, moves, rule, words] = &row[..] else {
            panic!("line {line} has not five columns")
        };
        let tags = tags.replace("] [", "]\n[");
        let text = format!("[Variant \"{game}\"]\n{tags}\n\n{moves}\n");
        let report = judge(text.as_bytes()).remove(0);
        let weighty: Vec<_> = report
            .findings
            .iter()
            .filter(|finding| finding.severity != Severity::Note)
            .map(|finding| {
                let rule = finding.rule.map_or("-", |rule| rule.id);
                (rule, finding.message.as_it_came())
            })
            .collect();
        let is_right = matches!(weighty[..], [(reported, message)] if reported == rule && message.contains(words));
        if !is_right {
            wrong.push(format!(
                "line {line}: {game}\t{moves}\n  wanted {rule}: {words}\n  found {weighty:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The files with the messages of games on several boards and of sub-games.
const SOURCES: [&str; 9] = [
    "games/src/mega/refusal.rs",
    "games/src/strategichess/linked/refusal.rs",
    "games/src/overchess/block.rs",
    "games/src/overchess/silence.rs",
    "games/src/overchess/refusal/game.rs",
    "games/src/overchess/refusal/mod.rs",
    "games/src/overchess/judge/block.rs",
    "games/src/overchess/judge/named.rs",
    "games/src/mega/judge/drawn.rs",
];

fn source(path: &str) -> String {
    let path = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The sentences among the string literals of a source file: those of more than one word.
fn sentences(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
    {
        let mut rest = line;
        while let Some((_, opened)) = rest.split_once('"') {
            let Some((said, after)) = opened.split_once('"') else {
                break;
            };
            if said.contains(' ') && said.len() > 12 {
                found.push(said.trim_end_matches('\\').trim().to_string());
            }
            rest = after;
        }
    }
    found
}

/// Whether a message contains a sentence, with anything in place of its braces.
fn says(message: &str, sentence: &str) -> bool {
    let mut rest = message;
    sentence.split('{').enumerate().all(|(nth, part)| {
        let part = if nth == 0 {
            part
        } else {
            part.split_once('}').map_or(part, |(_, part)| part)
        };
        rest.find(part)
            .map(|at| rest = &rest[at + part.len()..])
            .is_some()
    })
}

/// A new sentence in one of these files does not pass before it has a row, or is listed as one that no
/// record can produce.
#[test]
fn each_reason_of_games_on_several_boards_has_a_row() {
    let rows = table("records.tsv");
    let reported: Vec<&str> = rows.iter().map(|(_, row)| row[4].as_str()).collect();
    let never = source("tests/reasons/not-in-records.txt");
    let never: BTreeSet<&str> = never
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let all: Vec<String> = SOURCES
        .iter()
        .flat_map(|path| sentences(&source(path)))
        .collect();
    assert!(all.len() > 120, "{}", all.len());
    let is_told = |sentence: &str| reported.iter().any(|message| says(message, sentence));
    let missing: Vec<_> = all
        .iter()
        .filter(|sentence| !is_told(sentence) && !never.contains(sentence.as_str()))
        .collect();
    assert!(missing.is_empty(), "without a row: {missing:#?}");
    let gone: Vec<_> = never
        .iter()
        .filter(|sentence| !all.iter().any(|said| said == *sentence))
        .collect();
    assert!(gone.is_empty(), "no longer there: {gone:#?}");
    let both: Vec<_> = never.iter().filter(|sentence| is_told(sentence)).collect();
    assert!(both.is_empty(), "said in a record after all: {both:#?}");
}
