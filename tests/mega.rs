//! Mega-Chess and Recursive-Chess, judged against the naive model.

#![allow(clippy::unwrap_used)]

mod chance;
#[path = "naive/mega.rs"]
mod naive;

#[path = "mega/agree.rs"]
mod agree;
#[path = "mega/scattered.rs"]
mod scattered;
