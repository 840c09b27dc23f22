//! Tie-breaks compared with a second implementation, and with tables worked by hand.

use crate::{
    depth::tries,
    naive::tiebreak::{Cell, CrossTable, Teams},
};
use overboard_schedules::{
    ids::TeamNo,
    points::{Points, Ratio},
    standings::standings,
    team::Colour,
    tiebreak::{TieBreak, Value},
    tournament::{ByScore, Edition, Entrant, Kind, RoundEntry, Score, System, Tournament, Worth},
};
use proptest::prelude::*;

fn field(table: &CrossTable) -> Tournament {
    let worth = Worth {
        win: Points(10),
        draw: Points(5),
        loss: Points(0),
    };
    let entry = |cell: &Cell| RoundEntry {
        kind: match cell.what {
            'p' => Kind::Played,
            '+' => Kind::ForfeitWin,
            '-' => Kind::ForfeitLoss,
            'u' => Kind::Pab,
            'f' => Kind::FullBye,
            'h' => Kind::HalfBye,
            _ => Kind::ZeroBye,
        },
        opponent: cell.opponent,
        colour: cell.opponent.map(|_| {
            if cell.black {
                Colour::Black
            } else {
                Colour::White
            }
        }),
        scores: ByScore::both(Points(cell.points as i32)),
        boards: Vec::new(),
        tally: None,
    };
    let row = |(index, cells): (usize, &Vec<Cell>)| Entrant {
        number: TeamNo::at(index),
        rating: None,
        rounds: cells.iter().map(entry).collect(),
        extra: ByScore::ZERO,
    };
    Tournament {
        system: if table.swiss {
            System::Swiss
        } else {
            System::RoundRobin
        },
        edition: if table.new_edition {
            Edition::Of2026
        } else {
            Edition::Of2024
        },
        rounds: table.rounds as u32,
        primary: Score::Match,
        fore_forfeits: false,
        teams: false,
        worth: ByScore::both(worth),
        rows: table.cells.iter().enumerate().map(row).collect(),
    }
}

fn value(field: &Tournament, code: &str, player: usize) -> Ratio {
    match code.parse::<TieBreak>().unwrap().value(field, player) {
        Value::Number(number) => number,
        other => panic!("{code}: {other:?}"),
    }
}

/// Rounds of players who are paired at random, or unpaired.
fn table(
    players: usize,
    rounds: usize,
    swiss: bool,
    new_edition: bool,
    mut luck: u64,
) -> CrossTable {
    let mut next = |below: u64| {
        luck = luck
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (luck >> 33) % below
    };
    let mut cells = vec![Vec::new(); players];
    for _ in 0..rounds {
        let mut order: Vec<usize> = (0..players).collect();
        for index in (1..players).rev() {
            order.swap(index, next(index as u64 + 1) as usize);
        }
        for two in order.chunks(2) {
            let kind = next(10);
            if two.len() == 1 || kind == 0 {
                for one in two {
                    let (what, points) = if swiss {
                        [('u', 10), ('f', 10), ('h', 5), ('z', 0)][next(4) as usize]
                    } else {
                        ('z', 0)
                    };
                    cells[*one].push(Cell {
                        what,
                        opponent: None,
                        black: false,
                        points,
                    });
                }
                continue;
            }
            let (first, second) = if kind == 1 {
                [(('+', 10), ('-', 0)), (('-', 0), ('-', 0))][next(2) as usize]
            } else {
                [
                    (('p', 10), ('p', 0)),
                    (('p', 5), ('p', 5)),
                    (('p', 0), ('p', 10)),
                ][next(3) as usize]
            };
            cells[two[0]].push(Cell {
                what: first.0,
                opponent: Some(two[1]),
                black: false,
                points: first.1,
            });
            cells[two[1]].push(Cell {
                what: second.0,
                opponent: Some(two[0]),
                black: true,
                points: second.1,
            });
        }
    }
    CrossTable {
        swiss,
        new_edition,
        rounds,
        draw: 5,
        cells,
    }
}

