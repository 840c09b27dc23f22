//! Two answers, and their differences.
//!
//! Equal bytes are not looked at any further. Otherwise lines of JSON are compared value by value, and other text line
//! by line, so that each difference has a place that an entry in the list of intended differences can name. Differences
//! in wording alone (messages for people) are distinguished from the rest: see [`prose_keys`] and [`is_prose`].

use crate::{
    case::{Answer, Reply},
    glob::fits,
};
use serde_json::Value;
use std::ops::Range;

/// A difference between two answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The number of the call that has it, from 0.
    pub call: usize,
    /// `exit`, `stdout`, `stderr`, or `file NAME`.
    pub part: String,
    /// A JSON pointer; in other text, `line`.
    pub at: String,
    pub old: String,
    pub new: String,
    /// The whole lines that contain it, old and new.
    pub within: [String; 2],
    /// Whether only the wording of a message differs.
    pub wording: bool,
}

/// Stands for a value that one side does not have.
pub const NOTHING: &str = "(nothing)";

/// The JSON keys in the output of a call whose values are for people, as patterns of pointers.
fn prose_keys(call: &str) -> &'static [&'static str] {
    let command = |word: &str| call.starts_with(word);
    if command("explain") {
        &["/text", "/gist"]
    } else if command("pair explain") {
        &["/text"]
    } else if command("score") {
        &["/notes/*/text"]
    } else if command("orders") {
        &["/orders/*/why"]
    } else if command("event") || command("pair") || command("result") {
        &["/what", "*/message"]
    } else {
        &["*/message", "/error"]
    }
}

/// Whether the output of a call is for people, so that only its exit code counts. What a command also prints with
/// `--json` is compared in that form.
fn is_prose(call: &str) -> bool {
    let words: Vec<&str> = call.split(' ').collect();
    let has = |word: &str| words.contains(&word);
    match words[..] {
        [
            "check" | "orders" | "selfplay" | "run" | "plan" | "merge" | "explain" | "man"
            | "result",
            ..,
        ] => true,
        ["stats" | "score", ..] => !has("--csv"),
        ["ledger", ..] => !has("--to") || has("summary"),
        ["event", verb, ..] => !matches!(verb, "export" | "cards"),
        ["pair", verb, ..] => matches!(verb, "next" | "explain" | "check" | "generate"),
        _ => has("--help"),
    }
}

/// All differences between the answers of the old and the new program to a case with these calls.
pub fn differences(calls: &[String], old: &Answer, new: &Answer) -> Vec<Difference> {
    let mut found = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        match (old.replies.get(index), new.replies.get(index)) {
            (Some(old), Some(new)) if old != new => replies(index, call, old, new, &mut found),
            // A script ends at a call that takes too long, and that call is reported.
            _ => {}
        }
    }
    let last = calls.len().saturating_sub(1);
    let names = old.files.keys().chain(
        new.files
            .keys()
            .filter(|name| !old.files.contains_key(*name)),
    );
    for name in names {
        let part = format!("file {name}");
        match (old.files.get(name), new.files.get(name)) {
            (Some(old), Some(new)) if old != new => {
                let keys: &[&str] = if name.contains("log/") {
                    &["/what"]
                } else {
                    &[]
                };
                texts(
                    Text {
                        call: last,
                        part: &part,
                        keys,
                        prose: false,
                    },
                    old,
                    new,
                    &mut found,
                );
            }
            (Some(_), Some(_)) => {}
            (old, _) => {
                let (was, is) = if old.is_some() {
                    ("there", NOTHING)
                } else {
                    (NOTHING, "there")
                };
                found.push(plain(last, &part, "", was, is));
            }
        }
    }
    found
}

fn plain(call: usize, part: &str, at: &str, old: &str, new: &str) -> Difference {
    Difference {
        call,
        part: part.into(),
        at: at.into(),
        old: old.into(),
        new: new.into(),
        within: [String::new(), String::new()],
        wording: false,
    }
}

