//! How positions and moves of `MetaChess` #4 are written.

use crate::{
    board8::{
        attacks::{SquareSet, index, square_at},
        board::PROMOTIONS,
    },
    fen::{Fen, RIGHTS, fill, in_corners, write_rank, write_state},
    metachess::{CORNERS, Meta, Move, board::Board, laws as law, rooks},
    one_board::notation::BoardNotation,
};
use overboard_formats::san::{self, Alphabet, MoveText, push_square};
use overboard_pictures::diagram::{Cell, DrawnPiece};
use overboard_referee::game::position::{Doubt, FenError, PositionError, ReadPosition};
use overboard_rules::{
    rule::Rule,
    square::{Piece, Role, Square},
    variant::{Cecp, Extension, Sign, SignKind, Spelling, VariantInfo},
};
use std::{
    fmt::{self, Write},
    ops::Range,
};

/// What is drawn on its boards.
static SIGNS: [Sign; 1] = [Sign::new(
    SignKind::Stack,
    "The upper piece rides the lower one, its carrier. A carrier does nothing, and a piece is captured only on its own level.",
    &super::laws::CARRIER,
)];

/// The registry entry of `MetaChess` #4.
pub static INFO: VariantInfo = VariantInfo {
    name: "MetaChess #4",
    in_words: "MetaChess #4",
    intro: "Chess on two levels: a piece may climb on top of another and ride it.",
    signs: &SIGNS,
    spellings: &Spelling::all(["metachess #4", "metachess", "metachess 4"]),
    arguments: &["metachess"],
    cecp: Some(Cecp {
        name: "metachess",
        castles_in_letters: false,
        setup: &[],
        edit: None,
    }),
    pages: &[&super::laws::PAGE],
    laws: super::laws::LAWS,
    extensions: &[Extension::Above],
    ..VariantInfo::BASE
};

impl BoardNotation for Meta {
    const INFO: &'static VariantInfo = &INFO;
    const ALPHABET: Alphabet = san::META;
    const SET_UP: &'static Rule = &law::SET_UP;
    const FEN_FORM: &'static str = "a FEN of MetaChess is one of chess in which `(Pn)` is a carrier and its rider: six fields with one space between them, the last from 1 on";
    const PROMOTIONS: &'static [Role] = &PROMOTIONS;

    /// Reads a FEN of chess with stacks such as `(Pn)`. Missing counters and irregular spaces are accepted as lenient.
    fn read(fen: &str) -> Result<ReadPosition<Self>, PositionError> {
        let read = read_unchecked(fen)?;
        let (position, doubts) = read.possible().map_err(PositionError::Impossible)?;
        let mut written = String::new();
        // The crossed square may be named although no capture is legal there.
        let lenient = position.write(position.crossed, &mut written).is_err() || written != fen;
        Ok(ReadPosition {
            position,
            lenient,
            doubts: Doubt::on("", doubts),
        })
    }

    /// Its en passant square is only written if a capture is legal.
    fn write_fen(&self, out: &mut impl Write) -> fmt::Result {
        self.write(self.en_passant(), out)
    }

    /// `c1d2^` if the move ends on the second level.
    fn coordinates(&self, m: Move) -> MoveText {
        let mut text = MoveText::new();
        push_square(&mut text, m.from());
        push_square(&mut text, m.to());
        if let Some(role) = m.promotion() {
            text.push(role.letter().to_ascii_lowercase());
        }
        if m.is_above() {
            text.push('^');
        }
        text
    }

    fn cell(&self, square: Square) -> Cell {
        match (self.carrier_at(square), self.rider_at(square)) {
            (Some(carrier), Some(rider)) => Cell::Stack { carrier, rider },
            (Some(piece), None) => Cell::Piece(DrawnPiece::of(piece)),
            (None, _) => Cell::Empty,
        }
    }
}

impl Meta {
    /// Writes the FEN with an en passant square, given as a set.
    fn write(&self, en_passant: u64, out: &mut impl Write) -> fmt::Result {
        let (ground, above) = (&self.board.ground, &self.board.above);
        for rank in (0..8).rev() {
            let squares = rank * 8..rank * 8 + 8;
            let stacks = squares.map(|at| Some((ground.piece_at(at)?, above.piece_at(at))));
            write_rank(out, stacks, write_stack)?;
            out.write_str(if rank > 0 { "/" } else { "" })?;
        }
        let castling = CORNERS.map(|corner| self.rights >> corner & 1 == 1);
        let crossed = SquareSet(en_passant).map(square_at).next();
        write_state(out, self.turn, castling, RIGHTS, crossed)?;
        write!(out, " {} {}", self.halfmove, self.fullmove)
    }
}

fn write_stack(out: &mut dyn Write, (piece, rider): (Piece, Option<Piece>)) -> fmt::Result {
    match rider {
        Some(rider) => write!(out, "({}{})", piece.letter(), rider.letter()),
        None => out.write_char(piece.letter()),
    }
}

