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
    players::{Player, Spec},
};
use overboard_formats::{mega, notation::Unusable, san::PlyText};
use overboard_rules::{
    chess::Chess,
    mega::{Act, Board, Mega, Ply},
    outcome::Outcome,
    path::BoardPath,
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
            let _ = self.mega.for_each_legal(&mut |ply| {
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
        self.end = self.mega.play(&ply).end().map(End::from);
    }

    fn end(&self) -> Option<End> {
        self.end
    }

    fn coordinates(&self, ply: Ply) -> PlyText {
        mega::coordinates(&ply)
    }

    fn evaluate(&self) -> i32 {
        self.material()
    }

    /// Mega-pieces by the worth of chessmen.
    fn material(&self) -> i32 {
        let worth = |Piece { side, role }: Piece| {
            let worth = match role {
                Role::Pawn => 100,
                Role::Knight | Role::Bishop => 325,
                Role::Rook => 500,
                Role::Queen => 900,
                Role::King | Role::Silver | Role::Gold => 0,
            };
            if side == self.side() { worth } else { -worth }
        };
        let squares = (0..8).flat_map(|rank| (0..8).map(move |file| Square::new(file, rank)));
        squares.filter_map(|on| self.mega.mega_piece_at(on)).map(|man| worth(man.piece)).sum()
    }

    fn fen(&self) -> String {
        mega::position(&self.mega)
    }

    fn key(&self) -> u64 {
        self.mega.key()
    }
}

impl Kind for Nested {
    type Game = NestedGame;

    fn first(&self) -> NestedGame {
        NestedGame::from(Mega::start(self.level))
    }

    fn read(&self, fen: &str) -> Result<NestedGame, Unusable> {
        mega::read(fen, self.level).map(|(mega, _)| NestedGame::from(mega))
    }

    fn admits(&self, _spec: Spec) -> Result<(), &'static str> {
        Ok(())
    }

    fn seat(&self, spec: Spec) -> Option<Box<dyn Player<NestedGame>>> {
        Some(Box::new(Picker { player: spec.seat::<Chess>() }))
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
        let end = mega.clone().play(ply).end();
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
