//! `explain`: what a rule, a kind of finding or a game is.

mod game;

use crate::{
    exit::{CliError, Exit, PartError},
    ui::{self, STRONG, fill, shown},
};
use clap::Args;
use game::Overview;
use overboard_games::{
    laws::{self, PAGES},
    registry::Variant,
};
use overboard_referee::{
    finding::{CODES, Code},
    meant::did_you_mean,
};
use overboard_rules::rule::{Example, Rule, Ruling};
use overboard_schedules::swiss_team::readings::{Choice, READINGS, Reading};
use serde::Serialize;
use std::io::{self, Write};

/// Explain a rule, a kind of finding or a game.
///
/// Prints its text, its source and examples; of a game what it is, how to write it, and its rules.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 an id is unknown.\n\nExamples:\n  overboard explain CH-11\n  overboard explain missing-capture\n  overboard explain overchess\n  overboard explain --json | jq -r .id"
)]
pub struct ExplainArgs {
    /// A rule such as CH-11, a kind of finding such as missing-capture, a game such as overchess, or an interpretation
    /// of the Swiss rules such as SW-1; without an id, lists them all.
    #[arg(value_name = "ID")]
    pub topics: Vec<String>,
    /// Print one JSON object per item.
    #[arg(long)]
    pub json: bool,
}

/// A name that is not known.
#[derive(Debug, thiserror::Error)]
#[error(
    "unknown rule, kind of finding, game or interpretation `{0}`{1} (`overboard explain` lists them all)"
)]
pub struct TopicError(String, String);

impl PartError for TopicError {}

/// Columns of a text.
const PAGE: usize = 78;

/// What can be explained.
enum Topic {
    Game(Variant),
    Rule(&'static Rule),
    Reading(&'static Reading),
    Code(&'static Code),
}

/// What an id means.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum Explained {
    /// A game.
    Game(Overview),
    /// A rule.
    Rule {
        /// Its id.
        id: &'static str,
        /// Its title.
        gist: &'static str,
        /// Its full text; it may have several lines, and lists whose items begin with `- `.
        text: &'static str,
        /// `law`, `ending`, `definition` or `permission`.
        kind: String,
        /// An article of the FIDE Laws, `the author's text`, or `our ruling`.
        source: String,
        /// `in force`, or `option, off unless declared`.
        standing: String,
        /// Records that keep the rule, and records that break it.
        examples: Vec<Shown>,
        /// Our ruling, or the ruling within the rule; null if there is none.
        ruling: Option<Opened>,
    },
    /// A kind of finding.
    Finding {
        /// Its code.
        id: &'static str,
        /// Its severity without options: `error`, `warning` or `note`.
        severity: String,
        /// The verdict on a game in which it is an error.
        verdict: String,
        /// What it means.
        text: &'static str,
        /// Movetext that causes it; may be empty.
        example: &'static str,
        /// The same without the fault; may be empty.
        mended: &'static str,
    },
    /// An interpretation of the Swiss rules.
    Reading {
        /// Its id.
        id: &'static str,
        /// What the text leaves open.
        question: &'static str,
        /// The setting that chooses; null if nothing can be chosen.
        setting: Option<String>,
        /// The default.
        default: Choice,
        /// The other interpretation; null if nothing can be chosen.
        other: Option<Choice>,
        /// The source of the default.
        source: &'static str,
    },
}

/// What the source leaves open, and how it is settled.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Ruling")
)]
pub struct Opened {
    /// The place in the source.
    place: &'static str,
    /// What the source says there, in other words.
    says: &'static str,
    /// The readings that were possible; the first one is in force.
    readings: &'static [&'static str],
    /// Why that one was taken.
    why: &'static str,
    /// The items of the tag Rules that choose another reading; may be empty.
    options: &'static [&'static str],
}

impl From<&Ruling> for Opened {
    fn from(ruling: &Ruling) -> Self {
        Self {
            place: ruling.place,
            says: ruling.says,
            readings: ruling.readings,
            why: ruling.why,
            options: ruling.options,
        }
    }
}

/// An example of a rule.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Example")
)]
pub struct Shown {
    /// Its name.
    name: &'static str,
    /// Whether it keeps the rule; if not, it breaks it.
    keeps: bool,
    /// A whole record.
    text: &'static str,
}

impl From<&Example> for Shown {
    fn from(example: &Example) -> Self {
        Self {
            name: example.name,
            keeps: example.keeps(),
            text: example.text,
        }
    }
}

