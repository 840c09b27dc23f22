//! Ends, repetition and claims of orthodox chess.

use super::ChessBy;
use super::ChessLaws;
use super::Move;
use super::Snapshot;
use super::color_to;
use crate::chess::laws as law;
use overboard_rules::{
    general as common, hash,
    outcome::{Cause, Outcome, Ruling},
    position::{Claims, DrawLaw, Movegen},
    square::Side,
};
use shakmaty::Position as _;

impl<L: ChessLaws> DrawLaw for ChessBy<L> {
    type Snapshot = Snapshot;

    const CLAIMS: Claims = Claims::Open(&common::DRAWS);

    const PROGRESS: &'static str = "capture or pawn move";

    #[inline]
    fn is_irreversible(&self, Move(m): Move) -> bool {
        match m {
            shakmaty::Move::Normal {
                role: shakmaty::Role::Pawn,
                ..
            }
            | shakmaty::Move::Normal {
                capture: Some(_), ..
            } => true,
            shakmaty::Move::Normal { role, from, .. } => self.loses_rights(role, from),
            _ => true,
        }
    }

    fn end_by_itself(&self) -> Option<Ruling> {
        if !self.has_legal_move() {
            return Some(if self.in_check() {
                Ruling {
                    outcome: Outcome::Win(self.turn().other()),
                    cause: Cause::Checkmate,
                    rule: &law::MATE,
                }
            } else {
                Ruling {
                    outcome: Outcome::Draw,
                    cause: Cause::Stalemate,
                    rule: &law::STALEMATE,
                }
            });
        }
        let draw = |cause| {
            Some(Ruling {
                outcome: Outcome::Draw,
                cause,
                rule: &common::DRAWS,
            })
        };
        if self.is_dead() {
            draw(Cause::DeadPosition)
        } else if self.halfmove() >= 150 {
            draw(Cause::SeventyFiveMoves)
        } else {
            None
        }
    }

    fn can_mate(&self, side: Side) -> bool {
        !self.position.has_insufficient_material(color_to(side))
    }

    #[inline]
    fn repetition_key(&self) -> u64 {
        let Snapshot {
            planes: [white, ones, twos, fours],
            beside,
        } = self.snapshot();
        hash::pair(white, ones) ^ hash::pair(twos, fours ^ beside.rotate_left(32))
    }

    #[inline]
    fn snapshot(&self) -> Snapshot {
        let board = self.position.board();
        let kinds = [
            board.pawns() | board.bishops() | board.queens(),
            board.knights() | board.bishops() | board.kings(),
            board.rooks() | board.queens() | board.kings(),
        ];
        let [ones, twos, fours] = kinds;
        let planes = [board.white(), ones, twos, fours].map(u64::from);
        Snapshot {
            planes,
            beside: self.beside_the_board(),
        }
    }

    #[inline]
    fn end_by_record(&self, times: usize, _: &[Snapshot]) -> Option<Ruling> {
        let drawn = times >= 5 || self.halfmove() >= 150 || self.is_dead();
        let fivefold = Ruling {
            outcome: Outcome::Draw,
            cause: Cause::Fivefold,
            rule: &common::DRAWS,
        };
        if drawn {
            self.end_by_itself().or(Some(fivefold))
        } else {
            None
        }
    }

    #[inline]
    fn claimable(&self, times: usize) -> [bool; 2] {
        [times >= 3, self.halfmove() >= 100]
    }
}
