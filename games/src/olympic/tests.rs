//! Checks positions against worked examples of the rules, and against a generator that tries every move.

use super::{moves::Origin, *};
use crate::one_board::{OneBoard, notation::BoardNotation as _};
use Side::{Black, White};
use overboard_referee::game::position::PositionError;
use overboard_rules::{
    by_side::BySide,
    outcome::Cause,
    perft::perft,
    ply::{Arrival, Wing, Written},
    position::DrawLaw,
    setup::{Impossible, reachable},
    square::Piece,
};

mod by_squares;
use by_squares::Setup;

/// The position of a FEN's first two fields.
fn position(fen: &str) -> Olympic {
    let read = Olympic::read(&format!("{fen} - - 0 1")).unwrap();
    assert_eq!(read.doubts, []);
    read.position
}

/// What says that no game leads to a position, given the first two fields of its FEN.
fn faults(fen: &str) -> Vec<Impossible> {
    match Olympic::read(&format!("{fen} - - 0 1")) {
        Ok(read) => Vec::from_iter(read.doubts.iter().map(|doubt| doubt.why)),
        Err(PositionError::Impossible(faults)) => faults,
        Err(other) => panic!("{fen}: {other}"),
    }
}

fn is_promoted(position: &Olympic, square: Square) -> bool {
    position
        .board_piece_at(square)
        .is_some_and(|piece| piece.promoted)
}

fn list(position: &Olympic) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(|m| moves.push(m));
    moves.sort();
    moves
}

/// The moves and drops whose names begin like this, in order.
fn names(position: &Olympic, start: &str) -> Vec<String> {
    let all = list(position).into_iter().map(|m| format!("{m:?}"));
    let mut names: Vec<_> = all.filter(|name| name.starts_with(start)).collect();
    names.sort();
    names
}

fn named(position: &Olympic, name: &str) -> Move {
    let all = list(position);
    *all.iter()
        .find(|m| format!("{m:?}") == name)
        .unwrap_or_else(|| panic!("no {name} in {all:?}"))
}

fn after(position: &Olympic, name: &str) -> Olympic {
    let mut next = position.clone();
    next.play(named(position, name));
    next
}

fn square(name: &str) -> Square {
    let [file, rank] = name.as_bytes() else {
        panic!("{name} is not a square")
    };
    Square::new(file - b'a', rank - b'1')
}

/// A written move of an officer or a pawn, as `Gb3`, `Gcb3`, `bxa5=G`.
fn text(written: Written) -> String {
    match written {
        Written::Drop { role, to } | Written::PromotedDrop { role, to } => {
            format!("{}@{to}", role.letter())
        }
        Written::Move(p) => {
            let letter = (p.role != Role::Pawn).then(|| p.role.letter().to_string());
            let file = p.file.map(|file| Square::file_letter(file).to_string());
            let rank = p.rank.map(|rank| (rank + 1).to_string());
            let promotion = p.promotion.map(|role| format!("={}", role.letter()));
            [
                letter,
                file,
                rank,
                p.capture.then(|| "x".into()),
                Some(p.to.to_string()),
                promotion,
            ]
            .into_iter()
            .flatten()
            .collect()
        }
        Written::Castle(_) | Written::Pass => panic!("not of this game"),
    }
}

fn written_as(position: &Olympic, name: &str) -> String {
    text(position.written(named(position, name)))
}

#[test]
fn perft_from_the_array() {
    let counts = [1, 14, 180, 2464, 34189].into_iter();
    for (depth, count) in (0..).zip(counts) {
        assert_eq!(
            perft(&OneBoard(Olympic::default()), depth),
            count,
            "depth {depth}"
        );
    }
}

#[test]
fn the_array_is_that_of_oc_2() {
    assert_eq!(Olympic::default(), position("rbsgk/4p/5/P4/KGSBR[] w"));
}

