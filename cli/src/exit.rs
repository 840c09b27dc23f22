//! Exit codes, and the one place where errors become messages and codes.

use crate::{
    batch::BatchError,
    commands::{
        demo::DemoError, desk::HallError, explain::TopicError, extend::ExtendError, fmt::FmtError,
        plan::PlanError, schema::SchemaError, select::ConditionError, show::ShowError,
        stats::StatsError, view::ViewError,
    },
    config::ConfigError,
    engines::EngineError,
    folders::FolderError,
    games::UnkeptError,
    grown::GrownError,
    ledgers::LedgerError,
    options::OptionError,
    picture::PictureError,
    positions::PositionsError,
    sequence::SequenceError,
    sprt::SprtError,
    threads::ThreadsError,
};
use overboard_desk::{attendant::SitterError, keeper::DeskError};
use overboard_engines::{merge::MergeError, players::PlayerError};
use overboard_events::{store::StoreError, whole::FileError};
use overboard_formats::io_words::reason;
use std::{io, path::Path, process::ExitCode};

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// No finding that is an error.
    Clean,
    /// At least one finding that is an error.
    Findings,
    /// At least one input that cannot be read, or invalid arguments.
    Unusable,
}

impl Exit {
    /// How a command ends that has findings, or none.
    pub const fn with(findings: bool) -> Self {
        if findings {
            Self::Findings
        } else {
            Self::Clean
        }
    }
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

/// Why a command failed: the error of the part that failed, which is defined there with its message.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// Standard output cannot be written.
    #[error("standard output: {}", reason(.0))]
    Output(io::Error),
    /// A file or standard input cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A folder that cannot stand for its records.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A settings file that cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Part of a file would be lost.
    #[error(transparent)]
    Unkept(#[from] UnkeptError),
    /// Options that several commands have.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Positions that cannot be used.
    #[error(transparent)]
    Positions(#[from] PositionsError),
    /// Worker threads that cannot be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// Games that cannot be played, or not all of them.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// Records that cannot be added to a file.
    #[error(transparent)]
    Grown(#[from] GrownError),
    /// A program that cannot sit at a game.
    #[error(transparent)]
    Sitter(#[from] SitterError),
    /// A record that cannot be kept.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// A desk that nobody can come to.
    #[error(transparent)]
    Hall(#[from] HallError),
    /// An unknown player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// Engines that cannot be used.
    #[error(transparent)]
    Engines(#[from] EngineError),
    /// A run that cannot be extended.
    #[error(transparent)]
    Extend(#[from] ExtendError),
    /// A plan that cannot be used.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A ledger that cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Ledgers that cannot be merged.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// An invalid sequential test.
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// Statistics that cannot be computed.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// A demo that cannot be made.
    #[error(transparent)]
    Demo(#[from] DemoError),
    /// A name that `explain` does not know.
    #[error(transparent)]
    Explain(#[from] TopicError),
    /// A schema that does not exist.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// What `fmt` cannot do.
    #[error(transparent)]
    Fmt(#[from] FmtError),
    /// Conditions of `select` that cannot be parsed.
    #[error(transparent)]
    Select(#[from] ConditionError),
    /// What `show` cannot show.
    #[error(transparent)]
    Show(#[from] ShowError),
    /// A sequence of pictures that cannot be made.
    #[error(transparent)]
    Sequence(#[from] SequenceError),
    /// What `view` cannot show.
    #[error(transparent)]
    View(#[from] ViewError),
    /// A picture that cannot be made.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// An event that cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something that cannot be done in an event.
    #[error("{0}")]
    Event(String),
    /// The same in several lines.
    #[error("{}", .0.join("\n"))]
    Lines(Vec<String>),
}

impl From<io::Error> for CliError {
    /// From writing to standard output: either that fails, or the file in which output waits for it.
    fn from(error: io::Error) -> Self {
        match error.downcast::<FileError>() {
            Ok(of_a_file) => of_a_file.into(),
            Err(error) => Self::Output(error),
        }
    }
}

/// Whether a pipe has no reader any more; writers of tables wrap that in an error of their own.
fn is_closed(error: &io::Error) -> bool {
    let of_a_table = error
        .get_ref()
        .and_then(|why| why.downcast_ref::<csv::Error>());
    let own = match of_a_table.map(csv::Error::kind) {
        Some(csv::ErrorKind::Io(own)) => own,
        _ => error,
    };
    own.kind() == io::ErrorKind::BrokenPipe
}

impl CliError {
    /// An error with this file.
    pub fn file(path: &Path, source: io::Error) -> Self {
        FileError::of(path, source).into()
    }

    /// How a command ends after an error. A closed standard output is not one: its reader may have seen enough.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Output(error) if is_closed(error) => Exit::Clean,
            _ => Exit::Unusable,
        }
    }
}
