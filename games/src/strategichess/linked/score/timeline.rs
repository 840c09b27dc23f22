//! What happened in a record, in order: plies with their times, and where kings or the state of the game changed.

use super::{
    clocks::{Clocks, Time, Written},
    kings::{Kings, Outcomes, Range},
};
use crate::strategichess::linked::{Linked, laws as law};
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome, Ruling},
    square::Side,
};

/// The most plies and incidents of a match that are kept to count kings when time ends: some 100 MB.
const MOST_STEPS: usize = 1_048_576;

/// A ply, or an event between plies: a fallen flag, a resignation, an instruction.
#[derive(Clone, Copy, Debug)]
struct Step {
    is_ply: bool,
    time: Option<Time>,
    /// Where its name ends in the string of all names.
    end: usize,
}

/// The kings after a number of steps.
#[derive(Clone, Debug)]
struct Change {
    steps: usize,
    kings: Kings,
}

/// A ply whose times have not all been read.
#[derive(Clone, Copy, Debug)]
struct Pending {
    step: usize,
    board: usize,
    side: Side,
    written: Written,
    /// A board on which it uses up a turn.
    consumes: Option<usize>,
    /// Whether it is the pass of a player whose flag fell.
    is_idle: bool,
}

/// The course of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    steps: Vec<Step>,
    names: String,
    changes: Vec<Change>,
    ended: Option<(usize, Ruling)>,
    /// The side that first said something forbidden, and after which step.
    offender: Option<(usize, Side)>,
    /// The ruling on that offence when the game is over.
    offence: Option<(usize, Ruling)>,
    clocks: Vec<Clocks>,
    pending: Option<Pending>,
    /// The initial time on the clocks and the increment, in milliseconds.
    pub control: Option<(u64, u64)>,
}

/// When a step was completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    InTime,
    Late,
    Unknown,
}

/// The number of steps that count: lower and upper bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cut {
    pub least: usize,
    pub most: usize,
}

/// A ply by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its number among the plies of the main line, from 1.
    pub ply: u32,
    /// As it is written, with its number.
    pub text: String,
    /// When it was completed.
    pub time: Option<Time>,
}

impl Timeline {
    /// Starts a new game with these kings.
    pub fn start(&mut self, kings: Kings, clocks: Vec<Clocks>, control: Option<(u64, u64)>) {
        self.clear();
        self.changes.push(Change { steps: 0, kings });
        self.clocks = clocks;
        self.control = control;
    }

    pub fn clear(&mut self) {
        self.steps.clear();
        self.names.clear();
        self.changes.clear();
        self.ended = None;
        self.offender = None;
        self.offence = None;
        self.pending = None;
    }

    /// The kings now.
    pub fn kings(&self) -> Option<&Kings> {
        self.changes.last().map(|change| &change.kings)
    }

    /// The kings, or how the game ended, after the last step.
    pub fn change(&mut self, kings: Kings) {
        if self.kings() != Some(&kings) {
            self.changes.push(Change {
                steps: self.steps.len(),
                kings,
            });
        }
    }

    pub fn end(&mut self, ruling: Ruling) {
        if self.ended.is_none() {
            self.ended = Some((self.steps.len(), ruling));
        }
    }

    /// A side says something forbidden.
    pub fn offend(&mut self, side: Side) {
        if self.offender.is_none() {
            self.offender = Some((self.steps.len(), side));
        }
    }

    /// The game is over, by time at the latest, and forbidden remarks take effect (SC-42).
    pub fn scrutinise(&mut self) {
        self.offence = self.offender.map(|(step, side)| {
            let (outcome, rule) = (Outcome::Win(side.other()), &law::OTHER_WORDS);
            (
                step,
                Ruling {
                    outcome,
                    cause: Cause::Infraction,
                    rule,
                },
            )
        });
    }

    pub const fn ended(&self) -> Option<(usize, Ruling)> {
        self.ended
    }

    /// How the game ended if this many steps count. An earlier offence takes precedence.
    pub fn decided(&self, steps: usize) -> Option<Ruling> {
        for (end, ruling) in [self.offence, self.ended].into_iter().flatten() {
            if end <= steps {
                return Some(ruling);
            }
        }
        None
    }

    /// Adds a ply of a side on a board.
    pub fn ply(
        &mut self,
        name: &str,
        (board, side): (usize, Side),
        consumes: Option<usize>,
        is_idle: bool,
    ) {
        self.complete();
        let step = self.step(name, true);
        self.pending = Some(Pending {
            step,
            board,
            side,
            written: Written::default(),
            consumes,
            is_idle,
        });
    }

    /// Adds something that is not a ply.
    pub fn incident(&mut self, name: &str) {
        self.step(name, false);
    }

    fn step(&mut self, name: &str, is_ply: bool) -> usize {
        self.names.push_str(name);
        self.steps.push(Step {
            is_ply,
            time: None,
            end: self.names.len(),
        });
        self.steps.len() - 1
    }

    /// What is written about the last ply's time, to be filled in.
    pub fn written(&mut self) -> Option<&mut Written> {
        self.pending.as_mut().map(|pending| &mut pending.written)
    }

    /// Everything about the last ply has been read.
    pub fn complete(&mut self) {
        let Some(Pending {
            step,
            board,
            side,
            written,
            consumes,
            is_idle,
        }) = self.pending.take()
        else {
            return;
        };
        let Some(clocks) = self.clocks.get_mut(board) else {
            self.steps[step].time = written.stamp.map(|at| Time { at, derived: false });
            return;
        };
        let bare = written.stamp.or(written.clock).or(written.taken).is_none();
        let written = if is_idle && bare {
            Written {
                taken: Some(0),
                ..written
            }
        } else {
            written
        };
        let time = clocks.complete(side, written, self.control);
        self.steps[step].time = time;
        if let Some(board) = consumes
            && let Some(clocks) = self.clocks.get_mut(board)
        {
            clocks.consume(side, time);
        }
    }

