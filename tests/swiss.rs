//! The Swiss Team Pairing System: agreement with its definition, worked examples, large fields.

use crate::{
    chance::Chance,
    depth::tries,
    naive::{swiss as naive, swiss_large as naive_large},
};
use overboard_schedules::{
    generator::{Plan, RandomEvent},
    ids::{RoundNo, TeamNo},
    points::Points,
    swiss_team::{
        acceleration::baku,
        article::Article,
        check::{Given, Verdict, check},
        explain::Explainer,
        next_round::{Event, NextRound, NextRoundError, Past, Presence, Team},
        pair,
        pairing::{Match, Pairing},
        pairing_error::{NoPairingProof, PairingError},
        readings::{
            Choice, FirstTeam, FloatScore, LastRoundRepeat, NextBracket, Numbering, READINGS,
            Reading, Readings, Seating, UnplayedFloats,
        },
        settings::{PreferenceType, Score, Settings},
    },
    team::Colour,
};
use std::{collections::BTreeMap, fs, path::Path};

/// Random regulations.
fn random_settings(chance: &mut Chance) -> Settings {
    let mut pick = |bound| chance.below(bound);
    let mut settings = Settings::new(2 + pick(7) as u16);
    settings.primary = [Score::MatchPoints, Score::MatchPoints, Score::GamePoints][pick(3)];
    settings.secondary = pick(4) > 0;
    settings.preference = [PreferenceType::A, PreferenceType::B, PreferenceType::None][pick(3)];
    settings.initial = [Colour::White, Colour::Black][pick(2)];
    settings.readings = Readings {
        last_round_repeat: [LastRoundRepeat::Strong, LastRoundRepeat::None][pick(2)],
        next_bracket: [NextBracket::Parity, NextBracket::Graded][pick(2)],
        float_score: [FloatScore::Pairing, FloatScore::Standings][pick(2)],
        seating: [Seating::Tpn, Seating::Tpn, Seating::ScoreThenTpn][pick(3)],
        unplayed_floats: [UnplayedFloats::None, UnplayedFloats::Floaters][pick(2)],
        first_team: [FirstTeam::Pairing, FirstTeam::Standings][pick(2)],
        numbering: [Numbering::Arrived, Numbering::Tpn][pick(2)],
    };
    settings
}

/// A random event of up to `most` teams.
fn random_plan(chance: &mut Chance, most: usize) -> Plan {
    let settings = random_settings(chance);
    let acceleration = settings.primary_is_match_points() && chance.below(4) == 0;
    let mut rate = |rates: &[u16]| chance.pick(rates).expect("rates");
    Plan {
        boards: rate(&[1, 1, 2, 4]),
        draws: rate(&[0, 200, 500, 1000]),
        forfeits: rate(&[0, 0, 60]),
        byes: rate(&[0, 0, 100]),
        late: rate(&[0, 0, 100]),
        withdrawals: rate(&[0, 0, 30]),
        forbidden: rate(&[0, 0, 1, 4, 15]),
        acceleration,
        teams: 2 + chance.below(most - 1) as u16,
        settings,
    }
}

/// White and Black of each match, sorted; and the bye.
fn round_of(pairing: &Pairing) -> naive::Round {
    let mut matches: Vec<_> = pairing
        .matches
        .iter()
        .map(|game| (game.white, game.black))
        .collect();
    matches.sort_unstable();
    (matches, pairing.bye)
}

/// The kinds of rounds that occurred.
#[derive(Debug, Default)]
struct Seen {
    rounds: usize,
    with_upfloaters: usize,
    with_several_upfloaters: usize,
    with_a_bye: usize,
    impossible: usize,
    colour_articles: BTreeMap<&'static str, usize>,
}

impl Seen {
    fn note(&mut self, pairing: &Pairing) {
        let floats = |least: usize| {
            pairing
                .brackets
                .iter()
                .any(|bracket| bracket.upfloaters.len() >= least)
        };
        self.rounds += 1;
        self.with_upfloaters += usize::from(floats(1));
        self.with_several_upfloaters += usize::from(floats(2));
        self.with_a_bye += usize::from(pairing.bye.is_some());
    }
}

