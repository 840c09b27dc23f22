//! How positions and moves of Olympic Chess are written.

use crate::{
    fen::{clip, counter, fault, fields, fill, letters, turn, write_rank},
    olympic::{BoardPiece, Move, Olympic, census::PieceCensus, hand_index, laws as law},
    one_board::notation::BoardNotation,
};
use overboard_formats::san::{self, Alphabet, MoveText, push_square};
use overboard_pictures::diagram::{self, Cell, Mark};
use overboard_referee::game::position::{Doubt, FenError, PositionError, ReadPosition};
use overboard_rules::{
    by_side::BySide,
    position::Explain,
    rule::Rule,
    square::{Piece, Role, Side, Square},
    variant::{Abroad, Cecp, Extension, Sign, SignKind, Spelling, VariantInfo},
};
use std::{
    fmt::{self, Write},
    ops::Range,
};

/// What is drawn on its boards.
static SIGNS: [Sign; 2] = [
    Sign::new(
        SignKind::Hand,
        "Captured pieces in the hand of a player, who may put one on an empty square instead of moving.",
        &super::laws::DROP,
    ),
    Sign::new(
        SignKind::Promoted,
        "It was promoted and moves as a Gold. When it is captured, it becomes what it was before.",
        &super::laws::CAPTURE,
    ),
];

/// The registry entry of Olympic Chess.
pub static INFO: VariantInfo = VariantInfo {
    name: "Olympic Chess",
    in_words: "Olympic Chess",
    intro: "Chess on a small board: a captured piece changes sides, and its new owner may drop it instead of moving.",
    signs: &SIGNS,
    spellings: &Spelling::all(["olympic chess", "olympic"]),
    arguments: &["olympic"],
    cecp: Some(Cecp {
        name: "olympic",
        castles_in_letters: false,
        edit: None,
        setup: &[
            // XBoard lets the pieces listed here promote: the pawn, and in place of a lance the Silver. The
            // `~` makes a Gold that was a pawn revert to one when it is captured.
            "setup (P.BR.....G........S.~Kp.br.....g........s.~k) 5x5+5_fairy rbsgk/4p/5/P4/KGSBR w - - 0 1",
            "piece P& fmWfcF",
            "piece S& FfW",
            "piece G& WfF",
        ],
    }),
    pages: &[&super::laws::PAGE],
    laws: super::laws::LAWS,
    abroad: Some(&ABROAD),
    extensions: &[Extension::Drop],
    ..VariantInfo::BASE
};

/// Olympic Chess for Fairy-Stockfish. Releases up to 11.1 read `promotionRank`, later ones the regions; each
/// ignores unknown options. That White loses by repetition, and Black by repeated checks, cannot be expressed
/// there.
static ABROAD: Abroad = Abroad {
    definition: "\
[olympic]
maxRank = 5
maxFile = 5
king = k
rook = r
bishop = b
pawn = p
silver = s
gold = g
startFen = rbsgk/4p/5/P4/KGSBR[-] w - - 0 1
pocketSize = 5
promotionRank = 5
promotionRegionWhite = *5
promotionRegionBlack = *1
promotionPieceTypes = g
promotedPieceType = s:g
doubleStep = false
castling = false
pieceDrops = true
capturesToHand = true
firstRankPawnDrops = true
promotionZonePawnDrops = false
immobilityIllegal = true
stalemateValue = draw
nMoveRule = 0
nFoldRule = 3
nFoldValue = loss
nFoldValueAbsolute = true
perpetualCheckIllegal = true
",
    fen: |fen| fen.replace("+P", "G~").replace("+p", "g~"),
};

impl BoardNotation for Olympic {
    const INFO: &'static VariantInfo = &INFO;
    const ALPHABET: Alphabet = san::OLYMPIC;
    const SET_UP: &'static Rule = &law::ARRAY;
    const FEN_FORM: &'static str = "a FEN of Olympic Chess has the hands in brackets (R B G S P, capitals first), `+P` and `+S` for promoted pieces, and six fields with one space between them";

    /// Reads `rbsgk/4p/5/P4/KGSBR[] w - - 0 1`. Hands in any order, `G~` for a promoted Pawn, and missing counters are
    /// accepted as lenient.
    fn read(fen: &str) -> Result<ReadPosition<Self>, PositionError> {
        let read = read_unchecked(fen)?;
        let (position, doubts) = read.possible().map_err(PositionError::Impossible)?;
        let lenient = position.fen() != fen;
        Ok(ReadPosition {
            position,
            lenient,
            doubts: Doubt::on("", doubts),
        })
    }

