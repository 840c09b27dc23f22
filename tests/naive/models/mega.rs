use super::rows;
use overboard_naive::mega::{Naive, name};
use shakmaty::Square;

/// Boards by a letter: small where White is to move, capital for the same with the sides exchanged.
const BOARDS: [(char, &str); 14] = [
    // A Rook mates on a8; in the second case by the only legal move.
    ('m', "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"),
    ('M', "r6k/8/8/8/8/8/5PPP/6K1 b - - 0 1"),
    ('n', "b5k1/5ppp/8/8/8/8/7P/R5BK w - - 0 1"),
    ('N', "r5bk/7p/8/8/8/8/5PPP/B5K1 b - - 0 1"),
    // A Queen stalemates on g6.
    ('s', "7k/8/5K2/8/6Q1/8/8/8 w - - 0 1"),
    ('S', "8/8/8/6q1/8/5k2/8/7K b - - 0 1"),
    // In check, and the only move takes the Queen, which leaves bare Kings.
    ('c', "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1"),
    ('C', "4k3/4Q3/8/8/8/8/8/4K3 b - - 0 1"),
    // Three King moves and nothing else.
    ('q', "k7/8/8/8/8/7p/7P/K7 w - - 0 1"),
    ('Q', "k7/7p/7P/8/8/8/8/K7 b - - 0 1"),
    // The hundred and fiftieth ply without a capture.
    ('f', "k7/8/8/8/8/8/7R/K7 w - - 149 90"),
    ('F', "k7/7r/8/8/8/8/8/K7 b - - 149 90"),
    // The initial position.
    (
        'i',
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        'I',
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    ),
];

/// The text of a position with mega-pieces such as `Ra1m`: piece, square, and its board, or `a` for armed, `d` for
/// disarmed, `x` for dethroned. `fields` are those between placement and boards: `w - - 0 1 -`.
fn text(fields: &str, pieces: &str) -> String {
    let mut cells = [' '; 64];
    let mut boards = Vec::new();
    for piece in pieces.split_whitespace() {
        let [letter, file, rank, state] = piece.chars().collect::<Vec<_>>()[..] else {
            panic!("{piece}")
        };
        let at: Square = format!("{file}{rank}").parse().unwrap();
        cells[at as usize] = letter;
        let state = match state {
            'a' => "armed",
            'd' => "disarmed",
            'x' => "dethroned",
            board => {
                BOARDS
                    .into_iter()
                    .find(|(letter, _)| *letter == board)
                    .unwrap()
                    .1
            }
        };
        boards.push(format!("{}: {state}", name(at)));
    }
    boards.sort();
    let ranks: Vec<String> = cells.rchunks(8).map(String::from_iter).collect();
    let mut placement = ranks.join("/");
    for empty in (1..=8).rev() {
        placement = placement.replace(&" ".repeat(empty), &empty.to_string());
    }
    format!("{placement} {fields} {{{}}}", boards.join("; "))
}

/// White to move.
fn white(pieces: &str) -> Naive {
    Naive::parse(1, &text("w - - 0 1 -", pieces))
}

/// Black to move.
fn black(pieces: &str) -> Naive {
    Naive::parse(1, &text("b - - 0 1 -", pieces))
}

