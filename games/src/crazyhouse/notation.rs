//! Names of Crazyhouse, and how its positions and moves are written.
//!
//! A FEN of Crazyhouse is one of chess with `~` after each promoted piece and the pockets in brackets after the
//! placement, White's in capitals. Older programs write the pockets as a ninth rank, and those for chess not at all.

use super::{CrazyhouseBy, HELD, Pockets, bit, laws as law};
use crate::{
    chess::{ChessBy, ChessLaws, Move, Orthodox},
    chess960::{ARRAYS, Shuffled, array},
    fen::{Fen, fault, fill, letters, piece_of_chess, write_rank, write_rest},
    one_board::notation::BoardNotation,
};
use overboard_formats::san::{self, Alphabet, MoveText, push_square};
use overboard_pictures::diagram::{Cell, DrawnPiece, Mark};
use overboard_referee::game::position::{Doubt, FenError, PositionError, ReadPosition};
use overboard_rules::{
    by_side::BySide,
    ply::Wing,
    position::Explain as _,
    rule::Rule,
    setup::{Impossible, Setup},
    square::{Piece, Role, Side, Square},
    variant::{
        Cecp, Extension, OptionValue, RuleOption, Sample, Sign, SignKind, Spelling, Starts,
        UciSwitch, VariantInfo,
    },
};
use std::{
    fmt::{self, Write},
    ops::Range,
};

/// The names of a form of Crazyhouse, by the chess that is played on its board.
///
/// ```
/// use overboard_games::{chess::Orthodox, chess960::Shuffled, crazyhouse::CrazyhouseLaws};
///
/// assert_eq!(<Orthodox as CrazyhouseLaws>::INFO.name, "Crazyhouse");
/// assert_eq!(<Shuffled as CrazyhouseLaws>::INFO.name, "Crazyhouse960");
/// ```
pub trait CrazyhouseLaws: ChessLaws {
    /// The registry entry.
    const INFO: &'static VariantInfo;
}

impl CrazyhouseLaws for Orthodox {
    const INFO: &'static VariantInfo = &INFO;
}

impl CrazyhouseLaws for Shuffled {
    const INFO: &'static VariantInfo = &INFO_960;
}

/// What is drawn on its boards.
static SIGNS: [Sign; 2] = [
    Sign::new(
        SignKind::Hand,
        "Captured pieces in the pocket of a player, who may drop one on an empty square instead of moving.",
        &law::DROP,
    ),
    Sign::new(
        SignKind::Promoted,
        "It was a pawn. When it is captured, it goes to the pocket as a pawn.",
        &law::POCKET,
    ),
];

/// What the tag Rules may contain.
static OPTIONS: [RuleOption; 1] = [RuleOption {
    name: "flag",
    value: OptionValue::OneOf(&["always"]),
    words: |_| "a player whose flag falls loses, whatever the opponent has".into(),
    rule: &law::DRAWS,
}];

/// What the registry says of both arrays alike.
const BASE: VariantInfo = VariantInfo {
    signs: &SIGNS,
    options: &OPTIONS,
    extensions: &[Extension::Drop],
    laws: law::LAWS,
    samples: &[Sample::PLAIN, Sample::under("flag=always")],
    ..VariantInfo::BASE
};

/// The registry entry of Crazyhouse.
pub static INFO: VariantInfo = VariantInfo {
    name: "Crazyhouse",
    in_words: "Crazyhouse",
    intro: "Chess in which a captured piece changes sides, and its captor may drop it instead of moving.",
    spellings: &Spelling::all(["crazyhouse", "crazy house", "crazy-house"]),
    arguments: &["crazyhouse"],
    cecp: Some(Cecp {
        name: "crazyhouse",
        castles_in_letters: false,
        setup: &[],
        edit: None,
    }),
    pages: &[&law::PAGE],
    ..BASE
};

/// The registry entry of Crazyhouse with the castling and the arrays of Chess960.
pub static INFO_960: VariantInfo = VariantInfo {
    name: "Crazyhouse960",
    in_words: "Crazyhouse960",
    intro: "Crazyhouse in which the pieces behind the pawns start in an order drawn by lot.",
    spellings: &Spelling::all(["crazyhouse960", "crazyhouse 960", "crazyhouse-960"]),
    arguments: &["crazyhouse960"],
    // Programs for XBoard have no name for it.
    cecp: None,
    uci: Some(UciSwitch {
        option: "UCI_Chess960",
        of: "crazyhouse",
    }),
    starts: Some(Starts {
        count: ARRAYS,
        fen: |number| {
            let array = array(number).unwrap_or_default();
            array.replacen(' ', "[] ", 1)
        },
    }),
    pages: &[&law::PAGE_960],
    ..BASE
};

