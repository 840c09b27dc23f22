//! Statistics: whether figures are right, and whether they are of the games that were played.

#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "shared with tests that need all of it")]
mod chance;
mod run;

#[path = "stats/figures.rs"]
mod figures;
#[path = "stats/files.rs"]
mod files;
