//! No game in a ledger is trusted: it is replayed and has to be what its line says.

use super::{Room, report};
use overboard_engines::{
    ending::End,
    game::{Played, PlyData},
    journal::{FORM, Header, Scribe},
    manifest::{FORMAT, Fixture, Manifest, PROGRAM, Schedule, Source, laws_of},
    shard::Shard,
};
use overboard_games::registry::Variant;
use overboard_rules::{
    outcome::{Cause, Outcome},
    square::Side,
};
use serde_json::Value;
use std::fs;

/// A run of this many games of chess between random players, without openings.
fn random_chess(games: u64, laws: u32) -> Manifest {
    Manifest {
        format: FORMAT,
        program: PROGRAM.into(),
        laws: Some(laws),
        variant: "Chess".into(),
        boards: 1,
        rules: String::new(),
        players: vec!["random".into()],
        schedule: Schedule::Pairs,
        rounds: games,
        games_per_unit: 1,
        seed: 1,
        openings: Source::RandomPlies(0),
        max_plies: 300,
        timed: false,
        reports: Vec::new(),
        sprt: None,
        engines: Vec::new(),
        draw_when: None,
        resign_when: None,
    }
}

/// The same run as a command line.
const RANDOM_CHESS: &str = "selfplay --player random --random-plies 0 --max-plies 300";

fn game(moves: &str, end: End) -> Played {
    let plies = moves.split_whitespace().count() as u32;
    Played {
        fen: None,
        book: 0,
        moves: moves.into(),
        plies,
        end,
        thoughts: PlyData::default(),
        fault: None,
    }
}

/// A ledger of these games, each played by the run given with it.
fn ledger_by(manifest: &Manifest, games: &[(&Manifest, Fixture, Played)]) -> Vec<u8> {
    let header = Header::of(manifest, Shard::WHOLE);
    let lines = games.iter().enumerate().map(|(at, (by, fixture, played))| {
        let mut line = Vec::new();
        Scribe::of(by).write(&mut line, fixture, played);
        header.adopt(&line, FORM, at == 0)
    });
    lines.collect::<Vec<_>>().concat()
}

/// A complete and valid ledger of games of chess that claim these ends.
fn ledger_of(games: &[(&str, End)], laws: u32) -> Vec<u8> {
    let manifest = random_chess(games.len() as u64, laws);
    let fixture = |number| manifest.fixture(&manifest.pairings(), number);
    let played = (0..)
        .zip(games)
        .map(|(number, (moves, end))| (&manifest, fixture(number), game(moves, *end)));
    ledger_by(&manifest, &played.collect::<Vec<_>>())
}

const fn win(side: Side, cause: Cause) -> End {
    End {
        outcome: Outcome::Win(side),
        cause,
    }
}

const MATE: End = win(Side::Black, Cause::Checkmate);
const CAP: End = End {
    outcome: Outcome::Draw,
    cause: Cause::PlyCap,
};
const FOOLS: &str = "f2f3 e7e5 g2g4 d8h4";

/// Every command that reads the games of a ledger.
const READERS: [&str; 5] = [
    "stats",
    "ledger",
    "ledger --to csv",
    "ledger --to npgn",
    "selfplay",
];

/// A line that was changed deliberately, with a correct checksum, is found and named by every reader.
#[test]
fn a_game_that_is_not_what_its_line_says_is_named() {
    let room = Room::new();
    let ledger = room.file("ledger");
    let manifest = random_chess(2, laws_of(Variant::Chess, 1));
    let fixtures = [0, 1].map(|number| manifest.fixture(&manifest.pairings(), number));
    let knights = ["g1f3 g8f6 f3g1 f6g8"; 76].join(" ");
    let other = Manifest {
        players: vec!["greedy".into()],
        ..manifest.clone()
    };
    let whole = Fixture { ..fixtures[1] };
    for (by, fixture, played, why) in [
        (
            &manifest,
            whole,
            game(FOOLS, win(Side::White, Cause::Checkmate)),
            "its ledger says checkmate (1-0)",
        ),
        (
            &manifest,
            whole,
            game(FOOLS, win(Side::Black, Cause::Stalemate)),
            "its ledger says stalemate (0-1)",
        ),
        (
            &manifest,
            whole,
            game("f2f3 e7e5", MATE),
            "its moves do not end it",
        ),
        (
            &manifest,
            whole,
            Played {
                plies: 5,
                ..game(FOOLS, MATE)
            },
            "it has 4 plies, and its ledger says 5",
        ),
        (
            &manifest,
            whole,
            game("f2f3 e7e5", CAP),
            "stopped after 2 plies, and its run stops games at 300",
        ),
        (&manifest, whole, game(&knights, CAP), "is not a legal move"),
        (
            &manifest,
            Fixture { unit: 0, ..whole },
            game(FOOLS, MATE),
            "another unit, round or player",
        ),
        (
            &manifest,
            Fixture { round: 0, ..whole },
            game(FOOLS, MATE),
            "another unit, round or player",
        ),
        (&other, whole, game(FOOLS, MATE), "it is of another run"),
    ] {
        let first = (&manifest, fixtures[0], game(FOOLS, MATE));
        let text = ledger_by(&manifest, &[first, (by, fixture, played)]);
        fs::write(&ledger, &text).unwrap();
        for reader in READERS {
            let line = match reader {
                "selfplay" => format!("{RANDOM_CHESS} --games 2 --ledger"),
                _ => reader.to_string(),
            };
            let (_, said, exit) = report(&line, &[&ledger]);
            assert!(
                exit == 2 && said.contains("line 2") && said.contains(why),
                "{reader}: {said}"
            );
            assert!(said.contains("`head -n 1 "), "{reader}: {said}");
        }
        assert!(
            fs::read(&ledger).unwrap() == text,
            "nothing of it is changed"
        );
    }
}

