//! Who has to act at the end of the main line.

use super::Referee;
use crate::overchess::{
    self, Contested, Due, Over, OverPiece, Ply,
    judge::{
        call_sheet::{Calls, Command, Mover, Party, SubGame, SubGameStage},
        roles::Called,
    },
};
use overboard_rules::{
    by_side::BySide,
    square::{Piece, Side, Square},
};

/// Everyone who has to act; `None` if the position is not known, or the game is over.
pub fn calls(referee: &Referee<Over>) -> Option<Calls> {
    if !referee.outer.is_empty() {
        return None;
    }
    let over = referee.position()?;
    if over.outermost().end_by_itself().is_some() {
        return None;
    }
    let mut calls = Calls::default();
    if let Some(roles) = referee.own.roles.first() {
        calls.people = BySide::from_fn(|side| roles.people(side));
    }
    let last = over.open() - 1;
    for (number, level) in over.levels().enumerate() {
        if let Some(roles) = referee.own.roles.get(number) {
            calls.commands.push(Command {
                path: overchess::said(&over.path_of(number)),
                names: BySide::from_fn(|side| roles.commanders(side)),
            });
        }
        for (index, on) in level.contested().enumerate() {
            // The first contested square of a game around another one is that other game.
            if index > 0 || number == last {
                let stage = if index == 0 {
                    stage(over)
                } else {
                    SubGameStage::Waits
                };
                calls
                    .games
                    .extend(sub_game(referee, over, number, on, stage));
            }
        }
    }
    add_over_move(referee, &mut calls, over, last);
    Some(calls)
}

fn sub_game(
    referee: &Referee<Over>,
    over: &Over,
    number: usize,
    on: Contested,
    stage: SubGameStage,
) -> Option<SubGame> {
    let (level, roles) = (over.level(number)?, referee.own.roles.get(number)?);
    let attacker = level.piece_at(on.to)?;
    // Captured pieces are counted as they fall; the sub-set itself changes when the sub-game is over.
    let known = match stage {
        SubGameStage::Waits => None,
        SubGameStage::Play(_) => level.survivors(),
        SubGameStage::SetUp(_) | SubGameStage::Settling => level.rosters(),
    };
    let left = known
        .unwrap_or(BySide::new(attacker.pieces, on.defender.pieces))
        .into_array();
    let mut before = Vec::new();
    for contest in level.contested() {
        if contest.to == on.to {
            break;
        }
        before.push(contest.to);
    }
    let [attackers, defenders] = roles.called(on.to, &before);
    let home = on.victim.unwrap_or(on.to);
    let party = |piece: Piece, here, called: Called, left, attacks| {
        let (role, from) = called.origin.unwrap_or((piece.role, here));
        Party {
            team: over.team(number, piece.side),
            attacks,
            role,
            from,
            names: called.names,
            left,
        }
    };
    Some(SubGame {
        path: overchess::said(&over.path_of(number).on(on.to)),
        stage,
        parties: [
            party(attacker.piece, on.from, attackers, left[0], true),
            party(on.defender.piece, home, defenders, left[1], false),
        ],
    })
}

/// The next over-move in the innermost over-game, and whom it may involve.
fn add_over_move(referee: &Referee<Over>, calls: &mut Calls, over: &Over, number: usize) {
    let level = over.current();
    let Some(roles) = referee.own.roles.get(number) else {
        return;
    };
    if !matches!(over.due(), Due::Over | Due::OverFrom(_) | Due::Giving) {
        return;
    }
    let turn = level.turn();
    calls.mover = Some(Mover {
        team: over.team(number, turn),
        path: overchess::said(&over.path_of(number)),
        names: roles.commanders(turn),
    });
    let mut found: Vec<(bool, Square)> = Vec::new();
    over.legal_moves(|ply| {
        let Ply::Over(ply) = ply else { return };
        if level.attacks(ply) {
            let (from, to) = (ply.from(), ply.to());
            // En passant, the attacked pawn is beside the square of arrival.
            let target = if level.piece_at(to).is_some() {
                to
            } else {
                Square::new(to.file, from.rank)
            };
            found.extend([(true, from), (false, target)]);
        }
    });
    found.sort_by_key(|(attacks, on)| (!attacks, on.file, on.rank));
    found.dedup();
    for (attacks, on) in found {
        let Some(OverPiece { piece, pieces, .. }) = level.piece_at(on) else {
            continue;
        };
        let called = roles.leader_on(on);
        let (role, from) = called.origin.unwrap_or((piece.role, on));
        calls.next.push(Party {
            team: over.team(number, piece.side),
            attacks,
            role,
            from,
            names: called.names,
            left: pieces,
        });
    }
}

/// How far the sub-game has got to which the next ply belongs.
fn stage(over: &Over) -> SubGameStage {
    match over.due() {
        Due::Setup(_, side) => SubGameStage::SetUp(side),
        Due::Sub(_) => SubGameStage::Play(
            over.current()
                .sub_game()
                .map_or(Side::White, overboard_rules::position::Movegen::turn),
        ),
        Due::Settling(_) => SubGameStage::Settling,
        Due::Over | Due::OverFrom(_) | Due::Giving => SubGameStage::Waits,
    }
}
