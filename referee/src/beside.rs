//! Two sheets of one game, side by side where they differ.

use overboard_formats::foreign::Foreign;
use serde::Serialize;
use std::sync::Arc;

/// The other sheet of a game, and what stands on both around the first difference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OtherSheet {
    /// The file in which it is.
    pub file: Foreign<Arc<str>>,
    /// Its number in the file, from 1.
    pub game: u64,
    /// The line of the difference in that file, from 1.
    pub line: u64,
    /// What stands on the sheets, from two acts before the difference to two after it.
    pub rows: Vec<Row>,
    /// Which of the two fits the other sheets and the rules.
    pub fits: Fits,
    /// What is found with the one that does not fit, or with this one if neither does; null if nothing is.
    pub else_found: Option<Foreign>,
}

/// An act on two sheets.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    /// As it stands on this sheet, with its number; empty where that has ended.
    pub here: Foreign,
    /// As it stands on the other one.
    pub there: Foreign,
    /// Whether the two differ.
    pub differs: bool,
}

/// Which of two sheets fits the other sheets of the game, and the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Fits {
    /// This one.
    Here,
    /// The other one.
    There,
    /// Either.
    Both,
    /// Neither.
    Neither,
    /// It was not tried: too many pairs of sheets differ.
    Untried,
}

impl Fits {
    /// The same as seen from the other sheet.
    #[must_use]
    pub const fn swapped(self) -> Self {
        match self {
            Self::Here => Self::There,
            Self::There => Self::Here,
            same => same,
        }
    }
}

impl OtherSheet {
    /// Which sheet fits, in words.
    #[must_use]
    pub fn fits_in_words(&self) -> String {
        let with = |which: &str| match &self.else_found {
            Some(found) => format!("; with {which}: {}", found.shown()),
            None => String::new(),
        };
        match self.fits {
            Fits::Here => format!("this sheet{}", with("the other one")),
            Fits::There => format!("the other sheet{}", with("this one")),
            Fits::Both => "both: nothing else tells which one is right".into(),
            Fits::Neither => format!("neither{}", with("this one")),
            Fits::Untried => "not tried, since too many pairs of sheets differ".into(),
        }
    }

    /// The rows as text in two columns, the differences marked.
    #[must_use]
    pub fn columns(&self) -> String {
        let lengths = self.rows.iter().map(|row| row.here.shown().chars().count());
        let width = lengths.max().unwrap_or_default().max("this sheet".len());
        let mut columns = format!("  {:<width$}  the other one", "this sheet");
        for row in &self.rows {
            let mark = if row.differs { '>' } else { ' ' };
            let (here, there) = (row.here.shown(), row.there.shown());
            columns.push_str(format!("\n{mark} {here:<width$}  {there}").trim_end());
        }
        columns
    }
}
