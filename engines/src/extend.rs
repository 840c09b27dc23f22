//! A run made longer: its ledger as the ledger of the longer run would stand.
//!
//! Games of a round hang on the seed and the number of the round alone, so those of a run are the first of any longer
//! one. Only the name of the run differs, which every line bears.

use crate::journal::{Fault, Header, Reader, renamed};
use std::io::{BufRead, Write};

/// Writes the games of a whole ledger as those of a longer run; answers how many there are.
///
/// # Errors
/// Those of the files, and a line that is damaged or out of place.
pub fn extend<R: BufRead>(
    reader: &mut Reader<R>,
    longer: &Header,
    out: &mut dyn Write,
) -> Result<u64, Fault> {
    out.write_all(&longer.line())?;
    let mut games = 0;
    while reader.advance()? {
        out.write_all(&renamed(reader.line(), &longer.run))?;
        games += 1;
    }
    Ok(games)
}
