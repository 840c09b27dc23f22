//! Boards in boards, as a [`Game`](overboard_rules::game::Game).

use super::{Act, Asked, Board, Effects, Mega, OUTCOMES, Ply};
use crate::mega::laws as law;
use overboard_rules::{
    game::{self, Claim, Claimable, Game, Happening, Refusal, Said, Spelt},
    outcome::{Outcome, Prospect, Ruling},
    path::{BoardPath, DEEPEST},
    ply::Written,
    position::{Claims, Found, Movegen},
    repetition::Times,
    rule::Rule,
    setup::SetupError,
    square::Side,
};
use std::{convert::Infallible, ops::ControlFlow, sync::Arc};

/// The options of a game of boards in boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The number of levels around a board of chess: the N of Recursive-Chess(N).
    pub level: u8,
    /// Whether either player may move on a board in its own turn, whoever moved there last (MG-18).
    pub free_turns: bool,
}

impl Default for Options {
    /// Mega-Chess, its turns alternating on every board.
    fn default() -> Self {
        Self {
            level: 1,
            free_turns: false,
        }
    }
}

impl game::Effects<BoardPath> for Effects {
    fn ended(&self) -> impl Iterator<Item = (BoardPath, Outcome)> {
        let mut ended = Vec::new();
        for level in 0..self.level {
            // The game of level N is `self.level - N` boards inside the outermost.
            let around = usize::from(self.level - level);
            for (outcome, set) in OUTCOMES.into_iter().zip(self.step.ended) {
                if set >> level & 1 == 1 {
                    ended.push((self.path.outer(around), outcome));
                }
            }
        }
        if let Some(side) = self.step.forfeited_to {
            for on in super::squares(self.step.forfeited) {
                ended.push((self.path.on(on), Outcome::Win(side)));
            }
        }
        ended.into_iter()
    }

    fn forfeited(&self) -> impl Iterator<Item = (BoardPath, &'static Rule)> {
        let lost = super::squares(self.step.forfeited);
        lost.map(|on| (self.path.on(on), &law::ANSWER))
    }

    fn turn_over(&self, depth: usize) -> bool {
        self.ends_turn_at(depth)
    }
}

impl Mega {
    /// The ply by which an event is applied to the board at a path.
    fn forced(&self, path: &BoardPath, event: Happening) -> Option<Ply> {
        match event {
            Happening::Stopped if self.goes_on_at(path) => Some(Act::Stop.on(*path)),
            Happening::Unjudged if !path.is_empty() => self.judge(path, Asked::Unknown).ok(),
            Happening::Stood(standing_act) => self.stood(path, standing_act),
            Happening::Stopped
            | Happening::Unjudged
            | Happening::Flag(_)
            | Happening::Ended(_)
            | Happening::Passed => None,
        }
    }
}

impl Game for Mega {
    type Options = Options;
    type Board = BoardPath;
    /// The boards keep their own histories (MG-16).
    type Snapshot = ();
    type Ply = Ply;
    type Block = Infallible;
    type Effects = Effects;

    fn start(options: &Options) -> Result<Self, SetupError> {
        match options.level {
            1..=64 => Ok(Self::under(*options)),
            level => {
                let words = format!("there is no level {level}: levels go from 1 to {DEEPEST}");
                Err(SetupError {
                    words,
                    rule: &law::LEVELS,
                })
            }
        }
    }

    fn options(&self) -> Options {
        Options {
            level: self.level(),
            free_turns: self.has_free_turns(),
        }
    }

    fn next_move(&self, at: BoardPath) -> Option<(u32, Side)> {
        let (side, number) = self.game.turn_at(at.steps())?;
        Some((number, side))
    }

    /// Draws by agreement (MG-13) are not among the plies, and a pass only if there is no mega-move. From level 3 on
    /// there are very many plies.
    fn legal(&self, mut visit: impl FnMut(Ply) -> ControlFlow<()>) -> ControlFlow<()> {
        self.game
            .legal_moves(false, None, &mut BoardPath::OUTERMOST.clone(), &mut visit)
    }

    fn legal_on(
        &self,
        at: BoardPath,
        mut visit: impl FnMut(Ply) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.game.legal_moves(
            false,
            Some(at.steps()),
            &mut BoardPath::OUTERMOST.clone(),
            &mut visit,
        )
    }

