//! Why a round was paired as it was, in sentences that can be read aloud.

use super::{
    article::Article,
    bracket::Bracket,
    check::list,
    context::Context,
    next_round::{Event, NextRound, Presence, Team},
    pairing::{BracketAccount, Match, Pairing, bye_order, pair},
    pairing_error::PairingError,
    readings::{READINGS, Reading},
    settings::{PreferenceType, Score},
    standing::{Preference, Standing},
    upfloaters::Unpaired,
};
use crate::{
    ids::{RoundNo, TeamNo},
    points::Points,
    team::Colour,
};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// A sentence and the article that it is based on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The article; `None` for a sentence that only states a fact.
    pub article: Option<Article>,
    /// The sentence.
    pub text: String,
}

/// The sentence, then its article: `The sentence. (2.3.1 \[C4\])`
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.article {
            Some(article) => write!(f, "{} ({article})", self.text),
            None => f.write_str(&self.text),
        }
    }
}

fn plain(text: String) -> Reason {
    Reason {
        article: None,
        text,
    }
}

fn by(article: Article, text: String) -> Reason {
    Reason {
        article: Some(article),
        text,
    }
}

/// A paired round that can be explained.
pub struct Explainer<'a> {
    context: Context<'a>,
    pairing: Pairing,
    name: &'a dyn Fn(TeamNo) -> String,
}

impl<'a> Explainer<'a> {
    /// Pairs the next round; `name` returns what a team is called.
    ///
    /// # Errors
    /// Those of [`pair`].
    pub fn new(
        field: &'a NextRound,
        name: &'a dyn Fn(TeamNo) -> String,
    ) -> Result<Self, PairingError> {
        let pairing = pair(field)?;
        Ok(Self {
            context: Context::new(field),
            pairing,
            name,
        })
    }

    /// The pairing that is explained.
    #[must_use]
    pub fn pairing(&self) -> &Pairing {
        &self.pairing
    }

    /// The whole round: the regulations, the bye, each bracket, the colours.
    ///
    /// # Errors
    /// Only if there are too many criteria to compare.
    pub fn round(&self) -> Result<Vec<Reason>, PairingError> {
        let mut reasons = self.regulations();
        reasons.extend(self.bye());
        for account in &self.pairing.brackets {
            reasons.extend(self.bracket(account)?);
        }
        for game in &self.pairing.matches {
            reasons.push(self.colours(game));
        }
        Ok(reasons)
    }

    /// One team: its standing, its bracket, its float, its opponent, its colour or its bye.
    ///
    /// # Errors
    /// Those of [`round`](Self::round).
    pub fn team(&self, tpn: TeamNo) -> Result<Vec<Reason>, PairingError> {
        let Some(place) = self.context.place(tpn) else {
            return Ok(vec![plain(format!(
                "There is no team with the number {tpn}."
            ))]);
        };
        if !self.context.present.contains(&place) {
            return Ok(vec![plain(format!(
                "{} does not take part in this round.",
                self.named(tpn)
            ))]);
        }
        let mut reasons = vec![self.standing(&self.context.standings[place])];
        if self.pairing.bye == Some(tpn) {
            reasons.extend(self.bye());
            return Ok(reasons);
        }
        if let Some(account) = self.bracket_of(tpn) {
            reasons.extend(self.bracket(account)?);
        }
        reasons.extend(self.match_of(tpn).map(|game| self.colours(game)));
        Ok(reasons)
    }

    /// Two teams: why they meet, or why they do not.
    ///
    /// # Errors
    /// Those of [`round`](Self::round).
    pub fn two(&self, a: TeamNo, b: TeamNo) -> Result<Vec<Reason>, PairingError> {
        let (Some(place_a), Some(place_b)) = (self.context.place(a), self.context.place(b)) else {
            return Ok(vec![plain(format!(
                "There are no two teams with the numbers {a} and {b}."
            ))]);
        };
        let other = self.named(b);
        if a == b {
            return Ok(vec![plain(format!(
                "{} cannot meet itself.",
                self.named(a)
            ))]);
        }
        for (tpn, place) in [(a, place_a), (b, place_b)] {
            if !self.context.present.contains(&place) || self.pairing.bye == Some(tpn) {
                return self.team(tpn);
            }
        }
        if let Some(reason) = self.apart(place_a, place_b) {
            return Ok(vec![reason]);
        }
        let mut reasons = Vec::new();
        for place in [place_a, place_b] {
            reasons.push(self.standing(&self.context.standings[place]));
        }
        match self.match_of(a) {
            Some(game) if game.white == b || game.black == b => {
                reasons.push(plain(format!("{} and {other} meet.", self.named(a))));
                if let Some(account) = self.bracket_of(a) {
                    reasons.extend(self.bracket(account)?);
                }
                reasons.push(self.colours(game));
            }
            _ => reasons.push(self.why_not(a, b)?),
        }
        Ok(reasons)
    }

