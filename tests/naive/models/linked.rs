//! Every rule of linked play, by cases made by hand.

use super::{rows, strategichess::board};
use overboard_naive::strategichess::linked::{Edition, Flag, Linked};

/// Boards given by side to move and pieces, such as `w Kh3 kh12 Pe4*`.
fn linked(edition: Edition, boards: &[&str]) -> Linked {
    let fens: Vec<String> = boards
        .iter()
        .map(|text| board(&text[..1], &text[1..]))
        .collect();
    Linked::parse(&fens.join(" | "), edition)
}

fn of_2003(boards: &[&str]) -> Linked {
    linked(Edition::Of2003, boards)
}

fn of_2025(boards: &[&str]) -> Linked {
    linked(Edition::Of2025, boards)
}

/// The rest of the plies that begin like this, sorted by bytes: `A.n5` gives the targets of the piece there.
fn from(position: &Linked, start: &str) -> Vec<String> {
    let moves = position.moves().into_iter().map(|(_, _, coord)| coord);
    moves
        .filter_map(|coord| coord.strip_prefix(start).map(str::to_string))
        .filter(|rest| !rest.starts_with(|first: char| first.is_ascii_digit()))
        .collect()
}

/// Those of them that cross an edge.
fn crossings(position: &Linked, start: &str) -> Vec<String> {
    from(position, start)
        .into_iter()
        .filter(|rest| rest.contains('/'))
        .collect()
}

fn coords(position: &Linked) -> Vec<String> {
    position
        .moves()
        .into_iter()
        .map(|(_, _, coord)| coord)
        .collect()
}

/// Side to move, halfmove and fullmove of each board.
fn counters(position: &Linked) -> Vec<String> {
    let fen = position.fen();
    fen.split(" | ")
        .map(|text| {
            let fields: Vec<&str> = text.split(' ').collect();
            format!("{} {} {}", fields[1], fields[3], fields[4])
        })
        .collect()
}

/// The two outer boards of three, whose kings are far from everything.
const OUTER: [&str; 2] = ["w Kh3 kh12", "w Kh3 kh12"];

fn middle(edition: Edition, pieces: &str) -> Linked {
    linked(edition, &[OUTER[0], pieces, OUTER[1]])
}

#[test]
fn counts_from_the_array() {
    for (boards, edition, lines) in [
        (2, Edition::Of2003, [1, 194, 37640]),
        (2, Edition::Of2025, [1, 194, 37636]),
        (3, Edition::Of2003, [1, 291, 84689]),
        (3, Edition::Of2025, [1, 291, 84681]),
    ] {
        let start = Linked::start(boards, edition);
        // In 2003 each edge adds four to the square of the first number: a corner rook steps back, and its neighbour
        // takes its place across the edge although the turn there has passed.
        assert_eq!(
            (0..3).map(|depth| start.perft(depth)).collect::<Vec<_>>(),
            lines
        );
        assert_eq!(start.status(), ("ongoing", ""));
        assert_eq!(Linked::parse(&start.fen(), edition), start);
    }
}

#[test]
fn counts_of_the_positions() {
    for fields in rows(include_str!("../positions/linked.txt")) {
        let edition = if fields[0] == "2003" {
            Edition::Of2003
        } else {
            Edition::Of2025
        };
        let position = Linked::parse(fields[1], edition);
        assert_eq!(position.fen(), fields[1]);
        assert_eq!(position.perft(1).to_string(), fields[2], "{fields:?}");
        assert!(
            fields[3] == "-" || position.perft(2).to_string() == fields[3],
            "{fields:?}"
        );
    }
}

#[test]
fn boards_have_letters_as_in_spreadsheets() {
    let many = vec!["w"; 30];
    let mut boards = vec!["w Kh3", "w kh12"];
    boards.extend(many);
    boards.extend(["w Re5"]);
    let position = of_2003(&boards);
    let letters = |coord: &str| {
        position
            .moves()
            .into_iter()
            .any(|(a, _, c)| c == coord && coord.starts_with(&a))
    };
    assert!(letters("A.h3h4"));
    assert_eq!(position.board_of("Z"), 25);
    assert_eq!(position.board_of("AA"), 26);
    assert_eq!(position.board_of("AG"), 32);
    assert_eq!(crossings(&position, "AG.e5"), ["n5/AF"]);
}

#[test]
fn lines_cross_an_edge_and_stop() {
    for edition in [Edition::Of2003, Edition::Of2025] {
        let rook = middle(edition, "w Re5");
        assert_eq!(crossings(&rook, "B.e5"), ["a5/C", "n5/A"]);
        let bishop = middle(edition, "w Bh6");
        assert_eq!(crossings(&bishop, "B.h6"), ["a13/C", "n14/A"]);
        let queen = middle(edition, "w Qh6");
        assert_eq!(
            crossings(&queen, "B.h6"),
            ["a13/C", "a6/C", "n14/A", "n6/A"]
        );
        let edge = middle(edition, "w Qn5");
        assert_eq!(crossings(&edge, "B.n5"), ["a4/C", "a5/C", "a6/C", "n5/A"]);
        // The outer boards have only one neighbour.
        let outer = linked(edition, &["w Kh3 Qc6", "w kh12 Qc6"]);
        assert_eq!(crossings(&outer, "A.c6"), ["a6/B"]);
        assert_eq!(crossings(&outer, "B.c6"), ["n3/A", "n6/A", "n9/A"]);
    }
}

