//! `-h` and `--help`: the first is short, the second says everything.

use clap::{Arg, Command};

/// The longest line about an option that `-h` prints whole.
const LINE: usize = 72;

/// Shortens what `-h` says about commands; `--help` and the manual keep it all.
pub fn with_short_help(program: Command) -> Command {
    program.mut_args(shortened).mut_subcommands(of_command)
}

fn of_command(command: Command) -> Command {
    let mut command = command.mut_args(shortened);
    if let Some(after) = command.get_after_help().cloned() {
        command = command
            .after_long_help(after)
            .after_help("--help says more, with all options and examples.");
    }
    command.mut_subcommands(of_command)
}

fn shortened(arg: Arg) -> Arg {
    let Some(help) = arg.get_help().cloned() else {
        return arg;
    };
    let text = help.to_string();
    let short = first_part(&text);
    if short == text {
        return arg;
    }
    let long = arg.get_long_help().cloned().unwrap_or(help);
    arg.help(short).long_help(long)
}

/// The first sentence, or its beginning if it is long, with the default that the text names at its end. What is said
/// only of some cases (`With --to csv: …`) goes on after the colon.
fn first_part(text: &str) -> String {
    let (words, default) = match text.rfind(" [default: ") {
        Some(at) if text.ends_with(']') => text.split_at(at),
        _ => (text, ""),
    };
    let sentence = words.split(". ").next().unwrap_or(words);
    let is_case = ["In ", "With "]
        .iter()
        .any(|word| sentence.starts_with(word));
    let start = match sentence.find(": ") {
        Some(colon) if is_case => colon + 2,
        _ => 0,
    };
    let part = if sentence.chars().count() > LINE {
        let marks = [": ", "; "].iter();
        let end = marks.filter_map(|mark| sentence[start..].find(mark)).min();
        &sentence[..end.map_or(sentence.len(), |end| start + end)]
    } else {
        sentence
    };
    format!("{}{default}", part.trim_end_matches('.'))
}
