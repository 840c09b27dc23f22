//! `event publish`: an event as pages that need nothing but a browser, on the web or from a memory stick.

mod pages;

use crate::{
    exit::{Exit, Failure},
    options::{FolderArgs, WriteArgs},
    ui,
};
use clap::Args;
use overboard_events::{store::read, whole};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write,
    path::{Path, PathBuf},
};

/// Write an event as web pages (site, HTML).
///
/// Start list, rounds, standings and why they are so, cross table, board prizes, a page for each team and player; each with CSV and
/// JSON beside it. The pages need nothing from elsewhere, and work from a memory stick. Only pages that have changed are written again.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the event cannot be read, or the folder holds pages that were not made by this command.\n\nExample:\n  overboard event publish cup site"
)]
pub struct PublishArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The folder for the pages.
    #[arg(value_name = "DIR")]
    pub to: PathBuf,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// What the folder holds of ours, a name a line, so that a page that is not there any more goes.
const LIST: &str = "pages.txt";

#[derive(Serialize)]
struct Done<'a> {
    dry_run: bool,
    pages: usize,
    written: Vec<&'a str>,
    removed: Vec<&'a str>,
}

pub fn run(args: &PublishArgs) -> Result<Exit, Failure> {
    let event = read(&args.folder.folder)?;
    let mut pages = pages::all(&event)?;
    let names: Vec<&str> = pages.keys().map(String::as_str).collect();
    let list = names.join("\n") + "\n";
    let known = known(&args.to)?;
    pages.insert(LIST.into(), list);
    let removed: Vec<&str> =
        known.iter().map(String::as_str).filter(|name| !pages.contains_key(*name)).collect();
    // A page that says the same stays as it is, so that only what has changed is sent anywhere.
    let is_other = |(name, text): &(&String, &String)| {
        fs::read(args.to.join(name)).map_or(true, |bytes| bytes != text.as_bytes())
    };
    let written: Vec<&str> = pages.iter().filter(is_other).map(|(name, _)| name.as_str()).collect();
    if !args.write.dry_run {
        fs::create_dir_all(&args.to).map_err(|error| Failure::file(&args.to, error))?;
        for name in &written {
            let path = args.to.join(name);
            let text = &pages[*name];
            whole::replace(&path, |file| file.write_all(text.as_bytes()))
                .map_err(|error| Failure::file(&path, error))?;
        }
        for name in &removed {
            let path = args.to.join(name);
            if path.is_file() {
                fs::remove_file(&path).map_err(|error| Failure::file(&path, error))?;
            }
        }
    }
    tell(args, &pages, written, removed)
}

fn tell(
    args: &PublishArgs,
    pages: &BTreeMap<String, String>,
    written: Vec<&str>,
    removed: Vec<&str>,
) -> Result<Exit, Failure> {
    let mut out = ui::stdout();
    let dry_run = args.write.dry_run;
    if args.write.json {
        ui::json(&mut out, &Done { dry_run, pages: pages.len(), written, removed })?;
    } else {
        let would = if dry_run { "would be " } else { "" };
        let first = args.to.join("index.html").display().to_string();
        writeln!(
            out,
            "{} files, {} {would}written, {} {would}removed: {}",
            pages.len(),
            written.len(),
            removed.len(),
            overboard_pictures::foreign::visible(&first)
        )?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}

/// The files that an earlier run has written. A folder with pages from elsewhere is refused.
fn known(folder: &Path) -> Result<BTreeSet<String>, Failure> {
    let is_name = |name: &&str| {
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
        !name.is_empty() && !name.starts_with('.') && name.bytes().all(letter)
    };
    match fs::read_to_string(folder.join(LIST)) {
        Ok(list) => Ok(list.lines().filter(is_name).map(str::to_owned).collect()),
        Err(_) if folder.join("index.html").exists() => Err(Failure::Event(format!(
            "{}: there is an index.html here that `event publish` has not made; name another folder",
            folder.display()
        ))),
        Err(_) => Ok(BTreeSet::new()),
    }
}
