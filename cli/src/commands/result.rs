//! `result`: enters results by hand, as lines, from a table, or from records.

use super::event::{
    bytes_or_pasted, commit_with_notes,
    records::{self, Judged},
};
use crate::{
    exit::{CliError, Exit},
    input_copies::Sources,
    options::{ChangeArgs, FolderArgs, from_one, milliseconds},
    ui,
};
use clap::Args;
use overboard_events::{
    Event,
    change::{Cleared, Existing},
    encoding,
    entry::{self, Entered},
    results::{Clerk, Finding},
    store::{Mode, StoreError},
};
use overboard_formats::foreign::visible;
use overboard_schedules::{ids::RoundNo, points::Points};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::{Path, PathBuf},
};

/// Enter results of an event.
///
/// Results come from the command line, from lines, from a CSV file, or from records without errors. A line holds a
/// match: the table number and the results of the boards, such as `1: 1-0 = 0-1 1-0`. A result is 1-0, 0-1 or 1/2-1/2;
/// 1-0f, 0-1f and 0-0f are forfeits. An existing result is replaced only with --correct, and removed with --clear; the
/// log keeps the old one.
#[derive(Args, Debug)]
#[command(
    after_help = "Lines: a table and the results of its boards from board 1 on. On each board 1-0 means that the player with the white pieces there won; = is a draw, * an unfinished game, 1-0f a forfeit. Kings or sub-games come after the result: `2: 1-0 2-1`.\nColumns of a CSV file:\n  table,board,white_score,black_score,result\n`board` is empty for a whole match. The output of `pair show --to csv` and the file of a round are read too.\n\nExit codes: 0 done, 1 a record has errors or belongs to no table, 2 the result is not possible.\n\nExamples:\n  overboard result league 1 '1: 1-0 = 0-1 1-0'\n  overboard result league 1 --lines round1.txt --dry-run\n  overboard result cup 1 2 0-1 --score 1-2\n  overboard result league 1 2 1/2-1/2 --board 3\n  overboard result cup 1 2 1-0 --score 2-1 --correct\n  overboard result cup 1 2 --clear\n  overboard result cup 1 --csv round1.csv\n  overboard result cup 1 --from round1"
)]
pub struct ResultArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The round.
    #[arg(value_name = "ROUND", value_parser = from_one())]
    pub round: u32,
    /// The table; or a whole match in one line, or several separated by `;`.
    #[arg(value_name = "TABLE", required_unless_present_any = ["csv", "from", "lines", "clear"])]
    pub table: Option<String>,
    /// The result.
    #[arg(value_name = "RESULT", allow_hyphen_values = true)]
    pub result: Option<String>,
    /// The board, if each board has its own result.
    #[arg(long, value_name = "N", conflicts_with_all = ["csv", "from", "lines"])]
    pub board: Option<u32>,
    /// Kings left or sub-games won, White's first, such as 2-1.
    #[arg(long, value_name = "W-B", conflicts_with_all = ["csv", "from", "lines"])]
    pub score: Option<String>,
    /// Read results from this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["table", "from"])]
    pub csv: Option<PathBuf>,
    /// Read results from this file, one match per line; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["table", "from", "csv"])]
    pub lines: Option<PathBuf>,
    /// Check these records, and take the results of those without errors. A folder stands for the records in it.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "table")]
    pub from: Vec<PathBuf>,
    /// With --from: the time at which play ended, as for `score`.
    #[arg(long, value_name = "H:MM:SS", value_parser = milliseconds, requires = "from")]
    pub expiry: Option<u64>,
    /// In a knockout: this is the result of the play-off of a drawn match.
    #[arg(long, conflicts_with_all = ["csv", "from", "lines", "board", "score"])]
    pub play_off: bool,
    /// Replace existing results.
    #[arg(long)]
    pub correct: bool,
    /// Clear the results of the table, of one --board, only its --play-off, or without a table of the whole round.
    #[arg(long, conflicts_with_all = ["csv", "from", "lines", "result", "score", "correct"])]
    pub clear: bool,
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// Enters the result of a record as `--from` does, and says in words what was entered.
///
/// # Errors
/// That the event cannot be changed, and why the record gives no result.
pub fn enter_record(folder: &FolderArgs, round: u32, record: &Path) -> Result<String, CliError> {
    let mut opened = folder.open(&ChangeArgs::default())?;
    let mut event = opened.event()?;
    let round = super::pair::which(&event, Some(round))?;
    let found = from_records(&event, round, &[record.to_owned()], None)?;
    if !found.refused.is_empty() {
        return Err(all_said(found.refused));
    }
    let words = enter(&mut event, round, &found.entered, Existing::Kept)?;
    let what = entered_in_words(round, &words);
    opened.commit(&what, &event, Mode::Write)?;
    Ok(what)
}

