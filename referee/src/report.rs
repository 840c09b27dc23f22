//! The referee's report on one game.

#[cfg(feature = "schema")]
use crate::finding::WrittenFinding;
use crate::finding::{Finding, Severity, Verdict};
use overboard_formats::{
    foreign::Foreign,
    span::{Span, TextSpan},
};
use overboard_rules::{outcome::Outcome, rule::Rule};
use serde::{Serialize, Serializer};
use std::{borrow::Cow, fmt, sync::Arc};

/// Everything found in one game.
#[derive(Clone, Debug)]
pub struct Report {
    /// The file that contains it.
    pub file: Foreign<Arc<str>>,
    /// Its number in the file, from 1; 0 for a file that cannot be read.
    pub game: u64,
    /// The number of the game in its file in which `show` finds the moments of its findings: of a sheet that is judged
    /// together with others that of the outermost one; `None` where these are not all in the file.
    pub shown_as: Option<u64>,
    /// Its bytes in the file, up to the beginning of the next game.
    pub span: Span,
    /// The tag Variant, or `Chess`.
    pub variant: Foreign<Cow<'static, str>>,
    /// The laws by which it was judged; `None` if no game is known by its tags.
    pub laws: Option<Laws>,
    /// The verdict.
    pub verdict: Verdict,
    /// The result.
    pub result: GameResult,
    /// Plies of the main line.
    pub plies: u32,
    /// What was found, in the order of the text.
    pub findings: Vec<Finding>,
    /// The tags White and Black.
    pub players: [Option<Foreign>; 2],
    /// Number of the first move that was not judged, as it is written.
    pub unjudged_from: Option<String>,
    /// Notes that were only counted, because the options say so.
    pub notes_counted: u32,
    /// Of a sheet that was judged together with others, the record that they make, which is the same text for all of them; only
    /// if [`Options::wholes`](crate::Options::wholes) asks for it, and something was found in that record.
    pub whole: Option<Arc<str>>,
    /// What tells the game from others; `None` if its tags leave that open.
    pub identity: Option<Identity>,
}

/// The laws by which a game is judged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Laws {
    /// The name of the game.
    pub game: &'static str,
    /// Their number, raised with every change of a verdict.
    pub laws: u32,
}

impl fmt::Display for Laws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "laws {} of {}", self.laws, self.game)
    }
}

/// What tells a game from others: that two of them are alike in all of it does not come about by chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    /// A hash of event, site, date, round, players, number of plies and last position.
    pub hash: u64,
    /// Where its record begins.
    pub place: TextSpan,
}

/// A result as recorded and as judged.
#[derive(Clone, Debug, Default)]
pub struct GameResult {
    /// The recorded result: that after the moves, else that of the tag.
    pub record: Option<Foreign<Cow<'static, str>>>,
    /// The result by the moves and recorded events, if they end the game.
    pub judged: Option<Outcome>,
    /// The rule by which it ended.
    pub rule: Option<&'static Rule>,
}

impl GameResult {
    /// The recorded result as an outcome; `None` for `*` and for anything unreadable.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        Outcome::read(self.record.as_ref()?.as_it_came())
    }
}

impl Report {
    /// Approximate size in bytes, to bound memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.findings.iter().map(Finding::bytes).sum::<usize>()
    }

    /// The number of illegal moves that were treated as if they stood, because
    /// [`Options::judge_on`](crate::Options::judge_on) is set.
    #[must_use]
    pub fn judged_on(&self) -> u64 {
        self.findings
            .iter()
            .filter(|finding| finding.is_judged_on())
            .count() as u64
    }

    /// The finding that explains why not all moves of the game can be known, if there is one.
    #[must_use]
    pub fn spoilt(&self) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.spoils())
    }

    /// The severity of the most serious finding.
    #[must_use]
    pub fn weight(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }
}

/// A result as it was recorded and as it was judged, as JSON has it.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Result")
)]
pub struct WrittenResult<'a> {
    /// The recorded result: that after the moves, else that of the tag; null if there is none.
    record: &'a Option<Foreign<Cow<'static, str>>>,
    /// The result if the position or a recorded event ends the game: `1-0`, `0-1` or `1/2-1/2`; null if the result is
    /// only as recorded.
    judged: Option<&'static str>,
    /// The id of the rule that ends the game; null if none does.
    rule: Option<&'static str>,
}

impl Serialize for GameResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            record,
            judged,
            rule,
        } = self;
        WrittenResult {
            record,
            judged: judged.map(Outcome::as_str),
            rule: rule.map(|rule| rule.id),
        }
        .serialize(serializer)
    }
}

/// A judged game, as JSON has it.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Report")
)]
pub struct WrittenReport<'a> {
    /// The file, as given; `-` is standard input.
    file: &'a Foreign<Arc<str>>,
    /// The number of the game in its file, from 1; 0 for a file that cannot be read.
    game: u64,
    /// The game: `Chess`, or the tag Variant; empty for a file that cannot be read.
    variant: &'a Foreign<Cow<'static, str>>,
    /// The number of the game's laws and rulings by which it was judged, as in ledgers and in the section Rules of the
    /// changelog; null if the game is unknown or the file cannot be read.
    laws: Option<u32>,
    /// The verdict on the game.
    verdict: Verdict,
    /// The result as recorded and as judged.
    #[cfg_attr(feature = "schema", schemars(with = "WrittenResult<'_>"))]
    result: &'a GameResult,
    /// Plies of the main line, judged or not.
    plies: u32,
    /// Illegal moves after which judging continued as if they stood, because of `--judge-on`.
    judged_on: u64,
    /// What was found, in the order of the text, errors first if two begin at the same byte.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<WrittenFinding<'_>>"))]
    findings: &'a [Finding],
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WrittenReport {
            file: &self.file,
            game: self.game,
            variant: &self.variant,
            laws: self.laws.map(|laws| laws.laws),
            verdict: self.verdict,
            result: &self.result,
            plies: self.plies,
            judged_on: self.judged_on(),
            findings: &self.findings,
        }
        .serialize(serializer)
    }
}

/// The games of a run, counted by their verdicts: `clean`, `findings`, `unjudged` and `unreadable` add up to `games`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Games read; a file that cannot be read counts as one.
    pub games: u64,
    /// Games without an error.
    pub clean: u64,
    /// Games with an illegal move, a wrong result or another infraction: games with errors, not findings.
    pub findings: u64,
    /// Games that could not be judged to their end.
    pub unjudged: u64,
    /// Games that could not be read.
    pub unreadable: u64,
    /// Illegal moves (not games) after which judging continued as if they stood, because of `--judge-on`.
    pub judged_on: u64,
}

impl Summary {
    /// Counts a game.
    pub fn count(&mut self, report: &Report) {
        self.games += 1;
        self.judged_on += report.judged_on();
        match report.verdict {
            Verdict::Clean => self.clean += 1,
            Verdict::Undetermined => self.unjudged += 1,
            Verdict::Unreadable => self.unreadable += 1,
            Verdict::Infraction | Verdict::WrongResult | Verdict::Illegal => self.findings += 1,
        }
    }
}
