//! A second opinion without any cleverness: all positions that can follow from a blocked board are listed, and mates are
//! traced back through them, by another program's rules.

use crate::{chance::Chance, depth::tries};
use overboard_games::{chess::Chess, one_board::notation::BoardNotation};
use overboard_rules::{outcome::Prospect, square::Side};
use shakmaty::{
    Board, CastlingMode, Color, EnPassantMode, File, FromSetup as _, Position as _, Rank, Role,
    Setup, Square, fen::Fen,
};
use std::collections::HashMap;

/// How many positions are listed from a board, and how many are compared: usually, and in a deep run.
const LISTED: [usize; 2] = [4_000, 40_000];
const COMPARED: [usize; 2] = [8_000, 1_000_000];

#[test]
fn blocked_boards_agree_with_all_that_can_follow() {
    let deep = usize::from(tries(1) > 1);
    let mut chance = Chance::seeded(0x0b10_c4ed);
    let mut agreed = Agreed::default();
    while agreed.compared < COMPARED[deep] {
        if let Some(first) = blocked(&mut chance) {
            agreed.compare(&Following::of(first, LISTED[deep]));
        }
    }
    let Agreed {
        compared,
        never,
        undecided,
    } = agreed;
    println!("{compared} questions: {never} times a side can never mate, {undecided} undecided");
    // Both answers are compared often; where more is listed, more can mate.
    assert!(never > 800 && never * 2 < compared, "{never} of {compared}");
    assert!(undecided * 1_000 < compared, "{undecided} of {compared}");
}

/// Questions whether a side can mate that were answered alike.
#[derive(Default)]
struct Agreed {
    compared: usize,
    never: usize,
    undecided: usize,
}

impl Agreed {
    fn compare(&mut self, all: &Following) {
        for (side, winner) in [(Side::White, Color::White), (Side::Black, Color::Black)] {
            let can_mate = all.before_mates(winner);
            for (theirs, can_mate) in all.positions.iter().zip(can_mate) {
                // Where not all that can follow is listed, a mate may come later.
                if !can_mate && !all.is_whole {
                    continue;
                }
                let fen = Fen::from_position(theirs, EnPassantMode::Legal).to_string();
                let ours = Chess::read(&fen).expect("a position of chess").position;
                match ours.prospect(side) {
                    Prospect::Open => assert!(can_mate, "{side} cannot mate: {fen}"),
                    Prospect::Never => assert!(!can_mate, "{side} can mate: {fen}"),
                    Prospect::Undecided => self.undecided += 1,
                }
                self.compared += 1;
                self.never += usize::from(!can_mate);
            }
        }
    }
}

/// Where white pawns stand: a black one has room before them.
const WHITE_RANKS: [Rank; 5] = [
    Rank::Second,
    Rank::Third,
    Rank::Fourth,
    Rank::Fifth,
    Rank::Sixth,
];

/// A position with pawns that face each other on most files, the kings, and at most two other pieces.
fn blocked(chance: &mut Chance) -> Option<shakmaty::Chess> {
    let mut board = Board::empty();
    let mut rank = chance.pick(&WHITE_RANKS)?;
    for file in File::ALL {
        // Pawns beside each other on one rank take each other; where ranks change by one they guard each other.
        let step = chance.pick(&[0, 1, 1, 1, 1, -1, -1, -1, -1, 2, -2])?;
        let next = rank.offset(step).filter(|next| WHITE_RANKS.contains(next));
        rank = next.or_else(|| rank.offset(-step))?;
        if chance.below(24) > 0 {
            board.set_piece_at(Square::from_coords(file, rank), Color::White.pawn());
        }
        if chance.below(24) > 0 {
            board.set_piece_at(
                Square::from_coords(file, rank.offset(1)?),
                Color::Black.pawn(),
            );
        }
    }
    for color in Color::ALL {
        place(&mut board, Role::King.of(color), chance)?;
    }
    for _ in 0..chance.below(3) {
        let role = chance.pick(&[
            Role::Bishop,
            Role::Bishop,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ])?;
        let color = chance.pick(&Color::ALL)?;
        place(&mut board, role.of(color), chance)?;
    }
    let setup = Setup {
        board,
        turn: chance.pick(&Color::ALL)?,
        ..Setup::empty()
    };
    shakmaty::Chess::from_setup(setup, CastlingMode::Standard).ok()
}

/// Puts a piece on an empty square.
fn place(board: &mut Board, piece: shakmaty::Piece, chance: &mut Chance) -> Option<()> {
    let empty: Vec<_> = (!board.occupied()).into_iter().collect();
    board.set_piece_at(chance.pick(&empty)?, piece);
    Some(())
}

/// The positions that can follow from one.
struct Following {
    positions: Vec<shakmaty::Chess>,
    /// From which positions a move leads to each.
    before: Vec<Vec<u32>>,
    /// Whether all of them are listed.
    is_whole: bool,
}

impl Following {
    /// Lists at least this many, if there are so many.
    fn of(first: shakmaty::Chess, enough: usize) -> Self {
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut all = Self {
            positions: vec![first],
            before: vec![Vec::new()],
            is_whole: false,
        };
        let mut at = 0;
        while at < all.positions.len() {
            if all.positions.len() > enough {
                return all;
            }
            let position = all.positions[at].clone();
            for m in position.legal_moves() {
                let after = position.clone().play(m).expect("a legal move");
                let next = all.positions.len();
                let number = *numbers.entry(after.clone()).or_insert(next);
                if number == next {
                    all.positions.push(after);
                    all.before.push(Vec::new());
                }
                all.before[number].push(at as u32);
            }
            at += 1;
        }
        all.is_whole = true;
        all
    }

    /// From which positions moves lead to a mate by a side.
    fn before_mates(&self, winner: Color) -> Vec<bool> {
        let mut can_mate = vec![false; self.positions.len()];
        let mut waiting = Vec::new();
        for (at, position) in self.positions.iter().enumerate() {
            if position.is_checkmate() && position.turn() != winner {
                can_mate[at] = true;
                waiting.push(at);
            }
        }
        while let Some(at) = waiting.pop() {
            for before in &self.before[at] {
                let before = *before as usize;
                if !can_mate[before] {
                    can_mate[before] = true;
                    waiting.push(before);
                }
            }
        }
        can_mate
    }
}
