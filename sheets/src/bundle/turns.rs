//! Merges the sheets of the boards of Mega-Chess into one record, by the ordinals that the plies on them have.

use super::{
    is_of_turns,
    ordinals::{misplaced, ordinals},
    under_way,
};
use crate::{Count, Item, Origin, Problem, Tagged as _, packed::Packed, without};
use overboard_formats::{lex::Prose, parse::Open, record::Node};
use overboard_rules::square::Side;
use std::{cmp::Reverse, collections::BinaryHeap, iter::Peekable};
use supplied::{Sheeted, supplied};
use unseen::{Unseen, boards_without, missing};

mod supplied;
pub mod unseen;

/// The commands that say where a ply stands in the game, and on which board.
const MARKS: [&str; 3] = ["seq", "turn", "on"];

/// The sheets of a game, the outermost first.
pub struct Turns {
    sheets: Vec<BoardSheet>,
}

/// A sheet, the way to its board at the start, and the ordinals of the plies that lack them, as far as the others say them.
struct BoardSheet {
    kept: Packed,
    path: Vec<String>,
    supplied: Vec<u64>,
}

/// Whether a record says by ordinals that it is the sheet of a game whose boards have others.
pub fn is_marked(sheet: &Packed) -> bool {
    let is_mark = |text: &str| !without(text, &["seq", "turn"]).0.is_empty();
    sheet
        .items()
        .any(|(node, _)| matches!(&node, Node::Prose(Prose::Brace, text) if is_mark(text)))
}

/// What stands on a sheet between two others of its kind: a ply, a draw, or the end of a turn, with the remarks after it.
struct Entry {
    /// The ordinal of the ply, or of the last one of the turn.
    ordinal: u64,
    what: What,
    /// The way to the board.
    on: Vec<String>,
    side: Side,
    origin: Origin,
    after: Vec<Item>,
}

enum What {
    /// A ply or a draw, as it is written.
    Ply(Node),
    /// The end of a turn, with the sign after it.
    Turn(String),
}

/// How far the ordinals put the sheets of a game in an order.
pub struct SoFar {
    /// How many plies and ends of turns there are before the first that has no ordinal, or the wrong one.
    entries: usize,
    /// What is wrong there.
    pub problem: Problem,
    /// The number of the turn in which that is.
    pub number: String,
    /// Where each sheet has its first ply, draw or end of a turn that is in no order, if it has one.
    pub stops: Vec<Option<Origin>>,
}

impl Turns {
    /// The sheets of a family, each with the squares that lead to its board.
    pub fn of(sheets: Vec<(Packed, Vec<String>)>) -> Self {
        let sheets = sheets
            .into_iter()
            .map(|(kept, path)| BoardSheet {
                kept,
                path,
                supplied: Vec::new(),
            })
            .collect();
        let mut turns = Self { sheets };
        turns.supply();
        turns
    }

    /// Supplies ordinals that are missing, if all of them follow from the others.
    fn supply(&mut self) {
        // On a board with boards inside, its own turns would have to be kept together.
        let is_deeper = self.sheets.iter().any(|sheet| sheet.path.len() > 1);
        if is_deeper || !self.is_marked() {
            return;
        }
        let read = self.sheets.iter().map(Entries::survey);
        let Some(read) = read.collect::<Option<Vec<_>>>() else {
            return;
        };
        let is_missing = |entry: &Sheeted| entry.ordinal.is_none();
        if !read.iter().flatten().any(is_missing) {
            return;
        }
        let first = Count::from(self.root().tag("FEN")).side;
        for (sheet, supplied) in self
            .sheets
            .iter_mut()
            .zip(supplied(&read, first).unwrap_or_default())
        {
            sheet.supplied = supplied;
        }
    }

