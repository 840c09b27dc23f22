//! Matches between engines that are programs of their own. This test program is those engines, too.

#![allow(clippy::unwrap_used)]

mod chance;
mod depth;
mod engines;
mod run;
