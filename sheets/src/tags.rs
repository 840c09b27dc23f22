//! Tags of sheets: those that are supplied, and removed again.

use super::{Item, Origin, Problem, Tagged, bundle::is_of_pairs};
use overboard_formats::{header::unescape_list, lex::Prose, parse::result_of, record::Node};
use overboard_games::{bughouse::team, overchess, registry::Variant};
use overboard_rules::{ply::BoardName, square::Side};

/// The tags that sheets have for themselves.
pub const OWN: [&str; 4] = ["GameId", "Parent", "Stated", "Around"];

/// What stands before the moves.
pub fn before_moves(items: &[Item]) -> impl Iterator<Item = &Item> {
    items
        .iter()
        .take_while(|(node, _)| matches!(node, Node::Tag(..) | Node::Prose(..)))
}

/// The tags of the record itself.
pub fn header(items: &[Item]) -> impl Iterator<Item = (&str, &str)> {
    before_moves(items).filter_map(|(node, _)| match node {
        Node::Tag(name, value) => Some((name.as_str(), value.as_str())),
        _ => None,
    })
}

/// Where the tags end: after the last one before the moves.
pub fn end_of_tags(items: &[Item]) -> usize {
    let mut end = 0;
    for (at, (node, _)) in before_moves(items).enumerate() {
        if matches!(node, Node::Tag(..)) {
            end = at + 1;
        }
    }
    end
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
    /// Whether teams have both colours.
    is_of_pairs: bool,
}

impl Common {
    /// Of the outermost record of a game.
    pub fn of(root: &impl Tagged) -> Self {
        let tag = |name: &str, unknown: &str| root.tag(name).unwrap_or(unknown).to_string();
        let names = |name: &str| {
            root.tag(name)
                .unwrap_or("?")
                .split(':')
                .map(unescape_list)
                .collect()
        };
        Self {
            event: tag("Event", "?"),
            site: tag("Site", "?"),
            date: tag("Date", "????.??.??"),
            round: tag("Round", "?"),
            white: names("White"),
            black: names("Black"),
            rules: tag("Rules", ""),
            is_of_pairs: is_of_pairs(root),
        }
    }

    /// The tags that the sheet of a sub-game is given where it has none of their names; `steps` lead to it.
    pub fn of_sub_game(&self, steps: &[&str], result: &str) -> Vec<(&'static str, String)> {
        let mut tags = self.roster(&steps.join("."), "?", "?", result);
        let depth = overchess::depth(&self.rules) as usize;
        if depth > steps.len() {
            let left = depth - steps.len();
            let mut rules = Vec::new();
            for item in self.rules.split(':') {
                // Spares are the outermost game's alone (OV-25).
                if !item.starts_with("depth=") && !item.starts_with("reserves=") {
                    rules.push(item.to_string());
                }
            }
            rules.push(format!("depth={left}"));
            tags.extend([
                ("Rules", rules.join(":")),
                ("Variant", Variant::Over.name().into()),
            ]);
        }
        tags
    }

    /// The tags of the sheet of a board.
    pub fn of_board(&self, board: usize) -> Vec<(&'static str, String)> {
        let letters = BoardName(board).to_string();
        let (mut white, mut black) = (player(&self.white, board), player(&self.black, board));
        if self.is_of_pairs && team(board, Side::White) != Side::White {
            std::mem::swap(&mut white, &mut black);
        }
        let game = if self.is_of_pairs {
            Variant::Bughouse
        } else {
            Variant::Strategi
        };
        let mut tags = self.roster(&letters, &white, &black, "*");
        tags.push(("Variant", game.name().into()));
        tags
    }

