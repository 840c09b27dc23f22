//! Every command that reads records does work that grows with what they hold, and hardly faster.
//!
//! `work` counts what is allocated, which is the same in every run and on every machine, so that its bound is close. Loops that
//! allocate nothing do not show there. For these the processor time of whole commands is measured, with a wide bound: it grows
//! by four where a record holds four times as much, and by sixteen where everything is compared with everything.
//!
//! A program of its own, so that no other test runs beside it: processor time is counted for all children together. `cargo bench
//! -p overboard --bench growth` prints the exponents.

#![allow(clippy::unwrap_used)]

#[path = "../cli/benches/check/clock.rs"]
#[cfg(unix)]
mod clock;
#[allow(dead_code)]
mod text;
#[path = "../cli/benches/growth/things.rs"]
mod things;
#[path = "growth/work.rs"]
mod work;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// How many items the smaller and the larger record hold.
const SIZES: [usize; 2] = [128, 512];
/// The largest permitted growth of the time.
const BOUND: f64 = 8.0;
/// Shorter times count as this many seconds: the clock is too coarse below it.
const LEAST: f64 = 0.004;
/// How often a command that seems too slow is tried again, since the machine may be doing other work.
const ROUNDS: usize = 8;

#[cfg(unix)]
#[test]
fn time_grows_with_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| -> PathBuf {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let mut too_fast = Vec::new();
    for things::Thing {
        name,
        record,
        copies,
        readers,
    } in things::THINGS
    {
        let copies = copies.div_ceil(4);
        let [few, many] =
            SIZES.map(|size| file(&format!("{size}.npgn"), &record(size).repeat(copies)));
        let nothing = file("nothing.npgn", &record(1));
        for reader in readers {
            // A list of moments has a position of every board for each moment: the output is quadratic in the number of
            // boards.
            if name == "boards" && reader.contains(&"--list") {
                continue;
            }
            let run = |path: &PathBuf| {
                let path = path.clone();
                Box::new(move || run(reader, &path)) as Box<dyn FnMut() -> u64>
            };
            let mut best = [f64::INFINITY; 3];
            let mut growths = Vec::new();
            for _ in 0..ROUNDS {
                let mut contestants = [
                    ("nothing", run(&nothing)),
                    ("few", run(&few)),
                    ("many", run(&many)),
                ];
                let times = clock::interleave(1, &mut contestants);
                for (best, time) in best.iter_mut().zip(&times) {
                    *best = best.min(*time);
                }
                growths.push(growth_of(&times));
                if least_growth(&best, &mut growths) <= BOUND {
                    break;
                }
            }
            let growth = least_growth(&best, &mut growths);
            println!(
                "{name}: {}: {growth:.1}, {:.3} s",
                reader.join(" "),
                best[2]
            );
            if growth > BOUND {
                too_fast.push(format!("{name}: {}: {growths:?}", reader.join(" ")));
            }
        }
    }
    assert!(too_fast.is_empty(), "{too_fast:#?}");
}

/// By how much the time grows from the smaller to the larger record, each less that of a record of one item.
fn growth_of(times: &[f64]) -> f64 {
    let (nothing, few, many) = (times[0], times[1], times[2]);
    (many - nothing) / (few - nothing).max(LEAST)
}

/// The growth between the best times of all rounds, or that of the middle round: a machine that other work slows down for
/// a while spoils the one or the other, and what is compared with everything is too slow in both.
fn least_growth(best: &[f64], growths: &mut [f64]) -> f64 {
    growths.sort_unstable_by(f64::total_cmp);
    growth_of(best).min(growths[growths.len() / 2])
}

/// Runs a command on a file, whatever it finds there.
fn run(arguments: &[&str], file: &Path) -> u64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_overboard"));
    command
        .args(arguments)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let status = command.status();
    assert!(
        status.is_ok_and(|status| status.code().is_some()),
        "{arguments:?} {}",
        file.display()
    );
    1
}
