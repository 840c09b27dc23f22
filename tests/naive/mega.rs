//! Mega-Chess and Recursive-Chess(N): a second implementation, as plain as possible.
//!
//! Written from the rules page alone and sharing nothing with the library, so that each can check the other; only the
//! games of chess at the bottom are shakmaty's. A level is a value that holds the boards of the level below; a ply is
//! played on a copy of everything. Nothing here is fast.

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, File, Position, Rank, Role, Square,
    fen::{Epd, Fen},
};
use std::{borrow::Cow, rc::Rc};

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

/// The castling rights in the order of a FEN: the side, and the squares of King and Rook.
const CASTLINGS: [(Color, Square, Square, char); 4] = [
    (Color::White, Square::E1, Square::H1, 'K'),
    (Color::White, Square::E1, Square::A1, 'Q'),
    (Color::Black, Square::E8, Square::H8, 'k'),
    (Color::Black, Square::E8, Square::A8, 'q'),
];

/// The initial position of every level, without its boards.
const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// How a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Won(Color),
    Drawn,
}

/// A game that is a mega-piece of the level above.
#[derive(Clone, Debug)]
enum Board {
    Chess {
        position: Chess,
        /// The positions of this board, for the fivefold repetition.
        seen: Vec<String>,
    },
    Mega(Naive),
}

#[derive(Clone, Debug)]
enum State {
    Neutral(Rc<Board>),
    Armed,
    Disarmed,
    Dethroned,
}

/// A mega-piece.
#[derive(Clone, Debug)]
struct Piece {
    side: Color,
    role: Role,
    state: State,
}

/// One act of the side to move.
#[derive(Clone, Debug)]
enum Ply {
    /// A move of a game of chess.
    Chess(shakmaty::Move),
    /// A ply on the board of a mega-square.
    On(Square, Box<Ply>),
    /// The board of a mega-square is drawn in place of a move on it (MG-13).
    Draw(Square),
    /// A mega-move; castling is a move of the King over two squares.
    Mega {
        from: Square,
        to: Square,
        promotes: Option<Role>,
    },
    Pass,
}

/// A position of Recursive-Chess of level 1 or more.
#[derive(Clone, Debug)]
pub struct Naive {
    level: u32,
    /// Whether both players may move on any board in their own turn (MG-18).
    free: bool,
    cells: Vec<Option<Piece>>,
    side: Color,
    /// The castling rights that are left, in the order of [`CASTLINGS`].
    rights: [bool; 4],
    /// The square that a pawn passed with a double step in the last turn.
    passed: Option<Square>,
    half: u32,
    full: u32,
    /// The boards that were moved on or drawn in this turn.
    used: Vec<Square>,
    /// Those of them that were drawn in place of a move; the text marks them with `=` until a move has been made.
    drawn: Vec<Square>,
    /// The positions after each turn, for the fivefold repetition.
    seen: Vec<String>,
}

/// Games of any level, chess among them.
impl Board {
    fn start(level: u32, free: bool) -> Board {
        Board::parse(level, free, ARRAY)
    }

    fn parse(level: u32, free: bool, text: &str) -> Board {
        if level > 0 {
            return Board::Mega(Naive::parse_under(level, free, text));
        }
        let fen: Fen = text
            .parse()
            .unwrap_or_else(|_| panic!("{text:?} is no FEN"));
        let position = fen
            .into_position(CastlingMode::Standard)
            .expect("a board in play can occur in play");
        let seen = vec![chess_key(&position)];
        Board::Chess { position, seen }
    }

    fn text(&self) -> String {
        match self {
            Board::Chess { position, .. } => {
                Fen::from_position(position, EnPassantMode::Legal).to_string()
            }
            Board::Mega(game) => game.text(),
        }
    }

    /// What repetition compares (GEN-4, MG-16).
    fn key(&self) -> String {
        match self {
            Board::Chess { position, .. } => chess_key(position),
            Board::Mega(game) => game.key(),
        }
    }

    fn to_move(&self) -> Color {
        match self {
            Board::Chess { position, .. } => position.turn(),
            Board::Mega(game) => game.side,
        }
    }

    /// Whether the King or mega-King of a side is in check or mega-check on this board.
    fn checks(&self, side: Color) -> bool {
        match self {
            Board::Chess { position, .. } => {
                let king = position
                    .board()
                    .king_of(side)
                    .expect("each side has a King");
                !position
                    .king_attackers(king, side.other(), position.board().occupied())
                    .is_empty()
            }
            Board::Mega(game) => game.attacks_king(side.other()),
        }
    }

