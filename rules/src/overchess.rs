//! Overchess: chess whose captures are games of chess between depleting armies.
//!
//! The ply is one act: an over-move, a set-up, a move of the sub-game, a part of settling it, a part of a
//! consolidation. The position remembers which of them is due, so that all can be listed:
//!
//! ```
//! use overboard_rules::overchess::{Options, Over};
//!
//! let start = Over::start(Options { consolidation: true, ..Options::default() });
//! let mut plies = 0;
//! start.for_each_legal(|_| plies += 1);
//! assert_eq!(plies, 20 + 15);
//! ```

use crate::{
    chess::{Chess, Move},
    outcome::{Outcome, Ruling},
    path::{index, square},
    ply::{Arrival, Pattern, Written},
    square::{Piece, Role, Side, Square},
};
use board::Board;
use game::Game;

mod against;
mod board;
mod contest;
pub mod deep;
mod game;
mod legal;
mod options;
mod roster;
mod setup;
mod sub;
#[cfg(test)]
mod tests;

pub use against::{Asked, Breach, difference};
pub use board::OverMove;
pub use options::{Drawn, Options, Reserves};
pub use roster::{Arrangement, KINDS, Roster};
pub use setup::{ContestSetup, OverSetup, PhaseSetup, SparesSetup, Unfit};

/// One act: the ply of Overchess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ply {
    /// A move on the over-board.
    Over(OverMove),
    /// A set-up of the sub-game that is due (OV-4).
    Setup(Arrangement),
    /// A move of the sub-game.
    Sub(Move),
    /// Men of the loser go over to the winner (OV-21).
    Prisoners(Roster),
    /// A spare man comes into the sub-set of the over-piece on a square (OV-23).
    Reserve(Square, Role),
    /// The over-piece on a square is taken from the board, its men to be handed over (OV-22).
    Consolidate(Square),
    /// A man goes to the sub-set of the over-piece on a square.
    Give(Square, Role),
    /// A part of settling, or a consolidation, is over.
    Done,
}

/// What is due in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// An over-move, or a consolidation in its place.
    Over,
    /// An over-move of the piece on this square, which has got a spare man.
    OverFrom(Square),
    /// A set-up of the sub-game on this square, by its attacker or its defender.
    Setup(Square, Side),
    /// A move of the sub-game on this square.
    Sub(Square),
    /// Prisoners or spare men for the over-piece on this square.
    Settling(Square),
    /// Men to be handed over.
    Giving,
}

/// An over-piece and its sub-set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OverPiece {
    /// Whose it is and what it is.
    pub piece: Piece,
    /// What is left of its sub-set; a king's is empty.
    pub men: Roster,
}

/// A contested square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contested {
    /// Where the attacker came from.
    pub from: Square,
    /// Where it stands.
    pub to: Square,
    /// The attacked over-piece.
    pub defender: OverPiece,
    /// Where the defender stood, where that is another square (en passant).
    pub victim: Option<Square>,
    /// What the attacking pawn has become.
    pub promotion: Option<Role>,
}

/// A position of Overchess, at any moment.
#[derive(Clone, Debug)]
pub struct Over {
    game: Game,
}

impl Over {
    /// The first position under these options.
    #[must_use]
    pub fn start(options: Options) -> Self {
        Self { game: Game::start(options) }
    }

    /// The optional rules in force.
    #[must_use]
    pub const fn options(&self) -> Options {
        self.game.options
    }

    /// The side that makes the next over-move.
    #[must_use]
    pub const fn turn(&self) -> Side {
        self.game.turn
    }

    /// The side that makes the next ply, whatever it is.
    #[must_use]
    pub fn actor(&self) -> Side {
        self.game.actor()
    }

    /// What is due.
    #[must_use]
    pub fn due(&self) -> Due {
        self.game.due()
    }

    /// Number of the over-move to come, from 1.
    #[must_use]
    pub const fn fullmove(&self) -> u32 {
        self.game.full
    }

    /// Over-moves since one that the fifty-move rule counts from (OV-12).
    #[must_use]
    pub const fn halfmove(&self) -> u32 {
        self.game.half
    }

