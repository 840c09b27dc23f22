//! `desk`: keeps the record of a game while it is played.

mod hall;
mod input;
mod office;
mod painter;
mod round;
mod shell;
mod terminal;

use crate::{
    exit::{CliError, Exit},
    options::{VariantName, from_one, one_line},
    positions, ui,
};
use clap::{ArgGroup, Args, ValueEnum};
use input::{Heard, Input};
use overboard_desk::{
    attendant::{Hear, seated},
    keeper::{Commanders, Comments, DeskTerms, Keeper, New, OnEdit},
    lines::{self, FromDesk},
};
use overboard_formats::{command::duration, header::is_tag_name, limits::Limits};
use std::{
    io::Write as _,
    net::SocketAddr,
    path::PathBuf,
    time::{Duration, Instant},
};

/// Keep the record of a game while it is played.
///
/// On screens, in a terminal or by a protocol. By default it prints links to the page of the game: for the arbiter, for each
/// person whom the record names, and for spectators. Takes moves by clicks or as people write them, and everything else in words, refuses what is illegal with its rule, and writes the
/// record after each act. Begins a new record if the file does not exist; else goes on with it. Every act is in a journal
/// beside the record, FILE.desk, before it is answered: after a crash the same command goes on.
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("way"),
    group = ArgGroup::new("begins"),
    after_help = "Exit codes: 0 the desk was ended, 2 the record cannot be kept.\n\nExamples:\n  overboard desk game.npgn --open --variant overchess --white Ann --black Bob\n  overboard desk game.npgn --terminal --variant overchess --white Ann --black Bob\n  overboard desk match.npgn --terminal --variant strategichess --boards 3 --time-control 3600+30\n  overboard desk game.npgn --proto lines"
)]
pub struct DeskArgs {
    /// The record; with --event the folder for the records of the round.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Open a desk for each game of a round of the event in this folder: records, names and seats are taken from its cards.
    #[arg(long, value_name = "FOLDER", group = "begins", conflicts_with_all = ["way", "variant", "seats"])]
    pub event: Option<PathBuf>,
    /// With --event: the round [default: the last one paired].
    #[arg(long, value_name = "N", requires = "event", value_parser = from_one())]
    pub round: Option<u32>,
    /// With --event: write the event's pages to this folder whenever a result is entered at a desk.
    #[arg(long, value_name = "DIR", requires = "event")]
    pub publish: Option<PathBuf>,
    /// With --publish: records of earlier rounds, or folders of them, which get pages, too.
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "publish")]
    pub games: Vec<PathBuf>,
    /// Type moves and words; `help` lists them.
    #[arg(long, group = "way")]
    pub terminal: bool,
    /// Speak a protocol on standard input and output: `lines`, one JSON object per line.
    #[arg(long, value_name = "NAME", group = "way")]
    pub proto: Option<Protocol>,
    /// The address and port at which browsers find the desk, such as `192.168.1.20:8080`; nothing is encrypted [default: this
    /// computer alone, at the port of the last time].
    #[arg(long, value_name = "ADDRESS", conflicts_with = "way")]
    pub listen: Option<SocketAddr>,
    /// Open the arbiter's page in the browser.
    #[arg(long, conflicts_with = "way")]
    pub open: bool,
    /// A new record: the game.
    #[arg(long, value_name = "NAME", ignore_case = true, group = "begins")]
    pub variant: Option<VariantName>,
    /// A new record: the number of boards of StrategiChess [default: 1].
    #[arg(long, value_name = "N", requires = "variant", value_parser = clap::value_parser!(u16).range(1..))]
    pub boards: Option<u16>,
    /// A new record: the level of Recursive Chess [default: 1].
    #[arg(long, value_name = "N", requires = "variant", value_parser = clap::value_parser!(u8).range(..=64))]
    pub level: Option<u8>,
    /// A new record: the options of the game, such as `fog:prisoners`.
    #[arg(
        long,
        value_name = "LIST",
        default_value = "",
        hide_default_value = true,
        requires = "variant"
    )]
    pub rules: String,
    /// A new record: White's name; of linked boards the names with colons between them.
    #[arg(long, value_name = "NAME", value_parser = one_line, requires = "variant")]
    pub white: Option<String>,
    /// A new record: Black's name.
    #[arg(long, value_name = "NAME", value_parser = one_line, requires = "variant")]
    pub black: Option<String>,
    /// A new record: the time control, as the tag TimeControl has it: `5400+30`, `40/5400+30:1800+30`.
    #[arg(long, value_name = "CONTROL", requires = "begins")]
    pub time_control: Option<String>,
    /// A new record: a further tag, such as `Event=Cup`; can be repeated.
    #[arg(long = "tag", value_name = "NAME=VALUE", value_parser = tag_pair, requires = "variant")]
    pub tags: Vec<(String, String)>,
    /// Seconds at the beginning of each move that are not taken from the clock.
    #[arg(long, value_name = "SECONDS")]
    pub delay: Option<u32>,
    /// Whose clocks there are, in games with games inside: one for each team, or two for each game [default: teams].
    #[arg(long, value_name = "WHOSE")]
    pub clocks: Option<ClocksOf>,
    /// The playing time after which StrategiChess ends and the kings are counted, as `h:mm:ss`.
    #[arg(long, value_name = "TIME", value_parser = playing_time)]
    pub until: Option<u64>,
    /// What becomes of comments while the game goes on: `open` in the record at once, `sealed` until it is over, or `refused`
    /// [default: sealed on linked boards, else open].
    #[arg(long, value_name = "HOW")]
    pub comments: Option<Comments>,
    /// How several Commanders of a side of Overchess move: `any`, whoever is first, or `vote`, as soon as more than half of
    /// them have named the same move [default: any].
    #[arg(long, value_name = "HOW")]
    pub commanders: Option<Commanders>,
    /// A program at a seat: a player as in `selfplay`, or an engine as in `match`; can be repeated. `B=greedy`,
    /// `W:A=mcts:sims=400` on board A, `B='cmd=stockfish proto=uci st=1'`.
    #[arg(long = "seat", value_name = "SEAT=PLAYER")]
    pub seats: Vec<String>,
    /// The seed of programs that play at random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// What counts if somebody else has changed the file: `keep` the desk's record, and put theirs beside it; `take` that
    /// of the file.
    #[arg(long, value_name = "WHOSE", default_value = "stop")]
    pub on_edit: OnEdit,
    /// With --terminal: do not draw the board after each act.
    #[arg(short, long)]
    pub quiet: bool,
    /// Draw letters instead of figurines.
    #[arg(long)]
    pub ascii: bool,
}

