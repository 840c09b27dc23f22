//! `pair table`: the table of a system for a number of participants.

use super::print_parts;
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
use serde::{Serialize, Serializer};
use std::{borrow::Cow, iter, rc::Rc};

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
        (
            "cycles",
            args.cycles.is_some(),
            &[RoundRobin, Scheveningen],
            "round-robin and scheveningen",
        ),
        (
            "boards",
            args.boards.is_some(),
            &[Molter, Hutton],
            "molter and hutton",
        ),
        ("rounds", args.rounds.is_some(), &[Molter], "molter"),
    ];
    for (option, is_given, systems, names) in all {
        if is_given && !systems.contains(&args.system) {
            return Err(CliError::Event(format!("--{option} is only for {names}")));
        }
    }
    Ok(())
}

/// The rounds of a table, each with its games, made while they are taken: a table can be very long.
type Rounds = Box<dyn Iterator<Item = Vec<String>>>;

/// Prints the table of a system, in the form in which tables are read.
pub fn run(args: &TableArgs) -> Result<Exit, CliError> {
    only_its_own(args)?;
    let rounds = rounds_of(args)?;
    if args.form.json {
        return ui::print_json(&AsList(&rounds));
    }
    let head = if args.system == TableName::Hutton {
        "board"
    } else {
        "round"
    };
    let grid = Grid::new("", &[head, "games"]);
    let row = |(number, games): (u32, Vec<String>)| {
        Cow::Owned(cells![format!("{number}"), games.join("  ")])
    };
    let printed = print_parts(&"Table".into(), &args.form, |out| {
        grid.write_rows(out, args.form.to, args.form.safe, &|| {
            Box::new((1..).zip(rounds()).map(row))
        })
    })?;
    // With an odd number there is a bye in every round.
    let has_byes = rounds()
        .next()
        .is_some_and(|games| games.iter().any(|game| game.starts_with('(')));
    if args.form.to == Form::Text && has_byes {
        ui::print_text("\n(n): number n has the bye\n")?;
    }
    Ok(printed)
}

/// The rounds of the system, made anew each time that they are asked for.
fn rounds_of(args: &TableArgs) -> Result<Box<dyn Fn() -> Rounds>, CliError> {
    let (count, cycles, boards) = (
        args.count,
        args.cycles.unwrap_or(1),
        args.boards.unwrap_or(4),
    );
    let number = |number: TeamNo| number.to_string();
    Ok(match args.system {
        TableName::RoundRobin => {
            let round = move |round| round_robin::berger_round(count, cycles, round);
            let rounds = round_robin::rounds_of_a_cycle(count) * cycles;
            Box::new(move || Box::new(pairs((0..rounds).map(round), number)))
        }
        TableName::Scheveningen => {
            let name = move |number: TeamNo| {
                if number.get() <= count {
                    format!("A{number}")
                } else {
                    format!("B{}", number.get() - count)
                }
            };
            let round = move |round| scheveningen::scheveningen_round(count, round);
            Box::new(move || Box::new(pairs((0..count * cycles).map(round), name)))
        }
        TableName::Knockout => {
            let round = move || knockout::round(&knockout::bracket(count), RoundNo::new(1));
            Box::new(move || Box::new(pairs(iter::once(round()), number)))
        }
        TableName::Molter => {
            let games = molter::molter(count, boards, args.rounds.unwrap_or(3));
            seats(games?)
        }
        TableName::Hutton => seats(hutton::hutton(count, boards)),
    })
}

/// Rounds as a list of JSON.
struct AsList<'a>(&'a dyn Fn() -> Rounds);

impl Serialize for AsList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

fn pairs(
    rounds: impl Iterator<Item = team::Round>,
    name: impl Fn(TeamNo) -> String,
) -> impl Iterator<Item = Vec<String>> {
    rounds.map(move |round| pairs_of(&round, &name))
}

fn pairs_of(round: &team::Round, name: impl Fn(TeamNo) -> String) -> Vec<String> {
    let mut words = Vec::new();
    for pair in &round.pairs {
        words.push(format!("{}-{}", name(pair.white), name(pair.black)));
    }
    for free in &round.free {
        words.push(format!("({})", name(*free)));
    }
    words
}

/// Games by team and board: `2.1-5.1`.
fn seats(rounds: Vec<Vec<team::Game>>) -> Box<dyn Fn() -> Rounds> {
    let rounds = Rc::new(rounds);
    Box::new(move || {
        let rounds = Rc::clone(&rounds);
        Box::new((0..rounds.len()).map(move |round| rounds[round].iter().map(game).collect()))
    })
}

fn game(game: &team::Game) -> String {
    let seat = |seat: team::Seat| format!("{}.{}", seat.team, seat.board);
    format!("{}-{}", seat(game.white), seat(game.black))
}
