//! Diagrams for testing the writers.

use crate::diagram::{Cell, Diagram, DrawnPiece, Mark, Panel, PanelRow};
use overboard_rules::{
    by_side::BySide,
    square::{Piece, Role, Side, Square},
};

/// A board with the placement of a FEN.
pub fn board(files: u8, placement: &str) -> Panel {
    let ranks = placement.split('/').count() as u8;
    let mut panel = Panel::new(files, ranks);
    for (row, text) in placement.split('/').enumerate() {
        let mut file = 0;
        let mut rest = text;
        while let Some((step, cell, more)) = next(rest) {
            panel.put(Square::new(file, ranks - 1 - row as u8), cell);
            file += step;
            rest = more;
        }
    }
    panel
}

/// The number of squares that the next part of a rank takes, the contents of the first one, and the rest of the rank.
fn next(text: &str) -> Option<(u8, Cell, &str)> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        return Some((
            text[..digits].parse().unwrap(),
            Cell::Empty,
            &text[digits..],
        ));
    }
    let piece = |at: usize| Piece::from_letter(text.as_bytes()[at]).unwrap();
    Some(match text.as_bytes().first()? {
        b'(' => (
            1,
            Cell::Stack {
                carrier: piece(1),
                rider: piece(2),
            },
            &text[4..],
        ),
        b'+' => {
            let gold = Piece {
                role: Role::Gold,
                ..piece(1)
            };
            (
                1,
                Cell::Piece(DrawnPiece::marked(gold, Mark::Promoted(piece(1).role))),
                &text[2..],
            )
        }
        _ => (1, Cell::Piece(DrawnPiece::of(piece(0))), &text[1..]),
    })
}

pub fn squares(text: &str) -> Vec<Square> {
    let square = |word: &str| {
        let file = word.as_bytes()[0].to_ascii_lowercase() - b'a';
        Square::new(file, word[1..].parse::<u8>().unwrap() - 1)
    };
    text.split(' ').map(square).collect()
}

/// All the diagrams below.
pub fn all() -> Vec<Diagram> {
    vec![
        olympic(),
        linked(),
        stacks(),
        mega(),
        all_boards(),
        chess(),
        over(),
        moser(),
    ]
}

pub fn olympic() -> Diagram {
    let panel = Panel {
        title: Some("Olympic Chess".into()),
        hands: Some(BySide::new(
            vec![(Role::Rook, 1), (Role::Pawn, 2)],
            vec![(Role::Bishop, 1), (Role::Silver, 1)],
        )),
        turn: Some(Side::Black),
        last: squares("c4 c5"),
        ..board(5, "r1+P1k/1b2g/2+s2/1S1B1/KG3")
    };
    Diagram {
        caption: Some("Réti – Łuczak, after 12. c5=G".into()),
        ..Diagram::of(panel)
    }
}

pub fn linked() -> Diagram {
    let start =
        "14/14/rnbbnrqkrnbbnr/pppppppppppppp/14/14/14/14/14/14/PPPPPPPPPPPPPP/RNBBNRQKRNBBNR/14/14";
    let middle = "14/2p11/r1bb1rqkrnbbnr/p1pppp1ppppppp/1p12/5np6/14/3N10/2P3PP6/14/PP1PPP2PPPPPP/R1BBNRQKRNBBNR/14/14";
    let open = "5k8/14/3r10/8p5/4q9/14/6P7/13R/2n11/14/8N5/3Q2P7/7K6/14";
    let titled = |title: &str, panel: Panel, turn| Panel {
        title: Some(title.into()),
        roads: vec![0, 1, 6, 7, 12, 13],
        turn: Some(turn),
        ..panel
    };
    let mut panels = vec![
        titled("A: Ann - Di", board(14, middle), Side::White),
        titled("B: Bob - Ed", board(14, open), Side::Black),
        titled("C: Cy - Flo", board(14, start), Side::White),
    ];
    panels[1].last = squares("n7 g8");
    panels[1].checked = squares("f14");
    panels[2].closed = true;
    panels[2].turn = None;
    Diagram {
        caption: Some("Leeds – York, after 14A. Rn7/B".into()),
        rows: vec![PanelRow {
            panels,
            joined: true,
        }],
        ..Diagram::default()
    }
}

pub fn stacks() -> Diagram {
    let panel = Panel {
        title: Some("MetaChess #4".into()),
        turn: Some(Side::White),
        last: squares("c6 d4"),
        ..board(
            8,
            "r1bqk2r/ppp2ppp/3p4/2b1p3/2B(Pn)P3/2(PN)2N2/(PQ)PP2P(Pb)P/R1B1(RK)2R",
        )
    };
    Diagram::of(panel)
}

