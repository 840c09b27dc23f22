//! Names of Bughouse, and how its positions and plies are written.

use super::{BOARDS, Bughouse, LinkedBoard, Options, PawnRanks, Ply, laws as law};
use crate::{
    chess::Orthodox,
    crazyhouse::{Crazyhouse, SetUp, exceeds, set_up},
    one_board::notation::BoardNotation as _,
    side_by_side::{SEAM, SideBySide as _, fens, seen},
};
use overboard_formats::san::{CRAZYHOUSE, MoveText, PlyText, Spelt, Suffix, board_index};
use overboard_pictures::diagram::{Diagram, Panel, PanelRow};
use overboard_referee::game::{
    listing::{Listed, SpeltPly},
    notation::{Notation, Read},
    position::{Doubt, FenError, PositionError, ReadPosition},
};
use overboard_rules::{
    game::Game,
    path::BoardPath,
    ply::BoardName,
    position::Movegen as _,
    setup::Impossible,
    square::{Side, Square},
    variant::{Extension, OptionValue, RuleOption, Sample, Sign, SignKind, Spelling, VariantInfo},
};
use std::{fmt::Write as _, ops::ControlFlow};

/// What is drawn on its boards.
static SIGNS: [Sign; 2] = [
    Sign::new(
        SignKind::Hand,
        "Pieces that the partner captured on the other board. Their player may drop one on an empty square instead of moving.",
        &law::PARTNER,
    ),
    Sign::new(
        SignKind::Promoted,
        "It was a pawn. When it is captured, it goes to the other board as a pawn.",
        &law::PARTNER,
    ),
];

/// What the tag Rules may contain.
static OPTIONS: [RuleOption; 6] = [
    RuleOption {
        name: "drop",
        value: OptionValue::OneOf(&["any", "no-bughouse-mate", "no-chess-mate", "no-check"]),
        words: |what| match what {
            "no-bughouse-mate" => "a drop may not mate".into(),
            "no-chess-mate" => {
                "a drop may not give what is mate if no piece is dropped in answer".into()
            }
            "no-check" => "a drop may not give check".into(),
            _ => "a drop may give check and mate".into(),
        },
        rule: &law::OPTIONS,
    },
    RuleOption {
        name: "pawndrop",
        value: OptionValue::Text(|ranks| PawnRanks::read(ranks).is_some()),
        words: |ranks| format!("pawns may be dropped on the ranks {ranks}, as their player counts"),
        rule: &law::OPTIONS,
    },
    RuleOption {
        name: "promotion",
        value: OptionValue::OneOf(&["upgrade"]),
        words: |_| "a pawn becomes another piece, and a pawn again when it is captured".into(),
        rule: &law::OPTIONS,
    },
    RuleOption {
        name: "mate",
        value: OptionValue::OneOf(&["pocket"]),
        words: |_| "only pieces in the pocket can answer a mate".into(),
        rule: &law::MATE,
    },
    RuleOption {
        name: "draw",
        value: OptionValue::OneOf(&["team", "both"]),
        words: |who| match who {
            "both" => "a draw takes the players of both boards".into(),
            _ => "a draw takes one player of each team".into(),
        },
        rule: &law::MATCH_END,
    },
    RuleOption {
        name: "repetition",
        value: OptionValue::OneOf(&["claim", "auto", "none"]),
        words: |what| match what {
            "auto" => "the third occurrence of a position on a board ends the match".into(),
            "none" => "repetition means nothing".into(),
            _ => "a draw by repetition may be claimed".into(),
        },
        rule: &law::REPETITION,
    },
];

