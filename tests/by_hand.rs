//! Records with at most one fault that an arbiter wrote by hand, from the pages of rules, before any program read them:
//! what is found is what was expected, at the word where the fault is.

use crate::text::judge;
use overboard_referee::finding::Severity;
use std::{collections::BTreeMap, fs, path::Path};

#[test]
fn faults_made_by_hand_are_found_and_right_records_are_clean() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/reasons/by_hand.tsv");
    let mut wrong = Vec::new();
    let mut faulty: BTreeMap<String, u32> = BTreeMap::new();
    let table = fs::read_to_string(path).unwrap();
    for (line, row) in table
        .lines()
        .enumerate()
        .filter(|(_, row)| !row.starts_with('#'))
    {
        let [game, tags, moves, kind, rule, word] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("line {} has not six columns", line + 1)
        };
        let tags = tags.replace("] [", "]\n[");
        let text = format!("[Variant \"{game}\"]\n{tags}\n\n{moves}\n");
        let report = judge(text.as_bytes()).remove(0);
        let weighty = report
            .findings
            .iter()
            .filter(|finding| finding.severity > Severity::Note);
        let found: Vec<_> = weighty
            .map(|finding| {
                let rule = finding.rule.map_or("-", |rule| rule.id);
                (finding.code.id, rule, finding.text.as_it_came())
            })
            .collect();
        let expected = if kind == "-" {
            Vec::new()
        } else {
            *faulty.entry(game.into()).or_default() += 1;
            vec![(kind, rule, word)]
        };
        if found != expected {
            wrong.push(format!("line {}: {row}\n  found {found:?}", line + 1));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(faulty.values().sum::<u32>() >= 300, "{faulty:?}");
}
