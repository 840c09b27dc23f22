//! What an entry of the log says of a file: its text, or what changed in it.

use super::Sum;
use crate::Files;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The bytes of a file at some time. States of an event share those that did not change.
pub type Text = Arc<[u8]>;
/// A file at some time, derived from the log: `None` if it cannot be, `Some(None)` if there was no file.
pub type Derived = Option<Option<Text>>;

/// The bytes of a file among these, if there is one.
pub fn text_of(files: &Files, file: &str) -> Option<Text> {
    files.get(file).map(|bytes| bytes[..].into())
}

/// Gives a file among these other bytes, or removes it.
pub fn put_text(files: &mut Files, file: &str, text: Option<&Text>) {
    match text {
        Some(text) => files.insert(file.to_owned(), text.to_vec()),
        None => files.remove(file),
    };
}

/// A file after a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its name in the folder.
    pub file: String,
    /// The hash of its bytes after the change; `None` if it was removed, and in entries of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum: Option<Sum>,
    /// Its bytes after the change.
    #[serde(flatten)]
    pub content: Content,
}

/// The bytes of a file after a change, as the log keeps them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// The whole text.
    Text(String),
    /// The whole file as hexadecimal digits, if it is not UTF-8.
    Hex(String),
    /// What differs from the file before the change, from its beginning to its end.
    Edits(Vec<Edit>),
    /// There is no such file any more: always `true`.
    Gone(bool),
    /// Of older versions: lines that differ.
    #[serde(skip)]
    Lines(Lines),
    /// Of older versions: the file before and after, either of which may not have existed.
    #[serde(skip)]
    Both(Option<String>, Option<String>),
}

/// Bytes that are replaced: from where, how many, and by what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Edit(usize, usize, String);

/// Lines that are replaced, from line `line` (counted from 1) on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Lines {
    line: usize,
    removed: Vec<String>,
    added: Vec<String>,
}

impl Content {
    /// The whole of a file.
    pub fn whole(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Hex(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
        }
    }

    /// What differs between two texts; `None` if one of them is not UTF-8.
    pub fn edits(before: &[u8], after: &[u8]) -> Option<Self> {
        let (before, after) = (
            std::str::from_utf8(before).ok()?,
            std::str::from_utf8(after).ok()?,
        );
        let edits = Self::Edits(edits(before, after));
        // The log must never hold what does not lead to the file.
        if edits.after(Some(before.as_bytes()))?.as_deref() != Some(after.as_bytes()) {
            return None;
        }
        Some(edits)
    }

    /// About how many bytes it takes in the log.
    pub fn weight(&self) -> usize {
        match self {
            Self::Text(text) | Self::Hex(text) => text.len(),
            Self::Edits(edits) => edits.iter().map(|edit| edit.2.len() + 12).sum(),
            Self::Gone(_) | Self::Lines(_) | Self::Both(..) => 0,
        }
    }

    /// The file after the change, given the one before.
    pub fn after(&self, before: Option<&[u8]>) -> Derived {
        let bytes = match self {
            Self::Gone(_) | Self::Both(_, None) => return Some(None),
            Self::Text(text) | Self::Both(_, Some(text)) => text.clone().into_bytes(),
            Self::Hex(digits) => from_hex(digits)?,
            Self::Edits(edits) => edited(before?, edits)?,
            Self::Lines(lines) => lines.applied(std::str::from_utf8(before?).ok()?)?,
        };
        Some(Some(bytes.into()))
    }
}

fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let byte = |pair: &[u8]| {
        if pair.len() != 2 {
            return None;
        }
        u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()
    };
    digits.as_bytes().chunks(2).map(byte).collect()
}

fn edited(before: &[u8], edits: &[Edit]) -> Option<Vec<u8>> {
    let mut after = Vec::with_capacity(before.len());
    let mut kept = 0;
    for Edit(from, removed, added) in edits {
        after.extend_from_slice(before.get(kept..*from)?);
        after.extend_from_slice(added.as_bytes());
        kept = from.checked_add(*removed)?;
    }
    after.extend_from_slice(before.get(kept..)?);
    Some(after)
}

