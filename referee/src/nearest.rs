//! Finds the legal ply nearest to what was written.

use crate::game::judge::Judge;
use overboard_formats::san;
use overboard_rules::{
    game::{Refusal, Spelt},
    ply::{Arrival, Written},
    square::{Role, Square},
};
use std::{cmp::Reverse, ops::ControlFlow};

/// King steps to a square that counts as near.
const NEAR: u8 = 2;

/// How far a ply is from what was written; nearer ones compare as less.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    /// The same piece goes to a nearby square: whether the board or level differs, the king steps between the squares,
    /// the letters.
    SamePiece(bool, u8, Letters),
    /// Another piece goes to the same square.
    SameSquare(Letters),
    /// It is spelt similarly.
    Spelling(Letters),
}

/// How far two words are apart: letters to change, whether the first letter differs, distance in the alphabet, the
/// word itself. If no promotion piece is written, a queen comes first.
type Letters = (usize, bool, u32, Reverse<bool>, String);

/// What a ply says: which kind of piece goes where, a pawn's file of origin, whether it is dropped.
struct Gist {
    role: Role,
    to: Square,
    file: Option<u8>,
    arrival: Arrival,
    is_drop: bool,
    is_queen: bool,
}

impl Gist {
    fn of(written: &Written) -> Option<Self> {
        match *written {
            Written::Move(pattern) => {
                let is_pawn = pattern.role == Role::Pawn;
                let stays = (is_pawn && !pattern.capture).then_some(pattern.to.file);
                let file = pattern.file.or(stays);
                Some(Self {
                    role: pattern.role,
                    to: pattern.to,
                    file: if is_pawn { file } else { None },
                    arrival: pattern.arrival,
                    is_drop: false,
                    is_queen: pattern.promotion == Some(Role::Queen),
                })
            }
            Written::Drop { role, to } | Written::PromotedDrop { role, to } => Some(Self {
                role,
                to,
                file: None,
                arrival: Arrival::Here,
                is_drop: true,
                is_queen: false,
            }),
            Written::Castle(_) | Written::Pass => None,
        }
    }

    fn is_of_the_same_piece(&self, other: &Self) -> bool {
        (self.role, self.file, self.is_drop) == (other.role, other.file, other.is_drop)
    }
}

/// The legal ply on a board that is nearest to a written one, or to a text that is not a ply: a move of the same piece
/// to a nearby square, else another piece's move to the same square, else one whose spelling differs by at most two
/// letters, or in the first letter. Upper and lower case are not distinguished.
pub(super) fn nearest<G: Judge>(
    game: &G,
    at: G::Board,
    written: Option<&Written>,
    text: &str,
) -> Option<String> {
    let text: String = text
        .trim_end_matches(['+', '#'])
        .chars()
        .take(8)
        .collect::<String>()
        .to_lowercase();
    let meant = written.and_then(Gist::of);
    let mut best: Option<(Distance, G::Ply)> = None;
    let _ = game.legal_on(at, |ply| {
        if let (_, Spelt::Ply(written)) = game.spell(ply) {
            let distance = distance(&text, meant.as_ref(), &written);
            if distance
                .as_ref()
                .is_some_and(|this| best.as_ref().is_none_or(|(best, _)| this < best))
            {
                best = distance.map(|distance| (distance, ply));
            }
        }
        ControlFlow::Continue(())
    });
    let (_, ply) = best?;
    game.offer(&Refusal {
        possible: vec![ply],
        ..Refusal::new("", G::SET_UP, at)
    })
    .into_iter()
    .next()
}

fn distance(text: &str, meant: Option<&Gist>, written: &Written) -> Option<Distance> {
    let spelt = san::Spelt(*written).to_string().to_lowercase();
    let changed = strsim::levenshtein(text, &spelt);
    let other = spelt.chars().next() != text.chars().next();
    let gist = Gist::of(written);
    let is_queen = gist.as_ref().is_some_and(|gist| gist.is_queen);
    let apart = apart(text, &spelt);
    let letters = (changed, other, apart, Reverse(is_queen), spelt);
    if let (Some(meant), Some(gist)) = (meant, gist) {
        let (steps, elsewhere) = (meant.to.distance(gist.to), meant.arrival != gist.arrival);
        if meant.is_of_the_same_piece(&gist) && steps <= NEAR {
            return Some(Distance::SamePiece(elsewhere, steps, letters));
        }
        if steps == 0 && !elsewhere {
            return Some(Distance::SameSquare(letters));
        }
    }
    let is_alike = changed <= if other { 1 } else { 2 } && changed < text.len();
    is_alike.then_some(Distance::Spelling(letters))
}

/// The sum of alphabetic distances between two words of equal length.
fn apart(a: &str, b: &str) -> u32 {
    if a.len() != b.len() {
        return 50;
    }
    a.chars()
        .zip(b.chars())
        .map(|(x, y)| u32::from(x).abs_diff(u32::from(y)).min(40))
        .sum()
}
