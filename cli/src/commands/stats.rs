//! `stats`: summarise results: scores, Elo, tests, lengths, endings.

use crate::{
    exit::{CliError, Exit, PartError},
    figures::{Figures, LeftOut, View},
    games::{self, Judge},
    ledgers::{self, LedgerError, UnlikeError},
    options::{JobsArgs, LanguageArgs, without_findings},
    plots,
    sprt::{Course, SprtArgs, SprtError},
    threads::{self, ThreadsError},
    ui,
};
use clap::Args;
use overboard_engines::{
    ending::End,
    journal::{Header, Reader, units},
    manifest::{Manifest, Run},
    proof::{Replay, Seen, Stretch},
    stats::{Account, By, Counted, GameHeader, Listener, Sample, SampleError, Wdl},
    tally::Tally,
};
use overboard_events::names::{self, NameError};
use overboard_formats::{foreign::Foreign, limits::Limits, parse::Parser};
use overboard_games::referee::{AnyReferee, witness::Witness};
use overboard_referee::{Options, finding::Verdict, report::Report};
use std::{
    collections::{BTreeMap, HashMap},
    io::{BufRead, BufReader, Read, Write},
    ops::Range,
    path::{Path, PathBuf},
};

/// Summarise results: scores, Elo, tests, lengths, endings.
///
/// Reads games from ledgers and records, or counts from the command line. The two games of a pair with colours swapped
/// count as one unit, since they are not independent. Records in which `check` finds an error are left out.
#[derive(Args, Debug)]
#[command(
    group = clap::ArgGroup::new("games").required(true),
    after_help = "Exit codes: 0 done, 1 records with errors were left out or games of a ledger are missing before others, 2 a file or a record cannot be read.\n\nExamples:\n  overboard stats night.jsonl\n  overboard stats --sprt 0,5 --plot-llr llr.svg night.jsonl\n  overboard stats --csv games.npgn > figures.csv\n  overboard stats --pairs 1,9,81,8,1 --sprt 0,5 --model normalised"
)]
pub struct StatsArgs {
    /// Ledgers, files of records, or folders of them; `-` is standard input.
    #[arg(value_name = "FILE", group = "games")]
    pub files: Vec<PathBuf>,
    /// Wins, draws and losses, instead of files.
    #[arg(long, value_name = "W,D,L", value_delimiter = ',', group = "games", conflicts_with_all = ["files", "pairs", "outcomes"])]
    pub wdl: Option<Vec<u64>>,
    /// Pairs of games by the first player's points in them, 0, ½, 1, 1½ and 2, instead of files.
    #[arg(long, value_name = "N,N,N,N,N", value_delimiter = ',', group = "games", conflicts_with_all = ["files", "outcomes"])]
    pub pairs: Option<Vec<u64>>,
    /// Any outcomes, instead of files: scores from 0 to 1, each with how often it occurred, such as 1:30,0.5:20,0:10.
    #[arg(long, value_name = "SCORE:N,…", value_delimiter = ',', value_parser = outcome, group = "games", conflicts_with = "files")]
    pub outcomes: Option<Vec<(f64, u64)>>,
    /// With --outcomes: games per unit.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "outcomes", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub unit_games: u32,
    #[command(flatten)]
    pub sprt: SprtArgs,
    /// Also break the games down: by opening, by first ply, by ending and winner, by length.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', requires = "files")]
    pub by: Vec<By>,
    /// Count games one by one, even if they are in pairs.
    #[arg(long)]
    pub by_games: bool,
    /// Do not replay the games: no counts of legal plies and of kings.
    #[arg(long)]
    pub no_replay: bool,
    /// Write an SVG of the score and its interval over the games.
    #[arg(long, value_name = "FILE", requires = "files")]
    pub plot_score: Option<PathBuf>,
    /// Write an SVG of the test's log-likelihood ratio and its bounds over the games.
    #[arg(long, value_name = "FILE", requires_all = ["files", "sprt"])]
    pub plot_llr: Option<PathBuf>,
    /// Write an SVG of how long games are.
    #[arg(long, value_name = "FILE", requires = "files")]
    pub plot_lengths: Option<PathBuf>,
    /// Print a JSON object.
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print a CSV table.
    #[arg(long)]
    pub csv: bool,
    #[command(flatten)]
    pub threads: JobsArgs,
    #[command(flatten)]
    pub language: LanguageArgs,
}

/// Parses `0.5:171`: a score and the number of units that have it.
fn outcome(text: &str) -> Result<(f64, u64), String> {
    if let Some((score, count)) = text.split_once(':')
        && let (Ok(score), Ok(count)) = (score.parse(), count.parse())
    {
        return Ok((score, count));
    }
    Err("expected a score and how often it occurred, such as 0.5:171".into())
}

