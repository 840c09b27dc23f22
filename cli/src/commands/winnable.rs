//! `winnable`: whether a side can still mate, by any series of legal moves.

use crate::{
    commands::show::write_pictures,
    exit::{CliError, Exit},
    options::from_one,
    picture,
    position_output::PositionOutput,
    positions::{self, PositionArgs, PositionsError, With},
    ui,
};
use clap::Args;
use overboard_formats::{foreign::visible, san::MoveText};
use overboard_games::{
    chess::winnable::{NODES, Never, Winnable},
    registry::AnyGame,
};
use overboard_pictures::diagram::{Diagram, Panel};
use overboard_rules::{
    refusal::counted,
    square::{Side, Square},
};
use serde::Serialize;
use std::{
    io::{self, Write},
    path::PathBuf,
    sync::OnceLock,
};

/// Show who can still mate, by any series of legal moves.
///
/// A flag that falls loses only if the opponent can mate (FIDE 6.9), and a position in which neither side can is dead:
/// the game is drawn at once (FIDE 5.2.2). For each side the answer is yes with moves of both sides that end in mate, no
/// with the reason, or that it is not decided. The moves are not the shortest. For games with the laws of chess.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 a position or a file cannot be read.\n\nExamples:\n  overboard winnable --fen '8/8/2k5/p1p1p1p1/P1P1P1P1/2K5/8/8 w - - 0 1'\n  overboard winnable --fen '8/8/2k5/p1p1p1p1/P1P1P1P1/2K5/8/8 w - - 0 1' --svg wall.svg\n  overboard winnable --fens positions.txt --json | jq -r 'select(.dead).fen'"
)]
pub struct WinnableArgs {
    #[command(flatten)]
    pub positions: PositionArgs,
    /// Search at most this many positions for a mate [default: 500000].
    #[arg(long, value_name = "N", conflicts_with = "quick", value_parser = from_one())]
    pub nodes: Option<u32>,
    /// Answer as games are judged, without moves where a side surely can mate: most positions in a microsecond.
    #[arg(long)]
    pub quick: bool,
    /// Draw the position of --fen: the pieces that stand for ever are marked, the squares that the kings can reach dotted.
    #[arg(long, value_name = "FILE", requires = "fen")]
    pub svg: Option<PathBuf>,
    /// The same as PNG.
    #[arg(long, value_name = "FILE", requires = "fen")]
    pub png: Option<PathBuf>,
}

/// A position, and who can still mate in it.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "WinnablePosition")
)]
pub struct Answered<'a> {
    /// The position as it was given.
    fen: &'a str,
    /// Whether White can mate.
    white: Prospects,
    /// Whether Black can mate.
    black: Prospects,
    /// Whether neither can: then the game is drawn.
    dead: bool,
}

/// Whether a side can mate, and what shows it.
#[derive(Serialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Prospects {
    /// `yes`, `no` or `undecided`.
    mates: &'static str,
    /// If it can: the moves of both sides that lead to mate, in the notation of records; null with --quick where both
    /// sides move freely.
    line: Option<Vec<String>>,
    /// If it cannot: `material`, `wall` or `forced`.
    why: Option<&'static str>,
    /// Behind a wall: the squares of the pieces that stand there for ever.
    fixed: Vec<String>,
    /// Behind a wall: the squares that the king who would be mated can ever reach.
    reach: Vec<String>,
}

impl WinnableArgs {
    /// How many positions are searched at most, also by `--quick`.
    fn limit(&self) -> u32 {
        self.nodes.unwrap_or(NODES)
    }
}

pub fn run(args: &WinnableArgs) -> Result<Exit, CliError> {
    let start = positions::start(&args.positions)?;
    if start.winnable(Side::White, Some(1)).is_none() {
        return Err(PositionsError::NoMates(start.info().name).into());
    }
    let nodes = (!args.quick).then(|| args.limit());
    let walls = OnceLock::new();
    let exit = positions::each(&args.positions, With::Counting, |position, fen, out| {
        let found = [Side::White, Side::Black].map(|side| position.winnable(side, nodes));
        let [Some(white), Some(black)] = found else {
            return Ok(());
        };
        let found = [white, black];
        answer(position, fen, &found, args, out)?;
        if args.svg.is_some() || args.png.is_some() {
            walls.get_or_init(|| diagram(position, &found));
        }
        Ok(())
    })?;
    if let Some(walls) = walls.get() {
        draw(walls, args)?;
    }
    Ok(exit)
}

