//! When a ply was completed: by its time stamp, or else by the clocks of its board.

use overboard_referee::remedy::clock_face;
use overboard_rules::{by_side::BySide, square::Side};

/// When a ply was completed, since the start of the match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Time {
    /// In milliseconds.
    pub at: u64,
    /// Whether it was computed from clocks, because there is no stamp.
    pub derived: bool,
}

/// What is written after a ply, in milliseconds.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Written {
    /// `[%ts]`: the time since the start of the match.
    pub stamp: Option<u64>,
    /// `[%clk]`: what the player's clock shows.
    pub clock: Option<u64>,
    /// `[%emt]`: the time spent on the ply.
    pub taken: Option<u64>,
}

/// The clocks of one board, running alternately from the start of the match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clocks {
    /// When the last ply was completed on this board.
    at: Option<u64>,
    /// The total time of each player's plies.
    spent: BySide<Option<u64>>,
    plies: BySide<u64>,
}

impl Clocks {
    /// The clocks at the start of a match, which is that of the record. If it is not the `is_start` of the game, because
    /// moves were made before that position, how long the players had thought by then is not known.
    pub const fn new(is_start: bool) -> Self {
        let spent = if is_start { Some(0) } else { None };
        Self {
            at: Some(0),
            spent: BySide::both(spent),
            plies: BySide::both(0),
        }
    }

    /// Enters a completed ply. Returns when it was completed, in milliseconds: by its time stamp, or by the clock
    /// together with its initial time and increment.
    pub fn complete(
        &mut self,
        side: Side,
        written: Written,
        control: Option<(u64, u64)>,
    ) -> Option<Time> {
        self.plies[side] += 1;
        let by_clock = self.spent_by_clock(side, written, control);
        let time = self.time(side, written, by_clock);
        let by_time = self.since_last(time);
        self.spent[side] = by_clock.or(self.after(side, written.taken.or(by_time)));
        self.at = time.map(|time| time.at);
        time
    }

    fn time(&self, own: Side, written: Written, by_clock: Option<u64>) -> Option<Time> {
        if let Some(at) = written.stamp {
            return Some(Time { at, derived: false });
        }
        let by_taken = || self.at?.checked_add(written.taken?);
        let by_both = || by_clock?.checked_add(self.spent[own.other()]?);
        let by_own = || {
            self.at?
                .checked_add(by_clock?.checked_sub(self.spent[own]?)?)
        };
        let at = by_taken().or_else(by_both).or_else(by_own)?;
        Some(Time { at, derived: true })
    }

    /// The total thinking time of a player, by their clock.
    fn spent_by_clock(
        &self,
        own: Side,
        written: Written,
        control: Option<(u64, u64)>,
    ) -> Option<u64> {
        let (base, increment) = control?;
        let given = base.checked_add(increment.checked_mul(self.plies[own])?)?;
        given.checked_sub(written.clock?)
    }

    /// How long after the last ply on this board another time is.
    fn since_last(&self, time: Option<Time>) -> Option<u64> {
        time?.at.checked_sub(self.at?)
    }

    fn after(&self, own: Side, taken: Option<u64>) -> Option<u64> {
        self.spent[own]?.checked_add(taken?)
    }

    /// Another player's ply, completed at this time, uses up a player's turn (SC-60).
    pub fn consume(&mut self, side: Side, time: Option<Time>) {
        let taken = self.since_last(time);
        self.plies[side] += 1;
        self.spent[side] = self.after(side, taken);
        self.at = taken.and(time).map(|time| time.at);
    }
}

/// A time as `1:05:09`, with thousandths if there are any.
#[must_use]
pub fn report(milliseconds: u64) -> String {
    let text = clock_face(milliseconds / 1000);
    match milliseconds % 1000 {
        0 => text,
        rest => format!("{text}.{rest:03}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(shown: u64) -> Written {
        Written {
            clock: Some(shown * 1000),
            ..Written::default()
        }
    }

    fn at(time: Option<Time>) -> Option<u64> {
        time.map(|time| time.at / 1000)
    }

    #[test]
    fn clocks_of_both_players_report_the_time() {
        let mut clocks = Clocks::new(true);
        let control = Some((600_000, 5_000));
        assert_eq!(
            at(clocks.complete(Side::White, clock(595), control)),
            Some(10)
        );
        assert_eq!(
            at(clocks.complete(Side::Black, clock(585), control)),
            Some(30)
        );
        assert_eq!(
            at(clocks.complete(Side::White, Written::default(), control)),
            None
        );
        assert_eq!(at(clocks.complete(Side::Black, clock(580), control)), None);
        // White's clock is known again.
        assert_eq!(
            at(clocks.complete(Side::White, clock(555), control)),
            Some(90)
        );
        assert_eq!(at(clocks.complete(Side::Black, clock(700), control)), None);
    }

    #[test]
    fn what_each_ply_took_adds_up_behind_a_stamp() {
        let taken = |seconds: u64| Written {
            taken: Some(seconds * 1000),
            ..Written::default()
        };
        let mut clocks = Clocks::new(false);
        // From the start of the record, whatever the number of its first move.
        assert_eq!(at(clocks.complete(Side::White, taken(3), None)), Some(3));
        let stamped = Written {
            stamp: Some(100_000),
            ..Written::default()
        };
        assert_eq!(at(clocks.complete(Side::Black, stamped, None)), Some(100));
        assert_eq!(
            clocks.complete(Side::White, taken(3), None),
            Some(Time {
                at: 103_000,
                derived: true
            })
        );
    }

    #[test]
    fn clocks_of_a_later_position_report_no_time_alone() {
        let mut clocks = Clocks::new(false);
        let control = Some((600_000, 0));
        assert_eq!(clocks.complete(Side::White, clock(300), control), None);
    }
}
