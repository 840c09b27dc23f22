//! The guard: makes the same calls with an older program and with the one in the working tree, and compares their
//! answers byte for byte.
//!
//! `just compare` runs it. It builds both programs, makes the inputs ([`inputs`]: the committed corpora, games that the
//! old program plays by [`games`], mutants and hostile bytes), runs all cases ([`calls`], [`events`]) with both, and
//! reports the differences that [`intended`] does not cover. It uses none of the crates under test.

mod calls;
mod case;
mod chance;
mod compare;
mod events;
mod games;
mod glob;
mod hostile;
mod house;
mod inputs;
mod intended;
mod mask;
mod mutants;
mod program;
mod report;

use case::{Answer, Case};
use clap::Parser;
use compare::differences;
use glob::fits;
use house::{House, HouseError};
use indicatif::{ProgressBar, ProgressStyle};
use inputs::Inputs;
use intended::{Intended, ListError};
use program::Program;
use rayon::prelude::*;
use report::{Outcome, Report};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Mutex,
    time::{Duration, Instant},
};
use thiserror::Error;

/// Compare what the old and the new program print, byte for byte
///
/// Exit codes: 0 no unexpected differences, 1 some, 2 nothing could be compared.
#[derive(Parser)]
#[command(name = "overboard-guard")]
struct Args {
    /// The old program [default: built from the commit in tests/guard/old-house.txt]
    #[arg(long, value_name = "PROGRAM")]
    old: Option<PathBuf>,
    /// The new program [default: built from here]
    #[arg(long, value_name = "PROGRAM")]
    new: Option<PathBuf>,
    /// Run only the cases whose name or one of whose calls fits this pattern; `*` is any text. May be repeated
    #[arg(long, value_name = "PATTERN")]
    only: Vec<String>,
    /// Describe at most N cases with differences, and keep their output
    #[arg(long, value_name = "N", default_value_t = 20)]
    show: usize,
    /// Ask the old program again instead of taking its answers from the last run
    #[arg(long)]
    fresh: bool,
    /// Name the N cases that took longest
    #[arg(long, value_name = "N", default_value_t = 0)]
    slowest: usize,
    /// Seconds that a call may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    limit: u64,
    /// Print the cases and run nothing
    #[arg(long)]
    list: bool,
}

