//! Pictures: flipped, scaled down, one for each moment, and those of the documentation.
//!
//! `UPDATE_DOCS=1` redraws the pictures of the documentation.

use crate::run::{overboard, printed, tool};
use overboard_games::registry::Variant;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

fn ours(path: &str) -> String {
    root().join(path).to_str().unwrap().to_string()
}

/// The output of a command that must succeed, and its notes.
fn done<A: AsRef<std::ffi::OsStr>>(args: &[A]) -> (String, String) {
    let output = overboard(args);
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    let (text, exit) = printed(&output);
    assert_eq!(exit, 0, "{notes}");
    (text, notes)
}

/// The message of a command that is refused.
fn refused<A: AsRef<std::ffi::OsStr>>(args: &[A]) -> String {
    let output = overboard(args);
    assert_eq!(
        (printed(&output), output.stdout.len()),
        ((String::new(), 2), 0)
    );
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The width and height of a PNG.
fn size(png: &Path) -> (u32, u32) {
    let bytes = fs::read(png).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{}", png.display());
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

/// Every game at its start, and several boards side by side.
fn beginnings() -> Vec<Vec<String>> {
    let game = |name: &str, more: &[&str]| {
        ["show", "--variant", name]
            .iter()
            .chain(more)
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    let mut all: Vec<_> = Variant::arguments()
        .map(|(_, name)| game(name, &[]))
        .collect();
    let linked = Variant::arguments()
        .find(|(game, _)| game.info().has_boards)
        .unwrap()
        .1;
    all.push(game(linked, &["--boards", "3"]));
    all
}

/// The numbers at the left of the ranks, and the letters below the files.
fn coordinates(text: &str) -> (Vec<u32>, Vec<char>) {
    let mut ranks: Vec<u32> = text
        .lines()
        .filter_map(|line| line.split(' ').next()?.parse().ok())
        .collect();
    ranks.dedup();
    // Neighbours in the alphabet, or the last file of a board and the first of the next, which may be turned round.
    let are_files = |pair: &[char]| {
        let apart = (pair[0] as u32).abs_diff(pair[1] as u32);
        matches!(apart, 1 | 7 | 13) || matches!(pair, ['a', 'a'] | ['h', 'h'])
    };
    let is_files = |line: &&str| {
        let letters: Vec<_> = line.chars().filter(|c| !c.is_whitespace()).collect();
        letters.len() >= 5 && letters.windows(2).all(are_files)
    };
    let files = text
        .lines()
        .find(is_files)
        .unwrap_or_else(|| panic!("{text}"));
    (
        ranks,
        files.chars().filter(|c| !c.is_whitespace()).collect(),
    )
}

#[test]
fn every_game_is_turned_round() {
    let folder = TempDir::new().unwrap();
    for beginning in beginnings() {
        let with = |more: &[&str]| {
            let more = more.iter().map(ToString::to_string);
            beginning.iter().cloned().chain(more).collect::<Vec<_>>()
        };
        let [up, down] = [
            done(&with(&["--ascii"])).0,
            done(&with(&["--ascii", "--flip"])).0,
        ];
        let (mut ranks, mut files) = coordinates(&up);
        ranks.reverse();
        files.reverse();
        if beginning.iter().any(|word| word == "bughouse") {
            // Its boards do not touch: A stays to the left of B.
            files.rotate_left(8);
        }
        assert_eq!(coordinates(&down), (ranks, files), "{beginning:?}\n{down}");
        let [white, second] = ["White to move", "\n2 "].map(|words| down.find(words));
        assert!(white.is_some() && white < second, "{down}");

        let path = |name: &str| folder.path().join(name);
        let pictures = ["up.png", "down.png", "up.svg", "down.svg"].map(path);
        let [up, down, drawn_up, drawn_down] =
            pictures.each_ref().map(|path| path.to_str().unwrap());
        done(&with(&["--size", "8", "--png", up, "--svg", drawn_up]));
        done(&with(&[
            "--size", "8", "--png", down, "--svg", drawn_down, "--flip",
        ]));
        assert_eq!(size(&pictures[0]), size(&pictures[1]), "{beginning:?}");
        assert_ne!(
            fs::read(up).unwrap(),
            fs::read(down).unwrap(),
            "{beginning:?}"
        );
        assert_ne!(
            fs::read(drawn_up).unwrap(),
            fs::read(drawn_down).unwrap(),
            "{beginning:?}"
        );
    }
}

#[test]
fn pictures_are_no_larger_than_is_useful_unless_asked_for() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.png");
    let picture = file.to_str().unwrap();
    for args in [
        &["--variant", "mega-chess"][..],
        &["--variant", "strategichess", "--boards", "64"],
    ] {
        let (_, notes) = done(&[&["show", "--png", picture], args].concat());
        let (width, height) = size(&file);
        assert_eq!(width.max(height), 4_000, "{args:?}");
        assert!(
            notes.starts_with(&format!(
                "note: the picture has {width} x {height} pixels instead of "
            )),
            "{notes}"
        );
        assert!(notes.contains("--size 60"), "{notes}");
    }
    let (_, notes) = done(&[
        "show",
        "--png",
        picture,
        "--variant",
        "strategichess",
        "--boards",
        "8",
        "--size",
        "40",
    ]);
    assert!(size(&file).0 > 4_000 && notes.is_empty(), "{notes}");
    let (_, notes) = done(&["show", "--png", picture]);
    assert!(size(&file).0 < 700 && notes.is_empty(), "{notes}");
}

/// The listed moments of a game.
fn moments(file: &str) -> Vec<String> {
    let (text, _) = done(&["show", "--list", file]);
    text.lines()
        .map(|line| line.split('\t').next().unwrap().to_string())
        .collect()
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_sequence_has_a_picture_for_every_moment() {
    for game in ["olympic", "linked", "kingfall", "metachess"] {
        let file = ours(&format!("examples/{game}.npgn"));
        let room = TempDir::new().unwrap();
        let folder = room.path().join("pictures");
        let (text, _) = done(&[
            "show",
            "--png-sequence",
            folder.to_str().unwrap(),
            "--size",
            "8",
            &file,
        ]);
        let moments = moments(&file);
        assert_eq!(
            text,
            format!("{} pictures in {}\n", moments.len(), folder.display())
        );
        let named = (1..)
            .zip(&moments)
            .map(|(number, at)| format!("{number:02}-{at}.png"));
        assert_eq!(names(&folder), named.collect::<Vec<_>>());
        assert!(
            names(&folder)
                .iter()
                .all(|name| size(&folder.join(name)).0 > 0)
        );
        // Nothing else is left in the folder.
        assert_eq!(names(room.path()), ["pictures"]);
    }
}

#[test]
fn a_sequence_is_written_whole_or_not_at_all() {
    let room = TempDir::new().unwrap();
    let file = ours("examples/olympic.npgn");
    let folder = room.path().join("pictures");
    let sequence = [
        "show",
        "--png-sequence",
        folder.to_str().unwrap(),
        "--size",
        "8",
    ];
    let with = |more: &[&'static str], file: &str| {
        sequence
            .iter()
            .chain(more)
            .map(ToString::to_string)
            .chain([file.to_string()])
            .collect::<Vec<_>>()
    };
    let why = refused(&with(&["--max-pictures", "53"], &file));
    assert!(
        why.contains("has 54 moments") && why.contains("--max-pictures 54 makes them all"),
        "{why}"
    );
    assert!(names(room.path()).is_empty());
    assert!(
        refused(&with(&["--game", "2"], &file)).contains("there is no game 2; the file has 1 game")
    );
    assert!(names(room.path()).is_empty());
    // An empty folder is used, and one with contents is left alone.
    fs::create_dir(&folder).unwrap();
    done(&with(&["--max-pictures", "54", "--flip"], &file));
    let first = names(&folder);
    assert_eq!(first.len(), 54);
    assert!(refused(&with(&[], &file)).contains("needs a new or an empty one"));
    fs::write(room.path().join("file"), "mine").unwrap();
    let taken = room.path().join("file");
    assert!(
        refused(&["show", "--png-sequence", taken.to_str().unwrap(), &file])
            .contains("not an empty folder")
    );
    assert_eq!(
        (names(&folder), fs::read_to_string(taken).unwrap()),
        (first, "mine".into())
    );
    // What a killed run left beside the folder is deleted by the next run unless a process holds it; nothing else is.
    let (left, held, other) = (
        ".tmpAbc123.pictures",
        ".tmpAbc124.pictures",
        ".tmpAbc12.pictures",
    );
    for name in [left, held, other] {
        fs::create_dir(room.path().join(name)).unwrap();
        fs::write(room.path().join(name).join("1-1w.png"), "half").unwrap();
    }
    let lock = fs::File::open(room.path().join(held)).unwrap();
    lock.lock().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    done(&with(&["--max-pictures", "54"], &file));
    assert_eq!(names(room.path()), [other, held, "file", "pictures"]);
    let missing = room.path().join("no/such/folder");
    refused(&["show", "--png-sequence", missing.to_str().unwrap(), &file]);
    assert!(
        refused(&["show", "--png-sequence", "x", "--at", "2w", &file])
            .contains("cannot be used with")
    );
}

#[test]
fn a_sequence_stops_where_the_game_is_not_judged() {
    let room = TempDir::new().unwrap();
    let folder = room.path().join("pictures");
    let output = overboard(&[
        "show",
        "--png-sequence",
        folder.to_str().unwrap(),
        "--size",
        "8",
        "--game",
        "2",
        &ours("examples/faults.pgn"),
    ]);
    assert_eq!(printed(&output).1, 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("not judged from 5... onwards"));
    assert_eq!(names(&folder).last().map(String::as_str), Some("9-4b.png"));
}

#[test]
fn a_sub_game_is_shown_with_the_boards_around_it() {
    let file = ours("examples/overchess.npgn");
    let (text, _) = done(&["show", "--ascii", "--around", "--at", "4w.d5.7w", &file]);
    assert!(text.starts_with("Ann - Bob, d5: 7. Bxd5+\n"), "{text}");
    assert!(
        text.contains("Sub-game on d5: Eve - Cy") && text.contains("nxP"),
        "{text}"
    );
    // The last position of a sub-game can be drawn, too.
    let (text, _) = done(&["show", "--ascii", "--around", "--at", "2b.d5.4w", &file]);
    assert!(
        text.contains("Qxf7#") && text.contains("Sub-game on d5: Cy - Di"),
        "{text}"
    );
    // Boards inside squares are drawn in the picture of the outer board.
    let (text, _) = done(&[
        "show",
        "--ascii",
        "--around",
        "--at",
        "1w.B2",
        &ours("examples/megachess.npgn"),
    ]);
    assert!(
        text.contains("B2: 1. e4") && text.matches("White to move").count() <= 1,
        "{text}"
    );
    let why = refused(&["show", "--around", "--at", "99w", &file]);
    assert!(
        why.contains("--at 99w: this game has no such moment"),
        "{why}"
    );
}

#[test]
fn a_finding_is_shown_on_its_board() {
    let file = ours("examples/faults.pgn");
    let (text, _) = done(&["show", "--ascii", "--finding", "--game", "2", &file]);
    assert!(
        text.starts_with("5. Nb5 is illegal: the white knight on c3 is pinned"),
        "{text}"
    );
    for words in [
        "error[illegal-move]",
        "Ne2 Nf3 Nh3",
        "CH-15",
        "White to move",
        "r  n  b  q  k",
    ] {
        let squeezed = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            squeezed.contains(&words.split_whitespace().collect::<Vec<_>>().join(" ")),
            "{words}\n{text}"
        );
    }
    let why = refused(&["show", "--finding=2", "--game", "2", &file]);
    assert!(
        why.contains("--finding=2: only one finding in this game has a board"),
        "{why}"
    );
    let why = refused(&["show", "--finding", &ours("examples/history.pgn")]);
    assert!(why.contains("no finding in this game has a board"), "{why}");
    assert!(refused(&["show", "--finding=0", &file]).contains("finding"));
}

/// Pages with pictures: the front page, the gallery, and those that teach a game.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned(), "docs/gallery.md".to_owned()];
    let taught = names(&root().join("docs/play"));
    pages.extend(taught.iter().map(|name| format!("docs/play/{name}")));
    pages
}

/// The commands on these pages that make pictures, with the names of their files.
fn commands() -> Vec<(String, Vec<String>)> {
    let mut commands = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(root().join(page)).unwrap();
        for line in text.lines() {
            if line.starts_with("overboard show --svg ") {
                let words = shell_words(line);
                commands.push((words[3].clone(), words[1..].to_vec()));
            }
        }
    }
    commands
}

