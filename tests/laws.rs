//! Orthodox chess, compared with another program's move generator and with naive counts.

use crate::{
    chance::Chance,
    depth::tries,
    naive::overchess as naive,
    random_walk::{STARTS, for_each_position},
};
use overboard_formats::san::{CHESS, San, Spelt, Suffix};
use overboard_games::{
    chess::{Chess, Found, Move},
    fen::{AsFen, Fen},
    laws,
};
use overboard_rules::{
    outcome::Cause,
    ply::{Arrival, Pattern, Wing, Written},
    position::{DrawLaw, Explain, Movegen},
    refusal::{Reason, Refusal},
    repetition::History,
    square::{Piece, Role, Square},
};
use shakmaty::{EnPassantMode, Position as _, san::SanPlus};
use std::collections::{BTreeSet, HashMap, HashSet};

fn ours(position: &shakmaty::Chess) -> Chess {
    Chess::from_setup(&Fen::parse(&fen(position)).unwrap().setup).unwrap()
}

fn fen(position: &shakmaty::Chess) -> String {
    shakmaty::fen::Fen::from_position(position, EnPassantMode::Legal).to_string()
}

fn square(square: shakmaty::Square) -> Square {
    Square::new(u8::from(square) % 8, u8::from(square) / 8)
}

fn role(role: shakmaty::Role) -> Role {
    Role::from_letter(role.upper_char() as u8).unwrap()
}

/// All parts of a move: origin, destination, piece, capture, promotion, wing.
type MoveParts = (Square, Square, Role, bool, Option<Role>, Option<Wing>);

fn our_parts(m: Move) -> MoveParts {
    (
        m.from(),
        m.to(),
        m.role(),
        m.is_capture(),
        m.promotion(),
        m.wing(),
    )
}

fn their_parts(m: &shakmaty::Move) -> MoveParts {
    let wing = m.castling_side().map(|side| {
        if side.is_king_side() {
            Wing::KingSide
        } else {
            Wing::QueenSide
        }
    });
    let to = match m.castling_side() {
        Some(side) => shakmaty::Square::from_coords(side.king_to_file(), m.from().unwrap().rank()),
        None => m.to(),
    };
    (
        square(m.from().unwrap()),
        square(to),
        role(m.role()),
        m.is_capture(),
        m.promotion().map(role),
        wing,
    )
}

fn acts(position: &shakmaty::Chess) -> Vec<MoveParts> {
    position.legal_moves().iter().map(their_parts).collect()
}

/// The check or mate suffix of the ply that leads here.
fn suffix(chess: &Chess) -> Suffix {
    match (chess.in_check(), chess.has_legal_move()) {
        (true, false) => Suffix::Mate,
        (true, true) => Suffix::Check,
        (false, _) => Suffix::None,
    }
}

#[test]
fn the_same_moves_are_legal() {
    for_each_position(400, 80, &mut Chance::seeded(1), |position| {
        let listed: HashSet<_> = ours(position)
            .moves_in_order()
            .into_iter()
            .map(our_parts)
            .collect();
        assert_eq!(
            listed,
            acts(position).into_iter().collect(),
            "{}",
            fen(position)
        );
    });
}

#[test]
fn every_legal_move_is_found_by_its_text_and_written_so() {
    for_each_position(400, 80, &mut Chance::seeded(2), |position| {
        let chess = ours(position);
        for m in position.legal_moves() {
            let text = SanPlus::from_move(position.clone(), m).to_string();
            let san = San::parse(text.as_bytes(), &CHESS).unwrap();
            let Found::One(found) = chess.find(&san.written) else {
                panic!("{text} in {}", fen(position))
            };
            assert_eq!(
                (our_parts(found), san.leniency),
                (their_parts(&m), None),
                "{text} in {}",
                fen(position)
            );
            let mut after = chess.clone();
            after.play(found);
            assert_eq!(
                format!("{}{}", Spelt(chess.written(found)), suffix(&after).as_str()),
                text,
                "{}",
                fen(position)
            );
        }
    });
}

/// Whether a written move, read leniently as on a score-sheet, can mean this one: a piece's
/// capture mark is ignored, and a pawn captures if it changes its file.
fn means(pattern: &Pattern, (from, to, role, capture, promotion, wing): &MoveParts) -> bool {
    let takes = pattern.capture || pattern.file.is_some_and(|file| file != pattern.to.file);
    *role == pattern.role
        && *to == pattern.to
        && *promotion == pattern.promotion
        && wing.is_none()
        && pattern.may_start_on(*from)
        && (*role != Role::Pawn || takes == *capture)
}

const ROLES: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

