//! Every ruling has an entry, and docs/rulings.md says what the entries and the figures say.
//!
//! `UPDATE_DOCS=1` rewrites the page; `just rulings` makes the figures again.

use crate::{
    rules::stands,
    run::{overboard, printed},
};
use overboard_games::{laws::PAGES, registry::Variant};
use overboard_rules::rule::{Measured, Page, Rule, Ruling, Source};
use std::{fmt::Write, fs, path::Path};

/// The figures.
const MEASURED: &str = include_str!("rulings/measured.tsv");

/// How often a ruling mattered in the games of one player.
struct Row {
    rule: &'static str,
    other: &'static str,
    counted: &'static str,
    game: &'static str,
    player: &'static str,
    games: u32,
    matter: u32,
}

fn rows() -> Vec<Row> {
    MEASURED.lines().skip(1).map(Row::of).collect()
}

impl Row {
    fn of(line: &'static str) -> Self {
        let cells: Vec<&str> = line.split('\t').collect();
        let [rule, other, counted, game, player, games, matter] = cells[..] else {
            panic!("{line}");
        };
        Self {
            rule,
            other,
            counted,
            game,
            player,
            games: games.parse().unwrap(),
            matter: matter.parse().unwrap(),
        }
    }

    /// Whether the figures of another player answer the same question.
    fn asks_like(&self, other: &Self) -> bool {
        (self.rule, self.other, self.counted) == (other.rule, other.other, other.counted)
    }
}

fn rulings() -> impl Iterator<Item = &'static Ruling> {
    PAGES.iter().flat_map(|page| page.rulings)
}

/// Whether a rule is our ruling or contains one.
fn has_ruling(rule: &Rule) -> bool {
    rule.source == Source::Ruling || rule.text.to_lowercase().contains("by our ruling")
}

#[test]
fn every_ruling_has_an_entry_and_every_entry_a_ruling() {
    for page in PAGES.iter() {
        let wanted: Vec<_> = page
            .rules
            .iter()
            .filter(|rule| has_ruling(rule))
            .map(|rule| rule.id)
            .collect();
        let entered: Vec<_> = page.rulings.iter().map(|ruling| ruling.rule.id).collect();
        assert_eq!(entered, wanted, "{}", page.title);
    }
}

#[test]
fn every_entry_says_what_it_must() {
    for ruling in rulings() {
        let id = ruling.rule.id;
        assert!(ruling.readings.len() > 1, "{id} has another reading");
        assert!(
            ruling.says.ends_with('.') && ruling.why.ends_with('.'),
            "{id}"
        );
        let is_part = |reading: &&str| !reading.ends_with('.');
        assert!(ruling.readings.iter().all(is_part), "{id}");
        for option in ruling.options {
            assert!(Variant::any_knows(option), "{id} names `{option}`");
            let name = option.split('=').next().unwrap();
            let is_of_it = |page: &&&Page| page.rulings.iter().any(|this| this.rule.id == id);
            let page = PAGES.iter().find(is_of_it).unwrap();
            let says_so = page.rules.iter().any(|rule| rule.text.contains(name))
                || page.preface.contains(name);
            assert!(says_so, "{} does not describe `{option}`", page.title);
        }
    }
}

#[test]
fn figures_belong_to_what_was_measured() {
    for ruling in rulings() {
        let is_measured = rows().iter().any(|row| row.rule == ruling.rule.id);
        let says_so = ruling.measured == Measured::InPlay;
        assert_eq!(is_measured, says_so, "{}", ruling.rule.id);
    }
    for row in rows() {
        let ruling = rulings().find(|ruling| ruling.rule.id == row.rule);
        assert!(ruling.is_some(), "{} is a ruling", row.rule);
        assert!(0 < row.games && row.matter <= row.games, "{}", row.rule);
        let options = ruling.unwrap().options;
        assert!(
            row.other.is_empty() || options.contains(&row.other),
            "{}",
            row.rule
        );
    }
}

const PREFACE: &str = "# Rulings\n\n\
    Where the source of a game leaves something open, we take a decision, a *ruling*. This page says for each \
    ruling what the source says there (in our words; the quotation is in the source), which readings were possible, why \
    one was taken, and how often that matters. Where the tag `Rules` has an option for another reading, it is named. \
    `overboard explain` with the id prints the same. A ruling changes if the author of a game writes that it was meant \
    otherwise; the letters with our questions are in [letters](letters/overchess.md). Rulings are part of the laws of a game, which \
    have a number: reports, tables, ledgers and the tag [`Laws`](notation.md#tags) name it, and \
    [CHANGELOG](../CHANGELOG.md) says what each number changed.\n\n\
    **How often.** Built-in players played games under our reading, each player against itself, after eight random \
    plies: a thousand games each. We counted the games in which the two readings differ. With an option, each \
    record was judged under it, and counts if it then breaks a rule or has another result. Without one, a game counts if the case \
    that the ruling is about occurs. That need not change the result, so these figures are upper bounds. `just rulings` plays and \
    counts again; the figures are in `tests/rulings/measured.tsv`.\n";

