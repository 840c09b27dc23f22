//! `check --sarif`: the findings in the Static Analysis Results Interchange Format, version 2.1.0.
//!
//! Each result is written as soon as its game has been judged.

use super::{edition::Edition, links, sink::Sink};
use crate::{
    exit::{CliError, Exit},
    ui,
};
use overboard_formats::foreign::Foreign;
use overboard_referee::{
    finding::{CODES, Code, Finding, Severity, Verdict},
    report::{Report, Summary},
};
use serde::Serialize;
use std::{
    io::{self, Write},
    path::Path,
    sync::Arc,
};

/// The schema of the format.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const VERSION: &str = "2.1.0";

/// The findings, written game by game.
pub struct Sarif {
    out: Sink,
    /// Whether a result has been written.
    has_any: bool,
    edition: Edition,
}

/// A text, as the format has it.
#[derive(Serialize)]
struct Text<T> {
    text: T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<KindOfResult>,
}

/// A kind of finding. The format calls these rules.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KindOfResult {
    id: &'static str,
    full_description: Text<&'static str>,
    help: Help,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    level: Severity,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found<'a> {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: Severity,
    message: Text<&'a Foreign>,
    locations: [Location<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    related_locations: Option<[Location<'a>; 1]>,
    properties: Properties<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    logical_locations: Option<[Logical; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text<&'a Foreign>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
    start_column: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u64>,
}

/// The game, as a place in a file.
#[derive(Serialize)]
struct Logical {
    name: String,
}

/// What the format has no field for.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Properties<'a> {
    game: u64,
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    laws: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code: i32,
}

#[derive(Serialize)]
struct Numbers<'a> {
    summary: &'a Summary,
    laws: &'a Edition,
}

impl Sarif {
    /// Begins with the kinds of findings.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn begin(path: &Path) -> Result<Self, CliError> {
        let mut out = Sink::of(path)?;
        let tool = Tool {
            driver: Driver {
                name: "overboard",
                version: env!("CARGO_PKG_VERSION"),
                rules: CODES.iter().copied().map(kind).collect(),
            },
        };
        write!(
            out,
            "{{\"$schema\":\"{SCHEMA}\",\"version\":\"{VERSION}\",\"runs\":[{{\"tool\":"
        )?;
        ui::json_part(&mut out, &tool)?;
        out.write_all(b",\"columnKind\":\"unicodeCodePoints\",\"results\":[")?;
        Ok(Self {
            out,
            has_any: false,
            edition: Edition::default(),
        })
    }

    /// Adds what was found in a game.
    pub fn take(&mut self, report: &Report) -> io::Result<()> {
        self.edition.take(report);
        for finding in &report.findings {
            let before: &[u8] = if self.has_any { b",\n" } else { b"\n" };
            self.out.write_all(before)?;
            self.has_any = true;
            ui::json_part(&mut self.out, &found(report, finding))?;
        }
        Ok(())
    }

    /// Ends with how the run ended.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self, summary: &Summary, exit: Exit) -> Result<(), CliError> {
        let invocation = Invocation {
            execution_successful: exit != Exit::Unusable,
            exit_code: exit as i32,
        };
        self.out.write_all(b"\n],\"invocations\":[")?;
        ui::json_part(&mut self.out, &invocation)?;
        self.out.write_all(b"],\"properties\":")?;
        let laws = &self.edition;
        ui::json_part(&mut self.out, &Numbers { summary, laws })?;
        self.out.write_all(b"}]}\n")?;
        self.out.finish()
    }
}

fn kind(code: &'static Code) -> KindOfResult {
    let (id, page) = (code.id, links::of_code(code));
    KindOfResult {
        id,
        full_description: Text { text: code.text },
        help: Help {
            text: format!("{} `overboard explain {id}`; {page}", code.text),
            markdown: format!("{} [{id}]({page})", code.text),
        },
        default_configuration: Configuration {
            level: code.severity,
        },
    }
}

fn found<'a>(report: &'a Report, finding: &'a Finding) -> Found<'a> {
    let id = finding.code.id;
    let name = (report.game > 0).then(|| format!("game {}", report.game));
    let region = (finding.place.line > 0).then(|| Region {
        start_line: finding.place.line,
        start_column: finding.column.max(1),
        end_column: end_column(finding),
    });
    let also = finding.also.as_ref().map(|(place, words, _)| Location {
        physical_location: physical(
            &report.file,
            Some(Region {
                start_line: place.line,
                start_column: place.span.from.saturating_sub(place.line_start) + 1,
                end_column: None,
            }),
        ),
        logical_locations: None,
        message: Some(Text { text: words }),
    });
    Found {
        rule_id: id,
        rule_index: CODES.iter().position(|code| code.id == id),
        level: finding.severity,
        message: Text {
            text: &finding.message,
        },
        locations: [Location {
            physical_location: physical(&report.file, region),
            logical_locations: name.map(|name| [Logical { name }]),
            message: None,
        }],
        related_locations: also.map(|also| [also]),
        properties: Properties {
            game: report.game,
            verdict: report.verdict,
            laws: report.laws.map(|laws| laws.laws),
            rule: finding.rule.map(|rule| rule.id),
            rule_help: finding.rule.and_then(links::of_rule),
            at: finding.moment.as_deref(),
            nearest: finding.nearest.as_deref(),
        },
    }
}

fn physical(file: &Foreign<Arc<str>>, region: Option<Region>) -> Physical {
    Physical {
        artifact_location: Artifact { uri: uri(file) },
        region,
    }
}

/// The column after the text concerned, if all of that text is known and stands in one line.
fn end_column(finding: &Finding) -> Option<u64> {
    let text = finding.text.as_it_came();
    let is_whole = text.len() as u64 == finding.place.span.len() && !text.contains('\n');
    (is_whole && !text.is_empty()).then(|| finding.column.max(1) + text.chars().count() as u64)
}

/// The path of a file as a URI, relative if the path is.
fn uri(file: &Foreign<Arc<str>>) -> String {
    let path = file.as_it_came();
    let mut uri = String::with_capacity(path.len() + 8);
    uri.push_str(scheme(path));
    for byte in path.bytes() {
        push_byte(&mut uri, byte);
    }
    uri
}

fn scheme(path: &str) -> &'static str {
    match path.starts_with('/') {
        _ if !Path::new(path).is_absolute() => "",
        true => "file://",
        false => "file:///",
    }
}

fn push_byte(uri: &mut String, byte: u8) {
    match byte {
        b'\\' if cfg!(windows) => uri.push('/'),
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            uri.push(byte.into());
        }
        _ => uri.push_str(&format!("%{byte:02X}")),
    }
}
