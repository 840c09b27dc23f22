//! The referee's report on one game.

use crate::finding::{Finding, Severity, Verdict};
use overboard_formats::{foreign::Foreign, span::Span};
use overboard_rules::{outcome::Outcome, rule::Rule, square::Side};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::{borrow::Cow, sync::Arc};

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
        let recorded = self.record.as_ref()?;
        let all = [
            Outcome::Win(Side::White),
            Outcome::Win(Side::Black),
            Outcome::Draw,
        ];
        all.into_iter()
            .find(|outcome| *recorded == outcome.as_str())
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
        let spoils = [Verdict::Illegal, Verdict::Unreadable, Verdict::Undetermined];
        let is_spoilt = |finding: &&Finding| {
            finding.severity == Severity::Error && spoils.contains(&finding.code.verdict)
        };
        self.findings.iter().find(is_spoilt)
    }

    /// The severity of the most serious finding.
    #[must_use]
    pub fn weight(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }
}

impl Serialize for GameResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("GameResult", 3)?;
        object.serialize_field("record", &self.record)?;
        object.serialize_field("judged", &self.judged.map(Outcome::as_str))?;
        object.serialize_field("rule", &self.rule.map(|rule| rule.id))?;
        object.end()
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Report", 8)?;
        object.serialize_field("file", &self.file)?;
        object.serialize_field("game", &self.game)?;
        object.serialize_field("variant", &self.variant)?;
        object.serialize_field("verdict", &self.verdict)?;
        object.serialize_field("result", &self.result)?;
        object.serialize_field("plies", &self.plies)?;
        object.serialize_field("judged_on", &self.judged_on())?;
        object.serialize_field("findings", &self.findings)?;
        object.end()
    }
}

/// The verdicts of a run, counted. Clean, findings, unjudged and unreadable add up to the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Summary {
    /// Games read; an unreadable file counts as one.
    pub games: u64,
    /// Games without an error.
    pub clean: u64,
    /// Games with an illegal move, a wrong result or another infraction.
    pub findings: u64,
    /// Games that could not be judged to the end.
    pub unjudged: u64,
    /// Games that could not be read.
    pub unreadable: u64,
    /// Illegal moves that were treated as if they stood, because that was requested.
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
