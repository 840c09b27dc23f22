//! Splits one record into its sheets.

use super::{Count, Item, Origin, Problem, Sheet, stripped, tags, target, text};
use crate::{AnyReferee, Options};
use boards::Boards;
use overboard_formats::{
    lex::Prose,
    limits::Limits,
    parse::{Event, Open, Parser, Verb},
    record::Node,
};
use overboard_games::{overchess, registry::Variant};
use overboard_rules::variant::ChessWithin;
use std::{collections::HashMap, io};

pub mod boards;

/// The sheets of a record, each as text followed by an empty line, the outermost first; for a game of one
/// board the record itself. `id` is the GameId where the record has none.
///
/// # Errors
/// Why the record cannot be split.
pub fn unbundle(sheet: Sheet, id: &str, limits: Limits) -> Result<Vec<String>, Problem> {
    match way(&sheet)? {
        Way::One => return Ok(vec![text::laid_out(&sheet.items, limits)]),
        Way::Boards => return boards_apart(sheet, id, limits),
        Way::Games => {}
    }
    refuse_sheets(&sheet)?;
    let id = sheet.tag("GameId").unwrap_or(id).to_string();
    if let Some(problem) = refuse_id(&sheet, &id) {
        return Err(problem);
    }
    let sheets = games_apart(sheet, &id, limits)?;
    Ok(sheets.iter().map(|items| text::laid_out(items, limits)).collect())
}

/// How a record is taken apart.
pub enum Way {
    /// It is one sheet already.
    One,
    /// Into boards side by side.
    Boards,
    /// Into games inside games.
    Games,
}

/// How the game of a record is taken apart, by its tags.
///
/// # Errors
/// A game of which there are no sheets.
pub fn way(sheet: &Sheet) -> Result<Way, Problem> {
    let boards = sheet.tag("Boards").map_or(1, |names| names.split(':').count());
    match Variant::of(sheet.tag("Variant").map(str::as_bytes)).map(Variant::info) {
        Some(info) if info.chess_within == ChessWithin::SubGames => Ok(Way::Games),
        Some(info) if info.has_boards && boards > 1 => Ok(Way::Boards),
        Some(info) if info.has_levels => {
            let what =
                "the boards of Mega-Chess stay in one record: sheets are of Overchess and of linked boards";
            Err(Problem::at("unsupported", what.into(), sheet.place_of("Variant")))
        }
        // One board is one sheet.
        _ => Ok(Way::One),
    }
}

/// The sheets of boards side by side: those that a record gives while it is read.
fn boards_apart(mut sheet: Sheet, id: &str, limits: Limits) -> Result<Vec<String>, Problem> {
    let origin = sheet.origin();
    let is_head = |(node, _): &Item| matches!(node, Node::Tag(..) | Node::Prose(..));
    let moves = sheet.items.split_off(sheet.items.iter().take_while(|item| is_head(item)).count());
    let kept = |error: io::Error| Problem::at("unsupported", format!("sheets have no room: {error}"), origin);
    let mut boards = Boards::begin(sheet, id).map_err(kept)?;
    moves.into_iter().try_for_each(|item| boards.take(item)).map_err(kept)?;
    boards.end().map_err(kept)??;
    let laid_out = |sheet: usize| {
        let mut out = Vec::new();
        text::lay_out(boards.read(sheet), limits, &mut out).map_err(kept)?;
        Ok(String::from_utf8(out).unwrap_or_default())
    };
    (0..boards.sheets()).map(laid_out).collect()
}

fn games_apart(sheet: Sheet, id: &str, limits: Limits) -> Result<Vec<Vec<Item>>, Problem> {
    let around = around(&sheet, limits);
    let mut done = Games::apart(sheet, id, false)?;
    for (done, around) in done.iter_mut().skip(1).zip(around) {
        if let Some(position) = around {
            let origin = done.items[0].1;
            tags::add(&mut done.items, "Around", position, origin);
        }
    }
    Ok(done.into_iter().map(|done| done.items).collect())
}

