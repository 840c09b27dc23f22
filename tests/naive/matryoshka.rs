//! Overchess(D) for any D: a second implementation, as plain as possible.
//!
//! Written from the rules page alone and sharing nothing with the library, so that each can check the other. One type
//! plays every level: at level 0 the game is chess, where a capture takes; at a higher level a capture opens a game one
//! level below. Plies are texts, every board is a list of 64, and everything is computed anew each time.

use std::collections::VecDeque;
use std::rc::Rc;

/// Kinds in the order of the rules: P, N, B, R, Q, then the king.
const PAWN: usize = 0;
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;
const KING: usize = 5;
const LETTERS: [char; 6] = ['P', 'N', 'B', 'R', 'Q', 'K'];
const FULL: [u8; 5] = [8, 2, 2, 2, 1];
/// The regular squares of each kind in a White set, in order.
const PLACES: [&[usize]; 5] = [
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[1, 6],
    &[2, 5],
    &[0, 7],
    &[3],
];
const KNIGHT_STEPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (-1, 2),
    (-2, 1),
    (1, -2),
    (2, -1),
    (-1, -2),
    (-2, -1),
];
const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const SLANT: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The consequence of a drawn attack (OV-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    Withdraws,
    AttackerGoes,
    BothGo,
}

/// The options of a game.
#[derive(Clone, Debug)]
pub struct Options {
    pub depth: usize,
    pub fog: bool,
    pub prisoners: bool,
    pub consolidation: bool,
    pub drawn: Drawn,
    /// Spares of White and of Black by kind, for each team or for each sub-set.
    pub spares: [[u8; 5]; 2],
    pub each_set: bool,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    White,
    Black,
    Draw,
}

/// The sub-set of a piece; one that is still complete is not stored.
#[derive(Clone)]
enum Army {
    Whole,
    Of(Rc<Vec<Piece>>),
}

/// A piece on a board, or a piece of a sub-set.
#[derive(Clone)]
struct Piece {
    white: bool,
    kind: usize,
    /// Its kind in its sub-set: a promoted piece is still the pawn it was (OV-3).
    born: usize,
    name: Rc<str>,
    place: usize,
    army: Army,
    spares: [u8; 5],
}

type Board = Vec<Option<Piece>>;

#[derive(Clone)]
struct Contest {
    by_white: bool,
    from: usize,
    at: usize,
    victim: usize,
    /// The attacker before its move.
    before: Piece,
    defender: Piece,
    castled_from: bool,
    clock: u32,
}

#[derive(Clone)]
enum Task {
    Prisoners {
        at: usize,
        pieces: Vec<Piece>,
        level: usize,
    },
    Spares {
        at: usize,
    },
}

#[derive(Clone)]
enum Phase {
    Move,
    Bring(usize),
    Hand {
        pieces: Vec<Piece>,
        last: Option<(usize, usize)>,
    },
    SetUp {
        left: [VecDeque<Piece>; 2],
        placed: Board,
    },
    Play(Box<Game>),
    Settle(VecDeque<Task>),
}

/// A game of Overchess(level), with its history.
#[derive(Clone)]
pub struct Game {
    options: Rc<Options>,
    level: usize,
    top: bool,
    board: Board,
    white: bool,
    /// Whether castling with the rook on a1, h1, a8 or h8 has not been lost.
    corners: [bool; 4],
    passed: Option<usize>,
    clock: u32,
    contests: Vec<Contest>,
    phase: Phase,
    spares: [[u8; 5]; 2],
    seen: Vec<String>,
    /// Whether the attack being settled is White's.
    settled_by: bool,
    taken: bool,
    pub end: Option<End>,
    /// The reason for the end, in words.
    pub cause: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Step {
    from: usize,
    to: usize,
    promotion: Option<usize>,
}

const CORNERS: [usize; 4] = [0, 7, 56, 63];

fn square(text: &str) -> usize {
    let bytes = text.as_bytes();
    usize::from(bytes[0] - b'a') + 8 * usize::from(bytes[1] - b'1')
}

fn name(square: usize) -> String {
    format!("{}{}", (b'a' + (square % 8) as u8) as char, square / 8 + 1)
}

fn kind_of(letter: char) -> usize {
    LETTERS
        .iter()
        .position(|l| *l == letter.to_ascii_uppercase())
        .unwrap()
}

fn beside(square: usize, step: (i32, i32)) -> Option<usize> {
    let (file, rank) = ((square % 8) as i32 + step.0, (square / 8) as i32 + step.1);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((file + 8 * rank) as usize)
}

fn reaches(board: &Board, from: usize, to: usize) -> bool {
    let piece = board[from].as_ref().unwrap();
    let walks = |steps: &[(i32, i32)]| {
        steps.iter().any(|step| {
            let mut next = beside(from, *step);
            while let Some(here) = next {
                if here == to {
                    return true;
                }
                next = if board[here].is_some() {
                    None
                } else {
                    beside(here, *step)
                };
            }
            false
        })
    };
    let jumps = |steps: &[(i32, i32)]| steps.iter().any(|step| beside(from, *step) == Some(to));
    match piece.kind {
        PAWN if piece.white => jumps(&[(-1, 1), (1, 1)]),
        PAWN => jumps(&[(-1, -1), (1, -1)]),
        KNIGHT => jumps(&KNIGHT_STEPS),
        BISHOP => walks(&SLANT),
        ROOK => walks(&STRAIGHT),
        QUEEN => walks(&SLANT) || walks(&STRAIGHT),
        _ => jumps(&SLANT) || jumps(&STRAIGHT),
    }
}

fn attacked(board: &Board, square: usize, by_white: bool) -> bool {
    (0..64).any(|from| {
        board[from].as_ref().is_some_and(|p| p.white == by_white) && reaches(board, from, square)
    })
}

fn king(board: &Board, white: bool) -> usize {
    (0..64)
        .find(|at| {
            board[*at]
                .as_ref()
                .is_some_and(|p| p.white == white && p.kind == KING)
        })
        .unwrap()
}

fn in_check(board: &Board, white: bool) -> bool {
    attacked(board, king(board, white), !white)
}

impl Piece {
    /// The sub-set of this piece in a game of that level.
    fn pieces(&self, level: usize) -> Vec<Piece> {
        match &self.army {
            _ if level == 0 || self.kind == KING => Vec::new(),
            Army::Of(pieces) => pieces.to_vec(),
            Army::Whole => (0..5)
                .flat_map(|kind| PLACES[kind].iter().map(move |place| (kind, *place)))
                .map(|(kind, place)| {
                    Piece::new(kind, format!("{}/{}", self.name, name(place)), place)
                })
                .collect(),
        }
    }

