//! Reads and writes the Forsyth-Edwards Notation of a board of eight by eight, and what FENs of other boards share with
//! it.

use arrayvec::ArrayVec;
use overboard_referee::game::position::FenError;
use overboard_rules::{
    setup::Setup,
    square::{Piece, Role, Side, Square},
};
use std::{
    fmt::{self, Write},
    ops::Range,
};

/// A FEN as read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fen {
    /// The set-up it describes.
    pub setup: Setup,
    /// Whether fields were missing or in a form outside the standard.
    pub lenient: bool,
}

impl Fen {
    /// Reads a FEN of six fields; with four it is accepted as lenient.
    ///
    /// # Errors
    /// What is wrong, and where in the text.
    pub fn parse(text: &str) -> Result<Self, FenError> {
        Self::parse_with(text, in_corners)
    }

    /// The same for castling rights that are written differently.
    ///
    /// # Errors
    /// What is wrong, and where in the text.
    pub(crate) fn parse_with(text: &str, rights: ReadRights) -> Result<Self, FenError> {
        Self::parse_placed(text, placement, rights)
    }

    /// The same for a placement that is written differently.
    ///
    /// # Errors
    /// What is wrong, and where in the text.
    pub(crate) fn parse_placed(
        text: &str,
        mut placement: impl FnMut(&str, &Range<usize>) -> Result<[Option<Piece>; 64], FenError>,
        rights: ReadRights,
    ) -> Result<Self, FenError> {
        let fields = fields(text);
        let mut lenient = !matches!(fields.len(), 6) || text.trim() != text || text.contains("  ");
        if fields.len() < 4 {
            return too_few(text, fields.len());
        }
        if let Some(seventh) = fields.get(6) {
            return fault(
                seventh.clone(),
                "a FEN has six fields, and here is a seventh".into(),
            );
        }
        let counters = [
            "plies since a capture or pawn move",
            "the number of the move",
        ];
        let board = placement(text, &fields[0])?;
        let mut setup = state(text, board, &fields[1..], square_named, counters, rights)?;
        if setup.fullmove == 0 {
            setup.fullmove = 1;
            lenient = true;
        }
        Ok(Self { setup, lenient })
    }
}

/// Reads the fields of a FEN of eight by eight, in order; the counters, whose names are given, may be
/// missing. `named` parses a square.
pub(crate) fn six(
    text: &str,
    fields: &[Range<usize>],
    named: fn(&str) -> Option<Square>,
    counters: [&str; 2],
) -> Result<Setup, FenError> {
    let Some((board, rest)) = fields.split_first() else {
        return too_few(text, 0);
    };
    let board = placement(text, board)?;
    state(text, board, rest, named, counters, in_corners)
}

/// The error for a FEN with too few fields.
fn too_few<T>(text: &str, fields: usize) -> Result<T, FenError> {
    let end = text.len();
    fault(
        end..end,
        format!("a FEN has six fields, and this has {fields}"),
    )
}

/// Castling rights in the order K Q k q, and the files of their rooks.
pub(crate) type Rights = ([bool; 4], [u8; 4]);
/// Reads the castling rights in a field of a FEN, for which the placement may be needed.
pub(crate) type ReadRights =
    fn(&str, &Range<usize>, &[Option<Piece>; 64]) -> Result<Rights, FenError>;

pub(crate) fn in_corners(
    text: &str,
    field: &Range<usize>,
    _: &[Option<Piece>; 64],
) -> Result<Rights, FenError> {
    Ok((castling(text, field)?, Setup::CORNERS))
}

/// Reads the fields after the placement.
fn state(
    text: &str,
    board: [Option<Piece>; 64],
    fields: &[Range<usize>],
    named: fn(&str) -> Option<Square>,
    [halfmove, fullmove]: [&str; 2],
    read_rights: ReadRights,
) -> Result<Setup, FenError> {
    let [side, rights, passing, counters @ ..] = fields else {
        return too_few(text, fields.len() + 1);
    };
    let turn = turn(text, side)?;
    let (castling, rook_files) = read_rights(text, rights, &board)?;
    Ok(Setup {
        board,
        turn,
        castling,
        rook_files,
        en_passant: crossed(text, passing, named)?,
        halfmove: counter(text, counters.first(), 0, halfmove)?,
        fullmove: counter(text, counters.get(1), 1, fullmove)?,
    })
}

