//! The JSON Schemas that the program prints agree with the JSON that it writes: all of it is valid, every key is named,
//! and what is not as described is refused. The validator is not ours.

mod walk;

use crate::run::{overboard, printed};
use jsonschema::Validator;
use serde_json::{Deserializer, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::LazyLock,
};
use walk::{Places, descriptions, named, place, undescribed, unnamed};

const OVERBOARD: &str = env!("CARGO_BIN_EXE_overboard");

/// The commands whose output is compared with the schemas.
const COMMANDS: &str = include_str!("schemas/outputs.txt");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// A schema as the program prints it.
struct Schema {
    text: Value,
    validator: Validator,
}

/// All schemas by name.
static SCHEMAS: LazyLock<BTreeMap<String, Schema>> = LazyLock::new(|| {
    let (list, _) = printed(&overboard(&["schema"]));
    let names = list
        .lines()
        .map(|line| line.split(' ').next().unwrap().to_owned());
    let read = |name: String| {
        let (text, code) = printed(&overboard(&["schema", &name]));
        assert_eq!(code, 0, "{name}");
        let text: Value = serde_json::from_str(&text).unwrap();
        let validator = jsonschema::validator_for(&text).unwrap();
        (name, Schema { text, validator })
    };
    names.map(read).collect()
});

/// A value that a command has written.
struct Output {
    schema: String,
    command: String,
    value: Value,
}

/// What the commands write.
static OUTPUTS: LazyLock<Vec<Output>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let commands = COMMANDS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut outputs = Vec::new();
    for line in commands {
        let (schema, command) = line.split_once(": ").unwrap();
        let text = shell(command, folder.path());
        if schema.is_empty() {
            continue;
        }
        let values: Vec<Value> = Deserializer::from_slice(&text)
            .into_iter()
            .collect::<Result<_, _>>()
            .unwrap_or_else(|error| panic!("{command}: {error}"));
        assert!(!values.is_empty(), "nothing comes from {command}");
        outputs.extend(values.into_iter().map(|value| Output {
            schema: schema.into(),
            command: command.into(),
            value,
        }));
    }
    outputs
});

/// Runs a command line in a folder; returns its output.
fn shell(command: &str, folder: &Path) -> Vec<u8> {
    let tools = Path::new(OVERBOARD).parent().unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env("repo", root())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    output.stdout
}

/// Outputs that have a key which no earlier output of the same schema has: enough to try changes on.
fn unlike() -> Vec<&'static Output> {
    let mut seen = BTreeSet::new();
    let is_new = |output: &&Output| {
        let shape = Places::of(&output.value).shape();
        let new = shape
            .into_iter()
            .map(|place| seen.insert((output.schema.clone(), place)));
        new.fold(false, |any, new| any | new)
    };
    OUTPUTS.iter().filter(is_new).collect()
}

#[test]
#[cfg_attr(not(feature = "schema"), ignore = "needs the feature `schema`")]
fn schemas_of_the_program_are_made_from_its_types() {
    let folder = root().join("cli/schemas");
    let made = tempfile::tempdir().unwrap();
    let made = made.path();
    assert_eq!(
        overboard(&["schema", "--all", made.to_str().unwrap()])
            .status
            .code(),
        Some(0)
    );
    let texts = |folder: &Path| -> BTreeMap<String, String> {
        let files = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        files
            .map(|path| {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                (name, fs::read_to_string(path).unwrap())
            })
            .collect()
    };
    let (texts, there) = (texts(made), texts(&folder));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        for name in there.keys().filter(|name| !texts.contains_key(*name)) {
            fs::remove_file(folder.join(name)).unwrap();
        }
        for (name, text) in &texts {
            fs::write(folder.join(name), text).unwrap();
        }
        return;
    }
    let names: BTreeSet<_> = texts.keys().chain(there.keys()).collect();
    let changed: Vec<_> = names
        .into_iter()
        .filter(|name| texts.get(*name) != there.get(*name))
        .collect();
    assert!(
        changed.is_empty(),
        "run this test with UPDATE_DOCS=1: in cli/schemas these differ: {changed:?}"
    );
}

#[test]
fn every_command_with_json_has_a_schema() {
    let pages = tempfile::tempdir().unwrap();
    overboard(&["man", "--out", pages.path().to_str().unwrap()]);
    let mut without = Vec::new();
    let mut seen = 0;
    for entry in fs::read_dir(pages.path()).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        if !text.contains("\\fB\\-\\-json\\fR") {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let command: Vec<_> = name.split('-').skip(1).collect();
        let (text, _) = printed(&overboard(&[&["schema"], &command[..]].concat()));
        let written = format!("`overboard {} --json`", command.join(" "));
        let fmt = written.replace("fmt --json", "fmt --check --json");
        if !text.contains(&written) && !text.contains(&fmt) {
            without.push(written);
        }
        seen += 1;
    }
    assert!(seen > 40, "{seen} commands");
    assert!(without.is_empty(), "no schema for {without:?}");
}