pub fn run(args: &ResultArgs) -> Result<Exit, CliError> {
    let (mut folder, mut event) = args.folder.open_event(&args.change)?;
    let round = super::pair::which(&event, Some(args.round))?;
    let before = event.clone();
    let follows = |event: &Event| event.corrected(&before, round, &args.folder.shown());
    if args.clear {
        let words = cleared(&mut event, round, args)?;
        let what = format!("Cleared in round {round}: {}", words.join("; "));
        return commit_with_notes(&mut folder, &what, &event, &follows(&event), &args.change);
    }
    let (entered, exit) = given(&event, round, args)?;
    given_once(&entered)?;
    let existing = if args.correct {
        Existing::Replaced
    } else {
        Existing::Kept
    };
    let words = enter(&mut event, round, &entered, existing)?;
    let what = entered_in_words(round, &words);
    let printed = commit_with_notes(&mut folder, &what, &event, &follows(&event), &args.change)?;
    if !args.change.write.json {
        print_lines(&words)?;
        print_matches(&event, round, &entered)?;
    }
    Ok(exit.max(printed))
}

/// The results that are given, from where they come.
fn given(
    event: &Event,
    round: RoundNo,
    args: &ResultArgs,
) -> Result<(Vec<Entered>, Exit), CliError> {
    let entered = match (&args.csv, &args.lines) {
        (Some(path), _) => from_table(event, round, path)?,
        (_, Some(path)) => from_lines(event, round, &text_of(path)?)?,
        _ if !args.from.is_empty() => {
            let found = from_records(event, round, &args.from, args.expiry)?;
            return Ok((found.entered, found.exit));
        }
        _ => by_hand(event, round, args)?,
    };
    Ok((entered, Exit::Clean))
}

/// Prints each result on a line, if there are more than fit into one.
fn print_lines(words: &[String]) -> Result<(), CliError> {
    let mut out = ui::stdout();
    if words.len() > 3 {
        for line in words {
            writeln!(out, "  {}", visible(line))?;
        }
    }
    Ok(out.flush()?)
}

/// Enters results, all of them or none; what was done, in words.
fn enter(
    event: &mut Event,
    round: RoundNo,
    entered: &[Entered],
    existing: Existing,
) -> Result<Vec<String>, CliError> {
    let mut words = Vec::new();
    let mut refused = Vec::new();
    for one in entered {
        match event.enter_result(round, one, existing) {
            Ok(done) => words.extend(done),
            Err(why) => refused.push(format!("{}{why}", one.place)),
        }
    }
    if !refused.is_empty() {
        return Err(all_said(refused));
    }
    words.extend(event.drop_play_offs(round));
    Ok(words)
}

fn entered_in_words(round: RoundNo, words: &[String]) -> String {
    match words.len() {
        0 => format!("No new result in round {round}"),
        1..=3 => format!("Entered in round {round}: {}", words.join("; ")),
        many => format!("Entered {many} results in round {round}"),
    }
}

/// Clears the results that the arguments name; returns in words what was there.
fn cleared(event: &mut Event, round: RoundNo, args: &ResultArgs) -> Result<Vec<String>, CliError> {
    let table = match &args.table {
        Some(text) => Some(text.trim().parse().map_err(|_| {
            let plays = table_of(event, round, text);
            said(format!("`{text}` is not a table number{plays}"))
        })?),
        None => None,
    };
    let which = match (table, args.board, args.play_off) {
        (None, None, false) => Cleared::Round,
        (Some(table), None, false) => Cleared::Table(table),
        (Some(table), Some(board), _) => Cleared::Board(table, board),
        (Some(table), None, true) => Cleared::PlayOff(table),
        (None, ..) => return Err(said("the table is missing")),
    };
    let words = event.clear_results(round, which)?;
    if words.is_empty() {
        return Err(said("there is no result to clear"));
    }
    Ok(words)
}

/// Prints the score of each match of boards that is now decided, so that a result with the wrong colour is noticed at
/// once.
fn print_matches(event: &Event, round: RoundNo, entered: &[Entered]) -> Result<(), CliError> {
    let mut tables = BTreeSet::new();
    for one in entered {
        if one.finding.board.is_some() {
            tables.insert(one.finding.table);
        }
    }
    let mut out = ui::stdout();
    for this in &event.rounds[round.index()].matches {
        if !tables.contains(&this.table)
            || event.settings.pairs_players()
            || event.outcome(this).is_none()
        {
            continue;
        }
        let (white, black) = (event.called(this.white), event.called(this.black));
        writeln!(
            out,
            "  table {}: {} {} {}",
            this.table,
            visible(&white),
            event.in_words(this),
            visible(&black)
        )?;
    }
    Ok(out.flush()?)
}

fn said(message: impl Into<String>) -> CliError {
    CliError::Event(message.into())
}

/// What is wrong with lines, all of it.
fn all_said(mut lines: Vec<String>) -> CliError {
    match lines.len() {
        1 => said(lines.remove(0)),
        _ => CliError::Lines(lines),
    }
}

