//! Engines that are programs of their own, and what is said between them and us.

pub mod lines;
