//! Illegal moves after which both players went on, on nested boards and in sub-games (GEN-9).

use crate::text::judge;
use overboard_formats::{limits::Limits, parse::Parser};
use overboard_games::referee::AnyReferee;
use overboard_referee::{
    Options,
    finding::{Severity, Verdict},
    report::Report,
};

fn report(game: &str, moves: &str) -> Report {
    report_of(&format!("[Variant \"{game}\"]"), moves)
}

fn report_of(tags: &str, moves: &str) -> Report {
    let mut reports = judge(format!("{tags}\n\n{moves}\n").as_bytes());
    assert_eq!(reports.len(), 1);
    reports.remove(0)
}

/// The kinds of the findings other than notes.
fn found(game: &str, moves: &str) -> Vec<&'static str> {
    kinds(report(game, moves))
}

fn kinds(report: Report) -> Vec<&'static str> {
    let findings = report.findings.into_iter();
    let weighty = findings.filter(|finding| finding.severity != Severity::Note);
    weighty.map(|finding| finding.code.id).collect()
}

/// The position at the end of a record.
fn reached(game: &str, moves: &str) -> String {
    let text = format!("[Variant \"{game}\"]\n\n{moves}\n");
    let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
    let mut referee = AnyReferee::new(Options::default());
    referee.judge(&mut parser).unwrap().unwrap();
    referee.position().unwrap().fen()
}

const MEGA: &str = "Recursive Chess";
const OVER: &str = "Overchess";
/// Seven items that White can make at first.
const SEVEN: &str = "B1.a3 C1.a3 D1.a3 E1.a3 F1.a3 G1.a3 H1.a3";

#[test]
fn an_illegal_move_on_a_board_of_a_turn_stands() {
    let moves = format!("1. <A1.Ne4 {{[%stands b1e4]}} {SEVEN}> *");
    let report = report(MEGA, &moves);
    assert_eq!(report.verdict, Verdict::Illegal);
    let stood = report
        .findings
        .iter()
        .find(|finding| finding.code.id == "illegal-stands")
        .unwrap();
    assert!(
        stood
            .message
            .as_it_came()
            .ends_with("both played on, and it stands"),
        "{stood:?}"
    );
    assert_eq!(
        (stood.rule.unwrap().id, report.unjudged_from.as_deref()),
        ("GEN-9", None)
    );
    assert_eq!(found(MEGA, &moves), ["illegal-stands"]);
    let knight = "A1: rnbqkbnr/pppppppp/8/8/4N3/8/PPPPPPPP/R1BQKBNR b KQkq - 1 1";
    assert!(
        reached(MEGA, &moves).contains(knight),
        "{}",
        reached(MEGA, &moves)
    );
    // The board is used: no second move is possible there, and it is Black's turn on it.
    let again = format!("1. <A1.Ne4 {{[%stands b1e4]}} A1.e3 {SEVEN}> *");
    assert_eq!(found(MEGA, &again), ["illegal-stands", "illegal-move"]);
    let answered = format!(
        "1. <A1.Ne4 {{[%stands b1e4]}} {SEVEN}> <A1.d5 B1.a6 C1.a6 D1.a6 E1.a6 F1.a6 G1.a6 H1.a6> 2. <A1.Nc5 B1.a4 C1.a4 D1.a4 E1.a4 F1.a4 G1.a4 H1.a4> *"
    );
    assert_eq!(found(MEGA, &answered), ["illegal-stands"]);
}

#[test]
fn what_stands_can_end_a_board_and_its_state() {
    // Black is mated on A1 by a queen that jumped: the mega-piece is armed.
    let mate = "1. <A1.e4 B1.a3 C1.a3 D1.a3 E1.a3 F1.a3 G1.a3 H1.a3> <A1.f6 B1.a6 C1.a6 D1.a6 E1.a6 F1.a6 G1.a6 H1.a6> 2. <A1.d4 B1.a4 C1.a4 D1.a4 E1.a4 F1.a4 G1.a4 H1.a4> <A1.g5 B1.a5 C1.a5 D1.a5 E1.a5 F1.a5 G1.a5 H1.a5> 3. <A1.Ra5 {[%stands d1h5]} B1.b3 C1.b3 D1.b3 E1.b3 F1.b3 G1.b3 H1.b3> *";
    assert!(
        reached(MEGA, mate).contains("A1: armed"),
        "{}",
        reached(MEGA, mate)
    );
}