/// For each sub-game in the order in which they begin, the position of the whole game in which it does, if it
/// is known and no tag describes its individuals; only for sub-games that are Overchess themselves.
fn around(sheet: &Sheet, limits: Limits) -> Vec<Option<String>> {
    let mut positions = Vec::new();
    let depth = overchess::depth(sheet.tag("Rules").unwrap_or_default()) as usize;
    if depth < 2 {
        return positions;
    }
    let rendered = text::rendered(&sheet.items);
    let mut parser = Parser::new(rendered.text.as_bytes(), 0, limits);
    let options = Options { limits, count_notes: true, no_excerpts: true, ..Options::default() };
    let mut referee = AnyReferee::new(options);
    // Memory can be read.
    while let Ok(event) = parser.next()
        && !matches!(event, Event::End | Event::Done)
    {
        let is_main = referee.is_at_main_line();
        referee.hear(event, &parser);
        if event == Event::SubgameOpen && is_main {
            positions.push(referee.around(depth));
        }
    }
    positions
}

/// A record that is a sheet already.
fn refuse_sheets(sheet: &Sheet) -> Result<(), Problem> {
    let mut ravs = 0_usize;
    let in_main_line = sheet.items.iter().filter(|(node, _)| {
        match node {
            Node::RavOpen => ravs += 1,
            Node::RavClose => ravs = ravs.saturating_sub(1),
            _ => {}
        }
        ravs == 0
    });
    refuse_tags(sheet).or(in_main_line.filter_map(refuse_comment).next()).map_or(Ok(()), Err)
}

/// The same by its tags.
fn refuse_tags(sheet: &Sheet) -> Option<Problem> {
    let name = ["Parent", "Stated", "Around"].into_iter().find(|name| sheet.tag(name).is_some())?;
    let what = format!("this record is a sheet already: it has a tag {name}");
    Some(Problem::at("unsupported", what, sheet.place_of(name)))
}

/// The same by a comment.
fn refuse_comment((node, origin): &Item) -> Option<Problem> {
    let Node::Prose(Prose::Brace | Prose::Line, comment) = node else { return None };
    let what = "this record is a sheet already: it holds `%seq` or `%in`, which would be lost";
    (!stripped(comment).0.is_empty()).then(|| Problem::at("unsupported", what.into(), *origin))
}

/// A GameId that the tag Parent cannot name.
fn refuse_id(sheet: &Sheet, id: &str) -> Option<Problem> {
    let what = format!("the GameId `{id}` is empty or holds a `/`, which belongs to the tag Parent");
    (id.is_empty() || id.contains('/')).then(|| Problem::at("bad-parent", what, sheet.place_of("GameId")))
}

/// The outermost record with the GameId where it has none.
fn identified(items: &mut Vec<Item>, id: &str) {
    let origin = items
        .first()
        .map_or(Origin { file: 0, place: overboard_formats::span::TextSpan::NOWHERE }, |item| item.1);
    let own = tags::header(items).find_map(|(name, value)| (name == "GameId").then(|| value.to_string()));
    let tag = match own {
        None => ("GameId", id.to_string()),
        Some(own) if own.starts_with('#') => ("Stated", "GameId".into()),
        Some(_) => return,
    };
    tags::add(items, tag.0, tag.1, origin);
}

/// A sheet that is being written, and where its game stands.
struct Writing {
    items: Vec<Item>,
    /// Index of the sheet among all.
    index: usize,
    /// The GameId and the steps that lead here, and the same with the square in each step.
    path: Vec<String>,
    full: Vec<String>,
    count: Count,
    /// The last ply: its step, its ordinal, how it is written, and how many sub-games after it have sheets.
    label: String,
    ordinal: u32,
    ply: String,
    sheets: usize,
    /// Whether the ordinal is still to be written after the ply and its glyphs.
    owes: bool,
    origin: Origin,
}

/// A sheet, and the steps that lead to it, each with its square: `12w.e5`.
#[derive(Clone, Default)]
pub(super) struct Done {
    pub items: Vec<Item>,
    pub steps: Vec<String>,
}

