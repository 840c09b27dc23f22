//! How positions and plies of linked boards are written.

use crate::{
    one_board::notation::BoardNotation,
    side_by_side::{SEAM, fens, seen},
    strategichess::{
        Strategi,
        board::Board,
        linked::{Edition, Linked, LinkedBoard, Options, Ply},
        notation::read_unchecked,
        squares::square_at,
    },
};
use overboard_formats::san::{LINKED, MoveText, PlyText, Spelt, Suffix, board_index, push_square};
use overboard_pictures::diagram::{Cell, Diagram, DrawnPiece, Panel, PanelRow};
use overboard_referee::game::{
    listing::{Listed, SpeltPly},
    notation::{Notation, Read},
    position::{PositionError, ReadPosition},
};
use overboard_rules::{
    by_side::BySide,
    game::{Game, Said},
    outcome::{Cause, Outcome, Ruling},
    path::BoardPath,
    ply::{BoardName, Written},
    square::{Piece, Role, Side, Square},
    variant::{
        Cecp, Extension, OptionValue, RuleOption, Sample, Sign, SignKind, Spelling, VariantInfo,
    },
};
use std::{fmt::Write, ops::ControlFlow};

/// What is drawn on its boards.
static SIGNS: [Sign; 3] = [
    Sign::new(
        SignKind::Road,
        "On a road, a pawn may also go sideways.",
        &crate::strategichess::laws::ROADS_ASIDE,
    ),
    Sign::new(
        SignKind::Seam,
        "Here two boards adjoin. A piece may cross to the next board, and stops on the first square that it enters.",
        &super::laws::CROSSING,
    ),
    Sign::new(
        SignKind::Kings,
        "The kings that each team has left. A team that loses its last king loses the match.",
        &super::laws::LAST_KING_MATED,
    ),
];

/// The registry entry of `StrategiChess`, on one board and on linked ones.
pub static INFO: VariantInfo = VariantInfo {
    name: "StrategiChess",
    in_words: "StrategiChess",
    intro: "Chess on large boards with roads; boards of a team match stand side by side, and pieces may cross to the next one.",
    signs: &SIGNS,
    spellings: &[Spelling::new("strategichess")],
    arguments: &["strategichess"],
    options: &[
        RuleOption {
            name: "edition",
            value: OptionValue::OneOf(&["2003", "2025"]),
            words: |year| format!("edition of {year}"),
            rule: &super::laws::LATER_DETAILS,
        },
        RuleOption {
            name: "flag",
            value: OptionValue::OneOf(&["king", "end"]),
            words: |what| match what {
                "end" => "a fallen flag ends all play".into(),
                _ => "a fallen flag costs the king".into(),
            },
            rule: &super::laws::FALLEN,
        },
    ],
    has_boards: true,
    counts_kings: true,
    cecp: Some(Cecp {
        name: "strategichess",
        castles_in_letters: false,
        edit: None,
        setup: &[
            // Not XBoard's own pawn letter: such a pawn would promote.
            "setup (.NBRQ.....P..........K.nbrq.....p..........k) 14x14+0_fairy 14/14/rnbbnrqkrnbbnr/pppppppppppppp/14/14/14/14/14/14/PPPPPPPPPPPPPP/RNBBNRQKRNBBNR/14/14 w - - 0 1",
            "piece P& fmWbmWsmWfcFimfnDimfnH",
        ],
    }),
    pages: &[
        &crate::strategichess::laws::PAGE,
        &crate::strategichess::linked::laws::PAGE,
    ],
    laws: crate::strategichess::laws::LAWS,
    linked_laws: Some(super::laws::LAWS),
    samples: &[
        Sample::PLAIN,
        Sample::on(2, ""),
        Sample::on(2, "edition=2025"),
        Sample::on(3, "flag=end"),
    ],
    extensions: &[Extension::Beside, Extension::BoardNumber],
    offence: Some(&super::laws::OTHER_WORDS),
    ..VariantInfo::BASE
};

/// The FENs of linked boards as read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The position that they describe.
    pub linked: Linked,
    /// Whether their form was lenient.
    pub lenient: bool,
    /// The kings in them, by board, that were removed at once: mated, and not their teams' last (SC-38).
    pub mated: Vec<(usize, Side)>,
}