pub fn mega() -> Diagram {
    let mut panel = Panel::new(8, 8);
    let array = board(8, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    for (square, cell) in array.squares() {
        if let Some(piece) = cell.piece() {
            panel.put(square, mega_square(square, piece));
        }
    }
    Diagram {
        caption: Some("Mega-Chess, White to move in turn 9".into()),
        ..Diagram::of(Panel {
            capitals: true,
            turn: Some(Side::White),
            last: squares("b7 c7 d8"),
            checked: squares("e1"),
            ..panel
        })
    }
}

fn mega_square(square: Square, piece: Piece) -> Cell {
    let mark = match (square.file, square.rank) {
        (1 | 6, 1) | (3, 7) => Some(Mark::Armed),
        (2, 0) | (5, 6) => Some(Mark::Disarmed),
        (4, 7) => Some(Mark::Dethroned),
        _ => None,
    };
    let occupant = DrawnPiece { piece, mark };
    if mark.is_some() && square.file != 6 {
        return Cell::Piece(occupant);
    }
    let games = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
        "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR",
    ];
    let kind = usize::from(square.file + square.rank) % 4;
    let mut game = board(8, games[kind]);
    let side = if kind == 1 || kind == 2 {
        Side::Black
    } else {
        Side::White
    };
    game.turn = if mark.is_none() { Some(side) } else { None };
    game.last = squares(["g1 f3", "e2 e4", "h5 f7", "d8 h4"][kind]);
    game.checked = if kind == 3 { squares("e1") } else { Vec::new() };
    game.closed = mark.is_some();
    Cell::Board(occupant, Box::new(game))
}

/// 64 boards, all of them different.
pub fn all_boards() -> Diagram {
    let mut panel = Panel {
        capitals: true,
        ..Panel::new(8, 8)
    };
    let squares: Vec<_> = panel.squares().map(|(square, _)| square).collect();
    for square in squares {
        let mut game = board(8, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        game.put(Square::new(square.file, 1), Cell::Empty);
        game.put(
            Square::new(square.file, 2),
            game.cell(Square::new(square.rank, 1)).clone(),
        );
        game.last = vec![square];
        game.turn = Some(Side::Black);
        let king = DrawnPiece::of(Piece {
            side: Side::White,
            role: Role::King,
        });
        panel.put(square, Cell::Board(king, Box::new(game)));
    }
    Diagram::of(panel)
}

pub fn chess() -> Diagram {
    let panel = Panel {
        turn: Some(Side::White),
        last: squares("d8 h4"),
        checked: squares("e1"),
        ..board(8, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR")
    };
    Diagram::of(panel)
}

pub fn over() -> Diagram {
    let array = board(8, "r1bqkbnr/pppp1ppp/2n5/4P3/8/5N2/PPP2PPP/RNBQKB1R");
    let mut panel = Panel {
        title: Some("Over-game".into()),
        turn: Some(Side::Black),
        ..array.clone()
    };
    for (square, cell) in array.squares() {
        if let Some(piece) = cell.piece()
            && piece.role != Role::King
        {
            let points = if square.file == 4 { 7 } else { 39 };
            panel.put(
                square,
                Cell::Piece(DrawnPiece::marked(piece, Mark::Strength(points))),
            );
        }
    }
    let white = |role, points| {
        DrawnPiece::marked(
            Piece {
                side: Side::White,
                role,
            },
            Mark::Strength(points),
        )
    };
    let black = |role, points| {
        DrawnPiece::marked(
            Piece {
                side: Side::Black,
                role,
            },
            Mark::Strength(points),
        )
    };
    let contest = Cell::Contest {
        attacker: black(Role::Knight, 39),
        defender: white(Role::Pawn, 26),
    };
    panel.put(Square::new(4, 4), contest);
    panel.put(Square::new(2, 5), Cell::Empty);
    let sub = Panel {
        title: Some("e5: Nc6 attacks".into()),
        turn: Some(Side::White),
        ..board(8, "4k3/pp3ppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
    };
    Diagram {
        rows: vec![PanelRow {
            panels: vec![panel, sub],
            joined: false,
        }],
        ..Diagram::default()
    }
}

/// A board with one square that holds a board of boards.
pub fn moser() -> Diagram {
    let inner = mega().rows[0].panels[0].clone();
    let king = DrawnPiece::of(Piece {
        side: Side::White,
        role: Role::King,
    });
    let mut panel = Panel {
        capitals: true,
        ..Panel::new(8, 8)
    };
    panel.put(Square::new(4, 0), Cell::Board(king, Box::new(inner)));
    Diagram::of(panel)
}
