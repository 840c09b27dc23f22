//! What the sources leave open for all games, and how it is settled.

use super::{
    ADJUDICATION, ATOM, ENDED, JUDGED, OWN_RECORD, PLY_COUNT, POSITION_ENDS, TRUE_RESULT,
    UNKNOWN_RESULT,
};
use crate::rule::{Measured, Ruling};

/// The rulings, in the order of their rules.
pub(super) static RULINGS: [Ruling; 9] = [
    Ruling {
        rule: &ENDED,
        place: "FIDE Laws, Articles 5 and 9",
        says: "The Laws say which ends must be claimed, and that mate, stalemate, a dead position and the automatic draws end the game at once. They do not mention a record that goes on after such an end.",
        readings: &[
            "a move recorded after the end is illegal",
            "it is only without effect",
        ],
        why: "A record that goes on shows that the players did not notice the end, and then its result is often wrong too.",
        options: &[],
        measured: Measured::OF_RECORDS,
    },
    Ruling {
        rule: &ADJUDICATION,
        place: "all sources",
        says: "They say nothing about a limit of moves or time that an event sets; only StrategiChess counts kings when time is up (SC-30).",
        readings: &[
            "the game is adjudicated, its record says so, and any result is accepted",
            "the limit is a rule of the game, which is then drawn",
        ],
        why: "The event set the limit, so the event says how such a game is scored.",
        options: &[],
        measured: Measured::Not("the result depends on the event, not on the game"),
    },
    Ruling {
        rule: &PLY_COUNT,
        place: "all sources",
        says: "They say nothing about perft, which is a count that programmers compare.",
        readings: &[
            "perft stops at mate, stalemate, a fallen king and closed boards only",
            "it stops at every end of a game",
        ],
        why: "Repetitions and counters depend on what came before; a count that included them would differ for the same position.",
        options: &[],
        measured: Measured::Not("no game depends on it"),
    },
    Ruling {
        rule: &ATOM,
        place: "Overchess, the set-up and the optional rules",
        says: "The text says what is done: pieces are placed, prisoners taken, spares added, an over-piece given up and shared out. It does not say in which steps, nor which comes first where two of them fall together.",
        readings: &[
            "each step is a ply, and prisoners come before spares, the attacker before the defender",
            "a whole act is one ply",
        ],
        why: "One complete sub-set can be shared out in 355,600,608 ways, so whole acts cannot be listed, and steps can.",
        options: &[],
        measured: Measured::Not("both ways reach the same positions"),
    },
    Ruling {
        rule: &POSITION_ENDS,
        place: "FIDE Laws, Article 9",
        says: "The Laws count repetitions over a whole game, and do not mention a position without its game.",
        readings: &[
            "a position ends a game by what it shows, its counters included",
            "only mate, stalemate and a dead position count",
        ],
        why: "The counters are part of a FEN; earlier positions are not.",
        options: &[],
        measured: Measured::OF_SET_UPS,
    },
    Ruling {
        rule: &OWN_RECORD,
        place: "Overchess and Mega-Chess, as a whole",
        says: "Both authors put games inside a game. Neither says whether a clock, a flag, a resignation or a claim of an inner game belongs to it or to the game as a whole.",
        readings: &[
            "it counts for the game in whose record it stands; on a board of Mega-Chess clocks and attempts count for the whole game",
            "it always counts for the outermost game",
        ],
        why: "A sub-game of Overchess has two players of its own. In Mega-Chess the same two players sit at every board.",
        options: &[],
        measured: Measured::OF_RECORDS,
    },
    Ruling {
        rule: &JUDGED,
        place: "all sources",
        says: "They say nothing about a record of which a part cannot be judged.",
        readings: &[
            "such a record is not clean, and what the error leaves unknown is open",
            "everything after the error is illegal",
        ],
        why: "A verdict must be true: neither may an act pass that nobody judged, nor be refused for what is not known.",
        options: &[],
        measured: Measured::OF_RECORDS,
    },
    Ruling {
        rule: &TRUE_RESULT,
        place: "FIDE Laws, Article 9.5.3; StrategiChess, edition of 2025",
        says: "After a wrong claim the game goes on, and the later edition of StrategiChess permits no resignation. Neither says what a result is worth that rests on one.",
        readings: &[
            "such a result is wrong, unless the players also agreed the draw",
            "the players' result stands",
        ],
        why: "If a wrong claim could end a game through its record, the Article would have no effect.",
        options: &[],
        measured: Measured::OF_RECORDS,
    },
    Ruling {
        rule: &UNKNOWN_RESULT,
        place: "the standard of PGN, section 8.1.1.7",
        says: "It has a sign for an unknown result and none for a game that both sides lost; `0-0` is also a common spelling of castling.",
        readings: &[
            "a last `0-0` is castling where castling is legal, unless the tag Result says that both lost",
            "it is always a result",
        ],
        why: "A record of chess should keep its moves; the tag or the position shows which of the two is meant.",
        options: &[],
        measured: Measured::OF_RECORDS,
    },
];
