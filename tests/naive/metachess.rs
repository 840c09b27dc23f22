//! MetaChess #4: a second implementation, as plain as possible.
//!
//! Written from the rules page alone and sharing nothing with the library, so that each can check the other. The board
//! is a mailbox of 64 stacks; a ply is legal if, played on a copy of the position, it leaves the mover's own King where
//! no piece could capture it. Nothing here is fast.

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const LEAPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// The castling rights in the order of a FEN: side, and file of the Rook.
const CASTLINGS: [(Side, i32, char); 4] = [
    (Side::White, 7, 'K'),
    (Side::White, 0, 'Q'),
    (Side::Black, 7, 'k'),
    (Side::Black, 0, 'q'),
];

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

    /// The direction in which this side's pawns move.
    fn forward(self) -> i32 {
        match self {
            Side::White => 1,
            Side::Black => -1,
        }
    }

    /// The rank with this number from the side's own edge, counted from 0.
    fn rank(self, number: i32) -> i32 {
        match self {
            Side::White => number,
            Side::Black => 7 - number,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
}

/// The kinds that a pawn can promote to.
const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

impl Kind {
    fn letter(self) -> char {
        match self {
            Kind::King => 'K',
            Kind::Queen => 'Q',
            Kind::Rook => 'R',
            Kind::Bishop => 'B',
            Kind::Knight => 'N',
            Kind::Pawn => 'P',
        }
    }

    /// The kind for a capital letter.
    fn from_letter(letter: char) -> Kind {
        match letter {
            'K' => Kind::King,
            'Q' => Kind::Queen,
            'R' => Kind::Rook,
            'B' => Kind::Bishop,
            'N' => Kind::Knight,
            'P' => Kind::Pawn,
            _ => panic!("no piece has the letter {letter:?}"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    side: Side,
    kind: Kind,
}

impl Piece {
    pub fn from_fen(letter: char) -> Piece {
        let side = if letter.is_ascii_uppercase() {
            Side::White
        } else {
            Side::Black
        };
        Piece {
            side,
            kind: Kind::from_letter(letter.to_ascii_uppercase()),
        }
    }

    fn fen(self) -> char {
        match self.side {
            Side::White => self.kind.letter(),
            Side::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The directions in which this officer moves any distance.
    fn lines(self) -> Vec<(i32, i32)> {
        match self.kind {
            Kind::Queen => [STRAIGHT, DIAGONAL].concat(),
            Kind::Rook => STRAIGHT.to_vec(),
            Kind::Bishop => DIAGONAL.to_vec(),
            Kind::King | Kind::Knight | Kind::Pawn => Vec::new(),
        }
    }

    /// The single steps of this officer.
    fn steps(self) -> Vec<(i32, i32)> {
        match self.kind {
            Kind::King => [STRAIGHT, DIAGONAL].concat(),
            Kind::Knight => LEAPS.to_vec(),
            Kind::Queen | Kind::Rook | Kind::Bishop | Kind::Pawn => Vec::new(),
        }
    }
}

/// A square, file and rank counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Square {
    file: i32,
    rank: i32,
}

impl Square {
    /// All 64 squares: a1 to h1, then a2 to h2, and so on.
    fn all() -> Vec<Square> {
        (0..8)
            .flat_map(|rank| (0..8).map(move |file| Square { file, rank }))
            .collect()
    }

    /// The square at this distance, if it is on the board.
    fn step(self, (files, ranks): (i32, i32)) -> Option<Square> {
        let to = Square {
            file: self.file + files,
            rank: self.rank + ranks,
        };
        ((0..8).contains(&to.file) && (0..8).contains(&to.rank)).then_some(to)
    }

    /// The index of this square in the mailbox.
    pub fn cell(self) -> usize {
        usize::try_from(self.rank * 8 + self.file).expect("a square is on the board")
    }

    fn file_letter(self) -> char {
        char::from(b'a' + (self.cell() % 8) as u8)
    }

    fn rank_digit(self) -> char {
        char::from(b'1' + (self.cell() / 8) as u8)
    }

    fn name(self) -> String {
        format!("{}{}", self.file_letter(), self.rank_digit())
    }

    pub fn from_name(name: &str) -> Square {
        let square = Square::all()
            .into_iter()
            .find(|square| square.name() == name);
        square.unwrap_or_else(|| panic!("{name:?} is not a square"))
    }
}

/// The two levels (MC-1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    First,
    Second,
}

/// A level of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LevelSquare {
    square: Square,
    level: Level,
}

/// The pieces on a square; the second level is empty if the first is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stack {
    pub first: Option<Piece>,
    pub second: Option<Piece>,
}

/// One act of the side to move. A King that moves two files castles; a pawn that changes its file to an empty square
/// takes in passing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ply {
    from: LevelSquare,
    to: LevelSquare,
    promotes: Option<Kind>,
}

/// A position of MetaChess #4.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Naive {
    pub cells: [Stack; 64],
    side: Side,
    /// The castling rights that are left, in the order of [`CASTLINGS`].
    rights: [bool; 4],
    /// The square that a pawn has just passed with a double step.
    passed: Option<Square>,
    pub halfmove: u32,
    fullmove: u32,
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
        let [placement, side, castling, passed, halfmove, fullmove] = fields[..] else {
            panic!("a FEN has six fields: {fen}");
        };
        let naive = Naive {
            cells: parse_placement(placement),
            side: match side {
                "w" => Side::White,
                "b" => Side::Black,
                _ => panic!("the side to move is w or b: {fen}"),
            },
            rights: CASTLINGS.map(|(_, _, letter)| castling.contains(letter)),
            passed: (passed != "-").then(|| Square::from_name(passed)),
            halfmove: halfmove.parse().expect("the halfmove counter is a number"),
            fullmove: fullmove.parse().expect("the move number is a number"),
        };
        assert_eq!(naive.castling_field(), castling, "{fen}");
        naive.assert_possible();
        naive
    }

    fn assert_possible(&self) {
        for side in [Side::White, Side::Black] {
            let king = Some(Piece {
                side,
                kind: Kind::King,
            });
            let kings = self
                .cells
                .iter()
                .flat_map(|stack| [stack.first, stack.second]);
            assert_eq!(
                kings.filter(|&piece| piece == king).count(),
                1,
                "each side has one King"
            );
        }
        for square in Square::all() {
            let Stack { first, second } = self.at(square);
            let is = |piece: Option<Piece>, kind| piece.is_some_and(|piece| piece.kind == kind);
            assert!(second.is_none() || first.is_some(), "a rider has a carrier");
            assert!(
                second.is_none() || !is(first, Kind::King),
                "nothing sits on a King"
            );
            assert!(!is(second, Kind::Pawn), "a pawn never rides");
            assert!(
                ![0, 7].contains(&square.rank) || !is(first, Kind::Pawn),
                "no pawn on the edge"
            );
        }
        for (index, (side, file, _)) in CASTLINGS
            .into_iter()
            .enumerate()
            .filter(|(at, _)| self.rights[*at])
        {
            let on = |file| {
                self.at(Square {
                    file,
                    rank: side.rank(0),
                })
                .first
            };
            let home = on(4)
                == Some(Piece {
                    side,
                    kind: Kind::King,
                })
                && on(file)
                    == Some(Piece {
                        side,
                        kind: Kind::Rook,
                    });
            assert!(home, "castling right {index} needs King and Rook at home");
        }
        if let Some(passed) = self.passed {
            let mover = self.side.other();
            let stepped = passed
                .step((0, mover.forward()))
                .map(|square| self.at(square));
            let pawn = Stack {
                first: Some(Piece {
                    side: mover,
                    kind: Kind::Pawn,
                }),
                second: None,
            };
            assert!(
                passed.rank == mover.rank(2) && stepped == Some(pawn),
                "a pawn has passed"
            );
            assert!(self.is_empty(passed), "a pawn has passed an empty square");
        }
        assert!(self.fullmove > 0, "moves are counted from 1");
        assert!(
            !self.king_attacked(self.side.other()),
            "the side that has moved is in check"
        );
    }

    /// Writes the FEN; the en passant square is written only if the pawn can be taken.
    pub fn fen(&self) -> String {
        let ranks: Vec<String> = (0..8).rev().map(|rank| self.fen_rank(rank)).collect();
        let side = if self.side == Side::White { "w" } else { "b" };
        let taken_in_passing = self.plies().into_iter().any(|ply| self.is_en_passant(ply));
        let passed = self
            .passed
            .filter(|_| taken_in_passing)
            .map_or("-".into(), Square::name);
        let castling = self.castling_field();
        format!(
            "{} {side} {castling} {passed} {} {}",
            ranks.join("/"),
            self.halfmove,
            self.fullmove
        )
    }

    fn castling_field(&self) -> String {
        let letters: String = (0..4)
            .filter(|&index| self.rights[index])
            .map(|index| CASTLINGS[index].2)
            .collect();
        if letters.is_empty() {
            "-".into()
        } else {
            letters
        }
    }

    pub fn fen_rank(&self, rank: i32) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..8 {
            let Stack {
                first: Some(first),
                second,
            } = self.at(Square { file, rank })
            else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            match second {
                Some(second) => text += &format!("({}{})", first.fen(), second.fen()),
                None => text.push(first.fen()),
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }
}

