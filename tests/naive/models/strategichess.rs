use super::{assert_divided, rows};
use overboard_naive::strategichess::{Board, BoardSquare, One, Piece, parse_rank};

const START: &str = "14/14/rnbbnrqkrnbbnr/pppppppppppppp/14/14/14/14/14/14/PPPPPPPPPPPPPP/RNBBNRQKRNBBNR/14/14 \
                     w ABCDEFGHIJKLMNabcdefghijklmn 0 1";

/// The FEN of a board with pieces such as `Kh3 kh12 Pe4*`; a star marks an unmoved pawn.
pub fn board(side: &str, pieces: &str) -> String {
    let mut board = Board::parse(&format!("{}/14 {side} - 0 1", ["14"; 13].join("/")));
    let mut unmoved = String::new();
    for text in pieces.split_whitespace() {
        let name = text.trim_end_matches('*');
        let letter = name.chars().next().unwrap();
        let file = name.chars().nth(1).unwrap();
        let piece = parse_rank(&format!("{letter}13"))[0].unwrap();
        let rank = name[2..].parse::<i32>().unwrap() - 1;
        let place = BoardSquare {
            board: 0,
            file: i32::from(file as u8 - b'a'),
            rank,
        };
        assert!(
            board.cells[place.cell()].is_none(),
            "one piece a square: {text}"
        );
        board.cells[place.cell()] = Some(Piece {
            unmoved: false,
            ..piece
        });
        if text.ends_with('*') {
            unmoved.push(piece.side.in_case(file));
        }
    }
    for letter in unmoved.chars() {
        board.mark_unmoved(letter);
    }
    board.fen()
}

fn one(side: &str, pieces: &str) -> One {
    One::parse(&board(side, pieces))
}

/// Where the piece on a square can go, sorted by bytes.
fn from(position: &One, square: &str) -> String {
    let moves = position.moves();
    let targets: Vec<&str> = moves
        .iter()
        .filter_map(|coord| coord.strip_prefix(square))
        .filter(|rest| rest.starts_with(|first: char| first.is_ascii_lowercase()))
        .collect();
    targets.join(" ")
}

#[test]
fn counts_from_the_array() {
    let start = One::parse(START);
    assert_eq!(start.fen(), START);
    assert_eq!(
        (0..3).map(|depth| start.perft(depth)).collect::<Vec<_>>(),
        [1, 97, 9409]
    );
    assert_divided(&start.divide(2), &start.moves(), 9409);
    // Pawns advance, officers step back on to the road behind them, knights jump over the pawns.
    assert_eq!(from(&start, "e4"), "e5 e6 e7");
    assert_eq!(from(&start, "f3"), "f1 f2");
    assert_eq!(from(&start, "h3"), "g2 h2 i2");
    assert_eq!(from(&start, "b3"), "a1 a5 c1 c5 d2");
}

#[test]
fn counts_of_the_positions() {
    for fields in rows(include_str!("../positions/strategichess.txt")) {
        let position = One::parse(fields[0]);
        assert_eq!(position.fen(), fields[0]);
        assert_eq!(position.perft(1).to_string(), fields[1], "{fields:?}");
        for (depth, lines) in (2..).zip(&fields[2..]) {
            assert!(
                *lines == "-" || position.perft(depth).to_string() == *lines,
                "{fields:?}"
            );
        }
    }
}

#[test]
fn pawns_advance_as_long_as_they_have_not_moved() {
    let kings = "Ka1 kn14";
    assert_eq!(
        from(&one("w", &format!("{kings} Pe4*")), "e4"),
        "e3 e5 e6 e7"
    );
    assert_eq!(from(&one("w", &format!("{kings} Pe4")), "e4"), "e3 e5");
    assert_eq!(
        from(&one("w", &format!("{kings} Pe4* pe7")), "e4"),
        "e3 e5 e6"
    );
    assert_eq!(from(&one("w", &format!("{kings} Pe4* ne5 Ne3")), "e4"), "");
    assert_eq!(
        from(
            &one("w", &format!("{kings} Pe4* pe6 pd5 pf5 pd3 Pf3")),
            "e4"
        ),
        "d5 e3 e5 f5"
    );
    assert_eq!(
        from(&one("b", &format!("{kings} pe11*")), "e11"),
        "e10 e12 e8 e9"
    );
    assert_eq!(
        from(&one("b", &format!("{kings} pe11* Pd10 Pd12 pf10")), "e11"),
        "d10 e10 e12 e8 e9"
    );
}

