//! Names of Chess960, and how its positions are written.
//!
//! The castling rights of a FEN are read in both forms in use. In Shredder-FEN each right is the file of its rook,
//! `HAha`. In X-FEN it is `K`, `Q`, `k` or `q` as in chess, which means the outermost rook on that side of the king; a
//! file is used only for a rook that has another one further out. X-FEN is written: it looks like chess wherever it
//! can, and loses nothing.

use super::{ARRAYS, Chess960, Shuffled, array, laws as law};
use crate::{
    cecp_edit::edited,
    chess::ChessLaws,
    fen::{RIGHTS, ReadRights, Rights, fault, letters, side_of_right},
};
use overboard_referee::game::position::FenError;
use overboard_rules::{
    refusal::Reason,
    rule::Rule,
    setup::Setup,
    square::{Piece, Role, Side},
    variant::{Cecp, ChessWithin, Spelling, Starts, UciSwitch, VariantInfo},
};
use std::{ops::Range, sync::LazyLock};

/// The registry entry of Chess960.
pub static INFO: VariantInfo = VariantInfo {
    name: "Chess960",
    is_under_fide: true,
    in_words: "Chess960",
    intro: "Chess in which the pieces behind the pawns start in an order drawn by lot.",
    spellings: &Spelling::all([
        "chess960",
        "chess 960",
        "chess-960",
        "chess9lx",
        "chess 9lx",
        "960",
        "fischerandom",
        "fischerandom chess",
        "fischer random",
        "fischer random chess",
        "fischerrandom",
        "fischer-random",
        "frc",
        "freestyle",
        "freestyle chess",
    ]),
    arguments: &["chess960"],
    // Its records are PGN, which chess programs can read.
    chess_within: ChessWithin::Itself,
    cecp: Some(Cecp {
        name: "fischerandom",
        castles_in_letters: true,
        setup: &[],
        edit: Some(edited::<Shuffled>),
    }),
    uci: Some(UciSwitch {
        option: "UCI_Chess960",
        of: "chess",
    }),
    starts: Some(Starts {
        count: ARRAYS,
        fen: |number| array(number).unwrap_or_default(),
    }),
    pages: &[&law::PAGE],
    laws: law::LAWS,
    changes: &crate::chess::laws::CHANGES,
    ..VariantInfo::BASE
};

impl ChessLaws for Shuffled {
    const INFO: &'static VariantInfo = &INFO;
    const SHUFFLED: bool = true;
    const SET_UP: &'static Rule = &law::SET_UP;
    const FEN_FORM: &'static str = "a FEN of Chess960 has six fields with one space between them, the last from 1 on; castling rights are `KQkq` or the files of their rooks, such as `HAha`; other programs do not read a number alone";

    fn castling(reason: &Reason) -> &'static Rule {
        match reason {
            Reason::NoCastlingRight(_) => &law::RIGHT,
            Reason::CastlingBlocked(_) => &law::ROOM,
            Reason::CastlingAttacked(..) => &law::SAFETY,
            _ => &law::CASTLING,
        }
    }

    /// The initial position of orthodox chess, unless the record gives another one (C9-2).
    fn first() -> &'static Chess960 {
        static FIRST: LazyLock<Chess960> = LazyLock::new(Chess960::orthodox);
        &FIRST
    }

    const READ_RIGHTS: ReadRights = rights;

    /// A number alone means the initial position with that number.
    fn short_for(fen: &str) -> Result<Option<String>, FenError> {
        let text = fen.trim();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(None);
        }
        match text.parse().ok().and_then(array) {
            Some(array) => Ok(Some(array)),
            None => fault(
                0..fen.len(),
                format!(
                    "the starting positions have numbers from 0 to {}",
                    ARRAYS - 1
                ),
            ),
        }
    }

    fn rights(setup: &Setup) -> [char; 4] {
        std::array::from_fn(|right| letter(setup, right))
    }
}

/// The piece on a file of a side's first rank.
fn at_home(board: &[Option<Piece>; 64], side: Side, file: u8) -> Option<Role> {
    let rank = if side == Side::White { 0 } else { 7 };
    let piece = board[rank * 8 + usize::from(file)]?;
    if piece.side != side {
        return None;
    }
    Some(piece.role)
}

/// The files on a right's side of the king, from the corner inwards.
fn outward(right: usize, king: u8) -> impl Iterator<Item = u8> {
    let is_kings = right.is_multiple_of(2);
    (0..8)
        .map(move |nth| if is_kings { 7 - nth } else { nth })
        .take_while(move |file| *file != king)
}

/// The file of a side's king on its first rank.
fn king(board: &[Option<Piece>; 64], side: Side) -> Option<u8> {
    (0..8).find(|file| at_home(board, side, *file) == Some(Role::King))
}

/// The file of the outermost rook on a right's side of the king.
fn outermost(board: &[Option<Piece>; 64], right: usize) -> Option<u8> {
    let side = side_of_right(right);
    let mut files = outward(right, king(board, side)?);
    files.find(|file| at_home(board, side, *file) == Some(Role::Rook))
}