#[test]
fn lines_are_blocked_on_their_own_board_and_on_arrival() {
    let edition = Edition::Of2003;
    assert_eq!(
        crossings(&middle(edition, "w Re5 Pk5 pa5"), "B.e5"),
        [""; 0]
    );
    // A capture on arrival, with the next square out of reach; a piece of one's own on arrival is in the way.
    let arrivals = of_2003(&["w Kh3 kh12 Pn5", "w Re5", "w pa5 pb5"]);
    assert_eq!(crossings(&arrivals, "B.e5"), ["a5/C"]);
    let next = arrivals.play("B.e5a5/C");
    assert_eq!(
        next.fen(),
        of_2003(&["w Kh3 kh12 Pn5", "b", "w Ra5 pb5"]).fen()
    );
    let own_board = of_2003(&["w Kh3 kh12", "w Re5 pa5", "w"]);
    assert_eq!(crossings(&own_board, "B.e5"), ["a5/C"]);
}

#[test]
fn knights_cross_from_the_edge_file_only() {
    for edition in [Edition::Of2003, Edition::Of2025] {
        assert_eq!(
            crossings(&middle(edition, "w Nn5"), "B.n5"),
            ["a3/C", "a7/C", "b4/C", "b6/C"]
        );
        assert_eq!(
            crossings(&middle(edition, "w Na5"), "B.a5"),
            ["m4/A", "m6/A", "n3/A", "n7/A"]
        );
        assert_eq!(crossings(&middle(edition, "w Nm5 Nb5"), "B."), [""; 0]);
        assert_eq!(
            crossings(&middle(edition, "w Nn1"), "B.n1"),
            ["a3/C", "b2/C"]
        );
        // A knight attacks as it moves: two files in from the edge file, but nothing from the file before it.
        let attacked = |knight: &str| {
            linked(edition, &[&format!("b Kh3 {knight}"), "b kb5"]).king_attacked('b', "B")
        };
        assert!(attacked("Nn4") && attacked("Nn6"));
        assert!(!attacked("Nn3") && !attacked("Nm5") && !attacked("Nm4"));
    }
}

#[test]
fn pawns_cross_sideways_on_roads_and_by_captures() {
    for edition in [Edition::Of2003, Edition::Of2025] {
        for rank in [1, 2, 7, 8, 13, 14] {
            let pawns = middle(edition, &format!("w Pa{rank} Pn{rank}"));
            assert_eq!(
                crossings(&pawns, &format!("B.a{rank}")),
                [format!("n{rank}/A")]
            );
            assert_eq!(
                crossings(&pawns, &format!("B.n{rank}")),
                [format!("a{rank}/C")]
            );
        }
        assert_eq!(
            crossings(&middle(edition, "w Pa3 Pn4* Pn9 Pm7 Pb7"), "B."),
            [""; 0]
        );
        let around = ["w Kh3 kh12 pn8 pn7 pn6", "w Pa7 Pn7", "w pa8 pa7 pa6"];
        let captures = linked(edition, &around);
        assert_eq!(crossings(&captures, "B.a7"), ["n8/A"]);
        assert_eq!(crossings(&captures, "B.n7"), ["a8/C"]);
        // Black's pawns move the other way; no piece takes one of its own side.
        let black = linked(
            edition,
            &["b Kh3 kh12 Pn8 Pn6 Pn7", "b pa7 pn7", "b Pa8 Pa6 pa7"],
        );
        assert_eq!(crossings(&black, "B.a7"), ["n6/A"]);
        assert_eq!(crossings(&black, "B.n7"), ["a6/C"]);
        // The capture needs no road, and the pawn counts as moved, even on a starting rank of its team (SC-23).
        let taken = linked(edition, &["w Kh3 kh12 Pn3 Pn4*", "w pa4 Pc4*"]).play("A.n3a4/B");
        let after = match edition {
            Edition::Of2003 => ["b Kh3 kh12 Pn4*", "w Pa4 Pc4*"],
            Edition::Of2025 => ["b Kh3 kh12 Pn4*", "b Pa4 Pc4*"],
        };
        assert_eq!(taken.fen(), linked(edition, &after).fen());
        // An unmoved pawn that is captured no longer counts as unmoved.
        let gone = linked(edition, &["b Kh3 kh12", "b Pa4* bc6 rb4", "b"]).play("B.b4a4");
        assert!(!gone.fen().contains('A'));
        let gone = linked(edition, &["b Kh3 kh12 rj4", "b Pa4* Ph4*", "b"]).play("A.j4a4/B");
        assert!(gone.fen().contains(" H "));
    }
}

#[test]
fn kings_never_cross() {
    for edition in [Edition::Of2003, Edition::Of2025] {
        let kings = linked(edition, &["w Kn5", "w ka5 Pn1"]);
        assert_eq!(from(&kings, "A.n5"), ["m4", "m5", "m6", "n4", "n6"]);
        assert!(!kings.king_attacked('b', "B") && !kings.king_attacked('w', "A"));
        // Nor does a king capture across the edge; the pawn on a5 attacks n4.
        let beside = linked(edition, &["w Kn5 kh14", "w Rd6 pa5 pa6"]);
        assert_eq!(from(&beside, "A.n5"), ["m4", "m5", "m6", "n6"]);
    }
}

