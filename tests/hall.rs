//! A desk on screens, over HTTP: who may do and see what, and what becomes of requests that mean ill.

mod attacks;
pub mod round;

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;

const OVERBOARD: &str = env!("CARGO_BIN_EXE_overboard");

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    let patience = Some(Duration::from_secs(30));
    stream.set_read_timeout(patience).unwrap();
    stream
}

/// What comes back for these bytes until the connection ends: its status and its body.
fn raw(address: SocketAddr, request: &[u8]) -> (u16, String) {
    let mut stream = connect(address);
    // A desk may end a connection before it has heard all of a request.
    let _ = stream.write_all(request);
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status.unwrap_or(0), body.to_owned())
}

/// A desk that goes on until it is dropped.
pub struct Desk {
    child: Child,
    /// The links by whose they are.
    links: BTreeMap<String, String>,
    pub address: SocketAddr,
    folder: TempDir,
}

impl Desk {
    /// A desk for a new record with these options.
    pub fn begin(options: &[&str]) -> Self {
        Self::at(tempfile::tempdir().unwrap(), options)
    }

    fn at(folder: TempDir, options: &[&str]) -> Self {
        let mut child = Command::new(OVERBOARD)
            .arg("desk")
            .arg(folder.path().join("game.npgn"))
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut links = BTreeMap::new();
        loop {
            let mut line = String::new();
            out.read_line(&mut line).unwrap();
            let Some((who, link)) = line.trim_end().split_once(": http://") else {
                break;
            };
            links.insert(who.to_owned(), link.to_owned());
        }
        let address = links["Arbiter"].split('/').next().unwrap().parse().unwrap();
        Self {
            child,
            links,
            address,
            folder,
        }
    }

    /// Ends the desk by a kill and begins it again.
    fn again(mut self) -> Self {
        self.end();
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap());
        drop(self);
        Self::at(folder, &[])
    }

    fn end(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The record as it is when the desk has been ended.
    pub fn closed(&mut self) -> String {
        let id = Pid::from_raw(self.child.id().cast_signed());
        kill(id, Signal::SIGINT).unwrap();
        assert!(self.child.wait().unwrap().success());
        std::fs::read_to_string(self.record()).unwrap()
    }

    /// The journal.
    pub fn journal(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("game.npgn.desk")).unwrap()
    }

    pub fn record(&self) -> PathBuf {
        self.folder.path().join("game.npgn")
    }

    pub fn link(&self, who: &str) -> String {
        format!("http://{}", self.links[who])
    }

    pub fn token(&self, who: &str) -> &str {
        self.links[who].split_once("/#").unwrap().1
    }

    /// An open connection.
    pub fn connect(&self) -> TcpStream {
        connect(self.address)
    }

    /// What comes back for these bytes until the connection ends: its status and its body.
    pub fn raw(&self, request: &[u8]) -> (u16, String) {
        raw(self.address, request)
    }

    /// The head of a request by somebody, without the blank line after it.
    pub fn head(&self, method: &str, path: &str, who: &str) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n",
            self.address,
            self.token(who)
        )
    }

    /// Sends a message as somebody, as this act of a page.
    pub fn send(&self, who: &str, act: &str, message: &Value) -> (u16, Value) {
        let body = message.to_string();
        let head = self.head("POST", "/acts", who);
        let length = body.len();
        let request =
            format!("{head}overboard-act: {act}\r\ncontent-length: {length}\r\n\r\n{body}");
        let (status, body) = self.raw(request.as_bytes());
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    pub fn play(&self, who: &str, act: &str, ply: &str) -> (u16, Value) {
        self.send(who, act, &json!({"type": "play", "plies": [ply]}))
    }

    /// What somebody's screen hears first: whose it is, and the game.
    pub fn watch(&self, who: &str) -> (Value, Value) {
        let mut watch = Watch::of(self, who);
        (watch.next(), watch.next())
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.end();
    }
}

/// A screen that follows the game.
pub struct Watch(BufReader<TcpStream>);

