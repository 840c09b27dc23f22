//! `score`: counts kings when time ends.

use crate::{
    bounded::{Line, Lines},
    exit::{CliError, Exit},
    games::{Judge, TransferError, open_input},
    grid::or_blank,
    options::{JobsArgs, JudgingArgs, milliseconds, without_findings},
    ui::{self, Out},
};
use anstyle::Style;
use clap::Args;
use overboard_formats::{
    encoding::decode,
    foreign::{Foreign, visible},
};
use overboard_games::strategichess::linked::{
    Edition,
    score::{Account, Agreement, Count, King, Named, Note, Range, Scorer, position, report},
};
use overboard_referee::Options;
use overboard_rules::{
    by_side::BySide, outcome::Outcome, ply::BoardName, refusal::counted, square::Side,
};
use serde::Serialize;
use std::{
    io::{self, BufReader, IsTerminal, Read, Write},
    path::{Path, PathBuf},
};

/// Count the kings in StrategiChess when time ends.
///
/// Says who has won (SC-30). Only moves completed at or before the expiry count; without --expiry, all of them. If a
/// move has no time stamp `[%ts]`, its time is derived from `[%clk]`, `[%emt]` and the tag TimeControl; if that is
/// impossible, both possible endings are counted. The count is compared with the result and the tag Score.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 all claims are right, 1 a claim is wrong or not determined, 2 input cannot be read.\n\nExamples:\n  overboard score match.npgn\n  overboard score --expiry 1:30:00 round1/*.npgn\n  overboard score --expiry 1:30:00 --csv round1/*.npgn > round1.csv\n  overboard score --fens final-positions.txt"
)]
pub struct ScoreArgs {
    /// Files, or folders of records, to read; `-` is standard input.
    #[arg(
        required_unless_present = "fens",
        value_name = "FILE",
        conflicts_with = "fens"
    )]
    pub files: Vec<PathBuf>,
    /// Playing time at the end, from the start of the match, as `[%ts]` counts it. A move completed at that second
    /// counts.
    #[arg(long, value_name = "H:MM:SS", value_parser = milliseconds, conflicts_with = "fens")]
    pub expiry: Option<u64>,
    /// Count the kings of final positions, one on each line with ` | ` between boards; `-` is standard
    /// input. Empty lines and lines that begin with `#` are skipped.
    #[arg(long, value_name = "FILE")]
    pub fens: Option<PathBuf>,
    /// Print one JSON object for each game.
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print a CSV table.
    #[arg(long)]
    pub csv: bool,
    #[command(flatten)]
    pub threads: JobsArgs,
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// Columns of the comma-separated values.
const COLUMNS: [&str; 12] = [
    "file",
    "game",
    "white_kings",
    "black_kings",
    "boards",
    "winner",
    "last_counted",
    "first_late",
    "record_result",
    "record_score",
    "agrees",
    "note",
];
/// The longest line that is accepted as a position, in bytes.
const LONGEST: usize = 16 << 20;
/// Rows of a table that are laid out together.
const ROWS: usize = 1_000;

pub fn run(args: &ScoreArgs) -> Result<Exit, CliError> {
    let options = without_findings(args.judging.options()?);
    let mut sheet = Sheet::new(args)?;
    match &args.fens {
        Some(path) => {
            let is_later = options.rules.split(':').any(|rule| rule == "edition=2025");
            let edition = if is_later {
                Edition::Of2025
            } else {
                Edition::Of2003
            };
            let reader = open_input(path)?;
            positions(reader, path, edition, &mut sheet).map_err(|error| error.at(path))?;
        }
        None => records(args, options, &mut sheet)?,
    }
    Ok(sheet.finish()?)
}

