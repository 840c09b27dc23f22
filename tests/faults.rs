//! A legal record with a single fault is never clean: the fault is found at its place, once, and nothing else is
//! reported because of it (GEN-13).

use crate::{
    chance::Chance,
    depth::tries,
    records::{Agreed, places},
    text::judge,
};
use overboard_formats::{
    limits::Limits,
    parse::{Event, Parser},
};
use overboard_games::referee::AnyReferee;
use overboard_referee::{
    Options,
    finding::{Finding, Severity, Verdict},
};
use put::{KINDS, Legal, Mutant};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    env,
};

pub mod model;
mod put;
mod several;

/// Whether the first record of a text is clean, and its findings other than notes; then the findings in whatever
/// follows.
fn found(text: &str) -> (bool, Vec<Finding>, Vec<Finding>) {
    let reports = judge(text.as_bytes());
    let is_clean = reports
        .iter()
        .all(|report| report.verdict == Verdict::Clean);
    let mut found = reports.into_iter().map(|report| {
        report
            .findings
            .into_iter()
            .filter(|finding| finding.severity > Severity::Note)
            .collect()
    });
    let first = found.next().unwrap();
    (
        is_clean,
        first,
        found.flat_map(|found: Vec<_>| found).collect(),
    )
}

/// Codes of findings about one legal record, each with a moment where it was reported and which is known to be listed.
type Listed = BTreeSet<(&'static str, String)>;

/// What is wrong with the judgement of a record with a fault, if anything.
fn against(mutant: &Mutant, known: &mut Listed) -> Option<String> {
    let (is_clean, mut found, rest) = found(&mutant.text);
    let reported: Vec<_> = found.iter().map(|finding| finding.code.id).collect();
    if is_clean {
        return Some(format!("clean {reported:?}"));
    }
    // A result in the middle splits a record in two, and one finding reports the second half.
    let codes_of_rest: Vec<_> = rest.iter().map(|finding| finding.code.id).collect();
    if codes_of_rest != vec!["text-after-result"; usize::from(mutant.has_rest)] {
        return Some(format!("{reported:?} and after it {codes_of_rest:?}"));
    }
    if found.is_empty() {
        found = rest;
    }
    let place =
        |finding: &Finding| finding.place.span.from as usize..finding.place.span.to as usize;
    let first = found
        .iter()
        .find(|finding| finding.severity == Severity::Error)?;
    let (at, there) = (&mutant.at, place(first));
    if there.start > at.end || there.end < at.start {
        return Some(format!("elsewhere {reported:?}"));
    }
    if let Some(at) = first.moment.as_deref()
        && known.insert((first.code.id, at.to_owned()))
    {
        let listed = moments(&mutant.text);
        if !is_listed(at, &listed) {
            let id = first.code.id;
            return Some(format!(
                "{id} is said to be at {at}, and there is no such moment: {listed:?}"
            ));
        }
    }
    // What cannot be known after the fault is reported as open.
    let may_be = |id: &str| match id {
        "open-ply" => true,
        // What is left of a cut ply may itself be illegal: then the text ends as if between two acts.
        "missing-result" => mutant.is_cut && first.code.id == "illegal-move",
        _ => false,
    };
    let may_be = |id: &str| may_be(id) || (mutant.brings_signs && id == "check-suffix");
    let follows = |finding: &Finding| {
        let there = place(finding);
        finding.code.id == "illegal-move"
            && mutant
                .also
                .iter()
                .any(|at| there.start <= at.end && at.start <= there.end)
    };
    let others = found
        .iter()
        .filter(|finding| !may_be(finding.code.id) && *finding != first);
    let others = others.filter(|finding| !follows(finding));
    let others: Vec<_> = others.map(|finding| finding.code.id).collect();
    (!others.is_empty()).then(|| format!("{} and {others:?}", first.code.id))
}

/// Whether a moment that is suggested for `show --at` exists.
fn is_listed(at: &str, listed: &BTreeSet<String>) -> bool {
    // The end of a sub-game is addressed by its path alone.
    let is_it = |rest: &str| rest.is_empty() || rest.starts_with('.');
    at == "end"
        || listed
            .iter()
            .any(|known| known.strip_prefix(at).is_some_and(is_it))
}

/// The moments of the games in a text, as `show --at` takes them.
fn moments(text: &str) -> BTreeSet<String> {
    let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
    let mut referee = AnyReferee::new(Options {
        rows: true,
        ..Options::default()
    });
    let mut moments = BTreeSet::new();
    loop {
        let event = parser.next().expect("a text in memory can be read");
        referee.hear(event, &parser);
        match event {
            Event::End => drop(referee.take_report(&mut parser)),
            Event::Done => return moments,
            _ => {}
        }
        moments.extend(std::iter::from_fn(|| referee.next_seen()).filter_map(|seen| seen.row.at));
    }
}

/// The results of the faults put into one game.
#[derive(Default)]
pub struct Tally {
    pub put: BTreeMap<&'static str, usize>,
    pub failed: BTreeMap<String, (usize, String)>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        for (kind, count) in other.put {
            *self.put.entry(kind).or_default() += count;
        }
        for (why, (count, example)) in other.failed {
            self.failed.entry(why).or_insert((0, example)).0 += count;
        }
    }

    /// The failures, with an example of each kind.
    fn reported(&self) -> String {
        let failed = self
            .failed
            .iter()
            .map(|(why, (count, example))| format!("{count} x {why}\n{example}"));
        failed.collect::<Vec<_>>().join("\n\n")
    }
}

