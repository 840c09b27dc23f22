//! The results of a run: the summary, and a folder for each case with unexpected differences.

use crate::{
    case::{Answer, Case, Step, quoted},
    compare::Difference,
    intended::Intended,
};
use std::{
    collections::BTreeMap,
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};

/// The result of a case.
pub enum Outcome {
    Same,
    /// The answers differ.
    Differ(Vec<Difference>),
    /// A call took too long with one of the programs or with both, and nothing was compared.
    TimedOut(&'static str),
}

/// Counts over all cases.
#[derive(Default)]
pub struct Report {
    pub cases: usize,
    pub calls: usize,
    same: usize,
    wording_only: usize,
    wording: BTreeMap<String, usize>,
    intended_only: usize,
    intended: Vec<usize>,
    pub unexpected: usize,
    kinds: BTreeMap<String, usize>,
    shown: Vec<String>,
    pub timed_out: Vec<String>,
    pub crashed: Vec<String>,
}

/// The maximum length of an excerpt of a value, in characters.
const EXCERPT: usize = 160;

/// The beginning of a text, of at most this many characters.
fn cut(text: &str, length: usize) -> String {
    let mut cut: String = text.chars().take(length).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}

/// Excerpts of two values, from shortly before their first difference.
fn excerpts(old: &str, new: &str) -> [String; 2] {
    let shared = old
        .chars()
        .zip(new.chars())
        .take_while(|(old, new)| old == new)
        .count();
    let from = shared.saturating_sub(40);
    [old, new].map(|text| {
        let mut cut: String = text
            .chars()
            .skip(from)
            .take(EXCERPT)
            .flat_map(char::escape_debug)
            .collect();
        if from > 0 {
            cut.insert(0, '…');
        }
        if text.chars().count() > from + EXCERPT {
            cut.push('…');
        }
        cut
    })
}

/// A pointer with `*` for its numbers, so that differences can be counted by kind.
fn kind(call: &str, difference: &Difference) -> String {
    let command: Vec<&str> = call
        .split(' ')
        .take_while(|word| !word.contains(['/', '.']))
        .take(2)
        .collect();
    let number = |part: &&str| !part.is_empty() && part.bytes().all(|sign| sign.is_ascii_digit());
    let at: Vec<&str> = difference
        .at
        .split('/')
        .map(|part| if number(&part) { "*" } else { part })
        .collect();
    let at = at.join("/");
    match difference.part.strip_prefix("file ") {
        Some(name) => format!(
            "file {} {at}",
            name.split('/').next_back().unwrap_or_default()
        ),
        None => format!("{}: {} {at}", command.join(" "), difference.part),
    }
    .trim_end()
    .to_owned()
}

impl Report {
    /// An empty report, with a count for each entry of the list.
    pub fn new(intended: &Intended) -> Self {
        Self {
            intended: vec![0; intended.entries.len()],
            ..Self::default()
        }
    }

    /// Counts a case. Returns the unintended differences.
    pub fn add(&mut self, case: &Case, outcome: Outcome, intended: &Intended) -> Vec<Difference> {
        self.cases += 1;
        self.calls += case.size();
        let found = match outcome {
            Outcome::Same => {
                self.same += 1;
                return Vec::new();
            }
            Outcome::TimedOut(which) => {
                self.timed_out.push(format!("({which}) {}", case.title()));
                return Vec::new();
            }
            Outcome::Differ(found) => found,
        };
        let calls: Vec<String> = case.calls().collect();
        let call = |difference: &Difference| calls.get(difference.call).map_or("", String::as_str);
        let (mut covered, mut unexpected) = (false, Vec::new());
        for difference in found {
            if let Some(index) = intended.covers(&case.title(), call(&difference), &difference) {
                self.intended[index] += 1;
                covered = true;
            } else if difference.wording {
                *self
                    .wording
                    .entry(kind(call(&difference), &difference))
                    .or_default() += 1;
            } else {
                *self
                    .kinds
                    .entry(kind(call(&difference), &difference))
                    .or_default() += 1;
                unexpected.push(difference);
            }
        }
        match (unexpected.is_empty(), covered) {
            (false, _) => self.unexpected += 1,
            (true, true) => self.intended_only += 1,
            (true, false) => self.wording_only += 1,
        }
        unexpected
    }

