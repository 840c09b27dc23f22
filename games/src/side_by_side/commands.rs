//! Commands in comments that name one of several boards.

use super::{LinkedBoard, SideBySide};
use overboard_formats::{
    command::{Appointed, appointed, side as side_of},
    header::unescape_list,
    san::board_index,
    span::TextSpan,
};
use overboard_referee::{
    finding as code,
    game::judge::{Attempt, Tried},
    hearing::Hearing,
    record_state::players::Chair,
    referee::Referee,
};
use overboard_rules::{game::Happening, outcome::Ruling, ply::BoardName, square::Side};

/// `B:A`: the flag of Black's player on board A.
#[must_use]
pub fn fallen(arguments: &[u8]) -> Option<(Side, u16)> {
    let [side, b':', letters @ ..] = arguments else {
        return None;
    };
    Some((side_of(&[*side])?, board_index(letters)?))
}

/// The board with these letters, if it exists.
pub(crate) fn board<G: SideBySide>(referee: &Referee<G>, letters: &[u8]) -> Option<usize> {
    let at = LinkedBoard::One(board_index(letters)?);
    at.index(referee.latest().boards())
}

/// Whether a board that a command names exists; reports it if not.
pub(crate) fn has_board<G: SideBySide>(
    hearing: &mut Hearing<'_, G>,
    board: u16,
    place: TextSpan,
) -> bool {
    let boards = hearing.referee.latest().boards();
    let board = usize::from(board);
    if board >= boards {
        let message = format!(
            "there is no board {}; there are {boards} boards",
            BoardName(board)
        );
        hearing.find(&code::BAD_COMMAND, place, message);
    }
    board < boards
}

/// The board that an attempt names, as in `A.Nf9` and `W A.Nf9`, and its words without it.
fn on_named_board<G: SideBySide>(
    referee: &Referee<G>,
    words: &[u8],
) -> Option<(LinkedBoard, Vec<u8>)> {
    let dot = words.iter().position(|byte| *byte == b'.')?;
    let (before, after) = (&words[..dot], &words[dot + 1..]);
    let space = before.iter().rposition(|byte| *byte == b' ');
    let (side, letters) = before.split_at(space.map_or(0, |space| space + 1));
    let board = u16::try_from(board(referee, letters)?).ok()?;
    Some((LinkedBoard::One(board), [side, after].concat()))
}

/// Handles an attempt: on the board that it names, else on the one whose number precedes its comment, else on that of the
/// last ply (SC-37).
pub(crate) fn attempt<G: SideBySide>(
    hearing: &mut Hearing<'_, G>,
    arguments: &[u8],
    place: TextSpan,
) -> bool {
    // The side to move makes it.
    G::addresses_mut(&mut hearing.referee.own).side = None;
    if let Some((board, arguments)) = on_named_board(hearing.referee, arguments) {
        return hearing.attempt(board, &arguments, place);
    }
    let named = G::addresses_mut(&mut hearing.referee.own).named();
    let last = LinkedBoard::One(hearing.state.last.board.unwrap_or(0));
    hearing.attempt(named.unwrap_or(last), arguments, place)
}

/// Counts an illegal attempt of a player: too many of them have the consequence of a fallen flag, and `named` gives that
/// end its cause and law.
pub(crate) fn attempted<G: SideBySide>(
    hearing: &mut Hearing<'_, G>,
    side: Side,
    at: LinkedBoard,
    tried: Tried<'_>,
    named: fn(Ruling) -> Ruling,
) -> Option<Attempt> {
    let Tried::Written(_) = tried else {
        return None;
    };
    count_attempt(hearing, side, at, named);
    Some(Attempt::Reported)
}

fn count_attempt<G: SideBySide>(
    hearing: &mut Hearing<'_, G>,
    side: Side,
    at: LinkedBoard,
    named: fn(Ruling) -> Ruling,
) {
    let LinkedBoard::One(board) = at else { return };
    if hearing.state.course().ended.is_some() {
        return;
    }
    let chair = Chair {
        side,
        board: Some(board),
    };
    if !hearing.state.count_attempt_at(chair) {
        return;
    }
    hearing.fall(at, Happening::Flag(side));
    hearing.state.course_mut().ended = hearing.referee.ruling().map(named);
}

/// `W A "Zoe"`: from here on Zoe plays for White on board A (SC-43).
pub(crate) fn substitute<G: SideBySide>(hearing: &mut Hearing<'_, G>, arguments: &[u8]) -> bool {
    let Some(Appointed { side, seat, name }) = appointed(arguments) else {
        return false;
    };
    if seat == "captain" {
        return true;
    }
    let Some(board) = board(hearing.referee, seat.as_bytes()) else {
        return false;
    };
    let chair = Chair {
        side,
        board: u16::try_from(board).ok(),
    };
    hearing
        .state
        .players
        .substitute(chair, unescape_list(&name));
    true
}
