//! The columns of tables: their names and types, the same in every form.

use overboard_formats::header::ROSTER;

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// Integers.
    Whole,
    /// Numbers.
    Number,
    /// Text.
    Text,
}

/// A column: its name and type.
pub type Column = (String, Type);

/// The columns of a row for each ply, in order.
pub const PLIES: [(&str, Type); 29] = [
    ("run", Type::Text),
    ("game", Type::Whole),
    ("step", Type::Whole),
    ("kind", Type::Text),
    ("path", Type::Text),
    ("ply", Type::Whole),
    ("act", Type::Whole),
    ("number", Type::Whole),
    ("side", Type::Text),
    ("white", Type::Text),
    ("black", Type::Text),
    ("san", Type::Text),
    ("coord", Type::Text),
    ("moment", Type::Text),
    ("fen", Type::Text),
    ("choices", Type::Whole),
    ("clock", Type::Number),
    ("seconds", Type::Number),
    ("eval", Type::Number),
    ("mate", Type::Whole),
    ("depth", Type::Whole),
    ("nodes", Type::Whole),
    ("result", Type::Text),
    ("ended_by", Type::Text),
    ("rule", Type::Text),
    ("line", Type::Whole),
    ("col", Type::Whole),
    ("remarks", Type::Text),
    ("tags", Type::Text),
];

/// The columns of a row for each game that are not tags, in order.
pub const GAMES: [(&str, Type); 21] = [
    ("run", Type::Text),
    ("game", Type::Whole),
    ("line", Type::Whole),
    ("unit", Type::Whole),
    ("run_round", Type::Whole),
    ("book", Type::Whole),
    ("white", Type::Text),
    ("black", Type::Text),
    ("verdict", Type::Text),
    ("laws", Type::Whole),
    ("acts", Type::Whole),
    ("over_moves", Type::Whole),
    ("result", Type::Text),
    ("ended_by", Type::Text),
    ("rule", Type::Text),
    ("material", Type::Whole),
    ("drops", Type::Whole),
    ("promotions", Type::Whole),
    ("sub_games", Type::Whole),
    ("white_depletion", Type::Number),
    ("black_depletion", Type::Number),
];

/// Words that no column can be named with, in most databases.
const RESERVED: &str = " all analyse analyze and any array as asc asymmetric at both by case cast check collate column \
    constraint create current_date current_time default deferrable desc describe distinct do else end except exists \
    false fetch for foreign from full grant group having in initially inner insert intersect into is join lambda lateral \
    leading left like limit natural not null offset on only or order outer pivot placing primary qualify references \
    returning right row select show some summarize symmetric table then to trailing true union unique unpivot update \
    user using values variadic when where window with ";

/// The tag in this column, if a column is about a tag: White and Black are the players of every table.
fn player(tag: &str) -> Option<&'static str> {
    match tag {
        "White" => Some("white"),
        "Black" => Some("black"),
        _ => None,
    }
}

/// The column of a tag: its name, unless a column that is not a tag has that, in any case, or it is a word of SQL.
pub fn column_of(tag: &str) -> String {
    match player(tag) {
        Some(player) => player.to_owned(),
        None if is_taken(tag) => format!("tag_{tag}"),
        None => tag.to_owned(),
    }
}

fn is_taken(tag: &str) -> bool {
    let is_column = GAMES.iter().any(|(name, _)| name.eq_ignore_ascii_case(tag));
    let is_other_roster = ROSTER
        .iter()
        .any(|name| name.eq_ignore_ascii_case(tag) && *name != tag);
    let word = format!(" {} ", tag.to_ascii_lowercase());
    is_column || is_other_roster || RESERVED.contains(&word)
}

/// The columns of the tags that every record has, in their order.
pub fn roster() -> Vec<String> {
    let columns = ROSTER.iter().map(|tag| column_of(tag));
    columns.filter(|column| !is_own(column)).collect()
}

/// Whether a column of a table of games is not that of a tag.
pub fn is_own(column: &str) -> bool {
    GAMES.iter().any(|(name, _)| *name == column)
}
