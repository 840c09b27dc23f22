//! Boards that change, as a page shows them moment by moment: each in full once, then only what has changed.
//!
//! The contents of a square are a number, and every number has one drawing for all squares and moments. So a page that
//! has the drawings and the numbers can show any game without knowing its rules.

use crate::{
    diagram::{Cell, DrawnPiece, Mark, Panel},
    svg::{
        canvas::{Canvas, number},
        pieces, squares,
    },
    text::{self, note},
};
use overboard_formats::foreign::Foreign;
use overboard_rules::{
    square::{Piece, Role, Side, Square},
    variant::SignKind,
};
use std::collections::HashMap;

/// The contents of a square, without the board that it may hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum SquareContents {
    Piece(DrawnPiece),
    Stack(Piece, Piece),
    Contest(DrawnPiece, DrawnPiece),
    /// A piece that is a board.
    Board(DrawnPiece),
}

/// Everything that decides how the squares of a board look without their contents.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Bare {
    files: u8,
    ranks: u8,
    roads: Vec<u8>,
    holds_boards: bool,
}

/// Converts boards to numbers, and reports changes on them.
#[derive(Clone)]
pub struct Animation {
    canvas: Canvas,
    /// The ids of the drawings of empty squares: to draw them takes longer than all else on a board.
    grounds: HashMap<Bare, String>,
    numbers: HashMap<SquareContents, u32>,
    shapes: Vec<Shape>,
    boards: HashMap<String, Board>,
}

/// Boards that were set aside for a variation.
#[derive(Clone, Default)]
pub struct Paused(HashMap<String, Board>);

/// The meaning of a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The id of its drawing, for a square of 1 by 1.
    pub id: String,
    /// A description in words.
    pub words: String,
    /// Whether the square holds a board, whose name is that of the board around it, a dot, and the square.
    pub is_board: bool,
    /// What is special about it, which a reader may not know.
    pub sign: Option<SignKind>,
}

/// The state of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The part that does not change.
    pub ground: Ground,
    /// The number on each square, from a1 along the ranks; 0 is an empty square, and 1 the first shape.
    pub cells: Vec<u32>,
    /// Everything else that is shown.
    pub look: Look,
}

/// The squares of a board.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ground {
    /// The number of files.
    pub files: u8,
    /// The number of ranks.
    pub ranks: u8,
    /// Whether files have capital letters.
    pub capitals: bool,
    /// The id of the drawing of its squares.
    pub id: String,
    /// The ranks that are roads, counted from 0.
    pub roads: Vec<u8>,
    /// Whether Black is below.
    pub turned: bool,
}

/// What is shown of a board besides the contents of its squares.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// The side to move.
    pub turn: Option<Side>,
    /// Whether the other side may move, too.
    pub both: bool,
    /// Whether play has ended here.
    pub closed: bool,
    /// Squares of kings in check, from a1 along the ranks.
    pub checked: Vec<u32>,
    /// The pieces in hand of White and Black: shapes, with the number of each.
    pub hands: Option<[Vec<(u32, u8)>; 2]>,
}

/// A change on a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The name of the board.
    pub path: String,
    /// The whole board, if it is new.
    pub whole: Option<Board>,
    /// The squares that have changed, with their new contents.
    pub cells: Vec<(u32, u32)>,
    /// The rest of what is shown, if it has changed.
    pub look: Option<Look>,
}

impl Default for Animation {
    fn default() -> Self {
        Self {
            canvas: Canvas::switching(),
            grounds: HashMap::new(),
            numbers: HashMap::new(),
            shapes: Vec::new(),
            boards: HashMap::new(),
        }
    }
}