fn some_pattern(role: Role, to: Square, chance: &mut Chance) -> Pattern {
    let hint = |chance: &mut Chance| (chance.below(3) == 0).then(|| chance.below(8) as u8);
    let (file, rank) = (hint(chance), hint(chance));
    let last = matches!(to.rank, 0 | 7) && role == Role::Pawn;
    let promotion = if chance.below(8) == 0 || (last && chance.below(4) > 0) {
        chance.pick(&Role::ALL)
    } else {
        None
    };
    Pattern {
        role,
        file,
        rank,
        capture: chance.below(2) == 0,
        to,
        promotion,
        arrival: Arrival::Here,
    }
}

fn every_arrival() -> impl Iterator<Item = (Role, Square)> {
    ROLES
        .into_iter()
        .flat_map(|role| (0..64).map(move |index| (role, Square::new(index % 8, index / 8))))
}

#[test]
fn what_no_legal_move_is_written_as_is_not_found() {
    let mut chance = Chance::seeded(3);
    for_each_position(400, 40, &mut Chance::seeded(4), |position| {
        let (chess, legal) = (ours(position), acts(position));
        for (role, to) in every_arrival() {
            let pattern = some_pattern(role, to, &mut chance);
            let meant: Vec<_> = legal.iter().filter(|act| means(&pattern, act)).collect();
            let found = match chess.find(&Written::Move(pattern)) {
                Found::None => 0,
                Found::One(m) => {
                    assert_eq!(
                        [&our_parts(m)][..],
                        meant[..],
                        "{pattern:?} in {}",
                        fen(position)
                    );
                    1
                }
                Found::Several => 2,
            };
            assert_eq!(
                found,
                meant.len().min(2),
                "{pattern:?} in {}",
                fen(position)
            );
        }
        for wing in [Wing::KingSide, Wing::QueenSide] {
            let legal = legal.iter().any(|act| act.5 == Some(wing));
            assert_eq!(
                matches!(chess.find(&Written::Castle(wing)), Found::One(_)),
                legal,
                "{wing:?} in {}",
                fen(position)
            );
        }
    });
}

/// The squares that a reason refers to, if it refers to any.
fn blamed(reason: &Reason) -> Option<Vec<Square>> {
    Some(match reason {
        Reason::Blocked(pairs) => pairs.iter().map(|(_, by)| *by).collect(),
        Reason::Pinned(_, by)
        | Reason::StaysInCheck(by)
        | Reason::IntoCheck(by)
        | Reason::CastlingAttacked(_, by) => by.clone(),
        Reason::OutOfReach(from) | Reason::Ambiguous(from) => from.clone(),
        Reason::PawnBlocked(on) | Reason::NoDoubleStep(on) | Reason::CastlingBlocked(on) => {
            vec![*on]
        }
        _ => return None,
    })
}

fn is_refused_with_a_reason(chess: &Chess, written: &Written, at: &str) {
    let refusal = Refusal::of(chess, written).unwrap_or_else(|| panic!("{written:?} in {at}"));
    assert!(
        !refusal.to_string().is_empty() && !refusal.to_string().ends_with(' '),
        "{written:?} in {at}: {refusal}"
    );
    assert!(laws::find(refusal.rule().id).is_some());
    if let Some(squares) = blamed(refusal.reason()) {
        assert!(
            !squares.is_empty(),
            "{written:?} in {at}: {:?}",
            refusal.reason()
        );
        assert!(
            squares.iter().all(|on| chess.piece_at(*on).is_some()),
            "{written:?} in {at}: {:?}",
            refusal.reason()
        );
    }
    let several = chess.find(written) == Found::Several && chess.end_by_itself().is_none();
    assert_eq!(
        matches!(refusal.reason(), Reason::Ambiguous(_)),
        several,
        "{written:?} in {at}: {:?}",
        refusal.reason()
    );
    assert!(
        refusal.possible(chess).is_empty()
            <= (!chess.has_legal_move() || *written == Written::Pass)
    );
}

#[test]
fn what_is_not_found_is_refused_with_a_reason_and_a_rule() {
    let mut chance = Chance::seeded(5);
    for_each_position(66, 40, &mut Chance::seeded(6), |position| {
        let (chess, at) = (ours(position), fen(position));
        let plies =
            every_arrival().map(|(role, to)| Written::Move(some_pattern(role, to, &mut chance)));
        let others = [
            Written::Castle(Wing::KingSide),
            Written::Castle(Wing::QueenSide),
            Written::Pass,
        ];
        let drop = Written::Drop {
            role: Role::Rook,
            to: Square::new(2, 2),
        };
        for written in plies.chain(others).chain([drop]) {
            match chess.find(&written) {
                Found::One(_) => assert_eq!(Refusal::of(&chess, &written), None),
                _ => is_refused_with_a_reason(&chess, &written, &at),
            }
        }
    });
}

