//! Lists of the tags `WhiteLieutenants` and `BlackLieutenants`: who leads which over-piece (OV-13).
//!
//! ```
//! use overboard_formats::lieutenants::{Led, posts};
//!
//! let (posts, faults) = posts("d1=Ann:P=Cy%3A the elder:*=Bob");
//! assert!(faults.is_empty());
//! assert_eq!(posts[1].name, "Cy: the elder");
//! assert_eq!(posts[2].led, Led::Rest);
//! ```

use crate::{
    header::{escaped, same_name, unescape_list},
    overchess,
};
use overboard_rules::{
    refusal::list,
    square::{Role, Side, Square},
};
use overboard_schedules::roles::{SQUARES, kind, mirrored};
use std::{collections::HashSet, fmt, ops::Range};

/// What a person leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Led {
    /// The over-piece that began on a square.
    On(Square),
    /// All over-pieces that began as a kind, except those that are named by their squares.
    Kind(Role),
    /// Whatever is named neither by its square nor by its kind, in turn with the others of whom this is
    /// said.
    Rest,
}

/// An item of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Post {
    /// What is led.
    pub led: Led,
    /// By whom.
    pub name: String,
    /// Where in the list the item stands.
    pub bytes: Range<usize>,
}

/// What is wrong with a part of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListFault {
    /// Where in the list.
    pub bytes: Range<usize>,
    /// In words.
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
            _ => overchess::square(text).map(Self::On),
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

