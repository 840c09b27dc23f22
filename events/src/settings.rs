//! The settings of an event, `event.toml`.
//!
//! ```
//! use overboard_events::settings::{Settings, System};
//!
//! let text = "# The county cup\nname = \"cup\"\ngame = \"chess\"\nsystem = \"round-robin\"\n\
//!     participants = \"teams\"\nscoring = \"boards\"\nboards = 4\n";
//! let mut settings = Settings::read(text).unwrap();
//! assert_eq!((settings.system, settings.boards), (System::RoundRobin, 4));
//!
//! // A change keeps everything else in the file, comments included.
//! settings.boards = 6;
//! assert!(settings.written_over(text).starts_with("# The county cup\n"));
//!
//! let error = Settings::read("name = \"cup\"\nsystem = \"lottery\"\n").unwrap_err();
//! assert!(error.to_string().starts_with("event.toml:2"), "{error}");
//! ```

use overboard_formats::foreign::Foreign;
use overboard_games::registry::Variant;
use overboard_schedules::{
    points::Points,
    team::Pattern,
    tiebreak::{Code, TieBreak, TieBreakError},
    tournament::{ByScore, Edition, Score, Worth},
};
use serde::{Deserialize, Serialize};

mod defaults;
mod idle;
mod sense;
mod table;
mod text;

pub use sense::{NoSense, WhyWrong, WrongSetting};
pub(crate) use table::keys_of;
pub use table::{SETTINGS, Setting, UnknownSetting, When, named};

/// Name of the file.
pub const FILE: &str = "event.toml";

/// The pairing system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum System {
    /// Everyone meets everyone, by Berger tables.
    RoundRobin,
    /// Everyone in one group meets everyone in the other.
    Scheveningen,
    /// The loser is eliminated.
    Knockout,
    /// Players of many teams, in several rounds without matches.
    Molter,
    /// Players of many teams, one game each.
    Hutton,
    /// The FIDE Swiss Team Pairing System.
    SwissTeam,
    /// Pairings come from elsewhere; unplayed rounds count as in a Swiss.
    ByHand,
}

impl System {
    /// The word in settings and on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Scheveningen => "scheveningen",
            Self::Knockout => "knockout",
            Self::Molter => "molter",
            Self::Hutton => "hutton",
            Self::SwissTeam => "swiss-team",
            Self::ByHand => "by-hand",
        }
    }

    /// Whether the number of rounds does not follow from who takes part.
    #[must_use]
    pub const fn needs_rounds(self) -> bool {
        matches!(self, Self::SwissTeam | Self::Molter | Self::ByHand)
    }

    /// Whether only teams can be paired by it.
    #[must_use]
    pub const fn needs_teams(self) -> bool {
        matches!(self, Self::SwissTeam | Self::Molter | Self::Hutton)
    }
}

/// The kind of participants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Participants {
    /// Teams.
    Teams,
    /// Single players.
    Players,
}

/// What a match consists of, and where its game points come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// Games on separate boards; their points are summed.
    Boards,
    /// Kings left on linked boards.
    Kings,
    /// One game.
    Game,
    /// Sub-games won in one game.
    Subgames,
}

impl Scoring {
    /// The default scoring of matches of a game.
    #[must_use]
    pub const fn usual(variant: Variant, of_teams: bool) -> Self {
        let info = variant.info();
        match info.counts_kings {
            _ if !of_teams || info.has_roles || info.of_pairs => Self::Game,
            true => Self::Kings,
            false => Self::Boards,
        }
    }
}

/// In which order a team's players sit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardOrder {
    /// In the order of the roster; a reserve enters at the bottom.
    #[default]
    Fixed,
    /// In any order.
    Free,
}

/// How the rounds that a late entry has missed count, in systems in which everyone meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missed {
    /// As lost by forfeit.
    #[default]
    Forfeit,
    /// As unplayed for both sides.
    Unplayed,
}

/// How Fore Buchholz treats a forfeited last round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForeForfeits {
    /// As it was scored.
    #[default]
    Scored,
    /// As a draw, like a game that was played.
    Drawn,
}

