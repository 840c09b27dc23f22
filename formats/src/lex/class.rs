//! The class of a byte.

/// Classes of bytes by the tokens that they begin.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
    Space,
    Line,
    Letter,
    Digit,
    Inside,
    Dash,
    Dot,
    Nag,
    Glyph,
    Star,
    Colon,
    Less,
    Greater,
    Open,
    Close,
    Brace,
    BraceClose,
    Semicolon,
    Percent,
    Bracket,
    BracketClose,
    Control,
    Strange,
}

const fn class_of(byte: u8) -> Class {
    match byte {
        b' ' | b'\t' | b'\r' | 0x0b => Class::Space,
        b'\n' => Class::Line,
        // `@` begins a drop without a piece letter.
        b'a'..=b'z' | b'A'..=b'Z' | b'@' | 0x80.. => Class::Letter,
        b'0'..=b'9' => Class::Digit,
        b'_' | b'+' | b'#' | b'=' | b'^' | b'/' => Class::Inside,
        b'-' => Class::Dash,
        b'.' => Class::Dot,
        b'$' => Class::Nag,
        b'!' | b'?' => Class::Glyph,
        b'*' => Class::Star,
        b':' => Class::Colon,
        b'<' => Class::Less,
        b'>' => Class::Greater,
        b'(' => Class::Open,
        b')' => Class::Close,
        b'{' => Class::Brace,
        b'}' => Class::BraceClose,
        b';' => Class::Semicolon,
        b'%' => Class::Percent,
        b'[' => Class::Bracket,
        b']' => Class::BracketClose,
        0..=0x1f | 0x7f => Class::Control,
        _ => Class::Strange,
    }
}

pub(super) static CLASS: [Class; 256] = {
    let mut table = [Class::Strange; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = class_of(byte as u8);
        byte += 1;
    }
    table
};

/// Whether a byte may occur inside a symbol.
pub(super) static IN_SYMBOL: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(
            CLASS[byte],
            Class::Letter | Class::Digit | Class::Inside | Class::Dash
        );
        byte += 1;
    }
    table
};