fn replies(call: usize, line: &str, old: &Reply, new: &Reply, found: &mut Vec<Difference>) {
    if old.exit != new.exit {
        found.push(plain(
            call,
            "exit",
            "",
            &format!("{:?}", old.exit),
            &format!("{:?}", new.exit),
        ));
    }
    if old.stdout != new.stdout {
        let text = Text {
            call,
            part: "stdout",
            keys: prose_keys(line),
            prose: is_prose(line),
        };
        texts(text, &old.stdout, &new.stdout, found);
    }
    if old.complained != new.complained {
        let say = |complained| if complained { "a complaint" } else { NOTHING };
        found.push(plain(
            call,
            "stderr",
            "",
            say(old.complained),
            say(new.complained),
        ));
    } else if old.places != new.places {
        found.push(plain(
            call,
            "stderr",
            "places",
            &old.places.join(" "),
            &new.places.join(" "),
        ));
    }
}

/// One part of an answer, and how it is compared.
#[derive(Clone, Copy)]
struct Text<'a> {
    call: usize,
    part: &'a str,
    keys: &'a [&'a str],
    prose: bool,
}

fn texts(text: Text, old: &[u8], new: &[u8], found: &mut Vec<Difference>) {
    let before = found.len();
    match (json(old), json(new)) {
        (Some(old), Some(new)) => {
            for (old, new) in pairs(&old, &new) {
                match (old, new) {
                    (Some((left, was)), Some((right, is))) => {
                        let mut leaves = Vec::new();
                        values(was, is, &mut String::new(), &mut leaves);
                        found.extend(leaves.into_iter().map(|(at, was, is)| Difference {
                            wording: text.keys.iter().any(|key| fits(key, &at)),
                            within: [(*left).into(), (*right).into()],
                            ..plain(text.call, text.part, &at, &was, &is)
                        }));
                    }
                    (old, new) => {
                        let line = |side: Option<&(&str, Value)>| {
                            side.map_or_else(|| NOTHING.into(), |(line, _)| (*line).to_owned())
                        };
                        found.push(whole(text, "", &line(old), &line(new)));
                    }
                }
            }
        }
        _ => {
            let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
            let (old, new): (Vec<&str>, Vec<&str>) = (
                old.split_inclusive('\n').collect(),
                new.split_inclusive('\n').collect(),
            );
            // Equal lines may lie between the different ones.
            for (was, is) in pairs(&old, &new).into_iter().filter(|(was, is)| was != is) {
                let line = |side: Option<&&str>| {
                    side.map_or(NOTHING, |line| line.trim_end_matches('\n'))
                        .to_owned()
                };
                found.push(whole(text, "line", &line(was), &line(is)));
            }
        }
    }
    // Every value is equal, but the bytes are not: the keys have another order, or characters other escapes.
    if found.len() == before {
        found.push(plain(
            text.call,
            text.part,
            "bytes",
            "of the form they had",
            "of another form",
        ));
    }
}

fn whole(text: Text, at: &str, old: &str, new: &str) -> Difference {
    Difference {
        within: [old.into(), new.into()],
        wording: text.prose,
        ..plain(text.call, text.part, at, old, new)
    }
}

/// A text as lines of JSON, or as one value over several lines.
fn json(text: &[u8]) -> Option<Vec<(&str, Value)>> {
    let text = std::str::from_utf8(text).ok()?;
    if !text.trim_start().starts_with(['{', '[']) {
        return text.trim().is_empty().then(Vec::new);
    }
    let lines = text.lines().filter(|line| !line.is_empty());
    let lines: Option<Vec<_>> = lines
        .map(|line| Some((line, serde_json::from_str(line).ok()?)))
        .collect();
    lines.or_else(|| Some(vec![(text, serde_json::from_str(text).ok()?)]))
}

/// Two lists side by side, without what they share: items that were changed, removed or inserted.
fn pairs<'a, T: PartialEq>(old: &'a [T], new: &'a [T]) -> Vec<(Option<&'a T>, Option<&'a T>)> {
    let mut list = Vec::new();
    for (left, right) in hunks(old, new) {
        let length = left.len().max(right.len());
        list.extend(
            (0..length).map(|index| (old[left.clone()].get(index), new[right.clone()].get(index))),
        );
    }
    list
}

