//! Which games to play: the options that `selfplay`, `match` and `plan` share.

use crate::{
    engines::{self, Field},
    exit::Failure,
    options::VariantName,
    positions::PositionsError,
    sprt::{SprtArgs, SprtError},
    ui,
};
use clap::{Args, ValueEnum};
use overboard_engines::{
    adjudicate::{DrawWhen, ResignWhen},
    batch::{self, Stopped},
    book::{Book, Form},
    external::program::Program,
    game::Datum,
    manifest::{FORMAT, Manifest, NoSense, Order, PROGRAM, Schedule, Source, laws_of},
    players::{NoPlayer, Spec},
    stats::Sprt,
};
use std::{
    collections::BTreeSet,
    fs::File,
    io,
    path::{Path, PathBuf},
};

/// What games are to be played.
#[derive(Args, Debug)]
pub struct GamesArgs {
    /// The game.
    #[arg(long, value_name = "NAME", default_value = "chess", ignore_case = true)]
    pub variant: VariantName,
    /// With --variant strategichess: so many boards side by side.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub boards: u16,
    /// Rules agreed, written as in the tag Rules, such as `edition=2025` or `fog`.
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// Level of Recursive Chess, from 1 to 64 [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub level: Option<u8>,
    /// Who meets whom [default: pairs of two players, a round robin of more].
    #[arg(long, value_name = "NAME")]
    pub schedule: Option<ScheduleName>,
    /// Play so many pairs of games for each pairing, with colours swapped and one opening a pair.
    #[arg(long, value_name = "N", conflicts_with = "games", required_unless_present = "games", value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: Option<u64>,
    /// Play so many games for each pairing, colours in turn.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// The base seed: the same one gives the same games on any machine and any number of threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Start from the openings of this file, a round from each: positions, one a line as FEN or EPD, or records of games.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// In a game that begins with a drawing of lots: start from these positions, a round from each, by their numbers such
    /// as `518` or `0-9,518`; `random` is all of them in an order by chance, from the seed [default: random].
    #[arg(long, value_name = "NUMBERS", conflicts_with = "openings")]
    pub start: Option<String>,
    /// What the file of openings holds [default: games where its name ends in .pgn or .npgn, else positions].
    #[arg(long, value_name = "FORM", requires = "openings")]
    pub openings_form: Option<FormName>,
    /// In which order the rounds take the openings; either way all of them come before one comes again.
    #[arg(long, value_name = "ORDER", default_value = "random", requires = "openings")]
    pub openings_order: OrderName,
    /// Begin with the opening that is number N in that order.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "openings", value_parser = clap::value_parser!(u64).range(1..))]
    pub openings_start: u64,
    /// Take no more than so many plies of each game of the file [default: all].
    #[arg(long, value_name = "N", requires = "openings")]
    pub openings_plies: Option<u32>,
    /// Start with so many random plies, other ones each round, from the game's first position or after the opening
    /// of the file [default: 8, and none after an opening].
    #[arg(long, value_name = "N")]
    pub random_plies: Option<u32>,
    /// Stop a game after so many plies, and adjudicate it [default: more than nearly all such games have].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_plies: Option<u32>,
    /// End a game as a draw once both players have found it level, such as `move=34 count=8 score=20`: from move 34 on,
    /// for 8 moves each, within 20 hundredths of a pawn.
    #[arg(long, value_name = "WORDS")]
    pub draw_when: Option<DrawWhen>,
    /// End a game as lost once both players have found it so, such as `count=4 score=600`: for 4 moves each, by 600
    /// hundredths of a pawn. With `sides=one` only the one who loses has to.
    #[arg(long, value_name = "WORDS")]
    pub resign_when: Option<ResignWhen>,
    /// Keep for every ply what its player thought: how good it found the position, how deep it looked, at how many
    /// positions, and how long that took; with `time` the games do not come out the same again [default: nothing in `selfplay`; in a run with engines all of it, time only where somebody has a clock].
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub tell: Vec<Tell>,
    /// A test that ends the run as soon as it decides.
    #[command(flatten)]
    pub sprt: SprtArgs,
}