impl<L: CrazyhouseLaws> BoardNotation for CrazyhouseBy<L> {
    const INFO: &'static VariantInfo = <L as CrazyhouseLaws>::INFO;
    const ALPHABET: Alphabet = san::CRAZYHOUSE;
    const SET_UP: &'static Rule = &law::FEN;
    const FEN_FORM: &'static str = "a FEN of Crazyhouse has the pockets in brackets after the placement, such as `[Qp]` or `[]`, `~` after a promoted piece, and six fields with one space between them, the last from 1 on";
    const PROMOTIONS: &'static [Role] = <ChessBy<L> as BoardNotation>::PROMOTIONS;

    fn read(fen: &str) -> Result<ReadPosition<Self>, PositionError> {
        let SetUp {
            position,
            lenient,
            doubts,
            counts,
        } = set_up::<L>(fen)?;
        let ours = |mut reasons: Vec<Impossible>| {
            if exceeds(counts, 1) {
                reasons.push(Impossible::TooManyPieces);
            }
            reasons
        };
        Ok(ReadPosition {
            position: position.map_err(|reasons| PositionError::Impossible(ours(reasons)))?,
            lenient,
            doubts: Doubt::on("", ours(doubts)),
        })
    }

    fn write_fen(&self, out: &mut impl Write) -> fmt::Result {
        let setup = self.chess.to_setup();
        for rank in (0..8).rev() {
            let squares = (0..8).map(|file| {
                let square = Square::new(file, rank);
                let piece = setup.piece_at(square)?;
                Some((piece, self.is_promoted(square)))
            });
            write_rank(out, squares, |out, (piece, is_promoted)| {
                out.write_char(piece.letter())?;
                out.write_str(if is_promoted { "~" } else { "" })
            })?;
            out.write_char(if rank > 0 { '/' } else { '[' })?;
        }
        for side in Side::BOTH {
            for (role, count) in self.pockets.held(side) {
                for _ in 0..count {
                    out.write_char(Piece { side, role }.letter())?;
                }
            }
        }
        out.write_char(']')?;
        write_rest(out, &setup, L::rights(&setup))
    }

    /// Drops name their piece by a capital for both sides: `P@e4`.
    fn coordinates(&self, m: Move) -> MoveText {
        let Some(role) = m.dropped() else {
            return self.chess.coordinates(m);
        };
        let mut text = MoveText::new();
        text.push(role.letter());
        text.push('@');
        push_square(&mut text, m.to());
        text
    }

    fn other_coordinates(&self, m: Move) -> Option<MoveText> {
        self.chess.other_coordinates(m)
    }

    fn castling_of(&self, from: Square, to: Square) -> Option<Wing> {
        self.chess.castling_of(from, to)
    }

    fn cell(&self, square: Square) -> Cell {
        match self.piece_at(square) {
            None => Cell::Empty,
            Some(piece) if self.is_promoted(square) => {
                Cell::Piece(DrawnPiece::marked(piece, Mark::Promoted(Role::Pawn)))
            }
            Some(piece) => Cell::Piece(DrawnPiece::of(piece)),
        }
    }

    fn hands(&self) -> Option<BySide<Vec<(Role, u8)>>> {
        Some(BySide::from_fn(|side| self.pockets.held(side).collect()))
    }
}

/// A board with pockets as its FEN has it, however many pieces there are.
pub(crate) struct SetUp<L> {
    /// The position, or every reason why it is none.
    pub position: Result<CrazyhouseBy<L>, Vec<Impossible>>,
    /// Whether the form was irregular.
    pub lenient: bool,
    /// What says that no game leads to it, apart from the number of pieces.
    pub doubts: Vec<Impossible>,
    /// The pieces on the board and in the pockets by kind, in the order of [`HELD`].
    pub counts: [usize; HELD.len()],
}