fn parse_placement(placement: &str) -> [Stack; 64] {
    let ranks: Vec<&str> = placement.split('/').collect();
    assert!(ranks.len() == 8, "a board has eight ranks: {placement}");
    let mut cells = [Stack::default(); 64];
    for (rank, text) in ranks.iter().rev().enumerate() {
        let row = parse_rank(text);
        assert!(row.len() == 8, "a rank has eight squares: {text}");
        cells[rank * 8..][..8].copy_from_slice(&row);
    }
    cells
}

fn parse_rank(text: &str) -> Vec<Stack> {
    let mut row = Vec::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if let Some(empty) = letter.to_digit(10) {
            row.extend((0..empty).map(|_| Stack::default()));
        } else if letter == '(' {
            let mut next = || {
                letters
                    .next()
                    .expect("a stack is a carrier, a rider and a bracket")
            };
            let (first, second) = (Piece::from_fen(next()), Piece::from_fen(next()));
            assert_eq!(next(), ')', "{text}");
            row.push(Stack {
                first: Some(first),
                second: Some(second),
            });
        } else {
            row.push(Stack {
                first: Some(Piece::from_fen(letter)),
                second: None,
            });
        }
    }
    row
}

/// How pieces move.
impl Naive {
    fn at(&self, square: Square) -> Stack {
        self.cells[square.cell()]
    }

