//! The count for one game, or one position: kings, times, result.

use super::{
    counts_kings,
    kings::{King, Kings, Outcomes, Range},
    notes::Note,
    timeline::{Cut, Named, Timeline, scored},
};
use crate::{
    one_board::notation::BoardNotation,
    referee::AnyReferee,
    strategichess::{
        Strategi,
        linked::{self, Edition},
        notation::read_unchecked,
    },
};
use overboard_formats::header::Name;
use overboard_referee::{finding::Verdict, game::position::PositionError, report::Report};
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome, Ruling},
    position::DrawLaw,
    square::Side,
};

/// The count of kings, and whether the result agrees.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Account {
    /// White's and Black's king on each board, board A first.
    pub boards: Vec<BySide<King>>,
    /// The score of White's and Black's team; `None` if nothing can be counted.
    pub kings: Option<BySide<Range>>,
    /// Who has won; `None` if that is not determined.
    pub outcome: Option<Outcome>,
    /// If the game ended before time did: why, and by which rule.
    pub ended: Option<(Cause, &'static str)>,
    /// The last ply that certainly counts.
    pub last_counted: Option<Named>,
    /// The first ply that is certainly too late.
    pub first_late: Option<Named>,
    /// How many plies are between the two.
    pub uncertain: u32,
    /// The plies and other events on which the count depends.
    pub deciding: Vec<String>,
    /// The count without any of them, and with all.
    pub ends: Option<[Count; 2]>,
    /// The result of the record.
    pub record_result: Option<String>,
    /// The tag Score.
    pub record_score: Option<String>,
    /// Whether both are right; `None` if the record claims nothing.
    pub agrees: Option<Agreement>,
    /// Whether the record could be read.
    pub readable: bool,
    /// What else is worth knowing.
    pub notes: Vec<Note>,
}

/// A score and the outcome that follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// Of White's and Black's team.
    pub kings: BySide<Range>,
    /// Who has won, if that is determined.
    pub outcome: Option<Outcome>,
}

/// Whether a record's claims are right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Agreement {
    /// All claims are right.
    Yes,
    /// Some claim cannot be decided.
    Undetermined,
    /// Some claim is wrong.
    No,
}

