//! Figures compared with published ones, with a second computation, and with simulations.

use crate::{chance::Chance, depth::tries};
use overboard_engines::stats::{Decision, Interval, Model, Sample, Sprt, Wdl, share_of};

fn near(what: &str, found: f64, expected: f64, within: f64) {
    assert!(
        (found - expected).abs() <= within,
        "{what}: {found}, not {expected}"
    );
}

/// Compares a figure and half its interval, to as many digits as were printed.
fn agrees(what: &str, found: Interval, [value, half]: [f64; 2], within: f64) {
    near(what, found.value.unwrap(), value, within);
    near(what, found.half().unwrap(), half, within);
}

fn games_of([wins, draws, losses]: [u64; 3]) -> Sample {
    Sample::of_games(Wdl::new(wins, draws, losses))
}

fn ratio(model: Model, elo: [f64; 2], sample: &Sample) -> f64 {
    Sprt::new(model, elo, [0.05, 0.05])
        .unwrap()
        .ratio(sample)
        .unwrap()
}

/// 200 games between random players, run with fastchess 1.8.2 (74deac23), which printed these figures. A script that
/// finds roots by bisection computed the same figures and the ratios.
#[test]
fn two_hundred_games_of_fastchess() {
    let pairs = Sample::of_pairs([1, 9, 81, 8, 1]);
    agrees("Elo", pairs.elo(), [-1.74, 17.03], 0.005);
    agrees(
        "normalised Elo",
        pairs.normalised_elo(),
        [-4.91, 48.15],
        0.005,
    );
    near("LOS", pairs.los().unwrap(), 0.4207, 0.00005);
    let games = games_of([14, 171, 15]);
    near(
        "Elo of the games",
        games.elo().half().unwrap(),
        18.35,
        0.005,
    );
    near(
        "logistic",
        ratio(Model::Logistic, [0.0, 5.0], &games),
        -0.240_917,
        1e-6,
    );
    near(
        "normalised",
        ratio(Model::Normalised, [0.0, 5.0], &games),
        -0.058_505,
        1e-6,
    );
    near(
        "closed form",
        closed_form([0.0, 5.0], &games),
        -0.242_096,
        1e-6,
    );
}

/// The pairs of fastchess's pull request #783. It prints 3.05 ± 2.31, and 2.94598 for the ratio, as its search stops at
/// a change of 1e-4; the script that uses bisection gives 2.945495.
#[test]
fn forty_thousand_pairs_of_fastchess() {
    let pairs = Sample::of_pairs([379, 10170, 21828, 10640, 343]);
    agrees(
        "normalised Elo",
        pairs.normalised_elo(),
        [3.0505, 2.3124],
        0.00005,
    );
    near(
        "normalised",
        ratio(Model::Normalised, [0.0, 2.0], &pairs),
        2.945_495,
        1e-6,
    );
    near(
        "logistic",
        ratio(Model::Logistic, [0.0, 2.0], &pairs),
        3.125_676,
        1e-6,
    );
    near(
        "closed form",
        closed_form([0.0, 2.0], &pairs),
        3.126_560,
        1e-6,
    );
}

#[test]
fn bounds_are_those_of_wald() {
    let [low, high] = Sprt::new(Model::Logistic, [0.0, 5.0], [0.05, 0.05])
        .unwrap()
        .bounds();
    near("lower", low, -2.944_44, 1e-5);
    near("upper", high, 2.944_44, 1e-5);
    let test = Sprt::new(Model::Logistic, [0.0, 5.0], [0.01, 0.1]).unwrap();
    near("lower", test.bounds()[0], (0.1_f64 / 0.99).ln(), 1e-12);
    near("upper", test.bounds()[1], (0.9_f64 / 0.01).ln(), 1e-12);
    let decided = [-2.3, 0.0, 4.5].map(|ratio| test.decide(ratio));
    assert_eq!(decided, [Decision::H0, Decision::Open, Decision::H1]);
}

