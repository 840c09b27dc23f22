//! Texts made of the words of the notation, which reach the code behind the parser far more often than random bytes
//! do.

// Each target uses some of it.
#![allow(dead_code)]

use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use overboard_games::{
    coordinates::Line,
    registry::{AnyGame, Variant},
};
use overboard_referee::game::{notation::Notation as _, play::Play as _};
use std::{ops::ControlFlow, sync::LazyLock};

/// A text with records of any game.
#[derive(Debug)]
pub struct Text(pub String);

const GAMES: [&str; 9] = [
    "",
    "[Variant \"Olympic Chess\"]\n",
    "[Variant \"StrategiChess\"]\n",
    "[Variant \"StrategiChess\"]\n[Boards \"A:B:C\"]\n",
    "[Variant \"StrategiChess\"]\n[Boards \"A:B\"]\n[Rules \"edition=2025\"]\n",
    "[Variant \"MetaChess #4\"]\n",
    "[Variant \"Mega-Chess\"]\n[Level \"2\"]\n",
    "[Variant \"Recursive Chess\"]\n[Level \"3\"]\n",
    "[Variant \"Overchess\"]\n[Rules \"depth=2\"]\n",
];
const TAGS: [&str; 8] = [
    "[GameId \"7\"]\n",
    "[Parent \"7/A\"]\n",
    "[Parent \"7/B\"]\n",
    "[Parent \"7/2w\"]\n",
    "[Result \"1-0\"]\n",
    "[SetUp \"1\"]\n",
    "[White \"Ann:Bob\"]\n",
    "[TimeControl \"40/5400\"]\n",
];
const WORDS: [&str; 62] = [
    "1.",
    "1...",
    "2.",
    "1A.",
    "1a.",
    "1B.",
    "1b.",
    "2A.",
    "2a.",
    "e4",
    "e5",
    "exd5",
    "Nf3",
    "Nc6",
    "d5",
    "O-O",
    "O-O-O",
    "e8=Q",
    "Ra1/B",
    "Nb6/B",
    "Rxn5/A",
    "a5",
    "a10",
    "n5",
    "--",
    "N@e4",
    "Qh5+",
    "Qxf7#",
    "(",
    ")",
    "<",
    ">",
    "<A2.e4",
    "H7.e5>",
    "<d5:",
    "<e5:",
    "<consolidate",
    "<prisoners",
    "<reserve",
    "d4",
    "2P1N",
    "*>",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "$1",
    "$999",
    "!?",
    "{[%clk 0:10:00]}",
    "{[%ts 0:00:41]}",
    "{[%seq 3]}",
    "{[%in R a5 A 1]}",
    "{[%claim repetition]}",
    "{[%flag W]}",
    "{[%illegal Kb9]}",
    "{[%stands]}",
    "{[%order W Watch out!]}",
    "{",
    "}",
    ";\n",
    "\n\n",
];

/// The first positions of every game under each of its samples.
static BEGINNINGS: LazyLock<Vec<(Variant, &str, AnyGame)>> = LazyLock::new(|| {
    let sampled = |game: &Variant| {
        game.sampled()
            .map(|(sample, first)| (*game, sample.rules, first))
            .collect::<Vec<_>>()
    };
    Variant::ALL.iter().flat_map(sampled).collect()
});

/// The maximum number of plies in a game: a fault of a longer game shows in a short one, too.
const PLIES: usize = 24;
/// The maximum length of a text in bytes.
const LONGEST: usize = 1 << 14;

/// A line of coordinate moves, and the game, rules and initial position that it belongs to. All its moves are legal,
/// except where the line was disturbed.
#[allow(dead_code)]
#[derive(Debug)]
pub struct Coordinates(
    pub Variant,
    pub &'static str,
    pub &'static AnyGame,
    pub String,
);

impl<'a> Arbitrary<'a> for Coordinates {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let (game, rules, first) = bytes.choose(&BEGINNINGS)?;
        let line = coordinates(first, bytes)?;
        let line = if bytes.ratio(1, 3)? {
            line
        } else {
            disturbed(&line, bytes)?
        };
        Ok(Self(*game, rules, first, line))
    }
}