/// Reads the FENs of linked boards, board A first.
///
/// # Errors
/// What is wrong with the text, or why it is not a position.
pub fn read(text: &str, edition: Edition) -> Result<Reading, PositionError> {
    let boards = fens::each(text, read_unchecked)?;
    let linked = Linked::of_boards(&boards, edition).map_err(PositionError::Boards)?;
    let mut mated = Vec::new();
    for (at, alone) in boards.iter().enumerate() {
        for (side, kings) in alone.board.count_kings().pairs() {
            if *kings > 0 && linked.king_on(at, side).is_none() {
                mated.push((at, side));
            }
        }
    }
    // A change that comes from removing a mated king does not make the form lenient.
    let lenient = if mated.is_empty() {
        fen(&linked)
    } else {
        Vec::from_iter(boards.iter().map(Strategi::fen)).join(SEAM)
    } != text;
    Ok(Reading {
        linked,
        lenient,
        mated,
    })
}

/// Reads the FEN of one board of a match, as board A. A second board holds the kings that it lacks, so that it can be
/// drawn; legality there depends on the unknown boards.
///
/// # Errors
/// What is wrong with the text, or why it is not a board of a match.
pub fn read_one(text: &str, edition: Edition) -> Result<Linked, PositionError> {
    let known = read_unchecked(text.trim())?;
    let array = Strategi::default();
    let mut beside = Strategi {
        board: Board::default(),
        turn: known.turn,
        ..array
    };
    for (side, kings) in known.board.count_kings().pairs() {
        if *kings == 0 {
            let role = Role::King;
            beside
                .board
                .put(array.king_index(side), Piece { side, role });
        }
    }
    Linked::of_boards(&[known, beside], edition).map_err(PositionError::Boards)
}

/// The FENs of linked boards.
#[must_use]
pub fn fen(linked: &Linked) -> String {
    let boards: Vec<_> = (0..linked.boards())
        .map(|board| board_fen(linked, board))
        .collect();
    boards.join(SEAM)
}

/// The FEN of one of them.
#[must_use]
pub fn board_fen(linked: &Linked, board: usize) -> String {
    let seat = &linked.seats[board];
    let alone = Strategi {
        board: seat.board,
        turn: seat.turn,
        halfmove: linked.halfmove(board),
        fullmove: seat.fullmove,
    };
    alone.fen()
}

/// A ply in coordinates: `A.e4e5`, `A.n5a5/B`, `B.--`.
#[must_use]
pub fn coordinates(ply: Ply) -> MoveText {
    let mut text = MoveText::new();
    // At most fourteen letters.
    let _ = write!(text, "{}.", BoardName(ply.board()));
    match ply.squares() {
        None => text.push_str("--"),
        Some((from, to)) => {
            push_square(&mut text, from);
            push_square(&mut text, to);
        }
    }
    if ply.over().is_some() {
        let _ = write!(text, "/{}", BoardName(ply.arrives_on()));
    }
    text
}

/// A legal ply as SAN with its sign.
#[must_use]
pub fn san(linked: &Linked, ply: Ply) -> MoveText {
    let after = linked.after(ply);
    let mut text = Spelt(linked.written(ply)).text();
    if ply.is_pass() {
        return text;
    }
    text.push_str(suffix(linked.kings(), &after, linked.turn(ply.board())).as_str());
    text
}

/// The sign of a ply of this side that led here from a position with these numbers of kings: `#` for a mate, of the
/// last king or, in the edition of 2025, of any; `+` if an opponents' king is attacked, the last one or, in the edition
/// of 2025, any.
#[must_use]
pub fn suffix(kings: BySide<u32>, after: &Linked, side: Side) -> Suffix {
    let later = after.edition() == Edition::Of2025;
    let mated = after
        .end_by_itself()
        .is_some_and(|ruling| ruling.cause == Cause::Checkmate);
    let removed = later && after.kings() != kings;
    if mated || removed {
        return Suffix::Mate;
    }
    let opponents = side.other();
    let counts = later || after.kings()[opponents] == 1;
    let attacked = |board| after.is_attacked_king(board, opponents);
    if counts && (0..after.boards()).any(attacked) {
        Suffix::Check
    } else {
        Suffix::None
    }
}

/// One of the boards.
#[must_use]
pub fn panel(linked: &Linked, board: usize) -> Panel {
    let mut panel = Panel::new(14, 14);
    let here = &linked.seats[board].board;
    for on in here.occupied() {
        if let Some(piece) = here.piece_at(on) {
            panel.put(square_at(on), Cell::Piece(DrawnPiece::of(piece)));
        }
    }
    let side = linked.turn(board);
    panel.title = Some(format!("Board {}", BoardName(board)).into());
    panel.roads = Strategi::ROADS.to_vec();
    panel.closed = linked.is_closed(board);
    panel.turn = if panel.closed { None } else { Some(side) };
    for side in Side::BOTH {
        if linked.is_attacked_king(board, side) {
            panel.checked.extend(linked.king_on(board, side));
        }
    }
    panel
}

