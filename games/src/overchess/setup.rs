//! Builds positions of Overchess from their parts.

use super::{
    Options, Reserves,
    army::Individual,
    contest::{Contest, SubSet},
    roster::{Arrangement, Roster},
    state::{Game, Part, Phase, has_set},
    sub::{SubGame, rosters_of},
};
use crate::{
    board8::board::{Board, CASTLINGS, Castling, LAST_RANKS, bit, last_rank, squares},
    chess::{Chess, laws as regular},
    overchess::laws as law,
};
use overboard_rules::{
    by_side::BySide,
    path::{index, square},
    position::DrawLaw,
    repetition::Look,
    rule::Rule,
    square::{Piece, Role, Side, Square},
};

mod levels;

pub use levels::{Open, Standing};

/// The parts of a position of an over-game.
#[derive(Clone, Debug)]
pub struct OverSetup {
    /// The over-pieces, `a1` first, then along the ranks; the attacker on a contested square.
    pub pieces: [Option<Piece>; 64],
    /// The side that makes the next over-move.
    pub turn: Side,
    /// Castling rights in the order K Q k q.
    pub castling: [bool; 4],
    /// The square crossed by a double step just made.
    pub en_passant: Option<Square>,
    /// Over-moves for the fifty-move rule.
    pub halfmove: u32,
    /// Number of the next over-move, from 1.
    pub fullmove: u32,
    /// The sub-sets that are not complete; all of them if over-pieces have names.
    pub sets: Vec<(Square, Roster)>,
    /// The individuals with their places, except kings; empty in a game of depth 1. Their sub-sets are those of the
    /// over-pieces.
    pub individuals: Vec<(Standing, Individual)>,
    /// The contested squares, the one to be settled first at the front.
    pub contested: Vec<ContestSetup>,
    /// The spares.
    pub spares: SparesSetup,
    /// What is in progress apart from over-moves.
    pub phase: PhaseSetup,
    /// What else is open, if over-pieces have names.
    pub open: Open,
}

/// A contested square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContestSetup {
    /// The attacker's square of origin.
    pub from: Square,
    /// The attacker's square.
    pub to: Square,
    /// The attacked over-piece.
    pub defender: Piece,
    /// Its pieces.
    pub pieces: Roster,
    /// Its own spares, if each over-piece has some.
    pub spares: Roster,
    /// Its square, if that is another one (en passant).
    pub victim: Option<Square>,
    /// The piece to which the attacking pawn promoted.
    pub promotion: Option<Role>,
}

/// The spare pieces that are left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SparesSetup {
    /// None.
    None,
    /// Of White's team and Black's.
    Team(BySide<Roster>),
    /// For each over-piece; empty for those not listed.
    Set(Vec<(Square, Roster)>),
}

/// What is in progress in a position apart from the over-board.
#[derive(Clone, Debug)]
pub enum PhaseSetup {
    /// An over-move is due.
    Over,
    /// An over-move of this piece, which has received a spare piece.
    OverFrom(Square),
    /// A set-up of the first contested square's sub-game: the defender's if the attacker's is given.
    Setup(Option<Arrangement>),
    /// Its sub-game is an over-game, stored next to this one.
    Nested,
    /// Its sub-game, and the squares of its promoted pieces.
    Sub(Box<Chess>, Vec<Square>),
    /// The over-pieces to be settled, the attacker's first, and the prisoners that they may take.
    Settling(Vec<(Square, Roster)>),
    /// Pieces to be handed over, and the last that was.
    Giving(Roster, Option<(Role, Square)>),
}

/// Why the parts are not a position, and the rule that they break.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupRefusal {
    /// The reason.
    pub words: String,
    /// The rule.
    pub rule: &'static Rule,
}

fn unfit<T>(words: impl Into<String>, rule: &'static Rule) -> Result<T, SetupRefusal> {
    Err(SetupRefusal {
        words: words.into(),
        rule,
    })
}

