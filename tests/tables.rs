//! Tables of games: every game has its row, with what happened in it, whatever it comes from.

use crate::{
    rows::piped,
    run::{overboard, printed, tool},
};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Stdio,
};

/// Words that a column cannot be named with in DuckDB, PostgreSQL, SQLite or MySQL, as far as a table of games might use
/// them.
const RESERVED: &str = "all alter analyze and any array as at authorization between both by call case cast check collate \
    column commit condition constraint create cross current cursor date day default delete describe desc distinct do drop \
    each else end escape except exists false fetch filter for foreign free from full function get global grant group \
    having hold hour identity in index inner insert interval into is join lateral leading left like limit local match \
    member merge method minute module month natural new no none not null of offset old on only open or order out outer \
    over parameter partition position precision primary procedure range rank reads references release return \
    returns right rollback row rows scroll search second select session_user set show some specific start static table \
    then time timestamp to trailing treat trigger true union unique unknown update user using value values when where \
    window with within without year";

/// Kinds of games that show each column, with players that say what they think.
const KINDS: [&str; 11] = [
    "--variant chess --player search:depth=2 --player search:depth=1",
    "--variant chess960 --player search:depth=1 --player greedy",
    "--variant olympic --player search:depth=1 --player greedy",
    "--variant crazyhouse --player search:depth=1 --player greedy",
    "--variant bughouse --player mcts:sims=3 --player greedy",
    "--variant metachess --player search:depth=1 --player greedy",
    "--variant strategichess --boards 2 --player mcts:sims=3 --player greedy",
    "--variant mega-chess --player search:depth=1 --player greedy",
    "--variant recursive --level 2 --player search:depth=1 --player greedy",
    "--variant overchess --rules fog:prisoners --player search:depth=1 --player greedy",
    "--variant overchess --rules depth=2 --player search:depth=1 --player greedy",
];
/// What a program said of a ply.
const SAID: [&str; 6] = ["eval", "mate", "depth", "nodes", "seconds", "clock"];