/// What is kept of every ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Tell {
    /// How good the player found the position, in hundredths of a pawn.
    Score,
    /// How many plies ahead it looked.
    Depth,
    /// How many positions it looked at.
    Nodes,
    /// How long it took, in seconds.
    Time,
}

impl From<Tell> for Datum {
    fn from(tell: Tell) -> Self {
        match tell {
            Tell::Score => Self::Score,
            Tell::Depth => Self::Depth,
            Tell::Nodes => Self::Nodes,
            Tell::Time => Self::Time,
        }
    }
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ScheduleName {
    /// Two players against each other, or one against itself.
    Pairs,
    /// Each player against each other player.
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
}

/// What a file of openings holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FormName {
    /// A position a line, as FEN or as EPD with its operations.
    Positions,
    /// Records: their main lines.
    Games,
}

/// In which order openings are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OrderName {
    /// By chance, from the seed.
    Random,
    /// As they stand in the file.
    Sequential,
}

/// Why games are not played, or not to their end.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// They cannot be played.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A file of openings that cannot be used.
    #[error("{0}")]
    Book(String),
    /// A length asked of openings that are positions.
    #[error("--openings-plies is of games, and a position has none")]
    NoPlies,
    /// A list of starts that is none.
    #[error("--start: {0}")]
    Start(String),
    /// A ledger can no longer be written.
    #[error(
        "{path}: {source}; {done} of {total} games are in the ledger. When it can be written again, the same \
         command goes on from there: {go_on}",
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
        /// The command that goes on.
        go_on: String,
    },
}

/// Random plies at the beginning of games that start from no book.
const RANDOM_PLIES: u32 = 8;

/// What was asked for, as a manifest, and the book that it starts from.
pub fn manifest(args: &GamesArgs, field: Field) -> Result<(Manifest, Book), Failure> {
    let Field { players, engines } = field;
    let players = players.into_iter().map(|name| named(name, &engines)).collect::<Result<Vec<_>, _>>();
    let players = players.map_err(|error| BatchError::from(Stopped::from(NoSense::from(error))))?;
    let is_timed = |name: &String| name.parse().is_ok_and(|spec: Spec| spec.is_timed());
    let looks = players.iter().any(is_timed) || engines.iter().any(Program::is_timed);
    // In one order and each once, however they were asked for.
    let tells: BTreeSet<_> = match args.tell[..] {
        [] if !engines.is_empty() => usual(looks).into_iter().collect(),
        _ => args.tell.iter().map(|tell| Datum::from(*tell)).collect(),
    };
    let tells: Vec<_> = tells.into_iter().collect();
    let mut manifest = Manifest {
        format: FORMAT,
        program: PROGRAM.into(),
        laws: Some(laws_of(args.variant.game(), args.boards)),
        variant: variant(args)?,
        boards: args.boards,
        rules: args.rules.clone(),
        schedule: schedule(args, &players),
        rounds: args.pairs.or(args.games).unwrap_or(1),
        games_per_unit: if args.pairs.is_some() { 2 } else { 1 },
        seed: args.seed,
        openings: Source::RandomPlies(args.random_plies.unwrap_or(RANDOM_PLIES)),
        max_plies: args.max_plies.unwrap_or(u32::MAX),
        timed: looks || tells.contains(&Datum::Time),
        tells,
        sprt: test(&args.sprt, &players)?,
        players,
        engines,
        draw_when: args.draw_when,
        resign_when: args.resign_when,
    };
    if args.max_plies.is_none() {
        manifest.max_plies = manifest.long_game().map_err(|why| BatchError::from(Stopped::from(why)))?;
    }
    // What is wrong with the rest is said before what is wrong with a book.
    manifest.check().map_err(|why| BatchError::from(Stopped::from(why)))?;
    let book = match &args.openings {
        Some(path) => source(args, path, &mut manifest)?,
        None => drawn(args, &mut manifest)?,
    };
    engines::identify(&mut manifest)?;
    batch::check(&manifest, &book).map_err(|why| refused(&manifest, None, why))?;
    Ok((manifest, book))
}