/// Plies that break another law than the one that first comes to mind.
#[test]
fn a_refusal_names_the_law_that_is_broken() {
    for (start, text, rule) in [
        // A pawn moves neither backwards nor sideways, whichever piece could capture there.
        (
            "rnbqkbnr/1ppppppp/p7/8/5P2/8/PPPPP1PP/RNBQKBNR w KQkq - 0 2",
            "f3",
            "CH-9",
        ),
        (
            "rnbqkbnr/1ppppppp/p7/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "d5",
            "CH-9",
        ),
        // Both pawns leave the rank between king and rook: the double step was made just now.
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2", "exd6", "CH-15"),
        ("8/8/8/K2pP2r/8/8/8/4k3 w - - 0 2", "exd6", "CH-11"),
        (
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "O-O",
            "CH-14",
        ),
        (
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "a3",
            "GEN-2",
        ),
        // A king that goes two squares sideways castles, or tries to.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kg1", "CH-14"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "Kg1", "CH-14"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Ke3", "CH-13"),
        // Black's capture in White's turn.
        (
            "rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
            "exd4",
            "CH-1",
        ),
        (
            "rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
            "Bxd4",
            "CH-2",
        ),
        // Pawns capture forwards.
        ("4k3/8/8/8/4P3/3p4/8/4K3 w - - 0 1", "exd3", "CH-10"),
    ] {
        let chess = Chess::from_setup(&Fen::parse(start).unwrap().setup).unwrap();
        let written = San::parse(text.as_bytes(), &CHESS).unwrap().written;
        let refusal = Refusal::of(&chess, &written).unwrap();
        assert_eq!(refusal.rule().id, rule, "{text} in {start}: {refusal}");
    }
}

/// Hints that accompany the law.
#[test]
fn a_refusal_says_what_was_overlooked() {
    for (start, text, words) in [
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "Kg1",
            "the king goes so far only when it castles, which is written O-O",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            "Kg1",
            "White no longer has the right to castle with the king's rook",
        ),
        (
            "4k3/8/8/8/4P3/3p4/8/4K3 w - - 0 1",
            "exd3",
            "the pawn on e4 captures only diagonally forward, and d3 is behind it",
        ),
        (
            "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1",
            "e3",
            "the pawn on e4 never goes back",
        ),
        (
            "rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
            "exd4",
            "it is White's move; only a black pawn can go to d4",
        ),
    ] {
        let chess = Chess::from_setup(&Fen::parse(start).unwrap().setup).unwrap();
        let written = San::parse(text.as_bytes(), &CHESS).unwrap().written;
        assert_eq!(
            Refusal::of(&chess, &written).unwrap().to_string(),
            words,
            "{text} in {start}"
        );
    }
    // Castling is suggested if the king's move is castling.
    let chess =
        Chess::from_setup(&Fen::parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap().setup).unwrap();
    let written = San::parse(b"Kg1", &CHESS).unwrap().written;
    let possible = Refusal::of(&chess, &written).unwrap().possible(&chess);
    assert!(possible.len() == 1 && chess.act(possible[0]).castles);
}

#[test]
fn a_position_is_written_and_read_alike() {
    for_each_position(400, 80, &mut Chance::seeded(7), |position| {
        let text = fen(position);
        let read = Fen::parse(&text).unwrap();
        assert!(!read.lenient);
        assert_eq!(AsFen(&read.setup).to_string(), text);
        let chess = Chess::from_setup(&read.setup).unwrap();
        assert_eq!(AsFen(&chess.to_setup()).to_string(), text);
        assert_eq!(chess.fullmove(), position.fullmoves().get());
    });
}

#[test]
fn playing_on_leads_to_the_same_position_as_setting_it_up() {
    let mut chance = Chance::seeded(8);
    for start in STARTS
        .iter()
        .flat_map(|start| (0..tries(1)).map(move |_| start))
    {
        let mut chess = Chess::from_setup(&Fen::parse(start).unwrap().setup).unwrap();
        for _ in 0..80 {
            let moves: Vec<_> = chess.moves_in_order();
            let Some(m) = chance.pick(&moves) else { break };
            chess.play(m);
            let text = AsFen(&chess.to_setup()).to_string();
            assert_eq!(
                Chess::from_setup(&Fen::parse(&text).unwrap().setup),
                Ok(chess.clone()),
                "{text}"
            );
        }
    }
}