impl ForeForfeits {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// How the pieces of Overchess are assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Lieutenants {
    /// A lieutenant for each over-piece but the king.
    Full,
    /// A lieutenant for each kind of over-piece.
    ByType,
    /// In turn: the next player takes each sub-game.
    Rotation,
    /// The commander alone.
    Solo,
    /// As the column `pieces` of the players says.
    #[default]
    Listed,
}

/// The settings of an event: everything that is decided before round 1.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The event's name.
    pub name: Foreign,
    /// Where it is held.
    #[serde(default, skip_serializing_if = "Foreign::is_empty")]
    pub city: Foreign,
    /// Federation: three letters.
    #[serde(default, skip_serializing_if = "Foreign::is_empty")]
    pub federation: Foreign,
    /// First day, `2026-11-21`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub start: String,
    /// Last day.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub end: String,
    /// The chief arbiter.
    #[serde(default, skip_serializing_if = "Foreign::is_empty")]
    pub arbiter: Foreign,
    /// Who makes the changes, for the log, where a command does not say it.
    #[serde(default, skip_serializing_if = "Foreign::is_empty")]
    pub by: Foreign,
    /// The time control in words.
    #[serde(default, skip_serializing_if = "Foreign::is_empty")]
    pub time_control: Foreign,
    /// The game, as the tag Variant names it.
    pub game: Foreign,
    /// Rules in force, as the tag Rules lists them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules: String,
    /// The pairing system.
    pub system: System,
    /// How often each participant meets each of the others.
    #[serde(default = "defaults::once")]
    pub cycles: u32,
    /// The number of rounds, if it does not follow from the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Who takes part.
    pub participants: Participants,
    /// What a match consists of.
    pub scoring: Scoring,
    /// Boards of a match.
    #[serde(default = "defaults::once")]
    pub boards: u32,
    /// The White team's colours from board 1 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The score that comes first.
    #[serde(default)]
    pub primary: Score,
    /// Match points for a win, a draw and a loss.
    #[serde(default = "defaults::two")]
    pub match_points: Worth,
    /// Points of a game for a win, a draw and a loss.
    #[serde(default = "defaults::one")]
    pub game_points: Worth,
    /// The points of a pairing-allocated bye, if not the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bye: Option<ByScore<Points>>,
    /// In which order a team's players sit.
    #[serde(default)]
    pub board_order: BoardOrder,
    /// How a late entry's missed rounds count in a round robin.
    #[serde(default)]
    pub missed: Missed,
    /// How the pieces of Overchess are assigned.
    #[serde(default)]
    pub lieutenants: Lieutenants,
    /// Tie-breaks in the order in which they apply.
    #[serde(default)]
    pub tie_breaks: Vec<String>,
    /// The edition of the tie-break regulations.
    #[serde(default = "defaults::latest")]
    pub edition: String,
    /// How Fore Buchholz treats a forfeited last round.
    #[serde(default, skip_serializing_if = "ForeForfeits::is_default")]
    pub fore_forfeits: ForeForfeits,
    /// Record 092 of an imported report, if it is not the name of a game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trf_type: String,
    /// Record 192 of an imported report, if it is not a system that is paired here.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trf_system: String,
    /// The table of the Swiss system's options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swiss: Option<toml::Table>,
}

impl Settings {
    /// Whether the participants are teams.
    #[must_use]
    pub const fn is_of_teams(&self) -> bool {
        matches!(self.participants, Participants::Teams)
    }

    /// Whether two players of each team play one game together.
    #[must_use]
    pub fn is_of_pairs(&self) -> bool {
        self.is_of_teams()
            && self.scoring == Scoring::Game
            && self.game().is_some_and(|game| game.info().of_pairs)
    }

    /// The game that is played.
    #[must_use]
    pub fn game(&self) -> Option<Variant> {
        Variant::of(Some(self.game.as_it_came().as_bytes()))
    }

    /// Whether teams of this game have a commander and lieutenants.
    #[must_use]
    pub fn has_roles(&self) -> bool {
        self.game().is_some_and(|game| game.info().has_roles)
    }

    /// The edition of the tie-break regulations.
    #[must_use]
    pub fn edition(&self) -> Option<Edition> {
        match self.edition.as_str() {
            "2024-08" => Some(Edition::Of2024),
            "2026-03" => Some(Edition::Of2026),
            _ => None,
        }
    }

