//! StrategiChess: a second implementation, as plain as possible.
//!
//! Written from the rules page alone and sharing nothing with the library, so that each can check the other. A board is
//! a mailbox of 196 cells, boards stand in a row, and a move is legal if, played on a copy of the position, it breaks
//! no rule about kings. Nothing here is fast.
//!
//! This file has the board, the movement of the pieces, and the game on one board; [`linked`] has the game on several.

pub mod linked;

/// SC-1: files and ranks of a board.
const SIZE: i32 = 14;

/// The ranks of the three roads, counted from 0 (SC-1).
const ROADS: [i32; 6] = [0, 1, 6, 7, 12, 13];

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const JUMPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    White,
    Black,
}

impl Side {
    const BOTH: [Side; 2] = [Side::White, Side::Black];

    fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    fn letter(self) -> char {
        match self {
            Side::White => 'w',
            Side::Black => 'b',
        }
    }

    fn from_letter(letter: char) -> Side {
        match letter {
            'w' => Side::White,
            'b' => Side::Black,
            _ => panic!("no side has the letter {letter:?}"),
        }
    }

    /// The direction in which this side's pawns advance.
    fn forward(self) -> i32 {
        match self {
            Side::White => 1,
            Side::Black => -1,
        }
    }

    /// SC-2: the rank on which this side's pawns start, counted from 0.
    fn pawn_rank(self) -> i32 {
        match self {
            Side::White => 3,
            Side::Black => 10,
        }
    }

    /// A letter in this side's case: capital for White, small for Black.
    pub fn in_case(self, letter: char) -> char {
        match self {
            Side::White => letter.to_ascii_uppercase(),
            Side::Black => letter.to_ascii_lowercase(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
}

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

    /// The directions of a piece that moves any distance along a line.
    fn lines(self) -> Vec<(i32, i32)> {
        match self {
            Kind::Rook => STRAIGHT.to_vec(),
            Kind::Bishop => DIAGONAL.to_vec(),
            Kind::Queen => [STRAIGHT, DIAGONAL].concat(),
            Kind::King | Kind::Knight | Kind::Pawn => Vec::new(),
        }
    }
}

/// A piece on a board. SC-5a: a pawn knows whether it has moved; for officers that does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    pub side: Side,
    pub kind: Kind,
    pub unmoved: bool,
}

/// A square of one of the boards; board, file and rank are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardSquare {
    pub board: usize,
    pub file: i32,
    pub rank: i32,
}

impl BoardSquare {
    /// Its index in the mailbox of its board.
    pub fn cell(self) -> usize {
        usize::try_from(self.rank * SIZE + self.file).expect("a place is on its board")
    }

    fn file_letter(self) -> char {
        letter_of_file(self.file)
    }

    fn rank_number(self) -> String {
        (self.rank + 1).to_string()
    }

    /// Whether a piece here could attack the other square at all: a quick test before its attacks are computed.
    fn is_near_or_in_line(self, other: BoardSquare) -> bool {
        let file_in_row = |place: BoardSquare| {
            i32::try_from(place.board).expect("boards are few") * SIZE + place.file
        };
        let files = file_in_row(self).abs_diff(file_in_row(other));
        let ranks = self.rank.abs_diff(other.rank);
        files == 0 || ranks == 0 || files == ranks || files.max(ranks) <= 2
    }

    /// The name of the square, without its board.
    fn name(self) -> String {
        format!("{}{}", self.file_letter(), self.rank_number())
    }
}

fn letter_of_file(file: i32) -> char {
    char::from(b'a' + u8::try_from(file).expect("a file is on its board"))
}

/// One board with its side to move and its counters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pub cells: Vec<Option<Piece>>,
    side: Side,
    halfmove: u32,
    fullmove: u32,
}

/// Reading and writing.
impl Board {
    /// Reads `placement side unmoved halfmove fullmove`.
    pub fn parse(fen: &str) -> Board {
        let fields: Vec<&str> = fen.split(' ').collect();
        let [placement, side, unmoved, halfmove, fullmove] = fields[..] else {
            panic!("a board has five fields: {fen}");
        };
        let side = match side {
            "w" => Side::White,
            "b" => Side::Black,
            _ => panic!("the side to move is w or b: {fen}"),
        };
        let number = |text: &str| text.parse::<u32>().expect("a counter is a number");
        let mut board = Board {
            cells: parse_placement(placement),
            side,
            halfmove: number(halfmove),
            fullmove: number(fullmove),
        };
        assert!(board.fullmove > 0, "turns are counted from 1: {fen}");
        if unmoved != "-" {
            unmoved
                .chars()
                .for_each(|letter| board.mark_unmoved(letter));
        }
        for side in Side::BOTH {
            let kings = board
                .cells
                .iter()
                .flatten()
                .filter(|p| p.side == side && p.kind == Kind::King);
            assert!(
                kings.count() <= 1,
                "a king never leaves its board, so no side has two: {fen}"
            );
        }
        board
    }

