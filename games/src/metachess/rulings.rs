//! What the source of MetaChess #4 leaves open, and how it is settled.

use super::laws::{
    CAPTURE_ABOVE, CAPTURE_BELOW, CASTLING, CHECK, CLIMB, CLOSED, ENDS, KING_CAPTURE, LEVELS,
    LINES, MOUNTED, PAWNS, SET_UP,
};
use overboard_rules::rule::{Measured, Ruling};

/// The rulings, in the order of their rules.
pub(super) static RULINGS: [Ruling; 13] = [
    Ruling {
        rule: &LEVELS,
        place: "the description of the two levels",
        says: "There are two levels: the squares, and the pieces on the board other than the kings, thirty at most.",
        readings: &["nothing sits on a rider", "a rider may carry another rider"],
        why: "A rider on a rider would be on a third level, and the text has two.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &CLIMB,
        place: "the sentences on the first and the next move",
        says: "Officers sit at first on their own pieces only, and on the next turn on opposing pieces too. It is not said whether \"first\" means the game or each piece.",
        readings: &[
            "each climb from the first level begins on a piece of one's own side",
            "only the first move of the game is limited; after it an officer may mount an enemy piece from the first level",
        ],
        why: "On the first move of a game no officer reaches an enemy piece, so the limit would forbid nothing.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &CAPTURE_BELOW,
        place: "the sentences on captures",
        says: "A piece captures only on the level to which it moves. What becomes of a rider whose carrier is captured is not said.",
        readings: &[
            "the rider stays and rides the piece that captured its carrier",
            "the rider is captured with its carrier",
            "the rider keeps the square, so such a carrier cannot be captured",
        ],
        why: "Removing the rider would be a capture on a level to which nothing moved.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &CAPTURE_ABOVE,
        place: "the sentences on captures",
        says: "A piece captures only on the level to which it moves. From where an officer may capture a rider is not said.",
        readings: &[
            "from the first level a rider can be captured on a carrier of one's own side only",
            "from the first level it can be captured on any carrier",
        ],
        why: "The capture puts the officer on that carrier, so it needs the same right as a climb (MC-4).",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &LINES,
        place: "the sentence on conventional chess",
        says: "The moves of the pieces and the board of conventional chess remain; officers have one more option, to sit on pieces.",
        readings: &[
            "a line ends at the first piece on it, and the level is chosen on arrival",
            "riders travel across the tops of pieces, and squares without a piece stop them",
        ],
        why: "The text adds a place to arrive and no other way to travel.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &CLOSED,
        place: "the description of the two levels",
        says: "Kings carry nobody. Two pieces of one side on one level of a square are not mentioned.",
        readings: &[
            "nobody arrives on a king, nor on a level of a square that holds a piece of its own side",
            "a piece may change places with its own rider",
        ],
        why: "It is the rule of chess, applied to each level.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &CHECK,
        place: "the last two sentences",
        says: "An officer on an opposing piece has no effect on the first level, one on its own piece the same effect as on the square. The king is one of the officers; check to a king that rides is not mentioned.",
        readings: &[
            "a king is in check from whatever could capture it on the level where it is",
            "a riding king is in check as if it stood on the square",
        ],
        why: "Check is the threat to capture, and a capture is made on one level only.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &CASTLING,
        place: "the sentence on conventional chess",
        says: "The rules of chess remain; castling is not among the examples that it names.",
        readings: &[
            "castling on the first level, with a rook that carries nobody",
            "no castling",
            "castling with riders going along",
        ],
        why: "The list of examples is open. A carrier cannot move, and a rook moves when its side castles.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &PAWNS,
        place: "the sentence on conventional chess",
        says: "Double step, en passant and promotion remain. A pawn that promotes by capturing a carrier is not mentioned.",
        readings: &[
            "the new piece carries the rider that was there",
            "the rider is captured too",
        ],
        why: "This follows from MC-7a.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &ENDS,
        place: "the sentence on conventional chess",
        says: "The rules of chess remain. Which positions are dead where pieces block each other is not said.",
        readings: &[
            "a position is dead with bare kings only",
            "it is dead with the material that is dead in chess",
        ],
        why: "A single piece can help to build a mate here, since a carrier blocks its own king; bare kings never can.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &MOUNTED,
        place: "the last sentence",
        says: "An officer on its own piece has the same effect on the first level as if it stood there. That it also keeps the second level is not said.",
        readings: &[
            "it acts on both levels",
            "it acts on the first level, and leaves its carrier only by going down",
        ],
        why: "On the next turn officers go on to opposing pieces, which is a move on the second level.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &KING_CAPTURE,
        place: "the description of the two levels",
        says: "Nobody may sit on a king. A king that captures a carrier would come to stand under its rider.",
        readings: &[
            "a king may not capture a carrier that has a rider",
            "it may, and the rider is captured too",
        ],
        why: "With MC-7a the rider would stay, on top of a king.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &SET_UP,
        place: "the whole text",
        says: "It mentions no position but the regular one.",
        readings: &[
            "a game may start from any position that passes the tests listed in the rule",
            "a game starts from the regular position only",
        ],
        why: "Exercises need other positions, and the tests refuse what has no meaning, as in chess (CH-19).",
        options: &[],
        measured: Measured::OF_SET_UPS,
    },
];
