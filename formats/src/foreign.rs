//! Foreign text, and the only way out for it: made safe to display on a terminal, in a drawing, on a page, in a cell of
//! a table, or in a column of a report.

use serde::{Deserialize, Serialize, Serializer};
use std::{borrow::Cow, fmt};

/// A text from outside: from a file, an argument, or another program. Names, tags, comments and tokens are such texts,
/// and so is every sentence that quotes one.
///
/// It can be compared and inspected but not printed: it implements neither [`Display`](fmt::Display) nor `AsRef<str>`,
/// so that a writer has to say for what it writes. It can be serialized, since serializers do their own escaping.
///
/// ```
/// use overboard_formats::foreign::Foreign;
///
/// let name = Foreign::from("Le\u{202e}eds\u{1b}[2J\n& York");
/// assert_eq!(name.shown(), "Le\\u{202e}eds\\u{1b}[2J\\u{a}& York");
/// assert_eq!(name.line(), "Le\\u{202e}eds\\u{1b}[2J & York");
/// assert_eq!(name.xml(), "Le\\u{202e}eds\\u{1b}[2J &amp; York");
/// ```
///
/// There is no other way to print it:
///
/// ```compile_fail,E0277
/// use overboard_formats::foreign::Foreign;
/// println!("{}", Foreign::from("Leeds"));
/// ```
///
/// ```compile_fail,E0277
/// use overboard_formats::foreign::Foreign;
/// use std::io::Write;
/// fn write(out: &mut impl Write, name: &Foreign) -> std::io::Result<()> {
///     writeln!(out, "{name:>20}")
/// }
/// ```
///
/// ```compile_fail,E0277
/// use overboard_formats::foreign::Foreign;
/// let page: String = ["<p>", &Foreign::from("Leeds"), "</p>"].concat();
/// ```
///
/// ```compile_fail,E0277
/// use overboard_formats::foreign::Foreign;
/// std::fs::write("page.html", Foreign::from("Leeds")).expect("a file");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Deserialize)]
#[serde(transparent)]
pub struct Foreign<T = String>(T);

impl<T> Foreign<T> {
    /// A text from outside.
    pub const fn new(text: T) -> Self {
        Self(text)
    }
}

impl<T: AsRef<str>> Foreign<T> {
    /// For a terminal: characters that cannot be seen, including line breaks, are written as `\u{…}`.
    pub fn shown(&self) -> Cow<'_, str> {
        visible(self.as_it_came())
    }

    /// For one line on a terminal: any white space becomes a blank.
    pub fn line(&self) -> String {
        let words: Vec<_> = self.as_it_came().split_whitespace().collect();
        visible(&words.join(" ")).into_owned()
    }

    /// For SVG, and for HTML between tags and in quoted attributes, on one line.
    pub fn xml(&self) -> String {
        let line = self.line();
        let mut safe = String::with_capacity(line.len());
        for c in line.chars() {
            match c {
                '&' => safe.push_str("&amp;"),
                '<' => safe.push_str("&lt;"),
                '>' => safe.push_str("&gt;"),
                '"' => safe.push_str("&quot;"),
                // These two cannot be written in XML.
                '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
                _ => safe.push(c),
            }
        }
        safe
    }

    /// For a table in Markdown.
    pub fn markdown(&self) -> String {
        self.shown()
            .replace('\\', "\\\\")
            .replace('|', "\\|")
            .replace(['\n', '<'], " ")
    }

    /// For a cell of a CSV file that programs read: unchanged, except for characters that could change how a terminal
    /// or an editor displays the cells around it. The joiners in Persian and Indic words are kept.
    pub fn cell(&self) -> Cow<'_, str> {
        let text = self.as_it_came();
        if text.contains(turns) {
            visible(text)
        } else {
            Cow::Borrowed(text)
        }
    }

    /// For a cell of a CSV file that a spreadsheet opens: with an apostrophe in front if it would be taken for a
    /// formula. That includes full-width signs, which some programs read like the narrow ones.
    pub fn harmless_cell(&self) -> Cow<'_, str> {
        const SIGNS: [char; 12] = [
            '=', '+', '-', '@', '\t', '\r', '\n', '|', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}',
            '\u{ff20}',
        ];
        let text = self.as_it_came();
        let bare = text.trim_start_matches(|sign: char| sign.is_whitespace() || is_unseen(sign));
        let is_number = text.parse::<f64>().is_ok();
        let is_formula =
            (text.starts_with(SIGNS) || bare.starts_with(SIGNS)) && !is_number && text != "-";
        if is_formula {
            format!("'{}", self.shown()).into()
        } else {
            self.shown()
        }
    }

    /// For a column of a tournament report: on one line, with blanks for control characters.
    pub fn column(&self) -> String {
        let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
        Foreign(self.as_it_came().chars().map(plain).collect::<String>())
            .cell()
            .into_owned()
    }

    /// The unchanged text: to be compared, looked up or read, and written only to where it came from.
    pub fn as_it_came(&self) -> &str {
        self.0.as_ref()
    }

    /// Several such texts, with a separator between them.
    pub fn join(parts: impl IntoIterator<Item = Self>, between: &str) -> Foreign {
        let parts: Vec<_> = parts.into_iter().collect();
        Foreign(
            parts
                .iter()
                .map(Self::as_it_came)
                .collect::<Vec<_>>()
                .join(between),
        )
    }

    /// The same text, borrowed.
    pub fn lent(&self) -> Foreign<&str> {
        Foreign(self.as_it_came())
    }

    /// The same text, owned.
    pub fn kept(&self) -> Foreign {
        Foreign(self.as_it_came().to_owned())
    }

    /// Part of the text, such as the letters that fit.
    pub fn cut(&self, cut: impl FnOnce(&str) -> String) -> Foreign {
        Foreign(cut(self.as_it_came()))
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.as_it_came().is_empty()
    }
}