#[test]
fn a_mega_piece_that_was_moved_against_the_rules_stands() {
    // A neutral rook may neither capture nor jump.
    let moves = "1. Rxa8 {[%stands A1A8]} <B8.a3 C8.a3 D8.a3 E8.a3 F8.a3 G8.a3 H8.a3 B1.a3> *";
    let kinds = found(MEGA, moves);
    assert_eq!(kinds[0], "illegal-stands", "{kinds:?}");
    let after = reached(MEGA, "1. Rxa8 {[%stands A1A8]} *");
    assert!(
        after.starts_with("Rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR b Kk - 0 1"),
        "{after}"
    );
    let quiet = reached(MEGA, "1. Rc4 {[%stands A1C4]} *");
    assert!(
        quiet.starts_with("rnbqkbnr/pppppppp/8/8/2R5/8/PPPPPPPP/1NBQKBNR b Kkq - 0 1"),
        "{quiet}"
    );
    // On the inner board of a level-2 game both kinds of squares occur.
    let inner = "[Level \"2\"]\n\n1. <A1.Rc4 {[%stands A1C4]} B1.<A1.Ne4 {[%stands b1e4]} B1.a3 C1.a3 D1.a3 E1.a3 F1.a3 G1.a3 H1.a3> C1.Nc3 D1.Nc3 E1.Nc3 F1.Nc3 G1.Nc3 H1.Nc3> *";
    let text = format!("[Variant \"{MEGA}\"]\n{inner}\n");
    let kinds: Vec<_> = judge(text.as_bytes())[0]
        .findings
        .iter()
        .map(|finding| finding.code.id)
        .filter(|id| *id != "missing-tag")
        .collect();
    assert_eq!(kinds, ["illegal-stands", "illegal-stands"]);
}

#[test]
fn what_cannot_stand_is_reported() {
    let at = |arguments: &str| {
        found(
            MEGA,
            &format!("1. <A1.Ne4 {{[%stands {arguments}]}} {SEVEN}> *"),
        )
    };
    for (arguments, why) in [
        ("", "nothing"),
        ("b1", "one square"),
        ("B1E4", "squares of the mega-board"),
        ("b1E4", "of both kinds"),
        ("b8e4", "a piece of the other side"),
        ("e4e5", "nobody"),
        ("b1e8", "a king"),
    ] {
        assert_eq!(at(arguments), ["illegal-move", "bad-command"], "{why}");
    }
    // No illegal move precedes it.
    assert_eq!(
        found(MEGA, &format!("1. <A1.e4 {{[%stands b1e4]}} {SEVEN}> *")),
        ["bad-command"]
    );
    assert_eq!(
        found(MEGA, &format!("1. <{SEVEN} A1.Ne4> {{[%stands b1e4]}} *")),
        ["illegal-move", "bad-command"]
    );
    // A board that was used before, and a king left in mega-check.
    assert_eq!(
        found(
            MEGA,
            &format!("1. <A1.a3 A1.Ne4 {{[%stands b1e4]}} {SEVEN}> *")
        ),
        ["illegal-move", "bad-command"]
    );
    assert_eq!(found(OVER, "1. e4 {[%stands e2e4]} *"), ["bad-command"]);
    for arguments in ["e7e4", "e2e8", "e2e2", "a4a5", "E2E5"] {
        let kinds = found(OVER, &format!("1. e5 {{[%stands {arguments}]}} *"));
        assert_eq!(kinds, ["illegal-move", "bad-command"], "{arguments}");
    }
}