    /// The name of a step.
    pub fn name(&self, step: usize) -> &str {
        let from = match step {
            0 => 0,
            _ => self.steps[step - 1].end,
        };
        &self.names[from..self.steps[step].end]
    }

    fn named(&self, step: usize) -> Named {
        Named {
            ply: self.plies(0, step + 1) as u32,
            text: self.name(step).to_string(),
            time: self.steps[step].time,
        }
    }

    /// How many of these steps are plies.
    pub fn plies(&self, from: usize, to: usize) -> usize {
        self.steps
            .get(from..to)
            .unwrap_or_default()
            .iter()
            .filter(|step| step.is_ply)
            .count()
    }

    pub fn times(&self) -> impl Iterator<Item = Time> {
        self.steps.iter().filter_map(|step| step.time)
    }

    /// Whether there may be more steps than are kept.
    pub const fn is_full(&self) -> bool {
        self.steps.len() >= MOST_STEPS
    }

    pub const fn len(&self) -> usize {
        self.steps.len()
    }

    /// The first ply whose time is before that of an earlier ply, and that earlier ply.
    pub fn backwards(&self) -> Option<(Named, Named)> {
        let mut latest: Option<(usize, u64)> = None;
        for (index, step) in self.steps.iter().enumerate() {
            match (latest, step.time) {
                (Some((before, at)), Some(time)) if time.at < at => {
                    return Some((self.named(before), self.named(index)));
                }
                (_, Some(time)) => latest = Some((index, time.at)),
                _ => {}
            }
        }
        None
    }

    /// Which steps count (SC-30): those up to the last ply completed at or before the expiry; all if there is none.
    /// Steps after the game's end do not count.
    pub fn cut(&self, expiry: Option<u64>) -> Cut {
        let cut = match expiry {
            Some(expiry) => self.by_time(expiry),
            None => Cut::after(self.len()),
        };
        match self.ended {
            Some((end, _)) if end <= cut.least => Cut::after(end),
            Some((end, _)) => Cut {
                most: cut.most.min(end),
                ..cut
            },
            None => cut,
        }
    }

    fn by_time(&self, expiry: u64) -> Cut {
        let (mut in_time, mut late) = (0, self.len());
        for (index, class) in self.classes(expiry).into_iter().enumerate() {
            match class {
                Class::InTime => in_time = index + 1,
                Class::Late => late = late.min(index),
                Class::Unknown => {}
            }
        }
        // If times run backwards, the plies between are uncertain as well.
        Cut {
            least: in_time.min(late),
            most: in_time.max(late),
        }
    }

    fn classes(&self, expiry: u64) -> Vec<Class> {
        let mut classes: Vec<_> = self
            .steps
            .iter()
            .map(|step| Class::of(*step, expiry))
            .collect();
        // Events at the end of a record happened when its last ply had been completed.
        let last = self.steps.iter().rposition(|step| step.is_ply);
        match last {
            Some(last) => {
                let class = classes[last];
                classes[last + 1..].fill(class);
            }
            None => classes.fill(Class::InTime),
        }
        classes
    }

    /// The last ply that certainly counts.
    pub fn last_counted(&self, cut: Cut) -> Option<Named> {
        let counted = &self.steps[..cut.least];
        let last = counted.iter().rposition(|step| step.is_ply)?;
        Some(self.named(last))
    }

    /// The first ply that is certainly too late.
    pub fn first_late(&self, cut: Cut, expiry: Option<u64>) -> Option<Named> {
        let expiry = expiry?;
        let late = |step: &Step| Class::of(*step, expiry) == Class::Late;
        let behind = self.steps.get(cut.most..)?.iter().position(late)?;
        Some(self.named(cut.most + behind))
    }

    /// The kings if this many steps count.
    pub fn kings_at(&self, steps: usize) -> Kings {
        let change = self.changes.iter().rfind(|change| change.steps <= steps);
        change
            .map(|change| change.kings.clone())
            .unwrap_or_default()
    }

    /// The score and the possible outcomes if this many steps count.
    pub fn standing(&self, steps: usize) -> (BySide<Range>, Outcomes) {
        let kings = self.kings_at(steps).count();
        match self.decided(steps) {
            Some(ruling) => (scored(kings, ruling), Outcomes::only(ruling.outcome)),
            None => (kings, Outcomes::counted(kings)),
        }
    }

    /// Steps of a cut after which the kings or the state of the game have changed.
    pub fn turning_points(&self, cut: Cut) -> Vec<usize> {
        let mut points: Vec<_> = self.changes.iter().map(|change| change.steps).collect();
        for (end, _) in [self.ended, self.offence].into_iter().flatten() {
            points.push(end);
        }
        points.retain(|steps| cut.least < *steps && *steps <= cut.most);
        points.sort_unstable();
        points.dedup();
        points
    }
}

impl Cut {
    /// Exactly so many.
    const fn after(steps: usize) -> Self {
        Self {
            least: steps,
            most: steps,
        }
    }
}

impl Class {
    fn of(step: Step, expiry: u64) -> Self {
        match step.time {
            None => Self::Unknown,
            Some(time) if time.at <= expiry => Self::InTime,
            Some(_) => Self::Late,
        }
    }
}

/// The kings after a game has ended: none for a team that was mated, resigned or broke the rules (SC-36).
pub(super) fn scored(mut kings: BySide<Range>, ruling: Ruling) -> BySide<Range> {
    if let Some(team) = Linked::without_score(ruling) {
        kings[team] = Range::exactly(0);
    }
    kings
}