/// Escapes everything, as for any text.
impl<T: AsRef<str>> fmt::Debug for Foreign<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.shown(), f)
    }
}

impl<T: AsRef<str>> Serialize for Foreign<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_it_came())
    }
}

#[cfg(feature = "schema")]
impl<T> schemars::JsonSchema for Foreign<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

impl From<String> for Foreign {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Foreign {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl<T: AsRef<str>> PartialEq<str> for Foreign<T> {
    fn eq(&self, other: &str) -> bool {
        self.as_it_came() == other
    }
}

impl<T: AsRef<str>> PartialEq<&str> for Foreign<T> {
    fn eq(&self, other: &&str) -> bool {
        self.as_it_came() == *other
    }
}

/// Whether a character cannot be seen and is not part of a word.
fn turns(sign: char) -> bool {
    is_unseen(sign) && !matches!(sign, '\u{200c}' | '\u{200d}')
}

/// JSON in which no invisible character is written raw. Its meaning is the same, since apart from the line breaks and
/// tabs between them, such characters occur only in strings.
#[must_use]
pub fn json(text: &str) -> Cow<'_, str> {
    let is_raw = |c: char| is_unseen(c) && !matches!(c, '\n' | '\t');
    if !text.contains(is_raw) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_raw(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

/// Whether a character could change what a reader sees without being visible itself: control characters, characters
/// that turn, join or hide the text around them, and those without a shape, which make two names look alike.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    // Most texts are made of these.
    if c < '\u{a0}' {
        return c.is_control();
    }
    is_shapeless(c) || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}')
}

/// Whether a character has no shape: those that Unicode allows programs to ignore (`Default_Ignorable_Code_Point`), and
/// the blank in Braille.
#[must_use]
pub const fn is_shapeless(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a text contains a character for which [`is_unseen`] is true.
#[must_use]
pub fn hides_something(text: &str) -> bool {
    // The loop has no early exit, so that many bytes are tested together.
    let plain = text
        .bytes()
        .fold(true, |plain, b| plain & matches!(b, b' '..=b'~'));
    !plain && text.contains(is_unseen)
}

/// A foreign text for a terminal: characters that cannot be seen are written as `\u{…}`.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !hides_something(text) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unseen(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_in_a_spreadsheet() {
        for text in [
            "=1+1",
            "+1-1",
            "-A1",
            "@SUM(A1)",
            "\u{ff1d}1",
            "\u{ff0b}1",
            "\u{ff0d}A",
            "\u{ff20}A",
            "\t=1",
            " =1",
            "|x",
        ] {
            assert!(
                Foreign::new(text).harmless_cell().starts_with('\''),
                "{text:?}"
            );
        }
        for text in ["-", "-1.5", "+2", "Leeds", "1-0"] {
            assert_eq!(Foreign::new(text).harmless_cell(), text);
        }
        assert_eq!(
            Foreign::new("a\u{202e}\u{200c}b").cell(),
            "a\\u{202e}\\u{200c}b"
        );
        assert_eq!(Foreign::new("a\u{200c}b").cell(), "a\u{200c}b");
        assert_eq!(Foreign::new("a\u{1b}\nb\u{2066}").column(), "a  b\\u{2066}");
    }

    #[test]
    fn json_is_visible_and_keeps_its_meaning() {
        let raw = "{\n\t\"a\u{202e}\": \"\u{e0041}é\u{7f}\"\n}";
        assert_eq!(
            json(raw),
            "{\n\t\"a\\u202e\": \"\\udb40\\udc41é\\u007f\"\n}"
        );
    }

    #[test]
    fn unseen_characters_are_shown() {
        assert_eq!(visible("a\u{1b}[2Jb\u{202e}c"), "a\\u{1b}[2Jb\\u{202e}c");
        assert_eq!(visible("Łódź ♘"), "Łódź ♘");
        for filler in [
            "\u{115f}",
            "\u{3164}",
            "\u{34f}",
            "\u{ffa0}",
            "\u{fe0f}",
            "\u{e0101}",
            "\u{2800}",
        ] {
            assert_ne!(visible(filler), filler, "{filler:?}");
        }
    }
}
