//! The list of intended differences.

use crate::{compare::Difference, glob::fits};
use serde::Deserialize;
use std::{fs, io, path::Path};
use thiserror::Error;

/// Why the list cannot be used.
#[derive(Debug, Error)]
pub enum ListError {
    #[error("{0}: {1}")]
    Unreadable(String, io::Error),
    #[error("{0}: {1}")]
    Malformed(String, toml::de::Error),
    #[error("{0}: entry {1} gives no reason")]
    NoReason(String, usize),
    #[error(
        "{0}: entry {1} would cover every difference: give one of cases, calls, part, at, old, new, within"
    )]
    Boundless(String, usize),
}

/// An entry: a reason, and patterns that must all fit.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct IntendedEntry {
    pub reason: String,
    cases: Vec<String>,
    calls: Vec<String>,
    part: Option<String>,
    at: Vec<String>,
    old: Vec<String>,
    new: Vec<String>,
    within: Vec<String>,
}

/// The entries, in the order of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intended {
    #[serde(default, rename = "intended")]
    pub entries: Vec<IntendedEntry>,
}

impl Intended {
    /// Reads the list.
    pub fn read(path: &Path) -> Result<Self, ListError> {
        let name = path.display().to_string();
        let text =
            fs::read_to_string(path).map_err(|error| ListError::Unreadable(name.clone(), error))?;
        Self::parse(&name, &text)
    }

    fn parse(name: &str, text: &str) -> Result<Self, ListError> {
        let list: Self =
            toml::from_str(text).map_err(|error| ListError::Malformed(name.into(), error))?;
        for (index, entry) in list.entries.iter().enumerate() {
            if entry.reason.trim().is_empty() {
                return Err(ListError::NoReason(name.into(), index + 1));
            }
            let lists = [
                &entry.cases,
                &entry.calls,
                &entry.at,
                &entry.old,
                &entry.new,
                &entry.within,
            ];
            if entry.part.is_none() && lists.iter().all(|list| list.is_empty()) {
                return Err(ListError::Boundless(name.into(), index + 1));
            }
        }
        Ok(list)
    }

    /// The index of the first entry that covers this difference, in a call of the case with this name.
    pub fn covers(&self, case: &str, call: &str, difference: &Difference) -> Option<usize> {
        self.entries
            .iter()
            .position(|entry| entry.covers(case, call, difference))
    }
}

impl IntendedEntry {
    fn covers(&self, case: &str, call: &str, difference: &Difference) -> bool {
        let any = |patterns: &[String], text: &str| {
            patterns.is_empty() || patterns.iter().any(|pattern| fits(pattern, text))
        };
        any(&self.cases, case)
            && any(&self.calls, call)
            && self
                .part
                .as_ref()
                .is_none_or(|part| fits(part, &difference.part))
            && any(&self.at, &difference.at)
            && any(&self.old, &difference.old)
            && any(&self.new, &difference.new)
            && (self.within.is_empty()
                || difference.within.iter().any(|line| any(&self.within, line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference() -> Difference {
        Difference {
            call: 0,
            part: "stdout".into(),
            at: "/verdict".into(),
            old: "\"clean\"".into(),
            new: "\"illegal\"".into(),
            within: ["{\"variant\":\"Overchess\"}".into(), String::new()],
            wording: false,
        }
    }

    fn list(entry: &str) -> Intended {
        Intended::parse(
            "list",
            &format!("[[intended]]\nreason = \"a defect\"\n{entry}\n"),
        )
        .unwrap()
    }

    #[test]
    fn all_patterns_must_fit() {
        let covers = |entry: &str| {
            list(entry)
                .covers("event: cup", "check --json a.npgn", &difference())
                .is_some()
        };
        for entry in [
            "calls = [\"fmt *\", \"check *\"]",
            "part = \"stdout\"",
            "cases = [\"event: *\"]",
            "at = [\"/verdict\"]\nold = [\"*clean*\"]\nnew = [\"\\\"illegal\\\"\"]",
            "within = [\"*Overchess*\"]",
        ] {
            assert!(covers(entry), "{entry}");
        }
        for entry in [
            "calls = [\"fmt *\"]",
            "part = \"exit\"",
            "cases = [\"selfplay: *\"]",
            "at = [\"/verdict\"]\nold = [\"illegal\"]",
            "within = [\"*Atomic*\"]",
        ] {
            assert!(!covers(entry), "{entry}");
        }
    }

    #[test]
    fn the_first_entry_that_fits_is_taken() {
        let text = "[[intended]]\nreason = \"a\"\npart = \"exit\"\n[[intended]]\nreason = \"b\"\npart = \"std*\"\n";
        assert_eq!(
            Intended::parse("list", text)
                .unwrap()
                .covers("", "fmt", &difference()),
            Some(1)
        );
    }

    #[test]
    fn the_committed_list_is_valid() {
        Intended::parse("intended.toml", include_str!("../intended.toml")).unwrap();
    }

    #[test]
    fn an_entry_needs_a_reason_and_a_bound() {
        let fault = |text: &str| Intended::parse("list", text).unwrap_err().to_string();
        assert!(fault("[[intended]]\npart = \"exit\"\n").contains("entry 1 gives no reason"));
        assert!(
            fault("[[intended]]\nreason = \"a\"\n")
                .contains("entry 1 would cover every difference")
        );
        assert!(
            fault("[[intended]]\nreason = \"a\"\nparts = \"exit\"\n")
                .contains("unknown field `parts`")
        );
        assert!(
            Intended::parse("list", "# nothing yet\n")
                .unwrap()
                .entries
                .is_empty()
        );
    }
}
