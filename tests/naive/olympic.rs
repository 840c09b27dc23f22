//! Olympic Chess: a second implementation, as plain as possible.
//!
//! Written from the rules page alone and sharing nothing with the library, so that each can check the other. The board
//! is a mailbox of 25 cells; a ply is legal if, played on a copy of the position, it leaves the mover's own King
//! unattacked. Nothing here is fast.

/// Files and ranks of the board.
const SIZE: i32 = 5;

/// The kinds that can be in hand, in the order of a FEN.
const HAND_ORDER: [Kind; 5] = [
    Kind::Rook,
    Kind::Bishop,
    Kind::Gold,
    Kind::Silver,
    Kind::Pawn,
];

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    White,
    Black,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The direction towards this side's last rank.
    fn forward(self) -> i32 {
        match self {
            Side::White => 1,
            Side::Black => -1,
        }
    }

    /// The rank where this side promotes, counted from 0.
    fn last_rank(self) -> i32 {
        match self {
            Side::White => SIZE - 1,
            Side::Black => 0,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    King,
    Rook,
    Bishop,
    Gold,
    Silver,
    Pawn,
}

impl Kind {
    fn letter(self) -> char {
        match self {
            Kind::King => 'K',
            Kind::Rook => 'R',
            Kind::Bishop => 'B',
            Kind::Gold => 'G',
            Kind::Silver => 'S',
            Kind::Pawn => 'P',
        }
    }

    /// The kind for a capital letter.
    fn from_letter(letter: char) -> Kind {
        match letter {
            'K' => Kind::King,
            'R' => Kind::Rook,
            'B' => Kind::Bishop,
            'G' => Kind::Gold,
            'S' => Kind::Silver,
            'P' => Kind::Pawn,
            _ => panic!("no piece has the letter {letter:?}"),
        }
    }
}

/// A piece on the board. A promoted Pawn or Silver keeps its kind, to which it reverts when captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    side: Side,
    kind: Kind,
    promoted: bool,
}

impl Piece {
    /// The kind that determines how this piece moves and is written: Gold for a promoted piece.
    fn acts_as(self) -> Kind {
        if self.promoted { Kind::Gold } else { self.kind }
    }

    /// The steps of a piece that moves one square at a time; it captures as it moves.
    fn steps(self) -> Vec<(i32, i32)> {
        let forward = self.side.forward();
        match self.acts_as() {
            Kind::King => [STRAIGHT, DIAGONAL].concat(),
            Kind::Gold => [STRAIGHT.as_slice(), &[(-1, forward), (1, forward)]].concat(),
            Kind::Silver => [DIAGONAL.as_slice(), &[(0, forward)]].concat(),
            Kind::Rook | Kind::Bishop | Kind::Pawn => Vec::new(),
        }
    }

    /// The directions of a piece that moves any distance along a line.
    fn lines(self) -> Vec<(i32, i32)> {
        match self.acts_as() {
            Kind::Rook => STRAIGHT.to_vec(),
            Kind::Bishop => DIAGONAL.to_vec(),
            Kind::King | Kind::Gold | Kind::Silver | Kind::Pawn => Vec::new(),
        }
    }
}

/// A square, file and rank counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Square {
    file: i32,
    rank: i32,
}

impl Square {
    /// All 25 squares: a1 to e1, then a2 to e2, and so on.
    fn all() -> Vec<Square> {
        (0..SIZE)
            .flat_map(|rank| (0..SIZE).map(move |file| Square { file, rank }))
            .collect()
    }

    /// The square at this distance, if it is on the board.
    fn step(self, (files, ranks): (i32, i32)) -> Option<Square> {
        let to = Square {
            file: self.file + files,
            rank: self.rank + ranks,
        };
        let on_board = (0..SIZE).contains(&to.file) && (0..SIZE).contains(&to.rank);
        on_board.then_some(to)
    }

    /// The index of this square in the mailbox.
    fn cell(self) -> usize {
        usize::try_from(self.rank * SIZE + self.file).expect("a square is on the board")
    }

