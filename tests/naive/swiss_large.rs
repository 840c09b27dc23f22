//! Judges a round of a large team Swiss criterion by criterion: every value is compared with the best one that another
//! implementation of matchings finds, and every choice with all choices that would come before it.

use super::swiss::Naive;
use overboard_schedules::{
    ids::TeamNo,
    swiss_team::{next_round::NextRound, readings::NextBracket},
};
use std::{cmp::Reverse, collections::BTreeMap};

type Pairs = Vec<(TeamNo, TeamNo)>;

/// Panics at the first article that the round breaks.
pub fn judge(field: &NextRound, matches: &[(TeamNo, TeamNo)], bye: Option<TeamNo>) {
    let naive = Naive::new(field);
    let judge = Judge {
        naive,
        matches,
        graded: field.settings.readings.next_bracket == NextBracket::Graded,
    };
    judge.judge_all(bye);
}

struct Judge<'a> {
    naive: Naive<'a>,
    matches: &'a [(TeamNo, TeamNo)],
    graded: bool,
}

/// The least cost of a perfect matching of the teams, by the crate `integer-blossom`; `None` if there is no such
/// matching. Its weights must not be negative, so each cost is subtracted from a number greater than any sum.
fn least(teams: &[TeamNo], cost: &dyn Fn(TeamNo, TeamNo) -> Option<i128>) -> Option<i128> {
    let n = teams.len();
    let costs: Vec<Option<i128>> = (0..n * n)
        .map(|i| (i / n, i % n))
        .map(|(u, v)| {
            if u == v {
                None
            } else {
                cost(teams[u.min(v)], teams[u.max(v)])
            }
        })
        .collect();
    let most = costs.iter().flatten().max().copied().unwrap_or(0);
    let lift = (most + 1) * (n as i128 + 1);
    assert!(most < 1 << 105, "costs too wide for this judge");
    let weights: Vec<i128> = costs
        .iter()
        .map(|cost| cost.map_or(0, |cost| lift - cost))
        .collect();
    let mates = integer_blossom::max_weight_matching(&weights, n);
    let sum: Option<i128> = mates
        .iter()
        .enumerate()
        .map(|(u, mate)| costs[u * n + (*mate)?])
        .sum();
    sum.map(|twice| twice / 2)
}

