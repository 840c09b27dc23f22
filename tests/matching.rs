//! Matchings checked by enumeration, by another implementation, and against themselves after changes.

use crate::{chance::Chance, depth::tries};
use overboard_schedules::matching::{Barrier, Matching, Weight, Wide};

/// A symmetric table of weights, `None` where there is no edge.
type Weights = Vec<Vec<Option<i64>>>;

/// A random graph: an edge with a probability of `chance_of_edge` per cent, with weights of both signs up to `bound`.
fn random_table(chance: &mut Chance, n: usize, chance_of_edge: usize, bound: usize) -> Weights {
    let mut table = vec![vec![None; n]; n];
    for (u, v) in (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v))) {
        if chance.below(100) < chance_of_edge {
            let weight = Some(chance.below(2 * bound + 1) as i64 - bound as i64);
            (table[u][v], table[v][u]) = (weight, weight);
        }
    }
    table
}

/// The weight of the best perfect matching of the vertices in `free`, by trying all.
fn best_of_all(table: &Weights, free: u32) -> Option<i64> {
    if free == 0 {
        return Some(0);
    }
    let u = free.trailing_zeros() as usize;
    let others = (u + 1..table.len()).filter(|v| free >> v & 1 == 1);
    let values =
        others.filter_map(|v| Some(table[u][v]? + best_of_all(table, free & !(1 << u | 1 << v))?));
    values.max()
}

fn matching_of(table: &Weights) -> Matching<i64> {
    Matching::with(table.len(), |u, v| table[u][v])
}

/// Checks that the matching is symmetric, uses existing edges, and has the claimed weight.
fn assert_perfect(matching: &Matching<i64>, table: &Weights, weight: i64) {
    let mut sum = 0;
    for (v, row) in table.iter().enumerate() {
        let mate = matching.mate(v).expect("all are matched");
        assert_eq!(matching.mate(mate), Some(v));
        sum += row[mate].expect("matched along an edge");
    }
    assert_eq!(sum, 2 * weight);
}

/// Checks that the barrier by itself proves that there is no perfect matching.
fn assert_barrier(barrier: &Barrier, table: &Weights) {
    assert!(barrier.parts.len() > barrier.cut.len());
    for (index, part) in barrier.parts.iter().enumerate() {
        assert_eq!(part.len() % 2, 1);
        let outside = (0..table.len()).filter(|v| !part.contains(v) && !barrier.cut.contains(v));
        for v in outside {
            assert!(
                part.iter().all(|u| table[*u][v].is_none()),
                "part {index} has an edge out"
            );
        }
    }
}

fn judge(matching: &mut Matching<i64>, table: &Weights) {
    match (matching.solve(), best_of_all(table, (1 << table.len()) - 1)) {
        (Ok(weight), Some(best)) => {
            assert_eq!(weight, best, "{table:?}");
            assert_perfect(matching, table, weight);
        }
        (Err(barrier), None) => assert_barrier(&barrier, table),
        (found, expected) => panic!("{found:?} instead of {expected:?}: {table:?}"),
    }
}

#[test]
fn small_graphs_agree_with_trying_all() {
    let mut chance = Chance::seeded(11);
    for _ in 0..tries(6000) {
        let n = chance.below(11);
        let (density, bound) = (20 + chance.below(81), chance.pick(&[0, 1, 3, 100]).unwrap());
        let table = random_table(&mut chance, n, density, bound);
        judge(&mut matching_of(&table), &table);
    }
}

#[test]
fn changed_graphs_agree_with_trying_all() {
    let mut chance = Chance::seeded(12);
    for round in 0..tries(400) {
        let n = 4 + 2 * chance.below(4);
        let bound = [1, 2, 30][round % 3];
        let mut table = random_table(&mut chance, n, 70, bound);
        let mut matching = matching_of(&table);
        for _ in 0..25 {
            for _ in 0..1 + chance.below(4) {
                let (u, v) = (chance.below(n), chance.below(n));
                if u == v {
                    continue;
                }
                let weight = (chance.below(100) < 70)
                    .then(|| chance.below(2 * bound + 1) as i64 - bound as i64);
                table[u][v] = weight;
                table[v][u] = weight;
                matching.set(u, v, weight);
                assert_eq!(matching.weight(u, v), weight);
            }
            judge(&mut matching, &table);
        }
    }
}

