//! OV: Overchess.

use overboard_rules::{
    rule,
    rule::{
        Page,
        Source::{Ruling, Seed},
    },
};

/// The number of the laws of Overchess of any depth ([`super`]).
pub const LAWS: u32 = 1;

/// The page.
pub const PAGE: Page = Page {
    name: "overchess",
    title: "Overchess (OV)",
    preface: "Chess whose captures are games of chess, between sub-sets that keep their losses.",
    rules: &[
        &OVER_GAME,
        &ATTACK,
        &DEPLETION,
        &SET_UP,
        &SUB_GAME,
        &DRAWN,
        &KING,
        &AS_IF,
        &KING_FALLS,
        &IN_PASSING,
        &PROMOTION,
        &REGULAR,
        &ROLES,
        &STRENGTH,
        &ORDER,
        &SUB_RESULT,
        &REPETITION,
        &LIMIT,
        &PRISONERS,
        &CONSOLIDATION,
        &RESERVES,
        &CONSOLIDATED,
        &MOMENTS,
        &FOG,
        &LOCKED,
        &FOG_ORDER,
        &WAY_BACK,
        &UNMATED,
        &FOG_DETAILS,
        &DEPTH,
        &NAMED,
        &DEEP_PLIES,
        &INNER_ROLES,
    ],
};

rule!(
    OVER_GAME,
    "OV-1",
    Definition,
    Seed,
    "Over-pieces stand for sub-sets of sixteen pieces",
    "Two teams of up to sixteen. Each side's Commander plays the over-game, regular chess on the over-board. Every over-piece except the king stands for a sub-set of sixteen sub-pieces: 8 pawns, 2 rooks, 2 knights, 2 bishops, queen, king, led by a Lieutenant. The over-king has none.",
    ["kept"]
);

rule!(
    ATTACK,
    "OV-2",
    Law,
    Seed,
    "A move on to an enemy over-piece is settled by a sub-game",
    "When an over-piece moves on to a square held by an enemy over-piece nothing is taken: their Lieutenants play a sub-game. The winner's over-piece holds the square, the loser's leaves the board.",
    ["broken", "kept"]
);

rule!(
    DEPLETION,
    "OV-3",
    Law,
    Seed,
    "Sub-pieces lost stay lost",
    "The winner's sub-set keeps only its survivors. By our ruling a promoted sub-piece counts as the pawn it was: it returns to being a pawn after the sub-game, and if taken, a pawn is lost. In positions a promoted sub-piece of an open sub-game is written with `~`. Every sub-set always keeps its king.",
    ["broken", "kept"]
);

rule!(
    SET_UP,
    "OV-4",
    Law,
    Seed,
    "Sub-pieces start on squares regular for their kind",
    "Each remaining sub-piece starts on a square regular for its kind: pawns anywhere on the second rank, bishops c or f, knights b or g, rooks a or h, queen d, king e. The attacker sets up first, then the defender; the attacker moves first, whatever the colour of the attacker's pieces. By our ruling records show the attacker as White.",
    ["broken", "kept"]
);

rule!(
    SUB_GAME,
    "OV-5",
    Law,
    Ruling,
    "The sub-game is regular chess from its set-up",
    "Castling is possible with a rook set up on its corner; pawns anywhere on the second rank may double-step.",
    ["broken", "kept"]
);

rule!(
    DRAWN,
    "OV-6",
    Definition,
    Ruling,
    "A drawn sub-game: the attack fails",
    "After a drawn sub-game (any draw of FIDE or an agreement) both keep their survivors and the attacker goes back to the square it came from; if that square is no longer free, the attacker is removed. With the option `subdraw=defender` the attacker is removed, with `subdraw=both` both are.",
    ["kept"]
);

rule!(
    KING,
    "OV-7",
    Permission,
    Ruling,
    "The over-king captures without a sub-game",
    "The over-king captures as in regular chess: it has no sub-set and its victim's is not used. Over-pieces do not capture kings.",
    ["kept"]
);

rule!(
    AS_IF,
    "OV-8",
    Definition,
    Ruling,
    "Over-moves are judged as if every attack succeeded",
    "Legality of an over-move is regular chess judged as if every attack succeeds. So a capture may parry check.",
    ["kept"]
);

rule!(
    KING_FALLS,
    "OV-9",
    Ending,
    Ruling,
    "The king falls",
    "If, once a sub-game is settled, the over-king of the side whose attack was settled stands attacked and that side is not to move, it loses at once. It is judged after prisoners and spares.",
    ["broken", "kept"]
);

rule!(
    IN_PASSING,
    "OV-10",
    Definition,
    Ruling,
    "En passant is an attack",
    "A sub-game is played between the two pawns; if the defender wins, its pawn stays where it is and the attacker is removed.",
    ["kept"]
);

