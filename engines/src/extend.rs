//! Extends a run: rewrites its ledger as the beginning of the longer run's ledger.
//!
//! The games of a round depend only on the seed and the round's number, so those of a run are the first of
//! any longer one. Only the name of the run differs, which every line bears. A ledger of an older form gets
//! that of today.

use crate::journal::{Header, JournalError, Reader, renamed};
use std::io::{BufRead, Write};

/// Writes the games of a whole ledger as those of a longer run; returns how many there are.
///
/// # Errors
/// Those of the files, and a line that is damaged or out of place.
pub fn extend<R: BufRead>(
    reader: &mut Reader<R>,
    longer: &Header,
    out: &mut dyn Write,
) -> Result<u64, JournalError> {
    let (longer, form) = (longer.of_today(), reader.header.ledger);
    let mut games = 0;
    while reader.advance()? {
        out.write_all(&longer.adopt(&renamed(reader.line(), &longer.run), form, games == 0))?;
        games += 1;
    }
    Ok(games)
}
