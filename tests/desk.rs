//! Records that are kept while their games are played.

mod kept;
mod said;
mod senders;

use crate::{
    chance::Chance,
    depth::tries,
    faults::model::agreements,
    records::{Agreed, Played},
    so_far::so_far,
    text::{canonical, judge, judge_with},
};
use overboard_desk::{
    clock::Hand,
    journal::{Journal, JournalError},
    keeper::{
        ActError, DeskError, DeskTerms, Done, Keeper, New, Notice, OnEdit, Scope, WriteError,
    },
    lines::{self, FromDesk},
};
use overboard_games::registry::Variant;
use overboard_referee::finding::{Severity, Verdict};
use overboard_rules::square::Side;
use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

const OVERBOARD: &str = env!("CARGO_BIN_EXE_overboard");

/// What a new record of a game has.
fn new(agreed: &Agreed) -> New {
    let mut tags = vec![
        ("White".into(), "Ann".into()),
        ("Black".into(), "Bob".into()),
    ];
    if agreed.boards > 1 {
        for (_, name) in &mut tags {
            *name = vec![std::mem::take(name); usize::from(agreed.boards)].join(":");
        }
    }
    if let Some(fen) = agreed.fen {
        tags.push(("FEN".into(), fen.into()));
        tags.push(("SetUp".into(), "1".into()));
    }
    New {
        game: agreed.game,
        boards: agreed.boards,
        level: agreed.level,
        rules: agreed.rules.clone(),
        tags,
    }
}

fn open(path: &Path, new: Option<&New>) -> Keeper {
    Keeper::open(path, new, DeskTerms::default(), OnEdit::Stop).unwrap()
}

fn play(keeper: &mut Keeper, word: &str) -> Result<Done, ActError> {
    keeper.play(&[word.to_owned()])
}

/// Types an act of a game that was played: in coordinates, or as records write it.
fn typed(keeper: &mut Keeper, played: &Played, number: usize, as_san: bool) {
    let act = &played.acts[number];
    if let Some((_, result)) = act.word.rsplit_once('.')
        && ["1-0", "0-1", "1/2-1/2"].contains(&result)
        && act.before.by_coordinates(&act.word).is_none()
    {
        keeper.end(result, "", Scope::GameHere).unwrap();
        return;
    }
    let ply = act.before.by_coordinates(&act.word);
    let san = ply.map(|ply| act.before.san(ply).to_string());
    let is_written = as_san && act.is_ply;
    let text = match san.filter(|san| is_written && !san.is_empty()) {
        Some(san) if act.before.boards() > 1 => {
            let board = act.word.split_once('.').map_or("", |(board, _)| board);
            format!("{board}:{san}")
        }
        Some(san) => san,
        None => act.word.clone(),
    };
    let done = play(keeper, &text);
    if let Err(error) = done {
        panic!("{text} ({}): {error}\n{}", act.word, keeper.text());
    }
}

/// The moves of a record without its result.
fn moves(record: &str) -> String {
    let (_, moves) = record.split_once("\n\n").unwrap();
    let moves = moves.trim_end();
    let (moves, _) = moves
        .rsplit_once(char::is_whitespace)
        .unwrap_or(("", moves));
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_clean(record: &str) {
    let report = judge_with(record.as_bytes(), so_far()).remove(0);
    let errors: Vec<_> = report
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| finding.message.shown().to_string())
        .collect();
    assert_eq!(report.verdict, Verdict::Clean, "{record}\n{errors:?}");
}

