//! The pictures of a game, one per moment, in a folder of their own.

use crate::{
    commands::show::short_of_end,
    exit::{CliError, Exit, PartError},
    games::{is_dash, is_stream},
    input_copies::copy_of,
    interrupt,
    moments::{self, Moment},
    picture, threads, ui,
};
use indicatif::ProgressBar;
use overboard_engines::batch::Wish;
use overboard_events::{
    atomic_files::folder_of,
    draft_folder::{self, DraftFolder},
};
use overboard_formats::foreign::visible;
use overboard_referee::Options;
use overboard_rules::refusal::counted;
use rayon::{ThreadPool, prelude::*};
use std::{
    env,
    fs::{self, File},
    io::{self, Read, Seek, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// The default limit of pictures: a folder of thousands is seldom meant.
pub const MOST: u64 = 1_000;
/// Pixels that are drawn at a time, on all threads together; each takes eight bytes until it is written.
const PIXELS_AT_ONCE: u64 = 16_000_000;
/// The suffix of a folder of pictures while it is filled.
const OF_PICTURES: &str = ".pictures";
/// The most characters of a moment in a file name: names have at most 255 bytes, and moments of deep games have more.
const LETTERS: usize = 120;

/// What to draw, and where to.
#[derive(Debug)]
pub struct Wanted<'a> {
    /// The file with the game; `-` is standard input.
    pub file: &'a Path,
    /// Its number in the file.
    pub game: u64,
    /// The folder for the pictures, which is empty or does not exist yet.
    pub folder: &'a Path,
    /// The most pictures.
    pub most: u64,
    /// Whether to draw from Black's side.
    pub flip: bool,
    /// Pixels of a square, if given.
    pub square: Option<u16>,
    /// Whether letters are drawn instead of figures.
    pub letters: bool,
}

impl<'a> Wanted<'a> {
    /// The pictures of a game as they are drawn unless something else is asked for.
    pub const fn of(file: &'a Path, game: u64, folder: &'a Path) -> Self {
        Self {
            file,
            game,
            folder,
            most: MOST,
            flip: false,
            square: None,
            letters: false,
        }
    }
}

/// Why there are no pictures.
#[derive(Debug, thiserror::Error)]
pub enum SequenceError {
    /// The folder is not empty.
    #[error("{path}: not an empty folder; --png-sequence needs a new or an empty one", path = .0.display())]
    Taken(PathBuf),
    /// There are more moments than the limit.
    #[error(
        "this game has {count} moments, more than the limit of {most} pictures; --max-pictures {count} makes them all"
    )]
    TooMany {
        /// The number of moments.
        count: u64,
        /// The limit.
        most: u64,
    },
}

impl PartError for SequenceError {}

/// Makes all pictures, or none.
pub fn write(wanted: &Wanted<'_>, options: Options) -> Result<Exit, CliError> {
    let folder = wanted.folder;
    if !is_free(folder) {
        return Err(SequenceError::Taken(folder.to_owned()).into());
    }
    draft_folder::sweep(folder, OF_PICTURES);
    let is_read_once = is_dash(wanted.file) || (is_stream(wanted.file) && wanted.file.exists());
    let copy = if is_read_once {
        Some(copy_of(wanted.file)?)
    } else {
        None
    };
    let file = copy.as_ref().map_or(wanted.file, NamedTempFile::path);
    let count = moments::count(file, wanted.game, options.clone())?;
    if count > wanted.most {
        return Err(SequenceError::TooMany {
            count,
            most: wanted.most,
        }
        .into());
    }
    interrupt::listen();
    let mut shoot = Shoot {
        folder,
        album: album(folder)?,
        kept: Vec::new(),
        digits: count.to_string().len(),
        made: 0,
        smaller: None,
        waiting: Vec::new(),
        pixels: 0,
        pool: threads::pool(None)?,
        bar: ui::pictures_bar(count),
    };
    let report = moments::follow(file, wanted.game, options, &mut |moment| {
        shoot.take(moment, wanted)
    })?;
    shoot.draw()?;
    let Shoot {
        made,
        smaller,
        bar,
        album,
        kept,
        ..
    } = shoot;
    bar.finish_and_clear();
    let Some(report) = report else {
        ui::warn("stopped; no picture was kept");
        let command = interrupt::command_line(env::args_os());
        ui::print_text(&format!("to resume: {command}\n"))?;
        return Ok(Exit::Findings);
    };
    put(album, &kept, folder)?;
    if let Some(why) = &smaller {
        ui::note(why);
    }
    let pictures = counted(made, "picture");
    let folder = folder.display().to_string();
    ui::print_text(&format!("{pictures} in {}\n", visible(&folder)))?;
    Ok(ui::warn_of_lack(short_of_end(&report).as_deref()))
}