/// The round as paired; in a wild event any legal one with any colours, so that the history is not one that the
/// articles would produce.
fn as_played(chance: &mut Chance, wild: bool, field: &NextRound, pairing: &Pairing) -> Pairing {
    let mut pairing = pairing.clone();
    if wild
        && let Some((matches, bye)) = naive::any_pairing(field, &mut |bound| chance.below(bound))
    {
        pairing.bye = bye;
        for (game, (a, b)) in pairing.matches.iter_mut().zip(matches) {
            (game.white, game.black) = if chance.below(2) == 0 { (a, b) } else { (b, a) };
        }
    }
    pairing
}

/// Verifies a proof: teams of different groups may not meet, the groups have odd sizes, and there are too many of them.
fn judge_proof(field: &NextRound, proof: &NoPairingProof) {
    let naive = naive::Naive::new(field);
    let needs_bye = naive.present().len() % 2 == 1;
    assert_eq!(
        proof.groups.len(),
        proof.cut.len() + usize::from(proof.bye_in_cut) + 1
    );
    let even: Vec<_> = proof
        .groups
        .iter()
        .filter(|group| group.len() % 2 == 0)
        .collect();
    assert!(
        even.len() <= usize::from(needs_bye && !proof.bye_in_cut),
        "{proof:?}"
    );
    for (i, group) in proof.groups.iter().enumerate() {
        let others = || proof.groups[i + 1..].iter().flatten();
        assert!(
            group
                .iter()
                .all(|a| others().all(|b| !naive.may_meet(*a, *b))),
            "{proof:?}"
        );
        let is_with_bye = group.len() % 2 == 0;
        let barred = |tpn: &TeamNo| group.contains(tpn) || naive.barred_from_bye(*tpn);
        assert!(
            !is_with_bye || proof.groups.iter().flatten().all(barred),
            "{proof:?}"
        );
    }
    assert!(!proof.articles.is_empty());
}

/// Plays an event, and asserts that every round agrees with the definition.
fn judge_event(chance: &mut Chance, mut event: RandomEvent, seen: &mut Seen) {
    let wild = chance.below(2) == 0;
    while !event.is_over() {
        match (pair(event.field()), naive::pair(event.field())) {
            (Ok(pairing), Some(round)) => {
                assert_eq!(round_of(&pairing), round, "{:#?}", event.field());
                seen.note(&pairing);
                for game in &pairing.matches {
                    let expected = naive::colours(event.field(), game.black, game.white);
                    assert_eq!(
                        (game.white, game.black, game.colour_article.number()),
                        expected
                    );
                    *seen.colour_articles.entry(expected.2).or_default() += 1;
                }
                let played = as_played(chance, wild, event.field(), &pairing);
                event.play(&played);
            }
            (Err(PairingError::Impossible(proof)), None) => {
                judge_proof(event.field(), &proof);
                seen.impossible += 1;
                return;
            }
            (found, expected) => panic!("{found:?} instead of {expected:?}: {:#?}", event.field()),
        }
    }
}

#[test]
fn small_fields_agree_with_the_definition() {
    let (mut chance, mut seen) = (Chance::seeded(46), Seen::default());
    for number in 0..tries(1200) as u64 {
        let event = RandomEvent::new(random_plan(&mut chance, 10), 46, number);
        judge_event(&mut chance, event, &mut seen);
    }
    println!("{seen:?}");
    assert!(
        seen.rounds > 3000 && seen.with_upfloaters > 1500 && seen.with_several_upfloaters > 200,
        "{seen:?}"
    );
    assert!(seen.with_a_bye > 800 && seen.impossible > 20, "{seen:?}");
    assert_eq!(seen.colour_articles.len(), 9, "{seen:?}");
}

