//! The set-up of a sub-game, as the FEN in its block gives it.

use super::{
    Over, is_in_chess,
    named::{self, SetUpFault},
    refusal::{Reason, Refused, refuse_act},
    silence::perform,
};
use crate::{
    board8::board::BACK,
    fen::Fen,
    overchess::{
        self, Arrangement, Block, Name, Roster, block, laws as law, refusal::against_pieces,
        setup::Draft, state::Phase,
    },
};
use overboard_formats::span::TextSpan;
use overboard_referee::{finding as code, hearing::Hearing, numbering::Unjudged};
use overboard_rules::{
    by_side::BySide,
    path::{BoardPath, squares},
    rule::Rule,
    setup::Setup,
    square::{Piece, Role, Side, Square},
};

/// Makes the set-up of a FEN, or reports why it is none.
pub(super) fn judge_set_up(hearing: &mut Hearing<'_, Over>, fen: &str, place: TextSpan) {
    // It was dead at its set-up, if it ended before its block began (OV-15).
    let is_dead = hearing.referee.open.is_over();
    let made = match (is_dead, is_in_chess(hearing.referee)) {
        (false, true) => set_up_chess(hearing, fen),
        (false, false) => set_up_individuals(hearing, fen),
        (true, true) => against_bare_kings(fen),
        (true, false) => against_bare_over_kings(hearing, fen),
    };
    match made {
        Ok(()) => {}
        Err(SetUpFault::Unread(what)) => {
            let message = format!("the FEN cannot be read: {what}");
            hearing.find(&code::BAD_FEN, place, message);
            hearing.lose(BoardPath::OUTERMOST, Unjudged::ThisMove);
        }
        Err(SetUpFault::Refused(reason)) => {
            refuse_act(hearing, "the set-up", Refused::of(reason), place);
        }
        Err(SetUpFault::Twice(name)) => {
            let reason = (format!("{name} occurs twice"), &law::DEPTH as &'static Rule);
            let known = hearing.state.findings.len();
            refuse_act(hearing, "the set-up", Refused::of(reason), place);
            // Nothing can be shown where the sub-game would begin.
            if let Some(finding) = hearing.state.findings.get_mut(known) {
                finding.moment = None;
            }
        }
    }
}

/// Makes the set-ups of both sides of a sub-game of chess.
fn set_up_chess(hearing: &mut Hearing<'_, Over>, fen: &str) -> Result<(), SetUpFault> {
    let setup = read_chess(fen)?;
    let pieces = BySide::new(
        arranged(&setup, Side::White)?,
        arranged(&setup, Side::Black)?,
    );
    perform(hearing, &Block::SetUp(pieces))?;
    Ok(is_of_a_beginning(&setup)?)
}

/// Makes the set-up of a sub-game that is Overchess, individual by individual.
fn set_up_individuals(hearing: &mut Hearing<'_, Over>, fen: &str) -> Result<(), SetUpFault> {
    let level = hearing.referee.open.blocks.len() - 1;
    let Some(position) = hearing.referee.position() else {
        return Ok(());
    };
    let Some((draft, seats)) = named::in_words(position, level, fen)? else {
        return Ok(());
    };
    if position.placing().is_some() && position.open() == level + 1 {
        perform(hearing, &Block::Seats(seats))?;
    }
    Ok(has_just_begun(&draft)?)
}

/// What is wrong with the FEN of a sub-game of chess that had ended before its block. No ply set it up, so there was
/// one set-up only, and the only dead one of that kind is that of the kings alone.
fn against_bare_kings(fen: &str) -> Result<(), SetUpFault> {
    let setup = read_chess(fen)?;
    let parties = [
        (Side::White, "the attacker's"),
        (Side::Black, "the defender's"),
    ];
    for (side, whose) in parties {
        let placed = arranged(&setup, side)?.roster();
        if let Some(reason) = against_pieces(whose, Roster::NONE, placed) {
            return Err(reason.into());
        }
    }
    Ok(is_of_a_beginning(&setup)?)
}

/// The same for a sub-game that is Overchess.
fn against_bare_over_kings(hearing: &Hearing<'_, Over>, fen: &str) -> Result<(), SetUpFault> {
    let blocks = &hearing.referee.open.blocks;
    let (Some(position), Some(here)) = (hearing.referee.position(), blocks.last()) else {
        return Ok(());
    };
    let depth = position.depth().saturating_sub(blocks.len() as u8);
    // Kings have no names, so it does not matter whose pieces they are.
    let owners = BySide::from_fn(|_| Name::over_piece(here.on));
    let draft = block(fen, depth, position.rules(), owners)
        .map_err(|fault| SetUpFault::Unread(fault.to_string()))?;
    let mut men = men(&draft.fields);
    if let Some((on, piece)) = men.find(|(_, piece)| piece.role != Role::King) {
        let (side, kind) = (piece.side.adjective(), piece.role.name());
        let words =
            format!("only the kings of both sub-sets are left, and a {side} {kind} stands on {on}");
        return Err(SetUpFault::Refused((words, &law::DEPLETION)));
    }
    Ok(has_just_begun(&draft)?)
}

fn read_chess(fen: &str) -> Result<Setup, SetUpFault> {
    match Fen::parse(fen) {
        Ok(fen) => Ok(fen.setup),
        Err(fault) => Err(SetUpFault::Unread(fault.what.to_string())),
    }
}

/// The pieces with their squares, `a1` first.
fn men(setup: &Setup) -> impl Iterator<Item = (Square, Piece)> {
    let men = squares().zip(setup.board);
    men.filter_map(|(on, piece)| Some((on, piece?)))
}

/// What the FEN of an over-game says that no set-up does.
fn has_just_begun(draft: &Draft) -> Result<(), Reason> {
    is_of_a_beginning(&draft.fields)?;
    if !matches!(draft.phase, Phase::Over) || !draft.contested.is_empty() {
        let words = "a sub-game begins with nothing open";
        return Err((words.into(), &law::SET_UP));
    }
    Ok(())
}

/// What the first six fields say that no set-up does, at any depth.
fn is_of_a_beginning(setup: &Setup) -> Result<(), Reason> {
    let has = |side, role, file| setup.piece_at(home(side, file)) == Some(Piece { side, role });
    for side in Side::BOTH {
        if !has(side, Role::King, KING) {
            let words = format!("{side}'s king starts on {}", home(side, KING));
            return Err((words, &law::SET_UP));
        }
    }
    if setup.turn != Side::White {
        return Err(("the attacker, White, moves first".into(), &law::SET_UP));
    }
    let rook = |side, file| has(side, Role::Rook, file);
    let right = [
        rook(Side::White, 7),
        rook(Side::White, 0),
        rook(Side::Black, 7),
        rook(Side::Black, 0),
    ];
    if setup.castling != right {
        let words = "castling is possible with each rook set up on its corner, and with no other";
        return Err((words.into(), &law::SUB_GAME));
    }
    if let Some(on) = setup.en_passant {
        let words = format!(
            "nothing has moved yet, so its FEN has `-` in place of the en passant square {on}"
        );
        return Err((words, &law::SET_UP));
    }
    let (half, full) = (setup.halfmove, setup.fullmove);
    if (half, full) != (0, 1) {
        let words = format!(
            "nothing has moved yet, so the counters of its FEN are `0 1`, not `{half} {full}`"
        );
        return Err((words, &law::SET_UP));
    }
    Ok(())
}

/// The square of a side's first rank on this file.
const fn home(side: Side, file: u8) -> Square {
    overchess::seen_by(side, Square::new(file, 0))
}

/// The file of the king.
const KING: u8 = 4;

/// A side's set-up in a FEN, or why a piece cannot start on its square.
fn arranged(setup: &Setup, side: Side) -> Result<Arrangement, Reason> {
    let mut pieces = Arrangement {
        pawns: 0,
        officers: 0,
    };
    for (on, piece) in men(setup) {
        if piece.side != side {
            continue;
        }
        match (overchess::seen_by(side, on).rank, piece.role) {
            (1, Role::Pawn) => pieces.pawns |= 1 << on.file,
            (0, role) if BACK[usize::from(on.file)] == role => pieces.officers |= 1 << on.file,
            (_, role) => {
                let words = format!(
                    "a {} {} does not start on {on}",
                    side.adjective(),
                    role.name()
                );
                return Err((words, &law::SET_UP));
            }
        }
    }
    if pieces.has_king() {
        Ok(pieces)
    } else {
        Err((format!("{side}'s king starts on the e-file"), &law::SET_UP))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overchess::{KINDS, sub::SubGame};

    /// The rosters that have one set-up only: each kind complete or gone.
    fn without_a_choice() -> impl Iterator<Item = Roster> {
        let complete = |kinds: u32| {
            let is_held = |at: usize| kinds >> at & 1 == 1;
            let held = KINDS
                .into_iter()
                .enumerate()
                .filter(move |(at, _)| is_held(*at));
            held.fold(Roster::NONE, |roster, (_, role)| {
                roster.with(role, Roster::FULL.count(role))
            })
        };
        (0..1_u32 << KINDS.len()).map(complete)
    }

    #[test]
    fn no_other_sub_game_without_a_choice_is_dead_than_that_of_the_kings_alone() {
        for attacker in without_a_choice() {
            for defender in without_a_choice() {
                let armies =
                    [attacker, defender].map(|roster| Arrangement::only_one(roster).unwrap());
                let sub = SubGame::begin(armies[0], armies[1]).unwrap();
                let is_dead = sub.end_by_itself().is_some();
                let are_bare = attacker.is_none() && defender.is_none();
                assert_eq!(is_dead, are_bare, "{attacker:?}, {defender:?}");
            }
        }
    }
}
