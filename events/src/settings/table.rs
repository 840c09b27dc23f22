//! All settings, when each may change, and how its value is typed.

use Form::{Numbers, Table, Text, Toml, Words};
use When::{Always, Counting, Next, Unpaired};
use overboard_referee::meant::did_you_mean;
use toml::Value;

/// When a setting may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// At any time: it affects neither pairings nor results.
    Always,
    /// At any time: the standings of all rounds follow it, and pairings from the next one on.
    Counting,
    /// At any time: it applies from the next pairing on.
    Next,
    /// Before round 1 is paired.
    Unpaired,
}

impl When {
    /// The time in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Always => "at any time",
            Self::Counting => {
                "at any time; applies to the standings of all rounds, and to pairings from the next one on"
            }
            Self::Next => "at any time; applies from the next pairing on",
            Self::Unpaired => "before round 1 is paired",
        }
    }
}

/// A setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Its name, with a dot for one in a table.
    pub name: &'static str,
    /// When it may change.
    pub when: When,
    form: Form,
}

/// How the value of a setting is typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// A text, without quotation marks around it.
    Text,
    /// Numbers with commas between them.
    Numbers,
    /// Words with commas between them.
    Words,
    /// As in the file.
    Toml,
    /// As in the file; what is in it also has a name of its own after a dot.
    Table,
}

const fn setting(name: &'static str, when: When, form: Form) -> Setting {
    Setting { name, when, form }
}

/// All settings.
pub const SETTINGS: [Setting; 34] = [
    setting("name", Always, Text),
    setting("city", Always, Text),
    setting("federation", Always, Text),
    setting("start", Always, Text),
    setting("end", Always, Text),
    setting("arbiter", Always, Text),
    setting("by", Always, Text),
    setting("time-control", Always, Text),
    setting("game", Unpaired, Text),
    setting("rules", Next, Text),
    setting("system", Unpaired, Text),
    setting("cycles", Unpaired, Toml),
    setting("rounds", Next, Toml),
    setting("participants", Unpaired, Text),
    setting("scoring", Unpaired, Text),
    setting("boards", Unpaired, Toml),
    setting("pattern", Unpaired, Text),
    setting("primary", Counting, Text),
    setting("match-points", Counting, Numbers),
    setting("game-points", Counting, Numbers),
    setting("bye", Counting, Numbers),
    setting("board-order", Always, Text),
    setting("missed", Next, Text),
    setting("lieutenants", Next, Text),
    setting("tie-breaks", Counting, Words),
    setting("edition", Counting, Text),
    setting("fore-forfeits", Counting, Text),
    setting("trf-type", Always, Text),
    setting("trf-system", Always, Text),
    setting("swiss.initial", Unpaired, Text),
    setting("swiss.secondary", Next, Text),
    setting("swiss.preference", Next, Text),
    setting("swiss.acceleration", Next, Table),
    setting("swiss.readings", Next, Table),
];

/// The setting with this name, or the one whose table has it.
///
/// # Errors
/// If there is none.
pub fn named(key: &str) -> Result<&'static Setting, UnknownSetting> {
    let mut settings = SETTINGS.iter();
    let found = settings.find(|setting| match key.strip_prefix(setting.name) {
        Some(rest) if setting.form == Table => rest.is_empty() || rest.starts_with('.'),
        rest => rest == Some(""),
    });
    found.ok_or_else(|| UnknownSetting { key: key.into() })
}

/// The names in a table of the settings.
pub(crate) fn keys_of(table: &str) -> Vec<&'static str> {
    let mut keys = Vec::new();
    for setting in &SETTINGS {
        if let Some((of, key)) = setting.name.split_once('.')
            && of == table
        {
            keys.push(key);
        }
    }
    keys
}

/// There is no setting of this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown setting `{key}`{}", self.likely())]
pub struct UnknownSetting {
    /// The name.
    pub key: String,
}

impl UnknownSetting {
    /// The likely one, or all that there are.
    fn likely(&self) -> String {
        let names = SETTINGS.map(|setting| setting.name);
        let near = did_you_mean(&self.key, names);
        if near.is_empty() {
            return format!("; expected {}", names.join(", "));
        }
        near
    }
}

impl Setting {
    /// The value that was typed. What cannot be one is taken as a text, of which it is then said what was
    /// expected.
    pub(super) fn read(&self, typed: &str) -> Value {
        match self.form {
            Text => match parsed(typed) {
                Some(quoted @ Value::String(_)) => quoted,
                _ => typed.into(),
            },
            Numbers if !typed.starts_with('[') => {
                let number = |part: &str| parsed(part).unwrap_or_else(|| part.into());
                Value::Array(parts(typed).map(number).collect())
            }
            Words if !typed.starts_with('[') => {
                Value::Array(parts(typed).map(Value::from).collect())
            }
            _ => parsed(typed).unwrap_or_else(|| typed.into()),
        }
    }
}

/// The parts of a list that was typed with commas.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// A value in TOML syntax.
fn parsed(text: &str) -> Option<Value> {
    let line = format!("value = {text}");
    line.parse::<toml::Table>().ok()?.remove("value")
}