/// The best weight according to the crate `integer-blossom`, which has no negative weights: each is raised so
/// that more pairs always weigh more.
fn best_of_another(table: &Weights, bound: i64) -> Option<i64> {
    let n = table.len();
    let lift = i128::from(2 * bound + 1) * (n as i128 + 1);
    let lifted = |u: usize, v: usize| table[u][v].map_or(0, |weight| i128::from(weight) + lift);
    let weights: Vec<i128> = (0..n * n).map(|i| lifted(i / n, i % n)).collect();
    let mates = integer_blossom::max_weight_matching(&weights, n);
    let sum = |(v, mate): (usize, &Option<usize>)| table[v][(*mate)?];
    mates
        .iter()
        .enumerate()
        .map(sum)
        .sum::<Option<i64>>()
        .map(|twice| twice / 2)
}

#[test]
fn larger_graphs_agree_with_another_implementation() {
    let mut chance = Chance::seeded(13);
    for round in 0..tries(240) {
        let n = 12 + 2 * chance.below(35);
        let bound = [1, 4, 1000, 1_000_000][round % 4];
        let density = [4, 12, 50, 100][round / 4 % 4];
        let table = random_table(&mut chance, n, density, bound);
        let mut matching = matching_of(&table);
        match (matching.solve(), best_of_another(&table, bound as i64)) {
            (Ok(weight), Some(best)) => {
                assert_eq!(weight, best);
                assert_perfect(&matching, &table, weight);
            }
            (Err(barrier), None) => assert_barrier(&barrier, &table),
            (found, expected) => panic!("{found:?} instead of {expected:?}"),
        }
    }
}

#[test]
fn changed_larger_graphs_agree_with_fresh_ones() {
    let mut chance = Chance::seeded(14);
    for round in 0..tries(12) {
        let n = 20 + 2 * chance.below(20);
        let mut table = random_table(&mut chance, n, 60, [1, 5, 5000][round % 3]);
        let mut matching = matching_of(&table);
        for _ in 0..40 {
            let (u, v) = (chance.below(n), chance.below(n));
            if u == v {
                continue;
            }
            let weight = (chance.below(4) > 0).then(|| chance.below(11) as i64);
            table[u][v] = weight;
            table[v][u] = weight;
            matching.set(u, v, weight);
            assert_eq!(matching.solve().ok(), matching_of(&table).solve().ok());
        }
    }
}

#[test]
fn wide_weights_are_whole_numbers() {
    let mut chance = Chance::seeded(15);
    let wide = |number: i64| Wide::<4>::from(number);
    for _ in 0..tries(4000) {
        let [a, b] = std::array::from_fn(|_| chance.below(1 << 31) as i64 - (1 << 30));
        let bits = chance.below(180) as u32;
        assert_eq!(wide(a) + wide(b), wide(a + b));
        assert_eq!(wide(a) - wide(b), wide(a - b));
        assert_eq!(wide(a).cmp(&wide(b)), a.cmp(&b));
        assert_eq!(wide(a).shifted(bits).cmp(&wide(b).shifted(bits)), a.cmp(&b));
        assert_eq!(
            (wide(a) + wide(a)).shifted(bits).half(),
            wide(a).shifted(bits)
        );
        assert!(Wide::<4>::ABSENT < wide(a));
    }
}

#[test]
fn wide_weights_match_like_small_ones() {
    let mut chance = Chance::seeded(16);
    for _ in 0..tries(60) {
        let n = 2 * chance.below(12);
        let table = random_table(&mut chance, n, 80, 9);
        let small = matching_of(&table).solve().ok();
        let wide = Matching::with(n, |u, v| {
            table[u][v].map(|weight| Wide::<4>::from(weight).shifted(150))
        });
        assert_eq!(
            wide.clone().solve().ok(),
            small.map(|weight| Wide::<4>::from(weight).shifted(150))
        );
        let middle = Matching::with(n, |u, v| {
            table[u][v].map(|weight| i128::from(weight).shifted(60))
        });
        assert_eq!(
            middle.clone().solve().ok(),
            small.map(|weight| i128::from(weight) << 60)
        );
    }
}
