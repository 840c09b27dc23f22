//! What the source of orthodox chess leaves open, and how it is settled.

use super::laws::SET_UP;
use overboard_rules::rule::{Measured, Ruling};

/// The rulings, in the order of their rules.
pub(super) static RULINGS: [Ruling; 1] = [Ruling {
    rule: &SET_UP,
    place: "FIDE Laws, Articles 2.3 and 3.10.3",
    says: "The Laws give the initial position alone. They call a position illegal if no series of legal moves reaches it.",
    readings: &[
        "a game may start from any position that passes the tests listed in the rule",
        "a game may start only from a position that some legal game reaches",
    ],
    why: "Whether a game reaches a position can be very hard to prove; these tests can be made at once, and refuse what has no meaning.",
    options: &[],
    measured: Measured::OF_SET_UPS,
}];