#[test]
fn attacks_reach_one_square_over_an_edge() {
    let attacked = |pieces: &str, king: &str| {
        of_2003(&[&format!("w Kh1 {pieces}"), &format!("w {king}")]).king_attacked('b', "B")
    };
    assert!(attacked("Rc5", "ka5"));
    assert!(!attacked("Rc5", "kb5"));
    assert!(!attacked("Rc5 Pk5", "ka5"));
    assert!(attacked("Bk2", "ka6") && !attacked("Bk2", "kb7"));
    assert!(attacked("Qk2", "ka6") && attacked("Qk6", "ka6") && attacked("Qk10", "ka6"));
    assert!(attacked("Pn5", "ka6") && !attacked("Pn6", "ka6") && !attacked("Pn7", "ka6"));
    // Nothing reaches across two edges.
    let far = of_2003(&["w Kh1 Rc5", "w", "w ka5"]);
    assert!(!far.king_attacked('b', "C"));
}

#[test]
fn a_crossing_of_2003_leaves_the_other_turn_alone() {
    let before = of_2003(&["w Kh3 kh12 Rn5", "b pe5"]);
    let after = before.play("A.n5a5/B");
    assert_eq!(
        after.fen(),
        of_2003(&["b Kh3 kh12", "b pe5 Ra5"])
            .fen()
            .replacen(" 0 1", " 1 1", 1)
    );
    // The piece now belongs to the player there, who may send it back in turn.
    let back = after.play("B.e5e4").play("B.a5n5/A");
    assert_eq!(counters(&back), ["b 1 1", "b 2 2"]);
    assert!(coords(&back).contains(&"A.h12h11".to_string()));
    assert!(!coords(&back).iter().any(|coord| coord.starts_with("A.n5")));
}

#[test]
fn kings_may_be_captured_while_another_is_left() {
    // SC-24: attacked kings may stay, move into attack, and be taken.
    let two = of_2003(&["w Kh3 re3", "w Kh3 kh12"]);
    assert!(two.king_attacked('w', "A"));
    assert!(
        coords(&two).contains(&"A.h3g3".to_string())
            && coords(&two).contains(&"B.h3h4".to_string())
    );
    assert_eq!(two.kings('w'), 2);
    let taken = two.play("A.h3g3").play("A.e3g3");
    assert_eq!((taken.kings('w'), taken.kings('b')), (1, 1));
    assert_eq!(taken.status(), ("ongoing", ""));
    // Play goes on there: the player has nothing left, and passes.
    assert_eq!(from(&taken, "A."), ["--"]);
    // Also across an edge, and by a king.
    let edge = of_2003(&["b re3", "w Ka3 kb4", "w Kh3"]);
    assert!(coords(&edge).contains(&"A.e3a3/B".to_string()));
    let by_king = of_2003(&["b re3", "b Ka3 kb4", "w Kh3"]);
    assert_eq!(by_king.play("B.b4a3").kings('w'), 1);
    // Kings on one board may come next to each other while both teams have others.
    let near = of_2003(&["w Kh3 kh5", "w Kh3 kh12"]);
    assert!(coords(&near).contains(&"A.h3h4".to_string()));
    // A last king may not, whatever the state of the other team's kings.
    let last = of_2003(&["w Kh3 kh5", "w kh12"]);
    assert_eq!(from(&last, "A.h3"), ["g2", "g3", "h2", "i2", "i3"]);
}

#[test]
fn a_last_king_is_not_left_attacked_on_its_board() {
    // SC-25 (a).
    let last = of_2003(&["w Kh3 re3 Nc5 Rf9", "w kh12 Ra1"]);
    assert_eq!(
        from(&last, "A."),
        ["f9f3", "h3g2", "h3g4", "h3h2", "h3h4", "h3i2", "h3i4"]
    );
    // On the other board any move is legal: the attack was there before.
    assert!(coords(&last).contains(&"B.a1a2".to_string()));
    // A crossing from the king's board does not uncover it.
    let pinned = of_2003(&["w Kn3 Rn5 rn9", "w kh12"]);
    assert_eq!(crossings(&pinned, "A.n5"), [""; 0]);
    // Attacks across the edge count, but reach the edge file only.
    let over = of_2003(&["w rc3", "w Ka3 kh12 Pm4"]);
    assert_eq!(from(&over, "B."), ["a3a2", "a3a4", "a3b2", "a3b3", "a3b4"]);
    // A crossing may capture the attacker across the edge.
    let takes = of_2003(&["b rn3", "w Ka3 Na5 kh12"]);
    assert_eq!(crossings(&takes, "B."), ["a5n3/A"]);
}

#[test]
fn a_last_king_is_not_exposed_from_another_board() {
    // SC-25 (b): the knight shields the king across the edge; the rook may move along the line.
    let shield = of_2003(&["w rc5 Nk5", "b Ka5 kh12"]);
    assert_eq!(from(&shield, "A."), ["--"]);
    let shield = of_2003(&["w rc5 Rk5", "b Ka5 kh12"]);
    let along = [
        "k5c5", "k5d5", "k5e5", "k5f5", "k5g5", "k5h5", "k5i5", "k5j5", "k5l5", "k5m5", "k5n5",
    ];
    assert_eq!(from(&shield, "A."), along);
    // A king attacked before by another piece may be exposed further.
    let twice = of_2003(&["w rc5 Nk5", "b Ka5 kh12 ra9"]);
    assert_eq!(from(&twice, "A.k5").len(), 8);
    // With a second king the rule does not apply.
    let two = of_2003(&["w rc5 Nk5", "b Ka5 kh12", "w Kh3"]);
    assert_eq!(from(&two, "A.k5").len(), 8);
    // A piece that leaves the king's own board moves on that board, whichever board it arrives on.
    let edge = of_2003(&["w Kn9 kh12", "w Ra9 re9"]);
    assert_eq!(from(&edge, "B."), ["a9b9", "a9c9", "a9d9", "a9e9"]);
}

