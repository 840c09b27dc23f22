//! SC: StrategiChess on linked boards.

use overboard_rules::{
    rule::{
        Page,
        Source::{Ruling, Seed},
    },
    rules,
};

/// The number of the laws of linked boards, of both editions ([`super`]).
pub const LAWS: u32 = 1;

/// The page.
pub const PAGE: Page = Page {
    name: "strategichess-linked",
    title: "StrategiChess on linked boards (SC)",
    preface: "Boards side by side, a team on each side of them, and pieces that cross from board to board. The pieces move as [on one board](strategichess.md). There are two editions of these rules. Without a tag the first edition (2003) is in force. `[Rules \"edition=2025\"]` declares the edition of 2025: SC-60 to SC-67 are then in force in place of SC-24 to SC-26, SC-29 and, in SC-23, the sentence marked \"edition 2003\".\n\n\
              **Source:** Alan Cartwright with Ali (Alastair) Taft, *StrategiChess* (2003), and the author's later edition, called \"the author's text\" below.",
    rules: RULES,
    rulings: &super::rulings::RULINGS,
};

rules! {
    RULES;

    LINKS, "SC-20", Definition, Seed,
    "Boards stand side by side, a team on each side",
    "Boards A, B, C and so on, any number, stand side by side; A is leftmost as White sees them. File n of a board touches file a of the next, rank to rank. On every board a player of White's team meets one of Black's; one person may hold several boards. White moves first on every board, the sides alternate there, and no board waits for another. By our ruling a ply happens when it is completed: plies on different boards take effect in that order; if two are completed at the same moment, the one written first takes effect first. Recorded times do not decrease.",
    [
        "kept",
        "kept-numbers",
        "kept-one-person",
        "broken-no-king",
        "broken-two-kings"
    ];

    CROSSING, "SC-21", Law, Seed,
    "A piece may move onto an adjoining board and stops on the first square it enters",
    "A piece other than the king may move onto an adjoining board along its normal line. The line on its own board must be clear, and the piece stops on the first square that it enters, on file a or n. By our ruling it may capture there, since the author lets a piece give check one square into the neighbouring board.",
    [
        "kept",
        "kept-left",
        "kept-rook-bishop",
        "broken-blocked",
        "broken-farther",
        "broken-line",
        "broken-not-adjoining",
        "broken-other-end"
    ];

    CROSSING_JUMP, "SC-21a", Law, Seed,
    "Knights cross from the edge file only; pawns sideways on a road or by a capture",
    "A knight on an edge file makes its normal jump across that edge and arrives one or two files in; by our ruling a knight that is one file away from the edge does not cross. A pawn crosses by a sideways step on a road, to an empty square, or by its diagonal capture forward. Nothing crosses two edges in one move.",
    [
        "kept-knight",
        "kept-pawn",
        "kept-pawn-capture",
        "broken-empty",
        "broken-file",
        "broken-knight",
        "broken-knight-jump",
        "broken-occupied",
        "broken-road",
        "broken-sideways"
    ];

    KING_STAYS, "SC-22", Law, Seed,
    "The king never leaves its board",
    "The king moves on its own board only. By our ruling it neither captures nor gives check across an edge.",
    ["kept", "broken", "broken-capture"];

    ARRIVAL, "SC-23", Definition, Seed,
    "A piece that has arrived belongs to that board's player",
    "A piece that has arrived belongs to the player of that board, who may send it back later. By our ruling the crossing is the sender's turn on the sender's own board and leaves the turn on the receiving board as it was (edition 2003; for 2025 see SC-60). A pawn that has crossed counts as having moved.",
    ["kept", "kept-pawn", "kept-turn"];

    KING_TAKEN, "SC-24", Permission, Seed,
    "A king may be captured while its team has another",
    "While its team has another king on the boards, a king may be captured like any piece. Play on its board continues. By our ruling such a king need not be moved out of attack and may step into it.",
    ["kept", "kept-attacked", "kept-edge", "kept-no-king"];

    LAST_KING, "SC-25", Law, Seed,
    "The last king of a team must be kept safe and cannot be captured",
    "The last king of a team cannot be captured; it is checkmated as in regular chess. By our ruling, for a team with one king left:\n\
     - a move from the king's own board must not leave the king attacked;\n\
     - a move from another board must not expose the king if it was not attacked before;\n\
     - no move may capture the king.\n\n\
     Attacks across an edge count. If a capture leaves a team its last king, this binds from the next ply.",
    [
        "kept",
        "kept-attacked-before",
        "kept-next-ply",
        "broken",
        "broken-captured",
        "broken-captured-over-the-edge",
        "broken-exposed",
        "broken-over-the-edge",
        "broken-steps-in",
        "broken-undecided"
    ];

    LAST_KING_MATED, "SC-26", Ending, Seed,
    "Checkmate of a team's last king wins",
    "A team whose last king is checkmated has lost. By our ruling this means, as in regular chess, that the king is attacked, its player is to move, and no legal move of that player leaves it unattacked. The help of a team-mate must have come before.",
    [
        "kept",
        "kept-not-to-move",
        "kept-over-the-edge",
        "kept-team-mate",
        "kept-two-kings",
        "broken",
        "broken-past",
        "broken-rescue"
    ];

    PASS, "SC-27", Law, Ruling,
    "A player without a legal move passes",
    "A player who has no legal move on their board and is not mated passes, written `--`. Only then may a player pass. The author says that a board does not halt and that the player must play on.",
    [
        "kept",
        "kept-stalemate",
        "broken",
        "broken-check",
        "broken-king-gone"
    ];

    COUNT, "SC-28", Ending, Ruling,
    "Kings may be counted after 100 plies on every open board without a capture, and are counted after 150",
    "On linked boards there is no draw by fifty moves or by repetition; the author gives those for the single board. If every open board has seen a hundred plies since the last capture on any board, either captain may have the kings counted (SC-30); a record states this with `[%claim kings]`. After a hundred and fifty plies they are counted. Removing a king from the board starts the count again, as a capture does.",
    [
        "kept",
        "kept-capture",
        "kept-claimed",
        "kept-closed",
        "kept-counted",
        "kept-equal",
        "kept-hundred",
        "kept-repetition",
        "broken",
        "broken-claim",
        "broken-past"
    ];

    TEAM_END, "SC-29", Ending, Ruling,
    "A team resigns or agrees a draw as a whole",
    "Only the team as a whole resigns or agrees a draw, through its captain. A single player cannot do so.",
    ["kept", "kept-draw", "broken", "broken-result"];

    TIME, "SC-30", Definition, Seed,
    "When time ends the game, the team with more kings wins",
    "If time ends the game early, the team with more kings on its boards wins. By our ruling equal numbers are a draw. Kings are counted in the position after the last move completed at or before that time. A king under attack counts, and so does one that would only be mated by a move that was not completed. A single board that ends so is scored in the same way, unless a flag fell first.",
    ["kept", "kept-draw", "kept-one-board"];

    DETAILS, "SC-31", Definition, Ruling,
    "Attack takes no account of turns or pins; a move belongs to the board from which it is made",
    "Attack takes no account of turns or pins, and it reaches across an edge as pieces move across it; kings of neighbouring boards never attack each other. A move on a board is one made from it. If a last king is attacked while the opponent is to move on its board, it stays attacked until its player is to move: no piece may capture it. If one ply mates both teams, the team that made it wins.",
    ["kept", "kept-both", "kept-kings", "kept-waits"];

    CLOSING, "SC-32", Law, Ruling,
    "A board on which neither side would have a move is closed",
    "A board is closed if neither side would have a move there if it were to move. This is judged again after every ply. An arrival, or a change on an adjoining board, opens it again. Nobody passes on a closed board. A board on which a last king is attacked is never closed: the attacker passes.",
    ["kept", "kept-attacked", "broken"];

    ORDER_OF_ENDS, "SC-33", Definition, Ruling,
    "Mate comes before closed boards and counting",
    "Linked boards end by themselves in this order: the mate of a last king; then all boards closed, or the hundred and fifty plies of SC-28, and the kings are counted. There is no dead position and no draw by stalemate.",
    ["kept", "kept-bare", "kept-closed", "kept-stalemate"];

    COUNTERS, "SC-34", Definition, Ruling,
    "A board's halfmove field counts its plies since the last capture on any board",
    "The halfmove field of a board counts the plies made from it since the last capture, or the last removal of a king, on any board; so a capture resets all of these fields. In the edition of 2025 a ply that uses the turns of two boards counts on both.",
    ["kept", "kept-both-boards"];

    FALLEN, "SC-35", Ending, Ruling,
    "A player whose flag falls loses the king",
    "The king of a player whose flag falls leaves the board; if it has gone already, nothing more leaves. If it was the team's last, the team has lost. Otherwise the player passes in every turn, and the opponent plays on. With the option `flag=end` the first flag to fall ends play on all boards, and kings are counted without that king. Removing the king starts the counts again, and everything is judged as after a ply of the other team. A player whose flag has fallen counts as having no move when a board is judged closed. (The reason for playing on: counting at once would reward the team ahead for letting its own flag fall.)",
    [
        "kept",
        "kept-end",
        "kept-gone",
        "kept-last",
        "broken",
        "broken-end",
        "broken-last"
    ];

    SCORE, "SC-36", Law, Ruling,
    "Score and game points count the kings of the final position",
    "The tag Score and the game points count the kings of the final position. A last king that is mated counts 0, and so do the kings of a team that resigned or broke SC-42.",
    ["kept", "kept-resigned", "broken", "broken-taken"];

    ATTEMPTS, "SC-37", Ending, Ruling,
    "Too many illegal attempts cost a player the king",
    "On linked boards the illegal attempts of GEN-9 are counted for each player, on all boards that the player holds together. The second attempt, or the Nth with the option `illegal=N`, has the effect of a fallen flag (SC-35):\n\
     - the king of the board on which it was made leaves, and its player passes there from then on;\n\
     - if that king was the team's last, the team has lost;\n\
     - with the option `flag=end`, play ends on all boards and kings are counted.\n\n\
     An attempt that names its board, as in `A.Nf9`, counts there; one recorded after the number of a ply counts on that ply's board, and any other on the board of the last ply, for the side to move there. (The reason: GEN-9 and GEN-10 treat illegal attempts and fallen flags alike, and SC-35 settles what a fallen flag means to one player of a team.)",
    ["kept", "kept-end", "kept-last", "broken"];

    SET_UP_MATED, "SC-38", Definition, Ruling,
    "A match has two boards or more; a mated king in a set-up position is removed",
    "One board is the single game; a match of linked boards has two or more, any number of them. In the edition of 2025 a set-up position may have a mated king that is not its team's last. That king is removed at once (SC-63), but only if its side is to move; several are removed in the order of the boards, White's first. A note reports it.",
    ["kept"];

    ORDERS, "SC-40", Law, Seed,
    "A captain passes on only written instructions of one form",
    "A captain, playing or not, may pass on only written instructions of this form: `Team Player \"A\" send (specified pieces, or \"reinforcements\") to Team Player \"B\".` The boards of A and B need not adjoin. By our ruling the words are binding, the punctuation is not. In the fixed words, these are only reported:\n\
     - other capitals, and other spaces (the end of a line is a space);\n\
     - quotation marks of another kind, or none around a plain name (one word of letters and digits, with hyphens and apostrophes);\n\
     - another sign than the full stop, or none.\n\n\
     A sign inside the quotation marks of a name (`\"Bob.\"`), and quotation marks and brackets around the pieces or parts of them, do not matter.\n\n\
     The pieces are `reinforcements` alone, with or without quotation marks, or a list whose items are joined by commas, `and` or `&`, in capitals or small letters. An item has these parts, in this order, of which only the piece is required:\n\
     - `all`, `both`, `some` or `any`;\n\
     - `a`, `an`, `the` or `your`;\n\
     - a number, in figures or in words;\n\
     - `of`;\n\
     - `the` or `your`;\n\
     - a piece, by its name, singular or plural, or by its letter (a Rook also as Castle);\n\
     - `on` or `at`, and squares of the sender's board.\n\n\
     Such items are `2 Knights and a Pawn`, `all of your Pawns`, `the Knight on n5` and `Nn5`. Any further word makes the text another communication (SC-42).\n\n\
     An instruction of the right form that cannot be carried out (a player who is unknown or of the other team, the same player twice, a king, pieces or a square that the sender does not have) is reported and not punished.",
    ["kept", "kept-pieces", "broken", "broken-after"];

    ORDERS_FREE, "SC-41", Permission, Seed,
    "A player may disregard an instruction",
    "An instruction need not be followed. It is kept, and shown to the other captain after the game.",
    ["kept"];

    OTHER_WORDS, "SC-42", Ending, Seed,
    "Any other communication loses the game",
    "Any communication other than an instruction of the form of SC-40 loses the game for the team, by an infraction of the rules (the tag Termination: `rules infraction`). By our ruling:\n\
     - A communication is the text of an instruction, or what an arbiter records as `[%infraction W SC-42 \"…\"]`. Comments, variations, a resignation or an agreement of the team (SC-29), and anything after the end of the game do not count.\n\
     - Instructions are judged when the game is over. Moves made after an offence are judged like any others, and the result at the end is the loss. In a record that just stops, with `*`, the offence is reported and nothing is decided yet.\n\
     - If both teams offend, the first offence in the record decides.",
    ["kept", "broken", "broken-both"];

    SUBSTITUTES, "SC-43", Permission, Ruling,
    "Players are substituted only where the event allows it",
    "A player may be replaced by another only if the regulations of the event allow it.",
    ["kept"];

    BOTH_TURNS, "SC-60", Law, Seed,
    "A crossing uses the turns of both boards",
    "A crossing also uses up the receiving player's turn: it is legal only when it is that team's turn on the receiving board too, and afterwards the turn passes on both.",
    ["kept", "broken"], Option;

    RECEIVER_IN_CHECK, "SC-61", Law, Seed,
    "No crossing onto a board whose king is in check",
    "No piece may cross onto a board on which the receiving player's king is in check.",
    ["kept", "broken"], Option;

    EVERY_KING, "SC-62", Law, Seed,
    "Every king is kept safe as in regular chess",
    "A player may not leave or place the king of their own board in check. Nor may a team-mate's move expose that king by crossing, by leaving, or by opening a line across an edge. A king that is already in check on another board may be left so by a move elsewhere.",
    ["kept", "broken", "broken-exposes"], Option;

    KING_REMOVED, "SC-63", Law, Seed,
    "A mated king that is not the last is removed, never captured",
    "A king is checkmated if it is attacked, its side is to move on its board, and no legal move on that board escapes. A checkmated king that is not its team's last is removed at once, and the player who lost it makes the next move on that board. By our ruling kings are never captured by a move, and rescue by a team-mate does not count.",
    ["kept", "kept-rescue", "broken"], Option;

    LAST_MATE, "SC-64", Ending, Seed,
    "The mate of the last king wins",
    "A team whose last king is mated has lost.",
    ["kept", "broken", "broken-result"], Option;

    NO_RESIGNATION, "SC-65", Law, Seed,
    "Nobody resigns",
    "Resignation is not permitted; a player who stops is replaced.",
    ["kept", "broken"], Option;

    SEVERAL_MATES, "SC-66", Definition, Ruling,
    "Several mated kings are removed one at a time",
    "If one ply mates several kings, they are removed one at a time, those of the mover's opponents first, in the order of the boards from A on; everything is judged again after each. If the mated king is its team's last, the game ends there. A team-mate's ply that takes away a king's only escape is legal, and SC-63 applies at once.",
    ["kept", "kept-escape", "kept-last"], Option;

    LATER_DETAILS, "SC-67", Definition, Ruling,
    "Details of the 2025 edition",
    "SC-61 considers only the receiving player's own king; a board without one never forbids a crossing. A piece across the edge gives check even if it could not cross just now. Ownership, pawns that have crossed, passing, closing and counting are as in the edition of 2003.",
    ["kept", "kept-check"], Option;
}
