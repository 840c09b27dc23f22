//! How a text is read: in which language, and how much of each thing it may contain before the rest is refused.

use crate::san::Language;

/// Limits on what a reader accepts from a text, and the language of its moves; for each there is an option on the
/// command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Variations inside variations.
    pub rav_depth: usize,
    /// Angle-bracket blocks inside blocks.
    pub block_depth: usize,
    /// The value of the tag `Level` and of the option `depth`.
    pub level: u32,
    /// Boards side by side.
    pub boards: usize,
    /// Tag pairs of one game.
    pub tags: usize,
    /// Bytes of one tag value.
    pub tag_value: usize,
    /// Bytes of one action `<verb …>`.
    pub action: usize,
    /// Bytes of one symbol, such as a move.
    pub symbol: usize,
    /// Whether the game may still be going on where its record ends: then what is open there closes.
    pub so_far: bool,
    /// The language whose piece letters moves have; `None` for English.
    pub language: Option<&'static Language>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rav_depth: 100_000,
            block_depth: 1_000,
            level: 64,
            boards: 1_024,
            tags: 4_096,
            tag_value: 16 << 20,
            action: 16 << 20,
            symbol: 255,
            so_far: false,
            language: None,
        }
    }
}
