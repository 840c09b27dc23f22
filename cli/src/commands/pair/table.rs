//! `pair table`: the table of a system for a number of participants.

use super::print;
use crate::{
    exit::{CliError, Exit},
    grid::{Grid, cells},
    options::{Form, FormArgs},
    ui,
};
use clap::{Args, ValueEnum};
use overboard_schedules::{
    hutton,
    ids::{RoundNo, TeamNo},
    knockout, molter, round_robin, scheveningen, team,
};
use std::io::Write;

/// Print a pairing table (Berger, Scheveningen, Molter).
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no such table.\n\nExamples:\n  overboard pair table round-robin 8\n  overboard pair table scheveningen 5 --cycles 2\n  overboard pair table molter 6 --boards 4 --rounds 4"
)]
pub struct TableArgs {
    /// The system.
    #[arg(value_name = "SYSTEM")]
    pub system: TableName,
    /// Participants; of each group for scheveningen.
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub count: u32,
    /// With round-robin and scheveningen: number of times that each pair meets [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub cycles: Option<u32>,
    /// With molter and hutton: boards of a team [default: 4].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub boards: Option<u32>,
    /// With molter: rounds [default: 3].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub rounds: Option<u32>,
    #[command(flatten)]
    pub form: FormArgs,
}

/// Systems whose tables need no event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TableName {
    RoundRobin,
    Scheveningen,
    Knockout,
    Molter,
    Hutton,
}

/// Refuses an option that says nothing about the tables of this system.
fn only_its_own(args: &TableArgs) -> Result<(), CliError> {
    use TableName::{Hutton, Molter, RoundRobin, Scheveningen};
    let all: [(&str, bool, &[TableName], &str); 3] = [
        ("cycles", args.cycles.is_some(), &[RoundRobin, Scheveningen], "round-robin and scheveningen"),
        ("boards", args.boards.is_some(), &[Molter, Hutton], "molter and hutton"),
        ("rounds", args.rounds.is_some(), &[Molter], "molter"),
    ];
    match all.iter().find(|(_, is_given, systems, _)| *is_given && !systems.contains(&args.system)) {
        Some((option, _, _, systems)) => Err(CliError::Event(format!("--{option} is only for {systems}"))),
        None => Ok(()),
    }
}

/// Prints the table of a system, in the form in which tables are read.
pub fn run(args: &TableArgs) -> Result<Exit, CliError> {
    only_its_own(args)?;
    let (cycles, boards) = (args.cycles.unwrap_or(1), args.boards.unwrap_or(4));
    let rounds: Vec<Vec<String>> = match args.system {
        TableName::RoundRobin => {
            pairs(&round_robin::berger(args.count, cycles), &|number| number.to_string())
        }
        TableName::Scheveningen => {
            let size = args.count;
            let name = move |number: TeamNo| {
                if number.get() <= size { format!("A{number}") } else { format!("B{}", number.get() - size) }
            };
            pairs(&scheveningen::scheveningen(size, cycles), &name)
        }
        TableName::Knockout => {
            pairs(&[knockout::round(&knockout::bracket(args.count), RoundNo::new(1))], &|number| {
                number.to_string()
            })
        }
        TableName::Molter => {
            let games = molter::molter(args.count, boards, args.rounds.unwrap_or(3));
            seats(&games.map_err(|error| CliError::Event(error.to_string()))?)
        }
        TableName::Hutton => seats(&hutton::hutton(args.count, boards)),
    };
    if args.form.json {
        let mut out = ui::stdout();
        ui::json(&mut out, &rounds)?;
        out.flush()?;
        return Ok(Exit::Clean);
    }
    let has_byes = rounds.iter().flatten().any(|game| game.starts_with('('));
    let head = if args.system == TableName::Hutton { "board" } else { "round" };
    let mut grid = Grid::new("", &[head, "games"]);
    (1..).zip(rounds).for_each(|(number, games)| grid.push(cells![format!("{number}"), games.join("  ")]));
    let printed = print(&"Table".into(), &[grid], &args.form)?;
    if args.form.to == Form::Text && has_byes {
        let mut out = ui::stdout();
        writeln!(out, "\n(n): number n has the bye")?;
        out.flush()?;
    }
    Ok(printed)
}

fn pairs(rounds: &[team::Round], name: &dyn Fn(TeamNo) -> String) -> Vec<Vec<String>> {
    let round = |round: &team::Round| {
        let pairs = round.pairs.iter().map(|pair| format!("{}-{}", name(pair.white), name(pair.black)));
        pairs.chain(round.free.iter().map(|free| format!("({})", name(*free)))).collect()
    };
    rounds.iter().map(round).collect()
}

/// Games by team and board: `2.1-5.1`.
fn seats(rounds: &[Vec<team::Game>]) -> Vec<Vec<String>> {
    let game = |game: &team::Game| {
        let seat = |seat: team::Seat| format!("{}.{}", seat.team, seat.board);
        format!("{}-{}", seat(game.white), seat(game.black))
    };
    rounds.iter().map(|games| games.iter().map(game).collect()).collect()
}
