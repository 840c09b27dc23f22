//! Reading a ply letter by letter.

use super::{Alphabet, Leniency, San, SanError, Suffix};
use overboard_rules::{
    ply::{Arrival, Pattern, Wing, Written},
    square::{Role, Square},
};

/// Reads a move that arrives elsewhere than on the first level of its own board.
pub(super) fn arriving(
    body: &[u8],
    suffix: Suffix,
    alphabet: &Alphabet,
    arrival: Arrival,
) -> Result<San, SanError> {
    let San {
        written, leniency, ..
    } = San::parse(body, alphabet)?;
    match written {
        Written::Move(
            pattern @ Pattern {
                arrival: Arrival::Here,
                ..
            },
        ) => Ok(San {
            written: Written::Move(Pattern { arrival, ..pattern }),
            suffix,
            leniency,
        }),
        _ => Err(SanError::NoMove),
    }
}

/// The index of a board by its letters: `A` is 0, `Z` 25, `AA` 26; small letters mean the same.
#[must_use]
pub fn board_index(letters: &[u8]) -> Option<u16> {
    let digit = |letter: &u8| {
        letter
            .is_ascii_alphabetic()
            .then(|| u32::from(letter.to_ascii_uppercase() - b'A') + 1)
    };
    let number = match letters {
        [] | [_, _, _, _, ..] => None,
        letters => letters
            .iter()
            .try_fold(0, |number, letter| Some(number * 26 + digit(letter)?)),
    };
    number.and_then(|number| u16::try_from(number - 1).ok())
}

/// Reads a drop such as `R@c3`.
pub(super) fn drop_of(
    piece: &[u8],
    to: &[u8],
    suffix: Suffix,
    alphabet: &Alphabet,
) -> Result<San, SanError> {
    let letter = match piece {
        [] => b'P',
        [letter] => letter.to_ascii_uppercase(),
        // The glyph of a novelty, in place of the letter that stands for it in annotations.
        b"$146" => b'N',
        _ => return Err(SanError::NoMove),
    };
    let role = if letter == b'P' {
        Some(Role::Pawn)
    } else {
        alphabet.role(letter)
    };
    let role = role.ok_or(SanError::NoMove)?;
    let (to, promotes) = match to {
        [to @ .., b'=', b'A'..=b'Z'] => (to, true),
        to => (to, false),
    };
    let to = match to {
        [] => return Err(SanError::NoArrival),
        [file, rank] => alphabet.square(*file, *rank).ok_or(SanError::NoSquare)?,
        [b'a'..=b'z', b'0'..=b'9', ..] => return Err(SanError::Tail),
        _ => return Err(SanError::NoSquare),
    };
    let leniency = (piece != [letter]).then_some(Leniency::DropForm);
    let written = if promotes {
        Written::PromotedDrop { role, to }
    } else {
        Written::Drop { role, to }
    };
    Ok(San {
        written,
        suffix,
        leniency,
    })
}

pub(super) fn castling(body: &[u8], letter: u8, suffix: Suffix) -> Result<San, SanError> {
    let is_bare = body.iter().all(|byte| *byte == letter);
    let is_hyphened = body
        .iter()
        .enumerate()
        .all(|(i, byte)| *byte == if i % 2 == 0 { letter } else { b'-' });
    let wing = match body.len() {
        2 if is_bare => Wing::KingSide,
        3 if is_bare => Wing::QueenSide,
        3 if is_hyphened => Wing::KingSide,
        5 if is_hyphened => Wing::QueenSide,
        _ => return Err(SanError::NoMove),
    };
    let leniency = match letter {
        b'0' => Some(Leniency::ZeroCastling),
        b'o' => Some(Leniency::LetterCastling),
        _ if is_bare => Some(Leniency::BareCastling),
        _ => None,
    };
    Ok(San {
        written: Written::Castle(wing),
        suffix,
        leniency,
    })
}

pub(super) struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    alphabet: &'a Alphabet,
    leniency: Option<Leniency>,
}

impl<'a> Reader<'a> {
    #[inline]
    pub(super) const fn new(text: &'a [u8], alphabet: &'a Alphabet) -> Self {
        Self {
            text,
            at: 0,
            alphabet,
            leniency: None,
        }
    }

    #[inline]
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn forgive(&mut self, leniency: Leniency) {
        self.leniency.get_or_insert(leniency);
    }

    #[inline]
    pub(super) fn piece_move(mut self, suffix: Suffix) -> Result<San, SanError> {
        let role = self.role()?;
        let first = self.coordinates()?;
        let capture = self.capture();
        if !capture && self.eat(b'-') {
            self.forgive(Leniency::Dash);
        }
        let second = self.coordinates()?;
        let (origin, to) = if second == (None, None) {
            ((None, None), first)
        } else {
            (first, second)
        };
        if capture && second == (None, None) {
            return Err(SanError::NoArrival);
        }
        let (Some(file), Some(rank)) = to else {
            let cut_short = (to != (None, None) || capture) && self.is_at_end();
            return Err(if cut_short {
                SanError::NoArrival
            } else {
                SanError::NoMove
            });
        };
        let promotion = self.promotion()?;
        // XBoard writes `=S` after a move of a Silver that does not promote.
        let stays = role == Role::Silver && promotion == Some(role);
        if stays {
            self.forgive(Leniency::PromotionForm);
        }
        let promotion = if stays { None } else { promotion };
        self.tail()?;
        let to = Square::new(file, rank);
        let pattern = Pattern {
            role,
            file: origin.0,
            rank: origin.1,
            capture,
            to,
            promotion,
            arrival: Arrival::Here,
        };
        Ok(San {
            written: Written::Move(pattern),
            suffix,
            leniency: self.leniency,
        })
    }