/// The square with a name such as `e4`.
pub(crate) fn square_named(text: &str) -> Option<Square> {
    match text.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square::new(file - b'a', rank - b'1')),
        _ => None,
    }
}

/// The items of a list separated by commas; none for `-`.
pub(crate) fn items(text: &str, field: &Range<usize>) -> Result<Vec<Range<usize>>, FenError> {
    let list = &text[field.clone()];
    if list == "-" {
        return Ok(Vec::new());
    }
    let mut at = field.start;
    let mut items = Vec::new();
    for item in list.split(',') {
        if items.len() >= 64 {
            return fault(at..field.end, "there are no more than 64 squares".into());
        }
        items.push(at..at + item.len());
        at += item.len() + 1;
    }
    Ok(items)
}

pub(crate) fn fault<T>(bytes: Range<usize>, what: String) -> Result<T, FenError> {
    Err(FenError { what, bytes })
}

/// Shortens a foreign text to what fits into a message.
pub(crate) fn clip(text: &str) -> String {
    let mut clipped: String = text.chars().take(20).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    clipped
}

/// The fields of a FEN between spaces, the first seven of them.
pub(crate) fn fields(text: &str) -> ArrayVec<Range<usize>, 7> {
    let bytes = text.as_bytes();
    let mut fields = ArrayVec::new();
    let mut at = 0;
    while at < bytes.len() && !fields.is_full() {
        let end = memchr::memchr(b' ', &bytes[at..]).map_or(bytes.len(), |length| at + length);
        if end > at {
            fields.push(at..end);
        }
        at = end + 1;
    }
    fields
}

pub(crate) fn turn(text: &str, field: &Range<usize>) -> Result<Side, FenError> {
    match &text.as_bytes()[field.clone()] {
        b"w" => Ok(Side::White),
        b"b" => Ok(Side::Black),
        _ => {
            let other = clip(&text[field.clone()]);
            fault(
                field.clone(),
                format!("the side to move is `w` or `b`, not `{other}`"),
            )
        }
    }
}

pub(crate) fn placement(text: &str, field: &Range<usize>) -> Result<[Option<Piece>; 64], FenError> {
    let mut board = [None; 64];
    fill(text, field, (8, 8), piece_of_chess, |rank, file, piece| {
        board[rank * 8 + file] = Some(piece);
    })?;
    Ok(board)
}

/// The piece of chess at the start of a text, and its length of one byte.
#[inline]
pub(crate) fn piece_of_chess(text: &[u8]) -> Result<(Piece, usize), &'static str> {
    let piece = text
        .first()
        .and_then(|letter| PIECES_OF_CHESS[usize::from(*letter)]);
    piece
        .map(|piece| (piece, 1))
        .ok_or("a piece (PNBRQK pnbrqk)")
}

/// The pieces of chess by their letters: a table, since a branch on the next piece would be unpredictable.
static PIECES_OF_CHESS: [Option<Piece>; 256] = {
    let mut pieces = [None; 256];
    let mut letters: &[u8] = b"PNBRQK";
    while let [letter, rest @ ..] = letters {
        if let Some(role) = Role::from_letter(*letter) {
            pieces[*letter as usize] = Some(Piece {
                side: Side::White,
                role,
            });
            pieces[letter.to_ascii_lowercase() as usize] = Some(Piece {
                side: Side::Black,
                role,
            });
        }
        letters = rest;
    }
    pieces
};

