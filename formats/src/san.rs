//! Short algebraic notation (SAN): reading and writing moves, for every game's alphabet.
//!
//! ```
//! use overboard_formats::san::{CHESS, San, Spelt, Suffix};
//!
//! let san = San::parse(b"Ng1-f3+", &CHESS).unwrap();
//! assert_eq!((san.suffix, san.leniency.is_some()), (Suffix::Check, true));
//! assert_eq!(Spelt(san.written).text().as_str(), "Ng1f3");
//! ```

mod language;
mod read;
mod spelt;

pub use language::{LANGUAGES, Language};
pub use read::board_index;
pub use spelt::{
    MoveText, PlyText, ShortPart, ShortText, Spelt, addresses, push_address, push_mega_square,
    push_square,
};

use crate::encoding::{decode, is_dash};
use overboard_rules::{
    ply::{Arrival, BoardName, Pattern, StandingAct, Wing, Written},
    square::{Role, Square},
};
use read::{Reader, arriving, castling, drop_of};

/// The letters and squares with which the moves of a game are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alphabet {
    /// The number of files on the board.
    pub files: u8,
    /// The number of ranks.
    pub ranks: u8,
    /// The capital letters of the pieces.
    pub pieces: &'static [u8],
    /// The pieces by their letters from `A` on, so that a letter is found by one table look-up.
    pub roles: [Option<Role>; 26],
    /// Whether pieces can be dropped from a hand.
    pub drops: bool,
    /// Whether pieces can ride on others (`^`).
    pub levels: bool,
    /// Whether pieces can cross to neighbouring boards (`/B`).
    pub boards: bool,
    /// Whether two pawns on one file can move to the same square, so that their rank disambiguates.
    pub ranks_of_pawns: bool,
}

/// What was done, in coordinates as [`Alphabet::standing_act`] reads them.
#[must_use]
pub fn standing_act_text(standing_act: StandingAct) -> String {
    match standing_act {
        StandingAct::Moved {
            from,
            to,
            arrival,
            promotion,
        } => {
            let becomes = match promotion {
                None => String::new(),
                Some(Role::Gold) => "+".into(),
                Some(role) => role.letter().to_ascii_lowercase().into(),
            };
            let level = match arrival {
                Arrival::Here => String::new(),
                Arrival::Above => "^".into(),
                Arrival::Beside(board) => format!("/{}", BoardName(usize::from(board))),
            };
            format!("{from}{to}{becomes}{level}")
        }
        StandingAct::Castled(wing) => wing.letters().into(),
        StandingAct::Dropped { role, to } => format!("{}@{to}", role.letter()),
        StandingAct::Passed => "--".into(),
    }
}

impl Alphabet {
    #[inline]
    fn square(&self, file: u8, rank: u8) -> Option<Square> {
        let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        (file < self.files && rank < self.ranks.min(9)).then_some(Square { file, rank })
    }

    /// Two squares written one after the other, as in `b1d6`.
    #[must_use]
    pub fn two_squares(&self, text: &[u8]) -> Option<(Square, Square)> {
        let mut reader = Reader::new(text, self);
        let squares = (reader.square()?, reader.square()?);
        reader.is_at_end().then_some(squares)
    }

    /// What was done, in coordinates: `b1d6`, `e7e8q`, `c2c3+`, `b1d2^` for a second level, `O-O`, `P@c3`, or `--`
    /// for a pass. `None` if the text is nothing of the kind.
    #[must_use]
    pub fn standing_act(&self, text: &[u8]) -> Option<StandingAct> {
        let words = std::str::from_utf8(text).ok()?;
        if words == "--" {
            return Some(StandingAct::Passed);
        }
        if let Some(wing) = Wing::of_letters(words) {
            return Some(StandingAct::Castled(wing));
        }
        if let Some((piece, square)) = words.split_once('@') {
            let [letter] = *piece.as_bytes() else {
                return None;
            };
            let (to, _) = self.two_squares(square.repeat(2).as_bytes())?;
            return Role::from_letter(letter).map(|role| StandingAct::Dropped { role, to });
        }
        let (squares, arrival) = match text {
            [squares @ .., b'^'] if self.levels => (squares, Arrival::Above),
            squares => (squares, Arrival::Here),
        };
        let (squares, promotion) = match squares {
            // All promotions of a game that marks them so are to the same kind.
            [squares @ .., b'+'] => (squares, Some(Role::Gold)),
            [squares @ .., letter] if letter.is_ascii_alphabetic() => {
                let role = Role::from_letter(letter.to_ascii_uppercase())?;
                (squares.strip_suffix(b"=").unwrap_or(squares), Some(role))
            }
            squares => (squares, None),
        };
        let (from, to) = self.two_squares(squares)?;
        Some(StandingAct::Moved {
            from,
            to,
            arrival,
            promotion,
        })
    }

