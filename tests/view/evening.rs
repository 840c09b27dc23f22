//! An evening at the desk as `docs/evening.md` describes it, by clicks and keys, with its screenshots.

use super::{
    player::{Player, SCREEN},
    root,
};
use crate::{
    chance::Chance,
    hall::{
        Desk,
        round::{Desks, run},
    },
};
use std::{fs, path::Path};

/// A picture of the documentation: with `UPDATE_DOCS=1` it is written there.
fn picture(player: &mut Player, name: &str) {
    let picture = player.picture();
    assert!(picture.starts_with(b"\x89PNG"), "{name}");
    let kept = root().join(format!("docs/screens/{name}.png"));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&kept, picture).unwrap();
    }
    assert!(kept.exists(), "{name}");
}

/// An event in which two players are paired.
fn paired(at: &Path) {
    let new = [
        "event",
        "new",
        "cup",
        "--game",
        "overchess",
        "--of",
        "players",
    ];
    run(at, &new);
    for name in ["Ann", "Bob"] {
        run(at, &["event", "enter", "cup", name]);
    }
    run(at, &["pair", "next", "cup"]);
}

/// Three sub-games: an illegal move and its remedy, an offer of a draw, an act taken back, a flag; and the result published.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn an_evening_of_overchess() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    paired(at);
    let options = ["--publish", "site", "--time-control", "5400+30"];
    let desks = Desks::begin(at, &options);
    let at_desk = |who: &str| Player::at(&desks.link(0, who), 8, SCREEN);
    let (mut arbiter, mut ann, mut bob) = (
        at_desk("Arbiter"),
        at_desk("Ann (White)"),
        at_desk("Bob (Black)"),
    );
    let mut chance = Chance::seeded(1);
    arbiter.press("Start clocks");
    ann.until("!!document.querySelector('#faces .runs')");
    ann.play(&mut chance, "e2e4");
    bob.play(&mut chance, "d7d5");
    ann.play(&mut chance, "e4d5");

    // An illegal move, which the arbiter records.
    ann.sees("a move in the sub-game on d5");
    picture(&mut ann, "desk-sub-game");
    ann.say("Ke3");
    ann.sees("the white king on e1 cannot move to e3 (CH-13)");
    arbiter.sees("Refused: Ke3");
    arbiter.press("Record it");
    arbiter.sees("give Black two minutes");
    picture(&mut arbiter, "desk-illegal");
    arbiter.press("Give Black 2:00");
    arbiter.sees("Black 1:32:");
    for (at, ply) in ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
        .iter()
        .enumerate()
    {
        let mover = if at % 2 == 0 { &mut ann } else { &mut bob };
        mover.play(&mut chance, &format!("d5.{ply}"));
    }

    // Bob takes back on d5; now he has White. A draw is offered and declined, and an act is taken back.
    bob.sees("Black (Bob): an over-move");
    bob.play(&mut chance, "d8d5");
    bob.play(&mut chance, "d5.e2e4");
    ann.play(&mut chance, "d5.e7e5");
    bob.press("Offer a draw");
    ann.sees("White on d5 offers a draw.");
    picture(&mut ann, "desk-offer");
    ann.press("Decline");
    bob.until("document.getElementById('offer').hidden");
    bob.play(&mut chance, "d5.a2a3");
    arbiter.sees("a3");
    arbiter.press("Take back");
    bob.until("!document.getElementById('moves').innerText.includes('a3')");
    bob.play(&mut chance, "d5.g1f3");
    ann.press("Resign…");
    ann.click("document.querySelector('#choice button[value=resign]')");

    // The third one begins; Bob's flag falls.
    ann.sees("White (Ann): an over-move");
    ann.play(&mut chance, "b1c3");
    bob.play(&mut chance, "d5a2");
    arbiter.say("set B 0:00:02");
    arbiter.until("!!document.querySelector('#faces .fallen')");
    arbiter.say("whole flag B");
    arbiter.sees("1-0: ");
    picture(&mut arbiter, "desk-end");
    arbiter.press("Enter the result");
    arbiter.sees("Entered in round 1");
    for player in [&mut arbiter, &mut ann, &mut bob] {
        assert_eq!(player.browser.troubles(), Vec::<String>::new());
    }
    let record = fs::read_to_string(at.join("round1/table-1.npgn")).unwrap();
    assert_eq!(record.matches('<').count(), 3, "{record}");
    for words in ["[%illegal Ke3]", "[%draw", "[%flag B]"] {
        assert!(record.contains(words), "{words}: {record}");
    }
    assert!(at.join("site/game-01-1.html").exists());
    run(at, &["check", "round1/table-1.npgn"]);
}