#[test]
fn large_fields_keep_every_article() {
    let (mut chance, mut rounds, mut several) = (Chance::seeded(48), 0, 0);
    for number in 0..tries(120) {
        let most = [16, 30, 60][number % 3];
        let mut event = RandomEvent::new(random_plan(&mut chance, most), 48, number as u64);
        while !event.is_over()
            && let Ok(pairing) = pair(event.field())
        {
            let (matches, bye) = round_of(&pairing);
            naive_large::judge(event.field(), &matches, bye);
            rounds += 1;
            several += usize::from(
                pairing
                    .brackets
                    .iter()
                    .any(|bracket| bracket.upfloaters.len() > 1),
            );
            let mut played = pairing.clone();
            if number % 2 == 0 {
                for game in &mut played.matches {
                    if chance.below(2) == 0 {
                        (game.white, game.black) = (game.black, game.white);
                    }
                }
            }
            event.play(&played);
        }
    }
    println!("{rounds} rounds, {several} with several upfloaters");
    assert!(rounds > 400 && several > 50, "{rounds} {several}");
}

/// A worked case: the number of teams, the rounds of the event, the rounds played (White, Black, White's result), and
/// the matches of the next round with White first.
type Case = (u32, u16, &'static [&'static str], &'static str);

const SIX_1: &str = "1-4 0, 3-6 =, 5-2 =";
const SIX_2: &str = "4-2 1, 5-3 0, 6-1 0";
const EIGHT: [&str; 4] = [
    "1-5 0, 3-7 0, 6-2 =, 8-4 0",
    "1-6 0, 4-7 =, 5-2 0, 8-3 =",
    "1-8 =, 2-4 =, 3-5 =, 7-6 =",
    "3-1 1, 5-8 =, 6-4 1, 7-2 =",
];
const TEN: [&str; 4] = [
    "1-6 1, 3-8 =, 5-10 1, 7-2 1, 9-4 0",
    "4-7 =, 5-1 1, 6-3 0, 8-2 1, 10-9 0",
    "1-8 =, 2-9 =, 3-7 1, 4-5 0, 10-6 0",
    "2-10 =, 5-3 =, 6-4 =, 7-8 =, 9-1 =",
];

const CASES: &[Case] = &[
    (8, 7, &["1-5 1, 2-6 1, 3-7 =, 4-8 1"], "4-2 3-1 7-5 6-8"),
    (4, 2, &["1-3 =, 4-2 0"], "2-1 3-4"),
    (6, 5, &[SIX_1, SIX_2], "1-5 2-6 3-4"),
    (6, 4, &[SIX_1, SIX_2, "2-1 =, 3-4 1, 6-5 0"], "1-3 2-6 4-5"),
    (8, 7, &[EIGHT[0], EIGHT[1], EIGHT[2]], "3-1 5-8 6-4 7-2"),
    (8, 7, &EIGHT, "2-8 4-1 5-7 6-3"),
    (10, 7, &[TEN[0], TEN[1], TEN[2]], "2-10 5-3 6-4 7-8 9-1"),
    (10, 9, &TEN, "3-1 4-10 6-2 8-5 9-7"),
];

const fn no(number: u32) -> TeamNo {
    TeamNo::new(number)
}

/// `3-6` as two numbers.
fn two_numbers(text: &str) -> (TeamNo, TeamNo) {
    let (white, black) = text.split_once('-').expect("a pair");
    (
        white.parse().expect("a number"),
        black.parse().expect("a number"),
    )
}

/// A field with this history: one board in each match, two match points for a win.
fn field_of((teams, rounds, played, _): &Case) -> NextRound {
    let team = |tpn| Team {
        tpn,
        presence: Presence::Present,
        history: Vec::new(),
        virtual_points: Vec::new(),
    };
    let mut teams: Vec<Team> = TeamNo::first(*teams).map(team).collect();
    for game in played.iter().flat_map(|round| round.split(", ")) {
        let (pair, result) = game.split_once(' ').expect("a result");
        let (white, black) = two_numbers(pair);
        let points = match result {
            "1" => 20,
            "=" => 10,
            _ => 0,
        };
        for (own, opponent, colour, points) in [
            (white, black, Colour::White, points),
            (black, white, Colour::Black, 20 - points),
        ] {
            let event = Event::Played { opponent, colour };
            let past = Past {
                event,
                match_points: Points(points),
                game_points: Points(points / 2),
            };
            teams[own.index()].history.push(past);
        }
    }
    NextRound {
        settings: Settings::new(*rounds),
        teams,
        forbidden: Vec::new(),
    }
}

