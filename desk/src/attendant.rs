//! Programs that sit at a game: a built-in player or an external engine for a seat, each on a thread of its own.

use crate::kept::{Made, row_of_made};
use overboard_engines::{
    chance::{Chance, Purpose},
    external::{
        lines::Seat,
        pool::{Engine, EnginePool, Outfit},
        process::launcher,
        program::{Program, ProgramError},
        seat::{EngineSeat, Seated},
        talk::GameOfRun,
    },
    live_game::LiveGame,
    openings::Opening,
    players::{Act, Player, PlayerError, Seats, Spec},
};
use overboard_formats::foreign::Foreign;
use overboard_games::registry::AnyGame;
use overboard_referee::{game::judge::Judge, rows::rebuilt::step_of};
use overboard_rules::{
    by_side::BySide,
    game::Step,
    outcome::{Cause, Outcome},
    square::Side,
};
use std::{
    str::FromStr,
    sync::{
        atomic::AtomicBool,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

/// A program that can sit at a game.
#[derive(Clone, Debug)]
pub enum Sitter {
    /// A built-in player.
    BuiltIn(Spec),
    /// An external engine.
    Engine(Box<Program>),
}

/// Why a program cannot sit at a game.
#[derive(Debug, thiserror::Error)]
pub enum SitterError {
    /// There is no such seat or player.
    #[error(
        "`{0}`: expected a seat and who sits there, as in `B=greedy`, `W:A=mcts:sims=400` or `B='cmd=stockfish proto=uci st=1'`"
    )]
    Form(String),
    /// A built-in player is described wrongly.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// An engine is described wrongly.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The player does not play this game.
    #[error("{0}")]
    Game(&'static str),
}

impl FromStr for Sitter {
    type Err = SitterError;

    /// A built-in player as in `selfplay`, or an engine as in `match`.
    fn from_str(text: &str) -> Result<Self, SitterError> {
        if text.contains("cmd=") {
            return Ok(Self::Engine(Box::new(Program::described(text)?)));
        }
        Ok(Self::BuiltIn(text.parse()?))
    }
}

/// A seat and who sits there: `B=greedy`.
///
/// # Errors
/// What is wrong with either.
pub fn seated(text: &str) -> Result<(Seat, Sitter), SitterError> {
    let form = || SitterError::Form(text.to_owned());
    let (seat, sitter) = text.split_once('=').ok_or_else(form)?;
    let seat = seat.parse().map_err(|_| form())?;
    Ok((seat, sitter.parse()?))
}

/// What a program does on its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A ply in coordinates.
    Ply(String),
    /// It resigns.
    Resigns,
    /// It claims a draw, as a record says it.
    Claims(&'static str),
    /// It does nothing that is allowed.
    Fails(Foreign),
}

/// The answer of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Its seat.
    pub seat: Seat,
    /// The number of the question.
    pub number: u64,
    /// What it does.
    pub choice: Choice,
}

/// Who hears the answers of programs.
pub type Hear = Box<dyn Fn(Answer) + Send>;

/// A question to a program: what it does, after this has been done from the beginning on.
pub(crate) struct Ask {
    pub(crate) number: u64,
    pub(crate) line: Vec<Made>,
    /// On boards side by side, the board.
    pub(crate) board: Option<String>,
}

/// A program at a seat; it leaves when this is dropped.
pub struct Attendant {
    asks: Sender<Ask>,
}

impl Attendant {
    /// Asks for an act. Nothing is heard of one that has failed and left.
    pub(crate) fn ask(&self, ask: Ask) {
        let _ = self.asks.send(ask);
    }
}

/// Lets a program sit down at a game that begins like this.
///
/// # Errors
/// Why it does not play this game.
pub(crate) fn attend<G: Seats + Judge + Into<AnyGame>>(
    opening: Opening<G>,
    seat: Seat,
    sitter: Sitter,
    (rules, seed): (&str, u64),
    hear: Hear,
) -> Result<Attendant, SitterError> {
    let pool = match &sitter {
        Sitter::BuiltIn(spec) => {
            G::seat(*spec).map_err(SitterError::Game)?;
            None
        }
        Sitter::Engine(program) => {
            let game: AnyGame = opening.start.game().clone().into();
            let boards = u16::try_from(game.boards()).unwrap_or(u16::MAX);
            let level = game.level().unwrap_or(1);
            let stage = GameOfRun::of::<G>(game.variant(), boards, level, rules);
            let outfit = Outfit {
                launcher: launcher(),
                affinity: false,
                memory: None,
                faults: 1,
                transcripts: None,
                dialogue: None,
                variables: Vec::new(),
                adopts: true,
            };
            let program = Program::clone(program);
            Some(EnginePool::new(stage, [Some(program)], outfit))
        }
    };
    let (asks, heard) = channel();
    thread::spawn(move || {
        let sitting = Sitting {
            opening,
            seat,
            sitter,
            pool,
            seed,
        };
        sitting.run(&heard, &hear);
    });
    Ok(Attendant { asks })
}

