//! Lines that vouch for each other: a log of JSON Lines in which no line can be changed, lost or added unseen.
//!
//! `sum` at the end of a line is the hash of the line up to there, and `prev` is that of the line before: every entry
//! vouches for all before it.
//!
//! ```
//! use overboard_events::store::{Line, Sum};
//!
//! let first = Line::new(Sum::START, serde_json::json!({ "act": "e4" }));
//! let second = Line::new(first.sum, serde_json::json!({ "act": "e5" }));
//! assert_eq!(Line::read(second.text.as_bytes()), Ok(second.clone()));
//! assert!(Line::<serde_json::Value>::read(second.text.replace("e5", "c5").as_bytes()).is_err());
//! ```

use super::Sum;
use overboard_formats::foreign::json;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The version of logs that is written, and the latest that is read.
pub const FORM: u32 = 1;

/// A line of a log: by default of an event's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<E = super::LogEntry> {
    /// The hash of the line before.
    pub prev: Sum,
    /// Its own.
    pub sum: Sum,
    /// What it says.
    pub entry: E,
    /// Its text, with the line break.
    pub text: String,
}

/// The fields of a line but for its hash.
#[derive(Serialize, Deserialize)]
struct Fields<E> {
    log: u32,
    prev: Sum,
    #[serde(flatten)]
    entry: E,
}

/// The length of `,"sum":"…"}` and a line break.
const SEAL: usize = 11 + Sum::DIGITS;

impl<E: Serialize + DeserializeOwned> Line<E> {
    /// The line of an entry that follows another.
    #[must_use]
    pub fn new(prev: Sum, entry: E) -> Self {
        let fields = Fields {
            log: FORM,
            prev,
            entry: &entry,
        };
        let text = serde_json::to_string(&fields).unwrap_or_default();
        let mut text = json(&text).into_owned();
        text.pop();
        let sum = Sum::of(text.as_bytes());
        text.push_str(&seal(sum));
        Self {
            prev,
            sum,
            entry,
            text,
        }
    }

    /// Reads a line with its line break.
    ///
    /// # Errors
    /// Why it is not an entry that somebody wrote as it is.
    pub fn read(text: &[u8]) -> Result<Self, &'static str> {
        let fields = text.len().checked_sub(SEAL).map(|at| &text[..at]);
        let fields = fields.ok_or("this entry is damaged: it is not complete")?;
        let sum = Sum::of(fields);
        let text = std::str::from_utf8(text).unwrap_or_default();
        if !text.ends_with(&seal(sum)) {
            return Err("this entry is damaged: its hash is wrong");
        }
        let unknown = "this entry is unknown to this version; a newer overboard wrote it";
        // An entry of free form would take the hash for a field of its own.
        let unsealed = format!("{}}}", &text[..text.len() - SEAL]);
        let Fields { log, prev, entry } =
            serde_json::from_str::<Fields<E>>(&unsealed).map_err(|_| unknown)?;
        if log > FORM {
            return Err(unknown);
        }
        Ok(Self {
            prev,
            sum,
            entry,
            text: text.to_owned(),
        })
    }
}

fn seal(sum: Sum) -> String {
    format!(",\"sum\":\"{sum}\"}}\n")
}
