//! Every sequence of a few words of the notation is written the same when it is written twice, and so are longer ones.

use crate::{chance::Chance, depth::tries, text::rewritten};
use rayon::prelude::*;

/// What a record may begin with.
const HEADS: [&str; 4] = [
    "",
    "[Variant \"Recursive Chess\"]\n\n",
    "[Variant \"StrategiChess\"]\n[Boards \"A:B\"]\n\n",
    "[Variant \"Overchess\"]\n\n1. e4 d5 2. exd5 ",
];

/// What reading or writing treats in a way of its own, with the white space before it.
const WORDS: [&str; 45] = [
    " e4",
    " e5",
    " Zz9",
    " --",
    " 1.",
    " 4",
    " 4.",
    "...",
    " 1A.",
    " 1a...",
    " $1",
    "!",
    "?!",
    "+",
    " ep",
    " {x}",
    "{",
    "}",
    " ;x\n",
    "\n%x\n",
    " (",
    ")",
    "<",
    " >",
    " <d5:",
    " <A2.e4",
    " B2",
    ".",
    " <consolidate",
    " *",
    " 1-0",
    "\n[Event \"y\"]\n",
    "\n[e \"\"]\n",
    "\n[Event ",
    " [v",
    "\"",
    "]",
    ":",
    "\n",
    "\n\n",
    "\u{e9}",
    "\r",
    "\u{1}",
    "[S \"x\"",
    "d5",
];

/// What is not the same when its canonical form is written once more.
fn changes(text: &str) -> bool {
    rewritten(text.as_bytes()).is_some_and(|once| rewritten(&once).as_ref() != Some(&once))
}

#[test]
fn every_sequence_of_words_is_written_once_and_for_all() {
    let length = u32::try_from(tries(3)).unwrap().min(4);
    let count = WORDS.len().pow(length);
    for head in HEADS {
        let text = |mut nth: usize| {
            let mut text = head.to_owned();
            for _ in 0..length {
                text += WORDS[nth % WORDS.len()];
                nth /= WORDS.len();
            }
            text
        };
        let found: Vec<_> = (0..count).into_par_iter().map(text).filter(|text| changes(text)).collect();
        assert_eq!(found.len(), 0, "{:?}", &found[..found.len().min(20)]);
    }
}

#[test]
fn longer_sequences_of_words_are_written_once_and_for_all() {
    let text = |seed: usize| {
        let mut chance = Chance::seeded((seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut text = HEADS[chance.below(HEADS.len())].to_owned();
        for _ in 0..5 + chance.below(12) {
            text += WORDS[chance.below(WORDS.len())];
        }
        text
    };
    let found: Vec<_> = (0..tries(100_000)).into_par_iter().map(text).filter(|text| changes(text)).collect();
    assert_eq!(found.len(), 0, "{:?}", found.iter().min_by_key(|text| text.len()));
}