    fn on(&self, place: LevelSquare) -> Option<Piece> {
        match place.level {
            Level::First => self.at(place.square).first,
            Level::Second => self.at(place.square).second,
        }
    }

    fn put(&mut self, place: LevelSquare, piece: Option<Piece>) {
        let stack = &mut self.cells[place.square.cell()];
        match place.level {
            Level::First => stack.first = piece,
            Level::Second => stack.second = piece,
        }
    }

    fn is_empty(&self, square: Square) -> bool {
        self.at(square).first.is_none()
    }

    /// The squares of a side's pieces that may move: riders, and pieces without a rider (MC-3).
    fn movers(&self, side: Side) -> Vec<LevelSquare> {
        let mut places = Vec::new();
        for square in Square::all() {
            let Stack { first, second } = self.at(square);
            let (level, top) = match second {
                Some(rider) => (Level::Second, Some(rider)),
                None => (Level::First, first),
            };
            if top.is_some_and(|piece| piece.side == side) {
                places.push(LevelSquare { square, level });
            }
        }
        places
    }

    /// Whether a piece acts on the first level: it stands there, or rides on one of its own (MC-6).
    fn acts_on_first(&self, place: LevelSquare) -> bool {
        let side = self.on(place).map(|piece| piece.side);
        self.at(place.square).first.map(|piece| piece.side) == side
    }

    /// The squares that an officer reaches along its lines and by its steps; each line ends with the first piece on it
    /// (MC-8).
    fn reach(&self, officer: Piece, from: Square) -> Vec<Square> {
        let mut squares: Vec<Square> = officer
            .steps()
            .into_iter()
            .filter_map(|step| from.step(step))
            .collect();
        for line in officer.lines() {
            let mut next = from.step(line);
            while let Some(square) = next {
                squares.push(square);
                next = if self.is_empty(square) {
                    square.step(line)
                } else {
                    None
                };
            }
        }
        squares
    }

