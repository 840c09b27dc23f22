//! Tables below the boards.

use super::canvas::{Canvas, Words};
use crate::{diagram::WordTable, glyphs};

/// The gap between two columns, and between two tables, in units of the letters.
const APART: f32 = 0.8;
const TABLES_APART: f32 = 2.0;
/// The distance between two lines, in the same unit.
const LINE: f32 = 1.35;

/// Draws tables side by side, no wider than the page. Returns their height.
pub fn draw(
    tables: &[WordTable],
    canvas: &mut Canvas,
    (x, y): (f32, f32),
    width: f32,
    size: f32,
) -> f32 {
    let columns: Vec<_> = tables.iter().map(columns).collect();
    let natural: f32 = columns
        .iter()
        .map(|columns| breadth(columns) + TABLES_APART)
        .sum();
    let size = size.min(width / (natural - TABLES_APART).max(1.0));
    let mut left = x;
    for (table, columns) in tables.iter().zip(&columns) {
        draw_one(table, columns, canvas, (left, y), size);
        left += (breadth(columns) + TABLES_APART) * size;
    }
    let lines = tables
        .iter()
        .map(|table| table.rows.len() + 2)
        .max()
        .unwrap_or(0);
    lines as f32 * LINE * size
}

/// The widths of the columns, in units of the letters.
fn columns(table: &WordTable) -> Vec<f32> {
    let mut widths = vec![0.0_f32; table.heads.len()];
    for line in table.lines() {
        for (width, word) in widths.iter_mut().zip(line) {
            *width = width.max(glyphs::width(&word) / 100.0);
        }
    }
    widths
}

fn breadth(columns: &[f32]) -> f32 {
    columns.iter().map(|width| width + APART).sum::<f32>() - APART
}

fn draw_one(
    table: &WordTable,
    columns: &[f32],
    canvas: &mut Canvas,
    (x, mut y): (f32, f32),
    size: f32,
) {
    let limit = breadth(columns) * size;
    canvas.write(
        &Words::new(table.title.line(), size)
            .at(x, y + size)
            .within(limit),
    );
    for line in table.lines() {
        y += LINE * size;
        let mut left = x;
        for (word, width) in line.into_iter().zip(columns) {
            let is_number = word.bytes().all(|b| b.is_ascii_digit());
            let indent = if is_number {
                width - glyphs::width(&word) / 100.0
            } else {
                0.0
            };
            canvas.write(&Words::new(word, size).at(left + indent * size, y + size));
            left += (width + APART) * size;
        }
    }
}
