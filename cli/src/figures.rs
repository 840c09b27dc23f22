//! Statistics of games: as text, as JSON, and as comma-separated values.

use crate::{
    breakdown::Parts,
    grid::or_blank,
    sprt::{Course, Test, unit},
    summary::{called, caution, ends_in_words},
    ui,
};
use overboard_engines::stats::{
    Account, Interval, Meeting, PlayerScore, Sample, Spread, Sprt, Wdl,
};
use overboard_formats::foreign::Foreign;
use overboard_referee::{finding::Severity, report::Report};
use overboard_rules::{outcome::Cause, refusal::counted};
use serde::Serialize;
use std::{collections::BTreeMap, fmt, io::Write, path::Path};

/// Statistics of some games.
#[derive(Serialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figures<'a> {
    /// A warning to be read first; only if more than one game in twenty was adjudicated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caution: Option<String>,
    /// The game, with the number of boards if there are several; null for bare counts.
    variant: Option<&'a Foreign>,
    /// Games counted.
    games: u64,
    /// Records that were not counted.
    pub left_out: LeftOut,
    /// White against Black; null for bare counts.
    white: Option<Scored>,
    /// One entry for each pair of different players.
    meetings: Vec<Met<'a>>,
    /// The tests that end the runs of ledgers, each over all ledgers of its run; only if there are any.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    run_tests: &'a [Course],
    /// The players against all others, the best first.
    players: Vec<PlayerScore>,
    /// The lengths of the games; null if there are none.
    lengths: Option<Lengths>,
    /// Legal plies in a position on average; null if no game was replayed.
    choices: Option<f64>,
    /// The number of games for each reason why games ended; `unstated` for records that do not say.
    terminations: BTreeMap<&'static str, u64>,
    /// White's kings less Black's at the end; null if a game has one king a side.
    king_margin: Option<Margin>,
    #[serde(flatten)]
    parts: Parts,
}

/// Games that were read but not counted.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// Those in which the referee found an error.
    pub with_errors: u64,
    /// Those without a result.
    pub unfinished: u64,
    /// Why, for the first of those with errors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
}

/// Records whose errors are named; the others are only counted.
const NAMED: usize = 10;

/// Why a record was left out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reason {
    /// The file.
    file: Foreign,
    /// The number of the game in it; 0 if nothing in it can be read.
    game: u64,
    /// The line of the first error, from 1; 0 if nothing in it can be read.
    line: u64,
    /// The kind of finding.
    code: &'static str,
    /// What is wrong.
    message: Foreign,
}

impl LeftOut {
    /// Counts a record with errors, and keeps the first error.
    pub fn add(&mut self, path: &Path, report: &Report) {
        self.with_errors += 1;
        let mut findings = report.findings.iter();
        let first = findings.find(|finding| finding.severity == Severity::Error);
        if let Some(first) = first
            && self.reasons.len() < NAMED
        {
            self.reasons.push(Reason {
                file: Foreign::new(path.display().to_string()),
                game: report.game,
                line: first.place.line,
                code: first.code.id,
                message: first.message.clone(),
            });
        }
    }

    /// The number of records.
    pub const fn count(&self) -> u64 {
        self.with_errors + self.unfinished
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (with_errors, unfinished) = (self.with_errors, self.unfinished);
        write!(
            f,
            "left out: {with_errors} with errors, {unfinished} without a result"
        )?;
        for reason in &self.reasons {
            write!(f, "\n  {reason}")?;
        }
        if with_errors > self.reasons.len() as u64 {
            write!(f, "\n  … (`overboard check` shows the others)")?;
        }
        Ok(())
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.message.shown();
        if self.line == 0 {
            return write!(f, "{message}");
        }
        write!(f, "{}:{}: ", self.file.shown(), self.line)?;
        if self.game > 0 {
            write!(f, "game {}: ", self.game)?;
        }
        write!(f, "{message}")
    }
}

/// Wins, draws and losses, with what follows from them.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Scored {
    /// Games won by the first player.
    wins: u64,
    /// Drawn games.
    draws: u64,
    /// Games lost by the first player.
    losses: u64,
    /// The unit of the statistics: `pair`, `game`, or `match` for a unit of more games.
    unit: &'static str,
    /// The scores of units.
    outcomes: Vec<Outcome>,
    /// The first player's share of the points, from 0 to 1.
    share: Interval,
    /// The difference of strength in logistic Elo.
    elo: Interval,
    /// The difference of strength in normalised Elo.
    normalised_elo: Interval,
    /// The likelihood of superiority, from 0 to 1.
    los: Option<f64>,
    /// The share of drawn games.
    draw_ratio: Option<f64>,
}

/// A score of a unit, and how often it occurred.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Outcome {
    /// The score, from 0 to 1.
    score: f64,
    /// How often it occurred.
    count: u64,
}

