//! Whether the players of a team can do what their captain asks.

use crate::strategichess::linked::{Linked, order::Order};
use overboard_referee::record_state::players::Players;
use overboard_rules::square::{Piece, Role, Side, Square};

/// Why the instruction of a side's captain cannot be carried out; `boards` is the position, if it is known.
pub fn against(
    players: &Players,
    order: &Order,
    side: Side,
    boards: Option<&Linked>,
) -> Option<String> {
    let (own, other) = (players.team(side), players.team(side.other()));
    let order = order.clone().among(&[own, other]);
    order.unfit(own, other).or_else(|| {
        let sender = players
            .team(side)
            .iter()
            .position(|name| *name == order.sender)?;
        let held: Vec<_> = players.held_with(side, sender).collect();
        let boards = boards?;
        let has = |role: Role| {
            held.iter()
                .map(|board| boards.count_pieces(*board, side, role))
                .sum()
        };
        let stands = |role: Role, on: Square| {
            held.iter()
                .any(|board| boards.piece_at(*board, on) == Some(Piece { side, role }))
        };
        order.lacking(has, stands)
    })
}