    /// Whether an officer on `from` may arrive on the first level of a square in its reach.
    fn may_arrive_on_first(&self, from: LevelSquare, officer: Piece, to: Square) -> bool {
        if !self.acts_on_first(from) {
            return false;
        }
        let Stack {
            first: Some(victim),
            second,
        } = self.at(to)
        else {
            return true;
        };
        // No piece may ride on a King, so a King takes no carrier that has a rider (MC-7a, MC-15).
        victim.side != officer.side && (officer.kind != Kind::King || second.is_none())
    }

    /// Whether an officer on `from` may arrive on the second level of a square in its reach.
    fn may_arrive_on_second(&self, from: LevelSquare, officer: Piece, to: Square) -> bool {
        let Stack {
            first: Some(carrier),
            second,
        } = self.at(to)
        else {
            return false;
        };
        let climbs = from.level == Level::First;
        carrier.kind != Kind::King
            && second.is_none_or(|rider| rider.side != officer.side)
            && (!climbs || carrier.side == officer.side)
    }

    /// Where the officer on `from` can arrive, ignoring the safety of its own King.
    fn officer_arrivals(&self, from: LevelSquare, officer: Piece) -> Vec<LevelSquare> {
        let mut places = Vec::new();
        for square in self.reach(officer, from.square) {
            if self.may_arrive_on_first(from, officer, square) {
                places.push(LevelSquare {
                    square,
                    level: Level::First,
                });
            }
            if self.may_arrive_on_second(from, officer, square) {
                places.push(LevelSquare {
                    square,
                    level: Level::Second,
                });
            }
        }
        places
    }

    /// Where the pawn on `from` can arrive, ignoring the safety of its own King: as in chess (MC-12).
    fn pawn_arrivals(&self, from: Square, side: Side) -> Vec<LevelSquare> {
        let mut squares = Vec::new();
        let one = from
            .step((0, side.forward()))
            .filter(|&to| self.is_empty(to));
        let two = one
            .and_then(|one| one.step((0, side.forward())))
            .filter(|&to| self.is_empty(to));
        squares.extend(one);
        squares.extend(two.filter(|_| from.rank == side.rank(1)));
        for step in [(-1, side.forward()), (1, side.forward())] {
            let Some(to) = from.step(step) else { continue };
            let enemy = self.at(to).first.is_some_and(|piece| piece.side != side);
            if enemy || (self.passed == Some(to) && side == self.side) {
                squares.push(to);
            }
        }
        squares
            .into_iter()
            .map(|square| LevelSquare {
                square,
                level: Level::First,
            })
            .collect()
    }

    fn arrivals(&self, from: LevelSquare) -> Vec<LevelSquare> {
        match self.on(from) {
            None => Vec::new(),
            Some(Piece {
                side,
                kind: Kind::Pawn,
            }) => self.pawn_arrivals(from.square, side),
            Some(officer) => self.officer_arrivals(from, officer),
        }
    }

    /// Whether a side could capture the piece on a level of a square (MC-10).
    fn could_capture(&self, side: Side, on: LevelSquare) -> bool {
        self.movers(side)
            .into_iter()
            .any(|from| self.arrivals(from).contains(&on))
    }

    /// Whether this side's King is attacked on the level where it stands.
    fn king_attacked(&self, side: Side) -> bool {
        let king = Some(Piece {
            side,
            kind: Kind::King,
        });
        let places = Square::all().into_iter().flat_map(|square| {
            [Level::First, Level::Second].map(|level| LevelSquare { square, level })
        });
        let place = places.into_iter().find(|&place| self.on(place) == king);
        self.could_capture(side.other(), place.expect("each side has a King"))
    }