    /// The board with this side to move, for a side that moved last and moves again (MG-18): nothing can be taken in
    /// passing then.
    fn given_to(&self, side: Color) -> Cow<'_, Board> {
        if self.to_move() == side {
            return Cow::Borrowed(self);
        }
        Cow::Owned(match self {
            Board::Chess { position, seen } => {
                let position = position
                    .clone()
                    .swap_turn()
                    .expect("the waiting King is not in check");
                Board::Chess {
                    position,
                    seen: seen.clone(),
                }
            }
            Board::Mega(game) => Board::Mega(Naive {
                side,
                passed: None,
                ..game.clone()
            }),
        })
    }

    /// Whether a turn on this board is incomplete.
    fn is_open(&self) -> bool {
        match self {
            Board::Chess { .. } => false,
            Board::Mega(game) => game.turn_has_begun(),
        }
    }

    fn plies(&self) -> Vec<Ply> {
        match self {
            Board::Chess { position, .. } => {
                position.legal_moves().into_iter().map(Ply::Chess).collect()
            }
            Board::Mega(game) => game.plies(),
        }
    }

    /// Whether there is a legal ply.
    fn has_ply(&self) -> bool {
        match self {
            Board::Chess { position, .. } => !position.legal_moves().is_empty(),
            Board::Mega(game) => game.has_ply(),
        }
    }

    /// The legal plies on the board at the end of a path, including passes and draws.
    fn acts_on(&self, way: &[Square]) -> Vec<Ply> {
        match self {
            Board::Chess { .. } if way.is_empty() => self.plies(),
            Board::Chess { .. } => Vec::new(),
            Board::Mega(game) => game.acts(way),
        }
    }

    fn draws(&self) -> Vec<Ply> {
        match self {
            Board::Chess { .. } => Vec::new(),
            Board::Mega(game) => game.draws(),
        }
    }

    fn passes(&self) -> Vec<Ply> {
        match self {
            Board::Chess { .. } => Vec::new(),
            Board::Mega(game) => game.passes(),
        }
    }

    fn after(&self, ply: &Ply) -> Board {
        match (self, ply) {
            (Board::Chess { position, seen }, Ply::Chess(m)) => {
                let (mut position, mut seen) = (position.clone(), seen.clone());
                position.play_unchecked(*m);
                seen.push(chess_key(&position));
                Board::Chess { position, seen }
            }
            (Board::Mega(game), ply) => Board::Mega(game.after(ply)),
            (Board::Chess { .. }, other) => panic!("{other:?} is not a move of chess"),
        }
    }

    /// How the game on this board has ended; only meaningful after a complete turn.
    fn end(&self) -> Option<End> {
        match self {
            Board::Chess { position, seen } => chess_end(position, seen),
            Board::Mega(game) => game.end(),
        }
    }
}

