//! Rules as data: each is written once, here, and everything that enforces it points at it.

use std::fmt;

/// What kind of thing a rule is, and so which example games show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Something that can be broken: one game keeps it, one breaks it.
    Law,
    /// Something that ends a game: one game reaches it, one is recorded past it or with another result.
    Ending,
    /// What a word means: a kept game that a naive reader would wrongly refuse.
    Definition,
    /// Something that is allowed: a kept game that a naive reader would wrongly refuse.
    Permission,
}

/// Where a rule comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The FIDE Laws of Chess, in force from 1 January 2023, by article.
    Fide(&'static str),
    /// The text of the game's author.
    Seed,
    /// Our ruling where the source is silent; the reason stands in the text.
    Ruling,
}

/// How binding a rule is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Always in force.
    InForce,
    /// In force when the record or the event declares it.
    Option,
}

/// An example game of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// The file's name without its ending, such as `CH-8.kept`.
    pub name: &'static str,
    /// The record.
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
    /// Its id, such as `CH-8`: stable for ever.
    pub id: &'static str,
    /// A few words.
    pub gist: &'static str,
    /// The whole rule.
    pub text: &'static str,
    /// Law, ending, definition or permission.
    pub kind: Kind,
    /// Who says so.
    pub source: Source,
    /// Always or by declaration.
    pub standing: Standing,
    /// Its example games.
    pub examples: &'static [Example],
}

impl Rule {
    /// The rule of this id, read without regard to case.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        Self::all().find(|rule| rule.id.eq_ignore_ascii_case(id))
    }

    /// Every rule, page by page.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        crate::laws::PAGES.iter().flat_map(|page| page.rules.iter().copied())
    }
}

/// The rules of one game, as one page of the documentation shows them.
pub struct Page {
    /// File name in `docs/rules/`, without its ending.
    pub name: &'static str,
    /// Heading.
    pub title: &'static str,
    /// What the page is about.
    pub preface: &'static str,
    /// Its rules in order.
    pub rules: &'static [&'static Rule],
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

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InForce => "in force",
            Self::Option => "option, off unless declared",
        })
    }
}
