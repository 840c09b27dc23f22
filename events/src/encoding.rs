//! The encoding of files from elsewhere: Unicode, or the code page of the computer they were written on.
//!
//! ```
//! use overboard_events::encoding::{Source, read};
//!
//! let file = read("Δημητρίου\n".as_bytes(), None, None);
//! assert_eq!((file.text.as_str(), file.source), ("Δημητρίου\n", Source::Certain));
//! let file = read(b"\xc4\xe7\xec\xe7\xf4\xf1\xdf\xef\xf5\n", None, Some("GRE"));
//! assert_eq!((file.text.as_str(), file.source), ("Δημητρίου\n", Source::Guessed));
//! ```

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
pub use encoding_rs::Encoding;
use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};

/// A decoded file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decoded {
    /// Its text.
    pub text: String,
    /// The name of its encoding.
    pub encoding: &'static str,
    /// How the encoding is known.
    pub source: Source,
    /// Whether it has bytes that are not possible in this encoding. In the text they are `\u{fffd}`.
    pub has_faults: bool,
}

/// How an encoding is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The bytes show it.
    Certain,
    /// The user said it.
    Given,
    /// It follows from how often letters occur beside each other, and from the federation.
    Guessed,
}

/// Federations whose names were usually written in a code page of their own, and the ends of their Internet addresses,
/// by which the guess knows them.
const COUNTRIES: [(&str, &str); 44] = [
    ("ALB", "al"),
    ("ARG", "ar"),
    ("AUT", "at"),
    ("AZE", "az"),
    ("BEL", "be"),
    ("BIH", "ba"),
    ("BLR", "by"),
    ("BRA", "br"),
    ("BUL", "bg"),
    ("CRO", "hr"),
    ("CYP", "cy"),
    ("CZE", "cz"),
    ("DEN", "dk"),
    ("ESP", "es"),
    ("EST", "ee"),
    ("FIN", "fi"),
    ("FRA", "fr"),
    ("GER", "de"),
    ("GRE", "gr"),
    ("HUN", "hu"),
    ("ISL", "is"),
    ("ISR", "il"),
    ("ITA", "it"),
    ("KAZ", "kz"),
    ("LAT", "lv"),
    ("LTU", "lt"),
    ("MEX", "mx"),
    ("MKD", "mk"),
    ("MNE", "me"),
    ("NED", "nl"),
    ("NOR", "no"),
    ("POL", "pl"),
    ("POR", "pt"),
    ("ROU", "ro"),
    ("RUS", "ru"),
    ("SLO", "si"),
    ("SRB", "rs"),
    ("SUI", "ch"),
    ("SVK", "sk"),
    ("SWE", "se"),
    ("TUR", "tr"),
    ("UKR", "ua"),
    ("VIE", "vn"),
    ("MDA", "md"),
];

/// The encoding with this name, such as `windows-1250`, `cp1253`, `utf-16` or `latin1`.
#[must_use]
pub fn named(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label(name.as_bytes())
}

/// Whether it is known for a federation which code pages are likely.
#[must_use]
pub fn is_known(federation: &str) -> bool {
    COUNTRIES.iter().any(|(code, _)| *code == federation)
}

/// Decodes a file: in the given encoding, else in the one that its bytes show, else in the most likely one for a file
/// from this federation. A byte order mark always counts.
#[must_use]
pub fn read(bytes: &[u8], given: Option<&'static Encoding>, federation: Option<&str>) -> Decoded {
    let (encoding, source) = match (given, certain(bytes)) {
        (Some(given), _) => (given, Source::Given),
        (None, Some(certain)) => (certain, Source::Certain),
        (None, None) => (guess(bytes, federation), Source::Guessed),
    };
    let (text, used, has_faults) = encoding.decode(bytes);
    Decoded {
        text: text.into_owned(),
        encoding: used.name(),
        source,
        has_faults,
    }
}

/// The encoding that the bytes themselves show.
fn certain(bytes: &[u8]) -> Option<&'static Encoding> {
    if let Some((marked, _)) = Encoding::for_bom(bytes) {
        return Some(marked);
    }
    // In UTF-16 every other byte of Latin letters, digits and spaces is zero, and texts in other encodings have no zeros.
    let (mut even, mut odd) = (0, 0);
    for half in bytes.chunks_exact(2) {
        even += usize::from(half[0] == 0);
        odd += usize::from(half[1] == 0);
    }
    let many = bytes.len() / 8;
    if odd > many {
        return Some(UTF_16LE);
    }
    if even > many {
        return Some(UTF_16BE);
    }
    std::str::from_utf8(bytes).is_ok().then_some(UTF_8)
}

fn guess(bytes: &[u8], federation: Option<&str>) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let country = COUNTRIES.iter().find(|(code, _)| Some(*code) == federation);
    detector.guess(country.map(|(_, end)| end.as_bytes()), Utf8Detection::Deny)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unicode_shows_itself() {
        let text = "number;name\r\n1;Ünal\r\n";
        let of = |big: bool| -> Vec<u8> {
            let units = text.encode_utf16();
            units
                .flat_map(|unit| {
                    if big {
                        unit.to_be_bytes()
                    } else {
                        unit.to_le_bytes()
                    }
                })
                .collect()
        };
        let marked = [&[0xff, 0xfe], &of(false)[..]].concat();
        for bytes in [text.as_bytes().to_vec(), of(false), of(true), marked] {
            let read = read(&bytes, None, None);
            assert_eq!((read.text.as_str(), read.source), (text, Source::Certain));
        }
        assert_eq!(read(b"", None, None).text, "");
    }
}
