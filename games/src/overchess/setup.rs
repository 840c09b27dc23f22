//! Builds positions of Overchess from what a text gives.

use super::{
    Contested, Options, OverPiece, Reserves,
    army::{Individual, Places},
    contest::{Contest, SubSet},
    individuals::Seat,
    name::Name,
    roster::{Arrangement, Roster},
    state::{Game, Part, Phase, has_set},
    sub::SubGame,
};
use crate::{
    board8::board::{Board, CASTLINGS, Castling, LAST_RANKS, bit, last_rank, squares},
    chess::{Chess, laws as regular},
    fen::side_of_right,
    overchess::laws as law,
};
use overboard_rules::{
    by_side::BySide,
    path::{index, square},
    position::DrawLaw,
    repetition::Look,
    rule::Rule,
    setup::{Setup, SetupError},
    square::{Piece, Role, Side, Square},
};

mod levels;

/// One open over-game as a text gives it, before it is known to be a position.
pub(super) struct Draft {
    /// The first six fields; on a contested square the attacker.
    pub fields: Setup,
    /// The sub-sets that are not complete; all of them if over-pieces have names.
    pub sets: Vec<(Square, Roster)>,
    /// The individuals that its over-pieces are, except kings; empty if they have no names.
    pub individuals: Vec<Seated>,
    /// The contested squares, the one to be settled first at the front.
    pub contested: Vec<Contested>,
    /// The spares, except those of attacked over-pieces.
    pub spares: Spares,
    /// What is due. If over-pieces are to be settled, they are in `parts`.
    pub phase: Phase,
    /// The over-pieces to be settled, the attacker's first; there may be too many.
    pub parts: Vec<Part>,
    /// In a set-up of individuals: those that have been set up, the attacker's and the defender's.
    pub placed: Option<BySide<Vec<(Square, Name)>>>,
    /// Prisoners that may still be taken, with the places that they had.
    pub captives: Places,
    /// Individuals that may still be handed over.
    pub hand: Places,
}

/// An individual with its side, and where it is.
pub(super) struct Seated {
    pub seat: Seat,
    pub side: Side,
    pub one: Individual,
}

/// The spare pieces that a text gives.
pub(super) enum Spares {
    None,
    /// Those of the teams.
    Team(BySide<Roster>),
    /// Those of over-pieces; none for those that are not listed.
    Set(Vec<(Square, Roster)>),
}

impl Draft {
    /// Adds an individual and its sub-set.
    pub fn add(&mut self, seated: Seated) {
        let pieces = seated.one.army.roster();
        match seated.seat {
            Seat::On(at) => self.sets.push((square(at), pieces)),
            Seat::Attacked(slot) => self.contested[slot].defender.pieces = pieces,
        }
        self.individuals.push(seated);
    }

    /// The individual that is there.
    pub fn at(&self, seat: Seat) -> Option<&Individual> {
        let mut all = self.individuals.iter();
        Some(&all.find(|seated| seated.seat == seat)?.one)
    }

    /// Which of the contests is about a square.
    pub fn slot(&self, on: Square) -> Option<usize> {
        self.contested.iter().position(|contest| contest.to == on)
    }
}

fn unfit<T>(words: impl Into<String>, rule: &'static Rule) -> Result<T, SetupError> {
    Err(SetupError {
        words: words.into(),
        rule,
    })
}

/// What there is if a square is contested.
fn contested<T>(found: Option<T>) -> Result<T, SetupError> {
    match found {
        Some(found) => Ok(found),
        None => unfit("no square is contested for the sub-game", &law::ATTACK),
    }
}

impl Game {
    /// The over-game that a text gives; `beside` says that its sub-games are over-games, stored next to this one.
    fn from_draft(options: Options, draft: &Draft, beside: bool) -> Result<Self, SetupError> {
        let (sets, spares) = ([SubSet::default(); 64], BySide::both(Roster::NONE));
        let board = over_board(draft)?;
        let mut game = Self::of(options, board, sets, spares, draft.fields.turn);
        game.beside = beside.then_some(0);
        game.half = draft.fields.halfmove;
        game.full = draft.fields.fullmove.max(1);
        give_sets(&mut game, &draft.sets)?;
        give_spares(&mut game, &draft.spares)?;
        contest(&mut game, &draft.contested)?;
        begin(&mut game, draft)?;
        Ok(game)
    }
}

