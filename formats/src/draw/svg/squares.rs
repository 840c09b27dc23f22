//! The squares of one board in SVG, a square being one unit.

use super::{
    RIM,
    canvas::{Canvas, Words, number, used, used_at},
};
use crate::draw::{Cell, Man, Mark, Panel, glyphs, pieces};
use overboard_rules::square::{Piece, Side, Square};

const LIGHT: &str = "#f4ecdc";
const DARK: &str = "#ccb48c";
const ROAD: &str = "#3f6484";
const LAST: &str = "#f2d64b";
const LAST_EDGE: &str = "#7a5600";
const ALARM: &str = "#b3201a";
const PAPER: &str = pieces::PAPER;
const INK: &str = pieces::INK;

/// How many squares of the smallest boards a square of this board spans.
pub fn span(panel: &Panel) -> f32 {
    let sides =
        |cell: &Cell| if let Cell::Board(_, board) = cell { board.files.max(board.ranks()) } else { 0 };
    let most = panel.squares().map(|(_, cell)| sides(cell)).max().unwrap_or(0);
    if most == 0 { 1.0 } else { f32::from(most) + RIM }
}

/// A board with all that is on it.
pub fn board(panel: &Panel, canvas: &mut Canvas) -> String {
    let span = span(panel);
    let mut drawing = ground(panel, canvas);
    for (square, cell) in panel.squares() {
        let place = corner(panel, square);
        drawing += &match cell {
            Cell::Board(man, board) => mega_square(panel, square, *man, board, span, canvas),
            Cell::Empty if span > 1.0 => address(panel, square, span, canvas),
            _ => content(cell, place, canvas),
        };
    }
    drawing + &shade(panel)
}

/// The upper left corner of a square.
fn corner(panel: &Panel, square: Square) -> (f32, f32) {
    (f32::from(square.file), f32::from(panel.ranks() - 1 - square.rank))
}

/// The squares without what stands on them.
fn ground(panel: &Panel, canvas: &mut Canvas) -> String {
    let id = format!("s{}x{}", panel.files, panel.ranks());
    canvas.define(&id, || squares(panel, &id));
    let mut drawing = used_at(&id, 0.0, 0.0) + &roads(panel);
    for square in &panel.last {
        drawing += &framed(corner(panel, *square), LAST, LAST_EDGE, 0.06);
    }
    for square in &panel.checked {
        drawing += &framed(corner(panel, *square), "#f6c1b8", ALARM, 0.1);
    }
    drawing
}

/// Light and dark squares and the edge of the board.
fn squares(panel: &Panel, id: &str) -> String {
    let (files, ranks) = (panel.files, panel.ranks());
    let place = |square: Square| corner(panel, square);
    let dark = panel.squares().filter(|(square, _)| !square.is_light()).map(|(square, _)| place(square));
    let path: String = dark.map(|(x, y)| format!("M{x} {y}h1v1h-1z")).collect();
    format!(
        r#"<g id="{id}"><rect width="{files}" height="{ranks}" fill="{LIGHT}" stroke-width=".06"/><path d="{path}" fill="{DARK}" stroke="none"/></g>"#
    )
}

/// A tint over the roads, and a line along their edges.
fn roads(panel: &Panel) -> String {
    let is_road = |rank: u8| panel.roads.contains(&rank);
    let y = |rank: u8| panel.ranks() - rank;
    let files = panel.files;
    let tint: String =
        panel.roads.iter().map(|rank| format!("M0 {}h{files}v-1h-{files}z", y(*rank))).collect();
    let edges = (1..panel.ranks()).filter(|rank| is_road(*rank) != is_road(rank - 1));
    let lines: String = edges.map(|rank| format!("M0 {}h{files}", y(rank))).collect();
    if tint.is_empty() {
        return tint;
    }
    format!(
        r#"<path d="{tint}" fill="{ROAD}" fill-opacity=".38" stroke="none"/><path d="{lines}" stroke="{ROAD}" stroke-width=".09" stroke-linecap="butt"/>"#
    )
}

/// A square with a fill and a frame inside its edge.
fn framed((x, y): (f32, f32), fill: &str, edge: &str, width: f32) -> String {
    let (x, y, side) = (number(x + width / 2.0), number(y + width / 2.0), number(1.0 - width));
    format!(
        r#"<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{fill}" stroke="{edge}" stroke-width="{width}" stroke-linejoin="miter"/>"#
    )
}

/// What makes a board on which play has ended pale.
fn shade(panel: &Panel) -> String {
    if !panel.closed {
        return String::new();
    }
    let (files, ranks) = (panel.files, panel.ranks());
    format!(r#"<rect width="{files}" height="{ranks}" fill="{PAPER}" fill-opacity=".6" stroke="none"/>"#)
}

/// What stands on a square.
fn content(cell: &Cell, place: (f32, f32), canvas: &mut Canvas) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Man(man) | Cell::Board(man, _) => self::man(*man, place, 1.0, canvas),
        Cell::Stack { carrier, rider } => stack(*carrier, *rider, place, canvas),
        Cell::Contest { attacker, defender } => contest(*attacker, *defender, place, canvas),
    }
}

