//! Who leads which over-piece of Overchess, and who played its sub-games (OV-13).

use crate::text::judge;
use overboard_referee::{
    finding::{Severity, Verdict},
    report::Report,
};

fn report(tags: &str, moves: &str) -> Report {
    let text = format!("[Variant \"Overchess\"]\n{tags}\n\n{moves} *\n");
    let mut reports = judge(text.as_bytes());
    assert_eq!(reports.len(), 1, "{text}");
    reports.remove(0)
}

/// The findings other than notes: the kind, the column and the message of each.
fn found(tags: &str, moves: &str) -> Vec<(&'static str, u64, String)> {
    let mut findings = report(tags, moves).findings;
    findings.retain(|finding| finding.severity != Severity::Note);
    findings
        .into_iter()
        .map(|finding| {
            (
                finding.code.id,
                finding.column,
                finding.message.as_it_came().to_owned(),
            )
        })
        .collect()
}

/// The players found not to be entitled, in order.
fn strangers(tags: &str, moves: &str) -> Vec<String> {
    let found = found(tags, moves);
    let named = |(kind, _, message): &(&str, u64, String)| {
        assert_eq!(*kind, "not-entitled", "{message}");
        message
            .split(": ")
            .nth(1)
            .unwrap()
            .split(" is not")
            .next()
            .unwrap()
            .to_owned()
    };
    found.iter().map(named).collect()
}

/// Ann commands; Bob leads the queen, Cy the pawns, and Ann everything else; Black has Flo and Gus.
const TEAMS: &str = "[WhiteCommander \"Ann\"]\n[WhiteLieutenants \"d1=Bob:P=Cy\"]\n[BlackCommander \"Flo\"]\n[BlackLieutenants \"P=Gus:d8=Hal\"]";

#[test]
fn one_who_is_not_named_for_it_is_an_infraction() {
    let report = report(
        TEAMS,
        "1. e4 d5 2. exd5 <d5: [White \"Bob\"] [Black \"gus \"] 1-0> Nf6 3. a3",
    );
    let stranger = report
        .findings
        .iter()
        .find(|finding| finding.code.id == "not-entitled")
        .unwrap();
    assert_eq!(report.verdict, Verdict::Infraction);
    assert_eq!(stranger.rule.unwrap().id, "OV-13");
    assert_eq!(
        (stranger.path.as_str(), stranger.text.as_it_came()),
        ("d5", "Bob")
    );
    assert_eq!(
        stranger.message,
        "over-move 2, sub-game d5: Bob is not entitled to play for White's pawn from e2: Cy leads all of its kind, by the tag on line 3"
    );
    let (also, words, _) = stranger.also.clone().unwrap();
    assert_eq!(
        (also.line, words.as_it_came()),
        (3, "Cy leads all of its kind")
    );
}

#[test]
fn the_verdict_is_an_infraction_and_the_sub_game_counts() {
    let report = report(
        TEAMS,
        "1. e4 d5 2. exd5 <d5: [White \"Bob\"] 1-0> Nf6 3. d6 a6",
    );
    assert_eq!(report.verdict, Verdict::Infraction);
    assert_eq!((report.plies, report.unjudged_from), (6, None));
}

#[test]
fn white_in_a_sub_game_is_the_attacker_whatever_his_colour() {
    let moves = |white, black| {
        format!("1. e4 d5 2. a3 dxe4 <e4: [White \"{white}\"] [Black \"{black}\"] 1-0> 3. a4")
    };
    assert!(strangers(TEAMS, &moves("Gus", "Cy")).is_empty());
    assert_eq!(strangers(TEAMS, &moves("Cy", "Gus")), ["Cy", "Gus"]);
}

#[test]
fn what_nobody_is_named_for_is_the_commanders() {
    let moves = |white| format!("1. Nc3 d5 2. Nxd5 <d5: [White \"{white}\"] 1-0> a6");
    assert!(strangers(TEAMS, &moves("Ann")).is_empty());
    assert_eq!(strangers(TEAMS, &moves("Bob")), ["Bob"]);
    // Without a commander nothing is reported about the knight.
    assert!(strangers("[WhiteLieutenants \"d1=Bob\"]", &moves("Zoe")).is_empty());
    // Nor for a record without names, nor for a player that it does not name.
    assert!(strangers("", &moves("Zoe")).is_empty());
    assert!(strangers(TEAMS, &moves("?")).is_empty());
    let several = "[WhiteCommander \"Ann:Zoe%3A the second\"]";
    assert!(strangers(several, &moves("Zoe: the second")).is_empty());
    assert!(strangers(several, &moves("Zoe%3A the second:Ann")).is_empty());
    assert_eq!(strangers(several, &moves("Ann:Bob")), ["Bob"]);
}

