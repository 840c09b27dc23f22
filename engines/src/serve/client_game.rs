//! A client's game: its position, its history, and who plays in it for us.

use super::Host;
use crate::{
    chance::{Chance, Purpose},
    described::{self, MOST},
    ending::End,
    external::{
        lines::{FaultCode, FaultReport, NewGame, Position, Seat, fault},
        seat::castling,
    },
    live_game::LiveGame,
    manifest::{ManifestError, playable_here},
    move_limits::MoveLimits,
    players::{Limit, Player, Seats, Spec, Thought},
};
use overboard_games::{coordinates::shown, illegal_coordinates, registry::Variant, with_game};
use overboard_referee::game::{notation::agreed_boards, play::Tags, position::PositionError};
use overboard_rules::{
    game::{Claimable, Spelt, Step},
    ply::{Wing, Written},
    square::Side,
};
use std::sync::Arc;

/// The default players: the first of them that plays the game.
const USUAL: [Spec; 2] = [
    Spec::Search(Limit::Depth(crate::players::DEEPEST)),
    Spec::Tree {
        simulations: 1_000,
        plies: 12,
        whole: false,
    },
];

/// What a player chose.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Chosen {
    /// The ply in coordinates.
    pub(super) ply: String,
    /// The evaluation of it.
    pub(super) thought: Thought,
}

/// A game of any kind, as a conversation needs it.
pub(super) trait ServeClient: Send {
    /// The side to act.
    fn side(&self) -> Side;
    /// Plays these plies, and other events of lines of coordinates, or none of them; returns them as records write
    /// them.
    fn play(&mut self, plies: &[&str]) -> Result<Vec<String>, FaultReport>;
    /// Takes back this many plies.
    fn undo(&mut self, plies: usize) -> Result<(), FaultReport>;
    /// The wing to which a legal ply castles, if it does.
    fn castling(&self, ply: &str) -> Option<Wing>;
    /// What was played since the start, in coordinates.
    fn line(&self) -> &[String];
    /// The current position.
    fn position(&self) -> Position;
    /// The legal plies on this board, or on the one that is due.
    fn legal(&self, board: Option<&str>) -> Result<Vec<String>, FaultReport>;
    /// How the game ended, if it has.
    fn end(&self) -> Option<End>;
    /// Which claims would be correct.
    fn claimable(&self) -> Claimable;
    /// Sets who is to choose next, and on which board.
    fn turn_to(&mut self, seat: Option<&Seat>, board: Option<&str>) -> Result<(), FaultReport>;
    /// Lets the player choose for the side to act; `None` if the game is over.
    fn choose(&mut self, limits: &Arc<MoveLimits>) -> Option<Chosen>;
}

/// Starts a game.
///
/// # Errors
/// Why there is no such game, or no such player of it.
pub(super) fn sit(game: &NewGame, host: &Host) -> Result<Box<dyn ServeClient>, FaultReport> {
    let variant = named(&game.variant)
        .ok_or_else(|| unplayable(format!("unknown game `{}`", shown(&game.variant))))?;
    if game.level.is_some() && !variant.info().has_levels {
        return Err(unplayable(format!("{} has no levels", variant.name())));
    }
    playable_here(variant, game.boards, &game.rules)
        .map_err(|why: ManifestError| unplayable(why.to_string()))?;
    with_game!(variant, game.boards, G => ClientGame::<G>::new(game, host).map(|client_game| Box::new(client_game) as _))
}

/// The game with this name for `--variant` or in the tag Variant.
pub(super) fn named(name: &str) -> Option<Variant> {
    let argument = Variant::arguments().find(|(_, argument)| argument.eq_ignore_ascii_case(name));
    argument
        .map(|(variant, _)| variant)
        .or_else(|| Variant::of(Some(name.as_bytes())))
}

pub(super) fn unplayable(words: impl Into<String>) -> FaultReport {
    fault(FaultCode::Unplayable, words)
}

/// A game of one kind.
struct ClientGame<G: Seats> {
    /// The game at the start, and now.
    start: LiveGame<G>,
    table: LiveGame<G>,
    /// The steps between the two, and the same in coordinates.
    steps: Vec<Step<G>>,
    line: Vec<String>,
    spec: Spec,
    /// White's player and Black's, with their random streams.
    seats: [(Box<dyn Player<G>>, Chance); 2],
}

