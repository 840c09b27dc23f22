//! The contents of a square in SVG; a square is one unit.

use super::canvas::{Canvas, Words, number, used};
use crate::{
    diagram::{Cell, DrawnPiece, Mark},
    glyphs, pieces,
};
use overboard_rules::square::Piece;

/// The colour of danger: check, annexation, a contested square.
pub const ALARM: &str = "#b3201a";

/// The contents of a square with this upper left corner.
pub fn content(cell: &Cell, place: (f32, f32), canvas: &mut Canvas) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Piece(occupant) | Cell::Board(occupant, _) => piece(*occupant, place, 1.0, canvas),
        Cell::Stack { carrier, rider } => stack(*carrier, *rider, place, canvas),
        Cell::Contest { attacker, defender } => contest(*attacker, *defender, place, canvas),
    }
}

/// A piece with its mark, in a square of this size.
pub fn piece(occupant: DrawnPiece, (x, y): (f32, f32), size: f32, canvas: &mut Canvas) -> String {
    let id = canvas.piece(occupant.piece);
    let at = |dx: f32, dy: f32| (x + dx * size, y + dy * size);
    match occupant.mark {
        None => used(&id, (x, y), size, ""),
        Some(Mark::Promoted(role)) => {
            canvas.define("laurel", pieces::laurel);
            let letter = badge(role.letter(), at(0.5, 0.87), 0.26 * size, None, canvas);
            used("laurel", (x, y), size, "") + &set_off(&id, at(0.13, 0.01), 0.74 * size) + &letter
        }
        Some(Mark::Armed) => {
            canvas.define("swords", pieces::swords);
            used("swords", (x, y), size, "") + &set_off(&id, at(0.12, 0.08), 0.76 * size)
        }
        Some(Mark::Disarmed) => {
            let draw = badge('½', at(0.77, 0.77), 0.38 * size, None, canvas);
            used(&id, (x, y), size, r#" opacity=".5""#) + &draw
        }
        Some(Mark::Dethroned) => lying(&id, at(0.0, 0.1), size),
        Some(Mark::Strength(points)) => {
            let plate = badge(points, at(0.75, 0.84), 0.28 * size, None, canvas);
            used(&id, at(0.03, 0.0), 0.86 * size, "") + &plate
        }
    }
}

/// A piece that lies on its side.
fn lying(id: &str, (x, y): (f32, f32), size: f32) -> String {
    let (x, y, size) = (number(x), number(y), number(size));
    format!(r##"<use href="#{id}" transform="translate({x} {y})scale({size})rotate(-90 .5 .5)"/>"##)
}

/// A piece with a white rim that sets it off from its background.
fn set_off(id: &str, place: (f32, f32), size: f32) -> String {
    used(id, place, size, r##" stroke="#fff" stroke-width="13""##) + &used(id, place, size, "")
}

/// The rider in front of its carrier, and the letters of both.
fn stack(carrier: Piece, rider: Piece, (x, y): (f32, f32), canvas: &mut Canvas) -> String {
    let (below, above) = (canvas.piece(carrier), canvas.piece(rider));
    let plate = (carrier.side != rider.side).then_some(ALARM);
    let letters = format!("{}{}", carrier.letter(), rider.letter());
    used(&below, (x - 0.03, y + 0.16), 0.82, r#" opacity=".5""#)
        + &set_off(&above, (x + 0.25, y - 0.02), 0.75)
        + &badge(letters, (x + 0.71, y + 0.85), 0.26, plate, canvas)
}

/// The attacker above, the defender below, and a dashed line between them.
fn contest(
    attacker: DrawnPiece,
    defender: DrawnPiece,
    (x, y): (f32, f32),
    canvas: &mut Canvas,
) -> String {
    let (left, top, bottom) = (number(x + 0.03), number(y + 0.03), number(y + 0.97));
    let ring = format!(
        r#"<path d="M{left} {top}h.94v.94h-.94zM{left} {bottom}l.94-.94" fill="none" stroke="{ALARM}" stroke-width=".06" stroke-dasharray=".12 .1"/>"#
    );
    let (one, other) = (canvas.piece(attacker.piece), canvas.piece(defender.piece));
    ring + &used(&one, (x + 0.04, y + 0.02), 0.56, "")
        + &used(&other, (x + 0.4, y + 0.41), 0.56, "")
        + &strength(attacker, (x + 0.77, y + 0.18), canvas)
        + &strength(defender, (x + 0.23, y + 0.82), canvas)
}

fn strength(piece: DrawnPiece, place: (f32, f32), canvas: &mut Canvas) -> String {
    match piece.mark {
        Some(Mark::Strength(points)) => badge(points, place, 0.24, None, canvas),
        _ => String::new(),
    }
}

/// A few letters on a small plate around a point, condensed if there are many; in white on a coloured plate.
pub fn badge(
    letters: impl ToString,
    (x, y): (f32, f32),
    height: f32,
    plate: Option<&'static str>,
    canvas: &mut Canvas,
) -> String {
    let letters = letters.to_string();
    let room = (glyphs::width(&letters) * height / 100.0).min(height * 1.8);
    let width = (room + height * 0.3).max(height);
    let (fill, ink) = plate.map_or((pieces::PAPER, pieces::INK), |plate| (plate, pieces::PAPER));
    let rect = format!(
        r#"<rect x="{}" y="{}" width="{}" height="{}" rx="{}" fill="{fill}" stroke-width="{}"/>"#,
        number(x - width / 2.0),
        number(y - height / 2.0),
        number(width),
        number(height),
        number(height * 0.3),
        number(height * 0.09),
    );
    rect + &canvas.words(
        &Words::new(letters, height)
            .within(room)
            .middle()
            .at(x, y + height * 0.35)
            .ink(ink),
    )
}