    fn write_fen(&self, out: &mut impl Write) -> fmt::Result {
        for rank in (0..5).rev() {
            let squares = rank * 5..rank * 5 + 5;
            write_rank(out, squares.map(|at| self.pieces.man_at(at)), write_piece)?;
            out.write_str(if rank > 0 { "/" } else { "[" })?;
        }
        for side in Side::BOTH {
            for (role, count) in self.held(side) {
                for _ in 0..count {
                    out.write_char(Piece { side, role }.letter())?;
                }
            }
        }
        let turn = if self.turn == Side::White { 'w' } else { 'b' };
        write!(out, "] {turn} - - {} {}", self.halfmove, self.fullmove)
    }

    fn cell(&self, square: Square) -> Cell {
        match self.board_piece_at(square) {
            None => Cell::Empty,
            Some(BoardPiece {
                piece,
                promoted: false,
            }) => Cell::Piece(diagram::DrawnPiece::of(piece)),
            Some(BoardPiece { piece, .. }) => {
                let gold = Piece {
                    role: Role::Gold,
                    ..piece
                };
                Cell::Piece(diagram::DrawnPiece::marked(
                    gold,
                    Mark::Promoted(piece.role),
                ))
            }
        }
    }

    fn hands(&self) -> Option<BySide<Vec<(Role, u8)>>> {
        Some(BySide::from_fn(|side| self.held(side)))
    }

    /// `a4a5g` for a Pawn that promotes, `c4c5+` for a Silver, as Fairy-Stockfish writes them.
    fn coordinates(&self, m: Move) -> MoveText {
        let mut text = MoveText::new();
        match m.from() {
            Some(from) => push_square(&mut text, from),
            None => {
                text.push(m.dropped().unwrap_or(Role::Pawn).letter());
                text.push('@');
            }
        }
        push_square(&mut text, m.to());
        if m.promotes() {
            let silver = m
                .from()
                .and_then(|from| self.piece_at(from))
                .is_some_and(|p| p.role == Role::Silver);
            text.push(if silver { '+' } else { 'g' });
        }
        text
    }
}

fn write_piece(out: &mut dyn Write, piece: BoardPiece) -> fmt::Result {
    if piece.promoted {
        out.write_char('+')?;
    }
    out.write_char(piece.piece.letter())
}

/// The position that a FEN describes, be it possible or not.
fn read_unchecked(text: &str) -> Result<Olympic, FenError> {
    let fields = fields(text);
    let missing = |what: &str| fault(text.len()..text.len(), format!("{what} is missing"));
    let Some(arranged) = fields.first() else {
        return missing("the placement");
    };
    let Some(side) = fields.get(1) else {
        return missing("the side to move");
    };
    against_fields(text, &fields)?;
    let bracket = text[arranged.clone()]
        .find('[')
        .map(|at| arranged.start + at);
    let placement = arranged.start..bracket.unwrap_or(arranged.end);
    let mut pieces = PieceCensus::default();
    fill(text, &placement, (5, 5), piece, |rank, file, occupant| {
        pieces.put((rank * 5 + file) as u32, occupant);
    })?;
    if let Some(bracket) = bracket {
        pieces.hands = hands(text, bracket..arranged.end)?;
    }
    Ok(Olympic {
        pieces,
        turn: turn(text, side)?,
        halfmove: counter(text, fields.get(4), 0, "plies since a capture or pawn move")?,
        fullmove: counter(text, fields.get(5), 1, "the number of the move")?.max(1),
    })
}

/// Checks the fields that say nothing in this game.
fn against_fields(text: &str, fields: &[Range<usize>]) -> Result<(), FenError> {
    if let Some(seventh) = fields.get(6) {
        return fault(
            seventh.clone(),
            "a FEN has six fields, and here is a seventh".into(),
        );
    }
    for unused in fields.iter().skip(2).take(2) {
        if &text[unused.clone()] != "-" {
            let what = format!(
                "this game has no castling and no en passant, so two fields `-` stand before the counters; \
                 here is `{}`",
                clip(&text[unused.clone()])
            );
            return fault(unused.clone(), what);
        }
    }
    Ok(())
}