impl Account {
    /// Approximate size on the heap, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let mut bytes = self.boards.len() * size_of::<BySide<King>>();
        for note in &self.notes {
            bytes += size_of::<Note>() + note.text.len();
        }
        for name in &self.deciding {
            bytes += size_of::<String>() + name.len();
        }
        bytes
    }

    /// The account of a record that has been read.
    pub(super) fn of(
        line: &mut Timeline,
        expiry: Option<u64>,
        report: &Report,
        referee: &AnyReferee,
    ) -> Self {
        if expiry.is_some() || report.result.outcome().is_some() || line.ended().is_some() {
            line.scrutinise();
        }
        let mut account = Self {
            record_result: report
                .result
                .record
                .as_ref()
                .map(|record| record.as_it_came().to_owned()),
            record_score: referee.tag(Name::Score),
            readable: report.verdict != Verdict::Unreadable,
            ..Self::default()
        };
        let possible = if !account.readable {
            account.notes.push(Note::unreadable(report));
            account.notes.extend(Note::missing(&line.kings_at(0).0));
            Outcomes::ANY
        } else if line.is_full() {
            account.notes.push(Note::too_long(line.len()));
            Outcomes::ANY
        } else if counts_kings(referee) {
            account.count(line, expiry, report.unjudged_from.as_deref())
        } else {
            account
                .notes
                .push(Note::other_game(report.variant.as_it_came()));
            Outcomes::ANY
        };
        account.outcome = possible.certain();
        account.compare(possible);
        account
    }

    /// The account of something that cannot be read.
    #[must_use]
    pub fn unreadable(note: Note) -> Self {
        Self {
            notes: vec![note],
            ..Self::default()
        }
    }

    /// Counts the kings; returns the possible outcomes.
    fn count(
        &mut self,
        line: &Timeline,
        expiry: Option<u64>,
        unjudged_from: Option<&str>,
    ) -> Outcomes {
        let cut = line.cut(expiry);
        let (first, last) = (line.standing(cut.least), line.standing(cut.most));
        let (mut kings, mut possible) = first;
        for steps in line.turning_points(cut) {
            let (there, outcomes) = line.standing(steps);
            kings = BySide::from_fn(|side| kings[side].or(there[side]));
            possible = possible.or(outcomes);
            self.deciding.push(line.name(steps - 1).to_string());
        }
        self.kings = Some(kings);
        self.boards = line.kings_at(cut.least).or(&line.kings_at(cut.most)).0;
        self.last_counted = line.last_counted(cut);
        self.first_late = line.first_late(cut, expiry);
        self.uncertain = line.plies(cut.least, cut.most) as u32;
        self.ends = Some([first, last].map(|(kings, outcomes)| Count {
            kings,
            outcome: outcomes.certain(),
        }));
        self.outcome = possible.certain();
        self.remark(line, cut, expiry, unjudged_from);
        possible
    }

    fn remark(
        &mut self,
        line: &Timeline,
        cut: Cut,
        expiry: Option<u64>,
        unjudged_from: Option<&str>,
    ) {
        let ended = line.decided(cut.least);
        self.ended = ended.map(|ruling| (ruling.cause, ruling.rule.id));
        let notes = &mut self.notes;
        notes.extend(Note::missing(&line.kings_at(0).0));
        if let Some(ruling) = ended {
            notes.push(Note::ended(ruling, self.last_counted.as_ref()));
            let behind = match line.ended() {
                Some((end, _)) => line.plies(end, line.len()),
                None => 0,
            };
            if behind > 0 {
                notes.push(Note::after_end(behind));
            }
        } else {
            notes.extend(Note::tainted(&line.kings_at(cut.most).0, unjudged_from));
            if let Some((end, ruling)) = line.ended()
                && end > cut.most
            {
                notes.push(Note::end_too_late(ruling));
            }
            if self.boards.len() == 1 {
                notes.push(Note::one_board());
            }
        }
        if expiry.is_some() {
            self.remark_on_times(line, cut, ended.is_some());
        }
        if ended.is_none() && self.boards.len() != 1 && self.has_equal_kings() {
            self.notes.push(Note::equal());
        }
    }

    /// Whether the match is drawn because the teams certainly have as many kings, whatever counts.
    fn has_equal_kings(&self) -> bool {
        let Some(ends) = self.ends else {
            return false;
        };
        let equal = |count: Count| {
            count.outcome == Some(Outcome::Draw) && count.kings[Side::White].is_certain()
        };
        self.outcome.is_some() && ends.into_iter().all(equal)
    }

    fn remark_on_times(&mut self, line: &Timeline, cut: Cut, ended: bool) {
        let notes = &mut self.notes;
        let times = line.times().count();
        let derived = line.times().filter(|time| time.derived).count();
        if times == 0 && line.len() > 0 {
            notes.push(Note::no_times());
        }
        if derived > 0 {
            notes.push(Note::derived(derived < times));
        }
        if let Some((earlier, later)) = line.backwards() {
            notes.push(Note::backwards(&earlier, &later));
        }
        let late = line.plies(cut.most, line.len());
        if late > 0 && !ended {
            notes.push(Note::after_expiry(late));
        }
        if cut.least < cut.most {
            notes.push(Note::uncertain(line, cut));
        }
    }

    /// Compares the count with the record's claims.
    fn compare(&mut self, possible: Outcomes) {
        let by_result = self.compare_result(possible);
        let by_score = self.compare_score();
        self.agrees = by_result.max(by_score);
    }

    fn compare_result(&mut self, possible: Outcomes) -> Option<Agreement> {
        let result = self.record_result.as_deref()?;
        if matches!(result, "*" | "" | "?") {
            return None;
        }
        let agreement = agreement(possible, Outcome::read(result));
        if agreement == Agreement::No {
            self.notes
                .push(Note::wrong_result(result, &possible.list()));
        }
        Some(agreement)
    }

    fn compare_score(&mut self) -> Option<Agreement> {
        let score = self.record_score.as_deref()?;
        if matches!(score, "" | "?") {
            return None;
        }
        let Some([white, black]) = self.kings.map(BySide::into_array) else {
            return Some(Agreement::Undetermined);
        };
        Some(match claimed(score) {
            Some([w, b]) if white.may_be(w) && black.may_be(b) => {
                if white.is_certain() && black.is_certain() {
                    Agreement::Yes
                } else {
                    Agreement::Undetermined
                }
            }
            _ => {
                self.notes
                    .push(Note::wrong_score(score, &format!("{white}-{black}")));
                Agreement::No
            }
        })
    }
}

