//! GEN: the rules that all games share.

mod rulings;

use crate::{
    rule::{
        Page,
        Source::{Fide, Ruling},
    },
    rules,
};

/// The page of these rules.
pub const PAGE: Page = Page {
    name: "common",
    title: "Common rules (GEN)",
    preface: "Rules that all games here share. A game's own page may say more.\n\n\
              **Source:** FIDE Laws of Chess, in force from 1 January 2023 (FIDE Handbook E.01), where an article is named; the rest are rulings of this project.",
    rules: RULES,
    rulings: &rulings::RULINGS,
};

rules! {
    RULES;

    SIDES, "GEN-1", Definition, Fide("Article 1.2"),
    "The sides are White and Black, and White moves first",
    "The two sides are called White and Black. White makes the first move, unless a rule of the game or the set-up position of the record says that it is Black's turn.",
    ["kept", "kept-number"];

    ENDED, "GEN-2", Law, Ruling,
    "A move after the end of the game is illegal",
    "A game may end by a claim or automatically:\n\
     - a claimable draw (threefold repetition, fifty moves) ends the game only if a player claims it;\n\
     - an automatic end (mate, stalemate, dead position, fivefold repetition, seventy-five moves) takes effect whether or not anyone noticed.\n\n\
     A move recorded after the game has ended, however it ended, is illegal. A command after the end changes nothing and is reported.",
    [
        "kept",
        "kept-fifty",
        "broken",
        "broken-dead",
        "broken-fivefold"
    ];

    DRAWS, "GEN-3", Ending, Fide("Articles 5.2.2, 9.2, 9.3 and 9.6"),
    "Claimed draws and automatic draws",
    "Threefold repetition, and fifty moves by each side without a capture or a pawn move, may be claimed by the player to move: in the position reached, or together with the move that the player intends. A correct claim ends the game at once; after an incorrect one the game continues. Fivefold repetition, seventy-five moves and a dead position end the game as a draw at once. A position is dead if neither player can checkmate by any series of legal moves. In chess from any array, and in the games of chess inside Overchess, this is decided by the position and not by material alone, so that blocked positions and forced lines count. Up to 500,000 positions are searched for each side; where that proves nothing, the position is not dead. On the boards of Mega-Chess, which can be won in another way (MG-11), and in other games where their pages do not say more, these are dead:\n\
     - king against king;\n\
     - king and one knight or one bishop against king;\n\
     - kings and bishops only, with all bishops on squares of one colour.\n\n\
     A dead position that an illegal move brings about does not end the game at once.",
    [
        "kept-claim",
        "kept-claim-fifty",
        "kept-claim-fifty-intended",
        "kept-claim-intended",
        "kept-blocked",
        "kept-dead",
        "kept-dead-bishops",
        "kept-dead-minor",
        "kept-fivefold",
        "kept-forced",
        "kept-seventyfive",
        "broken-blocked",
        "broken-claim",
        "broken-claim-fifty",
        "broken-claim-intended",
        "broken-dead",
        "broken-dead-result",
        "broken-fivefold",
        "broken-fivefold-double-step",
        "broken-fivefold-result",
        "broken-seventyfive",
        "broken-seventyfive-result"
    ];

    REPETITION, "GEN-4", Definition, Fide("Article 9.2.3"),
    "When two positions are the same",
    "Two positions are the same if the same pieces of both sides stand on the same squares of every board and level, the same side is to move, the same castling rights are left, and the same en passant captures are legal now. In games that have them, pieces in hand, sub-sets and the original kind of promoted pieces must be the same too. Move counters and what happened before never matter.",
    ["kept", "kept-en-passant"];

    ADJUDICATION, "GEN-5", Permission, Ruling,
    "An event may end a game by adjudication",
    "A limit of moves or time that an event sets is not a rule of the game. A game that ends by such a limit is adjudicated, and its record says so with the tag Termination \"adjudication\". Such a record may have any result, unless the game had already ended.",
    ["kept", "kept-draw"];

    PLY_COUNT, "GEN-6", Definition, Ruling,
    "What perft counts",
    "perft counts the sequences of a given number of legal plies from a position. A sequence that ends sooner does not count: at mate, at stalemate, when a king has fallen or when all boards are closed. Repetitions, move counters and dead positions end games, but perft continues through them, so that a position has one count whatever came before it. On linked boards the plies of all boards count, passes included.",
    ["kept"];

    MATE_FIRST, "GEN-7", Definition, Fide("Articles 5.1.1 and 9.6.2"),
    "Mate and stalemate come before every draw",
    "If one move causes several ends at once, mate counts first, then stalemate, then the draws. A move that mates wins even if it also completes seventy-five moves.",
    ["kept"];

    ATOM, "GEN-8", Definition, Ruling,
    "The ply is the smallest unit of every game",
    "Everything that a side does consists of plies that can be listed and judged one by one, and perft counts plies. By our ruling, in Overchess:\n\
     - A set-up is one ply of each side, the attacker first; there is no such ply if only one set-up is possible.\n\
     - Putting in a spare and taking prisoners are plies of their own that do not pass the turn. A spare before a move is legal only for an over-piece that has a legal over-move, and then only that over-piece may move.\n\
     - After a sub-game, before the turn passes, the winner takes prisoners and then spares are put in, the attacker's before the defender's. Each side ends its part with `done`, which is left out if it has no choice.\n\
     - A record without a block of prisoners means all that fit; a record without a block of reserves means none.\n\
     - Mate and stalemate are not judged before these plies are complete.\n\
     - A consolidation is `consolidate`, a `give` for each sub-piece handed over, and `done`, which passes the turn and is legal only if nothing that is left fits anywhere. A record may write it as one block.\n\
     - A game may be broken off within a set-up, a consolidation or prisoners with names. Its record ends with [%begun …], which lists the plies of that act in coordinates.",
    ["kept"];

    ILLEGAL_ATTEMPTS, "GEN-9", Law, Fide("Articles 7.5.5 and 9.5.3"),
    "Illegal attempts, and illegal moves that stand",
    "An illegal move that was played and taken back is recorded as [%illegal …] and counted for its player. For the first one the opponent is given the time that the event prescribes. The second one loses the game, or draws it if the opponent cannot mate; with the option `illegal=N` it is the Nth that does so. It is an attempt of the side to move, or of the side that stands before it (`[%illegal B Nd4]`). An attempt that is legal there, or that is no move, is an error and does not count. An illegal move after which both players played on is recorded with [%stands …]: it is a finding, and the game continues from the position to which it led, whatever that is, as long as each side has the kings that its game needs. A castling takes its rook along, and a promotion its piece. A king that is left attacked is not taken: a move that takes it is illegal. A claim of a draw that is wrong ends nothing, and a legal move that was announced with it must be played (9.5.3).",
    [
        "kept",
        "kept-draw",
        "kept-loss",
        "broken",
        "broken-announced",
        "broken-result",
        "broken-stands"
    ];

    FLAG, "GEN-10", Ending, Fide("Article 6.9"),
    "A fallen flag loses, unless the opponent cannot mate",
    "A player whose flag has fallen loses. The game is drawn instead if the opponent cannot mate:\n\
     - chess from any array, and the games of chess inside Overchess: by any series of legal moves, as for a dead position (GEN-3); where the search proves nothing, a mate counts as possible, and a note says so;\n\
     - StrategiChess on one board: the opponent has a bare king; or a king with one knight, bishop or pawn against a bare king (linked boards: SC-35);\n\
     - MetaChess: the opponent has a bare king;\n\
     - the over-game of Overchess, and Mega-Chess: the position is dead (GEN-3, MG-14);\n\
     - Crazyhouse: the position is dead (CZ-4), unless the option `flag=always` is agreed;\n\
     - Olympic Chess: never; a fallen flag always loses (OC-11).",
    [
        "kept",
        "kept-blocked",
        "kept-loss",
        "kept-loss-opening",
        "broken",
        "broken-blocked"
    ];

    POSITION_ENDS, "GEN-11", Definition, Ruling,
    "Without its history, a position ends a game only by what it shows",
    "A position by itself ends a game through mate, stalemate, a dead position or its own counters. Repetition needs the record of the game. In a final position no move is legal.",
    ["kept", "kept-repetition"];

    OWN_RECORD, "GEN-12", Law, Ruling,
    "What a record says counts for the game to which it belongs",
    "A command, a clock, a tag or a result inside a sub-game or an item of a turn is judged for that game exactly as it would be in a record of its own. This holds for flags, resignations, agreements, claims, illegal attempts, clocks, and tags that contradict the moves.\n\
     - An act after that game's end is illegal there, and a nested record is judged as its score-sheets are.\n\
     - A command between an attack and its block belongs to the over-game.\n\
     - A board of Mega-Chess ends only as MG-6, MG-11 and MG-13 say. A resignation, a flag or an agreement given as a command on an item is an error and ends nothing. Clocks belong to the players of the whole game, and illegal attempts and penalties count for the whole game.\n\
     - Whether an attempt on an item was illegal is judged on its board alone, regardless of whose turn it is in the outer game.\n\
     - Tags are not inherited: the clocks of a sub-game without its own TimeControl are kept and not judged.",
    ["kept", "kept-claim", "broken"];

    JUDGED, "GEN-13", Law, Ruling,
    "A clean record was judged completely",
    "A record is clean only if every act of its main line, at every level and on every board, was judged legal. Anything that prevents an act from being judged is an error at that act. What cannot be known after an error is open, never illegal: a later act is called illegal only if it would be illegal wherever the unknown pieces may stand.",
    ["kept", "broken"];

    TRUE_RESULT, "GEN-14", Law, Ruling,
    "A result must not rest on a wrong claim or on nothing",
    "A wrong claim ends nothing, so a win or a draw that rests on it is a wrong result, unless the draw was also agreed. If nobody may resign (SC-65), a decisive result needs a cause, such as the count of kings when time ends (SC-30), and is otherwise wrong; a draw may still be agreed.",
    ["kept", "broken"];

    UNKNOWN_RESULT, "GEN-15", Definition, Ruling,
    "What the results `*` and `0-0` say",
    "`*` says that the result is not known, and claims nothing: after an end that the last position shows, it is only a note. A last `0-0` says that both sides lost if the tag Result says so too, or if no castling is legal there; otherwise it is castling, with a note. `1/2-0` and `0-1/2` are results that only an arbiter gives. A colon, a dash of any length, `1/2` and `½` are read as what they stand for.",
    ["kept", "kept-castling"];

    REMEDIES, "GEN-16", Definition, Fide("Articles 6.8, 6.9, 6.10.2, 7.2 to 7.5, 8.1.1, 8.7 and 9.5.3; Appendices A, B and C"),
    "What an arbiter does about a finding",
    "With a finding of play stands what an arbiter does now, from its article. It depends on the tag TimeControl: an hour or more for sixty moves is standard, ten minutes or less is blitz, rapid is in between. Without that tag, both are said.\n\n\
     | finding | standard | rapid, blitz |\n\
     |---|---|---|\n\
     | illegal move | restore the position, however late; the piece touched moves if it can; the opponent gets two minutes (7.5.1, 7.5.5) | one minute (A.3), and only if the opponent has not moved since; else the move stands (A.5.2) |\n\
     | move that could be several | find out which piece moved, and write it (8.1.1, C.10) | the same |\n\
     | pawn on the last rank without a piece | it becomes a queen, and the opponent gets two minutes (7.5.2, 7.5.5) | one minute (A.3) |\n\
     | second illegal move | lost, or drawn if the opponent cannot checkmate (7.5.5) | the same |\n\
     | illegal move that stands | restore the position while the game goes on (7.5.1) | it stands (A.5.2) |\n\
     | wrong claim | two minutes for the opponent; a legal move that was announced must be played (9.5.3) | one minute (A.3) |\n\
     | set-up | a new game (7.2.1) | a new game, before ten moves by each player (A.5.1) |\n\
     | result, move after the end | what both players signed stands unless the arbiter decides otherwise (8.7) | the same |\n\
     | flag | lost, or drawn if the opponent cannot checkmate (6.8, 6.9) | the same |\n\n\
     Where an arbiter supervises at most three rapid games (A.4), or one of blitz (B.2), the competition rules apply to illegal moves: `check --supervised`. The time given in rapid is still one minute, and in blitz two, since only B.3 refers to A.3. Games without a law of their own follow those of chess by analogy, and the remedy says so.",
    ["kept", "kept-blitz"];
}
