//! `result`: enters results by hand, as lines, from a table, or from records.

use super::event::{
    print_with_notes,
    records::{self, Judged},
};
use crate::{
    exit::{CliError, Exit},
    options::{FolderArgs, WhoArgs, WriteArgs, milliseconds},
    spool::Sources,
    ui,
};
use clap::Args;
use overboard_events::{
    Event,
    entry::{self, Entered},
    results::{Clerk, Finding},
    rounds::{Board, GameResult, Match},
    settings::{Scoring, System},
    store::{StoreError, read_bytes},
};
use overboard_formats::{encoding::decode, foreign::visible};
use overboard_schedules::{ids::RoundNo, points::Points};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{Read, Write},
    path::{Path, PathBuf},
};

/// Enter results of an event.
///
/// Results come from the command line, from lines, from a CSV file, or from records without errors. A line holds a
/// match: the table number and the results of the boards, such as `1: 1-0 = 0-1 1-0`. A result is 1-0, 0-1 or 1/2-1/2;
/// 1-0f, 0-1f and 0-0f are forfeits. An existing result is replaced only with --correct; the log keeps the old one.
#[derive(Args, Debug)]
#[command(
    after_help = "Lines: a table and the results of its boards from board 1 on. On each board 1-0 means that the player with the white pieces there won; = is a draw, * an unfinished game, 1-0f a forfeit. Kings or sub-games come after the result: `2: 1-0 2-1`.\nColumns of a CSV file:\n  table,board,white_score,black_score,result\n`board` is empty for a whole match. The output of `pair show --to csv` and the file of a round are read too.\n\nExit codes: 0 done, 1 a record has errors or belongs to no table, 2 the result is not possible.\n\nExamples:\n  overboard result league 1 '1: 1-0 = 0-1 1-0'\n  overboard result league 1 --lines round1.txt --dry-run\n  overboard result cup 1 2 0-1 --score 1-2\n  overboard result league 1 2 1/2-1/2 --board 3\n  overboard result cup 1 2 1-0 --score 2-1 --correct\n  overboard result cup 1 --csv round1.csv\n  overboard result cup 1 --from round1/*.npgn"
)]
pub struct ResultArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The round.
    #[arg(value_name = "ROUND", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: u32,
    /// The table; or a whole match in one line, or several separated by `;`.
    #[arg(value_name = "TABLE", required_unless_present_any = ["csv", "from", "lines"])]
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
    /// Check these records, and take the results of those without errors.
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
    #[command(flatten)]
    pub write: WriteArgs,
    #[command(flatten)]
    pub said: WhoArgs,
}

pub fn run(args: &ResultArgs) -> Result<Exit, CliError> {
    let mut folder = args.folder.open(&args.said)?;
    let mut event = folder.event()?;
    super::pair::which(&event, Some(args.round))?;
    let before = event.clone();
    let shown = args.folder.folder.display().to_string();
    let follows = |event: &Event| event.corrected(&before, RoundNo::new(args.round), &shown);
    let (entered, exit) = match (&args.csv, &args.lines) {
        (Some(path), _) => (from_table(&event, args, path)?, Exit::Clean),
        (_, Some(path)) => (from_lines(&event, args, &text_of(path)?)?, Exit::Clean),
        _ if !args.from.is_empty() => from_records(&event, args)?,
        _ => (by_hand(&event, args)?, Exit::Clean),
    };
    given_once(&entered)?;
    let mut words = Vec::new();
    for one in &entered {
        words.extend(if one.play_off {
            play_off(&mut event, args, one)?
        } else {
            put(&mut event, args, one)?
        });
    }
    let what = match words.len() {
        0 => format!("No new result in round {}", args.round),
        1..=3 => format!("Entered in round {}: {}", args.round, words.join("; ")),
        many => format!("Entered {many} results in round {}", args.round),
    };
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    let exit = exit.max(print_with_notes(
        &what,
        &changed,
        &follows(&event),
        &args.write,
    )?);
    if words.len() > 3 && !args.write.json {
        let mut out = ui::stdout();
        words
            .iter()
            .try_for_each(|line| writeln!(out, "  {}", visible(line)))?;
        out.flush()?;
    }
    if !args.write.json {
        print_matches(&event, RoundNo::new(args.round), &entered)?;
    }
    Ok(exit)
}