#[test]
fn an_illegal_over_move_stands() {
    let quiet = "1. e5 {[%stands e2e5]} 1... d5 2. exd6 <d6: 1-0> *";
    assert_eq!(found(OVER, quiet), ["illegal-stands"]);
    assert!(
        reached(OVER, quiet)
            .starts_with("rnbqkbnr/ppp1pppp/3P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2")
    );
    // A move onto an enemy piece is an attack: a sub-game is due there.
    let attack = "1. e4 e5 2. Bxd7+ {[%stands f1d7]} <d7: 1. e4 e5 1-0> 2... Nxd7 <d7: 1-0> *";
    assert_eq!(found(OVER, attack), ["illegal-stands"]);
    assert!(
        reached(OVER, attack)
            .starts_with("r1bqkbnr/pppn1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQK1NR w KQkq - ")
    );
    assert_eq!(
        found(OVER, "1. e4 e5 2. Bxd7+ {[%stands f1d7]} 2... Nxd7 *"),
        ["illegal-stands", "open-ply"]
    );
    // A king captures without a sub-game.
    // It may stand attacked, by a rook or a bishop: it is not taken, and must go on.
    let king = "1. e4 a5 2. Kxa5 {[%stands e1a5]} 2... Rxa5 *";
    assert_eq!(found(OVER, king), ["illegal-stands", "illegal-move"]);
    let king = "1. e4 h5 2. Kxb7 {[%stands e1b7]} 2... h4+ 3. Kxa8 *";
    assert_eq!(found(OVER, king), ["illegal-stands"]);
    let king = "1. e4 b5 2. Kxb5 {[%stands e1b5]} 2... a6+ *";
    assert_eq!(found(OVER, king), ["illegal-stands"]);
    // The king castles over a bishop, and the rook stays: the king is put on g1 and replaces the knight.
    let castles = "1. e4 e5 2. O-O {[%stands e1g1]} 2... a6 *";
    assert!(
        reached(OVER, castles).contains("/RNBQ1BKR w kq - 0 3"),
        "{}",
        reached(OVER, castles)
    );
}

#[test]
fn who_leads_what_goes_with_it() {
    let tags = "[Variant \"Overchess\"]\n[WhiteLieutenants \"f1=Ann:P=Bob\"]";
    let played_by = |name: &str| {
        let moves = format!(
            "1. Bc4 {{[%stands f1c4]}} 1... e6 2. Bxe6 <e6: [White \"{name}\"] 1-0> 2... dxe6 <e6: [Black \"{name}\"] 0-1> *"
        );
        kinds(report_of(tags, &moves))
    };
    assert_eq!(played_by("Ann"), ["illegal-stands"]);
    assert_eq!(
        played_by("Bob"),
        ["illegal-stands", "not-entitled", "not-entitled"]
    );
}

/// A queen goes where a castling king would: the rook in the corner stays, and so does who leads it.
#[test]
fn only_a_king_takes_the_leader_of_a_rook_along() {
    let tags = "[Variant \"Overchess\"]\n[SetUp \"1\"]\n[FEN \"4k3/4p2p/8/8/8/8/8/K3QR1R w - - 0 1 - - -\"]\n[WhiteLieutenants \"h1=Ann:f1=Bob\"]";
    let played_by = |name: &str| {
        let moves =
            format!("1. Qg1 {{[%stands e1g1]}} 1... e6 2. Rxh7 <h7: [White \"{name}\"] 1-0> *");
        kinds(report_of(tags, &moves))
    };
    assert_eq!(played_by("Ann"), ["illegal-stands"]);
    assert_eq!(played_by("Bob"), ["illegal-stands", "not-entitled"]);
}

