//! `pair`: pair rounds, print them, check them.

mod explain;
mod generate;
mod hand;
mod trials;

pub use trials::fresh_seed;

use crate::{
    args::{
        CheckPairingsArgs, Form, FormArgs, NextArgs, PairArgs, PairCommand, PairShowArgs, TableArgs,
        TableName,
    },
    commands::event::{print_faults, tell},
    exit::{Exit, Failure},
    grid::Grid,
    page::page,
    ui,
};
use overboard_events::{
    Event,
    csv::At,
    rounds::{Match, Round},
    store::{self, Folder},
};
use overboard_schedules::{
    hutton,
    ids::{RoundNo, TeamNo},
    knockout, molter, round_robin, scheveningen, team,
};
use serde::Serialize;
use std::io::Write;

pub fn run(args: &PairArgs) -> Result<Exit, Failure> {
    match &args.command {
        PairCommand::Next(args) => next(args),
        PairCommand::Set(args) => hand::set(args),
        PairCommand::Lineup(args) => hand::line_up(args),
        PairCommand::Show(args) => show(args),
        PairCommand::Check(args) => check(args),
        PairCommand::Explain(args) => explain::run(args),
        PairCommand::Generate(args) => generate::run(args),
        PairCommand::Trials(args) => trials::run(args),
        PairCommand::Table(args) => table(args),
    }
}

fn next(args: &NextArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event()?;
    event.check_entries().iter().for_each(|fault| ui::warn(&fault.to_string()));
    let first = event.rounds.len() + 1;
    let said = |error: overboard_events::pairing::NoRound| Failure::Event(error.to_string());
    event.pair_next().map_err(said)?;
    while args.all && (event.rounds.len() as u32) < event.scheduled() && event.pair_next().is_ok() {}
    let last = event.rounds.len();
    let what = if first == last {
        format!("pairing of round {first}")
    } else {
        format!("pairing of rounds {first} to {last}")
    };
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    tell(&what, &changed, &args.write)?;
    if first == last && !args.write.json {
        let mut out = ui::stdout();
        writeln!(out)?;
        round_grid(&event, RoundNo::new(last as u32)).write(&mut out, Form::Text, false)?;
        out.flush()?;
    }
    Ok(Exit::Clean)
}

fn show(args: &PairShowArgs) -> Result<Exit, Failure> {
    let event = store::read(&args.folder.folder)?;
    let number = which(&event, args.round)?;
    let mut out = ui::stdout();
    if args.form.json {
        ui::json(&mut out, &Told::of(&event, number))?;
        out.flush()?;
        return Ok(Exit::Clean);
    }
    print(&event.settings.name, &[round_grid(&event, number)], &args.form)
}

/// The number of a round that is paired: the one asked for, or the last.
pub fn which(event: &Event, round: Option<u32>) -> Result<RoundNo, Failure> {
    let paired = event.rounds.len() as u32;
    let number = round.unwrap_or(paired);
    if number == 0 || number > paired {
        let message = match paired {
            0 => "no round is paired yet; `overboard pair next` pairs one".into(),
            _ => format!("round {number} is not paired; the last one is {paired}"),
        };
        return Err(Failure::Event(message));
    }
    Ok(RoundNo::new(number))
}

/// Prints tables in the form asked for.
pub fn print(title: &str, grids: &[Grid], form: &FormArgs) -> Result<Exit, Failure> {
    let mut out = ui::stdout();
    if form.to == Form::Html {
        let body = maud::html! { h1 { (title) } @for grid in grids { (grid.markup()) } };
        out.write_all(page(title, &body).as_bytes())?;
    } else {
        for (index, grid) in grids.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            grid.write(&mut out, form.to, form.safe)?;
        }
    }
    out.flush()?;
    Ok(Exit::Clean)
}

/// A round as a table.
pub fn round_grid(event: &Event, number: RoundNo) -> Grid {
    let round = &event.rounds[number.index()];
    let mut grid = Grid::new(format!("Round {number}"), &["table", "no.", "White", "result", "Black", "no."]);
    for this in &round.matches {
        if !this.boards.is_empty() {
            grid.strong.push(grid.rows.len());
        }
        let cell = |number: TeamNo| (number.to_string(), event.name(number));
        let ((one, white), (other, black)) = (cell(this.white), cell(this.black));
        grid.rows.push(vec![this.table.to_string(), one, white, told(event, number, this), black, other]);
        for board in &this.boards {
            let name = |id: Option<u32>| {
                id.and_then(|id| event.player(id)).map_or("-", |player| &player.name).to_owned()
            };
            let result = board.result.map_or(String::new(), |result| result.to_string());
            let label = format!("{}.{}", this.table, board.board);
            grid.rows.push(vec![
                label,
                String::new(),
                name(board.white),
                result,
                name(board.black),
                String::new(),
            ]);
        }
    }
    for bye in &round.byes {
        let none = String::new();
        grid.rows.push(vec![
            none.clone(),
            bye.who.to_string(),
            event.name(bye.who),
            bye.kind.as_str().into(),
            none.clone(),
            none,
        ]);
    }
    grid
}

