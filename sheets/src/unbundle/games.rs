//! Splits games within a game into their sheets while the record is read.

use super::{first_of, identified, refuse_comment, refuse_id, refuse_tags};
use crate::{
    Count, Item, Origin, Problem, Sheet, ends_a_consolidation, pages::Pages, tags, target,
};
use overboard_formats::{
    canonical::after_move,
    parse::{Open, Verb},
    record::Node,
};
use overboard_rules::square::Side;
use std::io::{self, Read};

/// The sheets of a game and of the games within it, as they are written.
pub struct Games {
    /// The innermost game that is open.
    top: Writing,
    /// Those around it, the outermost first.
    around: Vec<Writing>,
    pages: Pages,
    /// The steps that lead to each sheet, each with its square, if they are wanted: `12w.e5`.
    pub steps: Option<Vec<Vec<String>>>,
    /// How many sheets were begun.
    begun: usize,
    plies: u32,
    common: tags::Common,
    fog: bool,
    /// How many variations are open, and which action was opened last.
    ravs: usize,
    verb: Option<Verb>,
    /// Why the record may not be taken apart, why its GameId cannot be used, and why it cannot be taken apart.
    refused: Option<Problem>,
    of_id: Option<Problem>,
    wrong: Option<Problem>,
}

/// A sheet that is being written, and where its game stands.
struct Writing {
    /// Its tags and what stands among them, as long as the moves have not begun.
    head: Option<Vec<Item>>,
    /// Its tags once they have.
    tags: Vec<Item>,
    /// Index of the sheet among all.
    index: usize,
    /// The GameId and the steps that lead here, and the same with the square in each step.
    path: Vec<String>,
    full: Vec<String>,
    count: Count,
    /// The last ply: its step, its ordinal, how it is written, and the squares of the sub-games after it.
    label: String,
    ordinal: u32,
    ply: String,
    squares: Vec<String>,
    /// Whether the place of its ordinal is still to come, after its glyphs.
    owes: bool,
    /// The ordinal that may have to be written where the page is marked.
    pending: Option<Pending>,
    origin: Origin,
    /// The result that stands last on it.
    result: Option<Node>,
    /// The tag Around, where it is to have one.
    around: Option<Item>,
}

/// An ordinal whose place is known.
struct Pending {
    ordinal: u32,
    /// Whether it is written there; else the next sub-game after the ply begins with it.
    is_certain: bool,
    /// What stands after that place.
    after: After,
}

#[derive(PartialEq, Eq)]
enum After {
    Nothing,
    /// A number of Black, and nothing else.
    Number,
    Other,
}

impl Games {
    /// The sheets of a record of which the tags are read.
    ///
    /// # Errors
    /// Those of the file in which sheets wait.
    pub fn begin(mut sheet: Sheet, id: &str) -> io::Result<Self> {
        let id = sheet.tag("GameId").unwrap_or(id).to_owned();
        let common = tags::Common::of(&sheet);
        let fog = common.rules.split(':').any(|item| item == "fog");
        let comment = sheet.items.iter().find_map(refuse_comment);
        let (refused, of_id) = (refuse_tags(&sheet).or(comment), refuse_id(&sheet, &id));
        let count = Count::from(sheet.tag("FEN"));
        identified(&mut sheet.items, &id);
        let root = Writing {
            head: None,
            ..Writing::begin(0, vec![id], count, sheet.origin())
        };
        Ok(Self {
            top: root,
            around: Vec::new(),
            pages: Pages::begin(&sheet.items)?,
            steps: None,
            begun: 1,
            plies: 0,
            common,
            fog,
            ravs: 0,
            verb: None,
            refused,
            of_id,
            wrong: None,
        })
    }

    /// Takes what comes after the tags; of the opening of a sub-game, `around` is the position of the whole game in which it
    /// begins, where its sheet is to give it.
    ///
    /// # Errors
    /// Those of the file in which sheets wait.
    pub fn take(&mut self, item: &Item, around: Option<String>) -> io::Result<()> {
        if self.refused.is_some() || self.wrong.is_some() {
            self.refused = self.refused.take().or_else(|| self.refuse(item));
            return Ok(());
        }
        match item.0 {
            Node::RavOpen => self.ravs += 1,
            Node::RavClose if self.ravs > 0 => {
                self.ravs -= 1;
                return self.put(item);
            }
            Node::ActionOpen(verb) => self.verb = Some(verb),
            _ => {}
        }
        if self.ravs > 1 || (self.ravs == 1 && item.0 != Node::RavOpen) {
            return self.put(item);
        }
        self.refused = refuse_comment(item);
        self.main_line(item, around)
    }