/// Random games of every kind, typed through a desk: the record is the game that was played, at every moment.
#[test]
fn games_of_every_kind_are_kept() {
    let mut chance = Chance::seeded(91);
    let folder = tempfile::tempdir().unwrap();
    let mut number = 0;
    for (agreed, plies) in agreements() {
        for _ in 0..tries(1) {
            number += 1;
            let played = agreed.play(plies, &mut chance);
            let path = folder.path().join(format!("{number}.npgn"));
            let mut keeper = open(&path, Some(&new(&agreed)));
            for act in 0..played.acts.len() {
                typed(&mut keeper, &played, act, chance.below(2) == 0);
                if chance.below(20) == 0 {
                    let record = fs::read_to_string(&path).unwrap();
                    is_clean(&record);
                }
            }
            keeper.save().unwrap();
            let record = fs::read_to_string(&path).unwrap();
            is_clean(&record);
            let canonical = String::from_utf8(canonical(played.text.as_bytes())).unwrap();
            assert_eq!(moves(&record), moves(&canonical), "{agreed:?}");
            let rows = keeper.state().game.rows().to_vec();
            drop(keeper);
            // From its journal, and from the record alone.
            let again = open(&path, None);
            assert_eq!(again.text(), record);
            assert_eq!(again.state().game.rows(), &rows[..], "{agreed:?}");
            drop(again);
            fs::remove_file(Journal::beside(&path)).unwrap();
            let alone = open(&path, None);
            assert_eq!(moves(&alone.text()), moves(&record), "{agreed:?}");
            assert_eq!(
                alone.state().game.game().fen(),
                played.last.fen(),
                "{agreed:?}\n{record}"
            );
        }
    }
}

/// A journal that ends anywhere: everything that was acknowledged by then is there, and nothing twice.
#[test]
fn a_kill_at_any_byte_loses_nothing() {
    let mut chance = Chance::seeded(92);
    let folder = tempfile::tempdir().unwrap();
    let mut number = 0;
    for (agreed, _) in agreements().into_iter().step_by(5) {
        number += 1;
        let played = agreed.play(24, &mut chance);
        let path = folder.path().join(format!("{number}.npgn"));
        let beside = Journal::beside(&path);
        let mut keeper = open(&path, Some(&new(&agreed)));
        // The length of the journal, the record, and the file, after each act.
        let state = |keeper: &Keeper| {
            let length = fs::read(&beside).unwrap().len();
            (length, keeper.text(), fs::read_to_string(&path).unwrap())
        };
        let mut states = vec![state(&keeper)];
        for act in 0..played.acts.len() {
            typed(&mut keeper, &played, act, false);
            states.push(state(&keeper));
        }
        drop(keeper);
        let journal = fs::read(&beside).unwrap();
        for _ in 0..tries(40) {
            let cut = states[0].0 + chance.below(journal.len() - states[0].0 + 1);
            let known = states
                .iter()
                .rposition(|(length, ..)| *length <= cut)
                .unwrap();
            fs::write(&beside, &journal[..cut]).unwrap();
            // The file of the record is written after the journal, so it may be what it was before the act.
            let behind = known.saturating_sub(chance.below(2));
            fs::write(&path, &states[behind].2).unwrap();
            let mut again = open(&path, None);
            assert_eq!(again.text(), states[known].1);
            assert_eq!(fs::read_to_string(&path).unwrap(), states[known].1);
            for act in known..played.acts.len() {
                typed(&mut again, &played, act, false);
            }
            assert_eq!(again.text(), states[played.acts.len()].1);
        }
    }
}

