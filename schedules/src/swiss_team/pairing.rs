//! A whole round: the bye, the brackets from the top, the colours (article 3).

use super::{
    article::Article,
    bracket::Bracket,
    colours::{colour_of_first, first_team},
    context::Context,
    legality::Bar,
    next_round::NextRound,
    pairing_error::{NoPairingProof, PairingError},
    settings::Settings,
    standing::Standing,
    upfloaters::Unpaired,
};
use crate::{
    ids::{RoundNo, TeamNo},
    matching::{Alike, Barrier, Matching},
    points::Points,
    team::Colour,
};
use serde::Serialize;
use std::cmp::Reverse;

/// The pairing of a round and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pairing {
    /// The round.
    pub round: RoundNo,
    /// The matches in the order of the tables (C.04.2 3.6), table 1 first.
    pub matches: Vec<Match>,
    /// The team with the pairing-allocated bye.
    pub bye: Option<TeamNo>,
    /// The brackets, from the top.
    pub brackets: Vec<BracketAccount>,
    /// All teams before the round, by number.
    pub standings: Vec<Standing>,
    /// The regulations by which it was paired.
    pub settings: Settings,
}

/// A match to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Match {
    /// The team with White on the first board.
    pub white: TeamNo,
    /// The team with Black on the first board.
    pub black: TeamNo,
    /// The article that gave the colours.
    pub colour_article: Article,
}

/// One bracket and the values that were reached in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BracketAccount {
    /// The score of its residents.
    pub score: Points,
    /// The residents, ordered by number.
    pub residents: Vec<TeamNo>,
    /// The upfloaters, in the order of 3.5.3.
    pub upfloaters: Vec<TeamNo>,
    /// \[C6\]: how many upfloaters the following scoregroup will need, if there was a choice.
    pub next_needs: Option<usize>,
    /// \[C7\]: how many upfloaters were floaters in the previous round; 0 in rounds where that does not count.
    pub floaters_again: usize,
    /// \[C8\]: pairs in which both want the same colour.
    pub preference_clashes: usize,
    /// \[C9\]: pairs in which both strongly want the same colour.
    pub strong_clashes: usize,
    /// \[C10\]: how many opponents of upfloaters were floaters in the previous round; 0 in rounds where that does not
    /// count.
    pub opponents_floaters: usize,
    /// Pairs of top and bottom member, by top member.
    pub pairs: Vec<(TeamNo, TeamNo)>,
}

impl BracketAccount {
    /// The residents, then the upfloaters.
    pub(super) fn members(&self) -> Vec<TeamNo> {
        [&self.residents[..], &self.upfloaters].concat()
    }
}

/// Pairs the next round.
///
/// # Errors
/// If the field is invalid, or there is no legal pairing (with the proof).
pub fn pair(field: &NextRound) -> Result<Pairing, PairingError> {
    field.validate()?;
    let context = Context::new(field);
    let bye = choose_bye(&context)?;
    let mut paired = context.present.clone();
    paired.retain(|team| Some(*team) != bye);
    let brackets = pair_brackets(&context, paired)?;
    let mut matches = Vec::new();
    for (_, pairs) in &brackets {
        for (a, b) in pairs {
            matches.push(place_match(&context, *a, *b));
        }
    }
    matches.sort_by_key(|(rank, _)| *rank);
    Ok(Pairing {
        round: field.round(),
        matches: matches.into_iter().map(|(_, game)| game).collect(),
        bye: bye.map(|team| context.standings[team].tpn),
        brackets: brackets.into_iter().map(|(account, _)| account).collect(),
        standings: context.standings,
        settings: field.settings.clone(),
    })
}

/// The teams that may have the bye, in the order of 3.4.
pub(super) fn bye_order(context: &Context) -> Vec<usize> {
    let mut order = context.present.clone();
    order.retain(|team| context.standings[*team].bye_bar.is_none());
    order.sort_by_key(|team| {
        let standing = &context.standings[*team];
        (
            standing.score,
            Reverse(standing.colours.len()),
            Reverse(standing.tpn),
        )
    });
    order
}

/// The team with the bye, if one is needed; or the proof that not all teams can be paired.
fn choose_bye(context: &Context) -> Result<Option<usize>, PairingError> {
    if context.present.len().is_multiple_of(2) {
        let possible = context.legality.can_be_paired(&context.present);
        return if possible {
            Ok(None)
        } else {
            Err(prove(context))
        };
    }
    for team in bye_order(context) {
        let mut others = context.present.clone();
        others.retain(|other| *other != team);
        if context.legality.can_be_paired(&others) {
            return Ok(Some(team));
        }
    }
    Err(prove(context))
}

/// Brackets from the top, each with its pairs.
type Brackets = Vec<(BracketAccount, Vec<(usize, usize)>)>;

