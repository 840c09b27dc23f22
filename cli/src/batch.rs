//! Which games to play: the options that `selfplay`, `match` and `plan` share.

use crate::{
    engines::{self, Entries, EnvironmentArgs},
    exit::{CliError, PartError},
    options::{VariantName, from_one},
    positions::PositionsError,
    sprt::{SprtArgs, SprtError},
    threads, ui,
};
use clap::{ArgGroup, Parser};
use overboard_engines::{
    adjudicate::{DrawWhen, ResignWhen},
    batch::{self, Batch, Done, Keeper, RunError},
    book::{Book, Form},
    external::{pool::EnginePool, program::Program},
    game::Datum,
    journal::Header,
    manifest::{FORMAT, Manifest, ManifestError, Order, PROGRAM, Schedule, Source, laws_of},
    players::{PlayerError, Spec},
    shard::Shard,
    stats::Sprt,
};
use overboard_formats::{foreign::Foreign, io_words::reason};
use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs::File,
    io,
    path::{Path, PathBuf},
};

/// What games are to be played.
#[derive(Parser, Debug)]
#[command(group = ArgGroup::new("amount").args(["pairs", "games"]).required(true))]
pub struct GamesArgs {
    /// The game.
    #[arg(long, value_name = "NAME", default_value = "chess", ignore_case = true)]
    pub variant: VariantName,
    /// Number of boards of StrategiChess.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub boards: u16,
    /// Options of the game, such as `fog:prisoners` or `edition=2025`.
    #[arg(
        long,
        value_name = "LIST",
        default_value = "",
        hide_default_value = true
    )]
    pub rules: String,
    /// Level of Recursive Chess, from 1 to 64 [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub level: Option<u8>,
    /// Who meets whom [default: pairs of two players, a round robin of more].
    #[arg(long, value_name = "NAME")]
    pub schedule: Option<Schedule>,
    /// Pairs of games for each pairing; the two games of a pair share an opening, with colours swapped.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: Option<u64>,
    /// Games for each pairing, with alternating colours.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// The seed; the same seed gives the same games on any machine and with any number of threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Start games from the openings of this file, one opening per round: positions, one per line as FEN or EPD, or
    /// game records.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// In a game whose initial position is drawn by lot: start rounds from these positions, by their numbers such as
    /// `518` or `0-9,518`; `random` is all of them in random order, from the seed [default: random].
    #[arg(long, value_name = "NUMBERS", conflicts_with = "openings")]
    pub start: Option<String>,
    /// What the file of openings holds [default: games if its name ends in .pgn or .npgn, else
    /// positions].
    #[arg(
        long,
        hide_short_help = true,
        value_name = "FORM",
        requires = "openings"
    )]
    pub openings_form: Option<Form>,
    /// Order in which rounds use the openings; none is repeated before all have been used.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "ORDER",
        default_value = "random",
        requires = "openings"
    )]
    pub openings_order: Order,
    /// Begin with opening number N in that order.
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1, requires = "openings", value_parser = clap::value_parser!(u64).range(1..))]
    pub openings_start: u64,
    /// Use at most this many plies of each game in the file [default: all].
    #[arg(long, hide_short_help = true, value_name = "N", requires = "openings")]
    pub openings_plies: Option<u32>,
    /// Start with this many random plies, different in each round, from the initial position or after the opening from
    /// the file [default: 8, and none after an opening].
    #[arg(long, value_name = "N")]
    pub random_plies: Option<u32>,
    /// Stop a game after this many plies and adjudicate it [default: a limit that few games reach].
    #[arg(long, value_name = "N", value_parser = from_one())]
    pub max_plies: Option<u32>,
    /// Adjudicate a draw when both players score the position as level: `move=34 count=8 score=20` means from move 34
    /// on, for 8 moves each, within 20 centipawns.
    #[arg(long, value_name = "SPEC")]
    pub draw_when: Option<DrawWhen>,
    /// Adjudicate a loss when both players score the position as lost for one side: `count=4 score=600` means for 4
    /// moves each, by 600 centipawns. With `sides=one` only the losing player's score counts.
    #[arg(long, value_name = "SPEC")]
    pub resign_when: Option<ResignWhen>,
    /// Save the player's score, depth, nodes and time with every ply; with `time` the ledger is not reproducible byte
    /// for byte [default: nothing in `selfplay`; everything in a run with engines, time only if a player has a clock].
    #[arg(
        long = "annotate",
        hide_short_help = true,
        value_name = "LIST",
        value_delimiter = ','
    )]
    pub tell: Vec<Datum>,
    /// A test that ends the run as soon as it decides.
    #[command(flatten)]
    pub sprt: SprtArgs,
}