/// The largest table of common subsequences, in cells. Of longer texts everything between the first and the last
/// difference counts as changed.
const CELLS: usize = 4_000_000;

/// The stretches of two lists that are not in both.
fn hunks<T: PartialEq>(old: &[T], new: &[T]) -> Vec<(Range<usize>, Range<usize>)> {
    let front = old
        .iter()
        .zip(new)
        .take_while(|(old, new)| old == new)
        .count();
    let (left, right) = (&old[front..], &new[front..]);
    let back = left
        .iter()
        .rev()
        .zip(right.iter().rev())
        .take_while(|(old, new)| old == new)
        .count();
    let (left, right) = (&left[..left.len() - back], &right[..right.len() - back]);
    if left.is_empty() && right.is_empty() {
        return Vec::new();
    }
    if (left.len() + 1) * (right.len() + 1) > CELLS || left.len() == right.len() {
        return vec![(front..front + left.len(), front..front + right.len())];
    }
    // At each pair of positions, the length of the longest common subsequence of the two remainders.
    let width = right.len() + 1;
    let mut common = vec![0_u32; (left.len() + 1) * width];
    for row in (0..left.len()).rev() {
        for column in (0..right.len()).rev() {
            common[row * width + column] = if left[row] == right[column] {
                common[(row + 1) * width + column + 1] + 1
            } else {
                common[(row + 1) * width + column].max(common[row * width + column + 1])
            };
        }
    }
    let mut list: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let (mut row, mut column) = (0, 0);
    while row < left.len() || column < right.len() {
        let (mut end, mut stop) = (row, column);
        while end < left.len() || stop < right.len() {
            if end < left.len() && stop < right.len() && left[end] == right[stop] {
                break;
            }
            let down = end < left.len()
                && (stop == right.len()
                    || common[(end + 1) * width + stop] >= common[end * width + stop + 1]);
            if down { end += 1 } else { stop += 1 }
        }
        if end > row || stop > column {
            list.push((front + row..front + end, front + column..front + stop));
        }
        while end < left.len() && stop < right.len() && left[end] == right[stop] {
            (end, stop) = (end + 1, stop + 1);
        }
        (row, column) = (end, stop);
    }
    list
}