/// Two players against each other.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Meeting")
)]
struct Met<'a> {
    /// The first player; null for bare counts.
    first: Option<&'a Foreign>,
    /// The second player; null for bare counts.
    second: Option<&'a Foreign>,
    #[serde(flatten)]
    scored: Scored,
    /// Games outside a complete pair, if others are paired.
    unpaired: u64,
    /// The sequential test; null if none was asked for.
    sprt: Option<Test>,
    /// The first player's kings less the second's; null if a game has one king a side.
    king_margin: Option<Margin>,
}

/// The lengths of games, in plies.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Lengths {
    /// The mean.
    mean: f64,
    /// The standard deviation.
    deviation: f64,
    /// The shortest.
    least: i64,
    /// The three quartiles.
    quartiles: [i64; 3],
    /// The longest.
    most: i64,
}

/// A difference of kings at the end of games.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Margin {
    /// Games in which it is known.
    games: u64,
    #[serde(flatten)]
    mean: Interval,
}

impl Scored {
    /// The statistics of a sample; the games are all 0 if they are not known singly.
    fn of(score: Wdl, sample: &Sample) -> Self {
        let mut outcomes = Vec::new();
        for (&score, &count) in sample.scores().iter().zip(sample.counts()) {
            outcomes.push(Outcome { score, count });
        }
        Self {
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            unit: unit(sample),
            outcomes,
            share: sample.share(),
            elo: sample.elo(),
            normalised_elo: sample.normalised_elo(),
            los: sample.los(),
            draw_ratio: ratio(score.draws as f64, score.games() as f64),
        }
    }
}

/// A part as a share of the whole; `None` of nothing.
fn ratio(part: f64, whole: f64) -> Option<f64> {
    if whole == 0.0 {
        return None;
    }
    Some(part / whole)
}

impl Lengths {
    fn of(spread: &Spread) -> Option<Self> {
        let (mean, deviation) = spread.moments()?;
        let (least, most) = spread.ends()?;
        let quartiles = [0.25, 0.5, 0.75].map(|part| spread.quantile(part).unwrap_or_default());
        Some(Self {
            mean,
            deviation,
            least,
            quartiles,
            most,
        })
    }
}

impl Margin {
    fn of(spread: &Spread) -> Option<Self> {
        let mean = spread.mean();
        mean.value?;
        Some(Self {
            games: spread.total(),
            mean,
        })
    }
}

/// How meetings are evaluated.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The test to apply to each.
    pub sprt: Option<Sprt>,
    /// Whether to count games one by one, even if they are in pairs.
    pub by_games: bool,
    /// The tests that ended the runs.
    pub courses: &'a [Course],
}

impl View<'_> {
    /// The units of a meeting.
    pub fn sample(&self, meeting: &Meeting) -> Sample {
        if self.by_games {
            Sample::of_games(meeting.games.score)
        } else {
            meeting.games.sample()
        }
    }
}

/// Games that were stopped and scored, by why they ended.
fn adjudicated(causes: &BTreeMap<&'static str, u64>) -> u64 {
    let stopped = Cause::ALL.iter().filter(|cause| cause.is_adjudication());
    stopped.filter_map(|cause| causes.get(cause.word())).sum()
}

impl<'a> Figures<'a> {
    /// The statistics of counted games.
    pub fn of(
        account: &'a Account,
        variant: Option<&'a Foreign>,
        left_out: LeftOut,
        view: View<'a>,
    ) -> Self {
        let met = account.meetings.iter();
        let met = met.filter(|meeting| !meeting.is_with_itself());
        let white = if account.games() > 0 {
            Some(Scored::of(account.by_white.score, &account.white()))
        } else {
            None
        };
        let (positions, choices) = account.choices;
        Self {
            caution: caution(adjudicated(&account.causes), account.games(), None),
            variant,
            games: account.games(),
            left_out,
            white,
            meetings: met.map(|meeting| Met::of(meeting, view)).collect(),
            run_tests: view.courses,
            players: account.standings(),
            lengths: Lengths::of(&account.lengths),
            choices: ratio(choices as f64, positions as f64),
            terminations: account.causes.clone(),
            king_margin: Margin::of(&account.margins),
            parts: Parts::of(account),
        }
    }

    /// The statistics of counts alone.
    pub fn of_counts(score: Wdl, sample: &Sample, sprt: Option<Sprt>) -> Self {
        let met = Met {
            first: None,
            second: None,
            scored: Scored::of(score, sample),
            unpaired: 0,
            sprt: sprt.map(|sprt| Test::of(&sprt, sample)),
            king_margin: None,
        };
        Self {
            games: sample.units() * u64::from(sample.games()),
            meetings: vec![met],
            ..Self::default()
        }
    }

