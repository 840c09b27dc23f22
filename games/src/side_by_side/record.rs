//! Boards side by side in records and lines of coordinates.

use super::{LinkedBoard, SideBySide};
use overboard_formats::{canonical::board_number, san, san::board_index};
use overboard_referee::game::record::Movetext;
use overboard_rules::{
    game::{Game, Happening, Spelt, Step},
    square::Side,
};
use std::fmt::Write;

/// What coordinates mean: a ply, or a fallen flag such as `flag W:A`.
pub(crate) fn at<G: SideBySide>(game: &G, coordinates: &str) -> Option<Step<G>> {
    let Some(fallen) = coordinates.strip_prefix("flag ") else {
        return game.by_coordinates(coordinates).map(Step::Ply);
    };
    let (side, board) = fallen.split_once(':')?;
    let side = Side::BOTH
        .into_iter()
        .find(|known| letter(*known) == side)?;
    let at = game.board_named(board)?;
    if at == LinkedBoard::All {
        return None;
    }
    let event = Happening::Flag(side);
    game.clone().happen(at, event)?;
    Some(Step::Event(at, event))
}

/// A step in coordinates. A fallen flag is `flag W:A`; so is anything with the same consequence.
pub(crate) fn in_line<G: SideBySide>(game: &G, step: &Step<G>) -> String {
    match step {
        Step::Ply(ply) => game.coordinates(*ply).to_string(),
        Step::Event(at, Happening::Flag(side)) => format!("flag {}:{at}", letter(*side)),
        Step::Event(..) => String::new(),
    }
}

/// The board with this name; an empty one is that of all together.
pub(crate) fn board_named<G: SideBySide>(game: &G, name: &str) -> Option<LinkedBoard> {
    if name.is_empty() {
        return Some(LinkedBoard::All);
    }
    let at = LinkedBoard::One(board_index(name.as_bytes())?);
    at.index(game.boards())?;
    Some(at)
}

const fn letter(side: Side) -> &'static str {
    match side {
        Side::White => "W",
        Side::Black => "B",
    }
}

/// Plies with their numbers and boards, one on each line.
#[derive(Clone, Default, Debug)]
pub struct Plies(String);

impl<G: SideBySide> Movetext<G> for Plies {
    fn take(
        &mut self,
        step: &Step<G>,
        before: &G,
        after: &G,
        _: &<G as Game>::Effects,
        remarks: &str,
    ) {
        let (board, ply) = match *step {
            Step::Ply(ply) => (before.spell(ply).0, Some(ply)),
            Step::Event(at, Happening::Stood(_)) => (at, None),
            Step::Event(at, Happening::Flag(fallen)) => {
                // Writing to a `String` cannot fail.
                let _ = writeln!(self.0, "{{[%flag {}:{at}]}}{remarks}", letter(fallen));
                return;
            }
            Step::Event(..) => return,
        };
        let (LinkedBoard::One(index), Some((number, side))) = (board, before.next_move(board))
        else {
            return;
        };
        // Writing to a `String` cannot fail.
        let _ = write!(self.0, "{} ", board_number(index, number, side));
        if let Some(ply) = ply
            && let Spelt::Ply(written) = before.spell(ply).1
        {
            self.0.push_str(&san::Spelt(written).text());
            self.0.push_str(before.sign_of(ply, after).as_str());
        }
        self.0.push_str(remarks);
        self.0.push('\n');
    }

    /// A fallen flag is written as a remark, with the remarks after it.
    fn leave_out(&mut self, _: &Step<G>, _: &G, _: &G, _: &<G as Game>::Effects) {}

    fn close(&mut self, remarks: &str, _: Option<(&str, &str)>) {
        self.0.push_str(remarks);
        self.0.push('\n');
    }

    fn finish(self, _: &G) -> String {
        self.0
    }
}
