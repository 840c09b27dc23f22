//! The manifest of a run: everything that determines its games.
//!
//! ```
//! use overboard_engines::manifest::{Manifest, Schedule, Source};
//!
//! let manifest = Manifest {
//!     players: vec!["random".into(), "greedy".into()],
//!     schedule: Schedule::RoundRobin,
//!     rounds: 2,
//!     games_per_unit: 2,
//!     // The first four plies of each round are random.
//!     openings: Source::RandomPlies(4),
//! #   format: 1, program: "test".into(), laws: Some(1), variant: "Chess".into(), boards: 1, rules: String::new(),
//! #   seed: 1, max_plies: 300, timed: false, reports: Vec::new(), sprt: None, engines: Vec::new(),
//! #   draw_when: None, resign_when: None,
//! };
//! assert_eq!((manifest.pairings(), manifest.units()), (vec![[0, 1]], 2));
//! ```

use crate::{
    adjudicate::{DrawWhen, ResignWhen},
    book::Form,
    external::program::{Program, ProgramError},
    game::Datum,
    players::{PlayerError, Spec},
    stats::Sprt,
};
use overboard_formats::foreign::Foreign;
use overboard_games::{registry::Variant, with_game};
use overboard_referee::{
    editions::{changes_after, in_words},
    game::play::{Play, Tags},
};
use overboard_rules::{by_side::BySide, outcome::Cause};
use serde::{Deserialize, Serialize};
use std::{collections::HashSet, fmt};

/// The form of ledgers and manifests.
pub const FORMAT: u32 = 1;
/// The program as its manifests name it.
pub const PROGRAM: &str = concat!("overboard ", env!("CARGO_PKG_VERSION"));
/// The number of the laws in manifests without one: the first.
const UNNUMBERED: u32 = 1;
/// The most boards of a match.
const MOST_BOARDS: u16 = 64;

/// The pairing system of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Two players against each other, or one against itself.
    Pairs,
    /// Each player against each other player.
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
}

/// The order in which rounds take the openings of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Random, from the seed; every opening comes once before any comes again.
    #[default]
    Random,
    /// In the order of the book.
    Sequential,
}

/// Where openings come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Source {
    /// This many random plies from the game's initial position.
    RandomPlies(u32),
    /// The openings of a book.
    // Defaults are omitted: the run id is the hash of the manifest, and existing runs must keep theirs.
    Positions {
        /// The file, as the user named it.
        file: Foreign,
        /// The number of openings.
        count: u64,
        /// The hash of the book.
        hash: String,
        /// The form of the book.
        #[serde(default, skip_serializing_if = "is_default")]
        form: Form,
        /// The order in which they are taken.
        #[serde(default, skip_serializing_if = "is_default")]
        order: Order,
        /// The opening of the first round in that order, from 1.
        #[serde(default = "one::<u64>", skip_serializing_if = "is_one")]
        start: u64,
        /// The most plies taken from each.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plies: Option<u32>,
        /// The number of random plies after them.
        #[serde(default, skip_serializing_if = "is_default")]
        random_plies: u32,
    },
}

/// Whether a value is the usual one, which files and messages leave out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The number that files and messages leave out where something is counted from one.
pub fn one<T: From<u8>>() -> T {
    T::from(1)
}

/// Whether a number is that one.
pub(crate) fn is_one<T: From<u8> + PartialEq>(number: &T) -> bool {
    *number == one()
}