/// Why there are no statistics.
#[derive(Debug, thiserror::Error)]
pub enum StatsError {
    /// The games cannot be counted together.
    #[error("{path}: these are games of {}, those before of {}; run the command once for each game", .other.shown(), .known.shown(), path = path.display())]
    MixedGames {
        /// The file.
        path: PathBuf,
        /// The game of the files before.
        known: Foreign,
        /// The game of this file.
        other: Foreign,
    },
    /// A ledger has games that another one had.
    #[error("{path}: units {units} of this run are also in another of these ledgers; `overboard merge` combines them", path = path.display())]
    CountedTwice {
        /// The ledger.
        path: PathBuf,
        /// The units, as a range.
        units: String,
    },
    /// A list has the wrong length.
    #[error("{0}: expected {1} numbers separated by commas")]
    HowManyNumbers(&'static str, usize),
    /// The counts are not a sample.
    #[error("no statistics of these counts: {0}")]
    Sample(#[from] SampleError),
}

impl PartError for StatsError {}

/// The beginnings of ledgers.
const LEDGERS: [&[u8]; 2] = [b"{\"run\":\"", b"{\"ledger\":"];

pub fn run(args: &StatsArgs) -> Result<Exit, CliError> {
    let sprt = args.sprt.test()?;
    let mut out = ui::stdout();
    if let Some((score, sample)) = counts(args)? {
        print(args, &Figures::of_counts(score, &sample, sprt), &mut out)?;
        return Ok(Exit::Clean);
    }
    let mut census = Census::of(args)?;
    census.read(&args.files)?;
    let account = &census.account;
    if let (Some(_), Some(alone)) = (sprt, account.alone()) {
        return Err(SprtError::Alone(alone.clone()).into());
    }
    let courses = census.courses();
    let view = View {
        sprt,
        by_games: args.by_games,
        courses: &courses,
    };
    plot(args, account, view)?;
    print(
        args,
        &Figures::of(account, census.variant.as_ref(), census.left_out, view),
        &mut out,
    )?;
    Ok(census.exit)
}

fn print(args: &StatsArgs, figures: &Figures<'_>, out: &mut impl Write) -> Result<(), CliError> {
    if args.json {
        ui::json(out, figures)?;
    } else if args.csv {
        warn_of(figures);
        figures
            .csv(out)
            .map_err(|error| CliError::Output(error.into()))?;
    } else {
        write!(out, "{figures}")?;
    }
    Ok(out.flush()?)
}

/// Warns of what the lines of a table have no room for.
fn warn_of(figures: &Figures<'_>) {
    if let Some(caution) = &figures.caution {
        ui::warn(caution);
    }
    for reason in &figures.left_out.reasons {
        ui::warn(&format!("left out: {reason}"));
    }
}

fn plot(args: &StatsArgs, account: &Account, view: View) -> Result<(), CliError> {
    if let Some(path) = &args.plot_score {
        ui::replace_file(path, plots::score(account, view).as_bytes())?;
    }
    if let Some(path) = &args.plot_lengths {
        ui::replace_file(path, plots::lengths(account).as_bytes())?;
    }
    if let (Some(path), Some(sprt)) = (&args.plot_llr, view.sprt) {
        ui::replace_file(path, plots::ratio(account, &sprt, view).as_bytes())?;
    }
    Ok(())
}

fn player_of(name: &Foreign) -> Foreign {
    match names::name(name.as_it_came()) {
        Ok(kept) => Vec::from_iter(kept.split_whitespace()).join(" ").into(),
        Err(NameError::Empty | NameError::Unseen) => "?".into(),
        Err(NameError::Control) => name.clone(),
    }
}

/// So many numbers.
fn numbers<T: Copy, const N: usize>(
    option: &'static str,
    list: &[T],
) -> Result<[T; N], StatsError> {
    list.try_into()
        .map_err(|_| StatsError::HowManyNumbers(option, N))
}

/// The games, none if they are not known singly; and the units.
type Counts = (Wdl, Sample);

/// The counts on the command line, if there are any.
fn counts(args: &StatsArgs) -> Result<Option<Counts>, StatsError> {
    if let Some(score) = &args.wdl {
        let [wins, draws, losses] = numbers("--wdl", score)?;
        let score = Wdl::new(wins, draws, losses);
        let outcomes = [(1.0, wins), (0.5, draws), (0.0, losses)];
        return Ok(Some((score, Sample::new(&outcomes, 1)?)));
    }
    if let Some(pairs) = &args.pairs {
        let pairs: [u64; 5] = numbers("--pairs", pairs)?;
        let outcomes = [0, 1, 2, 3, 4].map(|at| (at as f64 / 4.0, pairs[at]));
        return Ok(Some((Wdl::default(), Sample::new(&outcomes, 2)?)));
    }
    let Some(list) = &args.outcomes else {
        return Ok(None);
    };
    Ok(Some((Wdl::default(), Sample::new(list, args.unit_games)?)))
}

/// Counts the games of files.
struct Census<'a> {
    args: &'a StatsArgs,
    account: Account,
    variant: Option<Foreign>,
    left_out: LeftOut,
    /// Parts of runs that have been counted.
    parts: Vec<(Run, Range<u64>)>,
    /// Runs that have a test, and the games of each by number.
    tried: Vec<(Header, BTreeMap<u64, End>)>,
    /// A prefix for the numbers of pairs, so that those of two files differ.
    files: u64,
    /// The players of records, by their names as written.
    players: HashMap<Foreign, Foreign>,
    pool: rayon::ThreadPool,
    exit: Exit,
}

impl<'a> Census<'a> {
    fn of(args: &'a StatsArgs) -> Result<Self, ThreadsError> {
        let pool = threads::pool(args.threads.jobs)?;
        Ok(Self {
            args,
            account: Account::apart(&args.by),
            variant: None,
            left_out: LeftOut::default(),
            parts: Vec::new(),
            tried: Vec::new(),
            files: 0,
            players: HashMap::new(),
            pool,
            exit: Exit::Clean,
        })
    }

