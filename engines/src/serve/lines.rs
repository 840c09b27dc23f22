//! The protocol of lines, from the engine's side, and as a board that enforces the rules.
//!
//! The messages are described in [`crate::external::lines`].

use super::{
    Ears, Heard, Host, Out,
    client_game::{Chosen, ServeClient, sit, unplayable},
    served_game::ServedGame,
    time_for,
};
use crate::{
    described::{message, over},
    external::lines::{
        Choice, Engine, FaultCode, FaultReport, FromEngine, Go, LONGEST_OF_RUNNER, Legal, OnBoard,
        Over, PROTOCOL, Played, Plies, Settable, Setting, Thinking, ToEngine, Undo, fault,
    },
    move_limits::{Bounds, Listener, MoveLimits},
    players::Thought,
};
use overboard_games::{coordinates::shown, registry::Variant};
use std::{
    io::{self, BufRead},
    sync::Arc,
    time::Duration,
};

/// How long the default player takes for an answer without clock or limit.
const USUAL: Duration = Duration::from_secs(1);

/// Serves a client until it sends `quit` or its output ends.
///
/// # Errors
/// Those of the input; those of the output if the client has stopped reading.
pub fn serve(input: impl BufRead, out: &Out, host: Host) -> io::Result<()> {
    let mut server = Server {
        out: out.clone(),
        host,
        served: ServedGame::default(),
    };
    let mut ears = Ears::of(input, LONGEST_OF_RUNNER);
    while let Some(line) = ears.next()? {
        match line {
            Heard::Text(text) if text.is_empty() => {}
            Heard::Text(text) => match message::<ToEngine>(&text) {
                Ok(ToEngine::Quit) => {
                    server.served.stop();
                    return out.check();
                }
                Ok(message) => server.hear(message),
                Err(fault) => server.say(&FromEngine::Error(fault)),
            },
            Heard::TooLong(longest) => {
                let words = format!("the line is longer than {longest} bytes");
                server.say(&FromEngine::Error(fault(FaultCode::TooLong, words)));
            }
        }
        out.check()?;
    }
    server.served.hang_up();
    out.check()
}

struct Server {
    out: Out,
    host: Host,
    served: ServedGame,
}

fn said(message: &FromEngine) -> String {
    // A message can always be serialised.
    serde_json::to_string(message).unwrap_or_default()
}

impl Server {
    fn say(&self, message: &FromEngine) {
        self.out.say(said(message));
    }

    fn hear(&mut self, message: ToEngine) {
        let answer = match message {
            ToEngine::Hello(_) => Ok(Some(FromEngine::Hello(self.hello()))),
            ToEngine::Ping(number) => Ok(Some(FromEngine::Pong(number))),
            ToEngine::Option(setting) => self.set(&setting).map(|()| None),
            ToEngine::Game(game) => sit(&game, &self.host).map(|client_game| {
                self.served.begin(client_game);
                Some(FromEngine::Ready)
            }),
            ToEngine::Stop => {
                self.served.stop();
                Ok(None)
            }
            ToEngine::Go(go) => self.go(&go).map(|()| None),
            ToEngine::Over(Over {
                result: Some(_), ..
            }) => {
                self.served.stop();
                Ok(None)
            }
            ToEngine::Error(_) | ToEngine::Quit => Ok(None),
            other => self
                .client_game()
                .and_then(|client_game| answer(client_game, other)),
        };
        match answer {
            Ok(Some(message)) => self.say(&message),
            Ok(None) => {}
            Err(fault) => self.say(&FromEngine::Error(fault)),
        }
    }

    fn hello(&self) -> Engine {
        let usual = |name: &str, default: String, help: &str| Settable {
            name: name.into(),
            default,
            help: help.into(),
        };
        Engine {
            protocol: PROTOCOL,
            name: self.host.name().into(),
            author: "the authors of overboard".into(),
            variants: Variant::arguments()
                .map(|(_, argument)| argument.into())
                .collect(),
            legal: false,
            options: vec![
                usual(
                    "Player",
                    self.host
                        .spec
                        .map_or(String::new(), |spec| spec.to_string()),
                    "The player from the next game on, as for selfplay; if empty, the usual one of each game.",
                ),
                usual(
                    "Seed",
                    self.host.seed.to_string(),
                    "Seed of the random choices, from the next game on.",
                ),
            ],
        }
    }