fn example(name: &str) -> String {
    format!("{}/../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn text(words: &[&str]) -> String {
    let (text, exit) = printed(&overboard(words));
    assert_eq!(exit, 0, "{words:?}: {text}");
    text
}

fn rows(words: &[&str]) -> Vec<Value> {
    text(words)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Plays short games, with what the players said of each ply; returns the ledger and its records.
fn played(folder: &Path, kind: &str) -> [String; 2] {
    let [ledger, records] = ["games.jsonl", "games.npgn"].map(|name| {
        let path = folder.join(name);
        path.to_str().unwrap().to_owned()
    });
    let _ = fs::remove_file(&ledger);
    let said = "--pairs 1 --max-plies 120 --annotate score,depth,nodes,time --quiet --ledger";
    let words = format!("selfplay {kind} {said}");
    let words: Vec<_> = words.split(' ').chain([ledger.as_str()]).collect();
    text(&words);
    fs::write(&records, text(&["ledger", "--to", "npgn", &ledger])).unwrap();
    [ledger, records]
}

/// A row without these columns.
fn without(mut row: Value, names: &[&str]) -> Value {
    for name in names {
        row.as_object_mut().unwrap().remove(*name);
    }
    row
}

fn names(row: &Value) -> Vec<String> {
    row.as_object().unwrap().keys().cloned().collect()
}

#[test]
fn a_game_is_a_row_with_every_tag() {
    let files = [&example("olympic.npgn"), &example("overchess.npgn")];
    let rows = rows(&["convert", "--to", "games", files[0], files[1]]);
    assert!(rows.len() > 1 && rows.iter().all(|row| names(row) == names(&rows[0])));
    let (olympic, over) = (&rows[0], rows.last().unwrap());
    assert_eq!(
        (&olympic["Variant"], &over["Variant"]),
        (&"Olympic Chess".into(), &"Overchess".into())
    );
    assert!(olympic["drops"].as_u64().unwrap() > 0 && olympic["sub_games"] == 0);
    assert!(olympic["white_depletion"].is_null() && over["sub_games"].as_u64().unwrap() > 0);
    let depletion = over["black_depletion"].as_f64().unwrap();
    assert!(depletion > 0.0 && depletion <= 1.0, "{over}");
    assert!(
        rows.iter()
            .all(|row| row["verdict"] == "clean" && row["line"].is_u64() && row["unit"].is_null())
    );
    assert_eq!(
        (&olympic["acts"], &olympic["over_moves"]),
        (&53.into(), &Value::Null)
    );
    let over_moves = over["over_moves"].as_u64().unwrap();
    assert!(over_moves < over["acts"].as_u64().unwrap(), "{over}");
}

#[test]
fn a_tag_takes_no_other_columns_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.pgn");
    fs::write(
        &file,
        "[Event \"?\"]\n[White \"a, b\"]\n[Acts \"many\"]\n[Order \"odd\"]\n[Result \"*\"]\n\n1. e4 *\n\n\
         1. d4 d5 1/2-1/2\n",
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let rows = rows(&["convert", "--to", "games", file]);
    assert_eq!(
        (
            &rows[0]["acts"],
            &rows[0]["tag_Acts"],
            &rows[0]["tag_Order"]
        ),
        (&1.into(), &"many".into(), &"odd".into())
    );
    assert_eq!(
        (&rows[0]["white"], &rows[1]["white"], &rows[1]["result"]),
        (&"a, b".into(), &Value::Null, &"1/2-1/2".into())
    );
    assert_eq!(
        (&rows[0]["result"], &rows[0]["tag_Result"]),
        (&Value::Null, &"*".into())
    );
    let (text, exit) = printed(&overboard(&[
        "convert", "--to", "games", "--format", "csv", file,
    ]));
    assert!(
        exit == 0 && text.lines().count() == 3 && text.contains("\"a, b\""),
        "{text}"
    );
}

/// Whatever the game, a table of a ledger and a table of its records say the same, and what players said is with its ply.
#[test]
fn a_ledger_has_the_rows_of_its_records() {
    let folder = tempfile::tempdir().unwrap();
    for kind in KINDS {
        let [ledger, records] = played(folder.path(), kind);
        let booked: Vec<Value> = fs::read_to_string(&ledger)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let games = rows(&["ledger", "--to", "games", &ledger]);
        for (row, line) in games.iter().zip(&booked) {
            for (ours, theirs) in [
                ("run", "run"),
                ("game", "game"),
                ("unit", "unit"),
                ("run_round", "round"),
                ("book", "book"),
                ("white", "white"),
                ("black", "black"),
                ("acts", "plies"),
                ("result", "result"),
                ("ended_by", "termination"),
            ] {
                assert_eq!(row[ours], line[theirs], "{kind}: {ours}");
            }
        }
        let of_records = rows(&["convert", "--to", "games", &records]);
        let apart = ["line", "unit", "run_round", "book", "ended_by"];
        for (ours, theirs) in games.iter().zip(&of_records) {
            assert_eq!(
                without(ours.clone(), &apart),
                without(theirs.clone(), &apart),
                "{kind}"
            );
        }
        let plies = rows(&["ledger", "--to", "plies", &ledger]);
        plies_are_as_booked(kind, &plies, &booked);
        let of_records = rows(&["convert", "--to", "plies", &records]);
        plies_are_as_recorded(kind, &plies, &of_records);
    }
}

/// The rows of legal plies are the plies of the ledger, in order, each with what its player said.
fn plies_are_as_booked(kind: &str, rows: &[Value], booked: &[Value]) {
    for line in booked {
        let of_game = rows.iter().filter(|row| row["game"] == line["game"]);
        let end = of_game.clone().next_back().unwrap();
        assert_eq!(
            (&end["kind"], &end["result"], &end["ended_by"]),
            (&"end".into(), &line["result"], &line["termination"]),
            "{kind}"
        );
        let plies = of_game.filter(|row| row["kind"] == "ply" || row["kind"] == "unsaid");
        let plies: Vec<_> = plies.collect();
        assert_eq!(line["plies"], plies.len(), "{kind}");
        for (at, row) in plies.iter().enumerate() {
            assert_eq!(
                (&row["depth"], &row["nodes"], &row["act"]),
                (&line["depth"][at], &line["nodes"][at], &(at + 1).into()),
                "{kind}: {row}"
            );
            let seconds = line["time"][at].as_f64();
            let rounded = seconds.map(|seconds| (seconds * 1000.0).round() / 1000.0);
            assert_eq!(row["seconds"].as_f64(), rounded, "{kind}: {row}");
            let sign = if row["side"] == "white" { 1 } else { -1 };
            let score = line["score"][at].as_i64().map(|score| sign * score);
            match score {
                Some(mate) if mate.abs() > 900_000 => {
                    let moves = mate.signum() * (1_000_001 - mate.abs()) / 2;
                    assert_eq!(
                        (&row["mate"], &row["eval"]),
                        (&moves.into(), &Value::Null),
                        "{kind}: {row}"
                    );
                }
                Some(score) => {
                    let pawns = score as f64 / 100.0;
                    assert_eq!(
                        (row["eval"].as_f64(), &row["mate"]),
                        (Some(pawns), &Value::Null),
                        "{kind}: {row}"
                    );
                }
                None => assert_eq!((&row["eval"], &row["mate"]), (&Value::Null, &Value::Null)),
            }
        }
    }
}

/// Rows of a ledger and of its records differ only in places, in the order of tags, and in what was said of acts that a
/// record writes as one.
fn plies_are_as_recorded(kind: &str, ours: &[Value], theirs: &[Value]) {
    assert_eq!(ours.len(), theirs.len(), "{kind}");
    let apart = ["line", "col", "tags", "remarks", "ended_by"];
    let bare = |row: &Value| without(without(row.clone(), &apart), &SAID);
    let has_one_comment = |row: &Value| {
        let remarks = row["remarks"].as_str().unwrap_or_default();
        remarks.matches('{').count() <= 1
    };
    for (at, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        assert_eq!(bare(ours), bare(theirs), "{kind}: {at}");
        let is_alone = !kind.contains("overchess")
            || ours["san"].as_str().is_some_and(|san| !san.contains(' '));
        let is_alone = is_alone && has_one_comment(ours) && has_one_comment(theirs);
        if is_alone && ours["kind"] == "ply" {
            for said in SAID {
                assert_eq!(ours[said], theirs[said], "{kind}: {ours}\n{theirs}");
            }
        }
    }
}

#[test]
fn the_short_table_of_a_ledger_is_a_part_of_that_of_games() {
    let ledger = example("selfplay.jsonl");
    let short = text(&["ledger", "--to", "csv", &ledger]);
    let long = text(&["ledger", "--to", "games", "--format", "csv", &ledger]);
    let read = |text: &str| -> Vec<BTreeMap<String, String>> {
        let mut table = csv::Reader::from_reader(text.as_bytes());
        table.deserialize().map(Result::unwrap).collect()
    };
    let (short, long) = (read(&short), read(&long));
    assert_eq!(short.len(), long.len());
    for (short, long) in short.iter().zip(&long) {
        for (name, value) in short {
            let same = long.get(name).map_or("", String::as_str);
            assert_eq!(value, same, "{name}");
        }
    }
}

/// The names of the columns are the same in every form, and none is a word of SQL.
#[test]
fn columns_are_the_same_everywhere_and_no_words_of_sql() {
    let ledger = example("selfplay.jsonl");
    let record = example("overchess.npgn");
    let mut all = BTreeSet::new();
    for words in [
        ["convert", "--to", "games", &record],
        ["convert", "--to", "plies", &record],
        ["ledger", "--to", "games", &ledger],
        ["ledger", "--to", "plies", &ledger],
    ] {
        let csv = text(&[&words[..], &["--format", "csv"]].concat());
        let head = csv.lines().next().unwrap();
        let object: Map<String, Value> =
            serde_json::from_str(text(&words).lines().next().unwrap()).unwrap();
        let keys: BTreeSet<_> = object.keys().cloned().collect();
        let columns: BTreeSet<_> = head.split(',').map(str::to_owned).collect();
        assert_eq!(columns, keys, "{words:?}");
        // The tags of every record have the names that PGN gives them.
        let roster = ["Date", "Event", "Round", "Site"];
        all.extend(
            columns
                .into_iter()
                .filter(|name| !roster.contains(&name.as_str())),
        );
    }
    let short = text(&["ledger", "--to", "csv", &ledger]);
    all.extend(short.lines().next().unwrap().split(',').map(str::to_owned));
    let reserved: BTreeSet<_> = RESERVED.split_whitespace().collect();
    let words: Vec<_> = all
        .iter()
        .filter(|name| reserved.contains(name.to_ascii_lowercase().as_str()))
        .collect();
    assert!(words.is_empty(), "{words:?}");
}

/// One key joins tables of games and of plies, of several files and of a ledger.
#[test]
fn one_key_joins_the_tables() {
    let files = [
        example("history.pgn"),
        example("overchess.npgn"),
        example("olympic.npgn"),
    ];
    let from = |command: &'static str, to: &'static str| -> Vec<Value> {
        let ledger = [example("selfplay.jsonl")];
        let files = if command == "ledger" {
            &ledger[..]
        } else {
            &files
        };
        let paths = files.iter().map(String::as_str);
        rows(
            &[command, "--to", to]
                .into_iter()
                .chain(paths)
                .collect::<Vec<_>>(),
        )
    };
    for command in ["convert", "ledger"] {
        let mut acts: BTreeMap<(String, u64), u64> = BTreeMap::new();
        let key = |row: &Value| {
            let run = row["run"].as_str().unwrap().to_owned();
            (run, row["game"].as_u64().unwrap())
        };
        for row in from(command, "plies") {
            let made = row["act"].as_u64().unwrap();
            acts.insert(key(&row), made);
        }
        let games = from(command, "games");
        assert_eq!(games.len(), acts.len(), "{command}");
        for game in games {
            assert_eq!(
                Some(&game["acts"]),
                acts.get(&key(&game)).map(|acts| (*acts).into()).as_ref()
            );
        }
    }
    let first = &rows(&["convert", "--to", "games", &files[1], &files[2]])[1];
    assert_eq!(
        (&first["run"], &first["game"]),
        (&files[2].as_str().into(), &1.into())
    );
}

/// The clock of a match follows from the time control and the time of each ply.
#[test]
fn clocks_follow_from_the_times_of_plies() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (ledger, records) = (path("match.jsonl"), path("match.npgn"));
    let program = tool().get_program().to_str().unwrap().to_owned();
    let engine = |name: &str| {
        format!(
            "name={name} cmd='{program} serve --proto lines --player greedy' proto=lines tc=3/30+0.5"
        )
    };
    let (first, second) = (engine("A"), engine("B"));
    text(&[
        "match",
        "--engine",
        &first,
        "--engine",
        &second,
        "--pairs",
        "1",
        "--max-plies",
        "24",
        "--annotate",
        "time,depth",
        "--quiet",
        "--ledger",
        &ledger,
    ]);
    fs::write(&records, text(&["ledger", "--to", "npgn", &ledger])).unwrap();
    let plies = rows(&["ledger", "--to", "plies", &ledger]);
    assert_eq!(
        plies.iter().map(|row| &row["clock"]).collect::<Vec<_>>(),
        rows(&["convert", "--to", "plies", &records])
            .iter()
            .map(|row| &row["clock"])
            .collect::<Vec<_>>()
    );
    let mut left: BTreeMap<(u64, String), (f64, u32)> = BTreeMap::new();
    let mut shown = 0;
    for row in plies.iter().filter(|row| row["kind"] == "ply") {
        let key = (
            row["game"].as_u64().unwrap(),
            row["side"].as_str().unwrap().to_owned(),
        );
        let (clock, moves) = left.entry(key).or_insert((30.0, 0));
        let Some(seconds) = row["seconds"].as_f64() else {
            assert!(row["clock"].is_null(), "{row}");
            continue;
        };
        *moves += 1;
        *clock += 0.5 - seconds + if *moves % 3 == 0 { 30.0 } else { 0.0 };
        assert!(
            (row["clock"].as_f64().unwrap() - *clock).abs() < 1e-6,
            "{row}: {clock}"
        );
        shown += 1;
    }
    assert!(shown > 10, "{shown}");
}

/// Comments of other programs say the same, and a clock that is recorded is not computed.
#[test]
fn comments_of_programs_fill_columns() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.pgn");
    fs::write(
        &file,
        "[TimeControl \"60\"]\n\n1. e4 {+0.31/12 1.500s, n=9001} e5 {-M4/20 2s} 2. Nf3 {book} *\n\n\
         [TimeControl \"60\"]\n\n1. e4 {[%clk 0:00:50]} e5 {[%emt 0:00:03]} *\n",
    )
    .unwrap();
    let rows = rows(&["convert", "--to", "plies", file.to_str().unwrap()]);
    let said = |at: usize| SAID.map(|name| rows[at][name].clone());
    let null = Value::Null;
    assert_eq!(
        said(1),
        [
            0.31.into(),
            null.clone(),
            12.into(),
            9001.into(),
            1.5.into(),
            58.5.into()
        ]
    );
    assert_eq!(
        said(2),
        [
            null.clone(),
            2.into(),
            20.into(),
            null.clone(),
            2.0.into(),
            58.0.into()
        ]
    );
    assert!(said(3).iter().all(Value::is_null));
    assert_eq!(
        (&rows[6]["clock"], &rows[7]["clock"]),
        (&50.0.into(), &null)
    );
}

