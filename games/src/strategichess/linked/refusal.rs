//! Why a written ply on linked boards is not legal, and by which law.

use super::{Boards, Edge, Linked, LinkedBoard, Ply, edge};
use crate::{
    chess::laws as regular,
    strategichess::{
        Strategi,
        board::Board,
        laws as one_board,
        linked::laws as law,
        squares::{index, square_at},
    },
};
use overboard_rules::{
    game::Refusal,
    origin::Origins,
    ply::{Arrival, BoardName, Pattern, Written},
    position::Explain as _,
    refusal::{self, list},
    rule::Rule,
    square::{Piece, Role, Square},
};

/// What a ply that a piece could make would do to a king, or to a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Breach {
    /// It captures the last king of a team (SC-25).
    TakesLastKing,
    /// It captures a king in an edition in which none is ever captured (SC-63).
    TakesKing,
    /// It leaves the king of its own board attacked (SC-25, SC-62).
    LeavesKing(usize),
    /// It exposes a king on another board (SC-25, SC-62).
    ExposesKing(usize),
    /// It is not its team's turn on the board to which it crosses (SC-60).
    NotReceiversTurn(usize),
    /// The king of its team on the board to which it crosses is in check (SC-61).
    ReceiverInCheck(usize),
}

type Reason = (String, &'static Rule);

impl Linked {
    /// Why a written ply means no ply on a board, or more than one.
    #[must_use]
    pub fn refuse(&self, board: usize, written: &Written) -> Refusal<Self> {
        let (words, rule) = self.reason(board, written);
        Refusal {
            words,
            rule,
            at: LinkedBoard::of(board),
            possible: self.possible(board, written),
        }
    }

    fn possible(&self, board: usize, written: &Written) -> Vec<Ply> {
        let mut plies = Vec::new();
        if self.end_by_itself().is_none() {
            self.list_with_pass(board, &mut |ply| plies.push(ply));
        }
        plies.sort_unstable();
        let Written::Move(pattern) = written else {
            return plies;
        };
        let near = |ply: &Ply| {
            let Some((from, to)) = ply.squares() else {
                return false;
            };
            let occupant = self.piece_at(board, from).map(|piece| piece.role);
            occupant == Some(pattern.role)
                && (occupant != Some(Role::Pawn) || to.file.abs_diff(pattern.to.file) <= 1)
        };
        let close: Vec<_> = plies.iter().copied().filter(near).collect();
        if close.is_empty() { plies } else { close }
    }

    /// The squares of a board from which the piece of an illegal ply may have come.
    #[must_use]
    pub fn likely_origins(&self, board: usize, pattern: &Pattern) -> Vec<Square> {
        let side = self.turn(board);
        let Arrival::Beside(next) = pattern.arrival else {
            let origins = Origins {
                side,
                squares_of: &|piece| self.pieces(board, piece),
                piece_at: &|square| self.piece_at(board, square),
                walks: Strategi::moves_so,
            };
            return origins.likely(pattern, pattern.capture);
        };
        let next = usize::from(next);
        let is_own = |piece: Piece| piece.side == side;
        if next >= self.boards() || self.piece_at(next, pattern.to).is_some_and(is_own) {
            return Vec::new();
        }
        let crossing = self.pseudo_legal(board, pattern);
        let mut from: Vec<_> = crossing.map(|ply| square_at(u32::from(ply.from))).collect();
        if from.is_empty() {
            from = self.pieces(
                board,
                Piece {
                    side,
                    role: pattern.role,
                },
            );
            from.retain(|from| pattern.may_start_on(*from));
        }
        from
    }

    fn reason(&self, board: usize, written: &Written) -> Reason {
        if let Some(refusal) = self.against_any_ply(board) {
            return (refusal.words, refusal.rule);
        }
        let name = BoardName(board);
        let side = self.turn(board);
        match written {
            Written::Pass => (
                format!("{side} passes only without a legal move on board {name}"),
                &law::PASS,
            ),
            _ if self.has_fallen(board, side) => {
                let words = format!(
                    "{side} on board {name} has lost the king by a fallen flag or illegal attempts, and passes"
                );
                (words, &law::FALLEN)
            }
            Written::Castle(_) => ("this game has no castling".into(), &one_board::NO_CASTLING),
            Written::Drop { .. } | Written::PromotedDrop { .. } => {
                ("no piece is dropped in this game".into(), &regular::TURN)
            }
            Written::Move(pattern) => self.against_move(board, pattern),
        }
    }

    fn against_move(&self, board: usize, pattern: &Pattern) -> Reason {
        let side = self.turn(board);
        let legal: Vec<_> = self.fitting(board, pattern).collect();
        if legal.len() > 1 {
            let from = legal.iter().filter_map(|ply| Some(ply.squares()?.0));
            let words = format!(
                "ambiguous between the {}s on {}",
                pattern.role.name(),
                list(from, "and")
            );
            return (words, &regular::ONE_MOVE);
        }
        if let Some(ply) = self.pseudo_legal(board, pattern).next()
            && let Some(breach) = self.breach(ply, side)
        {
            return self.explain(ply, breach);
        }
        match pattern.arrival {
            Arrival::Beside(next) => self.against_crossing(board, usize::from(next), pattern),
            _ => self.against_on_board(board, pattern),
        }
    }

    fn explain(&self, ply: Ply, breach: Breach) -> Reason {
        let side = self.turn(ply.board());
        let later = self.edition() == super::Edition::Of2025;
        let (which, safety) = if later {
            ("king", &law::EVERY_KING)
        } else {
            ("last king", &law::LAST_KING)
        };
        let adjective = side.adjective();
        match breach {
            Breach::TakesLastKing => (
                format!(
                    "the last king of {}'s team cannot be captured",
                    side.other()
                ),
                &law::LAST_KING,
            ),
            Breach::TakesKing => ("no king is captured by a move".into(), &law::KING_REMOVED),
            Breach::LeavesKing(board) => {
                let by = self.attackers_after(ply, board);
                (
                    format!(
                        "it leaves {side}'s {which}, on board {}, attacked by {by}",
                        BoardName(board)
                    ),
                    safety,
                )
            }
            Breach::ExposesKing(board) => {
                let by = self.attackers_after(ply, board);
                (
                    format!(
                        "it exposes {side}'s {which} on board {} to {by}",
                        BoardName(board)
                    ),
                    safety,
                )
            }
            Breach::NotReceiversTurn(board) => {
                let words = format!(
                    "a crossing needs {side}'s turn on board {} too",
                    BoardName(board)
                );
                (words, &law::BOTH_TURNS)
            }
            Breach::ReceiverInCheck(board) => {
                let words = format!(
                    "the {adjective} king on board {} is in check",
                    BoardName(board)
                );
                (words, &law::RECEIVER_IN_CHECK)
            }
        }
    }

    /// The pieces that attack the mover's king on a board after a ply.
    fn attackers_after(&self, ply: Ply, board: usize) -> String {
        let side = self.turn(ply.board());
        let trial = self.tried(ply, side);
        let Some(king) = trial.king(board, side) else {
            return String::new();
        };
        let here = trial.board(board);
        let piece = |on: usize, from: u32| {
            let role = trial
                .board(on)
                .piece_at(from)
                .map_or("piece", |piece| piece.role.name());
            let square = square_at(from);
            match on == board {
                true => format!("the {role} on {square}"),
                false => format!("the {role} on {square} of board {}", BoardName(on)),
            }
        };
        let mut by = Vec::new();
        for from in here.attackers(king, side.other(), here.occupied()) {
            by.push(piece(board, from));
        }
        for (edge, next) in self.beside(board) {
            for from in trial.attackers_over(board, edge, king, side.other()) {
                by.push(piece(next, from));
            }
        }
        list(by, "and")
    }

    fn against_crossing(&self, board: usize, next: usize, pattern: &Pattern) -> Reason {
        let (name, other) = (BoardName(board), BoardName(next));
        let side = self.turn(board);
        let piece = Piece {
            side,
            role: pattern.role,
        };
        let what = format!("{} {}", side.adjective(), pattern.role.name());
        let Some(edge) = self.edge_to(board, next) else {
            return self.without_edge(board, next);
        };
        if pattern.promotion.is_some() {
            return (
                "no piece is promoted in this game".into(),
                &one_board::NO_PROMOTION,
            );
        }
        if pattern.role == Role::King {
            return ("the king never leaves its board".into(), &law::KING_STAYS);
        }
        if self.pieces(board, piece).is_empty() {
            return (
                format!("there is no {what} on board {name}"),
                &regular::TURN,
            );
        }
        if let Some(on) = self.opponents_origin(board, pattern) {
            let (other, role) = (side.other(), pattern.role.name());
            let words = format!("it is {side}'s move, and the {role} on {on} is {other}'s");
            return (words, &regular::TURN);
        }
        if let Some(own) = self.piece_at(next, pattern.to)
            && own.side == side
        {
            let words = format!(
                "{} of board {other} is occupied by {side}'s own {}",
                pattern.to,
                own.role.name()
            );
            return (words, &regular::OWN_PIECE);
        }
        (
            self.against_reaching(board, edge, piece, pattern),
            if matches!(pattern.role, Role::Pawn | Role::Knight) {
                &law::CROSSING_JUMP
            } else {
                &law::CROSSING
            },
        )
    }

    /// Why no piece crosses from one board to another at all.
    fn without_edge(&self, board: usize, next: usize) -> Reason {
        let (name, other, boards) = (BoardName(board), BoardName(next), self.boards());
        let words = if next >= boards {
            format!("there is no board {other}; there are {boards} boards")
        } else if next == board {
            format!("the piece stays on board {name}: without `/{other}`")
        } else {
            format!("board {other} does not touch board {name}")
        };
        (words, &law::CROSSING)
    }

    fn against_reaching(
        &self,
        board: usize,
        edge: Edge,
        piece: Piece,
        pattern: &Pattern,
    ) -> String {
        let from = list(self.pieces(board, piece), "and");
        let file = Square::file_letter(edge.file());
        let why = match pattern.role {
            Role::Knight => format!("a knight crosses only from file {file}"),
            Role::Pawn if pattern.capture => {
                format!("a pawn captures over the edge only diagonally forward from file {file}")
            }
            Role::Pawn => {
                format!("a pawn crosses sideways on a road from file {file} to an empty square")
            }
            _ if pattern.to.file != edge.opposite().file() => {
                let first = Square::file_letter(edge.opposite().file());
                format!("it stops on the first square it enters, on file {first}")
            }
            _ => match self.blocked(board, edge, piece, pattern) {
                Some(from) => format!("its line from {from} is blocked"),
                None => "no line of it leads there".into(),
            },
        };
        format!(
            "no {} {} of board {} can move to {} over the edge ({why}; they are on {from})",
            piece.side.adjective(),
            piece.role.name(),
            BoardName(board),
            pattern.to
        )
    }

    /// A piece of this kind that would reach the square over an edge if nothing were in its way.
    fn blocked(&self, board: usize, edge: Edge, piece: Piece, pattern: &Pattern) -> Option<Square> {
        for square in self.pieces(board, piece) {
            let Some(from) = index(square) else {
                continue;
            };
            let mut alone = Board::default();
            alone.put(from, piece);
            let origins = edge::origins(&alone, edge, piece, pattern.to, pattern.capture);
            if origins.has(from) {
                return Some(square);
            }
        }
        None
    }

    /// The square of origin that a move names, if a piece of the opponent's of that kind stands there (GEN-1).
    fn opponents_origin(&self, board: usize, pattern: &Pattern) -> Option<Square> {
        let on = pattern.origin()?;
        let there = self.piece_at(board, on)?;
        if there.side == self.turn(board) || there.role != pattern.role {
            return None;
        }
        Some(on)
    }

    fn pieces(&self, board: usize, piece: Piece) -> Vec<Square> {
        self.board(board)
            .of_kind(piece.role, piece.side)
            .into_iter()
            .map(square_at)
            .collect()
    }

    /// What is wrong by the moves of one board alone, ignoring kings.
    fn against_on_board(&self, board: usize, pattern: &Pattern) -> Reason {
        let seat = &self.seats[board];
        let mut alone = seat.board;
        // Here a king can be captured: as far as moves are concerned, it is a piece like any other.
        if let Some(to) = index(pattern.to)
            && let Some(Piece {
                role: Role::King,
                side,
            }) = alone.piece_at(to)
            && side != seat.turn
        {
            alone.remove(to);
            alone.put(
                to,
                Piece {
                    side,
                    role: Role::Queen,
                },
            );
        }
        let view = Strategi {
            board: alone,
            turn: seat.turn,
            halfmove: 0,
            fullmove: seat.fullmove,
        };
        let written = Written::Move(Pattern {
            arrival: Arrival::Here,
            ..*pattern
        });
        let refusal = refusal::Refusal::by_geometry(&view, &written);
        (refusal.to_string(), refusal.rule())
    }
}
