//! MC: `MetaChess` #4.

use overboard_rules::{
    rule,
    rule::{
        Page,
        Source::{Ruling, Seed},
    },
};

/// The number of the game's laws ([`crate::laws`]).
pub const LAWS: u32 = 1;

/// The page.
pub const PAGE: Page = Page {
    name: "metachess",
    title: "MetaChess #4 (MC)",
    preface: "Regular chess on the regular board with the regular array, in which pieces ride on other pieces. Where this page is silent, regular chess applies: a refused move then cites its rule (CH), such as CH-8 for the way a knight jumps.",
    rules: &[
        &LEVELS,
        &OFFICERS,
        &CARRIER,
        &CLIMB,
        &ANNEXATION,
        &RIDER,
        &CAPTURE,
        &CAPTURE_BELOW,
        &CAPTURE_ABOVE,
        &LINES,
        &CLOSED,
        &CHECK,
        &CASTLING,
        &PAWNS,
        &ENDS,
        &MOUNTED,
        &KING_CAPTURE,
        &SET_UP,
    ],
};

rule!(
    LEVELS,
    "MC-1",
    Law,
    Seed,
    "Two levels: the squares, and the tops of the pieces",
    "The first level is the 64 squares. The second level is the top of every piece that stands on the first level, except the kings. A piece on the second level is a rider, the piece below it its carrier. A move that ends on the second level is written with ^ and needs a piece to end on. By our ruling there is no third level: nothing sits on a rider.",
    ["kept", "broken"]
);
rule!(
    OFFICERS,
    "MC-2",
    Law,
    Seed,
    "Officers may ride, pawns never do",
    "Officers, which are King, Queen, Rook, Bishop and Knight, may be riders. Pawns never leave the first level.",
    ["kept", "broken", "broken-own"]
);
rule!(
    CARRIER,
    "MC-3",
    Law,
    Seed,
    "A carrier does nothing",
    "A carrier with a rider on it cannot move, capture or give check. It is blocked if the rider is of its own colour, annexed if not. A carrier that cannot move need not be distinguished from a piece of its kind that can.",
    ["kept", "kept-named", "broken", "broken-annexed"]
);
rule!(
    CLIMB,
    "MC-4",
    Law,
    Ruling,
    "From the first level up on to one's own pieces only",
    "An officer on the first level goes up only on to a piece of its own colour; each climb begins so. The source says that pieces sit \"first only on their own\" and \"on the next turn also on opposing pieces\". Read as a rule for the first move of the game that would forbid nothing, since no officer reaches an enemy piece then.",
    ["kept", "broken"]
);
rule!(
    ANNEXATION,
    "MC-5",
    Permission,
    Seed,
    "A rider may go on to any carrier: annexation",
    "An officer that is on the second level may next go on to any carrier of either colour. When the carrier is the opponent's, that is an annexation. Nothing is taken by annexing.",
    ["kept", "kept-on"]
);
rule!(
    RIDER,
    "MC-6",
    Law,
    Seed,
    "On its own colour a rider acts below too, on the other only above",
    "A rider on a carrier of its own colour acts as if it stood on the first level at that square: it may go down to an empty square, capture on the first level and give check there. A rider on an opposing carrier acts on the second level only.",
    ["kept", "broken", "broken-capture"]
);
rule!(
    CAPTURE,
    "MC-7",
    Law,
    Seed,
    "A piece takes only on the level that it moves to",
    "A piece captures on the level where it arrives and on no other. Of an enemy carrier with a rider, a move to the first level takes the carrier, a move to the second level the rider.",
    ["kept", "broken"]
);
rule!(
    CAPTURE_BELOW,
    "MC-7a",
    Definition,
    Ruling,
    "A rider stays where its carrier is taken, and rides what took it",
    "A piece that arrives on the first level takes the enemy piece that stands on the first level of that square. If that piece carried a rider, the rider stays and now rides what took its carrier, which is at once blocked or annexed. Where the opposing carrier under an own rider is taken, that rider acts on the first level again. The source says only that a piece captures on the level that it moves to; nothing in it removes the rider.",
    ["kept", "kept-king", "kept-own"]
);
rule!(
    CAPTURE_ABOVE,
    "MC-7b",
    Definition,
    Ruling,
    "On the second level the rider is taken, and its place",
    "A piece that arrives on the second level takes an enemy rider there and becomes the rider. From the first level this is possible only when the carrier is of its own colour (MC-4): so the rider that has annexed an own piece is taken, which is a liberation. From the second level it is possible on any carrier.",
    ["kept", "kept-above"]
);
rule!(
    LINES,
    "MC-8",
    Law,
    Ruling,
    "Lines end at the first piece on any level",
    "Lines are the regular ones: the squares strictly between must hold no piece on any level, and the level is chosen only at the arrival square. Riders do not slide across the tops of pieces: a line ends at the first piece on it, ridden or not. The source retains \"the move possibilities of the pieces and the board of conventional chess\" and gives officers an additional move, not another way to travel.",
    ["kept", "broken", "broken-above"]
);
rule!(
    CLOSED,
    "MC-9",
    Law,
    Ruling,
    "Never on a king, nor on a level held by one's own piece",
    "No piece arrives on top of a king, its own or the other. No piece arrives on a level of a square that is held by a piece of its own colour. The second level leaves out the kings by the source; the rest is regular chess for each level.",
    ["kept", "broken", "broken-king", "broken-own"]
);
rule!(
    CHECK,
    "MC-10",
    Law,
    Ruling,
    "A king is in check from what could take it on the level where it is",
    "The king is an officer and may ride. It is in check when an enemy piece that may move (MC-3) could capture it on the level where it stands: a king on the first level from pieces of the first level, pawns and riders on carriers of their own colour; a riding king from riders, and from officers of the first level only if its carrier is of their colour. No move may leave one's own king in check: neither by leaving a line, nor by leaving an annexed piece that then attacks it. A check may be parried by annexing the piece that gives it, and one by a rider on the first level by taking its carrier.",
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
    ]
);
rule!(
    CASTLING,
    "MC-11",
    Law,
    Ruling,
    "Castling on the first level, with a rook that carries nobody",
    "Castling as in regular chess: King and Rook have never moved (going up is a move) and stand on the first level, the Rook carries no rider, the squares between are empty, the King is not in check and crosses and enters no square that is attacked on the first level.",
    ["kept", "kept-crossed", "broken", "broken-attacked", "broken-between", "broken-climbed"]
);
rule!(
    PAWNS,
    "MC-12",
    Law,
    Seed,
    "Double step, en passant and promotion as in regular chess",
    "The double step of the pawns, the capture en passant and the promotion are those of regular chess, all on the first level. By our ruling a pawn that promotes by taking a carrier keeps that carrier's rider on its head.",
    ["kept", "kept-promotion", "broken", "broken-double-step", "broken-promotion"]
);
rule!(
    ENDS,
    "MC-13",
    Ending,
    Ruling,
    "Mate, stalemate and draws as in regular chess",
    "Checkmate wins and stalemate draws. Threefold repetition and fifty moves may be claimed, fivefold repetition and seventy-five moves draw by themselves. Moves are counted without a capture on either level and without a pawn move. A position is dead only with bare kings. A fallen flag draws against a lone king.",
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
    ]
);
rule!(
    MOUNTED,
    "MC-14",
    Permission,
    Ruling,
    "A rider on its own colour acts on both levels",
    "A rider on a carrier of its own colour may go down, take below, go on to any carrier without a rider of its own side and take any enemy rider, and it attacks riding kings on any carrier. Kings attack riding kings as other officers do; pawns never.",
    ["kept", "kept-annexed", "kept-king"]
);
rule!(
    KING_CAPTURE,
    "MC-15",
    Law,
    Ruling,
    "A king takes no carrier, and a ridden rook keeps its right to castle",
    "A king may not take a carrier that bears any rider, of either colour, since no one may sit on a king. A rook keeps its right to castle while it is ridden, until it moves or is taken. For repetition (GEN-4) the rights to castle count, not what is possible at the moment. In castling, a crossed square is attacked if an enemy piece could capture there on the first level.",
    ["kept", "broken", "broken-own"]
);
rule!(
    SET_UP,
    "MC-16",
    Law,
    Ruling,
    "A game starts from a possible position",
    "A set-up position has one king of each side on either level, riders only on pieces that are no kings, no pawn riding or on the first or last rank, no more pieces than sixteen a side with their pawns promoted, the side that is not to move not in check, castling rights only where king and rook stand at home on the first level, and an en passant square only behind a pawn that can just have made a double step. The source does not speak of set-ups: these are the conditions under which its rules have a meaning.",
    ["kept", "broken", "broken-castling", "broken-check", "broken-en-passant", "broken-king", "broken-pawn"]
);