fn over_board(draft: &Draft) -> Result<Board, SetupError> {
    let fields = &draft.fields;
    let mut board = Board::default();
    for (at, piece) in (0..64).zip(fields.board) {
        if let Some(piece) = piece {
            board.put(at, piece);
        }
    }
    for side in Side::BOTH {
        let own = board.of(side);
        let kings = (own & board.kind(Role::King)).count_ones();
        if kings != 1 {
            let number = if kings == 0 { "no" } else { "more than one" };
            return unfit(format!("{side} has {number} over-king"), &regular::SET_UP);
        }
        if own.count_ones() > 16 {
            let words = format!("{side} has more than sixteen over-pieces");
            return unfit(words, &law::OVER_GAME);
        }
    }
    if board.kind(Role::Pawn) & LAST_RANKS != 0 {
        let words = "an over-pawn stands on the first or last rank";
        return unfit(words, &regular::SET_UP);
    }
    board.castling = fields.castling;
    board.en_passant = fields.en_passant.map(index);
    against_rights(&board, &draft.contested)?;
    if !board.can_have_been_crossed(fields.turn) {
        let words =
            "the en passant square is not behind an over-pawn that has just made a double step";
        return unfit(words, &regular::SET_UP);
    }
    Ok(board)
}

/// Castling rights need king and rook at home; a contested rook's home may be empty or occupied.
fn against_rights(board: &Board, contested: &[Contested]) -> Result<(), SetupError> {
    for (right, Castling { king, rook, .. }) in CASTLINGS.into_iter().enumerate() {
        if !board.castling[right] {
            continue;
        }
        let side = side_of_right(right);
        let own = |role, at| board.kind(role) & board.of(side) & bit(at) != 0;
        let away = contested.iter().any(|contest| {
            index(contest.from) == rook
                || (contest.defender.piece.side == side && index(contest.to) == rook)
        });
        if !own(Role::King, king) || !(own(Role::Rook, rook) || away) {
            let words =
                "a castling right is given, but king and rook are not on their original squares";
            return unfit(words, &regular::SET_UP);
        }
    }
    Ok(())
}

/// Gives all over-pieces their sub-sets, complete ones to those that are not listed.
fn give_sets(game: &mut Game, listed: &[(Square, Roster)]) -> Result<(), SetupError> {
    for at in squares(game.board.occupied() & !game.board.kind(Role::King)) {
        game.sets[usize::from(at)].pieces = Roster::FULL;
    }
    for (on, pieces) in listed {
        let set = &mut game.sets[usize::from(index(*on))];
        if set.pieces.is_none() {
            let words = format!("no over-piece with a sub-set stands on {on}");
            return unfit(words, &law::OVER_GAME);
        }
        if !pieces.fits_in(Roster::FULL) {
            let words = format!("the sub-set of {on} is more than a complete one");
            return unfit(words, &law::LIMIT);
        }
        set.pieces = *pieces;
    }
    Ok(())
}

fn give_spares(game: &mut Game, spares: &Spares) -> Result<(), SetupError> {
    match (spares, game.options.reserves) {
        (Spares::None, _) => {}
        (Spares::Team(left), Reserves::Team(agreed)) => {
            for (side, left) in left.pairs() {
                most(*left, agreed[side])?;
            }
            game.spares = *left;
        }
        (Spares::Set(each), Reserves::Set(agreed)) => {
            for (on, left) in each {
                let at = index(*on);
                let Some(piece) = game.with_set(at) else {
                    let words = format!("no over-piece with a sub-set stands on {on}");
                    return unfit(words, &law::RESERVES);
                };
                most(*left, agreed[piece.side])?;
                game.sets[usize::from(at)].spares = *left;
            }
        }
        _ => {
            let words = "the spares are not of the kind that was agreed on";
            return unfit(words, &law::RESERVES);
        }
    }
    Ok(())
}

fn most(left: Roster, agreed: Roster) -> Result<(), SetupError> {
    if left.fits_in(agreed) {
        Ok(())
    } else {
        unfit("there are more spares than were agreed on", &law::RESERVES)
    }
}

fn contest(game: &mut Game, contested: &[Contested]) -> Result<(), SetupError> {
    if contested.len() > 2 {
        return unfit("more than two squares are contested", &law::FOG);
    }
    for (slot, given) in contested.iter().enumerate() {
        let OverPiece {
            piece: defender,
            pieces,
            spares,
        } = given.defender;
        let (on, to) = (given.to, index(given.to));
        let Some(piece) = game.with_set(to) else {
            return unfit(format!("no attacker stands on {on}"), &law::FOG);
        };
        let mut attacker = piece;
        if given.promotion.is_some() {
            attacker.role = Role::Pawn;
        }
        let contest = Contest {
            from: index(given.from),
            to,
            attacker,
            promotion: given.promotion,
            defender,
            at: given.victim.map_or(to, index),
            set: SubSet { pieces, spares },
        };
        if !can_have_begun(&contest, piece, &game.board) {
            let words = format!("no attack can have led to the contest on {on}");
            return unfit(words, &law::FOG);
        }
        let agreed = match game.options.reserves {
            Reserves::Set(agreed) => agreed[defender.side],
            _ => Roster::NONE,
        };
        most(spares, agreed)?;
        game.contests[slot] = Some(contest);
    }
    Ok(())
}

