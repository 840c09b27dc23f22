//! Random corrections of every kind, one after the other: each is refused, or leaves an event without faults, and all of
//! them can be undone and redone.

use crate::{chance::Chance, depth::tries, event_folder::files, put_right::teams, run::printed};
use overboard_events::{
    Event, Files,
    change::{Amendment, Cleared, Existing},
    entry,
    roster::{Player, Request, RequestKind},
    rounds::ByeKind,
    store::{Folder, Mode, Session},
};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    tournament::ByScore,
};
use std::path::Path;

/// Where a random change is made.
struct Spot {
    round: RoundNo,
    who: TeamNo,
    table: u32,
    existing: Existing,
}

impl Spot {
    fn random(event: &Event, chance: &mut Chance) -> Self {
        let round = RoundNo::at(chance.below(event.rounds.len().max(1)));
        let sheet = event.rounds.get(round.index());
        let tables = sheet.map_or(1, |sheet| sheet.matches.len() + 1);
        Self {
            round,
            who: TeamNo::at(chance.below(event.participants().len())),
            table: 1 + chance.below(tables) as u32,
            existing: [Existing::Kept, Existing::Replaced][chance.below(2)],
        }
    }
}

/// One of a team's players.
fn player_of(event: &Event, team: TeamNo, chance: &mut Chance) -> u32 {
    let roster = event.roster(team);
    roster[chance.below(roster.len())].id
}

/// One random change of a kind; `Err` if it is refused.
fn change(event: &mut Event, kind: &str, chance: &mut Chance) -> Result<(), String> {
    let spot = Spot::random(event, chance);
    match kind {
        "results" | "play-offs" => results(event, kind == "play-offs", &spot, chance),
        "cleared" => {
            let table = spot.table;
            let board = 1 + chance.below(2) as u32;
            let which = [
                Cleared::Round,
                Cleared::Table(table),
                Cleared::Board(table, board),
                Cleared::PlayOff(table),
            ];
            event.clear_results(spot.round, which[chance.below(4)])?;
            Ok(())
        }
        "line-ups" => {
            let mut players = [None; 2];
            for seat in &mut players {
                if chance.below(4) > 0 {
                    *seat = Some(player_of(event, spot.who, chance));
                }
            }
            event.seat(spot.round, spot.who, &players, spot.existing)
        }
        "byes" => {
            let kinds = [ByeKind::Half, ByeKind::Zero, ByeKind::Full];
            event.set_bye(spot.round, spot.who, kinds[chance.below(3)])
        }
        "requests" => requests(event, spot.who, chance),
        "orders" => {
            let player = player_of(event, spot.who, chance).to_string();
            let to = Amendment {
                board: Some(1 + chance.below(4) as u32),
                ..Amendment::default()
            };
            event.amend(spot.who, Some(&player), &to)
        }
        "players" => players(event, spot.who, chance),
        "pairs" => pairs(event, &spot, chance),
        _ => rounds(event, chance),
    }
}

fn results(
    event: &mut Event,
    play_off: bool,
    spot: &Spot,
    chance: &mut Chance,
) -> Result<(), String> {
    let words = ["1-0", "0-1", "=", "1-0f", "0-1f", "0-0f", "*"];
    let table = spot.table;
    let (one, other) = (words[chance.below(7)], words[chance.below(7)]);
    let line = match (play_off, chance.below(3)) {
        (true, won) => format!("{table}: = = play-off {}", words[won % 2]),
        (false, 0) => format!("{table}: {}", words[3 + chance.below(3)]),
        (false, _) => format!("{table}: {one} {other}"),
    };
    let entered = entry::lines(event, spot.round, &line).map_err(|why| why.concat())?;
    for one in &entered {
        event.enter_result(spot.round, one, spot.existing)?;
    }
    event.drop_play_offs(spot.round);
    Ok(())
}

fn requests(event: &mut Event, who: TeamNo, chance: &mut Chance) -> Result<(), String> {
    let kinds = [
        RequestKind::HalfBye,
        RequestKind::ZeroBye,
        RequestKind::Withdraw,
        RequestKind::Penalty,
    ];
    let mut request = Request {
        round: RoundNo::at(chance.below(5)),
        kind: kinds[chance.below(4)],
        who,
        other: None,
        points: ByScore::ZERO,
        at: Default::default(),
    };
    if chance.below(2) == 0 {
        let place = event.asked(&request, None).map_err(|why| why.to_string())?;
        event.requests.remove(place);
        return Ok(());
    }
    if request.kind == RequestKind::Penalty {
        request.points = [Points(-10), Points(5)].into();
    }
    event.accept(&request).map_err(|why| why.to_string())?;
    event.requests.push(request);
    Ok(())
}

