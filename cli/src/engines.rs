//! External engines: the options that describe them, and how they are run.

use crate::{
    batch::BatchError,
    exit::{CliError, PartError},
    interrupt,
    options::from_one,
    ui,
};
use clap::Args;
use overboard_engines::{
    batch::RunError,
    book::Book,
    external::{
        dialogue::Dialogue,
        launch::Setting,
        pool::{EnginePool, Outfit, PoolError},
        process::launcher,
        program::{Each, Program, ProgramError},
    },
    manifest::{Manifest, ManifestError},
};
use overboard_events::{
    atomic_files::FileError,
    names::{self, NameError},
};
use overboard_formats::{foreign::Foreign, io_words::reason};
use overboard_rules::refusal::list;
use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// Who plays: engines first, then built-in players, each kind in its order.
#[derive(Args, Debug)]
pub struct FieldArgs {
    /// An engine, such as `name=A cmd="stockfish" proto=uci tc=10+0.1 option.Hash=16`. proto: uci, cecp or lines; tc:
    /// time control, 40/60 or 10+0.1; st: seconds per move; depth, nodes: search limits; margin: seconds a move may be
    /// late; start: seconds to start; stall: seconds without an answer; restart=yes: restart for every game; dir:
    /// working folder.
    #[arg(long = "engine", value_name = "SPEC")]
    pub engines: Vec<String>,
    /// Read engines from a TOML file: a table `[[engine]]` for each, with the same keys and a table `[engine.option]`.
    #[arg(long = "engines", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What holds for all engines, such as `tc=10+0.1 option.Hash=16`: the keys of --engine but name and cmd. What an engine's
    /// own description says goes first, then the table `[each]` of its file.
    #[arg(long, value_name = "SPEC")]
    pub each: Option<String>,
    /// A built-in player, as in `selfplay`: `random`, `greedy`, `search:depth=N` and so on.
    #[arg(long = "player", value_name = "PLAYER")]
    pub players: Vec<String>,
}

/// How engines are run; none of this changes what they play.
#[derive(Args, Debug)]
pub struct OutfitArgs {
    /// Pin each game to a processor of its own.
    #[arg(long)]
    pub affinity: bool,
    /// Memory limit for each engine.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_memory: Option<u64>,
    /// Exclude an engine from the run after this many faults; a fallen flag is not a fault.
    #[arg(long, value_name = "N", default_value_t = Self::FAULTS, value_parser = from_one())]
    pub faults: u32,
    /// Add everything that is said to and by engines to a file: seconds, the engine, `>` for a line to it, `<` for one from
    /// it, `!` for one on its standard error.
    #[arg(long, value_name = "FILE")]
    pub dialogue: Option<PathBuf>,
    #[command(flatten)]
    pub environment: EnvironmentArgs,
}

/// What engines get of our environment.
#[derive(Args, Clone, Debug, Default)]
pub struct EnvironmentArgs {
    /// Give engines this variable of the environment, too. They get PATH, HOME and the like, and no others.
    #[arg(long = "env", value_name = "NAME")]
    pub variables: Vec<String>,
}

/// Whether commands that stand in a file may be started.
#[derive(Args, Debug)]
pub struct AllowArgs {
    /// Start the engines whose commands stand in the file; without this they are shown, and you are asked.
    #[arg(long)]
    pub allow_commands: bool,
}