/// A run: everything that its games depend on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the manifest's form: 1.
    pub format: u32,
    /// The program and its version: another one may play other games from the same seed.
    pub program: Foreign,
    /// The version of the game's rules when the run began; absent in older manifests.
    // Omitted if absent: the run id is the hash of the manifest, and existing runs must keep theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub laws: Option<u32>,
    /// The game, as the tag Variant names it; in Recursive Chess followed by the level.
    pub variant: String,
    /// The number of linked boards; only if there are several.
    #[serde(default = "one::<u16>", skip_serializing_if = "is_one")]
    pub boards: u16,
    /// Rules agreed, as the tag Rules has them; only if there are any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules: String,
    /// The players by name.
    pub players: Vec<Foreign>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// How often each pairing is played.
    pub rounds: u64,
    /// Games of a unit: 2 for pairs with colours swapped, else 1.
    pub games_per_unit: u8,
    /// The base seed.
    pub seed: u64,
    /// Where openings come from.
    pub openings: Source,
    /// The number of plies after which a game is stopped and scored.
    pub max_plies: u32,
    /// Whether a clock affects the run, through a player or through `tells`; if so, the games cannot be reproduced.
    pub timed: bool,
    /// The data recorded for every ply; only if there are any.
    #[serde(default, rename = "tells", skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<Datum>,
    /// The test of the first player against the second, which ends the run as soon as it decides; only if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The players that are external engines; only if there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<Program>,
    /// When a game is drawn by the scores of both players: the condition of `--draw-when`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_when: Option<DrawWhen>,
    /// When a game is lost by the scores of its players: the condition of `--resign-when`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign_when: Option<ResignWhen>,
}

/// A player of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Contender {
    /// A built-in player.
    BuiltIn(Spec),
    /// An external engine.
    Engine,
}

/// What the games of a run depend on apart from its parameters: which program played, and under which laws.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The program and its version.
    pub program: Foreign,
    /// The game, as a manifest names it.
    pub variant: Foreign,
    /// The number of its laws; `None` if they had no number yet.
    pub laws: Option<u32>,
}

/// The name of a game, and the level of Recursive Chess that follows it.
fn named(variant: &str) -> (&str, Option<u8>) {
    let Some((name, level)) = variant.rsplit_once(' ') else {
        return (variant, None);
    };
    let game = Variant::of(Some(name.as_bytes()));
    match level.parse() {
        Ok(level @ 1..=64) if game.is_some_and(|game| game.info().has_levels) => {
            (name, Some(level))
        }
        _ => (variant, None),
    }
}

impl Origin {
    /// Whether the laws are those of another origin.
    #[must_use]
    pub fn has_laws_of(&self, other: &Self) -> bool {
        let number = |origin: &Self| origin.laws.unwrap_or(UNNUMBERED);
        self.variant == other.variant && number(self) == number(other)
    }

    /// What has changed in the laws since then, as the end of a sentence; empty if that is not known.
    #[must_use]
    pub fn changes(&self) -> String {
        let game = Variant::of(Some(named(self.variant.as_it_came()).0.as_bytes()));
        let since = game.map_or_else(Vec::new, |game| {
            changes_after(game.info(), self.laws.unwrap_or(UNNUMBERED))
        });
        if since.is_empty() {
            return String::new();
        }
        format!("; since then {}", in_words(&since))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [program, variant] = [&self.program, &self.variant].map(Foreign::shown);
        match self.laws {
            Some(laws) => write!(f, "{program} under laws {laws} of {variant}"),
            None => write!(f, "{program} before the laws of {variant} were numbered"),
        }
    }
}

/// The current number of a game's laws.
#[must_use]
pub const fn laws_of(game: Variant, boards: u16) -> u32 {
    game.info().laws_on(boards > 1)
}

/// Checks that built-in players play a game on this many boards under these rules (the form of the tag Rules).
///
/// # Errors
/// The first reason why they do not.
pub fn playable_here(game: Variant, boards: u16, rules: &str) -> Result<(), ManifestError> {
    if boards != 1 && !game.info().has_boards {
        return Err(ManifestError::Bounds(format!(
            "{} has one board",
            game.name()
        )));
    }
    if !(1..=MOST_BOARDS).contains(&boards) {
        return Err(ManifestError::Bounds(format!(
            "expected from 1 to {MOST_BOARDS} boards"
        )));
    }
    with_game!(game, boards, G => G::admits(rules)).map_err(ManifestError::Bounds)
}

/// Why a manifest is inconsistent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ManifestError {
    /// The form is that of another version.
    #[error("it has format {0}; this version reads format {FORMAT}")]
    Format(u32),
    /// The game is unknown.
    #[error("unknown game `{}`", .0.shown())]
    Variant(Foreign),
    /// A player is unknown.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// There are too few or too many players for the schedule.
    #[error("{0}")]
    Players(&'static str),
    /// An engine's description is wrong.
    #[error(transparent)]
    Engine(#[from] ProgramError),
    /// A player occurs twice.
    #[error("`{}` is given twice: give each player once; a player given alone plays against itself", .0.shown())]
    Twice(Foreign),
    /// Something else is out of bounds.
    #[error("{0}")]
    Bounds(String),
}

/// A game of the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number, from 0.
    pub game: u64,
    /// The number of its unit.
    pub unit: u64,
    /// The round, on which the opening depends.
    pub round: u64,
    /// White and Black, by their numbers among the players.
    pub seats: BySide<usize>,
    /// Whether the first player of the pairing has Black.
    pub swapped: bool,
}

