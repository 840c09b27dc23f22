//! Randomly corrupted records and positions: cut off, mixed up, with illegal moves, or with commands and results where
//! they do not belong.

use crate::chance::Chance;

/// A record: its tags, and its moves word by word.
pub struct Game {
    pub tags: Vec<String>,
    pub words: Vec<String>,
}

/// The maximum number of words in a mutant: the consequences of a fault show soon after it.
const WORDS: usize = 260;

/// The records of a text. A comment counts as one word, and so does a tag in a block.
pub fn games(text: &str) -> Vec<Game> {
    let mut games: Vec<Game> = Vec::new();
    let mut open = None;
    for line in text.lines() {
        let head = open.is_none() && line.starts_with('[') && line.ends_with(']');
        if head || games.is_empty() {
            match games.last_mut() {
                Some(game) if game.words.is_empty() => {}
                _ if line.trim().is_empty() => continue,
                _ => games.push(Game {
                    tags: Vec::new(),
                    words: Vec::new(),
                }),
            }
        }
        let Some(game) = games.last_mut() else {
            continue;
        };
        if head {
            game.tags.push(line.into());
            continue;
        }
        for word in line.split_whitespace() {
            match (open, game.words.last_mut()) {
                (Some(_), Some(last)) => {
                    last.push(' ');
                    last.push_str(word);
                }
                _ => {
                    game.words.push(word.into());
                    open = match word.as_bytes()[0] {
                        b'{' => Some('}'),
                        b'[' => Some(']'),
                        _ => None,
                    };
                }
            }
            open = open.filter(|end| !word.contains(*end));
        }
    }
    games
}

/// Whether a word may be a ply, as far as can be said without knowing the game.
fn is_ply(word: &str) -> bool {
    word.starts_with(|sign: char| sign.is_ascii_alphabetic()) || word == "--"
}

/// Commands, in comments that may follow a ply.
const COMMANDS: &[&str] = &[
    "{[%flag W]}",
    "{[%flag B]}",
    "{[%flag B:A]}",
    "{[%flag W:B]}",
    "{[%resign W]}",
    "{[%resign B]}",
    "{[%draw agreed]}",
    "{[%draw offer]}",
    "{[%claim threefold]}",
    "{[%claim fifty]}",
    "{[%claim kings]}",
    "{[%claim threefold Nf3]}",
    "{[%clk 0:10:00]}",
    "{[%clk 9:99:99]}",
    "{[%emt 0:00:12]}",
    "{[%ts 0:10:30]}",
    "{[%ts 0:00:01]}",
    "{[%illegal Nf9]}",
    "{[%illegal e4]} {[%illegal e5]}",
    "{[%illegal Qh9] [%illegal Qh9] [%illegal Qh9]}",
    "{[%stands b1d6]}",
    "{[%stands e2e5]}",
    "{[%stands B1D6]}",
    "{[%stands n5a5/B]}",
    "{[%penalty W +120]}",
    "{[%penalty B -9]}",
    "{[%order W Team Player \"Ann\" send a Rook to Team Player \"Bob\".]}",
    "{[%order B Attack!]}",
    "{[%infraction W SC-42 \"Attack!\"]}",
    "{[%infraction B CH-1]}",
    "{[%player W A \"Zoe\"]}",
    "{[%player W d1 \"Bob\"]}",
    "{[%player W * \"Di:Flo\"]}",
    "{[%player B commander \"Zoe\"]}",
    "{[%seq 17]}",
    "{[%eval 0.3]}",
    "{[%unheard of]}",
    "{[%clk]}",
    "{[%flag]}",
    "; [%resign W]\n",
    "{Words.}",
    "$1",
    "$999",
    "!?",
    "(1. e4)",
    "(--)",
];

/// Tokens that are not commands, and hardly ever fit where they are put.
const STRAYS: &[&str] = &[
    "--",
    "1/2-1/2",
    "*",
    "1-0",
    "<d5: 1-0>",
    "<e4: *>",
    "<prisoners P>",
    "<prisoners 0>",
    "<reserve d5: N>",
    "<consolidate c3: d2+2P>",
    "<A2.e4 B1.Nf3>",
    "<A2.<B1.Nf3>>",
    "A2.1/2-1/2",
    "<",
    ">",
    "(",
    ")",
    "{",
    "e4",
    "Nf3",
    "Kxe5#",
    "O-O",
    "P@c3",
    "Nb6/B",
];