    fn new(kind: usize, name: String, place: usize) -> Piece {
        Piece {
            white: true,
            kind,
            born: kind,
            name: name.into(),
            place,
            army: Army::Whole,
            spares: [0; 5],
        }
    }

    /// Reads what follows the square of a piece: `:name` and `=army`.
    fn read(&mut self, item: &str, level: usize) {
        let (head, army) = item
            .split_once('=')
            .map_or((item, None), |(head, army)| (head, Some(army)));
        if let Some((_, name)) = head.split_once(':') {
            self.name = name.into();
        }
        let Some(army) = army else { return };
        let whole = self.pieces(level);
        let mut pieces: Vec<Piece> = Vec::new();
        if level == 1 {
            for (kind, letter) in LETTERS.iter().enumerate() {
                let many = army
                    .split(*letter)
                    .next()
                    .filter(|head| head.len() < army.len());
                let many = many.map_or(0, |head| {
                    head.chars().last().unwrap().to_digit(10).unwrap() as usize
                });
                pieces.extend(
                    whole
                        .iter()
                        .filter(|piece| piece.born == kind)
                        .take(many)
                        .cloned(),
                );
            }
        } else {
            for item in items(army.strip_prefix('{').unwrap().strip_suffix('}').unwrap()) {
                let mut piece = whole
                    .iter()
                    .find(|piece| piece.place == square(item))
                    .unwrap()
                    .clone();
                piece.read(item, level - 1);
                pieces.push(piece);
            }
        }
        self.set_pieces(pieces);
    }

    fn set_pieces(&mut self, mut pieces: Vec<Piece>) {
        pieces.sort_by_key(|piece| (piece.born, piece.place));
        self.army = Army::Of(Rc::new(pieces));
    }

    fn room(&self, level: usize) -> [u8; 5] {
        let mut room = FULL;
        for piece in self.pieces(level) {
            room[piece.born] -= 1;
        }
        room
    }

    /// Adds a piece, which gets the first free place of its kind (OV-42).
    fn join(&mut self, level: usize, mut piece: Piece) {
        let mut pieces = self.pieces(level);
        let free = PLACES[piece.born]
            .iter()
            .find(|place| pieces.iter().all(|other| other.place != **place));
        piece.place = *free.unwrap();
        pieces.push(piece);
        self.set_pieces(pieces);
    }

    /// What repetition compares of the sub-set: the kinds of its pieces, not which they are.
    fn strength(&self, level: usize) -> String {
        if level == 0 || matches!(self.army, Army::Whole) {
            return "*".into();
        }
        let mut pieces: Vec<String> = self
            .pieces(level)
            .iter()
            .map(|piece| format!("{}{}", LETTERS[piece.born], piece.strength(level - 1)))
            .collect();
        pieces.sort();
        let whole = pieces.len() == 15
            && pieces
                .iter()
                .all(|piece| piece.len() == 2 && piece.ends_with('*'));
        if whole {
            "*".into()
        } else {
            format!("({})", pieces.concat())
        }
    }
}

fn counts(pieces: &[Piece]) -> [u8; 5] {
    let mut counts = [0; 5];
    for piece in pieces {
        counts[piece.born] += 1;
    }
    counts
}

fn counted(counts: [u8; 5]) -> String {
    let mut text = String::new();
    for kind in [PAWN, ROOK, KNIGHT, BISHOP, QUEEN] {
        if counts[kind] > 0 {
            text += &format!("{}{}", counts[kind], LETTERS[kind]);
        }
    }
    text
}

/// All ways to choose this many of the items.
fn choices(of: &[usize], many: usize) -> Vec<Vec<usize>> {
    if many == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, first) in of.iter().enumerate() {
        for mut rest in choices(&of[index + 1..], many - 1) {
            rest.insert(0, *first);
            all.push(rest);
        }
    }
    all
}

/// All set-ups of pieces given by their number: squares of a White set, by kind.
fn arrangements(counts: [u8; 5]) -> Vec<Vec<(usize, usize)>> {
    let mut all: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for kind in 0..5 {
        let mut next = Vec::new();
        for chosen in choices(PLACES[kind], usize::from(counts[kind])) {
            for before in &all {
                let mut one = before.clone();
                one.extend(chosen.iter().map(|place| (kind, *place)));
                next.push(one);
            }
        }
        all = next;
    }
    all
}

