//! MC: `MetaChess` #4.

use overboard_rules::{
    rule::{
        Page,
        Source::{Ruling, Seed},
    },
    rules,
};

/// The number of the game's laws ([`crate::laws`]).
pub const LAWS: u32 = 1;

/// The page.
pub const PAGE: Page = Page {
    name: "metachess",
    title: "MetaChess #4 (MC)",
    preface: "Regular chess on the regular board from the regular starting position, in which pieces ride on other pieces. Where this page is silent, regular chess applies: a refused move then cites its rule (CH), such as CH-8 for the way a knight jumps.\n\n\
              **Source:** the text of MetaChess #4 by its author, whom the archived copy does not name; it is called \"the author's text\" or \"the source\" below.",
    rules: RULES,
    rulings: &super::rulings::RULINGS,
};

rules! {
    RULES;

    LEVELS, "MC-1", Law, Seed,
    "Two levels: the squares, and the tops of the pieces",
    "The first level is the 64 squares. The second level is the top of every piece that stands on the first level, except the kings. A piece on the second level is a rider, and the piece below it is its carrier. A move that ends on the second level is written with `^` and needs a piece to end on. By our ruling there is no third level: nothing sits on a rider.",
    ["kept", "broken"];

    OFFICERS, "MC-2", Law, Seed,
    "Officers may ride, pawns never do",
    "The officers (King, Queen, Rook, Bishop and Knight) may be riders. Pawns never leave the first level.",
    ["kept", "broken", "broken-own"];

    CARRIER, "MC-3", Law, Seed,
    "A carrier does nothing",
    "A carrier with a rider on it cannot move, capture or give check. It is blocked if the rider is of its own colour, and annexed if not. A carrier that cannot move need not be distinguished from a piece of its kind that can.",
    ["kept", "kept-named", "broken", "broken-annexed"];

    CLIMB, "MC-4", Law, Ruling,
    "From the first level a piece mounts pieces of its own side only",
    "An officer on the first level may mount only a piece of its own colour; each climb begins so. The source says that pieces sit \"first only on their own\" and \"on the next turn also on opposing pieces\". Read as a rule for the first move of the game that would forbid nothing, since no officer can reach an enemy piece then.",
    ["kept", "broken"];

    ANNEXATION, "MC-5", Permission, Seed,
    "A rider may move onto any carrier: annexation",
    "An officer that is on the second level may next move onto any carrier of either colour. If the carrier is the opponent's, that is an annexation. Annexing captures nothing.",
    ["kept", "kept-on"];

    RIDER, "MC-6", Law, Seed,
    "A rider on a piece of its own side acts on both levels, on an opponent's piece only on the second",
    "A rider on a carrier of its own colour acts as if it stood on the first level at that square: it may go down to an empty square, capture on the first level and give check there. A rider on an opposing carrier acts on the second level only.",
    ["kept", "broken", "broken-capture"];

    CAPTURE, "MC-7", Law, Seed,
    "A piece captures only on the level to which it moves",
    "A piece captures on the level where it arrives and on no other. If an enemy carrier has a rider, a move to the first level captures the carrier, and a move to the second level captures the rider.",
    ["kept", "broken"];

    CAPTURE_BELOW, "MC-7a", Definition, Ruling,
    "A rider stays when its carrier is captured, and rides the piece that captured it",
    "A piece that arrives on the first level captures the enemy piece that stands on the first level of that square. If that piece carried a rider, the rider stays and now rides the capturing piece, which is at once blocked or annexed. If a rider's opposing carrier is captured by the rider's own side, the rider acts on the first level again. The source says only that a piece captures on the level to which it moves; nothing in it removes the rider.",
    ["kept", "kept-king", "kept-own"];

    CAPTURE_ABOVE, "MC-7b", Definition, Ruling,
    "A capture on the second level removes the rider and takes its place",
    "A piece that arrives on the second level captures an enemy rider there and becomes the rider. From the first level this is possible only if the carrier is of the piece's own colour (MC-4): the rider that has annexed it is captured, which is a liberation. From the second level it is possible on any carrier.",
    ["kept", "kept-above"];

    LINES, "MC-8", Law, Ruling,
    "Lines end at the first piece on any level",
    "Lines are the regular ones: the squares strictly between must hold no piece on any level, and the level is chosen only at the arrival square. Riders do not slide across the tops of pieces: a line ends at the first piece on it, ridden or not. The source retains \"the move possibilities of the pieces and the board of conventional chess\" and gives officers an additional move, not another way to travel.",
    ["kept", "broken", "broken-above"];

    CLOSED, "MC-9", Law, Ruling,
    "Never onto a king, nor onto a level held by one's own piece",
    "No piece arrives on top of a king of either side. No piece arrives on a level of a square that is held by a piece of its own colour. That the second level leaves out the kings is the source's rule; the rest is regular chess, applied to each level.",
    ["kept", "broken", "broken-king", "broken-own"];

    CHECK, "MC-10", Law, Ruling,
    "A king is in check from a piece that could capture it on its level",
    "The king is an officer and may ride. It is in check if an enemy piece that may move (MC-3) could capture it on the level where it is:\n\
     - a king on the first level, from pieces of the first level, pawns included, and from riders on carriers of their own colour;\n\
     - a riding king, from riders, and from officers of the first level only if its carrier is of their colour.\n\n\
     No move may leave one's own king in check: neither by leaving a line, nor by leaving an annexed piece that then attacks the king. A check may be parried by annexing the checking piece. A check that a rider gives on the first level may also be parried by capturing its carrier.",
    [
        "kept",
        "kept-above",
        "kept-annexed",
        "kept-carrier",
        "kept-liberated",
        "broken",
        "broken-king",
        "broken-pinned",
        "broken-riding"
    ];

    CASTLING, "MC-11", Law, Ruling,
    "Castling on the first level, with a rook that carries no rider",
    "Castling is as in regular chess: King and Rook have never moved (going up is a move) and stand on the first level, the Rook carries no rider, the squares between are empty, the King is not in check, and it crosses and enters no square that is attacked on the first level.",
    [
        "kept",
        "kept-crossed",
        "broken",
        "broken-attacked",
        "broken-between",
        "broken-climbed"
    ];

    PAWNS, "MC-12", Law, Seed,
    "Double step, en passant and promotion as in regular chess",
    "The pawns' double step, en passant and promotion are those of regular chess, all on the first level. By our ruling a pawn that promotes by capturing a carrier then carries that carrier's rider.",
    [
        "kept",
        "kept-promotion",
        "broken",
        "broken-double-step",
        "broken-promotion"
    ];

    ENDS, "MC-13", Ending, Ruling,
    "Mate, stalemate and draws as in regular chess",
    "Checkmate wins and stalemate is a draw. Threefold repetition and fifty moves may be claimed; fivefold repetition and seventy-five moves end the game as a draw at once. The count of moves starts again after a capture on either level or a pawn move. A position is dead only with bare kings. A fallen flag draws against a bare king.",
    [
        "kept",
        "kept-claim",
        "kept-dead",
        "kept-flag",
        "kept-knight",
        "kept-seventyfive",
        "kept-stalemate",
        "kept-up",
        "broken",
        "broken-claim",
        "broken-dead",
        "broken-past"
    ];

    MOUNTED, "MC-14", Permission, Ruling,
    "What a rider on a piece of its own side may do",
    "A rider on a carrier of its own colour may go down, capture on the first level, move onto any carrier without a rider of its own side, and capture any enemy rider; and it attacks riding kings on any carrier. Kings attack riding kings as other officers do; pawns never do.",
    ["kept", "kept-annexed", "kept-king"];

    KING_CAPTURE, "MC-15", Law, Ruling,
    "A king captures no carrier, and a ridden rook keeps its right to castle",
    "A king may not capture a carrier that has a rider, of either colour, since no piece may sit on a king. A rook keeps its right to castle while it is ridden, until it moves or is captured. For repetition (GEN-4) the castling rights count, not what is possible at the moment. In castling, a crossed square is attacked if an enemy piece could capture there on the first level.",
    ["kept", "broken", "broken-own"];

    SET_UP, "MC-16", Law, Ruling,
    "A game starts from a possible position",
    "The source does not mention set-up positions; these are the conditions under which its rules make sense. A position from which a game starts has:\n\
     - one king of each side, on either level, and the side not to move is not in check;\n\
     - riders only on pieces other than kings;\n\
     - no pawn that rides or stands on the first or the last rank;\n\
     - no more pieces of a side than promotion can explain: each queen beyond the first, and each rook, bishop or knight beyond the second, counts as one of the eight pawns;\n\
     - castling rights only for a king and a rook on their original squares, on the first level;\n\
     - an en passant square only if a pawn could just have passed it with a double step.",
    [
        "kept",
        "broken",
        "broken-castling",
        "broken-en-passant",
        "broken-king",
        "broken-pawn"
    ];
}
