//! Results as people write them. Tables as people have them are cases in `tests/cli/event`.

use overboard_events::rounds::GameResult;

/// Every spelling of a result is one of six.
#[test]
fn results_are_read_in_many_spellings() {
    let spellings = [
        ("1-0", "1–0 1—0 1−0 1‑0 1:0 1‐0 w"),
        ("0-1", "0–1 0−1 0:1 b"),
        (
            "1/2-1/2",
            "½-½ ½–½ ½:½ ½ = 0.5-0.5 0,5-0,5 0,5:0,5 1/2 draw Remis 1/2–1/2 =-=",
        ),
        ("1-0f", "+- +:- +/- +–- 1-0F 1–0f 1:0f"),
        ("0-1f", "-+ -:+ -/+ 0:1f"),
        ("0-0f", "-- -:- -/- 0:0f"),
    ];
    for (result, words) in spellings {
        for word in words.split(' ') {
            let read = word
                .parse::<GameResult>()
                .unwrap_or_else(|()| panic!("{word}"));
            assert_eq!(read.to_string(), result, "{word}");
        }
    }
    for wrong in ["", "2-0", "1-1", "1-", "x", "0", "1", "--0"] {
        assert!(wrong.parse::<GameResult>().is_err(), "{wrong}");
    }
}
