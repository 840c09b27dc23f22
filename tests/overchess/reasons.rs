//! Illegal acts are refused with the rule that they break.

use crate::text;

/// The rule and the message of the first error in a game under these rules.
fn first(rules: &str, head: &str, moves: &str) -> (&'static str, String) {
    let rules = if rules.is_empty() {
        String::new()
    } else {
        format!("[Rules \"{rules}\"]\n")
    };
    let record = format!("[Variant \"Overchess\"]\n{rules}{head}[Result \"*\"]\n\n{moves} *\n");
    let report = text::judge(record.as_bytes()).remove(0);
    let found = report
        .findings
        .into_iter()
        .find_map(|finding| Some((finding.rule?.id, finding.message.as_it_came().to_owned())));
    found.unwrap_or_default()
}

fn refused(rules: &str, moves: &str) -> (&'static str, String) {
    first(rules, "", moves)
}

/// Each side has lost a pawn in the sub-game; both over-pieces stay.
const DRAWN: &str = "1. e4 d5 2. exd5 <d5: 1. e4 d5 2. exd5 Qxd5 1/2-1/2>";

#[test]
fn consolidations_are_refused_by_their_own_rules() {
    for rules in ["consolidation", "consolidation:fog"] {
        let drawn = if rules.ends_with("fog") {
            "1. e4 d5 2. exd5 Nf6 <d5: 1. e4 d5 2. exd5 Qxd5 1/2-1/2> 3. Nf3"
        } else {
            DRAWN
        };
        // One pawn is missing on d5, and nobody has room for the queen of a7.
        for (act, rule, words) in [
            ("<consolidate a7: d5+2P>", "OV-20", "no room for a pawn"),
            ("<consolidate a7: d5+P h7+P>", "OV-20", "no room for a pawn"),
            (
                "<consolidate a7: d5+P b7+Q>",
                "OV-20",
                "no room for a queen",
            ),
            ("<consolidate a7: d5+9P>", "OV-20", "no room for a pawn"),
            (
                "<consolidate a7: d4+P>",
                "OV-22",
                "no sub-set of Black is on d4",
            ),
            (
                "<consolidate e8: d5+P>",
                "OV-22",
                "the over-king is not consolidated",
            ),
        ] {
            let found = refused(rules, &format!("{drawn} {act}"));
            assert!(
                found.0 == rule && found.1.contains(words),
                "{rules} {act}: {found:?}"
            );
        }
        assert_eq!(
            refused(rules, &format!("{drawn} <consolidate a7: d5+P>")),
            ("", String::new()),
            "{rules}"
        );
    }
}

#[test]
fn without_fog_a_block_for_another_square_is_not_refused_by_the_rules_of_fog() {
    assert_eq!(refused("", "1. e4 d5 2. exd5 <e5: 1. e4 1-0>").0, "OV-2");
    assert_eq!(
        refused("fog", "1. e4 d5 2. exd5 Nf6 <e5: 1. e4 1-0>").0,
        "OV-32"
    );
}

#[test]
fn an_act_after_a_sub_game_has_ended_is_refused() {
    let (rule, words) = refused("", "1. e4 d5 2. exd5 <d5: 1. f3 e5 2. g4 Qh4# 3. a3 0-1>");
    assert_eq!(
        (rule, words.as_str()),
        ("GEN-2", "the sub-game on d5 had ended by checkmate (0-1)")
    );
}

#[test]
fn taking_no_prisoners_is_allowed_after_any_win() {
    for depth in ["", "depth=2:"] {
        let rules = format!("{depth}prisoners");
        for moves in [
            // Nothing was lost, so there is no room for a prisoner.
            "1. e4 d5 2. exd5 <d5: 1-0> <prisoners 0> Nf6",
            "1. e4 d5 2. exd5 <d5: 0-1> <prisoners 0> Nf6",
        ] {
            assert_eq!(
                refused(&rules, moves),
                ("", String::new()),
                "{rules}: {moves}"
            );
        }
        for moves in [
            "1. e4 d5 2. exd5 <d5: 1/2-1/2> <prisoners 0> Nf6",
            "1. e4 d5 2. exd5 <d5: 1-0> <prisoners 0> <prisoners P> Nf6",
            "1. e4 <prisoners 0> d5",
        ] {
            assert_eq!(refused(&rules, moves).0, "OV-21", "{rules}: {moves}");
        }
        assert_eq!(
            refused(
                depth.trim_end_matches(':'),
                "1. e4 d5 2. exd5 <d5: 1-0> <prisoners 0> Nf6"
            )
            .0,
            "OV-21"
        );
    }
}

/// Both sub-sets have only a king.
const BARE: &str =
    "[SetUp \"1\"]\n[FEN \"4k3/7p/8/3p4/2P5/8/7P/4K3 w - - 0 1 c4=0,d5=0 - 1B/1N\"]\n";

#[test]
fn a_sub_game_dead_at_its_set_up_is_settled_like_any_other() {
    let rules = "reserves=team/1B/1N";
    for settled in [
        "",
        "<d5: 1/2-1/2>",
        "<d5: 1/2-1/2> <reserve c4: B>",
        "<d5: 1/2-1/2> <reserve d5: N>",
        "<d5: 1/2-1/2> <reserve c4: B> <reserve d5: N>",
        "<d5: > <reserve c4: B> <reserve d5: N>",
        "<reserve c4: B> <reserve d5: N>",
    ] {
        let found = first(rules, BARE, &format!("1. cxd5 {settled} 1... Ke7 2. c5"));
        assert_eq!(found, ("", String::new()), "{settled}");
    }
    let (rule, words) = first(rules, BARE, "1. cxd5 <d5: 1-0> <reserve c4: B> 1... Ke7");
    assert_eq!(
        (rule, words.as_str()),
        (
            "OV-16",
            "the result is 1/2-1/2 by dead position, but 1-0 is recorded"
        )
    );
}
