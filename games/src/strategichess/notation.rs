//! How positions and moves of StrategiChess on one board are written.

use crate::{
    fen::{
        clip, counter, fault, fields, fill, letters, piece_of_chess, turn, write_number, write_rank,
    },
    one_board::notation::BoardNotation,
    strategichess::{
        Move, Strategi,
        board::Board,
        laws as law,
        squares::{self, SquareSet, number_of, square_at},
    },
};
use overboard_formats::san::{self, Alphabet, MoveText, push_square};
use overboard_referee::game::{
    listing::SpeltPly,
    position::{Doubt, FenError, PositionError, ReadPosition},
};
use overboard_rules::{
    rule::Rule,
    square::{Role, Side},
    variant::VariantInfo,
};
use std::{
    fmt::{self, Write},
    ops::Range,
};

impl BoardNotation for Strategi {
    const IN_ORDER: bool = true;
    const INFO: &'static VariantInfo = &super::linked::INFO;
    const ALPHABET: Alphabet = san::STRATEGI;
    const SET_UP: &'static Rule = &law::ARRAY;
    const FEN_FORM: &'static str = "a FEN of StrategiChess has five fields with one space between them: placement, side to move, files of the pawns that have never moved (White's in capitals, then Black's) or `-`, plies since the last capture, number of the move";
    const ROADS: &'static [u8] = &[0, 1, 6, 7, 12, 13];

    /// Reads `placement side unmoved halfmove fullmove`. Missing counters, files in any order, and the six fields of
    /// chess programs are accepted as lenient.
    fn read(fen: &str) -> Result<ReadPosition<Self>, PositionError> {
        if let Some(seam) = memchr::memchr(b'|', fen.as_bytes()) {
            let boards = fen.split('|').count();
            let what = format!(
                "this is the position of {boards} linked boards, which the tag Boards has to name"
            );
            return Err(FenError {
                what,
                bytes: seam..seam + 1,
            }
            .into());
        }
        let (position, doubts) = read_unchecked(fen)?
            .possible()
            .map_err(PositionError::Impossible)?;
        // A valid placement has only one form, so only what comes after it needs to be compared.
        let placement = memchr::memchr(b' ', fen.as_bytes()).unwrap_or_default();
        let mut written = Matching(&fen.as_bytes()[placement..]);
        let is_canonical = write_rest(&position, &mut written).is_ok() && written.0.is_empty();
        Ok(ReadPosition {
            position,
            lenient: !is_canonical || placement == 0,
            doubts: Doubt::on("", doubts),
        })
    }

    fn write_fen(&self, out: &mut impl Write) -> fmt::Result {
        for rank in (0..14).rev() {
            let pieces = (0..14).map(|file| self.board.piece_at(number_of(rank, file)));
            write_rank(out, pieces, |out, piece| out.write_char(piece.letter()))?;
            out.write_str(if rank > 0 { "/" } else { "" })?;
        }
        write_rest(self, out)
    }

    fn coordinates(&self, m: Move) -> MoveText {
        let mut text = MoveText::new();
        push_square(&mut text, m.from());
        push_square(&mut text, m.to());
        text
    }

    fn for_each_spelt(&self, visit: &mut impl FnMut(SpeltPly<'_>)) {
        self.spell_in_order(visit);
    }
}

/// Writes what comes after the placement.
fn write_rest(position: &Strategi, out: &mut impl Write) -> fmt::Result {
    out.write_str(if position.turn == Side::White {
        " w "
    } else {
        " b "
    })?;
    write_unmoved(position, out)?;
    out.write_char(' ')?;
    write_number(out, position.halfmove)?;
    out.write_char(' ')?;
    write_number(out, position.fullmove)
}

/// The rest of a text that is being compared with what is written; any difference is an error.
struct Matching<'a>(&'a [u8]);

impl Write for Matching<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(text.as_bytes()).ok_or(fmt::Error)?;
        Ok(())
    }

    /// Nearly everything is written character by character.
    fn write_char(&mut self, letter: char) -> fmt::Result {
        match self.0 {
            [first, rest @ ..] if char::from(*first) == letter => {
                self.0 = rest;
                Ok(())
            }
            _ => Err(fmt::Error),
        }
    }
}

fn write_unmoved(position: &Strategi, out: &mut impl Write) -> fmt::Result {
    let mut none = true;
    for (side, first) in [(Side::White, b'A'), (Side::Black, b'a')] {
        for square in position.board.marked(side) {
            out.write_char(char::from(first + square_at(square).file))?;
            none = false;
        }
    }
    if none { out.write_char('-') } else { Ok(()) }
}

