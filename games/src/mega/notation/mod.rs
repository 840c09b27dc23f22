//! How positions and plies of Mega-Chess and Recursive-Chess(N) are written.

use crate::{
    chess,
    mega::{Act, Asked, Board, Mega, Options, Ply},
    one_board::notation::BoardNotation as _,
};
use overboard_formats::{
    canonical::addressed,
    parse::is_address,
    san::{CHESS, PlyText},
};
use overboard_pictures::diagram::{Cell, Diagram};
use overboard_referee::game::{
    listing::{Listed, SpeltPly},
    notation::{Notation, Read},
};
use overboard_rules::{
    game::Game as _,
    outcome::{Cause, Outcome},
    path::{BoardPath, DEEPEST},
    ply::Written,
    position::Movegen,
    square::{Side, Square},
    variant::{
        ChessWithin, Extension, OptionValue, RuleOption, Sample, Sign, SignKind, Spelling,
        VariantInfo,
    },
};
use std::ops::ControlFlow;

mod pictures;
mod plies;
mod positions;
mod turns;

pub use pictures::{panel, zoomed};
pub use plies::{act_san, mega_move, suffix};
pub use positions::read;
pub use turns::{Movetext, Turns};

use plies::push_san;
use positions::write_game;

/// Before laws had versions, ledgers used the words of chess for the ends of Mega-Chess; the result tells a mega-stalemate,
/// which loses.
fn old_end(outcome: Outcome, word: &str) -> Option<Cause> {
    match (word, outcome) {
        ("checkmate", Outcome::Win(_)) => Some(Cause::MegaMate),
        ("stalemate", Outcome::Win(_)) => Some(Cause::MegaStalemate),
        ("rules", Outcome::Draw) => Some(Cause::MegaMoves),
        _ => None,
    }
}

/// What is drawn on its boards.
static SIGNS: [Sign; 4] = [
    Sign::new(
        SignKind::Board,
        "A mega-piece is a game of chess between the same players. A turn is a move on each of several boards, or a move of one mega-piece.",
        &crate::mega::laws::ARRAY,
    ),
    Sign::new(
        SignKind::Armed,
        "Its owner won the game on its board, so this mega-piece may capture others.",
        &crate::mega::laws::STATES,
    ),
    Sign::new(
        SignKind::Disarmed,
        "The game on its board was drawn, so this mega-piece may move but not capture.",
        &crate::mega::laws::BOARD_ENDS,
    ),
    Sign::new(
        SignKind::Dethroned,
        "The owner of this mega-king lost the game on its board. It stays where it is and may never move again.",
        &crate::mega::laws::BOARD_ENDS,
    ),
];

/// The registry entry of Mega-Chess and Recursive-Chess(N).
pub static INFO: VariantInfo = VariantInfo {
    old_end,
    name: "Recursive Chess",
    in_words: "Recursive Chess",
    intro: "The pieces of a game of chess are themselves games of chess: who wins on a board has a piece that may capture.",
    signs: &SIGNS,
    spellings: &[
        Spelling::of_level("mega-chess", 1),
        Spelling::of_level("mega chess", 1),
        Spelling::of_level("megachess", 1),
        Spelling::new("recursive chess"),
        Spelling::new("recursive-chess"),
        Spelling::new("recursive"),
        Spelling::of_level("moser-chess", 2),
        Spelling::of_level("aleph-chess", 8),
    ],
    arguments: &["mega-chess", "recursive"],
    options: &[RuleOption {
        name: "turns",
        value: OptionValue::OneOf(&["free"]),
        words: |_| "either player may move on a board".into(),
        rule: &crate::mega::laws::FREE_TURNS,
    }],
    has_levels: true,
    chess_within: ChessWithin::Boards,
    pages: &[&crate::mega::laws::PAGE],
    laws: super::laws::LAWS,
    changes: &super::laws::CHANGES,
    samples: &[
        Sample::PLAIN,
        Sample::at(2),
        Sample::under("turns=free"),
        Sample {
            level: Some(2),
            ..Sample::under("turns=free")
        },
    ],
    extensions: &[Extension::Turn],
    ..VariantInfo::BASE
};

/// The form of a position, in words.
pub const FORM: &str = "a mega-position has seven fields, `placement side castling en-passant half full used`, then the boards in braces, `{A2: …; B1: armed}`, by file and rank, those in their first position left out";

/// Whether rules in the form of the tag Rules declare free turns (MG-18).
#[must_use]
pub fn free_turns(rules: &str) -> bool {
    rules.split(':').any(|item| item == "turns=free")
}

/// The address in a text.
#[must_use]
pub fn address(text: &[u8]) -> Option<Square> {
    let [file, rank] = text else { return None };
    let file = file.to_ascii_uppercase();
    is_address(&[file, *rank]).then(|| Square::new(file - b'A', rank - b'1'))
}

/// The path in a text such as `A2.B1`.
#[must_use]
pub fn path(text: &str) -> Option<BoardPath> {
    let mut path = BoardPath::OUTERMOST;
    for name in text.split('.') {
        if path.len() >= DEEPEST {
            return None;
        }
        path = path.on(address(name.as_bytes())?);
    }
    Some(path)
}

/// All squares as positions list them: by file, then by rank.
fn squares() -> impl Iterator<Item = Square> {
    (0..8).flat_map(|file| (0..8).map(move |rank| Square::new(file, rank)))
}

impl Notation for Mega {
    const INFO: &'static VariantInfo = &INFO;
    const LONG_COORDINATES: bool = true;