/// A man with its mark.
fn man(man: Man, (x, y): (f32, f32), size: f32, canvas: &mut Canvas) -> String {
    let id = canvas.piece(man.piece);
    let at = |dx: f32, dy: f32| (x + dx * size, y + dy * size);
    match man.mark {
        None if size == 1.0 => used_at(&id, x, y),
        None => used(&id, (x, y), size, ""),
        Some(Mark::Promoted(role)) => {
            let letter = Piece { side: man.piece.side, role }.role.letter().to_string();
            canvas.define("laurel", pieces::laurel);
            let figure = used(&id, at(0.13, 0.0), 0.74 * size, "");
            figure
                + &used("laurel", (x, y), size, "")
                + &badge(&letter, at(0.5, 0.85), 0.27 * size, None, canvas)
        }
        Some(Mark::Armed) => {
            canvas.define("swords", pieces::swords);
            used("swords", (x, y), size, "") + &set_off(&id, at(0.09, 0.04), 0.82 * size)
        }
        Some(Mark::Disarmed) => {
            used(&id, (x, y), size, r#" opacity=".5""#)
                + &badge("½", at(0.76, 0.76), 0.38 * size, None, canvas)
        }
        Some(Mark::Dethroned) => {
            let (x, y, size) = (number(x), number(y), number(size));
            format!(r##"<use href="#{id}" transform="translate({x} {y})scale({size})rotate(-90 .5 .5)"/>"##)
        }
        Some(Mark::Strength(points)) => {
            let figure = used(&id, at(0.03, 0.0), 0.86 * size, "");
            figure + &badge(&points.to_string(), at(0.74, 0.83), 0.3 * size, None, canvas)
        }
    }
}

/// A man set off by a white rim from what is behind.
fn set_off(id: &str, place: (f32, f32), size: f32) -> String {
    used(id, place, size, r##" stroke="#fff" stroke-width="15""##) + &used(id, place, size, "")
}

/// The rider before its carrier, and the letters of both.
fn stack(carrier: Piece, rider: Piece, (x, y): (f32, f32), canvas: &mut Canvas) -> String {
    let (below, above) = (canvas.piece(carrier), canvas.piece(rider));
    let annexed = carrier.side != rider.side;
    let letters = format!("{}{}", carrier.letter(), rider.letter());
    used(&below, (x - 0.02, y + 0.04), 0.8, r#" opacity=".42""#)
        + &set_off(&above, (x + 0.3, y - 0.01), 0.7)
        + &badge(&letters, (x + 0.68, y + 0.84), 0.26, annexed.then_some(ALARM), canvas)
}

/// The attacker above the defender, a broken line between them.
fn contest(attacker: Man, defender: Man, (x, y): (f32, f32), canvas: &mut Canvas) -> String {
    let line = format!(
        r#"<path d="M{} {}l1-1" stroke="{ALARM}" stroke-width=".05" stroke-dasharray=".1"/>"#,
        number(x),
        number(y + 1.0)
    );
    framed((x, y), "none", ALARM, 0.06)
        + &line
        + &man(attacker, (x + 0.03, y + 0.03), 0.56, canvas)
        + &man(defender, (x + 0.42, y + 0.42), 0.56, canvas)
}

/// A few letters on a small plate, around a point; on a dark one in white.
fn badge(
    letters: &str,
    (x, y): (f32, f32),
    height: f32,
    plate: Option<&'static str>,
    canvas: &mut Canvas,
) -> String {
    let size = height * 1.0;
    let width = (glyphs::width(letters) * size / 100.0 + height * 0.3).max(height);
    let (fill, ink) = plate.map_or((PAPER, INK), |plate| (plate, PAPER));
    let rect = format!(
        r#"<rect x="{}" y="{}" width="{}" height="{}" rx="{}" fill="{fill}" stroke-width="{}"/>"#,
        number(x - width / 2.0),
        number(y - height / 2.0),
        number(width),
        number(height),
        number(height * 0.3),
        number(height * 0.09),
    );
    rect + &canvas.words(&Words::new(letters, size).middle().at(x, y + size * 0.35).ink(ink))
}

/// A mega-square: its man, its address, and its board.
fn mega_square(
    panel: &Panel,
    square: Square,
    man: Man,
    inner: &Panel,
    span: f32,
    canvas: &mut Canvas,
) -> String {
    let (x, y) = corner(panel, square);
    let unit = 1.0 / span;
    let small = board_within(inner, canvas);
    let left = RIM / 2.0;
    let mut drawing =
        format!(r#"<g transform="translate({} {})scale({})">"#, number(x), number(y), number(unit));
    drawing += &used_at(&small, left, RIM - 0.5);
    drawing += &self::man(man, (left - 0.2, 0.08), 2.3, canvas);
    drawing += &turn(inner, span, canvas);
    drawing += "</g>";
    drawing + &address(panel, square, span, canvas)
}

/// A small board, drawn once for all that look the same. Boards on its squares are left out.
fn board_within(panel: &Panel, canvas: &mut Canvas) -> String {
    let mut drawing = ground(panel, canvas);
    for (square, cell) in panel.squares() {
        drawing += &content(cell, corner(panel, square), canvas);
    }
    canvas.shared(&(drawing + &shade(panel)))
}

/// The address of a mega-square.
fn address(panel: &Panel, square: Square, span: f32, canvas: &mut Canvas) -> String {
    let (x, y) = corner(panel, square);
    let letters = format!("{}{}", panel.letter(square.file), square.rank + 1);
    let size = 1.5 / span;
    let width = glyphs::width(&letters) * size / 100.0;
    canvas.words(&Words::new(letters, size).at(x + 1.0 - RIM / 2.0 / span - width, y + 1.9 / span))
}

/// Who has the move on a small board.
fn turn(inner: &Panel, span: f32, _canvas: &mut Canvas) -> String {
    let Some(side) = inner.turn else { return String::new() };
    let (x, top) = (span - RIM / 2.0 + 0.3, RIM - 0.5);
    let (y, fill) = match side {
        Side::Black => (top + 0.5, INK),
        Side::White => (top + f32::from(inner.ranks()) - 0.5, PAPER),
    };
    format!(r#"<path d="M{} {}l.8-.55v1.1z" fill="{fill}" stroke-width=".12"/>"#, number(x), number(y))
}