    fn named(&self, tpn: TeamNo) -> String {
        (self.name)(tpn)
    }

    fn names(&self, teams: &[TeamNo]) -> String {
        let names: Vec<String> = teams.iter().map(|tpn| self.named(*tpn)).collect();
        list(&names, "nobody")
    }

    fn match_of(&self, tpn: TeamNo) -> Option<&Match> {
        self.pairing
            .matches
            .iter()
            .find(|game| game.white == tpn || game.black == tpn)
    }

    fn bracket_of(&self, tpn: TeamNo) -> Option<&BracketAccount> {
        let has = |account: &&BracketAccount| {
            account.residents.contains(&tpn) || account.upfloaters.contains(&tpn)
        };
        self.pairing.brackets.iter().find(has)
    }

    fn regulations(&self) -> Vec<Reason> {
        let settings = &self.pairing.settings;
        let score = match settings.primary {
            Score::MatchPoints => "match points",
            Score::GamePoints => "game points",
        };
        let preference = match settings.preference {
            PreferenceType::A => "colour preferences of Type A",
            PreferenceType::B => "colour preferences of Type B",
            PreferenceType::None => "no colour preferences",
        };
        let mut reasons = vec![plain(format!(
            "Round {} of {}: {} teams are to be paired by {score}, with {preference}.",
            self.pairing.round,
            settings.rounds,
            self.context.present.len(),
        ))];
        reasons.extend(self.accelerated());
        for reading in READINGS.iter().filter(|reading| self.bears(reading)) {
            let words = reading.chosen(settings.readings).words;
            reasons.push(plain(format!("Interpretation {}: {words}.", reading.id)));
        }
        reasons
    }

    /// Whether an interpretation is listed with the regulations: some in each round, others only if they matter in it.
    fn bears(&self, reading: &Reading) -> bool {
        let mut teams = self.context.field.teams.iter();
        let mut standings = self.context.standings.iter();
        match reading.id {
            "SW-1" => teams.any(was_unplayed),
            "SW-2" => standings.any(|team| team.virtual_points != Points::ZERO),
            "SW-6" => teams.any(|team| team.presence == Presence::NotArrived),
            _ => reading.setting.is_some(),
        }
    }

    /// Who has virtual points in this round.
    fn accelerated(&self) -> Vec<Reason> {
        let mut groups: BTreeMap<Points, Vec<TeamNo>> = BTreeMap::new();
        for team in self.context.teams() {
            if team.virtual_points != Points::ZERO {
                let group = groups.entry(team.virtual_points).or_default();
                group.push(team.tpn);
            }
        }
        let mut reasons = Vec::new();
        for (points, teams) in groups.iter().rev() {
            let names = self.names(teams);
            let text = format!("Virtual points (C.04.7): {points} for {names}.");
            reasons.push(plain(text));
        }
        reasons
    }

    fn standing(&self, team: &Standing) -> Reason {
        let colours: String = team.colours.iter().map(|colour| letter(*colour)).collect();
        let colours = if colours.is_empty() {
            "no match yet".to_owned()
        } else {
            format!("colours {colours}")
        };
        let preference = preference_words(team.preference);
        let floated = if team.floater {
            ", floated in the previous round"
        } else {
            ""
        };
        let points = match team.virtual_points {
            Points::ZERO => String::new(),
            points => format!(" with {points} virtual (C.04.7)"),
        };
        let (name, score) = (self.named(team.tpn), team.score);
        plain(format!(
            "{name}: score {score}{points}, {colours}, {preference}{floated}."
        ))
    }