/// Reads a list such as `d1=Ann:a1=Bob:h1=Bob:P=Cy`: its items in their order, and what is wrong with the
/// others. An empty list has no items.
#[must_use]
pub fn posts(list: &str) -> (Vec<Post>, Vec<ListFault>) {
    let (mut posts, mut faults) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    let mut from = 0;
    for item in list.split(':').filter(|_| !list.is_empty()) {
        let bytes = from..from + item.len();
        from = bytes.end + 1;
        match post(item, bytes) {
            Ok(post) if post.led != Led::Rest && !seen.insert(post.led) => {
                let what = match post.led {
                    Led::Kind(role) => format!("the kind {} stands twice", role.letter()),
                    led => format!("the over-piece {led} stands twice"),
                };
                faults.push(ListFault { bytes: post.bytes, what });
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
        let expected = "a first square such as d1, one of P R N B Q, or `*` for whatever nobody else leads";
        return Err(fault(
            bytes.start..end.max(bytes.start + 1),
            format!("`{led}` is no over-piece: expected {expected}"),
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
        let what = "behind `%` stand the two digits of what a name may not hold, as in %3A for `:`; `%` itself is %25";
        return Err(fault(at..at + 1, what.to_owned()));
    }
    if let Some(at) = name.find('=') {
        let at = end + 1 + at;
        return Err(fault(
            at..at + 1,
            "a `:` parts two items, and a `=` in a name is written %3D".to_owned(),
        ));
    }
    Ok(Post { led: meant, name: unescape_list(name.trim()), bytes })
}

/// Why no king has a lieutenant.
pub(crate) const KING: &str = "the over-king has no sub-set, and nobody leads it";

/// Who leads what in one team, as two tags tell it.
#[derive(Clone, Copy, Debug)]
pub struct Tags<'a> {
    /// The Commander, or several.
    pub commander: &'a str,
    /// The list of the lieutenants.
    pub lieutenants: &'a str,
}

impl Tags<'_> {
    /// Those who lead each over-piece of a side in the first position, joined as they are told.
    fn leaders(&self, side: Side) -> Vec<(String, String)> {
        let (posts, _) = posts(self.lieutenants);
        let named = |led: Led| {
            let names: Vec<_> =
                posts.iter().filter(|post| post.led == led).map(|post| post.name.as_str()).collect();
            (!names.is_empty()).then(|| names.join(", then "))
        };
        let over_pieces = SQUARES.map(|square| (mirrored(square, side == Side::Black), kind(square)));
        let leader = |(square, kind): (String, char)| {
            let by_square = Led::read(&square).and_then(named);
            let by_kind = || Led::read(&kind.to_string()).and_then(named);
            let name =
                by_square.or_else(by_kind).or_else(|| named(Led::Rest)).unwrap_or_else(|| self.commanders());
            (square, name)
        };
        over_pieces.map(leader).into()
    }

    fn commanders(&self) -> String {
        self.commander.split(':').map(|name| unescape_list(name.trim())).collect::<Vec<_>>().join(" or ")
    }

    /// What two tables of a side tell otherwise, in words; nothing where they are the same.
    #[must_use]
    pub fn differences(self, other: Self, side: Side) -> Vec<String> {
        let mut groups: Vec<(String, String, Vec<String>)> = Vec::new();
        let (ours, theirs) = (self.commanders(), other.commanders());
        if !same_name(&ours, &theirs) {
            groups.push((ours, theirs, vec!["the Commander".to_owned()]));
        }
        for ((square, ours), (_, theirs)) in self.leaders(side).into_iter().zip(other.leaders(side)) {
            if same_name(&ours, &theirs) {
                continue;
            }
            match groups.iter_mut().find(|group| group.0 == ours && group.1 == theirs) {
                Some(group) => group.2.push(square),
                None => groups.push((ours, theirs, vec![square])),
            }
        }
        let nobody = |name: String| if name.is_empty() { "nobody".to_owned() } else { name };
        let told = |(ours, theirs, what): (String, String, Vec<String>)| {
            format!("{}: {} and not {}", list(what, "and"), nobody(ours), nobody(theirs))
        };
        groups.into_iter().map(told).collect()
    }
}

/// The first `%` in a name behind which no two digits of an ASCII letter stand.
fn bad_escape(name: &str) -> Option<usize> {
    let is_code = |at: &usize| name.get(at + 1..at + 3).and_then(escaped).is_some();
    name.match_indices('%').map(|(at, _)| at).find(|at| !is_code(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_has_its_place() {
        let list = "d1=Ann:x9=Bob:d1=Cy:K=Di:a1:P=:b1=50%:c1=A=B:N=Ed:N=Flo:=Gus:";
        let (posts, faults) = posts(list);
        let told: Vec<_> = faults.iter().map(|fault| &list[fault.bytes.clone()]).collect();
        assert_eq!(told, ["x9", "d1=Cy", "K", "a1", "P=", "%", "=", "N=Flo", "=", ""]);
        let names: Vec<_> = posts.iter().map(|post| post.name.as_str()).collect();
        assert_eq!(names, ["Ann", "Ed"]);
    }

    #[test]
    fn tables_are_the_same_however_they_are_written() {
        let tags = |commander, lieutenants| Tags { commander, lieutenants };
        let of_kinds = tags("Ann", "P=Bob:R=Cy:N=Di:B=Ed:Q=Flo");
        let of_squares = "a2=Bob:b2=bob:c2=Bob:d2=Bob:e2=Bob:f2=Bob:g2=Bob:h2=Bob:a1=Cy:h1=Cy:b1=Di:g1=Di:c1=Ed:f1=Ed:d1=Flo";
        assert_eq!(of_kinds.differences(tags("ann ", of_squares), Side::White), [""; 0]);
        assert_eq!(tags("Ann", "").differences(tags("Ann", "P=Ann"), Side::Black), [""; 0]);
        assert_eq!(
            tags("Zoe", "P=Bob:R=Cy:N=Di:B=Ed:Q=Gus:g8=Gus").differences(of_kinds, Side::Black),
            ["the Commander: Zoe and not Ann", "d8: Gus and not Flo", "g8: Gus and not Di"]
        );
        assert_eq!(
            tags("Ann", "*=Cy:*=Bob").differences(tags("Ann", "*=Bob:*=Cy"), Side::White)[0]
                .split(": ")
                .nth(1),
            Some("Cy, then Bob and not Bob, then Cy")
        );
    }

    #[test]
    fn no_list_is_too_odd_to_read() {
        for list in ["", ":", "%", "=", "é=é", "d1=%", "d1=%é", "d1=%C3", "::::", "*=*"] {
            let (posts, faults) = posts(list);
            assert_eq!(posts.len() + faults.len(), if list.is_empty() { 0 } else { list.split(':').count() });
            assert!(
                faults
                    .iter()
                    .all(|fault| list.get(fault.bytes.clone()).is_some() || fault.bytes.end > list.len())
            );
        }
    }
}
