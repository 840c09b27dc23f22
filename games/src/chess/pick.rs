//! The legal moves of a position as sets of squares: enough to count them, and to take one by its number, without a
//! list.
//!
//! They are in the order of the library's list. Random games have been drawn from that list since the first ledgers,
//! and a seed must give the same games again.

use super::{ChessBy, ChessLaws, Move, whence};
use crate::bits::nth_bit;
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, CastlingSide, Color, Position as _, Role, Square, attacks};

/// Moves of one kind; for each square of a set one move, or four.
#[derive(Clone, Copy)]
pub(super) struct Group {
    way: MoveKind,
    to: Bitboard,
}

/// What the moves of a group have in common.
#[derive(Clone, Copy)]
enum MoveKind {
    /// Pawns move by this distance, counted in squares from `a1` on.
    Pawns(i8),
    /// The same, to the last rank.
    Promotion(i8),
    /// A piece other than a pawn moves from this square.
    Officer(Role, Square),
    /// Pawns capture en passant on this square; the set has their squares of origin.
    EnPassant(Square),
    /// The king castles from this square; the set has the square of the rook.
    Castling(Square),
}

/// More groups than a position can have: one for each officer, and the kinds of pawn moves and castling.
const MOST: usize = 80;

/// The pieces that a pawn may promote to, in the order of the library's list.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Group {
    /// The number of moves.
    #[inline]
    fn len(self) -> usize {
        let squares = self.to.count();
        if let MoveKind::Promotion(_) = self.way {
            squares * PROMOTIONS.len()
        } else {
            squares
        }
    }

    /// The move with this number, from 0; the last one if the number is too large.
    fn nth<L: ChessLaws>(self, chess: &ChessBy<L>, nth: usize) -> Move {
        let (square, promotion) = match self.way {
            MoveKind::Promotion(_) => (
                nth / PROMOTIONS.len(),
                Some(PROMOTIONS[nth % PROMOTIONS.len()]),
            ),
            _ => (nth, None),
        };
        let at = Square::new(u32::from(nth_bit(self.to.0, square)) & 63);
        self.on(chess, at, promotion)
    }

    /// Calls `visit` with its moves in the order of their numbers.
    #[inline]
    fn for_each<L: ChessLaws>(self, chess: &ChessBy<L>, visit: &mut impl FnMut(Move)) {
        for at in self.to {
            if let MoveKind::Promotion(_) = self.way {
                for role in PROMOTIONS {
                    visit(self.on(chess, at, Some(role)));
                }
            } else {
                visit(self.on(chess, at, None));
            }
        }
    }

    /// The move with this square of the set, and with this promotion.
    #[inline]
    fn on<L: ChessLaws>(self, chess: &ChessBy<L>, at: Square, promotion: Option<Role>) -> Move {
        let normal = |role, from| shakmaty::Move::Normal {
            role,
            from,
            capture: chess.position.board().role_at(at),
            to: at,
            promotion,
        };
        Move(match self.way {
            // Squares wrap around, so that no number needs a check: a move that starts on the board stays on it.
            MoveKind::Pawns(by) | MoveKind::Promotion(by) => normal(
                Role::Pawn,
                Square::new(u32::from(at).wrapping_add_signed(-i32::from(by)) & 63),
            ),
            MoveKind::Officer(role, from) => normal(role, from),
            MoveKind::EnPassant(to) => shakmaty::Move::EnPassant { from: at, to },
            MoveKind::Castling(king) => shakmaty::Move::Castle { king, rook: at },
        })
    }
}

impl<L: ChessLaws> ChessBy<L> {
    /// The legal move whose number `choose` picks, given how many there are, in the order of the list; `None` if there
    /// is none.
    #[inline]
    pub(crate) fn picked(&self, choose: impl FnOnce(usize) -> usize) -> Option<Move> {
        let mut groups = ArrayVec::<Group, MOST>::new();
        // For each group, the number of the first move after it.
        let mut ends = [i16::MAX; MOST];
        let mut count = 0;
        self.for_each_group(|group| {
            if group.to.any() {
                count += group.len();
                // A position has fewer moves than this type can count.
                ends[groups.len()] = count as i16;
                groups.push(group);
            }
        });
        if count == 0 {
            return None;
        }
        let nth = choose(count);
        // All ends are compared, many at once: a search that stops early would be mispredicted at every move. With
        // `nth_bit` this took a tenth off random play of Mega-Chess, for a twentieth more instructions.
        let before = |end: &i16| i16::from(*end <= nth as i16);
        let at = ends.iter().map(before).fold(0, i16::wrapping_add) as usize;
        if nth >= count {
            return None;
        }
        let group = groups.get(at)?;
        Some(group.nth(self, nth + group.len() - ends[at] as usize))
    }

