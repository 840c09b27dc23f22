//! Diagrams for paper and pages: a single SVG without external references, scripts or fonts.
//!
//! Anything drawn more than once, be it a piece, a letter or a small board, is defined in `defs` and used from there,
//! so that a position of Mega-Chess stays small. A stack shows the rider in front of its greyed carrier, with both
//! letters below, on red if the rider annexes. A promoted piece has a laurel wreath and the letter of what it was. An
//! armed mega-piece has crossed swords behind it, a disarmed one is pale and has the `½` of its draw, and a dethroned
//! king lies on its side; the piece of a small board on which play has ended is drawn large on that board. A king in
//! check has a red frame and a `+`. A triangle in the colour of the side to move points at the board from that side's
//! end. Linked boards are stitched together, and kerbs run along the roads. Everything is shown by shape or letter,
//! never by colour alone.

pub(crate) mod canvas;
pub(crate) mod pieces;
pub(crate) mod squares;
mod tables;

use crate::{
    diagram::{Diagram, Panel, PanelRow},
    glyphs,
    pieces::{INK, PAPER},
    text,
};
use canvas::{Canvas, Words, number, used};
use overboard_formats::foreign::Foreign;
use overboard_rules::square::{Piece, Role, Side};

/// How to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The size of a square in pixels, from 8 to 400; a mega-square is eleven times as large if it has a board.
    pub square: u16,
    /// Letters instead of figures.
    pub letters: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            square: 44,
            letters: false,
        }
    }
}

/// A drawing that was scaled to fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fitted {
    /// The drawing.
    pub svg: String,
    /// Its width and height in pixels.
    pub size: (u32, u32),
    /// What they would be at the requested size of squares.
    pub asked: (u32, u32),
}

/// Draws a diagram.
#[must_use]
pub fn draw(diagram: &Diagram, options: &Options) -> String {
    draw_within(diagram, options, u32::MAX).svg
}

/// Draws a diagram, scaled down if a side would otherwise exceed `most` pixels.
#[must_use]
pub fn draw_within(diagram: &Diagram, options: &Options, most: u32) -> Fitted {
    let square = f32::from(options.square.clamp(8, 400));
    let mut canvas = Canvas::new(options.letters);
    let margin = square.max(20.0) * 0.3;
    let width = diagram
        .rows
        .iter()
        .map(|row| breadth(row, square))
        .fold(square * 4.0, f32::max);
    let mut y = caption(diagram, &mut canvas, margin, width, square);
    for row in &diagram.rows {
        y += draw_row(row, square, &mut canvas, (margin, y)) + margin;
    }
    // The tables of the two sides are side by side.
    for pair in diagram.tables.chunks(2) {
        y += tables::draw(pair, &mut canvas, (margin, y), width, square * 0.32) + margin;
    }
    canvas.finish(
        &name(diagram),
        &description(diagram),
        (width + 2.0 * margin, y),
        most,
    )
}

/// Draws the lines of a caption. Returns where the boards begin.
fn caption(diagram: &Diagram, canvas: &mut Canvas, margin: f32, width: f32, square: f32) -> f32 {
    let size = (square * 0.36)
        .max(width / 60.0)
        .max(12.0)
        .min(width / 16.0);
    let mut y = margin;
    let words = diagram.caption.as_ref().map(Foreign::line);
    let words = words.iter().flat_map(|words| words.split_whitespace());
    for line in text::filled(words, width / size * 100.0, glyphs::width) {
        canvas.write(
            &Words::new(line, size)
                .at(margin, y + size * 0.8)
                .within(width),
        );
        y += size * 1.3;
    }
    y + if diagram.caption.is_some() {
        size * 0.5
    } else {
        0.0
    }
}

/// The measures of a board in the drawing, in pixels.
struct PanelPlace<'a> {
    panel: &'a Panel,
    /// The size of a square.
    unit: f32,
    /// The unit for letters and hands.
    em: f32,
}

impl<'a> PanelPlace<'a> {
    fn of(panel: &'a Panel, square: f32) -> Self {
        let span = squares::span(panel);
        let em = if span > 1.0 {
            square.max(8.0) * 3.6
        } else {
            square
        };
        Self {
            panel,
            unit: square * span,
            em,
        }
    }

    fn width(&self) -> f32 {
        f32::from(self.panel.files) * self.unit
    }

