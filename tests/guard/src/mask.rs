//! Masks what may differ from run to run, before anything is compared.
//!
//! Only two things may: the times in an event's log, such as `2026-11-22T07:59:36Z`, and the contents of an event's
//! `.lock`, which is the number of a process; whether that file exists is compared. Everything else that the programs
//! print follows from their input: folders have the same names, random numbers are seeded, and no call depends on a
//! clock.

const FORM: &[u8] = b"dddd-dd-ddTdd:dd:dd";
const MASK: &[u8] = b"<time>";

/// The text with every time in the form of the log replaced by `<time>`.
pub fn masked(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        match time(rest) {
            Some(length) => {
                out.extend_from_slice(MASK);
                at += length;
            }
            None => {
                out.push(rest[0]);
                at += 1;
            }
        }
    }
    out
}

/// A file of the folder, in the form in which it is compared.
pub fn masked_file(name: &str, bytes: &[u8]) -> Vec<u8> {
    if name == ".lock" || name.ends_with("/.lock") {
        return Vec::new();
    }
    match manifest_apart(name, bytes) {
        Some(apart) => masked(&apart),
        None => masked(bytes),
    }
}

/// If the first game of a ledger holds the manifest, the ledger with the manifest in a row of its own, as in ledgers of
/// form 1. So the games of both forms can be compared one by one.
fn manifest_apart(name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    if !name.ends_with(".jsonl") {
        return None;
    }
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let mut game: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(&bytes[..end]).ok()?;
    if !game.contains_key("manifest") || !game.contains_key("game") {
        return None;
    }
    let mut head = serde_json::Map::new();
    head.insert("run".into(), game.get("run")?.clone());
    for key in ["ledger", "shard", "manifest"] {
        head.extend(game.remove(key).map(|value| (key.into(), value)));
    }
    let mut apart = serde_json::to_vec(&head).ok()?;
    apart.push(b'\n');
    apart.extend(serde_json::to_vec(&game).ok()?);
    apart.extend_from_slice(&bytes[end..]);
    Some(apart)
}

/// The length of the time at the beginning of the text, such as `2026-11-22T07:59:36Z`, with or without decimals.
fn time(text: &[u8]) -> Option<usize> {
    let fits = |(sign, form): (&u8, &u8)| {
        if *form == b'd' {
            sign.is_ascii_digit()
        } else {
            sign == form
        }
    };
    if text.len() <= FORM.len() || !text.iter().zip(FORM).all(fits) {
        return None;
    }
    let mut end = FORM.len();
    if text.get(end) == Some(&b'.') {
        end += 1 + text[end + 1..]
            .iter()
            .take_while(|sign| sign.is_ascii_digit())
            .count();
    }
    (text.get(end) == Some(&b'Z')).then_some(end + 1)
}

/// The places named on standard error, such as `cup.trf:7:92`. They are compared; the words of messages are not.
pub fn places(stderr: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(stderr);
    let bare = |word: &str| {
        word.trim_matches(|sign| ":,;.()'`\"".contains(sign))
            .to_owned()
    };
    let is_place = |word: &String| {
        let mut parts = word.split(':');
        let file = parts.next().unwrap_or_default();
        let numbers: Vec<&str> = parts.collect();
        let number =
            |part: &&str| !part.is_empty() && part.bytes().all(|sign| sign.is_ascii_digit());
        file.contains(['.', '-']) && (1..=2).contains(&numbers.len()) && numbers.iter().all(number)
    };
    text.split_whitespace().map(bare).filter(is_place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_masked_and_nothing_else() {
        let text =
            b"   1  2026-11-22T07:59:36Z  new\n{\"time\":\"2026-11-22T07:59:36.25Z\"} 2026-11-22 07:59:36";
        let expected = b"   1  <time>  new\n{\"time\":\"<time>\"} 2026-11-22 07:59:36";
        assert_eq!(masked(text), expected);
        assert_eq!(masked(b"2026-11-22T07:59:36"), b"2026-11-22T07:59:36");
        assert_eq!(masked(b""), b"");
        assert_eq!(masked_file("cup/.lock", b"4711"), b"");
        assert_eq!(masked_file("cup/a.lock", b"4711"), b"4711");
        let ledger = br#"{"run":"a","game":0,"ledger":2,"manifest":{}}
{"run":"a","game":1}"#;
        let apart = br#"{"ledger":2,"manifest":{},"run":"a"}
{"game":0,"run":"a"}
{"run":"a","game":1}"#;
        let sorted = |text: &[u8]| -> Vec<serde_json::Value> {
            text.split(|byte| *byte == b'\n')
                .map(|line| serde_json::from_slice(line).unwrap())
                .collect()
        };
        assert_eq!(sorted(&masked_file("a.jsonl", ledger)), sorted(apart));
    }

    #[test]
    fn places_are_found_in_messages() {
        let text = b"error: a.trf:7:92: round 1: no player has 9\n  --> b.pgn:22:42\nwarning: at 5:7 of `rounds/01.csv:4`, ratio 3:2";
        assert_eq!(
            places(text),
            ["a.trf:7:92", "b.pgn:22:42", "rounds/01.csv:4"]
        );
        assert!(places(b"error: nothing to say").is_empty());
    }
}