    /// What keeps a record from being taken apart that holds something else of which that is so.
    fn refuse(&mut self, item: &Item) -> Option<Problem> {
        match item.0 {
            Node::RavOpen => self.ravs += 1,
            Node::RavClose => self.ravs = self.ravs.saturating_sub(1),
            _ => {}
        }
        if self.ravs == 0 {
            refuse_comment(item)
        } else {
            None
        }
    }

    fn main_line(&mut self, item: &Item, around: Option<String>) -> io::Result<()> {
        let (node, origin) = item;
        if self.top.takes_tag(item) {
            return Ok(());
        }
        self.begin_moves()?;
        let top = &mut self.top;
        if !matches!(
            node,
            Node::Glyphs(_) | Node::Nag(_) | Node::Suffix(_) | Node::SubgameOpen(_)
        ) && std::mem::take(&mut top.owes)
        {
            self.pages.mark(top.index);
            top.pending = Some(Pending {
                ordinal: top.ordinal,
                is_certain: false,
                after: After::Nothing,
            });
        }
        match node {
            Node::SubgameOpen(on) => self.begin_sub_game(on, *origin, around),
            Node::BlockClose(Open::Subgame) => self.close(),
            Node::Ply(ply) => {
                let is_parted = self.write_ordinal();
                let count = self.top.count;
                // An ordinal separates a ply from the one before it, so the ply needs a number.
                if is_parted && count.side == Side::Black {
                    self.put(&(Node::Number(count.dots()), *origin))?;
                }
                self.put(item)?;
                self.made(ply, *origin);
                Ok(())
            }
            node if ends_a_consolidation(node, self.verb) => {
                self.write_ordinal();
                self.put(item)?;
                self.made("", *origin);
                Ok(())
            }
            _ => self.put(item),
        }
    }

    /// Writes an item on the sheet of the innermost game.
    fn put(&mut self, item: &Item) -> io::Result<()> {
        let top = &mut self.top;
        if !matches!(item.0, Node::Prose(..)) {
            top.result = matches!(item.0, Node::Result(_)).then(|| item.0.clone());
        }
        if let Some(pending) = &mut top.pending {
            let is_number = matches!(&item.0, Node::Number(number) if number.ends_with("..."));
            let is_first = pending.after == After::Nothing;
            pending.after = if is_first && is_number {
                After::Number
            } else {
                After::Other
            };
        }
        self.pages.put(top.index, &item.0)
    }

    /// Writes the ordinal that is pending, before the next ply or the end; returns whether it stands last now.
    fn write_ordinal(&mut self) -> bool {
        let top = &mut self.top;
        let Some(pending) = top.pending.take() else {
            return false;
        };
        let mut command = format!("seq {}", pending.ordinal);
        if pending.after == After::Number {
            // Marks a number that was in the original record, unlike one that is added: the ordinal before it is written
            // twice in its comment.
            command = format!("{command}] [%{command}");
        }
        self.pages
            .insert(top.index, Some(&tags::command(command, top.origin).0));
        pending.after == After::Nothing
    }

    /// A ply was made.
    fn made(&mut self, ply: &str, origin: Origin) {
        self.plies += 1;
        let top = &mut self.top;
        top.label = after_move(top.count.number, top.count.side);
        top.count.advance();
        top.ordinal = self.plies;
        top.ply = ply.into();
        top.squares.clear();
        top.owes = true;
        top.origin = origin;
    }

    /// The tags of the innermost game are all there.
    fn begin_moves(&mut self) -> io::Result<()> {
        let Some(mut head) = self.top.head.take() else {
            return Ok(());
        };
        let rest = head.split_off(tags::end_of_tags(&head));
        self.top.tags = head;
        rest.iter().try_for_each(|item| self.put(item))
    }

    fn begin_sub_game(
        &mut self,
        on: &str,
        origin: Origin,
        around: Option<String>,
    ) -> io::Result<()> {
        let top = &mut self.top;
        if top.squares.iter().any(|square| square == on) {
            let what = format!(
                "a second sub-game on {on} after {}: the one there had ended; `check` says more",
                top.label
            );
            self.wrong = Some(Problem::at("doubled", what, origin));
            return Ok(());
        }
        top.owes = false;
        // The ordinal of a ply that sub-games follow stands where these do.
        match top.pending.take() {
            Some(pending) if pending.is_certain => {
                let command = tags::command(format!("seq {}", pending.ordinal), origin);
                self.pages.insert(top.index, Some(&command.0));
            }
            _ => self.pages.insert(top.index, None),
        }
        self.pages.mark(top.index);
        top.pending = Some(Pending {
            ordinal: top.ordinal,
            is_certain: true,
            after: After::Nothing,
        });
        top.squares.push(on.into());
        let path = [&top.path[..], &[top.step(on, self.fog)]].concat();
        let full = [&top.full[..], &[format!("{}.{on}", top.label)]].concat();
        if let Some(steps) = &mut self.steps {
            steps.push(full.clone());
        }
        let writing = Writing::begin(self.begun, path, Count::from(None), origin);
        let around = around.map(|position| (Node::Tag("Around".into(), position), origin));
        let inner = Writing {
            full,
            ordinal: self.plies,
            around,
            ..writing
        };
        self.around.push(std::mem::replace(&mut self.top, inner));
        self.begun += 1;
        Ok(())
    }