#[test]
fn an_over_piece_keeps_its_leader_wherever_it_goes() {
    // The rook castles, the pawn promotes, the losing piece returns to its square.
    let tags = "[WhiteLieutenants \"h1=Rook:P=Pawns:f1=Bishop\"]\n[BlackLieutenants \"*=X\"]";
    let castled = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 5. Re1 d6 6. b4 a6 7. bxc5 <c5: [White \"Pawns\"] 0-1> Ng4";
    assert!(strangers(tags, castled).is_empty());
    let rook = "1. Nf3 e5 2. g3 e4 3. Bg2 e3 4. O-O a6 5. Re1 a5 6. dxe3 <e3: [White \"Pawns\"] 0-1> a4 7. Rf1 exf2+ <f2: [Black \"Pawns\"] 1/2-1/2> 8. Re1 h6 9. Rxe3 <e3: [White \"Rook\"] 1-0> a3";
    assert!(
        found(tags, rook)
            .iter()
            .all(|(kind, ..)| *kind != "not-entitled"),
        "{:?}",
        found(tags, rook)
    );
    let promoted = "[SetUp \"1\"]\n[FEN \"r3k3/1P6/8/8/p7/8/8/4K3 w - - 0 1 - - -\"]\n[WhiteLieutenants \"b7=Pawn:Q=Queen\"]";
    let moves = |name| {
        format!(
            "1. bxa8=Q+ <a8: [White \"Pawn\"] 1-0> Kd7 2. Qxa4+ <a4: [White \"{name}\"] 1-0> Kd6"
        )
    };
    assert!(strangers(promoted, &moves("Pawn")).is_empty());
    assert_eq!(strangers(promoted, &moves("Queen")), ["Queen"]);
}

#[test]
fn attackers_and_defenders_are_followed_through_every_outcome() {
    let tags = "[WhiteLieutenants \"b1=Ann:e2=Bob:*=X\"]\n[BlackLieutenants \"d7=Cy:f7=Di:*=Y\"]";
    // A drawn attack: the knight returns to c3, and the pawn stays on d5.
    let drawn = "1. Nc3 d5 2. Nxd5 <d5: [White \"Ann\"] [Black \"Cy\"] 1/2-1/2> a6 3. Nxd5 <d5: [White \"Ann\"] [Black \"Cy\"] 1-0> a5 4. Nxc7+ <c7: [White \"Ann\"] 0-1> Kd7";
    assert!(strangers(tags, drawn).is_empty());
    // En passant: the victim stays where it was, or is gone and the attacker is on another square.
    let passing = "1. e4 a6 2. e5 f5 3. exf6 <f6: [White \"Bob\"] [Black \"Di\"] RESULT> ";
    let lost = passing.replace("RESULT", "0-1") + "a5 4. g4 fxg4 <g4: [White \"Di\"] 1-0> 5. a3";
    assert!(strangers(tags, &lost).is_empty());
    let won = passing.replace("RESULT", "1-0") + "a5 4. fxg7 <g7: [White \"Bob\"] 1-0> a4";
    assert!(strangers(tags, &won).is_empty());
    // Under fog the square that the knight came from is occupied when its attack is drawn: it is gone (OV-33).
    let fen =
        "[SetUp \"1\"]\n[Rules \"fog\"]\n[FEN \"4k3/8/8/3p4/1b6/2N5/8/R4K2 w - - 0 1 - - -\"]";
    let fog =
        format!("{fen}\n[WhiteLieutenants \"c3=Ann:a1=Bob\"]\n[BlackLieutenants \"d5=Cy:b4=Di\"]");
    let moves = |first, second| {
        format!(
            "1. Nxd5 Bc3 <d5: [White \"Ann\"] [Black \"Cy\"] {first}> 2. Kf2 Bxa1 3. Ke2 <a1: [White \"{second}\"] [Black \"Bob\"] 1-0> Kd7"
        )
    };
    for first in ["1-0", "0-1", "1/2-1/2"] {
        assert!(strangers(&fog, &moves(first, "Di")).is_empty());
        assert_eq!(strangers(&fog, &moves(first, "Ann")), ["Ann"]);
    }
}

#[test]
fn a_consolidated_over_piece_leads_nobody() {
    let tags = "[Rules \"consolidation\"]\n[WhiteLieutenants \"b1=Ann:b2=Bob:*=X\"]";
    let moves = "1. <consolidate b1> d5 2. b4 a5 3. bxa5 <a5: [White \"Bob\"] 1-0> e6";
    assert!(strangers(tags, moves).is_empty());
}

#[test]
fn those_who_rotate_play_in_turn() {
    let tags = "[WhiteCommander \"Ann\"]\n[WhiteLieutenants \"*=Bob:*=Cy:h1=Di\"]";
    let moves = |first, second, third| {
        format!(
            "1. e4 d5 2. exd5 <d5: [White \"{first}\"] 1-0> Qxd5 <d5: [Black \"{second}\"] 1-0> 3. Nc3 a6 4. Nxd5 <d5: [White \"{third}\"] 1-0> e6"
        )
    };
    assert!(strangers(tags, &moves("Bob", "Cy", "Bob")).is_empty());
    assert_eq!(strangers(tags, &moves("Cy", "Bob", "Bob")), ["Cy", "Bob"]);
    assert_eq!(strangers(tags, &moves("Bob", "Cy", "Ann")), ["Ann"]);
    let message = &found(tags, &moves("Cy", "Cy", "Bob"))[0].2;
    assert!(
        message.ends_with("Bob takes this sub-game in turn, by the tag on line 3"),
        "{message}"
    );
}

#[test]
fn others_take_over_from_a_command_on() {
    let moves = |when: [&str; 2], white| {
        format!(
            "1. e4 {{{}}} d5 2. exd5 {{{}}} <d5: [White \"{white}\"] 1-0> Nf6",
            when[0], when[1]
        )
    };
    let bob = "[%player W e2 \"Bob\"]";
    for when in [[bob, ""], ["", bob], ["[%player W P \"Zoe\"]", bob]] {
        assert!(strangers(TEAMS, &moves(when, "Bob")).is_empty());
        assert_eq!(strangers(TEAMS, &moves(when, "Cy")), ["Cy"]);
    }
    assert!(strangers(TEAMS, &moves(["[%player W P \"Zoe\"]", ""], "Zoe")).is_empty());
    let message = &found(TEAMS, &moves(["", bob], "Cy"))[0].2;
    assert!(
        message.ends_with("Bob leads it, since the command on line 7"),
        "{message}"
    );
    // A player who takes over in a variation, or only afterwards, does not count.
    assert_eq!(
        strangers(
            TEAMS,
            &format!("1. e4 d5 2. exd5 <d5: [White \"Bob\"] 1-0> {{{bob}}} 2... Nf6")
        ),
        ["Bob"]
    );
    assert_eq!(
        strangers(
            TEAMS,
            &format!("1. e4 (1. d4 {{{bob}}}) 1... d5 2. exd5 <d5: [White \"Bob\"] 1-0> Nf6")
        ),
        ["Bob"]
    );
    let knight = |commander| {
        format!(
            "1. Nc3 {{[%player W commander \"Zoe\"]}} d5 2. Nxd5 <d5: [White \"{commander}\"] 1-0> a6"
        )
    };
    assert!(strangers(TEAMS, &knight("Zoe")).is_empty());
    assert_eq!(strangers(TEAMS, &knight("Ann")), ["Ann"]);
    let queue = "1. Nc3 {[%player W * \"Zoe:Yan\"]} d5 2. Nxd5 <d5: [White \"Zoe\"] 1-0> Qxd5 <d5: [Black \"Yan\"] 1-0> 3. a3";
    assert!(
        found(TEAMS, queue)
            .iter()
            .all(|(kind, ..)| *kind != "not-entitled"),
        "{:?}",
        found(TEAMS, queue)
    );
}

#[test]
fn commands_that_name_nothing_are_reported() {
    let reported = |arguments: &str| {
        let found = found(TEAMS, &format!("1. e4 {{[%player {arguments}]}} d5"));
        assert!(
            found.iter().all(|(kind, ..)| *kind == "bad-command"),
            "{found:?}"
        );
        found
            .into_iter()
            .map(|(_, _, message)| message)
            .next()
            .unwrap_or_default()
    };
    assert_eq!(reported("W d1 \"Zoe\""), "");
    assert_eq!(reported("W e4 \"Zoe\""), "no over-piece begins on e4");
    assert_eq!(
        reported("W d8 \"Zoe\""),
        "the over-piece that begins on d8 is Black's"
    );
    assert_eq!(
        reported("W e1 \"Zoe\""),
        "the over-king has no sub-set, and nobody leads it"
    );
    assert_eq!(
        reported("W K \"Zoe\""),
        "the over-king has no sub-set, and nobody leads it"
    );
    for unread in ["W d1 Zoe", "d1 \"Zoe\"", "W", "", "W z9 \"Zoe\"", "W d1"] {
        assert!(
            reported(unread).starts_with("[%player] has invalid arguments"),
            "{unread}"
        );
    }
}

#[test]
fn what_is_wrong_with_a_list_is_reported_where_it_stands() {
    let list = "d1=Ann:d4=Bob:a8=Cy:e1=Di:K=Ed:d1=Flo:h1:g9=Gus:P=:R=50%:Q=\\\"Hal\\\":B=é:x=";
    let found = found(&format!("[WhiteLieutenants \"{list}\"]"), "1. e4");
    let first = 20;
    let at = |part: &str| first + list[..list.find(part).unwrap()].chars().count() as u64;
    let expected = [
        ("d4=Bob", "no over-piece begins on d4"),
        ("a8=Cy", "the over-piece that begins on a8 is Black's"),
        ("e1=Di", "the over-king has no sub-set, and nobody leads it"),
        ("K=Ed", "the over-king has no sub-set, and nobody leads it"),
        ("d1=Flo", "the over-piece d1 occurs twice"),
        (
            "h1:",
            "expected an over-piece, `=` and a name, such as d1=Ann",
        ),
        ("g9", "`g9` is not an over-piece"),
        ("P=:", "nobody is named for P"),
        ("%", "`%` needs two hexadecimal digits"),
        ("x=", "`x` is not an over-piece"),
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for ((kind, column, message), (part, words)) in found.iter().zip(expected) {
        assert_eq!((*kind, *column), ("bad-list", at(part)), "{message}");
        assert!(message.starts_with(words), "{message}");
    }
}

#[test]
fn in_a_set_up_an_over_piece_is_named_by_its_square_there() {
    // Black's rook on a8 is attacked by a pawn from b7, which remains a pawn until it has won.
    let fen =
        "[SetUp \"1\"]\n[Rules \"fog\"]\n[FEN \"Q7/4k3/8/8/8/8/1r6/4K3 b - - 0 1 - b7xa8:r=Q -\"]";
    let tags =
        format!("{fen}\n[WhiteLieutenants \"a8=Ann:Q=Zoe\"]\n[BlackLieutenants \"a8=Bob:b2=Cy\"]");
    let moves =
        |white, black| format!("1... Kd7 <a8: [White \"{white}\"] [Black \"{black}\"] 1-0> 2. Kd1");
    assert!(strangers(&tags, &moves("Ann", "Bob")).is_empty());
    assert_eq!(strangers(&tags, &moves("Zoe", "Cy")), ["Zoe", "Cy"]);
    let kinds = format!("{fen}\n[WhiteLieutenants \"P=Ann:Q=Zoe\"]");
    assert!(strangers(&kinds, &moves("Ann", "Bob")).is_empty());
    let unknown = format!("{fen}\n[WhiteLieutenants \"d1=Ann\"]\n[BlackLieutenants \"a8=Bob\"]");
    let reported: Vec<_> = found(&unknown, "1... Kd7 <a8: 1-0> 2. Kd1")
        .into_iter()
        .map(|(.., message)| message)
        .collect();
    assert_eq!(reported, ["no over-piece begins on d1"]);
}

/// A game of depth 2 in which a sub-game with these tags contains others.
fn inside(tags: &str, moves: &str) -> Vec<String> {
    strangers(
        &format!("[Rules \"depth=2\"]\n{TEAMS}"),
        &format!("1. e4 d5 2. exd5 <d5: {tags} {moves} 1-0> Nf6"),
    )
}

#[test]
fn who_leads_an_over_piece_commands_inside_its_sub_game() {
    let moves = "1. e4 d5 2. exd5 <d5: [White \"Cy\"] [Black \"Gus\"] 1-0> Qxd5 <d5: [White \"Ann\"] [Black \"Bob\"] 1-0>";
    assert_eq!(
        inside("[White \"Cy\"] [Black \"Gus\"]", moves),
        ["Ann", "Bob"]
    );
    // A player not entitled to it is reported once.
    assert_eq!(
        inside("[White \"Cy\"] [Black \"Ann\"]", moves),
        ["Ann", "Bob"]
    );
    let anybody = format!("1. e4 d5 2. exd5 <d5: {moves} 1-0> Nf6");
    assert_eq!(strangers("[Rules \"depth=2\"]", &anybody), [""; 0]);
}

#[test]
fn a_sub_game_has_roles_of_its_own() {
    let own = "[White \"Cy\"] [WhiteLieutenants \"e2=Zoe:*=Ida\"] [BlackCommander \"Jo\"]";
    let moves = "1. e4 d5 2. exd5 <d5: [White \"Zoe\"] [Black \"Jo\"] 1-0> Nf6 3. d4 Nxd5 <d5: [White \"Gus\"] [Black \"Zoe\"] 0-1> 4. Nc3 Nc6 5. Nb5 a6 6. Nxc7+ <c7: [White \"Cy\"] 1-0>";
    assert_eq!(inside(own, moves), ["Gus", "Cy"]);
    let appointed = "{[%player W e2 \"Mia\"]} 1. e4 d5 {[%player B P \"Ned\"]} 2. exd5 <d5: [White \"Mia\"] [Black \"Ned\"] 1-0>";
    assert_eq!(inside(own, appointed), [""; 0]);
    let variation = "1. e4 d5 2. exd5 <d5: [White \"Zoe\"] 1-0> (2. e5 {[%player W e2 \"Mia\"]} 2... d4) 2... Qxd5 <d5: [White \"Jo\"] [Black \"Mia\"] 1-0>";
    assert_eq!(inside(own, variation), ["Mia"]);
}

#[test]
fn lists_inside_are_judged_by_the_over_pieces_there() {
    let tags = format!("[Rules \"depth=2\"]\n{TEAMS}");
    let moves = "1. e4 d5 2. exd5 <d5: [WhiteLieutenants \"e7=Zoe:e4=Ida\"] 1. e4 {[%player W x \"Mia\"]} e5 1-0> Nf6";
    let found = found(&tags, moves);
    let kinds: Vec<_> = found.iter().map(|(kind, ..)| *kind).collect();
    assert_eq!(kinds, ["bad-list", "bad-list", "bad-command"], "{found:?}");
    let path = report(
        &tags,
        "1. e4 d5 2. exd5 <d5: 1. e4 d5 2. exd5 <d5: [White \"Zoe\"] 1-0> Nf6 1-0> Nf6",
    );
    let stranger = path
        .findings
        .iter()
        .find(|finding| finding.code.id == "not-entitled")
        .unwrap();
    assert_eq!(
        (stranger.path.as_str(), stranger.rule.unwrap().id),
        ("d5.d5", "OV-43")
    );
}

#[test]
fn an_over_piece_keeps_its_leader_where_a_sub_game_is_dead_at_its_set_up() {
    let tags = "[SetUp \"1\"]\n[FEN \"4k3/8/8/3p4/8/8/3Q4/R3K3 w - - 0 1 d2=0,d5=0 - -\"]\n[WhiteLieutenants \"d2=Bob:a1=Cy\"]\n[BlackLieutenants \"d5=Flo\"]";
    let moves = "1. Qxd5 Ke7 2. Ra5 Kf7 3. Rxd5 <d5: [White \"Cy\"] [Black \"Gus\"] 1/2-1/2>";
    assert_eq!(strangers(tags, moves), ["Gus"]);
}