/// Why games are not played, or not all of them.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// They cannot be played.
    #[error(transparent)]
    Stopped(#[from] RunError),
    /// The file of openings cannot be used.
    #[error("{0}")]
    Book(String),
    /// A length of openings was given, but they are positions.
    #[error("--openings-plies is only for a file of game records")]
    NoPlies,
    /// The list of starts is invalid.
    #[error("--start: {0}")]
    Start(String),
    /// The ledger can no longer be written.
    #[error(
        "{path}: {why}; {done} of {total} games are in the ledger. When it can be written again, resume with: {go_on}",
        path = path.display(), why = reason(.source)
    )]
    Halted {
        /// The ledger.
        path: PathBuf,
        /// The error.
        source: io::Error,
        /// Games in the ledger.
        done: u64,
        /// Games of the whole run.
        total: u64,
        /// The command that resumes the run.
        go_on: String,
    },
}

impl PartError for BatchError {}

/// Random plies at the beginning of games that start from no book.
const RANDOM_PLIES: u32 = 8;

/// The manifest for the arguments, and the book of its openings. Engines are started to learn their names, with these
/// variables; what is said goes to the file of `dialogue`.
pub fn manifest(
    args: &GamesArgs,
    field: Entries,
    dialogue: Option<&Path>,
    environment: &EnvironmentArgs,
) -> Result<(Manifest, Book), CliError> {
    let Entries { players, engines } = field;
    let named = players.into_iter().map(|name| named(name, &engines));
    let players = named.collect::<Result<Vec<_>, _>>();
    let players = players.map_err(|error| unfit(error.into()))?;
    let usual_schedule = if players.len() > 2 {
        Schedule::RoundRobin
    } else {
        Schedule::Pairs
    };
    let looks = players.iter().any(is_timed) || engines.iter().any(Program::is_timed);
    let usual_plies = if args.openings.is_none() {
        RANDOM_PLIES
    } else {
        0
    };
    // In a fixed order and each once, whatever the order of the arguments.
    let reports: BTreeSet<_> = match args.tell[..] {
        [] if !engines.is_empty() => usual(looks),
        _ => args.tell.iter().copied().collect(),
    };
    let reports = Vec::from_iter(reports);
    let mut manifest = Manifest {
        format: FORMAT,
        program: PROGRAM.into(),
        laws: Some(laws_of(args.variant.game(), args.boards)),
        variant: variant(args)?,
        boards: args.boards,
        rules: args.rules.clone(),
        schedule: args.schedule.unwrap_or(usual_schedule),
        rounds: args.pairs.or(args.games).unwrap_or(1),
        games_per_unit: if args.pairs.is_some() { 2 } else { 1 },
        seed: args.seed,
        openings: Source::RandomPlies(args.random_plies.unwrap_or(usual_plies)),
        max_plies: args.max_plies.unwrap_or(u32::MAX),
        timed: looks || reports.contains(&Datum::Time),
        reports,
        sprt: test(&args.sprt, &players)?,
        players,
        engines,
        draw_when: args.draw_when,
        resign_when: args.resign_when,
    };
    if args.max_plies.is_none() {
        manifest.max_plies = manifest.long_game().map_err(unfit)?;
    }
    // Errors in the other arguments are reported before those of a book.
    manifest.check().map_err(unfit)?;
    let book = match &args.openings {
        Some(path) => source(args, path, &mut manifest)?,
        None => drawn(args, &mut manifest)?,
    };
    engines::identify(&mut manifest, &book, dialogue, environment)?;
    batch::check(&manifest, &book).map_err(|why| refused(&manifest, None, why))?;
    Ok((manifest, book))
}

