//! What is found on score-sheets is shown as in the record that they make.

use crate::{
    chance::Chance,
    depth::tries,
    run::{overboard, printed, tool},
};
use std::{fs, path::Path};
use tempfile::TempDir;

/// Games with sheets, each with the most plies that are played.
const GAMES: [(&[&str], usize); 5] = [
    (&["--variant", "strategichess", "--boards", "2"], 60),
    (
        &[
            "--variant",
            "strategichess",
            "--boards",
            "3",
            "--rules",
            "edition=2025",
        ],
        90,
    ),
    (&["--variant", "overchess"], 200),
    (
        &[
            "--variant",
            "overchess",
            "--rules",
            "fog:prisoners:consolidation",
        ],
        200,
    ),
    (&["--variant", "overchess", "--rules", "depth=2"], 120),
];

/// What a command prints, whatever its exit code.
fn output(words: &[&str]) -> String {
    printed(&overboard(words)).0
}

/// Where the plies of a record stand.
fn plies(record: &str) -> Vec<(usize, usize)> {
    let from = record.find("\n\n").unwrap_or_default();
    let mut found = Vec::new();
    let mut at = from;
    for word in record[from..].split_inclusive([' ', '\n']) {
        let ply = word.trim_end();
        if ply.starts_with(|c: char| c.is_ascii_alphabetic())
            && ply.ends_with(|c: char| c.is_ascii_digit())
        {
            found.push((at, at + ply.len()));
        }
        at += word.len();
    }
    found
}

/// What a command prints that is run in a folder, and its exit code.
fn run_in(folder: &Path, words: &[&str]) -> (String, i32) {
    printed(&tool().current_dir(folder).args(words).output().unwrap())
}

/// The same of a command that reads this file from standard input.
fn piped(folder: &Path, words: &[&str], file: &str) -> (String, i32) {
    let file = fs::File::open(folder.join(file)).unwrap();
    printed(
        &tool()
            .current_dir(folder)
            .args(words)
            .stdin(file)
            .output()
            .unwrap(),
    )
}

/// An output without the text of the record that a page holds, and without the name of its file: those are of the sheets.
fn without_text((page, exit): (String, i32)) -> (String, i32) {
    let cut = |page: &str, from: &str, to: &str| {
        let Some((before, rest)) = page.split_once(from) else {
            return page.to_owned();
        };
        let after = rest.split_once(to).unwrap().1;
        format!("{before}{after}")
    };
    let page = cut(&page, "<script id=\"record\"", "</script>");
    (cut(&page, "\"file\":\"", "\""), exit)
}

/// The moments of a game of a file, each with its position.
fn moments(folder: &Path, file: &str, game: usize) -> Vec<(String, String)> {
    let (list, exit) = run_in(
        folder,
        &["show", "--list", "--game", &game.to_string(), file],
    );
    assert!(exit < 2, "{file} {game}");
    let lines = list.lines().map(|line| line.split_once('\t').unwrap());
    lines
        .map(|(at, fen)| (at.to_owned(), fen.to_owned()))
        .collect()
}

/// What `show` and `view` say of sheets is what they say of the record that they make, also from standard input; the sheet of
/// a sub-game shows its part of that.
fn assert_same_moments(folder: &Path) {
    let whole = moments(folder, "record.npgn", 1);
    assert_eq!(moments(folder, "sheets.npgn", 1), whole);
    let around = [
        "show",
        "--around",
        "--at",
        &whole[whole.len() / 2].0,
        "--ascii",
    ];
    let page = ["view", "-o", "-"];
    for words in [
        &around[..],
        &page,
        &["show", "--list"],
        &["show", "--as-fen"],
    ] {
        let of = |file: &str| without_text(run_in(folder, &[words, &[file]].concat()));
        let of_record = of("record.npgn");
        assert_eq!(of("sheets.npgn"), of_record, "{words:?}");
        assert_eq!(
            without_text(piped(folder, &[words, &["-"]].concat(), "sheets.npgn")),
            of_record,
            "{words:?}"
        );
    }
    let sheets = fs::read_to_string(folder.join("sheets.npgn")).unwrap();
    let ways: Vec<_> = sheets.split("[Event ").skip(1).collect();
    for (game, sheet) in (1..).zip(ways) {
        let own = moments(folder, "sheets.npgn", game);
        let Some((first, _)) = own.first().filter(|(at, _)| at.ends_with(".start")) else {
            continue;
        };
        let way = first.strip_suffix("start").unwrap();
        assert_eq!(way.matches('.').count(), 2 * depth(sheet), "{sheet}");
        let part: Vec<_> = whole
            .iter()
            .filter(|(at, _)| at.starts_with(way))
            .cloned()
            .collect();
        assert_eq!(own, part);
        // A moment may be named with the way to it, or as on the sheet.
        let (at, fen) = own
            .iter()
            .rfind(|(at, _)| !at[way.len()..].contains('.'))
            .unwrap();
        for at in [at.as_str(), &at[way.len()..]] {
            let game = game.to_string();
            let shown = run_in(
                folder,
                &[
                    "show",
                    "--as-fen",
                    "--game",
                    &game,
                    "--at",
                    at,
                    "sheets.npgn",
                ],
            );
            assert_eq!((shown.0.trim(), shown.1), (fen.as_str(), 0), "{at}");
            let there = run_in(
                folder,
                &[
                    "view",
                    "--game",
                    &game,
                    "--at",
                    at,
                    "-o",
                    "-",
                    "sheets.npgn",
                ],
            );
            assert!(
                there.1 < 2 && there.0.contains(&format!("\"at\":\"{way}")),
                "{at}"
            );
        }
    }
}