/// Points in tenths of a won match and of all its boards.
const WINS: [i64; 2] = [20, 40];

/// Teams of four boards that meet as the players do: match points 2, 1 and 0, random game points where the result
/// leaves them open.
fn teams(of: &CrossTable, mut luck: u64) -> Teams {
    let mut next = |below: u64| {
        luck = luck
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((luck >> 33) % below) as i64
    };
    let mut cells = [of.cells.clone(), of.cells.clone()];
    for team in 0..of.cells.len() {
        for round in 0..of.cells[team].len() {
            let cell = &of.cells[team][round];
            cells[0][team][round].points = cell.points * 2;
            // The first of the two sets the points of both, so that all boards are accounted for.
            if cell.opponent.is_some_and(|other| other < team) {
                continue;
            }
            let own = match (cell.what, cell.points) {
                ('p', 10) => 25 + 5 * next(4),
                ('p', 0) => 5 * next(4),
                (_, points) => points * 4,
            };
            cells[1][team][round].points = own;
            if let Some(other) = cell.opponent {
                let lost = cell.what == '-' && of.cells[other][round].what == '-';
                cells[1][other][round].points = if lost { 0 } else { 40 - own };
            }
        }
    }
    let [mp, gp] = cells;
    let table = |draw, cells| CrossTable {
        swiss: of.swiss,
        new_edition: of.new_edition,
        rounds: of.rounds,
        draw,
        cells,
    };
    Teams {
        mp: table(10, mp),
        gp: table(20, gp),
    }
}

