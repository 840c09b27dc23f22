//! Pairings made elsewhere: by the arbiter, or by a pairing program that has read a report.

use crate::{
    Event,
    rounds::{Bye, ByeKind},
};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    team::{Pair, Round as Table},
};
use std::collections::BTreeSet;

/// Pairs, White first, and the participant with the pairing-allocated bye.
pub type Pairs = (Vec<(TeamNo, TeamNo)>, Option<TeamNo>);

/// Parses the output of a pairing program: the number of pairs, then a line for each with the numbers of White and
/// Black, or a number and 0 for the bye. JaVaFo, bbpPairings and programs compatible with them write this.
///
/// # Errors
/// The first line that is something else.
pub fn reply(text: &str) -> Result<Pairs, String> {
    // Some programs end lines with a carriage return alone.
    let lines = text.split(['\n', '\r']).map(str::trim).enumerate();
    let mut lines = lines.filter(|(_, line)| !line.is_empty());
    let fault = |at: usize, line: &str, what: &str| {
        format!("line {}: expected {what}, found `{line}`", at + 1)
    };
    let Some((at, first)) = lines.next() else {
        return Err(
            "expected the output of a pairing program: the number of pairs, then a pair in each line".into(),
        );
    };
    let count: usize = first
        .parse()
        .map_err(|_| fault(at, first, "the number of pairs"))?;
    let (mut pairs, mut bye) = (Vec::new(), None);
    for (at, line) in lines {
        match two(line) {
            Some([white, 0]) if white > 0 && bye.is_none() => bye = Some(TeamNo::new(white)),
            Some([white, black]) if white > 0 && black > 0 => {
                pairs.push((TeamNo::new(white), TeamNo::new(black)));
            }
            _ => return Err(fault(at, line, "two numbers, White's first")),
        }
    }
    let found = pairs.len() + usize::from(bye.is_some());
    if found == count {
        return Ok((pairs, bye));
    }
    Err(format!(
        "the first line says {count} pairs, but there are {found}"
    ))
}

/// The two numbers of a line.
fn two(line: &str) -> Option<[u32; 2]> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [one, other] = words[..] else {
        return None;
    };
    Some([one.parse().ok()?, other.parse().ok()?])
}

impl Event {
    /// Makes the next round from these pairs. Participants that are in none of them have the bye that they requested,
    /// or are absent.
    ///
    /// # Errors
    /// If a participant is named twice, does not exist, or is left over.
    pub fn pair_as_given(&mut self, (pairs, bye): &Pairs) -> Result<(), String> {
        let round = self.upcoming();
        if round.get() > self.scheduled() {
            return Err(format!("all {} rounds are paired", self.scheduled()));
        }
        let participants = self.numbers();
        let mut table = Table::default();
        let mut named = Vec::new();
        for (white, black) in pairs {
            table.pairs.push(Pair::new(*white, *black));
            named.extend([*white, *black]);
        }
        named.extend(*bye);
        let mut seen = BTreeSet::new();
        for who in named {
            if !participants.contains(&who) {
                return Err(format!("no participant has the number {who}"));
            }
            if !self.is_in(who, round) || self.asked_for(who, round).is_some() {
                return Err(format!(
                    "{} does not take part in round {round}",
                    self.called(who)
                ));
            }
            if !seen.insert(who) {
                return Err(format!("{} is given twice", self.called(who)));
            }
        }
        let mut byes = self.byes_of_others(round, &seen)?;
        if let Some(who) = bye {
            byes.insert(0, Bye::new(*who, ByeKind::Bye));
        }
        let mut made = self.dressed(&table, ByeKind::Zero);
        made.byes.append(&mut byes);
        self.rounds.push(made);
        Ok(())
    }

    /// The byes of those who are in no pair of a round, because they requested them or are absent.
    fn byes_of_others(&self, round: RoundNo, seen: &BTreeSet<TeamNo>) -> Result<Vec<Bye>, String> {
        let mut byes = Vec::new();
        let mut left = Vec::new();
        for who in self.numbers() {
            if seen.contains(&who) {
                continue;
            }
            match self.asked_for(who, round) {
                Some(kind) => byes.push(Bye::new(who, kind)),
                None if self.is_in(who, round) => left.push(self.called(who)),
                None => byes.push(Bye::new(who, ByeKind::Zero)),
            }
        }
        if !left.is_empty() {
            return Err(format!(
                "{} would not be paired: add a pair with them, --bye, or first `overboard event request FOLDER zero-bye`",
                left.join(", ")
            ));
        }
        Ok(byes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read_whatever_ends_their_lines() {
        let no = TeamNo::new;
        for text in [
            "3\n1 3\n4 2\n5 0\n",
            "3\r1 3\r4 2\r5 0\r",
            "3\r\n 1 3\r\n4 2\r\n5 0",
        ] {
            assert_eq!(
                reply(text).unwrap(),
                (vec![(no(1), no(3)), (no(4), no(2))], Some(no(5)))
            );
        }
        for (text, why) in [
            ("", "expected the output of a pairing program"),
            ("1 2\n", "line 1: expected the number of pairs"),
            ("1\n0 2\n", "line 2: expected two numbers"),
            ("1\n1 2 3\n", "line 2: expected two numbers"),
            ("1\n1 x\n", "line 2: expected two numbers"),
            ("2\n1 2\n", "says 2 pairs, but there are 1"),
            ("2\n1 0\n2 0\n", "line 3: expected two numbers"),
        ] {
            assert!(reply(text).unwrap_err().contains(why), "{text:?}");
        }
    }
}