    /// The primary score, followed by the tie-breaks.
    ///
    /// # Errors
    /// The first tie-break that is not valid.
    pub fn criteria(&self) -> Result<Vec<TieBreak>, TieBreakError> {
        criteria(&self.tie_breaks)
    }

    /// The colours of the White team.
    #[must_use]
    pub fn colours(&self) -> Pattern {
        if self.scoring != Scoring::Boards {
            return Pattern::one_side(self.boards as usize);
        }
        if let Some(pattern) = &self.pattern
            && let Ok(own) = pattern.parse()
        {
            return own;
        }
        Pattern::alternating(self.boards as usize)
    }

    /// What a match is worth, in match points and in game points.
    #[must_use]
    pub fn worth(&self) -> ByScore<Worth> {
        let boards = self.boards as i32;
        let game = match self.scoring {
            Scoring::Boards if !self.pairs_players() => self.game_points.times(boards),
            Scoring::Boards | Scoring::Game => self.game_points,
            Scoring::Kings => Worth {
                win: Points::whole(boards),
                draw: Points(5 * boards),
                loss: Points::ZERO,
            },
            Scoring::Subgames => Worth::from([Points::ZERO; 3]),
        };
        if !self.is_of_teams() {
            return ByScore::both(self.game_points);
        }
        ByScore {
            matches: self.match_points,
            games: game,
        }
    }

    /// Whether players of many teams are paired without matches.
    #[must_use]
    pub const fn pairs_players(&self) -> bool {
        matches!(self.system, System::Molter | System::Hutton)
    }

    /// Points of a pairing-allocated bye: a draw for teams (C.04.6, 1.4), a win for players.
    #[must_use]
    pub fn bye(&self) -> ByScore<Points> {
        let worth = self.worth();
        self.bye.unwrap_or_else(|| match self.participants {
            Participants::Teams => worth.map(|worth| worth.draw),
            Participants::Players => worth.map(|worth| worth.win),
        })
    }
}

/// The primary score, followed by these tie-breaks.
///
/// # Errors
/// The first one that is not valid.
pub fn criteria(tie_breaks: &[String]) -> Result<Vec<TieBreak>, TieBreakError> {
    let mut criteria = vec![TieBreak::from(Code::Points)];
    for code in tie_breaks {
        criteria.push(code.parse()?);
    }
    Ok(criteria)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: &str = "name = \"Cup\"\ngame = \"StrategiChess\"\nsystem = \"round-robin\"\n\
                         participants = \"teams\"\nscoring = \"kings\"\nboards = 3\n";

    #[test]
    fn written_settings_read_back_equal() {
        let settings = Settings::read(LEAST).unwrap();
        assert_eq!(Settings::read(&settings.write()).unwrap(), settings);
        assert_eq!(settings.worth().games.draw, Points(15));
    }

    #[test]
    fn faults_name_their_place() {
        let fault = |from: &str, to: &str| {
            Settings::read(&LEAST.replace(from, to))
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            fault("boards = 3", "boards = 0"),
            "event.toml:6:10: expected 1 to 1000 boards, found 0"
        );
        assert_eq!(
            fault("StrategiChess", "Atomic"),
            "event.toml:2:8: unknown game `Atomic`"
        );
        assert!(
            fault("round-robin", "swiss").starts_with("event.toml:3:10: unknown value `swiss`")
        );
        assert!(fault("boards", "bords").starts_with("event.toml:6:1: unknown setting `bords`"));
        let swiss = |table: &str| {
            Settings::read(&format!("{LEAST}rounds = 5\n[swiss]\n{table}\n"))
                .unwrap_err()
                .to_string()
        };
        assert!(
            swiss("colour = \"a\"").starts_with("event.toml:8:1: [swiss]: unknown key `colour`")
        );
        assert!(
            swiss("acceleration = 1")
                .starts_with("event.toml:9:16: [swiss]: acceleration: expected true, false")
        );
        assert!(
            swiss("acceleration = [{ points = 2, rounds = [3, 1], teams = [1, 4] }]").starts_with(
                "event.toml:9:16: [swiss]: acceleration: rounds are the first and the last"
            )
        );
    }
}
