//! The link between the boards, ends of a match, and options, each by itself.

use super::{Bughouse, INFO, LinkedBoard, Options, Ply};
use overboard_formats::limits::Limits;
use overboard_referee::game::{
    notation::Notation as _, position::PositionError, record::Record as _, tags::option_faults,
};
use overboard_rules::{
    game::{Game as _, Happening},
    outcome::{Cause, Outcome},
    square::Side,
};

const FIRST: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1";

fn under(rules: &str, fen: &str) -> Bughouse {
    let read = Bughouse::read_fen(&Options::of(rules), fen).unwrap();
    assert!(!read.lenient, "{fen}");
    read.position
}

fn first() -> Bughouse {
    Bughouse::start(&Options::default()).unwrap()
}

fn play(game: &mut Bughouse, plies: &str) {
    for text in plies.split(' ') {
        game.play(game.by_coordinates(text).expect(text));
    }
}

fn ended(game: &Bughouse) -> Option<(Outcome, Cause)> {
    let ruling = game.ended?;
    Some((ruling.outcome, ruling.cause))
}

#[test]
fn what_is_taken_goes_to_the_partner() {
    let mut game = first();
    play(&mut game, "A.e2e4 A.d7d5 A.e4d5 A.d8d5 B.P@e4");
    assert!(game.fen().contains("[p] b KQkq"), "{}", game.fen());
    play(&mut game, "B.P@d6");
    assert_eq!(game.board(1).pockets().total(), 0);
    assert_eq!(game.board(0).pockets().total(), 0);
}

#[test]
fn a_team_wins_by_the_mate_of_either_partner() {
    let mut game = first();
    play(
        &mut game,
        "B.e2e4 B.e7e5 B.b1c3 B.f8c5 B.h2h3 B.d8h4 B.a2a3 B.h4f2",
    );
    assert_eq!(
        ended(&game),
        Some((Outcome::Win(Side::White), Cause::Checkmate))
    );
    assert_eq!(game.count_legal(), 0);
}

#[test]
fn a_check_from_afar_is_no_mate_unless_only_the_pocket_counts() {
    let plies = "A.f2f3 A.e7e5 A.g2g4 A.d8h4";
    for (rules, end) in [
        ("", None),
        (
            "mate=pocket",
            Some((Outcome::Win(Side::Black), Cause::Checkmate)),
        ),
    ] {
        let mut game = under(rules, &format!("{FIRST} | {FIRST}"));
        play(&mut game, plies);
        assert_eq!(ended(&game), end, "{rules}");
    }
}

#[test]
fn flags_of_both_teams_draw_and_a_second_one_of_a_team_changes_nothing() {
    let [a, b] = [0, 1].map(LinkedBoard::of);
    let mut game = first();
    game.happen(a, Happening::Flag(Side::White)).unwrap();
    assert_eq!(ended(&game), Some((Outcome::Win(Side::Black), Cause::Flag)));
    assert_eq!(game.happen(b, Happening::Flag(Side::Black)), None);
    game.happen(b, Happening::Flag(Side::White)).unwrap();
    assert_eq!(ended(&game), Some((Outcome::Draw, Cause::Flag)));
    // A line of coordinates can say so.
    let mut game = first();
    for (word, is_read) in [
        ("flag W:A", true),
        ("flag B:B", false),
        ("flag W:B", true),
        ("flag B:A", false),
    ] {
        let step = game.at(word);
        assert_eq!(step.is_some(), is_read, "{word}");
        if let Some(step) = step {
            step.make(&mut game);
        }
    }
}

#[test]
fn a_position_counts_only_as_plies_lead_to_it() {
    let there_and_back = "A.g1f3 A.g8f6 A.f3g1 A.f6g8";
    let mut game = first();
    play(&mut game, there_and_back);
    assert!(!game.claimable(LinkedBoard::All, 1).repetition);
    // Plies on the other board do not matter, unless they fill a pocket.
    play(&mut game, "B.e2e4 B.d7d5");
    let mut filled = game.clone();
    play(&mut game, there_and_back);
    assert!(game.claimable(LinkedBoard::All, 1).repetition);
    play(&mut filled, "B.e4d5");
    play(&mut filled, there_and_back);
    assert!(!filled.claimable(LinkedBoard::All, 1).repetition);
}

#[test]
fn options_forbid_drops() {
    let board = "6k1/5ppp/8/8/8/8/8/4K3[RP] w - - 0 1";
    for (rules, ply, is_legal) in [
        ("", "A.R@a8", true),
        ("drop=no-check", "A.R@a8", false),
        ("drop=no-chess-mate", "A.R@a8", false),
        ("drop=no-bughouse-mate", "A.R@a8", true),
        ("drop=no-bughouse-mate", "A.R@f8", true),
        ("pawndrop=2-6", "A.P@a7", false),
        ("pawndrop=2-6", "A.P@a6", true),
        ("", "A.P@a7", true),
    ] {
        let game = under(rules, &format!("{board} | {FIRST}"));
        let found: Option<Ply> = game.by_coordinates(ply);
        assert_eq!(found.is_some(), is_legal, "{ply} under `{rules}`");
    }
}

#[test]
fn options_that_are_not_judged_are_named() {
    for rules in [
        "promotion=discard",
        "promotion=steal",
        "duck",
        "fog",
        "accolade",
        "koedem",
        "pawndrop=6-2",
        "pawndrop=1-7",
        "drop=all",
    ] {
        let faults = option_faults(rules, &INFO, &Limits::default());
        assert!(
            matches!(&faults[..], [fault] if fault.contains(rules)),
            "{faults:?}"
        );
    }
    let all = "drop=no-check:pawndrop=2-6:promotion=upgrade:mate=pocket:draw=both:repetition=none:illegal=3";
    assert_eq!(
        option_faults(all, &INFO, &Limits::default()),
        Vec::<String>::new()
    );
}

#[test]
fn a_fen_has_both_boards() {
    let read = |fen: &str| Bughouse::read_fen(&Options::default(), fen);
    for fen in [FIRST.to_string(), [FIRST; 3].join(" | ")] {
        assert!(matches!(read(&fen), Err(PositionError::Text(_))), "{fen}");
    }
    let far = format!("{FIRST} | 4k3/8/8/8/8/8/8/4K3[X] w - - 0 1");
    match read(&far) {
        Err(PositionError::Text(fault)) => assert_eq!(&far[fault.bytes], "X"),
        other => panic!("{other:?}"),
    }
    match read(&format!("{FIRST} | 8/8/8/8/8/8/8/4K3[] w - - 0 1")) {
        Err(PositionError::Boards(reasons)) => assert_eq!(reasons[0].0, 1),
        other => panic!("{other:?}"),
    }
    let lenient = FIRST.replace("[]", "");
    assert!(read(&format!("{lenient}|{FIRST}")).unwrap().lenient);
    // Queens of the other board may be here, but not more than there are.
    for (queens, is_doubted) in [("qqq", false), ("qqqq", true)] {
        let other = format!("4k3/8/8/8/8/8/8/4K3[{queens}] w - - 0 1");
        let one = FIRST.replace('q', "1").replacen("KQk1", "KQk", 1);
        let doubts = read(&format!("{one} | {other}")).unwrap().doubts;
        assert_eq!(!doubts.is_empty(), is_doubted, "{queens}: {doubts:?}");
    }
}
