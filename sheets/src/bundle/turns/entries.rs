//! What stands on a sheet of a board of Mega-Chess, one ply or end of a turn after the other.

use super::{BoardSheet, MARKS, supplied::Sheeted};
use crate::{
    Count, Item, Items, Origin, Problem, Tagged as _, bundle::ordinals::ordinals, without,
};
use overboard_formats::{lex::Prose, record::Node};
use overboard_rules::square::Side;
use std::{collections::HashSet, iter::Peekable};

/// What stands on a sheet between two others of its kind: a ply, a draw, or the end of a turn, with the remarks after it.
pub struct Entry {
    /// The ordinal of the ply, or of the last one of the turn.
    pub ordinal: u64,
    pub what: What,
    /// The way to the board.
    pub on: Vec<String>,
    pub side: Side,
    pub origin: Origin,
    pub after: Vec<Item>,
}

pub enum What {
    /// A ply or a draw, as it is written.
    Ply(Node),
    /// The end of a turn, with the sign after it.
    Turn(String),
}

/// The entries of a sheet in their order.
pub struct Entries<'p> {
    items: Peekable<Items<'p>>,
    on: Vec<String>,
    /// Remarks before the next entry.
    before: Vec<Item>,
    /// Whether those before the first entry stay by themselves: on the outermost sheet.
    has_lead: bool,
    pub read: Option<Entry>,
    /// The ordinals of the plies that lack them.
    supplied: Supply<'p>,
    /// Where plies stand whose ordinals are taken from there, too.
    doubtful: &'p HashSet<u64>,
    /// The side that makes the next ply.
    side: Side,
    pub wrong: Option<Problem>,
}

/// Where plies that have no ordinals get them from.
pub enum Supply<'p> {
    /// What was found in the others.
    Found(std::slice::Iter<'p, u64>),
    /// Nothing is known yet.
    Sought,
}

/// The ordinal of a ply of which it is still sought.
const SOUGHT: u64 = u64::MAX;

impl BoardSheet {
    /// What it says of the order of its plies; `None` if it cannot be read to its end.
    pub fn survey(&self) -> Option<Vec<Sheeted>> {
        let mut entries = Entries::of(self, Supply::Sought);
        let found = entries.read_on(self);
        entries.wrong.is_none().then_some(found)
    }
}

impl<'p> Entries<'p> {
    /// What a sheet says of the order of its plies, as far as it can be read.
    pub fn read_on(&mut self, sheet: &BoardSheet) -> Vec<Sheeted> {
        let mut found = Vec::new();
        while self.fill().is_some()
            && let Some(entry) = self.read.take()
        {
            let is_mate = matches!(&entry.what, What::Ply(Node::Ply(ply)) if ply.contains('#'));
            found.push(Sheeted {
                origin: entry.origin,
                ordinal: Some(entry.ordinal).filter(|ordinal| *ordinal != SOUGHT),
                ends_turn: matches!(entry.what, What::Turn(_)),
                side: entry.side,
                may_end: is_mate,
            });
        }
        let is_result =
            |(node, _): Item| matches!(&node, Node::Result(result) if result.as_str() != "*");
        if sheet.kept.items().any(is_result)
            && let Some(last) = found.last_mut()
        {
            last.may_end = true;
        }
        found
    }

    /// Those of a sheet, with the ordinals that were supplied.
    pub fn supplied(sheet: &'p BoardSheet) -> Self {
        Self::of(sheet, Supply::Found(sheet.supplied.iter()))
    }

    pub fn of(sheet: &'p BoardSheet, supplied: Supply<'p>) -> Self {
        Self {
            items: sheet.kept.body_items().peekable(),
            on: sheet.path.clone(),
            before: Vec::new(),
            has_lead: sheet.path.is_empty(),
            read: None,
            supplied,
            doubtful: &sheet.doubtful,
            side: Count::from(sheet.kept.tag("FEN")).side,
            wrong: None,
        }
    }

    /// Reads the next entry, unless one is read already.
    pub fn fill(&mut self) -> Option<&Entry> {
        while self.read.is_none() && self.wrong.is_none() {
            let (node, origin) = self.items.next()?;
            match node {
                Node::Number(_) => {}
                Node::Prose(Prose::Brace | Prose::Line, _) => self.remark((node, origin)),
                Node::Ply(_) => self.ply(node, origin),
                Node::Result(_) => {}
                _ => self.before.push((node, origin)),
            }
        }
        if let Some(entry) = &mut self.read
            && !self.has_lead
        {
            entry.after.splice(..0, self.before.drain(..));
        }
        self.read.as_ref()
    }

    /// The remarks before the first entry, once that is read.
    pub fn take_lead(&mut self) -> Vec<Item> {
        self.has_lead = false;
        std::mem::take(&mut self.before)
    }

