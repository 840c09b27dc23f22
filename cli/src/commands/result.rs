//! `result`: results by hand, from a table, or from records.

use super::event::tell;
use crate::{
    args::ResultArgs,
    exit::{Exit, Failure},
    games::Judge,
    ui,
};
use indicatif::ProgressBar;
use overboard_events::{
    Event,
    csv::Sheet,
    results::{Clerk, Finding},
    rounds::{GameResult, Match},
    settings::{Scoring, System},
    store::{Folder, StoreError, read_bytes},
};
use overboard_referee::Options;
use overboard_schedules::{ids::RoundNo, points::Points};

const COLUMNS: [&str; 5] = ["table", "board", "result", "white_score", "black_score"];

/// A result and where it comes from.
struct Entered {
    finding: Finding,
    source: String,
    /// Where it was read, for messages.
    place: String,
}

pub fn run(args: &ResultArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event()?;
    super::pair::which(&event, Some(args.round))?;
    if args.play_off {
        let words = play_off(&mut event, args)?;
        let changed = folder.commit(&words, &event, args.write.dry_run)?;
        return tell(&words, &changed, &args.write);
    }
    let (entered, exit) = match (&args.csv, args.from.is_empty()) {
        (Some(path), _) => (from_table(path)?, Exit::Clean),
        (None, false) => from_records(&event, args)?,
        (None, true) => (vec![by_hand(args)?], Exit::Clean),
    };
    let mut words = Vec::new();
    for one in &entered {
        words.extend(put(&mut event, args, one)?);
    }
    let what = match words.len() {
        0 => format!("round {}: no new result", args.round),
        1..=3 => format!("round {}: {}", args.round, words.join(", ")),
        many => format!("round {}: {many} results", args.round),
    };
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    Ok(exit.max(tell(&what, &changed, &args.write)?))
}

fn said(message: impl Into<String>) -> Failure {
    Failure::Event(message.into())
}

fn by_hand(args: &ResultArgs) -> Result<Entered, Failure> {
    let text = args.result.as_deref().unwrap_or_default();
    let result = text.parse::<GameResult>();
    let result = result.map_err(|()| {
        said(format!("`{text}` is no result; expected 1-0, 0-1, 1/2-1/2, 1-0f, 0-1f or 0-0f"))
    })?;
    let tally = args.score.as_deref().map(score).transpose()?;
    let finding = Finding { table: args.table.unwrap_or_default(), board: args.board, result, tally };
    Ok(Entered { finding, source: String::new(), place: String::new() })
}

/// `2-1`.
fn score(text: &str) -> Result<[Points; 2], Failure> {
    let parts = text
        .split_once(['-', ':'])
        .and_then(|(white, black)| Some([white.parse().ok()?, black.parse().ok()?]));
    parts.ok_or_else(|| said(format!("--score takes White's and Black's such as 2-1, not `{text}`")))
}

fn from_table(path: &std::path::Path) -> Result<Vec<Entered>, Failure> {
    let bytes = read_bytes(path).map_err(|error| Failure::file(path, error))?;
    let faults = |fault| Failure::from(StoreError::Faults(vec![fault]));
    let sheet = Sheet::read(&path.display().to_string(), &bytes, &COLUMNS).map_err(faults)?;
    let mut entered = Vec::new();
    for row in &sheet.rows {
        if row.text(2).is_empty() {
            continue;
        }
        let kings = "kings or sub-games";
        let tally = match (row.value(3, kings).map_err(faults)?, row.value(4, kings).map_err(faults)?) {
            (Some(white), Some(black)) => Some([white, black]),
            (None, None) => None,
            _ => return Err(faults(row.at().fault("expected both scores or none"))),
        };
        let finding = Finding {
            table: row.needed(0, "the number of a table").map_err(faults)?,
            board: row.value(1, "the number of a board").map_err(faults)?,
            result: row.needed(2, "1-0, 0-1, 1/2-1/2, 1-0f, 0-1f or 0-0f").map_err(faults)?,
            tally,
        };
        entered.push(Entered { finding, source: String::new(), place: format!("{}: ", row.at()) });
    }
    Ok(entered)
}

/// Judges records, and takes the results of the clean ones; the others are named.
fn from_records(event: &Event, args: &ResultArgs) -> Result<(Vec<Entered>, Exit), Failure> {
    let options = Options { count_notes: true, no_excerpts: true, ..Options::default() };
    let judge = Judge::new(options, None, ProgressBar::hidden())?;
    let mut entered = Vec::new();
    let mut exit = Exit::Clean;
    let empty = judge.run_before(&args.from, &Clerk::new(args.expiry), |report, sheet| {
        let place = match report.game {
            0 => report.file.to_string(),
            game => format!("{}: game {game}", report.file),
        };
        let found = match sheet {
            Some(sheet) => sheet.place(event, RoundNo::new(args.round), &report),
            None => Err("the file cannot be read".into()),
        };
        match found {
            Ok(finding) => {
                let source = format!("{}#{}", report.file, report.game);
                entered.push(Entered { finding, source, place: format!("{place}: ") });
            }
            Err(why) => {
                exit = Exit::Findings;
                ui::complain_at_length(&overboard_pictures::foreign::visible(&format!(
                    "{place}: not taken: {why}"
                )));
            }
        }
        Ok(())
    })?;
    for path in empty {
        ui::warn(&format!("{}: no game in this file", path.display()));
    }
    Ok((entered, exit))
}

