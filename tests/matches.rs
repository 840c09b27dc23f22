//! Matches between engines that are separate programs. This test program also acts as those engines.

#![allow(clippy::unwrap_used)]

mod chance;
mod depth;
mod engines;
mod run;
