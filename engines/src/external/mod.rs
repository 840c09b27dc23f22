//! External engines: starting them, talking to them, judging what they play.
//!
//! A [`Program`](program::Program) says how an engine is started. An [`EnginePool`](pool::EnginePool) starts those of a
//! run, counts their faults and keeps a transcript of the first fault of each. A protocol such as [`uci`] implements
//! the conversation ([`talk`]) over the lines of a [`process`]. [`seat`] makes a player from an engine.

pub mod cecp;
pub mod dialogue;
pub mod launch;
pub mod lines;
pub mod pace;
pub mod pool;
pub mod process;
pub mod program;
pub mod seat;
pub mod speaker;
pub mod talk;
pub mod transcript;
pub mod uci;