/// The piece at the start of a text, and its length in bytes: `P`, `+P`, or `G~` for a promoted Pawn.
fn piece(text: &[u8]) -> Result<(BoardPiece, usize), &'static str> {
    const EXPECTED: &str = "a piece (PSGBRK psgbrk, +P +S when promoted)";
    let piece = |letter: u8| {
        Piece::from_letter(letter).filter(|piece| !matches!(piece.role, Role::Knight | Role::Queen))
    };
    let (piece, length, promoted) = match text {
        [b'+', letter, ..] => (piece(*letter), 2, true),
        [letter @ (b'G' | b'g'), b'~', ..] => (
            piece(*letter).map(|piece| Piece {
                role: Role::Pawn,
                ..piece
            }),
            2,
            true,
        ),
        [letter, ..] => (piece(*letter), 1, false),
        [] => (None, 0, false),
    };
    let occupant = piece
        .map(|piece| BoardPiece { piece, promoted })
        .ok_or(EXPECTED)?;
    let promotable = matches!(occupant.piece.role, Role::Pawn | Role::Silver);
    if promoted && !promotable {
        Err(EXPECTED)
    } else {
        Ok((occupant, length))
    }
}

/// Reads the brackets after the placement.
fn hands(text: &str, field: Range<usize>) -> Result<BySide<[u8; 5]>, FenError> {
    let inside = field.start + 1..field.end - 1;
    if !text[field.clone()].ends_with(']') {
        return fault(field, "the hands are not closed: `]` was expected".into());
    }
    let mut hands = BySide::both([0_u8; 5]);
    if &text[inside.clone()] == "-" {
        return Ok(hands);
    }
    for (here, letter) in letters(text, &inside) {
        let piece = u8::try_from(letter).ok().and_then(Piece::from_letter);
        let kind = piece.and_then(|piece| hand_index(piece.role));
        let (Some(piece), Some(kind)) = (piece, kind) else {
            return fault(
                here,
                format!("`{letter}` is not a piece that can be held (RBGSP rbgsp)"),
            );
        };
        let count = &mut hands[piece.side][kind];
        *count = count.saturating_add(1);
    }
    Ok(hands)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        for text in [
            "rbsgk/4p/5/P4/KGSBR[] w - - 0 1",
            "4k/1+P3/2+s2/5/K4[RRBgspp] b - - 7 31",
            "k4/5/5/5/4K[RBGSPrbgsp] w - - 0 1",
        ] {
            let ReadPosition {
                position, lenient, ..
            } = Olympic::read(text).unwrap();
            assert_eq!((position.fen(), lenient), (text.to_string(), false));
        }
    }

    #[test]
    fn other_dialects_are_forgiven() {
        for (text, canonical) in [
            (
                "4k/1G~3/5/5/K4[pR] w - - 0 1",
                "4k/1+P3/5/5/K4[Rp] w - - 0 1",
            ),
            ("4k/5/5/5/K4 w", "4k/5/5/5/K4[] w - - 0 1"),
            ("4k/5/5/5/K4[-] w - - 0 0", "4k/5/5/5/K4[] w - - 0 1"),
        ] {
            let ReadPosition {
                position, lenient, ..
            } = Olympic::read(text).unwrap();
            assert_eq!((position.fen().as_str(), lenient), (canonical, true));
        }
    }

    #[test]
    fn faults_point_at_their_bytes() {
        for (text, bytes) in [
            ("", 0..0),
            ("4k/5/5/5/K4[]", 13..13),
            ("4k/5/6/5/K4[] w - - 0 1", 5..6),
            ("4k/5/5/5/K3N[] w - - 0 1", 11..12),
            ("4k/5/5/5/K3+R[] w - - 0 1", 11..12),
            ("4k/5/5/5/K4[Q] w - - 0 1", 12..13),
            ("4k/5/5/5/K4[R w - - 0 1", 11..13),
            ("4k/5/5/5/K4[é] w - - 0 1", 12..14),
            ("4k/5/5/5/K4[] x - - 0 1", 14..15),
            ("4k/5/5/5/K4[] w KQ - 0 1", 16..18),
            ("4k/5/5/5/K4[] w - - x 1", 20..21),
        ] {
            match Olympic::read(text) {
                Err(PositionError::Text(fault)) => {
                    assert_eq!(fault.bytes, bytes, "{text}: {fault}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
