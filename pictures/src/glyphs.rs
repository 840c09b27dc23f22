//! Letters as strokes, so that a picture needs no font.
//!
//! A glyph is a path on a grid where capitals are 70 high, small letters 48, and the base line is at 0. There are
//! glyphs for all of ASCII, and for the accented letters of European names, which are composed of a letter and an
//! accent. Anything else is an empty box: the `title` and `desc` of a picture have the text itself.

/// The width of a glyph's stroke.
pub const STROKE: u8 = 9;

/// A letter with the path that draws it.
struct Glyph {
    letter: char,
    advance: u8,
    path: &'static str,
}

/// A stroke of a text: a glyph and its offset.
pub struct Stroke {
    /// The glyph's letter; an accent is a glyph by itself.
    pub letter: char,
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
}

/// The strokes of a text on one line, and its width.
#[must_use]
pub fn strokes(text: &str) -> (Vec<Stroke>, f32) {
    let mut strokes = Vec::new();
    let mut x = 0.0;
    for letter in text.chars().filter(|c| !is_combining(*c)).flat_map(spelt) {
        let (base, accent) = taken_apart(letter);
        let advance = f32::from(glyph(base).advance);
        strokes.push(Stroke {
            letter: base,
            x,
            y: 0.0,
        });
        let y = if base.is_uppercase() { -22.0 } else { 0.0 };
        strokes.extend(accent.map(|accent| {
            let y = if matches!(accent, '¸' | '˛' | '\u{338}') {
                0.0
            } else {
                y
            };
            Stroke {
                letter: accent,
                x: x + advance / 2.0,
                y,
            }
        }));
        x += advance;
    }
    (strokes, x)
}

/// The width of a text on one line.
#[must_use]
pub fn width(text: &str) -> f32 {
    strokes(text).1
}

/// The path of a glyph.
#[must_use]
pub fn path(letter: char) -> &'static str {
    glyph(letter).path
}

fn glyph(letter: char) -> &'static Glyph {
    GLYPHS
        .iter()
        .chain(ACCENTS)
        .find(|glyph| glyph.letter == letter)
        .unwrap_or(&UNKNOWN)
}

/// Whether a character is an accent on the letter before it; such characters are left out.
const fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// The letters that replace one without a glyph, if it can be spelt with others.
fn spelt(letter: char) -> impl Iterator<Item = char> {
    let (first, second) = match letter {
        'Æ' => ('A', Some('E')),
        'æ' => ('a', Some('e')),
        'Œ' => ('O', Some('E')),
        'œ' => ('o', Some('e')),
        'ß' => ('s', Some('s')),
        'Þ' => ('T', Some('h')),
        'þ' => ('t', Some('h')),
        '‘' | '’' | 'ʼ' => ('\'', None),
        '“' | '”' | '„' => ('"', None),
        '\u{a0}' | '\u{202f}' => (' ', None),
        other => (other, None),
    };
    std::iter::once(first).chain(second)
}

/// A letter without its accent, and the accent.
fn taken_apart(letter: char) -> (char, Option<char>) {
    let place = |(accent, whole, bases): &(char, &str, &str)| {
        let index = whole.chars().position(|c| c == letter)?;
        bases.chars().nth(index).map(|base| (base, Some(*accent)))
    };
    ACCENTED.iter().find_map(place).unwrap_or((letter, None))
}

const fn g(letter: char, advance: u8, path: &'static str) -> Glyph {
    Glyph {
        letter,
        advance,
        path,
    }
}

static UNKNOWN: Glyph = g('\u{fffd}', 52, "M8 0V-70H44V0Z");

/// Accented letters: the accent, the letters that have it, and the same letters without it.
static ACCENTED: &[(char, &str, &str)] = &[
    ('´', "ÁÉÍÓÚÝáéíóúýĆćĹĺŃńŔŕŚśŹź", "AEIOUYaeıouyCcLlNnRrSsZz"),
    ('`', "ÀÈÌÒÙàèìòù", "AEIOUaeıou"),
    ('ˆ', "ÂÊÎÔÛâêîôûĈĉĜĝĤĥĴĵŜŝŴŵŶŷ", "AEIOUaeıouCcGgHhJjSsWwYy"),
    ('˜', "ÃÑÕãñõĨĩŨũ", "ANOanoIıUu"),
    ('¨', "ÄËÏÖÜŸäëïöüÿ", "AEIOUYaeıouy"),
    ('˚', "ÅåŮů", "AaUu"),
    ('ˇ', "ČčĎďĚěĽľŇňŘřŠšŤťŽžǍǎ", "CcDdEeLlNnRrSsTtZzAa"),
    ('˘', "ĂăĔĕĞğĬĭŎŏŬŭ", "AaEeGgIıOoUu"),
    ('¯', "ĀāĒēĪīŌōŪū", "AaEeIıOoUu"),
    ('˙', "ĊċĖėĠġİŻż", "CcEeGgIZz"),
    ('˝', "ŐőŰű", "OoUu"),
    ('¸', "ÇçĢĶķĻļŅņŖŗŞşŢţȘșȚț", "CcGKkLlNnRrSsTtSsTt"),
    ('˛', "ĄąĘęĮįŲų", "AaEeIiUu"),
    ('\u{338}', "ŁłØøÐđĐð", "LlOoDdDd"),
];

