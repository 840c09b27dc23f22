//! What is said at a desk beside the moves.

use super::{is_clean, new, open, play};
use crate::records::Agreed;
use overboard_desk::keeper::{ActError, Scope};
use overboard_games::registry::Variant;
use std::fs;

/// The game, its boards, acts before, what is said, whether it is refused, the result, and what the record then holds.
type Case = (
    Variant,
    u16,
    &'static [&'static str],
    &'static str,
    bool,
    &'static str,
    &'static str,
);

/// What players, captains and arbiters say, in every kind of game.
#[test]
fn what_is_said_is_judged_and_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let cases: &[Case] = &[
        (
            Variant::Chess,
            1,
            &["e4"],
            "resign",
            false,
            "1-0",
            "{[%resign B]}",
        ),
        (
            Variant::Chess,
            1,
            &["e4", "e5"],
            "resign B",
            false,
            "1-0",
            "{[%resign B]}",
        ),
        (
            Variant::Chess,
            1,
            &["e4"],
            "draw offered",
            false,
            "*",
            "{[%draw offered]}",
        ),
        (
            Variant::Chess,
            1,
            &["e4"],
            "draw agreed",
            false,
            "1/2-1/2",
            "{[%draw agreed]}",
        ),
        (Variant::Chess, 1, &["e4"], "claim threefold", true, "*", ""),
        (
            Variant::Chess,
            1,
            &["e4"],
            "flag",
            false,
            "1-0",
            "{[%flag B]}",
        ),
        (
            Variant::Chess,
            1,
            &["e4"],
            "illegal Nf9",
            false,
            "*",
            "{[%illegal Nf9]}",
        ),
        (Variant::Chess, 1, &["e4"], "illegal Nf6", true, "*", ""),
        (
            Variant::Chess,
            1,
            &["e4"],
            "illegal Ke6",
            false,
            "*",
            "{[%illegal Ke6]}",
        ),
        (Variant::Chess, 1, &["e4"], "dance W", true, "*", ""),
        (
            Variant::Chess,
            1,
            &["e4"],
            "resign W] [%flag B",
            true,
            "*",
            "",
        ),
        (
            Variant::Mega,
            1,
            &["A2.e4"],
            "resign W",
            false,
            "0-1",
            "> {[%resign W]}",
        ),
        (
            Variant::Mega,
            1,
            &["Nc3"],
            "draw agreed",
            false,
            "1/2-1/2",
            "{[%draw agreed]}",
        ),
        (
            Variant::Strategi,
            3,
            &["A:g7"],
            "resign W",
            false,
            "0-1",
            "{[%resign W]}",
        ),
        (
            Variant::Olympic,
            1,
            &["a3"],
            "flag B",
            false,
            "1-0",
            "{[%flag B]}",
        ),
    ];
    for (number, (game, boards, before, said, is_refused, result, holds)) in
        cases.iter().enumerate()
    {
        let path = folder.path().join(format!("{number}.npgn"));
        let agreed = Agreed::on(*game, *boards, None, "");
        let mut keeper = open(&path, Some(&new(&agreed)));
        for ply in *before {
            play(&mut keeper, ply).unwrap_or_else(|why| panic!("{ply}: {why}"));
        }
        let known = keeper.text();
        let done = keeper.say(said, Scope::GameHere);
        assert_eq!(done.is_err(), *is_refused, "{said}: {done:?}");
        let record = keeper.text();
        if *is_refused {
            assert_eq!(record, known, "{said}");
        }
        let spaced = record.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(spaced.contains(holds), "{said}: {record}");
        assert!(record.trim_end().ends_with(result), "{said}: {record}");
        is_clean(&record);
        if *result != "*" {
            assert!(play(&mut keeper, "e5").is_err());
            is_clean(&fs::read_to_string(&path).unwrap());
            keeper.undo(1).unwrap();
            assert_eq!(keeper.text(), known);
        }
    }
}

