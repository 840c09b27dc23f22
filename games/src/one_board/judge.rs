//! What is special about records of games on one board: almost nothing.

use crate::{
    chess::{self, laws as regular},
    one_board::{OneBoard, play::BoardValues},
};
use overboard_formats::{
    canonical::Canonical,
    san::{Alphabet, Suffix},
};
use overboard_pictures::diagram::Panel;
use overboard_referee::{
    game::{judge::Judge, notation::Read},
    referee::Referee,
};
use overboard_rules::{
    game::Only,
    origin::only_origin,
    outcome::Cause,
    path::BoardPath,
    ply::{Pattern, Written},
    rule::Rule,
    square::{Role, Square},
};

impl<P: BoardValues> Judge for OneBoard<P> {
    type Open = ();
    type Own = ();
    type Memo = ();

    const ALPHABET: &'static Alphabet = &P::ALPHABET;
    const SET_UP: &'static Rule = P::SET_UP;
    const END: &'static Rule = &regular::AGREED_END;
    const REPEATS: bool = true;
    const PASSES: bool = true;

    fn read_fen((): &(), fen: &str) -> Read<Self> {
        P::read(fen).map(|read| read.map(Self))
    }

    fn form((): &()) -> &'static str {
        P::FEN_FORM
    }

    fn panel(&self, Only: Only) -> Option<Panel> {
        Some(self.0.panel())
    }

    fn is_in_check(&self, Only: Only) -> bool {
        self.0.in_check()
    }

    fn origin(&self, Only: Only, pattern: &Pattern) -> Option<Square> {
        only_origin(&self.0, pattern)
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

    #[inline]
    fn memo(&self, _: P::Move) {}

    /// Whether a check is mate shows at the next ply, so it is not computed here.
    #[inline]
    fn sign(referee: &Referee<Self>, _: P::Move, (): (), (): &()) -> Suffix {
        if referee.latest().0.in_check() {
            Suffix::Check
        } else {
            Suffix::None
        }
    }

    fn settled(&self, sign: Suffix) -> Suffix {
        if sign == Suffix::Check && !self.0.has_legal_move() {
            Suffix::Mate
        } else {
            sign
        }
    }

    fn hint(written: &Written) -> &'static str {
        if P::INFO == &chess::INFO && signals_result(written) {
            " (electronic boards signal a result with the kings on the centre squares)"
        } else {
            ""
        }
    }

    fn progress(&self, Only: Only) -> (Cause, String) {
        (
            Cause::FiftyMoveClaim,
            format!("{} plies without {}", self.0.halfmove(), P::PROGRESS),
        )
    }
}

fn signals_result(written: &Written) -> bool {
    let centre = |square: Square| matches!((square.file, square.rank), (3 | 4, 3 | 4));
    matches!(written, Written::Move(pattern) if pattern.role == Role::King && centre(pattern.to))
}