/// A player by the name that he has in a manifest.
fn named(name: String, engines: &[Program]) -> Result<String, NoPlayer> {
    if engines.iter().any(|engine| engine.name == name) {
        return Ok(name);
    }
    name.parse().map(|spec: Spec| spec.to_string())
}

/// What a run with engines records of every ply, unless somebody says otherwise.
fn usual(is_timed: bool) -> Vec<Datum> {
    let time = is_timed.then_some(Datum::Time);
    [Datum::Score, Datum::Depth, Datum::Nodes].into_iter().chain(time).collect()
}

/// The test asked for, which needs somebody to be better than.
fn test(args: &SprtArgs, players: &[String]) -> Result<Option<Sprt>, SprtError> {
    match (args.test()?, players) {
        (Some(_), [alone]) => Err(SprtError::Alone(alone.clone())),
        (test, _) => Ok(test),
    }
}

/// The name of the game; the level of Recursive Chess stands behind it.
fn variant(args: &GamesArgs) -> Result<String, PositionsError> {
    let game = args.variant.game();
    match (game.info().has_levels, args.level) {
        (true, level) => Ok(format!("{} {}", game.name(), level.unwrap_or(1))),
        (false, Some(_)) => Err(PositionsError::NoLevel(game.name())),
        (false, None) => Ok(game.name().into()),
    }
}

/// Reads the book asked for and has the openings of a manifest come from it.
fn source(args: &GamesArgs, path: &Path, manifest: &mut Manifest) -> Result<Book, Failure> {
    let form = match args.openings_form {
        Some(FormName::Games) => Form::Games,
        Some(FormName::Positions) => Form::Positions,
        None if path.extension().is_some_and(|end| end == "pgn" || end == "npgn") => Form::Games,
        None => Form::Positions,
    };
    if form == Form::Positions && args.openings_plies.is_some() {
        return Err(BatchError::NoPlies.into());
    }
    let book = read(path, form, manifest)?;
    if book.count() == 0 {
        return Err(BatchError::Book(format!("{}: there is no opening in this file", path.display())).into());
    }
    manifest.openings = Source::Positions {
        file: path.display().to_string(),
        count: book.count(),
        hash: book.hash().to_owned(),
        form,
        order: match args.openings_order {
            OrderName::Random => Order::Random,
            OrderName::Sequential => Order::Sequential,
        },
        start: args.openings_start,
        plies: args.openings_plies,
        random_plies: args.random_plies.unwrap_or(0),
    };
    Ok(book)
}

/// The positions that lots are drawn among, as a book, and has the openings of a manifest come from it; an empty one in a
/// game that has one first position.
fn drawn(args: &GamesArgs, manifest: &mut Manifest) -> Result<Book, Failure> {
    let game = args.variant.game();
    let list = match (&args.start, game.info().starts) {
        (None, None) => return Ok(Book::default()),
        (Some(_), None) => {
            let words = format!("{} has one first position, and lots are not drawn for it", game.name());
            return Err(BatchError::Start(words).into());
        }
        (list, Some(_)) => list.as_deref().unwrap_or(RANDOM),
    };
    let file = format!("{STARTS}{list}");
    let book = of_starts(&file, manifest)?.unwrap_or_default();
    manifest.openings = Source::Positions {
        file,
        count: book.count(),
        hash: book.hash().to_owned(),
        form: Form::Positions,
        order: if list == RANDOM { Order::Random } else { Order::Sequential },
        start: 1,
        plies: None,
        random_plies: args.random_plies.unwrap_or(RANDOM_PLIES),
    };
    Ok(book)
}

