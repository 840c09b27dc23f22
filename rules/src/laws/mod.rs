//! The texts of the rules, one file a page.
//!
//! Each game's page stands beside the number of its laws, `LAWS`. It begins at 1 and is raised in the
//! commit that changes what is listed or played in the game, be it here or in the rules that all games
//! share. The manifest of a run holds it: a run goes on only under the laws that began it, and a game
//! that no longer replays alike under raised laws is no fault of its ledger.

use crate::rule::Page;

pub mod chess;
pub mod common;
pub mod linked;
pub mod mega;
pub mod metachess;
pub mod olympic;
pub mod overchess;
pub mod strategichess;

/// All pages, the common one first.
pub static PAGES: &[Page] = &[
    common::PAGE,
    chess::PAGE,
    olympic::PAGE,
    strategichess::PAGE,
    linked::PAGE,
    metachess::PAGE,
    mega::PAGE,
    overchess::PAGE,
];

/// Declares one rule with its example games, whose files are named in `rules/games/`.
macro_rules! rule {
    ($name:ident, $id:literal, $kind:ident, $source:expr, $gist:literal, $text:literal, [$($example:literal),* $(,)?]) => {
        rule!($name, $id, $kind, $source, $gist, $text, [$($example),*], InForce);
    };
    ($name:ident, $id:literal, $kind:ident, $source:expr, $gist:literal, $text:literal, [$($example:literal),* $(,)?], $standing:ident) => {
        #[doc = $gist]
        pub static $name: Rule = Rule {
            id: $id,
            gist: $gist,
            text: $text,
            kind: crate::rule::Kind::$kind,
            source: $source,
            standing: crate::rule::Standing::$standing,
            examples: &[$(crate::rule::Example {
                name: concat!($id, ".", $example),
                text: include_str!(concat!("../../games/", $id, ".", $example, ".pgn")),
            }),*],
        };
    };
}
use rule;
