//! The FENs of boards side by side, joined by [`SEAM`](super::SEAM).

use overboard_referee::game::position::FenError;

/// Reads each board of a text, board A first.
///
/// # Errors
/// What is wrong, and where in the whole text.
pub(crate) fn each<T>(
    text: &str,
    mut read: impl FnMut(&str) -> Result<T, FenError>,
) -> Result<Vec<T>, FenError> {
    let mut boards = Vec::new();
    let mut at = 0;
    for part in text.split('|') {
        let spaces = part.len() - part.trim_start().len();
        boards.push(read(part.trim()).map_err(|fault| shifted(fault, at + spaces))?);
        at += part.len() + 1;
    }
    Ok(boards)
}

fn shifted(FenError { what, bytes }: FenError, by: usize) -> FenError {
    FenError {
        what,
        bytes: bytes.start + by..bytes.end + by,
    }
}
