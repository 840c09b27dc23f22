//! The history of an event: whatever is flipped, cut, removed, swapped or mixed up in its folder is noticed or has no
//! effect, and can be repaired as long as the log or the files are whole. A test of its own, since it needs only the
//! library and looks at very many folders.

#![allow(clippy::unwrap_used)]

use overboard_events::{
    Event, Files,
    checks::Review,
    store::{CHANGES, DifferenceKind, Folder, FolderState, LAST, Mode, Session, settled_folder},
};
use std::{collections::BTreeSet, fs, path::Path};
use tempfile::TempDir;

mod folders;

use folders::{SETTINGS, copy, enter, files, grown, older, open, pair, repair, repaired, young};

/// Makes the folder of an event.
type Make = fn(&Path);

const KINDS: [(&str, Make); 3] = [("young", young), ("grown", grown), ("repaired", repaired)];

/// An event's folder in memory: the files of the event, and those of the log with `log/` before their names.
fn everything(path: &Path) -> Files {
    let found = settled_folder(path).unwrap();
    let log = found.raw.into_iter();
    let log = log.map(|(name, bytes)| (format!("log/{name}"), bytes));
    found.files.into_iter().chain(log).collect()
}

fn found(all: &Files) -> FolderState {
    let is_log = |name: &String| name.starts_with("log/");
    let (raw, files): (Files, Files) = all.clone().into_iter().partition(|(name, _)| is_log(name));
    let raw = raw.into_iter();
    let raw = raw.map(|(name, bytes)| (name["log/".len()..].to_owned(), bytes));
    FolderState::of(files, raw.collect())
}

/// Whether the folder is not as it should be, and somebody sees it: a command stops, or settings are taken up.
fn is_noticed(all: &Files) -> bool {
    let found = found(all);
    let is_taken_up = |found: &FolderState| {
        let differences = found.differences();
        let mut kinds = differences.iter().map(|one| one.kind);
        kinds.any(|kind| kind == DifferenceKind::Settings)
    };
    found.check().is_err() || is_taken_up(&found)
}

/// Whether damage is without effect: it is at the end of the log, which is completed from the copy of the last line.
fn is_harmless(all: &Files, damaged: &Files) -> bool {
    let (was, now) = (found(all), found(damaged).settled().unwrap());
    now.check().is_ok() && now.files == was.files && now.log.entries == was.log.entries
}

