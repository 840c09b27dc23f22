//! `engine check`: whether an engine follows its protocol, how fast it answers, and a game against itself.

use crate::{
    batch::{self, BatchError, GamesArgs},
    engines::{EngineError, Entries, EnvironmentArgs, OutfitArgs},
    exit::{CliError, Exit},
    options::{VariantName, from_one},
    summary::Answers,
    ui,
};
use clap::Args;
use overboard_engines::{
    book::Book,
    external::program::{Program, Protocol},
    journal::LedgerEntry,
    manifest::Manifest,
};
use overboard_formats::foreign::Foreign;
use overboard_games::registry::Variant;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::PathBuf,
};

/// Check an engine: protocol, options, speed, a test game.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 the engine follows its protocol, 1 it was at fault, 2 it does not start or does not play the game.\n\nExamples:\n  overboard engine check stockfish\n  overboard engine check --proto cecp fairymax\n  overboard engine check --variant olympic fairy-stockfish"
)]
pub struct CheckArgs {
    /// The command that starts it, in quotation marks if it has spaces.
    #[arg(value_name = "CMD")]
    pub cmd: String,
    /// The protocol.
    #[arg(long, value_name = "PROTOCOL", default_value = "uci")]
    pub proto: Protocol,
    /// The game.
    #[arg(long, value_name = "NAME", default_value = "chess", ignore_case = true)]
    pub variant: VariantName,
    /// Seconds for each move of the game against itself [default: 0.1, and 1 with CECP, which knows only whole
    /// seconds].
    #[arg(long, value_name = "SECONDS")]
    pub st: Option<String>,
    /// Stop the game after this many plies.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = from_one())]
    pub max_plies: u32,
    /// Save the dialogue around the first fault to files whose names begin with this.
    #[arg(long, value_name = "FILE")]
    pub transcript: Option<PathBuf>,
    #[command(flatten)]
    pub environment: EnvironmentArgs,
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// An engine that was tested.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "EngineCheck")
)]
pub struct Found<'a> {
    /// The name that the engine gives itself.
    id: &'a Foreign,
    /// What the engine has announced, in words: `games`, `options`, and other things by protocol.
    announced: BTreeMap<&'static str, Foreign>,
    /// The game that it played against itself.
    variant: &'static str,
    /// The plies of that game.
    plies: u32,
    /// Its result.
    result: String,
    /// Why it ended, as ledgers say it.
    termination: &'static str,
    /// What the engine did wrong; only if there was a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<Foreign>,
    /// The time of its answers that need no thinking; only if it answers such questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<Answers>,
    /// The file with the dialogue before the fault; only if it was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<String>,
}

/// The number of pings for measuring latency.
const QUESTIONS: u32 = 200;

pub fn run(args: &CheckArgs) -> Result<Exit, CliError> {
    let manifest = manifest(args)?;
    let outfit = OutfitArgs {
        affinity: false,
        max_memory: None,
        faults: 1,
        dialogue: None,
        environment: args.environment.clone(),
    };
    let engines = outfit.engines(&manifest, args.transcript.as_deref())?;
    let Some(engines) = engines else {
        return Ok(Exit::Clean);
    };
    let announced = engines.ask(0, QUESTIONS).map_err(EngineError::from)?;
    let line = batch::one_game(&manifest, &Book::default(), Some(&engines))?;
    let entry = LedgerEntry::read(&line, &manifest).map_err(|why| BatchError::Book(why.into()))?;
    let answers = engines.latency(0).as_ref().and_then(Answers::of);
    let transcript = engines
        .transcript(0)
        .filter(|path| path.exists())
        .map(|path| path.display().to_string());
    let found = Found {
        id: &manifest.engines[0].id,
        announced: announced.into_iter().collect(),
        variant: args.variant.game().name(),
        plies: entry.plies,
        result: entry.end.outcome.to_string(),
        termination: entry.end.cause.word(),
        fault: entry.fault.map(|fault| fault.why),
        answers,
        transcript,
    };
    let exit = Exit::with(found.fault.is_some());
    let mut out = ui::stdout();
    if args.json {
        ui::json(&mut out, &found)?;
    } else {
        found.print_report(&mut out)?;
    }
    out.flush()?;
    Ok(exit)
}

/// The manifest of one game of the engine against itself.
fn manifest(args: &CheckArgs) -> Result<Manifest, CliError> {
    use clap::Parser as _;

    let quoted = args.cmd.replace('\'', "'\\''");
    let usual = match args.proto {
        Protocol::Cecp => "1",
        Protocol::Uci | Protocol::Lines => "0.1",
    };
    let words = format!(
        "cmd='{quoted}' proto={} st={} margin=1",
        args.proto,
        args.st.as_deref().unwrap_or(usual)
    );
    let engine = Program::described(&words).map_err(EngineError::from)?;
    let name = Variant::info(args.variant.game()).arguments[0];
    let games = GamesArgs::try_parse_from([
        "check",
        "--games=1",
        "--random-plies=0",
        &format!("--variant={name}"),
        &format!("--max-plies={}", args.max_plies),
    ]);
    let games = games.map_err(|error| BatchError::Book(error.to_string()))?;
    let field = Entries {
        players: vec![engine.name.clone()],
        engines: vec![engine],
    };
    Ok(batch::manifest(&games, field, None, &args.environment)?.0)
}

impl Found<'_> {
    fn print_report(&self, out: &mut impl Write) -> io::Result<()> {
        let Self {
            id,
            announced,
            variant,
            plies,
            result,
            termination,
            fault,
            answers,
            transcript,
        } = self;
        writeln!(
            out,
            "name: {}",
            if id.is_empty() {
                "none".into()
            } else {
                id.shown()
            }
        )?;
        for (what, words) in announced {
            let words = if words.is_empty() {
                "none".into()
            } else {
                words.shown()
            };
            let filled = ui::fill(&format!("{what}: {words}"), ui::columns() - 2);
            writeln!(out, "{}", filled.replace('\n', "\n  "))?;
        }
        match fault {
            None => {
                writeln!(
                    out,
                    "{variant} against itself: {plies} plies, {result}, {termination}; no fault"
                )?;
            }
            Some(why) => {
                writeln!(
                    out,
                    "{variant} against itself: at fault after {plies} plies ({termination}): {}",
                    why.shown()
                )?;
            }
        }
        if let Some(Answers {
            count,
            p50_ms,
            p99_ms,
        }) = answers
        {
            writeln!(
                out,
                "{count} replies that need no search: median {}, 99th percentile {}",
                ui::millis(*p50_ms),
                ui::millis(*p99_ms)
            )?;
        }
        if let Some(path) = transcript {
            writeln!(out, "dialogue before the fault: {path}")?;
        }
        Ok(())
    }
}