#[test]
fn an_illegal_move_of_a_sub_game_stands() {
    // The queen captures the pawn on f7 directly from d1: a pawn is lost, and 3. Qxf7# is mate.
    let moves = "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Bc4 Nc6 3. Qxf7# {[%stands d1f7]} 1-0> Nf6 *";
    assert_eq!(found(OVER, moves), ["illegal-stands"]);
    assert!(
        reached(OVER, moves).ends_with(" - - -"),
        "the attacker lost nobody: {}",
        reached(OVER, moves)
    );
    // The mate ends it: another result is wrong.
    assert_eq!(
        found(OVER, &moves.replace("1-0>", "0-1>")),
        ["illegal-stands", "wrong-result"]
    );
    // Pieces captured like this are lost: a bishop of the attacker, a pawn of the defender.
    let taken = "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Bxf7+ {[%stands f1f7]} 2... Kxf7 3. a3 0-1> *";
    assert_eq!(found(OVER, taken), ["illegal-stands"]);
    assert!(
        reached(OVER, taken).contains("d5=7P2R2N2B1Q"),
        "{}",
        reached(OVER, taken)
    );
    let taken = taken.replace("0-1>", "1-0>");
    assert!(
        reached(OVER, &taken).contains("d5=8P2R2N1B1Q"),
        "{}",
        reached(OVER, &taken)
    );
    // Variations begin before and after it.
    let varied = "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Bxf7+ {[%stands f1f7]} (2. Nf3 Nc6) 2... Kxf7 (2... Ke7) 3. a3 (3. Qh5+) 3... a6 0-1> *";
    assert_eq!(found(OVER, varied), ["illegal-stands"]);
}

#[test]
fn games_inside_games_go_on_behind_what_stands() {
    let rules = "Overchess\"]\n[Rules \"depth=2";
    let moves = "1. e4 d5 2. exd5 <d5: 1. e4 d5 2. Bxd5 {[%stands f1d5]} <d5: 1. e4 e5 2. Bxf7+ {[%stands f1f7]} 2... Kxf7 1-0> 2... Nf6 1-0> 2... Nf6 3. Ke4 {[%stands e1e4]} 3... Nxe4 *";
    let kinds = found(rules, moves);
    assert_eq!(
        kinds,
        [
            "illegal-stands",
            "illegal-stands",
            "illegal-stands",
            "illegal-move"
        ],
        "the knight attacks e4, and takes no king"
    );
    let quiet = moves.replace(
        "Ke4 {[%stands e1e4]} 3... Nxe4",
        "Bh5 {[%stands f1h5]} 3... Nc6",
    );
    assert_eq!(found(rules, &quiet), ["illegal-stands"; 3]);
    // The attacker on d5 has lost the bishop's bishop: this sub-set of a sub-set is not complete.
    let reached = reached(rules, &quiet);
    assert!(
        reached
            .starts_with("r1bqkb1r/ppp1pppp/2n2n2/3P3B/8/8/PPPP1PPP/RNBQK1NR w KQkq - 3 4 d5:e2={"),
        "{reached}"
    );
    assert!(reached.contains("f1=8P2R2N1B1Q"), "{reached}");
}

#[test]
fn a_whole_position_stands_only_where_the_record_can_go_on_from_it() {
    let stands = |moves: &str, fen: &str| moves.replace("FEN", fen);
    let chess = "1. e4 e5 2. Ke3 {[%stands \"FEN\"]} 2... Ke7 3. Kd3 *";
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/4K3/PPPP1PPP/RNBQ1BNR b kq - 1 2";
    assert_eq!(found("Chess", &stands(chess, fen)), ["illegal-stands"]);
    assert_eq!(
        found("Chess", &stands(chess, "8/8 w")),
        ["illegal-move", "bad-command"]
    );
    let one = "14/14/rnbbnrqkrnbbnr/pppppppppppppp/14/14/14/14/14/14/PPPPPPPPPPPPPP/RNBBNRQKRNBBNR/14/14 b ABCDEFGHIJKLMNabcdefghijklmn 0 1";
    let linked = "1B. Kh8 {[%stands \"FEN\"]} 1A. e7 *";
    assert_eq!(
        found("StrategiChess\"]\n[Boards \"A:B", &stands(linked, one)),
        ["illegal-move", "bad-command"]
    );
    // No sub-game is open in it.
    let over = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - - -";
    let inside = "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Ke3 {[%stands \"FEN\"]} 2... Nf6 1-0> *";
    assert_eq!(
        found("Overchess", &stands(inside, over)),
        ["illegal-move", "bad-command"]
    );
}

