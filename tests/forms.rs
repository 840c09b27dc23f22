//! What `check` writes for other programs, as SARIF and as JUnit XML, is in the form that they read, and says what
//! `check --json` says.

use crate::run::{overboard, printed, tool};
use roxmltree::{Document, Node};
use serde_json::{Deserializer, Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// Files with findings of all severities, one after the other, and one that is not there.
const FILES: [&str; 4] = [
    "examples/history.pgn",
    "examples/faults.pgn",
    "examples/overchess.npgn",
    "missing.pgn",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// What `check` prints about files of the project.
fn check(options: &[&str], files: &[&str]) -> (String, i32) {
    let mut tool = tool();
    tool.current_dir(root())
        .arg("check")
        .args(options)
        .args(files);
    printed(&tool.output().unwrap())
}

/// The objects that `check --json` prints, and the summary.
fn judged(files: &[&str]) -> (Vec<Value>, Value) {
    let (text, _) = check(&["--json"], files);
    let objects: Result<Vec<Value>, _> = Deserializer::from_str(&text).into_iter().collect();
    let mut objects = objects.unwrap();
    let summary = objects.pop().unwrap()["summary"].take();
    (objects, summary)
}

/// What SARIF 2.1.0 requires of the parts that are written here (sections 3.13 to 3.30 of the standard), which permits
/// no other properties.
fn sarif_schema() -> Value {
    let object = |required: &[&str], properties: Value| {
        json!({
            "type": "object", "required": required, "properties": properties, "additionalProperties": false
        })
    };
    let text = || {
        object(
            &["text"],
            json!({"text": {"type": "string", "minLength": 1}}),
        )
    };
    let help = json!({"text": {"type": "string"}, "markdown": {"type": "string"}});
    let level = || json!({"enum": ["none", "note", "warning", "error"]});
    let positive = || json!({"type": "integer", "minimum": 1});
    let rule = object(
        &["id"],
        json!({
            "id": {"type": "string"},
            "fullDescription": text(),
            "help": object(&["text"], help),
            "defaultConfiguration": object(&[], json!({"level": level()}))
        }),
    );
    let driver = object(
        &["name"],
        json!({
            "name": {"type": "string"},
            "version": {"type": "string"},
            "rules": {"type": "array", "items": rule, "uniqueItems": true}
        }),
    );
    let region =
        json!({"startLine": positive(), "startColumn": positive(), "endColumn": positive()});
    let uri = json!({"uri": {"type": "string", "pattern": "^[A-Za-z0-9._~/:%-]+$"}});
    let physical = json!({"artifactLocation": object(&[], uri), "region": object(&[], region)});
    let location = object(
        &[],
        json!({
            "physicalLocation": object(&["artifactLocation"], physical),
            "logicalLocations": {
                "type": "array", "items": object(&[], json!({"name": {"type": "string"}})), "uniqueItems": true
            },
            "message": text()
        }),
    );
    let result = object(
        &["message"],
        json!({
            "ruleId": {"type": "string"},
            "ruleIndex": {"type": "integer", "minimum": 0},
            "level": level(),
            "message": text(),
            "locations": {"type": "array", "items": location},
            "relatedLocations": {"type": "array", "items": location, "uniqueItems": true},
            "properties": {"type": "object"}
        }),
    );
    let invocation = object(
        &["executionSuccessful"],
        json!({"executionSuccessful": {"type": "boolean"}, "exitCode": {"type": "integer"}}),
    );
    let run = object(
        &["tool"],
        json!({
            "tool": object(&["driver"], json!({"driver": driver})),
            "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            "results": {"type": "array", "items": result},
            "invocations": {"type": "array", "items": invocation},
            "properties": {"type": "object"}
        }),
    );
    object(
        &["version", "runs"],
        json!({
            "$schema": {"type": "string"},
            "version": {"const": "2.1.0"},
            "runs": {"type": "array", "items": run}
        }),
    )
}

/// The log is valid; also by the published schema, if the environment names its file.
fn is_valid_sarif(log: &Value) {
    let mut schemas = vec![sarif_schema()];
    if let Some(path) = env::var_os("OVERBOARD_SARIF_SCHEMA") {
        schemas.push(serde_json::from_slice(&fs::read(path).unwrap()).unwrap());
    }
    for schema in schemas {
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<_> = validator
            .iter_errors(log)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
}

#[test]
fn sarif_says_what_json_says() {
    let (text, exit) = check(&["--notes", "--sarif", "-"], &FILES);
    let log: Value = serde_json::from_str(&text).unwrap();
    is_valid_sarif(&log);
    let run = &log["runs"][0];
    let (games, summary) = judged(&FILES);
    let place = |line: u64, column: u64, file: &Value, at: &Value| {
        (line > 0).then(|| (file.clone(), line, column.max(1), at.clone()))
    };
    let mut expected = Vec::new();
    for game in &games {
        for finding in game["findings"].as_array().unwrap() {
            let number = |key: &str| finding[key].as_u64().unwrap();
            expected.push((
                [&finding["code"], &finding["severity"], &finding["message"]].map(Value::clone),
                place(number("line"), number("col"), &game["file"], &finding["at"]),
                [&game["game"], &game["verdict"], &finding["rule"]].map(Value::clone),
            ));
        }
    }
    let results = run["results"].as_array().unwrap();
    let found: Vec<_> = results
        .iter()
        .map(|result| {
            let physical = &result["locations"][0]["physicalLocation"];
            let region = |key: &str| physical["region"][key].as_u64().unwrap_or_default();
            let (file, own) = (&physical["artifactLocation"]["uri"], &result["properties"]);
            (
                [
                    &result["ruleId"],
                    &result["level"],
                    &result["message"]["text"],
                ]
                .map(Value::clone),
                place(region("startLine"), region("startColumn"), file, &own["at"]),
                [&own["game"], &own["verdict"], &own["rule"]].map(Value::clone),
            )
        })
        .collect();
    assert!(found.len() > 15 && found == expected, "{found:#?}");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    let [invocation] = &run["invocations"].as_array().unwrap()[..] else {
        panic!("{run}")
    };
    assert_eq!(invocation["exitCode"], exit);
    assert_eq!(run["properties"]["summary"]["games"], summary["games"]);
    // Nothing found is a list without results.
    let (text, _) = check(&["--sarif", "-"], &FILES[..1]);
    let log: Value = serde_json::from_str(&text).unwrap();
    is_valid_sarif(&log);
    assert_eq!(log["runs"][0]["results"], json!([]));
}

/// Every place in the documentation that is named is there.
#[test]
fn links_lead_to_the_documentation() {
    let (sarif, _) = check(&["--notes", "--sarif", "-"], &FILES);
    let (junit, _) = check(&["--notes", "--junit", "-"], &FILES);
    let mut pages = BTreeMap::new();
    let mut links = BTreeSet::new();
    for text in [&sarif, &junit] {
        for rest in text.split("docs/").skip(1) {
            let link = rest.split([')', ',', '"', ' ']).next().unwrap();
            links.insert(link.to_owned());
        }
    }
    for link in &links {
        let (page, anchor) = link.split_once('#').unwrap();
        let page = pages
            .entry(page.to_owned())
            .or_insert_with_key(|page| fs::read_to_string(root().join("docs").join(page)).unwrap());
        assert!(page.contains(&format!("<a id=\"{anchor}\"></a>")), "{link}");
    }
    assert!(links.contains("rules/chess.md#CH-15"), "{links:?}");
    assert!(links.contains("findings.md#no-file"), "{links:?}");
}

fn elements<'a>(node: Node<'a, 'a>) -> Vec<Node<'a, 'a>> {
    node.children().filter(Node::is_element).collect()
}

fn number(node: Node<'_, '_>, name: &str) -> usize {
    node.attribute(name).unwrap().parse().unwrap()
}

/// The form that Ant began and Jenkins reads: `testsuites` of `testsuite` of `testcase`, and in that at most one `failure` or
/// `error`, then at most one `system-out`.
#[test]
fn junit_says_what_json_says() {
    let (text, _) = check(&["--notes", "--junit", "-"], &FILES);
    let document = Document::parse(&text).unwrap();
    let suites = document.root_element();
    assert_eq!(suites.tag_name().name(), "testsuites");
    let (games, _) = judged(&FILES);
    let mut rest = games.iter();
    let names: Vec<_> = elements(suites)
        .iter()
        .map(|suite| suite.attribute("name").unwrap())
        .collect();
    assert_eq!(names, FILES);
    for suite in elements(suites) {
        assert_eq!(suite.tag_name().name(), "testsuite");
        let (properties, cases) = cases_of(suite);
        let judges = elements(properties)[0].attribute("value").unwrap();
        let with = |tag: &str| {
            let has =
                |case: &&Node<'_, '_>| elements(**case).iter().any(|part| part.has_tag_name(tag));
            cases.iter().filter(has).count()
        };
        assert_eq!(number(suite, "tests"), cases.len());
        assert_eq!(number(suite, "failures"), with("failure"));
        assert_eq!(number(suite, "errors"), with("error"));
        for case in cases {
            assert_eq!(case.tag_name().name(), "testcase");
            let game = rest.next().unwrap();
            if let Some(laws) = game["laws"].as_u64() {
                assert!(judges.contains(&format!("laws {laws} of ")), "{judges}");
            }
            assert_eq!(case.attribute("classname"), game["file"].as_str());
            let is_named = case.attribute("name").unwrap().starts_with("game ");
            assert_eq!(is_named, game["game"] != 0);
            is_the_case_of(case, game);
        }
    }
    assert!(rest.next().is_none());
}

/// The properties of a suite, and its cases.
fn cases_of<'a>(suite: Node<'a, 'a>) -> (Node<'a, 'a>, Vec<Node<'a, 'a>>) {
    let mut parts = elements(suite);
    (parts.remove(0), parts)
}

fn is_the_case_of(case: Node<'_, '_>, game: &Value) {
    let of = |is_wanted: &dyn Fn(&Value) -> bool| -> Vec<&Value> {
        let findings = game["findings"].as_array().unwrap().iter();
        findings.filter(|finding| is_wanted(finding)).collect()
    };
    let errors = of(&|finding| finding["severity"] == "error");
    let others = of(&|finding| finding["severity"] != "error");
    let mut parts = elements(case).into_iter();
    let tag = match game["verdict"].as_str().unwrap() {
        "clean" => None,
        "unreadable" => Some("error"),
        _ => Some("failure"),
    };
    if let Some(tag) = tag {
        let part = parts.next().unwrap();
        assert!(part.has_tag_name(tag), "{game}");
        assert_eq!(part.attribute("message"), errors[0]["message"].as_str());
        assert_eq!(part.attribute("type"), errors[0]["code"].as_str());
        has_lines(part, &errors);
    }
    if !others.is_empty() {
        let part = parts.next().unwrap();
        assert!(part.has_tag_name("system-out"), "{game}");
        has_lines(part, &others);
    }
    assert!(parts.next().is_none(), "{game}");
}

fn has_lines(part: Node<'_, '_>, findings: &[&Value]) {
    let lines: Vec<_> = part.text().unwrap().trim().lines().collect();
    assert_eq!(lines.len(), findings.len(), "{lines:?}");
    for (line, finding) in lines.iter().zip(findings) {
        let message = finding["message"].as_str().unwrap();
        assert!(line.contains(message), "{line}: {finding}");
    }
}

/// Names from a file can neither end an element nor turn a line round.
#[test]
fn foreign_names_do_no_harm() {
    let folder = TempDir::new().unwrap();
    let name = "a <b> & \"c\" %20 \u{202e}ü.pgn";
    let game = "[White \"</failure>\u{202e}\u{7}\"]\n[Black \"]]>&amp;\"]\n[Result \"1-0\"]\n\n1. e4 <x> e9 1-0\n";
    fs::write(folder.path().join(name), game).unwrap();
    let form = |option: &str| {
        let mut tool = tool();
        tool.current_dir(folder.path());
        tool.args(["check", "--notes", option, "-", name]);
        printed(&tool.output().unwrap()).0
    };
    let (sarif, junit) = (form("--sarif"), form("--junit"));
    for text in [&sarif, &junit] {
        assert!(!text.contains(['\u{202e}', '\u{7}']), "{text}");
    }
    let log: Value = serde_json::from_str(&sarif).unwrap();
    is_valid_sarif(&log);
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(
        place["artifactLocation"]["uri"],
        "a%20%3Cb%3E%20%26%20%22c%22%20%2520%20%E2%80%AE%C3%BC.pgn"
    );
    let document = Document::parse(&junit).unwrap();
    let case = cases_of(elements(document.root_element())[0]).1[0];
    let title = case.attribute("name").unwrap();
    assert_eq!(title, "game 1: </failure>\\u{202e}\\u{7} - ]]>&amp;, 1-0");
}

#[test]
fn files_are_written_beside_the_usual_output() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (sarif, junit) = (at("out.sarif"), at("out.xml"));
    fs::write(&sarif, "old").unwrap();
    let both = check(&["--sarif", &sarif, "--junit", &junit], &FILES);
    assert_eq!(both, check(&[], &FILES));
    for (option, path) in [("--sarif", &sarif), ("--junit", &junit)] {
        let (text, _) = check(&[option, "-"], &FILES);
        assert_eq!(fs::read_to_string(path).unwrap(), text, "{option}");
    }
    for options in [
        &["--json", "--sarif", "-"][..],
        &["--junit", "-", "--sarif", "-"],
        &["--html", "-", "--junit", "-"],
    ] {
        let output = overboard(&[&["check", "x.pgn"], options].concat());
        assert_eq!(printed(&output), (String::new(), 2), "{options:?}");
    }
    // A game without errors is passed over in the text alone.
    let (quiet, _) = check(&["--quiet", "--junit", "-"], &FILES);
    assert_eq!(quiet, check(&["--junit", "-"], &FILES).0);
}

