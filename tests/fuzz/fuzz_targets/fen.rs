#![no_main]
//! Any text gives either a fault or a position, which is written as it was read.

use libfuzzer_sys::fuzz_target;
use overboard_games::{
    chess::Chess,
    fen::{AsFen, Fen},
};
use overboard_rules::position::{DrawLaw as _, Movegen as _};

fuzz_target!(|text: &str| {
    match Fen::parse(text) {
        Err(fault) => assert!(text.get(fault.bytes.clone()).is_some()),
        Ok(fen) => {
            let written = AsFen(&fen.setup).to_string();
            assert_eq!(
                Fen::parse(&written).map(|again| again.setup).as_ref(),
                Ok(&fen.setup)
            );
            if let Ok(chess) = Chess::from_setup(&fen.setup) {
                let _ = (chess.end_by_itself(), chess.count_legal());
            }
        }
    }
});