    /// The plies of the boards that have no sheet, if nothing else is missing and everything else fits.
    pub fn unseen(&self) -> Option<Unseen> {
        let homes = self.sheets[1..].iter().map(|sheet| match &sheet.path[..] {
            [home] => Some(home.as_str()),
            _ => None,
        });
        let homes: Vec<_> = homes.collect::<Option<_>>()?;
        let (homes, game) = boards_without(self.root(), &homes)?;
        let read = self.sheets.iter().map(Entries::survey);
        let read: Vec<_> = read.collect::<Option<_>>()?;
        let ordinals = missing(&read, game.turn(), homes.len())?;
        (!ordinals.is_empty()).then_some(Unseen { homes, ordinals })
    }

    /// The outermost sheet.
    pub fn root(&self) -> &Packed {
        &self.sheets[0].kept
    }

    /// How far the plies are in order; `None` if all are.
    pub fn so_far(&self) -> Option<SoFar> {
        let mut merged = self.merged();
        let (mut entries, mut plies) = (0, 0);
        while let Some(entry) = merged.peek() {
            let right = plies + u64::from(matches!(entry.what, What::Ply(_)));
            if entry.ordinal != right {
                let problem = misplaced(entry.ordinal, right, entry.origin);
                return merged.stopped(entries, Some(problem));
            }
            plies = right;
            entries += 1;
            // It also keeps the number of the turn.
            if let Some(entry) = merged.next_entry() {
                merged.write(entry);
            }
        }
        merged.stopped(entries, None)
    }

    /// The record.
    pub fn items(&self) -> impl Iterator<Item = Item> + Send + '_ {
        self.around(self.merged())
    }

    /// The head and the result of the outermost sheet around these plies.
    fn around<'s>(&'s self, merged: Merged<'s>) -> impl Iterator<Item = Item> + Send + 's {
        let root = self.root();
        let head = root.items().take(root.head_length());
        let end = root
            .items()
            .filter(|(node, _)| matches!(node, Node::Result(_)));
        head.chain(merged).chain(end)
    }

    /// The record with the plies that are on no sheet.
    pub fn items_with<'s>(&'s self, unseen: &'s Unseen) -> impl Iterator<Item = Item> + Send + 's {
        let mut merged = self.merged();
        merged.unseen = Some((unseen.mark(), unseen.ordinals.iter().peekable()));
        self.around(merged)
    }

    /// The record as far as its plies are in order. What its end decides is left out.
    pub fn items_so_far(&self, so_far: &SoFar) -> impl Iterator<Item = Item> + Send + '_ {
        let root = self.root();
        let mut merged = self.merged();
        merged.left = so_far.entries;
        under_way(root, root.items().take(root.head_length()), merged)
    }

    /// Whether a sheet is that of a board with boards inside, or the outermost one.
    pub fn has_boards_inside(&self, sheet: usize) -> bool {
        is_of_turns(&self.sheets[sheet].kept)
    }

    /// Whether any ply has an ordinal.
    pub fn is_marked(&self) -> bool {
        self.sheets.iter().any(|sheet| is_marked(&sheet.kept))
    }

    /// The number of the ply that stands at a place of a sheet.
    pub fn number_at(&self, sheet: usize, origin: Origin) -> String {
        let kept = &self.sheets[sheet].kept;
        let is_before = |(_, there): &Item| there.place.span.from <= origin.place.span.from;
        let mut number = Count::from(kept.tag("FEN")).dots();
        for (node, _) in kept.items().take_while(is_before) {
            if let Node::Number(text) = node {
                number = text;
            }
        }
        number
    }

    /// Whether a turn of board moves stands on the outermost sheet itself, as in a record that was never split.
    pub fn is_whole(&self) -> bool {
        let mut items = self.root().items();
        items.any(|(node, _)| matches!(node, Node::TurnOpen))
    }

    fn merged(&self) -> Merged<'_> {
        let sheets = self.sheets.iter().map(Entries::of);
        let mut merged = Merged {
            sheets: sheets.collect(),
            next: BinaryHeap::new(),
            count: Count::from(self.root().tag("FEN")),
            is_open: false,
            open: Vec::new(),
            given: Vec::new().into_iter(),
            left: usize::MAX,
            unseen: None,
            wrong: None,
        };
        for nth in 0..self.sheets.len() {
            merged.queue(nth);
        }
        merged.given = merged.sheets[0].take_lead().into_iter();
        merged
    }
}