/// A program on its thread.
struct Sitting<G: Seats> {
    opening: Opening<G>,
    seat: Seat,
    sitter: Sitter,
    pool: Option<EnginePool>,
    seed: u64,
}

impl<G: Seats + Judge> Sitting<G> {
    /// Answers until nobody asks any more. Where acts were taken back, the program begins anew.
    fn run(self, heard: &Receiver<Ask>, hear: &Hear) {
        let mut engine = self.pool.as_ref().and_then(|pool| pool.engine(0));
        let seat = u8::from(self.seat.side == Side::Black);
        let mut chance = Chance::of(self.seed, Purpose::Player { game: 0, seat });
        let never = AtomicBool::new(false);
        let mut next = heard.recv().ok();
        while let Some(first) = next {
            let Some(mut player) = self.player(&mut engine, &never) else {
                return;
            };
            next = self.play_on(first, &mut *player, &mut chance, heard, hear);
        }
    }

    fn player<'b>(
        &self,
        engine: &'b mut Option<Engine<'_>>,
        never: &'b AtomicBool,
    ) -> Option<Box<dyn Player<G> + 'b>> {
        match (&self.sitter, engine) {
            (Sitter::BuiltIn(spec), _) => Some(G::seat(*spec).ok()?),
            (Sitter::Engine(_), Some(engine)) => {
                let place = EngineSeat {
                    give_up: never,
                    thread: 0,
                    game: 0,
                    side: self.seat.side,
                };
                Some(Box::new(Seated::new(engine, place, &self.opening)))
            }
            (Sitter::Engine(_), None) => None,
        }
    }

    /// Answers questions as long as each goes on from the one before it; returns the first that does not.
    fn play_on(
        &self,
        first: Ask,
        player: &mut dyn Player<G>,
        chance: &mut Chance,
        heard: &Receiver<Ask>,
        hear: &Hear,
    ) -> Option<Ask> {
        let mut table = self.opening.start.clone();
        let mut known = Vec::new();
        let mut next = Some(first);
        while let Some(ask) = next {
            if !ask.line.starts_with(&known) {
                return Some(ask);
            }
            for made in &ask.line[known.len()..] {
                show(&mut table, player, made);
            }
            let board = ask.board.as_deref();
            if let Some(at) = board.and_then(|name| table.game().board_named(name)) {
                table.turn_to(at);
            }
            hear(Answer {
                seat: self.seat.clone(),
                number: ask.number,
                choice: self.choice(&table, player, chance),
            });
            known = ask.line;
            next = heard.recv().ok();
        }
        None
    }

    fn choice(
        &self,
        table: &LiveGame<G>,
        player: &mut dyn Player<G>,
        chance: &mut Chance,
    ) -> Choice {
        match player.act(table, chance, BySide::new(None, None)) {
            Act::Play(ply) => Choice::Ply(table.game().coordinates(ply).to_string()),
            Act::End { end, fault } => match (end.cause, fault) {
                (_, Some(words)) => Choice::Fails(words),
                (Cause::Resignation, None) => Choice::Resigns,
                (Cause::ThreefoldClaim, None) => Choice::Claims("claim threefold"),
                (_, None) if end.outcome == Outcome::Draw => Choice::Claims("claim fifty"),
                (cause, None) => Choice::Fails(cause.to_string().into()),
            },
            Act::Nothing | Act::GivenUp => Choice::Fails("it has no move".into()),
        }
    }
}

/// Shows a step to a player, and makes it.
fn show<G: Seats>(table: &mut LiveGame<G>, player: &mut dyn Player<G>, made: &Made) {
    // What was possible in the record is possible here.
    let Ok(Some(step)) = step_of(table.game(), &row_of_made(made)) else {
        return;
    };
    if let Step::Ply(ply) = step {
        let coordinates = table.game().coordinates(ply);
        player.see(table, ply, &coordinates);
    }
    table.step(&step);
}