    fn read(&mut self, files: &[PathBuf]) -> Result<(), CliError> {
        for path in files {
            self.files += 1;
            let fail = CliError::on(path);
            let mut reader = BufReader::with_capacity(1 << 18, games::open(path).map_err(fail)?);
            let before = self.account.games() + self.left_out.count();
            let begin = reader.fill_buf().map_err(fail)?;
            if LEDGERS.iter().any(|ledger| begin.starts_with(ledger)) {
                self.ledger(path, reader)?;
            } else if games::is_read_once(path) {
                self.stream(path, reader)?;
            } else {
                drop(reader);
                self.records(path)?;
            }
            let after = self.account.games() + self.left_out.count();
            if before == after && self.exit != Exit::Unusable {
                ui::warn_of_no_game(&path.display());
            }
        }
        Ok(())
    }

    /// Checks that all games are of one kind.
    fn of_variant(&mut self, path: &Path, variant: &str, boards: usize) -> Result<(), StatsError> {
        let other = Foreign::new(match boards {
            0 | 1 => variant.to_owned(),
            _ => format!("{variant} on {boards} boards"),
        });
        let known = self.variant.get_or_insert_with(|| other.clone());
        if *known == other {
            return Ok(());
        }
        Err(StatsError::MixedGames {
            path: path.to_owned(),
            known: known.clone(),
            other,
        })
    }

    fn ledger(&mut self, path: &Path, reader: impl BufRead) -> Result<(), CliError> {
        let fail = |fault| LedgerError::of(path, fault);
        let mut lines = Reader::new(reader).map_err(fail)?;
        let header = lines.header.clone();
        let (manifest, part) = (&header.manifest, header.games());
        self.of_variant(path, &manifest.variant, usize::from(manifest.boards))?;
        if self.has_counted(&header.run, &part) {
            let units = units(&part, manifest.games_per_unit);
            return Err(StatsError::CountedTwice {
                path: path.to_owned(),
                units,
            }
            .into());
        }
        self.parts.push((header.run.clone(), part));
        for [first, second] in manifest.pairings() {
            self.account.meet(
                manifest.players[first].lent(),
                manifest.players[second].lent(),
            );
        }
        if manifest.sprt.is_some() && self.tried.iter().all(|(other, _)| other.run != header.run) {
            self.tried.push((header.clone(), BTreeMap::new()));
        }
        let replay = if self.args.no_replay {
            Replay::Nothing
        } else {
            Replay::Choices
        };
        let (mut stretch, mut unlike) = (Stretch::default(), UnlikeError::default());
        while stretch.fill(&mut lines).map_err(fail)? {
            for seen in stretch.games(manifest, replay, &self.pool) {
                self.count(path, manifest, seen, &mut unlike)?;
            }
        }
        if ledgers::remark(path, &lines) {
            self.exit = self.exit.max(Exit::Findings);
        }
        unlike.note(path, manifest, "count as they are booked");
        Ok(())
    }

    /// Whether any of these games of a run have been counted.
    fn has_counted(&self, run: &Run, part: &Range<u64>) -> bool {
        self.parts.iter().any(|(other, counted)| {
            other == run && part.start < counted.end && counted.start < part.end
        })
    }

