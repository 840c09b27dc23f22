//! Where the result of a game goes when it is over: into its event, and onto the event's pages.

use crate::{
    commands::{
        event::publish::{PublishArgs, publish},
        result::enter_record,
    },
    exit::CliError,
    options::{FolderArgs, WriteArgs},
};
use overboard_desk::{
    keeper::Keeper,
    lines::{FromDesk, Said},
};
use overboard_engines::{
    external::lines::{FaultCode, fault},
    lock,
};
use std::{
    path::{Path, PathBuf},
    sync::Mutex,
};

/// The round of an event whose games are played here.
pub struct Office {
    event: FolderArgs,
    round: u32,
    /// How the event's pages are written, if they are, with the records of this round and of earlier ones.
    pages: Option<PublishArgs>,
    /// Results are entered one after the other.
    turn: Mutex<()>,
}

impl Office {
    /// Enters results in this round.
    pub fn new(event: &Path, round: u32, site: Option<PathBuf>, games: Vec<PathBuf>) -> Self {
        let folder = || FolderArgs {
            folder: event.to_owned(),
        };
        let pages = site.map(|to| PublishArgs {
            folder: folder(),
            to,
            games,
            write: WriteArgs::default(),
        });
        Self {
            event: folder(),
            round,
            pages,
            turn: Mutex::default(),
        }
    }

    /// Enters the result of a game, and says what came of it.
    pub fn answer(&self, keeper: &mut Keeper) -> FromDesk {
        if keeper.state().over.is_none() {
            return refusal("the game is not over".into());
        }
        if let Err(why) = keeper.save() {
            return refusal(format!("the record is not written: {why}"));
        }
        match self.enter(keeper.path()) {
            Ok(words) => FromDesk::Notice(Said {
                words,
                flag: None,
                over: None,
            }),
            Err(why) => refusal(why.to_string()),
        }
    }

    fn enter(&self, record: &Path) -> Result<String, CliError> {
        let _turn = lock(&self.turn);
        let mut words = enter_record(&self.event, self.round, record)?;
        if let Some(pages) = &self.pages {
            words += &write_pages(pages)?;
        }
        Ok(words)
    }
}

/// Writes the pages of an event, and says how many there are.
fn write_pages(args: &PublishArgs) -> Result<String, CliError> {
    let published = publish(args)?;
    let written = published.changes.written.len();
    let pages = published.pages;
    Ok(format!("; {written} of {pages} files of the pages written"))
}

fn refusal(words: String) -> FromDesk {
    FromDesk::Error(fault(FaultCode::NotDone, words).into())
}