impl Game {
    /// The over-game with these parts; `beside` says that its sub-games are over-games, stored next to this one.
    pub(super) fn from_setup(
        options: Options,
        setup: &OverSetup,
        beside: bool,
    ) -> Result<Self, SetupRefusal> {
        let board = over_board(setup)?;
        let mut sets = sub_sets(&board, setup)?;
        let mut spares = BySide::both(Roster::NONE);
        give_spares(options, setup, &board, &mut sets, &mut spares)?;
        let mut game = Self::of(options, board, sets, spares, setup.turn);
        game.beside = beside.then_some(0);
        game.half = setup.halfmove;
        game.full = setup.fullmove.max(1);
        contest(&mut game, setup)?;
        begin(&mut game, setup)?;
        Ok(game)
    }
}

fn over_board(setup: &OverSetup) -> Result<Board, SetupRefusal> {
    let mut board = Board::default();
    for (at, piece) in (0..64).zip(setup.pieces) {
        if let Some(piece) = piece {
            board.put(at, piece);
        }
    }
    for side in Side::BOTH {
        let own = board.of(side);
        match (own & board.kind(Role::King)).count_ones() {
            1 => {}
            0 => return unfit(format!("{side} has no over-king"), &regular::SET_UP),
            _ => {
                return unfit(
                    format!("{side} has more than one over-king"),
                    &regular::SET_UP,
                );
            }
        }
        if own.count_ones() > 16 {
            return unfit(
                format!("{side} has more than sixteen over-pieces"),
                &law::OVER_GAME,
            );
        }
    }
    if board.kind(Role::Pawn) & LAST_RANKS != 0 {
        return unfit(
            "an over-pawn stands on the first or last rank",
            &regular::SET_UP,
        );
    }
    board.castling = setup.castling;
    board.en_passant = setup.en_passant.map(index);
    against_rights(&board, setup)?;
    if !board.can_have_been_crossed(setup.turn) {
        return unfit(
            "the en passant square is not behind an over-pawn that has just made a double step",
            &regular::SET_UP,
        );
    }
    Ok(board)
}

/// Castling rights need king and rook at home; a contested rook's home may be empty or occupied.
fn against_rights(board: &Board, setup: &OverSetup) -> Result<(), SetupRefusal> {
    for (right, Castling { king, rook, .. }) in CASTLINGS.into_iter().enumerate() {
        if !setup.castling[right] {
            continue;
        }
        let side = if right < 2 { Side::White } else { Side::Black };
        let own = |role, at| board.kind(role) & board.of(side) & bit(at) != 0;
        let away = setup.contested.iter().any(|contest| {
            index(contest.from) == rook
                || (contest.defender.side == side && index(contest.to) == rook)
        });
        if !own(Role::King, king) || !(own(Role::Rook, rook) || away) {
            return unfit(
                "a castling right is given, but king and rook are not on their original squares",
                &regular::SET_UP,
            );
        }
    }
    Ok(())
}

fn sub_sets(board: &Board, setup: &OverSetup) -> Result<[SubSet; 64], SetupRefusal> {
    let mut sets = [SubSet::default(); 64];
    for at in squares(board.occupied() & !board.kind(Role::King)) {
        sets[usize::from(at)].pieces = Roster::FULL;
    }
    for (on, pieces) in &setup.sets {
        let slot = &mut sets[usize::from(index(*on))];
        if slot.pieces.is_none() {
            return unfit(
                format!("no over-piece with a sub-set stands on {on}"),
                &law::OVER_GAME,
            );
        }
        if !pieces.fits_in(Roster::FULL) {
            return unfit(
                format!("the sub-set of {on} is more than a complete one"),
                &law::LIMIT,
            );
        }
        slot.pieces = *pieces;
    }
    Ok(sets)
}

