//! The key of a record, from which the tokens of all links follow: so a link goes on after a pause or a crash.

use super::Guest;
use overboard_events::{
    atomic_files::{self, FileError},
    store::Sum,
};
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// A secret, and where the hall was the last time.
#[derive(Clone, Serialize, Deserialize)]
pub struct Key {
    /// 256 random bits in hexadecimal digits.
    secret: String,
    /// The port.
    #[serde(default)]
    port: u16,
    #[serde(skip)]
    path: PathBuf,
}

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is none.
    #[error("{path}: this is no key of a desk; without the file there will be new links", path = .0.display())]
    NoKey(PathBuf),
    /// The system has no random bits.
    #[error("the system gives no random numbers, so there can be no safe links: {0}")]
    Chance(getrandom::Error),
}

/// Hexadecimal digits of a secret.
const DIGITS: usize = 64;

impl Key {
    /// The key of a record, which lies beside it; a new one if there is none yet.
    ///
    /// # Errors
    /// See [`KeyError`].
    pub fn beside(record: &Path) -> Result<Self, KeyError> {
        let path = record.with_added_extension("desk.key");
        match fs::read(&path) {
            Ok(bytes) => match serde_json::from_slice::<Self>(&bytes) {
                Ok(key) if key.secret.len() == DIGITS => Ok(Self { path, ..key }),
                _ => Err(KeyError::NoKey(path)),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let mut bits = [0; DIGITS / 2];
                getrandom::fill(&mut bits).map_err(KeyError::Chance)?;
                Ok(Self {
                    secret: bits.map(|byte| format!("{byte:02x}")).concat(),
                    port: 0,
                    path,
                })
            }
            Err(error) => Err(FileError::of(&path, error).into()),
        }
    }

    /// The port of the last time; 0 if there was none.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Keeps the key, for a hall at this port. Only the owner of the file can read it.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn keep(&mut self, port: u16) -> Result<(), KeyError> {
        self.port = port;
        let text = serde_json::to_vec(self).unwrap_or_default();
        let fail = FileError::on(&self.path);
        atomic_files::replace(&self.path, |file| file.write_all(&text)).map_err(fail)?;
        atomic_files::for_its_owner(&self.path).map_err(fail)?;
        Ok(())
    }

    /// The token of somebody: 128 bits.
    pub(super) fn token(&self, guest: &Guest) -> String {
        let (kind, name) = match guest {
            Guest::Arbiter => ("arbiter", ""),
            Guest::Spectator => ("spectator", ""),
            Guest::Player { name, .. } => ("player", &**name),
        };
        Sum::of(format!("{}\n{kind}\n{name}", self.secret).as_bytes()).to_string()
    }
}
