//! `pair show`: a round of an event.

use super::{print, which};
use crate::{
    exit::{CliError, Exit},
    grid::{Grid, cells, or_blank},
    options::{FolderArgs, FormArgs, from_one},
    ui,
};
use clap::Args;
use overboard_events::{
    Event,
    rounds::{Board, ByeKind, Match, Round},
    settings::System,
    store,
};
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    tournament::ByScore,
};
use serde::Serialize;

/// Print a round of an event.
///
/// Prints the pairings, with the results known so far.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no such round.\n\nExamples:\n  overboard pair show cup\n  overboard pair show cup --round 2 --to html > round2.html"
)]
pub struct PairShowArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The round [default: the last one paired].
    #[arg(long, value_name = "N", value_parser = from_one())]
    pub round: Option<u32>,
    #[command(flatten)]
    pub form: FormArgs,
}

pub fn run(args: &PairShowArgs) -> Result<Exit, CliError> {
    let event = store::read(&args.folder.folder)?;
    let number = which(&event, args.round)?;
    if args.form.json {
        return ui::print_json(&RoundReport::of(&event, number));
    }
    print(
        &event.settings.name,
        &[round_grid(&event, number)],
        &args.form,
    )
}

/// A round as a table.
pub fn round_grid(event: &Event, number: RoundNo) -> Grid {
    let round = &event.rounds[number.index()];
    let mut grid = Grid::new(
        format!("Round {number}"),
        &["table", "no.", "White", "result", "Black", "no."],
    );
    for this in &round.matches {
        if !this.boards.is_empty() {
            grid.strong.push(grid.rows.len());
        }
        let cell = |number: TeamNo| (number.to_string(), event.name(number));
        let ((one, white), (other, black)) = (cell(this.white), cell(this.black));
        grid.push(cells![
            this.table.to_string(),
            one,
            white,
            report(event, number, this),
            black,
            other
        ]);
        for board in &this.boards {
            let name = |id: Option<u32>| {
                id.and_then(|id| event.player(id))
                    .map_or("-".into(), |player| player.name.clone())
            };
            let label = format!("{}.{}", this.table, board.board);
            grid.push(cells![
                label,
                "",
                name(board.white),
                or_blank(board.result),
                name(board.black),
                "",
            ]);
        }
    }
    for bye in &round.byes {
        grid.push(cells![
            "",
            bye.who.to_string(),
            event.name(bye.who),
            bye_in_words(event, bye.kind),
            "",
            "",
        ]);
    }
    grid
}

/// A bye as people call it. One that is the system's own is just a bye, whatever it counts.
pub fn bye_in_words(event: &Event, kind: ByeKind) -> &'static str {
    match kind {
        ByeKind::Free => "bye",
        ByeKind::Full if event.settings.system == System::Knockout => "bye",
        ByeKind::Bye => "bye",
        ByeKind::Full => "full-point bye",
        ByeKind::Half => "half-point bye",
        ByeKind::Zero => "not paired",
    }
}

/// The result of a match, in short.
fn report(event: &Event, round: RoundNo, this: &Match) -> String {
    if this.result.is_none() && event.outcome(this).is_none() {
        return event.default_words(this, round).unwrap_or_default();
    }
    event.in_words(this)
}

/// A round of an event.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundReport {
    /// The number of the round.
    round: RoundNo,
    /// The matches in the order of the tables.
    matches: Vec<MatchReport>,
    /// The participants without an opponent.
    byes: Vec<ByeReport>,
}

/// A match.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MatchReport {
    /// The table.
    table: u32,
    /// The number of the participant with White.
    white: TeamNo,
    /// Its name.
    white_name: Foreign,
    /// The number of the participant with Black.
    black: TeamNo,
    /// Its name.
    black_name: Foreign,
    /// The result; null if there is none.
    result: Option<overboard_events::rounds::GameResult>,
    /// White's and Black's kings or sub-games; null if the match has no such score.
    score: Option<[Points; 2]>,
    /// The result of the play-off; null if there is none.
    play_off: Option<overboard_events::rounds::GameResult>,
    /// Match points and game points of White, and the same of Black; null until the match is decided.
    points: Option<[ByScore<Points>; 2]>,
    /// The boards of a match of teams.
    boards: Vec<BoardReport>,
}

/// A board of a match.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct BoardReport {
    /// The number of the board.
    board: u32,
    /// The id of the player with White; null if none is named.
    white: Option<u32>,
    /// The id of the player with Black; null if none is named.
    black: Option<u32>,
    /// The result; null if there is none.
    result: Option<overboard_events::rounds::GameResult>,
}

/// A participant without an opponent.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ByeReport {
    /// The number of the participant.
    who: TeamNo,
    /// Its name.
    name: Foreign,
    /// Why.
    kind: ByeKind,
}

impl RoundReport {
    /// A round as `pair show --json` prints it.
    pub fn of(event: &Event, number: RoundNo) -> Self {
        let Round { matches, byes } = &event.rounds[number.index()];
        let matches = matches.iter().map(|this| MatchReport::of(event, this));
        let byes = byes.iter().map(|bye| ByeReport {
            who: bye.who,
            name: event.name(bye.who),
            kind: bye.kind,
        });
        Self {
            round: number,
            matches: matches.collect(),
            byes: byes.collect(),
        }
    }
}

impl MatchReport {
    fn of(event: &Event, this: &Match) -> Self {
        Self {
            table: this.table,
            white: this.white,
            white_name: event.name(this.white),
            black: this.black,
            black_name: event.name(this.black),
            result: this.result,
            score: this.tally,
            play_off: this.play_off,
            points: event.outcome(this).map(|outcome| outcome.scores),
            boards: this.boards.iter().map(BoardReport::from).collect(),
        }
    }
}

impl From<&Board> for BoardReport {
    fn from(board: &Board) -> Self {
        Self {
            board: board.board,
            white: board.white,
            black: board.black,
            result: board.result,
        }
    }
}