    /// The sub-game is over: its sheet gets its tags.
    fn close(&mut self) -> io::Result<()> {
        let Some(outer) = self.around.pop() else {
            return Ok(());
        };
        self.write_last_ordinal();
        let mut sheet = std::mem::replace(&mut self.top, outer);
        let mut head = std::mem::take(&mut sheet.tags);
        if sheet.is_a_result() {
            head.push(tags::command(
                format!("seq {}", sheet.ordinal),
                sheet.origin,
            ));
        }
        let steps = if self.steps.is_some() {
            &sheet.full[..]
        } else {
            &sheet.path[1..]
        };
        let steps: Vec<_> = steps.iter().map(String::as_str).collect();
        let supplied = self
            .common
            .of_sub_game(&steps, tags::last_result(sheet.result.as_ref()));
        if let Err(problem) = tags::supply(&mut head, supplied, sheet.origin) {
            self.wrong.get_or_insert(problem);
            return Ok(());
        }
        tags::add(&mut head, "Parent", sheet.path.join("/"), sheet.origin);
        if let Some((Node::Tag(name, position), origin)) = sheet.around {
            tags::add(&mut head, &name, position, origin);
        }
        self.pages.end(sheet.index, &head)
    }

    /// Writes the ordinal that is due on a sheet that ends.
    fn write_last_ordinal(&mut self) {
        let top = &mut self.top;
        if std::mem::take(&mut top.owes) {
            self.pages.mark(top.index);
            top.pending = Some(Pending {
                ordinal: top.ordinal,
                is_certain: true,
                after: After::Nothing,
            });
        }
        if let Some(pending) = &mut top.pending {
            // No ply follows a number that stands last.
            pending.after = After::Other;
        }
        self.write_ordinal();
    }

    /// All is read: whether it can be taken apart.
    ///
    /// # Errors
    /// Those of the file in which sheets wait, and what is wrong with the record.
    pub fn end(&mut self) -> io::Result<Result<(), Problem>> {
        while !self.around.is_empty() {
            self.begin_moves()?;
            self.close()?;
        }
        self.write_last_ordinal();
        let problems = [&mut self.refused, &mut self.of_id, &mut self.wrong];
        Ok(first_of(problems))
    }

    /// How many sheets there are.
    pub const fn sheets(&self) -> usize {
        self.begun
    }

    /// A sheet, in no particular layout.
    pub fn read(&self, sheet: usize) -> impl Read + Send + '_ {
        self.pages.read(sheet)
    }
}

impl Writing {
    fn begin(index: usize, path: Vec<String>, count: Count, origin: Origin) -> Self {
        Self {
            head: Some(Vec::new()),
            tags: Vec::new(),
            around: None,
            index,
            path,
            full: Vec::new(),
            count,
            label: "0".into(),
            ordinal: 0,
            ply: String::new(),
            squares: Vec::new(),
            owes: false,
            pending: None,
            origin,
            result: None,
        }
    }

    /// Takes an item that belongs to its tags; whether it does.
    fn takes_tag(&mut self, item: &Item) -> bool {
        let (Some(head), Node::Tag(..) | Node::Prose(..)) = (&mut self.head, &item.0) else {
            return false;
        };
        if let Node::Tag(name, fen) = &item.0
            && name == "FEN"
        {
            self.count = Count::from(Some(fen));
        }
        head.push(item.clone());
        true
    }

    /// The step from here to the sub-game on a square, which has just begun: without the square where the ply says it.
    fn step(&self, on: &str, fog: bool) -> String {
        if !fog
            && self.squares.len() == 1
            && self.ply.contains('x')
            && target(&self.ply) == Some(on)
        {
            return self.label.clone();
        }
        format!("{}.{on}", self.label)
    }

    /// Whether no ply was played in it; its ordinal is that of the last ply before it.
    fn is_a_result(&self) -> bool {
        self.label == "0"
    }
}