/// The registry entry of Bughouse.
pub static INFO: VariantInfo = VariantInfo {
    name: "Bughouse",
    in_words: "Bughouse",
    intro: "Chess for two teams of two on two boards: what a player captures, the partner may drop on the other board.",
    signs: &SIGNS,
    spellings: &Spelling::all(["bughouse", "bug house", "bughouse chess"]),
    own_tags: &super::bpgn::tags::PLAYERS,
    arguments: &["bughouse"],
    options: &OPTIONS,
    of_pairs: true,
    extensions: &[Extension::Drop, Extension::BoardNumber],
    pages: &[&law::PAGE],
    laws: law::LAWS,
    samples: &[
        Sample::PLAIN,
        Sample::under("mate=pocket"),
        Sample::under("drop=no-check:pawndrop=2-6"),
        Sample::under("drop=no-chess-mate:repetition=auto"),
        Sample::under("drop=no-bughouse-mate:mate=pocket:repetition=none"),
    ],
    ..VariantInfo::BASE
};

/// How its FEN must be written, in a sentence.
pub(super) const FEN_FORM: &str = "the FENs of both boards are joined by ` | `, each with pockets in brackets after the placement, such as `[Qp]` or `[]`, `~` after a promoted piece, and six fields with one space between them, the last from 1 on";

impl Bughouse {
    /// The position of the FENs of both boards.
    fn read(text: &str, agreed: Options) -> Result<ReadPosition<Self>, PositionError> {
        let read = fens::each(text, |board| set_up::<Orthodox>(&with_corners(board)))?;
        let count = read.len();
        let Ok([one, other]) = <[SetUp<Orthodox>; BOARDS]>::try_from(read) else {
            return Err(PositionError::Text(FenError {
                what: format!(
                    "there are two boards, with ` | ` between their FENs, and not {count}"
                ),
                bytes: 0..text.len(),
            }));
        };
        let mut counts = one.counts;
        for (sum, count) in counts.iter_mut().zip(other.counts) {
            *sum += count;
        }
        let mut doubts = Vec::new();
        for (name, board) in [("board A", &one), ("board B", &other)] {
            doubts.extend(Doubt::on(name, board.doubts.clone()));
        }
        if exceeds(counts, BOARDS) {
            doubts.extend(Doubt::on("", vec![Impossible::TooManyPieces]));
        }
        let lenient = one.lenient || other.lenient;
        let boards = both(one.position, other.position)?;
        let position = Self::arranged(boards, agreed);
        Ok(ReadPosition {
            lenient: lenient || position.fen() != text,
            position,
            doubts,
        })
    }

    /// A position whose board A is the one with this FEN, with board B as it is at first: only for drawing.
    ///
    /// # Errors
    /// If the text is not the FEN of a board.
    pub fn read_one(fen: &str) -> Result<Self, PositionError> {
        let one = set_up::<Orthodox>(fen)?.position;
        let boards = both(one, Ok(Crazyhouse::default()))?;
        Ok(Self::arranged(boards, Options::default()))
    }

    /// A ply in coordinates: `A.e2e4`, `B.N@f3`.
    pub(super) fn in_coordinates(&self, Ply { board, made }: Ply) -> MoveText {
        let mut text = MoveText::new();
        // At most seven letters.
        let _ = write!(text, "{}.", BoardName(board));
        text.push_str(&self.boards[board].coordinates(made));
        text
    }

    /// One of the boards as FEN.
    fn board_fen(&self, board: usize) -> String {
        self.boards[board].fen()
    }

    /// One of the boards, to be drawn.
    pub(super) fn panel_of(&self, board: usize) -> Panel {
        let mut panel = self.boards[board].panel();
        panel.title = Some(format!("Board {}", BoardName(board)).into());
        panel
    }

    /// The sign of a ply that led here on a board.
    pub(super) fn sign_on(&self, board: usize) -> Suffix {
        let is_check = self.boards[board].in_check();
        match is_check {
            true if self.is_mated(board) => Suffix::Mate,
            true => Suffix::Check,
            false => Suffix::None,
        }
    }
}

/// A FEN with the castling rights of chess, where they are written as the files of the rooks (`HAha`), as bughouse.pro does.
fn with_corners(fen: &str) -> String {
    let right = |letter: char| match letter {
        'H' => 'K',
        'A' => 'Q',
        'h' => 'k',
        'a' => 'q',
        other => other,
    };
    let mut fields: Vec<_> = fen.split(' ').map(str::to_owned).collect();
    if let Some(field) = fields.get_mut(2) {
        *field = field.chars().map(right).collect();
    }
    fields.join(" ")
}