    /// The castlings of the side to move, without testing whether the King's last square is safe (MC-11, MC-15).
    fn castlings(&self) -> Vec<Ply> {
        let mut plies = Vec::new();
        for (index, (side, rook_file, _)) in CASTLINGS.into_iter().enumerate() {
            if side != self.side || !self.rights[index] {
                continue;
            }
            let first = |file| LevelSquare {
                square: Square {
                    file,
                    rank: side.rank(0),
                },
                level: Level::First,
            };
            let toward = (rook_file - 4).signum();
            let between: Vec<i32> = if toward > 0 {
                vec![5, 6]
            } else {
                vec![1, 2, 3]
            };
            let free = between
                .into_iter()
                .all(|file| self.is_empty(first(file).square));
            let ridden = self.at(first(rook_file).square).second.is_some();
            let (from, crossed, to) = (first(4), first(4 + toward), first(4 + 2 * toward));
            if free && !ridden && !self.king_attacked(side) && self.king_safe_on(from, crossed) {
                plies.push(Ply {
                    from,
                    to,
                    promotes: None,
                });
            }
        }
        plies
    }

    /// Whether the King on `from` would be safe on the empty square `to`.
    fn king_safe_on(&self, from: LevelSquare, to: LevelSquare) -> bool {
        let mut moved = self.clone();
        moved.put(to, self.on(from));
        moved.put(from, None);
        !moved.king_attacked(self.side)
    }

