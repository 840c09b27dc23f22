//! OC: Olympic Chess.

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
    name: "olympic",
    title: "Olympic Chess (OC)",
    preface: "A small board on which no piece is lost: a captured piece changes sides and may be dropped back into play. Where this page is silent, regular chess applies: a refused move then cites its rule (CH), such as CH-15 for a king left in check.\n\n\
              **Source:** H. G. Muller, *Olympic Chess* (chessvariants.com), called \"the author's text\" below.",
    rules: RULES,
    rulings: &super::rulings::RULINGS,
};

rules! {
    RULES;

    ARMY, "OC-1", Definition, Seed,
    "A board of 5x5 squares and six pieces for each side",
    "The board has five files, a to e, and five ranks, 1 to 5. Each side has a King, a Rook, a Bishop, a Pawn, a Silver (S) and a Gold (G).",
    ["kept"];

    ARRAY, "OC-2", Definition, Ruling,
    "The starting position, and others by FEN",
    "From a1, White has King, Gold, Silver, Bishop and Rook, and a Pawn on a2. Black has the same, seen from the other side: `rbsgk/4p/5/P4/KGSBR[] w - - 0 1`. The diagram is missing from every archived copy of the author's text; this is the starting position of Minishogi, whose equipment and army the game shares. A FEN tag may set up another position. It is possible if each side has one King, the side not to move is not in check, no unpromoted Pawn stands on its last rank, and only Pawns and Silvers are marked as promoted.",
    ["kept", "kept-fen", "broken-king", "broken-pawn"];

    REGULAR_MEN, "OC-3", Law, Seed,
    "King, Rook, Bishop and Pawn move as in regular chess",
    "King, Rook, Bishop and Pawn move and capture as in regular chess. There is no double step, no en passant and no castling.",
    [
        "kept",
        "broken",
        "broken-blocked",
        "broken-castling",
        "broken-double-step",
        "broken-en-passant",
        "broken-king"
    ];

    GOLD_AND_SILVER, "OC-4", Law, Seed,
    "Gold and Silver move one step, in six and five directions",
    "The Gold moves and captures one square in any direction but diagonally backward. The Silver moves and captures one square diagonally in any direction or straight forward.",
    [
        "kept",
        "kept-silver",
        "broken",
        "broken-black",
        "broken-silver-back",
        "broken-silver-sideways"
    ];

    PROMOTION, "OC-5", Law, Seed,
    "A Pawn on the last rank must become a Gold; a Silver may",
    "A Pawn that reaches the last rank must be promoted to Gold in the same move. A Silver that reaches the last rank may be promoted to Gold. A Gold is not promoted.",
    [
        "kept",
        "kept-capture",
        "kept-silver",
        "broken",
        "broken-early",
        "broken-gold",
        "broken-rook",
        "broken-silver-early",
        "broken-silver-late",
        "broken-silver-rook"
    ];

    LATE_PROMOTION, "OC-6", Permission, Seed,
    "A Silver that leaves the last rank may be promoted",
    "A Silver that moves away from the last rank, having declined its promotion or having been dropped there, may be promoted on completing that move.",
    ["kept", "kept-again", "kept-capture", "kept-dropped"];

    CAPTURE, "OC-7", Definition, Seed,
    "A captured piece changes sides and goes to the hand",
    "A captured piece changes colour and goes to the hand of the player who captured it. A promoted Pawn becomes a Pawn again, a promoted Silver a Silver.",
    ["kept", "kept-gold", "kept-silver"];

    DROP, "OC-8", Law, Seed,
    "Instead of moving, a player may drop a piece from the hand",
    "Instead of moving, a player may put a piece from the hand on any empty square. A Pawn may not be dropped on its last rank, but may be dropped on its first. A drop is never a promotion. By our ruling there are no other limits: a drop may give check or mate, and a file may hold two Pawns of one side.",
    [
        "kept",
        "kept-doubled",
        "kept-first-rank",
        "kept-mate",
        "broken",
        "broken-empty",
        "broken-enemy",
        "broken-hand",
        "broken-last-rank",
        "broken-reverted"
    ];

    MATE, "OC-9", Ending, Seed,
    "Checkmate wins, stalemate is a draw",
    "Checkmate wins; a check may be answered by a drop. Stalemate is a draw. By our ruling a player who is not in check and has neither a legal move nor a legal drop is stalemated.",
    [
        "kept",
        "kept-drop",
        "kept-hand",
        "kept-stalemate",
        "broken",
        "broken-past",
        "broken-stalemate",
        "broken-stalemate-past"
    ];

    REPETITION, "OC-10", Ending, Seed,
    "White loses on the third occurrence of a position; Black does, if Black has done nothing but give check",
    "When a position (the same pieces on the same squares, the same side to move, the same hands) occurs for the third time, White loses at once. But if every move of Black since the second occurrence gave check, White wins. By our ruling a Gold, a promoted Pawn and a promoted Silver are different pieces: they look different on the board and turn back into different ones.",
    [
        "kept",
        "kept-golds",
        "kept-hands",
        "kept-perpetual",
        "kept-perpetual-late",
        "kept-quiet",
        "broken",
        "broken-past",
        "broken-perpetual",
        "broken-quiet"
    ];

    NO_COUNTS, "OC-11", Definition, Ruling,
    "No fifty-move rule, no dead position, no claims",
    "There is no fifty-move rule and no dead position, since no piece ever leaves the game, and no draw can be claimed. A fallen flag always loses.",
    [
        "kept",
        "kept-bare",
        "kept-counter",
        "kept-flag",
        "broken-claim",
        "broken-claim-threefold"
    ];
}
