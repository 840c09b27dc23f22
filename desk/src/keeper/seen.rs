//! What others may see of a record while its game goes on, and who they are.

use super::{Keeper, Pending};
use crate::hall::{Eyes, Guest};
use overboard_formats::{
    command::{self, commands},
    header::same_name,
};
use overboard_rules::square::Side;

impl Keeper {
    /// The text of the record as those with these eyes may see it: instructions of captains are for their own side until the game is
    /// over. Comments that are sealed are in no record before that.
    #[must_use]
    pub fn seen(&self, text: &str, eyes: Eyes) -> String {
        match (eyes, &self.state.over) {
            (Eyes::Arbiter, _) | (_, Some(_)) => text.to_owned(),
            _ => without_orders(text, eyes),
        }
    }

    /// Everybody whom the record names, each on one side.
    #[must_use]
    pub fn players(&self) -> Vec<Guest> {
        let mut players: Vec<(String, Side)> = Vec::new();
        for side in [Side::White, Side::Black] {
            for name in self.team(side) {
                let is_known = players.iter().any(|(known, _)| same_name(known, &name));
                if !is_known {
                    players.push((name, side));
                }
            }
        }
        let guest = |(name, side)| Guest::Player { name, side };
        players.into_iter().map(guest).collect()
    }

    /// What was refused last and can be recorded all the same.
    #[must_use]
    pub fn refused(&self) -> Option<&str> {
        match &self.pending {
            Some(Pending::Attempt(text) | Pending::Command(text, _)) => Some(text),
            None => None,
        }
    }
}

/// A record without the instructions that these eyes may not see, and without comments of nothing else.
fn without_orders(text: &str, eyes: Eyes) -> String {
    let mut seen = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('{') {
        let (comment, after) = inside.split_once('}').unwrap_or((inside, ""));
        let own = without_orders_in(comment, eyes);
        seen.push_str(before);
        if own.len() == comment.len() || !own.trim().is_empty() {
            seen.push('{');
            seen.push_str(&own);
            seen.push('}');
        }
        rest = after;
    }
    seen.push_str(rest);
    seen
}

fn without_orders_in(comment: &str, eyes: Eyes) -> String {
    let mut seen = String::new();
    let mut at = 0;
    for command in commands(comment.as_bytes()) {
        let is_order = command.name.eq_ignore_ascii_case(b"order");
        let whose = command.arguments.split(|b| *b == b' ').next();
        let side = whose.and_then(command::side);
        let is_seen = side.is_some_and(|side| eyes.see(side));
        if is_order && !is_seen {
            seen.push_str(&comment[at..command.bytes.start]);
            at = command.bytes.end;
        }
    }
    seen.push_str(&comment[at..]);
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_for_their_own_side() {
        let text =
            "1A. e4 {[%order W \"take ] it\"]} 1a. e5 {soon [%order B draw]} {[%clk 0:01:00]} *";
        let seen = without_orders(text, Eyes::Of(Side::Black));
        assert_eq!(
            seen,
            "1A. e4  1a. e5 {soon [%order B draw]} {[%clk 0:01:00]} *"
        );
        let seen = without_orders(text, Eyes::Spectator);
        assert_eq!(seen, "1A. e4  1a. e5 {soon } {[%clk 0:01:00]} *");
    }
}