    fn set(&mut self, Setting { name, value }: &Setting) -> Result<(), FaultReport> {
        let set = match name.as_str() {
            "Player" => self.host.take(value),
            "Seed" => self.host.set_seed(value),
            _ => Err(format!("there is no option `{}`", shown(name))),
        };
        set.map_err(unplayable)
    }

    /// The game, unless there is none or a choice is in progress.
    fn client_game(&mut self) -> Result<&mut dyn ServeClient, FaultReport> {
        if self.served.is_choosing() {
            return Err(fault(
                FaultCode::OutOfTurn,
                "a `go` is open: wait for its answer, or say `stop`",
            ));
        }
        self.served
            .client_game()
            .ok_or_else(|| fault(FaultCode::OutOfTurn, "there is no game yet"))
    }

    fn go(&mut self, go: &Go) -> Result<(), FaultReport> {
        let is_usual = self.host.spec.is_none();
        let client_game = self.client_game()?;
        client_game.turn_to(go.seat.as_ref(), go.board.as_deref())?;
        if let Some(end) = client_game.end() {
            let words = format!("the game is over by {}", end.cause);
            return Err(fault(FaultCode::OutOfTurn, words));
        }
        let side = client_game.side();
        let clock = go
            .seat
            .as_ref()
            .and_then(|seat| go.clocks.get(seat))
            .or_else(|| {
                let own = go.clocks.iter().filter(|(seat, _)| seat.side == side);
                own.map(|(_, clock)| clock).next()
            });
        let mut bounds = Bounds {
            time: time_for(go.time, clock.copied()),
            depth: go.depth,
            nodes: go.nodes,
            held: false,
        };
        if is_usual && bounds == Bounds::default() {
            bounds.time = Some(USUAL);
        }
        let out = self.out.clone();
        let listener: Listener =
            Box::new(move |thought, _| out.say(said(&FromEngine::Info(thinking(&thought)))));
        let limits = MoveLimits::of(bounds, Some(listener));
        let out = self.out.clone();
        self.served.choose(Arc::new(limits), move |_, chosen| {
            out.say(said(&choice(chosen)));
        });
        Ok(())
    }
}

fn choice(chosen: Option<Chosen>) -> FromEngine {
    match chosen {
        Some(Chosen { ply, thought }) => FromEngine::Play(Choice {
            plies: vec![ply],
            thinking: thinking(&thought),
        }),
        // In a game that is not over there is always a legal ply.
        None => FromEngine::Resign,
    }
}

fn thinking(thought: &Thought) -> Thinking {
    let time = thought.time.map(|seconds| (seconds * 1_000.0) as u64);
    Thinking {
        score: thought.score,
        depth: thought.depth,
        nodes: thought.nodes,
        time,
    }
}

/// The answer to a message about the game.
fn answer(
    client_game: &mut dyn ServeClient,
    message: ToEngine,
) -> Result<Option<FromEngine>, FaultReport> {
    let end = |client_game: &dyn ServeClient| client_game.end().map(over);
    Ok(Some(match message {
        ToEngine::Moves(Plies { plies }) => {
            play(client_game, &plies)?;
            return Ok(None);
        }
        ToEngine::Play(Plies { plies }) => {
            let san = play(client_game, &plies)?;
            FromEngine::Played(Played {
                san,
                over: end(client_game),
            })
        }
        ToEngine::Undo(Undo { plies }) => {
            client_game.undo(plies as usize)?;
            FromEngine::Position(client_game.position())
        }
        ToEngine::Legal(OnBoard { board }) => FromEngine::Legal(Legal {
            plies: client_game.legal(board.as_deref())?,
            boards: Vec::new(),
        }),
        ToEngine::Over(_) => FromEngine::Over(end(client_game).unwrap_or_default()),
        ToEngine::Position => FromEngine::Position(client_game.position()),
        _ => return Ok(None),
    }))
}

fn play(client_game: &mut dyn ServeClient, plies: &[String]) -> Result<Vec<String>, FaultReport> {
    let plies: Vec<_> = plies.iter().map(String::as_str).collect();
    client_game.play(&plies)
}
