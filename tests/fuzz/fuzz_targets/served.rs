#![no_main]
//! Whatever a client says to this program as an engine, it goes on, or ends the dialogue by itself.

use libfuzzer_sys::fuzz_target;
use overboard_engines::{
    players::Spec,
    serve::{Host, Out, cecp, lines, uci},
};
use std::io;

fuzz_target!(|said: (u8, &[u8])| {
    let (protocol, said) = said;
    let host = Host {
        spec: Some("random".parse::<Spec>().expect("a player")),
        seed: 1,
    };
    let out = Out::to(io::sink());
    let served = match protocol % 3 {
        0 => uci::serve(said, &out, host),
        1 => cecp::serve(said, &out, host),
        _ => lines::serve(said, &out, host),
    };
    assert!(served.is_ok());
});
