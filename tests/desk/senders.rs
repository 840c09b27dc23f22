//! Who may act at a desk: players, captains, Commanders and councils, each by name.

use super::{is_clean, new};
use crate::records::Agreed;
use overboard_desk::{
    journal::Journal,
    keeper::{Commanders, DeskTerms, Keeper, OnEdit},
    lines::{self, FromDesk, ToDesk},
    words::{self, Typed},
};
use overboard_formats::foreign::Foreign;
use overboard_games::registry::Variant;
use serde_json::Value;
use std::{fs, path::Path};

/// A new record with these tags.
fn begin(path: &Path, agreed: &Agreed, tags: &[(&str, &str)], terms: DeskTerms) -> Keeper {
    let mut record = new(agreed);
    for (name, value) in tags {
        record.tags.retain(|(known, _)| known != name);
        record.tags.push(((*name).into(), (*value).into()));
    }
    Keeper::open(path, Some(&record), terms, OnEdit::Stop).unwrap()
}

/// The answer to a typed line.
fn answer(keeper: &mut Keeper, line: &str) -> Value {
    let answer = match words::read(line).unwrap() {
        Typed::Message(sent) => lines::answer(keeper, sent),
        other => panic!("{other:?}"),
    };
    serde_json::to_value(&answer).unwrap()
}

fn joined(names: &[Foreign]) -> String {
    let names: Vec<_> = names.iter().map(Foreign::as_it_came).collect();
    names.join(" ")
}

/// Types each line; what is expected is `played`, or the code and the rule of the refusal.
fn follow(keeper: &mut Keeper, steps: &[(&str, &str)]) {
    for (line, expected) in steps {
        let known = keeper.text();
        let said = answer(keeper, line);
        let found = match &said["type"] {
            kind if kind == "error" => {
                assert_eq!(keeper.text(), known, "{line}");
                let rule = said["rule"].as_str().unwrap_or_default();
                format!("{} {rule}", said["code"].as_str().unwrap())
            }
            kind => kind.as_str().unwrap().to_owned(),
        };
        assert_eq!(found.trim(), *expected, "{line}: {said}");
    }
    is_clean(&keeper.text());
}

#[test]
fn two_players_move_and_speak_for_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let agreed = Agreed::on(Variant::Chess, 1, None, "");
    let mut keeper = begin(&path, &agreed, &[], DeskTerms::default());
    follow(
        &mut keeper,
        &[
            ("by Bob e4", "not-allowed"),
            ("by Zoe e4", "not-allowed"),
            ("by ann e4", "played"),
            ("by Ann d4", "not-allowed"),
            // Whose turn it is not, learns nothing about what is legal.
            ("by Ann Ke9", "not-allowed"),
            ("by Bob Ke6", "illegal CH-13"),
            ("by Bob e5", "played"),
            ("by Bob undo", "not-allowed"),
            ("by Bob tag Event Cup", "not-allowed"),
            ("by Bob result 0-1", "not-allowed"),
            ("by Bob record", "not-allowed"),
            ("by Bob start", "not-allowed"),
            ("by Bob quit", "not-allowed"),
            ("by Bob penalty W -60", "not-allowed"),
            ("by Bob illegal Ke6", "not-allowed"),
            ("by Zoe comment well", "not-allowed"),
            ("by Bob comment well", "played"),
            ("by Bob due", "due"),
            // An offer stands until the opponent answers or moves on.
            ("by Bob draw agreed", "out-of-turn"),
            ("by Ann draw offer", "played"),
            ("by Ann draw agreed", "out-of-turn"),
            ("by Ann Nf3", "played"),
            ("by Bob Nc6", "played"),
            ("by Bob draw agreed", "out-of-turn"),
            ("by Bob draw offer", "played"),
            ("by Ann draw decline", "played"),
            ("by Ann draw agreed", "out-of-turn"),
            // The arbiter says it for the side that has moved.
            ("draw offer", "played"),
            ("by Ann resign B", "not-allowed"),
            ("by Ann draw agreed", "played"),
            ("by Bob e5", "out-of-turn"),
        ],
    );
    assert!(keeper.text().contains("1/2-1/2"));
    // The journal says whose act each was.
    let journal = fs::read_to_string(Journal::beside(&path)).unwrap();
    let mut by = Vec::new();
    for line in journal.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if line.get("act").is_some() {
            by.push(line["by"].as_str().unwrap_or("arbiter").to_owned());
        }
    }
    assert_eq!(by.join(" "), "ann Bob Bob Ann Ann Bob Bob Ann arbiter Ann");
}

#[test]
fn captains_speak_for_teams_on_linked_boards() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let agreed = Agreed::on(Variant::Strategi, 2, None, "");
    let tags = [
        ("White", "Ann:Bob"),
        ("Black", "Cy:Di"),
        ("WhiteCaptain", "Gil"),
        ("BlackCaptain", "Cy"),
    ];
    let mut keeper = begin(&path, &agreed, &tags, DeskTerms::default());
    follow(
        &mut keeper,
        &[
            ("by Bob A:g7", "not-allowed"),
            ("by Gil A:g7", "not-allowed"),
            ("by Ann A:g7", "played"),
            ("by Bob B:g7", "played"),
            (
                "by Ann order W Team Player \"Ann\" send reinforcements to Team Player \"Bob\".",
                "not-allowed SC-40",
            ),
            (
                "by Gil order W Team Player \"Ann\" send reinforcements to Team Player \"Bob\".",
                "played",
            ),
            ("by Ann resign", "not-allowed"),
            ("by Ann comment come here", "played"),
            ("by Zoe flag W:A", "not-allowed"),
            // Somebody else sits down.
            ("by Ann player W B \"Zoe\"", "not-allowed"),
            ("player B A \"Zoe\"", "played"),
            ("by Cy A:g8", "not-allowed"),
            ("by Zoe A:g8", "played"),
            ("by Gil draw offer", "played"),
            ("by Zoe draw agreed", "not-allowed"),
            ("by Cy draw agreed", "played"),
        ],
    );
    assert!(keeper.text().contains("come here"));
}

