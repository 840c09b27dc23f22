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
    /// Who plays how many games of it.
    pub series: &'static [Series],
}

/// Some games of one player against itself.
pub struct Series {
    /// The player.
    pub player: &'static str,
    /// How many games: a thousand where that takes minutes, fewer where it would take hours.
    pub games: u32,
}

const fn series(player: &'static str, games: u32) -> Series {
    Series { player, games }
}

/// Everything that is played.
pub const SETS: &[Set] = &[
    Set {
        name: "metachess",
        in_words: "MetaChess #4",
        game: Variant::Meta,
        variant: "metachess",
        boards: 1,
        series: &[
            series("random", 1000),
            series("greedy", 1000),
            series("search:depth=1", 1000),
        ],
    },
    Set {
        name: "olympic",
        in_words: "Olympic Chess",
        game: Variant::Olympic,
        variant: "olympic",
        boards: 1,
        series: &[
            series("random", 1000),
            series("greedy", 1000),
            series("search:depth=2", 1000),
        ],
    },
    Set {
        name: "strategichess",
        in_words: "StrategiChess",
        game: Variant::Strategi,
        variant: "strategichess",
        boards: 1,
        series: &[
            series("random", 1000),
            series("greedy", 200),
            series("search:depth=1", 50),
        ],
    },
    Set {
        name: "linked",
        in_words: "StrategiChess on three boards",
        game: Variant::Strategi,
        variant: "strategichess",
        boards: 3,
        // Alpha-beta does not play on linked boards.
        series: &[
            series("random", 300),
            series("greedy", 100),
            series("mcts:sims=10", 20),
        ],
    },
    Set {
        name: "overchess",
        in_words: "Overchess",
        game: Variant::Over,
        variant: "overchess",
        boards: 1,
        series: &[
            series("random", 300),
            series("greedy", 100),
            series("search:depth=1", 50),
        ],
    },
    Set {
        name: "mega",
        in_words: "Mega-Chess",
        game: Variant::Mega,
        variant: "mega-chess",
        boards: 1,
        series: &[
            series("random", 100),
            series("greedy", 50),
            series("search:depth=1", 50),
        ],
    },
];

impl Set {
    /// The initial position, under these rules.
    pub fn start(&self, rules: &str) -> AnyGame {
        AnyGame::agreed(self.game, self.boards, None, rules).unwrap()
    }
}

impl Series {
    /// Plays the games, or only what is missing of them; returns the ledger.
    pub fn ledger(&self, set: &Set, folder: &Path) -> PathBuf {
        let player = self.player.split(':').next().unwrap();
        let ledger = folder.join(format!("{}-{player}.jsonl", set.name));
        let line = format!(
            "selfplay --variant {} --boards {} --player {} --games {} --max-plies 20000 --ledger",
            set.variant, set.boards, self.player, self.games
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
        let more = Over::words_behind(word, behind.first().copied());
        plies.push(rest[..=more].join(" "));
        rest = &rest[more + 1..];
    }
    plies
}
