//! StrategiChess on one board and on linked boards, compared with the naive model and with counts made by hand.

mod linked;
mod one_board;
mod records;
mod tags;

use crate::chance::Chance;
use overboard_games::strategichess::linked::{Linked, board_fen};
use overboard_referee::{
    finding::{Finding, Severity},
    report::Report,
};
use overboard_rules::{
    ply::{Arrival, Pattern},
    square::{Piece, Role, Side, Square},
};
use std::ops::Range;

/// The lines of a file of positions without comments, each split at its tabs.
fn lines(file: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = file
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect())
}

/// The kinds of pieces in this game.
const ROLES: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

/// The pieces on a board, as a FEN has them.
fn placement(linked: &Linked, board: usize) -> String {
    let fen = board_fen(linked, board);
    fen.split(' ').next().unwrap().to_owned()
}

fn square(name: &str) -> Square {
    let (file, rank) = name.split_at(1);
    Square::new(file.as_bytes()[0] - b'a', rank.parse::<u8>().unwrap() - 1)
}

fn squares() -> impl Iterator<Item = Square> {
    (0..14 * 14).map(|index| Square::new(index % 14, index / 14))
}

/// A legal move, with the coordinates and the FEN of the naive model.
struct NaiveMove {
    coordinates: String,
    from: Square,
    to: Square,
    arrival: Arrival,
    role: Role,
    captures: bool,
}

impl NaiveMove {
    /// Whether a written move, read as leniently as on a score-sheet, can mean this one: the capture mark of a piece is
    /// ignored, that of a pawn is not.
    fn is_meant_by(&self, pattern: &Pattern) -> bool {
        self.role == pattern.role
            && self.to == pattern.to
            && self.arrival == pattern.arrival
            && pattern.promotion.is_none()
            && pattern.may_start_on(self.from)
            && (self.role != Role::Pawn || self.captures == pattern.capture)
    }
}

/// The contents of a FEN: the pieces from `a1` on, and the side to move.
struct Scene {
    pieces: Vec<Option<Piece>>,
    mover: Side,
}

impl Scene {
    fn of(fen: &str) -> Self {
        let (placement, rest) = fen.split_once(' ').unwrap();
        let mover = if rest.starts_with('w') {
            Side::White
        } else {
            Side::Black
        };
        Self {
            pieces: placement
                .split('/')
                .rev()
                .flat_map(pieces_of_rank)
                .collect(),
            mover,
        }
    }

    fn on(&self, square: Square) -> Option<Piece> {
        self.pieces[usize::from(square.rank) * 14 + usize::from(square.file)]
    }
}

fn pieces_of_rank(rank: &str) -> Vec<Option<Piece>> {
    let mut pieces = Vec::new();
    let mut empty = 0;
    for letter in rank.bytes().chain([b'/']) {
        match letter {
            b'0'..=b'9' => empty = empty * 10 + usize::from(letter - b'0'),
            _ => {
                pieces.extend((0..empty).map(|_| None));
                empty = 0;
                pieces.extend(Piece::from_letter(letter).map(Some));
            }
        }
    }
    assert_eq!(pieces.len(), 14, "{rank}");
    pieces
}

/// Two squares in coordinates: `e4e5`, `a10b11`.
fn two_squares(coordinates: &str) -> (Square, Square) {
    let middle = coordinates
        .rfind(|letter: char| letter.is_ascii_lowercase())
        .unwrap();
    (
        square(&coordinates[..middle]),
        square(&coordinates[middle..]),
    )
}

/// The findings other than notes.
fn loud(report: &Report) -> impl Iterator<Item = &Finding> {
    report
        .findings
        .iter()
        .filter(|finding| finding.severity > Severity::Note)
}

/// The codes of the findings other than notes, with the rules they cite.
fn reported(report: &Report) -> Vec<(&'static str, Option<&'static str>)> {
    loud(report)
        .map(|finding| (finding.code.id, finding.rule.map(|rule| rule.id)))
        .collect()
}

/// The FEN of a board with few pieces, most of them near its edges. One in `kingless` lacks the king of a side, but
/// none if `kingless` is 1; `idle` bounds the halfmove counter.
fn sparse_board(chance: &mut Chance, kingless: usize, idle: Range<usize>) -> String {
    let mut pieces = [[None; 14]; 14];
    let mut unmoved = String::new();
    for side in 0..2 {
        let count = if chance.below(4) == 0 {
            0
        } else {
            1 + chance.below(6)
        };
        let king = kingless == 1 || chance.below(kingless) > 0;
        let letters = (0..count)
            .map(|_| b"PPNBRQ"[chance.below(6)])
            .collect::<Vec<_>>();
        let mut files = Vec::new();
        for letter in letters.into_iter().chain(king.then_some(b'K')) {
            let near = [0, 1, 12, 13][chance.below(4)];
            let (file, rank) = (
                if chance.below(3) > 0 {
                    near
                } else {
                    chance.below(14)
                },
                chance.below(14),
            );
            let first = rank == [3, 10][side];
            if pieces[rank][file].is_some() {
                continue;
            }
            pieces[rank][file] = Some(char::from(if side == 0 {
                letter
            } else {
                letter.to_ascii_lowercase()
            }));
            if letter == b'P' && first && chance.below(3) > 0 {
                files.push(char::from([b'A', b'a'][side] + file as u8));
            }
        }
        files.sort_unstable();
        unmoved.extend(files);
    }
    let ranks: Vec<_> = pieces.iter().rev().map(rank_text).collect();
    let turn = ["w", "b"][chance.below(2)];
    let unmoved = if unmoved.is_empty() { "-" } else { &unmoved };
    let idle = idle.start + chance.below(idle.len());
    format!(
        "{} {turn} {unmoved} {idle} {}",
        ranks.join("/"),
        1 + chance.below(99)
    )
}

fn rank_text(pieces: &[Option<char>; 14]) -> String {
    let mut text = String::new();
    for run in pieces.chunk_by(|a, b| a.is_none() && b.is_none()) {
        match run[0] {
            None => text += &run.len().to_string(),
            Some(piece) => text.push(piece),
        }
    }
    text
}