/// A board as it was read, or why it is none.
type ReadBoard = Result<Crazyhouse, Vec<Impossible>>;

/// Both boards, or the reasons why one of them is none.
fn both(one: ReadBoard, other: ReadBoard) -> Result<[Crazyhouse; BOARDS], PositionError> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok([one, other]),
        (one, other) => {
            let mut reasons = Vec::new();
            for (board, read) in [one, other].into_iter().enumerate() {
                let why = read.err().unwrap_or_default().into_iter();
                reasons.extend(why.map(|why| (board, why)));
            }
            Err(PositionError::Boards(reasons))
        }
    }
}

impl Notation for Bughouse {
    const INFO: &'static VariantInfo = &INFO;

    fn read_fen(options: &Options, fen: &str) -> Read<Self> {
        Self::read(fen, *options)
    }

    fn fen_on(&self, at: LinkedBoard) -> Option<String> {
        match at {
            LinkedBoard::All => Some([0, 1].map(|board| self.board_fen(board)).join(SEAM)),
            LinkedBoard::One(_) => at.index(BOARDS).map(|board| self.board_fen(board)),
        }
    }

    fn coordinates(&self, ply: Ply) -> PlyText {
        PlyText::from(self.in_coordinates(ply).as_str())
    }

    fn san(&self, ply: Ply) -> PlyText {
        let written = self.boards[ply.board].written(ply.made);
        let sign = self.sign_of(ply, &self.after(ply));
        PlyText::from(format!("{}{}", Spelt(written).text(), sign.as_str()).as_str())
    }

    fn by_coordinates(&self, text: &str) -> Option<Ply> {
        let (letters, made) = text.split_once('.')?;
        let index = board_index(letters.to_ascii_uppercase().as_bytes())?;
        let board = LinkedBoard::One(index).index(BOARDS)?;
        let made = self.boards[board].at(made)?;
        let is_legal = !self.is_over() && self.forbidden(board, made).is_none();
        is_legal.then_some(Ply { board, made })
    }

    fn is_check(&self, at: LinkedBoard) -> bool {
        match at.index(BOARDS) {
            Some(board) => self.boards[board].in_check(),
            None => self.boards.iter().any(Crazyhouse::in_check),
        }
    }

    /// Board B is turned round, so that partners sit beside each other.
    fn diagram(&self, _last: &[Square]) -> Diagram {
        let mut other = self.panel_of(1);
        other.flipped = true;
        Diagram {
            rows: vec![PanelRow {
                panels: vec![self.panel_of(0), other],
                joined: false,
            }],
            ..Diagram::default()
        }
    }

    fn mark(&self, diagram: &mut Diagram, _path: &BoardPath, coordinates: &str) {
        seen::mark(diagram, coordinates, &CRAZYHOUSE);
    }

    fn zoomed(&self, name: &str, drawn: Diagram) -> Result<(Diagram, String), String> {
        let (drawn, board) = seen::alone(name, drawn, BOARDS)?;
        Ok((drawn, self.board_fen(board)))
    }

    fn boards(&self) -> usize {
        BOARDS
    }

    /// The board whose turn has passed.
    fn made_since(&self, before: &Self) -> Option<(Side, u32, LinkedBoard)> {
        let turned = |board: &usize| self.boards[*board].turn() != before.boards[*board].turn();
        let board = (0..BOARDS).find(turned)?;
        let then = &before.boards[board];
        Some((then.turn(), then.fullmove(), LinkedBoard::of(board)))
    }

    fn choices(&self) -> Option<u64> {
        Some(if self.ended.is_none() {
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
                made: Some((ply.board as u16, self.boards[ply.board].turn())),
            }));
            ControlFlow::Continue(())
        });
    }
}