/// A game in coordinates whose legal moves are chosen by the bytes. Only the chosen plies are spelt, as spelling all
/// legal ones would take longer than judging the game.
fn coordinates(first: &AnyGame, bytes: &mut Unstructured<'_>) -> Result<String> {
    let (mut position, mut line, mut plies) = (first.clone(), String::new(), Vec::new());
    for _ in 0..bytes.int_in_range(0..=PLIES)? {
        if bytes.is_empty() || position.end_by_itself().is_some() {
            break;
        }
        let coord = if let AnyGame::Mega(mega) = &position {
            // Boards inside boards have more plies than can be listed quickly.
            let chosen = mega.any(&mut |count| bytes.choose_index(count).unwrap_or(0));
            let Some(ply) = chosen else { break };
            let coord = mega.coordinates(ply).to_string();
            position = position.played(&coord).expect("what is legal is played").1;
            coord
        } else {
            plies.clear();
            let _ = position.legal(|ply| {
                plies.push(ply);
                ControlFlow::Continue(())
            });
            if plies.is_empty() {
                break;
            }
            let ply = plies[bytes.choose_index(plies.len())?];
            let coord = position.coordinates(ply).to_string();
            position.play(ply);
            coord
        };
        line.push_str(&coord);
        line.push(' ');
    }
    Ok(line)
}

/// Such a game as a record.
fn played(bytes: &mut Unstructured<'_>) -> Result<String> {
    let (game, rules, first) = bytes.choose(&BEGINNINGS)?;
    let line = coordinates(first, bytes)?;
    // A game that stops in the middle of a consolidation cannot be written as a record.
    let Ok(line) = Line::read_under(&line, *game, first, rules) else {
        return Ok(String::new());
    };
    let mut text = String::new();
    let result = bytes.choose(&["*", "1-0", "0-1", "1/2-1/2"])?;
    line.write_record(result, &mut text)
        .expect("a string takes any text");
    Ok(text)
}

/// A record made of the words of the notation, in any order.
fn worded(bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::from("[Event \"?\"]\n");
    text.push_str(bytes.choose(&GAMES)?);
    while !bytes.is_empty() && bytes.ratio(1, 3)? {
        text.push_str(bytes.choose(&TAGS)?);
    }
    text.push('\n');
    while !bytes.is_empty() && text.len() < LONGEST && !bytes.ratio(1, 40)? {
        word(bytes, &mut text)?;
        text.push(' ');
    }
    text.push_str("*\n\n");
    Ok(text)
}

/// One word of the notation, or a character that is in no list.
fn word(bytes: &mut Unstructured<'_>, text: &mut String) -> Result<()> {
    match bytes.int_in_range(0..=19)? {
        0 => text.push(char::from(bytes.int_in_range(b' '..=b'~')?)),
        _ => text.push_str(bytes.choose(&WORDS)?),
    }
    Ok(())
}

/// The words of a text, with some left out and others put in.
fn disturbed(text: &str, bytes: &mut Unstructured<'_>) -> Result<String> {
    let words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
    let mut changes = Vec::new();
    for _ in 0..bytes.int_in_range(0..=4)? {
        changes.push((
            bytes.choose_index(words.len().max(1))?,
            bytes.int_in_range(0..=3)?,
        ));
    }
    let mut out = String::new();
    for (at, own) in words.iter().enumerate() {
        match changes
            .iter()
            .find(|(place, _)| *place == at)
            .map(|(_, change)| *change)
        {
            None => out.push_str(own),
            Some(0_u8) => {}
            Some(1) => {
                word(bytes, &mut out)?;
                out.push(' ');
            }
            Some(2) => {
                out.push_str(own);
                word(bytes, &mut out)?;
                out.push(' ');
            }
            // The next word, also before this one.
            Some(_) => {
                out.push_str(words.get(at + 1).unwrap_or(own));
                out.push_str(own);
            }
        }
    }
    Ok(out)
}

impl<'a> Arbitrary<'a> for Text {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let mut text = String::new();
        while !bytes.is_empty() && text.len() < LONGEST {
            let record = match bytes.int_in_range(0..=3)? {
                0 => worded(bytes)?,
                1 => played(bytes)?,
                _ => {
                    let record = played(bytes)?;
                    disturbed(&record, bytes)?
                }
            };
            text.push_str(&record);
        }
        Ok(Self(text))
    }
}
