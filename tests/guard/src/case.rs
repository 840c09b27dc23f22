//! A case: one call, or a script of calls in a folder of its own, and a program's answer to it.

use crate::{
    chance::Chance,
    mask::{masked, masked_file, places},
    mutants,
    program::{Exit, Program},
};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// A change made to a file between two calls, the same for both programs.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Completes each record that consists of tags alone with moves and a result; the pairs `(moves, result)` are used
    /// in turn.
    Play(&'static [(&'static str, &'static str)]),
    /// Changes some random bytes; the name seeds the generator.
    Damage(String),
    /// Removes this number of bytes from the end.
    Cut(usize),
    /// Keeps only those lines of a report that both programs write: no comments that carry the event, no number of
    /// rounds for older programs, no initial colour that was not drawn, no code for a system that has none.
    Plain,
}

/// The beginnings of lines that only one of the programs writes in reports.
const LEFT_OUT: [&str; 4] = ["### overboard ", "XXR ", "152 W", "192 CUSTOM_SWISS"];

/// A step of a script.
#[derive(Clone, Debug)]
pub enum Step {
    /// Calls the program. `stdin` names the file that it reads, `save` the file that receives its output.
    Call {
        args: Vec<String>,
        stdin: Option<String>,
        save: Option<String>,
    },
    /// Copies a file of the inputs into the folder.
    Take { from: String, to: String },
    /// Writes a file.
    Write { file: String, text: String },
    /// Appends a text to a file.
    Append { file: String, text: String },
    /// Writes an edited copy of a file, or edits the file itself.
    Edit {
        from: String,
        to: String,
        edit: Edit,
    },
}

/// What both programs are asked to do.
#[derive(Clone, Debug)]
pub struct Case {
    /// Empty for a single call, whose words are its name.
    pub name: String,
    /// Whether it runs in a folder of its own, whose files are compared, too. Otherwise it runs among the inputs and
    /// writes nothing.
    pub in_folder: bool,
    pub steps: Vec<Step>,
}

/// A program's reply to one call.
#[derive(PartialEq, Eq)]
pub struct Reply {
    pub exit: Exit,
    /// Standard output, with times masked.
    pub stdout: Vec<u8>,
    /// Whether there was any output on standard error.
    pub complained: bool,
    /// The places named on standard error.
    pub places: Vec<String>,
}

/// A program's answer to a case.
#[derive(PartialEq, Eq)]
pub struct Answer {
    /// A reply to each call, in order.
    pub replies: Vec<Reply>,
    /// The files in the folder at the end, with times masked.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Case {
    /// A single call, made among the inputs.
    pub fn call<I: IntoIterator<Item: Into<String>>>(args: I) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Self {
            name: String::new(),
            in_folder: false,
            steps: vec![Step::Call {
                args,
                stdin: None,
                save: None,
            }],
        }
    }

    /// A single call that reads a file of the inputs as its standard input.
    pub fn piped<I: IntoIterator<Item: Into<String>>>(args: I, stdin: &str) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Self {
            name: String::new(),
            in_folder: false,
            steps: vec![Step::Call {
                args,
                stdin: Some(stdin.into()),
                save: None,
            }],
        }
    }

    /// A key that identifies the case, in this version of the guard and in every later one that has the same case.
    pub fn key(&self) -> String {
        blake3::hash(format!("{self:?}").as_bytes()).to_hex()[..32].to_owned()
    }

    /// The command lines of its calls, without the name of the program.
    pub fn calls(&self) -> impl Iterator<Item = String> {
        self.steps.iter().filter_map(|step| match step {
            Step::Call { args, stdin, .. } => {
                let line = args
                    .iter()
                    .map(|word| quoted(word))
                    .collect::<Vec<_>>()
                    .join(" ");
                Some(match stdin {
                    Some(file) => format!("{line} < {file}"),
                    None => line,
                })
            }
            _ => None,
        })
    }

    /// The name of the case, or its call.
    pub fn title(&self) -> String {
        if self.name.is_empty() {
            self.calls().next().unwrap_or_default()
        } else {
            self.name.clone()
        }
    }

    /// The number of its calls.
    pub fn size(&self) -> usize {
        self.calls().count()
    }

    /// Runs the case with a program. Scripts get folders below `work`; with `keep` these are not deleted, and the path
    /// of the folder is returned.
    pub fn put(
        &self,
        program: &Program,
        inputs: &Path,
        work: &Path,
        keep: bool,
    ) -> io::Result<(Answer, Option<PathBuf>)> {
        if !self.in_folder {
            return Ok((
                Answer {
                    replies: self.steps(program, inputs, inputs)?,
                    files: BTreeMap::new(),
                },
                None,
            ));
        }
        let folder = tempfile::tempdir_in(work)?;
        let replies = self.steps(program, inputs, folder.path())?;
        let mut files = BTreeMap::new();
        read_all(folder.path(), "", &mut files)?;
        Ok((Answer { replies, files }, keep.then(|| folder.keep())))
    }

    fn steps(&self, program: &Program, inputs: &Path, folder: &Path) -> io::Result<Vec<Reply>> {
        let mut replies = Vec::new();
        for step in &self.steps {
            match step {
                Step::Call { args, stdin, save } => {
                    let stdin = stdin.as_ref().map(|file| folder.join(file));
                    // An earlier call may not have written the file: then both programs get no input.
                    let stdin = stdin.filter(|file| file.is_file());
                    let ran = program.run(args, folder, stdin.as_deref())?;
                    if let Some(file) = save {
                        fs::write(folder.join(file), &ran.stdout)?;
                    }
                    replies.push(Reply {
                        exit: ran.exit,
                        stdout: masked(&ran.stdout),
                        complained: !ran.stderr.is_empty(),
                        places: places(&ran.stderr),
                    });
                    if ran.exit == Exit::TimedOut {
                        break;
                    }
                }
                Step::Take { from, to } => {
                    let to = folder.join(to);
                    if let Some(parent) = to.parent() {
                        fs::create_dir_all(parent)?;
                    }
                    fs::copy(inputs.join(from), to)?;
                }
                Step::Write { file, text } => write(&folder.join(file), text.as_bytes())?,
                Step::Append { file, text } => {
                    let path = folder.join(file);
                    let mut bytes = fs::read(&path).unwrap_or_default();
                    bytes.extend_from_slice(text.as_bytes());
                    write(&path, &bytes)?;
                }
                Step::Edit { from, to, edit } => {
                    let bytes = fs::read(folder.join(from)).unwrap_or_default();
                    write(&folder.join(to), &edit.apply(&bytes))?;
                }
            }
        }
        Ok(replies)
    }
}

