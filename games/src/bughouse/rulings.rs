//! What the sources of Bughouse leave open, and how it is settled.

use super::laws::{BOARDS, BPGN, CLOCKS, MATCH_END, OPTIONS, OWN_TURNS, REPETITION};
use overboard_rules::rule::{Measured, Ruling};

/// The rulings, in the order of their rules.
pub(super) static RULINGS: [Ruling; 7] = [
    Ruling {
        rule: &BOARDS,
        place: "records of the Free Internet Chess Server, of bughouse.pro and of pychess",
        says: "`1-0` is a win of the team of White on A in some of them, and a win of White on the deciding board in others.",
        readings: &[
            "the result is that of the teams, named by their colour on board A",
            "the result is that of the board on which the match ended",
        ],
        why: "A match has one result for both boards, and a reader who does not know which board decided must be able to read it.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &OWN_TURNS,
        place: "rules of chess servers",
        says: "What was captured can be dropped at once; how the plies of both boards follow each other in a record is not said.",
        readings: &[
            "the order in the record is the order in which the plies took effect",
            "any order of the two boards is accepted that makes all plies legal",
        ],
        why: "Programs write the plies as they come, and the order decides what a pocket holds.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &MATCH_END,
        place: "rules of chess servers",
        says: "A player who cannot move waits for the partner; what happens if no player can move is not said.",
        readings: &[
            "the match is drawn",
            "the player whose clock runs out first has lost",
        ],
        why: "Nothing can happen any more, and no player is to blame for it.",
        options: &["draw=both"],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &REPETITION,
        place: "rules of chess servers",
        says: "On the Free Internet Chess Server a draw can be claimed, on bughouse.pro the match ends by itself, in pychess repetition means nothing.",
        readings: &[
            "a third occurrence may be claimed",
            "it ends the match, or means nothing",
        ],
        why: "A claim is what chess has, and leaves the decision to the players.",
        options: &["repetition=auto", "repetition=none"],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &OPTIONS,
        place: "rules of chess servers",
        says: "Servers let players forbid mates or checks by drops, and drops of pawns on some ranks.",
        readings: &[
            "every drop of CZ-2 is allowed unless an option forbids it",
            "one of these restrictions holds by default",
        ],
        why: "Most games are played without them.",
        options: &[
            "drop=no-bughouse-mate",
            "drop=no-chess-mate",
            "drop=no-check",
            "pawndrop=2-6",
        ],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &BPGN,
        place: "BPGN 1.0 to 1.2, and files of servers and databases",
        says: "Each program writes other tags, clocks and ends, and the standard does not say whose result is given.",
        readings: &[
            "every form that programs write is read, and the result is that of the teams unless the words before it show that it is that of a board",
            "only the forms of the standard are read",
        ],
        why: "There are millions of such records, and in nearly all of them it is clear what is meant.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
    Ruling {
        rule: &CLOCKS,
        place: "BPGN of games of chess.com",
        says: "Scripts write seconds after each move, some of them what is left and some what was used.",
        readings: &[
            "these seconds are kept and not judged",
            "they are what the player has left",
        ],
        why: "A clock that is read wrongly makes a correct game look wrong.",
        options: &[],
        measured: Measured::OTHER_GAME,
    },
];