/// In Overchess lieutenants play in turn, a seat changes hands, and each sub-game is its players'.
#[test]
fn lieutenants_play_in_rotation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let agreed = Agreed::on(Variant::Over, 1, None, "");
    let tags = [
        ("WhiteCommander", "Ann"),
        ("BlackCommander", "Di"),
        ("WhiteLieutenants", "P=Cy"),
        ("BlackLieutenants", "*=Ed:*=Flo"),
    ];
    let mut keeper = begin(&path, &agreed, &tags, DeskTerms::default());
    let due = |keeper: &Keeper| {
        let mut names = Vec::new();
        for seat in lines::called(keeper).due {
            names.extend(seat.names);
        }
        joined(&names)
    };
    follow(
        &mut keeper,
        &[
            ("by Cy e4", "not-allowed OV-13"),
            ("by Ann e4", "played"),
            ("by Di d5", "played"),
            ("by Ann exd5", "played"),
            ("by Ann e4", "not-allowed OV-13"),
            ("by Cy e4", "played"),
            ("by Flo e5", "not-allowed OV-13"),
        ],
    );
    assert_eq!(due(&keeper), "Ed");
    follow(
        &mut keeper,
        &[
            ("by Cy resign B", "not-allowed"),
            ("by Cy whole resign W", "not-allowed OV-13"),
            ("by Ed resign", "played"),
            ("by Di e6", "played"),
            ("by Ann dxe6", "played"),
            ("by Cy e4", "played"),
        ],
    );
    assert_eq!(due(&keeper), "Flo");
    follow(
        &mut keeper,
        &[
            ("by Flo resign", "played"),
            ("by Di a6", "played"),
            ("player W commander \"Bob\"", "played"),
        ],
    );
    assert_eq!(due(&keeper), "Bob");
    follow(
        &mut keeper,
        &[("by Ann a3", "not-allowed OV-13"), ("by Bob a3", "played")],
    );
    follow(&mut keeper, &[("by Bob resign", "played")]);
    assert!(
        keeper.text().trim_end().ends_with("0-1"),
        "{}",
        keeper.text()
    );
}

/// A council makes the move that more than half of it have named; its votes are durable.
#[test]
fn a_council_votes_about_each_over_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let agreed = Agreed::on(Variant::Over, 1, None, "");
    let tags = [
        ("WhiteCommander", "Ann:Bob:Cy:Di"),
        ("BlackCommander", "Ed"),
    ];
    let terms = DeskTerms {
        commanders: Some(Commanders::Vote),
        ..DeskTerms::default()
    };
    let mut keeper = begin(&path, &agreed, &tags, terms);
    let moves = |keeper: &Keeper| keeper.state().game.steps().len();
    follow(
        &mut keeper,
        &[
            ("by Zoe e4", "not-allowed OV-13"),
            ("by Ann e4", "played"),
            ("by ann e4", "played"),
            ("by Bob Ke2", "illegal CH-2"),
            ("by Bob e4", "played"),
            ("by Cy d4", "played"),
        ],
    );
    // Two of four are not more than half.
    assert_eq!(moves(&keeper), 0);
    let [first, second] = &keeper.votes()[..] else {
        panic!("{:?}", keeper.votes())
    };
    assert_eq!(
        (&*first.ply, joined(&first.names)),
        ("e2e4", "Ann Bob".into())
    );
    assert_eq!((&*second.ply, joined(&second.names)), ("d2d4", "Cy".into()));
    assert_eq!(lines::called(&keeper).due[0].names, ["Di"]);
    drop(keeper);
    // What was agreed and voted is there again.
    let mut keeper = Keeper::open(&path, None, DeskTerms::default(), OnEdit::Stop).unwrap();
    assert_eq!(keeper.votes().len(), 2);
    follow(&mut keeper, &[("by Di d4", "played")]);
    // Two against two: they may change their votes.
    assert_eq!(moves(&keeper), 0);
    assert_eq!(
        lines::called(&keeper).due[0].names,
        ["Ann", "Bob", "Cy", "Di"]
    );
    let said = answer(&mut keeper, "by Bob d4");
    assert_eq!(said["san"][0], "d4", "{said}");
    assert!(keeper.votes().is_empty());
    follow(
        &mut keeper,
        &[
            ("by Ed e5", "played"),
            ("by Ann Nc3", "played"),
            // The arbiter plays what the council says aloud.
            ("dxe5", "played"),
            // A sub-game is no council's.
            ("by Bob e4", "played"),
        ],
    );
    assert_eq!(keeper.state().game.here(), "e5");
    assert!(keeper.votes().is_empty());
    assert_eq!(
        serde_json::to_value(lines::answer(&mut keeper, ToDesk::Due.into())).unwrap()["type"],
        "due"
    );
    assert!(matches!(
        lines::answer(&mut keeper, ToDesk::Quit.into()),
        FromDesk::Bye
    ));
}
