//! BPGN, the notation in which chess servers and databases keep games of Bughouse (BH-8).
//!
//! It is read as any other record is: what it writes differently is put right where it is read. Its tags, `WhiteA` and the
//! like, become those of this notation ([`tags`]); clocks and ends that are said in comments are understood ([`words`],
//! `heard`); and [`write`](mod@write) writes it for other programs.
//!
//! ```
//! use overboard_formats::limits::Limits;
//! use overboard_games::referee::rewrite::rewrite;
//!
//! let record = "[WhiteA \"Ann\"][BlackA \"Di\"][WhiteB \"Ed\"][BlackB \"Bob\"]\n1A. e4{179.500} {Di resigns} 1-0\n";
//! let mut out = Vec::new();
//! rewrite(record.as_bytes(), &mut out, Limits::default()).unwrap();
//! let text = String::from_utf8(out).unwrap();
//! assert!(text.contains("[White \"Ann:Bob\"]\n[Black \"Di:Ed\"]"));
//! assert!(text.contains("1A. e4 {[%clk 0:02:59.5]} {[%resign B:A]} 1-0"));
//! ```

pub(super) mod heard;
pub mod tags;
pub mod words;
pub mod write;

use overboard_rules::square::Side;

/// Who sits where: a board, A being 0, and a side on it.
pub type Seat = (usize, Side);

/// The seats in the order in which BPGN lists them: White on A, Black on A, White on B, Black on B.
pub const SEATS: [Seat; 4] = [
    (0, Side::White),
    (0, Side::Black),
    (1, Side::White),
    (1, Side::Black),
];