/// Reads a placement with this many files and ranks: from the last rank down, `/` between ranks, runs of empty squares
/// as numbers. `piece` parses the piece at the start of a text and returns its length in bytes, all of them ASCII, or
/// says what was expected; `put` receives the piece with its rank and file, counted from 0.
#[inline]
pub(crate) fn fill<T>(
    text: &str,
    field: &Range<usize>,
    (files, ranks): (usize, usize),
    piece: impl Fn(&[u8]) -> Result<(T, usize), &'static str>,
    mut put: impl FnMut(usize, usize, T),
) -> Result<(), FenError> {
    let (mut rank, mut file) = (ranks - 1, 0);
    let mut digit_before = false;
    let mut rest = &text.as_bytes()[field.clone()];
    while let Some(byte) = rest.first() {
        let at = field.end - rest.len();
        let is_digit = byte.is_ascii_digit();
        let mut length = 1;
        if *byte == b'/' {
            if file != files {
                return fault(
                    at..at + 1,
                    format!("rank {} has {file} squares, not {files}", rank + 1),
                );
            }
            if rank == 0 {
                return fault(at..at + 1, format!("more than {ranks} ranks"));
            }
            (rank, file) = (rank - 1, 0);
        } else if !is_digit {
            match piece(rest) {
                Ok((piece, bytes)) => {
                    if file < files {
                        put(rank, file, piece);
                    }
                    file += 1;
                    length = bytes;
                }
                Err(expected) => return no_piece(text, at, expected, files),
            }
        } else if digit_before {
            return fault(at..at + 1, "two numbers of empty squares in a row".into());
        } else if let Some((empty, bytes)) = run(rest, files) {
            file += empty;
            length = bytes;
        } else {
            return no_piece(text, at, piece(rest).err().unwrap_or_default(), files);
        }
        if file > files {
            return fault(
                at..at + length,
                format!("rank {} has more than {files} squares", rank + 1),
            );
        }
        digit_before = is_digit;
        rest = rest.get(length..).unwrap_or_default();
    }
    if rank > 0 || file != files {
        return fault(
            field.clone(),
            format!(
                "the placement stops at rank {} after {file} squares; it has {ranks} ranks of {files}",
                rank + 1
            ),
        );
    }
    Ok(())
}

/// The error where neither a piece nor a number begins.
#[cold]
fn no_piece<T>(text: &str, at: usize, expected: &str, files: usize) -> Result<T, FenError> {
    let letter = text[at..].chars().next().unwrap_or_default();
    let what = format!("`{letter}` is neither {expected} nor a number from 1 to {files}");
    fault(at..at + letter.len_utf8(), what)
}

/// The run of empty squares at the start of a text, and its length in bytes.
#[inline]
fn run(text: &[u8], files: usize) -> Option<(usize, usize)> {
    let value = |digit: &u8| digit.is_ascii_digit().then(|| usize::from(digit - b'0'));
    let first = text.first().and_then(value)?;
    let second = if files >= 10 {
        text.get(1).and_then(value)
    } else {
        None
    };
    let (empty, length) = second.map_or((first, 1), |second| (10 * first + second, 2));
    (first > 0 && empty <= files).then_some((empty, length))
}

/// The side whose castling right one is, in the order of [`RIGHTS`].
pub(crate) const fn side_of_right(right: usize) -> Side {
    if right < 2 { Side::White } else { Side::Black }
}

/// The letters of a field, each with its bytes.
pub(crate) fn letters(
    text: &str,
    field: &Range<usize>,
) -> impl Iterator<Item = (Range<usize>, char)> {
    let start = field.start;
    let letters = text[field.clone()].char_indices();
    letters.map(move |(index, letter)| {
        let at = start + index;
        (at..at + letter.len_utf8(), letter)
    })
}

pub(crate) fn castling(text: &str, field: &Range<usize>) -> Result<[bool; 4], FenError> {
    let mut rights = [false; 4];
    if &text[field.clone()] == "-" {
        return Ok(rights);
    }
    for (here, letter) in letters(text, field) {
        match "KQkq".find(letter) {
            Some(right) if !rights[right] => rights[right] = true,
            Some(_) => return fault(here, format!("castling right `{letter}` occurs twice")),
            None => {
                return fault(
                    here,
                    format!("castling rights are `-` or some of `KQkq`, and this is `{letter}`"),
                );
            }
        }
    }
    Ok(rights)
}

pub(crate) fn crossed(
    text: &str,
    field: &Range<usize>,
    named: fn(&str) -> Option<Square>,
) -> Result<Option<Square>, FenError> {
    match (&text[field.clone()], named(&text[field.clone()])) {
        ("-", _) => Ok(None),
        (_, Some(on)) if matches!(on.rank, 2 | 5) => Ok(Some(on)),
        (other, _) => {
            let what = format!(
                "the en passant square is `-` or on the third or sixth rank, not `{}`",
                clip(other)
            );
            fault(field.clone(), what)
        }
    }
}

