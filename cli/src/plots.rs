//! Plots of games: the score over time, the ratio of a test, the lengths.

use crate::figures::View;
use overboard_engines::stats::{Account, Meeting, Point, Sample, Spread, Sprt};
use overboard_formats::foreign::Foreign;
use overboard_pictures::chart::{Chart, Line, draw};

/// The most bars of a histogram.
const BARS: i64 = 60;
/// The share of games from which on intervals are drawn: earlier ones are too wide to be useful.
const FIRST: f64 = 0.02;

/// The sample at a moment, of the same kind as that of the whole meeting.
fn sample_at(point: &Point, meeting: &Meeting, view: View) -> Sample {
    if view.sample(meeting).games() == 2 {
        Sample::of_pairs(point.pairs)
    } else {
        Sample::of_games(point.score)
    }
}

fn name(meeting: &Meeting) -> Foreign {
    Foreign::join(meeting.players.clone(), " against ")
}

/// The meetings of different players.
fn meetings(account: &Account) -> impl Iterator<Item = &Meeting> {
    account
        .meetings
        .iter()
        .filter(|meeting| !meeting.is_with_itself())
}

fn title(account: &Account, otherwise: &str) -> Foreign {
    let mut met = meetings(account);
    match (met.next(), met.next()) {
        (Some(meeting), None) => name(meeting),
        _ => otherwise.into(),
    }
}

/// A line for each meeting, to which `add` adds what follows from the sample after so many games, beginning after this
/// share of them.
fn lines(
    account: &Account,
    view: View,
    begin: f64,
    add: impl Fn(&mut Line, f64, &Sample),
) -> Vec<Line> {
    let mut lines = Vec::new();
    for meeting in meetings(account) {
        let mut line = Line {
            name: name(meeting),
            ..Line::default()
        };
        let first = begin * meeting.games.games() as f64;
        for point in meeting.trace.points() {
            let games = point.games() as f64;
            if games >= first {
                add(&mut line, games, &sample_at(point, meeting, view));
            }
        }
        lines.push(line);
    }
    lines
}

/// The first player's share of the points over the games, with its interval.
pub fn score(account: &Account, view: View) -> String {
    let lines = lines(account, view, FIRST, |line, games, sample| {
        let share = sample.share();
        if let (Some(value), Some([low, high])) = (share.value, share.ends()) {
            line.points.push([games, 100.0 * value]);
            line.band.push([100.0 * low, 100.0 * high]);
        }
    });
    draw(&Chart {
        title: title(account, "Share of the points"),
        across: "games",
        up: "% of the points, with the 95 % interval".into(),
        lines,
        levels: vec![(50.0, Foreign::default())],
        ..Chart::default()
    })
}

/// The log-likelihood ratio over the games, with the bounds of the test.
pub fn ratio(account: &Account, sprt: &Sprt, view: View) -> String {
    let lines = lines(account, view, 0.0, |line, games, sample| {
        if let Some(ratio) = sprt.ratio(sample) {
            line.points.push([games, ratio]);
        }
    });
    let ([low, high], [elo0, elo1]) = (sprt.bounds(), sprt.elo());
    draw(&Chart {
        title: title(account, "Sequential test"),
        across: "games",
        up: format!("LLR of {elo0} against {elo1} Elo").into(),
        lines,
        levels: vec![
            (low, format!("{elo0} is accepted").into()),
            (high, format!("{elo1} is accepted").into()),
        ],
        ..Chart::default()
    })
}

/// A histogram of game lengths in plies.
pub fn lengths(account: &Account) -> String {
    draw(&Chart {
        title: format!("Lengths of {} games", account.games()).into(),
        across: "plies",
        up: "games".into(),
        bars: bars(&account.lengths),
        ..Chart::default()
    })
}

fn bars(spread: &Spread) -> Vec<[f64; 3]> {
    let Some((least, most)) = spread.ends() else {
        return Vec::new();
    };
    let width = (most - least) / BARS + 1;
    let mut bars: Vec<[f64; 3]> = Vec::new();
    for (number, count) in spread.counts() {
        let left = (least + (number - least) / width * width) as f64;
        match bars.last_mut() {
            Some(bar) if bar[0] == left => bar[2] += count as f64,
            _ => bars.push([left, left + width as f64, count as f64]),
        }
    }
    bars
}
