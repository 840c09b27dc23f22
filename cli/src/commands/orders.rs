//! `orders`: the captains' instructions, for the other captain to see.

use crate::{
    exit::{CliError, Exit},
    games::Judge,
    grid::or_blank,
    options::{JobsArgs, JudgingArgs, without_findings},
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
    finding::{Finding, Severity, Verdict},
    report::Report,
};
use overboard_rules::{
    refusal::{counted, list},
    square::Side,
};
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
    #[command(flatten)]
    pub threads: JobsArgs,
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

pub fn run(args: &OrdersArgs) -> Result<Exit, CliError> {
    let options = without_findings(args.judging.options()?);
    let judge = Judge::of(options, args.threads.jobs, &args.files)?;
    let mut book = Book {
        args,
        out: ui::stdout(),
        exit: Exit::Clean,
        orders: 0,
        games: 0,
        broken: 0,
    };
    let empty = judge.run_before(&args.files, &Collector::default(), |report, found| {
        book.add(&report, found.unwrap_or_default())
    })?;
    book.finish()?;
    for path in empty {
        ui::warn_of_no_game(&path.display());
    }
    Ok(book.exit)
}

/// Prints the instructions, game by game.
struct Book<'a> {
    args: &'a OrdersArgs,
    out: ui::Out,
    exit: Exit,
    /// Instructions.
    orders: u64,
    /// Games that have some.
    games: u64,
    /// Instructions that break SC-40.
    broken: u64,
}

impl Book<'_> {
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
        self.orders += found.list.len() as u64;
        self.games += 1;
        self.broken += broken as u64;
        if self.args.json {
            ui::json(&mut self.out, &OrdersReport::of(report, &found))
        } else {
            write_game(&mut self.out, report, &found)
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        if !self.args.json {
            let strong = ui::shown(ui::STRONG);
            let orders = counted(self.orders, "instruction");
            let games = counted(self.games, "game");
            let broken = self.broken;
            writeln!(
                self.out,
                "{strong}{orders}{strong:#} in {games}, {broken} not in the prescribed form"
            )?;
        }
        self.out.flush()
    }
}

/// Whether it departs from the form of SC-40, or has no known sender.
fn is_broken(order: &Instruction) -> bool {
    match &order.fault {
        Some(fault) if fault.is_breach => true,
        _ => order.side.is_none() && !order.is_after_end,
    }
}

/// Reports on standard error why a game cannot be read.
fn complain(report: &Report) {
    let mut words = why_unreadable(report);
    if report.game > 0 {
        let (file, game) = (report.file.shown(), report.game);
        words = format!("{file}: game {game} cannot be read: {words}");
    }
    ui::complain_at_length(&visible(&words));
}

fn why_unreadable(report: &Report) -> String {
    let is_why = |finding: &&Finding| {
        finding.severity == Severity::Error && finding.code.verdict == Verdict::Unreadable
    };
    let why = report.findings.iter().find(is_why);
    or_blank(why.map(|finding| finding.message.shown()))
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
    let (file, game) = (report.file.shown(), report.game);
    writeln!(out, "{strong}{file}: game {game}{strong:#}")?;
    for side in [Some(Side::White), Some(Side::Black), None] {
        write_side(out, found, side)?;
    }
    writeln!(out)
}

fn write_side(out: &mut impl Write, found: &Instructions, side: Option<Side>) -> io::Result<()> {
    let orders = found.list.iter().filter(|order| order.side == side);
    for (at, order) in orders.enumerate() {
        if at == 0 {
            writeln!(out, "  {}:", heading(found, side))?;
        }
        write_order(out, order, found.is_over)?;
    }
    Ok(())
}

/// `White's instructions (Leeds, captain Gil), for Black's captain (Hal) to see`.
fn heading(found: &Instructions, side: Option<Side>) -> String {
    let Some(side) = side else {
        return "instructions of no team".into();
    };
    let captain = |side: Side| found.captains[side].as_deref().map(visible);
    let own = match (found.teams[side].as_deref().map(visible), captain(side)) {
        (Some(team), Some(name)) => format!(" ({team}, captain {name})"),
        (Some(team), None) => format!(" ({team})"),
        (None, Some(name)) => format!(" (captain {name})"),
        (None, None) => String::new(),
    };
    let other = or_blank(captain(side.other()).map(|name| format!(" ({name})")));
    format!(
        "{side}'s instructions{own}, for {}'s captain{other} to see",
        side.other()
    )
}

fn write_order(out: &mut impl Write, order: &Instruction, is_over: bool) -> io::Result<()> {
    let time = or_blank(order.time.map(|time| format!(" ({})", report(time))));
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
        && let Some(before) = before_fault(order, fault)
    {
        writeln!(out, "      {}^", " ".repeat(before.chars().count()))?;
    }
    let (style, standing) = if fault.is_breach {
        (ui::BAD, "not in the prescribed form (SC-40)")
    } else {
        (ui::DOUBTFUL, "cannot be carried out; not punished (SC-42)")
    };
    let (style, words) = (ui::shown(style), visible(&fault.words));
    writeln!(out, "      {style}{standing}{style:#}: {words}")?;
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

/// The text before the place at which an instruction is wrong.
fn before_fault<'a>(order: &'a Instruction, fault: &InstructionFault) -> Option<&'a str> {
    order.text.get(..fault.at?)
}

/// A text; `None` if it is empty.
fn non_empty<T: AsRef<str>>(text: T) -> Option<T> {
    if text.as_ref().is_empty() {
        return None;
    }
    Some(text)
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
        Self {
            sender: &order.sender,
            receiver: &order.receiver,
            pieces: order.items.iter().map(Pieces::from).collect(),
        }
    }
}

impl<'a> From<&'a order::Item> for Pieces<'a> {
    fn from(item: &'a order::Item) -> Self {
        Self {
            piece: item.role.name(),
            share: item.share.map(order::Share::word),
            count: if item.is_negative { None } else { item.count },
            squares: item.squares.iter().map(|(text, _)| text.as_str()).collect(),
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
        let number = order.after.split(' ').next().unwrap_or("");
        let letters = number.chars().filter(char::is_ascii_alphabetic);
        let letters = letters.collect::<String>().to_uppercase();
        let mut departures = Vec::new();
        if let Some(read) = &order.order {
            departures.extend(read.departures.iter().map(|way| way.id()));
        }
        let fault = order.fault.as_ref();
        Self {
            team: order.side.map(|side| match side {
                Side::White => "white",
                Side::Black => "black",
            }),
            ply: order.ply,
            after: non_empty(order.after.as_str()),
            number: non_empty(number),
            board: non_empty(letters),
            time: order.time.map(report),
            text: &order.text,
            verdict: word(order),
            departures,
            reading: order.order.as_ref().map(Reading::from),
            why: fault.map(|fault| fault.words.as_str()),
            at: fault.and_then(|fault| Some(before_fault(order, fault)?.chars().count())),
            loses: fault.is_some_and(|fault| fault.loses),
        }
    }
}