fn ranks(arrangement: &[(usize, usize)]) -> String {
    let mut text = String::new();
    for rank in [1, 0] {
        let mut empty = 0;
        for file in 0..8 {
            let here = arrangement
                .iter()
                .find(|(_, place)| *place == rank * 8 + file);
            let letter = match here {
                Some((kind, _)) => LETTERS[*kind],
                None if rank * 8 + file == 4 => 'K',
                None => {
                    empty += 1;
                    continue;
                }
            };
            if empty > 0 {
                text += &empty.to_string();
            }
            empty = 0;
            text.push(letter);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        if rank == 1 {
            text.push('/');
        }
    }
    text
}

impl Game {
    /// A game from the six fields of a FEN and a list of sub-sets: `d2:d7`, `d2:d7={a2=3P1N,b1}` if it is not complete,
    /// at depth 1 `d2=3P1N`. A sub-set that has lost everything is `d2=0` or `d2={}`.
    pub fn from_fen(options: Options, fen: &str) -> Game {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut board: Board = vec![None; 64];
        let (mut file, mut rank) = (0, 7);
        for letter in fields[0].chars() {
            if letter == '/' {
                (file, rank) = (0, rank - 1);
            } else if let Some(digit) = letter.to_digit(10) {
                file += digit as usize;
            } else {
                let at = rank * 8 + file;
                let mut piece = Piece::new(kind_of(letter), name(at), at);
                piece.white = letter.is_ascii_uppercase();
                if options.each_set && piece.kind != KING {
                    piece.spares = options.spares[usize::from(!piece.white)];
                }
                board[at] = Some(piece);
                file += 1;
            }
        }
        for item in items(fields[6]) {
            let piece = board[square(item)].as_mut().unwrap();
            piece.read(item, options.depth);
        }
        let corners = ['Q', 'K', 'q', 'k'].map(|letter| fields[2].contains(letter));
        let level = options.depth;
        let mut game = Game::of(Rc::new(options), level, true, board, corners);
        game.white = fields[1] == "w";
        game.passed = (fields[3] != "-").then(|| square(fields[3]));
        game.clock = fields[4].parse().unwrap();
        if !game.options.each_set {
            game.spares = game.options.spares;
        }
        game.begin_turn();
        game
    }

    fn of(options: Rc<Options>, level: usize, top: bool, board: Board, corners: [bool; 4]) -> Game {
        Game {
            options,
            level,
            top,
            board,
            white: true,
            corners,
            passed: None,
            clock: 0,
            contests: Vec::new(),
            phase: Phase::Move,
            spares: [[0; 5]; 2],
            seen: Vec::new(),
            settled_by: true,
            taken: false,
            end: None,
            cause: "",
        }
    }

    // Moves of the board.

    fn blocked(&self, at: usize) -> bool {
        self.contests
            .iter()
            .any(|contest| contest.at == at || contest.victim == at)
    }

    /// Whether a piece may go to a square: it is not contested, and holds nothing or an enemy other than the king.
    fn enters(&self, at: usize) -> bool {
        let free = |piece: &Piece| piece.white != self.white && piece.kind != KING;
        !self.blocked(at) && self.board[at].as_ref().is_none_or(free)
    }

    fn steps_of(&self, from: usize) -> Vec<Step> {
        let Some(piece) = &self.board[from] else {
            return Vec::new();
        };
        if piece.white != self.white || self.blocked(from) {
            return Vec::new();
        }
        let mut targets = Vec::new();
        let jumps = |steps: &[(i32, i32)]| -> Vec<usize> {
            steps.iter().filter_map(|s| beside(from, *s)).collect()
        };
        let walks = |steps: &[(i32, i32)]| -> Vec<usize> {
            let mut all = Vec::new();
            for step in steps {
                let mut next = beside(from, *step);
                while let Some(here) = next {
                    all.push(here);
                    let stop = self.board[here].is_some() || self.blocked(here);
                    next = if stop { None } else { beside(here, *step) };
                }
            }
            all
        };
        match piece.kind {
            PAWN => targets = self.pawn_targets(from),
            KNIGHT => targets = jumps(&KNIGHT_STEPS),
            BISHOP => targets = walks(&SLANT),
            ROOK => targets = walks(&STRAIGHT),
            QUEEN => {
                targets.extend(walks(&SLANT));
                targets.extend(walks(&STRAIGHT));
            }
            _ => {
                targets.extend(jumps(&SLANT));
                targets.extend(jumps(&STRAIGHT));
            }
        }
        targets.retain(|to| self.enters(*to));
        if piece.kind == KING {
            targets.extend(self.castlings(from));
        }
        let last = |to: usize| piece.kind == PAWN && matches!(to / 8, 0 | 7);
        let mut steps = Vec::new();
        for to in targets {
            if last(to) {
                steps.extend([KNIGHT, BISHOP, ROOK, QUEEN].map(|kind| Step {
                    from,
                    to,
                    promotion: Some(kind),
                }));
            } else {
                steps.push(Step {
                    from,
                    to,
                    promotion: None,
                });
            }
        }
        steps
    }

    fn pawn_targets(&self, from: usize) -> Vec<usize> {
        let up = if self.white { 1 } else { -1 };
        let mut targets = Vec::new();
        let empty = |at: &usize| self.board[*at].is_none() && !self.blocked(*at);
        if let Some(one) = beside(from, (0, up)).filter(empty) {
            targets.push(one);
            let second = if self.white { 1 } else { 6 };
            if from / 8 == second {
                targets.extend(beside(one, (0, up)).filter(empty));
            }
        }
        for side in [-1, 1] {
            let Some(to) = beside(from, (side, up)) else {
                continue;
            };
            let takes = self.board[to].is_some();
            let passes = self.passed == Some(to) && self.board[to].is_none();
            if takes || passes {
                targets.push(to);
            }
        }
        targets
    }

    fn castlings(&self, from: usize) -> Vec<usize> {
        let home = if self.white { 4 } else { 60 };
        if from != home || in_check(&self.board, self.white) {
            return Vec::new();
        }
        let mut targets = Vec::new();
        for (index, corner) in CORNERS.into_iter().enumerate() {
            let own = corner / 8 == home / 8;
            let rook = |piece: &Piece| piece.white == self.white && piece.kind == ROOK;
            if !own
                || !self.corners[index]
                || self.blocked(corner)
                || !self.board[corner].as_ref().is_some_and(rook)
            {
                continue;
            }
            let (between, path) = if corner < home {
                (corner + 1..home, [home - 1, home - 2])
            } else {
                (home + 1..corner, [home + 1, home + 2])
            };
            let open = between
                .into_iter()
                .all(|at| self.board[at].is_none() && !self.blocked(at));
            if open && path.iter().all(|at| !self.castling_attacked(*at)) {
                targets.push(path[1]);
            }
        }
        targets
    }

    fn castling_attacked(&self, at: usize) -> bool {
        let mut board = self.board.clone();
        let home = king(&board, self.white);
        board[at] = board[home].take();
        attacked(&board, at, !self.white)
    }

    /// The square of the piece that a step takes, also in passing.
    fn victim(&self, step: Step) -> usize {
        let pawn = self.board[step.from].as_ref().unwrap().kind == PAWN;
        let slants = step.from % 8 != step.to % 8;
        if pawn && slants && self.board[step.to].is_none() {
            step.from / 8 * 8 + step.to % 8
        } else {
            step.to
        }
    }

    /// The board after a step, as if every attack succeeded (OV-8).
    fn after(&self, step: Step) -> Board {
        let mut board = self.board.clone();
        board[self.victim(step)] = None;
        let mut piece = board[step.from].take().unwrap();
        let castles = piece.kind == KING && step.from.abs_diff(step.to) == 2;
        if let Some(kind) = step.promotion {
            piece.kind = kind;
        }
        board[step.to] = Some(piece);
        if castles {
            let (corner, beside) = if step.to < step.from {
                (step.from - 4, step.from - 1)
            } else {
                (step.from + 3, step.from + 1)
            };
            board[beside] = board[corner].take();
        }
        board
    }

    /// The boards that may result while an attack is open: won, lost, drawn.
    fn outcomes(&self, board: &Board) -> Vec<Board> {
        let mut all = vec![board.clone()];
        if let Some(contest) = self.contests.first() {
            let mut lost = board.clone();
            lost[contest.at] = None;
            lost[contest.victim] = Some(contest.defender.clone());
            let mut drawn = lost.clone();
            match self.options.drawn {
                Drawn::Withdraws if drawn[contest.from].is_none() => {
                    drawn[contest.from] = Some(contest.before.clone());
                }
                Drawn::BothGo => drawn[contest.victim] = None,
                _ => {}
            }
            all.extend([lost, drawn]);
        }
        all
    }

    fn safe(&self, board: &Board) -> bool {
        self.outcomes(board)
            .iter()
            .all(|outcome| !in_check(outcome, self.white))
    }

    fn steps(&self, from: usize) -> Vec<Step> {
        let mut steps = self.steps_of(from);
        steps.retain(|step| self.safe(&self.after(*step)));
        steps
    }

    fn consolidates(&self, from: usize) -> bool {
        let own = |piece: &Piece| piece.white == self.white && piece.kind != KING;
        if !self.options.consolidation || self.level == 0 || self.blocked(from) {
            return false;
        }
        if !self.board[from].as_ref().is_some_and(own) {
            return false;
        }
        let mut board = self.board.clone();
        board[from] = None;
        self.safe(&board)
    }

    // Spares.

    fn spare(&self, piece: &Piece) -> [u8; 5] {
        if self.options.each_set {
            piece.spares
        } else {
            self.spares[usize::from(!piece.white)]
        }
    }

    /// The kinds of spares that a piece may receive.
    fn bringable(&self, at: usize) -> Vec<usize> {
        let Some(piece) = self.board[at]
            .as_ref()
            .filter(|p| p.kind != KING && self.top)
        else {
            return Vec::new();
        };
        let (spare, room) = (self.spare(piece), piece.room(self.level));
        (0..5)
            .filter(|kind| spare[*kind] > 0 && room[*kind] > 0)
            .collect()
    }

    fn bring(&mut self, at: usize, kind: usize) {
        let (level, each) = (self.level, self.options.each_set);
        let left = self.spare(self.board[at].as_ref().unwrap())[kind];
        let piece = self.board[at].as_mut().unwrap();
        let number = self.options.spares[usize::from(!piece.white)][kind] - left + 1;
        let name = format!("{}/{}{number}", piece.name, LETTERS[kind]);
        piece.join(level, Piece::new(kind, name, 0));
        if each {
            piece.spares[kind] -= 1;
        } else {
            let side = usize::from(!piece.white);
            self.spares[side][kind] -= 1;
        }
    }

    // The plies.

    /// Every legal ply, in coordinates; none if the game is over.
    pub fn plies(&self) -> Vec<String> {
        if self.end.is_some() {
            return Vec::new();
        }
        match &self.phase {
            Phase::Move => self.moves(),
            Phase::Bring(at) => {
                let mut plies: Vec<String> = self.steps(*at).into_iter().map(spell).collect();
                plies.extend(self.bringable(*at).iter().map(|kind| bringing(*at, *kind)));
                plies
            }
            Phase::Hand { pieces, last } => self.gives(pieces, *last),
            Phase::SetUp { left, placed } => {
                let at = name(self.contests[0].at);
                set_ups(left, placed, self.level)
                    .into_iter()
                    .map(|ply| format!("{at}.setup {ply}"))
                    .collect()
            }
            Phase::Play(sub) => {
                let at = name(self.contests[0].at);
                sub.plies()
                    .into_iter()
                    .map(|ply| format!("{at}.{ply}"))
                    .collect()
            }
            Phase::Settle(tasks) => self.tasks(&tasks[0]),
        }
    }

    fn moves(&self) -> Vec<String> {
        let mut plies = Vec::new();
        for from in 0..64 {
            let steps = self.steps(from);
            if !steps.is_empty() {
                plies.extend(
                    self.bringable(from)
                        .iter()
                        .map(|kind| bringing(from, *kind)),
                );
            }
            plies.extend(steps.into_iter().map(spell));
            if self.consolidates(from) {
                plies.push(format!("consolidate {}", name(from)));
            }
        }
        plies
    }

    /// The squares of sub-sets that have room for a kind, each repeated as often as it has room.
    fn rooms(&self, kind: usize) -> Vec<usize> {
        let mut rooms = Vec::new();
        for at in 0..64 {
            let Some(piece) = &self.board[at] else {
                continue;
            };
            if piece.white == self.white && piece.kind != KING && !self.blocked(at) {
                rooms.extend((0..piece.room(self.level)[kind]).map(|_| at));
            }
        }
        rooms
    }

    fn gives(&self, pieces: &[Piece], last: Option<(usize, usize)>) -> Vec<String> {
        let next = (0..5).find(|kind| {
            pieces.iter().any(|piece| piece.born == *kind) && !self.rooms(*kind).is_empty()
        });
        let Some(kind) = next else {
            return vec!["done".into()];
        };
        let rooms = self.rooms(kind);
        let pieces: Vec<&Piece> = pieces.iter().filter(|piece| piece.born == kind).collect();
        let due = pieces.len().min(rooms.len());
        let from = last
            .filter(|(last, _)| *last == kind)
            .map_or(0, |(_, where_)| where_);
        let mut squares = rooms.clone();
        squares.dedup();
        if self.level == 1 {
            // The previous one went to `from`, and the rest may go there or further on.
            squares.retain(|at| {
                *at >= from && rooms.iter().filter(|room| **room >= *at).count() >= due
            });
            return squares
                .iter()
                .map(|at| format!("give {} {}", name(*at), LETTERS[kind]))
                .collect();
        }
        let mut plies = Vec::new();
        for piece in &pieces {
            let later = pieces
                .iter()
                .filter(|other| other.place >= piece.place)
                .count();
            if piece.place >= from && later >= due {
                plies.extend(
                    squares
                        .iter()
                        .map(|at| format!("give {} {}", name(*at), piece.name)),
                );
            }
        }
        plies
    }

    fn tasks(&self, task: &Task) -> Vec<String> {
        let mut plies = Vec::new();
        match task {
            Task::Prisoners {
                at,
                pieces,
                level: 1,
            } => {
                let (most, room) = (counts(pieces), self.board[*at].as_ref().unwrap().room(1));
                let most: Vec<u8> = (0..5).map(|kind| most[kind].min(room[kind])).collect();
                let mut all = vec![[0; 5]];
                for kind in 0..5 {
                    all = all
                        .iter()
                        .flat_map(|one| {
                            (0..=most[kind]).map(move |many| {
                                let mut one = *one;
                                one[kind] = many;
                                one
                            })
                        })
                        .collect();
                }
                let some = all
                    .into_iter()
                    .filter(|one| one.iter().any(|many| *many > 0));
                plies.extend(some.map(|one| format!("prisoners {}", counted(one))));
            }
            Task::Prisoners { at, pieces, level } => {
                let room = self.board[*at].as_ref().unwrap().room(*level);
                let fit = pieces.iter().filter(|piece| room[piece.born] > 0);
                plies.extend(fit.map(|piece| format!("prisoner {}", piece.name)));
            }
            Task::Spares { at } => {
                plies.extend(self.bringable(*at).iter().map(|kind| bringing(*at, *kind)));
            }
        }
        if !plies.is_empty() {
            plies.push("done".into());
        }
        plies
    }

    /// Plays one of `plies`, or the result of an open sub-game (`e5.1-0`); legality is not checked.
    pub fn play(&mut self, ply: &str) {
        let words: Vec<&str> = ply.split(' ').collect();
        match std::mem::replace(&mut self.phase, Phase::Move) {
            Phase::Move if words[0] == "consolidate" => {
                let at = square(words[1]);
                let piece = self.board[at].take().unwrap();
                self.lose_corner(at);
                self.phase = Phase::Hand {
                    pieces: piece.pieces(self.level),
                    last: None,
                };
            }
            Phase::Move | Phase::Bring(_) if words[0] == "reserve" => {
                let at = square(words[1]);
                self.bring(at, kind_of(words[2].chars().next().unwrap()));
                self.phase = Phase::Bring(at);
            }
            Phase::Move | Phase::Bring(_) => self.step(ply),
            Phase::Hand { .. } if ply == "done" => {
                self.clock = 0;
                self.passed = None;
                self.pass_turn();
            }
            Phase::Hand { pieces, .. } => self.give(pieces, square(words[1]), words[2]),
            Phase::SetUp { left, placed } => {
                let rest = &ply[3..];
                match result(rest) {
                    Some(end) => self.settle_unplayed(end),
                    None => self.set_up(left, placed, &rest["setup ".len()..]),
                }
            }
            Phase::Play(mut sub) => {
                let rest = &ply[3..];
                match result(rest) {
                    Some(end) => sub.end = Some(end),
                    None => sub.play(rest),
                }
                match sub.end {
                    Some(end) => self.settle(end, *sub),
                    None => self.phase = Phase::Play(sub),
                }
            }
            Phase::Settle(tasks) => self.tend(tasks, &words),
        }
    }

    fn lose_corner(&mut self, at: usize) -> bool {
        CORNERS
            .iter()
            .position(|corner| *corner == at)
            .is_some_and(|index| std::mem::take(&mut self.corners[index]))
    }

    fn step(&mut self, ply: &str) {
        let promotion = ply.chars().nth(4).map(kind_of);
        let step = Step {
            from: square(&ply[..2]),
            to: square(&ply[2..4]),
            promotion,
        };
        let victim = self.victim(step);
        let board = self.after(step);
        let mover = self.board[step.from].clone().unwrap();
        let taken = self.board[victim].clone().filter(|_| victim != step.from);
        let clock = self.clock;
        self.clock = if mover.kind == PAWN || taken.is_some() {
            0
        } else {
            clock + 1
        };
        self.passed = None;
        if mover.kind == PAWN && step.from.abs_diff(step.to) == 16 {
            self.passed = Some((step.from + step.to) / 2);
        }
        self.board = board;
        let castled_from = self.lose_corner(step.from);
        if mover.kind == KING {
            let home = if self.white { [0, 1] } else { [2, 3] };
            home.iter().for_each(|index| self.corners[*index] = false);
        }
        match taken {
            Some(defender) if self.level > 0 && mover.kind != KING => self.contests.push(Contest {
                by_white: self.white,
                from: step.from,
                at: step.to,
                victim,
                before: mover,
                defender,
                castled_from,
                clock,
            }),
            Some(_) => {
                self.taken = true;
                self.lose_corner(step.to);
            }
            None => {}
        }
        self.pass_turn();
    }

    fn give(&mut self, mut pieces: Vec<Piece>, at: usize, who: &str) {
        let level = self.level;
        let index = if level == 1 {
            pieces
                .iter()
                .position(|piece| piece.born == kind_of(who.chars().next().unwrap()))
                .unwrap()
        } else {
            pieces.iter().position(|piece| *piece.name == *who).unwrap()
        };
        let piece = pieces.remove(index);
        let last = Some((piece.born, if level == 1 { at } else { piece.place }));
        self.board[at].as_mut().unwrap().join(level, piece);
        self.phase = Phase::Hand { pieces, last };
    }

    // The order of a turn.

    fn pass_turn(&mut self) {
        self.white = !self.white;
        match self.contests.first() {
            Some(first) if !self.options.fog || first.by_white == self.white => self.open(),
            _ => self.begin_turn(),
        }
    }

    fn can_act(&self) -> bool {
        (0..64).any(|from| !self.steps(from).is_empty() || self.consolidates(from))
    }

    fn begin_turn(&mut self) {
        self.phase = Phase::Move;
        if !self.can_act() {
            if !self.contests.is_empty() {
                return self.open();
            }
            return match (in_check(&self.board, self.white), self.white) {
                (false, _) => self.finish(End::Draw, "stalemate"),
                (true, true) => self.finish(End::Black, "mate"),
                (true, false) => self.finish(End::White, "mate"),
            };
        }
        let key = self.key();
        self.seen.push(key.clone());
        let again = self.seen.iter().filter(|seen| **seen == key).count();
        if self.contests.is_empty() && (self.dead() || self.level == 0 && self.dies()) {
            self.finish(End::Draw, "dead");
        } else if again >= 5 {
            self.finish(End::Draw, "repetition");
        } else if self.clock >= 150 {
            self.finish(End::Draw, "seventy-five moves");
        }
    }

    fn finish(&mut self, end: End, cause: &'static str) {
        self.end = Some(end);
        self.cause = cause;
    }

    fn dead(&self) -> bool {
        let pieces: Vec<(usize, usize)> = (0..64)
            .filter_map(|at| Some((at, self.board[at].as_ref()?.kind)))
            .filter(|(_, k)| *k != KING)
            .collect();
        let shade = |at: usize| (at % 8 + at / 8) % 2;
        let one_minor = pieces.len() == 1 && matches!(pieces[0].1, KNIGHT | BISHOP);
        let bishops = pieces
            .iter()
            .all(|(at, kind)| *kind == BISHOP && shade(*at) == shade(pieces[0].0));
        one_minor || bishops
    }

    /// Whether a game of chess is drawn whatever is played, as each move takes a man that was needed. Walls of pawns, which
    /// random play does not build, are not looked for.
    fn dies(&self) -> bool {
        self.plies().iter().all(|ply| {
            let mut after = self.clone();
            let takes = self.board[square(&ply[2..4])].is_some();
            takes && {
                after.play(ply);
                after.end == Some(End::Draw)
            }
        })
    }

    fn key(&self) -> String {
        let describe = |piece: &Piece| {
            let letter = LETTERS[piece.kind];
            let letter = if piece.white {
                letter
            } else {
                letter.to_ascii_lowercase()
            };
            let was = if piece.born != piece.kind && !self.top {
                "~"
            } else {
                ""
            };
            format!(
                "{letter}{was}{}{:?}",
                piece.strength(self.level),
                piece.spares
            )
        };
        let mut key = format!("{}{:?}{:?}", self.white, self.spares, self.corners);
        for at in 0..64 {
            if let Some(piece) = &self.board[at] {
                key += &format!(" {}{}", name(at), describe(piece));
            }
        }
        for contest in &self.contests {
            let (from, at, victim) = (contest.from, contest.at, contest.victim);
            let (before, defender) = (describe(&contest.before), describe(&contest.defender));
            key += &format!(
                " {from}x{at}@{victim}{before}{defender}{}",
                contest.castled_from
            );
        }
        let in_passing = (0..64)
            .flat_map(|from| self.steps(from))
            .filter(|step| self.victim(*step) != step.to);
        for step in in_passing {
            key += &format!(" {}", spell(step));
        }
        key
    }

    // Sub-games.

    fn open(&mut self) {
        let contest = &self.contests[0];
        let attacker = self.board[contest.at].as_ref().unwrap();
        let left = [attacker, &contest.defender].map(|piece| piece.pieces(self.level).into());
        let mut placed: Board = vec![None; 64];
        for (white, at) in [(true, 4), (false, 60)] {
            let mut king = Piece::new(KING, String::new(), at);
            king.white = white;
            placed[at] = Some(king);
        }
        self.go_on_setting_up(left, placed);
    }

    fn go_on_setting_up(&mut self, mut left: [VecDeque<Piece>; 2], mut placed: Board) {
        loop {
            if left.iter().all(VecDeque::is_empty) {
                return self.begin_sub_game(placed);
            }
            let plies = set_ups(&left, &placed, self.level);
            if plies.len() > 1 {
                self.phase = Phase::SetUp { left, placed };
                return;
            }
            place(&mut left, &mut placed, &plies[0], self.level);
        }
    }

    fn set_up(&mut self, mut left: [VecDeque<Piece>; 2], mut placed: Board, ply: &str) {
        place(&mut left, &mut placed, ply, self.level);
        self.go_on_setting_up(left, placed);
    }

    fn begin_sub_game(&mut self, placed: Board) {
        let corners = CORNERS.map(|at| placed[at].is_some());
        let mut sub = Game::of(self.options.clone(), self.level - 1, false, placed, corners);
        sub.begin_turn();
        match sub.end {
            Some(end) => self.settle(end, sub),
            None => self.phase = Phase::Play(Box::new(sub)),
        }
    }

    /// The surviving pieces of a side.
    fn survivors(&self, white: bool) -> Vec<Piece> {
        let own = self
            .board
            .iter()
            .flatten()
            .filter(|piece| piece.white == white && piece.kind != KING);
        own.cloned()
            .map(|mut occupant| {
                occupant.kind = occupant.born;
                occupant
            })
            .collect()
    }

    /// Ends a game while squares are contested: those attacks are drawn, and what was taken in them stays taken
    /// (OV-41).
    fn break_off(&mut self) {
        if let Phase::Play(mut sub) = std::mem::replace(&mut self.phase, Phase::Move) {
            sub.break_off();
            self.lessen(&sub);
        }
        while !self.contests.is_empty() {
            let contest = self.contests.remove(0);
            self.apply(&contest, End::Draw);
        }
    }

    /// Reduces both sub-sets of the first contest to their survivors.
    fn lessen(&mut self, sub: &Game) {
        let contest = &mut self.contests[0];
        let attacker = self.board[contest.at].as_mut().unwrap();
        attacker.set_pieces(sub.survivors(true));
        contest.before.army = attacker.army.clone();
        contest.defender.set_pieces(sub.survivors(false));
        self.taken |= sub.taken;
    }

    fn settle(&mut self, end: End, mut sub: Game) {
        sub.break_off();
        self.lessen(&sub);
        self.conclude(end, sub.taken);
    }

    /// Ends a sub-game before its first move: everything in the set-ups survives.
    fn settle_unplayed(&mut self, end: End) {
        self.conclude(end, false);
    }

    /// Applies the end of a contest to the board. Returns whether a piece left it.
    fn apply(&mut self, contest: &Contest, end: End) -> bool {
        let (drawn, free) = (self.options.drawn, self.board[contest.from].is_none());
        let defender = contest.defender.clone();
        if end == End::White {
            self.lose_corner(contest.victim);
            self.taken = true;
            return true;
        }
        let attacker = self.board[contest.at].take();
        debug_assert!(attacker.is_some());
        self.board[contest.victim] = Some(defender);
        if end == End::Draw && drawn == Drawn::Withdraws && free {
            self.board[contest.from] = Some(contest.before.clone());
            if contest.castled_from {
                let index = CORNERS
                    .iter()
                    .position(|corner| *corner == contest.from)
                    .unwrap();
                self.corners[index] = true;
            }
            return false;
        }
        if end == End::Draw && drawn == Drawn::BothGo {
            self.board[contest.victim] = None;
            self.lose_corner(contest.victim);
        }
        self.taken = true;
        true
    }

    fn conclude(&mut self, end: End, taken: bool) {
        let contest = self.contests.remove(0);
        let attacker = self.board[contest.at].clone().unwrap();
        let left = self.apply(&contest, end);
        if !self.options.fog {
            self.clock = if left || taken { 0 } else { contest.clock + 1 };
        }
        let level = self.level;
        let mut tasks = VecDeque::new();
        let prisoners = self.options.prisoners;
        match end {
            End::White => {
                if prisoners {
                    tasks.push_back(Task::Prisoners {
                        at: contest.at,
                        pieces: contest.defender.pieces(level),
                        level,
                    });
                }
                tasks.push_back(Task::Spares { at: contest.at });
            }
            End::Black => {
                if prisoners {
                    tasks.push_back(Task::Prisoners {
                        at: contest.victim,
                        pieces: attacker.pieces(level),
                        level,
                    });
                }
                tasks.push_back(Task::Spares { at: contest.victim });
            }
            End::Draw => {
                if !left {
                    tasks.push_back(Task::Spares { at: contest.from });
                }
                tasks.push_back(Task::Spares { at: contest.victim });
            }
        }
        self.go_on_settling(tasks, contest.by_white);
    }

    fn go_on_settling(&mut self, mut tasks: VecDeque<Task>, by_white: bool) {
        while let Some(task) = tasks.front() {
            if !self.tasks(task).is_empty() {
                self.phase = Phase::Settle(tasks);
                self.settled_by = by_white;
                return;
            }
            tasks.pop_front();
        }
        // The King falls (OV-9).
        if self.white != by_white && in_check(&self.board, by_white) {
            return self.finish(
                if by_white { End::Black } else { End::White },
                "the king falls",
            );
        }
        self.begin_turn();
    }

    fn tend(&mut self, mut tasks: VecDeque<Task>, words: &[&str]) {
        let level = self.level;
        match (words[0], &mut tasks[0]) {
            ("done", _) => {
                tasks.pop_front();
            }
            ("prisoners", Task::Prisoners { at, pieces, .. }) => {
                let letters: Vec<char> = words[1].chars().collect();
                for pair in letters.chunks(2) {
                    for _ in 0..pair[0].to_digit(10).unwrap() {
                        let index = pieces
                            .iter()
                            .position(|piece| piece.born == kind_of(pair[1]))
                            .unwrap();
                        let piece = pieces.remove(index);
                        self.board[*at].as_mut().unwrap().join(level, piece);
                    }
                }
                tasks.pop_front();
            }
            ("prisoner", Task::Prisoners { at, pieces, .. }) => {
                let index = pieces
                    .iter()
                    .position(|piece| *piece.name == *words[1])
                    .unwrap();
                let piece = pieces.remove(index);
                pieces.drain(..index);
                self.board[*at].as_mut().unwrap().join(level, piece);
            }
            ("reserve", Task::Spares { at }) => {
                let at = *at;
                self.bring(at, kind_of(words[2].chars().next().unwrap()));
            }
            other => panic!("not here: {}", other.0),
        }
        self.go_on_settling(tasks, self.settled_by);
    }

    /// How a sub-game ends, if a ply made in it ends it.
    pub fn closing(&self, ply: &str) -> Option<End> {
        let (Phase::Play(sub), Some(rest)) = (&self.phase, ply.get(3..)) else {
            return None;
        };
        if rest.contains('.') {
            return sub.closing(rest);
        }
        let mut sub = sub.clone();
        sub.play(rest);
        sub.end
    }

    /// The paths of the open sub-games, each step with its dot: a result may be recorded for each of them.
    pub fn open_games(&self) -> Vec<String> {
        let mut ways = Vec::new();
        if self.end.is_none() {
            match &self.phase {
                Phase::SetUp { .. } => ways.push(format!("{}.", name(self.contests[0].at))),
                Phase::Play(sub) => {
                    let at = name(self.contests[0].at);
                    ways.push(format!("{at}."));
                    ways.extend(
                        sub.open_games()
                            .into_iter()
                            .map(|way| format!("{at}.{way}")),
                    );
                }
                _ => {}
            }
        }
        ways
    }
}

/// The items of a list, in which braces may contain commas.
fn items(list: &str) -> Vec<&str> {
    let (mut items, mut open, mut from) = (Vec::new(), 0, 0);
    for (at, letter) in list.char_indices().chain([(list.len(), ',')]) {
        match letter {
            '{' => open += 1,
            '}' => open -= 1,
            ',' if open == 0 => {
                items.push(&list[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    items.retain(|item| !item.is_empty() && *item != "-");
    items
}

fn result(text: &str) -> Option<End> {
    match text {
        "1-0" => Some(End::White),
        "0-1" => Some(End::Black),
        "1/2-1/2" => Some(End::Draw),
        _ => None,
    }
}

fn spell(step: Step) -> String {
    let promotion = step
        .promotion
        .map(|kind| LETTERS[kind].to_ascii_lowercase());
    format!(
        "{}{}{}",
        name(step.from),
        name(step.to),
        promotion.map(String::from).unwrap_or_default()
    )
}

fn bringing(at: usize, kind: usize) -> String {
    format!("reserve {} {}", name(at), LETTERS[kind])
}

/// The legal set-ups of the side that is due to place its pieces.
fn set_ups(left: &[VecDeque<Piece>; 2], placed: &Board, level: usize) -> Vec<String> {
    let side = usize::from(left[0].is_empty());
    let pieces = &left[side];
    if level == 1 {
        let pieces: Vec<Piece> = pieces.iter().cloned().collect();
        return arrangements(counts(&pieces))
            .iter()
            .map(|one| ranks(one))
            .collect();
    }
    let Some(piece) = pieces.front() else {
        return Vec::new();
    };
    let free = PLACES[piece.born]
        .iter()
        .filter(|place| placed[seen_by(**place, side)].is_none());
    free.map(|place| format!("{} {}", piece.name, name(seen_by(*place, side))))
        .collect()
}

/// A square of a White set, mirrored for Black.
fn seen_by(place: usize, side: usize) -> usize {
    if side == 0 {
        place
    } else {
        place % 8 + 8 * (7 - place / 8)
    }
}

fn place(left: &mut [VecDeque<Piece>; 2], placed: &mut Board, ply: &str, level: usize) {
    let side = usize::from(left[0].is_empty());
    let mut put = |mut piece: Piece, at: usize| {
        piece.white = side == 0;
        piece.kind = piece.born;
        placed[at] = Some(piece);
    };
    if level > 1 {
        let piece = left[side].pop_front().unwrap();
        put(piece, square(ply.split(' ').nth(1).unwrap()));
        return;
    }
    let mut at = 8;
    for letter in ply.chars() {
        match letter {
            '/' => at = 0,
            'K' => at += 1,
            digit if digit.is_ascii_digit() => at += digit.to_digit(10).unwrap() as usize,
            letter => {
                let index = left[side]
                    .iter()
                    .position(|piece| piece.born == kind_of(letter))
                    .unwrap();
                put(left[side].remove(index).unwrap(), seen_by(at, side));
                at += 1;
            }
        }
    }
}
