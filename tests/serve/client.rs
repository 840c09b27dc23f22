//! A client of a server that runs on a thread of its own.

use overboard_engines::serve::{Host, Out};
use serde_json::Value;
use std::{
    io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write},
    thread::{self, JoinHandle},
};

/// A conversation with a server.
pub struct Client {
    to: Option<PipeWriter>,
    from: BufReader<PipeReader>,
    server: JoinHandle<io::Result<()>>,
}

/// A function that serves one of the protocols.
pub type Protocol = fn(BufReader<PipeReader>, &Out, Host) -> io::Result<()>;

impl Client {
    /// Starts a conversation with a server that plays as this player, with this seed.
    pub fn of(protocol: Protocol, player: &str, seed: u64) -> Self {
        let (input, to) = io::pipe().unwrap();
        let (from, output) = io::pipe().unwrap();
        let spec = (!player.is_empty()).then(|| player.parse().unwrap());
        let server = thread::spawn(move || {
            protocol(BufReader::new(input), &Out::to(output), Host { spec, seed })
        });
        Self {
            to: Some(to),
            from: BufReader::new(from),
            server,
        }
    }

    pub fn say(&mut self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.to.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// The next line.
    pub fn hear(&mut self) -> String {
        let mut line = String::new();
        assert!(
            self.from.read_line(&mut line).unwrap() > 0,
            "the server is gone"
        );
        line.trim_end().into()
    }

    /// The next line that begins with this text.
    pub fn await_line(&mut self, start: &str) -> String {
        loop {
            let line = self.hear();
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Sends a message of the protocol of lines.
    pub fn send(&mut self, message: &Value) {
        self.say(&message.to_string());
    }

    /// The next message of the protocol of lines, other than `info`.
    pub fn receive(&mut self) -> Value {
        loop {
            let message: Value = serde_json::from_str(&self.hear()).unwrap();
            if message["type"] != "info" {
                return message;
            }
        }
    }

    /// Sends a message and returns the answer.
    pub fn ask(&mut self, message: &Value) -> Value {
        self.send(message);
        self.receive()
    }

    /// Ends the conversation. Returns the lines that were not read yet.
    pub fn close(mut self) -> String {
        self.to = None;
        let rest = io::read_to_string(&mut self.from).unwrap();
        self.server.join().unwrap().unwrap();
        rest
    }
}
