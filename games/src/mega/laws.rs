//! MG: Mega-Chess and Recursive-Chess(N).

use overboard_rules::{
    rule,
    rule::{
        Page,
        Source::{Ruling, Seed},
    },
};

/// The number of the laws of Mega-Chess and Recursive Chess ([`super`]).
pub const LAWS: u32 = 2;

/// The page.
pub const PAGE: Page = Page {
    name: "megachess",
    title: "Mega-Chess and Recursive-Chess(N) (MG)",
    preface: "Chess whose pieces are games of chess, and so on inwards. The rules of level 1 hold at every level.",
    rules: &[
        &ARRAY,
        &TURN,
        &EIGHT,
        &OWN_BOARD,
        &STATES,
        &BOARD_ENDS,
        &MEGA_MOVE,
        &MEGA_CHECK,
        &PROMOTION,
        &KING_SAFE,
        &ANSWER,
        &MEGA_MATE,
        &AGREED,
        &DRAWS,
        &ORDER,
        &REPETITION,
        &DETAILS,
        &FREE_TURNS,
        &LEVELS,
        &NESTED_TURN,
        &SHARED,
    ],
};

rule!(
    ARRAY,
    "MG-1",
    Definition,
    Seed,
    "Thirty-two games of chess are the pieces of a game of chess",
    "The mega-board is 8x8 mega-squares A1 to H8, written with capital files. Each of the 32 mega-pieces of the regular array is itself a game of chess from the regular array, on a board of its own. On every board White's pieces are White's, whoever owns the mega-piece.",
    ["kept", "broken"]
);

rule!(
    TURN,
    "MG-2",
    Definition,
    Seed,
    "A turn is board moves or one mega-move",
    "A turn is either board moves or one mega-move, never both.",
    ["kept"]
);

rule!(
    EIGHT,
    "MG-3",
    Law,
    Seed,
    "Board moves are made on eight different boards, exactly eight if possible",
    "Board moves are a move on each of eight different boards, exactly eight if possible, each a legal chess move in that board's own game. By our ruling colours alternate on each board and White is first there, so a player moves only on boards where it is that player's move. The moves are made one after another in the order written, each taking effect at once. A turn stops short of eight when, and only when, no board not yet used in it offers the player a legal move, judged as the turn stands; where the tag Termination says that the game was stopped from outside, its last turn may stand unfinished. If the player is not in mega-check and some board is in play but none offers a move, the player may make a mega-move or pass, written `--`; a pass counts as a mega-move for MG-14. Wherever a pass is legal, lists of plies and `perft` hold it, beside mega-moves too. Option `turns=free`: MG-18.",
    [
        "kept",
        "kept-none",
        "kept-pass",
        "kept-stopped",
        "broken-nine",
        "broken-not-his",
        "broken-pass",
        "broken-short",
        "broken-twice"
    ]
);

rule!(
    OWN_BOARD,
    "MG-4",
    Definition,
    Seed,
    "A piece never leaves its board",
    "A chess piece stays on its own board. A mega-move carries the whole board along.",
    ["kept"]
);

rule!(
    STATES,
    "MG-5",
    Definition,
    Seed,
    "A mega-piece is neutral, armed, disarmed or, a king, dethroned",
    "A mega-piece is neutral while its game is being played, armed when its owner has won the game, disarmed when the game was drawn, and a mega-king is dethroned when its owner has lost the game.",
    ["kept"]
);

rule!(
    BOARD_ENDS,
    "MG-6",
    Law,
    Seed,
    "Checkmate arms or captures a mega-piece, a draw disarms it",
    "Checkmate on a board ends that board; nobody moves on it again. If it is the winner's own mega-piece, it becomes armed. If it is the loser's, it is captured and its mega-square becomes empty, except a mega-king, which stays, dethroned, and may never move again. A board drawn by stalemate or by any draw of FIDE disarms its mega-piece.",
    ["kept", "kept-stalemate", "broken"]
);

