//! `extend`: resumes the run of a ledger, or makes it longer.

use crate::{
    batch::{self, BatchError},
    engines::{AllowArgs, OutfitArgs, checked},
    exit::{CliError, Exit, PartError},
    interrupt,
    ledgers::LedgerError,
    play::{PlayArgs, SavedTo, play},
    ui,
};
use clap::Args;
use overboard_engines::{
    batch::{RunError, admit},
    extend::extend,
    journal::{self, Ahead, FORM, Header, JournalError},
    manifest::Manifest,
    shard::Shard,
};
use overboard_events::atomic_files;
use std::{
    env, io,
    path::{Path, PathBuf},
};

/// Resume the run of a ledger, or make it longer.
///
/// The final ledger is byte for byte that of a run with this length from the start. Without --pairs and --games, plays
/// the games still missing from the run. The ledger of a shard cannot be made longer: merge all shards first.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 an engine was at fault, or stopped by a signal, 2 the games cannot be played, or the ledger cannot be used or written.\n\nExamples:\n  overboard extend night.jsonl --pairs 500\n  overboard extend night.jsonl"
)]
pub struct ExtendArgs {
    /// The ledger.
    #[arg(value_name = "LEDGER")]
    pub ledger: PathBuf,
    /// Play this many more pairs of games for each pairing.
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: Option<u64>,
    /// Play this many more games for each pairing, if the run is of single games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// The run's file of openings, if it has moved.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    #[command(flatten)]
    pub outfit: OutfitArgs,
    #[command(flatten)]
    pub allow: AllowArgs,
    #[command(flatten)]
    pub play: PlayArgs,
}

/// Why a run cannot be extended.
#[derive(Debug, thiserror::Error)]
pub enum ExtendError {
    /// The ledger is that of a shard.
    #[error("{path}: this is shard {shard} of its run, and only a whole run can be made longer; merge its shards first", path = path.display())]
    Part {
        /// The ledger.
        path: PathBuf,
        /// The shard.
        shard: Shard,
    },
    /// Pairs were given for a run of games, or games for one of pairs.
    #[error("the run is of {are}: use --{are} N instead of --{asked} N")]
    Units {
        /// The units of the run.
        are: &'static str,
        /// The units requested.
        asked: &'static str,
    },
}

impl PartError for ExtendError {}

pub fn run(args: &ExtendArgs) -> Result<Exit, CliError> {
    let path = &args.ledger;
    let fail = |fault| LedgerError::of(path, fault);
    let (shorter, is_empty) = match journal::open(path) {
        Ok(lines) => (lines.header, false),
        // If all finished games wait for a longer one, the ledger itself has no data of its run yet.
        Err(JournalError::Empty) => (Ahead::header(path).map_err(fail)?, true),
        Err(fault) => return Err(fail(fault).into()),
    };
    admit(&shorter.manifest).map_err(BatchError::from)?;
    let header = longer(args, &shorter)?;
    let book = batch::book(&header.manifest, args.openings.as_deref())?;
    args.allow.allow(&header.manifest, path)?;
    let engines = checked(&args.outfit, &header.manifest, &book, path)?;
    if header.manifest != shorter.manifest || shorter.ledger < FORM {
        admit(&header.manifest).map_err(BatchError::from)?;
        // Once the ledger has been extended, the same command would extend it again, so from here on a signal prints
        // the command that only resumes the run.
        interrupt::listen();
        if is_empty {
            atomic_files::replace(path, |_| Ok(())).map_err(CliError::on(path))?;
        } else {
            rewrite(path, &header)?;
        }
    }
    let saved_to = SavedTo {
        path,
        resume_with: resume_with(args),
    };
    play(&header, &book, Some(saved_to), &args.play, engines.as_ref())
}

/// The header of the extended run.
fn longer(args: &ExtendArgs, shorter: &Header) -> Result<Header, CliError> {
    let (more, asked, size) = match (args.pairs, args.games) {
        (Some(pairs), _) => (pairs, "pairs", 2),
        (None, Some(games)) => (games, "games", 1),
        (None, None) => return Ok(shorter.clone()),
    };
    if shorter.shard != Shard::WHOLE {
        return Err(ExtendError::Part {
            path: args.ledger.clone(),
            shard: shorter.shard,
        }
        .into());
    }
    if shorter.manifest.games_per_unit != size {
        let are = if asked == "pairs" { "games" } else { "pairs" };
        return Err(ExtendError::Units { are, asked }.into());
    }
    let rounds = shorter.manifest.rounds.saturating_add(more);
    let manifest = Manifest {
        rounds,
        ..shorter.manifest.clone()
    };
    manifest
        .check()
        .map_err(|why| BatchError::from(RunError::from(why)))?;
    Ok(Header::of(&manifest, Shard::WHOLE))
}

/// Rewrites the ledger as that of a longer run, completely or not at all.
fn rewrite(path: &Path, header: &Header) -> Result<(), CliError> {
    let fail = |fault| LedgerError::of(path, fault);
    // Nobody may append to the ledger while it is rewritten. Windows does not read what another handle has locked; there,
    // the lock only shows that nobody is writing.
    let lock = journal::lock(path).map_err(fail)?;
    let _lock = (!cfg!(windows)).then_some(lock);
    let reader = journal::open(path).map_err(fail)?;
    let (mut fault, mut torn) = (None, 0);
    let written = atomic_files::replace(path, |mut out| {
        // Closed before the file is replaced, which Windows demands.
        let mut reader = reader;
        let extended = extend(&mut reader, header, &mut out);
        torn = reader.torn();
        match extended {
            Ok(_) => Ok(()),
            Err(JournalError::Io(error)) => Err(error),
            Err(other) => {
                fault = Some(other);
                // Nothing is written that is not to be kept.
                Err(io::ErrorKind::Interrupted.into())
            }
        }
    });
    match (fault, written) {
        (Some(fault), _) => Err(fail(fault).into()),
        (None, Err(error)) => Err(CliError::file(path, error)),
        (None, Ok(())) => {
            if torn > 0 {
                ui::warn(&format!(
                    "{}: the last line is incomplete; its game is played again",
                    path.display()
                ));
            }
            Ok(())
        }
    }
}

/// The command that resumes the run: the same without what has been extended.
fn resume_with(args: &ExtendArgs) -> String {
    let mut words: Vec<_> = env::args_os().take(2).collect();
    words.push(args.ledger.clone().into());
    if let Some(path) = &args.openings {
        words.extend(["--openings".into(), path.clone().into()]);
    }
    if let Some(jobs) = args.play.threads.jobs {
        words.extend(["--jobs".into(), jobs.to_string().into()]);
    }
    let OutfitArgs {
        affinity,
        max_memory,
        faults,
        dialogue,
        environment,
    } = &args.outfit;
    words.extend(affinity.then(|| "--affinity".into()));
    if let Some(most) = max_memory {
        words.extend(["--max-memory".into(), most.to_string().into()]);
    }
    if *faults != OutfitArgs::FAULTS {
        words.extend(["--faults".into(), faults.to_string().into()]);
    }
    if let Some(path) = dialogue {
        words.extend(["--dialogue".into(), path.clone().into()]);
    }
    for name in &environment.variables {
        words.extend(["--env".into(), name.into()]);
    }
    if args.allow.allow_commands {
        words.push("--allow-commands".into());
    }
    if args.play.no_replay {
        words.push("--no-replay".into());
    }
    interrupt::command_line(words)
}