/// Six players on three linked boards, two of them captains, until the common end.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn three_linked_boards_and_six_players() {
    let mut desk = Desk::begin(&[
        "--variant",
        "strategichess",
        "--boards",
        "3",
        "--white",
        "Ann:Bea:Cy",
        "--black",
        "Di:Ed:Flo",
        "--tag",
        "WhiteCaptain=Ann",
        "--tag",
        "BlackCaptain=Di",
        "--time-control",
        "3600",
        "--until",
        "0:00:03",
    ]);
    let mut chance = Chance::seeded(1);
    let names = [
        "Ann (White)",
        "Bea (White)",
        "Cy (White)",
        "Di (Black)",
        "Ed (Black)",
        "Flo (Black)",
    ];
    let mut players = names.map(|who| Player::at(&desk.link(who), 14, SCREEN));
    let mut arbiter = Player::at(&desk.link("Arbiter"), 14, SCREEN);
    for (mover, ply) in [
        (0, "A.e4e6"),
        (2, "C.e4e6"),
        (3, "A.e11e9"),
        (1, "B.g4g6"),
        (4, "B.g11g9"),
        (5, "C.e11e9"),
    ] {
        players[mover].until("!!document.querySelector('#due .own')");
        players[mover].play(&mut chance, ply);
    }
    let order = "order W Team Player \"Cy\" send Rook to Team Player \"Bea\".";
    players[0].say(order);
    players[1].sees("Captain of White: Team Player \"Cy\" send Rook");
    picture(&mut players[1], "desk-linked");
    assert!(
        !players[3]
            .browser
            .is("document.body.innerText.includes('Captain of')"),
        "the other side does not see it"
    );
    arbiter.press("Wall");
    arbiter.until("!document.getElementById('typing').offsetParent");
    picture(&mut arbiter, "desk-wall");
    arbiter.press("Wall");
    arbiter.press("Start clocks");
    for player in &mut players {
        player.sees("1/2-1/2: ");
        assert_eq!(player.browser.troubles(), Vec::<String>::new());
    }
    let record = desk.closed();
    assert!(record.contains("[Result \"1/2-1/2\"]"), "{record}");
}

/// A sub-game in which White loses a pawn and mates.
const SUB_GAME: [&str; 9] = [
    "d5.e2e4", "d5.e7e5", "d5.d2d4", "d5.e5d4", "d5.f1c4", "d5.b8c6", "d5.d1h5", "d5.g8f6",
    "d5.h5f7",
];

fn overchess(rules: &str) -> Desk {
    Desk::begin(&["--variant", "overchess", "--rules", rules])
}

/// Somebody at this desk, after that sub-game.
fn mated(desk: &Desk) -> Player {
    let mut player = Player::at(&desk.link("Arbiter"), 8, SCREEN);
    let mut chance = Chance::seeded(1);
    for ply in ["e2e4", "d7d5", "e4d5"].iter().chain(&SUB_GAME) {
        player.play(&mut chance, ply);
    }
    player
}

/// What each kind of act takes, as `docs/desk.md` lists it.
#[test]
#[ignore = "needs Chromium: `just view`"]
fn each_act_takes_few_clicks() {
    let mut counted = Vec::new();
    let mut chance = Chance::seeded(1);
    let mut count = |player: &mut Player, plies: &[&str], what: &'static str| {
        let before = player.effort.clicks;
        for ply in plies {
            player.see_what_is_legal();
            player.play(&mut chance, ply);
        }
        counted.push((what, player.effort.clicks - before));
    };
    let chess = Desk::begin(&["--variant", "chess"]);
    let mut player = Player::at(&chess.link("Arbiter"), 8, SCREEN);
    count(&mut player, &["e2e4"], "a move");
    let desk = overchess("prisoners");
    let mut player = Player::at(&desk.link("Arbiter"), 8, SCREEN);
    let mut opening = Chance::seeded(1);
    for ply in ["e2e4", "d7d5"] {
        player.play(&mut opening, ply);
    }
    count(&mut player, &["e4d5"], "a capture that begins a sub-game");
    let [before @ .., mate] = SUB_GAME;
    for ply in before {
        player.play(&mut opening, ply);
    }
    count(&mut player, &[mate], "a move in a sub-game");
    count(&mut player, &["prisoners 1P"], "prisoners after a sub-game");
    let desk = overchess("consolidation");
    let mut player = mated(&desk);
    for ply in ["a7a6", "c2c4", "a6a5"] {
        player.play(&mut opening, ply);
    }
    let handed = ["consolidate c4", "give d5 P", "done"];
    count(
        &mut player,
        &handed,
        "a consolidation that hands over a piece",
    );
    let desk = overchess("depth=1");
    let mut player = mated(&desk);
    player.play(&mut opening, "d8d5");
    let set_up = ["d5.setup PPP1PPPP/RNBQKBNR"];
    count(&mut player, &set_up, "a set-up with three squares changed");
    let mega = Desk::begin(&["--variant", "mega-chess"]);
    let mut player = Player::at(&mega.link("Arbiter"), 8, SCREEN);
    count(
        &mut player,
        &["E2.e2e4"],
        "the first move of a turn of Mega-Chess",
    );
    count(&mut player, &["D2.d2d4"], "each further move of that turn");
    let docs = fs::read_to_string(root().join("docs/desk.md")).unwrap();
    let rows = counted.into_iter().map(|(what, clicks)| {
        let plural = if clicks == 1 { "" } else { "s" };
        format!("| {what} | {clicks} click{plural} |")
    });
    let missing: Vec<_> = rows.filter(|row| !docs.contains(row)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}
