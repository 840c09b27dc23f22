//! UCI, from the runner's side.

use super::{
    pace::Clock,
    talk::{Answer, GameOfRun, Go, Readying, Start, Talk, TalkError, Wire, score_of_mate},
};
use crate::players::Thought;
use overboard_formats::{
    foreign::{Foreign, visible},
    io_words::reason,
};
use overboard_games::registry::Variant;
use overboard_rules::{square::Side, variant::UciSwitch};
use std::{
    fmt::Write as _,
    io::{self, Write as _},
    time::{Duration, Instant},
};
use tempfile::TempPath;

/// The name of the option that selects the game.
const VARIANT: &str = "UCI_Variant";
/// The name of the option for the path of a file that defines variants.
const PATH: &str = "VariantPath";

/// An engine that speaks UCI.
#[derive(Debug, Default)]
pub struct Uci {
    id: Foreign,
    options: Vec<Announced>,
    /// How initial positions of this game are written for it.
    fen: Option<fn(&str) -> String>,
    /// The `position` command: the initial position and all plies.
    position: String,
    has_plies: bool,
    /// The last `info` line with a score.
    info: Vec<u8>,
    /// The file that defines variants, until the engine has read it.
    definition: Option<TempPath>,
}

/// An option that an engine has announced.
#[derive(Debug)]
struct Announced {
    name: String,
    /// The values, if it is a list.
    values: Vec<String>,
}

impl Uci {
    /// Sends `uci` and reads the answers.
    fn introduce(&mut self, wire: &mut Wire<'_>, until: Instant) -> Result<(), TalkError> {
        self.options.clear();
        wire.say("uci\n", until)?;
        loop {
            wire.hear(until)?;
            // Any number of blanks may stand between words.
            let text = wire.text();
            let text = Vec::from_iter(text.split_ascii_whitespace()).join(" ");
            if text == "uciok" {
                return Ok(());
            }
            if let Some(name) = text.strip_prefix("id name ") {
                self.id = visible(name).into_owned().into();
            }
            if let Some(option) = text.strip_prefix("option ").and_then(announced) {
                self.options.push(option);
            }
        }
    }

    fn option(&self, name: &str) -> Option<&Announced> {
        let mut options = self.options.iter();
        options.find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The names of its options, for people.
    fn names(&self) -> String {
        Vec::from_iter(self.options.iter().map(|option| option.name.as_str())).join(", ")
    }

    /// Sets an option.
    fn set(
        &mut self,
        wire: &mut Wire<'_>,
        (name, value): (&str, &str),
        until: Instant,
    ) -> Result<(), TalkError> {
        let Some(known) = self.option(name) else {
            return Err(TalkError::no_option(name, &self.names()));
        };
        // A button has no value.
        let value = if value.is_empty() {
            String::new()
        } else {
            format!(" value {value}")
        };
        let command = format!("setoption name {}{value}\n", known.name);
        wire.say(&command, until)?;
        if name.eq_ignore_ascii_case(PATH) {
            // The engine lists the variants of the file only in reply to a second `uci`.
            self.introduce(wire, until)?;
        }
        Ok(())
    }

    /// Selects the game of the run.
    fn choose(&mut self, wire: &mut Wire<'_>, readying: &Readying<'_>) -> Result<(), TalkError> {
        let Readying {
            program,
            stage,
            until,
        } = *readying;
        let is_set = |name: &str| {
            let mut options = program.options.iter();
            options.any(|(set, _)| set.eq_ignore_ascii_case(name))
        };
        if is_set(VARIANT) {
            return Ok(());
        }
        let switched = stage.game.info().uci;
        if let Some(switch) = switched
            && self.option(switch.option).is_some()
        {
            if let Some(name) = self.family(stage, switch)? {
                self.set(wire, (VARIANT, &name), until)?;
            }
            return if is_set(switch.option) {
                Ok(())
            } else {
                self.set(wire, (switch.option, "true"), until)
            };
        }
        if let Some(abroad) = stage.game.info().abroad
            && self.called(stage).is_none()
            && self.option(PATH).is_some()
            && !is_set(PATH)
        {
            let file = written(abroad.definition).map_err(|error| {
                let why = reason(&error);
                TalkError::refused(format!(
                    "the file that describes the game to it cannot be created: {why}"
                ))
            })?;
            let path = file.display().to_string();
            self.definition = Some(file);
            self.set(wire, (PATH, &path), until)?;
        }
        if let Some(name) = self.called(stage) {
            return self.set(wire, (VARIANT, &name), until);
        }
        let why = match (self.option(VARIANT), switched) {
            (None, _) if stage.is_called("chess") => return Ok(()),
            (_, Some(switch)) => format!("it has no option {}", switch.option),
            (None, None) => "it has no option UCI_Variant, so it plays only chess".to_owned(),
            (Some(option), None) => format!("its UCI_Variant names {}", few(&option.values)),
        };
        Err(stage.unplayed(&why))
    }

    /// The engine's name for the game that a switch changes; `None` for chess, which every engine plays unasked.
    ///
    /// # Errors
    /// If it does not play that game.
    fn family(&self, stage: &GameOfRun, switch: UciSwitch) -> Result<Option<String>, TalkError> {
        if switch.of == "chess" {
            return Ok(None);
        }
        let of = Variant::arguments().find(|(_, argument)| *argument == switch.of);
        if let (Some((variant, _)), Some(option)) = (of, self.option(VARIANT)) {
            let mut games = option.values.iter();
            if let Some(name) = games.find(|name| GameOfRun::means(variant.info(), name)) {
                return Ok(Some(name.clone()));
            }
        }
        let why = format!("its UCI_Variant does not name {}", switch.of);
        Err(stage.unplayed(&why))
    }

    /// The engine's name for the game, if it announces one.
    fn called(&self, stage: &GameOfRun) -> Option<String> {
        let names = &self.option(VARIANT)?.values;
        names.iter().find(|name| stage.is_called(name)).cloned()
    }

    /// Waits until it is ready.
    fn wait(wire: &mut Wire<'_>, until: Instant) -> Result<Instant, TalkError> {
        loop {
            let at = wire.hear(until)?;
            if wire.line() == b"readyok" {
                return Ok(at);
            }
        }
    }
}

impl Talk for Uci {
    fn greet(&mut self, wire: &mut Wire<'_>, readying: &Readying<'_>) -> Result<(), TalkError> {
        readying.stage.fits_one_board("UCI")?;
        self.fen = readying.stage.game.info().abroad.map(|abroad| abroad.fen);
        self.introduce(wire, readying.until)?;
        for (name, value) in &readying.program.options {
            self.set(wire, (name, value), readying.until)?;
        }
        self.choose(wire, readying)?;
        wire.say("isready\n", readying.until)?;
        Self::wait(wire, readying.until)?;
        // It has read the file by now, and a runner that is killed later leaves none.
        self.definition = None;
        Ok(())
    }

