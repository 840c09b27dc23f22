//! Lists of the tags `WhiteLieutenants` and `BlackLieutenants`: who leads which over-piece (OV-13).
//!
//! ```
//! use overboard_games::overchess::lieutenants::{Led, posts};
//!
//! let (posts, faults) = posts("d1=Ann:P=Cy%3A the elder:*=Bob");
//! assert!(faults.is_empty());
//! assert_eq!(posts[1].name, "Cy: the elder");
//! assert_eq!(posts[2].led, Led::Rest);
//! ```

use crate::overchess;
use overboard_formats::header::{escaped, unescape_list};
use overboard_rules::square::{Role, Square};
use std::{collections::HashSet, fmt, ops::Range};

/// What a person leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Led {
    /// The over-piece that began on a square.
    On(Square),
    /// All over-pieces that began as a kind, except those that are named by their squares.
    Kind(Role),
    /// Every over-piece named neither by its square nor by its kind; people with this post take turns.
    Rest,
}

/// An item of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Post {
    /// What is led.
    pub led: Led,
    /// The name of the person.
    pub name: String,
    /// The place of the item in the list.
    pub bytes: Range<usize>,
}

/// What is wrong with part of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListFault {
    /// The place in the list.
    pub bytes: Range<usize>,
    /// What is wrong, in words.
    pub what: String,
}

impl Led {
    /// What `d1`, `P` or `*` means.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        match text.as_bytes() {
            b"*" => Some(Self::Rest),
            [letter @ (b'P' | b'R' | b'N' | b'B' | b'Q' | b'K')] => {
                Role::from_letter(*letter).map(Self::Kind)
            }
            _ => overchess::square_named(text).map(Self::On),
        }
    }
}

impl fmt::Display for Led {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::On(square) => square.fmt(f),
            Self::Kind(role) => write!(f, "{}", role.letter()),
            Self::Rest => f.write_str("*"),
        }
    }
}

/// Parses a list such as `d1=Ann:a1=Bob:h1=Bob:P=Cy`: its items in order, and what is wrong with the others. An empty
/// list has no items.
#[must_use]
pub fn posts(list: &str) -> (Vec<Post>, Vec<ListFault>) {
    let (mut posts, mut faults) = (Vec::new(), Vec::new());
    if list.is_empty() {
        return (posts, faults);
    }
    let mut seen = HashSet::new();
    let mut from = 0;
    for item in list.split(':') {
        let bytes = from..from + item.len();
        from = bytes.end + 1;
        match post(item, bytes) {
            Ok(post) if post.led != Led::Rest && !seen.insert(post.led) => {
                let what = match post.led {
                    Led::Kind(role) => format!("the kind {} occurs twice", role.letter()),
                    led => format!("the over-piece {led} occurs twice"),
                };
                faults.push(ListFault {
                    bytes: post.bytes,
                    what,
                });
            }
            Ok(post) => posts.push(post),
            Err(fault) => faults.push(fault),
        }
    }
    (posts, faults)
}

fn post(item: &str, bytes: Range<usize>) -> Result<Post, ListFault> {
    let fault = |bytes: Range<usize>, what: String| ListFault { bytes, what };
    let Some((led, name)) = item.split_once('=') else {
        let what = "expected an over-piece, `=` and a name, such as d1=Ann".to_owned();
        return Err(fault(bytes, what));
    };
    let end = bytes.start + led.len();
    let Some(meant) = Led::read(led) else {
        let expected =
            "a first square such as d1, one of P R N B Q, or `*` for whatever nobody else leads";
        return Err(fault(
            bytes.start..end.max(bytes.start + 1),
            format!("`{led}` is not an over-piece: expected {expected}"),
        ));
    };
    if meant == Led::Kind(Role::King) {
        return Err(fault(bytes.start..end, KING.to_owned()));
    }
    if name.trim().is_empty() {
        return Err(fault(bytes, format!("nobody is named for {led}")));
    }
    if let Some(at) = bad_escape(name) {
        let at = end + 1 + at;
        let what =
            "`%` needs two hexadecimal digits after it, as in %3A for `:`; `%` itself is %25";
        return Err(fault(at..at + 1, what.to_owned()));
    }
    if let Some(at) = name.find('=') {
        let at = end + 1 + at;
        return Err(fault(
            at..at + 1,
            "a `:` separates two items, and a `=` in a name is written %3D".to_owned(),
        ));
    }
    Ok(Post {
        led: meant,
        name: unescape_list(name.trim()),
        bytes,
    })
}

/// Why no king has a lieutenant.
pub const KING: &str = "the over-king has no sub-set, and nobody leads it";

/// The index of the first `%` in a name that is not followed by two hexadecimal digits of an ASCII character.
fn bad_escape(name: &str) -> Option<usize> {
    let is_code = |at: &usize| name.get(at + 1..at + 3).and_then(escaped).is_some();
    name.match_indices('%')
        .map(|(at, _)| at)
        .find(|at| !is_code(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_has_its_place() {
        let list = "d1=Ann:x9=Bob:d1=Cy:K=Di:a1:P=:b1=50%:c1=A=B:N=Ed:N=Flo:=Gus:";
        let (posts, faults) = posts(list);
        let reported: Vec<_> = faults
            .iter()
            .map(|fault| &list[fault.bytes.clone()])
            .collect();
        assert_eq!(
            reported,
            ["x9", "d1=Cy", "K", "a1", "P=", "%", "=", "N=Flo", "=", ""]
        );
        let names: Vec<_> = posts.iter().map(|post| post.name.as_str()).collect();
        assert_eq!(names, ["Ann", "Ed"]);
    }

    #[test]
    fn no_list_is_too_odd_to_read() {
        for list in [
            "", ":", "%", "=", "é=é", "d1=%", "d1=%é", "d1=%C3", "::::", "*=*",
        ] {
            let (posts, faults) = posts(list);
            assert_eq!(
                posts.len() + faults.len(),
                if list.is_empty() {
                    0
                } else {
                    list.split(':').count()
                }
            );
            assert!(faults.iter().all(
                |fault| list.get(fault.bytes.clone()).is_some() || fault.bytes.end > list.len()
            ));
        }
    }
}
