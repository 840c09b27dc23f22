//! The FIDE Swiss Team Pairing System (Handbook C.04.6, in force since 1 February 2026).
//!
//! A [`Field`](field::Field) says what is known before a round.

pub mod field;
pub mod settings;