/// Plays a game and puts faults into it.
pub fn trial(agreed: &Agreed, plies: usize, seed: u64, each: usize) -> Tally {
    let mut chance = Chance::seeded(seed);
    let played = agreed.play(plies, &mut chance);
    let (places, results) = places(&played.text);
    let acts = played.plies();
    let mut tally = Tally::default();
    let (is_clean, blamed, _) = found(&played.text);
    if !is_clean || !blamed.is_empty() || places.len() != acts.len() {
        let why = format!(
            "the legal record: {:?}",
            blamed
                .iter()
                .map(|f| (f.code.id, &f.message))
                .collect::<Vec<_>>()
        );
        tally.failed.insert(
            why,
            (
                1,
                format!("{} {}\n{}", places.len(), acts.len(), played.text),
            ),
        );
        return tally;
    }
    // Faults are put at a quarter of the places only: the model takes longer for one place than the referee for all
    // four.
    let chosen = (0..each.div_ceil(2))
        .map(|_| chance.below(places.len()))
        .collect();
    let legal = Legal::of(agreed, &played, &acts, (&places, &results), chosen);
    let mut known = Listed::default();
    for kind in KINDS {
        // Some faults have no place in a random game.
        let mutants = (0..4 * each).filter_map(|_| legal.put(kind, &mut chance));
        for mutant in mutants.take(each).collect::<Vec<_>>() {
            *tally.put.entry(kind).or_default() += 1;
            if let Some(why) = against(&mutant, &mut known) {
                let key = format!("{:?} {kind}: {why}", agreed.game);
                let example = format!(
                    "{:?}\n{}\n--- at {:?}: {}",
                    agreed,
                    mutant.text,
                    mutant.at,
                    mutant.text.get(mutant.at.clone()).unwrap_or("")
                );
                tally.failed.entry(key).or_insert((0, example)).0 += 1;
            }
        }
    }
    tally
}

/// Plays this number of games for each agreement in turn.
pub fn trials(games: usize, each: usize, seed: u64) -> Tally {
    let all: Vec<_> = model::agreements()
        .into_iter()
        .enumerate()
        .flat_map(|(nth, (agreed, plies))| {
            (0..games as u64).map(move |game| {
                (
                    agreed.clone(),
                    plies,
                    seed + 1_000_003 * game + nth as u64 + 1,
                )
            })
        })
        .collect();
    let tallies: Vec<_> = all
        .par_iter()
        .map(|(agreed, plies, seed)| trial(agreed, *plies, *seed, each))
        .collect();
    let mut sum = Tally::default();
    tallies.into_iter().for_each(|tally| sum.add(tally));
    sum
}

