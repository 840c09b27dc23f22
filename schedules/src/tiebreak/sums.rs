//! Sums over rounds: Buchholz and its relatives (8, 9, 13.2, 13.4), progressive scores (7.5), with what unplayed
//! rounds add (16.4) and what is cut (14, 16.5).

use super::{Code, TieBreak, Value};
use crate::{
    ids::RoundNo,
    points::{Points, Ratio},
    tournament::{Edition, Kind, RoundEntry, Score, System, Tournament},
};
use serde::Serialize;

/// What one round adds to a sum.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Term {
    /// The round, from 1.
    pub round: RoundNo,
    /// The opponent, by index from 0; null for the dummy of an unplayed round.
    pub opponent: Option<usize>,
    /// The value that it adds.
    pub value: Ratio,
    /// What decides which terms are the least and the most.
    #[serde(skip)]
    weight: Ratio,
    /// Whether the round is voluntarily unplayed (16.1).
    pub voluntary: bool,
    /// Whether it is cut.
    pub cut: bool,
}

/// The terms of a tie-break that is a sum over rounds.
pub(super) fn terms(this: &TieBreak, field: &Tournament, row: usize) -> Option<Vec<Term>> {
    use Code as C;
    let score = this.on(field);
    let products = |theirs: Score, own: Score| {
        let product = |entry: &RoundEntry, points: Points| points.product(entry.score(own));
        met(this, field, row, theirs, product)
    };
    let mut terms = match this.code {
        C::Buchholz | C::ForeBuchholz => met(this, field, row, score, |_, theirs| theirs.ratio()),
        C::Strength => met(this, field, row, field.primary, |_, theirs| theirs.ratio()),
        C::SonnebornBerger => products(score, score),
        C::EmmSb => products(Score::Match, Score::Match),
        C::EmgSb => products(Score::Match, Score::Game),
        C::EgmSb => products(Score::Game, Score::Match),
        C::EggSb => products(Score::Game, Score::Game),
        C::Koya => koya(this, field, row, score),
        C::Progressive => return Some(progressive(this, field, row, score)),
        C::AverageBuchholz => average(this, field, row),
        _ => return None,
    };
    if this.code != C::AverageBuchholz {
        cut(&mut terms, this);
    }
    Some(terms)
}

/// The sum of the terms that are not cut.
pub(super) fn total(this: &TieBreak, field: &Tournament, row: usize, terms: &[Term]) -> Ratio {
    let kept = || terms.iter().filter(|term| !term.cut);
    let sum: Ratio = kept().map(|term| term.value).sum();
    match this.code {
        Code::AverageBuchholz => sum.over(kept().count() as i64),
        Code::Strength => {
            field.total(row, field.primary.other()).ratio() + sum.over(factor(this, field))
        }
        _ => sum,
    }
}

/// 13.4: the highest primary score of the event over the highest secondary score of a match, truncated.
fn factor(this: &TieBreak, field: &Tournament) -> i64 {
    let highest = field.worth(field.primary).win.times(field.rounds as i32);
    let one = field.worth(field.primary.other()).win;
    let reckoned = Ratio::new(i64::from(highest.0), i64::from(one.0.max(1)))
        .truncated()
        .max(1);
    this.factor.map_or(reckoned, i64::from)
}

/// The terms of opponents met, and of the dummies of unplayed rounds; `of` takes the round's entry and the
/// opponent's points.
fn met(
    this: &TieBreak,
    field: &Tournament,
    row: usize,
    score: Score,
    of: impl Fn(&RoundEntry, Points) -> Ratio,
) -> Vec<Term> {
    let fore = this.fore || this.code == Code::ForeBuchholz;
    let mut terms = Vec::new();
    for (round, entry) in RoundNo::all().zip(&field.rows[row].rounds) {
        let is_met = field.counts(entry, this.forfeits);
        let opponent = if is_met { entry.opponent } else { None };
        let theirs = match opponent {
            Some(opponent) => seen(field, opponent, score, fore),
            // A match that is not decided yet adds nothing, and a round robin has no dummies.
            None if entry.kind == Kind::Free || field.system != System::Swiss => continue,
            None => dummy(field, row, entry, score, fore),
        };
        terms.push(Term {
            round,
            opponent,
            value: of(entry, theirs),
            weight: theirs.ratio(),
            voluntary: !is_met && entry.kind.is_voluntary(),
            cut: false,
        });
    }
    terms
}