/// Tags that change the meaning of a record.
const TAGS: &[&str] = &[
    "[Variant \"Chess\"]",
    "[Variant \"Olympic\"]",
    "[Variant \"StrategiChess\"]",
    "[Variant \"MetaChess #4\"]",
    "[Variant \"Mega-Chess\"]",
    "[Variant \"Moser-Chess\"]",
    "[Variant \"Overchess\"]",
    "[Variant \"Halma\"]",
    "[Level \"2\"]",
    "[Level \"x\"]",
    "[Rules \"illegal=3\"]",
    "[Rules \"illegal=1\"]",
    "[Rules \"fog\"]",
    "[Rules \"prisoners:consolidation\"]",
    "[Rules \"flag=king\"]",
    "[Rules \"flag=end\"]",
    "[Rules \"edition=2025\"]",
    "[Rules \"edition=2003:flag=end\"]",
    "[Rules \"edition=2025:flag=king:illegal=3\"]",
    "[Rules \"depth=2\"]",
    "[Rules \"fog:fog\"]",
    "[Boards \"A:B\"]",
    "[Boards \"A:C\"]",
    "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[SetUp \"1\"]",
    "[FEN \"8/8 w\"]",
    "[SetUp \"1\"]",
    "[PlyCount \"7\"]",
    "[TimeControl \"300+2\"]",
    "[TimeControl \"x\"]",
    "[Termination \"time forfeit\"]",
    "[Termination \"adjudication\"]",
    "[Termination \"rules infraction\"]",
    "[Termination \"abandoned\"]",
    "[Score \"2-1\"]",
    "[WhiteCommander \"Ann\"]\n[WhiteLieutenants \"d1=Bob:P=Cy\"]",
    "[BlackCommander \"Di\"]\n[BlackLieutenants \"*=Ed:*=Flo\"]",
    "[White \"Ann:Bob\"]\n[Black \"Di:Ed\"]",
    "[Result \"1-0\"]",
    "[Result \"1/2-1/2\"]",
    "[GameId \"g1\"]",
];

impl Game {
    fn text(&self) -> String {
        let mut text = self
            .tags
            .iter()
            .fold(String::new(), |text, tag| text + tag + "\n")
            + "\n";
        let mut column = 0;
        for word in &self.words {
            column += word.len() + 1;
            text.push_str(word);
            text.push(if column > 90 || word.ends_with('\n') {
                '\n'
            } else {
                ' '
            });
            column = if column > 90 { 0 } else { column };
        }
        text.push_str("\n\n");
        text
    }

    /// Truncates the movetext after this number of words, closes blocks and variations, and adds the result.
    fn cut(&mut self, words: usize, result: &str) {
        self.words.truncate(words);
        let mut open = Vec::new();
        for sign in self
            .words
            .iter()
            .filter(|word| !word.starts_with('{'))
            .flat_map(|word| word.chars())
        {
            match sign {
                '<' => open.push(">"),
                '(' => open.push(")"),
                '>' | ')' => drop(open.pop()),
                _ => {}
            }
        }
        self.words.extend(open.into_iter().rev().map(Into::into));
        self.words.push(result.into());
    }

    /// Changes the result in the tag.
    fn claim(&mut self, result: &str) {
        for tag in self
            .tags
            .iter_mut()
            .filter(|tag| tag.starts_with("[Result "))
        {
            *tag = format!("[Result \"{result}\"]");
        }
    }

    /// The index of a random ply, or of any word if there is no ply.
    fn ply(&self, chance: &mut Chance) -> usize {
        let plies: Vec<usize> = (0..self.words.len())
            .filter(|index| is_ply(&self.words[*index]))
            .collect();
        chance.pick(&plies).copied().unwrap_or_default()
    }
}

/// The tag with another value, or sometimes with random damage.
fn changed_tag(tag: &str, chance: &mut Chance) -> String {
    match tag
        .split_once(" \"")
        .and_then(|(name, value)| Some((name, value.strip_suffix("\"]")?)))
    {
        Some((name, value)) if !chance.once_in(5) => {
            let value = changed(value, chance).replace(['"', '\\'], "");
            format!("{name} \"{value}\"]")
        }
        _ => changed(tag, chance),
    }
}