    fn file_letter(self) -> char {
        ['a', 'b', 'c', 'd', 'e'][self.cell() % 5]
    }

    fn rank_digit(self) -> char {
        ['1', '2', '3', '4', '5'][self.cell() / 5]
    }

    fn name(self) -> String {
        format!("{}{}", self.file_letter(), self.rank_digit())
    }
}

/// One act of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ply {
    Move {
        from: Square,
        to: Square,
        promotes: bool,
    },
    Drop {
        kind: Kind,
        to: Square,
    },
}

/// A position of Olympic Chess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Naive {
    cells: [Option<Piece>; 25],
    /// How many pieces White and Black have in hand, in the order of [`HAND_ORDER`].
    hands: [[u32; 5]; 2],
    side: Side,
    halfmove: u32,
    fullmove: u32,
}

/// The index of a kind in a hand.
fn hand_slot(kind: Kind) -> usize {
    HAND_ORDER
        .iter()
        .position(|&held| held == kind)
        .expect("a King is never in hand")
}

/// The index of a side's hand.
fn hand_of(side: Side) -> usize {
    match side {
        Side::White => 0,
        Side::Black => 1,
    }
}

/// The side and kind of a FEN letter; capitals are White's.
fn side_and_kind(letter: char) -> (Side, Kind) {
    let side = if letter.is_ascii_uppercase() {
        Side::White
    } else {
        Side::Black
    };
    (side, Kind::from_letter(letter.to_ascii_uppercase()))
}

/// The FEN letter of a kind for a side.
fn fen_letter(side: Side, kind: Kind) -> char {
    match side {
        Side::White => kind.letter(),
        Side::Black => kind.letter().to_ascii_lowercase(),
    }
}

/// Reading and writing positions.
impl Naive {
    /// Reads a FEN.
    ///
    /// # Panics
    ///
    /// On anything that is not the FEN of a position that can occur in play.
    pub fn parse(fen: &str) -> Naive {
        let fields: Vec<&str> = fen.split(' ').collect();
        let [board, side, castling, en_passant, halfmove, fullmove] = fields[..] else {
            panic!("a FEN has six fields: {fen}");
        };
        assert!(
            castling == "-" && en_passant == "-",
            "no castling and no en passant here: {fen}"
        );
        let (placement, hands) = board
            .strip_suffix(']')
            .and_then(|open| open.split_once('['))
            .expect("the placement ends in the hands, in brackets");
        let naive = Naive {
            cells: parse_placement(placement),
            hands: parse_hands(hands),
            side: match side {
                "w" => Side::White,
                "b" => Side::Black,
                _ => panic!("the side to move is w or b: {fen}"),
            },
            halfmove: halfmove.parse().expect("the halfmove counter is a number"),
            fullmove: fullmove.parse().expect("the move number is a number"),
        };
        assert!(naive.fullmove > 0, "moves are counted from 1: {fen}");
        for side in [Side::White, Side::Black] {
            let king = Piece {
                side,
                kind: Kind::King,
                promoted: false,
            };
            let kings = naive
                .cells
                .iter()
                .filter(|&&cell| cell == Some(king))
                .count();
            assert!(kings == 1, "each side has one King: {fen}");
            for square in Square::all()
                .into_iter()
                .filter(|square| square.rank == side.last_rank())
            {
                let pawn = Piece {
                    side,
                    kind: Kind::Pawn,
                    promoted: false,
                };
                assert!(
                    naive.at(square) != Some(pawn),
                    "no pawn stands on its last rank: {fen}"
                );
            }
        }
        assert!(
            !naive.king_attacked(naive.side.other()),
            "the side that has moved is in check: {fen}"
        );
        naive
    }