impl Judge<'_> {
    fn judge_all(&self, bye: Option<TeamNo>) {
        let mut unpaired = self.naive.present();
        self.judge_legality(&unpaired, bye);
        if let Some(bye) = bye {
            self.judge_bye(&unpaired, bye);
            unpaired.retain(|tpn| *tpn != bye);
        }
        while let Some(highest) = unpaired.iter().map(|tpn| self.naive.score(*tpn)).max() {
            let (top, mut lower): (Vec<TeamNo>, Vec<TeamNo>) = unpaired
                .iter()
                .partition(|tpn| self.naive.score(**tpn) == highest);
            lower.sort_by_key(|tpn| (Reverse(self.naive.score(*tpn)), *tpn));
            let set: Vec<TeamNo> = lower
                .iter()
                .copied()
                .filter(|tpn| top.contains(&self.opponent(*tpn)))
                .collect();
            self.judge_set(&top, &lower, &set);
            let members: Vec<TeamNo> = top.iter().chain(&set).copied().collect();
            self.judge_bracket(&members, &set);
            unpaired.retain(|tpn| !members.contains(tpn));
        }
        for (white, black) in self.matches {
            assert_eq!(
                self.naive.colours(*black, *white),
                (*white, *black),
                "article 4"
            );
        }
    }

    fn opponent(&self, tpn: TeamNo) -> TeamNo {
        let pair = self
            .matches
            .iter()
            .find(|(a, b)| *a == tpn || *b == tpn)
            .expect("is paired");
        if pair.0 == tpn { pair.1 } else { pair.0 }
    }

    fn may_meet(&self, a: TeamNo, b: TeamNo) -> Option<i128> {
        self.naive.may_meet(a, b).then_some(0)
    }

    fn can_be_paired(&self, teams: &[TeamNo]) -> bool {
        least(teams, &|a, b| self.may_meet(a, b)).is_some()
    }

    fn judge_legality(&self, present: &[TeamNo], bye: Option<TeamNo>) {
        let mut paired: Vec<TeamNo> = self
            .matches
            .iter()
            .flat_map(|(a, b)| [*a, *b])
            .chain(bye)
            .collect();
        paired.sort_unstable();
        let mut present = present.to_vec();
        present.sort_unstable();
        assert_eq!(paired, present, "3.3.1");
        assert!(
            self.matches
                .iter()
                .all(|(a, b)| self.naive.may_meet(*a, *b)),
            "2.1.1"
        );
        assert!(
            bye.is_none_or(|bye| !self.naive.barred_from_bye(bye)),
            "2.1.2"
        );
    }

    fn judge_bye(&self, present: &[TeamNo], bye: TeamNo) {
        let rank = |tpn: TeamNo| {
            (
                self.naive.score(tpn),
                Reverse(self.naive.colours_had(tpn).len()),
                Reverse(tpn),
            )
        };
        for tpn in present.iter().copied().filter(|tpn| rank(*tpn) < rank(bye)) {
            let rest: Vec<TeamNo> = present
                .iter()
                .copied()
                .filter(|other| *other != tpn)
                .collect();
            assert!(
                self.naive.barred_from_bye(tpn) || !self.can_be_paired(&rest),
                "3.4: {tpn}"
            );
        }
    }

    /// 3.5, with all criteria in one number. From the most significant: the number of upfloaters; how many of them have
    /// each score, from the lowest score up; the needs of the next bracket; the former floaters.
    fn judge_set(&self, top: &[TeamNo], lower: &[TeamNo], set: &[TeamNo]) {
        let all: Vec<TeamNo> = top.iter().chain(lower).copied().collect();
        let Some(next) = lower.first().map(|tpn| self.naive.score(*tpn)) else {
            return;
        };
        let is_next = |tpn: TeamNo| self.naive.score(tpn) == next;
        let next_size = lower.iter().filter(|tpn| is_next(**tpn)).count();
        let crosses = |a: TeamNo, b: TeamNo| i128::from(top.contains(&a) != top.contains(&b));
        let count = least(&all, &|a, b| self.may_meet(a, b).map(|_| crosses(a, b))).expect("2.2.1");
        assert_eq!(set.len() as i128, count, "2.3.1");
        if set.is_empty() {
            return;
        }
        let (base, next_base) = (count + 1, next_size as i128 + 1);
        let levels: BTreeMap<_, _> = lower
            .iter()
            .rev()
            .map(|tpn| (self.naive.score(*tpn), 0))
            .collect();
        // Scores below the lowest one in the given set have a single cost, above all others: the best set cannot use
        // them if this one does not.
        let lowest = set.iter().map(|tpn| self.naive.score(*tpn)).min();
        let used: Vec<_> = levels
            .keys()
            .copied()
            .filter(|score| Some(*score) >= lowest)
            .collect();
        let unit = |place: usize| next_base * base * base.pow((used.len() - 1 - place) as u32);
        let level_cost = |tpn: TeamNo| match used
            .iter()
            .position(|score| *score == self.naive.score(tpn))
        {
            Some(place) => unit(place),
            None => unit(0) * base,
        };
        let floater = |tpn: TeamNo| self.naive.former_floaters(&[tpn]) as i128;
        let total = unit(0) * base * 2;
        let cost = |watch: bool| {
            move |a: TeamNo, b: TeamNo| {
                self.naive
                    .may_meet(a, b)
                    .then(|| match (top.contains(&a), top.contains(&b)) {
                        (true, true) => 0,
                        (false, false) => i128::from(watch && is_next(a) != is_next(b)) * base,
                        (_, a_is_lower) => {
                            let lower = if a_is_lower { a } else { b };
                            total + level_cost(lower) + floater(lower)
                        }
                    })
            }
        };
        let forced = |members: &[TeamNo], watch: bool| {
            let cost = cost(watch);
            least(&all, &|a, b| {
                let stays = |tpn: &TeamNo| members.contains(tpn);
                if !top.contains(&a) && !top.contains(&b) && (stays(&a) || stays(&b)) {
                    None
                } else {
                    cost(a, b)
                }
            })
        };
        let (best, given) = (
            least(&all, &cost(true)).expect("2.2.1"),
            forced(set, true).expect("2.2.1"),
        );
        let needs = |value: i128| value / base % next_base;
        assert_eq!(
            best / (base * next_base),
            given / (base * next_base),
            "2.3.2"
        );
        let left = next_size - set.iter().filter(|tpn| is_next(**tpn)).count();
        let watch = self.graded || needs(best) == left as i128 % 2;
        let (best, given) = if watch {
            assert_eq!(needs(best), needs(given), "2.3.3");
            (best, given)
        } else {
            (
                least(&all, &cost(false)).expect("2.2.1"),
                forced(set, false).expect("2.2.1"),
            )
        };
        assert_eq!(best, given, "2.3.4");
        for (place, tpn) in lower
            .iter()
            .enumerate()
            .filter(|(_, tpn)| !set.contains(tpn))
        {
            let mut earlier: Vec<TeamNo> = lower[..place]
                .iter()
                .copied()
                .filter(|t| set.contains(t))
                .collect();
            if earlier.len() < set.len() {
                earlier.push(*tpn);
                assert!(
                    forced(&earlier, watch).is_none_or(|value| value > best),
                    "3.5.4: {tpn}"
                );
            }
        }
    }

    fn judge_bracket(&self, members: &[TeamNo], set: &[TeamNo]) {
        let seats = self.naive.seats(members);
        let seat = |tpn: TeamNo| {
            seats
                .iter()
                .position(|member| *member == tpn)
                .expect("a member")
        };
        let base = members.len() as i128 + 1;
        let cost = |a: TeamNo, b: TeamNo| {
            self.naive.may_meet(a, b).then(|| {
                let (denied, strongly, floaters) = self.naive.quality(&vec![(a, b)], set);
                (denied as i128 * base + strongly as i128) * base + floaters as i128
            })
        };
        let best = least(&seats, &cost).expect("2.2.1");
        let ours: Pairs = seats
            .iter()
            .map(|tpn| (*tpn, self.opponent(*tpn)))
            .filter(|(a, b)| seat(*a) < seat(*b))
            .collect();
        assert_eq!(
            ours.iter().filter_map(|(a, b)| cost(*a, *b)).sum::<i128>(),
            best,
            "2.3.5 to 2.3.7"
        );
        let tops: Vec<TeamNo> = ours.iter().map(|pair| pair.0).collect();
        // `least` passes each pair in the order of the seats, so a comes before b.
        for (place, tpn) in seats
            .iter()
            .enumerate()
            .filter(|(_, tpn)| !tops.contains(tpn))
        {
            let earlier = |t: TeamNo| seat(t) < place;
            if tops.iter().filter(|top| earlier(**top)).count() == tops.len() {
                break;
            }
            let may_be_top = |t: TeamNo| !earlier(t) || tops.contains(&t);
            let may_be_bottom = |t: TeamNo| t != *tpn && (!earlier(t) || !tops.contains(&t));
            let value = least(&seats, &|a, b| {
                if may_be_top(a) && may_be_bottom(b) {
                    cost(a, b)
                } else {
                    None
                }
            });
            assert!(
                value.is_none_or(|value| value > best),
                "3.6.3: {tpn} could be a top member"
            );
        }
        for (place, (top, bottom)) in ours.iter().enumerate() {
            let fixed = |t: TeamNo| ours[..place].iter().find(|(a, b)| *a == t || *b == t);
            for other in seats
                .iter()
                .copied()
                .filter(|t| !tops.contains(t) && seat(*t) < seat(*bottom))
            {
                if fixed(other).is_some() || seat(other) < seat(*top) {
                    continue;
                }
                let value = least(&seats, &|a, b| {
                    let kept = fixed(a).or(fixed(b)).is_none_or(|pair| *pair == (a, b));
                    let forced = (a != *top && b != other) || (a == *top && b == other);
                    let sides = tops.contains(&a) && !tops.contains(&b);
                    if kept && forced && sides {
                        cost(a, b)
                    } else {
                        None
                    }
                });
                assert!(
                    value.is_none_or(|value| value > best),
                    "3.6.3: {top} could meet {other}"
                );
            }
        }
    }
}