/// Games within a game.
pub(super) struct Games {
    open: Vec<Writing>,
    done: Vec<Done>,
    /// How many sub-games with sheets follow the ply that ends at a node.
    behind: HashMap<usize, usize>,
    plies: u32,
    common: tags::Common,
    fog: bool,
    squares: bool,
}

impl Games {
    /// The sheets of a game, the outermost first. Steps in tags Round name the square where `squares` is
    /// set, and elsewhere as the tag Parent does.
    pub(super) fn apart(mut sheet: Sheet, id: &str, squares: bool) -> Result<Vec<Done>, Problem> {
        let common = tags::Common::of(&sheet);
        let count = Count::from(sheet.tag("FEN"));
        identified(&mut sheet.items, id);
        let fog = common.rules.split(':').any(|item| item == "fog");
        let root = Writing::begin(0, vec![id.into()], count, sheet.origin());
        let behind = sub_games_behind(&sheet.items);
        let mut games =
            Self { open: vec![root], done: vec![Done::default()], behind, plies: 0, common, fog, squares };
        games.visit(&sheet.items)?;
        while games.open.len() > 1 {
            games.close()?;
        }
        let root = games.open.pop().map(|mut root| {
            root.settle();
            root.items
        });
        games.done[0].items = root.unwrap_or_default();
        Ok(games.done)
    }

    fn visit(&mut self, items: &[Item]) -> Result<(), Problem> {
        let mut at = 0;
        while at < items.len() {
            let (node, origin) = &items[at];
            let Some(top) = self.open.last_mut() else { break };
            if !matches!(node, Node::Glyphs(_) | Node::Nag(_) | Node::Suffix(_) | Node::SubgameOpen(_)) {
                top.settle();
            }
            match node {
                Node::RavOpen => {
                    let end = end_of_rav(items, at);
                    top.items.extend_from_slice(&items[at..end]);
                    at = end;
                    continue;
                }
                Node::SubgameOpen(on) => self.begin_sub_game(on, *origin),
                Node::BlockClose(Open::Subgame) => self.close()?,
                Node::Ply(ply) => {
                    top.number_where_parted(*origin);
                    top.items.push(items[at].clone());
                    self.plies += 1;
                    top.made(ply, self.plies, self.behind.contains_key(&at), *origin);
                }
                _ => {
                    if let (Node::Tag(name, fen), true) = (node, top.index > 0)
                        && name == "FEN"
                    {
                        top.count = Count::from(Some(fen));
                    }
                    top.items.push(items[at].clone());
                    if matches!(node, Node::Number(number) if number.ends_with("..."))
                        && matches!(items.get(at + 1), Some((Node::Ply(_), _)))
                    {
                        top.keep_number();
                    }
                    if super::ends_a_consolidation(items, at) {
                        self.plies += 1;
                        top.made("", self.plies, self.behind.contains_key(&at), *origin);
                    }
                }
            }
            at += 1;
        }
        Ok(())
    }

    fn begin_sub_game(&mut self, on: &str, origin: Origin) {
        let fog = self.fog;
        let Some(top) = self.open.last_mut() else { return };
        top.owes = false;
        top.items.push(tags::command(format!("seq {}", top.ordinal), origin));
        top.sheets += 1;
        let plain = !fog && top.sheets == 1 && top.ply.contains('x') && target(&top.ply) == Some(on);
        let step = if plain { top.label.clone() } else { format!("{}.{on}", top.label) };
        let path = top.path.iter().cloned().chain([step]).collect();
        let full = top.full.iter().cloned().chain([format!("{}.{on}", top.label)]).collect();
        let index = self.done.len();
        self.done.push(Done::default());
        let ordinal = self.plies;
        self.open.push(Writing { full, ordinal, ..Writing::begin(index, path, Count::from(None), origin) });
    }