/// How many games are around the sub-game of a sheet.
fn depth(sheet: &str) -> usize {
    let parent = sheet
        .split_once("[Parent \"")
        .map_or("", |(_, rest)| rest.split_once('"').unwrap().0);
    parent.matches('/').count()
}

/// The moments at which the report on a file opens the game for a finding, sorted.
fn opened(folder: &Path, file: &str) -> Vec<String> {
    let (page, exit) = run_in(folder, &["check", "--html", "-", file]);
    assert!(exit < 2, "{file}");
    let links = page.split("<p><a class=\"open\" href=\"#").skip(1);
    let mut moments: Vec<_> = links
        .map(|rest| {
            let (game, moment) = rest.split_once('"').unwrap().0.split_once('/').unwrap();
            let mut packs = page.split("data-games=\"").skip(1);
            let is_packed = packs.any(|pack| {
                let names = pack.split_once('"').unwrap().0;
                names.split(' ').any(|name| name == game)
            });
            assert!(is_packed, "{file}: {game}");
            moment.to_owned()
        })
        .collect();
    moments.sort();
    moments
}

/// The positions that the commands show which `check` suggests for a file of a folder, sorted. They are run there: with a
/// long path a command would be wrapped.
fn shown(folder: &Path, file: &str) -> Vec<(String, i32)> {
    let run = |words: &[&str]| run_in(folder, words);
    let checked = run(&["check", "--no-board", file]).0;
    let commands = checked
        .lines()
        .filter_map(|line| line.split_once("= show: overboard "));
    let mut shown: Vec<_> = commands
        .map(|(_, command)| {
            let words: Vec<_> = command.split(' ').chain(["--as-fen"]).collect();
            let (fen, exit) = run(&words);
            assert!(exit < 2, "{command}");
            (fen, exit)
        })
        .collect();
    shown.sort();
    shown
}

#[test]
fn what_is_found_on_sheets_is_shown_as_in_their_record() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (ledger, record, sheets) = (path("ledger"), path("record.npgn"), path("sheets.npgn"));
    let mut commands = 0;
    for (nth, (how, most)) in GAMES.iter().enumerate() {
        for seed in 0..tries(1) {
            let (most, number) = (most.to_string(), (seed + 1).to_string());
            let played = [
                "selfplay",
                "--player",
                "random",
                "--games",
                "1",
                "--max-plies",
                &most,
            ];
            let ledger = ledger.with_extension(format!("{nth}-{seed}"));
            let to = ["--seed", &number, "--ledger", ledger.to_str().unwrap()];
            output(&[&played, *how, &to].concat());
            let legal = output(&["ledger", "--to", "npgn", ledger.to_str().unwrap()]);
            let mut chance = Chance::seeded(seed as u64 + 1);
            let all = plies(&legal);
            for _ in 0..tries(4) {
                let ((from, to), (other, end)) =
                    (all[chance.below(all.len())], all[chance.below(all.len())]);
                let faulty = format!("{}{}{}", &legal[..from], &legal[other..end], &legal[to..]);
                fs::write(&record, &faulty).unwrap();
                let apart = overboard(&["unbundle", record.to_str().unwrap()]);
                if apart.status.code() != Some(0) {
                    continue;
                }
                // Of sheets a sub-game is missing where a record has none, and they are judged on.
                let (said, _) =
                    printed(&overboard(&["check", "--brief", record.to_str().unwrap()]));
                if said.contains("comes first and is not recorded") {
                    continue;
                }
                fs::write(&sheets, apart.stdout).unwrap();
                let (of_record, of_sheets) = (
                    shown(folder.path(), "record.npgn"),
                    shown(folder.path(), "sheets.npgn"),
                );
                assert_eq!(of_record, of_sheets, "{faulty}");
                assert_same_moments(folder.path());
                assert_eq!(
                    opened(folder.path(), "sheets.npgn"),
                    opened(folder.path(), "record.npgn"),
                    "{faulty}"
                );
                commands += of_sheets.len();
            }
        }
    }
    assert!(commands > 10, "{commands}");
}