fn pair_brackets(context: &Context, mut unpaired: Vec<usize>) -> Result<Brackets, PairingError> {
    context.sort_by_score(&mut unpaired);
    let mut brackets = Brackets::new();
    while let Some(first) = unpaired.first() {
        let score = context.standings[*first].score;
        let end = unpaired.partition_point(|team| context.standings[*team].score == score);
        let (top, lower) = unpaired.split_at(end);
        let choice = Unpaired {
            context,
            top,
            lower,
        }
        .choose()?;
        let members = [top, &choice.upfloaters].concat();
        let bracket = Bracket::new(context, score, members);
        let pairs = bracket.pair()?;
        let [preference_clashes, strong_clashes, opponents_floaters] = bracket.sum(&pairs);
        let tpn = |team: &usize| context.standings[*team].tpn;
        let account = BracketAccount {
            score,
            residents: top.iter().map(tpn).collect(),
            upfloaters: choice.upfloaters.iter().map(tpn).collect(),
            next_needs: choice.next_needs,
            floaters_again: choice.floaters,
            preference_clashes,
            strong_clashes,
            opponents_floaters,
            pairs: pairs.iter().map(|(a, b)| (tpn(a), tpn(b))).collect(),
        };
        unpaired = lower.to_vec();
        unpaired.retain(|team| !choice.upfloaters.contains(team));
        brackets.push((account, pairs));
    }
    Ok(brackets)
}

/// The order of tables: higher score of the higher-ranked team, larger sum of scores, smaller number
/// of the higher-ranked team (C.04.2 3.6).
type TableRank = (Reverse<Points>, Reverse<Points>, TeamNo);

fn place_match(context: &Context, a: usize, b: usize) -> (TableRank, Match) {
    let (a, b) = (&context.standings[a], &context.standings[b]);
    let by_rank = |team: &&Standing| (Reverse(team.score), team.tpn);
    let higher = if by_rank(&a) < by_rank(&b) { a } else { b };
    let (first, other) = first_team(a, b);
    let (colour, colour_article) = colour_of_first(first, other, context.field.settings.initial);
    let (white, black) = if colour == Colour::White {
        (first, other)
    } else {
        (other, first)
    };
    let rank = (
        Reverse(higher.score),
        Reverse(a.score + b.score),
        higher.tpn,
    );
    (
        rank,
        Match {
            white: white.tpn,
            black: black.tpn,
            colour_article,
        },
    )
}

/// The articles that may rule out any pairing at all.
const ABSOLUTE: [Article; 3] = [Article::Rematch, Article::Forbidden, Article::SecondBye];

/// The graph of all present teams, with the bye as the last vertex if their number is odd. One of the articles
/// can be left out, to see whether it is the one that rules out a pairing.
fn graph_of_all(context: &Context, without: Option<Article>) -> Matching<Alike> {
    let present = &context.present;
    let allowed = |article: Article| without == Some(article);
    Matching::with(present.len().next_multiple_of(2), |u, v| {
        let there = if v == present.len() {
            context.standings[present[u]].bye_bar.is_none() || allowed(Article::SecondBye)
        } else {
            match context.legality.between(present[u], present[v]) {
                None => true,
                Some(Bar::Met) => allowed(Article::Rematch),
                Some(Bar::Forbidden) => allowed(Article::Forbidden),
            }
        };
        if there { Some(0) } else { None }
    })
}

/// The proof that there is no legal pairing.
fn prove(context: &Context) -> PairingError {
    let Err(barrier) = graph_of_all(context, None).solve() else {
        return PairingError::Internal("a pairing exists after all");
    };
    let single = |article: &Article| graph_of_all(context, Some(*article)).solve().is_ok();
    let mut articles: Vec<Article> = ABSOLUTE.into_iter().filter(single).collect();
    if articles.is_empty() {
        articles = ABSOLUTE.to_vec();
        articles.retain(|article| separates(context, &barrier, *article));
    }
    // The bye is the vertex after all teams.
    let bye = context.present.len();
    let tpn = |vertex: &usize| Some(context.standings[*context.present.get(*vertex)?].tpn);
    let tpns = |vertices: &[usize]| -> Vec<TeamNo> { vertices.iter().filter_map(tpn).collect() };
    PairingError::Impossible(NoPairingProof {
        articles,
        cut: tpns(&barrier.cut),
        bye_in_cut: barrier.cut.contains(&bye),
        groups: barrier.parts.iter().map(|part| tpns(part)).collect(),
    })
}

/// Whether an article keeps an odd group from another group, or from the rest.
fn separates(context: &Context, barrier: &Barrier, article: Article) -> bool {
    let freed = graph_of_all(context, Some(article));
    let group = |v: usize| barrier.parts.iter().position(|part| part.contains(&v));
    let is_apart = |u: usize, v: usize| group(u) != group(v) && freed.weight(u, v).is_some();
    let mut vertices = Vec::from_iter(0..freed.size());
    vertices.retain(|v| !barrier.cut.contains(v));
    vertices
        .iter()
        .any(|u| vertices.iter().any(|v| is_apart(*u, *v)))
}
