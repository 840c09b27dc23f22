//! Games of nested boards: who picks the boards, and who plays on them.
//!
//! A turn goes over many boards. A policy picks them, and any player of chess makes the move on the board
//! of chess that was picked. The policy: at the beginning of a turn a mega-move that wins the game is
//! made; else, one time in eight, any mega-move; else boards are picked, all alike, level by level, among
//! those that may be moved on. Where none may, any mega-move is made, or the pass.

use crate::{
    chance::Chance,
    contest::{Contest, Kind, Table},
    ending::End,
    evaluate::Evaluate,
    players::{Player, Spec},
    tree::Tree,
};
use overboard_formats::san::PlyText;
use overboard_games::{
    chess::Chess,
    mega::{self, Act, Board, Mega, Ply, State},
    notation::Unusable,
};
use overboard_rules::{
    game::Game as _,
    outcome::Outcome,
    path::BoardPath,
    position::Position,
    square::{Piece, Role, Side, Square},
};
use std::{ops::ControlFlow, sync::OnceLock};

/// One turn in so many is a mega-move.
const MEGA_TURN: usize = 8;

/// Recursive Chess of one level.
#[derive(Clone, Copy, Debug)]
pub struct Nested {
    /// The level.
    pub level: u8,
}

/// A game of nested boards under way.
#[derive(Clone)]
pub struct NestedGame {
    mega: Mega,
    end: Option<End>,
    /// The legal plies, once somebody asks for all of them.
    plies: OnceLock<Vec<Ply>>,
}

impl NestedGame {
    fn from(mega: Mega) -> Self {
        Self { end: mega.ending().map(End::from), mega, plies: OnceLock::new() }
    }
}

impl Contest for NestedGame {
    type Ply = Ply;

    fn side(&self) -> Side {
        self.mega.turn()
    }

    fn plies(&self) -> &[Ply] {
        if self.end.is_some() {
            return &[];
        }
        self.plies.get_or_init(|| {
            let mut plies = Vec::new();
            let _ = self.mega.legal(|ply| {
                plies.push(ply);
                ControlFlow::Continue(())
            });
            plies
        })
    }

    fn any(&self, chance: &mut Chance) -> Option<Ply> {
        if self.end.is_some() {
            return None;
        }
        let (path, legal) = picked(&self.mega, chance);
        chance.pick(&legal).map(|act| Ply { path, act })
    }

    fn play(&mut self, ply: Ply) {
        self.plies.take();
        self.end = self.mega.play(ply).end().map(End::from);
    }

    fn end(&self) -> Option<End> {
        self.end
    }

    fn coordinates(&self, ply: Ply) -> PlyText {
        mega::coordinates(&ply)
    }

    /// Mega-pieces, and those whose boards stand well for a side a part more to it.
    fn evaluate(&self) -> i32 {
        let prospects = prospects(&self.mega);
        self.material() + if self.side() == Side::White { prospects } else { -prospects }
    }

    /// Mega-pieces by the worth of chessmen.
    fn material(&self) -> i32 {
        let worth =
            |Piece { side, role }: Piece| if side == self.side() { worth(role) } else { -worth(role) };
        squares().filter_map(|on| self.mega.mega_piece_at(on)).map(|man| worth(man.piece)).sum()
    }

    fn fen(&self) -> String {
        mega::position(&self.mega)
    }