#[test]
fn a_last_king_is_never_captured() {
    // SC-25 (c), SC-31 (c).
    let last = of_2003(&["w Kh3 Re12 kh12", "w Kh3"]);
    assert!(!coords(&last).contains(&"A.e12h12".to_string()));
    assert!(last.king_attacked('b', "A"));
    assert_eq!(last.status(), ("ongoing", ""));
    let two = of_2003(&["w Kh3 Re12 kh12", "w Kh3 kh12"]);
    assert!(coords(&two).contains(&"A.e12h12".to_string()));
    // The rules apply from the next ply on: the capture of the other king leaves this one attacked, and it must be
    // moved now.
    let bound = of_2003(&["b kh12 Re12 pc9", "w kh5 Rh3 Kc1"]);
    assert!(coords(&bound).contains(&"A.c9c8".to_string()));
    let bound = bound.play("B.h3h5");
    let escapes = ["h12g11", "h12g13", "h12h11", "h12h13", "h12i11", "h12i13"];
    assert_eq!(from(&bound, "A."), escapes);
}

#[test]
fn mate_is_judged_on_the_kings_board() {
    // SC-26: White's rook on board B could take the attacker, but too late.
    let mated = of_2003(&["w Ka1 rn1 rn2", "w Ra1 kh12"]);
    assert_eq!(mated.status(), ("mate", "b"));
    assert_eq!(mated.moves(), []);
    assert_eq!(
        (
            mated.perft(1),
            mated.kings('w'),
            mated.score('w'),
            mated.score('b')
        ),
        (0, 1, 0, 1)
    );
    // While Black is to move on board A there is no mate, and the rook may help.
    let not_yet = of_2003(&["b Ka1 rn1 rn2 pe9", "w Ra1 kh12"]);
    assert_eq!(not_yet.status(), ("ongoing", ""));
    assert_eq!(crossings(&not_yet, "B."), ["a1n1/A"]);
    // A piece on the king's own board may capture across the edge.
    let helped = of_2003(&["w Kn1 rh2 rm9 Nn3", "w ra1 kh12"]);
    assert_eq!(helped.status(), ("ongoing", ""));
    assert_eq!(from(&helped, "A."), ["n3a1/B"]);
    // A king that is not the last cannot be mated, only captured.
    let other = of_2003(&["w Ka1 ri1 ri2", "w Kh3 kh12"]);
    assert_eq!(other.status(), ("ongoing", ""));
    assert_eq!(from(&other, "A.a1"), ["a2", "b1", "b2"]);
    // A ply on another board may mate: it opens a line while White is to move here.
    let opens = of_2003(&["b re1 nk1 re2", "w Ka1 rb9 kh12"]);
    assert_eq!(from(&opens, "B."), ["--"]);
    assert!(!opens.king_attacked('w', "B"));
    assert_eq!(opens.play("A.k1l3").status(), ("mate", "b"));
    assert_eq!(opens.san("A.k1l3"), "Nl3#");
    // So may the capture of the other king (SC-25: the rules apply from the next ply on).
    let bound = of_2003(&["b Kn9 rn5", "w Ka1 rb9 rh1 kh12"]);
    assert_eq!(bound.status(), ("ongoing", ""));
    assert_eq!(bound.play("A.n5n9").status(), ("ongoing", ""));
    let bound = of_2003(&["b Kn9 rn5 rc2", "w Ka1 rb9 rh1 kh12"]);
    assert_eq!(bound.play("A.n5n9").status(), ("mate", "b"));
}

#[test]
fn the_ply_that_mates_both_teams_wins_for_its_maker() {
    // White's last king has one escape, n2. A rook that goes there shuts it and mates Black's last king.
    let boards = ["w Kn1 ra1 nk3", "w Ra1 Ra2 Rb1 ka14"];
    let both = of_2003(&boards);
    assert_eq!(from(&both, "A."), ["n1n2"]);
    let after = both.play("B.a2n2/A");
    assert_eq!(after.status(), ("mate", "w"));
    assert_eq!((after.score('w'), after.score('b')), (0, 0));
    assert_eq!(both.san("B.a2n2/A"), "Rn2/A#");
    // Without the other mate the same ply loses, and is legal: SC-25 (b) concerns kings that were not attacked before.
    let own = of_2003(&["w Kn1 ra1 nk3", "w Ra2 Rb1 kh14"]);
    assert_eq!(own.play("B.a2n2/A").status(), ("mate", "b"));
    assert_eq!(own.san("B.a2n2/A"), "Rn2/A#");
}

