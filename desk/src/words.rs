//! What is typed at a desk: moves as people write them, everything else in words.

use crate::lines::{
    Acts, ClockSeconds, ClockTime, Sent, TagPair, Text, Texts, ToDesk, Verdict, Words,
};
use overboard_engines::external::lines::{OnBoard, Seat};

/// What a typed line means.
#[derive(Clone, PartialEq, Debug)]
pub enum Typed {
    /// A message to the desk.
    Message(Sent),
    /// Show the board, or one of several.
    Board(String),
    /// Show the position as FEN.
    Fen,
    /// Say what can be typed.
    Help,
    /// Keep what the desk has, where somebody else has changed the file.
    Keep,
    /// Take what is in the file.
    Take,
}

/// A word that can be typed, what follows it, and what it does.
pub struct Word {
    /// The word.
    pub word: &'static str,
    /// What follows it.
    pub follows: &'static str,
    /// What it does.
    pub does: &'static str,
}

const fn word(word: &'static str, follows: &'static str, does: &'static str) -> Word {
    Word {
        word,
        follows,
        does,
    }
}

/// All words, in the order of the help. Whatever begins with none of them is a move.
pub const WORDS: &[Word] = &[
    word("board", "[BOARD]", "draw the board, or one of several"),
    word("moves", "[BOARD]", "list the legal moves in coordinates"),
    word("due", "", "who is to act"),
    word("fen", "", "the position as FEN"),
    word("text", "", "the record as it stands"),
    word("check", "", "what the referee finds in the record so far"),
    word("resign", "[W|B]", "resign the game that is going on"),
    word(
        "draw",
        "offer|agreed|declined",
        "offer a draw, agree to it, decline it",
    ),
    word(
        "claim",
        "threefold|fifty|kings [MOVE]",
        "claim a draw, with the move intended",
    ),
    word("flag", "[W|B|B:A]", "a flag has fallen"),
    word("illegal", "[W|B] MOVE", "record an illegal attempt"),
    word(
        "record",
        "",
        "record what was refused last: an illegal move as an attempt, a wrong claim as it was made",
    ),
    word("order", "W|B TEXT", "a captain's instruction"),
    word("penalty", "W|B ±SECONDS", "note a penalty on time"),
    word("infraction", "W|B RULE \"TEXT\"", "note an infraction"),
    word("player", "W|B SEAT \"NAME\"", "a seat changes hands"),
    word(
        "by",
        "NAME WORDS",
        "a player, captain or Commander moves or speaks, and only what is theirs is done: `by Ann Nf3`, `by \"Ann Lee\" resign`",
    ),
    word(
        "whole",
        "WORDS",
        "say it of the whole game while a game inside is going on: `whole resign W`",
    ),
    word("comment", "TEXT", "add a comment after the last move"),
    word("tag", "NAME VALUE", "set a tag of the record"),
    word("undo", "[N]", "take back the last act, or the last N"),
    word(
        "result",
        "RESULT [WORDS]",
        "end the game that is going on by decision: `result 1-0 adjudication`; `*` breaks the whole game off",
    ),
    word(
        "enter",
        "",
        "enter the result in the event, at a desk for a round",
    ),
    word("time", "", "what the clocks show"),
    word("start", "", "let the clocks run"),
    word("pause", "", "stop them"),
    word(
        "set",
        "SEAT h:mm:ss",
        "set a clock: `set W 0:10:00`, `set B:A 1:00:00`",
    ),
    word(
        "give",
        "SEAT ±SECONDS",
        "give a player time, or take it away",
    ),
    word(
        "keep",
        "",
        "go on with the desk's record where somebody else has changed the file",
    ),
    word("take", "", "go on with what is in the file"),
    word("help", "", "this list"),
    word("quit", "", "end the desk; the record is whole"),
];

/// Reads a line.
///
/// # Errors
/// What its words lack.
pub fn read(line: &str) -> Result<Typed, String> {
    let (first, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    if !first.eq_ignore_ascii_case("by") {
        return typed(line);
    }
    let (name, words) = name_first(rest.trim()).ok_or_else(|| needs("by"))?;
    match typed(words)? {
        Typed::Message(sent) => Ok(Typed::Message(Sent {
            by: Some(name.into()),
            ..sent
        })),
        _ => Err(needs("by")),
    }
}

/// A name, in quotation marks if it is more than a word, and what follows it.
fn name_first(words: &str) -> Option<(&str, &str)> {
    let (name, rest) = match words.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None => words.split_once(' ')?,
    };
    let rest = rest.trim();
    if name.is_empty() || rest.is_empty() {
        return None;
    }
    Some((name, rest))
}