    /// The squares of a ply in coordinates: origin and arrival of `b1d6` or `e7e8q`, or the square of a drop such as
    /// `P@c3`.
    #[must_use]
    pub fn squares_in(&self, coordinates: &str) -> Vec<Square> {
        let text = coordinates
            .rsplit('@')
            .next()
            .unwrap_or_default()
            .as_bytes();
        let mut reader = Reader::new(text, self);
        std::iter::from_fn(|| reader.square()).take(2).collect()
    }

    /// The most common moves: a piece or pawn, perhaps a capture, a square on a rank below 10.
    #[inline(always)]
    fn read_plain(&self, body: &[u8]) -> Option<Pattern> {
        let plain = |role, file, capture, to| Pattern {
            role,
            file,
            rank: None,
            capture,
            to,
            promotion: None,
            arrival: Arrival::Here,
        };
        Some(match *body {
            [file, rank] => plain(Role::Pawn, None, false, self.square(file, rank)?),
            [letter, file, rank] => {
                plain(self.role(letter)?, None, false, self.square(file, rank)?)
            }
            [letter @ b'A'..=b'Z', b'x', file, rank] => {
                plain(self.role(letter)?, None, true, self.square(file, rank)?)
            }
            [from, b'x', file, rank] if from.wrapping_sub(b'a') < self.files => plain(
                Role::Pawn,
                Some(from - b'a'),
                true,
                self.square(file, rank)?,
            ),
            _ => return None,
        })
    }

    /// The piece for a capital letter; `None` if this game does not have it. A pawn has no letter.
    #[inline]
    fn role(&self, letter: u8) -> Option<Role> {
        self.roles
            .get(usize::from(letter.wrapping_sub(b'A')))
            .copied()
            .flatten()
    }
}

/// The letters of orthodox chess.
pub const CHESS: Alphabet = Alphabet {
    files: 8,
    ranks: 8,
    ..plain(b"NBRQK")
};

/// The letters of Crazyhouse.
pub const CRAZYHOUSE: Alphabet = Alphabet {
    drops: true,
    ..CHESS
};

/// The letters of Olympic Chess.
pub const OLYMPIC: Alphabet = Alphabet {
    files: 5,
    ranks: 5,
    drops: true,
    ..plain(b"RBGSK")
};

/// The letters of `StrategiChess`.
pub const STRATEGI: Alphabet = Alphabet {
    files: 14,
    ranks: 14,
    ranks_of_pawns: true,
    ..plain(b"NBRQK")
};

/// The letters of `StrategiChess` on linked boards.
pub const LINKED: Alphabet = Alphabet {
    boards: true,
    ..STRATEGI
};

/// The letters of `MetaChess` #4.
pub const META: Alphabet = Alphabet {
    levels: true,
    ..CHESS
};

/// An alphabet with these pieces, without drops, levels or linked boards.
const fn plain(pieces: &'static [u8]) -> Alphabet {
    let mut roles = [None; 26];
    let mut left = pieces;
    while let [letter, rest @ ..] = left {
        roles[(*letter - b'A') as usize] = Role::from_letter(*letter);
        left = rest;
    }
    Alphabet {
        files: 0,
        ranks: 0,
        pieces,
        roles,
        drops: false,
        levels: false,
        boards: false,
        ranks_of_pawns: false,
    }
}

/// The suffix of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Suffix {
    /// None.
    #[default]
    None,
    /// `+`.
    Check,
    /// `#`.
    Mate,
    /// `++`, an old sign for double check or mate.
    Double,
}

impl Suffix {
    /// The canonical spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Check => "+",
            Self::Mate => "#",
            Self::Double => "++",
        }
    }
}

