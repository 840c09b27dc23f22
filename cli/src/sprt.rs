//! Sequential tests: their options, and how they are reported.

use crate::exit::PartError;
use clap::Args;
use overboard_engines::{
    stats::{Decision, Model, Sample, Sprt, TestError},
    tally::{Meeting, Tally, Trial},
};
use overboard_formats::foreign::Foreign;
use overboard_rules::refusal::counted;
use serde::Serialize;
use std::fmt;

/// A sequential test.
#[derive(Args, Debug)]
pub struct SprtArgs {
    /// Sequential test (SPRT) of whether the first player is ELO0 or ELO1 stronger; the run ends as soon as the test
    /// decides.
    #[arg(
        long,
        value_name = "ELO0,ELO1",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub sprt: Option<Vec<f64>>,
    /// The scale of ELO0 and ELO1: logistic or normalised Elo.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "MODEL",
        default_value = "logistic",
        requires = "sprt"
    )]
    pub model: Model,
    /// Probability that the test accepts ELO1 although ELO0 is true.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "P",
        default_value_t = 0.05,
        requires = "sprt"
    )]
    pub alpha: f64,
    /// Probability that the test accepts ELO0 although ELO1 is true.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "P",
        default_value_t = 0.05,
        requires = "sprt"
    )]
    pub beta: f64,
}

/// Why there is no test.
#[derive(Debug, thiserror::Error)]
pub enum SprtError {
    /// A list has the wrong length.
    #[error("--sprt: expected two numbers separated by a comma, such as 0,5")]
    HowManyNumbers,
    /// There is only one player.
    #[error("--sprt: `{}` plays against itself, so neither side can be stronger", .0.shown())]
    Alone(Foreign),
    /// The test is invalid.
    #[error("--sprt: {0}")]
    Test(#[from] TestError),
}

impl PartError for SprtError {}

impl SprtArgs {
    /// The requested test.
    pub fn test(&self) -> Result<Option<Sprt>, SprtError> {
        let Some(elo) = &self.sprt else {
            return Ok(None);
        };
        let &[elo0, elo1] = &elo[..] else {
            return Err(SprtError::HowManyNumbers);
        };
        Ok(Some(Sprt::new(
            self.model,
            [elo0, elo1],
            [self.alpha, self.beta],
        )?))
    }
}

/// What a sample counts: `pair`, `game`, or `match` for a unit of more games.
pub fn unit(sample: &Sample) -> &'static str {
    match sample.games() {
        1 => "game",
        2 => "pair",
        _ => "match",
    }
}

/// The state of a sequential test.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Test {
    /// `logistic` or `normalised`: what the Elo of the hypotheses is.
    model: &'static str,
    /// The strength of the hypothesis H0.
    elo0: f64,
    /// The strength of the hypothesis H1.
    elo1: f64,
    /// The probability of accepting H1 although H0 is true.
    alpha: f64,
    /// The probability of accepting H0 although H1 is true.
    beta: f64,
    /// The log-likelihood ratio; null if no distribution has that strength.
    pub ratio: Option<f64>,
    /// The ratio at or below which H0 is accepted.
    pub lower: f64,
    /// The ratio at or above which H1 is accepted.
    pub upper: f64,
    /// What it accepts so far.
    decision: Decision,
}

impl Test {
    /// The state after these scores.
    pub fn of(sprt: &Sprt, sample: &Sample) -> Self {
        let ([elo0, elo1], [alpha, beta], [lower, upper]) =
            (sprt.elo(), sprt.errors(), sprt.bounds());
        let ratio = sprt.ratio(sample);
        Self {
            model: match sprt.model() {
                Model::Logistic => "logistic",
                Model::Normalised => "normalised",
            },
            elo0,
            elo1,
            alpha,
            beta,
            ratio,
            lower,
            upper,
            decision: ratio.map_or(Decision::Open, |ratio| sprt.decide(ratio)),
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            model,
            elo0,
            elo1,
            alpha,
            beta,
            ratio,
            lower,
            upper,
            decision,
        } = self;
        write!(
            f,
            "SPRT of {elo0} against {elo1} {model} Elo, errors {alpha} and {beta}: "
        )?;
        let Some(ratio) = ratio else {
            return f.write_str("no distribution of these outcomes has such a strength");
        };
        write!(f, "LLR {ratio:.6} between {lower:.6} and {upper:.6}, ")?;
        match decision {
            Decision::H0 => write!(f, "{elo0} is accepted"),
            Decision::H1 => write!(f, "{elo1} is accepted"),
            Decision::Open => f.write_str("open"),
        }
    }
}

/// The course of a run's test, which is evaluated after every unit.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "RunTest")
)]
pub struct Course {
    #[serde(flatten)]
    test: Test,
    /// The unit of the test: `pair` or `game`.
    unit: &'static str,
    /// Units that have been evaluated, from the first of the run.
    units: u64,
    /// Whether it has decided, which ends the run.
    decided: bool,
}

impl Course {
    /// From the counts of a run, if it has a test.
    pub fn of(tally: &Tally) -> Option<Self> {
        Self::by(tally.trial.as_ref()?, tally.meetings.first()?)
    }

    /// By its two parts.
    pub fn by(trial: &Trial, meeting: &Meeting) -> Option<Self> {
        let sample = meeting.games.sample();
        let (mut test, decided) = (Test::of(&trial.sprt, &sample), trial.decision.is_some());
        if !decided {
            // Units after a gap are part of the ratio, but decide nothing.
            test.decision = Decision::Open;
        }
        Some(Self {
            test,
            unit: unit(&sample),
            units: trial.units,
            decided,
        })
    }
}

impl fmt::Display for Course {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { test, unit, .. } = self;
        if self.units == 0 {
            return write!(
                f,
                "{test}; nothing is decided without the first {unit} of the run"
            );
        }
        let end = if self.decided {
            ", which ends the run"
        } else {
            ""
        };
        write!(f, "{test} after {}{end}", counted(self.units, unit))
    }
}
