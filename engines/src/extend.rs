//! A run made longer: its ledger as the ledger of the longer run would stand.
//!
//! Games of a round hang on the seed and the number of the round alone, so those of a run are the first of any longer
//! one. Only the name of the run differs, which every line bears. A ledger of an older form gets that of today.

use crate::journal::{Header, JournalError, Reader, renamed};
use std::io::{BufRead, Write};

/// Writes the games of a whole ledger as those of a longer run; answers how many there are.
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