#[test]
fn the_page_about_json_links_to_every_schema() {
    let page = fs::read_to_string(root().join("docs/json.md")).unwrap();
    let without: Vec<_> = SCHEMAS
        .keys()
        .filter(|name| !page.contains(&format!("(../cli/schemas/{name}.json)")))
        .collect();
    assert!(without.is_empty(), "no link to {without:?}");
}

#[test]
fn schemas_are_schemas_and_speak_to_users() {
    let code = ["::", "[`", "`None`", "`Some", "\\[", "serde"];
    let mut wrong = Vec::new();
    for (name, schema) in SCHEMAS.iter() {
        assert!(jsonschema::meta::is_valid(&schema.text), "{name}");
        let id = format!("urn:overboard:schema:{name}:1");
        assert_eq!(schema.text["$id"], *id);
        for text in descriptions(&schema.text) {
            if code.iter().any(|code| text.contains(code)) || !text.ends_with(['.', ']', '`']) {
                wrong.push(format!("{name}: {text}"));
            }
        }
        wrong.extend(
            undescribed(&schema.text)
                .into_iter()
                .map(|key| format!("{name}: {key} has no description")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn everything_written_is_valid_and_every_schema_is_of_something() {
    let mut wrong = Vec::new();
    let mut missing: BTreeSet<&String> = SCHEMAS.keys().collect();
    for output in OUTPUTS.iter() {
        missing.remove(&output.schema);
        let Schema { text, validator } = &SCHEMAS[&output.schema];
        let errors: Vec<_> = validator
            .iter_errors(&output.value)
            .map(|error| error.to_string())
            .collect();
        if !errors.is_empty() {
            let value = output.value.to_string();
            let value: String = value.chars().take(300).collect();
            wrong.push(format!("{}: {value}: {errors:?}", output.command));
        }
        for key in unnamed(text, &output.value) {
            wrong.push(format!("{}: {key} is not in the schema", output.command));
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
    assert!(missing.is_empty(), "nothing is written for {missing:?}");
}

#[test]
fn a_wrong_type_is_refused_everywhere() {
    let mut accepted = BTreeSet::new();
    let mut tried = 0;
    for output in unlike() {
        let validator = &SCHEMAS[&output.schema].validator;
        for at in Places::of(&output.value).at_both_ends() {
            let mut value = output.value.clone();
            let changed = place(&mut value, &at);
            *changed = if changed.is_boolean() {
                "text".into()
            } else {
                true.into()
            };
            tried += 1;
            if validator.is_valid(&value) {
                accepted.insert(format!("{}: {at:?}", output.schema));
            }
        }
    }
    assert!(tried > 2_000, "{tried}");
    assert!(accepted.is_empty(), "{accepted:#?}");
}

/// The list of keys that may be absent only grows by what a new command or option writes.
#[test]
fn an_object_without_one_of_its_keys_is_refused() {
    let mut optional: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    for output in unlike() {
        let Schema { text, validator } = &SCHEMAS[&output.schema];
        for at in Places::of(&output.value).at_both_ends() {
            let Some((key, around)) = at.split_last() else {
                continue;
            };
            let mut value = output.value.clone();
            let Value::Object(object) = place(&mut value, around) else {
                continue;
            };
            object.remove(key);
            if !validator.is_valid(&value) {
                *refused.entry(&output.schema).or_default() += 1;
            } else if named(text).contains(key) {
                let keys = optional.entry(&output.schema).or_default();
                keys.insert(key.clone());
            }
        }
    }
    let tables = ["pair-table", "published-table"];
    let lax: Vec<_> = SCHEMAS
        .keys()
        .filter(|name| !refused.contains_key(name.as_str()) && !tables.contains(&name.as_str()))
        .collect();
    assert!(lax.is_empty(), "nothing is required in {lax:?}");
    let optional: BTreeMap<_, Vec<_>> = optional
        .iter()
        .map(|(name, keys)| (*name, keys.iter().map(String::as_str).collect()))
        .collect();
    let known: BTreeMap<&str, Vec<&str>> = include_str!("schemas/optional.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(": ").unwrap())
        .map(|(name, keys)| (name, keys.split(' ').collect()))
        .collect();
    assert_eq!(optional, known);
}
