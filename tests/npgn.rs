//! The standard in `docs/npgn/`: its suite is well formed and this program passes it, and its text has what the code has.

use crate::{
    depth::tries,
    rules::{first_sentence, is_bpgn, stands},
};
use overboard_formats::command::COMMANDS;
use overboard_games::{
    laws::{self, PAGES},
    registry::Variant,
};
use overboard_referee::finding::{Code, GROUPS};
use overboard_rules::rule::Binding;
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn standard(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs/npgn")
        .join(name)
}

/// The files with records in the folders of the suite.
fn records() -> Vec<PathBuf> {
    let folders = ["reading", "notation", "foreign"];
    let entries = folders
        .iter()
        .flat_map(|folder| fs::read_dir(standard("suite").join(folder)).unwrap());
    let mut paths: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end != "json"))
        .collect();
    paths.sort();
    paths
}

/// The expectations beside a file.
fn expected(path: &Path) -> Value {
    let text = fs::read_to_string(path.with_extension("json"));
    serde_json::from_str(&text.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
        .unwrap()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// What is wrong with a finding that a file is expected to have.
fn fault_of(finding: &Value) -> Option<&'static str> {
    let known = finding["code"].as_str().and_then(Code::find);
    let rule = finding["rule"].as_str();
    match known {
        None => Some("its code is unknown"),
        Some(_) if rule.is_some_and(|id| laws::find(id).is_none()) => Some("its rule is unknown"),
        Some(_) if !finding["line"].is_u64() || !finding["col"].is_u64() => Some("it has no place"),
        Some(_) => None,
    }
}

#[test]
fn the_suite_is_well_formed() {
    let mut wrong = Vec::new();
    let paths = records();
    for path in &paths {
        let expected = expected(path);
        let parts = ["records", "games", "written"];
        if !parts.iter().any(|part| !expected[part].is_null()) {
            wrong.push(format!("{}: nothing is expected", path.display()));
        }
        for game in list(&expected, "games") {
            for finding in list(game, "findings") {
                if let Some(fault) = fault_of(finding) {
                    wrong.push(format!("{}: {finding}: {fault}", path.display()));
                }
            }
        }
    }
    assert!(paths.len() > 80, "{} files", paths.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_expectation_has_its_file() {
    let named: BTreeSet<_> = records()
        .iter()
        .map(|path| path.with_extension("json"))
        .collect();
    for folder in ["reading", "notation", "foreign"] {
        for entry in fs::read_dir(standard("suite").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let is_expectation = path.extension().is_some_and(|end| end == "json");
            assert!(
                !is_expectation || named.contains(&path),
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn the_suite_has_the_examples_of_all_rules() {
    let mut lines: Vec<_> = laws::all()
        .flat_map(|rule| rule.examples.iter().map(move |example| (rule, example)))
        .map(|(rule, example)| {
            let mut line = json!({
                "name": example.name,
                "rule": rule.id,
                "keeps": example.keeps(),
                "record": example.text,
            });
            if is_bpgn(example) {
                line["canonical"] = false.into();
            }
            (example.name, format!("{line}\n"))
        })
        .collect();
    lines.sort();
    let text: String = lines.into_iter().map(|(_, line)| line).collect();
    stands("npgn/suite/rules.jsonl", &text);
}

/// The command of this program that prints in a form of the suite.
fn through(mode: &str) -> String {
    let program = env!("CARGO_BIN_EXE_overboard");
    let adapter = standard("suite/adapters/overboard");
    format!("python3 -S '{}' {mode} '{program}'", adapter.display())
}

/// The command of the second reader.
fn second_reader() -> String {
    format!(
        "python3 -BS '{}'",
        standard("reader/npgn_reader.py").display()
    )
}

/// The program as the suite runs it, and what it prints.
fn run_suite(failures_only: &str) -> std::process::Output {
    let program = env!("CARGO_BIN_EXE_overboard");
    Command::new("python3")
        .arg(standard("suite/run"))
        .args(["--read", &through("read")])
        .args(["--judge", &through("judge")])
        .args(["--write", &format!("'{program}' fmt")])
        .arg(failures_only)
        .env("OVERBOARD_CONFIG", "")
        .output()
        .expect("python3 is needed to run docs/npgn/suite/run, and it cannot be started")
}

#[test]
fn this_program_passes_the_suite() {
    let output = run_suite("--failures");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{printed}{said}");
}

/// The most lines that the second reader may have: it shows that one is soon written.
const LINES_OF_READER: usize = 1500;

#[test]
fn the_second_reader_passes_the_readings_of_the_suite() {
    let output = Command::new("python3")
        .arg(standard("suite/run"))
        .args(["--read", &second_reader()])
        .arg("--failures")
        .output()
        .expect("python3 is needed to run docs/npgn/suite/run, and it cannot be started");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{printed}{said}");
}

#[test]
fn two_readers_agree_on_files_that_were_changed() {
    let keep = tempfile::tempdir().unwrap();
    let output = Command::new("python3")
        .arg(standard("suite/compare"))
        .args([second_reader(), through("read")])
        .args(["--count", &tries(60).to_string()])
        .arg("--keep")
        .arg(keep.path())
        .env("OVERBOARD_CONFIG", "")
        .output()
        .expect("python3 is needed to run docs/npgn/suite/compare, and it cannot be started");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{printed}{said}");
}

#[test]
fn the_second_reader_is_short() {
    let mut lines = 0;
    for entry in fs::read_dir(standard("reader")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "py") {
            lines += fs::read_to_string(path).unwrap().lines().count();
        }
    }
    assert!((1..LINES_OF_READER).contains(&lines), "{lines} lines");
}

#[test]
fn the_page_of_codes_says_what_the_code_says() {
    let mut page = String::from(
        "# Codes and rules of NPGN 1.0\n\nEvery kind of finding, with its severity and the verdict on a game in which it is an \
         error; then every rule by its id. A judge names both. Neither is ever renamed or used again. The texts of the rules, \
         with their sources, are in the [pages of the rules](../rules/common.md); examples of findings are on the page \
         [findings](../findings.md).\n",
    );
    for (group, codes) in GROUPS {
        write!(
            page,
            "\n## {group}\n\n| code | severity | verdict | meaning |\n|---|---|---|---|\n"
        )
        .unwrap();
        for code in *codes {
            writeln!(
                page,
                "| `{}` | {} | `{}` | {} |",
                code.id,
                code.severity,
                code.verdict,
                first_sentence(code.text)
            )
            .unwrap();
        }
    }
    for rules in PAGES.iter() {
        write!(
            page,
            "\n## Rules: {}\n\n| id | kind | rule |\n|---|---|---|\n",
            rules.title
        )
        .unwrap();
        for rule in rules.rules {
            let option = match rule.standing {
                Binding::InForce => "",
                Binding::Option => ", option",
            };
            writeln!(
                page,
                "| [`{0}`](../rules/{1}.md#{0}) | {2}{option} | {3} |",
                rule.id, rules.name, rule.kind, rule.gist
            )
            .unwrap();
        }
    }
    stands("npgn/codes.md", &page);
}

/// The blocks of grammar in the specification.
fn grammar(text: &str) -> String {
    text.split("```ebnf\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect()
}

/// The left sides of the rules of a grammar.
fn defined(grammar: &str) -> BTreeSet<&str> {
    let sides = grammar
        .lines()
        .filter(|line| line.contains('=') && !line.starts_with(' '))
        .flat_map(|line| line.split('=').filter(|side| !side.contains('"')));
    sides.map(str::trim).collect()
}

#[test]
fn the_specification_has_every_command() {
    let text = fs::read_to_string(standard("specification.md")).unwrap();
    let (_, commands) = text.split_once("## 10 Commands").unwrap();
    let (commands, _) = commands.split_once("## 11").unwrap();
    let grammar = grammar(commands);
    let defined = defined(&grammar);
    for command in COMMANDS {
        let name = std::str::from_utf8(command).unwrap();
        assert!(defined.contains(name), "{name} is not in the grammar");
    }
}

#[test]
fn the_specification_has_every_name_of_a_variant() {
    let text = fs::read_to_string(standard("specification.md")).unwrap();
    let lower = text.to_lowercase();
    for game in Variant::ALL {
        for spelling in game.info().spellings {
            let quoted = format!("`{}`", spelling.text);
            assert!(lower.contains(&quoted), "{quoted} is not in section 6");
        }
    }
}

#[test]
fn the_specification_has_every_code_that_it_names() {
    let text = fs::read_to_string(standard("specification.md")).unwrap();
    let (_, errors) = text.split_once("## 16 Errors").unwrap();
    let (table, _) = errors.split_once("**Broken tags**").unwrap();
    let first_cells = table.lines().filter_map(|line| line.strip_prefix("| `"));
    let mut count = 0;
    for cell in first_cells.filter_map(|line| line.split(" | ").next()) {
        for code in cell.split(['`', ',', ' ']).filter(|code| !code.is_empty()) {
            assert!(Code::find(code).is_some(), "{code} is no code");
            count += 1;
        }
    }
    assert!(count > 15, "{count} codes");
}
