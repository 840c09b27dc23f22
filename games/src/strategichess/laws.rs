//! SC: StrategiChess.

use overboard_rules::{
    rule::{
        Page,
        Source::{Ruling, Seed},
    },
    rules,
};

/// The number of the laws of `StrategiChess` on one board ([`super`]).
pub const LAWS: u32 = 1;

/// The page.
pub const PAGE: Page = Page {
    name: "strategichess",
    title: "StrategiChess (SC)",
    preface: "A large board crossed by three roads. Pawns may also go back and sideways, and they never promote. Where this page is silent, regular chess applies: a refused move then cites its rule (CH), such as CH-15 for a king left in check. Matches on several boards have [their own page](strategichess-linked.md).\n\n\
              **Source:** Alan Cartwright with Ali (Alastair) Taft, *StrategiChess* (2003), called \"the author's text\" below.",
    rules: RULES,
    rulings: &super::rulings::RULINGS,
};

rules! {
    RULES;

    BOARD, "SC-1", Definition, Seed,
    "A board of 14x14 squares with three roads",
    "The board has fourteen files, a to n, and fourteen ranks. Three pairs of ranks are roads: 1 and 2, 7 and 8, 13 and 14.",
    ["kept", "kept-outer-roads"];

    ARRAY, "SC-2", Definition, Seed,
    "Two rows of pieces for each side, and empty roads",
    "White's pawns are on every square of rank 4 and White's officers on rank 3; Black's pawns are on rank 11 and Black's officers on rank 12. From file a the officers are R N B B N R Q K R N B B N R. The roads on ranks 1 and 2 and on ranks 13 and 14 are empty. A FEN tag may set up another position: it has one king of each side, the side not to move is not in check, and a pawn that it marks as never moved is on the rank where pawns of its side begin.",
    [
        "kept",
        "kept-fen",
        "broken-king",
        "broken-two-kings",
        "broken-unmoved"
    ];

    QUEEN_LEFT, "SC-3", Definition, Ruling,
    "Queens on file g, kings on file h",
    "For both sides the queen stands on file g and the king on file h. The author's picture is lost. The author's words put the two on the centre squares \"as in regular Chess\", where the queen stands left of the king as White sees the board.",
    ["kept", "kept-own-colour"];

    REGULAR, "SC-4", Definition, Seed,
    "Regular chess, except as stated on this page",
    "The laws of regular chess hold except where this page changes them: officers move and capture as in chess, and a king may not be left in check.",
    ["kept", "kept-check"];

    PAWN_ADVANCE, "SC-5", Law, Seed,
    "A pawn's first move is one, two or three squares ahead, later ones a single square",
    "A pawn that has never moved may go one, two or three squares straight ahead. Every square on its way and the one where it arrives must be empty. After its first move it goes ahead one square at a time.",
    [
        "kept",
        "kept-late",
        "broken",
        "broken-black",
        "broken-blocked",
        "broken-double",
        "broken-jump",
        "broken-single"
    ];

    FIRST_MOVE, "SC-5a", Law, Ruling,
    "The first move belongs to the pawn, not to its square",
    "A pawn that has moved and come back to the rank where it began has had its first move: it may go only one square. So a position says which pawns have never moved, and two positions that differ in this are not the same.",
    [
        "kept",
        "kept-repetition",
        "broken",
        "broken-capture",
        "broken-triple"
    ];

    PAWN_RETREAT, "SC-6", Law, Seed,
    "A pawn may go back one square",
    "A pawn may go one square straight back to an empty square. This may be its first move.",
    [
        "kept",
        "broken",
        "broken-black",
        "broken-blocked",
        "broken-first"
    ];

    ROADS_ASIDE, "SC-6a", Law, Seed,
    "On a road a pawn may go sideways",
    "A pawn on a rank of a road may go one square to the left or to the right, to an empty square.",
    [
        "kept",
        "kept-outer-roads",
        "broken",
        "broken-black",
        "broken-blocked",
        "broken-two"
    ];

    PAWN_CAPTURE, "SC-6b", Law, Ruling,
    "A pawn captures only diagonally ahead",
    "A pawn captures on the two squares diagonally ahead of it, as in regular chess, and in no other way: the author adds moves of the pawn and no captures. A pawn on its last rank may still go back, and also sideways, since that rank is a road. Since a pawn may step to another file without capturing, a pawn's move written without `x` is never a capture.",
    [
        "kept",
        "kept-king-beside",
        "kept-last-rank",
        "broken-ahead",
        "broken-back",
        "broken-empty",
        "broken-sideways",
        "broken-sign",
        "broken-slanting-back"
    ];

    NO_PROMOTION, "SC-7", Law, Seed,
    "A pawn stays a pawn",
    "A pawn that reaches the far rank is not promoted.",
    ["kept", "broken", "broken-black", "broken-capture"];

    NO_EN_PASSANT, "SC-8", Law, Seed,
    "No en passant",
    "A pawn that goes two or three squares cannot be captured on a square that it has passed.",
    ["kept", "broken", "broken-black", "broken-double"];

    NO_CASTLING, "SC-9", Law, Seed,
    "No castling",
    "The king moves one square at a time, and no move is made with king and rook together.",
    ["kept", "broken", "broken-black", "broken-clear"];

    MATE, "SC-10", Ending, Seed,
    "On one board checkmate wins and stalemate is a draw",
    "In the game of one board checkmate wins, a player may resign, and stalemate is a draw.",
    [
        "kept",
        "kept-resigned",
        "kept-retreat",
        "kept-stalemate",
        "broken",
        "broken-past",
        "broken-stalemate",
        "broken-stalemate-past"
    ];

    DRAWS, "SC-11", Ending, Seed,
    "On one board fifty moves without a capture can be claimed as a draw",
    "After fifty moves by each side without a capture a player may claim a draw. By our ruling:\n\
     - Pawn moves do not start the count again, since pawns can go to and fro forever.\n\
     - Seventy-five such moves by each side end the game as a draw at once.\n\
     - On the third occurrence of a position a draw may be claimed; the fifth occurrence ends the game as a draw at once.\n\
     - A position is dead, and so drawn, with bare kings, with a king and one knight, bishop or pawn against a king, and with kings and bishops only, all bishops on squares of one colour.",
    [
        "kept-alive",
        "kept-capture",
        "kept-claim-fifty",
        "kept-claim-fifty-intended",
        "kept-dead",
        "kept-dead-bishops",
        "kept-dead-knight",
        "kept-dead-pawn",
        "kept-fivefold",
        "kept-seventy-five",
        "kept-threefold",
        "kept-unclaimed",
        "broken-claim",
        "broken-claim-capture",
        "broken-claim-threefold",
        "broken-dead",
        "broken-dead-result",
        "broken-fivefold",
        "broken-seventy-five",
        "broken-seventy-five-result"
    ];
}