#[test]
fn a_player_without_a_move_passes() {
    let passing = of_2003(&["w kh12 pe5", "w Kh3"]);
    assert_eq!(from(&passing, "A."), ["--"]);
    assert_eq!(
        passing.moves()[0],
        ("A".to_string(), 'w', "A.--".to_string())
    );
    assert_eq!(passing.san("A.--"), "--");
    let next = passing.play("A.--");
    assert_eq!(counters(&next), ["b 1 1", "w 0 1"]);
    assert!(!coords(&next).contains(&"A.--".to_string()));
    // A player who has a move does not pass, and nobody passes on a closed board.
    assert!(
        !coords(&Linked::start(2, Edition::Of2003))
            .iter()
            .any(|coord| coord.ends_with("--"))
    );
    let empty = of_2003(&["w", "w Kh3 kh12"]);
    assert!(empty.closed("A") && !empty.closed("B"));
    assert_eq!(from(&empty, "A."), [""; 0]);
    // An arrival opens the board again; the side without a move there then passes.
    let arrival = of_2003(&["b", "w Kh3 kh12 Ra5"]).play("B.a5n5/A");
    assert!(!arrival.closed("A"));
    assert_eq!(from(&arrival, "A."), ["--"]);
    assert!(from(&arrival.play("A.--"), "A.n5").len() > 10);
}

/// A board without empty squares on which nothing can be captured.
fn full(kings: [bool; 2]) -> String {
    let row = |pawn: &str| pawn.repeat(14);
    let with_king = |pawn: &str, king: &str| format!("{}{king}{}", pawn.repeat(7), pawn.repeat(6));
    let white = if kings[0] {
        with_king("P", "K")
    } else {
        row("P")
    };
    let black = if kings[1] {
        with_king("p", "k")
    } else {
        row("p")
    };
    let mut ranks = vec![white];
    ranks.extend(vec![row("P"); 6]);
    ranks.extend(vec![row("p"); 6]);
    ranks.push(black);
    format!("{} w - 7 9", ranks.join("/"))
}

#[test]
fn when_all_boards_are_closed_kings_are_counted() {
    for edition in [Edition::Of2003, Edition::Of2025] {
        let closed = |boards: &[[bool; 2]]| {
            let fens: Vec<String> = boards.iter().map(|&kings| full(kings)).collect();
            Linked::parse(&fens.join(" | "), edition)
        };
        let even = closed(&[[true, true], [true, true]]);
        assert!(even.closed("A") && even.closed("B"));
        assert_eq!(even.status(), ("kingscounted", "draw"));
        assert_eq!((even.moves(), even.perft(2)), (vec![], 0));
        assert_eq!(
            closed(&[[true, true], [false, true]]).status(),
            ("kingscounted", "b")
        );
        assert_eq!(
            closed(&[[true, false], [true, true]]).status(),
            ("kingscounted", "w")
        );
    }
}

#[test]
fn a_change_next_door_opens_a_closed_board() {
    let beside = |pieces: &str, edition| {
        Linked::parse(
            &format!(
                "{} | {}",
                full([true, true]),
                board(&pieces[..1], &pieces[1..])
            ),
            edition,
        )
    };
    for edition in [Edition::Of2003, Edition::Of2025] {
        // SC-32: a rook comes within reach of a pawn.
        let closed = beside("b Kh3 kh12 rb10 Pa8 Pa13 Pa14 pa7 pa2 pa1", edition);
        assert!(closed.closed("A"));
        let open = closed.play("B.b10a10");
        assert!(!open.closed("A"));
        assert_eq!(from(&open, "A."), ["n9a10/B"]);
    }
    // So does an arrival.
    let open = beside("b Kh3 kh12 ra10", Edition::Of2003).play("B.a10n10/A");
    assert!(!open.closed("A"));
    assert_eq!(counters(&open), ["w 0 9", "w 0 2"]);
    // 2025: if all moves are crossings, it matters whose turn it is on the next board.
    assert_eq!(
        from(&beside("w Kh3 kh12", Edition::Of2025), "A."),
        ["n13a13/B", "n14a14/B", "n8a8/B"]
    );
    assert_eq!(from(&beside("b Kh3 kh12", Edition::Of2025), "A."), ["--"]);
    let closed = beside("b Kh3 kh12 pa1 pa2 pa7", Edition::Of2025);
    assert!(closed.closed("A"));
    assert_eq!(
        from(&closed.play("B.h12h11"), "A."),
        ["n13a13/B", "n14a14/B", "n8a8/B"]
    );
    assert!(!beside("b Kh3 kh12 pa1 pa2 pa7", Edition::Of2003).closed("A"));
}

#[test]
fn a_board_with_an_attacked_last_king_is_never_closed() {
    // White's king is attacked across the edge and could not escape; Black, to move there, has no move and passes.
    for edition in [Edition::Of2003, Edition::Of2025] {
        let waiting = linked(edition, &["w rn1 rc2", "b Ka1 Pb1 Pb2", "w kh12"]);
        assert!(!waiting.closed("B"));
        assert_eq!(waiting.status(), ("ongoing", ""));
        assert_eq!(from(&waiting, "B."), ["--"]);
        assert_eq!(waiting.play("B.--").status(), ("mate", "b"));
        assert_eq!(waiting.san("B.--"), "--");
    }
    // SC-32 applies to a last king: with another one the board is closed.
    let other = of_2025(&["w rn1 rc2", "b Ka1 Pb1 Pb2", "w kh12 Kh3"]);
    assert!(other.closed("B"));
    assert_eq!(from(&other, "B."), [""; 0]);
}

