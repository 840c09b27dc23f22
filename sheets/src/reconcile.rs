//! Compares two sheets of one game, and merges them if only remarks differ.
//!
//! Moves, actions, results of sub-games and the result must be the same; signs of check and glyphs are not
//! compared. The sheet read first is kept. It receives, after the same ply, those comments, glyphs and
//! variations of the other that it lacks; of two comments with the same command (two clocks, say) the first
//! stands. A tag that one sheet lacks or does not know (`?`) is taken from the other; where they differ, the
//! first stands, and a note says so.

use super::{
    Item, Items, Origin, Problem, Sheet,
    packed::{Packed, Packer},
    ravs_after, stripped, tags,
};
use overboard_formats::{
    command::commands, foreign::Foreign, lex::Prose, parse::Open, record::Node,
};
use overboard_referee::beside::Row;
use std::{
    collections::{HashSet, VecDeque},
    hash::{DefaultHasher, Hash, Hasher},
    iter::Peekable,
};

/// A sheet with the remarks and tags of another sheet of the same game besides its own; with notes. Both are read move by
/// move, so that nothing is held but what is made of them.
///
/// # Errors
/// The first move or result in which the two differ.
pub fn merge(sheet: &Packed, other: &Packed) -> Result<(Packed, Vec<Problem>), Box<Difference>> {
    compare(sheet, other)?;
    let mut notes = Vec::new();
    let mut head = Sheet {
        items: sheet.head().collect(),
    };
    merge_tags(&mut head, other, &mut notes);
    let mut merged = Packer::default();
    for (node, origin) in &head.items {
        merged.push(node, *origin);
    }
    let (mut ours, mut theirs) = (Acts::of(sheet), Acts::of(other));
    let (mut own, mut their_act) = (Some(Act::default()), Some(Act::default()));
    while let Some(mut act) = own {
        if let Some(their_act) = &their_act {
            act.take_result(their_act);
        }
        for (node, origin) in &act.items {
            merged.push(node, *origin);
        }
        let mut remarks = Remarks {
            merged: &mut merged,
            known: HashSet::new(),
            names: HashSet::new(),
        };
        for remark in &act.inner {
            remarks.put(remark);
        }
        while let Some(remark) = ours.remark() {
            remarks.put(&remark);
        }
        if let Some(act) = their_act {
            for remark in &act.inner {
                remarks.add(remark);
            }
            while let Some(remark) = theirs.remark() {
                remarks.add(&remark);
            }
        }
        own = ours.act();
        their_act = theirs.act();
    }
    Ok((merged.finish(), notes))
}

/// The acts of a record: moves with their numbers, and others; each with the remarks after it.
struct Acts<'p> {
    items: Peekable<Items<'p>>,
}

/// An act, and the variations that stand within it.
#[derive(Default)]
struct Act {
    items: Vec<Item>,
    inner: Vec<Vec<Item>>,
}

impl<'p> Acts<'p> {
    /// Of a sheet; before the first act there are only remarks.
    fn of(sheet: &'p Packed) -> Self {
        Self {
            items: sheet.body_items().peekable(),
        }
    }

    /// The next remark, unless an act comes first: comments and glyphs each alone, variations whole.
    fn remark(&mut self) -> Option<Vec<Item>> {
        match &self.items.peek()?.0 {
            Node::RavOpen => Some(self.variation()),
            node if tags::is_remark(node) => Some(vec![self.items.next()?]),
            _ => None,
        }
    }

    /// The variation that begins here.
    fn variation(&mut self) -> Vec<Item> {
        let (mut whole, mut ravs) = (Vec::new(), 0_usize);
        for item in self.items.by_ref() {
            ravs = ravs_after(ravs, &item.0);
            whole.push(item);
            if ravs == 0 {
                break;
            }
        }
        whole
    }

    /// The next act, after all remarks before it.
    fn act(&mut self) -> Option<Act> {
        let mut act = Act::default();
        loop {
            match self.items.peek() {
                Some((Node::RavOpen, _)) => {
                    let variation = self.variation();
                    act.inner.push(variation);
                    continue;
                }
                Some(_) => {}
                None if act.items.is_empty() => return None,
                None => return Some(act),
            }
            let item = self.items.next()?;
            let is_complete = !goes_on(&item.0);
            act.items.push(item);
            if is_complete {
                return Some(act);
            }
        }
    }
}

/// Whether an act is not complete with this: a number, or an action, goes on until its ply or its end.
fn goes_on(node: &Node) -> bool {
    match node {
        Node::Number(_) | Node::ActionOpen(_) | Node::Argument(_) | Node::Tag(..) => true,
        node => tags::is_remark(node),
    }
}

