#![no_main]
//! Records of any kind, made records of Bughouse by the tags of BPGN: what `fmt` and `convert --to bpgn` write of them is
//! written again without a change.

use libfuzzer_sys::fuzz_target;
use overboard_formats::{limits::Limits, parse::Parser};
use overboard_games::{bughouse::bpgn::write::write, referee::rewrite::RewriteError};

#[path = "../../text/mod.rs"]
#[allow(dead_code)]
mod text;

/// The bytes as BPGN; `None` if that would lose part of them.
fn bpgn(bytes: &[u8]) -> Option<Vec<u8>> {
    let (limits, mut out) = (Limits::default(), Vec::new());
    match write(Parser::new(bytes, 0, limits), limits, &mut out, |_, _| {}) {
        Ok(()) => Some(out),
        Err(RewriteError::Unkept(..)) => None,
        Err(RewriteError::Reading(error) | RewriteError::Writing(error)) => panic!("{error}"),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let tagged = [b"[WhiteA \"Ann\"][BlackB \"Bob\"]\n", bytes].concat();
    if let Some(once) = text::rewritten(&tagged) {
        let twice = text::canonical(&once);
        assert_eq!(
            String::from_utf8_lossy(&once),
            String::from_utf8_lossy(&twice)
        );
        text::judge(&bpgn(&once).unwrap_or_default());
    }
});