impl Animation {
    /// Returns the changes since these boards were last seen, including boards on their squares.
    pub fn take<'a>(
        &mut self,
        seen: impl Iterator<Item = (&'a str, &'a Panel)> + Clone,
    ) -> Vec<Change> {
        let mut changes = Vec::new();
        for (path, panel) in seen.clone() {
            let known = |child: &str| seen.clone().any(|(path, _)| path == child);
            self.take_one(path, panel, &known, &mut changes);
        }
        changes
    }

    fn take_one(
        &mut self,
        path: &str,
        panel: &Panel,
        known: &dyn Fn(&str) -> bool,
        changes: &mut Vec<Change>,
    ) {
        let board = self.board_of(panel);
        changes.extend(self.changed(path, board));
        for (square, cell) in panel.squares() {
            let Cell::Board(_, inner) = cell else {
                continue;
            };
            let child = step_in(path, panel, square);
            // A board that holds boards is reported only by itself, since the board around it shows it without them.
            let holds_boards = match self.boards.get(&child) {
                Some(board) => board.cells.iter().any(|cell| self.is_board(*cell)),
                None => false,
            };
            if !known(&child) && !holds_boards {
                self.take_one(&child, inner, known, changes);
            }
        }
    }

    /// Forgets all boards but keeps the drawings, for the next game.
    pub fn rewind(&mut self) {
        self.boards.clear();
    }

    /// Sets the boards aside until [`resume`](Self::resume), as for a variation. With `goes_on` it continues from them,
    /// else from no boards, so that they are reported in full.
    #[must_use]
    pub fn pause(&mut self, goes_on: bool) -> Paused {
        let boards = if goes_on {
            self.boards.clone()
        } else {
            HashMap::new()
        };
        Paused(std::mem::replace(&mut self.boards, boards))
    }

    /// Continues from boards that were set aside.
    pub fn resume(&mut self, paused: Paused) {
        self.boards = paused.0;
    }

    /// Stores the state of a board. Returns what has changed, if anything.
    fn changed(&mut self, path: &str, board: Board) -> Option<Change> {
        let mut change = Change {
            path: path.into(),
            whole: None,
            cells: Vec::new(),
            look: None,
        };
        match self.boards.get(path) {
            Some(before) if *before == board => return None,
            Some(before) if before.ground == board.ground => {
                for (at, (was, is)) in (0..).zip(before.cells.iter().zip(&board.cells)) {
                    if was != is {
                        change.cells.push((at, *is));
                    }
                }
                if change.cells.len() * 4 > board.cells.len() {
                    change.cells.clear();
                    change.whole = Some(board.clone());
                } else if before.look != board.look {
                    change.look = Some(board.look.clone());
                }
            }
            _ => change.whole = Some(board.clone()),
        }
        self.boards.insert(path.into(), board);
        Some(change)
    }

    fn is_board(&self, number: u32) -> bool {
        let Some(at) = number.checked_sub(1) else {
            return false;
        };
        let shape = self.shapes.get(at as usize);
        shape.is_some_and(|shape| shape.is_board)
    }

    fn board_of(&mut self, panel: &Panel) -> Board {
        let cells = panel.cells.iter().map(|cell| self.number(cell)).collect();
        let place = |square: &Square| {
            u32::from(square.rank) * u32::from(panel.files) + u32::from(square.file)
        };
        let hands = panel.hands.as_ref().map(|hands| {
            let sides = [Side::White, Side::Black];
            sides.map(|side| self.hand(side, &hands[side]))
        });
        Board {
            ground: Ground {
                files: panel.files,
                ranks: panel.ranks(),
                capitals: panel.capitals,
                id: self.ground_of(panel),
                roads: panel.roads.clone(),
                turned: panel.flipped,
            },
            cells,
            look: Look {
                turn: panel.turn,
                both: panel.both_move,
                closed: panel.closed,
                checked: panel.checked.iter().map(place).collect(),
                hands,
            },
        }
    }

    fn hand(&mut self, side: Side, hand: &[(Role, u8)]) -> Vec<(u32, u8)> {
        let mut held = Vec::new();
        for (role, count) in hand {
            if *count > 0 {
                let piece = DrawnPiece::of(Piece { side, role: *role });
                held.push((self.number(&Cell::Piece(piece)), *count));
            }
        }
        held
    }

    /// The id of the drawing of a board's empty squares.
    fn ground_of(&mut self, panel: &Panel) -> String {
        let bare = Bare {
            files: panel.files,
            ranks: panel.ranks(),
            roads: panel.roads.clone(),
            holds_boards: panel.holds_boards(),
        };
        let canvas = &mut self.canvas;
        let drawn = self.grounds.entry(bare);
        drawn
            .or_insert_with(|| squares::bare(&unmarked(panel), canvas))
            .clone()
    }

    fn number(&mut self, cell: &Cell) -> u32 {
        let standing = match cell {
            Cell::Empty => return 0,
            Cell::Piece(piece) => SquareContents::Piece(*piece),
            Cell::Stack { carrier, rider } => SquareContents::Stack(*carrier, *rider),
            Cell::Contest { attacker, defender } => SquareContents::Contest(*attacker, *defender),
            Cell::Board(piece, _) => SquareContents::Board(*piece),
        };
        if let Some(number) = self.numbers.get(&standing) {
            return *number;
        }
        let drawing = pieces::content(cell, (0.0, 0.0), &mut self.canvas);
        self.shapes.push(Shape {
            id: self.canvas.shared(&drawing),
            words: words(standing),
            is_board: matches!(standing, SquareContents::Board(_)),
            sign: sign(standing),
        });
        // There is no memory for more drawings than that.
        let number = u32::try_from(self.shapes.len()).unwrap_or(u32::MAX);
        self.numbers.insert(standing, number);
        number
    }

    /// A board as a separate picture, with the letters and numbers of its squares, made from the same drawings.
    pub fn still(&mut self, panel: &Panel, title: &str) -> String {
        let (files, ranks) = (f32::from(panel.files), f32::from(panel.ranks()));
        let board = squares::board(panel, &mut self.canvas);
        let edge = squares::edge(panel, &mut self.canvas);
        format!(
            r##"<svg class="still" viewBox="-.6 -.05 {} {}" role="img" aria-label="{title}">{edge}<g class="ink">{board}</g></svg>"##,
            number(files + 0.65),
            number(ranks + 0.65),
            title = Foreign::new(format!("{title}. {}", text::in_words(panel))).xml(),
        )
    }

    /// The drawings as the contents of `defs`, and the meanings of the numbers from 1 on.
    #[must_use]
    pub fn finish(self) -> (String, Vec<Shape>) {
        (self.canvas.into_defs(), self.shapes)
    }
}