#[test]
fn counters_of_linked_boards() {
    let at = |a: u32, b: u32, c: u32| {
        let fens = [("w Kh3 kh12 Re5", a), ("w Kh3 ra5 Pe5", b), ("w", c)];
        let fens = fens.map(|(text, count)| {
            board(&text[..1], &text[1..]).replace(" 0 1", &format!(" {count} 80"))
        });
        Linked::parse(&fens.join(" | "), Edition::Of2003)
    };
    // A ply counts on the board from which it is made; a capture on any board, or across an edge, resets all counters.
    assert_eq!(
        counters(&at(3, 4, 5).play("A.e5e6")),
        ["b 4 80", "w 4 80", "w 5 80"]
    );
    assert_eq!(
        counters(&at(3, 4, 5).play("A.e5e6").play("A.h12h11")),
        ["w 5 81", "w 4 80", "w 5 80"]
    );
    assert_eq!(
        counters(&at(3, 4, 5).play("A.e5a5/B")),
        ["b 0 80", "w 0 80", "w 0 80"]
    );
    // SC-28: every open board counts; the empty one is closed and does not.
    assert!(!at(99, 100, 0).may_count_kings() && at(100, 100, 0).may_count_kings());
    assert!(!at(100, 99, 100).may_count_kings());
    assert_eq!(at(149, 150, 0).status(), ("ongoing", ""));
    assert_eq!(at(150, 150, 0).status(), ("kingscounted", "w"));
    assert_eq!(
        at(149, 150, 0).play("A.e5e6").status(),
        ("kingscounted", "w")
    );
    assert!(!at(150, 150, 0).may_count_kings());
    // GEN-6: perft continues.
    assert!(at(150, 150, 0).perft(1) > 0);
    // An attacked king counts, too.
    let black = of_2003(&["w Kh3 Re5", "w Kh3 kh12 Re9", "w ka9 rb3"])
        .fen()
        .replace(" 0 1", " 150 80");
    assert_eq!(
        Linked::parse(&black, Edition::Of2003).status(),
        ("kingscounted", "draw")
    );
    // SC-33: mate comes first.
    let mated = of_2003(&["w Ka1 ri1 ri2", "w kh12"])
        .fen()
        .replace(" 0 1", " 150 80");
    assert_eq!(
        Linked::parse(&mated, Edition::Of2003).status(),
        ("mate", "b")
    );
    // SC-34: in 2025 a ply that uses the turns of two boards counts on both.
    let crossing = of_2025(&["b Kh3 kh12 rn5", "b Kh3"]);
    assert_eq!(counters(&crossing.play("A.n5a5/B")), ["w 1 2", "w 1 2"]);
}

#[test]
fn a_crossing_of_2025_uses_up_both_turns() {
    // SC-60.
    let both = of_2025(&["w Kh3 kh12 Rn5", "w Kh3 kh12"]);
    let after = both.play("A.n5a5/B");
    assert_eq!(counters(&after), ["b 1 1", "b 1 1"]);
    let not_now = of_2025(&["w Kh3 kh12 Rn5", "b Kh3 kh12"]);
    assert_eq!(crossings(&not_now, "A."), [""; 0]);
    let blacks = of_2025(&["b Kh3 kh12 rn5", "w Kh3 kh12"]);
    assert_eq!(crossings(&blacks, "A."), [""; 0]);
    // The crossing still gives check (SC-67).
    let check = of_2025(&["w Kh3 kh12 Rc5", "b Kh3 ka5"]);
    assert!(check.king_attacked('b', "B"));
}

#[test]
fn nobody_crosses_to_a_king_in_check_in_2025() {
    // SC-61, not even to take the attacker; SC-67: only the receiving player's own king matters.
    let check = of_2025(&["w Kh3 kh12 Rc5", "w Kc3 ra3"]);
    assert_eq!(crossings(&check, "A."), [""; 0]);
    let takes = of_2025(&["w Kh3 kh12 Rc3", "w Kc3 ra3"]);
    assert_eq!(crossings(&takes, "A."), [""; 0]);
    let no_king = of_2025(&["w Kh3 kh12 Re3", "w ra3"]);
    assert_eq!(crossings(&no_king, "A."), [""; 0]);
    let no_king = of_2025(&["w Kh4 kh12 Re3", "w ra3"]);
    assert_eq!(crossings(&no_king, "A."), ["e3a3/B"]);
    let theirs = of_2025(&["w Kh4 Rc3", "w Kh3 ka9 Ra1"]);
    assert_eq!(crossings(&theirs, "A."), ["c3a3/B"]);
    // From a board whose king is in check, a crossing is legal if it saves the king.
    let saves = of_2025(&["w Kn3 Nn5", "w ra3 kh12"]);
    assert_eq!(crossings(&saves, "A."), ["n5a3/B"]);
}

#[test]
fn every_king_of_2025_is_protected() {
    // SC-62 on the king's own board, even with other kings left.
    let own = of_2025(&["w Kh3 re3 Nc5", "w Kh3 kh12"]);
    assert_eq!(
        from(&own, "A."),
        ["h3g2", "h3g4", "h3h2", "h3h4", "h3i2", "h3i4"]
    );
    // A team-mate may not expose it across an edge, either by a move or by a crossing to a third board.
    let shield = of_2025(&["w rc5 Nk5 Kh9", "b Ka5 kh12"]);
    assert_eq!(from(&shield, "A.k5"), [""; 0]);
    let shield = of_2025(&["w Kn5", "w Kh9 Ra5 re5 kh12"]);
    assert_eq!(from(&shield, "B.a5"), ["b5", "c5", "d5", "e5"]);
    let shield = of_2025(&["w Kn5", "w Kh9 Na5 re5 kh12", "w"]);
    assert_eq!(from(&shield, "B.a5"), [""; 0]);
    // A king in check may be left in check by a move elsewhere, and even be exposed further.
    let elsewhere = of_2025(&["w rc5 Nk5 Kh9", "b Ka5 kh12 ra9"]);
    assert_eq!(from(&elsewhere, "A.k5").len(), 8);
    // Kings are never captured, whoever is to move.
    let attacked = of_2025(&["w Kh3 Re12 kh12", "w Kh3 kh12"]);
    assert!(attacked.king_attacked('b', "A"));
    assert!(!coords(&attacked).contains(&"A.e12h12".to_string()));
}

