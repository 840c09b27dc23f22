//! Further properties of Overchess: acts that are runs of plies, and plies that records leave out.

use super::*;
use overboard_games::overchess::{
    Block, CountedPieces, Drawn, Due, Options, Ply, Reserves, Roster,
};
use overboard_rules::{by_side::BySide, path::BoardPath};

/// Depths and combinations of options, each with a seed.
fn mixes() -> [Agreed; 6] {
    let spares = Roster::NONE.with(Role::Pawn, 2).with(Role::Knight, 1);
    let all = Options {
        prisoners: true,
        consolidation: true,
        fog: true,
        drawn: Drawn::BothLeave,
        reserves: Reserves::Team(BySide::both(spares)),
    };
    let some = Options {
        fog: false,
        drawn: Drawn::AttackerLeaves,
        reserves: Reserves::Set(BySide::both(spares)),
        ..all
    };
    let plain = Options {
        drawn: Drawn::Withdraws,
        reserves: Reserves::None,
        ..some
    };
    [
        (1, Options::default()),
        (1, all),
        (1, some),
        (2, plain),
        (2, all),
        (3, some),
    ]
    .map(|(depth, rules)| Agreed { depth, rules })
}

#[test]
fn games_in_games_agree_with_themselves() {
    for (seed, agreed) in (20..).zip(mixes()) {
        assert!(battery::<Over>(&agreed, seed, 2, 150) > 0);
    }
}

/// Plays random games in which most sub-games end by agreement or resignation, and calls `see` with every position and
/// the ply played there.
fn play_short(
    agreed: &Agreed,
    seed: u64,
    games: usize,
    mut see: impl FnMut(&Over, Ply, &mut Chance),
) {
    let mut chance = Chance(seed);
    for _ in 0..games {
        let mut game = Over::start(agreed).unwrap();
        for _ in 0..160 {
            let outcomes = [
                Outcome::Win(Side::White),
                Outcome::Win(Side::Black),
                Outcome::Draw,
            ];
            let event = Happening::Ended(outcomes[chance.below(3)]);
            if matches!(game.due(), Due::Sub(_)) && chance.below(10) == 0 {
                assert!(game.happen(game.path(), event).is_some());
            } else if game.open() > 1 && chance.below(15) == 0 {
                game.happen(game.path_of(game.open() - 1), event);
            }
            let mut plies = listed(&game);
            // The rest follows from the captures.
            let takes = |ply: &Ply| match ply {
                Ply::Over(m) => game.current().captures(*m),
                Ply::Sub(m) => m.captured().is_some(),
                _ => false,
            };
            if plies.iter().any(takes) {
                plies.retain(takes);
            }
            if plies.is_empty() {
                break;
            }
            let ply = plies[chance.below(plies.len())];
            see(&game, ply, &mut chance);
            game.play(ply);
        }
    }
}

/// The plies of a random act that begins with this ply.
fn act(game: &Over, first: Ply, chance: &mut Chance) -> Vec<Ply> {
    let mut run = vec![first];
    let (mut after, due) = (game.after(first), game.due());
    let goes_on = |after: &Over| match first {
        Ply::Consolidate(_) => after.due() == Due::Giving,
        Ply::Take(_) => after.due() == due && !after.captives().is_empty(),
        Ply::Setup(_) | Ply::Place(..) => {
            after.open() == game.open()
                && after.path() == game.path()
                && matches!(after.due(), Due::Setup(..))
        }
        _ => false,
    };
    while goes_on(&after) {
        let plies = listed(&after);
        let ply = plies[chance.below(plies.len())];
        run.push(ply);
        after.play(ply);
        if ply == Ply::Done {
            break;
        }
    }
    run
}

/// A run of plies as records write it; `None` for the set-up of one side, where the other's has no choice.
fn block(game: &Over, run: &[Ply]) -> Option<Block> {
    Some(match *run {
        [Ply::Setup(attackers), Ply::Setup(defenders)] => {
            Block::SetUp(BySide::new(attackers, defenders))
        }
        [Ply::Place(..), ..] => seats(game, run),
        [Ply::Reserve(on, role)] => Block::Reserve(on, Roster::NONE.plus(role)),
        [Ply::Prisoners(roster)] => Block::Prisoners(CountedPieces::pieces(roster)),
        [Ply::Take(_), ..] => prisoners(game, run),
        [Ply::Consolidate(from), ..] => Block::Consolidate(from, gifts(game, run)),
        _ => return None,
    })
}

