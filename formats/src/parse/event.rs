//! The parser's events, and the faults of grammar among them.

use crate::{
    lex::{NotText, Part, Prose, TagFault},
    limits::Limits,
};
use serde::{Deserialize, Serialize};

/// The closed list of actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verb {
    /// `prisoners`: what the winner of a sub-game takes.
    Prisoners,
    /// `consolidate`: an over-piece hands over its sub-set.
    Consolidate,
    /// `reserve`: a spare piece is put in.
    Reserve,
}

impl Verb {
    pub(super) fn of(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"prisoners" => Self::Prisoners,
            b"consolidate" => Self::Consolidate,
            b"reserve" => Self::Reserve,
            _ => return None,
        })
    }

    /// The word in records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Prisoners => "prisoners",
            Self::Consolidate => "consolidate",
            Self::Reserve => "reserve",
        }
    }
}

/// What opens and closes.
// In records these are `(`, `<e5:`, `<A2.e4` and `<reserve`; a schema repeats the comments below.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Bracket")
)]
#[serde(rename_all = "lowercase")]
pub enum Open {
    /// A variation.
    Rav,
    /// A sub-game.
    Subgame,
    /// A turn of several plies.
    Turn,
    /// An action.
    Action,
}

/// The next event in the text; its bytes are the span of [`Parser::place`](super::Parser::place).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
// `repr(u8)`: a separate discriminant is read faster than one packed into a niche of the variants' fields.
#[repr(u8)]
pub enum Event {
    /// A record begins.
    Begin,
    /// A tag pair of the record, or of the sub-game that was just opened; its parts are in [`crate::lex::Lexer::tag`].
    Tag,
    /// A move number with its dots.
    Number,
    /// A ply as written, including `--`, without its glyphs.
    Ply,
    /// `!` and `?` after a ply.
    Glyphs,
    /// `+` or `#` after a turn.
    Suffix,
    /// A numeric annotation glyph, including `$`.
    Nag,
    /// A comment or an escape line, or a piece of one.
    Prose(Prose, Part),
    /// A variation begins.
    RavOpen,
    /// A variation ends.
    RavClose,
    /// A sub-game begins; its bytes are those of its square.
    SubgameOpen,
    /// A turn begins.
    TurnOpen,
    /// The board address of a turn's next item.
    Address,
    /// An action begins; its bytes are those of its verb.
    ActionOpen(Verb),
    /// An argument of the action.
    Argument,
    /// A sub-game, turn or action ends.
    BlockClose(Open),
    /// A result: of the record, of a sub-game, or of a board in a turn.
    Result,
    /// A record or a sub-game ends without a result where all records are read [so far](Limits::so_far).
    UnderWay,
    /// Text that could not be read, unchanged.
    Unread,
    /// A fault. What could be read of it is reported by the events before or after.
    Fault(GrammarFault),
    /// The record ends.
    End,
    /// There are no more records.
    Done,
}

/// A breach of the grammar, or a form that the grammar tolerates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GrammarFault {
    /// The file is not text.
    NotText(NotText),
    /// The text begins with a UTF-8 mark.
    Mark,
    /// A comment does not close before the next record or the end of the text.
    UnclosedComment,
    /// The bracket that opened here does not close.
    Unclosed(Open),
    /// A closing bracket without an opening one.
    Stray(u8),
    /// A tag pair cannot be read.
    BadTag(TagFault),
    /// A tag pair among the moves.
    TagInMoves,
    /// Control characters.
    Control,
    /// Characters or words that have no meaning here.
    Strange,
    /// A block that begins like no sub-game, turn or action.
    BadBlock,
    /// Something that may not occur inside a turn, action or ended sub-game.
    Misplaced(Open),
    /// A move number whose dots are missing or separate.
    NumberForm,
    /// `e.p.` after a move.
    EnPassantMark,
    /// A result inside a variation.
    ResultInRav,
    /// A sign that is an annotation in some books, but not in PGN.
    SignAlone,
    /// The record ends without a result.
    NoResult,
    /// More of something than the limit allows; the rest of the record is skipped.
    Limit(Limited),
}

/// What a limit applies to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each is the field of `Limits` of that name")]
pub enum Limited {
    RavDepth,
    BlockDepth,
    Tags,
    TagValue,
    Action,
    Symbol,
}

impl Limited {
    /// The option that sets it, and its value.
    #[must_use]
    pub const fn flag(self, limits: &Limits) -> (&'static str, usize) {
        match self {
            Self::RavDepth => ("--max-rav-depth", limits.rav_depth),
            Self::BlockDepth => ("--max-block-depth", limits.block_depth),
            Self::Tags => ("--max-tags", limits.tags),
            Self::TagValue => ("--max-tag-value", limits.tag_value),
            Self::Action => ("--max-action", limits.action),
            Self::Symbol => ("--max-symbol", limits.symbol),
        }
    }
}