    /// The number of legal moves.
    #[inline]
    pub(crate) fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.for_each_group(|group| count += group.len() as u64);
        count
    }

    /// The legal moves of a position to which no game leads: more than the library's list can hold, or with a king that
    /// could be taken and is not (GEN-9).
    #[cold]
    pub(crate) fn odd_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.for_each_move(|m| moves.push(m));
        moves
    }

    /// Calls `visit` with the legal moves, however many they are, in the order of [`Self::picked`].
    #[inline]
    pub(crate) fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        self.for_each_group(|group| {
            group.for_each(self, &mut |m| {
                // A king that an illegal move left attacked is not taken (GEN-9).
                if m.0.capture() != Some(Role::King) {
                    visit(m);
                }
            });
        });
    }

    /// Calls `visit` with all groups of legal moves; some may be empty.
    #[inline(always)]
    fn for_each_group(&self, mut visit: impl FnMut(Group)) {
        let (board, turn) = (self.position.board(), self.position.turn());
        let Some(king) = board.king_of(turn) else {
            return;
        };
        if let Some(to) = self.position.maybe_ep_square() {
            visit(Group {
                way: MoveKind::EnPassant(to),
                to: self.en_passant_from(to),
            });
        }
        let own = self.position.us();
        let steps = self.safe_steps(king, attacks::king_attacks(king) & !own);
        let king_steps = Group {
            way: MoveKind::Officer(Role::King, king),
            to: steps,
        };
        if self.checkers.any() {
            visit(king_steps);
            // In double check only the king can move.
            let Some(checker) = self.checkers.single_square() else {
                return;
            };
            self.for_each_of_others(
                king,
                attacks::between(king, checker).with(checker),
                &mut visit,
            );
            return;
        }
        self.for_each_of_others(king, !own, &mut visit);
        visit(king_steps);
        if (self.position.castles().castling_rights() & turn.backrank()).any() {
            for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
                if let Some(shakmaty::Move::Castle { king, rook }) =
                    self.position.castling_moves(side).first()
                {
                    visit(Group {
                        way: MoveKind::Castling(*king),
                        to: Bitboard::from_square(*rook),
                    });
                }
            }
        }
    }

    /// The squares from which pawns may capture en passant on a square.
    #[cold]
    fn en_passant_from(&self, to: Square) -> Bitboard {
        let (board, turn) = (self.position.board(), self.position.turn());
        let pawns = attacks::pawn_attacks(!turn, to) & board.pawns() & board.by_color(turn);
        let victim = to
            .offset(turn.fold_wb(-8, 8))
            .map_or(Bitboard::EMPTY, Bitboard::from_square);
        pawns
            .into_iter()
            .filter(|from| self.is_safe(*from, to, victim))
            .collect()
    }

    /// The king's steps to squares that are not attacked after the step. The king cannot hide behind its own old
    /// square.
    #[inline]
    fn safe_steps(&self, king: Square, steps: Bitboard) -> Bitboard {
        if steps.is_empty() {
            return steps;
        }
        let without_it = self.position.board().occupied().without(king);
        steps & !self.attacked_by_them(without_it)
    }

    /// The squares that the other side attacks, if these are occupied.
    #[inline]
    fn attacked_by_them(&self, occupied: Bitboard) -> Bitboard {
        let board = self.position.board();
        let them = self.position.them();
        let pawns = forward(board.pawns() & them, !self.position.turn());
        let mut attacked = west(pawns) | east(pawns);
        for from in board.knights() & them {
            attacked |= attacks::knight_attacks(from);
        }
        for from in board.bishops_and_queens() & them {
            attacked |= attacks::bishop_attacks(from, occupied);
        }
        for from in board.rooks_and_queens() & them {
            attacked |= attacks::rook_attacks(from, occupied);
        }
        for from in board.kings() & them {
            attacked |= attacks::king_attacks(from);
        }
        attacked
    }

    /// Calls `visit` with the moves of all pieces except the king to these squares.
    #[inline(always)]
    fn for_each_of_others(&self, king: Square, target: Bitboard, visit: &mut impl FnMut(Group)) {
        let board = self.position.board();
        let (own, occupied) = (self.position.us(), board.occupied());
        let pinned = self.pinned(king);
        self.for_each_of_pawns(king, pinned, target, visit);
        let mut officers = |role, pieces: Bitboard, reach: fn(Square, Bitboard) -> Bitboard| {
            for from in pieces & own {
                let mut to = reach(from, occupied) & target;
                if pinned.contains(from) {
                    to &= attacks::ray(king, from);
                }
                visit(Group {
                    way: MoveKind::Officer(role, from),
                    to,
                });
            }
        };
        officers(Role::Knight, board.knights(), |from, _| {
            attacks::knight_attacks(from)
        });
        officers(Role::Bishop, board.bishops(), attacks::bishop_attacks);
        officers(Role::Rook, board.rooks(), attacks::rook_attacks);
        officers(Role::Queen, board.queens(), attacks::queen_attacks);
    }

    #[inline(always)]
    fn for_each_of_pawns(
        &self,
        king: Square,
        pinned: Bitboard,
        target: Bitboard,
        visit: &mut impl FnMut(Group),
    ) {
        let (board, turn) = (self.position.board(), self.position.turn());
        let (pawns, empty) = (board.pawns() & self.position.us(), !board.occupied());
        let ahead = turn.fold_wb(8, -8);
        let once = forward(pawns, turn);
        let single = once & empty;
        let fourth = turn.fold_wb(Bitboard::SOUTH, Bitboard::NORTH);
        let double = forward(single, turn) & fourth & empty;
        let taken = self.position.them() & target;
        let ways = [
            (ahead - 1, west(once) & taken),
            (ahead + 1, east(once) & taken),
            (ahead, single & target),
            (2 * ahead, double & target),
        ];
        let held = pawns & pinned;
        for (by, mut to) in ways {
            for from in held {
                let arrival = Bitboard::from_square(Square::new(
                    u32::from(from).wrapping_add_signed(by.into()) & 63,
                ));
                if (arrival & attacks::ray(king, from)).is_empty() {
                    to &= !arrival;
                }
            }
            visit(Group {
                way: MoveKind::Pawns(by),
                to: to & !Bitboard::BACKRANKS,
            });
            let last = to & Bitboard::BACKRANKS;
            if last.any() {
                visit(Group {
                    way: MoveKind::Promotion(by),
                    to: last,
                });
            }
        }
    }

    /// The pieces of the side to move that alone are between its king and an enemy slider.
    #[inline]
    fn pinned(&self, king: Square) -> Bitboard {
        let board = self.position.board();
        let snipers = whence(Role::Rook, king) & board.rooks_and_queens()
            | whence(Role::Bishop, king) & board.bishops_and_queens();
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers & self.position.them() {
            let between = attacks::between(king, sniper) & board.occupied();
            if !between.more_than_one() {
                pinned |= between;
            }
        }
        pinned & self.position.us()
    }
}

