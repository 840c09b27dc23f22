//! Overchess as a [`Game`](overboard_rules::game::Game).

use super::{Asked, Block, Breach, DEEPEST, Due, Level, Options, Over, Ply, state::Phase};
use crate::overchess::laws as law;
use overboard_rules::{
    game::{self, Claim, Claimable, Game, Happening, Next, Said, Spelt},
    general as common,
    hash::WordHasher,
    outcome::{Outcome, Prospect, Ruling},
    path::BoardPath,
    ply::Written,
    position::{Claims, DrawLaw, Found, Movegen},
    repetition::Times,
    setup::SetupError,
    square::Side,
};
use std::ops::ControlFlow;

/// The options of a game of Overchess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreed {
    /// How many sub-games can be inside each other; those of a game of depth 1 are chess.
    pub depth: u8,
    /// The optional rules in force.
    pub rules: Options,
}

impl Default for Agreed {
    /// Sub-games of chess, no optional rules.
    fn default() -> Self {
        Self {
            depth: 1,
            rules: Options::default(),
        }
    }
}

/// An inner game that a ply has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended {
    /// The path to it.
    pub game: BoardPath,
    /// Its score; its attacker is White.
    pub outcome: Outcome,
    /// How it ended by its last move, or its set-up, according to the rules; `None` if something else ended it.
    pub by: Option<Ruling>,
    /// Whether it ended on a move of chess that gives check.
    pub check: bool,
}

/// The inner games that a ply has ended, the innermost first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    ended: Vec<Ended>,
}

impl game::Effects<BoardPath> for Effects {
    fn ended(&self) -> impl Iterator<Item = (BoardPath, Outcome)> {
        self.ended.iter().map(|ended| (ended.game, ended.outcome))
    }
}

impl Effects {
    /// The same with the reasons.
    #[must_use]
    pub fn all(&self) -> &[Ended] {
        &self.ended
    }

    pub(super) fn push(&mut self, ended: Ended) {
        self.ended.push(ended);
    }

    pub(super) fn append(&mut self, mut later: Self) {
        self.ended.append(&mut later.ended);
    }
}

impl Over {
    /// Whether a board is that of the sub-game of the innermost over-game, which is due or being played.
    fn is_sub_game(&self, at: BoardPath) -> bool {
        self.leads_into(at, self.open()) && matches!(self.due(), Due::Sub(_) | Due::Setup(..))
    }

    /// The refusal of an act on a board on which none is due.
    fn elsewhere(&self, at: BoardPath) -> Box<Breach> {
        if at.outer(self.path().len()) != at && self.path().outer(at.len()) != at {
            let words = format!("no game is played on {}", super::said(&at));
            return Box::new(Breach {
                at,
                ..*self.breach((words, &law::ATTACK), Vec::new())
            });
        }
        self.breach(self.what_is_due(), Vec::new())
    }

    /// What was written on a board.
    fn asked(&self, at: BoardPath, written: Written) -> Result<Asked, Box<Breach>> {
        if self.is_sub_game(at) {
            Ok(Asked::Sub(written))
        } else if self.leads_into(at, self.open() - 1) {
            Ok(Asked::Over(written))
        } else {
            Err(self.elsewhere(at))
        }
    }

    /// Why something that is not a ply cannot be played on a board.
    fn no_ply(&self, at: BoardPath) -> Box<Breach> {
        if !self.is_at(at) {
            return self.elsewhere(at);
        }
        let (words, rule) = match self.end_by_itself() {
            Some(Ruling { cause, outcome, .. }) => (
                format!("the game had ended by {cause} ({outcome})"),
                &common::ENDED,
            ),
            None => (
                "a draw is no ply: it ends the sub-game, or the record".into(),
                &law::SUB_RESULT,
            ),
        };
        self.breach((words, rule), Vec::new())
    }

    /// Whether a block belongs to settling an over-piece, so that nothing is omitted before it.
    fn is_of_settling(
        &self,
        on: overboard_rules::square::Square,
        block: &Block,
        numbered: bool,
    ) -> bool {
        match block {
            Block::Prisoners(_) | Block::Ply(Ply::Prisoners(_) | Ply::Take(_) | Ply::Done) => true,
            Block::Reserve(at, _) | Block::Ply(Ply::Reserve(at, _)) => {
                // A number shows that the over-piece is about to move, so settling is over.
                let level = self.current();
                let is_before_a_move = numbered
                    && level
                        .piece_at(*at)
                        .is_some_and(|there| there.piece.side == level.turn());
                *at == on && self.prisoners_that_fit().is_none() && !is_before_a_move
            }
            Block::SetUp(_) | Block::Seats(_) | Block::Consolidate(..) | Block::Ply(_) => false,
        }
    }
}

