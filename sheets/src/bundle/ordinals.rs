//! The ordinals (`%seq`) that sheets give their plies: read and removed.

use crate::{Item, Origin, Problem, ends_a_consolidation, ravs_after, stripped};
use overboard_formats::{
    lex::Prose,
    parse::{Open, Verb},
    record::Node,
};
use std::iter::Peekable;

/// What the ordinals of a record say.
pub enum Ordinals {
    /// Every ply has its own.
    All,
    /// Not every ply has one.
    Some,
    /// They do not fit.
    Wrong(Problem),
}

/// The ordinals among the commands of a comment. That of a ply may stand in any comment after it.
pub fn ordinals(commands: &[(String, String)]) -> impl Iterator<Item = u64> + '_ {
    let ordinals = commands.iter().filter(|(name, _)| name == "seq");
    ordinals.filter_map(|(_, ordinal)| ordinal.parse().ok())
}

/// A game, or a game in it, as its ordinals are read.
#[derive(Default)]
struct Level {
    /// The ordinal of the last ply, until it is read.
    owed: Option<u64>,
    /// Whether a comment with nothing but an ordinal was removed just now.
    parted: bool,
}

/// A record as its ordinals are read and taken away: without `%seq` and `%in`, and the numbers that they made necessary.
pub struct Cleaned<I: Iterator<Item = Item>> {
    items: Peekable<I>,
    /// How many variations are open, and which action was opened last.
    ravs: usize,
    verb: Option<Verb>,
    /// The innermost game that is open.
    level: Level,
    /// Those around it.
    around: Vec<Level>,
    /// How many plies there were.
    plies: u64,
    /// How many plies had an ordinal.
    numbered: u64,
    /// The first ordinal that does not fit.
    wrong: Option<Problem>,
}

impl<I: Iterator<Item = Item>> Cleaned<I> {
    /// These items, to be cleaned.
    pub fn of(items: I) -> Self {
        Self {
            items: items.peekable(),
            ravs: 0,
            verb: None,
            level: Level::default(),
            around: Vec::new(),
            plies: 0,
            numbered: 0,
            wrong: None,
        }
    }

    /// What the ordinals say, once all items were taken.
    pub fn ordinals(mut self) -> Ordinals {
        while self.next().is_some() {}
        match self.wrong {
            Some(problem) => Ordinals::Wrong(problem),
            None if self.numbered == self.plies => Ordinals::All,
            None => Ordinals::Some,
        }
    }

    /// Takes the next item of the main line; returns what is left of it.
    fn take(&mut self, item: Item) -> Option<Item> {
        let parted = std::mem::take(&mut self.level.parted);
        match &item.0 {
            Node::Prose(Prose::Brace | Prose::Line, _) => return self.hear(item),
            // One before an action was there before.
            Node::Number(number)
                if parted
                    && number.ends_with("...")
                    && matches!(self.items.peek(), Some((Node::Ply(_), _))) =>
            {
                return None;
            }
            Node::SubgameOpen(_) => {
                self.level.parted = parted;
                self.around.push(std::mem::take(&mut self.level));
            }
            Node::BlockClose(Open::Subgame) => {
                if let Some(outer) = self.around.pop() {
                    self.level = outer;
                }
            }
            node => {
                if matches!(node, Node::Ply(_)) || ends_a_consolidation(node, self.verb) {
                    self.plies += 1;
                    self.level.owed = Some(self.plies);
                }
            }
        }
        Some(item)
    }

    /// Takes a comment: reads its ordinal; returns the rest of it.
    fn hear(&mut self, (node, origin): Item) -> Option<Item> {
        let Node::Prose(prose, text) = &node else {
            return Some((node, origin));
        };
        let (found, rest) = stripped(text);
        for ordinal in ordinals(&found) {
            let Some(owed) = self.level.owed.take() else {
                continue;
            };
            self.numbered += 1;
            if ordinal != owed && self.wrong.is_none() {
                self.wrong = Some(misplaced(ordinal, owed, origin));
            }
        }
        if found.is_empty() {
            return Some((node, origin));
        }
        if rest.is_empty() {
            // Written twice: the number after it was in the original record.
            self.level.parted = found.len() == 1;
            return None;
        }
        Some((Node::Prose(*prose, rest), origin))
    }
}

impl<I: Iterator<Item = Item>> Iterator for Cleaned<I> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            let item = self.items.next()?;
            self.ravs = ravs_after(self.ravs, &item.0);
            if let Node::ActionOpen(verb) = item.0 {
                self.verb = Some(verb);
            }
            if self.ravs > 0 {
                return Some(item);
            }
            if let Some(item) = self.take(item) {
                return Some(item);
            }
        }
    }
}

fn missing(first: u64, last: u64) -> String {
    if first == last {
        format!("ply {first} is")
    } else {
        format!("plies {first} to {last} are")
    }
}

/// The problem of a ply whose ordinal is wrong.
pub fn misplaced(ordinal: u64, right: u64, origin: Origin) -> Problem {
    if ordinal > right {
        let which = missing(right, ordinal - 1);
        let what = format!("{which} on no sheet: one is missing that was played before this ply");
        return Problem::at("missing-sheet", what, origin);
    }
    let what = format!(
        "this ply says that it is number {ordinal} of the game, and {} come before it",
        right - 1
    );
    Problem::at("unfit", what, origin)
}
