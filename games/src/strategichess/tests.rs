//! Checks positions against worked examples of the rules, and against a generator that tries every move.

use super::*;
use crate::one_board::{OneBoard, notation::BoardNotation as _};
use Side::{Black, White};
use overboard_rules::{
    by_side::BySide,
    game::Claimable,
    outcome::Outcome,
    perft::perft,
    ply::{Arrival, Wing, Written},
    position::{Act, DrawLaw, Explain},
    refusal::{Reason, Refusal},
    setup::reachable,
    square::Piece,
};

mod by_squares;
use by_squares::Setup;

/// The position of a few pieces, such as `Kh3 kh12 Pe4*`: lower-case letters are Black's, a star marks a pawn that has
/// never moved.
fn pieces(text: &str, turn: Side) -> Result<Strategi, Vec<Impossible>> {
    let mut setup = Setup::empty(turn);
    for word in text.split(' ') {
        let name = word.trim_end_matches('*');
        let (piece, on) = (
            Piece::from_letter(name.as_bytes()[0]).unwrap(),
            square(&name[1..]),
        );
        setup.board[usize::from(on.rank) * 14 + usize::from(on.file)] = Some(piece);
        setup.unmoved[piece.side][usize::from(on.file)] |= name != word;
    }
    setup.position()
}

fn white(text: &str) -> Strategi {
    pieces(text, White).unwrap()
}

fn black(text: &str) -> Strategi {
    pieces(text, Black).unwrap()
}

fn square(name: &str) -> Square {
    Square::new(
        name.as_bytes()[0] - b'a',
        name[1..].parse::<u8>().unwrap() - 1,
    )
}

fn list(position: &Strategi) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(|m| moves.push(m));
    moves.sort();
    moves
}

/// Where the piece on a square can go, in the order of the squares.
fn from(position: &Strategi, origin: &str) -> String {
    let to = list(position)
        .into_iter()
        .filter(|m| m.from() == square(origin))
        .map(|m| m.to().to_string());
    to.collect::<Vec<_>>().join(" ")
}

fn named(position: &Strategi, name: &str) -> Move {
    let all = list(position);
    *all.iter()
        .find(|m| format!("{m:?}") == name)
        .unwrap_or_else(|| panic!("no {name} in {all:?}"))
}

fn after(position: &Strategi, names: &str) -> Strategi {
    let mut next = position.clone();
    for name in names.split(' ') {
        next.play(named(&next, name));
    }
    next
}

/// A written move such as `Nf3`, `8g7`, `fxg7`.
fn pattern(text: &str) -> Pattern {
    let (text, promotion) = match text.split_once('=') {
        Some((text, letter)) => (text, Role::from_letter(letter.as_bytes()[0])),
        None => (text, None),
    };
    let role = Role::from_letter(text.as_bytes()[0]).unwrap_or(Role::Pawn);
    let text = text.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let at = text.rfind(|c: char| c.is_ascii_alphabetic()).unwrap();
    let (origin, to) = (text[..at].trim_end_matches('x'), square(&text[at..]));
    let file = origin
        .bytes()
        .next()
        .filter(u8::is_ascii_alphabetic)
        .map(|letter| letter - b'a');
    let rank = origin
        .trim_start_matches(|c: char| c.is_ascii_alphabetic())
        .parse::<u8>()
        .ok();
    Pattern {
        role,
        file,
        rank: rank.map(|rank| rank - 1),
        capture: text.contains('x'),
        to,
        promotion,
        arrival: Arrival::Here,
    }
}

