//! [`OneBoard`]: a [`Game`] made from any [`Position`] on one board.

use overboard_rules::{
    game::{Claim, Claimable, Game, Happening, Only, Refusal, Said, Spelt},
    general as common,
    outcome::{Prospect, Ruling},
    ply::Written,
    position::{Claims, Found, Position},
    refusal,
    repetition::Times,
    setup::SetupError,
    square::Side,
};
use std::{convert::Infallible, ops::ControlFlow};

/// A position of a game on one board, as a [`Game`]: its plies are the position's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OneBoard<P>(pub P);

impl<P: Position> OneBoard<P> {
    /// The refusal of an entry that is not a move; it suggests all legal moves.
    fn no_ply(&self, words: &str) -> Box<Refusal<Self>> {
        Box::new(match self.0.end_by_itself() {
            Some(Ruling { cause, outcome, .. }) => {
                let words = format!("the game ended by {cause} ({outcome})");
                Refusal::new(words, &common::ENDED, Only)
            }
            None => Refusal {
                possible: self.0.moves_in_order(),
                ..Refusal::new(words, P::TURN, Only)
            },
        })
    }
}

impl<P: Position> Game for OneBoard<P> {
    type Options = P::Options;
    type Board = Only;
    type Snapshot = P::Snapshot;
    type Ply = P::Move;
    type Block = Infallible;
    type Effects = ();

    fn start(options: &P::Options) -> Result<Self, SetupError> {
        Ok(Self(P::default().under(options)))
    }

    fn options(&self) -> P::Options {
        self.0.options()
    }

    #[inline]
    fn next_move(&self, Only: Only) -> Option<(u32, Side)> {
        Some((self.0.fullmove(), self.0.turn()))
    }

    #[inline]
    fn legal(&self, mut visit: impl FnMut(P::Move) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        self.0.legal_moves(|m| {
            if flow.is_continue() {
                flow = visit(m);
            }
        });
        flow
    }

    #[inline]
    fn legal_on(
        &self,
        Only: Only,
        visit: impl FnMut(P::Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.legal(visit)
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        self.0.count_legal()
    }

    #[inline]
    fn find(&self, Only: Only, written: &Written) -> Found<P::Move> {
        self.0.find(written)
    }

    fn resolve(
        &self,
        Only: Only,
        said: Said<'_, Self>,
    ) -> Result<Vec<P::Move>, Box<Refusal<Self>>> {
        match said {
            Said::Ply(written) => match self.0.find(&written) {
                Found::One(m) => Ok(vec![m]),
                Found::None | Found::Several => {
                    Err(match refusal::Refusal::of(&self.0, &written) {
                        Some(refusal) => Box::new(Refusal {
                            words: refusal.to_string(),
                            rule: refusal.rule(),
                            at: Only,
                            possible: refusal.possible(&self.0),
                        }),
                        None => self.no_ply("this is not a legal move"),
                    })
                }
            },
            Said::Block(block) => match *block {},
            Said::Draw => Err(self.no_ply("a draw is no move: it ends the record")),
            Said::Unreadable if self.0.has_legal_move() => Ok(Vec::new()),
            Said::Unreadable => Err(self.no_ply("there is no legal move")),
        }
    }

    fn spell(&self, ply: P::Move) -> (Only, Spelt<Self>) {
        (Only, Spelt::Ply(self.0.written(ply)))
    }

    #[inline]
    fn play(&mut self, ply: P::Move) {
        self.0.play(ply);
    }

    fn happen(&mut self, Only: Only, event: Happening) -> Option<()> {
        self.0 = match event {
            Happening::Passed => self.0.passed()?,
            Happening::Stood(standing_act) => self.0.stood(standing_act)?,
            Happening::Flag(_) | Happening::Ended(_) | Happening::Stopped | Happening::Unjudged => {
                return None;
            }
        };
        Some(())
    }

    #[inline]
    fn ruling(&self, times: Times<'_, P::Snapshot>) -> Option<Ruling> {
        if !times.has_plies && !self.0.has_legal_move() {
            return self.0.end_by_itself();
        }
        let by_record = self.0.end_by_record(times.now, times.since);
        by_record.or_else(|| self.0.end_by_deadlock(times.look))
    }

    fn claims(&self, Only: Only, claim: Claim) -> Claims {
        match claim {
            Claim::Repetition => P::CLAIMS,
            Claim::Progress => P::COUNTED_CLAIMS,
        }
    }

    #[inline]
    fn claimable(&self, Only: Only, times: usize) -> Claimable {
        self.0.claimable(times)
    }

    fn can_mate(&self, Only: Only, side: Side) -> Prospect {
        self.0.can_mate(side)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.0.repetition_key()
    }

    #[inline]
    fn snapshot(&self) -> P::Snapshot {
        self.0.snapshot()
    }

    #[inline]
    fn is_irreversible(&self, ply: P::Move) -> bool {
        self.0.is_irreversible(ply)
    }
}
