//! What the source of Crazyhouse leaves open, and how it is settled.

use super::laws::{DRAWS, FEN};
use overboard_rules::rule::{Measured, Ruling};

/// The rulings, in the order of their rules.
pub(super) static RULINGS: [Ruling; 2] = [
    Ruling {
        rule: &FEN,
        place: "lichess.org/variant/crazyhouse",
        says: "It says nothing about FEN. Programs write the pockets in brackets or as a ninth rank.",
        readings: &[
            "both forms are read, and brackets are written",
            "one form only is read",
        ],
        why: "Records with both forms exist, and no text has two meanings. Most programs write brackets.",
        options: &[],
        measured: Measured::OF_RECORDS,
    },
    Ruling {
        rule: &DRAWS,
        place: "lichess.org/variant/crazyhouse",
        says: "All other rules are those of chess. Whether moves without progress are counted, and when a position is dead, it does not say; on Lichess a fallen flag always loses.",
        readings: &[
            "no fifty-move rule; a position is dead, and a flag draws, by material alone with the pockets counted",
            "the fifty-move rule of chess; or a flag that always loses",
        ],
        why: "What is captured comes back, so that progress cannot be counted, and python-chess and Lichess do not count it. Dead positions are those of these programs. A flag follows GEN-10, which asks whether a mate is possible.",
        options: &["flag=always"],
        measured: Measured::Not(
            "self-play has no clocks, and in Crazyhouse it does not count moves without progress",
        ),
    },
];
