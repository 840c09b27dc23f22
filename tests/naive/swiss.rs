//! The Swiss Team Pairing System as its text defines it: candidates are listed in the order of the articles, and the
//! first that complies is taken. For ten teams at most.

use overboard_schedules::{
    ids::TeamNo,
    points::Points,
    swiss_team::{
        next_round::{Event, NextRound, Past, Presence, Team},
        readings::{
            FirstTeam, FloatScore, LastRoundRepeat, NextBracket, Numbering, Seating, UnplayedFloats,
        },
        settings::{PreferenceType, Score},
    },
    team::Colour,
};
use std::cmp::Reverse;

/// White and Black of each match, sorted; and the bye.
pub type Round = (Vec<(TeamNo, TeamNo)>, Option<TeamNo>);

/// The round that the text prescribes; `None` if there is no legal one.
pub fn pair(field: &NextRound) -> Option<Round> {
    Naive::new(field).pair()
}

/// White, Black, and the article that determines this.
pub fn colours(field: &NextRound, a: TeamNo, b: TeamNo) -> (TeamNo, TeamNo, &'static str) {
    Naive::new(field).colours_by(a, b)
}

/// A field, judged by the articles.
pub struct Naive<'a> {
    field: &'a NextRound,
    round: usize,
}

type Pairs = Vec<(TeamNo, TeamNo)>;

impl<'a> Naive<'a> {
    pub fn new(field: &'a NextRound) -> Self {
        Self {
            field,
            round: field.round().get() as usize,
        }
    }
}

