//! Title norms: what the games of a player are worth for the titles that FIDE awards by norms (Handbook B.01, edition
//! of 1 January 2024).
//!
//! Only what an event knows is looked at: games, ratings, titles and federations. The rate of play, the arbiters and the
//! registration with FIDE are not known here ([`NOT_KNOWN`]).

use crate::{
    Event,
    roster::Player,
    settings::{Scoring, System},
};
use overboard_formats::foreign::Foreign;
use overboard_rules::refusal::counted;
use overboard_schedules::{
    points::Points,
    tiebreak::rating::{mean, rating_difference},
    tournament::{Entrant, Kind, RoundEntry, Score, Tournament},
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What else a norm needs, and an event does not know.
pub const NOT_KNOWN: &str = "a norm also depends on what an event does not know: the rate of play, rounds a day, \
    arbiters, registration with FIDE, official ratings and titles; the rules for national championships (1.4.3a-c), for \
    events of fewer games (1.4.1b) and for games that a player may leave out (1.4.1e, f) are not applied";

/// A title that is awarded by norms, the lowest one first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum Title {
    /// Woman International Master.
    Wim,
    /// Woman Grandmaster.
    Wgm,
    /// International Master.
    Im,
    /// Grandmaster.
    Gm,
}

/// The figures of a title.
struct Figures {
    /// The lowest rating performance (1.4.8).
    performance: i64,
    /// The lowest average rating of the opponents (1.4.8a).
    average: i64,
    /// The rating to which that of one opponent may be raised (1.4.6b).
    floor: i64,
    /// The titles that count for it (1.4.5).
    holders: &'static str,
}

impl Title {
    /// All of them, the highest one first.
    const ALL: [Self; 4] = [Self::Gm, Self::Im, Self::Wgm, Self::Wim];

    /// The usual letters.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gm => "GM",
            Self::Im => "IM",
            Self::Wgm => "WGM",
            Self::Wim => "WIM",
        }
    }

    const fn is_of_women(self) -> bool {
        matches!(self, Self::Wgm | Self::Wim)
    }

    const fn figures(self) -> Figures {
        let (performance, average, floor, holders) = match self {
            Self::Gm => (2600, 2380, 2200, "GM"),
            Self::Im => (2450, 2230, 2050, "IM or GM"),
            Self::Wgm => (2400, 2180, 2000, "WGM, IM or GM"),
            Self::Wim => (2250, 2030, 1850, "WIM, WGM, IM or GM"),
        };
        Figures {
            performance,
            average,
            floor,
            holders,
        }
    }
}

/// The titles of the title-holders of 1.4.5a, as they are written in full and in reports of 2016. CM and WCM do not count.
const HOLDERS: [(&str, &str, Option<Title>); 6] = [
    ("GM", "g", Some(Title::Gm)),
    ("IM", "m", Some(Title::Im)),
    ("WGM", "wg", Some(Title::Wgm)),
    ("WIM", "wm", Some(Title::Wim)),
    ("FM", "f", None),
    ("WFM", "wf", None),
];

/// Whether a player is a title-holder, and if so the title if there are norms for it.
fn title_of(player: &Player) -> Option<Option<Title>> {
    let text = player.title.shown();
    for (long, short, title) in HOLDERS {
        if text.eq_ignore_ascii_case(long) || text.eq_ignore_ascii_case(short) {
            return Some(title);
        }
    }
    None
}

/// The title of a player, if there are norms for it.
fn norm_title(player: &Player) -> Option<Title> {
    title_of(player)?
}

fn is_woman(player: &Player) -> bool {
    let is_said = ["w", "f"].contains(&&*player.sex.shown().to_lowercase());
    is_said || norm_title(player).is_some_and(Title::is_of_women)
}

/// The federation; none if it is not entered.
fn federation(player: &Player) -> Option<String> {
    let code = player.federation.shown().to_uppercase();
    if code.is_empty() { None } else { Some(code) }
}

