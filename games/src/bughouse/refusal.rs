//! Why a ply of Bughouse is refused, and by which rule.

use super::{Bughouse, DropLaw, LinkedBoard, Ply, laws as law, legal::Forbidden};
use overboard_rules::{
    game::Refusal,
    general as common,
    ply::{BoardName, Written},
    position::{Found, Movegen as _},
    refusal::{self, Reason},
    rule::Rule,
};

impl Bughouse {
    /// Why a written ply is not legal on a board.
    pub(super) fn refuse(&self, board: usize, written: &Written) -> Box<Refusal<Self>> {
        if let Some(refusal) = self.against_any_ply(board) {
            return refusal;
        }
        let here = &self.boards[board];
        if *written == Written::Pass {
            let words = "nobody passes: a player who does not move waits";
            return Self::because(board, words, &law::OWN_TURNS);
        }
        if let Found::One(made) = here.find(written)
            && let Some(forbidden) = self.forbidden(board, made)
        {
            return Self::because(board, self.in_words(forbidden), &law::OPTIONS);
        }
        let refusal = refusal::Refusal::by_geometry(here, written);
        let rule = match refusal.reason() {
            Reason::NotInHand(_) => &law::PARTNER,
            _ => refusal.rule(),
        };
        let possible = refusal.possible(here).into_iter();
        let possible = possible.map(|made| Ply { board, made });
        Box::new(Refusal {
            words: refusal.to_string(),
            rule,
            at: LinkedBoard::of(board),
            possible: possible
                .filter(|ply| self.forbidden(board, ply.made).is_none())
                .collect(),
        })
    }

    /// Why nothing at all can be played on a board.
    pub(super) fn against_any_ply(&self, board: usize) -> Option<Box<Refusal<Self>>> {
        if !self.is_over() {
            return None;
        }
        let ended = self.ended?;
        let words = format!("the match had ended by {} ({})", ended.cause, ended.outcome);
        Some(Self::because(board, words, &common::ENDED))
    }

    /// A refusal that offers nothing else.
    pub(super) fn because(
        board: usize,
        words: impl Into<String>,
        rule: &'static Rule,
    ) -> Box<Refusal<Self>> {
        Box::new(Refusal::new(words, rule, LinkedBoard::of(board)))
    }

    /// Why an unreadable text is no ply, if there is nothing that it could have been.
    pub(super) fn against_unreadable(&self, board: usize) -> Option<Box<Refusal<Self>>> {
        self.against_any_ply(board).or_else(|| {
            let waits = (!self.may_hold_more && !self.has_ply(board)).then(|| {
                format!(
                    "there is no legal ply on board {}: its player waits",
                    BoardName(board)
                )
            })?;
            Some(Self::because(board, waits, &law::MATCH_END))
        })
    }

    fn in_words(&self, forbidden: Forbidden) -> String {
        match forbidden {
            Forbidden::PawnRank => format!(
                "pawns may be dropped only on the ranks {}, as their player counts",
                self.agreed.pawns
            ),
            Forbidden::Gives(DropLaw::NoCheck) => "a drop may not give check".into(),
            Forbidden::Gives(DropLaw::NoChessMate) => {
                "a drop may not give what is mate if no piece is dropped in answer".into()
            }
            Forbidden::Gives(DropLaw::NoBughouseMate | DropLaw::Any) => {
                "a drop may not mate".into()
            }
        }
    }
}