#[test]
fn a_silver_may_promote_arriving_on_the_last_rank_and_leaving_it() {
    let arriving = position("4k/S4/5/5/K4[] w");
    assert_eq!(
        names(&arriving, "a4"),
        ["a4a5", "a4a5=G", "a4b3", "a4b5", "a4b5=G"]
    );
    let declined = after(&after(&arriving, "a4a5"), "e5e4");
    assert_eq!(names(&declined, "a5"), ["a5b4", "a5b4=G"]);
    let returned = after(&after(&declined, "a5b4"), "e4e3");
    assert_eq!(names(&returned, "b4a3"), ["b4a3"]);
    let black = position("4k/5/5/1s3/4K[] b");
    assert_eq!(
        names(&black, "b2"),
        [
            "b2a1", "b2a1=G", "b2a3", "b2b1", "b2b1=G", "b2c1", "b2c1=G", "b2c3"
        ]
    );
}

#[test]
fn a_silver_dropped_on_the_last_rank_may_promote_leaving_it() {
    let dropped = after(&position("4k/5/5/5/K4[S] w"), "S@a5");
    let next = after(&dropped, "e5e4");
    assert_eq!(names(&next, "a5"), ["a5b4", "a5b4=G"]);
}

#[test]
fn a_pawn_must_promote_and_only_to_gold() {
    let start = position("2b1k/1P3/5/5/K4[] w");
    assert_eq!(names(&start, "b4"), ["b4b5=G", "b4c5=G"]);
    let next = after(&start, "b4c5=G");
    assert_eq!(
        next.piece_at(square("c5")),
        Some(Piece {
            side: White,
            role: Role::Gold
        })
    );
    assert!(is_promoted(&next, square("c5")));
    assert_eq!(next.hand(White, Role::Bishop), 1);
    let (role, to, promotion) = (Role::Pawn, square("b5"), None);
    let plain = Pattern {
        role,
        file: None,
        rank: None,
        capture: false,
        to,
        promotion,
        arrival: Arrival::Here,
    };
    assert_eq!(start.find(&Written::Move(plain)), Found::None);
    let queen = Pattern {
        promotion: Some(Role::Queen),
        ..plain
    };
    assert_eq!(start.find(&Written::Move(queen)), Found::None);
}

#[test]
fn golds_do_not_promote_and_promoted_pieces_move_as_golds() {
    let golds = position("5/G1+S1+P/5/4k/K4[] w");
    assert_eq!(names(&golds, "a4"), ["a4a3", "a4a5", "a4b4", "a4b5"]);
    assert_eq!(
        names(&golds, "c4"),
        ["c4b4", "c4b5", "c4c3", "c4c5", "c4d4", "c4d5"]
    );
    assert_eq!(names(&golds, "e4"), ["e4d4", "e4d5", "e4e3", "e4e5"]);
}

#[test]
fn captured_men_revert() {
    let start = position("4k/5/r4/+P4/3K1[] b");
    let pawn = after(&start, "a3a2");
    assert_eq!(
        (pawn.hand(Black, Role::Pawn), pawn.hand(Black, Role::Gold)),
        (1, 0)
    );
    let silver = after(&position("4k/5/5/r+S3/4K[] b"), "a2b2");
    assert_eq!(
        (
            silver.hand(Black, Role::Silver),
            silver.hand(Black, Role::Gold)
        ),
        (1, 0)
    );
    assert!(!is_promoted(&silver, square("b2")));
    let gold = after(&position("4k/5/5/Rg3/4K[] w"), "a2b2");
    assert_eq!(gold.hand(White, Role::Gold), 1);
}

#[test]
fn drops_go_to_every_empty_square_and_pawns_not_to_the_last_rank() {
    let white = position("4k/4p/5/P4/K4[PS] w");
    assert_eq!(names(&white, "S@").len(), 21);
    let pawns = names(&white, "P@");
    assert_eq!(pawns.len(), 17);
    assert!(pawns.contains(&"P@b1".into()) && pawns.contains(&"P@a3".into()));
    assert!(pawns.iter().all(|name| !name.ends_with('5')));
    let black = position("4k/4p/5/P4/K4[p] b");
    assert!(names(&black, "P@").iter().all(|name| !name.ends_with('1')));
    assert_eq!(names(&black, "P@e3"), ["P@e3"], "a second pawn on its file");
}

