//! How positions and plies of Overchess of depth 2 and more are written.

use super::{address, coordinates as plain_coordinates, panel as plain_panel, suffix as plain_suffix};
use crate::{
    notation::Notation,
    san::{PlyText, Spelt, Suffix},
};
use overboard_pictures::diagram::{Diagram, Panel};
use overboard_rules::{
    overchess::{
        Due, Ply,
        deep::{Deep, DeepPly, Individual, Name, Place, Step},
    },
    path::BoardPath,
    square::{Role, Side, Square},
};
use std::fmt::Write;

pub(crate) mod position;
mod read;
mod rosters;
#[cfg(test)]
mod tests;

pub use position::position;
pub use read::{block, read};
pub use rosters::tables;

/// How the text of a position is made.
pub const FORM: &str = "an over-position has nine fields, `placement side castling en-passant half full sub-sets contested spares`, sub-sets of individuals such as `e4:e2={a2:e7/c2,b2,d1}` or `e4=5P2R`, then in braces what is open, such as `{e4: <position>}`";

// Names.

/// The name of a text such as `e7/a2`.
#[must_use]
pub fn name(text: &str) -> Option<Name> {
    let mut steps = Vec::new();
    for step in text.split('/') {
        if steps.len() >= 64 {
            return None;
        }
        steps.push(self::step(step)?);
    }
    Name::of(&steps)
}

/// `a2`, or `P1` for a spare.
fn step(text: &str) -> Option<Step> {
    if let Some(on) = super::square(text) {
        return Some(Step::Square(on));
    }
    let (kind, number) = text.split_at_checked(1)?;
    let role = Role::from_letter(*kind.as_bytes().first()?)?;
    let number = number.parse().ok().filter(|number| *number > 0)?;
    (!text.starts_with(|c: char| c.is_lowercase())).then_some(Step::Spare(role, number))
}

/// The square of a place as the side sees it that it is a place of.
pub(crate) const fn seen_by(side: Side, on: Square) -> Square {
    match side {
        Side::White => on,
        Side::Black => Square::new(on.file, 7 - on.rank),
    }
}

// Plies as text.

/// `e5.b7.` for a way to a game; nothing for the outermost.
#[must_use]
pub fn addressed(path: &BoardPath) -> PlyText {
    let mut text = PlyText::default();
    for on in path.squares() {
        // Memory can be written.
        let _ = write!(text, "{on}.");
    }
    text
}

/// A ply in coordinates, behind the way to the game that it belongs to.
#[must_use]
pub fn coordinates(deep: &Deep, ply: &DeepPly) -> PlyText {
    let mut text = addressed(&deep.path_of(deep.open() - 1));
    text.push_str(&own_coordinates(deep, ply));
    text
}

/// The same from the innermost over-game on.
#[must_use]
pub fn own_coordinates(deep: &Deep, ply: &DeepPly) -> PlyText {
    let mut text = PlyText::default();
    // Memory can be written.
    let _ = match ply {
        DeepPly::Plain(ply) => {
            text = plain_coordinates(deep.current(), ply);
            Ok(())
        }
        DeepPly::Place(place, on) => {
            address(deep.current(), &mut text);
            let side = deep.placing().map_or(Side::White, |(side, _)| side);
            let on = seen_by(side, on.square());
            match deep.armies(deep.open() - 1).and_then(|armies| armies[side as usize].at(*place).cloned()) {
                Some(Individual { name, .. }) => write!(text, "setup {name} {on}"),
                None => write!(text, "setup {} {on}", place.square()),
            }
        }
        DeepPly::Take(place) => write!(text, "prisoner {}", named(deep.captives().at(*place), *place)),
        DeepPly::Hand(place, to) => write!(text, "give {to} {}", named(deep.hand().at(*place), *place)),
    };
    text
}

fn named(individual: Option<&Individual>, place: Place) -> String {
    individual.map_or_else(|| place.square().to_string(), |one| one.name.to_string())
}

