//! Linked boards: the editions of 2003 and 2025.

use super::{Board, BoardSquare, Boards, Side, coordinates};

/// The initial position of a board, with queens on file g and kings on file h (SC-2, SC-3).
const START: &str = "14/14/rnbbnrqkrnbbnr/pppppppppppppp/14/14/14/14/14/14/PPPPPPPPPPPPPP/RNBBNRQKRNBBNR/14/14 \
                     w ABCDEFGHIJKLMNabcdefghijklmn 0 1";

/// The edition whose rules about kings and crossings apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edition {
    /// SC-20 to SC-36.
    Of2003,
    /// SC-60 to SC-67 in place of SC-24 to SC-26 and of one sentence of SC-23.
    Of2025,
}

/// The consequence of a fallen flag that does not lose at once (SC-35).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flag {
    /// The player passes from now on.
    King,
    /// Play ends on all boards, and kings are counted.
    End,
}

/// One ply: a move on a board or across its edge, or a pass on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ply {
    Move { from: BoardSquare, to: BoardSquare },
    Pass { board: usize },
}

impl Ply {
    /// SC-31 (b): a move "on a board" is made from that board.
    fn board(self) -> usize {
        match self {
            Ply::Move { from, .. } => from.board,
            Ply::Pass { board } => board,
        }
    }

    fn coordinates(self) -> String {
        match self {
            Ply::Pass { board } => format!("{}.--", board_letters(board)),
            Ply::Move { from, to } => {
                format!(
                    "{}.{}{}",
                    board_letters(from.board),
                    coordinates((from, to)),
                    arrival(from, to)
                )
            }
        }
    }
}

/// `/B` if a move arrives on another board, here B.
fn arrival(from: BoardSquare, to: BoardSquare) -> String {
    if from.board == to.board {
        String::new()
    } else {
        format!("/{}", board_letters(to.board))
    }
}

/// `A` to `Z`, then `AA` and so on, as in spreadsheets.
fn board_letters(board: usize) -> String {
    let last = u8::try_from(board % 26).expect("a remainder of 26 is small");
    let rest = board / 26;
    let before = if rest == 0 {
        String::new()
    } else {
        board_letters(rest - 1)
    };
    before + &char::from(b'A' + last).to_string()
}

/// A position on several boards side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linked {
    boards: Boards,
    edition: Edition,
    /// SC-35: the players whose flags have fallen. FENs do not show them.
    fallen: Vec<(Side, usize)>,
    /// SC-31 (d): the team that made the last ply. FENs do not show it.
    last_mover: Option<Side>,
    /// SC-35: the end that a flag brought about, with the winner.
    ended_by_flag: Option<(&'static str, &'static str)>,
}

/// Reading and writing.
impl Linked {
    /// This many boards in the initial position.
    pub fn start(boards: usize, edition: Edition) -> Linked {
        Linked::parse(&vec![START; boards].join(" | "), edition)
    }

    /// Reads the FENs of the boards, joined by ` | `.
    ///
    /// # Panics
    ///
    /// If the text is not a position of at least two boards on which each team has a king.
    pub fn parse(fens: &str, edition: Edition) -> Linked {
        let boards = Boards(fens.split(" | ").map(Board::parse).collect());
        assert!(boards.0.len() > 1, "one board has no edge to cross: {fens}");
        let linked = Linked {
            boards,
            edition,
            fallen: Vec::new(),
            last_mover: None,
            ended_by_flag: None,
        };
        for side in Side::BOTH {
            assert!(
                !linked.kings_of(side).is_empty(),
                "each team has a king: {fens}"
            );
        }
        linked
    }

    /// Writes the FENs of the boards, joined by ` | `.
    pub fn fen(&self) -> String {
        let fens: Vec<String> = self.boards.0.iter().map(Board::fen).collect();
        fens.join(" | ")
    }
}

