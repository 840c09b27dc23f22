//! A game at a glance: what it is, how it is written, which rules it has.

use super::{PAGE, show_example};
use crate::{
    options::written_option,
    ui::{STRONG, fill, shown},
};
use overboard_games::registry::Variant;
use overboard_rules::rule::{Example, Page, Rule};
use serde::Serialize;
use std::io::{self, Write};

/// A game at a glance.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Overview {
    /// Its name for `--variant`.
    id: &'static str,
    /// Its name.
    name: &'static str,
    /// All names that the tag Variant and `--variant` take.
    names: Vec<&'static str>,
    /// The tags that a record of it needs.
    tags: Vec<String>,
    /// What the tag Rules may contain.
    options: Vec<Choice>,
    /// Its pages of rules.
    pages: Vec<Contents>,
    #[serde(skip)]
    example: Option<&'static Example>,
}

/// An item of the tag Rules.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Choice {
    /// How it is written.
    written: String,
    /// The id of the rule about it.
    rule: &'static str,
    /// The title of that rule.
    gist: &'static str,
}

/// A page of rules.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Contents {
    /// Its title.
    title: &'static str,
    /// What it says first.
    text: String,
    /// Its rules.
    rules: Vec<Listed>,
}

/// A rule.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Listed {
    /// Its id.
    id: &'static str,
    /// Its title.
    gist: &'static str,
}

impl Overview {
    pub fn of(game: Variant) -> Self {
        let info = game.info();
        let tags = game.tags(1, info.has_levels.then_some(1), "");
        let mut tags: Vec<_> = tags.iter().map(tag).collect();
        if info.has_boards {
            tags.push("[Boards \"A:B:C\"], if there are several boards".into());
        }
        let options = info.options.iter().map(|option| Choice {
            written: written_option(option),
            rule: option.rule.id,
            gist: option.rule.gist,
        });
        let rules = info.pages.iter().flat_map(|page| page.rules);
        Self {
            id: info.arguments[0],
            name: info.name,
            names: info.spellings.iter().map(|name| name.text).collect(),
            tags,
            options: options.collect(),
            pages: info.pages.iter().map(|page| Contents::of(page)).collect(),
            example: rules
                .flat_map(|rule| rule.examples)
                .find(|example| example.keeps()),
        }
    }

    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let strong = shown(STRONG);
        writeln!(out, "{strong}{}{strong:#}", self.name)?;
        for page in &self.pages {
            if self.pages.len() > 1 {
                writeln!(out, "\n{strong}{}{strong:#}", page.title)?;
            }
            writeln!(out, "{}", fill(&page.text, PAGE))?;
        }
        writeln!(out, "\n{strong}How to write it{strong:#}")?;
        if self.tags.is_empty() {
            writeln!(out, "  no tag is needed")?;
        }
        for tag in &self.tags {
            writeln!(out, "  {tag}")?;
        }
        let names = format!("names: {}", self.names.join(", "));
        writeln!(out, "{}", fill(&names, PAGE))?;
        if !self.options.is_empty() {
            writeln!(
                out,
                "\n{strong}Options, in the tag Rules, joined by colons{strong:#}"
            )?;
        }
        let lengths = self.options.iter().map(|option| option.written.len());
        let width = lengths.max().unwrap_or(0);
        for Choice {
            written,
            rule,
            gist,
        } in &self.options
        {
            writeln!(out, "  {written:width$}  {rule:<5}  {gist}")?;
        }
        show_example(out, "follows the rules", self.example)?;
        for page in &self.pages {
            writeln!(out, "\n{strong}{}{strong:#}", page.title)?;
            for Listed { id, gist } in &page.rules {
                writeln!(out, "  {id:<8} {gist}")?;
            }
        }
        let (id, first) = (self.id, self.pages[0].rules[0].id);
        writeln!(
            out,
            "\nNext: overboard explain {first}, overboard demo {id}, overboard moves --variant {id}"
        )
    }
}

impl Contents {
    fn of(page: &Page) -> Self {
        let rules = page
            .rules
            .iter()
            .map(|Rule { id, gist, .. }| Listed { id, gist });
        Self {
            title: page.title,
            text: plain(page.preface).replace("\n\n", "\n"),
            rules: rules.collect(),
        }
    }
}

fn tag((name, value): &(&str, String)) -> String {
    format!("[{name} \"{value}\"]")
}

/// Markdown as plain text: links are their words, and nothing is emphasised. Code keeps its backticks.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    for (index, part) in markdown.split('`').enumerate() {
        if index % 2 == 1 {
            text.push_str(&format!("`{part}`"));
            continue;
        }
        let mut rest = part;
        while let Some((before, link)) = rest.split_once('[') {
            text.push_str(&before.replace('*', ""));
            let (words, after) = link.split_once("](").unwrap_or((link, ""));
            text.push_str(&words.replace('*', ""));
            rest = after.split_once(')').map_or("", |(_, after)| after);
        }
        text.push_str(&rest.replace('*', ""));
    }
    text
}
