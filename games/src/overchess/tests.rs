use super::*;
use overboard_rules::{
    by_side::BySide,
    game::Game as _,
    outcome::Cause,
    ply::{Arrival, Pattern, Wing, Written},
    position::Movegen,
};

mod levels;

fn on(name: &str) -> Square {
    let bytes = name.as_bytes();
    Square::new(bytes[0] - b'a', bytes[1] - b'1')
}

fn over(position: &mut Over, line: &str) {
    for text in line.split_whitespace() {
        let (from, to) = (on(&text[..2]), on(&text[2..4]));
        let promotion = text
            .as_bytes()
            .get(4)
            .and_then(|letter| Role::from_letter(letter.to_ascii_uppercase()));
        let mut found = None;
        position.legal_moves(|ply| {
            if let Ply::Over(m) = ply
                && (m.from(), m.to(), m.promotion()) == (from, to, promotion)
            {
                found = Some(ply);
            }
        });
        position.play(found.unwrap_or_else(|| panic!("{text} is legal")));
    }
}

fn sub(position: &mut Over, line: &str) {
    for text in line.split_whitespace() {
        let (from, to) = (on(&text[..2]), on(&text[2..4]));
        let mut found = None;
        position.legal_moves(|ply| {
            if let Ply::Sub(m) = ply
                && (m.from(), m.to()) == (from, to)
            {
                found = Some(ply);
            }
        });
        position.play(found.unwrap_or_else(|| panic!("{text} is legal in the sub-game")));
    }
}

fn after(line: &str) -> Over {
    with(Options::default(), line)
}

fn with(options: Options, line: &str) -> Over {
    let mut position = Over::first(1, options);
    over(&mut position, line);
    position
}

fn plies(position: &Over) -> Vec<Ply> {
    let mut plies = Vec::new();
    position.legal_moves(|ply| plies.push(ply));
    plies
}

const FOOLS: &str = "f2f3 e7e5 g2g4 d8h4";
const ATTACKER_WINS: &str = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7";

#[test]
fn an_attack_opens_a_sub_game_and_its_winner_holds_the_square() {
    let mut position = after("e2e4 d7d5 e4d5");
    assert_eq!(position.due(), Due::Sub(on("d5")));
    assert_eq!(position.count_legal(), 20);
    let mut lost = position.clone();
    sub(&mut lost, FOOLS);
    assert_eq!(lost.due(), Due::Over);
    assert_eq!(
        lost.outermost().piece_at(on("d5")).unwrap().piece,
        Piece {
            side: Side::Black,
            role: Role::Pawn
        }
    );
    assert_eq!(lost.outermost().piece_at(on("e4")), None);
    assert_eq!(
        (lost.outermost().turn(), lost.outermost().halfmove()),
        (Side::Black, 0)
    );
    sub(&mut position, ATTACKER_WINS);
    let there = position.outermost().piece_at(on("d5")).unwrap();
    assert_eq!(
        there.piece,
        Piece {
            side: Side::White,
            role: Role::Pawn
        }
    );
    assert_eq!(there.pieces, Roster::FULL);
}

#[test]
fn what_is_taken_in_a_sub_game_stays_lost() {
    let mut position = after("e2e4 d7d5 e4d5");
    sub(&mut position, "e2e4 d7d5 e4d5 d8d5");
    position.conclude(0, Outcome::Draw);
    assert_eq!(
        position.outermost().piece_at(on("e4")).unwrap().pieces,
        Roster::FULL.less(Role::Pawn)
    );
    assert_eq!(
        position.outermost().piece_at(on("d5")).unwrap().pieces,
        Roster::FULL.less(Role::Pawn)
    );
    assert_eq!(
        (position.outermost().turn(), position.outermost().halfmove()),
        (Side::Black, 0)
    );
    over(&mut position, "d5e4");
    assert_eq!(position.due(), Due::Setup(on("e4"), Side::White));
    assert_eq!(position.count_legal(), 8, "seven pawns on eight files");
    position.play(plies(&position)[0]);
    assert_eq!(position.due(), Due::Setup(on("e4"), Side::Black));
    position.play(plies(&position)[0]);
    assert_eq!(position.due(), Due::Sub(on("e4")));
}

