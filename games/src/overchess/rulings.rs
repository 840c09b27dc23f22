//! What the source of Overchess leaves open, and how it is settled.

use super::laws::{
    AS_IF, CONSOLIDATED, CONSOLIDATION, DEEP_PLIES, DEPLETION, DEPTH, DRAWN, FOG_DETAILS,
    IN_PASSING, INNER_ROLES, KING, KING_FALLS, LOCKED, MOMENTS, NAMED, ORDER, PRISONERS, PROMOTION,
    REGULAR, REPETITION, ROLES, SET_UP, STRENGTH, SUB_GAME, SUB_RESULT, UNMATED, WAY_BACK,
};
use overboard_rules::rule::{Measured, Ruling};

/// For what holds under an option of the author.
const UNDER_AN_OPTION: Measured =
    Measured::Not("it holds under an option alone, which the measured games do not use");
/// For what needs depth 2.
const DEEP: Measured = Measured::Not("it concerns depth 2 and deeper, where games are very long");

/// The rulings, in the order of their rules.
pub(super) static RULINGS: [Ruling; 27] = [
    Ruling {
        rule: &DEPLETION,
        place: "on the victor's losses",
        says: "Sub-pieces taken in a sub-game are not replaced, and the victor goes without them into later sub-games. Promotion inside a sub-game is not mentioned.",
        readings: &[
            "a promoted sub-piece is a pawn again afterwards",
            "it stays what it became",
        ],
        why: "The optional rules forbid more than one queen in a sub-set, and every piece must have a regular square to start from.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &SET_UP,
        place: "on placing the pieces of a sub-game",
        says: "Each piece begins on a square where it would normally stand; the attacker, whom the text likens to White, places first and moves first, whatever the colour of the pieces. How to record this is not said.",
        readings: &[
            "records show the attacker as White",
            "records keep the colours of the over-game, and Black may move first",
        ],
        why: "A sub-game can then be read and replayed as chess by any program.",
        options: &[],
        measured: Measured::OF_RECORDS,
    },
    Ruling {
        rule: &SUB_GAME,
        place: "on placing the pieces of a sub-game",
        says: "The sub-game is a game of chess. Castling with rooks that were placed, and the double step of pawns that were placed, are not mentioned.",
        readings: &[
            "castling with a rook on its corner; the double step from anywhere on the second rank",
            "neither, since the pieces were placed and have no first square",
        ],
        why: "All of them stand on squares that are regular for their kind, so they are where chess wants them.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &DRAWN,
        place: "on the end of a sub-game",
        says: "The winner's over-piece stays on the square and the other leaves. A drawn sub-game is not mentioned.",
        readings: &[
            "the attack fails: the attacker goes back, and both keep their survivors",
            "the attacker leaves the board",
            "both leave the board",
        ],
        why: "Nobody has won, so nobody has lost an over-piece, and two cannot stand on one square.",
        options: &["subdraw=defender", "subdraw=both"],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &KING,
        place: "on the over-pieces",
        says: "Every over-piece except the king stands for a set of pieces, and a sub-game is played between two Lieutenants. The king has none. What happens when the king moves to an enemy over-piece is not said.",
        readings: &[
            "the over-king captures as in chess, without a sub-game",
            "the over-king cannot capture",
        ],
        why: "The over-game is a game of chess, in which a king captures, and there is nobody who could play the sub-game.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &AS_IF,
        place: "on attacks",
        says: "The over-game is a game of chess. Whether an attack, whose outcome is open, may parry a check is not said.",
        readings: &[
            "an over-move is legal if it would be legal with the attack succeeding",
            "a check must be parried by a move that is certain to parry it",
        ],
        why: "Otherwise the capture of a checking piece, which chess allows, would be lost, and many checks would be mate.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &KING_FALLS,
        place: "on attacks",
        says: "It does not say what happens if an attack fails that was made to parry a check.",
        readings: &[
            "the side whose king then stands attacked loses at once",
            "the attacking side must find another answer to the check",
            "the opponent captures the king",
        ],
        why: "The turn has passed, and in chess nobody may stand attacked with the opponent to move. The side took the risk with its attack.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &IN_PASSING,
        place: "on attacks",
        says: "A sub-game is played when an over-piece moves to an occupied square. En passant captures a pawn without moving to its square, and is not mentioned.",
        readings: &[
            "en passant is an attack, settled by a sub-game between the two pawns",
            "it captures at once, without a sub-game",
        ],
        why: "The purpose is that taking is fought for, and en passant is taking.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &PROMOTION,
        place: "on the over-pieces",
        says: "All over-pieces have the same set of sixteen. Promotion on the over-board is not mentioned.",
        readings: &[
            "the over-piece changes its kind and keeps its sub-set; an attack must be won first",
            "it gets a complete new sub-set",
        ],
        why: "Losses are never replaced except by the optional rules.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &REGULAR,
        place: "on the over-game",
        says: "The Commanders play a game of chess. What counts as a capture for the fifty-move rule, where a sub-game takes the place of capturing, is not said.",
        readings: &[
            "a sub-game counts as a capture if anything was captured by it, on either board",
            "every attack counts as a capture",
        ],
        why: "The rule measures progress, and a drawn attack without losses is none.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &ROLES,
        place: "on the size of the teams",
        says: "One player may lead several over-pieces, players may rotate, and a team may decide together. What follows if the wrong player plays is not said.",
        readings: &[
            "it is reported as an infraction, and the sub-game counts",
            "the sub-game is void",
        ],
        why: "The text leaves the structure of a team free, and the moves were legal chess.",
        options: &[],
        measured: Measured::OF_RECORDS,
    },
    Ruling {
        rule: &STRENGTH,
        place: "on the size of the teams",
        says: "A number or other sign may show how strong or complete a sub-set is; which one is left open.",
        readings: &[
            "its roster and the usual points of chess",
            "the number of its pieces",
        ],
        why: "Points are known to every player; the roster leaves nothing out.",
        options: &[],
        measured: Measured::Not("no game depends on it"),
    },
    Ruling {
        rule: &ORDER,
        place: "on the over-game",
        says: "It does not say which end comes first if several apply, nor what happens if two sub-sets are too small to mate.",
        readings: &[
            "the fall of the king, mate and stalemate, then the draws; a dead sub-game is drawn at its set-up",
            "a dead sub-game is won by the defender",
        ],
        why: "The fall of the king settles the attack that came before. A dead position is a draw in chess.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &SUB_RESULT,
        place: "on the end of a sub-game",
        says: "The winner of the sub-game stays. It does not say what a drawn attack does to the rights of the over-game.",
        readings: &[
            "a drawn attack was no move: castling and double-step rights are as before, en passant lapses",
            "the attacker counts as having moved",
        ],
        why: "The attacker is back where it was (OV-6), and the opponent has had no chance to capture in passing.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &REPETITION,
        place: "the whole text",
        says: "It says nothing about repetition.",
        readings: &[
            "the rosters of the sub-sets must be the same too",
            "only the over-board is compared",
        ],
        why: "Two positions with different armies do not allow the same play.",
        options: &[],
        measured: Measured::InPlay,
    },
    Ruling {
        rule: &PRISONERS,
        place: "Prisoners",
        says: "Surviving pieces of the loser may replace lost ones of the victor, and those that do not fit are lost. Who chooses, and what a record means that names none, is not said.",
        readings: &[
            "all that fit, unless the record says which; none after a draw",
            "none, unless the record names them",
        ],
        why: "More pieces are hardly ever a disadvantage, so a record that says nothing most likely means all.",
        options: &[],
        measured: UNDER_AN_OPTION,
    },
    Ruling {
        rule: &CONSOLIDATION,
        place: "Consolidation",
        says: "An over-piece is removed in place of a move and its pieces go to the other sub-sets; those that cannot be placed are lost. Check, and contested squares, are not mentioned.",
        readings: &[
            "illegal if it leaves the own over-king in check, or for a contested over-piece",
            "always possible",
        ],
        why: "It takes the place of a move, and a move may not leave the king in check.",
        options: &[],
        measured: UNDER_AN_OPTION,
    },
    Ruling {
        rule: &CONSOLIDATED,
        place: "Consolidation",
        says: "It takes the place of a move on the over-board. How the fifty-move count and fog treat it is not said.",
        readings: &[
            "it starts the count again, and is the next over-move for fog",
            "it counts as a quiet move",
        ],
        why: "An over-piece has left for good, as by a capture.",
        options: &[],
        measured: UNDER_AN_OPTION,
    },
    Ruling {
        rule: &MOMENTS,
        place: "Reserves",
        says: "Spare pieces come in at the end of a sub-game or before the next over-move; whether of that over-piece or of any is not quite clear.",
        readings: &[
            "right after a sub-game for its survivor, or in the ply in which that over-piece moves",
            "before any over-move, for any over-piece",
        ],
        why: "The text speaks of the sub-set, its sub-game and its next move.",
        options: &[],
        measured: UNDER_AN_OPTION,
    },
    Ruling {
        rule: &LOCKED,
        place: "Fog of war",
        says: "A contested square is occupied, blocks movement and cannot be attacked again. Whether the two pieces on it may move or give check is not said.",
        readings: &[
            "both are locked; for check the square is the attacker's, and the answer must be safe in every outcome",
            "the defender still gives check until the sub-game is played",
        ],
        why: "Over-moves are judged as if attacks succeed (OV-8); the other king must not depend on luck.",
        options: &[],
        measured: UNDER_AN_OPTION,
    },
    Ruling {
        rule: &WAY_BACK,
        place: "Fog of war",
        says: "The sub-game is played after the opponent's next over-move, which may go to the square that the attacker left. A draw is not mentioned.",
        readings: &[
            "the attacker is removed if it cannot go back",
            "the attacker stays and the defender is removed",
        ],
        why: "The attack failed (OV-6), and two pieces cannot share a square.",
        options: &[],
        measured: UNDER_AN_OPTION,
    },
    Ruling {
        rule: &UNMATED,
        place: "Fog of war",
        says: "The opponent must move before the sub-game is played. An attack after which the opponent has no legal over-move is not mentioned.",
        readings: &[
            "the attack is settled at once, and the end is judged afterwards",
            "it is mate or stalemate at once, without a sub-game",
        ],
        why: "An attack that fails may undo the mate, and no capture happens unfought.",
        options: &[],
        measured: UNDER_AN_OPTION,
    },
    Ruling {
        rule: &FOG_DETAILS,
        place: "Fog of war",
        says: "It does not mention en passant or promotion by an attack.",
        readings: &[
            "en passant contests both squares; a promoting attacker gives check as the new piece",
            "en passant contests the square of arrival only",
        ],
        why: "Both pawns must wait for the sub-game, and over-moves are judged as if attacks succeed.",
        options: &[],
        measured: UNDER_AN_OPTION,
    },
    Ruling {
        rule: &DEPTH,
        place: "the last paragraph",
        says: "Each piece taken in a sub-game could stand for a sub-sub-game, and so on. The text leaves it at that.",
        readings: &[
            "every sub-piece but the king keeps a sub-set of its own for life, and the set-up says which one stands where",
            "each sub-sub-game starts with complete sets",
        ],
        why: "That losses last is the heart of the game, so they last at each level.",
        options: &[],
        measured: DEEP,
    },
    Ruling {
        rule: &NAMED,
        place: "the last paragraph",
        says: "It does not say how to distinguish one sub-piece from another of its kind, nor what becomes of an attack that is open when its game ends.",
        readings: &[
            "an individual is named by where it began; an open attack is drawn",
            "an open attack is won by the winner of the game",
        ],
        why: "Nobody played that sub-game to its end, so nobody won it.",
        options: &[],
        measured: DEEP,
    },
    Ruling {
        rule: &DEEP_PLIES,
        place: "the last paragraph",
        says: "It says nothing about the order in which individuals are placed, taken or handed over.",
        readings: &["one ply for each individual, in a fixed order", "any order"],
        why: "The order changes nothing in the result, and a fixed one has one record for each act.",
        options: &[],
        measured: DEEP,
    },
    Ruling {
        rule: &INNER_ROLES,
        place: "the last paragraph",
        says: "It says nothing about teams inside a sub-game.",
        readings: &[
            "an inner over-game has roles of its own, given in its record",
            "the roles of the outer game hold inside too",
        ],
        why: "A sub-game that is Overchess is a whole game of Overchess.",
        options: &[],
        measured: DEEP,
    },
];