#[test]
fn a_drop_puts_down_an_unpromoted_piece() {
    let dropped = after(&position("4k/5/5/5/K4[SS] w"), "S@c5");
    assert_eq!(
        dropped.piece_at(square("c5")),
        Some(Piece {
            side: White,
            role: Role::Silver
        })
    );
    assert_eq!(
        (dropped.hand(White, Role::Silver), dropped.turn()),
        (1, Black)
    );
}

#[test]
fn a_drop_parries_a_check_from_afar() {
    let check = position("r3k/5/1r3/5/K4[PS] w");
    assert_eq!(
        names(&check, ""),
        ["P@a2", "P@a3", "P@a4", "S@a2", "S@a3", "S@a4"]
    );
    let (drop, elsewhere) = ((Role::Silver, "a3"), (Role::Silver, "c3"));
    assert!(matches!(check.find(&drop_of(drop)), Found::One(_)));
    assert_eq!(check.find(&drop_of(elsewhere)), Found::None);
}

fn drop_of((role, to): (Role, &str)) -> Written {
    Written::Drop {
        role,
        to: square(to),
    }
}

#[test]
fn a_drop_may_mate() {
    let check = after(&position("k4/5/1K3/5/5[P] w"), "P@b4");
    assert!(check.in_check() && check.end_by_itself().is_none());
    let mate = after(&position("k4/5/1K3/4B/5[P] w"), "P@b4");
    assert_eq!(
        mate.end_by_itself().map(|ruling| ruling.cause),
        Some(Cause::Checkmate)
    );
}

#[test]
fn stalemate_wants_an_empty_hand() {
    assert_eq!(
        position("k4/5/K4/5/1R3[] b")
            .end_by_itself()
            .map(|ruling| ruling.cause),
        Some(Cause::Stalemate)
    );
    assert_eq!(
        position("k4/5/K4/5/1R3[P] b")
            .end_by_itself()
            .map(|ruling| ruling.cause),
        Some(Cause::Stalemate)
    );
    assert_eq!(
        position("k4/5/K4/5/1R3[p] b")
            .end_by_itself()
            .map(|ruling| ruling.cause),
        None
    );
}

#[test]
fn two_checks_at_once_leave_only_the_king() {
    let single = position("r3k/5/2b2/1G3/K3B[G] w");
    assert_eq!(single.checkers().collect::<Vec<_>>(), [square("a5")]);
    let double = position("r3k/5/2b2/5/K1G1B[G] w");
    assert_eq!(
        double.checkers().collect::<Vec<_>>(),
        [square("c3"), square("a5")]
    );
    assert_eq!(names(&double, ""), ["a1b1"]);
}

#[test]
fn moves_are_written_as_short_as_they_can_be() {
    let golds = position("4k/5/G1+P2/5/K4[] w");
    assert_eq!(written_as(&golds, "a3b3"), "Gab3");
    assert_eq!(written_as(&golds, "a3a4"), "Ga4");
    let file = position("4k/R4/5/R4/4K[] w");
    assert_eq!(written_as(&file, "a2a3"), "R2a3");
    let both = position("4k/S1S2/5/S4/4K[] w");
    assert_eq!(written_as(&both, "a4b3"), "Sa4b3");
    assert_eq!(written_as(&both, "c4b3"), "Scb3");
    let pinned = position("r3k/5/G1+P2/5/K4[] w");
    assert_eq!(written_as(&pinned, "c3b3"), "Gb3");
    let leaving = position("S3k/5/S4/5/4K[] w");
    assert_eq!(written_as(&leaving, "a5b4"), "S5b4");
    // Disambiguated by their squares, not by whether they can promote.
    assert_eq!(written_as(&leaving, "a5b4=G"), "S5b4=G");
    let pawn = position("1r2k/P4/5/5/4K[] w");
    assert_eq!(written_as(&pawn, "a4b5=G"), "axb5=G");
    assert_eq!(written_as(&position("4k/5/5/5/4K[p] b"), "P@c3"), "P@c3");
}

