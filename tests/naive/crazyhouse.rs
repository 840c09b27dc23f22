//! Crazyhouse from its rules alone: a list of 64 letters, and every move tried on a copy of the whole position.

use super::chess960::attacked;

/// What a pocket can hold, in the order of a FEN.
const HELD: [char; 5] = ['Q', 'R', 'B', 'N', 'P'];

#[derive(Clone)]
pub struct Naive {
    /// The letters from `a1` on, a dot for an empty square.
    board: Vec<char>,
    promoted: Vec<usize>,
    white: bool,
    /// The rooks that may castle.
    rooks: Vec<usize>,
    passed: Option<usize>,
    pockets: Vec<char>,
    counters: [u32; 2],
    /// Whether castling is that of Chess960, written as the king taking its rook.
    shuffled: bool,
}

/// A move: where from (nothing for a drop), where to, and what is dropped or promoted to.
#[derive(Clone, Copy)]
struct Step {
    from: Option<usize>,
    to: usize,
    piece: char,
    /// The rook, in castling.
    rook: Option<usize>,
}

fn name(square: usize) -> String {
    format!("{}{}", (b'a' + (square % 8) as u8) as char, square / 8 + 1)
}

fn named(text: &str) -> usize {
    let bytes = text.as_bytes();
    (bytes[1] - b'1') as usize * 8 + (bytes[0] - b'a') as usize
}

impl Naive {
    pub fn parse(fen: &str, shuffled: bool) -> Self {
        let fields: Vec<_> = fen.split(' ').collect();
        let (placement, pockets) = fields[0].split_once('[').unwrap();
        let (mut board, mut promoted) = (vec!['.'; 64], Vec::new());
        for (row, rank) in placement.split('/').enumerate() {
            let mut at = (7 - row) * 8;
            for letter in rank.chars() {
                match letter {
                    '~' => promoted.push(at - 1),
                    '1'..='8' => at += letter as usize - '0' as usize,
                    _ => {
                        board[at] = letter;
                        at += 1;
                    }
                }
            }
        }
        let counter = |field: usize| fields[field].parse().unwrap();
        let mut naive = Self {
            board,
            promoted,
            white: fields[1] == "w",
            rooks: Vec::new(),
            passed: (fields[3] != "-").then(|| named(fields[3])),
            pockets: pockets.trim_end_matches(']').chars().collect(),
            counters: [counter(4), counter(5)],
            shuffled,
        };
        for letter in fields[2].chars().filter(|letter| *letter != '-') {
            let white = letter.is_uppercase();
            let home = if white { 0 } else { 56 };
            let (king, rook) = (naive.king(white), own(white, 'R'));
            let is_rook = |at: &usize| naive.board[*at] == rook;
            let rook = match letter.to_ascii_uppercase() {
                'K' => (king..home + 8).rev().find(is_rook).unwrap(),
                'Q' => (home..king).find(is_rook).unwrap(),
                file => home + file as usize - 'A' as usize,
            };
            naive.rooks.push(rook);
        }
        naive
    }

    fn king(&self, white: bool) -> usize {
        let is_king = |letter: &char| *letter == own(white, 'K');
        self.board.iter().position(is_king).unwrap()
    }

    fn is_own(&self, at: usize) -> bool {
        self.board[at] != '.' && self.board[at].is_uppercase() == self.white
    }

    /// Whether White is to move.
    pub const fn is_whites_turn(&self) -> bool {
        self.white
    }

    /// The rank on which a square is, counted from 1 as the side to move sees it.
    pub fn rank_seen(&self, square: &str) -> usize {
        let rank = named(square) / 8;
        if self.white { rank + 1 } else { 8 - rank }
    }

    /// The letters of both pockets, in any order.
    pub const fn pockets(&mut self) -> &mut Vec<char> {
        &mut self.pockets
    }

    pub fn in_check(&self) -> bool {
        attacked(&self.board, self.king(self.white), self.white)
    }

    /// All legal moves in coordinates.
    pub fn moves(&self) -> Vec<String> {
        self.steps().iter().map(|step| self.text(step)).collect()
    }