    fn count_legal(&self) -> u64 {
        self.game.count_legal().unwrap_or(u64::MAX)
    }

    fn find(&self, at: BoardPath, written: &Written) -> Found<Ply> {
        self.game.find(&at, 0, written)
    }

    fn resolve(&self, at: BoardPath, said: Said<'_, Self>) -> Result<Vec<Ply>, Box<Refusal<Self>>> {
        match said {
            Said::Ply(written) => self
                .judge(&at, Asked::Written(written))
                .map(|ply| vec![ply]),
            Said::Block(block) => match *block {},
            Said::Draw => self.judge(&at, Asked::Draw).map(|ply| vec![ply]),
            Said::Unreadable => self.judge(&at, Asked::Unknown).map(|_| Vec::new()),
        }
    }

    fn spell(&self, ply: Ply) -> (BoardPath, Spelt<Self>) {
        let spelt = match (ply.act, self.faced_at(&ply.path)) {
            (Act::Move(m), Some(Board::Chess(chess))) => Spelt::Ply(chess.written(m)),
            (Act::Mega(m), Some(Board::Mega(game))) => Spelt::Ply(game.written(m)),
            (Act::Move(_) | Act::Mega(_) | Act::Pass, _) => Spelt::Ply(Written::Pass),
            (Act::Draw, _) => Spelt::Draw,
            (Act::Unknown | Act::Stop | Act::Stood(_), _) => Spelt::Silent,
        };
        (ply.path, spelt)
    }

    fn play(&mut self, ply: Ply) -> Effects {
        self.make(&ply)
    }

    fn happen(&mut self, at: BoardPath, event: Happening) -> Option<Effects> {
        if let Happening::Ended(outcome) = event {
            if at.is_empty() {
                return None;
            }
            self.game.turn_at(at.steps())?;
            let mut ended = self.clone();
            Arc::make_mut(&mut ended.game).end_board(at.steps(), outcome);
            let goes_on = ended.legal(|_| ControlFlow::Break(())).is_break();
            // In the middle of a turn no legal move brings about an end that leaves no other.
            if !goes_on && !ended.is_between_turns() {
                return None;
            }
            *self = ended;
            return Some(Effects {
                level: self.level(),
                ..Effects::default()
            });
        }
        self.forced(&at, event).map(|ply| self.make(&ply))
    }

    /// An unknown move was made there: the board stays in play, in check or not, or has ended in some way.
    fn forget(&self, at: BoardPath, readings: &mut Vec<Self>) -> bool {
        if at.is_empty() {
            return false;
        }
        let mut passed = self.clone();
        if passed.happen(at, Happening::Unjudged).is_none() {
            return true;
        }
        if self.has_free_turns() && passed.board_at(&at).is_some() {
            // The move may have given check: then the board waits for the reply.
            let mut waits = passed.clone();
            Arc::make_mut(&mut waits.game).wait_on(at.steps());
            readings.push(waits);
        }
        for outcome in OUTCOMES {
            let mut ended = passed.clone();
            if passed.board_at(&at).is_some()
                && ended.happen(at, Happening::Ended(outcome)).is_some()
            {
                readings.push(ended);
            }
        }
        readings.push(passed);
        true
    }

    fn ruling(&self, _: Times<'_, ()>) -> Option<Ruling> {
        self.end_by_itself()
    }

    /// On an inner board, a draw that could be claimed is made instead of a move (MG-13).
    fn claims(&self, at: BoardPath, _: Claim) -> Claims {
        Claims::Open(if at.is_empty() {
            &law::DRAWS
        } else {
            &law::AGREED
        })
    }

    fn claimable(&self, at: BoardPath, _: usize) -> Claimable {
        self.game.claimable_at(at.steps())
    }

    fn can_mate(&self, _: BoardPath, _: Side) -> Prospect {
        Prospect::of(self.can_win())
    }

    fn key(&self) -> u64 {
        let hash = self.game.position_hash();
        (hash as u64) ^ ((hash >> 64) as u64) ^ self.game.used ^ self.game.waiting_key()
    }

    fn snapshot(&self) {}

    fn is_irreversible(&self, _: Ply) -> bool {
        true
    }
}
