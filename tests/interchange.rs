//! Events are exported and imported: as reports with and without the comments that carry
//! additional data.

use crate::{chance::Chance, depth::tries};
use overboard_events::{
    Event, Files,
    csv::At,
    roster::{Request, RequestKind},
    rounds::{GameResult, Round},
    settings::Scoring,
    trf::{self, Edition, Trf},
};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    standings::standings,
    tournament::ByScore,
};
use std::collections::BTreeSet;

/// Events of every system: settings, whether they are for teams, and the number of rounds.
const KINDS: [(&str, bool, usize); 19] = [
    (
        "system = \"swiss-team\"\nrounds = 5\nscoring = \"boards\"\nboards = 3\n[swiss]\ninitial = \"black\"\nacceleration = true\n",
        true,
        4,
    ),
    (
        "system = \"swiss-team\"\nrounds = 5\nscoring = \"boards\"\nboards = 2\nprimary = \"game\"\npattern = \"WW\"\n[swiss]\npreference = \"b\"\n",
        true,
        4,
    ),
    (
        "system = \"swiss-team\"\nrounds = 6\nscoring = \"boards\"\nboards = 1\nbye = [2, 1]\n[swiss]\npreference = \"none\"\nsecondary = false\n[swiss.readings]\nseating = \"score-then-tpn\"\n",
        true,
        4,
    ),
    (
        "game = \"StrategiChess\"\nsystem = \"swiss-team\"\nrounds = 5\nscoring = \"kings\"\nboards = 3\nrules = \"edition=2025\"\n",
        true,
        4,
    ),
    (
        "system = \"round-robin\"\nscoring = \"boards\"\nboards = 4\ncycles = 2\nprimary = \"game\"\n",
        true,
        6,
    ),
    (
        "game = \"StrategiChess\"\nsystem = \"round-robin\"\nscoring = \"kings\"\nboards = 2\nmatch-points = [3, 1, 0]\n",
        true,
        4,
    ),
    (
        "system = \"round-robin\"\nscoring = \"game\"\ngame-points = [3, 1, 0]\n",
        false,
        4,
    ),
    (
        "game = \"Olympic\"\nsystem = \"round-robin\"\nscoring = \"game\"\nmissed = \"unplayed\"\nedition = \"2024-08\"\n",
        false,
        3,
    ),
    ("system = \"knockout\"\nscoring = \"game\"\n", false, 2),
    (
        "system = \"knockout\"\nscoring = \"boards\"\nboards = 2\nprimary = \"game\"\n",
        true,
        2,
    ),
    ("system = \"scheveningen\"\nscoring = \"game\"\n", false, 3),
    (
        "system = \"molter\"\nrounds = 3\nscoring = \"boards\"\nboards = 2\n",
        true,
        3,
    ),
    (
        "system = \"hutton\"\nscoring = \"boards\"\nboards = 3\n",
        true,
        1,
    ),
    (
        "game = \"Overchess\"\nsystem = \"round-robin\"\nscoring = \"subgames\"\nlieutenants = \"rotation\"\n",
        true,
        3,
    ),
    (
        "system = \"by-hand\"\nrounds = 5\nscoring = \"boards\"\nboards = 2\nprimary = \"game\"\n",
        true,
        4,
    ),
    (
        "system = \"swiss-team\"\nrounds = 5\nscoring = \"boards\"\nboards = 2\n[swiss]\ninitial = \"white\"\nacceleration = [\n  { points = 2, rounds = [1, 2], teams = [1, 3] },\n  { points = 1, rounds = [3, 3], teams = [1, 2] },\n]\n",
        true,
        4,
    ),
    (
        "system = \"round-robin\"\nscoring = \"boards\"\nboards = 2\nmissed = \"unplayed\"\nedition = \"2024-08\"\n",
        true,
        4,
    ),
    (
        "system = \"scheveningen\"\nscoring = \"boards\"\nboards = 2\nprimary = \"game\"\n",
        true,
        3,
    ),
    (
        "system = \"by-hand\"\nrounds = 5\nscoring = \"game\"\ntrf-type = \"FIDE_DUTCH_2025\"\ntrf-system = \"FIDE_DUTCH_2026\"\n",
        false,
        4,
    ),
];