/// The name of a run: the first 16 hexadecimal digits of the BLAKE3 hash of its manifest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Run(pub String);

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Manifest {
    /// The run id. All parameters are part of it.
    #[must_use]
    pub fn run(&self) -> Run {
        // A manifest can always be serialised.
        let text = serde_json::to_string(self).unwrap_or_default();
        Run(blake3::hash(text.as_bytes()).to_hex()[..16].to_string())
    }

    /// The program and the laws when the run began.
    #[must_use]
    pub fn origin(&self) -> Origin {
        Origin {
            program: self.program.clone(),
            variant: self.variant.as_str().into(),
            laws: self.laws,
        }
    }

    /// The origin if the run began now.
    ///
    /// # Errors
    /// If the game is unknown.
    pub fn origin_today(&self) -> Result<Origin, ManifestError> {
        Ok(Origin {
            program: PROGRAM.into(),
            laws: Some(laws_of(self.game()?, self.boards)),
            ..self.origin()
        })
    }

    /// Whether it is that of the same games under the same laws, whichever version made it.
    #[must_use]
    pub fn is_alike(&self, other: &Self) -> bool {
        let like_other = Self {
            program: other.program.clone(),
            laws: other.laws,
            ..self.clone()
        };
        like_other == *other && self.origin().has_laws_of(&other.origin())
    }

    /// The numbers of the laws under which its games were played, and of the current ones, if they differ: such games
    /// may not replay.
    #[must_use]
    pub fn other_laws(&self) -> Option<[u32; 2]> {
        let (then, now) = (
            self.laws.unwrap_or(UNNUMBERED),
            laws_of(self.game().ok()?, self.boards),
        );
        (then != now).then_some([then, now])
    }

    /// Checks that it is consistent.
    ///
    /// # Errors
    /// The first inconsistency.
    pub fn check(&self) -> Result<(), ManifestError> {
        if self.format != FORMAT {
            return Err(ManifestError::Format(self.format));
        }
        playable_here(self.game()?, self.boards, &self.rules)?;
        let contenders = self.contenders()?;
        self.check_players()?;
        let wrong = |words: &str| Err(ManifestError::Bounds(words.into()));
        if self.max_plies == 0 {
            return wrong("the limit of plies must be 1 or more");
        }
        if !matches!(self.games_per_unit, 1 | 2) {
            return wrong("a unit must have one game or two");
        }
        let games = self.rounds.checked_mul(2 * self.pairings().len() as u64);
        if games.is_none_or(|games| games > 1 << 53) {
            return wrong("there are too many games to be counted");
        }
        if self.sprt.is_some() && (self.schedule, self.players.len()) != (Schedule::Pairs, 2) {
            return Err(ManifestError::Players(
                "a sequential test (--sprt) compares two players: give two, with --pairs",
            ));
        }
        let is_timed = |contender: &Contender| matches!(contender, Contender::BuiltIn(spec) if spec.is_timed());
        let looks = contenders.iter().any(is_timed) || self.engines.iter().any(Program::is_timed);
        if self.timed != (looks || self.reports.contains(&Datum::Time)) {
            return wrong("its description of the players does not match them");
        }
        if matches!(self.openings, Source::Positions { count: 0, .. }) {
            return wrong("the book has no openings");
        }
        if matches!(self.openings, Source::Positions { start: 0, .. }) {
            return wrong("the openings of a book are counted from 1");
        }
        let (Source::RandomPlies(plies)
        | Source::Positions {
            random_plies: plies,
            ..
        }) = self.openings;
        if plies >= self.max_plies {
            return Err(ManifestError::Bounds(format!(
                "a game may have {} plies, and {plies} random ones are played first (--random-plies)",
                self.max_plies
            )));
        }
        Ok(())
    }

    /// The initial position of its game.
    ///
    /// # Errors
    /// Why there is none.
    pub fn first<G: Play>(&self) -> Result<G, ManifestError> {
        G::start(&self.options::<G>()).map_err(|error| ManifestError::Bounds(error.words))
    }

    /// The options of its game.
    #[must_use]
    pub fn options<G: Play>(&self) -> G::Options {
        G::agreed(Tags {
            boards: self.boards,
            level: self.level(),
            rules: &self.rules,
        })
    }

    /// The default limit on plies for its game.
    ///
    /// # Errors
    /// If the game is unknown.
    pub fn long_game(&self) -> Result<u32, ManifestError> {
        Ok(with_game!(self.game()?, self.boards, G => G::long_game(&self.options::<G>())))
    }

    fn check_players(&self) -> Result<(), ManifestError> {
        let (mut players, mut engines) = (HashSet::new(), HashSet::new());
        for name in &self.players {
            if !players.insert(name) {
                return Err(ManifestError::Twice(name.clone()));
            }
        }
        for engine in &self.engines {
            engine.check()?;
            if !engines.insert(&engine.name) {
                return Err(ManifestError::Twice(engine.name.clone()));
            }
            if !players.contains(&engine.name) {
                return Err(ManifestError::Bounds(format!(
                    "the engine `{}` is not among the players",
                    engine.name.shown()
                )));
            }
        }
        match (self.schedule, self.players.len()) {
            (Schedule::Pairs, 1 | 2) => Ok(()),
            (Schedule::Pairs, _) => Err(ManifestError::Players(
                "--schedule pairs is for two players, or for one against itself",
            )),
            (_, 0 | 1) => Err(ManifestError::Players(
                "a round robin or a gauntlet needs two players or more",
            )),
            _ => Ok(()),
        }
    }

    /// The game.
    ///
    /// # Errors
    /// If it is unknown.
    pub fn game(&self) -> Result<Variant, ManifestError> {
        Variant::of(Some(named(&self.variant).0.as_bytes()))
            .ok_or_else(|| ManifestError::Variant(self.variant.as_str().into()))
    }

    /// The level of Recursive Chess, which follows the name of the game; 1 if there is none.
    #[must_use]
    pub fn level(&self) -> u8 {
        named(&self.variant).1.unwrap_or(1)
    }

    /// The players.
    ///
    /// # Errors
    /// If a name is not that of a player.
    pub fn contenders(&self) -> Result<Vec<Contender>, PlayerError> {
        let contender = |name: &Foreign| match self.program(name) {
            Some(_) => Ok(Contender::Engine),
            None => name.as_it_came().parse().map(Contender::BuiltIn),
        };
        self.players.iter().map(contender).collect()
    }

    /// The external engine with this name, if the player is one.
    #[must_use]
    pub fn program(&self, name: &Foreign) -> Option<&Program> {
        self.engines.iter().find(|engine| engine.name == *name)
    }

    /// Whether a game may end in a way that its moves do not show: external engines can resign, commit faults and
    /// crash.
    #[must_use]
    pub fn admits_end(&self, cause: Cause) -> bool {
        let is_judged = self.draw_when.is_some() || self.resign_when.is_some();
        (!self.engines.is_empty() && (cause.is_said() || cause == Cause::KingsCounted))
            || (is_judged && cause == Cause::Adjudication)
    }

    /// Whether a game is stopped after this many plies, as soon as a record of it can stop.
    #[must_use]
    pub const fn stops(&self, plies: u32) -> bool {
        plies >= self.max_plies
    }

    /// The pairings of a round, by the players' indices.
    #[must_use]
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let count = self.players.len();
        match self.schedule {
            Schedule::Pairs => vec![[0, count.saturating_sub(1)]],
            Schedule::Gauntlet => (1..count).map(|other| [0, other]).collect(),
            Schedule::RoundRobin => (0..count)
                .flat_map(|one| (one + 1..count).map(move |other| [one, other]))
                .collect(),
        }
    }

    /// The number of units. A unit is one meeting in one round.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.rounds * self.pairings().len() as u64
    }

    /// The fixture of a game. In units of two games colours are swapped in the second; in units of one game they
    /// alternate from round to round.
    #[must_use]
    pub fn fixture(&self, pairings: &[[usize; 2]], game: u64) -> Fixture {
        let size = u64::from(self.games_per_unit);
        let unit = game / size;
        let (round, meeting) = (unit / pairings.len() as u64, unit % pairings.len() as u64);
        let [one, other] = pairings[meeting as usize];
        let swapped = if size == 2 {
            game % 2 == 1
        } else {
            round % 2 == 1
        };
        let seats = if swapped { [other, one] } else { [one, other] };
        Fixture {
            game,
            unit,
            round,
            seats: seats.into(),
            swapped,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn manifest(schedule: Schedule, players: &[&str]) -> Manifest {
        Manifest {
            format: FORMAT,
            program: "test".into(),
            laws: Some(1),
            variant: "Chess".into(),
            boards: 1,
            rules: String::new(),
            players: players.iter().copied().map(Foreign::from).collect(),
            schedule,
            rounds: 3,
            games_per_unit: 2,
            seed: 1,
            openings: Source::RandomPlies(4),
            max_plies: 300,
            timed: false,
            reports: Vec::new(),
            sprt: None,
            engines: Vec::new(),
            draw_when: None,
            resign_when: None,
        }
    }

    #[test]
    fn everybody_meets_with_both_colours_from_one_opening() {
        let manifest = manifest(
            Schedule::RoundRobin,
            &["random", "greedy", "search:depth=1"],
        );
        let pairings = manifest.pairings();
        assert_eq!((manifest.check(), manifest.units()), (Ok(()), 9));
        let seats: Vec<_> = (0..8)
            .map(|game| manifest.fixture(&pairings, game))
            .collect();
        assert_eq!(
            seats
                .iter()
                .map(|f| f.seats.into_array())
                .collect::<Vec<_>>()[..4],
            [[0, 1], [1, 0], [0, 2], [2, 0]]
        );
        assert_eq!(
            seats.iter().map(|f| f.round).collect::<Vec<_>>(),
            [0, 0, 0, 0, 0, 0, 1, 1]
        );
    }

    #[test]
    fn manifests_from_before_the_laws_were_numbered_keep_their_names() {
        let text = "{\"format\":1,\"program\":\"overboard 0.1.0\",\"variant\":\"Chess\",\"players\":[\"random\"],\
                    \"schedule\":\"pairs\",\"rounds\":8,\"games_per_unit\":1,\"seed\":3,\
                    \"openings\":{\"random_plies\":8},\"max_plies\":20000,\"timed\":false}";
        let old: Manifest = serde_json::from_str(text).unwrap();
        assert_eq!(
            (old.check(), old.run().0.as_str()),
            (Ok(()), "7d51f1fac78f2084")
        );
        assert_eq!(serde_json::to_string(&old).unwrap(), text);
        assert_ne!(old.origin(), old.origin_today().unwrap());
        let numbered = |laws| Manifest {
            laws: Some(laws),
            ..old.clone()
        };
        assert_ne!(numbered(1).run(), old.run());
        let today = laws_of(Variant::Chess, 1);
        assert_eq!(old.other_laws(), numbered(UNNUMBERED).other_laws());
        assert_eq!(numbered(today).other_laws(), None);
        assert_eq!(numbered(today + 1).other_laws(), Some([today + 1, today]));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(manifest(Schedule::Pairs, &["random"]).check().is_ok());
        assert!(
            manifest(Schedule::Pairs, &["random", "random"])
                .check()
                .is_err()
        );
        assert!(manifest(Schedule::Gauntlet, &["random"]).check().is_err());
        assert!(manifest(Schedule::Pairs, &["nobody"]).check().is_err());
        let ok = manifest(Schedule::Pairs, &["random"]);
        assert!(
            Manifest {
                max_plies: 4,
                ..ok.clone()
            }
            .check()
            .is_err()
        );
        assert!(
            Manifest {
                rounds: u64::MAX,
                ..ok.clone()
            }
            .check()
            .is_err()
        );
        assert!(
            Manifest {
                format: 2,
                ..ok.clone()
            }
            .check()
            .is_err()
        );
        assert_ne!(
            Manifest {
                seed: 2,
                ..ok.clone()
            }
            .run(),
            ok.run()
        );
    }
}