/// Reads a FEN without counting pieces.
///
/// # Errors
/// What is wrong with the text.
pub(crate) fn set_up<L: CrazyhouseLaws>(fen: &str) -> Result<SetUp<L>, FenError> {
    let long = L::short_for(fen)?;
    let text = long.as_deref().unwrap_or(fen);
    let mut placed = Placed::default();
    let Fen { setup, lenient } =
        Fen::parse_placed(text, |text, field| placed.read(text, field), L::READ_RIGHTS)?;
    let uncounted = |mut reasons: Vec<Impossible>| {
        reasons.retain(|reason| *reason != Impossible::TooMuchMaterial);
        reasons
    };
    let (position, doubts) = match ChessBy::<L>::as_set_up(&setup) {
        Ok((chess, doubts)) => (Ok(chess), uncounted(doubts)),
        Err(reasons) => (Err(uncounted(reasons)), Vec::new()),
    };
    Ok(SetUp {
        position: position.map(|chess| CrazyhouseBy {
            chess: chess.unlisted(),
            pockets: placed.pockets,
            promoted: placed.promoted,
            ..CrazyhouseBy::default()
        }),
        lenient: lenient || !placed.is_canonical,
        doubts,
        counts: placed.counts(&setup),
    })
}

/// Whether there are more pieces of a kind than games on so many boards begin with.
pub(crate) fn exceeds(counts: [usize; HELD.len()], boards: usize) -> bool {
    // Queens, rooks, bishops, knights and pawns of both sides.
    let most = [2, 4, 4, 4, 16];
    counts
        .iter()
        .zip(most)
        .any(|(count, most)| *count > boards * most)
}

/// What a FEN says beside the pieces of chess.
#[derive(Default)]
struct Placed {
    pockets: Pockets,
    promoted: u64,
    /// Whether the pockets are written in brackets.
    is_canonical: bool,
}

/// The most pieces on the board and in the pockets together: as many as the board has squares.
const MOST: usize = 64;

impl Placed {
    /// Reads the first field of a FEN.
    fn read(&mut self, text: &str, field: &Range<usize>) -> Result<[Option<Piece>; 64], FenError> {
        let (pieces, pockets) = self.parts(text, field)?;
        let mut board = [None; 64];
        fill(text, &pieces, (8, 8), piece, |rank, file, (piece, mark)| {
            let square = Square::new(file as u8, rank as u8);
            board[rank * 8 + file] = Some(piece);
            if mark {
                self.promoted |= bit(square);
            }
        })?;
        for (here, letter) in letters(text, &pockets) {
            let piece = u8::try_from(letter).ok().and_then(Piece::from_letter);
            let Some(piece) = piece.filter(|piece| HELD.contains(&piece.role)) else {
                return fault(
                    here,
                    format!("`{letter}` is not a piece that a pocket can hold (QRBNP qrbnp)"),
                );
            };
            self.pockets.put(piece.side, piece.role);
            if self.pockets.total() + board.iter().flatten().count() > MOST {
                return fault(
                    pockets.clone(),
                    format!("there are more than {MOST} pieces on the board and in the pockets"),
                );
            }
        }
        Ok(board)
    }

    /// Where the pieces and the pockets are in the first field: in brackets, as a ninth rank, or nowhere.
    fn parts(
        &mut self,
        text: &str,
        field: &Range<usize>,
    ) -> Result<(Range<usize>, Range<usize>), FenError> {
        let written = &text[field.clone()];
        if let Some(at) = written.find('[') {
            let bracket = field.start + at;
            if !written.ends_with(']') {
                return fault(
                    bracket..field.end,
                    "the pockets are not closed: `]` was expected".into(),
                );
            }
            let inside = bracket + 1..field.end - 1;
            let is_dash = &text[inside.clone()] == "-";
            self.is_canonical = !is_dash;
            let inside = if is_dash {
                inside.end..inside.end
            } else {
                inside
            };
            return Ok((field.start..bracket, inside));
        }
        let end = field.end;
        Ok(match written.match_indices('/').nth(7) {
            Some((at, _)) => {
                let slash = field.start + at;
                (field.start..slash, slash + 1..end)
            }
            None => (field.clone(), end..end),
        })
    }