    /// Castling rights in the order K Q k q.
    #[must_use]
    pub const fn castling(&self) -> [bool; 4] {
        self.game.board.castling
    }

    /// The square crossed by a double step just made, where an attack in passing is legal.
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.game.legal_en_passant().map(square)
    }

    /// What stands on a square of the over-board; on a contested one the attacker.
    #[must_use]
    pub fn piece_at(&self, on: Square) -> Option<OverPiece> {
        let at = index(on);
        let piece = self.game.board.piece_at(at)?;
        Some(OverPiece { piece, men: self.game.sets[usize::from(at)].men })
    }

    /// The spare men of an over-piece, where each has its own.
    #[must_use]
    pub fn own_spares(&self, on: Square) -> Roster {
        self.game.sets[usize::from(index(on))].spares
    }

    /// The spare men of a team.
    #[must_use]
    pub const fn team_spares(&self, side: Side) -> Roster {
        self.game.spares[side as usize]
    }

    /// The contested squares, the one to be settled first in front.
    pub fn contested(&self) -> impl Iterator<Item = Contested> + use<> {
        self.game.contests.into_iter().flatten().map(|contest| contest.told())
    }

    /// The spare men of the attacked over-piece on a contested square, where each has its own.
    #[must_use]
    pub fn defenders_spares(&self, on: Square) -> Roster {
        let contests = self.game.contests.into_iter().flatten();
        contests
            .filter(|contest| square(contest.to) == on)
            .map(|contest| contest.set.spares)
            .next()
            .unwrap_or_default()
    }

    /// The sub-game being played.
    #[must_use]
    pub fn sub_game(&self) -> Option<&Chess> {
        self.game.sub_game().map(|sub| &sub.chess)
    }

    /// Whether the man on a square of the sub-game is a promoted pawn.
    #[must_use]
    pub fn is_promoted(&self, on: Square) -> bool {
        self.game.sub_game().is_some_and(|sub| sub.is_promoted(on))
    }

    /// What attacker and defender have left in the sub-game being played.
    #[must_use]
    pub fn survivors(&self) -> Option<[Roster; 2]> {
        self.game.sub_game().map(|sub| sub.left)
    }

    /// Whether a draw may be claimed in the sub-game being played: by repetition, by fifty moves.
    #[must_use]
    pub fn sub_claimable(&self) -> [bool; 2] {
        self.game.sub_game().map_or([false; 2], sub::SubGame::claimable)
    }

    /// The attacker's set-up, while the defender's is due.
    #[must_use]
    pub fn attackers_setup(&self) -> Option<Arrangement> {
        self.game.attackers_setup()
    }

    /// The sub-sets of attacker and defender that a set-up or a sub-game is due for.
    #[must_use]
    pub fn armies(&self) -> Option<[Roster; 2]> {
        self.game.open_contest().map(|contest| self.game.armies(&contest))
    }

    /// While a sub-game is settled: the over-pieces still to be cared for, and the prisoners that each may
    /// take.
    pub fn settling(&self) -> impl Iterator<Item = (Square, Roster)> + use<> {
        self.game.settling().into_iter().flatten().map(|part| (square(part.at), part.prisoners))
    }

    /// While a consolidation goes on: the men still in hand, and where the last one went.
    #[must_use]
    pub fn giving(&self) -> Option<(Roster, Option<(Role, Square)>)> {
        self.game.giving()
    }

    /// Whether the side to make the next over-move stands in check.
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.game.board.in_check(self.game.turn)
    }

    /// The over-pieces that give check to a side's king.
    pub fn checkers(&self, side: Side) -> impl Iterator<Item = Square> + use<> {
        let board = &self.game.board;
        board::squares(board.king(side).map_or(0, |king| board.attackers(king, side.other()))).map(square)
    }

    /// Where a side's over-king stands.
    #[must_use]
    pub fn king(&self, side: Side) -> Option<Square> {
        self.game.board.king(side).map(square)
    }

    /// Shows every legal ply, in no particular order; none behind mate, stalemate or a fallen king.
    pub fn for_each_legal(&self, visit: impl FnMut(Ply)) {
        self.game.for_each_legal(visit);
    }

    /// How many legal plies there are.
    #[must_use]
    pub fn count_legal(&self) -> u64 {
        self.game.count_legal()
    }

    /// Plays a legal ply.
    pub fn play(&mut self, ply: &Ply) {
        self.game.play(ply);
    }

    /// The position behind a legal ply.
    #[must_use]
    pub fn after(&self, ply: &Ply) -> Self {
        let mut after = self.clone();
        after.play(ply);
        after
    }

    /// The position after the piece on a square was put on another and the turn passed on, legal or not (GEN-9):
    /// the man of the sub-game that is being played, or else the over-piece. What goes on to an enemy over-piece
    /// attacks it, and only a king takes it plainly. `None` where that makes no position of a game.
    #[must_use]
    pub fn displaced(&self, from: Square, to: Square) -> Option<Self> {
        self.game.displaced(from, to).map(|game| Self { game })
    }

    /// Ends the sub-game that is due or being played by what its moves did not bring about: a resignation,
    /// an agreement or a claim (OV-16). The attacker is White. Nothing where no sub-game is due.
    pub fn conclude(&mut self, outcome: Outcome) {
        self.game.conclude(outcome);
    }

    /// The end of the game, by the position itself or by how often it was there (OV-15).
    #[must_use]
    pub const fn ending(&self) -> Option<Ruling> {
        self.game.ended
    }

    /// Whether a draw may be claimed: by repetition, by fifty moves.
    #[must_use]
    pub fn claimable(&self) -> [bool; 2] {
        self.game.claimable()
    }

    /// Whether a side could still win (GEN-10): not where the game is dead.
    #[must_use]
    pub fn can_win(&self) -> bool {
        !self.game.board.is_dead() || self.game.contests[0].is_some()
    }

    /// The ply that is asked for, or why it is no legal one.
    ///
    /// # Errors
    /// The rule that it breaks, where, and what was possible.
    pub fn judge(&self, asked: Asked) -> Result<Ply, Box<Breach>> {
        self.game.judge(asked)
    }

    /// Whether an over-move is an attack, which a sub-game settles.
    #[must_use]
    pub fn attacks(&self, m: OverMove) -> bool {
        self.game.board.target(m).is_some() && self.game.board.kind(Role::King) >> m.from & 1 == 0
    }

    /// Whether an over-move attacks or takes.
    #[must_use]
    pub fn captures(&self, m: OverMove) -> bool {
        self.game.board.target(m).is_some()
    }

    /// Whether an over-move gives check, as if its attack succeeded.
    #[must_use]
    pub fn gives_check(&self, m: OverMove) -> bool {
        let mut board: Board = self.game.board;
        board.make(m);
        board.in_check(self.game.turn.other())
    }

    /// A legal over-move as it is written: no more of the origin than tells it apart.
    #[must_use]
    pub fn written(&self, m: OverMove) -> Written {
        let board = &self.game.board;
        if let Some(wing) = board.wing(m) {
            return Written::Castle(wing);
        }
        let Some(Piece { role, .. }) = board.piece_at(m.from) else { return Written::Pass };
        let (from, to, capture) = (square(m.from), square(m.to), self.captures(m));
        let pattern = Pattern {
            role,
            file: None,
            rank: None,
            capture,
            to,
            promotion: m.promotion,
            arrival: Arrival::Here,
        };
        if role == Role::Pawn {
            return Written::Move(Pattern { file: capture.then_some(from.file), ..pattern });
        }
        let rivals = self.game.over_moves_to(role, m.to);
        let alone =
            |pattern: &Pattern| rivals.iter().filter(|m| pattern.may_start_on(square(m.from))).count() == 1;
        Written::Move(pattern.shortest(from, alone))
    }
}

impl OverMove {
    /// Where it comes from.
    #[must_use]
    pub const fn from(self) -> Square {
        square(self.from)
    }

    /// Where it goes.
    #[must_use]
    pub const fn to(self) -> Square {
        square(self.to)
    }

    /// What a pawn becomes.
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        self.promotion
    }
}
