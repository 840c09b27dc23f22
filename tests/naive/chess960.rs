//! Castling in Chess960 from its rules alone: squares are numbers, and each step is tested on a board of its own.

/// What prevents castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Against {
    Right,
    Room,
    Attack,
}

/// A board of 64 letters from `a1` on, the side to move, and those of its rooks that may castle.
pub struct Naive {
    board: Vec<char>,
    white: bool,
    rooks: Vec<usize>,
}

impl Naive {
    /// Reads placement, side to move and castling rights of a FEN; rights name the files of rooks, or the outermost
    /// rooks.
    pub fn parse(fen: &str) -> Self {
        let fields: Vec<_> = fen.split(' ').collect();
        let mut board = vec!['.'; 64];
        for (row, rank) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in rank.chars() {
                match letter.to_digit(10) {
                    Some(empty) => file += empty as usize,
                    None => {
                        board[(7 - row) * 8 + file] = letter;
                        file += 1;
                    }
                }
            }
        }
        let white = fields[1] == "w";
        let mut naive = Self {
            board,
            white,
            rooks: Vec::new(),
        };
        let (home, king) = (naive.home(), naive.king());
        for letter in fields[2]
            .chars()
            .filter(|letter| letter.is_uppercase() == white && *letter != '-')
        {
            let rook = match letter.to_ascii_uppercase() {
                'K' => (king + 1..home + 8)
                    .rev()
                    .find(|at| naive.board[*at] == naive.own('R')),
                'Q' => (home..king).find(|at| naive.board[*at] == naive.own('R')),
                file => Some(home + file as usize - 'A' as usize),
            };
            naive.rooks.push(rook.unwrap());
        }
        naive
    }

    fn own(&self, piece: char) -> char {
        if self.white {
            piece
        } else {
            piece.to_ascii_lowercase()
        }
    }

    fn home(&self) -> usize {
        if self.white { 0 } else { 56 }
    }

    fn king(&self) -> usize {
        self.board
            .iter()
            .position(|letter| *letter == self.own('K'))
            .unwrap()
    }

    /// What prevents castling towards the h-file, or towards the a-file; `None` if it is legal.
    pub fn against(&self, kings_side: bool) -> Option<Against> {
        let king = self.king();
        let Some(rook) = self
            .rooks
            .iter()
            .copied()
            .find(|rook| (*rook > king) == kings_side)
        else {
            return Some(Against::Right);
        };
        let to = self.home() + if kings_side { 6 } else { 2 };
        let rook_to = if kings_side { to - 1 } else { to + 1 };
        let way = |from: usize, to: usize| from.min(to)..=from.max(to);
        let is_held = |at: usize| at != king && at != rook && self.board[at] != '.';
        if way(king, to).chain(way(rook, rook_to)).any(is_held) {
            return Some(Against::Room);
        }
        // The king must be safe on every step, and both pieces must be safe where they arrive.
        let is_attacked = |at: usize, rook: usize| {
            let mut board = self.board.clone();
            for left in [
                king,
                self.rooks
                    .iter()
                    .copied()
                    .find(|rook| (*rook > king) == kings_side)
                    .unwrap(),
            ] {
                board[left] = '.';
            }
            board[rook] = self.own('R');
            board[at] = self.own('K');
            attacked(&board, at, self.white)
        };
        // While the king crosses the rook's square, the rook does not shield it there.
        let steps = way(king, to)
            .filter(|at| *at != to)
            .any(|at| is_attacked(at, rook));
        (steps || attacked(&self.board, king, self.white) || is_attacked(to, rook_to))
            .then_some(Against::Attack)
    }
}

/// Whether the enemies of a side attack a square.
pub fn attacked(board: &[char], at: usize, white: bool) -> bool {
    let (file, rank) = (at as i32 % 8, at as i32 / 8);
    let there = |file: i32, rank: i32| {
        let is_on = (0..8).contains(&file) && (0..8).contains(&rank);
        if is_on {
            board[(rank * 8 + file) as usize]
        } else {
            '#'
        }
    };
    let enemy = |letter: char, piece: char| {
        letter
            == if white {
                piece.to_ascii_lowercase()
            } else {
                piece
            }
    };
    let forward = if white { 1 } else { -1 };
    if [-1, 1]
        .iter()
        .any(|aside| enemy(there(file + aside, rank + forward), 'P'))
    {
        return true;
    }
    let around = (-2..=2).flat_map(|x: i32| (-2..=2).map(move |y: i32| (x, y)));
    for (x, y) in around {
        let letter = there(file + x, rank + y);
        let is_knights = x.abs() + y.abs() == 3;
        let is_kings = x.abs().max(y.abs()) == 1;
        if is_knights && enemy(letter, 'N') || is_kings && enemy(letter, 'K') {
            return true;
        }
        if !is_kings {
            continue;
        }
        let mut steps = 1;
        while there(file + steps * x, rank + steps * y) == '.' {
            steps += 1;
        }
        let letter = there(file + steps * x, rank + steps * y);
        let along = if x == 0 || y == 0 { 'R' } else { 'B' };
        if enemy(letter, along) || enemy(letter, 'Q') {
            return true;
        }
    }
    false
}
