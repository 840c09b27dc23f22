//! The limits on the page of limits are those of the code, and what exceeds one is handled as the page says.

use crate::run::{overboard, printed};
use overboard_events::trf::Trf;
use std::{fs, path::Path};
use tempfile::NamedTempFile;

fn file_of(text: &str) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    file
}

/// A number as the page has it, such as `16 MiB` or `1,024`.
fn shown(text: &str) -> Option<u64> {
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    let shift = match unit {
        "" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        _ => return None,
    };
    Some(number.replace(',', "").parse::<u64>().ok()? << shift)
}

/// A number as the code has it, such as `16 << 20` or `1_024`.
fn written(text: &str) -> Option<u64> {
    let number = |text: &str| text.trim().replace('_', "").parse::<u64>().ok();
    let (base, shift) = text.split_once("<<").unwrap_or((text, "0"));
    Some(number(base)? << number(shift)?)
}

/// The value of a constant, or of a field that is set, in a source; `MOST.1` is the second of several.
fn value(source: &str, name: &str) -> Option<u64> {
    let (name, nth) = name.split_once('.').unwrap_or((name, ""));
    let value = source.lines().find_map(|line| {
        let line = line.trim();
        let line = line
            .strip_prefix("pub ")
            .or(line.strip_prefix("pub(super) "))
            .unwrap_or(line);
        let constant = line
            .strip_prefix("const ")
            .and_then(|line| line.strip_prefix(name))
            .filter(|rest| rest.starts_with(':'));
        let field = line
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix(": "))
            .and_then(|rest| rest.strip_suffix(','));
        constant
            .and_then(|rest| Some(rest.split_once(" = ")?.1.trim_end_matches(';')))
            .or(field.filter(|text| written(text).is_some()))
    })?;
    let mut values = value.trim_matches(['(', ')', '[', ']']).split(',');
    written(values.nth(nth.parse().unwrap_or(0))?)
}

#[test]
fn the_page_of_limits_has_those_of_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/limits.md")).unwrap();
    let (mut rows, mut wrong) = (0, Vec::new());
    for line in page
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains("`"))
    {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let place: Vec<_> = cells.last().unwrap().split('`').collect();
        let [_, path, _, name, _] = place[..] else {
            continue;
        };
        rows += 1;
        let source = fs::read_to_string(root.join(path)).unwrap();
        let (said, is) = (shown(cells[1]), value(&source, name));
        if said.is_none() || said != is {
            wrong.push(format!(
                "{path} {name}: the page says {said:?}, the code {is:?}"
            ));
        }
    }
    assert!(wrong.is_empty() && rows > 50, "{rows} rows: {wrong:#?}");
}

/// Tags that come after more remarks than are held stay what they are, and none of them is supplied twice.
#[test]
fn tags_after_long_remarks_are_kept() {
    let long = format!("{{{}}}\n", "x".repeat(700_000));
    let text =
        format!("[Event \"a\"]\n{long}[Site \"b\"]\n{long}[Round \"3\"]\n{{z}}\n\n1. e4 e5 *\n");
    let tags = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| line.starts_with('['))
            .map(str::to_owned)
            .collect()
    };
    let written =
        |text: &str| printed(&overboard(&["fmt", file_of(text).path().to_str().unwrap()]));
    let (once, exit) = written(&text);
    assert_eq!((exit, tags(&once)), (0, tags(&text)));
    assert!(
        once.ends_with("{z} 1. e4 e5 *\n\n"),
        "{}",
        &once[once.len() - 60..]
    );
    assert!(written(&once).0 == once);
}

/// A result after the last round that a report can have is not lost.
#[test]
fn a_report_of_too_many_rounds_is_refused() {
    let report = |rounds: usize| {
        let played = "    0 - Z ".repeat(rounds);
        Trf::read(
            "long.trf",
            format!("001    1      {:<76}{played}\n", "Ann").as_bytes(),
        )
    };
    assert_eq!(report(999).unwrap().players[0].rounds.len(), 999);
    let fault = report(1000).unwrap_err().to_string();
    assert!(
        fault.contains(":1:10082: ") && fault.ends_with("expected at most 999 rounds, found more"),
        "{fault}"
    );
}
