use super::*;
use crate::one_board::{OneBoard, notation::BoardNotation as _};
use overboard_referee::game::position::PositionError;
use overboard_rules::{
    perft::perft,
    ply::{StandingAct, Written},
    setup::Impossible,
};

fn square(name: &str) -> Square {
    let [file, rank] = name.as_bytes() else {
        panic!("{name} is not a square")
    };
    Square::new(file - b'a', rank - b'1')
}

/// The position with a placement, without castling rights.
fn position(text: &str) -> Meta {
    with_rights(text, "-")
}

fn with_rights(text: &str, rights: &str) -> Meta {
    let read = Meta::read(&format!("{text} {rights} - 0 1")).unwrap();
    assert_eq!(read.doubts, []);
    read.position
}

/// What says that no game leads to a position with a placement.
fn faults(text: &str) -> Vec<Impossible> {
    match Meta::read(&format!("{text} - - 0 1")) {
        Ok(read) => Vec::from_iter(read.doubts.iter().map(|doubt| doubt.why)),
        Err(PositionError::Impossible(faults)) => faults,
        Err(other) => panic!("{text}: {other}"),
    }
}

/// The moves of the piece on a square, as arrival squares, with `^` on the second level.
fn moves_from(position: &Meta, from: &str) -> Vec<String> {
    let mut moves = Vec::new();
    position.legal_moves(|m| {
        if m.from() == square(from) {
            moves.push(format!("{}{}", m.to(), if m.is_above() { "^" } else { "" }));
        }
    });
    moves.sort();
    moves
}

#[test]
fn lines_from_the_array_are_counted() {
    let start = Meta::default();
    assert_eq!(
        [1, 2, 3].map(|depth| perft(&OneBoard(start.clone()), depth)),
        [39, 1_519, 61_919]
    );
}

#[test]
fn a_move_is_small() {
    assert_eq!(size_of::<Move>(), 4);
}

#[test]
fn classes_of_pieces_go_where_they_may() {
    // On the first level: up on own pieces only; what an enemy has annexed is taken back.
    let meta = position("4k3/8/8/8/1p1P4/(Pr)7/2N5/4K3 w");
    assert_eq!(moves_from(&meta, "c2"), ["a1", "a3^", "b4", "d4^", "e3"]);
    // On a carrier of its own side: both levels. The carrier below does nothing.
    let meta = position("4k3/8/8/8/1p1P4/(Pr)7/2(BN)5/4K3 w");
    assert_eq!(
        moves_from(&meta, "c2"),
        ["a1", "a3^", "b4", "b4^", "d4^", "e3"]
    );
    // On a carrier of the other side: above only.
    let meta = position("4k3/8/8/8/1p1P4/(Pr)7/2(bN)5/4K3 w");
    assert_eq!(moves_from(&meta, "c2"), ["a3^", "b4^", "d4^"]);
}

#[test]
fn a_check_is_parried_on_either_level() {
    // A rook on the first level: interpose, capture it, ride it.
    let meta = position("4k3/8/8/8/4r3/2(PN)5/8/4K3 w");
    assert_eq!(moves_from(&meta, "c3"), ["e2", "e4", "e4^"]);
    // A rook that rides its own pawn: capturing the pawn is enough.
    let meta = position("4k3/8/8/8/4(pr)3/2(PN)5/8/4K3 w");
    assert_eq!(moves_from(&meta, "c3"), ["e2", "e4", "e4^"]);
    // Against a riding king it is not: the rook captures above from a carrier of any side.
    let meta = position("4k3/8/8/8/4(pr)3/2(PN)5/4(PK)3/8 w");
    assert_eq!(moves_from(&meta, "c3"), ["e4^"]);
}

#[test]
fn a_riding_king_is_reached_from_below_only_on_its_enemys_pieces() {
    assert!(!position("4k3/8/8/8/4r3/8/4(PK)3/8 w").in_check());
    assert!(position("4k3/8/8/8/4r3/8/4(pK)3/8 w").in_check());
    // No pawn goes up, and a piece that is ridden does not move.
    assert!(!position("4k3/8/8/8/8/3p4/4(pK)3/8 w").in_check());
    assert!(!position("4k3/8/8/8/4(rN)3/8/4(pK)3/8 w").in_check());
}

#[test]
fn to_take_what_carries_a_king_can_save_it() {
    let meta = position("4k3/8/8/8/4r3/8/4(pK)3/2N5 w");
    assert_eq!(meta.count_legal(), 1);
    assert_eq!(moves_from(&meta, "c1"), ["e2"]);
    // Not so against a rider, which reaches it on any carrier.
    assert!(!position("4k3/8/8/8/4(pr)3/8/4(pK)3/2N5 w").has_legal_move());
}

#[test]
fn a_rider_that_holds_down_an_attacker_stays() {
    let meta = position("4k3/8/8/2p5/4(rN)3/8/8/4K3 w");
    assert_eq!(moves_from(&meta, "e4"), [""; 0]);
    // The king may leave its carrier, but not for a square that the carrier then attacks.
    let meta = position("4k3/8/8/8/4(rK)3/4P3/5P2/8 w");
    assert_eq!(moves_from(&meta, "e4"), ["e3^"]);
    let meta = position("4k3/8/8/3pp3/4(rK)3/8/8/8 w");
    assert_eq!(moves_from(&meta, "e4"), ["d5^"]);
}

