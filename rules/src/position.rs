//! The interface of games on one board: the trait [`Position`], in four parts.

use crate::{
    game::Claimable,
    outcome::{Cause, Outcome, Prospect, Ruling},
    ply::{Pattern, StandingAct, Written},
    refusal::{Reason, takes},
    repetition::Look,
    rule::Rule,
    square::{Piece, Role, Side, Square},
};
use std::fmt::Debug;

/// What a written move means in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found<M> {
    /// Exactly this legal move.
    One(M),
    /// No legal move.
    None,
    /// More than one legal move.
    Several,
}

impl<M> Found<M> {
    /// The only one of these moves.
    #[inline]
    pub fn only(mut moves: impl Iterator<Item = M>) -> Self {
        match (moves.next(), moves.next()) {
            (None, _) => Self::None,
            (Some(m), None) => Self::One(m),
            (Some(_), Some(_)) => Self::Several,
        }
    }

    /// The same with the move in another form.
    #[inline]
    pub fn map<N>(self, of: impl FnOnce(M) -> N) -> Found<N> {
        match self {
            Self::One(m) => Found::One(of(m)),
            Self::None => Found::None,
            Self::Several => Found::Several,
        }
    }
}

/// What a legal move does, in terms that all games share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Act {
    /// Where the piece comes from; `None` for a drop. When castling, the king's square.
    pub from: Option<Square>,
    /// Where it goes.
    pub to: Square,
    /// The kind that it promotes to.
    pub promotion: Option<Role>,
    /// The kind of piece that moves.
    pub role: Role,
    /// Whether it captures.
    pub captures: bool,
    /// Whether the move is castling.
    pub castles: bool,
}

/// Whether a game lets a player claim a draw, and the rule that says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claims {
    /// By repetition or by moves without progress.
    Open(&'static Rule),
    /// Never.
    Closed(&'static Rule),
}

impl Claims {
    const fn is_open(self) -> bool {
        matches!(self, Self::Open(_))
    }
}

/// A legal position of a game on one board, in which one side has the move.
///
/// Listing, finding, refusing and counting agree: a listed move is found in the form that
/// [`written`](Movegen::written) gives it, and a pattern that is not found is refused with a rule. A function over this
/// trait works for every game on one board:
///
/// ```
/// use overboard_games::{chess::Chess, olympic::Olympic};
/// use overboard_rules::position::Position;
///
/// /// The legal move sequences of two plies from the first position.
/// fn replies<P: Position>() -> u64 {
///     let first = P::default();
///     first.moves_in_order().into_iter().map(|m| first.after(m).count_legal()).sum()
/// }
///
/// assert_eq!(replies::<Chess>(), 400);
/// assert!(replies::<Olympic>() > 0);
/// ```
pub trait Position: Movegen + Explain + DrawLaw + Irregular {}

impl<P: Movegen + Explain + DrawLaw + Irregular> Position for P {}

/// The moves of a position, and what they do.
///
/// Listing, finding and counting agree: a listed move is found in the form that [`written`](Self::written)
/// gives it.
///
/// ```
/// use overboard_games::chess::Chess;
/// use overboard_rules::position::{Found, Movegen};
///
/// let mut chess = Chess::default();
/// let mut moves = Vec::new();
/// chess.list_legal(&mut moves);
/// assert_eq!((moves.len(), chess.count_legal()), (20, 20));
/// assert_eq!(chess.find(&chess.written(moves[0])), Found::One(moves[0]));
/// chess.play(moves[0]);
/// assert_eq!((chess.fullmove(), chess.in_check()), (1, false));
/// ```
pub trait Movegen: Clone + Default + Debug + Send + Sync + 'static {
    /// A legal move, valid in the position where it was found; a few bytes.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// What is agreed before the first move; `()` in a game without options.
    type Options: Clone + Default + PartialEq + Debug + Send + Sync;
    /// What was agreed before the first move.
    fn options(&self) -> Self::Options {
        Self::Options::default()
    }
    /// The same position in a game for which this was agreed.
    #[must_use]
    fn under(self, _options: &Self::Options) -> Self {
        self
    }
    /// Whether [`Self::pick_legal`] selects a move without listing all.
    const PICKS: bool = false;
    /// The side to move.
    fn turn(&self) -> Side;
    /// The number of the next move, from 1.
    fn fullmove(&self) -> u32;
    /// The number of plies since the last capture or pawn move, or since whatever else resets the count of the game's
    /// fifty-move rule or FEN.
    fn halfmove(&self) -> u32;
    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;
    /// Whether the side to move has a legal move at all.
    fn has_legal_move(&self) -> bool {
        self.count_legal() > 0
    }
    /// Calls `visit` with every legal move, in no particular order.
    fn legal_moves(&self, visit: impl FnMut(Self::Move));
    /// Appends every legal move, in the order of [`Self::legal_moves`].
    #[inline]
    fn list_legal(&self, moves: &mut Vec<Self::Move>) {
        self.legal_moves(|m| moves.push(m));
    }
    /// The number of legal moves.
    fn count_legal(&self) -> u64 {
        let mut count = 0;
        self.legal_moves(|_| count += 1);
        count
    }
    /// The legal move with the index that `choose` returns, in the order of [`Self::legal_moves`]; `choose` is given
    /// the number of moves. `None` if there are no moves, in which case `choose` is not called, or if the index is too
    /// large.
    #[inline]
    fn pick_legal(&self, choose: impl FnOnce(usize) -> usize) -> Option<Self::Move> {
        let mut moves = Vec::with_capacity(64);
        self.list_legal(&mut moves);
        if moves.is_empty() {
            None
        } else {
            moves.get(choose(moves.len())).copied()
        }
    }
    /// The legal move that a written ply means. Ignores the capture mark, and draws that have ended the game: the
    /// referee checks those.
    fn find(&self, written: &Written) -> Found<Self::Move>;
    /// How a legal move is written, with no more of the origin than is needed to disambiguate (CH-20).
    fn written(&self, m: Self::Move) -> Written;
    /// Whether a legal move captures.
    fn captures(&self, m: Self::Move) -> bool {
        self.act(m).captures
    }
    /// What a legal move does.
    fn act(&self, m: Self::Move) -> Act;
    /// Plays a move that was found in this position.
    fn play(&mut self, m: Self::Move);
    /// The legal moves, sorted by what they do.
    fn moves_in_order(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.list_legal(&mut moves);
        moves.sort_by_key(|m| self.act(*m));
        moves
    }
    /// The position after a legal move.
    #[must_use]
    fn after(&self, m: Self::Move) -> Self {
        let mut after = self.clone();
        after.play(m);
        after
    }
}

