//! Exit codes and the errors behind them.

use crate::picture::NoPicture;
use overboard_engines::{
    batch::Stopped,
    journal::Fault,
    merge::Unmergeable,
    records::Unwritable,
    shard::NoShard,
    stats::{NoSample, NoTest},
};
use overboard_events::{store::StoreError, whole::FileError};
use std::{io, path::PathBuf, process::ExitCode};

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// No finding that is an error.
    Clean,
    /// At least one finding that is an error.
    Findings,
    /// At least one input that cannot be read, or arguments that make no sense.
    Unusable,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Unusable => 2,
        })
    }
}

/// Why a command could not go on.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file or standard input cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Standard output cannot be written.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
    /// A name that is neither a rule nor a finding.
    #[error("`{0}` is no rule and no kind of finding; `overboard explain` lists them all{1}")]
    UnknownTopic(String, String),
    /// A name that is no kind of finding.
    #[error("`{0}` is no kind of finding; `overboard explain` lists them all{1}")]
    UnknownCode(String, String),
    /// A kind of finding that no option can change.
    #[error("`{0}` is an error by itself and cannot be {1}")]
    FixedCode(String, &'static str),
    /// An option that needs a file.
    #[error("{0} needs a file to write to; standard input has none")]
    NeedsFile(&'static str),
    /// A file of which something would be lost.
    #[error("{path}:{line}: {why}; it cannot be written again without losing something", path = path.display())]
    Unkept {
        /// Which.
        path: PathBuf,
        /// Line from which on.
        line: u64,
        /// Why.
        why: String,
    },
    /// A rule that no game has.
    #[error("`{0}` is no option of any game here; --rules takes what the tag Rules takes")]
    UnknownRule(String),
    /// A game without rules here.
    #[error("the rules of {0} are not in this version")]
    NoRules(&'static str),
    /// A level for a game that has none.
    #[error("--level belongs to Recursive Chess, and {0} has no levels")]
    NoLevel(&'static str),
    /// A number of boards for a game that has no linked ones.
    #[error("--boards belongs to StrategiChess, and {0} has no linked boards")]
    NoBoards(&'static str),
    /// A list of rules that a game does not take.
    #[error("--rules: {0}")]
    BadRules(String),
    /// More than one thing on standard output.
    #[error("standard output takes one thing at a time; write the others to files")]
    OneOutput,
    /// A picture for a terminal.
    #[error("a terminal cannot show a PNG; write it to a file, or into a pipe")]
    NoTerminal,
    /// A condition on a tag that cannot be read.
    #[error("--tag takes `Name=value` or `Name~text`, not `{0}`")]
    BadTag(String),
    /// A range of numbers that cannot be read.
    #[error("--number takes `3`, `5-8` or `9-`, counted from 1, not `{0}`")]
    BadRange(String),
    /// A move of a game that cannot be read.
    #[error(
        "--at takes `start`, `end`, or a move such as `23w` or `23b`, or `2w.d5.7b` in a sub-game, not `{0}`"
    )]
    BadMoment(String),
    /// A file with fewer games.
    #[error("{path}: there is no game {game}; {how_many}", path = path.display(), how_many = how_many(*count))]
    NoGame {
        /// The file.
        path: PathBuf,
        /// The game asked for.
        game: u64,
        /// How many there are.
        count: u64,
    },
    /// A board that is not there.
    #[error("--board {0}: {1}")]
    NoBoard(String, String),
    /// A sub-game that is not there.
    #[error("--at {0}: {1}")]
    NoSubGame(String, String),
    /// No picture can be made.
    #[error("{0}")]
    Picture(#[from] NoPicture),
    /// A position that cannot be used.
    #[error("the FEN `{0}`: {1}")]
    BadFen(String, String),
    /// A game that could not be converted.
    #[error("{path}:{line}:{column}: {why}", path = path.display())]
    NotConverted {
        /// The file.
        path: PathBuf,
        /// Line in it.
        line: u64,
        /// Column in that line, from 1.
        column: u64,
        /// Why.
        why: String,
    },
    /// More than one input for an output that holds one.
    #[error("{0} files on one standard output cannot be told apart; add --write or --check")]
    ManyFiles(usize),
    /// Games that cannot be played.
    #[error(transparent)]
    Unplayable(Stopped),
    /// A ledger that cannot be used.
    #[error("{path}: {fault}{advice}", path = path.display(), advice = advice(.fault))]
    Ledger {
        /// Which.
        path: PathBuf,
        /// Why.
        fault: Fault,
    },
    /// A ledger that can no longer be written.
    #[error(
        "{path}: {source}; {done} of {total} games are in the ledger. When it can be written again, give \
         the same command once more: it goes on from there",
        path = path.display()
    )]
    Halted {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
        /// Games in it.
        done: u64,
        /// Games that it is to hold.
        total: u64,
    },
    /// Ledgers that cannot be made one.
    #[error(transparent)]
    Unmergeable(#[from] Unmergeable),
    /// A game of a ledger that is no game.
    #[error("{path}: {why}", path = path.display())]
    Unwritable {
        /// The ledger.
        path: PathBuf,
        /// Why.
        why: Unwritable,
    },
    /// No shard.
    #[error(transparent)]
    BadShard(#[from] NoShard),
    /// Nothing says which shard.
    #[error(
        "the plan has {0} shards, and nothing says which one this is: add --shard i/{0}, or set \
         SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX"
    )]
    WhichShard(u64),
    /// A file that is no plan.
    #[error("{path}: this is no plan, or it was changed after it was made", path = path.display())]
    NoPlan {
        /// Which.
        path: PathBuf,
    },
    /// An event that cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something that cannot be done in an event.
    #[error("{0}")]
    Event(String),
    /// Games of which nothing can be said together.
    #[error("{path}: here are games of {other}, and {known} before; figures are told of one game at a time", path = path.display())]
    MixedGames {
        /// The file.
        path: PathBuf,
        /// The game before.
        known: String,
        /// The game here.
        other: String,
    },
    /// A ledger with games that another one had.
    #[error("{path}: units {units} of this run were in another ledger already; `overboard merge` makes one of both", path = path.display())]
    CountedTwice {
        /// The ledger.
        path: PathBuf,
        /// The units, as a range.
        units: String,
    },
    /// A list of the wrong length.
    #[error("{0} takes {1} numbers with commas between them")]
    HowManyNumbers(&'static str, usize),
    /// No sequential test.
    #[error("--sprt: {0}")]
    BadTest(#[from] NoTest),
    /// Counts of which no figures can be made.
    #[error("these counts cannot be used: {0}")]
    BadSample(#[from] NoSample),
    /// Worker threads cannot be had.
    #[error("cannot start worker threads: {0}")]
    Threads(String),
}

fn how_many(games: u64) -> String {
    match games {
        0 => "the file has none".into(),
        1 => "the file has one".into(),
        _ => format!("the file has {games}"),
    }
}

/// What can be done about a ledger that cannot be used.
fn advice(fault: &Fault) -> String {
    match fault {
        Fault::Damaged { line, .. } if *line > 1 => format!(
            ". The games before it are whole: `head -n {}` keeps them, and a run on what it keeps plays \
             the others again",
            line - 1
        ),
        Fault::OtherOrigin { .. } => {
            ". Go on with that version, or begin another ledger; `ledger`, `stats` and \
                                      `merge` still read this one"
                .into()
        }
        _ => String::new(),
    }
}

impl Failure {
    /// A failure of this ledger.
    pub fn ledger(path: &std::path::Path, fault: Fault) -> Self {
        Self::Ledger { path: path.to_owned(), fault }
    }

    /// A failure of this file.
    pub fn file(path: &std::path::Path, source: io::Error) -> Self {
        FileError::of(path, source).into()
    }
}