/// A sub-game of Overchess ends by what is said in it, and the game goes on around it.
#[test]
fn a_sub_game_ends_by_what_is_said_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let agreed = Agreed::on(Variant::Over, 1, None, "");
    for (number, (said, holds)) in [
        ("resign W", "e5 {[%resign W]} 0-1 >"),
        ("resign B", "e5 {[%resign B]} 1-0 >"),
        ("draw agreed", "e5 {[%draw agreed]} 1/2-1/2 >"),
        ("flag W", "e5 {[%flag W]} 0-1 >"),
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.path().join(format!("{number}.npgn"));
        let mut keeper = open(&path, Some(&new(&agreed)));
        // The sub-sets are complete, so nobody has to set up.
        for ply in ["e4", "d5", "exd5", "e4", "e5"] {
            play(&mut keeper, ply).unwrap_or_else(|why| panic!("{ply}: {why}"));
        }
        keeper
            .say(said, Scope::GameHere)
            .unwrap_or_else(|why| panic!("{said}: {why}"));
        let spaced = keeper
            .text()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert!(spaced.contains(holds), "{said}: {spaced}");
        assert!(keeper.state().over.is_none() && keeper.state().game.here().is_empty());
        play(&mut keeper, "Nf6").unwrap_or_else(|why| panic!("{why}"));
        is_clean(&keeper.text());
    }
    // The whole game ends while a sub-game is going on.
    let path = folder.path().join("whole.npgn");
    let mut keeper = open(&path, Some(&new(&agreed)));
    for ply in ["e4", "d5", "exd5", "e4"] {
        play(&mut keeper, ply).unwrap();
    }
    keeper.say("resign W", Scope::WholeRecord).unwrap();
    assert!(
        keeper.text().trim_end().ends_with("0-1"),
        "{}",
        keeper.text()
    );
    is_clean(&keeper.text());
}

/// An illegal move is refused with its rule and remedy, and recorded as an attempt if the arbiter says so; the second one
/// loses.
#[test]
fn illegal_moves_are_attempts_if_the_arbiter_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let mut record = new(&Agreed::on(Variant::Chess, 1, None, ""));
    record.tags.push(("TimeControl".into(), "5400+30".into()));
    let mut keeper = open(&path, Some(&record));
    play(&mut keeper, "e4").unwrap();
    let Err(ActError::Refused(refused)) = play(&mut keeper, "Ke6") else {
        panic!("legal")
    };
    assert_eq!(refused.report.rule.as_deref(), Some("CH-13"));
    assert!(refused.is_recordable);
    assert_eq!(refused.remedy.unwrap().articles, ["7.5.1", "7.5.5"]);
    let done = keeper.record_refused().unwrap();
    assert!(done.remedy.unwrap().text.contains("give White two minutes"));
    assert!(keeper.record_refused().is_err());
    play(&mut keeper, "Ke6").unwrap_err();
    let done = keeper.record_refused().unwrap();
    assert!(done.remedy.unwrap().text.contains("loses the game"));
    assert_eq!(keeper.state().over.as_ref().unwrap().result, "1-0");
    is_clean(&fs::read_to_string(&path).unwrap());
}

/// A right claim comes with its proof, as `check` has it.
#[test]
fn a_right_claim_is_proved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let mut keeper = open(&path, Some(&new(&Agreed::on(Variant::Chess, 1, None, ""))));
    for ply in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"] {
        play(&mut keeper, ply).unwrap();
    }
    let done = keeper.say("claim threefold Ng8", Scope::GameHere).unwrap();
    let [proof] = &done.notes[..] else {
        panic!("{:?}", done.notes)
    };
    assert!(proof.message.shown().contains("after 2..."), "{proof:?}");
    assert_eq!(keeper.state().over.as_ref().unwrap().result, "1/2-1/2");
}

/// A wrong claim can be recorded, and its move must then be played.
#[test]
fn a_wrong_claim_binds_its_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let mut keeper = open(&path, Some(&new(&Agreed::on(Variant::Chess, 1, None, ""))));
    play(&mut keeper, "e4").unwrap();
    let Err(ActError::Refused(refused)) = keeper.say("claim threefold Nf6", Scope::GameHere) else {
        panic!("right")
    };
    assert!(refused.is_recordable && refused.remedy.is_some());
    keeper.record_refused().unwrap();
    play(&mut keeper, "Nc6").unwrap_err();
    play(&mut keeper, "Nf6").unwrap();
    assert!(keeper.text().contains("[%claim threefold Nf6]"));
}

/// On linked boards an attempt is made on any board, not only on that of the last ply.
#[test]
fn attempts_count_on_the_board_on_which_they_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let agreed = Agreed::on(Variant::Strategi, 2, None, "");
    let mut keeper = open(&path, Some(&new(&agreed)));
    play(&mut keeper, "B:g7").unwrap();
    for (number, tried) in ["A:Kh5", "1A. Kh5"].into_iter().enumerate() {
        let Err(ActError::Refused(refused)) = play(&mut keeper, tried) else {
            panic!("legal")
        };
        assert!(refused.is_recordable, "{tried}: {refused:?}");
        let kings = if number == 0 { 2 } else { 1 };
        keeper.record_refused().unwrap();
        assert!(
            keeper.text().contains("[%illegal A.Kh5]"),
            "{}",
            keeper.text()
        );
        let counted = keeper.state().game.game().kings().unwrap();
        assert_eq!(counted[overboard_rules::square::Side::White], kings);
    }
    is_clean(&keeper.text());
}
