//! The squares of one board in SVG; a square is one unit.

use super::{
    canvas::{Canvas, Words, number, used_at},
    pieces::{self, ALARM},
};
use crate::{
    diagram::{Cell, Panel},
    glyphs,
    pieces::{INK, PAPER},
};
use overboard_rules::square::{Side, Square};

/// The size of a mega-square beyond its board, in squares of that board, and where the board begins.
const RIM: f32 = 3.0;
const LEFT: f32 = 1.0;
const TOP: f32 = 2.0;

/// Light and dark squares of plain boards, of roads, and of boards that hold boards.
const PLAIN: [&str; 2] = ["#f4ecdc", "#ccb48c"];
const ROAD: [&str; 2] = ["#dde6ea", "#a3b7c2"];
const MEGA: [&str; 2] = ["#fbf8f2", "#ebe1cd"];
const KERB: &str = "#2f566f";
/// The fill and the edge of the squares of the last ply, of such mega-squares, and of kings in check.
const LAST: [&str; 2] = ["#f2d64b", "#7a5600"];
const MEGA_LAST: [&str; 2] = ["#f8ebaa", LAST[1]];
const CHECK: [&str; 2] = ["#f6c1b8", ALARM];
/// Dots on squares to which a piece can go.
const TARGET: &str = "#1d6b35";

/// The width of a square of this board, in squares of the smallest boards on it.
pub fn span(panel: &Panel) -> f32 {
    let most = panel
        .boards()
        .map(|board| board.files.max(board.ranks()))
        .max()
        .unwrap_or(0);
    if most == 0 {
        1.0
    } else {
        f32::from(most) + RIM
    }
}

/// A board with everything on it.
pub fn board(panel: &Panel, canvas: &mut Canvas) -> String {
    let span = span(panel);
    let mut drawing = ground(panel, canvas);
    for (square, cell) in panel.squares() {
        drawing += &if panel.holds_boards() {
            mega_square(panel, square, cell, span, canvas)
        } else {
            pieces::content(cell, corner(panel, square), canvas)
        };
    }
    for square in &panel.checked {
        drawing += &alarm(corner(panel, *square), span, canvas);
    }
    drawing += &targets(panel);
    drawing + &shade(panel)
}

/// The sign for check, in the corner of a square or beside the address of a mega-square.
fn alarm((x, y): (f32, f32), span: f32, canvas: &mut Canvas) -> String {
    let (x, y, height) = if span > 1.0 {
        (x + 0.46, y + 0.09, 0.13)
    } else {
        (x + 0.86, y + 0.15, 0.26)
    };
    pieces::badge('+', (x, y), height, Some(ALARM), canvas)
}

/// The squares to which a piece can go: a dot on an empty one, a ring around a piece that can be captured.
fn targets(panel: &Panel) -> String {
    let dot = |square: &Square| {
        let (x, y) = corner(panel, *square);
        let (x, y) = (number(x + 0.5), number(y + 0.5));
        match panel.cell(*square) {
            Cell::Empty => format!(
                r#"<circle cx="{x}" cy="{y}" r=".17" fill="{TARGET}" stroke="{PAPER}" stroke-width=".04"/>"#
            ),
            _ => format!(
                r#"<circle cx="{x}" cy="{y}" r=".43" fill="none" stroke="{TARGET}" stroke-width=".08"/>"#
            ),
        }
    };
    panel.targets.iter().map(dot).collect()
}

/// The upper left corner of a square.
fn corner(panel: &Panel, square: Square) -> (f32, f32) {
    (
        f32::from(panel.column(square.file)),
        f32::from(panel.line(square.rank)),
    )
}

/// Defines the squares as a drawing; returns its id.
pub fn bare(panel: &Panel, canvas: &mut Canvas) -> String {
    let drawing = ground(panel, canvas);
    canvas.shared(&drawing)
}

