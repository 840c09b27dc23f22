//! Comments with commands among the tags of a record.

use overboard_formats::span::{Span, TextSpan};

/// The number of bytes of such comments that are kept; with more, the moves begin.
const KEPT: u64 = 1 << 20;

/// Comments among the tags whose commands are obeyed when the moves begin, since until then it is not known which game they
/// are about.
#[derive(Default)]
pub struct Early {
    comments: Vec<(TextSpan, Vec<u8>)>,
    bytes: u64,
}

impl Early {
    /// Whether a comment of this length may still be kept.
    pub const fn has_room(&self, span: Span) -> bool {
        self.bytes + (span.to - span.from) <= KEPT
    }

    /// Keeps a comment.
    pub fn keep(&mut self, place: TextSpan, text: &[u8]) {
        self.bytes += text.len() as u64;
        self.comments.push((place, text.to_vec()));
    }

    /// Whether there is any.
    pub const fn holds_any(&self) -> bool {
        !self.comments.is_empty()
    }

    /// All of them, in their order; none is kept any longer.
    pub fn take(&mut self) -> Vec<(TextSpan, Vec<u8>)> {
        std::mem::take(self).comments
    }
}