impl Naive<'_> {
    fn pair(&self) -> Option<Round> {
        let mut unpaired = self.present();
        let bye = if unpaired.len() % 2 == 1 {
            Some(self.bye(&unpaired)?)
        } else {
            None
        };
        unpaired.retain(|tpn| Some(*tpn) != bye);
        if !self.all_can_be_paired(&unpaired) {
            return None;
        }
        let mut matches = Vec::new();
        while !unpaired.is_empty() {
            let pairs = self.bracket(&unpaired);
            unpaired.retain(|tpn| pairs.iter().all(|(a, b)| a != tpn && b != tpn));
            matches.extend(pairs.into_iter().map(|(a, b)| self.colours(a, b)));
        }
        matches.sort_unstable();
        Some((matches, bye))
    }

    pub fn present(&self) -> Vec<TeamNo> {
        let present = self
            .field
            .teams
            .iter()
            .filter(|team| team.presence == Presence::Present);
        present.map(|team| team.tpn).collect()
    }

    fn team(&self, tpn: TeamNo) -> &Team {
        self.field
            .teams
            .iter()
            .find(|team| team.tpn == tpn)
            .expect("a team of the field")
    }

    // 3.4

    fn bye(&self, unpaired: &[TeamNo]) -> Option<TeamNo> {
        let mut candidates: Vec<TeamNo> = unpaired
            .iter()
            .copied()
            .filter(|tpn| !self.barred_from_bye(*tpn))
            .collect();
        candidates.sort_by_key(|tpn| {
            (
                self.score(*tpn),
                Reverse(self.colours_had(*tpn).len()),
                Reverse(*tpn),
            )
        });
        candidates.into_iter().find(|tpn| {
            let rest: Vec<TeamNo> = unpaired
                .iter()
                .copied()
                .filter(|other| other != tpn)
                .collect();
            self.all_can_be_paired(&rest)
        })
    }

    pub fn barred_from_bye(&self, tpn: TeamNo) -> bool {
        self.team(tpn).history.iter().any(|past| {
            matches!(
                past.event,
                Event::PairingBye | Event::FullBye | Event::ForfeitWin { .. }
            )
        })
    }

    // 2.1.1

    pub fn may_meet(&self, a: TeamNo, b: TeamNo) -> bool {
        let met = self
            .team(a)
            .history
            .iter()
            .any(|past| matches!(past.event, Event::Played { opponent, .. } if opponent == b));
        let forbidden = self
            .field
            .forbidden
            .iter()
            .any(|pair| *pair == (a, b) || *pair == (b, a));
        !met && !forbidden
    }

    /// All ways to pair these teams with each other.
    fn pairings(&self, teams: &[TeamNo]) -> Vec<Pairs> {
        let Some((first, rest)) = teams.split_first() else {
            return vec![Vec::new()];
        };
        let mut all = Vec::new();
        for (index, other) in rest.iter().enumerate() {
            if self.may_meet(*first, *other) {
                let mut left = rest.to_vec();
                left.remove(index);
                for mut pairs in self.pairings(&left) {
                    pairs.push((*first, *other));
                    all.push(pairs);
                }
            }
        }
        all
    }

    fn all_can_be_paired(&self, teams: &[TeamNo]) -> bool {
        let Some((first, rest)) = teams.split_first() else {
            return true;
        };
        rest.iter().enumerate().any(|(index, other)| {
            let mut left = rest.to_vec();
            left.remove(index);
            self.may_meet(*first, *other) && self.all_can_be_paired(&left)
        })
    }

    // 3.5

    fn bracket(&self, unpaired: &[TeamNo]) -> Pairs {
        let highest = unpaired
            .iter()
            .map(|tpn| self.score(*tpn))
            .max()
            .expect("there are teams");
        let of = |wanted: bool| -> Vec<TeamNo> {
            unpaired
                .iter()
                .copied()
                .filter(|tpn| (self.score(*tpn) == highest) == wanted)
                .collect()
        };
        let (top, lower) = (of(true), of(false));
        let upfloaters = self.upfloaters(&top, &lower);
        let mut members = top;
        members.extend(&upfloaters);
        self.best_pairing(members, &upfloaters)
    }

    fn upfloaters(&self, top: &[TeamNo], lower: &[TeamNo]) -> Vec<TeamNo> {
        let mut sorted = lower.to_vec();
        sorted.sort_by_key(|tpn| (Reverse(self.score(*tpn)), *tpn));
        let mut sets = self.legal_sets(top, &sorted);
        let fewest = sets.iter().map(Vec::len).min().expect("completion");
        sets.retain(|set| set.len() == fewest);
        let best = sets.iter().map(|set| self.profile(set)).max();
        sets.retain(|set| Some(self.profile(set)) == best);
        sets.sort();
        let key = |set: &Vec<TeamNo>| (self.next_bracket(set, &sorted), self.former_floaters(set));
        let least = sets.iter().map(key).min();
        sets.into_iter()
            .find(|set| Some(key(set)) == least)
            .expect("a set")
    }

    /// All sets of teams from `sorted` that can be paired with the top group so that all others can still be paired.
    fn legal_sets(&self, top: &[TeamNo], sorted: &[TeamNo]) -> Vec<Vec<TeamNo>> {
        let mut sets: Vec<Vec<TeamNo>> = Vec::new();
        for mask in 0_u32..1 << sorted.len() {
            let pick = |taken: bool| -> Vec<TeamNo> {
                (0..sorted.len())
                    .filter(|i| (mask >> i & 1 == 1) == taken)
                    .map(|i| sorted[i])
                    .collect()
            };
            let (set, rest) = (pick(true), pick(false));
            let bracket: Vec<TeamNo> = top.iter().chain(&set).copied().collect();
            if self.all_can_be_paired(&bracket) && self.all_can_be_paired(&rest) {
                sets.push(set);
            }
        }
        sets
    }

    /// The scores of a set, in ascending order.
    fn profile(&self, set: &[TeamNo]) -> Vec<Points> {
        let mut scores: Vec<Points> = set.iter().map(|tpn| self.score(*tpn)).collect();
        scores.sort_unstable();
        scores
    }

    /// 2.3.3: 0 if the next bracket complies; otherwise more.
    fn next_bracket(&self, set: &[TeamNo], lower: &[TeamNo]) -> usize {
        let Some(score) = lower.iter().map(|tpn| self.score(*tpn)).max() else {
            return 0;
        };
        let left: Vec<TeamNo> = lower
            .iter()
            .copied()
            .filter(|tpn| !set.contains(tpn))
            .collect();
        let (next, below): (Vec<TeamNo>, Vec<TeamNo>) =
            left.iter().partition(|tpn| self.score(**tpn) == score);
        if next.is_empty() {
            return 0;
        }
        let mut needed = usize::MAX;
        for mask in 0_u32..1 << below.len() {
            let pick = |taken: bool| -> Vec<TeamNo> {
                (0..below.len())
                    .filter(|i| (mask >> i & 1 == 1) == taken)
                    .map(|i| below[i])
                    .collect()
            };
            let bracket: Vec<TeamNo> = next.iter().copied().chain(pick(true)).collect();
            if self.all_can_be_paired(&bracket) && self.all_can_be_paired(&pick(false)) {
                needed = needed.min(mask.count_ones() as usize);
            }
        }
        match self.field.settings.readings.next_bracket {
            NextBracket::Graded => needed,
            NextBracket::Parity => usize::from(needed != next.len() % 2),
        }
    }

    /// 2.3.4: the number of former floaters.
    pub fn former_floaters(&self, set: &[TeamNo]) -> usize {
        if self.last_two_rounds() {
            0
        } else {
            set.iter().filter(|tpn| self.was_floater(**tpn)).count()
        }
    }

    // 3.6

    /// The members of a bracket in the order of 3.6.1, or of G1.
    pub fn seats(&self, members: &[TeamNo]) -> Vec<TeamNo> {
        let mut seats = members.to_vec();
        seats.sort_unstable();
        if self.field.settings.readings.seating == Seating::ScoreThenTpn {
            seats.sort_by_key(|tpn| Reverse(self.score(*tpn)));
        }
        seats
    }

    fn best_pairing(&self, members: Vec<TeamNo>, upfloaters: &[TeamNo]) -> Pairs {
        let members = self.seats(&members);
        let seat = |tpn: TeamNo| {
            members
                .iter()
                .position(|member| *member == tpn)
                .expect("a member")
        };
        let identifier = |pairs: &Pairs| {
            let mut seats: Vec<(usize, usize)> = pairs
                .iter()
                .map(|(a, b)| (seat(*a).min(seat(*b)), seat(*a).max(seat(*b))))
                .collect();
            seats.sort_unstable();
            let tops: Vec<usize> = seats.iter().map(|pair| pair.0).collect();
            let bottoms: Vec<usize> = seats.iter().map(|pair| pair.1).collect();
            (tops, bottoms)
        };
        let key = |pairs: &Pairs| (self.quality(pairs, upfloaters), identifier(pairs));
        self.pairings(&members)
            .into_iter()
            .min_by_key(key)
            .expect("a legal bracket")
    }

    /// 2.3.5 to 2.3.7, counted in teams, with the colours that article 4 gives.
    pub fn quality(&self, pairs: &Pairs, upfloaters: &[TeamNo]) -> (usize, usize, usize) {
        let (mut denied, mut strongly_denied, mut floaters_met) = (0, 0, 0);
        for (a, b) in pairs {
            let (white, black) = self.colours(*a, *b);
            for (tpn, colour) in [(white, Colour::White), (black, Colour::Black)] {
                if let Some((wanted, strong)) = self.preference(tpn)
                    && wanted != colour
                {
                    denied += 1;
                    strongly_denied +=
                        usize::from(strong && self.field.settings.preference == PreferenceType::B);
                }
            }
            for (tpn, opponent) in [(a, b), (b, a)] {
                let counts = upfloaters.contains(opponent) && !self.last_two_rounds();
                floaters_met += usize::from(counts && self.was_floater(*tpn));
            }
        }
        (denied, strongly_denied, floaters_met)
    }

    fn last_two_rounds(&self) -> bool {
        self.round + 2 > usize::from(self.field.settings.rounds)
    }

    // 1.2, 1.5

    fn points(&self, tpn: TeamNo, score: Score, rounds: usize) -> Points {
        let history = &self.team(tpn).history[..rounds];
        match score {
            Score::MatchPoints => history.iter().map(|past| past.match_points).sum(),
            Score::GamePoints => history.iter().map(|past| past.game_points).sum(),
        }
    }

    fn accelerated(&self, tpn: TeamNo, round: usize) -> Points {
        *self
            .team(tpn)
            .virtual_points
            .get(round - 1)
            .unwrap_or(&Points(0))
    }

    pub fn score(&self, tpn: TeamNo) -> Points {
        self.points(tpn, self.field.settings.primary, self.round - 1)
            + self.accelerated(tpn, self.round)
    }

    fn secondary(&self, tpn: TeamNo) -> Points {
        if !self.field.settings.secondary {
            return Points(0);
        }
        match self.field.settings.primary {
            Score::MatchPoints => self.points(tpn, Score::GamePoints, self.round - 1),
            Score::GamePoints => self.points(tpn, Score::MatchPoints, self.round - 1),
        }
    }

    fn was_floater(&self, tpn: TeamNo) -> bool {
        let Some(past) = self.team(tpn).history.last() else {
            return false;
        };
        let opponent = match past.event {
            Event::Played { opponent, .. } => opponent,
            Event::ForfeitWin { opponent }
            | Event::ForfeitLoss { opponent }
            | Event::DoubleForfeit { opponent }
                if self.field.settings.readings.unplayed_floats == UnplayedFloats::Floaters =>
            {
                opponent
            }
            _ => return false,
        };
        let before = |tpn: TeamNo| {
            let score = self.points(tpn, self.field.settings.primary, self.round - 2);
            match self.field.settings.readings.float_score {
                FloatScore::Pairing => score + self.accelerated(tpn, self.round - 1),
                FloatScore::Standings => score,
            }
        };
        before(tpn) != before(opponent)
    }

    // 1.6, 1.7

    pub fn colours_had(&self, tpn: TeamNo) -> Vec<Colour> {
        let history = self.team(tpn).history.iter();
        history
            .filter_map(|past| {
                if let Event::Played { colour, .. } = past.event {
                    Some(colour)
                } else {
                    None
                }
            })
            .collect()
    }

    fn difference(&self, tpn: TeamNo) -> i32 {
        let had = self.colours_had(tpn);
        let whites = had
            .iter()
            .filter(|colour| **colour == Colour::White)
            .count() as i32;
        whites - (had.len() as i32 - whites)
    }

    fn preference(&self, tpn: TeamNo) -> Option<(Colour, bool)> {
        let had = self.colours_had(tpn);
        let difference = self.difference(tpn);
        let ends_with = |colour: Colour| had.len() >= 2 && had[had.len() - 2..] == [colour, colour];
        let last_round = self.round == usize::from(self.field.settings.rounds);
        let kind = self.field.settings.preference;
        if kind == PreferenceType::None || had.is_empty() {
            return None;
        }
        let b = kind == PreferenceType::B;
        let waived = b
            && last_round
            && difference == 0
            && self.field.settings.readings.last_round_repeat == LastRoundRepeat::None;
        if waived {
            return None;
        }
        if difference < -1 || ((difference == 0 || difference == -1) && ends_with(Colour::Black)) {
            return Some((Colour::White, b));
        }
        if difference > 1 || ((difference == 0 || difference == 1) && ends_with(Colour::White)) {
            return Some((Colour::Black, b));
        }
        if !b {
            return None;
        }
        match difference {
            -1 => Some((Colour::White, false)),
            1 => Some((Colour::Black, false)),
            0 if !last_round && had.ends_with(&[Colour::Black]) => Some((Colour::White, false)),
            0 if !last_round && had.ends_with(&[Colour::White]) => Some((Colour::Black, false)),
            _ => None,
        }
    }

    // 4

    pub fn colours(&self, a: TeamNo, b: TeamNo) -> (TeamNo, TeamNo) {
        let (white, black, _) = self.colours_by(a, b);
        (white, black)
    }

    /// White, Black, and the article that determines this.
    fn colours_by(&self, a: TeamNo, b: TeamNo) -> (TeamNo, TeamNo, &'static str) {
        let score = |tpn: TeamNo| match self.field.settings.readings.first_team {
            FirstTeam::Pairing => self.score(tpn),
            FirstTeam::Standings => self.points(tpn, self.field.settings.primary, self.round - 1),
        };
        let rank = |tpn: TeamNo| (Reverse(score(tpn)), Reverse(self.secondary(tpn)), tpn);
        let (first, other) = if rank(a) < rank(b) { (a, b) } else { (b, a) };
        let (colour, article) = self.colour_of(first, other);
        if colour == Colour::White {
            (first, other, article)
        } else {
            (other, first, article)
        }
    }

    fn colour_of(&self, first: TeamNo, other: TeamNo) -> (Colour, &'static str) {
        let (ours, theirs) = (self.colours_had(first), self.colours_had(other));
        if ours.is_empty() && theirs.is_empty() {
            let arrived = self
                .field
                .teams
                .iter()
                .filter(|team| team.presence != Presence::NotArrived);
            let number = match self.field.settings.readings.numbering {
                Numbering::Arrived => arrived.filter(|team| team.tpn <= first).count(),
                Numbering::Tpn => first.get() as usize,
            };
            let initial = self.field.settings.initial;
            return (
                if number % 2 == 1 {
                    initial
                } else {
                    initial.other()
                },
                "4.3.1",
            );
        }
        let (wanted, theirs_wanted) = (self.preference(first), self.preference(other));
        match (wanted, theirs_wanted) {
            (Some((colour, _)), None) => return (colour, "4.3.2"),
            (None, Some((colour, _))) => return (colour.other(), "4.3.2"),
            (Some((a, strong_a)), Some((b, strong_b))) => {
                if a != b {
                    return (a, "4.3.3");
                }
                if strong_a != strong_b {
                    return (if strong_a { a } else { b.other() }, "4.3.4");
                }
            }
            (None, None) => {}
        }
        if self.difference(first) < self.difference(other) {
            return (Colour::White, "4.3.5");
        }
        if self.difference(first) > self.difference(other) {
            return (Colour::Black, "4.3.5");
        }
        for back in 1..=ours.len().min(theirs.len()) {
            let (a, b) = (ours[ours.len() - back], theirs[theirs.len() - back]);
            if a != b {
                return (a.other(), "4.3.6");
            }
        }
        if let Some((colour, _)) = wanted {
            return (colour, "4.3.7");
        }
        match (ours.last(), theirs.last()) {
            (Some(last), _) => (last.other(), "4.3.8"),
            (None, Some(last)) => (*last, "4.3.9"),
            (None, None) => unreachable!("one of them has played"),
        }
    }
}