/// The legal ply of these coordinates.
#[must_use]
pub fn at(deep: &Deep, text: &str) -> Option<DeepPly> {
    let mut found = None;
    deep.for_each_legal(|ply| {
        if found.is_none() && coordinates(deep, &ply) == text {
            found = Some(ply);
        }
    });
    found
}

/// The sign of an over-move of the innermost game, as if its attack succeeded.
#[must_use]
pub fn suffix(before: &Deep, ply: &DeepPly, after: &Deep) -> Suffix {
    match ply {
        DeepPly::Plain(ply) if after.open() == before.open() => {
            plain_suffix(before.current(), ply, after.current())
        }
        // The game that the ply belongs to is over, or goes on inside.
        DeepPly::Plain(ply) => {
            let own = before.current().after(ply);
            plain_suffix(before.current(), ply, &own)
        }
        _ => Suffix::None,
    }
}

/// A legal ply as SAN with its sign, behind the way to its game; other acts as in coordinates.
#[must_use]
pub fn san(deep: &Deep, ply: &DeepPly) -> PlyText {
    let mut text = addressed(&deep.path_of(deep.open() - 1));
    text.push_str(&own_san(deep, ply));
    text
}

/// The same from the innermost over-game on.
#[must_use]
pub fn own_san(deep: &Deep, ply: &DeepPly) -> PlyText {
    match ply {
        DeepPly::Plain(Ply::Over(m)) => {
            let mut text = PlyText::from(&*Spelt(deep.current().written(*m)).text());
            text.push_str(suffix(deep, ply, &deep.after(ply)).as_str());
            text
        }
        DeepPly::Plain(plain) => super::san(deep.current(), plain),
        _ => own_coordinates(deep, ply),
    }
}

/// How many lines of so many plies there are (GEN-6).
#[must_use]
pub fn perft(deep: &Deep, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => deep.count_legal(),
        _ => {
            let mut lines = 0_u64;
            deep.for_each_legal(|ply| lines = lines.saturating_add(perft(&deep.after(&ply), depth - 1)));
            lines
        }
    }
}

// Pictures.

/// All boards that are open, the outermost first, with the strength of each over-piece.
#[must_use]
pub fn diagram(deep: &Deep, last: &[Square]) -> Diagram {
    let mut diagram = Diagram::of(Panel { last: last.to_vec(), ..plain_panel(deep.outermost()) });
    for (panel, path) in panels(deep).into_iter().skip(1) {
        let title = Some(format!("Sub-game on {}", said(&path)));
        diagram.rows[0].panels.push(Panel { title, ..panel });
    }
    diagram.tables = (0..deep.open()).flat_map(|level| tables(deep, level)).collect();
    diagram
}

/// The open boards with the way to each.
fn panels(deep: &Deep) -> Vec<(Panel, BoardPath)> {
    let levels = (0..deep.open()).filter_map(|level| Some((level, deep.over(level)?)));
    let mut panels = Vec::from_iter(levels.map(|(level, over)| (plain_panel(over), deep.path_of(level))));
    if let (Some(chess), Due::Sub(_)) = (deep.current().sub_game(), deep.due()) {
        panels.push((chess.panel(), deep.path()));
    }
    panels
}

/// The board of the game to which a way leads.
#[must_use]
pub fn panel(deep: &Deep, path: &BoardPath) -> Option<Panel> {
    panels(deep).into_iter().find(|(_, way)| way == path).map(|(panel, _)| panel)
}

/// A way as it is said: `e5.b7`.
#[must_use]
pub fn said(path: &BoardPath) -> String {
    addressed(path).trim_end_matches('.').to_string()
}

/// Which of the drawn boards is that of a way such as `e5.b7`, and its position.
#[must_use]
pub fn zoomed(deep: &Deep, name: &str) -> Option<(usize, String)> {
    let all = panels(deep);
    let found = all.iter().position(|(_, way)| said(way).eq_ignore_ascii_case(name)).filter(|at| *at > 0)?;
    let fen = match deep.over(found) {
        Some(_) => position::of_level(deep, found),
        None => deep.current().sub_game()?.fen(),
    };
    Some((found, fen))
}