/// An opponent's points as tie-breaks count them (16.3); with `fore`, as if the last round had been drawn (8.3).
fn seen(field: &Tournament, row: usize, score: Score, fore: bool) -> Points {
    field.adjusted(row, score) + fore_change(field, row, score, fore)
}

/// By how much a draw in the last round would change the points; nothing without `fore`.
fn fore_change(field: &Tournament, row: usize, score: Score, fore: bool) -> Points {
    let rounds = &field.rows[row].rounds;
    if !fore || rounds.len() != field.rounds as usize {
        return Points::ZERO;
    }
    match rounds.last() {
        Some(last) if field.counts(last, field.fore_forfeits) => {
            field.worth(score).draw - last.score(score)
        }
        _ => Points::ZERO,
    }
}

/// 16.4: the points of the dummy opponent of an unplayed round: one's own. Since 2026 not more than the scheduled
/// opponent's after a forfeit, nor than a draw in every round after a bye.
fn dummy(field: &Tournament, row: usize, entry: &RoundEntry, score: Score, fore: bool) -> Points {
    let own = field.total(row, score) + fore_change(field, row, score, fore);
    if field.edition < Edition::Of2026 {
        return own;
    }
    let draws = field.worth(score).draw.times(field.rounds as i32);
    let most = match (entry.kind.is_forfeit(), entry.opponent) {
        (true, Some(opponent)) => seen(field, opponent, score, fore),
        _ => draws,
    };
    own.min(most)
}

/// 9.2: points against opponents with at least half of the possible points, give or take half points (14.5).
fn koya(this: &TieBreak, field: &Tournament, row: usize, score: Score) -> Vec<Term> {
    let all = field.worth(score).win.times(field.rounds as i32);
    let limit = Points(all.0 / 2 + all.0 % 2) + Points(5).times(this.limit);
    met(this, field, row, score, |entry, theirs| {
        if theirs >= limit {
            entry.score(score).ratio()
        } else {
            Ratio::ZERO
        }
    })
}

/// 7.5: the score after each round; a cut leaves out the first rounds.
fn progressive(this: &TieBreak, field: &Tournament, row: usize, score: Score) -> Vec<Term> {
    let mut sum = Points::ZERO;
    let rounds = field.rows[row].rounds.iter().enumerate();
    let terms = rounds.map(|(index, entry)| {
        sum += entry.score(score);
        Term {
            round: RoundNo::at(index),
            opponent: entry.opponent,
            value: sum.ratio(),
            weight: Ratio::new(index as i64, 1),
            voluntary: entry.kind.is_voluntary(),
            cut: (index as u32) < this.cut.least
                || index as u32 + this.cut.most >= field.rows[row].rounds.len() as u32,
        }
    });
    terms.collect()
}

/// 8.2: the mean Buchholz of the opponents met over the board.
fn average(this: &TieBreak, field: &Tournament, row: usize) -> Vec<Term> {
    let buchholz = TieBreak {
        code: Code::Buchholz,
        forfeits: false,
        ..this.clone()
    };
    let mut terms = Vec::new();
    for (round, entry) in RoundNo::all().zip(&field.rows[row].rounds) {
        if entry.kind == Kind::Played
            && let Some(opponent) = entry.opponent
            && let Value::Number(value) = buchholz.value(field, opponent)
        {
            terms.push(Term {
                round,
                opponent: Some(opponent),
                value,
                weight: value,
                voluntary: false,
                cut: false,
            });
        }
    }
    terms
}

/// Cuts the least and the greatest terms (14.1 to 14.4). Of the least, voluntarily unplayed rounds are cut first,
/// unless their term is less than the least (16.5).
fn cut(terms: &mut [Term], this: &TieBreak) {
    for _ in 0..this.cut.least {
        let kept = || (0..terms.len()).filter(|index| !terms[*index].cut);
        let least = kept().min_by_key(|index| (terms[*index].weight, terms[*index].value));
        let Some(least) = least else { return };
        let voluntary = kept().filter(|index| terms[*index].voluntary);
        let first = match voluntary.min_by_key(|index| terms[*index].value) {
            Some(first) if terms[first].value >= terms[least].value => first,
            _ => least,
        };
        terms[first].cut = true;
    }
    for _ in 0..this.cut.most {
        let kept = (0..terms.len()).filter(|index| !terms[*index].cut);
        if let Some(most) = kept.max_by_key(|index| (terms[*index].weight, terms[*index].value)) {
            terms[most].cut = true;
        }
    }
}