/// The name of the board on a square of another one.
fn step_in(path: &str, panel: &Panel, square: Square) -> String {
    let dot = if path.is_empty() { "" } else { "." };
    format!(
        "{path}{dot}{}{}",
        panel.letter(square.file),
        square.rank + 1
    )
}

fn words(standing: SquareContents) -> String {
    let piece = |piece: Piece| format!("{} {}", piece.side, piece.role.name());
    let occupant = |occupant: DrawnPiece| piece(occupant.piece) + &note(occupant);
    match standing {
        SquareContents::Piece(one) | SquareContents::Board(one) => occupant(one),
        SquareContents::Stack(carrier, rider) => format!("{} on {}", piece(rider), piece(carrier)),
        SquareContents::Contest(attacker, defender) => {
            format!("{} attacks {}", occupant(attacker), occupant(defender))
        }
    }
}

const fn sign(standing: SquareContents) -> Option<SignKind> {
    match standing {
        SquareContents::Stack(..) => Some(SignKind::Stack),
        SquareContents::Contest(..) => Some(SignKind::Contest),
        SquareContents::Piece(piece) | SquareContents::Board(piece) => match piece.mark {
            Some(Mark::Promoted(_)) => Some(SignKind::Promoted),
            Some(Mark::Armed) => Some(SignKind::Armed),
            Some(Mark::Disarmed) => Some(SignKind::Disarmed),
            Some(Mark::Dethroned) => Some(SignKind::Dethroned),
            Some(Mark::Strength(_)) => Some(SignKind::Strength),
            None if matches!(standing, SquareContents::Board(_)) => Some(SignKind::Board),
            None => None,
        },
    }
}

/// A board without marks, as White sees it: the page marks its squares and turns it round itself.
fn unmarked(panel: &Panel) -> Panel {
    Panel {
        flipped: false,
        last: Vec::new(),
        checked: Vec::new(),
        ..panel.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knight_on(file: u8) -> Panel {
        let mut panel = Panel::new(4, 4);
        panel.put(
            Square::new(file, 1),
            Cell::Piece(DrawnPiece::of(Piece {
                side: Side::White,
                role: Role::Knight,
            })),
        );
        panel
    }

    #[test]
    fn a_board_is_reported_in_full_once_and_then_only_its_changes() {
        let mut animation = Animation::default();
        let first = animation.take([("", &knight_on(0))].into_iter());
        assert_eq!(first[0].whole.as_ref().unwrap().cells[4], 1);
        assert_eq!(animation.take([("", &knight_on(0))].into_iter()), []);
        let second = animation.take([("", &knight_on(2))].into_iter());
        assert_eq!(
            (second[0].whole.as_ref(), second[0].cells.as_slice()),
            (None, &[(4, 0), (6, 1)][..])
        );
        let (defs, shapes) = animation.finish();
        assert_eq!(
            (shapes.len(), shapes[0].words.as_str()),
            (1, "White knight")
        );
        assert!(
            defs.contains(&format!("id=\"{}\"", shapes[0].id)) && defs.contains("class=\"letter\"")
        );
    }

    #[test]
    fn boards_on_squares_have_names() {
        let mut panel = Panel::new(4, 4);
        panel.capitals = true;
        let piece = DrawnPiece::of(Piece {
            side: Side::Black,
            role: Role::Rook,
        });
        panel.put(
            Square::new(1, 2),
            Cell::Board(piece, Box::new(knight_on(0))),
        );
        let mut animation = Animation::default();
        let seen = animation.take([("A1", &panel)].into_iter());
        assert_eq!(
            Vec::from_iter(seen.iter().map(|change| change.path.as_str())),
            ["A1", "A1.B3"]
        );
        let (_, shapes) = animation.finish();
        assert_eq!(
            Vec::from_iter(shapes.iter().map(|shape| shape.is_board)),
            [true, false]
        );
    }

    #[test]
    fn a_variation_leaves_the_boards_around_it_as_they_are() {
        let mut animation = Animation::default();
        animation.take([("", &knight_on(0))].into_iter());
        for goes_on in [true, false] {
            let around = animation.pause(goes_on);
            let seen = animation.take([("", &knight_on(1))].into_iter());
            assert_eq!(seen[0].whole.is_none(), goes_on);
            animation.resume(around);
            assert_eq!(animation.take([("", &knight_on(0))].into_iter()), []);
        }
        animation.rewind();
        assert!(
            animation.take([("", &knight_on(0))].into_iter())[0]
                .whole
                .is_some()
        );
    }
}