/// Players of no federation. They are opponents, but not foreign ones (1.4.2a).
const NO_FEDERATION: &str = "FID";

/// A condition of a norm that is not met.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shortfall {
    /// The article of B.01.
    pub article: &'static str,
    /// What there is.
    pub has: Points,
    /// What is needed, or with `is_limit` allowed.
    pub needs: Points,
    /// Whether `needs` is the most that is allowed.
    pub is_limit: bool,
    /// The same in words.
    pub words: String,
}

/// What the games of a player are worth for a title.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Norm {
    /// The title.
    pub title: Title,
    /// Whether the games give a norm.
    pub reached: bool,
    /// The average rating of the opponents, the lowest one raised to the floor of the title; null without games.
    pub average: Option<i64>,
    /// The rating performance; null without games.
    pub performance: Option<i64>,
    /// What is missing; empty for a norm.
    pub missing: Vec<Shortfall>,
}

impl Norm {
    /// A norm that is reached, for a page.
    #[must_use]
    pub fn in_words(&self) -> String {
        let [average, performance] =
            [self.average, self.performance].map(Option::unwrap_or_default);
        format!(
            "Games for a norm: {}, performance {performance} against {average} on average",
            self.title.as_str()
        )
    }
}

/// The norms of a player.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerNorms {
    /// The player's number.
    pub number: u32,
    /// The player's name.
    pub name: Foreign,
    /// The title that the player has; empty for none.
    pub title: Foreign,
    /// The federation; empty if it is not entered.
    pub federation: Foreign,
    /// The games that count for norms.
    pub games: usize,
    /// The points in these games: 1 for a win, 0.5 for a draw.
    pub points: Points,
    /// The titles above the player's own, the highest one first. Those of women are only for women.
    pub norms: Vec<Norm>,
}

/// A game that counts.
struct Game<'a> {
    opponent: &'a Player,
    points: Points,
}

/// What holds for all players of an event.
struct NormConditions {
    /// A round robin in which everyone meets everyone twice (1.4.5f).
    is_double: bool,
    /// A round robin of players: some games against unrated players do not count (1.4.2b).
    is_round_robin: bool,
    /// An event of nine rounds, in which a bye or a forfeit may take the place of a game (1.4.1c).
    has_nine_rounds: bool,
    /// A Swiss with so many foreign players that the federations of the opponents are free (1.4.3d).
    is_exempt: bool,
    /// How many take part.
    players: usize,
}

/// Why the games of an event give no norms.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoNorms {
    /// They are of this game.
    #[error("FIDE awards titles for standard chess only, so games of {0} give no norms")]
    Game(String),
    /// Players have no games of their own.
    #[error(
        "a match of this event is one game of the whole team, so its players have no games for norms"
    )]
    OneGame,
}

impl Event {
    /// Makes sure that games of this event can give norms.
    ///
    /// # Errors
    /// Why they cannot.
    pub fn gives_norms(&self) -> Result<(), NoNorms> {
        let game = self.settings.game();
        if !game.is_some_and(|game| game.info().gives_titles) {
            let game = self.settings.game.shown().into_owned();
            return Err(NoNorms::Game(game));
        }
        if self.settings.is_of_teams() && self.settings.scoring != Scoring::Boards {
            return Err(NoNorms::OneGame);
        }
        Ok(())
    }

    /// The norms of every player, in the order of the rows of [`Event::game_tournament`].
    #[must_use]
    pub fn norms(&self, field: &Tournament) -> Vec<PlayerNorms> {
        let nobody = Player::default();
        let players: BTreeMap<u32, &Player> =
            self.players.iter().map(|one| (one.id, one)).collect();
        let player = |row: &Entrant| *players.get(&row.number.get()).unwrap_or(&&nobody);
        let people: Vec<&Player> = field.rows.iter().map(player).collect();
        let terms = NormConditions::of(self, field, &people);
        let norms = |row: &Entrant| norms_of(row, player(row), field, &people, &terms);
        field.rows.iter().map(norms).collect()
    }
}