/// The position that a FEN describes, be it possible or not.
fn read_unchecked(text: &str) -> Result<Meta, FenError> {
    let mut board = Board::default();
    let placed = |text: &str, field: &Range<usize>| {
        fill(
            text,
            field,
            (8, 8),
            stack,
            |rank, file, (carrier, rider)| {
                board.put(1 << (rank * 8 + file), carrier, rider);
            },
        )?;
        // Nothing is left over for the set-up: one of chess has no second level.
        Ok([None; 64])
    };
    let Fen { setup, .. } = Fen::parse_placed(text, placed, in_corners)?;
    let crossed = setup.en_passant.and_then(index);
    Ok(Meta {
        board,
        rights: rooks(setup.castling),
        crossed: crossed.map_or(0, |square| 1 << square),
        turn: setup.turn,
        halfmove: setup.halfmove,
        fullmove: setup.fullmove,
    })
}

/// The piece at the start of a text, with its rider, and their length in bytes: `P`, or `(Pn)`.
fn stack(text: &[u8]) -> Result<((Piece, Option<Piece>), usize), &'static str> {
    const EXPECTED: &str = "a piece (PNBRQK pnbrqk), a carrier with its rider such as `(Pn)`";
    let piece = |letter: u8| {
        Piece::from_letter(letter)
            .filter(|piece| !matches!(piece.role, Role::Silver | Role::Gold))
            .ok_or(EXPECTED)
    };
    match text {
        [b'(', carrier, rider, b')', ..] => Ok(((piece(*carrier)?, Some(piece(*rider)?)), 4)),
        [letter, ..] => Ok(((piece(*letter)?, None), 1)),
        [] => Err(EXPECTED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::one_board::OneBoard;
    use overboard_formats::san::{San, Spelt};
    use overboard_rules::perft::perft;

    #[test]
    fn what_is_read_is_written_again() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bqk2r/ppp2ppp/3p4/4p3/2B(Pn)P3/2(PN)2N2/(PQ)P3P(Pb)P/R1B2(RK)2 w kq - 3 12",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
            "(qK)7/8/8/8/8/8/8/7(Qk) b - - 99 150",
        ] {
            let ReadPosition {
                position, lenient, ..
            } = Meta::read(text).unwrap();
            assert_eq!((position.fen(), lenient), (text.to_string(), false));
        }
    }

    #[test]
    fn other_forms_are_forgiven() {
        for (text, canonical) in [
            ("4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            (
                "4k3/8/8/8/8/8/8/4K3 w  - - 0 0",
                "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            ),
            (
                "4k3/8/8/8/8/8/8/R3K2R w QK - 0 1",
                "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            ),
        ] {
            let ReadPosition {
                position, lenient, ..
            } = Meta::read(text).unwrap();
            assert_eq!((position.fen().as_str(), lenient), (canonical, true));
        }
    }

    #[test]
    fn faults_point_at_their_bytes() {
        for (text, bytes) in [
            ("", 0..0),
            ("4k3/8/8/8/8/8/8/4K3 w", 21..21),
            ("4k3/8/8/8/8/8/8/4K3(Pn) w - - 0 1", 19..23),
            ("4k3/8/8/8/8/8/(Pn/4K3 w - - 0 1", 14..15),
            ("4k3/8/8/8/8/8/(PnB)7/4K3 w - - 0 1", 14..15),
            ("4k3/8/8/8/8/8/(P)7/4K3 w - - 0 1", 14..15),
            ("4k3/8/8/8/8/8/(Gn)7/4K3 w - - 0 1", 14..15),
            ("4k3/8/8/8/8/8/(Pé)7/4K3 w - - 0 1", 14..15),
            ("4k3/8/8/8/8/8/8/4K3 w KX - 0 1", 23..24),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 7", 30..31),
        ] {
            match Meta::read(text) {
                Err(PositionError::Text(fault)) => {
                    assert_eq!(fault.bytes, bytes, "{text}: {fault}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for text in [
            "4k3/8/8/8/8/8/(NP)7/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4(KN)3 w - - 0 1",
            "4(kN)3/8/8/8/8/8/8/4K3 w - - 0 1",
            "8/8/8/8/8/8/(Nk)7/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/(Pn)3K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4(RK)2R w K - 0 1",
            "4k3/8/8/3(pN)P3/8/8/8/4K3 w - d6 0 2",
            "8/8/8/8/8/8/8/8 w - - 0 1",
        ] {
            assert!(
                matches!(Meta::read(text), Err(PositionError::Impossible(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn levels_stand_in_moves() {
        let written = |text: &str| {
            San::parse(text.as_bytes(), &Meta::ALPHABET).map(|san| Spelt(san.written).to_string())
        };
        for text in [
            "Nd2", "Nd2^", "Nxd5^", "Nbd2^", "R1xa3^", "e4", "exd5", "e8=Q", "O-O",
        ] {
            assert_eq!(written(text).as_deref(), Ok(text));
        }
        let start = Meta::default();
        let climb = start.at("b1d2^").unwrap();
        assert_eq!(
            (start.san(climb).as_str(), start.coordinates(climb).as_str()),
            ("Nd2^", "b1d2^")
        );
        assert_eq!(start.at("b1d2"), None);
        assert_eq!(perft(&OneBoard(start), 2), 1_519);
    }
}
