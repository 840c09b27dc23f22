//! Records of games on one board.

use super::{OneBoard, notation::BoardNotation};
use overboard_formats::san::Spelt;
use overboard_referee::game::record::{Movetext, Record};
use overboard_rules::{
    game::{Happening, Only, Step},
    ply::{StandingAct, Wing},
    square::{Side, Square},
};
use std::fmt::Write;

impl<P: BoardNotation> Record for OneBoard<P> {
    type Movetext = Moves;

    fn board_named(&self, name: &str) -> Option<Only> {
        name.is_empty().then_some(Only)
    }

    fn standing_act(&self, _: Option<Only>, words: &[u8]) -> Option<StandingAct> {
        P::ALPHABET.standing_act(words)
    }

    fn castling_of(&self, from: Square, to: Square) -> Option<Wing> {
        self.0.castling_of(from, to)
    }
}

/// Numbered moves, one on each line.
#[derive(Clone, Default, Debug)]
pub struct Moves {
    text: String,
    /// Whether a comment precedes the next move.
    interrupted: bool,
}

impl<P: BoardNotation> Movetext<OneBoard<P>> for Moves {
    fn take(
        &mut self,
        step: &Step<OneBoard<P>>,
        OneBoard(before): &OneBoard<P>,
        OneBoard(after): &OneBoard<P>,
        (): &(),
        remarks: &str,
    ) {
        let text = match *step {
            Step::Ply(m) => format!(
                "{}{}",
                Spelt(before.written(m)).text(),
                after.suffix().as_str()
            ),
            Step::Event(_, Happening::Stood(_)) => String::new(),
            Step::Event(..) => return,
        };
        let interrupted = std::mem::replace(&mut self.interrupted, !remarks.is_empty());
        let follows = !self.text.is_empty() && !interrupted;
        // Writing to a `String` cannot fail.
        let _ = match before.turn() {
            Side::White => write!(self.text, "{}. ", before.fullmove()),
            Side::Black if !follows => write!(self.text, "{}... ", before.fullmove()),
            Side::Black => Ok(()),
        };
        let _ = writeln!(self.text, "{text}{remarks}");
    }

    fn finish(self, _: &OneBoard<P>) -> String {
        self.text
    }
}