/// Reads a line of the arbiter.
fn typed(line: &str) -> Result<Typed, String> {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let first = first.to_ascii_lowercase();
    let message = match (&*first, rest) {
        ("board", board) => return Ok(Typed::Board(board.into())),
        ("fen", "") => return Ok(Typed::Fen),
        ("help" | "?", _) => return Ok(Typed::Help),
        ("keep", "") => return Ok(Typed::Keep),
        ("take", "") => return Ok(Typed::Take),
        ("moves", board) => ToDesk::Legal(OnBoard {
            board: Some(board.to_owned()).filter(|board| !board.is_empty()),
        }),
        ("due", "") => ToDesk::Due,
        ("text", "") => ToDesk::Text,
        ("check", "") => ToDesk::Check,
        ("record", "") => ToDesk::Record,
        ("enter", "") => ToDesk::Enter,
        ("time", "") => ToDesk::Clocks,
        ("start", "") => ToDesk::Start,
        ("pause", "") => ToDesk::Pause,
        ("quit" | "exit", "") => ToDesk::Quit,
        ("draw", "") => return Err(needs("draw")),
        ("claim" | "illegal" | "order" | "penalty" | "infraction" | "player", "") => {
            return Err(needs(&first));
        }
        (
            "resign" | "draw" | "claim" | "flag" | "illegal" | "order" | "penalty" | "infraction"
            | "player",
            _,
        ) => said(&first, rest, false),
        ("whole", words) => {
            let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
            match (&*first.to_ascii_lowercase(), rest.trim()) {
                ("result", ended) => over(ended, true),
                (first, rest) => said(first, rest, true),
            }
        }
        ("comment", text) => ToDesk::Comment(Text { text: text.into() }),
        ("tag", pair) => {
            let (name, value) = pair.split_once(' ').ok_or_else(|| needs("tag"))?;
            ToDesk::Tag(TagPair {
                name: name.into(),
                value: value.trim().trim_matches('"').into(),
            })
        }
        ("undo", "") => ToDesk::Undo(Acts { acts: 1 }),
        ("undo", count) => ToDesk::Undo(Acts {
            acts: count.parse().map_err(|_| needs("undo"))?,
        }),
        ("result", ended) => over(ended, false),
        ("set", clock) => on_clock(&first, clock)?,
        ("give", clock) if !begins_with_square(clock) => on_clock(&first, clock)?,
        _ => ToDesk::Play(Texts {
            plies: vec![line.into()],
        }),
    };
    Ok(Typed::Message(message.into()))
}

/// Whether the first word is a square: then a piece is given, as in a consolidation, and no time.
fn begins_with_square(words: &str) -> bool {
    let first = words.split(' ').next().unwrap_or("").as_bytes();
    matches!(first, [file, rank @ ..] if file.is_ascii_lowercase() && !rank.is_empty() && rank.iter().all(u8::is_ascii_digit))
}

/// A result by decision, and its reason.
fn over(ended: &str, whole: bool) -> ToDesk {
    let (result, termination) = ended.split_once(' ').unwrap_or((ended, ""));
    ToDesk::Over(Verdict {
        result: Some(result.into()),
        termination: termination.trim().into(),
        whole,
    })
}

/// A command as a record has it.
fn said(name: &str, rest: &str, whole: bool) -> ToDesk {
    let rest = match (name, rest) {
        ("draw", "offer") => "offered",
        ("draw", "decline") => "declined",
        ("draw", "agree") => "agreed",
        _ => rest,
    };
    let words = match (name, rest) {
        ("resign" | "flag", side) => format!("{name} {}", side.to_ascii_uppercase()),
        _ => format!("{name} {rest}"),
    };
    ToDesk::Say(Words {
        words: words.trim_end().into(),
        whole,
    })
}

/// A clock that is set, or time that is given.
fn on_clock(name: &str, words: &str) -> Result<ToDesk, String> {
    let (seat, rest) = seat_first(name, words)?;
    Ok(match name {
        "set" => ToDesk::Set(ClockTime {
            seat,
            time: rest.into(),
        }),
        _ => ToDesk::Give(ClockSeconds {
            seat,
            seconds: rest.parse().map_err(|_| needs(name))?,
        }),
    })
}

fn seat_first<'w>(name: &str, words: &'w str) -> Result<(Seat, &'w str), String> {
    let (seat, rest) = words.split_once(' ').ok_or_else(|| needs(name))?;
    let seat = seat.parse().map_err(|_| needs(name))?;
    Ok((seat, rest.trim()))
}

/// How a word is used.
fn needs(name: &str) -> String {
    let word = WORDS.iter().find(|word| word.word == name);
    word.map_or_else(String::new, |word| {
        format!(
            "`{}` is typed as `{} {}`: {}",
            word.word, word.word, word.follows, word.does
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_and_everything_else_is_a_move() {
        for word in WORDS {
            let filled = word.follows.split(['|', ' ']).next().unwrap_or_default();
            let filled = filled.trim_matches(['[', ']']);
            let line = match word.word {
                "undo" => "undo 2".into(),
                "set" => "set W:A 0:10:00".into(),
                "give" => "give B -5".into(),
                "tag" => "tag White Ann".into(),
                "by" => "by \"Ann Lee\" resign".into(),
                name => format!("{name} {filled}"),
            };
            let typed = read(&line).unwrap_or_else(|why| panic!("{line}: {why}"));
            assert!(
                !matches!(&typed, Typed::Message(sent) if matches!(sent.message, ToDesk::Play(_))),
                "{line}: {typed:?}"
            );
        }
        for line in [
            "Nf3",
            "A:Nf3",
            "e5.setup PPP2PPP/RNBQKBNR",
            "A2.1/2-1/2",
            "--",
            "due e4",
            "give d5 P",
        ] {
            let plies = vec![line.to_owned()];
            assert_eq!(
                read(line),
                Ok(Typed::Message(ToDesk::Play(Texts { plies }).into()))
            );
        }
    }

    #[test]
    fn what_a_word_lacks_is_said() {
        for line in [
            "draw",
            "claim",
            "illegal",
            "tag White",
            "undo x",
            "set W",
            "give W soon",
            "by Ann",
            "by \"Ann e4",
            "by Ann help",
        ] {
            let why = read(line).unwrap_err();
            assert!(why.contains("is typed as"), "{why}");
        }
    }

    #[test]
    fn commands_are_written_as_records_have_them() {
        let words = |line: &str| match read(line) {
            Ok(Typed::Message(sent)) => match sent.message {
                ToDesk::Say(Words { words, .. }) => words,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        assert_eq!(words("resign w"), "resign W");
        assert_eq!(words("Resign"), "resign");
        assert_eq!(words("flag b:a"), "flag B:A");
        assert_eq!(words("draw offer"), "draw offered");
        assert_eq!(words("claim threefold Nf3"), "claim threefold Nf3");
    }
}