/// Whether nothing would be lost if this became a new folder.
fn is_free(folder: &Path) -> bool {
    match fs::symlink_metadata(folder) {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(there) => {
            there.is_dir() && fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
        }
    }
}

/// A file without a name, next to the folder, where pictures wait until all are made. A folder always has a name, so
/// one that is filled picture by picture would be left half full if its writer were killed.
fn album(folder: &Path) -> Result<File, CliError> {
    let beside = folder_of(folder);
    tempfile::tempfile_in(beside)
        .map_err(|error| CliError::file(beside, io::Error::from(error.kind())))
}

/// Puts the pictures of an album into the folder, by a draft that then gets its name.
fn put(mut album: File, kept: &[(String, u64)], folder: &Path) -> Result<(), CliError> {
    let fail = CliError::on(folder);
    album.rewind().map_err(fail)?;
    let draft = DraftFolder::beside(folder, OF_PICTURES).map_err(fail)?;
    for (name, bytes) in kept {
        let mut picture = File::create_new(draft.path().join(name)).map_err(fail)?;
        io::copy(&mut (&album).take(*bytes), &mut picture).map_err(fail)?;
    }
    draft.become_folder(folder).map_err(fail)
}

/// Makes pictures, some at a time.
struct Shoot<'a> {
    folder: &'a Path,
    album: File,
    /// The pictures in the album, with their sizes in bytes.
    kept: Vec<(String, u64)>,
    /// Digits of their numbers.
    digits: usize,
    made: u64,
    /// Why the first of those that are smaller than usual is smaller.
    smaller: Option<String>,
    /// Drawings to be converted to pictures, with their names.
    waiting: Vec<(String, String)>,
    pixels: u64,
    pool: ThreadPool,
    bar: ProgressBar,
}

impl Shoot<'_> {
    fn take(&mut self, moment: Moment, wanted: &Wanted<'_>) -> Result<ControlFlow<()>, CliError> {
        if !moment.is_own() {
            return Ok(ControlFlow::Continue(()));
        }
        let Moment {
            at, mut diagram, ..
        } = moment;
        if wanted.flip {
            diagram.flip();
        }
        let drawn = picture::draw(&diagram, wanted.square, wanted.letters);
        self.smaller = self
            .smaller
            .take()
            .or_else(|| picture::made_smaller(&drawn));
        self.made += 1;
        let name = format!(
            "{:0digits$}-{}.png",
            self.made,
            short(&at),
            digits = self.digits
        );
        let pixels = u64::from(drawn.size.0) * u64::from(drawn.size.1);
        if self.pixels + pixels > PIXELS_AT_ONCE
            || self.waiting.len() >= 4 * self.pool.current_num_threads()
        {
            self.draw()?;
        }
        self.pixels += pixels;
        self.waiting.push((name, drawn.svg));
        Ok(if interrupt::wish() == Wish::GoOn {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        })
    }

    /// Writes the waiting pictures.
    fn draw(&mut self) -> Result<(), CliError> {
        let folder = self.folder;
        let waiting = std::mem::take(&mut self.waiting);
        let one = |(_, svg): &(String, String)| picture::png(svg);
        let drawn = self
            .pool
            .install(|| waiting.par_iter().map(one).collect::<Result<Vec<_>, _>>())?;
        self.bar.inc(waiting.len() as u64);
        for ((name, _), png) in waiting.into_iter().zip(drawn) {
            self.album.write_all(&png).map_err(CliError::on(folder))?;
            self.kept.push((name, png.len() as u64));
        }
        self.pixels = 0;
        Ok(())
    }
}

/// A moment in a form for file names; of a long one, the beginning and the end.
fn short(at: &str) -> String {
    match at.len().checked_sub(LETTERS) {
        None | Some(0) => at.to_owned(),
        Some(_) => format!("{}__{}", &at[..LETTERS / 2], &at[at.len() - LETTERS / 2..]),
    }
}