    fn id(&self) -> &Foreign {
        &self.id
    }

    fn announced(&self) -> Vec<(&'static str, Foreign)> {
        let mut games = match self.option(VARIANT) {
            Some(option) => option.values.join(", "),
            None => "chess".into(),
        };
        let listed = games.clone();
        let is_listed = |name: &str| listed.split(", ").any(|known| known == name);
        for game in Variant::ALL {
            let info = game.info();
            if let Some(switch) = info.uci
                && (switch.of == "chess" || is_listed(switch.of))
                && self.option(switch.option).is_some()
                && !is_listed(info.arguments[0])
            {
                games.push_str(", ");
                games.push_str(info.arguments[0]);
            }
        }
        vec![("games", games.into()), ("options", self.names().into())]
    }

    fn begin(
        &mut self,
        wire: &mut Wire<'_>,
        start: &Start<'_>,
        until: Instant,
    ) -> Result<(), TalkError> {
        self.position = match (start.fen, self.fen) {
            (None, _) => "position startpos".into(),
            (Some(fen), None) => format!("position fen {fen}"),
            (Some(fen), Some(abroad)) => format!("position fen {}", abroad(fen)),
        };
        self.has_plies = false;
        wire.say("ucinewgame\nisready\n", until)?;
        Self::wait(wire, until).map(drop)
    }

    fn see(&mut self, ply: &str) {
        if !std::mem::replace(&mut self.has_plies, true) {
            self.position.push_str(" moves");
        }
        self.position.push(' ');
        self.position.push_str(ply);
    }

    fn ask(&mut self, wire: &mut Wire<'_>, go: &Go, until: Instant) -> Result<Instant, TalkError> {
        // A second answer to the previous request must not be taken for the answer to this one.
        wire.partner.forget();
        self.info.clear();
        // What is asked follows the position for the time that it is sent.
        let known = self.position.len();
        self.position.push_str("\ngo");
        write_go(&mut self.position, go);
        self.position.push('\n');
        let said = wire.say(&self.position, until);
        self.position.truncate(known);
        Ok(said?)
    }

    fn answer(
        &mut self,
        wire: &mut Wire<'_>,
        until: Instant,
    ) -> Result<(Answer, Instant), TalkError> {
        loop {
            let at = wire.hear(until)?;
            let line = wire.line();
            let (word, rest) = first_word(line);
            if word == b"bestmove" {
                let rest = String::from_utf8_lossy(rest);
                let ply = rest.split_ascii_whitespace().next().unwrap_or_default();
                return Ok((Answer::Plies(vec![ply.into()]), at));
            }
            if word == b"info" && memchr::memmem::find(rest, b"score").is_some() {
                self.info.clear();
                self.info.extend_from_slice(line);
            }
        }
    }

    fn thought(&self) -> Thought {
        thought(&String::from_utf8_lossy(&self.info))
    }

    fn hurry(&self) -> &'static str {
        "stop\n"
    }

    fn ping(&mut self, wire: &mut Wire<'_>, until: Instant) -> Result<Option<Duration>, TalkError> {
        let asked = Instant::now();
        wire.say("isready\n", until)?;
        Ok(Some(
            Self::wait(wire, until)?.saturating_duration_since(asked),
        ))
    }