impl Act {
    /// Takes the result of another sheet where its own has none yet.
    fn take_result(&mut self, other: &Self) {
        if let Some((Node::Result(own), _)) = self.items.first_mut()
            && own == "*"
            && let Some((Node::Result(result), _)) = other.items.first()
        {
            own.clone_from(result);
        }
    }

    /// What is compared of it, as text.
    fn said(&self) -> String {
        let mut said = String::new();
        for (node, _) in &self.items {
            match node {
                Node::Ply(ply) => said.push_str(ply.trim_end_matches(['+', '#'])),
                Node::ActionOpen(verb) => said.push_str(&format!("<{}", verb.word())),
                Node::Argument(text) => said.push_str(&format!(" {text}")),
                Node::SubgameOpen(on) => said.push_str(&format!("<{on}:")),
                Node::BlockClose(Open::Action | Open::Subgame) => said.push('>'),
                Node::Result(result) => said.push_str(result),
                _ => {}
            }
        }
        said
    }

    /// Where it is: at what it does, not at its number.
    fn origin(&self) -> Option<Origin> {
        let mut items = self.items.iter().rev();
        let (_, origin) = items.find(|(node, _)| !matches!(node, Node::Number(_)))?;
        Some(*origin)
    }

    fn number(&self) -> Option<String> {
        self.items.iter().find_map(|(node, _)| match node {
            Node::Number(text) => Some(text.clone()),
            _ => None,
        })
    }
}

/// The remarks after an act as they are written, and what is known of them.
struct Remarks<'a> {
    merged: &'a mut Packer,
    /// What they say, and the commands among them.
    known: HashSet<u128>,
    names: HashSet<String>,
}

impl Remarks<'_> {
    /// Writes a remark of the first sheet.
    fn put(&mut self, remark: &[Item]) {
        self.names.extend(names(remark));
        self.known.insert(digest(remark));
        for (node, origin) in remark {
            self.merged.push(node, *origin);
        }
    }

    /// Writes one of the second sheet, unless it is there.
    fn add(&mut self, remark: &[Item]) {
        let theirs = names(remark);
        let is_there = !theirs.is_empty() && theirs.iter().all(|name| self.names.contains(name));
        if !is_there && !self.known.contains(&digest(remark)) {
            self.put(remark);
        }
    }
}

/// A number that remarks share which say the same.
fn digest(remark: &[Item]) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        for (node, _) in remark {
            format!("{:?}", plain(node)).hash(&mut hasher);
        }
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

/// The names of the commands of a comment.
fn names(remark: &[Item]) -> Vec<String> {
    match remark {
        [(Node::Prose(Prose::Brace | Prose::Line, text), _)] => commands(text.as_bytes())
            .map(|command| String::from_utf8_lossy(command.name).into_owned())
            .collect(),
        _ => Vec::new(),
    }
}

/// A node as it is compared.
fn plain(node: &Node) -> Node {
    match node {
        Node::Prose(Prose::Brace, text) => Node::Prose(Prose::Brace, plain_words(text)),
        Node::Ply(ply) => Node::Ply(ply.trim_end_matches(['+', '#']).into()),
        other => other.clone(),
    }
}

/// The words of a comment, without what only sheets say there.
fn plain_words(comment: &str) -> String {
    let (_, text) = stripped(comment);
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ")
}

/// Where two sheets of one game differ.
pub struct Difference {
    /// What is wrong, at its place on both sheets.
    pub problem: Problem,
    /// The number of the move, as it is written.
    pub number: String,
    /// What each says there.
    pub said: [String; 2],
    /// What stands on both around it.
    pub rows: Vec<Row>,
    /// Its place on each sheet.
    pub places: [Origin; 2],
}

/// How many acts before and after a difference are shown.
const AROUND: usize = 2;
/// How many letters of an act are shown.
const LONG: usize = 60;

/// A sheet while it is compared with another.
struct Compared<'p> {
    acts: Acts<'p>,
    /// The number of the last move, as it is written.
    number: String,
    last: Option<Origin>,
}

/// An act as it is compared, and shown.
struct Shown {
    said: String,
    number: String,
    is_end: bool,
}

impl<'p> Compared<'p> {
    fn of(sheet: &'p Packed) -> Self {
        Self {
            acts: Acts::of(sheet),
            number: String::new(),
            last: None,
        }
    }

    /// The next act, remarks passed over.
    fn next(&mut self) -> Option<Shown> {
        while self.acts.remark().is_some() {}
        let act = self.acts.act()?;
        let is_ply = act
            .items
            .iter()
            .any(|(node, _)| matches!(node, Node::Ply(_)));
        match act.number() {
            Some(number) => self.number = number,
            None if is_ply => self.number = blacks(&self.number),
            None => {}
        }
        self.last = act.origin().or(self.last);
        Some(Shown {
            said: act.said(),
            number: if is_ply {
                self.number.clone()
            } else {
                String::new()
            },
            is_end: matches!(act.items.first(), Some((Node::Result(_), _))),
        })
    }
}

