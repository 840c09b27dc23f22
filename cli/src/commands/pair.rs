//! `pair`: pairs rounds, prints and checks them.

mod check;
pub mod explain;
mod generate;
mod lineup;
mod next;
mod set;
pub mod show;
mod table;
pub mod trials;

pub use show::{RoundReport, bye_in_words, round_grid};
pub use trials::fresh_seed;

use crate::{
    exit::{CliError, Exit},
    grid::Grid,
    options::{Form, FormArgs},
    page, ui,
};
use clap::{Args, Subcommand};
use overboard_events::Event;
use overboard_formats::foreign::Foreign;
use overboard_schedules::ids::RoundNo;
use std::io::{self, Write};

/// Pair rounds; print, check and explain pairings.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 errors were found, 2 the command is not possible.\n\nExamples:\n  overboard pair next cup\n  overboard pair show cup --round 2\n  overboard pair explain league --round 3 Leeds York\n  overboard pair table round-robin 8"
)]
pub struct PairArgs {
    #[command(subcommand)]
    pub command: PairCommand,
}

#[derive(Subcommand, Debug)]
pub enum PairCommand {
    Next(next::NextArgs),
    Set(set::PairSetArgs),
    Lineup(lineup::LineupArgs),
    Show(show::PairShowArgs),
    Check(check::CheckPairingsArgs),
    Explain(explain::ExplainPairArgs),
    Generate(generate::GenerateArgs),
    Trials(trials::TrialsArgs),
    Table(table::TableArgs),
}

pub fn run(args: &PairArgs) -> Result<Exit, CliError> {
    match &args.command {
        PairCommand::Next(args) => args.folder.named(next::run(args)),
        PairCommand::Set(args) => args.folder.named(set::run(args)),
        PairCommand::Lineup(args) => args.folder.named(lineup::run(args)),
        PairCommand::Show(args) => args.folder.named(show::run(args)),
        PairCommand::Check(args) => args.folder.named(check::run(args)),
        PairCommand::Explain(args) => args.folder.named(explain::run(args)),
        PairCommand::Generate(args) => args.folder.named(generate::run(args)),
        PairCommand::Trials(args) => trials::run(args),
        PairCommand::Table(args) => table::run(args),
    }
}

/// The number of a paired round: the given one, or the last.
pub fn which(event: &Event, round: Option<u32>) -> Result<RoundNo, CliError> {
    let paired = event.rounds.len() as u32;
    let number = round.unwrap_or(paired);
    if number == 0 || number > paired {
        return Err(CliError::Event(not_paired(number, paired)));
    }
    Ok(RoundNo::new(number))
}

fn not_paired(number: u32, paired: u32) -> String {
    match paired {
        0 => "no round is paired yet; `overboard pair next FOLDER` pairs the first".into(),
        _ => format!("round {number} is not paired; the last one is {paired}"),
    }
}

/// Prints tables in the form asked for.
pub fn print(title: &Foreign, grids: &[Grid], form: &FormArgs) -> Result<Exit, CliError> {
    print_parts(title, form, |out| {
        for (index, grid) in grids.iter().enumerate() {
            if index > 0 && form.to != Form::Html {
                writeln!(out)?;
            }
            grid.write(out, form.to, form.safe)?;
        }
        Ok(())
    })
}

/// Prints what is written in the form asked for; of a page, its body.
fn print_parts(
    title: &Foreign,
    form: &FormArgs,
    write: impl FnOnce(&mut ui::Out) -> io::Result<()>,
) -> Result<Exit, CliError> {
    if form.safe && form.to != Form::Csv {
        return Err(CliError::Event("--safe is only for --to csv".into()));
    }
    let mut out = ui::stdout();
    if form.to == Form::Html {
        let [before, after] = page::frame(title);
        write!(
            out,
            "{before}{}",
            page::text(maud::html! { h1 { (title.shown()) } })
        )?;
        write(&mut out)?;
        write!(out, "{after}")?;
    } else {
        write(&mut out)?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}
