//! Runs a program and captures its output.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// It exited with this code.
    Code(i32),
    /// It was ended by a signal.
    Killed,
    /// It took longer than the limit.
    TimedOut,
}

/// The result of a run.
pub struct Ran {
    pub exit: Exit,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// One of the two programs to compare.
#[derive(Clone)]
pub struct Program {
    pub path: PathBuf,
    pub limit: Duration,
}

impl Program {
    /// Runs the program in a folder. The environment has only what the system needs, as variables such as
    /// `SLURM_ARRAY_TASK_ID` affect the program.
    pub fn run(&self, args: &[String], folder: &Path, stdin: Option<&Path>) -> io::Result<Ran> {
        let mut command = Command::new(&self.path);
        command.args(args).current_dir(folder).env_clear();
        for name in ["PATH", "HOME", "TMPDIR", "SystemRoot", "TEMP"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.stdin(match stdin {
            Some(file) => Stdio::from(File::open(file)?),
            None => Stdio::null(),
        });
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (sender, receiver) = mpsc::channel();
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        gather(stdout, 0, sender.clone());
        gather(stderr, 1, sender);
        let deadline = Instant::now() + self.limit;
        let mut texts = [Vec::new(), Vec::new()];
        for _ in 0..2 {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok((which, text)) = receiver.recv_timeout(left) else {
                child.kill()?;
                child.wait()?;
                return Ok(Ran {
                    exit: Exit::TimedOut,
                    stdout: Vec::new(),
                    stderr: Vec::new(),
                });
            };
            texts[which] = text;
        }
        let exit = child.wait()?.code().map_or(Exit::Killed, Exit::Code);
        let [stdout, stderr] = texts;
        Ok(Ran {
            exit,
            stdout,
            stderr,
        })
    }
}

/// Reads a pipe to its end on a thread of its own. If both pipes were read in turn, a program that fills the second one
/// would never finish.
fn gather(
    pipe: Option<impl Read + Send + 'static>,
    which: usize,
    to: mpsc::Sender<(usize, Vec<u8>)>,
) {
    thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut pipe) = pipe {
            // A broken pipe needs no message, since the exit code shows what happened.
            let _ = pipe.read_to_end(&mut text);
        }
        // After a timeout nobody receives it any more.
        let _ = to.send((which, text));
    });
}
