//! `event publish`: writes an event as pages that need only a browser, on the web or on a USB stick.

mod games;
pub mod pages;

use crate::{
    exit::{CliError, Exit},
    options::{FolderArgs, WriteArgs},
    ui,
};
use clap::Args;
use games::GamePages;
use overboard_events::{
    site::{Changes, Files, Site},
    store::read,
};
use overboard_formats::foreign::visible;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Write an event as web pages (HTML).
///
/// Writes the starting list, rounds, standings with the reasons for ties, cross table, board prizes and a page for each
/// team and player, all with CSV and JSON. With --games, also a page to step through each game. The pages load nothing
/// from elsewhere and work from a USB stick. Only changed pages are rewritten.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 a record belongs to no game of the event, 2 the event cannot be read, or the folder holds other pages.\n\nExamples:\n  overboard event publish cup site\n  overboard event publish cup site --games round1 round2"
)]
pub struct PublishArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The folder for the pages.
    #[arg(value_name = "DIR")]
    pub to: PathBuf,
    /// Records of games, of any round, or folders of them: each gets a page to step through, and links to it. A game whose record is not
    /// named has no page.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub games: Vec<PathBuf>,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// What publishing an event has written.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Publication")
)]
pub struct Done<'a> {
    /// Whether nothing was written, because of `--dry-run`.
    dry_run: bool,
    /// The number of pages.
    pages: usize,
    /// The files that were written, or would be.
    written: &'a [String],
    /// The files that were removed, or would be.
    removed: &'a [String],
}

pub fn run(args: &PublishArgs) -> Result<Exit, CliError> {
    let published = publish(args)?;
    print_pages(args, &published)?;
    Ok(published.exit)
}

/// An event as pages.
pub struct Published {
    /// The number of pages.
    pub pages: usize,
    /// What has changed, or would.
    pub changes: Changes,
    /// Whether all records belong to games of the event.
    pub exit: Exit,
}

/// Writes the pages.
///
/// # Errors
/// That the event cannot be read, or its pages cannot be written there.
pub fn publish(args: &PublishArgs) -> Result<Published, CliError> {
    let event = read(&args.folder.folder)?;
    is_apart(&args.to, &args.folder.folder)?;
    let mut pages = Files::none()?;
    let (games, exit) = GamePages::of(&event, &args.games, &mut pages)?;
    pages::all(&event, &games, &mut pages)?;
    let site = Site::open(&args.to);
    let changes = site.changes(&pages)?;
    if !args.write.dry_run {
        site.write(&pages, &changes)?;
    }
    Ok(Published {
        pages: pages.count(),
        changes,
        exit,
    })
}

/// Checks that the pages do not come into the folder of the event.
fn is_apart(to: &Path, event: &Path) -> Result<(), CliError> {
    if let (Ok(there), Ok(event)) = (to.canonicalize(), event.canonicalize())
        && there == event
    {
        let folder = to.display();
        return Err(CliError::Event(format!(
            "{folder}: this is the folder of the event itself; its pages need another one, such as {folder}/site"
        )));
    }
    Ok(())
}

fn print_pages(args: &PublishArgs, published: &Published) -> Result<(), CliError> {
    let Published { pages, changes, .. } = published;
    let Changes { written, removed } = changes;
    let dry_run = args.write.dry_run;
    if args.write.json {
        ui::print_json(&Done {
            dry_run,
            pages: *pages,
            written,
            removed,
        })?;
        return Ok(());
    }
    let would = if dry_run { "would be " } else { "" };
    let first = args.to.join("index.html").display().to_string();
    Ok(ui::print_text(&format!(
        "{} of {pages} files {would}written, {} {would}removed; open {}\n",
        written.len(),
        removed.len(),
        visible(&first)
    ))?)
}