fn answer(
    position: &AnyGame,
    fen: &str,
    found: &[Winnable; 2],
    args: &WinnableArgs,
    out: &mut PositionOutput,
) -> io::Result<()> {
    let is_never = |found: &Winnable| matches!(found, Winnable::Never(_));
    let dead = found.iter().all(is_never) && position.count_legal() > 0;
    if args.positions.json {
        let [white, black] = found.each_ref().map(|found| prospects(position, found));
        let answered = Answered {
            fen,
            white,
            black,
            dead,
        };
        return ui::json(out, &answered);
    }
    writeln!(out, "{}", visible(fen))?;
    for (side, found) in [Side::White, Side::Black].into_iter().zip(found) {
        writeln!(out, "  {}", words(position, side, found, args.limit()))?;
    }
    if dead {
        writeln!(out, "  The position is dead: the game is drawn (GEN-3).")?;
    }
    Ok(())
}

/// The answer for one side, for people; at most `limit` positions were searched.
fn words(position: &AnyGame, side: Side, found: &Winnable, limit: u32) -> String {
    let other = side.other();
    match found {
        Winnable::By(line) if line.is_empty() => format!("{side} has mated."),
        Winnable::By(line) => format!("{side} can mate: {}", numbered(position, line)),
        Winnable::Surely => format!("{side} can mate: both sides move freely."),
        Winnable::Never(Never::Material) => format!("{side} cannot mate: too few pieces."),
        Winnable::Never(Never::Walls(wall)) => format!(
            "{side} cannot mate: the board is blocked. {} stand for ever; {other}'s king stays on {}.",
            listed(&wall.fixed),
            listed(&wall.reach)
        ),
        Winnable::Never(Never::Forced(positions)) => format!(
            "{side} cannot mate: no series of moves leads there ({}, all that can follow).",
            counted(*positions, "position")
        ),
        Winnable::Undecided => {
            format!(
                "{side}: not decided. {} were searched; no mate was found, and no proof that there is none.",
                counted(limit, "position")
            )
        }
    }
}

/// Squares in a sentence: by their names, or their number if there are many.
fn listed(squares: &[Square]) -> String {
    match squares.len() {
        0 => "no piece".into(),
        count if count > 16 => format!("{count} squares"),
        _ => names(squares).join(" "),
    }
}

fn names(squares: &[Square]) -> Vec<String> {
    squares.iter().map(ToString::to_string).collect()
}

/// Moves with their numbers, in the notation of records.
fn numbered(position: &AnyGame, line: &[MoveText]) -> String {
    let mut words = Vec::new();
    let mut number = position.fullmove().unwrap_or(1);
    let mut is_white = position.turn() == Some(Side::White);
    for (at, san) in sans(position, line).into_iter().enumerate() {
        words.push(match (is_white, at) {
            (true, _) => format!("{number}. {san}"),
            (false, 0) => format!("{number}... {san}"),
            (false, _) => san,
        });
        number += u32::from(!is_white);
        is_white = !is_white;
    }
    words.join(" ")
}

fn sans(position: &AnyGame, line: &[MoveText]) -> Vec<String> {
    let mut sans = Vec::with_capacity(line.len());
    let mut now = position.clone();
    for m in line {
        let Some((san, after)) = now.played(m.as_str()) else {
            break;
        };
        sans.push(san.to_string());
        now = after;
    }
    sans
}

fn prospects(position: &AnyGame, found: &Winnable) -> Prospects {
    let of = |mates| Prospects {
        mates,
        ..Prospects::default()
    };
    let no = |why| Prospects {
        why: Some(why),
        ..of("no")
    };
    match found {
        Winnable::By(line) => Prospects {
            line: Some(sans(position, line)),
            ..of("yes")
        },
        Winnable::Surely => of("yes"),
        Winnable::Never(Never::Material) => no("material"),
        Winnable::Never(Never::Forced(_)) => no("forced"),
        Winnable::Never(Never::Walls(wall)) => Prospects {
            fixed: names(&wall.fixed),
            reach: names(&wall.reach),
            ..no("wall")
        },
        Winnable::Undecided => of("undecided"),
    }
}

/// The position, with what keeps a side from mating if that is a wall.
fn diagram(position: &AnyGame, found: &[Winnable; 2]) -> Diagram {
    let mut diagram = position.diagram(&[]);
    let panels = diagram.rows.iter_mut().flat_map(|row| &mut row.panels);
    for panel in panels {
        for found in found {
            mark(panel, found);
        }
    }
    diagram
}

fn mark(panel: &mut Panel, found: &Winnable) {
    if let Winnable::Never(Never::Walls(wall)) = found {
        panel.last.extend(&wall.fixed);
        panel.targets.extend(&wall.reach);
    }
}

/// Writes the pictures that were asked for.
fn draw(diagram: &Diagram, args: &WinnableArgs) -> Result<(), CliError> {
    let drawn = picture::draw(diagram, None, false);
    let mut out = ui::stdout();
    write_pictures(&drawn.svg, [&args.svg, &args.png], &mut out)?;
    out.flush().map_err(CliError::Output)
}