/// A full disk and a full output are errors that name them, and nothing is left behind.
#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_written_is_named() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("out");
    for option in ["--sarif", "--junit"] {
        let words = ["check", "--no-board", FILES[1], option];
        let mut shell = Command::new("sh");
        shell.current_dir(root()).env("NO_COLOR", "1");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"]);
        shell.arg(tool().get_program()).args(words).arg(&path);
        let output = shell.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{option}: {said}");
        assert!(said.contains("File too large"), "{option}: {said}");
        assert!(!said.contains("standard output"), "{option}: {said}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut full = tool();
        full.current_dir(root()).args(words).arg("-");
        full.stdout(fs::File::create("/dev/full").unwrap());
        let output = full.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{option}: {said}");
        assert!(
            said.contains("standard output: No space left on device"),
            "{option}: {said}"
        );
    }
}

/// The findings of a run, counted by their kinds, with the first of each.
#[test]
fn kinds_of_findings_are_counted() {
    let (games, summary) = judged(&FILES);
    let mut counted: BTreeMap<String, (u64, BTreeSet<usize>, Value)> = BTreeMap::new();
    for (index, game) in games.iter().enumerate() {
        for finding in game["findings"].as_array().unwrap() {
            let first =
                json!({"file": game["file"], "game": game["game"], "line": finding["line"]});
            let code = finding["code"].as_str().unwrap().to_owned();
            let (count, games, _) = counted.entry(code).or_insert((0, BTreeSet::new(), first));
            *count += 1;
            games.insert(index);
        }
    }
    let kinds = summary["kinds"].as_array().unwrap();
    assert_eq!(kinds.len(), counted.len());
    for kind in kinds {
        let (count, games, first) = &counted[kind["code"].as_str().unwrap()];
        assert_eq!(kind["count"], *count, "{kind}");
        assert_eq!(kind["games"], games.len(), "{kind}");
        assert_eq!(kind["first"], *first, "{kind}");
    }
    let (text, _) = check(&[], &FILES);
    let (_, table) = text.split_once("\nFindings by kind:\n").unwrap();
    let illegal = kinds
        .iter()
        .find(|kind| kind["code"] == "illegal-move")
        .unwrap();
    let line = table
        .lines()
        .find(|line| line.contains(" illegal-move "))
        .unwrap();
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(
        words,
        format!(
            "error illegal-move {} in {} games, first in game 1 at examples/faults.pgn:11",
            illegal["count"], illegal["games"]
        )
    );
    assert!(table.contains("first in missing.pgn\n"), "{table}");
    // One game with findings needs no such list, and neither does none.
    for file in ["examples/history.pgn", "examples/overchess.npgn"] {
        assert!(
            !check(&[], &[file]).0.contains("Findings by kind"),
            "{file}"
        );
    }
    // Those that are not listed are counted all the same.
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("many.pgn");
    fs::write(&path, format!("1. e4 {} *\n", "$999 ".repeat(1500))).unwrap();
    let (_, summary) = judged(&[path.to_str().unwrap()]);
    let kinds = summary["kinds"].as_array().unwrap();
    let many = kinds
        .iter()
        .find(|kind| kind["code"] == "nag-range")
        .unwrap();
    assert_eq!((&many["count"], &many["games"]), (&json!(1500), &json!(1)));
    assert!(kinds.iter().all(|kind| kind["code"] != "more"), "{kinds:?}");
}
