//! CZ: Crazyhouse.

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
    name: "crazyhouse",
    title: "Crazyhouse (CZ)",
    preface: "Chess in which no piece leaves the game: a captured piece changes colour, and its captor may drop it on the board. Where this page is silent, [orthodox chess](chess.md) applies: a refused move then cites its rule (CH), such as CH-15 for a king left in check.\n\n\
              **Source:** the game has no author. \"The author's text\" below is what Lichess publishes and plays (lichess.org/variant/crazyhouse), in our words.",
    rules: RULES,
    rulings: &super::rulings::RULINGS,
};

/// The page of Crazyhouse with the castling and the arrays of Chess960.
pub const PAGE_960: Page = Page {
    name: "crazyhouse960",
    title: "Crazyhouse960 (CZ)",
    preface: "[Crazyhouse](crazyhouse.md) from an array of [Chess960](chess960.md). All rules of both apply: pockets and drops as in CZ-1 to CZ-4, castling as in C9-3 to C9-6.\n\n\
              **Source:** what Lichess and other servers play when the two are combined, called \"the author's text\" below.",
    rules: RULES_960,
    rulings: &[],
};

rules! {
    RULES;

    POCKET, "CZ-1", Definition, Seed,
    "A captured piece changes colour and goes to the captor's pocket",
    "A captured piece changes colour and goes to the pocket of the player who captured it. A promoted piece goes there as a pawn. A pawn that is captured en passant goes there like any other. On the board everything moves as in chess.",
    ["kept", "kept-en-passant", "kept-promoted"];

    DROP, "CZ-2", Law, Seed,
    "Instead of moving, a player may drop a piece from the pocket",
    "Instead of moving, a player may put a piece from the pocket on any empty square. A pawn may not be dropped on the first or the eighth rank. A drop may give check or mate, and it must answer a check as any move must. A drop is never a promotion. A pawn that is dropped on its second rank may advance two squares from there. A dropped rook does not castle: castling needs the king and the rook with which the game began, neither of which has moved.",
    [
        "kept",
        "kept-block",
        "kept-double-step",
        "kept-mate",
        "broken",
        "broken-eighth",
        "broken-empty",
        "broken-first",
        "broken-occupied",
        "broken-promotes"
    ];

    FEN, "CZ-3", Definition, Ruling,
    "A FEN has the pockets in brackets, and `~` after promoted pieces",
    "The pockets stand in brackets after the placement, White's pieces in capitals first, in the order Q R B N P: `…/RNBQKBNR[Qp]`, and `[]` if they are empty. They are also read as a ninth rank, `…/RNBQKBNR/Qp`, and a FEN without pockets is read as one with empty ones; both have the warning `fen-form`. `~` stands after a promoted piece. A game may start from any position that is possible in chess (CH-19), except that pieces are counted as Crazyhouse has them: two queens, four rooks, bishops and knights, and sixteen pawns of both sides together, on the board and in the pockets, a promoted piece being a pawn.",
    ["kept", "kept-promoted", "broken-king"];

    DRAWS, "CZ-4", Ending, Ruling,
    "Draws: repetition, and too few pieces; there is no fifty-move rule",
    "Repetition is claimed the third time and ends the game the fifth time, as in chess (GEN-3). Two positions are the same only if the pockets are the same too, and the same pieces are promoted. There is no fifty-move rule and no seventy-five-move rule. A position is dead only if there are kings and at most one knight or bishop, on the board or in a pocket, and that piece was not promoted. A player whose flag falls, or who makes the illegal attempt that loses (GEN-9), loses unless the position is dead; with the option `flag=always` such a player always loses.",
    [
        "kept",
        "kept-counter",
        "kept-dead",
        "kept-flag",
        "kept-flag-always",
        "kept-pockets",
        "broken",
        "broken-claim-fifty",
        "broken-past",
        "broken-pockets"
    ];
}

rules! {
    RULES_960;

    SHUFFLED, "CZ-5", Permission, Seed,
    "From an array of Chess960, castling is that of Chess960",
    "The game may start from any of the 960 arrays (C9-1), with empty pockets. Castling then follows C9-3 to C9-6, for the rooks with which the game began. Everything else is Crazyhouse.",
    ["kept", "kept-drop"];
}
