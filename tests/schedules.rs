//! Pairings, tie-breaks and matchings, tested from outside their crate.

#![allow(clippy::unwrap_used)]

mod chance;
mod depth;
mod naive {
    pub mod swiss;
    pub mod swiss_large;
    pub mod tiebreak;
}

mod matching;
mod swiss;
mod tiebreaks;
