//! The pieces as drawings, made for this project.
//!
//! Every drawing is on a square of 100 by 100. Its shapes inherit what they do not define, such as the stroke and its
//! width, so that a wide white stroke can set a piece off from its background. Inner lines have the colour `color`.
//! Silver is the moon and Gold the sun, as of old.

use crate::glyphs;
use overboard_rules::square::{Piece, Role, Side};

/// The dark colour.
pub const INK: &str = "#1f1c19";
/// The light colour.
pub const PAPER: &str = "#fff";

const BASE: &str = "M23 89v-5q0-7 7-7h40q7 0 7 7v5z";

/// The id of a piece's drawing.
#[must_use]
pub fn id(piece: Piece, letters: bool) -> String {
    format!("{}{}", if letters { 'l' } else { 'm' }, piece.letter())
}

/// The drawing of a piece: a figure, or a letter on a disc.
#[must_use]
pub fn symbol(piece: Piece, letters: bool) -> String {
    shapes(piece, letters, &format!(r#"id="{}""#, id(piece, letters)))
}

/// Both drawings of a piece under one id, with the classes `figure` and `letter`, of which a page shows one.
#[must_use]
pub fn symbols(piece: Piece) -> String {
    let (figure, letter) = (
        shapes(piece, false, r#"class="figure""#),
        shapes(piece, true, r#"class="letter""#),
    );
    format!(r#"<g id="{}">{figure}{letter}</g>"#, id(piece, false))
}

fn shapes(piece: Piece, letters: bool, attribute: &str) -> String {
    let (body, line) = match piece.side {
        Side::White => (PAPER, INK),
        Side::Black => (INK, PAPER),
    };
    let shapes = if letters {
        letter(piece)
    } else {
        figure(piece.role)
    };
    format!(r#"<g {attribute} transform="scale(.01)" fill="{body}" color="{line}">{shapes}</g>"#)
}

/// A letter on a disc.
fn letter(piece: Piece) -> String {
    let letter = piece.letter();
    let x = 50.0 - glyphs::width(&letter.to_string()) * 0.36;
    let y = match letter {
        'g' | 'p' | 'q' => 60,
        'n' | 'r' | 's' => 67,
        _ => 75,
    };
    let path = glyphs::path(letter);
    format!(
        r#"<circle cx="50" cy="50" r="40"/><path d="{path}" transform="translate({x:.0} {y})scale(.72)" fill="none" stroke="currentColor" stroke-width="13"/>"#
    )
}

/// The shapes of a figure, from back to front.
fn figure(role: Role) -> String {
    match role {
        Role::King => king(),
        Role::Queen => queen(),
        Role::Rook => rook(),
        Role::Bishop => bishop(),
        Role::Knight => knight(),
        Role::Pawn => pawn(),
        Role::Silver => silver(),
        Role::Gold => gold(),
    }
}

fn shape(path: &str) -> String {
    format!(r#"<path d="{path}"/>"#)
}

/// A line inside a figure.
fn line(path: &str) -> String {
    format!(r#"<path d="{path}" fill="none" stroke="currentColor"/>"#)
}

fn ball(x: u8, y: u8, r: u8) -> String {
    format!(r#"<circle cx="{x}" cy="{y}" r="{r}"/>"#)
}

fn king() -> String {
    let cross = shape("M46 8h8v6h6v8h-6v10h-8V22h-6v-8h6z");
    let heart = shape("M50 58c-7-10-10-14-10-19a10 10 0 0 1 20 0c0 5-3 9-10 19z");
    let crown = shape(
        "M29 77c0-6-1-10-5-15C18 55 13 51 14 43c2-11 15-14 25-8 6 4 9 9 11 16 2-7 5-12 11-16 10-6 23-3 25 8 1 8-4 12-10 19-4 5-5 9-5 15z",
    );
    [cross, heart, crown, shape(BASE), line("M32 68q18-6 36 0")].concat()
}

fn queen() -> String {
    let crown = shape(
        "M29 77c0-8-2-14-5-19L15 33l16 17 2-27 12 25 5-29 5 29 12-25 2 27 16-17-9 25c-3 5-5 11-5 19z",
    );
    let balls = [(14, 29), (32, 19), (50, 15), (68, 19), (86, 29)]
        .map(|(x, y)| ball(x, y, 5))
        .concat();
    [crown, balls, shape(BASE), line("M31 67q19-6 38 0")].concat()
}

fn rook() -> String {
    let tower = shape("M32 77l3-34h30l3 34z");
    let top = shape("M27 43V17h10v8h8v-8h10v8h8v-8h10v26z");
    [tower, top, shape(BASE), line("M36 67h28M37 53h26")].concat()
}

fn bishop() -> String {
    let skirt = shape("M33 77c0-7 3-11 8-14h18c5 3 8 7 8 14z");
    let mitre = shape("M50 20C37 29 29 40 29 50c0 7 4 11 10 14h22c6-3 10-7 10-14 0-10-8-21-21-30z");
    [
        ball(50, 15, 6),
        skirt,
        mitre,
        shape(BASE),
        line("M50 35v17M42 43h16M38 64h24"),
    ]
    .concat()
}

fn knight() -> String {
    let head = shape(
        "M31 77c0-14 14-18 15-29-5 4-10 5-15 9-3 3-3 7-7 8-6 1-11-4-10-10C16 49 25 42 27 33c1-6 5-10 9-13L35 9l11 8C67 17 78 38 75 77z",
    );
    let eye = r#"<circle cx="37" cy="33" r="2.5" fill="currentColor" stroke="currentColor" stroke-width="1"/>"#;
    [
        head,
        shape(BASE),
        eye.into(),
        line("M53 26c11 6 14 20 13 40M21 57l2-2"),
    ]
    .concat()
}

fn pawn() -> String {
    let body = shape("M31 77c1-14 11-18 12-31h14c1 13 11 17 12 31z");
    let collar = shape("M35 49q0-5 5-5h20q5 0 5 5z");
    [body, collar, ball(50, 30, 14), shape(BASE)].concat()
}

fn stand() -> String {
    shape("M33 77c1-6 7-8 9-14h16c2 6 8 8 9 14z") + &shape(BASE)
}

/// The moon on a stand.
fn silver() -> String {
    let moon = shape("M59 11A28 28 0 1 0 77 49A24 24 0 0 1 59 11z");
    [stand(), moon].concat()
}

/// The sun on a stand.
fn gold() -> String {
    let ray = |n: u8| {
        let angle = f32::from(n) * std::f32::consts::PI / 8.0;
        let r = if n.is_multiple_of(2) { 32.0 } else { 23.0 };
        format!(
            "{:.1} {:.1}",
            50.0 + r * angle.sin(),
            39.0 - r * angle.cos()
        )
    };
    let rays: Vec<_> = (0..16).map(ray).collect();
    let sun = shape(&format!("M{}z", rays.join("L")));
    let disc = r#"<circle cx="50" cy="39" r="12" fill="none" stroke="currentColor"/>"#;
    [stand(), sun, disc.into()].concat()
}

/// A laurel wreath around a promoted piece.
#[must_use]
pub fn laurel() -> String {
    let branch: String = (0..5_u8)
        .map(|n| leaves(0.45 + 0.42 * f32::from(n)))
        .collect();
    format!(
        r##"<g id="laurel" transform="scale(.01)" fill="#2f7d3b" stroke="#15461d" stroke-width="1.8"><g id="branch"><path d="M50 94A38 38 0 0 1 14 44" fill="none" stroke-width="3.5"/>{branch}</g><use href="#branch" transform="matrix(-1 0 0 1 100 0)"/></g>"##
    )
}

/// Two leaves on the left branch, at this angle from its foot.
fn leaves(angle: f32) -> String {
    let (x, y) = (50.0 - 38.0 * angle.sin(), 56.0 + 38.0 * angle.cos());
    let along = angle.to_degrees() + 180.0;
    let leaf = |turn: f32| {
        let turn = along + turn;
        format!(
            r#"<path d="M0 0q7-8 17 0q-10 8-17 0z" transform="translate({x:.0} {y:.0})rotate({turn:.0})"/>"#
        )
    };
    leaf(38.0) + &leaf(-38.0)
}

/// Two crossed swords behind an armed piece.
#[must_use]
pub fn swords() -> String {
    let sword = "M0-62l5 9v68h10v7H3v13h2v8h-10v-8h2V22h-12v-7h10v-68z";
    format!(
        r##"<g id="swords" transform="scale(.01)" fill="#dfe5ea" stroke-width="3.5"><path id="sword" d="{sword}" transform="translate(50 50)rotate(45)"/><use href="#sword" transform="matrix(-1 0 0 1 100 0)"/></g>"##
    )
}