fn records(args: &ScoreArgs, options: Options, sheet: &mut Sheet) -> Result<(), CliError> {
    let judge = Judge::of(options, args.threads.jobs, &args.files)?;
    let empty = judge.run_before(&args.files, &Scorer::new(args.expiry), |report, account| {
        let account = account.unwrap_or_else(|| Account::unreadable(Note::unreadable(&report)));
        sheet.add(&AccountRow {
            file: report.file.as_it_came(),
            game: report.game,
            account: &account,
        })
    })?;
    for path in empty {
        ui::warn_of_no_game(&path.display());
    }
    Ok(())
}

/// Counts the kings of positions, one on each line.
fn positions(
    reader: Box<dyn Read>,
    path: &Path,
    edition: Edition,
    sheet: &mut Sheet,
) -> Result<(), TransferError> {
    let mut lines = Lines::of(BufReader::new(reader), LONGEST);
    let file = path.display().to_string();
    let mut game = 0;
    while let Some(Line { text, fault, .. }) = lines.next_line().map_err(TransferError::Reading)? {
        let text = text.trim_ascii();
        if text.is_empty() || text.starts_with(b"#") {
            continue;
        }
        game += 1;
        let account = match fault {
            Some(why) => Err(why),
            None => position(&decode(text).0, edition).map_err(|fault| fault.to_string()),
        };
        let account = account.unwrap_or_else(|why| Account::unreadable(Note::no_position(&why)));
        sheet
            .add(&AccountRow {
                file: &file,
                game,
                account: &account,
            })
            .map_err(TransferError::Writing)?;
    }
    Ok(())
}

/// The account of one game, and its place.
struct AccountRow<'a> {
    file: &'a str,
    game: u64,
    account: &'a Account,
}

/// What is printed, row by row.
struct Sheet {
    form: Form,
    exit: Exit,
    counts: Counts,
}

/// How many games there are, by what came of their claims.
#[derive(Default)]
struct Counts {
    right: u64,
    wrong: u64,
    undetermined: u64,
    silent: u64,
    unreadable: u64,
}

enum Form {
    Json(Out),
    Csv(Box<csv::Writer<Out>>),
    Lines(Out),
    /// Rows that wait to be laid out, each with its notes.
    Table(Out, Vec<([String; 8], String)>),
}

impl Sheet {
    fn new(args: &ScoreArgs) -> io::Result<Self> {
        let out = ui::stdout();
        let form = if args.json {
            Form::Json(out)
        } else if args.csv {
            let mut table = csv::Writer::from_writer(out);
            table.write_record(COLUMNS)?;
            Form::Csv(table.into())
        } else if io::stdout().is_terminal() {
            Form::Table(out, Vec::new())
        } else {
            Form::Lines(out)
        };
        Ok(Self {
            form,
            exit: Exit::Clean,
            counts: Counts::default(),
        })
    }

    fn add(&mut self, row: &AccountRow<'_>) -> io::Result<()> {
        self.count(row.account);
        match &mut self.form {
            Form::Json(out) => ui::json(out, &AccountReport::from(row)),
            Form::Csv(table) => Ok(table.write_record(row.cells())?),
            Form::Lines(out) => row.write_lines(out),
            Form::Table(out, rows) => {
                rows.push((row.table_cells(), row.notes()));
                if rows.len() == ROWS {
                    write_table(out, &std::mem::take(rows))
                } else {
                    Ok(())
                }
            }
        }
    }

    fn count(&mut self, account: &Account) {
        let counts = &mut self.counts;
        let (count, exit) = match (account.readable, account.agrees) {
            (false, _) => (&mut counts.unreadable, Exit::Unusable),
            (true, None) => (&mut counts.silent, Exit::Clean),
            (true, Some(Agreement::Yes)) => (&mut counts.right, Exit::Clean),
            (true, Some(Agreement::No)) => (&mut counts.wrong, Exit::Findings),
            (true, Some(Agreement::Undetermined)) => (&mut counts.undetermined, Exit::Findings),
        };
        *count += 1;
        self.exit = self.exit.max(exit);
    }