/// The kings of White's and Black's team in a score such as `3-1`.
fn claimed(score: &str) -> Option<[u32; 2]> {
    let (white, black) = score.split_once('-')?;
    Some([white.trim().parse().ok()?, black.trim().parse().ok()?])
}

fn agreement(possible: Outcomes, claimed: Option<Outcome>) -> Agreement {
    match claimed {
        Some(claimed) if possible.certain() == Some(claimed) => Agreement::Yes,
        Some(claimed) if possible.holds(claimed) => Agreement::Undetermined,
        None if possible == Outcomes::ANY => Agreement::Undetermined,
        _ => Agreement::No,
    }
}

/// The account of a final position: one board, or several separated by ` | `. A team may have no king left in it, which
/// a fallen flag can cause (SC-35).
///
/// # Errors
/// Why the text is not a position.
pub fn position(text: &str, edition: Edition) -> Result<Account, PositionError> {
    let read = if text.contains('|') {
        linked::read(text, edition)
            .map(|read| (Kings::of(&read.linked), read.linked.end_by_itself()))
    } else {
        <Strategi as BoardNotation>::read(text)
            .map(|read| (Kings::one_each(), read.position.end_by_itself()))
    };
    match read {
        Ok((kings, ending)) => Ok(counted(kings, ending)),
        Err(fault) => bereft(text).map(|kings| counted(kings, None)).ok_or(fault),
    }
}

fn counted(kings: Kings, ending: Option<Ruling>) -> Account {
    let mut count = kings.count();
    let mut outcome = Outcomes::counted(count).certain();
    let mut notes: Vec<_> = Note::missing(&kings.0).into_iter().collect();
    let mate = ending.filter(|ruling| ruling.cause == Cause::Checkmate);
    if let Some(mate) = mate {
        count = scored(count, mate);
        outcome = Some(mate.outcome);
        notes.push(Note::ended(mate, None));
    } else if kings.0.len() == 1 {
        notes.push(Note::one_board());
    } else if outcome == Some(Outcome::Draw) {
        notes.push(Note::equal());
    }
    Account {
        boards: kings.0,
        kings: Some(count),
        outcome,
        ended: mate.map(|ruling| (ruling.cause, ruling.rule.id)),
        ends: Some(
            [Count {
                kings: count,
                outcome,
            }; 2],
        ),
        readable: true,
        notes,
        ..Account::default()
    }
}

/// The kings of boards on which a team has none left; `None` if something else is wrong, too.
fn bereft(text: &str) -> Option<Kings> {
    let mut kings = Kings::default();
    for part in text.split('|') {
        let here = read_unchecked(part.trim()).ok()?.board.count_kings();
        if here.iter().any(|kings| *kings > 1) {
            return None;
        }
        kings.0.push(here.map(|kings| match kings {
            0 => King::Gone,
            _ => King::Stands,
        }));
    }
    let [white, black] = kings.count().into_array();
    if (white.most == 0) == (black.most == 0) {
        return None;
    }
    Some(kings)
}