fn field_of(teams: &Teams, primary: Score) -> Tournament {
    let mut field = field(&teams.mp);
    let worth = |win: i64| Worth {
        win: Points(win as i32),
        draw: Points(win as i32 / 2),
        loss: Points(0),
    };
    for (row, cells) in field.rows.iter_mut().zip(&teams.gp.cells) {
        for (entry, cell) in row.rounds.iter_mut().zip(cells) {
            entry.scores.games = Points(cell.points as i32);
        }
    }
    Tournament {
        teams: true,
        primary,
        worth: WINS.map(worth).into(),
        ..field
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tries(400) as u32))]

    #[test]
    fn sums_of_teams_agree_with_a_second_implementation(
        players in 2_usize..10, rounds in 1_usize..9, swiss: bool, new_edition: bool, luck: u64
    ) {
        let teams = teams(&table(players, rounds, swiss, new_edition, luck), luck ^ 0x5555);
        for (primary, primary_gp) in [(Score::Match, false), (Score::Game, true)] {
            let field = field_of(&teams, primary);
            for team in 0..players {
                for (code, totals_gp, points_gp) in
                    [("EMMSB", false, false), ("EMGSB", false, true), ("EGMSB", true, false), ("EGGSB", true, true)]
                {
                    for (modifier, least, most) in [("", 0, 0), ("/C1", 1, 0), ("/C2", 2, 0), ("/M1", 1, 1)] {
                        let code = format!("{code}{modifier}");
                        let expected = teams.extended(totals_gp, points_gp, team, least, most);
                        prop_assert_eq!(value(&field, &code, team), Ratio::new(expected, 100), "{}", code);
                    }
                }
                for (code, stated) in [("SSSC", None), ("SSSC/K3", Some(3))] {
                    if let Some((over, under)) = teams.strength(primary_gp, team, WINS, stated) {
                        prop_assert_eq!(value(&field, code, team), Ratio::new(over, under), "{}", code);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tries(400) as u32))]

    #[test]
    fn agree_with_a_second_implementation(
        players in 2_usize..12, rounds in 1_usize..10, swiss: bool, new_edition: bool, luck: u64
    ) {
        let table = table(players, rounds, swiss, new_edition, luck);
        let field = field(&table);
        for player in 0..players {
            let of = |code| value(&field, code, player);
            let tenths = |number: i64| Ratio::new(number, 10);
            let hundredths = |number: i64| Ratio::new(number, 100);
            let whole = |number: i64| Ratio::new(number, 1);
            prop_assert_eq!(of("PTS"), tenths(table.score(player)));
            for (least, most, code) in [(0, 0, "BH"), (1, 0, "BH/C1"), (2, 0, "BH/C2"), (1, 1, "BH/M1"), (2, 2, "BH/M2")] {
                prop_assert_eq!(of(code), hundredths(table.buchholz(player, least, most)), "{}", code);
            }
            prop_assert_eq!(of("SB"), hundredths(table.sonneborn_berger(player, 0)));
            prop_assert_eq!(of("SB/C1"), hundredths(table.sonneborn_berger(player, 1)));
            prop_assert_eq!(of("PS"), tenths(table.progressive(player, 0)));
            prop_assert_eq!(of("PS/C2"), tenths(table.progressive(player, 2)));
            prop_assert_eq!(of("KS"), tenths(table.koya(player)));
            prop_assert_eq!(of("WIN"), whole(table.wins(player)));
            for (code, count) in ["WON", "BPG", "BWG"].into_iter().zip(table.over_the_board(player)) {
                prop_assert_eq!(of(code), whole(count), "{}", code);
            }
            prop_assert_eq!(of("REP"), whole(table.elected(player)));
            prop_assert_eq!(of("STD"), Ratio::new(table.standard(player), 2));
        }
    }

    #[test]
    fn places_follow_the_points(players in 2_usize..12, rounds in 1_usize..8, swiss: bool, luck: u64) {
        let field = field(&table(players, rounds, swiss, true, luck));
        let criteria: Vec<TieBreak> = ["PTS", "DE", "WIN", "SB"].iter().map(|code| code.parse().unwrap()).collect();
        let places = standings(&field, &criteria);
        prop_assert_eq!(places.len(), players);
        for two in places.windows(2) {
            prop_assert!(two[0].rank <= two[1].rank);
            prop_assert!(field.total(two[0].row, Score::Match) >= field.total(two[1].row, Score::Match));
        }
    }
}

fn cell(what: char, opponent: Option<usize>, points: i64) -> Cell {
    Cell {
        what,
        opponent,
        black: false,
        points,
    }
}

/// A player with games against opponents of these scores in tenths, and one unplayed round.
fn player_with(unplayed: Cell, own: [(i64, i64); 4], opponent_of_unplayed: i64) -> [Tournament; 2] {
    let mut cells = vec![vec![cell('p', Some(1), own[0].1), unplayed]];
    cells[0].extend((1..4).map(|index| cell('p', Some(index + 1), own[index].1)));
    // The opponents get their scores from byes in the first rounds, so they count as awarded.
    let scored = |score: i64| {
        let mut rounds: Vec<Cell> = (0..5)
            .map(|round| cell('u', None, if round == 0 { score } else { 0 }))
            .collect();
        rounds[4] = cell('p', Some(0), 0);
        rounds
    };
    cells.extend(own.iter().map(|(score, _)| scored(*score)));
    cells.push(scored(opponent_of_unplayed));
    [true, false].map(|new_edition| {
        field(&CrossTable {
            swiss: true,
            new_edition,
            rounds: 5,
            draw: 5,
            cells: cells.clone(),
        })
    })
}

#[test]
fn worked_cases_of_unplayed_rounds() {
    // 3.5 points with a half-point bye in round 2: the dummy has 3.5, since 2026 at most 2.5.
    let own = [(30, 10), (30, 10), (30, 10), (25, 0)];
    let [new, old] = player_with(cell('h', None, 5), own, 0);
    assert_eq!(
        (value(&old, "BH", 0), value(&new, "BH", 0)),
        (Ratio::new(15, 1), Ratio::new(14, 1))
    );
    // 2.5 points with a win by forfeit against an opponent of 1.5: the dummy has 2.5, since 2026 at most 1.5.
    let own = [(30, 10), (30, 5), (25, 0), (25, 0)];
    let [new, old] = player_with(cell('+', Some(5), 10), own, 15);
    assert_eq!(
        (value(&old, "BH", 0), value(&new, "BH", 0)),
        (Ratio::new(27, 2), Ratio::new(25, 2))
    );
}

/// A round robin worked by hand: A beats B, C and D; B beats C; C beats D; D beats B.
#[test]
fn direct_encounter_of_three() {
    let result = |one: usize, other: usize| match (one, other) {
        (0, _) | (1, 2) | (2, 3) | (3, 1) => 10,
        _ => 0,
    };
    let rounds = [[1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];
    let cells = (0..4).map(|one| {
        rounds
            .iter()
            .map(|round| cell('p', Some(round[one]), result(one, round[one])))
            .collect()
    });
    let field = field(&CrossTable {
        swiss: false,
        new_edition: true,
        rounds: 3,
        draw: 5,
        cells: cells.collect(),
    });
    let criteria: Vec<TieBreak> = ["PTS", "DE", "SB"]
        .iter()
        .map(|code| code.parse().unwrap())
        .collect();
    let ranks: Vec<_> = standings(&field, &criteria)
        .iter()
        .map(|place| (place.rank, place.row))
        .collect();
    assert_eq!(ranks, [(1, 0), (2, 1), (2, 2), (2, 3)]);
}

/// Two teams level on match points and on the points of their match: board 1 decides.
#[test]
fn extended_direct_encounter_of_teams() {
    let worth = |win, draw| Worth {
        win: Points(win),
        draw: Points(draw),
        loss: Points(0),
    };
    let entry = |opponent, boards: [i32; 2]| RoundEntry {
        kind: Kind::Played,
        opponent: Some(opponent),
        colour: Some(Colour::White),
        scores: [Points(10), Points(boards.iter().sum())].into(),
        boards: boards.map(Points).to_vec(),
        tally: None,
    };
    let row = |number, entry| Entrant {
        number: TeamNo::new(number),
        rating: None,
        rounds: vec![entry],
        extra: ByScore::ZERO,
    };
    let field = Tournament {
        system: System::RoundRobin,
        edition: Edition::Of2026,
        rounds: 1,
        primary: Score::Match,
        fore_forfeits: false,
        teams: true,
        worth: ByScore::both(worth(20, 10)),
        rows: vec![row(1, entry(1, [0, 10])), row(2, entry(0, [10, 0]))],
    };
    let first = |codes: &[&str]| {
        let criteria: Vec<TieBreak> = codes.iter().map(|code| code.parse().unwrap()).collect();
        standings(&field, &criteria)
            .iter()
            .map(|place| (place.rank, place.row))
            .collect::<Vec<_>>()
    };
    assert_eq!(first(&["PTS", "EDE"]), [(1, 0), (1, 1)]);
    for codes in [
        ["PTS", "EDEBT"],
        ["PTS", "EDET"],
        ["PTS", "EDEB"],
        ["PTS", "BC"],
        ["PTS", "TBR"],
        ["PTS", "BBE"],
    ] {
        assert_eq!(first(&codes), [(1, 1), (2, 0)], "{codes:?}");
    }
}

/// Ratings worked by hand: opponents of 2000 and 2200, one point of two.
#[test]
fn performances() {
    let mut field = field(&CrossTable {
        swiss: true,
        new_edition: true,
        rounds: 2,
        draw: 5,
        cells: vec![
            vec![cell('p', Some(1), 10), cell('p', Some(2), 0)],
            vec![cell('p', Some(0), 0), cell('z', None, 0)],
            vec![cell('z', None, 0), cell('p', Some(0), 10)],
        ],
    });
    for (row, rating) in [(0, 2100), (1, 2000), (2, 2200)] {
        field.rows[row].rating = Some(rating);
    }
    let whole = |number| Ratio::new(number, 1);
    assert_eq!(value(&field, "ARO", 0), whole(2100));
    assert_eq!(value(&field, "TPR", 0), whole(2100));
    // At 2097 the differences of 97 and -103 give 63 and 36 per cent; at 2099, 64 and 36.
    assert_eq!(value(&field, "PTP", 0), whole(2099));
    // No points: 800 below the lowest opponent.
    assert_eq!(value(&field, "PTP", 1), whole(2100 - 800));
    assert_eq!(value(&field, "RTNG", 0), whole(2100));
}

/// Four players in a Swiss of three rounds, worked by hand, with every kind of unplayed round except the free one:
///
/// | | round 1 | round 2 | round 3 | score | as others see it (16.3) |
/// |---|---|---|---|---|---|
/// | A | beats B | draws with C | absent | 1.5 | 2, for the last round counts as a draw |
/// | B | loses to A | does not come against D | beats C | 1 | 1 |
/// | C | beats D | draws with A | loses to B | 1.5 | 1.5 |
/// | D | loses to C | B does not come | pairing-allocated bye | 2 | 2 |
fn four_players(new_edition: bool) -> Tournament {
    let [a, b, c, d] = [0, 1, 2, 3];
    let cells = vec![
        vec![
            cell('p', Some(b), 10),
            cell('p', Some(c), 5),
            cell('z', None, 0),
        ],
        vec![
            cell('p', Some(a), 0),
            cell('-', Some(d), 0),
            cell('p', Some(c), 10),
        ],
        vec![
            cell('p', Some(d), 10),
            cell('p', Some(a), 5),
            cell('p', Some(b), 0),
        ],
        vec![
            cell('p', Some(c), 0),
            cell('+', Some(b), 10),
            cell('u', None, 10),
        ],
    ];
    let mut field = field(&CrossTable {
        swiss: true,
        new_edition,
        rounds: 3,
        draw: 5,
        cells,
    });
    for (row, rating) in [2100, 2000, 2050, 1900].into_iter().enumerate() {
        field.rows[row].rating = Some(rating);
    }
    field
}

#[test]
fn a_swiss_with_unplayed_rounds_by_hand() {
    let [old, new] = [false, true].map(four_players);
    // Value of A, B, C and D in hundredths, in the edition of 2024 and in that of 2026.
    let worked: [(&str, [i64; 4], [i64; 4]); 11] = [
        // 8.1 with 16.4: dummies of A 1.5; of B 1; of D 2 and 2, since 2026 1 (the score of B) and 1.5.
        ("BH", [400, 450, 500, 550], [400, 450, 500, 400]),
        // 16.5: the dummy of A goes although B gave less; that of B is the least anyway.
        ("BH/C1", [250, 350, 400, 400], [250, 350, 400, 300]),
        // 8.3: a draw of B and C makes them 0.5 and 2; byes of the last round stay.
        ("FB", [400, 450, 450, 600], [400, 450, 450, 400]),
        // 8.2: A has met B and C, B has met A and C, C all, D only C.
        ("AOB", [475, 450, 467, 500], [475, 450, 417, 500]),
        // 9.1: A has 1 from B and 0.75 from C; D is paid by dummies of 2 and 2, since 2026 of 1 and 1.5.
        ("SB", [175, 150, 300, 400], [175, 150, 300, 250]),
        // 14.1.4 with 16.5: a dummy that gave nothing is less than what the lowest opponent gave, and stays.
        ("SB/C1", [75, 150, 300, 400], [75, 150, 300, 150]),
        // 9.2: against those of 1.5 and more.
        ("KS", [50, 100, 150, 200], [50, 100, 150, 100]),
        // 14.5: against those of 2 and more.
        ("KS/L+1", [0, 0, 150, 200], [0, 0, 150, 0]),
        // 7.6: requested byes and forfeit losses are not elected.
        ("REP", [200, 200, 300, 300], [200, 200, 300, 300]),
        // 10.4: B's performance is 2075, C's 2000, A's (1.5 of 2 against 2025) 2218, D's 2050 - 800.
        (
            "APRO",
            [203_800, 210_900, 184_800, 200_000],
            [203_800, 210_900, 184_800, 200_000],
        ),
        // 7.2: over the board only.
        ("WON", [100, 100, 100, 0], [100, 100, 100, 0]),
    ];
    for (code, in_old, in_new) in worked {
        for (edition, field, expected) in [("2024", &old, in_old), ("2026", &new, in_new)] {
            for (row, expected) in expected.into_iter().enumerate() {
                let hundredths = (0..100)
                    .map(|_| value(field, code, row))
                    .sum::<Ratio>()
                    .rounded();
                assert_eq!(
                    hundredths,
                    expected,
                    "{code} of {}, {edition}",
                    ["A", "B", "C", "D"][row]
                );
            }
        }
    }
    // 7.7: more than the opponent, or than a draw: A against B and half against C; D by forfeit and by the bye.
    let halves = [3, 2, 3, 4].map(|half| Ratio::new(half, 2));
    assert_eq!([0, 1, 2, 3].map(|row| value(&new, "STD", row)), halves);
    // 10.5: perfect performances of B 2075 and C 1999.
    assert_eq!(value(&new, "APPO", 0), Ratio::new(2037, 1));
}

/// 12: on the boards a pairing-allocated bye is a win on each of them.
#[test]
fn a_bye_of_a_team_is_a_win_on_every_board() {
    let worth = |win, draw| Worth {
        win: Points(win),
        draw: Points(draw),
        loss: Points(0),
    };
    let entry = |kind, opponent, scores: [i32; 2], boards: &[i32]| RoundEntry {
        kind,
        opponent,
        colour: None,
        scores: scores.map(Points).into(),
        boards: boards.iter().copied().map(Points).collect(),
        tally: None,
    };
    let row = |number, rounds| Entrant {
        number: TeamNo::new(number),
        rating: None,
        rounds,
        extra: ByScore::ZERO,
    };
    let field = Tournament {
        system: System::Swiss,
        edition: Edition::Of2026,
        rounds: 2,
        primary: Score::Match,
        fore_forfeits: false,
        teams: true,
        worth: ByScore::both(worth(20, 10)),
        rows: vec![
            row(
                1,
                vec![
                    entry(Kind::Played, Some(1), [10, 10], &[5, 5]),
                    entry(Kind::Pab, None, [10, 10], &[]),
                ],
            ),
            row(
                2,
                vec![
                    entry(Kind::Played, Some(0), [10, 10], &[5, 5]),
                    entry(Kind::ZeroBye, None, [0, 0], &[]),
                ],
            ),
        ],
    };
    // Halves on boards 1 and 2, and a point on each: 1.5 + 2 * 1.5.
    assert_eq!(value(&field, "BC", 0), Ratio::new(9, 2));
    assert_eq!(value(&field, "BC", 1), Ratio::new(3, 2));
    let of = |code: &str| code.parse::<TieBreak>().unwrap().value(&field, 0);
    assert_eq!(of("TBR"), Value::List(vec![Points(15), Points(15)]));
    assert_eq!(of("BBE"), Value::List(vec![Points(15)]));
    // 13.4: 2 game points, and the Buchholz over 4 match points of two rounds by 2 game points of a match, so 2.
    // Number 2 has 1 and, absent from the last round, 1 more as others see it; the dummy of the bye has 2, by 16.4.2
    // at most two draws, which are 2 as well.
    assert_eq!(value(&field, "SSSC", 0), Ratio::new(4, 1));
}

/// Ranks of participants who are all level on points, by direct encounter.
fn by_direct_encounter(cells: Vec<Vec<Cell>>, code: &str) -> Vec<u32> {
    let players = cells.len();
    let field = field(&CrossTable {
        swiss: true,
        new_edition: true,
        rounds: 3,
        draw: 5,
        cells,
    });
    let totals: Vec<_> = (0..players)
        .map(|row| field.total(row, Score::Match))
        .collect();
    assert!(totals.windows(2).all(|two| two[0] == two[1]), "{totals:?}");
    let criteria: Vec<TieBreak> = ["PTS", code]
        .iter()
        .map(|code| code.parse().unwrap())
        .collect();
    let mut places = standings(&field, &criteria);
    places.sort_by_key(|place| place.row);
    places.iter().map(|place| place.rank).collect()
}

/// 6.3: not all have met. A participant who is first whatever the missing games would give is ranked first; the others
/// are examined again.
#[test]
fn direct_encounter_of_those_who_have_not_all_met() {
    let (a, b, c) = (Some(0), Some(1), Some(2));
    let [pab, full] = ['u', 'f'].map(|what| move || cell(what, None, 10));
    // A has beaten B and C, who have not met: either could have one point at most.
    let cells = vec![
        vec![cell('p', b, 10), cell('p', c, 10), cell('z', None, 0)],
        vec![cell('p', a, 0), pab(), full()],
        vec![pab(), cell('p', a, 0), full()],
    ];
    assert_eq!(by_direct_encounter(cells, "DE"), [1, 2, 2]);
    // A has beaten B and not met C: C could beat both, and neither is certain to be first.
    let cells = vec![
        vec![cell('p', b, 10), pab(), cell('z', None, 0)],
        vec![cell('p', a, 0), pab(), full()],
        vec![pab(), full(), cell('z', None, 0)],
    ];
    assert_eq!(by_direct_encounter(cells, "DE"), [1, 1, 1]);
    // 6.1.1: a win by forfeit does not count, unless /P is given.
    let cells = || {
        vec![
            vec![cell('+', b, 10), cell('p', c, 10), cell('z', None, 0)],
            vec![cell('-', a, 0), pab(), full()],
            vec![pab(), cell('p', a, 0), full()],
        ]
    };
    assert_eq!(by_direct_encounter(cells(), "DE"), [1, 1, 1]);
    assert_eq!(by_direct_encounter(cells(), "DE/P"), [1, 2, 2]);
    // 6.1.2: the mean of two games counts, 0.75 to 0.25.
    let cells = vec![
        vec![cell('p', b, 10), cell('p', b, 5), cell('z', None, 0)],
        vec![cell('p', a, 0), cell('p', a, 5), pab()],
    ];
    assert_eq!(by_direct_encounter(cells, "DE"), [1, 2]);
}

/// Fore Buchholz keeps the score of a forfeited last round, or counts it as a draw where the event says so.
#[test]
fn fore_buchholz_of_a_forfeited_last_round() {
    let [x, y, z, w] = [0, 1, 2, 3];
    let cells = vec![
        vec![cell('p', Some(y), 10), cell('+', Some(z), 10)],
        vec![cell('p', Some(x), 0), cell('p', Some(w), 5)],
        vec![cell('p', Some(w), 10), cell('-', Some(x), 0)],
        vec![cell('p', Some(z), 0), cell('p', Some(y), 5)],
    ];
    let mut field = field(&CrossTable {
        swiss: true,
        new_edition: true,
        rounds: 2,
        draw: 5,
        cells,
    });
    let whole = |number| Ratio::new(number, 1);
    let doubled =
        |field: &Tournament, row: usize| (0..2).map(|_| value(field, "FB", row)).sum::<Ratio>();
    // Y has met X with 2 and W with a half, W has met Z with 1 and Y with a half.
    assert_eq!([y, w].map(|row| doubled(&field, row)), [5, 3].map(whole));
    field.fore_forfeits = true;
    assert_eq!([y, w].map(|row| doubled(&field, row)), [4, 4].map(whole));
}
