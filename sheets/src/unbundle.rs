//! Splits one record into its sheets.

use super::{
    Item, NotApart, NotWritten, Origin, Problem, Sheet, Sheets, Tagged as _,
    bundle::{boards_of, game_of},
    tags, text, without,
};
use overboard_formats::{lex::Prose, limits::Limits, parse::Parser, record::Node};
use overboard_rules::variant::ChessWithin;
use std::io;

pub mod boards;
pub mod games;
pub mod turns;

/// The sheets of a record, each as text followed by an empty line, the outermost first; for a game of one
/// board the record itself. `id` is the GameId where the record has none.
///
/// # Errors
/// Why the record cannot be split.
pub fn unbundle(sheet: &Sheet, id: &str, limits: Limits) -> Result<Vec<String>, Problem> {
    let rendered = text::rendered(&sheet.items);
    let no_room = |error| no_room(&error, sheet.origin());
    let mut parser = Parser::new(rendered.as_bytes(), 0, limits);
    let sheets = match Sheets::read(&mut parser, 0, id, limits) {
        Ok(Some(sheets)) => sheets,
        Ok(None) => return Ok(Vec::new()),
        Err(NotApart::Problem(problem)) => {
            let items = sheet.items.iter().cloned();
            let origin = text::origin(items, problem.origin.place.span.from);
            return Err(Problem {
                origin: origin.unwrap_or_else(|| sheet.origin()),
                ..problem
            });
        }
        Err(NotApart::Reading(error) | NotApart::Keeping(error)) => return Err(no_room(error)),
    };
    let text = |nth: usize| {
        let mut text = Vec::new();
        match sheets.write_one(nth, &mut text) {
            Ok(()) => Ok(String::from_utf8(text).unwrap_or_default()),
            Err(NotWritten::Kept(error) | NotWritten::Out(error)) => Err(no_room(error)),
        }
    };
    (0..sheets.count()).map(text).collect()
}

/// How a record is taken apart.
pub enum SplitInto {
    /// It is one sheet already.
    One,
    /// Into boards side by side.
    Boards,
    /// Into games inside games.
    Games,
    /// Into boards inside boards.
    Turns,
}

/// How the game of a record is taken apart, by its tags.
pub fn way(sheet: &Sheet) -> SplitInto {
    match game_of(sheet) {
        Some(info) if info.chess_within == ChessWithin::SubGames => SplitInto::Games,
        _ if boards_of(sheet).is_some() => SplitInto::Boards,
        Some(info) if info.has_levels => SplitInto::Turns,
        // One board is one sheet.
        _ => SplitInto::One,
    }
}

/// A record that is a sheet already, by its tags.
fn refuse_tags(sheet: &Sheet) -> Option<Problem> {
    let name = ["Parent", "Stated", "Around"]
        .into_iter()
        .find(|name| sheet.tag(name).is_some())?;
    let what = format!("this record is a sheet already: it has a tag {name}");
    Some(Problem::at("unsupported", what, sheet.place_of(name)))
}

/// The same by a comment.
fn refuse_comment(item: &Item) -> Option<Problem> {
    refuse_marks(item, &["seq", "in"])
}

/// The same by one that holds a command with one of these names.
fn refuse_marks((node, origin): &Item, names: &[&str]) -> Option<Problem> {
    let Node::Prose(Prose::Brace | Prose::Line, comment) = node else {
        return None;
    };
    let (found, _) = without(comment, names);
    let (name, _) = found.first()?;
    let what = format!("this record is a sheet already: it holds `%{name}`, which would be lost");
    Some(Problem::at("unsupported", what, *origin))
}

/// Whether a record can be taken apart: the first of these problems that there is.
fn first_of<const N: usize>(problems: [&mut Option<Problem>; N]) -> Result<(), Problem> {
    match problems.into_iter().find_map(Option::take) {
        Some(problem) => Err(problem),
        None => Ok(()),
    }
}

/// A GameId that the tag Parent cannot name.
fn refuse_id(sheet: &Sheet, id: &str) -> Option<Problem> {
    let what =
        format!("the GameId `{id}` is empty or holds a `/`, which belongs to the tag Parent");
    if !id.is_empty() && !id.contains('/') {
        return None;
    }
    Some(Problem::at("bad-parent", what, sheet.place_of("GameId")))
}

/// Why a record may not be taken apart, by its tags, the comments among them and its GameId; `refuse` by a comment.
fn refused(
    sheet: &Sheet,
    id: &str,
    refuse: impl FnMut(&Item) -> Option<Problem>,
) -> Option<Problem> {
    let comment = sheet.items.iter().find_map(refuse);
    let tags = refuse_tags(sheet);
    tags.or(comment).or_else(|| refuse_id(sheet, id))
}

/// What is wrong where the sheets of a record cannot be kept.
pub fn no_room(error: &io::Error, origin: Origin) -> Problem {
    let what = format!("sheets have no room: {error}");
    Problem::at("unsupported", what, origin)
}

/// The tags of a sheet that has none of its own: those that are supplied, and its parent.
fn head(supplied: Vec<(&'static str, String)>, parent: String, origin: Origin) -> String {
    let mut items = Vec::new();
    // A sheet without tags takes all that are supplied.
    let _ = tags::supply(&mut items, supplied, origin);
    tags::add(&mut items, "Parent", parent, origin);
    text::rendered(&items)
}

/// The outermost record with the GameId where it has none.
fn identified(items: &mut Vec<Item>, id: &str) {
    let origin = match items.first() {
        Some((_, origin)) => *origin,
        None => Origin::FIRST,
    };
    let (name, value) = match items[..].tag("GameId") {
        None => ("GameId", id.to_string()),
        Some(own) if own.starts_with('#') => ("Stated", "GameId".into()),
        Some(_) => return,
    };
    tags::add(items, name, value, origin);
}