/// A copy of the record with one random fault.
pub fn mutant(game: &Game, chance: &mut Chance) -> String {
    let mut copy = Game {
        tags: game.tags.clone(),
        words: game.words.clone(),
    };
    if copy.words.is_empty() {
        copy.words.push("*".into());
    }
    let end = ["1-0", "0-1", "1/2-1/2", "*"];
    if copy.words.len() > WORDS || chance.once_in(4) {
        let words = chance.below(copy.words.len().min(WORDS)) + 1;
        let result = chance.word(&end);
        copy.cut(words, result);
        if !chance.once_in(4) {
            copy.claim(result);
        }
    }
    for _ in 0..=chance.below(3) {
        let (at, other) = (copy.ply(chance), copy.ply(chance));
        match chance.below(16) {
            0 => copy.words.swap(at, other),
            1 | 2 => copy.words[at] = copy.words[other].clone(),
            3 if copy.words.len() > 1 => drop(copy.words.remove(at)),
            4 => copy.words.insert(at, copy.words[other].clone()),
            5..=8 => copy.words.insert(at + 1, chance.word(COMMANDS).into()),
            9 | 10 => {
                copy.words[at] = copy.words[other].clone();
                let squares = [
                    "b1d6", "e2e5", "a1a8", "g8e4", "d1d7", "A1C3", "a1b2/B", "c3d5^",
                ];
                copy.words
                    .insert(at + 1, format!("{{[%stands {}]}}", chance.word(&squares)));
            }
            11 => copy.tags.push(chance.word(TAGS).into()),
            12 => {
                let index = chance.below(copy.tags.len().max(1));
                if index < copy.tags.len() {
                    copy.tags[index] = changed_tag(&copy.tags[index], chance);
                }
            }
            13 => copy.words[at] = changed(&copy.words[at], chance),
            14 => {
                let at = chance.below(copy.words.len());
                copy.words.insert(at, chance.word(STRAYS).into());
            }
            _ => copy.claim(chance.word(&end)),
        }
    }
    copy.text()
}

/// Characters that have a meaning in records or positions.
const SIGNS: &str = "KQRBNPSGkqrbnpsg/0123456789-+~ wb|[](){}:;,=@xaehAEH^#.<>é\"\\%$*!?";

/// The text after one to three changes: characters replaced, removed, inserted, swapped or repeated, or the end cut off.
pub fn changed(text: &str, chance: &mut Chance) -> String {
    let signs: Vec<char> = SIGNS.chars().collect();
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..=chance.below(3) {
        let sign = *chance.pick(&signs).unwrap_or(&' ');
        let at = chance.below(text.len());
        match chance.below(6) {
            _ if text.is_empty() => text.push(sign),
            0 => text[at] = sign,
            1 => drop(text.remove(at)),
            2 => text.insert(at, sign),
            3 => text.swap(at, chance.below(at + 1)),
            4 => text.truncate(at),
            _ => {
                let again = text[chance.below(at + 1)..=at].to_vec();
                text.splice(at..at, again);
            }
        }
    }
    text.into_iter().collect()
}

/// The bytes with one to three of them changed, removed or inserted.
pub fn damaged(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=chance.below(3) {
        if bytes.is_empty() {
            return bytes;
        }
        let at = chance.below(bytes.len());
        match chance.below(4) {
            0 => bytes[at] = chance.below(256) as u8,
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, b"0123456789-+ ,;\"\n\r="[chance.below(19)]),
            _ => bytes[at] = b"0123456789 wb"[chance.below(13)],
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5\n2. exd5 <d5:\n  [White \"C\"]\n  1. a3> {a\nb}\n1-0\n\n[White \"B\"]\n\n1. d4 *\n";

    #[test]
    fn records_are_split_into_words() {
        let games = games(TEXT);
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].tags, ["[White \"A\"]", "[Result \"1-0\"]"]);
        assert_eq!(
            games[0].words,
            [
                "1.",
                "e4",
                "e5",
                "2.",
                "exd5",
                "<d5:",
                "[White \"C\"]",
                "1.",
                "a3>",
                "{a b}",
                "1-0"
            ]
        );
        assert_eq!(games[1].words, ["1.", "d4", "*"]);
    }

    #[test]
    fn open_brackets_are_closed_before_the_result() {
        let mut game = games(TEXT).remove(0);
        game.cut(8, "*");
        assert_eq!(game.words[6..], ["[White \"C\"]", "1.", ">", "*"]);
    }

    #[test]
    fn the_same_seed_makes_the_same_mutant() {
        let games = games(TEXT);
        let made = |name: &str| mutant(&games[0], &mut Chance::named(name));
        assert_eq!(made("a"), made("a"));
        assert!((0..20).any(|index| made("a") != made(&index.to_string())));
    }
}
