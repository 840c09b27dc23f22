//! The clocks of a game: what each shows, which of them run, and whose flag falls.
//!
//! They know no time of their own: whoever keeps them says how much has passed, so that a sleeping computer or a change
//! of the date changes nothing, and tests need not wait.

use overboard_engines::manifest::is_default;
use overboard_formats::command::{Period, TimeControlError, periods};
use overboard_rules::square::Side;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Whose clock it is: of the game with this path, or on this board, the side that it belongs to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hand {
    /// The board, or the path to a game inside; empty for the game of the record.
    pub path: String,
    /// Whether it is White's; else Black's.
    pub white: bool,
}

impl Hand {
    /// The clock of a side in the game with this path.
    #[must_use]
    pub fn of(path: &str, side: Side) -> Self {
        Self {
            path: path.into(),
            white: side == Side::White,
        }
    }

    /// The side.
    #[must_use]
    pub const fn side(&self) -> Side {
        if self.white { Side::White } else { Side::Black }
    }

    /// The clock beside it.
    #[must_use]
    pub fn other(&self) -> Self {
        Self {
            path: self.path.clone(),
            white: !self.white,
        }
    }
}

/// What one clock shows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Face {
    /// Whose it is.
    #[serde(flatten)]
    pub hand: Hand,
    /// The time left, in milliseconds.
    pub left: u64,
    /// The number of the period, from 0; the last one repeats where it ends after a number of moves.
    #[serde(default, skip_serializing_if = "is_default")]
    pub period: u32,
    /// The moves made in that period.
    #[serde(default, skip_serializing_if = "is_default")]
    pub moves: u32,
    /// How long it has run for this move, in milliseconds: a delay comes before time is taken.
    #[serde(default, skip_serializing_if = "is_default")]
    pub thought: u64,
    /// Whether its flag has fallen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fallen: bool,
}

/// What all clocks show.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shown {
    /// Each clock that has been needed so far.
    pub faces: Vec<Face>,
    /// The playing time since the beginning, in milliseconds: that in which clocks were running.
    pub played: u64,
}

impl Face {
    /// Takes time from a clock that runs; returns how much that was.
    fn take(&mut self, time: u64, setting: &Setting) -> u64 {
        let free = setting.delay.saturating_sub(self.thought).min(time);
        self.thought = self.thought.saturating_add(time);
        if self.fallen {
            return 0;
        }
        let (mut due, mut taken) = (time - free, 0);
        loop {
            let now = due.min(self.left);
            taken += now;
            due -= now;
            self.left -= now;
            if self.left > 0 || !setting.goes_on(self.period) {
                self.fallen |= self.left == 0;
                return taken;
            }
            self.period += 1;
            self.left = setting.time_of(self.period);
            self.moves = 0;
        }
    }
}

/// How the clocks of a game are set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    periods: Vec<Period>,
    delay: u64,
}

impl Setting {
    /// The time control in the form of the tag TimeControl, and the milliseconds at the beginning of each move that are
    /// not taken from the clock.
    ///
    /// # Errors
    /// If it says nothing about the clocks, or is written differently.
    pub fn read(control: &str, delay: u64) -> Result<Self, TimeControlError> {
        Ok(Self {
            periods: periods(control)?,
            delay,
        })
    }

    /// The period with this number; the last one comes again and again.
    fn period(&self, number: u32) -> Option<&Period> {
        let last = self.periods.len().checked_sub(1)?;
        let number = usize::try_from(number).unwrap_or(last);
        self.periods.get(number.min(last))
    }

    /// The time of a period, in milliseconds.
    fn time_of(&self, number: u32) -> u64 {
        self.period(number).map_or(0, |period| period.time)
    }

    /// Whether another period follows this one when its time is used up.
    fn goes_on(&self, number: u32) -> bool {
        let follows = (number as usize) + 1 < self.periods.len();
        let by_time = |period: &Period| period.moves.is_none() && !period.is_hourglass;
        follows && self.period(number).is_some_and(by_time)
    }
}

/// The clocks of a game.
///
/// ```
/// use overboard_desk::clock::{Clocks, Hand, Setting};
/// use overboard_rules::square::Side;
///
/// let mut clocks = Clocks::new(Setting::read("60+2", 0).unwrap());
/// let [white, black] = [Side::White, Side::Black].map(|side| Hand::of("", side));
/// clocks.run(vec![white.clone()]);
/// clocks.pass(10_000);
/// clocks.press(&white);
/// assert_eq!((clocks.left(&white), clocks.left(&black)), (52_000, 60_000));
/// clocks.run(vec![black.clone()]);
/// clocks.pass(61_000);
/// assert_eq!(clocks.fallen(), [black]);
/// ```
#[derive(Clone, Debug)]
pub struct Clocks {
    setting: Setting,
    faces: BTreeMap<Hand, Face>,
    /// The clocks that run unless all stand still.
    running: Vec<Hand>,
    is_paused: bool,
    played: u64,
}