/// A program that is killed while acts come in: what it has answered is kept.
#[test]
fn a_killed_program_has_kept_what_it_answered() {
    let mut chance = Chance::seeded(93);
    let folder = tempfile::tempdir().unwrap();
    let agreed = Agreed::on(Variant::Over, 1, None, "");
    for number in 0..tries(4) {
        let played = agreed.play(60, &mut chance);
        let plies: Vec<_> = played
            .acts
            .iter()
            .map(|act| act.word.clone())
            .take_while(|word| !word.ends_with(['0', '1', '2']) || !word.contains('-'))
            .collect();
        let path = folder.path().join(format!("killed{number}.npgn"));
        let mut program = Command::new(OVERBOARD)
            .args(["desk", "--proto", "lines", "--variant", "overchess"])
            .arg(&path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = program.stdin.take().unwrap();
        let mut output = BufReader::new(program.stdout.take().unwrap());
        let last = 1 + chance.below(plies.len());
        let mut answered = 0;
        for ply in &plies[..last] {
            writeln!(
                input,
                "{}",
                serde_json::json!({"type": "play", "plies": [ply]})
            )
            .unwrap();
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            assert!(line.contains("\"played\""), "{line}");
            answered += 1;
        }
        // One more is under way.
        if let Some(ply) = plies.get(last) {
            writeln!(
                input,
                "{}",
                serde_json::json!({"type": "play", "plies": [ply]})
            )
            .unwrap();
        }
        program.kill().unwrap();
        program.wait().unwrap();
        let again = open(&path, None);
        assert!(
            (answered..=answered + 1).contains(&again.acts()),
            "{}",
            again.acts()
        );
        is_clean(&again.text());
    }
}

#[test]
fn one_desk_keeps_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let agreed = Agreed::on(Variant::Chess, 1, None, "");
    let first = open(&path, Some(&new(&agreed)));
    let second = Keeper::open(&path, None, DeskTerms::default(), OnEdit::Stop);
    assert!(matches!(
        second,
        Err(DeskError::Journal(JournalError::InUse(_)))
    ));
    drop(first);
    open(&path, None);
    let again = Keeper::open(
        &path,
        Some(&new(&agreed)),
        DeskTerms::default(),
        OnEdit::Stop,
    );
    assert!(matches!(again, Err(DeskError::Begun(_))));
    let nothing = folder.path().join("b.npgn");
    let nothing = Keeper::open(&nothing, None, DeskTerms::default(), OnEdit::Stop);
    assert!(matches!(nothing, Err(DeskError::Nothing(_))));
    assert!(!folder.path().join("b.npgn.desk").exists());
}

/// Somebody else changes the file: the desk stops, shows where, and goes on as the arbiter decides.
#[test]
fn an_edited_record_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let mut keeper = open(&path, Some(&new(&Agreed::on(Variant::Chess, 1, None, ""))));
    play(&mut keeper, "e4").unwrap();
    keeper.save().unwrap();
    let own = fs::read_to_string(&path).unwrap();
    let theirs = own.replace("1. e4", "1. d4").replace("Ann", "Anne");
    fs::write(&path, &theirs).unwrap();
    play(&mut keeper, "e5").ok();
    let Err(error) = keeper.save() else {
        panic!("the file was written over");
    };
    let words = error.to_string();
    assert!(
        words.contains("[White \"Anne\"]") && words.contains("[White \"Ann\"]"),
        "{words}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), theirs);
    drop(keeper);
    let stopped = Keeper::open(&path, None, DeskTerms::default(), OnEdit::Stop);
    assert!(matches!(
        stopped,
        Err(DeskError::Write(WriteError::Edited(_)))
    ));

    let kept = Keeper::open(&path, None, DeskTerms::default(), OnEdit::Keep).unwrap();
    assert!(kept.text().contains("1. e4 e5"));
    assert_eq!(fs::read_to_string(&path).unwrap(), kept.text());
    let beside: PathBuf = format!("{}.edited1", path.display()).into();
    assert_eq!(fs::read_to_string(beside).unwrap(), theirs);
    drop(kept);

    fs::write(&path, &theirs).unwrap();
    let mut taken = Keeper::open(&path, None, DeskTerms::default(), OnEdit::Take).unwrap();
    play(&mut taken, "d5").unwrap();
    assert!(taken.text().contains("1. d4 d5") && taken.text().contains("Anne"));
    // What was refused before the file was edited cannot be recorded afterwards.
    play(&mut taken, "Nf5").unwrap_err();
    fs::write(&path, theirs.replace("Anne", "Anna")).unwrap();
    taken.settle_edit(OnEdit::Take).unwrap();
    taken.record_refused().unwrap_err();
    play(&mut taken, "d5").unwrap();
    drop(taken);
    assert!(open(&path, None).text().contains("1. d4 d5"));
}