fn figures() -> String {
    let rows = rows();
    let mut text = String::from(
        "\n## Figures\n\n| ruling | games that count: those in which | random | greedy | searched |\n|---|---|---|---|---|\n",
    );
    for (index, first) in rows.iter().enumerate() {
        if rows[..index].iter().any(|row| row.asks_like(first)) {
            continue;
        }
        let option = if first.other.is_empty() {
            String::new()
        } else {
            format!(" `{}`", first.other)
        };
        write!(
            text,
            "| [{0}](#{0}){option} | {1} |",
            first.rule, first.counted
        )
        .unwrap();
        for row in rows.iter().filter(|row| row.asks_like(first)) {
            write!(text, " {} |", share(row)).unwrap();
        }
        text.push('\n');
    }
    text.push_str("\n*Searched* is");
    let mut searched: Vec<_> = rows.iter().map(|row| (row.game, row.player)).collect();
    searched.retain(|(_, player)| player.contains(':'));
    searched.dedup();
    let searched: Vec<_> = searched
        .iter()
        .map(|(game, player)| format!("`{player}` in {game}"))
        .collect();
    writeln!(text, " {}.", searched.join(", ")).unwrap();
    text
}

fn share(row: &Row) -> String {
    let percent = f64::from(row.matter) * 100.0 / f64::from(row.games);
    format!("{percent:.1} % of {}", row.games)
}

fn entry(page: &Page, ruling: &Ruling) -> String {
    let rule = ruling.rule;
    let mut text = format!(
        "\n<a id=\"{0}\"></a>\n### {0} {1}\n\n*[The rule](rules/{2}.md#{0}). Source: {3}.*\n\n{4}\n\n",
        rule.id, rule.gist, page.name, ruling.place, ruling.says
    );
    for (index, reading) in ruling.readings.iter().enumerate() {
        let whose = if index == 0 { "Our reading" } else { "Another" };
        writeln!(text, "- *{whose}:* {reading}.").unwrap();
    }
    writeln!(text, "\n*Why:* {}", ruling.why).unwrap();
    if !ruling.options.is_empty() {
        let options: Vec<_> = ruling
            .options
            .iter()
            .map(|option| format!("`[Rules \"{option}\"]`"))
            .collect();
        writeln!(text, "\n*Option:* {}", options.join(" or ")).unwrap();
    }
    writeln!(text, "\n*How often:* {}.", how_often(ruling)).unwrap();
    text
}

fn how_often(ruling: &Ruling) -> String {
    if let Measured::Not(why) = ruling.measured {
        return format!("not measured: {why}");
    }
    let rows = rows();
    let mut parts = Vec::new();
    for row in rows.iter().filter(|row| row.rule == ruling.rule.id) {
        let option = if row.other.is_empty() {
            String::new()
        } else {
            format!(" under `{}`", row.other)
        };
        parts.push(format!("`{}`{option} {}", row.player, share(row)));
    }
    format!("{} ([figures](#figures))", parts.join(", "))
}

#[test]
fn the_page_of_rulings_says_what_the_entries_say() {
    let mut text = String::from(PREFACE);
    text.push_str(&figures());
    for page in PAGES.iter().filter(|page| !page.rulings.is_empty()) {
        write!(text, "\n## {}\n", page.title).unwrap();
        for ruling in page.rulings {
            text.push_str(&entry(page, ruling));
        }
    }
    stands("rulings.md", &text);
}

/// The diagrams of a letter: the game and the position of the comment before each, and the block itself.
fn diagrams(letter: &str) -> Vec<(&str, &str, &str)> {
    let after_each = letter.split("<!-- ").skip(1);
    after_each
        .map(|text| {
            let (drawn, rest) = text.split_once("' -->\n```text\n").unwrap();
            let (game, position) = drawn.split_once(" '").unwrap();
            (game, position, rest.split_once("\n```").unwrap().0)
        })
        .collect()
}

#[test]
fn the_diagrams_of_the_letters_are_what_the_tool_draws() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/letters");
    let mut letters = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let letter = fs::read_to_string(&path).unwrap();
        for (game, position, block) in diagrams(&letter) {
            let (drawn, exit) = printed(&overboard(&[
                "show",
                "--ascii",
                "--variant",
                game,
                "--fen",
                position,
            ]));
            assert_eq!((drawn.trim_end(), exit), (block, 0), "{}", path.display());
        }
        letters += 1;
    }
    assert_eq!(letters, 5, "one letter for each author");
}