rule!(
    PROMOTION,
    "OV-11",
    Definition,
    Ruling,
    "Promotion changes the over-piece, not its sub-set",
    "Promotion on the over-board changes the over-piece, not its sub-set; with capture, only if the sub-game is won.",
    ["kept"]
);

rule!(
    REGULAR,
    "OV-12",
    Ending,
    Ruling,
    "Castling, check, mate, stalemate and draws as in regular chess",
    "Repetition compares sub-sets too. Fifty moves: a sub-game counts as a capture if an over-piece left the board or a sub-piece was taken in it, at any depth; a drawn attack that took nothing was no move, and the count goes on by one (under fog: OV-35). Dead position: the list of GEN-3, nothing contested.",
    ["broken", "kept"]
);

rule!(
    ROLES,
    "OV-13",
    Law,
    Seed,
    "Roles: who plays a sub-game",
    "One player may lead several over-pieces (for example all of one kind), players may rotate, the Commander may be several people. The record states who leads which over-piece, named by the square on which it begins or by its kind; in a game from a set-up that is its square and its kind there, also when it stands contested. By our ruling a sub-game played by someone the record does not entitle is a rules infraction, reported, and not an illegal move: it counts. The name of a square goes before that of a kind; what is named by neither is led in turn by those of the list's `*`, and where there are none by the Commander. Where the record says nothing, anybody may play. Promotion changes the over-piece, not who leads it. In the record of a sub-game White is the attacker, so the tag White names the player of the attacker's team, whatever its colour.",
    ["broken", "kept"]
);

rule!(
    STRENGTH,
    "OV-14",
    Definition,
    Seed,
    "Strength of an over-piece",
    "A strength may be shown for each over-piece, by our ruling as the roster and as points: P1 N3 B3 R5 Q9; a full sub-set is 39.",
    ["kept"]
);

rule!(
    ORDER,
    "OV-15",
    Definition,
    Ruling,
    "Order of endings",
    "The king falls; then mate and stalemate; then dead, fivefold, seventy-five. A player not in check who has no over-move but can consolidate is not stalemated. A sub-game may be dead at its set-up: it is drawn with no move played, and settled like any other.",
    ["kept", "kept-dead"]
);

rule!(
    SUB_RESULT,
    "OV-16",
    Law,
    Ruling,
    "The recorded result of a sub-game",
    "A sub-game's recorded result where its moves do not end it is a resignation, an agreement, a claim, a fallen flag or too many illegal attempts; where they do, it must agree. A drawn attack was no move: castling rights and double step are as before it, while a right to attack in passing lapses; a defender that survived keeps its rights. A defender taken plainly by a king leaves no prisoners.",
    ["broken", "kept"]
);

rule!(
    REPETITION,
    "OV-17",
    Ending,
    Ruling,
    "What repetition compares",
    "Repetition compares kind, colour, place and roster of every over-piece, spares left, and contested squares. Positions are compared by digests of 128 bits.",
    ["broken", "kept"]
);

rule!(
    LIMIT,
    "OV-20",
    Law,
    Seed,
    "No sub-set exceeds a complete one",
    "No sub-set may ever exceed 8 pawns, 2 rooks, 2 knights, 2 bishops, a queen and a king.",
    ["broken", "kept"]
);

rule!(
    PRISONERS,
    "OV-21",
    Law,
    Seed,
    "Prisoners",
    "Option `prisoners`: the winner of a sub-game may take surviving pieces of the loser to replace its own lost ones, including those lost earlier; what does not fit is lost. By our ruling it takes all that fit unless the record says which, in one ply, or none with `done`, and after a drawn sub-game nobody takes any. `<prisoners 0>` says that none are taken: good wherever there is a winner, and merely true where nobody could be taken.",
    ["broken", "broken-drawn", "kept", "kept-nobody"],
    Option
);

rule!(
    CONSOLIDATION,
    "OV-22",
    Law,
    Seed,
    "Consolidation",
    "Option `consolidation`: instead of an over-move an over-piece, not the king, is removed and its sub-pieces are handed to other sub-sets of its side; the player chooses which goes where, but every sub-piece that some other sub-set has room for must be handed over; only those that fit nowhere are lost, its king always. By our ruling it is not legal if it leaves the own over-king in check, nor for a contested piece; contested sub-sets have no room.",
    ["broken", "kept"],
    Option
);

rule!(
    RESERVES,
    "OV-23",
    Law,
    Seed,
    "Reserves",
    "Option `reserves`: each sub-set, or each team, has an agreed number of spare pieces, re-added at the end of its sub-game or before its next over-move, within OV-20.",
    ["broken", "kept"],
    Option
);

rule!(
    CONSOLIDATED,
    "OV-24",
    Law,
    Ruling,
    "What a consolidation counts as",
    "Consolidation resets the fifty-move count and counts as the next over-move for OV-30. A record may leave out sub-pieces whose distribution is the only one possible, and the reader completes it; where those left out could go more than one way the act is refused as ambiguous, with the ways named. What is left out is never lost while there is room.",
    ["broken", "kept"],
    Option
);

