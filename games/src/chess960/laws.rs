//! C9: Chess960.

use overboard_rules::{
    rule,
    rule::{
        Page,
        Source::{Fide, Ruling},
    },
};

/// The number of the game's laws ([`crate::laws`]).
pub const LAWS: u32 = 1;

/// The page.
pub const PAGE: Page = Page {
    name: "chess960",
    title: "Chess960 (C9)",
    preface: "Chess960, also known as Fischer Random Chess or Freestyle Chess, by Guidelines II of the FIDE Laws, in our words. Here stand the first position and castling. All else is orthodox chess: pieces move, games end and moves are written by its rules (CH), and its ends by draw stand on the page of the common rules (GEN-3).",
    rules: &[&ARRAY, &NUMBER, &CASTLING, &RIGHT, &ROOM, &SAFETY, &SET_UP, &FIELD],
};

rule!(
    ARRAY,
    "C9-1",
    Definition,
    Fide("Guidelines II.2.1"),
    "The first rank is drawn: bishops on both colours, king between rooks",
    "White's pawns begin on the second rank, and White's pieces on the first in an order that is drawn by lot: the king somewhere between the two rooks, and the bishops on squares of different colours. Black's pieces stand opposite White's of the same kind. There are 960 such arrays. The record gives the one that was drawn by its FEN.",
    ["kept", "kept-corner"]
);
rule!(
    NUMBER,
    "C9-2",
    Definition,
    Ruling,
    "Arrays have the numbers 0 to 959; without a FEN it is 518",
    "Arrays have the numbers that Reinhard Scharnagl gave them, and wherever a position is asked for its number will do: 518 is the array of orthodox chess. The Laws do not number arrays; these numbers are those that servers and programs use. A record that gives no FEN begins from array 518: it may have been drawn like any other, and programs that leave the FEN out do so for that one alone.",
    ["kept"]
);
rule!(
    CASTLING,
    "C9-3",
    Law,
    Fide("Guidelines II.3.2"),
    "After castling king and rook stand where they would in chess",
    "Castling is one move of the king and a rook of the same colour. Wherever they began, after castling with the rook on the side of the h-file, written O-O, the king stands on the g-file and the rook on the f-file; after castling with the one on the side of the a-file, written O-O-O, the king stands on the c-file and the rook on the d-file. One of the two may stand there already. A king that goes farther than one square castles, and that is not written as a move of the king.",
    ["kept", "kept-king-stays", "kept-rook-stays", "kept-swapped", "broken"]
);
rule!(
    RIGHT,
    "C9-4",
    Law,
    Fide("Guidelines II.3.1 and Article 3.8.2.1"),
    "Nothing that castles has moved before",
    "Each player castles once at most. The right to castle is lost for good when the king has moved, or that rook has moved or been taken.",
    ["kept", "broken", "broken-king-back", "broken-taken"]
);
rule!(
    ROOM,
    "C9-5",
    Law,
    Fide("Guidelines II.3.2"),
    "Every square on the way of king and rook is empty",
    "All squares from the king's first to its last and all from the rook's first to its last, the last ones included, hold nothing but these two. Other squares may be held, also between king and rook's corner: in castling to the a-file's side such a piece may stand on b1 when the rook does not cross it.",
    ["kept", "broken", "broken-arrival", "broken-rook-way"]
);
rule!(
    SAFETY,
    "C9-6",
    Law,
    Fide("Article 3.8.2.2"),
    "The king castles out of, through and into no check",
    "Castling is barred while the square that the king stands on, any that it crosses, or the one that it reaches is attacked. The rook no longer shields the square that it left: an attack from behind it, along the rank, counts. The rook itself may cross a square that is attacked.",
    ["kept", "broken", "broken-out-of-check", "broken-through-check", "broken-shield"]
);
rule!(
    SET_UP,
    "C9-7",
    Law,
    Ruling,
    "A game starts from a position that can be",
    "A set-up position is one that orthodox chess could start from (CH-19), but for the castling rights: a right needs the king on its first rank, not a certain file of it, and a rook of its own on that rank, on the side that the right is of, one for each side. The game may start from any such position, not only from an array, as in chess.",
    ["kept", "broken", "broken-king"]
);
rule!(
    FIELD,
    "C9-8",
    Definition,
    Ruling,
    "Castling rights stand in a FEN as KQkq or as files of rooks",
    "`K` and `k` mean the outermost rook on the h-file's side of the king, `Q` and `q` the outermost on the a-file's side. A letter from `A` to `H` or `a` to `h` means the rook on that file. Both ways are read, mixed too. Written is `KQkq` where it says what is meant, and the file for a rook that has another one of its side farther out. The Laws know no FEN. The first way is known as X-FEN, the second as Shredder-FEN; every record of the first that has no such rook looks like one of chess.",
    ["kept", "kept-inner-rook"]
);
