//! Properties of every game, whatever its shape, tested on random games with a fixed seed.

use crate::depth::tries;
use overboard_games::{
    chess::Chess,
    mega::{self, Mega},
    metachess::Meta,
    olympic::Olympic,
    one_board::OneBoard,
    overchess::{Agreed, Over},
    registry::{AnyGame, Variant, Visitor},
    strategichess::{
        Strategi,
        linked::{self, Edition, FallenFlag, Linked},
    },
};
use overboard_referee::game::record::Record;
use overboard_rules::{
    game::{BoardId as _, Effects as _, Game, Happening, Next, Refusal, Said, Spelt, Step},
    outcome::Outcome,
    perft::{divide, perft},
    ply::{Arrival, StandingAct, Wing, Written},
    position::Found,
    repetition::{History, Times},
    square::{Role, Side, Square},
};
use std::ops::ControlFlow;

mod overs;
mod text;

/// A pseudorandom generator.
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

fn listed<G: Game>(game: &G) -> Vec<G::Ply> {
    let mut plies = Vec::new();
    let _ = game.legal(|ply| {
        plies.push(ply);
        ControlFlow::Continue(())
    });
    plies
}

fn resolved<G: Game>(game: &G, at: G::Board, spelt: &Spelt<G>) -> Vec<G::Ply> {
    let said = match spelt {
        Spelt::Ply(written) => Said::Ply(*written),
        Spelt::Block(block) => Said::Block(block),
        Spelt::Draw => Said::Draw,
        Spelt::Silent => panic!("a listed ply is written"),
    };
    game.resolve(at, said).unwrap()
}

/// Asserts that no method of a game distinguishes two positions.
fn assert_alike<G: Game>(a: &G, b: &G) {
    assert!(a.key() == b.key() && a.snapshot() == b.snapshot() && a.options() == b.options());
    assert_eq!(a.ruling(Times::FIRST), b.ruling(Times::FIRST));
    assert_eq!(a.count_legal(), b.count_legal());
    // If there are many plies, the first is enough.
    if a.count_legal() < 2_000 {
        assert_eq!(listed(a), listed(b));
    }
    let at = G::Board::WHOLE;
    assert_eq!(a.next_move(at), b.next_move(at));
}

/// Plies are listed, counted, found, resolved and written consistently; an illegal ply is refused with a rule.
fn assert_agrees<G: Game>(game: &G, chance: &mut Chance) -> Vec<G::Ply> {
    let plies = listed(game);
    assert_eq!(game.count_legal(), plies.len() as u64);
    let mut broken_off = 0;
    let flow = game.legal(|_| {
        broken_off += 1;
        ControlFlow::Break(())
    });
    assert_eq!(
        (broken_off, flow.is_break()),
        (plies.len().min(1), !plies.is_empty())
    );
    let mut boards: Vec<G::Board> = Vec::new();
    let few = 40;
    for (index, ply) in plies.iter().enumerate() {
        // If there are many, a random few are enough.
        if plies.len() > few && chance.below(plies.len()) >= few {
            continue;
        }
        let (at, spelt) = game.spell(*ply);
        if let Spelt::Ply(written) = spelt {
            assert_eq!(
                game.find(at, &written),
                Found::One(*ply),
                "{index} {written:?}"
            );
        }
        assert_eq!(resolved(game, at, &spelt), [*ply]);
        assert!(game.next_move(at).is_some(), "{at}");
        if !boards.contains(&at) {
            boards.push(at);
        }
    }
    for at in boards {
        let mut there = Vec::new();
        let _ = game.legal_on(at, |ply| {
            there.push(ply);
            ControlFlow::Continue(())
        });
        let expected: Vec<_> = plies
            .iter()
            .copied()
            .filter(|ply| game.spell(*ply).0 == at)
            .collect();
        assert_eq!(there, expected, "{at}");
        let mut unreadable = game.resolve(at, Said::Unreadable).unwrap();
        assert_eq!(unreadable.pop(), None);
        for _ in 0..4 {
            let written = nonsense(chance);
            match (
                game.find(at, &written),
                game.resolve(at, Said::Ply(written)),
            ) {
                (Found::One(found), Ok(run)) => assert_eq!(run, [found]),
                (Found::None | Found::Several, Err(refusal)) => {
                    assert!(!refusal.words.is_empty(), "{written:?}");
                }
                (found, run) => panic!("{written:?}: {found:?}, {run:?}"),
            }
        }
    }
    plies
}