/// The number of the first article that a legal and complete pairing breaks.
pub fn first_broken(field: &NextRound, given: &Round) -> Option<&'static str> {
    Naive::new(field).first_broken(given)
}

impl Naive<'_> {
    fn first_broken(&self, (given, given_bye): &Round) -> Option<&'static str> {
        let mut unpaired = self.present();
        if let Some(given_bye) = *given_bye {
            let right = self.bye(&unpaired).expect("the given bye is possible");
            if right != given_bye {
                return Some(if self.score(right) != self.score(given_bye) {
                    "3.4.2"
                } else if self.colours_had(right).len() != self.colours_had(given_bye).len() {
                    "3.4.3"
                } else {
                    "3.4.4"
                });
            }
            unpaired.retain(|tpn| *tpn != right);
        }
        while let Some(highest) = unpaired.iter().map(|tpn| self.score(*tpn)).max() {
            let (top, mut lower): (Vec<TeamNo>, Vec<TeamNo>) = unpaired
                .iter()
                .partition(|tpn| self.score(**tpn) == highest);
            lower.sort_by_key(|tpn| (Reverse(self.score(*tpn)), *tpn));
            let right = self.upfloaters(&top, &lower);
            let with_top =
                |a: TeamNo, b: TeamNo| given.iter().any(|pair| *pair == (a, b) || *pair == (b, a));
            let theirs: Vec<TeamNo> = lower
                .iter()
                .copied()
                .filter(|tpn| top.iter().any(|other| with_top(*tpn, *other)))
                .collect();
            if right != theirs {
                return Some(self.worse_set(&right, &theirs, &lower));
            }
            let members: Vec<TeamNo> = top.iter().chain(&right).copied().collect();
            let pairs = self.best_pairing(members.clone(), &right);
            if !pairs.iter().all(|(a, b)| with_top(*a, *b)) {
                let theirs: Pairs = given
                    .iter()
                    .copied()
                    .filter(|(a, _)| members.contains(a))
                    .collect();
                let (ours, theirs) = (self.quality(&pairs, &right), self.quality(&theirs, &right));
                return Some(if ours.0 != theirs.0 {
                    "2.3.5"
                } else if ours.1 != theirs.1 {
                    "2.3.6"
                } else if ours.2 != theirs.2 {
                    "2.3.7"
                } else {
                    "3.6.3"
                });
            }
            unpaired.retain(|tpn| !members.contains(tpn));
        }
        given
            .iter()
            .any(|(a, b)| self.colours(*a, *b) != (*a, *b))
            .then_some("4.3")
    }

    fn worse_set(&self, right: &[TeamNo], theirs: &[TeamNo], lower: &[TeamNo]) -> &'static str {
        if right.len() != theirs.len() {
            "2.3.1"
        } else if self.profile(right) != self.profile(theirs) {
            "2.3.2"
        } else if self.next_bracket(right, lower) != self.next_bracket(theirs, lower) {
            "2.3.3"
        } else if self.former_floaters(right) != self.former_floaters(theirs) {
            "2.3.4"
        } else {
            "3.5.4"
        }
    }

    /// A random legal pairing; `choose` returns a number below a bound.
    fn any_pairing(&self, choose: &mut dyn FnMut(usize) -> usize) -> Option<Round> {
        let mut teams = self.present();
        let mut bye = None;
        if teams.len() % 2 == 1 {
            let mut able: Vec<TeamNo> = teams
                .iter()
                .copied()
                .filter(|tpn| !self.barred_from_bye(*tpn))
                .collect();
            able.retain(|tpn| {
                let rest: Vec<TeamNo> =
                    teams.iter().copied().filter(|other| other != tpn).collect();
                self.all_can_be_paired(&rest)
            });
            bye = Some(*able.get(choose(able.len().max(1)))?);
        }
        teams.retain(|tpn| Some(*tpn) != bye);
        let all = self.pairings(&teams);
        let mut pairs = all.get(choose(all.len().max(1)))?.clone();
        for pair in &mut pairs {
            *pair = self.colours(pair.0, pair.1);
            if choose(40) == 0 {
                *pair = (pair.1, pair.0);
            }
        }
        pairs.sort_unstable();
        Some((pairs, bye))
    }
}

