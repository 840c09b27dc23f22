//! OV: Overchess.

use overboard_rules::{
    rule::{
        Page,
        Source::{Ruling, Seed},
    },
    rules,
};

/// The number of the laws of Overchess of any depth ([`super`]).
pub const LAWS: u32 = 2;

/// The page.
pub const PAGE: Page = Page {
    name: "overchess",
    title: "Overchess (OV)",
    preface: "Chess in which a capture must be fought for. Each piece of the outer board (an *over-piece*) except the king commands a *sub-set*, a full army of sixteen. When an over-piece moves to a square held by an enemy over-piece, nothing is captured yet: the two armies play a game of chess, the *sub-game*, in which the attacker has White. The winner's over-piece holds the square and keeps only its surviving sub-pieces for the next fight; the loser's leaves the board. A team has a Commander, who plays the over-game, and Lieutenants, who play the sub-games. Options add prisoners (OV-21), consolidation (OV-22), reserves (OV-23), fog (OV-30) and depth (OV-40), at which the sub-games are themselves games of Overchess.\n\n\
              In `1. e4 d5 2. exd5 <d5: … 1-0>` White's e-pawn attacks d5. The block holds the sub-game; the attacker won it, so the pawn is on d5 with what is left of its army, and Black's d-pawn is gone. With `0-1` Black's pawn would hold d5 and White's would be gone.\n\n\
              **Source:** eHyde, *Overchess* (2024), called \"the author's text\" below.",
    rules: RULES,
    rulings: &super::rulings::RULINGS,
};