    /// Counts a game of a ledger.
    fn count(
        &mut self,
        path: &Path,
        manifest: &Manifest,
        Seen { line, entry, walk }: Seen<'_>,
        unlike: &mut UnlikeError,
    ) -> Result<(), LedgerError> {
        let walk = match walk {
            Ok(walk) => walk,
            Err(why) => {
                unlike.take(path, manifest, (line, why))?;
                None
            }
        };
        let mut tried = self.tried.iter_mut();
        if let Some((_, games)) = tried.find(|(header, _)| *header.run.0 == *entry.run) {
            games.insert(entry.game, entry.end);
        }
        let mut counted = Counted {
            players: [entry.white.lent(), entry.black.lent()],
            pair: None,
            outcome: entry.end.outcome,
            plies: entry.plies,
            cause: Some(entry.end.cause),
            walk,
            opening: None,
            first_ply: None,
        };
        if manifest.games_per_unit == 2 {
            counted.pair = Some(self.numbered(entry.unit));
        }
        if self.account.apart.is_by(By::Opening) {
            counted.opening = entry.opening(manifest);
        }
        if self.account.apart.is_by(By::FirstPly) {
            counted.first_ply = entry.first_ply(manifest);
        }
        self.account.count(&counted);
        Ok(())
    }

    /// The tests of the runs, over all ledgers of each.
    fn courses(&self) -> Vec<Course> {
        let mut courses = Vec::new();
        for (header, games) in &self.tried {
            let (mut tally, pairings) = (Tally::of(&header.manifest), header.manifest.pairings());
            for (game, end) in games {
                if tally.is_decided() {
                    break;
                }
                tally.count(&header.manifest.fixture(&pairings, *game), *end, 0, None);
            }
            courses.extend(Course::of(&tally));
        }
        courses
    }

    fn numbered(&self, pair: u64) -> u64 {
        (self.files << 40) ^ pair
    }

    fn options(&self) -> Options {
        let limits = Limits {
            language: self.args.language.language(),
            ..Limits::default()
        };
        Options {
            limits,
            ..without_findings(Options::default())
        }
    }

    fn records(&mut self, path: &Path) -> Result<(), CliError> {
        let files = [path.to_owned()];
        let judge = Judge::of(self.options(), self.args.threads.jobs, &files)?;
        let mut wrong = None;
        judge.run_before(
            &files,
            &Listener::new(!self.args.no_replay),
            |report, header| {
                if wrong.is_none() {
                    wrong = self.record(path, &report, header).err();
                }
                Ok(())
            },
        )?;
        match wrong {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn stream(&mut self, path: &Path, reader: impl Read + Send) -> Result<(), CliError> {
        let options = self.options();
        let mut parser = Parser::new(reader, 0, options.limits);
        let mut referee = AnyReferee::new(options);
        let mut listener = Listener::new(!self.args.no_replay);
        for game in 1.. {
            let heard = listener.attend(&mut referee, &mut parser);
            match heard.map_err(CliError::on(path))? {
                Some((mut report, header)) => {
                    report.game = game;
                    self.record(path, &report, Some(header))?;
                }
                None => break,
            }
        }
        Ok(())
    }

    /// A player of a record: names that differ only in Unicode form or spaces are the same, and an empty one is no
    /// player.
    fn player(&mut self, name: Foreign) -> Foreign {
        if let Some(known) = self.players.get(&name) {
            return known.clone();
        }
        let player = player_of(&name);
        self.players.insert(name, player.clone());
        player
    }

    /// Counts a game from its record.
    fn record(
        &mut self,
        path: &Path,
        report: &Report,
        header: Option<GameHeader>,
    ) -> Result<(), CliError> {
        let errs = match report.verdict {
            Verdict::Clean | Verdict::Undetermined | Verdict::Infraction => Exit::Clean,
            Verdict::WrongResult | Verdict::Illegal => Exit::Findings,
            Verdict::Unreadable => Exit::Unusable,
        };
        let (Some(header), Exit::Clean) = (header, errs) else {
            self.left_out.add(path, report);
            self.exit = self.exit.max(errs);
            return Ok(());
        };
        let mut variant = report.variant.as_it_came().to_owned();
        if let Some(level) = header.level {
            variant += &format!(" {level}");
        }
        self.of_variant(path, &variant, header.boards)?;
        let Some(outcome) = header.outcome else {
            self.left_out.unfinished += 1;
            return Ok(());
        };
        let players = header.players.map(|name| self.player(name));
        self.account.count(&Counted {
            players: players.each_ref().map(Foreign::lent),
            pair: header.pair.map(|pair| self.numbered(pair)),
            outcome,
            plies: header.plies,
            cause: header.cause,
            walk: header.walk,
            opening: header.opening,
            first_ply: header.first_ply,
        });
        Ok(())
    }
}