    /// Why this team has the bye.
    fn bye(&self) -> Vec<Reason> {
        let Some(bye) = self.pairing.bye else {
            return Vec::new();
        };
        let mut reasons = vec![plain(
            "The number of teams is odd, so one has the bye.".to_owned(),
        )];
        for team in self.context.teams() {
            if let Some(bar) = team.bye_bar {
                let (name, words) = (self.named(team.tpn), bar.words());
                let text = format!("{name} may not have it: it {words}.");
                reasons.push(by(Article::SecondBye, text));
            }
        }
        let mut order = Vec::new();
        for team in bye_order(&self.context) {
            order.push(&self.context.standings[team]);
        }
        let first = order.iter().position(|team| team.tpn == bye);
        let (before, after) = order.split_at(first.unwrap_or(order.len()));
        for team in before {
            let text = format!(
                "{} is first in order, but the others could not be paired then.",
                self.named(team.tpn)
            );
            reasons.push(by(Article::ByeCompletion, text));
        }
        reasons.push(self.why_bye(bye, after));
        reasons
    }

    /// Why the first of these teams has the bye, and not the next.
    fn why_bye(&self, bye: TeamNo, order: &[&Standing]) -> Reason {
        let title = self.named(bye);
        match order {
            [own, next, ..] if own.score != next.score => by(
                Article::ByeScore,
                format!("{title} has the lowest score, {}.", own.score),
            ),
            [own, next, ..] if own.colours.len() != next.colours.len() => {
                let text = format!(
                    "{title} has the lowest score, {}, and of these teams the most matches, {}.",
                    own.score,
                    own.colours.len()
                );
                by(Article::ByeMatches, text)
            }
            [own, _, ..] => {
                let text = format!(
                    "{title} has the lowest score, {}, has played {}, and of several such teams has the largest number.",
                    own.score,
                    count_words(own.colours.len(), "match", "matches")
                );
                by(Article::ByeNumber, text)
            }
            _ => by(
                Article::SecondBye,
                format!("{title} is the only one left that may have it."),
            ),
        }
    }

    /// The unpaired teams at the start of a bracket: its residents, and the lower teams in order.
    fn unpaired(&self, account: &BracketAccount) -> (Vec<usize>, Vec<usize>) {
        let mut gone: BTreeSet<TeamNo> = self.pairing.bye.into_iter().collect();
        for other in &self.pairing.brackets {
            if other == account {
                break;
            }
            gone.extend(other.members());
        }
        let mut unpaired = self.context.present.clone();
        unpaired.retain(|team| !gone.contains(&self.context.standings[*team].tpn));
        self.context.sort_by_score(&mut unpaired);
        let lower = unpaired.split_off(account.residents.len());
        (unpaired, lower)
    }

    /// The members of a bracket and its pairs.
    fn bracket(&self, account: &BracketAccount) -> Result<Vec<Reason>, PairingError> {
        let residents = self.names(&account.residents);
        let mut reasons = vec![plain(format!("Score {}: {residents}.", account.score))];
        reasons.extend(self.floats(account)?);
        reasons.extend(self.pairs(account));
        Ok(reasons)
    }

    /// Why so many teams float up, and why these.
    fn floats(&self, account: &BracketAccount) -> Result<Vec<Reason>, PairingError> {
        let count = account.upfloaters.len();
        if count == 0 {
            return Ok(Vec::new());
        }
        let (top, lower) = self.unpaired(account);
        let unpaired = Unpaired {
            context: &self.context,
            top: &top,
            lower: &lower,
        };
        let text = match (count, top.len() % 2) {
            (1, _) => "The number of teams is odd, so one team floats up.".to_owned(),
            (_, 1) => {
                format!(
                    "The number of teams is odd, and fewer than {count} upfloaters leave a team unpaired."
                )
            }
            _ => format!("Not all of them can meet each other: {count} teams have to float up."),
        };
        let mut reasons = vec![by(Article::FewestUpfloaters, text)];
        reasons.extend(self.skipped(account, &unpaired)?);
        reasons.extend(self.float_criteria(account, &unpaired));
        let first = if count == 1 {
            "the first that complies"
        } else {
            "the first that comply"
        };
        let verb = self.verb(&account.upfloaters, "floats", "float");
        let text = format!(
            "{verb} up from {}: {first}.",
            self.score_words(&account.upfloaters)
        );
        reasons.push(by(Article::SetOrder, text));
        Ok(reasons)
    }

