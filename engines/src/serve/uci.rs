//! UCI, from the engine's side, for every game on one board.

use super::{
    Ears, Heard, Host, Out,
    client_game::{Chosen, named, sit},
    served_game::ServedGame,
    time_for,
};
use crate::{
    external::{
        lines::{Clock, FaultReport, NewGame},
        talk::is_plain,
    },
    move_limits::{Bounds, Listener, MoveLimits},
    players::Thought,
    search::moves_to_mate,
};
use overboard_games::{coordinates::shown, registry::Variant, with_game};
use overboard_rules::{square::Side, variant::UciSwitch};
use std::{
    collections::BTreeSet,
    fmt::Write as _,
    io::{self, BufRead},
    sync::Arc,
    time::Duration,
};

/// The most bytes of a line: a game of tens of thousands of plies.
const LONGEST: usize = 4 << 20;
/// The largest seed offered. Clients may use floating-point numbers.
const SEEDS: u64 = 1 << 53;

/// Serves a client until it sends `quit` or its output ends.
///
/// # Errors
/// Those of the input; those of the output if the client has stopped reading.
pub fn serve(input: impl BufRead, out: &Out, host: Host) -> io::Result<()> {
    let mut server = Server {
        out: out.clone(),
        host,
        variant: Variant::Chess,
        switches: Vec::new(),
        games: 0,
        served: ServedGame::default(),
        start: None,
        fault: None,
        due: None,
    };
    let mut ears = Ears::of(input, LONGEST);
    while let Some(line) = ears.next()? {
        match line {
            Heard::Text(text) => {
                let words: Vec<_> = text.split_ascii_whitespace().collect();
                if words.first() == Some(&"quit") {
                    server.served.stop();
                    return out.check();
                }
                server.hear(&words);
            }
            Heard::TooLong(longest) => {
                server.remark(&format!("the line is longer than {longest} bytes"));
            }
        }
        out.check()?;
    }
    server.served.hang_up();
    out.check()
}

/// The games that UCI has names for, with the names of its option.
pub(super) fn plain_games() -> impl Iterator<Item = (Variant, &'static str)> {
    Variant::arguments().filter(|(variant, _)| with_game!(*variant, 1, G => is_plain::<G>()))
}

struct Server {
    out: Out,
    host: Host,
    variant: Variant,
    /// The switches that are on.
    switches: Vec<&'static str>,
    /// The number of games begun.
    games: u64,
    served: ServedGame,
    /// The initial position of the current game, as sent; `None` before the first game.
    start: Option<String>,
    /// Why the last position is invalid.
    fault: Option<String>,
    /// The time for the move, once the move that is pondered on has been played.
    due: Option<Duration>,
}

/// The games that have a switch in UCI, each with its switch. Games of several families may share one.
fn switched_games() -> impl Iterator<Item = (Variant, UciSwitch)> {
    Variant::ALL
        .iter()
        .filter_map(|variant| Some((*variant, variant.info().uci?)))
}

/// The names of all switches.
fn switches() -> BTreeSet<&'static str> {
    switched_games().map(|(_, switch)| switch.option).collect()
}

/// The words before another word, and those after it.
fn parted<'a, 'w>(words: &'a [&'w str], by: &str) -> (&'a [&'w str], &'a [&'w str]) {
    match words.iter().position(|word| *word == by) {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[]),
    }
}

fn in_words(fault: FaultReport) -> String {
    let mut words = "illegal: ".to_owned();
    if let Some(ply) = fault.ply {
        words += &format!("{ply}: ");
    }
    words += &fault.words;
    if let Some(rule) = fault.rule {
        words += &format!(" ({rule})");
    }
    words
}

/// The initial position unless another is sent.
const START: &str = "startpos";

impl Server {
    fn hear(&mut self, words: &[&str]) {
        match words {
            ["uci", ..] => self.introduce(),
            ["isready", ..] => self.out.say("readyok"),
            ["setoption", rest @ ..] => self.set(rest),
            ["ucinewgame", ..] => {
                self.served.close();
                self.games += 1;
                self.start = None;
            }
            ["position", rest @ ..] => {
                self.served.close();
                self.fault = self.set_up(rest).err();
                if let Some(fault) = &self.fault {
                    self.remark(fault);
                }
            }
            ["go", rest @ ..] => self.go(rest),
            ["stop", ..] => self.served.stop(),
            ["ponderhit", ..] => match (self.due.take(), self.served.limits()) {
                (Some(time), Some(limits)) => limits.allow(time),
                (None, Some(limits)) => limits.release(),
                (_, None) => {}
            },
            [] | ["debug" | "register", ..] => {}
            [word, ..] => {
                self.remark(&format!(
                    "`{}` is not a command of UCI that is known here",
                    shown(word)
                ));
            }
        }
    }