rule!(
    MEGA_MOVE,
    "MG-7",
    Law,
    Seed,
    "A mega-move is a chess move of a mega-piece; only armed ones capture",
    "A mega-move is a regular chess move of a mega-piece on the mega-board; its board goes with it. Neutral and disarmed mega-pieces move but do not capture. Armed ones capture armed or disarmed mega-pieces, never neutral ones. A dethroned king does not move. The board of a captured mega-piece leaves the game.",
    ["kept", "broken-dethroned", "broken-neutral", "broken-unarmed", "broken-way"]
);

rule!(
    MEGA_CHECK,
    "MG-8",
    Law,
    Seed,
    "Only armed mega-pieces give mega-check",
    "Only armed mega-pieces give check to a mega-king, whatever the king's own state. By our ruling kings are never captured, a king may stand beside an unarmed king or step next to it, and castling is as in regular chess in any state but dethroned: king and rook unmoved, the path between them empty, no square of the king's path attacked by an armed piece.",
    ["kept", "kept-castling", "broken-castling"]
);

rule!(
    PROMOTION,
    "MG-9",
    Law,
    Seed,
    "Only an armed mega-pawn promotes",
    "An armed mega-pawn that reaches the last rank becomes a mega-queen, -rook, -bishop or -knight and stays armed. A neutral or disarmed pawn may not enter the last rank. By our ruling pawns make the double step as usual, and only an armed pawn takes in passing, only an armed or disarmed pawn.",
    ["kept", "kept-passing", "broken-piece", "broken-unarmed"]
);

rule!(
    KING_SAFE,
    "MG-10",
    Law,
    Ruling,
    "No act of a turn leaves one's own mega-king in mega-check",
    "A turn must not leave one's own mega-king in mega-check. Each single board move is judged so too: a mate that removes a mega-piece shielding one's own mega-king is illegal. A board with only such moves offers none, and stays in play.",
    ["kept", "broken", "broken-mega"]
);

rule!(
    ANSWER,
    "MG-11",
    Law,
    Seed,
    "A mega-check is answered by a mega-move, and boards left in check are lost",
    "In mega-check a player must use the turn for a mega-move that ends it, and loses all boards on which that player is to move and in check after that move, with the effects of MG-6. By our ruling the mega-move must leave the player's mega-king safe after those effects.",
    ["kept", "broken-board", "broken-losses", "broken-stays"]
);

rule!(
    MEGA_MATE,
    "MG-12",
    Ending,
    Seed,
    "Mega-mate and mega-stalemate lose for the player to move",
    "A player wins by checkmating or stalemating the opponent's mega-king. By our ruling checkmate is mega-check and no legal mega-move, and stalemate is no mega-check, no board in play and no legal mega-move. Both lose for the player to move.",
    [
        "kept-mate",
        "kept-stalemate",
        "kept-whole-game",
        "kept-whole-game-stalemate",
        "broken-past",
        "broken-result"
    ]
);

rule!(
    AGREED,
    "MG-13",
    Law,
    Ruling,
    "A board agreed or claimed drawn is an item of the turn",
    "A board is won by checkmate or by MG-11 only; it cannot be resigned. A draw on a board, agreed or validly claimed, takes the place of the player's move on that board, written as its item `A2.1/2-1/2`. It must be the player's move there; it is one of the eight; at least one other item of the turn is a move; it never stands beside a mega-move and never in mega-check; MG-10 binds it; it acts in the order written. A turn is over with its eighth item, or as soon as no unused board offers a move; nothing stands after that, so a draw on a board that offers no move stands before the item that ends the turn. `[%claim …]` on such an item says why the board was drawn and is judged by that board's record; a wrong one makes the item illegal. Mate and stalemate (MG-12), lists of plies and `perft` leave draws out.",
    ["kept", "broken-alone", "broken-resigned"]
);

rule!(
    DRAWS,
    "MG-14",
    Ending,
    Ruling,
    "The mega-game is drawn when dead, by mega-moves in a row, by repetition",
    "The mega-game is dead when no board is in play and only the two mega-kings are left, both armed or both disarmed. A draw is claimable after a hundred mega-moves in a row, both sides together, with no board move, forfeit, capture or pawn move among them, and automatic after a hundred and fifty. It is claimable at the third and automatic at the fifth occurrence of the whole position.",
    ["kept", "kept-claim", "kept-count", "broken-past", "broken-result"]
);

