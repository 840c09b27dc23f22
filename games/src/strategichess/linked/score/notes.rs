//! Notes on a count of kings.

use super::{
    kings::King,
    report,
    timeline::{Cut, Named, Timeline},
};
use overboard_referee::{
    finding::{Finding, Severity, Verdict},
    report::Report,
};
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome, Ruling},
    ply::BoardName,
    refusal::list,
};
use serde::Serialize;

/// A note on a count of kings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Note {
    /// Its kind.
    pub code: &'static str,
    /// What it says.
    pub text: String,
}

impl Note {
    pub(super) fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
        }
    }

    pub(super) fn other_game(variant: &str) -> Self {
        Self::new(
            "not-strategichess",
            format!("a record of {variant}: kings are counted in StrategiChess only"),
        )
    }

    pub(super) fn too_long(steps: usize) -> Self {
        Self::new(
            "too-long",
            format!("kings are counted in matches of fewer than {steps} plies"),
        )
    }

    /// The record cannot be read, and why.
    #[must_use]
    pub fn unreadable(report: &Report) -> Self {
        let is_why = |finding: &&Finding| {
            finding.severity == Severity::Error && finding.code.verdict == Verdict::Unreadable
        };
        let why = report
            .findings
            .iter()
            .find(is_why)
            .map_or("", |finding| finding.message.as_it_came());
        Self::new("unreadable", format!("cannot be read: {why}"))
    }

    /// The line is not a position, and why.
    #[must_use]
    pub fn no_position(why: &str) -> Self {
        Self::new("unreadable", format!("cannot be read: {why}"))
    }

    pub(super) fn one_board() -> Self {
        Self::new(
            "one-board",
            "one board: a king each, a draw when time ends (SC-30)",
        )
    }

    pub(super) fn equal() -> Self {
        Self::new("equal-kings", "equal kings are a draw (SC-30)")
    }

    pub(super) fn missing(kings: &[BySide<King>]) -> Option<Self> {
        let mut missing = Vec::new();
        for (board, kings) in kings.iter().enumerate() {
            for (side, king) in kings.pairs() {
                if *king == King::Gone {
                    missing.push(format!("{side}'s on {}", BoardName(board)));
                }
            }
        }
        if missing.is_empty() {
            return None;
        }
        let text = format!(
            "kings missing from the start: {}",
            list(missing.iter(), "and")
        );
        Some(Self::new("kings-missing", text))
    }

    pub(super) fn tainted(kings: &[BySide<King>], from: Option<&str>) -> Option<Self> {
        let mut open = Vec::new();
        for (board, kings) in kings.iter().enumerate() {
            if kings.contains(&King::Open) {
                open.push(BoardName(board));
            }
        }
        if open.is_empty() {
            return None;
        }
        let from = from.map_or(String::new(), |from| format!(" from {from} on"));
        let (boards, stand) = if open.len() == 1 {
            ("board", "its")
        } else {
            ("boards", "their")
        };
        let text = format!(
            "{boards} {} not judged{from}: {stand} kings may be on the board or gone",
            list(open.iter(), "and")
        );
        Some(Self::new("tainted-boards", text))
    }

    /// The game ended before time did, and how.
    pub(super) fn ended(ruling: Ruling, after: Option<&Named>) -> Self {
        let behind = after.map_or(String::new(), |ply| format!(" after {}", ply.text));
        let Ruling {
            outcome,
            cause,
            rule,
        } = ruling;
        let why = match cause {
            Cause::Checkmate | Cause::Resignation | Cause::Infraction => {
                ", and the losing team scores 0 (SC-36)"
            }
            _ => "",
        };
        Self::new(
            "ended",
            format!(
                "ended{behind} by {cause} ({}): {outcome} stands{why}",
                rule.id
            ),
        )
    }

    pub(super) fn after_end(plies: usize) -> Self {
        Self::new(
            "moves-after-end",
            format!("{} after the end not counted", moves(plies)),
        )
    }

    pub(super) fn end_too_late(ruling: Ruling) -> Self {
        Self::new(
            "end-too-late",
            format!(
                "the end by {} came after the expiry and does not count",
                ruling.cause
            ),
        )
    }

    pub(super) fn no_times() -> Self {
        Self::new(
            "no-times",
            "no times: which moves came before the expiry is not known",
        )
    }

    pub(super) fn derived(some: bool) -> Self {
        let what = if some {
            "some times are"
        } else {
            "the times are"
        };
        Self::new(
            "derived",
            format!("{what} derived from the players' clocks"),
        )
    }

    pub(super) fn backwards(earlier: &Named, later: &Named) -> Self {
        Self::new(
            "times-backwards",
            format!(
                "times run backwards: {} comes after {}",
                timed(later),
                timed(earlier)
            ),
        )
    }

    pub(super) fn after_expiry(plies: usize) -> Self {
        Self::new(
            "moves-after-expiry",
            format!("{} after the expiry not counted", moves(plies)),
        )
    }

    /// Moves that may have been made before or after the expiry, and what depends on them.
    pub(super) fn uncertain(line: &Timeline, cut: Cut) -> Self {
        let plies = line.plies(cut.least, cut.most);
        let points = line.turning_points(cut);
        let kings = |steps: usize| {
            let [white, black] = line.standing(steps).0.into_array();
            format!("{white}-{black}")
        };
        let what = match points.as_slice() {
            [] => "and it makes no difference".into(),
            points => {
                let from = |steps: &usize| {
                    format!(", {} from `{}` on", kings(*steps), line.name(steps - 1))
                };
                format!(
                    "{} without them{}",
                    kings(cut.least),
                    points.iter().map(from).collect::<String>()
                )
            }
        };
        Self::new(
            "uncertain-moves",
            format!("{} may be before or after the expiry: {what}", moves(plies)),
        )
    }

    pub(super) fn wrong_result(record: &str, right: &[Outcome]) -> Self {
        let right = list(right.iter(), "or");
        Self::new(
            "wrong-result",
            format!("{record} is recorded, and the result is {right}"),
        )
    }

    pub(super) fn wrong_score(record: &str, right: &str) -> Self {
        Self::new(
            "wrong-score",
            format!("Score is {record}, and the count is {right}"),
        )
    }
}

fn moves(plies: usize) -> String {
    if plies == 1 {
        "1 move".into()
    } else {
        format!("{plies} moves")
    }
}

/// A ply with its time: `12A. Nb6/B (1:29:58)`.
fn timed(ply: &Named) -> String {
    let time = ply
        .time
        .map_or(String::new(), |time| format!(" ({})", report(time.at)));
    format!("{}{time}", ply.text)
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&timed(self))
    }
}