/// Anything that can be written; it is seldom a move.
fn nonsense(chance: &mut Chance) -> Written {
    let roles = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
        Role::Silver,
    ];
    let role = roles[chance.below(roles.len())];
    let to = Square::new(chance.below(14) as u8, chance.below(14) as u8);
    match chance.below(8) {
        0 => Written::Pass,
        1 => Written::Drop { role, to },
        2 => Written::Castle(Wing::KingSide),
        _ => Written::Move(overboard_rules::ply::Pattern {
            role,
            file: (chance.below(3) == 0).then(|| chance.below(8) as u8),
            rank: None,
            capture: chance.below(3) == 0,
            to: Square::new(to.file % 8, to.rank % 8),
            promotion: None,
            arrival: Arrival::Here,
        }),
    }
}

/// Events that may happen, most of them impossible here and now.
fn events(chance: &mut Chance) -> [Happening; 10] {
    let mut square = || Square::new(chance.below(8) as u8, chance.below(8) as u8);
    let (from, to) = (square(), square());
    [
        Happening::Stood(StandingAct::moved(from, to)),
        Happening::Stood(StandingAct::Castled(Wing::KingSide)),
        Happening::Stood(StandingAct::Passed),
        Happening::Stood(StandingAct::Dropped {
            role: Role::Rook,
            to,
        }),
        Happening::Flag(Side::Black),
        Happening::Ended(Outcome::Draw),
        Happening::Ended(Outcome::Win(Side::White)),
        Happening::Passed,
        Happening::Stopped,
        Happening::Unjudged,
    ]
}

/// Plays random games, with other events now and then, and steps back through a log. Returns the number of games that
/// ended and the number of events that happened.
fn battery<G: Game>(options: &G::Options, seed: u64, games: usize, plies: usize) -> usize {
    let mut chance = Chance(seed);
    let (mut ended, mut happened) = (0, 0);
    for _ in 0..games {
        let start = G::start(options).unwrap();
        assert_eq!(start.options(), *options);
        let (mut game, mut log, mut kept): (_, Vec<Step<G>>, Vec<G>) =
            (start.clone(), Vec::new(), Vec::new());
        for _ in 0..plies {
            let list = assert_agrees(&game, &mut chance);
            if list.is_empty() {
                assert!(
                    game.ruling(Times::FIRST).is_some(),
                    "without a ply the game is over"
                );
                ended += 1;
                break;
            }
            let known = game.ruling(Times::FIRST.with_plies());
            assert_eq!(
                known.map(|ruling| ruling.outcome),
                game.ruling(Times::FIRST).map(|ruling| ruling.outcome)
            );
            kept.push(game.clone());
            let ply = list[chance.below(list.len())];
            let at = game.spell(ply).0;
            let event = events(&mut chance)[chance.below(7)];
            if chance.below(8) == 0 {
                let before = game.clone();
                match game.happen(at, event) {
                    Some(_) => {
                        happened += 1;
                        log.push(Step::Event(at, event));
                        continue;
                    }
                    None => assert_alike(&game, &before),
                }
            }
            let mut after = game.after(ply);
            game.play(ply);
            assert_alike(&game, &after);
            log.push(Step::Ply(ply));
            // A change to a copy leaves the original alone.
            if let Some(other) = listed(&after).first() {
                after.play(*other);
                assert_alike(&game, &kept[kept.len() - 1].after(ply));
            }
        }
        let mut replayed = start;
        for (step, kept) in log.iter().zip(&kept) {
            assert_alike(&replayed, kept);
            step.make(&mut replayed);
        }
        if log.len() == kept.len() {
            assert_alike(&replayed, &game);
        }
    }
    ended + happened
}

/// Plays random games, and counts repetitions both with a history and with a plain list; moves are also taken back.
fn recurrences<G: Game>(options: &G::Options, games: u64) -> usize {
    let mut repeated = 0;
    for seed in 0..games {
        let mut chance = Chance(seed);
        let mut game = G::start(options).unwrap();
        let mut pushed = History::from(game.key(), game.snapshot());
        let mut reached = pushed.clone();
        let mut plain = vec![game.snapshot()];
        for _ in 0..400 {
            let plies = listed(&game);
            if plies.is_empty() {
                break;
            }
            let (detour, ply) = (
                plies[chance.below(plies.len())],
                plies[chance.below(plies.len())],
            );
            let there = game.after(detour);
            pushed.push(there.key(), there.snapshot(), game.is_irreversible(detour));
            pushed.pop();
            let irreversible = game.is_irreversible(ply);
            game.play(ply);
            let (key, here) = (game.key(), game.snapshot());
            let recurrence = pushed.push(key, here.clone(), irreversible);
            let other = reached.reach(key, here.clone(), irreversible);
            if irreversible {
                plain.clear();
            }
            let last = plain.iter().rposition(|there| *there == here);
            plain.push(here.clone());
            let times = plain.iter().filter(|there| **there == here).count();
            assert_eq!((recurrence.now, other.now), (times, times));
            let since = last.map_or(&[][..], |last| &plain[last + 1..]);
            assert!(pushed.since(recurrence) == since && reached.since(other) == since);
            assert_eq!(reached.count(key, &here), times);
            repeated += usize::from(times > 1);
        }
    }
    repeated
}