fn give_spares(
    options: Options,
    setup: &OverSetup,
    board: &Board,
    sets: &mut [SubSet; 64],
    teams: &mut BySide<Roster>,
) -> Result<(), SetupRefusal> {
    match (&setup.spares, options.reserves) {
        (SparesSetup::None, _) => {}
        (SparesSetup::Team(left), Reserves::Team(agreed)) => {
            for (side, left) in left.pairs() {
                most(*left, agreed[side])?;
            }
            *teams = *left;
        }
        (SparesSetup::Set(each), Reserves::Set(agreed)) => {
            for (on, left) in each {
                let at = index(*on);
                let Some(piece) = board.piece_at(at).filter(|piece| has_set(*piece)) else {
                    let words = format!("no over-piece with a sub-set stands on {on}");
                    return unfit(words, &law::RESERVES);
                };
                most(*left, agreed[piece.side])?;
                sets[usize::from(at)].spares = *left;
            }
        }
        _ => {
            return unfit(
                "the spares are not of the kind that was agreed on",
                &law::RESERVES,
            );
        }
    }
    Ok(())
}

fn most(left: Roster, agreed: Roster) -> Result<(), SetupRefusal> {
    if left.fits_in(agreed) {
        Ok(())
    } else {
        unfit("there are more spares than were agreed on", &law::RESERVES)
    }
}

fn contest(game: &mut Game, setup: &OverSetup) -> Result<(), SetupRefusal> {
    if setup.contested.len() > 2 {
        return unfit("more than two squares are contested", &law::FOG);
    }
    for (slot, reported) in setup.contested.iter().enumerate() {
        let (from, to) = (index(reported.from), index(reported.to));
        let Some(piece) = game.board.piece_at(to).filter(|piece| has_set(*piece)) else {
            return unfit(format!("no attacker stands on {}", reported.to), &law::FOG);
        };
        let at = reported.victim.map_or(to, index);
        let mut attacker = piece;
        let mut may_promote = true;
        if let Some(role) = reported.promotion {
            attacker.role = Role::Pawn;
            may_promote = role == piece.role && to / 8 == last_rank(piece.side);
        }
        let fits = reported.defender.side != piece.side
            && has_set(reported.defender)
            && may_promote
            && (at == to || (attacker.role == Role::Pawn && game.board.occupied() & bit(at) == 0))
            && reported.pieces.fits_in(Roster::FULL)
            && from != to;
        if !fits {
            return unfit(
                format!("no attack can have led to the contest on {}", reported.to),
                &law::FOG,
            );
        }
        let agreed = match game.options.reserves {
            Reserves::Set(agreed) => agreed[reported.defender.side],
            _ => Roster::NONE,
        };
        most(reported.spares, agreed)?;
        let set = SubSet {
            pieces: reported.pieces,
            spares: reported.spares,
        };
        game.contests[slot] = Some(Contest {
            from,
            to,
            attacker,
            promotion: reported.promotion,
            defender: reported.defender,
            at,
            set,
        });
    }
    Ok(())
}

/// Sets up what is under way in the game, if that is possible.
fn begin(game: &mut Game, setup: &OverSetup) -> Result<(), SetupRefusal> {
    match &setup.phase {
        PhaseSetup::Over => begin_turn(game),
        PhaseSetup::OverFrom(on) => {
            let own =
                game.board.of(game.turn) & !game.board.kind(Role::King) & bit(index(*on)) != 0;
            if !own || !game.can_move(index(*on)) {
                return unfit(
                    format!("no over-piece that can move stands on {on}"),
                    &law::MOMENTS,
                );
            }
            game.phase = Phase::OverFrom(index(*on));
            Ok(())
        }
        PhaseSetup::Setup(pieces) => begin_set_up(game, *pieces),
        PhaseSetup::Nested => {
            open_contest(game)?;
            game.phase = Phase::Nested;
            Ok(())
        }
        PhaseSetup::Sub(chess, promoted) => {
            begin_sub_game(game, open_contest(game)?, chess, promoted)
        }
        PhaseSetup::Settling(parts) => begin_settling(game, parts),
        PhaseSetup::Giving(left, last) => {
            if !game.options.consolidation || !left.fits_in(Roster::FULL) {
                return unfit("no such consolidation can be going on", &law::CONSOLIDATION);
            }
            game.phase = Phase::Giving(*left, last.map(|(role, on)| (role, index(on))));
            Ok(())
        }
    }
}

