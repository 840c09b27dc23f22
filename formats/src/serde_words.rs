//! Faults in a file of settings, in words for its author: the messages of serde are meant for programmers.
//!
//! ```
//! use overboard_formats::serde_words::{line_and_column, plain};
//!
//! assert_eq!(plain("invalid type: string \"x\", expected u32"), "expected a whole number, found \"x\"");
//! assert_eq!(plain("unknown field `colour`, expected `rounds`"), "unknown setting `colour`; expected `rounds`");
//! assert_eq!(line_and_column("a = 1\nb = [", 10), (2, 5));
//! ```

/// Replaces the names of Rust's types in a message of serde, and joins its lines.
#[must_use]
pub fn plain(message: &str) -> String {
    let message = message.trim().replace('\n', "; ");
    let kind = ["invalid type: ", "invalid value: ", "invalid length "];
    let wrong = kind.into_iter().find_map(|kind| message.strip_prefix(kind));
    if let Some((found, expected)) = wrong.and_then(|wrong| wrong.split_once(", expected ")) {
        return format!(
            "expected {}, found {}",
            in_words(expected),
            found_in_words(found)
        );
    }
    if let Some(name) = message.strip_prefix("missing field ") {
        return format!("{name} is missing");
    }
    for (before, after) in [
        ("unknown variant ", "unknown value "),
        ("unknown field ", "unknown setting "),
    ] {
        if let Some(rest) = message.strip_prefix(before) {
            return format!("{after}{}", rest.replacen(", expected", "; expected", 1));
        }
    }
    message
}

/// What was expected, in words: `an array of length 3` becomes three values.
fn in_words(expected: &str) -> String {
    let expected = expected.trim();
    if let Some(length) = expected.strip_prefix("an array of length ") {
        return format!("{length} values");
    }
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => {
            "a whole number"
        }
        "f32" | "f64" => "a number",
        "a string" => "a text in quotation marks",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "a table",
        other => other,
    }
    .into()
}

/// What was found, without its type if the value shows it.
fn found_in_words(found: &str) -> &str {
    match found {
        "sequence" => "a list",
        "map" => "a table",
        _ => ["string ", "integer ", "floating point ", "boolean "]
            .into_iter()
            .find_map(|kind| found.strip_prefix(kind))
            .unwrap_or(found),
    }
}

/// The line and the column of an offset in bytes, both from 1; columns count characters.
#[must_use]
pub fn line_and_column(text: &str, offset: usize) -> (u64, u64) {
    let before = text.get(..offset).unwrap_or(text);
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count() as u64
        + 1;
    (before.matches('\n').count() as u64 + 1, column)
}