    /// SC-5a: marks the pawn on its starting square on this file as unmoved; capitals are White's.
    pub fn mark_unmoved(&mut self, letter: char) {
        let side = if letter.is_ascii_uppercase() {
            Side::White
        } else {
            Side::Black
        };
        let file = i32::from(u8::try_from(letter.to_ascii_lowercase()).expect("a file is ASCII"))
            - i32::from(b'a');
        assert!(
            (0..SIZE).contains(&file),
            "no file has the letter {letter:?}"
        );
        let cell = BoardSquare {
            board: 0,
            file,
            rank: side.pawn_rank(),
        }
        .cell();
        let pawn = Piece {
            side,
            kind: Kind::Pawn,
            unmoved: false,
        };
        assert!(
            self.cells[cell] == Some(pawn),
            "an unmoved pawn stands where it started, once: {letter:?}"
        );
        self.cells[cell] = Some(Piece {
            unmoved: true,
            ..pawn
        });
    }

    pub fn fen(&self) -> String {
        let ranks: Vec<String> = (0..SIZE).rev().map(|rank| self.rank_text(rank)).collect();
        let side = self.side.letter();
        format!(
            "{} {side} {} {} {}",
            ranks.join("/"),
            self.unmoved_text(),
            self.halfmove,
            self.fullmove
        )
    }

    fn rank_text(&self, rank: i32) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..SIZE {
            let Some(piece) = self.cells[BoardSquare {
                board: 0,
                file,
                rank,
            }
            .cell()] else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(piece.side.in_case(piece.kind.letter()));
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }

    fn unmoved_text(&self) -> String {
        let mut text = String::new();
        for side in Side::BOTH {
            for file in 0..SIZE {
                let cell = BoardSquare {
                    board: 0,
                    file,
                    rank: side.pawn_rank(),
                }
                .cell();
                if self.cells[cell].is_some_and(|piece| piece.side == side && piece.unmoved) {
                    text.push(side.in_case(letter_of_file(file)));
                }
            }
        }
        if text.is_empty() {
            "-".to_string()
        } else {
            text
        }
    }

    /// Passes the turn on this board: the ply counter rises, and after Black's ply the move number.
    fn pass_turn(&mut self) {
        self.halfmove += 1;
        if self.side == Side::Black {
            self.fullmove += 1;
        }
        self.side = self.side.other();
    }
}

/// Ranks from the last to the first, empty squares as decimal runs.
fn parse_placement(text: &str) -> Vec<Option<Piece>> {
    let mut ranks: Vec<Vec<Option<Piece>>> = text.split('/').map(parse_rank).collect();
    assert!(ranks.len() == 14, "a board has fourteen ranks: {text}");
    ranks.reverse();
    ranks.concat()
}

pub fn parse_rank(text: &str) -> Vec<Option<Piece>> {
    let mut row = Vec::new();
    let mut run = String::new();
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            run.push(letter);
            continue;
        }
        end_run(&mut row, &mut run);
        let side = if letter.is_ascii_uppercase() {
            Side::White
        } else {
            Side::Black
        };
        row.push(Some(Piece {
            side,
            kind: Kind::from_letter(letter.to_ascii_uppercase()),
            unmoved: false,
        }));
    }
    end_run(&mut row, &mut run);
    assert!(row.len() == 14, "a rank has fourteen squares: {text}");
    row
}

/// Appends as many empty squares as the digits say, if there are any.
fn end_run(row: &mut Vec<Option<Piece>>, run: &mut String) {
    if run.is_empty() {
        return;
    }
    let empty: usize = run.parse().expect("a run of empty squares is a number");
    assert!(
        !run.starts_with('0') && empty <= 14,
        "a run of empty squares is 1 to 14: {run}"
    );
    row.extend((0..empty).map(|_| None));
    run.clear();
}

/// Boards side by side, from left to right as White sees them (SC-20). A single board has no neighbours.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Boards(Vec<Board>);