/// A spelling outside the PGN standard whose meaning is clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leniency {
    /// `Ng1-f3`: a dash between origin and arrival.
    Dash,
    /// `0-0`: zeros for castling.
    ZeroCastling,
    /// `o-o`, `O–O`: small letters or other dashes for castling.
    LetterCastling,
    /// `OO`: castling without its hyphens.
    BareCastling,
    /// `nf3`: a small letter for a piece, if it is not a file of the board.
    SmallPiece,
    /// `♘f3`.
    Figurine,
    /// `Pe4`.
    PawnLetter,
    /// `e8Q`, `e8=q`: a promotion without `=` or with a small letter.
    PromotionForm,
    /// `exd6ep`.
    EnPassantMark,
    /// `ed`, `exd`: a pawn's capture without its rank.
    ShortCapture,
    /// `xd5`: a pawn's capture without the file from which it comes.
    NamelessCapture,
    /// `N:e5`: a colon for the `x` of a capture.
    CaptureForm,
    /// `@b2`, `r@c3`: the drop of a pawn without its letter, or with a small letter. Also `$146@c3` for a knight.
    DropForm,
}

/// A ply as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct San {
    /// The move.
    pub written: Written,
    /// Its suffix for check or mate.
    pub suffix: Suffix,
    /// The first lenient spelling in it.
    pub leniency: Option<Leniency>,
}

/// Why a text cannot be read as a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// It does not look like a ply.
    #[error("this is not a move")]
    NoMove,
    /// It has a square that the board does not have.
    #[error("the board has no such square")]
    NoSquare,
    /// It does not have an arrival square.
    #[error("the arrival square is missing")]
    NoArrival,
    /// Something follows that does not belong to a ply.
    #[error("there is unexpected text after the move")]
    Tail,
    /// `=` without the letter of a piece after it.
    #[error("`=` needs the capital letter of the piece promoted to")]
    NoPromotion,
    /// `@`, in a game without drops.
    #[error("`@` is a drop, and this game has none")]
    Drop,
    /// `^`, in a game without a second level.
    #[error("`^` is an arrival on the second level, and this game has one level")]
    Above,
    /// Something after `^`.
    #[error("`^` comes last in a move; only `+` or `#` may follow it")]
    AboveNotLast,
    /// `/` without the letters of a board after it.
    #[error("`/` needs the letters of a board after it")]
    NoBoard,
    /// `/`, in a game without linked boards.
    #[error("`/` is an arrival on another board, and this game has one board")]
    Beside,
    /// A letter that no piece has in the language of the record.
    #[error("no piece has this letter in {0}")]
    NoLetter(&'static str),
}

impl San {
    /// Reads a ply written with this alphabet.
    ///
    /// # Errors
    /// Why the text is not a ply.
    #[inline(always)]
    pub fn parse(text: &[u8], alphabet: &Alphabet) -> Result<Self, SanError> {
        let (body, suffix) = split_suffix(text);
        match alphabet.read_plain(body) {
            Some(pattern) => Ok(Self {
                written: Written::Move(pattern),
                suffix,
                leniency: None,
            }),
            None => Self::parse_other(body, suffix, alphabet),
        }
    }

    #[inline(never)]
    fn parse_other(body: &[u8], suffix: Suffix, alphabet: &Alphabet) -> Result<Self, SanError> {
        if let (true, Some(at)) = (alphabet.drops, memchr::memchr(b'@', body)) {
            return drop_of(&body[..at], &body[at + 1..], suffix, alphabet);
        }
        if let (true, [board @ .., b'^']) = (alphabet.levels, body) {
            return arriving(board, suffix, alphabet, Arrival::Above);
        }
        if let (true, Some(at)) = (alphabet.boards, memchr::memchr(b'/', body)) {
            let board = board_index(&body[at + 1..]).ok_or(SanError::NoBoard)?;
            return arriving(&body[..at], suffix, alphabet, Arrival::Beside(board));
        }
        match body.iter().find_map(|b| extension(*b)) {
            Some(SanError::Above) if alphabet.levels => return Err(SanError::AboveNotLast),
            Some(fault) => return Err(fault),
            None => {}
        }
        if let Some(plain) = with_hyphens(body) {
            let read = Self::parse(&plain, alphabet)?;
            let of_dash = match read.written {
                Written::Castle(_) => Leniency::LetterCastling,
                _ => Leniency::Dash,
            };
            return Ok(Self {
                suffix,
                leniency: read.leniency.or(Some(of_dash)),
                ..read
            });
        }
        match body {
            [letter @ (b'O' | b'0' | b'o'), b'-' | b'O' | b'0' | b'o', ..] => {
                castling(body, *letter, suffix)
            }
            b"--" | b"Z0" => Ok(Self {
                written: Written::Pass,
                suffix,
                leniency: None,
            }),
            _ => Reader::new(body, alphabet).piece_move(suffix),
        }
    }
}

/// A text with hyphens for its other dashes, if it has any: `O–O`.
fn with_hyphens(text: &[u8]) -> Option<Vec<u8>> {
    if text.is_ascii() {
        return None;
    }
    let text = decode(text).0;
    text.contains(is_dash)
        .then(|| text.replace(is_dash, "-").into_bytes())
}

