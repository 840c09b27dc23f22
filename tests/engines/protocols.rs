//! How games between engines run: clocks, adjudications, openings, engine files, and engines against built-in
//! players.

use super::{clean, complete, engine, games, play};
use crate::run::{overboard, printed, tool};
use std::{fs, process::Command};

#[test]
fn engines_with_separate_clocks_meet_built_in_players() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger");
    let engines = [
        engine("A", "mode=none", "tc=40/60+0.5"),
        engine("B", "mode=none", "st=5 depth=3"),
    ];
    let words = [
        "--player",
        "greedy",
        "--schedule",
        "gauntlet",
        "--pairs",
        "2",
        "--max-plies",
        "30",
        "-j",
        "2",
    ];
    let ran = play(&words, &engines, &ledger);
    assert_eq!(
        (ran.games.len(), ran.output.status.code()),
        (8, Some(0)),
        "{}",
        ran.text()
    );
    let text = ran.text();
    assert!(
        text.contains("A (Fault): no fault; replies without search: median "),
        "{text}"
    );
    assert!(
        text.contains("A against B: ") && text.contains("A against greedy: "),
        "{text}"
    );
    for game in &ran.games {
        assert_eq!(game["timed"], true);
        let (book, plies) = (
            game["book"].as_u64().unwrap() as usize,
            game["plies"].as_u64().unwrap() as usize,
        );
        for (list, of_all) in [
            ("score", false),
            ("depth", false),
            ("nodes", false),
            ("time", true),
        ] {
            let list = game[list].as_array().unwrap();
            assert_eq!(list.len(), plies);
            assert!(list[..book].iter().all(serde_json::Value::is_null));
            let reported = list[book..].iter().filter(|item| item.is_number()).count();
            assert!(
                if of_all {
                    reported == plies - book
                } else {
                    reported >= (plies - book) / 2
                },
                "{game}"
            );
        }
    }
    let (all, none) = printed(&overboard(&[
        "ledger",
        "--no-replay",
        ledger.to_str().unwrap(),
    ]));
    assert_eq!(none, 0, "{all}");
}

#[test]
fn games_are_adjudicated_by_the_scores_of_their_players() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger");
    let engines = [
        engine("A", "mode=none", "nodes=5"),
        engine("B", "mode=none", "nodes=5"),
    ];
    // These engines evaluate every position as level to within a few hundredths of a pawn.
    let words = [
        "--pairs",
        "2",
        "--random-plies",
        "2",
        "--draw-when",
        "move=5 count=3 score=10",
    ];
    let ran = play(&words, &engines, &ledger);
    assert_eq!(ran.output.status.code(), Some(0), "{}", ran.text());
    assert!(
        ran.games
            .iter()
            .all(|game| game["termination"] == "adjudication" && game["result"] == "1/2-1/2")
    );
    assert!(
        ran.games.iter().all(|game| game["plies"] == 10),
        "{:?}",
        ran.games[0]
    );
    let record = overboard(&["ledger", "--to", "npgn", ledger.to_str().unwrap()]);
    let file = folder.path().join("games.npgn");
    fs::write(&file, record.stdout).unwrap();
    let (text, exit) = printed(&overboard(&["check", file.to_str().unwrap()]));
    assert_eq!(exit, 0, "{text}");
}

#[test]
fn games_ended_by_a_fault_are_read_checked_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger");
    for does in ["mode=illegal at=4", "mode=exits at=4", "mode=hangs at=4"] {
        let _ = fs::remove_file(&ledger);
        let bad = engine("Bad", does, "st=0.1");
        let ran = play(
            &["--pairs", "1", "-j", "1"],
            &[bad, engine("Good", "mode=none", "st=5")],
            &ledger,
        );
        assert_eq!(ran.output.status.code(), Some(1), "{}", ran.text());
        let (text, exit) = printed(&overboard(&["ledger", ledger.to_str().unwrap()]));
        assert_eq!(exit, 0, "{text}");
        assert!(text.contains("Bad (Fault): at fault: "), "{text}");
        let record = overboard(&["ledger", "--to", "npgn", ledger.to_str().unwrap()]);
        let file = folder.path().join("games.npgn");
        fs::write(&file, record.stdout).unwrap();
        let (text, exit) = printed(&overboard(&["check", file.to_str().unwrap()]));
        assert_eq!(exit, 0, "{text}");
        let (text, exit) = printed(&overboard(&["stats", ledger.to_str().unwrap()]));
        assert_eq!(exit, 0, "{text}");
    }
}

