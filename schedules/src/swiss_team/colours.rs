//! Which team of a pair has White (article 4).

use super::{
    article::Article,
    standing::{Preference, Standing},
};
use crate::team::Colour;
use std::cmp::Reverse;

/// The first team of a pair and the other (4.2, SW-2).
pub(super) fn first_team<'a>(a: &'a Standing, b: &'a Standing) -> (&'a Standing, &'a Standing) {
    let rank = |team: &Standing| {
        (
            Reverse(team.first_team_score),
            Reverse(team.secondary),
            team.tpn,
        )
    };
    if rank(a) < rank(b) { (a, b) } else { (b, a) }
}

/// The colour of the first team of a pair, and the article that gives it (4.3).
pub(super) fn colour_of_first(
    first: &Standing,
    other: &Standing,
    initial: Colour,
) -> (Colour, Article) {
    if first.colours.is_empty() && other.colours.is_empty() {
        let colour = if first.colour_number % 2 == 1 {
            initial
        } else {
            initial.other()
        };
        return (colour, Article::InitialColour);
    }
    by_preference(first.preference, other.preference)
        .or_else(|| by_difference(first, other))
        .or_else(|| by_alternation(first, other))
        .unwrap_or_else(|| by_first_team(first, other, initial))
}

/// 4.3.2 to 4.3.4: preferences.
fn by_preference(
    first: Option<Preference>,
    other: Option<Preference>,
) -> Option<(Colour, Article)> {
    match (first, other) {
        (None, None) => None,
        (Some(first), None) => Some((first.colour, Article::OnePreference)),
        (None, Some(other)) => Some((other.colour.other(), Article::OnePreference)),
        (Some(first), Some(other)) if first.colour != other.colour => {
            Some((first.colour, Article::BothPreferences))
        }
        (Some(first), Some(other)) => match (first.strong, other.strong) {
            (true, false) => Some((first.colour, Article::StrongPreference)),
            (false, true) => Some((other.colour.other(), Article::StrongPreference)),
            _ => None,
        },
    }
}

/// 4.3.5: colour differences.
fn by_difference(first: &Standing, other: &Standing) -> Option<(Colour, Article)> {
    let colour = match first.difference().cmp(&other.difference()) {
        std::cmp::Ordering::Less => Colour::White,
        std::cmp::Ordering::Equal => return None,
        std::cmp::Ordering::Greater => Colour::Black,
    };
    Some((colour, Article::ColourDifference))
}

/// 4.3.6: the matches that both have played, compared from the last one back.
fn by_alternation(first: &Standing, other: &Standing) -> Option<(Colour, Article)> {
    let mut together = first.colours.iter().rev().zip(other.colours.iter().rev());
    let (colour, _) = together.find(|(first, other)| first != other)?;
    Some((colour.other(), Article::Alternation))
}

/// 4.3.7 to 4.3.9, when nothing before has decided.
fn by_first_team(first: &Standing, other: &Standing, initial: Colour) -> (Colour, Article) {
    let last = |team: &Standing| team.colours.last().copied();
    match (first.preference, last(first), last(other)) {
        (Some(preference), ..) => (preference.colour, Article::FirstTeamPreference),
        (None, Some(colour), _) => (colour.other(), Article::FirstTeamAlternates),
        (None, None, Some(colour)) => (colour, Article::OtherTeamAlternates),
        (None, None, None) => (initial, Article::InitialColour),
    }
}