rule!(
    ORDER,
    "MG-15",
    Definition,
    Ruling,
    "Endings are judged when a turn is complete, mega-mate first",
    "Mega-mate and mega-stalemate come first, then the draws. Endings are judged when a turn is complete, never inside one.",
    ["kept"]
);

rule!(
    REPETITION,
    "MG-16",
    Definition,
    Ruling,
    "Repetition compares all boards and all states",
    "Repetition of the whole position compares placement, side to move, castling rights and legal en passant on every board and the states of all mega-pieces, not the boards' own counters and histories. Positions are compared by digests of 128 bits.",
    ["kept"]
);

rule!(
    DETAILS,
    "MG-17",
    Law,
    Ruling,
    "Details of kings, forfeits and rights",
    "An armed king gives mega-check and guards squares. Several forfeits apply together and are judged once. MG-11 looks only at boards where the player is to move. A mega en-passant right lapses after the opponent's next turn of either kind. Mega-castling rights go when king or rook leaves its square, the rook is lost with its board, or the king is dethroned. At level N a turn on a board that would expose the own mega-king of level N is illegal there and does not make that board playable, nor does a board that could only be drawn by MG-13.",
    ["kept", "broken"]
);

rule!(
    FREE_TURNS,
    "MG-18",
    Law,
    Ruling,
    "Free turns: either player may move on a board",
    "Option `turns=free`, the other reading of \"a move on any eight of the chess boards\": on a board in play either player may move in their own turn, regardless of who moved there last, even if nobody has, so that Black may open a board; but never where the opponent's king stands in check or mega-check: that board waits for the opponent, while a turn that has begun there goes on. A player's move, and a board on which a player is to move or has the move, in MG-3, MG-13, MG-17 and MG-21 mean a board on which the player may move. The side to move in a board's FEN, and for its repetition, mate and stalemate, is the one that did not move there last, White if nobody has; its fullmove number grows after each Black move and its halfmove count with every move but captures and pawn moves, whoever makes it. Repetition and the fifty- and seventy-five-move counts follow from these, so one side alone can bring them about. En passant, that of mega-pawns on boards inside too, goes only against the last move or turn there. A board ends by the mate or stalemate of the side that did not move there last; that the other has no second move ends nothing. MG-11 takes every board on which the player's king is in check. At level N a turn on a board follows the option, a pass included.",
    [
        "kept",
        "kept-black-opens",
        "kept-mate",
        "kept-repetition",
        "kept-sub-turn",
        "broken",
        "broken-sub-turn"
    ],
    Option
);

rule!(
    LEVELS,
    "MG-20",
    Definition,
    Seed,
    "Recursive-Chess(N): pieces that are games of Recursive-Chess(N-1)",
    "Recursive-Chess(0) is chess and Recursive-Chess(1) is Mega-Chess. In Recursive-Chess(N) each mega-piece is a game of Recursive-Chess(N-1). Recursive-Chess(2) is Moser-Chess, Recursive-Chess(8) is Aleph-Chess.",
    ["kept", "broken"]
);

rule!(
    NESTED_TURN,
    "MG-21",
    Law,
    Ruling,
    "A move on a board of level 1 or more is a whole turn of its game",
    "At level N a move on a board is a whole legal turn of the game of Recursive-Chess(N-1) on it, checkmate on a board is winning that game, and in check on a board is being in mega-check there, in check where it is a board of chess. MG-1 to MG-17 hold at every level. A board of level 1 or more is won by whatever wins its game, mega-stalemate included, and drawn only by MG-13 or MG-14; the stalemate of MG-6 is that of chess.",
    ["kept", "kept-won", "broken"]
);

rule!(
    SHARED,
    "MG-22",
    Definition,
    Ruling,
    "Boards never touched exist only in principle",
    "A position holds the boards that were played on. All others stand as they began, whatever their number.",
    ["kept"]
);