#[test]
fn a_pawn_back_on_its_square_has_moved() {
    let there = one("w", "Ka1 kn14 Pe4* Pm4* pe11*").play("e4e3");
    assert!(there.fen().ends_with(" b Me 1 1"));
    let back = there.play("n14n13").play("e3e4").play("n13n14");
    assert_eq!(
        back.fen(),
        one("w", "Ka1 kn14 Pe4 Pm4* pe11*")
            .fen()
            .replace(" 0 1", " 4 3")
    );
    assert_eq!(from(&back, "e4"), "e3 e5");
    assert_eq!(from(&back, "m4"), "m3 m5 m6 m7");
}

#[test]
fn a_captured_pawn_is_no_longer_unmoved() {
    let taken = one("b", "Ka1 kn14 Pe4* re9").play("e9e4");
    assert_eq!(
        taken.fen(),
        one("w", "Ka1 kn14 re4").fen().replace(" 0 1", " 0 2")
    );
}

#[test]
fn pawns_go_sideways_on_roads() {
    for rank in 1..=14 {
        let is_road = [1, 2, 7, 8, 13, 14].contains(&rank);
        let moves = from(
            &one("w", &format!("Kk4 kk11 Pe{rank}")),
            &format!("e{rank}"),
        );
        assert_eq!(moves.contains('d'), is_road, "{rank}");
        assert_eq!(moves.contains('f'), is_road, "{rank}");
    }
    // Sideways only to empty squares, never with a capture; on the last rank back or sideways (SC-6b, SC-7).
    assert_eq!(
        from(&one("w", "Ka1 kn14 Pe7 pd7 Pf7 pd8 pf8 pd6"), "e7"),
        "d8 e6 e8 f8"
    );
    assert_eq!(from(&one("w", "Kh4 kh11 Pe14"), "e14"), "d14 e13 f14");
    assert_eq!(from(&one("b", "Kh4 kh11 pa1"), "a1"), "a2 b1");
}

#[test]
fn pins_and_checks() {
    let pinned = one("w", "Ke3 Pe4* re10 kn14 Rd3 bb7 rd5");
    assert!(!pinned.in_check());
    assert_eq!(from(&pinned, "e4"), "e5 e6 e7");
    let checked = one("w", "Ka3 Pe4 Rh4 Bd6 Bd7 rn3 kn14");
    assert!(checked.in_check());
    let escapes = [
        "a3a2", "a3a4", "a3b2", "a3b4", "d6g3", "d7h3", "e4e3", "h4h3",
    ];
    assert_eq!(checked.moves(), escapes);
}

#[test]
fn statuses() {
    let status = |side: &str, pieces: &str| one(side, pieces).status();
    assert_eq!(One::parse(START).status(), "ongoing");
    assert_eq!(status("b", "Kc12 Qb13 ka14"), "mate");
    assert_eq!(status("b", "Kd12 Qb12 ka14"), "stalemate");
    assert_eq!(status("b", "Kd11 Rb14 ka14 pn9"), "check");
    assert_eq!(status("w", "Kd11 ka14"), "dead");
    for dead in ["Nc3", "bc3", "pd2", "Pn14", "Bc3 bd2 be3", "Bc3 Be1"] {
        assert_eq!(status("w", &format!("Kk8 ka14 {dead}")), "dead", "{dead}");
    }
    for alive in [
        "Rc3", "qc3", "Pd4 Pn9", "Nc3 Nc5", "Bc3 bc4", "Bc3 nd2", "Nc3 ne9", "Pc3 pk3",
    ] {
        assert_eq!(
            status("w", &format!("Kk8 ka14 {alive}")),
            "ongoing",
            "{alive}"
        );
    }
}