#[test]
fn engines_are_listed_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (file, ledger) = (
        folder.path().join("field.toml"),
        folder.path().join("ledger"),
    );
    let command = super::faults::command("mode=none");
    let text = format!(
        "[[engine]]\nname = \"A\"\ncmd = '''{command}'''\nnodes = 5\n[engine.option]\nHash = 2\n\n\
         [[engine]]\nname = \"B\"\ncmd = '''{command}'''\nnodes = 5\nrestart = true\n"
    );
    fs::write(&file, text).unwrap();
    let mut run = tool();
    run.args(["match", "--pairs", "2", "--max-plies", "30", "--engines"])
        .arg(&file)
        .arg("--ledger")
        .arg(&ledger);
    let output = run.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(games(&ledger).len(), 4);
    let manifest = &games(&ledger)[0]["manifest"];
    assert_eq!(manifest["engines"][0]["option"][0][1], "2");
    assert_eq!(manifest["engines"][1]["restart"], true);
}

/// `--each` goes into the manifest, and `--dialogue` has every move of the engines, in order.
#[test]
fn what_is_said_is_written_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let (ledger, said) = (folder.path().join("ledger"), folder.path().join("said.txt"));
    let engines = ["One", "Other"].map(|name| engine(name, "mode=none", ""));
    let said = said.to_str().unwrap();
    let each = ["--each", "nodes=5 option.Hash=2", "--dialogue", said];
    let words = [&["--pairs", "2", "--max-plies", "30", "-j", "1"], &each[..]].concat();
    let ran = play(&words, &engines, &ledger);
    assert!(ran.output.status.success(), "{}", ran.text());
    assert_eq!(ran.games[0]["manifest"]["engines"][1]["option"][0][1], "2");
    let moves = ran.games.iter().flat_map(|game| {
        let book = game["book"].as_u64().unwrap() as usize;
        let moves = game["moves"].as_str().unwrap().split(' ');
        moves.skip(book).map(str::to_owned)
    });
    let text = fs::read_to_string(said).unwrap();
    let answers = text.lines().filter_map(|line| {
        let answer = line.split(" < bestmove ").nth(1)?;
        answer.split(' ').next().map(str::to_owned)
    });
    assert_eq!(answers.collect::<Vec<_>>(), moves.collect::<Vec<_>>());
    // Each engine is started once for its name, and once to play.
    let greetings = text.lines().filter(|line| line.ends_with("One#1 > uci"));
    assert_eq!(greetings.count(), 2, "{text}");
    for line in [
        "One#1 > uci",
        "Other#2 < uciok",
        " > setoption name Hash value 2",
    ] {
        assert!(
            text.lines().any(|other| other.ends_with(line)),
            "{line}\n{text}"
        );
    }
    let refused = tool()
        .args([
            "match",
            "--player",
            "random",
            "--pairs",
            "1",
            "--dialogue",
            said,
        ])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn the_protocol_of_lines_supports_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let own = |seed: u32| {
        let program = env!("CARGO_BIN_EXE_overboard");
        format!(
            "name=own{seed} cmd='{program} serve --proto lines --player random --seed {seed}' proto=lines st=10"
        )
    };
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/engines/forward.py"
    );
    let has_python = Command::new("python3")
        .arg("--version")
        .output()
        .is_ok_and(|said| said.status.success());
    let forward = format!("name=forward cmd='python3 {example}' proto=lines st=10");
    if !has_python {
        eprintln!("left out: there is no python3 for examples/engines/forward.py");
    }
    let engines = [own(1), if has_python { forward } else { own(2) }];
    let games: [&[&str]; 4] = [
        &["--variant", "mega-chess", "--max-plies", "60"],
        &[
            "--variant",
            "recursive",
            "--level",
            "2",
            "--max-plies",
            "80",
        ],
        &[
            "--variant",
            "strategichess",
            "--boards",
            "3",
            "--max-plies",
            "120",
        ],
        &[
            "--variant",
            "overchess",
            "--rules",
            "depth=2:fog:prisoners:consolidation",
            "--max-plies",
            "160",
        ],
    ];
    for (nth, game) in games.into_iter().enumerate() {
        let ledger = folder.path().join(format!("ledger{nth}"));
        clean(
            &play(&[game, &["--games", "2"]].concat(), &engines, &ledger),
            2,
            &ledger,
        );
    }
}