    fn height(&self) -> f32 {
        f32::from(self.panel.ranks()) * self.unit
    }
}

/// Room around the boards of a row, so that their ranks are level.
#[derive(Default)]
struct Room {
    title: f32,
    far: f32,
    board: f32,
    files: f32,
    near: f32,
}

impl Room {
    fn of(places: &[PanelPlace]) -> Self {
        let most = |size: &dyn Fn(&PanelPlace) -> f32| places.iter().map(size).fold(0.0, f32::max);
        Self {
            title: most(&|place| {
                if place.panel.title.is_some() {
                    place.em * 0.6
                } else {
                    0.0
                }
            }),
            far: most(&|place| strip(place, place.panel.far())),
            board: most(&|place| place.height()),
            files: most(&|place| place.em * 0.5),
            near: most(&|place| strip(place, place.panel.far().other())),
        }
    }

    fn height(&self) -> f32 {
        self.title + self.far + self.board + self.files + self.near
    }
}

/// The height of the strip at a side's end of the board.
fn strip(place: &PanelPlace, side: Side) -> f32 {
    let panel = place.panel;
    place.em
        * match (panel.hand(side), panel.turn) {
            (Some(_), _) => 0.85,
            (None, Some(_)) => 0.42,
            (None, None) => 0.0,
        }
}

/// The distance between the boards of a row, and the room for rank numbers.
fn gaps(place: &PanelPlace, first: bool, joined: bool) -> (f32, f32) {
    match (first, joined) {
        (true, _) => (0.0, place.em * 0.5),
        (false, true) => (place.em * 0.22, 0.0),
        (false, false) => (place.em * 0.5, place.em * 0.5),
    }
}

fn breadth(row: &PanelRow, square: f32) -> f32 {
    let places = row
        .panels
        .iter()
        .map(|panel| PanelPlace::of(panel, square))
        .enumerate();
    let width = |(index, place): (usize, PanelPlace)| {
        let (gap, margin) = gaps(&place, index == 0, row.joined);
        gap + margin + place.width()
    };
    places.map(width).sum()
}

/// Draws the boards of a row. Returns its height.
fn draw_row(row: &PanelRow, square: f32, canvas: &mut Canvas, (mut x, y): (f32, f32)) -> f32 {
    let places: Vec<_> = row
        .panels
        .iter()
        .map(|panel| PanelPlace::of(panel, square))
        .collect();
    let room = Room::of(&places);
    for (index, place) in places.iter().enumerate() {
        let (gap, margin) = gaps(place, index == 0, row.joined);
        if index > 0 && row.joined {
            seam(
                place,
                canvas,
                (x + gap / 2.0, (y + room.title + room.far).round()),
            );
        }
        x += gap + margin;
        draw_place(place, &room, margin > 0.0, canvas, (x, y));
        x += place.width();
    }
    room.height()
}

/// Draws a board and everything around it; the point is the upper left corner of board and strips.
fn draw_place(
    place: &PanelPlace,
    room: &Room,
    numbered: bool,
    canvas: &mut Canvas,
    (x, y): (f32, f32),
) {
    let (x, top) = (x.round(), (y + room.title + room.far).round());
    let bottom = top + place.height();
    let far = place.panel.far();
    title(place, canvas, (x, top - room.far));
    side(place, far, canvas, (x, top));
    let board = squares::board(place.panel, canvas);
    let unit = number(place.unit);
    canvas.put(&format!(
        r#"<g transform="translate({} {})scale({unit})">{board}</g>"#,
        number(x),
        number(top)
    ));
    files(place, canvas, (x, bottom));
    if numbered {
        ranks(place, canvas, (x, top));
    }
    side(place, far.other(), canvas, (x, bottom + room.files));
}

/// Stitches linked boards together.
fn seam(place: &PanelPlace, canvas: &mut Canvas, (x, y): (f32, f32)) {
    let (width, stitch) = (number(place.em * 0.06), number(place.unit * 0.25));
    let (x, y, height) = (
        number(x),
        number(y + place.unit * 0.125),
        number(place.height() - place.unit * 0.25),
    );
    canvas.put(&format!(
        r#"<path d="M{x} {y}v{height}" stroke-width="{width}" stroke-dasharray="{stitch}" stroke-linecap="butt"/>"#
    ));
}

