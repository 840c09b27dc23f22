//! What the source of StrategiChess on one board leaves open, and how it is settled.

use super::laws::{DRAWS, FIRST_MOVE, PAWN_CAPTURE, QUEEN_LEFT};
use overboard_rules::rule::{Measured, Ruling};

/// The rulings, in the order of their rules.
pub(super) static RULINGS: [Ruling; 4] = [
    Ruling {
        rule: &QUEEN_LEFT,
        place: "the Pieces",
        says: "King and queen stand on the two centre squares, as in regular chess. Which of them stands left is in a picture that is lost.",
        readings: &[
            "the queen left of the king as White sees the board, on g3 and g12",
            "each queen on a square of its own colour, which puts the two on h3 and h12",
        ],
        why: "In regular chess both hold; on this board they exclude each other, and the side is what players see first. A FEN sets up the other position.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &FIRST_MOVE,
        place: "the Rules (single board)",
        says: "Pawns may go one, two or three squares on their first move and one square afterwards. Pawns also go back, so that one can stand again where it began.",
        readings: &[
            "the first move is the pawn's own, and does not come back",
            "every move from the rank where pawns begin counts as a first move",
        ],
        why: "A pawn that has moved is not on its first move.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &PAWN_CAPTURE,
        place: "the Rules (single board)",
        says: "Pawns may also move back, and sideways on the roads. Whether they capture so is not said.",
        readings: &[
            "a pawn captures diagonally ahead only",
            "a pawn also captures sideways on a road",
            "a pawn also captures straight back",
        ],
        why: "The text adds moves, and in chess a pawn's move is not a capture. It calls the step back a retreat.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &DRAWS,
        place: "the Winner (single board)",
        says: "The regular rules on stalemate apply, and among them the text names fifty moves without a capture. Pawn moves, repetition and dead positions are not mentioned.",
        readings: &[
            "pawn moves do not start the count again; repetition and seventy-five moves as in chess",
            "pawn moves start the count again, as in chess",
        ],
        why: "The text names captures only, and pawns that go to and fro could put off the draw forever.",
        options: &[],
        measured: Measured::InPlay,
    },
];