#[test]
fn repetitions_are_counted_as_by_hand() {
    let chess = recurrences::<OneBoard<Chess>>(&(), 40);
    let olympic = recurrences::<OneBoard<Olympic>>(&(), 40);
    let meta = recurrences::<OneBoard<Meta>>(&(), 40);
    assert!(
        chess > 20 && olympic > 2 && meta > 10,
        "{chess} {olympic} {meta}"
    );
}

/// `perft` equals the sum over `divide`, and the sum of the counts after each ply.
fn counts<G: Game>(options: &G::Options, depth: u32, expected: u64) {
    let start = G::start(options).unwrap();
    assert_eq!(perft(&start, 0), 1);
    assert_eq!(perft(&start, depth), expected);
    assert_eq!(
        divide(&start, depth)
            .into_iter()
            .map(|(_, lines)| lines)
            .sum::<u64>(),
        expected
    );
    let by_hand = listed(&start)
        .into_iter()
        .map(|ply| perft(&start.after(ply), depth - 1))
        .sum::<u64>();
    assert_eq!(by_hand, expected);
}

/// The tests above for a game chosen at run time.
struct Battery {
    seed: u64,
    games: usize,
    plies: usize,
}

impl Visitor for Battery {
    type Out = usize;

    fn visit<G: Record>(self, game: &G) -> usize {
        battery::<G>(&game.options(), self.seed, self.games, self.plies)
    }
}

/// The number of games and plies for each game: fewer where there are more plies to list.
fn amount(start: &AnyGame) -> (usize, usize) {
    match start.count_legal() {
        ..60 => (tries(6), 200),
        60..200 => (tries(2), 120),
        200..1_000 => (tries(1), 120),
        _ => (tries(1), 25),
    }
}

#[test]
fn every_game_agrees_with_itself() {
    for (game, seed) in Variant::ALL.iter().zip(1..) {
        for (_, start) in game.sampled() {
            let (games, plies) = amount(&start);
            assert!(
                start.visit(Battery { seed, games, plies }) > 0,
                "nothing ended and nothing happened"
            );
        }
    }
}

#[test]
fn linked_boards_agree_with_themselves() {
    for (boards, edition, flag, seed) in [
        (1, Edition::Of2003, FallenFlag::King, 5),
        (2, Edition::Of2025, FallenFlag::End, 6),
        (3, Edition::Of2003, FallenFlag::King, 7),
        (4, Edition::Of2025, FallenFlag::King, 8),
    ] {
        assert!(
            battery::<Linked>(
                &linked::Options {
                    boards,
                    edition,
                    flag
                },
                seed,
                1,
                120
            ) > 0
        );
    }
}

#[test]
fn lines_of_play_are_counted_alike() {
    counts::<OneBoard<Chess>>(&(), 3, 8_902);
    counts::<OneBoard<Olympic>>(&(), 3, 2_464);
    counts::<OneBoard<Strategi>>(&(), 2, 9_409);
    counts::<OneBoard<Meta>>(&(), 2, 1_519);
    counts::<Linked>(
        &linked::Options {
            boards: 3,
            ..linked::Options::default()
        },
        2,
        84_689,
    );
    counts::<Mega>(&mega::Options::default(), 1, 660);
    counts::<Mega>(
        &mega::Options {
            free_turns: true,
            ..Default::default()
        },
        1,
        660,
    );
    counts::<Over>(&Agreed::default(), 3, 8_902);
    counts::<Over>(
        &Agreed {
            depth: 64,
            ..Agreed::default()
        },
        2,
        400,
    );
}

#[test]
fn games_that_cannot_be_are_not_started() {
    assert!(
        Linked::start(&linked::Options {
            boards: 0,
            ..linked::Options::default()
        })
        .is_err()
    );
    assert!(
        Mega::start(&mega::Options {
            level: 0,
            ..Default::default()
        })
        .is_err()
    );
    assert!(
        Mega::start(&mega::Options {
            level: 65,
            ..Default::default()
        })
        .is_err()
    );
    assert!(
        Over::start(&Agreed {
            depth: 0,
            ..Agreed::default()
        })
        .is_err()
    );
    assert!(
        Over::start(&Agreed {
            depth: 65,
            ..Agreed::default()
        })
        .is_err()
    );
    // More lines than 64 bits can count.
    assert_eq!(
        perft(
            &Mega::start(&mega::Options {
                level: 64,
                ..Default::default()
            })
            .unwrap(),
            1
        ),
        u64::MAX
    );
}