/// How pieces move.
impl Boards {
    fn at(&self, place: BoardSquare) -> Option<Piece> {
        self.0[place.board].cells[place.cell()]
    }

    fn has_side(&self, place: BoardSquare, side: Side) -> bool {
        self.at(place).is_some_and(|piece| piece.side == side)
    }

    /// All pieces of a board, from a1 to n1, then from a2 to n2, and so on.
    fn pieces(&self, board: usize) -> impl Iterator<Item = (BoardSquare, Piece)> {
        (0..)
            .zip(&self.0[board].cells)
            .filter_map(move |(cell, piece)| {
                Some((
                    BoardSquare {
                        board,
                        file: cell % SIZE,
                        rank: cell / SIZE,
                    },
                    (*piece)?,
                ))
            })
    }

    /// The squares of this side's pieces on a board.
    fn pieces_of(&self, board: usize, side: Side) -> impl Iterator<Item = BoardSquare> {
        self.pieces(board)
            .filter(move |(_, piece)| piece.side == side)
            .map(|(place, _)| place)
    }

    /// Where this side's king stands on a board, if it has one there.
    fn king_on(&self, board: usize, side: Side) -> Option<BoardSquare> {
        let king = Piece {
            side,
            kind: Kind::King,
            unmoved: false,
        };
        self.pieces(board)
            .find(|&(_, piece)| piece == king)
            .map(|(place, _)| place)
    }

    /// The square at this distance, on the same board or, across an edge, on the next one (SC-20: rank to rank).
    fn step(&self, from: BoardSquare, (files, ranks): (i32, i32)) -> Option<BoardSquare> {
        let rank = from.rank + ranks;
        if !(0..SIZE).contains(&rank) {
            return None;
        }
        let file = from.file + files;
        let (board, file) = if file < 0 {
            (from.board.checked_sub(1)?, file + SIZE)
        } else if file >= SIZE {
            (from.board + 1, file - SIZE)
        } else {
            (from.board, file)
        };
        (board < self.0.len()).then_some(BoardSquare { board, file, rank })
    }

    /// The squares that the piece on `from` attacks, whatever stands there and whoever is to move. SC-31 (a): attacks
    /// follow from the movement of pieces alone, and cross an edge as SC-21 lets pieces move.
    fn attacks(&self, from: BoardSquare) -> Vec<BoardSquare> {
        let Some(piece) = self.at(from) else {
            return Vec::new();
        };
        match piece.kind {
            Kind::King => self.king_attacks(from),
            Kind::Knight => self.knight_attacks(from),
            Kind::Pawn => {
                // SC-6b: one square diagonally forward; SC-21a: also across the edge.
                let forward = piece.side.forward();
                [(-1, forward), (1, forward)]
                    .into_iter()
                    .filter_map(|step| self.step(from, step))
                    .collect()
            }
            Kind::Queen | Kind::Rook | Kind::Bishop => piece
                .kind
                .lines()
                .into_iter()
                .flat_map(|line| self.line_attacks(from, line))
                .collect(),
        }
    }

    /// SC-22: the king never leaves its board, and does not give check across an edge.
    fn king_attacks(&self, from: BoardSquare) -> Vec<BoardSquare> {
        let steps = [STRAIGHT, DIAGONAL].concat();
        let squares = steps.into_iter().filter_map(|step| self.step(from, step));
        squares.filter(|to| to.board == from.board).collect()
    }

    /// SC-21a: a knight crosses an edge only from the file next to it.
    fn knight_attacks(&self, from: BoardSquare) -> Vec<BoardSquare> {
        let squares = JUMPS.into_iter().filter_map(|jump| self.step(from, jump));
        squares
            .filter(|to| {
                to.board == from.board
                    || (to.board > from.board && from.file == SIZE - 1)
                    || (to.board < from.board && from.file == 0)
            })
            .collect()
    }

    /// SC-21: along a clear line, stopping on the first square of the next board.
    fn line_attacks(&self, from: BoardSquare, line: (i32, i32)) -> Vec<BoardSquare> {
        let mut squares = Vec::new();
        let mut next = self.step(from, line);
        while let Some(place) = next {
            squares.push(place);
            let goes_on = place.board == from.board && self.at(place).is_none();
            next = if goes_on {
                self.step(place, line)
            } else {
                None
            };
        }
        squares
    }

