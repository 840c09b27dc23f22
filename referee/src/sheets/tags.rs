//! Tags of sheets: those that are supplied, and removed again.

use super::{Item, Origin, Problem, Sheet};
use overboard_formats::{header::unescape_list, lex::Prose, record::Node};
use overboard_games::{overchess, registry::Variant};
use overboard_rules::ply::BoardName;

/// The tags that sheets have for themselves.
pub const OWN: [&str; 4] = ["GameId", "Parent", "Stated", "Around"];

/// The tags of the record itself.
pub fn header(items: &[Item]) -> impl Iterator<Item = (&str, &str)> {
    let before_moves = |node: &&Node| matches!(node, Node::Tag(..) | Node::Prose(..));
    items.iter().map(|(node, _)| node).take_while(before_moves).filter_map(|node| match node {
        Node::Tag(name, value) => Some((name.as_str(), value.as_str())),
        _ => None,
    })
}

/// Where the tags end: after the last one before the moves.
pub fn end_of_tags(items: &[Item]) -> usize {
    let before_moves = items.iter().take_while(|(node, _)| matches!(node, Node::Tag(..) | Node::Prose(..)));
    let last = before_moves.enumerate().filter(|(_, (node, _))| matches!(node, Node::Tag(..))).last();
    last.map_or(0, |(at, _)| at + 1)
}

/// What the sheets of a game take from its outermost record.
#[derive(Clone, Default, Debug)]
pub struct Common {
    event: String,
    site: String,
    date: String,
    round: String,
    white: Vec<String>,
    black: Vec<String>,
    pub rules: String,
}

impl Common {
    /// Of the outermost record of a game.
    pub fn of(root: &Sheet) -> Self {
        let tag = |name: &str, unknown: &str| root.tag(name).unwrap_or(unknown).to_string();
        let names = |name: &str| root.tag(name).unwrap_or("?").split(':').map(unescape_list).collect();
        Self {
            event: tag("Event", "?"),
            site: tag("Site", "?"),
            date: tag("Date", "????.??.??"),
            round: tag("Round", "?"),
            white: names("White"),
            black: names("Black"),
            rules: tag("Rules", ""),
        }
    }

    /// The tags that the sheet of a sub-game is given where it has none of their names; `steps` lead to it.
    pub fn of_sub_game(&self, steps: &[&str], result: &str) -> Vec<(&'static str, String)> {
        let mut tags = self.roster(&steps.join("."), "?", "?", result);
        let depth = overchess::depth(&self.rules) as usize;
        if depth > steps.len() {
            let left = depth - steps.len();
            // Spares are the outermost game's alone (OV-25).
            let is_own = |item: &&str| !item.starts_with("depth=") && !item.starts_with("reserves=");
            let others = self.rules.split(':').filter(is_own);
            let rules: Vec<_> = others.map(String::from).chain([format!("depth={left}")]).collect();
            tags.extend([("Rules", rules.join(":")), ("Variant", Variant::Over.name().into())]);
        }
        tags
    }

    /// The tags of the sheet of a board.
    pub fn of_board(&self, board: usize) -> Vec<(&'static str, String)> {
        let name = |names: &[String]| names.get(board).map_or("?".into(), String::clone);
        let letters = BoardName(board).to_string();
        let mut tags = self.roster(&letters, &name(&self.white), &name(&self.black), "*");
        tags.push(("Variant", Variant::Strategi.name().into()));
        tags
    }

    fn roster(&self, place: &str, white: &str, black: &str, result: &str) -> Vec<(&'static str, String)> {
        vec![
            ("Event", self.event.clone()),
            ("Site", self.site.clone()),
            ("Date", self.date.clone()),
            ("Round", format!("{}.{place}", self.round)),
            ("White", white.into()),
            ("Black", black.into()),
            ("Result", result.into()),
        ]
    }
}