    /// The sub-game is over: its sheet gets its tags.
    fn close(&mut self) -> Result<(), Problem> {
        let Some(mut sheet) = self.open.pop().filter(|sheet| sheet.index > 0) else { return Ok(()) };
        sheet.settle();
        if sheet.is_a_result() {
            let at = tags::end_of_tags(&sheet.items);
            sheet.items.insert(at, tags::command(format!("seq {}", sheet.ordinal), sheet.origin));
        }
        let steps = if self.squares { &sheet.full[..] } else { &sheet.path[1..] };
        let steps: Vec<_> = steps.iter().map(String::as_str).collect();
        let supplied = self.common.of_sub_game(&steps, tags::result(&sheet.items));
        tags::supply(&mut sheet.items, supplied, sheet.origin)?;
        tags::add(&mut sheet.items, "Parent", sheet.path.join("/"), sheet.origin);
        self.done[sheet.index] = Done { items: sheet.items, steps: sheet.full };
        Ok(())
    }
}

impl Writing {
    fn begin(index: usize, path: Vec<String>, count: Count, origin: Origin) -> Self {
        Self {
            items: Vec::new(),
            index,
            path,
            full: Vec::new(),
            count,
            label: "0".into(),
            ordinal: 0,
            ply: String::new(),
            sheets: 0,
            owes: false,
            origin,
        }
    }

    fn made(&mut self, ply: &str, ordinal: u32, has_sheets: bool, origin: Origin) {
        self.label = self.count.label();
        self.count.advance();
        self.ordinal = ordinal;
        self.ply = ply.into();
        self.sheets = 0;
        self.owes = !has_sheets;
        self.origin = origin;
    }

    /// Whether no ply was played in it; its ordinal is that of the last ply before it.
    fn is_a_result(&self) -> bool {
        self.label == "0"
    }

    /// Writes the ordinal that is due.
    fn settle(&mut self) {
        if std::mem::take(&mut self.owes) {
            self.items.push(tags::command(format!("seq {}", self.ordinal), self.origin));
        }
    }

    /// Marks a number that was in the original record, unlike one that is added: the ordinal before it is
    /// written twice in its comment. The number is the last item.
    fn keep_number(&mut self) {
        if let [.., (Node::Prose(Prose::Brace, text), _), _] = &mut self.items[..]
            && text.starts_with("[%seq ")
        {
            *text = format!("{text} {text}");
        }
    }

    /// A comment that was added separates a ply from the one before it, so the ply needs a number.
    fn number_where_parted(&mut self, origin: Origin) {
        let added = matches!(self.items.last(), Some((Node::Prose(Prose::Brace, text), _)) if text.starts_with("[%seq "));
        if added && self.count.side == overboard_rules::square::Side::Black {
            self.items.push((Node::Number(self.count.dots()), origin));
        }
    }
}

/// Behind which plies of the main lines sub-games with sheets stand; by the node that ends the ply.
fn sub_games_behind(items: &[Item]) -> HashMap<usize, usize> {
    let mut behind = HashMap::new();
    let mut last = vec![None];
    let mut at = 0;
    while at < items.len() {
        match &items[at].0 {
            Node::RavOpen => {
                at = end_of_rav(items, at);
                continue;
            }
            Node::SubgameOpen(_) => {
                if let Some(Some(ply)) = last.last() {
                    *behind.entry(*ply).or_insert(0) += 1;
                }
                last.push(None);
            }
            Node::BlockClose(Open::Subgame) if last.len() > 1 => drop(last.pop()),
            Node::Ply(_) => {
                if let Some(last) = last.last_mut() {
                    *last = Some(at);
                }
            }
            Node::ActionOpen(Verb::Consolidate) => {
                let end = items[at..].iter().position(|(node, _)| *node == Node::BlockClose(Open::Action));
                if let (Some(end), Some(last)) = (end, last.last_mut()) {
                    *last = Some(at + end);
                }
            }
            _ => {}
        }
        at += 1;
    }
    behind
}

/// The index of the node after a variation.
fn end_of_rav(items: &[Item], at: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, (node, _)) in items[at..].iter().enumerate() {
        match node {
            Node::RavOpen => depth += 1,
            Node::RavClose => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + offset + 1;
        }
    }
    items.len()
}