/// The result of a match in few signs.
fn told(event: &Event, round: RoundNo, this: &Match) -> String {
    if this.result.is_none() && event.outcome(this).is_none() {
        return event.default_words(this, round).unwrap_or_default();
    }
    event.in_words(this)
}

#[derive(Serialize)]
struct Told {
    round: RoundNo,
    matches: Vec<ToldMatch>,
    byes: Vec<ToldBye>,
}

#[derive(Serialize)]
struct ToldMatch {
    table: u32,
    white: TeamNo,
    white_name: String,
    black: TeamNo,
    black_name: String,
    result: Option<overboard_events::rounds::GameResult>,
    score: Option<[overboard_schedules::points::Points; 2]>,
    play_off: Option<overboard_events::rounds::GameResult>,
    points: Option<[[overboard_schedules::points::Points; 2]; 2]>,
    boards: Vec<ToldBoard>,
}

#[derive(Serialize)]
struct ToldBoard {
    board: u32,
    white: Option<u32>,
    black: Option<u32>,
    result: Option<overboard_events::rounds::GameResult>,
}

#[derive(Serialize)]
struct ToldBye {
    who: TeamNo,
    name: String,
    kind: &'static str,
}

impl Told {
    fn of(event: &Event, number: RoundNo) -> Self {
        let Round { matches, byes } = &event.rounds[number.index()];
        let told = |this: &Match| ToldMatch {
            table: this.table,
            white: this.white,
            white_name: event.name(this.white),
            black: this.black,
            black_name: event.name(this.black),
            result: this.result,
            score: this.tally,
            play_off: this.play_off,
            points: event.outcome(this).map(|outcome| outcome.scores),
            boards: this
                .boards
                .iter()
                .map(|board| ToldBoard {
                    board: board.board,
                    white: board.white,
                    black: board.black,
                    result: board.result,
                })
                .collect(),
        };
        Self {
            round: number,
            matches: matches.iter().map(told).collect(),
            byes: byes
                .iter()
                .map(|bye| ToldBye { who: bye.who, name: event.name(bye.who), kind: bye.kind.as_str() })
                .collect(),
        }
    }
}

fn check(args: &CheckPairingsArgs) -> Result<Exit, Failure> {
    let looked = store::read_with_bases(&args.folder.folder)?.look_at_pairings();
    let placed = |messages: Vec<String>| -> Vec<_> {
        messages.into_iter().map(|message| At::file("rounds").fault(message)).collect()
    };
    print_faults(&placed(looked.faults), &placed(looked.notes), args.json)
}

/// A round as `pair show --json` prints it.
pub fn round_json(event: &Event, number: RoundNo) -> Result<String, Failure> {
    Ok(serde_json::to_string(&Told::of(event, number)).map_err(std::io::Error::from)?)
}

/// The table of a system, in the words that tables are printed with.
fn table(args: &TableArgs) -> Result<Exit, Failure> {
    let rounds: Vec<Vec<String>> = match args.system {
        TableName::RoundRobin => {
            pairs(&round_robin::berger(args.count, args.cycles), &|number| number.to_string())
        }
        TableName::Scheveningen => {
            let size = args.count;
            let name = move |number: TeamNo| {
                if number.get() <= size { format!("A{number}") } else { format!("B{}", number.get() - size) }
            };
            pairs(&scheveningen::scheveningen(size, args.cycles > 1), &name)
        }
        TableName::Knockout => {
            pairs(&[knockout::round(&knockout::bracket(args.count), RoundNo::new(1))], &|number| {
                number.to_string()
            })
        }
        TableName::Molter => {
            let games = molter::molter(args.count, args.boards, args.rounds);
            seats(&games.map_err(|error| Failure::Event(error.to_string()))?)
        }
        TableName::Hutton => seats(&hutton::hutton(args.count, args.boards)),
    };
    if args.form.json {
        let mut out = ui::stdout();
        ui::json(&mut out, &rounds)?;
        out.flush()?;
        return Ok(Exit::Clean);
    }
    let head = if args.system == TableName::Hutton { "board" } else { "round" };
    let mut grid = Grid::new("", &[head, "games"]);
    grid.rows =
        (1..).zip(rounds).map(|(number, games)| vec![format!("{number}"), games.join("  ")]).collect();
    print("Table", &[grid], &args.form)
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