/// The sheet of an over-game inside another one is shown as `check` judges it, by its tag Around: with the individuals that were
/// left.
#[test]
fn a_sheet_without_those_around_it_is_shown_in_the_game_around_it() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let words = [
        "--variant",
        "overchess",
        "--rules",
        "depth=2:fog",
        "--max-plies",
        "300",
        "--seed",
        "5",
    ];
    let player = ["selfplay", "--player", "random", "--games", "1", "--ledger"];
    output(&[&player[..], &[&at("ledger")], &words].concat());
    fs::write(
        at("record.npgn"),
        output(&["ledger", "--to", "npgn", &at("ledger")]),
    )
    .unwrap();
    let sheets = output(&["unbundle", &at("record.npgn")]);
    let sheet = sheets
        .split("[Event ")
        .find(|sheet| sheet.contains("[Around "))
        .unwrap();
    fs::write(at("sheet.npgn"), format!("[Event {sheet}")).unwrap();
    let own = moments(folder.path(), "sheet.npgn", 1);
    let whole = moments(folder.path(), "record.npgn", 1);
    // What comes after the sheet belongs to no moment of it: there its last attack is not settled.
    let way = own[0].0.strip_suffix("start").unwrap();
    let part: Vec<_> = whole
        .iter()
        .filter(|(at, _)| at.starts_with(way) && at.matches('.').count() == 2)
        .collect();
    let last = own.len() - 1;
    assert!(last > 4 && own.len() == part.len(), "{own:?}");
    assert!(
        own[..last].iter().eq(part[..last].iter().copied()),
        "{own:?}"
    );
    assert_eq!(own[last].0, part[last].0);
    assert!(own[last].1.contains(" c7xg3:P "), "{own:?}");
    for words in [&["show", "--list"][..], &["view", "-o", "-"]] {
        let of_file = without_text(run_in(folder.path(), &[words, &["sheet.npgn"]].concat()));
        assert_eq!(
            without_text(piped(
                folder.path(),
                &[words, &["-"]].concat(),
                "sheet.npgn"
            )),
            of_file,
            "{words:?}"
        );
        assert_eq!(of_file.1, 0, "{words:?}");
    }
}

/// A sheet that cannot be judged with the others of its game is shown alone, and that is said.
#[test]
fn a_sheet_whose_others_are_missing_says_so() {
    let folder = TempDir::new().unwrap();
    let sheets = fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/sheets/linked.npgn"
    ))
    .unwrap();
    let two: Vec<_> = sheets
        .split("[Event ")
        .skip(1)
        .take(2)
        .map(|sheet| format!("[Event {sheet}"))
        .collect();
    fs::write(folder.path().join("two.npgn"), two.concat()).unwrap();
    fs::write(folder.path().join("board.npgn"), &two[1]).unwrap();
    for (file, game, why) in [
        ("two.npgn", "2", "the sheet of board B is not among these"),
        (
            "board.npgn",
            "1",
            "the outermost sheet of its game is not among these",
        ),
    ] {
        let shown = tool()
            .current_dir(folder.path())
            .args(["show", "--list", "--game", game, file])
            .output()
            .unwrap();
        let said = String::from_utf8(shown.stderr).unwrap();
        assert!(
            said.contains(&format!(
                "game {game} is shown without the other sheets of its game: {why}"
            )),
            "{said}"
        );
        let (checked, _) = run_in(folder.path(), &["check", "--quiet", file]);
        assert!(
            checked
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .contains(why),
            "{checked}"
        );
    }
}