impl Edit {
    fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Damage(name) => mutants::damaged(bytes, &mut Chance::named(name)),
            Self::Plain => {
                let text = String::from_utf8_lossy(bytes);
                let is_shared = |line: &&str| !LEFT_OUT.iter().any(|begin| line.starts_with(begin));
                text.split_inclusive('\n')
                    .filter(is_shared)
                    .collect::<String>()
                    .into_bytes()
            }
            Self::Cut(count) => bytes[..bytes.len().saturating_sub(*count)].to_vec(),
            Self::Play(games) => {
                let text = String::from_utf8_lossy(bytes);
                let heads = text.split("\n*\n").filter(|head| !head.trim().is_empty());
                let play = |(head, (moves, result)): (&str, &(&str, &str))| {
                    let head = head.replace("[Result \"*\"]", &format!("[Result \"{result}\"]"));
                    format!("{}\n\n{moves} {result}\n\n", head.trim())
                };
                heads
                    .zip(games.iter().cycle())
                    .map(play)
                    .collect::<String>()
                    .into_bytes()
            }
        }
    }
}

impl Answer {
    /// A hash of the whole answer.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut feed = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        for reply in &self.replies {
            feed(format!("{:?} {} {:?}", reply.exit, reply.complained, reply.places).as_bytes());
            feed(&reply.stdout);
        }
        for (name, bytes) in &self.files {
            feed(name.as_bytes());
            feed(bytes);
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }

    /// Whether any call took too long.
    pub fn timed_out(&self) -> bool {
        self.replies
            .iter()
            .any(|reply| reply.exit == Exit::TimedOut)
    }

    /// Whether any call ended by a panic or a signal.
    pub fn crashed(&self) -> bool {
        self.replies
            .iter()
            .any(|reply| matches!(reply.exit, Exit::Killed | Exit::Code(101 | 134 | 139)))
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, bytes)
}

fn read_all(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            read_all(&entry.path(), &format!("{name}/"), files)?;
        } else {
            let bytes = masked_file(&name, &fs::read(entry.path())?);
            files.insert(name, bytes);
        }
    }
    Ok(())
}

/// A word, quoted for a shell if need be.
pub fn quoted(word: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./:=,+@%".contains(sign);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_become_games() {
        let heads =
            b"[White \"Ann\"]\n[Result \"*\"]\n\n*\n\n[White \"Bob\"]\n[Result \"*\"]\n\n*\n";
        let played = Edit::Play(&[("1. e4", "1-0"), ("1. d4", "0-1")]).apply(heads);
        assert_eq!(
            String::from_utf8(played).unwrap(),
            "[White \"Ann\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n[White \"Bob\"]\n[Result \"0-1\"]\n\n1. d4 0-1\n\n"
        );
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("a/b.pgn"), "a/b.pgn");
        assert_eq!(quoted("4k/5 w"), "'4k/5 w'");
        assert_eq!(quoted("Ann's"), r"'Ann'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn digests_distinguish_answers() {
        let answer = |stdout: &[u8], exit| Answer {
            replies: vec![Reply {
                exit,
                stdout: stdout.to_vec(),
                complained: false,
                places: Vec::new(),
            }],
            files: BTreeMap::new(),
        };
        let one = answer(b"a", Exit::Code(0));
        assert_eq!(one.digest(), answer(b"a", Exit::Code(0)).digest());
        assert_ne!(one.digest(), answer(b"b", Exit::Code(0)).digest());
        assert_ne!(one.digest(), answer(b"a", Exit::Code(1)).digest());
    }
}
