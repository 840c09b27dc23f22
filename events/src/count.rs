//! Counts with their nouns, such as "2 teams".

use overboard_rules::refusal::counted;

/// How many rounds are paired, and the verb: `1 round is paired`.
#[must_use]
pub fn paired(rounds: usize) -> String {
    format!(
        "{} {} paired",
        counted(rounds, "round"),
        if rounds == 1 { "is" } else { "are" }
    )
}
