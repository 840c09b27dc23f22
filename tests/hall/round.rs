//! A desk for each game of a round, until the results are in the event.

use super::{OVERBOARD, raw};
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

/// Runs a command of the program in a folder.
pub fn run(folder: &Path, words: &[&str]) -> String {
    let done = Command::new(OVERBOARD)
        .args(words)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{words:?}: {text}");
    text
}

/// The desks of a round, until they are dropped.
pub struct Desks {
    child: Child,
    tables: Vec<Table>,
}

/// What stands before the links of a game, and the links by whose they are.
type Table = (String, Vec<(String, String)>);

impl Drop for Desks {
    fn drop(&mut self) {
        // They may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Desks {
    pub fn begin(folder: &Path, options: &[&str]) -> Self {
        let mut child = Command::new(OVERBOARD)
            .args(["desk", "round1", "--event", "cup"])
            .args(options)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let mut tables: Vec<Table> = Vec::new();
        for line in out.lines() {
            let line = line.unwrap();
            if line.starts_with("Ctrl-C") {
                break;
            }
            match (line.trim().split_once(": http://"), tables.last_mut()) {
                (Some((who, link)), Some((_, links))) => links.push((who.into(), link.into())),
                _ => tables.push((line, Vec::new())),
            }
        }
        // The last line says where all links are.
        tables.pop();
        Self { child, tables }
    }

    /// Somebody's link at a table.
    pub fn link(&self, table: usize, who: &str) -> String {
        let links = &self.tables[table].1;
        let (_, link) = links.iter().find(|(whose, _)| whose == who).unwrap();
        format!("http://{link}")
    }

    /// Sends a message to the desk of a table as somebody, as this act of a page.
    fn send(&self, table: usize, who: &str, act: &str, message: &Value) -> Value {
        let link = self.link(table, who);
        let (host, token) = link["http://".len()..].split_once("/#").unwrap();
        let body = message.to_string();
        let request = format!(
            "POST /acts HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\noverboard-act: {act}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let (_, body) = raw(host.parse().unwrap(), request.as_bytes());
        serde_json::from_str(&body).unwrap()
    }
}

/// An event of four teams, with a round that is paired.
fn two_matches(at: &Path) {
    let teams = [
        ("Leeds", "Ann;Bob"),
        ("York", "Cy;Di"),
        ("Hull", "Ed;Flo"),
        ("Bath", "Gus;Hal"),
    ];
    let new = [
        "event",
        "new",
        "cup",
        "--game",
        "strategichess",
        "--boards",
        "2",
    ];
    run(at, &new);
    run(at, &["event", "set", "cup", "time-control", "3600+30"]);
    for (team, players) in teams {
        run(at, &["event", "enter", "cup", team, "--players", players]);
    }
    run(at, &["pair", "next", "cup"]);
}

/// From the pairing to the published page, without a record by hand: two matches on linked boards.
#[test]
fn a_round_is_played_at_desks_and_its_results_are_entered() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    two_matches(at);
    let desks = Desks::begin(at, &["--publish", "site"]);
    let titles: Vec<&str> = desks.tables.iter().map(|(title, _)| &**title).collect();
    assert_eq!(
        titles,
        [
            "round1/table-1.npgn: Leeds – Bath",
            "round1/table-2.npgn: York – Hull"
        ]
    );
    let named: Vec<&str> = desks.tables[0].1.iter().map(|(who, _)| &**who).collect();
    assert_eq!(
        named,
        [
            "Arbiter",
            "Ann (White)",
            "Bob (White)",
            "Gus (Black)",
            "Hal (Black)",
            "Spectators"
        ]
    );
    let all = fs::read_to_string(at.join("round1/links.html")).unwrap();
    for (_, links) in &desks.tables {
        for (_, link) in links {
            assert!(all.contains(link), "{link}");
        }
    }
    let record = fs::read_to_string(at.join("round1/table-2.npgn")).unwrap();
    assert!(record.contains("[TimeControl \"3600+30\"]"), "{record}");
    let enter = json!({"type": "enter"});
    let early = desks.send(0, "Arbiter", "arbiterpage 1", &enter);
    assert_eq!(early["words"], "the game is not over");
    let plays = json!({"type": "play", "plies": ["A:a5"]});
    let played = desks.send(0, "Ann (White)", "annspage1 1", &plays);
    assert_eq!(played["type"], "played", "{played}");
    // Nobody but the arbiter.
    let refused = desks.send(0, "Ann (White)", "annspage1 2", &enter);
    assert_eq!(refused["type"], "error", "{refused}");
    for (table, words) in [(0, "resign B"), (1, "result 1/2-1/2 adjudication")] {
        let line = json!({"type": "typed", "line": words});
        let ended = desks.send(table, "Arbiter", "arbiterpage 2", &line);
        assert_eq!(ended["type"], "played", "{ended}");
        let entered = desks.send(table, "Arbiter", "arbiterpage 3", &enter);
        assert_eq!(entered["type"], "notice", "{entered}");
    }
    let standings = run(at, &["standings", "cup", "--to", "csv"]);
    assert!(standings.contains("Leeds"), "{standings}");
    let round = run(at, &["pair", "show", "cup", "--to", "csv"]);
    assert!(
        round.contains("1-0") && round.contains("1/2-1/2"),
        "{round}"
    );
    let games = ["game-01-1.html", "game-01-2.html", "index.html"];
    for page in games {
        assert!(at.join("site").join(page).exists(), "{page}");
    }
    // The same links go on.
    let before = desks.tables.clone();
    drop(desks);
    let desks = Desks::begin(at, &[]);
    assert_eq!(desks.tables, before);
}
