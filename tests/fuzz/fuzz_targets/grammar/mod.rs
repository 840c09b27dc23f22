//! Texts made of the words of the notation: what a reader passes on to those who judge, far more often than any bytes.

use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};

/// Records of any game.
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
    "1.", "1...", "2.", "1A.", "1a.", "1B.", "1b.", "2A.", "2a.", "e4", "e5", "exd5", "Nf3", "Nc6", "d5", "O-O",
    "O-O-O", "e8=Q", "Ra1/B", "Nb6/B", "Rxn5/A", "a5", "a10", "n5", "--", "N@e4", "Qh5+", "Qxf7#", "(", ")", "<", ">",
    "<A2.e4", "H7.e5>", "<d5:", "<e5:", "<consolidate", "<prisoners", "<reserve", "d4", "2P1N", "*>", "1-0", "0-1",
    "1/2-1/2", "*", "$1", "$999", "!?", "{[%clk 0:10:00]}", "{[%ts 0:00:41]}", "{[%seq 3]}", "{[%in R a5 A 1]}",
    "{[%claim repetition]}", "{[%flag W]}", "{[%illegal Kb9]}", "{[%stands]}", "{[%order W Watch out!]}", "{", "}", ";\n", "\n\n",
];

impl<'a> Arbitrary<'a> for Text {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let mut text = String::new();
        while !bytes.is_empty() && text.len() < 1 << 16 {
            text.push_str("[Event \"?\"]\n");
            text.push_str(bytes.choose(&GAMES)?);
            while bytes.ratio(1, 3)? {
                text.push_str(bytes.choose(&TAGS)?);
            }
            text.push('\n');
            while !bytes.is_empty() && !bytes.ratio(1, 40)? {
                match bytes.int_in_range(0..=19)? {
                    // A square or a letter that no list foresees.
                    0 => text.push(char::from(bytes.int_in_range(b' '..=b'~')?)),
                    _ => text.push_str(bytes.choose(&WORDS)?),
                }
                text.push(' ');
            }
            text.push_str("*\n\n");
        }
        Ok(Self(text))
    }
}
