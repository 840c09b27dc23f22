//! `edit`, by which an engine that speaks CECP without `setboard` is given a position.
//!
//! It places pieces and no more. By the protocol, the side to move stays what it was, whoever has king and rook at home
//! may castle, nothing can be captured en passant, and moves without progress are counted from 0. [`edited`] finds
//! moves that bring about the rest where a move can, and refuses what remains.

use crate::{
    chess::{ChessBy, ChessLaws},
    fen::side_of_right,
    one_board::notation::BoardNotation as _,
};
use overboard_rules::{
    position::Movegen as _,
    setup::Setup,
    square::{Piece, Role, Side, Square},
    variant::Edit,
};
use std::fmt::Write as _;

/// White's first move, after which Black is to move. `black` would say so, too, but few engines ever understood it.
const WHITE_HAS_MOVED: &str = "a2a3";

/// How a position reaches an engine, given as FEN.
///
/// ```
/// use overboard_games::registry::Variant;
///
/// let edit = Variant::Chess.info().cecp.and_then(|cecp| cecp.edit).unwrap();
/// let ending = edit("8/8/4k3/8/8/3K4/4P3/8 b - - 0 1").unwrap();
/// assert_eq!(ending.before, Some("a2a3"));
/// assert_eq!(ending.lines, "edit\n#\nPe2\nKd3\nc\nKe6\n.\n");
/// let lost = edit("4k3/8/8/8/8/8/8/4K2R w - - 0 1").unwrap_err();
/// assert_eq!(lost, "White may not castle with the rook on h1 any more, which `edit` cannot say");
/// ```
///
/// # Errors
/// What cannot be said of it by `edit`, in words.
pub fn edited<L: ChessLaws>(fen: &str) -> Result<Edit, String> {
    let wanted = ChessBy::<L>::read(fen)
        .map_err(|why| why.to_string())?
        .position
        .to_setup();
    for right in 0..4 {
        castles::<L>(&wanted, right)?;
    }
    if wanted.halfmove > 0 {
        return Err(format!(
            "there have been {} plies without progress, and `edit` begins to count them at 0",
            wanted.halfmove
        ));
    }
    let (edited, after) = match wanted.en_passant {
        Some(behind) => stepped_back::<L>(&wanted, behind)?,
        None => (wanted, None),
    };
    let before = match edited.turn {
        Side::White => None,
        Side::Black => Some(WHITE_HAS_MOVED),
    };
    Ok(Edit {
        before,
        lines: lines(&edited),
        after,
    })
}

/// Checks that whoever has king and rook at home may indeed castle with them.
fn castles<L: ChessLaws>(setup: &Setup, right: usize) -> Result<(), String> {
    let (side, is_kings) = (side_of_right(right), right.is_multiple_of(2));
    let rank = if side == Side::White { 0 } else { 7 };
    let holds =
        |role, file: &u8| setup.piece_at(Square::new(*file, rank)) == Some(Piece { side, role });
    let Some(king) = (0..8).find(|file| holds(Role::King, file)) else {
        return Ok(());
    };
    let mut rooks = Vec::new();
    for file in 0..8 {
        let may_castle = L::SHUFFLED || (king == 4 && file == Setup::CORNERS[right]);
        if may_castle && holds(Role::Rook, &file) && (file > king) == is_kings {
            rooks.push(file);
        }
    }
    match rooks[..] {
        [] => Ok(()),
        [_] if setup.castling[right] => Ok(()),
        [file] => {
            let square = Square::new(file, rank);
            Err(format!(
                "{side} may not castle with the rook on {square} any more, which `edit` cannot say"
            ))
        }
        _ => Err(format!(
            "{side} has more than one rook on one side of the king, and `edit` cannot say with which {side} may castle"
        )),
    }
}

/// The position before the double step that allows capturing en passant, and that step.
fn stepped_back<L: ChessLaws>(
    wanted: &Setup,
    behind: Square,
) -> Result<(Setup, Option<String>), String> {
    let mover = wanted.turn.other();
    let (from, to) = if mover == Side::White { (1, 3) } else { (6, 4) };
    let index = |rank: u8| usize::from(rank) * 8 + usize::from(behind.file);
    let mut edited = Setup {
        turn: mover,
        en_passant: None,
        ..wanted.clone()
    };
    edited.board.swap(index(from), index(to));
    let step = format!(
        "{}{}",
        Square::new(behind.file, from),
        Square::new(behind.file, to)
    );
    if !leads_to::<L>(&edited, &step, wanted) {
        return Err(format!(
            "no double step leads to it, so that `edit` cannot say that {behind} is open to an en passant capture"
        ));
    }
    Ok((edited, Some(step)))
}

/// Whether a move leads from one position to another, whatever the number of the next.
fn leads_to<L: ChessLaws>(from: &Setup, step: &str, wanted: &Setup) -> bool {
    let Ok(mut position) = ChessBy::<L>::from_setup(from) else {
        return false;
    };
    let Some(m) = position.at(step) else {
        return false;
    };
    position.play(m);
    let reached = Setup {
        fullmove: wanted.fullmove,
        ..position.to_setup()
    };
    reached == *wanted
}

/// The lines that place the pieces: White's, then Black's.
fn lines(setup: &Setup) -> String {
    let mut lines = String::from("edit\n#\n");
    for side in Side::BOTH {
        for (square, piece) in (0..).zip(setup.board) {
            if let Some(piece) = piece
                && piece.side == side
            {
                let _ = writeln!(
                    lines,
                    "{}{}",
                    piece.role.letter(),
                    Square::new(square % 8, square / 8)
                );
            }
        }
        lines.push_str(if side == Side::White { "c\n" } else { ".\n" });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Orthodox;

    #[test]
    fn a_double_step_is_made_where_it_may_be_answered_en_passant() {
        let set_up = |fen| edited::<Orthodox>(fen).unwrap();
        let white = set_up("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 7");
        assert_eq!(
            (white.before, white.after.as_deref()),
            (Some("a2a3"), Some("d7d5"))
        );
        assert!(
            white.lines.contains("Pd7\n") && !white.lines.contains("Pd5\n"),
            "{}",
            white.lines
        );
        let black = set_up("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 7");
        assert_eq!((black.before, black.after.as_deref()), (None, Some("e2e4")));
        // Nothing can capture it, so that nothing needs to be said.
        let idle = set_up("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 7");
        assert_eq!((idle.before, idle.after), (Some("a2a3"), None));
    }

    #[test]
    fn what_cannot_be_said_is_refused() {
        for (fen, why) in [
            (
                "r3k2r/8/8/8/8/8/8/4K3 b k - 0 1",
                "Black may not castle with the rook on a8",
            ),
            ("4k3/8/8/8/8/8/8/4K3 b - - 5 9", "5 plies without progress"),
        ] {
            let refused = edited::<Orthodox>(fen).unwrap_err();
            assert!(refused.contains(why), "{fen}: {refused}");
        }
        // Away from home neither can castle.
        assert!(edited::<Orthodox>("7k/8/8/8/8/8/8/2K1R3 w - - 0 1").is_ok());
    }
}