    /// Writes the FEN.
    pub fn fen(&self) -> String {
        let ranks: Vec<String> = (0..SIZE).rev().map(|rank| self.fen_rank(rank)).collect();
        let mut hands = String::new();
        for side in [Side::White, Side::Black] {
            for kind in HAND_ORDER {
                for _ in 0..self.hands[hand_of(side)][hand_slot(kind)] {
                    hands.push(fen_letter(side, kind));
                }
            }
        }
        let side = if self.side == Side::White { "w" } else { "b" };
        format!(
            "{}[{hands}] {side} - - {} {}",
            ranks.join("/"),
            self.halfmove,
            self.fullmove
        )
    }

    fn fen_rank(&self, rank: i32) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..SIZE {
            let Some(piece) = self.at(Square { file, rank }) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            if piece.promoted {
                text.push('+');
            }
            text.push(fen_letter(piece.side, piece.kind));
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }
}

fn parse_placement(placement: &str) -> [Option<Piece>; 25] {
    let ranks: Vec<&str> = placement.split('/').collect();
    assert!(ranks.len() == 5, "a board has five ranks: {placement}");
    let mut cells = [None; 25];
    for (rank, text) in ranks.iter().rev().enumerate() {
        let row = parse_rank(text);
        assert!(row.len() == 5, "a rank has five squares: {text}");
        for (file, cell) in row.into_iter().enumerate() {
            cells[rank * 5 + file] = cell;
        }
    }
    cells
}

fn parse_rank(text: &str) -> Vec<Option<Piece>> {
    let mut row = Vec::new();
    let mut promoted = false;
    for letter in text.chars() {
        if letter == '+' {
            assert!(!promoted, "one plus is enough: {text}");
            promoted = true;
        } else if let Some(empty) = letter.to_digit(10) {
            assert!(
                !promoted && empty > 0,
                "an empty square is not promoted, nor is none: {text}"
            );
            row.extend((0..empty).map(|_| None));
        } else {
            let (side, kind) = side_and_kind(letter);
            assert!(
                !promoted || kind == Kind::Pawn || kind == Kind::Silver,
                "only P and S promote: {text}"
            );
            row.push(Some(Piece {
                side,
                kind,
                promoted,
            }));
            promoted = false;
        }
    }
    assert!(!promoted, "nothing follows the plus: {text}");
    row
}

fn parse_hands(text: &str) -> [[u32; 5]; 2] {
    let mut hands = [[0; 5]; 2];
    for letter in text.chars() {
        let (side, kind) = side_and_kind(letter);
        hands[hand_of(side)][hand_slot(kind)] += 1;
    }
    hands
}

/// How pieces move.
impl Naive {
    fn at(&self, square: Square) -> Option<Piece> {
        self.cells[square.cell()]
    }

    fn has_side(&self, square: Square, side: Side) -> bool {
        self.at(square).is_some_and(|piece| piece.side == side)
    }

    /// The squares that the piece on `from` attacks, whatever stands there.
    fn attacks(&self, from: Square) -> Vec<Square> {
        let Some(piece) = self.at(from) else {
            return Vec::new();
        };
        if piece.acts_as() == Kind::Pawn {
            let forward = piece.side.forward();
            return [(-1, forward), (1, forward)]
                .into_iter()
                .filter_map(|step| from.step(step))
                .collect();
        }
        let mut squares: Vec<Square> = piece
            .steps()
            .into_iter()
            .filter_map(|step| from.step(step))
            .collect();
        for line in piece.lines() {
            let mut next = from.step(line);
            while let Some(square) = next {
                squares.push(square);
                next = if self.at(square).is_none() {
                    square.step(line)
                } else {
                    None
                };
            }
        }
        squares
    }

    /// The squares to which the piece on `from` can move, ignoring the safety of its own King.
    fn targets(&self, from: Square) -> Vec<Square> {
        let Some(piece) = self.at(from) else {
            return Vec::new();
        };
        let mut squares = self.attacks(from);
        if piece.acts_as() == Kind::Pawn {
            squares.retain(|&to| self.has_side(to, piece.side.other()));
            let ahead = from.step((0, piece.side.forward()));
            squares.extend(ahead.filter(|&to| self.at(to).is_none()));
        } else {
            squares.retain(|&to| !self.has_side(to, piece.side));
        }
        squares
    }

