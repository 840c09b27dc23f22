//! `orders`: the captains' instructions, for the other captain to see.

use crate::{
    exit::{CliError, Exit},
    games::{Judge, total_bytes},
    options::JudgingArgs,
    ui,
};
use clap::{Args, ValueEnum};
use overboard_formats::foreign::visible;
use overboard_games::strategichess::linked::{
    judge::orders::{Collector, Instruction, InstructionFault, Instructions},
    order,
    score::report,
};
use overboard_referee::{
    Options,
    finding::{Severity, Verdict},
    report::Report,
};
use overboard_rules::{refusal::list, square::Side};
use serde::Serialize;
use std::{
    io::{self, Write},
    path::PathBuf,
};

/// Print the captains' instructions in StrategiChess.
///
/// The other captain may see them after the game (SC-41). Each is listed with the move that it follows and with what it
/// means: the pieces and players that it names, deviations from the prescribed form (SC-40), and why it cannot be
/// carried out. An instruction in other words loses the game for its team (SC-42); it is quoted, with a mark where it
/// departs from the form.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 an instruction is not in the prescribed form, 2 input cannot be read.\n\nExamples:\n  overboard orders match.npgn\n  overboard orders --team W match.npgn\n  overboard orders --json round1/*.npgn | jq -r '.orders[].text'"
)]
pub struct OrdersArgs {
    /// Files, or folders of records, to read; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print only the instructions of White's or of Black's captain.
    #[arg(long, value_name = "W|B")]
    pub team: Option<TeamName>,
    /// Print one JSON object for each game that has instructions.
    #[arg(long)]
    pub json: bool,
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// A team by its letter on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TeamName {
    /// White's.
    #[value(name = "W", alias = "w")]
    White,
    /// Black's.
    #[value(name = "B", alias = "b")]
    Black,
}

const SIDES: [Side; 2] = [Side::White, Side::Black];

pub fn run(args: &OrdersArgs) -> Result<Exit, CliError> {
    let options = Options {
        count_notes: true,
        no_excerpts: true,
        ..args.judging.options()?
    };
    let judge = Judge::new(options, args.jobs, ui::bytes_bar(total_bytes(&args.files)))?;
    let mut book = Book {
        args,
        out: ui::stdout(),
        exit: Exit::Clean,
        counts: [0; 3],
    };
    let empty = judge.run_before(&args.files, &Collector::default(), |report, found| {
        book.add(&report, found.unwrap_or_default())
    })?;
    book.finish()?;
    for path in empty {
        ui::warn(&format!("{}: no game in this file", path.display()));
    }
    Ok(book.exit)
}

/// Prints the instructions, game by game.
struct Book<'a, W> {
    args: &'a OrdersArgs,
    out: W,
    exit: Exit,
    /// The numbers of instructions, of games that have some, and of instructions that break SC-40.
    counts: [u64; 3],
}

impl<W: Write> Book<'_, W> {
    fn add(&mut self, report: &Report, mut found: Instructions) -> io::Result<()> {
        if report.verdict == Verdict::Unreadable {
            self.exit = Exit::Unusable;
            complain(report);
        }
        if found.more > 0 {
            self.exit = self.exit.max(Exit::Findings);
            let (file, game) = (report.file.shown(), report.game);
            let listed = found.list.len();
            ui::warn(&format!(
                "{file}: game {game}: only its first {listed} instructions are listed; there are {} more",
                found.more
            ));
        }
        let wanted = self.args.team.map(Side::from);
        found
            .list
            .retain(|order| wanted.is_none() || order.side.is_none() || order.side == wanted);
        if found.list.is_empty() {
            return Ok(());
        }
        let broken = found.list.iter().filter(|order| is_broken(order)).count();
        if broken > 0 {
            self.exit = self.exit.max(Exit::Findings);
        }
        let more = [found.list.len(), 1, broken];
        self.counts
            .iter_mut()
            .zip(more)
            .for_each(|(count, more)| *count += more as u64);
        if self.args.json {
            ui::json(&mut self.out, &OrdersReport::of(report, &found))
        } else {
            write_game(&mut self.out, report, &found)
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        if !self.args.json {
            let [orders, games, broken] = self.counts;
            let strong = ui::shown(ui::STRONG);
            let noun = if orders == 1 {
                "instruction"
            } else {
                "instructions"
            };
            let games = if games == 1 {
                "1 game".into()
            } else {
                format!("{games} games")
            };
            writeln!(
                self.out,
                "{strong}{orders} {noun}{strong:#} in {games}, {broken} not in the prescribed form"
            )?;
        }
        self.out.flush()
    }
}

/// Whether it departs from the form of SC-40, or has no known sender.
fn is_broken(order: &Instruction) -> bool {
    (order.side.is_none() && !order.is_after_end)
        || order.fault.as_ref().is_some_and(|fault| fault.is_breach)
}

