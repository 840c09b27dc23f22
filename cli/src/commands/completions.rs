//! `completions`: what a shell needs to complete our commands.

use crate::{
    args::Args,
    exit::{Exit, Failure},
};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{self, Write};

pub fn run(shell: Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "overboard", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Clean)
}