fn text(written: Written) -> String {
    let Written::Move(p) = written else {
        panic!("no move")
    };
    let letter = (p.role != Role::Pawn).then(|| p.role.letter().to_string());
    let file = p.file.map(|file| Square::file_letter(file).to_string());
    let rank = p.rank.map(|rank| (rank + 1).to_string());
    [
        letter,
        file,
        rank,
        p.capture.then(|| "x".into()),
        Some(p.to.to_string()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn written_as(position: &Strategi, name: &str) -> String {
    text(position.written(named(position, name)))
}

/// The rule and the words of a refusal.
fn refused(position: &Strategi, text: &str) -> (&'static str, String) {
    refused_written(position, &Written::Move(pattern(text)))
}

fn refused_written(position: &Strategi, written: &Written) -> (&'static str, String) {
    let refusal = Refusal::of(position, written).unwrap();
    (refusal.rule().id, refusal.to_string())
}

/// The counts of the first two depths are from the page of rulings; the others are our own.
#[test]
fn perft_from_the_array() {
    for (depth, count) in (0..).zip([1, 97, 9_409, 943_768]) {
        assert_eq!(
            perft(&OneBoard(Strategi::default()), depth),
            count,
            "depth {depth}"
        );
    }
}

#[test]
fn the_array_is_that_of_sc_2() {
    let fen = "14/14/rnbbnrqkrnbbnr/pppppppppppppp/14/14/14/14/14/14/PPPPPPPPPPPPPP/RNBBNRQKRNBBNR/14/14 w ABCDEFGHIJKLMNabcdefghijklmn";
    assert_eq!(Strategi::read(fen).unwrap().position, Strategi::default());
    assert_eq!(Strategi::default().king(White), Some(square("h3")));
}

#[test]
fn a_first_move_is_one_two_or_three_steps_ahead() {
    assert_eq!(from(&white("Kh3 kh12 Pe4*"), "e4"), "e3 e5 e6 e7");
    assert_eq!(from(&white("Kh3 kh12 Pe4"), "e4"), "e3 e5");
    assert_eq!(from(&black("Kh3 kh12 pe11*"), "e11"), "e8 e9 e10 e12");
    assert_eq!(from(&white("Kh3 kh12 Pe4* ne7"), "e4"), "e3 e5 e6");
    assert_eq!(from(&white("Kh3 kh12 Pe4* ne6"), "e4"), "e3 e5");
    assert_eq!(from(&white("Kh3 kh12 Pe4* ne5 ne3"), "e4"), "");
}

#[test]
fn the_first_move_belongs_to_the_pawn() {
    let start = Strategi::default();
    let returned = after(&start, "e4e5 a11a10 e5e4 a10a9");
    assert!(!returned.is_unmoved(square("e4")) && returned.is_unmoved(square("d4")));
    assert_eq!(from(&returned, "e4"), "e5");
    // Another pawn that reaches the square by a capture has moved, too.
    let taken = after(&white("Kh3 kh12 Pd3 ne4"), "d3e4");
    assert!(!taken.is_unmoved(square("e4")));
    // A pawn captured on its home square leaves no mark.
    let gone = after(&black("Kh3 kh12 Pe4* ne6"), "e6f4");
    assert!(gone.is_unmoved(square("e4")));
    let gone = after(&black("Kh3 kh12 Pe4* nf6"), "f6e4");
    assert!(!gone.is_unmoved(square("e4")));
}

#[test]
fn pawns_go_back_and_on_roads_sideways() {
    assert_eq!(from(&white("Kh3 kh12 Pe6"), "e6"), "e5 e7");
    assert_eq!(from(&white("Kh3 kh12 Pe7"), "e7"), "e6 d7 f7 e8");
    assert_eq!(from(&black("Kh3 kh12 pe7"), "e7"), "e6 d7 f7 e8");
    assert_eq!(from(&white("Kh3 kh12 Pa14"), "a14"), "a13 b14");
    assert_eq!(from(&white("Kh3 kh12 Pn1"), "n1"), "m1 n2");
    assert_eq!(from(&white("Kh3 kh12 Pe9"), "e9"), "e8 e10");
    for (rank, ways) in (1..=14).zip([3, 4, 2, 2, 2, 2, 4, 4, 2, 2, 2, 2, 4, 3]) {
        assert_eq!(
            from(&white(&format!("Kh5 kh10 Pc{rank}")), &format!("c{rank}"))
                .split(' ')
                .count(),
            ways
        );
    }
}

#[test]
fn pawns_take_only_diagonally_ahead() {
    let road = white("Kh3 kh12 Pe7 nd8 ne8 nf8 nd7 nf7 nd6 ne6 nf6");
    assert_eq!(from(&road, "e7"), "d8 f8");
    assert_eq!(
        from(&black("Kh3 kh12 pe7 Nd8 Ne8 Nf8 Nd7 Nf7 Nd6 Ne6 Nf6"), "e7"),
        "d6 f6"
    );
    assert_eq!(
        after(&road, "e7d8").piece_at(square("d8")),
        Some(Piece {
            side: White,
            role: Role::Pawn
        })
    );
}

#[test]
fn pins_bind_pawns_to_their_line() {
    assert_eq!(from(&white("Kh7 kh12 Pg7 ra7"), "g7"), "f7");
    assert_eq!(from(&white("Kh7 kh12 Pg8 re10"), "g8"), "g7 f8 h8 g9");
    assert_eq!(from(&white("Kh7 kh12 Pg8 be10"), "g8"), "");
    assert_eq!(from(&white("Kh7 kh12 Pg8 bf9"), "g8"), "f9");
    assert_eq!(from(&white("Kh3 kn12 Ph4* rh12"), "h4"), "h5 h6 h7");
}

#[test]
fn a_check_is_parried_or_fled() {
    let check = white("Kh3 kn12 Pd4* ra3 Rd1");
    assert_eq!(list(&check).len(), 8, "{:?}", list(&check));
    assert_eq!(
        (from(&check, "d4"), from(&check, "d1")),
        ("d3".into(), "d3".into())
    );
    assert_eq!(
        from(&white("Kh3 kn12 ra3 nf4 Rd1 Ra1"), "d1"),
        "",
        "two checks at once"
    );
}

#[test]
fn moves_are_written_as_short_as_they_can_be() {
    let crowd = white("Kh3 kn12 Pg6 Pf7 Pg8");
    assert_eq!(written_as(&crowd, "g6g7"), "6g7");
    assert_eq!(written_as(&crowd, "f7g7"), "fg7");
    assert_eq!(written_as(&crowd, "g8g7"), "8g7");
    let both = white("Kh3 kn12 Pg6 Pf7 Pg8 Ph7");
    assert_eq!(written_as(&both, "h7g7"), "hg7");
    let corner = white("Kh3 kn12 Pg4* Pg8 Pf7");
    assert_eq!(
        (written_as(&corner, "g8g7"), written_as(&corner, "g4g7")),
        ("8g7".into(), "4g7".into())
    );
    let row = white("Kh3 kn12 Pf7 Ph7 Pg8");
    assert_eq!(
        (written_as(&row, "f7g7"), written_as(&row, "g8g7")),
        ("fg7".into(), "gg7".into())
    );
    assert_eq!(written_as(&white("Kh3 kn12 Pg6"), "g6g7"), "g7");
    assert_eq!(written_as(&white("Kh3 kn12 Pg6 Pf7 rh7"), "g6h7"), "gxh7");
    assert_eq!(written_as(&white("Kh3 kn12 Pf6 Ph6 rg7"), "f6g7"), "fxg7");
    assert_eq!(written_as(&white("Kh3 kn12 Nb1 Nb5 Nd1"), "b1c3"), "Nb1c3");
    assert_eq!(written_as(&white("Kh3 kn12 Nb1 Nb5"), "b5c3"), "N5c3");
    assert_eq!(
        written_as(&black("Ka3 kn12 pb11* pb9 pa10"), "b11b10"),
        "11b10"
    );
    assert_eq!(
        written_as(&black("Ka3 kn12 pb11 pb9 pa10"), "b9b10"),
        "9b10"
    );
}

#[test]
fn a_pawn_that_steps_aside_does_not_take() {
    let road = white("Kh3 kn12 Pf7 Pf6");
    assert_eq!(
        road.find(&Written::Move(pattern("fg7"))),
        Found::One(named(&road, "f7g7"))
    );
    assert_eq!(road.find(&Written::Move(pattern("fxg7"))), Found::None);
    let enemy = white("Kh3 kn12 Pf7 Pf6 ng7");
    assert_eq!(enemy.find(&Written::Move(pattern("fg7"))), Found::None);
    assert_eq!(enemy.find(&Written::Move(pattern("g7"))), Found::None);
    assert_eq!(
        enemy.find(&Written::Move(pattern("fxg7"))),
        Found::One(named(&enemy, "f6g7"))
    );
}

#[test]
fn pawns_are_refused_by_the_rule_they_break() {
    let start = Strategi::default();
    assert_eq!(refused(&start, "e8").0, "SC-5");
    let gone = after(&start, "e4e5 a11a10");
    assert_eq!(
        refused(&gone, "e7"),
        (
            "SC-5",
            "the pawn on e5 has moved before and may go only one square".into()
        )
    );
    let back = after(&gone, "e5e4 a10a9");
    assert_eq!(
        refused(&back, "e6"),
        (
            "SC-5a",
            "the pawn on e4 has moved before and may go only one square".into()
        )
    );
    assert_eq!(refused(&start, "e3").0, "CH-2");
    let blocked = white("Kh3 kh12 Pe6 ne5 ne7 Pc4* nc6");
    assert_eq!(
        refused(&blocked, "e7"),
        (
            "SC-5",
            "the pawn is blocked by the black knight on e7".into()
        )
    );
    assert_eq!(
        refused(&blocked, "e5"),
        (
            "SC-6",
            "the pawn is blocked by the black knight on e5".into()
        )
    );
    assert_eq!(
        refused(&blocked, "c7"),
        (
            "SC-5",
            "the pawn is blocked by the black knight on c6".into()
        )
    );
    assert_eq!(
        refused(&blocked, "e4"),
        ("SC-6", "the white pawn on e6 cannot move to e4".into())
    );
    let aside = white("Kh3 kh12 Pe6 Pk7 nl7");
    assert_eq!(
        refused(&aside, "ed6"),
        (
            "SC-6a",
            "the pawn on e6 is not on a road and may not go sideways".into()
        )
    );
    assert_eq!(
        refused(&aside, "l7"),
        (
            "SC-6a",
            "the pawn is blocked by the black knight on l7".into()
        )
    );
    assert_eq!(refused(&aside, "km7").0, "SC-6a");
    let taking = white("Kh3 kh12 Pf6 ng7 pf7 Pb7 pc7");
    assert_eq!(refused(&taking, "fg7").0, "SC-6b");
    assert_eq!(refused(&taking, "fxf7").0, "SC-6b");
    assert_eq!(
        refused(&taking, "fxe7"),
        ("SC-6b", "there is nothing to capture on e7".into())
    );
    assert_eq!(refused(&taking, "e7").0, "SC-6b");
    assert_eq!(refused(&taking, "bxc8").0, "SC-8");
    assert_eq!(refused(&taking, "bxc7").0, "SC-6b");
    let far = white("Kh3 kh12 Pe13 Ra5");
    assert_eq!(
        refused(&far, "e14=Q"),
        ("SC-7", "no piece is promoted in this game".into())
    );
    assert_eq!(refused(&far, "Kg3=Q").0, "SC-7");
    assert_eq!(refused(&white("Kh7 kh12 Pg7 ra7"), "g8").0, "CH-15");
    assert_eq!(
        refused(&white("Kh3 kn12 Pg6 Pg8"), "g7"),
        ("CH-20", "ambiguous between the pawns on g6 and g8".into())
    );
    assert_eq!(
        refused(&white("Kh3 kn12 ra5"), "e5"),
        ("CH-1", "there is no white pawn on the board".into())
    );
    let step = white("Kh3 kn12 Pa4 pf8");
    assert_eq!(
        refused(&step, "fg8"),
        (
            "CH-1",
            "it is White's move; only a black pawn can go to g8".into()
        )
    );
}

#[test]
fn officers_are_refused_as_in_chess() {
    let start = Strategi::default();
    assert_eq!(refused(&start, "Ra5").0, "CH-7");
    assert_eq!(refused(&start, "Rc6").0, "CH-5");
    assert_eq!(refused(&start, "Nb8").0, "CH-8");
    assert_eq!(refused(&start, "Bc8").0, "CH-4");
    assert_eq!(refused(&start, "Qf6").0, "CH-6");
    assert_eq!(refused(&start, "Kh6").0, "CH-13");
    assert_eq!(refused(&start, "Nxb5").0, "CH-8");
    assert_eq!(refused(&white("Kh3 kn12 ra4"), "Kh4").0, "CH-15");
    assert_eq!(refused(&white("Kh3 kn12 Ra3"), "Rxn12").0, "CH-3");
    assert_eq!(
        refused_written(&start, &Written::Castle(Wing::KingSide)).0,
        "SC-9"
    );
    assert_eq!(refused_written(&start, &Written::Pass).0, "CH-1");
    assert_eq!(
        refused_written(
            &start,
            &Written::Drop {
                role: Role::Pawn,
                to: square("e7")
            }
        )
        .0,
        "CH-1"
    );
}

#[test]
fn mate_and_stalemate_end_the_game() {
    let ending = |position: &Strategi| {
        position
            .end_by_itself()
            .map(|r| (r.cause, r.outcome, r.rule.id))
    };
    let mate = after(&white("Kh3 kn14 Ra13 Rb1"), "b1b14");
    assert_eq!(
        ending(&mate),
        Some((Cause::Checkmate, Outcome::Win(White), "SC-10"))
    );
    let still = black("Kl13 kn14 Qm12");
    assert_eq!(
        ending(&still),
        Some((Cause::Stalemate, Outcome::Draw, "SC-10"))
    );
    assert_eq!(ending(&black("Kl13 kn14 Qm12 pa5")), None);
}

#[test]
fn dead_positions_are_those_of_sc_11() {
    let dead = [
        "",
        " Na5",
        " Bb5",
        " Pa5",
        " na5",
        " pa5",
        " Ba1 Bc1",
        " Ba1 bc1",
        " Ba1 Bc1 be1 bg1",
    ];
    for more in dead {
        let position = white(&format!("Kh3 kh12{more}"));
        assert!(position.is_dead(), "{more}");
        assert_eq!(
            position.end_by_itself().map(|r| (r.cause, r.rule.id)),
            Some((Cause::DeadPosition, "SC-11"))
        );
        assert!(position.end_by_record(1, &[]).is_some());
    }
    for more in [
        " Ra5", " Qb4", " Na5 Nb5", " Na5 nb5", " Pa5 pb9", " Ba1 Bb1", " Ba1 bb1", " Ba1 Na5",
        " Ba1 pc3",
    ] {
        assert!(!white(&format!("Kh3 kh12{more}")).is_dead(), "{more}");
    }
}

#[test]
fn some_material_cannot_mate() {
    let can = |more: &str| {
        white(&format!("Kh3 kh12{more}"))
            .can_mate(White)
            .is_possible()
    };
    for more in ["", " Na5", " Bb5", " Pa5", " ra5", " ra5 rb5"] {
        assert!(!can(more), "{more}");
    }
    for more in [
        " Ra5", " Qb4", " Na5 Nb5", " Na5 nb5", " Pa5 pb9", " Ba1 bb1", " Ba1 Bc1",
    ] {
        assert!(can(more), "{more}");
    }
}

#[test]
fn only_captures_count_as_progress() {
    let start = white("Kh3 kh12 Pe4* pa11* Ra9 ra10");
    let next = after(&start, "e4e6");
    assert_eq!((next.halfmove(), after(&next, "a10a9").halfmove()), (1, 0));
    let idle = |count| {
        let fen = format!("7k6/14/14/14/14/14/14/14/14/14/4P9/7K6/14/R13 w E {count} 90");
        Strategi::read(&fen).unwrap().position
    };
    let both = Claimable {
        repetition: true,
        progress: true,
    };
    assert_eq!(
        (idle(99).claimable(2), idle(100).claimable(3)),
        (Claimable::default(), both)
    );
    assert_eq!(
        (idle(149).end_by_itself(), idle(149).end_by_record(4, &[])),
        (None, None)
    );
    let drawn = after(&idle(149), "e4e5");
    assert_eq!(
        drawn.end_by_itself().map(|r| (r.cause, r.rule.id)),
        Some((Cause::SeventyFiveMoves, "SC-11"))
    );
    assert_eq!(
        idle(3).end_by_record(5, &[]).map(|r| (r.cause, r.rule.id)),
        Some((Cause::Fivefold, "SC-11"))
    );
}

#[test]
fn repetition_reports_unmoved_pawns_apart() {
    let positions = [
        white("Kh3 kh12 Pe4*"),
        white("Kh3 kh12 Pe4"),
        black("Kh3 kh12 Pe4"),
        white("Kh3 kh12 pe11"),
        white("Kh3 kh12 pe11*"),
        white("Kh3 kh12 Pe5"),
    ];
    for (i, a) in positions.iter().enumerate() {
        for (j, b) in positions.iter().enumerate() {
            assert_eq!(a.snapshot() == b.snapshot(), i == j, "{i} {j}");
            assert_eq!(a.repetition_key() == b.repetition_key(), i == j, "{i} {j}");
        }
    }
}

#[test]
fn captures_and_first_moves_of_pawns_cannot_be_undone() {
    let position = white("Kh3 kh12 Pe4* Pg7 nh8 Pc4");
    for (name, irreversible) in [
        ("e4e5", true),
        ("e4e3", true),
        ("g7h8", true),
        ("g7g8", false),
        ("g7f7", false),
        ("c4c5", false),
    ] {
        assert_eq!(
            position.is_irreversible(named(&position, name)),
            irreversible,
            "{name}"
        );
    }
}

#[test]
fn impossible_positions_are_refused_with_every_reason() {
    assert_eq!(pieces("Kh3 Pe4", White), Err(vec![Impossible::MissingKing]));
    assert_eq!(
        pieces("Kh3 Kh5 kh12", White),
        Err(vec![Impossible::TooManyKings])
    );
    assert_eq!(
        pieces("Kh3 kh12 Rh9", White),
        Err(vec![Impossible::OppositeCheck])
    );
    assert_eq!(
        pieces("Kh3 kh12 Re4*", White),
        Err(vec![Impossible::UnmovedPawn])
    );
    assert_eq!(
        pieces("Kh3 kh4 re4*", White),
        Err(vec![Impossible::UnmovedPawn, Impossible::OppositeCheck])
    );
    assert!(pieces("Kh3 kh12 Pe14 pe1 Pe4* Pd4 Pd3", White).is_ok());
}

#[test]
fn a_pass_is_not_for_who_is_in_check() {
    assert_eq!(white("Kh3 kn14 rh9").passed(), None);
    assert_eq!(
        white("Kh3 kn14 rg9 Pe4*").passed(),
        Some(black("Kh3 kn14 rg9 Pe4*"))
    );
}

#[test]
fn a_displaced_piece_has_moved_and_takes() {
    let start = white("Kh3 kh12 Pe4* Pd4* Ra5 nb8");
    let put = |squares: &str| {
        overboard_formats::san::STRATEGI
            .standing_act(squares.as_bytes())
            .and_then(|standing_act| start.stood(standing_act))
    };
    let next = put("e4d5").unwrap();
    assert_eq!(
        (next.turn(), next.halfmove(), next.is_unmoved(square("e4"))),
        (Black, 1, false)
    );
    let took = put("a5b8").unwrap();
    assert_eq!((took.halfmove(), took.is_unmoved(square("e4"))), (0, true));
    let own = put("a5d4").unwrap();
    assert_eq!(
        (
            own.is_unmoved(square("d4")),
            own.piece_at(square("d4")).map(|p| p.role)
        ),
        (false, Some(Role::Rook))
    );
    assert_eq!(put("b8b9"), None, "not the mover's");
    assert_eq!(put("a5h12"), None, "a king is not taken");
    assert_eq!(put("a5a5"), None, "nothing moved");
}

#[test]
fn nothing_is_found_off_the_board_or_of_another_game() {
    let start = Strategi::default();
    let off = Square::new(14, 7);
    assert_eq!(
        (
            start.piece_at(off),
            start.is_unmoved(off),
            start.attackers(off, White).count()
        ),
        (None, false, 0)
    );
    assert_eq!(start.exposed_by(off, &pattern("Na3")).count(), 0);
    assert_eq!(
        start.find(&Written::Move(Pattern {
            to: off,
            ..pattern("Na5")
        })),
        Found::None
    );
    assert_eq!(start.find(&Written::Castle(Wing::KingSide)), Found::None);
    assert_eq!(start.find(&Written::Pass), Found::None);
    assert_eq!(
        start
            .squares_of(Piece {
                side: White,
                role: Role::Gold
            })
            .count(),
        0
    );
}

/// The board layer knows only the kings that it is asked to guard.
#[test]
fn a_board_may_hold_any_number_of_kings() {
    let count = |text: &str, guarded: Option<&str>| {
        let mut board = Board::default();
        for word in text.split(' ') {
            let piece = Piece::from_letter(word.as_bytes()[0]).unwrap();
            board.put(squares::index(square(&word[1..])).unwrap(), piece);
        }
        let scope = match guarded {
            Some(king) => Scope::guarding(&board, White, squares::index(square(king)).unwrap()),
            None => Scope::free(&board, White),
        };
        let mut listed = 0;
        scope.list(&mut |_| listed += 1);
        assert_eq!(scope.count(), listed, "{text} {guarded:?}");
        listed
    };
    assert_eq!(count("Pe5", None), 2);
    assert_eq!(count("Ke5 ra5", None), 8);
    assert_eq!(count("Ke5 ra5 Kh9", None), 16);
    assert_eq!(count("Ke5 ra5 Kh9", Some("e5")), 6);
    assert_eq!(count("Ke5 ra5 Kc6", Some("e5")), 9);
    assert_eq!(count("Ke5 ra5 Kc5", Some("e5")), 10);
}

/// The same stream of numbers on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % end
    }
}

/// A legal position with up to forty pieces anywhere.
fn scattered(dice: &mut Dice) -> Strategi {
    loop {
        let mut setup = Setup::empty(Side::BOTH[dice.below(2)]);
        let crowd = dice.below(40);
        for role in (0..crowd).map(|n| Role::ALL[[0, 0, 1, 2, 3, 4][n % 6]]) {
            setup.board[dice.below(196)] = Some(Piece {
                side: Side::BOTH[dice.below(2)],
                role,
            });
        }
        for side in Side::BOTH {
            setup.board[dice.below(196)] = Some(Piece {
                side,
                role: Role::King,
            });
        }
        for (side, file) in Side::BOTH
            .into_iter()
            .flat_map(|side| (0..14).map(move |file| (side, file)))
        {
            let home = if side == White { 3 } else { 10 } * 14 + file;
            let pawn = Piece {
                side,
                role: Role::Pawn,
            };
            setup.unmoved[side][file] = setup.board[home] == Some(pawn) && dice.below(2) == 0;
        }
        if let Ok(position) = setup.position() {
            return position;
        }
    }
}

/// Calls `see` with every position of random games from the initial position and from elsewhere, in which pawns shuffle
/// and pieces are captured, and whether it is the one of the game to be examined most closely.
fn in_random_games(games: usize, mut see: impl FnMut(&Strategi, bool)) {
    let mut dice = Dice(2026);
    for game in 0..games {
        let start = if game % 2 == 0 {
            Strategi::default()
        } else {
            scattered(&mut dice)
        };
        let (mut position, chosen) = (start, dice.below(120));
        for ply in 0..120 {
            see(&position, ply == chosen);
            let moves = list(&position);
            if moves.is_empty() {
                break;
            }
            position.play(chosen_move(&position, &moves, &mut dice));
        }
    }
}

/// Often a capture, often a backward or sideways move of a pawn.
fn chosen_move(position: &Strategi, moves: &[Move], dice: &mut Dice) -> Move {
    let is_pawn = |m: &Move| position.act(*m).role == Role::Pawn;
    let ahead = |m: &Move| (m.to().rank > m.from().rank) == (position.turn() == White);
    let wanted: Vec<_> = match dice.below(4) {
        0 => moves.iter().filter(|m| position.captures(**m)).collect(),
        1 => moves.iter().filter(|m| is_pawn(m) && !ahead(m)).collect(),
        2 => moves.iter().filter(|m| is_pawn(m)).collect(),
        _ => Vec::new(),
    };
    let any = moves[dice.below(moves.len())];
    if wanted.is_empty() {
        any
    } else {
        *wanted[dice.below(wanted.len())]
    }
}

#[test]
fn listing_and_counting_agree_with_trying_everything() {
    in_random_games(40, |position, _| {
        let moves = list(position);
        let setup = Setup::of(position);
        assert_eq!(moves, naive::moves(&setup), "{position:?}");
        assert_eq!(position.count_legal(), moves.len() as u64, "{position:?}");
        assert_eq!(position.has_legal_move(), !moves.is_empty());
        assert_eq!(
            position.in_check(),
            naive::is_in_check(&setup, position.turn())
        );
        let king = position.king(position.turn()).expect("a king");
        let mut checkers = position.attackers(king, position.turn().other());
        assert_eq!(position.in_check(), checkers.next().is_some());
    });
}

#[test]
fn playing_agrees_with_putting_pieces_where_they_go() {
    in_random_games(16, |position, _| {
        assert_eq!(Setup::of(position).position().as_ref(), Ok(position));
        for m in list(position) {
            assert_eq!(
                position.after(m),
                naive::played(position, m),
                "{position:?} {m:?}"
            );
        }
    });
}

#[test]
fn what_is_written_is_found_again() {
    in_random_games(40, |position, _| {
        for m in list(position) {
            assert_eq!(
                position.find(&position.written(m)),
                Found::One(m),
                "{position:?} {m:?}"
            );
        }
    });
}

/// Every pattern is found as often as it matches a listed move, and refused with a rule if it matches none.
#[test]
fn only_what_is_listed_is_found() {
    let mut dice = Dice(7);
    in_random_games(60, |position, is_chosen| {
        if !is_chosen {
            return;
        }
        let listed: Vec<_> = list(position)
            .into_iter()
            .map(|m| (m, position.act(m)))
            .collect();
        for _ in 0..20_000 {
            let pattern = any_pattern(&mut dice);
            let mut meant = listed
                .iter()
                .filter(|(_, act)| is_meant(&pattern, act))
                .map(|(m, _)| *m);
            let expected = match (meant.next(), meant.next()) {
                (None, _) => Found::None,
                (Some(m), None) => Found::One(m),
                _ => Found::Several,
            };
            let written = Written::Move(pattern);
            assert_eq!(
                position.find(&written),
                expected,
                "{position:?} {written:?}"
            );
            let refusal = Refusal::of(position, &written);
            assert_eq!(refusal.is_none(), matches!(expected, Found::One(_)));
            if let Some(refusal) = refusal {
                assert!(
                    !refusal.to_string().is_empty(),
                    "{position:?} {written:?} {:?}",
                    refusal.reason()
                );
                let is_ambiguous = matches!(refusal.reason(), Reason::Ambiguous(_));
                assert_eq!(
                    is_ambiguous,
                    expected == Found::Several && position.end_by_itself().is_none()
                );
            }
        }
    });
}

fn any_pattern(dice: &mut Dice) -> Pattern {
    let mut perhaps = |often: usize| {
        let at = dice.below(14) as u8;
        (dice.below(often) == 0).then_some(at)
    };
    let (file, rank) = (perhaps(3), perhaps(4));
    let to = Square::new(dice.below(14) as u8, dice.below(14) as u8);
    let role = Role::ALL[[0, 0, 0, 0, 1, 2, 3, 4, 5, 6][dice.below(10)]];
    let promotion = (dice.below(20) == 0).then_some(Role::Queen);
    Pattern {
        role,
        file,
        rank,
        capture: dice.below(2) == 0,
        to,
        promotion,
        arrival: Arrival::Here,
    }
}

/// Whether the written move can mean the listed one.
fn is_meant(pattern: &Pattern, act: &Act) -> bool {
    let same_way = pattern.role != Role::Pawn || pattern.capture == act.captures;
    (pattern.role, pattern.to, pattern.promotion) == (act.role, act.to, None)
        && same_way
        && act.from.is_some_and(|from| pattern.may_start_on(from))
}

/// A second implementation of the laws, which walks from square to square and tries out every move.
mod naive {
    use super::*;

    const SLANTING: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    const STRAIGHT: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
    const JUMPS: [(i32, i32); 8] = [
        (1, 2),
        (2, 1),
        (-1, 2),
        (-2, 1),
        (1, -2),
        (2, -1),
        (-1, -2),
        (-2, -1),
    ];

    /// The steps of an officer, and how often it may repeat one.
    fn steps(role: Role) -> (Vec<(i32, i32)>, i32) {
        match role {
            Role::Rook => (STRAIGHT.to_vec(), 13),
            Role::Bishop => (SLANTING.to_vec(), 13),
            Role::Queen => ([STRAIGHT, SLANTING].concat(), 13),
            Role::King => ([STRAIGHT, SLANTING].concat(), 1),
            Role::Knight => (JUMPS.to_vec(), 1),
            _ => (vec![], 0),
        }
    }

    fn at(setup: &Setup, file: i32, rank: i32) -> Option<Option<Piece>> {
        let on = (0..14).contains(&file) && (0..14).contains(&rank);
        on.then(|| setup.board[(rank * 14 + file) as usize])
    }

    /// Where the piece on a square can go or capture, safe or not.
    fn reach(setup: &Setup, (file, rank): (i32, i32), piece: Piece) -> Vec<(i32, i32)> {
        if piece.role == Role::Pawn {
            return pawn_reach(setup, (file, rank), piece.side);
        }
        let (steps, times) = steps(piece.role);
        let mut reach = Vec::new();
        for (files, ranks) in steps {
            for n in 1..=times {
                let to = (file + files * n, rank + ranks * n);
                let Some(there) = at(setup, to.0, to.1) else {
                    break;
                };
                if there.is_none_or(|other| other.side != piece.side) {
                    reach.push(to);
                }
                if there.is_some() {
                    break;
                }
            }
        }
        reach
    }

    fn pawn_reach(setup: &Setup, (file, rank): (i32, i32), side: Side) -> Vec<(i32, i32)> {
        let ahead = if side == White { 1 } else { -1 };
        let (first, road) = (
            if side == White { 3 } else { 10 },
            [0, 1, 6, 7, 12, 13].contains(&rank),
        );
        let unmoved = rank == first && setup.unmoved[side][file as usize];
        let is_empty = |(file, rank): (i32, i32)| at(setup, file, rank) == Some(None);
        let mut reach = Vec::new();
        for n in 1..=if unmoved { 3 } else { 1 } {
            let to = (file, rank + n * ahead);
            if !is_empty(to) {
                break;
            }
            reach.push(to);
        }
        reach.extend(Some((file, rank - ahead)).filter(|to| is_empty(*to)));
        for beside in [file - 1, file + 1] {
            reach.extend(Some((beside, rank)).filter(|to| road && is_empty(*to)));
            let taken = at(setup, beside, rank + ahead).flatten();
            reach.extend(
                taken
                    .filter(|other| other.side != side)
                    .map(|_| (beside, rank + ahead)),
            );
        }
        reach
    }

    fn all_of(setup: &Setup, side: Side) -> impl Iterator<Item = ((i32, i32), Piece)> + '_ {
        let pieces = (0..)
            .zip(&setup.board)
            .filter_map(|(index, piece)| Some((index, (*piece)?)));
        pieces
            .filter(move |(_, piece)| piece.side == side)
            .map(|(index, piece)| ((index % 14, index / 14), piece))
    }

    pub(super) fn is_in_check(setup: &Setup, side: Side) -> bool {
        let king = Some(Some(Piece {
            side,
            role: Role::King,
        }));
        all_of(setup, side.other()).any(|(from, piece)| {
            reach(setup, from, piece)
                .into_iter()
                .any(|to| at(setup, to.0, to.1) == king)
        })
    }

    pub(super) fn moves(setup: &Setup) -> Vec<Move> {
        let number = |(file, rank): (i32, i32)| (rank * 16 + file) as u32;
        let mut moves = Vec::new();
        for (from, piece) in all_of(setup, setup.turn) {
            moves.extend(
                reach(setup, from, piece)
                    .into_iter()
                    .map(|to| Move::new(number(from), number(to))),
            );
        }
        moves.retain(|m| !is_in_check(&arranged(setup, *m), setup.turn));
        moves.sort();
        moves
    }

    /// The pieces after a move; the turn is unchanged.
    fn arranged(setup: &Setup, m: Move) -> Setup {
        let place = |on: Square| usize::from(on.rank) * 14 + usize::from(on.file);
        let mut next = setup.clone();
        let piece = next.board[place(m.from())].take();
        next.board[place(m.to())] = piece;
        for square in [m.from(), m.to()] {
            for side in Side::BOTH
                .into_iter()
                .filter(|side| square.rank == if *side == White { 3 } else { 10 })
            {
                next.unmoved[side][usize::from(square.file)] = false;
            }
        }
        next
    }

    /// The position after a move, with its counters recounted.
    pub(super) fn played(position: &Strategi, m: Move) -> Strategi {
        let before = Setup::of(position);
        let mut next = arranged(&before, m);
        let pieces = |setup: &Setup| setup.board.iter().flatten().count();
        next.halfmove = if pieces(&next) < pieces(&before) {
            0
        } else {
            before.halfmove + 1
        };
        next.fullmove += u32::from(before.turn == Black);
        next.turn = before.turn.other();
        next.position().unwrap()
    }
}