    fn farewell(&self) -> &'static str {
        "quit\n"
    }
}

/// The first word of a line, and the rest.
fn first_word(line: &[u8]) -> (&[u8], &[u8]) {
    let end = line.iter().position(u8::is_ascii_whitespace);
    line.split_at(end.unwrap_or(line.len()))
}

/// A file that defines variants.
fn written(definition: &str) -> io::Result<TempPath> {
    let mut file = tempfile::Builder::new()
        .prefix("overboard-")
        .suffix(".ini")
        .tempfile()?;
    file.write_all(definition.as_bytes())?;
    Ok(file.into_temp_path())
}

/// Names, only the first ones if there are many.
fn few(names: &[String]) -> String {
    const FEW: usize = 12;
    let named = visible(&names[..names.len().min(FEW)].join(", ")).into_owned();
    if names.len() > FEW {
        format!("{named} and {} more, and not this one", names.len() - FEW)
    } else {
        named
    }
}

/// Parses an option from the words after `option`.
fn announced(text: &str) -> Option<Announced> {
    let (name, rest) = text.strip_prefix("name ")?.split_once(" type ")?;
    let values = rest.split(" var ").skip(1);
    Some(Announced {
        name: name.trim().to_owned(),
        values: values.map(|value| value.trim().to_owned()).collect(),
    })
}

/// Writes the arguments of `go`.
fn write_go(command: &mut String, go: &Go) {
    let own = go.clocks[go.side];
    if let Some(own) = own {
        // If the opponent has no clock, both times are the engine's own.
        for (side, letter) in [(Side::White, 'w'), (Side::Black, 'b')] {
            let Clock { left, control, .. } = go.clocks[side].unwrap_or(own);
            let increment = control.increment.millis();
            let _ = write!(
                command,
                " {letter}time {} {letter}inc {increment}",
                left.as_millis().max(1)
            );
        }
        if let Some(moves) = own.moves {
            let _ = write!(command, " movestogo {moves}");
        }
    }
    if let Some(st) = go.st {
        let _ = write!(command, " movetime {}", st.millis());
    }
    if let Some(depth) = go.depth {
        let _ = write!(command, " depth {depth}");
    }
    if let Some(nodes) = go.nodes {
        let _ = write!(command, " nodes {nodes}");
    }
}

/// Parses an `info` line.
fn thought(info: &str) -> Thought {
    let mut thought = Thought::default();
    let mut words = info.split_ascii_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => thought.depth = words.next().and_then(|word| word.parse().ok()),
            "nodes" => thought.nodes = words.next().and_then(|word| word.parse().ok()),
            "score" => {
                let kind = words.next();
                let number = words.next().and_then(|word| word.parse().ok());
                thought.score = match (kind, number) {
                    (Some("cp"), number) => number,
                    (Some("mate"), Some(moves)) => Some(score_of_mate(moves)),
                    _ => None,
                };
            }
            // What follows these words is not key-value pairs.
            "pv" | "string" => break,
            _ => {}
        }
    }
    thought
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external::pace::Seconds;
    use overboard_rules::by_side::BySide;

    #[test]
    fn a_line_of_info_reports_what_was_thought() {
        let info = "info depth 12 seldepth 18 multipv 1 score cp -31 upperbound nodes 9001 nps 1 time 5 pv e2e4 depth 9";
        let reported = thought(info);
        assert_eq!(
            (reported.score, reported.depth, reported.nodes),
            (Some(-31), Some(12), Some(9001))
        );
        assert_eq!(thought("info score mate 2").score, Some(999_997));
        assert_eq!(thought("info score mate -2").score, Some(-999_996));
        assert_eq!(thought("info score mate 0").score, Some(-1_000_000));
        assert_eq!(thought("info string score cp 5").score, None);
        assert_eq!(thought("info score cp x depth").score, None);
    }

    #[test]
    fn options_are_taken_in_with_their_values() {
        let option =
            announced("name UCI_Variant type combo default chess var 3check var olympic").unwrap();
        assert_eq!(
            (option.name.as_str(), option.values),
            ("UCI_Variant", vec!["3check".to_owned(), "olympic".into()])
        );
        assert_eq!(
            announced("name Clear Hash type button").unwrap().name,
            "Clear Hash"
        );
        assert!(announced("nonsense").is_none());
    }

    #[test]
    fn one_without_an_opponents_clock_is_reported_its_own() {
        let clock = Clock::new("40/60+0.5".parse().unwrap());
        let go = Go {
            side: Side::Black,
            clocks: BySide::new(None, Some(clock)),
            st: Some(Seconds::of_millis(100)),
            depth: Some(3),
            nodes: Some(9),
            board: None,
            legal: None,
        };
        let mut command = String::from("go");
        write_go(&mut command, &go);
        let expected = "go wtime 60000 winc 500 btime 60000 binc 500 movestogo 40 movetime 100 depth 3 nodes 9";
        assert_eq!(command, expected);
    }
}