/// Dead by GEN-3, by counting pieces: bare kings; one knight or bishop; bishops on one square colour.
fn is_dead_by_count(chess: &Chess) -> bool {
    let officers: Vec<_> = (0..64)
        .map(|index| Square::new(index % 8, index / 8))
        .filter_map(|on| Some((on, chess.piece_at(on)?)))
        .filter(|(_, Piece { role, .. })| *role != Role::King)
        .collect();
    let bishops = officers.iter().all(|(_, piece)| piece.role == Role::Bishop);
    let shades: BTreeSet<_> = officers.iter().map(|(on, _)| on.is_light()).collect();
    match officers[..] {
        [] => true,
        [(_, Piece { role, .. })] => matches!(role, Role::Knight | Role::Bishop),
        _ => bishops && shades.len() == 1,
    }
}

#[test]
fn a_position_ends_the_game_as_a_naive_count_says() {
    let mut seen: HashMap<_, u32> = HashMap::new();
    for_each_position(400, 400, &mut Chance::seeded(9), |position| {
        let chess = ours(position);
        let expected = match (position.legal_moves().is_empty(), position.is_check()) {
            (true, true) => Some(Cause::Checkmate),
            (true, false) => Some(Cause::Stalemate),
            _ if naive::is_dead(position, 3) => {
                assert!(is_dead_by_count(&chess) || !chess.is_bare());
                Some(Cause::DeadPosition)
            }
            _ if position.halfmoves() >= 150 => Some(Cause::SeventyFiveMoves),
            _ => None,
        };
        assert_eq!(
            chess.end_by_itself().map(|ruling| ruling.cause),
            expected,
            "{}",
            fen(position)
        );
        *seen.entry(expected).or_default() += 1;
    });
    assert_eq!(seen.len(), 5, "{seen:?}");
}

/// What GEN-4 compares, written out.
fn without_counters(chess: &Chess) -> String {
    let text = AsFen(&chess.to_setup()).to_string();
    text.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[test]
fn repetition_is_counted_as_a_naive_count_does() {
    let mut chance = Chance::seeded(10);
    let mut most = 0;
    let starts = STARTS.iter().chain(&[
        "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1",
        "n3k3/8/8/8/2p5/8/1P6/4K2N w - - 0 1",
    ]);
    for start in starts.flat_map(|start| (0..tries(8)).map(move |_| start)) {
        let mut chess = Chess::from_setup(&Fen::parse(start).unwrap().setup).unwrap();
        let mut history = History::default();
        history.start(chess.repetition_key(), chess.snapshot());
        let mut counts = HashMap::from([(without_counters(&chess), 1)]);
        for _ in 0..150 {
            let moves: Vec<_> = chess.moves_in_order();
            // A walk that tends to go back repeats itself.
            let back = moves
                .iter()
                .copied()
                .filter(|m| m.role() != Role::Pawn && !m.is_capture())
                .collect::<Vec<_>>();
            let Some(m) = chance.pick(if back.is_empty() {
                &moves
            } else {
                &back[..back.len().min(2)]
            }) else {
                break;
            };
            let irreversible = chess.is_irreversible(m);
            chess.play(m);
            let anew = Chess::from_setup(&chess.to_setup()).unwrap();
            assert_eq!(
                chess.repetition_key(),
                anew.repetition_key(),
                "{}",
                without_counters(&chess)
            );
            let count = counts.entry(without_counters(&chess)).or_insert(0);
            *count += 1;
            assert_eq!(
                history
                    .reach(chess.repetition_key(), chess.snapshot(), irreversible)
                    .now,
                *count,
                "{}",
                without_counters(&chess)
            );
            most = most.max(*count);
        }
    }
    assert!(most >= 5, "{most}");
}

fn perft(chess: &Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |m| {
        let mut after = chess.clone();
        after.play(m);
        perft(&after, depth - 1)
    };
    chess.moves_in_order().into_iter().map(after).sum()
}

/// Counts published on the Chess Programming Wiki's page on perft results.
#[test]
fn leaves_are_counted_as_published() {
    for (start, counts) in STARTS.iter().zip([
        &[20, 400, 8_902, 197_281][..],
        &[48, 2_039, 97_862],
        &[14, 191, 2_812, 43_238],
        &[6, 264, 9_467],
        &[44, 1_486, 62_379],
        &[46, 2_079, 89_890],
    ]) {
        let chess = Chess::from_setup(&Fen::parse(start).unwrap().setup).unwrap();
        let theirs: shakmaty::Chess = start
            .parse::<shakmaty::fen::Fen>()
            .unwrap()
            .into_position(shakmaty::CastlingMode::Standard)
            .unwrap();
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&chess, depth), *count, "{start}");
            assert_eq!(shakmaty::perft(&theirs, depth), *count, "{start}");
        }
    }
}
