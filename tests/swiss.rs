//! The Swiss Team Pairing System: agreement with its definition, worked examples, large fields.

#[path = "naive/swiss.rs"]
mod naive;

mod chance;

use chance::Chance;
use overboard_schedules::{
    generator::{Plan, RandomEvent},
    swiss_team::{
        failure::Failure,
        field::Colour,
        pair,
        pairing::Pairing,
        settings::{
            FloatScore, LastRoundRepeat, NextBracket, PreferenceType, Readings, Score, Seating, Settings,
        },
    },
};

/// Regulations of any kind.
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
    };
    settings
}

/// Events of any kind, of up to `most` teams.
fn random_plan(chance: &mut Chance, most: usize) -> Plan {
    let settings = random_settings(chance);
    let acceleration = settings.primary_is_match_points() && chance.below(4) == 0;
    let mut rate = |rates: &[u16]| chance.pick(rates).unwrap();
    Plan {
        boards: rate(&[1, 1, 2, 4]),
        draws: rate(&[0, 200, 500]),
        forfeits: rate(&[0, 0, 60]),
        byes: rate(&[0, 0, 100]),
        late: rate(&[0, 0, 100]),
        withdrawals: rate(&[0, 0, 30]),
        forbidden: rate(&[0, 0, 1, 4]),
        acceleration,
        teams: 2 + chance.below(most - 1) as u16,
        settings,
    }
}

/// White and Black of each match, sorted; and the bye.
fn round_of(pairing: &Pairing) -> naive::Round {
    let mut matches: Vec<_> = pairing.matches.iter().map(|game| (game.white, game.black)).collect();
    matches.sort_unstable();
    (matches, pairing.bye)
}

/// What the rounds of some events were like.
#[derive(Debug, Default)]
struct Seen {
    rounds: usize,
    with_upfloaters: usize,
    with_several_upfloaters: usize,
    with_a_bye: usize,
    impossible: usize,
}

impl Seen {
    fn note(&mut self, pairing: &Pairing) {
        let floats = |least: usize| pairing.brackets.iter().any(|bracket| bracket.upfloaters.len() >= least);
        self.rounds += 1;
        self.with_upfloaters += usize::from(floats(1));
        self.with_several_upfloaters += usize::from(floats(2));
        self.with_a_bye += usize::from(pairing.bye.is_some());
    }
}

/// Plays an event in which every round agrees with the definition.
fn judge_event(mut event: RandomEvent, seen: &mut Seen) {
    while !event.is_over() {
        match (pair(event.field()), naive::pair(event.field())) {
            (Ok(pairing), Some(round)) => {
                assert_eq!(round_of(&pairing), round, "{:#?}", event.field());
                seen.note(&pairing);
                event.play(&pairing);
            }
            (Err(Failure::Impossible(_)), None) => {
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
    for number in 0..1200 {
        judge_event(RandomEvent::new(random_plan(&mut chance, 10), 46, number), &mut seen);
    }
    println!("{seen:?}");
    assert!(
        seen.rounds > 3000 && seen.with_upfloaters > 1500 && seen.with_several_upfloaters > 200,
        "{seen:?}"
    );
    assert!(seen.with_a_bye > 800 && seen.impossible > 20, "{seen:?}");
}
