//! `serve`: built-in players as an engine for other programs.

mod cecp;
mod client;
mod examples;
mod lines;
mod programs;
mod uci;