fn seats(game: &Over, run: &[Ply]) -> Block {
    let mut seats = BySide::<Vec<_>>::default();
    let mut over = game.clone();
    for ply in run {
        if let (Ply::Place(place, on), Some((side, _))) = (ply, over.placing()) {
            seats[side].push((*place, *on));
        }
        over.play(*ply);
    }
    Block::Seats(seats)
}

fn prisoners(game: &Over, run: &[Ply]) -> Block {
    let mut taken = CountedPieces::default();
    for ply in run {
        if let Ply::Take(place) = ply {
            taken
                .names
                .push(game.captives().at(*place).unwrap().name.clone());
        }
    }
    Block::Prisoners(taken)
}

/// Who gets what in a consolidation: each piece is named alone.
fn gifts(game: &Over, run: &[Ply]) -> Vec<(Square, CountedPieces)> {
    let mut gifts = Vec::new();
    let mut over = game.clone();
    for ply in run {
        match *ply {
            Ply::Give(to, role) => {
                gifts.push((to, CountedPieces::pieces(Roster::NONE.plus(role))));
            }
            Ply::Hand(place, to) => {
                let mut gift = CountedPieces::default();
                gift.names.push(over.hand().at(place).unwrap().name.clone());
                gifts.push((to, gift));
            }
            _ => {}
        }
        over.play(*ply);
    }
    gifts
}

#[test]
fn an_act_is_the_run_of_plies_that_it_is_written_for() {
    let mut seen = [0; 4];
    for (seed, agreed) in (40..).zip(mixes()) {
        play_short(&agreed, seed, 3, |game, ply, chance| {
            let kind = match ply {
                Ply::Consolidate(_) => 0,
                Ply::Setup(_) | Ply::Place(..) => 1,
                Ply::Take(_) | Ply::Prisoners(_) => 2,
                Ply::Reserve(..) => 3,
                _ => return,
            };
            let run = act(game, ply, chance);
            let block = block(game, &run);
            if let Some(block) = &block {
                let said = Said::Block(block);
                assert_eq!(game.resolve(game.path(), said).unwrap(), run, "{block:?}");
            } else {
                said_one_by_one(game, game.path(), &run);
            }
            seen[kind] += 1;
            // Pieces with only one choice may be left out (OV-24).
            if let Some(Block::Consolidate(from, gifts)) = &block {
                let unnamed = Block::Consolidate(*from, Vec::new());
                match game.resolve(game.path(), Said::Block(&unnamed)) {
                    Ok(only) => assert_eq!(only, run, "{gifts:?}"),
                    Err(refusal) => {
                        assert!(
                            refusal.possible.len() > 1 && refusal.rule.id == "OV-24",
                            "{refusal:?}"
                        );
                    }
                }
            }
        });
    }
    assert!(seen.iter().all(|seen| *seen > 2), "{seen:?}");
}

const fn next<'a>(at: BoardPath, said: Said<'a, Over>) -> Option<Next<'a, Over>> {
    Some(Next {
        at,
        said,
        numbered: true,
    })
}

/// Plays the plies that the record leaves out before the next one that it has.
fn silent(
    game: &Over,
    next: Option<Next<'_, Over>>,
) -> Result<(Over, Vec<Ply>), Box<Refusal<Over>>> {
    let (mut after, mut run) = (game.clone(), Vec::new());
    while let Some(ply) = after.unsaid(next)? {
        assert!(after.is_legal(&ply));
        run.push(ply);
        after.play(ply);
    }
    Ok((after, run))
}