    fn finish(self) -> io::Result<Exit> {
        let summary = summary(&self.counts);
        match self.form {
            Form::Json(mut out) => out.flush()?,
            Form::Csv(mut table) => table.flush()?,
            Form::Lines(mut out) => {
                writeln!(out, "{summary}")?;
                out.flush()?;
            }
            Form::Table(mut out, rows) => {
                write_table(&mut out, &rows)?;
                writeln!(out, "{summary}")?;
                out.flush()?;
            }
        }
        Ok(self.exit)
    }
}

fn summary(counts: &Counts) -> String {
    let Counts {
        right,
        wrong,
        undetermined,
        silent,
        unreadable,
    } = counts;
    let all = right + wrong + undetermined + silent + unreadable;
    let strong = ui::shown(ui::STRONG);
    let games = counted(all, "game");
    format!(
        "{strong}{games}{strong:#}: {right} as claimed, {wrong} wrong, {undetermined} not determined, {silent} without a claim, {unreadable} unreadable"
    )
}

fn winner(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Side::White)) => "white",
        Some(Outcome::Win(Side::Black)) => "black",
        Some(Outcome::Draw) => "draw",
        None => "undetermined",
    }
}

const fn agreement(agrees: Agreement) -> &'static str {
    match agrees {
        Agreement::Yes => "yes",
        Agreement::No => "no",
        Agreement::Undetermined => "undetermined",
    }
}

/// A ply with its time: `12A. Nb6/B (1:29:58)`, `(1:29:58 derived)`.
fn ply(ply: Option<&Named>) -> String {
    let Some(Named { text, time, .. }) = ply else {
        return String::new();
    };
    let text = visible(text);
    match time {
        Some(time) if time.derived => format!("{text} ({} derived)", report(time.at)),
        Some(time) => format!("{text} ({})", report(time.at)),
        None => text.into_owned(),
    }
}

const fn sign(king: King) -> &'static str {
    match king {
        King::Stands => "1",
        King::Gone => "0",
        King::Open => "?",
    }
}

impl AccountRow<'_> {
    /// The kings of each board: `A:1-1 B:0-1 C:?-1`.
    fn boards(&self) -> String {
        let mut words = Vec::new();
        for (board, kings) in self.account.boards.iter().enumerate() {
            let [white, black] = kings.map(sign).into_array();
            words.push(format!("{}:{white}-{black}", BoardName(board)));
        }
        words.join(" ")
    }

    fn kings(&self, side: Side) -> String {
        or_blank(self.account.kings.map(|kings| kings[side]))
    }

    fn notes(&self) -> String {
        let notes = self.account.notes.iter().map(|note| visible(&note.text));
        notes.collect::<Vec<_>>().join("; ")
    }

    /// The values, escaped so that no spreadsheet takes one for a formula.
    fn cells(&self) -> [String; 12] {
        let account = self.account;
        let claimed = |text: &Option<String>| text.clone().unwrap_or_default();
        let cells = [
            self.file.to_owned(),
            self.game.to_string(),
            self.kings(Side::White),
            self.kings(Side::Black),
            self.boards(),
            winner(account.outcome).into(),
            ply(account.last_counted.as_ref()),
            ply(account.first_late.as_ref()),
            claimed(&account.record_result),
            claimed(&account.record_score),
            or_blank(account.agrees.map(agreement)),
            self.notes(),
        ];
        cells.map(|cell| Foreign::new(cell).harmless_cell().into_owned())
    }

    fn table_cells(&self) -> [String; 8] {
        let [
            file,
            game,
            white,
            black,
            _,
            winner,
            last,
            late,
            result,
            score,
            agrees,
            _,
        ] = self.cells();
        let claimed = [result, score].into_iter().filter(|text| !text.is_empty());
        let claimed = claimed.collect::<Vec<_>>().join(", ");
        [
            format!("{file}:{game}"),
            format!("{white}-{black}"),
            self.boards(),
            winner,
            last,
            late,
            claimed,
            agrees,
        ]
    }

    fn write_lines(&self, out: &mut impl Write) -> io::Result<()> {
        let account = self.account;
        write!(out, "{}: ", visible(self.file))?;
        if self.game > 0 {
            write!(out, "game {}: ", self.game)?;
        }
        match account.kings.map(BySide::into_array) {
            Some([white, black]) => writeln!(out, "{white}-{black}, {}", verdict(account.outcome))?,
            None => writeln!(out, "{}", verdict(account.outcome))?,
        }
        if account.boards.len() > 1 {
            writeln!(out, "  boards: {}", self.boards())?;
        }
        for (head, words) in [
            ("last counted", ply(account.last_counted.as_ref())),
            ("first too late", ply(account.first_late.as_ref())),
            ("recorded", self.claims()),
        ] {
            if !words.is_empty() {
                writeln!(out, "  {head}: {words}")?;
            }
        }
        for note in &account.notes {
            writeln!(out, "  note: {}", visible(&note.text))?;
        }
        Ok(())
    }

    /// The claims and whether they are right: `1-0, Score 2-1: agrees`.
    fn claims(&self) -> String {
        let Account {
            record_result,
            record_score,
            agrees,
            ..
        } = self.account;
        let mut claims = Vec::from_iter(record_result.clone());
        claims.extend(record_score.as_ref().map(|score| format!("Score {score}")));
        let (style, agrees) = in_style(*agrees);
        let style = ui::shown(style);
        format!("{}{style}{agrees}{style:#}", visible(&claims.join(", ")))
    }
}