#[test]
fn one_fault_gives_one_finding_at_its_place() {
    let tally = trials(tries(1), 3, 7);
    let put = &tally.put;
    assert!(tally.failed.is_empty(), "{}", tally.reported());
    assert!(
        KINDS
            .iter()
            .all(|kind| put.get(kind).is_some_and(|count| *count >= tries(180))),
        "{put:?}"
    );
}

/// The longest run, on request: `cargo test -p overboard --test tests -- --ignored a_million_faults`. It uses seeds
/// that no other run uses; `OVERBOARD_ROUND` continues from a later round.
#[test]
#[ignore = "takes hours"]
fn a_million_faults_of_each_kind() {
    let mut sum = Tally::default();
    let first = env::var("OVERBOARD_ROUND").map_or(1, |round| round.parse().unwrap());
    for round in first.. {
        sum.add(trials(1, 64, 1_000_000_007 * round));
        eprintln!("{round}: {:?}", sum.put);
        assert!(sum.failed.is_empty(), "{}", sum.reported());
        if KINDS
            .iter()
            .all(|kind| sum.put.get(kind).is_some_and(|count| *count >= 1_000_000))
        {
            return;
        }
    }
}

/// The codes of all findings in a text, notes excluded.
fn codes(text: &str) -> Vec<&'static str> {
    let (_, first, rest) = found(text);
    first
        .into_iter()
        .chain(rest)
        .map(|finding| finding.code.id)
        .collect()
}

