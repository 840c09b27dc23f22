//! By which laws games were judged.

use overboard_engines::manifest::PROGRAM;
use overboard_referee::report::{Laws, Report};
use serde::Serialize;
use std::{
    collections::BTreeSet,
    fmt::{self, Display},
};

/// The laws by which the games of a report were judged; rulings are part of them.
#[derive(Default, Serialize)]
#[serde(transparent)]
pub struct Edition(BTreeSet<Laws>);

impl Edition {
    /// A game was judged.
    pub fn take(&mut self, report: &Report) {
        if let Some(laws) = report.laws {
            self.0.insert(laws);
        }
    }
}

impl Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PROGRAM}")?;
        for laws in &self.0 {
            write!(f, ", {laws}")?;
        }
        Ok(())
    }
}
