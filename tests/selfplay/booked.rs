//! Games are saved as soon as they end, whichever are still being played before them, and games stopped by the limit
//! are reported first.

use super::{Room, begin, done, kill_while_games_wait, report, slow_first, summary};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Child,
    thread::sleep,
    time::{Duration, Instant},
};

/// The file beside a ledger in which finished games wait.
pub fn ahead(ledger: &Path) -> PathBuf {
    PathBuf::from(format!("{}.ahead", ledger.display()))
}

/// The number of games in a file, by its complete lines.
pub fn games(file: &Path) -> usize {
    let bytes = fs::read(file).unwrap_or_default();
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines
        .filter(|line| line.starts_with(b"{\"run\"") && line.ends_with(b"\n"))
        .count()
}

/// Waits until this many games are in a file; the run must not end by itself.
fn wait_for(wanted: usize, file: &Path, child: &mut Child) {
    let begun = Instant::now();
    while games(file) < wanted {
        assert!(
            child.try_wait().unwrap().is_none(),
            "the run ended before {wanted} games were booked"
        );
        assert!(
            begun.elapsed() < Duration::from_secs(300),
            "{}: {}",
            file.display(),
            games(file)
        );
        sleep(Duration::from_millis(5));
    }
}

fn kill(mut child: Child) {
    assert!(child.try_wait().unwrap().is_none(), "the run is over");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Quick players and slow games: each game is in the ledger when it is over, rather than with the fifteen after it.
#[test]
fn every_game_is_in_the_ledger_when_it_is_over() {
    let room = Room::new();
    let line = "selfplay --variant strategichess --boards 9 --player random --games 6 --seed 2 -j 1 --ledger";
    let (whole, killed) = (room.file("whole"), room.file("killed"));
    for wanted in 1..=3 {
        let mut child = begin(line, &killed);
        wait_for(wanted, &killed, &mut child);
        kill(child);
        assert!((wanted..6).contains(&games(&killed)), "{}", games(&killed));
    }
    let (_, said, exit) = report(line, &[&killed]);
    assert!(
        exit == 0 && said.contains("of 6 games are already in the ledger"),
        "{said}"
    );
    done(line, &[&whole]);
    assert!(fs::read(&whole).unwrap() == fs::read(&killed).unwrap());
}

/// Games that end before the first one are kept after an interruption, and are not played again.
#[test]
fn games_that_wait_for_others_are_kept() {
    let room = Room::new();
    let (whole, killed) = (room.file("whole"), room.file("killed"));
    let line = &slow_first(1);
    kill_while_games_wait(line, &killed);
    let kept = fs::read(ahead(&killed)).unwrap();
    let (early, waiting) = (games(&killed), games(&ahead(&killed)));
    let (_, said, exit) = report(line, &[&killed]);
    let words =
        format!("{early} of 6 games are already in the ledger; {waiting} later games are finished");
    assert!(exit == 0 && (early > 0 || said.contains(&words)), "{said}");
    assert!(!ahead(&killed).exists(), "nothing waits any more");
    done(line, &[&whole]);
    let bytes = fs::read(&whole).unwrap();
    assert!(bytes == fs::read(&killed).unwrap());

    // Waiting games are trusted no more than a ledger: damaged ones are played again.
    let first = kept.split_inclusive(|byte| *byte == b'\n').next().unwrap();
    for at in [kept.len() - 5, kept.len() - 30, first.len() + 40] {
        let mut flipped = kept.clone();
        flipped[at] ^= 1;
        fs::write(&killed, &bytes[..bytes.len() - 1]).unwrap();
        fs::write(ahead(&killed), &flipped).unwrap();
        done(line, &[&killed]);
        assert!(bytes == fs::read(&killed).unwrap() && !ahead(&killed).exists());
    }
    fs::write(ahead(&killed), &kept[..kept.len() - 7]).unwrap();
    done(line, &[&killed]);
    let other = line.replace("--max-plies 12", "--max-plies 11");
    fs::write(ahead(&room.file("other")), &kept).unwrap();
    let (_, said, exit) = report(&other, &[&room.file("other")]);
    assert!(
        exit == 2 && said.contains("other.ahead: the ledger belongs to run"),
        "{said}"
    );
    assert!(fs::read(ahead(&room.file("other"))).unwrap() == kept);
}

/// If more than one game in twenty was stopped, every summary says so first.
#[test]
fn games_that_were_stopped_are_said_first() {
    let room = Room::new();
    let ledger = room.file("ledger");
    let line = "selfplay --variant mega-chess --player greedy --player random --pairs 2 --max-plies 300 --ledger";
    let words = "careful: 4 of 4 games (100 %) were not played out: they were ";
    assert!(
        done(line, &[&ledger])
            .starts_with(&format!("{words}stopped at the limit of 300 plies and"))
    );
    assert!(
        done("ledger", &[&ledger])
            .starts_with(&format!("{words}stopped at the limit of 300 plies and"))
    );
    assert!(
        done("stats", &[&ledger]).starts_with(&format!("{words}adjudicated where they stood,"))
    );
    for command in [
        format!("{line} {} --json", ledger.display()),
        format!("ledger {} --json", ledger.display()),
    ] {
        assert!(done(&command, &[]).starts_with("{\"caution\":\"careful: 4 of 4 games"));
    }
    assert!(done("stats --json", &[&ledger]).starts_with("{\"caution\":\"careful: 4 of 4 games"));
    let (rows, said, _) = report("stats --csv", &[&ledger]);
    assert!(
        rows.lines().nth(1) == Some(",,adjudicated,1,,") && said.contains("careful: 4 of 4"),
        "{rows}"
    );
    let good = summary("selfplay --variant olympic --player greedy --player random --pairs 4");
    assert!(
        good.get("caution").is_none() && good["max_plies"] == 2000,
        "{good}"
    );
}

/// Each game has its own limit of plies, which may be any number.
#[test]
fn every_game_has_a_limit_of_its_own() {
    let limit = |game: &str| {
        summary(&format!("selfplay --player random --games 1{game}"))["max_plies"].clone()
    };
    for (game, plies) in [
        ("", 2_000),
        (" --variant strategichess", 5_000),
        (" --variant strategichess --boards 2", 20_000),
        (" --variant mega-chess", 20_000),
        (" --variant overchess", 30_000),
        (
            " --variant overchess --max-plies 4000000000",
            4_000_000_000_u64,
        ),
    ] {
        assert_eq!(limit(game), plies, "{game}");
    }
    let (_, said, exit) = report("selfplay --player random --games 1 --max-plies 0", &[]);
    assert!(exit == 2 && said.contains("must be 1 or more"), "{said}");
}