/// The entries of a sheet in their order.
struct Entries<'p> {
    items: Peekable<Box<dyn Iterator<Item = Item> + Send + 'p>>,
    on: Vec<String>,
    /// Remarks before the next entry.
    before: Vec<Item>,
    /// Whether those before the first entry stay by themselves: on the outermost sheet.
    has_lead: bool,
    read: Option<Entry>,
    /// The ordinals of the plies that lack them.
    supplied: Supply<'p>,
    /// The side that makes the next ply.
    side: Side,
    wrong: Option<Problem>,
}

/// Where plies that have no ordinals get them from.
enum Supply<'p> {
    /// What was found in the others.
    Found(std::slice::Iter<'p, u64>),
    /// Nothing is known yet.
    Sought,
}

/// The ordinal of a ply of which it is still sought.
const SOUGHT: u64 = u64::MAX;

impl<'p> Entries<'p> {
    /// What a sheet says of the order of its plies; `None` if it cannot be read to its end.
    fn survey(sheet: &'p BoardSheet) -> Option<Vec<Sheeted>> {
        let mut entries = Self::of(sheet);
        entries.supplied = Supply::Sought;
        let mut found = Vec::new();
        while entries.fill().is_some()
            && let Some(entry) = entries.read.take()
        {
            let is_mate = matches!(&entry.what, What::Ply(Node::Ply(ply)) if ply.contains('#'));
            found.push(Sheeted {
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
        entries.wrong.is_none().then_some(found)
    }

    fn of(sheet: &'p BoardSheet) -> Self {
        let body = sheet.kept.items().skip(sheet.kept.head_length());
        let body: Box<dyn Iterator<Item = Item> + Send + 'p> = Box::new(body);
        Self {
            items: body.peekable(),
            on: sheet.path.clone(),
            before: Vec::new(),
            has_lead: sheet.path.is_empty(),
            read: None,
            supplied: Supply::Found(sheet.supplied.iter()),
            side: Count::from(sheet.kept.tag("FEN")).side,
            wrong: None,
        }
    }

    /// Reads the next entry, unless one is read already.
    fn fill(&mut self) -> Option<&Entry> {
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
    fn take_lead(&mut self) -> Vec<Item> {
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
                        self.begin(said.parse().ok(), What::Ply(result), origin);
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
        if ordinal.is_none() && !is_passed_over {
            ordinal = self.supplied.next();
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

/// Where an entry stands among those of the other sheets: after a ply the turns end that end with it, the innermost first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    ordinal: u64,
    ends_turn: bool,
    depth: Reverse<usize>,
    /// The number of the sheet.
    sheet: usize,
}

/// The sheets of a game as one record.
struct Merged<'p> {
    sheets: Vec<Entries<'p>>,
    /// The places of the next entries of all sheets.
    next: BinaryHeap<Reverse<Place>>,
    /// The number of the turn of the whole game.
    count: Count,
    /// Whether a turn is open, and the way to the innermost board whose own is.
    is_open: bool,
    open: Vec<String>,
    given: std::vec::IntoIter<Item>,
    /// How many more entries are taken.
    left: usize,
    /// What is written for a ply that is on no sheet, and the ordinals of those to come.
    unseen: Option<(String, Peekable<std::slice::Iter<'p, u64>>)>,
    wrong: Option<Problem>,
}

impl Merged<'_> {
    /// Gives the next entry of a sheet its place among the others.
    fn queue(&mut self, nth: usize) {
        let sheet = &mut self.sheets[nth];
        if let Some(entry) = sheet.fill() {
            let place = Place {
                ordinal: entry.ordinal,
                ends_turn: matches!(entry.what, What::Turn(_)),
                depth: Reverse(entry.on.len()),
                sheet: nth,
            };
            self.next.push(Reverse(place));
        }
        self.wrong = self.wrong.take().or_else(|| sheet.wrong.clone());
    }

    /// The next entry, which is not taken yet.
    fn peek(&self) -> Option<&Entry> {
        let Reverse(place) = self.next.peek()?;
        self.sheets[place.sheet].read.as_ref()
    }

    /// What is known where the order ends after so many entries. Plies without ordinals are missing among the others, so
    /// they are named first.
    fn stopped(self, entries: usize, misplaced: Option<Problem>) -> Option<SoFar> {
        let stop = |sheet: &Entries<'_>| {
            let wrong = sheet.wrong.as_ref().map(|problem| problem.origin);
            sheet.read.as_ref().map(|entry| entry.origin).or(wrong)
        };
        let stops = self.sheets.iter().map(stop).collect();
        let problem = self.wrong.or(misplaced)?;
        Some(SoFar {
            entries,
            problem,
            number: self.count.dots(),
            stops,
        })
    }

    /// Closes the turns that are open.
    fn close_turns(&mut self) -> Vec<Item> {
        let inside = std::mem::take(&mut self.open).len();
        let open = inside + usize::from(std::mem::take(&mut self.is_open));
        vec![(Node::BlockClose(Open::Turn), Origin::NOWHERE); open]
    }

    /// The next entry.
    fn next_entry(&mut self) -> Option<Entry> {
        let Reverse(place) = self.next.pop()?;
        let entry = self.sheets[place.sheet].read.take()?;
        self.queue(place.sheet);
        Some(entry)
    }

    /// What is written for the next ply that is on no sheet, if it comes before the next entry. A turn begins with another one, and
    /// ends with an entry that has the ordinal of its last ply.
    fn next_unseen(&mut self) -> Option<Vec<Item>> {
        if !self.is_open {
            return None;
        }
        let next = self.peek().map_or(u64::MAX, |entry| entry.ordinal);
        let (mark, ordinals) = self.unseen.as_mut()?;
        ordinals.next_if(|ordinal| **ordinal <= next)?;
        let mark = Node::Prose(Prose::Brace, mark.clone());
        Some(vec![(mark, Origin::NOWHERE)])
    }

    /// The nodes of an entry, with the brackets around it.
    fn write(&mut self, entry: Entry) -> Vec<Item> {
        let Entry {
            what,
            on,
            origin,
            after,
            ..
        } = entry;
        let mut nodes = Vec::new();
        let mut put = |node: Node| nodes.push((node, origin));
        match what {
            What::Ply(ply) => {
                let Some((last, around)) = on.split_last() else {
                    put(Node::Number(self.count.dots()));
                    put(ply);
                    self.count.advance();
                    nodes.extend(after);
                    return nodes;
                };
                if !std::mem::replace(&mut self.is_open, true) {
                    put(Node::Number(self.count.dots()));
                    put(Node::TurnOpen);
                }
                let pairs = self.open.iter().zip(around);
                let common = pairs.take_while(|(open, address)| open == address).count();
                self.open.truncate(common);
                for address in &around[common..] {
                    put(Node::Address(address.clone()));
                    put(Node::TurnOpen);
                    self.open.push(address.clone());
                }
                put(Node::Address(last.clone()));
                put(ply);
            }
            What::Turn(sign) => {
                if self.is_open {
                    put(Node::BlockClose(Open::Turn));
                }
                if !sign.is_empty() {
                    put(Node::Suffix(sign));
                }
                if self.open.pop().is_none() {
                    self.is_open = false;
                    self.count.advance();
                }
            }
        }
        nodes.extend(after);
        nodes
    }
}

impl Iterator for Merged<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.given.next() {
                return Some(item);
            }
            if self.left == 0 {
                self.given = self.close_turns().into_iter();
                return self.given.next();
            }
            if let Some(unseen) = self.next_unseen() {
                self.given = unseen.into_iter();
                continue;
            }
            self.left -= 1;
            let entry = self.next_entry()?;
            self.given = self.write(entry).into_iter();
        }
    }
}
