//! Naive second implementations, written from the rules pages alone, to judge the real ones by.

pub mod mega;
pub mod metachess;
pub mod olympic;
pub mod strategichess;