/// Reads a position that may be impossible.
///
/// # Errors
/// What is wrong, and where in the text.
pub(super) fn read_unchecked(text: &str) -> Result<Strategi, FenError> {
    let fields = fields(text);
    let [placement, side, unmoved, rest @ ..] = &fields[..] else {
        let what = [
            "the placement",
            "the side to move",
            "the field of pawns that have never moved",
        ];
        return fault(
            text.len()..text.len(),
            format!("{} is missing", what[fields.len()]),
        );
    };
    // Chess programs write fields for castling and en passant there, and none for unmoved pawns.
    let (unmoved, rest) = match rest {
        [passing, rest @ ..] if is_dash(text, unmoved) && is_dash(text, passing) => (None, rest),
        rest => (Some(unmoved), rest),
    };
    if let Some(sixth) = rest.get(2) {
        return fault(
            sixth.clone(),
            "a FEN of this game has five fields, and here is a sixth".into(),
        );
    }
    let turn = turn(text, side)?;
    let mut board = Board::default();
    fill(
        text,
        placement,
        (14, 14),
        piece_of_chess,
        |rank, file, piece| {
            board.put(number_of(rank, file), piece);
        },
    )?;
    let marks = unmoved.map_or_else(|| Ok(at_home(&board)), |field| never_moved(text, field))?;
    board.mark(marks);
    let halfmove = counter(text, rest.first(), 0, "plies since a capture")?;
    let fullmove = counter(text, rest.get(1), 1, "the number of the move")?.max(1);
    Ok(Strategi {
        board,
        turn,
        halfmove,
        fullmove,
    })
}

fn is_dash(text: &str, field: &Range<usize>) -> bool {
    text.as_bytes()[field.clone()] == *b"-"
}

/// The pawns on their home squares.
fn at_home(board: &Board) -> SquareSet {
    let of = |side| board.of_kind(Role::Pawn, side) & SquareSet::pawn_rank(side);
    of(Side::White) | of(Side::Black)
}

