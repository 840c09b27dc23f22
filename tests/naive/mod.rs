//! Naive second implementations, written from the rules pages alone, to check the real ones against. Those of pairings
//! and tie-breaks are declared by `schedules.rs`.

pub mod bughouse;
pub mod chess960;
pub mod crazyhouse;
pub mod matryoshka;
pub mod mega;
pub mod metachess;
pub mod norms;
pub mod olympic;
pub mod overchess;
pub mod strategichess;