fn write_out(all: &Files, path: &Path) {
    for (name, bytes) in all {
        let file = path.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
}

/// Repairs a damaged folder on the disk. All files must be as they were, if the log or all of them are whole.
fn is_repaired(all: &Files, damaged: &Files, what: &str) {
    let room = TempDir::new().unwrap();
    let path = room.path().join("cup");
    write_out(damaged, &path);
    // Where the copy of the last line is lost and a file differs, the log comes first.
    let steps = [repair(&path), repair(&path)];
    let after = settled_folder(&path).unwrap();
    assert!(
        after.check().is_ok(),
        "{what}: {steps:?}: {:?}",
        after.look()
    );
    let was = found(all).files;
    for (name, bytes) in &was {
        // Settings may be edited by hand, so they are not put back as long as they can be read.
        let is_free = name == "event.toml" && after.files.contains_key(name);
        assert!(
            is_free || after.files.get(name) == Some(bytes),
            "{what}: {name} after {steps:?}"
        );
    }
    assert_eq!(after.files.len(), was.len(), "{what}: {steps:?}");
}

/// How many of the damages are also repaired on the disk.
fn sampled(at: usize, of: usize) -> bool {
    at.is_multiple_of(of.div_ceil(60).max(1))
}

#[test]
fn no_bit_flips_unseen() {
    let is_deep = std::env::var("OVERBOARD_TESTS").is_ok_and(|depth| !depth.is_empty());
    for (kind, make) in KINDS {
        let room = TempDir::new().unwrap();
        let path = room.path().join("cup");
        make(&path);
        let all = everything(&path);
        assert!(!is_noticed(&all), "{kind}: {:?}", found(&all).look());
        let size: usize = all.values().map(Vec::len).sum();
        let mut seen = 0;
        let mut damaged = all.clone();
        for (name, bytes) in &all {
            for place in 0..bytes.len() {
                // One bit of every byte, or all of them.
                let bits = if is_deep {
                    0..8
                } else {
                    place % 8..place % 8 + 1
                };
                for bit in bits {
                    let what = format!("{kind}: {name}, byte {place}, bit {bit}");
                    damaged.get_mut(name).unwrap()[place] ^= 1 << bit;
                    let is_noticed = is_noticed(&damaged);
                    assert!(is_noticed || is_harmless(&all, &damaged), "{what}");
                    if sampled(seen, size) {
                        is_repaired(&all, &damaged, &what);
                    }
                    damaged.get_mut(name).unwrap()[place] ^= 1 << bit;
                }
                seen += 1;
            }
        }
    }
}

#[test]
fn no_file_is_lost_cut_or_swapped_unseen() {
    for (kind, make) in KINDS {
        let room = TempDir::new().unwrap();
        let path = room.path().join("cup");
        make(&path);
        let all = everything(&path);
        let names: Vec<&String> = all.keys().collect();
        for name in &names {
            let mut damaged = all.clone();
            damaged.remove(*name);
            check(&all, &damaged, &format!("{kind}: without {name}"));
            for other in names.iter().filter(|other| other > &name) {
                let mut damaged = all.clone();
                damaged.insert((*name).clone(), all[*other].clone());
                damaged.insert((*other).clone(), all[*name].clone());
                let is_log = [*name, *other].contains(&&format!("log/{CHANGES}"));
                if is_log {
                    // Neither the log nor the file is left.
                    assert!(is_noticed(&damaged), "{kind}: {name} and {other} swapped");
                } else if damaged != all {
                    check(
                        &all,
                        &damaged,
                        &format!("{kind}: {name} and {other} swapped"),
                    );
                }
            }
            for length in 0..all[*name].len() {
                let mut damaged = all.clone();
                damaged.get_mut(*name).unwrap().truncate(length);
                let what = format!("{kind}: {name} cut after {length} bytes");
                let is_noticed = is_noticed(&damaged);
                assert!(is_noticed || is_harmless(&all, &damaged), "{what}");
                if sampled(length, all[*name].len() * 10) {
                    is_repaired(&all, &damaged, &what);
                }
            }
        }
    }
}

fn check(all: &Files, damaged: &Files, what: &str) {
    assert!(is_noticed(damaged) || is_harmless(all, damaged), "{what}");
    is_repaired(all, damaged, what);
}

/// Lines of the log that are missing, doubled or elsewhere, alone or with the copy of the last one.
#[test]
fn no_line_of_the_log_is_lost_doubled_or_moved_unseen() {
    for (kind, make) in KINDS {
        let room = TempDir::new().unwrap();
        let path = room.path().join("cup");
        make(&path);
        let all = everything(&path);
        let log = format!("log/{CHANGES}");
        let lines: Vec<&[u8]> = all[&log].split_inclusive(|byte| *byte == b'\n').collect();
        let with = |lines: Vec<&[u8]>| {
            let mut damaged = all.clone();
            damaged.insert(log.clone(), lines.concat());
            damaged
        };
        for at in 0..lines.len() {
            let mut missing = lines.clone();
            missing.remove(at);
            let damaged = with(missing);
            // The last one is in the copy.
            if at + 1 < lines.len() {
                check(&all, &damaged, &format!("{kind}: without line {at}"));
            } else {
                assert!(is_harmless(&all, &damaged));
            }
            for to in 0..=lines.len() {
                let mut doubled = lines.clone();
                doubled.insert(to, lines[at]);
                check(
                    &all,
                    &with(doubled),
                    &format!("{kind}: line {at} doubled at {to}"),
                );
            }
            for other in 0..at {
                let mut swapped = lines.clone();
                swapped.swap(at, other);
                check(
                    &all,
                    &with(swapped),
                    &format!("{kind}: lines {at} and {other} swapped"),
                );
            }
            if at > 0 {
                let what = format!("{kind}: only {at} lines left");
                if at + 1 < lines.len() {
                    check(&all, &with(lines[..at].to_vec()), &what);
                }
                // With the copy of an earlier time: the files are newer.
                let mut older = with(lines[..at].to_vec());
                older.insert(format!("log/{LAST}"), lines[at - 1].to_vec());
                let is_same = found(&older).differences().is_empty();
                assert!(is_same || is_noticed(&older), "{what}, and the copy too");
            }
        }
    }
}

/// Nothing of one event's folder can stand for that of another's, even if they began alike.
#[test]
fn no_two_folders_are_mixed_unseen() {
    let room = TempDir::new().unwrap();
    let [one, other, third] = ["one", "other", "third"].map(|name| room.path().join(name));
    young(&one);
    copy(&one, &other);
    enter(&one, 0, 1, "1-0");
    enter(&other, 0, 1, "0-1");
    grown(&third);
    for (mine, foreign) in [(&one, &other), (&other, &third), (&third, &one)] {
        let (mine, foreign) = (everything(mine), everything(foreign));
        for (name, bytes) in &foreign {
            let mut mixed = mine.clone();
            mixed.insert(name.clone(), bytes.clone());
            if mixed != mine {
                check(&mine, &mixed, &format!("with the other's {name}"));
            }
        }
        let mut mixed = mine.clone();
        mixed.retain(|name, _| !name.starts_with("log/"));
        let log = foreign.iter().filter(|(name, _)| name.starts_with("log/"));
        mixed.extend(log.map(|(name, bytes)| (name.clone(), bytes.clone())));
        assert!(is_noticed(&mixed), "with the other's log");
    }
}

/// A process that is killed, or a power cut, leaves any of the files of a change written, and any part of the line in
/// the log. Readers see the change as made, and the next command completes it.
#[test]
fn no_kill_leaves_half_a_change() {
    for (kind, make) in KINDS {
        let room = TempDir::new().unwrap();
        let path = room.path().join("cup");
        make(&path);
        let changes: [(&str, &dyn Fn()); 3] = [
            ("a result", &|| {
                open(&path).undo(None, false, Mode::Write).unwrap();
            }),
            ("the result again", &|| {
                open(&path).redo(None, false, Mode::Write).unwrap();
            }),
            ("settings", &|| {
                let mut folder = open(&path);
                let mut event = folder.event().unwrap();
                event.settings.city = "York".into();
                event.players[0].name = "Anne".into();
                event.cancel(overboard_schedules::ids::RoundNo::new(1));
                folder.commit("Much at once", &event, Mode::Write).unwrap();
            }),
        ];
        for (what, change) in changes {
            let before = everything(&path);
            change();
            let after = everything(&path);
            for stopped in states_between(&before, &after) {
                let seen = found(&stopped).settled().unwrap();
                let is_begun = stopped[&format!("log/{LAST}")] == after[&format!("log/{LAST}")];
                let whole = if is_begun { &after } else { &before };
                assert_eq!(seen.files, found(whole).files, "{kind}, {what}");
                let room = TempDir::new().unwrap();
                let path = room.path().join("cup");
                write_out(&stopped, &path);
                drop(Folder::open(&path, Session::default()).unwrap());
                assert_eq!(&everything(&path), whole, "{kind}, {what}");
            }
        }
    }
}

/// What can be on the disk while one change is written: first the copy of the line, then files in any order, then the
/// line.
fn states_between(before: &Files, after: &Files) -> Vec<Files> {
    let (last, log) = (format!("log/{LAST}"), format!("log/{CHANGES}"));
    let set = |state: &mut Files, name: &str| match after.get(name) {
        Some(bytes) => drop(state.insert(name.to_owned(), bytes.clone())),
        None => drop(state.remove(name)),
    };
    let mut names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    names.retain(|name| before.get(*name) != after.get(*name) && **name != last && **name != log);
    let mut begun = before.clone();
    set(&mut begun, &last);
    let mut states = vec![before.clone()];
    for chosen in 0..1 << names.len() {
        let mut state = begun.clone();
        for (at, name) in names.iter().enumerate() {
            if chosen >> at & 1 == 1 {
                set(&mut state, name);
            }
        }
        states.push(state);
    }
    let full = after[&log].len();
    let from = before[&log].len();
    for length in [from + 1, (from + full) / 2, full - 1, full] {
        let mut state = after.clone();
        state.get_mut(&log).unwrap().truncate(length);
        states.push(state);
    }
    states
}

/// A repair that is killed can be repeated.
#[test]
fn no_kill_spoils_a_repair() {
    let room = TempDir::new().unwrap();
    let path = room.path().join("cup");
    young(&path);
    let log = path.join("log").join(CHANGES);
    let mut lines = fs::read(&log).unwrap();
    let flipped = lines.len() / 3;
    lines[flipped] ^= 1;
    fs::write(&log, lines).unwrap();
    let before = everything(&path);
    repair(&path);
    let after = everything(&path);
    let changed = |name: &&String| before.get(*name) != after.get(*name);
    let kept = after
        .keys()
        .find(|name| name.contains("damaged"))
        .unwrap()
        .clone();
    let mut stopped = before.clone();
    for name in [kept, format!("log/{LAST}"), format!("log/{CHANGES}")] {
        assert!(changed(&&name));
        stopped.insert(name.clone(), after[&name].clone());
        is_repaired(&before, &stopped, &name);
    }
}

/// The log does not grow much beyond the files; a result that is a change of its own takes little more than its two
/// hashes, its time and its words.
#[test]
fn the_log_is_at_most_twice_the_files() {
    let room = TempDir::new().unwrap();
    let path = room.path().join("cup");
    let rows = |count: usize| -> String {
        (1..=count)
            .map(|id| format!("{id},\"Family name {id}, Given name\",1{id:03},GM,ENG,1990-01-01\n"))
            .collect()
    };
    let players = format!("id,name,rating,title,federation,birth\n{}", rows(40));
    let event = Event::read(&files(&[
        ("event.toml", SETTINGS),
        ("players.csv", &players),
    ]))
    .unwrap();
    let mut folder = Folder::make(&path, Session::default()).unwrap();
    folder.commit("Created", &event, Mode::Write).unwrap();
    drop(folder);
    for _ in 0..39 {
        pair(&path);
    }
    let size = |files: Files| files.values().map(Vec::len).sum::<usize>();
    let found = settled_folder(&path).unwrap();
    let (log, files) = (size(found.raw), size(found.files));
    assert!(log < 2 * files, "{log} bytes for {files}");
    for table in 0..20 {
        enter(&path, 38, table, "1/2-1/2");
    }
    let grown = size(settled_folder(&path).unwrap().raw) - log;
    assert!(grown < 20 * 300, "{grown} bytes for 20 results");
}

/// Folders of all earlier forms are read, say once what they lost, and go on; what was done then can be undone.
#[test]
fn older_folders_go_on() {
    for name in ["lines", "whole"] {
        let room = TempDir::new().unwrap();
        let path = room.path().join("cup");
        copy(&older(name), &path);
        let found = settled_folder(&path).unwrap();
        assert_eq!(found.look(), Review::default(), "{name}");
        assert_eq!((found.log.entries.len(), found.log.is_chain), (13, false));
        let before = found.files;
        enter(&path, 1, 1, "1-0");
        let found = settled_folder(&path).unwrap();
        assert_eq!(found.look(), Review::default(), "{name}");
        let numbers: Vec<u32> = found.log.entries.iter().map(|entry| entry.number).collect();
        assert_eq!(numbers, (1..=15).collect::<Vec<_>>());
        open(&path).undo(Some(7), false, Mode::Write).unwrap();
        let text = fs::read_to_string(path.join("rounds/01.csv")).unwrap();
        assert!(!text.contains("1-0") && !path.join("rounds/02.csv").exists());
        open(&path).redo(Some(13), false, Mode::Write).unwrap();
        assert_eq!(settled_folder(&path).unwrap().files, before, "{name}");

        // The last round is gone: nothing is written until it is back.
        fs::remove_dir_all(&path).unwrap();
        copy(&older(name), &path);
        fs::remove_file(path.join("rounds/02.csv")).unwrap();
        assert!(Folder::open(&path, Session::default()).is_err());
        let steps = repair(&path);
        assert!(steps[0].starts_with("restore rounds/02.csv"), "{steps:?}");
        assert_eq!(settled_folder(&path).unwrap().files, before, "{name}");

        // A lost entry is named, and no later one takes its number.
        fs::remove_dir_all(&path).unwrap();
        copy(&older(name), &path);
        fs::remove_file(path.join("log/0005.json")).unwrap();
        let notes = settled_folder(&path).unwrap().look().notes;
        assert!(
            notes[0].to_string().contains("change 5 is lost"),
            "{notes:?}"
        );
        enter(&path, 1, 1, "1-0");
        let found = settled_folder(&path).unwrap();
        assert_eq!(found.log.entries.last().unwrap().number, 15);
        assert_eq!(found.look(), Review::default(), "{name}: said once");
    }
}

/// Several processes at once; each waits for the others.
#[test]
fn who_waits_too_long_is_refused() {
    let room = TempDir::new().unwrap();
    let path = room.path().join("cup");
    young(&path);
    let held = open(&path);
    let patience = std::time::Duration::from_millis(50);
    let hasty = Session {
        patience,
        ..Session::default()
    };
    let error = Folder::open(&path, hasty).err().unwrap().to_string();
    assert!(error.contains("nothing was changed"), "{error}");
    drop(held);
    drop(open(&path));
}