#[test]
fn a_promoted_piece_counts_as_the_pawn_that_it_was() {
    let mut position = after("e2e4 d7d5 e4d5");
    sub(
        &mut position,
        "a2a4 b7b5 a4b5 a7a6 b5a6 h7h6 a6a7 h6h5 a7b8",
    );
    let chess = position.outermost().sub_game().unwrap().clone();
    assert!(position.outermost().is_promoted(on("b8")));
    assert_eq!(
        position.outermost().survivors().unwrap()[Side::White],
        Roster::FULL
    );
    sub(&mut position, "a8b8");
    assert_eq!(
        position.outermost().survivors().unwrap()[Side::White],
        Roster::FULL.less(Role::Pawn)
    );
    assert_eq!(chess.turn(), Side::Black);
}

#[test]
fn a_drawn_attack_that_took_nothing_was_no_move() {
    let mut position = after("g1f3 d7d5 f3e5 g8f6 e5f7");
    let before = position.outermost().halfmove();
    position.conclude(0, Outcome::Draw);
    assert_eq!(
        position.outermost().piece_at(on("e5")).unwrap().piece.role,
        Role::Knight
    );
    assert_eq!(position.outermost().halfmove(), before);
    assert_eq!(before, 3);
}

#[test]
fn the_king_falls_with_a_gamble_that_fails() {
    let mut position = after("e2e4 e7e5 d1h5 a7a6 h5f7");
    assert_eq!(position.due(), Due::Sub(on("f7")));
    let mut lost = position.clone();
    lost.conclude(0, Outcome::Win(Side::Black));
    assert_eq!(lost.end_by_itself(), None, "White's king is not attacked");
    position.conclude(0, Outcome::Win(Side::White));
    assert!(position.outermost().in_check());
    over(&mut position, "e8f7");
    assert_eq!(position.due(), Due::Over, "a king takes without a sub-game");
    // Black's bishop gives check; White captures it, and loses the sub-game.
    let mut checked = after("d2d4 e7e5 a2a4 f8b4");
    assert!(checked.outermost().in_check());
    over(&mut checked, "c1d2 b4d2");
    checked.conclude(0, Outcome::Win(Side::White));
    assert!(checked.outermost().in_check());
    over(&mut checked, "b1d2");
    checked.conclude(0, Outcome::Win(Side::Black));
    let ruling = checked.end_by_itself().unwrap();
    assert_eq!(
        (ruling.cause, ruling.outcome),
        (Cause::KingFalls, Outcome::Win(Side::Black))
    );
    assert_eq!(checked.count_legal(), 0);
}

#[test]
fn an_attack_in_passing_that_fails_leaves_the_pawn_where_it_stood() {
    let mut position = after("e2e4 a7a6 e4e5 d7d5 e5d6");
    assert_eq!(position.outermost().piece_at(on("d5")), None);
    let mut drawn = position.clone();
    drawn.conclude(0, Outcome::Draw);
    assert!(
        drawn.outermost().piece_at(on("e5")).is_some()
            && drawn.outermost().piece_at(on("d5")).is_some()
    );
    position.conclude(0, Outcome::Win(Side::Black));
    assert!(
        position.outermost().piece_at(on("d6")).is_none()
            && position.outermost().piece_at(on("e5")).is_none()
    );
    assert_eq!(
        position.outermost().piece_at(on("d5")).unwrap().piece.side,
        Side::Black
    );
}

#[test]
fn prisoners_replace_what_was_lost_and_no_more() {
    let options = Options {
        prisoners: true,
        ..Options::default()
    };
    let mut position = with(options, "e2e4 d7d5 e4d5");
    sub(&mut position, "e2e4 d7d5 e4d5 d8d5");
    position.conclude(0, Outcome::Win(Side::White));
    assert_eq!(position.due(), Due::Settling(on("d5")));
    let one = Roster::NONE.plus(Role::Pawn);
    assert_eq!(plies(&position), [Ply::Prisoners(one), Ply::Done]);
    position.play(Ply::Prisoners(one));
    assert_eq!(
        position.outermost().piece_at(on("d5")).unwrap().pieces,
        Roster::FULL
    );
    assert_eq!(position.due(), Due::Over);
}