#[inline]
fn forward(pawns: Bitboard, side: Color) -> Bitboard {
    side.fold_wb(Bitboard(pawns.0 << 8), Bitboard(pawns.0 >> 8))
}

#[inline]
fn west(set: Bitboard) -> Bitboard {
    Bitboard(set.0 >> 1 & 0x7f7f_7f7f_7f7f_7f7f)
}

#[inline]
fn east(set: Bitboard) -> Bitboard {
    Bitboard(set.0 << 1 & 0xfefe_fefe_fefe_fefe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::Chess, one_board::notation::BoardNotation as _};
    use overboard_rules::position::Movegen as _;

    /// Pins on lines and diagonals, double checks, en passant captures that expose the king, promotions by capture,
    /// castling through an attacked square.
    const TRICKY: [&str; 9] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "4k3/8/8/b6b/8/2P3P1/3PKP2/4r3 w - - 0 1",
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        "3rk3/2P5/8/8/8/8/8/3K4 w - - 0 1",
        "4k3/4r3/8/8/7b/8/4PP2/4K2R w K - 0 1",
    ];

    /// Asserts that every number gives the move with that number in the library's list.
    fn compare<L: ChessLaws>(chess: &ChessBy<L>) {
        let list = chess.position.legal_moves();
        assert_eq!(chess.count_moves(), list.len() as u64, "{}", chess.fen());
        for (nth, m) in list.iter().enumerate() {
            let picked = chess.picked(|count| {
                assert_eq!(count, list.len());
                nth
            });
            assert_eq!(picked, Some(Move(*m)), "{}", chess.fen());
        }
        assert_eq!(chess.picked(|count| count), None);
    }

    #[test]
    fn moves_by_number_are_those_of_the_list() {
        for fen in TRICKY {
            let chess = Chess::read(fen).unwrap().position;
            compare(&chess);
            chess.legal_moves(|m| compare(&chess.after(m)));
        }
    }

    #[test]
    fn moves_by_number_are_those_of_the_list_in_random_games() {
        let mut state = 7_usize;
        for _ in 0..200 {
            let mut chess = Chess::default();
            for _ in 0..200 {
                compare(&chess);
                state = state
                    .wrapping_mul(0x5851_f42d_4c95_7f2d)
                    .wrapping_add(0x1405_7b7e_f767_814f);
                let Some(m) = chess.picked(|count| (state >> 33) % count) else {
                    break;
                };
                chess.play(m);
            }
        }
    }
}
