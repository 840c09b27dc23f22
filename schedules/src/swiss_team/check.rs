//! Checks a pairing made elsewhere: the first article that it breaks, and a better pairing.

use super::{
    article::Article,
    bracket::{Bracket, CRITERIA, Values, first_worse},
    context::Context,
    legality::Bar,
    next_round::NextRound,
    pairing::{BracketAccount, Match, Pairing, bye_order, pair},
    pairing_error::PairingError,
    upfloaters::Unpaired,
};
use crate::{ids::TeamNo, points::Points, team::Pair};
use serde::{Deserialize, Serialize};
use std::{cmp::Ordering, collections::BTreeSet};

/// A pairing of a round, as given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// White and Black of each match.
    pub matches: Vec<(TeamNo, TeamNo)>,
    /// The team with the pairing-allocated bye.
    pub bye: Option<TeamNo>,
}

impl Given {
    /// A pairing without the account of how it was made.
    #[must_use]
    pub fn of(pairing: &Pairing) -> Self {
        let matches = pairing
            .matches
            .iter()
            .map(|game| (game.white, game.black))
            .collect();
        Self {
            matches,
            bye: pairing.bye,
        }
    }
}

/// What is wrong with the given pairing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Broken {
    /// The first article that is broken.
    pub article: Article,
    /// The score of the bracket in which it is broken, if it concerns one bracket.
    pub bracket: Option<Points>,
    /// The teams concerned.
    pub teams: Vec<TeamNo>,
    /// What was expected, and what was found.
    pub text: String,
}

/// The verdict on a given pairing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The first mistake, if there is one.
    pub broken: Option<Broken>,
    /// The pairing that keeps all articles; `None` if there is no legal pairing.
    pub better: Option<Pairing>,
}

/// Checks a given pairing of the next round.
///
/// # Errors
/// If the field is invalid. That there is no legal pairing is a verdict, not an error.
pub fn check(field: &NextRound, given: &Given) -> Result<Verdict, PairingError> {
    let better = match pair(field) {
        Ok(pairing) => Some(pairing),
        Err(PairingError::Impossible(_)) => None,
        Err(failure) => return Err(failure),
    };
    let checker = Checker {
        context: Context::new(field),
        given,
    };
    let mut broken = checker.incomplete().or_else(|| checker.illegal());
    if let (None, Some(pairing)) = (&broken, &better) {
        broken = match checker.wrong_bye(pairing)? {
            Some(broken) => Some(broken),
            None => checker.wrong_pairs(pairing)?,
        };
        broken = broken.or_else(|| checker.wrong_colour(pairing));
    }
    Ok(Verdict { broken, better })
}

struct Checker<'a> {
    context: Context<'a>,
    given: &'a Given,
}

/// A mistake that does not concern one bracket.
fn broken(article: Article, teams: impl Into<Vec<TeamNo>>, text: String) -> Broken {
    Broken {
        article,
        bracket: None,
        teams: teams.into(),
        text,
    }
}

