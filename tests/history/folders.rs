//! Folders of events with a past.

use overboard_events::{
    Event, Files,
    store::{CHANGES, Folder, Mode, Session},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

pub const SETTINGS: &str = "name = \"cup\"\ngame = \"chess\"\nsystem = \"round-robin\"\n\
     participants = \"players\"\nscoring = \"game\"\ntie-breaks = [\"SB\"]\n";
pub const PLAYERS: &str = "id,name\n1,Ann\n2,Bob\n3,C\u{e9}sar\n4,Di\n";

pub fn files(files: &[(&str, &str)]) -> Files {
    let file = |(name, text): &(&str, &str)| ((*name).to_owned(), text.as_bytes().to_vec());
    files.iter().map(file).collect()
}

pub fn session(by: &str) -> Session {
    Session {
        by: Some(by.to_owned()),
        ..Session::default()
    }
}

pub fn open(path: &Path) -> Folder {
    Folder::open(path, session("Eve")).unwrap()
}

/// Enters a result, as `result` does.
pub fn enter(path: &Path, round: usize, table: usize, result: &str) {
    let mut folder = open(path);
    let mut event = folder.event().unwrap();
    let this = &mut event.rounds[round].matches[table];
    for board in &mut this.boards {
        board.result = Some(result.parse().unwrap());
    }
    if this.boards.is_empty() {
        this.result = Some(result.parse().unwrap());
    }
    folder
        .commit(&format!("Entered {result}"), &event, Mode::Write)
        .unwrap();
}

pub fn pair(path: &Path) {
    let mut folder = open(path);
    let mut event = folder.event().unwrap();
    event.pair_next().unwrap();
    folder.commit("Paired", &event, Mode::Write).unwrap();
}

/// An event of four players with a correction, something undone, settings edited by hand and an accepted file.
pub fn young(path: &Path) {
    let event = Event::read(&files(&[
        ("event.toml", SETTINGS),
        ("players.csv", PLAYERS),
    ]))
    .unwrap();
    let mut folder = Folder::make(path, session("Ann")).unwrap();
    folder.commit("Created", &event, Mode::Write).unwrap();
    drop(folder);
    pair(path);
    enter(path, 0, 0, "1-0");
    enter(path, 0, 0, "0-1");
    open(path).undo(None, false, Mode::Write).unwrap();
    open(path).redo(None, false, Mode::Write).unwrap();
    let settings = path.join("event.toml");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, format!("# ours\n{text}")).unwrap();
    enter(path, 0, 1, "1/2-1/2");
    let round = path.join("rounds/01.csv");
    let text = fs::read_to_string(&round).unwrap();
    fs::write(&round, text.replace(",0-1,", ",1-0,")).unwrap();
    let accepted = ["rounds/01.csv".to_owned()];
    let mut folder = Folder::open_as_found(path, session("Ann")).unwrap();
    folder.accept(&accepted, Mode::Write).unwrap();
}

pub fn older(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/events/older")
        .join(name)
}

pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::write(target, fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}

/// An event of an older version that went on.
pub fn grown(path: &Path) {
    copy(&older("lines"), path);
    enter(path, 1, 1, "1-0");
    pair(path);
    enter(path, 2, 0, "0-1");
}

/// An event whose log was damaged and repaired.
pub fn repaired(path: &Path) {
    young(path);
    let log = path.join("log").join(CHANGES);
    let text = fs::read_to_string(&log).unwrap();
    let kept: Vec<&str> = text
        .split_inclusive('\n')
        .enumerate()
        .filter(|(at, _)| *at != 2)
        .map(|(_, line)| line)
        .collect();
    fs::write(&log, kept.concat()).unwrap();
    repair(path);
    enter(path, 0, 1, "0-1");
}

pub fn repair(path: &Path) -> Vec<String> {
    let mut folder = Folder::open_as_found(path, session("Eve")).unwrap();
    folder.repair().unwrap().steps
}
