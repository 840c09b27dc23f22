//! Merges the ledgers of one run.

use crate::{
    journal::{self, FORM, Header, JournalError, Reader, is_of_run, renamed},
    shard::{Shard, add},
    tally::{Meeting, Tally, Trial},
};
use overboard_formats::io_words::reason;
use std::{
    fs::File,
    io::{BufRead, BufReader, Write},
    ops::Range,
    path::{Path, PathBuf},
};

/// Why ledgers cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A ledger is at fault.
    #[error("{path}: {fault}", path = path.display())]
    Ledger {
        /// The ledger.
        path: PathBuf,
        /// What is wrong.
        fault: JournalError,
    },
    /// Two ledgers have different versions of one game.
    #[error("game {game} (unit {unit}) is one game in {one} and another in {other}", one = one.display(), other = other.display())]
    Doubled {
        /// The game.
        game: u64,
        /// Its unit.
        unit: u64,
        /// One ledger.
        one: PathBuf,
        /// Another.
        other: PathBuf,
    },
    /// The merged ledger cannot be written.
    #[error("the merged ledger cannot be written: {}", reason(.0))]
    Output(#[from] std::io::Error),
    /// There is nothing to merge.
    #[error("there is no ledger to merge")]
    Nothing,
}

/// The result of a merge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// Games.
    pub games: u64,
    /// Games that were in more than one ledger, identical in all.
    pub doubled: u64,
    /// Ledgers with outdated words for ends, and the number of such games; the words are kept.
    pub old_words: Vec<(PathBuf, u64)>,
    /// Ledgers with an incomplete last line, which was omitted.
    pub torn: Vec<PathBuf>,
    /// Ledgers without a game: those of parts that have none, or whose first game was not finished.
    pub empty: Vec<PathBuf>,
    /// Units with missing games, as ranges.
    pub gaps: Vec<Range<u64>>,
    /// The number of parts that the ledgers come from, and which parts contain what is missing.
    pub shards: Option<(u64, Vec<Range<u64>>)>,
    /// The run's test over all of the units, if it has one.
    pub trial: Option<Trial>,
    /// Its first meeting, from the merged games.
    pub meeting: Option<Meeting>,
    /// Games after the unit at which the test had decided. A single run would not have played them, so they are
    /// omitted.
    pub beyond: u64,
}

struct Source {
    path: PathBuf,
    reader: Reader<BufReader<File>>,
    /// Its current game; `None` at its end.
    game: Option<u64>,
}

impl Source {
    fn open(path: &Path) -> Result<Self, MergeError> {
        let reader = journal::open(path).map_err(|fault| MergeError::Ledger {
            path: path.to_owned(),
            fault,
        })?;
        let mut source = Self {
            path: path.to_owned(),
            reader,
            game: None,
        };
        source.advance()?;
        Ok(source)
    }

    fn advance(&mut self) -> Result<(), MergeError> {
        let has_game = self.reader.advance().map_err(|fault| MergeError::Ledger {
            path: self.path.clone(),
            fault,
        })?;
        self.game = if has_game { self.reader.game() } else { None };
        Ok(())
    }
}

/// The ledgers that have games, at least one, and the others.
fn open_all(paths: &[PathBuf]) -> Result<(Vec<Source>, Vec<PathBuf>), MergeError> {
    let (mut sources, mut empty) = (Vec::new(), Vec::new());
    for path in paths {
        match Source::open(path) {
            Ok(source) => sources.push(source),
            Err(MergeError::Ledger {
                path,
                fault: JournalError::Empty,
            }) => empty.push(path),
            Err(error) => return Err(error),
        }
    }
    if sources.is_empty() {
        return Err(match empty.into_iter().next() {
            Some(path) => MergeError::Ledger {
                path,
                fault: JournalError::Empty,
            },
            None => MergeError::Nothing,
        });
    }
    Ok((sources, empty))
}