pub fn run(args: &ExplainArgs) -> Result<Exit, CliError> {
    let mut out = ui::stdout();
    if args.topics.is_empty() {
        list(&mut out, args.json)?;
    }
    let mut unknown = None;
    for (index, name) in args.topics.iter().enumerate() {
        match find(name) {
            Ok(topic) if args.json => ui::json(&mut out, &explained(&topic))?,
            Ok(topic) => {
                write!(out, "{}", if index > 0 { "\n" } else { "" })?;
                print_topic(&mut out, &topic)?;
            }
            Err(failure) => unknown = Some(failure),
        }
    }
    out.flush()?;
    match unknown {
        Some(unknown) => Err(unknown.into()),
        None => Ok(Exit::Clean),
    }
}

/// Lists every game, every rule, page by page, every kind of finding, and every interpretation of the Swiss rules.
fn list(out: &mut impl Write, json: bool) -> io::Result<()> {
    title(out, "Games", json)?;
    for game in Variant::ALL {
        list_one(out, &Topic::Game(*game), json)?;
    }
    for page in PAGES.iter() {
        title(out, page.title, json)?;
        for rule in page.rules {
            list_one(out, &Topic::Rule(rule), json)?;
        }
    }
    title(out, "Kinds of finding", json)?;
    for code in CODES {
        list_one(out, &Topic::Code(code), json)?;
    }
    title(out, "Interpretations of the Swiss system for teams", json)?;
    let mut readings: Vec<_> = READINGS.iter().collect();
    readings.sort_by_key(|reading| reading.id);
    for reading in readings {
        list_one(out, &Topic::Reading(reading), json)?;
    }
    Ok(())
}

fn title(out: &mut impl Write, text: &str, json: bool) -> io::Result<()> {
    let strong = shown(STRONG);
    if json {
        Ok(())
    } else {
        writeln!(out, "{strong}{text}{strong:#}")
    }
}

fn list_one(out: &mut impl Write, topic: &Topic, json: bool) -> io::Result<()> {
    match topic {
        topic if json => ui::json(out, &explained(topic)),
        Topic::Game(game) => writeln!(out, "  {:<14} {}", game.info().arguments[0], game.name()),
        Topic::Rule(rule) => writeln!(out, "  {:<8} {}", rule.id, rule.gist),
        Topic::Reading(reading) => writeln!(out, "  {:<8} {}", reading.id, reading.question),
        Topic::Code(code) => {
            writeln!(
                out,
                "  {:<20} {:<8} {}",
                code.id,
                code.severity,
                first_sentence(code.text)
            )
        }
    }
}

fn find(name: &str) -> Result<Topic, TopicError> {
    if let Some(rule) = laws::find(name) {
        Ok(Topic::Rule(rule))
    } else if let Some(code) = Code::find(name) {
        Ok(Topic::Code(code))
    } else if let Some(reading) = Reading::find(name) {
        Ok(Topic::Reading(reading))
    } else if let Some(rule) = laws::find(&hyphenated(name)) {
        Ok(Topic::Rule(rule))
    } else if let Some(game) = Variant::of(Some(name.as_bytes())) {
        Ok(Topic::Game(game))
    } else {
        Err(unknown(name))
    }
}

/// A name that is not known, with what is like it.
fn unknown(name: &str) -> TopicError {
    let mut near = did_you_mean(name, all_names());
    if near.is_empty() {
        near = mentions(name);
    }
    TopicError(name.into(), near)
}

fn all_names() -> Vec<&'static str> {
    let mut names = Vec::from_iter(laws::all().map(|rule| rule.id));
    names.extend(CODES.iter().map(|code| code.id));
    names.extend(READINGS.iter().map(|reading| reading.id));
    names.extend(Variant::arguments().map(|(_, name)| name));
    names
}

/// Adds a hyphen that is missing: `CH14` is `CH-14`.
fn hyphenated(name: &str) -> String {
    let letters = name
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(name.len());
    format!("{}-{}", &name[..letters], &name[letters..])
}

/// The games, rules and findings that mention a word which is not a name: `; see CH-14 and CH-15`.
fn mentions(word: &str) -> String {
    const MOST: usize = 8;
    let word = word.to_lowercase();
    let mut found = Vec::new();
    for (_, name) in Variant::arguments() {
        if name.contains(&word) {
            found.push(name);
        }
    }
    for rule in laws::all() {
        if rule.gist.to_lowercase().contains(&word) {
            found.push(rule.id);
        }
    }
    for code in CODES {
        if code.id.contains(&word) || code.verdict.to_string() == word {
            found.push(code.id);
        }
    }
    found.truncate(MOST);
    if word.is_empty() || found.is_empty() {
        String::new()
    } else {
        format!("; see {}", found.join(", "))
    }
}

