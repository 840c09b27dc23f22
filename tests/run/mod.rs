//! The tool, run as a person would run it.

use std::process::{Command, Output};

/// A command that runs the tool without colours and settings, a hundred columns wide.
pub fn tool() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_overboard"));
    command.env("NO_COLOR", "1").env("COLUMNS", "100");
    command.env("OVERBOARD_CONFIG", "");
    command
}

/// Runs the tool to completion.
pub fn overboard<A: AsRef<std::ffi::OsStr>>(args: &[A]) -> Output {
    tool().args(args).output().expect("the tool starts")
}

/// The output of a run, and its exit code.
pub fn printed(output: &Output) -> (String, i32) {
    let text = String::from_utf8(output.stdout.clone()).expect("the tool prints UTF-8");
    (text, output.status.code().expect("no signal ends the tool"))
}
