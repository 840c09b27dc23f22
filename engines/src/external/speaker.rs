//! The protocol of [`lines`](super::lines), from the runner's side.

use super::{
    lines::{
        Clock, Engine, FromEngine, Go as Asked, NewGame, Number, PROTOCOL, Plies, Runner, Seat,
        Setting, Thinking, ToEngine,
    },
    talk::{Answer, GameOfRun, Go, Readying, Start, Talk, TalkError, Wire},
};
use crate::{described::over, ending::End, manifest::PROGRAM, players::Thought};
use overboard_formats::foreign::{Foreign, visible};
use overboard_rules::square::Side;
use std::time::{Duration, Instant};

/// An engine that speaks the protocol of lines.
#[derive(Debug, Default)]
pub struct Speaker {
    engine: Engine,
    stage: Option<GameOfRun>,
    /// Plies not sent yet.
    plies: Vec<String>,
    thinking: Thinking,
    pings: u64,
    /// Whether it may still be saying something about the game before this one.
    may_lag: bool,
}

/// A message as a line.
fn line(message: &ToEngine) -> String {
    // A message can always be serialised.
    let mut line = serde_json::to_string(message).unwrap_or_default();
    line.push('\n');
    line
}

/// Reads the next message.
fn hear(wire: &mut Wire<'_>, until: Instant) -> Result<(FromEngine, Instant), TalkError> {
    loop {
        let at = wire.hear(until)?;
        if wire.line().is_empty() {
            continue;
        }
        match serde_json::from_slice(wire.line()) {
            Ok(FromEngine::Error(fault)) => {
                let words: String = visible(&fault.words).chars().take(300).collect();
                return Err(TalkError::broken(format!(
                    "it said that it cannot go on: {words}"
                )));
            }
            Ok(message) => return Ok((message, at)),
            Err(error) => {
                let text: String = visible(&wire.text()).chars().take(120).collect();
                return Err(TalkError::broken(format!(
                    "it wrote a line that is no message ({error}): {text}"
                )));
            }
        }
    }
}

impl Speaker {
    /// Has it answer a `ping`, and drops everything before that: an `error` there is about the end of the game before, and
    /// not about the game that begins.
    fn settle(&mut self, wire: &mut Wire<'_>, until: Instant) -> Result<(), TalkError> {
        let number = self.ask_number(wire, until)?;
        loop {
            wire.hear(until)?;
            let message = serde_json::from_slice(wire.line());
            if matches!(message, Ok(FromEngine::Pong(pong)) if pong.number == number) {
                return Ok(());
            }
        }
    }

    /// The names of its options.
    fn named_options(&self) -> String {
        let names = self.engine.options.iter().map(|option| &*option.name);
        Vec::from_iter(names).join(", ")
    }

    /// The line with the plies that are not sent yet, if there are any.
    fn unsent(&mut self) -> String {
        if self.plies.is_empty() {
            return String::new();
        }
        let plies = std::mem::take(&mut self.plies);
        line(&ToEngine::Moves(Plies { plies }))
    }

    /// Sends a `ping`; returns its number.
    fn ask_number(&mut self, wire: &mut Wire<'_>, until: Instant) -> Result<u64, TalkError> {
        self.pings += 1;
        wire.say(&line(&ToEngine::Ping(Number { number: self.pings })), until)?;
        Ok(self.pings)
    }
}

impl Talk for Speaker {
    fn greet(&mut self, wire: &mut Wire<'_>, readying: &Readying<'_>) -> Result<(), TalkError> {
        let Readying {
            program,
            stage,
            until,
        } = *readying;
        self.stage = Some(stage.clone());
        let hello = Runner {
            protocol: PROTOCOL,
            runner: PROGRAM.into(),
        };
        wire.say(&line(&ToEngine::Hello(hello)), until)?;
        self.engine = match hear(wire, until)? {
            (FromEngine::Hello(engine), _) => engine,
            _ => return Err(TalkError::broken("its first line is no `hello`")),
        };
        let Engine {
            protocol,
            variants,
            options,
            ..
        } = &self.engine;
        if *protocol != PROTOCOL {
            let words = format!(
                "it speaks version {protocol} of the protocol, and this is version {PROTOCOL}"
            );
            return Err(TalkError::refused(words));
        }
        if !variants.is_empty() && !variants.iter().any(|name| stage.is_called(name)) {
            let known = visible(&variants.join(", ")).into_owned();
            return Err(TalkError::refused(format!(
                "it does not play {}: it names {known}",
                stage.game.name()
            )));
        }
        for (name, value) in &program.options {
            if !options.iter().any(|option| option.name == *name) {
                return Err(TalkError::no_option(name, &self.named_options()));
            }
            let setting = Setting {
                name: name.clone(),
                value: value.clone(),
            };
            wire.say(&line(&ToEngine::Option(setting)), until)?;
        }
        Ok(())
    }

    fn id(&self) -> &Foreign {
        &self.engine.name
    }