/// The letters of the files below a board and the numbers of the ranks to its left, in the font of the page.
pub fn edge(panel: &Panel, canvas: &mut Canvas) -> String {
    let ranks = panel.ranks();
    let mut letters = String::new();
    for file in 0..panel.files {
        let x = number(f32::from(panel.column(file)) + 0.5);
        letters += &format!(
            r#"<text x="{x}" y="{ranks}.45">{}</text>"#,
            panel.letter(file)
        );
    }
    for rank in 0..ranks {
        let y = number(f32::from(panel.line(rank)) + 0.62);
        letters += &format!(r#"<text x="-.3" y="{y}">{}</text>"#, rank + 1);
    }
    let id = canvas.shared(&format!(r#"<g class="edge">{letters}</g>"#));
    used_at(&id, 0.0, 0.0)
}

/// The edge of a board.
fn frame(panel: &Panel, thin: f32) -> String {
    let (files, ranks, width) = (panel.files, panel.ranks(), number(0.06 * thin));
    format!(r#"<rect width="{files}" height="{ranks}" fill="none" stroke-width="{width}"/>"#)
}

/// The squares without their contents.
fn ground(panel: &Panel, canvas: &mut Canvas) -> String {
    let mega = panel.holds_boards();
    let (colours, last, thin) = if mega {
        (MEGA, MEGA_LAST, 0.25)
    } else {
        (PLAIN, LAST, 1.0)
    };
    let mut drawing = checkered(panel, colours, |_| true, canvas);
    drawing += &roads(panel, canvas);
    for square in &panel.last {
        drawing += &framed(corner(panel, *square), last, 0.06 * thin);
    }
    for square in &panel.checked {
        drawing += &framed(corner(panel, *square), CHECK, 0.1 * thin);
    }
    drawing + &frame(panel, thin)
}

/// The light and dark squares of some ranks.
fn checkered(
    panel: &Panel,
    [light, dark]: [&str; 2],
    on: impl Fn(u8) -> bool,
    canvas: &mut Canvas,
) -> String {
    let (files, mut bright, mut shady) = (panel.files, String::new(), String::new());
    for rank in 0..panel.ranks() {
        if on(rank) {
            let y = panel.line(rank);
            bright += &format!("M0 {y}h{files}v1h-{files}z");
        }
    }
    for (square, _) in panel.squares() {
        if on(square.rank) && !square.is_light() {
            let (x, y) = corner(panel, square);
            shady += &format!("M{x} {y}h1v1h-1z");
        }
    }
    let id = canvas.shared(&format!(
        r#"<path d="{bright}" fill="{light}" stroke="none"/><path d="{shady}" fill="{dark}" stroke="none"/>"#
    ));
    used_at(&id, 0.0, 0.0)
}

/// The squares of roads in their own colours, with a line along the edges.
fn roads(panel: &Panel, canvas: &mut Canvas) -> String {
    let is_road = |rank: u8| panel.roads.contains(&rank);
    if panel.roads.is_empty() {
        return String::new();
    }
    let mut lines = String::new();
    for rank in 1..panel.ranks() {
        if is_road(rank) != is_road(rank - 1) {
            let lower = panel.line(rank).max(panel.line(rank - 1));
            lines += &format!("M0 {lower}h{}", panel.files);
        }
    }
    let kerb =
        format!(r#"<path d="{lines}" stroke="{KERB}" stroke-width=".08" stroke-linecap="butt"/>"#);
    checkered(panel, ROAD, is_road, canvas) + &kerb
}

/// A square with a fill and a frame inside its edge.
fn framed((x, y): (f32, f32), [fill, edge]: [&str; 2], width: f32) -> String {
    let (x, y, side) = (
        number(x + width / 2.0),
        number(y + width / 2.0),
        number(1.0 - width),
    );
    let width = number(width);
    format!(
        r#"<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{fill}" stroke="{edge}" stroke-width="{width}" stroke-linejoin="miter"/>"#
    )
}

/// Makes a board pale if play on it has ended.
fn shade(panel: &Panel) -> String {
    if !panel.closed {
        return String::new();
    }
    let (files, ranks) = (panel.files, panel.ranks());
    format!(
        r#"<rect width="{files}" height="{ranks}" fill="{PAPER}" fill-opacity=".5" stroke="none"/>"#
    )
}

/// A mega-square with its address, its piece, and its board; if play on the board has ended, the piece is drawn on it.
fn mega_square(
    panel: &Panel,
    square: Square,
    cell: &Cell,
    span: f32,
    canvas: &mut Canvas,
) -> String {
    let (x, y) = corner(panel, square);
    let mut drawing = format!(
        r#"<g transform="translate({} {})scale({})">"#,
        number(x),
        number(y),
        number(1.0 / span)
    );
    drawing += &address(panel, square, span, canvas);
    if let Cell::Board(occupant, board) = cell {
        let small = small_board(board, canvas);
        let (place, size) = if board.closed {
            ((LEFT, TOP), span - RIM)
        } else {
            ((LEFT, -0.1), TOP)
        };
        drawing += &used_at(&small, LEFT, TOP);
        drawing += &turn(board);
        drawing += &pieces::piece(*occupant, place, size, canvas);
    } else if let Cell::Piece(occupant) = cell {
        drawing += &pieces::piece(*occupant, (LEFT, TOP), span - RIM, canvas);
    }
    drawing + "</g>"
}

/// A small board, drawn once for all that look the same. Boards on its squares are left out.
fn small_board(panel: &Panel, canvas: &mut Canvas) -> String {
    let mut drawing = ground(panel, canvas);
    for rank in 0..panel.ranks() {
        drawing += &small_rank(panel, rank, canvas);
    }
    canvas.shared(&(drawing + &shade(panel)))
}

/// The pieces of a rank, drawn once, since ranks of many boards look the same.
fn small_rank(panel: &Panel, rank: u8, canvas: &mut Canvas) -> String {
    let mut roster = String::new();
    for column in 0..panel.files {
        let cell = panel.cell(Square::new(panel.column(column), rank));
        roster += &pieces::content(cell, (f32::from(column), 0.0), canvas);
    }
    if roster.is_empty() {
        return roster;
    }
    used_at(&canvas.shared(&roster), 0.0, f32::from(panel.line(rank)))
}

/// The address of a mega-square.
fn address(panel: &Panel, square: Square, span: f32, canvas: &mut Canvas) -> String {
    let letters = format!("{}{}", panel.letter(square.file), square.rank + 1);
    let width = glyphs::width(&letters) * 0.016;
    canvas.words(&Words::new(letters, 1.6).at(LEFT + span - RIM - width, TOP - 0.4))
}

/// The side to move on a small board: a triangle that points at the board from that side's end, or one at each end if
/// both may move.
fn turn(board: &Panel) -> String {
    let (files, ranks) = (f32::from(board.files), f32::from(board.ranks()));
    let x = number(LEFT + files + 0.3);
    let far = board.far();
    let ends = [(far, TOP + 0.6), (far.other(), TOP + ranks - 0.6)];
    let mut triangles = String::new();
    for (side, y) in ends {
        if !board.may_move(side) {
            continue;
        }
        let (y, fill) = (number(y), if side == Side::Black { INK } else { PAPER });
        triangles += &format!(r#"<path d="M{x} {y}l1-.6v1.2z" fill="{fill}" stroke-width=".12"/>"#);
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour, as defined by the Web Content Accessibility Guidelines.
    fn luminance(colour: &str) -> f64 {
        let digits = &colour[1..];
        let channel = |index: usize| {
            let wide = digits.len() / 3;
            let pair = digits[index * wide..][..wide].repeat(2 / wide);
            let value = f64::from(u8::from_str_radix(&pair, 16).unwrap()) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn pieces_and_marks_stand_out_from_the_squares() {
        let squares = [PLAIN, ROAD, MEGA].concat();
        for square in squares.iter().chain([&LAST[0], &MEGA_LAST[0], &CHECK[0]]) {
            assert!(contrast(INK, square) >= 4.5, "{square}");
        }
        for square in squares {
            assert!(contrast(LAST[1], square) >= 3.0, "{square}");
            assert!(contrast(CHECK[1], square) >= 3.0, "{square}");
            assert!(contrast(TARGET, square) >= 3.0, "{square}");
        }
        assert!(contrast(PAPER, ALARM) >= 4.5);
        assert!(contrast(ROAD[0], ROAD[1]) >= 1.5 && contrast(PLAIN[0], PLAIN[1]) >= 1.5);
    }
}
