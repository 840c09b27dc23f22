//! The columns of tables: their names and types, the same in every form.

use Type::{Number, Text, Whole};
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
    ("run", Text),
    ("game", Whole),
    ("step", Whole),
    ("kind", Text),
    ("path", Text),
    ("ply", Whole),
    ("act", Whole),
    ("number", Whole),
    ("side", Text),
    ("white", Text),
    ("black", Text),
    ("san", Text),
    ("coord", Text),
    ("moment", Text),
    ("fen", Text),
    ("choices", Whole),
    ("clock", Number),
    ("seconds", Number),
    ("eval", Number),
    ("mate", Whole),
    ("depth", Whole),
    ("nodes", Whole),
    ("result", Text),
    ("ended_by", Text),
    ("rule", Text),
    ("line", Whole),
    ("col", Whole),
    ("remarks", Text),
    ("tags", Text),
];

/// The columns of a row for each game that are not tags, in order.
pub const GAMES: [(&str, Type); 21] = [
    ("run", Text),
    ("game", Whole),
    ("line", Whole),
    ("unit", Whole),
    ("run_round", Whole),
    ("book", Whole),
    ("white", Text),
    ("black", Text),
    ("verdict", Text),
    ("laws", Whole),
    ("acts", Whole),
    ("over_moves", Whole),
    ("result", Text),
    ("ended_by", Text),
    ("rule", Text),
    ("material", Whole),
    ("drops", Whole),
    ("promotions", Whole),
    ("sub_games", Whole),
    ("white_depletion", Number),
    ("black_depletion", Number),
];

/// Words that no column can be named with, in most databases.
const RESERVED: &str = " all analyse analyze and any array as asc asymmetric at both by case cast check collate column \
    constraint create current_date current_time default deferrable desc describe distinct do else end except exists \
    false fetch for foreign from full grant group having in initially inner insert intersect into is join lambda lateral \
    leading left like limit natural not null offset on only or order outer pivot placing primary qualify references \
    returning right row select show some summarize symmetric table then to trailing true union unique unpivot update \
    user using values variadic when where window with ";

/// The column of a tag: its name, unless a column that is not a tag has that, in any case, or it is a word of SQL. White
/// and Black are the players of every table.
pub fn column_of(tag: &str) -> String {
    match tag {
        "White" | "Black" => tag.to_ascii_lowercase(),
        _ if is_taken(tag) => format!("tag_{tag}"),
        _ => tag.to_owned(),
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