#[test]
fn worked_cases_have_the_expected_results() {
    for case in CASES {
        for next_bracket in [NextBracket::Parity, NextBracket::Graded] {
            let mut field = field_of(case);
            field.settings.readings.next_bracket = next_bracket;
            let mut expected: Vec<_> = case.3.split(' ').map(two_numbers).collect();
            expected.sort_unstable();
            assert_eq!(
                round_of(&pair(&field).unwrap()),
                (expected, None),
                "{case:?}"
            );
        }
    }
}

/// The first article that a given pairing breaks; all articles on colours count as `4.3`.
fn article_of(verdict: &Verdict) -> Option<&'static str> {
    let number = verdict.broken.as_ref()?.article.number();
    Some(if number.starts_with("4.3") {
        "4.3"
    } else {
        number
    })
}

/// A near miss: two matches of a pairing exchange their second teams, if these may meet.
fn near_miss(
    chance: &mut Chance,
    field: &NextRound,
    (matches, bye): &naive::Round,
) -> Option<naive::Round> {
    let mut matches = matches.clone();
    let (i, j) = (chance.below(matches.len()), chance.below(matches.len()));
    (matches[i].1, matches[j].1) = (matches[j].1, matches[i].1);
    let met = |(a, b): &(TeamNo, TeamNo)| {
        let history = field
            .teams
            .iter()
            .find(|team| team.tpn == *a)
            .expect("a team")
            .history
            .iter();
        let met = history
            .clone()
            .any(|past| matches!(past.event, Event::Played { opponent, .. } if opponent == *b));
        met || field.forbidden.contains(&(*a, *b)) || field.forbidden.contains(&(*b, *a))
    };
    (i != j && !matches.iter().any(met)).then_some((matches, *bye))
}

#[test]
fn other_pairings_break_the_article_that_the_definition_names() {
    let mut chance = Chance::seeded(47);
    let mut seen = BTreeMap::new();
    for number in 0..tries(2500) as u64 {
        let mut event = RandomEvent::new(random_plan(&mut chance, 9), 47, number);
        while !event.is_over()
            && let Ok(pairing) = pair(event.field())
        {
            let field = event.field();
            let right = Given::of(&pairing);
            assert_eq!(check(field, &right).unwrap().broken, None);
            let mut others: Vec<naive::Round> = (0..2)
                .filter_map(|_| naive::any_pairing(field, &mut |bound| chance.below(bound)))
                .collect();
            if !pairing.matches.is_empty() {
                others.extend(near_miss(&mut chance, field, &round_of(&pairing)));
            }
            for other in others {
                let given = Given {
                    matches: other.0.clone(),
                    bye: other.1,
                };
                let verdict = check(field, &given).unwrap();
                let expected = naive::first_broken(field, &other);
                assert_eq!(
                    article_of(&verdict),
                    expected,
                    "{given:?} {verdict:?} {field:#?}"
                );
                *seen.entry(expected).or_insert(0) += 1;
            }
            let played = as_played(&mut chance, number % 2 == 0, event.field(), &pairing);
            event.play(&played);
        }
    }
    println!("{seen:?}");
    let all = [
        "3.4.2", "3.4.3", "3.4.4", "2.3.1", "2.3.2", "2.3.3", "2.3.4", "3.5.4", "2.3.5", "2.3.6",
        "2.3.7",
    ];
    for article in all.into_iter().chain(["3.6.3", "4.3"]) {
        assert!(
            seen.contains_key(&Some(article)),
            "no pairing breaks {article}: {seen:?}"
        );
    }
}

/// For pairs of teams that were paired with others: the reason that keeps them apart is that of the definition.
fn judge_reasons(field: &NextRound, pairing: &Pairing, seen: &mut BTreeMap<&'static str, usize>) {
    let name = |tpn: TeamNo| format!("Team {tpn}");
    let explainer = Explainer::new(field, &name).expect("it can be paired");
    let paired: Vec<TeamNo> = pairing
        .matches
        .iter()
        .flat_map(|game| [game.white, game.black])
        .collect();
    for (a, b) in paired
        .iter()
        .flat_map(|a| paired.iter().map(move |b| (*a, *b)))
        .filter(|(a, b)| a < b)
    {
        let reasons = explainer.two(a, b).expect("reasons");
        let article = reasons
            .last()
            .and_then(|reason| reason.article)
            .expect("a reason")
            .number();
        let meet = |game: &Match| [(a, b), (b, a)].contains(&(game.white, game.black));
        if pairing.matches.iter().any(meet) {
            assert!(article.starts_with("4.3"));
        } else {
            assert_eq!(
                article,
                naive::why_not(field, a, b),
                "{a} {b} {reasons:?} {field:#?}"
            );
            *seen.entry(article).or_default() += 1;
        }
    }
    assert!(!explainer.round().expect("reasons").is_empty());
}

