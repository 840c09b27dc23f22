//! A participant's own record (article 7, 13.1), and criteria of our own.

use super::{Code, TieBreak};
use crate::{
    points::{Points, Ratio},
    team::Colour,
    tournament::{Kind, RoundEntry, Score, Tournament},
};

/// The value of a tie-break on a participant's own record.
pub(super) fn value(this: &TieBreak, field: &Tournament, row: usize) -> Option<Ratio> {
    use Code as C;
    let score = this.on(field);
    let win = field.worth(score).win;
    let rounds = &field.rows[row].rounds;
    let count = |is: &dyn Fn(&RoundEntry) -> bool| {
        Ratio::new(rounds.iter().filter(|entry| is(entry)).count() as i64, 1)
    };
    // 15.2: forfeits in a round robin are ordinary results, but a lost one is an unplayed game for this article.
    let over_board =
        |entry: &RoundEntry| field.counts(entry, this.forfeits) && entry.kind != Kind::ForfeitLoss;
    let won = |entry: &RoundEntry| over_board(entry) && is_win(field, entry, score);
    let black = |entry: &RoundEntry| entry.colour == Some(Colour::Black);
    let total = |score: Score| field.total(row, score).ratio();
    Some(match this.code {
        C::Points => total(score),
        C::MatchPoints => total(Score::Match),
        C::GamePoints => total(Score::Game),
        C::OtherScore => total(field.primary.other()),
        C::Wins if score == Score::Match || !field.teams => {
            count(&|entry| entry.score(score) >= win)
        }
        C::Wins => count(&|entry| is_win(field, entry, score)),
        C::Won => count(&won),
        C::BlackPlayed => count(&|entry| over_board(entry) && black(entry)),
        C::BlackWon => count(&|entry| won(entry) && black(entry)),
        C::Elected => count(&|entry| !entry.kind.is_voluntary()),
        C::Standard => rounds
            .iter()
            .enumerate()
            .map(|(round, entry)| standard(field, round, entry, score))
            .sum(),
        C::Number => Ratio::new(i64::from(field.rows[row].number.get()), 1),
        C::Kings | C::SubWins => tally(rounds).own.ratio(),
        C::KingDifference => {
            let Tally { own, theirs, .. } = tally(rounds);
            (own - theirs).ratio()
        }
        C::KingsCut => {
            let Tally { own, least, .. } = tally(rounds);
            (own - least.unwrap_or_default()).ratio()
        }
        _ => return None,
    })
}

/// The kings or sub-games that were counted, and the least number of own ones in a round.
#[derive(Default)]
struct Tally {
    own: Points,
    theirs: Points,
    least: Option<Points>,
}

fn tally(rounds: &[RoundEntry]) -> Tally {
    let mut sum = Tally::default();
    for entry in rounds {
        if let Some([own, theirs]) = entry.tally {
            sum.own += own;
            sum.theirs += theirs;
            sum.least = Some(sum.least.map_or(own, |least| least.min(own)));
        }
    }
    sum
}

/// Whether a round gave the points of a win. In game points a team wins with more than a drawn match gives.
fn is_win(field: &Tournament, entry: &RoundEntry, score: Score) -> bool {
    let worth = field.worth(score);
    if field.teams && score == Score::Game {
        entry.score(score) > worth.draw
    } else {
        entry.score(score) >= worth.win
    }
}

/// 7.7: 1 for more points than the scheduled opponent, ½ for as many.
fn standard(field: &Tournament, round: usize, entry: &RoundEntry, score: Score) -> Ratio {
    let own = entry.score(score);
    let opponents = entry
        .opponent
        .and_then(|other| field.rows[other].rounds.get(round));
    let other = opponents.map_or(field.worth(score).draw, |entry| entry.score(score));
    match own.cmp(&other) {
        std::cmp::Ordering::Greater => Ratio::new(1, 1),
        std::cmp::Ordering::Equal => Ratio::new(1, 2),
        std::cmp::Ordering::Less => Ratio::ZERO,
    }
}