fn explained(topic: &Topic) -> Explained {
    match topic {
        Topic::Game(game) => Explained::Game(Overview::of(*game)),
        Topic::Rule(rule) => Explained::Rule {
            id: rule.id,
            gist: rule.gist,
            text: rule.text,
            kind: rule.kind.to_string(),
            source: rule.source.to_string(),
            standing: rule.standing.to_string(),
            examples: rule.examples.iter().map(Shown::from).collect(),
            ruling: laws::ruling(rule).map(Opened::from),
        },
        Topic::Reading(reading) => Explained::Reading {
            id: reading.id,
            question: reading.question,
            setting: reading
                .setting
                .map(|setting| format!("swiss.readings.{setting}")),
            default: reading.default,
            other: reading.other,
            source: reading.source,
        },
        Topic::Code(code) => Explained::Finding {
            id: code.id,
            severity: code.severity.to_string(),
            verdict: code.verdict.to_string(),
            text: code.text,
            example: code.broken,
            mended: code.mended,
        },
    }
}

fn first_sentence(text: &str) -> &str {
    match text.find(". ") {
        Some(end) => &text[..=end],
        None => text,
    }
}

fn print_topic(out: &mut impl Write, topic: &Topic) -> io::Result<()> {
    match topic {
        Topic::Game(game) => Overview::of(*game).print(out),
        Topic::Rule(rule) => show_rule(out, rule),
        Topic::Reading(reading) => show_reading(out, reading),
        Topic::Code(code) => show_code(out, code),
    }
}

fn show_rule(out: &mut impl Write, rule: &Rule) -> io::Result<()> {
    let strong = shown(STRONG);
    writeln!(out, "{strong}{} {}{strong:#}", rule.id, rule.gist)?;
    writeln!(
        out,
        "kind: {}; source: {}; status: {}\n\n{}",
        rule.kind,
        rule.source,
        rule.standing,
        fill(rule.text, PAGE)
    )?;
    if let Some(ruling) = laws::ruling(rule) {
        show_ruling(out, ruling)?;
    }
    let kept = rule.examples.iter().find(|example| example.keeps());
    let broken = rule.examples.iter().find(|example| !example.keeps());
    show_example(out, "follows the rule", kept)?;
    show_example(out, "breaks the rule", broken)
}

fn show_reading(out: &mut impl Write, reading: &Reading) -> io::Result<()> {
    let strong = shown(STRONG);
    writeln!(
        out,
        "{strong}{} {}{strong:#}\n{}\n",
        reading.id, reading.question, reading.source
    )?;
    for sentence in reading.sentences().skip(1) {
        writeln!(out, "{}", fill(&sentence, PAGE))?;
    }
    Ok(())
}

fn show_code(out: &mut impl Write, code: &Code) -> io::Result<()> {
    let strong = shown(STRONG);
    writeln!(
        out,
        "{strong}{}{strong:#}\n{}; verdict{}: {}\n\n{}",
        code.id,
        code.severity,
        if code.is_leniency() {
            " with --deny"
        } else {
            ""
        },
        code.verdict,
        fill(code.text, PAGE)
    )?;
    if code.is_leniency() {
        writeln!(
            out,
            "\n--allow {0} hides it, --deny {0} makes it an error.",
            code.id
        )?;
    }
    if code.broken.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n{strong}A record with this finding{strong:#}\n  {}",
        code.broken
    )?;
    writeln!(
        out,
        "\n{strong}The same without it{strong:#}\n  {}",
        code.mended
    )
}

fn show_ruling(out: &mut impl Write, ruling: &Ruling) -> io::Result<()> {
    let strong = shown(STRONG);
    writeln!(out, "\n{strong}The ruling{strong:#}")?;
    for sentence in ruling.sentences() {
        writeln!(out, "{}", fill(&sentence, PAGE))?;
    }
    Ok(())
}

fn show_example(out: &mut impl Write, what: &str, example: Option<&Example>) -> io::Result<()> {
    let Some(example) = example else {
        return Ok(());
    };
    let strong = shown(STRONG);
    writeln!(out, "\n{strong}An example that {what}{strong:#}")?;
    for line in example.text.lines() {
        if says_something(line) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}

/// Whether a line of an example is worth printing: its seven tags say nothing about its rule.
fn says_something(line: &str) -> bool {
    const ROSTER: [&str; 6] = [
        "[Event ", "[Site ", "[Date ", "[Round ", "[White ", "[Black ",
    ];
    !line.is_empty() && !ROSTER.iter().any(|tag| line.starts_with(tag))
}