fn verdict(outcome: Option<Outcome>) -> String {
    match outcome {
        Some(Outcome::Win(side)) => format!("{side} wins"),
        Some(Outcome::Draw) => "a draw".into(),
        None => "not determined".into(),
    }
}

const HEADS: [&str; 8] = [
    "game",
    "kings",
    "boards",
    "winner",
    "last counted",
    "first too late",
    "recorded",
    "agrees",
];
/// The greatest width of a column; longer text is cut.
const WIDEST: usize = 36;

/// Lays out rows below their headings, each followed by its notes.
fn write_table(out: &mut impl Write, rows: &[([String; 8], String)]) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut widths = HEADS.map(str::len);
    for (cells, _) in rows {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.chars().count()).min(WIDEST);
        }
    }
    let strong = ui::shown(ui::STRONG);
    writeln!(
        out,
        "{strong}{}{strong:#}",
        laid_out(&HEADS.map(String::from), &widths)
    )?;
    for (cells, notes) in rows {
        writeln!(out, "{}", laid_out(cells, &widths))?;
        for line in ui::fill(notes, ui::columns().saturating_sub(4)).lines() {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}

fn laid_out(cells: &[String; 8], widths: &[usize]) -> String {
    let mut line = String::new();
    for (cell, width) in cells.iter().zip(widths) {
        line.push_str(&fitted(cell, *width));
        line.push_str("  ");
    }
    line.trim_end().to_string()
}

/// A text at this width, cut if it is longer.
fn fitted(cell: &str, width: usize) -> String {
    let long = cell.chars().count() > width;
    let shown: String = cell.chars().take(width - usize::from(long)).collect();
    let more = if long { "…" } else { "" };
    format!("{:width$}", shown + more)
}

fn in_style(agrees: Option<Agreement>) -> (Style, &'static str) {
    match agrees {
        Some(Agreement::Yes) => (ui::GOOD, ": agrees"),
        Some(Agreement::No) => (ui::BAD, ": wrong"),
        Some(Agreement::Undetermined) => (ui::DOUBTFUL, ": not determined"),
        None => (Style::new(), ""),
    }
}

/// The kings of a game or a position, counted.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AccountReport<'a> {
    /// The file, as given; `-` is standard input.
    file: &'a str,
    /// The number of the game in its file, from 1, or of the position; 0 for a file that cannot be read.
    game: u64,
    /// The fewest and the most kings that White may have; null if they cannot be counted.
    white_kings: Option<Range>,
    /// The fewest and the most kings that Black may have; null if they cannot be counted.
    black_kings: Option<Range>,
    /// The kings of each board.
    boards: Vec<Board>,
    /// `white`, `black`, `draw` or `undetermined`.
    winner: &'static str,
    /// What ended the game before the expiry; null if nothing did.
    ended: Option<Ended>,
    /// The last move that certainly counts.
    last_counted: Option<Ply<'a>>,
    /// The first move that is certainly too late.
    first_late: Option<Ply<'a>>,
    /// The number of moves between the two.
    uncertain: u32,
    /// The uncertain moves and commands on which the count depends.
    deciding: &'a [String],
    /// The count if none of the uncertain moves counts; null if it is the same either way.
    without_uncertain: Option<End>,
    /// The count if all uncertain moves count; null if it is the same either way.
    with_uncertain: Option<End>,
    /// The recorded result; null if there is none.
    record_result: Option<&'a str>,
    /// The tag Score; null if there is none.
    record_score: Option<&'a str>,
    /// Whether the record agrees with the count: `yes`, `no` or `undetermined`; null if it has neither a result nor a
    /// score.
    agrees: Option<&'static str>,
    /// Notes on the count.
    notes: &'a [Note],
}