/// Refuses two results for one board: with --correct the later one would replace the other, which would hide a mistyped
/// table number.
fn given_once(entered: &[Entered]) -> Result<(), CliError> {
    let mut seen = BTreeMap::new();
    for one in entered {
        let Finding {
            table,
            board,
            result,
            tally,
        } = one.finding;
        if let Some(other) = seen.insert((table, board, one.play_off), (result, tally))
            && other != (result, tally)
        {
            return Err(given_twice(table, board));
        }
    }
    Ok(())
}

fn given_twice(table: u32, board: Option<u32>) -> CliError {
    let mut what = format!("table {table}");
    if let Some(board) = board {
        what += &format!(", board {board},");
    }
    said(format!("{what} is given two results; nothing was entered"))
}

/// The contents of a file in UTF-8, or what is pasted if it is `-`.
pub fn text_of(path: &Path) -> Result<String, CliError> {
    Ok(encoding::read(&bytes_or_pasted(path)?, None, None).text)
}

fn from_lines(event: &Event, round: RoundNo, text: &str) -> Result<Vec<Entered>, CliError> {
    entry::lines(event, round, text).map_err(all_said)
}

/// Parses a table and its result, or lines that have both.
fn by_hand(event: &Event, round: RoundNo, args: &ResultArgs) -> Result<Vec<Entered>, CliError> {
    let text = args.table.as_deref().unwrap_or_default();
    let mut result = args.result.as_deref();
    // The parser of the command line has taken `--` as the end of the options.
    if result.is_none()
        && std::env::args_os()
            .next_back()
            .is_some_and(|last| last == "--")
    {
        result = Some("--");
    }
    match text.trim().parse::<u32>() {
        Ok(table) => {
            let result = result.ok_or_else(|| {
                said(format!(
                    "the result of table {table} is missing; expected 1-0, 0-1, 1/2-1/2, 1-0f, 0-1f or 0-0f"
                ))
            })?;
            Ok(vec![single(args, table, result)?])
        }
        Err(_)
            if result.is_some()
                || args.board.is_some()
                || args.score.is_some()
                || args.play_off =>
        {
            Err(said(format!(
                "`{text}` is not a table number{}; examples: overboard result FOLDER {round} 2 1-0, or for the boards of a match: overboard result FOLDER {round} '2: 1-0 = 0-1 1-0'",
                table_of(event, round, text)
            )))
        }
        Err(_) => from_lines(event, round, text),
    }
}

/// The table of a team or player that was given instead of a table number.
fn table_of(event: &Event, round: RoundNo, text: &str) -> String {
    let sheet = &event.rounds[round.index()];
    match event.find(text).map(|who| sheet.of(who)) {
        Ok(Some(this)) => format!(" ({} plays at table {})", visible(text), this.table),
        _ => String::new(),
    }
}

fn single(args: &ResultArgs, table: u32, text: &str) -> Result<Entered, CliError> {
    let result = text.parse().map_err(|()| {
        said(format!(
            "`{text}` is not a result; expected 1-0, 0-1, 1/2-1/2, 1-0f, 0-1f or 0-0f"
        ))
    })?;
    let tally = args.score.as_deref().map(score).transpose()?;
    let finding = Finding {
        table,
        board: args.board,
        result,
        tally,
    };
    Ok(Entered {
        play_off: args.play_off,
        ..Entered::new(finding, String::new())
    })
}

/// Parses `2-1`.
fn score(text: &str) -> Result<[Points; 2], CliError> {
    entry::score(text).ok_or_else(|| {
        said(format!(
            "--score: expected White's and Black's score such as 2-1, found `{text}`"
        ))
    })
}

fn from_table(event: &Event, round: RoundNo, path: &Path) -> Result<Vec<Entered>, CliError> {
    let name = path.display().to_string();
    let text = text_of(path)?;
    entry::table(event, round, &name, text.as_bytes())
        .map_err(|faults| StoreError::Faults(faults).into())
}

/// What records say about the results of a round.
struct Found {
    /// The results of those without errors.
    entered: Vec<Entered>,
    /// Why others are not used.
    refused: Vec<String>,
    exit: Exit,
}

/// Judges records, and takes the results of the clean ones; the others are reported.
fn from_records(
    event: &Event,
    round: RoundNo,
    files: &[PathBuf],
    expiry: Option<u64>,
) -> Result<Found, CliError> {
    let mut entered = Vec::new();
    let mut refused = Vec::new();
    let exit = records::each(
        &Sources::once(files),
        records::options(),
        &Clerk::new(expiry),
        |record| {
            let Judged {
                report,
                account,
                place,
                ..
            } = record;
            let finding = match account.place(event, round, &report) {
                Ok(finding) => finding,
                Err(why) => {
                    refused.push(format!("{place}: not used: {why}"));
                    return Ok(Err(why));
                }
            };
            let source = format!("{}#{}", report.file.as_it_came(), report.game);
            entered.push(Entered {
                source,
                ..Entered::new(finding, format!("{place}: "))
            });
            Ok(Ok(()))
        },
    )?;
    Ok(Found {
        entered,
        refused,
        exit,
    })
}
