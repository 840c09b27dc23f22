//! BH: Bughouse.

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
    name: "bughouse",
    title: "Bughouse (BH)",
    preface: "Four players, two boards, two teams: what a player captures, the partner may drop. Each board is [Crazyhouse](crazyhouse.md) with the pockets exchanged. Where this page is silent, the drops of CZ-2 and [orthodox chess](chess.md) apply: a refused move then cites their rule (CZ, CH).\n\n\
              **Source:** the game has no author. \"The author's text\" below is what chess servers publish and play (the Free Internet Chess Server, chess.com, bughouse.pro), in our words. Where they differ, an option of the tag `Rules` chooses.",
    rules: RULES,
    rulings: &super::rulings::RULINGS,
};

rules! {
    RULES;

    BOARDS, "BH-1", Definition, Seed,
    "Two boards, two teams: White on A plays with Black on B",
    "There are two boards, A and B. White on A and Black on B are one team, Black on A and White on B are the other. Each board begins as in chess, with empty pockets, and is played as chess with the drops of CZ-2. By our ruling a team is named by its colour on board A: `1-0` is a win of White on A and Black on B, and the tags `White` and `Black` list the player of each team on board A, then on board B. A FEN has both boards joined by ` | `, each as in CZ-3; pieces are counted over both boards.",
    ["kept", "kept-fen", "broken-no-king"];

    PARTNER, "BH-2", Definition, Seed,
    "A captured piece goes to the captor's partner, in its own colour",
    "A captured piece goes at once to the pocket of the captor's partner, in the colour that it has, which is the partner's. A promoted piece goes there as a pawn. On the board where it was captured nobody gets it.",
    ["kept", "kept-promoted", "broken-own", "broken-early"];

    OWN_TURNS, "BH-3", Law, Seed,
    "Each board has its own turn, and nobody passes",
    "On each board White and Black move in turn, whatever happens on the other. A player may take any time to move, as long as the clock allows, but never passes. By our ruling plies on different boards take effect in the order in which the record has them.",
    ["kept", "broken-pass", "broken-twice"];

    MATE, "BH-4", Ending, Seed,
    "Mate is a check that no move and no drop of any piece would answer",
    "A player is mated if the king is in check, and neither a move nor a drop of any piece, whether or not the pocket holds it, would answer the check. A player who is in check, and could answer it only by dropping a piece that the pocket does not hold, may wait for it. With the option `mate=pocket` only drops of pieces in the pocket count.",
    [
        "kept",
        "kept-waits",
        "kept-pocket",
        "broken",
        "broken-result"
    ];

    MATCH_END, "BH-5", Ending, Ruling,
    "The first mate, flag or resignation on either board ends the match on both",
    "The first mate, fallen flag or resignation on either board ends the match on both boards, and the team of the player concerned has lost. The teams may agree on a draw; with the option `draw=both` this takes the players of both boards, else (`draw=team`) one of each team. A flag always loses, whatever the opponent has; if flags of both teams fall at the same instant, which a record shows by nothing between them, the match is drawn. There is no fifty-move rule, and no position is dead. A player without a legal move who is not in check waits; if nobody can move on either board, and nobody is mated, the match is drawn. So is a set-up with a mate of each team.",
    [
        "kept",
        "kept-both-flags",
        "kept-flag",
        "kept-draw",
        "kept-nobody",
        "kept-resigned",
        "broken",
        "broken-fifty",
        "broken-result"
    ];

    REPETITION, "BH-6", Ending, Ruling,
    "The third occurrence of a position on one board may be claimed as a draw",
    "If a position occurs on one board for the third time, a draw of the match may be claimed. A position occurs when a ply on that board leads to it, and is the same if it is so by CZ-4: the pockets of that board count. With `repetition=auto` the third occurrence ends the match as a draw without a claim, with `repetition=none` it means nothing; `repetition=claim` is the default.",
    [
        "kept",
        "kept-auto",
        "kept-none",
        "broken-claim",
        "broken-auto"
    ];

    OPTIONS, "BH-7", Law, Ruling,
    "Options may forbid drops that mate or give check, and drops of pawns on some ranks",
    "`drop=no-bughouse-mate` forbids a drop that mates (BH-4), `drop=no-chess-mate` one that gives what would be mate if nothing could be dropped in answer, `drop=no-check` one that gives check; `drop=any` is the default. `pawndrop=2-6` allows drops of pawns only on these ranks, as the player who drops counts them; the default is `pawndrop=2-7`. A promoted pawn stays on the board as the piece that it has become (`promotion=upgrade`); other ways to promote (`discard`, `steal`), duck, fog, accolade and koedem are played elsewhere and not judged here.",
    [
        "kept",
        "kept-pawn",
        "broken-check",
        "broken-chess-mate",
        "broken-mate",
        "broken-pawn"
    ];

    BPGN, "BH-8", Permission, Ruling,
    "Records may be in BPGN, as servers and databases write it",
    "A record whose tags are `WhiteA`, `BlackA`, `WhiteB` and `BlackB` is one of Bughouse, also without `Variant`. Clocks may be bare seconds in comments, `{179.5}`, times since the start `{[ts=0.861]}`, and the end may be said in words before the result, `{Ann resigns} 1-0`, with a player's name or seat (`WA` is White on A). Where all letters of boards are capital, the turn says whose ply it is. A result that is right for the board on which the match ended, but not for the teams, is noted and is no error; who is named in the words decides. In canonical form such a record has the tags, commands and result of this notation.",
    [
        "kept",
        "kept-board-result",
        "kept-capitals",
        "kept-stamps",
        "broken-words"
    ];

    CLOCKS, "BH-9", Definition, Seed,
    "Each player has a clock, and each board its own time",
    "A clock reading in a comment is that of the player who made the ply before it, on that board. The clocks of the two boards run apart: one says nothing about the other. By our ruling bare seconds in BPGN whose tag `Site` names chess.com are not taken for what is left, and not judged.",
    ["kept"];
}