/// The words of a command line, some of them in single quotes.
fn shell_words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().map(ToString::to_string).collect(),
            _ => vec![part.to_string()],
        })
        .collect()
}

/// The pictures that a page shows, from the top folder of the project.
fn shown_on(page: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let links = text
        .split("![")
        .skip(1)
        .filter_map(|rest| rest.split_once("](")?.1.split(')').next());
    let folder = Path::new(page).parent().unwrap();
    links
        .map(|link| folder.join(link).to_str().unwrap().replace("/play/..", ""))
        .collect()
}

#[test]
fn pictures_of_the_documentation_are_what_is_drawn_today() {
    let commands = commands();
    let mut stale = Vec::new();
    for (file, words) in &commands {
        let words: Vec<_> = words
            .iter()
            .map(|word| {
                if word == file {
                    "-".into()
                } else {
                    word.clone()
                }
            })
            .collect();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_overboard"))
            .args(&words)
            .current_dir(root())
            .output()
            .unwrap();
        let (drawn, exit) = printed(&output);
        assert_eq!(
            exit,
            0,
            "{words:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        // The page loads quickly over a slow connection, too.
        assert!(drawn.len() < 60_000, "{file}: {} bytes", drawn.len());
        let path = root().join(file);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &drawn).unwrap();
        }
        if fs::read_to_string(&path).unwrap_or_default() != drawn {
            stale.push(file);
        }
    }
    assert!(
        stale.is_empty(),
        "stale: {stale:?}; `just pictures` makes them anew"
    );
    let made: BTreeSet<_> = commands.iter().map(|(file, _)| file.clone()).collect();
    let there = names(&root().join("docs/pictures"));
    assert_eq!(
        there,
        made.iter()
            .map(|file| file.replace("docs/pictures/", ""))
            .collect::<Vec<_>>()
    );
    let shown: BTreeSet<_> = pages().iter().flat_map(|page| shown_on(page)).collect();
    assert_eq!(
        shown, made,
        "every picture is shown, and every one that is shown is made by a command on one of these pages"
    );
}