#[test]
fn a_fault_of_the_text_is_reported_once() {
    const EIGHT: &str = "A2.e4 B2.e4 C2.e4 D2.e4 E2.e4 F2.e4 G2.e4 H2.e4";
    const FOOLS: &str = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#";
    let mega = |moves: &str| format!("[Variant \"Mega-Chess\"] {moves}");
    let over = |moves: &str| format!("[Variant \"Overchess\"] 1. e4 d5 2. exd5 {moves}");
    let deep = |tags: &str| {
        let sub = "1. e4 d5 2. exd5 <d5: 1-0> 1-0";
        format!(
            "[Variant \"Overchess\"] [Rules \"depth=2:fog\"] 1. e4 d5 2. exd5 c6 <d5: {tags} {} > 3. d4 *",
            sub.replace(" <d5: 1-0>", " c6 <d5: 1-0>")
        )
    };
    let checked = include_str!("../games/examples/MG-11.broken-stays.pgn");
    let items = "1. <C3.Ka2 C3.Ka2 A8.e4 E8.e4> *";
    for (text, expected) in [
        // Brackets that cannot be read or are not closed.
        (mega("1. <a2.e4 B2.e4 C2.e4 D2.e4> *"), vec!["bad-token"]),
        (mega("1. <a2.e4 <B2.e4 C2.e4> D2.e4> *"), vec!["bad-token"]),
        (mega("1. <A2.e4 B2.d4 *"), vec!["unclosed-bracket"]),
        (
            mega(&format!("1. <{EIGHT} <A7.e4 B7.e4> *")),
            vec!["unclosed-bracket"],
        ),
        (over("<d5: 1. e4 e5 c6 *"), vec!["unclosed-bracket"]),
        (over("<d5: 1. e4 {a remark"), vec!["unclosed-comment"]),
        ("1. e4 e5 2. N".into(), vec!["bad-ply"]),
        (
            over("<d5: 1. e4 <A2.e4> 1... e5 2. Ke5 1-0> *"),
            vec!["extension-token"],
        ),
        (
            over("<d5: 1. e4 Rxa5/B 2. Qh9 1-0> *"),
            vec!["extension-token"],
        ),
        (
            over("<d5: 1. e4 1-0 <e4: 1. e4 1-0> <reserve d4: P> 2. e4> c6 *"),
            vec!["bad-token"],
        ),
        (mega("1. <A2.e4 (A2.d4) B2.e4 C2.e4> *"), vec!["bad-token"]),
        // Tags of a sub-game that name a different game.
        (
            over("<d5: [Variant \"MetaChess #4\"] 1. e4 1-0> c6 *"),
            vec!["bad-rules"],
        ),
        (
            over("<d5: [Variant \"Overchess\"] 1. e4 1-0> c6 *"),
            vec!["bad-rules"],
        ),
        (
            over("<d5: [Rules \"fog\"] 1. e4 1-0> c6 *"),
            vec!["bad-rules"],
        ),
        (
            over("<d5: [Variant \"Chess\"] [Rules \"illegal=3\"] 1. e4 1-0> c6 *"),
            vec![],
        ),
        (deep("[Variant \"Overchess\"] [Rules \"depth=1\"]"), vec![]),
        (
            deep("[Variant \"Overchess\"] [Rules \"depth=2\"]"),
            vec!["bad-rules"],
        ),
        (deep("[Rules \"prisoners\"]"), vec!["bad-rules"]),
        (deep("[Rules \"nonsense\"]"), vec!["bad-rules"]),
        (deep("[Variant \"Chess\"]"), vec!["bad-rules"]),
        (
            over("<d5: [SetUp \"1\"] 1. e4 1-0> c6 *"),
            vec!["setup-tag"],
        ),
        // Turns in which no further item is possible.
        (
            mega(&format!("1. <{EIGHT} A1.e4 B1.e4 C1.e4> *")),
            vec!["illegal-move"],
        ),
        (checked.replace("1. Ke2 *", items), vec!["illegal-move"]),
        // Text after the end.
        (
            over(&format!("<d5: {FOOLS} Kd8 5. a3 1-0> Qxd5 *")),
            vec!["move-after-end"],
        ),
        (
            over(&format!("<d5: {FOOLS} 1-0 Kd8 5. a3> Qxd5 *")),
            vec!["bad-token"],
        ),
        (
            over(&format!("<d5: {FOOLS} 1-0 0-1> Qxd5 *")),
            vec!["bad-token"],
        ),
        ("1. e4 {[%resign W]} e5 *".into(), vec!["move-after-end"]),
        (
            "1. e4 {[%infraction W SC-42 \"Attack!\"]} e5 *".into(),
            vec!["open-offence"],
        ),
        (
            "1. e4 {[%infraction W SC-42 \"Attack!\"]} e5 0-1".into(),
            vec![],
        ),
        (
            "1. f3 e5 2. g4 Qh4# {[%resign W]} 0-1".into(),
            vec!["after-end"],
        ),
        (
            "1. f3 e5 2. g4 Qh4# {[%resign B]} 1-0".into(),
            vec!["after-end", "wrong-result"],
        ),
        (
            "[Result \"0-1\"] 1. f3 e5 2. g4 Qh4# 1-0".into(),
            vec!["wrong-result"],
        ),
        (
            "1. e4 e5 1-0 2. Nf3 Nc6 *".into(),
            vec!["text-after-result"],
        ),
        ("1. e4 e5 1-0 2. Nf3 Nc6".into(), vec!["text-after-result"]),
        ("1. e4 1-0 1... e5 *".into(), vec!["text-after-result"]),
        ("1. e4 e5 1-0 1-0".into(), vec!["text-after-result"]),
        (
            "1. e4 e5 1-0 <A2.e4 B2.e4> *".into(),
            vec!["text-after-result"],
        ),
        ("1. e4 e5 1-0 1. d4 d5 0-1".into(), vec![]),
        ("1. f3 e5 2. g4 Qh4# 3. a3 *".into(), vec!["move-after-end"]),
        (
            "1. f3 e5 2. g4 Qh4# 3. a3 1-0".into(),
            vec!["move-after-end", "wrong-result"],
        ),
        ("2. e4 e5 *".into(), vec!["move-number"]),
        // A claim with an illegal move does not end the game.
        (
            "1. e4 e5 {[%claim fifty Qe4]} 1/2-1/2".into(),
            vec!["wrong-claim", "wrong-result"],
        ),
        (
            over("<d5: 1. e4 e5 {[%claim threefold Qe4]} 1/2-1/2> c6 *"),
            vec!["wrong-claim", "wrong-result"],
        ),
        (
            mega(
                "1. <A2.1/2-1/2 {[%claim threefold Qe4]} B2.e4 C2.e4 D2.e4 E2.e4 F2.e4 G2.e4 H2.e4> *",
            ),
            vec!["illegal-move"],
        ),
        (
            mega(
                "1. <A2.1/2-1/2 {[%claim threefold e4]} B2.e4 C2.e4 D2.e4 E2.e4 F2.e4 G2.e4 H2.e4> *",
            ),
            vec!["illegal-move"],
        ),
        // Spellings of other programs are accepted, with a single warning each.
        ("[Result \"1/2\"] 1. e4 1/2-1/2".into(), vec!["tag-value"]),
        ("[Result \"½-½\"] 1. e4 1/2-1/2".into(), vec!["tag-value"]),
        (
            "1. e4 (1. d4 Z0 2. c4) 1... e5 (1... Z0 2. d4) *".into(),
            vec!["null-move", "null-move"],
        ),
        // A file of remarks alone is not a text with games, but nothing is said of control characters.
        ("{a remark}".into(), vec!["not-text"]),
        (
            "% a line\n{a remark} ; and another\n".into(),
            vec!["not-text"],
        ),
    ] {
        assert_eq!(codes(&text), expected, "{text}");
    }
}