#[test]
fn a_position_from_before_an_illegal_move_may_come_again() {
    let jump = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nh3 Nf6 4. Nh3g1 Ng8 5. Nb1b5 {[%stands b1b5]} 5... Nf6 \
                6. Nb5b1 {[%stands b5b1]} 6... Ng8 {[%claim threefold]} 1/2-1/2";
    let kinds = found("Chess", jump);
    assert!(
        !kinds.iter().any(|kind| kind.starts_with("wrong")),
        "{kinds:?}"
    );
}

/// White's eighth item is on A2, and Black answers there and on seven other boards.
fn checked_on_a2(answer: &str, more: &str) -> String {
    let rest = |item: &str| {
        let boards = ["B2", "C2", "D2", "E2", "F2", "G2", "H2"];
        let items = boards.map(|board| format!("{board}.{item}"));
        items.join(" ")
    };
    format!(
        "1. <A2.e4 {}> 1... <A2.f6 {}> 2. <A2.Qh5+ {}> 2... <A2.{answer} {}> {more} *",
        rest("e4"),
        rest("e5"),
        rest("d4"),
        rest("d6")
    )
    .replace("REST", &rest("a3"))
    .replace("BACK", &rest("a6"))
}

#[test]
fn a_king_left_in_check_stands_on_boards_of_mega_chess() {
    let stands = |answer: &str, more: &str| found(MEGA, &checked_on_a2(answer, more));
    let left = "a6 {[%stands a7a6]}";
    // It is not taken, and parries the check at its next move.
    assert_eq!(
        stands(left, "3. <A2.Qxe8 REST>"),
        ["illegal-stands", "illegal-move"]
    );
    assert_eq!(
        stands(left, "3. <A2.Nf3+ REST> 3... <A2.g6 BACK>"),
        ["illegal-stands"]
    );
    assert_eq!(
        stands(left, "3. <A2.Nf3+ REST> 3... <A2.b6 BACK>"),
        ["illegal-stands", "illegal-move"]
    );
    assert_eq!(
        stands("-- {[%stands --]}", "3. <A2.Nf3+ REST>"),
        ["illegal-stands"]
    );
}

#[test]
fn a_mega_king_left_in_check_stands() {
    let on = |moves: &str| {
        let fen =
            "4k2r/8/8/8/8/8/8/4R2K w - - 0 1 - {E1: disarmed; E8: armed; H1: armed; H8: armed}";
        found(&format!("{MEGA}\"]\n[SetUp \"1\"]\n[FEN \"{fen}"), moves)
    };
    assert_eq!(
        on("1. Rd1 {[%stands E1D1]} 1... Rxh1 *"),
        ["illegal-stands", "illegal-move"]
    );
    assert_eq!(
        on("1. Rd1 {[%stands E1D1]} 1... Kf7+ 2. Rd2 *"),
        ["illegal-stands", "illegal-move"]
    );
    assert_eq!(
        on("1. -- {[%stands --]} 1... Kf7+ 2. Kg1 *"),
        ["illegal-stands"]
    );
}

#[test]
fn boards_inside_others_to_which_no_game_leads_are_judged() {
    let doubts = |game: &str, fen: &str| {
        let report = report(&format!("{game}\"]\n[SetUp \"1\"]\n[FEN \"{fen}"), "*");
        let doubt = report
            .findings
            .iter()
            .find(|finding| finding.code.id == "unreachable-position")
            .unwrap_or_else(|| panic!("{:?}", report.findings));
        doubt.message.as_it_came().to_string()
    };
    let exposed = "4k3/8/8/8/8/8/8/4R2K w - - 0 1";
    let on_board = doubts(
        MEGA,
        &format!("4k3/8/8/8/8/8/8/7K w - - 0 1 - {{H1: {exposed}}}"),
    );
    assert!(
        on_board.contains("board H1: the side that is not to move is in check"),
        "{on_board}"
    );
    let around = doubts(MEGA, "4k3/8/8/8/8/8/8/4R2K w - - 0 1 - {E1: armed}");
    assert!(
        around.contains("the mega-board: the side that is not to move is in check"),
        "{around}"
    );
    let crowded = "4k3/8/8/8/8/8/PPPPPPPP/QQRR2NK w - - 0 1 - {}";
    let around = doubts(MEGA, crowded);
    assert!(
        around.contains("more pieces than its promotions allow"),
        "{around}"
    );
}