impl NormConditions {
    fn of(event: &Event, field: &Tournament, people: &[&Player]) -> Self {
        let is_of_players = !event.settings.is_of_teams();
        let is_round_robin = is_of_players && event.settings.system == System::RoundRobin;
        let is_swiss = is_of_players && event.settings.system == System::ByHand;
        let host = event.settings.federation.shown().to_uppercase();
        Self {
            is_double: is_round_robin && event.settings.cycles == 2,
            is_round_robin,
            has_nine_rounds: event.scheduled() == 9,
            is_exempt: is_swiss && !host.is_empty() && is_international(field, people, &host),
            players: people.len(),
        }
    }
}

/// Whether in every round there are at least 20 rated players who are not of the host federation, from at least three
/// federations, and ten of them with a title (1.4.3d). Players count who miss at most one round.
fn is_international(field: &Tournament, people: &[&Player], host: &str) -> bool {
    let is_present = |row: &Entrant| {
        let is_missed = |kind: Kind| kind.is_voluntary() || kind == Kind::FullBye;
        let missed = row.rounds.iter().filter(|entry| is_missed(entry.kind));
        missed.count() <= 1
    };
    let mut federations = BTreeSet::new();
    let (mut rated, mut titled) = (0, 0);
    for (row, player) in field.rows.iter().zip(people) {
        let Some(from) = federation(player) else {
            continue;
        };
        if !is_present(row)
            || own_rating(player).is_none()
            || [host, NO_FEDERATION].contains(&&*from)
        {
            continue;
        }
        federations.insert(from);
        rated += 1;
        titled += usize::from(norm_title(player).is_some());
    }
    rated >= 20 && federations.len() >= 3 && titled >= 10
}

fn own_rating(player: &Player) -> Option<i64> {
    match player.rating {
        None | Some(0) => None,
        Some(rating) => Some(rating.into()),
    }
}

/// The rating of an opponent without one (1.4.6d).
const UNRATED: i64 = 1400;

/// The points of a game, whatever a win is worth in the event.
fn points_of(score: Points, field: &Tournament) -> Points {
    let worth = field.worth(Score::Match);
    if score == worth.win {
        Points(10)
    } else if score == worth.draw {
        Points(5)
    } else {
        Points::ZERO
    }
}

/// The games over the board of a row: the row of the opponent, and the points.
fn games_of(row: &Entrant, field: &Tournament) -> Vec<(usize, Points)> {
    let mut games = Vec::new();
    for entry in &row.rounds {
        if let Some(opponent) = entry.opponent
            && entry.kind == Kind::Played
        {
            games.push((opponent, points_of(entry.score(Score::Match), field)));
        }
    }
    games
}

fn norms_of(
    row: &Entrant,
    player: &Player,
    field: &Tournament,
    people: &[&Player],
    terms: &NormConditions,
) -> PlayerNorms {
    let mut games = Vec::new();
    let mut ignored = 0;
    for (other, points) in games_of(row, field) {
        if terms.is_round_robin && lost_all_as_unrated(other, field, people) {
            ignored += 1;
            continue;
        }
        games.push(Game {
            opponent: people[other],
            points,
        });
    }
    let given = |entry: &&RoundEntry| [Kind::Pab, Kind::ForfeitWin].contains(&entry.kind);
    let may_be_given = terms.has_nine_rounds && games.len() == 8;
    let needed = if may_be_given && row.rounds.iter().filter(given).count() == 1 {
        8
    } else {
        9
    };
    let opposition = Opposition {
        player,
        games: &games,
        ignored,
        needed,
        terms,
    };
    let mut norms = Vec::new();
    for title in Title::ALL {
        // `None` is below all titles.
        let is_higher = Some(title) > norm_title(player);
        if is_higher && (!title.is_of_women() || is_woman(player)) {
            norms.push(opposition.norm(title));
        }
    }
    PlayerNorms {
        number: player.id,
        name: player.name.clone(),
        title: player.title.clone(),
        federation: player.federation.clone(),
        games: games.len(),
        points: opposition.points(),
        norms,
    }
}