#[test]
fn counts_of_moves_without_a_capture() {
    let late = |count: &str| One::parse(&board("w", "Kk4 kk11 Pe4 rn9 Rd9").replace(" 0 1", count));
    assert_eq!(late(" 149 90").status(), "ongoing");
    assert_eq!(late(" 149 90").play("e4e5").status(), "seventyfive");
    assert_eq!(
        late(" 149 90").play("d9n9").fen(),
        board("b", "Kk4 kk11 Pe4 Rn9").replace(" 0 1", " 0 90")
    );
    // GEN-7: mate and stalemate come before the count.
    let ended = |pieces: &str| One::parse(&board("b", pieces).replace(" 0 1", " 150 90")).status();
    assert_eq!(ended("Kc12 Qb13 ka14"), "mate");
    assert_eq!(ended("Kd12 Qb12 ka14"), "stalemate");
    assert_eq!(ended("Kd12 Bb12 ka14"), "dead");
}

#[test]
fn moves_as_a_record_writes_them() {
    let sans = |position: &One, coords: &[&str]| -> Vec<String> {
        coords.iter().map(|coord| position.san(coord)).collect()
    };
    assert_eq!(
        sans(&One::parse(START), &["e4e7", "b3c5", "f3f1"]),
        ["e7", "Nc5", "Rf1"]
    );
    // Four pawns around g7, which can come from below, from above and from both sides.
    let crowd = one("w", "Ka1 kn14 Pg6 Pg8 Pf7 Ph7");
    assert_eq!(
        sans(&crowd, &["g6g7", "g8g7", "f7g7", "h7g7"]),
        ["6g7", "8g7", "fg7", "hg7"]
    );
    let file = one("w", "Ka1 kn14 Pg8 Pf7");
    assert_eq!(
        sans(&file, &["g8g7", "f7g7", "g8g9", "f7f8"]),
        ["gg7", "fg7", "g9", "ff8"]
    );
    let both = one("w", "Ka1 kn14 Pg8 Ph8 Pg9");
    assert_eq!(sans(&both, &["g8f8", "g8g7", "g9g10"]), ["f8", "g7", "g10"]);
    // A pawn's capture gives its file even if only one pawn could make it.
    let taking = one("w", "Ka1 kn14 Pb4 Pd4 Be7 rc5 nd8 nf8");
    assert_eq!(
        sans(&taking, &["b4c5", "e7c5", "e7d8"]),
        ["bxc5", "Bxc5", "Bxd8"]
    );
    // Officers of one kind: by file, by rank, by both; a pinned one is no rival.
    let rooks = one("w", "Kh1 kn13 Qb2 Qb4 Qd2 Ra10 Rc10 rb14");
    assert_eq!(
        sans(&rooks, &["b2d4", "b4d4", "d2d4", "a10b10"]),
        ["Qb2d4", "Q4d4", "Qdd4", "Rab10"]
    );
    let pinned = one("w", "Ke1 kn12 Ne3 Nf8 re14");
    assert_eq!(
        sans(&pinned, &["f8g6", "f8e6", "f8d7"]),
        ["Ng6", "Ne6", "Nd7"]
    );
    let mates = one("w", "Kc12 Qb5 ka14 Rh1");
    assert_eq!(
        sans(&mates, &["b5b13", "h1h14", "b5a5"]),
        ["Qb13#", "Rh14+", "Qa5+"]
    );
    assert_eq!(one("w", "Kd12 Qb5 ka14 Rh1 pa13").san("h1h14"), "Rh14#");
    assert_eq!(one("w", "Kd11 Qc5 ka14").san("c5a5"), "Qa5+");
}
