//! A process, on systems with process groups.

use super::{Command, Fate, Partner, Patience, Silence, environment, lines::Lines, orphans};
use crate::external::transcript::{Said, Transcript};
use nix::{
    errno::Errno,
    fcntl::{FcntlArg, OFlag, fcntl},
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::signal::{Signal, killpg},
    unistd,
};
// `nix` has no `waitid` for macOS.
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::{
    io::{self, ErrorKind, Read, Write},
    os::{
        fd::AsFd,
        unix::process::{CommandExt as _, ExitStatusExt as _},
    },
    process::{self, Child, ChildStderr, ChildStdin, ChildStdout, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A running program, whose standard streams are ours.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    errors: Option<ChildStderr>,
    lines: Lines,
    /// When the bytes that were read last arrived.
    read: Instant,
    /// Whether nothing more will arrive.
    is_over: bool,
    has_ended: bool,
    /// The last lines.
    pub transcript: Transcript,
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// Why it cannot be started. An error of the launcher shows only when that exits.
    pub fn start(command: &Command<'_>) -> io::Result<Self> {
        let Command {
            words,
            folder,
            launcher,
            variables,
            setting,
        } = *command;
        let Some((program, rest)) = words.split_first() else {
            return Err(ErrorKind::InvalidInput.into());
        };
        let mut started = match launcher {
            Some(launcher) => {
                let mut started = process::Command::new(launcher);
                started.args(setting.words(process::id())).args(words);
                started
            }
            None => {
                let mut started = process::Command::new(program);
                started.args(rest);
                started
            }
        };
        folder.map(|folder| started.current_dir(folder));
        started
            .env_clear()
            .envs(environment(variables))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut child = orphans::spawn(&mut started)?;
        let pipes = child
            .stdin
            .take()
            .zip(child.stdout.take())
            .zip(child.stderr.take());
        let Some(((input, output), errors)) = pipes else {
            return Err(ErrorKind::BrokenPipe.into());
        };
        do_not_wait(&input)?;
        do_not_wait(&output)?;
        do_not_wait(&errors)?;
        Ok(Self {
            child,
            input,
            output,
            errors: Some(errors),
            lines: Lines::default(),
            read: Instant::now(),
            is_over: false,
            has_ended: false,
            transcript: Transcript::default(),
        })
    }

    /// Waits until something can be read or, if `writes`, written; reads what is available.
    fn wait(&mut self, patience: Patience<'_>, writes: bool) -> Result<(), Silence> {
        let left = patience.left()?;
        let reads = |pipe| PollFd::new(pipe, PollFlags::POLLIN);
        let output = (!self.is_over).then(|| reads(self.output.as_fd()));
        let errors = self.errors.as_ref().map(|errors| reads(errors.as_fd()));
        let input = writes.then(|| PollFd::new(self.input.as_fd(), PollFlags::POLLOUT));
        let mut asked: Vec<_> = [output, errors, input].into_iter().flatten().collect();
        // Rounded up: a wait that is too short would be another one at once.
        let millis = u16::try_from(left.as_micros().div_ceil(1000)).unwrap_or(u16::MAX);
        match poll(&mut asked, PollTimeout::from(millis)) {
            // Another process may keep its output open after its end.
            Ok(0) if self.has_ended_itself() => return Err(Silence::Ended),
            Ok(0) | Err(Errno::EINTR) => return Ok(()),
            Ok(_) => {}
            Err(_) => return Err(Silence::Ended),
        }
        // What has nothing to be read is not read: that would be a call of the system for each of its answers.
        let at = usize::from(!self.is_over);
        let has_come = |at: usize| asked[at].any() != Some(false);
        let (says, complains) = (
            !self.is_over && has_come(0),
            self.errors.is_some() && has_come(at),
        );
        if writes {
            // What it writes before it has read everything answers nothing, and must not delay the writing.
            self.lines.skip_all();
        }
        if says {
            match self.lines.fill(&mut self.output) {
                Ok(0) => self.is_over = true,
                Ok(_) => self.read = Instant::now(),
                Err(error) if is_nothing(&error) => {}
                Err(_) => self.is_over = true,
            }
        }
        if complains {
            self.take_aside();
        }
        Ok(())
    }

    /// Keeps some of what was written to standard error.
    fn take_aside(&mut self) {
        let mut bytes = [0; 4096];
        match self.errors.as_mut().map(|errors| errors.read(&mut bytes)) {
            Some(Ok(0)) => self.errors = None,
            Some(Ok(count)) => self.transcript.take_aside(&bytes[..count]),
            Some(Err(error)) if !is_nothing(&error) => self.errors = None,
            _ => {}
        }
    }

    /// Ends it and everything that it has started: at once if `grace` is zero, else after giving it that long to exit
    /// by itself.
    pub fn end(&mut self, grace: Duration) -> Fate {
        let until = Instant::now() + grace;
        let mut nap = Duration::from_micros(200);
        let mut ended_itself = self.has_ended_itself();
        while !ended_itself && Instant::now() < until {
            // Unread output must not keep it from exiting.
            let _ = self.lines.fill(&mut self.output);
            self.lines.skip_all();
            self.take_aside();
            thread::sleep(nap);
            nap = (2 * nap).min(Duration::from_millis(10));
            ended_itself = self.has_ended_itself();
        }
        self.take_aside();
        self.kill();
        let status = self.child.wait();
        orphans::ended(self.child.id());
        match status {
            Ok(status) if ended_itself => match (status.code(), status.signal()) {
                (Some(code), _) => Fate::Exit(code),
                (None, signal) => Fate::Signal(signal.unwrap_or_default()),
            },
            _ => Fate::Closed,
        }
    }

    /// Whether it has exited. It is not reaped, so that its process id and that of its group are not reused.
    fn has_ended_itself(&self) -> bool {
        let child = WaitId::Pid(Pid::from_child(&self.child));
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(child, options), Ok(None))
    }

    fn kill(&mut self) {
        if !std::mem::replace(&mut self.has_ended, true) {
            // Process ids are far below the largest number of 31 bits.
            let group = unistd::Pid::from_raw(self.child.id() as i32);
            // If nobody is left in the group, there is nothing to kill.
            let _ = killpg(group, Signal::SIGKILL);
        }
    }
}

impl Partner for Process {
    fn say(&mut self, lines: &str, patience: Patience<'_>) -> Result<Instant, Silence> {
        let mut rest = lines.as_bytes();
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.wait(patience, true)?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Silence::Ended),
            }
        }
        let now = Instant::now();
        self.transcript.take(Said::ToEngine, now, lines.as_bytes());
        Ok(now)
    }

    fn hear(&mut self, patience: Patience<'_>) -> Result<Instant, Silence> {
        loop {
            if self.lines.advance() {
                self.transcript
                    .take(Said::FromEngine, self.read, self.lines.line());
                return Ok(self.read);
            }
            if self.is_over {
                return Err(Silence::Ended);
            }
            self.wait(patience, false)?;
        }
    }

    fn line(&self) -> &[u8] {
        self.lines.line()
    }

    fn forget(&mut self) {
        const READS: usize = 16;
        self.lines.skip_all();
        for _ in 0..READS {
            match self.lines.fill(&mut self.output) {
                Ok(1..) => self.lines.skip_all(),
                _ => return,
            }
        }
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

/// Makes reads and writes non-blocking.
fn do_not_wait(file: &impl AsFd) -> io::Result<()> {
    fcntl(file, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}

fn is_nothing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