#[test]
fn a_mated_king_of_2025_is_taken_off() {
    // SC-63: the king is removed at once; its player is to move there.
    let mating = of_2025(&["b Ka1 ri2 rk9 Pe5", "w Kh3 kh12"]);
    let mated = mating.play("A.k9k1");
    assert_eq!(
        mated.fen(),
        of_2025(&["w ri2 rk1 Pe5", "w Kh3 kh12"])
            .fen()
            .replacen(" 0 1", " 0 2", 1)
    );
    assert_eq!(mated.status(), ("ongoing", ""));
    assert_eq!(mating.san("A.k9k1"), "Rk1#");
    assert_eq!(mating.san("A.k9k2"), "Rkk2");
    assert_eq!(mating.san("A.i2i1"), "Ri1+");
    assert_eq!(from(&mated, "A."), ["e5e4", "e5e6"]);
    // SC-64: mate of the last king wins.
    let last = of_2025(&["b Ka1 ri2 rk9 Pe5", "w kh12"]).play("A.k9k1");
    assert_eq!(
        (last.status(), last.kings('w'), last.score('w')),
        (("mate", "b"), 1, 0)
    );
    // The counters are reset on every board.
    let counted =
        Linked::parse(&mating.fen().replace(" 0 1", " 40 50"), Edition::Of2025).play("A.k9k1");
    assert_eq!(counters(&counted), ["w 0 51", "w 0 50"]);
    // A team-mate who could take the attacker does not count (SC-63); a piece on the king's own board does.
    let mate = of_2025(&["b Ka1 ri2 rn9 Pe5", "w Kh3 kh12 Ra1"]);
    assert_eq!(mate.play("A.n9n1").kings('w'), 1);
    let no_mate = of_2025(&["b Ka1 ri2 rn9 Nm3", "w Kh3 kh12"]);
    assert_eq!(no_mate.play("A.n9n1").kings('w'), 2);
}

#[test]
fn a_team_mates_ply_may_remove_the_only_escape() {
    // Only the knight's capture across the edge saves White's king on A, and it needs the turn on B (SC-60): a
    // team-mate's ply on B uses that up, and the king is removed at once (SC-66).
    let saved = of_2025(&["w Kn3 Nn5 Pm2 Pm3 Pm4 Rn2 Pn4", "w ra3 kh12 Kj9"]);
    assert_eq!(from(&saved, "A."), ["n5a3/B"]);
    let lost = saved.play("B.j9j10");
    assert_eq!(lost.kings('w'), 1);
    assert_eq!(saved.san("B.j9j10"), "Kj10#");
    assert_eq!(counters(&lost), ["w 0 1", "b 0 1"]);
}

#[test]
fn mated_kings_are_taken_off_in_order() {
    // SC-66: one crossing passes the turn on two boards and mates both kings.
    let corner = "Ka1 rh1 ri2";
    let boards = [
        format!("b {corner} nn10"),
        format!("b {corner}"),
        "w kh12".to_string(),
        "w Kh3".to_string(),
    ];
    let texts: Vec<&str> = boards.iter().map(String::as_str).collect();
    let both = of_2025(&texts).play("A.n10a12/B");
    assert_eq!(both.status(), ("ongoing", ""));
    assert_eq!(both.kings('w'), 1);
    assert!(!both.fen().split(" | ").take(2).any(|fen| fen.contains('K')));
    // Without the fourth board the second king is the last: it stays, and the game ends.
    let ends = of_2025(&texts[..3]).play("A.n10a12/B");
    assert_eq!(ends.status(), ("mate", "b"));
    assert_eq!((ends.kings('w'), ends.score('w')), (1, 0));
    assert!(
        ends.fen()
            .split(" | ")
            .nth(1)
            .is_some_and(|fen| fen.contains('K'))
    );
    assert_eq!(ends.moves(), []);
}

#[test]
fn the_movers_opponents_lose_their_kings_first() {
    // SC-66: White's ply on B mates Black's king there and takes the last escape from White's own king on A.
    let a = "w Kn3 Nn5 Pm2 Pm3 Pm4 Rn2 Pn4";
    let both = of_2025(&[a, "w ra3 Kj9 kh14 Rm13 Rb12", "w kh12"]);
    assert_eq!(from(&both, "A."), ["n5a3/B"]);
    let after = both.play("B.b12b14");
    assert_eq!(
        (after.kings('w'), after.kings('b'), after.status().0),
        (1, 1, "ongoing")
    );
    // If Black's king was the last, the game ends there, and White's stays on the board.
    let ends = of_2025(&[a, "w ra3 Kj9 kh14 Rm13 Rb12"]).play("B.b12b14");
    assert_eq!((ends.kings('w'), ends.status()), (2, ("mate", "w")));
}