    /// Criteria that no choice of upfloaters could satisfy.
    fn float_criteria(&self, account: &BracketAccount, unpaired: &Unpaired) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let upfloaters = self.context.places(&account.upfloaters);
        if let Some(needs) = account.next_needs
            && needs != unpaired.next_left(&upfloaters) % 2
        {
            let text = format!(
                "Whichever teams float up, the next bracket is not paired well: it needs {needs} upfloaters."
            );
            reasons.push(by(Article::NextBracket, text));
        }
        if self.context.floats_count && account.floaters_again > 0 {
            let teams = count_words(
                account.floaters_again,
                "upfloater was a floater",
                "upfloaters were floaters",
            );
            let text = format!("At least {teams} in the previous round already.");
            reasons.push(by(Article::FloaterAgain, text));
        }
        reasons
    }

    /// `score 3`, `scores 3 and 2`.
    fn score_words(&self, teams: &[TeamNo]) -> String {
        let mut scores = Vec::new();
        for team in self.context.places(teams) {
            scores.push(self.context.standings[team].score);
        }
        scores.dedup();
        let words: Vec<String> = scores.iter().map(ToString::to_string).collect();
        format!(
            "{} {}",
            if words.len() == 1 { "score" } else { "scores" },
            words.join(" and ")
        )
    }

    fn verb(&self, teams: &[TeamNo], one: &str, more: &str) -> String {
        format!(
            "{} {}",
            self.names(teams),
            if teams.len() == 1 { one } else { more }
        )
    }

    /// The teams that come before the last upfloater in order but do not float up.
    fn skipped(
        &self,
        account: &BracketAccount,
        unpaired: &Unpaired,
    ) -> Result<Vec<Reason>, PairingError> {
        let mut reasons = Vec::new();
        let Some(last) = account.upfloaters.last() else {
            return Ok(reasons);
        };
        for team in unpaired.lower {
            let tpn = self.context.standings[*team].tpn;
            if tpn == *last {
                break;
            }
            if !account.upfloaters.contains(&tpn) {
                let article = unpaired.why_not(*team)?;
                let text = format!("{} stays: {}.", self.named(tpn), stays(article));
                reasons.push(by(article, text));
            }
        }
        Ok(reasons)
    }

    /// How the members of a bracket are paired.
    fn pairs(&self, account: &BracketAccount) -> Vec<Reason> {
        let bracket = self.members(account);
        let (top, bottom) = bracket.seats().split_at(bracket.seats().len() / 2);
        let mut halves = Vec::new();
        for (a, b) in top.iter().zip(bottom) {
            let [a, b] = [a, b].map(|team| self.context.standings[*team].tpn);
            halves.push((a, b));
        }
        let pairs = account.pairs.iter().map(|(a, b)| format!("{a}-{b}"));
        let pairs = pairs.collect::<Vec<_>>().join(", ");
        if account.pairs == halves {
            let text = format!("By number the first half meets the second half: {pairs}.");
            return vec![by(Article::PairingOrder, text)];
        }
        let mut reasons = Vec::new();
        for (a, b) in halves {
            if !account.pairs.contains(&(a, b)) {
                reasons.push(self.not_together(&bracket, a, b));
            }
        }
        reasons.extend(self.criteria(account));
        let text = format!("The first pairing in order that complies: {pairs}.");
        reasons.push(by(Article::PairingOrder, text));
        reasons
    }

    /// Criteria that not all pairs could satisfy.
    fn criteria(&self, account: &BracketAccount) -> Vec<Reason> {
        let counts = [
            (
                Article::Preferences,
                account.preference_clashes,
                "team does not get the colour it prefers",
                "teams do not get the colour they prefer",
            ),
            (
                Article::StrongPreferences,
                account.strong_clashes,
                "of these preferences is strong",
                "of these preferences are strong",
            ),
            (
                Article::OpponentFloater,
                account.opponents_floaters,
                "opponent of an upfloater was a floater in the previous round",
                "opponents of upfloaters were floaters in the previous round",
            ),
        ];
        let mut reasons = Vec::new();
        for (article, count, one, more) in counts {
            if count > 0 {
                let text = format!("At least {}.", count_words(count, one, more));
                reasons.push(by(article, text));
            }
        }
        reasons
    }

    /// A bracket to be paired as it was.
    fn members(&self, account: &BracketAccount) -> Bracket<'_> {
        let members = self.context.places(&account.members());
        Bracket::new(&self.context, account.score, members)
    }

    /// Why two members of a bracket that would come first in order do not meet.
    fn not_together(&self, bracket: &Bracket, a: TeamNo, b: TeamNo) -> Reason {
        let (Some(place_a), Some(place_b)) = (self.context.place(a), self.context.place(b)) else {
            return plain(String::new());
        };
        if let Some(reason) = self.apart(place_a, place_b) {
            return reason;
        }
        let article = bracket.why_not(place_a, place_b);
        let names = format!("{} and {}", self.named(a), self.named(b));
        by(
            article,
            format!("{names} do not meet: {}.", not_paired(article)),
        )
    }

    /// Why two teams cannot meet whatever their brackets are.
    fn apart(&self, a: usize, b: usize) -> Option<Reason> {
        let [one, other] = [a, b].map(|team| self.context.standings[team].tpn);
        let names = format!("{} and {}", self.named(one), self.named(other));
        if let Some(round) = self.met_in(one, other) {
            return Some(by(
                Article::Rematch,
                format!("{names} have met in round {round}."),
            ));
        }
        self.context.legality.between(a, b)?;
        Some(by(
            Article::Forbidden,
            format!("{names} are kept apart by the regulations."),
        ))
    }

    /// The round in which two teams have met, if they have.
    fn met_in(&self, a: TeamNo, b: TeamNo) -> Option<RoundNo> {
        let team = self.context.field.teams.iter().find(|team| team.tpn == a)?;
        let met = |event: Event| matches!(event, Event::Played { opponent, .. } if opponent == b);
        let round = team.history.iter().position(|past| met(past.event))?;
        Some(RoundNo::at(round))
    }

    /// Why two teams that may meet do not.
    fn why_not(&self, a: TeamNo, b: TeamNo) -> Result<Reason, PairingError> {
        let (Some(of_a), Some(of_b)) = (self.bracket_of(a), self.bracket_of(b)) else {
            return Ok(plain("One of them is not paired.".to_owned()));
        };
        if of_a == of_b {
            return Ok(self.not_together(&self.members(of_a), a, b));
        }
        let (higher, lower, low) = if of_a.score > of_b.score {
            (of_a, a, b)
        } else {
            (of_b, b, a)
        };
        let (high, low_name) = (self.named(lower), self.named(low));
        let text = format!(
            "{low_name} does not float up to score {}, where {high} is paired",
            higher.score
        );
        let (top, rest) = self.unpaired(higher);
        let unpaired = Unpaired {
            context: &self.context,
            top: &top,
            lower: &rest,
        };
        let Some(place) = self.context.place(low) else {
            return Ok(plain(text));
        };
        let article = unpaired.why_not(place)?;
        Ok(by(article, format!("{text}: {}.", stays(article))))
    }

    /// Who has White, and why.
    fn colours(&self, game: &Match) -> Reason {
        let (white, black) = (self.named(game.white), self.named(game.black));
        let text = format!(
            "{white} has White against {black}: {}.",
            game.colour_article.gist()
        );
        by(game.colour_article, text)
    }
}