#[test]
fn a_fault_in_a_sub_game_hides_only_what_its_survivors_fight() {
    // The knight on f6 has won a sub-game in which something was illegal.
    let fault = "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Ke3 1-0> 2... c6";
    let goes_on = |moves: &str| found(OVER, &format!("{fault} {moves} *"));
    assert_eq!(goes_on("3. Ke4"), ["illegal-move", "illegal-move"]);
    let other = "3. Bb5 e6 4. Bxc6+ <c6: 1. e4 e5 2. Ke3 1-0>";
    assert_eq!(goes_on(other), ["illegal-move", "illegal-move"]);
    // What the pawn on d5 has left is not known, so its sub-games are not judged, unless their set-ups are written.
    let own = "3. dxc6 <c6: 1. e4 e5 2. Ke3 1-0> 3... Nf6 4. Ke4";
    assert_eq!(goes_on(own), ["illegal-move", "illegal-move"]);
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1";
    let written =
        format!("3. dxc6 <c6: [SetUp \"1\"] [FEN \"{fen}\"] 1. e4 e5 2. Ke3 1-0> 3... Nf6 4. Ke4");
    assert_eq!(
        goes_on(&written),
        ["illegal-move", "illegal-move", "illegal-move"]
    );
    // A sub-game without a result leads nowhere.
    let open = fault.replace("1-0>", "*>");
    assert_eq!(found(OVER, &format!("{open} 3. Ke4 *")), ["illegal-move"]);
    // Which prisoners were taken is not known; over-moves do not depend on it.
    let with_all = "Overchess\"]\n[Rules \"prisoners:consolidation:reserves=team/2P";
    let on_all = |moves: &str| found(with_all, &format!("{moves} *"));
    let taken = fault.replace("2... c6", "<prisoners P> <reserve d5: P> 2... c6");
    assert_eq!(
        on_all(&format!("{taken} 3. Ke4")),
        ["illegal-move", "illegal-move"]
    );
    let handed = format!("{fault} 3. <consolidate d5: c2+P> 3... e6");
    assert_eq!(
        on_all(&format!("{handed} 4. d6")),
        ["illegal-move", "illegal-move"]
    );
    let king = format!("{fault} 3. <consolidate e1: c2+P>");
    assert_eq!(on_all(&king), ["illegal-move", "illegal-move"]);
    // A variation does not say who has what in it.
    let aside = format!("{fault} 3. dxc6 (3. a3 cxd5 <d5: [FEN \"{fen}\"] 1. e4 1-0>) <c6: 1-0>");
    assert_eq!(on_all(&aside), ["illegal-move"]);
}

#[test]
fn a_move_after_the_end_of_a_sub_game_hides_nothing_else() {
    let mate = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#";
    let moves = |result: &str, more: &str| {
        format!("1. e4 d5 2. exd5 <d5: {mate} 4... Ke7 {result}> 2... c6 {more} *")
    };
    assert_eq!(
        found(OVER, &moves("1-0", "3. Ke4")),
        ["move-after-end", "illegal-move"]
    );
    // What they have left is known.
    let fought = "3. dxc6 <c6: 1. e4 e5 2. Ke3 1-0> 3... Nf6";
    assert_eq!(
        found(OVER, &moves("1-0", fought)),
        ["move-after-end", "illegal-move"]
    );
    // The players went on as if it had ended otherwise.
    assert_eq!(
        found(OVER, &moves("0-1", "3. Ke4")),
        ["move-after-end", "wrong-result"]
    );
}