/// The kings of a board.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Board {
    /// The letters of the board.
    board: String,
    /// White's king.
    white: King,
    /// Black's king.
    black: King,
}

/// An end of the game.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Ended {
    /// What ended it.
    by: String,
    /// The rule that says so.
    rule: &'static str,
}

/// A move with its time.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Ply<'a> {
    /// The ply, from 1.
    ply: u32,
    /// The move, with its number.
    text: &'a str,
    /// Its time; null if it is not known.
    time: Option<String>,
    /// Whether the time follows from other times.
    derived: bool,
}

/// A count of kings.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct End {
    /// The fewest and the most kings that White may have.
    white_kings: Range,
    /// The fewest and the most kings that Black may have.
    black_kings: Range,
    /// `white`, `black`, `draw` or `undetermined`.
    winner: &'static str,
}

impl<'a> From<&'a AccountRow<'a>> for AccountReport<'a> {
    fn from(
        AccountRow {
            file,
            game,
            account,
        }: &'a AccountRow<'a>,
    ) -> Self {
        let board = |(board, kings): (usize, &BySide<King>)| Board {
            board: BoardName(board).to_string(),
            white: kings[Side::White],
            black: kings[Side::Black],
        };
        let [without, with] = account
            .ends
            .map_or([None, None], |ends| ends.map(|end| Some(End::from(end))));
        Self {
            file,
            game: *game,
            white_kings: account.kings.map(|kings| kings[Side::White]),
            black_kings: account.kings.map(|kings| kings[Side::Black]),
            boards: account.boards.iter().enumerate().map(board).collect(),
            winner: winner(account.outcome),
            ended: account.ended.map(|(cause, rule)| Ended {
                by: cause.to_string(),
                rule,
            }),
            last_counted: account.last_counted.as_ref().map(Ply::from),
            first_late: account.first_late.as_ref().map(Ply::from),
            uncertain: account.uncertain,
            deciding: &account.deciding,
            without_uncertain: without,
            with_uncertain: with,
            record_result: account.record_result.as_deref(),
            record_score: account.record_score.as_deref(),
            agrees: account.agrees.map(agreement),
            notes: &account.notes,
        }
    }
}

impl<'a> From<&'a Named> for Ply<'a> {
    fn from(Named { ply, text, time }: &'a Named) -> Self {
        let derived = time.is_some_and(|time| time.derived);
        Self {
            ply: *ply,
            text,
            time: time.map(|time| report(time.at)),
            derived,
        }
    }
}

impl From<Count> for End {
    fn from(Count { kings, outcome }: Count) -> Self {
        let [white_kings, black_kings] = kings.into_array();
        Self {
            white_kings,
            black_kings,
            winner: winner(outcome),
        }
    }
}