/// An event before its first round.
fn begun(kind: usize, chance: &mut Chance) -> Event {
    let (settings, of_teams, _) = KINDS[kind];
    let who = if of_teams { "teams" } else { "players" };
    let game = if settings.contains("game = ") {
        ""
    } else {
        "game = \"Chess\"\n"
    };
    let text = format!(
        "name = \"Cup of a {} long name, {kind}\"\ncity = \"York\"\nstart = \"2026-11-21\"\narbiter = \"Dee\"\n{game}participants = \"{who}\"\n\
         tie-breaks = [\"BH/C1\", \"SB\", \"OTHER_KINGS\"]\nboard-order = \"free\"\n{settings}",
        "very ".repeat(chance.below(9))
    );
    let count = if settings.contains("scheveningen") || settings.contains("molter") {
        6
    } else {
        5 + chance.below(4)
    };
    let mut files = Files::from([("event.toml".to_owned(), text.into_bytes())]);
    let mut teams = String::from("number,name,short,group,captain,strength\n");
    let mut players =
        String::from("id,team,board,name,role,rating,title,federation,fide_id,birth,sex,pieces\n");
    let mut id = 0;
    for number in 1..=count {
        let long = "of a name that no column has room for ".repeat(chance.below(2));
        if !of_teams {
            let group = if settings.contains("scheveningen") {
                (number % 2 + 1).to_string()
            } else {
                String::new()
            };
            players.push_str(&format!(
                "{number},{group},1,Player {long}{number},,{},GM,ENG,12345,1990-01-02,w,\n",
                1500 + chance.below(900)
            ));
            continue;
        }
        let groups = if settings.contains("scheveningen") {
            2
        } else {
            3
        };
        teams.push_str(&format!(
            "{number},Team {long}{number},T{number},Group {},Captain {number},{}\n",
            number % groups,
            1500 + chance.below(900)
        ));
        for board in 1..=5 {
            id += 1;
            let role = match (settings.contains("Overchess"), board) {
                (true, 1) => "commander",
                (true, _) => "lieutenant",
                (false, 5) => "reserve",
                _ => "",
            };
            players.push_str(&format!(
                "{id},{number},{board},Player {number}.{board},{role},,,,,,,\n"
            ));
        }
    }
    if of_teams {
        files.insert("teams.csv".into(), teams.into_bytes());
    }
    files.insert("players.csv".into(), players.into_bytes());
    Event::read(&files).unwrap()
}

fn request(round: usize, kind: RequestKind, who: usize, other: Option<usize>) -> Request {
    let number = |place: usize| TeamNo::at(place);
    Request {
        round: RoundNo::at(round),
        kind,
        who: number(who),
        other: other.map(number),
        points: if kind == RequestKind::Penalty {
            [Points(-10), Points(5)].into()
        } else {
            ByScore::ZERO
        },
        at: At::default(),
    }
}

fn result(chance: &mut Chance) -> GameResult {
    use GameResult as R;
    let all = [
        R::White,
        R::White,
        R::Black,
        R::Black,
        R::Draw,
        R::Draw,
        R::WhiteForfeit,
        R::BlackForfeit,
        R::BothForfeit,
    ];
    all[chance.below(all.len())]
}

