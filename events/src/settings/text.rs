//! Settings as text: read, changed one by one, and written over a file edited by hand.

use super::{FILE, Settings, sense::WhyWrong, table::named};
use crate::csv::{At, CsvError};
use overboard_formats::{
    encoding::decode,
    serde_words::{line_and_column, plain},
};
use std::{cmp::Reverse, ops::Range};
use toml_edit::{Document, DocumentMut, Item, Table, TableLike};

impl Settings {
    /// Reads the settings.
    ///
    /// # Errors
    /// The first error, with its line and column.
    pub fn read(text: &str) -> Result<Self, CsvError> {
        let settings: Self = toml::from_str(text)
            .map_err(|error| place(text, error.span()).fault(plain(error.message())))?;
        match settings.validate() {
            Ok(()) => Ok(settings),
            Err(wrong) => Err(place(text, span_of(text, wrong.key)).fault(wrong.to_string())),
        }
    }

    /// Reads a file of settings.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Result<Self, CsvError> {
        Self::read(&decode(bytes).0)
    }

    /// The settings as text.
    #[must_use]
    pub fn write(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// The settings as text that differs from an old text only in the values that differ.
    #[must_use]
    pub fn written_over(&self, old: &str) -> String {
        let Ok(known) = Self::read(old) else {
            return self.write();
        };
        if known == *self {
            return old.to_owned();
        }
        let documents = [known.write(), self.write()].map(|text| text.parse::<DocumentMut>());
        let [Ok(before), Ok(after)] = documents else {
            return self.write();
        };
        let left = without_lines(old, before.as_table(), after.as_table());
        let Ok(mut edited) = left.parse::<DocumentMut>() else {
            return self.write();
        };
        update(edited.as_table_mut(), before.as_table(), after.as_table());
        let mut text = edited.to_string();
        // A document has line feeds alone.
        if old.contains("\r\n") {
            text = text.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        match Self::read(&text) {
            Ok(read) if read == *self => text,
            _ => self.write(),
        }
    }

    /// The value of a setting as it is written; `None` where it has its default and is not written.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<String> {
        let table: toml::Table = self.write().parse().ok()?;
        let mut value = &toml::Value::Table(table);
        for part in key.split('.') {
            value = value.get(part)?;
        }
        Some(value.to_string())
    }

    /// The settings with one of them changed; `None` restores its default.
    ///
    /// # Errors
    /// Why the value makes no sense.
    pub fn with(&self, key: &str, typed: Option<&str>) -> Result<Self, WhyWrong> {
        let other = |why: &str| WhyWrong::Other(why.to_owned());
        let wrong = |error: toml::de::Error| WhyWrong::Other(plain(error.message()));
        let setting = named(key).map_err(|_| other("there is no such setting"))?;
        let mut all: toml::Table = self.write().parse().map_err(wrong)?;
        let mut table = &mut all;
        let mut last = key;
        while let Some((outer, inner)) = last.split_once('.') {
            let item = table
                .entry(outer)
                .or_insert_with(|| toml::Table::new().into());
            table = item
                .as_table_mut()
                .ok_or_else(|| WhyWrong::Other(format!("`{outer}` is not a table")))?;
            last = inner;
        }
        match typed {
            Some(typed) => table.insert(last.to_owned(), setting.read(typed)),
            None => table.remove(last),
        };
        let settings: Self = all.try_into().map_err(wrong)?;
        match settings.validate() {
            Ok(()) => Ok(settings),
            Err(wrong) => Err(wrong.why),
        }
    }
}