#[test]
fn spares_come_in_after_a_sub_game_and_before_a_move() {
    let spares = Roster::NONE.with(Role::Pawn, 2);
    let options = Options {
        reserves: Reserves::Team(BySide::both(spares)),
        ..Options::default()
    };
    let mut position = with(options, "e2e4 d7d5 e4d5");
    sub(&mut position, "e2e4 d7d5 e4d5 d8d5");
    position.conclude(0, Outcome::Draw);
    assert_eq!(
        position.due(),
        Due::Settling(on("e4")),
        "the attacker first"
    );
    assert_eq!(position.actor(), Side::White);
    position.play(Ply::Reserve(on("e4"), Role::Pawn));
    assert_eq!(position.due(), Due::Settling(on("d5")));
    position.play(Ply::Done);
    assert_eq!(position.due(), Due::Over);
    assert!(plies(&position).contains(&Ply::Reserve(on("d5"), Role::Pawn)));
    position.play(Ply::Reserve(on("d5"), Role::Pawn));
    assert_eq!(position.due(), Due::OverFrom(on("d5")));
    assert_eq!(position.count_legal(), 2, "d4 and dxe4");
    assert_eq!(
        position
            .outermost()
            .team_spares(Side::Black)
            .count(Role::Pawn),
        1
    );
}

#[test]
fn a_consolidation_hands_over_all_that_fits() {
    let options = Options {
        consolidation: true,
        ..Options::default()
    };
    let mut position = with(options, "e2e4 d7d5 e4d5");
    sub(&mut position, "e2e4 d7d5 e4d5 d8d5");
    position.conclude(0, Outcome::Draw);
    position.play(Ply::Consolidate(on("a7")));
    assert_eq!(plies(&position), [Ply::Give(on("d5"), Role::Pawn)]);
    position.play(Ply::Give(on("d5"), Role::Pawn));
    assert_eq!(plies(&position), [Ply::Done]);
    position.play(Ply::Done);
    assert_eq!(
        (position.outermost().turn(), position.outermost().fullmove()),
        (Side::White, 3)
    );
    assert_eq!(
        position.outermost().piece_at(on("d5")).unwrap().pieces,
        Roster::FULL
    );
}

/// The number of ways to hand over pieces, counted by playing them.
fn ways(position: &Over) -> u64 {
    if position.outermost().giving().is_none() {
        return 1;
    }
    plies(position)
        .iter()
        .map(|ply| ways(&position.after(*ply)))
        .sum()
}

#[test]
fn each_distribution_is_one_run_of_plies() {
    let options = Options {
        consolidation: true,
        ..Options::default()
    };
    let sets = "b1=3P1N,d1=6P1N,h1=7P1N";
    let mut position = standing(options, "4k3/8/8/8/8/8/8/1N1QK2R", sets);
    position.play(Ply::Consolidate(on("b1")));
    // Three pawns for two rooks, and one: all fit in one way. One knight for one of two rooks.
    assert_eq!(ways(&position), 2);
}

/// White is to move, with these sub-sets.
fn standing(options: Options, placement: &str, sets: &str) -> Over {
    let text = format!("{placement} w - - 0 1 {sets} - -");
    read(&text, 1, options).unwrap().position
}

const FOG: Options = Options {
    prisoners: false,
    consolidation: false,
    fog: true,
    drawn: Drawn::Withdraws,
    reserves: Reserves::None,
};

#[test]
fn under_fog_the_opponent_moves_before_the_sub_game() {
    let mut position = with(FOG, "e2e4 d7d5 e4d5");
    assert_eq!(
        (position.due(), position.outermost().turn()),
        (Due::Over, Side::Black)
    );
    let entered = position.judge(Asked::Over(pawn_takes("d8", Role::Queen, "d5")));
    assert_eq!(entered.unwrap_err().rule.id, "OV-30");
    over(&mut position, "g8f6");
    assert_eq!(position.due(), Due::Sub(on("d5")));
    sub(&mut position, FOOLS);
    assert_eq!(
        (position.due(), position.outermost().turn()),
        (Due::Over, Side::White)
    );
    assert_eq!(
        position.outermost().piece_at(on("d5")).unwrap().piece.side,
        Side::Black
    );
}

