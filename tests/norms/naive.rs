//! Title norms from the rounds of an event, in decimals, written from the table in docs/events.md.

use overboard_events::{
    Event,
    norms::Title,
    rounds::{Bye, ByeKind, GameResult},
};
use std::collections::BTreeSet;

/// A game of a player: the opponent, and the score in halves.
pub struct Played {
    /// The opponent's number.
    pub opponent: u32,
    /// The score: 2 for a win.
    pub halves: i32,
}

/// Games over the board, and rounds won without one, from the rounds themselves.
pub fn played(event: &Event, id: u32) -> (Vec<Played>, usize) {
    let (mut games, mut given) = (Vec::new(), 0);
    for round in &event.rounds {
        for this in &round.matches {
            let boards: Vec<(Option<u32>, Option<u32>, Option<GameResult>)> =
                if this.boards.is_empty() {
                    vec![(Some(this.white.get()), Some(this.black.get()), this.result)]
                } else {
                    let seat = |board: &overboard_events::rounds::Board| {
                        (board.white, board.black, event.result_on(this, board))
                    };
                    this.boards.iter().map(seat).collect()
                };
            for (white, black, result) in boards {
                let Some(result) = result else { continue };
                let (opponent, is_white) = match (white, black) {
                    (Some(own), other) if own == id => (other, true),
                    (other, Some(own)) if own == id => (other, false),
                    _ => continue,
                };
                let halves = match (result, is_white) {
                    (GameResult::Draw, _) => 1,
                    (GameResult::White, true) | (GameResult::Black, false) => 2,
                    (GameResult::White | GameResult::Black, _) => 0,
                    (GameResult::WhiteForfeit, true) | (GameResult::BlackForfeit, false) => {
                        given += 1;
                        continue;
                    }
                    _ => continue,
                };
                games.extend(opponent.map(|opponent| Played { opponent, halves }));
            }
        }
        let is_given = |bye: &&Bye| bye.who.get() == id && bye.kind == ByeKind::Bye;
        given += round.byes.iter().filter(is_given).count();
    }
    (games, given)
}

/// The table of B.01, 1.4.9, from 100 per cent down to 50.
const TABLE: &str = "800 677 589 538 501 470 444 422 401 383 366 351 336 322 309 296 284 273 262 251 240 230 220 211 202 \
    193 184 175 166 158 149 141 133 125 117 110 102 95 87 80 72 65 57 50 43 36 29 21 14 7 0";

fn gained(halves: i32, games: usize) -> i64 {
    let share = (f64::from(halves) * 50.0 / games as f64 + 0.5).floor() as usize;
    let table: Vec<i64> = TABLE.split(' ').map(|word| word.parse().unwrap()).collect();
    if share >= 50 {
        table[100 - share]
    } else {
        -table[share]
    }
}