/// The result that stands last in a record, outside everything that it holds, as tags write it.
pub fn result(items: &[Item]) -> &str {
    let last = items.iter().rev().find_map(|(node, _)| match node {
        Node::Result(text) => Some(Some(text.as_str())),
        Node::Prose(..) => None,
        _ => Some(None),
    });
    match last.flatten().unwrap_or("*") {
        result @ ("1-0" | "0-1" | "*") => result,
        _ => "1/2-1/2",
    }
}

/// Adds the tags that are supplied, and Stated where one of them is there already with the same value.
pub fn supply(
    items: &mut Vec<Item>,
    supplied: Vec<(&'static str, String)>,
    origin: Origin,
) -> Result<(), Problem> {
    for name in OWN {
        if let Some((_, origin)) = tag_of(items, name) {
            let what = format!("the sub-game has a tag {name}, which sheets need for themselves");
            return Err(Problem::at("unsupported", what, origin));
        }
    }
    let mut stated = Vec::new();
    for (name, value) in supplied {
        match tag_of(items, name) {
            Some((known, _)) if known == value => stated.push(name),
            Some(_) => {}
            None => add(items, name, value, origin),
        }
    }
    if !stated.is_empty() {
        add(items, "Stated", stated.join(":"), origin);
    }
    Ok(())
}

/// Adds a tag; Event begins a record and stands before all others.
pub fn add(items: &mut Vec<Item>, name: &str, value: String, origin: Origin) {
    let at = if name == "Event" { 0 } else { end_of_tags(items) };
    items.insert(at, (Node::Tag(name.into(), value), origin));
}

fn tag_of<'a>(items: &'a [Item], name: &str) -> Option<(&'a str, Origin)> {
    items.iter().take_while(|(node, _)| matches!(node, Node::Tag(..) | Node::Prose(..))).find_map(
        |(node, origin)| match node {
            Node::Tag(known, value) if known == name => Some((value.as_str(), *origin)),
            _ => None,
        },
    )
}

/// Takes away what [`supply`] added, and returns the tags of a sheet that a block cannot hold.
pub fn take_away(items: &mut Vec<Item>, supplied: &[(&'static str, String)]) -> Vec<Item> {
    let stated = tag_of(items, "Stated").map(|(names, _)| names.to_string()).unwrap_or_default();
    let stated: Vec<_> = stated.split(':').collect();
    let end = end_of_tags(items);
    let is_supplied = |name: &str, value: &str| {
        !stated.contains(&name) && supplied.iter().any(|(known, given)| *known == name && given == value)
    };
    let mut homeless = Vec::new();
    let header: Vec<_> = items.drain(..end).collect();
    let kept = header.into_iter().filter_map(|item| match &item.0 {
        Node::Tag(name, _) if OWN.contains(&name.as_str()) => None,
        Node::Tag(name, value) if is_supplied(name, value) => None,
        Node::Tag(name, value)
            if matches!(value.as_str(), "?" | "????.??.??") && !stated.contains(&name.as_str()) =>
        {
            None
        }
        Node::Tag(name, _) if name == "Event" => {
            homeless.push(item);
            None
        }
        _ => Some(item),
    });
    let kept: Vec<_> = kept.collect();
    items.splice(0..0, kept);
    homeless
}

/// An empty block is not valid, so the sheet of a game that was not begun gets its result.
pub fn say_something(items: &mut Vec<Item>, origin: Origin) {
    let is_said = |(node, _): &Item| !matches!(node, Node::Tag(..) | Node::Number(_)) && !is_remark(node);
    if !items.iter().any(is_said) {
        let result = result(items).to_string();
        items.push((Node::Result(result), origin));
    }
}

/// Whether a node says nothing about the course of the game.
pub fn is_remark(node: &Node) -> bool {
    matches!(node, Node::Prose(..) | Node::Nag(_) | Node::Glyphs(_))
}

/// A comment that holds one command.
pub fn command(text: String, origin: Origin) -> Item {
    (Node::Prose(Prose::Brace, format!("[%{text}]")), origin)
}
