//! Rules as data: each is written once, in the laws of its game, and the code that enforces it refers to it.
//!
//! [`rules!`](crate::rules!) declares them, with the example games that keep and break them; [`Page`] collects the rules
//! of one game for `docs/rules/` and for `overboard explain`.

use crate::refusal::list;
use std::fmt;

/// The kind of a rule, which determines the example games that illustrate it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Something that can be broken: a game that keeps it, a game that breaks it.
    Law,
    /// Something that ends a game: a game that reaches it, a game recorded beyond it or with another result.
    Ending,
    /// The meaning of a word: a correct game that a naive reader would refuse.
    Definition,
    /// Something that is allowed: a correct game that a naive reader would refuse.
    Permission,
}

/// Where a rule comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The FIDE Laws of Chess, in force from 1 January 2023, by article.
    Fide(&'static str),
    /// The text of the game's author.
    Seed,
    /// Our ruling where the source is silent; its text gives the reason.
    Ruling,
}

/// How binding a rule is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binding {
    /// Always in force.
    InForce,
    /// In force if the record or the event declares it.
    Option,
}

/// An example game of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// The file's name without its ending, such as `CH-8.kept`.
    pub name: &'static str,
    /// The text of the record.
    pub text: &'static str,
}

impl Example {
    /// Whether the game keeps the rule it shows.
    #[must_use]
    pub fn keeps(&self) -> bool {
        self.name.contains(".kept")
    }
}

/// One rule of one game.
#[derive(PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its id, such as `CH-8`, which never changes.
    pub id: &'static str,
    /// The rule in a few words.
    pub gist: &'static str,
    /// The whole rule.
    pub text: &'static str,
    /// Law, ending, definition or permission.
    pub kind: Kind,
    /// Where the rule comes from.
    pub source: Source,
    /// Always in force, or only if it is declared.
    pub standing: Binding,
    /// Its example games.
    pub examples: &'static [Example],
}

impl Rule {
    /// Whether it says how moves are written and not how they are made (Appendix C of the Laws).
    #[must_use]
    pub fn is_of_notation(&self) -> bool {
        matches!(self.source, Source::Fide(articles) if articles.starts_with("Appendix C"))
    }
}

/// How a rule settles something that its source leaves open, for `docs/rulings.md` and for
/// `overboard explain`.
#[derive(PartialEq, Eq, Debug)]
pub struct Ruling {
    /// The rule that is our ruling, or that contains one.
    pub rule: &'static Rule,
    /// The place in the source.
    pub place: &'static str,
    /// What the source says there, in our words.
    pub says: &'static str,
    /// The readings that were possible; the first one is ours.
    pub readings: &'static [&'static str],
    /// Why that one was taken.
    pub why: &'static str,
    /// The items of the tag `Rules` that choose another reading.
    pub options: &'static [&'static str],
    /// Whether it is known how often the ruling matters.
    pub measured: Measured,
}

impl Ruling {
    /// The ruling for a reader: what the source says, each reading, and the reason.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = vec![format!("Source: {}. {}", self.place, self.says)];
        for (at, reading) in self.readings.iter().enumerate() {
            let whose = if at == 0 { "Our" } else { "Another" };
            sentences.push(format!("{whose} reading: {reading}."));
        }
        if !self.options.is_empty() {
            let options = list(self.options, "or");
            sentences.push(format!("An option has it: {options}."));
        }
        sentences.push(format!("Why: {}", self.why));
        sentences
    }
}

/// Whether it is known how often a ruling matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measured {
    /// It was counted in games of self-play; `tests/rulings/measured.tsv` has the figures.
    InPlay,
    /// It was not counted, for this reason.
    Not(&'static str),
}

impl Measured {
    /// For a ruling on how records are written or judged.
    pub const OF_RECORDS: Self =
        Self::Not("it is about what people write in records, and self-play writes none of it");
    /// For a ruling on positions from which a record may start.
    pub const OF_SET_UPS: Self = Self::Not("self-play starts from the regular position");
    /// For a ruling whose other reading would have to be played.
    pub const OTHER_GAME: Self =
        Self::Not("the other reading is not written as a program, so nothing can play it");
}

/// The rules of one game, as one page of the documentation shows them.
#[derive(Debug)]
pub struct Page {
    /// The file name in `docs/rules/`, without its ending.
    pub name: &'static str,
    /// The heading.
    pub title: &'static str,
    /// What the page is about.
    pub preface: &'static str,
    /// Its rules, in order.
    pub rules: &'static [&'static Rule],
    /// The rulings among them and within them, in the same order.
    pub rulings: &'static [Ruling],
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Law => "law",
            Self::Ending => "ending",
            Self::Definition => "definition",
            Self::Permission => "permission",
        })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fide(article) => write!(f, "FIDE Laws of Chess 2023, {article}"),
            Self::Seed => f.write_str("the author's text"),
            Self::Ruling => f.write_str("our ruling"),
        }
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InForce => "in force",
            Self::Option => "option, off unless declared",
        })
    }
}

/// Declares the rules of a page and their list, whose name comes first. Their example games are in the folder `examples`
/// of the declaring crate.
#[macro_export]
macro_rules! rules {
    ($list:ident; $($name:ident, $id:literal, $kind:ident, $source:expr, $gist:literal, $text:literal, [$($example:literal),* $(,)?] $(, $standing:ident)?;)*) => {
        const $list: &[&$crate::rule::Rule] = &[$(&$name),*];
        $(
            #[doc = $gist]
            pub static $name: $crate::rule::Rule = $crate::rule::Rule {
                id: $id,
                gist: $gist,
                text: $text,
                kind: $crate::rule::Kind::$kind,
                source: $source,
                standing: $crate::rules!(@standing $($standing)?),
                examples: &[$($crate::rule::Example {
                    name: concat!($id, ".", $example),
                    text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/", $id, ".", $example, ".pgn")),
                }),*],
            };
        )*
    };
    (@standing) => { $crate::rule::Binding::InForce };
    (@standing $standing:ident) => { $crate::rule::Binding::$standing };
}