/// The sign of check or mate of a ply, and what comes before it.
#[inline]
#[must_use]
pub fn split_suffix(text: &[u8]) -> (&[u8], Suffix) {
    match text {
        [body @ .., b'+', b'+'] => (body, Suffix::Double),
        [body @ .., b'+'] => (body, Suffix::Check),
        [body @ .., b'#'] => (body, Suffix::Mate),
        _ => (text, Suffix::None),
    }
}

/// The error for a character that belongs to the moves of another game.
const fn extension(byte: u8) -> Option<SanError> {
    match byte {
        b'@' => Some(SanError::Drop),
        b'^' => Some(SanError::Above),
        b'/' => Some(SanError::Beside),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(String, Option<Leniency>), SanError> {
        San::parse(text.as_bytes(), &CHESS)
            .map(|san| (Spelt(san.written).to_string(), san.leniency))
    }

    #[test]
    fn canonical_spellings_are_read_back() {
        for text in [
            "e4", "exd5", "Nf3", "Nbd7", "N1d2", "Qh4xe1", "e8=Q", "dxc1=N", "O-O", "O-O-O",
            "Rae1", "--",
        ] {
            assert_eq!(read(text), Ok((text.to_string(), None)), "{text}");
        }
    }

    #[test]
    fn lenient_spellings_are_named() {
        for (text, spelt, leniency) in [
            ("nf3", "Nf3", Leniency::SmallPiece),
            ("♘f3", "Nf3", Leniency::Figurine),
            ("0-0", "O-O", Leniency::ZeroCastling),
            ("o-o-o", "O-O-O", Leniency::LetterCastling),
            ("e2-e4", "e2e4", Leniency::Dash),
            ("e8Q", "e8=Q", Leniency::PromotionForm),
            ("e8=q", "e8=Q", Leniency::PromotionForm),
            ("exd6ep", "exd6", Leniency::EnPassantMark),
            ("Pe4", "e4", Leniency::PawnLetter),
        ] {
            assert_eq!(
                read(text),
                Ok((spelt.to_string(), Some(leniency))),
                "{text}"
            );
        }
    }

    #[test]
    fn drops_are_read_in_games_that_have_them() {
        let read = |text: &str| {
            San::parse(text.as_bytes(), &OLYMPIC)
                .map(|san| (Spelt(san.written).to_string(), san.leniency))
        };
        for (text, spelt, leniency) in [
            ("R@c3", "R@c3", None),
            ("P@b2+", "P@b2", None),
            ("@b2", "P@b2", Some(Leniency::DropForm)),
            ("s@e5", "S@e5", Some(Leniency::DropForm)),
            ("c5=G", "c5=G", None),
            ("Sb5=G", "Sb5=G", None),
            ("bxa5=G#", "bxa5=G", None),
        ] {
            assert_eq!(read(text), Ok((spelt.to_string(), leniency)), "{text}");
        }
        for (text, fault) in [
            ("R@", SanError::NoArrival),
            ("R@f3", SanError::NoSquare),
            ("R@c6", SanError::NoSquare),
            ("R@c3x", SanError::Tail),
            ("N@c3", SanError::NoMove),
            ("Rx@c3", SanError::NoMove),
            ("Nf3", SanError::NoMove),
        ] {
            assert_eq!(read(text), Err(fault), "{text}");
        }
    }

    #[test]
    fn texts_other_than_moves_are_refused_with_a_reason() {
        for (text, fault) in [
            ("foo", SanError::NoMove),
            ("Zz9", SanError::NoMove),
            ("Nf9", SanError::NoSquare),
            ("Ni3", SanError::NoSquare),
            ("e10", SanError::NoSquare),
            ("N", SanError::NoMove),
            ("Nf", SanError::NoArrival),
            ("Nxf", SanError::NoArrival),
            ("Nf3z", SanError::Tail),
            ("R@c3", SanError::Drop),
            ("P@c3", SanError::Drop),
            ("Nd2^", SanError::Above),
            ("Nb6/B", SanError::Beside),
            ("O-O-O-O", SanError::NoMove),
        ] {
            let got = San::parse(text.as_bytes(), &CHESS).map(|san| san.written);
            assert_eq!(got, Err(fault), "{text}");
        }
        let got = San::parse(b"Nd2^x", &META).map(|san| san.written);
        assert_eq!(got, Err(SanError::AboveNotLast));
    }
}