/// Whether a player is unrated and has no points against rated opponents (1.4.2b).
fn lost_all_as_unrated(row: usize, field: &Tournament, people: &[&Player]) -> bool {
    let is_rated = |row: usize| own_rating(people[row]).is_some();
    if is_rated(row) {
        return false;
    }
    let games = games_of(&field.rows[row], field);
    let mut games = games.into_iter();
    games.all(|(other, points)| !is_rated(other) || points == Points::ZERO)
}

/// The games of a player that count, and those who were met in them.
struct Opposition<'a> {
    player: &'a Player,
    games: &'a [Game<'a>],
    /// Games that do not count (1.4.2b).
    ignored: usize,
    /// How many games are needed (1.4.1).
    needed: usize,
    terms: &'a NormConditions,
}

impl Opposition<'_> {
    fn points(&self) -> Points {
        self.games.iter().map(|game| game.points).sum()
    }

    /// The average rating of the opponents for a title (1.4.6, 1.4.7).
    fn average(&self, floor: i64) -> Option<i64> {
        let rating = |game: &Game| own_rating(game.opponent).unwrap_or(UNRATED);
        let mut ratings: Vec<i64> = self.games.iter().map(rating).collect();
        let lowest = ratings.iter_mut().min()?;
        *lowest = floor.max(*lowest);
        mean(&ratings)
    }

    /// The number of games on which the numbers of opponents and points depend. Before there are enough, it is that of a
    /// norm, so that what is missing says what it will take.
    fn whole(&self) -> usize {
        self.games.len().max(self.needed)
    }

    fn norm(&self, title: Title) -> Norm {
        let figures = title.figures();
        let average = self.average(figures.floor);
        let gained = || rating_difference(self.points().ratio(), self.games.len());
        let performance = average.map(|average| average + gained());
        let mut missing = Missing::default();
        let games = self.games.len();
        missing.at_least("1.4.1", [games, self.needed], counted(games, "game"));
        if self.ignored > 0 {
            let games = counted(self.ignored, "game");
            missing.explain(
                "1.4.1",
                &format!("{games} against unrated players without points not counted"),
            );
        }
        if self.terms.is_double {
            let players = self.terms.players;
            missing.at_least("1.4.5f", [players, 6], counted(players, "player"));
        }
        if !self.games.is_empty() {
            if !self.terms.is_exempt {
                self.compare_federations(&mut missing);
            }
            self.compare_titles(title, &figures, &mut missing);
            self.compare_score(&mut missing);
        }
        if let Some(average) = average {
            let words = format!("average rating of the opponents {average}");
            missing.figure("1.4.8a", average, figures.average, words);
        }
        if let (Some(average), Some(performance)) = (average, performance) {
            let needed = figures.performance;
            let words = format!("performance {performance}");
            missing.figure("1.4.8", performance, needed, words);
            missing.explain("1.4.8", &self.enough_in_words(average, needed));
        }
        Norm {
            title,
            reached: missing.0.is_empty(),
            average,
            performance,
            missing: missing.0,
        }
    }

    /// The lowest score in these games that gives a performance, in words.
    fn enough_in_words(&self, average: i64, performance: i64) -> String {
        let games = self.games.len();
        let mut scores = (0..=2 * games as i32).map(|halves| Points(5 * halves));
        let gives =
            |points: &Points| average + rating_difference(points.ratio(), games) >= performance;
        match scores.find(gives) {
            Some(points) => format!("{} with these opponents", in_words(points)),
            None => "too much with these opponents".into(),
        }
    }

    /// 1.4.3 and 1.4.4.
    fn compare_federations(&self, missing: &mut Missing) {
        let Some(own) = federation(self.player) else {
            missing.federation("the player's federation is not entered".into(), 0, 1);
            return;
        };
        let mut met: BTreeMap<String, usize> = BTreeMap::new();
        for game in self.games {
            if let Some(from) = federation(game.opponent) {
                *met.entry(from).or_default() += 1;
            }
        }
        let games = self.games.len();
        let known = met.values().sum::<usize>();
        if known < games {
            let words = format!(
                "the federation of {} is not entered",
                counted(games - known, "opponent")
            );
            missing.federation(words, known, games);
            return;
        }
        met.remove(NO_FEDERATION);
        let others = met.keys().filter(|from| **from != own).count();
        missing.at_least("1.4.3", [others, 2], counted(others, "other federation"));
        for (from, count) in met {
            let most = if from == own {
                self.whole() * 3 / 5
            } else {
                self.whole() * 2 / 3
            };
            if count > most {
                let words = format!("{} from {from}", counted(count, "opponent"));
                missing.put("1.4.4", [count, most].map(whole), true, words);
            }
        }
    }

    /// 1.4.5.
    fn compare_titles(&self, title: Title, figures: &Figures, missing: &mut Missing) {
        let games = self.whole();
        let half = games.div_ceil(2);
        let (mut titled, mut holders) = (0, 0);
        for game in self.games {
            if let Some(held) = title_of(game.opponent) {
                titled += 1;
                holders += usize::from(held >= Some(title));
            }
        }
        missing.at_least("1.4.5a", [titled, half], counted(titled, "titled opponent"));
        let needed = if self.terms.is_double {
            half
        } else {
            games.div_ceil(3).max(3)
        };
        let opponents = counted(holders, "opponent");
        let words = format!("{opponents} with the title {}", figures.holders);
        missing.at_least("1.4.5", [holders, needed], words);
    }

    /// 1.4.8b: 35 per cent, as points.
    fn compare_score(&self, missing: &mut Missing) {
        let halves = (self.whole() * 7).div_ceil(10);
        let (has, needs) = (self.points(), Points(5 * halves as i32));
        if has < needs {
            missing.put("1.4.8b", [has, needs], false, in_words(has));
        }
    }
}