/// The interface for tests.
impl Linked {
    /// The plies that [`perft`](Linked::perft) counts, on every board: the letter of the board, the side to move there,
    /// and the ply in coordinates, by which they are sorted. GEN-6: the hundred and fifty plies of SC-28 do not empty
    /// the list; [`status`](Linked::status) reports them.
    pub fn moves(&self) -> Vec<(String, char, String)> {
        let written = |ply: Ply| {
            (
                board_letters(ply.board()),
                self.board(ply.board()).side.letter(),
                ply.coordinates(),
            )
        };
        let mut moves: Vec<_> = self.plies().into_iter().map(written).collect();
        moves.sort_by(|a, b| a.2.cmp(&b.2));
        moves
    }

    /// The legal plies of one board in coordinates.
    pub fn moves_on(&self, letters: &str) -> Vec<String> {
        let plies = if self.is_over() {
            Vec::new()
        } else {
            self.plies_on(self.board_of(letters))
        };
        plies.into_iter().map(Ply::coordinates).collect()
    }

    /// The position after a ply.
    ///
    /// # Panics
    ///
    /// If the ply is not among the [`moves`](Linked::moves).
    pub fn play(&self, coord: &str) -> Linked {
        self.after(self.find(coord)).0
    }

    /// The number of sequences of this many plies, in any order of the boards.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.plies().len() as u64,
            _ => self
                .plies()
                .into_iter()
                .map(|ply| self.after(ply).0.perft(depth - 1))
                .sum(),
        }
    }

    /// A ply in the notation of records: `Nb6/B`, `Rxa5/B+`, or `--` for a pass.
    ///
    /// # Panics
    ///
    /// If the ply is not among the [`moves`](Linked::moves).
    pub fn san(&self, coord: &str) -> String {
        let ply = self.find(coord);
        let Ply::Move { from, to } = ply else {
            return "--".to_string();
        };
        let legal: Vec<_> = self
            .moves_from(from.board, self.board(from.board).side)
            .collect();
        self.boards.san(from, to, &legal) + &arrival(from, to) + self.suffix(ply)
    }

    /// `ongoing` without a winner, or the end and its winner, `w`, `b` or `draw`: `mate` of a team's last king;
    /// `kingscounted` if all boards are closed, the count has reached its limit, or a flag ended play; `flag` if the
    /// flag of a team's last king fell.
    pub fn status(&self) -> (&'static str, &'static str) {
        if let Some(end) = self.ended_by_flag {
            return end;
        }
        // SC-33: mate comes first.
        match (
            self.is_last_king_mated(Side::White),
            self.is_last_king_mated(Side::Black),
        ) {
            (true, false) => return ("mate", winner(Side::Black)),
            (false, true) => return ("mate", winner(Side::White)),
            // SC-31 (d): if one ply mates both teams, the team that made it wins.
            (true, true) => return ("mate", self.last_mover.map_or("draw", winner)),
            (false, false) => {}
        }
        // All boards are closed, or a hundred and fifty plies were made from each open one without a capture.
        if self.every_open_board_has_seen(150) {
            ("kingscounted", self.count_of_kings())
        } else {
            ("ongoing", "")
        }
    }

    /// SC-28: whether a captain may have the kings counted, as a hundred plies were made from each open board since the
    /// last capture.
    pub fn may_count_kings(&self) -> bool {
        self.status().0 == "ongoing" && self.every_open_board_has_seen(100)
    }

    /// The number of kings that this team, `w` or `b`, has.
    pub fn kings(&self, side: char) -> usize {
        self.kings_of(Side::from_letter(side)).len()
    }

    /// SC-36: the kings of a team in the score, where a last king that is mated does not count.
    pub fn score(&self, side: char) -> usize {
        if self.is_last_king_mated(Side::from_letter(side)) {
            0
        } else {
            self.kings(side)
        }
    }

    /// Whether the king of this side, `w` or `b`, on this board is attacked.
    pub fn king_attacked(&self, side: char, letters: &str) -> bool {
        let side = Side::from_letter(side);
        let king = self.boards.king_on(self.board_of(letters), side);
        king.is_some_and(|king| self.boards.is_attacked(king, side.other()))
    }

    /// SC-32: whether this board is closed.
    pub fn closed(&self, letters: &str) -> bool {
        self.is_closed(self.board_of(letters))
    }

    /// The position without the king of this side on this board; `None` if there is none, or if it is the team's last.
    pub fn without_king(&self, side: char, letters: &str) -> Option<Linked> {
        let side = Side::from_letter(side);
        let king = self.boards.king_on(self.board_of(letters), side)?;
        let mut next = self.clone();
        next.take_off(king);
        next.settle(side.other());
        (self.kings_of(side).len() > 1).then_some(next)
    }

    /// SC-35: the position after the flag of this side's player on this board fell.
    pub fn fall(&self, side: char, letters: &str, flag: Flag) -> Linked {
        let side = Side::from_letter(side);
        let board = self.board_of(letters);
        let mut next = self.clone();
        next.fallen.push((side, board));
        if let Some(king) = self.boards.king_on(board, side) {
            next.take_off(king);
        }
        if next.kings_of(side).is_empty() {
            // The team's last king is gone: the team has lost.
            next.ended_by_flag = Some(("flag", winner(side.other())));
        } else if flag == Flag::End {
            // The first flag to fall ends play on all boards, and kings are counted without that king.
            next.ended_by_flag = Some(("kingscounted", next.count_of_kings()));
        } else {
            // Everything is judged as after a ply of the other team.
            next.settle(side.other());
        }
        next
    }
}