fn unfit(why: ManifestError) -> BatchError {
    RunError::from(why).into()
}

/// Whether a built-in player has a limit of time.
fn is_timed(name: &Foreign) -> bool {
    match name.as_it_came().parse::<Spec>() {
        Ok(spec) => spec.is_timed(),
        Err(_) => false,
    }
}

/// A player by name, as in a manifest.
fn named(name: Foreign, engines: &[Program]) -> Result<Foreign, PlayerError> {
    if engines.iter().any(|engine| engine.name == name) {
        return Ok(name);
    }
    name.as_it_came()
        .parse()
        .map(|spec: Spec| spec.to_string().into())
}

/// What a run with engines records of every ply, by default.
fn usual(is_timed: bool) -> BTreeSet<Datum> {
    let mut usual = BTreeSet::from([Datum::Score, Datum::Depth, Datum::Nodes]);
    if is_timed {
        usual.insert(Datum::Time);
    }
    usual
}

/// The test requested, which needs two players.
fn test(args: &SprtArgs, players: &[Foreign]) -> Result<Option<Sprt>, SprtError> {
    match (args.test()?, players) {
        (Some(_), [alone]) => Err(SprtError::Alone(alone.clone())),
        (test, _) => Ok(test),
    }
}

/// The name of the game, followed by the level in Recursive Chess.
fn variant(args: &GamesArgs) -> Result<String, CliError> {
    let game = args.variant.game();
    match (game.info().has_levels, args.variant.level(args.level)?) {
        (true, level) => Ok(format!("{} {}", game.name(), level.unwrap_or(1))),
        (false, Some(_)) => Err(PositionsError::NoLevel(game.name()).into()),
        (false, None) => Ok(game.name().into()),
    }
}

/// Reads the book, and makes the manifest use it.
fn source(args: &GamesArgs, path: &Path, manifest: &mut Manifest) -> Result<Book, CliError> {
    let end = path.extension().and_then(OsStr::to_str);
    let form = match (args.openings_form, end) {
        (Some(form), _) => form,
        (None, Some("pgn" | "npgn")) => Form::Games,
        (None, _) => Form::Positions,
    };
    if form == Form::Positions && args.openings_plies.is_some() {
        return Err(BatchError::NoPlies.into());
    }
    let book = read(path, form, manifest)?;
    if book.count() == 0 {
        return Err(
            BatchError::Book(format!("{}: this file has no openings", path.display())).into(),
        );
    }
    manifest.openings = Source::Positions {
        file: path.display().to_string().into(),
        count: book.count(),
        hash: book.hash().to_owned(),
        form,
        order: args.openings_order,
        start: args.openings_start,
        plies: args.openings_plies,
        random_plies: args.random_plies.unwrap_or(0),
    };
    Ok(book)
}

/// The positions among which lots are drawn, as a book that the manifest then uses; an empty one for a game that has
/// only one initial position.
fn drawn(args: &GamesArgs, manifest: &mut Manifest) -> Result<Book, CliError> {
    let game = args.variant.game();
    let list = match (&args.start, game.info().starts) {
        (None, None) => return Ok(Book::default()),
        (Some(_), None) => {
            let words = format!(
                "{} always starts from the same position; --start is for games whose first position is drawn by lot",
                game.name()
            );
            return Err(BatchError::Start(words).into());
        }
        (list, Some(_)) => list.as_deref().unwrap_or(RANDOM),
    };
    let file = format!("{STARTS}{list}");
    let book = of_starts(&file, manifest)?.unwrap_or_default();
    manifest.openings = Source::Positions {
        file: file.into(),
        count: book.count(),
        hash: book.hash().to_owned(),
        form: Form::Positions,
        order: if list == RANDOM {
            Order::Random
        } else {
            Order::Sequential
        },
        start: 1,
        plies: None,
        random_plies: args.random_plies.unwrap_or(RANDOM_PLIES),
    };
    Ok(book)
}

/// What a manifest has instead of a file name if openings are the positions among which lots are drawn.
const STARTS: &str = "start:";
/// All of them, in random order.
const RANDOM: &str = "random";

