//! Places in a text.

/// A half-open range of bytes of the whole text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The offset of the first byte.
    pub from: u64,
    /// The offset after the last byte.
    pub to: u64,
}

impl Span {
    /// The bytes from `from` up to, but not including, `to`.
    #[must_use]
    pub const fn new(from: u64, to: u64) -> Self {
        Self { from, to }
    }

    /// Its length in bytes.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.to - self.from
    }

    /// Whether it is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.from == self.to
    }
}

/// A span together with the line where it begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TextSpan {
    /// The bytes meant.
    pub span: Span,
    /// The line where they begin, from 1.
    pub line: u64,
    /// The offset of the first byte of that line.
    pub line_start: u64,
}

impl TextSpan {
    /// No place of any text.
    pub const NOWHERE: Self = Self {
        span: Span::new(0, 0),
        line: 0,
        line_start: 0,
    };

    /// The same line, with another span in it.
    #[must_use]
    pub const fn at(self, span: Span) -> Self {
        Self { span, ..self }
    }
}
