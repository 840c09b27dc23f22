//! What a setting is that event.toml does not give.

use super::{
    BoardOrder, ForeForfeits, Lieutenants, Missed, Participants, Scoring, Settings, System,
};
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    points::Points,
    tournament::{Score, Worth},
};

pub(super) const fn once() -> u32 {
    1
}

pub(super) const fn two() -> Worth {
    Worth {
        win: Points(20),
        draw: Points(10),
        loss: Points::ZERO,
    }
}

pub(super) const fn one() -> Worth {
    Worth {
        win: Points(10),
        draw: Points(5),
        loss: Points::ZERO,
    }
}

pub(super) fn latest() -> String {
    "2026-03".into()
}

/// A round robin of teams in which a match is one game of chess. Everything that has a default has it.
impl Default for Settings {
    fn default() -> Self {
        Self {
            name: "-".into(),
            city: Foreign::default(),
            federation: Foreign::default(),
            start: String::new(),
            end: String::new(),
            arbiter: Foreign::default(),
            by: Foreign::default(),
            time_control: Foreign::default(),
            game: "Chess".into(),
            rules: String::new(),
            system: System::RoundRobin,
            cycles: once(),
            rounds: None,
            participants: Participants::Teams,
            scoring: Scoring::Game,
            boards: once(),
            pattern: None,
            primary: Score::default(),
            match_points: two(),
            game_points: one(),
            bye: None,
            board_order: BoardOrder::default(),
            missed: Missed::default(),
            lieutenants: Lieutenants::default(),
            tie_breaks: Vec::new(),
            edition: latest(),
            fore_forfeits: ForeForfeits::default(),
            trf_type: String::new(),
            trf_system: String::new(),
            swiss: None,
        }
    }
}
