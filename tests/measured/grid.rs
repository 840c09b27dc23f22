//! A board as its FEN shows it: enough to find the cases of which rulings speak.

/// A square: its file and rank, both from 1.
pub type At = (i32, i32);

/// What stands on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The letter of the piece on the square.
    pub letter: char,
    /// The letter of the piece that rides on it.
    pub rider: Option<char>,
    /// Whether it is a promoted piece of Olympic Chess.
    pub promoted: bool,
}

impl Piece {
    /// Whether it belongs to the side whose letters are capitals, or not.
    pub fn is_of(&self, white: bool) -> bool {
        self.letter.is_uppercase() == white
    }
}

/// The pieces of one board.
pub struct Grid {
    pieces: Vec<(At, Piece)>,
}

impl Grid {
    /// Reads the placement of a FEN.
    pub fn of(fen: &str) -> Self {
        let placement = fen.split([' ', '[', '{']).next().unwrap();
        let rows: Vec<&str> = placement.split('/').collect();
        let mut grid = Self { pieces: Vec::new() };
        for (row, rank) in rows.iter().zip((1..=rows.len() as i32).rev()) {
            grid.read_row(row, rank);
        }
        grid
    }

    fn read_row(&mut self, row: &str, rank: i32) {
        let (mut file, mut empty, mut promoted) = (1, 0, false);
        let mut letters = row.chars().peekable();
        while let Some(letter) = letters.next() {
            if let Some(digit) = letter.to_digit(10) {
                empty = empty * 10 + digit as i32;
                continue;
            }
            file += std::mem::take(&mut empty);
            match letter {
                '+' => promoted = true,
                '(' => {
                    let (carrier, rider) = (letters.next().unwrap(), letters.next());
                    letters.next();
                    self.put((file, rank), carrier, rider, false);
                    file += 1;
                }
                _ if letter.is_alphabetic() => {
                    self.put((file, rank), letter, None, std::mem::take(&mut promoted));
                    file += 1;
                }
                _ => {}
            }
        }
    }

    fn put(&mut self, at: At, letter: char, rider: Option<char>, promoted: bool) {
        let piece = Piece {
            letter,
            rider,
            promoted,
        };
        self.pieces.push((at, piece));
    }

    /// The piece on a square.
    pub fn at(&self, at: At) -> Option<Piece> {
        let found = self.pieces.iter().find(|(square, _)| *square == at);
        found.map(|(_, piece)| *piece)
    }

    /// All pieces.
    pub fn pieces(&self) -> impl Iterator<Item = (At, Piece)> + '_ {
        self.pieces.iter().copied()
    }
}

/// The two squares of a ply in coordinates, and what follows them: `a7a8q`, `Kb6a8/B` without its board.
pub fn squares(ply: &str) -> Option<(At, At, &str)> {
    let (from, rest) = square(ply)?;
    let (to, rest) = square(rest)?;
    Some((from, to, rest))
}

fn square(text: &str) -> Option<(At, &str)> {
    let file = text.chars().next().filter(char::is_ascii_lowercase)?;
    let digits: String = text[1..].chars().take_while(char::is_ascii_digit).collect();
    let rank = digits.parse().ok()?;
    let file = i32::from(file as u8 - b'a') + 1;
    Some(((file, rank), &text[1 + digits.len()..]))
}

/// Whether White is to move, by a FEN.
pub fn is_white(fen: &str) -> bool {
    fen.split_whitespace().nth(1) == Some("w")
}
