//! The numbers of plies on boards side by side: `12A.` for White on board A, `12a.` for Black.

use super::{LinkedBoard, SideBySide};
use overboard_formats::{
    canonical::board_number,
    san::{San, board_index},
};
use overboard_referee::{
    finding as code,
    hearing::Hearing,
    record_state::{RecordState, numbers::Shift},
    referee::Referee,
};
use overboard_rules::{ply::BoardName, position::Found, square::Side};

/// What the numbers of a record have said of boards.
#[derive(Default)]
pub struct Addresses {
    /// The board and side that the last number names.
    addressed: Option<(usize, Side)>,
    /// The side that the number of the current ply names.
    pub(crate) side: Option<Side>,
    /// Whether the number before the next ply names no board, which has been reported.
    reported: bool,
    /// Whether a number had a small letter.
    has_small: bool,
    /// Whether a ply of Black had a number with a capital letter.
    has_capitals: bool,
    /// How far the move numbers of each board are off.
    shifts: Vec<Shift>,
    /// Board, number and side of the last ply of the main line.
    made: Option<(u16, u32, Side)>,
}

impl Addresses {
    /// A ply of the main line was made.
    pub(crate) fn note_made(&mut self, state: &RecordState) {
        let (number, side) = state.last.number;
        self.made = state.last.board.map(|board| (board, number, side));
    }

    /// A variation began or ended: the number before it says nothing any more.
    pub(crate) const fn forget(&mut self) {
        self.addressed = None;
    }

    /// The moment after the last ply, on whichever board.
    pub(crate) fn moment(&self) -> String {
        let Some((board, number, side)) = self.made else {
            return "start".into();
        };
        board_number(board, number, side)
            .trim_end_matches('.')
            .into()
    }

    /// The board that the number before a comment names.
    pub(crate) fn named(&self) -> Option<LinkedBoard> {
        self.addressed.map(|(board, _)| LinkedBoard::of(board))
    }
}

/// The number of the next move on a board, as written; empty if there is no such board.
pub(crate) fn number_of<G: SideBySide>(referee: &Referee<G>, board: usize) -> String {
    let due = referee.latest().next_move(LinkedBoard::of(board));
    due.map_or_else(String::new, |(number, side)| {
        board_number(board as u16, number, side)
    })
}

/// The number of the first move that is not judged from here onwards.
pub(crate) fn unjudged<G: SideBySide>(referee: &Referee<G>, at: LinkedBoard) -> String {
    match at {
        LinkedBoard::One(board) => number_of(referee, usize::from(board)),
        LinkedBoard::All => "here".into(),
    }
}

/// A ply as messages refer to it.
pub(crate) fn in_words<G: SideBySide>(
    hearing: &Hearing<'_, G>,
    at: LinkedBoard,
    text: &str,
) -> String {
    let (number, side) = hearing.state.last.number;
    match at {
        LinkedBoard::One(board) => format!("{} {text}", board_number(board, number, side)),
        LinkedBoard::All => text.to_string(),
    }
}

fn is_lost<G: SideBySide>(referee: &Referee<G>, board: usize) -> bool {
    !referee.now().is_any() || referee.now().lost_around(LinkedBoard::of(board)).is_some()
}

/// The board of the ply that was just read; `None` if the record does not say which, which has then been reported.
pub(crate) fn address<G: SideBySide>(hearing: &mut Hearing<'_, G>) -> Option<LinkedBoard> {
    let addresses = G::addresses_mut(&mut hearing.referee.own);
    let Some((board, side)) = addresses.addressed.take() else {
        let reported = std::mem::take(&mut addresses.reported);
        if hearing.state.judging.is_on() && hearing.referee.now().is_sure() && !reported {
            let message = "the board is missing: on linked boards every ply has a number with the letter of its board: `12A.` for White, `12a.` for Black";
            hearing.find(&code::NO_BOARD, hearing.state.last.place, message.into());
        }
        return None;
    };
    let at = LinkedBoard::of(board);
    let side = side_meant(hearing, at, side);
    G::addresses_mut(&mut hearing.referee.own).side = Some(side);
    hearing.state.last.board = Some(board as u16);
    if let Some((number, _)) = hearing.referee.latest().next_move(at) {
        hearing.state.last.number = (number, side);
    }
    Some(at)
}