/// A game that goes on after its run would have stopped it was not played in that run.
#[test]
fn a_game_goes_no_further_than_its_run_lets_it() {
    let room = Room::new();
    let ledger = room.file("ledger");
    let manifest = Manifest {
        max_plies: 2,
        ..random_chess(1, laws_of(Variant::Chess, 1))
    };
    let fixture = manifest.fixture(&manifest.pairings(), 0);
    let text = ledger_by(&manifest, &[(&manifest, fixture, game(FOOLS, MATE))]);
    fs::write(&ledger, &text).unwrap();
    let (_, said, exit) = report("stats", &[&ledger]);
    assert!(
        exit == 2 && said.contains("line 1: game 0: it goes on after the 2 plies"),
        "{said}"
    );
    assert_eq!(report("stats --no-replay", &[&ledger]).2, 0);
}

#[test]
fn games_that_only_raised_laws_make_another_are_a_note() {
    let room = Room::new();
    let today = laws_of(Variant::Chess, 1);
    let ledger = room.file("ledger");
    for (moves, end, why) in [
        (
            "f2f3 e7e5 g2g5 d8h4",
            MATE,
            "`g2g5`, ply 3, is not a legal move",
        ),
        (
            "f2f3 e7e5 g2g4 d8h4 a2a3",
            MATE,
            "`a2a3`, ply 5, is not a legal move",
        ),
        (
            FOOLS,
            win(Side::White, Cause::Checkmate),
            "end it by checkmate (0-1), and its ledger says checkmate (1-0)",
        ),
        (
            "f2f3 e7e5",
            MATE,
            "do not end it, and its ledger says checkmate (0-1)",
        ),
        (
            "f2f3",
            win(Side::White, Cause::PlyCap),
            "do not end it, and its ledger says the limit of plies (1-0)",
        ),
    ] {
        let games = [(FOOLS, MATE), (moves, end)];
        fs::write(&ledger, ledger_of(&games, today)).unwrap();
        let (_, said, exit) = report("stats", &[&ledger]);
        assert!(
            exit == 2 && said.contains("game 1: ") && said.contains(why),
            "{said}"
        );
        fs::write(&ledger, ledger_of(&games, today + 1)).unwrap();
        let (text, said, exit) = report("stats --json", &[&ledger]);
        let (then, now) = (
            format!("1 game played under laws {} of Chess", today + 1),
            format!("laws {today},"),
        );
        assert!(
            exit == 0 && said.contains(&then) && said.contains(&now) && said.contains(why),
            "{said}"
        );
        let figures: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (&figures["games"], &figures["choices"]),
            (&2.into(), &22.25.into()),
            "{figures}"
        );
        assert!(!report("stats --no-replay", &[&ledger]).1.contains("laws"));
        let (records, said, exit) = report("ledger --to npgn", &[&ledger]);
        let left_out = why.contains("not a legal move");
        assert_eq!((exit, said.contains("no record")), (0, left_out), "{said}");
        assert_eq!(
            records.matches("[Event ").count(),
            if left_out { 1 } else { 2 },
            "{records}"
        );
    }
}

/// A game missing from the middle is noticed.
#[test]
fn a_gap_is_said() {
    let room = Room::new();
    let ledger = room.file("ledger");
    let text =
        String::from_utf8(ledger_of(&[(FOOLS, MATE); 5], laws_of(Variant::Chess, 1))).unwrap();
    let kept = |drop: &[usize]| -> String {
        let lines = text.split_inclusive('\n').enumerate();
        lines
            .filter(|(at, _)| !drop.contains(at))
            .map(|(_, line)| line)
            .collect()
    };
    for (drop, words) in [
        (
            &[2][..],
            Some("1 game is missing in the middle, the first is game 2"),
        ),
        (
            &[1, 3],
            Some("2 games are missing in the middle, the first is game 1"),
        ),
        (&[3, 4], None),
    ] {
        fs::write(&ledger, kept(drop)).unwrap();
        for reader in ["ledger", "stats"] {
            let (_, said, exit) = report(reader, &[&ledger]);
            assert!(
                exit == i32::from(words.is_some())
                    && words.map_or(said.is_empty(), |words| said.contains(words)),
                "{said}"
            );
        }
    }
}