    fn read_fen(options: &Options, fen: &str) -> Read<Self> {
        read(fen, *options)
    }

    fn fen(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = write_game(self, &mut text);
        text
    }

    fn fen_on(&self, at: BoardPath) -> Option<String> {
        Some(match self.board_at(&at)? {
            Board::Chess(chess) => chess.fen(),
            Board::Mega(game) => game.fen(),
        })
    }

    /// `A2.e2e4`, `B1C3`, `A2.B1C3`, `A2.1/2-1/2`, `--`.
    fn coordinates(&self, ply: Ply) -> PlyText {
        let mut text = addressed(&ply.path);
        match ply.act {
            Act::Move(m) => text.push_str(&chess::coordinates(m)),
            Act::Mega(m) => text.push_str(&mega_move(m)),
            Act::Draw => text.push_str("1/2-1/2"),
            _ => text.push_str("--"),
        }
        text
    }

    /// An item of a turn, with the address of its board: `A2.e4`.
    fn san(&self, ply: Ply) -> PlyText {
        let mut text = addressed(&ply.path);
        if let Some(board) = self.faced_at(&ply.path) {
            push_san(&mut text, &board, ply.act);
        }
        text
    }

    fn by_coordinates(&self, text: &str) -> Option<Ply> {
        let mut path = BoardPath::OUTERMOST;
        let mut rest = text;
        while let Some((name, inner)) = rest.split_once('.') {
            if path.len() >= usize::from(self.level()) {
                return None;
            }
            path = path.on(address(name.as_bytes())?);
            rest = inner;
        }
        let asked = match self.faced_at(&path)? {
            _ if rest == "1/2-1/2" => Asked::Draw,
            Board::Chess(chess) => Asked::Written(chess.written(chess.at(rest)?)),
            Board::Mega(_) if rest == "--" => Asked::Written(Written::Pass),
            Board::Mega(game) => {
                let mut found = None;
                game.for_each_mega_move(|m| {
                    if mega_move(m).eq_ignore_ascii_case(rest) {
                        found = Some(m);
                    }
                });
                Asked::Written(game.written(found?))
            }
        };
        self.judge(&path, asked).ok()
    }

    fn is_check(&self, at: BoardPath) -> bool {
        match self.board_at(&at) {
            Some(Board::Chess(chess)) => chess.in_check(),
            Some(Board::Mega(mega)) => mega.in_check() && mega.is_between_turns(),
            None => false,
        }
    }

    /// Within a turn, on the board that has been used since; for an inner turn that is over this cannot be determined.
    fn made_since(&self, before: &Self) -> Option<(Side, u32, BoardPath)> {
        let mut path = BoardPath::OUTERMOST;
        let made = (before.turn(), before.fullmove());
        let (mut here, mut there) = (self.clone(), before.clone());
        while here.turn() == there.turn() {
            if let Some(open) = here.open() {
                path = path.on(open);
                let (Some(Board::Mega(inner)), Some(Board::Mega(was))) =
                    (here.board(open), there.faced(open))
                else {
                    return None;
                };
                (here, there) = (inner, was);
                continue;
            }
            let known = Vec::from_iter(there.used());
            if here.level() > 1 {
                return None;
            }
            let used = here.used().find(|on| !known.contains(on))?;
            path = path.on(used);
            break;
        }
        Some((made.0, made.1, path))
    }

    fn diagram(&self, _last: &[Square]) -> Diagram {
        Diagram::of(panel(self, true))
    }

    /// On the mega-board, or on a board drawn on it.
    fn mark(&self, diagram: &mut Diagram, path: &BoardPath, coordinates: &str) {
        let outermost = diagram
            .rows
            .first_mut()
            .and_then(|row| row.panels.first_mut());
        let mut steps = path.squares();
        let (Some(panel), first, None) = (outermost, steps.next(), steps.next()) else {
            return;
        };
        let squares = CHESS.squares_in(&coordinates.to_ascii_lowercase());
        if squares.is_empty() {
            return;
        }
        match first {
            None => panel.last = squares,
            Some(on) => {
                panel.last = vec![on];
                if let Some(Cell::Board(_, board)) = panel.cell_mut(on) {
                    board.last = squares;
                }
            }
        }
    }

    /// The board with an address such as `A2.B1`.
    fn zoomed(&self, name: &str, drawn: Diagram) -> Result<(Diagram, String), String> {
        let board = path(name).and_then(|path| {
            let alone = Diagram {
                caption: drawn.caption,
                ..zoomed(self, &path)?
            };
            Some((alone, self.fen_on(path)?))
        });
        board.ok_or_else(|| "no game is played there; an address is such as A2 or A2.B1".into())
    }

    fn is_between_turns(&self) -> bool {
        Self::is_between_turns(self)
    }

    fn choices(&self) -> Option<u64> {
        self.game.count_legal()
    }

    fn for_each_spelt(&self, visit: &mut impl FnMut(SpeltPly<'_>)) {
        let mut last: Option<(BoardPath, Option<Board>)> = None;
        let _ = self.legal(|ply| {
            let (_, board) = match &mut last {
                Some(known) if known.0 == ply.path => known,
                other => other.insert((ply.path, self.faced_at(&ply.path))),
            };
            let mut san = addressed(&ply.path);
            if let Some(board) = board {
                push_san(&mut san, board, ply.act);
            }
            visit(SpeltPly::Listed(&Listed {
                coord: self.coordinates(ply),
                san,
                made: None,
            }));
            ControlFlow::Continue(())
        });
    }
}