rules! {
    RULES;

    OVER_GAME, "OV-1", Definition, Seed,
    "Over-pieces stand for sub-sets of sixteen pieces",
    "A game is played by two teams of up to sixteen players. Each side's Commander plays the over-game, regular chess on the over-board. Every over-piece except the king stands for a sub-set of sixteen sub-pieces: 8 pawns, 2 rooks, 2 knights, 2 bishops, queen, king. A Lieutenant leads it. The over-king has no sub-set.",
    ["kept"];

    ATTACK, "OV-2", Law, Seed,
    "A move onto an enemy over-piece is settled by a sub-game",
    "When an over-piece moves onto a square held by an enemy over-piece, nothing is captured yet: their Lieutenants play a sub-game. The winner's over-piece holds the square, the loser's leaves the board.",
    ["broken", "kept"];

    DEPLETION, "OV-3", Law, Seed,
    "Sub-pieces lost stay lost",
    "The winner's sub-set keeps only its survivors. By our ruling a promoted sub-piece counts as the pawn it was: after the sub-game it is a pawn again, and if it is captured, a pawn is lost. In positions a promoted sub-piece of an open sub-game is written with `~`. Every sub-set always keeps its king.",
    ["broken", "kept"];

    SET_UP, "OV-4", Law, Seed,
    "Sub-pieces start on squares regular for their kind",
    "Each remaining sub-piece starts on a square that is regular for its kind: pawns anywhere on the second rank, bishops on c or f, knights on b or g, rooks on a or h, the queen on d, the king on e. The attacker sets up first, then the defender. The attacker moves first, whatever the colour of the attacker's pieces. By our ruling records show the attacker as White, and the FEN of a set-up has the counters `0 1` and no en passant square, at every depth.",
    ["broken", "broken-counters", "kept"];

    SUB_GAME, "OV-5", Law, Ruling,
    "The sub-game is regular chess from its set-up",
    "Castling is possible with a rook that was set up on its corner. Pawns anywhere on the second rank may make a double step.",
    ["broken", "kept"];

    DRAWN, "OV-6", Definition, Ruling,
    "A drawn sub-game: the attack fails",
    "After a drawn sub-game (any draw of FIDE or an agreement) both sides keep their survivors, and the attacker goes back to the square from which it came. If that square is no longer free, the attacker is removed. With the option `subdraw=defender` the attacker is removed in any case, with `subdraw=both` both are.",
    ["kept"];

    KING, "OV-7", Permission, Ruling,
    "The over-king captures without a sub-game",
    "The over-king captures as in regular chess: it has no sub-set, and the sub-set of the captured over-piece is not used. Over-pieces do not capture kings.",
    ["kept"];

    AS_IF, "OV-8", Definition, Ruling,
    "Over-moves are judged as if every attack succeeded",
    "An over-move is legal if it would be legal in regular chess with every attack succeeding. So a check may be parried by an attack.",
    ["kept"];

    KING_FALLS, "OV-9", Ending, Ruling,
    "The king falls",
    "An attack is judged as if it succeeds (OV-8). If, once its sub-game is settled, the over-king of the attacking side is attacked and the opponent is to move, the attacking side loses at once. This is judged after prisoners have been taken and spares put in.",
    ["broken", "kept"];

    IN_PASSING, "OV-10", Definition, Ruling,
    "En passant is an attack",
    "A sub-game is played between the two pawns. If the defender wins it, the defender's pawn stays where it is and the attacker is removed.",
    ["kept"];

    PROMOTION, "OV-11", Definition, Ruling,
    "Promotion changes the over-piece, not its sub-set",
    "Promotion on the over-board changes the over-piece, not its sub-set. A pawn that promotes by an attack does so only if the sub-game is won.",
    ["kept"];

    REGULAR, "OV-12", Ending, Ruling,
    "Castling, check, mate, stalemate and draws as in regular chess",
    "Repetition compares sub-sets too. For the fifty-move rule a sub-game counts as a capture if an over-piece left the board or a sub-piece was captured in it, at any depth. An attack that was drawn without any capture resets nothing, even if a pawn made it: the count goes up by one (under fog: OV-35). A position is dead if it is on the list of GEN-3 and nothing is contested.",
    ["broken", "kept"];

    ROLES, "OV-13", Law, Seed,
    "Roles: who plays a sub-game",
    "One player may lead several over-pieces (for example all of one kind), players may rotate, and the Commander may be several people. A record may state who leads each over-piece; if it says nothing, anybody may play. The first of these that applies decides:\n\
     - the player named for the square on which the over-piece begins (`d1`);\n\
     - the player named for its kind (`P`);\n\
     - the players named for `*`, who take their sub-games in turn;\n\
     - the Commander.\n\n\
     Promotion does not change who leads an over-piece. In a game from a set-up position the square and the kind are those of that position, even if the over-piece is on a contested square there. In the record of a sub-game White is the attacker, so the tag White names the player of the attacker's team, whatever its colour. By our ruling a sub-game played by someone whom the record does not entitle still counts: it is reported as an infraction, not as an illegal move.",
    ["broken", "kept"];

    STRENGTH, "OV-14", Definition, Seed,
    "Strength of an over-piece",
    "A strength may be shown for each over-piece: by our ruling its roster, and points (P 1, N 3, B 3, R 5, Q 9). A full sub-set has 39.",
    ["kept"];

    ORDER, "OV-15", Definition, Ruling,
    "Order of endings",
    "If several endings apply, they come in this order: the fall of the king; mate and stalemate; dead position, fivefold repetition, seventy-five moves. A player who is not in check and has no over-move, but can consolidate, is not stalemated. A sub-game may be dead at its set-up: it is then drawn with no move played, and settled like any other.",
    ["kept", "kept-dead"];

    SUB_RESULT, "OV-16", Law, Ruling,
    "The recorded result of a sub-game, and what a drawn attack leaves",
    "If the moves of a sub-game do not end it, its recorded result is due to a resignation, an agreement, a claim, a fallen flag or too many illegal attempts. If they do end it, the recorded result must agree.\n\n\
     A drawn attack was no move: castling rights and the right to a double step are as before it, while a right to capture en passant lapses. A defender that survived keeps its rights. An over-piece captured by a king without a sub-game (OV-7) leaves no prisoners.",
    ["broken", "kept"];

    REPETITION, "OV-17", Ending, Ruling,
    "What repetition compares",
    "Repetition compares the kind, colour, place and roster of every over-piece, the spares left, and the contested squares.",
    ["broken", "kept"];

    LIMIT, "OV-20", Law, Seed,
    "No sub-set exceeds a complete one",
    "No sub-set may ever have more than 8 pawns, 2 rooks, 2 knights, 2 bishops, a queen and a king.",
    ["broken", "kept"];

    PRISONERS, "OV-21", Law, Seed,
    "Prisoners",
    "Option `prisoners`: the winner of a sub-game may take surviving pieces of the loser to replace its own lost ones, including those lost earlier. What does not fit is lost. By our ruling the winner takes all that fit unless the record says which, in one ply, or none with `done`; after a drawn sub-game nobody takes any. `<prisoners 0>` says that none are taken. It may be written after any sub-game that has a winner, even if nobody could be taken.",
    ["broken", "broken-drawn", "kept", "kept-nobody"], Option;

    CONSOLIDATION, "OV-22", Law, Seed,
    "Consolidation",
    "Option `consolidation`: instead of an over-move, an over-piece other than the king is removed, and its sub-pieces are handed to other sub-sets of its side. The player chooses which goes where, but every sub-piece for which some other sub-set has room must be handed over. Only those that fit nowhere are lost; its king always is. By our ruling a consolidation is illegal if it would leave the player's own over-king in check, or if the over-piece is contested; contested sub-sets have no room.",
    ["broken", "kept"], Option;

    RESERVES, "OV-23", Law, Seed,
    "Reserves",
    "Option `reserves`: each sub-set, or each team, has an agreed number of spare pieces. A spare may be added to a sub-set at the end of its sub-game or before its next over-move, within OV-20.",
    ["broken", "kept"], Option;

    CONSOLIDATED, "OV-24", Law, Ruling,
    "What a consolidation counts as",
    "A consolidation resets the fifty-move count, and counts as the next over-move for OV-30. A record may leave out sub-pieces that can be distributed in one way only; the reader completes it. If those left out could go more than one way, the consolidation is refused as ambiguous and the ways are named. What is left out is never lost while there is room.",
    ["broken", "kept"], Option;

    MOMENTS, "OV-25", Law, Ruling,
    "When spares come in",
    "A spare may come in at two moments only: right after a sub-game, once prisoners have been taken, for an over-piece that survived it; and as part of the ply in which that over-piece moves, before the move. Castling counts as a move of the king, which has no sub-set, so no spare can come in with it. Reserves are declared at the top level only; at depth 2 and more a spare brings a complete sub-set.",
    ["broken", "kept"], Option;

    FOG, "OV-30", Law, Seed,
    "Fog of war: contested squares",
    "Option `fog`: a sub-game is played only after the opponent's next ply is completed, which is an over-move or, in its place, a consolidation. Until then the square is contested: it blocks movement and cannot be entered or attacked again.",
    ["broken", "kept"], Option;

    LOCKED, "OV-31", Law, Ruling,
    "Pieces on a contested square are locked",
    "Under fog both pieces on a contested square are locked: neither can move, consolidate or capture. For check, the square counts as held by the attacker: the attacker gives check from it, the defender gives none. The side that answers a contested attack must leave its over-king safe in every outcome of that attack: won, lost and drawn.",
    ["broken", "kept"], Option;

    FOG_ORDER, "OV-32", Law, Seed,
    "Order of settlement under fog",
    "Under fog the order is:\n\
     - A attacks.\n\
     - B makes an over-move, which may itself be an attack.\n\
     - A's sub-game is played and settled.\n\
     - A makes the next over-move.\n\
     - If B's over-move was an attack, its sub-game is played and settled; and so on.\n\n\
     A side that is in check after a sub-game is settled must answer the check with its next over-move.",
    ["broken", "kept"], Option;

    WAY_BACK, "OV-33", Definition, Ruling,
    "No way back",
    "If the square from which an attacker came has been occupied meanwhile, a drawn sub-game removes the attacker.",
    ["kept"], Option;

    UNMATED, "OV-34", Definition, Ruling,
    "An attack that leaves no answer is settled at once",
    "If an attack under fog leaves the opponent neither a legal over-move nor a legal consolidation, it is settled at once, and the end is judged afterwards with the same side to move. So an attack that fails may undo the mate.",
    ["kept"], Option;

    FOG_DETAILS, "OV-35", Definition, Ruling,
    "En passant and promotion under fog",
    "En passant under fog contests both the target square and the square of the attacked pawn; for check, that pawn counts as gone. A pawn that promotes by an attack gives check as the new piece, and is a pawn again if the sub-game is drawn. The attacking over-move resets the fifty-move count.",
    ["kept"], Option;

    DEPTH, "OV-40", Law, Seed,
    "Sub-games that are Overchess themselves",
    "Option `depth=D` (default 1): Overchess(0) is chess. In Overchess(D) the sub-games are games of Overchess(D-1), and every sub-piece but the king stands for a sub-set of its own, which it keeps for as long as it lives. By our ruling, at depth 2 and more the set-up says which individual goes where, none twice; captured individuals leave with their sub-sets, and all rules hold at each level, except that spares exist at the outermost level alone; a spare brings a complete sub-set. The greatest depth is 64.",
    ["broken", "broken-twice", "kept"], Option;

    NAMED, "OV-41", Law, Ruling,
    "Individuals have names; unfinished attacks in a finished game are drawn",
    "An individual is named for life by its over-piece and its regular square in a White set, such as `e7/a2`, and so on inwards. A spare is named by the over-piece that it joined, its kind, and its number among the spares of that kind in the order in which its team used them (or its sub-set, if each sub-set has its own spares): `e7/P1`. At depth 2 and more prisoners must be named if more survive than fit. If a nested over-game ends while a square is contested, that attack is drawn; what was captured in it is lost.",
    ["broken", "kept"], Option;

    DEEP_PLIES, "OV-42", Definition, Ruling,
    "Plies with individuals",
    "At depth 2 and more one ply sets up one individual, takes one prisoner or hands over one piece. These plies come in the order P N B R Q, and within a kind by place. A place is the regular square in a White set on which an individual began; one that joined another sub-set has the first free place of its kind there. An individual with only one square left is set up without a ply. Without a FEN each piece of a complete sub-set stands in its place. Repetition compares sub-sets by their kinds of pieces, not by which individuals they hold.",
    ["kept"], Option;

    INNER_ROLES, "OV-43", Law, Ruling,
    "Roles inside a sub-game",
    "A sub-game that is itself Overchess has its own roles, given by the same tags and commands in its record; White is the attacker, and an individual is named by the square on which it begins there. If its record names no Commander, those who are entitled to play it command, and those who are named as its players. If nobody leads the over-piece, anybody may. Playing a game inside it without being named for it breaks this rule in the same way as OV-13.",
    ["broken", "kept"], Option;
}