impl Clocks {
    /// Clocks that stand at the beginning.
    #[must_use]
    pub const fn new(setting: Setting) -> Self {
        Self {
            setting,
            faces: BTreeMap::new(),
            running: Vec::new(),
            is_paused: false,
            played: 0,
        }
    }

    /// A clock, which is new if it was not needed before, and how all are set.
    fn face(&mut self, hand: &Hand) -> (&mut Face, &Setting) {
        let new = || Face {
            hand: hand.clone(),
            left: self.setting.time_of(0),
            period: 0,
            moves: 0,
            thought: 0,
            fallen: false,
        };
        let face = self.faces.entry(hand.clone()).or_insert_with(new);
        (face, &self.setting)
    }

    /// What a clock shows, in milliseconds.
    #[must_use]
    pub fn left(&self, hand: &Hand) -> u64 {
        match self.faces.get(hand) {
            Some(face) => face.left,
            None => self.setting.time_of(0),
        }
    }

    /// Which clocks run from now on; they do so unless all are paused.
    pub fn run(&mut self, hands: Vec<Hand>) {
        for hand in &hands {
            self.face(hand);
            self.face(&hand.other());
        }
        self.running = hands;
    }

    /// The clocks that run.
    #[must_use]
    pub fn running(&self) -> &[Hand] {
        if self.is_paused { &[] } else { &self.running }
    }

    /// Stops all clocks, or lets them run again.
    pub const fn pause(&mut self, paused: bool) {
        self.is_paused = paused;
    }

    /// Whether all clocks are stopped.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// The playing time so far, in milliseconds.
    #[must_use]
    pub const fn played(&self) -> u64 {
        self.played
    }

    /// Lets this much time pass, in milliseconds.
    pub fn pass(&mut self, time: u64) {
        if self.is_paused || self.running.is_empty() {
            return;
        }
        self.played = self.played.saturating_add(time);
        for hand in self.running.clone() {
            let (face, setting) = self.face(&hand);
            let taken = face.take(time, setting);
            let is_hourglass = setting
                .period(face.period)
                .is_some_and(|period| period.is_hourglass);
            if is_hourglass {
                let (other, _) = self.face(&hand.other());
                other.left = other.left.saturating_add(taken);
            }
        }
    }

    /// The player has made a move and presses the clock.
    pub fn press(&mut self, hand: &Hand) {
        let (face, setting) = self.face(hand);
        let Some(period) = setting.period(face.period) else {
            return;
        };
        face.thought = 0;
        if face.fallen {
            return;
        }
        face.moves += 1;
        face.left = face.left.saturating_add(period.increment);
        if period.moves.is_some_and(|moves| face.moves >= moves) {
            let next = face.period + 1;
            face.left = face.left.saturating_add(setting.time_of(next));
            face.moves = 0;
            if (next as usize) < setting.periods.len() {
                face.period = next;
            }
        }
    }

    /// The arbiter sets a clock, in milliseconds. A fallen flag is up again if time is left.
    pub fn set(&mut self, hand: &Hand, left: u64) {
        let (face, _) = self.face(hand);
        face.left = left;
        face.fallen = left == 0;
    }

    /// The arbiter gives a player time, or takes it away, in milliseconds.
    pub fn give(&mut self, hand: &Hand, time: i64) {
        let (face, _) = self.face(hand);
        let left = face.left.saturating_add_signed(time);
        self.set(hand, left);
    }

    /// The clocks whose flags have fallen.
    #[must_use]
    pub fn fallen(&self) -> Vec<Hand> {
        let fallen = self.faces.values().filter(|face| face.fallen);
        fallen.map(|face| face.hand.clone()).collect()
    }

    /// What all clocks show.
    #[must_use]
    pub fn shown(&self) -> Shown {
        Shown {
            faces: self.faces.values().cloned().collect(),
            played: self.played,
        }
    }