#[test]
fn reasons_are_those_of_the_definition() {
    let (mut chance, mut seen) = (Chance::seeded(49), BTreeMap::new());
    for number in 0..tries(120) as u64 {
        let mut event = RandomEvent::new(random_plan(&mut chance, 9), 49, number);
        while !event.is_over()
            && let Ok(pairing) = pair(event.field())
        {
            judge_reasons(event.field(), &pairing, &mut seen);
            let played = as_played(&mut chance, number % 2 == 0, event.field(), &pairing);
            event.play(&played);
        }
    }
    println!("{seen:?}");
    let all = [
        "2.1.1",
        "2.2.1",
        "2.3.1",
        "2.3.2",
        "2.3.4",
        "2.3.5",
        "3.5.4",
        "3.6.3",
        "regulation",
    ];
    assert!(
        all.iter().all(|article| seen.contains_key(article)),
        "{seen:?}"
    );
}

/// Round 1, with scores from virtual points: team 1, then teams 2 to 6, of which only 2 and 3 may meet each other, then
/// the rest. Whichever team floats up, the next bracket needs upfloaters; team 2 comes first in the order, but with
/// team 4 fewer are needed.
fn nobody_leaves_the_next_bracket_well() -> NextRound {
    let mut field = field_of(&(10, 5, &[], ""));
    for team in &mut field.teams {
        let points = match team.tpn.get() {
            1 => 2,
            2..=6 => 1,
            _ => 0,
        };
        team.virtual_points = vec![Points::whole(points)];
    }
    let pairs = (2..=6).flat_map(|a| (a + 1..=6).map(move |b| (a, b)));
    let pairs = pairs.filter(|pair| *pair != (2, 3));
    field.forbidden = pairs.map(|(a, b)| (no(a), no(b))).collect();
    field
}

#[test]
fn readings_of_the_next_bracket_differ() {
    for (reading, upfloater) in [(NextBracket::Parity, 2), (NextBracket::Graded, 4)] {
        let mut field = nobody_leaves_the_next_bracket_well();
        field.settings.readings.next_bracket = reading;
        let pairing = pair(&field).unwrap();
        assert_eq!(pairing.brackets[0].upfloaters, [no(upfloater)]);
        assert_eq!(Some(round_of(&pairing)), naive::pair(&field));
    }
}

#[test]
fn seating_by_score_changes_the_first_worked_case() {
    let mut field = field_of(&CASES[0]);
    field.settings.readings.seating = Seating::ScoreThenTpn;
    assert_eq!(
        round_of(&pair(&field).unwrap()).0,
        [(3, 2), (4, 1), (6, 8), (7, 5)].map(|(a, b)| (no(a), no(b)))
    );
}

/// SW-1: in round 2 team 6, with score 2, won by forfeit against team 1, with score 1. Whether that made them floaters
/// decides who floats now.
#[test]
fn unplayed_matches_make_floaters_if_the_event_says_so() {
    let mut field = field_of(&(6, 9, &["1-4 =, 5-2 0, 3-6 0", "6-1 =, 4-3 0, 2-5 ="], ""));
    // 6-1: scores 2 and 1 met, and neither played.
    for (team, event) in [
        (6, Event::ForfeitWin { opponent: no(1) }),
        (1, Event::ForfeitLoss { opponent: no(6) }),
    ] {
        field.teams[team - 1].history[1].event = event;
    }
    let name = |tpn: TeamNo| format!("Team {tpn}");
    for (reading, floated) in [
        (UnplayedFloats::None, false),
        (UnplayedFloats::Floaters, true),
    ] {
        field.settings.readings.unplayed_floats = reading;
        assert_eq!(Some(round_of(&pair(&field).unwrap())), naive::pair(&field));
        let explainer = Explainer::new(&field, &name).unwrap();
        for team in [1, 6] {
            let said = explainer.team(no(team)).unwrap()[0].text.clone();
            assert_eq!(
                said.contains("floated in the previous round"),
                floated,
                "{said}"
            );
        }
        let said = explainer.round().unwrap();
        assert!(
            said.iter()
                .any(|reason| reason.text.starts_with("Interpretation SW-1: ")),
            "{said:?}"
        );
    }
}