fn chess_key(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

/// The end of a game of chess: mate and stalemate, then the automatic draws (GEN-3, GEN-7).
fn chess_end(position: &Chess, seen: &[String]) -> Option<End> {
    if position.legal_moves().is_empty() {
        let mated = position.is_check();
        return Some(if mated {
            End::Won(position.turn().other())
        } else {
            End::Drawn
        });
    }
    let drawn =
        position.is_insufficient_material() || position.halfmoves() >= 150 || times_seen(seen) >= 5;
    drawn.then_some(End::Drawn)
}

/// How often the last of these has occurred.
fn times_seen(seen: &[String]) -> usize {
    seen.iter().filter(|key| Some(*key) == seen.last()).count()
}

impl Piece {
    fn is_armed(&self) -> bool {
        matches!(self.state, State::Armed)
    }

    /// Whether an armed piece may capture this one (MG-7, MG-8).
    fn is_capturable(&self) -> bool {
        self.role != Role::King && matches!(self.state, State::Armed | State::Disarmed)
    }

    fn board(&self) -> Option<&Board> {
        match &self.state {
            State::Neutral(board) => Some(board),
            _ => None,
        }
    }

    fn letter(&self) -> char {
        match self.side {
            Color::White => self.role.upper_char(),
            Color::Black => self.role.char(),
        }
    }

    /// The directions in which this mega-piece moves any distance.
    fn lines(&self) -> Vec<(i32, i32)> {
        match self.role {
            Role::Queen => [STRAIGHT, DIAGONAL].concat(),
            Role::Rook => STRAIGHT.to_vec(),
            Role::Bishop => DIAGONAL.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The single steps of this mega-piece; a pawn's are those with which it captures.
    fn steps(&self) -> Vec<(i32, i32)> {
        match self.role {
            Role::King => [STRAIGHT, DIAGONAL].concat(),
            Role::Knight => LEAPS.to_vec(),
            Role::Pawn => vec![(-1, forward(self.side)), (1, forward(self.side))],
            _ => Vec::new(),
        }
    }
}

fn forward(side: Color) -> i32 {
    if side.is_white() { 1 } else { -1 }
}

/// The square at this distance, if it is on the board.
fn step(from: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    let file = u32::try_from(i32::from(from.file()) + files)
        .ok()
        .filter(|file| *file < 8)?;
    let rank = u32::try_from(i32::from(from.rank()) + ranks)
        .ok()
        .filter(|rank| *rank < 8)?;
    Some(Square::from_coords(File::new(file), Rank::new(rank)))
}

/// A mega-square, named with a capital file.
pub fn name(square: Square) -> String {
    square.to_string().to_uppercase()
}

fn square(text: &str) -> Square {
    text.to_lowercase()
        .parse()
        .unwrap_or_else(|_| panic!("{text:?} is not a mega-square"))
}

/// Reading and writing positions.
impl Naive {
    /// Reads the text of a position of this level, 1 or more.
    ///
    /// # Panics
    ///
    /// On anything that is not the text of a position that can occur in play.
    pub fn parse(level: u32, text: &str) -> Naive {
        Naive::parse_under(level, false, text)
    }

    /// The same, with free turns (MG-18) or without.
    ///
    /// # Panics
    ///
    /// On anything that is not the text of a position that can occur in play.
    pub fn parse_under(level: u32, free: bool, text: &str) -> Naive {
        let naive = Naive::read(level, free, text);
        if let Some(fault) = naive.fault() {
            panic!("{fault}: {text}");
        }
        Naive {
            seen: vec![naive.key()],
            ..naive
        }
    }

    /// Reads a text, whether or not its position can occur in play; see [`fault`](Naive::fault).
    ///
    /// # Panics
    ///
    /// On a text that cannot be read.
    pub fn read(level: u32, free: bool, text: &str) -> Naive {
        let mut fields = text.splitn(8, ' ');
        let mut next = |or: &'static str| fields.next().unwrap_or(or);
        let (placement, side, castling) = (next("8"), next("w"), next("-"));
        let (passed, half, full, used, braces) =
            (next("-"), next("0"), next("1"), next("-"), next("{}"));
        let mut naive = Naive {
            level,
            free,
            cells: parse_placement(level, free, placement),
            side: Color::from_char(side.chars().next().unwrap_or(' '))
                .expect("the side to move is w or b"),
            rights: CASTLINGS.map(|(_, _, _, letter)| castling.contains(letter)),
            passed: (passed != "-").then(|| square(passed)),
            half: half.parse().expect("the count is a number"),
            full: full.parse().expect("the turn is a number"),
            used: used
                .split(',')
                .filter(|name| *name != "-")
                .map(|name| square(name.trim_end_matches('=')))
                .collect(),
            drawn: used
                .split(',')
                .filter_map(|name| name.strip_suffix('='))
                .map(square)
                .collect(),
            seen: Vec::new(),
        };
        naive.parse_boards(braces);
        naive
    }

    fn parse_boards(&mut self, braces: &str) {
        let body = braces
            .strip_prefix('{')
            .and_then(|body| body.strip_suffix('}'));
        for item in items(body.unwrap_or_else(|| panic!("braces around {braces:?}"))) {
            let (place, text) = item
                .split_once(": ")
                .unwrap_or_else(|| panic!("{item:?} is not a board"));
            let state = match text {
                "armed" => State::Armed,
                "disarmed" => State::Disarmed,
                "dethroned" => State::Dethroned,
                board => State::Neutral(Rc::new(Board::parse(self.level - 1, self.free, board))),
            };
            let piece = self.cells[square(place) as usize]
                .as_mut()
                .expect("a state is a mega-piece's");
            piece.state = state;
        }
    }

    /// Why this position cannot occur in play, if that can be seen directly.
    pub fn fault(&self) -> Option<&'static str> {
        let all = || self.cells.iter().flatten();
        let kings = |side| {
            all()
                .filter(|piece| piece.role == Role::King && piece.side == side)
                .count()
        };
        if kings(Color::White) != 1 || kings(Color::Black) != 1 {
            return Some("each side has one mega-King");
        }
        if all().any(|piece| matches!(piece.state, State::Dethroned) && piece.role != Role::King) {
            return Some("only a King is dethroned");
        }
        let edge = |at: &Square| at.rank() == Rank::First || at.rank() == Rank::Eighth;
        let is_pawn = |at| self.at(at).is_some_and(|piece| piece.role == Role::Pawn);
        if Square::ALL.into_iter().filter(edge).any(is_pawn) {
            return Some("no mega-pawn stands on the edge");
        }
        if (0..4).any(|right| self.rights[right] && !self.is_at_home(right)) {
            return Some("castling needs King and Rook at home");
        }
        if self
            .boards()
            .into_iter()
            .any(|(_, board)| board.end().is_some())
        {
            return Some("a board in play is not over");
        }
        if self.attacks_king(self.side) {
            return Some("the side that has moved is in mega-check");
        }
        if self.turn_has_begun() && (self.in_check() || self.turn_is_complete()) {
            return Some("the turn is complete, or could not have begun");
        }
        None
    }

    /// Whether the King and Rook of a castling right stand on their squares, and the King is not dethroned.
    fn is_at_home(&self, right: usize) -> bool {
        let (side, king, rook, _) = CASTLINGS[right];
        let is = |at, role| {
            self.at(at)
                .filter(|piece| piece.side == side && piece.role == role)
        };
        is(rook, Role::Rook).is_some()
            && is(king, Role::King).is_some_and(|king| !matches!(king.state, State::Dethroned))
    }

    /// Writes the position.
    pub fn text(&self) -> String {
        let mut boards = Vec::new();
        let start = Board::start(self.level - 1, self.free).text();
        for at in Square::ALL {
            let Some(piece) = self.at(at) else { continue };
            let state = match &piece.state {
                State::Neutral(board) => board.text(),
                State::Armed => "armed".into(),
                State::Disarmed => "disarmed".into(),
                State::Dethroned => "dethroned".into(),
            };
            if state != start {
                boards.push(format!("{}: {state}", name(at)));
            }
        }
        boards.sort();
        let mark = if self.drawn.len() == self.used.len() {
            "="
        } else {
            ""
        };
        let mut used: Vec<String> = self.used.iter().map(|at| name(*at) + mark).collect();
        used.sort();
        let used = if used.is_empty() {
            "-".into()
        } else {
            used.join(",")
        };
        format!(
            "{} {} {} {used} {{{}}}",
            self.fields(),
            self.half,
            self.full,
            boards.join("; ")
        )
    }

    /// Placement, side to move, castling rights, and the square where a pawn can be taken in passing now.
    fn fields(&self) -> String {
        let ranks: Vec<String> = (0..8).rev().map(|rank| self.rank_text(rank)).collect();
        let rights: String = (0..4)
            .filter(|at| self.rights[*at])
            .map(|at| CASTLINGS[at].3)
            .collect();
        let rights = if rights.is_empty() {
            "-".into()
        } else {
            rights
        };
        let passed = self
            .passed
            .filter(|_| self.plies().iter().any(|ply| self.is_en_passant(ply)));
        let passed = passed.map_or("-".into(), name);
        format!("{} {} {rights} {passed}", ranks.join("/"), self.side.char())
    }

    fn rank_text(&self, rank: u32) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..8 {
            match self.at(Square::from_coords(File::new(file), Rank::new(rank))) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text += &empty.to_string();
                        empty = 0;
                    }
                    text.push(piece.letter());
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }

    /// What repetition compares (MG-16).
    fn key(&self) -> String {
        let mut key = self.fields();
        for piece in self.cells.iter().flatten() {
            let state = match &piece.state {
                State::Neutral(board) => board.key(),
                State::Armed => "armed".into(),
                State::Disarmed => "disarmed".into(),
                State::Dethroned => "dethroned".into(),
            };
            key += &format!(" {{{state}}}");
        }
        key
    }
}

fn parse_placement(level: u32, free: bool, placement: &str) -> Vec<Option<Piece>> {
    let fresh = Rc::new(Board::start(level - 1, free));
    let mut cells = Vec::new();
    let ranks: Vec<&str> = placement.split('/').collect();
    for rank in ranks.iter().rev() {
        for letter in rank.chars() {
            if let Some(empty) = letter.to_digit(10) {
                cells.extend((0..empty).map(|_| None));
                continue;
            }
            let role =
                Role::from_char(letter).unwrap_or_else(|| panic!("no mega-piece is {letter:?}"));
            let side = Color::from_white(letter.is_ascii_uppercase());
            cells.push(Some(Piece {
                side,
                role,
                state: State::Neutral(fresh.clone()),
            }));
        }
    }
    assert!(
        ranks.len() == 8 && cells.len() == 64,
        "a mega-board has 64 squares: {placement}"
    );
    cells
}

/// The items between semicolons; inner braces are not split.
fn items(body: &str) -> Vec<&str> {
    let (mut items, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, sign) in body.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ';' if depth == 0 => {
                items.push(&body[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    items.push(&body[from..]);
    items
        .into_iter()
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .collect()
}

/// Pieces, boards and attacks.
impl Naive {
    fn at(&self, square: Square) -> Option<&Piece> {
        self.cells[square as usize].as_ref()
    }

    fn pieces(&self, side: Color) -> impl Iterator<Item = (Square, &Piece)> {
        let all = Square::ALL
            .into_iter()
            .filter_map(|square| Some((square, self.at(square)?)));
        all.filter(move |(_, piece)| piece.side == side)
    }

    fn king(&self, side: Color) -> Square {
        let mut pieces = self.pieces(side);
        pieces
            .find(|(_, piece)| piece.role == Role::King)
            .expect("each side has a mega-King")
            .0
    }

    /// The boards in play, of both sides.
    fn boards(&self) -> Vec<(Square, &Board)> {
        let all = Square::ALL
            .into_iter()
            .filter_map(|square| Some((square, self.at(square)?.board()?)));
        all.collect()
    }

    /// The squares that a mega-piece reaches along its lines and by its steps; each line ends with the first mega-piece
    /// on it.
    fn reach(&self, piece: &Piece, from: Square) -> Vec<Square> {
        let mut squares: Vec<Square> = piece
            .steps()
            .into_iter()
            .filter_map(|by| step(from, by))
            .collect();
        for line in piece.lines() {
            let mut next = step(from, line);
            while let Some(square) = next {
                squares.push(square);
                next = if self.at(square).is_none() {
                    step(square, line)
                } else {
                    None
                };
            }
        }
        squares
    }

    /// Whether an armed mega-piece of a side attacks a square (MG-8).
    fn attacks(&self, side: Color, target: Square) -> bool {
        let mut armed = self.pieces(side).filter(|(_, piece)| piece.is_armed());
        armed.any(|(from, piece)| self.reach(piece, from).contains(&target))
    }

    /// Whether a side gives mega-check to the other.
    fn attacks_king(&self, side: Color) -> bool {
        self.attacks(side, self.king(side.other()))
    }
}

/// Turns.
impl Naive {
    fn turn_has_begun(&self) -> bool {
        !self.used.is_empty() || self.open().is_some()
    }

    /// The board on which a turn is incomplete: it must be completed first (MG-21).
    fn open(&self) -> Option<Square> {
        self.boards()
            .into_iter()
            .find(|(_, board)| board.is_open())
            .map(|(at, _)| at)
    }

    /// The legal plies, without the draws of MG-13 and without a pass if there are mega-moves: lists of plies contain
    /// the pass only if it is the only ply.
    fn plies(&self) -> Vec<Ply> {
        if self.turn_has_begun() {
            return self.board_plies();
        }
        let mega_moves = self.mega_moves();
        if self.in_check() {
            return mega_moves;
        }
        let mut plies = self.board_plies();
        plies.extend(mega_moves);
        if self.may_pass() {
            plies.push(Ply::Pass);
        }
        plies
    }

    /// Whether the side to move may pass (MG-3).
    fn may_pass(&self) -> bool {
        let free = !self.turn_has_begun() && !self.in_check() && !self.boards().is_empty();
        free && !self.has_board_ply()
    }

    /// Whether [`plies`](Naive::plies) would list any, found without listing all.
    fn has_ply(&self) -> bool {
        if self.turn_has_begun() {
            return self.has_board_ply();
        }
        !self.mega_moves().is_empty()
            || (!self.in_check() && (self.has_board_ply() || self.may_pass()))
    }

    fn has_board_ply(&self) -> bool {
        let open = self.open();
        let mut boards = Square::ALL
            .into_iter()
            .filter(|at| open.is_none_or(|open| open == *at));
        boards.any(|at| match self.free_board(at) {
            Some(_) if self.must_not_be_won(at) => !self.plies_on(at).is_empty(),
            Some(board) => board.has_ply(),
            None => false,
        })
    }

    /// The legal plies on the board at the end of a path, including passes and draws.
    fn acts(&self, way: &[Square]) -> Vec<Ply> {
        let begun = self.turn_has_begun();
        let Some((at, rest)) = way.split_first() else {
            let mut own = if begun { Vec::new() } else { self.mega_moves() };
            own.extend(self.may_pass().then_some(Ply::Pass));
            return own;
        };
        let open = self.open();
        if (!begun && self.in_check()) || open.is_some_and(|open| open != *at) {
            return Vec::new();
        }
        let mut acts = self.inside(*at, |board| board.acts_on(rest));
        let may_be_drawn = || self.free_board(*at).is_some() && self.may_be_drawn(*at);
        if rest.is_empty() && open.is_none() && may_be_drawn() {
            acts.push(Ply::Draw(*at));
        }
        acts
    }

    /// The legal passes, on this board and on boards inside.
    fn passes(&self) -> Vec<Ply> {
        let mut passes = if self.may_pass() {
            vec![Ply::Pass]
        } else {
            Vec::new()
        };
        if self.turn_has_begun() || !self.in_check() {
            let open = self.open();
            let boards = Square::ALL
                .into_iter()
                .filter(|at| open.is_none_or(|open| open == *at));
            passes.extend(boards.flat_map(|at| self.inside(at, Board::passes)));
        }
        passes
    }

    fn board_plies(&self) -> Vec<Ply> {
        let open = self.open();
        let boards = Square::ALL
            .into_iter()
            .filter(|at| open.is_none_or(|open| open == *at));
        boards.flat_map(|at| self.plies_on(at)).collect()
    }

    /// The board of a square with the side to move on move there, if it may still move there in this turn: it is its
    /// turn there (MG-3), or turns are free and the opponent's King is not in check there (MG-18). A turn that has
    /// begun there continues.
    fn free_board(&self, at: Square) -> Option<Cow<'_, Board>> {
        let board = self.at(at)?.board()?;
        let may_move =
            board.to_move() == self.side || (self.free && !board.checks(self.side.other()));
        (may_move && !self.used.contains(&at)).then(|| board.given_to(self.side))
    }

    /// The legal plies on the board of a square (MG-3, MG-10).
    fn plies_on(&self, at: Square) -> Vec<Ply> {
        self.inside(at, Board::plies)
    }

    /// Those plies of a board that this game allows (MG-10).
    fn inside(&self, at: Square, own: impl Fn(&Board) -> Vec<Ply>) -> Vec<Ply> {
        let Some(board) = self.free_board(at) else {
            return Vec::new();
        };
        let mut plies = own(&board);
        if self.must_not_be_won(at) {
            plies.retain(|ply| can_end_unwon(&board.after(ply), self.side));
        }
        plies
            .into_iter()
            .map(|ply| Ply::On(at, Box::new(ply)))
            .collect()
    }

    /// Whether winning this board would expose the player's own mega-King (MG-10).
    fn must_not_be_won(&self, at: Square) -> bool {
        let mut won = self.clone();
        won.board_is_won(at, self.side);
        won.attacks_king(self.side.other())
    }

    fn turn_is_complete(&self) -> bool {
        let goes_on = self.used.len() < 8 && self.has_board_ply();
        self.open().is_none() && !goes_on
    }

    /// The legal draws in place of a move (MG-13): the turn has or will have a move on another board.
    fn draws(&self) -> Vec<Ply> {
        if !self.turn_has_begun() && self.in_check() {
            return Vec::new();
        }
        let mut draws = Vec::new();
        let open = self.open();
        for at in Square::ALL
            .into_iter()
            .filter(|at| open.is_none_or(|open| open == *at))
        {
            draws.extend(self.inside(at, Board::draws));
            if open.is_none() && self.free_board(at).is_some() && self.may_be_drawn(at) {
                draws.push(Ply::Draw(at));
            }
        }
        draws
    }

    fn may_be_drawn(&self, at: Square) -> bool {
        let mut drawn = self.clone();
        drawn.used.push(at);
        self.used.len() > self.drawn.len() || !drawn.turn_is_complete()
    }

    /// The position after a legal ply.
    fn after(&self, ply: &Ply) -> Naive {
        let mut next = self.clone();
        match ply {
            Ply::On(at, ply) => next.carry_out_on(*at, ply),
            Ply::Draw(at) => next.carry_out_draw(*at),
            Ply::Mega { .. } => {
                next = self.after_mega_move(ply);
                next.end_turn(self.passed_by(ply));
            }
            Ply::Pass => {
                next.half += 1;
                next.end_turn(None);
            }
            Ply::Chess(m) => panic!("{m:?} names no board"),
        }
        next
    }

    fn carry_out_on(&mut self, at: Square, ply: &Ply) {
        let board = self
            .at(at)
            .and_then(Piece::board)
            .expect("a board in play")
            .given_to(self.side)
            .after(ply);
        let complete = board.to_move() != self.side;
        let end = if complete { board.end() } else { None };
        self.set_state(at, State::Neutral(Rc::new(board)));
        if !complete {
            return;
        }
        match end {
            Some(End::Won(winner)) => self.board_is_won(at, winner),
            Some(End::Drawn) => self.set_state(at, State::Disarmed),
            None => {}
        }
        self.use_board(at);
    }

    fn carry_out_draw(&mut self, at: Square) {
        self.set_state(at, State::Disarmed);
        self.drawn.push(at);
        self.use_board(at);
    }

    fn use_board(&mut self, at: Square) {
        self.used.push(at);
        if self.turn_is_complete() {
            self.half = 0;
            self.end_turn(None);
        }
    }

    fn set_state(&mut self, at: Square, state: State) {
        self.cells[at as usize]
            .as_mut()
            .expect("a mega-piece")
            .state = state;
    }

    /// The consequence for a mega-piece whose board is won (MG-6).
    fn board_is_won(&mut self, at: Square, winner: Color) {
        let Some(piece) = self.at(at) else { return };
        if piece.side == winner {
            self.set_state(at, State::Armed);
        } else if piece.role == Role::King {
            self.set_state(at, State::Dethroned);
            self.drop_rights(at);
        } else {
            self.cells[at as usize] = None;
            self.drop_rights(at);
        }
    }

    /// Removes the castling rights that depend on the piece on this square.
    fn drop_rights(&mut self, at: Square) {
        for (index, (_, king, rook, _)) in CASTLINGS.into_iter().enumerate() {
            if at == king || at == rook {
                self.rights[index] = false;
            }
        }
    }

    fn end_turn(&mut self, passed: Option<Square>) {
        self.passed = passed;
        self.used.clear();
        self.drawn.clear();
        self.full += u32::from(self.side.is_black());
        self.side = self.side.other();
        self.seen.push(self.key());
    }

    /// How this game has ended; only meaningful after a complete turn (MG-12, MG-14, MG-15).
    fn end(&self) -> Option<End> {
        let stuck = self.mega_moves().is_empty() && (self.in_check() || self.boards().is_empty());
        if stuck {
            return Some(End::Won(self.side.other()));
        }
        (self.is_dead() || self.half >= 150 || times_seen(&self.seen) >= 5).then_some(End::Drawn)
    }

    fn is_dead(&self) -> bool {
        let left: Vec<&State> = self
            .cells
            .iter()
            .flatten()
            .map(|piece| &piece.state)
            .collect();
        matches!(
            left[..],
            [State::Armed, State::Armed] | [State::Disarmed, State::Disarmed]
        )
    }
}

/// Whether a turn on a board can be completed without the player winning that board.
fn can_end_unwon(board: &Board, side: Color) -> bool {
    if board.to_move() != side {
        return board.end() != Some(End::Won(side));
    }
    board
        .plies()
        .iter()
        .any(|ply| can_end_unwon(&board.after(ply), side))
}

/// Mega-moves.
impl Naive {
    /// The legal mega-moves: the player's own mega-King is safe after them and after the forfeits they bring (MG-10,
    /// MG-11).
    fn mega_moves(&self) -> Vec<Ply> {
        let mut plies = self.castlings();
        for (from, piece) in self.pieces(self.side) {
            for to in self.mega_targets(from, piece) {
                let last = piece.role == Role::Pawn && step(to, (0, forward(self.side))).is_none();
                let choices = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].map(Some);
                let choices = if last { &choices[..] } else { &[None] };
                plies.extend(
                    choices
                        .iter()
                        .map(|&promotes| Ply::Mega { from, to, promotes }),
                );
            }
        }
        plies.retain(|ply| !self.after_mega_move(ply).attacks_king(self.side.other()));
        plies
    }

    /// Where a mega-piece can go, ignoring the safety of its own King.
    fn mega_targets(&self, from: Square, piece: &Piece) -> Vec<Square> {
        if matches!(piece.state, State::Dethroned) {
            return Vec::new();
        }
        let mut targets = self.reach(piece, from);
        targets.retain(|&to| match self.at(to) {
            None if piece.role == Role::Pawn => {
                piece.is_armed() && self.can_take_in_passing(from, to)
            }
            None => true,
            Some(victim) => piece.is_armed() && victim.side != piece.side && victim.is_capturable(),
        });
        if piece.role == Role::Pawn {
            targets.extend(self.pawn_steps(from, piece));
        }
        targets
    }

    fn pawn_steps(&self, from: Square, piece: &Piece) -> Vec<Square> {
        let free = |at: &Square| self.at(*at).is_none();
        let ahead = (0, forward(piece.side));
        let one = step(from, ahead).filter(free);
        let two = one.and_then(|one| step(one, ahead)).filter(free);
        let first = from.rank()
            == if piece.side.is_white() {
                Rank::Second
            } else {
                Rank::Seventh
            };
        let into_last = |to: &Square| step(*to, ahead).is_none();
        let one = one.filter(|to| piece.is_armed() || !into_last(to));
        one.into_iter().chain(two.filter(|_| first)).collect()
    }

    /// Whether a pawn that goes from one square to another takes an armed or disarmed pawn in passing (MG-9).
    fn can_take_in_passing(&self, from: Square, to: Square) -> bool {
        let victim = self.at(Square::from_coords(to.file(), from.rank()));
        self.passed == Some(to) && victim.is_some_and(Piece::is_capturable)
    }

    /// The castlings of the side to move (MG-8).
    fn castlings(&self) -> Vec<Ply> {
        let mut plies = Vec::new();
        for (index, (side, king, rook, _)) in CASTLINGS.into_iter().enumerate() {
            if side != self.side || !self.rights[index] {
                continue;
            }
            let toward = if rook > king { (1, 0) } else { (-1, 0) };
            let mut between = Vec::new();
            let mut next = step(king, toward);
            while let Some(at) = next.filter(|at| *at != rook) {
                between.push(at);
                next = step(at, toward);
            }
            let way = [king, between[0], between[1]];
            if between.iter().all(|at| self.at(*at).is_none())
                && !way.into_iter().any(|at| self.attacks(side.other(), at))
            {
                plies.push(Ply::Mega {
                    from: king,
                    to: between[1],
                    promotes: None,
                });
            }
        }
        plies
    }

    /// The position after a mega-move and its forfeits, before the turn passes.
    fn after_mega_move(&self, ply: &Ply) -> Naive {
        let Ply::Mega { from, to, promotes } = *ply else {
            panic!("{ply:?} is not a mega-move")
        };
        let mut next = self.clone();
        let mut piece = next.cells[from as usize]
            .take()
            .expect("a mega-move starts from a mega-piece");
        let pawn = piece.role == Role::Pawn;
        piece.role = promotes.unwrap_or(piece.role);
        let captured = next.cells[to as usize].replace(piece).is_some();
        next.half = if captured || pawn { 0 } else { self.half + 1 };
        if self.is_en_passant(ply) {
            next.cells[Square::from_coords(to.file(), from.rank()) as usize] = None;
        }
        if self.is_castling(ply) {
            next.move_castling_rook(to);
        }
        next.drop_rights(from);
        next.drop_rights(to);
        if self.in_check() {
            next.forfeit();
        }
        next
    }

    /// The side to move loses the boards on which it is in check (MG-11): only those where it is its turn, or all with
    /// free turns (MG-18).
    fn forfeit(&mut self) {
        let boards = self.boards().into_iter();
        let lost: Vec<Square> = boards
            .filter(|(_, board)| {
                (self.free || board.to_move() == self.side) && board.checks(self.side)
            })
            .map(|(at, _)| at)
            .collect();
        for at in &lost {
            self.board_is_won(*at, self.side.other());
        }
        if !lost.is_empty() {
            self.half = 0;
        }
    }

    fn is_castling(&self, ply: &Ply) -> bool {
        let Ply::Mega { from, to, .. } = *ply else {
            return false;
        };
        let king = self.at(from).is_some_and(|piece| piece.role == Role::King);
        king && from.file().distance(to.file()) == 2
    }

    fn is_en_passant(&self, ply: &Ply) -> bool {
        let Ply::Mega { from, to, .. } = *ply else {
            return false;
        };
        let pawn = self.at(from).is_some_and(|piece| piece.role == Role::Pawn);
        pawn && from.file() != to.file() && self.at(to).is_none()
    }

    fn move_castling_rook(&mut self, king: Square) {
        let (corner, beside) = if king.file() == File::G {
            (File::H, File::F)
        } else {
            (File::A, File::D)
        };
        let rook = self.cells[Square::from_coords(corner, king.rank()) as usize].take();
        self.cells[Square::from_coords(beside, king.rank()) as usize] = rook;
    }

    /// The square that a double step passes over.
    fn passed_by(&self, ply: &Ply) -> Option<Square> {
        let Ply::Mega { from, to, .. } = *ply else {
            return None;
        };
        let pawn = self.at(from).is_some_and(|piece| piece.role == Role::Pawn);
        let double = pawn && from.rank().distance(to.rank()) == 2;
        step(from, (0, forward(self.side))).filter(|_| double)
    }
}

/// The interface for tests.
impl Naive {
    /// The initial position of a level.
    pub fn start(level: u32) -> Naive {
        Naive::parse(level, ARRAY)
    }

    /// The same with free turns (MG-18).
    pub fn start_free(level: u32) -> Naive {
        Naive::parse_under(level, true, ARRAY)
    }

    /// The legal plies in coordinates, sorted by bytes: moves on boards, mega-moves, and the pass if it is the only
    /// ply.
    pub fn moves(&self) -> Vec<String> {
        in_order(&self.plies())
    }

    /// The legal passes in coordinates.
    pub fn passable(&self) -> Vec<String> {
        in_order(&self.passes())
    }

    /// The legal draws in place of a move (MG-13), in coordinates sorted by bytes.
    pub fn drawable(&self) -> Vec<String> {
        in_order(&self.draws())
    }

    /// The legal plies on one board, such as `A2.B1.` or the empty path of the outermost board, in coordinates,
    /// including passes and draws.
    pub fn acts_on(&self, board: &str) -> Vec<String> {
        let way: Vec<Square> = board
            .split('.')
            .filter(|step| !step.is_empty())
            .map(square)
            .collect();
        in_order(&self.acts(&way))
    }

    /// The position after a legal ply.
    ///
    /// # Panics
    ///
    /// If the ply is not legal.
    pub fn play(&self, coord: &str) -> Naive {
        let plies = self.plies().into_iter().chain(self.draws());
        let found = plies.into_iter().find(|ply| coordinates(ply) == coord);
        self.after(&found.unwrap_or_else(|| panic!("{coord} is not legal in {}", self.text())))
    }

    /// Whether the side to move is in mega-check.
    pub fn in_check(&self) -> bool {
        self.attacks_king(self.side.other())
    }

    /// The number of sequences of this many listed plies.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.plies().len() as u64,
            _ => self
                .plies()
                .iter()
                .map(|ply| self.after(ply).perft(depth - 1))
                .sum(),
        }
    }

    /// `mate`, `stalemate`, `dead`, `moves` (a hundred and fifty mega-moves), `fivefold`, `check` or `ongoing`, the
    /// first that applies; `turn` during a turn, when nothing is judged.
    pub fn status(&self) -> &'static str {
        if self.turn_has_begun() {
            return "turn";
        }
        match (self.end(), self.in_check()) {
            (Some(End::Won(_)), true) => "mate",
            (Some(End::Won(_)), false) => "stalemate",
            (Some(End::Drawn), _) if self.is_dead() => "dead",
            (Some(End::Drawn), _) if self.half >= 150 => "moves",
            (Some(End::Drawn), _) => "fivefold",
            (None, true) => "check",
            (None, false) => "ongoing",
        }
    }
}

fn in_order(plies: &[Ply]) -> Vec<String> {
    let mut texts: Vec<String> = plies.iter().map(coordinates).collect();
    texts.sort();
    texts
}

fn coordinates(ply: &Ply) -> String {
    match ply {
        Ply::Chess(m) => m.to_uci(CastlingMode::Standard).to_string(),
        Ply::On(at, ply) => format!("{}.{}", name(*at), coordinates(ply)),
        Ply::Draw(at) => format!("{}.1/2-1/2", name(*at)),
        Ply::Mega { from, to, promotes } => {
            name(*from)
                + &name(*to)
                + &promotes.map_or(String::new(), |role| role.char().to_string())
        }
        Ply::Pass => "--".into(),
    }
}