impl Watch {
    pub fn of(desk: &Desk, who: &str) -> Self {
        let mut stream = desk.connect();
        let head = desk.head("GET", "/watch", who);
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        let mut lines = BufReader::new(stream);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            assert!(
                lines.read_line(&mut line).unwrap() > 0,
                "no screen for {who}"
            );
        }
        Self(lines)
    }

    /// The next message.
    pub fn next(&mut self) -> Value {
        loop {
            let mut line = String::new();
            assert!(
                self.0.read_line(&mut line).unwrap() > 0,
                "the desk has ended"
            );
            // Between the messages stand the sizes of their chunks.
            if line.starts_with('{') {
                return serde_json::from_str(&line).unwrap();
            }
        }
    }
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// Waits until a record has this in it: the file is written a moment after an act, the journal before it is answered.
fn written(desk: &Desk, part: &str) {
    let begun = Instant::now();
    while !text(&desk.record()).contains(part) {
        assert!(begun.elapsed() < Duration::from_secs(10), "no {part}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

const OVER: [&str; 6] = ["--variant", "overchess", "--white", "Ann", "--black", "Bob"];

#[test]
fn players_do_what_is_theirs_and_everybody_sees_it() {
    let desk = Desk::begin(&OVER);
    let mut screen = Watch::of(&desk, "Spectators");
    assert_eq!(screen.next()["you"]["role"], "spectator");
    assert_eq!(screen.next()["whole"]["now"]["due"][0]["seat"], "W");

    let (status, answer) = desk.play("Ann (White)", "firstpage 1", "e4");
    assert_eq!((status, &answer["type"]), (200, &json!("played")));
    written(&desk, "1. e4 *");
    let change = &screen.next()["change"];
    assert_eq!(change["now"]["is"]["due"][0]["names"], json!(["Bob"]));
    assert_eq!(change["record"]["add"].as_str().unwrap().trim(), "1. e4 *");

    // Neither for somebody else, nor by saying to be somebody else, nor by looking on.
    let (status, answer) = desk.play("Ann (White)", "firstpage 2", "e5");
    assert_eq!((status, &answer["code"]), (200, &json!("not-allowed")));
    let other = json!({"type": "play", "plies": ["e5"], "by": "Bob"});
    let (_, answer) = desk.send("Ann (White)", "firstpage 3", &other);
    assert_eq!(answer["code"], "not-allowed");
    for message in [
        json!({"type": "play", "plies": ["e5"]}),
        json!({"type": "typed", "line": "resign B"}),
        json!({"type": "text"}),
        json!({"type": "undo"}),
    ] {
        let (status, _) = desk.send("Spectators", "otherpage 1", &message);
        assert_eq!(status, 403, "{message}");
    }
    let (status, _) = desk.send("Arbiter", "otherpage 1", &json!({"type": "quit"}));
    assert_eq!(status, 403);

    // The arbiter speaks as in a terminal, also for a player.
    let typed = json!({"type": "typed", "line": "by Bob d5"});
    let (_, answer) = desk.send("Arbiter", "arbiterpage 1", &typed);
    assert_eq!(answer["san"], json!(["d5"]));
    let typed = json!({"type": "typed", "line": "undo 2"});
    let (_, answer) = desk.send("Arbiter", "arbiterpage 2", &typed);
    assert_eq!(answer["type"], "played");
    written(&desk, "\n\n*");
}

#[test]
fn an_illegal_move_waits_for_the_arbiter() {
    let desk = Desk::begin(&OVER);
    let mut arbiter = Watch::of(&desk, "Arbiter");
    let mut player = Watch::of(&desk, "Bob (Black)");
    for screen in [&mut arbiter, &mut player] {
        screen.next();
        assert!(screen.next()["whole"]["now"]["pending"].is_null());
    }
    let (_, answer) = desk.play("Ann (White)", "firstpage 1", "Ke3");
    assert_eq!(answer["recordable"], true);
    let pending = &arbiter.next()["change"]["now"]["is"]["pending"];
    assert_eq!(*pending, "Ke3");
    let (_, answer) = desk.send("Arbiter", "arbiterpage 1", &json!({"type": "record"}));
    assert_eq!(answer["type"], "played");
    written(&desk, "[%illegal Ke3]");
    // The player's screen has heard of nothing before.
    assert!(
        player.next()["change"]["record"]["add"]
            .as_str()
            .unwrap()
            .contains("[%illegal Ke3]")
    );
}

#[test]
fn links_go_on_after_a_kill() {
    let desk = Desk::begin(&OVER);
    desk.play("Ann (White)", "firstpage 1", "e4");
    let before = desk.links.clone();
    let desk = desk.again();
    assert_eq!(desk.links, before);
    let (_, whole) = desk.watch("Ann (White)");
    assert!(whole["whole"]["record"].as_str().unwrap().contains("1. e4"));
}

/// Instructions of captains and votes of councils are for their own side; nothing of them is on the wire of the others.
#[test]
fn hidden_is_hidden() {
    let desk = Desk::begin(&[
        "--variant",
        "strategichess",
        "--boards",
        "2",
        "--white",
        "Ann:Cy",
        "--black",
        "Bob:Di",
        "--tag",
        "WhiteCaptain=Ann",
        "--tag",
        "BlackCaptain=Bob",
    ]);
    let mut screens = ["Arbiter", "Cy (White)", "Di (Black)", "Spectators"].map(|who| {
        let mut screen = Watch::of(&desk, who);
        screen.next();
        screen.next();
        screen
    });
    let order = json!({"type": "typed", "line": "order W Team Player \"Cy\" send Rook to Team Player \"Ann\"."});
    let (_, answer) = desk.send("Ann (White)", "captainpage 1", &order);
    assert_eq!(answer["type"], "played", "{answer}");
    let comment = json!({"type": "comment", "text": "beware of a zwischenzug"});
    desk.send("Cy (White)", "cyspage1 1", &comment);
    desk.play("Arbiter", "arbiterpage 1", "A:a5");
    for (at, screen) in screens.iter_mut().enumerate() {
        let mut heard = String::new();
        while !heard.contains("1A. a5") {
            heard += &screen.next().to_string();
        }
        assert_eq!(heard.contains("%order"), at < 2, "{at}: {heard}");
        assert!(!heard.contains("zwischenzug"), "{at}: {heard}");
    }
    // When the game is over, everybody may know.
    let end = json!({"type": "typed", "line": "result 1-0 adjudication"});
    desk.send("Arbiter", "arbiterpage 2", &end);
    for screen in &mut screens {
        let mut heard = String::new();
        while !heard.contains("zwischenzug") {
            heard += &screen.next().to_string();
        }
    }
    let (_, whole) = desk.watch("Spectators");
    assert!(
        whole["whole"]["record"]
            .as_str()
            .unwrap()
            .contains("%order")
    );
}
