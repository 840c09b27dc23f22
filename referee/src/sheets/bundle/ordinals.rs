//! The ordinals (`%seq`) that sheets give their plies: read and removed.

use crate::sheets::{Item, Origin, Problem, ends_a_consolidation, stripped};
use overboard_formats::{lex::Prose, parse::Open, record::Node};

/// What the ordinals of a record say.
pub enum Ordinals {
    /// Every ply has its own.
    All,
    /// Not every ply has one.
    Some,
    /// They do not fit.
    Wrong(Problem),
}

/// A game, or a game in it, as its ordinals are read.
#[derive(Default)]
struct Level {
    /// The ordinal of the last ply, until it is read.
    owed: Option<u64>,
    /// Whether a comment with nothing but an ordinal was removed just now.
    parted: bool,
}

/// A record as its ordinals are read and taken away.
#[derive(Default)]
struct Cleaning {
    clean: Vec<Item>,
    /// The innermost game that is open.
    level: Level,
    /// Those around it.
    around: Vec<Level>,
    /// How many plies there were.
    plies: u64,
    /// How many plies had an ordinal.
    reported: u64,
    /// The first ordinal that does not fit.
    wrong: Option<Problem>,
}

/// Takes away `%seq` and `%in`, and the numbers that they made necessary.
pub fn cleaned(items: Vec<Item>) -> (Vec<Item>, Ordinals) {
    let mut cleaning = Cleaning { clean: Vec::with_capacity(items.len()), ..Cleaning::default() };
    let mut ravs = 0_usize;
    for at in 0..items.len() {
        match items[at].0 {
            Node::RavOpen => ravs += 1,
            Node::RavClose => ravs = ravs.saturating_sub(1),
            _ => {}
        }
        if ravs == 0 {
            cleaning.take(&items, at);
        } else {
            cleaning.clean.push(items[at].clone());
        }
    }
    let ordinals = match cleaning.wrong {
        Some(problem) => Ordinals::Wrong(problem),
        None if cleaning.reported == cleaning.plies => Ordinals::All,
        None => Ordinals::Some,
    };
    (cleaning.clean, ordinals)
}

impl Cleaning {
    /// Takes the next item of the main line.
    fn take(&mut self, items: &[Item], at: usize) {
        let parted = std::mem::take(&mut self.level.parted);
        match &items[at].0 {
            Node::Prose(prose @ (Prose::Brace | Prose::Line), text) => {
                return self.hear(*prose, text, &items[at]);
            }
            // One before an action was there before.
            Node::Number(number)
                if parted
                    && number.ends_with("...")
                    && matches!(items.get(at + 1), Some((Node::Ply(_), _))) =>
            {
                return;
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
                if matches!(node, Node::Ply(_)) || ends_a_consolidation(items, at) {
                    self.plies += 1;
                    self.level.owed = Some(self.plies);
                }
            }
        }
        self.clean.push(items[at].clone());
    }

    /// Takes a comment: reads its ordinal, and keeps the rest of it.
    fn hear(&mut self, prose: Prose, text: &str, item: &Item) {
        let (found, rest) = stripped(text);
        let ordinals = found.iter().filter(|(name, _)| name == "seq");
        for ordinal in ordinals.filter_map(|(_, reported)| reported.parse::<u64>().ok()) {
            let Some(owed) = self.level.owed.take() else { continue };
            self.reported += 1;
            if ordinal != owed && self.wrong.is_none() {
                self.wrong = Some(misplaced(ordinal, owed, item.1));
            }
        }
        if found.is_empty() {
            self.clean.push(item.clone());
        } else if rest.is_empty() {
            // Written twice: the number after it was in the original record.
            self.level.parted = found.len() == 1;
        } else {
            self.clean.push((Node::Prose(prose, rest), item.1));
        }
    }
}

/// The problem of a ply whose ordinal is wrong.
pub fn misplaced(reported: u64, right: u64, origin: Origin) -> Problem {
    if reported > right {
        let last = reported - 1;
        let which =
            if last == right { format!("ply {right} is") } else { format!("plies {right} to {last} are") };
        return Problem::at(
            "missing-sheet",
            format!("{which} on no sheet: one is missing that was played before this ply"),
            origin,
        );
    }
    let what =
        format!("this ply says that it is number {reported} of the game, and {} come before it", right - 1);
    Problem::at("unfit", what, origin)
}