    /// The pieces on the board and in the pockets by kind; a promoted one counts as a pawn.
    fn counts(&self, setup: &Setup) -> [usize; HELD.len()] {
        let mut counts = [0; HELD.len()];
        let mut count = |role, number: usize| {
            if let Some(kind) = HELD.iter().position(|held| *held == role) {
                counts[kind] += number;
            }
        };
        for (square, piece) in (0..).zip(&setup.board) {
            if let Some(piece) = piece {
                let is_promoted = self.promoted >> square & 1 == 1;
                count(if is_promoted { Role::Pawn } else { piece.role }, 1);
            }
        }
        for side in Side::BOTH {
            for (role, held) in self.pockets.held(side) {
                count(role, held.into());
            }
        }
        counts
    }
}

/// The piece at the start of a text, whether it was promoted, and its length in bytes.
fn piece(text: &[u8]) -> Result<((Piece, bool), usize), &'static str> {
    let (piece, length) = piece_of_chess(text)?;
    match text.get(length) {
        Some(b'~') if matches!(piece.role, Role::Pawn | Role::King) => Err(
            "a piece (PNBRQK pnbrqk, with `~` if it was promoted, which pawns and kings are not)",
        ),
        Some(b'~') => Ok(((piece, true), length + 1)),
        _ => Ok(((piece, false), length)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crazyhouse::{Crazyhouse, Crazyhouse960};

    const BOARD: &str = "rnb1kbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR";

    #[test]
    fn what_is_read_is_written_again() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
            "rnb1kbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR[QPp] b KQkq - 0 3",
            "4k3/1Q~6/8/8/8/8/8/3r~K3[QRRBBNNNPqrpppppp] w - - 7 31",
        ] {
            let read = Crazyhouse::read(text).unwrap();
            assert_eq!((read.position.fen(), read.lenient), (text.into(), false));
            assert!(read.doubts.is_empty(), "{text}");
        }
    }

    #[test]
    fn other_forms_of_pockets_are_read() {
        for (pockets, canonical) in [("[-]", "[]"), ("", "[]"), ("/", "[]"), ("/pQpP", "[QPpp]")] {
            let text = format!("{BOARD}{pockets} w KQkq - 0 1");
            let read = Crazyhouse::read(&text).unwrap();
            let written = format!("{BOARD}{canonical} w KQkq - 0 1");
            assert_eq!(
                (read.position.fen(), read.lenient),
                (written, true),
                "{text}"
            );
        }
        let read = Crazyhouse960::read("0").unwrap();
        assert!(
            read.lenient
                && read
                    .position
                    .fen()
                    .starts_with("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR[] w")
        );
    }

    #[test]
    fn faults_point_at_their_bytes() {
        for (placement, bytes) in [
            ("4k3/8/8/8/8/8/8/4K3[X]", 20..21),
            ("4k3/8/8/8/8/8/8/4K3[K]", 20..21),
            ("4k3/8/8/8/8/8/8/4K3[Qé]", 21..23),
            ("4k3/8/8/8/8/8/8/4K3[Q", 19..21),
            ("4k3/8/8/8/8/8/8/4K~3[]", 17..18),
            ("4k3/8/8/8/8/8/8/4K3/Q/", 21..22),
        ] {
            match Crazyhouse::read(&format!("{placement} w - - 0 1")) {
                Err(PositionError::Text(fault)) => {
                    assert_eq!(fault.bytes, bytes, "{placement}: {fault}");
                }
                other => panic!("{placement}: {other:?}"),
            }
        }
        let many = format!("4k3/8/8/8/8/8/8/4K3[{}] w - - 0 1", "Q".repeat(300));
        assert!(Crazyhouse::read(&many).is_err());
    }

    #[test]
    fn pieces_that_the_game_does_not_have_are_doubted() {
        for (placement, is_doubted) in [
            ("4k3/8/8/8/8/8/QQ6/4K3[]", false),
            ("4k3/8/8/8/8/8/QQ6/4K3[q]", true),
            ("4k3/8/8/8/8/8/QQ~6/4K3[q]", false),
            ("4k3/pppppppp/pppp4/8/8/8/PPPP4/4K3[]", false),
            ("4k3/pppppppp/pppp4/8/8/8/PPPP4/Q~3K3[]", true),
        ] {
            let text = format!("{placement} w - - 0 1");
            let read = Crazyhouse::read(&text).unwrap();
            assert_eq!(!read.doubts.is_empty(), is_doubted, "{text}");
        }
    }
}
