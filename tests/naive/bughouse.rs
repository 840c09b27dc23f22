//! Bughouse from its rules alone: two naive boards of Crazyhouse, and after each ply what is in the wrong pocket is carried
//! over.

use super::crazyhouse::Naive as Board;
use std::collections::BTreeMap;

#[derive(Clone)]
pub struct Naive {
    boards: [Board; 2],
    rules: String,
    /// How often each position of a board has been reached by a ply there, its first one included.
    reached: BTreeMap<(usize, String), usize>,
    end: Option<(&'static str, &'static str)>,
}

const LETTERS: [&str; 2] = ["A", "B"];

impl Naive {
    pub fn parse(fen: &str, rules: &str) -> Self {
        let (one, other) = fen.split_once(" | ").unwrap();
        let mut naive = Self {
            boards: [one, other].map(|fen| Board::parse(fen, false)),
            rules: rules.into(),
            reached: BTreeMap::new(),
            end: None,
        };
        for at in [0, 1] {
            naive.reached.insert((at, naive.position(at)), 1);
        }
        let won: Vec<_> = [0, 1].into_iter().filter_map(|at| naive.won(at)).collect();
        naive.end = match won[..] {
            [] => naive.stuck(),
            [one] => Some(("mate", one)),
            [one, other] => Some(("mate", if one == other { one } else { "1/2-1/2" })),
            _ => unreachable!(),
        };
        naive
    }

    fn has(&self, rule: &str) -> bool {
        self.rules.split(':').any(|item| item == rule)
    }

    /// What repetition compares of a board.
    fn position(&self, at: usize) -> String {
        let fen = self.boards[at].fen();
        fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
    }

    /// Everything that is legal on the board with this letter, in coordinates.
    pub fn moves_on(&self, letter: &str) -> Vec<String> {
        if self.end.is_some_and(|(how, _)| how != "repetition") {
            return Vec::new();
        }
        let at = LETTERS.iter().position(|known| *known == letter).unwrap();
        let moves = self.free_moves(at).into_iter();
        moves.map(|text| format!("{letter}.{text}")).collect()
    }

    /// Everything that is legal.
    pub fn moves(&self) -> Vec<String> {
        LETTERS
            .into_iter()
            .flat_map(|at| self.moves_on(at))
            .collect()
    }

    /// The moves of a board and the drops that no option forbids.
    fn free_moves(&self, at: usize) -> Vec<String> {
        let board = &self.boards[at];
        let mut moves = board.moves();
        moves.retain(|text| {
            let Some((piece, square)) = text.split_once('@') else {
                return true;
            };
            let after = board.play(text);
            self.may_stand(board, piece, square) && self.may_attack(&after)
        });
        moves
    }

    /// Whether a pawn may be dropped on its rank.
    fn may_stand(&self, board: &Board, piece: &str, square: &str) -> bool {
        let mut items = self.rules.split(':');
        let Some(ranks) = items.find_map(|item| item.strip_prefix("pawndrop=")) else {
            return true;
        };
        let (first, last) = ranks.split_once('-').unwrap();
        let bounds = first.parse().unwrap()..=last.parse().unwrap();
        piece != "P" || bounds.contains(&board.rank_seen(square))
    }

    /// Whether a drop may give the check that it gives.
    fn may_attack(&self, after: &Board) -> bool {
        if !after.in_check() {
            return true;
        }
        let cannot_move = after.moves().iter().all(|text| text.contains('@'));
        let is_mate = self.is_mate(after);
        !(self.has("drop=no-check")
            || self.has("drop=no-chess-mate") && cannot_move
            || self.has("drop=no-bughouse-mate") && is_mate)
    }

    /// Whether a board would show a mate, drops that options forbid aside.
    fn is_mate(&self, board: &Board) -> bool {
        let mut full = board.clone();
        if !self.has("mate=pocket") {
            full.pockets().extend("QRBNPqrbnp".chars());
        }
        board.in_check() && full.moves().is_empty()
    }

    /// The result, if the side to move on a board is mated.
    fn won(&self, at: usize) -> Option<&'static str> {
        let board = &self.boards[at];
        let is_mated = if self.has("mate=pocket") {
            board.in_check() && self.free_moves(at).is_empty()
        } else {
            self.is_mate(board)
        };
        let white_wins = board.is_whites_turn() == (at == 1);
        is_mated.then_some(if white_wins { "1-0" } else { "0-1" })
    }

    fn stuck(&self) -> Option<(&'static str, &'static str)> {
        let is_stuck = [0, 1].into_iter().all(|at| self.free_moves(at).is_empty());
        is_stuck.then_some(("stalemate", "1/2-1/2"))
    }

    pub fn play(&self, coordinates: &str) -> Self {
        let (letter, text) = coordinates.split_once('.').unwrap();
        let at = LETTERS.iter().position(|known| *known == letter).unwrap();
        let mut next = self.clone();
        next.boards[at] = self.boards[at].play(text);
        // What the board of Crazyhouse has put into a pocket there.
        let mut held = self.boards[at].clone().pockets().clone();
        let mut taken = Vec::new();
        for letter in next.boards[at].clone().pockets().iter() {
            match held.iter().position(|known| known == letter) {
                Some(known) => {
                    held.remove(known);
                }
                None => taken.push(*letter),
            }
        }
        for letter in taken {
            let own = next.boards[at].pockets();
            let place = own.iter().position(|known| *known == letter).unwrap();
            own.remove(place);
            let colour_it_had = if letter.is_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            };
            next.boards[1 - at].pockets().push(colour_it_had);
        }
        let times = next.reached.entry((at, next.position(at))).or_default();
        *times += 1;
        let third = *times >= 3 && next.has("repetition=auto");
        let won = next.won(at).map(|result| ("mate", result));
        next.end = won
            .or_else(|| next.stuck())
            .or(third.then_some(("repetition", "1/2-1/2")));
        next
    }

    pub fn fen(&self) -> String {
        self.boards.each_ref().map(Board::fen).join(" | ")
    }

    /// How the match has ended, and with which result.
    pub const fn end(&self) -> Option<(&'static str, &'static str)> {
        self.end
    }
}
