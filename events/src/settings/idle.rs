//! Settings that have no effect in an event as it is.

use super::{Scoring, Settings, System, table::SETTINGS};

impl Settings {
    /// Why a setting has no effect here, whatever its value; `None` where it has one. The setting of the number of
    /// rounds, for example, where it follows from who takes part.
    #[must_use]
    pub fn idle(&self, key: &str) -> Option<String> {
        let of_players = !self.is_of_teams();
        let is_one_game = matches!(self.scoring, Scoring::Game | Scoring::Subgames);
        let system = self.system.word();
        let is_table = matches!(self.system, System::RoundRobin | System::Scheveningen);
        let is_swiss = matches!(self.system, System::SwissTeam | System::ByHand);
        let says = |is_idle: bool, why: &str| if is_idle { Some(why.to_owned()) } else { None };
        match key {
            "boards" | "pattern" | "board-order" if is_one_game => {
                says(true, "a match of this event is a single game")
            }
            "pattern" if self.scoring == Scoring::Kings => {
                says(true, "a team has the same colour on all linked boards")
            }
            "pattern" if self.pairs_players() => {
                says(true, "colours follow from the pairing table")
            }
            "board-order" => says(self.pairs_players(), "players are paired one by one"),
            "cycles" if !is_table => Some(format!("the system {system} has no cycles")),
            "rounds" if !is_swiss && self.system != System::Molter => Some(format!(
                "in the system {system} the number of rounds follows from who takes part"
            )),
            "lieutenants" if !self.has_roles() => Some(format!(
                "{} has no lieutenants",
                self.game().map_or("the game", |game| game.name())
            )),
            "lieutenants" | "primary" | "match-points" => {
                says(of_players, "it is only for events of teams")
            }
            "game-points" if self.scoring == Scoring::Kings => {
                says(true, "the game points are the kings left")
            }
            "game-points" if self.scoring == Scoring::Subgames => {
                says(!of_players, "the game points are the sub-games won")
            }
            "missed" if self.system != System::RoundRobin => says(
                true,
                "only a round robin gives a late entry the rounds it missed",
            ),
            "trf-system" => says(
                self.system != System::ByHand,
                "it is only for the system by-hand",
            ),
            // A report takes them along for the program that pairs.
            "swiss.initial" | "swiss.acceleration" => says(
                !is_swiss,
                "it is only for the systems swiss-team and by-hand",
            ),
            key if key.starts_with("swiss.") => says(
                self.system != System::SwissTeam,
                "it is only for the system swiss-team",
            ),
            _ => None,
        }
    }

    /// The settings that have another value than their default and no effect, each with the reason.
    #[must_use]
    pub fn all_idle(&self) -> Vec<(&'static str, String)> {
        let usual = Self::default();
        let mut idle = Vec::new();
        for setting in SETTINGS {
            if let Some(why) = self.idle(setting.name)
                && self.get(setting.name) != usual.get(setting.name)
            {
                idle.push((setting.name, why));
            }
        }
        idle
    }
}