#[test]
fn under_fog_there_may_be_no_way_back() {
    let mut position = standing(FOG, "6k1/8/4b3/8/8/8/2n4K/4R3", "-");
    over(&mut position, "e1e6");
    let mut free = position.clone();
    over(&mut free, "g8g7");
    free.conclude(0, Outcome::Draw);
    assert_eq!(
        free.outermost().piece_at(on("e1")).unwrap().piece.role,
        Role::Rook
    );
    over(&mut position, "c2e1");
    position.conclude(0, Outcome::Draw);
    assert_eq!(
        position.outermost().piece_at(on("e1")).unwrap().piece.side,
        Side::Black
    );
    assert_eq!(
        position.outermost().piece_at(on("e6")).unwrap().piece.side,
        Side::Black
    );
}

#[test]
fn an_attack_under_fog_that_leaves_no_answer_is_settled_at_once() {
    // Mate on the back rank, if the attack on the rook succeeds.
    let mut position = standing(FOG, "3r2k1/5ppp/8/8/8/8/8/3R3K", "-");
    over(&mut position, "d1d8");
    assert_eq!(position.due(), Due::Sub(on("d8")));
    let mut failed = position.clone();
    failed.conclude(0, Outcome::Win(Side::Black));
    assert_eq!(
        (failed.end_by_itself(), failed.outermost().turn()),
        (None, Side::Black)
    );
    position.conclude(0, Outcome::Win(Side::White));
    assert_eq!(position.end_by_itself().unwrap().cause, Cause::Checkmate);
}

fn pawn_takes(from: &str, role: Role, to: &str) -> Written {
    let from = on(from);
    Written::Move(Pattern {
        role,
        file: Some(from.file),
        rank: None,
        capture: true,
        to: on(to),
        promotion: None,
        arrival: Arrival::Here,
    })
}

#[test]
fn what_is_listed_is_judged_legal_and_nothing_else() {
    let spares = Roster::NONE.with(Role::Pawn, 1).with(Role::Knight, 1);
    let all = [
        Options::default(),
        FOG,
        Options {
            prisoners: true,
            consolidation: true,
            ..FOG
        },
        Options {
            drawn: Drawn::BothLeave,
            reserves: Reserves::Team(BySide::both(spares)),
            prisoners: true,
            ..FOG
        },
        Options {
            drawn: Drawn::AttackerLeaves,
            reserves: Reserves::Set(BySide::both(spares)),
            ..Options::default()
        },
    ];
    let mut state = 7_u64;
    for options in all {
        for _ in 0..6 {
            let mut position = Over::first(1, options);
            for _ in 0..400 {
                let mut list = plies(&position);
                if list.is_empty() || position.end_by_itself().is_some() {
                    assert!(position.end_by_itself().is_some());
                    break;
                }
                assert_eq!(list.len() as u64, position.count_legal());
                for ply in &list {
                    let asked = match *ply {
                        Ply::Over(m) => Asked::Over(position.outermost().written(m)),
                        Ply::Sub(m) => {
                            Asked::Sub(position.outermost().sub_game().unwrap().written(m))
                        }
                        other => Asked::Ply(other),
                    };
                    assert_eq!(position.judge(asked).as_ref(), Ok(ply));
                }
                // Attacks are rare among all moves, and it is what follows them that is to be tested.
                let attacks: Vec<_> = list
                    .iter()
                    .copied()
                    .filter(|ply| matches!(ply, Ply::Over(m) if position.outermost().attacks(*m)))
                    .collect();
                if !attacks.is_empty() {
                    list = attacks;
                }
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let index = (state >> 33) as usize % list.len();
                position.play(list[index]);
                if matches!(position.due(), Due::Sub(_)) && state >> 20 & 7 == 0 {
                    let outcomes = [
                        Outcome::Win(Side::White),
                        Outcome::Win(Side::Black),
                        Outcome::Draw,
                    ];
                    position.conclude(0, outcomes[(state >> 40) as usize % 3]);
                }
            }
        }
    }
}

#[test]
fn castling_moves_the_rooks_sub_set_along() {
    let mut position = after("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7");
    let castle = position
        .judge(Asked::Over(Written::Castle(Wing::KingSide)))
        .unwrap();
    position.play(castle);
    assert_eq!(
        position.outermost().piece_at(on("f1")).unwrap().pieces,
        Roster::FULL
    );
    assert_eq!(
        position.outermost().piece_at(on("g1")).unwrap().pieces,
        Roster::NONE
    );
}
