//! From depth 2 on, a record may give the number of sub-pieces in place of their names where that leaves no choice.

use crate::text;

/// The findings on a game of depth 2 under these rules: codes, messages, and what was possible.
fn found(rules: &str, moves: &str) -> Vec<(String, String, Vec<String>)> {
    let record = format!(
        "[Variant \"Overchess\"]\n[Rules \"depth=2:{rules}\"]\n[Result \"*\"]\n\n{moves} *\n"
    );
    let report = text::judge(record.as_bytes()).remove(0);
    let errors = report
        .findings
        .into_iter()
        .filter(|finding| finding.rule.is_some());
    errors
        .map(|finding| {
            (
                finding.code.id.to_string(),
                finding.message.as_it_came().to_owned(),
                finding.possible,
            )
        })
        .collect()
}

/// The attacking pawn of e2 has lost its queen, the pawn of d7 is lost with its queen.
const QUEEN: &str = "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Qh5 Nc6 3. Qxf7+ <f7: 0-1> Nf6 1-0>";
/// The pawn of d7 has lost a pawn, and all those of the pawn of e2 survive.
const PAWN: &str = "1. e4 d5 2. exd5 <d5: 1. e4 d5 2. exd5 <d5: 1-0> Nf6 0-1>";

#[test]
fn a_count_of_prisoners_without_a_choice_is_taken() {
    for act in ["", "<prisoners Q>", "<prisoners d7/d1>", "<prisoners 0>"] {
        assert_eq!(
            found("prisoners", &format!("{QUEEN} {act} 2... Nf6")),
            [],
            "{act}"
        );
    }
    let two = found("prisoners", &format!("{QUEEN} <prisoners 2Q> 2... Nf6"));
    assert_eq!(two[0].0, "illegal-move");
    assert!(
        two[0]
            .1
            .contains("more pieces of the kind queen are given than there are: 2 of 1"),
        "{two:?}"
    );
}

#[test]
fn a_count_of_prisoners_with_a_choice_lists_the_candidates() {
    let names = ["a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2"].map(|place| format!("e2/{place}"));
    let counted = found("prisoners", &format!("{PAWN} <prisoners P> 2... Nf6"));
    assert!(
        counted[0]
            .1
            .contains("it does not say which pieces of the kind pawn are meant: 1 of 8"),
        "{counted:?}"
    );
    assert_eq!(counted[0].2, names);
    let unnamed = found("prisoners", &format!("{PAWN} 2... Nf6"));
    assert!(unnamed[0].1.contains("they must be named"), "{unnamed:?}");
    assert_eq!(unnamed[0].2, names);
    assert_eq!(
        found("prisoners", &format!("{PAWN} <prisoners e2/c2> 2... Nf6")),
        []
    );
}

#[test]
fn counts_of_a_consolidation_without_a_choice_are_taken() {
    let queen = QUEEN.replace("2... Nf6", "");
    for act in ["h2", "h2: d5+Q", "h2: d5+h2/d1"] {
        assert_eq!(
            found(
                "consolidation",
                &format!("{queen} 2... Nf6 3. <consolidate {act}>")
            ),
            [],
            "{act}"
        );
    }
    let pawns = found(
        "consolidation",
        &format!("{PAWN} 2... <consolidate h7: d5+P>"),
    );
    assert!(
        pawns[0]
            .1
            .contains("it does not say which pieces of the kind pawn are meant: 1 of 8"),
        "{pawns:?}"
    );
    assert_eq!(pawns[0].2.first().map(String::as_str), Some("h7/a2"));
    let none = found(
        "consolidation",
        &format!("{queen} 2... Nf6 3. <consolidate h2: d5+2Q>"),
    );
    assert!(
        none[0]
            .1
            .contains("more pieces of the kind queen are given than there are: 2 of 1"),
        "{none:?}"
    );
}

#[test]
fn counts_for_two_over_pieces_leave_the_recipients_open() {
    // Both knights of h2's sub-set are to be handed over; d5 and b5 lack one each.
    let two = "1. e4 d5 2. exd5 <d5: 1. Nf3 e5 2. Nxe5 <e5: 0-1> Nf6 1-0> Nf6 3. a4 b5 4. axb5 <b5: 1. Nf3 e5 2. Nxe5 <e5: 0-1> Nf6 1-0> Nh5";
    let split = found(
        "consolidation",
        &format!("{two} 5. <consolidate h2: d5+N b5+N>"),
    );
    assert!(
        split[0]
            .1
            .contains("it does not say which pieces of the kind knight go where"),
        "{split:?}"
    );
    assert_eq!(split[0].2, ["b5+h2/b1", "b5+h2/g1", "d5+h2/b1", "d5+h2/g1"]);
    assert_eq!(
        found(
            "consolidation",
            &format!("{two} 5. <consolidate h2: d5+h2/g1 b5+N>")
        ),
        []
    );
}