/// Accents, drawn around the middle of a small letter.
static ACCENTS: &[Glyph] = &[
    g('´', 0, "M-4-60L7-72"),
    g('ˆ', 0, "M-11-60L0-71L11-60"),
    g('˜', 0, "M-13-62C-8-70-3-69 0-66S8-62 13-70"),
    g('¨', 0, "M-9-65v.1M9-65v.1"),
    g('˚', 0, "M0-75a6 6 0 1 0 .1 0z"),
    g('ˇ', 0, "M-11-71L0-60L11-71"),
    g('˘', 0, "M-11-70C-8-60 8-60 11-70"),
    g('¯', 0, "M-12-65H12"),
    g('˙', 0, "M0-65v.1"),
    g('˝', 0, "M-10-60L-3-72M4-60L11-72"),
    g('¸', 0, "M1 0V6C9 8 7 18-5 17"),
    g('˛', 0, "M6 0C-1 6-1 16 9 16"),
    g('\u{338}', 0, "M-14-24L14-46"),
];

static GLYPHS: &[Glyph] = &[
    g(' ', 28, ""),
    g('A', 60, "M6 0L30-70L54 0M14-24H46"),
    g(
        'B',
        57,
        "M10 0V-70H28A17 17 0 0 1 28-36H10M28-36A18 18 0 0 1 28 0H10",
    ),
    g(
        'C',
        59,
        "M53-57C48-66 41-70 33-70C18-70 8-56 8-35S18 0 33 0C41 0 48-4 53-13",
    ),
    g('D', 62, "M10 0V-70H26C44-70 54-56 54-35S44 0 26 0Z"),
    g('E', 52, "M46-70H10V0H46M10-36H40"),
    g('F', 50, "M46-70H10V0M10-36H38"),
    g(
        'G',
        62,
        "M53-57C48-66 41-70 33-70C18-70 8-56 8-35S18 0 33 0C44 0 54-7 54-24V-32H36",
    ),
    g('H', 62, "M10 0V-70M52 0V-70M10-36H52"),
    g('I', 20, "M10 0V-70"),
    g('J', 44, "M34-70V-20C34-7 28 0 19 0S6-6 5-15"),
    g('K', 58, "M10 0V-70M50-70L10-28M24-42L52 0"),
    g('L', 48, "M10-70V0H44"),
    g('M', 72, "M10 0V-70L36-22L62-70V0"),
    g('N', 62, "M10 0V-70L52 0V-70"),
    g(
        'O',
        68,
        "M34-70C18-70 8-56 8-35S18 0 34 0S60-14 60-35S50-70 34-70Z",
    ),
    g('P', 54, "M10 0V-70H28A20 20 0 0 1 28-30H10"),
    g(
        'Q',
        68,
        "M34-70C18-70 8-56 8-35S18 0 34 0S60-14 60-35S50-70 34-70ZM40-16L58 4",
    ),
    g('R', 58, "M10 0V-70H28A20 20 0 0 1 28-30H10M28-30L50 0"),
    g(
        'S',
        54,
        "M45-58C41-66 35-70 27-70C16-70 9-63 9-53C9-31 46-42 46-18C46-7 38 0 27 0C17 0 10-4 6-13",
    ),
    g('T', 54, "M4-70H50M27-70V0"),
    g('U', 62, "M10-70V-24C10-8 18 0 31 0S52-8 52-24V-70"),
    g('V', 58, "M5-70L29 0L53-70"),
    g('W', 82, "M5-70L23 0L41-62L59 0L77-70"),
    g('X', 56, "M6-70L50 0M50-70L6 0"),
    g('Y', 56, "M5-70L28-34L51-70M28-34V0"),
    g('Z', 56, "M7-70H49L6 0H51"),
    g(
        'a',
        50,
        "M41-48V0M41-33C38-43 32-48 24-48C14-48 7-38 7-24S14 0 24 0C32 0 38-5 41-15",
    ),
    g(
        'b',
        52,
        "M9-72V0M9-33C12-43 18-48 26-48C36-48 43-38 43-24S36 0 26 0C18 0 12-5 9-15",
    ),
    g(
        'c',
        46,
        "M41-39C37-45 32-48 26-48C15-48 7-38 7-24S15 0 26 0C32 0 37-3 41-9",
    ),
    g(
        'd',
        52,
        "M43-72V0M43-33C40-43 34-48 26-48C16-48 9-38 9-24S16 0 26 0C34 0 40-5 43-15",
    ),
    g(
        'e',
        50,
        "M8-25H43C43-40 36-48 26-48C15-48 7-38 7-24S15 0 27 0C34 0 39-3 42-8",
    ),
    g('f', 34, "M31-71C20-74 14-70 14-58V0M4-48H28"),
    g(
        'g',
        52,
        "M43-48V2C43 15 36 20 26 20C19 20 14 18 10 14M43-33C40-43 34-48 26-48C16-48 9-38 9-24S16 0 26 0C34 0 40-5 43-15",
    ),
    g(
        'h',
        52,
        "M9-72V0M9-30C12-42 18-48 27-48C37-48 42-42 42-31V0",
    ),
    g('i', 20, "M10-48V0M10-65v.1"),
    g('ı', 20, "M10-48V0"),
    g('j', 22, "M13-48V8C13 17 9 21 2 21M13-65v.1"),
    g('k', 46, "M9-72V0M38-48L9-18M20-29L40 0"),
    g('l', 24, "M9-72V-11C9-3 13 0 19 0"),
    g(
        'm',
        78,
        "M9-48V0M9-31C11-42 17-48 25-48C34-48 39-42 39-31V0M39-31C41-42 47-48 55-48C64-48 69-42 69-31V0",
    ),
    g(
        'n',
        52,
        "M9-48V0M9-30C12-42 18-48 27-48C37-48 42-42 42-31V0",
    ),
    g(
        'o',
        52,
        "M26-48C15-48 7-38 7-24S15 0 26 0S45-10 45-24S37-48 26-48Z",
    ),
    g(
        'p',
        52,
        "M9-48V20M9-33C12-43 18-48 26-48C36-48 43-38 43-24S36 0 26 0C18 0 12-5 9-15",
    ),
    g(
        'q',
        52,
        "M43-48V20M43-33C40-43 34-48 26-48C16-48 9-38 9-24S16 0 26 0C34 0 40-5 43-15",
    ),
    g('r', 36, "M9-48V0M9-29C11-41 18-48 31-47"),
    g(
        's',
        44,
        "M36-40C33-45 28-48 22-48C13-48 8-43 8-36C8-21 37-28 37-13C37-5 31 0 22 0C14 0 9-3 6-9",
    ),
    g('t', 34, "M14-64V-13C14-3 20 1 30-2M4-48H28"),
    g('u', 52, "M9-48V-18C9-6 14 0 24 0C33 0 40-6 43-18M43-48V0"),
    g('v', 46, "M5-48L23 0L41-48"),
    g('w', 66, "M5-48L19 0L33-42L47 0L61-48"),
    g('x', 44, "M6-48L38 0M38-48L6 0"),
    g('y', 46, "M5-48L23-2M41-48L20 8C17 17 12 21 4 20"),
    g('z', 44, "M6-48H37L6 0H39"),
    g(
        '0',
        52,
        "M26-70C14-70 7-57 7-35S14 0 26 0S45-13 45-35S38-70 26-70Z",
    ),
    g('1', 52, "M12-56L30-70V0"),
    g(
        '2',
        52,
        "M8-54C9-64 16-70 26-70C37-70 44-63 44-53C44-40 30-30 7 0H46",
    ),
    g(
        '3',
        52,
        "M9-58C12-66 18-70 26-70C36-70 43-64 43-54C43-44 36-38 24-38C38-38 45-30 45-19C45-7 37 0 26 0C16 0 9-5 6-14",
    ),
    g('4', 52, "M36 0V-70L6-22H48"),
    g(
        '5',
        52,
        "M42-70H13L10-38C14-42 19-44 25-44C37-44 45-36 45-23C45-9 37 0 25 0C16 0 10-4 6-12",
    ),
    g(
        '6',
        52,
        "M41-62C37-67 33-70 27-70C14-70 7-55 7-30C7-10 14 0 26 0C37 0 45-9 45-22S37-43 27-43C17-43 9-36 7-24",
    ),
    g('7', 52, "M6-70H46L20 0"),
    g(
        '8',
        52,
        "M26-38C16-38 9-45 9-54S16-70 26-70S43-63 43-54S36-38 26-38C14-38 7-30 7-19S14 0 26 0S45-8 45-19S38-38 26-38Z",
    ),
    g(
        '9',
        52,
        "M11-8C15-3 19 0 25 0C38 0 45-15 45-40C45-60 38-70 26-70C15-70 7-61 7-48S15-27 25-27C35-27 43-34 45-46",
    ),
    g(
        '½',
        84,
        "M8-60L19-69V-34M60-72L22 2M52-26C52-32 57-36 63-36C70-36 75-32 75-26C75-18 64-12 51 0H76",
    ),
    g('.', 20, "M10-1v.1"),
    g(',', 20, "M11-2L7 11"),
    g(':', 20, "M10-42v.1M10-2v.1"),
    g(';', 20, "M10-42v.1M11-2L7 11"),
    g('!', 20, "M10-70V-22M10-1v.1"),
    g(
        '?',
        46,
        "M7-57C9-65 15-70 23-70C33-70 40-64 40-54C40-40 23-40 23-22M23-1v.1",
    ),
    g('\'', 20, "M10-70V-54"),
    g('"', 32, "M10-70V-54M22-70V-54"),
    g('-', 36, "M7-26H29"),
    g('–', 52, "M5-26H47"),
    g('—', 78, "M5-26H73"),
    g('(', 28, "M22-78C12-66 8-50 8-32S12 2 22 14"),
    g(')', 28, "M6-78C16-66 20-50 20-32S16 2 6 14"),
    g('[', 28, "M21-78H9V12H21"),
    g(']', 28, "M7-78H19V12H7"),
    g(
        '{',
        30,
        "M24-78C15-78 15-72 15-64V-46C15-38 13-33 6-33C13-33 15-28 15-20V-2C15 6 15 12 24 12",
    ),
    g(
        '}',
        30,
        "M6-78C15-78 15-72 15-64V-46C15-38 17-33 24-33C17-33 15-28 15-20V-2C15 6 15 12 6 12",
    ),
    g('/', 38, "M5 8L33-76"),
    g('\\', 38, "M5-76L33 8"),
    g('|', 20, "M10-78V14"),
    g('+', 54, "M27-54V-10M5-32H49"),
    g('=', 54, "M6-42H48M6-22H48"),
    g('<', 54, "M47-56L7-32L47-8"),
    g('>', 54, "M7-56L47-32L7-8"),
    g('×', 46, "M8-47L38-17M38-47L8-17"),
    g('·', 20, "M10-28v.1"),
    g('…', 60, "M10-1v.1M30-1v.1M50-1v.1"),
    g('#', 58, "M22-68L14-2M44-68L36-2M6-46H54M4-24H52"),
    g('*', 40, "M20-70V-42M8-63L32-49M32-63L8-49"),
    g(
        '%',
        76,
        "M60-70L16 0M18-70a11 15 0 1 0 .1 0zM58-30a11 15 0 1 0 .1 0z",
    ),
    g(
        '&',
        66,
        "M58 0L16-50C10-60 16-70 27-70S42-60 36-52C30-45 8-38 8-19C8-7 16 0 28 0C44 0 54-14 56-32",
    ),
    g(
        '@',
        84,
        "M56-24C53-16 48-12 41-12C32-12 26-19 26-29S33-48 43-48C50-48 55-44 57-38L54-20C53-13 57-11 62-12C71-14 76-24 76-36C76-56 62-70 42-70C22-70 8-55 8-32S22 8 44 8C52 8 59 6 64 3",
    ),
    g(
        '$',
        54,
        "M45-58C41-66 35-70 27-70C16-70 9-63 9-53C9-31 46-42 46-18C46-7 38 0 27 0C17 0 10-4 6-13M27-80V10",
    ),
    g('_', 52, "M3 10H49"),
    g('~', 54, "M6-26C12-38 20-38 27-32S42-26 48-38"),
    g('^', 46, "M7-44L23-68L39-44"),
    g('`', 0, "M4-60L-7-72"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_ascii_has_a_glyph() {
        for letter in ' '..='~' {
            assert!(
                GLYPHS.iter().any(|glyph| glyph.letter == letter),
                "{letter}"
            );
        }
    }

    #[test]
    fn every_accented_letter_is_a_letter_and_an_accent() {
        for (accent, whole, bases) in ACCENTED {
            assert_eq!(whole.chars().count(), bases.chars().count(), "{accent}");
            for letter in whole.chars() {
                let (base, found) = taken_apart(letter);
                assert!(
                    found == Some(*accent) && glyph(base).letter == base,
                    "{letter}"
                );
                assert!(
                    GLYPHS
                        .iter()
                        .chain(ACCENTS)
                        .any(|glyph| glyph.letter == *accent)
                );
            }
        }
    }

    #[test]
    fn letters_without_a_glyph_are_boxes_and_separate_accents_are_left_out() {
        assert_eq!(path('Ж'), UNKNOWN.path);
        assert_eq!(strokes("e\u{301}").0.len(), 1);
        assert!(width("Łódź") > width("dz"));
    }
}