    /// The promotion choices of the piece on `from` when it moves to `to`.
    fn promotions(&self, from: Square, to: Square) -> Vec<bool> {
        let piece = self.at(from).expect("a move starts from a piece");
        let last = piece.side.last_rank();
        match piece.acts_as() {
            Kind::Pawn if to.rank == last => vec![true],
            Kind::Silver if to.rank == last || from.rank == last => vec![false, true],
            _ => vec![false],
        }
    }

    /// Every move and drop, ignoring the safety of the player's own King.
    fn tries(&self) -> Vec<Ply> {
        let mut plies = Vec::new();
        for from in Square::all()
            .into_iter()
            .filter(|&from| self.has_side(from, self.side))
        {
            for to in self.targets(from) {
                for promotes in self.promotions(from, to) {
                    plies.push(Ply::Move { from, to, promotes });
                }
            }
        }
        for kind in HAND_ORDER {
            if self.hands[hand_of(self.side)][hand_slot(kind)] == 0 {
                continue;
            }
            for to in Square::all()
                .into_iter()
                .filter(|&to| self.at(to).is_none())
            {
                if kind != Kind::Pawn || to.rank != self.side.last_rank() {
                    plies.push(Ply::Drop { kind, to });
                }
            }
        }
        plies
    }

    /// The legal plies.
    fn plies(&self) -> Vec<Ply> {
        let mut plies = self.tries();
        plies.retain(|&ply| !self.after(ply).king_attacked(self.side));
        plies
    }

    /// The position after a ply.
    fn after(&self, ply: Ply) -> Naive {
        let mut next = self.clone();
        let resets = match ply {
            Ply::Move { from, to, promotes } => next.carry_out_move(from, to, promotes),
            Ply::Drop { kind, to } => next.carry_out_drop(kind, to),
        };
        next.halfmove = if resets { 0 } else { self.halfmove + 1 };
        if self.side == Side::Black {
            next.fullmove += 1;
        }
        next.side = self.side.other();
        next
    }

    /// Moves a piece. Returns whether that was a capture or a pawn move.
    fn carry_out_move(&mut self, from: Square, to: Square, promotes: bool) -> bool {
        let mut piece = self.at(from).expect("a move starts from a piece");
        let captured = self.at(to);
        let resets = captured.is_some() || piece.acts_as() == Kind::Pawn;
        if let Some(captured) = captured {
            self.hands[hand_of(piece.side)][hand_slot(captured.kind)] += 1;
        }
        if promotes {
            piece.promoted = true;
        }
        self.cells[from.cell()] = None;
        self.cells[to.cell()] = Some(piece);
        resets
    }

    /// Drops a piece from the hand of the side to move. Returns whether it was a pawn.
    fn carry_out_drop(&mut self, kind: Kind, to: Square) -> bool {
        self.hands[hand_of(self.side)][hand_slot(kind)] -= 1;
        self.cells[to.cell()] = Some(Piece {
            side: self.side,
            kind,
            promoted: false,
        });
        kind == Kind::Pawn
    }

    /// Whether this side's King is attacked.
    fn king_attacked(&self, side: Side) -> bool {
        let king = Piece {
            side,
            kind: Kind::King,
            promoted: false,
        };
        let square = Square::all()
            .into_iter()
            .find(|&square| self.at(square) == Some(king));
        let square = square.expect("each side has a King");
        Square::all()
            .into_iter()
            .filter(|&from| self.has_side(from, side.other()))
            .any(|from| self.attacks(from).contains(&square))
    }
}

/// The interface for tests.
impl Naive {
    /// All legal plies in coordinates, sorted by bytes.
    pub fn moves(&self) -> Vec<String> {
        let mut moves: Vec<String> = self
            .plies()
            .into_iter()
            .map(|ply| self.coordinates(ply))
            .collect();
        moves.sort();
        moves
    }

