//! One open over-game of several inside each other: its board, and which individual is where.

use super::{
    Contested, Due, OverPiece,
    army::{Individual, Places},
    contest::SubSet,
    individuals::{Individuals, seen_by},
    name::{KING, Name},
    options::Options,
    roster::{Arrangement, Roster},
    state::{Game, Phase, has_set},
    sub::SubGame,
};
use crate::{
    board8::board::{Board, BoardMove as OverMove, squares},
    chess::Chess,
};
use overboard_rules::{
    by_side::BySide,
    outcome::Ruling,
    path::{index, square},
    ply::{Pattern, Written},
    setup::Setup,
    square::{Piece, Role, Side, Square},
};
use std::sync::Arc;

mod play;

/// One open over-game of several inside each other: everything that is visible on its board.
///
/// It counts the pieces in the sub-set behind each over-piece. If pieces have names, it also knows which individuals
/// they are; in a game of depth 1 pieces have no names, since they have no sub-sets of their own.
#[derive(Clone, Debug)]
pub struct Level {
    /// Its depth: the sub-games of an over-game of depth 1 are chess.
    depth: u8,
    pub(super) game: Game,
    /// The individuals that its over-pieces are, if they have names. Shared by copies, since most plies do not change
    /// them.
    individuals: Option<Arc<Individuals>>,
}

// What can be seen.