/// The articles of what is missing, with average and performance.
pub fn missing(
    event: &Event,
    id: u32,
    title: Title,
) -> (Vec<&'static str>, Option<i64>, Option<i64>) {
    let player = |id: u32| event.players.iter().find(|player| player.id == id).unwrap();
    let text = |text: &overboard_formats::foreign::Foreign| text.as_it_came().to_owned();
    let rated = |id: u32| player(id).rating;
    let is_round_robin = event.settings.system == overboard_events::settings::System::RoundRobin
        && event.teams.is_empty();
    let (mut games, given) = played(event, id);
    if is_round_robin {
        games.retain(|game| {
            let (theirs, _) = played(event, game.opponent);
            let against_rated = theirs.iter().filter(|game| rated(game.opponent).is_some());
            rated(game.opponent).is_some() || against_rated.map(|game| game.halves).sum::<i32>() > 0
        });
    }
    let count = games.len();
    let is_double = is_round_robin && event.settings.cycles == 2;
    let mut missing = Vec::new();
    if count < 9 && !(count == 8 && given == 1 && event.scheduled() == 9) {
        missing.push("1.4.1");
    }
    if is_double && event.players.len() < 6 {
        missing.push("1.4.5f");
    }
    if count == 0 {
        return (missing, None, None);
    }
    let short = given == 1 && event.scheduled() == 9;
    let whole = count.max(if short && count == 8 { 8 } else { 9 }) as f64;
    let part = |share: f64| (share * whole - 1e-9).ceil() as usize;
    let own = text(&player(id).federation);
    let from: Vec<String> = games
        .iter()
        .map(|game| text(&player(game.opponent).federation))
        .collect();
    let foreign: BTreeSet<&String> = from
        .iter()
        .filter(|from| **from != own && *from != "FID")
        .collect();
    if own.is_empty() || from.iter().any(String::is_empty) {
        missing.push("1.4.3");
    } else if !is_big_swiss(event) {
        if foreign.len() < 2 {
            missing.push("1.4.3");
        }
        for federation in from
            .iter()
            .filter(|from| *from != "FID")
            .collect::<BTreeSet<_>>()
        {
            let met = from.iter().filter(|from| *from == federation).count() as f64;
            let most = if *federation == own { 0.6 } else { 2.0 / 3.0 };
            if met > (most * whole + 1e-9).floor() {
                missing.push("1.4.4");
            }
        }
    }
    if (own.is_empty() || from.iter().any(String::is_empty)) && is_big_swiss(event) {
        missing.retain(|article| *article != "1.4.3");
    }
    let titles: Vec<String> = games
        .iter()
        .map(|game| text(&player(game.opponent).title))
        .collect();
    let among = |all: &[&str]| {
        titles
            .iter()
            .filter(|title| all.contains(&title.as_str()))
            .count()
    };
    if among(&["GM", "IM", "FM", "WGM", "WIM", "WFM"]) < part(0.5) {
        missing.push("1.4.5a");
    }
    let asked: &[&str] = match title {
        Title::Gm => &["GM"],
        Title::Im => &["GM", "IM"],
        Title::Wgm => &["GM", "IM", "WGM"],
        Title::Wim => &["GM", "IM", "WGM", "WIM"],
    };
    let needed = if is_double {
        part(0.5)
    } else {
        part(1.0 / 3.0).max(3)
    };
    if among(asked) < needed {
        missing.push("1.4.5");
    }
    let halves: i32 = games.iter().map(|game| game.halves).sum();
    if f64::from(halves) / 2.0 / whole < 0.35 - 1e-9 {
        missing.push("1.4.8b");
    }
    let (least_performance, least_average, floor) = match title {
        Title::Gm => (2600, 2380, 2200),
        Title::Im => (2450, 2230, 2050),
        Title::Wgm => (2400, 2180, 2000),
        Title::Wim => (2250, 2030, 1850),
    };
    let mut ratings: Vec<u32> = games
        .iter()
        .map(|game| rated(game.opponent).unwrap_or(1400))
        .collect();
    ratings.sort_unstable();
    ratings[0] = ratings[0].max(floor);
    let sum: u32 = ratings.iter().sum();
    let average = (f64::from(sum) / count as f64 + 0.5).floor() as i64;
    let performance = average + gained(halves, count);
    if average < least_average {
        missing.push("1.4.8a");
    }
    if performance < least_performance {
        missing.push("1.4.8");
    }
    (missing, Some(average), Some(performance))
}

/// 1.4.3d, for a host from Germany.
pub fn is_big_swiss(event: &Event) -> bool {
    let is_swiss = event.settings.system == overboard_events::settings::System::ByHand;
    if !is_swiss || event.settings.federation.is_empty() {
        return false;
    }
    let missed = |id: u32| {
        let rounds = event.rounds.iter().filter(|round| {
            let game = round
                .matches
                .iter()
                .find(|this| [this.white.get(), this.black.get()].contains(&id));
            match game {
                Some(this) => match this.result {
                    Some(GameResult::WhiteForfeit) => this.black.get() == id,
                    Some(GameResult::BlackForfeit) => this.white.get() == id,
                    Some(GameResult::BothForfeit) => true,
                    _ => false,
                },
                None => !round
                    .byes
                    .iter()
                    .any(|bye| bye.who.get() == id && bye.kind == ByeKind::Bye),
            }
        });
        rounds.count()
    };
    let counted: Vec<_> = event
        .players
        .iter()
        .filter(|player| {
            let from = player.federation.as_it_came();
            player.rating.is_some() && !["", "GER", "FID"].contains(&from) && missed(player.id) < 2
        })
        .collect();
    let federations: BTreeSet<_> = counted
        .iter()
        .map(|player| player.federation.as_it_came())
        .collect();
    let titled = counted
        .iter()
        .filter(|player| ["GM", "IM", "WGM", "WIM"].contains(&player.title.as_it_came()));
    counted.len() >= 20 && federations.len() >= 3 && titled.count() >= 10
}
