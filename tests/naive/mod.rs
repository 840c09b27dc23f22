//! Naive second implementations, written from the rules pages alone, to judge the real ones by.

pub mod olympic;
pub mod overchess;
pub mod strategichess;