impl Level {
    /// Its depth; 1 if its sub-games are chess.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.depth
    }

    /// Whether its over-pieces are individuals with names (OV-41): not in a game of depth 1.
    #[must_use]
    pub const fn is_named(&self) -> bool {
        self.individuals.is_some()
    }

    /// The optional rules in force on this board.
    #[must_use]
    pub const fn options(&self) -> Options {
        self.game.options
    }

    /// The side that makes the next over-move.
    #[must_use]
    pub const fn turn(&self) -> Side {
        self.game.turn
    }

    /// What is due; while individuals are being set up, the sub-game.
    #[must_use]
    pub fn due(&self) -> Due {
        self.game.due()
    }

    /// Number of the next over-move, from 1.
    #[must_use]
    pub const fn fullmove(&self) -> u32 {
        self.game.full
    }

    /// Over-moves since the last one that resets the count of the fifty-move rule (OV-12).
    #[must_use]
    pub const fn halfmove(&self) -> u32 {
        self.game.half
    }

    /// Castling rights in the order K Q k q.
    #[must_use]
    pub const fn castling(&self) -> [bool; 4] {
        self.game.board.castling
    }

    /// The square crossed by a double step just made, if an en passant attack is legal.
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.game.legal_en_passant().map(square)
    }

    /// The over-board as one of chess; on a contested square the attacker.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        self.game.to_setup()
    }

    /// The over-piece on a square; on a contested one the attacker.
    #[must_use]
    pub fn piece_at(&self, on: Square) -> Option<OverPiece> {
        let at = index(on);
        let piece = self.game.board.piece_at(at)?;
        let SubSet { pieces, spares } = self.game.set(at);
        Some(OverPiece {
            piece,
            pieces,
            spares,
        })
    }

    /// The same, unless it is a king, which has no sub-set.
    pub(super) fn with_set(&self, on: Square) -> Option<OverPiece> {
        self.piece_at(on).filter(|there| has_set(there.piece))
    }

    /// The squares from which the over-piece of an illegal over-move may have come.
    #[must_use]
    pub fn likely_origins(&self, pattern: &Pattern) -> Vec<Square> {
        self.game.board.likely_origins(self.game.turn, pattern)
    }

    /// The spare pieces of a team.
    #[must_use]
    pub const fn team_spares(&self, side: Side) -> Roster {
        self.game.spares.at(side)
    }

    /// The contested squares, the one to be settled first at the front.
    pub fn contested(&self) -> impl Iterator<Item = Contested> + use<> {
        let contests = self.game.contests.into_iter().flatten();
        contests.map(|contest| contest.in_words())
    }

    /// The sub-game of chess being played.
    #[must_use]
    pub fn sub_game(&self) -> Option<&Chess> {
        self.game.sub_game().map(|sub| &sub.chess)
    }

    /// Whether the sub-game of chess is still in its forced initial position.
    pub(super) fn stands_as_it_must_begin(&self) -> bool {
        let sub = self.game.sub_game();
        sub.is_some_and(SubGame::stands_as_it_must_begin)
    }

    /// Whether the piece on a square of the sub-game is a promoted pawn.
    #[must_use]
    pub fn is_promoted(&self, on: Square) -> bool {
        self.game.sub_game().is_some_and(|sub| sub.is_promoted(on))
    }

    /// What attacker and defender have left in the sub-game of chess being played.
    #[must_use]
    pub fn survivors(&self) -> Option<BySide<Roster>> {
        self.game.sub_game().map(|sub| sub.left)
    }

    /// The attacker's set-up of a sub-game of chess, while the defender's is due.
    #[must_use]
    pub fn attackers_setup(&self) -> Option<Arrangement> {
        match self.game.phase {
            Phase::Setup(setup) => setup,
            _ => None,
        }
    }

    /// How many pieces attacker and defender have, while a set-up or a sub-game is due.
    #[must_use]
    pub fn rosters(&self) -> Option<BySide<Roster>> {
        Some(self.game.armies(&self.game.open_contest()?))
    }

    /// While a sub-game is settled: the over-pieces still to be settled, and the prisoners that each may take.
    pub fn settling(&self) -> impl Iterator<Item = (Square, Roster)> + use<> {
        let parts = self.game.settling().into_iter().flatten();
        parts.map(|part| (square(part.at), part.prisoners))
    }

    /// During a consolidation: the pieces still in hand, and the kind and square of the last one given.
    #[must_use]
    pub fn giving(&self) -> Option<(Roster, Option<(Role, Square)>)> {
        let Phase::Giving(left, last) = self.game.phase else {
            return None;
        };
        Some((left, last.map(|(role, at)| (role, square(at)))))
    }

    /// Whether the side that makes the next over-move is in check.
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.game.board.in_check(self.game.turn)
    }

    /// The over-pieces that give check to a side's king.
    pub fn checkers(&self, side: Side) -> impl Iterator<Item = Square> + use<> {
        let board = &self.game.board;
        squares(board.checkers(side)).map(square)
    }

    /// The square of a side's over-king.
    #[must_use]
    pub fn king(&self, side: Side) -> Option<Square> {
        self.game.board.king(side).map(square)
    }

    /// How this over-game ends, by the position itself or by how often it has occurred (OV-15).
    #[must_use]
    pub const fn end_by_itself(&self) -> Option<Ruling> {
        self.game.ended
    }

    /// Whether a side could still win (GEN-10): not if the over-game is dead.
    #[must_use]
    pub fn can_win(&self) -> bool {
        !self.game.board.is_dead() || self.game.contests[0].is_some()
    }

    /// Whether an over-move is an attack, which a sub-game settles.
    #[must_use]
    pub fn attacks(&self, m: OverMove) -> bool {
        self.captures(m) && self.game.board.kind(Role::King) >> m.from & 1 == 0
    }

    /// Whether an over-move attacks or captures.
    #[must_use]
    pub fn captures(&self, m: OverMove) -> bool {
        self.game.board.target(m).is_some()
    }

    /// Whether an over-move gives check, assuming that its attack succeeds.
    #[must_use]
    pub fn gives_check(&self, m: OverMove) -> bool {
        let mut board: Board = self.game.board;
        board.make(m);
        board.in_check(self.game.turn.other())
    }

    /// A legal over-move as it would be written: with no more of the origin than is needed to disambiguate.
    #[must_use]
    pub fn written(&self, m: OverMove) -> Written {
        let is_alone = |pattern: &Pattern| self.game.meant(&Written::Move(*pattern)).len() == 1;
        self.game.board.written(m, is_alone)
    }

    /// The individual on a square, if over-pieces have names; on a contested one the attacker. `None` for a king.
    #[must_use]
    pub fn at(&self, on: Square) -> Option<&Individual> {
        self.individuals()?.at(on)
    }

    /// The attacked over-piece of a contested square, if over-pieces have names; 0 is the one to be settled first.
    #[must_use]
    pub fn attacked(&self, slot: usize) -> Option<&Individual> {
        self.individuals()?.attacked(slot)
    }

    /// The over-pieces of the contest to be settled first, if they have names: the attacker and the attacked.
    #[must_use]
    pub fn parties(&self) -> Option<[&Individual; 2]> {
        self.individuals()?.parties(self.game.contests[0].as_ref()?)
    }

    /// Their names: those of the pieces whose sub-sets play in the inner over-game.
    pub(super) fn owners(&self) -> Option<BySide<Name>> {
        let parties = BySide::from(self.parties()?);
        Some(parties.map(|one| one.name.clone()))
    }

    /// The individuals behind the attacker and the attacked of the contest to be settled first.
    #[must_use]
    pub fn armies(&self) -> Option<BySide<Places>> {
        let [attacker, attacked] = self.parties()?;
        Some(BySide::new(attacker, attacked).map(|one| one.army.places(&one.name)))
    }

    pub(super) fn individuals(&self) -> Option<&Individuals> {
        self.individuals.as_deref()
    }

    pub(super) fn individuals_mut(&mut self) -> Option<&mut Individuals> {
        self.individuals.as_mut().map(Arc::make_mut)
    }
}