impl<G: Seats> ClientGame<G> {
    fn new(game: &NewGame, host: &Host) -> Result<Self, FaultReport> {
        let level = game.level.unwrap_or(1);
        if game.level == Some(0) || level > 64 {
            return Err(unplayable("levels count from 1 to 64"));
        }
        let options = G::agreed(Tags {
            boards: game.boards,
            level,
            rules: &game.rules,
        });
        let first = match &game.start {
            Some(fen) => {
                let read = G::read_fen(&options, fen.trim()).map(|read| read.position);
                read.map_err(|fault: PositionError| {
                    unplayable(format!("the first position: {fault}"))
                })?
            }
            None => G::start(&options).map_err(|fault| unplayable(fault.words))?,
        };
        if agreed_boards(&first) != usize::from(game.boards) {
            let words = format!(
                "the first position has {} boards, the game {}",
                agreed_boards(&first),
                game.boards
            );
            return Err(unplayable(words));
        }
        let usual = || {
            USUAL
                .into_iter()
                .find(|spec| G::seat(*spec).is_ok())
                .unwrap_or(Spec::Random)
        };
        let spec = host.spec.unwrap_or_else(usual);
        let seat = |seat| {
            let player = G::seat(spec).map_err(unplayable)?;
            Ok::<_, FaultReport>((
                player,
                Chance::of(
                    host.seed,
                    Purpose::Player {
                        game: game.game,
                        seat,
                    },
                ),
            ))
        };
        let (seats, start) = ([seat(0)?, seat(1)?], LiveGame::from(first));
        Ok(Self {
            table: start.clone(),
            start,
            steps: Vec::new(),
            line: Vec::new(),
            spec,
            seats,
        })
    }

    /// Applies a step, and shows it to both players.
    fn step(&mut self, step: Step<G>) {
        if let Step::Ply(ply) = step {
            let coordinates = self.table.game().coordinates(ply);
            for (player, _) in &mut self.seats {
                player.see(&self.table, ply, &coordinates);
            }
        }
        self.line.push(self.table.game().in_line(&step));
        self.table.step(&step);
        self.steps.push(step);
    }

    /// Returns to the start. Players start afresh, but their random streams continue.
    fn again(&mut self) -> Vec<Step<G>> {
        self.table = self.start.clone();
        for (player, _) in &mut self.seats {
            // A player that could be created once can be created again.
            if let Ok(other) = G::seat(self.spec) {
                *player = other;
            }
        }
        self.line.clear();
        std::mem::take(&mut self.steps)
    }

    /// What a text means in this position, and how a record writes it.
    fn read(table: &LiveGame<G>, text: &str) -> Result<(Step<G>, String), FaultReport> {
        let illegal = |words: String| FaultReport {
            ply: Some(shown(text)),
            ..fault(FaultCode::Illegal, words)
        };
        // Castling may be sent as `O-O` in any protocol.
        let step = table
            .game()
            .at(text)
            .or_else(|| castling(table.game(), text).map(Step::Ply));
        if let Some(end) = table.end() {
            return Err(illegal(format!(
                "the game is over by {} ({})",
                end.cause, end.outcome
            )));
        }
        match step {
            Some(Step::Ply(ply)) => Ok((Step::Ply(ply), table.game().san(ply).to_string())),
            Some(step) => {
                let words = table.game().in_line(&step);
                Ok((step, words))
            }
            None => Err(match illegal_coordinates::why(table.game(), text) {
                Some(refusal) => {
                    let possible = refusal.possible.iter();
                    let possible = possible.map(|ply| table.game().coordinates(*ply).to_string());
                    FaultReport {
                        rule: Some(refusal.rule.id.into()),
                        possible: possible.collect(),
                        ..illegal(refusal.words)
                    }
                }
                None => match written_as(table.game(), text) {
                    Some(coordinates) => FaultReport {
                        possible: vec![coordinates.clone()],
                        ..illegal(format!(
                            "plies are sent in coordinates: `{}` is `{coordinates}` here",
                            shown(text)
                        ))
                    },
                    None => illegal(format!(
                        "this is not a legal ply here; plies are sent in coordinates{}",
                        example(table.game())
                    )),
                },
            }),
        }
    }
}

