//! CH: orthodox chess.

use overboard_rules::{
    general,
    outcome::Cause,
    rule::{
        Page,
        Source::{Fide, Ruling},
    },
    rules,
    variant::LawsChange,
};

/// The number of the game's laws ([`crate::laws`]).
pub const LAWS: u32 = 2;

/// What they changed, also in the other games with the laws of chess.
pub static CHANGES: [LawsChange; 1] = [LawsChange {
    laws: 2,
    rules: &[&general::DRAWS, &general::FLAG],
    ends: &[Cause::DeadPosition, Cause::Flag, Cause::IllegalAttempts],
    says: "dead positions and draws on time are decided by any series of moves, not by material alone",
}];

/// The page of its rules.
pub const PAGE: Page = Page {
    name: "chess",
    title: "Chess (CH)",
    preface: "Orthodox chess: the FIDE Laws, in our words. These rules govern plain records, and the games inside Overchess and Mega-Chess. Draws by repetition, move count and dead position are common rules: see [GEN-3](common.md#GEN-3).\n\n\
              **Source:** FIDE Laws of Chess, in force from 1 January 2023 (FIDE Handbook E.01).",
    rules: RULES,
    rulings: &super::rulings::RULINGS,
};

rules! {
    RULES;

    TURN, "CH-1", Law, Fide("Articles 1.2 and 1.3"),
    "The players move in turn, each with their own pieces",
    "The sides move one after the other. A player moves a piece of their own colour, one move a turn, and may not pass.",
    ["kept", "broken"];

    OWN_PIECE, "CH-2", Law, Fide("Article 3.1"),
    "No piece moves to a square held by its own side",
    "A piece may not move to a square occupied by a piece of the same colour.",
    ["kept", "broken"];

    CAPTURE, "CH-3", Law, Fide("Articles 1.4.1 and 3.1.1"),
    "Moving to an enemy's square captures the piece; a king is never captured",
    "A piece that moves to a square occupied by an enemy piece captures it, and the captured piece leaves the board as part of the same move. The king cannot be captured: the game ends before that.",
    ["kept", "broken"];

    BISHOP, "CH-4", Law, Fide("Article 3.2"),
    "The bishop moves along diagonals",
    "The bishop moves to any square along a diagonal on which it stands.",
    ["kept", "broken"];

    ROOK, "CH-5", Law, Fide("Article 3.3"),
    "The rook moves along files and ranks",
    "The rook moves to any square along the file or the rank on which it stands.",
    ["kept", "broken"];

    QUEEN, "CH-6", Law, Fide("Article 3.4"),
    "The queen moves along files, ranks and diagonals",
    "The queen moves to any square along the file, the rank or a diagonal on which it stands.",
    ["kept", "broken"];

    NO_JUMP, "CH-7", Law, Fide("Article 3.5"),
    "Bishop, rook and queen do not jump",
    "A bishop, rook or queen may not move over a piece that stands between its square and the arrival square.",
    ["kept", "broken", "broken-bishop", "broken-queen"];

    KNIGHT, "CH-8", Law, Fide("Article 3.6"),
    "The knight jumps two squares in one direction and one to the side",
    "The knight moves to one of the squares nearest to its own that are not on the same rank, file or diagonal. It may jump over pieces.",
    ["kept", "broken"];

    PAWN_ADVANCE, "CH-9", Law, Fide("Articles 3.7.1 and 3.7.2"),
    "A pawn advances one empty square, or two from its starting square",
    "A pawn moves straight forward to the empty square in front of it. From its starting rank it may advance two squares, both empty. It never moves sideways or back.",
    ["kept", "broken", "broken-occupied", "broken-third"];

    PAWN_CAPTURE, "CH-10", Law, Fide("Article 3.7.3"),
    "A pawn captures diagonally forward only",
    "A pawn captures an enemy piece on a square diagonally in front of it, on an adjacent file. It does not capture straight ahead, and it does not move diagonally without capturing.",
    ["kept", "broken", "broken-empty"];

    EN_PASSANT, "CH-11", Law, Fide("Articles 3.7.4.1 and 3.7.4.2"),
    "En passant: only immediately after a double step",
    "A pawn that attacks a square crossed by an enemy pawn in its double step may capture that pawn as though it had advanced one square only. It may do so only in the very next move.",
    ["kept", "broken", "broken-single"];

    PROMOTION, "CH-12", Law, Fide("Articles 3.7.5.1 and 3.7.5.2"),
    "A pawn on the last rank becomes a queen, rook, bishop or knight",
    "A pawn that reaches the rank farthest from its starting square must be exchanged, as part of the same move, for a queen, rook, bishop or knight of its colour. The record names the piece.",
    ["kept", "broken", "broken-king"];

    KING, "CH-13", Law, Fide("Article 3.8.1"),
    "The king moves one square",
    "Unless it castles, the king moves to an adjoining square.",
    ["kept", "broken"];

    CASTLING, "CH-14", Law, Fide("Article 3.8.2"),
    "Castling: nothing has moved, nothing between, no check on the way",
    "Castling is one move of the king and a rook of the same colour on the first rank: the king moves two squares towards the rook, and the rook to the square that the king has just crossed. The right to castle is lost once the king has moved, or once that rook has moved or been captured. Castling is prevented while a piece stands between king and rook, and while the square on which the king stands, the one it crosses or the one it reaches is attacked.",
    [
        "kept",
        "kept-rook-crosses-attack",
        "broken",
        "broken-into-check",
        "broken-moved",
        "broken-out-of-check",
        "broken-path"
    ];

    KING_SAFETY, "CH-15", Law, Fide("Article 3.9.2"),
    "No move may leave one's own king in check",
    "A king is in check when it is attacked by an enemy piece, even one that could not move itself because it is pinned. No piece may make a move that exposes or leaves the king of its own side in check.",
    ["kept", "broken", "broken-check", "broken-king-steps-in"];

    MATE, "CH-16", Ending, Fide("Article 5.1.1"),
    "Checkmate wins",
    "A player whose king is in check and who has no legal move is mated and has lost. The mating move, if legal, ends the game at once.",
    ["kept", "broken", "broken-past"];

    STALEMATE, "CH-17", Ending, Fide("Article 5.2.1"),
    "Stalemate is a draw",
    "If the player to move is not in check and has no legal move, the game is drawn at once.",
    ["kept", "broken", "broken-past"];

    AGREED_END, "CH-18", Ending, Fide("Articles 5.1.2 and 5.2.3"),
    "Resigning loses, and players may agree a draw",
    "A player who resigns has lost, at once. The players may agree a draw during the game. A record states these with [%resign W], [%resign B] and [%draw agreed], or by its result alone.",
    [
        "kept",
        "kept-draw",
        "broken",
        "broken-draw",
        "broken-draw-past",
        "broken-past"
    ];

    SET_UP, "CH-19", Law, Ruling,
    "A game starts from a possible position",
    "The Laws do not mention set-up positions; these are the conditions under which their rules make sense. A position from which a game starts has:\n\
     - one king of each side, and the side not to move is not in check;\n\
     - no pawn on the first or the last rank;\n\
     - no more pieces of a side than promotion can explain: each queen beyond the first, and each rook, bishop or knight beyond the second, counts as one of the eight pawns;\n\
     - only checks that some last move can have given;\n\
     - castling rights only for a king and a rook on their original squares;\n\
     - an en passant square only if a pawn could just have passed it with a double step.",
    [
        "kept",
        "kept-en-passant",
        "broken",
        "broken-castling",
        "broken-en-passant",
        "broken-no-king",
        "broken-pawn",
        "broken-two-kings"
    ];

    ONE_MOVE, "CH-20", Law, Fide("Appendix C.10"),
    "A written move names exactly one legal move",
    "If two pieces of one kind can legally move to the same square, the move says which one: by its file if that is enough, else by its rank, else by both. A pinned piece that may not move need not be distinguished.",
    ["kept", "kept-pinned", "kept-pinned-opening", "broken"];
}