/// A protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Protocol {
    /// One JSON object per line.
    Lines,
}

/// Whose clocks there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ClocksOf {
    /// One for each team, whatever game is going on.
    Teams,
    /// Two for each game, also for each one inside.
    Games,
}

fn tag_pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected a name and a value, as in `Event=Cup`")?;
    if !is_tag_name(name) {
        return Err("the name of a tag has letters, digits and underscores".into());
    }
    Ok((name.into(), one_line(value)?))
}

fn playing_time(text: &str) -> Result<u64, String> {
    duration(text.as_bytes()).ok_or_else(|| "expected a time such as 3:00:00".into())
}

impl DeskArgs {
    /// What is agreed about a new record, if it is to be one.
    fn new_record(&self) -> Result<Option<New>, CliError> {
        let Some(variant) = self.variant else {
            return Ok(None);
        };
        let limits = Limits::default();
        positions::agreed(variant, self.boards, self.level, &self.rules, &limits)?;
        let mut tags = self.tags.clone();
        let known = [
            ("White", &self.white),
            ("Black", &self.black),
            ("TimeControl", &self.time_control),
        ];
        for (name, value) in known {
            if let Some(value) = value {
                tags.push((name.into(), value.clone()));
            }
        }
        Ok(Some(New {
            game: variant.game(),
            boards: self.boards.unwrap_or(1),
            level: variant.level(self.level)?,
            rules: self.rules.clone(),
            tags,
        }))
    }

    fn terms(&self) -> DeskTerms {
        DeskTerms {
            delay: self.delay.map(|seconds| u64::from(seconds) * 1_000),
            clock_for_each_game: self.clocks.map(|whose| whose == ClocksOf::Games),
            until: self.until,
            comments: self.comments,
            commanders: self.commanders,
        }
    }
}

pub fn run(args: &DeskArgs) -> Result<Exit, CliError> {
    if let Some(event) = &args.event {
        return round::run(event, args);
    }
    let new = args.new_record()?;
    let keeper = Keeper::open(&args.file, new.as_ref(), args.terms(), args.on_edit)?;
    match args.proto {
        _ if args.terminal => terminal::run(keeper, args),
        Some(Protocol::Lines) => protocol(keeper, args),
        None => hall::run(keeper, args),
    }
}

/// Lets the programs sit down.
fn seat(keeper: &mut Keeper, args: &DeskArgs, hearer: impl Fn() -> Hear) -> Result<(), CliError> {
    for words in &args.seats {
        let (seat, sitter) = seated(words)?;
        keeper.seat(seat, sitter, args.seed, hearer())?;
    }
    Ok(())
}

/// How often the clocks are looked at while nothing is typed.
const TICK: Duration = Duration::from_millis(100);

/// Speaks the protocol until the other side says `quit` or its input ends.
fn protocol(mut keeper: Keeper, args: &DeskArgs) -> Result<Exit, CliError> {
    let mut out = ui::stdout();
    let input = Input::of_lines();
    seat(&mut keeper, args, || input.hearer())?;
    let begun = Instant::now();
    // Programs that are asked when the input ends still play, and so go on among themselves to the end.
    let mut has_ended = false;
    loop {
        let heard = input.next(TICK);
        match keeper.pass_to(begun.elapsed()) {
            Ok(notices) => {
                for notice in &notices {
                    ui::json(&mut out, &FromDesk::Notice(lines::notice(notice)))?;
                }
            }
            Err(error) => ui::json(&mut out, &FromDesk::Error(lines::fault_of(error)))?,
        }
        let answer = match heard {
            Heard::Nothing => {
                out.flush()?;
                continue;
            }
            Heard::End if keeper.is_waiting() && !has_ended => {
                has_ended = true;
                continue;
            }
            Heard::End => break,
            Heard::Answer(answer) => {
                let answer = lines::answered(&mut keeper, answer);
                if let Some(answer) = answer {
                    ui::json(&mut out, &answer)?;
                }
                out.flush()?;
                if has_ended && !keeper.is_waiting() {
                    break;
                }
                continue;
            }
            Heard::Line(line) if line.is_empty() => continue,
            Heard::Line(line) => match lines::read(&line) {
                Ok(message) => lines::answer(&mut keeper, message),
                Err(report) => FromDesk::Error(report.into()),
            },
            Heard::TooLong(longest) => FromDesk::Error(lines::too_long(longest).into()),
        };
        let is_last = answer == FromDesk::Bye;
        ui::json(&mut out, &answer)?;
        out.flush()?;
        if is_last {
            break;
        }
    }
    close(keeper)
}

/// Writes what is not written yet.
fn close(mut keeper: Keeper) -> Result<Exit, CliError> {
    keeper
        .save()
        .map_err(overboard_desk::keeper::DeskError::from)?;
    Ok(Exit::Clean)
}
