#![no_main]
//! Ledgers that are put together or made longer: two of one run, of the present format or the first, with lines left out, doubled,
//! moved, cut or changed, their checksums right or not. What is written is a ledger that is read again, or there is a fault.

use libfuzzer_sys::fuzz_target;
use overboard_engines::{
    extend::extend,
    journal::{Header, Reader, renamed},
    merge::merge,
    shard::Shard,
};
use std::{fs, path::PathBuf, sync::LazyLock};

/// The ledgers of two parts each, of several games.
const PARTS: [[&str; 2]; 3] = [
    [
        include_str!("../../ledgers/olympic.0-of-2.jsonl"),
        include_str!("../../ledgers/olympic.1-of-2.jsonl"),
    ],
    [
        include_str!("../../ledgers/metachess.0-of-2.jsonl"),
        include_str!("../../ledgers/metachess.1-of-2.jsonl"),
    ],
    [
        include_str!("../../ledgers/strategichess.0-of-2.jsonl"),
        include_str!("../../ledgers/strategichess.1-of-2.jsonl"),
    ],
];

/// The files of this process.
static FILES: LazyLock<[PathBuf; 2]> = LazyLock::new(|| {
    ["a", "b"].map(|name| {
        std::env::temp_dir().join(format!("overboard-fuzz-{}-{name}", std::process::id()))
    })
});

/// A line as one instruction has it: which one, and what becomes of it.
fn line(lines: &[&str], [which, what, at, byte]: [u8; 4]) -> Vec<u8> {
    let line = lines[usize::from(which) % lines.len()];
    let mut line = format!("{line}\n").into_bytes();
    let at = (usize::from(at) * 7 + usize::from(what)) % line.len();
    match what % 8 {
        0..4 => {}
        4 => line[at] = byte,
        5 => line.truncate(at),
        6 => {
            line.insert(at, byte);
        }
        _ => {
            line.remove(at);
        }
    }
    let run = Reader::new(lines[0].as_bytes())
        .ok()
        .map(|reader| reader.header.run);
    match run {
        // With the right checksum the change is seen by what reads the line.
        Some(run) if what / 8 % 2 == 0 && what % 8 > 3 => renamed(&line, &run),
        _ => line,
    }
}

fn ledger(part: &str, instructions: &[u8]) -> Vec<u8> {
    let lines: Vec<_> = part.lines().collect();
    let mut ledger = format!("{}\n", lines[0]).into_bytes();
    if let Some((first, _)) = instructions.split_first()
        && first % 16 == 0
    {
        ledger.clear();
    }
    for instruction in instructions.chunks_exact(4) {
        let instruction = instruction.try_into().expect("four bytes");
        ledger.extend(line(&lines, instruction));
    }
    ledger
}

/// Reads all games of a ledger; whether it has no fault.
fn is_whole(ledger: &[u8]) -> bool {
    let Ok(mut reader) = Reader::new(ledger) else {
        return false;
    };
    while let Ok(is_one) = reader.advance() {
        if !is_one {
            return true;
        }
    }
    false
}

fuzz_target!(|given: (u8, &[u8])| {
    let (choice, given) = given;
    let parts = PARTS[usize::from(choice) % PARTS.len()];
    let (one, other) = given.split_at(given.len() / 2);
    let ledgers = [ledger(parts[0], one), ledger(parts[1], other)];
    for (file, ledger) in FILES.iter().zip(&ledgers) {
        fs::write(file, ledger).expect("a file");
    }
    let mut merged = Vec::new();
    match merge(&FILES[..], &mut merged) {
        Ok(found) => assert!(found.games == 0 || is_whole(&merged)),
        Err(why) => assert!(!why.to_string().is_empty()),
    }
    for ledger in &ledgers {
        let Ok(mut reader) = Reader::new(&ledger[..]) else {
            continue;
        };
        let mut longer = reader.header.manifest.clone();
        longer.rounds *= 2;
        let longer = Header::of(&longer, Shard::WHOLE);
        let mut written = longer.of_today().begin();
        if let Ok(games) = extend(&mut reader, &longer, &mut written) {
            assert!(games == 0 || is_whole(&written));
        }
    }
});