#[test]
fn the_gallery_has_every_game() {
    let text = fs::read_to_string(root().join("docs/gallery.md")).unwrap();
    let heads: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .collect();
    for game in Variant::ALL {
        let name = game.name();
        assert!(
            heads.iter().any(|head| head.contains(name)),
            "{name}: {heads:?}"
        );
    }
}

/// Waits until a run handles signals.
#[cfg(target_os = "linux")]
fn wait_until_it_listens(id: u32) {
    let listens = || {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        // The second bit is the interrupt's.
        caught.is_some_and(|mask| {
            u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 2 != 0)
        })
    };
    let begun = std::time::Instant::now();
    while !listens() {
        assert!(begun.elapsed().as_secs() < 120);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// If a run that makes many pictures is stopped or killed, it leaves no files, and says how to continue.
#[cfg(target_os = "linux")]
#[test]
fn a_sequence_that_is_stopped_leaves_nothing_behind() {
    use std::process::{Command, Stdio};
    let room = tempfile::tempdir().unwrap();
    let name = |name: &str| room.path().join(name).to_str().unwrap().to_owned();
    let (ledger, record, folder) = (name("ledger"), name("games.npgn"), name("pictures"));
    done(&[
        "selfplay", "--player", "random", "--games", "1", "--seed", "1", "--ledger", &ledger,
    ]);
    fs::write(&record, done(&["ledger", "--to", "npgn", &ledger]).0).unwrap();
    let there = || fs::read_dir(room.path()).unwrap().count();
    let before = there();
    for signal in ["INT", "TERM", "KILL"] {
        let mut command = tool();
        command.args(["show", "--png-sequence", &folder, &record]);
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_until_it_listens(child.id());
        let sent = Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        let ended = child.wait_with_output().unwrap();
        assert_eq!(there(), before, "{signal}");
        if signal != "KILL" {
            assert_eq!(ended.status.code(), Some(1), "{signal}");
            let text = String::from_utf8(ended.stdout).unwrap();
            assert!(
                text.lines().last().unwrap().starts_with("to resume: "),
                "{text}"
            );
        }
    }
}
