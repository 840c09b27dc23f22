//! MG: Mega-Chess and Recursive-Chess(N).

use overboard_rules::{
    rule::{
        Page,
        Source::{Ruling, Seed},
    },
    rules,
    variant::LawsChange,
};

/// The number of the laws of Mega-Chess and Recursive Chess ([`super`]).
pub const LAWS: u32 = 2;

/// What they changed.
pub static CHANGES: [LawsChange; 1] = [LawsChange {
    laws: 2,
    rules: &[&EIGHT],
    ends: &[],
    says: "a legal pass is listed and counted wherever it is legal",
}];

/// The page.
pub const PAGE: Page = Page {
    name: "megachess",
    title: "Mega-Chess and Recursive-Chess(N) (MG)",
    preface: "Chess whose pieces are games of chess, and so on inwards. The rules of level 1 (Mega-Chess) hold at every level.\n\n\
              **Source:** David Howe, *Mega-Chess* (2001; chessvariants.com), called \"the author's text\" below.",
    rules: RULES,
    rulings: &super::rulings::RULINGS,
};

rules! {
    RULES;

    ARRAY, "MG-1", Definition, Seed,
    "Thirty-two games of chess are the pieces of a game of chess",
    "The mega-board is 8x8 mega-squares, A1 to H8, written with capital files. Each of the 32 mega-pieces of the regular starting position is itself a game of chess, from the regular starting position, on a board of its own. On every board White's pieces are White's, whoever owns the mega-piece.",
    ["kept", "broken"];

    TURN, "MG-2", Definition, Seed,
    "A turn is board moves or one mega-move",
    "A turn is either board moves or one mega-move, never both.",
    ["kept"];

    EIGHT, "MG-3", Law, Seed,
    "Board moves are made on eight different boards, exactly eight if possible",
    "Board moves are one move on each of eight different boards, each a legal chess move there; exactly eight if possible. By our ruling:\n\
     - *Order.* White moves first on every board and colours alternate there, so a player moves only on boards where it is that player's move (with `turns=free`: MG-18). The moves are made one after another in the order written, and each takes effect at once.\n\
     - *Short turns.* A turn stops before eight if, and only if, no board not yet used in it offers the player a legal move at that point.\n\
     - *Interrupted games.* If the tag Termination says that the game was stopped from outside, or the record is judged so far (`--so-far`), its last turn may be unfinished.\n\
     - *Passing.* If the player is not in mega-check and some board is in play but none offers a move, the player may make a mega-move or pass, written `--`. A pass counts as a mega-move for MG-14. Lists of plies and `perft` include a pass wherever it is legal, even next to mega-moves.",
    [
        "kept",
        "kept-none",
        "kept-pass",
        "kept-stopped",
        "broken-nine",
        "broken-not-to-move",
        "broken-pass",
        "broken-short",
        "broken-twice"
    ];

    OWN_BOARD, "MG-4", Definition, Seed,
    "A piece never leaves its board",
    "A chess piece stays on its own board. A mega-move carries the whole board along.",
    ["kept"];

    STATES, "MG-5", Definition, Seed,
    "A mega-piece is neutral, armed, disarmed or, a king, dethroned",
    "A mega-piece is neutral while its game is being played, armed when its owner has won the game, disarmed when the game was drawn, and a mega-king is dethroned when its owner has lost the game.",
    ["kept"];

    BOARD_ENDS, "MG-6", Law, Seed,
    "Checkmate arms or captures a mega-piece, a draw disarms it",
    "Checkmate on a board ends that board; nobody moves on it again. If it is the winner's own mega-piece, it becomes armed. If it is the loser's, it is captured and its mega-square becomes empty; but a mega-king stays, dethroned, and may never move again. A board drawn by stalemate, or by any draw of FIDE, disarms its mega-piece.",
    ["kept", "kept-stalemate", "broken"];

    MEGA_MOVE, "MG-7", Law, Seed,
    "A mega-move is a chess move of a mega-piece; only armed ones capture",
    "A mega-move is a regular chess move of a mega-piece on the mega-board; its board goes with it. Neutral and disarmed mega-pieces move but do not capture. Armed ones capture armed or disarmed mega-pieces, never neutral ones. A dethroned king does not move. The board of a captured mega-piece leaves the game.",
    [
        "kept",
        "broken-dethroned",
        "broken-neutral",
        "broken-unarmed",
        "broken-way"
    ];

    MEGA_CHECK, "MG-8", Law, Seed,
    "Only armed mega-pieces give mega-check",
    "Only armed mega-pieces give check to a mega-king, whatever the king's own state. By our ruling kings are never captured, and a king may stand beside an unarmed king or step next to it. Castling is as in regular chess, in any state but dethroned: king and rook have not moved, the path between them is empty, and no square of the king's path is attacked by an armed piece.",
    ["kept", "kept-castling", "broken-castling"];

    PROMOTION, "MG-9", Law, Seed,
    "Only an armed mega-pawn promotes",
    "An armed mega-pawn that reaches the last rank becomes a mega-queen, mega-rook, mega-bishop or mega-knight and stays armed. A neutral or disarmed pawn may not enter the last rank. By our ruling pawns make the double step as usual; only an armed pawn captures en passant, and only an armed or disarmed pawn can be captured so.",
    ["kept", "kept-passing", "broken-piece", "broken-unarmed"];

    KING_SAFE, "MG-10", Law, Ruling,
    "No move of a turn leaves one's own mega-king in mega-check",
    "A turn must not leave one's own mega-king in mega-check. Each single board move is judged so too: a mate that removes a mega-piece shielding one's own mega-king is illegal. A board that has only such moves offers none, and stays in play.",
    ["kept", "broken", "broken-mega"];

    ANSWER, "MG-11", Law, Seed,
    "A mega-check is answered by a mega-move, and boards left in check are lost",
    "In mega-check a player must use the turn for a mega-move that ends it. The player then loses all boards on which that player is to move and in check after the mega-move, with the effects of MG-6. By our ruling the mega-move must leave the player's mega-king safe after those effects.",
    ["kept", "broken-board", "broken-losses", "broken-stays"];

    MEGA_MATE, "MG-12", Ending, Seed,
    "Mega-mate and mega-stalemate lose for the player to move",
    "A player wins by checkmating or stalemating the opponent's mega-king. By our ruling checkmate means mega-check and no legal mega-move; stalemate means no mega-check, no board in play and no legal mega-move. Both lose for the player to move.",
    [
        "kept-mate",
        "kept-stalemate",
        "kept-whole-game",
        "kept-whole-game-stalemate",
        "broken-past",
        "broken-result"
    ];

    AGREED, "MG-13", Law, Ruling,
    "A draw on a board, agreed or claimed, is an item of the turn",
    "A board is won only by checkmate or by MG-11; it cannot be resigned. A draw on a board, agreed or correctly claimed, takes the place of the player's move there and is written as its item of the turn, `A2.1/2-1/2`. Such an item is legal if:\n\
     - it is the player's move on that board, and the item is one of the eight;\n\
     - at least one other item of the turn is a move;\n\
     - the turn is not a mega-move, and the player is not in mega-check;\n\
     - it does not break MG-10.\n\n\
     It takes effect in the order written. A turn is over with its eighth item, or as soon as no unused board offers a move, and nothing may follow; so a draw on a board that offers no move must come before the item that ends the turn. `[%claim …]` on the item says why the board was drawn and is judged by that board's history; a wrong claim makes the item illegal. Mate and stalemate (MG-12), lists of plies and `perft` take no account of such draws.",
    ["kept", "broken-alone", "broken-resigned"];

    DRAWS, "MG-14", Ending, Ruling,
    "The mega-game is drawn when dead, by mega-moves in a row, by repetition",
    "The mega-game is dead if no board is in play and only the two mega-kings are left, both armed or both disarmed. A draw may be claimed after a hundred mega-moves in a row, both sides together, with no board move, forfeit, capture or pawn move among them; after a hundred and fifty the game is drawn at once. A draw may be claimed at the third occurrence of the whole position; at the fifth the game is drawn at once.",
    [
        "kept",
        "kept-claim",
        "kept-count",
        "broken-past",
        "broken-result"
    ];

    ORDER, "MG-15", Definition, Ruling,
    "Endings are judged when a turn is complete, mega-mate first",
    "Mega-mate and mega-stalemate come first, then the draws. Endings are judged when a turn is complete, never inside one.",
    ["kept"];

    REPETITION, "MG-16", Definition, Ruling,
    "Repetition compares all boards and all states",
    "Repetition of the whole position compares the placement, side to move, castling rights and legal en passant on every board, and the states of all mega-pieces. It does not compare the boards' own counters and histories.",
    ["kept"];

    DETAILS, "MG-17", Law, Ruling,
    "Details of kings, forfeits and rights",
    "- An armed king gives mega-check and guards squares.\n\
     - Several forfeits under MG-11 apply together and are judged once. MG-11 considers only boards on which the player is to move.\n\
     - A mega en passant right lapses after the opponent's next turn of either kind.\n\
     - Mega-castling rights are lost when king or rook leaves its square, the rook is lost with its board, or the king is dethroned.\n\
     - At level N a turn on a board that would expose the player's mega-king of level N is illegal there and does not make that board playable; nor is a board playable that could only be drawn by MG-13.",
    ["kept", "broken"];

    FREE_TURNS, "MG-18", Law, Ruling,
    "Free turns: either player may move on a board",
    "Option `turns=free`, the other reading of the author's \"a move on any eight of the chess boards\":\n\
     - *Who may move.* In their own turn either player may move on any board in play, whoever moved there last, and even if nobody has; so Black may open a board.\n\
     - *Exception.* A board waits for the opponent if the opponent's king there is in check or mega-check. A turn that has begun on the board is completed.\n\
     - *Words.* In MG-3, MG-13, MG-17 and MG-21 \"the player's move\" on a board, or being \"to move\" there, means that the player may move there.\n\
     - *FEN.* The side to move on a board, also for its repetition, mate and stalemate, is the one that did not move there last (White, if nobody has). The fullmove number grows after each move by Black. The halfmove count grows with every move except captures and pawn moves, whoever makes it. So one side alone can bring about a repetition, or the fifty- or seventy-five-move draw.\n\
     - *En passant*, including that of mega-pawns on inner boards, is possible only against the last move or turn on that board.\n\
     - *End of a board.* Mate or stalemate of the side that did not move there last ends a board. That the other side has no second move does not.\n\
     - *MG-11* applies to every board on which the player's king is in check.\n\
     - At level N the option also applies to turns on inner boards, passes included.\n\n\
     For example, `1. <A1.e4 …>` may be followed in White's next turn by another White move on A1 if Black has not moved there and Black's king is not in check.",
    [
        "kept",
        "kept-black-opens",
        "kept-mate",
        "kept-repetition",
        "kept-sub-turn",
        "broken",
        "broken-sub-turn"
    ], Option;

    LEVELS, "MG-20", Definition, Seed,
    "Recursive-Chess(N): pieces that are games of Recursive-Chess(N-1)",
    "Recursive-Chess(0) is chess and Recursive-Chess(1) is Mega-Chess. In Recursive-Chess(N) each mega-piece is a game of Recursive-Chess(N-1). Recursive-Chess(2) is Moser-Chess, Recursive-Chess(8) is Aleph-Chess.",
    ["kept", "broken"];

    NESTED_TURN, "MG-21", Law, Ruling,
    "A move on a board of level 1 or more is a whole turn of its game",
    "At level N a move on a board is a whole legal turn of the game of Recursive-Chess(N-1) on it. \"Checkmate on a board\" then means winning that game, and \"in check on a board\" means being in mega-check there (or in check, if it is a board of chess). MG-1 to MG-17 hold at every level. A board of level 1 or more is won by whatever wins its game, mega-stalemate included, and drawn only by MG-13 or MG-14; the stalemate of MG-6 is that of chess.",
    ["kept", "kept-won", "broken"];

    SHARED, "MG-22", Definition, Ruling,
    "A position lists only boards that have been played on",
    "A position holds the boards that were played on. All others are as they began, however many they are.",
    ["kept"];
}
