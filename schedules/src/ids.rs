//! Numbers that are easily confused, each with a type of its own.
//!
//! ```
//! use overboard_schedules::ids::{RoundNo, TeamNo};
//!
//! let team = TeamNo::new(12);
//! assert_eq!((team.get(), team.index(), team.to_string().as_str()), (12, 11, "12"));
//! assert_eq!(RoundNo::at(0), RoundNo::new(1));
//! assert!(TeamNo::first(3).eq([1, 2, 3].map(TeamNo::new)));
//! ```

use serde::{Deserialize, Serialize};
use std::{fmt, num::ParseIntError, str::FromStr};

macro_rules! number {
    ($(#[$doc:meta])+ $name:ident) => {
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The one with this number.
            #[must_use]
            pub const fn new(number: u32) -> Self {
                Self(number)
            }

            /// The one with this index, counted from 0.
            #[must_use]
            pub const fn at(index: usize) -> Self {
                Self(index as u32 + 1)
            }

            /// The number.
            #[must_use]
            pub const fn get(self) -> u32 {
                self.0
            }

            /// Its index, counted from 0, in a list of all in the order of their numbers.
            #[must_use]
            pub const fn index(self) -> usize {
                (self.0 as usize).wrapping_sub(1)
            }

            /// The next one.
            #[must_use]
            pub const fn next(self) -> Self {
                Self(self.0 + 1)
            }

            /// All of them, from number 1 on.
            pub fn all() -> impl Iterator<Item = Self> + Clone {
                (1..).map(Self)
            }

            /// The first `count` of them.
            pub fn first(count: u32) -> impl Iterator<Item = Self> + Clone {
                (1..=count).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIntError;

            fn from_str(text: &str) -> Result<Self, ParseIntError> {
                text.parse().map(Self)
            }
        }
    };
}

number! {
    /// The pairing number of a participant, from 1: of a team, or of a player in an event of individuals.
    ///
    /// A file may contain any number, even 0 or one that no participant has.
    TeamNo
}

number! {
    /// The number of a round, from 1.
    RoundNo
}