impl Game for Over {
    type Options = Agreed;
    /// The contested squares on the path to it.
    type Board = BoardPath;
    /// Each over-game and each sub-game keeps its own history (OV-17).
    type Snapshot = ();
    type Ply = Ply;
    type Block = Block;
    type Effects = Effects;

    fn start(agreed: &Agreed) -> Result<Self, SetupError> {
        match agreed.depth {
            depth @ 1..=DEEPEST => Ok(Self::first(depth, agreed.rules)),
            depth => {
                let words = format!("there is no depth {depth}: depths go from 1 to {DEEPEST}");
                Err(SetupError {
                    words,
                    rule: &law::DEPTH,
                })
            }
        }
    }

    fn options(&self) -> Agreed {
        Agreed {
            depth: self.depth(),
            rules: self.rules(),
        }
    }

    /// In a sub-game the attacker is White; while one is played, its side to move also has the turn on every board
    /// around it.
    fn next_move(&self, at: BoardPath) -> Option<(u32, Side)> {
        if let Some(level) = self.level_at(at) {
            return Some((level.fullmove(), self.actor_in(at.len())));
        }
        if !self.is_sub_game(at) {
            return None;
        }
        match self.due() {
            Due::Setup(_, side) => Some((1, side)),
            _ => {
                let chess = self.current().sub_game()?;
                Some((chess.fullmove(), chess.turn()))
            }
        }
    }

    #[inline]
    fn legal(&self, mut visit: impl FnMut(Ply) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        self.legal_moves(|ply| {
            if flow.is_continue() {
                flow = visit(ply);
            }
        });
        flow
    }

    /// All plies are on one board, that of the act that is due.
    fn legal_on(
        &self,
        at: BoardPath,
        visit: impl FnMut(Ply) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.is_at(at) {
            self.legal(visit)
        } else {
            ControlFlow::Continue(())
        }
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        if self.inner.depth() == 1 {
            return self.inner.game.count_legal();
        }
        let mut count = 0;
        self.legal_moves(|_| count += 1);
        count
    }

    fn find(&self, at: BoardPath, written: &Written) -> Found<Ply> {
        if self.is_at(at) {
            self.inner.game.find(written)
        } else {
            Found::None
        }
    }

    fn resolve(&self, at: BoardPath, said: Said<'_, Self>) -> Result<Vec<Ply>, Box<Breach>> {
        match said {
            Said::Ply(written) => self
                .asked(at, written)
                .and_then(|asked| self.judge(asked))
                .map(|ply| vec![ply]),
            Said::Block(block) if self.is_at(at) || self.leads_into(at, self.open() - 1) => {
                self.run(block)
            }
            Said::Block(_) => Err(self.elsewhere(at)),
            Said::Unreadable if self.is_at(at) && self.count_legal() > 0 => Ok(Vec::new()),
            Said::Unreadable | Said::Draw => Err(self.no_ply(at)),
        }
    }

    fn unsaid(&self, next: Option<Next<'_, Self>>) -> Result<Option<Ply>, Box<Breach>> {
        if !self.may_be_unsaid() {
            return Ok(None);
        }
        let Some(Next { at, said, numbered }) = next else {
            // Settling in the game around a game that is over waits for the end of its block.
            return if self.open() == 1 {
                self.unsaid_settling()
            } else {
                Ok(None)
            };
        };
        let here = self.current_path();
        if at.outer(here.len()) != here {
            return Ok(None);
        }
        match (self.due(), said) {
            (Due::Settling(on), Said::Block(block)) if self.is_of_settling(on, block, numbered) => {
                Ok(None)
            }
            (Due::Settling(_), _) => self.unsaid_settling(),
            (Due::Giving, Said::Block(Block::Ply(Ply::Give(..) | Ply::Hand(..) | Ply::Done))) => {
                Ok(None)
            }
            (Due::Giving, _) => match self.only_gift() {
                None => Err(self.unwritten_gifts()),
                only => Ok(only),
            },
            // A draw, or another result, also ends a sub-game that was not set up.
            (Due::Setup(..), Said::Draw) => Ok(None),
            (Due::Setup(..), Said::Block(block)) if block.is_set_up() => Ok(None),
            (Due::Setup(..), _) if at.outer(self.path().len()) == self.path() => {
                self.unsaid_placing()
            }
            _ => Ok(None),
        }
    }

