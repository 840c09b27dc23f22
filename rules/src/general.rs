//! GEN: what all games share.

use crate::{
    rule,
    rule::{
        Page,
        Source::{Fide, Ruling},
    },
};

/// The page.
pub const PAGE: Page = Page {
    name: "common",
    title: "Common rules (GEN)",
    preface: "Rules that every game here shares. A game's own page may say more.",
    rules: &[
        &SIDES,
        &ENDED,
        &DRAWS,
        &REPETITION,
        &ADJUDICATION,
        &PLY_COUNT,
        &MATE_FIRST,
        &ATOM,
        &ILLEGAL_ATTEMPTS,
        &FLAG,
        &POSITION_ENDS,
        &OWN_RECORD,
        &JUDGED,
        &TRUE_RESULT,
    ],
};

rule!(
    SIDES,
    "GEN-1",
    Definition,
    Fide("Article 1.2"),
    "The sides are White and Black, and White moves first",
    "The two sides are called White and Black. White makes the first move, unless a rule of the game or the set-up position of the record says that it is Black's turn.",
    ["kept", "kept-number"]
);
rule!(
    ENDED,
    "GEN-2",
    Law,
    Ruling,
    "A move after the end of the game is illegal",
    "A draw is claimable or automatic. A claimable one (threefold repetition, fifty moves) ends the game only when a player claims it. An automatic end (mate, stalemate, dead position, fivefold repetition, seventy-five moves) takes effect whether or not anyone noticed. A move recorded after the game has ended, however it ended, is illegal. A command after the end changes nothing and is reported.",
    ["kept", "kept-fifty", "broken", "broken-dead", "broken-fivefold"]
);
rule!(
    DRAWS,
    "GEN-3",
    Ending,
    Fide("Articles 5.2.2, 9.2, 9.3 and 9.6"),
    "Claimed draws and automatic draws",
    "Threefold repetition and fifty moves by each side without capture or pawn move may be claimed, by the player to move in the position reached or together with the move that they intend. Fivefold repetition, seventy-five moves and a dead position draw at once. A position is dead with kings alone, with king and one knight or bishop against king, and with kings and bishops that all stand on squares of one colour. Any other dead position is for the arbiter to declare and the record to state; the tool never declares it.",
    [
        "kept-claim",
        "kept-claim-fifty",
        "kept-claim-fifty-intended",
        "kept-claim-intended",
        "kept-dead",
        "kept-dead-bishops",
        "kept-dead-minor",
        "kept-fivefold",
        "kept-seventyfive",
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
    ]
);
rule!(
    REPETITION,
    "GEN-4",
    Definition,
    Fide("Article 9.2.3"),
    "When two positions are the same",
    "Positions are the same when the same pieces of both sides stand on the same squares of every board and level, the same side is to move, the same castling rights are left, and the same en passant captures are legal now. Hands, rosters and promoted origins count where a game has them. Move counters and what happened before never do.",
    ["kept", "kept-en-passant"]
);
rule!(
    ADJUDICATION,
    "GEN-5",
    Permission,
    Ruling,
    "An event may end a game by adjudication",
    "A limit of moves or time that an event sets is not a rule of the game. A game that ends by it is adjudicated, and its record says so with the tag Termination \"adjudication\". Any result may stand in such a record unless the game had ended before.",
    ["kept", "kept-draw"]
);
rule!(
    PLY_COUNT,
    "GEN-6",
    Definition,
    Ruling,
    "What perft counts",
    "perft counts the sequences of a given number of legal plies from a position. A sequence that ends sooner does not count: at mate, at stalemate, when a king has fallen or when all boards are closed. Repetitions, move counters and dead positions end games, but perft goes on through them, so that a position has one count whatever came before it. On linked boards the plies of all boards count, passes included.",
    ["kept"]
);
rule!(
    MATE_FIRST,
    "GEN-7",
    Definition,
    Fide("Articles 5.1.1 and 9.6.2"),
    "Mate and stalemate come before every draw",
    "If one move brings about several ends at once, mate counts first, then stalemate, then the draws. A move that mates wins even when it is also the one that completes seventy-five moves.",
    ["kept"]
);
rule!(
    ATOM,
    "GEN-8",
    Definition,
    Ruling,
    "The ply is the smallest unit of every game",
    "Every act is made of plies that can be listed and judged one by one, and perft counts plies. In Overchess a set-up is one ply for each side, attacker then defender, and none where only one set-up exists. Putting in a reserve and taking prisoners are plies of their own that do not pass the turn; a reserve before a move is legal only for an over-piece that has a legal over-move, and then only that one may move. After a sub-game a settling phase comes before the turn passes: the winner's prisoners, then spares, attacker before defender; each side closes its part with `done`, left out where it has no choice. A record without a block of prisoners means all that fit; a record without a block of reserves means none. Mate and stalemate are judged outside such phases. A consolidation is `consolidate`, a `give` for each sub-piece handed over, and `done`, which is legal only when nothing that is left fits anywhere and passes the turn; a record may write it as one block.",
    ["kept"]
);
rule!(
    ILLEGAL_ATTEMPTS,
    "GEN-9",
    Law,
    Fide("Article 7.5.5"),
    "Illegal attempts, and illegal moves that stand",
    "An illegal move that was played and taken back is recorded as [%illegal …] and counted for its player. The first costs the time that the event says, the second loses the game, or draws it where the opponent cannot mate; the option illegal=N puts another number for the second. An illegal move after which both players played on is recorded with [%stands from-to]: it is a finding, and the game continues from those squares. A correct claim ends the game, an incorrect one does not.",
    ["kept", "kept-draw", "kept-loss", "broken", "broken-result", "broken-stands"]
);
rule!(
    FLAG,
    "GEN-10",
    Ending,
    Fide("Article 6.9"),
    "A fallen flag loses, unless the opponent cannot mate",
    "A player whose flag has fallen loses. The game is drawn instead when the opponent cannot mate, judged by material alone: in chess the opponent has a bare king, or a king with one knight or with bishops of one square colour, and the other side has nothing that makes a mate by them possible. The games inside Overchess are judged like chess. On one board of StrategiChess the opponent has a bare king, or a king with one knight, bishop or pawn against a bare king; on linked boards SC-35 holds. In MetaChess only a bare king cannot mate. In the over-game of Overchess and in Mega-Chess neither side can mate in a dead position (GEN-3, MG-14), and otherwise both can. In Olympic Chess a fallen flag always loses (OC-11).",
    ["kept", "kept-loss", "kept-loss-opening", "broken"]
);
rule!(
    POSITION_ENDS,
    "GEN-11",
    Definition,
    Ruling,
    "A position ends a game only by what it shows",
    "A position by itself ends a game through mate, stalemate, a dead position and its own counters. Repetition needs the record of the game. In a final position no move is legal.",
    ["kept", "kept-repetition"]
);
rule!(
    OWN_RECORD,
    "GEN-12",
    Law,
    Ruling,
    "What a record says counts for the game that it belongs to",
    "A command, a clock, a tag or a result inside a sub-game or an item of a turn is judged for that game exactly as it would be in a record of its own: flags, resignations, agreements, claims, illegal attempts, clocks, tags against moves. An act after that game's end is illegal there, and a nested record is judged as its score-sheets are. A command between an attack and its block belongs to the over-game. A board of Mega-Chess ends only as MG-6, MG-11 and MG-13 say: a resignation, a flag or an agreement as a command on an item is an error and ends nothing, clocks belong to the players of the whole game, and illegal attempts and penalties count for the whole game. Whether an attempt on an item was illegal is judged on its board alone, regardless of whose turn it is in the outer game. Tags are not inherited: without a TimeControl of its own a sub-game's clocks are kept and not judged.",
    ["kept", "kept-claim", "broken"]
);
rule!(
    JUDGED,
    "GEN-13",
    Law,
    Ruling,
    "A clean record was judged completely",
    "A record is clean only if every act of its main line, at every level and on every board, was judged legal. Anything that prevents an act from being judged is an error at that act. What cannot be known after a fault is open, never illegal: an act after a fault is called illegal only if it would be illegal wherever the unknown pieces may stand.",
    ["kept", "broken"]
);
rule!(
    TRUE_RESULT,
    "GEN-14",
    Law,
    Ruling,
    "A result rests only on what is true",
    "A wrong claim ends nothing, so a win or a draw that rests on it is a wrong result, unless the draw was also agreed. If nobody may resign (SC-65), a decisive result without a cause is wrong; the count of kings when time ends brings one about (SC-30), and a draw may be agreed.",
    ["kept", "broken"]
);