    fn remark(&self, words: &str) {
        // A remark must be one line.
        self.out.say(format_args!(
            "info string {}",
            words.replace(['\n', '\r'], " ")
        ));
    }

    fn introduce(&self) {
        let mut text = format!(
            "id name {}\nid author the authors of overboard\n",
            self.host.name()
        );
        text.push_str("option name UCI_Variant type combo default chess");
        for (_, name) in plain_games() {
            text.extend([" var ", name]);
        }
        for switch in switches() {
            text.extend(["\noption name ", switch, " type check default false"]);
        }
        let player = match self.host.spec {
            Some(spec) => spec.to_string(),
            None => "<empty>".into(),
        };
        // Writing to a `String` cannot fail.
        let _ = write!(
            text,
            "\noption name Player type string default {player}\noption name Seed type spin default {} min 0 max {SEEDS}\nuciok",
            self.host.seed
        );
        self.out.say(text);
    }

    /// Handles `setoption`: `name Seed value 7`.
    fn set(&mut self, words: &[&str]) {
        self.served.close();
        let (name, value) = parted(words, "value");
        let name = name.get(1..).unwrap_or_default().join(" ");
        match self.set_option(&name, &value.join(" ")) {
            // It applies from the next position on.
            Ok(()) => self.start = None,
            Err(words) => self.remark(&words),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        for switch in switches() {
            if switch.eq_ignore_ascii_case(name) {
                return self.turn_switch(switch, value);
            }
        }
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" => {
                let mut games = plain_games();
                let found = games.find(|(variant, _)| Some(*variant) == named(value));
                let Some((variant, _)) = found else {
                    return Err(format!(
                        "`{}` is not a game that is played here by UCI",
                        shown(value)
                    ));
                };
                self.variant = variant;
                Ok(())
            }
            "player" => {
                let value = if value == "<empty>" { "" } else { value };
                self.host.take(value)
            }
            "seed" => self.host.set_seed(value),
            _ => Err(format!("there is no option `{}`", shown(name))),
        }
    }

    /// Turns a switch on or off.
    fn turn_switch(&mut self, switch: &'static str, value: &str) -> Result<(), String> {
        let is_on = match value {
            "true" => true,
            "false" => false,
            other => return Err(format!("`{}` is neither true nor false", shown(other))),
        };
        self.switches.retain(|on| *on != switch);
        if is_on {
            self.switches.push(switch);
        }
        Ok(())
    }

    /// Handles `position`: `startpos moves e2e4`, `fen … moves e2e4`.
    fn set_up(&mut self, words: &[&str]) -> Result<(), String> {
        let (start, moves) = parted(words, "moves");
        let start = match start {
            [START] => START.to_string(),
            ["fen", fen @ ..] => fen.join(" "),
            _ => {
                return Err(
                    "a position is `startpos` or `fen` and a FEN, and then perhaps `moves`".into(),
                );
            }
        };
        if self.start.as_ref() != Some(&start) || self.served.client_game().is_none() {
            self.begin(&start)?;
        }
        let Some(client_game) = self.served.client_game() else {
            return Err("there is no game".into());
        };
        let made = client_game.line();
        let both = made.iter().zip(moves);
        let alike = both.take_while(|(made, sent)| made.eq_ignore_ascii_case(sent));
        let alike = alike.count();
        let back = made.len() - alike;
        if back > 0 {
            client_game.undo(back).map_err(in_words)?;
        }
        for ply in &moves[alike..] {
            client_game.play(&[ply]).map_err(in_words)?;
        }
        Ok(())
    }

    /// The game being played, by its name for `--variant`: a switch selects another game of the same family.
    fn game(&self) -> &'static str {
        let named = self.variant.info().arguments[0];
        for (variant, switch) in switched_games() {
            if switch.of == named && self.switches.contains(&switch.option) {
                return variant.info().arguments[0];
            }
        }
        named
    }

    fn begin(&mut self, start: &str) -> Result<(), String> {
        self.start = None;
        let mut game = NewGame {
            game: self.games,
            ..NewGame::of(self.game())
        };
        if start != START {
            game.start = Some(start.to_string());
        }
        let client_game = sit(&game, &self.host);
        self.served.begin(client_game.map_err(|fault| fault.words)?);
        self.start = Some(start.into());
        Ok(())
    }

    fn go(&mut self, words: &[&str]) {
        self.served.close();
        self.due = None;
        if self.start.is_none() && self.fault.is_none() {
            self.fault = self.begin(START).err();
        }
        let client_game = match self.fault {
            Some(_) => None,
            None => self.served.client_game(),
        };
        let Some(client_game) = client_game else {
            let why = self.fault.as_deref();
            self.remark(why.unwrap_or("there is no position"));
            return self.out.say("bestmove 0000");
        };
        let (mut bounds, ponders) = asked(words, client_game.side());
        // The default player has no limit of its own.
        bounds.held |= self.host.spec.is_none() && bounds == Bounds::default();
        if ponders {
            self.due = bounds.time.take();
        }
        let out = self.out.clone();
        let listener: Listener = Box::new(move |thought, best| out.say(info(&thought, best)));
        let out = self.out.clone();
        self.served.choose(
            Arc::new(MoveLimits::of(bounds, Some(listener))),
            move |_, chosen| match chosen {
                Some(Chosen { ply, thought }) => {
                    out.say(format_args!("{}\nbestmove {ply}", info(&thought, &ply)));
                }
                None => out.say("bestmove (none)"),
            },
        );
    }
}