/// Enters results for a round; in a knockout there are no draws.
fn play(event: &mut Event, round: usize, chance: &mut Chance) {
    let settings = event.settings.clone();
    let is_knockout = settings.system == overboard_events::settings::System::Knockout;
    let of_boards = settings.scoring == Scoring::Boards;
    for this in &mut event.rounds[round].matches {
        if this.result.is_some() && chance.below(4) > 0 {
            continue;
        }
        let mut drawn = if is_knockout {
            GameResult::White
        } else {
            result(chance)
        };
        this.tally = None;
        this.result = None;
        if of_boards && !drawn.is_forfeit() {
            for board in &mut this.boards {
                board.result = Some(match (board.white, board.black) {
                    (Some(_), Some(_)) => result(chance),
                    (Some(_), None) => GameResult::WhiteForfeit,
                    (None, Some(_)) => GameResult::BlackForfeit,
                    (None, None) => GameResult::BothForfeit,
                });
                if is_knockout {
                    board.result = Some(if board.board == 1 {
                        GameResult::White
                    } else {
                        GameResult::Draw
                    });
                }
            }
            if chance.below(3) == 0 && this.boards.len() > 2 && !is_knockout {
                this.boards[2].white = None;
                this.boards[2].result = Some(GameResult::BlackForfeit);
            }
            continue;
        }
        if matches!(settings.scoring, Scoring::Kings | Scoring::Subgames) && !drawn.is_forfeit() {
            let kings = [chance.below(3), chance.below(3)];
            drawn = match kings[0].cmp(&kings[1]) {
                std::cmp::Ordering::Greater => GameResult::White,
                std::cmp::Ordering::Equal => GameResult::Draw,
                std::cmp::Ordering::Less => GameResult::Black,
            };
            this.tally = Some(kings.map(|own| Points::whole(own as i32)));
        }
        this.result = Some(drawn);
        this.source = ["", "round.npgn#1"][chance.below(2)].into();
        this.boards.iter_mut().for_each(|board| board.result = None);
    }
}

/// Requests before a round: byes of all kinds, late entries, withdrawals, forbidden pairs, penalties.
fn ask(event: &mut Event, round: usize, chance: &mut Chance) {
    use overboard_events::settings::System;
    let count = event.participants().len();
    if event.takes_pairs_by_hand() {
        let byes = [
            RequestKind::HalfBye,
            RequestKind::ZeroBye,
            RequestKind::FullBye,
        ];
        for who in 0..count {
            if chance.below(12) == 0 && event.is_in(TeamNo::at(who), RoundNo::at(round)) {
                event
                    .requests
                    .push(request(round, byes[chance.below(3)], who, None));
            }
        }
    }
    let may_leave = matches!(
        event.settings.system,
        System::SwissTeam | System::ByHand | System::RoundRobin
    );
    match (round, chance.below(3)) {
        (0, 0) if may_leave => event
            .requests
            .push(request(2, RequestKind::Late, count - 1, None)),
        (1, 0) if event.takes_pairs_by_hand() => {
            event
                .requests
                .push(request(0, RequestKind::Forbid, 0, Some(3)));
        }
        (2, 0) if may_leave => event
            .requests
            .push(request(3, RequestKind::Withdraw, 1, None)),
        (2, 1) => event
            .requests
            .push(request(1, RequestKind::Penalty, 2, None)),
        _ => {}
    }
}