/// Prints the score of each match of boards that is now decided, so that a result with the wrong colour is noticed at
/// once.
fn print_matches(event: &Event, round: RoundNo, entered: &[Entered]) -> Result<(), CliError> {
    let tables: BTreeSet<u32> = entered
        .iter()
        .filter(|one| one.finding.board.is_some())
        .map(|one| one.finding.table)
        .collect();
    let mut out = ui::stdout();
    for this in event.rounds[round.index()]
        .matches
        .iter()
        .filter(|this| tables.contains(&this.table))
    {
        if event.settings.pairs_players() || event.outcome(this).is_none() {
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
            let board = board.map_or(String::new(), |board| format!(", board {board},"));
            return Err(said(format!(
                "table {table}{board} is given two results; nothing was entered"
            )));
        }
    }
    Ok(())
}

/// The contents of a file, or what is pasted if it is `-`.
pub fn text_of(path: &Path) -> Result<String, CliError> {
    let failed = |error| CliError::file(path, error);
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .take(1 << 20)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        bytes
    } else {
        read_bytes(path).map_err(failed)?
    };
    Ok(decode(&bytes).0.into_owned())
}

fn from_lines(event: &Event, args: &ResultArgs, text: &str) -> Result<Vec<Entered>, CliError> {
    entry::lines(event, RoundNo::new(args.round), text).map_err(said)
}

/// Parses a table and its result, or lines that have both.
fn by_hand(event: &Event, args: &ResultArgs) -> Result<Vec<Entered>, CliError> {
    let text = args.table.as_deref().unwrap_or_default();
    // The parser of the command line has taken `--` as the end of the options.
    let dashes = || {
        std::env::args_os()
            .next_back()
            .is_some_and(|last| last == "--")
            .then_some("--")
    };
    let result = args.result.as_deref().or_else(dashes);
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
                table_of(event, args, text),
                round = args.round
            )))
        }
        Err(_) => from_lines(event, args, text),
    }
}

/// The table of a team or player that was given instead of a table number.
fn table_of(event: &Event, args: &ResultArgs, text: &str) -> String {
    let who = event.find(text).ok();
    let table = who.and_then(|who| event.rounds[RoundNo::new(args.round).index()].of(who));
    table.map_or(String::new(), |this| {
        format!(" ({} plays at table {})", visible(text), this.table)
    })
}