/// Why the programs cannot be compared.
#[derive(Debug, Error)]
enum GuardError {
    #[error(transparent)]
    House(#[from] HouseError),
    #[error(transparent)]
    List(#[from] ListError),
    #[error("{0}: {1}")]
    File(String, io::Error),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("no case fits --only")]
    NoCase,
}

fn main() -> ExitCode {
    match guard(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// The program at a path, which is made absolute because calls are made in other folders.
fn program(path: &Path, limit: u64) -> Result<Program, GuardError> {
    let path = fs::canonicalize(path)
        .map_err(|error| GuardError::File(path.display().to_string(), error))?;
    Ok(Program {
        path,
        limit: Duration::from_secs(limit),
    })
}

/// Compares the programs. Returns whether there were no unexpected differences.
fn guard(args: &Args) -> Result<bool, GuardError> {
    let house = House::here()?;
    let intended = Intended::read(&house.root.join("tests/guard/intended.toml"))?;
    let source = house.old_source()?;
    let old = match &args.old {
        Some(path) => program(path, args.limit)?,
        None => program(&house.old_program(&source)?, args.limit)?,
    };
    let new = match &args.new {
        Some(path) => program(path, args.limit)?,
        None => program(&house.new_program()?, args.limit)?,
    };
    let cache = house.target.join("guard");
    fs::create_dir_all(&cache)?;
    let begin = Instant::now();
    let (inputs, made) = Inputs::prepare(&old, &source, &house.commit, &cache)?;
    if made {
        eprintln!(
            "inputs made in {:.1} s: {}",
            begin.elapsed().as_secs_f32(),
            inputs.root.display()
        );
    }
    let mut cases = calls::cases(&inputs)?;
    cases.extend(events::cases(&inputs)?);
    let fit = |case: &Case| {
        args.only.is_empty()
            || args
                .only
                .iter()
                .any(|only| fits(only, &case.title()) || case.calls().any(|call| fits(only, &call)))
    };
    cases.retain(fit);
    if cases.is_empty() {
        return Err(GuardError::NoCase);
    }
    if args.list {
        cases.iter().for_each(|case| println!("{}", case.title()));
        return Ok(true);
    }
    let begin = Instant::now();
    let Shared {
        report,
        asked,
        mut times,
        ..
    } = compare(args, &old, &new, &inputs, &cache, &cases, &intended)?;
    times.sort_unstable();
    for (time, index) in times.into_iter().rev().take(args.slowest) {
        println!("{:7.2} s  {}", time.as_secs_f32(), cases[index].title());
    }
    print!("{}", report.text(&intended, args.only.is_empty()));
    println!(
        "{:.1} s; the old program was called {asked} times",
        begin.elapsed().as_secs_f32()
    );
    Ok(report.unexpected == 0 && report.timed_out.is_empty() && report.crashed.is_empty())
}

/// The old program's answers in the last run, by the keys of the cases. Only hashes are kept: if the new program's
/// answer has a different one, the old program is run again.
struct Memory {
    file: PathBuf,
    answers: BTreeMap<String, String>,
}

impl Memory {
    fn open(cache: &Path, inputs: &Inputs) -> Self {
        let mut hasher = blake3::Hasher::new();
        // The key of the inputs depends on the old program. The code that masks and gathers output also determines the
        // answer.
        for text in [
            &inputs.key,
            include_str!("mask.rs"),
            include_str!("case.rs"),
            include_str!("mutants.rs"),
        ] {
            hasher.update(text.as_bytes());
        }
        let file = cache.join(format!(
            "answers-{}.json",
            &hasher.finalize().to_hex()[..16]
        ));
        let answers = fs::read(&file)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        Self { file, answers }
    }

    fn save(&self) -> io::Result<()> {
        let unfinished = self.file.with_extension("unfinished");
        fs::write(&unfinished, serde_json::to_vec(&self.answers)?)?;
        fs::rename(&unfinished, &self.file)
    }
}

/// State that the threads share.
struct Shared {
    report: Report,
    /// Hashes of the old program's answers that the memory did not have.
    learnt: Vec<(String, String)>,
    /// The number of calls that the old program was run for.
    asked: usize,
    /// The time that each case took, with the index of the case.
    times: Vec<(Duration, usize)>,
}

fn compare(
    args: &Args,
    old: &Program,
    new: &Program,
    inputs: &Inputs,
    cache: &Path,
    cases: &[Case],
    intended: &Intended,
) -> Result<Shared, GuardError> {
    let mut memory = Memory::open(cache, inputs);
    let work = tempfile::tempdir_in(cache)?;
    let found = cache.join("differences");
    if found.is_dir() {
        fs::remove_dir_all(&found)?;
    }
    let bar = ProgressBar::new(cases.len() as u64).with_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} cases, {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let shared = Mutex::new(Shared {
        report: Report::new(intended),
        learnt: Vec::new(),
        asked: 0,
        times: Vec::new(),
    });
    let one = |(index, case): (usize, &Case)| -> io::Result<()> {
        let begin = Instant::now();
        let key = case.key();
        let known = if args.fresh {
            None
        } else {
            memory.answers.get(&key)
        };
        let (mut answer, mut kept) = case.put(new, &inputs.root, work.path(), false)?;
        let crashed = answer.crashed();
        let mut asked = 0;
        let mut learnt = None;
        let mut before: Option<(Answer, Option<PathBuf>)> = None;
        let same = match known {
            Some(digest) if *digest == answer.digest() => true,
            _ => {
                asked += case.size();
                let (was, folder) = case.put(old, &inputs.root, work.path(), false)?;
                if !was.timed_out() {
                    learnt = Some(was.digest());
                }
                let same = was == answer;
                before = Some((was, folder));
                same
            }
        };
        let outcome = match &before {
            // Such a case is too expensive for both and should be replaced by a smaller one.
            Some((was, _)) if was.timed_out() => {
                Outcome::TimedOut(if answer.timed_out() { "both" } else { "old" })
            }
            _ if answer.timed_out() => Outcome::TimedOut("new"),
            Some((was, _)) if !same => {
                Outcome::Differ(differences(&case.calls().collect::<Vec<_>>(), was, &answer))
            }
            _ => Outcome::Same,
        };
        let mut state = shared
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        state.asked += asked;
        state.times.push((begin.elapsed(), index));
        state.learnt.extend(learnt.map(|digest| (key, digest)));
        let unexpected = state.report.add(case, outcome, intended);
        if crashed {
            state.report.crashed.push(case.title());
        }
        if !unexpected.is_empty() && state.report.described() < args.show {
            let folder = found.join(format!("{:03}", state.report.described() + 1));
            if case.in_folder {
                // Run again, this time keeping the folders.
                let (was, old_folder) = case.put(old, &inputs.root, work.path(), true)?;
                before = Some((was, old_folder));
                (answer, kept) = case.put(new, &inputs.root, work.path(), true)?;
            }
            if let Some((was, old_folder)) = before {
                report::keep(
                    &folder,
                    case,
                    &inputs.root,
                    [&was, &answer],
                    [old_folder, kept],
                )?;
            }
            state.report.show(case, &unexpected, Some(&folder));
        }
        bar.inc(1);
        Ok(())
    };
    cases.par_iter().enumerate().try_for_each(one)?;
    bar.finish_and_clear();
    let mut state = shared
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if !state.learnt.is_empty() {
        memory.answers.extend(state.learnt.drain(..));
        memory.save()?;
    }
    Ok(state)
}