/// The side that makes a ply on a board, where its number names one. Where the letters of a record are capital for both
/// colours, the turn says it: then Black's number is that of White's move.
fn side_meant<G: SideBySide>(hearing: &mut Hearing<'_, G>, at: LinkedBoard, named: Side) -> Side {
    let due = hearing.referee.latest().next_move(at);
    let Addresses {
        has_small,
        has_capitals,
        ..
    } = *G::addresses_mut(&mut hearing.referee.own);
    let (Some((number, Side::Black)), Side::White) = (due, named) else {
        return named;
    };
    let has_number = hearing.state.last.announced == Some((number, Side::White));
    if !G::MAY_HAVE_CAPITALS || has_small || !has_number {
        return named;
    }
    let written = San::parse_in(hearing.state.language(), hearing.text(), G::ALPHABET);
    let is_legal = |san: San| {
        matches!(
            hearing.referee.latest().find(at, &san.written),
            Found::One(_)
        )
    };
    if !has_capitals && !written.is_ok_and(is_legal) {
        return named;
    }
    G::addresses_mut(&mut hearing.referee.own).has_capitals = true;
    G::took_by_turn(hearing);
    Side::Black
}

/// The digits of a number, the letters of its board, and what follows.
fn parts(text: &[u8]) -> (&[u8], &[u8], &[u8]) {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let (number, rest) = text.split_at(digits);
    let letters = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let (name, dots) = rest.split_at(letters);
    (number, name, dots)
}

/// Handles a move number. Where a turn may have passed unseen, numbers are one further.
pub(crate) fn read_number<G: SideBySide>(hearing: &mut Hearing<'_, G>) {
    if !hearing.state.judging.is_on() || hearing.state.brackets.in_foreign() {
        return;
    }
    let place = hearing.place();
    let text = hearing.parser.text(place.span);
    let (number, name, dots) = parts(text);
    if number.is_empty() && name.is_empty() {
        // The parser reports dots that are separated from their number; the number before them counts.
        return;
    }
    G::addresses_mut(&mut hearing.referee.own).addressed = None;
    let Some(board) = board_index(name).map(usize::from) else {
        return;
    };
    let boards = hearing.referee.latest().boards();
    if board >= boards {
        let message = format!(
            "there is no board {}; there are {boards} boards",
            BoardName(board)
        );
        hearing.find(&code::NO_BOARD, place, message);
        G::addresses_mut(&mut hearing.referee.own).reported = true;
        return;
    }
    let side = if name[0].is_ascii_uppercase() {
        Side::White
    } else {
        G::addresses_mut(&mut hearing.referee.own).has_small = true;
        Side::Black
    };
    G::addresses_mut(&mut hearing.referee.own).addressed = Some((board, side));
    let given = match std::str::from_utf8(number) {
        Ok(digits) => digits.parse().ok(),
        Err(_) => None,
    };
    hearing.state.last.announced = given.map(|given| (given, side));
    if dots != b"." {
        let message = format!(
            "a number with the letter of a board has one dot: `{}`",
            number_of(hearing.referee, board)
        );
        hearing.find(&code::NUMBER_FORM, place, message);
    }
    compare_number(hearing, (board, side), given);
}

/// Reports a number that is not that of the next move on a board.
fn compare_number<G: SideBySide>(
    hearing: &mut Hearing<'_, G>,
    (board, side): (usize, Side),
    given: Option<u32>,
) {
    let position = hearing.referee.latest();
    if is_lost(hearing.referee, board) || position.may_be_further(board) {
        return;
    }
    let boards = position.boards();
    let Some((expected, due)) = position.next_move(LinkedBoard::of(board)) else {
        return;
    };
    let shifts = &mut G::addresses_mut(&mut hearing.referee.own).shifts;
    if shifts.len() < boards {
        shifts.resize(boards, Shift::default());
    }
    let is_right = given.is_some_and(|given| shifts[board].accepts(given, expected));
    if due == side && !is_right {
        let message = format!(
            "the number of this move is `{}`",
            number_of(hearing.referee, board)
        );
        hearing.find(&code::MOVE_NUMBER, hearing.place(), message);
    }
}
