//! Steps and lines on a board of any size, regardless of the pieces on it.

use crate::square::Square;

/// The squares strictly between two squares of one rank, file or diagonal, from the first towards the second; empty if
/// the squares are adjacent or not on one line.
pub fn between(from: Square, to: Square) -> impl Iterator<Item = Square> {
    let files = i16::from(to.file) - i16::from(from.file);
    let ranks = i16::from(to.rank) - i16::from(from.rank);
    let aligned = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    let steps = if aligned {
        files.abs().max(ranks.abs())
    } else {
        0
    };
    (1..steps).map(move |step| {
        Square::new(
            offset(from.file, files.signum() * step),
            offset(from.rank, ranks.signum() * step),
        )
    })
}

/// Whether two different squares share a rank or a file.
#[must_use]
pub fn on_a_rook_line(a: Square, b: Square) -> bool {
    a != b && (a.file == b.file || a.rank == b.rank)
}

/// Whether two different squares share a diagonal.
#[must_use]
pub fn on_a_bishop_line(a: Square, b: Square) -> bool {
    a != b && a.file.abs_diff(b.file) == a.rank.abs_diff(b.rank)
}

/// Whether a knight can jump from one square to the other.
#[must_use]
pub fn a_knight_apart(a: Square, b: Square) -> bool {
    matches!(
        (a.file.abs_diff(b.file), a.rank.abs_diff(b.rank)),
        (1, 2) | (2, 1)
    )
}

fn offset(from: u8, by: i16) -> u8 {
    // A point between two squares of a board is on the board.
    (i16::from(from) + by) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(from: Square, to: Square) -> Vec<String> {
        between(from, to).map(|s| s.to_string()).collect()
    }

    #[test]
    fn lines_run_from_the_first_square_to_the_second() {
        assert_eq!(names(Square::new(0, 0), Square::new(3, 3)), ["b2", "c3"]);
        assert_eq!(names(Square::new(4, 7), Square::new(4, 4)), ["e7", "e6"]);
        assert_eq!(names(Square::new(0, 0), Square::new(1, 2)), [""; 0]);
        assert_eq!(names(Square::new(0, 0), Square::new(0, 1)), [""; 0]);
    }
}