/// Reports on standard error why a game cannot be read.
fn complain(report: &Report) {
    let is_why = |severity, verdict| severity == Severity::Error && verdict == Verdict::Unreadable;
    let why = report
        .findings
        .iter()
        .find(|finding| is_why(finding.severity, finding.code.verdict));
    let message = why.map_or("".into(), |finding| finding.message.shown());
    let words = if report.game == 0 {
        message.to_string()
    } else {
        format!(
            "{}: game {} cannot be read: {message}",
            report.file.shown(),
            report.game
        )
    };
    ui::complain_at_length(&visible(&words));
}

impl From<TeamName> for Side {
    fn from(team: TeamName) -> Self {
        match team {
            TeamName::White => Self::White,
            TeamName::Black => Self::Black,
        }
    }
}

fn write_game(out: &mut impl Write, report: &Report, found: &Instructions) -> io::Result<()> {
    let strong = ui::shown(ui::STRONG);
    writeln!(
        out,
        "{strong}{}: game {}{strong:#}",
        report.file.shown(),
        report.game
    )?;
    for side in SIDES.map(Some).into_iter().chain([None]) {
        let mut orders = found
            .list
            .iter()
            .filter(|order| order.side == side)
            .peekable();
        if orders.peek().is_some() {
            writeln!(out, "  {}:", heading(found, side))?;
        }
        orders.try_for_each(|order| write_order(out, order, found.is_over))?;
    }
    writeln!(out)
}

/// `White's instructions (Leeds, captain Gil), for Black's captain (Hal) to see`.
fn heading(found: &Instructions, side: Option<Side>) -> String {
    let Some(side) = side else {
        return "instructions of no team".into();
    };
    let team = found.teams[side]
        .as_deref()
        .map(|team| visible(team).into_owned());
    let captain = |side: Side| {
        found.captains[side]
            .as_deref()
            .map(|name| visible(name).into_owned())
    };
    let own: Vec<_> = team
        .into_iter()
        .chain(captain(side).map(|name| format!("captain {name}")))
        .collect();
    let own = if own.is_empty() {
        String::new()
    } else {
        format!(" ({})", own.join(", "))
    };
    let other = captain(side.other()).map_or(String::new(), |name| format!(" ({name})"));
    format!(
        "{side}'s instructions{own}, for {}'s captain{other} to see",
        side.other()
    )
}

fn write_order(out: &mut impl Write, order: &Instruction, is_over: bool) -> io::Result<()> {
    let time = order
        .time
        .map_or(String::new(), |time| format!(" ({})", report(time)));
    let place = if order.ply == 0 {
        "before the first move".into()
    } else {
        format!("ply {}, after {}{time}", order.ply, visible(&order.after))
    };
    let text = visible(&order.text);
    writeln!(out, "    {place}:\n      {text}")?;
    if order.is_after_end {
        return writeln!(
            out,
            "      after the end of the game: no communication (SC-42)"
        );
    }
    if order.side.is_none() {
        return writeln!(
            out,
            "      the record does not say whose: write `W` or `B` first"
        );
    }
    if let Some(read) = &order.order {
        write_reading(out, read)?;
    }
    match &order.fault {
        Some(fault) => write_fault(out, order, fault, &text, is_over),
        None => Ok(()),
    }
}

/// How an instruction in the prescribed form was understood.
fn write_reading(out: &mut impl Write, order: &order::Order) -> io::Result<()> {
    let form = if order.departures.is_empty() {
        "in the prescribed form".to_string()
    } else {
        let style = ui::shown(ui::DOUBTFUL);
        format!(
            "in the prescribed form {style}but for {}{style:#} (SC-40)",
            list(&order.departures, "and")
        )
    };
    writeln!(out, "      {form}: {}", visible(&order.to_string()))
}

fn write_fault(
    out: &mut impl Write,
    order: &Instruction,
    fault: &InstructionFault,
    shown: &str,
    is_over: bool,
) -> io::Result<()> {
    if shown == order.text
        && let Some(before) = fault.at.and_then(|at| order.text.get(..at))
    {
        writeln!(out, "      {}^", " ".repeat(before.chars().count()))?;
    }
    let style = ui::shown(if fault.is_breach {
        ui::BAD
    } else {
        ui::DOUBTFUL
    });
    writeln!(
        out,
        "      {style}{}{style:#}: {}",
        standing(fault),
        visible(&fault.words)
    )?;
    match order.side {
        Some(side) if fault.loses => {
            writeln!(out, "      {side} loses by rules infraction (SC-42)")
        }
        Some(_) if fault.is_breach && is_over => {
            writeln!(out, "      the game was decided before (SC-42)")
        }
        Some(side) if fault.is_breach => {
            writeln!(
                out,
                "      {side} loses when the game is over; this record is unfinished (SC-42)"
            )
        }
        _ => Ok(()),
    }
}

const fn standing(fault: &InstructionFault) -> &'static str {
    if fault.is_breach {
        "not in the prescribed form (SC-40)"
    } else {
        "cannot be carried out; not punished (SC-42)"
    }
}