/// SW-2: with virtual points teams 1 and 2 are level; without them team 2 is ahead. Both have had the same colours, so
/// the first team gets the colour that it prefers.
#[test]
fn the_first_team_is_chosen_by_the_score_that_the_event_sets() {
    let mut field = field_of(&(4, 9, &["1-3 =, 2-4 1"], ""));
    field.settings.secondary = false;
    for team in &mut field.teams {
        team.virtual_points = vec![Points::ZERO, Points::whole(i32::from(team.tpn.get() == 1))];
    }
    for (reading, white) in [(FirstTeam::Pairing, 2), (FirstTeam::Standings, 1)] {
        field.settings.readings.first_team = reading;
        let pairing = pair(&field).unwrap();
        let game = pairing
            .matches
            .iter()
            .find(|game| [game.white, game.black].contains(&no(1)))
            .unwrap();
        assert_eq!((game.white, game.black), (no(white), no(3 - white)));
        assert_eq!(Some(round_of(&pairing)), naive::pair(&field));
    }
}

/// SW-6: team 1 has not arrived. Of the teams 2 to 5 team 3 is the second, so its number is even; its own number is
/// odd.
#[test]
fn numbers_count_only_teams_that_have_arrived_if_the_event_says_so() {
    let mut field = field_of(&(5, 5, &[], ""));
    field.teams[0].presence = Presence::NotArrived;
    for (reading, white) in [(Numbering::Arrived, [2, 5]), (Numbering::Tpn, [4, 3])] {
        field.settings.readings.numbering = reading;
        let pairing = pair(&field).unwrap();
        let mut whites: Vec<u32> = pairing
            .matches
            .iter()
            .map(|game| game.white.get())
            .collect();
        whites.sort_unstable();
        let mut expected = white.to_vec();
        expected.sort_unstable();
        assert_eq!(whites, expected);
        assert_eq!(Some(round_of(&pairing)), naive::pair(&field));
    }
}

/// The proof that there is no legal pairing.
fn impossible(field: &NextRound) -> NoPairingProof {
    match pair(field) {
        Err(PairingError::Impossible(impossible)) => impossible,
        other => panic!("{other:?}"),
    }
}

#[test]
fn impossible_rounds_are_proven() {
    let everybody_has_met =
        field_of(&(4, 4, &["1-3 1, 4-2 0", "2-1 1, 3-4 0", "1-4 1, 3-2 ="], ""));
    assert_eq!(impossible(&everybody_has_met).articles, [Article::Rematch]);
    let mut kept_apart = field_of(&(4, 4, &["1-3 1, 4-2 0"], ""));
    kept_apart.forbidden = vec![(no(1), no(2)), (no(1), no(4))];
    let proof = impossible(&kept_apart);
    assert_eq!(proof.articles, [Article::Rematch, Article::Forbidden]);
    assert_eq!(
        proof.groups.len(),
        proof.cut.len() + usize::from(proof.bye_in_cut) + 1
    );
    let mut no_bye = field_of(&(3, 4, &[], ""));
    for team in &mut no_bye.teams {
        let event = Event::PairingBye;
        team.history.push(Past {
            event,
            match_points: Points(10),
            game_points: Points(5),
        });
    }
    let proof = impossible(&no_bye);
    assert_eq!(
        (proof.articles, proof.bye_in_cut),
        (vec![Article::SecondBye], false)
    );
}