    fn text(&self, step: &Step) -> String {
        let Some(from) = step.from else {
            return format!("{}@{}", step.piece, name(step.to));
        };
        let to = match step.rook {
            Some(rook) if self.shuffled => rook,
            _ => step.to,
        };
        let becomes = step.piece.to_ascii_lowercase();
        let becomes = Some(becomes).filter(|letter| *letter != '.');
        format!(
            "{}{}{}",
            name(from),
            name(to),
            becomes.map_or(String::new(), String::from)
        )
    }

    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for from in (0..64).filter(|at| self.is_own(*at)) {
            self.moves_from(from, &mut steps);
        }
        self.castlings(&mut steps);
        for piece in HELD {
            if !self.pockets.contains(&own(self.white, piece)) {
                continue;
            }
            for to in (0..64).filter(|at| self.board[*at] == '.') {
                if piece != 'P' || (8..56).contains(&to) {
                    let (from, rook) = (None, None);
                    steps.push(Step {
                        from,
                        to,
                        piece,
                        rook,
                    });
                }
            }
        }
        steps.retain(|step| {
            let after = self.after(step);
            !attacked(&after.board, after.king(self.white), self.white)
        });
        steps
    }

    fn moves_from(&self, from: usize, steps: &mut Vec<Step>) {
        let (file, rank) = (from as i32 % 8, from as i32 / 8);
        let at = |x: i32, y: i32| {
            let (file, rank) = (file + x, rank + y);
            let is_on = (0..8).contains(&file) && (0..8).contains(&rank);
            is_on.then_some((rank * 8 + file) as usize)
        };
        let mut add = |to, piece| {
            steps.push(Step {
                from: Some(from),
                to,
                piece,
                rook: None,
            });
        };
        let kind = self.board[from].to_ascii_uppercase();
        if kind == 'P' {
            let forward = if self.white { 1 } else { -1 };
            let start = if self.white { 1 } else { 6 };
            let mut all = Vec::new();
            for aside in [-1, 1] {
                all.extend(at(aside, forward).filter(|to| {
                    let is_enemy = self.board[*to] != '.' && !self.is_own(*to);
                    is_enemy || self.passed == Some(*to)
                }));
            }
            let once = at(0, forward).filter(|to| self.board[*to] == '.');
            let twice = at(0, 2 * forward).filter(|to| self.board[*to] == '.');
            all.extend(once);
            if once.is_some() && rank == start {
                all.extend(twice);
            }
            for to in all {
                if (8..56).contains(&to) {
                    add(to, '.');
                } else {
                    for piece in ['Q', 'R', 'B', 'N'] {
                        add(to, piece);
                    }
                }
            }
            return;
        }
        for x in -2_i32..=2 {
            for y in -2_i32..=2 {
                let is_line = x.abs().max(y.abs()) == 1;
                let is_straight = x == 0 || y == 0;
                let goes = match kind {
                    'N' => x.abs() + y.abs() == 3 && x != 0 && y != 0,
                    'B' => is_line && !is_straight,
                    'R' => is_line && is_straight,
                    _ => is_line,
                };
                let reach = if "BRQ".contains(kind) { 7 } else { 1 };
                if !goes {
                    continue;
                }
                for step in 1..=reach {
                    let Some(to) = at(step * x, step * y) else {
                        break;
                    };
                    if !self.is_own(to) {
                        add(to, '.');
                    }
                    if self.board[to] != '.' {
                        break;
                    }
                }
            }
        }
    }

    fn castlings(&self, steps: &mut Vec<Step>) {
        let home = if self.white { 0 } else { 56 };
        let king = self.king(self.white);
        for rook in self
            .rooks
            .iter()
            .copied()
            .filter(|rook| rook / 8 == home / 8)
        {
            let to = home + if rook > king { 6 } else { 2 };
            let rook_to = if rook > king { to - 1 } else { to + 1 };
            let way = |from: usize, to: usize| from.min(to)..=from.max(to);
            let is_held = |at: usize| at != king && at != rook && self.board[at] != '.';
            if way(king, to).chain(way(rook, rook_to)).any(is_held) {
                continue;
            }
            let mut without = self.board.clone();
            without[king] = '.';
            if way(king, to).any(|at| attacked(&without, at, self.white)) {
                continue;
            }
            // Whether the rook's leaving exposes the king is tried with all other moves.
            steps.push(Step {
                from: Some(king),
                to,
                piece: '.',
                rook: Some(rook),
            });
        }
    }

    fn after(&self, step: &Step) -> Self {
        let mut next = self.clone();
        next.passed = None;
        next.counters[0] += 1;
        next.counters[1] += u32::from(!self.white);
        next.white = !self.white;
        let Some(from) = step.from else {
            let dropped = own(self.white, step.piece);
            let held = next
                .pockets
                .iter()
                .position(|piece| *piece == dropped)
                .unwrap();
            next.pockets.remove(held);
            next.board[step.to] = dropped;
            if step.piece == 'P' {
                next.counters[0] = 0;
            }
            return next;
        };
        let moved = self.board[from];
        let is_pawn = moved.eq_ignore_ascii_case(&'P');
        let home = if self.white { 0 } else { 56 };
        if moved.eq_ignore_ascii_case(&'K') {
            next.rooks.retain(|rook| rook / 8 != home / 8);
        }
        next.rooks.retain(|rook| *rook != from && *rook != step.to);
        if let Some(rook) = step.rook {
            next.board[from] = '.';
            next.board[rook] = '.';
            next.board[step.to] = moved;
            let rook_to = if rook > from {
                step.to - 1
            } else {
                step.to + 1
            };
            next.board[rook_to] = own(self.white, 'R');
            return next;
        }
        let victim = if is_pawn && self.passed == Some(step.to) {
            if self.white { step.to - 8 } else { step.to + 8 }
        } else {
            step.to
        };
        if self.board[victim] != '.' {
            let was_promoted = self.promoted.contains(&victim);
            let kind = if was_promoted {
                'P'
            } else {
                self.board[victim]
            };
            next.pockets.push(own(self.white, kind));
            next.board[victim] = '.';
        }
        if self.board[victim] != '.' || is_pawn {
            next.counters[0] = 0;
        }
        let stays_promoted = self.promoted.contains(&from);
        next.promoted
            .retain(|square| *square != from && *square != step.to);
        next.board[from] = '.';
        next.board[step.to] = if step.piece == '.' {
            moved
        } else {
            own(self.white, step.piece)
        };
        if stays_promoted || step.piece != '.' {
            next.promoted.push(step.to);
        }
        if is_pawn && from.abs_diff(step.to) == 16 {
            next.passed = Some(usize::midpoint(from, step.to));
        }
        next
    }

    pub fn play(&self, coordinates: &str) -> Self {
        let is_it = |step: &&Step| self.text(step) == coordinates;
        self.after(self.steps().iter().find(is_it).unwrap())
    }

    pub fn fen(&self) -> String {
        let mut placement = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for at in rank * 8..rank * 8 + 8 {
                if self.board[at] == '.' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    placement += &empty.to_string();
                }
                empty = 0;
                placement.push(self.board[at]);
                if self.promoted.contains(&at) {
                    placement.push('~');
                }
            }
            if empty > 0 {
                placement += &empty.to_string();
            }
            placement.push(if rank > 0 { '/' } else { '[' });
        }
        for white in [true, false] {
            for piece in HELD.map(|piece| own(white, piece)) {
                placement.extend(self.pockets.iter().filter(|held| **held == piece));
            }
        }
        // An en passant square is written if a capture there is legal.
        let takes = |step: &Step| {
            step.from
                .is_some_and(|from| self.board[from].eq_ignore_ascii_case(&'P'))
                && Some(step.to) == self.passed
                && step.from.is_some_and(|from| from % 8 != step.to % 8)
        };
        let can_pass = self.steps().iter().any(takes);
        let passed = if can_pass { self.passed } else { None };
        let turn = if self.white { 'w' } else { 'b' };
        let [half, full] = self.counters;
        let passed = passed.map_or("-".into(), name);
        format!(
            "{placement}] {turn} {} {passed} {half} {full}",
            self.rights()
        )
    }

    fn rights(&self) -> String {
        let mut rights = String::new();
        for white in [true, false] {
            let (king, home) = (self.king(white), if white { 0 } else { 56 });
            let rook = own(white, 'R');
            for kings_side in [true, false] {
                let is_there =
                    |rook: &&usize| **rook / 8 == home / 8 && (**rook > king) == kings_side;
                let Some(right) = self.rooks.iter().find(is_there) else {
                    continue;
                };
                let outermost = if kings_side {
                    (king..home + 8).rev().find(|at| self.board[*at] == rook)
                } else {
                    (home..king).find(|at| self.board[*at] == rook)
                };
                let letter = match (outermost == Some(*right), kings_side) {
                    (true, true) => 'K',
                    (true, false) => 'Q',
                    (false, _) => (b'A' + (right % 8) as u8) as char,
                };
                rights.push(own(white, letter));
            }
        }
        if rights.is_empty() {
            "-".into()
        } else {
            rights
        }
    }

    pub fn status(&self) -> &'static str {
        if self.steps().is_empty() {
            return if self.in_check() { "mate" } else { "stalemate" };
        }
        let on_board = self.board.iter().filter(|letter| **letter != '.');
        let all: Vec<_> = on_board.chain(&self.pockets).collect();
        let others = all
            .iter()
            .filter(|letter| !letter.eq_ignore_ascii_case(&'K'));
        let minor = all.iter().any(|letter| "NBnb".contains(**letter));
        let is_bare = match others.count() {
            0 => true,
            1 => minor && self.promoted.is_empty(),
            _ => false,
        };
        if is_bare { "dead" } else { "ongoing" }
    }

    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.steps().len() as u64,
            _ => self
                .steps()
                .iter()
                .map(|step| self.after(step).perft(depth - 1))
                .sum(),
        }
    }
}

fn own(white: bool, piece: char) -> char {
    if white {
        piece.to_ascii_uppercase()
    } else {
        piece.to_ascii_lowercase()
    }
}