fn single(args: &ResultArgs, table: u32, text: &str) -> Result<Entered, CliError> {
    let result = text.parse::<GameResult>();
    let result = result.map_err(|()| {
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

fn from_table(event: &Event, args: &ResultArgs, path: &Path) -> Result<Vec<Entered>, CliError> {
    let bytes = read_bytes(path).map_err(|error| CliError::file(path, error))?;
    entry::table(
        event,
        RoundNo::new(args.round),
        &path.display().to_string(),
        &bytes,
    )
    .map_err(|fault| StoreError::Faults(vec![fault]).into())
}

/// Judges records, and takes the results of the clean ones; the others are reported.
fn from_records(event: &Event, args: &ResultArgs) -> Result<(Vec<Entered>, Exit), CliError> {
    let mut entered = Vec::new();
    let exit = records::each(
        &Sources::once(&args.from),
        &Clerk::new(args.expiry),
        |record| {
            let Judged {
                report,
                account,
                place,
                ..
            } = record;
            Ok(account
                .place(event, RoundNo::new(args.round), &report)
                .map(|finding| {
                    let source = format!("{}#{}", report.file.as_it_came(), report.game);
                    entered.push(Entered {
                        source,
                        ..Entered::new(finding, format!("{place}: "))
                    });
                }))
        },
    )?;
    Ok((entered, exit))
}

/// Enters a result; returns it in words, or `None` if it was there already.
fn put(
    event: &mut Event,
    args: &ResultArgs,
    entered: &Entered,
) -> Result<Option<String>, CliError> {
    let Entered {
        finding,
        source,
        place,
        ..
    } = entered;
    let Finding {
        table,
        board,
        result,
        tally,
    } = *finding;
    let settings = event.settings.clone();
    let fail = |message: String| said(format!("{place}{message}"));
    let sheet = &mut event.rounds[RoundNo::new(args.round).index()];
    let tables = sheet.matches.len();
    let this = sheet.matches.iter_mut().find(|this| this.table == table);
    let this = this.ok_or_else(|| {
        fail(format!(
            "round {} has no table {table}; the last one is {tables}",
            args.round
        ))
    })?;
    sense(&settings, result, board, tally).map_err(&fail)?;
    let before = old(this, board).map_err(&fail)?;
    let label = match board {
        Some(board) => format!("table {table}, board {board}"),
        None => format!("table {table}"),
    };
    let words = |result: GameResult, tally: Option<[Points; 2]>| {
        format!(
            "{result}{}",
            tally.map_or(String::new(), |[white, black]| format!(
                " ({white}-{black})"
            ))
        )
    };
    match before {
        (Some(old), kings) if old == result && kings == tally => return Ok(None),
        (Some(old), kings) if !args.correct => {
            let message = format!(
                "{label} already has the result {}; --correct replaces it",
                words(old, kings)
            );
            return Err(fail(message));
        }
        _ => {}
    }
    write(this, finding, source, settings.pairs_players());
    let is_empty = |seat: &&Board| seat.white.is_none() || seat.black.is_none();
    let empty = this
        .boards
        .iter()
        .filter(|seat| Some(seat.board) == board)
        .find(is_empty);
    if !result.is_forfeit() && empty.is_some() {
        return Err(fail(format!(
            "{label}: a player is missing, so the result must be a forfeit: 1-0f, 0-1f or 0-0f"
        )));
    }
    let was = before.0.map_or(String::new(), |old| {
        format!(" (was {})", words(old, before.1))
    });
    Ok(Some(format!("{label}: {}{was}", words(result, tally))))
}

/// Records who advances after a drawn match of a knockout; returns it in words.
fn play_off(
    event: &mut Event,
    args: &ResultArgs,
    entered: &Entered,
) -> Result<Option<String>, CliError> {
    let Finding { table, result, .. } = entered.finding;
    let said = |message: String| said(format!("{}{message}", entered.place));
    if event.settings.system != System::Knockout {
        return Err(said("only a knockout has play-offs".into()));
    }
    if !matches!(result, GameResult::White | GameResult::Black) {
        return Err(said(format!(
            "expected 1-0 or 0-1 for a play-off, found {result}"
        )));
    }
    let round = RoundNo::new(args.round);
    let found = event.rounds[round.index()]
        .matches
        .iter()
        .find(|this| this.table == table);
    let this = found.ok_or_else(|| said(format!("round {round} has no table {table}")))?;
    let is_drawn = event
        .outcome(this)
        .is_some_and(|outcome| outcome.scores[0] == outcome.scores[1]);
    if !is_drawn {
        return Err(said(format!(
            "table {table} is not drawn; a play-off follows a drawn match"
        )));
    }
    if this.play_off == Some(result) {
        return Ok(None);
    }
    if let Some(old) = this.play_off.filter(|_| !args.correct) {
        return Err(said(format!(
            "table {table} already has the play-off {old}; --correct replaces it"
        )));
    }
    let found = event.rounds[round.index()]
        .matches
        .iter_mut()
        .find(|this| this.table == table);
    found
        .into_iter()
        .for_each(|this| this.play_off = Some(result));
    Ok(Some(format!("table {table}: play-off {result}")))
}

/// Why a result is not possible in an event of this kind.
fn sense(
    settings: &overboard_events::settings::Settings,
    result: GameResult,
    board: Option<u32>,
    tally: Option<[Points; 2]>,
) -> Result<(), String> {
    let all = Points::whole(settings.boards as i32);
    match settings.scoring {
        Scoring::Boards if tally.is_some() => Err("here each board has its own result; --score does not apply".into()),
        Scoring::Boards if board.is_none() && !result.is_forfeit() && !settings.pairs_players() => {
            Err("each board has its own result: enter them all in one line, such as '4: 1-0 = 0-1 1-0', or one with --board N; only a forfeit can be entered for a whole match"
                .into())
        }
        Scoring::Boards => Ok(()),
        _ if board.is_some() => Err("here a match is one game; --board does not apply".into()),
        Scoring::Kings if result.is_forfeit() && tally.is_some() => Err("no kings are counted in a forfeit; leave --score out".into()),
        Scoring::Kings if !result.is_forfeit() && tally.is_none() => {
            Err("the kings left are missing; add them (White's first), such as --score 2-1".into())
        }
        Scoring::Kings => kings(result, tally, all),
        Scoring::Game if tally.is_some() => Err("this event counts only results, so --score does not apply; an event made with `overboard event new --scoring subgames` counts the sub-games won".into()),
        _ if tally.is_some_and(|tally| tally.iter().any(|own| *own < Points::ZERO)) => Err("a score cannot be negative".into()),
        _ => Ok(()),
    }
}

/// Kings are whole numbers, at most one per board. The result need not follow from them: a team that resigns has none
/// (SC-36), and the last king may be mated.
fn kings(result: GameResult, tally: Option<[Points; 2]>, all: Points) -> Result<(), String> {
    let Some(tally) = tally else { return Ok(()) };
    let is_count = |own: &Points| *own >= Points::ZERO && *own <= all && own.0 % 10 == 0;
    let [white, black] = tally;
    if !tally.iter().all(is_count) {
        return Err(format!(
            "{white}-{black} kings: each team has {all} at most"
        ));
    }
    let fits = match result {
        GameResult::White => white > black,
        GameResult::Black => black > white,
        _ => white == black,
    };
    if fits {
        Ok(())
    } else {
        Err(format!(
            "{result} does not match {white}-{black} kings: the team with more kings left wins (SC-30, SC-36)"
        ))
    }
}

fn old(
    this: &Match,
    board: Option<u32>,
) -> Result<(Option<GameResult>, Option<[Points; 2]>), String> {
    match board {
        None if this.result.is_none() && this.boards.len() == 1 => {
            Ok((this.boards[0].result, None))
        }
        None => Ok((this.result, this.tally)),
        Some(number) => {
            let found = this.boards.iter().find(|board| board.board == number);
            let boards = this.boards.len();
            found.map(|board| (board.result, None)).ok_or_else(|| {
                format!(
                    "table {} has no board {number}; it has {boards}",
                    this.table
                )
            })
        }
    }
}

/// Writes a result. If players are paired, the match is a single game, and the result is that of its board.
fn write(this: &mut Match, finding: &Finding, source: &str, of_players: bool) {
    let only = this
        .boards
        .first()
        .map(|board| board.board)
        .filter(|_| of_players);
    match finding.board.or(only) {
        None => {
            (this.result, this.tally) = (Some(finding.result), finding.tally);
            source.clone_into(&mut this.source);
        }
        Some(number) => {
            this.result = this.result.filter(|_| !of_players);
            if let Some(board) = this.boards.iter_mut().find(|board| board.board == number) {
                board.result = Some(finding.result);
                source.clone_into(&mut board.source);
            }
        }
    }
}