/// The positions that a manifest names in this way; `None` if it names a file.
fn of_starts(file: &str, manifest: &Manifest) -> Result<Option<Book>, CliError> {
    let game = manifest.game().map_err(unfit)?;
    let (Some(list), Some(starts)) = (file.strip_prefix(STARTS), game.info().starts) else {
        return Ok(None);
    };
    let ranges = if list == RANDOM {
        vec![(0, starts.count - 1)]
    } else {
        numbers(list, starts.count)?
    };
    let mut text = String::new();
    for (first, last) in ranges {
        for number in first..=last {
            text += &(starts.fen)(number);
            text.push('\n');
        }
    }
    let book = Book::read(text.as_bytes(), Form::Positions, manifest);
    Ok(Some(book.map_err(|why| said(&why.of_file(&file.into())))?))
}

/// Parses `0-9,518` to first and last numbers.
fn numbers(list: &str, count: u32) -> Result<Vec<(u32, u32)>, BatchError> {
    let most = count - 1;
    let mut ranges = Vec::new();
    for item in list.split(',') {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if first <= last && last <= most => ranges.push((first, last)),
            _ => {
                return Err(BatchError::Start(format!(
                    "expected a number from 0 to {most}, a range such as `0-9`, or `{RANDOM}`, found `{}`",
                    overboard_formats::foreign::visible(item)
                )));
            }
        }
    }
    Ok(ranges)
}

fn read(path: &Path, form: Form, manifest: &Manifest) -> Result<Book, CliError> {
    let file = File::open(path).map_err(CliError::on(path))?;
    let name = path.display().to_string().into();
    let book = Book::read(file, form, manifest).map_err(|why| said(&why.of_file(&name)))?;
    if let Some(left_out) = book.left_out() {
        ui::note(&left_out.lines(Some(&name)));
    }
    Ok(book)
}

/// What is wrong with a book, as an error; all lines but the last are printed at once.
fn said(lines: &str) -> BatchError {
    let (first, last) = lines.rsplit_once('\n').unwrap_or(("", lines));
    for line in first.lines() {
        ui::complain(&BatchError::Book(line.to_owned()));
    }
    BatchError::Book(last.to_owned())
}

/// The book of a run, read from the file in its manifest or from `elsewhere`; an empty one if the run has none.
pub fn book(manifest: &Manifest, elsewhere: Option<&Path>) -> Result<Book, CliError> {
    let Source::Positions { file, form, .. } = &manifest.openings else {
        return Ok(Book::default());
    };
    if elsewhere.is_none()
        && let Some(book) = of_starts(file.as_it_came(), manifest)?
    {
        return Ok(book);
    }
    read(
        elsewhere.unwrap_or(Path::new(file.as_it_came())),
        *form,
        manifest,
    )
}

/// Why games cannot be played, with the name of the book if that is the reason.
pub fn refused(manifest: &Manifest, elsewhere: Option<&Path>, why: RunError) -> BatchError {
    match (&manifest.openings, why) {
        (Source::Positions { file, .. }, RunError::Openings(why)) => {
            let elsewhere = elsewhere.map(|path| path.display().to_string().into());
            said(&why.of_file(elsewhere.as_ref().unwrap_or(file)))
        }
        (_, why) => why.into(),
    }
}

/// Keeps the line of the only game.
#[derive(Default)]
struct One(Vec<u8>);

impl Keeper for One {
    fn take(&mut self, games: &[Done]) -> io::Result<bool> {
        for done in games {
            self.0.clone_from(&done.line);
        }
        Ok(true)
    }
}

/// Plays the only game of a run; returns its line in a ledger.
pub fn one_game(
    manifest: &Manifest,
    book: &Book,
    engines: Option<&EnginePool>,
) -> Result<Vec<u8>, CliError> {
    let mut one = One::default();
    let batch = Batch {
        header: &Header::of(manifest, Shard::WHOLE),
        book,
        pool: &threads::pool(Some(1))?,
        engines,
    };
    batch
        .run(0, Default::default(), &mut one)
        .map_err(BatchError::from)?;
    Ok(one.0)
}
