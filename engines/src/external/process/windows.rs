//! A process on Windows, where reading from a pipe has no deadline: threads read and write, and pass lines on.

use super::{Command, Fate, Partner, Patience, Silence, environment, lines::Lines, orphans};
use crate::external::transcript::{Said, Transcript};
use std::{
    collections::VecDeque,
    io::{self, ErrorKind, Read, Write},
    process::{self, Child, ChildStderr, ChildStdin, ChildStdout, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::{Duration, Instant},
};

/// The most lines that wait in a queue; an engine that writes more has to wait.
const QUEUE: usize = 64;

/// A line of an engine.
#[derive(Debug)]
struct Line {
    text: Vec<u8>,
    arrived: Instant,
}

/// A running program, whose standard streams are ours.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// What is to be written. Its thread sends an empty message for each text that it has written.
    input: SyncSender<String>,
    written: Receiver<()>,
    /// Whether a text has been sent that is not written yet.
    writes: bool,
    output: Receiver<Line>,
    errors: Receiver<Vec<u8>>,
    /// Lines that were taken from `output` before they were asked for.
    early: VecDeque<Line>,
    /// The current line.
    line: Vec<u8>,
    has_ended: bool,
    /// The last lines.
    pub transcript: Transcript,
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// Why it cannot be started.
    pub fn start(command: &Command<'_>) -> io::Result<Self> {
        let Some((program, rest)) = command.words.split_first() else {
            return Err(ErrorKind::InvalidInput.into());
        };
        command.setting.check()?;
        let mut started = process::Command::new(program);
        started.args(rest);
        if let Some(folder) = command.folder {
            started.current_dir(folder);
        }
        started
            .env_clear()
            .envs(environment(command.variables))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = orphans::spawn(&mut started)?;
        let (input, texts) = sync_channel(1);
        let (has_written, written) = sync_channel(1);
        let (has_read, output) = sync_channel(QUEUE);
        let (has_complained, errors) = sync_channel(QUEUE);
        if let Some(pipe) = child.stdin.take() {
            thread::Builder::new().spawn(move || write_texts(&texts, pipe, &has_written))?;
        }
        if let Some(pipe) = child.stdout.take() {
            thread::Builder::new().spawn(move || read_lines(pipe, &has_read))?;
        }
        if let Some(pipe) = child.stderr.take() {
            thread::Builder::new().spawn(move || read_errors(pipe, &has_complained))?;
        }
        Ok(Self {
            child,
            input,
            written,
            writes: false,
            output,
            errors,
            early: VecDeque::new(),
            line: Vec::new(),
            has_ended: false,
            transcript: Transcript::default(),
        })
    }

    /// Waits until everything is written.
    fn finish_writing(&mut self, patience: Patience<'_>) -> Result<(), Silence> {
        while self.writes {
            match self.written.recv_timeout(patience.left()?) {
                Ok(()) => self.writes = false,
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
                // It may not read before somebody reads what it writes.
                Err(RecvTimeoutError::Timeout) => self.take_early(),
            }
        }
        Ok(())
    }

    /// Takes lines out of the queue, and keeps the last ones.
    fn take_early(&mut self) {
        for line in self.output.try_iter().take(QUEUE) {
            if self.early.len() == QUEUE {
                self.early.pop_front();
            }
            self.early.push_back(line);
        }
    }

    /// Waits for a line.
    fn wait(&mut self, patience: Patience<'_>) -> Result<Line, Silence> {
        loop {
            let received = self.output.recv_timeout(patience.left()?);
            self.take_aside();
            match received {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
                // Another process may keep its output open after its end.
                Err(RecvTimeoutError::Timeout) if self.has_ended_itself() => {
                    return Err(Silence::Ended);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Keeps some of what was written to standard error.
    fn take_aside(&mut self) {
        for bytes in self.errors.try_iter().take(QUEUE) {
            self.transcript.take_aside(&bytes);
        }
    }

    /// Ends it and everything that it has started: at once if `grace` is zero, else after giving it that long to exit
    /// by itself.
    pub fn end(&mut self, grace: Duration) -> Fate {
        let until = Instant::now() + grace;
        let mut ended_itself = self.has_ended_itself();
        while !ended_itself && Instant::now() < until {
            // Unread output must not keep it from exiting.
            self.forget();
            self.take_aside();
            thread::sleep(Duration::from_millis(5));
            ended_itself = self.has_ended_itself();
        }
        self.take_aside();
        self.kill();
        let status = self.child.wait();
        orphans::ended(self.child.id());
        match status {
            Ok(status) if ended_itself => Fate::Exit(status.code().unwrap_or_default()),
            _ => Fate::Closed,
        }
    }

    /// Whether it has exited. Its process id is not reused as long as `child` has its handle.
    fn has_ended_itself(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    fn kill(&mut self) {
        if std::mem::replace(&mut self.has_ended, true) || self.has_ended_itself() {
            return;
        }
        // Windows ends only the process itself; its own program for this finds those that it has started, as long as
        // it is there.
        let _ = process::Command::new("taskkill")
            .args(["/T", "/F", "/PID", &self.child.id().to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let _ = self.child.kill();
    }
}

impl Partner for Process {
    fn say(&mut self, lines: &str, patience: Patience<'_>) -> Result<Instant, Silence> {
        self.finish_writing(patience)?;
        self.input
            .send(lines.to_owned())
            .map_err(|_| Silence::Ended)?;
        self.writes = true;
        self.finish_writing(patience)?;
        let now = Instant::now();
        self.transcript.take(Said::ToEngine, now, lines.as_bytes());
        Ok(now)
    }

    fn hear(&mut self, patience: Patience<'_>) -> Result<Instant, Silence> {
        let Line { text, arrived } = match self.early.pop_front() {
            Some(line) => line,
            None => self.wait(patience)?,
        };
        self.transcript.take(Said::FromEngine, arrived, &text);
        self.line = text;
        Ok(arrived)
    }

    fn line(&self) -> &[u8] {
        &self.line
    }

    fn forget(&mut self) {
        self.early.clear();
        for _ in self.output.try_iter().take(2 * QUEUE) {}
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.has_ended {
            self.kill();
            let _ = self.child.wait();
            orphans::ended(self.child.id());
        }
    }
}

fn write_texts(texts: &Receiver<String>, mut pipe: ChildStdin, has_written: &SyncSender<()>) {
    for text in texts {
        let is_written = pipe.write_all(text.as_bytes()).is_ok() && pipe.flush().is_ok();
        if !is_written || has_written.send(()).is_err() {
            return;
        }
    }
}

fn read_lines(mut pipe: ChildStdout, has_read: &SyncSender<Line>) {
    let mut lines = Lines::default();
    loop {
        match lines.fill(&mut pipe) {
            Ok(1..) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            _ => return,
        }
        let arrived = Instant::now();
        while lines.advance() {
            let text = lines.line().to_vec();
            if has_read.send(Line { text, arrived }).is_err() {
                return;
            }
        }
    }
}

/// What finds no room in the queue is lost: an engine that fails says why in few words.
fn read_errors(mut pipe: ChildStderr, has_complained: &SyncSender<Vec<u8>>) {
    let mut bytes = [0; 4096];
    loop {
        match pipe.read(&mut bytes) {
            Ok(count @ 1..) => {
                let _ = has_complained.try_send(bytes[..count].to_vec());
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => return,
        }
    }
}
