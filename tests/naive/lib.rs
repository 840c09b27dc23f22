//! Naive second implementations, written from the rules pages alone, to check the real ones against. They are a crate of
//! their own because they take most of the time of the tests: it is optimised, which all the tests would be slow to build with.
//! Those of pairings and tie-breaks are declared by `schedules.rs`.

pub mod bughouse;
pub mod chess960;
pub mod crazyhouse;
pub mod matryoshka;
pub mod mega;
pub mod metachess;
pub mod olympic;
pub mod overchess;
pub mod strategichess;
