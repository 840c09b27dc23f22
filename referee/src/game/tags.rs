//! What the tags of a record say about its game, and whether they contradict each other.

use crate::game::catalogue::Catalogue;
use overboard_formats::{
    header::{Header, Name},
    limits::Limits,
};
use overboard_rules::{
    ply::BoardName,
    refusal::list,
    variant::{OptionValue, RuleOption, VariantInfo},
};
use std::collections::HashSet;

/// Contradictions among the tags: the tag at fault, and the message.
#[must_use]
pub fn contradictions(
    header: &Header,
    game: &VariantInfo,
    games: Catalogue,
    limits: &Limits,
) -> Vec<(Name, String)> {
    let mut wrong = Vec::new();
    if let Some(rules) = header.text(Name::Rules) {
        // The sheet of a board of chess says whether its players take turns.
        let is_free_board = has_free_turns(header) && !game.has_levels;
        let is_own = |item: &&str| !(is_free_board && *item == FREE_TURNS);
        let own: Vec<_> = rules.split(':').filter(is_own).collect();
        let faults = if own.is_empty() {
            Vec::new()
        } else {
            option_faults(&own.join(":"), game, limits)
        };
        wrong.extend(faults.into_iter().map(|what| (Name::Rules, what)));
    }
    if let Some(level) = header.text(Name::Level) {
        match level.parse::<u32>() {
            Ok(level) if level <= limits.level => {
                let named = header
                    .bytes(Name::Variant)
                    .and_then(|name| games.level_of(name))
                    .map(u32::from);
                if let Some(named) = named.filter(|named| *named != level) {
                    wrong.push((
                        Name::Level,
                        format!("the game named by Variant has the level {named}"),
                    ));
                }
            }
            Ok(level) => wrong.push((
                Name::Level,
                format!(
                    "level {level} is beyond the limit of {} (--max-level)",
                    limits.level
                ),
            )),
            Err(_) => wrong.push((
                Name::Level,
                "Level must be a whole number, 0 or higher".into(),
            )),
        }
    }
    if let Some(boards) = header.text(Name::Boards) {
        wrong.extend(list_faults(header, &boards, limits));
    }
    wrong
}

/// Whether a sheet is that of a board of Mega-Chess, by the way to it: its last step is the address of a mega-square.
#[must_use]
pub fn is_of_an_item(header: &Header) -> bool {
    let way = header.bytes(Name::Parent);
    let step = way.and_then(|way| way.rsplit(|byte| *byte == b'/').next());
    matches!(step, Some([b'A'..=b'H', b'1'..=b'8']))
}

/// The item of the tag Rules that lets either player move on a board of Mega-Chess (MG-18).
const FREE_TURNS: &str = "turns=free";

/// Whether a sheet is that of a board on which either player may move.
#[must_use]
pub fn has_free_turns(header: &Header) -> bool {
    let rules = header.text(Name::Rules).unwrap_or_default();
    is_of_an_item(header) && rules.split(':').any(|item| item == FREE_TURNS)
}

/// What is wrong with a list of rules (the form of the tag Rules) for this game.
#[must_use]
pub fn option_faults(rules: &str, game: &VariantInfo, limits: &Limits) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut seen = HashSet::new();
    for item in rules.split(':') {
        let (name, value) = RuleOption::split(item);
        if !seen.insert(name) {
            wrong.push(format!("the rule `{name}` occurs twice"));
        } else if game.option(name, value).is_none() {
            wrong.push(unknown_option(item, name, game));
        } else if name == "depth"
            && value
                .and_then(|d| d.parse::<u32>().ok())
                .is_some_and(|depth| depth > limits.level)
        {
            wrong.push(format!(
                "`{item}` is beyond the limit of {} (--max-level)",
                limits.level
            ));
        }
    }
    wrong
}

/// Why an item of a list of rules is not an option of a game, with what it could be.
fn unknown_option(item: &str, name: &str, game: &VariantInfo) -> String {
    let options = game.options;
    let values = options.iter().filter(|option| option.name == name);
    let values: Vec<_> = values
        .map(|option| match option.value {
            OptionValue::Switch => format!("`{name}` alone"),
            OptionValue::OneOf(words) => {
                list(words.iter().map(|word| format!("`{name}={word}`")), "or")
            }
            OptionValue::Text(_) => format!("`{name}=` and a value"),
        })
        .collect();
    let mut names: Vec<_> = options.iter().map(|option| option.name).collect();
    names.dedup();
    let message = format!("`{item}` is not an option of {}", game.name);
    match (&values[..], &names[..]) {
        ([], []) => message,
        ([], names) => format!("{message}, which has {}", list(names, "and")),
        (values, _) => format!("{message}, which has {}", list(values, "or")),
    }
}

/// The names of so many boards, as the tag Boards lists them.
fn letters(count: usize) -> String {
    let names: Vec<_> = (0..count)
        .map(|board| BoardName(board).to_string())
        .collect();
    names.join(":")
}

/// The tag Boards for a number of boards, ready to be copied.
fn boards_tag(count: usize) -> String {
    const WHOLE: usize = 12;
    if count > WHOLE {
        return format!("[Boards \"{}:…\"], {count} boards in all", letters(3));
    }
    format!("[Boards \"{}\"]", letters(count.max(2)))
}

fn list_faults(header: &Header, boards: &str, limits: &Limits) -> Vec<(Name, String)> {
    let count = boards.split(':').count();
    if count > limits.boards {
        return vec![(
            Name::Boards,
            format!(
                "{count} boards are beyond the limit of {} (--max-boards)",
                limits.boards
            ),
        )];
    }
    let mut wrong = Vec::new();
    if boards != letters(count) {
        // A number of boards instead of their names, or names of our own.
        let count = boards.trim().parse().unwrap_or(count.max(2));
        let message = format!("boards are named by letters: {}", boards_tag(count));
        wrong.push((Name::Boards, message));
    }
    for side in [Name::White, Name::Black] {
        let Some(list) = header.text(side) else {
            continue;
        };
        let players = list.split(':').count();
        // `?`, which means unknown in the standard, stands for the whole list.
        let is_known = !matches!(&*list, "" | "?");
        if is_known && players != count {
            let message = format!("Boards lists {count} boards, while {side:?} lists {players}");
            wrong.push((side, message));
        }
    }
    wrong
}