    #[inline]
    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == byte;
        self.at += usize::from(there);
        there
    }

    #[inline]
    fn capture(&mut self) -> bool {
        let has_colon = self.eat(b':');
        if has_colon {
            self.forgive(Leniency::CaptureForm);
        }
        has_colon || self.eat(b'x')
    }

    #[inline]
    fn role(&mut self) -> Result<Role, SanError> {
        let letter = self.peek();
        if self.is_file(letter) {
            return Ok(Role::Pawn);
        }
        if let Some(role) = self.alphabet.role(letter) {
            self.at += 1;
            return Ok(role);
        }
        match letter {
            b'P' => {
                self.at += 1;
                self.forgive(Leniency::PawnLetter);
                Ok(Role::Pawn)
            }
            b'0'..=b'9' if self.alphabet.ranks_of_pawns => Ok(Role::Pawn),
            b'a'..=b'z' => self.small_role(letter),
            0xe2 => self.figurine(),
            _ => Err(SanError::NoMove),
        }
    }

    #[inline]
    fn is_file(&self, letter: u8) -> bool {
        letter.wrapping_sub(b'a') < self.alphabet.files
    }

    fn small_role(&mut self, letter: u8) -> Result<Role, SanError> {
        let role = self
            .alphabet
            .role(letter.to_ascii_uppercase())
            .ok_or(SanError::NoMove)?;
        // On a board of 14 files, a small letter up to `n` is always a file, never a piece.
        self.at += 1;
        self.forgive(Leniency::SmallPiece);
        Ok(role)
    }

    /// U+2654 to U+265F: king, queen, rook, bishop, knight and pawn, first white, then black.
    fn figurine(&mut self) -> Result<Role, SanError> {
        let [0xe2, 0x99, last @ 0x94..=0x9f] =
            self.text[self.at..(self.at + 3).min(self.text.len())]
        else {
            return Err(SanError::NoMove);
        };
        self.at += 3;
        self.forgive(Leniency::Figurine);
        Ok([
            Role::King,
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
        ][usize::from((last - 0x94) % 6)])
    }

    /// The square that comes next, if one does.
    pub(super) fn square(&mut self) -> Option<Square> {
        match self.coordinates() {
            Ok((Some(file), Some(rank))) => Some(Square::new(file, rank)),
            _ => None,
        }
    }

    /// Whether all of the text has been read.
    pub(super) const fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// A file, a rank, both or neither, each counted from 0.
    #[inline]
    fn coordinates(&mut self) -> Result<(Option<u8>, Option<u8>), SanError> {
        let letter = self.peek();
        let file = if self.is_file(letter) {
            self.at += 1;
            Some(letter - b'a')
        } else if letter.is_ascii_lowercase()
            && self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit)
        {
            return Err(SanError::NoSquare);
        } else {
            None
        };
        Ok((file, self.rank()?))
    }

    #[inline]
    fn rank(&mut self) -> Result<Option<u8>, SanError> {
        let mut rank = 0;
        let start = self.at;
        while self.peek().is_ascii_digit() && self.at < start + 2 {
            if self.at > start && self.alphabet.ranks < 10 {
                return Err(SanError::NoSquare);
            }
            rank = rank * 10 + (self.peek() - b'0');
            self.at += 1;
        }
        if self.at == start {
            return Ok(None);
        }
        if rank == 0 || rank > self.alphabet.ranks {
            return Err(SanError::NoSquare);
        }
        Ok(Some(rank - 1))
    }

    #[inline]
    fn promotion(&mut self) -> Result<Option<Role>, SanError> {
        if self.is_at_end() {
            return Ok(None);
        }
        let marked = self.eat(b'=');
        let letter = self.peek();
        // A small letter is a promotion only at the end: `ep` is not one.
        let small = letter.is_ascii_lowercase() && self.at + 1 == self.text.len();
        if !(marked || small || letter.is_ascii_uppercase()) {
            return Ok(None);
        }
        let Some(role) = Role::from_letter(letter.to_ascii_uppercase()) else {
            return Err(if marked {
                SanError::NoPromotion
            } else {
                SanError::Tail
            });
        };
        if !marked || letter.is_ascii_lowercase() {
            self.forgive(Leniency::PromotionForm);
        }
        self.at += 1;
        Ok(Some(role))
    }

    #[inline]
    fn tail(&mut self) -> Result<(), SanError> {
        match &self.text[self.at..] {
            [] => Ok(()),
            b"ep" | b"e.p." | b"e.p" => {
                self.forgive(Leniency::EnPassantMark);
                Ok(())
            }
            _ => Err(SanError::Tail),
        }
    }
}
