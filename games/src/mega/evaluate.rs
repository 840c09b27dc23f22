//! Recursive Chess: what its boards promise, and boards that are picked by chance.

use crate::{
    game_notation::Read,
    mega::{self, Act, Board, Effects, Mega, Options, Ply, State},
    playable::{Evaluate as _, Playable, Tags, admits_listed, pick},
    registry::Variant,
};
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    path::BoardPath,
    position::Movegen,
    repetition::Times,
    square::{Piece, Role, Side, Square},
};

impl Playable for Mega {
    const LISTED: bool = false;
    fn agreed(tags: Tags<'_>) -> Options {
        Options { level: tags.level, free_turns: mega::free_turns(tags.rules) }
    }

    fn ended_by_claim(&self) -> (Outcome, Cause) {
        (Outcome::Draw, Cause::MegaMovesClaim)
    }

    fn admits(rules: &str) -> Result<(), String> {
        admits_listed(Variant::Mega, rules)
    }

    fn is_chess(options: &Options) -> bool {
        options.level == 0
    }

    fn read_form(options: &Options, fen: &str) -> Read<Self> {
        mega::read(fen, *options)
    }

    /// On a board that is picked.
    fn any(&self, chance: &mut dyn FnMut(usize) -> usize) -> Option<Ply> {
        let Picked { path, legal, .. } = picked(self, chance);
        pick(&legal, chance).map(|act| Ply { path, act })
    }

    /// Mega-pieces by the worth of chessmen.
    fn material(&self, side: Side) -> i32 {
        let worth = |piece: Piece| if piece.side == side { worth(piece.role) } else { -worth(piece.role) };
        squares().filter_map(|on| self.mega_piece_at(on)).map(|there| worth(there.piece)).sum()
    }

    /// Mega-pieces, and those whose boards stand well for a side a part more to it.
    fn evaluate(&self, side: Side) -> i32 {
        let prospects = prospects(self);
        self.material(side) + if side == Side::White { prospects } else { -prospects }
    }

    /// A level more makes a board of every square.
    fn long_game(options: &Options) -> u32 {
        (1..options.level).fold(20_000, |plies: u32, _| plies.saturating_mul(64))
    }

    /// The ply has told.
    fn ended(&self, brought: &Effects, _: Times<'_, ()>) -> Option<Ruling> {
        brought.end()
    }

    /// The ends of Mega-Chess had the words of chess before laws had numbers; the result tells a mega-stalemate,
    /// which loses.
    fn renamed(outcome: Outcome, word: &str) -> Option<Cause> {
        match (word, outcome) {
            ("checkmate", Outcome::Win(_)) => Some(Cause::MegaMate),
            ("stalemate", Outcome::Win(_)) => Some(Cause::MegaStalemate),
            ("rules", Outcome::Draw) => Some(Cause::MegaMoves),
            _ => None,
        }
    }
}

/// A board that was picked.
pub struct Picked {
    /// The way to it.
    pub path: BoardPath,
    /// The legal acts there.
    pub legal: Vec<Act>,
    /// Whether these are all moves of the board, of which none is barred by what is around it (MG-10).
    pub is_whole: bool,
}

/// A board picked among those that may be moved on, and the legal acts there: boards are picked, all alike, level
/// by level; where none may be moved on, the acts are all mega-moves, or the pass.
pub fn picked(mega: &Mega, chance: &mut dyn FnMut(usize) -> usize) -> Picked {
    let mut legal = Vec::with_capacity(64);
    let mut nth_of = |set: u64| {
        let nth = chance(set.count_ones() as usize);
        (0..nth).fold(set, |set, _| set & set.wrapping_sub(1)).trailing_zeros() as u8
    };
    let (path, is_whole) = mega.for_each_picked(&mut nth_of, &mut |act| legal.push(act));
    Picked { path, legal, is_whole }
}

fn squares() -> impl Iterator<Item = Square> {
    (0..8).flat_map(|rank| (0..8).map(move |file| Square::new(file, rank)))
}

/// What a mega-piece is worth, in hundredths of a pawn.
const fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 325,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King | Role::Silver | Role::Gold => 0,
    }
}

/// Worth of a mega-king's board: it is not lost with its board, but it never moves again.
const THRONE: i32 = 600;
/// Hundredths of a pawn on a board that are half the way to winning it.
const HALF_WAY: i32 = 600;

/// What the boards promise to White: up to half of what their mega-pieces are worth while they are played,
/// and that half to the owner of one that is armed. Levels lie in each other, as many as the game has.
fn prospects(mega: &Mega) -> i32 {
    let of = |on: Square| {
        let there = mega.mega_piece_at(on)?;
        let stake = if there.piece.role == Role::King { THRONE } else { worth(there.piece.role) } / 2;
        let owners = if there.piece.side == Side::White { stake } else { -stake };
        match there.state {
            State::Armed => return Some(owners),
            State::Dethroned => return Some(-owners),
            State::Disarmed => return None,
            State::Neutral => {}
        }
        let white = match mega.touched_board(on)? {
            Board::Chess(chess) if chess.turn() == Side::White => chess.evaluate(),
            Board::Chess(chess) => -chess.evaluate(),
            Board::Mega(inner) => prospects(&inner),
        };
        Some(stake * white / (HALF_WAY + white.abs()))
    };
    squares().filter_map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATES: &str =
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 - {A1: 7k/8/6K1/8/8/8/8/R7 w - - 0 1; E1: disarmed; E8: disarmed}";

    #[test]
    fn boards_promise_what_their_pieces_are_worth() {
        let of = |fen: &str, side| Mega::read(&Options::default(), fen).unwrap().evaluate(side);
        let better = of(MATES, Side::White);
        let worse = of(&MATES.replace("R7 w", "r7 w"), Side::White);
        assert!(500 < better && better < 750 && 250 < worse && worse < 500, "{better} {worse}");
        // Seen by Black it is the other way round.
        assert_eq!(of(&MATES.replacen("w - - 0 1 -", "b - - 0 1 -", 1), Side::Black), -better);
    }
}
