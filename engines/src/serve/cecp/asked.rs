//! The commands of a CECP client.

use super::clocks::Set;

/// A command.
#[derive(PartialEq, Debug)]
pub(super) enum Asked<'a> {
    /// Nothing to be done.
    Nothing,
    /// `protover`: asks for our features.
    Version,
    /// `ping`, with its number.
    Ping(&'a str),
    /// `new`.
    New,
    /// `variant`, with its name.
    Variant(&'a str),
    /// `setboard`, with a FEN.
    SetBoard(&'a str),
    /// `force`.
    Force,
    /// `go`.
    Go,
    /// `playother`.
    PlayOther,
    /// A move.
    Move(&'a str),
    /// `?`.
    MoveNow,
    /// `undo` and `remove`: the number of plies to take back.
    Undo(usize),
    /// `draw`.
    Draw,
    /// `result`.
    Over,
    /// Settings of the clocks.
    Clocks(Set),
    /// `post` and `nopost`.
    Post(bool),
    /// `option`, with its name and value.
    Option(&'a str, &'a str),
    /// Not supported, and why.
    Refused(&'static str),
}

/// Commands that need no reaction.
const SILENT: [&str; 22] = [
    "xboard", "accepted", "rejected", "random", "hard", "easy", "name", "rating", "ics",
    "computer", "pause", "resume", "bk", "black", "white", "cores", "memory", "egtpath", "hover",
    "lift", "put", "otim",
];

impl<'a> Asked<'a> {
    /// Parses a line.
    pub(super) fn read(line: &'a str) -> Self {
        let (word, rest) = line
            .split_once(char::is_whitespace)
            .map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match word {
            "" => Self::Nothing,
            "protover" => Self::Version,
            "ping" => Self::Ping(rest),
            "new" => Self::New,
            "variant" => Self::Variant(rest),
            "setboard" => Self::SetBoard(rest),
            "force" => Self::Force,
            "go" => Self::Go,
            "playother" => Self::PlayOther,
            "usermove" => Self::Move(rest),
            "?" => Self::MoveNow,
            "undo" => Self::Undo(1),
            "remove" => Self::Undo(2),
            "draw" => Self::Draw,
            "result" => Self::Over,
            "post" => Self::Post(true),
            "nopost" => Self::Post(false),
            "option" => {
                let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
                Self::Option(name, value)
            }
            "level" | "st" | "sd" | "time" => match Set::read(word, rest) {
                Some(set) => Self::Clocks(set),
                None => Self::Refused("this is not a time control"),
            },
            "nps" => Self::Refused("nodes are not counted for time"),
            "edit" | "xedit" => Self::Refused("positions are set up by setboard"),
            "analyze" | "exit" | "." => Self::Refused("nothing is analysed here"),
            "hint" => Self::Refused("no hints are given"),
            word if SILENT.contains(&word) => Self::Nothing,
            // Old clients send moves without a command.
            word if rest.is_empty() && looks_like_a_move(word) => Self::Move(word),
            _ => Self::Refused("unknown command"),
        }
    }
}

/// Whether a word begins with a letter and a digit, or is a drop.
fn looks_like_a_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    word.contains('@')
        || (bytes.len() >= 4 && bytes[0].is_ascii_lowercase() && bytes[1].is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_for_what_they_ask() {
        for (line, asked) in [
            ("protover 2", Asked::Version),
            ("ping 7", Asked::Ping("7")),
            ("usermove e2e4", Asked::Move("e2e4")),
            ("e7e8q", Asked::Move("e7e8q")),
            ("P@c3", Asked::Move("P@c3")),
            ("remove", Asked::Undo(2)),
            ("option Player=greedy", Asked::Option("Player", "greedy")),
            ("otim 300", Asked::Nothing),
            ("result 1-0 {White mates}", Asked::Over),
            (
                "setboard 8/8/8/8 w - - 0 1",
                Asked::SetBoard("8/8/8/8 w - - 0 1"),
            ),
            ("edit", Asked::Refused("positions are set up by setboard")),
            ("dance", Asked::Refused("unknown command")),
            ("level five", Asked::Refused("this is not a time control")),
        ] {
            assert_eq!(Asked::read(line), asked, "{line}");
        }
    }
}
