//! Compressed files and folders of them are read like the files that are in them.

use crate::{
    bomb::blanks,
    chance::Chance,
    damage::mutated,
    run::{overboard, printed, tool},
};
use bzip2::{Compression as Bzip2Level, write::BzEncoder};
use flate2::{Compression as GzipLevel, write::GzEncoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Output, Stdio},
};
use tempfile::TempDir;

/// Games with errors, warnings and notes.
const GAMES: &str = "examples/faults.pgn";
/// The endings of compressed files.
const ENDINGS: [&str; 3] = ["gz", "zst", "bz2"];

fn games() -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::read(root.join(GAMES)).unwrap()
}

fn packed(ending: &str, text: &[u8]) -> Vec<u8> {
    match ending {
        "gz" => {
            let mut packer = GzEncoder::new(Vec::new(), GzipLevel::best());
            packer.write_all(text).unwrap();
            packer.finish().unwrap()
        }
        "bz2" => {
            let mut packer = BzEncoder::new(Vec::new(), Bzip2Level::best());
            packer.write_all(text).unwrap();
            packer.finish().unwrap()
        }
        _ => compress_to_vec(text, CompressionLevel::Fastest),
    }
}

/// A folder with the games as plain text and in each compressed form.
struct Room(TempDir);

impl Room {
    fn new() -> Self {
        let room = Self(TempDir::new().unwrap());
        room.write("games.pgn", &games());
        for ending in ENDINGS {
            room.write(&format!("games.pgn.{ending}"), &packed(ending, &games()));
        }
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), bytes).unwrap();
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut tool = tool();
        tool.current_dir(self.0.path()).args(words);
        tool.output().unwrap()
    }

    /// The same, where standard input is one of the files.
    fn reads(&self, name: &str, words: &[&str]) -> Output {
        let mut tool = tool();
        tool.current_dir(self.0.path()).args(words);
        tool.stdin(Stdio::from(fs::File::open(self.path(name)).unwrap()));
        tool.output().unwrap()
    }
}

fn complaint(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn every_command_reads_compressed_files_as_what_is_in_them() {
    let room = Room::new();
    for words in [
        &["check"][..],
        &["check", "--json"],
        &["check", "--judge-on", "--notes"],
        &["convert", "--to", "fen"],
        &["convert", "--to", "jsonl"],
        &["select", "--verdict", "illegal"],
        &["select", "--json", "--number", "2-3"],
        &["show", "--game", "2", "--at", "4b"],
        &["show", "--list", "--game", "2"],
        &["view", "--game", "2", "--output", "-"],
        &["stats", "--json"],
        &["fmt"],
        &["score"],
    ] {
        let with = |name: &str| room.run(&[words, &[name]].concat());
        let plain = with("games.pgn");
        let (expected, exit) = printed(&plain);
        for ending in ENDINGS {
            let name = format!("games.pgn.{ending}");
            let (found, code) = printed(&with(&name));
            assert_eq!(
                (found.replace(&name, "games.pgn"), code),
                (expected.clone(), exit),
                "{words:?} {name}"
            );
            // The bytes tell, whatever the name.
            let (found, code) = printed(&room.reads(&name, &[words, &["-"]].concat()));
            let (piped, _) = printed(&room.reads("games.pgn", &[words, &["-"]].concat()));
            assert_eq!((found, code), (piped, exit), "{words:?} < {name}");
        }
    }
}

#[test]
fn parts_that_follow_one_another_are_one_text() {
    let room = Room::new();
    let twice = games().repeat(2);
    room.write("twice.pgn", &twice);
    let (expected, _) = printed(&room.run(&["check", "--json", "twice.pgn"]));
    for ending in ENDINGS {
        let mut parts = packed(ending, &games()).repeat(2);
        if ending == "zst" {
            // Some programs write the size of a frame before it, in one that is to be skipped.
            parts.splice(0..0, *b"\x50\x2a\x4d\x18\x04\0\0\0\x12\x34\x56\x78");
        }
        room.write("parts", &parts);
        let (found, _) = printed(&room.run(&["check", "--json", "parts"]));
        let named = found.replace("\"parts\"", "\"twice.pgn\"");
        assert_eq!(named, expected, "{ending}");
        room.write("none", &packed(ending, b""));
        let none = room.run(&["check", "none"]);
        assert_eq!(printed(&none).1, 0, "{ending}");
        assert!(complaint(&none).contains("none: no game in this file"));
    }
}

#[test]
fn a_page_shows_games_of_compressed_files() {
    let room = Room::new();
    room.run(&["check", "games.pgn", "--html", "plain.html"]);
    let plain = fs::read_to_string(room.path("plain.html")).unwrap();
    for ending in ENDINGS {
        let name = format!("games.pgn.{ending}");
        room.run(&["check", &name, "--html", "packed.html"]);
        let page = fs::read_to_string(room.path("packed.html")).unwrap();
        assert_eq!(page.replace(&name, "games.pgn"), plain, "{ending}");
    }
}

#[test]
fn a_folder_stands_for_compressed_records_too() {
    let room = Room::new();
    room.write("round/b.pgn", &games());
    room.write("round/a/c.NPGN.GZ", &packed("gz", &games()));
    room.write("round/a.pgn.bz2", &packed("bz2", &games()));
    room.write("round/.hidden.pgn.gz", &packed("gz", &games()));
    room.write("round/notes.txt.gz", &packed("gz", b"no games"));
    room.write("round/archive.gz", &packed("gz", b"no games"));
    let (text, exit) = printed(&room.run(&["check", "--json", "round"]));
    let mut files: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("{\"file\":\"")?.split('"').next())
        .collect();
    files.dedup();
    assert_eq!(
        files,
        ["round/a/c.NPGN.GZ", "round/a.pgn.bz2", "round/b.pgn"]
    );
    assert_eq!(exit, 2);
}

