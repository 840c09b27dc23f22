//! `man`: manual pages made from the same words as `--help`.

use crate::{
    args::Args,
    exit::{Exit, Failure},
};
use clap::CommandFactory;
use std::{
    io::{self, Write},
    path::Path,
};

pub fn run(out: Option<&Path>) -> Result<Exit, Failure> {
    match out {
        Some(folder) => {
            clap_mangen::generate_to(Args::command(), folder)
                .map_err(|error| Failure::file(folder, error))?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Args::command()).render(&mut page)?;
            io::stdout().write_all(&page)?;
        }
    }
    Ok(Exit::Clean)
}