#[test]
fn inconsistent_fields_are_refused() {
    let fault = |change: &dyn Fn(&mut NextRound)| {
        let mut field = field_of(&CASES[0]);
        change(&mut field);
        match pair(&field) {
            Err(PairingError::NextRound(fault)) => fault,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        fault(&|field| field.teams[3].tpn = no(0)),
        NextRoundError::NumberZero
    );
    assert_eq!(
        fault(&|field| field.teams[3].tpn = no(3)),
        NextRoundError::SameNumber(no(3))
    );
    assert_eq!(
        fault(&|field| field.settings.rounds = 1),
        NextRoundError::Over(1)
    );
    assert_eq!(
        fault(&|field| field.forbidden.push((no(2), no(9)))),
        NextRoundError::ForbiddenPair(no(2), no(9))
    );
    let unmatched = |field: &mut NextRound| field.teams[0].history[0].event = Event::HalfBye;
    assert_eq!(
        fault(&unmatched),
        NextRoundError::Contradiction {
            team: no(5),
            round: RoundNo::new(1),
            opponent: no(1)
        }
    );
    let shorter = |field: &mut NextRound| field.teams[5].history.clear();
    assert_eq!(
        fault(&shorter),
        NextRoundError::Length {
            team: no(6),
            found: 0,
            expected: 1
        }
    );
    let stranger = |field: &mut NextRound| {
        field.teams[0].history[0].event = Event::ForfeitWin { opponent: no(77) }
    };
    assert_eq!(
        fault(&stranger),
        NextRoundError::Unknown {
            team: no(1),
            round: RoundNo::new(1),
            opponent: no(77)
        }
    );
    let accelerated = |field: &mut NextRound| {
        field.settings.primary = Score::GamePoints;
        field.teams[0].virtual_points = vec![Points::whole(1)];
    };
    assert_eq!(fault(&accelerated), NextRoundError::Acceleration);
}

/// The page about the pairing system.
fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/swiss.md");
    fs::read_to_string(path).expect("docs/swiss.md")
}

#[test]
fn the_page_quotes_all_articles() {
    let row = |article: Article| {
        format!(
            "| {} | {} | {} |",
            article.number(),
            article.criterion().unwrap_or_default(),
            article.gist()
        )
    };
    let rows: Vec<String> = Article::all().map(row).collect();
    assert!(page().contains(&rows.join("\n")), "{}", rows.join("\n"));
}

#[test]
fn the_page_quotes_all_readings() {
    let words = |choice: Choice| format!("`{}`: {}", choice.value, choice.words);
    let row = |reading: &Reading| match (reading.setting, reading.other) {
        (Some(setting), Some(other)) => format!(
            "| {}: {} | `{setting}` | {} | {} | {} |",
            reading.id,
            reading.question,
            words(reading.default),
            words(other),
            reading.source
        ),
        _ => format!(
            "| {} | {} | {} |",
            reading.id, reading.default.words, reading.source
        ),
    };
    let (fixed, free): (Vec<_>, Vec<_>) = READINGS
        .iter()
        .partition(|reading| reading.setting.is_none());
    for readings in [free, fixed] {
        let rows: Vec<String> = readings.into_iter().map(row).collect();
        assert!(page().contains(&rows.join("\n")), "{}", rows.join("\n"));
    }
}

#[test]
fn the_example_on_the_page_is_correct() {
    let name = |tpn: TeamNo| format!("Team {tpn}");
    let field = field_of(&CASES[2]);
    let reasons = Explainer::new(&field, &name).unwrap().round().unwrap();
    let text: Vec<String> = reasons.iter().map(ToString::to_string).collect();
    assert!(
        page().contains(&format!("```text\n{}\n```", text.join("\n"))),
        "{}",
        text.join("\n")
    );
}

#[test]
fn the_first_half_is_accelerated() {
    let tenths = |place, teams, rounds| -> Vec<i32> {
        baku(place, teams, rounds, Points::whole(2), Points::whole(1))
            .into_iter()
            .map(|p| p.0)
            .collect()
    };
    assert_eq!(tenths(0, 20, 11), [20, 20, 20, 10, 10, 10]);
    assert_eq!(tenths(0, 20, 9), [20, 20, 20, 10, 10]);
    assert_eq!((tenths(5, 9, 9).len(), tenths(6, 9, 9).len()), (5, 0));
}