    /// The tags of the sheet of a board of Mega-Chess: on the way `path`, in a game of `level`; `start` is its position
    /// at the start, if that is not the array.
    pub fn of_mega_board(
        &self,
        path: &[String],
        level: usize,
        result: &str,
        start: Option<&String>,
    ) -> Vec<(&'static str, String)> {
        let (white, black) = (player(&self.white, 0), player(&self.black, 0));
        let mut tags = self.roster(&path.join("."), &white, &black, result);
        if !self.rules.is_empty() {
            tags.push(("Rules", self.rules.clone()));
        }
        let left = level.saturating_sub(path.len());
        if left > 0 {
            tags.extend([
                ("Level", left.to_string()),
                ("Variant", Variant::Mega.name().into()),
            ]);
        }
        if let Some(fen) = start {
            tags.extend([("FEN", fen.clone()), ("SetUp", "1".into())]);
        }
        tags
    }

    fn roster(
        &self,
        place: &str,
        white: &str,
        black: &str,
        result: &str,
    ) -> Vec<(&'static str, String)> {
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

/// The name of who plays on a board.
fn player(names: &[String], board: usize) -> String {
    match names.get(board) {
        Some(name) => name.clone(),
        None => "?".into(),
    }
}

/// The result of a record, as tags write it, from its last node that is no comment, outside everything that it holds.
pub fn last_result(node: Option<&Node>) -> &'static str {
    match node {
        Some(Node::Result(text)) if text == "0-0" => "0-0",
        Some(Node::Result(text)) => result_of(text.as_bytes()).unwrap_or("*"),
        _ => "*",
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
    let at = if name == "Event" {
        0
    } else {
        end_of_tags(items)
    };
    items.insert(at, (Node::Tag(name.into(), value), origin));
}

fn tag_of<'a>(items: &'a [Item], name: &str) -> Option<(&'a str, Origin)> {
    before_moves(items).find_map(|(node, origin)| match node {
        Node::Tag(known, value) if known == name => Some((value.as_str(), *origin)),
        _ => None,
    })
}

/// What becomes of a tag of a sheet in the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// It is the game's own.
    Stays,
    /// It was supplied, or is the sheet's alone, or says nothing.
    Goes,
    /// It says something for which a block has no place.
    Homeless,
}

/// What [`supply`] added to a sheet.
pub struct Supplied {
    stated: Vec<String>,
    tags: Vec<(&'static str, String)>,
}

impl Supplied {
    /// These tags, as far as the sheet does not say that it had them before.
    pub fn to(sheet: &impl Tagged, tags: Vec<(&'static str, String)>) -> Self {
        let stated = sheet.tag("Stated").unwrap_or_default();
        Self {
            stated: stated.split(':').map(String::from).collect(),
            tags,
        }
    }

    /// Whether a tag was supplied with this value, or says nothing; not if the sheet had it before.
    fn adds_nothing(&self, name: &str, value: &str) -> bool {
        let mut tags = self.tags.iter();
        let is_stated = self.stated.iter().any(|stated| stated == name);
        let is_unknown = matches!(value, "?" | "????.??.??");
        !is_stated && (is_unknown || tags.any(|(known, given)| *known == name && given == value))
    }

    /// What becomes of a tag.
    pub fn keeps(&self, name: &str, value: &str) -> Kept {
        if OWN.contains(&name) || self.adds_nothing(name, value) {
            Kept::Goes
        } else if name == "Event" {
            Kept::Homeless
        } else {
            Kept::Stays
        }
    }
}

/// Whether a node says that a game was begun or how it ended: a block without one is not valid.
pub fn says_something(node: &Node) -> bool {
    !matches!(node, Node::Tag(..) | Node::Number(_)) && !is_remark(node)
}

/// Whether a node says nothing about the course of the game.
pub fn is_remark(node: &Node) -> bool {
    matches!(node, Node::Prose(..) | Node::Nag(_) | Node::Glyphs(_))
}

/// A comment that holds one command.
pub fn command(text: String, origin: Origin) -> Item {
    (Node::Prose(Prose::Brace, format!("[%{text}]")), origin)
}