    /// The position after a legal coordinate move.
    ///
    /// # Panics
    ///
    /// If the move is not legal.
    pub fn play(&self, coord: &str) -> Naive {
        self.after(self.find(coord))
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.king_attacked(self.side)
    }

    /// The number of sequences of this many legal plies.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.plies()
            .into_iter()
            .map(|ply| self.after(ply).perft(depth - 1))
            .sum()
    }

    /// The [`perft`](Naive::perft) of this depth for each move, sorted as in [`moves`](Naive::moves).
    pub fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        assert!(depth > 0, "nothing to divide at depth 0");
        self.moves()
            .into_iter()
            .map(|coord| {
                let lines = self.play(&coord).perft(depth - 1);
                (coord, lines)
            })
            .collect()
    }

    /// A legal coordinate move in the notation of records.
    ///
    /// # Panics
    ///
    /// If the move is not legal.
    pub fn san(&self, coord: &str) -> String {
        let ply = self.find(coord);
        let body = match ply {
            Ply::Move { from, to, promotes } => self.san_of_move(from, to, promotes),
            Ply::Drop { kind, to } => format!("{}@{}", kind.letter(), to.name()),
        };
        let suffix = match self.after(ply).status() {
            "mate" => "#",
            "check" => "+",
            _ => "",
        };
        body + suffix
    }

    /// `mate`, `stalemate`, `check` (in check, with a legal move) or `ongoing`.
    pub fn status(&self) -> &'static str {
        match (self.in_check(), self.plies().is_empty()) {
            (true, true) => "mate",
            (false, true) => "stalemate",
            (true, false) => "check",
            (false, false) => "ongoing",
        }
    }

    /// The legal ply that a coordinate move names.
    fn find(&self, coord: &str) -> Ply {
        let found = self
            .plies()
            .into_iter()
            .find(|&ply| self.coordinates(ply) == coord);
        found.unwrap_or_else(|| panic!("{coord} is not legal in {}", self.fen()))
    }

    fn coordinates(&self, ply: Ply) -> String {
        match ply {
            Ply::Drop { kind, to } => format!("{}@{}", kind.letter(), to.name()),
            Ply::Move {
                from,
                to,
                promotes: false,
            } => from.name() + &to.name(),
            Ply::Move {
                from,
                to,
                promotes: true,
            } => {
                let piece = self.at(from).expect("a move starts from a piece");
                let sign = if piece.kind == Kind::Pawn { "g" } else { "+" };
                from.name() + &to.name() + sign
            }
        }
    }

    fn san_of_move(&self, from: Square, to: Square, promotes: bool) -> String {
        let kind = self.at(from).expect("a move starts from a piece").acts_as();
        let captures = self.at(to).is_some();
        let mut san = if kind != Kind::Pawn {
            format!("{}{}", kind.letter(), self.disambiguation(from, to))
        } else if captures {
            from.file_letter().to_string()
        } else {
            String::new()
        };
        if captures {
            san.push('x');
        }
        san += &to.name();
        if promotes {
            san += "=G";
        }
        san
    }

    /// As much of `from` as distinguishes this move from every other legal move to `to` that is written with the same
    /// letter: nothing, or the file, or the rank, or both, in that order of preference. Promotion choices do not count.
    fn disambiguation(&self, from: Square, to: Square) -> String {
        let letter_at = |square: Square| {
            self.at(square)
                .expect("a move starts from a piece")
                .acts_as()
        };
        let rivals: Vec<Square> = self
            .plies()
            .into_iter()
            .filter_map(|ply| match ply {
                Ply::Move {
                    from: rival,
                    to: target,
                    ..
                } if target == to && rival != from => Some(rival),
                _ => None,
            })
            .filter(|&rival| letter_at(rival) == letter_at(from))
            .collect();
        if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|rival| rival.file != from.file) {
            from.file_letter().to_string()
        } else if rivals.iter().all(|rival| rival.rank != from.rank) {
            from.rank_digit().to_string()
        } else {
            from.name()
        }
    }
}
