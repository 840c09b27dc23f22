//! What the source of Mega-Chess and Recursive-Chess(N) leaves open, and how it is settled.

use super::laws::{
    AGREED, ANSWER, DETAILS, DRAWS, EIGHT, FREE_TURNS, KING_SAFE, MEGA_CHECK, MEGA_MATE,
    NESTED_TURN, ORDER, PROMOTION, REPETITION, SHARED,
};
use overboard_rules::rule::{Measured, Ruling};

/// The rulings, in the order of their rules.
pub(super) static RULINGS: [Ruling; 14] = [
    Ruling {
        rule: &EIGHT,
        place: "Turns, first paragraph",
        says: "A turn is a move on any eight of the boards, eight different ones, and exactly eight moves if possible. Each must be a legal move in the game on its board. The text does not say whose turn it is on a board.",
        readings: &[
            "colours alternate on each board, so a player may move only where it is that player's turn there",
            "a player may move on any board in play, so one side can move there twice in a row",
        ],
        why: "The moves must be legal in the game of their board, and in chess colours alternate. The word \"any\" points the other way, so the option exists.",
        options: &["turns=free"],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &MEGA_CHECK,
        place: "Mega-Pieces, first paragraph",
        says: "Armed mega-pieces give check to a mega-king in whatever state it is, and others give none. Castling, and two kings side by side, are not mentioned.",
        readings: &[
            "kings are never captured, may stand next to an unarmed king, and castle in any state but dethroned",
            "kings keep apart as in chess, and mega-kings do not castle",
        ],
        why: "An unarmed king attacks nothing, so nothing keeps the other away. Mega-pieces move as the pieces of chess, and castling is a move of chess.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &PROMOTION,
        place: "Mega-Pieces, third paragraph",
        says: "Armed mega-pawns promote to four kinds of armed piece; neutral and disarmed ones cannot enter the last rank. The double step and en passant are not mentioned.",
        readings: &[
            "mega-pawns have the double step; en passant needs an armed pawn, and one that may be captured",
            "mega-pawns have neither",
        ],
        why: "Everything else about their moves is that of chess, and en passant is a capture, for which a mega-piece must be armed.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &KING_SAFE,
        place: "Mega-Pieces, second paragraph",
        says: "A player whose mega-king is in check must answer the check. The text does not say whether a player may expose the mega-king.",
        readings: &[
            "no single move of a turn may leave the player's own mega-king in mega-check",
            "only the position after the whole turn counts",
            "a player may expose the mega-king",
        ],
        why: "In chess a king may not be exposed. A mate on a board takes effect at once, so it can expose the mega-king in the middle of a turn, and nothing later in the turn is sure to mend that.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &ANSWER,
        place: "Mega-Pieces, second paragraph",
        says: "A player in mega-check who is also in check on other boards must use the turn to end the mega-check, and loses the boards on which the check remains. Those losses can open a new mega-check, which the text does not mention.",
        readings: &[
            "the mega-king must be safe after the losses",
            "it must be safe after the mega-move, whatever the losses then open",
        ],
        why: "Otherwise a turn would end in mega-check, and the purpose of the turn is to end it.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &MEGA_MATE,
        place: "Mega-Pieces, last sentence",
        says: "Checkmating or stalemating the opposing mega-king wins. The text does not say what stalemate is where most moves are made on boards.",
        readings: &[
            "stalemate means no mega-check, no board in play and no legal mega-move",
            "stalemate means no legal mega-move, even if boards are in play",
            "stalemate means the mega-king itself cannot move",
        ],
        why: "As in chess, a player who has something legal to do is not stalemated; and by the third reading the game would be over before it begins.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &AGREED,
        place: "Turns, third to fifth paragraphs",
        says: "A board is won by checkmate, and a drawn board disarms its mega-piece. How a draw on a board is agreed or claimed, and whether a board can be resigned, is not said.",
        readings: &[
            "a draw takes the place of the player's move on that board; a board cannot be resigned",
            "draws and resignations on boards are free acts beside the turn",
        ],
        why: "A draw that cost no move would let a player finish a turn of eight with fewer. The text explains winning as checkmate, and a player could gain by resigning a board.",
        options: &[],
        measured: Measured::Not("the built-in players agree no draws on boards"),
    },
    Ruling {
        rule: &DRAWS,
        place: "the whole text",
        says: "It says nothing about a draw of the mega-game.",
        readings: &[
            "by analogy with chess: dead, by repetition, or by a hundred mega-moves in a row without progress",
            "the mega-game is never drawn",
        ],
        why: "Two mega-kings alone could go to and fro forever. The counts are those of chess.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &ORDER,
        place: "the whole text",
        says: "It does not say when within a turn the end of the game is judged, nor which end comes first.",
        readings: &[
            "ends are judged after a complete turn, mega-mate first",
            "ends are judged after each move on a board",
        ],
        why: "The text's unit of play is the turn, and in chess mate comes first (GEN-7).",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &REPETITION,
        place: "the whole text",
        says: "It says nothing about repetition.",
        readings: &[
            "two positions are the same if all boards and all states are",
            "the counters and histories of the boards must be the same too",
        ],
        why: "This is what chess compares, taken board by board.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &DETAILS,
        place: "Turns and Mega-Pieces",
        says: "The text does not mention these cases: the power of an armed king, several losses at once, how long rights last, inner turns that expose an outer king.",
        readings: &[
            "as in chess, read for mega-pieces; losses of one turn come together",
            "losses one after another, each judged alone",
        ],
        why: "The text loses all those boards together, without an order.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &FREE_TURNS,
        place: "Turns, first paragraph",
        says: "A move on any eight of the boards. If either side may move anywhere (see MG-3), the text leaves open what protects a king in check from a second move there.",
        readings: &[
            "a board waits for the opponent if the opponent's king there is in check",
            "the next move may capture the king",
        ],
        why: "In chess no king is captured, and a check gives the opponent the next move.",
        options: &[],
        measured: Measured::Not(
            "it holds under the option alone; the figures of the option are at MG-3",
        ),
    },
    Ruling {
        rule: &NESTED_TURN,
        place: "Not Enough?",
        says: "Recursive-Chess(N) is like Mega-Chess with pieces that are games of Recursive-Chess(N-1). What a move on such a board is, is not said.",
        readings: &[
            "a move on such a board is a whole turn of its game",
            "it is one move on one of its boards",
        ],
        why: "In the inner game, too, a player's turn is eight moves or a mega-move.",
        options: &[],
        measured: Measured::Not(
            "it concerns level 2 and deeper, where whole games are too long to play",
        ),
    },
    Ruling {
        rule: &SHARED,
        place: "Not Enough?",
        says: "At level N there are 32 boards to the power of N; the text does not say how to write such a position down.",
        readings: &[
            "a position lists the boards that were played on",
            "it lists them all",
        ],
        why: "No disc holds them all at level 8, and a board that nobody touched is as it began.",
        options: &[],
        measured: Measured::OF_RECORDS,
    },
];