/// Appends where two values differ: pointer, old value, new value.
fn values(old: &Value, new: &Value, at: &mut String, found: &mut Vec<(String, String, String)>) {
    let length = at.len();
    match (old, new) {
        (Value::Object(left), Value::Object(right)) => {
            for (key, was) in left {
                at.push_str(&format!("/{key}"));
                match right.get(key) {
                    Some(is) => values(was, is, at, found),
                    None => found.push((at.clone(), was.to_string(), NOTHING.into())),
                }
                at.truncate(length);
            }
            for (key, is) in right.iter().filter(|(key, _)| !left.contains_key(*key)) {
                found.push((format!("{at}/{key}"), NOTHING.into(), is.to_string()));
            }
        }
        (Value::Array(left), Value::Array(right)) => {
            for (was, is) in hunks(left, right) {
                for index in 0..was.len().max(is.len()) {
                    at.push_str(&format!("/{}", was.start + index));
                    match (left[was.clone()].get(index), right[is.clone()].get(index)) {
                        (Some(was), Some(is)) => values(was, is, at, found),
                        (was, is) => {
                            let text = |side: Option<&Value>| {
                                side.map_or_else(|| NOTHING.into(), Value::to_string)
                            };
                            found.push((at.clone(), text(was), text(is)));
                        }
                    }
                    at.truncate(length);
                }
            }
        }
        (old, new) if old != new => found.push((at.clone(), old.to_string(), new.to_string())),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Exit;
    use std::collections::BTreeMap;

    fn answer(stdout: &str) -> Answer {
        let reply = Reply {
            exit: Exit::Code(0),
            stdout: stdout.as_bytes().to_vec(),
            complained: false,
            places: Vec::new(),
        };
        Answer {
            replies: vec![reply],
            files: BTreeMap::new(),
        }
    }

    fn found(call: &str, old: &str, new: &str) -> Vec<(String, String, String, bool)> {
        differences(&[call.into()], &answer(old), &answer(new))
            .into_iter()
            .map(|found| (found.at, found.old, found.new, found.wording))
            .collect()
    }

    fn one(at: &str, old: &str, new: &str, wording: bool) -> Vec<(String, String, String, bool)> {
        vec![(at.into(), old.into(), new.into(), wording)]
    }

    #[test]
    fn a_changed_value_is_named_by_a_pointer() {
        let (old, new) = (
            "{\"a\":1}\n{\"f\":[{\"code\":\"x\"}]}\n",
            "{\"a\":1}\n{\"f\":[{\"code\":\"y\"}]}\n",
        );
        assert_eq!(
            found("check --json a", old, new),
            one("/f/0/code", "\"x\"", "\"y\"", false)
        );
        assert!(found("check --json a", old, old).is_empty());
    }

    #[test]
    fn messages_count_as_wording_and_codes_do_not() {
        let (old, new) = (
            "{\"f\":[{\"message\":\"x\"}]}\n",
            "{\"f\":[{\"message\":\"y\"}]}\n",
        );
        assert_eq!(
            found("check --json a", old, new),
            one("/f/0/message", "\"x\"", "\"y\"", true)
        );
        let (old, new) = ("{\"text\":\"x\"}\n", "{\"text\":\"y\"}\n");
        assert!(found("explain --json", old, new)[0].3);
        assert!(!found("orders --json a", old, new)[0].3);
        assert!(found("check a", "clean\n", "all right\n")[0].3);
        assert!(!found("fmt a", "1. e4\n", "1. d4\n")[0].3);
    }

    #[test]
    fn a_removed_or_inserted_item_is_the_only_difference() {
        let (old, new) = ("{\"f\":[1,2,3]}\n", "{\"f\":[1,3]}\n");
        assert_eq!(
            found("check --json a", old, new),
            one("/f/1", "2", NOTHING, false)
        );
        assert_eq!(
            found("check --json a", new, old),
            one("/f/1", NOTHING, "2", false)
        );
        assert_eq!(
            found("check --json a", "{\"a\":1}", "{}"),
            one("/a", "1", NOTHING, false)
        );
        assert_eq!(
            found("fmt a", "a\nb\nc\nd\n", "a\nc\nd\n"),
            one("line", "b", NOTHING, false)
        );
        let found = found("fmt a", "a\nb\nc\nd\ne\n", "a\nx\nc\ne\n");
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn another_order_of_keys_is_a_difference() {
        let found = found(
            "check --json a",
            "{\"a\":1,\"b\":2}\n",
            "{\"b\":2,\"a\":1}\n",
        );
        assert_eq!(found[0].0, "bytes");
    }

    #[test]
    fn exit_codes_standard_error_and_files_are_compared() {
        let (mut old, mut new) = (answer("a"), answer("a"));
        new.replies[0].exit = Exit::Code(1);
        old.replies[0].places = vec!["a:1".into()];
        old.files.insert("x".into(), b"1".to_vec());
        new.files.insert("y".into(), b"1".to_vec());
        old.files.insert(
            "cup/log/1.json".into(),
            b"{\"what\":\"a\",\"n\":1}".to_vec(),
        );
        new.files.insert(
            "cup/log/1.json".into(),
            b"{\"what\":\"b\",\"n\":1}".to_vec(),
        );
        let found = differences(&["fmt a".into()], &old, &new);
        let parts: Vec<_> = found
            .iter()
            .map(|found| (&found.part[..], found.wording))
            .collect();
        let expected = [
            ("exit", false),
            ("stderr", false),
            ("file cup/log/1.json", true),
            ("file x", false),
            ("file y", false),
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn long_texts_differ_from_the_first_difference_to_the_last() {
        let old: Vec<usize> = (0..3000).collect();
        let new: Vec<usize> = (5000..8001).collect();
        assert_eq!(hunks(&old, &new), [(0..3000, 0..3001)]);
    }
}
