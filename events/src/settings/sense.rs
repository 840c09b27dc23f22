//! Which settings make sense.

use super::{Scoring, Settings};
use crate::{
    dates::{has_form_of_a_day, is_day},
    names,
};
use overboard_formats::limits::Limits;
use overboard_referee::game::tags::option_faults;
use overboard_schedules::{team::Pattern, tournament::Worth};

/// The most boards of a match, and the most rounds and cycles.
const MOST: [u32; 3] = [1000, 1000, 16];

/// A setting that makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{why}", self.before())]
pub struct WrongSetting {
    /// Its name, with a dot for one in a table.
    pub key: &'static str,
    /// What is wrong with it.
    pub why: WhyWrong,
}

/// What is wrong with a setting.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WhyWrong {
    /// The system has as many rounds as are given, and none are.
    #[error("the system {0} needs `rounds`")]
    NeedsRounds(&'static str),
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

/// Why a value is no longer written, though older events may contain it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoSense {
    /// It is not one line that can be seen.
    #[error(transparent)]
    Name(#[from] names::NameError),
    /// A day that does not exist.
    #[error("{0} is not in the calendar")]
    NoDay(String),
    /// The last day and the first one.
    #[error("the last day, {last}, comes before the first one, {first}")]
    DaysReversed {
        /// The last day.
        last: String,
        /// The first day.
        first: String,
    },
    /// A loss or a draw counts more than what is better.
    #[error(
        "expected the points of a win, a draw and a loss in this order, none higher than the one before, such as 2,1,0"
    )]
    PointsReversed,
}

impl WrongSetting {
    pub(crate) fn new(key: &'static str, why: impl Into<String>) -> Self {
        let why = WhyWrong::Other(why.into());
        Self { key, why }
    }

    /// The table, and the name in it, where the place in the file does not show both.
    fn before(&self) -> String {
        match self.key.split_once('.') {
            Some((table, name)) => format!("[{table}]: {name}: "),
            None if self.key == "swiss" => "[swiss]: ".to_owned(),
            None => String::new(),
        }
    }
}

impl Settings {
    pub(super) fn validate(&self) -> Result<(), WrongSetting> {
        let game = self.game().ok_or_else(|| {
            WrongSetting::new("game", format!("unknown game `{}`", self.game.shown()))
        })?;
        if !self.rules.is_empty() {
            let faults = option_faults(&self.rules, game.info(), &Limits::default());
            if let Some(wrong) = faults.into_iter().next() {
                return Err(WrongSetting::new("rules", wrong));
            }
        }
        for (key, number, most) in [
            ("boards", self.boards, MOST[0]),
            ("rounds", self.rounds.unwrap_or(1), MOST[1]),
            ("cycles", self.cycles, MOST[2]),
        ] {
            if number == 0 || number > most {
                let why = format!("expected 1 to {most} {key}, found {number}");
                return Err(WrongSetting::new(key, why));
            }
        }
        self.validate_system()?;
        if self.edition().is_none() {
            let message = format!("expected 2024-08 or 2026-03, found `{}`", self.edition);
            return Err(WrongSetting::new("edition", message));
        }
        self.regulations()?;
        self.validate_pattern()?;
        for (key, date) in [("start", &self.start), ("end", &self.end)] {
            if !date.is_empty() && !has_form_of_a_day(date) {
                let message = format!("expected a date such as 2026-11-21, found `{date}`");
                return Err(WrongSetting::new(key, message));
            }
        }
        self.criteria()
            .map_err(|error| WrongSetting::new("tie-breaks", error.to_string()))?;
        Ok(())
    }

    /// Checks what the system needs, and what events of players cannot have.
    fn validate_system(&self) -> Result<(), WrongSetting> {
        let word = self.system.word();
        if self.system.needs_rounds() && self.rounds.is_none() {
            return Err(WrongSetting {
                key: "system",
                why: WhyWrong::NeedsRounds(word),
            });
        }
        if self.system.needs_teams() && !self.is_of_teams() {
            let message = format!("the system {word} is only for teams");
            return Err(WrongSetting::new("participants", message));
        }
        if self.pairs_players() && self.scoring != Scoring::Boards {
            let message = format!("the system {word} needs \"boards\"");
            return Err(WrongSetting::new("scoring", message));
        }
        if !self.is_of_teams() && matches!(self.scoring, Scoring::Boards | Scoring::Kings) {
            let message = "an event of players needs \"game\" or \"subgames\"";
            return Err(WrongSetting::new("scoring", message));
        }
        Ok(())
    }

    fn validate_pattern(&self) -> Result<(), WrongSetting> {
        let Some(pattern) = &self.pattern else {
            return Ok(());
        };
        let read = pattern
            .parse::<Pattern>()
            .map_err(|error| WrongSetting::new("pattern", error.to_string()))?;
        let boards = read.boards();
        if boards != self.boards as usize {
            let message = format!(
                "`{pattern}` is for {boards} boards, but a match has {}",
                self.boards
            );
            return Err(WrongSetting::new("pattern", message));
        }
        Ok(())
    }

    /// Refuses values that older events may contain but that are no longer written: invisible names, texts of
    /// several lines, impossible dates, losses that count more than wins.
    ///
    /// # Errors
    /// What is wrong with the setting of this name.
    pub fn make_sense(&self, key: &str) -> Result<(), NoSense> {
        let text = match key {
            "name" => {
                names::name(self.name.as_it_came())?;
                return Ok(());
            }
            "city" => &self.city,
            "federation" => &self.federation,
            "arbiter" => &self.arbiter,
            "by" => &self.by,
            "time-control" => &self.time_control,
            "start" | "end" => return self.days_make_sense(),
            "match-points" => return are_in_order(self.match_points),
            "game-points" => return are_in_order(self.game_points),
            _ => return Ok(()),
        };
        names::line(text.as_it_came())?;
        Ok(())
    }

    fn days_make_sense(&self) -> Result<(), NoSense> {
        for day in [&self.start, &self.end] {
            if !day.is_empty() && !is_day(day) {
                return Err(NoSense::NoDay(day.clone()));
            }
        }
        if !self.start.is_empty() && !self.end.is_empty() && self.end < self.start {
            return Err(NoSense::DaysReversed {
                last: self.end.clone(),
                first: self.start.clone(),
            });
        }
        Ok(())
    }
}

/// Points of a win, a draw and a loss.
fn are_in_order(points: Worth) -> Result<(), NoSense> {
    if points.win >= points.draw && points.draw >= points.loss {
        Ok(())
    } else {
        Err(NoSense::PointsReversed)
    }
}