/// The limits that the arguments of `go` give the side to move, and whether it is to ponder; what cannot be parsed is
/// ignored.
fn asked(words: &[&str], side: Side) -> (Bounds, bool) {
    let (left, increment) = match side {
        Side::White => ("wtime", "winc"),
        Side::Black => ("btime", "binc"),
    };
    let value = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        let value: i64 = words.get(at + 1)?.parse().ok()?;
        // A clock that has run out has nothing left.
        Some(u64::try_from(value).unwrap_or_default())
    };
    let small = |name: &str| value(name).map(|value| u32::try_from(value).unwrap_or(u32::MAX));
    let mate = small("mate").map(|moves| moves.saturating_mul(2));
    let clock = value(left).map(|left| Clock {
        left,
        increment: value(increment).unwrap_or_default(),
        moves: small("movestogo"),
    });
    let (infinite, ponders) = (words.contains(&"infinite"), words.contains(&"ponder"));
    let time = time_for(value("movetime"), clock);
    let bounds = Bounds {
        time: if infinite { None } else { time },
        depth: small("depth").or(mate),
        nodes: value("nodes"),
        held: infinite || ponders,
    };
    (bounds, ponders)
}

/// An `info` line: `info depth 3 score cp 12 nodes 345 nps 34500 time 10 pv e2e4`.
fn info(thought: &Thought, best: &str) -> String {
    let Thought {
        score,
        depth,
        nodes,
        time,
    } = *thought;
    let mut text = "info".to_string();
    // Writing to a `String` cannot fail.
    if let Some(depth) = depth {
        let _ = write!(text, " depth {depth}");
    }
    if let Some(score) = score {
        let _ = match moves_to_mate(score) {
            Some(moves) => write!(text, " score mate {moves}"),
            None => write!(text, " score cp {score}"),
        };
    }
    if let Some(nodes) = nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    if let (Some(nodes), Some(time)) = (nodes, time)
        && time > 0.0
    {
        let _ = write!(text, " nps {:.0}", nodes as f64 / time);
    }
    if let Some(time) = time {
        let _ = write!(text, " time {:.0}", time * 1_000.0);
    }
    text + " pv " + best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(words: &str, side: Side) -> Bounds {
        asked(&words.split(' ').collect::<Vec<_>>(), side).0
    }

    #[test]
    fn every_way_to_say_how_long_is_understood() {
        let ms = |time: Duration| time.as_millis();
        let go = "wtime 62000 btime 31000 winc 0 binc 1000";
        assert_eq!(bounds(go, Side::White).time.map(ms), Some(2_000));
        assert_eq!(bounds(go, Side::Black).time.map(ms), Some(1_800));
        assert_eq!(
            bounds("wtime 62000 movestogo 1", Side::White).time.map(ms),
            Some(31_000)
        );
        assert_eq!(
            bounds("wtime -5 btime 9", Side::White).time.map(ms),
            Some(1)
        );
        assert_eq!(bounds("movetime 250", Side::White).time.map(ms), Some(250));
        let deep = bounds("depth 7 nodes 900", Side::White);
        assert_eq!(
            (deep.time, deep.depth, deep.nodes, deep.held),
            (None, Some(7), Some(900), false)
        );
        assert!(bounds("infinite", Side::White).held && bounds("ponder wtime 9", Side::White).held);
        assert_eq!(bounds("mate 3", Side::White).depth, Some(6));
        assert_eq!(
            bounds("depth nonsense movetime", Side::White),
            Bounds::default()
        );
    }

    #[test]
    fn a_thought_becomes_a_line_of_information() {
        let thought = Thought {
            score: Some(-31),
            depth: Some(4),
            nodes: Some(500),
            time: Some(0.25),
        };
        assert_eq!(
            info(&thought, "e2e4"),
            "info depth 4 score cp -31 nodes 500 nps 2000 time 250 pv e2e4"
        );
        let mate = |score| {
            info(
                &Thought {
                    score: Some(score),
                    ..Thought::default()
                },
                "a1a8",
            )
        };
        assert_eq!(mate(999_999), "info score mate 1 pv a1a8");
        assert_eq!(mate(999_997), "info score mate 2 pv a1a8");
        assert_eq!(mate(-999_998), "info score mate -1 pv a1a8");
    }
}