    /// A comment before the next ply: it may say where the board is, end a turn, or give the ordinal of a draw.
    fn remark(&mut self, (node, origin): Item) {
        let Node::Prose(prose, text) = &node else {
            return;
        };
        let (found, rest) = without(text, &MARKS);
        let mut ended = None;
        for (name, said) in &found {
            match name.as_str() {
                "on" => self.stand_on(said, origin),
                "turn" => ended = Some(said.clone()),
                // The ordinal of a draw, whose result comes next.
                _ => {
                    if let Some((Node::Result(_), _)) = self.items.peek()
                        && let Some((result, origin)) = self.items.next()
                    {
                        let ordinal = self.ordinal(said.parse().ok(), origin);
                        self.begin(ordinal, What::Ply(result), origin);
                    }
                }
            }
        }
        if found.is_empty() || !rest.is_empty() {
            self.before.push((Node::Prose(*prose, rest), origin));
        }
        if let Some(said) = ended {
            let (ordinal, sign) = said.split_once(' ').unwrap_or((&said, ""));
            self.begin(ordinal.parse().ok(), What::Turn(sign.into()), origin);
        }
        self.take_remarks();
    }

    /// The board stands elsewhere from here on, as deep as before.
    fn stand_on(&mut self, said: &str, origin: Origin) {
        let on: Vec<_> = said.split('.').map(String::from).collect();
        if on.len() == self.on.len() {
            self.on = on;
        } else {
            let what = format!("`{said}` is no place of this board, which is at another level");
            self.wrong = Some(Problem::at("unfit", what, origin));
        }
    }

    fn begin(&mut self, ordinal: Option<u64>, what: What, origin: Origin) {
        match ordinal {
            Some(ordinal) => {
                self.read = Some(Entry {
                    ordinal,
                    what,
                    on: self.on.clone(),
                    side: self.side,
                    origin,
                    after: Vec::new(),
                });
            }
            None => self.lacks_ordinal("this", origin),
        }
    }

    /// A ply with what stands after it up to its ordinal; `--` without one says that a player was passed over.
    fn ply(&mut self, node: Node, origin: Origin) {
        let (mut ravs, mut after, mut ordinal) = (0, Vec::new(), None);
        while ordinal.is_none()
            && let Some((remark, at)) = self.next_remark(&mut ravs, &["turn", "on"])
        {
            let (prose, text) = match remark {
                Node::Prose(prose @ (Prose::Brace | Prose::Line), text) if ravs == 0 => {
                    (prose, text)
                }
                sign => {
                    after.push((sign, at));
                    continue;
                }
            };
            let (found, rest) = without(&text, &["seq"]);
            ordinal = ordinals(&found).next();
            if found.is_empty() || !rest.is_empty() {
                after.push((Node::Prose(prose, rest), at));
            }
        }
        let is_passed_over = matches!(&node, Node::Ply(ply) if ply == "--");
        if !is_passed_over {
            ordinal = self.ordinal(ordinal, origin);
        }
        let side = self.side;
        self.side = side.other();
        if ordinal.is_some() {
            self.begin(ordinal, What::Ply(node), origin);
            if let Some(entry) = &mut self.read {
                (entry.side, entry.after) = (side, after);
            }
            self.take_remarks();
            return;
        }
        self.before.extend(after);
        if let Node::Ply(ply) = node
            && !is_passed_over
        {
            self.lacks_ordinal(&format!("the ply `{ply}`"), origin);
        }
    }

    /// The ordinal of a ply that has this one or none.
    fn ordinal(&mut self, written: Option<u64>, origin: Origin) -> Option<u64> {
        match written {
            Some(written) if !self.doubtful.contains(&origin.place.span.from) => Some(written),
            _ => self.supplied.next(),
        }
    }

    /// The remarks after an entry, up to the next one.
    fn take_remarks(&mut self) {
        let mut ravs = 0;
        while self.read.is_some()
            && let Some(remark) = self.next_remark(&mut ravs, &MARKS)
            && let Some(entry) = &mut self.read
        {
            entry.after.push(remark);
        }
    }

    /// The next item, if it belongs to what stands before it: a sign, part of a variation, or a comment without these
    /// commands.
    fn next_remark(&mut self, ravs: &mut usize, ends: &[&str]) -> Option<Item> {
        match &self.items.peek()?.0 {
            Node::RavOpen => *ravs += 1,
            Node::RavClose => *ravs = ravs.saturating_sub(1),
            _ if *ravs > 0 => {}
            Node::Glyphs(_) | Node::Nag(_) => {}
            Node::Prose(_, text) if without(text, ends).0.is_empty() => {}
            _ => return None,
        }
        self.items.next()
    }

    fn lacks_ordinal(&mut self, what: &str, origin: Origin) {
        let message = format!(
            "{what} has no ordinal, and the others do not say which: on the sheets of the boards of Mega-Chess `{{[%seq 17]}}` stands after every ply"
        );
        self.wrong = Some(Problem::at("open-order", message, origin));
    }
}

impl Supply<'_> {
    /// The ordinal of the next ply that has none.
    fn next(&mut self) -> Option<u64> {
        match self {
            Self::Found(ordinals) => ordinals.next().copied(),
            Self::Sought => Some(SOUGHT),
        }
    }
}