    /// Sets all clocks to what they showed once.
    pub fn show(&mut self, shown: &Shown) {
        let faces = shown.faces.iter().cloned();
        self.faces = faces.map(|face| (face.hand.clone(), face)).collect();
        self.played = shown.played;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clocks that are moved on one millisecond at a time, by the words of the rules.
    struct Naive {
        periods: Vec<Period>,
        delay: u64,
        /// White's and Black's: time left, number of the period, moves in it, time of this move, whether the flag fell.
        faces: [(i64, usize, u32, u64, bool); 2],
    }

    impl Naive {
        fn tick(&mut self, side: usize) {
            let (left, number, moves, thought, fallen) = &mut self.faces[side];
            *thought += 1;
            if *thought <= self.delay || *fallen {
                return;
            }
            let period = self.periods[(*number).min(self.periods.len() - 1)];
            let mut gained = 0;
            if *left > 0 {
                *left -= 1;
                gained = 1;
            }
            if *left == 0 {
                let by_time = period.moves.is_none() && !period.is_hourglass;
                let more = self.periods.get(*number + 1);
                match more {
                    Some(more) if by_time => {
                        *left = more.time as i64;
                        *number += 1;
                        *moves = 0;
                        // A period without time is over at once.
                        if *left == 0 {
                            *fallen = true;
                        }
                    }
                    Some(_) | None => *fallen = true,
                }
            }
            if period.is_hourglass {
                self.faces[1 - side].0 += gained;
            }
        }

        fn press(&mut self, side: usize) {
            let (left, number, moves, thought, fallen) = &mut self.faces[side];
            *thought = 0;
            if *fallen {
                return;
            }
            let last = self.periods.len() - 1;
            let period = self.periods[(*number).min(last)];
            *left += period.increment as i64;
            *moves += 1;
            if Some(*moves) == period.moves {
                let next = (*number + 1).min(last);
                *left += self.periods[next].time as i64;
                *number = next;
                *moves = 0;
            }
        }
    }

    /// A small generator of numbers, so that each run is the same.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (self.0 >> 33) % limit
        }
    }

    fn control(dice: &mut Dice) -> String {
        let one = |dice: &mut Dice| {
            let time = format!("0.{:03}", 1 + dice.below(300));
            let increment = match dice.below(3) {
                0 => format!("+0.{:03}", dice.below(60)),
                _ => String::new(),
            };
            match dice.below(4) {
                0 => format!("{}/{time}{increment}", 1 + dice.below(4)),
                _ => format!("{time}{increment}"),
            }
        };
        match dice.below(6) {
            0 => format!("*0.{:03}", 1 + dice.below(300)),
            1 | 2 => format!("{}:{}", one(dice), one(dice)),
            3 => format!("{}:{}:{}", one(dice), one(dice), one(dice)),
            _ => one(dice),
        }
    }

    #[test]
    fn clocks_agree_with_ones_that_tick() {
        let mut dice = Dice(1);
        let (mut fallen, mut later) = (0, 0);
        for _ in 0..10_000 {
            let control = control(&mut dice);
            let delay = [0, 0, 7, 25][dice.below(4) as usize];
            let setting = Setting::read(&control, delay).unwrap();
            let mut naive = Naive {
                periods: setting.periods.clone(),
                delay,
                faces: [(setting.periods[0].time as i64, 0, 0, 0, false); 2],
            };
            let mut clocks = Clocks::new(setting);
            let hands = [Side::White, Side::Black].map(|side| Hand::of("", side));
            let (mut side, mut played, mut paused) = (0, 0, false);
            clocks.run(vec![hands[side].clone()]);
            for _ in 0..12 {
                match dice.below(8) {
                    0 => {
                        paused = !paused;
                        clocks.pause(paused);
                    }
                    1 => {
                        let (whose, left) = (dice.below(2) as usize, dice.below(400));
                        clocks.set(&hands[whose], left);
                        naive.faces[whose].0 = left as i64;
                        naive.faces[whose].4 = left == 0;
                    }
                    2 => {
                        let (whose, time) = (dice.below(2) as usize, dice.below(200) as i64 - 100);
                        clocks.give(&hands[whose], time);
                        let face = &mut naive.faces[whose];
                        face.0 = (face.0 + time).max(0);
                        face.4 = face.0 == 0;
                    }
                    3 => {
                        let shown = clocks.shown();
                        clocks.show(&shown);
                    }
                    _ => {
                        let time = dice.below(150);
                        clocks.pass(time);
                        if !paused {
                            played += time;
                            for _ in 0..time {
                                naive.tick(side);
                            }
                        }
                        if dice.below(3) > 0 {
                            clocks.press(&hands[side]);
                            naive.press(side);
                            side = 1 - side;
                            clocks.run(vec![hands[side].clone()]);
                        }
                    }
                }
                for (hand, face) in hands.iter().zip(naive.faces) {
                    assert_eq!(clocks.left(hand) as i64, face.0, "{control} {delay}");
                    let falls = clocks.fallen().contains(hand);
                    assert_eq!(falls, face.4, "{control} {delay}");
                    later += usize::from(face.1 > 0);
                    fallen += usize::from(falls);
                }
                assert_eq!(clocks.played(), played);
            }
        }
        assert!(fallen > 1_000 && later > 1_000, "{fallen} {later}");
    }

    #[test]
    fn each_board_has_its_own_clocks() {
        let mut clocks = Clocks::new(Setting::read("60", 0).unwrap());
        let [a, b] = ["A", "B"].map(|board| Hand::of(board, Side::White));
        clocks.run(vec![a.clone(), b.clone()]);
        clocks.pass(5_000);
        clocks.press(&a);
        clocks.run(vec![a.other(), b.clone()]);
        clocks.pass(5_000);
        let left = [&a, &a.other(), &b, &b.other()].map(|hand| clocks.left(hand) / 1_000);
        assert_eq!(left, [55, 55, 50, 60]);
        assert_eq!(clocks.played(), 10_000);
    }
}
