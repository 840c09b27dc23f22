//! Builds positions of mega-games from their parts.

use super::{
    Mega, Options,
    leaf::Leaf,
    mega_board::{MegaBoard, State},
    state::{Boards, Game, TURN},
};
use crate::{
    board8::board::{bit, set_of, squares},
    chess::Chess,
    mega::laws as law,
};
use overboard_rules::{
    outcome::Ruling,
    path::{MegaSquare, index, square},
    refusal::list,
    rule::Rule,
    setup::{Impossible, Setup, SetupError},
    square::Square,
};
use std::sync::Arc;

/// The parts of a position: the placement, and the state of each board.
#[derive(Clone, Debug)]
pub struct MegaSetup {
    /// The fields that a FEN has, for mega-pieces; `halfmove` counts mega-moves in a row, for MG-14.
    pub fields: Setup,
    /// The boards used in this turn.
    pub used: Vec<Square>,
    /// Whether one of them was moved on and not only drawn by agreement.
    pub moved: bool,
    /// The boards that are not in their initial position.
    pub boards: Vec<(Square, BoardSetup)>,
}

/// The state of a board.
#[derive(Clone, Debug)]
pub enum BoardSetup {
    /// Its game is over, or has not begun.
    State(State),
    /// It is a board of chess in play.
    Chess(Box<Chess>),
    /// It is a mega-board in play.
    Mega(Mega),
}

fn unfit<T>(words: impl Into<String>, rule: &'static Rule) -> Result<T, SetupError> {
    Err(SetupError {
        words: words.into(),
        rule,
    })
}

impl Mega {
    /// Builds a position under these options from its parts. Also returns what says that no game leads to it.
    ///
    /// # Errors
    /// The first reason why they are not a position.
    pub fn from_setup(
        agreed: Options,
        setup: MegaSetup,
    ) -> Result<(Self, Vec<Impossible>), SetupError> {
        let (field, boards) = arranged(agreed.level, &setup)?;
        let turn = setup.fields.turn;
        // In the middle of a turn a king need not be safe: a board just won may give mega-check.
        let waiting = if setup.used.is_empty() {
            Some(turn.other())
        } else {
            None
        };
        let doubts = field.doubts(waiting);
        let mut game = Game::of(agreed.level, agreed.free_turns, field, turn, boards);
        game.half = setup.fields.halfmove;
        game.full = setup.fields.fullmove.max(1);
        game.moved = setup.moved && !setup.used.is_empty();
        game.used = set_of(setup.used.iter().map(|on| index(*on)));
        game.open = open_board(&game)?;
        against_turn(&game, setup.used.len())?;
        let mega = Self {
            game: Arc::new(game),
        };
        Ok((mega, doubts))
    }
}

/// The mega-board, and the boards in play that were touched.
fn arranged(level: u8, setup: &MegaSetup) -> Result<(MegaBoard, Boards), SetupError> {
    let mut field = MegaBoard::EMPTY;
    for (at, piece) in (0..64).zip(setup.fields.board) {
        if let Some(piece) = piece {
            field.put(at, piece, State::Neutral);
        }
    }
    field.board.castling = setup.fields.castling;
    field.board.en_passant = setup.fields.en_passant.map(index);
    let mut boards = Boards::none(level);
    for (on, board) in &setup.boards {
        put_board(level, &mut field, &mut boards, *on, board)?;
    }
    let faults = field.faults();
    match faults.first() {
        Some((_, rule)) => unfit(list(faults.iter().map(|(words, _)| words), "and"), rule),
        None if !field.board.can_have_been_crossed(setup.fields.turn) => unfit(
            "the en passant square is not behind a mega-pawn that has just made a double step",
            &law::PROMOTION,
        ),
        None => Ok((field, boards)),
    }
}

/// Puts the state of a board of a mega-game of this level on its square.
fn put_board(
    level: u8,
    field: &mut MegaBoard,
    boards: &mut Boards,
    on: Square,
    board: &BoardSetup,
) -> Result<(), SetupError> {
    let at = index(on);
    let Some(piece) = field.piece_at(at) else {
        return unfit(
            format!("no mega-piece stands on {}", MegaSquare(on)),
            &law::ARRAY,
        );
    };
    match (board, boards) {
        (BoardSetup::State(state), _) => field.put(at, piece, *state),
        (BoardSetup::Chess(chess), Boards::Leaves(leaves)) => {
            let leaf = Leaf::new((**chess).clone());
            against_end(on, leaf.standing_end())?;
            leaves[usize::from(at)] = Some(Arc::new(leaf));
        }
        (BoardSetup::Mega(mega), Boards::Games(games)) if mega.level() + 1 == level => {
            against_end(on, mega.standing_end())?;
            games[usize::from(at)] = Some(Arc::clone(&mega.game));
        }
        _ => {
            return unfit(
                format!("the board on {} is of another level", MegaSquare(on)),
                &law::LEVELS,
            );
        }
    }
    Ok(())
}

/// Checks that the game on a board is not over by its position.
fn against_end(on: Square, end: Option<Ruling>) -> Result<(), SetupError> {
    let Some(end) = end else {
        return Ok(());
    };
    let words = format!("the game on {} is over by {}", MegaSquare(on), end.cause);
    unfit(words, &law::BOARD_ENDS)
}

/// The board whose turn has begun and is not over.
fn open_board(game: &Game) -> Result<Option<u8>, SetupError> {
    let begun = |at: &u8| {
        game.game(*at)
            .is_some_and(|inner| !inner.is_between_turns())
    };
    let open: Vec<_> = squares(game.in_play()).filter(begun).collect();
    match open[..] {
        [] => Ok(None),
        [at] if game.used & bit(at) == 0 && game.waiting.of(game.turn) & bit(at) != 0 => {
            Ok(Some(at))
        }
        [at] => {
            let words = format!(
                "the turn that has begun on {} is not {}'s",
                MegaSquare(square(at)),
                game.turn
            );
            unfit(words, &law::NESTED_TURN)
        }
        _ => unfit("a turn has begun on more than one board", &law::NESTED_TURN),
    }
}

/// Why no turn can have reached the described state.
fn against_turn(game: &Game, listed: usize) -> Result<(), SetupError> {
    if game.used.count_ones() as usize != listed {
        return unfit("a board occurs twice among those used", &law::EIGHT);
    }
    if game.is_between_turns() {
        return Ok(());
    }
    if game.checked {
        return unfit("boards were moved on in mega-check", &law::ANSWER);
    }
    let theirs = game.waiting.of(game.turn.other());
    if let Some(at) = squares(game.used & game.in_play() & !theirs).next() {
        let words = format!(
            "{} was used, and it is still {}'s move there",
            MegaSquare(square(at)),
            game.turn
        );
        return unfit(words, &law::EIGHT);
    }
    if game.open.is_none() && (game.used.count_ones() >= TURN || game.offering() == 0) {
        return unfit(
            "the turn is over: no board offers another move",
            &law::EIGHT,
        );
    }
    Ok(())
}
