//! What the registry says of each game is whole and names it alone.

use overboard_formats::limits::Limits;
use overboard_games::registry::Variant;
use overboard_referee::game::tags::option_faults;
use overboard_rules::variant::{RuleOption, Sample};
use std::collections::BTreeSet;

#[test]
fn names_are_of_one_game_each() {
    let spellings: Vec<_> = Variant::ALL
        .iter()
        .flat_map(|game| game.info().spellings.iter().map(|s| s.text))
        .collect();
    assert_eq!(
        spellings.iter().collect::<BTreeSet<_>>().len(),
        spellings.len()
    );
    assert!(spellings.iter().all(|text| *text == text.to_lowercase()));
    let arguments: BTreeSet<_> = Variant::arguments().map(|(_, argument)| argument).collect();
    assert_eq!(arguments.len(), Variant::arguments().count());
    for game in Variant::ALL {
        assert_eq!(
            Variant::of(Some(game.name().to_uppercase().as_bytes())),
            Some(*game)
        );
        // The fields that `VariantInfo::BASE` leaves empty.
        let info = game.info();
        assert!(
            ![info.name, info.in_words].contains(&"") && !info.arguments.is_empty(),
            "{game:?}"
        );
        assert!(!info.pages.is_empty() && info.laws > 0, "{game:?}");
        let changes: Vec<_> = info.changes.iter().map(|change| change.laws).collect();
        let numbers: Vec<_> = (2..=info.laws).collect();
        assert_eq!(changes, numbers, "{game:?}");
    }
}

#[test]
fn every_sample_can_be_set_up() {
    for game in Variant::ALL {
        assert_eq!(
            game.info().samples.first(),
            Some(&Sample::PLAIN),
            "{game:?}"
        );
        assert_eq!(
            game.sampled().count(),
            game.info().samples.len(),
            "{game:?}"
        );
        for sample in game.info().samples {
            let items = sample
                .rules
                .split(':')
                .filter(|item| !item.is_empty())
                .map(RuleOption::split);
            assert!(
                items
                    .into_iter()
                    .all(|(name, value)| game.knows_option(name, value)),
                "{sample:?}"
            );
        }
    }
}

#[test]
fn options_are_a_closed_list() {
    let limits = Limits::default();
    let faults = |rules, game: Variant| option_faults(rules, game.info(), &limits).len();
    assert_eq!(
        faults(
            "fog:prisoners:subdraw=both:reserves=team/2P1N/3P:depth=2",
            Variant::Over
        ),
        0
    );
    assert_eq!(
        faults("edition=2025:flag=end:illegal=3", Variant::Strategi),
        0
    );
    assert_eq!(faults("fog", Variant::Strategi), 1);
    assert_eq!(faults("fog:fog", Variant::Over), 1);
    assert_eq!(faults("depth=65", Variant::Over), 1);
    assert_eq!(faults("reserves=team/2X", Variant::Over), 1);
    assert_eq!(faults("illegal=0", Variant::Chess), 1);
}
