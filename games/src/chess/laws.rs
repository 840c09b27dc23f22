//! CH: orthodox chess.

use overboard_rules::{
    rule,
    rule::{
        Page,
        Source::{Fide, Ruling},
    },
};

/// The number of the game's laws ([`crate::laws`]).
pub const LAWS: u32 = 1;

/// The page.
pub const PAGE: Page = Page {
    name: "chess",
    title: "Chess (CH)",
    preface: "Orthodox chess by the FIDE Laws, in our words: the game of a plain record, and the game inside Overchess and Mega-Chess. Its ends by draw stand on the page of the common rules (GEN-3).",
    rules: &[
        &TURN,
        &OWN_PIECE,
        &CAPTURE,
        &BISHOP,
        &ROOK,
        &QUEEN,
        &NO_JUMP,
        &KNIGHT,
        &PAWN_ADVANCE,
        &PAWN_CAPTURE,
        &EN_PASSANT,
        &PROMOTION,
        &KING,
        &CASTLING,
        &KING_SAFETY,
        &MATE,
        &STALEMATE,
        &AGREED_END,
        &SET_UP,
        &ONE_MOVE,
    ],
};

rule!(
    TURN,
    "CH-1",
    Law,
    Fide("Articles 1.2 and 1.3"),
    "The players move in turn, each with their own pieces",
    "The sides move one after the other. A player moves a piece of their own colour, one move a turn, and may not pass.",
    ["kept", "broken"]
);
rule!(
    OWN_PIECE,
    "CH-2",
    Law,
    Fide("Article 3.1"),
    "No piece moves to a square held by its own side",
    "A square on which a piece stands may not be entered by another piece of the same colour.",
    ["kept", "broken"]
);
rule!(
    CAPTURE,
    "CH-3",
    Law,
    Fide("Articles 1.4.1 and 3.1.1"),
    "Entering an enemy's square takes the piece; a king is never taken",
    "A piece that moves to a square held by an enemy piece takes it, and the taken piece leaves the board in the same move. The king cannot be taken: the game ends before that.",
    ["kept", "broken"]
);
rule!(
    BISHOP,
    "CH-4",
    Law,
    Fide("Article 3.2"),
    "The bishop moves along diagonals",
    "The bishop moves to any square of a diagonal on which it stands.",
    ["kept", "broken"]
);
rule!(
    ROOK,
    "CH-5",
    Law,
    Fide("Article 3.3"),
    "The rook moves along files and ranks",
    "The rook moves to any square of the file or the rank on which it stands.",
    ["kept", "broken"]
);
rule!(
    QUEEN,
    "CH-6",
    Law,
    Fide("Article 3.4"),
    "The queen moves along files, ranks and diagonals",
    "The queen moves to any square of the file, the rank or a diagonal on which it stands.",
    ["kept", "broken"]
);
rule!(
    NO_JUMP,
    "CH-7",
    Law,
    Fide("Article 3.5"),
    "Bishop, rook and queen do not jump",
    "A bishop, a rook or a queen may not move over any piece that stands between its square and the arrival square.",
    ["kept", "broken", "broken-bishop", "broken-queen"]
);
rule!(
    KNIGHT,
    "CH-8",
    Law,
    Fide("Article 3.6"),
    "The knight jumps two squares one way and one aside",
    "The knight moves to one of the squares nearest to its own that are on no line of rank, file or diagonal with it. What stands between does not matter.",
    ["kept", "broken"]
);
rule!(
    PAWN_ADVANCE,
    "CH-9",
    Law,
    Fide("Articles 3.7.1 and 3.7.2"),
    "A pawn advances one empty square, or two from its first rank",
    "A pawn moves straight forward to the empty square before it. From the rank on which it began it may go two squares, both empty. It never moves sideways or back.",
    ["kept", "broken", "broken-occupied", "broken-third"]
);
rule!(
    PAWN_CAPTURE,
    "CH-10",
    Law,
    Fide("Article 3.7.3"),
    "A pawn takes diagonally forward only",
    "A pawn takes an enemy piece that stands on a square diagonally before it on a neighbouring file. It does not take straight ahead, and it does not move diagonally without taking.",
    ["kept", "broken", "broken-empty"]
);
rule!(
    EN_PASSANT,
    "CH-11",
    Law,
    Fide("Articles 3.7.4.1 and 3.7.4.2"),
    "En passant only at once, against a double step",
    "A pawn that attacks a square crossed by an enemy pawn in its step of two squares may take that pawn as though it had gone one square only. It may do so only in the very next move.",
    ["kept", "broken", "broken-single"]
);
rule!(
    PROMOTION,
    "CH-12",
    Law,
    Fide("Articles 3.7.5.1 and 3.7.5.2"),
    "A pawn on the last rank becomes a queen, rook, bishop or knight",
    "A pawn that reaches the rank farthest from its own must be exchanged, as part of the same move, for a queen, rook, bishop or knight of its colour. The record names the piece.",
    ["kept", "broken", "broken-king"]
);
rule!(
    KING,
    "CH-13",
    Law,
    Fide("Article 3.8.1"),
    "The king moves one square",
    "The king moves to any square next to its own, when it does not castle.",
    ["kept", "broken"]
);
rule!(
    CASTLING,
    "CH-14",
    Law,
    Fide("Article 3.8.2"),
    "Castling: nothing moved, nothing between, no check on the way",
    "Castling is one move of the king and a rook of the same colour on the first rank: the king goes two squares towards the rook and the rook to the square just crossed. The right to it is lost once the king has moved, or that rook has moved or been taken. It is barred while a piece stands between them, and while the square the king stands on, crosses or enters is attacked.",
    [
        "kept",
        "kept-rook-crosses-attack",
        "broken",
        "broken-into-check",
        "broken-moved",
        "broken-out-of-check",
        "broken-path"
    ]
);
rule!(
    KING_SAFETY,
    "CH-15",
    Law,
    Fide("Article 3.9.2"),
    "No move may leave one's own king in check",
    "A king is in check when it is attacked by an enemy piece, even one that could not move itself because it is pinned. No piece may make a move that exposes or leaves the king of its own side in check.",
    ["kept", "broken", "broken-check", "broken-king-steps-in"]
);
rule!(
    MATE,
    "CH-16",
    Ending,
    Fide("Article 5.1.1"),
    "Checkmate wins",
    "A player whose king is in check and who has no legal move is mated and has lost; the mating move, if legal, ends the game at once.",
    ["kept", "broken", "broken-past"]
);
rule!(
    STALEMATE,
    "CH-17",
    Ending,
    Fide("Article 5.2.1"),
    "Stalemate is a draw",
    "When the player to move is not in check and has no legal move, the game is drawn at once.",
    ["kept", "broken", "broken-past"]
);
rule!(
    AGREED_END,
    "CH-18",
    Ending,
    Fide("Articles 5.1.2 and 5.2.3"),
    "Resigning loses, and players may agree a draw",
    "A player who resigns has lost, at once. The players may agree a draw during the game. A record states these with [%resign W], [%resign B] and [%draw agreed], or by its result alone.",
    ["kept", "kept-draw", "broken", "broken-draw", "broken-draw-past", "broken-past"]
);
rule!(
    SET_UP,
    "CH-19",
    Law,
    Ruling,
    "A game starts from a possible position",
    "A set-up position has one king of each side, no pawn on the first or last rank, no more pieces than sixteen a side with their pawns promoted, the side that is not to move not in check, checks that some last move can have given, castling rights only where king and rook stand at home, and an en passant square only behind a pawn that can just have made a double step. The Laws do not speak of set-ups: these are the conditions under which their rules have a meaning.",
    [
        "kept",
        "kept-en-passant",
        "broken",
        "broken-castling",
        "broken-en-passant",
        "broken-no-king",
        "broken-pawn",
        "broken-two-kings"
    ]
);
rule!(
    ONE_MOVE,
    "CH-20",
    Law,
    Fide("Appendix C.10"),
    "A written move names exactly one legal move",
    "Where two pieces of one kind can legally move to the same square, the move says which, by file, else by rank, else by both. A pinned piece that may not move need not be distinguished.",
    ["kept", "kept-pinned", "kept-pinned-opening", "broken"]
);