/// What differs between two texts. Where as many lines differ in both, each is compared with its counterpart: a result
/// changes a few letters in the line of its match and in those of its boards.
fn edits(before: &str, after: &str) -> Vec<Edit> {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let (head, removed, added) = differing(&old, &new);
    let mut from = old[..head].iter().map(|line| line.len()).sum();
    if removed.len() != added.len() {
        return edit(from, &removed.concat(), &added.concat())
            .into_iter()
            .collect();
    }
    let mut edits = Vec::new();
    for (old, new) in removed.iter().zip(added) {
        edits.extend(edit(from, old, new));
        from += old.len();
    }
    edits
}

/// How many items two lists have in common at their beginning, and those of each from there up to the end that they have
/// in common.
pub fn differing<'l, T: PartialEq>(old: &'l [T], new: &'l [T]) -> (usize, &'l [T], &'l [T]) {
    let head = alike(old.iter(), new.iter());
    let (old, new) = (&old[head..], &new[head..]);
    let tail = alike(old.iter().rev(), new.iter().rev());
    (head, &old[..old.len() - tail], &new[..new.len() - tail])
}

/// The part in which two texts differ, the first of which begins at byte `from`; `None` if they are the same.
fn edit(from: usize, old: &str, new: &str) -> Option<Edit> {
    if old == new {
        return None;
    }
    let size = |text: &str, letters: usize| text.chars().take(letters).map(char::len_utf8).sum();
    let head: usize = size(old, alike(old.chars(), new.chars()));
    let (old, new) = (&old[head..], &new[head..]);
    let same = alike(old.chars().rev(), new.chars().rev());
    let tail: usize = old.chars().rev().take(same).map(char::len_utf8).sum();
    let added = new[..new.len() - tail].to_owned();
    Some(Edit(from + head, old.len() - tail, added))
}

/// How many items two sequences have in common at their beginning.
fn alike<T: PartialEq>(one: impl Iterator<Item = T>, other: impl Iterator<Item = T>) -> usize {
    one.zip(other)
        .take_while(|(one, other)| one == other)
        .count()
}

impl Lines {
    fn applied(&self, before: &str) -> Option<Vec<u8>> {
        let lines: Vec<&str> = before.split('\n').collect();
        let from = self.line.checked_sub(1)?;
        let rest = lines.get(from..)?;
        let there = rest.get(..self.removed.len())?;
        if self.removed != there {
            return None;
        }
        let mut after = lines[..from].to_vec();
        after.extend(self.added.iter().map(String::as_str));
        after.extend_from_slice(&rest[there.len()..]);
        Some(after.join("\n").into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_lead_from_one_text_to_the_other() {
        let texts = [
            "",
            "1\n",
            "1,2,\n3,4,\n",
            "1,2,1-0\n3,4,\n",
            "1,2,1-0\n3,4,½\n5,6\n",
            "é,2\n3,ê,\n5,6",
            "\n\n\n",
        ];
        for before in texts {
            for after in texts {
                let edits = Content::edits(before.as_bytes(), after.as_bytes()).unwrap();
                let derived = edits.after(Some(before.as_bytes())).unwrap().unwrap();
                assert_eq!(&*derived, after.as_bytes());
            }
        }
        let one = Content::edits(b"1,2,\n3,4,\n", b"1,2,1-0\n3,4,\n").unwrap();
        assert_eq!(one, Content::Edits(vec![Edit(4, 0, "1-0".into())]));
        assert_eq!(one.after(None), None);
        assert_eq!(one.after(Some(b"1,2")), None);
    }

    #[test]
    fn bytes_that_are_no_text_are_kept() {
        let latin = b"1,K\xf6ln\n";
        let whole = Content::whole(latin);
        assert_eq!(whole.after(None).unwrap().as_deref(), Some(&latin[..]));
        assert_eq!(Content::edits(latin, b"1,Ulm\n"), None);
        assert_eq!(Content::Hex("f".into()).after(None), None);
    }
}
