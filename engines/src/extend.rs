//! Extends a run: rewrites its ledger as the beginning of the longer run's ledger.
//!
//! The games of a round depend only on the seed and the round's number, so the games of a run are the first ones of any
//! longer run. Only the run id differs, which is on every line. A ledger of an older form is converted to the present
//! one.

use crate::journal::{Header, JournalError, Reader, renamed};
use std::io::{BufRead, Write};

/// Writes the games of a complete ledger as those of a longer run; returns how many there are.
///
/// # Errors
/// Those of the files; a line that is damaged or out of order.
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
