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
        read_setup,
    },
};
use overboard_formats::header::Name;
use overboard_referee::{finding::Verdict, game::position::PositionError, report::Report};
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome, Ruling},
    position::DrawLaw,
    square::{Piece, Role, Side},
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
        let notes: usize = self
            .notes
            .iter()
            .map(|note| size_of::<Note>() + note.text.len())
            .sum();
        let deciding: usize = self
            .deciding
            .iter()
            .map(|name| size_of::<String>() + name.len())
            .sum();
        self.boards.len() * size_of::<BySide<King>>() + notes + deciding
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
        let points = line.turning_points(cut);
        let standings: Vec<_> = points
            .iter()
            .map(|steps| line.standing(*steps))
            .chain([first])
            .collect();
        let possible = standings
            .iter()
            .fold(Outcomes::default(), |all, (_, outcomes)| all.or(*outcomes));
        let either = |side| {
            let ranges = standings.iter().map(|(kings, _)| kings[side]);
            ranges.reduce(Range::or).unwrap_or_default()
        };
        self.kings = Some(BySide::from_fn(either));
        self.boards = line.kings_at(cut.least).or(&line.kings_at(cut.most)).0;
        self.last_counted = line.last_counted(cut);
        self.first_late = line.first_late(cut, expiry);
        self.uncertain = line.plies(cut.least, cut.most) as u32;
        self.deciding = points
            .iter()
            .map(|steps| line.name(steps - 1).to_string())
            .collect();
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
            let behind = line
                .ended()
                .map_or(0, |(end, _)| line.plies(end, line.len()));
            notes.extend((behind > 0).then(|| Note::after_end(behind)));
        } else {
            notes.extend(Note::tainted(&line.kings_at(cut.most).0, unjudged_from));
            notes.extend(
                line.ended()
                    .filter(|(end, _)| *end > cut.most)
                    .map(|(_, end)| Note::end_too_late(end)),
            );
            notes.extend((self.boards.len() == 1).then(Note::one_board));
        }
        if expiry.is_some() {
            self.remark_on_times(line, cut, ended.is_some());
        }
        let equal = |count: Count| {
            count.outcome == Some(Outcome::Draw) && count.kings[Side::White].is_certain()
        };
        if ended.is_none()
            && self.boards.len() != 1
            && self.outcome.is_some()
            && self.ends.is_some_and(|ends| ends.into_iter().all(equal))
        {
            self.notes.push(Note::equal());
        }
    }

    fn remark_on_times(&mut self, line: &Timeline, cut: Cut, ended: bool) {
        let notes = &mut self.notes;
        let times = line.times().count();
        let derived = line.times().filter(|time| time.derived).count();
        notes.extend((times == 0 && line.len() > 0).then(Note::no_times));
        notes.extend((derived > 0).then(|| Note::derived(derived < times)));
        notes.extend(
            line.backwards()
                .map(|(earlier, later)| Note::backwards(&earlier, &later)),
        );
        let late = if ended {
            0
        } else {
            line.plies(cut.most, line.len())
        };
        notes.extend((late > 0).then(|| Note::after_expiry(late)));
        notes.extend((cut.least < cut.most).then(|| Note::uncertain(line, cut)));
    }

    /// Compares the count with the record's claims.
    fn compare(&mut self, possible: Outcomes) {
        let result = self
            .record_result
            .as_deref()
            .filter(|result| !matches!(*result, "*" | "" | "?"));
        let score = self
            .record_score
            .as_deref()
            .filter(|score| !matches!(*score, "" | "?"));
        let by_result = result.map(|result| agreement(possible, outcome_of(result)));
        let by_score = score.map(|score| self.agreement_of_score(score));
        if let (Some(result), Some(Agreement::No)) = (result, by_result) {
            let all = [
                Outcome::Win(Side::White),
                Outcome::Win(Side::Black),
                Outcome::Draw,
            ];
            let right: Vec<_> = all
                .into_iter()
                .filter(|outcome| possible.holds(*outcome))
                .collect();
            self.notes.push(Note::wrong_result(result, &right));
        }
        let kings = self.kings.map(BySide::into_array);
        if let (Some(score), Some(Agreement::No), Some([white, black])) = (score, by_score, kings) {
            self.notes
                .push(Note::wrong_score(score, &format!("{white}-{black}")));
        }
        self.agrees = by_result.max(by_score);
    }

    fn agreement_of_score(&self, score: &str) -> Agreement {
        let Some([white, black]) = self.kings.map(BySide::into_array) else {
            return Agreement::Undetermined;
        };
        let claimed = score
            .split_once('-')
            .and_then(|(w, b)| w.trim().parse().ok().zip(b.trim().parse().ok()));
        match claimed {
            Some((w, b)) if white.may_be(w) && black.may_be(b) => {
                let certain = white.is_certain() && black.is_certain();
                if certain {
                    Agreement::Yes
                } else {
                    Agreement::Undetermined
                }
            }
            _ => Agreement::No,
        }
    }
}

fn agreement(possible: Outcomes, claimed: Option<Outcome>) -> Agreement {
    match claimed {
        Some(claimed) if possible.certain() == Some(claimed) => Agreement::Yes,
        Some(claimed) if possible.holds(claimed) => Agreement::Undetermined,
        None if possible == Outcomes::ANY => Agreement::Undetermined,
        _ => Agreement::No,
    }
}

fn outcome_of(result: &str) -> Option<Outcome> {
    [
        Outcome::Win(Side::White),
        Outcome::Win(Side::Black),
        Outcome::Draw,
    ]
    .into_iter()
    .find(|outcome| outcome.as_str() == result)
}

/// The account of a final position: one board, or several separated by ` | `. A team may have no king left in it, which
/// a fallen flag can cause (SC-35).
///
/// # Errors
/// Why the text is not a position.
pub fn position(text: &str, edition: Edition) -> Result<Account, PositionError> {
    let read = if text.contains('|') {
        linked::read(text, edition)
            .map(|read| read.linked)
            .map(|position| (Kings::of(&position), position.end_by_itself()))
    } else {
        <Strategi as BoardNotation>::read(text)
            .map(|read| (Kings::one_each(true), read.position.end_by_itself()))
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
    let setups: Vec<_> = text
        .split('|')
        .map(|part| read_setup(part.trim()))
        .collect::<Result<_, _>>()
        .ok()?;
    let count = |board: usize, side: Side| {
        let king = Some(Piece {
            side,
            role: Role::King,
        });
        setups[board]
            .board
            .iter()
            .filter(|piece| **piece == king)
            .count()
    };
    let king = |board, side| {
        if count(board, side) > 0 {
            King::Stands
        } else {
            King::Gone
        }
    };
    let sides = [Side::White, Side::Black];
    let crowded =
        (0..setups.len()).any(|board| sides.into_iter().any(|side| count(board, side) > 1));
    let kings = Kings(
        (0..setups.len())
            .map(|board| BySide::from_fn(|side| king(board, side)))
            .collect(),
    );
    let [white, black] = kings.count().map(|range| range.most).into_array();
    ((white == 0) != (black == 0) && !crowded).then_some(kings)
}