/// One error for the file, after what could be read of it, and the next file is read.
#[test]
fn what_is_incomplete_or_damaged_is_said_once() {
    let room = Room::new();
    for ending in ENDINGS {
        let whole = packed(ending, &games());
        let name = format!("part.pgn.{ending}");
        for cut in [whole.len() - 1, whole.len() / 2, whole.len() / 4, 12] {
            room.write(&name, &whole[..cut]);
            let (text, exit) = printed(&room.run(&["check", &name, "games.pgn"]));
            assert_eq!(exit, 2, "{ending} {cut}: {text}");
            let said = text.matches("error[no-file]").count();
            assert_eq!(said, 1, "{ending} {cut}: {text}");
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(
                words.contains("file is incomplete: it ends in the middle of its data"),
                "{ending} {cut}: {text}"
            );
            assert!(text.contains("games.pgn: game 18"), "{ending} {cut}");
            room.run(&["check", &name, "games.pgn", "--html", "page.html"]);
            let page = fs::read_to_string(room.path("page.html")).unwrap();
            assert!(
                page.contains("it ends in the middle of its data")
                    && page.contains("id=\"of-g2.17\""),
                "{ending} {cut}"
            );
        }
        let mut damaged = whole.clone();
        // The sum of the last block, of the frame, or of the whole text.
        let at = damaged.len() - if ending == "gz" { 6 } else { 8 };
        damaged[at] ^= 0x10;
        room.write(&name, &damaged);
        let (text, exit) = printed(&room.run(&["check", &name, "games.pgn"]));
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            exit == 2 && words.contains("file is damaged: its data cannot be unpacked"),
            "{ending}: {text}"
        );
        assert!(text.contains("games.pgn: game 18"), "{ending}");
    }
}

/// Whatever the bytes are, the program ends in an orderly way.
#[test]
fn random_damage_is_survived() {
    let room = Room::new();
    let mut chance = Chance::seeded(20);
    for ending in ENDINGS {
        let whole = packed(ending, &games());
        for _ in 0..25 {
            room.write("damaged", &mutated(&whole, &mut chance));
            let output = room.run(&["check", "--json", "damaged"]);
            let code = output.status.code();
            let said = complaint(&output);
            assert!(
                matches!(code, Some(0..=2)) && !said.contains("panicked"),
                "{ending}: {code:?} {said}"
            );
        }
    }
}

#[test]
fn a_compressed_file_is_not_written_over() {
    let room = Room::new();
    let before = fs::read(room.path("games.pgn.gz")).unwrap();
    let output = room.run(&["fmt", "--write", "games.pgn.gz"]);
    assert_eq!(printed(&output).1, 2);
    assert!(complaint(&output).contains("games.pgn.gz: this file is compressed"));
    assert_eq!(fs::read(room.path("games.pgn.gz")).unwrap(), before);
    // Games that are taken out of it are plain text, and are named so.
    room.run(&["select", "--number", "2", "--split", "out", "games.pgn.gz"]);
    assert!(room.path("out/games-000002.pgn").exists());
}

#[test]
fn a_frame_that_takes_too_much_memory_is_refused() {
    let room = Room::new();
    room.write("wide.zst", &blanks(27, 1));
    let wide = room.run(&["check", "wide.zst"]);
    assert_eq!(printed(&wide).1, 0, "{wide:?}");
    room.write("wider.zst", &blanks(31, 1));
    let (text, exit) = printed(&room.run(&["check", "wider.zst"]));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        exit == 2 && words.contains("refers back over 2147483648 bytes"),
        "{text}"
    );
}

#[test]
fn an_unknown_packing_is_named() {
    let room = Room::new();
    room.write("games.pgn.xz", b"\xfd7zXZ\0\0\x04");
    let (text, exit) = printed(&overboard(&[
        "check",
        room.path("games.pgn.xz").to_str().unwrap(),
    ]));
    assert!(exit == 2 && text.contains("compressed with xz"), "{text}");
}
