//! The consequences of correcting a result when later rounds are already paired.

use crate::{Event, rounds::Match, settings::System};
use overboard_schedules::ids::{RoundNo, TeamNo};

impl Event {
    /// Reports which later rounds depend on results of a round that have changed, and what can be done. `self` is the
    /// event after the correction; `folder` is its folder as it appears in the suggested commands.
    #[must_use]
    pub fn corrected(&self, before: &Self, round: RoundNo, folder: &str) -> Vec<String> {
        let last = self.rounds.len() as u32;
        let next = round.next();
        if !self.is_paired_by_results() || next.get() > last {
            return Vec::new();
        }
        let (Some(old), Some(new)) = (
            before.rounds.get(round.index()),
            self.rounds.get(round.index()),
        ) else {
            return Vec::new();
        };
        let has_changed = |then: &Match| match new.of_pair(then) {
            None => true,
            Some(now) => {
                let had_result = before.outcome(then).is_some();
                had_result && before.outcome(then) != self.outcome(now)
                    || then.play_off.is_some() && then.play_off != now.play_off
            }
        };
        if old.byes == new.byes && !old.matches.iter().any(has_changed) {
            return Vec::new();
        }
        if self.settings.system == System::Knockout {
            return self.goes_on(before, round, folder);
        }
        let rounds = if next.get() == last {
            format!("round {last} was")
        } else {
            format!("rounds {next} to {last} were")
        };
        let mut notes = vec![format!(
            "{rounds} paired from the old result and stay{} as paired: a correction counts for the standings and for the next pairing \
             (C.04.2, 4.3)",
            if next.get() == last { "s" } else { "" }
        )];
        let mut latest = self.rounds[last as usize - 1].matches.iter();
        if latest.all(|this| self.outcome(this).is_none()) {
            notes.push(format!(
                "round {last} has no result yet; if it may still be paired again (C.04.2, 4.4), `overboard event cancel {folder} \
                 {last}` cancels its pairing and `overboard pair next {folder}` makes a new one"
            ));
        }
        notes
    }

    /// What to do if the next round of a knockout has the wrong participant in it.
    fn goes_on(&self, before: &Self, round: RoundNo, folder: &str) -> Vec<String> {
        let next = round.next();
        let last = self.rounds.len() as u32;
        let [new, old] = [self.winners_of(round), before.winners_of(round)];
        let mut notes = Vec::new();
        for (winner, loser) in new {
            let stood = |two: &(TeamNo, TeamNo)| *two == (loser, winner);
            let sheet = &self.rounds[next.index()];
            let is_in = |who| sheet.of(who).is_some() || sheet.bye_of(who).is_some();
            if !(old.iter().any(stood) || is_in(loser) && !is_in(winner)) {
                continue;
            }
            let table = match sheet.of(loser) {
                Some(this) => format!(", table {}", this.table),
                None => String::new(),
            };
            notes.push(format!(
                "by this result {} advances, but {} is paired in round {next}{table}",
                self.called(winner),
                self.called(loser)
            ));
        }
        notes.extend(self.undecided_since(before, round));
        if notes.is_empty() {
            return notes;
        }
        let rounds = if next.get() == last {
            format!("round {last}")
        } else {
            format!("rounds {next} to {last}")
        };
        notes.push(format!(
            "`overboard event cancel {folder} {next}` cancels {rounds}, and `overboard pair next {folder}` pairs round {next} by the \
             new result; otherwise the rounds stay as they were paired"
        ));
        notes
    }

    /// Matches of a round of a knockout that were decided before, and are no longer.
    fn undecided_since(&self, before: &Self, round: RoundNo) -> Vec<String> {
        let next = round.next();
        let mut notes = Vec::new();
        for this in &before.rounds[round.index()].matches {
            if let Ok(winner) = before.winner(round, this)
                && let Some(now) = self.rounds[round.index()].of(this.white)
                && self.winner(round, now).is_err()
            {
                notes.push(format!(
                    "table {} of round {round} is no longer decided, but {} is paired in round {next}",
                    this.table,
                    self.called(winner)
                ));
            }
        }
        notes
    }

    /// Winner and loser of each decided match of a round.
    fn winners_of(&self, round: RoundNo) -> Vec<(TeamNo, TeamNo)> {
        let mut decided = Vec::new();
        for this in &self.rounds[round.index()].matches {
            match self.winner(round, this) {
                Ok(winner) if winner == this.white => decided.push((winner, this.black)),
                Ok(winner) => decided.push((winner, this.white)),
                Err(_) => {}
            }
        }
        decided
    }
}