    /// Writes a row for each figure.
    pub fn csv(&self, out: &mut impl Write) -> Result<(), csv::Error> {
        let mut rows = Rows::default();
        if self.caution.is_some() {
            let share = adjudicated(&self.terminations) as f64 / self.games as f64;
            rows.add(ALL, "adjudicated", share);
        }
        for met in &self.meetings {
            met.rows(&mut rows);
        }
        if let Some(white) = &self.white {
            white.rows(SIDES, &mut rows);
        }
        if let Some(lengths) = &self.lengths {
            lengths.rows(&mut rows);
        }
        if let Some(choices) = self.choices {
            rows.add(ALL, "choices_mean", choices);
        }
        if let Some(margin) = &self.king_margin {
            rows.add(SIDES, "king_margin", margin.mean);
        }
        for (end, count) in &self.terminations {
            rows.add(ALL, &format!("ended_by_{end}"), *count as f64);
        }
        self.parts.rows(&mut rows);
        rows.write(out)
    }
}

impl fmt::Display for Figures<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ui::lines(f, &self.caution)?;
        if let Some(variant) = self.variant {
            let variant = called(variant.lent());
            writeln!(f, "{}: {}", variant.shown(), counted(self.games, "game"))?;
        }
        if self.left_out.count() > 0 {
            writeln!(f, "{}", self.left_out)?;
        }
        ui::lines(f, &self.meetings)?;
        ui::lines(f, self.run_tests)?;
        if self.players.len() > 2 {
            for player in &self.players {
                write_player(player, f)?;
            }
        }
        self.parts.write_ratings(f)?;
        if let Some(white) = &self.white {
            writeln!(f, "White against Black: {white}")?;
        }
        ui::lines(f, &self.lengths)?;
        if let Some(choices) = self.choices {
            writeln!(f, "legal plies in a position: {choices:.2} on average")?;
        }
        if let Some(margin) = &self.king_margin {
            writeln!(f, "White's kings less Black's: {margin}")?;
        }
        if !self.terminations.is_empty() {
            let ends = ends_in_words(&self.terminations, Some(self.games));
            writeln!(f, "endings: {ends}")?;
        }
        self.parts.fmt(f)
    }
}

fn write_player(player: &PlayerScore, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (name, score) = (player.player.shown(), score(player.score()));
    let share = 100.0 * player.share.unwrap_or_default();
    writeln!(f, "{name}: {score}, {share:.1} %")
}

/// The players of a figure about all games.
const ALL: [Foreign<&str>; 2] = [Foreign::new(""); 2];
/// The players of a figure about White and Black.
pub const SIDES: [Foreign<&str>; 2] = [Foreign::new("White"), Foreign::new("Black")];

/// The rows of a table of figures.
#[derive(Default)]
pub struct Rows(Vec<[String; 6]>);

impl Rows {
    /// Adds the row of a figure about these two players.
    pub fn add(&mut self, names: [Foreign<&str>; 2], figure: &str, value: impl Into<Interval>) {
        let [of, against] = names.map(|name| name.harmless_cell().into_owned());
        let Interval { value, low, high } = value.into();
        let [value, low, high] = [value, low, high].map(or_blank);
        self.0.push([of, against, figure.into(), value, low, high]);
    }

    fn write(&self, out: &mut impl Write) -> Result<(), csv::Error> {
        let mut table = csv::Writer::from_writer(out);
        table.write_record(["of", "against", "figure", "value", "low", "high"])?;
        for row in &self.0 {
            table.write_record(row)?;
        }
        Ok(table.flush()?)
    }
}

fn ends(low: f64, high: f64) -> Interval {
    Interval {
        value: None,
        low: Some(low),
        high: Some(high),
    }
}

/// Wins, draws and losses for people.
pub fn score(score: Wdl) -> String {
    format!("+{} ={} -{}", score.wins, score.draws, score.losses)
}

/// Games that White won, drawn games and games that Black won, for people.
pub fn results(white: Wdl) -> String {
    let (wins, draws, losses) = (white.wins, white.draws, white.losses);
    format!("White won {wins}, {draws} drawn, Black won {losses}")
}

/// A share of the points for people, after a score; empty if there is none.
pub fn percent(share: Interval, places: usize) -> String {
    let shown = |share: f64| format!("{:.places$}", 100.0 * share);
    match share.value {
        Some(value) => format!(", {} %{}", shown(value), bracketed(share, shown)),
        None => String::new(),
    }
}

/// The ends of an interval for people, after its value; empty if it does not have both.
fn bracketed(interval: Interval, shown: impl Fn(f64) -> String) -> String {
    match interval.ends() {
        Some([low, high]) => format!(" ({} to {})", shown(low), shown(high)),
        None => String::new(),
    }
}

impl Scored {
    /// Games won, drawn and lost by the first player.
    const fn score(&self) -> Wdl {
        Wdl::new(self.wins, self.draws, self.losses)
    }

