//! The desk in a terminal.

use super::{
    DeskArgs, TICK, close,
    input::{Heard, Input},
};
use crate::{
    exit::{CliError, Exit},
    grid::or_blank,
    ui,
};
use overboard_desk::{
    keeper::{Keeper, OnEdit},
    lines::{self, ClockList, Dues, Fault, FromDesk, Note, Report, Sent, ToDesk},
    words::{self, Typed, WORDS},
};
use overboard_engines::external::lines::{FaultCode, Legal, Over, Seat};
use overboard_formats::foreign::{Foreign, visible};
use overboard_pictures::diagram::Diagram;
use overboard_referee::{commands::tell_time, remedy::Remedy};
use overboard_rules::refusal::list;
use std::time::Instant;

/// Reads and answers what is typed, until it ends.
pub fn run(mut keeper: Keeper, args: &DeskArgs) -> Result<Exit, CliError> {
    let input = Input::of_typist();
    super::seat(&mut keeper, args, || input.hearer())?;
    let begun = Instant::now();
    let mut has_ended = false;
    let look = Look {
        ascii: args.ascii,
        is_quiet: args.quiet,
    };
    ui::print_text(&look.greeting(&keeper))?;
    loop {
        input.ask(&prompt(&keeper), completions(&keeper));
        let line = loop {
            let heard = input.next(TICK);
            for words in tick(&mut keeper, begun) {
                input.say(&words)?;
            }
            match heard {
                Heard::Nothing => {}
                Heard::End if keeper.is_waiting() => has_ended = true,
                Heard::End => return close(keeper),
                Heard::Answer(answer) => {
                    if let Some(answer) = lines::answered(&mut keeper, answer) {
                        input.say(&look.say(&keeper, &answer))?;
                    }
                    if has_ended && !keeper.is_waiting() {
                        return close(keeper);
                    }
                }
                Heard::Line(line) => break line,
                Heard::TooLong(longest) => {
                    input.say(&format!("the line is longer than {longest} bytes\n"))?;
                    break String::new();
                }
            }
        };
        if line.trim().is_empty() {
            continue;
        }
        match look.answer(&mut keeper, &line) {
            Some(words) => ui::print_text(&words)?,
            None => return close(keeper),
        }
    }
}

/// Lets time pass; returns what it has brought about.
fn tick(keeper: &mut Keeper, begun: Instant) -> Vec<String> {
    match keeper.pass_to(begun.elapsed()) {
        Ok(notices) => {
            let words = notices.iter().map(|notice| lines::notice(notice).words);
            words.map(|words| format!("{words}\n")).collect()
        }
        Err(error) => vec![format!("{error}\n")],
    }
}

/// `White, a move> `, with the board or the path before it.
fn prompt(keeper: &Keeper) -> String {
    let Dues { due } = lines::dues(keeper);
    let [only] = &due[..] else {
        return "> ".into();
    };
    format!("{}, {}> ", whose(&only.seat), only.what)
}

/// The side of a seat, with its board.
fn whose(seat: &Seat) -> String {
    match &*seat.of {
        "" => seat.side.to_string(),
        of => format!("{} on {of}", seat.side),
    }
}

/// What Tab completes: the words, and the moves while they are few.
fn completions(keeper: &Keeper) -> Vec<String> {
    /// As many as a person looks through.
    const FEW: usize = 400;
    let mut known: Vec<_> = WORDS.iter().map(|word| word.word.to_owned()).collect();
    let game = &keeper.state().game;
    if let Ok(plies) = game.legal(None)
        && plies.len() <= FEW
    {
        known.extend(plies.iter().filter_map(|ply| game.san(ply)));
        known.extend(plies);
    }
    known
}

/// How the desk looks.
struct Look {
    ascii: bool,
    is_quiet: bool,
}

impl Look {
    /// What is said first: the game, where it stands, and how to get help.
    fn greeting(&self, keeper: &Keeper) -> String {
        let game = keeper.state().game.game();
        let path = keeper.path().display().to_string();
        let mut words = format!(
            "{}: {}. Type moves, or `help`.\n",
            visible(&path),
            game.variant().name()
        );
        if keeper.has_clocks() {
            words.push_str("The clocks stand; `start` lets them run.\n");
        }
        words.push_str(&self.situation(keeper));
        words
    }

    /// The board, who is to act, or how the game ended.
    fn situation(&self, keeper: &Keeper) -> String {
        let mut words = String::new();
        if let Ok(board) = diagram(keeper, "")
            && !self.is_quiet
        {
            // The tables of sub-sets, which are longer than the board, come with `board` alone.
            words += &self.draw(&Diagram {
                tables: Vec::new(),
                ..board
            });
        }
        match lines::over(keeper) {
            Some(over) => words.push_str(&end(&over)),
            None => words.push_str(&due(&lines::dues(keeper))),
        }
        words
    }

    fn draw(&self, diagram: &Diagram) -> String {
        ui::drawn(diagram, self.ascii)
    }

    /// What is said to a line; `None` if it ends the desk.
    fn answer(&self, keeper: &mut Keeper, line: &str) -> Option<String> {
        let typed = match words::read(line) {
            Ok(typed) => typed,
            Err(why) => return Some(format!("{why}\n")),
        };
        Some(match typed {
            Typed::Help => help(),
            Typed::Fen => format!("{}\n", keeper.state().game.game().fen()),
            Typed::Board(name) => match diagram(keeper, &name) {
                Ok(board) => self.draw(&board),
                Err(why) => format!("{why}\n"),
            },
            Typed::Keep => settled(keeper, OnEdit::Keep),
            Typed::Take => settled(keeper, OnEdit::Take),
            Typed::Message(Sent {
                by: None,
                message: ToDesk::Quit,
            }) => return None,
            Typed::Message(message) => {
                let answer = lines::answer(keeper, message);
                self.say(keeper, &answer)
            }
        })
    }

