//! What players of Bughouse may agree on (BH-4 to BH-7).

use overboard_rules::{square::Side, variant::RuleOption};
use std::{fmt, ops::RangeInclusive};

/// What a drop may not do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DropLaw {
    /// Nothing is forbidden.
    #[default]
    Any,
    /// It may not mate (BH-4).
    NoBughouseMate,
    /// It may not give what would be mate if no piece could be dropped in answer.
    NoChessMate,
    /// It may not give check.
    NoCheck,
}

/// Which drops count as answers when it is asked whether a player is mated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MateLaw {
    /// Those of any piece, whether or not the pocket holds it.
    #[default]
    AnyPiece,
    /// Those of pieces that the pocket holds.
    Pocket,
}

/// What the third occurrence of a position on a board means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RepetitionLaw {
    /// A draw may be claimed.
    #[default]
    Claim,
    /// The match is drawn.
    Auto,
    /// Nothing.
    None,
}

/// The ranks on which pawns may be dropped, as the player who drops them counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PawnRanks {
    first: u8,
    last: u8,
}

impl Default for PawnRanks {
    fn default() -> Self {
        Self { first: 2, last: 7 }
    }
}

impl fmt::Display for PawnRanks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.first, self.last)
    }
}

impl PawnRanks {
    /// The ranks of a text such as `2-6`; `None` if these are no ranks on which a pawn can stand.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let [first @ b'2'..=b'7', b'-', last @ b'2'..=b'7'] = *text.as_bytes() else {
            return None;
        };
        let (first, last) = (first - b'0', last - b'0');
        (first <= last).then_some(Self { first, last })
    }

    /// The same ranks, counted from 0 at White's side of the board.
    pub(super) const fn on_board(self, side: Side) -> RangeInclusive<u8> {
        match side {
            Side::White => self.first - 1..=self.last - 1,
            Side::Black => 8 - self.last..=8 - self.first,
        }
    }
}

/// What is agreed before the first ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// What a drop may not do.
    pub drop: DropLaw,
    /// Where pawns may be dropped.
    pub pawns: PawnRanks,
    /// When a player is mated.
    pub mate: MateLaw,
    /// What repetition means.
    pub repetition: RepetitionLaw,
}

impl Options {
    /// The options in rules in the form of the tag Rules; unknown ones are ignored.
    #[must_use]
    pub fn of(rules: &str) -> Self {
        let mut options = Self::default();
        for item in rules.split(':') {
            match RuleOption::split(item) {
                ("drop", Some("no-bughouse-mate")) => options.drop = DropLaw::NoBughouseMate,
                ("drop", Some("no-chess-mate")) => options.drop = DropLaw::NoChessMate,
                ("drop", Some("no-check")) => options.drop = DropLaw::NoCheck,
                ("pawndrop", Some(ranks)) => {
                    options.pawns = PawnRanks::read(ranks).unwrap_or_default();
                }
                ("mate", Some("pocket")) => options.mate = MateLaw::Pocket,
                ("repetition", Some("auto")) => options.repetition = RepetitionLaw::Auto,
                ("repetition", Some("none")) => options.repetition = RepetitionLaw::None,
                _ => {}
            }
        }
        options
    }
}