/// `2, 3 and 5`, or this word for none.
pub(super) fn list(teams: &[impl ToString], none: &str) -> String {
    let teams: Vec<String> = teams.iter().map(ToString::to_string).collect();
    match teams.split_last() {
        None => none.to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

impl Checker<'_> {
    fn tpn(&self, team: usize) -> TeamNo {
        self.context.standings[team].tpn
    }

    /// A team that is neither paired nor has the bye, although it should (3.3.1).
    fn incomplete(&self) -> Option<Broken> {
        let mut left: BTreeSet<TeamNo> = self.context.teams().map(|team| team.tpn).collect();
        let mut teams = Vec::new();
        for (white, black) in &self.given.matches {
            teams.extend([*white, *black]);
        }
        teams.extend(self.given.bye);
        for tpn in teams {
            if !left.remove(&tpn) {
                let text = format!("team {tpn} is not present, or is paired twice");
                return Some(broken(Article::Complete, [tpn], text));
            }
        }
        if let (Some(bye), true) = (self.given.bye, self.context.present.len().is_multiple_of(2)) {
            let text = format!("team {bye} has a bye although the number of teams is even");
            return Some(broken(Article::Complete, [bye], text));
        }
        if left.is_empty() {
            return None;
        }
        let left: Vec<TeamNo> = left.into_iter().collect();
        let text = format!("without an opponent: {}", list(&left, "none"));
        Some(broken(Article::Complete, left, text))
    }

    /// A pair or a bye that is forbidden (2.1.1, 2.1.2).
    fn illegal(&self) -> Option<Broken> {
        for &(white, black) in &self.given.matches {
            let (Some(a), Some(b)) = (self.context.place(white), self.context.place(black)) else {
                continue;
            };
            match self.context.legality.between(a, b) {
                None => {}
                Some(Bar::Met) => {
                    let text = format!("teams {white} and {black} have met before");
                    return Some(broken(Article::Rematch, [white, black], text));
                }
                Some(Bar::Forbidden) => {
                    let text = format!("teams {white} and {black} are kept apart");
                    return Some(broken(Article::Forbidden, [white, black], text));
                }
            }
        }
        let bye = self.given.bye?;
        let bar = self.context.standings[self.context.place(bye)?].bye_bar?;
        Some(broken(
            Article::SecondBye,
            [bye],
            format!("team {bye} may not have the bye: it {}", bar.words()),
        ))
    }

    /// A wrong bye (3.4). A bye of a legal pairing leaves one, so it can only come too late in the order.
    fn wrong_bye(&self, better: &Pairing) -> Result<Option<Broken>, PairingError> {
        let (Some(given), Some(right)) = (self.given.bye, better.bye) else {
            return Ok(None);
        };
        if given == right {
            return Ok(None);
        }
        let places = (self.context.place(given), self.context.place(right));
        let (Some(given_place), Some(right_place)) = places else {
            return Ok(None);
        };
        let order = bye_order(&self.context);
        let rank = |team: usize| order.iter().position(|other| *other == team);
        if rank(given_place) < rank(right_place) {
            return Err(PairingError::Internal("a better bye was missed"));
        }
        let (ours, theirs) = (
            &self.context.standings[right_place],
            &self.context.standings[given_place],
        );
        let (article, text) = if ours.score != theirs.score {
            (
                Article::ByeScore,
                format!("score {} instead of {}", ours.score, theirs.score),
            )
        } else if ours.colours.len() != theirs.colours.len() {
            let (ours, theirs) = (ours.colours.len(), theirs.colours.len());
            (
                Article::ByeMatches,
                format!("{ours} matches played instead of {theirs}"),
            )
        } else {
            (Article::ByeNumber, "the larger number".to_owned())
        };
        let text = format!("team {right} should have the bye, not team {given}: {text}");
        Ok(Some(broken(article, [right, given], text)))
    }

    /// The first bracket whose pairs differ.
    fn wrong_pairs(&self, better: &Pairing) -> Result<Option<Broken>, PairingError> {
        let mut left = self.context.present.clone();
        left.retain(|team| Some(self.tpn(*team)) != better.bye);
        for account in &better.brackets {
            let members = self.context.places(&account.members());
            let mut unpaired = left.clone();
            self.context.sort_by_score(&mut unpaired);
            let (top, lower) = unpaired.split_at(account.residents.len());
            let unpaired = Unpaired {
                context: &self.context,
                top,
                lower,
            };
            let broken = self
                .wrong_upfloaters(&unpaired, account)
                .or_else(|| self.wrong_bracket(account, members.clone()));
            if let Some(broken) = broken {
                return Ok(Some(Broken {
                    bracket: Some(account.score),
                    ..broken
                }));
            }
            left.retain(|team| !members.contains(team));
        }
        Ok(None)
    }

    /// The given opponent of a team.
    fn opponent(&self, tpn: TeamNo) -> Option<TeamNo> {
        let opponent = |(white, black): &(TeamNo, TeamNo)| Pair::new(*white, *black).opponent(tpn);
        self.given.matches.iter().find_map(opponent)
    }

    /// Wrong upfloaters (3.5): the lower teams that the residents were given, in order.
    fn wrong_upfloaters(&self, unpaired: &Unpaired, account: &BracketAccount) -> Option<Broken> {
        let (mut given, mut tpns) = (Vec::new(), Vec::new());
        for team in unpaired.lower {
            let tpn = self.tpn(*team);
            if let Some(other) = self.opponent(tpn)
                && account.residents.contains(&other)
            {
                given.push(*team);
                tpns.push(tpn);
            }
        }
        if tpns == account.upfloaters {
            return None;
        }
        let right = self.context.places(&account.upfloaters);
        let (article, text) = self.compare_sets(unpaired, &given, &right);
        let [ours, theirs] = [&account.upfloaters, &tpns].map(|teams| list(teams, "none"));
        let text = format!("upfloaters should be {ours}, not {theirs}: {text}");
        Some(broken(article, tpns, text))
    }

    /// The first criterion by which the right set of upfloaters is better.
    fn compare_sets(
        &self,
        unpaired: &Unpaired,
        given: &[usize],
        right: &[usize],
    ) -> (Article, String) {
        if given.len() != right.len() {
            return (
                Article::FewestUpfloaters,
                format!("{} are enough", right.len()),
            );
        }
        let profile = |set: &[usize]| {
            let mut scores: Vec<Points> = set
                .iter()
                .map(|team| self.context.standings[*team].score)
                .collect();
            scores.sort_unstable();
            scores
        };
        if profile(given) != profile(right) {
            return (
                Article::UpfloaterScores,
                "their scores are higher".to_owned(),
            );
        }
        let needs = |set: &[usize]| {
            let (needs, left) = (unpaired.next_needs_after(set), unpaired.next_left(set));
            if self.context.graded {
                needs
            } else {
                Some(usize::from(needs != Some(left % 2)))
            }
        };
        if needs(given) != needs(right) {
            return (
                Article::NextBracket,
                "the next bracket can be paired better".to_owned(),
            );
        }
        let (ours, theirs) = (unpaired.floaters(right), unpaired.floaters(given));
        match ours.cmp(&theirs) {
            Ordering::Equal => (Article::SetOrder, "they come first in order".to_owned()),
            _ => (
                Article::FloaterAgain,
                format!("{ours} of them floated in the previous round, not {theirs}"),
            ),
        }
    }

    /// Wrong pairs in a bracket whose members are right (3.6).
    fn wrong_bracket(&self, account: &BracketAccount, members: Vec<usize>) -> Option<Broken> {
        let bracket = Bracket::new(&self.context, account.score, members);
        let mut pairs = account.pairs.iter();
        let (a, b) = pairs.find(|(a, b)| self.opponent(*a) != Some(*b))?;
        let mut theirs = Vec::new();
        for team in bracket.seats() {
            let tpn = self.tpn(*team);
            theirs.extend(self.opponent(tpn).map(|other| (tpn, other)));
        }
        // Each given pair is listed from both sides.
        let theirs = self.sum(&bracket, &theirs).map(|twice| twice / 2);
        let ours = self.sum(&bracket, &account.pairs);
        let (article, why) = match first_worse(ours, theirs) {
            Some(nth) => (
                CRITERIA[nth],
                format!("{} instead of {} in the bracket", ours[nth], theirs[nth]),
            ),
            None => (Article::PairingOrder, "it comes first in order".to_owned()),
        };
        let found = match self.opponent(*a) {
            Some(other) => format!(", not {a}-{other}"),
            None => String::new(),
        };
        let text = format!("{a}-{b} should be paired{found}: {why}");
        Some(broken(article, [*a, *b], text))
    }

    /// The sums of the values of pairs in a bracket.
    fn sum(&self, bracket: &Bracket, pairs: &[(TeamNo, TeamNo)]) -> Values {
        let mut places = Vec::new();
        for (a, b) in pairs {
            if let (Some(a), Some(b)) = (self.context.place(*a), self.context.place(*b)) {
                places.push((a, b));
            }
        }
        bracket.sum(&places)
    }

    /// A wrong colour (article 4).
    fn wrong_colour(&self, better: &Pairing) -> Option<Broken> {
        let turned = |game: &&Match| self.given.matches.contains(&(game.black, game.white));
        let Match {
            white,
            black,
            colour_article,
        } = *better.matches.iter().find(turned)?;
        let text = format!(
            "team {white} should have White against team {black}: {}",
            colour_article.gist()
        );
        Some(broken(colour_article, [white, black], text))
    }
}