/// Plays plies that are written one by one, so that nothing is left out.
fn said_one_by_one(game: &Over, path: BoardPath, run: &[Ply]) -> Over {
    let mut said = game.clone();
    for ply in run {
        let block = Block::Ply(*ply);
        assert_eq!(said.unsaid(next(path, Said::Block(&block))), Ok(None));
        let plies = said.resolve(said.path(), Said::Block(&block)).unwrap();
        assert_eq!(plies, [*ply]);
        said.play(*ply);
    }
    said
}

#[test]
fn what_is_left_out_may_as_well_be_said() {
    let (mut settled, mut placed, mut ambiguous) = (0, 0, 0);
    for (seed, agreed) in (60..).zip(mixes()) {
        play_short(&agreed, seed, 3, |game, ply, _| {
            let (path, due) = (game.path(), game.due());
            let anything = next(path, Said::Ply(Written::Pass));
            match due {
                Due::Settling(_) => match silent(game, anything) {
                    Ok((unsaid, run)) => {
                        settled += 1;
                        assert!(!run.is_empty() && !matches!(unsaid.due(), Due::Settling(_)));
                        let said = said_one_by_one(game, path, &run);
                        assert_alike(&said, &unsaid);
                    }
                    Err(refusal) => {
                        ambiguous += 1;
                        assert!(
                            refusal.rule.id == "OV-41" && !refusal.possible.is_empty(),
                            "{refusal:?}"
                        );
                    }
                },
                Due::Setup(..) => match silent(game, anything) {
                    Ok((unsaid, run)) => {
                        placed += 1;
                        if let Some(block) = block(game, &run) {
                            let said = Said::Block(&block);
                            assert_eq!(game.unsaid(next(path, said)), Ok(None));
                            assert_eq!(game.resolve(path, said).unwrap(), run);
                        }
                        let said = said_one_by_one(game, path, &run);
                        assert_alike(&said, &unsaid);
                    }
                    Err(refusal) => assert_eq!(refusal.rule.id, "OV-4"),
                },
                Due::Giving => {}
                Due::Over | Due::OverFrom(_) | Due::Sub(_) => {
                    assert_eq!(game.unsaid(anything), Ok(None), "{ply:?}");
                    assert_eq!(game.unsaid(None), Ok(None));
                }
            }
        });
    }
    assert!(
        settled > 5 && placed > 5 && ambiguous > 0,
        "{settled} {placed} {ambiguous}"
    );
}

#[test]
fn a_sub_game_ends_by_what_happens_on_its_board() {
    let mut game = Over::start(&Agreed {
        depth: 2,
        ..Agreed::default()
    })
    .unwrap();
    let draw = Happening::Ended(Outcome::Draw);
    assert!(
        game.happen(BoardPath::OUTERMOST, draw).is_none(),
        "the record ends, and not the position"
    );
    for words in ["e4", "d5", "exd5"] {
        let plies = listed(&game);
        let to = words.get(words.len() - 2..).unwrap();
        let is_meant = |ply: &&Ply| match ply {
            Ply::Over(m) => {
                m.to().to_string() == to
                    && m.from().file
                        == if to == "d5" && words.len() > 2 {
                            4
                        } else {
                            m.to().file
                        }
            }
            _ => false,
        };
        game.play(*plies.iter().find(is_meant).unwrap());
    }
    let board = game.path();
    assert_eq!(board.to_string(), "D5");
    while let Some(ply) = game
        .unsaid(Some(Next {
            at: board,
            said: Said::Unreadable,
            numbered: false,
        }))
        .unwrap()
    {
        game.play(ply);
    }
    assert_eq!(
        (game.path(), game.next_move(board)),
        (board, Some((1, Side::White)))
    );
    assert!(
        game.happen(board.on(Square::new(0, 0)), draw).is_none(),
        "no game is played there"
    );
    let effects = game.happen(board, draw).unwrap();
    assert_eq!(
        effects.ended().collect::<Vec<_>>(),
        [(board, Outcome::Draw)]
    );
    assert_eq!(
        (game.path(), game.next_move(board)),
        (BoardPath::OUTERMOST, None)
    );
    let nobody = Block::Prisoners(CountedPieces::default());
    assert!(
        game.resolve(BoardPath::OUTERMOST, Said::Block(&nobody))
            .is_err()
    );
}