    /// Describes a case with unintended differences.
    pub fn show(&mut self, case: &Case, unexpected: &[Difference], folder: Option<&Path>) {
        let calls: Vec<String> = case.calls().collect();
        let mut text = String::new();
        if !case.name.is_empty() {
            let _ = writeln!(text, "  [{}]", case.name);
        }
        let mut last = None;
        for difference in unexpected.iter().take(3) {
            let call = calls.get(difference.call).map_or("", String::as_str);
            let [old, new] = excerpts(&difference.old, &difference.new);
            if last.replace(difference.call) != Some(difference.call) {
                let _ = writeln!(text, "  overboard {}", cut(call, 300));
            }
            // One call may have many files: the line shows which of them it is about.
            let within = difference.within.iter().find(|line| line.starts_with('{'));
            let within = within.map_or_else(String::new, |line| format!("  in {}", cut(line, 100)));
            let _ = writeln!(
                text,
                "    {} {}{within}\n    - {old}\n    + {new}",
                difference.part, difference.at
            );
        }
        if unexpected.len() > 3 {
            let _ = writeln!(text, "    and {} more differences", unexpected.len() - 3);
        }
        if let Some(folder) = folder {
            let _ = writeln!(text, "    {}", folder.join("again.sh").display());
        }
        self.shown.push(text);
    }

    /// The number of cases described.
    pub fn described(&self) -> usize {
        self.shown.len()
    }

