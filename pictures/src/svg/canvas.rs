//! A drawing in the making, and the definitions that it uses.

use super::Fitted;
use crate::{glyphs, pieces};
use overboard_formats::foreign::Foreign;
use overboard_rules::square::Piece;
use std::collections::BTreeMap;

/// A picture in the making.
#[derive(Clone)]
pub struct Canvas {
    letters: bool,
    /// Whether every piece has both drawings, so that the page can choose.
    both: bool,
    /// Definitions by id.
    defs: BTreeMap<String, String>,
    body: String,
}

/// A text on one line.
pub struct Words {
    text: String,
    size: f32,
    x: f32,
    y: f32,
    middle: bool,
    limit: f32,
    ink: Option<&'static str>,
}

impl Words {
    /// A text whose capitals are seven tenths of `size` high.
    pub fn new(text: impl Into<String>, size: f32) -> Self {
        Self {
            text: text.into(),
            size,
            x: 0.0,
            y: 0.0,
            middle: false,
            limit: f32::INFINITY,
            ink: None,
        }
    }

    /// Begins at this point of the base line.
    pub fn at(self, x: f32, y: f32) -> Self {
        Self { x, y, ..self }
    }

    /// The point is the middle of the base line instead.
    pub fn middle(self) -> Self {
        Self {
            middle: true,
            ..self
        }
    }

    /// Shrinks to this width if need be.
    pub fn within(self, limit: f32) -> Self {
        Self { limit, ..self }
    }

    /// Has this colour.
    pub fn ink(self, ink: &'static str) -> Self {
        Self {
            ink: Some(ink),
            ..self
        }
    }
}

impl Canvas {
    /// An empty picture.
    pub const fn new(letters: bool) -> Self {
        Self {
            letters,
            both: false,
            defs: BTreeMap::new(),
            body: String::new(),
        }
    }

    /// An empty picture for a page that chooses between figures and letters.
    pub fn switching() -> Self {
        Self {
            both: true,
            ..Self::new(false)
        }
    }

    /// The definitions alone.
    pub fn into_defs(self) -> String {
        self.defs.into_values().collect()
    }

    /// Draws something.
    pub fn put(&mut self, drawing: &str) {
        self.body.push_str(drawing);
    }

    /// Defines a drawing that can be used by its id.
    pub fn define(&mut self, id: &str, drawing: impl FnOnce() -> String) {
        if !self.defs.contains_key(id) {
            self.defs.insert(id.to_owned(), drawing());
        }
    }

    /// The id of a piece's drawing, which is defined if need be.
    pub fn piece(&mut self, piece: Piece) -> String {
        let id = pieces::id(piece, self.letters);
        let (letters, both) = (self.letters, self.both);
        self.define(&id, || {
            if both {
                pieces::symbols(piece)
            } else {
                pieces::symbol(piece, letters)
            }
        });
        id
    }

    /// Writes a text.
    pub fn write(&mut self, words: &Words) {
        let drawing = self.words(words);
        self.put(&drawing);
    }

    /// A text as a drawing.
    pub fn words(&mut self, words: &Words) -> String {
        let (strokes, width) = glyphs::strokes(&Foreign::new(&words.text).line());
        let scale = (words.size / 100.0).min(words.limit / width.max(1.0));
        let x = if words.middle {
            words.x - width * scale / 2.0
        } else {
            words.x
        };
        let ink = words
            .ink
            .map(|ink| format!(r#" stroke="{ink}""#))
            .unwrap_or_default();
        let uses: String = strokes
            .iter()
            .filter_map(|stroke| self.stroke(stroke))
            .collect();
        format!(
            r#"<g transform="translate({} {})scale({})"{ink}>{uses}</g>"#,
            number(x),
            number(words.y),
            number(scale)
        )
    }

    fn stroke(&mut self, stroke: &glyphs::Stroke) -> Option<String> {
        let path = glyphs::path(stroke.letter);
        if path.is_empty() {
            return None;
        }
        let id = format!("u{:x}", u32::from(stroke.letter));
        let width = glyphs::STROKE;
        self.define(&id, || {
            format!(r#"<path id="{id}" fill="none" stroke-width="{width}" d="{path}"/>"#)
        });
        Some(used_at(&id, stroke.x, stroke.y))
    }

    /// A use of a drawing that is defined only once, however often it is drawn.
    pub fn shared(&mut self, drawing: &str) -> String {
        let id = format!("b{:x}", hash(drawing) >> 24);
        self.define(&id, || format!(r#"<g id="{id}">{drawing}</g>"#));
        id
    }

    /// The whole picture, with no side longer than `most` pixels.
    pub fn finish(
        self,
        title: &str,
        description: &str,
        (width, height): (f32, f32),
        most: u32,
    ) -> Fitted {
        let defs: String = self.defs.into_values().collect();
        let (width, height) = (width.ceil() as u32, height.ceil() as u32);
        let size = within(most, (width, height));
        let (title, description) = (Foreign::new(title).xml(), Foreign::new(description).xml());
        let (ink, paper) = (pieces::INK, pieces::PAPER);
        let body = self.body;
        let svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}" viewBox="0 0 {width} {height}" role="img"><title>{title}</title><desc>{description}</desc><defs>{defs}</defs><rect width="{width}" height="{height}" fill="{paper}"/><g stroke="{ink}" stroke-width="4.5" stroke-linecap="round" stroke-linejoin="round">{body}</g></svg>
"##,
            size.0, size.1
        );
        Fitted {
            svg,
            size,
            asked: (width, height),
        }
    }
}

/// Width and height, scaled so that the longer side is at most `most`.
fn within(most: u32, (width, height): (u32, u32)) -> (u32, u32) {
    let longest = u64::from(width.max(height).max(most.max(1)));
    // No side gets longer, so the results fit.
    let shorter = |side: u32| (u64::from(side) * u64::from(most.max(1)) / longest).max(1) as u32;
    if longest > u64::from(most) {
        (shorter(width), shorter(height))
    } else {
        (width, height)
    }
}

/// A use of a drawing at a place.
pub fn used_at(id: &str, x: f32, y: f32) -> String {
    let place = |name, value: f32| {
        if value == 0.0 {
            String::new()
        } else {
            format!(r#" {name}="{}""#, number(value))
        }
    };
    format!(r##"<use href="#{id}"{}{}/>"##, place("x", x), place("y", y))
}

/// A use of a drawing at a place, with a size and further attributes.
pub fn used(id: &str, (x, y): (f32, f32), size: f32, more: &str) -> String {
    if size == 1.0 && more.is_empty() {
        return used_at(id, x, y);
    }
    let (x, y, size) = (number(x), number(y), number(size));
    format!(r##"<use href="#{id}" transform="translate({x} {y})scale({size})"{more}/>"##)
}

/// A number with no more digits than can be seen.
pub fn number(value: f32) -> String {
    let digits = format!("{value:.4}");
    let short = digits.trim_end_matches('0').trim_end_matches('.');
    match short {
        "-0" => "0".into(),
        _ => short.into(),
    }
}

/// FNV-1a, which is the same on every machine: the hash names a drawing, also among those of other pictures.
fn hash(drawing: &str) -> u64 {
    drawing.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
