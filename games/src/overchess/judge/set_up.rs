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
        Arrangement, Block, Name, Open, OverSetup, PhaseSetup, Roster, block, difference,
        laws as law,
    },
};
use overboard_formats::span::TextSpan;
use overboard_referee::{finding as code, hearing::Hearing, numbering::Unjudged};
use overboard_rules::{
    by_side::BySide,
    path::{BoardPath, index, squares},
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
    Ok(Fields::from(&setup).are_those_of_a_beginning()?)
}

/// Makes the set-up of a sub-game that is Overchess, individual by individual.
fn set_up_individuals(hearing: &mut Hearing<'_, Over>, fen: &str) -> Result<(), SetUpFault> {
    let level = hearing.referee.open.blocks.len() - 1;
    let Some(position) = hearing.referee.position() else {
        return Ok(());
    };
    let Some((reported, seats)) = named::in_words(position, level, fen)? else {
        return Ok(());
    };
    if position.placing().is_some() && position.open() == level + 1 {
        perform(hearing, &Block::Seats(seats))?;
    }
    Ok(Fields::from(&reported).are_those_of_a_beginning()?)
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
        let reported = arranged(&setup, side)?.roster();
        if let Some(words) = difference(Roster::NONE, reported) {
            let words = format!("{whose} set-up holds {words}");
            return Err(SetUpFault::Refused((words, &law::DEPLETION)));
        }
    }
    Ok(Fields::from(&setup).are_those_of_a_beginning()?)
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
    let reported = block(fen, depth, position.rules(), owners)
        .map_err(|fault| SetUpFault::Unread(fault.to_string()))?;
    let fields = Fields::from(&reported);
    if let Some((on, piece)) = fields.men().find(|(_, piece)| piece.role != Role::King) {
        let (side, kind) = (piece.side.adjective(), piece.role.name());
        let words =
            format!("only the kings of both sub-sets are left, and a {side} {kind} stands on {on}");
        return Err(SetUpFault::Refused((words, &law::DEPLETION)));
    }
    Ok(fields.are_those_of_a_beginning()?)
}

fn read_chess(fen: &str) -> Result<Setup, SetUpFault> {
    match Fen::parse(fen) {
        Ok(fen) => Ok(fen.setup),
        Err(fault) => Err(SetUpFault::Unread(fault.what.to_string())),
    }
}

/// The fields that the FENs of chess and of an over-game have in common.
struct Fields {
    pieces: [Option<Piece>; 64],
    turn: Side,
    castling: [bool; 4],
    en_passant: Option<Square>,
    counters: [u32; 2],
    /// Whether a game inside, a contest or another act is under way.
    has_something_open: bool,
}

impl From<&Setup> for Fields {
    fn from(setup: &Setup) -> Self {
        Self {
            pieces: setup.board,
            turn: setup.turn,
            castling: setup.castling,
            en_passant: setup.en_passant,
            counters: [setup.halfmove, setup.fullmove],
            has_something_open: false,
        }
    }
}

impl From<&OverSetup> for Fields {
    fn from(setup: &OverSetup) -> Self {
        let is_quiet = matches!(
            (&setup.open, &setup.phase),
            (Open::Nothing, PhaseSetup::Over)
        );
        Self {
            pieces: setup.pieces,
            turn: setup.turn,
            castling: setup.castling,
            en_passant: setup.en_passant,
            counters: [setup.halfmove, setup.fullmove],
            has_something_open: !is_quiet || !setup.contested.is_empty(),
        }
    }
}

impl Fields {
    /// The pieces with their squares, `a1` first.
    fn men(&self) -> impl Iterator<Item = (Square, Piece)> {
        let men = squares().zip(self.pieces);
        men.filter_map(|(on, piece)| Some((on, piece?)))
    }

    fn has(&self, side: Side, role: Role, file: u8) -> bool {
        let on = home(side, file);
        self.pieces[usize::from(index(on))] == Some(Piece { side, role })
    }

    /// What these fields say that no set-up does, at any depth.
    fn are_those_of_a_beginning(&self) -> Result<(), Reason> {
        for side in Side::BOTH {
            if !self.has(side, Role::King, KING) {
                let words = format!("{side}'s king starts on {}", home(side, KING));
                return Err((words, &law::SET_UP));
            }
        }
        if self.turn != Side::White {
            return Err(("the attacker, White, moves first".into(), &law::SET_UP));
        }
        let rook = |side, file| self.has(side, Role::Rook, file);
        let right = [
            rook(Side::White, 7),
            rook(Side::White, 0),
            rook(Side::Black, 7),
            rook(Side::Black, 0),
        ];
        if self.castling != right {
            let words =
                "castling is possible with each rook set up on its corner, and with no other";
            return Err((words.into(), &law::SUB_GAME));
        }
        if let Some(on) = self.en_passant {
            let words = format!(
                "nothing has moved yet, so its FEN has `-` in place of the en passant square {on}"
            );
            return Err((words, &law::SET_UP));
        }
        if self.counters != [0, 1] {
            let [half, full] = self.counters;
            let words = format!(
                "nothing has moved yet, so the counters of its FEN are `0 1`, not `{half} {full}`"
            );
            return Err((words, &law::SET_UP));
        }
        if self.has_something_open {
            let words = "a sub-game begins with nothing open";
            return Err((words.into(), &law::SET_UP));
        }
        Ok(())
    }
}

/// The square of a side's first rank on this file.
const fn home(side: Side, file: u8) -> Square {
    let rank = match side {
        Side::White => 0,
        Side::Black => 7,
    };
    Square::new(file, rank)
}

/// The file of the king.
const KING: u8 = 4;

/// A side's set-up in a FEN, or why a piece cannot start on its square.
fn arranged(setup: &Setup, side: Side) -> Result<Arrangement, Reason> {
    let mut pieces = Arrangement {
        pawns: 0,
        officers: 0,
    };
    let own = Fields::from(setup);
    for (on, piece) in own.men() {
        if piece.side != side {
            continue;
        }
        let rank = if side == Side::White {
            on.rank
        } else {
            7 - on.rank
        };
        match (rank, piece.role) {
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