/// The contest whose sub-game is due or being played.
fn open_contest(game: &Game) -> Result<Contest, SetupRefusal> {
    match game.contests[0] {
        Some(contest) => Ok(contest),
        None => unfit("no square is contested for the sub-game", &law::ATTACK),
    }
}

fn begin_turn(game: &mut Game) -> Result<(), SetupRefusal> {
    let [first, second] = game.contests;
    if second.is_some() || first.is_some_and(|contest| contest.side() == game.turn) {
        return unfit("a contested square is to be settled first", &law::FOG_ORDER);
    }
    if first.is_some() && !game.options.fog {
        return unfit("squares stay contested under fog only", &law::FOG);
    }
    if game.board.in_check(game.turn.other()) {
        if first.is_some() {
            return unfit("the side that is not to move is in check", &regular::SET_UP);
        }
        // Only a lost sub-game can have left the position like this.
        game.pass_on_settled();
        return Ok(());
    }
    game.begin_turn();
    if !matches!(game.phase, Phase::Over) {
        return unfit("the contested square is to be settled first", &law::UNMATED);
    }
    Ok(())
}

fn begin_set_up(game: &mut Game, pieces: Option<Arrangement>) -> Result<(), SetupRefusal> {
    let [attacker, defender] = game.armies(&open_contest(game)?).into_array();
    if let Some(pieces) = pieces
        && (!pieces.has_king() || pieces.roster() != attacker)
    {
        return unfit(
            "the attacker's set-up is not that of its sub-set",
            &law::SET_UP,
        );
    }
    let due = if pieces.is_some() { defender } else { attacker };
    if Arrangement::only_one(due).is_some() {
        return unfit("there is only one set-up", &law::SET_UP);
    }
    game.phase = Phase::Setup(pieces);
    Ok(())
}

fn begin_settling(game: &mut Game, parts: &[(Square, Roster)]) -> Result<(), SetupRefusal> {
    let mut slots = [None; 2];
    for (slot, (on, prisoners)) in slots.iter_mut().zip(parts) {
        let at = index(*on);
        let stands = game.board.piece_at(at).is_some_and(has_set);
        let has_choice = !prisoners.is_none() || !game.spares_for(at).is_none();
        if !stands || !has_choice || !prisoners.fits_in(game.set(at).pieces.room()) {
            return unfit(format!("nothing is to be settled on {on}"), &law::MOMENTS);
        }
        *slot = Some(Part {
            at,
            prisoners: *prisoners,
        });
    }
    if parts.is_empty() || parts.len() > 2 {
        return unfit("one or two over-pieces are settled", &law::MOMENTS);
    }
    game.phase = Phase::Settling(slots);
    // A position does not show whether a sub-game was won or drawn.
    game.won = true;
    Ok(())
}

fn begin_sub_game(
    game: &mut Game,
    contest: Contest,
    chess: &Chess,
    promoted: &[Square],
) -> Result<(), SetupRefusal> {
    let mut marked = 0;
    for on in promoted {
        marked |= bit(index(*on));
    }
    let left = rosters_of(chess, marked);
    let began = game.armies(&contest);
    let on = square(contest.to);
    for (side, who) in [(Side::White, "attacker"), (Side::Black, "defender")] {
        if !left[side].fits_in(began[side]) {
            let words = format!("the {who} on {on} has more pieces than its sub-set");
            return unfit(words, &law::DEPLETION);
        }
    }
    // As where it is played: a position that play reaches can be read.
    let end = chess.end_seen(Chess::is_bare);
    if let Some(end) = end.or_else(|| chess.end_by_deadlock(Look::AfterPly)) {
        let words = format!("the sub-game on {on} is over by {}", end.cause);
        return unfit(words, &law::SUB_RESULT);
    }
    game.phase = Phase::Sub(Box::new(SubGame::of(chess.clone(), left, marked)));
    Ok(())
}
