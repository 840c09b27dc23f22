//! Where a page is written that nobody has named, and how it is opened in a browser.

use super::{ViewError, record_name};
use std::{
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The name of a page in the working directory: that of the record, with another ending.
pub fn page_name(record: &Path) -> PathBuf {
    Path::new(&record_name(record)).with_extension("html")
}

/// Opens a page in the browser of the system, which goes on by itself.
pub fn open(page: &Path) -> Result<(), ViewError> {
    open_address(page.canonicalize().map_err(ViewError::Unopened)?)
}

/// The same for a page with an address.
pub fn open_address(address: impl AsRef<OsStr>) -> Result<(), ViewError> {
    let mut words = opener().split(' ');
    let program = words.next().unwrap_or_default();
    Command::new(program)
        .args(words)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| io::Error::new(error.kind(), format!("{program}: {error}")))
        .map_err(ViewError::Unopened)?;
    Ok(())
}

/// The command of the system that opens a file with the program for it.
const fn opener() -> &'static str {
    if cfg!(windows) {
        "explorer"
    } else if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_named_after_its_record() {
        for (record, page) in [
            ("games/cup.npgn", "cup.html"),
            ("cup.pgn.gz", "cup.html"),
            ("cup", "cup.html"),
            ("-", "game.html"),
        ] {
            assert_eq!(page_name(Path::new(record)), Path::new(page), "{record}");
        }
    }
}