/// Explains why a written move is refused: the pieces involved, and the reason.
///
/// ```
/// use overboard_games::chess::Chess;
/// use overboard_rules::{ply::{Wing, Written}, position::{Explain, Found, Movegen}};
///
/// let chess = Chess::default();
/// let castling = Written::Castle(Wing::KingSide);
/// assert_eq!(chess.find(&castling), Found::None);
/// let (_, rule) = chess.against(&castling);
/// assert_eq!(rule.id, "CH-14");
/// ```
pub trait Explain: Movegen {
    /// The piece on a square.
    fn piece_at(&self, square: Square) -> Option<Piece>;
    /// The squares of all pieces of this kind and side, `a1` first.
    fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + use<Self>;
    /// The square of a side's king.
    fn king(&self, side: Side) -> Option<Square> {
        let role = Role::King;
        self.squares_of(Piece { side, role }).next()
    }
    /// The enemy pieces that would attack the mover's king after the piece on `from` went as the pattern says.
    fn exposed_by(
        &self,
        from: Square,
        pattern: &Pattern,
    ) -> impl Iterator<Item = Square> + use<Self>;
    /// Whether a pawn move is written as a capture.
    fn takes(pattern: &Pattern) -> bool {
        takes(pattern)
    }
    /// Whether a piece can move from one square to another on an otherwise empty board; for a pawn, `takes` selects
    /// capture or advance.
    fn moves_so(piece: Piece, from: Square, to: Square, takes: bool) -> bool;
    /// Why a written ply that was not found is not a legal move, and the rule that it breaks.
    fn against(&self, written: &Written) -> (Reason, &'static Rule);
    /// The law that a turn is one legal move, with which anything else is refused.
    const TURN: &'static Rule;
}

/// How a game ends by its position or by its record, and which draws may be claimed.
///
/// ```
/// use overboard_games::{chess::Chess, one_board::notation::BoardNotation};
/// use overboard_rules::{outcome::{Cause, Outcome, Prospect}, position::DrawLaw, square::Side};
///
/// let kings = Chess::read("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap().position;
/// let ruling = kings.end_by_itself().unwrap();
/// assert_eq!((ruling.outcome, ruling.cause), (Outcome::Draw, Cause::DeadPosition));
/// assert_eq!(kings.can_mate(Side::White), Prospect::Never);
/// // A third occurrence may be claimed, a second one may not.
/// assert!(Chess::default().claimable(3).repetition);
/// assert!(!Chess::default().claimable(2).repetition);
/// ```
pub trait DrawLaw: Movegen {
    /// What repetition compares (GEN-4).
    type Snapshot: Clone + PartialEq + Send + Sync + 'static;
    /// Whether no position before this move can recur after it.
    fn is_irreversible(&self, m: Self::Move) -> bool;
    /// The end of the game that this position shows, if any (GEN-11); mate comes first (GEN-7).
    fn end_by_itself(&self) -> Option<Ruling>;
    /// The end of the game, other than mate and stalemate, if this position occurs for the `times`-th time. `since` has
    /// the positions after its previous occurrence, ending with this one.
    fn end_by_record(&self, times: usize, since: &[Self::Snapshot]) -> Option<Ruling>;
    /// The end by a dead position that material alone does not show (GEN-3), looked for as closely as that; in most games
    /// there is none.
    fn end_by_deadlock(&self, _look: Look) -> Option<Ruling> {
        None
    }
    /// Whether draws can be claimed at all.
    const CLAIMS: Claims;
    /// Whether draws by moves without progress can be claimed.
    const COUNTED_CLAIMS: Claims = Self::CLAIMS;
    /// What counts as progress: the words after "moves without" in messages.
    const PROGRESS: &'static str;
    /// The claims that would be correct if this position occurs for the `times`-th time.
    #[inline]
    fn claimable(&self, times: usize) -> Claimable {
        Claimable {
            repetition: times >= 3 && Self::CLAIMS.is_open(),
            progress: self.halfmove() >= 100 && Self::COUNTED_CLAIMS.is_open(),
        }
    }
    /// Whether the side can still mate (GEN-10).
    fn can_mate(&self, side: Side) -> Prospect;
    /// A hash that is equal for positions that count as repetitions. Different positions may collide, so
    /// [`Self::snapshot`] decides equality.
    fn repetition_key(&self) -> u64;
    /// What repetition compares of this position.
    fn snapshot(&self) -> Self::Snapshot;
}

/// The end of a game whose side to move has no legal move: mate if it is in check, else stalemate.
pub fn stuck<P: Movegen>(position: &P, mate: &'static Rule, stalemate: &'static Rule) -> Ruling {
    if position.in_check() {
        Ruling {
            outcome: Outcome::Win(position.turn().other()),
            cause: Cause::Checkmate,
            rule: mate,
        }
    } else {
        Ruling::draw(Cause::Stalemate, stalemate)
    }
}

/// How a position changes other than by a legal move.
///
/// ```
/// use overboard_games::chess::Chess;
/// use overboard_rules::{ply::StandingAct, position::{Irregular, Movegen}, square::{Side, Square}};
///
/// let chess = Chess::default();
/// assert_eq!(chess.passed().unwrap().turn(), Side::Black);
/// // 1. e2-e5 is illegal, but if both players accepted it, the game continues from here.
/// let e2_to_e5 = StandingAct::moved(Square::new(4, 1), Square::new(4, 4));
/// assert_eq!(chess.stood(e2_to_e5).unwrap().turn(), Side::Black);
/// ```
pub trait Irregular: Movegen {
    /// The same position with the other side to move, as after the null move of a variation; after a null move by Black
    /// the move number rises. `None` if the side to move is in check.
    fn passed(&self) -> Option<Self>;
    /// The position after the mover did this, legally or not, and the turn passed (GEN-9). `None` if it cannot be done:
    /// the mover has no such piece, or a king would be gone, or the rules do not say how the result is played.
    fn stood(&self, standing_act: StandingAct) -> Option<Self>;
}