/// The number of Black's move after White's of this number; nothing after Black's own.
fn blacks(number: &str) -> String {
    if number.contains(|c: char| c.is_ascii_uppercase()) {
        number.to_ascii_lowercase()
    } else if number.is_empty() || number.ends_with("..") || number.contains(char::is_alphabetic) {
        String::new()
    } else {
        format!("{number}..")
    }
}

impl Shown {
    /// As it is shown: of a long action the beginning.
    fn text(&self) -> Foreign {
        let mut text = format!("{} {}", self.number, self.said).trim().to_owned();
        if let Some((at, _)) = text.char_indices().nth(LONG) {
            text.truncate(at);
            text.push('…');
        }
        Foreign::new(text)
    }
}

/// The row of two acts, either of which may be missing.
fn row(here: Option<&Shown>, there: Option<&Shown>) -> Row {
    let said = |act: Option<&Shown>| act.map(|act| act.said.clone());
    let differs = said(here) != said(there) && !may_differ(here, there);
    Row {
        here: here.map(Shown::text).unwrap_or_default(),
        there: there.map(Shown::text).unwrap_or_default(),
        differs,
    }
}

/// Whether either sheet may lack what the other one has there, the result: the sheet that has it wins.
fn may_differ(here: Option<&Shown>, there: Option<&Shown>) -> bool {
    let is_end = |act: Option<&Shown>| act.is_none_or(|act| act.is_end);
    let is_open = |act: Option<&Shown>| act.is_none_or(|act| act.said == "*");
    is_end(here) && is_end(there) && (is_open(here) || is_open(there))
}

fn compare(ours: &Packed, theirs: &Packed) -> Result<(), Box<Difference>> {
    let (mut ours, mut theirs) = (Compared::of(ours), Compared::of(theirs));
    let mut rows = VecDeque::new();
    loop {
        let (here, there) = (ours.next(), theirs.next());
        let acts = [here.as_ref(), there.as_ref()];
        if acts.iter().all(Option::is_none) {
            return Ok(());
        }
        let row = row(acts[0], acts[1]);
        let differs = row.differs;
        rows.push_back(row);
        if !differs {
            if rows.len() > AROUND {
                rows.pop_front();
            }
            continue;
        }
        let (Some(place), Some(other)) = (ours.last, theirs.last) else {
            return Ok(());
        };
        let (number, said) = (number_of(acts), acts.map(words));
        let message = format!("two sheets of this game differ: {number}{} here", said[0]);
        let problem =
            Problem::at("unlike", message, place).and(other, format!("{} there", said[1]));
        let at = ours.number.clone();
        rows.extend(rows_after(&mut ours, &mut theirs));
        return Err(Box::new(Difference {
            problem,
            number: at,
            said: said.map(|said| format!("{number}{said}")),
            rows: rows.into(),
            places: [place, other],
        }));
    }
}

/// What an act says, as a message quotes it.
fn words(act: Option<&Shown>) -> String {
    match act {
        Some(act) => format!("`{}`", act.said),
        None => "the sheet ends here".into(),
    }
}

/// The number of the first of these acts that has one, with a blank after it.
fn number_of(acts: [Option<&Shown>; 2]) -> String {
    for act in acts.into_iter().flatten() {
        if !act.number.is_empty() {
            return format!("{} ", act.number);
        }
    }
    String::new()
}

/// The rows that follow on both sheets.
fn rows_after(ours: &mut Compared<'_>, theirs: &mut Compared<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for _ in 0..AROUND {
        let row = row(ours.next().as_ref(), theirs.next().as_ref());
        if row != Row::default() {
            rows.push(row);
        }
    }
    rows
}

fn merge_tags(sheet: &mut Sheet, other: &Packed, notes: &mut Vec<Problem>) {
    let is_known = |value: &str| !matches!(value, "" | "?" | "????.??.??" | "*");
    for (name, value, origin) in other.tags_that(|_, _| true) {
        let own = sheet.items.iter_mut().find_map(|(node, own)| match node {
            Node::Tag(known, value) if *known == name => Some((value, *own)),
            _ => None,
        });
        match own {
            None => tags::add(&mut sheet.items, &name, value, origin),
            Some((own, _)) if !is_known(own) => *own = value,
            Some((own, here))
                if *own != value
                    && is_known(&value)
                    && !matches!(name.as_str(), "Parent" | "Stated") =>
            {
                let message = format!(
                    "two sheets of this game differ in the tag {name}: \"{own}\" here is kept"
                );
                notes.push(
                    Problem::at("note", message, here).and(origin, format!("\"{value}\" there")),
                );
            }
            Some(_) => {}
        }
    }
}