fn winner(side: Side) -> &'static str {
    match side {
        Side::White => "w",
        Side::Black => "b",
    }
}

/// Kings.
impl Linked {
    fn board(&self, board: usize) -> &Board {
        &self.boards.0[board]
    }

    pub fn board_of(&self, letters: &str) -> usize {
        let found = (0..self.boards.0.len()).find(|&board| board_letters(board) == letters);
        found.unwrap_or_else(|| panic!("no board has the letter {letters}"))
    }

    /// A team's kings, in the order of the boards.
    fn kings_of(&self, side: Side) -> Vec<BoardSquare> {
        (0..self.boards.0.len())
            .filter_map(|board| self.boards.king_on(board, side))
            .collect()
    }

    /// SC-30: the team with more kings wins; equal numbers are a draw. Attacked kings count.
    fn count_of_kings(&self) -> &'static str {
        let [white, black] = Side::BOTH.map(|side| self.kings_of(side).len());
        match white.cmp(&black) {
            std::cmp::Ordering::Greater => winner(Side::White),
            std::cmp::Ordering::Less => winner(Side::Black),
            std::cmp::Ordering::Equal => "draw",
        }
    }

    fn is_attacked(&self, king: BoardSquare, side: Side) -> bool {
        self.boards.is_attacked(king, side.other())
    }

    /// Whether this king of this side is attacked, with its side to move on its board and without a legal move there.
    /// No legal move from a king's own board leaves it attacked where it could be mated (SC-26, SC-63), so any legal
    /// move is an escape.
    fn has_no_escape(&self, king: BoardSquare, side: Side) -> bool {
        self.board(king.board).side == side
            && self.is_attacked(king, side)
            && self.moves_from(king.board, side).next().is_none()
    }

    /// SC-25, SC-64: whether this team has one king left, which is mated.
    fn is_last_king_mated(&self, side: Side) -> bool {
        let kings = self.kings_of(side);
        kings.len() == 1 && self.has_no_escape(kings[0], side)
    }

    /// Removes a king; SC-28, SC-34: that resets the counters as a capture does.
    fn take_off(&mut self, king: BoardSquare) {
        self.boards.0[king.board].cells[king.cell()] = None;
        self.reset_counters();
    }

    fn reset_counters(&mut self) {
        for board in &mut self.boards.0 {
            board.halfmove = 0;
        }
    }

    /// Applies what follows from a ply of this team by itself. Returns whether a king was removed.
    fn settle(&mut self, mover: Side) -> bool {
        self.last_mover = Some(mover);
        let mut any = false;
        if self.edition == Edition::Of2025 {
            // SC-66: one at a time, with everything judged anew after each.
            while let Some(king) = self.next_to_be_taken_off(mover) {
                self.take_off(king);
                any = true;
            }
        }
        any
    }

    /// SC-63, SC-66: the first mated king, those of the mover's opponents first, in the order of the boards; `None` if
    /// it is the team's last, whose mate ends the game (SC-64).
    fn next_to_be_taken_off(&self, mover: Side) -> Option<BoardSquare> {
        for side in [mover.other(), mover] {
            let kings = self.kings_of(side);
            if let Some(&mated) = kings.iter().find(|&&king| self.has_no_escape(king, side)) {
                return (kings.len() > 1).then_some(mated);
            }
        }
        None
    }
}

