//! What a run says while it is played: a bar on a terminal, the standing now and then.

use crate::{figures, sprt::Test, ui};
use indicatif::ProgressBar;
use overboard_engines::stats::{Interval, Wdl};
use overboard_engines::tally::{Meeting, Tally, Trial};
use overboard_formats::foreign::Foreign;
use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

/// The time between two lines, if there is no terminal.
const INTERVAL: Duration = Duration::from_secs(10);

/// When the standing is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reports {
    /// After every so many games.
    Every(u64),
    /// In a line every ten seconds; on a terminal beside the bar only.
    NowAndThen,
    /// Never.
    Never,
}

/// The progress of a run.
pub struct Progress<'a> {
    bar: ProgressBar,
    is_terminal: bool,
    reports: Reports,
    players: &'a [Foreign],
    total: u64,
    /// Games that were played before.
    before: u64,
    begun: Instant,
    /// When the standing was said last, and after how many games.
    said: (Instant, u64),
}

impl<'a> Progress<'a> {
    pub fn new(reports: Reports, players: &'a [Foreign], total: u64, before: u64) -> Self {
        let is_terminal = io::stderr().is_terminal();
        let bar = if is_terminal && reports != Reports::Never {
            ui::games_bar(total, before)
        } else {
            ProgressBar::hidden()
        };
        let now = Instant::now();
        Self {
            bar,
            is_terminal,
            reports,
            players,
            total,
            before,
            begun: now,
            said: (now, before),
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Moves the bar on.
    pub fn take(&self, tally: &Tally) {
        self.bar.set_position(tally.games);
        self.bar.set_message(score(tally));
    }

    /// Whether the standing is to be said after a game.
    pub fn is_due(&mut self, games: u64) -> bool {
        let is_due = match self.reports {
            Reports::Every(every) => games / every > self.said.1 / every,
            Reports::NowAndThen => !self.is_terminal && self.said.0.elapsed() >= INTERVAL,
            Reports::Never => false,
        };
        if is_due {
            self.said = (Instant::now(), games);
        }
        is_due
    }

    /// Says the standing.
    pub fn say(&self, tally: &Tally) {
        let mut lines = vec![format!("{}, {}", self.pace(tally), score(tally))];
        if let [meeting] = &tally.meetings[..] {
            lines.extend(figures(meeting, tally.trial.as_ref()));
        }
        if self.is_terminal {
            self.bar.println(self.table(tally, &lines));
        } else {
            ui::note(&lines.join(", "));
        }
    }

    fn pace(&self, tally: &Tally) -> String {
        let rate = (tally.games - self.before) as f64 / self.begun.elapsed().as_secs_f64();
        let left = (self.total - tally.games) as f64 / rate;
        format!(
            "{} of {} games, {rate:.1} a second, {} left",
            tally.games,
            self.total,
            hours(left)
        )
    }

    /// The standing as lines for a terminal: that of the two who meet, or the points of all.
    fn table(&self, tally: &Tally, lines: &[String]) -> String {
        let mut table = format!("{}: {}", self.title(tally), lines.join("\n  "));
        if tally.meetings.len() > 1 {
            for line in points(self.players, &tally.meetings) {
                table.push_str("\n  ");
                table.push_str(&line);
            }
        }
        table
    }

    fn title(&self, tally: &Tally) -> String {
        match &tally.meetings[..] {
            [meeting] => {
                let [first, second] = meeting.players.map(|player| self.players[player].shown());
                format!("{first} against {second}")
            }
            _ => "standing".into(),
        }
    }
}

/// The current score: the first player's if there is one meeting, else White's.
fn score(tally: &Tally) -> String {
    match &tally.meetings[..] {
        [meeting] if meeting.players[0] != meeting.players[1] => {
            figures::score(meeting.games.score)
        }
        _ => figures::results(tally.results),
    }
}

/// What is known of the difference between two players, as those who test engines read it.
fn figures(meeting: &Meeting, trial: Option<&Trial>) -> Vec<String> {
    if meeting.players[0] == meeting.players[1] {
        return Vec::new();
    }
    let sample = meeting.games.sample();
    let mut strength = vec![
        format!("Elo {}", give_or_take(sample.elo())),
        format!("nElo {}", give_or_take(sample.normalised_elo())),
    ];
    if let Some(los) = sample.los() {
        strength.push(format!("LOS {:.1} %", 100.0 * los));
    }
    let mut lines = vec![strength.join(", ")];
    if sample.games() == 2 {
        let pairs = meeting
            .games
            .pairs
            .map(|pairs| pairs.to_string())
            .join(", ");
        lines.push(format!("pairs by points (0 to 2) [{pairs}]"));
    }
    if let Some(trial) = trial {
        let test = Test::of(&trial.sprt, &sample);
        if let Some(ratio) = test.ratio {
            let [elo0, elo1] = trial.sprt.elo();
            let (lower, upper) = (test.lower, test.upper);
            lines.push(format!(
                "LLR {ratio:.2} ({lower:.2} to {upper:.2}) for Elo {elo0} against {elo1}"
            ));
        }
    }
    lines
}

/// A figure with half of its 95 % interval.
fn give_or_take(figure: Interval) -> String {
    match (figure.value, figure.half()) {
        (Some(value), Some(half)) => format!("{value:+.1} ± {half:.1}"),
        (Some(value), None) => format!("{value:+.1}"),
        (None, _) => "unbounded".into(),
    }
}

/// A line for each player with its games and points, the best first.
fn points(players: &[Foreign], meetings: &[Meeting]) -> Vec<String> {
    let mut sums = vec![Wdl::default(); players.len()];
    for meeting in meetings {
        let [first, second] = meeting.players;
        let score = meeting.games.score;
        sums[first] += score;
        sums[second] += score.turned();
    }
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by_key(|player| std::cmp::Reverse(sums[*player].half_points()));
    let line = |player: usize| {
        let of = sums[player].games();
        let points = ui::points(sums[player].half_points() as f64 / 2.0);
        format!(
            "{}: {points} of {of}, {}",
            players[player].shown(),
            figures::score(sums[player])
        )
    };
    order.into_iter().map(line).collect()
}

/// A time as a clock shows it: `0:25`, `1:02:03`.
fn hours(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "?".into();
    }
    let seconds = seconds.round() as u64;
    let [hours, minutes, seconds] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
    if hours == 0 {
        format!("{minutes}:{seconds:02}")
    } else {
        format!("{hours}:{minutes:02}:{seconds:02}")
    }
}