#[test]
fn everything_is_judged_anew_after_each_king() {
    // The rook mates the king on B across the edge as long as the king on A is in check, since nobody may cross to A
    // (SC-61). The king on A is removed first, and then the knight may take the rook.
    let both = of_2025(&["b Ka1 rh1 ri2 rn9", "w Ka3 Na5 Pb2 Pb3 Pb4 Ra2 Pa4 kh12"]);
    let after = both.play("A.n9n3");
    assert_eq!((after.kings('w'), after.status()), (1, ("ongoing", "")));
    assert_eq!(from(&after, "B."), ["a5n3/A"]);
}

#[test]
fn a_lost_king_is_missing() {
    let play = of_2003(&["b Kh3 kh12 Re5", "w Kh3"]);
    let late = Linked::parse(&play.fen().replace(" 0 1", " 30 40"), Edition::Of2003);
    let without = late.without_king('w', "A").unwrap();
    assert_eq!(counters(&without), ["b 0 40", "w 0 40"]);
    assert_eq!((without.kings('w'), without.status()), (1, ("ongoing", "")));
    assert_eq!(late.without_king('b', "A"), None);
    assert_eq!(late.without_king('b', "B"), None);
}

#[test]
fn a_fallen_flag_takes_the_king() {
    // SC-35.
    let play = of_2003(&["b Kh3 kh12 Re5", "w Kh3 kh12"]);
    let counted = Linked::parse(&play.fen().replace(" 0 1", " 30 40"), Edition::Of2003);
    let fallen = counted.fall('w', "A", Flag::King);
    assert_eq!(counters(&fallen), ["b 0 40", "w 0 40"]);
    assert_eq!((fallen.kings('w'), fallen.status()), (1, ("ongoing", "")));
    let next = fallen.play("A.h12h11");
    assert_eq!(from(&next, "A."), ["--"]);
    let next = next.play("A.--");
    assert!(from(&next, "A.").len() > 1);
    // The flag of the last king loses; the option ends play and counts.
    assert_eq!(fallen.fall('w', "B", Flag::King).status(), ("flag", "b"));
    assert_eq!(fallen.fall('w', "B", Flag::King).moves(), []);
    assert_eq!(
        counted.fall('w', "A", Flag::End).status(),
        ("kingscounted", "b")
    );
    assert_eq!(
        fallen.fall('b', "A", Flag::End).status(),
        ("kingscounted", "draw")
    );
    assert_eq!(fallen.fall('b', "A", Flag::End).moves(), []);
    // The king has already gone: nothing more is removed, no counter changes, and the player passes.
    let gone = of_2003(&["w kh12 Re5", "w Kh3 kh12"]);
    let gone = Linked::parse(&gone.fen().replace(" 0 1", " 30 40"), Edition::Of2003).fall(
        'w',
        "A",
        Flag::King,
    );
    assert_eq!(counters(&gone), ["w 30 40", "w 30 40"]);
    assert_eq!(from(&gone, "A."), ["--"]);
    // If both players' flags have fallen, their board is closed.
    let both = play.fall('w', "A", Flag::King).fall('b', "A", Flag::King);
    assert!(both.closed("A"));
    assert_eq!(from(&both, "A."), [""; 0]);
    // Judged anew: the removed king had shielded the other, which is now the last and mated.
    let shield = ["b rc1 Kn1 rc2", "w Ka1 Pb1 Pb2 kh12", "w Kh3"];
    let last = of_2003(&shield[..2]);
    assert_eq!(last.status(), ("ongoing", ""));
    assert_eq!(last.fall('w', "A", Flag::King).status(), ("mate", "b"));
    // 2025: judged as after a ply of the other team.
    assert_eq!(of_2025(&shield).fall('w', "A", Flag::King).kings('w'), 1);
}

#[test]
fn moves_as_a_record_writes_them() {
    let position = of_2003(&["w Kh3 Nn4 Rj5 Rn8 Pn7 kh12", "w pa5 pa8 Pb7"]);
    assert_eq!(position.san("A.n4b5/B"), "Nb5/B");
    assert_eq!(position.san("A.j5a5/B"), "Rxa5/B");
    assert_eq!(position.san("A.n7a8/B"), "nxa8/B");
    assert_eq!(position.san("A.n8a8/B"), "Rxa8/B");
    assert_eq!(position.san("A.n7a7/B"), "a7/B");
    assert_eq!(position.san("B.b7a7"), "a7");
    assert_eq!(position.san("B.b7a8"), "bxa8");
    assert_eq!(position.san("A.j5n5"), "Rn5");
    assert_eq!(position.san("A.j5j8"), "Rjj8");
    assert_eq!(position.san("A.j5j12"), "Rj12+");
    // 2003: an attack on a king that is not the last has no suffix; 2025: it is check.
    let two = ["w Kh3 Rj5 kh12", "w kh12"];
    assert_eq!(of_2003(&two).san("A.j5j12"), "Rj12");
    assert_eq!(of_2025(&two).san("A.j5j12"), "Rj12+");
    // The rook gives check where it arrives.
    let arrives = ["w Kh3 Rj5", "w ka12"];
    assert_eq!(of_2003(&arrives).san("A.j5a5/B"), "Ra5/B+");
    // After the second last king is taken, the last one is attacked.
    let takes = of_2003(&["w Rh1 kh5", "w ka5 Kh9"]);
    assert_eq!(takes.san("A.h1h5"), "Rxh5+");
    let mate = of_2003(&["w Rb9 Rc8 Kh3 ka14", "w"]);
    assert_eq!(mate.san("A.c8a8"), "Ra8#");
}