/// Plies.
impl Linked {
    /// The legal plies of every board.
    fn plies(&self) -> Vec<Ply> {
        if self.is_over() {
            return Vec::new();
        }
        (0..self.boards.0.len())
            .flat_map(|board| self.plies_on(board))
            .collect()
    }

    /// Whether a flag or a mate has ended the game.
    fn is_over(&self) -> bool {
        self.ended_by_flag.is_some()
            || Side::BOTH
                .into_iter()
                .any(|side| self.is_last_king_mated(side))
    }

    /// The legal plies of the side to move on a board. SC-27: only a player who has no move and is not mated passes;
    /// SC-32: nobody passes on a closed board.
    fn plies_on(&self, board: usize) -> Vec<Ply> {
        let side = self.board(board).side;
        let moves: Vec<_> = self.moves_from(board, side).collect();
        if !moves.is_empty() {
            return moves
                .into_iter()
                .map(|(from, to)| Ply::Move { from, to })
                .collect();
        }
        let is_mated = self
            .boards
            .king_on(board, side)
            .is_some_and(|king| self.is_mated(king, side));
        if is_mated || self.is_closed(board) {
            Vec::new()
        } else {
            vec![Ply::Pass { board }]
        }
    }

    /// 2003: only a last king can be mated (SC-25). 2025: any king can (SC-63), but one that is not its team's last
    /// stays on the boards mated only in a position that no ply has led to.
    fn is_mated(&self, king: BoardSquare, side: Side) -> bool {
        match self.edition {
            Edition::Of2003 => self.kings_of(side) == [king] && self.has_no_escape(king, side),
            Edition::Of2025 => self.has_no_escape(king, side),
        }
    }

    /// The moves that a side would have from a board if it were to move there. SC-35: a player whose flag has fallen
    /// has none.
    fn moves_from(
        &self,
        board: usize,
        side: Side,
    ) -> impl Iterator<Item = (BoardSquare, BoardSquare)> {
        let has_fallen = self.fallen.contains(&(side, board));
        let [kings, rivals] = [side, side.other()].map(|side| self.kings_of(side));
        self.boards
            .pieces_of(board, side)
            .filter(move |_| !has_fallen)
            .flat_map(|from| {
                self.boards
                    .targets(from)
                    .into_iter()
                    .map(move |to| (from, to))
            })
            .filter(move |&(from, to)| match self.edition {
                Edition::Of2003 => self.allowed_in_2003(from, to, side, &kings, &rivals),
                Edition::Of2025 => self.allowed_in_2025(from, to, side, &kings, &rivals),
            })
    }

    fn allowed_in_2003(
        &self,
        from: BoardSquare,
        to: BoardSquare,
        side: Side,
        kings: &[BoardSquare],
        rivals: &[BoardSquare],
    ) -> bool {
        // SC-25 (c): no move may capture a last king; SC-24: any other may be captured.
        if rivals == [to] {
            return false;
        }
        // SC-24: with two or more kings, none has to be moved out of attack; SC-25: a last king is protected.
        kings.len() > 1
            || kings
                .iter()
                .all(|&king| self.keeps_safe(king, from, to, side))
    }