/// How a right is written: as in chess, or as the file of its rook if another one is further out.
fn letter(setup: &Setup, right: usize) -> char {
    let own = setup.rook_files[right];
    if outermost(&setup.board, right) == Some(own) {
        return RIGHTS[right];
    }
    let letter = char::from(b'a' + own);
    match side_of_right(right) {
        Side::White => letter.to_ascii_uppercase(),
        Side::Black => letter,
    }
}

/// The right that a letter gives, and the file of its rook.
fn given(letter: char, board: &[Option<Piece>; 64]) -> Option<(usize, u8)> {
    if let Some(right) = RIGHTS.iter().position(|known| *known == letter) {
        let rook = outermost(board, right).unwrap_or(Setup::CORNERS[right]);
        return Some((right, rook));
    }
    let side = match letter {
        'A'..='H' => Side::White,
        'a'..='h' => Side::Black,
        _ => return None,
    };
    let rook = letter.to_ascii_lowercase() as u8 - b'a';
    let is_queens = rook < king(board, side).unwrap_or(4);
    Some((side as usize * 2 + usize::from(is_queens), rook))
}

/// Reads castling rights in either form. A right for which no king or rook is there gets the corner: no position has
/// such a set-up, so it is refused later.
fn rights(
    text: &str,
    field: &Range<usize>,
    board: &[Option<Piece>; 64],
) -> Result<Rights, FenError> {
    let (mut castling, mut rook_files) = ([false; 4], Setup::CORNERS);
    if &text[field.clone()] == "-" {
        return Ok((castling, rook_files));
    }
    for (here, letter) in letters(text, field) {
        let Some((right, file)) = given(letter, board) else {
            let what = format!(
                "castling rights are `-`, some of `KQkq` or files of rooks such as `HAha`, and this is `{letter}`"
            );
            return fault(here, what);
        };
        if castling[right] {
            let what =
                format!("`{letter}` is a second right to castle on the same side of the king");
            return fault(here, what);
        }
        (castling[right], rook_files[right]) = (true, file);
    }
    Ok((castling, rook_files))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fen::Fen, one_board::notation::BoardNotation};
    use overboard_referee::game::position::ReadPosition;

    /// Rights as read, and as written.
    const RIGHTS_READ: [(&str, &str); 8] = [
        (
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
            "KQkq",
        ),
        (
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w qkQK - 0 1",
            "KQkq",
        ),
        // A rook further out than the one that may castle.
        ("4k3/8/8/8/8/8/8/1R2KR1R w F - 0 1", "F"),
        ("4k3/8/8/8/8/8/8/1R2KR1R w H - 0 1", "K"),
        ("4k3/8/8/8/8/8/8/1R2KR1R w K - 0 1", "K"),
        ("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "B"),
        ("4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", "Q"),
        ("r1r1k2r/8/8/8/8/8/8/4K3 w ck - 0 1", "kc"),
    ];

    #[test]
    fn castling_rights_are_read_in_both_ways_and_written_without_loss() {
        for (fen, written) in RIGHTS_READ {
            let ReadPosition {
                position, lenient, ..
            } = Chess960::read(fen).unwrap_or_else(|why| panic!("{fen}: {why}"));
            assert!(!lenient, "{fen}");
            let reported = position.fen();
            assert_eq!(reported.split(' ').nth(2), Some(written), "{fen}");
            assert_eq!(
                Chess960::read(&reported).unwrap().position,
                position,
                "{fen}"
            );
        }
        // An enemy's rook in the corner does not make a right ambiguous.
        let position = Chess960::read("4k3/8/8/8/8/8/8/1R2K1Rr w G - 0 1")
            .unwrap()
            .position;
        assert_eq!(position.fen().split(' ').nth(2), Some("K"));
    }

    #[test]
    fn a_number_is_an_array() {
        let ReadPosition {
            position, lenient, ..
        } = Chess960::read(" 518 ").unwrap();
        assert_eq!((position, lenient), (Chess960::default(), true));
        for wrong in ["960", "99999999999", "", "-1"] {
            assert!(Chess960::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn faults_point_at_their_bytes() {
        for (rights, bytes) in [("KX", 1..2), ("KH", 1..2), ("QA", 1..2), ("KQkqk", 4..5)] {
            let before = "r3k2r/8/8/8/8/8/8/R3K2R w ";
            let fen = format!("{before}{rights} - 0 1");
            let why = Fen::parse_with(&fen, super::rights).unwrap_err();
            let bytes = before.len() + bytes.start..before.len() + bytes.end;
            assert_eq!(why.bytes, bytes, "{rights}: {why}");
        }
        for fen in [
            "r3k2r/8/8/8/8/8/8/R3K1R1 w H - 0 1",
            "4k3/8/8/8/8/8/4K3/R6R w K - 0 1",
        ] {
            assert!(Chess960::read(fen).is_err(), "{fen}");
        }
    }
}
