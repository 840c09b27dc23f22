//! The games that are played, and how a ledger is read again.

use crate::run::{overboard, printed};
use overboard_games::{
    overchess::Over,
    registry::{AnyGame, Variant},
};
use overboard_referee::game::record::Record;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// One game with one form of its rules.
pub struct Set {
    /// Its name in this program and in file names.
    pub name: &'static str,
    /// Its name for people.
    pub in_words: &'static str,
    /// The game.
    pub game: Variant,
    /// The value of `--variant`.
    pub variant: &'static str,
    /// The number of boards.
    pub boards: u16,
    /// Who plays it, each against itself.
    pub players: &'static [&'static str],
}

/// The games of each player.
const GAMES: u32 = 1000;

/// Everything that is played.
pub const SETS: &[Set] = &[
    Set {
        name: "metachess",
        in_words: "MetaChess #4",
        game: Variant::Meta,
        variant: "metachess",
        boards: 1,
        players: &["random", "greedy", "search:depth=1"],
    },
    Set {
        name: "olympic",
        in_words: "Olympic Chess",
        game: Variant::Olympic,
        variant: "olympic",
        boards: 1,
        players: &["random", "greedy", "search:depth=2"],
    },
    Set {
        name: "strategichess",
        in_words: "StrategiChess",
        game: Variant::Strategi,
        variant: "strategichess",
        boards: 1,
        players: &["random", "greedy", "search:depth=1"],
    },
    Set {
        name: "linked",
        in_words: "StrategiChess on three boards",
        game: Variant::Strategi,
        variant: "strategichess",
        boards: 3,
        // Alpha-beta does not play on linked boards.
        players: &["random", "greedy", "mcts:sims=10"],
    },
    Set {
        name: "overchess",
        in_words: "Overchess",
        game: Variant::Over,
        variant: "overchess",
        boards: 1,
        players: &["random", "greedy", "search:depth=1"],
    },
    Set {
        name: "mega",
        in_words: "Mega-Chess",
        game: Variant::Mega,
        variant: "mega-chess",
        boards: 1,
        players: &["random", "greedy", "search:depth=1"],
    },
];

impl Set {
    /// The initial position, under these rules.
    pub fn start(&self, rules: &str) -> AnyGame {
        AnyGame::agreed(self.game, self.boards, None, rules).unwrap()
    }

    /// Plays a player's games, or only what is missing of them; returns the ledger.
    pub fn ledger(&self, player: &str, folder: &Path) -> PathBuf {
        let kind = player.split(':').next().unwrap();
        let ledger = folder.join(format!("{}-{kind}.jsonl", self.name));
        let line = format!(
            "selfplay --variant {} --boards {} --player {player} --games {GAMES} --max-plies 20000 --ledger",
            self.variant, self.boards
        );
        let mut words: Vec<&str> = line.split(' ').collect();
        words.push(ledger.to_str().unwrap());
        done(&words);
        ledger
    }
}

/// Runs the tool, which must succeed; returns what it prints.
pub fn done(words: &[&str]) -> String {
    let output = overboard(words);
    let (text, exit) = printed(&output);
    assert_eq!(exit, 0, "{words:?}");
    text
}

/// One game of a ledger.
pub struct Played {
    /// Its plies in coordinates.
    pub plies: Vec<String>,
    /// Its end, in the word of ledgers.
    pub end: String,
    /// Its result.
    pub result: String,
}

impl Played {
    /// The games of a ledger.
    pub fn read(ledger: &Path) -> Vec<Self> {
        let text = fs::read_to_string(ledger).unwrap();
        text.lines().map(Self::of_line).collect()
    }

    fn of_line(line: &str) -> Self {
        let line: Value = serde_json::from_str(line).unwrap();
        let word = |key: &str| line[key].as_str().unwrap().to_owned();
        Self {
            plies: plies(&word("moves")),
            end: word("termination"),
            result: word("result"),
        }
    }
}

/// The plies of a line; a ply of Overchess may have several words.
fn plies(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (mut plies, mut rest) = (Vec::new(), &words[..]);
    while let [word, behind @ ..] = rest {
        let more = Over::words_after(word, behind.first().copied());
        plies.push(rest[..=more].join(" "));
        rest = &rest[more + 1..];
    }
    plies
}
