//! Records that were judged before, under other laws of their game.

use crate::{
    finding::{self as code, Finding, Severity},
    record_state::RecordState,
};
use overboard_formats::{header::Name, parse::Parser};
use overboard_rules::{
    outcome::Cause,
    variant::{LawsChange, VariantInfo},
};

/// The name by which the tag Laws calls this program, whose laws have numbers.
pub const NUMBERED_BY: &str = "overboard";

/// Laws of which a record says that it was judged under them.
enum Recorded {
    /// Ours of this number.
    Ours(u32),
    /// Those of another program.
    Foreign,
    /// The tag does not say which.
    Unread,
}

fn recorded(tag: &str) -> Recorded {
    let Some((program, number)) = tag.trim().rsplit_once(' ') else {
        return Recorded::Unread;
    };
    match number.parse() {
        Ok(number) if program.eq_ignore_ascii_case(NUMBERED_BY) => Recorded::Ours(number),
        Ok(_) => Recorded::Foreign,
        Err(_) => Recorded::Unread,
    }
}

impl RecordState {
    /// Reports it where the tag Laws says that the record was judged under other laws than `in_force`: what has changed
    /// since, and whether the verdict rests on it. The game ended by `end`.
    pub fn compare_laws(&mut self, in_force: u32, end: Option<Cause>, parser: &Parser<'_>) {
        let (Some(game), Some(tag)) = (self.terms.game(), self.header().text(Name::Laws)) else {
            return;
        };
        let place = self.tag_place(Name::Laws);
        let then = match recorded(&tag) {
            Recorded::Ours(number) => number,
            Recorded::Foreign => return,
            Recorded::Unread => {
                let message =
                    "laws are named by the program that numbers them, such as `overboard 2`";
                self.find(&code::TAG_VALUE, place, parser, message.into());
                return;
            }
        };
        if then == in_force {
            return;
        }
        let name = game.in_words;
        if then > in_force {
            let message = format!(
                "the record was judged under laws {then} of {name}, which are later than those of this program, {in_force}"
            );
            self.find(&code::OTHER_LAWS, place, parser, message);
            return;
        }
        let since = changes_after(game, then);
        let resting = self.resting_on(&since, end);
        let (kind, how) = if resting.is_empty() {
            (&code::OTHER_LAWS, "no finding rests on what changed".into())
        } else {
            (
                &code::LAWS_CHANGED,
                format!("on that rests {}", resting.join(", ")),
            )
        };
        let message = format!(
            "the record was judged under laws {then} of {name}; since then {}: {how}",
            in_words(&since)
        );
        self.find(kind, place, parser, message);
    }

    /// The errors that rest on rules which have changed, and the end of the game if it does.
    fn resting_on(&self, since: &[&LawsChange], end: Option<Cause>) -> Vec<String> {
        let is_rested_on = |change: &LawsChange, finding: &Finding| {
            let is_cited = change.rules.iter().any(|rule| finding.rule == Some(*rule));
            is_cited && (change.ends.is_empty() || decides(change, end))
        };
        let mut resting = Vec::new();
        for finding in self.findings.iter() {
            let is_error = finding.severity == Severity::Error;
            if is_error && since.iter().any(|change| is_rested_on(change, finding)) {
                let (code, line) = (finding.code.id, finding.place.line);
                resting.push(format!("the error {code} in line {line}"));
            }
        }
        if since.iter().any(|change| decides(change, end)) {
            resting.push("the end of the game".into());
        }
        resting
    }
}

/// Whether a change is about this end of a game.
fn decides(change: &LawsChange, end: Option<Cause>) -> bool {
    end.is_some_and(|end| change.ends.contains(&end))
}

/// What has changed in the laws of a game since this number of theirs.
#[must_use]
pub fn changes_after(game: &VariantInfo, laws: u32) -> Vec<&'static LawsChange> {
    game.changes
        .iter()
        .filter(|change| change.laws > laws)
        .collect()
}

/// What changed, with the rules that say it.
#[must_use]
pub fn in_words(since: &[&LawsChange]) -> String {
    let clauses = since.iter().map(|change| {
        let rules: Vec<_> = change.rules.iter().map(|rule| rule.id).collect();
        format!("{} ({})", change.says, rules.join(", "))
    });
    clauses.collect::<Vec<_>>().join("; ")
}