/// A piece may have crossed from a lost board unseen, and under the edition of 2025 that used up the turn of the board
/// where it arrived.
#[test]
fn a_piece_that_may_have_come_from_a_lost_board_is_not_a_fault() {
    let linked = |rules: &str, moves: &str| {
        let boards = "[Variant \"StrategiChess\"] [Boards \"A:B:C\"]";
        format!("{boards} [White \"Ann:Cy:Al\"] [Black \"Di:Ed:Jo\"] [Rules \"{rules}\"] {moves} *")
    };
    for (rules, moves, expected) in [
        (
            "edition=2003",
            "1B. Kh9 1A. e7 1a. Nxn10",
            vec!["illegal-move"],
        ),
        ("edition=2003", "1A. e7 1a. Nxn10", vec!["extra-capture"]),
        (
            "edition=2003",
            "1B. Kh9 1A. e7 1a. e9 2A. Qa2/B",
            vec!["illegal-move", "open-ply"],
        ),
        (
            "edition=2003",
            "1C. Kh9 1A. e7 1a. e9 2A. Qa2/B",
            vec!["illegal-move", "illegal-move"],
        ),
        (
            "edition=2025",
            "1B. e7 1C. e7 1c. Kh1 1A. Nn5 1a. e9 2A. Nb6/B",
            vec!["illegal-move", "open-ply"],
        ),
        (
            "edition=2025",
            "1B. e7 1C. e7 1c. e9 1A. Nn5 1a. e9 2A. Nb6/B",
            vec!["illegal-move"],
        ),
        (
            "edition=2025",
            "1B. e7 1C. e7 1c. Kh1 1b. e9 3B. c6",
            vec!["illegal-move"],
        ),
        (
            "edition=2025",
            "1B. e7 1C. e7 1c. e9 1b. e9 3B. c6",
            vec!["move-number"],
        ),
    ] {
        assert_eq!(codes(&linked(rules, moves)), expected, "{rules}: {moves}");
    }
}
