//! System errors about files and programs, in words for the user who named the file.

use std::io;

/// The reason for a system error, without its number.
///
/// ```
/// use overboard_formats::io_words::reason;
/// use std::{fs, io};
///
/// let missing = fs::read("/nowhere/at/all").unwrap_err();
/// assert_eq!(reason(&missing), "no such file or folder");
/// assert_eq!(reason(&io::Error::other("line 3 is torn")), "line 3 is torn");
/// ```
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match error.kind() {
        _ if error.raw_os_error().is_none() => text,
        io::ErrorKind::NotFound => "no such file or folder".into(),
        io::ErrorKind::IsADirectory => "this is a folder, not a file".into(),
        _ => text
            .split(" (os error")
            .next()
            .unwrap_or_default()
            .to_owned(),
    }
}