/// The home squares of the pawns that have never moved, by their files, White's in upper case.
fn never_moved(text: &str, field: &Range<usize>) -> Result<SquareSet, FenError> {
    let mut unmoved = SquareSet::EMPTY;
    if is_dash(text, field) {
        return Ok(unmoved);
    }
    for (here, letter) in letters(text, field) {
        let square = match letter {
            'A'..='N' => squares::first_square(Side::White, letter as u8 - b'A'),
            'a'..='n' => squares::first_square(Side::Black, letter as u8 - b'a'),
            _ => {
                let shown = clip(&text[here.clone()]);
                let what = format!(
                    "pawns that have never moved are `-` or files (A to N, a to n), not `{shown}`"
                );
                return fault(here, what);
            }
        };
        let before = unmoved;
        unmoved = squares::index(square).map_or(before, |square| before.with(square));
        if unmoved == before {
            return fault(here, format!("the file `{letter}` occurs twice"));
        }
    }
    Ok(unmoved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use overboard_formats::san::{San, SanError, Spelt, Suffix};
    use overboard_rules::position::{Found, Movegen as _};

    const START: &str = "14/14/rnbbnrqkrnbbnr/pppppppppppppp/14/14/14/14/14/14/PPPPPPPPPPPPPP/RNBBNRQKRNBBNR/14/14 w ABCDEFGHIJKLMNabcdefghijklmn 0 1";

    fn bare(kings: &str, rest: &str) -> String {
        format!("14/14/14/{kings}/14/14/14/14/14/14/14/14/14/14 {rest}")
    }

    #[test]
    fn what_is_read_is_written_again() {
        assert_eq!(Strategi::default().fen(), START);
        for text in [
            START,
            "14/14/4r2k6/ppp1pppppppppp/14/14/14/2P11/14/14/PP1PPPPPPPPPPP/RNBBNRQKRNBBNR/14/14 b ABDNacn 17 42",
            "9k4/14/14/14/14/14/14/14/14/14/14/4P5R3/3K10/14 w - 149 120",
        ] {
            let ReadPosition {
                position, lenient, ..
            } = Strategi::read(text).unwrap();
            assert_eq!((position.fen(), lenient), (text.to_string(), false));
        }
    }

    #[test]
    fn other_forms_are_forgiven() {
        for (text, canonical) in [
            (
                START.replace("nabcdefghijklmn 0 1", "nabcdefghijklmn"),
                START,
            ),
            (
                START.replace(
                    "ABCDEFGHIJKLMNabcdefghijklmn",
                    "nmlkjihgfedcbaNMLKJIHGFEDCBA",
                ),
                START,
            ),
            (START.replace(" 0 1", " 0 0"), START),
            (START.replace(" w ", "  w "), START),
        ] {
            let ReadPosition {
                position, lenient, ..
            } = Strategi::read(&text).unwrap();
            assert_eq!(
                (position.fen().as_str(), lenient),
                (canonical, text != canonical)
            );
        }
    }

    #[test]
    fn faults_point_at_their_bytes() {
        for (text, bytes) in [
            (String::new(), 0..0),
            (bare("K12k", ""), 44..44),
            (bare("K12k", "w"), 45..45),
            (bare("K12k", "x - 0 1"), 44..45),
            (bare("K13k", "w - 0 1"), 12..13),
            (bare("K12S", "w - 0 1"), 12..13),
            (bare("K012", "w - 0 1"), 10..11),
            (bare("K12k", "w AbO 0 1"), 48..49),
            (bare("K12k", "w AA 0 1"), 47..48),
            (bare("K12k", "w - x 1"), 48..49),
            (bare("K12k", "w - 0 1 1"), 52..53),
        ] {
            match Strategi::read(&text) {
                Err(PositionError::Text(fault)) => {
                    assert_eq!(fault.bytes, bytes, "{text}: {fault}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn the_six_fields_of_chess_programs_are_forgiven() {
        let text = START.replace("ABCDEFGHIJKLMNabcdefghijklmn", "- -");
        assert_eq!(
            Strategi::read(&text).unwrap(),
            ReadPosition::of(Strategi::default(), true)
        );
        let moved = text
            .replace("/PPPPPPPPPPPPPP/", "/1PPPPPPPPPPPPP/")
            .replace("pp/14", "pp/P13");
        assert!(
            Strategi::read(&moved)
                .unwrap()
                .position
                .fen()
                .contains(" BCDEFGHIJKLMNabcdefghijklmn 0 1")
        );
    }

    #[test]
    fn marks_need_their_pawns() {
        for marks in ["A", "a", "An"] {
            let text = START
                .replace("pp/14", "pp/p13")
                .replace("RNBBNRQKRNBBNR/14", "RNBBNRQKRNBBNR/P13");
            let text = text
                .replace("/pppppppppppppp", "/1ppppppppppppp")
                .replace("/PPPPPPPPPPPPPP", "/1PPPPPPPPPPPPP");
            let text = text.replace("ABCDEFGHIJKLMNabcdefghijklmn", marks);
            assert!(
                matches!(Strategi::read(&text), Err(PositionError::Impossible(_))),
                "{text}"
            );
        }
    }

    fn read(text: &str) -> Result<String, SanError> {
        San::parse(text.as_bytes(), &san::STRATEGI).map(|san| Spelt(san.written).to_string())
    }

    #[test]
    fn moves_of_pawns_are_read_with_any_part_of_their_origin() {
        for text in [
            "g7", "fg7", "8g7", "g8g7", "12g13", "a10b11", "gxh8", "g7xh8", "Nd10", "N14d12",
            "bxc5", "kj7", "Qg10xg14",
        ] {
            assert_eq!(read(text).as_deref(), Ok(text));
        }
        for (text, fault) in [
            ("15g7", SanError::NoSquare),
            ("g15", SanError::NoSquare),
            ("0g7", SanError::NoSquare),
            ("8", SanError::NoArrival),
            ("8x", SanError::NoArrival),
            ("8g", SanError::NoArrival),
            ("o7", SanError::NoMove),
            ("Sg7", SanError::NoMove),
            ("P@g7", SanError::Drop),
            ("Rxa5/B", SanError::Beside),
        ] {
            assert_eq!(read(text), Err(fault), "{text}");
        }
    }

    #[test]
    fn every_move_is_read_as_it_is_written() {
        let mut position = Strategi::default();
        let mut state = 11_usize;
        for _ in 0..400 {
            let moves = position.moves_in_order();
            for m in &moves {
                let text = position.san(*m);
                let san = San::parse(text.as_bytes(), &Strategi::ALPHABET).unwrap();
                assert_eq!(
                    (position.find(&san.written), san.leniency),
                    (Found::One(*m), None),
                    "{text}"
                );
                assert_eq!(position.at(&position.coordinates(*m)), Some(*m));
            }
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            let Some(m) = moves.get((state >> 33) % moves.len().max(1)) else {
                break;
            };
            position.play(*m);
            assert_eq!(
                Strategi::read(&position.fen()).unwrap(),
                ReadPosition::of(position.clone(), false)
            );
        }
    }

    #[test]
    fn coordinates_and_roads_are_shown() {
        let start = Strategi::default();
        let triple = start.at("e4e7").unwrap();
        assert_eq!(
            (start.san(triple).as_str(), start.after(triple).suffix()),
            ("e7", Suffix::None)
        );
        assert_eq!(start.panel().roads, [0, 1, 6, 7, 12, 13]);
    }
}