    /// The squares to which the piece on `from` can move, ignoring the safety of kings and whose turn it is.
    fn targets(&self, from: BoardSquare) -> Vec<BoardSquare> {
        let Some(piece) = self.at(from) else {
            return Vec::new();
        };
        let mut squares = self.attacks(from);
        if piece.kind == Kind::Pawn {
            squares.retain(|&to| self.has_side(to, piece.side.other()));
            squares.extend(self.quiet_pawn_moves(from, piece));
        } else {
            squares.retain(|&to| !self.has_side(to, piece.side));
        }
        squares
    }

    fn quiet_pawn_moves(&self, from: BoardSquare, pawn: Piece) -> Vec<BoardSquare> {
        let is_empty = |place: &BoardSquare| self.at(*place).is_none();
        let forward = pawn.side.forward();
        let mut squares = Vec::new();
        // SC-5: one, two or three squares as long as they are empty; after its first move only one.
        let most = if pawn.unmoved { 3 } else { 1 };
        let ahead = (1..=most).map_while(|steps| self.step(from, (0, steps * forward)));
        squares.extend(ahead.take_while(is_empty));
        // SC-6: one square straight backward.
        squares.extend(self.step(from, (0, -forward)).filter(is_empty));
        // SC-6a: sideways on a road; SC-21a: also across the edge.
        if ROADS.contains(&from.rank) {
            squares.extend(
                [(-1, 0), (1, 0)]
                    .into_iter()
                    .filter_map(|step| self.step(from, step))
                    .filter(is_empty),
            );
        }
        squares
    }

    /// Moves a piece. Returns whether it captured. SC-5a, SC-23: a pawn counts as moved from now on.
    fn carry_out(&mut self, from: BoardSquare, to: BoardSquare) -> bool {
        let piece = self.at(from).expect("a move starts from a piece");
        let captures = self.at(to).is_some();
        self.0[from.board].cells[from.cell()] = None;
        self.0[to.board].cells[to.cell()] = Some(Piece {
            unmoved: false,
            ..piece
        });
        captures
    }

    /// Whether this side attacks the square, from its own board or a neighbouring one.
    fn is_attacked(&self, place: BoardSquare, by: Side) -> bool {
        (0..self.0.len())
            .filter(|board| board.abs_diff(place.board) <= 1)
            .flat_map(|board| self.pieces_of(board, by))
            .any(|from| from.is_near_or_in_line(place) && self.attacks(from).contains(&place))
    }

    /// A move in the notation of records, without its suffix. `legal` has the legal moves from the same board.
    fn san(
        &self,
        from: BoardSquare,
        to: BoardSquare,
        legal: &[(BoardSquare, BoardSquare)],
    ) -> String {
        let kind = self.at(from).expect("a move starts from a piece").kind;
        let captures = self.at(to).is_some();
        let mut san = String::new();
        if kind != Kind::Pawn {
            san.push(kind.letter());
        }
        let origin = self.disambiguation(from, to, legal);
        if kind == Kind::Pawn && captures && origin.is_empty() {
            san.push(from.file_letter());
        }
        san += &origin;
        if captures {
            san.push('x');
        }
        san + &to.name()
    }

    /// As much of `from` as distinguishes this move from every other legal move of the same kind of piece to the same
    /// square of the same board: nothing, or the file, or the rank, or both, in that order of preference.
    fn disambiguation(
        &self,
        from: BoardSquare,
        to: BoardSquare,
        legal: &[(BoardSquare, BoardSquare)],
    ) -> String {
        let kind_at = |place: BoardSquare| self.at(place).map(|piece| piece.kind);
        let rivals: Vec<BoardSquare> = legal
            .iter()
            .filter(|&&(rival, target)| {
                target == to && rival != from && kind_at(rival) == kind_at(from)
            })
            .map(|&(rival, _)| rival)
            .collect();
        if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|rival| rival.file != from.file) {
            from.file_letter().to_string()
        } else if rivals.iter().all(|rival| rival.rank != from.rank) {
            from.rank_number()
        } else {
            from.name()
        }
    }
}

/// A position on one board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct One {
    boards: Boards,
}

impl One {
    /// Reads a FEN.
    ///
    /// # Panics
    ///
    /// If the text is not a position of one board in which each side has a king, and the side that has moved is not in
    /// check.
    pub fn parse(fen: &str) -> One {
        let one = One {
            boards: Boards(vec![Board::parse(fen)]),
        };
        for side in Side::BOTH {
            assert!(
                one.boards.king_on(0, side).is_some(),
                "each side has a king: {fen}"
            );
        }
        assert!(
            !one.king_attacked(one.side().other()),
            "a king in check is to move: {fen}"
        );
        one
    }