fn title(place: &PanelPlace, canvas: &mut Canvas, (x, y): (f32, f32)) {
    if let Some(title) = text::heading(place.panel) {
        let words = Words::new(title, place.em * 0.32).within(place.width());
        canvas.write(&words.at(x, y - place.em * 0.2));
    }
}

fn files(place: &PanelPlace, canvas: &mut Canvas, (x, y): (f32, f32)) {
    for file in 0..place.panel.files {
        let words = Words::new(place.panel.letter(file), place.em * 0.34).middle();
        let middle = x + (f32::from(place.panel.column(file)) + 0.5) * place.unit;
        canvas.write(&words.at(middle, y + place.em * 0.36));
    }
}

fn ranks(place: &PanelPlace, canvas: &mut Canvas, (x, y): (f32, f32)) {
    for rank in 0..place.panel.ranks() {
        let words = Words::new((rank + 1).to_string(), place.em * 0.34).middle();
        let middle = y + (f32::from(place.panel.line(rank)) + 0.5) * place.unit;
        canvas.write(&words.at(x - place.em * 0.26, middle + place.em * 0.12));
    }
}

/// Draws the strip of a side: a triangle if it is to move, and the pieces in hand. Its inner edge is at `y`.
fn side(place: &PanelPlace, side: Side, canvas: &mut Canvas, (x, y): (f32, f32)) {
    let (em, out) = (place.em, if side == place.panel.far() { -1.0 } else { 1.0 });
    if place.panel.may_move(side) {
        triangle(
            side,
            out,
            canvas,
            (x + em * 0.25, y + out * em * 0.1),
            em * 0.17,
        );
    }
    if let Some(hand) = place.panel.hand(side) {
        let room = place.width() - em * 0.6;
        let size = (em * 0.7).min(room / hand_width(hand));
        draw_hand(
            side,
            hand,
            size,
            canvas,
            (x + em * 0.6, y + out * em * 0.44),
        );
    }
}

/// Draws a triangle that points at the board from its side, which is below for `out` = 1 and above for -1; the point is
/// its tip.
fn triangle(side: Side, out: f32, canvas: &mut Canvas, (x, y): (f32, f32), half: f32) {
    let (fill, deep) = (
        if side == Side::Black { INK } else { PAPER },
        out * 1.5 * half,
    );
    canvas.put(&format!(
        r#"<path d="M{} {}l{} {}h{}z" fill="{fill}" stroke-width="{}"/>"#,
        number(x),
        number(y),
        number(half),
        number(deep),
        number(-2.0 * half),
        number(half * 0.2),
    ));
}

/// The gap between two kinds of pieces in a hand, and the room for a number, in units of a piece.
const APART: f32 = 0.1;
const COUNT: f32 = 0.45;

/// The width of a hand, in units of a piece.
fn hand_width(hand: &[(Role, u8)]) -> f32 {
    let width = |(_, count): &(Role, u8)| match count {
        0 => 0.0,
        1 => 1.0 + APART,
        _ => 1.0 + APART + COUNT,
    };
    hand.iter().map(width).sum()
}

/// Draws the pieces in hand of a side, kind by kind; the point is the middle of the left edge.
fn draw_hand(
    side: Side,
    hand: &[(Role, u8)],
    size: f32,
    canvas: &mut Canvas,
    (mut x, y): (f32, f32),
) {
    for (role, count) in hand {
        if *count == 0 {
            continue;
        }
        let id = canvas.piece(Piece { side, role: *role });
        canvas.put(&used(&id, (x, y - size / 2.0), size, ""));
        if *count > 1 {
            canvas.write(
                &Words::new(count.to_string(), size * 0.55).at(x + size * 0.98, y + size * 0.2),
            );
            x += COUNT * size;
        }
        x += (1.0 + APART) * size;
    }
}

fn name(diagram: &Diagram) -> String {
    let title = diagram.panels().find_map(|panel| panel.title.as_ref());
    match diagram.caption.as_ref().or(title) {
        Some(name) => name.line(),
        None => "A chess position".into(),
    }
}

/// The diagram in words: every board with its pieces and the side to move.
fn description(diagram: &Diagram) -> String {
    let words: Vec<_> = diagram.panels().map(text::in_words).collect();
    words.join(" ")
}