/// A line of a journal that was changed is not believed.
#[test]
fn a_damaged_journal_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let beside = Journal::beside(&path);
    let mut keeper = open(&path, Some(&new(&Agreed::on(Variant::Chess, 1, None, ""))));
    for ply in ["e4", "e5", "Nf3"] {
        play(&mut keeper, ply).unwrap();
    }
    drop(keeper);
    let journal = fs::read_to_string(&beside).unwrap();
    let lines: Vec<_> = journal.split_inclusive('\n').collect();
    let changed = journal.replace("e7e5", "e7e6");
    let missing = [lines[0], lines[1], lines[3]].concat();
    let swapped = [lines[0], lines[2], lines[1], lines[3]].concat();
    let no_lines = "hello\n".to_owned();
    for bad in [changed, missing, swapped, no_lines] {
        fs::write(&beside, &bad).unwrap();
        let opened = Keeper::open(&path, None, DeskTerms::default(), OnEdit::Stop);
        let Err(DeskError::Journal(JournalError::Damaged { .. })) = opened else {
            panic!("{bad}");
        };
        assert_eq!(fs::read_to_string(&beside).unwrap(), bad);
    }
}

/// Clocks run by a time that the test gives; what they show is in the record.
#[test]
fn clocks_are_recorded_and_go_on_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let mut record = new(&Agreed::on(Variant::Chess, 1, None, ""));
    record.tags.push(("TimeControl".into(), "60+2".into()));
    let mut keeper = open(&path, Some(&record));
    let at = Duration::from_secs;
    keeper.pass_to(at(100)).unwrap();
    keeper.pause(false).unwrap();
    keeper.pass_to(at(110)).unwrap();
    play(&mut keeper, "e4").unwrap();
    keeper.pass_to(at(130)).unwrap();
    play(&mut keeper, "e5").unwrap();
    assert!(
        keeper
            .text()
            .contains("1. e4 {[%clk 0:00:52]} 1... e5 {[%clk 0:00:42]}"),
        "{}",
        keeper.text()
    );
    keeper.pass_to(at(135)).unwrap();
    drop(keeper);
    let mut again = open(&path, None);
    let left = |keeper: &Keeper| {
        keeper
            .clocks()
            .iter()
            .map(|(_, left, _)| *left)
            .collect::<Vec<_>>()
    };
    assert_eq!(left(&again), [42_000, 47_000]);
    // They stand until the arbiter lets them run.
    again.pass_to(at(1_000)).unwrap();
    assert_eq!(left(&again), [42_000, 47_000]);
    again.pause(false).unwrap();
    again.set_clock(&Hand::of("", Side::White), 30_000).unwrap();
    let notices = again.pass_to(at(1_031)).unwrap();
    assert_eq!(notices, [Notice::Flag(Hand::of("", Side::White))]);
    assert!(again.pass_to(at(1_032)).unwrap().is_empty());
    again.say("flag W", Scope::GameHere).unwrap();
    assert_eq!(again.state().over.as_ref().unwrap().result, "0-1");
    is_clean(&fs::read_to_string(&path).unwrap());
}

/// The common end of a match on linked boards: kings are counted at that moment.
#[test]
fn time_ends_a_match_and_counts_kings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let mut record = new(&Agreed::on(Variant::Strategi, 2, None, ""));
    record.tags.push(("TimeControl".into(), "3600".into()));
    let terms = DeskTerms {
        until: Some(90_000),
        ..DeskTerms::default()
    };
    let mut keeper = Keeper::open(&path, Some(&record), terms, OnEdit::Stop).unwrap();
    let at = Duration::from_secs;
    keeper.pause(false).unwrap();
    keeper.pass_to(at(30)).unwrap();
    for ply in ["A:g7", "B:g7", "A:g8"] {
        play(&mut keeper, ply).unwrap_or_else(|why| panic!("{ply}: {why}"));
    }
    assert!(
        keeper.text().contains("{[%clk 0:59:30] [%ts 0:00:30]}"),
        "{}",
        keeper.text()
    );
    let notices = keeper.pass_to(at(95)).unwrap();
    assert!(matches!(&notices[..], [Notice::Time(ended)] if ended.result == "1/2-1/2"));
    assert!(play(&mut keeper, "B:g8").is_err());
    let record = fs::read_to_string(&path).unwrap();
    assert!(record.contains("[Score \"2-2\"]") && record.trim_end().ends_with("1/2-1/2"));
    let report = judge(record.as_bytes()).remove(0);
    assert_eq!(report.verdict, Verdict::Clean, "{record}");
}