    /// What is counted: the games, or the units if only they are known.
    fn counts(&self) -> String {
        if self.score().games() > 0 {
            return score(self.score());
        }
        let units: u64 = self.outcomes.iter().map(|outcome| outcome.count).sum();
        counted(units, if self.unit == "pair" { "pair" } else { "unit" })
    }

    fn rows(&self, names: [Foreign<&str>; 2], rows: &mut Rows) {
        if self.draw_ratio.is_some() {
            for (figure, count) in [
                ("wins", self.wins),
                ("draws", self.draws),
                ("losses", self.losses),
            ] {
                rows.add(names, figure, count as f64);
            }
        }
        for Outcome { score, count } in &self.outcomes {
            let figure = format!("{}s_scoring_{score}", self.unit);
            rows.add(names, &figure, *count as f64);
        }
        rows.add(names, "share", self.share);
        rows.add(names, "elo", self.elo);
        rows.add(names, "normalised_elo", self.normalised_elo);
        rows.add(names, "los", self.los);
        rows.add(names, "draw_ratio", self.draw_ratio);
    }
}

impl fmt::Display for Scored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.counts(), percent(self.share, 2))?;
        if self.unit != "game" {
            let (units, most) = match self.unit {
                "pair" => ("pairs", 2.0),
                _ => ("matches", 1.0),
            };
            let mut counts = Vec::new();
            for Outcome { score, count } in &self.outcomes {
                counts.push(format!("{}: {count}", ui::points(score * most)));
            }
            write!(f, "\n  {units} by points: {}", counts.join(", "))?;
        }
        write!(f, "\n  Elo {}", self.elo.words(2))?;
        if self.normalised_elo.value.is_some() {
            write!(f, ", normalised Elo {}", self.normalised_elo.words(2))?;
        }
        if let Some(los) = self.los {
            write!(f, ", LOS {:.2} %", 100.0 * los)?;
        }
        if let Some(draws) = self.draw_ratio {
            write!(f, ", drawn {:.2} %", 100.0 * draws)?;
        }
        Ok(())
    }
}

impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            mean,
            deviation,
            least,
            quartiles: [low, median, high],
            most,
        } = self;
        write!(
            f,
            "plies: {mean:.1} on average, standard deviation {deviation:.1}; from {least} to {most}, quartiles {low} \
             {median} {high}"
        )
    }
}

impl Lengths {
    fn rows(&self, rows: &mut Rows) {
        rows.add(ALL, "plies_mean", self.mean);
        rows.add(ALL, "plies_deviation", self.deviation);
        let [low, median, high] = self.quartiles.map(|plies| Some(plies as f64));
        let quartiles = Interval {
            value: median,
            low,
            high,
        };
        rows.add(ALL, "plies_median_and_quartiles", quartiles);
        let range = ends(self.least as f64, self.most as f64);
        rows.add(ALL, "plies_range", range);
    }
}

impl<'a> Met<'a> {
    fn of(meeting: &'a Meeting, view: View<'_>) -> Self {
        let sample = view.sample(meeting);
        let [first, second] = meeting.players.each_ref().map(Some);
        Self {
            first,
            second,
            unpaired: if view.by_games {
                0
            } else {
                meeting.games.unpaired()
            },
            sprt: view.sprt.map(|sprt| Test::of(&sprt, &sample)),
            king_margin: Margin::of(&meeting.margins),
            scored: Scored::of(meeting.games.score, &sample),
        }
    }

    fn rows(&self, rows: &mut Rows) {
        let names = [self.first, self.second];
        let names = names.map(|name| name.map_or(Foreign::new(""), Foreign::lent));
        self.scored.rows(names, rows);
        if let Some(test) = &self.sprt {
            rows.add(names, "llr", test.ratio);
            rows.add(names, "llr_bounds", ends(test.lower, test.upper));
        }
        if let Some(margin) = &self.king_margin {
            rows.add(names, "king_margin", margin.mean);
        }
    }
}

impl fmt::Display for Met<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(first), Some(second)) = (self.first, self.second) {
            write!(f, "{} against {}: ", first.shown(), second.shown())?;
        }
        write!(f, "{}", self.scored)?;
        if self.unpaired > 0 {
            let games = counted(self.unpaired, "game");
            write!(
                f,
                "\n  {games} outside complete pairs, counted above only in +, = and -"
            )?;
        }
        if let Some(test) = &self.sprt {
            write!(f, "\n  {test}")?;
        }
        if let Some(margin) = &self.king_margin {
            write!(f, "\n  kings more than the other's: {margin}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.mean.value.unwrap_or_default();
        let around = bracketed(self.mean, |kings| format!("{kings:+.3}"));
        write!(f, "{value:+.3}{around} in {} games", self.games)
    }
}