#[test]
fn repetition_reports_promoted_from_true_and_hands_apart() {
    let fens = [
        "4k/5/2G2/5/K4[] w",
        "4k/5/2+P2/5/K4[] w",
        "4k/5/2+S2/5/K4[] w",
        "4k/5/2G2/5/K4[] b",
    ];
    let held = ["4k/5/2G2/5/K4[P] w", "4k/5/2G2/5/K4[p] w"];
    let positions = fens
        .into_iter()
        .chain(held)
        .map(position)
        .collect::<Vec<_>>();
    for (i, a) in positions.iter().enumerate() {
        for (j, b) in positions.iter().enumerate() {
            assert_eq!(a.snapshot() == b.snapshot(), i == j, "{i} {j}");
            assert_eq!(a.repetition_key() == b.repetition_key(), i == j, "{i} {j}");
        }
    }
    assert!(!positions[0].is_irreversible(list(&positions[0])[0]));
}

#[test]
fn counters_count_from_the_last_capture_or_pawn_move() {
    let start = position("1r2k/5/5/PR3/4K[SP] w");
    assert_eq!(after(&start, "S@c3").halfmove(), 1);
    assert_eq!(after(&start, "a2a3").halfmove(), 0);
    assert_eq!(after(&start, "P@c3").halfmove(), 0);
    assert_eq!(after(&start, "b2b5").halfmove(), 0);
    let gold = after(&position("4k/5/5/+P4/4K[] w"), "a2a3");
    assert_eq!(
        gold.halfmove(),
        1,
        "a promoted pawn moves as the gold it is"
    );
    assert_eq!((gold.fullmove(), after(&gold, "e5e4").fullmove()), (1, 2));
}

#[test]
fn impossible_positions_are_refused_with_every_reason() {
    assert_eq!(faults("5/5/5/5/K4[] w"), [Impossible::MissingKing]);
    assert_eq!(faults("k3k/5/5/5/K4[] w"), [Impossible::TooManyKings]);
    assert_eq!(faults("P3k/5/5/5/K4[] w"), [Impossible::PawnOnItsLastRank]);
    assert_eq!(faults("4k/5/5/5/K3p[] w"), [Impossible::PawnOnItsLastRank]);
    assert_eq!(faults("4k/4R/5/5/K4[] w"), [Impossible::OppositeCheck]);
    assert_eq!(
        faults("4k/4R/5/5/KP2p[] w"),
        [Impossible::PawnOnItsLastRank, Impossible::OppositeCheck]
    );
    let crowd = |black| {
        let held = "P".repeat(12) + &"p".repeat(black);
        faults(&format!("4k/5/P+P3/5/K4[{held}] w"))
    };
    assert_eq!(crowd(11), []);
    assert_eq!(crowd(12), [Impossible::TooManyOfOneKind]);
    assert_ne!(faults("+P3k/5/5/5/K2p+p[] w"), []);
    assert_eq!(faults("+P3k/5/5/p4/K3+p[] w"), []);
}

#[test]
fn a_pass_is_not_for_who_is_in_check() {
    assert_eq!(position("r3k/5/5/5/K4[] w").passed(), None);
    let passed = position("r3k/5/5/5/1K3[] w").passed().unwrap();
    assert_eq!(passed, position("r3k/5/5/5/1K3[] b"));
}

#[test]
fn a_displaced_piece_takes_into_the_hand() {
    let start = position("+s3k/5/5/R4/1K3[] w");
    let put = |squares: &str| {
        overboard_formats::san::OLYMPIC
            .standing_act(squares.as_bytes())
            .and_then(|standing_act| start.stood(standing_act))
    };
    let next = put("a2a5").unwrap();
    assert_eq!((next.hand(White, Role::Silver), next.turn()), (1, Black));
    assert!(!is_promoted(&next, square("a5")));
    assert_eq!(put("a5a4"), None, "not the mover's");
    assert_eq!(put("a2e5"), None, "a king is not taken");
    assert_eq!(put("a2h8"), None);
    let (from, to) = (square("a2"), square("b2"));
    let exposed: Vec<_> = position("r3k/5/5/G4/K4[] w")
        .exposed_by(from, &Pattern::of(Role::Gold, from, false, to))
        .collect();
    assert_eq!(exposed, [square("a5")]);
}