rule!(
    MOMENTS,
    "OV-25",
    Law,
    Ruling,
    "When spares come in",
    "At two moments only: right after a sub-game, prisoners first, for an over-piece that survived it; and in the ply in which that very over-piece moves, before the move. Castling is the king's move. Reserves are declared at the top level only; at depth 2 and more a spare brings a complete sub-set.",
    ["broken", "kept"],
    Option
);

rule!(
    FOG,
    "OV-30",
    Law,
    Seed,
    "Fog of war: contested squares",
    "Option `fog`: a sub-game is played only after the opponent's next ply is completed: an over-move, or a consolidation in its place. Until then the square is contested: it blocks movement, cannot be entered or attacked again.",
    ["broken", "kept"],
    Option
);

rule!(
    LOCKED,
    "OV-31",
    Law,
    Ruling,
    "Pieces on a contested square are locked",
    "Under fog both pieces on a contested square are locked: neither can move, consolidate, or capture. For check, the square counts as held by the attacker: the attacker gives check from it, the defender gives none. The side that answers a contested attack must leave its over-king safe in every outcome of that attack: won, lost and drawn.",
    ["broken", "kept"],
    Option
);

rule!(
    FOG_ORDER,
    "OV-32",
    Law,
    Seed,
    "Order of settlement under fog",
    "A attacks; B makes an over-move, which may itself be an attack; A's sub-game is played and applied; A makes the next over-move; then B's sub-game; and so on. A side in check after a sub-game is applied must answer on its next over-move.",
    ["broken", "kept"],
    Option
);

rule!(
    WAY_BACK,
    "OV-33",
    Definition,
    Ruling,
    "No way back",
    "If the square an attacker came from was occupied meanwhile, a drawn sub-game removes the attacker.",
    ["kept"],
    Option
);

rule!(
    UNMATED,
    "OV-34",
    Definition,
    Ruling,
    "An attack that leaves no answer is settled at once",
    "An attack under fog that leaves the opponent neither a legal over-move nor a legal consolidation is settled at once and the end is judged afterwards with the same side to move: a failed attack un-mates.",
    ["kept"],
    Option
);

rule!(
    FOG_DETAILS,
    "OV-35",
    Definition,
    Ruling,
    "En passant and promotion under fog",
    "En passant under fog contests both the target square and the victim's; for check the victim counts as gone. A promotion by attack gives check as the new piece, and is a pawn again if drawn. The fifty-move count is reset by the attacking over-move.",
    ["kept"],
    Option
);

rule!(
    DEPTH,
    "OV-40",
    Law,
    Seed,
    "Sub-games that are Overchess themselves",
    "Option `depth=D`, 1 where nothing is said: Overchess(0) is chess; in Overchess(D) the sub-games are Overchess(D-1), and every sub-piece but the king stands for a sub-set of its own, kept with that piece for as long as it lives. By our ruling the set-up says at depth 2 and more which individual goes where, captured individuals leave with their sub-sets, and all rules hold at each level, spares at the outermost alone; a spare brings a complete sub-set. Depth goes to 64.",
    ["broken", "kept"],
    Option
);

rule!(
    NAMED,
    "OV-41",
    Law,
    Ruling,
    "Individuals have names; a game that breaks off leaves its attacks drawn",
    "An individual is named for life by its over-piece and its regular square in a White set, `e7/a2`, and so on inwards; a spare by the over-piece that it came to, its kind, and the how-manieth of the kind it is that its team used, or with spares of each sub-set that the sub-set used, `e7/P1`. At depth 2 and more prisoners must be named when more survive than fit. A nested over-game that ends while a square is contested leaves that attack drawn, with what was taken in it.",
    ["broken", "kept"],
    Option
);

rule!(
    DEEP_PLIES,
    "OV-42",
    Definition,
    Ruling,
    "Plies with individuals",
    "At depth 2 and more one ply sets up one individual, takes one prisoner, hands over one piece. They come in the order P N B R Q, then by place; a place is the regular square in a White set that an individual began on, or the first free one of its kind when it joined another sub-set. An individual with only one square left is set up without a ply. Without a FEN complete sub-sets stand each in its place. Repetition compares sub-sets by their kinds of pieces, not by which individuals they hold.",
    ["kept"],
    Option
);

rule!(
    INNER_ROLES,
    "OV-43",
    Law,
    Ruling,
    "Roles inside a sub-game",
    "A sub-game that is Overchess itself has its own roles, given by the same tags and commands in its record, with White the attacker and an individual named by the square on which it begins there. If its record names no Commander, those entitled to play it command, and those named as players; if nobody leads the over-piece, anyone may. Playing a game inside it without being named for it breaks this rule in the same way as OV-13.",
    ["broken", "kept"],
    Option
);
