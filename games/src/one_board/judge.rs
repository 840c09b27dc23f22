//! What is special about records of games on one board: almost nothing.

use crate::{
    chess::laws as regular,
    mega::laws as mega,
    one_board::{OneBoard, notation::BoardNotation, play::BoardValues},
};
use overboard_formats::{
    canonical::Canonical,
    san::{Alphabet, Suffix},
};
use overboard_pictures::diagram::Panel;
use overboard_referee::{game::judge::Judge, referee::Referee};
use overboard_rules::{
    game::Only,
    origin::{likely_origins, standing_acts_from},
    path::BoardPath,
    ply::{Pattern, StandingAct},
    rule::Rule,
    square::{Role, Side},
};

/// What an illegal move may have done on a board.
pub(crate) fn standing_acts<P: BoardNotation>(position: &P, pattern: &Pattern) -> Vec<StandingAct> {
    let last = match position.turn() {
        Side::White => P::ALPHABET.ranks - 1,
        Side::Black => 0,
    };
    let arrives = pattern.role == Role::Pawn && pattern.to.rank == last;
    let becomes = if arrives { P::PROMOTIONS } else { &[] };
    standing_acts_from(&likely_origins(position, pattern), pattern, becomes)
}

impl<P: BoardValues> Judge for OneBoard<P> {
    type Open = ();
    type Own = ();

    const ALPHABET: &'static Alphabet = &P::ALPHABET;
    const SET_UP: &'static Rule = P::SET_UP;
    const END: &'static Rule = &regular::AGREED_END;
    const REPEATS: bool = true;
    const MATES_LATE: bool = true;
    const PASSES: bool = true;
    const PASSED_OVER: &'static Rule = &mega::FREE_TURNS;

    fn form(_: &P::Options) -> &'static str {
        P::FEN_FORM
    }

    fn panel(&self, Only: Only) -> Option<Panel> {
        Some(self.0.panel())
    }

    fn standing_acts(&self, Only: Only, pattern: &Pattern) -> Vec<StandingAct> {
        standing_acts(&self.0, pattern)
    }

    #[inline]
    fn captures(&self, m: P::Move) -> bool {
        self.0.captures(m)
    }

    fn canonical(&self, m: P::Move) -> Canonical {
        let position = &self.0;
        Canonical {
            written: position.written(m),
            suffix: Suffix::None,
            side: position.turn(),
            number: position.fullmove(),
            coordinates: position.coordinates(m),
            act: Some(position.act(m)),
            board: None,
            path: BoardPath::OUTERMOST,
        }
    }

    /// Whether a check is mate shows at the next ply, so it is not computed here.
    #[inline]
    fn sign(referee: &Referee<Self>, _: P::Move, (): &()) -> Suffix {
        if referee.latest().0.in_check() {
            Suffix::Check
        } else {
            Suffix::None
        }
    }
}