    /// The whole report. Entries that cover nothing are only listed if all cases were run.
    pub fn text(&self, intended: &Intended, all: bool) -> String {
        let mut text = String::new();
        let mut line = |words: String| {
            text.push_str(&words);
            text.push('\n');
        };
        for (index, shown) in self.shown.iter().enumerate() {
            line(format!("difference {}:\n{shown}", index + 1));
        }
        if self.unexpected > self.shown.len() {
            line(format!(
                "{} more cases differ\n",
                self.unexpected - self.shown.len()
            ));
        }
        if !self.kinds.is_empty() {
            line("unexpected differences by kind:".into());
            self.kinds
                .iter()
                .for_each(|(kind, count)| line(format!("  {count:6}  {kind}")));
        }
        if !self.wording.is_empty() {
            line(format!(
                "wording differs: {}",
                self.wording.values().sum::<usize>()
            ));
            self.wording
                .iter()
                .for_each(|(kind, count)| line(format!("  {count:6}  {kind}")));
        }
        if self.intended.iter().any(|count| *count > 0) {
            line("intended differences:".into());
        }
        for (entry, count) in intended
            .entries
            .iter()
            .zip(&self.intended)
            .filter(|(_, count)| **count > 0)
        {
            line(format!("  {count:6}  {}", entry.reason));
        }
        for (index, (entry, _)) in intended
            .entries
            .iter()
            .zip(&self.intended)
            .enumerate()
            .filter(|(_, (_, count))| all && **count == 0)
        {
            line(format!(
                "stale: entry {} of intended.toml no longer covers anything: {}",
                index + 1,
                entry.reason
            ));
        }
        for title in &self.timed_out {
            line(format!("took too long and was not compared: {title}"));
        }
        for title in &self.crashed {
            line(format!("the new program crashed: {title}"));
        }
        line(format!(
            "{} cases of {} calls: {} the same, {} with different wording only, {} with intended differences only, {} unexpected, \
             {} not compared",
            self.cases,
            self.calls,
            self.same,
            self.wording_only,
            self.intended_only,
            self.unexpected,
            self.timed_out.len()
        ));
        text
    }
}

/// Writes a folder for a case with differences, so that it can be inspected and repeated: `again.sh` makes the calls
/// with the program that `OVERBOARD` names, `N.old` and `N.new` are the output of call N, `old/` and `new/` the folders
/// of a script.
pub fn keep(
    folder: &Path,
    case: &Case,
    inputs: &Path,
    answers: [&Answer; 2],
    kept: [Option<PathBuf>; 2],
) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut lines = format!("#!/bin/sh\n# {}\n", case.title().replace('\n', " "));
    if case.in_folder {
        let _ = writeln!(
            lines,
            "# Files stand in old/ and new/ as they were after all calls.\ncd \"$(mktemp -d)\""
        );
    } else {
        let _ = writeln!(lines, "cd {}", quoted(&inputs.display().to_string()));
    }
    let mut number = 0;
    for step in &case.steps {
        let line = match step {
            Step::Call { args, stdin, save } => {
                number += 1;
                let mut line = format!(
                    "\"${{OVERBOARD:-overboard}}\" {}",
                    args.iter()
                        .map(|word| quoted(word))
                        .collect::<Vec<_>>()
                        .join(" ")
                );
                if let Some(file) = stdin {
                    let _ = write!(line, " < {}", quoted(file));
                }
                if let Some(file) = save {
                    let _ = write!(line, " > {}", quoted(file));
                }
                format!("{line} # {number}")
            }
            Step::Take { from, to } => format!(
                "mkdir -p \"$(dirname {to})\"; cp {} {to}",
                quoted(&inputs.join(from).display().to_string()),
                to = quoted(to)
            ),
            Step::Write { file, text } => format!(
                "mkdir -p \"$(dirname {file})\"; printf %s {} > {file}",
                quoted(text),
                file = quoted(file)
            ),
            Step::Append { file, text } => {
                format!("printf %s {} >> {}", quoted(text), quoted(file))
            }
            Step::Edit { from, to, edit } => format!("# the guard makes {to} of {from}: {edit:?}"),
        };
        lines.push_str(&line);
        lines.push('\n');
    }
    fs::write(folder.join("again.sh"), lines)?;
    let [old, new] = answers;
    for (index, (old, new)) in old.replies.iter().zip(&new.replies).enumerate() {
        if old != new {
            fs::write(folder.join(format!("{}.old", index + 1)), &old.stdout)?;
            fs::write(folder.join(format!("{}.new", index + 1)), &new.stdout)?;
        }
    }
    for (kept, name) in kept.into_iter().zip(["old", "new"]) {
        if let Some(kept) = kept {
            fs::rename(kept, folder.join(name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(part: &str, at: &str, wording: bool) -> Difference {
        Difference {
            call: 0,
            part: part.into(),
            at: at.into(),
            old: "1".into(),
            new: "2".into(),
            within: [String::new(), String::new()],
            wording,
        }
    }

    fn list() -> Intended {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("list.toml");
        let entry = |reason: &str, at: &str| {
            format!("[[intended]]\nreason = \"{reason}\"\nat = [\"{at}\"]\n")
        };
        fs::write(
            &file,
            entry("mended", "/verdict") + &entry("gone", "/nowhere"),
        )
        .unwrap();
        Intended::read(&file).unwrap()
    }

    #[test]
    fn every_case_is_counted_once() {
        let list = list();
        let mut report = Report::new(&list);
        let case = Case::call(["check", "--json", "a.npgn"]);
        let mut add =
            |found: Vec<Difference>| report.add(&case, Outcome::Differ(found), &list).len();
        assert_eq!(add(vec![difference("stdout", "/verdict", false)]), 0);
        assert_eq!(
            add(vec![
                difference("stdout", "/verdict", false),
                difference("stdout", "/plies", false)
            ]),
            1
        );
        assert_eq!(
            add(vec![difference("stdout", "/findings/3/message", true)]),
            0
        );
        report.add(&case, Outcome::Same, &list);
        report.add(&case, Outcome::TimedOut("both"), &list);
        let text = report.text(&list, true);
        assert!(text.contains("5 cases of 5 calls: 1 the same, 1 with different wording only, 1 with intended differences only, 1 unexpected, 1 not compared"), "{text}");
        assert!(
            text.contains("wording differs: 1\n       1  check --json: stdout /findings/*/message"),
            "{text}"
        );
        assert!(
            text.contains("       2  mended") && text.contains("stale: entry 2"),
            "{text}"
        );
        assert!(
            text.contains("       1  check --json: stdout /plies"),
            "{text}"
        );
        assert!(!report.text(&list, false).contains("stale"));
    }

    #[test]
    fn an_excerpt_begins_near_the_difference() {
        let same = "x".repeat(100);
        let [old, new] = excerpts(&format!("{same}a\n"), &format!("{same}b"));
        assert_eq!(old, format!("…{}a\\n", "x".repeat(40)));
        assert!(new.ends_with('b'));
    }
}
