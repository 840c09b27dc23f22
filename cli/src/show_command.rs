//! The command that shows the board of a finding, ready to be pasted into a shell.

use crate::{games::is_read_once, options::JudgingArgs};
use overboard_formats::foreign::hides_something;
use std::path::Path;

/// Writes `show` commands for moments of games that were judged under certain options.
pub struct ShowCommand {
    /// The options with which `show` reads a game in the way it was judged.
    options: String,
}

impl ShowCommand {
    /// For games judged under these options.
    pub fn new(judging: &JudgingArgs, judge_on: bool) -> Self {
        let mut options = String::new();
        let mut add = |name: &str, value: &str| {
            options.push_str(&format!(" {name}"));
            if !value.is_empty() {
                options.push_str(&format!(" {}", quoted(value)));
            }
        };
        if judge_on {
            add("--judge-on", "");
        }
        if judging.limits.so_far {
            add("--so-far", "");
        }
        if !judging.rules.is_empty() {
            add("--rules", &judging.rules);
        }
        for (name, value) in judging.limits.changed() {
            add(name, &value);
        }
        Self { options }
    }

    /// The command for a moment of a game; `None` if the file cannot be read again, or its name cannot be pasted.
    pub fn at(&self, file: &str, game: u64, moment: &str) -> Option<String> {
        if is_read_once(Path::new(file)) || file.contains('\u{fffd}') || hides_something(file) {
            return None;
        }
        Some(format!(
            "overboard show {} --game {game} --at {moment}{}",
            argument(file),
            self.options
        ))
    }
}

/// A file as an argument in a shell: a name that looks like an option gets its folder in front.
fn argument(file: &str) -> String {
    if file.starts_with('-') {
        quoted(&format!("./{file}"))
    } else {
        quoted(file)
    }
}

/// A file as a word of a command to paste into a shell.
pub fn in_a_shell(path: &Path) -> String {
    quoted(&path.display().to_string())
}

/// A word quoted for a shell, if it contains anything special.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./+,:@%=".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
