//! What the source of Olympic Chess leaves open, and how it is settled.

use super::laws::{ARRAY, DROP, MATE, NO_COUNTS, REPETITION};
use overboard_rules::rule::{Measured, Ruling};

/// The rulings, in the order of their rules.
pub(super) static RULINGS: [Ruling; 5] = [
    Ruling {
        rule: &ARRAY,
        place: "Initial setup",
        says: "The text names the six pieces of each side; their squares are in a picture that no stored copy has.",
        readings: &[
            "the position of Minishogi: K G S B R from a1 and a pawn on a2",
            "another order on the first rank, or the pawn elsewhere",
        ],
        why: "Board, army and hands are those of Minishogi. A record can state any other position with the tag FEN.",
        options: &[],
        measured: Measured::Not("no second position is known to compare with"),
    },
    Ruling {
        rule: &DROP,
        place: "second paragraph",
        says: "A piece in hand is dropped on any empty square, and a plain Pawn on the last rank is the only thing forbidden.",
        readings: &[
            "no other limits",
            "the limits of shogi: no mate by dropping a Pawn, no second Pawn of one side on a file",
        ],
        why: "The text says that there is only one restriction. It is close to shogi in much else, so players of shogi may expect its limits.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &MATE,
        place: "last paragraph",
        says: "Checkmate wins, and stalemate is a draw as usual. Whether a player who can only drop is stalemated is not said.",
        readings: &[
            "stalemate means neither a legal move nor a legal drop",
            "stalemate means no legal move of a piece on the board",
        ],
        why: "A drop is made in place of a move, so a player who can drop has something legal to do.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &REPETITION,
        place: "last paragraph",
        says: "At the third occurrence of a position, with the same side to move and the same stock, White loses; but White wins if every Black move since the previous occurrence gave check. Whether a promoted piece and a true Gold are the same is not said.",
        readings: &[
            "a Gold, a promoted Pawn and a promoted Silver are different; the previous occurrence is the second",
            "they are the same as long as they move alike",
        ],
        why: "They look different on the board, and turn back into different pieces when they are captured.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &NO_COUNTS,
        place: "last paragraph",
        says: "Checkmate, stalemate and repetition are the ends that it names. Neither the fifty-move rule nor a dead position is mentioned.",
        readings: &[
            "no fifty-move rule and no dead position",
            "the fifty-move rule of chess",
        ],
        why: "No piece ever leaves the game, so a win is always possible, and repetition ends idle play.",
        options: &[],
        measured: Measured::InPlay,
    },
];