/// The conditions that are not met.
#[derive(Default)]
struct Missing(Vec<Shortfall>);

impl Missing {
    fn put(
        &mut self,
        article: &'static str,
        [has, needs]: [Points; 2],
        is_limit: bool,
        found: String,
    ) {
        let bound = if is_limit {
            format!("at most {needs} allowed")
        } else {
            format!("{needs} needed")
        };
        self.0.push(Shortfall {
            article,
            has,
            needs,
            is_limit,
            words: format!("{found}, {bound}"),
        });
    }

    fn at_least(&mut self, article: &'static str, [has, needs]: [usize; 2], words: String) {
        if has < needs {
            self.put(article, [has, needs].map(whole), false, words);
        }
    }

    fn figure(&mut self, article: &'static str, has: i64, needs: i64, words: String) {
        if has < needs {
            let numbers = [has, needs].map(|figure| Points::whole(figure as i32));
            self.put(article, numbers, false, words);
        }
    }

    /// Adds to the words on an article, if there are any.
    fn explain(&mut self, article: &str, more: &str) {
        for one in &mut self.0 {
            if one.article == article {
                one.words.push_str(&format!(" ({more})"));
            }
        }
    }

    /// A federation that has to be entered before others can be compared.
    fn federation(&mut self, words: String, has: usize, needs: usize) {
        self.0.push(Shortfall {
            article: "1.4.3",
            has: whole(has),
            needs: whole(needs),
            is_limit: false,
            words,
        });
    }
}

fn in_words(points: Points) -> String {
    let s = if points == Points::whole(1) { "" } else { "s" };
    format!("{points} point{s}")
}

fn whole(count: usize) -> Points {
    Points::whole(count as i32)
}