/// The rest of each move that begins like this: `A1` for mega-moves from there, `A1.` for plies on its board.
fn from(game: &Naive, start: &str) -> String {
    let moves = game.moves();
    let rests = moves.iter().filter_map(|coord| coord.strip_prefix(start));
    rests
        .filter(|rest| !rest.starts_with('.'))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Asserts that a ply of White leads from the first mega-pieces to the second, with Black to move.
fn leads(before: &str, coord: &str, half: u32, after: &str) {
    let reached = white(before).play(coord).text();
    assert_eq!(
        reached,
        text(&format!("b - - {half} 1 -"), after),
        "{coord}: {before}"
    );
}

/// The rules state 660 and 397,220: 32 boards with 20 moves each and 20 mega-moves; then 31 boards with 20 moves each
/// after a move on a board, and 20 mega-moves and a pass after a mega-move.
#[test]
fn counts_from_the_array() {
    let start = Naive::start(1);
    assert_eq!(
        (0..3).map(|depth| start.perft(depth)).collect::<Vec<_>>(),
        [1, 660, 397_220]
    );
    let moves = start.moves();
    assert_eq!((moves.len(), start.drawable().len()), (660, 32));
    assert_eq!(from(&start, "B1"), "A3 C3");
    assert_eq!(start.play("B1C3").moves().len(), 20 + 1);
    assert_eq!(start.play("B1C3").passable(), ["--"]);
    assert_eq!(
        start.text(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - {}"
    );
    assert_eq!(Naive::parse(1, &start.text()).text(), start.text());
}

#[test]
fn counts_of_the_positions() {
    counts_are_those_of(include_str!("../positions/mega.txt"), false);
}

fn counts_are_those_of(list: &str, is_free: bool) {
    for fields in rows(list) {
        let game = Naive::parse_under(fields[0].parse().unwrap(), is_free, fields[1]);
        assert_eq!(game.text(), fields[1]);
        assert_eq!(game.perft(1).to_string(), fields[2], "{fields:?}");
        assert!(
            fields[3] == "-" || game.perft(2).to_string() == fields[3],
            "{fields:?}"
        );
    }
}

#[test]
fn a_turn_is_a_move_on_each_of_eight_boards() {
    let mut game = Naive::start(1);
    for board in ["A1", "B1", "C1", "A2", "B2", "H7", "H8"] {
        game = game.play(&format!("{board}.e2e4"));
        assert_eq!(game.status(), "turn");
        assert_eq!(from(&game, &format!("{board}.")), "");
    }
    assert_eq!(game.moves().len(), 25 * 20);
    assert!(
        game.text()
            .contains(" w KQkq - 0 1 A1,A2,B1,B2,C1,H7,H8 {A1: rnbqkbnr/")
    );
    let eight = game.play("E8.g1f3");
    assert!(eight.text().contains(" b KQkq - 0 1 - {A1: rnbqkbnr/"));
    // Black moves on those eight boards, or makes a mega-move.
    assert_eq!(eight.moves().len(), 8 * 20 + 20);
}

#[test]
fn a_turn_stops_short_when_no_board_offers_a_move() {
    let two = white("Ke1d ke8d Ra1q pb7q nc6Q");
    assert_eq!(two.moves().len(), 3 + 3 + 10 + 5);
    let one = two.play("B7.a1b1");
    assert_eq!(one.moves(), ["A1.a1a2", "A1.a1b1", "A1.a1b2"]);
    assert!(one.play("A1.a1b2").text().contains(" b - - 0 1 - {"));
    // Nor does a board that has been won offer a move.
    leads("Ke1d ke8d Ra2m", "A2.a1a8", 0, "Ke1d ke8d Ra2a");
}

#[test]
fn states() {
    leads("Ke1d ke8d Ra2m", "A2.a1a8", 0, "Ke1d ke8d Ra2a");
    leads("Ke1d ke8d ra7m", "A7.a1a8", 0, "Ke1d ke8d");
    leads("Ke1d ke8m", "E8.a1a8", 0, "Ke1d ke8x");
    leads("Ke1m ke8d", "E1.a1a8", 0, "Ke1a ke8d");
    leads("Ke1d ke8d Ra2s", "A2.g4g6", 0, "Ke1d ke8d Ra2d");
    leads("Ke1d ke8d ra7s", "A7.g4g6", 0, "Ke1d ke8d ra7d");
    leads("Ke1s ke8d", "E1.g4g6", 0, "Ke1d ke8d");
    // Bare Kings, and the seventy-fifth move.
    leads("Ke1d ke8d Ra2c", "A2.e1e2", 0, "Ke1d ke8d Ra2d");
    leads("Ke1d ke8d ra7f", "A7.h2h3", 0, "Ke1d ke8d ra7d");
    // Mate comes before the seventy-fifth move (GEN-7).
    let mates = text("w - - 0 1 -", "Ke1d ke8d Ra2m").replace("R6K w - - 0 1", "R6K w - - 149 90");
    assert!(
        Naive::parse(1, &mates)
            .play("A2.a1a8")
            .text()
            .contains("A2: armed")
    );
    let reached = black("Ke1d ke8d Ra2M pb7N")
        .play("A2.a8a1")
        .play("B7.a8a1")
        .text();
    assert_eq!(reached, text("w - - 0 2 -", "Ke1d ke8d pb7a"));
}

#[test]
fn a_board_is_drawn_when_a_position_is_there_for_the_fifth_time() {
    let mut game = white("Ke1d ke8d Ra2q");
    for (white, black) in [("a1a2", "a8a7"), ("a2a1", "a7a8")]
        .into_iter()
        .cycle()
        .take(8)
    {
        assert!(!game.text().contains("A2: disarmed"));
        game = game
            .play(&format!("A2.{white}"))
            .play(&format!("A2.{black}"));
    }
    assert_eq!(game.text(), text("w - - 0 9 -", "Ke1d ke8d Ra2d"));
}

#[test]
fn what_mega_pieces_capture() {
    let rook = |state: char, victim: char| {
        from(&white(&format!("Kh1d kh8d Ra1{state} pa4{victim}")), "A1").contains("A4")
    };
    for (state, victims) in [('i', ""), ('d', ""), ('a', "ad")] {
        for victim in ['i', 'I', 'a', 'd'] {
            assert_eq!(
                rook(state, victim),
                victims.contains(victim),
                "{state} {victim}"
            );
        }
    }
    assert_eq!(
        from(&white("Kh1d kh8d Ra1q pa4d"), "A1"),
        "A2 A3 B1 C1 D1 E1 F1 G1"
    );
    leads("Kh1d kh8d Ra1a pa4d", "A1A4", 0, "Kh1d kh8d Ra4a");
    leads("Kh1d kh8d Ra1d pa4d", "A1A3", 1, "Kh1d kh8d Ra3d pa4d");
    // A King captures if it is armed.
    assert_eq!(from(&white("Ka1d kh8d pa2d"), "A1"), "B1 B2");
    assert_eq!(from(&white("Ka1a kh8d pa2d pb2i"), "A1"), "A2 B1");
    assert_eq!(from(&white("Ka1x kh8d pa2d"), "A1"), "");
}

#[test]
fn pawns() {
    assert_eq!(from(&white("Kh1d kh8d Pa2q"), "A2"), "A3 A4");
    assert_eq!(from(&white("Kh1d kh8d Pa2q pa4d"), "A2"), "A3");
    assert_eq!(from(&white("Kh1d kh8d Pa2d pb3d"), "A2"), "A3 A4");
    assert_eq!(from(&white("Kh1d kh8d Pb2a pa3d pc3i"), "B2"), "A3 B3 B4");
    assert_eq!(from(&white("Kh1d kh8d Pa7q"), "A7"), "");
    assert_eq!(from(&white("Kh1d kh8d Pa7d"), "A7"), "");
    assert_eq!(
        from(&white("Kh1d kg2d Pa7a rb8a"), "A7"),
        "A8b A8n A8q A8r B8b B8n B8q B8r"
    );
    leads("Kh1d kg2d Pa7a rb8d", "A7B8n", 0, "Kh1d kg2d Nb8a");
    leads("Kh1d kg2d Pa2q", "A2A3", 0, "Kh1d kg2d Pa3q");
}

#[test]
fn taking_in_passing() {
    let takes = |taker: char, taken: char| {
        let game = black(&format!("Kh1d kh8d Pe5{taker} pd7{taken}")).play("D7D5");
        from(&game, "E5").contains("D6")
    };
    for (taker, taken, can) in [
        ('a', 'a', true),
        ('a', 'd', true),
        ('a', 'Q', false),
        ('d', 'd', false),
        ('q', 'd', false),
    ] {
        assert_eq!(takes(taker, taken), can, "{taker} {taken}");
    }
    let double = black("Kh1d kh8d Pe5a pd7d pa7q").play("D7D5");
    assert!(double.text().contains(" w - D6 0 2 - {"));
    let after = text("b - - 0 2 -", "Kh1d kh8d Pd6a pa7q");
    assert_eq!(double.play("E5D6").text(), after);
    // The right lapses in the next turn, whether of boards or of a mega-piece.
    assert_eq!(from(&double.play("A7.a1a2").play("A7.a8b8"), "E5"), "E6");
    assert_eq!(from(&double.play("H1H2").play("H8G8"), "E5"), "E6");
}

#[test]
fn castling() {
    let castles = |pieces: &str| {
        let game = Naive::parse(1, &text("w K - 0 1 -", pieces));
        from(&game, "E1").contains("G1")
    };
    assert!(castles("Ke1q Rh1q ke8q"));
    assert!(castles("Ke1a Rh1d ke8q"));
    // A dethroned King has no castling right.
    let dethroned = Naive::read(1, false, &text("w K - 0 1 -", "Ke1x Rh1d ke8q"));
    assert_eq!(
        dethroned.fault(),
        Some("castling needs King and Rook at home")
    );
    assert!(!castles("Ke1d Rh1d ke8q ng1d"));
    for attacked in ["re7a", "rf8a", "rg8a"] {
        assert!(
            !castles(&format!("Ke1d Rh1d ka8q {attacked}")),
            "{attacked}"
        );
        assert!(
            castles(&format!("Ke1d Rh1d ka8q {}", attacked.replace('a', "d"))),
            "{attacked}"
        );
    }
    let game = |pieces: &str| Naive::parse(1, &text("w K - 0 1 -", pieces));
    let castled = game("Ke1q Rh1m ke8d").play("E1G1");
    assert_eq!(castled.text(), text("b - - 1 1 -", "Kg1q Rf1m ke8d"));
    // Castling is lost with the Rook's board, or if the King is dethroned.
    let lost = Naive::parse(1, &text("b K - 0 1 -", "Ke1d Rh1M ke8d")).play("H1.a8a1");
    assert_eq!(lost.text(), text("w - - 0 2 -", "Ke1d ke8d"));
    let dethroned = Naive::parse(1, &text("b K - 0 1 -", "Ke1M Rh1d ke8d")).play("E1.a8a1");
    assert_eq!(dethroned.text(), text("w - - 0 2 -", "Ke1x Rh1d ke8d"));
}

#[test]
fn only_armed_pieces_give_mega_check() {
    for (state, check) in [('a', true), ('d', false), ('i', false), ('Q', false)] {
        assert_eq!(
            white(&format!("Ke1i re8{state} kh8d")).in_check(),
            check,
            "{state}"
        );
        for king in ['a', 'd', 'x'] {
            assert_eq!(
                white(&format!("Ke1{king} re8{state} kh8d")).in_check(),
                check,
                "{state}"
            );
        }
    }
    // A King has to keep away from armed Kings only.
    assert_eq!(from(&white("Ke4d ke6d"), "E4"), "D3 D4 D5 E3 E5 F3 F4 F5");
    assert_eq!(from(&white("Ke4d ke6a"), "E4"), "D3 D4 E3 F3 F4");
    assert_eq!(from(&white("Ke4d ke5d"), "E4"), "D3 D4 D5 E3 F3 F4 F5");
    assert_eq!(from(&white("Ke4d ke6x"), "E4"), "D3 D4 D5 E3 E5 F3 F4 F5");
}

#[test]
fn a_shield_may_not_be_mated_away() {
    // The pawn on E5 stands between the armed Rook and White's King.
    let shield = white("Ke1d re8a pe5m kh8d");
    assert_eq!(
        from(&shield, "E5.")
            .split(' ')
            .filter(|ply| *ply == "a1a8")
            .count(),
        0
    );
    assert_eq!(
        from(&white("Ke1d re8d pe5m kh8d"), "E5.")
            .split(' ')
            .filter(|ply| *ply == "a1a8")
            .count(),
        1
    );
    assert_eq!(
        from(&white("Ke1d re8a Pe5m kh8d"), "E5.")
            .split(' ')
            .filter(|ply| *ply == "a1a8")
            .count(),
        1
    );
    // A board that has only such a move offers none and stays in play: what is left is a mega-move or the pass.
    let only = white("Ke1d re8a pe5n kh8d");
    assert_eq!(only.moves(), ["--", "E1D1", "E1D2", "E1E2", "E1F1", "E1F2"]);
    assert_eq!(only.passable(), ["--"]);
    // One of two shields may go, but then the other may not: the turn ends early.
    let two = white("Ke1d re8a pe5n pe6n kh8d");
    assert_eq!(from(&two, "E5."), "a1a8");
    assert_eq!(
        two.play("E5.a1a8").text(),
        text("b - - 0 1 -", "Ke1d re8a pe6n kh8d")
    );
    // A King is a shield that remains.
    leads("Ke1d re8a ke5n", "E5.a1a8", 0, "Ke1d re8a ke5x");
    // The shield itself cannot make a mega-move away.
    assert_eq!(from(&white("Ke1d re8a Re5q kh8d"), "E5"), "E2 E3 E4 E6 E7");
}

#[test]
fn in_mega_check_boards_in_check_are_forfeited() {
    let check = white("Ke1d re8a Ra1c pb7c bc6C Bh3q kh8d");
    assert_eq!(check.moves(), ["E1D1", "E1D2", "E1F1", "E1F2", "H3E6"]);
    let stepped = check.play("E1D1");
    assert_eq!(
        stepped.text(),
        text("b - - 0 1 -", "Kd1d re8a pb7a bc6C Bh3q kh8d")
    );
    // The shield is lost, or an armed piece gives check: the mega-move does not end the check.
    assert_eq!(from(&white("Ke1d re8a Bh3c kh8d"), "H3"), "");
    let armed = white("Ke1d re8a rd7c kh8d");
    assert_eq!(from(&armed, "E1"), "F1 F2");
    // Without mega-check a mega-move forfeits nothing.
    leads("Ke1d re8d Ra2c kh8d", "E1E2", 1, "Ke2d re8d Ra2c kh8d");
    // On the King's own board: it is dethroned, and does not move again.
    let king = white("Ke1c re8a kh8d");
    assert_eq!(
        king.play("E1F1").text(),
        text("b - - 0 1 -", "Kf1x re8a kh8d")
    );
}

#[test]
fn passing() {
    let passes = |pieces: &str| white(pieces).passable().len();
    let waits = white("Kh1d kh8d pa7Q");
    assert_eq!(
        (waits.moves(), passes("Kh1d kh8d pa7Q")),
        (
            vec!["--".into(), "H1G1".into(), "H1G2".into(), "H1H2".into()],
            1
        )
    );
    assert_eq!(
        waits.play("--").text(),
        text("b - - 1 1 -", "Kh1d kh8d pa7Q")
    );
    // No pass if a board offers a move, if none is in play, or in mega-check.
    assert_eq!(passes("Kh1d kh8d pa7q"), 0);
    assert_eq!(passes("Kh1d kh8d pa7d"), 0);
    assert_eq!(passes("Kh1d rh5a kg8d pa7Q"), 0);
    // The pass is the only ply: no stalemate, as a board is in play.
    let only = white("Kh1d rg8a ra2a kc5d pa7Q");
    assert_eq!(
        (only.moves(), only.status()),
        (vec!["--".into()], "ongoing")
    );
}

#[test]
fn endings() {
    let status = |pieces: &str| white(pieces).status();
    assert_eq!(status("Kh1d ra1a rb2a kh8d"), "mate");
    assert_eq!(status("Kh1d ra1a rb2a kh8d pa7q"), "mate");
    assert_eq!(status("Kh1d ra1a rb2d kh8d"), "check");
    assert_eq!(status("Kh1d rg8a ra2a kc5d"), "stalemate");
    assert_eq!(status("Kh1d rg8a ra2a kc5d Pa7d"), "stalemate");
    assert_eq!(status("Kh1d rg8a ra2a kc5d Pa6d"), "ongoing");
    assert_eq!(status("Kh1x kh8d"), "stalemate");
    assert_eq!(status("Kh1a kh8a"), "dead");
    assert_eq!(status("Kh1d kh8d"), "dead");
    assert_eq!(status("Kh1a kh8d"), "ongoing");
    assert_eq!(status("Kh1d kh8x"), "ongoing");
    assert_eq!(status("Kh1q kh8d"), "ongoing");
    let late =
        |half| Naive::parse(1, &text(&format!("w - - {half} 90 -"), "Kh1d kh8d Ra1d")).status();
    assert_eq!((late(149), late(150)), ("ongoing", "moves"));
    let mut game = white("Kh1d kh8d Ra1d");
    for (white, black) in [("H1H2", "H8G8"), ("H2H1", "G8H8")]
        .into_iter()
        .cycle()
        .take(8)
    {
        assert_eq!(game.status(), "ongoing");
        game = game.play(white).play(black);
    }
    assert_eq!(game.status(), "fivefold");
}

#[test]
fn drawn_boards_take_the_place_of_a_move() {
    // A draw is never the only item of a turn.
    assert_eq!(white("Kh1d kh8d Ra1q").drawable(), Vec::<String>::new());
    let two = white("Kh1d kh8d Ra1q pb7q nc6Q");
    assert_eq!(two.drawable(), ["A1.1/2-1/2", "B7.1/2-1/2"]);
    let drawn = two.play("B7.1/2-1/2");
    assert_eq!(
        drawn.text(),
        text("w - - 0 1 B7=", "Kh1d kh8d Ra1q pb7d nc6Q")
    );
    assert_eq!(
        Naive::parse(1, &drawn.text()).drawable(),
        Vec::<String>::new()
    );
    assert_eq!((drawn.moves().len(), drawn.drawable().len()), (3, 0));
    let moved = two.play("A1.a1b1");
    assert_eq!(moved.drawable(), ["B7.1/2-1/2"]);
    assert!(moved.play("B7.1/2-1/2").text().contains(" b - - 0 1 - {"));
    // No draws in mega-check.
    assert_eq!(
        white("Kh1d kg8d rh5a Ra1q pb7q").drawable(),
        Vec::<String>::new()
    );
    // A board that offers no move can be drawn along with one that does: MG-13 asks only whose move it is.
    assert_eq!(white("Ke1d re8a pe5n Ra1q kh8d").drawable(), ["E5.1/2-1/2"]);
}

#[test]
fn level_two() {
    let start = Naive::start(2);
    assert_eq!(start.perft(1), 32 * 660 + 20);
    // A mega-move inside is a complete turn there.
    let turn = start.play("A2.B1C3");
    assert!(turn.text().contains(
        " w KQkq - 0 1 A2 {A2: rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq - 1 1 - {}}"
    ));
    assert_eq!(turn.perft(1), 31 * 660);
    // A move inside begins a turn of up to eight, which must be completed first.
    let mut open = start.play("A2.B1.e2e4");
    assert_eq!(open.perft(1), 31 * 20);
    assert!(open.moves().iter().all(|coord| coord.starts_with("A2.")));
    assert_eq!(Naive::parse(2, &open.text()).text(), open.text());
    for board in ["A1", "C1", "D1", "E1", "F1", "G1", "H8"] {
        assert_eq!(open.status(), "turn");
        open = open.play(&format!("A2.{board}.e2e4"));
    }
    assert_eq!(open.perft(1), 31 * 660);
}

/// A game of level 1 inside one of level 2, on board A2, with White to move and to mate.
fn nested(inner: &str, outer: &str) -> Naive {
    let inner = text("w - - 0 1 -", inner);
    let outer = text("w - - 0 1 -", outer);
    Naive::parse(2, &outer.replace("Z", &inner).replace(BOARDS[12].1, &inner))
}

#[test]
fn boards_that_are_games_of_boards() {
    // The last board inside is won; the Queen becomes armed and mates there, so the outer board is won, too.
    let mates = "Kh1d ka8d Qb7m Rb1d";
    let won = nested(mates, "Ke1d ke8d Ra2i").play("A2.B7.a1a8");
    assert_eq!(won.text(), text("b - - 0 1 -", "Ke1d ke8d Ra2a"));
    let captured = nested(mates, "Ke1d ke8d ra7i").play("A7.B7.a1a8");
    assert_eq!(captured.text(), text("b - - 0 1 -", "Ke1d ke8d"));
    // An outer shield must not be won away, not even by that ply.
    let shield = nested(mates, "Ke1d re8a pe5i kh8d");
    assert!(!shield.moves().contains(&"E5.B7.a1a8".to_string()));
    assert!(shield.moves().contains(&"E5.B7.a1a7".to_string()));
    // Mega-check inside, to the side to move, is check outside.
    let check = "Kh1d rh8a ka8d";
    let forfeits = nested(check, "Ke1d re8a Ra2i kh8d").play("E1D1");
    assert_eq!(forfeits.text(), text("b - - 0 1 -", "Kd1d re8a kh8d"));
    // A dead position inside is a draw outside.
    let dead = nested("Kh1d ka8d pa7m", "Ke1d ke8d Ra2i").play("A2.A7.a1a8");
    assert_eq!(dead.text(), text("b - - 0 1 -", "Ke1d ke8d Ra2d"));
    // A pass inside is a turn there, so the board offers one.
    let passes = nested("Kh1d rg8a ra2a kc5d pa7Q", "Ke1d ke8d Ra2i");
    assert_eq!(from(&passes, "A2."), "--");
    assert!(passes.play("A2.--").text().contains(" b - - 0 1 - {"));
}

/// White to move, with free turns (MG-18).
fn free_white(pieces: &str) -> Naive {
    Naive::parse_under(1, true, &text("w - - 0 1 -", pieces))
}

/// Black to move, with free turns (MG-18).
fn free_black(pieces: &str) -> Naive {
    Naive::parse_under(1, true, &text("b - - 0 1 -", pieces))
}

/// The rules state 660 and 410,000: after a mega-move Black has 20 moves on each of 32 boards.
#[test]
fn counts_from_the_array_with_free_turns() {
    let start = Naive::start_free(1);
    assert_eq!(
        (0..3).map(|depth| start.perft(depth)).collect::<Vec<_>>(),
        [1, 660, 410_000]
    );
    let black = start.play("B1C3");
    assert_eq!(
        (
            black.moves().len(),
            black.passable().len(),
            black.drawable().len()
        ),
        (660, 0, 32)
    );
    assert_eq!(Naive::start_free(2).perft(1), 32 * 660 + 20);
    assert_eq!(Naive::start_free(2).play("B1C3").perft(1), 32 * 660 + 20);
}

#[test]
fn counts_of_the_positions_with_free_turns() {
    counts_are_those_of(include_str!("../positions/mega-free.txt"), true);
}

#[test]
fn whoever_moved_last_may_move_again() {
    // Black opens a board; its move number rises after Black's move, and the next move may be White's or Black's.
    let opened = free_black("Ke1d ke8d Ra1i").play("A1.e7e5");
    assert!(
        opened
            .text()
            .contains("A1: rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2")
    );
    assert_eq!(from(&opened, "A1.").split(' ').count(), 20);
    let again = opened.play("E1D1").play("A1.e5e4");
    assert!(
        again
            .text()
            .contains("A1: rnbqkbnr/pppp1ppp/8/8/4p3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3")
    );
    // White moves twice: both moves have number 1, and both count.
    let twice = free_white("Ke1d ke8d Ra1q")
        .play("A1.a1a2")
        .play("E8D8")
        .play("A1.a2a3");
    assert!(twice.text().contains("A1: k7/8/8/8/8/K6p/7P/8 b - - 2 1"));
}

#[test]
fn a_board_waits_for_a_king_in_check() {
    let waits = free_white("Ke1d ke8d Ra1C rb8q");
    assert_eq!(
        (from(&waits, "A1."), from(&waits, "B8.")),
        (String::new(), "a1a2 a1b1 a1b2".into())
    );
    assert_eq!(waits.drawable(), Vec::<String>::new());
    assert_eq!(from(&free_black("Ke1d ke8d Ra1C rb8q"), "A1."), "e8e7");
    // No board offers a move: the turn is a mega-move or a pass.
    assert_eq!(free_white("Ke1d ke8d Ra1C").passable(), ["--"]);
}

#[test]
fn en_passant_goes_against_the_last_move_there() {
    let board = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    let fen = text("w - - 0 1 -", "Ke1d ke8d Ra1i rb8q").replace(BOARDS[12].1, board);
    let stepped = Naive::parse_under(1, true, &fen)
        .play("A1.e2e4")
        .play("B8.a1a2");
    assert!(from(&stepped, "A1.").contains("d4e3"));
    // White moves on that board again before Black does.
    let again = stepped.play("E8D8").play("A1.e1d1").play("B8.a2a3");
    assert!(!from(&again, "A1.").contains("d4e3"), "{}", again.text());
}

#[test]
fn without_a_second_move_nothing_has_ended() {
    // Black, who moved last on A1, has no move there now, but White has.
    let board = "7k/5Q2/8/8/8/8/8/K7 w - - 3 40";
    let fen = text("b - - 0 1 -", "Ke1d ke8d Ra1i rb8q").replace(BOARDS[12].1, board);
    let stuck = Naive::parse_under(1, true, &fen);
    assert_eq!(
        (from(&stuck, "A1."), from(&stuck, "B8.")),
        (String::new(), "a8a7 a8b7 a8b8".into())
    );
    // The board may still be drawn before the move that ends the turn.
    assert_eq!(stuck.drawable(), ["A1.1/2-1/2"]);
}

#[test]
fn one_side_brings_a_board_to_its_fifth_repetition() {
    let mut game = free_white("Ke1d ke8d Ra1q");
    for round in 0..9 {
        assert!(game.text().contains("A1: k7"), "{round}");
        game = game.play(if round % 2 == 0 { "A1.a1b1" } else { "A1.b1a1" });
        game = game.play(["E8D8", "D8E8"][round % 2]);
    }
    assert!(game.text().contains("A1: disarmed"), "{}", game.text());
}

#[test]
fn turns_on_boards_inside_are_free_too() {
    let outer = text("w - - 0 1 -", "Ke1d ke8d Ra2i")
        .replace(BOARDS[12].1, &text("b - - 0 1 -", "Ke1d ke8d Ra1q Pb2d"));
    let game = Naive::parse_under(2, true, &outer);
    // In the text it is Black's turn on A2, and White makes one, on a board where White has not moved.
    let moves = from(&game, "A2.");
    assert!(
        moves.contains("A1.a1a2") && moves.contains("B2B3") && moves.contains("B2B4"),
        "{moves}"
    );
    let turn = game.play("A2.B2B4");
    assert!(
        turn.text()
            .contains("A2: 4k3/8/8/8/1P6/8/8/R3K3 b - - 0 1 - {"),
        "{}",
        turn.text()
    );
    // In mega-check the waiting side must respond first.
    let inner = text("b - - 0 1 -", "Ke1d Re2a ke8d Pb2q");
    let waits = Naive::parse_under(
        2,
        true,
        &text("w - - 0 1 -", "Ke1d ke8d Ra2i").replace(BOARDS[12].1, &inner),
    );
    assert_eq!(from(&waits, "A2."), "");
    // No board inside offers a move: a pass is a turn there, whoever took the last one.
    let inner = text("b - - 0 1 -", "Ke1x ke8x Ra1C");
    let pass = Naive::parse_under(
        2,
        true,
        &text("w - - 0 1 -", "Ke1d ke8d Ra2i").replace(BOARDS[12].1, &inner),
    );
    assert!(from(&pass, "A2.").split(' ').any(|coord| coord == "--"));
}
