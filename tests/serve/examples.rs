//! The engines of `examples/engines/`, which need Python.

use crate::run::printed;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

const PYTHON: &str = "python3";

/// The path of an example if Python is installed; otherwise a message says that the test is skipped.
fn example(name: &str) -> Option<PathBuf> {
    let there = Command::new(PYTHON)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("left out: there is no {PYTHON} for examples/engines/{name}");
        return None;
    }
    Some(
        [
            env!("CARGO_MANIFEST_DIR"),
            "..",
            "examples",
            "engines",
            name,
        ]
        .iter()
        .collect(),
    )
}

/// A program that speaks the protocol of lines.
struct Speaker {
    child: Child,
    from: BufReader<std::process::ChildStdout>,
}

impl Speaker {
    fn of(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        Self { child, from }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, message: &Value) -> Value {
        self.send(message);
        let mut line = String::new();
        assert!(self.from.read_line(&mut line).unwrap() > 0, "{message}");
        serde_json::from_str(&line).unwrap()
    }

    fn quit(mut self) {
        self.send(&json!({"type": "quit"}));
        assert!(self.child.wait().unwrap().success());
    }
}

/// Games longer than this many plies are abandoned.
const MOST: usize = 400;

#[test]
fn an_engine_without_rules_plays_every_game() {
    let Some(forward) = example("forward.py") else {
        return;
    };
    assert!(std::fs::read_to_string(&forward).unwrap().lines().count() < 80);
    let mut engine = Speaker::of(Command::new(PYTHON).arg(forward));
    let mut board = Speaker::of(crate::run::tool().args(["serve", "--proto", "lines"]));
    let hello = engine.ask(&json!({"type": "hello", "protocol": 1}));
    assert_eq!(
        (&hello["protocol"], &hello["legal"]),
        (&json!(1), &json!(true))
    );
    for game in [
        json!({"type": "game", "variant": "mega-chess", "level": 1}),
        json!({"type": "game", "variant": "strategichess", "boards": 3}),
        json!({"type": "game", "variant": "overchess", "rules": "prisoners:consolidation:reserves=team/2P1N/3P"}),
        json!({"type": "game", "variant": "overchess"}),
        json!({"type": "game", "variant": "olympic"}),
    ] {
        let ready = board.ask(&game);
        let game = if ready["type"] == "ready" {
            game
        } else {
            panic!("{game}: {ready}")
        };
        assert_eq!(engine.ask(&game), json!({"type": "ready"}));
        let mut made = 0;
        while made < MOST {
            let position = board.ask(&json!({"type": "position"}));
            let Some(seat) = position.get("seat") else {
                break;
            };
            let legal = board.ask(&json!({"type": "legal"}));
            let chosen = engine.ask(&json!({"type": "go", "seat": seat, "legal": legal["plies"]}));
            let played = board.ask(&json!({"type": "play", "plies": chosen["plies"]}));
            assert_eq!(played["type"], "played", "{chosen}: {played}");
            engine.send(&json!({"type": "moves", "plies": chosen["plies"]}));
            made += 1;
        }
        assert!(made > 5, "{game}");
    }
    engine.quit();
    board.quit();
}

#[test]
fn a_program_without_rules_drives_every_game() {
    let Some(driver) = example("driver.py") else {
        return;
    };
    for (variant, agreed) in [
        ("overchess", "{}"),
        ("strategichess", "{\"boards\": 2}"),
        ("mega-chess", "{\"level\": 2}"),
    ] {
        let mut command = Command::new(PYTHON);
        let output = command
            .arg(&driver)
            .args([env!("CARGO_BIN_EXE_overboard"), variant, agreed, "60"])
            .output()
            .unwrap();
        let (text, code) = printed(&output);
        assert_eq!(
            (code, text.lines().count()),
            (0, 3),
            "{text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(text.contains("60 plies, not over"), "{text}");
    }
    let mut command = Command::new(PYTHON);
    let output = command
        .arg(&driver)
        .args([env!("CARGO_BIN_EXE_overboard"), "checkers"])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("unknown game `checkers`"));
}
