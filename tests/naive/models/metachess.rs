use super::{assert_divided, rows};
use overboard_naive::metachess::{Naive, Piece, Square, Stack};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A position with pieces such as `Ka1 Pe4 kh8 pNc3`: of two letters before a square, the second rides on the first.
fn position(side: &str, pieces: &str) -> Naive {
    Naive::parse(&fen(side, pieces))
}

/// The FEN of a position with these pieces.
fn fen(side: &str, pieces: &str) -> String {
    let mut empty = Naive::parse("k7/8/8/8/8/8/8/7K w - - 0 1");
    empty.cells = [Stack::default(); 64];
    for text in pieces.split_whitespace() {
        let (letters, square) = text.split_at(text.len() - 2);
        let mut letters = letters.chars().map(Piece::from_fen);
        let stack = &mut empty.cells[Square::from_name(square).cell()];
        *stack = Stack {
            first: letters.next(),
            second: letters.next(),
        };
    }
    let ranks: Vec<String> = (0..8).rev().map(|rank| empty.fen_rank(rank)).collect();
    format!("{} {side} - - 0 1", ranks.join("/"))
}

/// Where the mobile piece on a square can go, sorted by bytes.
fn from(position: &Naive, square: &str) -> String {
    let moves = position.moves();
    moves
        .iter()
        .filter_map(|coord| coord.strip_prefix(square))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The same for White in a position with these pieces.
fn white(pieces: &str, square: &str) -> String {
    from(&position("w", pieces), square)
}

/// Asserts that a move of White leads from the first pieces to the second, with Black to move.
fn leads(before: &str, coord: &str, after: &str) {
    let reached = position("w", before).play(coord).fen();
    let board = |fen: &str| fen.split(' ').next().map(String::from);
    assert_eq!(
        board(&reached),
        board(&fen("b", after)),
        "{coord}: {before}"
    );
}

/// The rules state 39 and 1,519: 20 moves of chess, and 19 ways of going up for each side.
#[test]
fn counts_from_the_array() {
    let start = Naive::parse(START);
    assert_eq!(start.fen(), START);
    assert_eq!(
        (0..3).map(|depth| start.perft(depth)).collect::<Vec<_>>(),
        [1, 39, 1519]
    );
    assert_eq!(
        start
            .moves()
            .iter()
            .filter(|coord| coord.ends_with('^'))
            .count(),
        19
    );
    assert_divided(&start.divide(2), &start.moves(), 1519);
    assert_eq!(start.stacks(), 0);
    assert_eq!(start.play("a1b1^").play("a7a5").stacks(), 1);
    assert_eq!(from(&start, "a1"), "a2^ b1^");
    assert_eq!(from(&start, "d1"), "c1^ c2^ d2^ e2^");
    assert_eq!(from(&start, "e1"), "d1^ d2^ e2^ f1^ f2^");
    assert_eq!(from(&start, "b1"), "a3 c3 d2^");
}

#[test]
fn counts_of_the_positions() {
    for fields in rows(include_str!("../positions/metachess.txt")) {
        let position = Naive::parse(fields[0]);
        assert_eq!(position.fen(), fields[0]);
        assert_eq!(position.perft(1).to_string(), fields[1], "{fields:?}");
        assert_eq!(position.perft(2).to_string(), fields[2], "{fields:?}");
    }
}

#[test]
fn carriers_neither_move_nor_capture_nor_give_check() {
    // A Rook with its own side's Bishop on it, and one with Black's.
    assert_eq!(white("Kh1 kh8 RBa4", "a4"), "b3 b5 c2 c6 d1 d7 e8");
    assert_eq!(white("Kh1 kh8 Rba4 nb4", "a4"), "");
    let check = |pieces: &str| position("b", pieces).in_check();
    assert!(check("Kh1 ke8 Re4"));
    assert!(!check("Kh1 ke8 RNe4"));
    assert!(!check("Kh1 ke8 Rne4"));
    assert!(check("Kh1 ke8 Pd7"));
    assert!(!check("Kh1 ke8 PNd7"));
    // A Rook that carries a piece cannot pin anything.
    let knight = |pieces: &str| from(&position("b", pieces), "e5");
    assert_eq!(knight("Kh1 ke8 ne5 Re1"), "");
    assert_eq!(knight("Kh1 ke8 ne5 RBe1"), "c4 c6 d3 d7 f3 f7 g4 g6");
}

/// Around the Knight on c3: its own pawn on d5, an enemy on b5, its own carrier with its own rider on e4, its own
/// carrier with an enemy rider on a4, an enemy carrier with an enemy rider on e2, an enemy carrier with its own rider
/// on d1, its own King on b1, and nothing on a2.
const AROUND: &str = "kh8 Pd5 pb5 PBe4 Pna4 pne2 nRd1 Kb1";

#[test]
fn going_up_is_on_ones_own_from_below_and_on_any_from_above() {
    let knight = |stack: &str| white(&format!("{AROUND} {stack}c3"), "c3");
    assert_eq!(knight("N"), "a2 a4^ b5 d1 d5^ e2");
    assert_eq!(knight("PN"), "a2 a4^ b5 b5^ d1 d5^ e2 e2^");
    assert_eq!(knight("pN"), "a4^ b5^ d5^ e2^");
    // Pawns cannot go up, and cannot take a rider.
    assert_eq!(white("Kh1 kh8 Pc3 Rb4 Pnd4", "c3"), "c4");
    assert_eq!(white("Kh1 kh8 Pc3 bnd4 nRb4", "c3"), "b4 c4 d4");
}

#[test]
fn lines_end_at_the_first_piece_on_them() {
    assert_eq!(white("Kh1 kh8 Ra1 BNb1 Pa4", "a1"), "a2 a3 a4^");
    assert_eq!(white("Kh1 kh8 Ra1 bnb1 pa4", "a1"), "a2 a3 a4 b1");
    assert_eq!(white("Kh1 kh8 PRa2 pnb2 pNa4", "a2"), "a1 a3 a4 b2 b2^");
    // Nothing slides over pieces, not even on the second level.
    assert_eq!(white("Kh1 kh8 pRa2 pb2 pc2 Pa3 Pa4", "a2"), "a3^ b2^");
}

#[test]
fn captures_below_leave_the_rider_on_the_capturer() {
    leads("Kh1 kh8 Ra2 nbf2", "a2f2", "Kh1 kh8 Rbf2");
    leads("Kh1 kh8 Ra2 nBf2", "a2f2", "Kh1 kh8 RBf2");
    leads("Kh1 kh8 PRa2 nbf2", "a2f2", "Kh1 kh8 Pa2 Rbf2");
    leads("Kh1 kh8 Pe5 nrf6", "e5f6", "Kh1 kh8 Prf6");
    leads("Kh1 ka8 Pe7 nrf8", "e7f8q", "Kh1 ka8 Qrf8");
    assert_eq!(
        white("Kh1 ka8 Pe7 nrf8", "e7"),
        "e8b e8n e8q e8r f8b f8n f8q f8r"
    );
    // The capturer is now a carrier: it gives no check, but its rider may.
    assert!(!position("w", "Kh1 kf8 Ra2 nbf2").play("a2f2").in_check());
    assert!(position("w", "Kh1 kf8 Ra2 nQf2").play("a2f2").in_check());
}

#[test]
fn captures_above_leave_the_carrier() {
    leads("Kh1 kh8 Ra2 Pbf2", "a2f2^", "Kh1 kh8 PRf2");
    leads("Kh1 kh8 PRa2 nbf2", "a2f2^", "Kh1 kh8 Pa2 nRf2");
    leads("Kh1 kh8 pRa2 nbf2", "a2f2^", "Kh1 kh8 pa2 nRf2");
    // If both are possible, arriving above and below on the same square are two moves.
    assert_eq!(white("Kh1 kh8 RNa1 Pb3 qnc2", "a1"), "b3^ c2 c2^");
    let counted = |coord| position("w", "Kh1 kh8 PRa2 nbf2").play(coord).halfmove;
    assert_eq!(
        [counted("a2f2"), counted("a2f2^"), counted("a2b2")],
        [0, 0, 1]
    );
    let climb = Naive::parse("7k/8/8/8/8/8/P7/R6K w - - 7 9");
    assert!(climb.play("a1a2^").fen().ends_with(" b - - 8 9"));
}

#[test]
fn kings_take_no_carrier_of_a_rider() {
    assert_eq!(white("Ka1 kh8 na2", "a1"), "a2 b1 b2");
    assert_eq!(white("Ka1 kh8 nba2", "a1"), "b2");
    assert_eq!(white("Ka1 kh8 nBa2", "a1"), "b1 b2");
    assert_eq!(white("RKa1 kh8 nba2", "a1"), "a2^ b2");
    assert_eq!(white("Ka1 kh8 Rba2", "a1"), "a2^ b1 b2");
    assert_eq!(white("Ka1 kh8 RBa2", "a1"), "b1 b2");
    // Up on to one's own piece, from there on to another's, but never on to a King.
    assert_eq!(white("nKa1 ka3 pa2", "a1"), "");
    assert_eq!(white("nKa1 kh3 pa2", "a1"), "a2^");
}

#[test]
fn a_king_below_is_attacked_by_what_acts_below() {
    let check = |pieces: &str| position("w", pieces).in_check();
    assert!(check("Ke1 kh8 re8"));
    assert!(check("Ke1 kh8 pre7"));
    assert!(!check("Ke1 kh8 Pre7"));
    assert!(!check("Ke1 kh8 rbe8"));
    assert!(!check("Ke1 kh8 rBe8"));
    assert!(check("Ke1 kh8 pd2"));
    // On the first level Kings keep apart; a King that rides on an enemy piece attacks nothing there.
    assert_eq!(white("Ka1 ka3", "a1"), "b1");
    assert_eq!(white("Ka1 pka3", "a1"), "b1");
    assert_eq!(white("Ka1 Nka3", "a1"), "a2 b1 b2");
}

#[test]
fn a_riding_king_is_attacked_by_riders_and_from_below_on_a_carrier_of_theirs() {
    let check = |pieces: &str| position("w", pieces).in_check();
    assert!(!check("PKe4 kh8 re8"));
    assert!(check("pKe4 kh8 re8"));
    assert!(check("PKe4 kh8 pre7"));
    assert!(check("PKe4 kh8 Pre7"));
    assert!(check("pKe4 kh8 Pre7"));
    // Carriers attack nothing, and pawns attack no rider; a King attacks as other officers do.
    assert!(!check("pKe4 kh8 rbe8"));
    assert!(!check("pKe4 kh8 pd5 pf5"));
    assert!(!check("PKe4 kh8 pnd5"));
    assert!(check("pKe4 kh8 pnd6"));
    assert_eq!(white("PKa2 ka4", "a2"), "a1 b1 b2");
    assert_eq!(white("Ka1 Nb2 kc3", "a1"), "a2 b1 b2^");
    assert_eq!(white("Ka1 Nb2 pkc3", "a1"), "a2 b1");
    assert_eq!(white("Ka1 Nb2 Pkc3", "a1"), "a2 b1");
}

#[test]
fn the_carrier_of_a_king_can_be_taken() {
    // The Rook takes the pawn under the King; the King now rides on the Rook, in check from below.
    let ridden = position("b", "PKe4 kh8 re8 qa4").play("e8e4");
    assert_eq!(
        ridden.fen(),
        fen("w", "rKe4 kh8 qa4").replace(" 0 1", " 0 2")
    );
    assert!(ridden.in_check());
    let quiet = position("b", "PKe4 kh8 re8").play("e8e4");
    assert!(!quiet.in_check());
    assert_eq!(quiet.moves(), Vec::<String>::new());
    assert_eq!(quiet.status(), "stalemate");
}

#[test]
fn castling() {
    let castles = |fen: &str| from(&Naive::parse(fen), "e1");
    assert_eq!(
        castles("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
        "c1 d1 d2 e2 f1 f2 g1"
    );
    assert_eq!(
        castles("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1"),
        "c1 d1 d2 e2 f1 f2"
    );
    // A Rook that carries a piece cannot move; its castling right stays.
    let ridden = Naive::parse("4k3/8/8/8/8/8/8/(RN)3K2(Rn) w KQ - 0 1");
    assert_eq!(from(&ridden, "e1"), "d1 d2 e2 f1 f2");
    assert_eq!(
        ridden.play("a1b3").fen(),
        "4k3/8/8/8/8/1N6/8/R3K2(Rn) b KQ - 1 1"
    );
    assert_eq!(
        castles("4k3/8/8/8/8/1N6/8/R3K2(Rn) w KQ - 1 1"),
        "c1 d1 d2 e2 f1 f2"
    );
    // The crossed square is attacked from below or from a carrier of the attacker's own, but not from a carrier or from
    // an enemy's back.
    for (attacker, castled) in [
        ("r", false),
        ("(nr)", false),
        ("(Nr)", true),
        ("(rb)", true),
        ("(rN)", true),
    ] {
        let fen = format!("3{attacker}k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        assert_eq!(
            castles(&fen.replace("k3/8", "4/7k")).contains("c1"),
            castled,
            "{attacker}"
        );
    }
    // b1 may be attacked, but must be empty.
    assert!(castles("1r5k/8/8/8/8/8/8/R3K3 w Q - 0 1").contains("c1"));
    assert!(!castles("7k/8/8/8/8/8/8/RN2K3 w Q - 0 1").contains("c1"));
    // Going up is a move: a Rook or King that comes back has moved.
    let up = Naive::parse("4k3/8/8/8/8/8/P3P3/R3K2R w KQ - 0 1");
    assert!(up.play("a1a2^").fen().contains(" b K - 1 1"));
    assert!(up.play("e1e2^").fen().contains(" b - - 1 1"));
    // A Rook taken below is gone; if its rider is taken above, the Rook stays.
    let taken = Naive::parse("(nr)3k3/8/8/8/8/8/8/(RN)3K3 b Q - 0 1");
    assert_eq!(
        taken.play("a8a1").fen(),
        "n3k3/8/8/8/8/8/8/(rN)3K3 w - - 0 2"
    );
    assert_eq!(
        taken.play("a8a1^").fen(),
        "n3k3/8/8/8/8/8/8/(Rr)3K3 w Q - 0 2"
    );
    let castled = Naive::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        .play("e1c1")
        .play("e8g8");
    assert_eq!(castled.fen(), "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2");
}

#[test]
fn pawns_on_the_first_level() {
    assert_eq!(
        from(&Naive::parse("4k3/8/8/8/(pn)7/8/P7/4K3 w - - 0 1"), "a2"),
        "a3"
    );
    assert_eq!(
        from(&Naive::parse("4k3/8/8/8/8/(pn)7/P7/4K3 w - - 0 1"), "a2"),
        ""
    );
    let doubled = Naive::parse("4k3/8/8/8/3p4/8/4P3/4K3 w - - 4 1").play("e2e4");
    assert_eq!(doubled.fen(), "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    assert_eq!(
        doubled.play("d4e3").fen(),
        "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2"
    );
    // No en passant right without a pawn that can use it, and none a move later.
    let annexed = Naive::parse("4k3/8/8/8/3(pN)4/8/4P3/4K3 w - - 0 1").play("e2e4");
    assert_eq!(annexed.fen(), "4k3/8/8/8/3(pN)P3/8/8/4K3 b - - 0 1");
    assert_eq!(from(&doubled.play("e8e7").play("e1d1"), "d4"), "d3");
    // Taking in passing would open the file to the Rook.
    let pinned = Naive::parse("4k3/8/8/8/3pP3/8/8/K3R3 b - e3 0 1");
    assert_eq!(pinned.fen(), "4k3/8/8/8/3pP3/8/8/K3R3 b - e3 0 1");
    let exposed = Naive::parse("8/8/8/8/R2pP2k/8/8/K7 b - e3 0 1");
    assert_eq!(exposed.fen(), "8/8/8/8/R2pP2k/8/8/K7 b - - 0 1");
    let ridden_rook = Naive::parse("8/8/8/8/(RN)2pP2k/8/8/K7 b - e3 0 1");
    assert_eq!(from(&ridden_rook, "d4"), "d3 e3");
}

#[test]
fn statuses() {
    let status = |side: &str, pieces: &str| position(side, pieces).status();
    assert_eq!(Naive::parse(START).status(), "ongoing");
    assert_eq!(status("b", "Kb6 Rh8 kb8"), "mate");
    // The King escapes mate by climbing on to a piece of its own, where White's King cannot follow.
    assert_eq!(status("b", "Kb6 Rh8 kb8 na7"), "check");
    assert_eq!(status("b", "Kb6 Rh8 kb8 Na7"), "mate");
    assert_eq!(status("b", "Ka5 Rh8 ka8"), "check");
    assert_eq!(status("b", "Kb6 ka8 Qc7"), "stalemate");
    assert_eq!(status("b", "Kb6 ka8 Qc7 ph3"), "ongoing");
    assert_eq!(status("w", "Ka1 kh8"), "dead");
    assert_eq!(status("w", "Ka1 kh8 nh7"), "ongoing");
    let late = |fen: String| Naive::parse(&fen.replace(" 0 1", " 150 90")).status();
    assert_eq!(late(fen("w", "Ka1 kh8 nh7")), "seventyfive");
    assert_eq!(late(fen("b", "Kb6 Rh8 kb8")), "mate");
    assert_eq!(late(fen("b", "Ka5 Rh8 ka8")), "seventyfive");
    assert_eq!(late(fen("w", "Ka1 kh8")), "dead");
}

#[test]
fn moves_as_a_record_writes_them() {
    let sans = |pieces: &str, coords: &[&str]| -> Vec<String> {
        let position = position("w", pieces);
        coords.iter().map(|coord| position.san(coord)).collect()
    };
    let start = Naive::parse(START);
    assert_eq!(
        ["b1d2^", "e1e2^", "b1c3", "e2e4"].map(|coord| start.san(coord)),
        ["Nd2^", "Ke2^", "Nc3", "e4"]
    );
    let knight = sans(
        &format!("{AROUND} PNc3"),
        &["c3a2", "c3a4^", "c3b5", "c3b5^", "c3e2", "c3e2^"],
    );
    assert_eq!(knight, ["Na2", "Nxa4^", "Nxb5", "Nb5^", "Nxe2", "Nxe2^"]);
    // Only a piece that could arrive on the same level is a rival: a Knight below takes nothing from an enemy's back.
    let rivals = sans("Kh1 kh8 Nc3 PNe3 nbd5", &["c3d5", "e3d5", "e3d5^"]);
    assert_eq!(rivals, ["Ncxd5", "Nexd5", "Nxd5^"]);
    let carriers = sans("Kh1 kh8 Nc3 NBe3 nd5", &["c3d5"]);
    assert_eq!(carriers, ["Nxd5"]);
    let pinned = sans("Kc1 kh8 Nc3 Ne3 rc8 nd5", &["e3d5"]);
    assert_eq!(pinned, ["Nxd5"]);
    let queens = sans("Kh1 kh7 Qa1 Qa3 Qc1", &["a1b2", "a3b2", "c1b2"]);
    assert_eq!(queens, ["Qa1b2", "Q3b2", "Qcb2"]);
    let pawns = sans("Kh1 kh7 Pe7 nrf8 Pa5 nbb6", &["e7e8q", "e7f8n", "a5b6"]);
    assert_eq!(pawns, ["e8=Q", "exf8=N", "axb6"]);
    let castles = Naive::parse("5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert_eq!(
        ["e1g1", "e1c1"].map(|coord| castles.san(coord)),
        ["O-O+", "O-O-O"]
    );
}
