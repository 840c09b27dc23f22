//! What the source of Chess960 leaves open, and how it is settled.

use super::laws::{FIELD, NUMBER, SET_UP};
use overboard_rules::rule::{Measured, Ruling};

/// The rulings, in the order of their rules.
pub(super) static RULINGS: [Ruling; 3] = [
    Ruling {
        rule: &NUMBER,
        place: "FIDE Laws, Guidelines II.2",
        says: "The starting position is drawn by lot among those described. They have no numbers there, and nothing is said about a record that does not give the position.",
        readings: &[
            "numbers 0 to 959 as servers and programs use them; a record without a FEN starts from 518",
            "a record without a FEN cannot be judged",
        ],
        why: "Programs leave out the FEN for the position of orthodox chess alone.",
        options: &[],
        measured: Measured::OF_RECORDS,
    },
    Ruling {
        rule: &SET_UP,
        place: "FIDE Laws, Guidelines II.2 and II.3",
        says: "They describe the 960 positions, and castling from each. They do not mention games from other positions.",
        readings: &[
            "a game may start from any possible position, with castling rights for rooks on the king's rank",
            "it must start from one of the 960",
        ],
        why: "Exercises and games that are continued start elsewhere, as in chess (CH-19).",
        options: &[],
        measured: Measured::OF_SET_UPS,
    },
    Ruling {
        rule: &FIELD,
        place: "FIDE Laws, Guidelines II",
        says: "They say nothing about FEN.",
        readings: &[
            "both forms in use are read; KQkq is written where it is clear",
            "one form only is read",
        ],
        why: "Records with both forms exist, and no text has two meanings.",
        options: &[],
        measured: Measured::OF_RECORDS,
    },
];