/// Puts a result in its place; answers what that is in words, or nothing where it stands there already.
fn put(event: &mut Event, args: &ResultArgs, entered: &Entered) -> Result<Option<String>, Failure> {
    let Entered { finding, source, place } = entered;
    let Finding { table, board, result, tally } = *finding;
    let settings = event.settings.clone();
    let fail = |message: String| said(format!("{place}{message}"));
    let sheet = &mut event.rounds[RoundNo::new(args.round).index()];
    let tables = sheet.matches.len();
    let this = sheet.matches.iter_mut().find(|this| this.table == table);
    let this =
        this.ok_or_else(|| fail(format!("round {} has no table {table}; it has {tables}", args.round)))?;
    sense(&settings, result, board, tally).map_err(&fail)?;
    let before = old(this, board).map_err(&fail)?;
    let label = match board {
        Some(board) => format!("table {table}, board {board}"),
        None => format!("table {table}"),
    };
    let words = |result: GameResult, tally: Option<[Points; 2]>| {
        format!("{result}{}", tally.map_or(String::new(), |[white, black]| format!(" ({white}-{black})")))
    };
    match before {
        (Some(old), kings) if old == result && kings == tally => return Ok(None),
        (Some(old), kings) if !args.correct => {
            let message =
                format!("{label} has the result {} already; --correct replaces it", words(old, kings));
            return Err(fail(message));
        }
        _ => {}
    }
    write(this, finding, source, settings.pairs_players());
    let was = before.0.map_or(String::new(), |old| format!(" instead of {}", words(old, before.1)));
    Ok(Some(format!("{label} {}{was}", words(result, tally))))
}

/// Notes who went on from a drawn match of a knockout; answers it in words.
fn play_off(event: &mut Event, args: &ResultArgs) -> Result<String, Failure> {
    let Entered { finding: Finding { table, result, .. }, .. } = by_hand(args)?;
    if event.settings.system != System::Knockout {
        return Err(said("a play-off belongs to a knockout"));
    }
    if !matches!(result, GameResult::White | GameResult::Black) {
        return Err(said(format!("a play-off ends 1-0 or 0-1, not {result}")));
    }
    let round = RoundNo::new(args.round);
    let found = event.rounds[round.index()].matches.iter().find(|this| this.table == table);
    let this = found.ok_or_else(|| said(format!("round {round} has no table {table}")))?;
    let is_drawn = event.outcome(this).is_some_and(|outcome| outcome.scores[0] == outcome.scores[1]);
    if !is_drawn {
        return Err(said(format!("table {table} is not drawn; a play-off comes behind a drawn match")));
    }
    if let Some(old) = this.play_off.filter(|old| *old != result && !args.correct) {
        return Err(said(format!("table {table} has the play-off {old} already; --correct replaces it")));
    }
    let found = event.rounds[round.index()].matches.iter_mut().find(|this| this.table == table);
    found.into_iter().for_each(|this| this.play_off = Some(result));
    Ok(format!("round {round}: table {table} play-off {result}"))
}

/// What is wrong with a result in an event of this kind.
fn sense(
    settings: &overboard_events::settings::Settings,
    result: GameResult,
    board: Option<u32>,
    tally: Option<[Points; 2]>,
) -> Result<(), String> {
    let all = Points::whole(settings.boards as i32);
    match settings.scoring {
        Scoring::Boards if tally.is_some() => Err("boards have results, and no scores".into()),
        Scoring::Boards if board.is_none() && !result.is_forfeit() && !settings.pairs_players() => {
            Err("each board has a result of its own: name it with --board; a match as a whole can only be forfeited".into())
        }
        Scoring::Boards => Ok(()),
        _ if board.is_some() => Err("the match is one game, and has no results of boards".into()),
        Scoring::Kings if result.is_forfeit() && tally.is_some() => Err("a forfeit has no kings to count".into()),
        Scoring::Kings if !result.is_forfeit() && tally.is_none() => {
            Err("the kings left are missing: --score 2-1, White's first".into())
        }
        Scoring::Kings => kings(result, tally, all),
        Scoring::Game if tally.is_some() => Err("this event counts no scores".into()),
        _ if tally.is_some_and(|tally| tally.iter().any(|own| *own < Points::ZERO)) => Err("a score is never negative".into()),
        _ => Ok(()),
    }
}

/// Kings are whole, and not more than there are boards. The result need not follow from them: a team that
/// resigns has none (SC-36), and one may be mated.
fn kings(result: GameResult, tally: Option<[Points; 2]>, all: Points) -> Result<(), String> {
    let Some(tally) = tally else { return Ok(()) };
    let is_count = |own: &Points| *own >= Points::ZERO && *own <= all && own.0 % 10 == 0;
    if !tally.iter().all(is_count) {
        return Err(format!("each team has from 0 to {all} kings left"));
    }
    let [white, black] = tally;
    let fits = match result {
        GameResult::White => white > black,
        GameResult::Black => black > white,
        _ => white == black,
    };
    if fits { Ok(()) } else { Err(format!("{white} to {black} kings do not make {result} (SC-30, SC-36)")) }
}

fn old(this: &Match, board: Option<u32>) -> Result<(Option<GameResult>, Option<[Points; 2]>), String> {
    match board {
        None if this.result.is_none() && this.boards.len() == 1 => Ok((this.boards[0].result, None)),
        None => Ok((this.result, this.tally)),
        Some(number) => {
            let found = this.boards.iter().find(|board| board.board == number);
            let boards = this.boards.len();
            found
                .map(|board| (board.result, None))
                .ok_or_else(|| format!("table {} has no board {number}; it has {boards}", this.table))
        }
    }
}

/// Puts a result down. Where players are paired the match is a game of theirs, and the result stands with its board.
fn write(this: &mut Match, finding: &Finding, source: &str, of_players: bool) {
    let only = this.boards.first().map(|board| board.board).filter(|_| of_players);
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