    /// A ply that is neither a move on an over-board nor one in a sub-game is a block of its own.
    fn spell(&self, ply: Ply) -> (BoardPath, Spelt<Self>) {
        let spelt = match (ply, self.inner.sub_game()) {
            (Ply::Over(m), _) => Spelt::Ply(self.inner.written(m)),
            (Ply::Sub(m), Some(chess)) => Spelt::Ply(chess.written(m)),
            (ply, _) => Spelt::Block(Block::Ply(ply)),
        };
        (self.path(), spelt)
    }

    #[inline]
    fn play(&mut self, ply: Ply) -> Effects {
        self.inner.play(&ply);
        self.go_on()
    }

    fn happen(&mut self, at: BoardPath, event: Happening) -> Option<Effects> {
        match event {
            Happening::Ended(outcome) => {
                let level = at.len().checked_sub(1)?;
                self.sub_game_of(level).filter(|way| *way == at)?;
                Some(self.conclude(level, outcome))
            }
            Happening::Stood(standing_act) if self.is_at(at) => self.stand(standing_act),
            Happening::Stood(_)
            | Happening::Flag(_)
            | Happening::Passed
            | Happening::Stopped
            | Happening::Unjudged => None,
        }
    }

    fn ruling(&self, _: Times<'_, ()>) -> Option<Ruling> {
        self.end_by_itself()
    }

    /// As in regular chess on every board, but for what repeats on an over-board (OV-17).
    fn claims(&self, at: BoardPath, claim: Claim) -> Claims {
        let in_chess = at.len() == usize::from(self.depth());
        Claims::Open(match claim {
            Claim::Repetition if !in_chess => &law::REPETITION,
            Claim::Progress if !in_chess => &law::REGULAR,
            // A sub-game of chess is regular chess (OV-5).
            Claim::Repetition | Claim::Progress => &common::DRAWS,
        })
    }

    fn claimable(&self, at: BoardPath, _: usize) -> Claimable {
        match (self.level_at(at), self.inner.game.sub_game()) {
            (Some(level), _) => level.game.claimable(),
            (None, Some(sub)) if self.is_sub_game(at) => sub.claimable(),
            _ => Claimable::default(),
        }
    }

    /// In a sub-game as in chess; in an over-game by its rule on dead positions.
    fn can_mate(&self, at: BoardPath, side: Side) -> Prospect {
        match self.chess_at(at) {
            Some(chess) => chess.can_mate(side),
            None => Prospect::of(self.level(at.len()).is_none_or(Level::can_win)),
        }
    }

    /// What is due is part of the game, because nothing is compared between over-moves.
    fn key(&self) -> u64 {
        let mut row = WordHasher::new();
        for level in self.levels() {
            level.push_into(&mut row);
        }
        row.hash() as u64
    }

    fn snapshot(&self) {}

    fn is_irreversible(&self, _: Ply) -> bool {
        true
    }
}

impl Level {
    /// Everything that distinguishes positions, except the counters.
    fn push_into(&self, row: &mut WordHasher) {
        let mut wide = |hash: u128| {
            row.push(hash as u64);
            row.push((hash >> 64) as u64);
        };
        wide(self.game.hash());
        if let Some(who) = self.individuals() {
            wide(who.captives.hash());
            wide(who.hand.hash());
            for squares in who.placing.iter().flat_map(|placing| placing.squares) {
                for on in squares {
                    row.push(on.map_or(0, |on| u64::from(on) + 1));
                }
            }
        }
        match &self.game.phase {
            Phase::Over => row.push(0),
            Phase::OverFrom(at) => row.push(1 | u64::from(*at) << 8),
            Phase::Setup(None) => row.push(2),
            Phase::Setup(Some(pieces)) => {
                row.push(3 | u64::from(pieces.pawns) << 8 | u64::from(pieces.officers) << 16);
            }
            Phase::Sub(sub) => {
                row.push(4 ^ sub.chess.repetition_key());
                row.push(sub.promoted);
            }
            Phase::Nested => row.push(5),
            Phase::Settling(parts) => {
                for part in parts.iter().flatten() {
                    row.push(6 | u64::from(part.at) << 8);
                    row.push(part.prisoners.code());
                }
            }
            Phase::Giving(left, last) => {
                row.push(
                    7 | last.map_or(0, |(role, at)| (role as u64 + 1) << 8 | u64::from(at) << 16),
                );
                row.push(left.code());
            }
        }
    }
}