/// The coordinates of the legal ply that a record would write like this, with or without its sign.
fn written_as<G: Seats>(game: &G, text: &str) -> Option<String> {
    let unsigned = |san: &str| san.trim_end_matches(['+', '#']).to_owned();
    if game.choices().is_none_or(|plies| plies > MOST) {
        return None;
    }
    let wanted = unsigned(text);
    let mut plies = Vec::new();
    game.list(None, &mut plies);
    let mut same = plies
        .into_iter()
        .filter(|ply| unsigned(game.san(*ply).as_str()) == wanted);
    let (Some(found), None) = (same.next(), same.next()) else {
        return None;
    };
    Some(game.coordinates(found).to_string())
}

/// A legal ply in coordinates: `, such as e2e4`.
fn example<G: Seats>(game: &G) -> String {
    let mut first = None;
    let _ = game.legal(|ply| {
        first = Some(game.coordinates(ply));
        std::ops::ControlFlow::Break(())
    });
    first.map_or_else(String::new, |ply| format!(", such as `{ply}`"))
}

impl<G: Seats> ServeClient for ClientGame<G> {
    fn side(&self) -> Side {
        self.table.colour()
    }

    fn play(&mut self, plies: &[&str]) -> Result<Vec<String>, FaultReport> {
        if let [ply] = plies {
            let (step, san) = Self::read(&self.table, ply)?;
            self.step(step);
            return Ok(vec![san]);
        }
        // No ply is played before all are known to be legal.
        let mut table = self.table.clone();
        let mut read = Vec::with_capacity(plies.len());
        for ply in plies {
            let (step, san) = Self::read(&table, ply)?;
            table.step(&step);
            read.push((step, san));
        }
        let (steps, sans): (Vec<_>, _) = read.into_iter().unzip();
        for step in steps {
            self.step(step);
        }
        Ok(sans)
    }

    fn undo(&mut self, plies: usize) -> Result<(), FaultReport> {
        let left = self.steps.len().checked_sub(plies).ok_or_else(|| {
            let words = format!(
                "{plies} plies cannot be taken back; the game has {}",
                self.steps.len()
            );
            fault(FaultCode::OutOfTurn, words)
        })?;
        for step in self.again().into_iter().take(left) {
            self.step(step);
        }
        Ok(())
    }

    fn castling(&self, ply: &str) -> Option<Wing> {
        let game = self.table.game();
        match game.spell(game.by_coordinates(ply)?).1 {
            Spelt::Ply(Written::Castle(wing)) => Some(wing),
            _ => None,
        }
    }

    fn line(&self) -> &[String] {
        &self.line
    }

    fn position(&self) -> Position {
        described::position(&self.table, self.steps.len())
    }

    fn legal(&self, board: Option<&str>) -> Result<Vec<String>, FaultReport> {
        described::legal(&self.table, board)
    }

    fn end(&self) -> Option<End> {
        self.table.end()
    }

    fn claimable(&self) -> Claimable {
        self.table.claimable()
    }

    fn turn_to(&mut self, seat: Option<&Seat>, board: Option<&str>) -> Result<(), FaultReport> {
        // A lieutenant acts where the commander would; a seat on linked boards names its own board.
        let own = match seat {
            Some(seat) if !seat.of.is_empty() && described::due_board(&self.table).is_some() => {
                Some(&*seat.of)
            }
            _ => None,
        };
        if let Some(board) = board.or(own) {
            let at = described::board(&self.table, board)?;
            if self.table.board().is_some_and(|due| due != at) {
                self.table.turn_to(at);
            }
        }
        match seat {
            Some(seat) if seat.side != self.table.colour() => {
                let words = format!(
                    "it is {}'s turn, and {seat} is not of that side",
                    self.table.colour()
                );
                Err(fault(FaultCode::OutOfTurn, words))
            }
            _ => Ok(()),
        }
    }

    fn choose(&mut self, limits: &Arc<MoveLimits>) -> Option<Chosen> {
        if self.table.end().is_some() {
            return None;
        }
        let (player, chance) = &mut self.seats[self.table.side() as usize];
        player.bind(limits);
        let ply = player.choose(&self.table, chance)?;
        let thought = Thought {
            time: Some(limits.elapsed().as_secs_f64()),
            ..player.thought()
        };
        Some(Chosen {
            ply: self.table.game().coordinates(ply).to_string(),
            thought,
        })
    }
}