/// The formula of c-chess-cli: `N (s1 - s0)(2 mean - s0 - s1) / (2 variance)`, accurate for small differences.
fn closed_form(elo: [f64; 2], sample: &Sample) -> f64 {
    let [s0, s1] = elo.map(share_of);
    let (mean, deviation) = sample.moments().unwrap();
    sample.units() as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * deviation * deviation)
}

/// The argument and value of the maximum of a function that has a single peak.
fn peak(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> (f64, f64) {
    let golden = (5_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..200 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if f(left) < f(right) {
            low = left;
        } else {
            high = right;
        }
    }
    let at = f64::midpoint(low, high);
    (at, f(at))
}

fn likelihood(law: &[f64], seen: &[f64]) -> f64 {
    if law.iter().any(|p| *p <= 0.0) {
        return f64::NEG_INFINITY;
    }
    law.iter().zip(seen).map(|(p, n)| n * p.ln()).sum()
}

/// The most likely distribution of losses, draws and wins for this strength: only the draws are free.
fn likeliest_of_three(model: Model, elo: f64, seen: &[f64; 3]) -> f64 {
    let t = elo * 10_f64.ln() / 800.0;
    let law = |draws: f64| {
        let gap = match model {
            Model::Logistic => 2.0 * share_of(elo) - 1.0,
            // (gap / 2)² = t² ((1 - draws) - gap²) / 4
            Model::Normalised => t.signum() * (t * t * (1.0 - draws) / (1.0 + t * t)).sqrt(),
        };
        [(1.0 - draws - gap) / 2.0, draws, (1.0 - draws + gap) / 2.0]
    };
    // Where no distribution exists the function is -infinity, so the peak is searched where one does.
    let most = match model {
        Model::Logistic => 1.0 - (2.0 * share_of(elo) - 1.0).abs(),
        Model::Normalised => 1.0 / (1.0 + t * t),
    };
    peak(0.0, most, |draws| likelihood(&law(draws), seen)).1
}

#[test]
fn ratios_of_games_agree_with_a_one_dimensional_search() {
    let mut chance = Chance::seeded(77);
    for _ in 0..tries(300) {
        let counts = [0; 3].map(|_| 1 + chance.below(400) as u64);
        let [wins, draws, losses] = counts;
        let elo0 = chance.below(120) as f64 - 60.0;
        let elo = [elo0, elo0 + 1.0 + chance.below(60) as f64];
        let seen = [losses, draws, wins].map(|count| count as f64);
        for model in [Model::Logistic, Model::Normalised] {
            let [low, high] = elo.map(|elo| likeliest_of_three(model, elo, &seen));
            let found = ratio(model, elo, &games_of(counts));
            near(
                &format!("{model:?} {counts:?} {elo:?}"),
                found,
                high - low,
                1e-6,
            );
        }
    }
}

/// The most likely distribution of pairs with this mean. Three directions preserve sum and mean; they are searched in
/// turn.
fn likeliest_of_five(mean: f64, seen: &[f64; 5]) -> f64 {
    // The ends and the middle, mixed with the distribution of a fair coin for each game, so that all five are positive.
    let mut law = [0, 1, 2, 3, 4].map(|k| {
        [1.0, 4.0, 6.0, 4.0, 1.0][k] * mean.powi(k as i32) * (1.0 - mean).powi(4 - k as i32)
    });
    let mut best = likelihood(&law, seen);
    for _ in 0..20_000 {
        let before = best;
        for at in 0..3 {
            let moved = |step: f64| {
                let mut law = law;
                law[at] += step;
                law[at + 1] -= 2.0 * step;
                law[at + 2] += step;
                law
            };
            let (low, high) = (-law[at].min(law[at + 2]), law[at + 1] / 2.0);
            let (step, value) = peak(low, high, |step| likelihood(&moved(step), seen));
            if value > best {
                (law, best) = (moved(step), value);
            }
        }
        if best - before < 1e-13 {
            break;
        }
    }
    best
}

#[test]
fn logistic_ratios_of_pairs_agree_with_a_hill_climb() {
    let mut chance = Chance::seeded(78);
    for _ in 0..tries(12) {
        let counts = [0; 5].map(|_| 1 + chance.below(200) as u64);
        let elo = [-5.0, 10.0 + chance.below(20) as f64];
        let [low, high] =
            elo.map(|elo| likeliest_of_five(share_of(elo), &counts.map(|n| n as f64)));
        let found = ratio(Model::Logistic, elo, &Sample::of_pairs(counts));
        near(&format!("{counts:?} {elo:?}"), found, high - low, 1e-6);
    }
}

/// Draws a unit from a distribution; returns its index.
fn draw(law: &[f64], chance: &mut Chance) -> usize {
    let mut left = chance.below(1 << 30) as f64 / f64::from(1 << 30);
    law.iter()
        .position(|p| {
            left -= p;
            left < 0.0
        })
        .unwrap_or(law.len() - 1)
}

/// A distribution of pairs with this mean, similar to that of real matches.
fn law_of(mean: f64) -> [f64; 5] {
    let tilt = peak(-5.0, 5.0, |tilt| -(mean_of(&tilted(tilt)) - mean).abs()).0;
    tilted(tilt)
}

fn tilted(tilt: f64) -> [f64; 5] {
    let weights =
        [0, 1, 2, 3, 4].map(|k| [1.0, 12.0, 30.0, 12.0, 1.0][k] * (tilt * k as f64).exp());
    weights.map(|weight| weight / weights.iter().sum::<f64>())
}

fn mean_of(law: &[f64]) -> f64 {
    law.iter()
        .enumerate()
        .map(|(k, p)| k as f64 * p)
        .sum::<f64>()
        / (law.len() - 1) as f64
}

fn deviation_of(law: &[f64]) -> f64 {
    let (mean, top) = (mean_of(law), (law.len() - 1) as f64);
    law.iter()
        .enumerate()
        .map(|(k, p)| (k as f64 / top - mean).powi(2) * p)
        .sum::<f64>()
        .sqrt()
}

/// The share of this many tests that accept H1 when units are drawn from a distribution.
fn accepted(test: &Sprt, law: &[f64; 5], runs: u32, chance: &mut Chance) -> f64 {
    let mut accepted = 0;
    for _ in 0..runs {
        let mut counts = [0; 5];
        accepted += loop {
            counts[draw(law, chance)] += 1;
            match test.decide(test.ratio(&Sample::of_pairs(counts)).unwrap()) {
                Decision::H0 => break 0,
                Decision::H1 => break 1,
                Decision::Open => {}
            }
        };
    }
    f64::from(accepted) / f64::from(runs)
}

#[test]
fn sequential_tests_have_the_stated_error_rates() {
    let runs = tries(1500) as u32;
    let mut chance = Chance::seeded(79);
    for (model, elo) in [
        (Model::Logistic, [0.0, 40.0]),
        (Model::Normalised, [0.0, 70.0]),
    ] {
        let test = Sprt::new(model, elo, [0.05, 0.05]).unwrap();
        let laws = elo.map(|elo| match model {
            Model::Logistic => law_of(share_of(elo)),
            Model::Normalised => {
                let strength = elo * 10_f64.ln() / 800.0 * 2_f64.sqrt();
                let tilt = peak(-1.0, 1.0, |tilt| {
                    let law = tilted(tilt);
                    -((mean_of(&law) - 0.5) / deviation_of(&law) - strength).abs()
                });
                tilted(tilt.0)
            }
        });
        let alpha = accepted(&test, &laws[0], runs, &mut chance);
        let beta = 1.0 - accepted(&test, &laws[1], runs, &mut chance);
        // Three standard errors of the count are 0.017. A test ends beyond its bound, so it errs slightly less often
        // than stated.
        for error in [alpha, beta] {
            assert!((0.025..0.067).contains(&error), "{model:?}: {alpha} {beta}");
        }
    }
}

#[test]
fn intervals_have_the_stated_coverage() {
    let runs = tries(5000) as u32;
    let mut chance = Chance::seeded(80);
    for elo in [0.0, 60.0] {
        let law = law_of(share_of(elo));
        let strength =
            (mean_of(&law) - 0.5) / deviation_of(&law) / 2_f64.sqrt() * 800.0 / 10_f64.ln();
        let mut covered = [0; 2];
        for _ in 0..runs {
            let mut counts = [0; 5];
            (0..400).for_each(|_| counts[draw(&law, &mut chance)] += 1);
            let sample = Sample::of_pairs(counts);
            for (count, (interval, truth)) in covered
                .iter_mut()
                .zip([(sample.elo(), elo), (sample.normalised_elo(), strength)])
            {
                *count +=
                    u32::from((interval.low.unwrap()..interval.high.unwrap()).contains(&truth));
            }
        }
        for count in covered {
            let share = f64::from(count) / f64::from(runs);
            assert!((0.94..=0.96).contains(&share), "{elo}: {share}");
        }
    }
}

#[test]
fn every_figure_is_finite_or_absent() {
    let mut samples = vec![games_of([0; 3]), Sample::of_pairs([0; 5])];
    for count in [1, 2, 1000, 1 << 40] {
        for at in 0..5 {
            let mut pairs = [0; 5];
            pairs[at] = count;
            samples.push(Sample::of_pairs(pairs));
            let mut games = [0; 3];
            games[at % 3] = count;
            samples.push(games_of(games));
            pairs[4 - at] += 1;
            samples.push(Sample::of_pairs(pairs));
        }
    }
    samples.push(Sample::new(&[(0.0, 3), (1.0 / 3.0, 0), (1.0, 5)], 3).unwrap());
    for sample in &samples {
        let intervals = [
            sample.share(),
            sample.elo(),
            sample.strength(),
            sample.normalised_elo(),
        ];
        let figures = intervals
            .iter()
            .flat_map(|interval| [interval.value, interval.low, interval.high]);
        for figure in figures.chain([sample.los()]).flatten() {
            assert!(figure.is_finite(), "{sample:?}");
        }
        for (model, elo) in [
            (Model::Logistic, [-1000.0, 1000.0]),
            (Model::Logistic, [0.0, 5.0]),
            (Model::Normalised, [-200.0, 200.0]),
            (Model::Normalised, [0.0, 5.0]),
        ] {
            let test = Sprt::new(model, elo, [0.05, 0.05]).unwrap();
            let found = test.ratio(sample);
            // Three games with the same score, and 200 Elo: no distribution is found, and the result is `None`.
            assert!(
                found.map_or(sample.games() == 3, f64::is_finite),
                "{model:?} {elo:?} {sample:?}"
            );
        }
    }
}

/// All units alike: for ten wins out of ten the interval of Clopper and Pearson is 0.6915 to 1, as in any table of it.
#[test]
fn ten_wins_of_ten_have_the_exact_interval() {
    let share = games_of([10, 0, 0]).share();
    near("lower", share.low.unwrap(), 0.6915, 0.00005);
    assert_eq!((share.value, share.high), (Some(1.0), Some(1.0)));
    let drawn = games_of([0, 10, 0]).share();
    near("lower", drawn.low.unwrap(), 0.6915 / 2.0, 0.00005);
    near("upper", drawn.high.unwrap(), 1.0 - 0.6915 / 2.0, 0.00005);
}

#[test]
fn invalid_tests_and_samples_are_refused() {
    let test = |elo, errors| Sprt::new(Model::Normalised, elo, errors).is_err();
    assert!(
        test([0.0, 0.0], [0.05; 2])
            && test([0.0, 300.0], [0.05; 2])
            && test([f64::NAN, 1.0], [0.05; 2])
    );
    assert!(
        test([0.0, 5.0], [0.0, 0.05])
            && test([0.0, 5.0], [0.05, 0.5])
            && test([0.0, 5.0], [f64::NAN; 2])
    );
    for outcomes in [
        vec![(0.0, 1)],
        vec![(0.0, 1), (0.0, 2)],
        vec![(0.0, 1), (1.5, 2)],
        vec![(f64::NAN, 1), (1.0, 1)],
    ] {
        assert!(Sample::new(&outcomes, 1).is_err(), "{outcomes:?}");
    }
}