    /// Writes the FEN.
    pub fn fen(&self) -> String {
        self.board().fen()
    }

    /// The moves that [`perft`](One::perft) counts, in coordinates, sorted by bytes. GEN-6: neither a dead position nor
    /// the seventy-five moves empty the list; [`status`](One::status) reports them.
    pub fn moves(&self) -> Vec<String> {
        let mut moves: Vec<String> = self.legal().into_iter().map(coordinates).collect();
        moves.sort();
        moves
    }

    /// The position after a move.
    ///
    /// # Panics
    ///
    /// If the move is not among the [`moves`](One::moves).
    pub fn play(&self, coord: &str) -> One {
        let (from, to) = self.find(coord);
        self.after(from, to)
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.king_attacked(self.side())
    }

    /// The number of sequences of this many legal moves.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.legal()
            .into_iter()
            .map(|(from, to)| self.after(from, to).perft(depth - 1))
            .sum()
    }

    /// The [`perft`](One::perft) of this depth for each move, sorted as in [`moves`](One::moves).
    pub fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        assert!(depth > 0, "nothing to divide at depth 0");
        let lines = |coord: &String| self.play(coord).perft(depth - 1);
        self.moves()
            .into_iter()
            .map(|coord| (coord.clone(), lines(&coord)))
            .collect()
    }

    /// A move in the notation of records.
    ///
    /// # Panics
    ///
    /// If the move is not among the [`moves`](One::moves).
    pub fn san(&self, coord: &str) -> String {
        let (from, to) = self.find(coord);
        let next = self.after(from, to);
        let suffix = match (next.in_check(), next.legal().is_empty()) {
            (true, true) => "#",
            (true, false) => "+",
            (false, _) => "",
        };
        self.boards.san(from, to, &self.legal()) + suffix
    }

    /// `mate`, `stalemate`, `dead`, `seventyfive`, `check` or `ongoing`. GEN-7: mate and stalemate come
    /// first.
    pub fn status(&self) -> &'static str {
        match (self.in_check(), self.legal().is_empty()) {
            (true, true) => "mate",
            (false, true) => "stalemate",
            _ if self.is_dead() => "dead",
            // SC-11: seventy-five moves by each side without a capture.
            _ if self.board().halfmove >= 150 => "seventyfive",
            (true, false) => "check",
            (false, false) => "ongoing",
        }
    }

    fn board(&self) -> &Board {
        &self.boards.0[0]
    }

    fn side(&self) -> Side {
        self.board().side
    }

    fn king_attacked(&self, side: Side) -> bool {
        let king = self.boards.king_on(0, side).expect("each side has a king");
        self.boards.is_attacked(king, side.other())
    }

    /// SC-4: as in orthodox chess, no move leaves the mover's own king attacked.
    fn legal(&self) -> Vec<(BoardSquare, BoardSquare)> {
        let mut moves = Vec::new();
        for from in self.boards.pieces_of(0, self.side()) {
            moves.extend(self.boards.targets(from).into_iter().map(|to| (from, to)));
        }
        moves.retain(|&(from, to)| !self.after(from, to).king_attacked(self.side()));
        moves
    }

    fn after(&self, from: BoardSquare, to: BoardSquare) -> One {
        let mut next = self.clone();
        let captures = next.boards.carry_out(from, to);
        let board = &mut next.boards.0[0];
        board.pass_turn();
        // SC-11: captures reset the count, pawn moves do not.
        if captures {
            board.halfmove = 0;
        }
        next
    }

    /// SC-11: the positions in which no mate is possible.
    fn is_dead(&self) -> bool {
        let others: Vec<(Kind, i32)> = self
            .boards
            .pieces(0)
            .map(|(place, piece)| (piece.kind, (place.file + place.rank) % 2))
            .filter(|&(kind, _)| kind != Kind::King)
            .collect();
        match others[..] {
            [] => true,
            [(kind, _)] => matches!(kind, Kind::Knight | Kind::Bishop | Kind::Pawn),
            [(_, colour), ..] => others.iter().all(|&other| other == (Kind::Bishop, colour)),
        }
    }

    fn find(&self, coord: &str) -> (BoardSquare, BoardSquare) {
        let found = self
            .legal()
            .into_iter()
            .find(|&ply| coordinates(ply) == coord);
        found.unwrap_or_else(|| panic!("{coord} is not legal in {}", self.fen()))
    }
}

fn coordinates((from, to): (BoardSquare, BoardSquare)) -> String {
    from.name() + &to.name()
}