#[test]
fn a_pinned_piece_keeps_to_its_line() {
    let meta = position("4k3/8/8/4r3/8/8/4R3/4K3 w");
    assert_eq!(moves_from(&meta, "e2"), ["e3", "e4", "e5"]);
    // A rider opens no line.
    let meta = position("4k3/8/8/4r3/8/8/4(PN)3/4K3 w");
    assert_eq!(moves_from(&meta, "e2").len(), 6);
}

#[test]
fn riders_stay_on_what_took_their_carriers() {
    let mut meta = position("4k3/8/8/3(pn)4/2P5/8/8/4K3 w");
    let Found::One(m) = meta.find(&written(Role::Pawn, "c", "d5", Arrival::Here)) else {
        panic!("cxd5")
    };
    meta.play(m);
    let white = Piece {
        side: Side::White,
        role: Role::Pawn,
    };
    let black = Piece {
        side: Side::Black,
        role: Role::Knight,
    };
    assert_eq!(
        (meta.carrier_at(square("d5")), meta.rider_at(square("d5"))),
        (Some(white), Some(black))
    );
    assert_eq!(moves_from(&meta, "d5"), [""; 0]);
}

fn written(role: Role, file: &str, to: &str, arrival: Arrival) -> Written {
    let file = file.bytes().next().map(|file| file - b'a');
    let capture = role == Role::Pawn && file.is_some();
    Written::Move(Pattern {
        role,
        file,
        rank: None,
        capture,
        to: square(to),
        promotion: None,
        arrival,
    })
}

#[test]
fn a_king_takes_no_carrier() {
    assert_eq!(
        moves_from(&position("4k3/8/8/8/8/8/4(pn)3/4K3 w"), "e1"),
        ["d1", "d2", "f1", "f2"]
    );
    assert_eq!(
        moves_from(&position("4k3/8/8/8/8/8/4(pN)3/4K3 w"), "e1"),
        ["d1", "d2", "f1", "f2"]
    );
}

#[test]
fn rights_last_while_a_rook_is_ridden() {
    let mut meta = with_rights("4k3/8/8/8/8/8/8/4K2(RN) w", "K");
    let castles = Written::Castle(Wing::KingSide);
    assert_eq!(meta.find(&castles), Found::None);
    for (role, to) in [(Role::Knight, "g3"), (Role::King, "d8")] {
        let Found::One(m) = meta.find(&written(role, "", to, Arrival::Here)) else {
            panic!("{to}")
        };
        meta.play(m);
    }
    assert!(matches!(meta.find(&castles), Found::One(_)));
}

#[test]
fn impossible_set_ups_are_refused_with_every_reason() {
    assert_eq!(faults("8/8/8/8/8/8/8/4K3 w"), [Impossible::MissingKing]);
    assert_eq!(
        faults("4k3/8/8/8/8/8/(Nk)7/4K3 w"),
        [Impossible::TooManyKings]
    );
    assert_eq!(
        faults("4k3/8/8/8/8/8/(NP)7/4K3 w"),
        [Impossible::WrongRider]
    );
    assert_eq!(faults("4(kR)3/8/8/8/8/8/8/4K3 w"), [Impossible::WrongRider]);
    assert_eq!(
        faults("P3k3/8/8/8/8/8/8/4K3 w"),
        [Impossible::PawnsOnLastRank]
    );
    assert_eq!(
        faults("4k3/4R3/8/8/8/8/8/4K3 w"),
        [Impossible::OppositeCheck]
    );
    assert_eq!(
        faults("4k3/8/8/8/8/(QQ)7/PPPPPPPP/4K3 w"),
        [Impossible::TooMuchMaterial]
    );
}

#[test]
fn nothing_is_found_off_the_board_or_of_another_game() {
    let start = Meta::default();
    let off = Square::new(9, 9);
    assert_eq!((start.piece_at(off), start.rider_at(off)), (None, None));
    assert_eq!(
        start
            .exposed_by(off, &Pattern::of(Role::Knight, off, false, square("a3")))
            .count(),
        0
    );
    assert_eq!(
        (
            start.stood(StandingAct::moved(off, off)),
            start.stood(StandingAct::Moved {
                from: square("b1"),
                to: square("c3"),
                arrival: Arrival::Above,
                promotion: None
            })
        ),
        (None, None)
    );
    assert_eq!(
        start.stood(StandingAct::moved(square("e1"), square("e8"))),
        None,
        "a king is not taken"
    );
    for role in [Role::Silver, Role::Gold] {
        assert_eq!(
            start
                .squares_of(Piece {
                    side: Side::White,
                    role
                })
                .count(),
            0
        );
        assert_eq!(
            start.find(&written(role, "", "d2", Arrival::Above)),
            Found::None
        );
    }
    assert_eq!(
        start.find(&written(Role::Knight, "", "d2", Arrival::Beside(1))),
        Found::None
    );
}
