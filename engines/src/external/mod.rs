//! Engines that are programs of their own, and what is said between them and us.
//!
//! A [`Program`](program::Program) says how an engine is called; a [`EnginePool`](pool::EnginePool) starts those of a run, counts
//! their faults and keeps what was said around the first one of each; a protocol ([`uci`]) says what is to be said
//! ([`talk`]) over the lines of a [`process`]. [`seat`] makes a player of an engine.

pub mod cecp;
pub mod launch;
pub mod lines;
pub mod pace;
pub mod pool;
pub mod process;
pub mod program;
pub mod seat;
pub mod speaker;
pub mod talk;
pub mod tape;
pub mod uci;