/// Tables of older versions have other names of columns, and the words of `[%eval]`.
#[test]
fn older_tables_are_read() {
    let json = "{\"game\":1,\"row\":0,\"kind\":\"start\",\"path\":\"\",\"ply\":0,\"at\":\"start\",\"eval\":null,\"by\":null}\n\
        {\"game\":1,\"row\":1,\"kind\":\"ply\",\"path\":\"\",\"ply\":1,\"san\":\"e4\",\"coord\":\"e2e4\",\"at\":\"1w\",\
        \"eval\":\"#3\",\"remarks\":\" {[%eval #3]}\"}\n\
        {\"game\":1,\"row\":2,\"kind\":\"end\",\"path\":\"\",\"ply\":1,\"result\":\"1-0\",\"by\":\"resignation\"}\n";
    let csv = "game,row,kind,path,ply,san,coord,at,eval,result,by,remarks,tags,own\n\
        1,0,start,,0,,,start,,,,,,x\n\
        1,1,ply,,1,e4,e2e4,1w,\"0.2,20\",,,,,y\n\
        1,2,end,,1,,,,,1-0,resignation,,,z\n";
    for table in [json, csv] {
        let text = piped(&["convert", "--from", "plies", "--to", "npgn"], table);
        assert!(
            text.contains("1. e4") && text.ends_with("1-0\n\n"),
            "{text}"
        );
    }
}