    fn allowed_in_2025(
        &self,
        from: BoardSquare,
        to: BoardSquare,
        side: Side,
        kings: &[BoardSquare],
        rivals: &[BoardSquare],
    ) -> bool {
        // SC-63: kings are never captured by a move.
        if rivals.contains(&to) {
            return false;
        }
        if to.board != from.board {
            // SC-60: a crossing needs the receiving player's turn.
            if self.board(to.board).side != side {
                return false;
            }
            // SC-61: the receiving player's own king, if there is one (SC-67), must not be in check.
            if self
                .boards
                .king_on(to.board, side)
                .is_some_and(|king| self.is_attacked(king, side))
            {
                return false;
            }
        }
        // SC-62: the usual rules of check apply to every king.
        kings
            .iter()
            .all(|&king| self.keeps_safe(king, from, to, side))
    }

    /// Whether a move leaves a protected king safe. SC-25 (a), SC-62: the king on the mover's own board must not be
    /// attacked after it; SC-25 (b), SC-62: one on another board must not be exposed if it was not attacked before.
    fn keeps_safe(
        &self,
        king: BoardSquare,
        from: BoardSquare,
        to: BoardSquare,
        side: Side,
    ) -> bool {
        let king_after = if king == from { to } else { king };
        let mut after = self.boards.clone();
        after.carry_out(from, to);
        let is_left_attacked = after.is_attacked(king_after, side.other());
        if king.board == from.board {
            !is_left_attacked
        } else {
            !is_left_attacked || self.is_attacked(king, side)
        }
    }

    /// The position after a legal ply, and whether the ply removed a king (SC-63).
    fn after(&self, ply: Ply) -> (Linked, bool) {
        let mut next = self.clone();
        let mover = self.board(ply.board()).side;
        next.boards.0[ply.board()].pass_turn();
        if let Ply::Move { from, to } = ply {
            // SC-60: a crossing of 2025 uses up the receiving player's turn; SC-23: one of 2003 does not.
            if to.board != from.board && self.edition == Edition::Of2025 {
                next.boards.0[to.board].pass_turn();
            }
            // SC-34: a capture resets the counters of all boards.
            if next.boards.carry_out(from, to) {
                next.reset_counters();
            }
        }
        let took_king_off = next.settle(mover);
        (next, took_king_off)
    }

    /// SC-32: neither side would have a move here if it were to move, and no last king is attacked here.
    fn is_closed(&self, board: usize) -> bool {
        Side::BOTH.into_iter().all(|side| {
            let kings = self.kings_of(side);
            let is_last_king_attacked =
                kings.len() == 1 && kings[0].board == board && self.is_attacked(kings[0], side);
            !is_last_king_attacked && self.moves_from(board, side).next().is_none()
        })
    }

    /// SC-28, SC-34: whether this many plies were made from each open board since the last capture; also true if all
    /// boards are closed.
    fn every_open_board_has_seen(&self, plies: u32) -> bool {
        (0..self.boards.0.len())
            .all(|board| self.board(board).halfmove >= plies || self.is_closed(board))
    }

    /// The suffix of a ply in a record: `#` for a mate, `+` for an attack on a king to which check rules apply.
    fn suffix(&self, ply: Ply) -> &'static str {
        let (next, took_king_off) = self.after(ply);
        if took_king_off || next.status().0 == "mate" {
            return "#";
        }
        let opponents = self.board(ply.board()).side.other();
        let kings = next.kings_of(opponents);
        let is_named = self.edition == Edition::Of2025 || kings.len() == 1;
        if is_named
            && kings
                .into_iter()
                .any(|king| next.is_attacked(king, opponents))
        {
            "+"
        } else {
            ""
        }
    }

    fn find(&self, coord: &str) -> Ply {
        let (letters, _) = coord.split_once('.').expect("a ply names its board");
        let plies = if self.is_over() {
            Vec::new()
        } else {
            self.plies_on(self.board_of(letters))
        };
        let found = plies.into_iter().find(|ply| ply.coordinates() == coord);
        found.unwrap_or_else(|| panic!("{coord} is not legal in {}", self.fen()))
    }
}