    fn announced(&self) -> Vec<(&'static str, Foreign)> {
        let Engine {
            variants, legal, ..
        } = &self.engine;
        let games = if variants.is_empty() {
            "not announced; it decides at each game".to_owned()
        } else {
            variants.join(", ")
        };
        let legal = if *legal { "yes" } else { "no" };
        vec![
            ("games", games.into()),
            ("options", self.named_options().into()),
            ("wants the legal plies", legal.into()),
        ]
    }

    /// Announces a new game, and reads whether the engine plays it.
    fn begin(
        &mut self,
        wire: &mut Wire<'_>,
        start: &Start<'_>,
        until: Instant,
    ) -> Result<(), TalkError> {
        let Some(GameOfRun {
            game,
            boards,
            level,
            rules,
            ..
        }) = &self.stage
        else {
            return Ok(());
        };
        let has_levels = game.info().has_levels;
        let new = NewGame {
            game: start.game,
            variant: game.info().arguments[0].to_owned(),
            boards: *boards,
            level: has_levels.then_some(*level),
            rules: rules.clone(),
            start: start.fen.map(str::to_owned),
            seats: Side::BOTH.map(Seat::from).to_vec(),
            yours: vec![start.yours.into()],
        };
        self.plies.clear();
        if std::mem::take(&mut self.may_lag) {
            self.settle(wire, until)?;
        }
        wire.say(&line(&ToEngine::Game(new)), until)?;
        loop {
            if let (FromEngine::Ready, _) = hear(wire, until)? {
                return Ok(());
            }
        }
    }

    fn see(&mut self, ply: &str) {
        self.plies.push(ply.to_owned());
    }

    fn wants_legal(&self) -> bool {
        self.engine.legal
    }

    fn ask(&mut self, wire: &mut Wire<'_>, go: &Go, until: Instant) -> Result<Instant, TalkError> {
        // A second answer to the previous request must not be taken for the answer to this one.
        wire.partner.forget();
        self.thinking = Thinking::default();
        let mut lines = self.unsent();
        let clock = |side: Side| {
            let clock = go.clocks[side]?;
            let left = u64::try_from(clock.left.as_millis()).unwrap_or(u64::MAX);
            Some((
                side.into(),
                Clock {
                    left,
                    increment: clock.control.increment.millis(),
                    moves: clock.moves,
                },
            ))
        };
        let asked = Asked {
            seat: Some(go.side.into()),
            board: go.board.clone(),
            clocks: Side::BOTH.into_iter().filter_map(clock).collect(),
            time: go.st.map(super::pace::Seconds::millis),
            depth: go.depth,
            nodes: go.nodes,
            legal: go.legal.clone(),
        };
        lines.push_str(&line(&ToEngine::Go(asked)));
        Ok(wire.say(&lines, until)?)
    }

    fn answer(
        &mut self,
        wire: &mut Wire<'_>,
        until: Instant,
    ) -> Result<(Answer, Instant), TalkError> {
        use super::lines::Claimed;

        loop {
            let (message, at) = hear(wire, until)?;
            let answer = match message {
                FromEngine::Info(thinking) => {
                    self.thinking = thinking;
                    continue;
                }
                FromEngine::Play(choice) => {
                    let Thinking {
                        score,
                        depth,
                        nodes,
                        time,
                    } = choice.thinking;
                    let before = self.thinking;
                    self.thinking = Thinking {
                        score: score.or(before.score),
                        depth: depth.or(before.depth),
                        nodes: nodes.or(before.nodes),
                        time: time.or(before.time),
                    };
                    Answer::Plies(choice.plies.into_iter().map(Foreign::new).collect())
                }
                FromEngine::Resign => Answer::Resigns,
                FromEngine::Claim(claim) => match claim.claim {
                    Claimed::Repetition => Answer::Repetition,
                    Claimed::Progress => Answer::Progress,
                },
                // A late answer to an earlier request.
                _ => continue,
            };
            return Ok((answer, at));
        }
    }

    fn thought(&self) -> Thought {
        let Thinking {
            score,
            depth,
            nodes,
            ..
        } = self.thinking;
        Thought {
            score,
            depth,
            nodes,
            time: None,
        }
    }

    fn hurry(&self) -> &'static str {
        "{\"type\":\"stop\"}\n"
    }

    fn over(&mut self, wire: &mut Wire<'_>, end: End, until: Instant) {
        let mut lines = self.unsent();
        lines.push_str(&line(&ToEngine::Over(over(end))));
        self.may_lag = true;
        // If it does not read this, the start of the next game will show that.
        let _ = wire.say(&lines, until);
    }

    fn ping(&mut self, wire: &mut Wire<'_>, until: Instant) -> Result<Option<Duration>, TalkError> {
        let asked = Instant::now();
        let number = self.ask_number(wire, until)?;
        loop {
            if let (FromEngine::Pong(pong), at) = hear(wire, until)?
                && pong.number == number
            {
                return Ok(Some(at.saturating_duration_since(asked)));
            }
        }
    }

    fn farewell(&self) -> &'static str {
        "{\"type\":\"quit\"}\n"
    }
}
