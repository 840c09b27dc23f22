use super::*;
use overboard_referee::game::notation::Notation as _;
use overboard_rules::{
    game::{Effects as _, Happening, Said, Spelt},
    outcome::Outcome,
    perft::perft,
    ply::Arrival,
    position::Movegen,
    square::Role,
};
use std::ops::ControlFlow;

fn listed(mega: &Mega) -> Vec<Ply> {
    let mut plies = Vec::new();
    let _ = mega.legal(|ply| {
        plies.push(ply);
        ControlFlow::Continue(())
    });
    plies
}

/// The initial position of a level with free turns (MG-18).
fn free(level: u8) -> Mega {
    Mega::under(Options {
        level,
        free_turns: true,
    })
}

/// A pseudo-random sequence.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// An act as a record writes it.
fn asked(mega: &Mega, ply: &Ply) -> Asked {
    Asked::Written(match (ply.act, mega.board_at(&ply.path)) {
        (Act::Move(m), Some(Board::Chess(chess))) => chess.written(m),
        (Act::Mega(m), Some(Board::Mega(game))) => game.written(m),
        (Act::Pass, _) => Written::Pass,
        other => panic!("{other:?}"),
    })
}

#[test]
fn plies_from_the_start_are_counted() {
    let start = Mega::first(1);
    assert_eq!(start.count_legal(), 660);
    assert_eq!(perft(&start, 2), 397_220);
    assert_eq!(perft(&free(1), 2), 410_000);
    assert_eq!(free(2).count_legal(), 32 * 660 + 20);
    assert_eq!(Mega::first(2).count_legal(), 32 * 660 + 20);
    assert_eq!(listed(&Mega::first(2)).len(), 32 * 660 + 20);
    assert_eq!(Mega::first(64).choices(), None);
}

#[test]
fn listed_plies_are_judged_legal_and_mean_themselves() {
    for (level, seed) in [(1, 1), (1, 2), (2, 3), (3, 4)] {
        let mut chance = Chance(seed);
        let mut mega = Mega::first(level);
        for _ in 0..if level == 1 { 400 } else { 60 } {
            if mega.end_by_itself().is_some() {
                break;
            }
            if level < 3 {
                let plies = listed(&mega);
                assert_eq!(mega.count_legal(), plies.len() as u64);
                let ply = plies[chance.below(plies.len())];
                assert_eq!(mega.judge(&ply.path, asked(&mega, &ply)), Ok(ply));
            }
            let ply = by_chance(&mega, &mut chance);
            assert_eq!(mega.judge(&ply.path, asked(&mega, &ply)), Ok(ply));
            mega.play(ply);
        }
    }
}

/// A random board among those that may be moved on, down to a board of chess, and a random move on it; a random
/// mega-move if no board may be moved on.
fn by_chance(mega: &Mega, chance: &mut Chance) -> Ply {
    let (path, _) = mega.pick_board(&mut |limit| chance.below(limit));
    let acts = mega.acts_on(&path);
    Ply {
        path,
        act: acts[chance.below(acts.len())],
    }
}

#[test]
fn the_deepest_level_is_played_on() {
    let mut chance = Chance(7);
    for mut mega in [Mega::first(64), free(64)] {
        for _ in 0..200 {
            let ply = by_chance(&mega, &mut chance);
            assert_eq!(ply.path.len(), 64);
            mega.play(ply);
        }
        assert!(mega.open_path().len() >= 61);
    }
}

#[test]
fn digests_follow_the_position() {
    let mut chance = Chance(11);
    for mut mega in [Mega::first(2), free(2)] {
        for _ in 0..300 {
            mega.play(by_chance(&mega, &mut chance));
            let mut anew = (*mega.game).clone();
            let kept = anew.position_hash();
            anew.resum();
            assert_eq!(anew.position_hash(), kept);
        }
    }
}

#[test]
fn knights_that_come_back_make_the_position_again() {
    let mut mega = Mega::first(1);
    let knight = |file, rank| {
        let to = Square::new(file, rank);
        let arrival = Arrival::Here;
        let (file, rank) = (None, None);
        Asked::Written(Written::Move(Pattern {
            role: Role::Knight,
            file,
            rank,
            capture: false,
            to,
            promotion: None,
            arrival,
        }))
    };
    let turn = [knight(2, 2), knight(2, 5), knight(1, 0), knight(1, 7)];
    for round in 1..5 {
        for asked in turn {
            let ply = mega.judge(&BoardPath::OUTERMOST, asked).unwrap();
            let end = mega.play(ply).end();
            assert_eq!(end.is_some(), round == 4 && asked == turn[3], "{round}");
        }
        assert_eq!(
            mega.claimable(BoardPath::OUTERMOST, 1).repetition,
            round >= 2
        );
    }
    assert_eq!(mega.end_by_itself().map(|end| end.rule.id), Some("MG-14"));
}

/// A move on a board of chess or of mega-pieces, as it would be written.
fn move_to(role: Role, file: u8, rank: u8) -> Written {
    let arrival = Arrival::Here;
    let to = Square::new(file, rank);
    Written::Move(Pattern {
        role,
        file: None,
        rank: None,
        capture: false,
        to,
        promotion: None,
        arrival,
    })
}

#[test]
fn what_ends_on_a_board_is_reported() {
    let mut mega = Mega::first(1);
    let a1 = BoardPath::OUTERMOST.on(Square::new(0, 0));
    let fools_mate = [
        (Role::Pawn, 5, 2),
        (Role::Pawn, 4, 4),
        (Role::Pawn, 6, 3),
        (Role::Queen, 7, 3),
    ];
    for (number, (role, file, rank)) in fools_mate.into_iter().enumerate() {
        let Found::One(ply) = mega.find(a1, &move_to(role, file, rank)) else {
            panic!("{number}")
        };
        let mut effects = mega.play(ply);
        let ended: Vec<_> = effects.ended().collect();
        let expected = if number == 3 {
            vec![(a1, Outcome::Win(Side::Black))]
        } else {
            Vec::new()
        };
        assert_eq!(ended, expected);
        // The turn continues on seven more boards.
        while !effects.turn_over(0) {
            effects = mega.play(listed(&mega)[0]);
            assert_eq!(effects.ended().count(), 0);
        }
    }
    assert_eq!(mega.next_move(a1), None);
}

#[test]
fn a_board_drawn_inside_a_board_is_reported_by_its_path() {
    let mut mega = Mega::first(2);
    let path = BoardPath::OUTERMOST
        .on(Square::new(2, 0))
        .on(Square::new(1, 1));
    let draw = mega.resolve(path, Said::Draw).unwrap();
    let effects = mega.play(draw[0]);
    assert_eq!(effects.ended().collect::<Vec<_>>(), [(path, Outcome::Draw)]);
    assert_eq!(mega.spell(draw[0]), (path, Spelt::Draw));
    let other = BoardPath::OUTERMOST
        .on(Square::new(2, 0))
        .on(Square::new(4, 1));
    let before = mega.key();
    assert!(
        mega.happen(path, Happening::Ended(Outcome::Draw)).is_none(),
        "no game is played there"
    );
    assert_eq!(mega.key(), before);
    assert!(
        mega.happen(other, Happening::Ended(Outcome::Win(Side::White)))
            .is_some()
    );
    assert_eq!(mega.next_move(other), None);
}