/// Why engines cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// An engine is described wrongly.
    #[error(transparent)]
    Described(#[from] ProgramError),
    /// A file is not a list of engines.
    #[error("{path}: {why}", path = path.display())]
    Listed {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: ProgramError,
    },
    /// A name is not valid.
    #[error("engine `{}`: {why}", .name.shown())]
    Name {
        /// The name.
        name: Foreign,
        /// The reason.
        why: NameError,
    },
    /// Two names look alike.
    #[error("the engines `{}` and `{}` have one name: they differ only in what cannot be seen", .0.shown(), .1.shown())]
    Alike(Foreign, Foreign),
    /// What is said cannot be written.
    #[error(transparent)]
    Dialogue(#[from] FileError),
    /// This system cannot run engines as asked.
    #[error("{0}")]
    Setting(io::Error),
    /// An engine cannot play the run.
    #[error("{0}; no game was played")]
    Unfit(#[from] PoolError),
    /// An option is for engines, and there is none.
    #[error("{0} is for engines, and none are given: add --engine or --engines")]
    Useless(&'static str),
    /// Commands stand in a file, and nobody has allowed them.
    #[error("{path}: the file has commands of engines; if you trust whoever wrote it, add --allow-commands. They are: {}", quoted(.commands), path = path.display())]
    NotAllowed {
        /// The file.
        path: PathBuf,
        /// The command of each engine.
        commands: Vec<Foreign>,
    },
    /// There are no players.
    #[error("no players are given: add --engine, --engines or --player")]
    Nobody,
}

impl PartError for EngineError {}

/// Commands in a sentence.
fn quoted(commands: &[Foreign]) -> String {
    let quoted = commands
        .iter()
        .map(|command| format!("`{}`", command.shown()));
    list(quoted, "and")
}

/// Commands, each in a line of its own.
fn lines(commands: &[Foreign]) -> String {
    let mut lines = String::new();
    for command in commands {
        lines.push_str("\n  ");
        lines.push_str(&command.shown());
    }
    lines
}

impl AllowArgs {
    /// Refuses to start the engines of a file whose commands nobody has allowed.
    pub fn allow(&self, manifest: &Manifest, path: &Path) -> Result<(), EngineError> {
        if self.allow_commands || manifest.engines.is_empty() {
            return Ok(());
        }
        let commands: Vec<Foreign> = manifest.engines.iter().map(command).collect();
        let question = format!(
            "The file has commands of engines:{}\nStart them? [y/N] ",
            lines(&commands)
        );
        if ui::is_confirmed(&question) {
            return Ok(());
        }
        Err(EngineError::NotAllowed {
            path: path.to_owned(),
            commands,
        })
    }
}

/// What would be started for an engine, as one would type it.
fn command(engine: &Program) -> Foreign {
    let words = interrupt::command_line(engine.cmd.iter().map(OsString::from));
    match &engine.dir {
        Some(folder) => format!("{words} (in {folder})").into(),
        None => words.into(),
    }
}

/// The players of a run.
#[derive(Default)]
pub struct Entries {
    /// Their names, in order.
    pub players: Vec<Foreign>,
    /// Those that are external engines.
    pub engines: Vec<Program>,
}

impl FieldArgs {
    /// The players given, in order.
    pub fn field(&self) -> Result<Entries, CliError> {
        let each = match &self.each {
            Some(words) => Each::described(words).map_err(EngineError::from)?,
            None => Each::default(),
        };
        let mut engines = Vec::new();
        for path in &self.files {
            let text = fs::read_to_string(path).map_err(CliError::on(path))?;
            let listed = Program::listed(&text, &each);
            engines.extend(listed.map_err(|why| EngineError::Listed {
                path: path.clone(),
                why,
            })?);
        }
        for words in &self.engines {
            engines.push(Program::described_with(words, &each).map_err(EngineError::from)?);
        }
        if engines.is_empty() && self.each.is_some() {
            return Err(EngineError::Useless("--each").into());
        }
        name(&mut engines)?;
        let names = engines.iter().map(|engine| engine.name.clone());
        let players: Vec<_> = names
            .chain(self.players.iter().map(|name| name.as_str().into()))
            .collect();
        if players.is_empty() {
            return Err(EngineError::Nobody.into());
        }
        Ok(Entries { players, engines })
    }
}

/// Normalises the names of engines, and checks that no two look alike.
fn name(engines: &mut [Program]) -> Result<(), EngineError> {
    for engine in &mut *engines {
        let kept = names::name(engine.name.as_it_came());
        engine.name = kept
            .map_err(|why| EngineError::Name {
                name: engine.name.clone(),
                why,
            })?
            .into();
    }
    for (index, Program { name, .. }) in engines.iter().enumerate() {
        let mut others = engines[..index].iter().map(|other| &other.name);
        if let Some(other) = others.find(|other| are_alike(other.as_it_came(), name.as_it_came())) {
            return Err(EngineError::Alike(other.clone(), name.clone()));
        }
    }
    Ok(())
}

/// Whether two names differ only in Unicode form, spaces or invisible characters. Case distinguishes engines, as it
/// always has; an identical name is refused elsewhere.
fn are_alike(one: &str, other: &str) -> bool {
    one.to_lowercase() != other.to_lowercase() && names::same(one, other)
}

impl OutfitArgs {
    /// The default number of faults after which an engine is withdrawn.
    pub const FAULTS: u32 = 20;

    /// The engines of a run with this ledger; `None` if all players are built in.
    pub fn engines(
        &self,
        manifest: &Manifest,
        ledger: Option<&Path>,
    ) -> Result<Option<EnginePool>, EngineError> {
        let Self {
            affinity,
            max_memory,
            faults,
            ref dialogue,
            ref environment,
        } = *self;
        let setting = Setting {
            processor: affinity.then_some(0),
            memory: max_memory,
        };
        setting.check().map_err(EngineError::Setting)?;
        let transcripts = ledger.map(Path::to_owned);
        if dialogue.is_some() && manifest.engines.is_empty() {
            return Err(EngineError::Useless("--dialogue"));
        }
        let opened = |path: &PathBuf| Dialogue::open(path).map_err(FileError::on(path));
        let dialogue = dialogue.as_ref().map(opened).transpose()?.map(Arc::new);
        let outfit = Outfit {
            launcher: launcher(),
            affinity,
            memory: max_memory,
            faults,
            transcripts,
            dialogue,
            variables: environment.variables.clone(),
            adopts: true,
        };
        Ok(EnginePool::of(manifest, outfit)?)
    }
}

/// The engines of a planned run: each is started once, and one that cannot play or is not the planned one is refused.
pub fn checked(
    outfit: &OutfitArgs,
    manifest: &Manifest,
    book: &Book,
    ledger: &Path,
) -> Result<Option<EnginePool>, EngineError> {
    let engines = outfit.engines(manifest, Some(ledger))?;
    if let Some(engines) = &engines {
        engines.check(manifest, book)?;
    }
    Ok(engines)
}

/// Records in the manifest the names that engines report, so that another engine with the same command is recognised as
/// different. Each is started for this, and one that cannot play is refused.
pub fn identify(
    manifest: &mut Manifest,
    book: &Book,
    dialogue: Option<&Path>,
    environment: &EnvironmentArgs,
) -> Result<(), CliError> {
    manifest
        .check()
        .map_err(|why: ManifestError| BatchError::from(RunError::from(why)))?;
    let outfit = OutfitArgs {
        affinity: false,
        max_memory: None,
        faults: 1,
        dialogue: dialogue.map(Path::to_owned),
        environment: environment.clone(),
    };
    let Some(engines) = outfit.engines(manifest, None)? else {
        return Ok(());
    };
    let ids = engines.check(manifest, book).map_err(EngineError::from)?;
    for (name, id) in manifest.players.iter().zip(ids) {
        let mut engines = manifest.engines.iter_mut();
        if let Some(engine) = engines.find(|engine| engine.name == *name)
            && let Some(id) = id
        {
            engine.id = id;
        }
    }
    Ok(())
}

/// Warns if what was said could not all be written.
pub fn warn_of_dialogue(engines: &EnginePool) {
    if let Some(error) = engines.dialogue_failure() {
        ui::warn(&format!(
            "the file of --dialogue is not complete: {}",
            reason(&error)
        ));
    }
}

/// Warns about engines whose latency exceeds the time margin, since their flags will fall.
pub fn warn_of_latency(engines: &EnginePool) {
    for (player, program) in engines.engines() {
        if program.is_timed()
            && let Some(latency) = engines.latency(player)
            && let Some(slow) = latency.within(0.99)
            && slow > program.margin.duration()
        {
            ui::warn(&late(program, slow));
        }
    }
}

fn late(program: &Program, slow: Duration) -> String {
    format!(
        "{}: one answer in a hundred took longer than {:.1} ms without any search, and its moves may be at most {} s late: its flag may fall for that reason alone. Play fewer games at a time, or give it a larger margin",
        program.name.shown(),
        slow.as_secs_f64() * 1e3,
        program.margin
    )
}