    /// Every ply, ignoring the safety of the player's own King.
    fn tries(&self) -> Vec<Ply> {
        let mut plies = self.castlings();
        for from in self.movers(self.side) {
            for to in self.arrivals(from) {
                let pawn = self.on(from).is_some_and(|piece| piece.kind == Kind::Pawn);
                if pawn && to.square.rank == self.side.rank(7) {
                    plies.extend(PROMOTIONS.map(|kind| Ply {
                        from,
                        to,
                        promotes: Some(kind),
                    }));
                } else {
                    plies.push(Ply {
                        from,
                        to,
                        promotes: None,
                    });
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

    fn mover(&self, ply: Ply) -> Piece {
        self.on(ply.from).expect("a ply starts from a piece")
    }

    fn is_castling(&self, ply: Ply) -> bool {
        self.mover(ply).kind == Kind::King && (ply.from.square.file - ply.to.square.file).abs() == 2
    }

    fn is_en_passant(&self, ply: Ply) -> bool {
        self.mover(ply).kind == Kind::Pawn
            && ply.from.square.file != ply.to.square.file
            && self.is_empty(ply.to.square)
    }

    /// The position after a ply.
    fn after(&self, ply: Ply) -> Naive {
        let mut next = self.clone();
        let piece = self.mover(ply);
        let captures = self.on(ply.to).is_some() || self.is_en_passant(ply);
        next.put(ply.from, None);
        if self.is_en_passant(ply) {
            let victim = Square {
                file: ply.to.square.file,
                rank: ply.from.square.rank,
            };
            next.put(
                LevelSquare {
                    square: victim,
                    level: Level::First,
                },
                None,
            );
        }
        if self.is_castling(ply) {
            next.move_castling_rook(ply);
        }
        next.put(
            ply.to,
            Some(Piece {
                kind: ply.promotes.unwrap_or(piece.kind),
                ..piece
            }),
        );
        next.drop_rights(ply);
        next.passed = self.passed_by(ply);
        next.halfmove = if captures || piece.kind == Kind::Pawn {
            0
        } else {
            self.halfmove + 1
        };
        next.fullmove += u32::from(self.side == Side::Black);
        next.side = self.side.other();
        next
    }

    fn move_castling_rook(&mut self, ply: Ply) {
        let rank = ply.to.square.rank;
        let (corner, beside) = if ply.to.square.file == 6 {
            (7, 5)
        } else {
            (0, 3)
        };
        let rook = Some(Piece {
            side: self.side,
            kind: Kind::Rook,
        });
        self.put(
            LevelSquare {
                square: Square { file: corner, rank },
                level: Level::First,
            },
            None,
        );
        self.put(
            LevelSquare {
                square: Square { file: beside, rank },
                level: Level::First,
            },
            rook,
        );
    }

    /// A right is lost when, on the first level, a piece leaves or arrives on the square of its King or Rook.
    fn drop_rights(&mut self, ply: Ply) {
        for (index, (side, rook_file, _)) in CASTLINGS.into_iter().enumerate() {
            for file in [4, rook_file] {
                let home = LevelSquare {
                    square: Square {
                        file,
                        rank: side.rank(0),
                    },
                    level: Level::First,
                };
                if ply.from == home || ply.to == home {
                    self.rights[index] = false;
                }
            }
        }
    }

    /// The square that a double step passes over.
    fn passed_by(&self, ply: Ply) -> Option<Square> {
        let (from, to) = (ply.from.square, ply.to.square);
        let double = self.mover(ply).kind == Kind::Pawn && (from.rank - to.rank).abs() == 2;
        double.then_some(Square {
            file: from.file,
            rank: (from.rank + to.rank) / 2,
        })
    }
}

/// The interface for tests.
impl Naive {
    /// All legal plies in coordinates, sorted by bytes.
    pub fn moves(&self) -> Vec<String> {
        let mut moves: Vec<String> = self.plies().into_iter().map(coordinates).collect();
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
        match depth {
            0 => 1,
            1 => self.plies().len() as u64,
            _ => self
                .plies()
                .into_iter()
                .map(|ply| self.after(ply).perft(depth - 1))
                .sum(),
        }
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
        let after = self.after(ply);
        let suffix = match (after.in_check(), after.plies().is_empty()) {
            (true, true) => "#",
            (true, false) => "+",
            (false, _) => "",
        };
        self.san_body(ply) + suffix
    }

    /// `mate`, `stalemate`, `dead` (two Kings and nothing else), `seventyfive`, `check` or `ongoing`, the first that
    /// applies.
    pub fn status(&self) -> &'static str {
        let pieces = self
            .cells
            .iter()
            .flat_map(|stack| [stack.first, stack.second])
            .flatten();
        match (self.in_check(), self.plies().is_empty()) {
            (true, true) => "mate",
            (false, true) => "stalemate",
            _ if pieces.count() == 2 => "dead",
            _ if self.halfmove >= 150 => "seventyfive",
            (true, false) => "check",
            (false, false) => "ongoing",
        }
    }

    /// The number of squares that hold two pieces.
    pub fn stacks(&self) -> usize {
        self.cells
            .iter()
            .filter(|stack| stack.second.is_some())
            .count()
    }

    /// The legal ply that a coordinate move names.
    fn find(&self, coord: &str) -> Ply {
        let found = self
            .plies()
            .into_iter()
            .find(|&ply| coordinates(ply) == coord);
        found.unwrap_or_else(|| panic!("{coord} is not legal in {}", self.fen()))
    }

    fn san_body(&self, ply: Ply) -> String {
        let kind = self.mover(ply).kind;
        if self.is_castling(ply) {
            return if ply.to.square.file == 6 {
                "O-O".into()
            } else {
                "O-O-O".into()
            };
        }
        let captures = self.on(ply.to).is_some() || self.is_en_passant(ply);
        let mut san = match kind {
            Kind::Pawn if captures => ply.from.square.file_letter().to_string(),
            Kind::Pawn => String::new(),
            _ => format!("{}{}", kind.letter(), self.disambiguation(ply)),
        };
        if captures {
            san.push('x');
        }
        san += &ply.to.square.name();
        if ply.to.level == Level::Second {
            san.push('^');
        }
        if let Some(kind) = ply.promotes {
            san += &format!("={}", kind.letter());
        }
        san
    }

    /// As much of the origin as distinguishes this ply from every other legal ply of the same kind of piece to the same
    /// level of the same square: nothing, or the file, or the rank, or both, in that order of preference.
    fn disambiguation(&self, ply: Ply) -> String {
        let from = ply.from.square;
        let rivals: Vec<Square> = self
            .plies()
            .into_iter()
            .filter(|rival| rival.to == ply.to && rival.from != ply.from)
            .filter(|&rival| self.mover(rival).kind == self.mover(ply).kind)
            .map(|rival| rival.from.square)
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

fn coordinates(ply: Ply) -> String {
    let mut text = ply.from.square.name() + &ply.to.square.name();
    if ply.to.level == Level::Second {
        text.push('^');
    }
    text.extend(ply.promotes.map(|kind| kind.letter().to_ascii_lowercase()));
    text
}