#[test]
fn nothing_is_found_off_the_board_or_of_another_game() {
    let start = Olympic::default();
    let off = Square::new(7, 7);
    assert_eq!(
        (start.piece_at(off), is_promoted(&start, off)),
        (None, false)
    );
    assert_eq!(start.attackers(off, White).count(), 0);
    assert_eq!(
        start
            .exposed_by(off, &Pattern::of(Role::Rook, off, false, square("a3")))
            .count(),
        0
    );
    assert_eq!(
        start.find(&Written::Drop {
            role: Role::Pawn,
            to: off
        }),
        Found::None
    );
    assert_eq!(start.find(&Written::Castle(Wing::KingSide)), Found::None);
    assert_eq!(start.find(&Written::Pass), Found::None);
    assert_eq!(start.hand(White, Role::Queen), 0);
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

/// A legal position with up to a dozen pieces anywhere, and some in hand.
fn scattered(dice: &mut Dice) -> Olympic {
    loop {
        let mut setup = Setup {
            board: [None; 25],
            hands: BySide::from_fn(|_| HAND.map(|_| (dice.below(4) / 3) as u8)),
            ..Setup::of(&Olympic::default())
        };
        for _ in 0..dice.below(11) {
            let piece = Piece {
                side: Side::BOTH[dice.below(2)],
                role: HAND[dice.below(5)],
            };
            let is_able = matches!(piece.role, Role::Pawn | Role::Silver);
            setup.board[dice.below(25)] = Some(BoardPiece {
                piece,
                promoted: dice.below(4) == 0 && is_able,
            });
        }
        for side in Side::BOTH {
            let piece = Piece {
                side,
                role: Role::King,
            };
            setup.board[dice.below(25)] = Some(BoardPiece {
                piece,
                promoted: false,
            });
        }
        if let Ok(position) = setup.position() {
            return position;
        }
    }
}

/// Calls `see` with every position of 200 random games from the initial position and of 200 from elsewhere, and whether
/// it is the one of the game to be examined most closely.
fn in_random_games(mut see: impl FnMut(&Olympic, bool)) {
    let mut dice = Dice(2026);
    for game in 0..400 {
        let start = if game % 2 == 0 {
            Olympic::default()
        } else {
            scattered(&mut dice)
        };
        let (mut position, chosen) = (start, dice.below(60));
        for ply in 0..60 {
            see(&position, ply == chosen);
            let moves = list(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[dice.below(moves.len())]);
        }
    }
}

#[test]
fn listing_and_counting_agree_with_trying_everything() {
    in_random_games(|position, _| {
        let moves = list(position);
        assert_eq!(moves, naive::moves(&Setup::of(position)), "{position:?}");
        assert_eq!(position.count_legal(), moves.len() as u64, "{position:?}");
        assert_eq!(position.has_legal_move(), !moves.is_empty());
        assert_eq!(
            position.in_check(),
            naive::is_in_check(&Setup::of(position), position.turn())
        );
    });
}

#[test]
fn playing_agrees_with_putting_pieces_where_they_go() {
    in_random_games(|position, _| {
        assert_eq!(Setup::of(position).position().as_ref(), Ok(position));
        for m in list(position) {
            let mut next = position.clone();
            next.play(m);
            assert_eq!(
                Setup::of(&next).position().as_ref(),
                Ok(&next),
                "{position:?} {m:?}"
            );
            assert_eq!(next, naive::played(position, m), "{position:?} {m:?}");
            assert_eq!(next.in_check(), next.checkers().count() > 0);
        }
    });
}

#[test]
fn what_is_written_is_found_again() {
    in_random_games(|position, _| {
        for m in list(position) {
            assert_eq!(
                position.find(&position.written(m)),
                Found::One(m),
                "{position:?} {m:?}"
            );
        }
    });
}

#[test]
fn only_what_is_listed_is_found() {
    in_random_games(|position, is_chosen| {
        let full: Vec<_> = list(position)
            .into_iter()
            .map(|m| (m, in_full(position, m)))
            .collect();
        for (to, role) in (0..25).flat_map(|to| Role::ALL.map(|role| (square_at(to), role))) {
            assert_found(position, &full, &Written::Drop { role, to });
            if is_chosen {
                for pattern in patterns(role, to) {
                    assert_found(position, &full, &Written::Move(pattern));
                }
            }
        }
    });
}

/// A listed move with its complete origin.
fn in_full(position: &Olympic, m: Move) -> Written {
    match (position.written(m), m.from()) {
        (Written::Move(pattern), Some(from)) => Written::Move(Pattern {
            file: Some(from.file),
            rank: Some(from.rank),
            ..pattern
        }),
        (written, _) => written,
    }
}

/// Every way to write a move of a role to a square.
fn patterns(role: Role, to: Square) -> impl Iterator<Item = Pattern> {
    let coordinates = || (0..6).map(|at| (at < 5).then_some(at));
    let promotions = [None, Some(Role::Gold), Some(Role::Silver)];
    coordinates()
        .flat_map(move |file| coordinates().map(move |rank| (file, rank)))
        .flat_map(move |(file, rank)| {
            promotions.into_iter().flat_map(move |promotion| {
                [false, true].map(|capture| Pattern {
                    role,
                    file,
                    rank,
                    capture,
                    to,
                    promotion,
                    arrival: Arrival::Here,
                })
            })
        })
}

fn assert_found(position: &Olympic, full: &[(Move, Written)], written: &Written) {
    let mut meant = full
        .iter()
        .filter(|(_, listed)| is_meant(written, listed))
        .map(|(m, _)| *m);
    let expected = match (meant.next(), meant.next()) {
        (None, _) => Found::None,
        (Some(m), None) => Found::One(m),
        _ => Found::Several,
    };
    assert_eq!(position.find(written), expected, "{position:?} {written:?}");
}

/// Whether the written move can mean the listed one.
fn is_meant(written: &Written, listed: &Written) -> bool {
    let (Written::Move(pattern), Written::Move(full)) = (written, listed) else {
        return written == listed;
    };
    let is_same_kind =
        (pattern.role, pattern.to, pattern.promotion) == (full.role, full.to, full.promotion);
    let is_same_way = pattern.role != Role::Pawn || takes(pattern) == full.capture;
    is_same_kind && is_same_way && full.origin().is_some_and(|from| pattern.may_start_on(from))
}

/// A second implementation of the laws, which walks from square to square and tries out every move.
mod naive {
    use super::*;

    const SLANTING: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    const STRAIGHT: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];

    /// The steps of a piece of White, and how often it may repeat one.
    fn steps(piece: BoardPiece) -> (Vec<(i32, i32)>, usize) {
        let role = if piece.promoted {
            Role::Gold
        } else {
            piece.piece.role
        };
        match role {
            Role::Rook => (STRAIGHT.to_vec(), 4),
            Role::Bishop => (SLANTING.to_vec(), 4),
            Role::King => ([STRAIGHT, SLANTING].concat(), 1),
            Role::Gold => ([&STRAIGHT[..], &[(1, 1), (-1, 1)]].concat(), 1),
            Role::Silver => ([&SLANTING[..], &[(0, 1)]].concat(), 1),
            Role::Pawn => (vec![(0, 1), (1, 1), (-1, 1)], 1),
            Role::Knight | Role::Queen => (vec![], 0),
        }
    }

    /// Where the piece on a square can go or capture, safe or not.
    fn reach(setup: &Setup, from: i32, piece: BoardPiece) -> Vec<i32> {
        let (steps, times) = steps(piece);
        let ahead = if piece.piece.side == White { 1 } else { -1 };
        let mut reach = Vec::new();
        for (file, rank) in steps {
            for n in 1..=times as i32 {
                let (f, r) = (from % 5 + file * n, from / 5 + rank * ahead * n);
                if !(0..5).contains(&f) || !(0..5).contains(&r) {
                    break;
                }
                let target = setup.board[(r * 5 + f) as usize];
                let is_pawn = piece.piece.role == Role::Pawn && !piece.promoted;
                let may = !is_pawn || (file != 0) == target.is_some();
                if may && target.is_none_or(|other| other.piece.side != piece.piece.side) {
                    reach.push(r * 5 + f);
                }
                if target.is_some() {
                    break;
                }
            }
        }
        reach
    }

    pub(super) fn is_in_check(setup: &Setup, side: Side) -> bool {
        let king = Piece {
            side,
            role: Role::King,
        };
        (0..).zip(setup.board).any(|(from, piece)| {
            piece
                .filter(|piece| piece.piece.side != side)
                .is_some_and(|piece| {
                    let takes_king =
                        |to: i32| setup.board[to as usize].is_some_and(|other| other.piece == king);
                    reach(setup, from, piece).into_iter().any(takes_king)
                })
        })
    }

    pub(super) fn moves(setup: &Setup) -> Vec<Move> {
        let mut moves = Vec::new();
        for (from, piece) in (0..).zip(setup.board) {
            if let Some(piece) = piece.filter(|piece| piece.piece.side == setup.turn) {
                for to in reach(setup, from, piece) {
                    let promotes = promotions(piece, from / 5, to / 5);
                    moves.extend(
                        promotes
                            .iter()
                            .map(|p| Move::shift(from as u32, to as u32, *p)),
                    );
                }
            }
        }
        for (kind, held) in setup.hands[setup.turn].into_iter().enumerate() {
            let may = |to: &i32| {
                held > 0
                    && setup.board[*to as usize].is_none()
                    && (kind != PAWN || to / 5 != last(setup.turn))
            };
            moves.extend((0..25).filter(may).map(|to| Move::drop(kind, to as u32)));
        }
        moves.retain(|m| !is_in_check(&arranged(setup, *m), setup.turn));
        moves.sort();
        moves
    }

    fn last(side: Side) -> i32 {
        if side == White { 4 } else { 0 }
    }

    fn promotions(piece: BoardPiece, from: i32, to: i32) -> &'static [bool] {
        let last = last(piece.piece.side);
        match piece.piece.role {
            Role::Pawn if !piece.promoted && to == last => &[true],
            Role::Silver if !piece.promoted && (from == last || to == last) => &[false, true],
            _ => &[false],
        }
    }

    /// The pieces after a move; the turn is unchanged.
    fn arranged(setup: &Setup, m: Move) -> Setup {
        let mut next = setup.clone();
        let (side, to) = (setup.turn, m.arrival() as usize);
        match m.origin() {
            Origin::Hand(kind) => {
                next.hands[side][kind] -= 1;
                next.board[to] = Some(BoardPiece {
                    piece: Piece {
                        side,
                        role: HAND[kind],
                    },
                    promoted: false,
                });
            }
            Origin::Board(from) => {
                let occupant = next.board[from as usize].take().unwrap();
                if let Some(taken) = next.board[to].replace(BoardPiece {
                    promoted: occupant.promoted || m.promotes(),
                    ..occupant
                }) {
                    let kind = HAND.iter().position(|role| *role == taken.piece.role);
                    if let Some(kind) = kind {
                        next.hands[side][kind] += 1;
                    }
                }
            }
        }
        next
    }

    /// The position after a move, its counters recomputed.
    pub(super) fn played(position: &Olympic, m: Move) -> Olympic {
        let before = Setup::of(position);
        let mut next = arranged(&before, m);
        let pawn = |side| BoardPiece {
            piece: Piece {
                side,
                role: Role::Pawn,
            },
            promoted: false,
        };
        let pawns = |setup: &Setup| {
            Side::BOTH.map(|s| setup.board.map(|occupant| occupant == Some(pawn(s))))
        };
        let pieces = |setup: &Setup| setup.board.iter().flatten().count();
        let zeroing = pawns(&next) != pawns(&before) || pieces(&next) < pieces(&before);
        next.halfmove = if zeroing { 0 } else { before.halfmove + 1 };
        next.fullmove += u32::from(before.turn == Black);
        next.turn = before.turn.other();
        next.position().unwrap()
    }
}
