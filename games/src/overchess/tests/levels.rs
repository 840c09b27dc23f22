use super::*;
use overboard_rules::by_side::BySide;

/// A simple generator of the same numbers on every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
}

fn all_options() -> Vec<Options> {
    let reserves = Reserves::Team(BySide::both(
        Roster::NONE.with(Role::Pawn, 2).with(Role::Knight, 1),
    ));
    let sets = Reserves::Set(BySide::both(Roster::NONE.with(Role::Pawn, 1)));
    let plain = Options::default();
    vec![
        plain,
        Options {
            fog: true,
            drawn: Drawn::BothLeave,
            ..plain
        },
        Options {
            prisoners: true,
            consolidation: true,
            reserves,
            ..plain
        },
        Options {
            fog: true,
            prisoners: true,
            consolidation: true,
            reserves: sets,
            ..plain
        },
        Options {
            prisoners: true,
            drawn: Drawn::AttackerLeaves,
            ..plain
        },
    ]
}

/// Asserts that the counts are those of the individuals, on every board.
fn is_sound(position: &Over) {
    for level in position.levels().filter(|level| level.is_named()) {
        for at in 0..64 {
            let Some(there) = level.piece_at(square(at)) else {
                continue;
            };
            let Some(one) = level.at(square(at)) else {
                assert_eq!(there.piece.role, Role::King);
                continue;
            };
            if level.depth() > 1 {
                assert_eq!(
                    one.army.roster(),
                    there.pieces,
                    "{} on {}",
                    one.name,
                    square(at)
                );
            }
        }
        for (slot, contest) in level.contested().enumerate() {
            let one = level.attacked(slot).unwrap();
            assert!(level.depth() == 1 || one.army.roster() == contest.defender.pieces);
        }
    }
}

#[test]
fn games_by_chance_keep_their_individuals() {
    let mut met = [0; 4];
    for (seed, options) in all_options().into_iter().enumerate() {
        for depth in [1, 2, 3] {
            let mut chance = Chance(seed as u64 + 7 * u64::from(depth));
            let mut position = Over::first(depth, options);
            for _ in 0..1500 {
                is_sound(&position);
                let mut plies = Vec::new();
                position.legal_moves(|ply| plies.push(ply));
                assert_eq!(plies.len() as u64, position.count_legal());
                if position.end_by_itself().is_some() {
                    break;
                }
                assert!(!plies.is_empty());
                let attacks: Vec<_> = plies
                    .iter()
                    .copied()
                    .filter(|ply| matches!(ply, Ply::Over(m) if position.current().attacks(*m)))
                    .collect();
                let from = if attacks.is_empty() || chance.below(4) == 0 {
                    &plies
                } else {
                    &attacks
                };
                let ply = from[chance.below(from.len())];
                assert_eq!(position.judge(Asked::Ply(ply)), Ok(ply));
                met[0] += usize::from(matches!(ply, Ply::Take(_)));
                met[1] += usize::from(matches!(ply, Ply::Hand(..)));
                met[2] += usize::from(matches!(ply, Ply::Reserve(..)));
                position.play(ply);
                if chance.below(30) == 0 {
                    let outcomes = [
                        Outcome::Win(Side::White),
                        Outcome::Win(Side::Black),
                        Outcome::Draw,
                    ];
                    let level = chance.below(position.open());
                    met[3] += usize::from(level + 1 < position.open());
                    position.conclude(level, outcomes[chance.below(3)]);
                }
            }
        }
    }
    assert!(met.iter().all(|times| *times > 0), "{met:?}");
}

#[test]
fn depth_costs_nothing_until_it_is_played() {
    let mut position = Over::first(DEEPEST, Options::default());
    let mut chance = Chance(3);
    while position.open() < usize::from(DEEPEST) {
        let mut plies = Vec::new();
        position.legal_moves(|ply| plies.push(ply));
        let attack = plies
            .iter()
            .find(|ply| matches!(ply, Ply::Over(m) if position.current().attacks(*m)));
        let ply = attack
            .copied()
            .unwrap_or_else(|| plies[chance.below(plies.len())]);
        position.play(ply);
    }
    is_sound(&position);
    let name = position
        .level(63)
        .and_then(|level| level.at(Square::new(4, 1)))
        .map(|one| one.name.steps().len());
    assert!(name.is_none_or(|steps| steps == 64));
    position.conclude(0, Outcome::Draw);
    assert_eq!(position.open(), 1);
    is_sound(&position);
}
