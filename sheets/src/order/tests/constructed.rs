//! Orders that depend on a king that was taken, a board that closed, or a count.

use super::*;

/// The FEN of a board with these pieces.
fn setup(pieces: &[(Side, Role, &str)], turn: Side, halfmove: usize) -> String {
    let mut placed = [None; 196];
    for (side, role, square) in pieces {
        let file = usize::from(square.as_bytes()[0] - b'a');
        let rank = square[1..].parse::<usize>().unwrap() - 1;
        placed[rank * 14 + file] = Some(Piece {
            side: *side,
            role: *role,
        });
    }
    fen(&placed, turn, halfmove)
}

/// The boards with these FENs.
fn linked(fens: &[&str]) -> Linked {
    let read = linked::read(&fens.join("|"), Edition::Of2003).unwrap();
    read.linked
}

fn sheet(first: Side, sans: &[&str]) -> BoardSheet {
    let entry = |(at, san): (usize, &&str)| {
        let ply = at + usize::from(first == Black);
        SheetPly {
            number: 1 + ply as u32 / 2,
            side: if ply.is_multiple_of(2) { White } else { Black },
            san: (*san).into(),
            ts: None,
            arrivals: Vec::new(),
            acts: None,
            origin: Origin {
                file: at,
                place: TextSpan::NOWHERE,
            },
        }
    };
    BoardSheet {
        entries: sans.iter().enumerate().map(entry).collect(),
        ..BoardSheet::default()
    }
}

/// An act after a ply.
fn with(act: OtherAct) -> Option<Box<ActsAround>> {
    Some(Box::new(ActsAround {
        before: Vec::new(),
        after: vec![act],
    }))
}

/// Both ways of finding an order agree on this one.
fn assert_order(first: &Linked, sheets: &[BoardSheet], is: &[usize]) {
    assert_eq!(order(sheets, first).as_deref(), Ok(is));
}

use Role::{King, Knight, Pawn, Queen, Rook};
use Side::{Black, White};

/// A king steps into an attack, which is legal only while its team has another king.
#[test]
fn a_king_is_taken_after_what_its_absence_would_forbid() {
    let taken = setup(
        &[
            (White, King, "h1"),
            (White, Rook, "a1"),
            (Black, King, "a10"),
        ],
        White,
        0,
    );
    let other = |king| {
        setup(
            &[
                (White, Rook, "e1"),
                (Black, King, king),
                (White, Queen, "l1"),
            ],
            Black,
            0,
        )
    };
    let first = |king| linked(&[&taken, &other(king)]);
    let sheets = |goes| [sheet(White, &["Rxa10"]), sheet(Black, &[goes])];
    assert_order(&first("f7"), &sheets("Ke7"), &[1, 0]);
    // Where nothing depends on it, every order is acceptable.
    assert!(order(&sheets("Kg7"), &first("f7")).is_ok());
    let ties = by_ties(&sheets("Ke7"), &first("f7")).unwrap();
    assert_eq!(ties, [1, 0]);
    // A king that may be taken only while it is not the last.
    let second = setup(&[(White, Rook, "c1"), (Black, King, "c10")], White, 0);
    let three = linked(&[&taken, &second, &other("f7")]);
    let plies = [
        sheet(White, &["Rxa10"]),
        sheet(White, &["Rxc10"]),
        sheet(Black, &["Ke7"]),
    ];
    let order = order(&plies, &three).unwrap();
    assert_ne!(order.last(), Some(&2), "{order:?}");
}

/// A board on which too little is played for a count keeps the kings from being counted only as long as it is open.
#[test]
fn a_board_that_closes_in_play_lets_the_kings_be_counted() {
    // When the knight has left, its board is empty.
    let (knight, step) = (setup(&[(White, Knight, "a5")], White, 0), "Nm6/A");
    let kings = [
        (White, King, "h1"),
        (White, Rook, "a1"),
        (Black, King, "h14"),
    ];
    let shuffle = |plies: usize| {
        ["Rb1", "Kg14", "Ra1", "Kh14"]
            .into_iter()
            .cycle()
            .take(plies)
            .collect::<Vec<_>>()
    };
    let on = |quiet, plies| {
        (
            linked(&[&setup(&kings, White, quiet), &knight]),
            [sheet(White, &shuffle(plies)), sheet(White, &[step])],
        )
    };
    // The hundred and fiftieth ply ends the match once the other board is closed, so the knight crosses last.
    let (first, sheets) = on(148, 3);
    assert_order(&first, &sheets, &[0, 0, 0, 1]);
    // At the hundred and forty-ninth it is all the same.
    let (first, sheets) = on(147, 2);
    assert_eq!(
        order(&sheets, &first)
            .map(|order| order.len())
            .map_err(|problem| problem.message),
        Ok(3)
    );
    // Whether a claim is right hangs on when the board closed; if a ply was made after it, it was wrong.
    let (first, mut sheets) = on(98, 3);
    sheets[0].entries[1].acts = with(OtherAct::Count);
    assert_eq!(order(&sheets, &first).unwrap()[..2], [0, 0]);
    let (first, mut sheets) = on(98, 2);
    sheets[0].entries[1].acts = with(OtherAct::Count);
    let problem = order(&sheets, &first).unwrap_err();
    assert!(
        problem.code == "open-order" && problem.message.contains("it matters"),
        "{problem:?}"
    );
    // And far from a count nothing depends on the count.
    let (first, mut sheets) = on(20, 3);
    sheets[0].entries[1].acts = with(OtherAct::Count);
    assert!(order(&sheets, &first).is_ok());
}

/// A capture on a board restarts its count, so that a long match need not be looked at ply by ply.
#[test]
fn counts_matter_only_where_they_may_be_reached() {
    let kings = setup(
        &[
            (White, King, "h1"),
            (White, Rook, "d1"),
            (Black, King, "h14"),
            (Black, Pawn, "d12"),
        ],
        White,
        0,
    );
    let first = linked(&[&kings, &kings]);
    let shuffle = ["Re1", "Kg14", "Rd1", "Kh14"];
    let mut sans: Vec<_> = shuffle.into_iter().cycle().take(80).collect();
    sans.push("Rxd12");
    sans.push("Kg14");
    sans.extend(
        ["Re12", "Kh14", "Rd12", "Kg14"]
            .into_iter()
            .cycle()
            .take(80),
    );
    let sheets = [sheet(White, &sans), sheet(White, &sans)];
    // A hundred and sixty plies of each board, and never a hundred and fifty without a capture.
    let order = order(&sheets, &first).unwrap();
    assert_eq!(order.len(), 2 * sans.len());
    assert_eq!(plies_tried(&sheets, &first), Some(2 * sans.len()));
}