/// The text without the lines of values that are no longer set. A document would lose the comments above them, too.
fn without_lines(text: &str, before: &Table, after: &Table) -> String {
    let Ok(document) = Document::parse(text) else {
        return text.to_owned();
    };
    let mut dropped = Vec::new();
    note_dropped(document.as_table(), before, after, &mut dropped);
    // From the last one on, so that the places before it stay what they are.
    dropped.sort_unstable_by_key(|span| Reverse(span.start));
    let mut left = text.to_owned();
    for span in dropped {
        let start = left[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = left[span.end..]
            .find('\n')
            .map_or(left.len(), |at| span.end + at + 1);
        left.replace_range(start..end, "");
    }
    left
}

/// Notes where the values of a table stand that are set before and not after.
fn note_dropped(table: &Table, before: &Table, after: &Table, dropped: &mut Vec<Range<usize>>) {
    for (key, item) in table {
        match (item, before.get(key), after.get(key)) {
            (Item::Table(inner), Some(Item::Table(before)), Some(Item::Table(after))) => {
                note_dropped(inner, before, after, dropped);
            }
            (Item::Value(value), Some(_), None) => dropped.extend(value.span()),
            _ => {}
        }
    }
}

/// Changes in a table what differs between two others, and leaves everything else as it is written.
fn update(edited: &mut dyn TableLike, before: &dyn TableLike, after: &dyn TableLike) {
    for (key, _) in before.iter() {
        if !after.contains_key(key) {
            edited.remove(key);
        }
    }
    for (key, new) in after.iter() {
        let old = before.get(key);
        let here = edited.get_mut(key).and_then(Item::as_table_like_mut);
        let known = old.and_then(Item::as_table_like);
        if let (Some(here), Some(known), Some(new)) = (here, known, new.as_table_like()) {
            update(here, known, new);
        } else if old.map(Item::to_string) != Some(new.to_string()) {
            put(edited, key, new);
        }
    }
}

/// Gives a key this value. A comment after the old value belongs to its line, and stays.
fn put(edited: &mut dyn TableLike, key: &str, new: &Item) {
    let here = edited.get_mut(key).and_then(Item::as_value_mut);
    if let (Some(here), Some(new)) = (here, new.as_value()) {
        let decor = here.decor().clone();
        *here = new.clone();
        *here.decor_mut() = decor;
    } else {
        edited.insert(key, new.clone());
    }
}

/// Where the value of a setting is, or the table with this name.
fn span_of(text: &str, key: &str) -> Option<Range<usize>> {
    let document = Document::parse(text).ok()?;
    let mut item = document.as_item();
    for part in key.split('.') {
        item = item.get(part)?;
    }
    item.span()
}

/// The place at which a span begins; only the file if there is none.
fn place(text: &str, span: Option<Range<usize>>) -> At {
    let Some(span) = span else {
        return At::file(FILE);
    };
    let (line, column) = line_and_column(text, span.start);
    At {
        file: FILE.into(),
        line,
        column,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was written into the file by hand, and what a change must leave.
    #[test]
    fn a_change_leaves_everything_else() {
        let old = "# The county cup\nname = \"cup\"\ngame = \"chess\"\nsystem = \"swiss-team\"\nrounds = 5 # as always\n\
             participants = \"teams\"\nscoring = \"boards\"\n\n# In the town hall\ncity = \"York\"\nboards = 4\n\
             tie-breaks = [\n  \"MPvGP\", # first\n  \"EDE\",\n]\n\n[swiss]\n# Drawn by the mayor\ninitial = \"black\" # by lot\n";
        let settings = Settings::read(old).unwrap();
        let changed =
            |key: &str, typed: Option<&str>| settings.with(key, typed).unwrap().written_over(old);
        let cases = [
            ("rounds", Some("6"), "rounds = 5 #", "rounds = 6 #"),
            ("city", None, "city = \"York\"\n", ""),
            ("city", Some("Leeds"), "York", "Leeds"),
            ("swiss.initial", Some("white"), "black", "white"),
            ("swiss.initial", None, "initial = \"black\" # by lot\n", ""),
            (
                "swiss.preference",
                Some("b"),
                "by lot\n",
                "by lot\npreference = \"b\"\n",
            ),
            (
                "swiss.readings.seating",
                Some("score-then-tpn"),
                "by lot\n",
                "by lot\n\n[swiss.readings]\nseating = \"score-then-tpn\"\n",
            ),
            (
                "tie-breaks",
                Some("MPvGP"),
                "[\n  \"MPvGP\", # first\n  \"EDE\",\n]",
                "[\"MPvGP\"]",
            ),
        ];
        for (key, typed, from, to) in cases {
            assert_eq!(changed(key, typed), old.replace(from, to), "{key}");
        }
        // As an editor on Windows writes it.
        let lines = old.replace('\n', "\r\n");
        let left = settings
            .with("rounds", Some("6"))
            .unwrap()
            .written_over(&lines);
        assert_eq!(left, lines.replace("rounds = 5", "rounds = 6"));
    }
}