// Beginnings.

impl Level {
    /// The initial position of the outermost over-game.
    pub(super) fn start(depth: u8, options: Options) -> Self {
        let game = Game::start(options);
        if depth == 1 {
            return Self::unnamed(game);
        }
        let mut level = Self::named(depth, game, Individuals::at_home());
        level.forget_what_was();
        level
    }

    /// A game of depth 1: its pieces have no names.
    pub(super) const fn unnamed(game: Game) -> Self {
        Self {
            depth: 1,
            game,
            individuals: None,
        }
    }

    /// An over-game of individuals.
    pub(super) fn named(depth: u8, game: Game, individuals: Individuals) -> Self {
        Self {
            depth,
            game,
            individuals: Some(Arc::new(individuals)),
        }
    }

    /// The over-game of these armies set up on these squares; the attacker is White.
    pub(super) fn of(
        depth: u8,
        options: Options,
        sides: BySide<Places>,
        squares: BySide<[u8; 16]>,
    ) -> Self {
        let mut board = Board::default();
        let mut sets = [SubSet::default(); 64];
        for (side, places) in sides.pairs() {
            let king = Piece {
                side,
                role: Role::King,
            };
            board.put(seen_by(side, KING), king);
            for (place, one) in places.all() {
                let at = squares[side][usize::from(place.number())];
                let role = place.role();
                board.put(at, Piece { side, role });
                sets[usize::from(at)].pieces = one.army.roster();
            }
        }
        board.castling = [7, 0, 63, 56].map(|corner| board.occupied() >> corner & 1 == 1);
        let spares = BySide::both(Roster::NONE);
        let game = Game::of(options.inside(), board, sets, spares, Side::White);
        let mut level = Self::named(depth, game, Individuals::set_up(sides, squares));
        level.forget_what_was();
        level
    }

    /// The turn begins with an empty history.
    fn forget_what_was(&mut self) {
        self.report_beside();
        self.game.begin_anew();
    }

    /// Updates the hash of what is behind the counts.
    pub(super) fn report_beside(&mut self) {
        if self.depth > 1
            && let Some(who) = &self.individuals
        {
            self.game.beside = Some(who.hash());
        }
    }
}