    /// An answer in words.
    fn say(&self, keeper: &Keeper, answer: &FromDesk) -> String {
        match answer {
            FromDesk::Played(report) => played(report) + &self.situation(keeper),
            FromDesk::Error(fault) => refused(fault),
            FromDesk::Legal(Legal { plies, .. }) => listed(keeper, plies),
            FromDesk::Due(dues) => due(dues),
            FromDesk::Clocks(clocks) => shown(clocks),
            FromDesk::Text(text) => text.text.clone(),
            FromDesk::Findings(notes) => found(&notes.findings),
            FromDesk::Over(over) => end(over),
            FromDesk::Position(position) => format!("{}\n", position.fen),
            FromDesk::Notice(said) => format!("{}\n", said.words),
            FromDesk::Hello(_) | FromDesk::Pong(_) | FromDesk::Bye => String::new(),
        }
    }
}

/// The board with this name; by default the one of the game that is going on.
fn diagram(keeper: &Keeper, name: &str) -> Result<Diagram, String> {
    let kept = &keeper.state().game;
    let (game, here) = (kept.game(), kept.here());
    let whole = game.diagram(&[]);
    let wanted = match name {
        "" => &*here,
        name => name,
    };
    if wanted.is_empty() {
        return Ok(whole);
    }
    let (one, _) = game.zoomed(wanted, whole)?;
    Ok(one)
}

fn settled(keeper: &mut Keeper, on_edit: OnEdit) -> String {
    match keeper.settle_edit(on_edit) {
        Ok(()) => "the desk goes on\n".into(),
        Err(error) => format!("{error}\n"),
    }
}

/// What was done.
fn played(report: &Report) -> String {
    let mut words = String::new();
    if !report.san.is_empty() {
        words = format!("{}\n", report.san.join(" "));
    }
    for vote in &report.votes {
        let names: Vec<_> = vote.names.iter().map(Foreign::shown).collect();
        words += &format!("{}: {}\n", vote.ply, names.join(", "));
    }
    words.push_str(&found(&report.notes));
    if let Some(remedy) = &report.remedy {
        words.push_str(&advice(remedy));
    }
    words
}

/// Why something was not done, and what may be done now.
fn refused(fault: &Fault) -> String {
    let report = &fault.report;
    let rule = or_blank(report.rule.as_ref().map(|rule| format!(" ({rule})")));
    let head = match report.code {
        FaultCode::NotWritten => "done, but not written",
        _ => "not done",
    };
    let mut words = format!("{head}: {}{rule}\n", visible(&report.words));
    let possible = &fault.san[..fault.san.len().min(8)];
    if !possible.is_empty() {
        words += &format!("  possible: {}\n", possible.join(", "));
    }
    if let Some(remedy) = &fault.remedy {
        words.push_str(&advice(remedy));
    }
    if fault.recordable {
        words.push_str("  `record` puts it into the record as it was done\n");
    }
    words
}

fn advice(remedy: &Remedy) -> String {
    format!("  remedy: {} ({})\n", remedy.text, remedy.sources())
}

fn found(notes: &[Note]) -> String {
    let mut words = String::new();
    for note in notes {
        let rule = or_blank(note.rule.map(|rule| format!(" ({rule})")));
        let message = note.message.shown();
        words += &format!("{}[{}]: {message}{rule}\n", note.severity, note.code);
    }
    words
}

/// The legal moves, as records write them and in coordinates.
fn listed(keeper: &Keeper, plies: &[String]) -> String {
    if plies.is_empty() {
        return "no moves\n".into();
    }
    let game = &keeper.state().game;
    let mut moves = Vec::new();
    for ply in plies {
        moves.push(match game.san(ply) {
            Some(san) if san != *ply => format!("{san} ({ply})"),
            _ => ply.clone(),
        });
    }
    ui::fill(&moves.join(", "), ui::columns()) + "\n"
}

fn due(dues: &Dues) -> String {
    let mut words = String::new();
    for due in &dues.due {
        let (seat, names) = (whose(&due.seat), by_name(&due.names));
        words += &format!("{seat}{names}: {}\n", due.what);
    }
    words
}

/// Who may act: ` (Ann or Bob)`.
fn by_name(names: &[Foreign]) -> String {
    if names.is_empty() {
        return String::new();
    }
    format!(" ({})", list(names.iter().map(Foreign::shown), "or"))
}

fn shown(clocks: &ClockList) -> String {
    let mut words = String::new();
    for clock in &clocks.clocks {
        let runs = if clock.running { " (runs)" } else { "" };
        let (seat, left) = (whose(&clock.seat), tell_time(clock.left));
        words += &format!("{seat} {left}{runs}\n");
    }
    match words.is_empty() {
        true => "no clocks\n".into(),
        false => words,
    }
}

fn end(over: &Over) -> String {
    match &over.result {
        Some(result) => format!("the game is over: {} ({result})\n", visible(&over.words)),
        None => "the game goes on\n".into(),
    }
}

fn help() -> String {
    let mut words = String::from(
        "A move is typed as records or engines write it: `Nf3`, `g1f3`, `A:Nf3`, `A2.e4`,\n`setup PPP2PPP/RNBQKBNR`. Words:\n",
    );
    for word in WORDS {
        let usage = format!("{} {}", word.word, word.follows);
        words += &format!("  {usage:<38} {}\n", word.does);
    }
    words
}
