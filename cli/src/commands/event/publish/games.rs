//! The pages of an event's games, to step through.

use crate::{
    commands::{
        event::records,
        view::{self, Empty, page::Name},
    },
    exit::{CliError, Exit},
    input_copies::Sources,
    page::PageParts,
};
use maud::html;
use overboard_events::{Event, results::Clerk, site::Files};
use overboard_referee::report::Report;
use overboard_schedules::ids::RoundNo;
use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

/// A game of an event: its round, its table, and its board if boards are separate games.
type Place = (RoundNo, u32, Option<u32>);

/// The pages of the games that have records.
#[derive(Default)]
pub struct GamePages {
    pages: BTreeSet<Place>,
}

impl GamePages {
    /// Adds the pages for these records to files. A record that belongs to no game of the event is reported, and changes the exit
    /// code.
    pub fn of(
        event: &Event,
        records: &[PathBuf],
        files: &mut Files,
    ) -> Result<(Self, Exit), CliError> {
        let mut pages = BTreeSet::new();
        let sources = Sources::of(records)?;
        let exit = records::each(&sources, records::options(), &Clerk::new(None), |record| {
            let place = match record.account.game_of(event) {
                Ok(place) if pages.contains(&place) => {
                    return Ok(Err("there is another record of this game".into()));
                }
                Ok(place) => place,
                Err(why) => return Ok(Err(why)),
            };
            let Some(page) = page(&record.report, &record.path, place)? else {
                return Ok(Err("it has no position to show".into()));
            };
            files.insert(name(place), &page).map_err(io::Error::other)?;
            pages.insert(place);
            Ok(Ok(()))
        })?;
        Ok((Self { pages }, exit))
    }

    /// The file name of a game's page, if it has one.
    pub fn href(&self, round: RoundNo, table: u32, board: Option<u32>) -> Option<String> {
        let place = (round, table, board);
        self.pages.contains(&place).then(|| name(place))
    }

    /// The page of the game on a board, or of the whole match that it is part of.
    pub fn href_of_board(&self, round: RoundNo, table: u32, board: u32) -> Option<String> {
        self.href(round, table, Some(board))
            .or_else(|| self.href(round, table, None))
    }
}

fn name((round, table, board): Place) -> String {
    let board = board.map_or(String::new(), |board| format!("-{board}"));
    format!("game-{round:02}-{table}{board}.html")
}

/// The page of a game, which is read again; `None` if it has no position.
fn page(report: &Report, path: &Path, (round, ..): Place) -> io::Result<Option<String>> {
    let followed = view::follow_again(report, path, &records::options(), Empty::default())?;
    let back =
        html! { nav.back { a href=(format!("round-{round:02}.html")) { "‹ Round " (round) } } };
    let has_boards = !followed.last.is_empty();
    let name = Name {
        address: "g1",
        file: &view::record_name(path),
    };
    let page = has_boards.then(|| view::page::of(followed, name, "", &back));
    Ok(page.map(PageParts::into_text))
}