/// Whether a piece of the side to move on a board has left its square.
fn has_left(before: &Linked, after: &Linked, board: usize) -> bool {
    let own = before.seats[board].board.all(before.turn(board));
    !(own & !after.seats[board].board.occupied()).is_empty()
}

impl Notation for Linked {
    const INFO: &'static VariantInfo = &INFO;

    fn read_fen(options: &Options, fen: &str) -> Read<Self> {
        let read = read(fen, options.edition)?;
        let position = read.linked.with_flag(options.flag);
        Ok(ReadPosition::of(position, read.lenient))
    }

    fn fen_on(&self, at: LinkedBoard) -> Option<String> {
        match at {
            LinkedBoard::All => Some(fen(self)),
            LinkedBoard::One(_) => self.seat(at).map(|board| board_fen(self, board)),
        }
    }

    fn coordinates(&self, ply: Ply) -> PlyText {
        PlyText::from(coordinates(ply).as_str())
    }

    fn san(&self, ply: Ply) -> PlyText {
        PlyText::from(san(self, ply).as_str())
    }

    /// The legal ply with these coordinates, in upper or lower case.
    fn by_coordinates(&self, text: &str) -> Option<Ply> {
        let letters = text.split('.').next()?;
        let at = LinkedBoard::One(board_index(letters.as_bytes())?);
        if text.ends_with(".--") {
            // Players may agree to pass although no list contains it.
            let said = Said::Ply(Written::Pass);
            let passes = self.resolve(at, said).ok()?;
            let pass = *passes.first()?;
            return if coordinates(pass).eq_ignore_ascii_case(text) {
                Some(pass)
            } else {
                None
            };
        }
        let mut found = None;
        let _ = self.legal_on(at, |ply| {
            if coordinates(ply).eq_ignore_ascii_case(text) {
                found = Some(ply);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// Whether a king that must be safe is attacked with its player to move (SC-25, SC-62).
    fn is_check(&self, at: LinkedBoard) -> bool {
        match at {
            LinkedBoard::All => (0..Self::boards(self)).any(|board| self.in_check(board)),
            LinkedBoard::One(board) => self.in_check(usize::from(board)),
        }
    }

    fn diagram(&self, _last: &[Square]) -> Diagram {
        let panels = (0..self.boards()).map(|board| panel(self, board)).collect();
        Diagram {
            rows: vec![PanelRow {
                panels,
                joined: true,
            }],
            ..Diagram::default()
        }
    }

    fn mark(&self, diagram: &mut Diagram, _path: &BoardPath, coordinates: &str) {
        seen::mark(diagram, coordinates, &LINKED);
    }

    /// The board with letters such as `B`.
    fn zoomed(&self, name: &str, drawn: Diagram) -> Result<(Diagram, String), String> {
        let (drawn, board) = seen::alone(name, drawn, self.boards())?;
        Ok((drawn, board_fen(self, board)))
    }

    fn boards(&self) -> usize {
        Self::boards(self)
    }

    /// The board whose turn has passed; of two, as after a crossing in the edition of 2025, the one that the piece
    /// left.
    fn made_since(&self, before: &Self) -> Option<(Side, u32, LinkedBoard)> {
        let turned =
            (0..Self::boards(self)).filter(|board| self.turn(*board) != before.turn(*board));
        let turned = Vec::from_iter(turned);
        let left = turned.iter().find(|board| has_left(before, self, **board));
        let board = *left.or(turned.first())?;
        Some((
            before.turn(board),
            before.fullmove(board),
            LinkedBoard::of(board),
        ))
    }

    /// White's and Black's kings as they count at the end: a mated last king does not count (SC-36).
    fn kings(&self) -> Option<BySide<u32>> {
        let mut kings = Self::kings(self);
        if let Some(Ruling {
            outcome: Outcome::Win(winner),
            cause: Cause::Checkmate,
            ..
        }) = self.end_by_itself()
        {
            kings[winner.other()] = 0;
        }
        Some(kings)
    }

    fn choices(&self) -> Option<u64> {
        Some(if self.end_by_itself().is_none() {
            self.count_legal()
        } else {
            0
        })
    }

    fn for_each_spelt(&self, visit: &mut impl FnMut(SpeltPly<'_>)) {
        let _ = self.legal(|ply| {
            visit(SpeltPly::Listed(&Listed {
                coord: self.coordinates(ply),
                san: Notation::san(self, ply),
                made: Some((ply.board() as u16, self.turn(ply.board()))),
            }));
            ControlFlow::Continue(())
        });
    }
}
