//! The texts of the rules, one file for each page.
//!
//! Each game's page is next to the number of its laws, `LAWS`. It begins at 1 and is raised in the commit that changes
//! what is listed or played in the game, be it here or in the rules that all games share. The manifest of a run records
//! it: a run continues only under the laws with which it began, and a game that replays differently under raised laws
//! is not a fault of its ledger.

use crate::registry::Variant;
use overboard_rules::{
    general,
    rule::{Page, Rule, Ruling},
};
use std::sync::LazyLock;

/// All pages, the common one first, then those of each game.
pub static PAGES: LazyLock<Vec<&'static Page>> = LazyLock::new(|| {
    let mut pages = vec![&general::PAGE];
    for game in Variant::ALL {
        pages.extend(game.info().pages);
    }
    pages
});

/// Every rule, page by page.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    PAGES.iter().flat_map(|page| page.rules.iter().copied())
}

/// The rule with this id, in upper or lower case.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.id.eq_ignore_ascii_case(id))
}

/// The ruling that a rule is or contains; `None` if it is or contains none.
#[must_use]
pub fn ruling(rule: &Rule) -> Option<&'static Ruling> {
    let mut rulings = PAGES.iter().flat_map(|page| page.rulings);
    rulings.find(|ruling| ruling.rule == rule)
}