/// Writes the games of all ledgers as one ledger of the whole run, each game once.
///
/// # Errors
/// A ledger that belongs to another run or is damaged, or two that contradict each other.
pub fn merge(paths: &[PathBuf], out: &mut dyn Write) -> Result<Merged, MergeError> {
    let (mut sources, empty) = open_all(paths)?;
    let first = sources[0].reader.header.clone();
    for source in &sources {
        is_of_run(&source.reader.header, &first).map_err(|fault| MergeError::Ledger {
            path: source.path.clone(),
            fault,
        })?;
    }
    // Ledgers of an older form stay in that form; a run that continues has the present form.
    let form = sources
        .iter()
        .map(|source| source.reader.header.ledger)
        .max()
        .unwrap_or(FORM);
    let whole = Header {
        ledger: form,
        ..Header::of(&first.manifest, Shard::WHOLE)
    };
    out.write_all(&whole.begin())?;
    let mut merged = Merged {
        empty,
        ..Merged::default()
    };
    let mut missing = Missing {
        next: 0,
        gaps: Vec::new(),
        size: u64::from(first.manifest.games_per_unit),
    };
    let (mut tally, pairings) = (Tally::of(&first.manifest), first.manifest.pairings());
    while let Some((game, at)) = lowest(&sources) {
        if tally.is_decided() {
            merged.beyond += 1;
            pass(&mut sources, &whole, (game, at))?;
            continue;
        }
        let Source { path, reader, .. } = &sources[at];
        out.write_all(&adopted(&whole, reader, merged.games == 0))?;
        let entry = reader.entry().map_err(|fault| MergeError::Ledger {
            path: path.clone(),
            fault,
        })?;
        let fixture = first.manifest.fixture(&pairings, game);
        tally.count(&fixture, entry.end, entry.plies, entry.blamed(&fixture));
        missing.reach(game);
        merged.games += 1;
        merged.doubled += pass(&mut sources, &whole, (game, at))?;
    }
    if !tally.is_decided() {
        missing.reach(whole.games().end);
    }
    merged.gaps = missing.gaps;
    merged.trial = tally.trial;
    merged.meeting = tally.meetings.into_iter().next();
    let mut count = 1;
    for Source { path, reader, .. } in sources {
        count = count.max(reader.header.shard.count());
        let old_words = reader.old_words();
        if old_words > 0 {
            merged.old_words.push((path.clone(), old_words));
        }
        if reader.torn() > 0 {
            merged.torn.push(path);
        }
    }
    let units = first.manifest.units();
    let mut parts = Vec::new();
    for gap in &merged.gaps {
        add(&mut parts, Shard::holding(count, units, gap));
    }
    merged.shards = Some((count, parts));
    Ok(merged)
}

/// The lowest current game of all ledgers, and the first ledger that has it.
fn lowest(sources: &[Source]) -> Option<(u64, usize)> {
    sources
        .iter()
        .enumerate()
        .filter_map(|(at, source)| Some((source.game?, at)))
        .min()
}

/// The current line of a ledger as one of the merged ledger, of which it may be the first game. The run of one that was begun by
/// another version under the same laws has another id.
fn adopted<R: BufRead>(whole: &Header, reader: &Reader<R>, is_first: bool) -> Vec<u8> {
    let form = reader.header.ledger;
    if reader.header.run == whole.run {
        whole.adopt(reader.line(), form, is_first)
    } else {
        whole.adopt(&renamed(reader.line(), &whole.run), form, is_first)
    }
}

/// Advances all ledgers past a game; returns how many had it apart from the one at `at`.
fn pass(
    sources: &mut [Source],
    whole: &Header,
    (game, at): (u64, usize),
) -> Result<u64, MergeError> {
    let whole = whole.of_today();
    let today = |reader: &_| adopted(&whole, reader, false);
    let (line, one) = (today(&sources[at].reader), sources[at].path.clone());
    let mut doubled = 0;
    for source in sources
        .iter_mut()
        .filter(|source| source.game == Some(game))
    {
        if today(&source.reader) != line {
            let unit = game / u64::from(source.reader.header.manifest.games_per_unit);
            return Err(MergeError::Doubled {
                game,
                unit,
                one,
                other: source.path.clone(),
            });
        }
        doubled += 1;
        source.advance()?;
    }
    Ok(doubled - 1)
}

/// Units that were skipped.
struct Missing {
    next: u64,
    gaps: Vec<Range<u64>>,
    size: u64,
}

impl Missing {
    /// Advances to a game, or to the end.
    fn reach(&mut self, game: u64) {
        if game > self.next {
            let gap = self.next / self.size..game.div_ceil(self.size);
            add(&mut self.gaps, gap);
        }
        self.next = game + 1;
    }
}
