//! Numbers of moves, as findings and moments write them.

use overboard_formats::canonical::after_move;
use overboard_rules::square::Side;

/// Where judging stops: before the next move, or after it if it is the move that was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unjudged {
    /// Before it.
    ThisMove,
    /// After it.
    NextMove,
}

/// The moment at which a move with this number and side is due; without one, the first moment.
#[must_use]
pub fn moment_before(due: Option<(u32, Side)>) -> String {
    match due {
        Some((number, Side::Black)) => after_move(number, Side::White),
        Some((number @ 2.., Side::White)) => after_move(number - 1, Side::Black),
        Some((_, Side::White)) | None => "start".into(),
    }
}

/// The number and side of the move after one.
#[must_use]
pub const fn number_after((number, side): (u32, Side)) -> (u32, Side) {
    match side {
        Side::White => (number, Side::Black),
        Side::Black => (number.saturating_add(1), Side::White),
    }
}

/// `12.` for White, `12...` for Black.
#[must_use]
pub fn number_of(number: u32, side: Side) -> String {
    let dots = if side == Side::White { "." } else { "..." };
    format!("{number}{dots}")
}
