//! The tool, run as a person runs it.

use std::process::{Command, Output};

/// A run of the tool that is yet to start, in a world of no colours and a hundred columns.
pub fn tool() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_overboard"));
    command.env("NO_COLOR", "1").env("COLUMNS", "100");
    command
}

/// Runs the tool to its end.
pub fn overboard<A: AsRef<std::ffi::OsStr>>(args: &[A]) -> Output {
    tool().args(args).output().expect("the tool starts")
}

/// What a run printed, and its exit code.
pub fn printed(output: &Output) -> (String, i32) {
    let text = String::from_utf8(output.stdout.clone()).expect("the tool prints UTF-8");
    (text, output.status.code().expect("no signal ends the tool"))
}