/// The number in a field, or `otherwise` where the field is missing.
pub(crate) fn counter(
    text: &str,
    field: Option<&Range<usize>>,
    otherwise: u32,
    name: &str,
) -> Result<u32, FenError> {
    let Some(field) = field else {
        return Ok(otherwise);
    };
    let digits = &text[field.clone()];
    if digits.bytes().all(|b| b.is_ascii_digit())
        && digits.len() <= 9
        && let Ok(number) = digits.parse()
    {
        return Ok(number);
    }
    fault(
        field.clone(),
        format!(
            "{name} is a number below 1,000,000,000, not `{}`",
            clip(digits)
        ),
    )
}

/// A set-up written as FEN.
pub struct AsFen<'a>(pub &'a Setup);

impl fmt::Display for AsFen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_setup(f, self.0, RIGHTS)
    }
}

/// The letters of the castling rights in order, for rights that are unambiguous.
pub(crate) const RIGHTS: [char; 4] = ['K', 'Q', 'k', 'q'];

/// Writes a set-up with these letters for castling rights.
pub(crate) fn write_setup(f: &mut impl Write, setup: &Setup, letters: [char; 4]) -> fmt::Result {
    for rank in (0..8).rev() {
        let squares = setup.board[rank * 8..rank * 8 + 8].iter().copied();
        write_rank(f, squares, |f, piece| f.write_char(piece.letter()))?;
        f.write_str(if rank > 0 { "/" } else { "" })?;
    }
    write_rest(f, setup, letters)
}

/// Writes all that follows the placement of a set-up.
pub(crate) fn write_rest(f: &mut impl Write, setup: &Setup, letters: [char; 4]) -> fmt::Result {
    write_state(f, setup.turn, setup.castling, letters, setup.en_passant)?;
    f.write_char(' ')?;
    write_number(f, setup.halfmove)?;
    f.write_char(' ')?;
    write_number(f, setup.fullmove)
}

/// Writes the side to move, castling rights with these letters, and the en passant square.
pub(crate) fn write_state(
    f: &mut (impl Write + ?Sized),
    turn: Side,
    castling: [bool; 4],
    letters: [char; 4],
    en_passant: Option<impl fmt::Display>,
) -> fmt::Result {
    f.write_str(if turn == Side::White { " w " } else { " b " })?;
    if castling == [false; 4] {
        f.write_str("-")?;
    }
    for (letter, right) in letters.into_iter().zip(castling) {
        if right {
            f.write_char(letter)?;
        }
    }
    match en_passant {
        Some(square) => write!(f, " {square}"),
        None => f.write_str(" -"),
    }
}

/// Writes a rank, runs of empty squares as numbers.
pub(crate) fn write_rank<T>(
    f: &mut impl Write,
    rank: impl IntoIterator<Item = Option<T>>,
    mut piece: impl FnMut(&mut dyn Write, T) -> fmt::Result,
) -> fmt::Result {
    let mut empty = 0;
    for there in rank {
        match there {
            None => empty += 1,
            Some(there) => {
                if empty > 0 {
                    write_number(f, empty)?;
                }
                empty = 0;
                piece(f, there)?;
            }
        }
    }
    if empty > 0 {
        write_number(f, empty)
    } else {
        Ok(())
    }
}

/// Writes a number. In a FEN it usually has one or two digits, for which this avoids the cost of `fmt`.
pub(crate) fn write_number(f: &mut (impl Write + ?Sized), number: u32) -> fmt::Result {
    match number {
        0..10 => f.write_char(char::from(b'0' + number as u8)),
        10..100 => {
            f.write_char(char::from(b'0' + (number / 10) as u8))?;
            f.write_char(char::from(b'0' + (number % 10) as u8))
        }
        _ => write!(f, "{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 12 40",
            "8/8/4k3/8/8/3K4/8/8 b - - 99 150",
        ] {
            assert_eq!(AsFen(&Fen::parse(text).unwrap().setup).to_string(), text);
        }
    }

    #[test]
    fn faults_point_at_their_bytes() {
        for (text, bytes) in [
            (
                "rnbqkbnr/ppppXppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                13..14,
            ),
            (
                "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                18..19,
            ),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", 0..34),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
                44..45,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkX - 0 1",
                49..50,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e4 0 1",
                51..53,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 100000000000000000000",
                55..76,
            ),
            (
                "rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                19..20,
            ),
        ] {
            assert_eq!(Fen::parse(text).unwrap_err().bytes, bytes, "{text}");
        }
    }
}
