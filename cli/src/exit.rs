//! Exit codes, and the one place where errors become messages and codes.

use crate::picture::PictureError;
use overboard_desk::{attendant::SitterError, keeper::DeskError};
use overboard_engines::{merge::MergeError, players::PlayerError};
use overboard_events::{
    atomic_files::FileError,
    groups::NoGroups,
    lots::LotsError,
    names::NameError,
    norms::NoNorms,
    pairing::RoundError,
    requests::RequestError,
    roster::WrongGroup,
    settings::{NoSense, UnknownSetting, WrongSetting},
    site::SiteError,
    store::StoreError,
};
use overboard_formats::io_words::reason;
use overboard_schedules::{
    molter::MolterError, swiss_team::pairing_error::PairingError, tiebreak::TieBreakError,
};
use std::{error::Error, io, path::Path, process::ExitCode};

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

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// Standard output cannot be written.
    #[error("standard output: {}", reason(.0))]
    Output(io::Error),
    /// A file or standard input cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// An event that cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something that cannot be done in an event.
    #[error("{0}")]
    Event(String),
    /// The same in several lines.
    #[error("{}", .0.join("\n"))]
    Lines(Vec<String>),
    /// What a part of the program could not do.
    #[error(transparent)]
    Part(Box<dyn Error + Send + Sync>),
}

/// Why a part of the program could not do something: defined beside that part, with its message. Any command may end
/// with it.
pub trait PartError: Error + Send + Sync + 'static {}

impl PartError for DeskError {}
impl PartError for LotsError {}
impl PartError for MergeError {}
impl PartError for MolterError {}
impl PartError for NameError {}
impl PartError for NoGroups {}
impl PartError for NoNorms {}
impl PartError for NoSense {}
impl PartError for PairingError {}
impl PartError for PictureError {}
impl PartError for PlayerError {}
impl PartError for RequestError {}
impl PartError for RoundError {}
impl PartError for SiteError {}
impl PartError for SitterError {}
impl PartError for TieBreakError {}
impl PartError for UnknownSetting {}
impl PartError for WrongGroup {}
impl PartError for WrongSetting {}

impl<E: PartError> From<E> for CliError {
    fn from(error: E) -> Self {
        Self::Part(Box::new(error))
    }
}

impl From<String> for CliError {
    /// From what cannot be done in an event, in words.
    fn from(words: String) -> Self {
        Self::Event(words)
    }
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
    /// What an error with this file becomes.
    pub fn on(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |error| Self::file(path, error)
    }

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
