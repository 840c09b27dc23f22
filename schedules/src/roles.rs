//! Roles of Overchess: who leads which over-piece.

use std::collections::BTreeMap;

/// White's over-pieces other than the king by their first squares: the pieces from file a on, then the pawns.
/// Black's are on the same files, on ranks 8 and 7.
pub const SQUARES: [&str; 15] = [
    "a1", "b1", "c1", "d1", "f1", "g1", "h1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2",
];
/// The kinds of pieces other than the king, in the order in which they are listed.
pub const KINDS: [char; 5] = ['P', 'R', 'N', 'B', 'Q'];
/// The most members of a team: the commander, who has the king, and one lieutenant for each other piece.
pub const MOST: usize = 16;

/// How the pieces are assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Template {
    /// Each piece but the king has a lieutenant of its own.
    Full,
    /// A lieutenant for each kind.
    ByType,
    /// No piece has a holder: the next player in turn takes the sub-game.
    Rotation,
    /// The commander holds them all.
    Solo,
}

/// Who leads which piece. People are indices; the commander is 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Roles {
    /// By square, in the order of [`SQUARES`], or by kind, in that of [`KINDS`].
    pub holders: Vec<(String, usize)>,
    /// Those who take sub-games in turn.
    pub queue: Vec<usize>,
}

/// Why pieces cannot be assigned in this way.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RolesError {
    /// There are too many or too few people.
    #[error("{template} needs {wanted}, and there {}", if *.found == 1 { "is one".to_owned() } else { format!("are {found}") })]
    People {
        /// The template.
        template: &'static str,
        /// How many it needs.
        wanted: &'static str,
        /// How many there are.
        found: usize,
    },
    /// The text is neither the square of a piece nor a kind.
    #[error(
        "`{0}` is not an over-piece: expected a first square such as d1 or a2 (not e1, the king's), or one of P R N B Q"
    )]
    Unknown(String),
    /// Two people hold one piece.
    #[error("the over-piece {0} has two leaders")]
    Twice(String),
    /// Pieces have no holder.
    #[error("nobody leads the over-piece{} {}", if .0.len() == 1 { "" } else { "s" }, .0.join(", "))]
    Nobody(Vec<String>),
}

/// Assigns the pieces to lieutenants, who are numbered from 1 in their order.
///
/// # Errors
/// If there are too many or too few lieutenants for the template.
pub fn assign(template: Template, lieutenants: usize) -> Result<Roles, RolesError> {
    let people = |template, wanted| RolesError::People {
        template,
        wanted,
        found: lieutenants,
    };
    match template {
        Template::Full if lieutenants == SQUARES.len() => Ok(listed(&SQUARES, 1)),
        Template::Full => Err(people("`full`", "15 lieutenants")),
        Template::ByType if lieutenants == KINDS.len() => Ok(listed(&KINDS, 1)),
        // With four lieutenants the commander leads the pawns.
        Template::ByType if lieutenants == KINDS.len() - 1 => Ok(listed(&KINDS, 0)),
        Template::ByType => Err(people("`by-type`", "4 or 5 lieutenants")),
        Template::Rotation if (1..MOST).contains(&lieutenants) => Ok(Roles {
            holders: Vec::new(),
            queue: (1..=lieutenants).collect(),
        }),
        Template::Rotation => Err(people("`rotation`", "1 to 15 lieutenants")),
        Template::Solo if lieutenants == 0 => Ok(Roles::default()),
        Template::Solo => Err(people("`solo`", "no lieutenant")),
    }
}

/// Each piece with a holder of its own, from this one on.
fn listed(pieces: &[impl ToString], first: usize) -> Roles {
    Roles {
        holders: pieces
            .iter()
            .map(ToString::to_string)
            .zip(first..)
            .collect(),
        queue: Vec::new(),
    }
}

/// The roles from lists of pieces, one list for each person, the commander first. A square takes precedence over
/// its kind; each over-piece must have exactly one holder.
///
/// # Errors
/// What is wrong with the lists.
pub fn from_lists(lists: &[&str]) -> Result<Roles, RolesError> {
    if !(2..=MOST).contains(&lists.len()) {
        return Err(RolesError::People {
            template: "a team of Overchess",
            wanted: "2 to 16 people",
            found: lists.len(),
        });
    }
    let mut by_piece: BTreeMap<String, usize> = BTreeMap::new();
    for (person, list) in lists.iter().enumerate() {
        for word in list.split([' ', ',', ';']) {
            if word.is_empty() {
                continue;
            }
            let piece =
                piece(word).ok_or_else(|| RolesError::Unknown(word.chars().take(20).collect()))?;
            if by_piece.insert(piece.clone(), person).is_some() {
                return Err(RolesError::Twice(piece));
            }
        }
    }
    let mut roles = Roles::default();
    let mut nobody = Vec::new();
    for square in SQUARES {
        let kind = kind(square).to_string();
        match by_piece.get(square).or_else(|| by_piece.get(&kind)) {
            Some(person) => roles.holders.push((square.to_owned(), *person)),
            None => nobody.push(square.to_owned()),
        }
    }
    if nobody.is_empty() {
        Ok(roles)
    } else {
        Err(RolesError::Nobody(nobody))
    }
}

/// A square of White's side, or a kind: `d1`, `D1` and `d8` are `d1`, `q` is `Q`.
fn piece(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let square = lower.replace('8', "1").replace('7', "2");
    if SQUARES.contains(&square.as_str()) {
        return Some(square);
    }
    let kind = word.to_uppercase();
    if !KINDS.iter().any(|known| kind == known.to_string()) {
        return None;
    }
    Some(kind)
}

/// The piece as the other side writes it: if `black`, White's square becomes Black's; a kind stays as it is.
#[must_use]
pub fn mirrored(piece: &str, black: bool) -> String {
    if black && piece.len() == 2 {
        piece.replace('1', "8").replace('2', "7")
    } else {
        piece.to_owned()
    }
}

/// The kind of the piece that starts on one of [`SQUARES`].
#[must_use]
pub fn kind(square: &str) -> char {
    match square.as_bytes() {
        [_, b'2', ..] => 'P',
        [b'a' | b'h', ..] => 'R',
        [b'b' | b'g', ..] => 'N',
        [b'c' | b'f', ..] => 'B',
        _ => 'Q',
    }
}

impl Roles {
    /// The value of the tag `Lieutenants`: each piece with its holder's name, then `*` and the players that take
    /// sub-games in turn. `black` mirrors the squares.
    #[must_use]
    pub fn tag(&self, name: impl Fn(usize) -> String, black: bool) -> String {
        let mut items = Vec::new();
        for (piece, person) in &self.holders {
            items.push(format!("{}={}", mirrored(piece, black), name(*person)));
        }
        for person in &self.queue {
            items.push(format!("*={}", name(*person)));
        }
        items.join(":")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_has_one_holder() {
        // A square takes precedence over its kind.
        let roles = from_lists(&["Q", "P", "a1 h1", "N d8 B"]).unwrap();
        assert!(roles.holders.contains(&("d1".into(), 3)));
        let roles = from_lists(&["", "P", "R", "N B Q"]).unwrap();
        assert_eq!(roles.holders.len(), 15);
        assert!(matches!(from_lists(&["", "P"]), Err(RolesError::Nobody(left)) if left.len() == 7));
        assert!(matches!(from_lists(&["P", "P"]), Err(RolesError::Twice(_))));
        assert!(matches!(
            from_lists(&["e1", "P"]),
            Err(RolesError::Unknown(_))
        ));
    }
}