/// What a manifest names in place of a file where openings are the positions that lots are drawn among.
const STARTS: &str = "start:";
/// All of them, by chance.
const RANDOM: &str = "random";

/// The positions that a manifest names so; `None` where it names a file.
fn of_starts(file: &str, manifest: &Manifest) -> Result<Option<Book>, Failure> {
    let game = manifest.game().map_err(|why| BatchError::from(Stopped::from(why)))?;
    let Some((list, starts)) = file.strip_prefix(STARTS).zip(game.info().starts) else { return Ok(None) };
    let all = [(0, starts.count - 1)];
    let ranges = if list == RANDOM { all.to_vec() } else { numbers(list, starts.count)? };
    let numbers = ranges.into_iter().flat_map(|(first, last)| first..=last);
    let text: String = numbers.map(|number| (starts.fen)(number) + "\n").collect();
    let book = Book::read(text.as_bytes(), Form::Positions, manifest);
    Ok(Some(book.map_err(|why| said(&why.of_file(file)))?))
}

/// `0-9,518` as first and last numbers.
fn numbers(list: &str, count: u32) -> Result<Vec<(u32, u32)>, BatchError> {
    let number = |text: &str| text.parse().ok().filter(|number| *number < count);
    let range = |item: &str| {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let range = number(first).zip(number(last)).filter(|(first, last)| first <= last);
        range.ok_or_else(|| {
            let most = count - 1;
            BatchError::Start(format!(
                "`{}` is no number from 0 to {most}, no range of them such as `0-9`, and not `{RANDOM}`",
                overboard_pictures::foreign::visible(item)
            ))
        })
    };
    list.split(',').map(range).collect()
}

fn read(path: &Path, form: Form, manifest: &Manifest) -> Result<Book, Failure> {
    let file = File::open(path).map_err(|error| Failure::file(path, error))?;
    let book = Book::read(file, form, manifest);
    Ok(book.map_err(|why| said(&why.of_file(&path.display().to_string())))?)
}

/// What is wrong with a book, as an error; all lines but the last are said at once.
fn said(lines: &str) -> BatchError {
    let (first, last) = lines.rsplit_once('\n').unwrap_or(("", lines));
    first.lines().for_each(|line| ui::complain(&BatchError::Book(line.to_owned())));
    BatchError::Book(last.to_owned())
}

/// The book of a run, which lies where its manifest says or at another place; an empty one where it has none.
pub fn book(manifest: &Manifest, elsewhere: Option<&Path>) -> Result<Book, Failure> {
    let Source::Positions { file, form, .. } = &manifest.openings else { return Ok(Book::default()) };
    if elsewhere.is_none()
        && let Some(book) = of_starts(file, manifest)?
    {
        return Ok(book);
    }
    read(elsewhere.unwrap_or(Path::new(file)), *form, manifest)
}

/// Why games cannot be played, with the name of the book where that is why.
pub fn refused(manifest: &Manifest, elsewhere: Option<&Path>, why: Stopped) -> BatchError {
    match (&manifest.openings, why) {
        (Source::Positions { file, .. }, Stopped::Openings(why)) => {
            let elsewhere = elsewhere.map(|path| path.display().to_string());
            said(&why.of_file(elsewhere.as_deref().unwrap_or(file)))
        }
        (_, why) => why.into(),
    }
}

fn schedule(args: &GamesArgs, players: &[String]) -> Schedule {
    match args.schedule {
        Some(ScheduleName::Pairs) => Schedule::Pairs,
        Some(ScheduleName::RoundRobin) => Schedule::RoundRobin,
        Some(ScheduleName::Gauntlet) => Schedule::Gauntlet,
        None if players.len() > 2 => Schedule::RoundRobin,
        None => Schedule::Pairs,
    }
}
