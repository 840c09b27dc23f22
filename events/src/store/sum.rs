//! The hash by which the log knows a file or an entry.

use overboard_formats::as_text;
use std::{fmt, str::FromStr};

/// The first 128 bits of a BLAKE3 hash, as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sum(u128);

impl Sum {
    /// What the first entry of a log has in place of the entry before it.
    pub const START: Self = Self(0);
    /// Hexadecimal digits.
    pub const DIGITS: usize = 32;

    /// The hash of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::from_hash(&blake3::hash(bytes))
    }

    /// The hash of files with their names.
    pub fn of_files<'a>(files: impl Iterator<Item = (&'a String, &'a Vec<u8>)>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for (name, bytes) in files {
            hasher.update(name.as_bytes());
            hasher.update(&[0]);
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        }
        Self::from_hash(&hasher.finalize())
    }

    fn from_hash(hash: &blake3::Hash) -> Self {
        let mut first = [0; 16];
        first.copy_from_slice(&hash.as_bytes()[..16]);
        Self(u128::from_be_bytes(first))
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Sum {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let sum = u128::from_str_radix(text, 16)
            .map(Self)
            .map_err(|_| "expected a hash of 32 hexadecimal digits")?;
        // One spelling only, so that no bit of it can change unseen.
        if sum.to_string() == text {
            Ok(sum)
        } else {
            Err("expected a hash of 32 hexadecimal digits")
        }
    }
}

as_text!(Sum);