    fn key(&self) -> u64 {
        self.mega.key()
    }
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
        let man = mega.mega_piece_at(on)?;
        let stake = if man.piece.role == Role::King { THRONE } else { worth(man.piece.role) } / 2;
        let owners = if man.piece.side == Side::White { stake } else { -stake };
        match man.state {
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

impl Kind for Nested {
    type Game = NestedGame;

    fn first(&self) -> NestedGame {
        NestedGame::from(Mega::first(self.level))
    }

    fn read(&self, fen: &str) -> Result<NestedGame, Unusable> {
        mega::read(fen, self.level).map(|(mega, _)| NestedGame::from(mega))
    }

    fn admits(&self, _spec: Spec) -> Result<(), &'static str> {
        Ok(())
    }

    fn seat(&self, spec: Spec) -> Option<Box<dyn Player<NestedGame>>> {
        Some(match spec {
            Spec::Tree { simulations, plies, whole: true } => Box::new(Tree::new(simulations, plies)),
            spec => Box::new(Picker { player: spec.seat::<Chess>() }),
        })
    }
}

/// A player of chess and the policy that picks its boards.
struct Picker {
    player: Box<dyn Player<Table<Chess>>>,
}

impl Player<NestedGame> for Picker {
    fn choose(&mut self, game: &NestedGame, chance: &mut Chance) -> Option<Ply> {
        mega_move(&game.mega, chance).or_else(|| self.move_on_a_board(&game.mega, chance))
    }
}

impl Picker {
    fn move_on_a_board(&mut self, mega: &Mega, chance: &mut Chance) -> Option<Ply> {
        let (path, legal) = picked(mega, chance);
        let chosen = match mega.board_at(&path) {
            Some(Board::Chess(chess)) => self.player.choose(&Table::from(chess), chance),
            _ => None,
        };
        // A move that would mate a shield away is not legal, however good it is (MG-10).
        let chosen = chosen.map(Act::Move).filter(|act| legal.contains(act));
        Some(Ply { path, act: chosen.or_else(|| chance.pick(&legal))? })
    }
}

fn mega_move(mega: &Mega, chance: &mut Chance) -> Option<Ply> {
    if !mega.is_between_turns() {
        return None;
    }
    let mut all = Vec::new();
    mega.for_each_mega_move(|m| all.push(Ply { path: BoardPath::OUTERMOST, act: Act::Mega(m) }));
    let wins = |ply: &Ply| {
        let end = mega.clone().play(*ply).end();
        end.is_some_and(|end| end.outcome == Outcome::Win(mega.turn()))
    };
    let winning = all.iter().find(|ply| wins(ply)).copied();
    let often = chance.below(MEGA_TURN) == 0;
    winning.or_else(|| if often { chance.pick(&all) } else { None })
}

/// A board picked among those that may be moved on, and the legal acts there.
fn picked(mega: &Mega, chance: &mut Chance) -> (BoardPath, Vec<Act>) {
    let mut legal = Vec::new();
    let mut pick = |set: u64| {
        let nth = chance.below(set.count_ones() as usize);
        (0..nth).fold(set, |set, _| set & set.wrapping_sub(1)).trailing_zeros() as u8
    };
    let path = mega.for_each_picked(&mut pick, &mut |act| legal.push(act));
    (path, legal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Purpose;

    /// The rook of A8 mates on its board; then it is armed, and that is mega-mate.
    const WON: &str = "R6k/6pp/8/8/8/8/8/4K3 w - - 0 1 - {A8: 7k/8/6K1/8/8/8/8/R7 w - - 0 1; E1: disarmed; G7: disarmed; H7: disarmed; H8: disarmed}";
    const MATES: &str =
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 - {A1: 7k/8/6K1/8/8/8/8/R7 w - - 0 1; E1: disarmed; E8: disarmed}";

    #[test]
    fn a_tree_of_the_whole_game_sees_what_a_board_is_for() {
        let kind = Nested { level: 1 };
        let game = kind.read(WON).unwrap();
        let mut player = kind.seat("mcts:sims=400,whole".parse().unwrap()).unwrap();
        let ply = player.choose(&game, &mut Chance::of(1, Purpose::Shuffle)).unwrap();
        assert_eq!(game.coordinates(ply), "A8.a1a8");
    }

    #[test]
    fn boards_promise_what_their_pieces_are_worth() {
        let of = |fen: &str| Nested { level: 1 }.read(fen).unwrap().evaluate();
        let better = of(MATES);
        let worse = of(&MATES.replace("R7 w", "r7 w"));
        assert!(500 < better && better < 750 && 250 < worse && worse < 500, "{better} {worse}");
        // Seen by Black it is the other way round.
        assert_eq!(of(&MATES.replacen("w - - 0 1 -", "b - - 0 1 -", 1)), -better);
    }
}