fn players(event: &mut Event, team: TeamNo, chance: &mut Chance) -> Result<(), String> {
    if chance.below(2) == 0 {
        let player = Player {
            name: format!("New {}", chance.below(30)).into(),
            ..Player::default()
        };
        event.add_player(team, player, Some(1 + chance.below(4) as u32))?;
        return Ok(());
    }
    let player = player_of(event, team, chance).to_string();
    event.remove_player(team, &player)?;
    Ok(())
}

/// Two meet, and those who lose their opponents by it.
fn pairs(event: &mut Event, spot: &Spot, chance: &mut Chance) -> Result<(), String> {
    if !event.takes_pairs_by_hand() {
        return Err("pairs follow from a bracket".into());
    }
    let count = event.participants().len();
    let other = TeamNo::at(chance.below(count));
    let opponent = |who: TeamNo| {
        let this = event.rounds.get(spot.round.index())?.of(who)?;
        Some(if this.white == who {
            this.black
        } else {
            this.white
        })
    };
    let mut pairs = vec![(spot.who, other)];
    let mut bye = None;
    match (opponent(spot.who), opponent(other)) {
        (Some(one), Some(two)) => pairs.push((one, two)),
        (one, two) => bye = one.or(two),
    }
    event.set_pairs(spot.round, &pairs, bye)
}

fn rounds(event: &mut Event, chance: &mut Chance) -> Result<(), String> {
    let paired = event.rounds.len();
    if paired > 1 && chance.below(3) == 0 {
        event.cancel(RoundNo::at(1 + chance.below(paired - 1)));
        return Ok(());
    }
    event.pair_next().map_err(|why| why.to_string())
}

const KINDS: [&str; 10] = [
    "results",
    "cleared",
    "play-offs",
    "line-ups",
    "byes",
    "requests",
    "orders",
    "players",
    "pairs",
    "rounds",
];

/// Random corrections of every kind: each is refused, or the event finds nothing wrong with what it leaves; and all of
/// them can be undone to the start and redone to the end, byte for byte.
#[test]
fn random_corrections_leave_valid_events() {
    let mut counts = [[0; 2]; KINDS.len()];
    let systems = [
        ["--system", "swiss-team", "--rounds", "5"].as_slice(),
        &["--system", "knockout"],
    ];
    for seed in 1..=tries(2) as u64 {
        for system in systems {
            corrected(system, seed, &mut counts);
        }
    }
    for (kind, [made, _]) in KINDS.iter().zip(counts) {
        assert!(made > 0, "{kind}: {counts:?}");
    }
    println!("{KINDS:?}: made and refused {counts:?}");
}

/// Corrects an event at random; counts for each kind what was made and what was refused.
fn corrected(system: &[&str], seed: u64, counts: &mut [[u32; 2]; KINDS.len()]) {
    let event = teams(9, system);
    let path = Path::new(&event.event);
    let start = files(path);
    let mut chance = Chance::seeded(seed);
    let mut folder = Folder::open(path, Session::default()).unwrap();
    let mut made = 0;
    for step in 0..250 {
        let place = chance.below(KINDS.len());
        let kind = KINDS[place];
        let mut after = folder.event_with_bases().unwrap();
        let done = change(&mut after, kind, &mut chance);
        let faults = after.check();
        // These commands look at the whole event before they write it.
        let is_held = ["orders", "players", "pairs"].contains(&kind) && !faults.is_empty();
        if done.is_err() || is_held {
            counts[place][1] += 1;
            continue;
        }
        assert!(
            faults.is_empty(),
            "{system:?}, seed {seed}, step {step}, {kind}: {faults:#?}"
        );
        let changed = folder
            .commit(&format!("{step}"), &after, Mode::Write)
            .unwrap();
        made += usize::from(!changed.is_empty());
        counts[place][0] += 1;
    }
    drop(folder);
    let end = files(path);
    let last = event.done(&["event", "log", "@", "--json"]).lines().count();
    event.done(&["event", "undo", "@", "--to", &(last - made).to_string()]);
    same(&files(path), &start);
    event.done(&["event", "redo", "@", "--to", &last.to_string()]);
    same(&files(path), &end);
    assert_eq!(printed(&event.run(&["event", "check", "@"])).1, 0);
}

fn same(one: &Files, other: &Files) {
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        other.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in one {
        assert_eq!(bytes, &other[name], "{name}");
    }
}