/// Whether an attack by a piece that now stands on the contested square can have led to a contest.
fn can_have_begun(contest: &Contest, piece: Piece, board: &Board) -> bool {
    let Contest {
        to, at, defender, ..
    } = *contest;
    let promoted_there = |role| role == piece.role && to / 8 == last_rank(piece.side);
    let is_in_passing = contest.attacker.role == Role::Pawn && board.occupied() & bit(at) == 0;
    defender.side != piece.side
        && has_set(defender)
        && contest.promotion.is_none_or(promoted_there)
        && (at == to || is_in_passing)
        && contest.set.pieces.fits_in(Roster::FULL)
        && contest.from != to
}

/// Sets up what is under way in the game, if that is possible.
fn begin(game: &mut Game, draft: &Draft) -> Result<(), SetupError> {
    match &draft.phase {
        Phase::Over => return begin_turn(game),
        Phase::Settling(_) => return begin_settling(game, &draft.parts),
        Phase::OverFrom(at) => {
            let movers = game.board.of(game.turn) & !game.board.kind(Role::King);
            if movers & bit(*at) == 0 || !game.can_move(*at) {
                let words = format!("no over-piece that can move stands on {}", square(*at));
                return unfit(words, &law::MOMENTS);
            }
        }
        Phase::Setup(pieces) => can_be_set_up(game, *pieces)?,
        Phase::Nested => {
            contested(game.contests[0])?;
        }
        Phase::Sub(sub) => can_go_on(game, sub)?,
        Phase::Giving(left, _) => {
            if !game.options.consolidation || !left.fits_in(Roster::FULL) {
                return unfit("no such consolidation can be going on", &law::CONSOLIDATION);
            }
        }
    }
    game.phase = draft.phase.clone();
    Ok(())
}

fn begin_turn(game: &mut Game) -> Result<(), SetupError> {
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

fn can_be_set_up(game: &Game, attackers: Option<Arrangement>) -> Result<(), SetupError> {
    let [attacker, defender] = game.armies(&contested(game.contests[0])?).into_array();
    let mut due = attacker;
    if let Some(pieces) = attackers {
        if !pieces.has_king() || pieces.roster() != attacker {
            let words = "the attacker's set-up is not that of its sub-set";
            return unfit(words, &law::SET_UP);
        }
        due = defender;
    }
    if Arrangement::only_one(due).is_some() {
        return unfit("there is only one set-up", &law::SET_UP);
    }
    Ok(())
}

fn begin_settling(game: &mut Game, parts: &[Part]) -> Result<(), SetupError> {
    for Part { at, prisoners } in parts.iter().copied().take(2) {
        let has_choice = !prisoners.is_none() || !game.spares_for(at).is_none();
        let fits = prisoners.fits_in(game.set(at).pieces.room());
        if game.with_set(at).is_none() || !has_choice || !fits {
            let words = format!("nothing is to be settled on {}", square(at));
            return unfit(words, &law::MOMENTS);
        }
    }
    game.phase = match *parts {
        [first] => Phase::Settling([Some(first), None]),
        [first, second] => Phase::Settling([Some(first), Some(second)]),
        _ => return unfit("one or two over-pieces are settled", &law::MOMENTS),
    };
    // A position does not show whether a sub-game was won or drawn.
    game.won = true;
    Ok(())
}

fn can_go_on(game: &Game, sub: &SubGame) -> Result<(), SetupError> {
    let contest = contested(game.contests[0])?;
    let (on, began) = (square(contest.to), game.armies(&contest));
    for (side, who) in [(Side::White, "attacker"), (Side::Black, "defender")] {
        if !sub.left[side].fits_in(began[side]) {
            let words = format!("the {who} on {on} has more pieces than its sub-set");
            return unfit(words, &law::DEPLETION);
        }
    }
    // As where it is played: a position that play reaches can be read.
    let end = sub.chess.end_seen(Chess::is_bare);
    if let Some(end) = end.or_else(|| sub.chess.end_by_deadlock(Look::AfterPly)) {
        let words = format!("the sub-game on {on} is over by {}", end.cause);
        return unfit(words, &law::SUB_RESULT);
    }
    Ok(())
}