/// The protocol: every message is answered, and what is no message is an error.
#[test]
fn the_protocol_answers_every_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let mut keeper = open(
        &path,
        Some(&new(&Agreed::on(Variant::Olympic, 1, None, ""))),
    );
    let mut answer = |line: &str| {
        let said = lines::read(line).map_or_else(
            |report| {
                FromDesk::Error(lines::Fault {
                    report,
                    ..lines::Fault::default()
                })
            },
            |message| lines::answer(&mut keeper, message),
        );
        serde_json::to_value(&said).unwrap()
    };
    for (line, kind) in [
        (r#"{"type":"hello"}"#, "hello"),
        (r#"{"type":"ping","number":3}"#, "pong"),
        (r#"{"type":"play","plies":["a3","e3"]}"#, "played"),
        (r#"{"type":"play","plies":["b3","e3"]}"#, "error"),
        (r#"{"type":"position"}"#, "position"),
        (r#"{"type":"legal"}"#, "legal"),
        (r#"{"type":"due"}"#, "due"),
        (r#"{"type":"clocks"}"#, "clocks"),
        (r#"{"type":"start"}"#, "error"),
        (r#"{"type":"comment","text":"a good move"}"#, "played"),
        (r#"{"type":"comment","text":"[%resign W]"}"#, "error"),
        (r#"{"type":"tag","name":"Event","value":"Cup"}"#, "played"),
        (
            r#"{"type":"tag","name":"Variant","value":"Chess"}"#,
            "error",
        ),
        (r#"{"type":"undo"}"#, "played"),
        (r#"{"type":"undo","acts":99}"#, "error"),
        (r#"{"type":"text"}"#, "text"),
        (r#"{"type":"check"}"#, "findings"),
        (r#"{"type":"say","words":"resign W"}"#, "played"),
        (r#"{"type":"over"}"#, "over"),
        (r#"{"type":"record"}"#, "error"),
        (r#"{"type":"dance"}"#, "error"),
        ("hello", "error"),
        (r#"{"type":"quit"}"#, "bye"),
    ] {
        let said = answer(line);
        assert_eq!(said["type"], kind, "{line}: {said}");
    }
    let long = format!(
        r#"{{"type":"comment","text":"{}"}}"#,
        "a".repeat(lines::LONGEST)
    );
    assert_eq!(answer(&long)["code"], "too-long");
}

/// An act costs as much after ten thousand others as at the beginning.
#[test]
fn acts_do_not_grow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npgn");
    let agreed = Agreed::on(Variant::Mega, 1, Some(2), "");
    let mut chance = Chance::seeded(94);
    let plies = 2_000 * tries(1).min(5);
    let played = agreed.play(plies, &mut chance);
    let mut keeper = open(&path, Some(&new(&agreed)));
    let mut counted = Vec::new();
    for part in played.acts.chunks(plies / 4) {
        let words: Vec<_> = part.iter().map(|act| act.word.clone()).collect();
        let spent = allocation_counter::measure(|| {
            for word in &words {
                play(&mut keeper, word).unwrap();
            }
        });
        counted.push(spent.count_total / words.len() as u64);
    }
    // The record is written whole from time to time, at most a twentieth of the time.
    assert!(counted[3] < 3 * counted[0], "{counted:?}");
    keeper.save().unwrap();
    is_clean(&fs::read_to_string(&path).unwrap());
}