/// A round paired by hand: a participant without an opponent has a bye, requested or not.
fn by_hand(event: &mut Event, round: usize, chance: &mut Chance) {
    let number = RoundNo::at(round);
    let asked = |event: &Event, who: TeamNo| {
        let of_round = |request: &&Request| request.who == who && request.round == number;
        let bye = event
            .requests
            .iter()
            .filter(of_round)
            .find(|request| request.kind.is_bye());
        bye.map(|request| request.kind.as_str())
    };
    let everybody = (0..event.participants().len()).map(TeamNo::at);
    let mut here: Vec<TeamNo> = everybody
        .clone()
        .filter(|who| event.is_in(*who, number) && asked(event, *who).is_none())
        .collect();
    let turned = round % here.len().max(1);
    here.rotate_left(turned);
    let mut sheet = Round::default();
    for (table, two) in (1..).zip(here.chunks_exact(2)) {
        let (white, black) = if chance.below(2) == 0 {
            (two[0], two[1])
        } else {
            (two[1], two[0])
        };
        let boards = event.line_up(white, black);
        sheet.matches.push(overboard_events::rounds::Match {
            table,
            white,
            black,
            boards,
            ..Default::default()
        });
    }
    for who in everybody
        .filter(|who| sheet.of(*who).is_none())
        .collect::<Vec<_>>()
    {
        let is_in = event.is_in(who, number);
        let kind = asked(event, who)
            .unwrap_or(if is_in { "bye" } else { "zero-bye" })
            .parse()
            .unwrap();
        sheet.byes.push(overboard_events::rounds::Bye {
            who,
            kind,
            at: At::default(),
        });
    }
    event.rounds.push(sheet);
}

/// A whole random event.
fn random(kind: usize, seed: u64) -> Event {
    use overboard_events::settings::System;
    let mut chance = Chance::seeded(seed * 100 + kind as u64 + 1);
    let mut event = begun(kind, &mut chance);
    for round in 0..KINDS[kind].2 {
        ask(&mut event, round, &mut chance);
        if event.settings.system == System::ByHand {
            by_hand(&mut event, round, &mut chance);
        } else if event.pair_next().is_err() {
            break;
        }
        play(&mut event, round, &mut chance);
        if round > 0 && chance.below(3) == 0 && event.settings.system != System::Knockout {
            // A result is corrected after the next round was paired.
            play(&mut event, round - 1, &mut chance);
        }
    }
    if chance.below(2) == 0 && event.settings.system != System::ByHand {
        let _ = event.pair_next();
    }
    Event::read(&event.write()).unwrap()
}

fn text(event: &Event, edition: Edition) -> String {
    let mut trf = Trf::from(event);
    trf.carried = event.write();
    trf.write(edition)
}

fn read(text: &str) -> Event {
    trf::event(&Trf::read("a.trf", text.as_bytes()).unwrap(), "a.trf").unwrap()
}

/// An event exported in either edition is imported file for file, with the same standings, colours, bases of its
/// pairings and next pairing.
#[test]
fn reports_lose_nothing() {
    for kind in 0..KINDS.len() {
        for seed in 0..tries(6) as u64 {
            let event = random(kind, seed);
            for edition in [Edition::Of2016, Edition::Of2026] {
                let text = text(&event, edition);
                let again = read(&text);
                let report = Trf::read("a.trf", text.as_bytes()).unwrap();
                let proof = trf::proof::prove(&report, &again);
                assert!(proof.holds(), "kind {kind}, seed {seed}: {proof:?}");
                for (name, bytes) in event.write() {
                    let theirs = again
                        .write()
                        .get(&name)
                        .map(|bytes| String::from_utf8_lossy(bytes).into_owned());
                    let ours = String::from_utf8_lossy(&bytes).into_owned();
                    assert_eq!(
                        theirs,
                        Some(ours),
                        "{name}, kind {kind}, seed {seed}, {edition:?}\n{text}"
                    );
                }
                assert_eq!(
                    again.next_round(),
                    event.next_round(),
                    "kind {kind}, seed {seed}"
                );
            }
        }
    }
}