/// A random legal pairing; `choose` returns a number below a bound.
pub fn any_pairing(field: &NextRound, choose: &mut dyn FnMut(usize) -> usize) -> Option<Round> {
    Naive::new(field).any_pairing(choose)
}

/// The first article that keeps two teams apart that were paired with others.
pub fn why_not(field: &NextRound, a: TeamNo, b: TeamNo) -> &'static str {
    Naive::new(field).why_not(a, b)
}

impl Naive<'_> {
    fn why_not(&self, a: TeamNo, b: TeamNo) -> &'static str {
        let met =
            |past: &Past| matches!(past.event, Event::Played { opponent, .. } if opponent == b);
        if self.team(a).history.iter().any(met) {
            return "2.1.1";
        }
        if !self.may_meet(a, b) {
            return "regulation";
        }
        let mut unpaired = self.present();
        let bye = if unpaired.len() % 2 == 1 {
            self.bye(&unpaired)
        } else {
            None
        };
        unpaired.retain(|tpn| Some(*tpn) != bye);
        loop {
            let highest = unpaired
                .iter()
                .map(|tpn| self.score(*tpn))
                .max()
                .expect("both are paired");
            let (top, mut lower): (Vec<TeamNo>, Vec<TeamNo>) = unpaired
                .iter()
                .partition(|tpn| self.score(**tpn) == highest);
            lower.sort_by_key(|tpn| (Reverse(self.score(*tpn)), *tpn));
            let set = self.upfloaters(&top, &lower);
            let members: Vec<TeamNo> = top.iter().chain(&set).copied().collect();
            match (members.contains(&a), members.contains(&b)) {
                (true, true) => return self.why_not_in_bracket(&members, &set, a, b),
                (true, false) => return self.why_not_up(&top, &lower, &set, b),
                (false, true) => return self.why_not_up(&top, &lower, &set, a),
                (false, false) => unpaired.retain(|tpn| !members.contains(tpn)),
            }
        }
    }

    fn why_not_in_bracket(
        &self,
        members: &[TeamNo],
        set: &[TeamNo],
        a: TeamNo,
        b: TeamNo,
    ) -> &'static str {
        let all = self.pairings(members);
        let together = |pairs: &&Pairs| pairs.contains(&(a, b)) || pairs.contains(&(b, a));
        let best = all
            .iter()
            .map(|pairs| self.quality(pairs, set))
            .min()
            .expect("a pairing");
        match all
            .iter()
            .filter(together)
            .map(|pairs| self.quality(pairs, set))
            .min()
        {
            None => "2.2.1",
            Some(forced) if forced.0 != best.0 => "2.3.5",
            Some(forced) if forced.1 != best.1 => "2.3.6",
            Some(forced) if forced.2 != best.2 => "2.3.7",
            Some(_) => "3.6.3",
        }
    }

    fn why_not_up(
        &self,
        top: &[TeamNo],
        lower: &[TeamNo],
        set: &[TeamNo],
        tpn: TeamNo,
    ) -> &'static str {
        if !top.iter().any(|other| self.may_meet(*other, tpn)) {
            return "2.1.1";
        }
        let mut sets = self.legal_sets(top, lower);
        sets.retain(|set| set.contains(&tpn));
        let Some(fewest) = sets.iter().map(Vec::len).min() else {
            return "2.2.1";
        };
        sets.retain(|set| set.len() == fewest);
        let best = sets.iter().map(|set| self.profile(set)).max();
        sets.retain(|set| Some(self.profile(set)) == best);
        let key = |set: &Vec<TeamNo>| (self.next_bracket(set, lower), self.former_floaters(set));
        self.worse_set(
            set,
            &sets.into_iter().min_by_key(key).expect("a set"),
            lower,
        )
    }
}
