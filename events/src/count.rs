//! Numbers of things in words.

/// So many of something: `1 round`, `2 rounds`.
#[must_use]
pub fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// How many rounds are paired, and the verb: `1 round is paired`.
#[must_use]
pub fn paired(rounds: usize) -> String {
    format!("{} {} paired", counted(rounds, "round"), if rounds == 1 { "is" } else { "are" })
}