/// The instructions of a game.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OrdersReport<'a> {
    /// The file, as given; `-` is standard input.
    file: &'a str,
    /// The number of the game in its file, from 1.
    game: u64,
    /// The tag WhiteTeam.
    white_team: Option<&'a str>,
    /// The tag BlackTeam.
    black_team: Option<&'a str>,
    /// The tag WhiteCaptain.
    white_captain: Option<&'a str>,
    /// The tag BlackCaptain.
    black_captain: Option<&'a str>,
    /// The instructions in the order of the record.
    orders: Vec<Order<'a>>,
}

/// An instruction of a captain.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Order<'a> {
    /// `white` or `black`; null if the record does not say.
    team: Option<&'static str>,
    /// The ply after which the instruction was given; 0 before the first.
    ply: u32,
    /// The text of that ply; null if there is none.
    after: Option<&'a str>,
    /// Its move number; null if there is none.
    number: Option<&'a str>,
    /// Its board; null if there is none.
    board: Option<String>,
    /// Its time; null if there is none.
    time: Option<String>,
    /// The words of the instruction.
    text: &'a str,
    /// `well-formed`, `order-form` (the words are right; capitals, quotes, spaces or the full stop are not), `unfit`
    /// (it cannot be carried out), `infraction` (it is not in the prescribed form), `after-end` (it comes after the end
    /// of the game) or `of-no-team` (it comes from no team of the match).
    verdict: &'static str,
    /// How the fixed words depart from the form: `capitals`, `quotes`, `no-quotes`, `spaces`, `no-full-stop`, `signs`.
    departures: Vec<&'static str>,
    /// How it was understood; null if it is not in the prescribed form.
    reading: Option<Reading<'a>>,
    /// What is wrong; null if nothing is.
    why: Option<&'a str>,
    /// The character of the text, from 0, at which it is wrong.
    at: Option<usize>,
    /// Whether it decides the game (SC-42).
    loses: bool,
}

impl<'a> OrdersReport<'a> {
    fn of(report: &'a Report, found: &'a Instructions) -> Self {
        let [white_team, black_team] = found.teams.as_ref().map(Option::as_deref).into_array();
        let [white_captain, black_captain] =
            found.captains.as_ref().map(Option::as_deref).into_array();
        let orders = found.list.iter().map(Order::from).collect();
        Self {
            file: report.file.as_it_came(),
            game: report.game,
            white_team,
            black_team,
            white_captain,
            black_captain,
            orders,
        }
    }
}

/// What an instruction means.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Reading<'a> {
    /// The player who is to send pieces.
    sender: &'a str,
    /// The player who is to receive them.
    receiver: &'a str,
    /// The pieces; empty for reinforcements.
    pieces: Vec<Pieces<'a>>,
}

/// Pieces of one kind.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Pieces<'a> {
    /// The kind of piece, such as `rook`.
    piece: &'static str,
    /// Which of them: `all`, `both`, `some`, `any`, or null.
    share: Option<&'static str>,
    /// How many; null if no number is given.
    count: Option<u32>,
    /// The squares from which they come.
    squares: Vec<&'a str>,
}

impl<'a> From<&'a order::Order> for Reading<'a> {
    fn from(order: &'a order::Order) -> Self {
        let pieces = order.items.iter().map(|item| Pieces {
            piece: item.role.name(),
            share: item.share.map(order::Share::word),
            count: if item.is_negative { None } else { item.count },
            squares: item.squares.iter().map(|(text, _)| text.as_str()).collect(),
        });
        Self {
            sender: &order.sender,
            receiver: &order.receiver,
            pieces: pieces.collect(),
        }
    }
}

/// The verdict on an instruction, in a word.
fn word(order: &Instruction) -> &'static str {
    match &order.fault {
        _ if order.is_after_end => "after-end",
        _ if order.side.is_none() => "of-no-team",
        Some(fault) if fault.is_breach => "infraction",
        Some(_) => "unfit",
        None if order
            .order
            .as_ref()
            .is_some_and(|read| !read.departures.is_empty()) =>
        {
            "order-form"
        }
        None => "well-formed",
    }
}

impl<'a> From<&'a Instruction> for Order<'a> {
    fn from(order: &'a Instruction) -> Self {
        let number = order
            .after
            .split(' ')
            .next()
            .filter(|number| !number.is_empty());
        let letters = number.map(|number| {
            number
                .chars()
                .filter(char::is_ascii_alphabetic)
                .collect::<String>()
                .to_uppercase()
        });
        let fault = order.fault.as_ref();
        Self {
            team: order.side.map(|side| {
                if side == Side::White {
                    "white"
                } else {
                    "black"
                }
            }),
            ply: order.ply,
            after: Some(order.after.as_str()).filter(|after| !after.is_empty()),
            number,
            board: letters.filter(|letters| !letters.is_empty()),
            time: order.time.map(report),
            text: &order.text,
            verdict: word(order),
            departures: order
                .order
                .iter()
                .flat_map(|read| &read.departures)
                .map(|way| way.id())
                .collect(),
            reading: order.order.as_ref().map(Reading::from),
            why: fault.map(|fault| fault.words.as_str()),
            at: fault.and_then(|fault| Some(order.text.get(..fault.at?)?.chars().count())),
            loses: fault.is_some_and(|fault| fault.loses),
        }
    }
}