/// Without the comments, a report of 2026 has the same standings wherever the format has fields for all they depend on.
#[test]
fn plain_reports_have_the_same_standings() {
    for (kind, (settings, of_teams, _)) in KINDS.iter().enumerate() {
        // Players without matches have no record.
        if ["molter", "hutton", "scheveningen", "missed"]
            .iter()
            .any(|word| settings.contains(word))
        {
            continue;
        }
        for seed in 0..tries(6) as u64 {
            let event = random(kind, seed);
            // A withdrawal from a round robin, and its effect on the results, has no field.
            let leaves = |request: &Request| {
                matches!(request.kind, RequestKind::Withdraw | RequestKind::Late)
            };
            if settings.contains("round-robin") && event.requests.iter().any(leaves) {
                continue;
            }
            let text = Trf::from(&event).write(Edition::Of2026);
            let again = read(&text);
            assert_eq!(
                again.settings.primary, event.settings.primary,
                "kind {kind}"
            );
            assert_eq!(again.settings.trf_type, event.settings.trf_type);
            assert_eq!(again.settings.trf_system, event.settings.trf_system);
            let table = |event: &Event| {
                let field = event.tournament(event.rounds.len());
                let places = standings(&field, &event.settings.criteria().unwrap());
                let row = |place: &overboard_schedules::standings::StandingsPlace| {
                    (
                        place.rank,
                        field.rows[place.row].number,
                        place
                            .values
                            .iter()
                            .map(ToString::to_string)
                            .collect::<Vec<_>>(),
                    )
                };
                places.iter().map(row).collect::<Vec<_>>()
            };
            assert_eq!(
                table(&again),
                table(&event),
                "kind {kind}, seed {seed}, teams {of_teams}\n{text}"
            );
            // Who met whom with which colours. A double forfeit had none.
            let colours = |event: &Event| {
                let had_colours = |this: &&overboard_events::rounds::Match| {
                    this.result != Some(GameResult::BothForfeit)
                };
                let sides = |this: &overboard_events::rounds::Match| (this.white, this.black);
                let round = |sheet: &Round| {
                    sheet
                        .matches
                        .iter()
                        .filter(had_colours)
                        .map(sides)
                        .collect::<BTreeSet<_>>()
                };
                event.rounds.iter().map(round).collect::<Vec<_>>()
            };
            assert_eq!(
                colours(&again),
                colours(&event),
                "kind {kind}, seed {seed}\n{text}"
            );
            // The chosen interpretations of a Swiss, and late entries that have not arrived, have no field.
            let is_told = !settings.contains("readings")
                && event
                    .requests
                    .iter()
                    .all(|request| request.kind != RequestKind::Late);
            if settings.contains("swiss-team") && is_told {
                let next = |event: &Event| event.next_round().map(|round| round.write()).ok();
                assert_eq!(
                    next(&again),
                    next(&event),
                    "kind {kind}, seed {seed}\n{text}"
                );
            }
        }
    }
}

/// A change that another program makes in a report is kept, and everything else stays as in the event.
#[test]
fn what_others_change_in_a_report_holds() {
    let mut event = random(6, 3);
    event.rounds.truncate(2);
    event.rounds[1].matches[0].result = None;
    let text = text(&event, Edition::Of2026);
    let this = event.rounds[1].matches[0].clone();
    // The result of the unfinished game, and another city.
    let line = |number: TeamNo| {
        text.lines()
            .find(|line| line.starts_with(&format!("001 {number:>4} ")))
            .unwrap()
            .to_owned()
    };
    let mut changed = text.replace("\n022 York\n", "\n022 Hull\n");
    for (number, sign) in [(this.white, '1'), (this.black, '0')] {
        let old = line(number);
        let mut letters: Vec<char> = old.chars().collect();
        letters.resize(109, ' ');
        letters[108] = sign;
        changed = changed.replace(&old, &letters.into_iter().collect::<String>());
    }
    let again = read(&changed);
    assert_eq!(again.settings.city, "Hull");
    assert_eq!(again.settings.arbiter, "Dee");
    assert_eq!(again.rounds[1].matches[0].result, Some(GameResult::White));
    assert_eq!(again.rounds[0], read(&text).rounds[0]);
    assert_eq!(again.players, read(&text).players);
    // Comments that cannot be read are skipped.
    let broken = text.replace(
        "### overboard event.toml game",
        "### overboard event.toml gam",
    );
    assert_eq!(read(&broken).rounds.len(), 2);
}
