//! C9: Chess960.

use overboard_rules::{
    rule::{
        Page,
        Source::{Fide, Ruling},
    },
    rules,
};

/// The number of the game's laws ([`crate::laws`]).
pub const LAWS: u32 = 2;

/// The page.
pub const PAGE: Page = Page {
    name: "chess960",
    title: "Chess960 (C9)",
    preface: "Chess960, also known as Fischer Random Chess or Freestyle Chess. This page has the rules for the starting position and for castling. Everything else is orthodox chess: the pieces move, games end and moves are written by [its rules](chess.md); draws by repetition, move count and dead position are [common rules](common.md#GEN-3).\n\n\
              **Source:** Guidelines II of the FIDE Laws of Chess, in force from 1 January 2023, in our words.",
    rules: RULES,
    rulings: &super::rulings::RULINGS,
};

rules! {
    RULES;

    ARRAY, "C9-1", Definition, Fide("Guidelines II.2.1"),
    "The first rank is drawn by lot: bishops on both colours, king between rooks",
    "White's pawns begin on the second rank and White's pieces on the first, in an order that is drawn by lot: the king somewhere between the two rooks, and the bishops on squares of different colours. Each of Black's pieces stands opposite White's piece of the same kind. There are 960 such starting positions. The record gives the one that was drawn by its FEN.",
    ["kept", "kept-corner"];

    NUMBER, "C9-2", Definition, Ruling,
    "Starting positions have the numbers 0 to 959; without a FEN it is 518",
    "Starting positions have the numbers that Reinhard Scharnagl gave them; 518 is the one of orthodox chess. Wherever a position is expected, its number may be given instead; as the tag FEN of a record it is read with the warning `fen-form`, since other programs do not read it. The Laws do not number the positions; these numbers are those that servers and programs use. A record without a FEN starts from number 518, which may have been drawn like any other: programs that leave out the FEN do so for that position alone.",
    ["kept"];

    CASTLING, "C9-3", Law, Fide("Guidelines II.3.2"),
    "After castling, king and rook stand where they would in chess",
    "Castling is one move of the king and a rook of the same colour. Wherever they began:\n\
     - after castling with the rook on the h-file's side, written O-O, the king stands on the g-file and the rook on the f-file;\n\
     - after castling with the rook on the a-file's side, written O-O-O, the king stands on the c-file and the rook on the d-file.\n\n\
     One of the two may stand there already. A king that moves more than one square is castling, and the move is written O-O or O-O-O, not as a move of the king.",
    [
        "kept",
        "kept-king-stays",
        "kept-rook-stays",
        "kept-swapped",
        "broken"
    ];

    RIGHT, "C9-4", Law, Fide("Guidelines II.3.1 and Article 3.8.2.1"),
    "King and rook must not have moved before castling",
    "Each player castles once at most. The right to castle is lost for good once the king has moved, or once that rook has moved or been captured.",
    ["kept", "broken", "broken-king-back", "broken-taken"];

    ROOM, "C9-5", Law, Fide("Guidelines II.3.2"),
    "Every square on the way of king and rook is empty",
    "Apart from this king and rook, all squares from the king's first to its last, and from the rook's first to its last, are empty, the last ones included. Other squares may be occupied, even between the king and the corner: in O-O-O, for example, a piece may stand on b1 if the rook does not cross it.",
    ["kept", "broken", "broken-arrival", "broken-rook-way"];

    SAFETY, "C9-6", Law, Fide("Article 3.8.2.2"),
    "The king may not castle out of, through or into check",
    "The king may not castle while the square on which it stands, any square that it crosses, or the one that it reaches is attacked. The rook no longer shields the square that it left: an attack from behind it, along the rank, counts. The rook itself may cross an attacked square.",
    [
        "kept",
        "broken",
        "broken-out-of-check",
        "broken-through-check",
        "broken-shield"
    ];

    SET_UP, "C9-7", Law, Ruling,
    "A game starts from a possible position",
    "A set-up position is one from which orthodox chess could start (CH-19), except for the castling rights. A right requires the king on its first rank, on any file, and a rook of the same colour on that rank, on the side of the king for which the right is. There is one right at most for each side of a king. As in chess, a game may start from any such position, not only from one of the 960.",
    ["kept", "broken", "broken-king"];

    FIELD, "C9-8", Definition, Ruling,
    "A FEN writes castling rights as KQkq or as the files of the rooks",
    "`K` and `k` mean the outermost rook on the h-file's side of the king, `Q` and `q` the outermost on the a-file's side. This form is known as X-FEN. A letter from `A` to `H` or `a` to `h` means the rook on that file; this is known as Shredder-FEN. Both forms are read, even mixed. `KQkq` is written unless it would be ambiguous: a rook with another rook of its side farther out is written by its file, so every FEN without such a rook looks like one of chess. (The Laws do not mention FEN.)",
    ["kept", "kept-inner-rook"];
}
