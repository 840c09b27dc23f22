//! Linked boards on which much can cross, and how their positions are compared. The unit tests of sheets use them, too.

use crate::chance::Chance;
use overboard_games::strategichess::linked::{self, Edition, Linked};
use overboard_rules::square::{Piece, Role, Side};

/// Any pieces on a board, `a1` first, then along the ranks.
pub type Placed = [Option<Piece>; 196];

/// The FEN of a board on which every pawn has moved.
pub fn fen(placed: &Placed, turn: Side, halfmove: usize) -> String {
    let mut ranks = Vec::new();
    for rank in placed.rchunks(14) {
        let letters = rank.iter().map(|piece| piece.map_or('.', Piece::letter));
        ranks.push(String::from_iter(letters));
    }
    let mut placement = ranks.join("/");
    for run in (1..=14).rev() {
        placement = placement.replace(&".".repeat(run), &run.to_string());
    }
    let side = if turn == Side::White { 'w' } else { 'b' };
    format!("{placement} {side} - {halfmove} 1")
}

/// Boards with a king of each side and some pieces near their edges.
pub fn boards(count: usize, edition: Edition, chance: &mut Chance) -> Linked {
    const MEN: [Role; 5] = [
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Queen,
        Role::Pawn,
    ];
    loop {
        // Now and then the kings are about to be counted (SC-28).
        let quiet = if chance.below(5) == 0 {
            144 + chance.below(5)
        } else {
            0
        };
        let fens: Vec<_> = (0..count)
            .map(|_| {
                let mut placed = [None; 196];
                let mut put = |file: usize, rank: usize, side, role| {
                    placed[rank * 14 + file] = Some(Piece { side, role });
                };
                for side in Side::BOTH {
                    for _ in 0..5 {
                        let file = if chance.below(3) == 0 {
                            chance.below(14)
                        } else {
                            chance.pick(&[0, 13, 1, 12]).unwrap()
                        };
                        put(file, 3 + chance.below(8), side, chance.pick(&MEN).unwrap());
                    }
                    if chance.below(6) > 0 {
                        let near = if chance.below(4) == 0 {
                            chance.pick(&[0, 1, 12, 13]).unwrap()
                        } else {
                            4 + chance.below(6)
                        };
                        put(
                            near,
                            if side == Side::White {
                                chance.below(3)
                            } else {
                                11 + chance.below(3)
                            },
                            side,
                            Role::King,
                        );
                    }
                }
                let halfmove = quiet + chance.below(1 + quiet / 72);
                let turn = if chance.below(2) == 0 {
                    Side::White
                } else {
                    Side::Black
                };
                fen(&placed, turn, halfmove)
            })
            .collect();
        if let Ok(linked::Reading { linked, .. }) = linked::read(&fens.join("|"), edition)
            && linked.end_by_itself().is_none()
        {
            return linked;
        }
    }
}

/// A position as text: everything but the plies since a capture.
pub fn seen(position: &Linked) -> String {
    let fen = linked::fen(position);
    let boards = fen.split(linked::SEAM).map(|board| {
        let fields: Vec<_> = board
            .split(' ')
            .enumerate()
            .filter(|(at, _)| *at != 3)
            .map(|(_, field)| field)
            .collect();
        fields.join(" ")
    });
    let ended = position.end_by_itself().map(|end| end.cause.to_string());
    boards.chain(ended).collect::<Vec<_>>().join("|")
}