/// Announces the fool's mate only after the next game has begun; in CECP without `ping`.
const LATE_CLAIM: &str = r#"
answer() {
  case $n in
    0) echo move f2f3 ;;
    1) echo move e7e5 ;;
    2) echo move g2g4 ;;
    3) echo move d8h4; late='0-1 {Black mates}' ;;
  esac
  n=$((n + 1))
}
while read -r line; do
  case $line in
    protover*) echo 'feature usermove=1 setboard=1 done=1' ;;
    new) n=0; forced=0; test -z "$late" || echo "$late"; late= ;;
    force) forced=1 ;;
    go) forced=0; answer ;;
    usermove*) n=$((n + 1)); test $forced = 1 || answer ;;
    quit) exit ;;
  esac
done
"#;

/// Complains about the end of a game only when it receives the next message; in the protocol of lines.
const LATE_ERROR: &str = r#"
complain() { test -z "$late" || echo '{"type":"error","code":"out-of-turn","words":"over? I had a plan"}'; late=; }
while read -r line; do
  case $line in
    *'"type":"hello"'*) echo '{"type":"hello","protocol":1,"name":"Late"}' ;;
    *'"type":"ping"'*) complain; number=${line##*:}; echo "{\"type\":\"pong\",\"number\":$number" ;;
    *'"type":"game"'*) complain; n=0; echo '{"type":"ready"}' ;;
    *'"type":"go"'*'"W"'*) test $n = 0 && ply=f2f3 || ply=g2g4 ;;
    *'"type":"go"'*) test $n = 0 && ply=e7e5 || ply=d8h4 ;;
    *'"type":"over"'*) late=1 ;;
    *'"type":"quit"'*) exit ;;
  esac
  case $line in *'"type":"go"'*) n=$((n + 1)); echo "{\"type\":\"play\",\"plies\":[\"$ply\"]}" ;; esac
done
"#;

#[test]
fn a_late_message_does_not_concern_the_next_game() {
    let folder = tempfile::tempdir().unwrap();
    for (proto, text) in [("cecp", LATE_CLAIM), ("lines", LATE_ERROR)] {
        let (program, ledger) = (
            folder.path().join(format!("{proto}.sh")),
            folder.path().join(proto),
        );
        fs::write(&program, text).unwrap();
        let engine = |name| {
            format!(
                "name={name} cmd='sh {}' proto={proto} st=10",
                program.display()
            )
        };
        let words = ["--games", "4", "--random-plies", "0", "-j", "1"];
        let ran = play(&words, &[engine("A"), engine("B")], &ledger);
        clean(&ran, 4, &ledger);
        assert!(
            ran.games
                .iter()
                .all(|game| game["termination"] == "checkmate"),
            "{}",
            ran.text()
        );
    }
}

/// Plays the first legal ply; when it is first asked for a ply inside a block, it does `$1`.
const INSIDE: &str = r#"
while read -r line; do
  case $line in
    *'"type":"hello"'*) echo '{"type":"hello","protocol":1,"name":"Inside","legal":true}' ;;
    *'"type":"ping"'*) number=${line##*:}; echo "{\"type\":\"pong\",\"number\":$number" ;;
    *'"type":"game"'*) echo '{"type":"ready"}' ;;
    *'"type":"go"'*)
      ply=${line##*\"legal\":[\"}; ply=${ply%%\"*}
      case $ply in *.*) case $1 in
        illegal) ply=${ply%%.*}.a1a1 ;;
        exits) exit 3 ;;
        hangs) sleep 60 ;;
        resigns) echo '{"type":"resign"}'; continue ;;
        claims) echo '{"type":"claim","claim":"progress"}'; continue ;;
      esac ;; esac
      echo "{\"type\":\"play\",\"plies\":[\"$ply\"]}" ;;
    *'"type":"quit"'*) exit ;;
  esac
done
"#;

#[test]
fn a_game_that_is_forfeited_inside_a_block_is_a_clean_record() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("inside.sh");
    fs::write(&program, INSIDE).unwrap();
    for (does, ends) in [
        ("illegal", "illegal-move"),
        ("exits", "crash"),
        ("hangs", "stall"),
        ("resigns", "resignation"),
        ("claims", "wrong-claim"),
    ] {
        let ledger = folder.path().join(does);
        let engine = format!(
            "name=Inside cmd='sh {} {does}' proto=lines st=0.3 margin=2",
            program.display()
        );
        let words = [
            "--variant",
            "overchess",
            "--player",
            "greedy",
            "--games",
            "2",
        ];
        let ran = play(&words, &[engine], &ledger);
        complete(&ran, 2, &ledger);
        for game in &ran.games {
            assert_eq!(game["termination"], ends, "{game}");
            assert!(
                game["moves"].as_str().unwrap().contains('.'),
                "it ended outside a block: {game}"
            );
        }
    }
}