/// The number of legal plies is counted on request, as `stats` counts it.
#[test]
fn legal_plies_are_counted_on_request() {
    let folder = tempfile::tempdir().unwrap();
    for kind in KINDS {
        let [ledger, _] = played(folder.path(), kind);
        let unasked = rows(&["ledger", "--to", "plies", &ledger]);
        assert!(unasked.iter().all(|row| row["choices"].is_null()), "{kind}");
        let counted = rows(&["ledger", "--to", "plies", "--choices", &ledger]);
        let counts: Vec<f64> = counted
            .iter()
            .filter_map(|row| row["choices"].as_f64())
            .collect();
        let figures: Value = serde_json::from_str(&text(&["stats", "--json", &ledger])).unwrap();
        let mean = counts.iter().sum::<f64>() / counts.len() as f64;
        let expected = figures["choices"].as_f64().unwrap();
        assert!(
            (mean - expected).abs() < 1e-9 * expected,
            "{kind}: {mean} {expected}"
        );
    }
    let refused = overboard(&[
        "convert",
        "--to",
        "games",
        "--choices",
        &example("history.pgn"),
    ]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_form_of_rows_is_for_rows() {
    for words in [
        &["ledger", "--format", "csv"][..],
        &["convert", "--to", "npgn", "--format", "csv"],
    ] {
        let output = overboard(&[words, &[&example("selfplay.jsonl")]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("--to games"));
    }
    let parquet = overboard(&[
        "convert",
        "--to",
        "games",
        "--format",
        "parquet",
        &example("history.pgn"),
    ]);
    match parquet.status.code() {
        Some(0) => {
            assert!(parquet.stdout.starts_with(b"PAR1") && parquet.stdout.ends_with(b"PAR1"));
        }
        _ => assert!(String::from_utf8_lossy(&parquet.stderr).contains("--features parquet")),
    }
    assert!(Path::new(&example("selfplay.jsonl")).exists());
}

/// Whoever reads a table may have seen enough after its first lines.
#[test]
fn a_table_whose_reader_has_gone_ends_quietly() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let room = tempfile::tempdir().unwrap();
    let many = room.path().join("many.pgn");
    let few = fs::read(root.join("examples/history.pgn")).unwrap();
    fs::write(&many, few.repeat(200)).unwrap();
    for form in ["games", "plies"] {
        let mut child = tool()
            .args(["convert", "--to", form, "--format", "csv"])
            .arg(&many)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(
            (ended.status.code(), said.as_str()),
            (Some(0), ""),
            "{form}"
        );
    }
}