/// Whether a team had an opponent in the previous round and did not play.
fn was_unplayed(team: &Team) -> bool {
    let Some(past) = team.history.last() else {
        return false;
    };
    past.event.opponent().is_some() && !matches!(past.event, Event::Played { .. })
}

fn count_words(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

const fn letter(colour: Colour) -> char {
    match colour {
        Colour::White => 'W',
        Colour::Black => 'B',
    }
}

fn preference_words(preference: Option<Preference>) -> &'static str {
    let Some(Preference { colour, strong }) = preference else {
        return "no colour preference";
    };
    match (colour, strong) {
        (Colour::White, false) => "prefers White",
        (Colour::Black, false) => "prefers Black",
        (Colour::White, true) => "strongly prefers White",
        (Colour::Black, true) => "strongly prefers Black",
    }
}

/// Why a team does not float up.
const fn stays(article: Article) -> &'static str {
    match article {
        Article::Rematch => "it may not meet any team of that score",
        Article::FewestUpfloaters => "with it more upfloaters would be needed",
        Article::UpfloaterScores => "upfloaters with higher scores can be had",
        Article::NextBracket => "the next bracket could be paired less well without it",
        Article::FloaterAgain => "more upfloaters would be floaters of the previous round",
        _ => "other upfloaters come first in order",
    }
}

/// Why two teams of a bracket are not paired.
const fn not_paired(article: Article) -> &'static str {
    match article {
        Article::Completion => "the other members could not all be paired then",
        Article::Preferences => "more teams would not get the colour they prefer",
        Article::StrongPreferences => "more teams would not get the colour they strongly prefer",
        Article::OpponentFloater => {
            "more opponents of upfloaters would be floaters of the previous round"
        }
        _ => "it is possible, but only in a pairing that comes later in order",
    }
}
