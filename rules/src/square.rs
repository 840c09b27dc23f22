//! Squares, sides and kinds of piece: the vocabulary that all games share.

use std::fmt;

/// A square of one board: file and rank counted from 0, so `a1` is (0, 0) and `n14` is (13, 13).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square {
    /// File, 0 for `a`.
    pub file: u8,
    /// Rank, 0 for the first.
    pub rank: u8,
}

impl Square {
    /// The square on this file and rank, both counted from 0.
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Self {
        Self { file, rank }
    }

    /// The letter of a file counted from 0.
    #[must_use]
    pub const fn file_letter(file: u8) -> char {
        (b'a' + file) as char
    }

    /// Whether the square is a light one (`a1` is dark).
    #[must_use]
    pub const fn is_light(self) -> bool {
        (self.file + self.rank) % 2 == 1
    }

    /// The number of moves that a king needs from here to `other` on an empty board.
    #[must_use]
    pub fn distance(self, other: Self) -> u8 {
        self.file
            .abs_diff(other.file)
            .max(self.rank.abs_diff(other.rank))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Self::file_letter(self.file), self.rank + 1)
    }
}

/// One of the two sides (GEN-1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The side that begins, unless the set-up says otherwise.
    White,
    /// The other side.
    Black,
}

impl Side {
    /// White, then Black.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The side's name as an adjective in a sentence: `white` or `black`.
    #[must_use]
    pub const fn adjective(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Pawn, no letter in a move.
    Pawn,
    /// Knight, `N`.
    Knight,
    /// Bishop, `B`.
    Bishop,
    /// Rook, `R`.
    Rook,
    /// Queen, `Q`.
    Queen,
    /// King, `K`.
    King,
    /// Silver of Olympic Chess, `S`.
    Silver,
    /// Gold of Olympic Chess, `G`.
    Gold,
}

impl Role {
    /// The kinds of chess pieces, in the order of the enum.
    pub const OF_CHESS: [Self; 6] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];

    /// Every role, in the order of the enum.
    pub const ALL: [Self; 8] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
        Self::Silver,
        Self::Gold,
    ];

    /// The capital letter of the role; `P` for a pawn.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'P',
            Self::Knight => 'N',
            Self::Bishop => 'B',
            Self::Rook => 'R',
            Self::Queen => 'Q',
            Self::King => 'K',
            Self::Silver => 'S',
            Self::Gold => 'G',
        }
    }

    /// The role for a capital letter.
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<Self> {
        Some(match letter {
            b'P' => Self::Pawn,
            b'N' => Self::Knight,
            b'B' => Self::Bishop,
            b'R' => Self::Rook,
            b'Q' => Self::Queen,
            b'K' => Self::King,
            b'S' => Self::Silver,
            b'G' => Self::Gold,
            _ => return None,
        })
    }

    /// The role's name in a sentence.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
            Self::Silver => "silver",
            Self::Gold => "gold",
        }
    }
}

/// A piece: its side and its kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Its owner.
    pub side: Side,
    /// Its kind.
    pub role: Role,
}

impl Piece {
    /// The FEN letter: capital for White, small for Black.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.side {
            Side::White => self.role.letter(),
            Side::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece for a FEN letter.
    #[must_use]
    pub fn from_letter(letter: u8) -> Option<Self> {
        let side = if letter.is_ascii_uppercase() {
            Side::White
        } else {
            Side::Black
        };
        Role::from_letter(letter.to_ascii_uppercase()).map(|role| Self { side, role })
    }
}
